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
    digit[0] = (uint8_t)(bit / 12);
    digit[1] = (uint8_t)(bit / 3 % 4);
    digit[2] = (uint8_t)(bit % 3);
    digit[3] = (uint8_t)((digit[0] + digit[1] + digit[2] + (int)parity) & 1);
    digit[4] = 0;
}

static unsigned low_bit(const uint8_t *digit)
{
    return 12u * digit[0] + 3u * digit[1] + digit[2];
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

/* -- the middle digits of a row -- */

static void row_digits(const struct slide_layers *layers, unsigned row, uint8_t *digit)
{
    for (unsigned i = layers->middle; i-- > 0;) {
        const unsigned radix = layers->inner - i;
        digit[i] = (uint8_t)(row % radix);
        row /= radix;
    }
}

static unsigned row_of(const struct slide_layers *layers, const uint8_t *digit)
{
    unsigned row = 0;
    for (unsigned i = 0; i < layers->middle; i++)
        row = row * (layers->inner - i) + digit[i];
    return row;
}

/* -- windows -- */

/* How many edges a window's tables are made for. */
static unsigned edges(const struct slide_layers *layers, const struct layer_window *window)
{
    return window->crosses ? layers->inner + 1 : 1;
}

/* What lies between the prefix and the first low digit, tried: the digits edge, middle, first low one (or the thing's
 * own, which comes from there), with the window cut to them. Gives the source, with what the last digit became for its
 * part. */
static struct layer_source try_row(const struct slide_layers *layers, const struct layer_window *window, unsigned edge,
                                   unsigned row, unsigned digit)
{
    const unsigned before = layers->prefix, last = layers->middle + 1; /* things before tried[1]; the last one tried */
    uint8_t tried[ORDER_MAX_LEHMER] = {(uint8_t)edge};
    row_digits(layers, row, tried + 1);
    tried[last] = (uint8_t)digit;
    const unsigned from = window->from + 1u < before ? 0 : window->from + 1u - before,
                   to = window->to + 1u < before ? 0 : window->to + 1u - before;
    layer_carry(tried, from > last ? last : from, to > last ? last : to);
    const unsigned slot = !window->crosses ? 0 : tried[0] > edge ? tried[0] - 1u : tried[0];
    return (struct layer_source){(uint16_t)row_of(layers, tried + 1), (uint8_t)slot, tried[last]};
}

static bool make_rows(struct slide_layers *layers, struct layer_window *window)
{
    const unsigned rows = layers->rows;
    window->source = calloc(edges(layers, window) * rows, sizeof *window->source);
    for (unsigned edge = 0; window->source != NULL && edge < edges(layers, window); edge++)
        for (unsigned row = 0; row < rows; row++)
            window->source[edge * rows + row] = try_row(layers, window, edge, row, 0);
    return window->source != NULL;
}

static bool make_pieces(struct slide_layers *layers, struct layer_window *window)
{
    const unsigned pieces = layers->rows * LAYER_LOW;
    window->source = calloc(edges(layers, window) * pieces, sizeof *window->source);
    for (unsigned edge = 0; window->source != NULL && edge < edges(layers, window); edge++)
        for (unsigned i = 0; i < pieces; i++) {
            const unsigned number = i % LAYER_LOW;
            struct layer_source source = try_row(layers, window, edge, i / LAYER_LOW, number);
            /* Every step changes the sum of the digits by one, so the low ones' sum from here to the source's changes
             * by these. */
            const unsigned odd = (number + source.part + window->depth - 1u) & 1;
            source.part = (uint8_t)(window->from > window->to ? LAYER_RUN * source.part
                                                              : source.part + odd * LAYER_ODD);
            window->source[edge * pieces + i] = source;
        }
    return window->source != NULL;
}

static bool make_permutation(struct slide_layers *layers, struct layer_window *window)
{
    const unsigned first = layers->things - LAYER_LOW;
    window->permutation = calloc(2, sizeof *window->permutation);
    for (unsigned parity = 0; window->permutation != NULL && parity < 2; parity++) {
        uint8_t from[LAYER_BITS];
        for (unsigned bit = 0; bit < LAYER_BITS; bit++) {
            uint8_t digit[ORDER_MAX_LEHMER];
            low_digits(bit, parity, digit);
            layer_carry(digit, window->from - first, window->to - first);
            from[bit] = (uint8_t)low_bit(digit);
        }
        window->permutation[parity] = permutation_of(from);
    }
    return window->permutation != NULL;
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
    if (hi < low) {
        window->kind = WINDOW_ROWS;
        return make_rows(layers, window);
    }
    if (lo >= low) {
        window->kind = WINDOW_BITS;
        return make_permutation(layers, window);
    }
    window->kind = WINDOW_PIECES;
    window->depth = (uint8_t)(hi - low + 1);
    return make_pieces(layers, window);
}

uint64_t slide_layer_window_bytes(const struct slide_layers *layers, const struct layer_window *window)
{
    const uint64_t rows = (uint64_t)edges(layers, window) * layers->rows;
    switch (window->kind) {
    case WINDOW_ROWS:
        return rows * sizeof *window->source;
    case WINDOW_PIECES:
        return rows * LAYER_LOW * sizeof *window->source;
    case WINDOW_BITS:
        return 2 * sizeof *window->permutation;
    default:
        return 0;
    }
}

void slide_layer_windows_free(struct slide_layers *layers)
{
    for (unsigned i = 0; layers->window != NULL && i < layers->things * layers->things; i++) {
        free(layers->window[i].source);
        free(layers->window[i].permutation);
    }
    free(layers->window);
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
            row_digits(layers, row, digit);
            const int left = slide_layer_relabel(digit, layers->middle, (int)pair);
            layers->relabel_row[pair][row] = (uint16_t)(left < 0 ? row_of(layers, digit)
                                                                 : RELABEL_LOW + (unsigned)left);
        }
    for (unsigned pair = 0; pair + 1 < LAYER_LOW; pair++)
        for (unsigned parity = 0; parity < 2; parity++) {
            uint8_t from[LAYER_BITS];
            for (unsigned bit = 0; bit < LAYER_BITS; bit++) {
                uint8_t digit[ORDER_MAX_LEHMER];
                low_digits(bit, parity, digit);
                slide_layer_relabel(digit, LAYER_LOW, (int)pair);
                from[bit] = (uint8_t)low_bit(digit);
            }
            layers->relabel_bits[pair][parity] = permutation_of(from);
        }
}

void slide_layer_tables_make(struct slide_layers *layers)
{
    for (unsigned row = 0; row < layers->rows; row++) {
        uint8_t digit[ORDER_MAX_LEHMER] = {0};
        row_digits(layers, row, digit);
        layers->row_parity[row] = (digit[0] + digit[1] + digit[2]) & 1;
    }
    for (unsigned bit = 0; bit < LAYER_BITS; bit++) {
        uint8_t digit[ORDER_MAX_LEHMER];
        low_digits(bit, 0, digit);
        layers->odd_bits |= (uint64_t)digit[3] << bit; /* which makes the sum even */
    }
    make_masks(layers);
    make_relabelling(layers);
}
