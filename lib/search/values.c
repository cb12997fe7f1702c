/* values.c -- distances as they are kept */
#include "values.h"

#include <string.h>

static const struct {
    const char *name;
    uint8_t modulus;
    uint8_t per_byte; /* states in a byte */
} encodings[ENCODINGS] = {
    [ENCODING_MOD4_1BIT] = {"mod4-1bit", 4, 8},
    [ENCODING_MOD3_5PERBYTE] = {"mod3-5perbyte", 3, 5},
    [ENCODING_MOD4_2BIT] = {"mod4-2bit", 4, 4},
    [ENCODING_MOD3_2BIT] = {"mod3-2bit", 3, 4},
};

const char *encoding_name(enum encoding encoding)
{
    return encodings[encoding].name;
}

bool encoding_by_name(const char *name, enum encoding *encoding)
{
    for (unsigned e = 0; e < ENCODINGS; e++)
        if (strcmp(encodings[e].name, name) == 0) {
            *encoding = (enum encoding)e;
            return true;
        }
    return false;
}

uint64_t encoding_bytes(enum encoding encoding, uint64_t states)
{
    const unsigned a_byte = encodings[encoding].per_byte;
    return states / a_byte + (states % a_byte != 0);
}

unsigned encoding_modulus(enum encoding encoding)
{
    return encodings[encoding].modulus;
}

/* -- reading -- */

/* What is written for state i: 0 .. 2, or 3 for none. */
static unsigned written(enum encoding encoding, const uint8_t *byte, uint64_t i)
{
    static const uint8_t power[5] = {1, 3, 9, 27, 81};
    switch (encoding) {
    case ENCODING_MOD4_1BIT:
        return *byte >> (i % 8) & 1u;
    case ENCODING_MOD3_5PERBYTE:
        return *byte / power[i % 5] % 3u;
    default:
        return *byte >> 2 * (i % 4) & 3u;
    }
}

pdb_status values_get(const struct values *values, const uint64_t *index, size_t count, uint8_t *residue, pdb_error *error)
{
    const enum encoding encoding = values->encoding;
    const unsigned a_byte = encodings[encoding].per_byte;
    const bool coloured = encodings[encoding].modulus == 4;
    if (coloured)
        values->puzzle->family->colours(values->puzzle, index, count, residue);
    for (size_t i = 0; i < count; i++) {
        uint64_t run;
        const uint8_t *byte = values->source.at(values->source.context, index[i] / a_byte, &run, error);
        if (byte == NULL)
            return error != NULL ? error->status : PDB_DAMAGED;
        unsigned value = written(encoding, byte, index[i]);
        residue[i] = value == 3 ? RESIDUE_NONE : coloured ? (uint8_t)(2 * value + residue[i]) : (uint8_t)value;
    }
    return PDB_OK;
}

/* -- packing -- */

static unsigned bit(const uint64_t *plane, uint64_t i)
{
    return plane == NULL ? 0 : (unsigned)(plane[i / 64] >> (i % 64)) & 1u;
}

static unsigned value_of(uint64_t i, const uint64_t *low, const uint64_t *high, const uint64_t *reached)
{
    return bit(reached, i) ? bit(low, i) + 2 * bit(high, i) : 3;
}

/* Every other bit: bit i goes to bit 2i. */
static uint64_t spread_bits(uint32_t bits)
{
    uint64_t x = bits;
    x = (x | x << 16) & 0x0000FFFF0000FFFF;
    x = (x | x << 8) & 0x00FF00FF00FF00FF;
    x = (x | x << 4) & 0x0F0F0F0F0F0F0F0F;
    x = (x | x << 2) & 0x3333333333333333;
    return (x | x << 1) & 0x5555555555555555;
}

static void pack_2bit_word(uint64_t low, uint64_t high, uint64_t reached, uint8_t *bytes, size_t count)
{
    low |= ~reached;
    high |= ~reached;
    uint64_t packed[2] = {spread_bits((uint32_t)low) | spread_bits((uint32_t)high) << 1,
                          spread_bits((uint32_t)(low >> 32)) | spread_bits((uint32_t)(high >> 32)) << 1};
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)(packed[i / 8] >> 8 * (i % 8));
}

static void pack_2bit(uint64_t states, const uint64_t *low, const uint64_t *high, const uint64_t *reached, uint8_t *bytes,
                      unsigned threads)
{
    const uint64_t words = (states + 63) / 64, length = (states + 3) / 4;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (uint64_t w = 0; w < words; w++) {
        uint64_t room = length - 16 * w;
        pack_2bit_word(low[w], high == NULL ? 0 : high[w], reached[w], bytes + 16 * w, room < 16 ? (size_t)room : 16);
    }
    if (states % 4 != 0)
        bytes[length - 1] &= (uint8_t)((1u << 2 * (states % 4)) - 1);
}

static void pack_5perbyte(uint64_t states, const uint64_t *low, const uint64_t *high, const uint64_t *reached,
                          uint8_t *bytes, unsigned threads)
{
    const uint64_t length = (states + 4) / 5;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (uint64_t b = 0; b < length; b++) {
        unsigned byte = 0;
        for (unsigned digit = 5; digit-- > 0;)
            byte = 3 * byte + (5 * b + digit < states ? value_of(5 * b + digit, low, high, reached) : 0);
        bytes[b] = (uint8_t)byte;
    }
}

void values_pack(enum encoding encoding, uint64_t states, const uint64_t *low, const uint64_t *high,
                 const uint64_t *reached, uint8_t *bytes, unsigned threads)
{
    if (encoding == ENCODING_MOD3_5PERBYTE)
        pack_5perbyte(states, low, high, reached, bytes, threads);
    else
        pack_2bit(states, low, high, reached, bytes, threads);
}
