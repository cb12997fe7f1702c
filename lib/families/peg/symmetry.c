/* symmetry.c -- boards that look different and are the same
 *
 * A symmetry is a permutation of the holes that takes jumps to jumps and the set of goals to itself. All of them are
 * found by backtracking over the holes, each next hole the one that shares most jumps with those placed already: after
 * the first two or three nothing is left to choose. Holes that no jump touches stay where they are. A board with more
 * than PEG_MAX_SYMMETRIES, or one that takes too long, is left with the identity alone, which is sound as well.
 *
 * Where states have keys, a state's is the smallest of its images. A state is cut into chunks of PEG_CHUNK_BITS bits;
 * the table has for every chunk, and every value of it, the images of these pegs under all symmetries, side by side:
 *
 *     images[(chunk * 2^PEG_CHUNK_BITS + value) * symmetries + s]
 *
 * so that with eight symmetries a chunk is one line of the cache: English-33 takes four lines out of 128 KiB for all
 * eight images.
 */
#include "chunks.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_TRIES = 1 << 18, UNPLACED = 255 };

/* -- finding them -- */

struct finder {
    struct peg *peg;
    peg_set landing[PEG_MAX_HOLES][PEG_MAX_HOLES]; /* [from][over]: the holes that may be landed in */
    /* jumps in which a hole has this part */
    uint16_t as_from[PEG_MAX_HOLES], as_over[PEG_MAX_HOLES], as_to[PEG_MAX_HOLES];
    unsigned ordered;
    uint8_t order[PEG_MAX_HOLES]; /* the holes that jumps touch, as they are placed */
    uint8_t image[PEG_MAX_HOLES]; /* where a hole goes, or UNPLACED */
    peg_set taken;                /* images given out */
    unsigned tries;
    bool gave_up;
};

static bool touches(const struct peg_jump *jump, unsigned hole)
{
    return jump->from == hole || jump->over == hole || jump->to == hole;
}

static void order_holes(struct finder *finder)
{
    const struct peg *peg = finder->peg;
    peg_set placed = 0;
    for (;;) {
        unsigned best = 0, best_score = 0;
        for (unsigned hole = 0; hole < peg->holes; hole++) {
            unsigned score = 0;
            for (unsigned j = 0; (placed >> hole & 1) == 0 && j < peg->jumps; j++) {
                const unsigned known = peg_wide_count(peg_wide_holes(&peg->jump[j]) & placed);
                score += touches(&peg->jump[j], hole) ? 1 + 16 * known * known : 0;
            }
            if (score > best_score) {
                best = hole;
                best_score = score;
            }
        }
        if (best_score == 0)
            return;
        finder->order[finder->ordered++] = (uint8_t)best;
        placed |= (peg_set)1 << best;
    }
}

/* Are all jumps whose holes are placed, `hole` among them, taken to jumps? */
static bool keeps_jumps(const struct finder *finder, unsigned hole)
{
    const struct peg *peg = finder->peg;
    for (unsigned j = 0; j < peg->jumps; j++) {
        const struct peg_jump *jump = &peg->jump[j];
        if (!touches(jump, hole))
            continue;
        const unsigned from = finder->image[jump->from], over = finder->image[jump->over], to = finder->image[jump->to];
        if (from != UNPLACED && over != UNPLACED && to != UNPLACED && !(finder->landing[from][over] >> to & 1))
            return false;
    }
    return true;
}

peg_set peg_set_image(const struct peg *peg, const uint8_t *image, peg_set set)
{
    peg_set result = 0;
    for (unsigned hole = 0; hole < peg->holes; hole++)
        result |= (set >> hole & 1) << image[hole];
    return result;
}

/* Does every goal's pattern become a goal's pattern? Patterns are all different, so then they only trade places. */
static bool keeps_goals(const struct peg *peg, const uint8_t *image)
{
    for (unsigned g = 0; g < peg->goals; g++) {
        const peg_set pegs = peg_set_image(peg, image, peg->goal[g].all_pegs),
                      open = peg_set_image(peg, image, peg->goal[g].all_open);
        unsigned found = 0;
        while (found < peg->goals && (peg->goal[found].all_pegs != pegs || peg->goal[found].all_open != open))
            found++;
        if (found == peg->goals)
            return false;
    }
    return true;
}

static void take_symmetry(struct finder *finder)
{
    struct peg *peg = finder->peg;
    if (!keeps_goals(peg, finder->image))
        return;
    if (peg->symmetries == PEG_MAX_SYMMETRIES) {
        finder->gave_up = true;
        return;
    }
    memcpy(peg->symmetry[peg->symmetries++], finder->image, sizeof finder->image);
}

/* Places the holes from order[depth] on in every way. As each hole is tried at its own place first, the identity comes
 * out first. */
static void place(struct finder *finder, unsigned depth)
{
    if (depth == finder->ordered) {
        take_symmetry(finder);
        return;
    }
    const unsigned hole = finder->order[depth], holes = finder->peg->holes;
    for (unsigned i = 0; i < holes && !finder->gave_up; i++) {
        /* The hole can go where none has gone, and where as many jumps begin, go over and end. */
        const unsigned to = (hole + i) % holes;
        if (finder->taken >> to & 1 || finder->as_from[hole] != finder->as_from[to] ||
            finder->as_over[hole] != finder->as_over[to] || finder->as_to[hole] != finder->as_to[to])
            continue;
        finder->gave_up = ++finder->tries == MAX_TRIES;
        finder->image[hole] = (uint8_t)to;
        finder->taken |= (peg_set)1 << to;
        if (!finder->gave_up && keeps_jumps(finder, hole))
            place(finder, depth + 1);
        finder->taken &= ~((peg_set)1 << to);
        finder->image[hole] = UNPLACED;
    }
}

static pdb_status find(struct peg *peg, pdb_error *error)
{
    struct finder *finder = calloc(1, sizeof *finder);
    if (finder == NULL)
        return error_no_memory(error, "the symmetries", sizeof *finder);
    finder->peg = peg;
    for (unsigned j = 0; j < peg->jumps; j++) {
        const struct peg_jump jump = peg->jump[j];
        finder->landing[jump.from][jump.over] |= (peg_set)1 << jump.to;
        finder->as_from[jump.from]++;
        finder->as_over[jump.over]++;
        finder->as_to[jump.to]++;
    }
    order_holes(finder);
    for (unsigned hole = 0; hole < peg->holes; hole++)
        finder->image[hole] = (uint8_t)hole;
    for (unsigned i = 0; i < finder->ordered; i++)
        finder->image[finder->order[i]] = UNPLACED;
    place(finder, 0);
    if (finder->gave_up)
        peg->symmetries = 1;
    free(finder);
    return PDB_OK;
}

/* -- the table -- */

static pdb_status make_table(struct peg *peg, pdb_error *error)
{
    const size_t entries = (size_t)peg_chunks(peg) * PEG_CHUNK_VALUES * peg->symmetries;
    peg->images = aligned_alloc(64, (entries * sizeof *peg->images + 63) / 64 * 64);
    if (peg->images == NULL)
        return error_no_memory(error, "the symmetries' table", entries * sizeof *peg->images);
    for (unsigned chunk = 0; chunk < peg_chunks(peg); chunk++)
        for (unsigned s = 0; s < peg->symmetries; s++) {
            uint64_t *image = peg->images + (size_t)chunk * PEG_CHUNK_VALUES * peg->symmetries + s;
            image[0] = 0;
            for (unsigned value = 1; value < PEG_CHUNK_VALUES; value++) {
                const unsigned hole = chunk * PEG_CHUNK_BITS + (unsigned)__builtin_ctz(value);
                const uint64_t lowest = hole < peg->holes ? (uint64_t)1 << peg->symmetry[s][hole] : 0;
                image[(size_t)value * peg->symmetries] = image[(size_t)(value & (value - 1)) * peg->symmetries] |
                                                         lowest;
            }
        }
    return PDB_OK;
}

pdb_status peg_find_symmetries(struct peg *peg, pdb_error *error)
{
    pdb_status status = find(peg, error);
    return status != PDB_OK || peg->symmetries == 1 || !peg->puzzle.keyed || peg->puzzle.wide ? status
                                                                                              : make_table(peg, error);
}

/* -- using it -- */

PEG_INLINE void canonise(const struct peg *peg, unsigned symmetries, uint64_t *state, size_t count)
{
    int64_t image[PEG_MAX_SYMMETRIES];
    for (size_t i = 0; i < count; i++) {
        peg_find_images(peg, state[i], symmetries, image);
        state[i] = (uint64_t)peg_least(image, symmetries); /* states are positive */
    }
}

PEG_INLINE void weigh(const struct peg *peg, unsigned symmetries, const uint64_t *state, size_t count, uint16_t *weight)
{
    int64_t image[PEG_MAX_SYMMETRIES];
    for (size_t i = 0; i < count; i++) {
        unsigned same = 1; /* the first symmetry leaves all as it is */
        peg_find_images(peg, state[i], symmetries, image);
        for (unsigned s = 1; s < symmetries; s++)
            same += (uint64_t)image[s] == state[i];
        weight[i] = (uint16_t)(symmetries / same);
    }
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static void canonise_eight_avx2(const struct peg *peg, uint64_t *state, size_t count)
{
    canonise(peg, 8, state, count);
}

__attribute__((target("avx2"))) static void weigh_eight_avx2(const struct peg *peg, const uint64_t *state, size_t count,
                                                             uint16_t *weight)
{
    weigh(peg, 8, state, count, weight);
}
#endif

void peg_canonise(const struct peg *peg, uint64_t *state, size_t count)
{
#ifdef __x86_64__
    if (peg->images != NULL && peg->symmetries == 8 && __builtin_cpu_supports("avx2")) {
        canonise_eight_avx2(peg, state, count);
        return;
    }
#endif
    if (peg->images != NULL && peg->symmetries == 8) /* the square's */
        canonise(peg, 8, state, count);
    else if (peg->images != NULL)
        canonise(peg, peg->symmetries, state, count);
}

void peg_weigh(const struct peg *peg, const uint64_t *state, size_t count, uint16_t *weight)
{
#ifdef __x86_64__
    if (peg->symmetries == 8 && __builtin_cpu_supports("avx2")) {
        weigh_eight_avx2(peg, state, count, weight);
        return;
    }
#endif
    if (peg->symmetries > 1)
        weigh(peg, peg->symmetries, state, count, weight);
    for (size_t i = 0; peg->symmetries == 1 && i < count; i++)
        weight[i] = 1; /* there is no table */
}
