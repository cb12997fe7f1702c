/* rows.h -- the room of the search by rows of states, for keyed spaces in which some pieces move freely
 *
 * A *row* is all states that agree but for a few pieces: its key is the state without those, its bits are the ways for
 * them to stand, at most ROW_BITS_MAX. What the pieces of the row do leads to other bits of the same row; what another
 * piece does leads to another row, for all states of the row at once that let it. A family that knows such pieces makes
 * a *row kernel*; all else is the engine's (rows.c): a table of the rows that there are, layers, threads, memory, what
 * is kept.
 *
 * There are two passes, as in the search by plain keys (lib/search/space/sparse/sparse.h): all rows are found from
 * those of the named boards, in any order; then they are measured, layer by layer, from the goals among them. A row has
 * five planes of bits:
 *
 *     key | low | high | next | found | now
 *
 * `found` has the states that there are; `low` and `high` the distance modulo 3 plus one, 0 while it is not known.
 * `now` has what of the row is in the frontier and `next` what is in the next layer; while states are looked for, `now`
 * has what has been expanded. So a layer costs one expansion for each row that it has a state of, a look-up for each
 * row one move away, and no more for full rows than for thin ones. What comes out is what plain keys give, to the last
 * byte.
 */
#ifndef SEARCH_SPACE_ROWS_H
#define SEARCH_SPACE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ROW_BITS_MAX = 512, ROW_WORDS_MAX = ROW_BITS_MAX / 64 };

struct row_kernel {
    unsigned words;   /* of 64 bits, in a row */
    size_t steps_max; /* no row has more rows one move away */
    uint64_t kind;    /* a number for what makes its rows; a search that was kept goes on with its own only */
    uint64_t bytes;   /* of memory that the kernel takes */

    void (*free)(struct row_kernel *kernel);

    /* The row of a state, by its packed key: the row's key, below 2^63 - 1, and the state's bit in it. */
    uint64_t (*row)(const struct row_kernel *kernel, uint64_t packed, unsigned *bit);
    /* The states of the row itself that are one move away from those of `states`, into found[], which has others that
     * stay, too; `all`: in any number of moves, and both may be the same array then. */
    void (*within)(const struct row_kernel *kernel, uint64_t key, const uint64_t *states, uint64_t *found, bool all);
    /* The other rows one move away: their keys, and into rows[] `words` words for each, which of their states. There
     * is room for steps_max + 1. Returns how many. */
    size_t (*away)(const struct row_kernel *kernel, uint64_t key, const uint64_t *states, uint64_t *keys,
                   uint64_t *rows);
    /* Those states of the row that fit the goal; bits that stand for no state may be set. */
    void (*goals)(const struct row_kernel *kernel, uint64_t key, uint64_t *goals);
    /* The keys of the puzzle for the states given, in the order of their bits. Returns how many. */
    size_t (*keys)(const struct row_kernel *kernel, uint64_t key, const uint64_t *states, uint64_t *out);
};

#endif
