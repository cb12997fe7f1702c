/* play.h -- a game: a puzzle that a person moves on with keys and clicks
 *
 * Keys and clicks go in, and what is to be seen is read from the struct; nothing here draws or reads a terminal
 * (screen.c does). Legal moves need no distances, so a game can go on where finding them takes a long search: then
 * they are looked for only when they are wanted, and the search is stopped by its observer (pdb_options) when a key is
 * pressed.
 *
 * The room: play.c, point.c and keys.c are the game, scene.h sees which cells a move belongs to; screen.h, terminal.c
 * and draw.c alone know ncurses.
 *
 *     struct play play;
 *     play_begin(&play, &drawing, solver, &board, seed, &error);
 *     while (!play.over) { while (play_wants(&play)) play_find(&play, &error); draw; play_key(&play, key, &error); }
 *     play_end(&play);
 */
#ifndef QUERY_PLAY_PLAY_H
#define QUERY_PLAY_PLAY_H

#include "query/draw.h"
#include "scene.h"

enum { PLAY_TEXT_MAX = 256 };

/* Keys that are no characters. */
enum {
    PLAY_UP = 0x110000,
    PLAY_DOWN,
    PLAY_LEFT,
    PLAY_RIGHT,
    PLAY_ENTER,
    PLAY_ESCAPE,
    PLAY_BACKSPACE,
    PLAY_TAB,
    PLAY_BACKTAB,
    PLAY_NEXT_MOVE,
    PLAY_PREVIOUS_MOVE
};

/* A board on the way. */
struct play_step {
    pdb_board board;
    bool known; /* its distance */
    uint32_t distance;
    bool shown; /* the program made the move that led here, not the player */
};

enum { PLAY_NO_MOVE = SIZE_MAX };

struct play {
    const pdb_puzzle *puzzle;
    const pdb_solver *solver;
    struct drawing drawing;
    bool searches; /* distances take a search each: they are looked for when they are wanted */
    uint64_t seed; /* of the next random board */

    struct play_step *step; /* the way so far, and what was taken back of it */
    size_t at, steps;
    unsigned taken_back; /* moves */

    /* of the board at hand */
    pdb_moves moves; /* the legal ones */
    bool weighed;    /* their distances are known */
    bool solved;
    struct scene scene;
    pdb_move *line; /* a shortest solution that was found by a search, from line[line_at] on; NULL for none */
    uint32_t line_at, line_length;
    bool stopped;  /* the search for what is wanted was: it is not begun again by itself */
    unsigned hint; /* 0: none; 1: how far, 2: which piece, 3: the move */

    uint32_t cursor; /* the cell that is pointed at; SCENE_NO_CELL */
    uint32_t held;   /* a cell of the piece that the arrows move; SCENE_NO_CELL */
    size_t chosen;   /* the move pointed at in the list; PLAY_NO_MOVE */
    char typed[16];  /* what was typed of a number, a value or a name */
    bool asking;     /* typed is the distance of a random board */

    bool show_distance, show_best, help;
    bool running;                /* the solution is being shown: play_tick takes the next move */
    bool over;                   /* the player wants to leave */
    char message[PLAY_TEXT_MAX]; /* what there is to say about the last key; "" */
};

/* Begins at a board of the puzzle that is drawn so. Errors: PDB_NO_MEMORY, and those of pdb_board_moves. play_end frees
 * what a game holds, whatever the status was. */
pdb_status play_begin(struct play *play, const struct drawing *drawing, const pdb_solver *solver,
                      const pdb_board *board, uint64_t seed, pdb_error *error);
void play_end(struct play *play);

/* A key: a character or one of the above. A wrong one is no error but a message. Errors, here and below: PDB_NO_MEMORY,
 * PDB_DAMAGED and the like, which end the game. */
pdb_status play_key(struct play *play, int key, pdb_error *error);
/* A click at a cell of the scene, and at a move of the list. */
pdb_status play_click(struct play *play, uint32_t cell, pdb_error *error);
pdb_status play_take(struct play *play, size_t move, pdb_error *error);
/* The next move of the solution that is being shown. */
pdb_status play_tick(struct play *play, pdb_error *error);

/* Is there something to be searched for before all that is shown is known? (Look-ups are made at once.) */
bool play_wants(const struct play *play);
/* Finds one such thing. A search that the observer stops is no error: it is not wanted any more then. */
pdb_status play_find(struct play *play, pdb_error *error);

/* -- what is to be seen -- */

/* Is a move in the list, and does it belong to what is pointed at? */
bool play_lists(const struct play *play, size_t move);
bool play_offers(const struct play *play, size_t move);
/* Is a cell the one that is held, or of the same piece? Can what is held go to this cell? */
bool play_holds(const struct play *play, uint32_t cell);
bool play_aims_at(const struct play *play, uint32_t cell);
/* Is a move known to be a best one? */
bool play_is_best(const struct play *play, size_t move);
/* Does a cell belong to the piece that the hint means? */
bool play_hints_at(const struct play *play, uint32_t cell);

/* "3 moves made (1 mistake), 17 to go", and, of a solved board, how good the solution was. */
void play_status(const struct play *play, char text[PLAY_TEXT_MAX]);
/* What is to be told now: the message, what is typed, the hint. */
void play_message(const struct play *play, char text[PLAY_TEXT_MAX]);

/* What the keys do, a line each; NULL behind the last. */
extern const char *const play_help[];

/* -- what play.c, point.c and keys.c share: the way in play.c -- */

/* A random board, at a distance or (PDB_NO_DISTANCE) anywhere; or a message. */
pdb_status play_random(struct play *play, uint32_t distance, pdb_error *error);
/* To a step of the way, back or on. */
pdb_status play_go(struct play *play, size_t at, pdb_error *error);
/* A best move, if one is known. */
pdb_status play_take_best(struct play *play, pdb_error *error);

/* -- and what is pointed at in point.c -- */

/* What there is to say about this key. */
__attribute__((format(printf, 2, 3))) void play_say(struct play *play, const char *format, ...);
/* Does a move belong to a cell: is it taken hold of there or, where no move is, does it fill it? */
bool play_belongs(const struct play *play, size_t move, uint32_t cell);
/* An arrow: moves what is held, or a tile into the only gap, or the cursor; or makes the move that is called so. */
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
