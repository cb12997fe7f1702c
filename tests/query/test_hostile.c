/* test_hostile.c -- what strangers hand over: definitions that ask for too much, tables of keys that are none
 *
 * Much of it was found by the fuzz targets (fuzz/). What could go on for hours without the limits that are tested here
 * has PATIENCE, in seconds: no measure of speed, an end.
 */
#include "tests/support/support.h"
#include "catalog/catalog.h"
#include "items/items.h"
#include "lib/search/space/keyed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATIENCE = 240 };

/* -- tables of keys -- */

/* A table of one key, as the bytes that a forger wrote. */
struct forged_table {
    uint64_t key, rest; /* the block's head */
    struct memory memory;
};

static struct keys *forge(struct forged_table *table, uint64_t key)
{
    struct keys *keys = NULL;
    pdb_error error;
    *table = (struct forged_table){key, 16, {(const uint8_t *)table, 16}};
    cr_assert(keys_open(memory_source(&table->memory), 0, 16, 1, &keys, &error) == PDB_OK, "%s", error.message);
    return keys;
}

/* Everything that is asked of an index, with room for no more neighbours than the contract says. */
static void ask_everything(const struct puzzle *puzzle, uint64_t index)
{
    uint8_t position[BOARD_MAX_CELLS];
    char text[BOARD_TEXT_MAX];
    uint16_t count = 0, weight;
    uint64_t *next = checked_memory(puzzle->max_moves, sizeof *next), *ways = checked_memory(puzzle->max_moves, 8);
    puzzle->family->position.unrank(puzzle, index, position);
    for (unsigned place = 0; place < puzzle->board.places; place++)
        cr_assert(position[place] < puzzle->board.symbols);
    board_format(&puzzle->board, position, text);
    puzzle->family->position.is_goal(puzzle, position);
    puzzle->family->index.successors(puzzle, &index, 1, next, &count);
    cr_expect(count <= puzzle->max_moves);
    puzzle->family->index.predecessors(puzzle, &index, 1, next, &count);
    puzzle->family->index.counted_successors(puzzle, index, next, ways);
    if (puzzle->family->index.weights != NULL)
        puzzle->family->index.weights(puzzle, &index, 1, &weight);
    free(next);
    free(ways);
}

static const char *const keyed_names[] = {"klotski", "klotski-slide", "rush-hour", "english-33", "french-37"};

Test(hostile, keys_that_are_none)
{
    uint64_t random = 1;
    for (size_t n = 0; n < COUNT(keyed_names); n++) {
        struct puzzle *base = built_in(keyed_names[n]), *puzzle;
        struct forged_table table;
        pdb_error error;
        cr_assert(base->keyed);
        for (int attempt = 0; attempt < 2000; attempt++) {
            const uint64_t edges[] = {0, base->states - 1, base->states, UINT64_MAX};
            const uint64_t key = attempt < 4 ? edges[attempt] : random_below(&random, base->states);
            struct keys *keys = forge(&table, key);
            cr_assert(keyed_create(base, keys, &puzzle, &error) == PDB_OK, "%s", error.message);
            ask_everything(puzzle, 0);
            cr_expect(keys_failed(keys) == (key >= base->states ? PDB_DAMAGED : PDB_OK), "%s, key %llu", keyed_names[n],
                      (unsigned long long)key);
            keyed_free(puzzle);
        }
        puzzle_free(base);
    }
}

/* -- definitions that ask for too much -- */

/* A picture with so many cells, the last `empties` of them empty. */
static void row_of_pieces(char *text, unsigned pieces, unsigned empties)
{
    for (unsigned i = 0; i < pieces + empties; i++)
        text += sprintf(text, "%s ", i < pieces ? "a" : ".");
}

Test(hostile, boards_with_too_many_ways_to_stand, .timeout = PATIENCE)
{
    char yaml[2000], row[400];
    struct puzzle *puzzle;
    pdb_error error;
    for (unsigned side = 10; side <= 16; side += 3 * short_step(3)) {
        char *end = yaml + sprintf(yaml, "puzzle: many\nfamily: slide\nmetric: slide\ngoal: |\n");
        row_of_pieces(row, side / 2, side - side / 2);
        for (unsigned i = 0; i < side; i++)
            end += sprintf(end, "  %s\n", row);
        cr_expect_eq(try_puzzle(yaml, &puzzle, &error), PDB_TOO_LARGE, "%s", error.message);
        cr_expect(strstr(error.message, "test.yaml") != NULL, "%s", error.message);
    }
}

/* The large piece fits into the goal nowhere, but it takes long to see: there are many ways to place the others
 * before. */
Test(hostile, goal_that_nothing_fits, .timeout = PATIENCE)
{
    struct puzzle *puzzle;
    pdb_error error;
    cr_expect_eq(try_puzzle("puzzle: dead\nfamily: slide\npieces: [AA/AA]\nboard: |\n"
                            "  A A . . . . . . . . . .\n  A A u u u u u u u u u u\n"
                            "  . # . # . # . # . # . #\n  u # u # u # u # u # u #\n"
                            "  . # . # . # . # . # . #\n  u # u # u # u # u # u #\n"
                            "  . # . # . # . # . # . #\n  u # u # u # u # u # u #\n"
                            "goal: |\n"
                            "  . . . . . . . . . . . .\n  . u u u u u u u u u u *\n"
                            "  * # * # * # * # * # * #\n  * # * # * # * # * # * #\n"
                            "  * # * # * # * # * # * #\n  * # * # * # * # * # * #\n"
                            "  * # * # * # * # * # * #\n  * # * # * # * # * # * #\n",
                            &puzzle, &error),
                 PDB_OK, "%s", error.message); /* its states could be numbered by keys */
    puzzle_free(puzzle);
}

/* -- distances that lead around -- */

/* Residues with which every walk goes around without end: 2, 1, 0, 2, 1, 0, .. along the row of a lone king. Nobody
 * reads more of them than the greatest distance says, or there are states. */
static const uint8_t *count_reads(const void *context, uint64_t offset, uint64_t *run, pdb_error *error)
{
    static const uint8_t round[] = {0x24, 0x49, 0x92}; /* 0, 1, 2 again and again, two bits each, from bit 0 on */
    uint64_t *reads = (uint64_t *)(uintptr_t)context;
    (void)error;
    ++*reads;
    *run = 1;
    return &round[offset % sizeof round];
}

Test(hostile, residues_that_lead_around)
{
    struct puzzle *puzzle = make_puzzle("puzzle: round\nfamily: walk\nedges:\n  - 1 2 3 4 5 6 7 8 9 1\n"
                                        "goal: a........\n");
    static const uint32_t depths[] = {1, 5, 100, 0}; /* 0: not known */
    const uint64_t index = 5;
    uint32_t distance;
    pdb_error error;
    cr_assert_eq(puzzle->states, 9);
    cr_assert(puzzle->undoable && !puzzle->coloured);
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) {
        uint64_t reads = 0;
        const struct values values = {
            .puzzle = puzzle, .encoding = ENCODING_MOD3_2BIT, .source = {count_reads, &reads}, .depths = depths[i]};
        const uint64_t most = depths[i] != 0 && depths[i] < 9 ? depths[i] : 9; /* steps, of two moves each */
        cr_expect_eq(distance_get(&values, &index, 1, &distance, &error), PDB_DAMAGED);
        cr_expect(reads > most && reads <= 1 + 2 * most, "depths %u: %llu reads", depths[i], (unsigned long long)reads);
    }
    puzzle_free(puzzle);
}

/* -- forged trees of questions -- */

/* Three codes, a, b and c: asks for a, a once more, b, c. The second question tells nothing. With a million codes such
 * questions could lead each of them down a million nodes. */
Test(hostile, questions_that_tell_nothing)
{
    struct items_puzzle *puzzle = make_items("puzzle: abc\nfamily: guess\nsymbols: abc\nlength: 1\n");
    const struct items_family *family = puzzle->family;
    uint8_t sound[] = {3, 0, 0, 0, 0, 1, 1, 1, 2, 1, 2, 3, 0};
    uint8_t forged[] = {4, 0, 0, 0, 0, 1, 1, 0, 2, 1, 1, 3, 1, 2, 4, 0};
    uint64_t sound_histogram[] = {0, 1, 1, 1}, forged_histogram[] = {0, 1, 0, 1, 1}, hardest[] = {2};
    const struct items good = {sound, sizeof sound, 3, 4, sound_histogram, hardest, 1},
                       bad = {forged, sizeof forged, 3, 5, forged_histogram, hardest, 1};
    pdb_error error = {.message = ""};
    cr_expect_eq(family->accept(puzzle, &good, &error), PDB_OK, "%s", error.message);
    cr_expect_eq(family->accept(puzzle, &bad, &error), PDB_DAMAGED);
    for (size_t i = 0; i < sizeof sound; i++) {
        sound[i] ^= 1;
        cr_expect_eq(family->accept(puzzle, &good, &error), PDB_DAMAGED, "byte %zu", i);
        sound[i] ^= 1;
    }
    items_puzzle_free(puzzle);
}

/* -- definitions that take long -- */

static bool stop_at_once(void *context, double done)
{
    *(double *)context = done;
    return false;
}

/* In the set of all codes every code is weighed against every other: that alone takes seconds. */
Test(hostile, strategy_that_is_stopped)
{
    struct items_puzzle *puzzle = make_items(
        "puzzle: bits\nfamily: guess\nsymbols: 01\nlength: 16\nrepeats: true\nstrategy: mean\n");
    struct items made;
    pdb_error error;
    double done = 1;
    cr_expect_eq(puzzle->family->build(puzzle, 1, 1 << 30, stop_at_once, &done, &made, &error), PDB_INTERRUPTED);
    cr_expect(done < 0.5, "it was asked first when %.2f of the work was done", done);
    items_free(&made);
    items_puzzle_free(puzzle);
}

/* Twelve digits have half a billion orders, of which none is a number where digits may not be joined. */
Test(hostile, digits_that_stay_apart, .timeout = PATIENCE)
{
    struct items_puzzle *puzzle = make_items(
        "puzzle: apart\nfamily: express\ndigits: 123456789012\noperators: negate\n");
    struct items made;
    pdb_error error;
    cr_expect_eq(puzzle->family->build(puzzle, 1, 1 << 30, NULL, NULL, &made, &error), PDB_BAD_DEFINITION);
    items_free(&made);
    items_puzzle_free(puzzle);
}

Test(hostile, history_without_end)
{
    enum { QUESTIONS = 1001, BYTES = 7 };
    struct items_puzzle *puzzle = make_items("puzzle: ab\nfamily: guess\nsymbols: ab\nlength: 2\nrepeats: true\n");
    char *history = checked_memory(QUESTIONS + 1, BYTES);
    struct items made;
    pdb_reply reply = {0};
    pdb_error error = {.message = ""};
    for (size_t i = 0; i < QUESTIONS; i++)
        memcpy(history + i * BYTES, "aa:0,0 ", BYTES + 1);
    cr_assert_eq(puzzle->family->build(puzzle, 1, 1 << 30, NULL, NULL, &made, &error), PDB_OK, "%s", error.message);
    cr_expect_eq(puzzle->family->ask(puzzle, &made, history, 0, &reply, &error), PDB_BAD_BOARD);
    cr_expect(strstr(error.message, "1000") != NULL, "%s", error.message);
    cr_expect_eq(puzzle->family->ask(puzzle, &made, history + BYTES, 0, &reply, &error), PDB_OK, "%s", error.message);
    reply_clear(&reply);
    items_free(&made);
    free(history);
    items_puzzle_free(puzzle);
}
