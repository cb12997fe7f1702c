/* page_checksum.c -- how a value is laid out, and the checksums that guard it */
#include "page_checksum.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static_assert(EXTENT_BYTES == 2093040, "the extent's length is part of the format");

bool value_payload(uint64_t bytes, uint64_t *payload_bytes)
{
    /* p pages and their checksums take more than 4104 p - 4096 and up to 4104 p bytes, the lead counted. */
    uint64_t pages = (bytes + PAGE_LEAD + PAGE_BYTES + CHECKSUM_BYTES - 1) / (PAGE_BYTES + CHECKSUM_BYTES);
    if (bytes <= pages * CHECKSUM_BYTES)
        return false;
    uint64_t payload = bytes - pages * CHECKSUM_BYTES;
    if (value_pages(payload) != pages)
        return false;
    *payload_bytes = payload;
    return true;
}

void extent_key(uint64_t extent, char key[EXTENT_KEY_SIZE])
{
    snprintf(key, EXTENT_KEY_SIZE, "data %08x", (unsigned)extent);
}

uint64_t value_seed(const char *key, uint64_t identity)
{
    return XXH3_64bits_withSeed(key, strlen(key), identity);
}

static uint64_t page_checksum(const uint8_t *payload, uint64_t payload_bytes, uint64_t page, uint64_t seed)
{
    uint64_t begin = page_begin(page);
    return XXH3_64bits_withSeed(payload + begin, page_end(page, payload_bytes) - begin, seed + page);
}

void value_seal(uint8_t *value, const uint8_t *payload, uint64_t payload_bytes, uint64_t seed)
{
    uint8_t *table = value + payload_bytes;
    uint64_t pages = value_pages(payload_bytes);
    for (uint64_t page = 0; page < pages; page++) {
        uint64_t begin = page_begin(page);
        if (payload != value)
            memcpy(value + begin, payload + begin, page_end(page, payload_bytes) - begin);
        uint64_t sum = page_checksum(value, payload_bytes, page, seed);
        memcpy(table + page * CHECKSUM_BYTES, &sum, CHECKSUM_BYTES);
    }
}

bool page_intact(const uint8_t *value, uint64_t payload_bytes, uint64_t page, uint64_t seed)
{
    uint64_t written;
    memcpy(&written, value + payload_bytes + page * CHECKSUM_BYTES, sizeof written);
    return page_checksum(value, payload_bytes, page, seed) == written;
}

uint64_t value_damage(const uint8_t *value, uint64_t payload_bytes, uint64_t seed, uint64_t *first)
{
    uint64_t damaged = 0;
    uint64_t pages = value_pages(payload_bytes);
    for (uint64_t page = 0; page < pages; page++) {
        if (page_intact(value, payload_bytes, page, seed))
            continue;
        if (damaged++ == 0 && first != NULL)
            *first = page;
    }
    return damaged;
}

uint64_t checksum(const void *bytes, size_t size, uint64_t seed)
{
    return XXH3_64bits_withSeed(bytes, size, seed);
}

struct content_digest {
    XXH3_state_t state; /* wants to lie at a multiple of its own alignment, 64 */
};

struct content_digest *content_digest_new(void)
{
    struct content_digest *digest = aligned_alloc(alignof(struct content_digest), sizeof *digest);
    if (digest != NULL)
        XXH3_128bits_reset(&digest->state);
    return digest;
}

void content_digest_add(struct content_digest *digest, const uint8_t *value, uint64_t payload_bytes)
{
    XXH3_128bits_update(&digest->state, value + payload_bytes, CHECKSUM_BYTES * value_pages(payload_bytes));
}

void content_digest_result(const struct content_digest *digest, uint8_t out[STORE_DIGEST_BYTES])
{
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&digest->state));
    static_assert(sizeof canonical.digest == STORE_DIGEST_BYTES, "the digest is one of 128 bits");
    memcpy(out, canonical.digest, STORE_DIGEST_BYTES);
}

void content_digest_free(struct content_digest *digest)
{
    free(digest);
}
