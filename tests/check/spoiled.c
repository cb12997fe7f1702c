#include "spoiled.h"

#include <string.h>

uint16_t spoiled_bound;

struct spoiled {
    struct puzzle puzzle; /* the base's facts */
    struct puzzle *base;
    struct family family;
    struct fault fault;
};

static const struct spoiled *spoiled_of(const struct puzzle *puzzle)
{
    return (const struct spoiled *)puzzle;
}

static bool hits(const struct spoiled *spoiled, uint64_t index, unsigned kind)
{
    return (unsigned)spoiled->fault.kind == kind && spoiled->fault.at == index;
}

static bool hits_position(const struct spoiled *spoiled, const uint8_t *position, unsigned kind)
{
    uint64_t index;
    return spoiled->base->family->position.rank(spoiled->base, position, &index) && hits(spoiled, index, kind);
}

static size_t spoil_list(const struct spoiled *spoiled, uint64_t index, bool successors, uint64_t *next,
                         uint16_t *count)
{
    uint64_t *last = &next[*count - 1];
    if (hits(spoiled, index, successors ? SUCCESSOR_WRONG : PREDECESSOR_WRONG))
        *last = *last == 0 ? 1 : *last - 1;
    if (hits(spoiled, index, successors ? SUCCESSOR_MISSING : PREDECESSOR_MISSING))
        --*count;
    if (successors && hits(spoiled, index, SUCCESSOR_OUTSIDE))
        *last = spoiled->puzzle.states;
    if (successors && hits(spoiled, index, SUCCESSOR_TWICE))
        next[(*count)++] = *last;
    return *count;
}

/* One state at a time, so that lists can change their lengths. */
static size_t spoil_all(const struct puzzle *puzzle, bool successors, const uint64_t *index, size_t count,
                        uint64_t *next, uint16_t *next_count)
{
    const struct spoiled *spoiled = spoiled_of(puzzle);
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        if (successors)
            spoiled->base->family->index.successors(spoiled->base, &index[i], 1, next + total, &next_count[i]);
        else
            spoiled->base->family->index.predecessors(spoiled->base, &index[i], 1, next + total, &next_count[i]);
        total += spoil_list(spoiled, index[i], successors, next + total, &next_count[i]);
        if (successors && hits(spoiled, index[i], TOTAL_WRONG))
            return total + count; /* the rest is not looked at */
    }
    return total;
}

static size_t spoiled_successors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                                 uint16_t *next_count)
{
    memset(next_count, 0, count * sizeof *next_count);
    return spoil_all(puzzle, true, index, count, next, next_count);
}

static size_t spoiled_predecessors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                                   uint16_t *next_count)
{
    return spoil_all(puzzle, false, index, count, next, next_count);
}

static size_t spoiled_counted_successors(const struct puzzle *puzzle, uint64_t index, uint64_t *next, uint64_t *ways)
{
    const struct spoiled *spoiled = spoiled_of(puzzle);
    return spoiled->base->family->index.counted_successors(spoiled->base, index, next, ways);
}

static void spoiled_colours(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint8_t *colour)
{
    const struct spoiled *spoiled = spoiled_of(puzzle);
    spoiled->base->family->index.colours(spoiled->base, index, count, colour);
    for (size_t i = 0; i < count; i++) {
        if (hits(spoiled, index[i], COLOUR_SAME))
            colour[i] = !colour[i];
        if (hits(spoiled, index[i], COLOUR_TWO))
            colour[i] = 2;
    }
}

static bool spoiled_rank(const struct puzzle *puzzle, const uint8_t *position, uint64_t *index)
{
    const struct spoiled *spoiled = spoiled_of(puzzle);
    if (!spoiled->base->family->position.rank(spoiled->base, position, index) || hits(spoiled, *index, RANK_NONE))
        return false;
    if (hits(spoiled, *index, RANK_NEXT))
        ++*index;
    return true;
}

static void spoiled_unrank(const struct puzzle *puzzle, uint64_t index, uint8_t *position)
{
    const struct spoiled *spoiled = spoiled_of(puzzle);
    const uint64_t other = index == 0 ? 1 : index - 1;
    spoiled->base->family->position.unrank(spoiled->base, hits(spoiled, index, UNRANK_ORDER) ? other : index, position);
    if (hits(spoiled, index, UNRANK_SYMBOL))
        position[1] = 99;
}

static pdb_status spoiled_check(const struct puzzle *puzzle, const uint8_t *position, pdb_error *cause)
{
    const struct spoiled *spoiled = spoiled_of(puzzle);
    if (hits_position(spoiled, position, CHECK_REFUSES))
        return error_set(cause, PDB_BAD_BOARD, "spoiled");
    return spoiled->base->family->position.check(spoiled->base, position, cause);
}

static pdb_status spoiled_moves(const struct puzzle *puzzle, const uint8_t *position, pdb_moves *moves,
                                pdb_error *cause)
{
    const struct spoiled *spoiled = spoiled_of(puzzle);
    pdb_status status = spoiled->base->family->position.moves(spoiled->base, position, moves, cause);
    if (status != PDB_OK || moves->count == 0)
        return status;
    pdb_move *last = &moves->move[moves->count - 1];
    if (hits_position(spoiled, position, MOVE_UNNAMED))
        *last->text = '\0';
    if (hits_position(spoiled, position, MOVE_ELSEWHERE))
        memcpy(last->board.symbol, position, puzzle->board.places);
    if (hits_position(spoiled, position, MOVE_MISSING))
        moves->count--;
    return PDB_OK;
}

static bool spoiled_is_goal(const struct puzzle *puzzle, const uint8_t *position)
{
    const struct spoiled *spoiled = spoiled_of(puzzle);
    if (hits_position(spoiled, position, GOAL_DENIED))
        return false;
    return hits_position(spoiled, position, GOAL_CLAIMED) ||
           spoiled->base->family->position.is_goal(spoiled->base, position);
}

static pdb_status spoiled_goals(const struct puzzle *puzzle, goal_visitor *visit, void *context, pdb_error *cause)
{
    const struct spoiled *spoiled = spoiled_of(puzzle);
    const uint64_t extra = (unsigned)spoiled->fault.kind == GOAL_OUTSIDE ? puzzle->states : spoiled->fault.at;
    if ((unsigned)spoiled->fault.kind == GOAL_MISSING)
        return PDB_OK;
    pdb_status status = spoiled->base->family->index.goals(spoiled->base, visit, context, cause);
    if (status == PDB_OK && (unsigned)spoiled->fault.kind == GOAL_TWICE)
        status = spoiled->base->family->index.goals(spoiled->base, visit, context, cause);
    if (status == PDB_OK &&
        ((unsigned)spoiled->fault.kind == GOAL_EXTRA || (unsigned)spoiled->fault.kind == GOAL_OUTSIDE))
        status = visit(context, &extra, 1, cause);
    return status;
}

static void spoiled_weights(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint16_t *weight)
{
    const struct spoiled *spoiled = spoiled_of(puzzle);
    spoiled->base->family->index.weights(spoiled->base, index, count, weight);
    for (size_t i = 0; i < count; i++)
        weight[i] = (uint16_t)(weight[i] + hits(spoiled, index[i], WEIGHT_MORE));
}

static bool spoiled_image(const struct puzzle *puzzle, const uint8_t *position, unsigned symmetry, uint8_t *image)
{
    const struct spoiled *spoiled = spoiled_of(puzzle);
    const bool there = spoiled->base->family->index.image(spoiled->base, position, symmetry, image);
    if (there && hits_position(spoiled, position, IMAGE_WRONG))
        memcpy(image, position, puzzle->board.places);
    return there;
}

static void spoiled_bounds(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint16_t *bound)
{
    const struct spoiled *spoiled = spoiled_of(puzzle);
    spoiled->base->family->single.bounds(spoiled->base, index, count, bound);
    for (size_t i = 0; i < count; i++) {
        if (hits(spoiled, index[i], BOUND_OTHER))
            bound[i] = spoiled_bound;
        if (bound[i] == 0 && (unsigned)spoiled->fault.kind == BOUND_GOALS)
            bound[i] = 1;
    }
}

static bool spoiled_pack(const struct puzzle *puzzle, const uint8_t *position, uint64_t *packed)
{
    const struct puzzle *base = spoiled_of(puzzle)->base;
    uint8_t other[BOARD_MAX_CELLS];
    base->family->position.unrank(base, spoiled_of(puzzle)->fault.at + 1, other);
    return base->family->packed.pack(base, hits_position(spoiled_of(puzzle), position, PACKED_NEXT) ? other : position,
                                     packed);
}

static size_t spoiled_packed_predecessors(const struct puzzle *puzzle, const uint64_t *packed, size_t count,
                                          uint64_t *next, uint16_t *next_count)
{
    const struct puzzle *base = spoiled_of(puzzle)->base;
    uint64_t key = *packed;
    const size_t total = base->family->packed.predecessors(base, packed, count, next, next_count);
    base->family->packed.unpack(base, &key, 1);
    return total - hits(spoiled_of(puzzle), key, PACKED_MISSING);
}

static void spoiled_unpack(const struct puzzle *puzzle, uint64_t *packed, size_t count)
{
    const struct puzzle *base = spoiled_of(puzzle)->base;
    base->family->packed.unpack(base, packed, count);
}

pdb_status check_spoiled(struct puzzle *base, struct fault fault, const struct check_limits *limits, pdb_error *error)
{
    struct spoiled spoiled = {.puzzle = *base, .base = base, .family = *base->family, .fault = fault};
    struct check_report report;
    spoiled.family.index.successors = spoiled_successors;
    spoiled.family.index.predecessors = base->family->index.predecessors != base->family->index.successors
                                            ? spoiled_predecessors
                                            : spoiled_successors;
    spoiled.family.position.check = spoiled_check;
    spoiled.family.position.is_goal = spoiled_is_goal;
    spoiled.family.position.moves = spoiled_moves;
    spoiled.family.position.rank = spoiled_rank;
    spoiled.family.position.unrank = spoiled_unrank;
    spoiled.family.index.goals = spoiled_goals;
    spoiled.family.index.colours = base->coloured ? spoiled_colours : NULL;
    spoiled.family.index.weights = base->family->index.weights != NULL ? spoiled_weights : NULL;
    spoiled.family.index.image = base->family->index.weights != NULL ? spoiled_image : NULL;
    spoiled.family.packed = (struct packed_functions){
        .pack = spoiled_pack, .predecessors = spoiled_packed_predecessors, .unpack = spoiled_unpack};
    if (base->family->index.chains)
        spoiled.family.index.counted_successors = spoiled_counted_successors;
    spoiled.family.single.bounds = base->family->single.bounds != NULL ? spoiled_bounds : NULL;
    spoiled.puzzle.family = &spoiled.family;
    *error = (pdb_error){.message = ""};
    return check_puzzle(&spoiled.puzzle, limits, &report, error);
}
