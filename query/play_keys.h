/* play_keys.h -- what play.c and play_keys.c share */
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

/* -- play_keys.c: what is pointed at -- */

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
