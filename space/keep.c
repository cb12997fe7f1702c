/* keep.c -- what is kept of a whole space: checkpoints of its search, and what a database has of it */
#include "db/checkpoint.h"
#include "lib/clock.h"
#include "lib/search/space/keyed.h"
#include "space.h"

#include <stdlib.h>
#include <string.h>

/* -- checkpoints -- */

/* Unless it is said how often exactly, a checkpoint is due so many times as long after the last one as that took. */
static const double checkpoint_share = 20;

/* The search's parts as they lie now: the frontier changes places with every layer. */
static struct checkpoint describe(const struct space *space, struct checkpoint_part parts[RETROGRADE_PARTS_MAX])
{
    struct retrograde_part part[RETROGRADE_PARTS_MAX];
    struct checkpoint checkpoint = {.generator = PDB_VERSION,
                                    .layout = retrograde_layout(space->search),
                                    .part_count = retrograde_parts(space->search, part),
                                    .parts = parts};
    memcpy(checkpoint.definition, space->base->digest, sizeof checkpoint.definition);
    for (size_t i = 0; i < checkpoint.part_count; i++)
        parts[i] = (struct checkpoint_part){part[i].bytes, part[i].size};
    return checkpoint;
}

static void note_kept(const struct space *space, struct space_checkpoints *checkpoints)
{
    checkpoints->kept = true;
    checkpoints->layer = retrograde_depth(space->search);
}

pdb_status space_keep(struct space *space, struct space_checkpoints *checkpoints, pdb_error *error)
{
    struct checkpoint_part parts[RETROGRADE_PARTS_MAX];
    const double begin = clock_now();
    const struct checkpoint checkpoint = describe(space, parts);
    pdb_status status = store_holds(checkpoints->writer, error);
    if (status == PDB_OK)
        status = checkpoint_save(checkpoints->directory, space->base->name, &checkpoint, error);
    const double end = clock_now(), pause = checkpoint_share * (end - begin), least = checkpoints->seconds;
    checkpoints->due = end + (checkpoints->exactly || pause < least ? least : pause);
    if (status == PDB_OK)
        note_kept(space, checkpoints);
    return status;
}

/* Loads the checkpoint if there is one that fits: of a search that has grown, if not of one that has not. */
static pdb_status load(struct space *space, struct space_checkpoints *checkpoints, bool *found, pdb_error *error)
{
    struct checkpoint_part parts[RETROGRADE_PARTS_MAX];
    pdb_status status;
    bool grown = false;
    do {
        const struct checkpoint checkpoint = describe(space, parts);
        status = checkpoint_load(checkpoints->directory, space->base->name, &checkpoint, found, checkpoints->ignored,
                                 sizeof checkpoints->ignored, error);
        if (status != PDB_OK || *found || *checkpoints->ignored == '\0' || grown)
            return status;
        grown = true;
    } while (retrograde_grow(space->search));
    return status;
}

/* The search that tried a checkpoint in vain may hold anything: it ends, and another one is planned, which is the one
 * case in which a layer kernel is made twice. */
static pdb_status begin_anew(struct space *space, pdb_error *error)
{
    retrograde_free(space->search);
    space->search = NULL;
    pdb_status status = retrograde_plan_within(space->plan.limit, space->puzzle, space->threads, &space->plan, error);
    return status == PDB_OK ? retrograde_begin(&space->plan, &space->search, error) : status;
}

pdb_status space_begin(struct space *space, struct space_checkpoints *checkpoints, pdb_error *error)
{
    bool found = false;
    pdb_status status = retrograde_begin(&space->plan, &space->search, error);
    if (status != PDB_OK || checkpoints == NULL)
        return status;
    status = load(space, checkpoints, &found, error);
    if (status != PDB_OK)
        return status;
    if (found && retrograde_resume(space->search)) {
        note_kept(space, checkpoints);
        return PDB_OK;
    }
    if (found)
        strcpy(checkpoints->ignored, "the checkpoint contradicts itself");
    return *checkpoints->ignored == '\0' ? PDB_OK : begin_anew(space, error);
}

/* -- what a database has -- */

struct store_header space_header(const struct puzzle *puzzle, char goal[BOARD_TEXT_MAX])
{
    struct store_header header = {
        .puzzle = puzzle->name, .goal = goal, .metric = puzzle->metric, .patterns = "", .generator = PDB_VERSION};
    board_format(&puzzle->board, puzzle->goal, goal);
    memcpy(header.definition, puzzle->digest, sizeof header.definition);
    return header;
}

/* Between distances and keys lie zeros, up to a multiple of 16 bytes. */
pdb_status space_add_keys(struct space *space, pdb_error *error)
{
    if (space->keyed == NULL)
        return PDB_OK;
    const struct keys *keys = keyed_keys(space->keyed);
    const uint64_t offset = keyed_keys_offset(space->header.data_bytes), size = offset + keys_encoded_size(keys);
    space->joined = calloc(size + 1, 1);
    if (space->joined == NULL)
        return error_no_memory(error, "the database", size);
    memcpy(space->joined, space->data, space->header.data_bytes);
    keys_encode(keys, space->joined + offset);
    space->data = space->joined;
    space->header.data_bytes = size;
    return PDB_OK;
}
