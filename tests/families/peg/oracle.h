/*
 * The independent oracle for peg solitaire: every board's distance by trying all moves, boards with fewer pegs first.
 *
 * It exists to be compared with the fast code, so it is written from the rules alone (puzzles.md, section 6) and shares
 * nothing with the library: no masks, no predecessors, no symmetries. Where a choice lay between quick and obvious, it
 * is obvious.
 *
 * The rules. A peg jumps over a peg into an empty hole behind it; the peg jumped over is taken off. One move is one
 * jump, or, where the puzzle says so, one sweep: any number of jumps, at least one, by one peg. Every different
 * sequence of holes is a different move.
 *
 * Every jump takes a peg off. So a board's distance follows from those of boards with fewer pegs: 0 for a goal, else
 * one more than the least among its moves' boards. The same goes for the number of shortest solutions.
 *
 * A board is one byte a hole, 0 or 1. Memory that runs out ends the process with a message: a test has nothing better
 * to do.
 */
#ifndef TESTS_FAMILIES_PEG_ORACLE_H
#define TESTS_FAMILIES_PEG_ORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { ORACLE_PEG_HOLES = 64, ORACLE_PEG_JUMPS = 512, ORACLE_PEG_GOALS = 8, ORACLE_PEG_ANY = 2 };

struct oracle_peg {
    int holes, jumps, goals;
    bool sweeps;
    int goal_pegs; /* a goal has so many pegs; -1: any number */
    struct {
        int from, over, to;
    } jump[ORACLE_PEG_JUMPS];
    unsigned char goal[ORACLE_PEG_GOALS][ORACLE_PEG_HOLES]; /* ORACLE_PEG_ANY: anything may be there */
};

struct oracle_peg_table;

/* Adds jumps written as puzzles.md does, "0:(1,2)(3,6) 1:(3,5)": from each hole, (over, to). */
void oracle_peg_add_jumps(struct oracle_peg *puzzle, const char *text);

/* Adds a goal written as one character a hole: 1, 0 or *. */
void oracle_peg_add_goal(struct oracle_peg *puzzle, const char *text);

bool oracle_peg_is_goal(const struct oracle_peg *puzzle, const unsigned char *board);

/* All moves out of a board, each reported with the board that it leads to and the holes that the peg has been in. */
typedef void oracle_peg_visitor(void *context, const unsigned char *board, const int *hole, int holes);
void oracle_peg_moves(const struct oracle_peg *puzzle, const unsigned char *board, oracle_peg_visitor *visit,
                      void *context);

/* Solves all boards. For a few holes only: 2^holes boards are kept. Release it with oracle_peg_free. */
struct oracle_peg_table *oracle_peg_solve(const struct oracle_peg *puzzle);
void oracle_peg_free(struct oracle_peg_table *table);

/* -1: cannot reach a goal. */
int oracle_peg_distance(const struct oracle_peg_table *table, const unsigned char *board);

/* How many different shortest solutions there are; 0 for a board that has none. */
uint64_t oracle_peg_count(const struct oracle_peg_table *table, const unsigned char *board);

/* The distance of one board of any size, by trying all sequences of moves: for a few pegs only. */
int oracle_peg_try(const struct oracle_peg *puzzle, const unsigned char *board);

#endif
