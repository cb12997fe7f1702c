/* solve.c -- a whole space from its states' numbers to the outcome of the search */
#include "lib/clock.h"
#include "lib/search/space/keyed.h"
#include "space.h"

#include <stdlib.h>

struct space space_of(const struct puzzle *puzzle, unsigned threads)
{
    return (struct space){.base = puzzle, .puzzle = puzzle, .threads = threads, .values.puzzle = puzzle};
}

void space_end(struct space *space)
{
    retrograde_plan_free(&space->plan);
    retrograde_free(space->search);
    free(space->joined);
    space->search = NULL;
    space->joined = NULL;
    space->data = NULL;
}

void space_free(struct space *space)
{
    space_end(space);
    keyed_free(space->keyed);
}

/* -- planning -- */

pdb_status space_number(struct space *space, uint64_t memory, explore_observer *observer, void *context,
                        pdb_error *error)
{
    struct keys *keys;
    if (!space->base->keyed)
        return PDB_OK;
    pdb_status status = explore(space->base, space->threads, memory, observer, context, &keys, error);
    if (status == PDB_OK)
        status = keyed_create(space->base, keys, &space->keyed, error);
    if (status == PDB_OK)
        space->puzzle = space->values.puzzle = space->keyed;
    return status;
}

/* What keys take, and what writing the database takes: the writer's own, and for a keyed puzzle distances and keys put
 * together. */
static uint64_t other_bytes(const struct space *space)
{
    /* but for depths above 254 */
    const enum encoding largest = space->puzzle->undoable ? ENCODING_MOD3_2BIT : ENCODING_EXACT_8BIT;
    const uint64_t distances = encoding_bytes(largest, space->puzzle->states);
    const uint64_t keys = space->keyed != NULL ? keys_memory(space->puzzle->states) : 0;
    const uint64_t joined = space->keyed != NULL ? distances + keys : 0;
    return keys + joined + store_publish_memory(distances + keys);
}

pdb_status space_plan(struct space *space, uint64_t memory, pdb_error *error)
{
    const uint64_t others = other_bytes(space), left = memory > others ? memory - others : 0;
    pdb_status status = retrograde_plan_within(left, space->puzzle, space->threads, &space->plan, error);
    space->memory = others + space->plan.memory;
    if (space->memory > memory)
        retrograde_plan_free(&space->plan);
    return status;
}

/* -- solving -- */

static const uint8_t *byte_in_memory(const void *context, uint64_t offset, uint64_t *run, pdb_error *error)
{
    (void)error;
    *run = 1;
    return (const uint8_t *)context + offset;
}

pdb_status space_search(struct space *space, struct space_checkpoints *checkpoints, retrograde_observer *observer,
                        void *context, pdb_error *error)
{
    pdb_status status = PDB_OK;
    if (checkpoints != NULL)
        checkpoints->due = clock_now() + checkpoints->seconds;
    for (bool done = false; status == PDB_OK && !done;) {
        const struct retrograde_progress progress = retrograde_progress(space->search);
        if (observer != NULL && !observer(context, &progress))
            return retrograde_interrupted(space->search, error);
        status = retrograde_layer(space->search, observer, context, &done, error);
        if (status == PDB_OK && !done && checkpoints != NULL && clock_now() > checkpoints->due)
            status = space_keep(space, checkpoints, error);
    }
    return status;
}

void space_finish(struct space *space)
{
    struct retrograde_result result;
    retrograde_finish(space->search, &result);
    space->header = space_header(space->base, space->goal);
    space->header.encoding = encoding_name(result.encoding);
    space->header.states = space->puzzle->states;
    space->header.reachable = result.reachable;
    space->header.data_bytes = encoding_bytes(result.encoding, space->puzzle->states);
    space->header.depths = result.depths;
    space->header.histogram = result.histogram;
    space->header.hardest = result.histogram[result.depths - 1];
    space->header.hardest_kept = result.hardest_kept;
    space->header.hardest_states = result.hardest;
    space->values.encoding = result.encoding;
    space->values.depths = (uint32_t)result.depths;
    space->values.source = (struct byte_source){byte_in_memory, result.bytes};
    space->data = result.bytes;
}
