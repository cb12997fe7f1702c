/* orders.c -- rows of orders: units and empty cells in the cells that larger pieces leave */
#include "words.h"

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

pdb_status rows_lay_orders(struct slide_rows *rows, pdb_error *error)
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
    const size_t words = (rows->bits + 63) / 64, size = rows->classes * rows->cells * words;
    rows->class_at = calloc(size, sizeof *rows->class_at);
    if (rows->class_at == NULL)
        return error_no_memory(error, "the rows", size * sizeof *rows->class_at);
    for (unsigned b = 0; b < rows->bits; b++, advance(order, rows->cells)) {
        memcpy(rows->order[b], order, rows->cells);
        for (unsigned i = 0; i < rows->cells; i++)
            rows->class_at[(order[i] * rows->cells + i) * words + b / 64] |= (uint64_t)1 << b % 64;
    }
    rows_lay_nodes(rows);
    return PDB_OK;
}

/* -- moves -- */

/* The cells that larger pieces leave: the neighbours of each, as numbers of cells, both ways. */
struct left_cells {
    unsigned pairs;
    struct {
        uint8_t a, b;
    } pair[4 * PACKED_PLACES];
};

ROWS_INLINE void find_pairs(const struct slide_rows *rows, uint64_t covered, struct left_cells *left)
{
    const uint64_t free = rows->packed->board & ~covered;
    unsigned a = 0;
    left->pairs = 0;
    for (uint64_t rest = free; rest != 0; rest &= rest - 1, a++) {
        const unsigned place = (unsigned)__builtin_ctzll(rest);
        for (unsigned d = 2; d < 4; d++) { /* right and below: each pair once */
            const uint16_t to = rows->slide->neighbour[place][d];
            if (to == BOARD_NO_PLACE || (free >> to & 1) == 0)
                continue;
            const unsigned b = (unsigned)__builtin_popcountll(free & (((uint64_t)1 << to) - 1));
            left->pair[left->pairs].a = left->pair[left->pairs + 1].b = (uint8_t)a;
            left->pair[left->pairs].b = left->pair[left->pairs + 1].a = (uint8_t)b;
            left->pairs += 2;
        }
    }
}

/* A piece of a class goes from cell a to cell b: adds the orders after that to found[]; returns whether any is new. */
ROWS_INLINE bool step_unit(const struct slide_rows *rows, struct row_means means, unsigned class,
                           const uint64_t *states, unsigned a, unsigned b, uint64_t *found)
{
    const unsigned words = means.words;
    struct row from, to, moved;
    row_copy(words, from.word, rows_class_at(rows, words, class, a));
    row_and(words, from.word, rows_class_at(rows, words, 0, b));
    row_copy(words, moved.word, from.word);
    if (row_and(words, moved.word, states) == 0)
        return false;
    row_copy(words, to.word, rows_class_at(rows, words, 0, a));
    row_and(words, to.word, rows_class_at(rows, words, class, b));
    row_carry(means, moved.word, from.word, to.word, moved.word);
    return row_or(words, found, moved.word) != 0;
}

/* A piece of a class goes as far as it can: reached[i] has the orders in which the one that moves stands at cell i. */
ROWS_INLINE void flood_units(const struct slide_rows *rows, struct row_means means, unsigned class,
                             const struct left_cells *left, const uint64_t *states, uint64_t *found)
{
    struct row reached[PACKED_PLACES];
    for (unsigned i = 0; i < rows->cells; i++) {
        row_copy(means.words, reached[i].word, rows_class_at(rows, means.words, class, i));
        row_and(means.words, reached[i].word, states);
    }
    for (bool more = true; more;) {
        more = false;
        for (unsigned p = 0; p < left->pairs; p++) {
            const unsigned a = left->pair[p].a, b = left->pair[p].b;
            more |= step_unit(rows, means, class, reached[a].word, a, b, reached[b].word);
        }
    }
    for (unsigned i = 0; i < rows->cells; i++)
        row_or(means.words, found, reached[i].word);
}

/* Where all is wanted that is reached in any number of moves, what is found is looked at again at once. */
ROWS_INLINE void within(const struct slide_rows *rows, struct row_means means, uint64_t covered, const uint64_t *states,
                        uint64_t *found, bool all)
{
    struct left_cells left;
    find_pairs(rows, covered, &left);
    for (bool more = true; more;) {
        more = false;
        for (unsigned class = 1; class < rows->classes; class ++) {
            if (!all && rows->slide->far_moves)
                flood_units(rows, means, class, &left, states, found);
            for (unsigned p = 0; (all || !rows->slide->far_moves) && p < left.pairs; p++)
                more |= step_unit(rows, means, class, states, left.pair[p].a, left.pair[p].b, found);
        }
        more &= all;
    }
}

ROWS_QUICK static void within_quick(const struct slide_rows *rows, uint64_t covered, const uint64_t *states,
                                    uint64_t *found, bool all)
{
    if (rows->means.words == 1)
        within(rows, (struct row_means){1, true}, covered, states, found, all);
    else if (rows->means.words == 2)
        within(rows, (struct row_means){2, true}, covered, states, found, all);
    else
        within(rows, (struct row_means){rows->means.words, true}, covered, states, found, all);
}

void rows_within_orders(const struct slide_rows *rows, uint64_t covered, const uint64_t *states, uint64_t *found,
                        bool all)
{
    if (rows->means.quick)
        within_quick(rows, covered, states, found, all);
    else
        within(rows, (struct row_means){rows->means.words, false}, covered, states, found, all);
}
