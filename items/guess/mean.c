/* mean.c -- the search for the tree with the fewest questions in all (strategy.h) */
#include "strategy.h"
#include "lib/memory/pages.h"
#include "lib/random.h"

#include <stdlib.h>
#include <string.h>

enum {
    NO_LIMIT = UINT32_MAX / 2,
    SYMMETRY_FROM = 40, /* for smaller sets, looking for symmetries takes longer than it spares */
    FEWEST = 8,         /* codes at most, and half of the answers: every question is tried that may be the best */
    FEW = 24,           /* codes at most, and 3 / 2 of the answers: TRIED times the width of all questions are tried */
    TRIED = 16,
    MANY = 100,     /* codes at least: questions are tried by a narrower search first */
    WIDER = 8,      /* times as many questions are tried first, or where the search is not a narrower one first */
    NARROWER = 4,   /* times narrower is the first search */
    WIDE_DEPTH = 3, /* questions asked: from here on, the search is WIDER times narrower with each */
    AT_A_TIME = 16, /* questions, side by side */
    DEFAULT_WIDTH = 4
};

struct guess_mean {
    const struct guess_weigher *weigher;
    unsigned width;
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

/* -- the search -- */

/* How a set is searched. */
struct effort {
    uint32_t asked; /* as for guess_symmetry_make */
    unsigned depth; /* questions asked, or 2 where they are not known */
    unsigned width;
    struct team *team; /* NULL: none */
    double share;      /* of the whole work; 0: not worth telling */
};

static struct finding solve(struct guess_mean *mean, const uint32_t *set, size_t count, uint32_t limit,
                            const struct effort *effort);

/* What classes are searched with. */
static struct effort go_on(const struct effort *effort, uint32_t question, unsigned width, double share)
{
    const bool first = effort->asked == GUESS_NOTHING_ASKED;
    return (struct effort){.asked = first ? question : GUESS_ANY_HISTORY,
                           .depth = effort->depth + 1,
                           .width = effort->depth + 1 < WIDE_DEPTH ? width : (width + WIDER - 1) / WIDER,
                           .team = first ? effort->team : NULL,
                           .share = first ? share : 0};
}

/* The cost of a set with a question, if it is below the limit; something not below it else. `sorted` is the set, and
 * has room for as many codes again. */
static uint32_t cost_with(struct guess_mean *mean, uint32_t question, uint32_t *sorted, size_t count, uint32_t limit,
                          const struct effort *effort)
{
    const struct guess *guess = mean->weigher->guess;
    uint32_t begin[GUESS_MAX_ANSWERS + 1], cost = (uint32_t)count;
    uint8_t order[GUESS_MAX_ANSWERS]; /* of the classes that are not clear, the smallest first */
    unsigned classes = 0;
    guess_divide(guess, question, sorted, count, sorted + count, begin);
    /* To begin with, every class has its lower bound; for one or two codes that is the cost. */
    for (unsigned a = 0; a + 1 < guess->answers; a++) {
        const uint32_t size = begin[a + 1] - begin[a];
        unsigned i = classes;
        cost += mean->least[size];
        if (size <= 2)
            continue;
        for (classes++; i > 0 && begin[order[i - 1] + 1] - begin[order[i - 1]] > size; i--)
            order[i] = order[i - 1];
        order[i] = (uint8_t)a;
    }
    /* Class after class the bound gives way to the cost, the smallest first, until it is too much. */
    for (unsigned i = 0; i < classes && cost < limit; i++) {
        const uint32_t size = begin[order[i] + 1] - begin[order[i]], rest = cost - mean->least[size];
        struct effort part = *effort;
        part.share *= size / (double)count;
        cost = rest + solve(mean, sorted + begin[order[i]], size, limit - rest, &part).cost;
    }
    return cost;
}

/* -- few codes -- */

/* Is there a code of the set that tells all of them apart? Then the cost is 2 n - 1. */
static bool find_telling(const struct guess_mean *mean, const uint32_t *set, size_t count, uint32_t *question)
{
    const struct guess_weigher *weigher = mean->weigher;
    uint32_t size[GUESS_MAX_ANSWERS];
    for (size_t i = 0; i < count && count < weigher->guess->answers; i++) {
        unsigned a = 0;
        guess_sizes(weigher, set[i], set, count, size);
        while (a < weigher->guess->answers && size[a] <= 1)
            a++;
        if (a == weigher->guess->answers) {
            *question = set[i];
            return true;
        }
    }
    return false;
}

/* Counts the classes that every question makes, a code of the set for one more; `clear`: none is larger than 2. Returns
 * the most. */
static unsigned count_classes(const struct guess_mean *mean, const uint32_t *set, size_t count, uint8_t *classes,
                              bool *clear)
{
    const uint32_t codes = mean->weigher->guess->codes;
    unsigned most = 0;
    for (uint32_t first = 0; first < codes; first += GUESS_BLOCK) {
        struct guess_block block;
        guess_block_count(mean->weigher, set, count, first, &block);
        for (uint32_t i = 0; i < GUESS_BLOCK && first + i < codes; i++) {
            classes[first + i] = block.classes[i];
            clear[first + i] = block.largest[i] <= 2;
        }
    }
    for (size_t i = 0; i < count; i++)
        classes[set[i]]++;
    for (uint32_t question = 0; question < codes; question++)
        most = classes[question] > most ? classes[question] : most;
    return most;
}

/* The best of all questions. One that makes k classes of n codes costs 3 n - k at least, or 1 less if it may be the
 * code; and just that if it is clear. So those with the most classes come first. */
static struct finding try_all(struct guess_mean *mean, const uint32_t *set, size_t count, uint32_t limit,
                              uint8_t *classes, bool *clear)
{
    const struct effort effort = {.asked = GUESS_ANY_HISTORY, .depth = WIDE_DEPTH, .width = 1};
    const uint32_t codes = mean->weigher->guess->codes;
    struct finding best = {limit, set[0], false};
    uint32_t sorted[2 * FEW];
    size_t left = count <= FEWEST && count <= mean->weigher->guess->answers / 2
                      ? SIZE_MAX
                      : (size_t)TRIED * mean->width; /* to be tried */
    for (unsigned k = count_classes(mean, set, count, classes, clear); k > 1; k--) {
        const uint32_t least = 3 * (uint32_t)count - k;
        for (uint32_t question = 0; question < codes && least < best.cost; question++)
            if (classes[question] == k && clear[question])
                best = (struct finding){least, question, true};
        for (uint32_t question = 0; question < codes && least < best.cost && left > 0; question++) {
            if (classes[question] != k || left-- == 0 || !guess_watch_look(mean->weigher->watch))
                continue;
            memcpy(sorted, set, count * sizeof *set);
            const uint32_t cost = cost_with(mean, question, sorted, count, best.cost, &effort);
            if (cost < best.cost)
                best = (struct finding){cost, question, true};
        }
    }
    return best;
}

static struct finding solve_few(struct guess_mean *mean, const uint32_t *set, size_t count, uint32_t limit)
{
    const uint32_t codes = mean->weigher->guess->codes;
    struct finding finding = {limit, set[0], false};
    if (find_telling(mean, set, count, &finding.question))
        return (struct finding){2 * (uint32_t)count - 1, finding.question, true};
    if (limit <= 2 * count)
        return finding;
    uint8_t *classes = malloc(codes);
    bool *clear = malloc(codes * sizeof *clear);
    if (classes == NULL || clear == NULL)
        guess_watch_fail(mean->weigher->watch);
    else
        finding = try_all(mean, set, count, limit, classes, clear);
    free(classes);
    free(clear);
    return finding;
}

/* -- questions for many codes -- */

struct search {
    struct guess_mean *mean;
    const uint32_t *set;
    size_t count;
    const struct effort *effort;
    struct candidate *candidate;
    size_t width, candidates; /* the best ones, ascending */
    struct finding best;
};

static bool is_better(const struct candidate *a, const struct candidate *b)
{
    return a->likely != b->likely ? a->likely < b->likely : a->question < b->question;
}

/* Puts a candidate where it belongs, if it is good enough. Of first questions that are likely to cost the same, only
 * one is taken: they are most often the same but for the names of symbols and places. */
static void add_candidate(struct search *search, const struct candidate *candidate)
{
    size_t i = search->candidates;
    for (size_t c = 0; search->effort->depth == 0 && c < i; c++)
        if (search->candidate[c].likely == candidate->likely)
            return;
    if (i == search->width && !is_better(candidate, &search->candidate[i - 1]))
        return;
    if (i < search->width)
        search->candidates++;
    else
        i--;
    for (; i > 0 && is_better(candidate, &search->candidate[i - 1]); i--)
        search->candidate[i] = search->candidate[i - 1];
    search->candidate[i] = *candidate;
}

static void weigh(struct search *search, uint32_t question, const uint32_t *size)
{
    const struct guess_mean *mean = search->mean;
    struct candidate candidate = {.least = (uint32_t)search->count, .question = question};
    uint32_t largest = 0;
    for (unsigned a = 0; a + 1 < mean->weigher->guess->answers; a++) {
        largest = size[a] > largest ? size[a] : largest;
        candidate.least += mean->least[size[a]];
        candidate.likely += mean->likely[size[a]];
    }
    if (largest <= 2 && candidate.least < search->best.cost)
        search->best = (struct finding){candidate.least, question, true};
    if (largest > 2 && largest < search->count)
        add_candidate(search, &candidate);
}

/* Weighs the questions from `first` to before `end`, a block at most. */
static void weigh_block(struct search *search, uint32_t first, uint32_t end, const struct guess_symmetry *symmetry)
{
    const struct guess_weigher *weigher = search->mean->weigher;
    const bool counted = search->count <= GUESS_MAX_COUNTED;
    struct guess_block block;
    if (counted)
        guess_block_count(weigher, search->set, search->count, first, &block);
    for (uint32_t question = first; question < end; question++) {
        uint32_t size[GUESS_MAX_ANSWERS];
        if (symmetry != NULL && guess_symmetry_leaves_out(weigher, symmetry, question))
            continue;
        if (!counted)
            guess_sizes(weigher, question, search->set, search->count, size);
        for (unsigned a = 0; counted && a < weigher->guess->answers; a++)
            size[a] = block.size[a][question - first];
        weigh(search, question, size);
    }
}

static void weigh_all(struct search *search)
{
    const struct guess_weigher *weigher = search->mean->weigher;
    const uint32_t codes = weigher->guess->codes;
    const bool symmetric = search->count >= SYMMETRY_FROM;
    struct guess_symmetry symmetry = {.map = NULL};
    if (symmetric && !guess_symmetry_make(weigher, search->set, search->count, search->effort->asked, &symmetry)) {
        guess_watch_fail(weigher->watch);
        return;
    }
    for (uint32_t first = 0; first < codes && guess_watch_look(weigher->watch); first += GUESS_BLOCK)
        weigh_block(search, first, first + GUESS_BLOCK < codes ? first + GUESS_BLOCK : codes,
                    symmetric ? &symmetry : NULL);
    free(symmetry.map);
}

/* -- many codes -- */

/* Candidates whose costs are looked for together. */
struct trial {
    const struct search *search;
    const struct candidate *candidate;
    uint32_t limit, *cost;
    unsigned width;
    double share; /* of the work, each */
};

/* Is it the first question? The team is for its classes. */
static bool is_first(const struct search *search)
{
    return search->effort->asked == GUESS_NOTHING_ASKED;
}

static void find_cost(void *context, unsigned thread, uint64_t i)
{
    const struct trial *trial = context;
    const struct search *search = trial->search;
    const struct guess_weigher *weigher = search->mean->weigher;
    const struct candidate *candidate = &trial->candidate[i];
    const struct effort effort = go_on(search->effort, candidate->question, trial->width, trial->share);
    uint32_t *sorted = malloc(2 * search->count * sizeof *sorted);
    (void)thread;
    trial->cost[i] = NO_LIMIT;
    if (sorted == NULL) {
        guess_watch_fail(weigher->watch);
    } else if (candidate->least < trial->limit && guess_watch_look(weigher->watch)) {
        memcpy(sorted, search->set, search->count * sizeof *sorted);
        trial->cost[i] = cost_with(search->mean, candidate->question, sorted, search->count, trial->limit, &effort);
    }
    free(sorted);
    if (search->effort->share > 0 && !is_first(search))
        guess_watch_add(weigher->watch, trial->share);
}

/* What a candidate has to be below, to be the best or to stay. */
static uint32_t limit_for(const struct search *search, size_t keep)
{
    if (keep == 1)
        return search->best.cost;
    return search->candidates == keep ? (uint32_t)search->candidate[keep - 1].likely : NO_LIMIT;
}

/* Tries the candidates; the best `keep` of them stay, the best first. What does not come among them is not searched to
 * its end. Costs are taken in the candidates' order, whichever thread is first. */
static void try_candidates(struct search *search, unsigned width, size_t keep, double share)
{
    const size_t at_a_time = search->effort->team != NULL ? AT_A_TIME : 1, all = search->candidates;
    search->width = keep;
    search->candidates = 0;
    for (size_t first = 0; first < all; first += at_a_time) {
        const size_t number = all - first < at_a_time ? all - first : at_a_time;
        uint32_t cost[AT_A_TIME]; /* those not below the limit are not exact */
        struct trial trial = {.search = search,
                              .candidate = search->candidate + first,
                              .limit = limit_for(search, keep),
                              .cost = cost,
                              .width = width,
                              .share = share / (double)all};
        team_run(is_first(search) ? NULL : search->effort->team, number, find_cost, &trial);
        for (size_t i = 0; i < number; i++) {
            struct candidate candidate = search->candidate[first + i];
            const bool stays = cost[i] < limit_for(search, keep);
            candidate.likely = cost[i];
            if (cost[i] < search->best.cost)
                search->best = (struct finding){cost[i], candidate.question, true};
            if (stays)
                add_candidate(search, &candidate);
        }
    }
}

static struct finding solve_many(struct guess_mean *mean, const uint32_t *set, size_t count, uint32_t limit,
                                 const struct effort *effort)
{
    const size_t codes = mean->weigher->guess->codes, wide = (size_t)WIDER * effort->width;
    const bool twice = count >= MANY && effort->width > 1;
    struct search search = {.mean = mean, .set = set, .count = count, .effort = effort, .best = {limit, set[0], false}};
    search.width = effort->depth > WIDE_DEPTH ? 1 : wide < codes ? wide : codes;
    search.candidate = malloc(search.width * sizeof *search.candidate);
    if (search.candidate == NULL) {
        guess_watch_fail(mean->weigher->watch);
        return search.best;
    }
    weigh_all(&search);
    const unsigned narrow = (effort->width + NARROWER - 1) / NARROWER;
    if (twice && search.candidates > 1)
        try_candidates(&search, narrow, effort->depth == 0 ? narrow : effort->width, effort->share / 2);
    try_candidates(&search, effort->width, 1, twice ? effort->share / 2 : effort->share);
    free(search.candidate);
    return search.best;
}

static struct finding solve(struct guess_mean *mean, const uint32_t *set, size_t count, uint32_t limit,
                            const struct effort *effort)
{
    const uint32_t least = mean->least[count];
    const bool few = count <= FEW && count <= mean->weigher->guess->answers * 3 / 2;
    const unsigned depth = effort->depth <= WIDE_DEPTH ? effort->depth : WIDE_DEPTH + 1;
    struct finding finding = {limit, set[0], false};
    if (count <= 2)
        return (struct finding){least, set[0], true};
    if (least >= limit)
        return (struct finding){least, set[0], false};
    uint64_t hash = count + (few ? 0 : (WIDE_DEPTH + 2) * (uint64_t)effort->width + depth);
    for (size_t i = 0; i < count; i++)
        hash += mean->scatter[set[i]];
    if (recall(mean, hash, &finding) && (finding.exact || finding.cost >= limit))
        return finding;
    if (!guess_watch_look(mean->weigher->watch))
        return (struct finding){limit, set[0], false};
    finding = few ? solve_few(mean, set, count, limit) : solve_many(mean, set, count, limit, effort);
    if (guess_watch_look(mean->weigher->watch))
        remember(mean, hash, &finding);
    return finding;
}

/* -- making one -- */

/* Fills least(n), a guessed code and the others spread evenly, and what n codes are likely to cost. */
static void take_costs(struct guess_mean *mean)
{
    const struct guess *guess = mean->weigher->guess;
    const uint32_t others = guess->answers > 3 ? guess->answers - 2 : 1; /* one wrong place alone cannot be */
    const uint64_t *log = mean->weigher->logarithm, one = (uint64_t)1 << GUESS_LOG_BITS;
    const uint64_t half = guess_logarithm(guess->answers) - one, base = half < one ? one : half;
    mean->least[0] = 0;
    mean->likely[0] = 0;
    for (uint32_t n = 1; n <= guess->codes; n++) {
        const uint32_t each = (n - 1) / others, more = (n - 1) % others;
        const uint64_t steps = one + (log[n] << 16) / (base >> (GUESS_LOG_BITS - 16)), fewest = 2 * one - one / n;
        mean->least[n] = n + (others - more) * mean->least[each] + (more > 0 ? more * mean->least[each + 1] : 0);
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
    *mean = (struct guess_mean){
        .weigher = weigher, .width = width != 0 ? width : DEFAULT_WIDTH, .memo_bits = memo_bits};
    mean->least = malloc(entries * sizeof *mean->least);
    mean->likely = malloc(entries * sizeof *mean->likely);
    mean->scatter = malloc(entries * sizeof *mean->scatter);
    mean->memo = pages_take(memo);
    if (mean->least == NULL || mean->likely == NULL || mean->scatter == NULL || mean->memo == NULL)
        return error_no_memory(error, "the search", memo + 20 * entries);
    memset(mean->memo, 0, memo);
    for (size_t i = 0; i < entries; i++)
        mean->scatter[i] = random_next(&seed);
    take_costs(mean);
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

uint32_t guess_mean_choose(struct guess_mean *mean, const uint32_t *set, size_t count, uint32_t asked,
                           struct team *team)
{
    const bool whole = asked == GUESS_NOTHING_ASKED;
    const unsigned depth = whole ? 0 : asked != GUESS_ANY_HISTORY ? 1 : 2;
    const struct effort effort = {asked, depth, mean->width, whole ? team : NULL, whole ? GUESS_MEAN_SHARE : 0};
    return solve(mean, set, count, NO_LIMIT, &effort).question;
}
