/* grades.c -- boards peg by peg, for the search grade by grade (lib/search/space/grades/grades.h)
 *
 * A board's grade is the number of its pegs, and a step is a jump. Where moves are sweeps there is a way for each hole:
 * a sweep that is best begins with the peg there. For let d be the distance of a board, and e(h) what is left to be
 * done from it while a sweep of the peg in h is under way: 1 less if some best sweep begins with that peg, for then the
 * one under way does it; else d. A jump that leads from board b to b', from hole h to t, begins a sweep, so
 *
 *     d(b)  =  least over all jumps of  1 + e'(t)  =  d(b') + 1 - (hole t is a way of b')
 *
 * and the jumps that have the least say which holes are ways of b. With single jumps as moves none is.
 *
 * Boards stand for all their images under the symmetries. The images of b are those of b' but for the three holes of
 * the jump, so they are made by one exclusive or each, of a table with the images of every jump's holes:
 *
 *     images[jump * symmetries + s]     shifted left; below stand the images of b', each with its number s
 *
 * and the smallest comes out with the number of the symmetry that leads to it, which tells the hole's image. Where
 * a symmetry leaves a board as it is, jumps come from one only of the holes that it takes to one another: the others
 * are ways as well.
 */
#include "chunks.h"
#include "lib/search/space/grades/grades.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif
#include <stdlib.h>

struct peg_grades {
    struct grade_kernel kernel;
    const struct peg *peg;
    unsigned shift; /* of images, to make room for numbers of symmetries */
    int64_t *images;
    uint64_t *ways; /* of the same form: the way that the jump's hole becomes, none with single jumps */
};

static unsigned count_pegs(const struct grade_kernel *kernel, uint64_t key)
{
    (void)kernel;
    return count_bits(key);
}

/* The ways of a board that some symmetries leave as it is: all that these make of them. */
static uint64_t close_ways(const struct peg *peg, uint64_t key, const int64_t *image, uint64_t ways)
{
    const uint64_t holes = ((uint64_t)1 << GRADE_WAYS) - 1;
    int64_t moved[PEG_MAX_SYMMETRIES];
    peg_find_images(peg, ways & holes, peg->symmetries, moved);
    for (unsigned s = 0; s < peg->symmetries; s++)
        ways |= (uint64_t)image[s] == key ? (uint64_t)moved[s] : 0;
    return ways;
}

static uint64_t least_portable(const int64_t *image, const int64_t *jump, unsigned symmetries)
{
    int64_t after[PEG_MAX_SYMMETRIES];
    for (unsigned s = 0; s < symmetries; s++)
        after[s] = image[s] ^ jump[s];
    return (uint64_t)peg_least(after, symmetries);
}

#ifdef __x86_64__
/* The same of eight. */
__attribute__((target("avx2"))) static uint64_t least_avx2(const int64_t *image, const int64_t *jump)
{
    const __m256i *images = (const __m256i *)(const void *)image, *jumps = (const __m256i *)(const void *)jump;
    const __m256i first = _mm256_xor_si256(_mm256_loadu_si256(images), _mm256_loadu_si256(jumps)),
                  second = _mm256_xor_si256(_mm256_loadu_si256(images + 1), _mm256_loadu_si256(jumps + 1)),
                  four = _mm256_blendv_epi8(first, second, _mm256_cmpgt_epi64(first, second));
    const __m128i third = _mm256_castsi256_si128(four), fourth = _mm256_extracti128_si256(four, 1),
                  two = _mm_blendv_epi8(third, fourth, _mm_cmpgt_epi64(third, fourth)),
                  swapped = _mm_unpackhi_epi64(two, two);
    return (uint64_t)_mm_cvtsi128_si64(_mm_blendv_epi8(two, swapped, _mm_cmpgt_epi64(two, swapped)));
}
#endif

/* The smallest of a board's images, with its number, those before a jump being given and the jump's. */
PEG_INLINE uint64_t least(const int64_t *image, const int64_t *jump, unsigned symmetries, bool portable)
{
    (void)portable;
#ifdef __x86_64__
    if (!portable)
        return least_avx2(image, jump);
#endif
    return least_portable(image, jump, symmetries);
}

/* The boards one jump before one. `symmetries` is a constant where vectors take eight. */
PEG_INLINE struct grade_state *before_one(const struct peg_grades *grades, unsigned symmetries, bool portable,
                                          uint64_t key, uint64_t ways, struct grade_state *out, uint16_t *weight)
{
    const struct peg *peg = grades->peg;
    const struct peg_steps *steps = &peg->backward;
    const unsigned shift = grades->shift;
    int64_t image[PEG_MAX_SYMMETRIES] = {(int64_t)key};
    unsigned same = 1; /* the first symmetry leaves all as it is */
    if (symmetries > 1)
        peg_find_images(peg, key, symmetries, image);
    for (unsigned s = 1; s < symmetries; s++)
        same += (uint64_t)image[s] == key;
    *weight = (uint16_t)(symmetries / same);
    ways = same > 1 ? close_ways(peg, key, image, ways) : ways;
    const uint64_t above = (ways >> GRADE_WAYS) - 1; /* one move farther */
    for (unsigned s = 0; s < symmetries; s++)
        image[s] = image[s] << shift | s;
    for (unsigned word = 0; word < steps->words; word++)
        for (uint64_t left = peg_possible_steps(steps, key, peg->holes, word); left != 0; left &= left - 1, out++) {
            const unsigned step = 64 * word + (unsigned)__builtin_ctzll(left);
            const size_t at = (size_t)step * symmetries;
            const uint64_t found = least(image, grades->images + at, symmetries, portable);
            out->key = found >> shift;
            out->ways = (above + (ways >> steps->from[step] & 1)) << GRADE_WAYS |
                        grades->ways[at + (found & (((uint64_t)1 << shift) - 1))];
        }
    return out;
}

PEG_INLINE size_t before(const struct grade_kernel *kernel, unsigned symmetries, bool portable,
                         const struct grade_batch *batch, struct grade_state *out)
{
    const struct peg_grades *grades = (const struct peg_grades *)(const void *)kernel;
    struct grade_state *end = out;
    for (size_t i = 0; i < batch->count; i++)
        end = before_one(grades, symmetries, portable, batch->key[i], batch->ways[i], end, &batch->weight[i]);
    return (size_t)(end - out);
}

static size_t before_any(const struct grade_kernel *kernel, const struct grade_batch *batch, struct grade_state *out)
{
    return before(kernel, ((const struct peg_grades *)(const void *)kernel)->peg->symmetries, true, batch, out);
}

/* Where nothing but the board itself is its image. */
static size_t before_alone(const struct grade_kernel *kernel, const struct grade_batch *batch, struct grade_state *out)
{
    return before(kernel, 1, true, batch, out);
}

#ifdef __x86_64__
/* Of the square's symmetries. */
__attribute__((target("avx2,bmi"))) static size_t before_eight(const struct grade_kernel *kernel,
                                                               const struct grade_batch *batch, struct grade_state *out)
{
    return before(kernel, 8, false, batch, out);
}
#endif

static void free_kernel(struct grade_kernel *kernel)
{
    struct peg_grades *grades = (struct peg_grades *)kernel;
    free(grades->images);
    free(grades->ways);
    free(grades);
}

static void make_tables(const struct peg *peg, struct peg_grades *grades)
{
    const struct peg_steps *steps = &peg->backward;
    int64_t *image = grades->images;
    uint64_t *ways = grades->ways;
    for (unsigned step = 0; step < peg->jumps; step++)
        for (unsigned s = 0; s < peg->symmetries; s++, image++, ways++) {
            *image = 0;
            for (uint64_t holes = steps->all[step]; holes != 0; holes &= holes - 1)
                *image |= (int64_t)1 << (peg->symmetry[s][__builtin_ctzll(holes)] + grades->shift);
            *ways = (uint64_t)peg->sweeps << peg->symmetry[s][steps->hole[step]];
        }
}

pdb_status peg_grades(const struct puzzle *puzzle, bool portable, struct grade_kernel **out, pdb_error *error)
{
    const struct peg *peg = (const struct peg *)puzzle;
    const uint64_t entries = (uint64_t)peg->jumps * peg->symmetries, bytes = entries * sizeof(uint64_t);
    unsigned shift = 0;
    *out = NULL;
    while (1u << shift < peg->symmetries)
        shift++;
    if (peg->holes + shift > 63) /* images with their numbers are positive */
        return PDB_OK;
    struct peg_grades *grades = calloc(1, sizeof *grades);
    if (grades == NULL)
        return error_no_memory(error, "the grades", sizeof *grades);
    *grades = (struct peg_grades){.kernel = {.grades = peg->holes + 1,
                                             .steps_max = peg->jumps,
                                             .bytes = sizeof *grades + 2 * bytes,
                                             .free = free_kernel,
                                             .grade = count_pegs,
                                             .before = peg->symmetries == 1 ? before_alone : before_any},
                                  .peg = peg,
                                  .shift = shift,
                                  .images = malloc(bytes),
                                  .ways = malloc(bytes)};
    if (grades->images == NULL || grades->ways == NULL) {
        free_kernel(&grades->kernel);
        return error_no_memory(error, "the images of jumps", 2 * bytes);
    }
    make_tables(peg, grades);
#ifdef __x86_64__
    if (!portable && peg->symmetries == 8 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi"))
        grades->kernel.before = before_eight;
#endif
    (void)portable;
    *out = &grades->kernel;
    return PDB_OK;
}
