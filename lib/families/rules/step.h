/* step.h -- moves out of one state, worked out in the obvious way */
#ifndef FAMILIES_RULES_STEP_H
#define FAMILIES_RULES_STEP_H

#include "lib/families/rules/language/plain.h"

struct free_way;

struct step {
    const struct rules_move *move;
    const int32_t *member; /* the values of its parameters */
    uint32_t number;       /* of the move and these values: of others it is another */
    const int32_t *state;  /* the state after it */
    int32_t cost;
    const struct free_way *before; /* the free moves that are made first (free.h); NULL: none are looked for */
};

/* Visits every move that applies, in the order of the file and of the members of sets, until one returns other than
 * PDB_OK, which is returned. */
typedef pdb_status step_visitor(void *context, const struct step *step, pdb_error *error);
pdb_status steps_visit(const struct rules *rules, const int32_t *state, step_visitor *visit, void *context,
                       pdb_error *error);

/* The name of a move with its parameters put in, into text[size]; and of the one with this number. */
void step_text(const struct rules *rules, const struct step *step, char *text, size_t size);
void step_text_of(const struct rules *rules, uint32_t number, char *text, size_t size);

/* Adds a move to those of a position; all moves. PDB_NO_MEMORY. */
pdb_status step_list(const struct rules *rules, const struct step *step, pdb_moves *moves, pdb_error *error);
pdb_status steps_list(const struct rules *rules, const int32_t *state, pdb_moves *moves, pdb_error *error);

#endif
