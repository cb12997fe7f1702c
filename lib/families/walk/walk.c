/* walk.c -- the family of pieces that walk on a graph: the contract's functions
 *
 * On positions the rules are followed place by place; on indices by exchanges in the traced orders of the regions
 * (walk.h, lib/rank/multiset.h).
 */
#include "walk.h"
#include "lib/families/families.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct walk *walk_of(const struct puzzle *puzzle)
{
    return (const struct walk *)puzzle;
}

/* -- positions -- */

static pdb_status walk_check(const struct puzzle *puzzle, const uint8_t *position, pdb_error *error)
{
    const struct walk *walk = walk_of(puzzle);
    uint16_t count[BOARD_MAX_SYMBOLS] = {0};
    for (unsigned place = 0; place < puzzle->board.places; place++)
        count[position[place]]++;
    for (unsigned symbol = 0; symbol < puzzle->board.symbols; symbol++)
        if (count[symbol] != walk->count[symbol])
            return error_set(error, PDB_BAD_BOARD, "%u of '%s' on the board, but this puzzle has %u", count[symbol],
                             puzzle->board.symbol[symbol].code, walk->count[symbol]);
    return PDB_OK;
}

static void move_text(const struct walk *walk, const char *code, unsigned from, unsigned to, char *text)
{
    const struct board *board = &walk->puzzle.board;
    if (walk->named)
        snprintf(text, PDB_MOVE_TEXT_MAX, "%s from %s to %s", code, walk->names.name[from], walk->names.name[to]);
    else
        snprintf(text, PDB_MOVE_TEXT_MAX, "%s from row %d column %d to row %d column %d", code,
                 board->cell[from] / board->columns + 1, board->cell[from] % board->columns + 1,
                 board->cell[to] / board->columns + 1, board->cell[to] % board->columns + 1);
}

static pdb_status walk_moves(const struct puzzle *puzzle, const uint8_t *position, pdb_moves *moves, pdb_error *error)
{
    const struct walk *walk = walk_of(puzzle);
    const struct board *board = &puzzle->board;
    for (unsigned from = 0; from < board->places; from++) {
        if (position[from] == board->empty)
            continue;
        for (unsigned to = 0; to < board->places; to++) {
            if (!walk->arc[from][to] || position[to] != board->empty)
                continue;
            pdb_move *move = moves_add(moves);
            if (move == NULL)
                return error_no_memory(error, "the moves of a board", sizeof *move);
            memcpy(move->board.symbol, position, board->places);
            move->board.symbol[to] = position[from];
            move->board.symbol[from] = board->empty;
            move->from = board->cell[from];
            strcpy(move->piece, board->symbol[position[from]].code);
            move_text(walk, move->piece, from, to, move->text);
        }
    }
    return PDB_OK;
}

static bool walk_joined(const struct puzzle *puzzle, unsigned from, unsigned to)
{
    const struct walk *walk = walk_of(puzzle);
    return walk->graph && walk->arc[from][to];
}

static bool walk_rank(const struct puzzle *puzzle, const uint8_t *position, uint64_t *index)
{
    const struct walk *walk = walk_of(puzzle);
    uint8_t order[BOARD_MAX_CELLS];
    uint64_t sum = 0;
    for (unsigned r = 0; r < walk->regions; r++) {
        const struct walk_region *region = &walk->region[r];
        if (!walk_region_order(walk, region, position, order))
            return false;
        sum += multiset_rank(&region->ranking, order) * region->weight;
    }
    *index = sum;
    return true;
}

static void walk_unrank(const struct puzzle *puzzle, uint64_t index, uint8_t *position)
{
    const struct walk *walk = walk_of(puzzle);
    uint8_t order[BOARD_MAX_CELLS];
    for (unsigned r = 0; r < walk->regions; r++) {
        const struct walk_region *region = &walk->region[r];
        multiset_unrank(&region->ranking, index / region->weight, order);
        index %= region->weight;
        for (unsigned s = 0; s < region->slots; s++)
            position[walk->place_of[region->first + s]] = region->symbol[order[s]];
    }
}

/* -- indices -- */

/* The moves of the pieces in one region, whose order is traced in `step`. */
static size_t region_neighbours(const struct walk_region *region, const struct walk_arcs *arcs,
                                const struct multiset_step *step, uint64_t index, uint64_t *next)
{
    const struct multiset_ranking *ranking = &region->ranking;
    const uint64_t rank = step[region->slots].before;
    size_t count = 0;
    for (unsigned s = 0; s < region->slots; s++) {
        if (step[s].class == region->empty)
            continue;
        for (uint32_t a = arcs->first[region->first + s]; a < arcs->first[region->first + s + 1]; a++) {
            const unsigned t = arcs->to[a] - region->first;
            if (step[t].class == region->empty)
                next[count++] = index + region->weight *
                                            (multiset_exchanged(ranking, step, s < t ? s : t, s < t ? t : s) - rank);
        }
    }
    return count;
}

static size_t walk_neighbours(const struct walk *walk, const struct walk_arcs *arcs, const uint64_t *index,
                              size_t count, uint64_t *next, uint16_t *next_count)
{
    struct multiset_step steps[2 * BOARD_MAX_CELLS]; /* a region's slots and one more, region after region */
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t before = total;
        uint64_t rest = index[i];
        for (unsigned r = 0; r < walk->moving; r++) {
            const struct walk_region *region = &walk->region[r];
            struct multiset_step *step = steps + region->first + r;
            multiset_trace(&region->ranking, rest / region->weight, i > 0, step);
            rest %= region->weight;
            total += region_neighbours(region, arcs, step, index[i], next + total);
        }
        next_count[i] = (uint16_t)(total - before);
    }
    return total;
}

static size_t walk_successors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                              uint16_t *next_count)
{
    return walk_neighbours(walk_of(puzzle), &walk_of(puzzle)->out, index, count, next, next_count);
}

static size_t walk_predecessors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                                uint16_t *next_count)
{
    return walk_neighbours(walk_of(puzzle), &walk_of(puzzle)->in, index, count, next, next_count);
}

static void walk_colours(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint8_t *colour)
{
    const struct walk *walk = walk_of(puzzle);
    uint8_t position[BOARD_MAX_CELLS];
    for (size_t i = 0; i < count; i++) {
        unsigned parity = walk->goal_colour;
        walk_unrank(puzzle, index[i], position);
        for (unsigned place = 0; place < puzzle->board.places; place++)
            parity += position[place] != puzzle->board.empty && walk->side[walk->slot_of[place]];
        colour[i] = parity & 1;
    }
}

/* -- bounds -- */

static unsigned sources(const void *context, unsigned group, unsigned place, uint16_t *source)
{
    const struct walk *walk = context;
    const unsigned slot = walk->slot_of[place];
    unsigned count = 0;
    (void)group; /* all pieces step alike */
    for (uint32_t a = walk->in.first[slot]; a < walk->in.first[slot + 1]; a++)
        source[count++] = walk->place_of[walk->in.to[a]];
    return count;
}

static bool may_end(const void *context, unsigned group, unsigned place)
{
    (void)group;
    return ((const struct walk *)context)->puzzle.goal[place] == BOARD_OPEN;
}

static pdb_status make_assignment(struct walk *walk, pdb_error *error)
{
    struct assignment_rules rules = {.context = walk,
                                     .places = walk->puzzle.board.places,
                                     .goal = walk->puzzle.goal,
                                     .sources = sources,
                                     .may_end = may_end};
    for (unsigned symbol = 0; symbol < walk->puzzle.board.symbols; symbol++)
        if (symbol != walk->puzzle.board.empty)
            rules.group[rules.groups++] = (struct assignment_group){.symbol = (uint8_t)symbol,
                                                                    .pieces = walk->count[symbol]};
    return assignment_make(&rules, &walk->assignment, error);
}

static void walk_bounds(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint16_t *bound)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t position[BOARD_MAX_CELLS];
        walk_unrank(puzzle, index[i], position);
        bound[i] = assignment_bound(&walk_of(puzzle)->assignment, position);
    }
}

/* -- goals -- */

/* Fills the open cells one after another with what is left; the fixed cells' symbols were taken out beforehand. */
struct filling {
    const struct walk *walk;
    goal_visitor *visit;
    void *context;
    pdb_error *error;
    uint16_t left[BOARD_MAX_SYMBOLS];
    uint8_t position[BOARD_MAX_CELLS];
};

static pdb_status fill(struct filling *filling, unsigned place)
{
    const struct puzzle *puzzle = &filling->walk->puzzle;
    while (place < puzzle->board.places && puzzle->goal[place] != BOARD_OPEN)
        place++;
    if (place == puzzle->board.places) {
        uint64_t index;
        walk_rank(puzzle, filling->position, &index); /* a goal always has one */
        return filling->visit(filling->context, &index, 1, filling->error);
    }
    pdb_status status = PDB_OK;
    for (unsigned symbol = 0; status == PDB_OK && symbol < puzzle->board.symbols; symbol++) {
        if (filling->left[symbol] == 0)
            continue;
        filling->left[symbol]--;
        filling->position[place] = (uint8_t)symbol;
        status = fill(filling, place + 1);
        filling->left[symbol]++;
    }
    return status;
}

static pdb_status walk_goals(const struct puzzle *puzzle, goal_visitor *visit, void *context, pdb_error *error)
{
    struct filling filling = {.walk = walk_of(puzzle), .visit = visit, .context = context, .error = error};
    memcpy(filling.left, filling.walk->count, sizeof filling.left);
    memcpy(filling.position, puzzle->goal, puzzle->board.places);
    for (unsigned place = 0; place < puzzle->board.places; place++)
        if (puzzle->goal[place] != BOARD_OPEN)
            filling.left[puzzle->goal[place]]--;
    return fill(&filling, 0);
}

/* -- symmetries -- */

/* The goal says which piece becomes which; all pieces step alike. */
static bool walk_keeps(const struct puzzle *puzzle, struct relabelling *symmetry)
{
    const struct walk *walk = walk_of(puzzle);
    bool known[BOARD_MAX_SYMBOLS] = {false}, taken[BOARD_MAX_SYMBOLS] = {false};
    for (unsigned place = 0; place < puzzle->board.places; place++) {
        const uint8_t before = puzzle->goal[place], after = puzzle->goal[symmetry->place[place]];
        for (unsigned to = 0; to < puzzle->board.places; to++)
            if (walk->arc[place][to] != walk->arc[symmetry->place[place]][symmetry->place[to]])
                return false;
        if ((before == BOARD_OPEN) != (after == BOARD_OPEN))
            return false;
        if (before == BOARD_OPEN)
            continue;
        if (known[before] ? symmetry->symbol[before] != after : taken[after])
            return false;
        known[before] = taken[after] = true;
        symmetry->symbol[before] = after;
    }
    for (unsigned symbol = 0; symbol < puzzle->board.symbols; symbol++)
        if (walk->count[symbol] != walk->count[symmetry->symbol[symbol]] || (!known[symbol] && taken[symbol]))
            return false;
    return symmetry->symbol[puzzle->board.empty] == puzzle->board.empty;
}

/* -- making one -- */

static void walk_release(struct puzzle *puzzle)
{
    walk_regions_free((struct walk *)puzzle);
    assignment_free(&((struct walk *)puzzle)->assignment);
}

static const char *walk_name(const struct puzzle *puzzle, unsigned place)
{
    return walk_of(puzzle)->named ? walk_of(puzzle)->names.name[place] : NULL;
}

static pdb_status walk_create(const struct definition *definition, struct puzzle *puzzle, pdb_error *error)
{
    struct walk *walk = (struct walk *)puzzle;
    pdb_status status = walk_read(definition, walk, error);
    if (status == PDB_OK)
        status = walk_regions_make(walk, error);
    return status == PDB_OK ? make_assignment(walk, error) : status;
}

static const char *const walk_keys[] = {"board", "goal", "piece", "edges", "one-way", "places", "glyphs", NULL};

const struct family walk_family = {
    .name = "walk",
    .summary = "pieces walk on a board like chess pieces, or on any graph",
    .keys = walk_keys,
    .draws_board = true,
    .size = sizeof(struct walk),
    .create = walk_create,
    .release = walk_release,
    .position = {.check = walk_check,
                 .moves = walk_moves,
                 .joined = walk_joined,
                 .name = walk_name,
                 .keeps = walk_keeps,
                 .rank = walk_rank,
                 .unrank = walk_unrank},
    .index = {.successors = walk_successors,
              .predecessors = walk_predecessors,
              .goals = walk_goals,
              .colours = walk_colours},
    .space = {.layers = walk_layers_make},
    .single = {.bounds = walk_bounds, .bound_text = "the way of every piece to its place, each alone on the board"},
};
