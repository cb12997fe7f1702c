/* lookup.h -- pattern databases of a puzzle by rules: tables of what is left of it without some elements
 *
 * A *lookup* has for each way in which the kept elements can stand the distance to a goal in what is left of the
 * definition (project.h), worked out by the search of whole spaces. The greatest of several is a lower bound, too: and
 * a consistent one, for what is left has every move of the whole, at no greater cost.
 *
 * Which elements to keep is tried out (choose.c): whatever brings most on a sample of states.
 */
#ifndef FAMILIES_RULES_LOOKUP_H
#define FAMILIES_RULES_LOOKUP_H

#include "mover.h"
#include "project.h"
#include "lib/search/board/search.h"

enum {
    LOOKUPS_MOST = 8,
    LOOKUP_NEVER = UINT16_MAX,
    LOOKUP_WORK_PART = 8 /* of all the work, to make one definition of what is left */
};

struct lookup {
    unsigned fields;
    struct lookup_field {
        struct mover_field of;
        uint64_t weight; /* the entry of a state is the sum of (value - lo) * weight */
    } * field;
    uint64_t entries;
    uint16_t *entry; /* LOOKUP_NEVER: no goal can be reached; the greatest other number stands for more, too */
    uint16_t most;   /* of the other numbers that are there */
    uint64_t memory; /* bytes that making it took */
    uint64_t work;   /* beside its entries: values worked out to make its definition (project.h), and, where moves are
                      * free, the states that these led to */
};

struct lookups {
    struct lookup lookup[LOOKUPS_MOST];
    unsigned count;
    uint64_t work; /* that choosing them took, as lookup_work.most counts it */
};

/* What making tables may take; `watch` may be NULL. */
struct lookup_work {
    uint64_t memory; /* bytes, of which a quarter is for the tables themselves */
    uint64_t most;   /* entries that are made, and lookup.work, those of tables that are only tried included */
    struct search_watch *watch;
};

/* The table of the elements in the set `kept`. Errors: PDB_NO_DATABASE (there is none of them, or not within the
 * memory), PDB_NO_MEMORY, PDB_INTERRUPTED. lookup_free in any case. */
pdb_status lookup_make(const struct mover *mover, const struct needs *needs, const uint64_t *kept,
                       const struct lookup_work *work, struct lookup *lookup, pdb_error *error);
void lookup_free(struct lookup *lookup);

/* A lower bound of the distance of a packed state; PDB_NO_DISTANCE where no goal can be reached from it. */
uint32_t lookups_bound(const struct lookups *lookups, const uint64_t *packed);
void lookups_free(struct lookups *lookups);

/* -- choose.c -- */

/* Chooses and makes tables, none where none helps; the same each time. Errors: PDB_NO_MEMORY, PDB_INTERRUPTED.
 * lookups_free in any case. */
pdb_status lookups_choose(const struct mover *mover, const struct lookup_work *work, struct lookups *lookups,
                          pdb_error *error);

#endif
