/* many.c -- all boards of a distance, part by part; the distances of many boards that stand in an array */
#include "solver.h"
#include "lib/images.h"
#include "lib/search/space/distance.h"

#include <stdlib.h>
#include <string.h>

/* -- all boards of a distance --
 *
 * States are gone through by their numbers, and where one stands for several boards (its symmetries), by these: a place
 * among them is state * symmetries + image. */

enum {
    BATCH = 256,     /* states, or boards, that are looked up side by side */
    STATES = 1 << 18 /* that one call looks at, at most: so none takes long */
};

/* States at a distance: where they stand among those that are gone through, and their numbers. */
struct found {
    size_t count;
    uint64_t place[BATCH], index[BATCH];
};

/* States that are gone through: all of them, or those in a list of the hardest. */
struct states {
    const uint64_t *listed; /* NULL: all */
    uint64_t count;
};

static struct states states_for(const pdb_solver *solver, uint32_t distance)
{
    const struct store_header *figures = &solver->figures;
    if (distance + 1 == figures->depths && solver_hardest_kept(solver) == figures->hardest)
        return (struct states){figures->hardest_states, figures->hardest_kept};
    return (struct states){NULL, solver->puzzle->states};
}

/* A run of states: the places of those that are at the distance, and their numbers. Where residues are kept, most are
 * told from others by theirs alone. */
static pdb_status look_up(const pdb_solver *solver, const struct states *states, uint64_t first, uint32_t wanted,
                          struct found *found, pdb_error *error)
{
    const struct values *values = &solver->space.values;
    const unsigned modulus = encoding_modulus(values->encoding);
    const uint64_t left = states->count - first;
    const size_t run = left < BATCH ? (size_t)left : BATCH;
    uint32_t distance[BATCH];
    uint8_t residue[BATCH];
    size_t kept = 0;
    for (size_t i = 0; i < run; i++)
        found->index[i] = states->listed != NULL ? states->listed[first + i] : first + i;
    pdb_status status = modulus == 0 ? PDB_OK : values_get(values, found->index, run, residue, error);
    for (size_t i = 0; status == PDB_OK && i < run; i++)
        if (modulus == 0 || residue[i] == wanted % modulus) {
            found->place[kept] = first + i;
            found->index[kept++] = found->index[i];
        }
    if (status == PDB_OK)
        status = distance_get(values, found->index, kept, distance, error);
    found->count = 0;
    for (size_t i = 0; status == PDB_OK && i < kept; i++)
        if (distance[i] == wanted) {
            found->place[found->count] = found->place[i];
            found->index[found->count++] = found->index[i];
        }
    return status;
}

/* The boards of a state from one of its images on, behind those already there; false where there is no room for all. */
static bool take_images(const struct puzzle *puzzle, uint64_t index, uint64_t *image, pdb_board *board, size_t room,
                        size_t *count)
{
    uint8_t position[BOARD_MAX_CELLS];
    puzzle->family->position.unrank(puzzle, index, position);
    for (const uint64_t images = images_weight(puzzle, index); *image < images; ++*image) {
        if (*count == room)
            return false;
        memset(&board[*count], 0, sizeof *board);
        images_nth(puzzle, position, *image, board[(*count)++].symbol);
    }
    return true;
}

pdb_status pdb_solver_boards(const pdb_solver *solver, uint32_t distance, uint64_t *place, pdb_board *board,
                             size_t room, size_t *count, pdb_error *error)
{
    const struct puzzle *puzzle = solver->puzzle;
    uint8_t position[BOARD_MAX_CELLS];
    pdb_status status = catalog_check_boards(solver->asked, error);
    *count = 0;
    if (status != PDB_OK)
        return status;
    if (solver->searcher != NULL)
        return searching_refuse(solver, error);
    puzzle->family->position.unrank(puzzle, 0, position);
    const struct states states = states_for(solver, distance);
    const uint64_t symmetries = images_symmetries(puzzle, position);
    uint64_t first = *place / symmetries, image = *place % symmetries;
    if (*place == PDB_ALL_BOARDS || first >= states.count || distance >= solver->figures.depths) {
        *place = PDB_ALL_BOARDS;
        return PDB_OK;
    }
    const uint64_t last = states.count - first > STATES ? first + STATES : states.count;
    for (bool full = room == 0; !full && first < last;) {
        struct found found;
        size_t taken = 0;
        status = look_up(solver, &states, first, distance, &found, error);
        if (status != PDB_OK)
            return status;
        while (taken < found.count && take_images(puzzle, found.index[taken], &image, board, room, count)) {
            image = 0;
            taken++;
        }
        full = taken < found.count;
        first = full ? found.place[taken] : first + BATCH;
    }
    *place = first < states.count ? first * symmetries + image : PDB_ALL_BOARDS;
    return solver_sound(solver, PDB_OK, error);
}

/* -- boards in an array -- */

pdb_status pdb_solver_distances(const pdb_solver *solver, const uint8_t *symbols, size_t count, uint32_t *distance,
                                pdb_error *error)
{
    const size_t places = pdb_puzzle_places(solver->asked), most = count < BATCH ? count : BATCH;
    pdb_error cause;
    pdb_status status = catalog_check_boards(solver->asked, error);
    if (status != PDB_OK || count == 0)
        return status;
    pdb_board *board = calloc(most, sizeof *board);
    if (board == NULL)
        return error_no_memory(error, "boards", most * sizeof *board);
    for (size_t first = 0; status == PDB_OK && first < count; first += BATCH) {
        const size_t run = count - first < BATCH ? count - first : BATCH;
        for (size_t i = 0; status == PDB_OK && i < run; i++) {
            memcpy(board[i].symbol, symbols + (first + i) * places, places);
            status = puzzle_check_board(solver->asked, &board[i], &cause);
            if (status != PDB_OK) /* whoever fills an array may put anything into it */
                error_set(error, status, "board %zu of the array: %s", first + i, cause.message);
        }
        if (status == PDB_OK)
            status = pdb_solver_distance(solver, board, run, distance + first, error);
    }
    free(board);
    return status;
}
