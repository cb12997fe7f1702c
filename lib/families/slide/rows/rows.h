/* rows.h -- the room of sliding puzzles' row kernels (lib/search/space/rows/rows.h)
 *
 * Two kinds of pieces can make a row. Which do, a sample of states decides: those by which it falls into the fewest
 * rows (choose.c).
 *
 *   orders   All units. The key is how the larger pieces stand; the bits are the orders in which units and empty cells
 *            fill the cells that those leave, in reading order, lexicographically numbered. A unit's step from one such
 *            cell to another takes the orders that have it there to those that have it here, and leaves the rest of
 *            each order alone; so their sequence stays the same, and bits taken from under one mask and put under
 *            another are the step (pext and pdep). A larger piece's step takes empty cells out of the orders and puts
 *            others in, which are two masks as well.
 *   lines    Some pieces that have no like. The bits are their places' numbers in mixed radix, so a step is a shift;
 *            a larger piece's step leaves them alone.
 *
 * In both a piece of the key may go where the row's pieces leave the cells free: a mask for each cell.
 */
#ifndef FAMILIES_SLIDE_ROWS_H
#define FAMILIES_SLIDE_ROWS_H

#include "lib/families/slide/packed.h"
#include "lib/families/shared/layers/multiset.h"
#include "lib/search/space/rows/rows.h"

enum { ROW_LINES_MAX = 9, ROW_STEP_GROUPS_MAX = 16 };

struct row {
    uint64_t word[ROW_WORDS_MAX];
};

/* A piece of a row of lines. */
struct row_line {
    const struct packed_field *field;
    unsigned stride;              /* what its number counts in a bit's */
    uint8_t number[ROW_BITS_MAX]; /* by bit */
    struct row at[PACKED_PLACES];
    unsigned groups; /* steps by how far they shift */
    struct row_steps {
        struct row from;
        int shift;
    } steps[ROW_STEP_GROUPS_MAX];
};

struct slide_rows {
    struct row_kernel kernel;
    const struct slide *slide;
    const struct packed *packed;  /* the puzzle's */
    bool member[SLIDE_MAX_KINDS]; /* the row's kinds */
    uint64_t mask;                /* and their fields of a packed key */
    unsigned bits, words;
    bool by_orders;

    /* orders */
    unsigned cells, classes;                    /* of an order: class 0 is empty, class c the kind c - 1 */
    uint8_t order[ROW_BITS_MAX][PACKED_PLACES]; /* lexicographic */
    struct row *class_at;                       /* by class and cell */
    void (*carry)(unsigned words, const uint64_t *states, const struct row *from, const struct row *to, uint64_t *out);

    /* lines */
    unsigned lines;
    struct row apart;               /* no two pieces of the row overlap */
    struct row open[PACKED_PLACES]; /* no piece of the row covers this cell of the board */
    struct row_line line[ROW_LINES_MAX];
};

static inline const struct row *rows_class_at(const struct slide_rows *rows, unsigned class, unsigned cell)
{
    return &rows->class_at[class * rows->cells + cell];
}

static inline void row_or(unsigned words, uint64_t *row, const uint64_t *other)
{
    for (unsigned w = 0; w < words; w++)
        row[w] |= other[w];
}

static inline uint64_t row_and(unsigned words, uint64_t *row, const uint64_t *other)
{
    uint64_t any = 0;
    for (unsigned w = 0; w < words; w++)
        any |= row[w] &= other[w];
    return any;
}

static inline uint64_t row_any(unsigned words, const uint64_t *row)
{
    uint64_t any = 0;
    for (unsigned w = 0; w < words; w++)
        any |= row[w];
    return any;
}

/* What the pieces of a row's key cover. */
static inline uint64_t rows_covered(const struct slide_rows *rows, uint64_t key)
{
    uint64_t covered = 0;
    for (unsigned f = 0; f < rows->packed->fields; f++)
        covered |= rows->member[f] ? 0 : packed_covered(&rows->packed->field[f], key);
    return covered;
}

/* -- moves.c, orders.c, lines.c: the kernel's functions; what a kind needs is laid out beforehand -- */

/* How many orders the cells left by larger pieces can have; ROW_BITS_MAX + 1 where they are more than a row has bits.
 */
unsigned rows_count_orders(const struct slide *slide);
pdb_status rows_lay_orders(struct slide_rows *rows, bool portable, pdb_error *error);
void rows_within_orders(const struct slide_rows *rows, uint64_t covered, const uint64_t *states, uint64_t *found);
/* Which orders have these cells empty, where the larger pieces leave the cells `free`? */
void rows_empty_cells(const struct slide_rows *rows, uint64_t free, uint64_t cells, struct row *orders);

/* The lines have their fields and strides. False where a piece can step in too many ways. */
bool rows_lay_lines(struct slide_rows *rows);
void rows_within_lines(const struct slide_rows *rows, uint64_t covered, const uint64_t *states, uint64_t *found);

size_t rows_away(const struct row_kernel *kernel, uint64_t key, const uint64_t *states, uint64_t *keys, uint64_t *next);

/* -- keys.c: the kernel's function -- */
size_t rows_keys(const struct row_kernel *kernel, uint64_t key, const uint64_t *states, uint64_t *out);

#endif
