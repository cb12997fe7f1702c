/* passes.c -- all distances at once, without layers: a pass a mask
 *
 * A move is an XOR of the index with its mask, so moves commute, and the same one twice is none. A shortest way makes
 * some moves once each, in any order, and the moves may be decided one after another: with d_b the distances that the
 * first b of them allow,
 *
 *     d_0[s] = 0 for goals, else none          d_b[s] = min(d_(b-1)[s], d_(b-1)[s ^ mask_b] + 1)
 *
 * The pair s, s ^ mask is changed without a look at anything else, so a pass is done in place, and after the last
 * mask all distances are known. (It is the fast Walsh-Hadamard transform with (min, +) for (+, *).)
 *
 * Passes that went over the whole array one by one would wait for memory. But a pass may as well be done on any part of
 * the array that is closed under its mask, and several passes one after another on a part closed under all of their
 * masks. Such a part is a *tile*:
 *
 *                   row number, bits - row bits                place in a row
 *     index     b b b b b b b b b b b b b b b b  |  l l l l l l l l l      rows lie in memory as they are
 *     tile      base ^ (any sum of a few rows)   |  anything
 *     in tile            c c c c c c             |  l l l l l l l l l      c: which sum
 *
 * Masks are taken in *groups* whose row numbers span at most TILE_BITS - ROW_BITS dimensions. A basis in reduced
 * echelon form makes the coordinates c of a sum just its bits at the pivots. The rows of a tile are copied together
 * (apart as they lie, by powers of two, they would fight for the same few lines of the cache), every mask becomes a
 * short one on the tile's own index, and all passes of the group are done before the rows are copied back. Bases are
 * the row numbers with zeros at the pivots, so tiles are numbered, and shared out among threads.
 *
 * Inside a tile the high bits of a mask pair up blocks of bytes, the low ones reorder bytes in a block: meet.c.
 */
#include "masks.h"
#include "lib/numbers.h"
#include "lib/rank/parity.h"
#include "lib/team.h"

#include <string.h>

enum {
    LEAST_BITS = 6, /* of MASKS_ROOM */
    ROW_BITS = 9,   /* a row is copied at the speed of memory, and a tile stays in a core's first cache */
    TILE_BITS = 15,
    SPAN_MAX = TILE_BITS - LEAST_BITS,
    TILE_MASKS = 64 /* in a group; more begin another one */
};

/* Masks whose row numbers are sums of a few, and how the tiles lie that are closed under them. */
struct group {
    unsigned row_bits;
    struct parity_equations basis; /* of the row numbers */
    uint64_t pivots;               /* all of the basis */
    size_t masks;
    uint64_t mask[TILE_MASKS]; /* in a tile's own index once the group is complete */
};

/* Is the row number a sum of the basis, now or after it became a member of it? */
static bool span_takes(struct group *group, uint64_t row)
{
    const uint64_t rest = parity_reduce(&group->basis, row, false).bits;
    if (rest == 0 || group->basis.count == TILE_BITS - group->row_bits)
        return rest == 0;
    parity_add(&group->basis, rest, false);
    group->pivots |= rest & -rest;
    return true;
}

/* The mask in the tile's own index: the coordinates of its row number, and its place in a row. */
static uint64_t in_tile(const struct group *group, uint64_t mask)
{
    const uint64_t row = mask >> group->row_bits;
    uint64_t short_mask = mask & (((uint64_t)1 << group->row_bits) - 1);
    for (unsigned b = 0; b < group->basis.count; b++)
        if (row & parity_pivot(&group->basis, b))
            short_mask |= (uint64_t)1 << (group->row_bits + b);
    return short_mask;
}

/* Makes a group of as many masks as fit, of those whose `taken` is false. */
static void gather(const struct masks_job *job, bool *taken, struct group *group)
{
    for (size_t m = 0; m < job->masks && group->masks < TILE_MASKS; m++)
        if (!taken[m] && span_takes(group, job->mask[m] >> group->row_bits)) {
            taken[m] = true;
            group->mask[group->masks++] = job->mask[m];
        }
    for (size_t m = 0; m < group->masks; m++)
        group->mask[m] = in_tile(group, group->mask[m]);
}

enum { SHARE_TILES = 4 };

/* What all threads share. */
struct run {
    const struct masks_job *job;
    double done, share;        /* of the work: before this group, and by it */
    const struct group *group; /* its masks, tiles, and the sums of its basis by their coordinates */
    uint64_t tiles, offset[1 << SPAN_MAX];
    bool stopped; /* set by the calling thread, read by all */
};

/* All passes of a group on the tile of one base: the tile's rows are copied together, every mask is passed over, and
 * the rows are copied back. */
static void pass_tile(const struct masks_job *job, const struct group *group, const uint64_t *offset, uint64_t base)
{
    _Alignas(64) uint8_t tile[1 << TILE_BITS];
    const size_t row_size = (size_t)1 << group->row_bits, rows = (size_t)1 << group->basis.count;
    for (size_t r = 0; r < rows; r++)
        memcpy(tile + r * row_size, job->distance + ((base ^ offset[r]) << group->row_bits), row_size);
    for (size_t m = 0; m < group->masks; m++)
        job->meet(tile, rows * row_size, group->mask[m]);
    for (size_t r = 0; r < rows; r++)
        memcpy(job->distance + ((base ^ offset[r]) << group->row_bits), tile + r * row_size, row_size);
}

static void pass_share(void *context, unsigned thread, uint64_t share)
{
    struct run *run = context;
    const struct masks_job *job = run->job;
    const uint64_t first = share * SHARE_TILES, past = first + SHARE_TILES, end = past < run->tiles ? past : run->tiles;
    if (__atomic_load_n(&run->stopped, __ATOMIC_RELAXED))
        return;
    for (uint64_t t = first; t < end; t++)
        pass_tile(job, run->group, run->offset, spread_bits(t, ~run->group->pivots));
    if (thread == 0 && job->observer != NULL &&
        !job->observer(job->context, run->done + run->share * (double)end / (double)run->tiles))
        __atomic_store_n(&run->stopped, true, __ATOMIC_RELAXED);
}

static void pass_group(struct run *run, const struct group *group, unsigned bits)
{
    run->offset[0] = 0;
    for (unsigned b = 0; b < group->basis.count; b++)
        for (size_t r = 0; r < (size_t)1 << b; r++)
            run->offset[((size_t)1 << b) + r] = run->offset[r] ^ group->basis.equation[b].bits;
    run->group = group;
    run->tiles = (uint64_t)1 << (bits - group->row_bits - group->basis.count);
    team_run(run->job->team, team_shares(run->tiles, SHARE_TILES), pass_share, run);
}

bool masks_pass(const struct masks_job *job)
{
    struct run run = {.job = job};
    const unsigned bits = job->bits < LEAST_BITS ? LEAST_BITS : job->bits;
    bool taken[MASKS_MAX] = {false};
    for (size_t done = 0; done < job->masks && !run.stopped;) {
        struct group group = {.row_bits = bits < ROW_BITS ? bits : ROW_BITS};
        gather(job, taken, &group);
        run.done = (double)done / (double)job->masks;
        run.share = (double)group.masks / (double)job->masks;
        pass_group(&run, &group, bits);
        done += group.masks;
    }
    return !run.stopped;
}
