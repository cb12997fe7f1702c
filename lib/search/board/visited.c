/* visited.c -- a table from states to small numbers */
#include "visited.h"

#include <stdlib.h>
#include <string.h>

enum {
    NUMBER_BITS = 16,
    TAG_SHIFT = NUMBER_BITS + 1,
    TAG_BITS = 64 - TAG_SHIFT,
    FIRST_BITS = 5, /* a new table: 2 KiB */
    GROWTH_BITS = 2
};

static const uint64_t number_mask = ((uint64_t)1 << NUMBER_BITS) - 1, second_bit = (uint64_t)1 << NUMBER_BITS;

static uint64_t words(unsigned bucket_bits)
{
    return (uint64_t)VISITED_WAYS << bucket_bits;
}

/* -- states to words -- */

/* A bijection of the numbers of `width` bits: odd factors and shifts to the right can both be undone. */
static uint64_t spread(const struct visited *visited, uint64_t state)
{
    const uint64_t mask = UINT64_MAX >> (64 - visited->width);
    const unsigned half = (visited->width + 1) / 2;
    state = state * 0x9E3779B97F4A7C15 & mask;
    state ^= state >> half;
    state = state * 0xD6E8FEB86659FD93 & mask;
    return state ^ state >> half;
}

/* Where a state belongs: its two buckets, and its word in the first without the number. */
struct place {
    uint64_t *first, *second;
    uint64_t tag;
};

/* The other bucket of a tag: for each of the two it gives the other. */
static uint64_t other_bucket(const struct visited *visited, uint64_t bucket, uint64_t tag)
{
    return bucket ^ ((tag + 1) * 0x9E3779B97F4A7C15 >> 32 & (((uint64_t)1 << visited->bucket_bits) - 1));
}

static struct place place_of(const struct visited *visited, uint64_t spread_state)
{
    const uint64_t bucket = spread_state & (((uint64_t)1 << visited->bucket_bits) - 1),
                   tag = spread_state >> visited->bucket_bits;
    return (struct place){visited->word + bucket * VISITED_WAYS,
                          visited->word + other_bucket(visited, bucket, tag) * VISITED_WAYS, tag << TAG_SHIFT};
}

/* The word of a bucket that has this tag, or the first free one; NULL where there is neither. Words fill a bucket from
 * its beginning. */
static uint64_t *find_in_bucket(uint64_t *bucket, uint64_t tag)
{
    for (unsigned i = 0; i < VISITED_WAYS; i++)
        if (bucket[i] == 0 || (bucket[i] & ~number_mask) == tag)
            return &bucket[i];
    return NULL;
}

/* The word of a place, or a free one for it (then *tag is what it must have); NULL where there is neither. Only a full
 * first bucket sends states to the second, and none is ever freed. */
static uint64_t *find_word(struct place place, uint64_t *tag)
{
    *tag = place.tag;
    uint64_t *word = find_in_bucket(place.first, place.tag);
    if (word != NULL)
        return word;
    *tag = place.tag | second_bit;
    return find_in_bucket(place.second, *tag);
}

static uint32_t number_of(uint64_t word)
{
    return (uint32_t)(word & number_mask) - 1;
}

/* -- a table's life -- */

static bool allocate(struct visited *visited, unsigned bucket_bits)
{
    const size_t bytes = words(bucket_bits) * sizeof *visited->word;
    uint64_t *word = aligned_alloc(VISITED_WAYS * sizeof *word, bytes);
    if (word == NULL)
        return false;
    memset(word, 0, bytes);
    visited->word = word;
    visited->bucket_bits = bucket_bits;
    visited->used = 0;
    return true;
}

static unsigned width_of(uint64_t states)
{
    return states == 0 ? 64 : states < 2 ? 1 : 64 - (unsigned)__builtin_clzll(states - 1);
}

/* A tag must hold what the bucket leaves of a state; and there are no more buckets than states. */
static unsigned least_bucket_bits(unsigned width)
{
    const unsigned needed = width > TAG_BITS ? width - TAG_BITS : 0, first = width < FIRST_BITS ? width : FIRST_BITS;
    return needed > first ? needed : first;
}

uint64_t visited_least(uint64_t states)
{
    return words(least_bucket_bits(width_of(states))) * sizeof(uint64_t);
}

pdb_status visited_create(struct visited *visited, uint64_t states, uint64_t memory, pdb_error *error)
{
    const uint64_t least = visited_least(states);
    *visited = (struct visited){.width = width_of(states)};
    if (least > memory)
        return error_set(error, PDB_TOO_LARGE, "a table of visited states takes %llu bytes at least",
                         (unsigned long long)least);
    visited->least_bits = visited->most_bits = least_bucket_bits(visited->width);
    while (visited->most_bits < visited->width && words(visited->most_bits + 1) * sizeof *visited->word <= memory)
        visited->most_bits++;
    return allocate(visited, visited->least_bits) ? PDB_OK
                                                  : error_no_memory(error, "the table of visited states", least);
}

void visited_free(struct visited *visited)
{
    free(visited->word);
    visited->word = NULL;
}

void visited_clear(struct visited *visited)
{
    uint64_t *old = visited->word;
    if (visited->bucket_bits > visited->least_bits && allocate(visited, visited->least_bits))
        free(old);
    else
        memset(visited->word, 0, words(visited->bucket_bits) * sizeof *visited->word);
    visited->used = 0;
}

/* Puts all words of an old table into this one; false where there is no room for one. */
static bool refill(struct visited *visited, const struct visited *old)
{
    for (uint64_t i = 0; i < words(old->bucket_bits); i++) {
        const uint64_t there = old->word[i], tag = there >> TAG_SHIFT;
        if (there == 0)
            continue;
        const uint64_t bucket = i / VISITED_WAYS,
                       home = (there & second_bit) != 0 ? other_bucket(old, bucket, tag) : bucket;
        uint64_t new_tag, *word = find_word(place_of(visited, tag << old->bucket_bits | home), &new_tag);
        if (word == NULL)
            return false;
        *word = new_tag | (there & number_mask);
        visited->used++;
    }
    return true;
}

/* Makes the table larger; false where it may not be or memory is short: then it is as before. */
static bool grow(struct visited *visited)
{
    struct visited old = *visited;
    if (old.bucket_bits == old.most_bits)
        return false;
    unsigned bits = old.bucket_bits + GROWTH_BITS;
    bits = bits < old.most_bits ? bits : old.most_bits;
    bool grown = allocate(visited, bits);
    if (grown && !refill(visited, &old)) {
        free(visited->word);
        grown = false;
    }
    if (grown) {
        free(old.word);
    } else {
        *visited = old;
        visited->most_bits = old.bucket_bits;
    }
    return grown;
}

/* -- states -- */

void visited_prefetch(const struct visited *visited, uint64_t state)
{
    __builtin_prefetch(place_of(visited, spread(visited, state)).first);
}

bool visited_find(const struct visited *visited, uint64_t state, uint32_t *number)
{
    uint64_t tag;
    const uint64_t *word = find_word(place_of(visited, spread(visited, state)), &tag);
    if (word == NULL || *word == 0)
        return false;
    *number = number_of(*word);
    return true;
}

/* The word for a state in a table that has grown if it was half full, NULL where its buckets are full; and its tag. */
static uint64_t *word_for(struct visited *visited, uint64_t state, uint64_t *tag)
{
    const uint64_t spread_state = spread(visited, state);
    if (visited->used > words(visited->bucket_bits) / 2)
        grow(visited);
    return find_word(place_of(visited, spread_state), tag);
}

/* Frees a word of a full bucket: one whose first bucket it is goes to its second. NULL where that is full for all. The
 * bucket stays full, for the caller fills the word. */
static uint64_t *make_way(struct visited *visited, uint64_t *bucket)
{
    for (unsigned i = 0; i < VISITED_WAYS; i++) {
        if ((bucket[i] & second_bit) != 0)
            continue;
        const uint64_t number = (uint64_t)(bucket - visited->word) / VISITED_WAYS;
        uint64_t *second = visited->word + other_bucket(visited, number, bucket[i] >> TAG_SHIFT) * VISITED_WAYS;
        for (unsigned k = 0; k < VISITED_WAYS; k++)
            if (second[k] == 0) {
                second[k] = bucket[i] | second_bit;
                return &bucket[i];
            }
    }
    return NULL;
}

/* A word for a state whose buckets are both full, by making way in one of them; NULL where that cannot be. */
static uint64_t *free_word(struct visited *visited, uint64_t state, uint64_t *tag)
{
    const struct place place = place_of(visited, spread(visited, state));
    uint64_t *word = make_way(visited, place.first);
    *tag = place.tag;
    if (word == NULL) {
        word = make_way(visited, place.second);
        *tag |= second_bit;
    }
    if (word != NULL)
        *word = 0;
    return word;
}

/* The word with the smallest number of a state's first bucket. */
static uint64_t *least_word(const struct visited *visited, uint64_t state, uint64_t *tag)
{
    const struct place place = place_of(visited, spread(visited, state));
    uint64_t *word = place.first;
    for (unsigned i = 1; i < VISITED_WAYS; i++)
        word = number_of(place.first[i]) < number_of(*word) ? &place.first[i] : word;
    *tag = place.tag;
    return word;
}

bool visited_raise(struct visited *visited, uint64_t state, uint32_t number)
{
    uint64_t tag;
    if (number > VISITED_MAX)
        return true;
    uint64_t *word = word_for(visited, state, &tag);
    if (word != NULL && *word != 0 && number_of(*word) >= number)
        return false;
    if (word == NULL)
        word = least_word(visited, state, &tag);
    else
        visited->used += *word == 0;
    *word = tag | (number + 1);
    return true;
}

enum visited_added visited_add(struct visited *visited, uint64_t state, uint32_t number)
{
    uint64_t tag, *word = word_for(visited, state, &tag);
    if (number > VISITED_MAX) /* no word is moved out of the way for what cannot be kept */
        return word != NULL && *word != 0 ? VISITED_THERE : VISITED_FULL;
    if (word == NULL)
        word = free_word(visited, state, &tag);
    while (word == NULL && grow(visited))
        word = word_for(visited, state, &tag);
    if (word == NULL)
        return VISITED_FULL;
    if (*word != 0)
        return VISITED_THERE;
    *word = tag | (number + 1);
    visited->used++;
    return VISITED_ADDED;
}
