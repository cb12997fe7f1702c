/* layers.c -- layers of sliding puzzles a word at a time: groups, their sources, and states' places */
#include "lib/families/shared/layers/multiset.h"
#include "layers.h"

#include <stdlib.h>
#include <string.h>

static const struct slide_layers *layers_of(const struct layer_kernel *kernel)
{
    return (const struct slide_layers *)kernel;
}

/* n! / k!, which is below 2^63 as n is at most ORDER_MAX_LEHMER. */
static uint64_t falling(unsigned n, unsigned k)
{
    uint64_t product = 1;
    for (; n > k; n--)
        product *= n;
    return product;
}

/* -- groups -- */

/* Orders of a block that begin with the same digits: those of a group, or with fewer digits of a slab. For moves that
 * turn a pair's orders odd the pair is relabelled first. */
struct view {
    uint32_t block;
    unsigned digits;
    uint64_t prefixes; /* views of a block that there are */
    uint8_t digit[ORDER_MAX_LEHMER];
    unsigned parity; /* of the digits' sum */
    int pair;        /* the smaller name's place among the inner things; -1 where the prefix took the relabelling */
};

static struct view view_of(const struct slide_layers *layers, unsigned digits, uint64_t prefixes, uint64_t number)
{
    struct view view = {.block = (uint32_t)(number / prefixes), .digits = digits, .prefixes = prefixes};
    layer_digits(number % prefixes, layers->things, digits, view.digit);
    view.parity = layer_parity(view.digit, digits);
    return view;
}

static struct view group_view(const struct slide_layers *layers, uint64_t group)
{
    return view_of(layers, layers->prefix, layers->prefixes, group);
}

static struct view relabelled(const struct slide_layers *layers, const struct view *view)
{
    struct view other = *view;
    other.pair = slide_layer_relabel(other.digit, view->digits, layers->slide->order.pair);
    other.parity = layer_parity(other.digit, view->digits);
    return other;
}

static bool is_pair(const struct slide_layers *layers)
{
    return layers->slide->order.kind == ORDER_PAIR;
}

/* -- sources -- */

/* Does a thing cross the border of what a view fixes? */
static bool crosses(const struct view *view, const struct layer_window *window)
{
    return (window->from < view->digits) != (window->to < view->digits);
}

/* The prefix's digits once the thing has gone as far as it does in the prefix. Returns the edge, the last of them:
 * where the thing comes over the border, the digit of the thing before it; where it goes over, its own there. */
static unsigned carry_prefix(const struct view *view, const struct layer_window *window, uint8_t *digit)
{
    const unsigned last = view->digits - 1;
    memcpy(digit, view->digit, view->digits);
    if (window->from < view->digits)
        layer_carry(digit, window->from, window->to < last ? window->to : last);
    return crosses(view, window) ? digit[last] : 0;
}

/* The views a move asks. Where it crosses the prefix's border, slots are the digits that there may be at the prefix's
 * end then, all but the edge. Returns how many. */
static size_t move_sources(const struct slide_layers *layers, const struct view *view, const struct layer_move *move,
                           uint64_t *source)
{
    const struct layer_window *window = move->window;
    const unsigned last = view->digits - 1, slots = crosses(view, window) ? layers->things - view->digits : 1;
    uint8_t carried[ORDER_MAX_LEHMER];
    const unsigned edge = carry_prefix(view, window, carried);
    for (unsigned slot = 0; slot < slots; slot++) {
        uint8_t digit[ORDER_MAX_LEHMER];
        memcpy(digit, carried, view->digits);
        if (crosses(view, window))
            digit[last] = (uint8_t)(slot + (slot >= edge));
        if (crosses(view, window) && window->from > window->to)
            layer_carry(digit, last, window->to);
        source[slot] = move->target * view->prefixes + layer_number(digit, layers->things, view->digits);
    }
    return slots;
}

static size_t view_sources(const struct slide_layers *layers, const struct view *view, uint64_t *source)
{
    const struct view odd = is_pair(layers) ? relabelled(layers, view) : *view;
    const struct slide_block *block = &layers->slide->block[view->block];
    size_t count = 0;
    for (unsigned m = 0; m < block->moves; m++) {
        const struct layer_move *move = &layers->move[block->first_move + m];
        count += move_sources(layers, move->window->odd ? &odd : view, move, source + count);
    }
    return count;
}

static size_t slide_layer_sources(const struct layer_kernel *kernel, uint64_t group, uint64_t *source)
{
    const struct slide_layers *layers = layers_of(kernel);
    const struct view view = group_view(layers, group);
    return view_sources(layers, &view, source);
}

static size_t slide_layer_slab_sources(const struct layer_kernel *kernel, unsigned digits, uint64_t slab,
                                       uint64_t *source)
{
    const struct slide_layers *layers = layers_of(kernel);
    const struct view view = view_of(layers, digits, falling(layers->things, layers->things - digits), slab);
    return view_sources(layers, &view, source);
}

/* -- pulling -- */

/* Adds what one move finds in a sheet. source[] are the move's; the rows of the sheet asked begin at `first`. */
static void pull_move(const struct layer_sheet *sheet, const struct view *view, const struct layer_move *move,
                      const uint64_t *const *source, unsigned first)
{
    static const uint64_t nothing[LAYER_ROWS_MAX];
    struct layer_asked asked = {.window = move->window};
    uint8_t carried[ORDER_MAX_LEHMER];
    bool any = false;
    for (unsigned slot = 0; slot < move->window->slots; slot++) {
        asked.rows[slot] = source[slot] == NULL ? nothing : source[slot] + first;
        any |= source[slot] != NULL;
    }
    if (!any)
        return;
    asked.edge = carry_prefix(view, move->window, carried);
    sheet->layers->code->pull(sheet, &asked);
}

/* All moves of one parity, or of both (parity 2), into a sheet. */
static void pull_moves(const struct layer_sheet *sheet, const struct view *view, const uint64_t *const *source,
                       unsigned number, unsigned parity)
{
    const struct slide_layers *layers = sheet->layers;
    const struct slide_block *block = &layers->slide->block[view->block];
    for (unsigned m = 0; m < block->moves; m++) {
        const struct layer_move *move = &layers->move[block->first_move + m];
        const unsigned other = layers->sheets == 2 ? number ^ move->window->odd : 0;
        if (parity == 2 || move->window->odd == (parity == 1))
            pull_move(sheet, view, move, source, other * layers->rows);
        source += move->window->slots;
    }
}

/* A pair's odd moves: asked for by the orders' odd names, and what is found is named evenly again. */
static void pull_relabelled(const struct layer_sheet *even, const struct view *view, const uint64_t *const *source)
{
    const struct slide_layers *layers = even->layers;
    /* Name the group's orders oddly: the prefix may take that already, and the rows are the same then. */
    const struct view other = relabelled(layers, view);
    uint64_t want[LAYER_ROWS_MAX], found[LAYER_ROWS_MAX];
    struct layer_sheet odd = {layers, even->want, even->found, 1 ^ other.parity};
    if (other.pair < 0) {
        pull_moves(&odd, &other, source, 0, 1);
        return;
    }
    /* Else what is wanted changes places with its pair's names, */
    odd.want = want;
    odd.found = want;
    layers->code->relabel(&odd, (unsigned)other.pair, even->want);
    /* is asked for, */
    odd.found = found;
    memset(found, 0, layers->rows * sizeof *found);
    pull_moves(&odd, &other, source, 0, 1);
    /* and what is found goes back to its even names. */
    const struct layer_sheet named = {layers, even->want, want, even->parity};
    layers->code->relabel(&named, (unsigned)other.pair, found);
    for (unsigned row = 0; row < layers->rows; row++)
        even->found[row] |= want[row];
}

static void slide_layer_pull(const struct layer_kernel *kernel, uint64_t group, const uint64_t *const *source,
                             const uint64_t *want, uint64_t *found)
{
    const struct slide_layers *layers = layers_of(kernel);
    const struct view view = group_view(layers, group);
    memset(found, 0, kernel->words_max * sizeof *found);
    for (unsigned number = 0; number < layers->sheets; number++) {
        const unsigned parity = layers->sheets == 2 ? number : layers->slide->block[view.block].parity;
        const struct layer_sheet sheet = {layers, want + number * layers->rows, found + number * layers->rows,
                                          (is_pair(layers) ? 0 : parity) ^ view.parity};
        pull_moves(&sheet, &view, source, number, is_pair(layers) ? 0 : 2);
        if (is_pair(layers))
            pull_relabelled(&sheet, &view, source);
    }
}

/* -- places -- */

/* The parity of the digits of a row's bit but the last two, counted from the group's. */
static unsigned bit_parity(const struct slide_layers *layers, uint64_t group, unsigned row, unsigned bit)
{
    return group_view(layers, group).parity ^ layers->row_parity[row] ^ (unsigned)(layers->odd_bits >> bit & 1);
}

static uint32_t group_states(const struct layer_kernel *kernel)
{
    return kernel->words_max * LAYER_BITS;
}

static uint32_t slide_layer_states(const struct layer_kernel *kernel, uint64_t group)
{
    (void)group;
    return group_states(kernel);
}

static uint64_t slide_layer_address(const struct layer_kernel *kernel, uint64_t index)
{
    const struct slide_layers *layers = layers_of(kernel);
    const uint64_t group = index / group_states(kernel);
    const unsigned inner = (unsigned)(index % group_states(kernel)), half = layers->sheets == 2 ? inner / 2 : inner;
    const unsigned row = half / LAYER_BITS, bit = half % LAYER_BITS;
    const unsigned sheet = layers->sheets == 2 ? (inner & 1) ^ bit_parity(layers, group, row, bit) : 0;
    return layer_address(group, sheet * layers->rows + row, bit);
}

static uint64_t slide_layer_index(const struct layer_kernel *kernel, uint64_t address)
{
    const struct slide_layers *layers = layers_of(kernel);
    const uint64_t group = address / 64 / LAYER_WORDS_MAX;
    const unsigned word = (unsigned)(address / 64 % LAYER_WORDS_MAX), bit = address % 64;
    const unsigned row = word % layers->rows, half = row * LAYER_BITS + bit;
    if (layers->sheets == 1)
        return group * group_states(kernel) + half;
    return group * group_states(kernel) + 2 * half + ((word >= layers->rows) ^ bit_parity(layers, group, row, bit));
}

/* -- in the order of the indices -- */

/* Writes up to 64 bits from bit `at` on; what is behind them is zeros so far. Returns where they end. */
static size_t write_bits(uint64_t *bitmap, size_t at, uint64_t bits, unsigned count)
{
    if (at % 64 == 0)
        bitmap[at / 64] = bits;
    else
        bitmap[at / 64] |= bits << at % 64;
    if (at % 64 + count > 64)
        bitmap[at / 64 + 1] = bits >> (64 - at % 64);
    return at + count;
}

/* Every other bit of a word: bit i goes to bit 2 i, up to bit 31. */
static uint64_t every_other(uint64_t bits)
{
    bits &= 0xFFFFFFFF;
    bits = (bits | bits << 16) & 0x0000FFFF0000FFFF;
    bits = (bits | bits << 8) & 0x00FF00FF00FF00FF;
    bits = (bits | bits << 4) & 0x0F0F0F0F0F0F0F0F;
    bits = (bits | bits << 2) & 0x3333333333333333;
    return (bits | bits << 1) & 0x5555555555555555;
}

static void slide_layer_arrange(const struct layer_kernel *kernel, uint64_t group, const uint64_t *words,
                                uint64_t *bitmap)
{
    enum { HALF = LAYER_BITS / 2 };
    const struct slide_layers *layers = layers_of(kernel);
    const unsigned parity = group_view(layers, group).parity;
    size_t at = 0;
    for (unsigned row = 0; layers->sheets == 1 && row < layers->rows; row++)
        at = write_bits(bitmap, at, words[row], LAYER_BITS);
    /* Of two orders 2 h and 2 h + 1, which differ in the last two things, one is in each sheet. */
    for (unsigned row = 0; layers->sheets == 2 && row < layers->rows; row++) {
        const uint64_t even = words[row], odd = words[layers->rows + row];
        const uint64_t odd_bits = parity ^ layers->row_parity[row] ? ~layers->odd_bits : layers->odd_bits;
        const uint64_t first = (even & ~odd_bits) | (odd & odd_bits), second = (even & odd_bits) | (odd & ~odd_bits);
        const uint64_t low = layer_low(HALF);
        at = write_bits(bitmap, at, every_other(first & low) | every_other(second & low) << 1, LAYER_BITS);
        at = write_bits(bitmap, at, every_other(first >> HALF) | every_other(second >> HALF) << 1, LAYER_BITS);
    }
}

/* -- making one -- */

static void slide_layers_free(struct layer_kernel *kernel)
{
    struct slide_layers *layers = (struct slide_layers *)kernel;
    for (unsigned i = 0; layers->window != NULL && i < layers->things * layers->things; i++) {
        free(layers->window[i].source);
        free(layers->window[i].permutation);
    }
    free(layers->window);
    free(layers->move);
    free(layers);
}

static void set_sizes(struct slide_layers *layers)
{
    const struct slide *slide = layers->slide;
    struct layer_kernel *kernel = &layers->kernel;
    layers->things = slide->ordered;
    layers->inner = layers->things < LAYER_LOW + LAYER_MIDDLE ? layers->things : LAYER_LOW + LAYER_MIDDLE;
    layers->prefix = layers->things - layers->inner;
    layers->middle = layers->inner - LAYER_LOW;
    layers->rows = (unsigned)falling(layers->inner, LAYER_LOW);
    layers->sheets = slide->order.kind == ORDER_DISTINCT ? 2 : 1;
    layers->prefixes = falling(layers->things, layers->inner);
    kernel->groups = slide->blocks * layers->prefixes;
    kernel->words_max = layers->sheets * layers->rows;
    kernel->words = kernel->groups * kernel->words_max;
    kernel->bits = LAYER_BITS;
}

static uint64_t slide_layer_slab(const struct layer_kernel *kernel, unsigned digits)
{
    const struct slide_layers *layers = layers_of(kernel);
    return digits > layers->prefix ? 0 : layers->prefixes / falling(layers->things, layers->things - digits);
}

/* The moves of a block, those of each kind of window together, from cheap to dear. */
static bool make_moves(struct slide_layers *layers, const struct slide_block *block)
{
    struct layer_kernel *kernel = &layers->kernel;
    struct layer_move *next = layers->move + block->first_move;
    uint32_t sources = 0;
    for (unsigned kind = WINDOW_PLAIN; kind <= WINDOW_BITS; kind++)
        for (unsigned m = 0; m < block->moves; m++) {
            const struct slide_move *move = &layers->slide->move[block->first_move + m];
            struct layer_window *window = &layers->window[move->from * layers->things + move->to];
            if (!slide_layer_window_make(layers, move->from, move->to))
                return false;
            if (window->kind != kind)
                continue;
            *next++ = (struct layer_move){move->target, window};
            sources += window->slots;
        }
    if (kernel->sources_max < sources)
        kernel->sources_max = sources;
    if (kernel->slab_sources_max < block->moves * layers->things)
        kernel->slab_sources_max = block->moves * layers->things;
    return true;
}

static bool make_tables(struct slide_layers *layers)
{
    const struct slide *slide = layers->slide;
    const uint64_t windows = layers->things * layers->things;
    const struct slide_block *last = &slide->block[slide->blocks - 1];
    const uint64_t moves = last->first_move + last->moves;
    layers->window = calloc(windows, sizeof *layers->window);
    layers->move = calloc(moves + 1, sizeof *layers->move);
    if (layers->window == NULL || layers->move == NULL)
        return false;
    layers->kernel.bytes = sizeof *layers + windows * sizeof *layers->window + (moves + 1) * sizeof *layers->move;
    slide_layer_tables_make(layers);
    bool made = true;
    for (uint32_t block = 0; made && block < slide->blocks; block++)
        made = make_moves(layers, &slide->block[block]);
    return made;
}

pdb_status slide_layer_multiset_make(const struct slide *slide, bool portable, uint32_t group_states,
                                     struct layer_kernel **out, pdb_error *error)
{
    const struct slide_block *last = &slide->block[slide->blocks - 1];
    const size_t moves = last->first_move + (size_t)last->moves;
    uint16_t members[ORDER_MAX_THINGS];
    struct order_move *move = malloc(moves * sizeof *move + 1);
    uint32_t *first = malloc((slide->blocks + (size_t)1) * sizeof *first);
    struct multiset_rules rules = {slide->order.classes, members, LAYER_NO_CLASS, NULL, slide->blocks, first, move};
    pdb_status status = PDB_OK;
    if (move == NULL || first == NULL) {
        status = error_no_memory(error, "the search", moves * sizeof *move);
    } else {
        for (unsigned c = 0; c < slide->order.classes; c++)
            members[c] = slide->order.members[c];
        for (size_t m = 0; m < moves; m++)
            move[m] = (struct order_move){slide->move[m].target, slide->move[m].from, slide->move[m].to};
        for (uint32_t b = 0; b < slide->blocks; b++)
            first[b] = slide->block[b].first_move;
        first[slide->blocks] = (uint32_t)moves;
        status = multiset_layers_make(&rules, portable, group_states, out, error);
    }
    free(move);
    free(first);
    return status;
}

pdb_status slide_layers_make(const struct puzzle *puzzle, bool portable, uint64_t memory, struct layer_kernel **out,
                             pdb_error *error)
{
    const struct slide *slide = (const struct slide *)puzzle;
    (void)memory;
    *out = NULL;
    if (puzzle->keyed || puzzle->states == 0)
        return PDB_OK;
    if (slide->order.kind == ORDER_MULTISET)
        return slide_layer_multiset_make(slide, portable, 0, out, error);
    if (slide->ordered < LAYER_LOW)
        return PDB_OK;
    struct slide_layers *layers = calloc(1, sizeof *layers);
    if (layers == NULL)
        return error_no_memory(error, "the search", sizeof *layers);
    layers->slide = slide;
    layers->code = slide_layer_code(portable);
    layers->kernel.portable = portable;
    layers->kernel.run = 1;
    layers->kernel.slab = slide_layer_slab;
    layers->kernel.slab_sources = slide_layer_slab_sources;
    layers->kernel.free = slide_layers_free;
    layers->kernel.states = slide_layer_states;
    layers->kernel.address = slide_layer_address;
    layers->kernel.index = slide_layer_index;
    layers->kernel.sources = slide_layer_sources;
    layers->kernel.pull = slide_layer_pull;
    layers->kernel.arrange = slide_layer_arrange;
    set_sizes(layers);
    if (!make_tables(layers)) {
        const pdb_status status = error_no_memory(error, "the search", layers->kernel.bytes);
        slide_layers_free(&layers->kernel);
        return status;
    }
    *out = &layers->kernel;
    return PDB_OK;
}
