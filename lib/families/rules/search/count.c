/* count.c -- how many cheapest solutions a board has
 *
 * All states within the distance, in the order of their cost: when a state is closed, all ways to it are known that are
 * as cheap, for every move costs something. A way is a sequence of moves; two moves from a state to the same one count
 * twice.
 */
#include "search.h"
#include "lib/memory/array.h"

#include <stdlib.h>

static pdb_status add(unsigned __int128 *sum, unsigned __int128 ways, pdb_error *error)
{
    *sum += ways;
    return *sum >> 127 == 0 ? PDB_OK : error_set(error, PDB_TOO_LARGE, "2^127 or more shortest solutions");
}

/* Takes the ways to a state further along its moves. */
static pdb_status add_ways(struct rules_search *search, uint32_t state, uint32_t distance, unsigned __int128 *ways,
                           pdb_error *error)
{
    const struct moving *moving = &search->moving;
    struct met *states = &search->states;
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < moving->count; i++) {
        const uint64_t cost = (uint64_t)states->cost[state] + moving->cost[i];
        uint32_t next;
        if (cost + rules_search_bound(search, moving_next(moving, i)) > distance)
            continue;
        const enum met_how met = met_meet(states, moving_next(moving, i), (uint32_t)cost, state, &next);
        if (met <= MET_CHEAPER) {
            /* NOLINTNEXTLINE(*NullDereference): it has as many as there are states */
            ways[next] = 0;
            met_open(states, next, (uint32_t)cost);
        }
        if (met != MET_DEARER)
            /* NOLINTNEXTLINE(*NullDereference): it has as many as there are states */
            status = add(&ways[next], ways[state], error);
    }
    return status;
}

static pdb_status run(struct rules_search *search, uint32_t distance, unsigned __int128 **ways,
                      unsigned __int128 *count, pdb_error *error)
{
    struct met *states = &search->states;
    const size_t moves = search->moving.mover->most_moves;
    pdb_status status = PDB_OK;
    size_t room = 0;
    bool news;
    while (status == PDB_OK) {
        if (!met_have_room(states, moves))
            return error_set(error, PDB_TOO_LARGE, "%s: too many states lie within its distance to count the solutions",
                             search->searcher->searcher.puzzle->name);
        if (!array_reserve(ways, &room, states->room, sizeof **ways))
            return error_no_memory(error, "the shortest solutions", 2 * states->room * sizeof **ways);
        if (states->count == 1)
            /* NOLINTNEXTLINE(*NullDereference): it has as many as there are states */
            (*ways)[0] = 1;
        uint32_t cost;
        const uint32_t state = met_close(states, &cost);
        if (state == MET_NONE)
            break;
        status = rules_search_expand(search, met_at(states, state), error);
        if (status == PDB_OK) /* they leave states out; the order stays that of costs */
            status = rules_search_stage(search, false, &news, error);
        if (status != PDB_OK)
            break;
        if (cost == distance && search->moving.goal)
            /* NOLINTNEXTLINE(*NullDereference): it has as many as there are states */
            status = add(count, (*ways)[state], error);
        else if (cost < distance)
            status = add_ways(search, state, distance, *ways, error);
        if (status == PDB_OK)
            status = rules_search_poll(search, error);
    }
    return status;
}

pdb_status rules_search_count(const struct searcher *searcher, const uint8_t *position, uint32_t distance,
                              search_observer *observe, void *context, unsigned __int128 *count, pdb_error *error)
{
    struct rules_search search = {.watch = {.observe = observe, .context = context, .limit = distance}};
    unsigned __int128 *ways = NULL;
    *count = 0;
    if (distance == PDB_NO_DISTANCE)
        return PDB_OK;
    pdb_status status = rules_search_begin(&search, searcher, position,
                                           ((const struct rules_searcher *)searcher)->memory, sizeof *ways, error);
    if (status == PDB_OK)
        status = run(&search, distance, &ways, count, error);
    rules_search_end(&search);
    free(ways);
    return status;
}
