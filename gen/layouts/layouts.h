/* layouts.h -- a definition that leaves pieces or walls open, solved for each way to put them (pdb-gen --layouts)
 *
 * The room. read.c reads the key `layouts` and the pictures around it; list.c has all layouts as lists of numbers, of
 * those that are alike by a symmetry one; write.c writes the definition of one; solve.c solves it, and finds which
 * other layouts are states of the same space; journal.c keeps what is done; run.c shares the work out and ranks. A
 * layout is made a puzzle by its text alone, so the room knows no family.
 *
 * A *placement* is one way to put one piece: an entry of the key, one of its forms, and where the first cell of that
 * comes to stand. Placements are numbered. A layout is the ascending numbers of its placements, `pieces` of them, and
 * all layouts stand in one sorted array: so a state of a solved space is found among them, where it is one. All those
 * have the same space, and the first of them stands for all.
 */
#ifndef GEN_LAYOUTS_LAYOUTS_H
#define GEN_LAYOUTS_LAYOUTS_H

#include "catalog/catalog.h"
#include "common/progress_line.h"
#include "lib/definition/picture.h"

#include <limits.h>

enum {
    LAYOUT_ENTRIES = 32,
    LAYOUT_FORMS = 8,
    LAYOUT_PIECES = 64, /* of all entries together */
    LAYOUT_CELLS = 16,  /* of a form */
    LAYOUT_NONE = UINT32_MAX
};

/* A piece as it is put, seen from its first cell in reading order. */
struct form {
    unsigned cells;
    int row[LAYOUT_CELLS], column[LAYOUT_CELLS];
    char code[LAYOUT_CELLS][SYMBOL_CODE_MAX];
};

/* An entry of the key: so many pieces, each in one of the forms. */
struct entry {
    unsigned times, forms;
    struct form form[LAYOUT_FORMS];
    bool wall;   /* it is no piece, but walls */
    bool letter; /* it has several cells and one letter for all: each piece gets a letter of its own */
    bool on[BOARD_MAX_CELLS];
    char name[LAYOUT_PIECES][2]; /* those letters */
    uint32_t first, count;       /* its placements */
};

struct placement {
    uint16_t entry, form, cell; /* where the first cell is put */
};

struct layouts {
    struct definition *definition;
    struct picture board, goal; /* `board` may be the goal's, and pieces on it be none */
    bool has_goal, shapes;      /* the goal is a picture; the board shows only where walls are */
    bool marks;                 /* the board is a map with marks, of the family rules, and no position */
    char name[PUZZLE_NAME_MAX + 1];
    unsigned entries, pieces;
    struct entry entry[LAYOUT_ENTRIES];

    /* list.c */
    uint32_t placements;
    struct placement *placement;
    uint32_t *at;              /* by entry * forms + form, and cell: its placement or LAYOUT_NONE */
    unsigned symmetries;       /* besides the identity */
    uint32_t *image[8];        /* of each placement */
    uint64_t all, count, room; /* with those that are alike; without */
    uint32_t *layout;          /* count * pieces */
};

/* -- read.c -- */

/* Reads a definition with the key. Errors: those of definition_read, PDB_BAD_DEFINITION. */
pdb_status layouts_read(const char *path, struct layouts *layouts, pdb_error *error);
void layouts_free(struct layouts *layouts);

/* Does nothing stand, or is nothing wanted, on the cell? */
bool layouts_is_free(const struct picture *picture, unsigned cell);

/* The cells that a placement covers; false where it leaves the board, or may not stand there. */
bool layouts_cells(const struct layouts *layouts, const struct placement *placement, uint16_t *cell);

/* -- list.c -- */

/* Lists all layouts, of those that are alike by a symmetry the least. Errors: PDB_TOO_LARGE (more than `most`),
 * PDB_UNREACHABLE (there is none), PDB_NO_MEMORY. */
pdb_status layouts_list(struct layouts *layouts, uint64_t most, pdb_error *error);

/* Which of two numbers (uint32_t) comes first, for qsort. */
int layouts_compare(const void *one, const void *other);

/* The number of the layout with these placements, in any order and maybe another of those alike, which are sorted;
 * LAYOUT_NONE where it is none. */
uint32_t layouts_find(const struct layouts *layouts, uint32_t *placements);

/* -- write.c -- */

/* A layout's definition. `start` (NULL: the layout itself) is the board of that name, and `name` and `title` are the
 * puzzle's. The caller frees *text. Error: PDB_NO_MEMORY. */
pdb_status layouts_write(const struct layouts *layouts, const uint32_t *placements, const char *name, const char *title,
                         const char *start, char **text, pdb_error *error);

/* -- solve.c -- */

/* What came of a layout. */
struct outcome {
    uint64_t states, hardest;    /* of its space; how many are farthest */
    uint32_t distance;           /* of those; LAYOUT_NONE: the goal cannot be reached */
    unsigned __int128 solutions; /* shortest ones, of the board that has fewest */
    char board[BOARD_TEXT_MAX];
    uint32_t *covered; /* the layouts of its space, ascending; it is one of them */
    size_t covers;
};

/* Solves layout `number` in so many bytes at most. *outcome is freed with outcome_free, whatever the status. Errors:
 * those of the puzzle and its search, which name the file and the layout; PDB_INTERRUPTED. */
pdb_status layouts_solve(const struct layouts *layouts, uint32_t number, uint64_t memory, struct outcome *outcome,
                         pdb_error *error);
void outcome_free(struct outcome *outcome);

/* -- run.c -- */

/* What the user wants. */
struct layouts_options {
    const char *directory;
    unsigned threads;
    uint64_t memory, most, best; /* bytes; refuse more layouts; so many are kept */
    bool anew;                   /* what was done before is forgotten */
    bool json, quiet;
    enum progress_wish progress;
};

/* All of it, for one file: says how many layouts there are, solves them, ranks them, keeps the best. */
pdb_status layouts_run(const char *path, const struct layouts_options *options, pdb_error *error);

#endif
