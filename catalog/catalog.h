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
 * listed. And their definitions in the same order: tools/embed.py makes both of the files under puzzles/. */
extern const char *const catalog_names[];
extern const struct catalog_entry {
    const char *file; /* the file's name, without its folder */
    const unsigned char *text;
    size_t length;
} catalog_entries[];

/* The text of a built-in definition and its length in bytes; NULL where there is none of this name. */
const char *catalog_text(const char *name, size_t *length);

/* The definition that a built-in name or the path of a file stands for. A word with a slash or ending in .yaml, .yml,
 * .tws or .def is a path; any other word is a built-in name, or else a file of that name. Errors: PDB_UNKNOWN_PUZZLE
 * (with the nearest name), and those of definition_read. The caller frees it. Thread-safe. */
pdb_status catalog_definition(const char *name_or_path, struct definition **definition, pdb_error *error);

/* The puzzle of a definition, by the family that it names. Errors: PDB_BAD_DEFINITION, PDB_TOO_LARGE, PDB_NO_MEMORY.
 * The caller frees *out with catalog_free; the definition is no longer needed. */
pdb_status catalog_create(const struct definition *definition, pdb_puzzle **out, pdb_error *error);
/* The puzzle of a name or a path: both of these in one. */
pdb_status catalog_load(const char *name_or_path, pdb_puzzle **out, pdb_error *error);
/* That of a definition in memory; `name` stands for its file in messages. */
pdb_status catalog_read(const char *text, size_t length, const char *name, pdb_puzzle **out, pdb_error *error);
void catalog_free(pdb_puzzle *puzzle);

/* What catalog_create makes of a puzzle of one kind; nothing but that is to be freed. */
pdb_puzzle catalog_with_moves(struct puzzle *moves);
pdb_puzzle catalog_without_moves(struct items_puzzle *items);

/* Has a puzzle boards, or items, to ask about? PDB_BAD_BOARD where it has the other. */
pdb_status catalog_check_boards(const pdb_puzzle *puzzle, pdb_error *error);
pdb_status catalog_check_items(const pdb_puzzle *puzzle, pdb_error *error);

/* -- sizes.c: puzzles whose names say more than which one: lights-out-5x6, queens-8, alphametic:SEND+MORE=MONEY,
 *    rush-hour:CELLS --
 *
 * Each is a template: a name to which -ROWSxCOLUMNS or -N is added, and a function that writes the definition of that
 * size. What it writes is read as a file would be. An alphametic has an equation instead of a size, and a base before
 * it if that is not ten: alphametic-16:EQUATION. Its puzzle is named after the equation in capitals,
 * alphametic-SEND-plus-MORE-is-MONEY, so that two equations never share a database; a name that would be too long ends
 * in a digest of it.
 */

/* Is the word the name of such a puzzle? Then *text is its definition, to be freed by the caller; else it is
 * NULL, with PDB_OK. Errors: PDB_UNKNOWN_PUZZLE (a template's name with a size that is none, or too large;
 * an equation that is none), PDB_NO_MEMORY. Thread-safe. */
pdb_status catalog_sized_text(const char *word, char **text, pdb_error *error);

/* How the i-th such name is made, in capitals what is to be filled in ("lights-out-RxC", "queens-N", "alphametic:SUM"),
 * and the title; false past the last. Thread-safe. */
enum { CATALOG_PATTERN_MAX = 32 };
bool catalog_sized_pattern(size_t i, char pattern[CATALOG_PATTERN_MAX], const char **title);

/* Does the word say what is known of its board, as rush-hour:60 IBBx... 2332 does? Then how far it is from its goal,
 * and how many boards moves lead to from it, itself included; 0 where that is not said. It is not
 * checked here. */
bool catalog_claims(const char *word, uint64_t *distance, uint64_t *states);

/* Is the word made like such a name? No text that anybody typed has the lines of its definition then. */
bool catalog_is_sized(const char *word);

#endif
