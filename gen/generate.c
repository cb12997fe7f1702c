/* generate.c -- what becomes of a puzzle: the distances of all its states, or pattern databases where they are too
 * many; of one without moves, its items
 *
 * The lock is taken before the work begins and held to the end, so whatever would be refused is refused at once, and
 * there is one generation of a puzzle in a directory at a time. The checkpoint goes when the database is there, by
 * whoever holds the lock then.
 */
#include "generate.h"
#include "db/checkpoint.h"
#include "db/scratch.h"
#include "work.h"

/* Looks, once, at what stands in the database's place: true where it is good and to stay. */
static bool already_there(struct work *work)
{
    const pdb_puzzle *puzzle = work->subject;
    struct summary *summary = work->summary;
    struct store *store;
    pdb_error ignored;
    const pdb_status status = store_open(summary->file, &store, &ignored);
    if (status == PDB_NO_DATABASE)
        return false;
    const bool ours = status == PDB_OK && space_owner(store, puzzle->name, puzzle->digest) == SPACE_OURS;
    const bool stays = ours && !work->options->force;
    if (!ours)
        summary->replaced = status == PDB_OK ? "another definition's" : "one that could not be opened";
    if (stays) {
        work_summarise(work, store);
        const bool boards = work->puzzle->named_count > 0 || work->puzzle->drawn != NULL;
        if (boards && summary->entries == 0 && !work->puzzle->keyed &&
            space_open(&work->space, store, &ignored) == PDB_OK)
            whole_find_lost(&work->space, summary);
    }
    if (status == PDB_OK)
        store_close(store);
    return stays;
}

/* Of ranks, the first alone looks at files, and all hear what it saw. */
static pdb_status take_place(struct work *work, bool *there, pdb_error *error)
{
    struct ranks *ranks = work->options->ranks;
    pdb_status status = PDB_OK;
    uint64_t stays = ranks_first(ranks) && already_there(work);
    ranks_tell(ranks, &stays, 1);
    *there = stays;
    if (!*there && ranks_first(ranks))
        status = store_create(work->options->directory, work->subject->name, &work->writer, error);
    return ranks_agree(ranks, status, error);
}

/* What an earlier run may have left beside a database that stays. Of ranks, each has a disk. */
static void clear_up(const struct work *work)
{
    const char *directory = work->options->directory, *name = work->subject->name;
    struct ranks *ranks = work->options->ranks;
    uint64_t told[2] = {false}; /* are scratch files needless, and whose they are */
    if (ranks_first(ranks)) {
        const bool whole = work->summary->entries == 0;
        checkpoint_clear_up(directory, name, CHECKPOINT_OF_TABLES, CHECKPOINT_OLDER);
        checkpoint_clear_up(directory, name, CHECKPOINT_OF_STATES, whole ? CHECKPOINT_OLDER : CHECKPOINT_KEEP);
        told[0] = !checkpoint_is_there(directory, name, CHECKPOINT_OF_STATES) &&
                  scratch_digest(directory, &told[1], NULL) == PDB_OK;
    }
    ranks_tell(ranks, told, 2);
    if (*work->options->scratch != '\0' && told[0])
        scratch_clear_up(work->options->scratch, name, told[1]);
}

static pdb_status make(struct work *work, pdb_error *error)
{
    const char *directory = work->options->directory, *name = work->subject->name;
    const bool first = ranks_first(work->options->ranks);
    bool there;
    pdb_status status = take_place(work, &there, error);
    if (status == PDB_OK && there) {
        clear_up(work);
        return PDB_OK;
    }
    if (status == PDB_OK && first)
        checkpoint_sweep(directory, name, CHECKPOINT_OF_STATES);
    if (status == PDB_OK)
        status = kind_of(work->subject)->make(work, error);
    if (work->writer != NULL)
        store_abandon(work->writer);
    /* Beside patterns a checkpoint of the whole space stays, which more memory may make one day. */
    if (status == PDB_OK && first)
        checkpoint_clear_up(directory, name, work->summary->entries == 0 ? CHECKPOINT_OF_STATES : CHECKPOINT_OF_TABLES,
                            CHECKPOINT_REMOVE);
    return status;
}

pdb_status generate(const pdb_puzzle *puzzle, const struct options *options, struct summary *summary, pdb_error *error)
{
    return work_run(puzzle, options, summary, make, error);
}

/* -- verify -- */

static pdb_status check(struct work *work, pdb_error *error)
{
    const struct store_task task = {work->options->threads, work_bytes, work};
    const char *name = work->subject->name, *file = work->summary->file;
    struct store *store;
    pdb_status status = store_open(file, &store, error);
    if (status != PDB_OK)
        return status;
    work->store = store;
    work->doing = "checksums";
    work->data_bytes = store_header(store)->kept_bytes;
    if (!work_summarise(work, store))
        status = error_set(
            error, PDB_DAMAGED,
            "%s is of another puzzle or definition than this %s: generate it again (pdb-gen, with the definition "
            "as it is now)",
            file, name);
    if (status == PDB_OK)
        status = store_verify(store, &task, error);
    if (status == PDB_OK)
        status = kind_of(work->subject)->verify(work, error);
    store_close(store);
    return status;
}

pdb_status verify(const pdb_puzzle *puzzle, const struct options *options, struct summary *summary, pdb_error *error)
{
    return work_run(puzzle, options, summary, check, error);
}
