/* tables.c -- layers of sliding puzzles a word at a time: what becomes of digits, found by trying */
#include "layers.h"

#include <stdlib.h>

/* -- masks and permutations -- */

/* How the bits of a mask close up: in step i those go down by 2^i that have an odd number of 2^i's of holes below. */
static struct layer_bits bits_of(uint64_t mask)
{
    struct layer_bits bits = {.mask = mask};
    uint64_t holes = ~mask << 1;
    for (unsigned i = 0; i < 6; i++) {
        uint64_t parity = holes; /* bit j: of the holes below j */
        for (unsigned shift = 1; shift < 64; shift *= 2)
            parity ^= parity << shift;
        const uint64_t move = bits.move[i] = parity & mask;
        mask = (mask ^ move) | move >> (1u << i);
        holes &= ~parity;
    }
    return bits;
}

/* The permutation that brings bit from[i] to bit i: in the fewest pieces, each bit going to
 * the first one whose last bit came from below. */
static struct layer_permutation permutation_of(const uint8_t from[LAYER_BITS])
{
    struct layer_permutation permutation = {0};
    uint64_t source[LAYER_PIECES_MAX] = {0}, target[LAYER_PIECES_MAX] = {0};
    bool identity = true;
    for (unsigned bit = 0; bit < LAYER_BITS; bit++) {
        unsigned piece = 0;
        while (source[piece] >> from[bit] != 0)
            piece++;
        source[piece] |= (uint64_t)1 << from[bit];
        target[piece] |= (uint64_t)1 << bit;
        identity &= from[bit] == bit;
        if (permutation.pieces <= piece)
            permutation.pieces = piece + 1;
    }
    for (unsigned piece = 0; piece < permutation.pieces; piece++) {
        permutation.from[piece] = bits_of(source[piece]);
        permutation.to[piece] = bits_of(target[piece]);
    }
    if (identity)
        permutation.pieces = 0;
    return permutation;
}

/* -- the low digits of a bit -- */

static void low_digits(unsigned bit, unsigned parity, uint8_t *digit)
{
    layer_digits(bit, LAYER_LOW, 3, digit);
    digit[3] = (layer_parity(digit, 3) ^ parity) & 1;
    digit[4] = 0;
}

/* What a carry or a relabelling does to the bits of a word whose low digits have this parity. */
typedef void low_change(uint8_t *digit, unsigned a, unsigned b);

static struct layer_permutation low_permutation(unsigned parity, low_change *change, unsigned a, unsigned b)
{
    uint8_t from[LAYER_BITS];
    for (unsigned bit = 0; bit < LAYER_BITS; bit++) {
        uint8_t digit[ORDER_MAX_LEHMER];
        low_digits(bit, parity, digit);
        change(digit, a, b);
        from[bit] = (uint8_t)layer_number(digit, LAYER_LOW, 3);
    }
    return permutation_of(from);
}

static void relabel_low(uint8_t *digit, unsigned digits, unsigned pair)
{
    slide_layer_relabel(digit, digits, (int)pair);
}

/* The masks: where a window reaches `depth` digits into the low part, which bits' thing, going to the front, leaves it
 * with which digit. */
static void make_masks(struct slide_layers *layers)
{
    for (unsigned depth = 1; depth <= LAYER_LOW; depth++)
        for (unsigned parity = 0; parity < 2; parity++) {
            uint64_t mask[LAYER_LOW] = {0};
            for (unsigned bit = 0; bit < LAYER_BITS; bit++) {
                uint8_t digit[ORDER_MAX_LEHMER];
                low_digits(bit, parity, digit);
                layer_carry(digit, depth - 1, 0);
                mask[digit[0]] |= (uint64_t)1 << bit;
            }
            for (unsigned d = 0; d < LAYER_LOW; d++)
                layers->mask[depth][parity * LAYER_ODD + d] = bits_of(mask[d]);
        }
}

/* -- windows -- */

/* What lies between the prefix and the first low digit, tried: the digits edge, middle, first low one (or the thing's
 * own, which comes from there), with the window cut to them. Gives the source, with what the last digit became for its
 * part. */
static struct layer_source try_row(const struct slide_layers *layers, const struct layer_window *window, unsigned edge,
                                   unsigned row, unsigned digit)
{
    const unsigned before = layers->prefix, last = layers->middle + 1; /* things before tried[1]; the last one tried */
    /* Lay the digits out, */
    uint8_t tried[ORDER_MAX_LEHMER] = {(uint8_t)edge};
    layer_digits(row, layers->inner, layers->middle, tried + 1);
    tried[last] = (uint8_t)digit;
    /* carry the thing through what the window has of them, */
    const unsigned from = window->from + 1u < before ? 0 : window->from + 1u - before,
                   to = window->to + 1u < before ? 0 : window->to + 1u - before;
    layer_carry(tried, from > last ? last : from, to > last ? last : to);
    /* and see where that leads. Of the digits that the edge may have become, its own is none. */
    const unsigned slot = !window->crosses ? 0 : tried[0] > edge ? tried[0] - 1u : tried[0];
    return (struct layer_source){(uint16_t)layer_number(tried + 1, layers->inner, layers->middle), (uint8_t)slot,
                                 tried[last]};
}

/* Where the words come from, or the pieces of each: tried for every edge and row. */
static bool make_sources(struct slide_layers *layers, struct layer_window *window)
{
    const unsigned parts = window->kind == WINDOW_PIECES ? LAYER_LOW : 1, count = layers->rows * parts;
    const unsigned edges = window->crosses ? layers->inner + 1 : 1;
    window->source = calloc(edges * count, sizeof *window->source);
    if (window->source == NULL)
        return false;
    layers->kernel.bytes += (uint64_t)edges * count * sizeof *window->source;
    for (unsigned i = 0; i < edges * count; i++) {
        const unsigned number = i % parts;
        struct layer_source source = try_row(layers, window, i / count, i % count / parts, number);
        /* Every step changes the sum of the digits by one, so the low ones' sum from here to the source's changes by
         * these. */
        const unsigned odd = (number + source.part + window->depth - 1u) & 1;
        if (window->from > window->to)
            source.part = (uint8_t)(LAYER_RUN * source.part);
        else
            source.part = (uint8_t)(source.part + odd * LAYER_ODD);
        window->source[i] = source;
    }
    return true;
}

static bool make_permutation(struct slide_layers *layers, struct layer_window *window)
{
    const unsigned first = layers->things - LAYER_LOW;
    window->permutation = calloc(2, sizeof *window->permutation);
    if (window->permutation == NULL)
        return false;
    layers->kernel.bytes += 2 * sizeof *window->permutation;
    for (unsigned parity = 0; parity < 2; parity++)
        window->permutation[parity] = low_permutation(parity, layer_carry, window->from - first, window->to - first);
    return true;
}

bool slide_layer_window_make(struct slide_layers *layers, unsigned from, unsigned to)
{
    struct layer_window *window = &layers->window[from * layers->things + to];
    const unsigned lo = from < to ? from : to, hi = from < to ? to : from;
    const unsigned middle = layers->prefix, low = middle + layers->middle; /* where they begin */
    if (window->slots > 0)
        return true;
    window->from = (uint8_t)from;
    window->to = (uint8_t)to;
    window->odd = (hi - lo) & 1;
    window->crosses = lo < middle && hi >= middle;
    window->slots = (uint8_t)(window->crosses ? layers->inner : 1);
    if (lo == hi || hi < middle)
        return true; /* WINDOW_PLAIN */
    window->kind = hi < low ? WINDOW_ROWS : lo < low ? WINDOW_PIECES : WINDOW_BITS;
    if (window->kind == WINDOW_BITS)
        return make_permutation(layers, window);
    if (window->kind == WINDOW_PIECES)
        window->depth = (uint8_t)(hi - low + 1);
    return make_sources(layers, window);
}

/* -- relabelling -- */

int slide_layer_relabel(uint8_t *digit, unsigned digits, int pair)
{
    for (unsigned i = 0; i < digits; i++) {
        if (digit[i] == pair || digit[i] == pair + 1) {
            digit[i] = (uint8_t)(2 * pair + 1 - digit[i]);
            return -1;
        }
        pair -= digit[i] < pair;
    }
    return pair;
}

static void make_relabelling(struct slide_layers *layers)
{
    for (unsigned pair = 0; pair + 1 < layers->inner; pair++)
        for (unsigned row = 0; row < layers->rows; row++) {
            uint8_t digit[ORDER_MAX_LEHMER];
            layer_digits(row, layers->inner, layers->middle, digit);
            const int left = slide_layer_relabel(digit, layers->middle, (int)pair);
            layers->relabel_row[pair][row] = (uint16_t)(left >= 0 ? RELABEL_LOW + (unsigned)left
                                                                  : layer_number(digit, layers->inner, layers->middle));
        }
    for (unsigned pair = 0; pair + 1 < LAYER_LOW; pair++)
        for (unsigned parity = 0; parity < 2; parity++)
            layers->relabel_bits[pair][parity] = low_permutation(parity, relabel_low, LAYER_LOW, pair);
}

void slide_layer_tables_make(struct slide_layers *layers)
{
    uint8_t digit[ORDER_MAX_LEHMER];
    for (unsigned row = 0; row < layers->rows; row++) {
        layer_digits(row, layers->inner, layers->middle, digit);
        layers->row_parity[row] = (uint8_t)layer_parity(digit, layers->middle);
    }
    for (unsigned bit = 0; bit < LAYER_BITS; bit++) {
        layer_digits(bit, LAYER_LOW, 3, digit);
        layers->odd_bits |= (uint64_t)layer_parity(digit, 3) << bit;
    }
    make_masks(layers);
    make_relabelling(layers);
}
