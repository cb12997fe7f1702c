/* blind.c -- do tables notice every move?
 *
 * Tables that say of a goal after some move that it is a goal still are blind to that move: boards that a few such
 * moves lead to look solved, and a search goes through them without a bound. One table can be so, however many states
 * it has: of a 4x4x4 cube's corners no inner layer moves any. Where half turns of a face look like nothing and quarter
 * turns do not, that is no blindness: a good table of the 3x3x3 cube is so, and few boards look solved to it.
 */
#include "views.h"

#include <string.h>

enum { POWER_MOST = 16 /* times that a move is made, to see what it is as good as */ };

/* Notes which moves change what a pattern sees of the goal, by way of the symmetries that a search uses. */
static pdb_status look(const struct permute *permute, const struct permute_pattern *pattern, bool *noticed,
                       pdb_error *error)
{
    struct permute *relaxed = NULL;
    struct permute_image shown[PERMUTE_VIEWS_EACH];
    uint8_t goal[BOARD_MAX_CELLS], moved[BOARD_MAX_CELLS], seen[BOARD_MAX_CELLS];
    const uint16_t places = permute->puzzle.board.places;
    const pdb_status status = permute_relax_orbits(permute, pattern, &relaxed, error);
    unsigned count = 0;
    if (status == PDB_OK)
        permute_relaxed_position(relaxed, permute->puzzle.goal, goal);
    for (unsigned s = 0; status == PDB_OK && count < PERMUTE_VIEWS_EACH && s < permute->symmetries->count; s++) {
        const struct permute_symmetry *symmetry = &permute->symmetries->symmetry[s];
        if (!permute_shows_more(permute, relaxed, symmetry, shown, &count))
            continue;
        for (unsigned m = 0; m < permute->moves; m++) {
            permute_apply(permute, symmetry->move[m], permute->puzzle.goal, moved);
            permute_relaxed_position(relaxed, moved, seen);
            noticed[m] |= memcmp(seen, goal, places) != 0;
        }
    }
    permute_relaxed_free(relaxed);
    return status;
}

/* Is a move as good as another one, made some times? */
static bool is_power(const struct permute *permute, unsigned move, unsigned of)
{
    uint8_t once[BOARD_MAX_CELLS], often[2][BOARD_MAX_CELLS];
    const uint16_t places = permute->puzzle.board.places;
    permute_apply(permute, move, permute->board, once);
    memcpy(often[0], permute->board, places);
    for (unsigned i = 0; i < POWER_MOST; i++) {
        permute_apply(permute, of, often[i % 2], often[1 - i % 2]);
        if (memcmp(often[1 - i % 2], once, places) == 0)
            return true;
    }
    return false;
}

pdb_status permute_notices_all(const struct permute *permute, const struct permute_patterns *patterns, bool *all,
                               pdb_error *error)
{
    bool noticed[PERMUTE_MAX_MOVES] = {false};
    uint8_t moved[BOARD_MAX_CELLS];
    pdb_status status = PDB_OK;
    for (unsigned p = 0; status == PDB_OK && p < patterns->count; p++)
        status = look(permute, &patterns->pattern[p], noticed, error);
    *all = true;
    for (unsigned m = 0; status == PDB_OK && *all && m < permute->moves; m++) {
        permute_apply(permute, m, permute->puzzle.goal, moved);
        bool excused = noticed[m] || memcmp(moved, permute->puzzle.goal, permute->puzzle.board.places) == 0;
        for (unsigned of = 0; !excused && of < permute->moves; of++)
            excused = noticed[of] && is_power(permute, m, of);
        *all = excused;
    }
    return status;
}
