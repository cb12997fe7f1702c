/* keep.c -- the search by keys: what is kept of it, how it is taken up again, and what comes of it */
#include "inner.h"
#include "lib/numbers.h"
#include "lib/rank/sort_keys.h"

#include <stdlib.h>
#include <string.h>

/* -- keeping, going on -- */

size_t sparse_parts(struct retrograde *search, struct memory_part part[RETROGRADE_PARTS_MAX])
{
    struct sparse *sparse = sparse_of(search);
    const struct key_table *table = &sparse->table;
    sparse->kept.frontier = sparse->frontier.count;
    sparse->kept.next = sparse->next.count;
    part[0] = (struct memory_part){&sparse->kept, sizeof sparse->kept};
    part[1] = (struct memory_part){table->slot, table->slot == NULL ? 0 : table->slots * sizeof *table->slot};
    part[2] = (struct memory_part){table->depth, sparse->moves.bin != NULL ? 0 : table->slots * table->width};
    part[3] = (struct memory_part){sparse->frontier.key, sparse->frontier.count * sizeof(uint64_t)};
    part[4] = (struct memory_part){sparse->next.key, sparse->next.count * sizeof(uint64_t)};
    part[5] = (struct memory_part){sparse->bits.word,
                                   sparse->bits.word == NULL ? 0 : key_bits_bytes(sparse->bits.range)};
    part[6] = (struct memory_part){sparse->reached.word, sparse->reached.word == NULL ? 0 : part[5].size};
    part[7] = (struct memory_part){sparse->distance.narrow, sparse->distance.narrow == NULL
                                                                ? 0
                                                                : sparse->distance.width * sparse->distance.states};
    struct parts *parts = search->puzzle->parts;
    part[8] = (struct memory_part){parts == NULL ? NULL : parts_all(parts),
                                   parts == NULL ? 0 : parts_count(parts) * sizeof(struct part)};
    return SPARSE_PARTS;
}

static bool is_found(const struct sparse *sparse, uint64_t key)
{
    if (sparse->bits.word != NULL)
        return key < sparse->bits.range && key_bits_has(&sparse->bits, key);
    return key < KEY_LIMIT && key_is_there(&sparse->table, key);
}

/* Every key of the table has a high part, where keys are folded; and no two of these are the same. */
static bool has_parts(const struct sparse *sparse)
{
    const struct key_table *table = &sparse->table;
    struct parts *parts = sparse->search.puzzle->parts;
    const uint64_t range = parts == NULL ? 0 : parts_count(parts) << PARTS_LOW_BITS;
    for (uint64_t i = 0; parts != NULL && i < table->slots; i++)
        if ((table->slot[i] & ~KEY_REACHED) > range)
            return false;
    return parts == NULL || parts_resume(parts);
}

/* Every key of a list was found. */
static bool is_listed(const struct sparse *sparse, const struct list *list)
{
    for (uint64_t i = 0; i < list->count; i++)
        if (!is_found(sparse, list->key[i]))
            return false;
    return true;
}

/* The keys that a table or a set of bits has, none of them past the range. What there are of depths are those of the
 * places. */
static uint64_t count_keys(struct sparse *sparse)
{
    struct key_table *table = &sparse->table;
    struct key_bits *bits = &sparse->bits;
    uint64_t keys = 0;
    if (bits->word == NULL) {
        for (uint64_t i = 0; i < table->slots; i++)
            keys += table->slot[i] != 0;
        return keys <= key_table_room(table->slots) ? keys : UINT64_MAX;
    }
    const uint64_t depths = table->slots;
    if (sparse->kept.pass >= MEASURING && sparse_number(sparse, false, NULL) != PDB_OK)
        return UINT64_MAX;
    const bool by_keys = sparse->kept.pass == AT_ONCE || sparse->kept.pass == MEASURED;
    if ((sparse->kept.pass == MEASURING && depths != bits->count) || (by_keys && depths != bits->range))
        return UINT64_MAX;
    if (by_keys)
        table->slots = depths;
    for (uint64_t w = 0; w < key_bits_words(bits->range); w++)
        keys += (unsigned)__builtin_popcountll(bits->word[w]);
    return key_bits_next(bits, bits->range) == bits->range ? keys : UINT64_MAX;
}

/* Of a search over moves: distances for all places, and every key of a table has one. */
static bool has_places(struct sparse *sparse)
{
    const struct key_table *table = &sparse->table;
    struct exact *distance = &sparse->distance;
    const uint64_t bytes = distance->states, keys = sparse_places(sparse);
    distance->states = keys;
    distance->width = keys == 0 ? 0 : (unsigned)(bytes / keys);
    if ((distance->width != 1 && distance->width != 2 && distance->width != 4) || distance->width * keys != bytes ||
        (sparse->bits.word == NULL && table->width != 4))
        return false;
    for (uint64_t i = 0; sparse->bits.word == NULL && i < table->slots; i++)
        if (table->slot[i] != 0 && ((const uint32_t *)(const void *)table->depth)[i] - (uint64_t)1 >= keys)
            return false;
    return true;
}

bool sparse_resume(struct retrograde *search)
{
    struct sparse *sparse = sparse_of(search);
    const struct kept *kept = &sparse->kept;
    if (kept->pass > MEASURED || kept->begun > FORWARD_IN_SWEEPS)
        return false;
    const uint64_t keys = count_keys(sparse);
    if (keys != kept->keys || !has_parts(sparse) ||
        ((kept->pass == AT_ONCE || kept->pass == MEASURED) && sparse->bits.word == NULL) ||
        (kept->pass == MEASURING && (sparse->bits.word != NULL) != (sparse->reached.word != NULL)) ||
        kept->frontier != sparse->frontier.count || kept->next != sparse->next.count || kept->expanded > kept->frontier)
        return false;
    if (kept->pass == MEASURING_OVER_MOVES && !has_places(sparse))
        return false;
    search->states = keys;
    search->finding = kept->pass != MEASURING && kept->begun == 0;
    search->undoable = search->undoable ||
                       (search->puzzle->forward && (kept->pass == MEASURING || kept->pass == MEASURED));
    return is_listed(sparse, &sparse->frontier) && is_listed(sparse, &sparse->next);
}

/* -- the end -- */

struct unpacking {
    const struct puzzle *puzzle;
    uint64_t *key, count;
};

static void unpack_batch(void *context, unsigned thread, uint64_t share)
{
    const struct unpacking *unpacking = context;
    const uint64_t first = share * BATCH_MAX, left = unpacking->count - first;
    const size_t count = left < BATCH_MAX ? left : BATCH_MAX;
    const struct puzzle *puzzle = unpacking->puzzle;
    (void)thread;
    if (puzzle->parts != NULL)
        parts_renumber(puzzle->parts, unpacking->key + first, count);
    else
        puzzle->family->packed.unpack(puzzle, unpacking->key + first, count);
}

/* Packed keys become keys; folded ones, those of sorted high parts. */
static void unpack(struct sparse *sparse, uint64_t *key, uint64_t count)
{
    struct unpacking unpacking = {sparse->search.puzzle, key, count};
    team_run(count > TOGETHER ? &sparse->search.team : NULL, team_shares(count, BATCH_MAX), unpack_batch, &unpacking);
}

/* What lies by keys, of which there are bits, comes to lie by their places: at the beginning of each run of keys first,
 * then one behind another. */
struct gaps {
    const struct key_bits *bits;
    uint8_t *bytes;
    size_t width;
};

enum { GAPS_WORDS = 1 << 9 }; /* of bits in a run */

static inline void close_gaps_of(const struct key_bits *bits, uint64_t first, uint64_t end, uint8_t *bytes,
                                 size_t width)
{
    uint8_t *from = bytes + 64 * first * width, *to = from;
    for (uint64_t w = first; w < end; w++, from += 64 * width)
        if (bits->word[w] == UINT64_MAX) {
            memmove(to, from, 64 * width);
            to += 64 * width;
        } else
            for (uint64_t word = bits->word[w]; word != 0; word &= word - 1, to += width)
                memmove(to, from + width * (unsigned)__builtin_ctzll(word), width);
}

static uint64_t run_end(const struct key_bits *bits, uint64_t first)
{
    const uint64_t words = key_bits_words(bits->range);
    return words - first < GAPS_WORDS ? words : first + GAPS_WORDS;
}

/* With a width that the compiler knows no function is called for each of them. */
static void close_gaps_of_run(void *context, unsigned thread, uint64_t run)
{
    const struct gaps *gaps = context;
    const uint64_t first = run * GAPS_WORDS, end = run_end(gaps->bits, first);
    (void)thread;
    if (gaps->width == 1)
        close_gaps_of(gaps->bits, first, end, gaps->bytes, 1);
    else
        close_gaps_of(gaps->bits, first, end, gaps->bytes, gaps->width);
}

static void close_gaps(struct sparse *sparse)
{
    const struct key_bits *bits = &sparse->bits;
    struct gaps gaps = {.bits = bits, .bytes = sparse->table.depth, .width = sparse->table.width};
    const uint64_t words = key_bits_words(bits->range);
    team_run(&sparse->search.team, team_shares(words, GAPS_WORDS), close_gaps_of_run, &gaps);
    for (uint64_t first = 0; first < words; first += GAPS_WORDS) {
        const uint64_t end = run_end(bits, first), place = key_bits_place(bits, 64 * first),
                       past = end < words ? key_bits_place(bits, 64 * end) : bits->count;
        memmove(gaps.bytes + place * gaps.width, gaps.bytes + 64 * first * gaps.width, (past - place) * gaps.width);
    }
}

/* Bits are sorted as they are, and so are what lies by their places. */
static void sort_bits(struct sparse *sparse)
{
    const struct key_bits *bits = &sparse->bits;
    uint64_t key = key_bits_next(bits, 0);
    if (sparse->kept.pass == MEASURED) {
        close_gaps(sparse);
        return;
    }
    if (sparse->kept.pass == MEASURING_OVER_MOVES) {
        sparse->table.depth = sparse->distance.narrow;
        sparse->table.width = sparse->distance.width;
        sparse->distance.narrow = NULL;
        if (sparse_is_dense(sparse))
            close_gaps(sparse);
    }
    for (uint64_t i = 0; sparse->search.undoable && i < bits->count; i++, key = key_bits_next(bits, key + 1))
        if (!key_bits_has(&sparse->reached, key))
            sparse->table.depth[i] = UINT8_MAX;
}

/* The distances take the room of the numbers of their places. */
static void put_distances(void *context, unsigned thread, uint64_t share)
{
    struct sparse *sparse = context;
    const struct exact *distance = &sparse->distance;
    uint32_t *at = (uint32_t *)(void *)sparse->table.depth;
    const uint64_t first = share * TOGETHER, left = sparse->kept.keys - first;
    (void)thread;
    for (uint64_t i = first; i < first + (left < TOGETHER ? left : TOGETHER); i++) {
        const uint32_t found = exact_get(distance, at[i] - 1);
        at[i] = found == exact_none(distance->width) ? UINT32_MAX : found;
    }
}

/* The table becomes two arrays, of keys and of depths, sorted by the keys. */
static void sort_table(struct sparse *sparse)
{
    struct key_table *table = &sparse->table;
    const uint64_t count = key_table_gather(table);
    for (uint64_t i = 0; i < count; i++) {
        if (sparse->search.undoable && (table->slot[i] & KEY_REACHED) == 0)
            table->depth[i] = UINT8_MAX; /* in one byte */
        table->slot[i] = (table->slot[i] & ~KEY_REACHED) - 1;
    }
    unpack(sparse, table->slot, count);
    sort_keys(table->slot, table->depth, table->width, count, &sparse->search.team);
    if (sparse->kept.pass == MEASURING_OVER_MOVES)
        team_run(&sparse->search.team, team_shares(count, TOGETHER), put_distances, sparse);
}

/* The deepest layer is still the frontier: its first keys, as places among all. */
static size_t list_hardest(struct sparse *sparse)
{
    const struct list *layer = &sparse->frontier;
    const size_t count = layer->count < RETROGRADE_HARDEST_MAX ? layer->count : RETROGRADE_HARDEST_MAX;
    unpack(sparse, layer->key, layer->count);
    sort_keys(layer->key, NULL, 0, layer->count, &sparse->search.team);
    for (size_t i = 0; i < count; i++)
        sparse->hardest[i] = sparse->bits.word != NULL
                                 ? key_bits_place(&sparse->bits, layer->key[i])
                                 : place_among_sorted(sparse->table.slot, sparse->kept.keys, layer->key[i]);
    return count;
}

/* Where it was measured over moves there is no list: the first that have the greatest distance. */
static size_t find_hardest(struct sparse *sparse)
{
    const struct exact distance = {
        .states = sparse->kept.keys, .width = sparse->table.width, .narrow = sparse->table.depth};
    return exact_list(&distance, sparse->search.state->depth, sparse->hardest, RETROGRADE_HARDEST_MAX);
}

void sparse_finish(struct retrograde *search, struct retrograde_result *result)
{
    struct sparse *sparse = sparse_of(search);
    struct key_table *table = &sparse->table;
    const uint64_t count = sparse->kept.keys;
    struct parts *parts = search->puzzle->parts;
    forward_free(&sparse->forward);
    if (parts != NULL)
        parts_sort(parts);
    (sparse->bits.word != NULL ? sort_bits : sort_table)(sparse);
    result->hardest_kept = sparse->kept.pass == MEASURING_OVER_MOVES ? find_hardest(sparse) : list_hardest(sparse);
    result->hardest = sparse->hardest;
    if (parts != NULL)
        parts_close(parts);
    sparse_release_buffers(sparse);
    /* A layer that turned out empty may have asked for more room. */
    const size_t width = encoding_bytes(result->encoding, 1);
    for (uint64_t i = 0; table->width > width && i < count; i++)
        memmove(table->depth + width * i, table->depth + table->width * i, width);
    if (width == 1)
        values_pack_distances(result->encoding, count, table->depth, &search->team);
    result->bytes = table->depth;
    search->keys = table->slot;
    table->slot = NULL;
    search->key_bits = sparse->bits;
    sparse->bits = (struct key_bits){0};
}
