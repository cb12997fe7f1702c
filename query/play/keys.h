/* keys.h -- what play.c, point.c and keys.c share */
#ifndef QUERY_PLAY_KEYS_H
#define QUERY_PLAY_KEYS_H

#include "play.h"

/* -- play.c -- */

/* A new game. */
pdb_status play_restart(struct play *play, const pdb_board *board, pdb_error *error);
/* A random board, at a distance or (PDB_NO_DISTANCE) anywhere; or a message. */
pdb_status play_random(struct play *play, uint32_t distance, pdb_error *error);
/* To a step of the way, back or on. */
pdb_status play_go(struct play *play, size_t at, pdb_error *error);
/* A best move, if one is known. */
pdb_status play_take_best(struct play *play, pdb_error *error);

/* -- point.c -- */

/* What there is to say about this key. */
__attribute__((format(printf, 2, 3))) void play_say(struct play *play, const char *format, ...);
/* Does a move belong to a cell: is it taken hold of there or, where no move is, does it fill it? */
bool play_belongs(const struct play *play, size_t move, uint32_t cell);
/* An arrow: moves what is held, or a tile into the only gap, or the cursor. */
pdb_status play_arrow(struct play *play, int down, int right, pdb_error *error);
/* Points at the next move of the list (by: 1), or the one before (-1). */
void play_choose(struct play *play, int by);
/* Points at the next piece that can move, and holds it. */
void play_next_piece(struct play *play, bool back);
/* Moves what is under the cursor, or holds it, or puts what is held there. */
pdb_status play_use(struct play *play, pdb_error *error);

struct play_place {
    uint32_t cursor, held;
};

/* What is pointed at once a move is made: the piece that went, where it is then. */
struct play_place play_place_after(const struct play *play, size_t move);
/* Points there, as far as that means something on the board at hand. */
void play_point_at(struct play *play, struct play_place place);
/* Points where a game begins. */
void play_point_first(struct play *play);

#endif
