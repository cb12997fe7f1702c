/*
 * The independent oracle for sliding-piece puzzles: a plain queue BFS over whole boards in a hash table.
 *
 * It exists to be compared with the fast code, so it is written from the rules alone (puzzles.md) and shares nothing
 * with the library: no ranking, no index, no parity, no bitmaps. Where a choice lay between quick and obvious, it is
 * obvious.
 *
 * The rules. A rectangular board has walls, empty cells and pieces of any shape. One move is one piece by one cell up,
 * down, left or right; each of its cells lands on an empty cell or on one that the piece itself is leaving. Pieces of
 * one kind are interchangeable.
 *
 * A board is rows * columns bytes, row by row; each byte names a cell of a *kind* of piece (Goat's wide piece: 9 its
 * left half, 10 its right half; both rails: 8). So two boards are the same state exactly when their bytes are the same.
 * A symbol belongs to one kind only (it may stand several times in that kind); then every board can be cut into pieces
 * in one way at most: the first cell, in reading order, that is not yet covered must be the first cell of a piece of
 * the symbol's kind.
 *
 * Moves can be undone, so "can reach the goal" and "can be reached from a goal" are one and the same, and boards that
 * no sequence of moves connects do not influence one another's distances.
 *
 * Memory that runs out ends the process with a message: a test has nothing better to do. Not for threads:
 * oracle_count_paths fills its table at the first call.
 */
#ifndef TESTS_FAMILIES_SLIDE_ORACLE_H
#define TESTS_FAMILIES_SLIDE_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ORACLE_EMPTY = 0,                    /* a cell without a piece */
    ORACLE_ANY = 254,                    /* in a goal only: this cell is open */
    ORACLE_WALL = 255,                   /* a cell that nothing ever enters; walls are those of the inventory */
    ORACLE_CELLS = 64,                   /* most cells of a board */
    ORACLE_KINDS = 64,                   /* most kinds of piece */
    ORACLE_PIECE_CELLS = 8,              /* most cells of a piece */
    ORACLE_GOALS = 8,                    /* most goals */
    ORACLE_NEIGHBOURS = 4 * ORACLE_CELLS /* more than any board can have */
};

/* One kind of piece. Cells are listed in reading order, the first one at (0, 0) and the others relative to it, so rows
 * are never negative but columns may be. Symbols may repeat within the kind (a 2x2 piece written with one letter). */
struct oracle_piece_kind {
    int cells;
    int row[ORACLE_PIECE_CELLS], column[ORACLE_PIECE_CELLS];
    unsigned char symbol[ORACLE_PIECE_CELLS];
};

/* A puzzle. The inventory is any full board: it says where the walls are and how many pieces of each kind there are. A
 * goal is a board in which ORACLE_ANY cells are open; without any it is one exact board. A board that fits any one of
 * the goals is a goal, be it reachable from the inventory or not. */
struct oracle_slide {
    int rows, columns;
    int kinds;
    struct oracle_piece_kind kind[ORACLE_KINDS];
    unsigned char inventory[ORACLE_CELLS];
    int goals;
    unsigned char goal[ORACLE_GOALS][ORACLE_CELLS];
};

/* One board by value; bytes past rows * columns are zero. */
struct oracle_board {
    unsigned char cell[ORACLE_CELLS];
};

struct oracle_table;

/* Helpers to write a puzzle down. oracle_begin empties the puzzle; the others add one thing each: a 1x1 kind, a
 * rectangular kind whose symbols are given row by row, a goal of rows * columns bytes. More than there is room for is
 * reported by oracle_problem. */
void oracle_begin(struct oracle_slide *puzzle, int rows, int columns, const unsigned char *inventory);
void oracle_add_unit(struct oracle_slide *puzzle, unsigned char symbol);
void oracle_add_block(struct oracle_slide *puzzle, int rows, int columns, const unsigned char *symbols);
void oracle_add_goal(struct oracle_slide *puzzle, const unsigned char *goal);

/* What is wrong with the puzzle, in words, or NULL when it is sound. */
const char *oracle_problem(const struct oracle_slide *puzzle);

/* Every board that can reach a goal, with its distance. NULL when oracle_problem has something to say. The table has no
 * boards when nothing fits the goals. It keeps its own copy of the puzzle. Release it with oracle_free. */
struct oracle_table *oracle_solve(const struct oracle_slide *puzzle);
void oracle_free(struct oracle_table *table);

size_t oracle_count(const struct oracle_table *table); /* boards in the table */
int oracle_max(const struct oracle_table *table);      /* the greatest distance; -1 for a table without boards */
const size_t *oracle_histogram(const struct oracle_table *table); /* boards at distance 0 .. oracle_max */
int oracle_distance(const struct oracle_table *table,
                    const unsigned char *board); /* -1: cannot reach a goal, or is no board */

/* Board number i of the table, 0 <= i < oracle_count: rows * columns bytes that live as long as the table. They come in
 * order of distance, the goals first. */
const unsigned char *oracle_board(const struct oracle_table *table, size_t i);
int oracle_distance_at(const struct oracle_table *table, size_t i);

/* All boards one move away, each once (two different moves never give the same board). Writes at most `max` of them and
 * returns how many there are; -1 when the board is not one of this puzzle's size, walls and kinds. The number of pieces
 * is not compared with the inventory. */
int oracle_neighbours(const struct oracle_slide *puzzle, const unsigned char *board, struct oracle_board *out, int max);

/* How many different shortest solutions a board has: 1 for a goal, 0 for a board that is not in the table, UINT64_MAX
 * for that many or more. The first call counts for the whole table. */
uint64_t oracle_count_paths(struct oracle_table *table, const unsigned char *board);

#endif
