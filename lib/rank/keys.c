/* keys.c -- sorted tables of 64-bit keys */
#include "keys.h"

#include <stdlib.h>
#include <string.h>

struct keys {
    uint64_t count;
    /* in memory: one of these */
    uint64_t *key;
    struct key_bits bits;
    /* as bytes */
    struct byte_source source;
    uint64_t offset, end;
    pdb_status *failed; /* set, atomically, once the source refused a byte, or one past the end was wanted */
};

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

static uint64_t blocks_of(uint64_t count)
{
    return (count + KEYS_PER_BLOCK - 1) / KEYS_PER_BLOCK;
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

/* -- to bytes -- */

/* How many keys a block has. */
static size_t block_count(const struct keys *keys, uint64_t block)
{
    const uint64_t left = keys->count - block * KEYS_PER_BLOCK;
    return left < KEYS_PER_BLOCK ? (size_t)left : KEYS_PER_BLOCK;
}

/* A block's keys, which may have to be put into room[KEYS_PER_BLOCK]; `from` is 0 for block 0, and then whatever the
 * block before has left there. */
static const uint64_t *block_keys(const struct keys *keys, uint64_t block, uint64_t *from, uint64_t *room)
{
    const uint64_t first = block * KEYS_PER_BLOCK, *words = keys->bits.word;
    const size_t count = block_count(keys, block);
    if (words == NULL)
        return keys->key + first;
    if (keys->count == keys->bits.range) {
        for (size_t i = 0; i < count; i++)
            room[i] = first + i;
        return room;
    }
    uint64_t at = *from / 64, word = words[at] & UINT64_MAX << *from % 64;
    for (size_t i = 0; i < count; i++, word &= word - 1) {
        while (word == 0)
            word = words[++at];
        room[i] = 64 * at + (unsigned)__builtin_ctzll(word);
    }
    *from = room[count - 1] + 1;
    return room;
}

static unsigned varint_size(uint64_t number)
{
    unsigned size = 1;
    while (number >>= 7)
        size++;
    return size;
}

/* Do keys follow one another without a gap? */
static bool is_run(const uint64_t *key, size_t count)
{
    return key[count - 1] - key[0] == count - 1;
}

/* Bytes that differences take beyond one each. */
static uint64_t more_than_bytes(const uint64_t *key, size_t count)
{
    uint64_t more = 0;
    for (size_t i = 1; !is_run(key, count) && i < count; i++)
        more += varint_size(key[i] - key[i - 1] - 1) - 1;
    return more;
}

/* The same of keys in bits: of the differences from one word to the next, for within one they are less than 64. */
static uint64_t more_than_bytes_in_bits(const struct key_bits *bits)
{
    uint64_t more = 0, place = 0, last = 0;
    for (uint64_t w = 0; w < key_bits_words(bits->range); w++) {
        const uint64_t word = bits->word[w];
        if (word == 0)
            continue;
        if (place % KEYS_PER_BLOCK != 0)
            more += varint_size(64 * w + (unsigned)__builtin_ctzll(word) - last - 1) - 1;
        place += (unsigned)__builtin_popcountll(word);
        last = 64 * w + 63 - (unsigned)__builtin_clzll(word);
    }
    return more;
}

uint64_t keys_encoded_size(const struct keys *keys)
{
    const uint64_t blocks = blocks_of(keys->count);
    uint64_t size = 16 * blocks + keys->count - blocks;
    if (keys->failed != NULL) /* it is of bytes */
        return keys->end - keys->offset;
    if (keys->bits.word != NULL)
        return size + more_than_bytes_in_bits(&keys->bits);
    for (uint64_t block = 0; block < blocks; block++)
        size += more_than_bytes(keys->key + block * KEYS_PER_BLOCK, block_count(keys, block));
    return size;
}

static void put_u64(uint8_t *bytes, uint64_t number)
{
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(number >> 8 * i);
}

/* A key's difference to the one before it; returns its end. */
static uint8_t *put_difference(uint64_t key, uint64_t before, uint8_t *end)
{
    uint64_t number = key - before - 1;
    for (; number >= 128; number >>= 7)
        *end++ = (uint8_t)(number | 128);
    *end++ = (uint8_t)number;
    return end;
}

/* The differences of a block's keys, in bytes; returns their end. */
static uint8_t *put_differences(const uint64_t *key, size_t count, uint8_t *end)
{
    if (is_run(key, count)) {
        memset(end, 0, count - 1);
        return end + count - 1;
    }
    for (size_t i = 1; i < count; i++)
        end = put_difference(key[i], key[i - 1], end);
    return end;
}

void keys_encode(const struct keys *keys, uint8_t *bytes)
{
    const uint64_t blocks = blocks_of(keys->count);
    uint8_t *end = bytes + 16 * blocks;
    uint64_t from = 0, room[KEYS_PER_BLOCK];
    for (uint64_t block = 0; block < blocks; block++) {
        const uint64_t *key = block_keys(keys, block, &from, room);
        put_u64(bytes + 16 * block, key[0]);
        put_u64(bytes + 16 * block + 8, (uint64_t)(end - bytes));
        end = put_differences(key, block_count(keys, block), end);
    }
}

/* -- written one after another -- */

enum { DIFFERENCE_MOST = 10 /* bytes */, ROOM_MORE = 1 << 16 };

bool keys_write_begin(struct keys_writer *writer, uint64_t count)
{
    const uint64_t heads = keys_heads_size(count), room = heads + count + ROOM_MORE;
    *writer = (struct keys_writer){.bytes = malloc(room), .count = count, .heads = heads, .size = heads, .room = room};
    return writer->bytes != NULL;
}

void keys_write(struct keys_writer *writer, const uint64_t *key, size_t count)
{
    for (size_t i = 0; i < count && !writer->short_of_memory; i++, writer->written++) {
        if (writer->size + DIFFERENCE_MOST > writer->room) {
            const uint64_t room = writer->room + writer->room / 8 + ROOM_MORE;
            uint8_t *grown = realloc(writer->bytes, room);
            writer->short_of_memory = grown == NULL;
            if (grown == NULL)
                return;
            writer->bytes = grown;
            writer->room = room;
        }
        uint8_t *end = writer->bytes + writer->size;
        if (writer->written % KEYS_PER_BLOCK == 0) {
            uint8_t *head = writer->bytes + 16 * (writer->written / KEYS_PER_BLOCK);
            put_u64(head, key[i]);
            put_u64(head + 8, writer->size);
        } else
            writer->size += (uint64_t)(put_difference(key[i], writer->last, end) - end);
        writer->last = key[i];
    }
}

void keys_write_place(struct keys_writer *writer, uint64_t rest_at)
{
    for (uint8_t *head = writer->bytes; head < writer->bytes + writer->heads; head += 16) {
        uint64_t at = 0;
        for (unsigned i = 0; i < 8; i++)
            at |= (uint64_t)head[8 + i] << 8 * i;
        put_u64(head + 8, at - writer->heads + rest_at);
    }
}

void keys_write_free(struct keys_writer *writer)
{
    free(writer->bytes);
    writer->bytes = NULL;
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

static uint64_t block_length(const struct keys *keys, uint64_t block)
{
    const uint64_t left = keys->count - block * KEYS_PER_BLOCK;
    return left < KEYS_PER_BLOCK ? left : KEYS_PER_BLOCK;
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
    uint64_t low = 0, high = blocks_of(keys->count); /* the block is the last whose first key is not above */
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
    *index = (low - 1) * KEYS_PER_BLOCK + go_on(&cursor, &at, block_length(keys, low - 1) - 1, key);
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
    const uint64_t blocks = blocks_of(count);
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
