/* keys.c -- the keys of a row's states
 *
 * Rows of lines are ranked in the order of their bits: most differ from the one before in the last pieces only, and
 * what is known at the first of these stays.
 *
 * The orders of a row are ways through a graph. A *node* is what an order's beginning has used of each class, in any
 * sequence: what comes before the rest, and what the rest can be, depends on no more. So a step from a node by a class
 * adds the same to all ranks, what the larger pieces between the cells add included; each is worked out once for a row,
 * and a rank is a sum of as many as there are cells.
 */
#include "words.h"

/* The numbers of the places that a kind of units has in an order. */
static uint64_t numbers_in_order(const struct packed_field *field, uint64_t free, const uint8_t *order)
{
    uint64_t numbers = 0;
    unsigned cell = 0;
    for (uint64_t left = free; left != 0; left &= left - 1, cell++)
        if (order[cell] == field->kind + 1)
            numbers |= (uint64_t)1 << field->number[__builtin_ctzll(left)];
    return numbers;
}

/* The packed key of a state. */
static uint64_t pack_state(const struct slide_rows *rows, uint64_t key, uint64_t free, unsigned bit)
{
    for (unsigned l = 0; l < rows->lines; l++)
        key |= (uint64_t)rows->line[l].field->number[rows->stand[bit].place[l]] << rows->line[l].field->shift;
    for (unsigned k = 0; rows->by_orders && k < rows->slide->units; k++) {
        const struct packed_field *field = &rows->packed->field[k];
        uint64_t numbers = numbers_in_order(field, free, rows->order[bit]);
        key |= field->list ? 0 : numbers << field->shift;
        for (unsigned i = 0; field->list && i < field->count; i++, numbers &= numbers - 1)
            key |= (uint64_t)(unsigned)__builtin_ctzll(numbers) << (field->shift + i * field->bits);
    }
    return key;
}

/* -- lines -- */

/* The keys of some states, one after another. The pieces of lines stand where the bit says: a rank is as the last one
 * up to the first of these that stands, or stood, elsewhere. */
static size_t rank_lines(const struct slide_rows *rows, uint64_t key, const uint64_t *states, uint64_t *out)
{
    struct packed_ranks ranks; /* without zeros: most rows have few states */
    struct packed_sequence *sequence = &ranks.sequence;
    size_t count = 0;
    const struct row_stand *last = &rows->stand[0];
    sequence->firsts = sequence->covered = 0;
    for (unsigned f = 0; f < rows->packed->fields; f++)
        if (!rows->member[f])
            packed_sequence_add(sequence, &rows->packed->field[f], packed_numbers(&rows->packed->field[f], key));
    const uint64_t firsts = sequence->firsts, covered = sequence->covered;
    for (unsigned w = 0; w < rows->means.words; w++)
        for (uint64_t left = states[w]; left != 0; left &= left - 1) {
            const struct row_stand *stand = &rows->stand[w * 64 + (unsigned)__builtin_ctzll(left)];
            unsigned from = count == 0 ? 0 : PACKED_PLACES;
            sequence->firsts = firsts | stand->firsts;
            sequence->covered = covered | stand->covered;
            for (unsigned l = 0; l < rows->lines; l++) {
                const unsigned place = stand->place[l], before = last->place[l];
                const unsigned first = place < before ? place : before;
                sequence->kind[place] = rows->line[l].field->kind;
                from = place != before && first < from ? first : from;
            }
            out[count++] = packed_rank_next(rows->slide, &ranks, from);
            last = stand;
        }
    return count;
}

/* -- orders -- */

void rows_lay_nodes(struct slide_rows *rows)
{
    unsigned nodes = 1;
    for (unsigned c = 0; c < rows->classes && c < ROW_CLASSES_MAX && nodes <= ROW_NODES_MAX; c++) {
        rows->stride[c] = nodes;
        nodes *= 1 + (c == 0 ? rows->slide->empties : rows->slide->kind[c - 1].count);
    }
    if (rows->packed->piece_orders == 0 || rows->classes > ROW_CLASSES_MAX || nodes > ROW_NODES_MAX ||
        nodes * rows->classes > ROW_EDGES_MAX)
        return;
    rows->nodes = nodes;
    for (unsigned n = 0; n < nodes; n++) {
        struct row_node *node = &rows->node[n];
        for (unsigned c = 0; c < rows->classes; c++) {
            const unsigned most = c == 0 ? rows->slide->empties : rows->slide->kind[c - 1].count;
            const unsigned used = n / rows->stride[c] % (most + 1);
            node->cell = (uint8_t)(node->cell + used);
            node->units = (uint8_t)(node->units + (c > 0 ? used : 0));
            node->may = (uint8_t)(node->may | (used < most ? 1u << c : 0));
        }
    }
}

/* A row's larger pieces and the cells that they leave. */
struct fixed {
    uint64_t firsts, free;               /* the pieces' first cells; the cells */
    uint8_t kind[PACKED_PLACES];         /* of the piece whose first cell is there */
    unsigned pieces;                     /* units, too */
    uint64_t between[PACKED_PLACES + 1]; /* firsts between the cell of this number and the one before */
    struct packed_rank at[ROW_NODES_MAX];
    uint64_t weight[ROW_EDGES_MAX]; /* of a step from a node by a class */
};

static void find_fixed(const struct slide_rows *rows, uint64_t key, struct fixed *fixed)
{
    unsigned cell = 0;
    uint64_t before = 0;
    fixed->free = rows->packed->board & ~rows_covered(rows, key);
    fixed->firsts = 0;
    fixed->pieces = rows->cells - rows->slide->empties;
    for (unsigned f = 0; f < rows->packed->fields; f++) {
        const struct packed_field *field = &rows->packed->field[f];
        if (rows->member[f])
            continue;
        uint64_t left = (key & field->mask) >> field->shift;
        for (unsigned i = 0; i < field->count; i++, fixed->pieces++) {
            const unsigned place = field->place[packed_take(field, &left)];
            fixed->firsts |= (uint64_t)1 << place;
            fixed->kind[place] = field->kind;
        }
    }
    for (uint64_t left = fixed->free; left != 0; left &= left - 1) {
        const uint64_t below = (left & -left) - 1;
        fixed->between[cell++] = fixed->firsts & below & ~before;
        before = below;
    }
    fixed->between[cell] = fixed->firsts & ~before;
}

/* Passes the pieces between a cell and the one before it; returns how many pieces are left. */
ROWS_INLINE unsigned pass_fixed(const struct slide_rows *rows, const struct fixed *fixed, unsigned cell,
                                unsigned pieces, struct packed_rank *now)
{
    for (uint64_t left = fixed->between[cell]; left != 0; left &= left - 1) {
        const uint64_t behind = fixed->firsts & ~(left ^ (left - 1));
        packed_rank_add(rows->packed, now, fixed->kind[__builtin_ctzll(left)], pieces--,
                        rows->cells - cell + (unsigned)__builtin_popcountll(behind));
    }
    return pieces;
}

/* What each step adds; returns what comes before the first cell. */
ROWS_INLINE uint64_t weigh(const struct slide_rows *rows, struct fixed *fixed)
{
    struct packed_rank now = packed_rank_begin(rows->packed, fixed->pieces);
    unsigned left[PACKED_PLACES + 1], behind[PACKED_PLACES + 1]; /* by cell: pieces, all units among them; and larger
                                                                    ones behind it */
    left[0] = pass_fixed(rows, fixed, 0, fixed->pieces, &now);
    behind[0] = (unsigned)__builtin_popcountll(fixed->firsts & ~fixed->between[0]);
    for (unsigned i = 1; i <= rows->cells; i++) {
        const unsigned passed = (unsigned)__builtin_popcountll(fixed->between[i]);
        left[i] = left[i - 1] - passed;
        behind[i] = behind[i - 1] - passed;
    }
    const uint64_t first = now.rank;
    fixed->at[0] = now;
    for (unsigned n = 0; n < rows->nodes; n++) {
        const struct row_node *node = &rows->node[n];
        for (unsigned may = node->may; may != 0; may &= may - 1) {
            const unsigned class = (unsigned)__builtin_ctz(may);
            unsigned pieces = left[node->cell] - node->units;
            now = fixed->at[n];
            now.rank = 0;
            if (class > 0)
                packed_rank_add(rows->packed, &now, class - 1, pieces--,
                                rows->cells - node->cell - 1 + behind[node->cell]);
            pass_fixed(rows, fixed, node->cell + 1u, pieces, &now);
            fixed->weight[n * rows->classes + class] = now.rank;
            fixed->at[n + rows->stride[class]] = now;
        }
    }
    return first;
}

ROWS_INLINE size_t rank_orders(const struct slide_rows *rows, uint64_t key, const uint64_t *states, uint64_t *out)
{
    struct fixed fixed; /* without zeros */
    uint64_t rank[PACKED_PLACES + 1];
    unsigned node[PACKED_PLACES + 1], last = 0;
    size_t count = 0;
    find_fixed(rows, key, &fixed);
    rank[0] = weigh(rows, &fixed);
    node[0] = 0;
    for (unsigned w = 0; w < rows->means.words; w++)
        for (uint64_t left = states[w]; left != 0; left &= left - 1) {
            const unsigned bit = w * 64 + (unsigned)__builtin_ctzll(left);
            const uint8_t *order = rows->order[bit];
            unsigned i = 0;
            while (count > 0 && order[i] == rows->order[last][i])
                i++;
            for (; i < rows->cells; i++) {
                rank[i + 1] = rank[i] + fixed.weight[node[i] * rows->classes + order[i]];
                node[i + 1] = node[i] + rows->stride[order[i]];
            }
            out[count++] = rank[rows->cells];
            last = bit;
        }
    return count;
}

ROWS_QUICK static size_t rank_orders_quick(const struct slide_rows *rows, uint64_t key, const uint64_t *states,
                                           uint64_t *out)
{
    return rank_orders(rows, key, states, out);
}

/* -- both -- */

/* Where they are not ranked like that: packed, and each ranked by itself where keys are ranks. */
static size_t pack_states(const struct slide_rows *rows, uint64_t key, const uint64_t *states, uint64_t *out)
{
    const uint64_t free = rows->packed->board & ~rows_covered(rows, key);
    const struct puzzle *puzzle = &rows->slide->puzzle;
    size_t count = 0;
    for (unsigned w = 0; w < rows->means.words; w++)
        for (uint64_t left = states[w]; left != 0; left &= left - 1)
            out[count++] = pack_state(rows, key, free, w * 64 + (unsigned)__builtin_ctzll(left));
    puzzle->functions.packed.unpack(puzzle, out, count);
    return count;
}

size_t rows_keys(const struct row_kernel *kernel, uint64_t key, const uint64_t *states, uint64_t *out)
{
    const struct slide_rows *rows = (const struct slide_rows *)kernel;
    if (rows->slide->unranked || (rows->by_orders && rows->nodes == 0))
        return pack_states(rows, key, states, out);
    if (!rows->by_orders)
        return rank_lines(rows, key, states, out);
    return rows->means.quick ? rank_orders_quick(rows, key, states, out) : rank_orders(rows, key, states, out);
}
