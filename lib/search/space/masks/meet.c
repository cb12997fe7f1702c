/* meet.c -- one pass over a tile of distances: bytes whose numbers differ by a mask meet (passes.c)
 *
 * The mask's bits above those of a block say which blocks meet; the others, the *lane*, which bytes of theirs. A block
 * is brought in the order of its partner's bytes by exchanges of neighbours, of pairs, of fours, .., one for each bit
 * of the lane: XOR of a byte's number. That is its own inverse, so both partners are reordered alike.
 *
 *     lane 1   b1 b0 b3 b2 b5 b4 b7 b6        lane 3   b3 b2 b1 b0 b7 b6 b5 b4
 *     lane 2   b2 b3 b0 b1 b6 b7 b4 b5        lane 4   b4 b5 b6 b7 b0 b1 b2 b3
 */
#include "masks.h"

#include <string.h>

/* -- portable: blocks of eight words, and loops over bytes that compilers make vectors of -- */

enum { WORDS = 8, BLOCK = 8 * WORDS };

static void reorder(const uint8_t *block, unsigned lane, uint8_t *reordered)
{
    uint64_t from[WORDS], to[WORDS];
    memcpy(from, block, BLOCK);
    for (unsigned w = 0; w < WORDS; w++)
        to[w] = from[w ^ lane / 8];
    for (unsigned w = 0; w < WORDS && (lane & 1); w++)
        to[w] = (to[w] & 0x00FF00FF00FF00FF) << 8 | (to[w] >> 8 & 0x00FF00FF00FF00FF);
    for (unsigned w = 0; w < WORDS && (lane & 2); w++)
        to[w] = (to[w] & 0x0000FFFF0000FFFF) << 16 | (to[w] >> 16 & 0x0000FFFF0000FFFF);
    for (unsigned w = 0; w < WORDS && (lane & 4); w++)
        to[w] = to[w] << 32 | to[w] >> 32;
    memcpy(reordered, to, BLOCK);
}

/* The less of each byte and its partner plus one; none plus one is never less. */
static void take_less(uint8_t *block, const uint8_t *partner)
{
    for (unsigned i = 0; i < BLOCK; i++)
        block[i] = block[i] <= partner[i] ? block[i] : (uint8_t)(partner[i] + 1);
}

void masks_meet_portable(uint8_t *tile, size_t size, size_t mask)
{
    const unsigned lane = mask % BLOCK;
    const size_t apart = mask - lane;
    uint8_t first[BLOCK], second[BLOCK];
    for (size_t i = 0; i < size; i += BLOCK) {
        if ((i ^ apart) < i)
            continue; /* met already */
        reorder(tile + i, lane, first);
        reorder(tile + (i ^ apart), lane, second);
        take_less(tile + i, second);
        if (apart != 0)
            take_less(tile + (i ^ apart), first);
    }
}

/* -- AVX2: blocks of 32 bytes -- */

#ifdef __x86_64__
#include <immintrin.h>

/* The order of a lane: its bits 0..3 inside each half of a register, bit 4 exchanges the halves. */
struct lane_order {
    __m256i bytes, words;
};

__attribute__((target("avx2"))) static struct lane_order order_of(unsigned lane)
{
    const __m256i number = _mm256_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6,
                                            7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m256i word = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    return (struct lane_order){_mm256_xor_si256(number, _mm256_set1_epi8((char)(lane % 16))),
                               _mm256_xor_si256(word, _mm256_set1_epi32(lane & 16 ? 4 : 0))};
}

__attribute__((target("avx2"))) static inline __m256i reorder_avx2(__m256i block, const struct lane_order *order)
{
    return _mm256_permutevar8x32_epi32(_mm256_shuffle_epi8(block, order->bytes), order->words);
}

__attribute__((target("avx2"))) static inline __m256i less_avx2(__m256i block, __m256i partner)
{
    return _mm256_min_epu8(block, _mm256_adds_epu8(partner, _mm256_set1_epi8(1)));
}

/* Blocks that meet themselves. */
__attribute__((target("avx2"))) static void meet_within(__m256i *block, size_t blocks, unsigned lane)
{
    const struct lane_order order = order_of(lane);
    for (size_t i = 0; i < blocks; i++)
        block[i] = less_avx2(block[i], reorder_avx2(block[i], &order));
}

/* Blocks i and i ^ apart, byte by byte in order. */
__attribute__((target("avx2"))) static inline void meet_straight(__m256i *block, size_t i, size_t apart)
{
    const __m256i a = block[i], b = block[i ^ apart];
    block[i] = less_avx2(a, b);
    block[i ^ apart] = less_avx2(b, a);
}

__attribute__((target("avx2"))) static inline void meet_crossed(__m256i *block, size_t i, size_t apart,
                                                                const struct lane_order *order)
{
    const __m256i a = block[i], b = block[i ^ apart];
    block[i] = less_avx2(a, reorder_avx2(b, order));
    block[i ^ apart] = less_avx2(b, reorder_avx2(a, order));
}

__attribute__((target("avx2"))) static void meet_avx2(uint8_t *tile, size_t size, size_t mask)
{
    __m256i *block = (__m256i *)(void *)tile;
    const size_t blocks = size / sizeof *block, apart = mask / sizeof *block;
    const unsigned lane = mask % sizeof *block;
    if (apart == 0) {
        meet_within(block, blocks, lane);
        return;
    }
    /* Blocks i and i ^ apart are a pair. It is met from the one without the highest bit of `apart`: so from the first
     * half of every run that is twice as long as this bit. */
    const size_t half = (size_t)1 << (63 - __builtin_clzll(apart));
    const struct lane_order order = order_of(lane);
    for (size_t first = 0; first < blocks; first += 2 * half)
        if (lane == 0)
            for (size_t i = first; i < first + half; i++)
                meet_straight(block, i, apart);
        else
            for (size_t i = first; i < first + half; i++)
                meet_crossed(block, i, apart, &order);
}

masks_meet *masks_meet_best(void)
{
    return __builtin_cpu_supports("avx2") ? meet_avx2 : masks_meet_portable;
}
#else
masks_meet *masks_meet_best(void)
{
    return masks_meet_portable;
}
#endif
