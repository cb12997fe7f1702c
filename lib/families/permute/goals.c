/* goals.c -- all boards that fit a permutation puzzle's goal: open cells are filled with the tiles left over of
 * their orbit, twisted in every way */
#include "permute.h"

#include <string.h>

struct filling {
    const struct permute *permute;
    goal_visitor *visit;
    void *context;
    pdb_error *error;
    unsigned open;                  /* cells to fill */
    uint8_t cell[BOARD_BYTE_CELLS]; /* their places, and the orbit of each: */
    uint8_t orbit[BOARD_BYTE_CELLS];
    uint16_t left[BOARD_BYTE_CELLS][BOARD_BYTE_CELLS]; /* tiles left over of each orbit and class */
    uint8_t position[BOARD_BYTE_CELLS];
};

static pdb_status fill(struct filling *filling, unsigned next)
{
    const struct permute *permute = filling->permute;
    if (next == filling->open) {
        uint64_t index;
        if (!permute->puzzle.family->rank(&permute->puzzle, filling->position, &index))
            return PDB_OK; /* of the wrong parity, or twisted wrongly: assembled so, the goal is out of reach */
        return filling->visit(filling->context, &index, 1, filling->error);
    }
    const struct permute_orbit *orbit = &permute->orbit[filling->orbit[next]];
    uint16_t *left = filling->left[filling->orbit[next]];
    pdb_status status = PDB_OK;
    for (unsigned class = 0; class < orbit->classes; class ++) {
        if (left[class] == 0)
            continue;
        left[class]--;
        for (unsigned twist = 0; status == PDB_OK && twist < orbit->modulus; twist++) {
            filling->position[filling->cell[next]] = permute->symbol_of[orbit->tile[class]][twist];
            status = fill(filling, next + 1);
        }
        left[class]++;
    }
    return status;
}

pdb_status permute_goals(const struct puzzle *puzzle, goal_visitor *visit, void *context, pdb_error *error)
{
    struct filling filling = {
        .permute = (const struct permute *)puzzle, .visit = visit, .context = context, .error = error};
    const struct permute *permute = filling.permute;
    memcpy(filling.position, puzzle->goal, puzzle->board.places);
    for (unsigned o = 0; o < permute->orbits; o++) {
        const struct permute_orbit *orbit = &permute->orbit[o];
        memcpy(filling.left[o], orbit->members, sizeof filling.left[o]);
        for (unsigned i = 0; i < orbit->places; i++) {
            const uint8_t symbol = puzzle->goal[orbit->place[i]];
            if (symbol != BOARD_OPEN) {
                filling.left[o][orbit->class_of[permute->tile_of[symbol]]]--;
                continue;
            }
            filling.cell[filling.open] = orbit->place[i];
            filling.orbit[filling.open++] = (uint8_t)o;
        }
    }
    return fill(&filling, 0);
}
