/* keep.c -- the search by rows: what is kept of it, how it is taken up again, and what comes of it */
#include "inner.h"
#include "lib/numbers.h"
#include "lib/rank/sort_keys.h"

#include <string.h>

enum { PLACES_SHARE = 1 << 12 /* words */ };

/* -- keeping, going on -- */

size_t rows_parts(struct retrograde *search, struct memory_part part[RETROGRADE_PARTS_MAX])
{
    struct rows *rows = rows_of(search);
    rows->kept.kind = rows->kernel->kind;
    rows->kept.words = rows->words;
    rows->kept.entries = rows->entries;
    rows->kept.frontier = rows->frontier.count;
    rows->kept.next = rows->next.count;
    part[0] = (struct memory_part){&rows->kept, sizeof rows->kept};
    part[1] = (struct memory_part){rows->entry, rows->entries * rows->size * sizeof *rows->entry};
    part[2] = (struct memory_part){rows->frontier.number, rows->frontier.count * sizeof *rows->frontier.number};
    part[3] = (struct memory_part){rows->next.number, rows->next.count * sizeof *rows->next.number};
    return 4;
}

static bool is_listed(const struct rows *rows, const struct rows_list *list)
{
    for (uint64_t i = 0; i < list->count; i++)
        if (list->number[i] >= rows->entries)
            return false;
    return true;
}

static uint64_t count_states(const struct rows *rows, uint64_t first, uint64_t end)
{
    uint64_t states = 0;
    for (uint64_t i = first; i < end; i++)
        for (size_t w = 0; w < rows->words; w++)
            states += (unsigned)__builtin_popcountll(rows_plane(rows, rows_entry(rows, i), ROW_FOUND)[w]);
    return states;
}

bool rows_resume(struct retrograde *search)
{
    struct rows *rows = rows_of(search);
    const struct rows_kept *kept = &rows->kept;
    if (kept->pass > ROWS_MEASURING || kept->kind != rows->kernel->kind || kept->words != rows->words ||
        kept->entries != rows->entries || kept->frontier != rows->frontier.count || kept->next != rows->next.count ||
        kept->expanded > kept->frontier)
        return false;
    const uint64_t states = count_states(rows, 0, rows->entries);
    if (states != kept->states || !is_listed(rows, &rows->frontier) || !is_listed(rows, &rows->next) ||
        rows_reserve(rows, 0, NULL) != PDB_OK)
        return false;
    search->states = states;
    search->finding = kept->pass != ROWS_MEASURING;
    rows_enter_all(rows);
    return true;
}

/* -- the end -- */

struct ranking {
    struct rows *rows;
    uint64_t states; /* that have been listed */
};

/* Of the states in a row: their keys, from a place on, and beside each its distance modulo 3. */
static void list_states(const struct rows *rows, uint64_t at, const uint64_t *key, size_t count, uint64_t *entry)
{
    uint8_t *distance = rows->distance + at;
    memcpy(rows->key + at, key, count * sizeof *key);
    for (size_t w = 0; w < rows->words; w++) {
        const uint64_t low = rows_plane(rows, entry, ROW_LOW)[w], high = rows_plane(rows, entry, ROW_HIGH)[w];
        for (uint64_t states = rows_plane(rows, entry, ROW_FOUND)[w]; states != 0; states &= states - 1) {
            const unsigned bit = (unsigned)__builtin_ctzll(states);
            *distance++ = (uint8_t)((low >> bit & 1) + 2 * (high >> bit & 1) - 1);
        }
    }
}

static inline void set_bits(uint64_t *word, uint64_t bits, bool alone)
{
    if (alone)
        *word |= bits;
    else
        __atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
}

/* The same where there are two bits for each key that there may be. States without a distance are put into the set. */
static void mark_states(const struct rows *rows, const uint64_t *key, size_t count, uint64_t *entry)
{
    const bool alone = rows->search.team.threads == 1;
    for (size_t i = 0; i < count; i++)
        __builtin_prefetch(&rows->residue[key[i] / 32], 1);
    for (size_t w = 0; w < rows->words; w++) {
        const uint64_t low = rows_plane(rows, entry, ROW_LOW)[w], high = rows_plane(rows, entry, ROW_HIGH)[w];
        for (uint64_t states = rows_plane(rows, entry, ROW_FOUND)[w]; states != 0; states &= states - 1, key++) {
            const unsigned bit = (unsigned)__builtin_ctzll(states);
            const uint64_t residue = (low >> bit & 1) + 2 * (high >> bit & 1);
            if (residue != 0)
                set_bits(&rows->residue[*key / 32], residue << *key % 32 * 2, alone);
            else
                set_bits(&rows->bits.word[*key / 64], (uint64_t)1 << *key % 64, alone);
        }
    }
}

/* A share's states lie together, apart from those that another thread writes at the same time. */
static void rank_share(void *context, unsigned thread, uint64_t share)
{
    struct ranking *ranking = context;
    const struct rows *rows = ranking->rows;
    const uint64_t first = share * ROWS_SHARE, left = rows->entries - first,
                   end = first + (left < ROWS_SHARE ? left : ROWS_SHARE);
    const bool listed = rows->residue == NULL;
    uint64_t at = listed ? __atomic_fetch_add(&ranking->states, count_states(rows, first, end), __ATOMIC_RELAXED) : 0;
    (void)thread;
    for (uint64_t i = first; i < end; i++) {
        uint64_t *entry = rows_entry(rows, i), key[ROW_BITS_MAX];
        if (entry[0] == ROW_NONE)
            continue;
        const size_t count = rows->kernel->keys(rows->kernel, entry[0], rows_plane(rows, entry, ROW_FOUND), key);
        if (listed)
            list_states(rows, at, key, count, entry);
        else
            mark_states(rows, key, count, entry);
        at += count;
    }
}

/* A bit for each two of which one is set. */
static uint64_t squeeze(uint64_t pairs)
{
    pairs = (pairs | pairs >> 1) & 0x5555555555555555;
    pairs = (pairs | pairs >> 1) & 0x3333333333333333;
    pairs = (pairs | pairs >> 2) & 0x0F0F0F0F0F0F0F0F;
    pairs = (pairs | pairs >> 4) & 0x00FF00FF00FF00FF;
    pairs = (pairs | pairs >> 8) & 0x0000FFFF0000FFFF;
    return (pairs | pairs >> 16) & UINT32_MAX;
}

static uint64_t words_end(const struct rows *rows, uint64_t first)
{
    const uint64_t words = key_bits_words(rows->bits.range);
    return words - first < PLACES_SHARE ? words : first + PLACES_SHARE;
}

/* The keys that have a distance are in the set, too. */
static void set_share(void *context, unsigned thread, uint64_t share)
{
    const struct rows *rows = context;
    const uint64_t first = share * PLACES_SHARE, end = words_end(rows, first);
    (void)thread;
    for (uint64_t w = first; w < end; w++)
        rows->bits.word[w] |= squeeze(rows->residue[2 * w]) | squeeze(rows->residue[2 * w + 1]) << 32;
}

/* The distances of the keys in some words of the set go to their places. */
static void place_share(void *context, unsigned thread, uint64_t share)
{
    const struct rows *rows = context;
    const uint64_t first = share * PLACES_SHARE, end = words_end(rows, first);
    uint8_t *distance = rows->distance + key_bits_place(&rows->bits, 64 * first);
    (void)thread;
    for (uint64_t w = first; w < end; w++)
        for (uint64_t left = rows->bits.word[w]; left != 0; left &= left - 1) {
            const uint64_t key = 64 * w + (unsigned)__builtin_ctzll(left);
            *distance++ = (uint8_t)((rows->residue[key / 32] >> key % 32 * 2 & 3) - 1);
        }
}

/* The deepest layer is still the frontier: its first keys, as places among all. */
static size_t list_hardest(struct rows *rows)
{
    const struct rows_list *layer = &rows->frontier;
    uint64_t states = 0;
    for (uint64_t i = 0; i < layer->count; i++) {
        uint64_t *entry = rows_entry(rows, layer->number[i]);
        states += rows->kernel->keys(rows->kernel, entry[0], rows_plane(rows, entry, ROW_NOW), rows->deepest + states);
    }
    sort_keys(rows->deepest, NULL, 0, states, &rows->search.team);
    const size_t count = states < RETROGRADE_HARDEST_MAX ? (size_t)states : RETROGRADE_HARDEST_MAX;
    for (size_t i = 0; i < count; i++)
        rows->hardest[i] = rows->residue != NULL ? key_bits_place(&rows->bits, rows->deepest[i])
                                                 : place_among_sorted(rows->key, rows->kept.states, rows->deepest[i]);
    return count;
}

void rows_finish(struct retrograde *search, struct retrograde_result *result)
{
    struct rows *rows = rows_of(search);
    struct ranking ranking = {rows, 0};
    const uint64_t count = rows->kept.states;
    team_run(&search->team, team_shares(rows->entries, ROWS_SHARE), rank_share, &ranking);
    if (rows->residue != NULL) {
        const uint64_t shares = team_shares(key_bits_words(rows->bits.range), PLACES_SHARE);
        team_run(&search->team, shares, set_share, rows);
        key_bits_number(&rows->bits, &search->team);
        team_run(&search->team, shares, place_share, rows);
    } else
        sort_keys(rows->key, rows->distance, 1, count, &search->team);
    result->hardest_kept = list_hardest(rows);
    result->hardest = rows->hardest;
    rows_release_buffers(rows);
    values_pack_distances(result->encoding, count, rows->distance, &search->team);
    result->bytes = rows->distance;
    search->keys = rows->key;
    search->key_bits = rows->bits;
    rows->key = NULL;
    rows->bits = (struct key_bits){0};
}
