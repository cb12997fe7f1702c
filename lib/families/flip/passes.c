/* passes.c -- all distances of a board of two values at once: tiles, and the passes that are done on them */
#include "passes.h"

#include <omp.h>
#include <string.h>

enum {
    LEAST_BITS = 6, /* of FLIP_PASSES_ROOM */
    ROW_BITS = 9,   /* a row is copied at the speed of memory, and a tile stays in a core's first cache */
    TILE_BITS = 15,
    SPAN_MAX = TILE_BITS - LEAST_BITS,
    TILE_MASKS = 64 /* in a group; more begin another one */
};

/* Masks whose row numbers are sums of a few, and how the tiles lie that are closed under them. */
struct group {
    unsigned row_bits, span;
    uint64_t basis[SPAN_MAX]; /* row numbers; the pivot of each is a bit that no other has */
    uint64_t pivot[SPAN_MAX]; /* that bit */
    uint64_t pivots;          /* all of them */
    size_t masks;
    uint64_t mask[TILE_MASKS]; /* in a tile's own index once the group is complete */
};

/* Is the row number a sum of the basis, now or after it became a member of it? */
static bool span_takes(struct group *group, unsigned span_max, uint64_t row)
{
    for (unsigned b = 0; b < group->span; b++)
        if (row & group->pivot[b])
            row ^= group->basis[b];
    if (row == 0 || group->span == span_max)
        return row == 0;
    const uint64_t pivot = row & -row;
    for (unsigned b = 0; b < group->span; b++)
        if (group->basis[b] & pivot)
            group->basis[b] ^= row;
    group->basis[group->span] = row;
    group->pivot[group->span++] = pivot;
    group->pivots |= pivot;
    return true;
}

/* The mask in the tile's own index: the coordinates of its row number, and its place in a row. */
static uint64_t in_tile(const struct group *group, uint64_t mask)
{
    const uint64_t row = mask >> group->row_bits;
    uint64_t short_mask = mask & (((uint64_t)1 << group->row_bits) - 1);
    for (unsigned b = 0; b < group->span; b++)
        if (row & group->pivot[b])
            short_mask |= (uint64_t)1 << (group->row_bits + b);
    return short_mask;
}

/* Makes a group of as many masks as fit, of those whose `taken` is false. */
static void gather(const uint64_t *mask, size_t masks, bool *taken, unsigned row_bits, struct group *group)
{
    *group = (struct group){.row_bits = row_bits};
    for (size_t m = 0; m < masks && group->masks < TILE_MASKS; m++)
        if (!taken[m] && span_takes(group, TILE_BITS - row_bits, mask[m] >> row_bits)) {
            taken[m] = true;
            group->mask[group->masks++] = mask[m];
        }
    for (size_t m = 0; m < group->masks; m++)
        group->mask[m] = in_tile(group, group->mask[m]);
}

/* The bits of a number, spread over the zeros of another. */
static uint64_t spread(uint64_t number, uint64_t holes)
{
    uint64_t result = 0;
    for (uint64_t bit = 1; number != 0; bit <<= 1) {
        if (holes & bit)
            continue;
        if (number & 1)
            result |= bit;
        number >>= 1;
    }
    return result;
}

/* What all threads share. */
struct run {
    uint8_t *distance;
    flip_meet *meet;
    unsigned threads;
    distances_observer *observer;
    void *context;
    double done, share; /* of the work: before this group, and by it */
    bool stopped;       /* set by the calling thread, read by all */
};

/* All passes of a group on the tile of one base. */
static void pass_tile(const struct run *run, const struct group *group, const uint64_t *offset, uint64_t base)
{
    _Alignas(64) uint8_t tile[1 << TILE_BITS];
    const size_t row_size = (size_t)1 << group->row_bits, rows = (size_t)1 << group->span;
    for (size_t r = 0; r < rows; r++)
        memcpy(tile + r * row_size, run->distance + ((base ^ offset[r]) << group->row_bits), row_size);
    for (size_t m = 0; m < group->masks; m++)
        run->meet(tile, rows * row_size, group->mask[m]);
    for (size_t r = 0; r < rows; r++)
        memcpy(run->distance + ((base ^ offset[r]) << group->row_bits), tile + r * row_size, row_size);
}

static void look(struct run *run, double tiles_done)
{
    if (run->observer != NULL && !run->observer(run->context, run->done + run->share * tiles_done))
        __atomic_store_n(&run->stopped, true, __ATOMIC_RELAXED);
}

static void pass_group(struct run *run, const struct group *group, unsigned bits)
{
    uint64_t offset[1 << SPAN_MAX] = {0};
    for (unsigned b = 0; b < group->span; b++)
        for (size_t r = 0; r < (size_t)1 << b; r++)
            offset[((size_t)1 << b) + r] = offset[r] ^ group->basis[b];
    const uint64_t tiles = (uint64_t)1 << (bits - group->row_bits - group->span);
#pragma omp parallel for num_threads(run->threads) if (tiles > 1) schedule(dynamic, 4)
    for (uint64_t t = 0; t < tiles; t++) {
        if (__atomic_load_n(&run->stopped, __ATOMIC_RELAXED))
            continue;
        pass_tile(run, group, offset, spread(t, group->pivots));
        if (omp_get_thread_num() == 0)
            look(run, (double)(t + 1) / (double)tiles);
    }
}

bool flip_passes(unsigned bits, const uint64_t *mask, size_t masks, flip_meet *meet, unsigned threads,
                 uint8_t *distance, distances_observer *observer, void *context)
{
    struct run run = {.distance = distance, .meet = meet, .threads = threads, .observer = observer, .context = context};
    const unsigned all_bits = bits < LEAST_BITS ? LEAST_BITS : bits;
    bool taken[FLIP_PASSES_MASKS] = {false};
    for (size_t done = 0; done < masks && !run.stopped;) {
        struct group group;
        gather(mask, masks, taken, all_bits < ROW_BITS ? all_bits : ROW_BITS, &group);
        run.done = (double)done / (double)masks;
        run.share = (double)group.masks / (double)masks;
        pass_group(&run, &group, all_bits);
        done += group.masks;
    }
    return !run.stopped;
}
