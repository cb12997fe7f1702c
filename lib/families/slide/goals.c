/* goals.c -- all boards that fit a sliding puzzle's goal
 *
 * A goal may leave cells open. Its boards are found in two steps: first the ways to place everything with one-cell
 * pieces anonymous (labels), then, for each of them, the ways to order the one-cell pieces. Both fill one place after
 * another and never look back further than the counts of what is left.
 */
#include "slide.h"

#include <string.h>

/* -- labels -- */

enum { MAX_STEPS = SLIDE_MAX_BLOCK_CELLS / 4 };

struct filling {
    const struct slide *slide;
    slide_labels_visitor *visit; /* NULL: the ways to place the large pieces are counted */
    void *context;
    pdb_error *error;
    uint64_t most;                   /* of these ways may still be found */
    uint64_t steps_left;             /* that may still be tried: most ways may end where a large piece does not fit */
    unsigned empties, units, large;  /* left to place */
    unsigned left[SLIDE_MAX_KINDS];  /* of the large pieces, by kind */
    uint8_t labels[BOARD_MAX_CELLS]; /* SLIDE_OPEN where undecided */
};

static pdb_status fill(struct filling *filling, unsigned place);

/* Are the places of a thing of so many cells undecided? */
static bool is_room(const struct filling *filling, const uint16_t *at, unsigned cells)
{
    bool room = at != NULL;
    for (unsigned c = 0; room && c < cells; c++)
        room = filling->labels[at[c]] == SLIDE_OPEN;
    return room;
}

/* Puts a thing of so many cells there, if one is left and there is room, and fills what lies behind it. */
static pdb_status fill_with(struct filling *filling, const uint16_t *at, unsigned cells, uint8_t label, unsigned *left)
{
    if (*left == 0 || !is_room(filling, at, cells))
        return PDB_OK;
    --*left;
    for (unsigned c = 0; c < cells; c++)
        filling->labels[at[c]] = (uint8_t)(label + c);
    pdb_status status = fill(filling, at[0] + 1u);
    for (unsigned c = 0; c < cells; c++)
        filling->labels[at[c]] = SLIDE_OPEN;
    ++*left;
    return status;
}

static pdb_status too_many(pdb_error *error)
{
    return error_set(error, PDB_TOO_LARGE, "too many ways to fill the open cells of the goal");
}

/* Counts the places for the last large piece. */
static pdb_status count_last(struct filling *filling, unsigned place)
{
    const struct slide *slide = filling->slide;
    const struct slide_kind *kind = &slide->kind[slide->units];
    for (unsigned k = slide->units; filling->left[k] == 0; k++)
        kind++;
    for (; place < slide->puzzle.board.places; place++)
        if (is_room(filling, slide_cells(slide, kind, (uint16_t)place), kind->cells) && filling->most-- == 0)
            return too_many(filling->error);
    return PDB_OK;
}

static pdb_status fill(struct filling *filling, unsigned place)
{
    const struct slide *slide = filling->slide;
    const unsigned places = slide->puzzle.board.places;
    if (filling->visit == NULL && filling->large == 1)
        return count_last(filling, place);
    while (place < places && filling->labels[place] != SLIDE_OPEN)
        place++;
    if (place == places)
        return filling->visit(filling->context, filling->labels, filling->error);
    if (filling->steps_left-- == 0)
        return too_many(filling->error);
    /* Large pieces first: what is left at the end always fits when it is single cells. */
    const uint16_t at = (uint16_t)place;
    pdb_status status = PDB_OK;
    for (unsigned k = slide->units; status == PDB_OK && filling->large > 0 && k < slide->kinds; k++) {
        const struct slide_kind *kind = &slide->kind[k];
        if (filling->left[k] == 0)
            continue;
        filling->large--;
        status = fill_with(filling, slide_cells(slide, kind, at), kind->cells, kind->map, &filling->left[k]);
        filling->large++;
    }
    if (status == PDB_OK)
        status = fill_with(filling, &at, 1, SLIDE_UNIT, &filling->units);
    if (status == PDB_OK)
        status = fill_with(filling, &at, 1, SLIDE_EMPTY, &filling->empties);
    return status;
}

/* Are there more ways than `most`? With each to place the large pieces there are as many as to tell the one-cell
 * pieces from the empty cells. */
static pdb_status count_ways(struct filling filling, uint64_t most)
{
    double ways = 1;
    for (unsigned i = 1; i <= filling.units; i++)
        ways = ways * (filling.empties + i) / i;
    filling.most = (uint64_t)((double)most / ways);
    filling.empties += filling.units;
    filling.units = 0;
    return filling.large > 0 ? fill(&filling, 0) : filling.most > 0 ? PDB_OK : too_many(filling.error);
}

pdb_status slide_goal_labels(const struct slide *slide, uint64_t most, slide_labels_visitor *visit, void *context,
                             pdb_error *error)
{
    struct filling filling = {
        .slide = slide, .error = error, .steps_left = MAX_STEPS, .empties = slide->empties, .units = slide->ordered};
    for (unsigned k = slide->units; k < slide->kinds; k++)
        filling.large += filling.left[k] = slide->kind[k].count;
    for (unsigned place = 0; place < slide->puzzle.board.places; place++) {
        uint8_t map = slide->goal[place];
        filling.labels[place] = slide_label(slide, map);
        if (map == SLIDE_EMPTY)
            filling.empties--;
        else if (map <= slide->units)
            filling.units--;
        else if (slide_kind_at(slide, map) != NULL) {
            filling.left[slide->kind_of[map]]--;
            filling.large--;
        }
    }
    pdb_status status = count_ways(filling, most);
    filling.visit = visit;
    filling.context = context;
    return status == PDB_OK ? fill(&filling, 0) : status;
}

bool slide_labels_fit_goal(const struct slide *slide, const uint8_t *labels)
{
    for (unsigned place = 0; place < slide->puzzle.board.places; place++)
        if (slide->goal[place] != SLIDE_OPEN && slide_label(slide, slide->goal[place]) != labels[place])
            return false;
    return true;
}

/* -- orders -- */

struct ordering {
    const struct slide *slide;
    slide_order_visitor *visit;
    void *context;
    pdb_error *error;
    unsigned fixed[BOARD_MAX_CELLS]; /* the class that the goal wants at each position, or `units` for any */
    unsigned left[SLIDE_MAX_KINDS];  /* free pieces of each class: those that no later position is promised */
    uint8_t order[BOARD_MAX_CELLS];
};

static pdb_status order_from(struct ordering *ordering, unsigned position)
{
    const struct slide *slide = ordering->slide;
    if (position == slide->ordered)
        return ordering->visit(ordering->context, ordering->order, ordering->error);
    if (ordering->fixed[position] < slide->units) {
        ordering->order[position] = (uint8_t)ordering->fixed[position];
        return order_from(ordering, position + 1);
    }
    pdb_status status = PDB_OK;
    for (unsigned class = 0; status == PDB_OK && class < slide->units; class ++) {
        if (ordering->left[class] == 0)
            continue;
        ordering->left[class]--;
        ordering->order[position] = (uint8_t) class;
        status = order_from(ordering, position + 1);
        ordering->left[class]++;
    }
    return status;
}

pdb_status slide_goal_orders(const struct slide *slide, const uint8_t *labels, slide_order_visitor *visit,
                             void *context, pdb_error *error)
{
    struct ordering ordering = {.slide = slide, .visit = visit, .context = context, .error = error};
    for (unsigned class = 0; class < slide->units; class ++)
        ordering.left[class] = slide->kind[class].count;
    unsigned position = 0;
    for (unsigned place = 0; place < slide->puzzle.board.places; place++) {
        if (labels[place] != SLIDE_UNIT)
            continue;
        uint8_t map = slide->goal[place];
        ordering.fixed[position] = map == SLIDE_OPEN ? slide->units : map - 1u;
        if (map != SLIDE_OPEN)
            ordering.left[map - 1]--;
        position++;
    }
    return order_from(&ordering, 0);
}
