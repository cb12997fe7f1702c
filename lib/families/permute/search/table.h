/* table.h -- a pattern's table: which entry a state has, and how the entries are filled
 *
 * Without symmetries every state of the pattern's relaxation has an entry of its own. Where symmetries keep the pattern
 * (they rename its classes of tiles, and nothing else about it) a state and its images are equally far from the goal,
 * and one entry is enough for all. The relaxation is taken apart for that into *parts*, relaxations with fewer words
 * all of them, so that a state is one state a of the first part with one state b, c, .. of each other part. A *class*
 * is a state of the first part with its images under the symmetries of the pattern; of each class one state is the
 * *first*. With a symmetry s that takes a to the first of its class,
 *
 *     entry of (a, b, c)  =  (class[a] * B + s(b)) * C + s(c)        B, C: how many states these parts have
 *
 * So a state of the first part has its class and such a symmetry looked up, the other parts' have their images: small
 * tables, of 4 bytes for each state of the first part, and for each symmetry and state of the others. From there on a
 * search needs no states of the first part: where s takes the first f of a class to a, a move m takes a to what s makes
 * of f after the move that s renames to m; and f after a move is what t makes of the first of another class, so that a
 * after m is that first, renamed by t and then by s. Where moves take the first of each class is a table as well, and
 * what is looked up for all moves of a node lies side by side. Of the cube
 *
 *     495 * 2,048    ways for the edges of the middle slice and for how edges are turned: 64,430 classes of the 16
 *                    symmetries that keep an axis
 *     2,187          ways to turn the corners
 *     70             places of four corners
 *
 * Where other symmetries take the first of a class to itself, (first, b) and (first, s(b)) are the same up to symmetry
 * and have an entry each, of the same value: whichever symmetry is looked up, its entry is right.
 *
 * A *bounded* table tells a state's distance by its entry alone, or nearly: it may be asked for a position whose
 * neighbours are not known, such as the inverse of one (inverse.h). Distances are kept modulo 3 below its `cap`: 3
 * stands for the cap and more, and the distances cap - 3, cap - 2 and cap - 1 have a residue each. Few states are
 * nearer: blocks of 32 entries that one of these is in are marked by a bit, and in a block that is not marked entries
 * tell the distance. The layers from the cap on need not even be made. The cap is chosen while the table is filled, so
 * that about a sixteenth of the entries, or more, are less far than cap - 1. After the entries come the bits, from a
 * multiple of 64 bytes on, and then struct permute_tail.
 *
 * Nothing of a symmetry is needed but how it renames moves: an image of a state is the goal moved by the renamed moves.
 *
 * Literature: H. Kociemba, "The Coordinate Level: symmetry coordinates" (kociemba.org); S. Tronto, nissy-core,
 * "The H48 optimal solver", for what such tables are good for.
 */
#ifndef FAMILIES_PERMUTE_SEARCH_TABLE_H
#define FAMILIES_PERMUTE_SEARCH_TABLE_H

#include "search.h"

/* No class: the state is never reached. */
#define PERMUTE_NO_STATE UINT32_MAX

enum { PERMUTE_PARTS_MAX = 4, PERMUTE_BLOCK = 32 /* entries */ };

/* What follows a bounded table's entries and bits. */
struct permute_tail {
    uint64_t cap;     /* little-endian, as is */
    uint64_t entered; /* before the last layer: building goes on with it */
};

struct permute_table {
    struct permute_pattern pattern;
    unsigned parts; /* 1 where every state has an entry of its own */
    struct permute *part[PERMUTE_PARTS_MAX];
    /* Coordinates of a state: those of part[0]. With several parts, the class and the symmetry as `near` and `far` of
     * one place, and a place for each other part, whose state is `near`. */
    unsigned moving;
    uint64_t entries;
    unsigned cap; /* of a bounded table that is filled, once permute_table_read_cap has read it; else 0 */
    /* The rest is zeros with one part. */
    unsigned symmetries, bits; /* of the pattern; the lowest bits of class_of: the number of one */
    uint64_t classes, row;     /* entries of a class: the states of the other parts together */
    /* class << bits | symmetry: one that takes the first of the class there */
    uint32_t *class_of; /* [a]; or PERMUTE_NO_STATE */
    uint32_t *first;    /* [class]: a */
    uint32_t *moved;    /* [class * moves + move]: of its first after a move */
    uint8_t *renamed;   /* [symmetry * moves + move]: the move that the symmetry renames to this one */
    uint16_t *product;  /* [s * symmetries + t]: the symmetry that is t and then s */
    uint64_t states[PERMUTE_PARTS_MAX];
    uint32_t *image[PERMUTE_PARTS_MAX];   /* of part 1 and further ones: [symmetry * states + b], */
    uint32_t *move_to[PERMUTE_PARTS_MAX]; /* and [b * moves + move] */
    struct permute_coordinates goal[PERMUTE_PARTS_MAX];
    uint32_t *fixed_from; /* [class], and one more: where in `fixed` its symmetries begin */
    uint16_t *fixed;      /* symmetries, but for the identity, that take the first of the class to itself */
};

/* -- parts.c: how a pattern is taken apart -- */

/* About how many entries a pattern's table will have: fewer than there are states where symmetries keep the pattern.
 * Error: PDB_NO_MEMORY. */
struct permute_table_size {
    long double states, entries;
    uint64_t memory;     /* bytes: of what is kept besides the entries */
    unsigned symmetries; /* of the pattern; 1: every state has an entry of its own */
};
pdb_status permute_table_size(const struct permute *permute, const struct permute_pattern *pattern,
                              struct permute_table_size *size, pdb_error *error);

/* The same with the parts themselves: fills in parts, part[] and symmetries, and symmetry[PERMUTE_SYMMETRIES_MAX] of
 * the pattern. Errors: PDB_NO_MEMORY, PDB_TOO_LARGE. */
pdb_status permute_table_divide(const struct permute *permute, const struct permute_pattern *pattern,
                                struct permute_table *table, const struct permute_symmetry **symmetry,
                                pdb_error *error);

/* -- classes.c: the small tables of a table with several parts -- */
pdb_status permute_table_classes(struct permute_table *table, const struct permute_symmetry **symmetry,
                                 pdb_error *error);

/* -- table.c -- */

/* Where a bounded table's bits and its tail begin. */
static inline uint64_t permute_near_at(uint64_t entries)
{
    return (entries + 255) / 256 * 64;
}
static inline uint64_t permute_tail_at(uint64_t entries)
{
    return permute_near_at(entries) + (entries / PERMUTE_BLOCK / 64 + 1) * 8;
}
/* The bytes of a pattern's table. */
static inline uint64_t permute_pattern_bytes(const struct permute *permute, const struct permute_pattern *pattern,
                                             uint64_t entries)
{
    return pattern->bounded ? permute_tail_at(entries) + sizeof(struct permute_tail)
                            : permute_table_bytes(permute, entries);
}
/* Of a table with its bytes: has to be called before anything is looked up in one. */
void permute_table_read_cap(struct permute_table *table, const struct pattern_look *look);

/* What a bounded table tells of an entry by itself: no more than its distance. */
static inline unsigned permute_table_bound(const struct permute_table *table, const struct pattern_look *look,
                                           uint64_t entry)
{
    const unsigned value = pattern_look_up(look, 2, entry), least = table->cap - 3;
    if (value == 3)
        return table->cap;
    if (pattern_look_up(look, 1, permute_near_at(table->entries) * 8 + entry / PERMUTE_BLOCK) != 0)
        return 0;
    return least + (value + 3 - least % 3) % 3;
}

/* Makes all but the entries; `permute` must outlive it. Errors: PDB_NO_MEMORY, PDB_TOO_LARGE. The caller frees it with
 * permute_table_free, also where it fails. */
pdb_status permute_table_make(const struct permute *permute, const struct permute_pattern *pattern,
                              struct permute_table *table, pdb_error *error);
void permute_table_free(struct permute_table *table);

/* What a relaxation looks like from where a symmetry takes positions to: symmetries with one image show the same. */
struct permute_image {
    /* by places, of the tiles that `board` has there */
    uint8_t class[BOARD_MAX_CELLS]; /* numbered in the order in which they appear in an orbit */
    uint8_t shift[BOARD_MAX_CELLS]; /* by how much a tile is turned more than the first of its class */
    bool turns[BOARD_MAX_CELLS];    /* the twists count */
};
void permute_image(const struct permute *permute, const struct permute *relaxed,
                   const struct permute_symmetry *symmetry, struct permute_image *image);

/* The coordinates at[table->moving] of a position. False where it looks like no state. */
bool permute_table_place(const struct permute_table *table, const uint8_t *position, struct permute_coordinates *at);
/* The state of a part with these coordinates. */
uint64_t permute_part_state(const struct permute *part, const struct permute_coordinates *at);

/* What a move makes of a class and a symmetry. */
static inline uint32_t permute_table_move(const struct permute_table *table, const struct permute_coordinates *at,
                                          unsigned move)
{
    const unsigned moves = table->part[0]->moves;
    const uint32_t moved = table->moved[at->near * moves + table->renamed[at->far * moves + move]],
                   low = (1u << table->bits) - 1;
    return (moved & ~low) | table->product[at->far * table->symmetries + (moved & low)];
}
/* The entry of a state. */
uint64_t permute_table_entry(const struct permute_table *table, const struct permute_coordinates *at);
/* The entries next[count] of the states that moves lead to: those that rename[move[i]] is. */
static inline void permute_table_entries(const struct permute_table *table, const struct permute_coordinates *at,
                                         const uint8_t *rename, const uint8_t *move, unsigned count, uint64_t *next)
{
    const unsigned moves = table->part[0]->moves;
    if (table->parts == 1) {
        uint64_t to[PERMUTE_MAX_MOVES];
        permute_steps(table->part[0], at, to);
        for (unsigned i = 0; i < count; i++)
            next[i] = to[rename[move[i]]];
        return;
    }
    const uint8_t *renamed = table->renamed + at->far * moves;
    const uint16_t *product = table->product + at->far * table->symmetries;
    const uint32_t *moved = table->moved + at->near * moves, bits = table->bits, low = (1u << bits) - 1;
    uint32_t symmetry[PERMUTE_MAX_MOVES];
    for (unsigned i = 0; i < count; i++) {
        const uint32_t class = moved[renamed[rename[move[i]]]];
        next[i] = class >> bits;
        symmetry[i] = product[class & low];
    }
    for (unsigned p = 1; p < table->parts; p++) {
        const uint32_t *image = table->image[p], *move_to = table->move_to[p] + at[p].near * moves;
        const uint64_t states = table->states[p];
        for (unsigned i = 0; i < count; i++)
            next[i] = next[i] * states + image[symmetry[i] * states + move_to[rename[move[i]]]];
    }
}
/* The coordinates after a move. */
static inline void permute_table_step(const struct permute_table *table, const struct permute_coordinates *at,
                                      unsigned move, struct permute_coordinates *after)
{
    if (table->parts == 1) {
        permute_step(table->part[0], at, move, after);
        return;
    }
    const uint32_t class = permute_table_move(table, at, move);
    after->near = class >> table->bits;
    after->far = class & ((1u << table->bits) - 1);
    for (unsigned p = 1; p < table->parts; p++)
        after[p].near = table->move_to[p][at[p].near * table->part[0]->moves + move];
}

/* A state's distance (as far as the entry tells, a bounded table up to its cap), BOUND_NEVER where it is certain that
 * it reaches no goal, more than that where the table contradicts itself. */
uint32_t permute_table_distance(const struct permute_table *table, const struct pattern_look *look,
                                const struct permute_coordinates *at);

/* What filling the table takes besides it, in bytes. Error: PDB_NO_MEMORY. */
pdb_status permute_table_memory(const struct permute_table *table, unsigned threads, uint64_t *bytes, pdb_error *error);
/* Fills bytes[permute_pattern_bytes], of a bounded table zeroed, as search.h says; from the work's layer on, where the
 * table has classes. `done` entries of other tables are added to what its observer is told. Errors: PDB_NO_MEMORY,
 * PDB_INTERRUPTED, PDB_TOO_LARGE (distances of BOUND_NEVER and more). */
pdb_status permute_table_fill(const struct permute_table *table, const struct pattern_work *work, uint64_t done,
                              uint8_t *bytes, pdb_error *error);

/* -- fill.c: the same for tables with classes -- */

uint64_t permute_fill_memory(const struct permute_table *table, unsigned threads);
pdb_status permute_fill(const struct permute_table *table, const struct pattern_work *work, uint64_t done,
                        uint8_t *bytes, pdb_error *error);

#endif
