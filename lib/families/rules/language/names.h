/* names.h -- what names mean while a definition is read
 *
 * Later names hide earlier ones; parameters, lets and loop variables are forgotten when what they are for has been
 * read. Cells of the board, a1, b1 .., are found without being listed, where nothing else has the name.
 */
#ifndef FAMILIES_RULES_NAMES_H
#define FAMILIES_RULES_NAMES_H

#include "lib/families/rules/rules.h"

enum name_kind { NAME_UNKNOWN, NAME_NUMBER, NAME_SET, NAME_TABLE, NAME_VARIABLE, NAME_SLOT };

struct name {
    char text[NAME_MAX_BYTES + 1];
    enum name_kind kind;
    int32_t value; /* the number, or which set, table, variable, slot */
};

/* A definition that is being read. */
struct reading {
    struct rules *rules;
    struct name *name;
    size_t names;
    unsigned slots; /* in use */
};

enum { NAMES_MAX = 4096 };

/* Is it a name: letters, digits and _, and no word of the language? */
bool name_is_good(const char *text, size_t length);

/* The word of the language that this is with wrong capitals; NULL where it is none, or right. */
const char *name_word_meant(const char *text, size_t length);

/* Adds one that the file gives to something of its own, complaining at the node where the name is no name, or has a
 * meaning already. Errors: PDB_BAD_DEFINITION, PDB_NO_MEMORY. */
pdb_status name_add(struct reading *reading, const struct node *node, const char *text, struct name what,
                    pdb_error *error);

/* Adds the name of a slot, and takes a new one for it: *slot. It hides numbers and other slots of that name. Errors:
 * PDB_BAD_DEFINITION (too many, the name of something else), PDB_NO_MEMORY. */
pdb_status name_add_slot(struct reading *reading, const struct node *node, size_t offset, const char *text,
                         size_t length, unsigned *slot, pdb_error *error);

/* Forgets all slots but the first `slots`, with the names after the first `names`. */
void names_forget(struct reading *reading, size_t names, unsigned slots);

/* What a name means; kind NAME_UNKNOWN where nothing has it. */
struct name name_find(const struct reading *reading, const char *text, size_t length);

/* The known name that is nearest to an unknown one, NULL where none is near. */
const char *name_nearest(const struct reading *reading, const char *text, size_t length);

#endif
