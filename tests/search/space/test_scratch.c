/* test_scratch.c -- layers whose planes lie in a file: the same as in memory to the last byte, with little memory and
 * with much, after kills, and never from a file that is not what was written */
#include "tests/support/layer_ways.h"
#include "lib/file.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* -- what the system refuses on request -- */

static long writes_until_full = -1; /* -1: it never is */
static bool no_threads;

/* NOLINTBEGIN(*-reserved-identifier,cert-dcl*): names that the linker gives */
int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context)
{
    return no_threads ? EAGAIN : __real_pthread_create(thread, attributes, run, context);
}

ssize_t __real_pwrite64(int file, const void *bytes, size_t size, off_t offset);
ssize_t __wrap_pwrite64(int file, const void *bytes, size_t size, off_t offset);
ssize_t __wrap_pwrite64(int file, const void *bytes, size_t size, off_t offset)
{
    if (writes_until_full == 0) {
        errno = ENOSPC;
        return -1;
    }
    writes_until_full -= writes_until_full > 0;
    /* A write may come out short. */
    return __real_pwrite64(file, bytes, size > 4096 ? size / 2 : size, offset);
}
/* NOLINTEND(*-reserved-identifier,cert-dcl*) */

/* -- puzzles and searches -- */

#define HEAD "puzzle: t\nfamily: slide\n"

/* Coloured and not; of both parities and of one; a pair that is alike; pieces; several goals; few slabs and many. */
static const char *const yamls[] = {
    HEAD "goal: 1 2 3/4 5 6/7 8 .\n",
    HEAD "goal: 1 2 3 4 5/6 7 8 9 .\n",
    HEAD "goal: 1 2 3 4 5/6 7 3 9 .\n",
    HEAD "goal: '1 # 2 3/4 5 6 ./7 # 8 9'\nmetric: slide\n",
    HEAD "goal: A A 1/2 3 4/5 6 7/8 . .\npieces: [A A]\n",
    HEAD "board: 1 2 3/4 5 6/7 8 .\ngoal: '* * */* * */* * .'\n",
};

struct file {
    FILE *stream;
    struct scratch_file scratch;
};

static struct file open_file(void)
{
    struct file file = {.stream = tmpfile()};
    cr_assert(file.stream != NULL);
    file.scratch = (struct scratch_file){.file = fileno(file.stream), .path = "the file"};
    return file;
}

/* A plan for so many bytes; plan.runs is NULL where that is too little. */
static struct retrograde_plan plan_in(const struct puzzle *puzzle, uint64_t bytes, unsigned threads)
{
    struct retrograde_plan plan;
    cr_assert(retrograde_plan(RETROGRADE_BEST, puzzle, threads, &plan, NULL) == PDB_OK);
    cr_assert(retrograde_plan_scratch(bytes, NULL, &plan, NULL) == PDB_OK);
    cr_assert(plan.runs == NULL || plan.memory <= bytes);
    return plan;
}

/* The least memory that a plan needs, to some hundred bytes; and with room for all planes. */
static uint64_t least_memory(const struct puzzle *puzzle, unsigned threads, uint64_t *most)
{
    uint64_t low = 0, high = plan_of(RETROGRADE_BEST, puzzle, threads).memory + (4 << 20);
    *most = high;
    while (high - low > 500) {
        const uint64_t middle = (low + high) / 2;
        struct retrograde_plan plan = plan_in(puzzle, middle, threads);
        *(plan.runs != NULL ? &high : &low) = middle;
        retrograde_plan_free(&plan);
    }
    return high;
}

static struct retrograde *begin_in(const struct puzzle *puzzle, const struct file *file, uint64_t bytes,
                                   unsigned threads, bool resuming)
{
    struct retrograde_plan plan = plan_in(puzzle, bytes, threads);
    struct retrograde *search = NULL;
    pdb_error error;
    cr_assert(plan.runs != NULL);
    plan.scratch = file->scratch;
    plan.resuming = resuming;
    cr_assert(retrograde_begin(&plan, &search, &error) == PDB_OK, "%s", error.message);
    return search;
}

/* What is kept of a search. */
struct kept {
    size_t count;
    struct memory_part part[RETROGRADE_PARTS_MAX];
};

static void drop(struct kept *kept)
{
    for (size_t i = 0; i < kept->count; i++)
        free(kept->part[i].bytes);
    kept->count = 0;
}

static void keep(struct retrograde *search, struct kept *kept)
{
    struct memory_part parts[RETROGRADE_PARTS_MAX];
    cr_assert(retrograde_settle(search, NULL) == PDB_OK);
    drop(kept);
    kept->count = retrograde_parts(search, parts);
    for (size_t i = 0; i < kept->count; i++) {
        kept->part[i] = (struct memory_part){checked_memory(parts[i].size, 1), parts[i].size};
        memcpy(kept->part[i].bytes, parts[i].bytes, parts[i].size);
    }
    retrograde_kept(search);
}

/* Fills a search with what was kept of another one. */
static bool resume(struct retrograde *search, const struct kept *kept)
{
    struct memory_part parts[RETROGRADE_PARTS_MAX];
    cr_assert(retrograde_parts(search, parts) == kept->count);
    for (size_t i = 0; i < kept->count; i++) {
        cr_assert(parts[i].size == kept->part[i].size);
        memcpy(parts[i].bytes, kept->part[i].bytes, parts[i].size);
    }
    return retrograde_resume(search, &(pdb_status){PDB_OK});
}

/* Are all bytes those of a search in memory? */
static void expect_bytes(const struct retrograde_result *result, const uint8_t *expected, const char *what)
{
    const uint64_t bytes = encoding_bytes(result->encoding, result->states);
    pdb_error error;
    for (uint64_t at = 0, run; at < bytes; at += run) {
        const uint8_t *made = result->source.at(result->source.context, at, &run, &error);
        cr_assert(made != NULL, "%s", error.message);
        cr_assert(run > 0 && at + run <= bytes && memcmp(made, expected + at, run) == 0, "%s", what);
    }
}

/* Is the outcome of a search in a file that of the search in memory? Ends it. */
static void expect_same(struct retrograde *search, const struct outcome *expected, const char *what)
{
    struct retrograde_result result;
    const struct retrograde_result *other = &expected->result;
    pdb_error error;
    retrograde_finish(search, &result);
    cr_assert(result.bytes == NULL);
    cr_expect(result.encoding == other->encoding && result.reachable == other->reachable &&
                  result.depths == other->depths && result.hardest_kept == other->hardest_kept &&
                  memcmp(result.histogram, other->histogram, result.depths * sizeof *result.histogram) == 0 &&
                  memcmp(result.hardest, other->hardest, result.hardest_kept * sizeof *result.hardest) == 0,
              "%s", what);
    const uint64_t bytes = encoding_bytes(result.encoding, result.states);
    expect_bytes(&result, other->bytes, what);
    for (uint64_t i = 0, run; i < 20; i++) { /* in another order, too */
        const uint64_t at = i * 7919 * 7919 % bytes;
        cr_assert(*result.source.at(result.source.context, at, &run, &error) == other->bytes[at]);
    }
    retrograde_free(search);
}

static pdb_status layer(struct retrograde *search, bool *done, pdb_error *error)
{
    return retrograde_layer(search, NULL, NULL, done, error);
}

/* -- with much memory and with little -- */

Test(scratch, the_same_as_in_memory)
{
    for (size_t i = 0; i < COUNT(yamls); i++) {
        struct puzzle *puzzle = make_puzzle(yamls[i]);
        struct outcome expected = run_search(RETROGRADE_BEST, puzzle, 1);
        uint64_t most;
        const uint64_t least = least_memory(puzzle, 1, &most);
        for (unsigned run = 0; run < 4; run++) {
            if ((4 * i + run) % short_step(3) != 0)
                continue;
            const unsigned threads = run == 3 ? 3 : 1;
            struct file file = open_file();
            const uint64_t bytes = run == 0 ? least : run == 1 ? (least + most) / 2 : most + (threads << 20);
            struct retrograde *search = begin_in(puzzle, &file, bytes, threads, false);
            no_threads = run == 1;
            for (bool done = false; !done;)
                cr_assert(layer(search, &done, NULL) == PDB_OK);
            expect_same(search, &expected, yamls[i]);
            no_threads = false;
            fclose(file.stream);
        }
        retrograde_free(expected.search);
        puzzle_free(puzzle);
    }
}

/* Where the disk has no room for all, the file shrinks while the outcome is handed out, and not before. */
Test(scratch, shrinks_while_it_is_handed_out)
{
    struct puzzle *puzzle = make_puzzle(yamls[1]);
    struct outcome expected = run_search(RETROGRADE_BEST, puzzle, 1);
    struct file file = open_file();
    struct retrograde_result result;
    struct stat before, after;
    uint64_t most;
    file.scratch.drops = true;
    struct retrograde *search = begin_in(puzzle, &file, least_memory(puzzle, 1, &most), 1, false);
    for (bool done = false; !done;)
        cr_assert(layer(search, &done, NULL) == PDB_OK);
    retrograde_finish(search, &result);
    for (int i = 0; i < 2; i++)
        expect_bytes(&result, expected.result.bytes, "before it is handed out");
    cr_assert(fstat(file.scratch.file, &before) == 0);
    retrograde_hand_out(search);
    expect_bytes(&result, expected.result.bytes, "handed out");
    cr_assert(fstat(file.scratch.file, &after) == 0);
    cr_expect(after.st_blocks < before.st_blocks / 4, "%lld of %lld blocks", (long long)after.st_blocks,
              (long long)before.st_blocks);
    retrograde_free(search);
    fclose(file.stream);
    retrograde_free(expected.search);
    puzzle_free(puzzle);
}

/* What is said beforehand: what little memory reads and writes a layer, and much does not. */
Test(scratch, needs_are_foreseen)
{
    struct puzzle *puzzle = make_puzzle(yamls[1]);
    uint64_t most;
    const uint64_t least = least_memory(puzzle, 1, &most);
    struct retrograde_plan little = plan_in(puzzle, least, 1), much = plan_in(puzzle, most, 1);
    const struct scratch_needs one = retrograde_scratch_needs(&little), other = retrograde_scratch_needs(&much);
    cr_expect(one.read > 0 && one.written > 0 && one.read < 4 * one.file && one.written <= one.file);
    cr_expect(other.read == 0 && other.written == 0);
    retrograde_plan_free(&little);
    retrograde_plan_free(&much);
    puzzle_free(puzzle);
}

/* Of how much would do, no byte can be spared; on a board whose frames, with more, lie in large pages, too. */
Test(scratch, what_is_said_to_do_does)
{
    static const char *const boards[] = {HEAD "goal: 1 2 3 4 5/6 7 8 9 .\n", HEAD "goal: 1 2 3 4/5 6 7 8/9 10 11 .\n"};
    for (size_t i = 0; i < COUNT(boards); i++) {
        struct puzzle *puzzle = make_puzzle(boards[i]);
        struct retrograde_plan none = plan_in(puzzle, 0, 1), does = plan_in(puzzle, none.scratch_least, 1),
                               short_of_one = plan_in(puzzle, none.scratch_least - 1, 1);
        cr_expect(none.runs == NULL && does.runs != NULL && short_of_one.runs == NULL, "%s", boards[i]);
        retrograde_plan_free(&none);
        retrograde_plan_free(&does);
        retrograde_plan_free(&short_of_one);
        puzzle_free(puzzle);
    }
}

/* Pieces that are alike have groups of several sizes; fewer than eight things have slabs that end within a byte. */
Test(scratch, what_cannot_be_cut)
{
    static const char *const none[] = {HEAD "goal: A A B/B C C/D D .\n", HEAD "goal: 1 2 3 4/5 6 7 .\n"};
    for (size_t i = 0; i < COUNT(none); i++) {
        struct puzzle *puzzle = make_puzzle(none[i]);
        const uint64_t memory = plan_of(RETROGRADE_BEST, puzzle, 1).memory;
        struct retrograde_plan plan = plan_in(puzzle, memory, 1);
        cr_expect(plan.runs == NULL && plan.memory == memory);
        retrograde_plan_free(&plan);
        puzzle_free(puzzle);
    }
}

/* -- kills and interruptions -- */

static bool stop_at_once(void *context, const struct retrograde_progress *progress)
{
    (void)context;
    (void)progress;
    return false;
}

/* Every few layers a search is killed some layers after something was kept of it, midway in one; another one goes on in
 * the same file. */
Test(scratch, goes_on_after_kills)
{
    for (size_t i = 1; i < 3; i++) {
        struct puzzle *puzzle = make_puzzle(yamls[i]);
        struct outcome expected = run_search(RETROGRADE_BEST, puzzle, 1);
        struct file file = open_file();
        struct kept kept = {0};
        uint64_t most;
        const uint64_t least = least_memory(puzzle, 1, &most);
        struct retrograde *search = begin_in(puzzle, &file, least, 1, false);
        unsigned crowded = 0, layers = 0;
        keep(search, &kept);
        for (bool done = false; !done; layers++) {
            cr_assert(layer(search, &done, NULL) == PDB_OK);
            crowded += retrograde_crowded(search);
            if (retrograde_crowded(search) || layers % 5 == 0)
                keep(search, &kept);
            if (layers % 7 != 3 || done)
                continue;
            const uint64_t depth = retrograde_progress(search).depth;
            if (layers % 2 == 0)
                cr_expect(retrograde_layer(search, stop_at_once, NULL, &done, NULL) == PDB_INTERRUPTED);
            if (layers % 4 == 3) { /* what an interrupted one has found is kept, too */
                keep(search, &kept);
                retrograde_free(search);
            } else {
                retrograde_free(search);
            }
            search = begin_in(puzzle, &file, least, 1, true);
            cr_assert(resume(search, &kept), "%s", yamls[i]);
            cr_expect(retrograde_progress(search).depth <= depth);
        }
        cr_expect(crowded > 0 && layers > 20, "crowded %u times in %u layers\n%s", crowded, layers, yamls[i]);
        expect_same(search, &expected, yamls[i]);
        drop(&kept);
        fclose(file.stream);
        retrograde_free(expected.search);
        puzzle_free(puzzle);
    }
}

/* -- a disk that is full, and a file that is not what was written -- */

Test(scratch, a_full_disk_costs_what_was_not_kept)
{
    struct puzzle *puzzle = make_puzzle(yamls[1]);
    struct outcome expected = run_search(RETROGRADE_BEST, puzzle, 1);
    struct file file = open_file();
    struct kept kept = {0};
    uint64_t most;
    const uint64_t least = least_memory(puzzle, 1, &most);
    struct retrograde *search = begin_in(puzzle, &file, least, 1, false);
    pdb_error error;
    unsigned full = 0;
    keep(search, &kept);
    for (bool done = false; !done;) {
        writes_until_full = 20 * (long)(1 + full);
        pdb_status status = layer(search, &done, &error);
        if (status == PDB_OK && retrograde_settle(search, &error) == PDB_OK) {
            writes_until_full = -1;
            keep(search, &kept);
            continue;
        }
        cr_assert(error.status == PDB_IO && strstr(error.message, "cannot write the file: No space") != NULL, "%s",
                  error.message);
        full++;
        writes_until_full = -1;
        retrograde_free(search);
        search = begin_in(puzzle, &file, least, 1, true);
        cr_assert(resume(search, &kept));
        done = false;
    }
    cr_expect(full > 0);
    expect_same(search, &expected, "after a full disk");
    drop(&kept);
    fclose(file.stream);
    retrograde_free(expected.search);
    puzzle_free(puzzle);
}

/* A byte of what is kept is changed, or the file is cut short: a later search does not go on from it, and one that is
 * at work says so when it reads it. */
Test(scratch, damage_is_found)
{
    struct puzzle *puzzle = make_puzzle(yamls[1]);
    uint64_t most;
    const uint64_t least = least_memory(puzzle, 1, &most);
    for (int how = 0; how < 3; how++) {
        struct file file = open_file();
        struct kept kept = {0};
        struct retrograde *search = begin_in(puzzle, &file, least, 1, false);
        pdb_error error = {.status = PDB_OK};
        bool done = false;
        for (int i = 0; i < 25; i++)
            cr_assert(layer(search, &done, NULL) == PDB_OK && !done);
        keep(search, &kept);
        const off_t length = lseek(file.scratch.file, 0, SEEK_END);
        for (off_t at = 100; how > 0 && at < length; at += 4096) {
            uint8_t byte;
            cr_assert(pread(file.scratch.file, &byte, 1, at) == 1);
            byte ^= 1;
            cr_assert(__real_pwrite64(file.scratch.file, &byte, 1, at) == 1);
        }
        if (how == 0)
            cr_assert(ftruncate(file.scratch.file, length / 2) == 0);
        if (how == 2) {
            while (layer(search, &done, &error) == PDB_OK)
                cr_assert(!done);
            cr_expect(error.status == PDB_IO && strstr(error.message, "does not have what was written") != NULL);
        }
        retrograde_free(search);
        search = begin_in(puzzle, &file, least, 1, true);
        cr_expect(!resume(search, &kept), "%d", how);
        retrograde_free(search);
        drop(&kept);
        fclose(file.stream);
    }
    puzzle_free(puzzle);
}
