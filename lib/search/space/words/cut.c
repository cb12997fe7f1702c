/* cut.c -- planes cut into runs: how finely, which slab asks which, and the memory for it */
#include "runs.h"

#include <stdlib.h>
#include <string.h>

bool runs_full(const struct runs *runs, uint64_t slab)
{
    uint64_t left = runs->slab_groups * runs->kernel->states(runs->kernel, 0);
    for (unsigned p = 0; p < runs->planes; p++)
        left -= runs->run[runs_number(runs, slab, p)].states;
    return left == 0;
}

/* -- who asks whom -- */

struct asking {
    struct runs *runs;
    uint64_t *source; /* for each thread */
};

static void find_asked(void *context, unsigned thread, uint64_t slab)
{
    const struct asking *asking = context;
    const struct runs *runs = asking->runs;
    const struct layer_kernel *kernel = runs->kernel;
    uint64_t *row = runs->asks + slab * runs_row_words(runs), *source = asking->source + thread * kernel->sources_max;
    for (uint64_t group = slab * runs->slab_groups; group < (slab + 1) * runs->slab_groups; group++) {
        const size_t count = kernel->sources(kernel, group, source);
        for (size_t i = 0; i < count; i++) {
            const uint64_t other = source[i] / runs->slab_groups;
            row[other / 64] |= (uint64_t)1 << other % 64;
        }
    }
    row[slab / 64] &= ~((uint64_t)1 << slab % 64); /* its own planes are there anyway */
}

/* The runs that a step takes, or two on end. */
static size_t count_needs(const struct runs *runs, uint64_t slab, uint64_t other)
{
    const uint64_t *row = runs->asks + slab * runs_row_words(runs), *second = runs->asks + other * runs_row_words(runs);
    size_t needs = runs->planes * (slab == other ? 1 : 2);
    for (uint64_t w = 0; w < runs_row_words(runs); w++)
        needs += (unsigned)__builtin_popcountll(row[w] | second[w]);
    return needs;
}

/* The next slab that is a step of the same layers; itself where it is the last. */
static uint64_t next_slab(const struct runs *runs, uint64_t slab)
{
    for (uint64_t place = runs_place(runs, slab) + 1; place < runs->slabs; place++)
        if (runs->colour[runs_slab_at(runs, place)] == runs->colour[slab])
            return runs_slab_at(runs, place);
    return slab;
}

static void take_measures(struct runs *runs)
{
    for (uint64_t slab = 0; slab < runs->slabs; slab++) {
        const uint64_t some = runs->kernel->index(runs->kernel, layer_address(slab * runs->slab_groups, 0, 0));
        if (runs->puzzle->coloured)
            runs->puzzle->family->index.colours(runs->puzzle, &some, 1, &runs->colour[slab]);
        runs->first_asker[slab] = RUN_NO_STEP;
    }
    for (uint64_t place = 0; place < runs->slabs; place++) {
        const uint64_t slab = runs_slab_at(runs, place);
        const size_t one = count_needs(runs, slab, slab), two = count_needs(runs, slab, next_slab(runs, slab));
        runs->needs_all += one;
        runs->needs_most = one > runs->needs_most ? one : runs->needs_most;
        runs->needs_two = two > runs->needs_two ? two : runs->needs_two;
        for (uint64_t other = 0; other < runs->slabs; other++)
            if (runs->first_asker[other] == RUN_NO_STEP && runs_asks(runs, slab, other))
                runs->first_asker[other] = (uint32_t)place;
    }
}

static bool find_all_asked(struct runs *runs, unsigned threads)
{
    struct asking asking = {runs, calloc(threads, runs->kernel->sources_max * sizeof *asking.source)};
    runs->asks = calloc(runs->slabs, runs_row_words(runs) * sizeof *runs->asks);
    runs->first_asker = calloc(runs->slabs, sizeof *runs->first_asker);
    runs->colour = calloc(runs->slabs, sizeof *runs->colour);
    const bool there = asking.source != NULL && runs->asks != NULL && runs->first_asker != NULL && runs->colour != NULL;
    if (there) {
        team_once(threads, runs->slabs, find_asked, &asking);
        take_measures(runs);
    }
    free(asking.source);
    return there;
}

/* -- memory -- */

/* All buffers but the frames. Returns their bytes. */
static uint64_t lay_out(struct runs *runs, uint8_t *memory)
{
    struct arena arena = {.memory = memory};
    struct run_script *script = &runs->script;
    runs->run = arena_take(&arena, runs->count, sizeof *runs->run);
    runs->frame_of = arena_take(&arena, runs->count, sizeof *runs->frame_of);
    runs->frame = arena_take(&arena, runs->frames, sizeof *runs->frame);
    runs->slot = arena_take(&arena, runs->slots, sizeof *runs->slot);
    runs->sums = arena_take(&arena, team_shares(runs->bytes, RUNS_SUM_BYTES), sizeof *runs->sums);
    runs->done = arena_take(&arena, runs->slabs, 1);
    runs->news = arena_take(&arena, runs->slabs, 1);
    runs->next_news = arena_take(&arena, runs->slabs, 1);
    script->step = arena_take(&arena, runs->slabs, sizeof *script->step);
    script->need = arena_take(&arena, runs->needs_all, sizeof *script->need);
    script->again = arena_take(&arena, runs->needs_all, sizeof *script->again);
    script->move = arena_take(&arena, 2 * runs->needs_all, sizeof *script->move);
    script->upcoming = arena_take(&arena, runs->count, sizeof *script->upcoming);
    script->later = arena_take(&arena, runs->count, sizeof *script->later);
    script->frame_of = arena_take(&arena, runs->count, sizeof *script->frame_of);
    script->run_of = arena_take(&arena, runs->frames, sizeof *script->run_of);
    script->taken = arena_take(&arena, runs->frames, sizeof *script->taken);
    script->dirty = arena_take(&arena, runs->frames, 1);
    script->kept = arena_take(&arena, runs->count, 1);
    return arena.used;
}

uint64_t runs_bytes(const struct runs *runs)
{
    struct runs measured = *runs;
    return sizeof *runs + runs->slabs * (runs_row_words(runs) * sizeof *runs->asks + sizeof *runs->first_asker + 1) +
           lay_out(&measured, NULL) + pages_bytes(runs->frames * runs->bytes + RUNS_UNIT);
}

uint64_t runs_file_bytes(const struct runs *runs)
{
    return runs->slots * runs->bytes;
}

/* Every run is without states, nothing is in a frame or in the file. */
static bool make_tables(struct runs *runs)
{
    runs->memory = calloc(1, lay_out(runs, NULL));
    if (runs->memory == NULL)
        return false;
    lay_out(runs, runs->memory);
    for (uint64_t run = 0; run < runs->count; run++) {
        runs->run[run].slot = RUN_NOWHERE;
        runs->frame_of[run] = RUN_NO_FRAME;
    }
    for (uint64_t frame = 0; frame < runs->frames; frame++)
        runs->frame[frame].run = RUN_NOWHERE;
    return true;
}

bool runs_begin(struct runs *runs, const struct scratch_file *scratch)
{
    runs->scratch = *scratch;
    runs->room = pages_take(runs->frames * runs->bytes + RUNS_UNIT);
    if (runs->room == NULL)
        return false;
    runs->aligned = runs->room + (RUNS_UNIT - (uintptr_t)runs->room % RUNS_UNIT) % RUNS_UNIT;
    return true;
}

void runs_free(struct runs *runs)
{
    if (runs == NULL)
        return;
    free(runs->asks);
    free(runs->first_asker);
    free(runs->colour);
    free(runs->memory);
    free(runs->room);
    free(runs);
}

/* -- how finely -- */

static struct runs *runs_new(const struct puzzle *puzzle, const struct layer_kernel *kernel, uint64_t slab_groups,
                             uint64_t parts)
{
    struct runs *runs = calloc(1, sizeof *runs);
    if (runs == NULL)
        return NULL;
    *runs = (struct runs){.kernel = kernel,
                          .puzzle = puzzle,
                          .planes = puzzle->coloured ? 2 : 3,
                          .slab_groups = slab_groups,
                          .slabs = kernel->groups / slab_groups,
                          .parts = parts,
                          .words = slab_groups * kernel->words_max};
    runs->count = runs->slabs * runs->planes;
    runs->bytes = (runs->words * sizeof(uint64_t) + RUNS_UNIT - 1) / RUNS_UNIT * RUNS_UNIT;
    /* Room in the file for all runs, and for those that a layer writes anew. */
    runs->slots = runs->count + runs->slabs / (puzzle->coloured ? 2 : 1) + 2;
    return runs;
}

/* Gives it as many frames as there is memory for. */
static void take_frames(struct runs *runs, uint64_t bytes)
{
    runs->frames = runs->count;
    for (uint64_t all; (all = runs_bytes(runs)) > bytes && runs->frames > 0;) {
        const uint64_t over = team_shares(all - bytes, runs->bytes);
        runs->frames -= over < runs->frames ? over : runs->frames;
    }
}

/* May planes be cut at all? All groups are of one size, and a slab is whole bytes of what is kept of it. */
static bool may_be_cut(const struct layer_kernel *kernel)
{
    return kernel->slab != NULL && kernel->run == 1 && kernel->words == kernel->groups * kernel->words_max;
}

/* With fewer, what could stay in memory of a run's length is lost to the rest of it. */
enum { FRAMES_ENOUGH = 32 };

/* The memory with which one step's runs have room. */
static uint64_t least_bytes(const struct runs *runs)
{
    struct runs narrow = *runs;
    narrow.frames = runs->needs_most;
    return runs_bytes(&narrow);
}

/* The coarsest cut with frames enough where a step's runs can be brought while the step before it is at work; or else,
 * the finest where one step's runs have room. */
pdb_status runs_cut(const struct puzzle *puzzle, const struct layer_kernel *kernel, unsigned threads, uint64_t bytes,
                    struct runs **out, uint64_t *least, pdb_error *error)
{
    struct runs *best = NULL;
    bool enough = false;
    uint64_t groups;
    *least = 0;
    for (unsigned digits = 0; may_be_cut(kernel) && !enough && (groups = kernel->slab(kernel, digits)) != 0; digits++) {
        if (groups * kernel->states(kernel, 0) % RUNS_STATES != 0 || kernel->groups / groups > RUNS_SLABS_MAX)
            break;
        struct runs *runs = runs_new(puzzle, kernel, groups, kernel->slab(kernel, 0) / groups);
        if (runs == NULL || !find_all_asked(runs, threads)) {
            runs_free(runs);
            runs_free(best);
            return error_no_memory(error, "the search", kernel->groups / groups * sizeof *runs);
        }
        take_frames(runs, bytes);
        *least = *least == 0 || least_bytes(runs) < *least ? least_bytes(runs) : *least;
        enough = runs->frames >= runs->needs_two && runs->frames >= FRAMES_ENOUGH;
        if (runs->frames >= runs->needs_most) {
            runs_free(best);
            best = runs;
        } else {
            runs_free(runs);
        }
    }
    if (best != NULL && !make_tables(best)) {
        runs_free(best);
        return error_no_memory(error, "the search", bytes);
    }
    *out = best;
    return PDB_OK;
}
