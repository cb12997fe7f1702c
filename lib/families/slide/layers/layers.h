/* layers.h -- the room of sliding puzzles' layer kernels (lib/search/space/layers.h): 60 states to a word
 *
 * slide_layers_make chooses one. Here are orders whose things are all different, or all but two, which are numbered by
 * their Lehmer digits; others lie in lexicographic order, and have the kernel that families share
 * (lib/families/shared/layers/multiset.h).
 *
 *   layers.c   groups, what they ask, how they are pulled      tables.c   the tables
 *   words.c    the loops over words, in plain C and with BMI2 and AVX2
 *
 * A kernel reads the puzzle's blocks and their moves (slide.h) and nothing else of it. What walks through layers, has
 * memory for them and hands groups to threads is the engine's, in lib/search/space.
 *
 * -- orders of different things --
 *
 * Orders of n things, all different and of one parity, are numbered by their Lehmer digits d[0] .. d[n-1], but for the
 * last two, which follow from the parity (lib/rank/order.h). The digits are taken in three parts:
 *
 *     d[0] ..             | d[n-8] d[n-7] d[n-6] | d[n-5] d[n-4] d[n-3] | (d[n-2] d[n-1])
 *     prefix: the group   | middle: the row      | low: the bit         | by parity
 *     n! / 8! of them     | 8 x 7 x 6 = 336      | 5 x 4 x 3 = 60
 *
 * so a group is 336 words of 60 bits, 20,160 orders (fewer rows where there are fewer than eight things; five is the
 * least), and a block of the puzzle (slide.h) is a run of n! / 8! groups. Bit 12 a + 3 b + c of a word stands for the
 * low digits a, b, c; bits 60 to 63 are never set.
 *
 *   ORDER_HALVED    that is all: the ranks as they are.
 *   ORDER_DISTINCT  both parities can be reached: two *sheets* a group, the even orders' words and then the odd ones'.
 *   ORDER_PAIR      the two that are alike are told apart so that the order is even. A move that makes it odd is
 *                   followed by a *relabelling*: the two change names, which are neighbours in value, so only the digit
 *                   of the earlier one changes, by one.
 *
 * A move takes a thing out of the order and puts it back in elsewhere. It passes its neighbours one by one, and with
 * d[i] = a, d[i+1] = b, to change the things i and i+1 about makes these digits (b + 1, a) if a <= b, else (b, a - 1).
 * So only the digits of the *window* from..to change, and what the thing does in one part depends on the parts before
 * it only through its digit when it crosses the border. The tables here are made by trying: all digits of one part, and
 * all digits that may come across its borders.
 *
 *   window in the prefix        the whole group is another group's
 *   .. reaches into the middle  eight groups, by the thing's digit at the border; rows of them as they are
 *   .. ends in the middle       rows as they are, in another order
 *   .. reaches into the low     *pieces*: five rows, twelve bits of each. As things passed keep their order, the twelve
 *                               keep theirs: they are the source's bits under a mask, closed up (pext), and then
 *                               spread to those under another (pdep); one of the masks is a run of twelve.
 *   .. lies in the low          the bits of each word are permuted: a few such pieces, by parity
 *
 * Pulling, a state asks where its own moves would lead: moves can be undone.
 */
#ifndef FAMILIES_SLIDE_LAYERS_LAYERS_H
#define FAMILIES_SLIDE_LAYERS_LAYERS_H

#include "lib/search/space/layers.h"
#include "lib/families/slide/slide.h"

enum {
    LAYER_LOW = 5,        /* things of the low part */
    LAYER_MIDDLE = 3,     /* at most, of the middle */
    LAYER_BITS = 60,      /* of a word */
    LAYER_RUN = 12,       /* bits that share the first low digit */
    LAYER_ROWS_MAX = 336, /* of a sheet */
    LAYER_SLOTS_MAX = 8,  /* source groups of a window */
    LAYER_ODD = 8,        /* in masks' numbers, behind the digit */
    LAYER_PIECES_MAX = 8  /* of a permutation of bits */
};

/* A mask, and what it takes to close its bits up, or to spread them, without the processor's help: in step i the bits
 * of move[i] go down by 2^i. Literature: H. S. Warren, Hacker's Delight, 7-4 and 7-5. */
struct layer_bits {
    uint64_t mask, move[6], unused; /* 64 bytes, to be found quickly */
};

/* A permutation of a word's bits: each piece's bits go from one mask to another in their order. */
struct layer_permutation {
    unsigned pieces; /* 0: the identity */
    struct layer_bits from[LAYER_PIECES_MAX], to[LAYER_PIECES_MAX];
};

/* The row of a source group that a word, or twelve bits of it, come from.
 *
 * Towards the front, number i of a word's five pieces goes to the bits whose thing has the digit i when it leaves the
 * low part, and `part` is where its twelve begin in the source. Towards the back, number i goes to the run i of the
 * word, and `part` says which bits of the source it is: the digit that the thing has when it enters the low part, and
 * LAYER_ODD if the parity of the source's low digits is not that of the word's. */
struct layer_source {
    uint16_t row;
    uint8_t slot, part;
};

enum layer_window_kind { WINDOW_PLAIN, WINDOW_ROWS, WINDOW_PIECES, WINDOW_BITS };

/* What a move from..to does. */
struct layer_window {
    enum layer_window_kind kind;
    uint8_t from, to;
    bool odd;      /* the parity changes */
    bool crosses;  /* the border of the prefix: a source group for each slot */
    uint8_t slots; /* source groups */
    uint8_t depth; /* WINDOW_PIECES: digits of the low part that the window covers */
    /* by edge (the digit of the prefix's side of the border, 0 where it does not cross), row, and for pieces number */
    struct layer_source *source;
    struct layer_permutation *permutation; /* WINDOW_BITS: by the parity of the word's low digits */
};

struct layer_move {
    uint32_t target; /* block */
    const struct layer_window *window;
};

struct sheet_code;

struct slide_layers {
    struct layer_kernel kernel;
    const struct slide *slide;
    const struct sheet_code *code;
    unsigned things, inner, prefix, middle; /* n; things of middle and low; digits */
    unsigned rows, sheets;
    uint64_t prefixes;                  /* groups of a block */
    uint8_t row_parity[LAYER_ROWS_MAX]; /* of the sum of the middle's digits */
    uint64_t odd_bits;                  /* bits whose low digits have an odd sum */
    /* by window depth; by the digit at the low part's border, and LAYER_ODD by the parity of the low digits */
    struct layer_bits mask[LAYER_LOW + 1][2 * LAYER_ODD];
    struct layer_window *window; /* by from * things + to; those that occur are made */
    struct layer_move *move;     /* of blocks, as slide->move, the cheap ones of each block first */
    /* relabelling, by the smaller name's place among the inner things: the row, or RELABEL_LOW + its place in the
     * low */
    uint16_t relabel_row[LAYER_SLOTS_MAX - 1][LAYER_ROWS_MAX];
    struct layer_permutation relabel_bits[LAYER_LOW - 1][2];
};

enum { RELABEL_LOW = LAYER_ROWS_MAX };

/* Lehmer digits as a number in mixed radix, and back: the first has `radix` values, each further one a value less. */
static inline uint64_t layer_number(const uint8_t *digit, unsigned radix, unsigned count)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < count; i++)
        number = number * (radix - i) + digit[i];
    return number;
}

static inline void layer_digits(uint64_t number, unsigned radix, unsigned count, uint8_t *digit)
{
    for (unsigned i = count; i-- > 0; number /= radix - i)
        digit[i] = (uint8_t)(number % (radix - i));
}

static inline unsigned layer_parity(const uint8_t *digit, unsigned count)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += digit[i];
    return sum & 1;
}

/* Changes the things i and i+1 about. */
static inline void layer_swap(uint8_t *digit, unsigned i)
{
    const uint8_t a = digit[i], b = digit[i + 1];
    digit[i] = (uint8_t)(a <= b ? b + 1 : b);
    digit[i + 1] = (uint8_t)(a <= b ? a : a - 1);
}

/* Moves the thing at `from` to `to`. */
static inline void layer_carry(uint8_t *digit, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++)
        layer_swap(digit, i);
    for (unsigned i = from; i > to; i--)
        layer_swap(digit, i - 1);
}

/* -- tables.c -- */

/* Makes what all windows share. */
void slide_layer_tables_make(struct slide_layers *layers);

/* Makes the window of a move, if it is not made yet, and adds its tables to the kernel's bytes. False where memory is
 * short. */
bool slide_layer_window_make(struct slide_layers *layers, unsigned from, unsigned to);

/* Relabels an order: of two things whose values are `pair` and pair + 1 among all those at these digits and behind
 * them, the earlier gets the other's digit. Returns the smaller's value among those behind the digits, or -1 where the
 * earlier was one of them. */
int slide_layer_relabel(uint8_t *digit, unsigned digits, int pair);

/* -- words.c -- */

/* A sheet of a group: the words wanted, those found so far, and what all of it depends on. */
struct layer_sheet {
    const struct slide_layers *layers;
    const uint64_t *want;
    uint64_t *found;
    unsigned parity; /* of a word's low digits, but for the row's part */
};

/* What a move asks: the rows of a sheet in each source group. */
struct layer_asked {
    const struct layer_window *window;
    unsigned edge; /* the digit on the prefix's side of its border, as the tables want it */
    const uint64_t *rows[LAYER_SLOTS_MAX];
};

/* The loops over words, for one kind of processor. */
struct sheet_code {
    /* Adds to what has been found. */
    void (*pull)(const struct layer_sheet *sheet, const struct layer_asked *asked);
    /* Relabels a sheet of rows, into `found`, which is cleared. */
    void (*relabel)(const struct layer_sheet *sheet, unsigned pair, const uint64_t *source);
};

/* That of this processor, or that in plain C. */
const struct sheet_code *slide_layer_code(bool portable);

/* -- layers.c -- */

/* As the contract's `layers`. */
pdb_status slide_layers_make(const struct puzzle *puzzle, bool portable, uint64_t memory, struct layer_kernel **out,
                             pdb_error *error);

/* The kernel that families share, for an order that is ranked as a multiset (multiset_layers_make). */
pdb_status slide_layer_multiset_make(const struct slide *slide, bool portable, uint32_t group_states,
                                     struct layer_kernel **out, pdb_error *error);

#endif
