/* keys_encode.c -- sorted tables of 64-bit keys become bytes */
#include "keys_inner.h"

#include <stdlib.h>
#include <string.h>

enum { SHARE = 64 /* blocks that one thread encodes */ };

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

/* The same of the keys in bits from a place on, where a block begins: of the differences from one word to the next, for
 * within one they are less than 64. */
static uint64_t more_than_bytes_in_bits(const struct key_bits *bits, uint64_t place, uint64_t end)
{
    const uint64_t first = key_bits_at(bits, place);
    uint64_t more = 0, last = first, word = bits->word[first / 64] & UINT64_MAX << first % 64;
    for (uint64_t w = first / 64; place < end; word = bits->word[++w]) {
        if (word == 0)
            continue;
        if (place % KEYS_PER_BLOCK != 0)
            more += varint_size(64 * w + (unsigned)__builtin_ctzll(word) - last - 1) - 1;
        place += (unsigned)__builtin_popcountll(word);
        last = 64 * w + 63 - (unsigned)__builtin_clzll(word);
        if (place >= end)
            break;
    }
    return more;
}

/* What is encoded by one thread. */
static uint64_t share_end(const struct keys *keys, uint64_t share)
{
    const uint64_t blocks = keys_blocks(keys->count), first = share * SHARE;
    return blocks - first < SHARE ? blocks : first + SHARE;
}

/* Bytes of the differences in the blocks of a share. */
static uint64_t share_size(const struct keys *keys, uint64_t share)
{
    const uint64_t first = share * SHARE, end = share_end(keys, share);
    const uint64_t place = first * KEYS_PER_BLOCK, past = (end - 1) * KEYS_PER_BLOCK + keys_in_block(keys, end - 1);
    uint64_t size = past - place - (end - first);
    if (keys->bits.word != NULL)
        return size + more_than_bytes_in_bits(&keys->bits, place, past);
    for (uint64_t block = first; block < end; block++)
        size += more_than_bytes(keys->key + block * KEYS_PER_BLOCK, keys_in_block(keys, block));
    return size;
}

struct measuring {
    const struct keys *keys;
    uint64_t size;
};

static void measure_share(void *context, unsigned thread, uint64_t share)
{
    struct measuring *measuring = context;
    (void)thread;
    __atomic_fetch_add(&measuring->size, share_size(measuring->keys, share), __ATOMIC_RELAXED);
}

uint64_t keys_encoded_size(const struct keys *keys, struct team *team)
{
    const uint64_t blocks = keys_blocks(keys->count);
    struct measuring measuring = {keys, 16 * blocks};
    if (keys->failed != NULL) /* it is of bytes */
        return keys->end - keys->offset;
    team_run(team, team_shares(blocks, SHARE), measure_share, &measuring);
    return measuring.size;
}

static void put_u64(uint8_t *bytes, uint64_t number)
{
    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(number >> 8 * i);
}

static uint64_t get_u64(const uint8_t *bytes)
{
    uint64_t number = 0;
    for (unsigned i = 0; i < 8; i++)
        number |= (uint64_t)bytes[i] << 8 * i;
    return number;
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

/* The same of keys in bits, from the first bit of *word, of those at `at`, on: these are not taken again. */
static uint8_t *put_differences_of_bits(const uint64_t *words, uint64_t *at, uint64_t *word, size_t count, uint8_t *end)
{
    uint64_t last = 64 * *at + (unsigned)__builtin_ctzll(*word);
    *word &= *word - 1;
    for (size_t i = 1; i < count; i++, *word &= *word - 1) {
        while (*word == 0)
            *word = words[++*at];
        const uint64_t key = 64 * *at + (unsigned)__builtin_ctzll(*word);
        end = put_difference(key, last, end);
        last = key;
    }
    return end;
}

struct encoding_keys {
    const struct keys *keys;
    uint8_t *bytes;
};

/* Where a share's differences begin is noted in the head of its first block. */
static uint8_t *share_head(const struct encoding_keys *encoding, uint64_t share)
{
    return encoding->bytes + 16 * SHARE * share + 8;
}

static void note_share(void *context, unsigned thread, uint64_t share)
{
    const struct encoding_keys *encoding = context;
    (void)thread;
    put_u64(share_head(encoding, share), share_size(encoding->keys, share));
}

/* A share's heads, and its differences at `end`; returns where these end. */
static uint8_t *put_share(const struct encoding_keys *encoding, uint64_t share, uint8_t *end)
{
    const struct keys *keys = encoding->keys;
    const uint64_t first = share * SHARE, *words = keys->bits.word;
    uint8_t *bytes = encoding->bytes;
    uint64_t key = words != NULL ? key_bits_at(&keys->bits, first * KEYS_PER_BLOCK) : 0, at = key / 64;
    uint64_t word = words != NULL ? words[at] & UINT64_MAX << key % 64 : 0;
    for (uint64_t block = first; block < share_end(keys, share); block++) {
        const size_t count = keys_in_block(keys, block);
        while (words != NULL && word == 0)
            word = words[++at];
        key = words == NULL ? keys->key[block * KEYS_PER_BLOCK] : 64 * at + (unsigned)__builtin_ctzll(word);
        put_u64(bytes + 16 * block, key);
        put_u64(bytes + 16 * block + 8, (uint64_t)(end - bytes));
        end = words == NULL ? put_differences(keys->key + block * KEYS_PER_BLOCK, count, end)
                            : put_differences_of_bits(words, &at, &word, count, end);
    }
    return end;
}

static void encode_share(void *context, unsigned thread, uint64_t share)
{
    const struct encoding_keys *encoding = context;
    (void)thread;
    put_share(encoding, share, encoding->bytes + get_u64(share_head(encoding, share)));
}

void keys_encode(const struct keys *keys, uint8_t *bytes, struct team *team)
{
    const uint64_t blocks = keys_blocks(keys->count), shares = team_shares(blocks, SHARE);
    struct encoding_keys encoding = {keys, bytes};
    uint64_t begin = 16 * blocks;
    if (team == NULL || team->threads <= 1) {
        uint8_t *end = bytes + begin;
        for (uint64_t share = 0; share < shares; share++)
            end = put_share(&encoding, share, end);
        return;
    }
    team_run(team, shares, note_share, &encoding);
    for (uint64_t share = 0; share < shares; share++) {
        const uint64_t size = get_u64(share_head(&encoding, share));
        put_u64(share_head(&encoding, share), begin);
        begin += size;
    }
    team_run(team, shares, encode_share, &encoding);
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
        put_u64(head + 8, get_u64(head + 8) - writer->heads + rest_at);
    }
}

void keys_write_free(struct keys_writer *writer)
{
    free(writer->bytes);
    writer->bytes = NULL;
}
