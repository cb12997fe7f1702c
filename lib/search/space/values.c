/* values.c -- distances as they are kept */
#include "values.h"

#include <string.h>

static const struct {
    const char *name;
    uint8_t modulus;
    uint8_t per_byte; /* states in a byte; 0 for one in `bytes` */
    uint8_t bytes;
} encodings[ENCODINGS] = {
    [ENCODING_MOD4_1BIT] = {"mod4-1bit", 4, 8, 0},     [ENCODING_MOD3_5PERBYTE] = {"mod3-5perbyte", 3, 5, 0},
    [ENCODING_MOD4_2BIT] = {"mod4-2bit", 4, 4, 0},     [ENCODING_MOD3_2BIT] = {"mod3-2bit", 3, 4, 0},
    [ENCODING_EXACT_1BIT] = {"exact-1bit", 0, 8, 0},   [ENCODING_EXACT_2BIT] = {"exact-2bit", 0, 4, 0},
    [ENCODING_EXACT_4BIT] = {"exact-4bit", 0, 2, 0},   [ENCODING_EXACT_8BIT] = {"exact-8bit", 0, 1, 0},
    [ENCODING_EXACT_16BIT] = {"exact-16bit", 0, 0, 2}, [ENCODING_EXACT_32BIT] = {"exact-32bit", 0, 0, 4},
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
    return a_byte == 0 ? encodings[encoding].bytes * states : states / a_byte + (states % a_byte != 0);
}

unsigned encoding_modulus(enum encoding encoding)
{
    return encodings[encoding].modulus;
}

enum encoding encoding_exact(uint64_t max)
{
    enum encoding encoding = ENCODING_EXACT_1BIT;
    for (uint64_t values = 2; values < max + 2 && encoding < ENCODING_EXACT_32BIT; values *= values)
        encoding++;
    return encoding;
}

bool encoding_fits(enum encoding encoding, const struct puzzle *puzzle)
{
    const unsigned modulus = encodings[encoding].modulus, residues = puzzle->coloured ? 4 : 3;
    return modulus == (puzzle->undoable ? residues : 0) || (puzzle->forward && puzzle->keyed && modulus == residues);
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

pdb_status values_get(const struct values *values, const uint64_t *index, size_t count, uint8_t *residue,
                      pdb_error *error)
{
    const enum encoding encoding = values->encoding;
    const unsigned a_byte = encodings[encoding].per_byte;
    const bool coloured = encodings[encoding].modulus == 4;
    if (coloured)
        values->puzzle->family->index.colours(values->puzzle, index, count, residue);
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

static unsigned bits_of(enum encoding encoding)
{
    return encodings[encoding].per_byte == 0 ? 8u * encodings[encoding].bytes : 8u / encodings[encoding].per_byte;
}

/* Bits first, first + 1 .. of the bytes; several bytes may lie in several runs. */
static pdb_status get_exact(const struct values *values, uint64_t index, uint32_t *distance, pdb_error *error)
{
    const unsigned bits = bits_of(values->encoding);
    const uint64_t first = index * bits;
    const uint32_t none = UINT32_MAX >> (32 - bits);
    uint32_t value = 0;
    for (unsigned done = 0; done < bits; done += 8) {
        uint64_t run;
        const uint8_t *byte = values->source.at(values->source.context, (first + done) / 8, &run, error);
        if (byte == NULL)
            return error != NULL ? error->status : PDB_DAMAGED;
        value |= (uint32_t)*byte << done;
    }
    value = value >> first % 8 & none;
    *distance = value == none ? DISTANCE_NONE : value;
    return PDB_OK;
}

pdb_status values_get_exact(const struct values *values, const uint64_t *index, size_t count, uint32_t *distance,
                            pdb_error *error)
{
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < count; i++)
        status = get_exact(values, index[i], &distance[i], error);
    return status;
}

/* -- packing -- */

enum { ALONE = 1 << 18 }; /* states that a second thread does not pay for */

/* Bit i goes to bit 2i. */
static uint64_t every_other_bit(uint32_t bits)
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
    uint64_t packed[2] = {every_other_bit((uint32_t)low) | every_other_bit((uint32_t)high) << 1,
                          every_other_bit((uint32_t)(low >> 32)) | every_other_bit((uint32_t)(high >> 32)) << 1};
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)(packed[i / 8] >> 8 * (i % 8));
}

static void pack_2bit(uint64_t states, const uint64_t *low, const uint64_t *high, const uint64_t *reached,
                      uint8_t *bytes)
{
    const uint64_t words = (states + 63) / 64, length = (states + 3) / 4;
    for (uint64_t w = 0; w < words; w++) {
        uint64_t room = length - 16 * w;
        pack_2bit_word(low[w], high == NULL ? 0 : high[w], reached[w], bytes + 16 * w, room < 16 ? (size_t)room : 16);
    }
    if (states % 4 != 0)
        bytes[length - 1] &= (uint8_t)((1u << 2 * (states % 4)) - 1);
}

/* Bits first .. first + 4 of a plane of `states` bits; zeros behind its end. */
static unsigned five_bits(const uint64_t *plane, uint64_t states, uint64_t first)
{
    const uint64_t word = first / 64, shift = first % 64;
    uint64_t bits = plane[word] >> shift;
    if (shift > 59 && 64 * (word + 1) < states)
        bits |= plane[word + 1] << (64 - shift);
    if (states - first < 5)
        bits &= ((uint64_t)1 << (states - first)) - 1;
    return bits & 31;
}

/* A byte's digits in base 3 are the low bits plus twice the high ones. */
static void pack_5perbyte(uint64_t states, const uint64_t *low, const uint64_t *high, uint8_t *bytes)
{
    const uint64_t length = (states + 4) / 5;
    uint8_t number[32]; /* whose digits these bits are */
    for (unsigned bits = 0; bits < 32; bits++)
        number[bits] = (uint8_t)((bits & 1) + 3 * (bits >> 1 & 1) + 9 * (bits >> 2 & 1) + 27 * (bits >> 3 & 1) +
                                 81 * (bits >> 4));
    for (uint64_t b = 0; b < length; b++) {
        const unsigned twos = high == NULL ? 0 : number[five_bits(high, states, 5 * b)];
        bytes[b] = (uint8_t)(number[five_bits(low, states, 5 * b)] + 2 * twos);
    }
}

struct planes {
    enum encoding encoding;
    uint64_t states;
    const uint64_t *low, *high, *reached;
    uint8_t *bytes;
};

/* Whole words, and whole bytes of every encoding. */
enum { PLANE_STRETCH = 320 << 10 };

static void pack_planes(void *context, unsigned thread, uint64_t stretch)
{
    const struct planes *planes = context;
    const uint64_t first = stretch * PLANE_STRETCH, word = first / 64, left = planes->states - first,
                   states = left < PLANE_STRETCH ? left : PLANE_STRETCH,
                   *high = planes->high == NULL ? NULL : planes->high + word;
    (void)thread;
    if (planes->encoding == ENCODING_MOD3_5PERBYTE)
        pack_5perbyte(states, planes->low + word, high, planes->bytes + first / 5);
    else
        pack_2bit(states, planes->low + word, high, planes->reached + word, planes->bytes + first / 4);
}

void values_pack(enum encoding encoding, uint64_t states, const uint64_t *low, const uint64_t *high,
                 const uint64_t *reached, uint8_t *bytes, struct team *team)
{
    struct planes planes = {encoding, states, low, high, reached, bytes};
    team_run(team, team_shares(states, PLANE_STRETCH), pack_planes, &planes);
}

/* What is written for each distance, a byte; 255: none. */
static void make_written(enum encoding encoding, uint8_t written_for[256])
{
    const unsigned modulus = encodings[encoding].modulus;
    for (unsigned distance = 0; distance < UINT8_MAX; distance++)
        written_for[distance] = (uint8_t)(modulus == 4 ? distance >> 1 & 1 : modulus == 3 ? distance % 3 : distance);
    written_for[UINT8_MAX] = (uint8_t)(modulus != 0 ? 3 : (1u << bits_of(encoding)) - 1);
}

/* `count` distances, `a_byte` of them written into each byte as the digits of a number, at most the place they have;
 * the last may be filled up with zeros. */
static inline void pack_digits(unsigned radix, unsigned a_byte, const uint8_t written_for[256], const uint8_t *bytes,
                               uint64_t count, uint8_t *packed)
{
    const uint64_t whole = count / a_byte;
    for (uint64_t b = 0; b < whole; b++, bytes += a_byte) {
        unsigned byte = 0;
        for (unsigned i = a_byte; i-- > 0;)
            byte = byte * radix + written_for[bytes[i]];
        packed[b] = (uint8_t)byte;
    }
    unsigned byte = 0;
    for (unsigned i = (unsigned)(count % a_byte); i-- > 0;)
        byte = byte * radix + written_for[bytes[i]];
    if (count % a_byte != 0)
        packed[whole] = (uint8_t)byte;
}

static void pack_bytes(unsigned a_byte, const uint8_t written_for[256], uint64_t count, uint8_t *bytes)
{
    switch (a_byte) {
    case 8:
        pack_digits(2, 8, written_for, bytes, count, bytes);
        break;
    case 5:
        pack_digits(3, 5, written_for, bytes, count, bytes);
        break;
    case 4:
        pack_digits(4, 4, written_for, bytes, count, bytes);
        break;
    case 2:
        pack_digits(16, 2, written_for, bytes, count, bytes);
        break;
    default: /* a byte each: it is packed */
        break;
    }
}

struct distances {
    unsigned a_byte;
    uint8_t written_for[256];
    uint64_t states;
    uint8_t *bytes;
};

enum { BYTE_STRETCH = 5 << 13 /* whole bytes in every encoding */ };

static uint64_t stretch_size(uint64_t states, uint64_t first)
{
    return states - first < BYTE_STRETCH ? states - first : BYTE_STRETCH;
}

static void pack_distances(void *context, unsigned thread, uint64_t stretch)
{
    const struct distances *distances = context;
    const uint64_t first = stretch * BYTE_STRETCH;
    (void)thread;
    pack_bytes(distances->a_byte, distances->written_for, stretch_size(distances->states, first),
               distances->bytes + first);
}

/* Every stretch at its own beginning, side by side; then all together. */
void values_pack_distances(enum encoding encoding, uint64_t states, uint8_t *bytes, struct team *team)
{
    struct distances distances = {.a_byte = encodings[encoding].per_byte, .states = states, .bytes = bytes};
    make_written(encoding, distances.written_for);
    team_run(states > ALONE ? team : NULL, team_shares(states, BYTE_STRETCH), pack_distances, &distances);
    for (uint64_t first = BYTE_STRETCH; distances.a_byte > 1 && first < states; first += BYTE_STRETCH)
        memmove(bytes + first / distances.a_byte, bytes + first, encoding_bytes(encoding, stretch_size(states, first)));
}
