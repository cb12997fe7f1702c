/* test_explore.c -- finding the states of puzzles of keys: threads, memory, interrupts, and boards to begin from */
#include "tests/families/slide/far_model.h"

#include "pdb.h"
#include "lib/search/space/explore.h"
#include "lib/search/space/keyed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_threads(const struct puzzle *base)
{
    struct solved one, solved;
    struct puzzle *first = explored(base, 1);
    solve(first, 1, &one);
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct puzzle *space = explored(base, threads);
        cr_assert(space->states == first->states);
        for (uint64_t i = 0; i < space->states; i++)
            cr_assert(keys_at(keyed_keys(space), i) == keys_at(keyed_keys(first), i), "%u threads: key %llu", threads,
                      (unsigned long long)i);
        solve(space, threads, &solved);
        cr_assert(solved.memory.size == one.memory.size &&
                      memcmp(solved.memory.bytes, one.memory.bytes, one.memory.size) == 0,
                  "%u threads: other distances", threads);
        solved_free(&solved);
        keyed_free(space);
    }
    solved_free(&one);
    keyed_free(first);
}

Test(explore, threads)
{
    static const char *const names[] = {"klotski", "klotski-slide", "rush-hour"};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct puzzle *base = built_in(names[i]);
        check_threads(base);
        puzzle_free(base);
    }
}

static bool stop_soon(void *context, uint64_t found, uint64_t expanded)
{
    cr_assert(found >= expanded);
    return ++*(int *)context < 3;
}

Test(explore, too_little_memory_and_interrupts)
{
    static const uint64_t memory[] = {0, 1000, 1 << 16, 1 << 19, (1 << 19) + 10000};
    struct puzzle *base = built_in("klotski");
    struct keys *keys = NULL;
    for (size_t i = 0; i < COUNT(memory); i++) {
        pdb_error error = {.status = PDB_OK};
        cr_expect(explore(base, 2, memory[i], NULL, NULL, &keys, &error) == PDB_TOO_LARGE &&
                      error.status == PDB_TOO_LARGE,
                  "%llu bytes", (unsigned long long)memory[i]);
        cr_expect(strstr(error.message, "klotski") != NULL && is_utf8_line(error.message), "%s", error.message);
    }
    int calls = 0;
    pdb_error error = {.status = PDB_OK};
    cr_expect(explore(base, 2, EXPLORE_PLENTY, stop_soon, &calls, &keys, &error) == PDB_INTERRUPTED &&
              error.status == PDB_INTERRUPTED);
    EXPECT_NUMBER(calls, 3);
    cr_expect(keys == NULL);
    puzzle_free(base);
}

static char directory[200];

static void begin_directory(void)
{
    make_directory(directory);
}

static void end_directory(void)
{
    remove_directory(directory);
}

/* The program says so too. */
Test(explore, generator_with_too_little_memory, .init = begin_directory, .fini = end_directory)
{
    const char *program = getenv("PDB_GEN");
    char command[2000];
    cr_assert(program != NULL, "PDB_GEN has to be the path of pdb-gen");
    snprintf(command, sizeof command,
             "'%s' -q --memory 100K -d '%s' klotski >'%s/out' 2>&1; echo $? >>'%s/out'; grep -q memory '%s/out'",
             program, directory, directory, directory, directory);
    cr_expect(system(command) == 0, "%s", command);
    snprintf(command, sizeof command, "test \"$(tail -n 1 '%s/out')\" != 0 && ! ls '%s' | grep -q klotski", directory,
             directory);
    cr_expect(system(command) == 0, "%s", command);
}

Test(explore, no_named_board)
{
    static const struct far_spec klotski = {.board = "A B B C/A B B C/D E E F/D G H F/I . . J",
                                            .goal = "* * * */* * * */* * * */* B B */* B B *",
                                            .large = "ABCDEF",
                                            .alike = {"ACDF", "GHIJ"}};
    struct puzzle *puzzle = far_keyed_puzzle(&klotski, NULL);
    struct keys *keys = NULL;
    pdb_solver *solver = NULL;
    pdb_error error = {.status = PDB_OK};
    cr_expect(explore(puzzle, 1, EXPLORE_PLENTY, NULL, NULL, &keys, &error) == PDB_TOO_LARGE);
    cr_expect(strstr(error.message, "'boards'") != NULL && is_utf8_line(error.message), "%s", error.message);
    const pdb_options options = {.method = PDB_SEARCH, .whole = true, .threads = 1};
    const pdb_puzzle asked = catalog_with_moves(puzzle);
    cr_expect(pdb_solver_open(&asked, &options, &solver, &error) == PDB_NO_DATABASE && solver == NULL);
    cr_expect(strstr(error.message, "'boards'") != NULL, "%s", error.message);
    puzzle_free(puzzle);
}

/* The same where the library takes keys by itself: pieces of two cells on a large board, more than a million ways for
 * them to stand. */
Test(explore, too_many_blocks_and_no_named_board)
{
    static const struct far_spec spec = {
        .board = "A A B B . ./. . . . C C/D . . . . ./D . . E . ./. . . E F F/. . . . . .",
        .goal = "* * * * * */* * * * * */* * * * * */* * * * * */* * * * A A/* * * * * *",
        .large = "ABCDEF"};
    static const char *const starts[] = {"A A B B . ./. . . . C C/D . . . . ./D . . E . ./. . . E F F/. . . . . .",
                                         NULL};
    struct keys *keys = NULL;
    pdb_error error = {.status = PDB_OK};
    struct puzzle *puzzle = far_puzzle(&spec, NULL);
    cr_assert(puzzle->keyed);
    cr_expect(explore(puzzle, 1, EXPLORE_PLENTY, NULL, NULL, &keys, &error) == PDB_TOO_LARGE &&
                  strstr(error.message, "'boards'") != NULL,
              "%s", error.message);
    puzzle_free(puzzle);
    puzzle = far_puzzle(&spec, starts);
    cr_assert(puzzle->keyed);
    cr_expect(explore(puzzle, 2, 1 << 23, NULL, NULL, &keys, &error) == PDB_TOO_LARGE &&
                  strstr(error.message, "do not fit") != NULL,
              "%s", error.message);
    puzzle_free(puzzle);
}
