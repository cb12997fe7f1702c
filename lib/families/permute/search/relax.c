/* relax.c -- relaxations: a permutation puzzle with some tiles made alike and some twists forgotten
 *
 * A relaxation is a copy of the puzzle's struct with a coarser list of tiles and its own orbits, on the same places and
 * with the same moves. All tiles that are alike in it have one number; it keeps the symbols of the puzzle, of which it
 * uses one for all that look alike (permute_relaxed_position).
 */
#include "search.h"

#include <stdlib.h>
#include <string.h>

/* Do the twists on a place count? */
static bool counts_twists(const struct permute *permute, const struct permute_pattern *pattern, unsigned place)
{
    for (unsigned other = 0; other < permute->puzzle.board.places; other++)
        if (permute->orbit_of[other] == permute->orbit_of[place] &&
            pattern->turns[permute->tile_of[permute->board[other]]])
            return true;
    return false;
}

/* Numbers the classes of tiles; the last number is that of all tiles that no word names. */
static void number_tiles(const struct permute *permute, const struct permute_pattern *pattern, struct permute *relaxed)
{
    uint8_t number[BOARD_MAX_SYMBOLS];
    relaxed->tiles = pattern->classes;
    memset(relaxed->symbol_of, BOARD_OPEN, sizeof relaxed->symbol_of);
    for (unsigned tile = 0; tile < permute->tiles; tile++) {
        const unsigned class = pattern->class[tile];
        number[tile] = (uint8_t)(class > 0 ? class - 1 : pattern->classes);
        relaxed->tiles = number[tile] < relaxed->tiles ? relaxed->tiles : number[tile] + 1u;
        for (unsigned twist = 0; twist < PERMUTE_MAX_TWIST; twist++)
            if (permute->symbol_of[tile][twist] != BOARD_OPEN)
                relaxed->symbol_of[number[tile]][twist] = permute->symbol_of[tile][twist];
    }
    for (unsigned symbol = 0; symbol < permute->puzzle.board.symbols; symbol++)
        relaxed->tile_of[symbol] = number[permute->tile_of[symbol]];
}

void permute_relaxed_position(const struct permute *relaxed, const uint8_t *position, uint8_t *image)
{
    for (unsigned place = 0; place < relaxed->puzzle.board.places; place++) {
        const uint8_t symbol = position[place];
        const unsigned twist = symbol == BOARD_OPEN || relaxed->modulus[place] == 1 ? 0 : relaxed->twist_of[symbol];
        image[place] = symbol == BOARD_OPEN ? symbol : relaxed->symbol_of[relaxed->tile_of[symbol]][twist];
    }
}

/* The relaxation as the definition of it would be read, without orbits. */
static pdb_status copy_relaxed(const struct permute *permute, const struct permute_pattern *pattern,
                               struct permute **out, pdb_error *error)
{
    struct permute *relaxed = malloc(sizeof *relaxed);
    *out = relaxed;
    if (relaxed == NULL)
        return error_no_memory(error, "a relaxed puzzle", sizeof *relaxed);
    *relaxed = *permute;
    relaxed->puzzle.title = NULL;
    relaxed->puzzle.named = NULL;
    relaxed->puzzle.drawn = NULL;
    relaxed->puzzle.named_count = 0;
    relaxed->puzzle.states = 0;
    relaxed->puzzle.deepest = 0; /* it may be less deep */
    relaxed->puzzle.coloured = false;
    relaxed->given = NULL;
    permute_orbits_forget(relaxed);
    for (unsigned place = 0; place < permute->puzzle.board.places; place++)
        if (!counts_twists(permute, pattern, place))
            relaxed->modulus[place] = 1;
    number_tiles(permute, pattern, relaxed);
    permute_relaxed_position(relaxed, permute->board, relaxed->board);
    permute_relaxed_position(relaxed, permute->puzzle.goal, relaxed->puzzle.goal);
    return PDB_OK;
}

pdb_status permute_relax_orbits(const struct permute *permute, const struct permute_pattern *pattern,
                                struct permute **out, pdb_error *error)
{
    const pdb_status status = copy_relaxed(permute, pattern, out, error);
    return status == PDB_OK ? permute_orbits_find(*out, error) : status;
}

pdb_status permute_relaxed_count(const struct permute *permute, const struct permute_pattern *pattern,
                                 long double *count, pdb_error *error)
{
    struct permute *relaxed;
    const pdb_status status = permute_relax_orbits(permute, pattern, &relaxed, error);
    *count = status == PDB_OK ? permute_count(relaxed) : 0;
    permute_relaxed_free(relaxed);
    return status;
}

pdb_status permute_relax(const struct permute *permute, const struct permute_pattern *pattern, struct permute **out,
                         pdb_error *error)
{
    pdb_status status = copy_relaxed(permute, pattern, out, error);
    if (status == PDB_OK)
        status = permute_orbits_make(*out, error);
    if (status == PDB_OK && (*out)->puzzle.states == 0)
        status = error_set(error, PDB_TOO_LARGE, "a pattern has about %.2g states: too many to number",
                           (*out)->puzzle.size);
    if (status != PDB_OK) {
        permute_relaxed_free(*out);
        *out = NULL;
        return status;
    }
    (*out)->puzzle.coloured = false; /* entries are distances modulo 3 */
    return PDB_OK;
}

void permute_relaxed_free(struct permute *relaxed)
{
    if (relaxed == NULL)
        return;
    permute_orbits_free(relaxed); /* the moves are the puzzle's */
    free(relaxed);
}
