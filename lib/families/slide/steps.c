/* steps.c -- the moves of sliding pieces on a board of labels or of maps
 *
 * In the metric `step` a move is one piece by one cell; in the metric `slide` it is one piece any way that it can
 * travel in one go, round corners too, so the moves are the places it can reach. A piece bound to an axis travels
 * along that only.
 */
#include "slide.h"

#include <string.h>

unsigned slide_directions(const struct slide_kind *kind)
{
    return kind->axis == SLIDE_HORIZONTAL ? 1u << 1 | 1u << 2 : kind->axis == SLIDE_VERTICAL ? 1u << 0 | 1u << 3 : 15;
}

/* How many one-cell pieces stand before `place` in reading order. */
static unsigned units_before(const struct slide *slide, const uint8_t *cells, unsigned place)
{
    unsigned units = 0;
    for (unsigned p = 0; p < place; p++)
        units += cells[p] != SLIDE_EMPTY && cells[p] <= slide->units;
    return units;
}

/* Can the piece, taken off the board, stand with its first cell at `place`? */
static bool fits(const struct slide *slide, const struct slide_kind *kind, const uint8_t *cells, uint16_t place)
{
    const uint16_t *at = slide_cells(slide, kind, place);
    for (unsigned c = 0; at != NULL && c < kind->cells; c++)
        if (cells[at[c]] != SLIDE_EMPTY)
            return false;
    return at != NULL;
}

unsigned slide_destinations(const struct slide *slide, const struct slide_kind *kind, const uint8_t *cells,
                            uint16_t from, uint16_t *place, uint8_t *direction)
{
    bool seen[BOARD_MAX_CELLS];
    unsigned count = 0;
    memset(seen, 0, slide->puzzle.board.places * sizeof *seen);
    seen[from] = true;
    for (unsigned at = 0; at <= count; at++) { /* `from` itself, then every place found, as a queue */
        const uint16_t here = at == 0 ? from : place[at - 1];
        for (unsigned d = 0; d < 4; d++) {
            uint16_t to = slide->neighbour[here][d];
            if (!(slide_directions(kind) >> d & 1) || to == BOARD_NO_PLACE || seen[to] || !fits(slide, kind, cells, to))
                continue;
            seen[to] = true;
            direction[count] = (uint8_t)d;
            place[count++] = to;
        }
        if (!slide->far_moves)
            break;
    }
    return count;
}

static void put(const struct slide *slide, const struct slide_kind *kind, uint8_t *cells, uint16_t place,
                const uint8_t *what)
{
    const uint16_t *at = slide_cells(slide, kind, place);
    for (unsigned c = 0; c < kind->cells; c++)
        cells[at[c]] = what[c];
}

pdb_status slide_steps(const struct slide *slide, const uint8_t *cells, slide_step_visitor *visit, void *context,
                       pdb_error *error)
{
    static const uint8_t nothing[SLIDE_MAX_PIECE_CELLS] = {SLIDE_EMPTY};
    const unsigned places = slide->puzzle.board.places;
    uint8_t taken_off[BOARD_MAX_CELLS], moved[BOARD_MAX_CELLS];
    pdb_status status = PDB_OK;
    memcpy(taken_off, cells, places);
    for (uint16_t place = 0; place < places; place++) {
        const struct slide_kind *kind = slide_kind_at(slide, cells[place]);
        if (kind == NULL)
            continue;
        uint8_t what[SLIDE_MAX_PIECE_CELLS], direction[BOARD_MAX_CELLS];
        uint16_t to[BOARD_MAX_CELLS];
        for (unsigned c = 0; c < kind->cells; c++)
            what[c] = (uint8_t)(cells[place] + c);
        put(slide, kind, taken_off, place, nothing);
        const unsigned count = slide_destinations(slide, kind, taken_off, place, to, direction);
        for (unsigned i = 0; status == PDB_OK && i < count; i++) {
            struct slide_step step = {.cells = moved, .place = place, .to = to[i], .direction = direction[i]};
            memcpy(moved, taken_off, places);
            put(slide, kind, moved, to[i], what);
            if (cells[place] <= slide->units) {
                step.order_from = (uint8_t)units_before(slide, cells, place);
                step.order_to = (uint8_t)units_before(slide, taken_off, to[i]);
            }
            status = visit(context, &step, error);
        }
        put(slide, kind, taken_off, place, what);
    }
    return status;
}
