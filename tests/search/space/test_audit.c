/* test_audit.c -- distances held against the rules: true ones pass, and a wrong one is found, whichever it is
 *
 * Up to 100,000 states are audited all of them, so there a single wrong value has to be found always; in larger puzzles
 * where distances themselves are kept, too.
 */
#include "catalog/catalog.h"
#include "tests/support/digraph.h"
#include "tests/support/support.h"
#include "lib/search/space/audit.h"
#include "lib/search/space/keyed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLIDE "puzzle: t\nfamily: slide\n"
#define WALK  "puzzle: t\nfamily: walk\n"

/* A puzzle for every encoding. */
static const struct {
    const char *yaml, *encoding;
} puzzles[] = {
    {SLIDE "goal: 1 2 3/4 5 .\n", "mod4-1bit"},
    {SLIDE "goal: 1 2 3 . 4 5\n", "mod4-2bit"},
    {SLIDE "board: 1 2 3/4 5 .\ngoal: '1 2 */* * *'\n", "mod3-5perbyte"},
    {SLIDE "board: 1 2 3 .\ngoal: '1 2 * *'\n", "mod3-2bit"},
    {WALK "places: a b c\nboard: E . .\ngoal: E..\nedges: [a b]\none-way: [b c, c a]\n", "exact-2bit"},
    {WALK "places: a b c d e f\nboard: E . . . . F\ngoal: E....F\nedges: [b e]\none-way: [a b c d e f a]\n",
     "exact-4bit"},
};

/* A copy of a puzzle's distances that can be changed. */
struct forgery {
    uint8_t *bytes;
    struct memory memory;
    struct values values;
};

static struct forgery forgery_make(const struct solved *solved)
{
    struct forgery forgery = {checked_memory(solved->memory.size, 1), solved->memory, solved->values};
    memcpy(forgery.bytes, solved->memory.bytes, solved->memory.size);
    return forgery;
}

/* After the struct is in its place. */
static void forgery_point(struct forgery *forgery)
{
    forgery->memory.bytes = forgery->bytes;
    forgery->values.source = memory_source(&forgery->memory);
}

/* How many values an encoding can write for a state. */
static unsigned values_of(enum encoding encoding)
{
    switch (encoding) {
    case ENCODING_MOD4_1BIT:
    case ENCODING_EXACT_1BIT:
        return 2;
    case ENCODING_MOD3_5PERBYTE:
        return 3;
    case ENCODING_EXACT_4BIT:
        return 16;
    case ENCODING_EXACT_8BIT:
        return 256;
    default:
        return 4;
    }
}

/* Puts another value, the true one and `more`, in the place of a state's. */
static void forge(struct forgery *forgery, uint64_t state, unsigned more)
{
    static const uint8_t power[5] = {1, 3, 9, 27, 81};
    const unsigned radix = values_of(forgery->values.encoding);
    const unsigned a_byte = radix == 2 ? 8 : radix == 3 ? 5 : radix == 4 ? 4 : radix == 16 ? 2 : 1;
    unsigned place = radix == 3 ? power[state % 5] : 1;
    for (uint64_t i = 0; radix != 3 && i < state % a_byte; i++)
        place *= radix;
    uint8_t *byte = &forgery->bytes[state / a_byte];
    const unsigned value = *byte / place % radix, forged = (value + more) % radix;
    *byte = (uint8_t)(*byte + (forged - value) * place);
}

static pdb_status audit(const struct values *values, struct audit_report *report, pdb_error *error)
{
    /* Threads wait for each other by spinning, on a busy machine for long: many small audits are better made by one. */
    const struct audit_options options = {.threads = values->puzzle->states > 10000 ? 2 : 1};
    return audit_distances(values, &options, report, error);
}

static void expect_true(const struct values *values)
{
    struct audit_report report;
    pdb_error error = {0};
    const uint64_t states = values->puzzle->states;
    cr_expect(audit(values, &report, &error) == PDB_OK, "%s", error.message);
    EXPECT_NUMBER(report.by_successors, encoding_modulus(values->encoding) == 0 ? states : 0);
    if (states <= 100000)
        EXPECT_NUMBER(report.by_plain_rules, states);
    else
        cr_expect(report.by_plain_rules > 10000 && report.by_plain_rules < states);
}

/* Forges the value of a state in every way there is, one after the other, and puts it right again; of 256 ways in five.
 * */
static void expect_found(struct forgery *forgery, uint64_t state)
{
    const unsigned radix = values_of(forgery->values.encoding);
    struct audit_report report;
    pdb_error error;
    for (unsigned more = 1; more<radix; more += radix> 16 ? radix / 4 : 1) {
        forge(forgery, state, more);
        const pdb_status status = audit(&forgery->values, &report, &error);
        cr_expect(status == PDB_BROKEN_RULES || status == PDB_DAMAGED, "state %llu of %llu, changed by %u: not found",
                  (unsigned long long)state, (unsigned long long)forgery->values.puzzle->states, more);
        forge(forgery, state, radix - more);
    }
}

/* True distances, then each wrong value of some states, `every` so many. */
static void try_puzzle_kept(const struct puzzle *puzzle, uint64_t every)
{
    struct solved solved;
    solve(puzzle, 1, &solved);
    struct forgery forgery = forgery_make(&solved);
    forgery_point(&forgery);
    expect_true(&solved.values);
    for (uint64_t state = 0; state < puzzle->states; state += every)
        expect_found(&forgery, state);
    expect_true(&forgery.values);
    free(forgery.bytes);
    solved_free(&solved);
}

Test(audit, every_wrong_value_of_every_state)
{
    for (size_t i = 0; i < COUNT(puzzles); i++) {
        struct puzzle *puzzle = make_puzzle(puzzles[i].yaml);
        struct solved solved;
        solve(puzzle, 1, &solved);
        EXPECT_TEXT(encoding_name(solved.values.encoding), puzzles[i].encoding);
        solved_free(&solved);
        try_puzzle_kept(puzzle, 1);
        puzzle_free(puzzle);
    }
}

Test(audit, graphs)
{
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct digraph *graph = digraph_random(60, 60 + 4 * seed, 1 + seed % 3, seed, seed % 2 == 0);
        try_puzzle_kept(&graph->puzzle, 1);
        digraph_free(graph);
    }
    struct digraph *ring = digraph_ring(250); /* 8 bits */
    try_puzzle_kept(&ring->puzzle, 50);
    digraph_free(ring);
    ring = digraph_ring(300); /* 16 bits */
    struct solved solved;
    solve(&ring->puzzle, 1, &solved);
    expect_true(&solved.values);
    solved_free(&solved);
    digraph_free(ring);
}

/* Too many for the plain rules, but the successors' are held against every one. */
Test(audit, large_and_exact)
{
    struct puzzle *puzzle = built_in("triangle-21");
    struct solved solved;
    struct audit_report report;
    pdb_error error;
    uint64_t seed = 1;
    solve(puzzle, 2, &solved);
    struct forgery forgery = forgery_make(&solved);
    forgery_point(&forgery);
    expect_true(&solved.values);
    for (int round = 0; round < 3; round++) {
        const uint64_t state = random_below(&seed, puzzle->states);
        forge(&forgery, state, 1);
        cr_expect_eq(audit(&forgery.values, &report, &error), PDB_BROKEN_RULES);
        forge(&forgery, state, values_of(forgery.values.encoding) - 1);
    }
    free(forgery.bytes);
    solved_free(&solved);
    puzzle_free(puzzle);
}

/* A sample finds what is wrong with many states: an image of the true distances that is shifted everywhere. */
Test(audit, large_and_kept_as_residues)
{
    struct puzzle *puzzle = make_puzzle(SLIDE "goal: 1 2 3/4 5 6/7 8 .\n");
    struct solved solved;
    struct audit_report report;
    pdb_error error;
    solve(puzzle, 2, &solved);
    struct forgery forgery = forgery_make(&solved);
    forgery_point(&forgery);
    expect_true(&solved.values);
    for (uint64_t i = 0; i < forgery.memory.size; i += 100)
        forgery.bytes[i] ^= 1;
    cr_expect(audit(&forgery.values, &report, &error) != PDB_OK);
    free(forgery.bytes);
    solved_free(&solved);
    puzzle_free(puzzle);
}

/* Of more goals than a sample has room for, some are taken. */
Test(audit, large_with_many_goals)
{
    struct puzzle *puzzle = make_puzzle(SLIDE "board: 1 2 3/4 5 6/7 8 .\ngoal: '1 * */* * */* * *'\n");
    struct solved solved;
    solve(puzzle, 2, &solved);
    expect_true(&solved.values);
    solved_free(&solved);
    puzzle_free(puzzle);
}

/* -- residues that go round -- */

/* A goal beside a ring of places: g - n0, n0 - n1 - ... - n0. */
static struct puzzle *ring_puzzle(unsigned places)
{
    char yaml[400] = WALK "places: g", edges[200] = "";
    for (unsigned i = 0; i < places; i++) {
        sprintf(yaml + strlen(yaml), " n%u", i);
        sprintf(edges + strlen(edges), "n%u ", i);
    }
    strcat(yaml, "\ngoal: E");
    for (unsigned i = 0; i < places; i++)
        strcat(yaml, " .");
    sprintf(yaml + strlen(yaml), "\nedges: [g n0, %sn0]\n", edges);
    return make_puzzle(yaml);
}

/* The state with the piece on a place; 0 is the goal's. */
static uint64_t state_at(const struct puzzle *puzzle, unsigned place)
{
    char board[64] = "";
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t state = 0;
    pdb_error error;
    memset(board, '.', puzzle->board.places);
    board[place] = 'E';
    cr_assert(puzzle_parse(puzzle, board, position, &error) == PDB_OK, "%s", error.message);
    cr_assert(puzzle->family->position.rank(puzzle, position, &state));
    return state;
}

/* Does a state pass the rules for residues, as far as its neighbours' residues tell? */
static bool passes(const struct values *values, uint64_t state, unsigned residue, bool goal)
{
    const unsigned modulus = encoding_modulus(values->encoding);
    uint64_t next[3];
    uint8_t near[3];
    uint16_t count;
    unsigned nearer = 0;
    values->puzzle->family->index.successors(values->puzzle, &state, 1, next, &count);
    cr_assert_eq(values_get(values, next, count, near, NULL), PDB_OK);
    for (unsigned n = 0; n < count; n++) {
        const unsigned ahead = (near[n] + modulus - residue) % modulus;
        if (ahead != 1 && ahead != modulus - 1)
            return false;
        nearer += ahead == modulus - 1;
    }
    return goal == (nearer == 0);
}

/* Kept are residues that go round the ring: every state passes, and yet half of the ring is wrong. */
static void try_ring(unsigned places, unsigned modulus)
{
    struct puzzle *puzzle = ring_puzzle(places);
    struct solved solved;
    struct audit_report report;
    pdb_error error;
    solve(puzzle, 1, &solved);
    struct forgery forgery = forgery_make(&solved);
    forgery_point(&forgery);
    EXPECT_NUMBER(encoding_modulus(forgery.values.encoding), modulus);
    for (unsigned i = 0; i <= places; i++) {
        const uint64_t state = state_at(puzzle, i);
        uint8_t residue;
        while (values_get(&forgery.values, &state, 1, &residue, &error) == PDB_OK && residue != i % modulus)
            forge(&forgery, state, 1);
    }
    for (unsigned i = 0; i <= places; i++)
        cr_expect(passes(&forgery.values, state_at(puzzle, i), i % modulus, i == 0));
    cr_expect(audit(&solved.values, &report, &error) == PDB_OK);
    const pdb_status status = audit(&forgery.values, &report, &error);
    cr_expect(status == PDB_BROKEN_RULES || status == PDB_DAMAGED, "not found");
    free(forgery.bytes);
    solved_free(&solved);
    puzzle_free(puzzle);
}

Test(audit, residues_that_go_round)
{
    try_ring(8, 4);
    try_ring(12, 4);
    try_ring(9, 3);
}

/* -- keys, threads, a stop -- */

Test(audit, keyed)
{
    struct puzzle *base = built_in("rush-hour"), *puzzle = explored(base, 1);
    try_puzzle_kept(puzzle, share() == 1 ? puzzle->states / 3 : puzzle->states);
    keyed_free(puzzle);
    puzzle_free(base);
}

static bool stop(void *context, uint64_t done, uint64_t all)
{
    ++*(unsigned *)context;
    return done > all;
}

Test(audit, stopped_and_told)
{
    struct puzzle *puzzle = make_puzzle(puzzles[0].yaml);
    struct solved solved;
    struct audit_report report;
    struct audit_options options = {.threads = 1, .observer = stop};
    unsigned called = 0;
    pdb_error error;
    options.context = &called;
    solve(puzzle, 1, &solved);
    cr_expect_eq(audit_distances(&solved.values, &options, &report, &error), PDB_INTERRUPTED);
    EXPECT_NUMBER(called, 1);
    struct forgery forgery = forgery_make(&solved);
    forgery_point(&forgery);
    uint8_t goal[BOARD_MAX_CELLS];
    uint64_t index;
    cr_assert(puzzle_parse(puzzle, "goal", goal, &error) == PDB_OK &&
              puzzle->family->position.rank(puzzle, goal, &index));
    forge(&forgery, index, 1);
    cr_expect_neq(audit(&forgery.values, &report, &error), PDB_OK);
    free(forgery.bytes);
    solved_free(&solved);
    puzzle_free(puzzle);
}
