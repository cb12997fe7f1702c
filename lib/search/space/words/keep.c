/* keep.c -- what is kept of a search by layers: between runs, and at its end
 *
 * The planes are packed where they lie. Stretches of states, one for each thread, are arranged in the order of the
 * indices, in bitmaps beside the planes, and then packed to their places from the beginning of the planes on: at most
 * two bits a state, behind which the planes of the next groups still stand, which take more. The groups of a run that a
 * stretch ends in are kept aside for the next.
 *
 * Planes that are cut into runs are packed when they are asked for, a round of stretches of one slab at a time; so are
 * those that are shared out among ranks, a round of stretches at a time.
 */
#include "inner.h"

#include <stdlib.h>
#include <string.h>

/* -- between runs -- */

size_t layers_parts(struct retrograde *search, struct memory_part parts[RETROGRADE_PARTS_MAX])
{
    struct layers *layers = layers_of(search);
    parts[0] = (struct memory_part){layers->kept, sizeof *layers->kept};
    if (layers->runs == NULL) {
        parts[1] = (struct memory_part){layers->ghosts != NULL ? NULL : layers->plane,
                                        layers->planes * layers->kernel->words * sizeof(uint64_t)};
        return 2;
    }
    parts[1] = (struct memory_part){layers->runs->kept_run, layers->runs->count * sizeof *layers->runs->run};
    parts[2] = (struct memory_part){layers->runs->kept_done, runs_done_bytes(layers->runs)};
    return 3;
}

/* The lowest states of a list, in layers->lowest; of ranks, those of all on rank 0. */
static size_t lowest_of_all(struct layers *layers, struct layer_list *list)
{
    const size_t own = layers_lowest(layers, list);
    return layers->ghosts == NULL ? own : ranked_lowest(layers, own);
}

pdb_status layers_settle(struct retrograde *search, pdb_error *error)
{
    struct layers *layers = layers_of(search);
    struct layers_kept *kept = layers->kept;
    kept->last_count = lowest_of_all(layers, &layers->last);
    memcpy(kept->last, layers->lowest, kept->last_count * sizeof *kept->last);
    kept->next_count = lowest_of_all(layers, &layers->next);
    memcpy(kept->next, layers->lowest, kept->next_count * sizeof *kept->next);
    if (layers->runs == NULL)
        return PDB_OK;
    return layers->ghosts != NULL ? shared_settle(layers, error) : runs_settle(layers->runs, error);
}

void layers_kept(struct retrograde *search)
{
    if (layers_of(search)->runs != NULL)
        runs_keep(layers_of(search)->runs);
}

bool layers_crowded(const struct retrograde *search)
{
    const struct runs *runs = ((const struct layers *)search)->runs;
    return runs != NULL && runs->crowded;
}

void layers_hand_out(struct retrograde *search)
{
    if (layers_of(search)->runs != NULL)
        runs_hand_out(layers_of(search)->runs);
}

struct census {
    uint64_t plane[3], stray;
};

static void count_group(const struct layers *layers, uint64_t group, struct census *census)
{
    const uint32_t words = layers_words(layers, group);
    for (uint32_t w = 0; w < words; w++) {
        const uint64_t states = w + 1 < words ? layer_low(layers->kernel->bits) : layers_last(layers, group);
        uint64_t seen = 0;
        for (unsigned p = 0; p < layers->planes; p++) {
            const uint64_t bits = layers_plane(layers, group, p)[w];
            census->stray |= (bits & seen) | (bits & ~states);
            census->plane[p] += (unsigned)__builtin_popcountll(bits);
            seen |= bits;
        }
    }
}

/* May a group have states at this depth? With a colouring, two layers on end share a plane. */
static bool may_have(const struct layers *layers, uint64_t group, uint64_t depth)
{
    const uint64_t some = layers->kernel->index(layers->kernel, layer_address(group, 0, 0));
    uint8_t colour = depth & 1;
    if (layers->search.puzzle->coloured)
        layers->search.puzzle->family->index.colours(layers->search.puzzle, &some, 1, &colour);
    return colour == (depth & 1);
}

/* Counts all planes, and marks the groups that may have states of the last layer, or of the next. What cannot be read
 * counts as stray. */
static struct census take_census(struct layers *layers)
{
    const uint64_t depth = layers->search.state->depth;
    const unsigned last = layers_residue(layers, depth), next = layers_residue(layers, depth + 1);
    struct census all = {0}, before = {0}; /* the slab at hand */
    for (uint64_t group = 0; group < layers->kernel->groups && all.stray == 0; group++) {
        struct census census = {0};
        if (!layers_own(layers, group))
            continue;
        if (layers_hold(layers, group, NULL) != PDB_OK)
            return (struct census){.stray = 1};
        count_group(layers, group, &census);
        layers->full[group] = layers_words(layers, group) == 0;
        layers->news[group] = census.plane[last] > 0 && may_have(layers, group, depth);
        layers->next_news[group] = layers->kept->found > 0 && census.plane[next] > 0 &&
                                   may_have(layers, group, depth + 1);
        for (unsigned p = 0; p < 3; p++)
            all.plane[p] += census.plane[p];
        all.stray |= census.stray;
        if (layers->runs != NULL && (group + 1) % layers->runs->slab_groups == 0) {
            const uint64_t plane[3] = {all.plane[0] - before.plane[0], all.plane[1] - before.plane[1],
                                       all.plane[2] - before.plane[2]};
            all.stray |= !runs_count_slab(layers, group / layers->runs->slab_groups, plane);
            before = all;
        }
    }
    return all;
}

/* Are these the lowest states of a layer of `states`: ascending, as many as are kept, visited at that depth? */
static bool list_fits(struct layers *layers, const uint64_t *index, uint64_t count, uint64_t states, uint64_t depth)
{
    const struct layer_kernel *kernel = layers->kernel;
    if (count != (states < RETROGRADE_HARDEST_MAX ? states : RETROGRADE_HARDEST_MAX))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        if (index[i] >= layers->search.puzzle->states || (i > 0 && index[i] <= index[i - 1]))
            return false;
        const uint64_t address = kernel->address(kernel, index[i]), word = address / 64;
        if (!layers_own(layers, layer_group(address)))
            continue;
        if (layers_hold(layers, word / LAYER_WORDS_MAX, NULL) != PDB_OK)
            return false;
        const uint64_t *plane = layers_plane(layers, word / LAYER_WORDS_MAX, layers_residue(layers, depth));
        if (!(plane[word % LAYER_WORDS_MAX] >> address % 64 & 1))
            return false;
    }
    return true;
}

/* Do the figures agree with one another, and the planes with them? */
static bool figures_fit(struct layers *layers)
{
    const struct search_state *state = layers->search.state;
    const struct layers_kept *kept = layers->kept;
    uint64_t expected[3] = {0}, sum = 0;
    if (state->layer != state->histogram[state->depth])
        return false;
    for (uint64_t d = 0; d <= state->depth; d++) {
        expected[layers_residue(layers, d)] += state->histogram[d];
        sum += state->histogram[d];
    }
    expected[layers_residue(layers, state->depth + 1)] += kept->found;
    if (sum != state->reached || state->layer == 0)
        return false;
    const struct census census = take_census(layers);
    uint64_t number[4] = {census.plane[0], census.plane[1], census.plane[2], census.stray != 0};
    ranked_sum(layers, number, 4);
    return number[3] == 0 && memcmp(number, expected, sizeof expected) == 0;
}

bool layers_resume(struct retrograde *search)
{
    struct layers *layers = layers_of(search);
    const struct search_state *state = search->state;
    const struct layers_kept *kept = layers->kept;
    if (layers->runs != NULL && layers->ghosts != NULL)
        shared_resume(layers->runs);
    uint64_t misfits = layers->runs != NULL && !runs_resume(layers->runs);
    ranked_sum(layers, &misfits, 1);
    if (misfits > 0 || !figures_fit(layers))
        return false;
    misfits = !list_fits(layers, kept->last, kept->last_count, state->layer, state->depth) ||
              !list_fits(layers, kept->next, kept->next_count, kept->found, state->depth + 1);
    ranked_sum(layers, &misfits, 1);
    if (misfits > 0)
        return false;
    layers_list(layers, &layers->last, kept->last, kept->last_count);
    layers_list(layers, &layers->next, kept->next, kept->next_count);
    return true;
}

/* -- the end -- */

/* Words of one plane's bitmap of a stretch, and one more that shifted words may run into. */
static uint64_t stretch_words(const struct puzzle *puzzle)
{
    return (puzzle->states < LAYER_STRETCH_STATES ? puzzle->states : LAYER_STRETCH_STATES) / 64 + 2;
}

uint64_t layers_stretch_bytes(const struct puzzle *puzzle)
{
    return (puzzle->coloured ? 2 : 3) * stretch_words(puzzle) * sizeof(uint64_t);
}

/* Copies `count` bits from one bitmap, from a bit on, to another that has zeros from the bit `to` on. */
static void copy_bits(uint64_t *bitmap, uint64_t to, const uint64_t *bits, uint64_t from, uint64_t count)
{
    for (uint64_t done = 0; done < count; done += 64, from += 64, to += 64) {
        const uint64_t left = count - done;
        const unsigned shift = from % 64, out = to % 64;
        uint64_t word = bits[from / 64] >> shift;
        if (shift > 0 && left > 64 - shift)
            word |= bits[from / 64 + 1] << (64 - shift);
        word &= layer_low(left < 64 ? (uint32_t)left : 64);
        bitmap[to / 64] |= word << out;
        if (out > 0 && word >> (64 - out) != 0)
            bitmap[to / 64 + 1] |= word >> (64 - out);
    }
}

/* States of the groups that share a run of indices, from this one on. */
static uint64_t run_states(const struct layer_kernel *kernel, uint64_t group)
{
    uint64_t states = 0;
    for (unsigned i = 0; i < kernel->run; i++)
        states += kernel->states(kernel, group + i);
    return states;
}

/* A group's words in a plane, wherever they are. */
static const uint64_t *words_of(const struct layers *layers, uint64_t group, unsigned plane)
{
    const uint64_t begin = group - group % layers->kernel->run;
    if (layers->ghosts != NULL)
        return ghosts_window(layers->ghosts,
                             layers_first(layers, group) - layers_first(layers, layers->ghosts->range.first),
                             layers_words(layers, group), plane);
    if (begin != layers->cut_group)
        return layers_plane(layers, group, plane);
    return layers->cut + layers->planes * (layers_first(layers, group) - layers_first(layers, begin)) +
           plane * layers_words(layers, group);
}

/* A plane of a run, in the order of the indices. */
static void arrange_run(const struct layers *layers, uint64_t group, unsigned plane, uint64_t *bits)
{
    const struct layer_kernel *kernel = layers->kernel;
    if (kernel->run > 1)
        memset(bits, 0, (run_states(kernel, group) + 63) / 64 * sizeof *bits);
    for (unsigned i = 0; i < kernel->run; i++)
        kernel->arrange(kernel, group + i, words_of(layers, group + i, plane), bits);
}

/* Puts the states of a stretch into its bitmaps. */
static void arrange_stretch(void *context, unsigned thread, uint64_t number)
{
    const struct layers *layers = context;
    const struct layer_kernel *kernel = layers->kernel;
    const struct layer_stretch *stretch = &layers->workers[number].stretch;
    const uint64_t words = stretch_words(layers->search.puzzle);
    uint64_t bits[LAYER_WORDS_MAX], group = stretch->group, from = stretch->skipped, count;
    (void)thread;
    memset(stretch->bitmap, 0, layers_stretch_bytes(layers->search.puzzle));
    for (uint64_t done = 0; done < stretch->states; done += count, group += kernel->run, from = 0) {
        const uint64_t left = stretch->states - done, all = run_states(kernel, group) - from;
        count = left < all ? left : all;
        for (unsigned p = 0; p < layers->planes; p++) {
            arrange_run(layers, group, p, bits);
            copy_bits(stretch->bitmap + p * words, done, bits, from, count);
        }
    }
}

/* Packs a stretch to its place. */
static void pack_stretch(void *context, unsigned thread, uint64_t number)
{
    const struct layers *layers = context;
    const struct layer_stretch *stretch = &layers->workers[number].stretch;
    const enum encoding encoding = layers->encoding;
    (void)thread;
    const uint64_t words = stretch_words(layers->search.puzzle);
    uint64_t *reached = stretch->bitmap, *low = reached + words, *high = layers->planes == 3 ? low + words : NULL;
    uint8_t *bytes = layers->packed + encoding_bytes(encoding, stretch->first - layers->packed_first);
    if (encoding == ENCODING_MOD4_1BIT) {
        memcpy(bytes, low, encoding_bytes(encoding, stretch->states));
        return;
    }
    for (uint64_t w = 0; w < words; w++)
        reached[w] |= low[w] | (high == NULL ? 0 : high[w]);
    values_pack(encoding, stretch->states, low, high, reached, bytes, NULL);
}

void layers_pass_stretch(const struct layers *layers, struct layer_stretch *at)
{
    const struct layer_kernel *kernel = layers->kernel;
    at->first += at->states;
    at->skipped += at->states;
    for (; at->group < kernel->groups && at->skipped >= run_states(kernel, at->group); at->group += kernel->run)
        at->skipped -= run_states(kernel, at->group);
}

/* Keeps the planes of the run that the next stretch begins in, for what is packed before it may run into them. */
static void keep_cut_run(struct layers *layers, const struct layer_stretch *next)
{
    if (next->group == layers->cut_group || next->group == layers->kernel->groups)
        return;
    memcpy(layers->cut, layers_plane(layers, next->group, 0),
           layers->planes *
               (layers_first(layers, next->group + layers->kernel->run) - layers_first(layers, next->group)) *
               sizeof *layers->cut);
    layers->cut_group = next->group;
}

/* Where what is packed lies over the planes, first all are arranged, then all are packed. */
void layers_pack_round(struct layers *layers, struct layer_stretch *next, uint64_t states)
{
    unsigned stretches = 0;
    for (; stretches < layers->search.team.threads && states > 0; stretches++) {
        next->states = states < LAYER_STRETCH_STATES ? states : LAYER_STRETCH_STATES;
        next->bitmap = layers->workers[stretches].stretch.bitmap;
        layers->workers[stretches].stretch = *next;
        states -= next->states;
        layers_pass_stretch(layers, next);
    }
    team_run(layers_team(layers), stretches, arrange_stretch, layers);
    if (layers->packed == (uint8_t *)layers->plane)
        keep_cut_run(layers, next);
    team_run(layers_team(layers), stretches, pack_stretch, layers);
}

/* Packs the round that has the byte at `offset`, unless that is the last one that was packed. */
static const uint8_t *packed_when_asked(const void *context, uint64_t offset, uint64_t *run, pdb_error *error)
{
    struct layers *layers = *(struct layers *const *)context;
    const uint64_t state = offset / encoding_bytes(layers->encoding, RUNS_STATES) * RUNS_STATES;
    if (state - layers->packed_first >= layers->packed_states &&
        (layers->ghosts != NULL ? ranked_pack : runs_pack)(layers, state, error) != PDB_OK)
        return NULL;
    const uint64_t at = offset - encoding_bytes(layers->encoding, layers->packed_first);
    *run = encoding_bytes(layers->encoding, layers->packed_states) - at;
    return layers->packed + at;
}

pdb_status layers_pack(struct layers *layers, uint64_t first, uint64_t states, pdb_error *error)
{
    const uint64_t group_states = layers->kernel->states(layers->kernel, 0);
    struct layer_stretch next = {.first = first, .group = first / group_states, .skipped = first % group_states};
    const pdb_status status = layers_hold(layers, next.group, error);
    layers->packed_first = first;
    layers->packed_states = status == PDB_OK ? states : 0;
    if (status == PDB_OK)
        layers_pack_round(layers, &next, states);
    return status;
}

void layers_finish(struct retrograde *search, struct retrograde_result *result)
{
    struct layers *layers = layers_of(search);
    struct layer_stretch next = {0};
    result->hardest_kept = lowest_of_all(layers, &layers->last);
    result->hardest = layers->lowest;
    layers->encoding = result->encoding;
    layers->cut_group = UINT64_MAX;
    result->source = (struct byte_source){packed_when_asked, &layers->self};
    if (layers->ghosts != NULL)
        ghosts_end_layers(layers->ghosts);
    if (layers->runs != NULL || layers->ghosts != NULL)
        return;
    layers->packed = (uint8_t *)layers->plane;
    while (next.first < search->puzzle->states)
        layers_pack_round(layers, &next, search->puzzle->states - next.first);
    result->bytes = layers->packed;
}
