/* search.h -- searching permutation puzzles: relaxations, their distances as bounds, and the family's searcher
 *
 * The room searches single positions. It numbers states as permute.h does, leaves rounds and threads to
 * lib/search/board/deepen.h, and knows nothing of whole spaces but those of its own relaxations.
 *
 * A *relaxation* of a puzzle is the same puzzle with some tiles made alike, and with the twists of some orbits
 * forgotten. Every move of the puzzle is a move of the relaxation, and every goal looks like one of its goals, so the
 * relaxation's distance is a lower bound of the puzzle's, and changes by at most one in a move that can be undone. It
 * is a permutation puzzle itself: all that numbers the states of one (permute.h) numbers those of its relaxations.
 *
 * A *pattern* says what a relaxation keeps, in words: the name of a tile, `UF`, tells that tile apart from others;
 * `(UF UB)` tells these from the others, but not from each other; `+UF` keeps the twists on all places of the orbits
 * where that tile is; `~` makes its table a bounded one (table.h). All tiles that no word names are alike. Patterns are
 * written one after another, `;` between them. Relaxations count the same moves, so their distances cannot be added;
 * the largest one counts.
 *
 * A pattern's table has an entry for every state of the relaxation, or, where symmetries keep the pattern, one for
 * states that are alike: table.h says which entry a state has, parts.c how a pattern is taken apart for that, and
 * classes.c in which order classes are numbered. All that is part of a database's format. Where moves can be undone an
 * entry is the distance modulo 3, in 2 bits: a neighbour's distance differs by one at most, so a search that knows a
 * node's knows those of the nodes that its moves lead to, however large they are; 3 is for states that reach no goal.
 * Entry 4i has the lowest bits of byte i. Where moves cannot be undone it is the distance itself, in 4 bits, entry 2i
 * the lower half of byte i: 15 stands for 15 and more, and for states that reach no goal.
 *
 * Literature: J. Culberson, J. Schaeffer, "Pattern databases", Computational Intelligence 14 (1998); R. Korf, "Finding
 * optimal solutions to Rubik's Cube using pattern databases", AAAI 1997; G. Cooperman, L. Finkelstein, "New methods
 * for using Cayley graphs in interconnection networks" (1992), for distances modulo 3.
 */
#ifndef FAMILIES_PERMUTE_SEARCH_SEARCH_H
#define FAMILIES_PERMUTE_SEARCH_SEARCH_H

#include "lib/families/permute/symmetry.h"
#include "lib/search/board/machine.h"
#include "lib/search/board/patterns.h"
#include "lib/search/board/search.h"

enum { PERMUTE_FAR = 15 }; /* the largest entry of 4 bits */

struct permute_pattern {
    unsigned classes;                 /* of tiles that are told apart; those of one class are alike */
    uint8_t class[BOARD_MAX_SYMBOLS]; /* by tile: from 1 on; 0 where no word names it */
    bool turns[BOARD_MAX_SYMBOLS];    /* by tile: the twists of its orbits count */
    bool bounded;                     /* its table tells an entry's distance by itself (table.h) */
};

struct permute_patterns {
    unsigned count;
    struct permute_pattern pattern[PATTERN_TABLES_MAX];
};

/* -- relax.c -- */

/* How many states a pattern's relaxation has, to the precision of a long double. Error: PDB_NO_MEMORY. */
pdb_status permute_relaxed_count(const struct permute *permute, const struct permute_pattern *pattern,
                                 long double *count, pdb_error *error);
/* Makes the relaxation as far as that count needs it: its states are not numbered. The caller frees *out with
 * permute_relaxed_free, also where it fails. Error: PDB_NO_MEMORY. */
pdb_status permute_relax_orbits(const struct permute *permute, const struct permute_pattern *pattern,
                                struct permute **out, pdb_error *error);
/* Makes the relaxation; `permute` must outlive it. Errors: PDB_NO_MEMORY, PDB_TOO_LARGE (its states cannot be
 * numbered). The caller frees *out with permute_relaxed_free (which takes NULL too). */
pdb_status permute_relax(const struct permute *permute, const struct permute_pattern *pattern, struct permute **out,
                         pdb_error *error);
void permute_relaxed_free(struct permute *relaxed);
/* What the relaxation sees of a position of its puzzle. */
void permute_relaxed_position(const struct permute *relaxed, const uint8_t *position, uint8_t *image);

/* -- distances.c -- */

static inline unsigned permute_entry_bits(const struct permute *permute)
{
    return permute->puzzle.undoable ? 2 : 4;
}
static inline uint64_t permute_table_bytes(const struct permute *permute, uint64_t states)
{
    const unsigned in_a_byte = 8 / permute_entry_bits(permute);
    return (states + in_a_byte - 1) / in_a_byte;
}
/* What permute_distances takes besides the table, in bytes. Error: PDB_NO_MEMORY. */
pdb_status permute_distances_memory(const struct permute *relaxed, unsigned threads, uint64_t *bytes, pdb_error *error);
/* Fills table[permute_table_bytes] with the distances of all states of a relaxation. `done` states of other tables are
 * added to what the work's observer is told. Errors: PDB_NO_MEMORY, PDB_INTERRUPTED, PDB_TOO_LARGE (distances of
 * BOUND_NEVER and more). */
pdb_status permute_distances(const struct permute *relaxed, const struct pattern_work *work, uint64_t done,
                             uint8_t *table, pdb_error *error);
/* -- patterns.c -- */

/* Reads patterns; a complaint is about the byte *offset of the text. Error: PDB_BAD_DEFINITION, without a place. */
pdb_status permute_parse_patterns(const struct permute *permute, const char *text, struct permute_patterns *patterns,
                                  size_t *offset, pdb_error *error);
/* Reads a definition's `patterns` (NULL: none) into permute->given. */
pdb_status permute_read_patterns(const struct node *node, struct permute *permute, pdb_error *error);

/* Appends a pattern in words, and how many tiles it tells apart, to text[PATTERNS_TEXT_MAX] and
 * shape[PATTERNS_TEXT_MAX]. False where there is no room. */
bool permute_write_pattern(const struct permute *permute, const struct permute_pattern *pattern, char *text,
                           char *shape);

extern const struct pattern_family permute_pattern_family;

/* -- choose.c -- */

/* How many entries tables may have: several together, one alone, one whose states have classes (table.h; its small
 * tables counted as entries). */
struct permute_room {
    long double several, alone, classes;
};
/* Chooses patterns that there is room for; none with more than a sixteenth of the puzzle's own states. There may be
 * none. *by_symmetry: may one that symmetries make be chosen? Then: was it? Error: PDB_NO_MEMORY. */
pdb_status permute_choose_patterns(const struct permute *permute, const struct permute_room *room, bool *by_symmetry,
                                   struct permute_patterns *patterns, pdb_error *error);

/* -- blind.c: does each move that changes the goal, which has no open cells, or a move of which it is a power, change
 * what some pattern sees of the goal? Error: PDB_NO_MEMORY. -- */
pdb_status permute_notices_all(const struct permute *permute, const struct permute_patterns *patterns, bool *all,
                               pdb_error *error);

/* -- redundant.c: sequences of moves that others stand for -- */
pdb_status permute_redundant(const struct permute *permute, bool none, struct machine **out, pdb_error *error);

/* -- search.c -- */
extern const struct searcher_class permute_searcher_class;

#endif
