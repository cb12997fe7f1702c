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

enum { ROW_LINES_MAX = 9, ROW_STEP_GROUPS_MAX = 16, ROW_NODES_MAX = 128, ROW_CLASSES_MAX = 8, ROW_EDGES_MAX = 512 };

struct row {
    uint64_t word[ROW_WORDS_MAX]; /* those behind the rows' `words` have no meaning */
};

/* How to do it: rows of so many words, and whether by what only some processors can. Functions that take this are made
 * anew, by inlining, for each that is common (words.h). */
struct row_means {
    unsigned words;
    bool quick;
};

/* A piece of a row of lines. */
struct row_line {
    const struct packed_field *field;
    unsigned stride; /* what its number counts in a bit's */
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
    unsigned bits;
    struct row_means means;
    bool by_orders;

    /* orders */
    unsigned cells, classes;                    /* of an order: class 0 is empty, class c the kind c - 1 */
    uint8_t order[ROW_BITS_MAX][PACKED_PLACES]; /* lexicographic */
    uint64_t *class_at;                         /* rows of `words`, by class and cell */
    unsigned nodes; /* of the orders' beginnings, which are ranked by them; 0: they are not */
    struct row_node {
        uint8_t cell, units; /* how many cells it has filled, and with how many units */
        uint8_t may;         /* the classes that it can go on with, a bit for each */
    } node[ROW_NODES_MAX];
    unsigned stride[ROW_CLASSES_MAX];

    /* lines */
    unsigned lines;
    uint64_t lined;                 /* what pieces of the row may cover */
    struct row apart;               /* no two of them overlap */
    struct row open[PACKED_PLACES]; /* no piece of the row covers this cell of the board */
    struct row_line line[ROW_LINES_MAX];
    struct row_stand { /* by bit: the first cells of its pieces, all of them, and where each piece's first one is */
        uint64_t firsts, covered;
        uint8_t place[ROW_LINES_MAX];
    } stand[ROW_BITS_MAX];
};

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
pdb_status rows_lay_orders(struct slide_rows *rows, pdb_error *error);
/* What units do in the cells that are not covered; `all`: again and again, until nothing is new. */
void rows_within_orders(const struct slide_rows *rows, uint64_t covered, const uint64_t *states, uint64_t *found,
                        bool all);

/* The lines have their fields and strides. False where a piece can step in too many ways. */
bool rows_lay_lines(struct slide_rows *rows);
void rows_within_lines(const struct slide_rows *rows, uint64_t covered, const uint64_t *states, uint64_t *found,
                       bool all);

size_t rows_away(const struct row_kernel *kernel, uint64_t key, const uint64_t *states, uint64_t *keys, uint64_t *next);

/* -- keys.c: the kernel's function, and what it needs of the orders -- */
void rows_lay_nodes(struct slide_rows *rows);
size_t rows_keys(const struct row_kernel *kernel, uint64_t key, const uint64_t *states, uint64_t *out);

#endif
