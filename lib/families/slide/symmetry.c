/* symmetry.c -- sliding pieces: does the board, turned or mirrored, have the same rules and the same goal?
 *
 * Then every kind of piece becomes a kind whose pieces cover what the turned ones cover, of which there are as many,
 * and which may travel along the turned axis; and the goal, turned, is the goal. Which kind, where several have the
 * same shape, the goal says; those that it does not show, and the names of a kind, go by their order, so that turns one
 * after another are a turn again.
 */
#include "slide.h"

#include <string.h>

/* A relabelling that is being looked into. */
struct turn {
    const struct slide *slide;
    struct relabelling *symmetry;
    bool known[SLIDE_MAX_KINDS], taken[SLIDE_MAX_KINDS];
    uint8_t kind[SLIDE_MAX_KINDS];                        /* what it becomes */
    uint8_t cell[SLIDE_MAX_KINDS][SLIDE_MAX_PIECE_CELLS]; /* and each of its cells */
};

/* Where a piece of this kind may stand: some place; BOARD_NO_PLACE where it fits nowhere. */
static uint16_t some_place(const struct slide *slide, const struct slide_kind *kind)
{
    for (uint16_t place = 0; place < slide->puzzle.board.places; place++)
        if (slide_cells(slide, kind, place) != NULL)
            return place;
    return BOARD_NO_PLACE;
}

/* The axis that a turned piece has: rows become columns where the right neighbour of a cell ends up above or below. */
static unsigned turned_axis(const struct turn *turn, const struct slide_kind *kind)
{
    const struct board *board = &turn->slide->puzzle.board;
    if (kind->axis == SLIDE_FREE || board->rows != board->columns)
        return kind->axis;
    for (uint16_t place = 0; place < board->places; place++) {
        const uint16_t right = slide_place(turn->slide, place, 0, 1);
        if (right == BOARD_NO_PLACE)
            continue;
        const bool row = board->cell[turn->symmetry->place[place]] / board->columns ==
                         board->cell[turn->symmetry->place[right]] / board->columns;
        return row ? kind->axis : kind->axis == SLIDE_HORIZONTAL ? SLIDE_VERTICAL : SLIDE_HORIZONTAL;
    }
    return SLIDE_FREE; /* no two cells are side by side: nothing is known */
}

/* Does a kind, standing at a place, become another one? Then cell[] is what its cells become. */
static bool becomes(const struct turn *turn, const struct slide_kind *kind, uint16_t place,
                    const struct slide_kind *other, uint8_t cell[SLIDE_MAX_PIECE_CELLS])
{
    const uint16_t *at = slide_cells(turn->slide, kind, place);
    uint16_t first = BOARD_NO_PLACE;
    if (at == NULL || kind->cells != other->cells || kind->count != other->count ||
        turned_axis(turn, kind) != other->axis)
        return false;
    for (unsigned c = 0; c < kind->cells; c++)
        first = turn->symmetry->place[at[c]] < first ? turn->symmetry->place[at[c]] : first;
    const uint16_t *to = slide_cells(turn->slide, other, first);
    for (unsigned c = 0; to != NULL && c < kind->cells; c++) {
        unsigned found = 0;
        while (found < other->cells && to[found] != turn->symmetry->place[at[c]])
            found++;
        if (found == other->cells)
            return false;
        cell[c] = (uint8_t)found;
    }
    return to != NULL;
}

static bool settle(struct turn *turn, unsigned kind, unsigned other, uint16_t place)
{
    const struct slide_kind *kinds = turn->slide->kind;
    if (turn->known[kind])
        return turn->kind[kind] == other;
    if (turn->taken[other] || !becomes(turn, &kinds[kind], place, &kinds[other], turn->cell[kind]))
        return false;
    turn->known[kind] = turn->taken[other] = true;
    turn->kind[kind] = (uint8_t)other;
    return true;
}

/* The kind of the piece that covers a place in the goal; SLIDE_MAX_KINDS for none. */
static unsigned goal_kind(const struct slide *slide, unsigned place)
{
    const uint8_t cell = slide->goal[place];
    for (unsigned k = 0; k < slide->kinds && cell != SLIDE_OPEN && cell != SLIDE_EMPTY; k++)
        if (cell >= slide->kind[k].map && cell < slide->kind[k].map + slide->kind[k].cells)
            return k;
    return SLIDE_MAX_KINDS;
}

/* Which kind becomes which: those of the goal by where they stand there, then the others by their shapes. */
static bool match_kinds(struct turn *turn)
{
    const struct slide *slide = turn->slide;
    for (uint16_t place = 0; place < slide->puzzle.board.places; place++) {
        const unsigned kind = goal_kind(slide, place);
        if (kind < slide->kinds && slide->goal[place] == slide->kind[kind].map) {
            const unsigned other = goal_kind(slide, turn->symmetry->place[place]);
            if (other == SLIDE_MAX_KINDS || !settle(turn, kind, other, place))
                return false;
        }
    }
    for (unsigned kind = 0; kind < slide->kinds; kind++) {
        const uint16_t place = some_place(slide, &slide->kind[kind]);
        unsigned other = 0;
        while (!turn->known[kind] && other < slide->kinds && !settle(turn, kind, other, place))
            other++;
        if (other == slide->kinds)
            return false;
    }
    return true;
}

/* Is the goal, turned, the goal, cell by cell? */
static bool keeps_goal(const struct turn *turn)
{
    const struct slide *slide = turn->slide;
    for (unsigned place = 0; place < slide->puzzle.board.places; place++) {
        const unsigned kind = goal_kind(slide, place);
        uint8_t cell = slide->goal[place];
        if (kind < slide->kinds)
            cell = (uint8_t)(slide->kind[turn->kind[kind]].map + turn->cell[kind][cell - slide->kind[kind].map]);
        if (slide->goal[turn->symmetry->place[place]] != cell)
            return false;
    }
    return true;
}

/* The n-th name of a kind becomes the n-th of the other one. */
static bool match_names(struct turn *turn)
{
    const struct slide *slide = turn->slide;
    unsigned next[SLIDE_MAX_KINDS] = {0};
    for (unsigned n = 0; n < slide->names; n++) {
        const struct slide_name *name = &slide->name[n];
        unsigned number = next[name->kind]++, other = 0;
        for (; other < slide->names; other++)
            if (slide->name[other].kind == turn->kind[name->kind] && number-- == 0)
                break;
        if (other == slide->names || slide->name[other].count != name->count)
            return false;
        for (unsigned c = 0; c < slide->kind[name->kind].cells; c++)
            turn->symmetry->symbol[name->symbol[c]] = slide->name[other].symbol[turn->cell[name->kind][c]];
    }
    return true;
}

bool slide_keeps(const struct puzzle *puzzle, struct relabelling *symmetry)
{
    struct turn turn = {.slide = (const struct slide *)puzzle, .symmetry = symmetry};
    return match_kinds(&turn) && keeps_goal(&turn) && match_names(&turn);
}
