/* test_lightest.c -- shortest press sets of boards too large to be searched whole, against every press set that there
 * is, and against light chasing
 */
#include "searching.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- every press set, of larger boards of two values -- */

enum { WORDS = BOARD_MAX_CELLS / 64 };

struct bits {
    uint64_t word[WORDS];
};

static bool bit(const struct bits *bits, unsigned i)
{
    return bits->word[i / 64] >> i % 64 & 1;
}

static void add_bits(struct bits *sum, const struct bits *bits)
{
    for (unsigned w = 0; w < WORDS; w++)
        sum->word[w] ^= bits->word[w];
}

static unsigned weight(const struct bits *bits)
{
    unsigned count = 0;
    for (unsigned w = 0; w < WORDS; w++)
        count += (unsigned)__builtin_popcountll(bits->word[w]);
    return count;
}

/* An equation: which buttons change the cell, and whether it has to change. */
struct equation {
    struct bits buttons;
    bool change;
};

/* The least weight of all solutions of the equations of a board, looked at one after another; UINT32_MAX where there is
 * none. */
static uint32_t lightest(const struct flip *flip, const uint8_t *position, unsigned *dimension)
{
    const unsigned cells = flip->puzzle.board.places, buttons = flip->moves;
    struct equation *row = checked_memory(cells, sizeof *row);
    struct bits x = {0}, *idle = checked_memory(buttons + 1, sizeof *idle);
    unsigned rank = 0, *pivot = checked_memory(cells, sizeof *pivot);
    bool *is_pivot = checked_memory(buttons, sizeof *is_pivot), solvable = true;
    for (unsigned i = 0; i < cells; i++) {
        row[i] = (struct equation){.change = position[i] != flip->origin[i]};
        for (unsigned j = 0; j < buttons; j++)
            row[i].buttons.word[j / 64] |= (uint64_t)(flip_change(flip, j)[i] & 1) << j % 64;
    }
    for (unsigned j = 0; j < buttons; j++) {
        unsigned found = rank;
        while (found < cells && !bit(&row[found].buttons, j))
            found++;
        is_pivot[j] = found < cells;
        if (found == cells)
            continue;
        const struct equation swap = row[found];
        row[found] = row[rank];
        row[rank] = swap;
        for (unsigned i = 0; i < cells; i++)
            if (i != rank && bit(&row[i].buttons, j)) {
                add_bits(&row[i].buttons, &swap.buttons);
                row[i].change ^= swap.change;
            }
        pivot[rank++] = j;
    }
    for (unsigned i = 0; i < cells; i++)
        solvable &= i < rank || !row[i].change;
    for (unsigned i = 0; i < rank; i++)
        x.word[pivot[i] / 64] |= (uint64_t)row[i].change << pivot[i] % 64;
    *dimension = 0;
    for (unsigned j = 0; j < buttons; j++) {
        if (is_pivot[j])
            continue;
        struct bits *vector = &idle[(*dimension)++];
        *vector = (struct bits){0};
        vector->word[j / 64] |= (uint64_t)1 << j % 64;
        for (unsigned i = 0; i < rank; i++)
            vector->word[pivot[i] / 64] |= (uint64_t)bit(&row[i].buttons, j) << pivot[i] % 64;
    }
    uint32_t best = weight(&x);
    cr_assert(*dimension <= 22);
    for (uint64_t i = 1; i >> *dimension == 0; i++) { /* a Gray code */
        add_bits(&x, &idle[__builtin_ctzll(i)]);
        const uint32_t next = weight(&x);
        best = next < best ? next : best;
    }
    free(row);
    free(idle);
    free(pivot);
    free(is_pivot);
    return solvable ? best : UINT32_MAX;
}

static void compare_lightest(struct puzzle *puzzle, unsigned rounds, unsigned dimension)
{
    uint64_t seed = 9;
    struct searcher *searcher = make_searcher(puzzle, 2);
    for (unsigned round = 0; round < rounds && (round < 2 || share() == 1); round++) {
        uint8_t position[BOARD_MAX_CELLS];
        unsigned found;
        memset(position, 1, sizeof position);
        if (round > 0)
            scramble(puzzle, &seed, position);
        const uint32_t expected = lightest((const struct flip *)puzzle, position, &found);
        EXPECT_NUMBER(found, dimension);
        EXPECT_NUMBER(distance_of(searcher, position), expected);
    }
    search_free(searcher);
    puzzle_free(puzzle);
}

Test(flip_search, every_press_set)
{
    compare_lightest(built_in("8-flip-10x10"), 3, 0);
    compare_lightest(built_in("lights-out-20x20"), 3, 0);
    compare_lightest(built_in("lights-out-9x9"), 20, 8);
    compare_lightest(built_in("lights-out-19x19"), 4, 16);
    compare_lightest(built_in("8-flip-9x9"), 20, 9);
    compare_lightest(built_in("8-flip-14x29"), 4, 12);
    compare_lightest(built_in("8-flip-31x15"), 3, 15);
    compare_lightest(built_in("lights-out-32x30"), 2, 10);
    compare_lightest(make_puzzle("puzzle: t\nfamily: flip\naround: square\nboard: "
                                 "......../......../......../......../......../......../......../........\n"),
                     5, 15);
    compare_lightest(make_puzzle("puzzle: t\nfamily: flip\naround: 4\nboard: "
                                 "........../........../........../....#...../........../........../........../"
                                 "........../........../..........\n"),
                     5, 9);
}

/* More buttons than cells, without any pattern. */
Test(flip_search, more_buttons_than_cells)
{
    uint64_t seed = 31;
    for (unsigned round = 0; round < 20; round++) {
        const unsigned cells = 20 + (unsigned)random_below(&seed, 60), more = 1 + (unsigned)random_below(&seed, 12);
        char *text = checked_memory(20000, 1), *end = text + sprintf(text, "puzzle: t\nfamily: flip\nboard: ");
        const unsigned columns = cells / 2;
        end += sprintf(end, "%.*s/%.*s\nbuttons:\n", (int)columns, "..................................................",
                       (int)columns, "..................................................");
        for (unsigned button = 0; button < 2 * columns + more; button++) {
            end += sprintf(end, "  - ");
            for (unsigned cell = 0; cell < 2 * columns; cell++)
                end += sprintf(end, "%s%c", cell == columns ? "/" : "",
                               random_below(&seed, 4) == 0 || cell == button ? '1' : '.');
            *end++ = '\n';
        }
        *end = '\0';
        struct puzzle *puzzle = make_puzzle(text);
        uint8_t position[BOARD_MAX_CELLS] = {0};
        unsigned dimension;
        lightest((const struct flip *)puzzle, position, &dimension);
        compare_lightest(puzzle, 4, dimension);
        free(text);
    }
}

/* -- light chasing -- */

/* Lights Out of up to 16 columns: the first row's presses decide all others', for each row's have to put out the lights
 * above. All first rows are tried. */
static uint32_t chase(unsigned rows, unsigned columns, const uint8_t *position)
{
    const uint32_t all = ((uint32_t)1 << columns) - 1;
    uint32_t best = PDB_NO_DISTANCE;
    for (uint32_t first = 0; first <= all; first++) {
        uint32_t above = 0, presses = first, count = 0;
        for (unsigned row = 0; row < rows; row++) {
            uint32_t lights = 0;
            for (unsigned column = 0; column < columns; column++)
                lights |= (uint32_t)position[row * columns + column] << column;
            count += (uint32_t)__builtin_popcount(presses);
            lights ^= above ^ presses ^ ((presses << 1) & all) ^ presses >> 1;
            above = presses;
            presses = lights; /* what is still on is pressed in the next row */
        }
        if (presses == 0 && count < best)
            best = count;
    }
    return best;
}

Test(flip_search, light_chasing)
{
    static const unsigned sizes[][2] = {{3, 3},   {4, 4},   {5, 5},  {9, 9},  {11, 11}, {14, 14},
                                        {16, 16}, {20, 11}, {30, 5}, {32, 9}, {9, 14}};
    uint64_t seed = 17;
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const unsigned rows = sizes[i][0], columns = sizes[i][1];
        char name[40];
        snprintf(name, sizeof name, "lights-out-%ux%u", rows, columns);
        struct puzzle *puzzle = built_in(name);
        struct searcher *searcher = make_searcher(puzzle, 1);
        for (int round = 0; round < 6; round++) {
            uint8_t position[BOARD_MAX_CELLS];
            memset(position, 1, sizeof position);
            if (round > 0)
                scramble(puzzle, &seed, position);
            if (round == 5)
                position[0] ^= 1; /* which a board may not survive */
            const uint32_t expected = chase(rows, columns, position), found = distance_of(searcher, position);
            cr_assert(found == expected, "%s: %u, not %u", name, found, expected);
        }
        search_free(searcher);
        puzzle_free(puzzle);
    }
}
