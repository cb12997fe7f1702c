/* read.h -- a definition's keys, in the order in which they are read */
#ifndef FAMILIES_RULES_READ_H
#define FAMILIES_RULES_READ_H

#include "parse.h"

/* Reads all of a definition into *rules: sets, tables, variables, elements, starts, terms and moves. rules_read_free
 * frees them, whatever was read. Errors: PDB_BAD_DEFINITION, PDB_NO_MEMORY. */
pdb_status rules_read(struct rules *rules, const struct node *root, pdb_error *error);
void rules_read_free(struct rules *rules);

/* The parts: keys `board`; `sets` and `tables`; `state`; `start`; `moves`; `draw`. */
pdb_status rules_read_board(struct reading *reading, const struct node *node, pdb_error *error);
pdb_status rules_read_constants(struct reading *reading, const struct node *sets, const struct node *tables,
                                pdb_error *error);
pdb_status rules_read_state(struct reading *reading, const struct node *node, pdb_error *error);
pdb_status rules_read_start(struct reading *reading, const struct node *node, pdb_error *error);
pdb_status rules_read_moves(struct reading *reading, const struct node *node, pdb_error *error);
pdb_status rules_read_draw(struct reading *reading, const struct node *node, pdb_error *error);

/* The key `for` of a move, where there is one: its parameters, in slots from the next one on. */
pdb_status rules_read_parameters(struct reading *reading, const struct node *node, struct rules_move *move,
                                 pdb_error *error);

/* Works out one value for each choice of up to two members, in order: of a scalar, one expression, in which the
 * declaration's names stand for the members; or of a list of them, or of lists. Takes it by `take`, which is told
 * whether any value is meant ('*'), where `open` allows that. */
struct spread {
    struct reading *reading;
    const struct declaration *of;
    bool open, none; /* may a value be '*', may it be none? */
    pdb_status (*take)(struct spread *spread, const struct node *node, uint32_t place, int32_t value, pdb_error *error);
    int32_t *value; /* for `take` */
    uint32_t what;
};
pdb_status spread_values(struct spread *spread, const struct node *node, pdb_error *error);

/* How many choices of members there are: 1 without indices. */
uint64_t declaration_count(const struct rules *rules, const struct declaration *declaration);

#endif
