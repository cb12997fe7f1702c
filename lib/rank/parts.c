/* parts.c -- keys of up to 128 bits as numbers of 64: the table of their upper parts */
#include "parts.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_SLOTS = 1 << 12,
    AHEAD = 32, /* slots that are fetched before they are wanted, and then the parts that they name */
    NEAR = 16
};

#define NO_NUMBER    UINT32_MAX
#define PARTS_MOST   (PARTS_KEYS >> PARTS_LOW_BITS)
#define BEING_FILLED UINT32_MAX /* in a slot whose part is on its way */

/* Open addressing with linear probing; a slot has a number plus one, 0 for free; to renumber, each new number. */
struct parts {
    struct part *part;
    uint32_t *slot;
    uint64_t slots, count; /* a power of two, or 0 */
    bool held, full, closed;
    pthread_rwlock_t lock; /* whoever makes room is alone */
    /* of bytes */
    struct byte_source source;
    uint64_t offset;
    struct parts_failure failure;
};

/* -- memory -- */

static uint64_t room_of(uint64_t slots)
{
    return slots - slots / 4;
}

static uint64_t slots_for(const struct parts *parts, uint64_t count)
{
    uint64_t slots = parts->slots == 0 ? FIRST_SLOTS : parts->slots;
    while (room_of(slots) < count)
        slots *= 2;
    return slots;
}

static uint64_t bytes_of(uint64_t slots)
{
    return slots * sizeof(uint32_t) + room_of(slots) * sizeof(struct part);
}

pdb_status parts_create(struct parts **out, pdb_error *error)
{
    struct parts *parts = calloc(1, sizeof *parts);
    *out = parts;
    if (parts == NULL || pthread_rwlock_init(&parts->lock, NULL) != 0) {
        free(parts);
        *out = NULL;
        return error_no_memory(error, "the table of high parts", sizeof *parts);
    }
    return PDB_OK;
}

void parts_free(struct parts *parts)
{
    if (parts == NULL)
        return;
    pthread_rwlock_destroy(&parts->lock);
    free(parts->part);
    free(parts->slot);
    free(parts);
}

void parts_empty(struct parts *parts)
{
    free(parts->part);
    free(parts->slot);
    parts->part = NULL;
    parts->slot = NULL;
    parts->slots = parts->count = 0;
    parts->full = parts->closed = false;
}

uint64_t parts_count(const struct parts *parts)
{
    return parts->count;
}

uint64_t parts_bytes(const struct parts *parts)
{
    return bytes_of(parts->slots);
}

uint64_t parts_bytes_with(const struct parts *parts, uint64_t count)
{
    return bytes_of(slots_for(parts, count));
}

void parts_hold(struct parts *parts, bool held)
{
    parts->held = held;
}

bool parts_full(const struct parts *parts)
{
    return __atomic_load_n(&parts->full, __ATOMIC_RELAXED);
}

/* -- slots -- */

static struct part part_of(const struct wide_key *wide)
{
    return (struct part){.upper = wide->word[0], .rest = (uint32_t)(wide->word[1] >> PARTS_LOW_BITS)};
}

static bool is_same(struct part a, struct part b)
{
    return a.upper == b.upper && a.rest == b.rest;
}

/* The slot where a part is looked for first. */
static uint64_t home_of(const struct parts *parts, struct part part)
{
    uint64_t hash = part.upper * 0x9E3779B97F4A7C15;
    hash = (hash ^ hash >> 32 ^ part.rest) * 0xD6E8FEB86659FD93;
    return (hash ^ hash >> 32) & (parts->slots - 1);
}

/* A slot whose part another thread may be about to put there: then it will be there in a moment. */
static uint32_t read_slot(const uint32_t *slot)
{
    uint32_t number;
    while ((number = __atomic_load_n(slot, __ATOMIC_ACQUIRE)) == BEING_FILLED)
        sched_yield();
    return number;
}

/* Puts a part into a slot that was free; NO_NUMBER where another thread was faster, or there is no room. */
static uint32_t fill_slot(struct parts *parts, uint32_t *slot, struct part part)
{
    uint32_t free_slot = 0;
    if (!__atomic_compare_exchange_n(slot, &free_slot, BEING_FILLED, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return NO_NUMBER;
    const uint64_t number = __atomic_fetch_add(&parts->count, 1, __ATOMIC_RELAXED);
    if (number >= room_of(parts->slots) || number >= PARTS_MOST) {
        __atomic_fetch_sub(&parts->count, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&parts->full, true, __ATOMIC_RELAXED);
        __atomic_store_n(slot, 0, __ATOMIC_RELEASE);
        return NO_NUMBER;
    }
    parts->part[number] = part;
    __atomic_store_n(slot, (uint32_t)number + 1, __ATOMIC_RELEASE);
    return (uint32_t)number;
}

/* The number of a part; NO_NUMBER where it is not there, and cannot be added. */
static uint32_t find_slot(struct parts *parts, struct part part)
{
    if (parts->slots == 0) {
        if (!parts->closed)
            __atomic_store_n(&parts->full, true, __ATOMIC_RELAXED);
        return NO_NUMBER;
    }
    for (uint64_t at = home_of(parts, part);; at = (at + 1) & (parts->slots - 1)) {
        uint32_t number = read_slot(&parts->slot[at]);
        if (number == 0 && (parts->closed || parts_full(parts)))
            return NO_NUMBER;
        if (number == 0) {
            const uint32_t filled = fill_slot(parts, &parts->slot[at], part);
            if (filled != NO_NUMBER)
                return filled;
            if ((number = read_slot(&parts->slot[at])) == 0)
                return NO_NUMBER;
        }
        if (is_same(parts->part[number - 1], part))
            return number - 1;
    }
}

/* All slots anew; false where a part is there twice. */
static bool fill_slots(struct parts *parts)
{
    memset(parts->slot, 0, parts->slots * sizeof *parts->slot);
    for (uint64_t i = 0; i < parts->count; i++) {
        uint64_t at = home_of(parts, parts->part[i]);
        for (; parts->slot[at] != 0; at = (at + 1) & (parts->slots - 1))
            if (is_same(parts->part[parts->slot[at] - 1], parts->part[i]))
                return false;
        parts->slot[at] = (uint32_t)i + 1;
    }
    return true;
}

bool parts_grow(struct parts *parts, uint64_t count)
{
    const uint64_t slots = slots_for(parts, count);
    if (count > PARTS_MOST)
        return false;
    if (slots > parts->slots) {
        struct part *part = realloc(parts->part, room_of(slots) * sizeof *part);
        if (part == NULL)
            return false;
        parts->part = part;
        uint32_t *slot = realloc(parts->slot, slots * sizeof *slot); /* not beside the old ones, which are made anew */
        if (slot == NULL)
            return false;
        parts->slot = slot;
        parts->slots = slots;
        fill_slots(parts);
    }
    parts->full = false;
    return true;
}

/* -- wide keys to keys -- */

static uint64_t key_of(uint32_t number, const struct wide_key *wide)
{
    return number == NO_NUMBER ? PARTS_NO_KEY : (uint64_t)number << PARTS_LOW_BITS | (uint32_t)wide->word[1];
}

static bool fold(struct parts *parts, const struct wide_key *wide, size_t count, uint64_t *key)
{
    struct part last = {.number = NO_NUMBER};
    bool all = true;
    for (size_t i = 0; i < count + AHEAD; i++) {
        if (i < count && parts->slots != 0) {
            key[i] = home_of(parts, part_of(&wide[i]));
            __builtin_prefetch(&parts->slot[key[i]]);
        }
        if (i >= NEAR && i - NEAR < count && parts->slots != 0) {
            const uint32_t number = __atomic_load_n(&parts->slot[key[i - NEAR]], __ATOMIC_RELAXED);
            if (number != 0 && number != BEING_FILLED)
                __builtin_prefetch(&parts->part[number - 1]);
        }
        if (i < AHEAD)
            continue;
        const struct part part = part_of(&wide[i - AHEAD]);
        if (last.number == NO_NUMBER || !is_same(part, last)) { /* neighbours have often the same */
            last.upper = part.upper;
            last.rest = part.rest;
            last.number = find_slot(parts, part);
        }
        key[i - AHEAD] = key_of(last.number, &wide[i - AHEAD]);
        all = all && last.number != NO_NUMBER;
    }
    return all;
}

/* -- of bytes -- */

static void fail(const struct parts *parts, pdb_status status)
{
    if (parts->failure.failed != NULL)
        parts->failure.failed(parts->failure.context, status);
}

/* A part of a table of bytes; zeros where the source refuses one. */
static struct part read_part(const struct parts *parts, uint64_t number)
{
    const uint64_t block = number / PARTS_PER_BLOCK * PARTS_PER_BLOCK, left = parts->count - block,
                   apart = left < PARTS_PER_BLOCK ? left : PARTS_PER_BLOCK;
    uint64_t offset = parts->offset + block * PARTS_BYTES + number - block, run;
    unsigned __int128 part = 0;
    for (unsigned i = 0; i < PARTS_BYTES; i++, offset += apart) {
        pdb_error error = {.status = PDB_DAMAGED};
        const uint8_t *byte = parts->source.at(parts->source.context, offset, &run, &error);
        if (byte == NULL) {
            fail(parts, error.status == PDB_NO_MEMORY ? PDB_NO_MEMORY : PDB_DAMAGED);
            return (struct part){.number = (uint32_t)number};
        }
        part = part << 8 | *byte;
    }
    return (struct part){(uint64_t)(part >> 32), (uint32_t)part, (uint32_t)number};
}

static int compare(struct part a, struct part b)
{
    return a.upper != b.upper ? (a.upper > b.upper) - (a.upper < b.upper) : (a.rest > b.rest) - (a.rest < b.rest);
}

/* A part that does not lie between those that were seen on its two sides shows that they do not ascend. */
static uint32_t find_in_bytes(const struct parts *parts, struct part part)
{
    uint64_t low = 0, high = parts->count;
    struct part below = {0}, above = {UINT64_MAX, UINT32_MAX, 0};
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const struct part at = read_part(parts, middle);
        const int order = compare(at, part);
        if ((low > 0 && compare(at, below) <= 0) || (high < parts->count && compare(at, above) >= 0)) {
            fail(parts, PDB_DAMAGED);
            return NO_NUMBER;
        }
        if (order == 0)
            return (uint32_t)middle;
        if (order < 0) {
            low = middle + 1;
            below = at;
        } else {
            high = middle;
            above = at;
        }
    }
    return NO_NUMBER;
}

static bool fold_by_bytes(const struct parts *parts, const struct wide_key *wide, size_t count, uint64_t *key)
{
    struct part last = {.number = NO_NUMBER};
    bool all = true;
    for (size_t i = 0; i < count; i++) {
        const struct part part = part_of(&wide[i]);
        if (last.number == NO_NUMBER || !is_same(part, last))
            last = (struct part){part.upper, part.rest, find_in_bytes(parts, part)};
        key[i] = key_of(last.number, &wide[i]);
        all = all && last.number != NO_NUMBER;
    }
    return all;
}

/* -- either way -- */

bool parts_fold(struct parts *parts, const struct wide_key *wide, size_t count, uint64_t *key)
{
    if (parts->source.at != NULL)
        return fold_by_bytes(parts, wide, count, key);
    if (parts->held || parts->closed)
        return fold(parts, wide, count, key);
    for (bool grown = true;;) {
        pthread_rwlock_rdlock(&parts->lock);
        const bool all = fold(parts, wide, count, key);
        pthread_rwlock_unlock(&parts->lock);
        if (all || !grown)
            return all;
        pthread_rwlock_wrlock(&parts->lock);
        grown = !parts->full || parts_grow(parts, room_of(parts->slots) + 1);
        pthread_rwlock_unlock(&parts->lock);
    }
}

static void unfold(const struct parts *parts, const uint64_t *key, size_t count, struct wide_key *wide)
{
    const bool bytes = parts->source.at != NULL;
    const uint64_t numbers = __atomic_load_n(&parts->count, __ATOMIC_RELAXED); /* others may be adding some */
    const struct part none = {.number = NO_NUMBER};
    struct part part = none;
    for (size_t i = 0; i < count; i++) {
        uint64_t number = key[i] >> PARTS_LOW_BITS;
        number = number < numbers ? number : 0;
        if (part.number != number) {
            if (bytes)
                part = read_part(parts, number);
            else
                part = numbers > 0 ? parts->part[number] : none;
            part.number = (uint32_t)number;
        }
        wide[i] = (struct wide_key){{part.upper, (uint64_t)part.rest << PARTS_LOW_BITS | (uint32_t)key[i]}};
    }
}

void parts_unfold(struct parts *parts, const uint64_t *key, size_t count, struct wide_key *wide)
{
    const bool alone = parts->held || parts->closed;
    if (!alone)
        pthread_rwlock_rdlock(&parts->lock);
    unfold(parts, key, count, wide);
    if (!alone)
        pthread_rwlock_unlock(&parts->lock);
}

/* -- what is kept of a search -- */

struct part *parts_all(struct parts *parts)
{
    return parts->part;
}

bool parts_fit(struct parts *parts, uint64_t count)
{
    if (count < parts->count || !parts_grow(parts, count))
        return false;
    parts->count = count;
    return true;
}

bool parts_resume(struct parts *parts)
{
    return parts->slots == 0 || fill_slots(parts);
}

/* -- the end -- */

/* Bit 95 is the most significant. */
static bool has_bit(const struct part *part, unsigned bit)
{
    return (bit < 32 ? part->rest >> bit & 1 : part->upper >> (bit - 32) & 1) != 0;
}

static void sort_few(struct part *part, uint64_t count)
{
    for (uint64_t i = 1; i < count; i++) {
        const struct part moving = part[i];
        uint64_t at = i;
        for (; at > 0 && compare(part[at - 1], moving) > 0; at--)
            part[at] = part[at - 1];
        part[at] = moving;
    }
}

/* By one bit after the other, those without it to the front, in place. */
static void sort_by_bits(struct part *part, uint64_t count, unsigned bits)
{
    enum { FEW = 16 };
    while (bits > 0 && count > FEW) {
        uint64_t low = 0, high = count;
        bits--;
        while (low < high) {
            if (!has_bit(&part[low], bits)) {
                low++;
                continue;
            }
            const struct part moving = part[--high];
            part[high] = part[low];
            part[low] = moving;
        }
        sort_by_bits(part, low, bits); /* as deep as there are bits at most */
        part += low;
        count -= low;
    }
    sort_few(part, count);
}

void parts_sort(struct parts *parts)
{
    for (uint64_t i = 0; i < parts->count; i++)
        parts->part[i].number = (uint32_t)i;
    sort_by_bits(parts->part, parts->count, 96);
    for (uint64_t i = 0; i < parts->count; i++) /* there are more slots than parts */
        parts->slot[parts->part[i].number] = (uint32_t)i;
}

void parts_renumber(const struct parts *parts, uint64_t *key, size_t count)
{
    for (size_t i = 0; i < count; i++)
        key[i] = (uint64_t)parts->slot[key[i] >> PARTS_LOW_BITS] << PARTS_LOW_BITS | (uint32_t)key[i];
}

void parts_close(struct parts *parts)
{
    if (parts->slots != 0)
        fill_slots(parts);
    parts->closed = true;
}

void parts_encode(const struct parts *parts, uint8_t *bytes)
{
    for (uint64_t block = 0; block < parts->count; block += PARTS_PER_BLOCK) {
        const uint64_t left = parts->count - block, count = left < PARTS_PER_BLOCK ? left : PARTS_PER_BLOCK;
        for (unsigned shift = 96; shift > 0;) {
            shift -= 8;
            for (uint64_t p = block; p < block + count; p++)
                *bytes++ = (uint8_t)(shift < 32 ? parts->part[p].rest >> shift : parts->part[p].upper >> (shift - 32));
        }
    }
}

pdb_status parts_open(struct byte_source source, uint64_t offset, uint64_t size, uint64_t count, struct parts **out,
                      pdb_error *error)
{
    *out = NULL;
    if (count > PARTS_MOST || size < count * PARTS_BYTES)
        return error_set(error, PDB_DAMAGED, "the table of high parts is too short: generate the database again");
    pdb_status status = parts_create(out, error);
    if (status != PDB_OK)
        return status;
    (*out)->source = source;
    (*out)->offset = offset;
    (*out)->count = count;
    (*out)->closed = true;
    return PDB_OK;
}

void parts_on_failure(struct parts *parts, struct parts_failure failure)
{
    parts->failure = failure;
}
