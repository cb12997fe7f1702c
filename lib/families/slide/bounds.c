/* bounds.c -- how far sliding pieces are from their goal places, each alone on the board
 *
 * A place is that of a piece's first cell. A piece alone on the board goes wherever all its cells find places that are
 * no walls, step by step along its axis; in the metric `slide` any such way is one move. Pieces that the goal does not
 * name may end wherever the goal is open under all their cells.
 */
#include "slide.h"

/* Is the goal open under every cell of a piece that stands here? */
static bool may_end(const void *context, unsigned group, unsigned place)
{
    const struct slide *slide = context;
    const uint16_t *at = slide_cells(slide, &slide->kind[group], (uint16_t)place);
    for (unsigned c = 0; at != NULL && c < slide->kind[group].cells; c++)
        if (slide->goal[at[c]] != SLIDE_OPEN)
            return false;
    return at != NULL;
}

/* Moves can be undone: the places it comes from are those it can go to. */
static unsigned sources(const void *context, unsigned group, unsigned place, uint8_t *source)
{
    const struct slide *slide = context;
    const struct slide_kind *kind = &slide->kind[group];
    unsigned count = 0;
    for (unsigned d = 0; d < 4; d++) {
        const uint16_t from = slide->neighbour[place][d];
        if ((slide_directions(kind) >> d & 1) && from != BOARD_NO_PLACE && slide_cells(slide, kind, from) != NULL)
            source[count++] = (uint8_t)from;
    }
    return count;
}

pdb_status slide_bounds_make(struct slide *slide, pdb_error *error)
{
    struct assignment_rules rules = {.context = slide,
                                     .places = slide->puzzle.board.places,
                                     .groups = slide->kinds,
                                     .goal = slide->goal,
                                     .one_go = slide->far_moves,
                                     .sources = sources,
                                     .may_end = may_end};
    for (unsigned k = 0; k < slide->kinds; k++)
        rules.group[k] = (struct assignment_group){.symbol = slide->kind[k].map, .pieces = slide->kind[k].count};
    return assignment_make(&rules, &slide->assignment, error);
}
