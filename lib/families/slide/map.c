/* map.c -- sliding pieces: positions to maps, where names are forgotten, and back */
#include "slide.h"
#include "lib/text.h"

#include <stdlib.h>
#include <string.h>

uint16_t slide_place(const struct slide *slide, uint16_t place, int row, int column)
{
    const struct board *board = &slide->puzzle.board;
    int r = board->cell[place] / board->columns + row, c = board->cell[place] % board->columns + column;
    if (r < 0 || r >= board->rows || c < 0 || c >= board->columns)
        return BOARD_NO_PLACE;
    return board->place[r * board->columns + c];
}

pdb_status slide_cells_make(struct slide *slide, pdb_error *error)
{
    const unsigned places = slide->puzzle.board.places;
    uint16_t *cell = slide->cells = calloc((size_t)slide->kinds * places * SLIDE_MAX_PIECE_CELLS + 1, sizeof *cell);
    if (cell == NULL)
        return error_no_memory(error, "the places of pieces", slide->kinds * places * SLIDE_MAX_PIECE_CELLS);
    memset(slide->kind_of, SLIDE_MAX_KINDS, sizeof slide->kind_of);
    for (const struct slide_kind *kind = slide->kind; kind < slide->kind + slide->kinds; kind++) {
        slide->kind_of[kind->map] = (uint8_t)(kind - slide->kind);
        for (uint16_t place = 0; place < places; place++, cell += SLIDE_MAX_PIECE_CELLS)
            for (unsigned c = 0; c < kind->cells && cell[0] != BOARD_NO_PLACE; c++) {
                cell[c] = slide_place(slide, place, kind->row[c], kind->column[c]);
                if (cell[c] == BOARD_NO_PLACE)
                    cell[0] = BOARD_NO_PLACE;
            }
    }
    return PDB_OK;
}

/* Marks the cells of the piece whose first cell stands at `place`; false where one of them is not there. */
static bool map_piece(const struct slide *slide, const uint8_t *position, uint16_t place, const struct slide_name *name,
                      uint8_t *map, bool *taken)
{
    const struct slide_kind *kind = &slide->kind[name->kind];
    const uint16_t *at = slide_cells(slide, kind, place);
    for (unsigned c = 0; at != NULL && c < kind->cells; c++) {
        if (taken[at[c]] || position[at[c]] != name->symbol[c])
            return false;
        taken[at[c]] = true;
        map[at[c]] = (uint8_t)(kind->map + c);
    }
    return at != NULL;
}

static pdb_status check_counts(const struct slide *slide, const unsigned *seen, unsigned empties, bool open,
                               pdb_error *error)
{
    const struct board *board = &slide->puzzle.board;
    for (unsigned n = 0; n < slide->names; n++) {
        const struct slide_name *name = &slide->name[n];
        if (seen[n] > name->count || (seen[n] < name->count && !open))
            return error_set(error, PDB_BAD_BOARD, "the piece '%s' is there %u time%s, not %u as it has to be",
                             board->symbol[name->symbol[0]].code, seen[n], plural(seen[n]), name->count);
    }
    if (empties > slide->empties)
        return error_set(error, PDB_BAD_BOARD, "%u cells are empty, not %u as it has to be", empties, slide->empties);
    return PDB_OK;
}

pdb_status slide_map(const struct slide *slide, const uint8_t *position, bool open, uint8_t *map, unsigned *bad,
                     pdb_error *error)
{
    const struct board *board = &slide->puzzle.board;
    bool taken[BOARD_MAX_CELLS] = {false};
    unsigned seen[BOARD_MAX_SYMBOLS] = {0}, empties = 0, nowhere;
    if (bad == NULL)
        bad = &nowhere;
    for (uint16_t place = 0; place < board->places; place++) {
        *bad = place;
        if (taken[place])
            continue;
        if (position[place] == BOARD_OPEN) {
            map[place] = SLIDE_OPEN;
        } else if (position[place] == board->empty) {
            map[place] = SLIDE_EMPTY;
            empties++;
        } else {
            uint8_t n = slide->name_of_symbol[position[place]];
            const char *code = board->symbol[position[place]].code;
            const unsigned row = board->cell[place] / board->columns + 1u,
                           column = board->cell[place] % board->columns + 1u;
            if (n == BOARD_OPEN)
                return error_set(error, PDB_BAD_BOARD, "row %u, column %u: '%s' stands without the rest of its piece",
                                 row, column, code);
            if (!map_piece(slide, position, place, &slide->name[n], map, taken))
                return error_set(error, PDB_BAD_BOARD,
                                 "row %u, column %u: the piece that begins with '%s' is not whole: each '%s' has to "
                                 "stand as 'pieces' draws it; one that is turned or of another shape needs a symbol of "
                                 "its own",
                                 row, column, code, code);
            seen[n]++;
        }
    }
    *bad = 0;
    return check_counts(slide, seen, empties, open, error);
}

bool slide_fits_goal(const struct slide *slide, const uint8_t *map)
{
    for (unsigned place = 0; place < slide->puzzle.board.places; place++)
        if (slide->goal[place] != SLIDE_OPEN && slide->goal[place] != map[place])
            return false;
    return true;
}

void slide_position(const struct slide *slide, const uint8_t *map, uint8_t *position)
{
    const struct board *board = &slide->puzzle.board;
    uint8_t given[BOARD_MAX_SYMBOLS] = {0};
    for (uint16_t place = 0; place < board->places; place++) {
        const struct slide_kind *kind = slide_kind_at(slide, map[place]);
        if (map[place] == SLIDE_EMPTY)
            position[place] = board->empty;
        if (kind == NULL)
            continue;
        const struct slide_name *name = slide->name;
        while (&slide->kind[name->kind] != kind || given[name - slide->name] == name->count)
            name++;
        given[name - slide->name]++;
        const uint16_t *at = slide_cells(slide, kind, place);
        for (unsigned c = 0; c < kind->cells; c++)
            position[at[c]] = name->symbol[c];
    }
}
