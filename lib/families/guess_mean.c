/* guess_mean.c -- the search for the tree with the least mean (guess_mean.h) */
#include "guess_mean.h"

#include "../pages.h"
#include "../random.h"

#include <stdlib.h>
#include <string.h>

enum {
    NO_LIMIT = UINT32_MAX / 2,
    SYMMETRY_FROM = 40, /* for smaller sets, looking for symmetries takes longer than it spares */
    SAMPLE = 64,        /* questions that are tried to see how many answers occur */
    TURNS = 1,
    MOST_BRANCHES = 15 /* with more, a search as wide as that takes too long */
};

struct guess_mean {
    const struct guess_weigher *weigher;
    unsigned width;
    unsigned branches; /* answers that occur: the most that were seen with one question */
    uint32_t *least;   /* of n codes */
    uint64_t *likely;  /* in units of 2^-GUESS_LOG_BITS */
    uint64_t *scatter; /* of each code: a random number, for the hashes of sets */
    uint64_t (*memo)[2];
    unsigned memo_bits;
};

struct candidate {
    uint64_t likely;
    uint32_t least, question;
};

/* What is known of a set. */
struct finding {
    uint32_t cost; /* the cost, or that it is not below this */
    uint32_t question;
    bool exact;
};

/* -- the table of sets -- */

static uint64_t hash_of(const struct guess_mean *mean, const uint32_t *set, size_t count)
{
    uint64_t hash = count;
    for (size_t i = 0; i < count; i++)
        hash += mean->scatter[set[i]];
    return hash;
}

/* An entry is the finding, and the hash XORed with it: one torn by two threads fits no hash. */
static bool recall(const struct guess_mean *mean, uint64_t hash, struct finding *finding)
{
    const uint64_t *entry = mean->memo[hash >> (64 - mean->memo_bits)];
    const uint64_t key = __atomic_load_n(&entry[0], __ATOMIC_RELAXED),
                   data = __atomic_load_n(&entry[1], __ATOMIC_RELAXED);
    if ((key ^ data) != hash || data == 0)
        return false;
    *finding = (struct finding){(uint32_t)(data >> 32), (uint32_t)data >> 1, data & 1};
    return true;
}

static void remember(struct guess_mean *mean, uint64_t hash, const struct finding *finding)
{
    uint64_t *entry = mean->memo[hash >> (64 - mean->memo_bits)];
    const uint64_t data = (uint64_t)finding->cost << 32 | (uint64_t)finding->question << 1 | finding->exact;
    __atomic_store_n(&entry[0], hash ^ data, __ATOMIC_RELAXED);
    __atomic_store_n(&entry[1], data, __ATOMIC_RELAXED);
}

/* -- questions for a set -- */

struct search {
    struct guess_mean *mean;
    const uint32_t *set;
    size_t count;
    uint32_t limit; /* a cost below this is looked for */
    struct candidate *candidate;
    size_t width, candidates; /* the best ones, ascending */
    struct candidate perfect; /* a question whose least cost is attained; least NO_LIMIT: none yet */
};

static bool is_better(const struct candidate *a, const struct candidate *b)
{
    return a->likely < b->likely;
}

/* Weighs a question; it becomes a candidate where it is good enough. */
static void weigh(struct search *search, uint32_t question, bool member)
{
    const struct guess_mean *mean = search->mean;
    const unsigned others = mean->weigher->guess->answers - 1;
    uint32_t size[GUESS_MAX_ANSWERS], largest = 0, least = (uint32_t)search->count;
    struct candidate candidate = {.question = question};
    guess_sizes(mean->weigher, question, search->set, search->count, size);
    for (unsigned a = 0; a < others; a++) {
        largest = size[a] > largest ? size[a] : largest;
        least += mean->least[size[a]];
        candidate.likely += mean->likely[size[a]];
    }
    candidate.least = least;
    if (largest <= 2 && least < search->perfect.least)
        search->perfect = candidate;
    if (largest <= 2 || (!member && largest == search->count))
        return;
    size_t i = search->candidates;
    if (i == search->width && !is_better(&candidate, &search->candidate[i - 1]))
        return;
    if (i < search->width)
        search->candidates++;
    else
        i--;
    for (; i > 0 && is_better(&candidate, &search->candidate[i - 1]); i--)
        search->candidate[i] = search->candidate[i - 1];
    search->candidate[i] = candidate;
}

/* Counts a question; false, now and then, where the watch stops the work. */
static bool go_on(const struct search *search, size_t *work)
{
    *work += search->count;
    return *work <= 1 << 16 || (*work = 0, guess_watch_look(search->mean->weigher->watch));
}

/* Weighs the codes of the set, and all others unless they cannot be better. */
static void weigh_all(struct search *search, uint32_t asked)
{
    const struct guess_weigher *weigher = search->mean->weigher;
    const uint32_t count = (uint32_t)search->count;
    struct guess_symmetry symmetry = {.map = NULL};
    const bool symmetric = count >= SYMMETRY_FROM;
    size_t next = 0, work = 0;
    if (symmetric && !guess_symmetry_make(weigher, search->set, count, asked, &symmetry)) {
        guess_watch_fail(weigher->watch);
        return;
    }
    for (uint32_t i = 0; i < count && search->perfect.least > 2 * count - 1 && go_on(search, &work); i++)
        if (!symmetric || !guess_symmetry_leaves_out(weigher, &symmetry, search->set[i]))
            weigh(search, search->set[i], true);
    /* one that is not in the set costs 2 n at least */
    for (uint32_t question = 0; question < weigher->guess->codes && search->perfect.least > 2 * count &&
                                search->limit > 2 * count && go_on(search, &work);
         question++) {
        while (next < count && search->set[next] < question)
            next++;
        if ((next < count && search->set[next] == question) ||
            (symmetric && guess_symmetry_leaves_out(weigher, &symmetry, question)))
            continue;
        weigh(search, question, false);
    }
    free(symmetry.map);
}

/* -- the search -- */

static struct finding solve(struct guess_mean *mean, const uint32_t *set, size_t count, uint32_t limit, uint32_t asked,
                            unsigned turns);

/* How many questions are tried for a set: more for smaller sets, where a trial is cheap and sizes alone say little; and
 * no more than the likely best where no turn is left. */
static size_t width_for(const struct guess_mean *mean, size_t count, unsigned turns)
{
    const size_t branches = mean->branches;
    const size_t width = count <= branches / 2    ? SIZE_MAX
                         : turns == 0             ? 1
                         : count <= 4 * branches  ? 8 * (size_t)mean->width
                         : count <= 16 * branches ? 2 * (size_t)mean->width
                                                  : mean->width;
    return width < mean->weigher->guess->codes ? width : mean->weigher->guess->codes;
}

/* The cost with a question, if it is below the limit; something not below it else. */
static uint32_t cost_with(struct guess_mean *mean, const struct candidate *candidate, uint32_t *codes, uint32_t *spare,
                          size_t count, uint32_t limit, unsigned turns)
{
    const struct guess *guess = mean->weigher->guess;
    uint32_t begin[GUESS_MAX_ANSWERS + 1], cost = candidate->least;
    uint8_t order[GUESS_MAX_ANSWERS];
    unsigned classes = 0;
    guess_divide(guess, candidate->question, codes, count, spare, begin);
    for (unsigned a = 0; a + 1 < guess->answers; a++) {
        const uint32_t size = begin[a + 1] - begin[a];
        if (size <= 2)
            continue;
        unsigned i = classes++;
        for (; i > 0 && begin[order[i - 1] + 1] - begin[order[i - 1]] > size; i--)
            order[i] = order[i - 1];
        order[i] = (uint8_t)a;
    }
    for (unsigned i = 0; i < classes && cost < limit; i++) {
        const uint32_t size = begin[order[i] + 1] - begin[order[i]], rest = cost - mean->least[size];
        cost = rest + solve(mean, codes + begin[order[i]], size, limit - rest, GUESS_ANY_HISTORY, turns).cost;
    }
    return cost;
}

static struct finding try_candidates(struct search *search, uint32_t *codes, unsigned turns)
{
    struct finding best = {search->limit, 0, false};
    if (search->perfect.least < best.cost)
        best = (struct finding){search->perfect.least, search->perfect.question, true};
    for (size_t c = 0; c < search->candidates; c++) {
        const struct candidate *candidate = &search->candidate[c];
        if (candidate->least >= best.cost || !guess_watch_look(search->mean->weigher->watch))
            continue;
        memcpy(codes, search->set, search->count * sizeof *codes);
        const uint32_t cost = cost_with(search->mean, candidate, codes, codes + search->count, search->count, best.cost,
                                        c > 0 && turns > 0 ? turns - 1 : turns);
        if (cost < best.cost)
            best = (struct finding){cost, candidate->question, true};
    }
    return best;
}

static struct finding solve(struct guess_mean *mean, const uint32_t *set, size_t count, uint32_t limit, uint32_t asked,
                            unsigned turns)
{
    const uint32_t least = mean->least[count];
    const uint64_t hash = hash_of(mean, set, count) + (asked == GUESS_ANY_HISTORY ? 0 : 1) + 2 * turns;
    struct finding finding;
    if (count <= 2)
        return (struct finding){least, set[0], true};
    if (least >= limit)
        return (struct finding){least, 0, false};
    if (recall(mean, hash, &finding) && (finding.exact || finding.cost >= limit))
        return finding;
    struct search search = {mean, set, count, limit, .width = width_for(mean, count, turns), .perfect.least = NO_LIMIT};
    search.candidate = malloc(search.width * sizeof *search.candidate);
    uint32_t *codes = malloc(2 * count * sizeof *codes);
    if (search.candidate == NULL || codes == NULL) {
        guess_watch_fail(mean->weigher->watch);
        finding = (struct finding){limit, set[0], false};
    } else {
        weigh_all(&search, asked);
        finding = try_candidates(&search, codes, turns);
        if (guess_watch_look(mean->weigher->watch))
            remember(mean, hash, &finding);
    }
    free(search.candidate);
    free(codes);
    return finding;
}

/* -- making one -- */

/* How many answers a question has, as some questions show; false where memory is short. */
static bool count_branches(struct guess_mean *mean)
{
    const struct guess *guess = mean->weigher->guess;
    uint32_t size[GUESS_MAX_ANSWERS], *all = malloc(guess->codes * sizeof *all);
    for (uint32_t code = 0; all != NULL && code < guess->codes; code++)
        all[code] = code;
    mean->branches = 2;
    for (uint32_t i = 0; all != NULL && i < SAMPLE; i++) {
        unsigned branches = 0;
        guess_sizes(mean->weigher, (uint32_t)((uint64_t)i * guess->codes / SAMPLE), all, guess->codes, size);
        for (unsigned a = 0; a < guess->answers; a++)
            branches += size[a] > 0;
        mean->branches = branches > mean->branches ? branches : mean->branches;
    }
    const bool done = all != NULL;
    free(all);
    return done;
}

/* least(n): a guessed code, and the others spread evenly. */
static void take_least(struct guess_mean *mean)
{
    const struct guess *guess = mean->weigher->guess;
    const uint32_t others = guess->answers > 3 ? guess->answers - 2 : 1; /* one wrong place alone cannot be */
    mean->least[0] = 0;
    for (uint32_t n = 1; n <= guess->codes; n++) {
        const uint32_t each = (n - 1) / others, more = (n - 1) % others;
        mean->least[n] = n + (others - more) * mean->least[each] + (more > 0 ? more * mean->least[each + 1] : 0);
    }
}

static void take_likely(struct guess_mean *mean)
{
    const uint64_t *log = mean->weigher->logarithm, one = (uint64_t)1 << GUESS_LOG_BITS;
    const uint64_t half = guess_logarithm(mean->branches) - one, base = half < one ? one : half;
    mean->likely[0] = 0;
    for (uint32_t n = 1; n <= mean->weigher->guess->codes; n++) {
        const uint64_t steps = one + (log[n] << 16) / (base >> (GUESS_LOG_BITS - 16)), fewest = 2 * one - one / n;
        mean->likely[n] = n * (steps > fewest ? steps : fewest);
    }
}

pdb_status guess_mean_make(const struct guess_weigher *weigher, unsigned width, unsigned memo_bits,
                           struct guess_mean **out, pdb_error *error)
{
    const size_t entries = (size_t)weigher->guess->codes + 1, memo = (sizeof *(*out)->memo) << memo_bits;
    uint64_t seed = 1;
    struct guess_mean *mean = *out = calloc(1, sizeof *mean);
    if (mean == NULL)
        return error_no_memory(error, "the search", sizeof *mean);
    *mean = (struct guess_mean){.weigher = weigher, .width = width, .memo_bits = memo_bits};
    mean->least = malloc(entries * sizeof *mean->least);
    mean->likely = malloc(entries * sizeof *mean->likely);
    mean->scatter = malloc(entries * sizeof *mean->scatter);
    mean->memo = pages_take(memo);
    if (mean->least == NULL || mean->likely == NULL || mean->scatter == NULL || mean->memo == NULL)
        return error_no_memory(error, "the search", memo + 20 * entries);
    memset(mean->memo, 0, memo);
    for (size_t i = 0; i < entries; i++)
        mean->scatter[i] = random_next(&seed);
    if (!count_branches(mean))
        return error_no_memory(error, "the search", weigher->guess->codes * sizeof(uint32_t));
    if (mean->branches > MOST_BRANCHES)
        mean->branches = MOST_BRANCHES;
    if (width == 0)
        mean->width = mean->branches / 2 + 1;
    take_least(mean);
    take_likely(mean);
    return PDB_OK;
}

void guess_mean_free(struct guess_mean *mean)
{
    if (mean == NULL)
        return;
    free(mean->least);
    free(mean->likely);
    free(mean->scatter);
    free(mean->memo);
    free(mean);
}

/* -- the whole -- */

/* As cost_with, for the first question of all: its classes are searched side by side. `share` of all the work. */
static uint32_t first_cost(struct guess_mean *mean, const struct candidate *candidate, uint32_t *codes, size_t count,
                           uint32_t limit, unsigned threads, double share)
{
    const struct guess *guess = mean->weigher->guess;
    const unsigned others = guess->answers - 1;
    uint32_t begin[GUESS_MAX_ANSWERS + 1], cost = candidate->least;
    guess_divide(guess, candidate->question, codes, count, codes + count, begin);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1) reduction(+ : cost)
    for (unsigned i = 0; i < others; i++) {
        const unsigned a = others - 1 - i;
        const uint32_t size = begin[a + 1] - begin[a], least = mean->least[size];
        if (size <= 2)
            continue;
        const uint32_t most = limit - (candidate->least - least);
        cost += solve(mean, codes + begin[a], size, most, candidate->question, TURNS).cost - least;
        guess_watch_add(mean->weigher->watch, share * size / (double)count);
    }
    return cost;
}

static struct finding solve_all(struct guess_mean *mean, struct search *search, uint32_t *codes, unsigned threads)
{
    struct finding best = {search->perfect.least, search->perfect.question, true};
    weigh_all(search, GUESS_NOTHING_ASKED);
    if (search->perfect.least < best.cost)
        best = (struct finding){search->perfect.least, search->perfect.question, true};
    for (size_t c = 0; c < search->candidates; c++) {
        const struct candidate *candidate = &search->candidate[c];
        if (candidate->least >= best.cost)
            continue;
        memcpy(codes, search->set, search->count * sizeof *codes);
        const uint32_t cost = first_cost(mean, candidate, codes, search->count, best.cost, threads,
                                         GUESS_MEAN_SHARE / (double)search->candidates);
        if (cost < best.cost)
            best = (struct finding){cost, candidate->question, true};
    }
    return best;
}

uint32_t guess_mean_choose(struct guess_mean *mean, const uint32_t *set, size_t count, uint32_t asked, unsigned threads)
{
    if (asked != GUESS_NOTHING_ASKED)
        return solve(mean, set, count, NO_LIMIT, asked, TURNS).question;
    struct search search = {
        mean, set, count, NO_LIMIT, .width = width_for(mean, count, TURNS), .perfect.least = NO_LIMIT};
    search.candidate = malloc(search.width * sizeof *search.candidate);
    uint32_t *codes = malloc(2 * count * sizeof *codes);
    struct finding best = {0};
    if (search.candidate == NULL || codes == NULL)
        guess_watch_fail(mean->weigher->watch);
    else
        best = solve_all(mean, &search, codes, threads);
    free(codes);
    free(search.candidate);
    return best.question;
}
