/* test_ranks_kept.c -- what is kept of searches that are shared out among ranks: others go on from it */
#include "lib/comm/ranks.h"
#include "tests/support/digraph.h"
#include "tests/support/rank_threads.h"
#include "tests/support/ranks_alone.h"

#include <stdlib.h>
#include <string.h>

/* What is kept of a search: its parts, which one process and any number of ranks have alike. */
struct kept {
    size_t count;
    uint64_t size[RETROGRADE_PARTS_MAX];
    uint8_t *bytes[RETROGRADE_PARTS_MAX];
};

enum { MOVED_BYTES = 100000 }; /* at once: no multiple of what a group has */

/* Moves one part, wherever it lies, to what is kept or back. */
static void move_part(struct retrograde *search, const struct memory_part *part, uint8_t *bytes, bool back)
{
    if (part->bytes != NULL)
        memcpy(back ? part->bytes : bytes, back ? bytes : part->bytes, part->size);
    for (uint64_t at = 0; part->bytes == NULL && at < part->size; at += MOVED_BYTES)
        retrograde_move(search, at, bytes + at, part->size - at < MOVED_BYTES ? part->size - at : MOVED_BYTES, back);
}

static void keep(struct retrograde *search, struct kept *kept)
{
    struct memory_part part[RETROGRADE_PARTS_MAX];
    kept->count = retrograde_parts(search, part);
    for (size_t i = 0; i < kept->count; i++) {
        kept->size[i] = part[i].size;
        free(kept->bytes[i]);
        kept->bytes[i] = checked_memory(part[i].size + 1, 1);
        move_part(search, &part[i], kept->bytes[i], false);
    }
}

static void give_back(struct retrograde *search, const struct kept *kept)
{
    struct memory_part part[RETROGRADE_PARTS_MAX];
    if (!retrograde_fit(search, kept->size, kept->count) || retrograde_parts(search, part) != kept->count)
        abort();
    for (size_t i = 0; i < kept->count; i++)
        move_part(search, &part[i], kept->bytes[i], true);
}

/* One rank of several that go on from what is kept, make some layers, and keep what is done. */
struct runner {
    struct ranks ranks;
    const struct puzzle *puzzle;
    const struct alone *alone;
    struct kept *kept;
    unsigned layers, stopping; /* the rank that stops the layer after them, once some of it is made */
    unsigned looks;
    bool halves; /* the search may be kept then */
    bool resumed, done;
    uint64_t differences;
};

static bool stop_within_a_layer(void *context, const struct retrograde_progress *progress)
{
    struct runner *runner = context;
    (void)progress;
    return runner->layers > 0 || !runner->halves || runner->ranks.rank != runner->stopping || ++runner->looks < 3;
}

static void *run(void *context)
{
    struct runner *runner = context;
    struct ranks *ranks = &runner->ranks;
    struct retrograde_plan plan;
    struct retrograde *search;
    struct retrograde_result result;
    pdb_status status;
    if (retrograde_plan(RETROGRADE_BEST, runner->puzzle, 1, &plan, NULL) != PDB_OK ||
        retrograde_plan_ranks(ranks, &plan, NULL) != PDB_OK || retrograde_begin(&plan, &search, NULL) != PDB_OK)
        abort();
    runner->halves = retrograde_keeps_halves(&plan);
    if (runner->kept->count > 0 && ranks_first(ranks))
        give_back(search, runner->kept);
    retrograde_serve(search);
    runner->resumed = runner->kept->count == 0 || retrograde_resume(search, &(pdb_status){PDB_OK});
    retrograde_keep_from(search, 1e-9); /* always */
    do
        status = retrograde_layer(search, stop_within_a_layer, runner, &runner->done, NULL);
    while (runner->resumed && status == PDB_OK && !runner->done &&
           (runner->layers-- > 0 || (!runner->halves && !retrograde_crowded(search))));
    if (runner->resumed && !runner->done) {
        if (retrograde_settle(search, NULL) != PDB_OK)
            abort();
        if (ranks_first(ranks))
            keep(search, runner->kept);
        retrograde_serve(search);
    } else if (runner->resumed) {
        retrograde_finish(search, &result);
        if (ranks_first(ranks))
            runner->differences = alone_compare(runner->alone, search, &result);
        retrograde_serve(search);
    }
    retrograde_free(search);
    return NULL;
}

/* So many ranks go on, and keep what they have done after so many layers. */
static bool go_on(struct runner *first, unsigned size, unsigned layers)
{
    struct runner runner[RANKS_MOST];
    for (unsigned rank = 0; rank < size; rank++) {
        runner[rank] = *first;
        runner[rank].layers = layers;
        runner[rank].stopping = size - 1;
    }
    ranks_together(size, run, runner, sizeof *runner);
    for (unsigned rank = 1; rank < size; rank++)
        cr_expect(runner[rank].resumed == runner[0].resumed && runner[rank].done == runner[0].done);
    EXPECT_NUMBER(runner[0].differences, 0);
    first->resumed = runner[0].resumed;
    return runner[0].done;
}

/* Other numbers of ranks take turns, from `least` on; some stop within a layer, where that can be kept. */
static void take_turns(const char *name, const struct puzzle *puzzle, unsigned least)
{
    struct kept kept = {0};
    struct alone alone;
    struct runner runner = {.puzzle = puzzle, .alone = &alone, .kept = &kept};
    if (!alone_solve(puzzle, &alone))
        return;
    for (unsigned turn = 0; !go_on(&runner, least + (turn + 2) % (RANKS_MOST + 1 - least), turn % 4 * 3); turn++)
        cr_assert(runner.resumed, "%s, turn %u", name, turn);
    for (size_t part = 0; part < kept.count; part++)
        free(kept.bytes[part]);
    alone_free(&alone);
}

/* One process among them. */
Test(ranks_kept, go_on_from_what_others_have_done)
{
    for (size_t i = 0; ranks_by_words[i] != NULL; i++) {
        struct puzzle *puzzle = built_in(ranks_by_words[i]);
        take_turns(ranks_by_words[i], puzzle, 1);
        puzzle_free(puzzle);
    }
}

Test(ranks_kept, go_on_one_by_one)
{
    for (unsigned i = 0; ranks_one_by_one[i] != NULL; i++) {
        if (i % short_step(3) != 0)
            continue;
        struct puzzle *puzzle = built_in(ranks_one_by_one[i]);
        take_turns(ranks_one_by_one[i], puzzle, 2);
        puzzle_free(puzzle);
    }
}

/* With keys and with indices, forward and not, with weights and costs, and distances of more than a byte. */
Test(ranks_kept, go_on_in_graphs)
{
    static const uint32_t max_costs[] = {1, 3, 0, 100, 2, 1000};
    for (uint64_t seed = 0; seed < 20; seed += seed % 7 == 2 ? short_step(5) : 1) { /* 0, 1, 2, 7, 8, 9, 14, .. */
        const uint32_t nodes = 20 + (uint32_t)(seed * seed * 7 % 701), start[] = {nodes / 2};
        struct digraph *graph = seed < 15 ? digraph_random(nodes, nodes * (3 + seed % 7) / 3, 3, seed, seed % 3 == 0)
                                          : digraph_ring(300);
        if (seed % 5 > 0)
            digraph_make_forward(graph, seed % 2 == 0, max_costs[seed / 2 % 6], start, seed % 2 == 0 ? 1 : 0);
        take_turns("a graph", &graph->puzzle, 2);
        digraph_free(graph);
    }
}

/* The histogram has grown by then. */
Test(ranks_kept, go_on_in_a_deep_search)
{
    struct kept kept = {0};
    struct alone alone;
    struct digraph *graph = digraph_ring(1500);
    struct runner runner = {.puzzle = &graph->puzzle, .alone = &alone, .kept = &kept};
    cr_assert(alone_solve(&graph->puzzle, &alone));
    cr_expect(!go_on(&runner, 3, 1100));
    cr_expect(go_on(&runner, 2, 1500) && runner.resumed);
    for (size_t part = 0; part < kept.count; part++)
        free(kept.bytes[part]);
    alone_free(&alone);
    digraph_free(graph);
}

/* A state too many in the planes, or another among the lowest of a layer, whosever it is: all ranks see it. */
Test(ranks_kept, do_not_go_on_from_what_contradicts_itself)
{
    struct puzzle *puzzle = built_in("8-puzzle");
    struct kept kept = {0};
    struct runner runner = {.puzzle = puzzle, .kept = &kept};
    cr_assert(!go_on(&runner, 3, 9));
    for (uint64_t part = 1; part < kept.count; part++)
        for (uint64_t i = 0; i < 4; i++) {
            uint8_t *byte = &kept.bytes[part][part == 1 ? 24 + 8 * i : i * (kept.size[part] - 1) / 3];
            *byte ^= 1;
            go_on(&runner, 2 + (unsigned)i % 3, 0);
            cr_expect(!runner.resumed, "part %u, byte %u", (unsigned)part, (unsigned)i);
            *byte ^= 1;
        }
    go_on(&runner, 2, 0);
    cr_expect(runner.resumed);
    for (size_t part = 0; part < kept.count; part++)
        free(kept.bytes[part]);
    puzzle_free(puzzle);
}

/* The same of keys: a key that cannot be or is there twice, one of another kind, numbers that are not those of the
 * states. */
Test(ranks_kept, do_not_go_on_from_other_states)
{
    enum { RECORD_BYTES = 16 };
    static const uint64_t numbers[] = {0, 24}; /* among the figures: the pass, the keys */
    struct puzzle *puzzle = built_in("klotski");
    struct kept kept = {0};
    struct runner runner = {.puzzle = puzzle, .kept = &kept};
    cr_assert(!go_on(&runner, 3, 150) && kept.count == 3);
    const uint64_t last = kept.size[2] - RECORD_BYTES;
    uint8_t record[RECORD_BYTES];
    for (unsigned i = 0; i < 5 + COUNT(numbers); i++) {
        uint8_t *byte = i < 5 ? kept.bytes[2] : kept.bytes[1] + numbers[i - 5];
        memcpy(record, byte, sizeof record);
        if (i == 0)
            byte[7] |= 0x80;
        else if (i == 1)
            byte[12] = 3;
        else if (i == 2)
            memcpy(byte, byte + RECORD_BYTES, RECORD_BYTES);
        else if (i == 3)
            byte[11] = 1; /* farther than the last layer, or not reached */
        else if (i == 4)
            memcpy(byte, kept.bytes[2] + last, RECORD_BYTES); /* of the frontier */
        else
            *byte ^= 2;
        go_on(&runner, 2 + i % 3, 0);
        cr_expect(!runner.resumed, "change %u", i);
        memcpy(byte, record, sizeof record);
    }
    go_on(&runner, 2, 0);
    cr_expect(runner.resumed);
    for (size_t part = 0; part < kept.count; part++)
        free(kept.bytes[part]);
    puzzle_free(puzzle);
}
