/* screen.h -- a game on the whole terminal
 *
 * Signals that a game has to answer (Ctrl-C, Ctrl-\, Ctrl-Z, another size) are held back and read like keys, so that
 * the terminal is always put back as it was, and a search can look for them.
 */
#ifndef QUERY_PLAY_SCREEN_H
#define QUERY_PLAY_SCREEN_H

#include "common/signals.h"
#include "play.h"
#include "query/progress.h"

struct play_screen {
    struct query_progress *progress; /* what is told of searches before the screen is there */
    const struct play *play;         /* what is on the screen; NULL before it is there */
    int signals;                     /* a file descriptor that signals are read from */
    bool ended;                      /* one of them ends the game */
    struct bus_error_terminal before;
    unsigned rows, columns; /* of the terminal */
    bool coloured;
    bool searching; /* for a distance; so far */
    uint32_t bound;
    uint64_t nodes;
    unsigned lines; /* of words that there is room for (draw.c) */
    /* where things were drawn, for clicks: the board, moved by so many rows and columns in its place, and the list */
    unsigned board_row, board_column, board_rows, board_columns, board_down, board_right, cell_rows, cell_columns,
        margin;
    unsigned list_row, list_column, list_rows;
    size_t list_first; /* the move in its first row */
};

/* Holds signals back; call it before there are threads. `progress` serves until the game begins. */
void play_screen_prepare(struct play_screen *screen, struct query_progress *progress);

/* A pdb_observer whose context is a struct play_screen. A key stops a search, or a signal that ends the game. */
bool play_screen_observe(void *context, uint32_t bound, uint64_t nodes);

/* Plays to the end. Errors: PDB_INTERRUPTED (SIGINT, SIGQUIT, SIGTERM), PDB_BAD_USAGE (the terminal cannot do that),
 * PDB_IO, and those of the game. */
pdb_status play_screen_run(struct play_screen *screen, struct play *play, pdb_error *error);

/* -- terminal.c -- */

/* Is there a terminal to play on? PDB_BAD_USAGE. */
pdb_status play_screen_check(pdb_error *error);
/* Notes which bytes give the terminal back that newterm has taken, should the game end without endwin. */
void play_screen_remember(struct play_screen *screen);

/* -- draw.c -- */

/* Draws all of it; what was drawn where is noted in *screen. */
void play_draw(struct play_screen *screen, const struct play *play);
/* The line that tells how far a search is. */
void play_draw_search(const struct play_screen *screen);
/* What is at a place of the terminal: a cell of the scene, or a move of the list; else SCENE_NO_CELL, PLAY_NO_MOVE. */
uint32_t play_cell_at(const struct play_screen *screen, const struct play *play, int row, int column);
size_t play_move_at(const struct play_screen *screen, const struct play *play, int row, int column);

#endif
