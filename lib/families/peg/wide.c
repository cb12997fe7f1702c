/* wide.c -- boards of more holes than a stop has room for */
#include "wide.h"

#include <stdlib.h>
#include <string.h>

static const struct peg *peg_of(const struct puzzle *puzzle)
{
    return (const struct peg *)puzzle;
}

static peg_set set_of(struct wide_key key)
{
    return (peg_set)key.word[0] << 64 | key.word[1];
}

static struct wide_key key_of(peg_set set)
{
    return (struct wide_key){{(uint64_t)(set >> 64), (uint64_t)set}};
}

/* -- boards that are alike -- */

static peg_set least_image(const struct peg *peg, peg_set set)
{
    peg_set least = set;
    for (unsigned s = 1; s < peg->symmetries; s++) {
        const peg_set image = peg_set_image(peg, peg->symmetry[s], set);
        least = image < least ? image : least;
    }
    return least;
}

static void weights(const struct puzzle *puzzle, const struct wide_key *key, size_t count, uint16_t *weight)
{
    const struct peg *peg = peg_of(puzzle);
    for (size_t i = 0; i < count; i++) {
        unsigned same = 1;
        for (unsigned s = 1; s < peg->symmetries; s++)
            same += peg_set_image(peg, peg->symmetry[s], set_of(key[i])) == set_of(key[i]);
        weight[i] = (uint16_t)(peg->symmetries / same);
    }
}

/* -- positions -- */

static bool rank(const struct puzzle *puzzle, const uint8_t *position, struct wide_key *key)
{
    const struct peg *peg = peg_of(puzzle);
    *key = key_of(least_image(peg, peg_wide_state(peg, position)));
    return true;
}

static void unrank(const struct puzzle *puzzle, struct wide_key key, uint8_t *position)
{
    for (unsigned hole = 0; hole < peg_of(puzzle)->holes; hole++)
        position[hole] = set_of(key) >> hole & 1;
}

/* -- moves -- */

/* The stops of one peg, which are written as keys while its hole stands beside each. */
struct stops {
    const struct peg *peg;
    bool back;
    struct wide_key *key;
    uint8_t *hole;
    uint64_t *moves; /* NULL: they are not counted */
};

/* Puts the stops after one into the level that began at `level`, each once: chains that reach the same one do so by as
 * many jumps. Returns the new count. */
static size_t go_on(const struct stops *stops, peg_set set, unsigned hole, uint64_t chains, size_t level, size_t count)
{
    const struct peg *peg = stops->peg;
    for (unsigned j = 0; j < peg->jumps; j++) {
        const struct peg_jump *jump = &peg->jump[j];
        const unsigned from = stops->back ? jump->to : jump->from, to = stops->back ? jump->from : jump->to;
        const bool over = (set >> jump->over & 1) != stops->back;
        if (from != hole || !over || (set >> to & 1) != 0)
            continue;
        const struct wide_key key = key_of(set ^ peg_wide_holes(jump));
        size_t i = level;
        while (i < count && (memcmp(&stops->key[i], &key, sizeof key) != 0 || stops->hole[i] != to))
            i++;
        if (i == count) {
            stops->key[count] = key;
            stops->hole[count++] = (uint8_t)to;
            if (stops->moves != NULL)
                stops->moves[i] = 0;
        }
        if (stops->moves != NULL)
            stops->moves[i] += chains;
    }
    return count;
}

/* The states one move from one, or before it; there is room for puzzle.max_moves. */
static size_t expand(const struct stops *stops, peg_set set)
{
    const struct peg *peg = stops->peg;
    size_t count = 0;
    for (unsigned hole = 0; hole < peg->holes; hole++) {
        if ((set >> hole & 1) == 0)
            continue;
        size_t done = count, level = count;
        count = go_on(stops, set, hole, 1, level, count);
        for (; peg->sweeps && done < count; done++) {
            if (done == level) /* the next level begins */
                level = count;
            count = go_on(stops, set_of(stops->key[done]), stops->hole[done],
                          stops->moves == NULL ? 1 : stops->moves[done], level, count);
        }
    }
    for (size_t i = 0; i < count; i++)
        stops->key[i] = key_of(least_image(peg, set_of(stops->key[i])));
    return count;
}

static size_t expand_all(const struct puzzle *puzzle, bool back, const struct wide_key *key, size_t count,
                         struct wide_key *next, uint16_t *next_count)
{
    uint8_t hole[PEG_MAX_MOVES] = {0};
    size_t all = 0;
    for (size_t i = 0; i < count; i++) {
        const struct stops stops = {peg_of(puzzle), back, next + all, hole, NULL};
        next_count[i] = (uint16_t)expand(&stops, set_of(key[i]));
        all += next_count[i];
    }
    return all;
}

static size_t successors(const struct puzzle *puzzle, const struct wide_key *key, size_t count, struct wide_key *next,
                         uint32_t *cost, uint16_t *next_count)
{
    const size_t all = expand_all(puzzle, false, key, count, next, next_count);
    for (size_t i = 0; cost != NULL && i < all; i++)
        cost[i] = 1;
    return all;
}

static size_t predecessors(const struct puzzle *puzzle, const struct wide_key *key, size_t count, struct wide_key *next,
                           uint16_t *next_count)
{
    return expand_all(puzzle, true, key, count, next, next_count);
}

static size_t counted_successors(const struct puzzle *puzzle, struct wide_key key, struct wide_key *next,
                                 uint64_t *moves)
{
    uint8_t hole[PEG_MAX_MOVES];
    const struct stops stops = {peg_of(puzzle), false, next, hole, moves};
    return expand(&stops, set_of(key));
}

/* -- goals -- */

/* Boards that fit a pattern, on their way. */
struct fitting {
    const struct peg *peg;
    unsigned goal;
    wide_visitor *visit;
    void *context;
    pdb_error *error;
};

/* Each board where no pattern before has it and, of boards alike by a symmetry, once. */
static pdb_status visit_one(const struct fitting *fitting, peg_set set)
{
    const struct peg *peg = fitting->peg;
    const struct wide_key key = key_of(set);
    for (unsigned earlier = 0; earlier < fitting->goal; earlier++)
        if (peg_fits(&peg->goal[earlier], set))
            return PDB_OK;
    return least_image(peg, set) == set ? fitting->visit(fitting->context, &key, 1, fitting->error) : PDB_OK;
}

/* All ways to put `pegs` more pegs (-1: any number) into the open holes from `hole` on. */
static pdb_status fill(const struct fitting *fitting, peg_set set, unsigned hole, int pegs)
{
    const peg_set open = fitting->peg->goal[fitting->goal].all_open;
    while (hole < fitting->peg->holes && (open >> hole & 1) == 0)
        hole++;
    if (hole == fitting->peg->holes || pegs == 0)
        return pegs <= 0 ? visit_one(fitting, set) : PDB_OK;
    if (pegs > (int)peg_wide_count(open >> hole))
        return PDB_OK;
    pdb_status status = fill(fitting, set, hole + 1, pegs);
    return status == PDB_OK ? fill(fitting, set | (peg_set)1 << hole, hole + 1, pegs < 0 ? -1 : pegs - 1) : status;
}

static pdb_status goals(const struct puzzle *puzzle, wide_visitor *visit, void *context, pdb_error *error)
{
    struct fitting fitting = {peg_of(puzzle), 0, visit, context, error};
    pdb_status status = PDB_OK;
    for (; status == PDB_OK && fitting.goal < fitting.peg->goals; fitting.goal++) {
        const peg_set pegs = fitting.peg->goal[fitting.goal].all_pegs;
        const int all = fitting.peg->goal_pegs;
        status = fill(&fitting, pegs, 0, all < 0 ? -1 : all - (int)peg_wide_count(pegs));
    }
    return status;
}

static void are_goals(const struct puzzle *puzzle, const struct wide_key *key, size_t count, bool *goal)
{
    const struct peg *peg = peg_of(puzzle);
    for (size_t i = 0; i < count; i++)
        goal[i] = peg_is_goal_state(peg, set_of(key[i]));
}

struct wide_functions peg_wide_functions(unsigned symmetries)
{
    return (struct wide_functions){.rank = rank,
                                   .unrank = unrank,
                                   .successors = successors,
                                   .predecessors = predecessors,
                                   .counted_successors = counted_successors,
                                   .are_goals = are_goals,
                                   .goals = goals,
                                   .weights = symmetries > 1 ? weights : NULL};
}

/* -- how many moves there can be -- */

/* As on smaller boards (moves.c): the hole of a stop, and the holes jumped over. */
struct wide_stop {
    peg_set used;
    unsigned hole;
};

static int compare_stops(const void *a, const void *b)
{
    const struct wide_stop *x = a, *y = b;
    return x->used != y->used ? (x->used > y->used) - (x->used < y->used) : (x->hole > y->hole) - (x->hole < y->hole);
}

static size_t sort_unique(struct wide_stop *stop, size_t count)
{
    size_t kept = 0;
    qsort(stop, count, sizeof *stop, compare_stops);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || compare_stops(&stop[i], &stop[kept - 1]) != 0)
            stop[kept++] = stop[i];
    return kept;
}

/* Past PEG_MAX_MOVES the count stops. Each of the two has room for PEG_MAX_MOVES + 1 + PEG_MAX_JUMPS. */
static size_t bound_stops(const struct peg *peg, bool back, unsigned hole, struct wide_stop *level,
                          struct wide_stop *next)
{
    size_t total = 0, count = 1;
    level[0] = (struct wide_stop){0, hole};
    while (count > 0 && total <= PEG_MAX_MOVES) {
        size_t made = 0;
        for (size_t i = 0; i < count && made <= PEG_MAX_MOVES; i++) {
            for (unsigned j = 0; j < peg->jumps; j++) {
                const struct peg_jump *jump = &peg->jump[j];
                if ((back ? jump->to : jump->from) == level[i].hole && (level[i].used >> jump->over & 1) == 0)
                    next[made++] = (struct wide_stop){level[i].used | (peg_set)1 << jump->over,
                                                      back ? jump->from : jump->to};
            }
            if (made > PEG_MAX_MOVES)
                made = sort_unique(next, made);
        }
        count = sort_unique(next, made);
        total += count;
        struct wide_stop *swapped = level;
        level = next;
        next = swapped;
    }
    return total;
}

pdb_status peg_bound_wide_moves(struct peg *peg, pdb_error *error)
{
    enum { ROOM = PEG_MAX_MOVES + 1 + PEG_MAX_JUMPS };
    peg->puzzle.max_moves = peg->jumps;
    if (!peg->sweeps)
        return PDB_OK;
    struct wide_stop *stops = calloc(2 * (size_t)ROOM, sizeof *stops);
    if (stops == NULL)
        return error_no_memory(error, "counting the moves", 2 * (size_t)ROOM * sizeof *stops);
    size_t out = 0, into = 0;
    for (unsigned hole = 0; hole < peg->holes && out <= PEG_MAX_MOVES && into <= PEG_MAX_MOVES; hole++) {
        out += bound_stops(peg, false, hole, stops, stops + ROOM);
        into += bound_stops(peg, true, hole, stops, stops + ROOM);
    }
    free(stops);
    peg->puzzle.max_moves = (unsigned)(out > into ? out : into);
    return PDB_OK;
}
