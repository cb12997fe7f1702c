/*
 * The independent oracle for puzzles of buttons that change cells: a plain queue BFS over whole boards in a hash table,
 * and, for cells of two values, a look at every set of presses there is.
 *
 * It exists to be compared with the fast code, so it is written from the rules alone (puzzles.md) and shares nothing
 * with the library: no linear algebra, no index, no tables. Where a choice lay between quick and obvious, it is
 * obvious.
 *
 * The rules. A board is a rectangle of cells, some of them walls; every other cell has a value 0 .. values-1. A button
 * adds an amount of its own to each cell, modulo `values`; one press is one move. With `backward` a press may also
 * subtract; where that has the same effect as adding it is no move of its own. A board fits the goal if every cell that
 * is not open in the goal has the goal's value.
 *
 * A board is rows * columns bytes, row by row; walls are ORACLE_FLIP_WALL.
 *
 * Memory that runs out ends the process with a message: a test has nothing better to do.
 */
#ifndef TESTS_FAMILIES_FLIP_ORACLE_H
#define TESTS_FAMILIES_FLIP_ORACLE_H

#include "tests/support/oracle_boards.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ORACLE_FLIP_CELLS = 32,   /* most cells of a board */
    ORACLE_FLIP_BUTTONS = 64, /* most buttons */
    ORACLE_FLIP_WALL = 255,   /* a cell that has no value */
    ORACLE_FLIP_ANY = 254     /* in a goal: the cell is open */
};

struct oracle_flip {
    int rows, columns, values;
    bool backward;
    unsigned char goal[ORACLE_FLIP_CELLS]; /* also says where the walls are */
    int buttons;
    unsigned char amount[ORACLE_FLIP_BUTTONS][ORACLE_FLIP_CELLS];
};

/* Begins a puzzle: no walls, goal all 0, no buttons, no backward presses. */
void oracle_flip_begin(struct oracle_flip *puzzle, int rows, int columns, int values);

/* Adds the buttons of a pattern: one at every cell that is no wall. Orthogonal neighbours get `orthogonal` added,
 * diagonal ones `diagonal`, the cell itself `self`. Walls have to be there beforehand. */
void oracle_flip_add_pattern(struct oracle_flip *puzzle, int self, int orthogonal, int diagonal);

/* Adds one button from its amounts, rows * columns of them. */
void oracle_flip_add_button(struct oracle_flip *puzzle, const unsigned char *amount);

/* The boards one move away, appended to `next` one after another in no promised order, one for each move; how many.
 * `next` has room for 2 * buttons boards. With `into` they are those from which a move leads to the board instead. */
int oracle_flip_neighbours(const struct oracle_flip *puzzle, const unsigned char *board, bool into,
                           unsigned char *next);

/* Every board from which a goal can be reached, with its distance. */
struct oracle_boards *oracle_flip_solve(const struct oracle_flip *puzzle);

/* For two values, one exact goal, no walls and up to 25 buttons: least[b] for every board b (bit i is cell i) is the
 * least number of buttons in a set whose presses, once each, lead from it to the goal; 255 where there is no such set.
 * `least` has 2^(rows * columns) bytes. Pressing twice does nothing and the order does not matter, so these are the
 * distances. */
void oracle_flip_press_sets(const struct oracle_flip *puzzle, unsigned char *least);

#endif
