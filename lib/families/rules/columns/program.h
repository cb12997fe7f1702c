/* program.h -- the moves and the goal of a definition, compiled: a batch of states at a time, a lane a state
 *
 *   values.c     the nodes that moves need, each with the width of its lanes; conditions are masks
 *   schedule.c   values become instructions in an order, and columns, which are used again once their value is dead
 *   columns.c    what instructions do
 *   batch.h      keys become columns of elements; masks and columns become next keys
 *
 * A program is made once and never changes; its functions are thread-safe and allocate nothing. They work in at most
 * PROGRAM_STACK bytes on the stack.
 */
#ifndef FAMILIES_RULES_PROGRAM_H
#define FAMILIES_RULES_PROGRAM_H

#include "lib/families/rules/rules.h"

struct program;

enum { PROGRAM_STACK = 256 * 1024 };

/* Of the dag, the ground, the layout and the elements of `rules`, which has to outlive the program. `portable`: without
 * what only some processors can. The caller frees *out. Errors: PDB_TOO_LARGE (so many moves or values that no batch
 * fits on the stack), PDB_NO_MEMORY. */
pdb_status program_make(const struct rules *rules, bool portable, struct program **out, pdb_error *error);
void program_free(struct program *program);

/* No state has more moves. */
unsigned program_max_moves(const struct program *program);

/* The next keys of each of `count` keys, one after another, in the order of the ground moves: those whose condition
 * holds and that change the state. `next`, and `cost` where it is not NULL, have room for count * program_max_moves;
 * next_count[i] says how many are the i-th's. Returns how many there are in all. A key may be any number below
 * layout.keys: what is no state's is taken for some state. Where keys are wide, `key` and `next` have two words for
 * each: those of struct wide_key. */
size_t program_successors(const struct program *program, const uint64_t *key, size_t count, uint64_t *next,
                          uint32_t *cost, uint16_t *next_count);

/* The same with costs; move[i] is a number of the move that next[i] is made by: of two moves they differ. */
size_t program_numbered_successors(const struct program *program, const uint64_t *key, size_t count, uint64_t *next,
                                   uint32_t *cost, uint32_t *move, uint16_t *next_count);

/* In which of them does the goal hold? */
void program_goals(const struct program *program, const uint64_t *key, size_t count, bool *goal);

#endif
