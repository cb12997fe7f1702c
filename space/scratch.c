/* scratch.c -- the file for what memory has no room for, and of ranks all of theirs */
#include "scratch.h"

#include <stdlib.h>

/* What this rank's disk is to have room for: files of several ranks may lie on it. All ranks come together. */
static pdb_status add_files(struct ranks *ranks, const struct scratch_disk *disk, struct scratch_wants *wants,
                            pdb_error *error)
{
    enum { NUMBER, FILES, HAVE, ALL };
    const unsigned size = ranks_alone(ranks) ? 1 : ranks->size;
    uint64_t *all = malloc(ALL * size * sizeof *all);
    pdb_status status = all != NULL ? PDB_OK : error_no_memory(error, "the plan", ALL * size * sizeof *all);
    status = ranks_agree(ranks, status, error);
    if (status != PDB_OK || all == NULL) {
        free(all);
        return status;
    }
    uint64_t *number = all + NUMBER * size, *files = all + FILES * size, *have = all + HAVE * size;
    ranks_collect(ranks, disk->number, number);
    ranks_collect(ranks, wants->files, files);
    ranks_collect(ranks, disk->has, have);
    wants->files = wants->have = 0;
    for (unsigned rank = 0; rank < size; rank++) {
        wants->files += number[rank] == disk->number ? files[rank] : 0;
        wants->others |= number[rank] == disk->number && !ranks_alone(ranks) && rank != ranks->rank;
        wants->have += number[rank] == disk->number ? have[rank] : 0;
    }
    free(all);
    return PDB_OK;
}

/* A checkpoint lies beside the one before it, which may be there already. Among ranks only one process alone may shrink
 * its file while the database grows. */
static pdb_status look_for_room(struct space *space, const char *database_directory, bool kept, bool *drops,
                                pdb_error *error)
{
    const struct scratch_needs needs = retrograde_scratch_needs(&space->plan);
    const uint64_t data = space_data_most(space->puzzle);
    const bool alone = ranks_alone(space->ranks);
    struct scratch_wants wants = {.files = needs.file,
                                  .directory = ranks_first(space->ranks) ? database_directory : NULL,
                                  .kept = kept ? needs.kept : 2 * needs.kept,
                                  .database = data + data / 256 + (4 << 20)};
    struct scratch_disk disk = {0};
    pdb_status status = ranks_agree(space->ranks, scratch_look(&space->scratch, &disk, error), error);
    if (status == PDB_OK)
        status = add_files(space->ranks, &disk, &wants, error);
    if (status != PDB_OK)
        return status;
    return ranks_agree(space->ranks, scratch_room(&space->scratch, &wants, alone ? drops : NULL, error), error);
}

pdb_status space_open_scratch(struct space *space, const char *database_directory, bool kept, pdb_error *error)
{
    struct scratch *scratch = &space->scratch;
    struct ranks *ranks = space->ranks;
    struct scratch_of of = {.process = ranks_first(ranks) ? 0 : ranks->rank,
                            .processes = ranks_alone(ranks) ? 1 : ranks->size};
    const bool named = database_directory != NULL;
    bool drops = false;
    pdb_status status = named && ranks_first(ranks) ? scratch_digest(database_directory, &of.digest, error) : PDB_OK;
    status = ranks_agree(ranks, status, error);
    ranks_tell(ranks, &of.digest, 1);
    space->scratch_digest = of.digest;
    if (status == PDB_OK)
        status = ranks_agree(
            ranks, scratch_open(scratch, space->scratch_directory, space->base->name, named ? &of : NULL, error),
            error);
    if (status == PDB_OK)
        status = look_for_room(space, database_directory, kept, &drops, error);
    space->plan.scratch = (struct scratch_file){scratch->file, scratch->path, drops};
    return status;
}

pdb_status space_empty_scratch(const struct space *space, pdb_error *error)
{
    const pdb_status status = scratch_empty(&space->scratch, error);
    if (status == PDB_OK)
        scratch_clear_up(space->scratch_directory, space->base->name, space->scratch_digest);
    return status;
}
