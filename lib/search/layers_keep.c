/* layers_keep.c -- what is kept of a search by layers: between runs, and at its end
 *
 * The planes are packed where they lie. A stretch of groups is arranged in the order of the indices, in bitmaps beside
 * the planes, and then packed to its place from the beginning of the planes on: at most two bits a state, behind which
 * the planes of the next stretch still stand, which take more.
 */
#include "layers_inner.h"

#include <stdlib.h>
#include <string.h>

/* Whole words, and whole bytes of every encoding, are packed where their states are a multiple of this. */
enum { STRETCH_UNIT = 320, STRETCH_STATES = 1 << 17 /* before a stretch is packed */ };

/* -- between runs -- */

size_t layers_parts(struct layers *layers, struct retrograde_part parts[RETROGRADE_PARTS_MAX])
{
    const struct layer_kernel *kernel = layers->kernel;
    struct layers_kept *kept = layers->kept;
    kept->last_count = layers_lowest(layers, &layers->last);
    memcpy(kept->last, layers->lowest, kept->last_count * sizeof *kept->last);
    kept->next_count = layers_lowest(layers, &layers->next);
    memcpy(kept->next, layers->lowest, kept->next_count * sizeof *kept->next);
    parts[0] = (struct retrograde_part){layers->state, sizeof *layers->state};
    parts[1] = (struct retrograde_part){kept, sizeof *kept};
    parts[2] = (struct retrograde_part){layers->plane, layers->planes * kernel->words * sizeof(uint64_t)};
    return 3;
}

const char *layers_layout(const struct layers *layers)
{
    return layers->planes == 2 ? "groups of planes, modulo 4" : "groups of planes, modulo 3";
}

/* What the planes of a group come to: states in each, and bits that contradict each other or stand for no state. */
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
    if (layers->puzzle->coloured)
        layers->puzzle->family->colours(layers->puzzle, &some, 1, &colour);
    return colour == (depth & 1);
}

/* Counts all planes, and marks the groups that may have states of the last layer, or of the next. */
static struct census take_census(struct layers *layers)
{
    const uint64_t depth = layers->state->depth;
    const unsigned last = layers_residue(layers, depth), next = layers_residue(layers, depth + 1);
    uint64_t plane0 = 0, plane1 = 0, plane2 = 0, stray = 0;
#pragma omp parallel for num_threads(layers->threads) schedule(static) reduction(+ : plane0, plane1, plane2)              \
    reduction(| : stray)
    for (uint64_t group = 0; group < layers->kernel->groups; group++) {
        struct census census = {0};
        count_group(layers, group, &census);
        layers->full[group] = 0;
        layers->news[group] = census.plane[last] > 0 && may_have(layers, group, depth);
        layers->next_news[group] = layers->kept->found > 0 && census.plane[next] > 0 &&
                                   may_have(layers, group, depth + 1);
        plane0 += census.plane[0];
        plane1 += census.plane[1];
        plane2 += census.plane[2];
        stray |= census.stray;
    }
    return (struct census){{plane0, plane1, plane2}, stray};
}

/* Are these the lowest states of a layer of `states`: ascending, as many as are kept, visited at that depth? */
static bool list_fits(const struct layers *layers, const uint64_t *index, uint64_t count, uint64_t states,
                      uint64_t depth)
{
    const struct layer_kernel *kernel = layers->kernel;
    if (count != (states < RETROGRADE_HARDEST_MAX ? states : RETROGRADE_HARDEST_MAX))
        return false;
    for (uint64_t i = 0; i < count; i++) {
        if (index[i] >= layers->puzzle->states || (i > 0 && index[i] <= index[i - 1]))
            return false;
        const uint64_t address = kernel->address(kernel, index[i]), word = address / 64;
        const uint64_t *plane = layers_plane(layers, word / LAYER_WORDS_MAX, layers_residue(layers, depth));
        if (!(plane[word % LAYER_WORDS_MAX] >> address % 64 & 1))
            return false;
    }
    return true;
}

/* Do the figures agree with one another, and the planes with them? */
static bool figures_fit(struct layers *layers)
{
    const struct search_state *state = layers->state;
    const struct layers_kept *kept = layers->kept;
    uint64_t expected[3] = {0}, sum = 0;
    if (state->depth >= HISTOGRAM_ROOM || state->layer != state->histogram[state->depth])
        return false;
    for (uint64_t d = 0; d <= state->depth; d++) {
        expected[layers_residue(layers, d)] += state->histogram[d];
        sum += state->histogram[d];
    }
    expected[layers_residue(layers, state->depth + 1)] += kept->found;
    if (sum != state->reached || state->layer == 0)
        return false;
    const struct census census = take_census(layers);
    return census.stray == 0 && memcmp(census.plane, expected, sizeof expected) == 0;
}

bool layers_resume(struct layers *layers)
{
    const struct search_state *state = layers->state;
    const struct layers_kept *kept = layers->kept;
    if (!figures_fit(layers) || !list_fits(layers, kept->last, kept->last_count, state->layer, state->depth) ||
        !list_fits(layers, kept->next, kept->next_count, kept->found, state->depth + 1))
        return false;
    layers_list(layers, &layers->last, kept->last, kept->last_count);
    layers_list(layers, &layers->next, kept->next, kept->next_count);
    return true;
}

/* -- the end -- */

/* Words of one plane's bitmap of a stretch, with the last group that goes into it, and one more that shifted words may
 * run into. */
static uint64_t stretch_words(const struct pdb_puzzle *puzzle, const struct layer_kernel *kernel)
{
    const uint64_t states = STRETCH_STATES + (uint64_t)kernel->words_max * kernel->bits;
    return (puzzle->states < states ? puzzle->states : states) / 64 + 2;
}

uint64_t layers_pack_bytes(const struct pdb_puzzle *puzzle, const struct layer_kernel *kernel)
{
    return layers_plane_count(puzzle) * stretch_words(puzzle, kernel) * sizeof(uint64_t);
}

/* Appends a bitmap of `states` bits, zeros behind them, to one that has `offset` bits and zeros behind them. */
static void append_bitmap(uint64_t *bitmap, uint64_t offset, const uint64_t *bits, uint32_t states)
{
    uint64_t *word = bitmap + offset / 64;
    const unsigned shift = offset % 64;
    for (uint32_t i = 0; i < (states + 63) / 64; i++) {
        word[i] |= bits[i] << shift;
        if (shift > 0 && bits[i] >> (64 - shift) != 0)
            word[i + 1] |= bits[i] >> (64 - shift);
    }
}

/* A stretch: its planes' bitmaps, `words` apart, the states in them, and those packed before. */
struct stretch {
    uint64_t *bitmap, words, states, packed;
};

/* Appends a group. */
static void arrange(const struct layers *layers, uint64_t group, struct stretch *stretch)
{
    const struct layer_kernel *kernel = layers->kernel;
    const uint32_t states = kernel->states(kernel, group);
    uint64_t bits[LAYER_WORDS_MAX];
    for (unsigned p = 0; p < layers->planes; p++) {
        kernel->arrange(kernel, group, layers_plane(layers, group, p), bits);
        append_bitmap(stretch->bitmap + p * stretch->words, stretch->states, bits, states);
    }
    stretch->states += states;
}

static void pack_bitmaps(const struct layers *layers, enum encoding encoding, const struct stretch *stretch,
                         uint64_t states, uint8_t *bytes)
{
    uint64_t *reached = stretch->bitmap, *low = reached + stretch->words,
             *high = layers->planes == 3 ? low + stretch->words : NULL;
    if (encoding == ENCODING_MOD4_1BIT) {
        memcpy(bytes, low, encoding_bytes(encoding, states));
        return;
    }
    for (uint64_t w = 0; w < (states + 63) / 64; w++)
        reached[w] |= low[w] | (high == NULL ? 0 : high[w]);
    values_pack(encoding, states, low, high, reached, bytes, 1);
}

/* Packs the first states of a stretch: a multiple of STRETCH_UNIT, or all. The others move up. */
static void pack_stretch(struct layers *layers, enum encoding encoding, struct stretch *stretch, uint64_t states)
{
    const uint64_t words = stretch->words, gone = (states + 63) / 64;
    pack_bitmaps(layers, encoding, stretch, states,
                 (uint8_t *)layers->plane + encoding_bytes(encoding, stretch->packed));
    for (unsigned p = 0; p < layers->planes; p++) {
        uint64_t *bitmap = stretch->bitmap + p * words;
        memmove(bitmap, bitmap + gone, (words - gone) * sizeof *bitmap);
        memset(bitmap + words - gone, 0, gone * sizeof *bitmap);
    }
    stretch->packed += states;
    stretch->states -= states;
}

static void pack(struct layers *layers, enum encoding encoding)
{
    struct stretch stretch = {layers->bitmap, stretch_words(layers->puzzle, layers->kernel), 0, 0};
    memset(stretch.bitmap, 0, layers_pack_bytes(layers->puzzle, layers->kernel));
    for (uint64_t group = 0; group < layers->kernel->groups; group++) {
        arrange(layers, group, &stretch);
        if (stretch.states >= STRETCH_STATES)
            pack_stretch(layers, encoding, &stretch, stretch.states / STRETCH_UNIT * STRETCH_UNIT);
    }
    pack_stretch(layers, encoding, &stretch, stretch.states);
}

void layers_finish(struct layers *layers, struct retrograde_result *result)
{
    const struct search_state *state = layers->state;
    const bool all = state->reached == layers->puzzle->states;
    if (layers->planes == 2)
        result->encoding = all ? ENCODING_MOD4_1BIT : ENCODING_MOD4_2BIT;
    else
        result->encoding = all ? ENCODING_MOD3_5PERBYTE : ENCODING_MOD3_2BIT;
    result->reachable = state->reached;
    result->depths = state->depth + 1;
    result->histogram = state->histogram;
    result->hardest_kept = layers_lowest(layers, &layers->last);
    result->hardest = layers->lowest;
    pack(layers, result->encoding);
    result->bytes = (const uint8_t *)layers->plane;
}
