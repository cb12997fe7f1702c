/* test_values.c -- how a search's distances are packed: what is written is read, byte by byte as values.h says */
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

static void plain_colours(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint8_t *colour)
{
    (void)puzzle;
    for (size_t i = 0; i < count; i++)
        colour[i] = (uint8_t)((index[i] * 7 + index[i] / 3) % 2);
}

/* Distances at random (with holes where the encoding can have them), packed, and read one by one and in batches. */
static void check_packing(enum encoding encoding, uint64_t states, uint64_t *random, unsigned threads)
{
    static const struct family family = {.index = {.colours = plain_colours}};
    struct puzzle puzzle = {.family = &family, .states = states, .coloured = encoding_modulus(encoding) == 4};
    const uint64_t words = states / 64 + 1, size = encoding_bytes(encoding, states);
    const bool holes = encoding == ENCODING_MOD4_2BIT || encoding == ENCODING_MOD3_2BIT;
    uint64_t *low = checked_memory(words, 8), *high = checked_memory(words, 8), *reached = checked_memory(words, 8);
    uint64_t *index = checked_memory(states, sizeof *index);
    uint8_t *expected = checked_memory(states, 1), *residue = checked_memory(states, 1),
            *bytes = checked_memory(size + 8, 1);
    for (uint64_t i = 0; i < states; i++) {
        const uint64_t bit = (uint64_t)1 << i % 64;
        unsigned distance = (unsigned)random_below(random, 60);
        uint8_t colour;
        index[i] = i;
        plain_colours(NULL, &i, 1, &colour);
        distance -= puzzle.coloured && distance % 2 != colour ? (distance > 0 ? 1 : 0) : 0;
        if (puzzle.coloured && distance % 2 != colour)
            distance++;
        if (holes && random_below(random, 4) == 0) {
            expected[i] = RESIDUE_NONE;
            continue;
        }
        reached[i / 64] |= bit;
        expected[i] = (uint8_t)(distance % encoding_modulus(encoding));
        const unsigned written = puzzle.coloured ? distance / 2 % 2 : distance % 3;
        low[i / 64] |= (written & 1) != 0 ? bit : 0;
        high[i / 64] |= (written & 2) != 0 ? bit : 0;
    }
    memset(bytes, 0xAA, size + 8);
    struct team team = {.threads = threads};
    if (encoding == ENCODING_MOD4_1BIT) /* its plane is what is kept */
        for (uint64_t b = 0; b < size; b++)
            bytes[b] = (uint8_t)(low[b / 8] >> 8 * (b % 8));
    else
        values_pack(encoding, states, low, puzzle.coloured ? NULL : high, reached, bytes, &team);
    team_end(&team);
    for (unsigned i = 0; i < 8; i++)
        cr_assert(bytes[size + i] == 0xAA, "%s, %llu states: wrote past the end", encoding_name(encoding),
                  (unsigned long long)states);
    if (holes && states % 4 != 0)
        cr_assert(bytes[size - 1] >> 2 * (states % 4) == 0, "%s, %llu states: bits past the last",
                  encoding_name(encoding), (unsigned long long)states);
    const struct memory memory = {bytes, size};
    const struct values values = {.puzzle = &puzzle, .encoding = encoding, .source = memory_source(&memory)};
    cr_assert(values_get(&values, index, states, residue, NULL) == PDB_OK);
    cr_assert(memcmp(residue, expected, states) == 0, "%s, %llu states", encoding_name(encoding),
              (unsigned long long)states);
    for (int i = 0; i < 20; i++) {
        const uint64_t one = random_below(random, states);
        cr_assert(values_get(&values, &one, 1, residue, NULL) == PDB_OK && *residue == expected[one]);
    }
    free(low);
    free(high);
    free(reached);
    free(index);
    free(expected);
    free(residue);
    free(bytes);
}

/* Those that keep residues; test_exact.c has the others. */
enum { RESIDUE_ENCODINGS = ENCODING_MOD3_2BIT + 1 };

Test(values, packed_and_read)
{
    static const uint64_t sizes[] = {1,   2,   3,   4,   5,   6,   7,   8,    9,    10,   11,    15,
                                     16,  17,  31,  32,  33,  59,  60,  61,   63,   64,   65,    66,
                                     127, 128, 129, 191, 192, 193, 320, 1000, 4095, 4096, 40001, 655367};
    uint64_t random = 17;
    for (enum encoding encoding = 0; encoding <= ENCODING_MOD3_2BIT; encoding++)
        for (size_t i = 0; i < COUNT(sizes); i++)
            check_packing(encoding, sizes[i], &random, 1 + (unsigned)i % 3);
}

Test(values, layout_of_the_bytes)
{
    /* values.h: state i is digit i % 5 of byte i / 5; two bits a state, the first the lowest. Residues here: 1 2 0 1 2
     * | 2 1. */
    const uint64_t low = 0x49, high = 0x32, reached = 0x7F;
    uint8_t bytes[2];
    values_pack(ENCODING_MOD3_5PERBYTE, 7, &low, &high, &reached, bytes, NULL);
    EXPECT_NUMBER(bytes[0], 1 + 2 * 3 + 0 * 9 + 1 * 27 + 2 * 81);
    EXPECT_NUMBER(bytes[1], 2 + 1 * 3);
    const uint64_t some = 0x5F; /* the sixth is out of reach: 1 2 0 1 | 2 none 1 */
    values_pack(ENCODING_MOD3_2BIT, 7, &low, &high, &some, bytes, NULL);
    EXPECT_NUMBER(bytes[0], 1 + 2 * 4 + 0 * 16 + 1 * 64);
    EXPECT_NUMBER(bytes[1], 2 + 3 * 4 + 1 * 16);
}

Test(values, names_and_sizes)
{
    static const char *const names[RESIDUE_ENCODINGS] = {"mod4-1bit", "mod3-5perbyte", "mod4-2bit", "mod3-2bit"};
    static const unsigned modulus[RESIDUE_ENCODINGS] = {4, 3, 4, 3}, per_byte[RESIDUE_ENCODINGS] = {8, 5, 4, 4};
    for (enum encoding encoding = 0; encoding <= ENCODING_MOD3_2BIT; encoding++) {
        enum encoding found = ENCODINGS;
        EXPECT_TEXT(encoding_name(encoding), names[encoding]);
        cr_expect(encoding_by_name(names[encoding], &found) && found == encoding);
        EXPECT_NUMBER(encoding_modulus(encoding), modulus[encoding]);
        for (uint64_t states = 0; states < 100; states++) {
            uint64_t bytes = 0;
            while (bytes * per_byte[encoding] < states)
                bytes++;
            EXPECT_NUMBER(encoding_bytes(encoding, states), bytes);
        }
        EXPECT_NUMBER(encoding_bytes(encoding, UINT64_MAX),
                      UINT64_MAX / per_byte[encoding] + (UINT64_MAX % per_byte[encoding] != 0));
    }
    enum encoding none;
    cr_expect(!encoding_by_name("mod5", &none) && !encoding_by_name("", &none));
}
