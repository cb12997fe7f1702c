/*
 * The independent oracle for sliding pieces that travel far or along an axis: plain queues over whole boards in a hash
 * table.
 *
 * Like oracle.h it is written from the rules alone and shares nothing with the library, nor with that oracle, but for
 * the set of boards (tests/support/oracle_boards.h).
 *
 * The rules. A rectangular board has walls (#), empty cells (.) and pieces; a letter is a piece's name. The letters in
 * `large` are pieces of several cells, one piece a letter; every cell with any other letter is a piece of its own, and
 * those of one letter are interchangeable. So are pieces whose letters stand together in an entry of `alike`. In the
 * metric `step` a move is one piece by one cell. In the metric `slide` it is one piece any way that it can go while all
 * the others stand still, round corners too. A piece bound to an axis goes along that only.
 *
 * A board is rows * columns bytes; each byte is the number of a piece, and interchangeable pieces are numbered in
 * reading order, so two boards are the same state exactly when their bytes are the same.
 *
 * Memory that runs out ends the process with a message.
 */
#ifndef TESTS_FAMILIES_SLIDE_ORACLE_FAR_H
#define TESTS_FAMILIES_SLIDE_ORACLE_FAR_H

#include <stdbool.h>
#include <stddef.h>

enum {
    FAR_CELLS = 64,
    FAR_LISTS = 16,
    FAR_WALL = 255,
    FAR_NEIGHBOURS = FAR_CELLS * FAR_CELLS,
    FAR_TEXT = 2 * FAR_CELLS + 1
};
enum {
    FAR_NO_GOAL = -1,
    FAR_UNKNOWN = -2
}; /* instead of a distance: no goal can be reached; not a board of the table */

/* A puzzle as text: a character a cell, separated by spaces, rows by slashes. The goal has * where a cell is open. */
struct far_spec {
    const char *board, *goal;
    const char *large;            /* letters of the pieces of several cells; NULL: none */
    const char *alike[FAR_LISTS]; /* letters */
    bool slide;                   /* the metric */
    bool length;                  /* every piece goes along its longer side only */
    const char
        *axis[FAR_LISTS]; /* "A h", "B v", "C l": along rows, along columns, along its longer side; others are free */
};

struct far_board {
    unsigned char cell[FAR_CELLS];
};

struct far_table;

/* Every board that moves lead to from the `starts` (texts, ending with NULL), with its distance to the nearest goal.
 * With NULL every arrangement of the pieces there is. */
struct far_table *far_solve(const struct far_spec *spec, const char *const *starts);
void far_free(struct far_table *table);

size_t far_count(const struct far_table *table);
size_t far_reachable(const struct far_table *table); /* those that can reach a goal */
int far_max(const struct far_table *table);          /* -1 without goals */
const size_t *far_histogram(const struct far_table *table);
struct far_board far_board_at(const struct far_table *table, size_t i);
int far_distance_at(const struct far_table *table, size_t i);
int far_distance(const struct far_table *table, const struct far_board *board);

/* A board in the notation above; interchangeable pieces get their letters in the order that `turn` says (any
 * number). */
void far_text(const struct far_table *table, const struct far_board *board, unsigned turn, char text[FAR_TEXT]);
struct far_board far_read(const struct far_table *table, const char *text);

/* All boards one move away; returns how many. `out` has room for FAR_NEIGHBOURS. */
size_t far_neighbours(const struct far_table *table, const struct far_board *board, struct far_board *out);

#endif
