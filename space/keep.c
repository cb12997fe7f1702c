/* keep.c -- what is done of a search, kept in checkpoints */
#include "keep.h"
#include "lib/clock.h"

#include <string.h>

/* Unless it is said how often exactly, a checkpoint is due so many times as long after the last one as that took. */
static const double checkpoint_share = 20;

static void move(void *context, uint64_t offset, uint8_t *bytes, uint64_t size, bool back)
{
    const struct space *space = context;
    retrograde_move(space->search, offset, bytes, size, back);
}

/* The search's parts as they lie now: the frontier changes places with every layer. */
static struct checkpoint describe(struct space *space, struct memory_part parts[RETROGRADE_PARTS_MAX])
{
    struct checkpoint checkpoint = {.generator = PDB_VERSION,
                                    .layout = retrograde_layout(space->search),
                                    .part_count = retrograde_parts(space->search, parts),
                                    .parts = parts,
                                    .move = move,
                                    .context = space};
    memcpy(checkpoint.definition, space->base->digest, sizeof checkpoint.definition);
    return checkpoint;
}

static void note_kept(struct space *space, struct space_checkpoints *checkpoints)
{
    checkpoints->kept = space->scratch_stays = true;
    checkpoints->layer = retrograde_progress(space->search).depth - 1;
}

pdb_status space_save(struct space_checkpoints *checkpoints, const char *name, const struct checkpoint *checkpoint,
                      double begin, pdb_error *error)
{
    pdb_status status = store_holds(checkpoints->writer, error);
    if (status == PDB_OK)
        status = checkpoint_save(checkpoints->directory, name, checkpoint, error);
    const double end = clock_now(), pause = checkpoint_share * (end - begin), least = checkpoints->seconds;
    checkpoints->due = end + (checkpoints->exactly || pause < least ? least : pause);
    checkpoints->kept |= status == PDB_OK;
    return status;
}

/* Rank 0 saves; the others give it what it keeps. What they give counts for nothing: it is not for the search. */
pdb_status space_keep(struct space *space, struct space_checkpoints *checkpoints, pdb_error *error)
{
    struct memory_part parts[RETROGRADE_PARTS_MAX];
    const double begin = clock_now();
    const bool first = ranks_first(space->ranks);
    const uint64_t sent = ranks_alone(space->ranks) ? 0 : space->ranks->sent;
    pdb_status status = first ? store_holds(checkpoints->writer, error) : PDB_OK;
    status = ranks_agree(space->ranks, status, error);
    if (status == PDB_OK)
        status = retrograde_settle(space->search, error);
    if (status != PDB_OK)
        return status;
    if (first) {
        const struct checkpoint checkpoint = describe(space, parts);
        status = space_save(checkpoints, space->base->name, &checkpoint, begin, error);
    }
    retrograde_serve(space->search);
    status = ranks_agree(space->ranks, status, error);
    if (!ranks_alone(space->ranks))
        space->ranks->sent = sent;
    if (status != PDB_OK)
        return status;
    retrograde_kept(space->search);
    note_kept(space, checkpoints);
    return PDB_OK;
}

/* The search's parts become as large as those of one that has come further. */
static bool fit(void *context, const uint64_t *size, struct checkpoint *checkpoint)
{
    struct space *space = context;
    if (!retrograde_fit(space->search, size, checkpoint->part_count))
        return false;
    describe(space, checkpoint->parts);
    return true;
}

/* Of ranks the first alone looks at files; the others hear what it found. */
static void tell_found(const struct space *space, struct space_checkpoints *checkpoints, bool *found)
{
    uint64_t number[1 + sizeof checkpoints->ignored / sizeof(uint64_t)];
    number[0] = *found;
    memcpy(number + 1, checkpoints->ignored, sizeof checkpoints->ignored);
    ranks_tell(space->ranks, number, sizeof number / sizeof *number);
    *found = number[0] > 0;
    memcpy(checkpoints->ignored, number + 1, sizeof checkpoints->ignored);
}

/* Loads the checkpoint if there is one that fits. */
static pdb_status load(struct space *space, struct space_checkpoints *checkpoints, bool *found, pdb_error *error)
{
    struct memory_part parts[RETROGRADE_PARTS_MAX];
    pdb_status status = PDB_OK;
    if (ranks_first(space->ranks)) {
        struct checkpoint checkpoint = describe(space, parts);
        checkpoint.fit = fit;
        status = checkpoint_load(checkpoints->directory, space->base->name, &checkpoint, found, checkpoints->ignored,
                                 sizeof checkpoints->ignored, error);
    }
    retrograde_serve(space->search);
    status = ranks_agree(space->ranks, status, error);
    tell_found(space, checkpoints, found);
    return status;
}

pdb_status space_go_on(struct space *space, struct space_checkpoints *checkpoints, bool *goes_on, pdb_error *error)
{
    bool found = false;
    pdb_status lack = PDB_OK;
    pdb_status status = load(space, checkpoints, &found, error);
    *goes_on = status == PDB_OK && found && retrograde_resume(space->search, &lack);
    if (*goes_on)
        note_kept(space, checkpoints);
    else if (found && lack != PDB_OK)
        status = error_set(error, lack,
                           "%s: the ranks have not enough memory for what the checkpoint in %s has: allow more "
                           "(--memory), or start more ranks; where it is removed, the search begins anew",
                           space->base->name, checkpoints->directory);
    else if (found && space->scratch.open)
        strcpy(checkpoints->ignored,
               ranks_alone(space->ranks)
                   ? "the scratch file is not what the checkpoint says: it is gone, or it was changed"
                   : "the scratch files are not what the checkpoint says: they are gone, they were changed, or another "
                     "number of ranks made them");
    else if (found)
        strcpy(checkpoints->ignored, "the checkpoint contradicts itself");
    return status;
}
