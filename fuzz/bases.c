/* bases.c -- good databases, and what is asked of spoilt ones */
#include "bases.h"
#include "gen/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name, or the text of a definition; and the memory with which pdb-gen builds patterns instead, if it is to. */
static const struct {
    const char *definition;
    uint64_t memory;
} wanted[] = {
    {"tiles-2x3", 0},   /* mod4-1bit */
    {"8-flip-3x3", 0},  /* residues modulo 3 */
    {"knights", 0},     /* symmetric or coloured, dense */
    {"guarini", 0},     /* some states have no distance */
    {"triangle-15", 0}, /* exact distances, symmetries */
    {"rush-hour", 0},   /* keyed, moves can be undone */
    {"puzzle: long-row\nfamily: peg\njumps: orthogonal\ngoal: ..............1................\n"
     "boards: {start: ............11.1...............}\n",
     0}, /* keyed, moves cannot be undone */
    {"puzzle: siding\nfamily: walk\nplaces: a b c d s x\nboard: E w w . . .\ngoal: '* * * E * *'\n"
     "edges:\n  - a b c d\n  - b s\none-way:\n  - d x a\nboards: {start: E w w . . .}\n",
     0}, /* exact distances */
    {"puzzle: train\nfamily: rules\nstate:\n  at[1..60]: 0..3\nstart: {'at[45]': 1, 'at[50]': 2}\n"
     "goal: at[60] == 2\nmoves:\n- {name: '{p}', for: {p: 40..59}, if: 'at[p] > 0 and at[p + 1] == 0',\n"
     "   do: 'at[p + 1] = at[p], at[p] = 0'}\n"
     "- {name: '-{p}', for: {p: 40..59}, if: 'at[p + 1] > 0 and at[p] == 0',\n"
     "   do: 'at[p] = at[p + 1], at[p + 1] = 0'}\n",
     0},                    /* wide keys */
    {"15-puzzle", 1 << 18}, /* patterns */
    /* trees of questions, where codes are written in one word and in several, and tables of values */
    {"puzzle: bulls\nfamily: guess\nsymbols: 12345\nlength: 3\nstrategy: minimax\n", 0},
    {"puzzle: pegs\nfamily: guess\nsymbols: red green blue\nlength: 4\nrepeats: true\nstrategy: mean\n", 0},
    {"puzzle: five\nfamily: express\ndigits: 3 2\noperators: + - * / power root factorial negate join decimal\n", 0},
    {"puzzle: fewest\nfamily: express\ndigits: 4 4 4\noperators: + - / power join\nuse: fewest\n", 0},
};

size_t base_count(void)
{
    return sizeof wanted / sizeof wanted[0];
}

static void make(struct base *base, size_t number)
{
    struct options options = {.force = true, .quiet = true, .threads = 1};
    static struct summary summary;
    pdb_error error = {.message = ""};
    uint64_t run;
    options.memory = wanted[number].memory != 0 ? wanted[number].memory : 1 << 30;
    options.memory_given = true;
    snprintf(options.directory, sizeof options.directory, "%s/bases", scratch_directory());
    pdb_status status = load_sample(wanted[number].definition, &base->puzzle, &error);
    if (status == PDB_OK)
        status = generate(base->puzzle, &options, &summary, &error);
    if (status == PDB_OK) {
        snprintf(base->path, sizeof base->path, "%s", summary.file);
        status = store_open(base->path, &base->store, &error);
    }
    if (status != PDB_OK)
        fprintf(stderr, "%s\n%s\n", wanted[number].definition, error.message);
    demand(status == PDB_OK, "a base cannot be made");
    const uint64_t bytes = store_header(base->store)->data_bytes;
    base->data = malloc(bytes);
    demand(base->data != NULL, "no memory");
    for (uint64_t at = 0; at < bytes; at += run) {
        const uint8_t *from = store_at(base->store, at, &run, &error);
        demand(from != NULL, "a base cannot be read");
        memcpy(base->data + at, from, run);
    }
    fprintf(stderr, "base %zu: %s, %s, %llu bytes\n", number, base->puzzle->name, store_header(base->store)->encoding,
            (unsigned long long)bytes);
}

static struct base bases[BASES_MAX];

int LLVMFuzzerInitialize(int *argument_count, char ***arguments);
int LLVMFuzzerInitialize(int *argument_count, char ***arguments)
{
    (void)argument_count;
    (void)arguments;
    for (size_t number = 0; number < base_count(); number++)
        make(&bases[number], number);
    return 0;
}

const struct base *base_get(size_t number)
{
    return &bases[number];
}

/* -- questions -- */

void exercise_store(const char *path)
{
    struct store *store;
    pdb_error error = {.message = ""};
    uint64_t run;
    pdb_status status = store_open(path, &store, &error);
    if (status != PDB_OK) {
        demand(status == PDB_DAMAGED && strstr(error.message, path) != NULL, "a file is refused for a strange reason");
        return;
    }
    const uint64_t bytes = store_header(store)->data_bytes;
    for (uint64_t at = 0; at < bytes; at += run)
        if (store_at(store, at, &run, &error) == NULL)
            break;
        else
            demand(run > 0 && run <= bytes - at, "a run of no proper length");
    store_verify(store, &(struct store_task){.threads = 1}, &error);
    store_close(store);
}

/* A search with forged bounds may go on without end: it is stopped. */
static bool go_on(void *context, uint32_t bound, uint64_t nodes)
{
    (void)context;
    (void)bound;
    return nodes < 2000;
}

static void ask_board(const pdb_puzzle *puzzle, const pdb_solver *solver, const pdb_board *board)
{
    enum {
        FAR = 200,
        NEAR = 10
    }; /* paths of forged distances, and counts, beyond these take long and show nothing new */
    pdb_solution solution;
    pdb_error error;
    char text[PDB_TEXT_MAX], count[PDB_COUNT_MAX];
    pdb_board_format(puzzle, board, text);
    pdb_solver_covers(solver, board, &error);
    if (pdb_solver_solve(solver, board, PDB_WANT_MOVES, &solution, &error) == PDB_OK && solution.distance < FAR) {
        const uint32_t distance = solution.distance;
        pdb_move *path = malloc((distance + 1) * sizeof *path);
        demand(path != NULL, "no memory");
        if (pdb_solver_path(solver, board, distance, path, &error) == PDB_OK && distance > 0)
            pdb_board_format(puzzle, &path[distance - 1].board, text);
        free(path);
        if (distance < NEAR)
            pdb_solver_count(solver, board, distance, count, &error);
    }
    pdb_solution_free(&solution);
}

static void ask_question(const pdb_solver *solver, const char *question)
{
    pdb_reply reply = {0};
    pdb_error error;
    pdb_solver_ask(solver, question, PDB_WANT_PATH | PDB_WANT_COUNT, &reply, &error);
    pdb_reply_free(&reply);
}

/* Without moves: its items, in their own words, and histories that do and don't follow the tree. */
static void ask_items(const pdb_solver *solver)
{
    static const char *const questions[] = {"start", "123:0,2", "321:1,1 245:0,1", "red red blue blue:1,1",
                                            "3",     "-7/2"};
    char text[PDB_TEXT_MAX];
    uint32_t distance;
    pdb_error error;
    for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++)
        ask_question(solver, questions[i]);
    for (uint64_t i = 0; i < 100; i += 60)
        if (pdb_solver_hardest_item(solver, i, text, &error) == PDB_OK)
            ask_question(solver, text);
    for (uint64_t i = 0; i < 5; i++)
        if (pdb_solver_random_item(solver, PDB_NO_DISTANCE, i, text, &distance, &error) == PDB_OK)
            ask_question(solver, text);
}

static void ask_boards(const pdb_puzzle *puzzle, const pdb_solver *solver, const pdb_info *info)
{
    pdb_error error;
    pdb_board board;
    uint32_t distance;
    if (pdb_board_parse(puzzle, "start", &board, &error) == PDB_OK)
        ask_board(puzzle, solver, &board);
    if (pdb_board_parse(puzzle, "goal", &board, &error) == PDB_OK)
        ask_board(puzzle, solver, &board);
    for (uint64_t i = 0; i < 100; i += 60)
        if (pdb_solver_hardest(solver, i, &board, &error) == PDB_OK)
            ask_board(puzzle, solver, &board);
    /* It draws until a state fits, up to a hundred times as often as the histogram says: only of common distances. */
    for (uint32_t d = 0; info->histogram != NULL && !puzzle->shown->keyed && d <= info->max && d < 100; d++)
        if (info->histogram[d] > info->states / 8 &&
            pdb_solver_random(solver, d, d, &board, &distance, &error) == PDB_OK)
            ask_board(puzzle, solver, &board);
    if (pdb_solver_random(solver, PDB_NO_DISTANCE, 1, &board, &distance, &error) == PDB_OK)
        ask_board(puzzle, solver, &board);
}

void exercise_solver(const pdb_puzzle *puzzle, const char *directory)
{
    const pdb_options options = {.directory = directory, .method = PDB_DATABASE, .threads = 1, .observe = go_on};
    pdb_solver *solver;
    pdb_error error;
    pdb_info info;
    if (pdb_solver_open(puzzle, &options, &solver, &error) != PDB_OK)
        return;
    pdb_solver_info(solver, &info);
    if (pdb_puzzle_enumerated(puzzle))
        ask_items(solver);
    else
        ask_boards(puzzle, solver, &info);
    pdb_solver_close(solver);
}
