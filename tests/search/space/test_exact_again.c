/* test_exact_again.c -- searches of puzzles whose moves cannot be undone: kept, and gone on with another time */
#include "exact_truth.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* -- going on another time -- */

struct kept {
    size_t count;
    struct memory_part part[RETROGRADE_PARTS_MAX];
    char layout[100];
};

static struct kept keep(struct retrograde *search)
{
    struct kept kept = {0};
    struct memory_part parts[RETROGRADE_PARTS_MAX];
    kept.count = retrograde_parts(search, parts);
    strcpy(kept.layout, retrograde_layout(search));
    for (size_t i = 0; i < kept.count; i++) {
        kept.part[i] = (struct memory_part){must(malloc(parts[i].size)), parts[i].size};
        memcpy(kept.part[i].bytes, parts[i].bytes, parts[i].size);
    }
    return kept;
}

/* A new search that stands where the parts were kept. */
static struct retrograde *revive(const struct puzzle *puzzle, const struct kept *kept, unsigned threads)
{
    struct retrograde *search = begin(puzzle, threads);
    struct memory_part parts[RETROGRADE_PARTS_MAX];
    uint64_t sizes[RETROGRADE_PARTS_MAX];
    for (size_t i = 0; i < kept->count; i++)
        sizes[i] = kept->part[i].size;
    retrograde_parts(search, parts);
    if (parts[0].size != sizes[0] || parts[1].size != sizes[1])
        cr_assert(retrograde_fit(search, sizes, kept->count));
    cr_assert_str_eq(retrograde_layout(search), kept->layout);
    cr_assert_eq(retrograde_parts(search, parts), kept->count);
    for (size_t i = 0; i < kept->count; i++) {
        cr_assert_eq(parts[i].size, kept->part[i].size);
        memcpy(parts[i].bytes, kept->part[i].bytes, parts[i].size);
    }
    return search;
}

static void kept_free(struct kept *kept)
{
    for (size_t i = 0; i < kept->count; i++)
        free(kept->part[i].bytes);
}

/* After every layer (of a ring: every so many) the search is kept, revived and finished. */
static void resume_everywhere(const struct digraph *graph, uint64_t stride)
{
    struct truth truth = truth_of(graph);
    struct retrograde *search = begin(&graph->puzzle, 2);
    for (bool done = false; !done;) {
        if ((retrograde_progress(search).depth - 1) % stride == 0) {
            struct kept kept = keep(search);
            struct retrograde *revived = revive(&graph->puzzle, &kept, 1 + (retrograde_progress(search).depth - 1) % 2);
            struct retrograde_result result;
            cr_assert(retrograde_resume(revived, &(pdb_status){PDB_OK}));
            cr_assert_eq(retrograde_progress(revived).depth, retrograde_progress(search).depth);
            cr_assert_eq(retrograde_progress(revived).reached, retrograde_progress(search).reached);
            go_on(revived);
            retrograde_finish(revived, &result);
            compare_all(graph, &truth, &result);
            retrograde_free(revived);
            kept_free(&kept);
        }
        cr_assert(retrograde_layer(search, NULL, NULL, &done, &error) == PDB_OK);
    }
    retrograde_free(search);
    truth_free(&truth);
}

Test(exact, resumes_at_every_layer)
{
    struct digraph *graphs[] = {digraph_random(3000, 5000, 2, 5, false), digraph_random(3000, 5000, 2, 6, true),
                                digraph_random(70000, 90000, 1, 7, false)};
    for (size_t i = 0; i < sizeof graphs / sizeof graphs[0]; i++) {
        resume_everywhere(graphs[i], 1);
        digraph_free(graphs[i]);
    }
    struct digraph *ring = digraph_ring(600), *longer = digraph_ring(5000); /* whose histogram grows */
    resume_everywhere(ring, 50);
    resume_everywhere(longer, 1500);
    digraph_free(ring);
    digraph_free(longer);
}

Test(exact, refuses_what_is_not_its_own)
{
    struct digraph *graph = digraph_random(3000, 5000, 2, 5, false);
    struct retrograde *search = begin(&graph->puzzle, 1);
    bool done;
    for (int i = 0; i < 3; i++)
        cr_assert(retrograde_layer(search, NULL, NULL, &done, &error) == PDB_OK);
    for (uint64_t at = 0; at < 3000; at += 100) {
        struct kept kept = keep(search);
        uint8_t *distance = (uint8_t *)kept.part[1].bytes + at;
        *distance = *distance == 255 ? 1 : 255; /* a state more or less */
        struct retrograde *revived = revive(&graph->puzzle, &kept, 1);
        cr_assert(!retrograde_resume(revived, &(pdb_status){PDB_OK}));
        retrograde_free(revived);
        kept_free(&kept);
    }
    retrograde_free(search);
    digraph_free(graph);
}

static bool stop(void *context, const struct retrograde_progress *progress)
{
    *(struct retrograde_progress *)context = *progress;
    return false;
}

/* A stopped layer leaves the search as it was. */
Test(exact, interruption_leaves_no_trace)
{
    struct digraph *graph = digraph_random(80000, 130000, 2, 8, false);
    struct truth truth = truth_of(graph);
    struct retrograde *search = begin(&graph->puzzle, 1);
    for (bool done = false; !done;) {
        struct retrograde_progress progress;
        struct kept before = keep(search);
        cr_assert(retrograde_layer(search, stop, &progress, &done, &error) == PDB_INTERRUPTED);
        cr_assert_eq(progress.depth, retrograde_progress(search).depth);
        cr_assert_eq(progress.reached, retrograde_progress(search).reached);
        struct kept after = keep(search);
        for (size_t i = 0; i < before.count; i++)
            cr_assert(memcmp(before.part[i].bytes, after.part[i].bytes, before.part[i].size) == 0);
        kept_free(&before);
        kept_free(&after);
        cr_assert(retrograde_layer(search, NULL, NULL, &done, &error) == PDB_OK);
    }
    struct retrograde_result result;
    retrograde_finish(search, &result);
    compare_all(graph, &truth, &result);
    retrograde_free(search);
    truth_free(&truth);
    digraph_free(graph);
}
