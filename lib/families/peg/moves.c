/* moves.c -- jumps and sweeps on bit masks
 *
 * Sweeps are followed breadth first, all chains of one peg by the number of their jumps. Every jump takes one peg off,
 * so chains that reach the same stop do so on the same level, and a level needs to be compared with itself only. The
 * stops found are the output and the queue at once.
 */
#include "chunks.h"
#include "wide.h"
#include "lib/numbers.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif
#include <stdlib.h>
#include <string.h>

/* -- stops: a state, and the hole of the moving peg in the top six bits -- */

static const unsigned hole_shift = PEG_WORD_HOLES;
static const uint64_t state_mask = ((uint64_t)1 << PEG_WORD_HOLES) - 1;

static uint64_t stop_make(uint64_t state, unsigned hole)
{
    return state | (uint64_t)hole << hole_shift;
}

/* -- the moves of a state -- */

/* Appends a stop to the level that began at next[level] unless it is there already. Levels are short: a few stops on
 * the average board. */
PEG_INLINE size_t add_stop(uint64_t *next, uint64_t *moves, size_t level, size_t count, uint64_t stop, uint64_t chains)
{
    size_t i = level;
    while (i < count && next[i] != stop)
        i++;
    if (i == count) {
        next[count++] = stop;
        if (moves != NULL)
            moves[i] = chains;
    } else if (moves != NULL) {
        moves[i] += chains;
    }
    return count;
}

/* The possible ones of PEG_TOGETHER steps, a bit each. Which are cannot be foretold: all are tried without a branch. */
static unsigned possible_portable(const struct peg_steps *steps, unsigned first, uint64_t state)
{
    unsigned possible = 0;
    for (unsigned i = 0; i < PEG_TOGETHER; i++)
        possible |= (unsigned)((state & steps->all[first + i]) == steps->before[first + i]) << i;
    return possible;
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static unsigned possible_avx2(const struct peg_steps *steps, unsigned first,
                                                              uint64_t state)
{
    const __m256i all = _mm256_loadu_si256((const __m256i *)(const void *)&steps->all[first]),
                  before = _mm256_loadu_si256((const __m256i *)(const void *)&steps->before[first]),
                  now = _mm256_and_si256(_mm256_set1_epi64x((int64_t)state), all);
    return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_cmpeq_epi64(now, before)));
}
#endif

/* The possible ones of the first `count` steps; those behind are tried too. */
PEG_INLINE unsigned possible_among(const struct peg_steps *steps, unsigned first, uint64_t state, unsigned count,
                                   bool portable)
{
    unsigned possible;
#ifdef __x86_64__
    if (!portable)
        possible = possible_avx2(steps, first, state);
    else
#endif
        possible = possible_portable(steps, first, state);
    (void)portable;
    return count < PEG_TOGETHER ? possible & ((1u << count) - 1) : possible;
}

/* The stops one step further than one of them, into a level of one peg's; returns the new count. */
PEG_INLINE size_t go_on(const struct peg_steps *steps, uint64_t *next, uint64_t *moves, size_t from, size_t level,
                        size_t count, bool portable)
{
    const uint64_t reached = next[from] & state_mask;
    const unsigned at = (unsigned)(next[from] >> hole_shift), end = steps->first[at + 1];
    for (unsigned s = steps->first[at]; s < end; s += PEG_TOGETHER)
        for (unsigned left = possible_among(steps, s, reached, end - s, portable); left != 0; left &= left - 1) {
            const unsigned step = s + (unsigned)__builtin_ctz(left);
            count = add_stop(next, moves, level, count, stop_make(reached ^ steps->all[step], steps->hole[step]),
                             moves != NULL ? moves[from] : 1);
        }
    return count;
}

/* All chains that go on from the stops next[first] .. next[count - 1], a level of one peg's. */
PEG_INLINE size_t follow_chains(const struct peg_steps *steps, uint64_t *next, uint64_t *moves, size_t first,
                                size_t count, bool portable)
{
    size_t level = count;
    for (size_t i = first; i < count; i++) {
        if (i == level)
            level = count;
        count = go_on(steps, next, moves, i, level, count, portable);
    }
    return count;
}

PEG_INLINE bool goes_on(const struct peg_steps *steps, uint64_t stop, bool portable)
{
    const unsigned at = (unsigned)(stop >> hole_shift), end = steps->first[at + 1];
    unsigned possible = 0;
    for (unsigned s = steps->first[at]; s < end; s += PEG_TOGETHER)
        possible |= possible_among(steps, s, stop, end - s, portable);
    return possible != 0;
}

/* First the single steps of all pegs; whether a chain goes on cannot be foretold either, and those few that do are
 * listed without a branch. Steps lie by the holes that they begin in: those of one peg come one after another. */
PEG_INLINE size_t expand(const struct peg *peg, const struct peg_steps *steps, uint64_t state, uint64_t *next,
                         uint64_t *moves, bool portable)
{
    uint16_t chain[PEG_MAX_JUMPS];
    uint8_t from[PEG_MAX_JUMPS];
    size_t count = 0, chains = 0;
    for (unsigned word = 0; word < steps->words; word++)
        for (uint64_t left = peg_possible_steps(steps, state, peg->holes, word); left != 0; left &= left - 1) {
            const unsigned step = 64 * word + (unsigned)__builtin_ctzll(left);
            if (moves != NULL)
                moves[count] = 1;
            from[count] = steps->from[step];
            next[count++] = stop_make(state ^ steps->all[step], steps->hole[step]);
        }
    for (size_t i = 0, single = peg->sweeps ? count : 0; i < single; i++) {
        chain[chains] = (uint16_t)i;
        chains += goes_on(steps, next[i], portable);
    }
    for (size_t c = 0; c < chains;) {
        const size_t level = count;
        const unsigned hole = from[chain[c]];
        for (; c < chains && from[chain[c]] == hole; c++)
            count = go_on(steps, next, moves, chain[c], level, count, portable);
        count = follow_chains(steps, next, moves, level, count, portable);
    }
    for (size_t i = 0; i < count; i++)
        next[i] &= state_mask;
    return count;
}

PEG_INLINE size_t expand_all(const struct peg *peg, const struct peg_steps *steps, const uint64_t *state, size_t count,
                             uint64_t *next, uint16_t *next_count, bool portable)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        next_count[i] = (uint16_t)expand(peg, steps, state[i], next + total, NULL, portable);
        total += next_count[i];
    }
    return total;
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static size_t expand_all_avx2(const struct peg *peg, const struct peg_steps *steps,
                                                              const uint64_t *state, size_t count, uint64_t *next,
                                                              uint16_t *next_count)
{
    return expand_all(peg, steps, state, count, next, next_count, false);
}
#endif

size_t peg_expand(const struct peg *peg, const struct peg_steps *steps, const uint64_t *state, size_t count,
                  uint64_t *next, uint16_t *next_count)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx2"))
        return expand_all_avx2(peg, steps, state, count, next, next_count);
#endif
    return expand_all(peg, steps, state, count, next, next_count, true);
}

size_t peg_expand_counted(const struct peg *peg, const struct peg_steps *steps, uint64_t state, uint64_t *next,
                          uint64_t *moves)
{
    return expand(peg, steps, state, next, moves, true);
}

/* -- how many there can be -- */

/* A queue of stops; it never has to hold more than PEG_MAX_MOVES of them, and the stops one level further of the last
 * one. */
struct level {
    size_t count;
    uint64_t stop[PEG_MAX_MOVES + PEG_MAX_JUMPS];
};

/* No board lets the peg in `hole` reach more stops than this. A chain jumps over no hole twice, for nothing puts a
 * second peg there; and that is the only rule kept here: whether there are pegs to jump over, and room to land, is not
 * asked. Here the state of a stop is the set of holes jumped over. Past PEG_MAX_MOVES the count stops. */
static size_t bound_stops(const struct peg_steps *steps, unsigned hole, struct level *level, struct level *next)
{
    size_t total = 0;
    level->count = 1;
    level->stop[0] = stop_make(0, hole);
    while (level->count > 0 && total <= PEG_MAX_MOVES) {
        next->count = 0;
        for (size_t i = 0; i < level->count && next->count <= PEG_MAX_MOVES; i++) {
            const uint64_t used = level->stop[i] & state_mask;
            const unsigned at = (unsigned)(level->stop[i] >> hole_shift);
            for (unsigned s = steps->first[at]; s < steps->first[at + 1]; s++) {
                const uint64_t over = steps->all[s] & ~((uint64_t)1 << at) & ~((uint64_t)1 << steps->hole[s]);
                if ((used & over) == 0)
                    next->stop[next->count++] = stop_make(used | over, steps->hole[s]);
            }
            if (next->count > PEG_MAX_MOVES)
                next->count = sort_unique_numbers(next->stop, next->count);
        }
        next->count = sort_unique_numbers(next->stop, next->count);
        total += next->count;
        struct level *swapped = level;
        level = next;
        next = swapped;
    }
    return total;
}

static pdb_status bound_word_moves(struct peg *peg, pdb_error *error)
{
    if (!peg->sweeps) {
        peg->puzzle.max_moves = peg->jumps;
        return PDB_OK;
    }
    struct level *levels = malloc(2 * sizeof *levels);
    if (levels == NULL)
        return error_no_memory(error, "counting the moves", 2 * sizeof *levels);
    size_t out = 0, into = 0;
    for (unsigned hole = 0; hole < peg->holes && out <= PEG_MAX_MOVES && into <= PEG_MAX_MOVES; hole++) {
        out += bound_stops(&peg->forward, hole, &levels[0], &levels[1]);
        into += bound_stops(&peg->backward, hole, &levels[0], &levels[1]);
    }
    free(levels);
    peg->puzzle.max_moves = (unsigned)(out > into ? out : into);
    return PDB_OK;
}

static pdb_status bound_moves(struct peg *peg, pdb_error *error)
{
    pdb_status status = (peg->puzzle.wide ? peg_bound_wide_moves : bound_word_moves)(peg, error);
    if (status == PDB_OK && peg->puzzle.max_moves > PEG_MAX_MOVES)
        return error_set(error, PDB_TOO_LARGE,
                         "a board of this puzzle may have more than %d different sweeps: choose 'metric: jump'",
                         PEG_MAX_MOVES);
    return status;
}

/* -- making the steps -- */

static int compare_jumps(const void *a, const void *b)
{
    return memcmp(a, b, sizeof(struct peg_jump));
}

static void make_steps(const struct peg *peg, bool backward, struct peg_steps *steps)
{
    unsigned count = 0;
    for (unsigned hole = 0; hole < peg->holes; hole++) {
        steps->first[hole] = count;
        for (unsigned j = 0; j < peg->jumps; j++) {
            const struct peg_jump *jump = &peg->jump[j];
            if ((backward ? jump->to : jump->from) != hole)
                continue;
            const uint64_t taken = (uint64_t)1 << jump->from | (uint64_t)1 << jump->over,
                           landed = (uint64_t)1 << jump->to;
            steps->all[count] = taken | landed;
            steps->before[count] = backward ? landed : taken;
            steps->from[count] = (uint8_t)hole;
            steps->hole[count++] = backward ? jump->from : jump->to;
        }
    }
    steps->first[peg->holes] = count;
}

/* Which steps the holes of a chunk allow: those that find there what they need. */
static pdb_status make_allowed(const struct peg *peg, struct peg_steps *steps, pdb_error *error)
{
    const unsigned chunks = (peg->holes + PEG_CHUNK_BITS - 1) / PEG_CHUNK_BITS;
    const size_t values = (size_t)1 << PEG_CHUNK_BITS;
    steps->words = (peg->jumps + 63) / 64;
    steps->allowed = calloc(chunks * values * steps->words + 1, sizeof *steps->allowed);
    if (steps->allowed == NULL)
        return error_no_memory(error, "the table of jumps", chunks * values * steps->words * sizeof *steps->allowed);
    for (unsigned chunk = 0; chunk < chunks; chunk++)
        for (unsigned s = 0; s < peg->jumps; s++) {
            const unsigned shift = chunk * PEG_CHUNK_BITS;
            const uint64_t all = steps->all[s] >> shift & (values - 1);
            const uint64_t before = steps->before[s] >> shift & (values - 1);
            uint64_t *allowed = steps->allowed + chunk * values * steps->words + s / 64;
            for (size_t value = 0; value < values; value++, allowed += steps->words)
                *allowed |= (uint64_t)((value & all) == before) << s % 64;
        }
    return PDB_OK;
}

pdb_status peg_make_steps(struct peg *peg, pdb_error *error)
{
    qsort(peg->jump, peg->jumps, sizeof *peg->jump, compare_jumps);
    if (peg->puzzle.wide)
        return bound_moves(peg, error);
    make_steps(peg, false, &peg->forward);
    make_steps(peg, true, &peg->backward);
    pdb_status status = make_allowed(peg, &peg->forward, error);
    if (status == PDB_OK)
        status = make_allowed(peg, &peg->backward, error);
    return status == PDB_OK ? bound_moves(peg, error) : status;
}
