/* gather.c -- the search whose states are shared out: at its end rank 0 gets what a database has
 *
 * Of dense indices every rank packs its own stretch and hands it over. Of keys every rank sorts its own; then, again
 * and again, all hand over those below a key that none has too many below for a batch, and rank 0 sorts and writes
 * them. So rank 0 never has more keys as numbers than its own and those of the batches.
 */
#include "owned.h"
#include "lib/numbers.h"
#include "lib/rank/sort_keys.h"

#include <string.h>

/* -- distances of a rank, in the width that they are kept in -- */

/* Bytes that a distance takes before it is packed. */
static unsigned width_of(enum encoding encoding)
{
    const unsigned bytes = (unsigned)encoding_bytes(encoding, 1);
    return bytes < 1 ? 1 : bytes;
}

/* As it is written: residues of a distance can be told from what is left of it by this. */
enum { CYCLE = 12 };

/* What is written for the distance of a place. */
static uint32_t written(const struct owned *owned, unsigned width, bool reached, uint32_t distance)
{
    if (!reached)
        return exact_none(width);
    return owned->search.undoable ? distance % CYCLE : distance;
}

/* -- dense -- */

/* This rank's stretch, packed in its own memory. Its bytes. */
static uint64_t pack_own(struct owned *owned, enum encoding encoding)
{
    struct exact *exact = &owned->exact;
    const unsigned width = width_of(encoding);
    for (uint64_t i = 0; i < owned->places; i++) {
        uint32_t distance;
        const bool reached = owned_distance(owned, i, &distance);
        const uint32_t number = written(owned, width, reached, distance);
        memcpy(exact->narrow + width * i, &number, width); /* the lowest bytes come first */
    }
    if (width == 1)
        values_pack_distances(encoding, owned->places, exact->narrow, &owned->search.team);
    return encoding_bytes(encoding, owned->places);
}

/* What goes to rank 0, and where it goes: runs of bytes of each rank, one behind the other. */
struct handing {
    struct owned *owned;
    const uint8_t *bytes; /* of this rank */
    uint64_t left;
    uint64_t *at; /* on rank 0, of each rank, where the next go */
    uint8_t *to;
};

static uint64_t fill_bytes(void *context, unsigned to, uint8_t *bytes, uint64_t room, bool *more)
{
    struct handing *handing = context;
    const uint64_t count = to != 0 ? 0 : handing->left < room ? handing->left : room;
    memcpy(bytes, handing->bytes, count);
    handing->bytes += count;
    handing->left -= count;
    *more |= to == 0 && handing->left > 0;
    return count;
}

static void take_bytes(void *context, unsigned from, const uint8_t *bytes, uint64_t size)
{
    struct handing *handing = context;
    memcpy(handing->to + handing->at[from], bytes, size);
    handing->at[from] += size;
}

static void list_hardest(struct owned *owned)
{
    struct ranks *ranks = owned->search.ranks;
    uint64_t *own = owned->hardest;
    const size_t count = exact_list(&owned->exact, owned->search.state->depth, own, RETROGRADE_HARDEST_MAX);
    for (size_t i = 0; i < count; i++)
        own[i] += owned->first;
    owned->hardest_kept = ranks_lowest(ranks, &owned->mail, own, count, RETROGRADE_HARDEST_MAX);
}

static pdb_status gather_indices(struct owned *owned, enum encoding encoding, pdb_error *error)
{
    struct ranks *ranks = owned->search.ranks;
    const uint64_t bytes = encoding_bytes(encoding, owned->search.states);
    list_hardest(owned);
    const uint64_t own = pack_own(owned, encoding);
    uint8_t *shrunk = realloc(owned->exact.narrow, own + 1);
    if (shrunk != NULL)
        owned->exact.narrow = shrunk;
    owned->exact.states = own;
    owned->exact.width = 1;
    uint64_t *at = calloc(ranks->size, sizeof *at);
    pdb_status status = at == NULL ? error_no_memory(error, "the distances", bytes) : PDB_OK;
    if (status == PDB_OK && ranks->rank == 0) {
        status = owned_charge(owned, bytes, error);
        if (status == PDB_OK && (owned->packed = malloc(bytes + 1)) == NULL)
            status = error_no_memory(error, "the distances", bytes);
    }
    status = ranks_agree(ranks, status, error);
    if (status == PDB_OK && at != NULL) {
        for (unsigned rank = 0; rank < ranks->size; rank++)
            at[rank] = encoding_bytes(encoding, rank * owned->stretch);
        struct handing handing = {owned, owned->exact.narrow, own, at, owned->packed};
        if (owned->packed != NULL)
            memcpy(owned->packed, handing.bytes, own);
        ranks_ship(ranks, &owned->mail, fill_bytes, take_bytes, &handing);
    }
    free(at);
    return status;
}

/* -- keys -- */

enum { KEY_RECORD = sizeof(uint64_t) + sizeof(uint32_t), STRETCH = 40 << 10 /* states: whole bytes in any encoding */ };

/* Rank 0's: keys and distances of a turn, and what is made of them. */
struct writing {
    struct owned *owned;
    enum encoding encoding;
    unsigned width;
    uint64_t next, end; /* of this rank's keys: what is handed over in this turn */
    uint64_t *key;      /* of a turn */
    uint32_t *distance; /* as it is written */
    size_t count;
    uint8_t *stretch;    /* distances that are not packed yet, */
    uint64_t in_stretch; /* so many, */
    uint64_t packed;     /* and states that are */
    struct keys_writer writer;
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

static uint64_t fill_keys(void *context, unsigned to, uint8_t *bytes, uint64_t room, bool *more)
{
    struct writing *writing = context;
    uint64_t size = 0;
    for (; to == 0 && writing->next < writing->end && size + KEY_RECORD <= room; size += KEY_RECORD) {
        const uint32_t distance = sorted_distance(writing->owned, writing->next);
        memcpy(bytes + size, &writing->owned->table.slot[writing->next++], sizeof(uint64_t));
        memcpy(bytes + size + sizeof(uint64_t), &distance, sizeof distance);
    }
    *more |= to == 0 && writing->next < writing->end;
    return size;
}

static void take_keys(void *context, unsigned from, const uint8_t *bytes, uint64_t size)
{
    struct writing *writing = context;
    (void)from;
    for (uint64_t at = 0; at < size; at += KEY_RECORD, writing->count++) {
        /* NOLINTNEXTLINE(*NonNull*): rank 0 has room for them, and no other is given any */
        memcpy(&writing->key[writing->count], bytes + at, sizeof(uint64_t));
        memcpy(&writing->distance[writing->count], bytes + at + sizeof(uint64_t), sizeof(uint32_t));
    }
}

/* Packs what is in the stretch behind what is packed. */
static void pack_stretch(struct writing *writing)
{
    const uint64_t count = writing->in_stretch, bytes = encoding_bytes(writing->encoding, count);
    if (writing->width == 1)
        values_pack_distances(writing->encoding, count, writing->stretch, NULL);
    memcpy(writing->owned->packed + encoding_bytes(writing->encoding, writing->packed), writing->stretch, bytes);
    writing->packed += count;
    writing->in_stretch = 0;
}

/* The keys of a turn, all of which are greater than those before. */
static void write_turn(struct writing *writing)
{
    struct owned *owned = writing->owned;
    sort_keys(writing->key, (uint8_t *)writing->distance, sizeof *writing->distance, writing->count,
              &owned->search.team);
    keys_write(&writing->writer, writing->key, writing->count);
    for (size_t i = 0; i < writing->count; i++) {
        const uint32_t distance = writing->distance[i],
                       number = written(owned, writing->width, distance != UINT32_MAX, distance);
        if (distance == owned->search.state->depth && owned->hardest_kept < RETROGRADE_HARDEST_MAX)
            owned->hardest[owned->hardest_kept++] = writing->packed + writing->in_stretch;
        memcpy(writing->stretch + writing->width * writing->in_stretch++, &number, writing->width);
        if (writing->in_stretch == STRETCH)
            pack_stretch(writing);
    }
    writing->count = 0;
}

/* The keys of a rank that go in one turn, at most: one batch. */
static uint64_t turn_keys(const struct owned *owned)
{
    return owned->mail.room / KEY_RECORD;
}

/* How many of this rank's keys go in the next turn: those below the least key that some rank cannot send any more.
 * Is it the last turn? */
static bool set_end(struct writing *writing, uint64_t *bound)
{
    const struct owned *owned = writing->owned;
    struct ranks *ranks = owned->search.ranks;
    const uint64_t past = writing->next + turn_keys(owned);
    uint64_t least = UINT64_MAX;
    memset(bound, 0, ranks->size * sizeof *bound);
    bound[ranks->rank] = past < owned->keys ? owned->table.slot[past] : UINT64_MAX;
    ranks->sum(ranks, bound, ranks->size);
    for (unsigned rank = 0; rank < ranks->size; rank++)
        least = bound[rank] < least ? bound[rank] : least;
    writing->end = writing->next;
    while (writing->end < owned->keys && writing->end < past && owned->table.slot[writing->end] < least)
        writing->end++;
    return least == UINT64_MAX;
}

static pdb_status take_room(struct writing *writing, pdb_error *error)
{
    struct owned *owned = writing->owned;
    const uint64_t states = owned->search.states, bytes = encoding_bytes(writing->encoding, states),
                   keys = turn_keys(owned) * owned->search.ranks->size;
    const uint64_t all = bytes + states + keys * KEY_RECORD + (uint64_t)STRETCH * writing->width;
    pdb_status status = owned_charge(owned, all, error);
    if (status != PDB_OK)
        return status;
    owned->packed = malloc(bytes + 1);
    writing->key = malloc(keys * sizeof *writing->key);
    writing->distance = malloc(keys * sizeof *writing->distance);
    writing->stretch = malloc((size_t)STRETCH * writing->width);
    return owned->packed != NULL && writing->key != NULL && writing->distance != NULL && writing->stretch != NULL &&
                   keys_write_begin(&writing->writer, states)
               ? PDB_OK
               : error_no_memory(error, "the states of all ranks", all);
}

static void write_keys(struct writing *writing, uint64_t *bound)
{
    struct owned *owned = writing->owned;
    struct ranks *ranks = owned->search.ranks;
    for (bool last = false, more; !last;) {
        last = set_end(writing, bound);
        if (ranks->rank == 0)
            for (uint64_t size; (size = fill_keys(writing, 0, owned->mail.out, owned->mail.room, &more)) > 0;)
                take_keys(writing, 0, owned->mail.out, size);
        ranks_ship(ranks, &owned->mail, fill_keys, take_keys, writing);
        if (ranks->rank == 0)
            write_turn(writing);
    }
    if (ranks->rank == 0)
        pack_stretch(writing);
}

static pdb_status gather_keys(struct owned *owned, enum encoding encoding, pdb_error *error)
{
    struct ranks *ranks = owned->search.ranks;
    struct writing writing = {.owned = owned, .encoding = encoding, .width = width_of(encoding)};
    uint64_t *bound = calloc(ranks->size, sizeof *bound);
    sort_own(owned);
    pdb_status status = bound == NULL        ? error_no_memory(error, "the states of a rank", ranks->size)
                        : ranks_first(ranks) ? take_room(&writing, error)
                                             : PDB_OK;
    status = ranks_agree(ranks, status, error);
    if (status == PDB_OK && bound != NULL) {
        write_keys(&writing, bound);
        if (ranks_first(ranks))
            status = keys_write_end(&writing.writer, &owned->search.key_table, error);
        key_table_free(&owned->table);
        status = ranks_agree(ranks, status, error);
    }
    keys_write_free(&writing.writer);
    free(writing.key);
    free(writing.distance);
    free(writing.stretch);
    free(bound);
    return status;
}

pdb_status owned_gather(struct owned *owned, pdb_error *error)
{
    const enum encoding encoding = retrograde_encoding(&owned->search);
    owned_release_search(owned);
    return (owned->dense ? gather_indices : gather_keys)(owned, encoding, error);
}
