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
    unsigned digits;  /* of a slab */
    uint64_t *source; /* for each thread */
};

static void find_asked(void *context, unsigned thread, uint64_t slab)
{
    const struct asking *asking = context;
    const struct runs *runs = asking->runs;
    const struct layer_kernel *kernel = runs->kernel;
    uint64_t *row = runs->asks + slab * runs_row_words(runs),
             *source = asking->source + thread * kernel->slab_sources_max;
    if (!runs_own(runs, slab))
        return;
    const size_t count = kernel->slab_sources(kernel, asking->digits, slab, source);
    for (size_t i = 0; i < count; i++)
        row[source[i] / 64] |= (uint64_t)1 << source[i] % 64;
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
    for (uint64_t place = runs_place(runs, slab) + 1; place < runs->slabs; place++) {
        const uint64_t next = runs_slab_at(runs, place);
        if (runs->colour[next] == runs->colour[slab] && runs_own(runs, next))
            return next;
    }
    return slab;
}

/* How many slabs are this rank's, and how many ghosts there are for a layer at most: with a colouring, all of them have
 * one colour. */
static void count_ghosts(struct runs *runs)
{
    uint64_t ghosts[2] = {0};
    for (uint64_t slab = 0; slab < runs->slabs; slab++) {
        const bool own = runs_own(runs, slab);
        runs->own += own;
        ghosts[runs->colour[slab]] += !own && runs->first_asker[slab] != RUN_NO_STEP;
    }
    runs->ghosts = ghosts[0] > ghosts[1] ? ghosts[0] : ghosts[1];
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
        if (!runs_own(runs, slab))
            continue;
        const size_t one = count_needs(runs, slab, slab), two = count_needs(runs, slab, next_slab(runs, slab));
        runs->needs_all += one;
        runs->needs_most = one > runs->needs_most ? one : runs->needs_most;
        runs->needs_two = two > runs->needs_two ? two : runs->needs_two;
        for (uint64_t other = 0; other < runs->slabs; other++)
            if (runs->first_asker[other] == RUN_NO_STEP && runs_asks(runs, slab, other))
                runs->first_asker[other] = (uint32_t)place;
    }
    count_ghosts(runs);
    if (runs->ranks != NULL && runs->needs_most < runs->ranks->size) /* a ghost from each comes at a time */
        runs->needs_most = runs->ranks->size;
    /* Room in the file for all runs, and for those that a layer writes anew; and for ghosts. */
    runs->slots = runs->own * runs->planes + runs->own / (runs->puzzle->coloured ? 2 : 1) + runs->ghosts + 2;
}

static bool find_all_asked(struct runs *runs, unsigned digits, unsigned threads)
{
    struct asking asking = {runs, digits, calloc(threads, runs->kernel->slab_sources_max * sizeof *asking.source)};
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
    runs->done = arena_take(&arena, runs_done_bytes(runs), 1);
    runs->news = arena_take(&arena, runs->slabs, 1);
    runs->next_news = arena_take(&arena, runs->slabs, 1);
    runs->kept_run = runs->run;
    runs->kept_done = runs->done;
    if (runs->ranks != NULL) {
        runs->kept_run = arena_take(&arena, runs->count, sizeof *runs->run);
        runs->kept_done = arena_take(&arena, runs_done_bytes(runs), 1);
        runs->wanted = arena_take(&arena, runs->ranks->size * runs_row_words(runs), sizeof *runs->wanted);
    }
    script->step = arena_take(&arena, runs->slabs, sizeof *script->step);
    script->need = arena_take(&arena, runs->needs_all, sizeof *script->need);
    script->again = arena_take(&arena, runs->needs_all, sizeof *script->again);
    script->move = arena_take(&arena, 2 * (runs->needs_all + runs->slabs), sizeof *script->move);
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

/* Tells all ranks what each of them asks. */
static void tell_wanted(struct runs *runs)
{
    uint64_t *row = runs->wanted;
    if (runs->ranks == NULL)
        return;
    row += runs->ranks->rank * runs_row_words(runs);
    for (uint64_t slab = 0; slab < runs->slabs; slab++)
        if (!runs_own(runs, slab) && runs->first_asker[slab] != RUN_NO_STEP)
            row[slab / 64] |= (uint64_t)1 << slab % 64;
    ranks_add(runs->ranks, runs->wanted, runs->ranks->size * runs_row_words(runs));
}

/* -- how finely -- */

static struct runs *runs_new(const struct retrograde_plan *plan, unsigned digits)
{
    const struct layer_kernel *kernel = plan->kernel;
    const uint64_t slab_groups = kernel->slab(kernel, digits);
    struct runs *runs = calloc(1, sizeof *runs);
    if (runs == NULL)
        return NULL;
    *runs = (struct runs){.kernel = kernel,
                          .puzzle = plan->puzzle,
                          .ranks = ranks_alone(plan->ranks) ? NULL : plan->ranks,
                          .planes = plan->puzzle->coloured ? 2 : 3,
                          .slab_groups = slab_groups,
                          .slabs = kernel->groups / slab_groups,
                          .parts = kernel->slab(kernel, 0) / slab_groups,
                          .words = slab_groups * kernel->words_max};
    runs->count = runs->slabs * runs->planes;
    runs->bytes = (runs->words * sizeof(uint64_t) + RUNS_UNIT - 1) / RUNS_UNIT * RUNS_UNIT;
    if (!find_all_asked(runs, digits, plan->threads)) {
        runs_free(runs);
        return NULL;
    }
    return runs;
}

/* Gives it as many frames as there is memory for. */
static void take_frames(struct runs *runs, uint64_t bytes)
{
    runs->frames = runs->own * runs->planes + runs->ghosts;
    while (runs->frames > 0 && runs_bytes(runs) > bytes)
        runs->frames--;
}

/* May planes be cut at all? All groups are of one size, and a slab is whole bytes of what is kept of it. */
static bool may_be_cut(const struct layer_kernel *kernel)
{
    return kernel->slab != NULL && kernel->run == 1 && kernel->words == kernel->groups * kernel->words_max;
}

/* With fewer frames, what could stay in memory of a run's length is lost to the rest of it; with fewer parts a rank,
 * one has much more than another. */
enum { FRAMES_ENOUGH = 32, PARTS_ENOUGH = 8 };

/* The memory with which one step's runs have room. */
static uint64_t least_bytes(const struct runs *runs)
{
    struct runs narrow = *runs;
    narrow.frames = runs->needs_most;
    return runs_bytes(&narrow);
}

/* How well a cut does: not at all; one step's runs have room; or those of the step after it, too, which can be brought
 * meanwhile, and what else there should be of it. Ranks are as well off as the worst. */
enum cut_worth { CUT_TOO_LITTLE, CUT_DOES, CUT_ENOUGH };

static enum cut_worth worth_of(const struct runs *runs)
{
    const bool enough = runs->frames >= runs->needs_two && runs->frames >= FRAMES_ENOUGH &&
                        (runs->ranks == NULL || runs->parts >= PARTS_ENOUGH * (uint64_t)runs->ranks->size);
    uint64_t lacks[2] = {runs->frames < runs->needs_most, !enough};
    ranks_add(runs->ranks, lacks, 2);
    return lacks[0] > 0 ? CUT_TOO_LITTLE : lacks[1] > 0 ? CUT_DOES : CUT_ENOUGH;
}

/* Cuts by so many digits, if that is possible: else NULL. */
static pdb_status try_cut(const struct retrograde_plan *plan, unsigned digits, uint64_t bytes, struct runs **out,
                          pdb_error *error)
{
    const struct layer_kernel *kernel = plan->kernel;
    const uint64_t groups = kernel->slab(kernel, digits);
    pdb_status status = PDB_OK;
    *out = NULL;
    if (!ranks_alone(plan->ranks) && kernel->slab(kernel, 0) / groups < plan->ranks->size)
        return PDB_OK;
    *out = runs_new(plan, digits);
    if (*out == NULL)
        status = error_no_memory(error, "the search", kernel->groups / groups * sizeof **out);
    else
        take_frames(*out, bytes);
    return ranks_agree(plan->ranks, status, error);
}

static pdb_status keep_best(const struct retrograde_plan *plan, struct runs **best, pdb_error *error)
{
    pdb_status status = PDB_OK;
    if (*best == NULL)
        return PDB_OK;
    if (!make_tables(*best))
        status = error_no_memory(error, "the search", runs_bytes(*best));
    status = ranks_agree(plan->ranks, status, error);
    if (status == PDB_OK)
        tell_wanted(*best);
    return status;
}

/* The coarsest cut that is enough; or else, the finest that does. */
pdb_status runs_cut(const struct retrograde_plan *plan, uint64_t bytes, struct runs **out, uint64_t *least,
                    pdb_error *error)
{
    const struct layer_kernel *kernel = plan->kernel;
    enum cut_worth worth = CUT_TOO_LITTLE;
    pdb_status status = PDB_OK;
    struct runs *best = NULL, *runs = NULL;
    uint64_t groups;
    *least = 0;
    for (unsigned digits = 0; may_be_cut(kernel) && worth != CUT_ENOUGH && (groups = kernel->slab(kernel, digits)) != 0;
         digits++) {
        if (groups * kernel->states(kernel, 0) % RUNS_STATES != 0 || kernel->groups / groups > RUNS_SLABS_MAX)
            break;
        status = try_cut(plan, digits, bytes, &runs, error);
        if (status != PDB_OK)
            break;
        if (runs == NULL)
            continue;
        const uint64_t need = ranks_greatest(plan->ranks, least_bytes(runs));
        *least = *least == 0 || need < *least ? need : *least;
        worth = worth_of(runs);
        if (worth != CUT_TOO_LITTLE) {
            runs_free(best);
            best = runs;
            runs = NULL;
        }
        runs_free(runs);
        runs = NULL;
    }
    if (status == PDB_OK)
        status = keep_best(plan, &best, error);
    if (status != PDB_OK) {
        runs_free(runs);
        runs_free(best);
        best = NULL;
    }
    *out = best;
    return status;
}
