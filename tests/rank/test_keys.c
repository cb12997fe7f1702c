/* test_keys.c -- sorted tables of keys, in memory and as bytes, against a plain sorted array */
#include "tests/support/support.h"

#include "lib/rank/keys.h"
#include "lib/rank/sort_keys.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* -- a source that hands out short runs, and refuses a range -- */

struct short_source {
    const uint8_t *bytes;
    uint64_t size;
    uint64_t longest;              /* of a run */
    uint64_t refused, refused_end; /* no byte of these is given */
    uint64_t *reads;               /* counts calls; NULL: nobody wants to know */
};

static const uint8_t *short_at(const void *context, uint64_t offset, uint64_t *run, pdb_error *error)
{
    const struct short_source *source = context;
    if (source->reads != NULL)
        ++*source->reads;
    if (offset >= source->size || (offset >= source->refused && offset < source->refused_end)) {
        error_set(error, PDB_DAMAGED, "byte %llu is refused", (unsigned long long)offset);
        return NULL;
    }
    uint64_t end = offset < source->refused && source->refused < source->size ? source->refused : source->size;
    if (end - offset > source->longest)
        end = offset + 1 + (offset * 2654435761u >> 7) % source->longest;
    *run = end - offset;
    return source->bytes + offset;
}

static struct byte_source source_of(const struct short_source *source)
{
    return (struct byte_source){short_at, source};
}

/* -- sets of keys -- */

enum shape { DENSE, SPARSE, ANYWHERE, GAPS, CLUSTERS, SHAPES };

/* Distinct keys, ascending; those of shape GAPS lie up to 2^63 apart in all. */
static uint64_t *draw_keys(enum shape shape, size_t count, uint64_t *random)
{
    uint64_t *key = checked_memory(count, sizeof *key);
    for (;;) {
        uint64_t at = shape == DENSE ? random_below(random, 1000) : 0;
        for (size_t i = 0; i < count; i++) {
            switch (shape) {
            case DENSE:
                key[i] = at + i;
                break;
            case SPARSE:
                key[i] = at += 1 + random_below(random, 100000);
                break;
            case ANYWHERE:
                key[i] = next_random(random) >> 1;
                break;
            case GAPS:
                key[i] = i % 2 == 0 ? random_below(random, 1000000000)
                                    : ((uint64_t)1 << 63) - 1 - random_below(random, 1000000000);
                break;
            default:
                key[i] = at += i % 50 == 0 ? next_random(random) % ((uint64_t)1 << 48) + 1
                                           : 1 + random_below(random, 130);
                break;
            }
        }
        qsort(key, count, sizeof *key, compare_numbers);
        bool distinct = true;
        for (size_t i = 1; i < count; i++)
            distinct &= key[i - 1] != key[i];
        if (distinct)
            return key;
    }
}

/* The table of these keys, given to it in any order. */
static struct keys *take(const uint64_t *key, size_t count, uint64_t *random)
{
    struct keys *keys = NULL;
    pdb_error error;
    uint64_t *shuffled = checked_memory(count, sizeof *shuffled);
    if (count > 0)
        memcpy(shuffled, key, count * sizeof *key);
    for (size_t i = count; i > 1; i--) {
        const size_t other = (size_t)random_below(random, i);
        const uint64_t held = shuffled[i - 1];
        shuffled[i - 1] = shuffled[other];
        shuffled[other] = held;
    }
    struct team team = {.threads = 2};
    sort_keys(shuffled, NULL, 0, count, &team);
    team_end(&team);
    cr_assert(keys_take(shuffled, count, &keys, &error) == PDB_OK, "%s", error.message);
    return keys;
}

static bool is_in(const uint64_t *key, size_t count, uint64_t wanted)
{
    return count > 0 && bsearch(&wanted, key, count, sizeof *key, compare_numbers) != NULL;
}

static void check_absent(const struct keys *keys, const uint64_t *key, size_t count, uint64_t absent)
{
    uint64_t index = 0;
    if (!is_in(key, count, absent))
        cr_assert(!keys_find(keys, absent, &index), "%llu is not among %zu keys, yet found at %llu",
                  (unsigned long long)absent, count, (unsigned long long)index);
}

/* Every `step`-th key at its place, and what lies between. */
static void check_keys(const struct keys *keys, const uint64_t *key, size_t count, size_t step, uint64_t *random)
{
    cr_assert(keys_count(keys) == count);
    for (size_t i = 0; i < count; i += step) {
        uint64_t index = UINT64_MAX;
        cr_assert(keys_at(keys, i) == key[i], "%zu keys: %llu at %zu, not %llu", count,
                  (unsigned long long)keys_at(keys, i), i, (unsigned long long)key[i]);
        cr_assert(keys_find(keys, key[i], &index) && index == i, "%zu keys: key %zu found at %llu", count, i,
                  (unsigned long long)index);
        check_absent(keys, key, count, key[i] + 1);
        check_absent(keys, key, count, key[i] - 1);
        if (i + 1 < count)
            check_absent(keys, key, count, key[i] + (key[i + 1] - key[i]) / 2);
    }
    check_absent(keys, key, count, 0);
    check_absent(keys, key, count, UINT64_MAX);
    check_absent(keys, key, count, (uint64_t)1 << 63);
    for (int i = 0; i < 300; i++)
        check_absent(keys, key, count, next_random(random) >> random_below(random, 64));
    cr_assert(!keys_failed(keys));
}

static const size_t sizes[] = {0, 1, 2, 3, 4, 5, 7, 8, 15, 100, 255, 256, 257, 511, 512, 513, 1000, 1024, 1025, 10000};

Test(keys, in_memory)
{
    uint64_t random = 11;
    for (size_t s = 0; s < COUNT(sizes); s++)
        for (unsigned shape = 0; shape < SHAPES; shape++) {
            uint64_t *key = draw_keys((enum shape)shape, sizes[s], &random);
            struct keys *keys = take(key, sizes[s], &random);
            check_keys(keys, key, sizes[s], 1, &random);
            keys_free(keys);
            free(key);
        }
}

/* Keys 2^63 and more apart. An alarm ends the process where making the table never ends. */
Test(keys, whole_range)
{
    static const uint64_t sets[][4] = {{0, (uint64_t)1 << 63},
                                       {0, UINT64_MAX},
                                       {5, UINT64_MAX - 1, UINT64_MAX},
                                       {0, 1, (uint64_t)1 << 63, UINT64_MAX}};
    static const size_t counts[] = {2, 2, 3, 4};
    uint64_t random = 19;
    alarm(60);
    for (size_t i = 0; i < COUNT(sets); i++) {
        struct keys *keys = take(sets[i], counts[i], &random);
        check_keys(keys, sets[i], counts[i], 1, &random);
        keys_free(keys);
    }
}

/* Sets of random size, many. */
Test(keys, in_memory_at_random)
{
    uint64_t random = 12;
    for (int i = 0; i < 400; i++) {
        const size_t count = (size_t)random_below(&random, 600);
        uint64_t *key = draw_keys((enum shape)random_below(&random, SHAPES), count, &random);
        struct keys *keys = take(key, count, &random);
        check_keys(keys, key, count, 1, &random);
        keys_free(keys);
        free(key);
    }
}

/* Encodes a table at an offset among bytes that have nothing to do with it. The caller frees them. */
static uint8_t *encode(const struct keys *keys, uint64_t offset, uint64_t *size, struct team *team)
{
    *size = keys_encoded_size(keys, team);
    uint8_t *bytes = checked_memory((size_t)(offset + *size + 8), 1);
    memset(bytes, 0xA5, (size_t)(offset + *size + 8));
    keys_encode(keys, bytes + offset, team);
    for (unsigned i = 0; i < 8; i++)
        cr_assert(bytes[offset + *size + i] == 0xA5, "a byte past the end was written");
    return bytes;
}

Test(keys, as_bytes)
{
    static const uint64_t runs[] = {1, 2, 3, 9, 64, 4096, 1000000}, offsets[] = {0, 16, 77};
    uint64_t random = 13;
    for (size_t s = 0; s < COUNT(sizes); s++)
        for (unsigned shape = 0; shape < SHAPES; shape++) {
            uint64_t size, *key = draw_keys((enum shape)shape, sizes[s], &random),
                           offset = offsets[(s + shape) % COUNT(offsets)];
            struct keys *keys = take(key, sizes[s], &random), *opened = NULL;
            uint8_t *bytes = encode(keys, offset, &size, NULL);
            for (size_t r = 0; r < COUNT(runs); r += short_step(3)) {
                const struct short_source source = {.bytes = bytes, .size = offset + size, .longest = runs[r]};
                pdb_error error;
                cr_assert(keys_open(source_of(&source), offset, size, sizes[s], &opened, &error) == PDB_OK, "%s",
                          error.message);
                check_keys(opened, key, sizes[s],
                           sizes[s] > 2000  ? 31 + r
                           : sizes[s] > 400 ? short_step(7)
                                            : 1,
                           &random);
                keys_free(opened);
            }
            free(bytes);
            keys_free(keys);
            free(key);
        }
}

/* A set of a small range: the same bytes as of its keys, whoever makes them, and the same places. */
static void check_bits(uint64_t range, uint64_t one_in, unsigned threads)
{
    uint64_t random = range + one_in, size, bits_size, count = 0, *key = checked_memory((size_t)range, sizeof *key);
    struct team team = {.threads = threads};
    struct key_bits bits;
    struct keys *keys, *of_bits;
    pdb_error error;
    cr_assert(key_bits_create(&bits, range));
    for (uint64_t i = 0; i < range; i++)
        if (random_below(&random, one_in) == 0) {
            key[count++] = i;
            cr_assert(key_bits_put(&bits, i) && !key_bits_put(&bits, i));
        }
    cr_assert(key_bits_number(&bits, &team));
    EXPECT_NUMBER(bits.count, count);
    for (uint64_t i = 0; i < count; i += 1 + i / 50)
        cr_assert(key_bits_place(&bits, key[i]) == i && key_bits_at(&bits, i) == key[i]);
    cr_assert(keys_take(key, count, &keys, &error) == PDB_OK, "%s", error.message);
    cr_assert(keys_take_bits(&bits, &of_bits, &error) == PDB_OK, "%s", error.message);
    uint8_t *bytes = encode(keys, 3, &size, NULL), *bits_bytes = encode(of_bits, 3, &bits_size, &team);
    EXPECT_NUMBER(bits_size, size);
    cr_assert(memcmp(bytes, bits_bytes, (size_t)size + 3) == 0, "range %llu, one in %llu", (unsigned long long)range,
              (unsigned long long)one_in);
    keys_encode(keys, bits_bytes + 3, &team);
    cr_assert(memcmp(bytes, bits_bytes, (size_t)size + 3) == 0);
    team_end(&team);
    keys_free(keys);
    keys_free(of_bits);
    free(bytes);
    free(bits_bytes);
}

Test(keys, bits_as_bytes)
{
    static const uint64_t one_in[] = {1, 2, 30, 1000};
    for (size_t i = 0; i < COUNT(one_in); i++) {
        check_bits(1, 1, 1);
        check_bits(600, one_in[i], 2);
        check_bits(1000000, one_in[i], 1 + (unsigned)i);
    }
}

Test(keys, opening_reads_nothing)
{
    uint64_t random = 14, size, reads = 0, *key = draw_keys(SPARSE, 1000, &random);
    struct keys *keys = take(key, 1000, &random), *opened = NULL;
    uint8_t *bytes = encode(keys, 0, &size, NULL);
    const struct short_source source = {.bytes = bytes, .size = size, .longest = size, .reads = &reads};
    cr_assert(keys_open(source_of(&source), 0, size, 1000, &opened, NULL) == PDB_OK);
    EXPECT_NUMBER(reads, 0);
    EXPECT_NUMBER(keys_count(opened), 1000);
    EXPECT_NUMBER(reads, 0);
    EXPECT_NUMBER(keys_at(opened, 999), key[999]);
    cr_expect(reads > 0 && reads < 10);
    keys_free(opened);
    keys_free(keys);
    free(bytes);
    free(key);
}

/* -- the layout, byte by byte -- */

Test(keys, layout_of_a_small_table)
{
    /* 5; 6 = 5 + 1 + 0; 200 = 6 + 1 + 193; 328 = 200 + 1 + 127; 16713 = 328 + 1 + 16384; 2^62 */
    static const uint64_t key[] = {5, 6, 200, 328, 16713, (uint64_t)1 << 62};
    static const uint8_t expected[] = {5,    0,    0,    0,    0,    0,    0,    0,    16,
                                       0,    0,    0,    0,    0,    0,    0,    0x00,        /* 0 */
                                       0xC1, 0x01,                                            /* 193 = 1 * 128 + 65 */
                                       0x7F,                                                  /* 127 */
                                       0x80, 0x80, 0x01,                                      /* 16384 = 128 * 128 */
                                       0xB6, 0xFD, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x3F}; /* 2^62 - 16714 */
    uint64_t random = 15, size;
    struct keys *keys = take(key, COUNT(key), &random);
    uint8_t *bytes = encode(keys, 0, &size, NULL);
    EXPECT_NUMBER(size, sizeof expected);
    for (size_t i = 0; i < sizeof expected && i < size; i++)
        cr_expect(bytes[i] == expected[i], "byte %zu is 0x%02x, not 0x%02x", i, bytes[i], expected[i]);
    keys_free(keys);
    free(bytes);
}

Test(keys, layout_of_two_blocks)
{
    uint64_t key[513], random = 16, size;
    for (size_t i = 0; i < 513; i++)
        key[i] = 0x0102030405060708 + 2 * i;
    struct keys *keys = take(key, 513, &random);
    uint8_t *bytes = encode(keys, 0, &size, NULL);
    static const uint8_t expected[] = {
        8, 7,   6, 5, 4, 3, 2, 1, 32,   0, 0, 0, 0, 0, 0, 0,
        8, 0xB, 6, 5, 4, 3, 2, 1, 0x1F, 2, 0, 0, 0, 0, 0, 0}; /* 0x0708 + 1024; 32 + 511 = 0x021F */
    cr_assert(size == 32 + 511);
    for (size_t i = 0; i < 32; i++)
        cr_expect(bytes[i] == expected[i], "byte %zu is 0x%02x, not 0x%02x", i, bytes[i], expected[i]);
    for (size_t i = 32; i < size; i++)
        cr_expect(bytes[i] == 1, "byte %zu is 0x%02x, not 0x01", i, bytes[i]);
    keys_free(keys);
    free(bytes);
}

Test(keys, layout_of_an_empty_table)
{
    struct keys *keys = take(NULL, 0, &(uint64_t){1}), *opened = NULL;
    const struct short_source source = {.bytes = (const uint8_t *)"", .size = 0, .longest = 1};
    uint64_t index;
    EXPECT_NUMBER(keys_encoded_size(keys, NULL), 0);
    cr_assert(keys_open(source_of(&source), 0, 0, 0, &opened, NULL) == PDB_OK);
    cr_expect(!keys_find(opened, 0, &index) && !keys_failed(opened));
    keys_free(opened);
    keys_free(keys);
}

/* -- damage -- */

/* A look-up that needs no refused byte is right and nothing has failed; and where every key is looked up, the refused
 * bytes are noticed. */
static void check_refusal(const uint8_t *bytes, uint64_t size, const uint64_t *key, size_t count, uint64_t refused,
                          uint64_t refused_end)
{
    const struct short_source source = {
        .bytes = bytes, .size = size, .longest = 5, .refused = refused, .refused_end = refused_end};
    unsigned failures = 0;
    for (size_t i = 0; i < count; i++) {
        struct keys *opened = NULL;
        uint64_t index = UINT64_MAX;
        cr_assert(keys_open(source_of(&source), 0, size, count, &opened, NULL) == PDB_OK);
        cr_assert(!keys_failed(opened));
        const uint64_t at = keys_at(opened, i);
        cr_assert(keys_failed(opened) || at == key[i]);
        failures += keys_failed(opened) != PDB_OK;
        const bool found = keys_find(opened, key[i], &index);
        cr_assert(keys_failed(opened) || (found && index == i));
        cr_assert(!found || index < count);
        const bool absent = keys_find(opened, key[i] + 1, &index);
        cr_assert(keys_failed(opened) || absent == is_in(key, count, key[i] + 1));
        cr_assert(!absent || index < count);
        failures += keys_failed(opened) != PDB_OK;
        keys_free(opened);
    }
    cr_assert(failures > 0, "bytes %llu to %llu of %llu were refused, and nobody noticed", (unsigned long long)refused,
              (unsigned long long)refused_end, (unsigned long long)size);
}

Test(keys, refused_bytes)
{
    uint64_t random = 17, size, *key = draw_keys(SPARSE, 700, &random);
    struct keys *keys = take(key, 700, &random);
    uint8_t *bytes = encode(keys, 0, &size, NULL);
    for (uint64_t refused = 0; refused < size; refused += 1 + random_below(&random, 120 * short_step(4)))
        check_refusal(bytes, size, key, 700, refused, refused + 1 + random_below(&random, 30));
    check_refusal(bytes, size, key, 700, 0, size);
    check_refusal(bytes, size, key, 700, size - 1, size);
    check_refusal(bytes, size - 1, key, 700, 0, 0); /* the source ends too early */
    keys_free(keys);
    free(bytes);
    free(key);
}

/* Bytes that are no table: whatever is answered, nothing outside the source is touched and a place is one of the
 * table's. */
Test(keys, junk)
{
    uint64_t random = 18;
    for (int i = 0; i < 300; i++) {
        uint8_t bytes[300];
        for (size_t b = 0; b < sizeof bytes; b++)
            bytes[b] = (uint8_t)(next_random(&random) | (i % 3 == 0 ? 0x80 : 0));
        const uint64_t count = 1 + random_below(&random, 260); /* as many as 300 bytes may hold */
        const struct short_source source = {
            .bytes = bytes, .size = sizeof bytes, .longest = 1 + random_below(&random, 20)};
        struct keys *opened = NULL;
        cr_assert(keys_open(source_of(&source), 0, sizeof bytes, count, &opened, NULL) == PDB_OK);
        for (int k = 0; k < 30; k++) {
            uint64_t index = 0;
            keys_at(opened, random_below(&random, count));
            cr_assert(!keys_find(opened, next_random(&random) >> random_below(&random, 64), &index) || index < count);
        }
        keys_free(opened);
    }
}

Test(keys, too_short)
{
    static const struct {
        uint64_t size, count;
    } cases[] = {{0, 1},
                 {16, 2},
                 {16, 256},
                 {270, 256},
                 {526, 512},
                 {542, 513},
                 {15, 1},
                 {15, 256},
                 {16, 257},
                 {31, 257},
                 {47, 513},
                 {1000, UINT64_MAX},
                 {16, UINT64_MAX - 100},
                 {16, (uint64_t)1 << 60}};
    static const uint8_t bytes[64];
    const struct short_source source = {.bytes = bytes, .size = sizeof bytes, .longest = 64};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct keys *opened = NULL;
        pdb_error error = {.status = PDB_OK};
        cr_expect(keys_open(source_of(&source), 0, cases[i].size, cases[i].count, &opened, &error) == PDB_DAMAGED &&
                      error.status == PDB_DAMAGED && is_utf8_line(error.message) && opened == NULL,
                  "case %zu", i);
    }
}
