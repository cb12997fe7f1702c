/* words.c -- what is said of boards in a terminal and in pictures alike */
#include "forms.h"
#include "lib/text.h"

#include <stdlib.h>
#include <string.h>

/* That a board has no solution, where values are put into slots: all of it may have been in vain, or some of it. */
static const char *no_solution(const pdb_puzzle *puzzle, const pdb_board *board)
{
    unsigned empty = 0, filled = 0;
    for (unsigned row = 0; row < pdb_puzzle_rows(puzzle); row++)
        for (unsigned column = 0; column < pdb_puzzle_columns(puzzle); column++) {
            const int symbol = pdb_board_at(puzzle, board, row, column);
            filled += pdb_symbol_kind(puzzle, symbol) >= 0;
            empty += symbol >= 0 && pdb_symbol_kind(puzzle, symbol) < 0;
        }
    return filled == 0 ? "there is no solution" : empty == 0 ? "this is no solution" : "no solution is left";
}

const char *text_length(const struct asked *asked, uint32_t distance, char text[TEXT_LENGTH_MAX])
{
    if (pdb_puzzle_max_cost(asked->puzzle) > 1)
        snprintf(text, TEXT_LENGTH_MAX, "a cost of %u", distance);
    else
        snprintf(text, TEXT_LENGTH_MAX, "%u move%s", distance, plural(distance));
    return text;
}

const char *text_distance(const struct asked *asked, const struct finding *finding, char text[TEXT_DISTANCE_MAX])
{
    const uint32_t distance = finding->solution.distance;
    const bool slots = pdb_puzzle_unordered(asked->puzzle);
    const char *words = NULL, *count = finding->count; /* "" where it is not known */
    char number[NUMBER_TEXT_MAX], length[TEXT_LENGTH_MAX];
    if (finding->unsolved)
        words = "the distance was not looked for";
    else if (distance == PDB_NO_DISTANCE)
        words = slots ? no_solution(asked->puzzle, &finding->board) : "the goal cannot be reached from here";
    else if (distance == 0)
        words = slots ? "this is a solution" : "this is the goal";
    if (words != NULL)
        snprintf(text, TEXT_DISTANCE_MAX, "%s", words);
    else if (!slots)
        snprintf(text, TEXT_DISTANCE_MAX, "%s from the goal", text_length(asked, distance, length));
    else /* where the order of moves does not matter: "12 slots empty, 14 solutions left" */
        snprintf(text, TEXT_DISTANCE_MAX, "%u slot%s empty, %s%ssolution%s left", distance, plural(distance),
                 strlen(count) < 19 && *count != '\0' ? number_text(strtoull(count, NULL, 10), number) : count,
                 *count != '\0' ? " " : "", strcmp(count, "1") != 0 ? *count != '\0' ? "s" : "s are" : "");
    return text;
}

void caption_steps(const struct asked *asked, const struct finding *finding, struct captioned *pictures)
{
    const pdb_solution *solution = &finding->solution;
    for (uint32_t i = 0; solution->path != NULL && i < solution->steps; i++) {
        char text[DRAWN_MOVE_MAX];
        draw_move_text(&asked->drawing, &solution->path[i], text);
        snprintf(pictures[i].caption, sizeof pictures[i].caption, "%u. %s", i + 1, text);
        pictures[i].board = &solution->path[i].board;
        pictures[i].before = i > 0 ? pictures[i - 1].board : &finding->board;
        draw_caption_hidden(asked->puzzle, &pictures[i]);
    }
}

void caption_boards(const struct asked *asked, const pdb_board *boards, size_t count, struct captioned *pictures)
{
    for (size_t i = 0; i < count; i++) {
        pictures[i].board = &boards[i];
        snprintf(pictures[i].caption, sizeof pictures[i].caption, "%zu.", i + 1);
        draw_caption_hidden(asked->puzzle, &pictures[i]);
    }
}

const char *text_hardest_heading(const struct asked *asked, size_t count, char text[TEXT_HEADING_MAX])
{
    pdb_info info;
    char all[NUMBER_TEXT_MAX], number[NUMBER_TEXT_MAX];
    pdb_solver_info(asked->solver, &info);
    const bool costs = pdb_puzzle_max_cost(asked->puzzle) > 1;
    char farthest[64] = "at the goal already: no other board reaches it";
    if (info.max > 0)
        snprintf(farthest, sizeof farthest, "at %s %u, the farthest from the goal", costs ? "a cost of" : "distance",
                 info.max);
    snprintf(text, TEXT_HEADING_MAX, "%s: %s board%s %s%s%s", pdb_puzzle_name(asked->puzzle),
             number_text(info.hardest, all), plural(info.hardest), farthest, count < info.hardest ? "; the first " : "",
             count < info.hardest ? number_text(count, number) : "");
    return text;
}
