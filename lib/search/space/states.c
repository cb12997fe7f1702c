/* states.c -- the searches state by state, in bitmaps or in an array of distances, and the one of all states at once */
#include "lib/memory/pages.h"
#include "states.h"
#include "lib/search/space/masks/masks.h"

#include <stdlib.h>
#include <string.h>

static struct states *states_of(struct retrograde *search)
{
    return (struct states *)search;
}

/* -- memory -- */

/* Frontier, next layer, visited, and the planes of the residue: modulo 4 the colour is its lower bit. */
static unsigned bitmap_count(const struct puzzle *puzzle)
{
    return puzzle->coloured ? 4 : 5;
}

/* The buffers: all that is there besides bitmaps or distances. Returns their bytes. */
static uint64_t lay_out(struct states *states, const struct retrograde_plan *plan, uint8_t *memory)
{
    const uint64_t batch = batch_size(plan->puzzle);
    struct arena arena = {.memory = memory};
    states->chunks = plan->puzzle->states / (64 * RETROGRADE_CHUNK) + 1;
    states->words = states->chunks * RETROGRADE_CHUNK;
    states->active = arena_take(&arena, states->chunks, 1);
    states->touched = arena_take(&arena, states->chunks, 1);
    states->hardest = arena_take(&arena, RETROGRADE_HARDEST_MAX, sizeof *states->hardest);
    states->list = arena_take(&arena, THIN_ROOM, sizeof *states->list);
    states->next_list = arena_take(&arena, THIN_ROOM, sizeof *states->next_list);
    states->workers = arena_take(&arena, plan->threads, sizeof *states->workers);
    for (unsigned t = 0; t < plan->threads; t++) {
        struct worker none, *worker = memory != NULL ? &states->workers[t] : &none;
        worker->state = arena_take(&arena, batch, sizeof *worker->state);
        worker->next = arena_take(&arena, batch * plan->puzzle->max_moves, sizeof *worker->next);
        worker->number = arena_take(&arena, batch, sizeof *worker->number);
    }
    return arena.used;
}

static uint64_t bitmaps_memory(const struct retrograde_plan *plan, unsigned width)
{
    struct states states;
    (void)width;
    const uint64_t buffers = lay_out(&states, plan, NULL);
    return sizeof states + buffers + bitmap_count(plan->puzzle) * states.words * sizeof(uint64_t);
}

static uint64_t exact_memory(const struct retrograde_plan *plan, unsigned width)
{
    struct states states;
    const uint64_t buffers = lay_out(&states, plan, NULL);
    return sizeof states + buffers + width * 64 * states.words;
}

static uint64_t at_once_memory(const struct retrograde_plan *plan, unsigned width)
{
    return exact_memory(plan, width) + pages_bytes(plan->puzzle->scratch);
}

static bool allocate(struct states *states, const struct retrograde_plan *plan)
{
    states->memory = calloc(1, lay_out(states, plan, NULL));
    if (states->memory != NULL)
        lay_out(states, plan, states->memory);
    return states->memory != NULL;
}

static bool allocate_bitmaps(struct retrograde *search, const struct retrograde_plan *plan)
{
    struct states *states = states_of(search);
    if (!allocate(states, plan))
        return false;
    const uint64_t bytes = bitmap_count(plan->puzzle) * states->words * sizeof *states->bitmaps;
    states->bitmaps = pages_take(bytes);
    if (states->bitmaps == NULL)
        return false;
    pages_fill(states->bitmaps, 0, bytes, &search->team);
    states->frontier = states->bitmaps;
    states->next = states->frontier + states->words;
    states->visited = states->next + states->words;
    states->low = states->visited + states->words;
    states->high = plan->puzzle->coloured ? NULL : states->low + states->words;
    return true;
}

static bool allocate_exact(struct retrograde *search, const struct retrograde_plan *plan)
{
    struct states *states = states_of(search);
    return allocate(states, plan) && exact_create(&states->exact, 64 * states->words, &search->team);
}

static bool allocate_at_once(struct retrograde *search, const struct retrograde_plan *plan)
{
    const uint64_t bytes = plan->puzzle->scratch;
    void *scratch = states_of(search)->scratch = bytes > 0 ? pages_take(bytes) : NULL;
    return (bytes == 0 || scratch != NULL) && allocate_exact(search, plan);
}

static void release(struct retrograde *search)
{
    struct states *states = states_of(search);
    free(states->bitmaps);
    free(states->scratch);
    exact_free(&states->exact);
    free(states->memory);
}

/* Makes room for greater distances: so many bytes for each. */
static pdb_status widen(struct retrograde *search, unsigned width, pdb_error *error)
{
    struct exact *exact = &states_of(search)->exact;
    pdb_status status = retrograde_charge(search, (width - exact->width) * exact->states, exact_max(exact->width),
                                          error);
    if (status == PDB_OK && !exact_widen(exact, width))
        status = error_no_memory(error, "the search", width * exact->states);
    return status;
}

/* -- layer 0 -- */

static pdb_status put_goals(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    (void)error;
    for (size_t i = 0; i < count; i++) {
        uint64_t state = index[i]; /* it is the visitor's own to change */
        states_put(context, &state, 1, 0);
    }
    return PDB_OK;
}

static pdb_status take_goals(struct retrograde *search, pdb_error *error)
{
    pdb_status status = retrograde_goals(search, put_goals, search, error);
    if (status == PDB_OK)
        states_take(states_of(search), 0);
    return status;
}

/* -- layer by layer -- */

/* Is there room for the distance of a layer? In bitmaps there is for any. */
static bool holds(const struct states *states, uint64_t depth)
{
    return states->bitmaps != NULL || depth <= exact_max(states->exact.width);
}

/* The next layer is made first and looked at afterwards: a layer that nothing can hold is no harm while it is empty.
 * One that is not is dropped, and made again with more room. */
static pdb_status next_layer(struct retrograde *search, struct watch *watch, bool *done, pdb_error *error)
{
    struct states *states = states_of(search);
    const uint64_t depth = search->state->depth + 1;
    pdb_status (*expand)(struct states *, struct watch *, bool *) = states->thin ? states_push : states_expand;
    pdb_status status = expand(states, watch, done);
    if (status == PDB_OK && !*done && !holds(states, depth)) {
        states_drop(states);
        status = widen(search, 2 * states->exact.width, error);
        if (status == PDB_OK)
            status = expand(states, watch, done);
    }
    if (status == PDB_OK && !*done)
        (states->thin ? states_take_list : states_take)(states, depth);
    return status;
}

/* -- all layers at once -- */

static bool look_at_once(void *context, double done)
{
    struct watch *watch = context;
    watch_look(watch, done);
    return !watch->stopped;
}

/* False where the watch was stopped. */
static bool find_all(struct retrograde *search, struct watch *watch)
{
    const struct puzzle *puzzle = search->puzzle;
    struct states *states = states_of(search);
    if (puzzle->family->space.masks == NULL)
        return puzzle->family->space.distances(puzzle, search->portable, search->team.threads, states->exact.narrow,
                                               states->scratch, look_at_once, watch);
    struct masks_job job = {.bits = (unsigned)__builtin_ctzll(puzzle->states),
                            .meet = masks_meet_of(search->portable),
                            .team = &search->team,
                            .distance = states->exact.narrow,
                            .observer = look_at_once,
                            .context = watch};
    job.masks = puzzle->family->space.masks(puzzle, &job.mask);
    return masks_pass(&job);
}

void retrograde_note_all(struct retrograde *search)
{
    struct search_state *state = search->state;
    state->reached = search->puzzle->states - state->histogram[UINT8_MAX];
    state->histogram[UINT8_MAX] = 0;
    while (state->histogram[state->depth + 1] > 0)
        state->depth++;
    state->layer = state->histogram[state->depth];
}

/* The array, which has a distance for the goals alone, becomes that of all distances: all layers are one.
 * What a layer-by-layer search would have noted on the way is counted afterwards. Stopped, the search goes back to its
 * beginning, for what the array holds then means nothing. */
static pdb_status all_layers(struct retrograde *search, struct watch *watch, bool *done, pdb_error *error)
{
    const struct puzzle *puzzle = search->puzzle;
    struct exact *exact = &states_of(search)->exact;
    struct search_state *state = search->state;
    *done = find_all(search, watch);
    if (!*done) {
        exact_clear(exact, &search->team);
        state->reached = 0;
        pdb_status status = take_goals(search, error);
        return status != PDB_OK ? status : PDB_INTERRUPTED;
    }
    exact_count(exact, puzzle->states, &search->team, state->histogram);
    retrograde_note_all(search);
    return PDB_OK;
}

/* -- keeping, going on -- */

static size_t bitmaps_parts(struct retrograde *search, struct memory_part parts[RETROGRADE_PARTS_MAX])
{
    struct states *states = states_of(search);
    const uint64_t size = states->words * sizeof(uint64_t);
    states_spread(states);
    parts[0] = (struct memory_part){states->frontier, size};
    parts[1] = (struct memory_part){states->visited, size};
    parts[2] = (struct memory_part){states->low, size};
    parts[3] = (struct memory_part){states->high, size};
    return states->high == NULL ? 3 : 4;
}

static size_t exact_parts(struct retrograde *search, struct memory_part parts[RETROGRADE_PARTS_MAX])
{
    const struct exact *exact = &states_of(search)->exact;
    states_spread(states_of(search));
    parts[0] = (struct memory_part){exact->narrow, exact->width * exact->states};
    return 1;
}

/* Once a distance did not do in a byte, each has two; or four. */
static bool exact_fit(struct retrograde *search, const uint64_t *size, size_t count)
{
    const struct exact *exact = &states_of(search)->exact;
    for (unsigned width = exact->width; count == 1 && width <= 4; width *= 2)
        if (size[0] == width * exact->states)
            return width == exact->width || widen(search, width, NULL) == PDB_OK;
    return false;
}

/* It is at its beginning, or done. */
static size_t at_once_parts(struct retrograde *search, struct memory_part parts[RETROGRADE_PARTS_MAX])
{
    (void)search, (void)parts;
    return 0;
}

static bool resume(struct retrograde *search)
{
    struct states *states = states_of(search);
    const struct search_state *state = search->state;
    uint64_t sum = 0, layer = 0, visited = 0;
    uint64_t stray = 0; /* bits of the frontier that were not visited, or of no state */
    states->thin = false;
    if (!holds(states, state->depth))
        return false;
    for (uint64_t d = 0; d <= state->depth; d++)
        sum += state->histogram[d];
    for (uint64_t chunk = 0; chunk < states->chunks; chunk++) {
        uint64_t before = layer;
        for (uint64_t w = chunk * RETROGRADE_CHUNK; w < (chunk + 1) * RETROGRADE_CHUNK; w++) {
            const uint64_t seen = visited_word(states, w), front = frontier_word(states, w);
            stray |= (front & ~seen) | (seen & ~states_of_word(states, w));
            layer += (unsigned)__builtin_popcountll(front);
            visited += (unsigned)__builtin_popcountll(seen);
        }
        states->active[chunk] = layer != before;
    }
    const bool weighted = search->puzzle->family->index.weights != NULL;
    return stray == 0 && visited == state->reached && layer == state->layer &&
           (weighted ? sum >= visited : sum == visited);
}

/* -- the end -- */

/* The deepest layer is still the frontier. */
static size_t list_frontier(struct states *states)
{
    size_t count = 0;
    for (uint64_t w = 0; w < states->words; w++)
        for (uint64_t bits = states->frontier[w]; bits != 0; bits &= bits - 1) {
            if (count == RETROGRADE_HARDEST_MAX)
                return count;
            states->hardest[count++] = 64 * w + (unsigned)__builtin_ctzll(bits);
        }
    return count;
}

/* Frontier and next layer are free once the hardest states are listed, two bits a state: room for every encoding. */
static void bitmaps_finish(struct retrograde *search, struct retrograde_result *result)
{
    struct states *states = states_of(search);
    states_spread(states);
    result->hardest = states->hardest;
    result->hardest_kept = list_frontier(states);
    result->bytes = (const uint8_t *)states->low; /* which is the encoding of one bit */
    if (result->encoding == ENCODING_MOD4_1BIT)
        return;
    values_pack(result->encoding, search->puzzle->states, states->low, states->high, states->visited,
                (uint8_t *)states->bitmaps, &search->team);
    result->bytes = (const uint8_t *)states->bitmaps;
}

static void exact_finish(struct retrograde *search, struct retrograde_result *result)
{
    struct states *states = states_of(search);
    struct exact *exact = &states->exact;
    result->hardest = states->hardest;
    result->hardest_kept = exact_list(exact, search->state->depth, states->hardest, RETROGRADE_HARDEST_MAX);
    result->bytes = exact->narrow; /* it was made as wide as the deepest layer needs: if not narrow, it is packed */
    if (exact->width == 1)
        values_pack_distances(result->encoding, search->puzzle->states, exact->narrow, &search->team);
}

/* -- the ways -- */

const struct way way_by_states = {.text = "in layers state by state",
                                  .layout = "bitmaps",
                                  .size = sizeof(struct states),
                                  .memory = bitmaps_memory,
                                  .allocate = allocate_bitmaps,
                                  .release = release,
                                  .goals = take_goals,
                                  .layer = next_layer,
                                  .parts = bitmaps_parts,
                                  .resume = resume,
                                  .finish = bitmaps_finish};

const struct way way_by_exact = {.text = "in layers state by state",
                                 .layout = "exact distances",
                                 .size = sizeof(struct states),
                                 .memory = exact_memory,
                                 .allocate = allocate_exact,
                                 .release = release,
                                 .goals = take_goals,
                                 .layer = next_layer,
                                 .fit = exact_fit,
                                 .parts = exact_parts,
                                 .resume = resume,
                                 .finish = exact_finish};

const struct way way_at_once = {.text = "all at once",
                                .layout = "all distances at once",
                                .size = sizeof(struct states),
                                .memory = at_once_memory,
                                .allocate = allocate_at_once,
                                .release = release,
                                .goals = take_goals,
                                .layer = all_layers,
                                .parts = at_once_parts,
                                .resume = resume,
                                .finish = exact_finish};
