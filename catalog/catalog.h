/* catalog.h -- from a name or a path to a puzzle of either kind
 *
 * This room knows the built-in puzzles (the files under puzzles/, compiled in, and those of any size: sizes.h), and
 * both sorts of families: those of puzzles with moves (lib/families) and of those without (items). Whether a puzzle has
 * moves is decided here, where it is made; who works with it asks for what it needs: boards or items. The room
 * solves nothing and opens no database.
 */
#ifndef CATALOG_CATALOG_H
#define CATALOG_CATALOG_H

#include "items/items.h"
#include "lib/puzzle.h"

/* A puzzle of either kind, and what is known of both. */
struct pdb_puzzle {
    struct puzzle *moves;       /* a puzzle with moves; NULL for one without */
    struct items_puzzle *items; /* a puzzle without moves; NULL for one with */
    const struct puzzle *shown; /* `moves`, or one without any place: what is asked about a board as it is shown */
    const char *name, *title;
    const char *metric;    /* what one move is, or what a distance counts, one of it */
    const uint8_t *digest; /* DIGEST_BYTES of them */
    uint64_t states;       /* indices, or items; 0: too many, or only building tells */
    double size;           /* how many states there are, about, where `states` is 0; 0 where nobody knows */
};

/* The built-in names, in alphabetical order, ending with NULL; those with a size in them (lights-out-5x6) are not
 * listed. */
extern const char *const catalog_names[];

/* The text of a built-in definition and its length in bytes; NULL where there is none of this name. */
const char *catalog_text(const char *name, size_t *length);

/* The definition that a built-in name or the path of a file stands for. A word with a slash or ending in .yaml or .yml
 * is a path; any other word is a built-in name, or else a file of that name. Errors: PDB_UNKNOWN_PUZZLE (with the
 * nearest name), and those of definition_read. The caller frees it. Thread-safe. */
pdb_status catalog_definition(const char *name_or_path, struct definition **definition, pdb_error *error);

/* The puzzle of a definition, by the family that it names. Errors: PDB_BAD_DEFINITION, PDB_TOO_LARGE, PDB_NO_MEMORY.
 * The caller frees *out with catalog_free; the definition is no longer needed. */
pdb_status catalog_create(const struct definition *definition, pdb_puzzle **out, pdb_error *error);
/* The puzzle of a name or a path: both of these in one. */
pdb_status catalog_load(const char *name_or_path, pdb_puzzle **out, pdb_error *error);
void catalog_free(pdb_puzzle *puzzle);

/* What catalog_create makes of a puzzle of one kind; nothing but that is to be freed. */
pdb_puzzle catalog_with_moves(struct puzzle *moves);
pdb_puzzle catalog_without_moves(struct items_puzzle *items);

/* Has a puzzle boards, or items, to ask about? PDB_BAD_BOARD where it has the other. */
pdb_status catalog_check_boards(const pdb_puzzle *puzzle, pdb_error *error);
pdb_status catalog_check_items(const pdb_puzzle *puzzle, pdb_error *error);

#endif
