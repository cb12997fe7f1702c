/* test_threads.c -- many threads ask one solver, and all hear what one thread alone hears
 *
 * One puzzle for every way that distances are kept or found. The environment variable PDB_GEN has pdb-gen's path. It is
 * a program without Criterion and without processes of its own, so that ThreadSanitizer can watch it (run-tests does
 * that).
 */
#include "pdb.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { THREADS = 8, MOST_QUESTIONS = 24 };

struct subject {
    const char *puzzle;
    const char *options; /* for pdb-gen; NULL: no database is made */
    pdb_method method;
    unsigned questions;
};

static const struct subject subjects[] = {
    {"8-puzzle", "", PDB_DATABASE, 24},            /* a bit a state */
    {"guarini", "", PDB_DATABASE, 24},             /* two, as there is no state for some indices */
    {"diagonal-slide", "", PDB_DATABASE, 24},      /* residues modulo 3 */
    {"hoppers", "", PDB_DATABASE, 24},             /* distances, directed */
    {"rush-hour", "", PDB_DATABASE, 24},           /* a table of keys */
    {"four-fours", "", PDB_DATABASE, 24},          /* no moves */
    {"mastermind", "", PDB_DATABASE, 24},          /* no moves */
    {"tiles-3x4", "--memory=1M", PDB_DATABASE, 2}, /* searched with a pattern database */
    {"hoppers", NULL, PDB_AUTO, 24},               /* solved in memory */
    {"8-puzzle", NULL, PDB_SEARCH, 4},             /* searches without a database */
    {"pancakes-8", NULL, PDB_SEARCH, 4},
    {"lights-out-4x4", NULL, PDB_SEARCH, 4},
    {"knights", NULL, PDB_SEARCH, 2},
};

static char directory[200];

static void remove_directory(void)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    if (system(command) != 0)
        fprintf(stderr, "test_threads: %s: is left behind\n", directory);
}

/* Under $TMPDIR, and gone however this ends. */
static void make_directory(void)
{
    const char *base = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%.150s/pdb-threads-XXXXXX", base != NULL ? base : "/tmp");
    if (mkdtemp(directory) == NULL || atexit(remove_directory) != 0) {
        fprintf(stderr, "test_threads: %s: cannot be made\n", directory);
        exit(EXIT_FAILURE);
    }
}

static void end(const char *what, const char *why)
{
    fprintf(stderr, "test_threads: %s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

/* -- what a solver says to a question, as one number -- */

static uint64_t add_bytes(uint64_t digest, const void *bytes, size_t size) /* FNV-1a */
{
    for (size_t i = 0; i < size; i++)
        digest = (digest ^ ((const uint8_t *)bytes)[i]) * 1099511628211u;
    return digest;
}

static uint64_t add_text(uint64_t digest, const char *text)
{
    return add_bytes(digest, text, strlen(text) + 1);
}

static uint64_t add_move(uint64_t digest, const pdb_move *move)
{
    digest = add_text(digest, move->text);
    digest = add_bytes(digest, &move->board, sizeof move->board);
    return add_bytes(digest, &move->distance, sizeof move->distance);
}

/* Of a puzzle with moves: a board chosen by the number, all about it, and the number-th of the hardest if it is
 * kept. */
static uint64_t ask_board(const pdb_solver *solver, unsigned number)
{
    pdb_error error;
    pdb_board board[2];
    pdb_solution solution;
    uint32_t distance[2];
    char count[PDB_COUNT_MAX];
    if (pdb_solver_random(solver, PDB_NO_DISTANCE, number + 1, &board[0], &distance[0], &error) != PDB_OK ||
        pdb_solver_solve(solver, &board[0], PDB_WANT_MOVES | PDB_WANT_PATH, &solution, &error) != PDB_OK)
        end("a board", error.message);
    if (solution.distance != distance[0])
        end("a board", "has two distances");
    uint64_t digest = add_bytes(number, board, sizeof board[0]);
    for (size_t i = 0; i < solution.moves.count; i++)
        digest = add_move(digest, &solution.moves.move[i]);
    for (uint32_t i = 0; solution.path != NULL && i < solution.distance; i++)
        digest = add_move(digest, &solution.path[i]);
    board[1] = solution.moves.count > 0 ? solution.moves.move[0].board : board[0];
    pdb_solution_free(&solution);
    if (pdb_solver_distance(solver, board, 2, distance, &error) != PDB_OK)
        end("two boards", error.message);
    digest = add_bytes(digest, distance, sizeof distance);
    const pdb_status counted = pdb_solver_count_soon(solver, board, distance[0], count, &error);
    if (counted != PDB_OK && counted != PDB_NO_DATABASE && counted != PDB_TOO_LARGE)
        end("a count", error.message);
    if (counted == PDB_OK)
        digest = add_text(digest, count);
    if (pdb_solver_hardest(solver, number, &board[1], &error) == PDB_OK)
        digest = add_bytes(digest, &board[1], sizeof board[1]);
    return digest;
}

static uint64_t add_fact(uint64_t digest, const pdb_fact *fact)
{
    digest = add_text(digest, fact->name);
    digest = add_bytes(digest, &fact->mean, sizeof fact->mean);
    if (fact->text != NULL)
        digest = add_text(digest, fact->text);
    for (size_t i = 0; i < fact->count; i++)
        digest = add_text(digest, fact->texts[i]);
    return digest;
}

static uint64_t ask_item(const pdb_solver *solver, unsigned number)
{
    pdb_error error;
    char text[PDB_TEXT_MAX];
    uint32_t distance;
    pdb_reply reply;
    if (pdb_solver_random_item(solver, PDB_NO_DISTANCE, number + 1, text, &distance, &error) != PDB_OK ||
        pdb_solver_ask(solver, text, PDB_WANT_PATH | PDB_WANT_COUNT, &reply, &error) != PDB_OK)
        end("an item", error.message);
    if (reply.distance != distance)
        end(text, "has two distances");
    uint64_t digest = add_text(number, text);
    for (size_t i = 0; i < reply.count; i++)
        digest = add_fact(digest, &reply.fact[i]);
    pdb_reply_free(&reply);
    if (pdb_solver_hardest_item(solver, number, text, &error) == PDB_OK)
        digest = add_text(digest, text);
    return digest;
}

/* -- threads -- */

struct crowd {
    const pdb_puzzle *puzzle;
    const pdb_solver *solver;
    unsigned questions;
    uint64_t right[MOST_QUESTIONS];
    pthread_barrier_t begin;
};

struct member {
    struct crowd *crowd;
    pthread_t thread;
    unsigned first, wrong;
};

static uint64_t ask(const pdb_puzzle *puzzle, const pdb_solver *solver, unsigned number)
{
    return pdb_puzzle_enumerated(puzzle) ? ask_item(solver, number) : ask_board(solver, number);
}

static void *ask_all(void *argument)
{
    struct member *member = argument;
    const struct crowd *crowd = member->crowd;
    pthread_barrier_wait(&member->crowd->begin);
    for (unsigned i = 0; i < crowd->questions; i++) {
        const unsigned number = (member->first + i) % crowd->questions;
        member->wrong += ask(crowd->puzzle, crowd->solver, number) != crowd->right[number];
    }
    return NULL;
}

static unsigned run_crowd(struct crowd *crowd)
{
    struct member member[THREADS];
    unsigned wrong = 0;
    pthread_barrier_init(&crowd->begin, NULL, THREADS);
    for (unsigned t = 0; t < THREADS; t++) {
        /* Two at a time begin with the same question. */
        member[t] = (struct member){.crowd = crowd, .first = t / 2 * crowd->questions / (THREADS / 2)};
        if (pthread_create(&member[t].thread, NULL, ask_all, &member[t]) != 0)
            end("threads", "cannot be made");
    }
    for (unsigned t = 0; t < THREADS; t++) {
        pthread_join(member[t].thread, NULL);
        wrong += member[t].wrong;
    }
    pthread_barrier_destroy(&crowd->begin);
    return wrong;
}

/* -- subjects -- */

static void generate(const struct subject *subject)
{
    char command[1000];
    const char *program = getenv("PDB_GEN");
    if (program == NULL)
        end("PDB_GEN", "has to be the path of pdb-gen");
    snprintf(command, sizeof command, "'%s' -q -j1 -d '%s' %s '%s'", program, directory, subject->options,
             subject->puzzle);
    if (system(command) != 0)
        end(command, "failed");
}

static pdb_solver *open_solver(const struct subject *subject, const pdb_puzzle *puzzle)
{
    const pdb_options options = {
        .directory = subject->options != NULL ? directory : "/nonexistent", .method = subject->method, .threads = 1};
    pdb_solver *solver;
    pdb_error error;
    if (pdb_solver_open(puzzle, &options, &solver, &error) != PDB_OK)
        end(subject->puzzle, error.message);
    return solver;
}

static unsigned test(const struct subject *subject)
{
    pdb_puzzle *puzzle;
    pdb_error error;
    if (pdb_puzzle_load(subject->puzzle, &puzzle, &error) != PDB_OK)
        end(subject->puzzle, error.message);
    if (subject->options != NULL)
        generate(subject);
    struct crowd crowd = {.puzzle = puzzle, .questions = subject->questions};
    pdb_solver *solver = open_solver(subject, puzzle);
    for (unsigned i = 0; i < crowd.questions; i++)
        crowd.right[i] = ask(puzzle, solver, i);
    pdb_solver_close(solver);
    crowd.solver = solver = open_solver(subject, puzzle); /* no page of it has been checked yet */
    const unsigned wrong = run_crowd(&crowd);
    pdb_info info;
    pdb_solver_info(solver, &info);
    printf("%s - %s: %s%s%s\n", wrong == 0 ? "ok" : "not ok", subject->puzzle, info.search != NULL ? info.search : "",
           info.search != NULL && info.encoding != NULL ? ", " : "", info.encoding != NULL ? info.encoding : "");
    pdb_solver_close(solver);
    pdb_puzzle_free(puzzle);
    return wrong;
}

int main(void)
{
    const size_t count = sizeof subjects / sizeof *subjects;
    unsigned wrong = 0;
    make_directory();
    printf("1..%zu\n", count);
    for (size_t i = 0; i < count; i++)
        wrong += test(&subjects[i]);
    return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
