/* numbering_inner.h -- what the parts of numbering.h share: numbering.c has rows, numbering_pieces.c larger tables */
#ifndef FAMILIES_RULES_NUMBERING_INNER_H
#define FAMILIES_RULES_NUMBERING_INNER_H

#include "numbering.h"

enum { CHUNK_BITS = 4, CHUNK = 1 << CHUNK_BITS, MOST_CHUNKS = 62 };

struct chunk {
    uint8_t shift, mask;
    uint16_t content[CHUNK]; /* what each value of it takes of the content; NO_CONTENT: it is no value */
};

#define NO_CONTENT UINT16_MAX

/* An element that is not the array's: its digit in a key, and what that counts in an index. */
struct other {
    uint8_t shift;
    uint64_t mask, most;
    uint32_t weight;
};

/* Chunks at the beginning of an array, or at its end, taken together: a table of all that they may be. What the first
 * ones are says how many orders begin with less; of the last ones the content is known by what they are, and so is how
 * many orders of it are less. */
struct piece {
    uint8_t shift;
    uint32_t mask;
    int32_t *before; /* of each value: orders before it */
};

struct pieces {
    struct piece top, low;
    uint16_t *content; /* of each value of the top one: what it leaves; NULL where the low one is all that is left */
    uint64_t *digits;  /* of every rank, where there are few; else NULL */
};

struct numbering {
    const struct rules_variable *array;
    unsigned classes, digit_bits, digits, chunks, others;
    unsigned top, low;                          /* chunks of the two pieces: the first, and those from `low` on */
    uint16_t members[CHUNK], stride[CHUNK + 1]; /* of each value; stride[classes] is how many contents there are */
    uint64_t orders, rest, inverse;             /* of the array; ways of all other elements, and (2^64 - 1) / rest */
    int32_t *row;                               /* CHUNK of each content of each chunk */
    int32_t *low_orders;                        /* of each content, in the low piece */
    uint64_t field;                             /* the bits of the array in a key */
    struct chunk chunk[MOST_CHUNKS];
    struct other other[RULES_MAX_ELEMENTS];
    struct pieces *pieces; /* once they are wanted */
    int32_t *after;        /* while rows are made: orders of each content */
};

static inline int32_t *row_of(const struct numbering *numbering, unsigned chunk, unsigned content)
{
    return numbering->row + ((size_t)chunk * numbering->stride[numbering->classes] + content) * CHUNK;
}

/* Which chunks are in pieces. */
void pieces_lay_out(struct numbering *numbering);

/* The pieces; NULL where memory is short. */
struct pieces *pieces_make(const struct numbering *numbering);
void pieces_free(struct pieces *pieces);

#endif
