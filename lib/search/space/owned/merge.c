/* merge.c -- the search whose states are shared out: its keys as a database has them, every rank a stretch of them
 *
 * Every rank sorts its own. Then, again and again, all hand over those below a key that none has too many below for a
 * batch: these are places on end of the sorted table of all. They go to the ranks whose stretches the places lie in,
 * where they are sorted and written, with their distances. So no rank ever has more keys as numbers than its own and
 * those of the batches.
 */
#include "owned.h"
#include "lib/search/space/keyed.h"
#include "lib/rank/sort_keys.h"

#include <stdlib.h>
#include <string.h>

enum {
    KEY_RECORD = sizeof(uint64_t) + sizeof(uint32_t),
    PLACES = 2560,        /* of which every encoding has whole bytes, and the table of keys whole blocks */
    STRETCH = 16 * PLACES /* distances that are packed at once */
};

struct merging {
    struct owned *owned;
    enum encoding encoding;
    unsigned width;
    uint64_t stretch, first, past;  /* places of a rank; of this one */
    uint64_t next, end;             /* of this rank's keys: what is handed over in this turn */
    uint64_t turn_first, turn_past; /* the places that these and those of the others have */
    uint64_t *number;               /* one for each rank, and one more */
    uint64_t *key;                  /* of a turn, where they are for this rank */
    uint32_t *distance;
    size_t count;
    uint8_t *unpacked;    /* distances, as they are written, */
    uint64_t in_unpacked; /* so many, */
    uint64_t packed;      /* and places that are packed */
};

/* This rank's keys, sorted, with their distances. */
static void sort_own(struct owned *owned)
{
    struct key_table *table = &owned->table;
    const struct puzzle *puzzle = owned->search.puzzle;
    const uint64_t count = owned->keys = key_table_gather(table);
    for (uint64_t i = 0; i < count; i++) {
        if ((table->slot[i] & KEY_REACHED) == 0)
            key_depth_set(table, i, exact_none(table->width));
        table->slot[i] = (table->slot[i] & ~KEY_REACHED) - 1;
    }
    for (uint64_t i = 0; i < count; i += OWNED_BATCH_MAX)
        puzzle->family->packed.unpack(puzzle, table->slot + i,
                                      count - i < OWNED_BATCH_MAX ? (size_t)(count - i) : OWNED_BATCH_MAX);
    sort_keys(table->slot, table->depth, table->width, count, &owned->search.team);
    table->slots = owned->places = count;
}

/* The distance of a sorted key, as it is kept; with all bits where it has none. */
static uint32_t sorted_distance(const struct owned *owned, uint64_t i)
{
    const uint32_t depth = key_depth(&owned->table, i);
    return depth == exact_none(owned->table.width) ? UINT32_MAX : depth;
}

/* -- a turn -- */

/* The keys of a rank that go in one turn, at most: one batch. */
static uint64_t turn_keys(const struct owned *owned)
{
    return owned->mail.room / KEY_RECORD;
}

/* How many of this rank's keys go in the next turn: those below the least key that some rank cannot send any more; and
 * which places they get, with the others'. False where a rank has failed. */
static bool set_turn(struct merging *merging, pdb_status status, bool *last)
{
    const struct owned *owned = merging->owned;
    struct ranks *ranks = owned->search.ranks;
    const uint64_t past = merging->next + turn_keys(owned);
    uint64_t *bound = merging->number, least = UINT64_MAX;
    /* NOLINTNEXTLINE(*NonNullParamChecker): all ranks agreed that it was allocated */
    memset(bound, 0, (ranks->size + 1) * sizeof *bound);
    bound[ranks->rank] = past < owned->keys ? owned->table.slot[past] : UINT64_MAX;
    bound[ranks->size] = status != PDB_OK;
    ranks->sum(ranks, bound, ranks->size + 1);
    if (bound[ranks->size] > 0)
        return false;
    for (unsigned rank = 0; rank < ranks->size; rank++)
        least = bound[rank] < least ? bound[rank] : least;
    merging->end = merging->next;
    while (merging->end < owned->keys && merging->end < past && owned->table.slot[merging->end] < least)
        merging->end++;
    uint64_t count = merging->end - merging->next;
    ranks->sum(ranks, &count, 1);
    merging->turn_first = merging->turn_past;
    merging->turn_past += count;
    *last = least == UINT64_MAX;
    return true;
}

/* Are keys of the turn among a rank's places? */
static bool concerns(const struct merging *merging, unsigned rank)
{
    const uint64_t first = rank * merging->stretch;
    return first < merging->turn_past && first + merging->stretch > merging->turn_first;
}

/* All of this rank's keys of the turn. */
static uint64_t fill_keys(const struct merging *merging, uint8_t *bytes)
{
    uint64_t size = 0;
    for (uint64_t i = merging->next; i < merging->end; i++, size += KEY_RECORD) {
        const uint32_t distance = sorted_distance(merging->owned, i);
        memcpy(bytes + size, &merging->owned->table.slot[i], sizeof(uint64_t));
        memcpy(bytes + size + sizeof(uint64_t), &distance, sizeof distance);
    }
    return size;
}

static void take_keys(struct merging *merging, const uint8_t *bytes, uint64_t size)
{
    for (uint64_t at = 0; at < size; at += KEY_RECORD, merging->count++) {
        memcpy(&merging->key[merging->count], bytes + at, sizeof(uint64_t));
        memcpy(&merging->distance[merging->count], bytes + at + sizeof(uint64_t), sizeof(uint32_t));
    }
}

static void exchange_keys(struct merging *merging)
{
    struct rank_mail *mail = &merging->owned->mail;
    struct ranks *ranks = merging->owned->search.ranks;
    const unsigned own = ranks->rank;
    for (unsigned to = 0; to < ranks->size; to++)
        mail->out_bytes[to] = concerns(merging, to) ? fill_keys(merging, mail->out + to * mail->room) : 0;
    merging->count = 0;
    take_keys(merging, mail->out + own * mail->room, mail->out_bytes[own]);
    mail->out_bytes[own] = 0;
    memset(mail->sum, 0, sizeof mail->sum);
    ranks_exchange(ranks, mail);
    for (unsigned from = 0; from < ranks->size; from++)
        if (from != own)
            take_keys(merging, mail->in + from * mail->room, mail->in_bytes[from]);
    merging->next = merging->end;
}

/* Packs what is not packed yet behind what is. */
static void pack(struct merging *merging)
{
    const uint64_t count = merging->in_unpacked, bytes = encoding_bytes(merging->encoding, count);
    if (merging->width == 1)
        values_pack_distances(merging->encoding, count, merging->unpacked, NULL);
    memcpy(merging->owned->packed + encoding_bytes(merging->encoding, merging->packed), merging->unpacked, bytes);
    merging->packed += count;
    merging->in_unpacked = 0;
}

/* Writes those of the turn that have places of this rank; all are greater than those before. */
static void write_turn(struct merging *merging)
{
    struct owned *owned = merging->owned;
    const uint64_t begin = merging->turn_first > merging->first ? merging->turn_first : merging->first,
                   end = merging->turn_past < merging->past ? merging->turn_past : merging->past;
    if (begin >= end)
        return;
    sort_keys(merging->key, (uint8_t *)merging->distance, sizeof *merging->distance, merging->count,
              &owned->search.team);
    keys_write(&owned->written, merging->key + (begin - merging->turn_first), end - begin);
    for (uint64_t place = begin; place < end; place++) {
        const uint32_t distance = merging->distance[place - merging->turn_first],
                       number = owned_written(owned, merging->width, distance != UINT32_MAX, distance);
        if (distance == owned->search.state->depth && owned->hardest_kept < RETROGRADE_HARDEST_MAX)
            owned->hardest[owned->hardest_kept++] = place;
        memcpy(merging->unpacked + merging->width * merging->in_unpacked++, &number, merging->width);
        if (merging->in_unpacked == STRETCH)
            pack(merging);
    }
}

/* -- all turns -- */

static uint64_t turn_room(const struct merging *merging)
{
    return turn_keys(merging->owned) * merging->owned->search.ranks->size;
}

/* What it takes beside what the search has. */
static pdb_status charge(const struct merging *merging, pdb_error *error)
{
    const struct owned *owned = merging->owned;
    const struct ranks *ranks = owned->search.ranks;
    return owned_charge(merging->owned,
                        encoding_bytes(merging->encoding, merging->past - merging->first) + owned->written.room +
                            turn_room(merging) * KEY_RECORD + (uint64_t)STRETCH * merging->width +
                            (ranks->size + 1) * sizeof *merging->number + owned_window_bytes(ranks),
                        error);
}

static pdb_status take_room(struct merging *merging, pdb_error *error)
{
    struct owned *owned = merging->owned;
    const uint64_t keys = turn_room(merging), states = merging->past - merging->first;
    pdb_status status = charge(merging, error);
    if (status != PDB_OK)
        return status;
    owned->packed = malloc(encoding_bytes(merging->encoding, states) + 1);
    merging->key = malloc(keys * sizeof *merging->key);
    merging->distance = malloc(keys * sizeof *merging->distance);
    merging->unpacked = malloc((size_t)STRETCH * merging->width);
    merging->number = malloc((owned->search.ranks->size + 1) * sizeof *merging->number);
    const bool there = owned->packed != NULL && merging->key != NULL && merging->distance != NULL &&
                       merging->unpacked != NULL && merging->number != NULL &&
                       keys_write_begin(&owned->written, states);
    return there ? charge(merging, error) : error_no_memory(error, "the states of a rank", states);
}

static pdb_status make_turns(struct merging *merging, struct watch *watch, pdb_error *error)
{
    struct owned *owned = merging->owned;
    pdb_status status = PDB_OK;
    for (bool last = false; !last;) {
        watch_look(watch, 1);
        if (status == PDB_OK && watch_stopped(watch))
            status = PDB_INTERRUPTED;
        if (!set_turn(merging, status, &last))
            return status;
        exchange_keys(merging);
        write_turn(merging);
        status = owned->written.short_of_memory ? error_no_memory(error, "the keys of a rank", owned->written.room)
                                                : charge(merging, error);
    }
    pack(merging);
    return status;
}

/* The sections of this rank; rank 0 has the table of all keys, too. */
static pdb_status set_sections(struct merging *merging, pdb_error *error)
{
    struct owned *owned = merging->owned;
    struct ranks *ranks = owned->search.ranks;
    struct keys_writer *written = &owned->written;
    const uint64_t states = owned->search.states, heads = keys_heads_size(states),
                   keys = keyed_keys_offset(encoding_bytes(merging->encoding, states)),
                   rest = written->size - written->heads;
    uint64_t *rests = merging->number, before = heads, all = heads;
    memset(rests, 0, ranks->size * sizeof *rests);
    rests[ranks->rank] = rest;
    ranks->sum(ranks, rests, ranks->size);
    for (unsigned rank = 0; rank < ranks->size; rank++) {
        before += rank < ranks->rank ? rests[rank] : 0;
        all += rests[rank];
    }
    keys_write_place(written, before);
    owned->section[0] = (struct section){encoding_bytes(merging->encoding, merging->first),
                                         encoding_bytes(merging->encoding, merging->past - merging->first),
                                         owned->packed};
    owned->section[1] = (struct section){keys + keys_heads_size(merging->first), written->heads, written->bytes};
    owned->section[2] = (struct section){keys + before, rest, written->bytes + written->heads};
    owned->data_bytes = keys + all;
    return ranks_first(ranks) ? keys_open(owned_source(owned), keys, all, states, &owned->search.key_table, error)
                              : PDB_OK;
}

pdb_status owned_merge(struct owned *owned, enum encoding encoding, struct watch *watch, pdb_error *error)
{
    struct ranks *ranks = owned->search.ranks;
    const uint64_t states = owned->search.states, stretch = ((states - 1) / ranks->size / PLACES + 1) * PLACES,
                   first = ranks->rank * stretch;
    struct merging merging = {.owned = owned, .encoding = encoding, .width = owned_width(encoding), .stretch = stretch};
    merging.first = first < states ? first : states;
    merging.past = first + stretch < states ? first + stretch : states;
    sort_own(owned);
    pdb_status status = ranks_agree(ranks, take_room(&merging, error), error);
    if (status == PDB_OK)
        status = ranks_agree(ranks, make_turns(&merging, watch, error), error);
    if (status == PDB_OK)
        owned->hardest_kept = ranks_lowest(ranks, &owned->mail, owned->hardest, owned->hardest_kept,
                                           RETROGRADE_HARDEST_MAX);
    if (status == PDB_OK)
        status = ranks_agree(ranks, set_sections(&merging, error), error);
    key_table_free(&owned->table);
    free(merging.key);
    free(merging.distance);
    free(merging.unpacked);
    free(merging.number);
    return status;
}
