/* test_figures.c -- built-in puzzles of buttons: every state against every set of presses, and published figures */
#include "index_search.h"
#include "pairs.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>

/* Every state of a built-in puzzle (of a large one, every fifth) against every set of presses. */
static void check_press_sets(const char *name, unsigned rows, unsigned columns, const struct pattern *pattern,
                             uint64_t histogram[256])
{
    struct puzzle *puzzle = built_in(name);
    struct oracle_flip oracle;
    oracle_flip_begin(&oracle, (int)rows, (int)columns, 2);
    oracle_flip_add_pattern(&oracle, pattern->self, pattern->orthogonal, pattern->diagonal);
    unsigned char *least = malloc((size_t)1 << rows * columns);
    cr_assert(least != NULL);
    oracle_flip_press_sets(&oracle, least);
    uint64_t reachable = 0;
    for (uint64_t board = 0; board < (uint64_t)1 << rows * columns; board++)
        reachable += least[board] != 255;
    cr_assert(puzzle->states == reachable, "%s: %llu states", name, (unsigned long long)puzzle->states);
    struct index_search search = index_search_all(puzzle);
    for (uint64_t index = 0; index < puzzle->states; index++)
        histogram[search.distance[index]]++;
    const uint64_t step = puzzle->states > 10000000 ? 5 : 1;
    for (uint64_t index = 0; index < puzzle->states; index += step) {
        if (!is_shared(puzzle->states, index / step))
            continue;
        uint8_t position[BOARD_MAX_CELLS];
        uint32_t board = 0;
        puzzle->family->position.unrank(puzzle, index, position);
        for (unsigned place = 0; place < rows * columns; place++)
            board |= (uint32_t)position[place] << place;
        cr_assert(search.distance[index] == least[board], "%s: board %x: %d, not %d", name, board,
                  search.distance[index], least[board]);
    }
    index_search_free(&search);
    free(least);
    puzzle_free(puzzle);
}

/* The figures are those of the page on Lights Out by J. Scherphuis. */
Test(flip, lights_out)
{
    static const uint64_t expected[256] = {1,      25,      300,     2300,    12650,   53130,  176176, 467104,
                                           982335, 1596279, 1935294, 1684446, 1004934, 383670, 82614,  7350};
    uint64_t histogram[256] = {0};
    check_press_sets("lights-out", 5, 5, &plus, histogram);
    for (size_t i = 0; i < 256; i++)
        cr_expect(histogram[i] == expected[i], "distance %zu: %llu", i, (unsigned long long)histogram[i]);
}

Test(flip, eight_flip_of_many_sizes)
{
    for (unsigned rows = 2; rows <= 5; rows++)
        for (unsigned columns = 2; columns <= 5 - (rows == 5); columns++) {
            char name[32];
            uint64_t histogram[256] = {0};
            snprintf(name, sizeof name, "8-flip-%ux%u", rows, columns);
            check_press_sets(name, rows, columns, &eight, histogram);
        }
}

Test(flip, eight_flip_5x5)
{
    uint64_t histogram[256] = {0};
    check_press_sets("8-flip-5x5", 5, 5, &eight, histogram);
}

/* The question of puzzles.md: 4 by 4, all on. */
Test(flip, eight_flip_all_on)
{
    struct puzzle *puzzle = built_in("8-flip");
    struct oracle_flip oracle;
    static unsigned char least[1 << 16];
    oracle_flip_begin(&oracle, 4, 4, 2);
    oracle_flip_add_pattern(&oracle, 0, 1, 1);
    oracle_flip_press_sets(&oracle, least);
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t index;
    pdb_error error;
    cr_assert(puzzle_parse(puzzle, "start", position, &error) == PDB_OK);
    for (unsigned place = 0; place < 16; place++)
        cr_assert(position[place] == 1);
    cr_assert(puzzle->family->position.rank(puzzle, position, &index));
    struct index_search search = index_search_all(puzzle);
    cr_expect(search.distance[index] == least[0xFFFF], "%d presses, not %d", search.distance[index], least[0xFFFF]);
    index_search_free(&search);
    puzzle_free(puzzle);
}
