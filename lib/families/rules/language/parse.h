/* parse.h -- expressions, sets and assignments, as they are written */
#ifndef FAMILIES_RULES_PARSE_H
#define FAMILIES_RULES_PARSE_H

#include "names.h"

/* Reads a scalar that is one expression; *term stands for it. Errors: PDB_BAD_DEFINITION at the column, PDB_NO_MEMORY;
 * so do the others. */
pdb_status parse_expression(struct reading *reading, const struct node *node, uint32_t *term, pdb_error *error);

/* The first part of a term that a state decides, or one of the first `slots` slots; NULL where there is none. */
const struct term *term_varying(const struct rules *rules, uint32_t number, unsigned slots);

/* Reads a set: a scalar that is a name, a range or a list, or a sequence of members. */
pdb_status parse_set(struct reading *reading, const struct node *node, uint32_t *set, pdb_error *error);

/* Reads a left side, `on[d]`, alone in a scalar. */
pdb_status parse_place(struct reading *reading, const struct node *node, struct rules_assignment *assignment,
                       pdb_error *error);

/* Complains where a loop stands behind an expression that is alone in a scalar. Errors: PDB_BAD_DEFINITION. */
pdb_status parse_no_loop(struct reading *reading, const struct node *node, pdb_error *error);

/* Takes the assignments of `to = step[player, d], on[i] = on[i + 1] for i in 1..4`, one after another. */
typedef pdb_status assignment_taker(struct reading *reading, const struct rules_assignment *assignment,
                                    pdb_error *error);
pdb_status parse_assignments(struct reading *reading, const struct node *node, assignment_taker *take,
                             pdb_error *error);

/* A name with sets behind it: `on`, `on[disk]`, `at[1..3, 1..4]`, and with names for the members where these are
 * allowed: `next[c: cell]`. */
struct declaration {
    char name[NAME_MAX_BYTES + 1];
    unsigned indices;
    uint32_t set[2];
    char member[2][NAME_MAX_BYTES + 1]; /* "": none is given */
};
pdb_status parse_declaration(struct reading *reading, const struct node *node, struct declaration *declaration,
                             pdb_error *error);

/* A new set of these values, which the function takes over, as PDB_NO_MEMORY. Its names are those of set `like`'s
 * home, or numbers where that is NO_SET. */
#define NO_SET UINT32_MAX
pdb_status set_add(struct rules *rules, const char *name, int32_t *value, uint32_t count, uint32_t like, uint32_t *set,
                   pdb_error *error);

/* The position of a value in a set; -1 where it is none of it. */
int32_t set_position(const struct rules_set *set, int64_t value);

/* What a value of the set is called, into text[NAME_MAX_BYTES + 1]; returns text. */
const char *set_value_text(const struct rules *rules, const struct rules_set *set, int32_t value, char *text);

#endif
