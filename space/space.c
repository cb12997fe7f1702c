/* space.c -- a whole space from its states' numbers to a database, and back */
#include "keep.h"
#include "scratch.h"
#include "lib/clock.h"
#include "lib/memory/pages.h"
#include "lib/search/space/folded.h"
#include "lib/search/space/keyed.h"
#include "lib/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* What a search gives, a database takes. */
static_assert((int)STORE_HARDEST_MAX == (int)RETROGRADE_HARDEST_MAX, "as many of the hardest states");
static_assert((int)STORE_NAME_MAX == (int)PUZZLE_NAME_MAX, "names of one length");
static_assert((int)STORE_DIGEST_BYTES == (int)DIGEST_BYTES, "digests of one length");

struct space space_of(const struct puzzle *puzzle, unsigned threads)
{
    return (struct space){.base = puzzle, .puzzle = puzzle, .threads = threads, .values.puzzle = puzzle};
}

void space_end(struct space *space)
{
    retrograde_plan_free(&space->plan);
    retrograde_free(space->search);
    const bool over = space->scratch.open && !space->scratch_stays;
    scratch_close(&space->scratch, space->scratch_stays);
    if (over) /* so is what more ranks have left here, who had not begun yet when they were killed */
        scratch_clear_up(space->scratch_directory, space->base->name, space->scratch_digest);
    free(space->joined);
    space->search = NULL;
    space->team = NULL;
    space->joined = NULL;
    space->data = NULL;
}

void space_free(struct space *space)
{
    space_end(space);
    keyed_free(space->keyed);
    folded_free(space->folded);
}

/* The puzzle that has keys: itself, or made of one that has wide ones. Takes the table of their parts over, NULL for an
 * empty one. */
static pdb_status fold(struct space *space, struct parts *parts, pdb_error *error)
{
    if (!space->base->wide || space->folded != NULL) {
        parts_free(parts);
        return PDB_OK;
    }
    pdb_status status = folded_create(space->base, parts, &space->folded, error);
    if (status == PDB_OK)
        space->puzzle = space->folded;
    return status;
}

/* -- planning -- */

/* Are the data deflated where that helps? A residue hardly deflates, and a walk down asks for many, all over the data;
 * but keys and exact distances do. */
static bool deflated(const struct puzzle *puzzle)
{
    return puzzle->keyed || !puzzle->undoable;
}

/* Is a space far larger than all that ranks may take? Who holds what of it in memory need not be worked out then, which
 * takes memory by itself. All ranks say the same. */
static bool is_far_too_large(const struct space *space, uint64_t bytes)
{
    enum { MIB = 20, FAR = 4 };
    uint64_t number[2] = {space->plan.memory >> MIB, bytes >> MIB};
    space->ranks->sum(space->ranks, number, 2);
    return number[0] / space->ranks->size / FAR > number[1];
}

/* There is too little memory, and no directory for a file: what would do with one, of ranks for the one that has most.
 * They come together. */
static void look_for_file(struct space *space, uint64_t bytes)
{
    struct retrograde_plan with = space->plan;
    with.ghosts = NULL;
    if (retrograde_plan_scratch(bytes, space->ranks, &with, NULL) == PDB_OK) {
        space->plan.scratch_least = with.scratch_least;
        if (with.runs != NULL)
            space->scratch_file = ranks_greatest(space->ranks, retrograde_scratch_needs(&with).file);
    }
    retrograde_plan_free(&(struct retrograde_plan){.runs = with.runs, .ghosts = with.ghosts});
}

/* The best way that there are so many bytes for. Ranks take to files together. */
static pdb_status plan_within(struct space *space, uint64_t bytes, pdb_error *error)
{
    struct ranks *ranks = space->ranks;
    const struct scratch_file scratch = space->plan.scratch;
    pdb_status status = retrograde_plan_within(bytes, space->puzzle, space->threads, &space->plan, error);
    status = ranks_agree(ranks, status, error);
    if (status == PDB_OK && !ranks_alone(ranks) && !is_far_too_large(space, bytes))
        status = retrograde_plan_ranks(ranks, &space->plan, error);
    if (status != PDB_OK)
        return status;
    uint64_t number[2] = {space->plan.memory > bytes, space->scratch_directory == NULL};
    ranks_add(ranks, number, 2);
    if (number[0] > 0 && number[1] == 0)
        status = retrograde_plan_scratch(bytes, ranks, &space->plan, error);
    else if (number[1] > 0)
        space->scratch_directory = NULL;
    space->scratch_file = 0;
    if (number[0] > 0 && number[1] > 0)
        look_for_file(space, bytes);
    space->plan.scratch = scratch;
    return status;
}

uint64_t space_data_most(const struct puzzle *puzzle)
{
    return encoding_bytes(puzzle->undoable ? ENCODING_MOD3_2BIT : ENCODING_EXACT_8BIT, puzzle->states);
}

/* What writing a database takes, on the rank that does it. */
static uint64_t publish_memory(const struct space *space, uint64_t data_bytes)
{
    const unsigned threads = deflated(space->puzzle) ? space->threads : 0;
    return ranks_first(space->ranks) ? store_publish_memory(data_bytes, threads, !ranks_alone(space->ranks)) : 0;
}

pdb_status space_plan(struct space *space, uint64_t memory, pdb_error *error)
{
    pdb_status status = ranks_agree(space->ranks, fold(space, NULL, error), error);
    if (status != PDB_OK)
        return status;
    /* What writing the database takes. How much it is by keys, only the search can tell. */
    const uint64_t data_bytes = space->puzzle->keyed ? 0 : space_data_most(space->puzzle);
    const uint64_t others = publish_memory(space, data_bytes);
    const uint64_t left = memory > others ? memory - others : 0;
    status = plan_within(space, left, error);
    space->memory = others + space->plan.memory;
    space->scratch_memory = space->plan.scratch_least > 0 ? others + space->plan.scratch_least : 0;
    if (space->memory > memory)
        retrograde_plan_free(&space->plan);
    return status;
}

pdb_status space_plan_within(struct space *space, uint64_t memory, pdb_error *error)
{
    char need[NUMBER_TEXT_MAX], allowed[NUMBER_TEXT_MAX];
    const pdb_status status = space_plan(space, memory, error);
    if (status != PDB_OK || space->memory <= memory)
        return status;
    return error_set(error, PDB_TOO_LARGE, "%s: all its states need %s of memory at least, and %s are allowed",
                     space->base->name, size_text(space->memory, need), size_text(memory, allowed));
}

/* -- beginning -- */

/* Where planes lie in a file, what is kept is there before the search begins: its goals must not be written over it. */
static pdb_status begin(struct space *space, bool kept, pdb_error *error)
{
    pdb_status status = PDB_OK;
    space->plan.resuming = space->scratch.open && kept;
    if (space->scratch.open && !kept)
        status = ranks_agree(space->ranks, space_empty_scratch(space, error), error);
    return status == PDB_OK ? retrograde_begin(&space->plan, &space->search, error) : status;
}

pdb_status space_begin(struct space *space, struct space_checkpoints *checkpoints, retrograde_observer *observer,
                       void *context, pdb_error *error)
{
    const char *directory = checkpoints == NULL ? NULL : checkpoints->directory;
    uint64_t kept = directory != NULL && ranks_first(space->ranks) &&
                    checkpoint_is_there(directory, space->base->name, CHECKPOINT_OF_STATES);
    bool goes_on = false;
    ranks_tell(space->ranks, &kept, 1);
    space->scratch_stays = kept;
    space->plan.observer = observer;
    space->plan.context = context;
    pdb_status status = space->plan.runs != NULL ? space_open_scratch(space, directory, kept, error) : PDB_OK;
    if (status == PDB_OK)
        status = begin(space, kept, error);
    if (status != PDB_OK || checkpoints == NULL)
        return status;
    status = space_go_on(space, checkpoints, &goes_on, error);
    if (status != PDB_OK || goes_on || (*checkpoints->ignored == '\0' && !space->plan.resuming))
        return status;
    /* The search that tried a checkpoint in vain may hold anything: it ends, and another one is planned, which is the
     * one case in which a kernel is made twice. */
    retrograde_free(space->search);
    space->search = NULL;
    space->scratch_stays = false;
    status = plan_within(space, space->plan.limit, error);
    space->plan.observer = observer;
    space->plan.context = context;
    return status == PDB_OK ? begin(space, false, error) : status;
}

/* -- solving -- */

/* Threads may be through with a layer before the calling one comes to the observer: it is asked here, too. Seconds. Not
 * so with ranks, as none can end alone between layers. */
static const double look_every = 0.1;

/* The status of a search between layers, unless what it has found so far shows that the definition is wrong: then that
 * is told, also where there seems to be no goal. Ranks ask together: they have the same status. */
static pdb_status doubted(const struct space *space, pdb_status status, pdb_error *error)
{
    pdb_error fault;
    if ((status != PDB_OK && status != PDB_UNREACHABLE) || space->base->family->space.consistent == NULL)
        return status;
    const pdb_status found = ranks_agree(space->ranks, space->base->family->space.consistent(space->base, &fault),
                                         &fault);
    if (found != PDB_OK)
        *error = fault;
    return found != PDB_OK ? found : status;
}

pdb_status space_search(struct space *space, struct space_checkpoints *checkpoints, retrograde_observer *observer,
                        void *context, pdb_error *error)
{
    const bool alone = ranks_alone(space->ranks);
    pdb_status status = PDB_OK;
    double look = 0;
    if (checkpoints != NULL)
        checkpoints->due = clock_now() + checkpoints->seconds;
    for (bool done = false; status == PDB_OK && !done;) {
        const struct retrograde_progress progress = retrograde_progress(space->search);
        if (observer != NULL && alone && clock_due(&look, look_every) && !observer(context, &progress))
            return retrograde_interrupted(space->search, error);
        if (checkpoints != NULL && !alone)
            retrograde_keep_from(space->search, checkpoints->due);
        status = retrograde_layer(space->search, observer, context, &done, error);
        const bool keeps = !done && checkpoints != NULL &&
                           ((alone && clock_now() > checkpoints->due) || retrograde_crowded(space->search));
        if (alone || done || keeps || status != PDB_OK)
            status = doubted(space, status, error);
        if (status == PDB_OK && keeps)
            status = space_keep(space, checkpoints, error);
    }
    return status;
}

/* Numbers the states by a table of keys; the encoding is known. */
static pdb_status number_by(struct space *space, struct keys *keys, pdb_error *error)
{
    pdb_status status = keyed_create(space->folded != NULL ? space->folded : space->base, keys, &space->keyed, error);
    if (status != PDB_OK)
        return status;
    space->keyed->undoable = encoding_modulus(space->values.encoding) != 0; /* it may have been seen by a search */
    space->keyed->forward = space->base->forward && !space->keyed->undoable;
    space->puzzle = space->values.puzzle = space->keyed;
    return PDB_OK;
}

pdb_status space_finish(struct space *space, pdb_error *error)
{
    struct retrograde_result result;
    struct keys *keys;
    pdb_status status = PDB_OK;
    retrograde_finish(space->search, &result);
    space->values.encoding = result.encoding;
    const bool keyed = space->base->keyed && ranks_first(space->ranks);
    if (keyed)
        status = retrograde_keys(space->search, &keys, error);
    if (keyed && status == PDB_OK)
        status = number_by(space, keys, error);
    if (status != PDB_OK)
        return status;
    space->memory += result.memory - space->plan.memory;
    space->header = space_header(space->base, space->goal);
    space->header.encoding = encoding_name(result.encoding);
    space->header.states = result.states;
    space->header.reachable = result.reachable;
    space->header.data_bytes = encoding_bytes(result.encoding, result.states);
    space->header.deflated = deflated(space->base);
    space->header.depths = result.depths;
    space->header.histogram = result.histogram;
    space->header.hardest = result.histogram[result.depths - 1];
    space->header.hardest_kept = result.hardest_kept;
    space->header.hardest_states = result.hardest;
    space->values.depths = (uint32_t)result.depths;
    space->values.source = result.source;
    space->data = result.bytes;
    space->team = result.team;
    return PDB_OK;
}

void space_hand_out(struct space *space)
{
    retrograde_hand_out(space->search);
    space->scratch_stays &= !space->plan.scratch.drops;
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

/* Where the keys lie: behind the distances; and behind the high parts, where there are such. */
static uint64_t keys_offset(const struct space *space, uint64_t distance_bytes, uint64_t parts)
{
    const uint64_t offset = keyed_keys_offset(distance_bytes);
    return space->base->wide ? keyed_keys_offset(offset + FOLDED_HEAD + parts * PARTS_BYTES) : offset;
}

static void add_parts(const struct space *space, uint8_t *bytes)
{
    const struct parts *parts = space->folded->parts;
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(parts_count(parts) >> 8 * i);
    parts_encode(parts, bytes + FOLDED_HEAD);
}

/* Between distances, high parts and keys lie zeros, up to a multiple of 16 bytes. */
pdb_status space_add_keys(struct space *space, pdb_error *error)
{
    if (space->keyed == NULL)
        return PDB_OK;
    const struct keys *keys = keyed_keys(space->keyed);
    const uint64_t parts = space->folded != NULL ? parts_count(space->folded->parts) : 0;
    const uint64_t offset = keys_offset(space, space->header.data_bytes, parts),
                   size = offset + keys_encoded_size(keys, space->team);
    if (!ranks_alone(space->ranks)) { /* they have them, behind the distances */
        const uint64_t taken = size / space->ranks->size + publish_memory(space, size);
        space->memory = taken > space->memory ? taken : space->memory;
        space->header.data_bytes = size;
        return PDB_OK;
    }
    space->joined = pages_take_zeros(size + 1);
    if (space->joined == NULL)
        return error_no_memory(error, "the database", size);
    pages_copy(space->joined, space->data, space->header.data_bytes, space->team);
    if (space->folded != NULL)
        add_parts(space, space->joined + keyed_keys_offset(space->header.data_bytes));
    keys_encode(keys, space->joined + offset, space->team);
    /* Beside them there are a key and a distance of each state, and what writing takes. The search may have taken more,
     * and most of that is free by now. */
    const uint64_t taken = space->header.states * 2 + keys_memory(keys) + size +
                           (space->folded != NULL ? parts_bytes(space->folded->parts) : 0) +
                           publish_memory(space, size);
    space->memory = taken > space->memory ? taken : space->memory;
    space->data = space->joined;
    space->header.data_bytes = size;
    return PDB_OK;
}

/* -- an open database -- */

enum space_owner space_owner(const struct store *store, const char *puzzle, const uint8_t definition[DIGEST_BYTES])
{
    const struct store_header *header = store_header(store);
    if (strcmp(header->puzzle, puzzle) != 0)
        return SPACE_OF_ANOTHER_PUZZLE;
    return memcmp(header->definition, definition, sizeof header->definition) == 0 ? SPACE_OURS
                                                                                  : SPACE_OF_ANOTHER_DEFINITION;
}

pdb_status space_misfit(const struct store *store, const char *puzzle, pdb_error *error)
{
    return error_set(error, PDB_DAMAGED, "%s does not fit the puzzle %s: generate it again (pdb-gen --force %s)",
                     store_file(store), puzzle, puzzle);
}

static const uint8_t *byte_in_store(const void *context, uint64_t offset, uint64_t *run, pdb_error *error)
{
    return store_at(context, offset, run, error);
}

/* Whatever is wrong with high parts is told as if it were with the keys. */
static void reject_keys(void *context, pdb_status status)
{
    keys_reject(context, status);
}

/* The table of high parts of an open database, behind its distances. */
static pdb_status open_parts(struct space *space, uint64_t offset, uint64_t *count, pdb_error *error)
{
    const struct byte_source source = space->values.source;
    const uint64_t bytes = space->header.data_bytes;
    uint64_t run;
    struct parts *parts;
    *count = 0;
    if (bytes < offset + FOLDED_HEAD)
        return space_misfit(space->values.source.context, space->base->name, error);
    for (unsigned i = 8; i-- > 0;) {
        const uint8_t *byte = source.at(source.context, offset + i, &run, error);
        if (byte == NULL)
            return error->status;
        *count = *count << 8 | *byte;
    }
    if (*count == 0 || *count > bytes)
        return space_misfit(space->values.source.context, space->base->name, error);
    pdb_status status = parts_open(source, offset + FOLDED_HEAD, bytes - offset - FOLDED_HEAD, *count, &parts, error);
    if (status == PDB_OK)
        status = fold(space, parts, error);
    if (status == PDB_OK)
        space->folded->states = *count << PARTS_LOW_BITS; /* keys of others are rejected */
    return status;
}

pdb_status space_open(struct space *space, const struct store *store, pdb_error *error)
{
    const struct store_header *header = store_header(store);
    struct keys *keys;
    space->values = (struct values){
        .puzzle = space->puzzle, .source = {byte_in_store, store}, .depths = (uint32_t)header->depths};
    if (!encoding_by_name(header->encoding, &space->values.encoding) ||
        !encoding_fits(space->values.encoding, space->base))
        return space_misfit(store, space->base->name, error);
    /* The table of keys lies behind the distances, and it alone can tell how many there are. */
    const uint64_t bytes = encoding_bytes(space->values.encoding, header->states);
    uint64_t offset = keyed_keys_offset(bytes), parts;
    if (space->base->keyed ? header->data_bytes < offset
                           : header->states != space->base->states || header->data_bytes != bytes)
        return space_misfit(store, space->base->name, error);
    space->header = *header;
    if (!space->puzzle->keyed)
        return PDB_OK;
    pdb_status status = space->base->wide ? open_parts(space, offset, &parts, error) : PDB_OK;
    if (status == PDB_OK && space->base->wide)
        offset = keys_offset(space, bytes, parts);
    if (status == PDB_OK && offset > header->data_bytes)
        status = space_misfit(store, space->base->name, error);
    if (status == PDB_OK)
        status = keys_open(space->values.source, offset, header->data_bytes - offset, header->states, &keys, error);
    if (status == PDB_OK && space->base->wide)
        parts_on_failure(space->folded->parts, (struct parts_failure){reject_keys, keys});
    return status == PDB_OK ? number_by(space, keys, error) : status;
}
