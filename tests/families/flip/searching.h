/* searching.h -- searchers for puzzles of buttons, and boards to search from */
#ifndef TESTS_FAMILIES_FLIP_SEARCHING_H
#define TESTS_FAMILIES_FLIP_SEARCHING_H

#include "lib/families/flip/flip.h"
#include "lib/search/board/search.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

static inline struct searcher *make_searcher(const struct puzzle *puzzle, unsigned threads)
{
    const struct search_options options = {.threads = threads};
    struct searcher *searcher;
    pdb_error error;
    cr_assert(search_create(puzzle, &options, &searcher, &error) == PDB_OK, "%s", error.message);
    return searcher;
}

/* An assertion that costs nothing where it holds: Criterion sends a message for each of its own, and loses its way
 * after some hundred thousand. */
static inline void require(bool holds, const char *what, uint64_t which)
{
    if (!holds)
        cr_assert(holds, "%s (%llu)", what, (unsigned long long)which);
}

/* A shortest solution, its path walked by the rules; the caller frees answer.path. */
static inline struct search_answer find(const struct searcher *searcher, const uint8_t *position)
{
    struct search_answer answer;
    pdb_error error;
    if (search_solve(searcher, position, PDB_NO_DISTANCE, NULL, NULL, &answer, &error) != PDB_OK)
        cr_assert(false, "%s", error.message);
    require(answer.bound == answer.distance, "the bound", answer.bound);
    return answer;
}

static inline uint32_t distance_of(const struct searcher *searcher, const uint8_t *position)
{
    struct search_answer answer = find(searcher, position);
    free(answer.path);
    return answer.distance;
}

/* A board that some presses away from the goal: each move up to `values` - 1 times. Open cells are 0 at first. */
static inline void scramble(const struct puzzle *puzzle, uint64_t *seed, uint8_t *position)
{
    const struct flip *flip = (const struct flip *)puzzle;
    memcpy(position, flip->origin, puzzle->board.places);
    for (unsigned m = 0; m < flip->moves; m++) {
        const unsigned times = (unsigned)random_below(seed, flip->values);
        for (unsigned place = 0; place < puzzle->board.places; place++)
            position[place] = (uint8_t)((position[place] + times * flip_change(flip, m)[place]) % flip->values);
    }
}

#endif
