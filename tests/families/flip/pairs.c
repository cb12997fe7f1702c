#include "pairs.h"

#include "index_search.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NEXT = 2 * ORACLE_FLIP_BUTTONS };

void begin_pair(struct pair *pair, unsigned rows, unsigned columns, unsigned values, bool backward, const char *goal)
{
    char board[ORACLE_FLIP_CELLS * 2] = "", *end = board;
    oracle_flip_begin(&pair->oracle, (int)rows, (int)columns, (int)values);
    pair->oracle.backward = backward;
    for (unsigned cell = 0; cell < rows * columns; cell++) {
        const char c = goal == NULL ? '.' : goal[cell + cell / columns];
        if (cell > 0 && cell % columns == 0)
            *end++ = '/';
        *end++ = c;
        pair->oracle.goal[cell] = c == '.'   ? 0
                                  : c == '#' ? (unsigned char)ORACLE_FLIP_WALL
                                  : c == '*' ? (unsigned char)ORACLE_FLIP_ANY
                                             : (unsigned char)(c - '0');
    }
    *end = '\0';
    snprintf(pair->definition, sizeof pair->definition,
             "puzzle: test\nfamily: flip\nvalues: %u\nbackward: %s\n%s: '%s'\n", values, backward ? "true" : "false",
             goal == NULL ? "board" : "goal", board);
}

void extend_pair(struct pair *pair, const char *text)
{
    cr_assert(strlen(pair->definition) + strlen(text) < sizeof pair->definition);
    strcat(pair->definition, text);
}

void make_pattern_pair(struct pair *pair, unsigned rows, unsigned columns, unsigned values, bool backward,
                       const char *goal, const struct pattern *pattern)
{
    begin_pair(pair, rows, columns, values, backward, goal);
    extend_pair(pair, "around: ");
    extend_pair(pair, pattern->around);
    oracle_flip_add_pattern(&pair->oracle, pattern->self, pattern->orthogonal, pattern->diagonal);
    pair->puzzle = make_puzzle(pair->definition);
}

/* -- comparing -- */

void pair_board(const struct pair *pair, const uint8_t *position, unsigned char *board)
{
    unsigned place = 0;
    for (int cell = 0; cell < pair->oracle.rows * pair->oracle.columns; cell++)
        board[cell] = pair->oracle.goal[cell] == ORACLE_FLIP_WALL ? (unsigned char)ORACLE_FLIP_WALL : position[place++];
}

static void position_of(const struct pair *pair, const unsigned char *board, uint8_t *position)
{
    for (int cell = 0; cell < pair->oracle.rows * pair->oracle.columns; cell++)
        if (board[cell] != ORACLE_FLIP_WALL)
            *position++ = board[cell];
}

/* The neighbours of a state in both ways, as sorted indices; how many. */
static size_t oracle_next(const struct pair *pair, const uint8_t *position, bool into, uint64_t *next)
{
    unsigned char board[ORACLE_FLIP_CELLS], boards[MAX_NEXT * ORACLE_FLIP_CELLS];
    uint8_t neighbour[BOARD_MAX_CELLS];
    pair_board(pair, position, board);
    const int count = oracle_flip_neighbours(&pair->oracle, board, into, boards);
    for (int i = 0; i < count; i++) {
        position_of(pair, boards + i * pair->oracle.rows * pair->oracle.columns, neighbour);
        cr_assert(pair->puzzle->family->position.rank(pair->puzzle, neighbour, &next[i]));
    }
    qsort(next, (size_t)count, sizeof *next, compare_numbers);
    return (size_t)count;
}

static size_t library_next(const struct pair *pair, uint64_t index, bool into, uint64_t *next)
{
    const struct puzzle *puzzle = pair->puzzle;
    uint16_t count = 0;
    size_t total = into ? puzzle->family->index.predecessors(puzzle, &index, 1, next, &count)
                        : puzzle->family->index.successors(puzzle, &index, 1, next, &count);
    cr_assert(total == count && total <= puzzle->max_moves);
    qsort(next, total, sizeof *next, compare_numbers);
    return total;
}

/* Moves out of a state and into it, and the moves for people, are the oracle's, each as often. */
static void check_moves(const struct pair *pair, uint64_t index, const uint8_t *position)
{
    uint64_t expected[MAX_NEXT], found[MAX_NEXT];
    for (int into = 0; into < 2; into++) {
        size_t count = oracle_next(pair, position, into, expected);
        cr_assert(library_next(pair, index, into, found) == count);
        cr_assert(memcmp(found, expected, count * sizeof *found) == 0);
    }
    pdb_moves moves = {0};
    pdb_error error;
    size_t count = oracle_next(pair, position, false, expected);
    cr_assert(pair->puzzle->family->position.moves(pair->puzzle, position, &moves, &error) == PDB_OK);
    cr_assert(moves.count == count);
    for (size_t i = 0; i < count; i++)
        cr_assert(pair->puzzle->family->position.rank(pair->puzzle, moves.move[i].board.symbol, &found[i]));
    qsort(found, count, sizeof *found, compare_numbers);
    cr_assert(memcmp(found, expected, count * sizeof *found) == 0);
    pdb_moves_free(&moves);
}

/* Is there a colouring? Colours spread from the goals, which have 0, along moves out and in; every state is connected
 * to a goal. */
static void check_colouring(const struct pair *pair, const struct index_search *search)
{
    const struct puzzle *puzzle = pair->puzzle;
    uint8_t *colour = malloc(puzzle->states);
    bool possible = true;
    cr_assert(colour != NULL);
    for (uint64_t i = 0; i < puzzle->states;
         i++) /* in order of distance: from a state nearer to the goal the colour is known */
        colour[search->queue[i]] = search->distance[search->queue[i]] % 2;
    for (uint64_t index = 0; index < puzzle->states; index++) {
        uint64_t next[MAX_NEXT];
        size_t count = library_next(pair, index, false, next);
        for (size_t i = 0; i < count; i++)
            possible &= colour[index] != colour[next[i]];
    }
    cr_assert(puzzle->coloured == possible, "a colouring is %sthere", possible ? "" : "not ");
    for (uint64_t index = 0; possible && index < puzzle->states; index++) {
        uint8_t given;
        puzzle->family->index.colours(puzzle, &index, 1, &given);
        cr_assert(given == colour[index]);
    }
    free(colour);
}

bool next_position(const struct puzzle *puzzle, unsigned values, uint8_t *position)
{
    for (unsigned place = 0; place < puzzle->board.places; place++) {
        if (++position[place] < values)
            return true;
        position[place] = 0;
    }
    return false;
}

void check_pair(struct pair *pair)
{
    const struct puzzle *puzzle = pair->puzzle;
    struct oracle_boards *table = oracle_flip_solve(&pair->oracle);
    struct index_search search = index_search_all(puzzle);
    uint8_t position[BOARD_MAX_CELLS] = {0}, again[BOARD_MAX_CELLS];
    uint8_t *seen = calloc(puzzle->states, 1);
    uint64_t index, ranked = 0;
    cr_assert(seen != NULL);
    cr_assert(puzzle->states == oracle_boards_count(table), "%llu states, not %zu\n%s",
              (unsigned long long)puzzle->states, oracle_boards_count(table), pair->definition);
    do {
        unsigned char board[ORACLE_FLIP_CELLS];
        pair_board(pair, position, board);
        const int distance = oracle_boards_distance(table, board);
        cr_assert(puzzle->family->position.check(puzzle, position, NULL) == PDB_OK);
        cr_assert(puzzle->family->position.is_goal(puzzle, position) == (distance == 0));
        const bool has_index = puzzle->family->position.rank(puzzle, position, &index);
        cr_assert(has_index == (distance >= 0), "reachable and refused, or the other way round\n%s", pair->definition);
        if (!has_index)
            continue;
        cr_assert(index < puzzle->states && !seen[index]);
        seen[index] = 1;
        ranked++;
        if (!is_shared(puzzle->states, index))
            continue;
        puzzle->family->position.unrank(puzzle, index, again);
        cr_assert(memcmp(position, again, puzzle->board.places) == 0);
        cr_assert(search.distance[index] == distance, "distance %d, not %d\n%s", search.distance[index], distance,
                  pair->definition);
        check_moves(pair, index, position);
    } while (next_position(puzzle, (unsigned)pair->oracle.values, position));
    cr_assert(ranked == puzzle->states);
    check_colouring(pair, &search);
    index_search_free(&search);
    free(seen);
    oracle_boards_free(table);
    puzzle_free(pair->puzzle);
}

void check_pattern(unsigned rows, unsigned columns, unsigned values, bool backward, const char *goal,
                   const struct pattern *pattern)
{
    static struct pair pair;
    make_pattern_pair(&pair, rows, columns, values, backward, goal, pattern);
    if (values == 2 || backward)
        cr_assert(pair.puzzle->undoable);
    check_pair(&pair);
}
