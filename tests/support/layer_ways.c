#include "layer_ways.h"

#include <stdlib.h>
#include <string.h>

/* -- outcomes -- */

struct retrograde *begin_search(enum retrograde_way way, const struct puzzle *puzzle, unsigned threads)
{
    struct retrograde *search = NULL;
    pdb_error error;
    cr_assert(retrograde_of(way, puzzle, threads, &search, &error) == PDB_OK, "%s", error.message);
    return search;
}

struct outcome end_search(struct retrograde *search)
{
    struct outcome outcome = {.search = search};
    pdb_error error;
    for (bool done = false; !done;)
        cr_assert(retrograde_layer(search, NULL, NULL, &done, &error) == PDB_OK, "%s", error.message);
    retrograde_finish(search, &outcome.result);
    return outcome;
}

struct outcome run_search(enum retrograde_way way, const struct puzzle *puzzle, unsigned threads)
{
    return end_search(begin_search(way, puzzle, threads));
}

bool same_outcome(const struct outcome *one, const struct outcome *other)
{
    const struct retrograde_result *a = &one->result, *b = &other->result;
    return a->states == b->states && a->encoding == b->encoding && a->reachable == b->reachable &&
           a->depths == b->depths && a->hardest_kept == b->hardest_kept &&
           memcmp(a->bytes, b->bytes, encoding_bytes(a->encoding, a->states)) == 0 &&
           memcmp(a->histogram, b->histogram, a->depths * sizeof *a->histogram) == 0 &&
           memcmp(a->hardest, b->hardest, a->hardest_kept * sizeof *a->hardest) == 0;
}

struct layer_kernel *kernel_of(const struct puzzle *puzzle)
{
    struct layer_kernel *kernel;
    cr_assert(puzzle->family->space.layers(puzzle, false, UINT64_MAX, &kernel, NULL) == PDB_OK);
    return kernel;
}

void compare_ways(const struct puzzle *puzzle, const char *what)
{
    static const enum retrograde_way ways[] = {RETROGRADE_BEST, RETROGRADE_PORTABLE};
    struct outcome expected = run_search(RETROGRADE_STATES, puzzle, 1);
    for (size_t w = 0; w < COUNT(ways); w++)
        for (unsigned threads = share() == 1 ? 1 : 3; threads <= 3; threads++) {
            struct outcome outcome = run_search(ways[w], puzzle, threads);
            cr_expect(same_outcome(&expected, &outcome), "%s, %u threads\n%s",
                      ways[w] == RETROGRADE_BEST ? "best" : "portable", threads, what);
            retrograde_free(outcome.search);
        }
    retrograde_free(expected.search);
}

/* -- the kernel's contract -- */

/* Which bits of a group's word are states. */
static uint64_t states_of(const struct layer_kernel *kernel, uint64_t group, uint64_t word)
{
    const uint64_t states = kernel->states(kernel, group), before = word * kernel->bits;
    return states <= before ? 0
                            : layer_low((unsigned)(states - before < kernel->bits ? states - before : kernel->bits));
}

/* States of the groups that share a run of indices with this one, the first of them. */
static uint32_t run_states(const struct layer_kernel *kernel, uint64_t group)
{
    uint32_t states = 0;
    for (unsigned i = 0; i < kernel->run; i++)
        states += kernel->states(kernel, group + i);
    return states;
}

/* Runs take the indices one after another; every index has an address of its own, in a group of its run, among the bits
 * that are states'. */
static void check_addresses(const struct puzzle *puzzle, const struct layer_kernel *kernel)
{
    uint64_t index = 0, words = 0;
    for (uint64_t group = 0; group < kernel->groups; group += kernel->run) {
        const uint64_t past = index + run_states(kernel, group);
        uint64_t seen[2][LAYER_WORDS_MAX] = {{0}};
        cr_assert(past > index && kernel->words_max <= LAYER_WORDS_MAX && kernel->run <= 2);
        for (; index < past; index++) {
            const uint64_t address = kernel->address(kernel, index), word = address / 64,
                           bit = (uint64_t)1 << address % 64, number = word / LAYER_WORDS_MAX - group;
            cr_assert(kernel->index(kernel, address) == index);
            cr_assert(number < kernel->run);
            cr_assert((bit & states_of(kernel, group + number, word % LAYER_WORDS_MAX)) != 0);
            cr_assert((seen[number][word % LAYER_WORDS_MAX] & bit) == 0);
            seen[number][word % LAYER_WORDS_MAX] |= bit;
        }
        for (unsigned i = 0; i < kernel->run; i++) {
            const uint32_t size = (kernel->states(kernel, group + i) + kernel->bits - 1) / kernel->bits;
            cr_assert(size <= kernel->words_max);
            words += size;
        }
    }
    cr_assert(index == puzzle->states && words == kernel->words);
}

static uint64_t group_of(const struct layer_kernel *kernel, uint64_t index)
{
    return kernel->address(kernel, index) / 64 / LAYER_WORDS_MAX;
}

/* The neighbours of a state lie in its group's sources. */
static void check_sources(const struct puzzle *puzzle, const struct layer_kernel *kernel, uint64_t index)
{
    uint64_t *source = checked_memory(kernel->sources_max, sizeof *source),
             *next = checked_memory(puzzle->max_moves, sizeof *next);
    uint16_t count;
    const size_t sources = kernel->sources(kernel, group_of(kernel, index), source);
    cr_assert(sources <= kernel->sources_max);
    puzzle->family->index.successors(puzzle, &index, 1, next, &count);
    for (unsigned i = 0; i < count; i++) {
        bool found = false;
        for (size_t s = 0; s < sources; s++)
            found |= source[s] == group_of(kernel, next[i]);
        cr_assert(found);
    }
    free(source);
    free(next);
}

/* A slab's sources are the slabs of its groups' sources, no more and no less. */
static void check_slab(const struct layer_kernel *kernel, unsigned digits, uint64_t slab)
{
    const uint64_t groups = kernel->slab(kernel, digits), slabs = kernel->groups / groups;
    uint64_t *source = checked_memory(kernel->sources_max, sizeof *source),
             *slab_source = checked_memory(kernel->slab_sources_max, sizeof *slab_source);
    bool *asked = checked_memory(slabs, sizeof *asked), *told = checked_memory(slabs, sizeof *told);
    for (uint64_t group = slab * groups; group < (slab + 1) * groups; group++)
        for (size_t s = 0, sources = kernel->sources(kernel, group, source); s < sources; s++)
            asked[source[s] / groups] = true;
    const size_t sources = kernel->slab_sources(kernel, digits, slab, slab_source);
    cr_assert(sources <= kernel->slab_sources_max);
    for (size_t s = 0; s < sources; s++)
        told[slab_source[s]] = true;
    cr_assert(memcmp(asked, told, slabs * sizeof *asked) == 0, "%u digits, slab %llu", digits,
              (unsigned long long)slab);
    free(source);
    free(slab_source);
    free(asked);
    free(told);
}

static void check_slabs(const struct layer_kernel *kernel)
{
    uint64_t groups;
    for (unsigned digits = 0; kernel->slab != NULL && (groups = kernel->slab(kernel, digits)) != 0; digits++)
        for (uint64_t slab = 0; slab < kernel->groups / groups; slab++)
            check_slab(kernel, digits, slab);
}

/* The lowest index of a run, by one of its states. */
static uint64_t first_of(const struct layer_kernel *kernel, uint64_t group)
{
    uint64_t index = kernel->index(
        kernel, layer_address(kernel->states(kernel, group) > 0 ? group : group + kernel->run - 1, 0, 0));
    while (index > 0 && group_of(kernel, index - 1) / kernel->run == group / kernel->run)
        index--;
    return index;
}

/* A run's bits in the order of the indices. */
static void check_arranging(const struct layer_kernel *kernel, uint64_t group, uint64_t *random)
{
    uint64_t words[2][LAYER_WORDS_MAX] = {{0}}, bitmap[LAYER_WORDS_MAX], expected[LAYER_WORDS_MAX] = {0};
    const uint64_t first = first_of(kernel, group);
    const uint32_t states = run_states(kernel, group);
    for (uint32_t i = 0; i < states; i++)
        if (next_random(random) >> 20 & 1) {
            const uint64_t address = kernel->address(kernel, first + i), word = address / 64;
            words[word / LAYER_WORDS_MAX - group][word % LAYER_WORDS_MAX] |= (uint64_t)1 << address % 64;
            expected[i / 64] |= (uint64_t)1 << i % 64;
        }
    memset(bitmap, kernel->run == 1 ? 0xAA : 0, sizeof bitmap); /* a run of one group writes whole words */
    for (unsigned i = 0; i < kernel->run; i++)
        kernel->arrange(kernel, group + i, words[i], bitmap);
    cr_assert(memcmp(bitmap, expected, (states + 63) / 64 * sizeof *bitmap) == 0);
}

void check_kernel(const struct puzzle *puzzle, const struct layer_kernel *kernel)
{
    check_slabs(kernel);
    uint64_t random = 11;
    if (puzzle->states < 1000000)
        check_addresses(puzzle, kernel);
    for (int n = 0; n < 200; n++)
        check_sources(puzzle, kernel, random_below(&random, puzzle->states));
    for (int n = 0; n < 5; n++)
        check_arranging(kernel, random_below(&random, kernel->groups / kernel->run) * kernel->run, &random);
}

/* -- stopping and going on -- */

/* Stops at the second look, so that some of a layer has been made by then. */
static bool stop_soon(void *context, const struct retrograde_progress *progress)
{
    (void)progress;
    return ++*(int *)context < 2;
}

struct retrograde *transplant(enum retrograde_way way, struct retrograde *search, const struct puzzle *puzzle,
                              unsigned threads)
{
    struct memory_part from[RETROGRADE_PARTS_MAX], to[RETROGRADE_PARTS_MAX];
    struct retrograde *fresh = begin_search(way, puzzle, threads);
    EXPECT_TEXT(retrograde_layout(fresh), retrograde_layout(search));
    cr_assert(retrograde_settle(search, NULL) == PDB_OK);
    const size_t count = retrograde_parts(search, from);
    cr_assert(retrograde_parts(fresh, to) == count);
    uint64_t sizes[RETROGRADE_PARTS_MAX];
    bool grown = false;
    for (size_t i = 0; i < count; i++) {
        sizes[i] = from[i].size;
        grown |= from[i].size != to[i].size;
    }
    if (grown)
        cr_assert(retrograde_fit(fresh, sizes, count) && retrograde_parts(fresh, to) == count);
    for (size_t i = 0; i < count; i++) {
        cr_assert(from[i].size == to[i].size);
        memcpy(to[i].bytes, from[i].bytes, from[i].size);
    }
    const uint64_t depth = retrograde_progress(search).depth - 1, reached = retrograde_progress(search).reached;
    retrograde_free(search);
    cr_assert(retrograde_resume(fresh, &(pdb_status){PDB_OK}));
    cr_assert(retrograde_progress(fresh).depth - 1 == depth && retrograde_progress(fresh).reached == reached);
    return fresh;
}

void stop_at_every_layer(const struct puzzle *puzzle, const char *what)
{
    struct outcome expected = run_search(RETROGRADE_STATES, puzzle, 1);
    struct retrograde *search = begin_search(RETROGRADE_BEST, puzzle, 1);
    pdb_error error;
    for (bool done = false; !done;) {
        for (int stops = 0; stops < 2; stops++) {
            int looks = stops; /* the second time it stops at once */
            const pdb_status status = retrograde_layer(search, stop_soon, &looks, &done, &error);
            cr_assert(status == PDB_INTERRUPTED || status == PDB_OK);
            if (status == PDB_OK)
                break;
            search = transplant(stops == 0 ? RETROGRADE_PORTABLE : RETROGRADE_BEST, search, puzzle, 2);
        }
        if (!done)
            cr_assert(retrograde_layer(search, NULL, NULL, &done, &error) == PDB_OK);
    }
    const struct outcome pieced = end_search(search);
    cr_expect(same_outcome(&expected, &pieced), "%s", what);
    retrograde_free(search);
    retrograde_free(expected.search);
}
