/* claims.c -- what the name of a puzzle claims of its board, held against what a solver says (pdb.h) */
#include "lib/search/space/flood.h"
#include "lib/text.h"
#include "solver.h"

/* How many states moves lead to from a board, it included. Where they were found from this one, they are all. */
static pdb_status count_around(const pdb_solver *solver, const pdb_board *board, uint64_t *states, pdb_error *error)
{
    const struct puzzle *puzzle = solver->puzzle;
    struct flood flood;
    uint64_t index;
    *states = solver->figures.states;
    if (solver->space.keyed != NULL && puzzle_sets_out(puzzle) && solver->asked->moves->named_count == 1)
        return PDB_OK;
    if (!puzzle->functions.position.rank(puzzle, board->symbol, &index))
        return error_set(error, PDB_BAD_BOARD, "%s: this board is none of its states", puzzle->name);
    const pdb_status status = flood_from(puzzle, index, &flood, error);
    *states = flood.states;
    flood_free(&flood);
    return status;
}

pdb_status pdb_solver_claims(const pdb_solver *solver, const char *name, const pdb_board *board, uint32_t distance,
                             pdb_error *error)
{
    uint64_t claimed, claimed_states, states;
    char found[NUMBER_TEXT_MAX];
    if (!catalog_claims(name, &claimed, &claimed_states))
        return PDB_OK;
    if (distance == PDB_NO_DISTANCE)
        return error_set(error, PDB_BAD_BOARD, "the goal cannot be reached, and it is said to be %llu moves away",
                         (unsigned long long)claimed);
    if (distance != claimed)
        return error_set(error, PDB_BAD_BOARD, "the board is %u move%s from the goal, and not %llu as is said of it",
                         distance, plural(distance), (unsigned long long)claimed);
    if (claimed_states == 0 || solver->searcher != NULL) /* a search cannot count them: that is left unchecked */
        return PDB_OK;
    pdb_status status = count_around(solver, board, &states, error);
    if (status != PDB_OK || states == claimed_states)
        return status;
    return error_set(error, PDB_BAD_BOARD, "moves lead to %s boards from this one, and not to %llu as is said of it",
                     number_text(states, found), (unsigned long long)claimed_states);
}
