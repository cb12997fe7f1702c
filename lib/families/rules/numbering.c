/* numbering.c -- states by numbers that leave out what can never be */
#include "numbering_inner.h"
#include "conserved.h"
#include "lib/rank/multiset.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_ROWS = 1 << 13,
    KEY_BITS = 62,
    RUN = 256,
    WORTH = 8 /* as many keys as indices at least */
};

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

/* -- whether it is worth it -- */

static uint64_t range_of(const struct rules *rules, uint32_t element)
{
    return (uint64_t)((int64_t)rules->element[element].hi - rules->element[element].lo + 1);
}

static unsigned bits_of(uint64_t range)
{
    return range <= 1 ? 0 : 64 - (unsigned)__builtin_clzll(range - 1);
}

/* How often each value stands in the array at the start; false where that is not known, or starts differ. */
static bool count_members(struct numbering *numbering, const struct rules *rules)
{
    const struct rules_variable *array = numbering->array;
    for (uint32_t s = 0; s < rules->starts; s++) {
        uint16_t members[CHUNK] = {0};
        for (uint32_t e = array->first; e < array->first + array->count; e++) {
            const int32_t value = rules->start[(size_t)s * rules->elements + e];
            if (value == RULES_NONE)
                return false;
            members[value - rules->element[e].lo]++;
        }
        if (s > 0 && memcmp(members, numbering->members, sizeof members) != 0)
            return false;
        memcpy(numbering->members, members, sizeof members);
    }
    return rules->starts > 0;
}

/* Do numbers of 31 bits for orders, and of 32 for indices, do; and are there fewer of these than keys? */
static bool is_worth_it(struct numbering *numbering, const struct rules *rules)
{
    unsigned bits = numbering->digits * numbering->digit_bits;
    numbering->rest = 1;
    for (uint32_t e = 0; e < rules->elements && numbering->rest <= UINT32_MAX; e++)
        if (e < numbering->array->first || e >= numbering->array->first + numbering->array->count) {
            numbering->rest *= range_of(rules, e);
            bits += bits_of(range_of(rules, e));
        }
    const long double orders = multiset_count(numbering->classes, numbering->members);
    uint32_t contents = 1;
    for (unsigned c = 0; c < numbering->classes; c++) {
        numbering->stride[c] = (uint16_t)contents;
        contents *= numbering->members[c] + 1u;
        if (contents * numbering->chunks > MOST_ROWS)
            return false;
    }
    numbering->stride[numbering->classes] = (uint16_t)contents;
    if (bits > KEY_BITS || orders > INT32_MAX || orders * (long double)numbering->rest > UINT32_MAX)
        return false;
    numbering->orders = (uint64_t)(orders + 0.5L);
    return numbering->orders * numbering->rest * WORTH <= (uint64_t)1 << bits;
}

static bool take_array(struct numbering *numbering, struct rules *rules, const struct rules_variable *array)
{
    const uint64_t range = range_of(rules, array->first);
    const unsigned bits = bits_of(range);
    if (array->count < 2 || bits == 0 || bits > CHUNK_BITS)
        return false;
    const unsigned each = CHUNK_BITS / bits;
    *numbering = (struct numbering){.array = array,
                                    .classes = (unsigned)range,
                                    .digit_bits = bits,
                                    .digits = array->count,
                                    .chunks = (array->count + each - 1) / each};
    return numbering->chunks <= MOST_CHUNKS && count_members(numbering, rules) && is_worth_it(numbering, rules) &&
           conserved_by_moves(rules, array);
}

/* -- rows -- */

/* What so many digits take of the content; NO_CONTENT where that is more than there is of a value. */
static uint16_t content_of(const struct numbering *numbering, unsigned digits, unsigned value)
{
    uint16_t members[CHUNK] = {0};
    unsigned content = 0;
    for (; digits > 0; digits--, value >>= numbering->digit_bits) {
        const unsigned class = value & ((1u << numbering->digit_bits) - 1);
        if (class >= numbering->classes || members[class]++ == numbering->members[class])
            return NO_CONTENT;
        content += numbering->stride[class];
    }
    return (uint16_t)content;
}

/* Can so much be taken of a content? */
static bool can_take(const struct numbering *numbering, unsigned content, unsigned taken)
{
    for (unsigned c = 0; c < numbering->classes; c++) {
        const unsigned stride = numbering->stride[c], radix = numbering->members[c] + 1u;
        if (taken == NO_CONTENT || taken / stride % radix > content / stride % radix)
            return false;
    }
    return true;
}

/* The rows of a chunk; `after` has the orders of each content behind it, and then of each from it on. */
static void fill_rows(const struct numbering *numbering, unsigned number, int32_t *after)
{
    const struct chunk *chunk = &numbering->chunk[number];
    for (unsigned content = numbering->stride[numbering->classes]; content-- > 0;) { /* taken leaves a lesser one */
        int32_t orders = 0, *row = row_of(numbering, number, content);
        for (unsigned value = 0; value < CHUNK; value++) {
            row[value] = orders;
            if (value <= chunk->mask && can_take(numbering, content, chunk->content[value]))
                orders += after[content - chunk->content[value]];
        }
        after[content] = orders;
    }
}

void numbering_lay_out(struct numbering *numbering, const struct rules *rules)
{
    const struct rules_layout *layout = &rules->layout;
    const unsigned each = CHUNK_BITS / numbering->digit_bits;
    const uint32_t first = numbering->array->first;
    uint64_t weight = numbering->rest;
    numbering->inverse = UINT64_MAX / numbering->rest;
    for (unsigned n = 0; n < numbering->chunks; n++) {
        struct chunk *chunk = &numbering->chunk[n];
        const unsigned left = numbering->digits - n * each, digits = left < each ? left : each;
        chunk->shift = layout->shift[first + n * each + digits - 1];
        chunk->mask = (uint8_t)((1u << digits * numbering->digit_bits) - 1);
        numbering->field |= (uint64_t)chunk->mask << chunk->shift;
        for (unsigned value = 0; value <= chunk->mask; value++)
            chunk->content[value] = content_of(numbering, digits, value);
    }
    for (uint32_t e = 0; e < rules->elements; e++)
        if ((e < first || e >= first + numbering->digits) && range_of(rules, e) > 1) {
            weight /= range_of(rules, e);
            numbering->other[numbering->others++] = (struct other){layout->shift[e], layout->radix[e] - 1,
                                                                   range_of(rules, e) - 1, (uint32_t)weight};
        }
    int32_t *after = numbering->after;
    memset(after, 0, numbering->stride[numbering->classes] * sizeof *after);
    after[0] = 1;
    memcpy(numbering->low_orders, after, numbering->stride[numbering->classes] * sizeof *after);
    pieces_lay_out(numbering);
    for (unsigned n = numbering->chunks; n-- > 0;) {
        fill_rows(numbering, n, after);
        if (n == numbering->low)
            memcpy(numbering->low_orders, after, numbering->stride[numbering->classes] * sizeof *after);
    }
}

/* -- making -- */

static bool take_memory(struct numbering *numbering)
{
    const size_t contents = numbering->stride[numbering->classes];
    numbering->row = malloc(contents * numbering->chunks * CHUNK * sizeof *numbering->row);
    numbering->after = malloc(contents * sizeof *numbering->after);
    numbering->low_orders = malloc(contents * sizeof *numbering->low_orders);
    return numbering->row != NULL && numbering->after != NULL && numbering->low_orders != NULL;
}

pdb_status numbering_make(struct rules *rules, struct numbering **out, pdb_error *error)
{
    struct numbering *numbering = calloc(1, sizeof *numbering), *best = calloc(1, sizeof *best);
    bool there = false;
    *out = NULL;
    for (uint32_t v = 0; numbering != NULL && best != NULL && rules->symmetrics == 0 && v < rules->variables; v++)
        if (take_array(numbering, rules, &rules->variable[v]) &&
            (!there || numbering_indices(numbering) < numbering_indices(best))) {
            *best = *numbering;
            there = true;
        }
    const bool short_of_memory = numbering == NULL || best == NULL || rules->dag.no_memory ||
                                 (there && !take_memory(best));
    free(numbering);
    if (there && !short_of_memory)
        *out = best;
    else
        numbering_free(best);
    return short_of_memory ? error_no_memory(error, "the numbers of states", sizeof *best) : PDB_OK;
}

void numbering_free(struct numbering *numbering)
{
    if (numbering == NULL)
        return;
    free(numbering->row);
    free(numbering->after);
    free(numbering->low_orders);
    pieces_free(numbering->pieces);
    free(numbering);
}

uint64_t numbering_indices(const struct numbering *numbering)
{
    return numbering->orders * numbering->rest;
}

/* -- keys and indices -- */

bool numbering_has(const struct numbering *numbering, uint64_t key)
{
    unsigned content = numbering->stride[numbering->classes] - 1u;
    for (unsigned n = 0; n < numbering->chunks; n++) {
        const struct chunk *chunk = &numbering->chunk[n];
        const unsigned taken = chunk->content[key >> chunk->shift & chunk->mask];
        if (!can_take(numbering, content, taken))
            return false;
        content -= taken;
    }
    return true; /* as many digits as values */
}

/* Ranks on their way to digits: a run of them chunk by chunk, for one alone would wait for every look-up. */
struct unranking {
    int32_t rank[RUN];
    uint16_t content[RUN];
    uint64_t digits[RUN];
};

static void unrank_chunk(const struct numbering *numbering, unsigned number, struct unranking *unranking, size_t count)
{
    const struct chunk *chunk = &numbering->chunk[number];
    for (size_t i = 0; i < count; i++) {
        const int32_t *row = row_of(numbering, number, unranking->content[i]), rank = unranking->rank[i];
        int32_t value = -1;
        for (unsigned v = 0; v < CHUNK; v++)
            value += row[v] <= rank;
        unranking->rank[i] -= row[value];
        unranking->content[i] = (uint16_t)(unranking->content[i] - chunk->content[value]);
        unranking->digits[i] |= (uint64_t)value << chunk->shift;
    }
}

/* The digits of ranks, each of which differs from the one before. */
static void unrank(const struct numbering *numbering, struct unranking *unranking, size_t count)
{
    const uint16_t whole = (uint16_t)(numbering->stride[numbering->classes] - 1);
    for (size_t i = 0; i < count; i++) {
        unranking->content[i] = whole;
        unranking->digits[i] = 0;
    }
    for (unsigned n = 0; n < numbering->chunks; n++)
        unrank_chunk(numbering, n, unranking, count);
}

/* The rank of a key's array; of one whose pieces are known only what lies between them is looked for. */
ALWAYS_INLINE uint64_t rank(const struct numbering *numbering, const struct pieces *pieces, uint64_t key)
{
    unsigned content = numbering->stride[numbering->classes] - 1u, chunk = 0, end = numbering->chunks;
    int32_t before = 0;
    if (pieces != NULL) {
        const uint64_t top = key >> pieces->top.shift & pieces->top.mask,
                       low = key >> pieces->low.shift & pieces->low.mask;
        before = pieces->top.before[top] + pieces->low.before[low];
        if (pieces->content == NULL)
            return (uint64_t)before;
        content = pieces->content[top];
        chunk = numbering->top;
        end = numbering->low;
    }
    for (; chunk < end; chunk++) {
        const struct chunk *of = &numbering->chunk[chunk];
        const uint64_t value = key >> of->shift & of->mask;
        before += row_of(numbering, chunk, content)[value];
        content -= of->content[value];
    }
    return (uint64_t)before;
}

ALWAYS_INLINE uint64_t digit_of(const struct other *other, uint64_t key)
{
    const uint64_t digit = key >> other->shift & other->mask;
    return digit < other->most ? digit : other->most;
}

ALWAYS_INLINE uint64_t rank_of_others(const struct numbering *numbering, uint64_t key)
{
    const struct other *other = numbering->other;
    uint64_t sum = 0;
    for (unsigned o = 1; o < numbering->others; o++, other++)
        sum += digit_of(other, key) * other->weight;
    return sum + digit_of(other, key);
}

/* The last of them counts 1: it has what the others leave, and nothing is divided for it. */
ALWAYS_INLINE uint64_t digits_of_others(const struct numbering *numbering, uint32_t left)
{
    const struct other *other = numbering->other;
    uint64_t digits = 0;
    for (unsigned o = 1; o < numbering->others; o++, other++) {
        const uint32_t digit = left / other->weight;
        left -= digit * other->weight;
        digits |= (uint64_t)digit << other->shift;
    }
    return digits | (uint64_t)left << other->shift;
}

/* The pieces, where whoever asks has many states: a query would wait for them. The thread that has made them first
 * gives them to all. NULL: there are none. */
static const struct pieces *pieces_for(struct numbering *numbering, size_t states)
{
    struct pieces *there = __atomic_load_n(&numbering->pieces, __ATOMIC_ACQUIRE), *made;
    if (there != NULL || states < RUN)
        return there;
    made = pieces_make(numbering);
    if (made == NULL)
        return NULL;
    if (__atomic_compare_exchange_n(&numbering->pieces, &there, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    pieces_free(made);
    return there;
}

/* index / rest. With (index + 1) / rest = q + f, 1 / rest <= f <= 1, and `inverse` being 2^64 / rest less at most 1,
 * the product is q + f but for less than (index + 1) / 2^64, which is less than 1 / rest. */
static uint32_t rank_of_index(const struct numbering *numbering, uint64_t index)
{
    return (uint32_t)((unsigned __int128)numbering->inverse * (index + 1) >> 64);
}

static void run_of_keys(struct numbering *numbering, const uint64_t *index, size_t count, uint64_t *key)
{
    const uint32_t rest = (uint32_t)numbering->rest;
    const struct pieces *pieces = pieces_for(numbering, count);
    const uint64_t *digits_of = pieces != NULL ? pieces->digits : NULL;
    struct unranking unranking;
    uint16_t which[RUN];
    size_t ranks = 0;
    for (size_t i = 0; digits_of != NULL && i < count; i++)
        __builtin_prefetch(&digits_of[rank_of_index(numbering, index[i])]);
    for (size_t i = 0; i < count; i++) {
        const uint32_t rank = rank_of_index(numbering, index[i]);
        key[i] = digits_of_others(numbering, (uint32_t)index[i] - rank * rest);
        if (digits_of != NULL) {
            key[i] |= digits_of[rank];
            continue;
        }
        unranking.rank[ranks] = (int32_t)rank;
        ranks += i == 0 || unranking.rank[ranks] != unranking.rank[ranks - 1];
        which[i] = (uint16_t)(ranks - 1);
    }
    if (digits_of != NULL)
        return;
    unrank(numbering, &unranking, ranks);
    for (size_t i = 0; i < count; i++)
        key[i] |= unranking.digits[which[i]];
}

void numbering_keys(struct numbering *numbering, const uint64_t *index, size_t count, uint64_t *key)
{
    for (size_t done = 0; done < count; done += RUN)
        run_of_keys(numbering, index + done, count - done < RUN ? count - done : RUN, key + done);
}

uint64_t numbering_index(const struct numbering *numbering, uint64_t key)
{
    return rank(numbering, NULL, key) * numbering->rest + rank_of_others(numbering, key);
}

void numbering_of_next(const struct numbering *numbering, const uint64_t *index, const uint64_t *key, size_t count,
                       uint64_t *next, const uint16_t *next_count)
{
    const struct pieces *there = __atomic_load_n(&numbering->pieces, __ATOMIC_ACQUIRE);
    const uint64_t rest = numbering->rest;
    if (there != NULL && there->content == NULL) { /* looking both pieces up costs less than to ask what has moved */
        const struct pieces pieces = *there;
        size_t all = 0;
        for (size_t i = 0; i < count; i++)
            all += next_count[i];
        for (size_t m = 0; m < all; m++)
            next[m] = rank(numbering, &pieces, next[m]) * rest + rank_of_others(numbering, next[m]);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        const uint64_t same = rank_of_index(numbering, index[i]);
        for (size_t m = 0; m < next_count[i]; m++, next++) {
            const bool moved = ((*next ^ key[i]) & numbering->field) != 0;
            *next = (moved ? rank(numbering, there, *next) : same) * rest + rank_of_others(numbering, *next);
        }
    }
}
