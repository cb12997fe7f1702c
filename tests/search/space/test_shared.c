/* test_shared.c -- layers whose planes are shared out among ranks and lie in a file of each: the same as in memory to
 * the last byte, with little memory and with much, after kills, and never from files that are not what was written */
#include "tests/support/layer_ways.h"
#include "tests/support/rank_threads.h"
#include "lib/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -- a disk that is full on request -- */

static int full_file = -1; /* no more can be written to it */

/* NOLINTBEGIN(*-reserved-identifier,cert-dcl*): names that the linker gives */
ssize_t __real_pwrite64(int file, const void *bytes, size_t size, off_t offset);
ssize_t __wrap_pwrite64(int file, const void *bytes, size_t size, off_t offset);
ssize_t __wrap_pwrite64(int file, const void *bytes, size_t size, off_t offset)
{
    if (file == __atomic_load_n(&full_file, __ATOMIC_RELAXED)) {
        errno = ENOSPC;
        return -1;
    }
    return __real_pwrite64(file, bytes, size, offset);
}
/* NOLINTEND(*-reserved-identifier,cert-dcl*) */

/* -- searches -- */

#define HEAD "puzzle: t\nfamily: slide\n"

/* Coloured and not; of both parities and of one; a pair that is alike; pieces; several goals. */
static const char *const yamls[] = {
    HEAD "goal: 1 2 3 4 5/6 7 8 9 .\n",
    HEAD "goal: 1 2 3 4 5/6 7 3 9 .\n",
    HEAD "goal: '1 # 2 3/4 5 6 ./7 # 8 9'\nmetric: slide\n",
    HEAD "goal: A A 1/2 3 4/5 6 7/8 9 .\npieces: [A A]\n",
    HEAD "board: 1 2 3 4 5/6 7 8 9 .\ngoal: '1 * * * */6 * * * *'\n",
};

/* What is kept of a search, by rank 0. */
struct kept {
    size_t count;
    struct memory_part part[RETROGRADE_PARTS_MAX];
};

struct member {
    struct ranks ranks;
    const struct puzzle *puzzle;
    const struct retrograde_result *expected;
    struct kept *kept;
    uint64_t bytes; /* of memory */
    unsigned threads, kills;
    FILE *stream;
    bool fits, resumed;
    pdb_status status;
    pdb_error error;
    unsigned layers, crowded, differences;
    uint64_t read; /* that a layer is said to read */
};

/* The members of so many ranks, each with a file of its own. */
static void muster(struct member *member, unsigned size, struct member like)
{
    for (unsigned rank = 0; rank < size; rank++) {
        FILE *stream = tmpfile();
        cr_assert(stream != NULL);
        member[rank] = like;
        member[rank].stream = stream;
    }
}

static void dismiss(struct member *member, unsigned size)
{
    for (unsigned rank = 0; rank < size; rank++)
        fclose(member[rank].stream);
}

static void together(unsigned size, void *(*work)(void *), struct member *member)
{
    ranks_together(size, work, member, sizeof *member);
}

static struct retrograde_plan plan_of_rank(struct member *member)
{
    struct retrograde_plan plan;
    if (retrograde_plan(RETROGRADE_BEST, member->puzzle, member->threads, &plan, NULL) != PDB_OK ||
        retrograde_plan_scratch(member->bytes, &member->ranks, &plan, NULL) != PDB_OK)
        abort();
    return plan;
}

static void *measure(void *context)
{
    struct member *member = context;
    struct retrograde_plan plan = plan_of_rank(member);
    member->fits = plan.runs != NULL && plan.memory <= member->bytes;
    retrograde_plan_free(&plan);
    return NULL;
}

/* Memory of the first rank, which also packs what comes out, and of each other one. */
struct allowance {
    uint64_t first, other;
};

static void give_memory(struct member *member, unsigned size, struct allowance memory)
{
    for (unsigned rank = 0; rank < size; rank++)
        member[rank].bytes = rank == 0 ? memory.first : memory.other;
}

/* Does so much do? All say the same. */
static bool fits(const struct puzzle *puzzle, unsigned size, struct allowance memory)
{
    struct member member[RANKS_MOST];
    for (unsigned rank = 0; rank < size; rank++)
        member[rank] = (struct member){.puzzle = puzzle, .threads = 1};
    give_memory(member, size, memory);
    together(size, measure, member);
    for (unsigned rank = 1; rank < size; rank++)
        cr_assert(member[rank].fits == member[0].fits);
    return member[0].fits;
}

/* The least that does, to some kilobytes. */
static struct allowance least_memory(const struct puzzle *puzzle, unsigned size)
{
    const uint64_t most = plan_of(RETROGRADE_BEST, puzzle, 1).memory + (4 << 20);
    struct allowance memory = {most, most};
    for (unsigned i = 0; i < 2; i++) {
        uint64_t low = 0, *high = i == 0 ? &memory.first : &memory.other;
        while (*high - low > 5000) {
            const uint64_t middle = (low + *high) / 2, before = *high;
            *high = middle;
            if (!fits(puzzle, size, memory)) {
                *high = before;
                low = middle;
            }
        }
    }
    return memory;
}

/* Begins, or goes on in its file. */
static struct retrograde *begin(struct member *member, bool resuming)
{
    struct retrograde *search;
    struct retrograde_plan plan = plan_of_rank(member);
    if (plan.runs == NULL || plan.memory > member->bytes)
        abort();
    member->read = retrograde_scratch_needs(&plan).read;
    plan.scratch = (struct scratch_file){.file = fileno(member->stream), .path = "the file"};
    plan.resuming = resuming;
    if (retrograde_begin(&plan, &search, &member->error) != PDB_OK)
        abort();
    return search;
}

static void drop(struct kept *kept)
{
    for (size_t i = 0; i < kept->count; i++)
        free(kept->part[i].bytes);
    kept->count = 0;
}

static void keep(struct member *member, struct retrograde *search)
{
    struct memory_part parts[RETROGRADE_PARTS_MAX];
    struct kept *kept = member->kept;
    if (retrograde_settle(search, NULL) != PDB_OK)
        abort();
    if (member->ranks.rank == 0) {
        drop(kept);
        kept->count = retrograde_parts(search, parts);
        for (size_t i = 0; i < kept->count; i++) {
            kept->part[i] = (struct memory_part){checked_memory(parts[i].size, 1), parts[i].size};
            memcpy(kept->part[i].bytes, parts[i].bytes, parts[i].size);
        }
    }
    retrograde_kept(search);
}

/* Goes on from what is kept; NULL where that is not of this search. */
static struct retrograde *go_on(struct member *member)
{
    struct memory_part parts[RETROGRADE_PARTS_MAX];
    struct retrograde *search = begin(member, true);
    const struct kept *kept = member->kept;
    if (member->ranks.rank == 0 && retrograde_parts(search, parts) != kept->count)
        abort();
    for (size_t i = 0; member->ranks.rank == 0 && i < kept->count; i++) {
        if (parts[i].size != kept->part[i].size)
            abort();
        memcpy(parts[i].bytes, kept->part[i].bytes, parts[i].size);
    }
    member->resumed = retrograde_resume(search, &(pdb_status){PDB_OK});
    if (member->resumed)
        return search;
    retrograde_free(search);
    return NULL;
}

/* Holds the outcome, which rank 0 has, against that of a search in memory; ends the search. */
static void end(struct member *member, struct retrograde *search)
{
    const struct retrograde_result *expected = member->expected;
    struct retrograde_result result;
    retrograde_finish(search, &result);
    if (member->ranks.rank == 0) {
        const uint64_t size = encoding_bytes(expected->encoding, expected->states);
        member->differences += result.bytes != NULL || result.encoding != expected->encoding ||
                               result.reachable != expected->reachable || result.depths != expected->depths ||
                               result.hardest_kept != expected->hardest_kept;
        if (member->differences == 0)
            member->differences += memcmp(result.histogram, expected->histogram,
                                          result.depths * sizeof *result.histogram) != 0 ||
                                   memcmp(result.hardest, expected->hardest,
                                          result.hardest_kept * sizeof *result.hardest) != 0;
        for (uint64_t at = 0, run; member->differences == 0 && at < size; at += run) {
            const uint8_t *made = result.source.at(result.source.context, at, &run, NULL);
            member->differences += made == NULL || memcmp(made, expected->bytes + at, run) != 0;
        }
    }
    retrograde_serve(search);
    retrograde_free(search);
}

static bool stop_rank_1(void *context, const struct retrograde_progress *progress)
{
    (void)progress;
    return ((const struct member *)context)->ranks.rank != 1;
}

/* A search that is killed from time to time, some layers after something was kept of it, or midway in one that one rank
 * has stopped; all go on in their files then. */
static void *search_and_kill(void *context)
{
    struct member *member = context;
    struct retrograde *search = begin(member, false);
    keep(member, search);
    for (bool done = false; !done; member->layers++) {
        if (retrograde_layer(search, NULL, NULL, &done, &member->error) != PDB_OK)
            abort();
        member->crowded += retrograde_crowded(search);
        if (retrograde_crowded(search) || member->layers % 5 == 0)
            keep(member, search);
        if (member->kills == 0 || member->layers % 7 != 3 || done)
            continue;
        member->kills--;
        if (member->layers % 2 == 0 &&
            retrograde_layer(search, stop_rank_1, member, &done, &member->error) != PDB_INTERRUPTED)
            abort();
        if (member->layers % 4 == 2)
            keep(member, search);
        retrograde_free(search);
        search = go_on(member);
        if (search == NULL)
            abort();
    }
    end(member, search);
    return NULL;
}

/* -- with much memory and with little -- */

Test(shared, the_same_as_in_memory)
{
    unsigned crowded = 0;
    for (size_t i = 0; i < COUNT(yamls); i++) {
        struct puzzle *puzzle = make_puzzle(yamls[i]);
        struct outcome expected = run_search(RETROGRADE_BEST, puzzle, 1);
        for (unsigned run = 0; run < 4; run++) {
            if ((4 * i + run) % short_step(3) != 0)
                continue;
            const unsigned size = 2 + run % 2, threads = run == 2 ? 2 : 1;
            const uint64_t most = plan_of(RETROGRADE_BEST, puzzle, threads).memory + (4 << 20);
            struct allowance memory = {most, most};
            if (run < 3)
                memory = least_memory(puzzle, size);
            if (run == 2)
                memory = (struct allowance){(memory.first + most) / 2, (memory.other + most) / 2};
            struct kept kept = {0};
            struct member member[RANKS_MOST];
            muster(member, size,
                   (struct member){.puzzle = puzzle,
                                   .expected = &expected.result,
                                   .kept = &kept,
                                   .threads = threads,
                                   .kills = run < 3 ? 5 : 0});
            give_memory(member, size, memory);
            together(size, search_and_kill, member);
            cr_expect(member[0].differences == 0, "%s, %u ranks, run %u", yamls[i], size, run);
            for (unsigned rank = 0; rank < size; rank++)
                cr_expect((member[rank].read > 0) == (run < 2) || run == 2, "%s, rank %u, run %u", yamls[i], rank, run);
            crowded += member[0].crowded;
            drop(&kept);
            dismiss(member, size);
        }
        retrograde_free(expected.search);
        puzzle_free(puzzle);
    }
    cr_expect(crowded > 0);
}

/* -- files that are not what was written, and other ranks' -- */

static void *make_some_layers(void *context)
{
    struct member *member = context;
    bool done = false;
    struct retrograde *search = begin(member, false);
    for (int i = 0; i < 20; i++) {
        if (retrograde_layer(search, NULL, NULL, &done, &member->error) != PDB_OK || done)
            abort();
        keep(member, search);
    }
    retrograde_free(search);
    return NULL;
}

/* All layers that are left; ends the search. */
static void *try_to_go_on(void *context)
{
    struct member *member = context;
    struct retrograde *search = go_on(member);
    if (search == NULL)
        return NULL;
    for (bool done = false; !done;) {
        if (retrograde_layer(search, NULL, NULL, &done, &member->error) != PDB_OK)
            abort();
        if (retrograde_crowded(search))
            keep(member, search);
    }
    end(member, search);
    return NULL;
}

Test(shared, damage_and_other_numbers_are_found)
{
    struct puzzle *puzzle = make_puzzle(yamls[0]);
    struct outcome expected = run_search(RETROGRADE_BEST, puzzle, 1);
    const struct allowance memory = least_memory(puzzle, 3);
    struct kept kept = {0};
    struct member member[RANKS_MOST];
    for (int how = 0; how < 3; how++) { /* nothing; a byte of the second's file; two ranks go on from what three kept */
        const unsigned size = how == 2 ? 2 : 3;
        muster(member, 3, (struct member){.puzzle = puzzle, .expected = &expected.result, .kept = &kept, .threads = 1});
        give_memory(member, 3, memory);
        together(3, make_some_layers, member);
        for (off_t at = 100; how == 1 && at < lseek(fileno(member[1].stream), 0, SEEK_END); at += 4096) {
            uint8_t byte;
            cr_assert(pread(fileno(member[1].stream), &byte, 1, at) == 1);
            byte ^= 1;
            cr_assert(__real_pwrite64(fileno(member[1].stream), &byte, 1, at) == 1);
        }
        together(size, try_to_go_on, member);
        for (unsigned rank = 0; rank < size; rank++)
            cr_expect(member[rank].resumed == (how == 0), "%d, rank %u", how, rank);
        cr_expect(member[0].differences == 0);
        dismiss(member, 3);
    }
    drop(&kept);
    retrograde_free(expected.search);
    puzzle_free(puzzle);
}

/* -- a disk that is full -- */

static void *search_until_full(void *context)
{
    struct member *member = context;
    bool done = false;
    struct retrograde *search = begin(member, false);
    keep(member, search);
    for (int i = 0; member->status == PDB_OK && !done; i++) {
        if (i == 15)
            __atomic_store_n(&full_file, fileno((member - member->ranks.rank + 1)->stream), __ATOMIC_RELAXED);
        member->status = retrograde_layer(search, NULL, NULL, &done, &member->error);
        if (member->status == PDB_OK && retrograde_crowded(search))
            keep(member, search);
    }
    retrograde_free(search);
    return NULL;
}

Test(shared, a_full_disk_of_one_ends_all)
{
    struct puzzle *puzzle = make_puzzle(yamls[0]);
    struct outcome expected = run_search(RETROGRADE_BEST, puzzle, 1);
    struct kept kept = {0};
    struct member member[RANKS_MOST];
    muster(member, 3, (struct member){.puzzle = puzzle, .expected = &expected.result, .kept = &kept, .threads = 1});
    give_memory(member, 3, least_memory(puzzle, 3));
    together(3, search_until_full, member);
    for (unsigned rank = 0; rank < 3; rank++) {
        cr_expect(member[rank].status == PDB_IO);
        cr_expect(strstr(member[rank].error.message, "cannot write the file: No space") != NULL, "%s",
                  member[rank].error.message);
    }
    full_file = -1;
    together(3, try_to_go_on, member);
    cr_expect(member[0].resumed && member[2].resumed && member[0].differences == 0);
    drop(&kept);
    dismiss(member, 3);
    retrograde_free(expected.search);
    puzzle_free(puzzle);
}
