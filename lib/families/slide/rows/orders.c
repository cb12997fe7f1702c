/* orders.c -- rows of orders: units and empty cells in the cells that larger pieces leave */
#include "rows.h"

#include <stdlib.h>
#include <string.h>

/* -- making them -- */

unsigned rows_count_orders(const struct slide *slide)
{
    /* Class after class is put among those that are there already. */
    uint64_t orders = 1;
    unsigned things = slide->empties;
    for (unsigned k = 0; k < slide->units; k++)
        for (unsigned i = 1; i <= slide->kind[k].count; i++) {
            orders = orders * ++things / i;
            if (orders > ROW_BITS_MAX)
                return ROW_BITS_MAX + 1;
        }
    return (unsigned)orders;
}

/* The next order in lexicographic order, in place; there is one. */
static void advance(uint8_t *order, unsigned things)
{
    unsigned i = things - 1;
    while (i > 0 && order[i - 1] >= order[i])
        i--;
    if (i == 0)
        return;
    unsigned j = things - 1;
    while (order[j] <= order[i - 1])
        j--;
    const uint8_t held = order[i - 1];
    order[i - 1] = order[j];
    order[j] = held;
    for (unsigned a = i, b = things - 1; a < b; a++, b--) {
        const uint8_t first = order[a];
        order[a] = order[b];
        order[b] = first;
    }
}

/* -- from under one mask to under another: bits keep their sequence -- */

static void carry_portable(unsigned words, const uint64_t *states, const struct row *from, const struct row *to,
                           uint64_t *out)
{
    unsigned at = 0;
    uint64_t places = to->word[0];
    for (unsigned w = 0; w < words; w++)
        for (uint64_t left = from->word[w]; left != 0; left &= left - 1) {
            while (places == 0 && at + 1 < words)
                places = to->word[++at];
            if ((states[w] & left & -left) != 0)
                out[at] |= places & -places;
            places &= places - 1;
        }
}

#ifdef __x86_64__
#include <immintrin.h>

__attribute__((target("bmi2,popcnt"))) static void carry_bmi2(unsigned words, const uint64_t *states,
                                                              const struct row *from, const struct row *to,
                                                              uint64_t *out)
{
    uint64_t stream[ROW_WORDS_MAX + 1] = {0};
    unsigned at = 0;
    for (unsigned w = 0; w < words; w++) {
        const uint64_t bits = _pext_u64(states[w], from->word[w]);
        stream[at / 64] |= bits << at % 64;
        stream[at / 64 + 1] |= bits >> 1 >> (63 - at % 64);
        at += (unsigned)__builtin_popcountll(from->word[w]);
    }
    at = 0;
    for (unsigned w = 0; w < words; w++) {
        const uint64_t bits = stream[at / 64] >> at % 64 | stream[at / 64 + 1] << 1 << (63 - at % 64);
        out[w] |= _pdep_u64(bits, to->word[w]);
        at += (unsigned)__builtin_popcountll(to->word[w]);
    }
}
#endif

pdb_status rows_lay_orders(struct slide_rows *rows, bool portable, pdb_error *error)
{
    const struct slide *slide = rows->slide;
    uint8_t order[PACKED_PLACES] = {0};
    rows->classes = slide->units + 1;
    rows->cells = slide->empties;
    for (unsigned k = 0; k < slide->units; k++) {
        rows->member[k] = true;
        memset(order + rows->cells, (int)k + 1, slide->kind[k].count);
        rows->cells += slide->kind[k].count;
    }
    rows->by_orders = true;
    rows->bits = rows_count_orders(slide);
    rows->class_at = calloc((size_t)rows->classes * rows->cells, sizeof *rows->class_at);
    if (rows->class_at == NULL)
        return error_no_memory(error, "the rows", (size_t)rows->classes * rows->cells * sizeof *rows->class_at);
    for (unsigned b = 0; b < rows->bits; b++, advance(order, rows->cells)) {
        memcpy(rows->order[b], order, rows->cells);
        for (unsigned i = 0; i < rows->cells; i++)
            rows->class_at[order[i] * rows->cells + i].word[b / 64] |= (uint64_t)1 << b % 64;
    }
    rows->carry = carry_portable;
#ifdef __x86_64__
    if (!portable && layer_bmi2())
        rows->carry = carry_bmi2;
#endif
    (void)portable;
    return PDB_OK;
}

/* -- moves -- */

void rows_empty_cells(const struct slide_rows *rows, uint64_t free, uint64_t cells, struct row *orders)
{
    memset(orders, 255, sizeof *orders);
    for (; cells != 0; cells &= cells - 1) {
        const unsigned cell = (unsigned)__builtin_popcountll(free & ((cells & -cells) - 1));
        row_and(rows->words, orders->word, rows_class_at(rows, 0, cell)->word);
    }
}

/* The cells that larger pieces leave: the neighbours of each, as numbers of cells. */
struct left_cells {
    unsigned pairs;
    struct {
        uint8_t a, b;
    } pair[2 * PACKED_PLACES];
};

static void find_pairs(const struct slide_rows *rows, uint64_t covered, struct left_cells *left)
{
    const uint64_t free = rows->packed->board & ~covered;
    uint8_t number[PACKED_PLACES];
    unsigned count = 0;
    for (uint64_t rest = free; rest != 0; rest &= rest - 1)
        number[__builtin_ctzll(rest)] = (uint8_t)count++;
    left->pairs = 0;
    for (uint64_t rest = free; rest != 0; rest &= rest - 1) {
        const unsigned place = (unsigned)__builtin_ctzll(rest);
        for (unsigned d = 2; d < 4; d++) { /* right and below: each pair once */
            const uint16_t to = rows->slide->neighbour[place][d];
            if (to == BOARD_NO_PLACE || (free >> to & 1) == 0)
                continue;
            left->pair[left->pairs].a = number[place];
            left->pair[left->pairs++].b = number[to];
        }
    }
}

/* A piece of a class goes from cell a to cell b: adds the orders after that to found[]. */
static void step_unit(const struct slide_rows *rows, unsigned class, const uint64_t *states, unsigned a, unsigned b,
                      uint64_t *found)
{
    struct row from = *rows_class_at(rows, class, a), to = *rows_class_at(rows, 0, a), moved;
    row_and(rows->words, from.word, rows_class_at(rows, 0, b)->word);
    moved = from;
    if (row_and(rows->words, moved.word, states) == 0)
        return;
    row_and(rows->words, to.word, rows_class_at(rows, class, b)->word);
    rows->carry(rows->words, moved.word, &from, &to, found);
}

/* A piece of a class goes as far as it can: reached[i] has the orders in which the one that moves stands at cell i. */
static void flood_units(const struct slide_rows *rows, unsigned class, const struct left_cells *left,
                        const uint64_t *states, uint64_t *found)
{
    struct row reached[PACKED_PLACES];
    bool more = true;
    for (unsigned i = 0; i < rows->cells; i++) {
        reached[i] = *rows_class_at(rows, class, i);
        row_and(rows->words, reached[i].word, states);
    }
    while (more) {
        more = false;
        for (unsigned p = 0; p < 2 * left->pairs; p++) {
            const unsigned a = p % 2 == 0 ? left->pair[p / 2].a : left->pair[p / 2].b,
                           b = p % 2 == 0 ? left->pair[p / 2].b : left->pair[p / 2].a;
            const struct row before = reached[b];
            step_unit(rows, class, reached[a].word, a, b, reached[b].word);
            more |= memcmp(&before, &reached[b], rows->words * sizeof *before.word) != 0;
        }
    }
    for (unsigned i = 0; i < rows->cells; i++)
        row_or(rows->words, found, reached[i].word);
}

void rows_within_orders(const struct slide_rows *rows, uint64_t covered, const uint64_t *states, uint64_t *found)
{
    struct left_cells left;
    find_pairs(rows, covered, &left);
    for (unsigned class = 1; class < rows->classes; class ++) {
        if (rows->slide->far_moves) {
            flood_units(rows, class, &left, states, found);
            continue;
        }
        for (unsigned p = 0; p < left.pairs; p++) {
            step_unit(rows, class, states, left.pair[p].a, left.pair[p].b, found);
            step_unit(rows, class, states, left.pair[p].b, left.pair[p].a, found);
        }
    }
}
