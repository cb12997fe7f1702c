/* test_sparse.c -- searching puzzles of keys: threads, memory, and boards to begin from */
#include "tests/families/slide/far_model.h"

#include "pdb.h"
#include "lib/search/space/keyed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_threads(const struct puzzle *base)
{
    struct solved one, solved;
    struct puzzle *first = solve_keys(base, 1, &one);
    for (unsigned threads = 1; threads <= 3; threads++) {
        struct puzzle *space = solve_keys(base, threads, &solved);
        cr_assert(space->states == first->states);
        for (uint64_t i = 0; i < space->states; i++)
            cr_assert(keys_at(keyed_keys(space), i) == keys_at(keyed_keys(first), i), "%u threads: key %llu", threads,
                      (unsigned long long)i);
        cr_assert(solved.memory.size == one.memory.size &&
                      memcmp(solved.memory.bytes, one.memory.bytes, one.memory.size) == 0,
                  "%u threads: other distances", threads);
        solved_free(&solved);
        keyed_free(space);
    }
    solved_free(&one);
    keyed_free(first);
}

/* What becomes of a search with so much memory. */
static pdb_status status_within(const struct puzzle *base, uint64_t memory, retrograde_observer *observer,
                                void *context, pdb_error *error)
{
    struct retrograde_plan plan;
    struct retrograde *search = NULL;
    bool done = false;
    pdb_status status = retrograde_plan_within(memory, base, 2, &plan, error);
    if (status == PDB_OK)
        status = retrograde_begin(&plan, &search, error);
    while (status == PDB_OK && !done)
        status = retrograde_layer(search, observer, context, &done, error);
    retrograde_plan_free(&plan);
    retrograde_free(search);
    return status;
}

Test(sparse, threads)
{
    static const char *const names[] = {"klotski", "klotski-slide", "rush-hour"};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct puzzle *base = built_in(names[i]);
        check_threads(base);
        puzzle_free(base);
    }
}

Test(sparse, too_little_memory)
{
    static const uint64_t memory[] = {0, 1000, 1 << 17, 1 << 18, (1 << 18) + 10000};
    struct puzzle *base = built_in("klotski");
    for (size_t i = 0; i < COUNT(memory); i++) {
        pdb_error error = {.status = PDB_OK};
        cr_expect(status_within(base, memory[i], NULL, NULL, &error) == PDB_TOO_LARGE && error.status == PDB_TOO_LARGE,
                  "%llu bytes", (unsigned long long)memory[i]);
        cr_expect(strstr(error.message, "klotski") != NULL && is_utf8_line(error.message), "%s", error.message);
    }
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
Test(sparse, generator_with_too_little_memory, .init = begin_directory, .fini = end_directory)
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

/* Where no board is named, the one that the definition draws is where the exploring begins. */
Test(sparse, no_named_board)
{
    static const struct far_spec klotski = {.board = "A B B C/A B B C/D E E F/D G H F/I . . J",
                                            .goal = "* * * */* * * */* * * */* B B */* B B *",
                                            .large = "ABCDEF",
                                            .alike = {"ACDF", "GHIJ"}};
    struct puzzle *puzzle = far_keyed_puzzle(&klotski, NULL, true);
    struct solved solved;
    struct puzzle *space = solve_keys(puzzle, 1, &solved);
    EXPECT_NUMBER(space->states, 25955);
    solved_free(&solved);
    keyed_free(space);
    puzzle_free(puzzle);
}

/* The same where the library takes keys by itself: pieces of two cells on a large board, more than a million ways for
 * them to stand. */
Test(sparse, too_many_blocks)
{
    static const struct far_spec spec = {
        .board = "A A B B . ./. . . . C C/D . . . . ./D . . E . ./. . . E F F/. . . . . .",
        .goal = "* * * * * */* * * * * */* * * * * */* * * * * */* * * * A A/* * * * * *",
        .large = "ABCDEF"};
    pdb_error error = {.status = PDB_OK};
    struct puzzle *puzzle = far_puzzle(&spec, NULL);
    cr_assert(puzzle->keyed);
    cr_expect(status_within(puzzle, 1 << 23, NULL, NULL, &error) == PDB_TOO_LARGE &&
                  strstr(error.message, "do not fit") != NULL,
              "%s", error.message);
    puzzle_free(puzzle);
}

/* -- going on another time -- */

/* Lets the search go on for so many looks. */
static bool stop_after(void *context, const struct retrograde_progress *progress)
{
    cr_assert(progress->found >= progress->reached || !progress->finding);
    return (*(int *)context)-- > 0;
}

/* A new search that stands where the old one does, from a copy of its parts. */
static struct retrograde *revived(struct retrograde *search, const struct puzzle *base, unsigned threads)
{
    struct memory_part old[RETROGRADE_PARTS_MAX], new[RETROGRADE_PARTS_MAX];
    uint64_t size[RETROGRADE_PARTS_MAX];
    struct retrograde *other = NULL;
    const size_t count = retrograde_parts(search, old);
    for (size_t i = 0; i < count; i++)
        size[i] = old[i].size;
    cr_assert(retrograde_of(RETROGRADE_BEST, base, threads, &other, NULL) == PDB_OK);
    cr_assert(retrograde_fit(other, size, count) && retrograde_parts(other, new) == count);
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(new[i].size, size[i]);
        if (size[i] > 0)
            memcpy(new[i].bytes, old[i].bytes, size[i]);
    }
    cr_assert(retrograde_resume(other, &(pdb_status){PDB_OK}));
    retrograde_free(search);
    return other;
}

/* Stopped at many moments, in both passes, and gone on from a copy: the same distances. */
static void stop_and_go(struct puzzle *base, unsigned threads)
{
    struct solved straight;
    struct puzzle *space = solve_keys(base, threads, &straight);
    struct retrograde *search = NULL;
    struct retrograde_result result;
    unsigned layers = 0;
    cr_assert(retrograde_of(RETROGRADE_BEST, base, threads, &search, NULL) == PDB_OK);
    for (bool done = false; !done;) {
        int looks = 0;
        const pdb_status status = retrograde_layer(search, stop_after, &looks, &done, NULL);
        cr_assert(status == PDB_OK || status == PDB_INTERRUPTED);
        if (!done && (layers++ % 3 == 0 || status == PDB_INTERRUPTED))
            search = revived(search, base, 3 - threads);
    }
    retrograde_finish(search, &result);
    cr_assert_eq(result.states, space->states);
    cr_assert(memcmp(result.bytes, straight.result.bytes, straight.memory.size) == 0);
    cr_assert(result.hardest_kept == straight.result.hardest_kept &&
              memcmp(result.hardest, straight.result.hardest, result.hardest_kept * sizeof *result.hardest) == 0);
    retrograde_free(search);
    solved_free(&straight);
    keyed_free(space);
    puzzle_free(base);
}

Test(sparse, stop_and_go)
{
    /* Boards that no moves lead from one to another: both have to be set out from. */
    static const struct far_spec far_from = {.board = "1 2 3 . 4", .goal = "2 1 * * *", .slide = true};
    static const char *const starts[] = {"1 2 3 . 4", "2 1 4 3 .", NULL};
    for (unsigned threads = 1; threads <= 2; threads++) {
        stop_and_go(built_in("klotski"), threads);
        stop_and_go(built_in("rush-hour"), threads);
        stop_and_go(far_keyed_puzzle(&far_from, starts, true), threads);
    }
}

/* Parts that are no search's are refused. */
Test(sparse, parts_that_do_not_fit)
{
    struct puzzle *base = built_in("rush-hour");
    struct retrograde *search = NULL;
    struct memory_part parts[RETROGRADE_PARTS_MAX];
    uint64_t size[RETROGRADE_PARTS_MAX];
    bool done = false;
    struct retrograde_plan plan;
    cr_assert(retrograde_plan_within(1 << 24, base, 1, &plan, NULL) == PDB_OK);
    cr_assert(retrograde_begin(&plan, &search, NULL) == PDB_OK);
    for (int i = 0; i < 5; i++)
        cr_assert(retrograde_layer(search, NULL, NULL, &done, NULL) == PDB_OK);
    const size_t count = retrograde_parts(search, parts);
    for (size_t i = 0; i < count; i++)
        size[i] = parts[i].size;
    cr_expect(retrograde_fit(search, size, count) && !retrograde_fit(search, size, count - 1));
    size[2] = 0;
    cr_expect(!retrograde_fit(search, size, count)); /* fewer slots than it has */
    size[2] = 1 << 24;
    cr_expect(!retrograde_fit(search, size, count)); /* more than it is allowed */
    retrograde_free(search);
    cr_assert(retrograde_of(RETROGRADE_BEST, base, 1, &search, NULL) == PDB_OK);
    cr_assert(retrograde_layer(search, NULL, NULL, &done, NULL) == PDB_OK);
    retrograde_parts(search, parts);
    ((uint64_t *)parts[4].bytes)[0] ^= (uint64_t)1 << 62; /* a key that is not in the table */
    cr_expect(!retrograde_resume(search, &(pdb_status){PDB_OK}));
    retrograde_free(search);
    puzzle_free(base);
}
