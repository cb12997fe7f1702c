/* gather.c -- the search whose states are shared out: at its end every rank has a share of what a database has
 *
 * Of dense indices every rank packs its own stretch, in its own memory; of keys it has those that a stretch of their
 * sorted table holds, and their distances (merge.c). These are sections of the database's data. Rank 0 asks for the
 * data, a window of them at a time, so it needs no more memory than another rank.
 */
#include "owned.h"

#include <stdlib.h>
#include <string.h>

enum { WINDOW = 1 << 21 /* bytes that rank 0 asks for at once: every time, all ranks wait for one another */ };

/* -- distances of a rank, in the width that they are kept in -- */

unsigned owned_width(enum encoding encoding)
{
    const unsigned bytes = (unsigned)encoding_bytes(encoding, 1);
    return bytes < 1 ? 1 : bytes;
}

/* As it is written: residues of a distance can be told from what is left of it by this. */
enum { CYCLE = 12 };

uint32_t owned_written(const struct owned *owned, unsigned width, bool reached, uint32_t distance)
{
    if (!reached)
        return exact_none(width);
    return owned->search.undoable ? distance % CYCLE : distance;
}

/* -- giving what rank 0 asks for -- */

/* The first that there is of what is asked for: where it lies in the data, and itself. */
static uint64_t fill_bytes(void *context, unsigned to, uint8_t *bytes, uint64_t room, bool *more)
{
    struct owned *owned = context;
    for (unsigned i = 0; to == 0 && i < SECTIONS; i++) {
        const struct section *section = &owned->section[i];
        const uint64_t first = section->first > owned->asked_first ? section->first : owned->asked_first,
                       past = section->first + section->size < owned->asked_past ? section->first + section->size
                                                                                 : owned->asked_past;
        if (first >= past)
            continue;
        const uint64_t most = room - sizeof first, count = past - first < most ? past - first : most;
        memcpy(bytes, &first, sizeof first);
        memcpy(bytes + sizeof first, section->bytes + (first - section->first), count);
        owned->asked_first = first + count;
        *more |= owned->asked_first < past;
        for (unsigned later = i + 1; later < SECTIONS; later++)
            *more |= owned->section[later].size > 0;
        return sizeof first + count;
    }
    return 0;
}

static void take_bytes(void *context, unsigned from, const uint8_t *bytes, uint64_t size)
{
    struct owned *owned = context;
    uint64_t first;
    (void)from;
    memcpy(&first, bytes, sizeof first);
    memcpy(owned->window + (first - owned->window_first), bytes + sizeof first, size - sizeof first);
}

/* Bytes of the data that are asked for; none ends it all. */
static bool tell_asked(struct owned *owned, uint64_t first, uint64_t past)
{
    uint64_t number[2] = {first, past};
    ranks_tell(owned->search.ranks, number, 2);
    owned->asked_first = number[0];
    owned->asked_past = number[1];
    return number[1] > 0;
}

/* Between the sections lie zeros. */
static void fetch(struct owned *owned, uint64_t first)
{
    struct ranks *ranks = owned->search.ranks;
    const uint64_t left = owned->data_bytes - first;
    owned->window_first = first;
    owned->window_bytes = left < WINDOW ? left : WINDOW;
    memset(owned->window, 0, owned->window_bytes);
    tell_asked(owned, first, first + owned->window_bytes);
    ranks_ship(ranks, &owned->mail, fill_bytes, take_bytes, owned);
    for (uint64_t size; (size = fill_bytes(owned, 0, owned->mail.out, owned->mail.room, &(bool){false})) > 0;)
        take_bytes(owned, 0, owned->mail.out, size);
}

static const uint8_t *data_at(const void *context, uint64_t offset, uint64_t *run, pdb_error *error)
{
    struct owned *owned = *(struct owned *const *)context;
    (void)error;
    if (offset - owned->window_first >= owned->window_bytes)
        fetch(owned, offset);
    *run = owned->window_first + owned->window_bytes - offset;
    return owned->window + (offset - owned->window_first);
}

struct byte_source owned_source(struct owned *owned)
{
    owned->self = owned;
    return (struct byte_source){data_at, &owned->self};
}

void owned_serve(struct retrograde *search)
{
    struct owned *owned = owned_of(search);
    if (owned->worker != NULL) { /* it goes on */
        owned_serve_moves(owned);
        return;
    }
    while (tell_asked(owned, 0, 0))
        ranks_ship(search->ranks, &owned->mail, fill_bytes, take_bytes, owned);
}

/* -- dense -- */

/* How many distances from an index on are packed with those before it: a byte has several, which a rank's may begin or
 * end amidst (masks.c). */
static uint64_t packed_before(enum encoding encoding, uint64_t index)
{
    const uint64_t together = encoding == ENCODING_MOD3_5PERBYTE ? 5 : 1; /* others have a number that slices have */
    return (together - index % together) % together;
}

struct borrowing {
    struct owned *owned;
    uint64_t lent;
};

static uint64_t fill_borrowed(void *context, unsigned to, uint8_t *bytes, uint64_t room, bool *more)
{
    const struct borrowing *borrowing = context;
    const struct owned *owned = borrowing->owned;
    (void)room, (void)more;
    if (to + 1 != owned->search.ranks->rank)
        return 0;
    memcpy(bytes, owned->exact.narrow, borrowing->lent);
    return borrowing->lent;
}

static void take_borrowed(void *context, unsigned from, const uint8_t *bytes, uint64_t size)
{
    struct owned *owned = ((const struct borrowing *)context)->owned;
    (void)from;
    memcpy(owned->exact.narrow + owned->places, bytes, size);
}

/* The array gets what is packed with its last. Returns how many of its first are packed by the rank before. */
static uint64_t borrow(struct owned *owned, enum encoding encoding)
{
    struct borrowing borrowing = {owned, packed_before(encoding, owned->first)};
    if (packed_before(encoding, owned->stretch) == 0) /* of no rank */
        return 0;
    ranks_ship(owned->search.ranks, &owned->mail, fill_borrowed, take_borrowed, &borrowing);
    return borrowing.lent < owned->places ? borrowing.lent : owned->places;
}

/* This rank's distances, packed in its own memory behind the *lent first ones. How many there are. */
static uint64_t pack_own(struct owned *owned, enum encoding encoding, uint64_t *lent)
{
    struct exact *exact = &owned->exact;
    const unsigned width = owned_width(encoding);
    const uint64_t past = owned->first + owned->places,
                   borrowed = past < owned->search.states ? packed_before(encoding, past) : 0;
    *lent = borrow(owned, encoding);
    for (uint64_t i = 0; i < owned->places + borrowed; i++) {
        uint32_t distance;
        const bool reached = owned_distance(owned, i, &distance);
        const uint32_t number = owned_written(owned, width, reached, distance);
        memcpy(exact->narrow + width * i, &number, width); /* the lowest bytes come first */
    }
    const uint64_t count = owned->places - *lent + borrowed;
    if (width == 1)
        values_pack_distances(encoding, count, exact->narrow + *lent, &owned->search.team);
    return count;
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

static void gather_indices(struct owned *owned, enum encoding encoding)
{
    uint64_t lent;
    list_hardest(owned);
    const uint64_t count = pack_own(owned, encoding, &lent), size = encoding_bytes(encoding, count);
    uint8_t *shrunk = realloc(owned->exact.narrow, lent + size + 1);
    if (shrunk != NULL)
        owned->exact.narrow = shrunk;
    owned->exact.states = lent + size;
    owned->exact.width = 1;
    owned->data_bytes = encoding_bytes(encoding, owned->search.states);
    owned->section[0] = (struct section){encoding_bytes(encoding, owned->first + lent), size,
                                         owned->exact.narrow + lent};
}

uint64_t owned_window_bytes(const struct ranks *ranks)
{
    return ranks_first(ranks) ? WINDOW : 0;
}

pdb_status owned_gather(struct owned *owned, struct watch *watch, pdb_error *error)
{
    const enum encoding encoding = retrograde_encoding(&owned->search);
    const uint64_t window = owned_window_bytes(owned->search.ranks);
    owned_release_search(owned);
    pdb_status status = owned_charge(owned, window, error);
    if (status == PDB_OK && (owned->window = malloc(window + 1)) == NULL)
        status = error_no_memory(error, "the states of other ranks", window);
    status = ranks_agree(owned->search.ranks, status, error);
    if (status == PDB_OK && !owned->dense)
        return owned_merge(owned, encoding, watch, error);
    if (status == PDB_OK)
        gather_indices(owned, encoding);
    return status;
}
