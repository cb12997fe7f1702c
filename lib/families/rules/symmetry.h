/* symmetry.h -- members of sets that can be exchanged with one another: states that differ in that alone are kept once
 *
 * The key `symmetric` names sets. Exchanging two members of one exchanges the elements of every array by them, and them
 * as values; wherever the set itself is an index or a range, or one that has names in common with it. All exchanges
 * together are a group. A state stands for all its images, and the least of their keys is its key.
 *
 *     image of a key = sum over the elements of part[symmetry][element][digit]
 */
#ifndef FAMILIES_RULES_SYMMETRY_H
#define FAMILIES_RULES_SYMMETRY_H

#include "rules.h"

#include <pthread.h>

enum { SYMMETRIES_MOST = 5040 };

struct symmetry;

/* Of all who hold states together: */
struct symmetry_guard {
    pthread_mutex_t lock;
    uint64_t *room;  /* for moves of a state and its image: the trial's; later of who gets no memory and has the lock */
    bool found;      /* a state whose image is not alike: whoever sets this notes it */
    pdb_error error; /* what is not so; before that: where in the file 'symmetric' is */
};

/* Makes rules->symmetry of rules->symmetric, where that names sets; rules->layout and rules->program are made. An
 * exchange is tried on some hundred states: does it keep moves, costs and goals? `node` is where complaints point.
 * Errors: PDB_BAD_DEFINITION, PDB_NO_MEMORY; symmetry_free in any case. */
pdb_status symmetry_make(struct rules *rules, const struct node *node, pdb_error *error);
/* The trial. */
pdb_status symmetry_try(const struct rules *rules, const struct node *node, pdb_error *error);

/* Holds states that a search has found against their images. All images of a state have to fit the goal, or none; of
 * one state in four the moves have to be those of one image, not always the same. What is not so is noted. `key`: a
 * word each, or two where keys are wide. Nothing is done where nothing is symmetric. Thread-safe. */
void symmetry_hold(const struct rules *rules, const uint64_t *key, size_t count);
/* PDB_OK, or what was noted first: PDB_BAD_DEFINITION. Not while others still hold states. */
pdb_status symmetry_held(const struct rules *rules, pdb_error *error);

void symmetry_free(struct symmetry *symmetry);

unsigned symmetry_count(const struct symmetry *symmetry);
struct symmetry_guard *symmetry_guard(struct symmetry *symmetry);

/* The key of the image under number 0 (the identity), 1, ..; keys that are not wide stand in word 0. */
struct wide_key symmetry_wide_image(const struct symmetry *symmetry, unsigned number, struct wide_key key);

/* The least of all images' keys, and how many different images there are. */
struct wide_key symmetry_wide_least(const struct symmetry *symmetry, struct wide_key key);
unsigned symmetry_wide_weight(const struct symmetry *symmetry, struct wide_key key);

/* The same of keys that are not wide, a seventh faster: every state that a search finds is held against its images. */
uint64_t symmetry_least(const struct symmetry *symmetry, uint64_t key);
unsigned symmetry_weight(const struct symmetry *symmetry, uint64_t key);

#endif
