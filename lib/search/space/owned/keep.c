/* keep.c -- what is kept of a search whose states are shared out: between layers of finding and of measuring
 *
 * The states of all ranks are a *stream* of bytes, rank by rank. Of keys, these are records: of each a rank's key, and
 * then of each key of its frontier. Of dense indices it is the array of distances. Whoever goes on, however many ranks
 * they are, gives each state of the stream to its owner.
 */
#include "owned.h"

#include <string.h>

enum record_kind { RECORD_FOUND, RECORD_REACHED, RECORD_OF_FRONTIER };

struct record {
    uint64_t state;
    uint32_t distance; /* of what is reached */
    uint32_t kind;
};

/* Where the ranks' shares of the stream begin; and its end. Of keys, all ranks tell how many they have. */
static void find_shares(struct owned *owned, unsigned width)
{
    const unsigned size = owned->search.ranks->size;
    const uint64_t states = owned->search.puzzle->states;
    uint64_t sum = 0;
    memset(owned->share, 0, (size + 1) * sizeof *owned->share);
    if (!owned->dense) {
        owned->share[owned->search.ranks->rank] = (owned->keys + listed_keys(owned)) * sizeof(struct record);
        owned->search.ranks->sum(owned->search.ranks, owned->share, size + 1);
    }
    for (unsigned rank = 0; rank <= size; rank++) {
        const uint64_t bytes = owned->share[rank], first = rank * owned->stretch;
        owned->share[rank] = owned->dense ? (first < states ? first : states) * width : sum;
        sum += bytes;
    }
}

pdb_status owned_settle(struct retrograde *search, pdb_error *error)
{
    struct owned *owned = owned_of(search);
    struct owned_kept *kept = &owned->kept;
    uint64_t number[2] = {owned->keys, owned->sum};
    (void)error;
    search->ranks->sum(search->ranks, number, 2);
    find_shares(owned, owned->dense ? owned->exact.width : 0);
    *kept = (struct owned_kept){.pass = owned->pass,
                                .undoable = search->undoable,
                                .width = owned->dense ? owned->exact.width : 0,
                                .keys = number[0],
                                .sum = number[1],
                                .bytes = owned->share[search->ranks->size]};
    owned->cursor = 0;
    return PDB_OK;
}

size_t owned_parts(struct retrograde *search, struct memory_part parts[RETROGRADE_PARTS_MAX])
{
    struct owned *owned = owned_of(search);
    parts[0] = (struct memory_part){&owned->kept, sizeof owned->kept};
    parts[1] = (struct memory_part){NULL, owned->kept.bytes};
    return 2;
}

bool owned_fit(struct retrograde *search, const uint64_t *size, size_t count)
{
    owned_of(search)->kept.bytes = count == 2 ? size[1] : 0;
    return count == 2;
}

/* -- giving -- */

/* This rank's records of the stream from `at` on, in its order: as many as there is room for. */
static void give_records(struct owned *owned, uint64_t at, uint8_t *bytes, uint64_t size)
{
    uint64_t number = (at - owned->share[owned->search.ranks->rank]) / sizeof(struct record), place;
    for (uint64_t done = 0; done < size; done += sizeof(struct record), number++) {
        struct record record = {.kind = RECORD_FOUND};
        if (number >= owned->keys) {
            record = (struct record){owned->list.key[owned->list.first + number - owned->keys], 0, RECORD_OF_FRONTIER};
        } else if (owned_next(owned, true, &place)) {
            record.state = owned_state(owned, place);
            record.kind = owned_distance(owned, place, &record.distance) ? RECORD_REACHED : RECORD_FOUND;
        }
        memcpy(bytes + done, &record, sizeof record);
    }
}

/* As many bytes of the stream as may be, of this rank's from *at on; moves *at behind them. */
static uint64_t give(struct owned *owned, uint64_t *at, uint8_t *bytes, uint64_t room)
{
    const uint64_t *share = &owned->share[owned->search.ranks->rank], past = owned->moved.past,
                   end = share[1] < past ? share[1] : past, left = *at < end ? end - *at : 0,
                   whole = room / sizeof(struct record) * sizeof(struct record), size = left < whole ? left : whole;
    if (size == 0)
        return 0;
    if (owned->dense)
        memcpy(bytes, owned->exact.narrow + (*at - *share), size);
    else
        give_records(owned, *at, bytes, size);
    *at += size;
    return size;
}

/* -- taking -- */

/* Puts a record's state where it belongs. What cannot be, or has no room, is noted. */
static void take_record(struct owned *owned, const struct record *record)
{
    const bool reached = record->kind == RECORD_REACHED;
    pdb_status status = record->kind <= RECORD_OF_FRONTIER && record->state < KEY_LIMIT &&
                                (reached || record->distance == 0)
                            ? PDB_OK
                            : PDB_DAMAGED;
    uint64_t at;
    if (status == PDB_OK && record->kind == RECORD_OF_FRONTIER) {
        status = owned_reserve_list(owned, 1, NULL);
        if (status == PDB_OK)
            owned->list.key[owned->list.count++] = record->state;
        owned->list.past = owned->list.count;
    } else if (status == PDB_OK) {
        status = owned_reserve_table(owned, 1, NULL);
        if (status == PDB_OK && reached)
            status = owned_widen(owned, record->distance, NULL);
        if (status == PDB_OK && !key_put(&owned->table, record->state, reached ? KEY_REACHED : 0, &at))
            status = PDB_DAMAGED;
        if (status == PDB_OK && reached)
            key_depth_set(&owned->table, at, record->distance);
        owned->keys += status == PDB_OK;
    }
    if (status == PDB_DAMAGED)
        owned->misfit = true;
    else if (status != PDB_OK)
        owned->lack = status;
}

/* The records of one owner in some bytes, from *at on: copies them, as far as there is room, or takes them where they
 * are its own. Returns their bytes. */
static uint64_t pick_records(struct owned *owned, unsigned owner, uint64_t *at, uint8_t *out, uint64_t room)
{
    uint64_t size = 0;
    for (; *at < owned->moved.past; *at += sizeof(struct record)) {
        struct record record;
        memcpy(&record, owned->moved.bytes + (*at - owned->moved.first), sizeof record);
        if (owner_of(owned, record.state) != owner)
            continue;
        if (out == NULL) {
            take_record(owned, &record);
            continue;
        }
        if (size + sizeof record > room)
            break;
        memcpy(out + size, &record, sizeof record);
        size += sizeof record;
    }
    return size;
}

/* What of the stream is a rank's, from *at on, where its shares are known. */
static uint64_t pick_share(struct owned *owned, unsigned owner, uint64_t *at, uint8_t *out, uint64_t room)
{
    const uint64_t past = owned->moved.past, end = owned->share[owner + 1] < past ? owned->share[owner + 1] : past,
                   left = *at < end ? end - *at : 0, size = left < room ? left : room;
    if (size > 0)
        memcpy(out, owned->moved.bytes + (*at - owned->moved.first), size);
    *at += size;
    return size;
}

/* -- moving -- */

static uint64_t fill_moved(void *context, unsigned to, uint8_t *bytes, uint64_t room, bool *more)
{
    struct owned *owned = context;
    const struct moved_stream *moved = &owned->moved;
    const unsigned rank = owned->search.ranks->rank;
    uint64_t *at = &owned->at[moved->back ? to : rank];
    if ((moved->back ? rank : to) != 0)
        return 0;
    const uint64_t size = !moved->back   ? give(owned, at, bytes, room)
                          : owned->dense ? pick_share(owned, to, at, bytes, room)
                                         : pick_records(owned, to, at, bytes, room);
    const uint64_t end = !owned->dense && moved->back ? moved->past : owned->share[(moved->back ? to : rank) + 1];
    *more |= *at < moved->past && *at < end;
    return size;
}

static void take_moved(void *context, unsigned from, const uint8_t *bytes, uint64_t size)
{
    struct owned *owned = context;
    const struct moved_stream *moved = &owned->moved;
    uint64_t *at = &owned->at[moved->back ? owned->search.ranks->rank : from];
    if (!moved->back) {
        memcpy(moved->bytes + (*at - moved->first), bytes, size);
    } else if (owned->dense) {
        if (!owned->misfit && owned->lack == PDB_OK)
            memcpy(owned->exact.narrow + (*at - owned->share[owned->search.ranks->rank]), bytes, size);
    } else {
        for (uint64_t done = 0; done < size; done += sizeof(struct record)) {
            struct record record;
            memcpy(&record, bytes + done, sizeof record);
            take_record(owned, &record);
        }
    }
    *at += size;
}

/* Room for a rank's share of so many keys. They come in the order of their hashes, which fills a table from its
 * beginning: one that grows with them would be full there, and each key would go past all before it. Where there is no
 * room for a share as large as that, the keys themselves may still fit. */
static void expect_keys(struct owned *owned, uint64_t keys)
{
    const uint64_t share = keys / owned->search.ranks->size;
    owned_reserve_table(owned, share + share / 16 + 64, NULL);
}

/* Rank 0 tells all what is moved. Where states come back, all make room for them. */
static void tell(struct owned *owned, const struct moved_stream *moved)
{
    struct ranks *ranks = owned->search.ranks;
    uint64_t number[5] = {moved->first, moved->past, moved->back, owned->kept.width, owned->kept.keys};
    ranks_tell(ranks, number, 5);
    owned->moved = (struct moved_stream){number[0], number[1], number[2] > 0, moved->bytes};
    if (owned->moved.past == 0)
        return;
    if (owned->moved.back && !owned->dense && owned->moved.first == 0)
        expect_keys(owned, number[4]);
    if (owned->moved.back && owned->dense) {
        owned->misfit |= number[3] != 1 && number[3] != 2 && number[3] != 4;
        if (!owned->misfit)
            owned->lack = owned_widen(owned, exact_max((unsigned)number[3]), NULL);
        owned->misfit |= owned->exact.width != number[3];
        find_shares(owned, (unsigned)number[3]);
    }
    for (unsigned rank = 0; rank < ranks->size; rank++)
        owned->at[rank] = owned->moved.first > owned->share[rank] || (owned->moved.back && !owned->dense)
                              ? owned->moved.first
                              : owned->share[rank];
}

void owned_move(struct retrograde *search, uint64_t offset, uint8_t *bytes, uint64_t size, bool back)
{
    struct owned *owned = owned_of(search);
    const struct moved_stream moved = {offset, offset + size, back, bytes};
    tell(owned, &moved);
    const uint64_t first = owned->at[0];
    uint64_t at = first;
    if (!back && at < moved.past)
        give(owned, &at, bytes + (at - offset), UINT64_MAX);
    ranks_ship(search->ranks, &owned->mail, fill_moved, take_moved, owned);
    at = first;
    if (back && !owned->dense)
        pick_records(owned, 0, &at, NULL, 0);
    else if (back && at < moved.past && !owned->misfit && owned->lack == PDB_OK)
        pick_share(owned, 0, &at, owned->exact.narrow + at, UINT64_MAX);
}

void owned_serve_moves(struct owned *owned)
{
    const struct moved_stream none = {.past = 0};
    while (tell(owned, &none), owned->moved.past > 0)
        ranks_ship(owned->search.ranks, &owned->mail, fill_moved, take_moved, owned);
}

/* -- going on -- */

/* The states of this rank that have a distance; and those of its frontier. */
static void count_states(struct owned *owned, uint64_t *reached, uint64_t *frontier)
{
    uint64_t place;
    uint32_t distance;
    *frontier = listed_keys(owned);
    for (owned->cursor = 0; owned_next(owned, true, &place);) {
        const bool has = owned_distance(owned, place, &distance);
        *reached += has;
        *frontier += owned->dense && has && distance == owned->search.state->depth;
        owned->misfit |= has && distance > owned->search.state->depth;
    }
    for (uint64_t i = owned->list.first; i < owned->list.past; i++)
        owned->misfit |= !key_is_there(&owned->table, owned->list.key[i]);
}

bool owned_resume(struct retrograde *search)
{
    struct owned *owned = owned_of(search);
    const struct owned_kept *kept = &owned->kept;
    const struct search_state *state = search->state;
    uint64_t number[6] = {0, 0, owned->keys}; /* reached, frontier, keys, misfits, ranks without room, or memory */
    count_states(owned, &number[0], &number[1]);
    const pdb_status status = owned_widen(owned, state->depth, NULL);
    owned->lack = owned->lack == PDB_OK ? status : owned->lack;
    number[3] = owned->misfit;
    number[4] = owned->lack == PDB_TOO_LARGE;
    number[5] = owned->lack == PDB_NO_MEMORY;
    search->ranks->sum(search->ranks, number, 6);
    search->lack = number[5] > 0 ? PDB_NO_MEMORY : number[4] > 0 ? PDB_TOO_LARGE : PDB_OK;
    if (search->lack != PDB_OK || has_masks(search->puzzle) || number[3] > 0 || number[2] != kept->keys ||
        number[1] != state->layer || state->layer == 0 ||
        (kept->pass != MEASURING && (kept->pass != FINDING || owned->dense)) ||
        state->reached != (kept->pass == MEASURING ? number[0] : kept->keys))
        return false;
    owned->pass = (enum pass)kept->pass;
    owned->sum = ranks_first(search->ranks) ? kept->sum : 0;
    search->finding = owned->pass == FINDING;
    search->undoable = kept->undoable > 0;
    search->states = owned->dense ? search->states : kept->keys;
    return true;
}
