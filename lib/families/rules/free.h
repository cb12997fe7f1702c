/* free.h -- moves that cost nothing, as parts of those that cost something
 *
 * Where some moves are free, a move of the puzzle is any number of free ones, or none, and then one that costs; and a
 * state fits the goal where free moves alone lead from it to one in which the goal holds. So every distance is the
 * least sum of costs, and no search has to know of moves that bring nothing nearer. Ways that differ in free moves
 * alone are one: of several to the same state at the same cost by the same move, parameters included, one counts.
 */
#ifndef FAMILIES_RULES_FREE_H
#define FAMILIES_RULES_FREE_H

#include "step.h"

/* Looks whether moves are free, and sets rules->free; *max_moves, which is that of the program, is then set anew.
 * Errors, without a place: PDB_TOO_LARGE (free moves may lead to so many states that this is no way to go),
 * PDB_BAD_DEFINITION (no move costs anything), PDB_NO_MEMORY. */
pdb_status free_make(struct rules *rules, unsigned *max_moves, pdb_error *error);

/* As the functions of program.h and step.h, where moves are free. They and those that follow are thread-safe, and but
 * for free_moves allocate nothing; they take up to 1 MiB on the stack. */
size_t free_successors(const struct rules *rules, const uint64_t *key, size_t count, uint64_t *next, uint32_t *cost,
                       uint16_t *next_count);
void free_goals(const struct rules *rules, const uint64_t *key, size_t count, bool *goal);
pdb_status free_steps_visit(const struct rules *rules, const int32_t *state, step_visitor *visit, void *context,
                            pdb_error *error);
bool free_is_goal(const struct rules *rules, const int32_t *state);

/* How many states, itself included, free moves lead to from a state: the mean of so many, the same each time. */
enum { FREE_SAMPLES = 256 };
double free_states(const struct rules *rules);

/* Free moves, one after another, by their numbers (step_text_of): the first ones, and the last ones, beginning with the
 * very last. More than are kept have no room in a name. */
enum { FREE_KEPT = PDB_MOVE_TEXT_MAX / 3 };
struct free_way {
    size_t count;
    uint32_t first[FREE_KEPT], last[FREE_KEPT]; /* at most `count` of each */
};

/* The free moves that lead from a state to the nearest one in which the goal holds; none where it holds, or none do, or
 * that is not found in *left states, from which those that are looked at are taken. */
void free_goal_way(const struct rules *rules, const int32_t *state, unsigned *left, struct free_way *way);

/* Adds the moves of a state to those of a position, named with free ones (free_names.c). PDB_NO_MEMORY. */
pdb_status free_moves(const struct rules *rules, const int32_t *state, pdb_moves *moves, pdb_error *error);

#endif
