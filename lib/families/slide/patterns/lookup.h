/* lookup.h -- looking boards of different tiles up in a pattern database: the tables, and how an entry is found
 *
 * The excess of a board is the largest of several sums of entries (lib/families/slide/tiles/tiles.h): one for each
 * partition of the tiles into patterns, and one for each image of the board. A symmetry of the board (a rotation or a
 * reflection that keeps the walls and the goal's empty place) takes every path to the goal to another as long: a tile
 * whose goal is g and that stands on p is looked up as the tile whose goal is the image of g, on the image of p, in the
 * same tables. So each (partition, symmetry) is a *picture* of the board, and each pattern in a picture a *view*: the
 * places where its tiles stand, as a mask, and their sequence by places, a few bits a tile, the first tile's lowest. A
 * move changes one view in each picture.
 *
 * The number of a set of places is summed up over bytes of its mask: `sets` has, for each byte's value and the number
 * of places in the lower ones, its share of the sum of binomials. The rank of a sequence is summed up of two tables:
 * one of its first half (how many later tiles are smaller follows from which ones came before), one of its second half,
 * where only the order of its tiles among one another counts.
 */
#ifndef FAMILIES_SLIDE_PATTERNS_LOOKUP_H
#define FAMILIES_SLIDE_PATTERNS_LOOKUP_H

#include "lib/families/slide/tiles/search.h"

/* What has to become part of functions made for one kind of processor. */
#define INLINE static inline __attribute__((always_inline))

enum { PICTURES_MAX = 8, VIEWS_MAX = 128, NO_VIEW = 255, SETS_BYTES = TILES_MAX_PLACES / 8 };

/* The ranking of sequences of a number of tiles. */
struct sequences {
    unsigned size, bits; /* tiles; bits a tile */
    unsigned head_bits;  /* of the first half */
    uint32_t orders;     /* size! */
    uint32_t *head;      /* what the first half adds to the rank */
    uint8_t *tail;       /* what the second half does */
};

struct view_table {
    const uint8_t *bytes;
    struct sequences sequences;
};

struct tile_lookup {
    bool plain; /* the processor has no instructions for bits; tests set it */
    unsigned places, set_bytes;
    const uint8_t *bytes; /* of the tables */
    unsigned pictures, views, images;
    unsigned view_end[PICTURES_MAX];                   /* past the picture's last view */
    bool reflections;                                  /* all images are */
    uint8_t image[PICTURES_MAX][TILES_MAX_PLACES];     /* [picture][place] */
    uint8_t source[PICTURES_MAX][TILES_MAX_PLACES];    /* the other way round */
    uint8_t view[PICTURES_MAX][TILES_MAX_PLACES];      /* [picture][tile] NO_VIEW where the tile is in no pattern */
    uint8_t digit[PICTURES_MAX][TILES_MAX_PLACES];     /* [picture][tile] its number in the pattern */
    struct view_table table[VIEWS_MAX];                /* of each view */
    struct sequences sequences[TILES_MAX_PATTERN + 1]; /* by size; empty where no pattern has it */
    uint32_t sets[SETS_BYTES][TILES_MAX_PATTERN + 1][256];
};

struct view {
    uint64_t places, sequence;
    uint8_t value; /* of its entry */
};

INLINE uint64_t rank_places(const struct tile_lookup *lookup, uint64_t places)
{
    uint64_t rank = lookup->sets[0][0][places & 255];
    for (unsigned byte = 1; byte < lookup->set_bytes; byte++) {
        const int below = __builtin_popcountll(places & ((1ull << 8 * byte) - 1));
        rank += lookup->sets[byte][below][places >> 8 * byte & 255];
    }
    return rank;
}

INLINE uint64_t entry_of(const struct tile_lookup *lookup, const struct view_table *table, uint64_t places,
                         uint64_t sequence)
{
    const struct sequences *sequences = &table->sequences;
    return rank_places(lookup, places) * sequences->orders +
           sequences->head[sequence & ((1u << sequences->head_bits) - 1)] +
           sequences->tail[sequence >> sequences->head_bits];
}

INLINE unsigned value_of(const struct view_table *table, uint64_t entry)
{
    return table->bytes[entry / 2] >> 4 * (entry % 2) & 15;
}

/* All views of a board, from its tiles, and the sums of the pictures; returns the excess. */
int tile_lookup_read(const struct tile_lookup *lookup, const uint8_t *tile, unsigned empty, struct view *view,
                     int *sum);

#endif
