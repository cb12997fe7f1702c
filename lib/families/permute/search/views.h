/* views.h -- the tables that a search looks at, and by way of which symmetries: see views.c */
#ifndef FAMILIES_PERMUTE_SEARCH_VIEWS_H
#define FAMILIES_PERMUTE_SEARCH_VIEWS_H

#include "table.h"

enum {
    PERMUTE_VIEWS_MAX = PATTERN_TABLES_MAX,
    PERMUTE_VIEWS_EACH = 4 /* of a table: more cost more than they tell */
};

/* A table looked at by way of a symmetry: what it says of a position's image is true of the position. It is as good as
 * another table, of the pattern's image, which takes no memory. */
struct permute_view {
    const struct permute_table *table;
    unsigned number; /* of the table */
    const struct permute_symmetry *symmetry;
    const uint8_t *move; /* of the symmetry: a move of the position is this one of the image */
    unsigned first;      /* of its coordinates among a node's */
};

struct permute_views {
    const struct permute *permute;
    unsigned tables, views, coordinates;
    struct permute_table table[PATTERN_TABLES_MAX];
    struct permute_view view[PERMUTE_VIEWS_MAX];
    struct pattern_look look[PATTERN_TABLES_MAX]; /* each table's bytes, */
    uint8_t *own[PATTERN_TABLES_MAX];             /* where they were made here; else NULL */
    const struct pattern_source *source;          /* where they are a database's; else NULL */
};

/* The tables of a pattern database, which are looked up where they are, or (NULL) small ones made here; looked at by
 * way of all symmetries that show something else, as far as there is room, unless `identity`. `patterns` and `source`
 * must outlive them. The caller frees them with permute_views_free, also where it fails. Errors: PDB_NO_MEMORY,
 * PDB_BAD_DEFINITION, PDB_TOO_LARGE, PDB_DAMAGED (a database's tables have another number of entries). */
pdb_status permute_views_make(const struct permute *permute, const struct patterns *patterns,
                              const struct pattern_source *source, bool identity, struct permute_views *views,
                              pdb_error *error);
void permute_views_free(struct permute_views *views);

/* Does a symmetry show something of a pattern, whose relaxation that is, that none of shown[*count] has? Then it is one
 * more of these; there is room for it in any case. */
bool permute_shows_more(const struct permute *permute, const struct permute *relaxed,
                        const struct permute_symmetry *symmetry, struct permute_image *shown, unsigned *count);

/* The distance of a state with this entry, which a move leads to from one at the distance `from`. Of a table with a cap
 * no distance is larger: from what is as far, moves lead to entries of the cap, and of the cap less one. */
static inline unsigned permute_view_distance(bool undoable, unsigned cap, unsigned entry, unsigned from)
{
    static const int8_t change[3][4] = {{0, 1, -1, 0}, {-1, 0, 1, 0}, {1, -1, 0, 0}}; /* between residues modulo 3 */
    const unsigned distance = from + (unsigned)change[from % 3][entry % 4];
    return !undoable ? entry : entry == 3 && cap > 0 ? cap : distance;
}

/* How each view's table is looked at from now on, look[views->views]: in memory, once its bytes are there. */
void permute_views_look(const struct permute_views *views, struct pattern_look *look);

/* The coordinates of a position in every view, at[views->coordinates], and what the views say of its distance: far[v],
 * BOUND_NEVER where no goal can be reached. Errors: PDB_NO_MEMORY, PDB_DAMAGED (a table contradicts itself, or is not
 * what was written). */
pdb_status permute_views_begin(const struct permute_views *views, const struct pattern_look *look,
                               const uint8_t *position, struct permute_coordinates *at, uint16_t *far,
                               pdb_error *error);
/* PDB_DAMAGED where something that was looked up is not what was written. */
pdb_status permute_views_sound(const struct permute_views *views, pdb_error *error);

/* The coordinates after a move of the puzzle, in every view. */
void permute_views_step(const struct permute_views *views, const struct permute_coordinates *at, unsigned move,
                        struct permute_coordinates *after);

/* -- tell.c: adds what each view says of a position that fits. Errors: PDB_NO_MEMORY, PDB_DAMAGED. -- */
pdb_status permute_views_tell(const struct permute_views *views, const uint8_t *position, pdb_bounds *bounds,
                              pdb_error *error);

#endif
