/* seed.c -- measures the searches that pdb began with, as scripts, once more.
 *
 * Plain iterative deepening is written out here, over the contract, so that the same search is compared; beside it
 * stands what `pdb-query --method=search` does with the same board.
 */
#include "measure.h"
#include "lib/search/board/search.h"

#include <string.h>

enum { DEEPEST = 64, MOVES_MAX = 64 };

static const char table[] = "What pdb began with, one core";

/* -- plain iterative deepening -- */

struct plain {
    const struct puzzle *puzzle;
    uint64_t goal, nodes;
    bool bounded;
};

/* Is there a way of at most `left` moves from a state, not back to the one before? */
static bool plain_reaches(struct plain *plain, uint64_t state, uint64_t before, unsigned left)
{
    uint64_t next[MOVES_MAX];
    uint16_t count, bound = 0;
    plain->nodes++;
    if (state == plain->goal)
        return true;
    if (plain->bounded)
        plain->puzzle->family->single.bounds(plain->puzzle, &state, 1, &bound);
    if (left == 0 || bound > left)
        return false;
    plain->puzzle->family->index.successors(plain->puzzle, &state, 1, next, &count);
    for (unsigned i = 0; i < count; i++)
        if (next[i] != before && plain_reaches(plain, next[i], state, left - 1))
            return true;
    return false;
}

static void measure_plain(const struct puzzle *puzzle, const char *board, bool bounded)
{
    struct plain plain = {.puzzle = puzzle, .bounded = bounded};
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t state;
    pdb_error error;
    must(puzzle_parse(puzzle, board, position, &error), &error);
    if (!puzzle->family->position.rank(puzzle, position, &state) ||
        !puzzle->family->position.rank(puzzle, puzzle->goal, &plain.goal))
        exit(EXIT_FAILURE);
    const double begin = now();
    unsigned length = 0;
    while (!plain_reaches(&plain, state, UINT64_MAX, length))
        length++;
    const double seconds = now() - begin;
    char row[200];
    snprintf(row, sizeof row, "%s %s", puzzle->name, board);
    say(table, row, bounded ? "plain iterative deepening, sum of all ways" : "plain iterative deepening",
        "%u moves, %.1f M nodes, %.3f s", length, 1e-6 * (double)plain.nodes, seconds);
}

/* -- the same by the program's own search -- */

static struct searcher *make_searcher(const struct puzzle *puzzle)
{
    const struct search_options options = {.threads = 1};
    struct searcher *searcher;
    pdb_error error;
    must(search_create(puzzle, &options, &searcher, &error), &error);
    return searcher;
}

static void measure_solve(const struct puzzle *puzzle, const char *board)
{
    struct search_answer answer;
    uint8_t position[BOARD_MAX_CELLS];
    pdb_error error;
    must(puzzle_parse(puzzle, board, position, &error), &error);
    const double begin = now();
    struct searcher *searcher = make_searcher(puzzle);
    must(search_solve(searcher, position, PDB_NO_DISTANCE, NULL, NULL, &answer, &error), &error);
    char row[200];
    snprintf(row, sizeof row, "%s %s", puzzle->name, board);
    say(table, row, "pdb's search", "%u moves, %.2f M nodes, %.3f s", answer.distance, 1e-6 * (double)answer.nodes,
        now() - begin);
    free(answer.path);
    search_free(searcher);
}

/* All shortest solutions that begin with a move (by its text). */
static void measure_count(const struct puzzle *puzzle, const char *board, const char *first)
{
    struct search_answer answer;
    uint8_t position[BOARD_MAX_CELLS];
    unsigned __int128 count = 0;
    pdb_moves moves = {0};
    pdb_error error;
    must(puzzle_parse(puzzle, board, position, &error), &error);
    must(puzzle->family->position.moves(puzzle, position, &moves, &error), &error);
    size_t m = 0;
    while (m < moves.count && strcmp(moves.move[m].text, first) != 0)
        m++;
    if (m == moves.count)
        exit(EXIT_FAILURE);
    const double begin = now();
    struct searcher *searcher = make_searcher(puzzle);
    const uint8_t *from = moves.move[m].board.symbol;
    must(search_solve(searcher, from, PDB_NO_DISTANCE, NULL, NULL, &answer, &error), &error);
    must(searcher->class->count(searcher, from, answer.distance, NULL, NULL, &count, &error), &error);
    char row[200];
    snprintf(row, sizeof row, "%s, all shortest solutions that begin with %s", puzzle->name, first);
    say(table, row, "pdb's search", "%llu of %u moves, %.3f s", (unsigned long long)count, answer.distance + 1,
        now() - begin);
    free(answer.path);
    free(moves.move);
    search_free(searcher);
}

int main(void)
{
    struct puzzle *eight = load_moves("8-puzzle"), *goat = load_moves("goat"), *triangle = load_moves("triangle-21");
    measure_plain(eight, "867254301", false);
    measure_plain(eight, "867254301", true);
    measure_solve(eight, "867254301");
    measure_solve(goat, "6,7,9,10,4,5,2,8,0,8,3,1");
    measure_count(triangle, "start", "14-6");
    puzzle_free(eight);
    puzzle_free(goat);
    puzzle_free(triangle);
    return EXIT_SUCCESS;
}
