/* keys.c -- sorted tables of 64-bit keys */
#include "keys_inner.h"

#include <stdlib.h>
#include <string.h>

uint64_t keys_count(const struct keys *keys)
{
    return keys->count;
}

void keys_free(struct keys *keys)
{
    if (keys == NULL)
        return;
    free(keys->key);
    key_bits_free(&keys->bits);
    free(keys->failed);
    free(keys);
}

pdb_status keys_failed(const struct keys *keys)
{
    return keys->failed != NULL ? __atomic_load_n(keys->failed, __ATOMIC_RELAXED) : PDB_OK;
}

void keys_reject(const struct keys *keys, pdb_status status)
{
    if (keys->failed != NULL)
        __atomic_store_n(keys->failed, status, __ATOMIC_RELAXED);
}

/* -- in memory -- */

pdb_status keys_take(uint64_t *key, uint64_t count, struct keys **out, pdb_error *error)
{
    uint64_t *shrunk = realloc(key, count * sizeof *key + 1); /* the caller's room may be larger */
    key = shrunk != NULL ? shrunk : key;
    struct keys *keys = calloc(1, sizeof *keys);
    if (keys == NULL) {
        free(key);
        /* cppcheck-suppress memleak; `shrunk` is `key`, which was freed or lies in `keys` */
        return error_no_memory(error, "the table of keys", sizeof *keys);
    }
    keys->count = count;
    keys->key = key;
    *out = keys;
    /* cppcheck-suppress memleak; as above */
    return PDB_OK;
}

pdb_status keys_take_bits(struct key_bits *bits, struct keys **out, pdb_error *error)
{
    struct keys *keys = calloc(1, sizeof *keys);
    if (keys == NULL) {
        key_bits_free(bits);
        return error_no_memory(error, "the table of keys", sizeof *keys);
    }
    keys->count = bits->count;
    keys->bits = *bits;
    *bits = (struct key_bits){0};
    *out = keys;
    return PDB_OK;
}

uint64_t keys_memory(const struct keys *keys)
{
    if (keys->bits.word == NULL)
        return keys->key == NULL ? 0 : keys->count * sizeof *keys->key;
    return key_bits_bytes(keys->bits.range) + key_bits_number_bytes(keys->bits.range);
}

static bool find_in_bits(const struct keys *keys, uint64_t key, uint64_t *index)
{
    if (key >= keys->bits.range || !key_bits_has(&keys->bits, key))
        return false;
    *index = key_bits_place(&keys->bits, key);
    return true;
}

static bool find_in_memory(const struct keys *keys, uint64_t key, uint64_t *index)
{
    uint64_t low = 0, high = keys->count;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (keys->key[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    *index = low;
    return low < keys->count && keys->key[low] == key;
}

/* -- from bytes -- */

/* Reads on from a place, run by run. */
struct cursor {
    const struct keys *keys;
    uint64_t offset;     /* where the next run begins */
    const uint8_t *byte; /* the next byte, and how many there are up to the run's end */
    uint64_t left;
};

/* The next run; false where the source refuses it, which is remembered. */
static bool next_run(struct cursor *cursor)
{
    const struct keys *keys = cursor->keys;
    pdb_error error;
    error.status = PDB_DAMAGED;
    cursor->byte = NULL;
    if (cursor->offset < keys->end)
        cursor->byte = keys->source.at(keys->source.context, cursor->offset, &cursor->left, &error);
    if (cursor->byte == NULL) {
        __atomic_store_n(keys->failed, error.status == PDB_NO_MEMORY ? PDB_NO_MEMORY : PDB_DAMAGED, __ATOMIC_RELAXED);
        cursor->left = 0;
        return false;
    }
    if (cursor->left > keys->end - cursor->offset)
        cursor->left = keys->end - cursor->offset;
    cursor->offset += cursor->left;
    return true;
}

/* The next byte; 0 where there is none. */
static uint8_t next_byte(struct cursor *cursor)
{
    if (cursor->left == 0 && !next_run(cursor))
        return 0;
    cursor->left--;
    return *cursor->byte++;
}

static uint64_t next_u64(struct cursor *cursor)
{
    uint64_t number = 0;
    if (cursor->left >= sizeof number) {
        memcpy(&number, cursor->byte, sizeof number); /* the lowest bytes come first */
        cursor->byte += sizeof number;
        cursor->left -= sizeof number;
        return number;
    }
    for (unsigned i = 0; i < 8; i++)
        number |= (uint64_t)next_byte(cursor) << 8 * i;
    return number;
}

static uint64_t next_varint(struct cursor *cursor)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = next_byte(cursor);
        number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            break;
    }
    return number;
}

/* Whether the next eight differences are a byte each; *sum is what they lead on by, one more each than is written. */
static bool eight_bytes(const struct cursor *cursor, uint64_t *sum)
{
    const uint64_t tops = 0x8080808080808080, even = 0x00FF00FF00FF00FF, ones = 0x0001000100010001;
    uint64_t word;
    if (cursor->left < sizeof word)
        return false;
    memcpy(&word, cursor->byte, sizeof word);
    *sum = (((word & even) + (word >> 8 & even)) * ones >> 48) + sizeof word;
    return (word & tops) == 0;
}

/* Goes on from the key `at` over at most `most` differences, as far as to the first key that is not below `key`; how
 * many they were. */
static uint64_t go_on(struct cursor *cursor, uint64_t *at, uint64_t most, uint64_t key)
{
    uint64_t gone = 0, sum;
    while (gone < most && *at < key) {
        if (most - gone >= 8 && eight_bytes(cursor, &sum) && sum <= key - *at) {
            cursor->byte += 8;
            cursor->left -= 8;
            *at += sum;
            gone += 8;
        } else {
            *at += next_varint(cursor) + 1;
            gone++;
        }
    }
    return gone;
}

/* A cursor at a block's head: its first key, and where its rest is. */
static struct cursor head_of(const struct keys *keys, uint64_t block)
{
    return (struct cursor){.keys = keys, .offset = keys->offset + 16 * block};
}

/* A block's first key, and a cursor at the differences behind it. */
static uint64_t open_block(const struct keys *keys, uint64_t block, struct cursor *cursor)
{
    struct cursor head = head_of(keys, block);
    const uint64_t first = next_u64(&head);
    *cursor = (struct cursor){.keys = keys, .offset = keys->offset + next_u64(&head)};
    return first;
}

uint64_t keys_at(const struct keys *keys, uint64_t index)
{
    if (keys->key != NULL)
        return keys->key[index];
    if (keys->bits.word != NULL)
        return key_bits_at(&keys->bits, index);
    struct cursor cursor;
    uint64_t key = open_block(keys, index / KEYS_PER_BLOCK, &cursor);
    go_on(&cursor, &key, index % KEYS_PER_BLOCK, UINT64_MAX);
    return key;
}

static bool find_in_bytes(const struct keys *keys, uint64_t key, uint64_t *index)
{
    struct cursor cursor;
    uint64_t low = 0, high = keys_blocks(keys->count); /* the block is the last whose first key is not above */
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        cursor = head_of(keys, middle);
        if (next_u64(&cursor) <= key)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return false;
    uint64_t at = open_block(keys, low - 1, &cursor);
    *index = (low - 1) * KEYS_PER_BLOCK + go_on(&cursor, &at, keys_in_block(keys, low - 1) - 1, key);
    return at == key;
}

bool keys_find(const struct keys *keys, uint64_t key, uint64_t *index)
{
    if (keys->bits.word != NULL)
        return find_in_bits(keys, key, index);
    return keys->key != NULL || keys->count == 0 ? find_in_memory(keys, key, index) : find_in_bytes(keys, key, index);
}

pdb_status keys_open(struct byte_source source, uint64_t offset, uint64_t size, uint64_t count, struct keys **out,
                     pdb_error *error)
{
    /* A block's head has 16 bytes, every other key at least one. */
    const uint64_t blocks = keys_blocks(count);
    if (count > size || 16 * blocks > size || 16 * blocks + (count - blocks) > size)
        return error_set(error, PDB_DAMAGED, "the table of keys is too short: generate the database again");
    struct keys *keys = calloc(1, sizeof *keys);
    pdb_status *failed = calloc(1, sizeof *failed);
    if (keys == NULL || failed == NULL) {
        free(keys);
        free(failed);
        return error_no_memory(error, "the table of keys", sizeof *keys);
    }
    keys->count = count;
    keys->source = source;
    keys->offset = offset;
    keys->end = offset + size;
    keys->failed = failed;
    *out = keys;
    return PDB_OK;
}
