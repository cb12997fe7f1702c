/* test_distance.c -- distances from what a search has kept: of damaged values, of neighbours, of states that were asked
 * for before; and the number of shortest ways
 */
#include "encoding_puzzles.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

/* Every byte of a finished search turned over, one at a time: a wrong distance may come out of it, but nothing that
 * hangs or steps outside, and a distance that comes out is one that the walk really found. */
Test(distance, spoiled_values)
{
    for (size_t i = 0; i < 4; i++) {
        struct puzzle *puzzle = make_puzzle(yamls[i]);
        struct solved solved;
        solve(puzzle, 1, &solved);
        uint8_t *bytes = checked_memory(solved.memory.size, 1);
        memcpy(bytes, solved.memory.bytes, solved.memory.size);
        struct memory memory = {bytes, solved.memory.size};
        struct values values = {.puzzle = puzzle, .encoding = solved.values.encoding, .source = memory_source(&memory)};
        int damaged = 0;
        for (uint64_t b = 0; b < memory.size; b++) {
            bytes[b] ^= 0xFF;
            for (uint64_t index = 0; index < puzzle->states; index++) {
                uint32_t distance = 0;
                pdb_error error = {.message = ""};
                const pdb_status status = distance_get(&values, &index, 1, &distance, &error);
                cr_assert(status == PDB_OK || (status == PDB_DAMAGED && *error.message != '\0'));
                cr_assert(status != PDB_OK || distance == DISTANCE_NONE || distance < puzzle->states);
                damaged += status == PDB_DAMAGED;
            }
            bytes[b] ^= 0xFF;
        }
        cr_expect(damaged > 0 || i == 3, "%s",
                  yamls[i]); /* where every board is a goal, a wrong residue may be one that says "none" */
        free(bytes);
        solved_free(&solved);
        puzzle_free(puzzle);
    }
}

static const uint8_t *no_bytes(const void *context, uint64_t offset, uint64_t *run, pdb_error *error)
{
    (void)context;
    (void)offset;
    (void)run;
    error_set(error, PDB_DAMAGED, "page 3 is damaged");
    return NULL;
}

Test(distance, errors_of_the_source)
{
    struct puzzle *puzzle = make_puzzle(yamls[0]);
    const struct values values = {.puzzle = puzzle, .encoding = ENCODING_MOD4_1BIT, .source = {no_bytes, NULL}};
    const uint64_t index[3] = {1, 2, 3};
    uint32_t distance[3];
    unsigned __int128 paths;
    pdb_error error = {.message = ""};
    EXPECT_NUMBER(distance_get(&values, index, 3, distance, &error), PDB_DAMAGED);
    EXPECT_TEXT(error.message, "page 3 is damaged");
    EXPECT_NUMBER(distance_get(&values, index, 3, distance, NULL), PDB_DAMAGED);
    EXPECT_NUMBER(distance_get(&values, index, 0, distance, &error), PDB_OK);
    EXPECT_NUMBER(distance_near(&values, 5, index, 3, distance, &error), PDB_DAMAGED);
    EXPECT_NUMBER(distance_count_paths(&values, 1, 5, &paths, &error), PDB_DAMAGED);
    puzzle_free(puzzle);
}

/* A neighbour's residue says which of d-1, d and d+1 it is at; anything else is damage. */
Test(distance, near)
{
    for (size_t i = 0; i < 6; i++) {
        struct puzzle *puzzle = make_puzzle(yamls[i]);
        struct solved solved;
        solve(puzzle, 1, &solved);
        uint64_t *next = checked_memory(puzzle->max_moves, sizeof *next), random = 5;
        uint32_t *near = checked_memory(puzzle->max_moves, sizeof *near),
                 *exact = checked_memory(puzzle->max_moves, sizeof *exact);
        unsigned looked_at = 0;
        for (int n = 0; n < 2000; n++) {
            const uint64_t index = random_below(&random, puzzle->states);
            uint32_t distance;
            uint16_t count;
            cr_assert(distance_get(&solved.values, &index, 1, &distance, NULL) == PDB_OK);
            if (distance == DISTANCE_NONE)
                continue;
            puzzle->family->index.successors(puzzle, &index, 1, next, &count);
            cr_assert(distance_get(&solved.values, next, count, exact, NULL) == PDB_OK);
            cr_assert(distance_near(&solved.values, distance, next, count, near, NULL) == PDB_OK);
            cr_assert(memcmp(near, exact, count * sizeof *near) == 0);
            looked_at += count > 0;
        }
        cr_expect(looked_at > 0, "no board with a distance was met\n%s", yamls[i]);
        free(next);
        free(near);
        free(exact);
        solved_free(&solved);
        puzzle_free(puzzle);
    }
}

/* What was found before changes nothing, however many states share a slot. */
Test(distance, of_states_whose_neighbours_were_asked_for)
{
    for (size_t i = 0; i < 6; i++) {
        struct puzzle *puzzle = make_puzzle(yamls[i]);
        struct solved solved;
        struct distance_memo memo;
        solve(puzzle, 1, &solved);
        for (unsigned bits = 1; bits <= 9; bits += 4) {
            cr_assert(distance_memo_create(&memo, &solved.values, sizeof(uint64_t) << bits));
            cr_assert(memo.bits == bits || (memo.bits < bits && puzzle->states >> memo.bits == 0));
            struct values remembering = solved.values;
            remembering.memo = &memo;
            uint64_t index[100], random = bits;
            uint32_t distance[100], found[100];
            for (int n = 0; n < 100; n++) {
                for (size_t k = 0; k < 100; k++)
                    index[k] = random_below(&random, puzzle->states);
                cr_assert(distance_get(&solved.values, index, 100, distance, NULL) == PDB_OK);
                cr_assert(distance_get(&remembering, index, 100, found, NULL) == PDB_OK);
                cr_assert(memcmp(found, distance, sizeof found) == 0, "%s", yamls[i]);
            }
            distance_memo_free(&memo);
        }
        solved_free(&solved);
        puzzle_free(puzzle);
    }
}

static bool observe_nothing(const void *context, uint64_t done)
{
    (void)context;
    return done < 1;
}

/* Twelve lamps, each with a switch of its own: 12! ways, over all 4,096 states. */
Test(distance, counting_is_stopped_and_limited)
{
    struct puzzle *puzzle = make_puzzle("puzzle: lamps\nfamily: flip\naround: plus\n"
                                        "board: \".#.#.#.#.#.#.#.#.#.#.#.\"\n");
    struct solved solved;
    const uint64_t index = index_of(puzzle, "111111111111");
    unsigned __int128 paths;
    pdb_error error;
    solve(puzzle, 1, &solved);
    cr_assert(distance_count_paths(&solved.values, index, 12, &paths, NULL) == PDB_OK);
    EXPECT_NUMBER(paths, 479001600);
    struct values values = solved.values;
    values.observe = observe_nothing;
    EXPECT_NUMBER(distance_count_paths(&values, index, 12, &paths, &error), PDB_INTERRUPTED);
    values.observe = NULL;
    values.memory = 10000;
    EXPECT_NUMBER(distance_count_paths(&values, index, 12, &paths, &error), PDB_TOO_LARGE);
    solved_free(&solved);
    puzzle_free(puzzle);
}

/* One piece on an otherwise empty board goes from corner to corner in as many shortest ways as there are lattice
 * paths. */
Test(distance, number_of_paths_on_an_empty_board)
{
    static const struct {
        const char *goal, *from;
        uint64_t paths, distance;
    } cases[] = {
        {"a.../..../....", "..../..../...a", 10, 5}, /* 5 over 2 */
        {"a......./......../......../......../......../......../......../........",
         "......../......../......../......../......../......../......../.......a", 3432, 14}, /* 14 over 7 */
        {"a...............................................................",
         "...............................................................a", 1, 63},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char yaml[300];
        strcat(strcat(strcpy(yaml, HEAD "goal: "), cases[i].goal), "\n");
        struct puzzle *puzzle = make_puzzle(yaml);
        struct solved solved;
        const uint64_t index = index_of(puzzle, cases[i].from);
        uint32_t distance;
        unsigned __int128 paths;
        solve(puzzle, 1, &solved);
        cr_assert(distance_get(&solved.values, &index, 1, &distance, NULL) == PDB_OK);
        EXPECT_NUMBER(distance, cases[i].distance);
        cr_assert(distance_count_paths(&solved.values, index, distance, &paths, NULL) == PDB_OK);
        EXPECT_NUMBER(paths, cases[i].paths);
        solved_free(&solved);
        puzzle_free(puzzle);
    }
}
