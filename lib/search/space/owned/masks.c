/* masks.c -- the search whose states are shared out, where every move is an XOR: a pass a mask (masks/passes.c)
 *
 * The indices are cut by their highest bits into slices, of which a rank has some on end:
 *
 *     index    h h h | l l l l l l l l l l      h: the slice; l: the place in it
 *     mask     g g g | m m m m m m m m m m
 *
 * Where a mask's g is 0, its pass stays within each slice, and all such passes are done there as one process does them.
 * Any other is one between each slice h and its partner h ^ g: of another rank's the distances are sent for, block by
 * block, while that rank gets this one's, as they were before the pass. So a rank sends what it has once for each mask
 * whose partners are others', and needs no memory but for the batches.
 */
#include "owned.h"
#include "lib/search/space/masks/masks.h"

#include <string.h>

enum {
    LEAST_BITS = 6,       /* of a slice: an array that passes can be done on */
    SLICES_MORE_BITS = 3, /* so many times as many slices as ranks, where each cannot have the same number */
};

/* -- slices -- */

unsigned owned_slice_bits(const struct puzzle *puzzle, const struct ranks *ranks)
{
    const unsigned bits = (unsigned)__builtin_ctzll(puzzle->states), most = bits < LEAST_BITS ? 0 : bits - LEAST_BITS;
    unsigned cut = 0;
    while ((uint64_t)1 << cut < ranks->size)
        cut++;
    if ((uint64_t)1 << cut > ranks->size)
        cut += SLICES_MORE_BITS;
    return bits - (cut < most ? cut : most);
}

uint64_t owned_slices_stretch(const struct puzzle *puzzle, const struct ranks *ranks)
{
    const unsigned slice_bits = owned_slice_bits(puzzle, ranks);
    return (((puzzle->states >> slice_bits) - 1) / ranks->size + 1) << slice_bits;
}

struct passing {
    struct owned *owned;
    masks_meet *meet;
    unsigned slice_bits;
    uint64_t across, within; /* of the mask: its bits above those of a slice, and the others */
    size_t block;            /* distances that are sent at once */
    struct watch *watch;
    double done, share; /* of all passes: before this one or these, and by it */
};

static unsigned owner_of_slice(const struct passing *passing, uint64_t slice)
{
    return owner_of(passing->owned, slice << passing->slice_bits);
}

static uint8_t *slice_at(const struct passing *passing, uint64_t slice)
{
    return passing->owned->exact.narrow + ((slice << passing->slice_bits) - passing->owned->first);
}

/* -- passes within slices -- */

static bool look(void *context, double done)
{
    const struct passing *passing = context;
    watch_look(passing->watch, passing->done + passing->share * done);
    return !watch_stopped(passing->watch);
}

/* All masks that stay in a slice, on each of this rank's. */
static pdb_status pass_within(struct passing *passing, const uint64_t *mask, size_t masks)
{
    struct owned *owned = passing->owned;
    const uint64_t slices = owned->places >> passing->slice_bits, first = owned->first >> passing->slice_bits;
    const double all = passing->share;
    struct masks_job job = {.bits = passing->slice_bits,
                            .mask = mask,
                            .masks = masks,
                            .meet = passing->meet,
                            .team = &owned->search.team,
                            .observer = look,
                            .context = passing};
    passing->share = all / (double)(slices + 1);
    for (uint64_t i = 0; i < slices; i++) {
        job.distance = slice_at(passing, first + i);
        if (!masks_pass(&job))
            return PDB_INTERRUPTED;
        passing->done += passing->share;
    }
    return PDB_OK;
}

/* -- a pass between slices -- */

static void pass_between(const struct passing *passing, uint8_t *first, uint8_t *second, size_t size)
{
    masks_pass_between(first, second, size, passing->within % size, passing->meet, &passing->owned->search.team);
}

/* Both of this rank. */
static void pass_own(const struct passing *passing)
{
    const struct owned *owned = passing->owned;
    const uint64_t past = (owned->first + owned->places) >> passing->slice_bits;
    for (uint64_t slice = owned->first >> passing->slice_bits; slice < past; slice++) {
        const uint64_t partner = slice ^ passing->across;
        if (slice < partner && owner_of_slice(passing, partner) == owned->search.ranks->rank)
            pass_between(passing, slice_at(passing, slice), slice_at(passing, partner),
                         (size_t)1 << passing->slice_bits);
    }
}

/* This rank's block number `number` of those that it and another have to give each other, both in the same order: that
 * of the lower rank's slices, which lie before all of the other's, and of the blocks in them. NULL from the last on. */
static uint8_t *block_at(const struct passing *passing, unsigned other, uint64_t number)
{
    const struct owned *owned = passing->owned;
    const unsigned rank = owned->search.ranks->rank, low = rank < other ? rank : other, high = rank + other - low;
    const uint64_t stretch = owned->stretch >> passing->slice_bits, all = owned->search.states >> passing->slice_bits,
                   past = (low + 1) * stretch < all ? (low + 1) * stretch : all,
                   blocks = ((uint64_t)1 << passing->slice_bits) / passing->block;
    for (uint64_t slice = low * stretch; slice < past; slice++) {
        if (owner_of_slice(passing, slice ^ passing->across) != high)
            continue;
        if (number >= blocks) {
            number -= blocks;
            continue;
        }
        const uint64_t at = number * passing->block, apart = passing->within - passing->within % passing->block;
        return rank == low ? slice_at(passing, slice) + at : slice_at(passing, slice ^ passing->across) + (at ^ apart);
    }
    return NULL;
}

/* Where one rank has failed, none takes what the others sent. */
enum { MORE, FAILED };

/* A block for each rank that has partners of this rank's slices. */
static void fill(const struct passing *passing, struct rank_mail *mail)
{
    const struct owned *owned = passing->owned;
    for (unsigned to = 0; to < owned->search.ranks->size; to++) {
        const uint8_t *block = to == owned->search.ranks->rank ? NULL : block_at(passing, to, owned->at[to]);
        mail->out_bytes[to] = block == NULL ? 0 : passing->block;
        mail->sum[MORE] += block != NULL;
        if (block != NULL)
            memcpy(mail->out + to * mail->room, block, passing->block);
    }
}

static void take(const struct passing *passing, struct rank_mail *mail)
{
    const struct owned *owned = passing->owned;
    for (unsigned from = 0; from < owned->search.ranks->size; from++)
        if (from != owned->search.ranks->rank && mail->in_bytes[from] > 0)
            pass_between(passing, block_at(passing, from, owned->at[from]++), mail->in + from * mail->room,
                         passing->block);
}

/* Ranks come with a status each; where one's is not PDB_OK, or its watch is stopped meanwhile, none goes on. */
static pdb_status pass_across(struct passing *passing, pdb_status status)
{
    struct owned *owned = passing->owned;
    struct rank_mail *mail = &owned->mail;
    memset(owned->at, 0, owned->search.ranks->size * sizeof *owned->at);
    do {
        if (status == PDB_OK && !look(passing, 0))
            status = PDB_INTERRUPTED;
        memset(mail->out_bytes, 0, owned->search.ranks->size * sizeof *mail->out_bytes);
        memset(mail->sum, 0, sizeof mail->sum);
        mail->sum[FAILED] = status != PDB_OK;
        if (status == PDB_OK)
            fill(passing, mail);
        ranks_exchange(owned->search.ranks, mail);
        if (mail->sum[FAILED] == 0)
            take(passing, mail);
    } while (mail->sum[MORE] > 0 && mail->sum[FAILED] == 0);
    return mail->sum[FAILED] == 0 ? PDB_OK : PDB_INTERRUPTED;
}

/* -- all of them -- */

/* Moves the masks that stay in a slice to the front; how many these are. */
static size_t order_masks(uint64_t *mask, size_t masks, unsigned slice_bits)
{
    size_t inner = 0;
    for (size_t m = 0; m < masks; m++)
        if (mask[m] >> slice_bits == 0) {
            const uint64_t moved = mask[m];
            mask[m] = mask[inner];
            mask[inner++] = moved;
        }
    return inner;
}

static void count(struct owned *owned)
{
    struct retrograde *search = &owned->search;
    exact_count(&owned->exact, owned->places, &search->team, search->state->histogram);
    search->ranks->sum(search->ranks, search->state->histogram, UINT8_MAX + 1);
    retrograde_note_all(search);
}

static size_t block_bytes(const struct owned *owned, unsigned slice_bits)
{
    size_t block = (size_t)1 << slice_bits;
    while (block > owned->mail.room)
        block /= 2;
    return block;
}

pdb_status owned_measure_by_masks(struct owned *owned, struct watch *watch, pdb_error *error)
{
    const struct puzzle *puzzle = owned->search.puzzle;
    const uint64_t *known;
    uint64_t mask[MASKS_MAX];
    const size_t masks = puzzle->family->space.masks(puzzle, &known);
    struct passing passing = {.owned = owned,
                              .meet = masks_meet_of(owned->search.portable),
                              .slice_bits = owned_slice_bits(puzzle, owned->search.ranks),
                              .watch = watch};
    memcpy(mask, known, masks * sizeof *mask);
    passing.block = block_bytes(owned, passing.slice_bits);
    const size_t inner = order_masks(mask, masks, passing.slice_bits);
    passing.share = (double)inner / (double)masks;
    pdb_status status = pass_within(&passing, mask, inner);
    for (size_t m = inner; m < masks; m++) {
        passing.done = (double)m / (double)masks;
        passing.share = 1 / (double)masks;
        passing.across = mask[m] >> passing.slice_bits;
        passing.within = mask[m] % ((uint64_t)1 << passing.slice_bits);
        if (status == PDB_OK)
            pass_own(&passing);
        status = pass_across(&passing, status);
        if (status != PDB_OK)
            return status;
    }
    status = ranks_agree(owned->search.ranks, status, error);
    if (status == PDB_OK)
        count(owned);
    return status;
}
