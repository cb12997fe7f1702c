/* scene.h -- a board as cells to point at, and which moves belong to which of them
 *
 * The cells are the board's own, or, where the puzzle draws its boards in a way of its own (pdb_board_sketch), the
 * characters of that drawing: then a queen is put on a square, although the board is a list of columns. What a move
 * does is seen from the boards before and after it, so nothing here knows a puzzle's rules.
 */
#ifndef QUERY_PLAY_SCENE_H
#define QUERY_PLAY_SCENE_H

#include "pdb.h"

enum { SCENE_NO_CELL = UINT32_MAX };

/* A cell that a move changes, and what is there afterwards. */
struct scene_change {
    uint32_t cell, value;
};

/* A move, as it is seen. */
struct scene_move {
    uint32_t from;         /* where a player takes hold of it; SCENE_NO_CELL: at any cell that it changes */
    uint32_t to;           /* the first empty cell that it fills; SCENE_NO_CELL where there is none */
    int down, right;       /* how far a piece goes; both 0 where no one piece does */
    size_t first, changes; /* of the scene's changes */
};

struct scene {
    const pdb_puzzle *puzzle;
    bool sketched;
    unsigned rows, columns;
    uint32_t *value; /* of each cell, row by row: its symbol + 1, or 0 for a wall; in a sketch a character's bytes */
    uint16_t *piece; /* which piece lies there; PDB_NO_PIECE for none, and everywhere in a sketch */
    uint32_t *holds; /* how many moves can be taken hold of there */
    size_t moves;
    struct scene_move *move;
    struct scene_change *change;
    size_t changes;
    bool steered; /* there is one empty cell, and pieces go straight into it: a direction is enough to say which */
    bool listed;  /* moves are not at cells (a face that turns): they are chosen from a list */
    bool several; /* in the game so far two moves were called by one direction: a direction does not say which */
};

/* Makes the scene of a board with its legal moves, in place of what *scene ({0} at first) held. Errors: PDB_NO_MEMORY;
 * then it has no cells and no moves. */
pdb_status scene_make(struct scene *scene, const pdb_puzzle *puzzle, const pdb_board *board, const pdb_moves *moves,
                      pdb_error *error);
void scene_free(struct scene *scene);

/* The first cell, in reading order, of a piece that is on the board. */
static inline uint32_t scene_first_cell(const uint16_t *piece, uint16_t number)
{
    uint32_t cell = 0;
    while (piece[cell] != number)
        cell++;
    return cell;
}

/* The word for a step down (up: -1) or to the right (left: -1). */
const char *scene_direction(int down, int right);

/* Is a move called by a direction, as "push left"? */
bool scene_goes(const pdb_move *move, const char *direction);

/* Is a cell one that means something: no wall, no blank of a sketch? */
bool scene_is_cell(const struct scene *scene, uint32_t cell);

/* Can a move be taken hold of at a cell? */
bool scene_holds(const struct scene *scene, size_t move, uint32_t cell);

/* Does a move fill this empty cell? */
bool scene_fills(const struct scene *scene, size_t move, uint32_t cell);

/* What a move leaves at a cell: a value as in `value`. */
uint32_t scene_value_after(const struct scene *scene, size_t move, uint32_t cell);

/* A value as text, UTF-8 of up to 15 bytes: its glyph, or, with `code`, as it is typed. */
void scene_text(const struct scene *scene, uint32_t value, bool code, char text[16]);

#endif
