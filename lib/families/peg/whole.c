/* whole.c -- all distances of a board of few holes at once, 32 boards at a time
 *
 * Every jump takes a peg off, so boards are gone through by their pegs: what a board's distance d depends on is known
 * when it is its turn. For sweeps one more thing is kept of a board, a bit for every peg, which is 0 where a shortest
 * solution begins with this peg. A jump from board b, by which the peg comes to hole h of board b', begins sweeps that
 * end in b' or go on from there. Ending is best, or going on is and saves the move that it would be:
 *
 *     d(b)  =  least over all jumps of  d(b') + (bit h of b')        the jumps that have the least make bits of b 0
 *
 * Single jumps are the same with all bits 1.
 *
 * Boards with an even number of pegs lie in one *half* of the memory, those with an odd one in the other. In a half
 * hole 0 is known from all others, so a board's place is its index without that bit:
 *
 *     place     t t t t t t t t t  |  m m m m m m  |  l l l l l     l: holes 1 to 5, m: 6 to 11, t: from 12 on
 *               group of 64 blocks    block           byte in block
 *
 * A jump leads from one half to the other, and always adds the same number to the place. Its high holes say between
 * which groups and blocks, and there whole blocks of 32 bytes meet; its low ones say which of their bytes count.
 * Distances take a byte a board, bits another one for every eight holes.
 *
 * Passes go through the number of pegs. A pass reads one half and writes the other, whole blocks of it, in any order:
 * all blocks with boards of so many pegs. Those of their boards that have more are not due yet: what is written for
 * them is no less than their distance, and is written anew when it is their turn. Of those that have fewer the distance
 * stays what it is; their bits may become 1, but nobody reads them any more.
 */
#include "peg.h"
#include "lib/memory/pages.h"
#include "lib/team.h"

#include <string.h>

enum {
    LOW = 6, /* holes; and as many in the middle */
    LANES = 32,
    BLOCKS = 64,
    GROUP = BLOCKS * LANES,
    NONE = 128, /* no distance; a bit that distances do not have */
    PLANE_HOLES = 8,
    SHARE_GROUPS = 8
};

/* A jump is possible in groups where (number & group) == before, in some of their blocks, and there in the bytes that
 * have 0, not NONE, in never[odd]: are the pegs in low holes odd? */
struct block_jump {
    uint64_t group, before, blocks;
    uint8_t never[2][LANES];
    int64_t apart;                  /* what it adds to a place */
    uint8_t right, left;            /* and to a block's number, as a shift of their set back */
    unsigned low_taken, low_landed; /* low holes that lose a peg, and get one */
    unsigned plane, to_plane;       /* where the bits of its peg lie, before and after */
    uint8_t others, to_bit;         /* all bits but the one, and the other */
};

/* A half has a plane of distances and, for sweeps, one of bits for every eight holes: bytes, by place. */
struct whole {
    unsigned holes, jumps, planes;
    struct block_jump jump[PEG_MAX_JUMPS];
    uint64_t blocks_with[LOW + 1]; /* by the number of pegs in their holes */
    uint8_t odd_lane[2][LANES];    /* is the sum of the pegs in a block's holes, even or odd, and in a byte's odd? */
    uint64_t groups, stride;       /* from one plane to the next */
    uint8_t *memory, *distance;
    uint64_t *reaching[2]; /* of each half and group: its blocks with boards that can reach a goal */
    uint64_t states;
    unsigned pegs; /* of the pass */
    distances_observer *observer;
    void *context;
    bool stopped; /* set by the calling thread, read by all */
};

static uint8_t *plane_of(const struct whole *whole, unsigned half, unsigned plane)
{
    return whole->memory + LANES + (half * whole->planes + plane) * whole->stride;
}

/* A block that is read `apart` from another need not lie in its plane whole: LANES bytes are before it and behind. */
static uint64_t lay_out(const struct peg *peg, struct whole *whole)
{
    const unsigned holes = peg->holes < 2 * LOW ? 2 * LOW : peg->holes;
    whole->planes = 1 + (peg->sweeps ? (peg->holes + PLANE_HOLES - 1) / PLANE_HOLES : 0);
    whole->groups = (uint64_t)1 << (holes - 2 * LOW);
    whole->stride = whole->groups * GROUP + 2 * LANES;
    return 2 * (whole->planes * whole->stride + whole->groups * sizeof(uint64_t));
}

uint64_t peg_whole_scratch(const struct peg *peg)
{
    struct whole whole;
    return lay_out(peg, &whole);
}

/* -- jumps -- */

static void make_jump(const struct peg_steps *steps, unsigned number, bool sweeps, struct block_jump *jump)
{
    const uint64_t all = steps->all[number], before = steps->before[number], low = BLOCKS - 1, landed = all ^ before;
    *jump = (struct block_jump){
        .group = all >> 2 * LOW, .before = before >> 2 * LOW, .apart = (int64_t)(landed >> 1) - (int64_t)(before >> 1)};
    const int up = (int)(landed >> LOW & low) - (int)(before >> LOW & low);
    jump->right = (uint8_t)(up > 0 ? up : 0);
    jump->left = (uint8_t)(up < 0 ? -up : 0);
    for (uint64_t block = 0; block < BLOCKS; block++)
        jump->blocks |= (uint64_t)((block & all >> LOW) == (before >> LOW & low)) << block;
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned odd = 0; odd < 2; odd++) {
            const uint64_t holes = 2 * lane + ((count_bits(lane) ^ odd) & 1);
            jump->never[odd][lane] = (holes & all) == (before & low) ? 0 : NONE;
        }
    jump->low_taken = count_bits(before & low);
    jump->low_landed = count_bits(landed & low);
    if (!sweeps)
        return; /* no bits to be 0 */
    jump->plane = 1 + steps->from[number] / PLANE_HOLES;
    jump->others = (uint8_t) ~(1 << steps->from[number] % PLANE_HOLES);
    jump->to_plane = 1 + steps->hole[number] / PLANE_HOLES;
    jump->to_bit = (uint8_t)(1 << steps->hole[number] % PLANE_HOLES);
}

/* -- passes -- */

/* A board's distance by way of one jump; NONE or more where it is not possible, or leads to no goal. */
static inline uint8_t by_jump(uint8_t to_distance, uint8_t to_bits, uint8_t to_bit, uint8_t never)
{
    return (uint8_t)(to_distance + ((to_bits & to_bit) == to_bit)) | never;
}

/* Lowers the distances of a block. Loops over bytes that compilers make vectors of. */
static inline void lower_block(uint8_t *restrict distance, const uint8_t *restrict to_distance,
                               const uint8_t *restrict to_bits, uint8_t to_bit, const uint8_t *restrict never)
{
    for (unsigned i = 0; i < LANES; i++) {
        const uint8_t found = by_jump(to_distance[i], to_bits[i], to_bit, never[i]);
        distance[i] = found < distance[i] ? found : distance[i];
    }
}

/* Once they are known: where the jump is one of the best, leaves only the bits of `others`. */
static inline void mark_block(const uint8_t *restrict distance, uint8_t *restrict bits, uint8_t others,
                              const uint8_t *restrict to_distance, const uint8_t *restrict to_bits, uint8_t to_bit,
                              const uint8_t *restrict never)
{
    for (unsigned i = 0; i < LANES; i++)
        bits[i] &= by_jump(to_distance[i], to_bits[i], to_bit, never[i]) == distance[i] ? others : UINT8_MAX;
}

/* The blocks of a group that have boards due; and those of them where the pegs in these boards' low holes are odd, so
 * many can be taken from there, and so many land there: [odd][taken][landed]. So a jump is only looked at where it
 * leads to blocks that had boards due in the last pass. */
struct due {
    uint64_t all, blocks[2][3][2];
};

static void find_due(const struct whole *whole, uint64_t group, struct due *due)
{
    const unsigned pegs = whole->pegs - count_bits(group);
    *due = (struct due){0};
    for (unsigned low = 0; low <= LOW && low <= pegs; low++) {
        const uint64_t blocks = pegs - low <= LOW ? whole->blocks_with[pegs - low] : 0;
        due->all |= blocks;
        for (unsigned taken = 0; taken <= 2 && taken <= low; taken++)
            for (unsigned landed = 0; landed <= 1 && landed + low <= LOW; landed++)
                due->blocks[low & 1][taken][landed] |= blocks;
    }
}

/* All jumps, in the blocks of a group that are due and in `within`, where they lead to blocks that reach a goal:
 * distances are lowered, or bits made. Returns in which blocks. */
static uint64_t jump_all(const struct whole *whole, const struct due *due, uint64_t group, uint64_t within, bool mark)
{
    const unsigned half = whole->pegs & 1;
    uint8_t *distance = plane_of(whole, half, 0);
    const uint8_t *to_distance = plane_of(whole, !half, 0);
    uint64_t met = 0;
    for (unsigned j = 0; j < whole->jumps; j++) {
        const struct block_jump *jump = &whole->jump[j];
        if ((group & jump->group) != jump->before)
            continue;
        const uint64_t reaching = whole->reaching[!half][group ^ jump->group] >> jump->right << jump->left;
        uint8_t *bits = plane_of(whole, half, jump->plane);
        const uint8_t *to_bits = plane_of(whole, !half, jump->to_plane);
        const uint8_t others = jump->others, to_bit = jump->to_bit;
        for (unsigned odd = 0; odd < 2; odd++) {
            const uint64_t possible = jump->blocks & due->blocks[odd][jump->low_taken][jump->low_landed] & within;
            met |= possible & reaching;
            for (uint64_t blocks = possible & reaching; blocks != 0; blocks &= blocks - 1) {
                const int64_t at = (int64_t)group * GROUP + LANES * __builtin_ctzll(blocks), to = at + jump->apart;
                if (mark)
                    mark_block(distance + at, bits + at, others, to_distance + to, to_bits + to, to_bit,
                               jump->never[odd]);
                else
                    lower_block(distance + at, to_distance + to, to_bits + to, to_bit, jump->never[odd]);
            }
        }
    }
    return met;
}

static bool reaches_goal(const uint8_t *distance)
{
    uint8_t all = NONE;
    for (unsigned i = 0; i < LANES; i++)
        all &= distance[i];
    return all == 0;
}

static void pass_group(const struct whole *whole, uint64_t group)
{
    const unsigned half = whole->pegs & 1;
    uint64_t *reaching = &whole->reaching[half][group];
    struct due due;
    find_due(whole, group, &due);
    const uint64_t met = jump_all(whole, &due, group, UINT64_MAX, false);
    for (uint64_t blocks = met & ~*reaching; blocks != 0; blocks &= blocks - 1)
        if (reaches_goal(plane_of(whole, half, 0) + group * GROUP + LANES * (size_t)__builtin_ctzll(blocks)))
            *reaching |= blocks & -blocks;
    for (unsigned plane = 1; plane < whole->planes; plane++) {
        uint8_t *bits = plane_of(whole, half, plane) + group * GROUP;
        for (uint64_t blocks = due.all & *reaching; blocks != 0; blocks &= blocks - 1)
            memset(bits + LANES * (size_t)__builtin_ctzll(blocks), UINT8_MAX, LANES);
    }
    if (whole->planes > 1)
        jump_all(whole, &due, group, *reaching, true);
}

static void pass_share(void *context, unsigned thread, uint64_t share)
{
    struct whole *whole = context;
    const uint64_t first = share * SHARE_GROUPS, past = first + SHARE_GROUPS;
    if (__atomic_load_n(&whole->stopped, __ATOMIC_RELAXED))
        return;
    for (uint64_t group = first; group < past && group < whole->groups; group++)
        if (count_bits(group) <= whole->pegs && count_bits(group) + 2 * LOW >= whole->pegs)
            pass_group(whole, group);
    const double done = (double)share / (double)team_shares(whole->groups, SHARE_GROUPS);
    if (thread == 0 && !whole->observer(whole->context, (whole->pegs - 1 + done) / whole->holes))
        __atomic_store_n(&whole->stopped, true, __ATOMIC_RELAXED);
}

/* -- beginning and end -- */

/* Two indices that differ in hole 0 have one place, in both halves: a block of either is 64 indices. */
static void load_block(const uint8_t *distance, const uint8_t *odd_lane, uint8_t *even, uint8_t *odd)
{
    for (unsigned i = 0; i < LANES; i++) {
        const uint8_t first = distance[2 * i] == 0 ? 0 : NONE, second = distance[2 * i + 1] == 0 ? 0 : NONE;
        even[i] = odd_lane[i] ? second : first;
        odd[i] = odd_lane[i] ? first : second;
    }
}

static void store_block(const uint8_t *even, const uint8_t *odd, const uint8_t *odd_lane, uint8_t *distance)
{
    for (unsigned i = 0; i < LANES; i++) {
        const uint8_t first = odd_lane[i] ? odd[i] : even[i], second = odd_lane[i] ? even[i] : odd[i];
        distance[2 * i] = first < NONE ? first : UINT8_MAX;
        distance[2 * i + 1] = second < NONE ? second : UINT8_MAX;
    }
}

/* The goals of a share are loaded before the first pass, all of its distances stored after the last. */
static void convert_share(void *context, unsigned thread, uint64_t share)
{
    const struct whole *whole = context;
    const uint64_t first = share * SHARE_GROUPS * BLOCKS, past = first + SHARE_GROUPS * BLOCKS;
    (void)thread;
    for (uint64_t block = first; block < past && 2 * LANES * block < whole->states; block++) {
        const uint8_t *odd_lane = whole->odd_lane[count_bits(block) & 1];
        uint8_t *even = plane_of(whole, 0, 0) + LANES * block, *odd = plane_of(whole, 1, 0) + LANES * block;
        uint8_t *distance = whole->distance + 2 * LANES * block;
        if (whole->pegs > 0) {
            store_block(even, odd, odd_lane, distance);
            continue;
        }
        load_block(distance, odd_lane, even, odd);
        whole->reaching[0][block / BLOCKS] |= (uint64_t)reaches_goal(even) << block % BLOCKS;
        whole->reaching[1][block / BLOCKS] |= (uint64_t)reaches_goal(odd) << block % BLOCKS;
    }
}

bool peg_whole(const struct puzzle *puzzle, bool portable, unsigned threads, uint8_t *distance, void *scratch,
               distances_observer *observer, void *context)
{
    const struct peg *peg = (const struct peg *)puzzle;
    struct team team = {.threads = threads};
    struct whole whole = {.holes = peg->holes,
                          .jumps = peg->jumps,
                          .states = puzzle->states,
                          .distance = distance,
                          .observer = observer,
                          .context = context};
    (void)portable; /* it does without what only some processors can */
    lay_out(peg, &whole);
    const uint64_t shares = team_shares(whole.groups, SHARE_GROUPS);
    whole.reaching[0] = scratch;
    whole.reaching[1] = whole.reaching[0] + whole.groups;
    whole.memory = (uint8_t *)(whole.reaching[1] + whole.groups);
    for (unsigned j = 0; j < peg->jumps; j++)
        make_jump(&peg->forward, j, peg->sweeps, &whole.jump[j]);
    for (unsigned block = 0; block < BLOCKS; block++)
        whole.blocks_with[count_bits(block)] |= (uint64_t)1 << block;
    for (unsigned lane = 0; lane < LANES; lane++)
        for (unsigned odd = 0; odd < 2; odd++)
            whole.odd_lane[odd][lane] = (count_bits(lane) ^ odd) & 1;
    memset(scratch, 0, 2 * whole.groups * sizeof *whole.reaching[0]);
    pages_fill(whole.memory, NONE, 2 * whole.planes * whole.stride, &team);
    team_run(&team, shares, convert_share, &whole);
    for (whole.pegs = 1; whole.pegs <= peg->holes && !whole.stopped; whole.pegs++)
        team_run(&team, shares, pass_share, &whole);
    if (!whole.stopped)
        team_run(&team, shares, convert_share, &whole);
    team_end(&team);
    return !whole.stopped;
}
