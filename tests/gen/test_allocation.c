/* test_allocation.c -- memory runs out at every allocation there is, one after another
 *
 * Each scenario is run with its first allocation failing, then with its second, and so on until none fails any more;
 * and again with all later ones failing too. Every time it has to end with PDB_NO_MEMORY, or with PDB_OK where it could
 * do without, and to have given back all memory.
 */
#include "tests/support/pattern_bytes.h"
#include "tests/support/allocations.h"
#include "tests/support/rank_threads.h"
#include "tests/support/support.h"
#include "catalog/catalog.h"
#include "lib/check/check.h"
#include "lib/search/board/search.h"
#include "db/checkpoint.h"
#include "gen/generate.h"
#include "pdb.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char directory[200];

static void begin(void)
{
    make_directory(directory);
}

static void end(void)
{
    remove_directory(directory);
}

/* Nobody waits for the disk: thousands of databases are made and thrown away. The linker has --wrap for these, too. */
int __wrap_fsync(int file);
int __wrap_fsync(int file)
{
    return fcntl(file, F_GETFD) == -1 ? -1 : 0;
}

int __wrap_fdatasync(int file);
int __wrap_fdatasync(int file)
{
    return __wrap_fsync(file);
}

TestSuite(allocation, .init = begin, .fini = end);

/* -- trying -- */

struct scenario;
typedef pdb_status run_function(const struct scenario *scenario, pdb_error *error);

struct scenario {
    const char *name; /* a built-in puzzle's name, or a definition's text */
    pdb_puzzle *puzzle;
    pdb_method method;
    uint64_t memory;  /* for generations */
    unsigned failing; /* of ranks, the one whose memory runs out */
    bool whole;
};

/* One run with the n-th allocation failing. Returns how many failed. */
static uint64_t try_once(run_function *run, const struct scenario *scenario, uint64_t n, bool all_after)
{
    pdb_error error = {.message = ""};
    const size_t live = allocations_live();
    const uint64_t since = allocations_serial();
    allocations_fail(n, all_after);
    const pdb_status status = run(scenario, &error);
    const uint64_t failed = allocations_stop();
    cr_expect(status == PDB_OK || (failed > 0 && status == PDB_NO_MEMORY), "%.14s, allocation %llu: status %d, %s",
              scenario->name, (unsigned long long)n, (int)status, error.message);
    cr_expect(status != PDB_NO_MEMORY || error.status == PDB_NO_MEMORY, "%.14s, allocation %llu: '%s'", scenario->name,
              (unsigned long long)n, error.message);
    uint64_t serial;
    size_t bytes;
    void *caller;
    if (allocations_live() != live && allocations_leaked(since, &serial, &bytes, &caller))
        cr_expect(false, "%.14s, allocation %llu failed: %zu bytes of allocation %llu, from %p, are not given back",
                  scenario->name, (unsigned long long)n, bytes, (unsigned long long)serial, caller);
    return failed;
}

/* All of them. */
static void try_all(run_function *run, const struct scenario *scenario)
{
    uint64_t n = 1;
    run(scenario, NULL); /* what is allocated once and kept by a library does not count */
    while (try_once(run, scenario, n, false) > 0 && try_once(run, scenario, n, true) > 0)
        n++;
    cr_expect(n > 1, "%.14s: nothing was allocated", scenario->name);
    fprintf(stderr, "%.14s: %llu allocations\n", scenario->name, (unsigned long long)n - 1);
}

static pdb_status load(const char *name, pdb_puzzle **puzzle, pdb_error *error)
{
    return strchr(name, '\n') != NULL ? try_definition(name, puzzle, error) : catalog_load(name, puzzle, error);
}

static void try_puzzles(run_function *run, struct scenario *scenarios, size_t count)
{
    pdb_error error;
    for (size_t i = 0; i < count; i++) {
        cr_assert(load(scenarios[i].name, &scenarios[i].puzzle, &error) == PDB_OK, "%s", error.message);
        try_all(run, &scenarios[i]);
        pdb_puzzle_free(scenarios[i].puzzle);
    }
}

/* Is a leak seen, and a failure that is not told of? */
Test(allocation, is_seen)
{
    const size_t live = allocations_live();
    const uint64_t since = allocations_serial();
    uint64_t which = 0;
    size_t bytes = 0;
    void *caller;
    allocations_fail(2, false);
    /* volatile: a compiler may know that nobody looks at the memory, and leave the calls out */
    char *volatile one = malloc(17), *volatile two = malloc(18), *volatile three = malloc(19);
    cr_expect_eq(allocations_stop(), 1);
    cr_expect(one != NULL && two == NULL && three != NULL);
    cr_expect_eq(allocations_live(), live + 2);
    free(three);
    cr_expect(allocations_leaked(since, &which, &bytes, &caller) && which == 1 && bytes == 17);
    free(one);
    cr_expect(!allocations_leaked(since, &which, &bytes, &caller));
    allocations_fail(1, true);
    one = strdup("all");
    two = calloc(1, 1);
    cr_expect(one == NULL && two == NULL);
    cr_expect_eq(allocations_stop(), 2);
}

/* -- puzzles -- */

#define PANCAKES                                                                                                       \
    "puzzle: pancakes-5\nfamily: permute\nplaces: 1 2 3 4 5\ngenerators:\n  a: {reverse: 1 2}\n  b: {reverse: 1 2 "    \
    "3}\n"                                                                                                             \
    "  c: {reverse: 1 2 3 4}\n  d: {reverse: 1 2 3 4 5}\nboards:\n  start: 3 5 1 2 4\n"
#define SMALL "puzzle: small\nfamily: slide\ngoal: |\n  1 2 3\n  4 5 .\nboards: {start: 45.123}\n"
#define SIDING                                                                                                         \
    "puzzle: siding\nfamily: walk\nplaces: a b c d s x\nboard: E w w . . .\ngoal: '* * * E * *'\n"                     \
    "edges:\n  - a b c d\n  - b s\none-way:\n  - d x a\nboards: {start: E w w . . .}\n"
#define LONG_ROW                                                                                                       \
    "puzzle: long-row\nfamily: peg\njumps: orthogonal\ngoal: ..............1................\n"                        \
    "boards: {start: ............11.1...............}\n"
#define RINGS                                                                                                          \
    "puzzle: rings\nfamily: permute\nturns: forward\ngoal: a b b b b a b b b b b b a b b b b b b b b\n"                \
    "generators:\n  on: (1 2 3 4 5)(6 7 8 9 10 11 12)(13 14 15 16 17 18 19 20 21)\n"                                   \
    "boards: {start: b a b b b a b b b b b b a b b b b b b b b}\n"
#define NARROW_LOT                                                                                                     \
    "puzzle: narrow-lot\nfamily: slide\nmetric: slide\naxis: length\nboard: |\n  A A . B\n  C . . B\n  C D D .\n"      \
    "pieces: [AA, B/B, C/C, DD]\ngoal: |\n  * * A A\n  * * * *\n  * * * *\nboards: {start: AA.B/C..B/CDD.}\n"

/* 352 states of 150 moves at most: enough for tables of keys that grow. */
#define PARKING_LOT                                                                                                    \
    "puzzle: parking-lot\nfamily: slide\nmetric: slide\naxis: length\n"                                                \
    "board: |\n  . . B . .\n  A A B . C\n  . . D D C\n  . E . . .\n  . E . F F\n"                                      \
    "pieces: [AA, B/B, C/C, DD, E/E, FF]\n"                                                                            \
    "goal: |\n  * * * * *\n  * * * A A\n  * * * * *\n  * * * * *\n  * * * * *\n"                                       \
    "boards: {start: ..B../AAB.C/..DDC/.E.../.E.FF}\n"
#define COINS                                                                                                          \
    "puzzle: coins\nfamily: rules\nsets: {coin: [a, b], side: [up, down]}\nstate:\n  on[coin]: side\n"                 \
    "start: {on: up}\nmoves:\n- name: turn {c}\n  for: {c: coin}\n  do: on[c] = down\n"                                \
    "goal: all(on[c] == down for c in coin)\nsymmetric: [coin]\n"

static pdb_status load_and_free(const struct scenario *scenario, pdb_error *error)
{
    pdb_puzzle *puzzle;
    pdb_status status = load(scenario->name, &puzzle, error);
    if (status == PDB_OK)
        pdb_puzzle_free(puzzle);
    return status;
}

Test(allocation, definitions)
{
    struct scenario own[] = {{.name = PANCAKES}, {.name = SIDING}, {.name = LONG_ROW}, {.name = NARROW_LOT}};
    for (size_t i = 0; catalog_names[i] != NULL; i++)
        if (i % short_step(2) == 0)
            try_all(load_and_free, &(struct scenario){.name = catalog_names[i]});
    for (size_t i = 0; i < COUNT(own); i++)
        try_all(load_and_free, &own[i]);
}

/* -- answers -- */

static pdb_status ask_about(const pdb_solver *solver, const pdb_board *board, bool whole, pdb_error *error)
{
    pdb_solution solution;
    char count[PDB_COUNT_MAX];
    pdb_status status = pdb_solver_solve(solver, board, PDB_WANT_MOVES | PDB_WANT_PATH, &solution, error);
    if (status == PDB_OK && whole)
        status = pdb_solver_count(solver, board, solution.distance, count, error);
    pdb_solution_free(&solution);
    return status;
}

static pdb_status open_and_ask(const struct scenario *scenario, pdb_error *error)
{
    const pdb_options options = {.directory = directory, .method = scenario->method, .threads = 1};
    pdb_solver *solver;
    pdb_board board;
    uint32_t distance;
    pdb_status status = pdb_solver_open(scenario->puzzle, &options, &solver, error);
    if (status != PDB_OK)
        return status;
    status = pdb_board_parse(scenario->puzzle, "start", &board, error);
    if (status == PDB_OK)
        status = ask_about(solver, &board, scenario->whole, error);
    if (status == PDB_OK && scenario->whole)
        status = pdb_solver_hardest(solver, 0, &board, error);
    if (status == PDB_OK && scenario->whole)
        status = pdb_solver_random(solver, PDB_NO_DISTANCE, 1, &board, &distance, error);
    if (status == PDB_OK && scenario->whole)
        status = pdb_solver_random(solver, 1, 1, &board, &distance, error);
    if (status == PDB_OK)
        status = ask_about(solver, &board, scenario->whole, error);
    pdb_solver_close(solver);
    return status;
}

Test(allocation, whole_space_in_memory)
{
    struct scenario scenarios[] = {{.name = SMALL, .whole = true},         {.name = "8-flip-3x3", .whole = true},
                                   {.name = "knights", .whole = true},     {.name = "guarini", .whole = true},
                                   {.name = "triangle-15", .whole = true}, {.name = PANCAKES, .whole = true},
                                   {.name = SIDING, .whole = true},        {.name = LONG_ROW, .whole = true}};
    try_puzzles(open_and_ask, scenarios, COUNT(scenarios) / short_step(2));
}

Test(allocation, searches)
{
    struct scenario scenarios[] = {{.name = SMALL, .method = PDB_SEARCH},
                                   {.name = "8-flip-3x3", .method = PDB_SEARCH},
                                   {.name = "lights-out-4x4", .method = PDB_SEARCH},
                                   {.name = "knights", .method = PDB_SEARCH},
                                   {.name = "guarini", .method = PDB_SEARCH},
                                   {.name = "hoppers", .method = PDB_SEARCH},
                                   {.name = PANCAKES, .method = PDB_SEARCH},
                                   {.name = SIDING, .method = PDB_SEARCH},
                                   {.name = LONG_ROW, .method = PDB_SEARCH},
                                   {.name = NARROW_LOT, .method = PDB_SEARCH}};
    try_puzzles(open_and_ask, scenarios, COUNT(scenarios));
}

static pdb_status open_and_count(const struct scenario *scenario, pdb_error *error)
{
    const pdb_options options = {.directory = directory, .method = PDB_SEARCH, .threads = 1};
    const pdb_board board = {{0}};
    pdb_solver *solver;
    char count[PDB_COUNT_MAX];
    pdb_status status = pdb_solver_open(scenario->puzzle, &options, &solver, error);
    if (status != PDB_OK)
        return status;
    status = pdb_solver_count(solver, &board, scenario->puzzle->moves->board.places, count, error);
    pdb_solver_close(solver);
    return status;
}

Test(allocation, counts)
{
    struct scenario scenarios[] = {{.name = "queens-4"}, {.name = "alphametic-4:A+B=C"}};
    try_puzzles(open_and_count, scenarios, COUNT(scenarios));
}

#define NINE "puzzle: nine\nfamily: slide\ngoal: 1 2 3 4 5/6 7 8 9 .\npatterns: 1 2 3 4 5 6 7 8 9\n"

/* A search with a table of the largest pattern. It is asked for nothing, so nobody reads what stands in it. */
static pdb_status look_up(const struct scenario *scenario, pdb_error *error)
{
    static struct patterns patterns;
    const struct puzzle *puzzle = scenario->puzzle->moves;
    struct pattern_bytes bytes;
    const struct search_options options = {
        .threads = 1, .patterns = &patterns, .source = pattern_bytes_make(&bytes, (const uint8_t *)"", false)};
    struct searcher *searcher;
    pdb_status status = puzzle->family->single.patterns->choose(puzzle, UINT64_MAX, &patterns, error);
    if (status == PDB_OK)
        status = search_create(puzzle, &options, &searcher, error);
    if (status == PDB_OK)
        search_free(searcher);
    return status;
}

Test(allocation, largest_pattern)
{
    const struct scenario scenario = {.name = "nine", .puzzle = load_puzzle(NINE)};
    look_up(&scenario, NULL);
    EXPECT_NUMBER(try_once(look_up, &scenario, UINT64_MAX, false), 0);
    pdb_puzzle_free(scenario.puzzle);
}

/* -- generation -- */

static void options_for(const struct scenario *scenario, struct options *options)
{
    *options = (struct options){.force = true, .quiet = true, .threads = 1, .memory_given = true};
    options->memory = scenario->memory != 0 ? scenario->memory : 1 << 30;
    snprintf(options->directory, sizeof options->directory, "%s", directory);
}

static pdb_status make_database(const struct scenario *scenario, pdb_error *error)
{
    static struct options options;
    static struct summary summary;
    options_for(scenario, &options);
    return generate(scenario->puzzle, &options, &summary, error);
}

static pdb_status verify_database(const struct scenario *scenario, pdb_error *error)
{
    static struct options options;
    static struct summary summary;
    options_for(scenario, &options);
    return verify(scenario->puzzle, &options, &summary, error);
}

/* All that is done with a database, a step at a time. */
static void try_database(struct scenario *scenario)
{
    pdb_error error;
    cr_assert(load(scenario->name, &scenario->puzzle, &error) == PDB_OK, "%s", error.message);
    try_all(make_database, scenario);
    cr_assert(make_database(scenario, &error) == PDB_OK, "%s", error.message);
    scenario->method = PDB_DATABASE;
    try_all(open_and_ask, scenario);
    try_all(verify_database, scenario);
    pdb_puzzle_free(scenario->puzzle);
}

Test(allocation, databases)
{
    struct scenario scenarios[] = {{.name = SMALL, .whole = true},         {.name = "8-flip-3x3", .whole = true},
                                   {.name = "knights", .whole = true},     {.name = "guarini", .whole = true},
                                   {.name = "triangle-15", .whole = true}, {.name = PANCAKES, .whole = true},
                                   {.name = SIDING, .whole = true},        {.name = LONG_ROW, .whole = true},
                                   {.name = RINGS, .whole = true}}; /* two bytes a state, a state a layer */
    for (size_t i = 0; i < COUNT(scenarios); i++)
        try_database(&scenarios[i]);
}

Test(allocation, keyed_database)
{
    try_database(&(struct scenario){.name = NARROW_LOT, .whole = true});
    try_database(&(struct scenario){.name = PARKING_LOT, .whole = true});
    try_database(&(struct scenario){.name = COINS, .whole = true});
}

#define EIGHT_EASY                                                                                                     \
    "puzzle: easy\nfamily: slide\ngoal: |\n  1 2 3 4\n  5 6 7 8\n  9 a b c\n  d e f .\n"                               \
    "boards:\n  start: |\n    1 2 3 4\n    5 6 7 8\n    9 a b c\n    . d e f\n"

Test(allocation, pattern_database)
{
    try_database(&(struct scenario){.name = EIGHT_EASY, .memory = 1 << 18});
}

/* -- ranks -- */

/* One of several processes that make a database together. */
struct maker {
    struct ranks ranks;
    const struct scenario *scenario;
    pdb_status status;
    pdb_error error;
};

static void *make_as_rank(void *context)
{
    struct maker *maker = context;
    struct options options;
    struct summary summary;
    allocations_spare(maker->ranks.rank != maker->scenario->failing);
    options_for(maker->scenario, &options);
    options.ranks = &maker->ranks;
    maker->status = generate(maker->scenario->puzzle, &options, &summary, &maker->error);
    return NULL;
}

/* All end, and with the same words. */
static pdb_status make_together(const struct scenario *scenario, pdb_error *error)
{
    enum { SIZE = 3 };
    struct maker maker[SIZE];
    for (unsigned rank = 0; rank < SIZE; rank++)
        maker[rank] = (struct maker){.scenario = scenario};
    ranks_together(SIZE, make_as_rank, maker, sizeof *maker);
    for (unsigned rank = 1; rank < SIZE; rank++) {
        EXPECT_NUMBER(maker[rank].status, maker[0].status);
        if (maker[0].status != PDB_OK)
            EXPECT_TEXT(maker[rank].error.message, maker[0].error.message);
    }
    if (error != NULL)
        *error = maker[0].error;
    return maker[0].status;
}

#define ONE_WAY_COSTS                                                                                                  \
    "puzzle: costs\nfamily: rules\nsets: {disk: 1..3, peg: [A, B, C]}\nstate:\n  on[disk]: peg\nstart: {on: A}\n"      \
    "moves:\n- name: disk {d} to {to}\n  for: {d: disk, to: peg}\n"                                                    \
    "  if: all(on[e] != on[d] and on[e] != to for e in disk if e < d) and (d > 1 or to != A)\n"                        \
    "  do: on[d] = to\n  cost: 4 - d\ngoal: all(on[d] == C for d in disk)\n"
#define WIDE                                                                                                           \
    "puzzle: wide\nfamily: rules\nstate:\n  at[1..35]: 0..3\nstart: {at: 0}\nmoves:\n- name: press {p}\n"              \
    "  for: {p: 1..2}\n  do: at[p] = 3 - at[p]\ngoal: at[1] == 3\n"

/* By words, by index, by index and keys over moves, by keys; whichever rank it is whose memory runs out. */
Test(allocation, ranks)
{
    struct scenario scenarios[] = {
        {.name = SMALL},  {.name = "guarini"},   {.name = "8-flip-3x3"},       {.name = ONE_WAY_COSTS},
        {.name = SIDING}, {.name = PARKING_LOT}, {.name = "wolf-goat-cabbage"}};
    for (unsigned i = 0; i < 2 * COUNT(scenarios); i += short_step(7)) {
        struct scenario *scenario = &scenarios[i / 2];
        scenario->failing = i % 2;
        try_puzzles(make_together, scenario, 1);
    }
}

/* What ranks refuse after some of them have run out of memory. */
static pdb_status refuse_together(const struct scenario *scenario, pdb_error *error)
{
    const pdb_status status = make_together(scenario, error);
    return status == PDB_TOO_LARGE ? PDB_OK : status;
}

Test(allocation, refusals_of_ranks)
{
    struct scenario scenario = {.name = WIDE, .failing = 1};
    try_puzzles(refuse_together, &scenario, 1);
}

/* -- checkpoints -- */

/* A generation that is stopped at once, and one that goes on from there. */
static pdb_status stop_and_go_on(const struct scenario *scenario, pdb_error *error)
{
    sigset_t interrupt, before;
    const struct timespec at_once = {0};
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, &before);
    raise(SIGINT);
    pdb_status status = make_database(scenario, error);
    sigtimedwait(&interrupt, NULL, &at_once);
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (status == PDB_INTERRUPTED)
        status = make_database(scenario, error);
    return status;
}

Test(allocation, checkpoints)
{
    struct scenario scenarios[] = {{.name = "knights"}, {.name = "triangle-15"}};
    try_puzzles(stop_and_go_on, scenarios, COUNT(scenarios) / short_step(2));
}

/* -- the checker -- */

static pdb_status check_rules(const struct scenario *scenario, pdb_error *error)
{
    struct check_report report;
    const struct check_limits limits = {.moves = 2000, .threads = 1};
    return check_puzzle(scenario->puzzle->moves, &limits, &report, error);
}

Test(allocation, checker)
{
    struct scenario scenarios[] = {{.name = SMALL}, {.name = SIDING}, {.name = PANCAKES}};
    try_puzzles(check_rules, scenarios, COUNT(scenarios));
}
