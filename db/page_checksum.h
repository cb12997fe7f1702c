/* page_checksum.h -- how a value is laid out, and the checksums that guard it
 *
 * A value in the store is a payload and a table: one checksum (u64, little-endian) for each page of the payload.
 *
 *     file page:     |16|      4080      |        4096        | ... |     the rest     |
 *                     ^  page 0            page 1                    the last page      table
 *                     LMDB's page header
 *
 * LMDB puts a large value 16 bytes into a page of the file. So page k of a value covers the payload's bytes from max(0,
 * 4096 k - 16) up to 4096 (k + 1) - 16: just what lies in one page of the file. The same rule holds for small values,
 * which LMDB packs several to a page.
 *
 * The data is cut into extents of 511 full pages; their table fills the 512th but for 8 bytes, so hardly a byte of the
 * file is wasted.
 */
#ifndef DB_PAGE_CHECKSUM_H
#define DB_PAGE_CHECKSUM_H

#include "store.h"

#include <assert.h>
#include <string.h>

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && sizeof(size_t) == 8 && sizeof(void *) == 8,
              "LMDB's files have the machine's byte order and word size; ours are little-endian and of 64 bits");

enum {
    PAGE_BYTES = 4096,
    PAGE_LEAD = 16, /* the header that LMDB puts before a large value */
    EXTENT_PAGES = 511,
    EXTENT_BYTES = EXTENT_PAGES * PAGE_BYTES - PAGE_LEAD,
    CHECKSUM_BYTES = 8,
    EXTENT_KEY_SIZE = sizeof "data 00000000"
};

/* How many pages a payload takes. */
static inline uint64_t value_pages(uint64_t payload_bytes)
{
    return (payload_bytes + PAGE_LEAD + PAGE_BYTES - 1) / PAGE_BYTES;
}

/* Where page k of a payload begins, and so where page k - 1 ends. */
static inline uint64_t page_begin(uint64_t page)
{
    return page == 0 ? 0 : page * PAGE_BYTES - PAGE_LEAD;
}

static inline uint64_t page_end(uint64_t page, uint64_t payload_bytes)
{
    uint64_t end = page_begin(page + 1);
    return end < payload_bytes ? end : payload_bytes;
}

/* The length of a whole value: payload and table. */
static inline uint64_t value_bytes(uint64_t payload_bytes)
{
    return payload_bytes + CHECKSUM_BYTES * value_pages(payload_bytes);
}

/* The other way round: the payload's length follows from the value's. False where no payload gives this length. */
bool value_payload(uint64_t value_bytes, uint64_t *payload_bytes);

static inline uint64_t extent_count(uint64_t data_bytes)
{
    return data_bytes / EXTENT_BYTES + (data_bytes % EXTENT_BYTES != 0);
}

/* The payload of the extent with this number, of data of `data_bytes` bytes. */
static inline uint64_t extent_bytes(uint64_t extent, uint64_t data_bytes)
{
    uint64_t left = data_bytes - extent * EXTENT_BYTES;
    return left < EXTENT_BYTES ? left : EXTENT_BYTES;
}

void extent_key(uint64_t extent, char key[EXTENT_KEY_SIZE]);

/* What tells one puzzle's pages from another's: the first 8 bytes of the definition's digest, little-endian. The
 * header's own identity is 0, for it is read before the definition is known. */
enum { HEADER_IDENTITY = 0 };
static inline uint64_t definition_identity(const uint8_t definition[STORE_DIGEST_BYTES])
{
    uint64_t identity;
    memcpy(&identity, definition, sizeof identity);
    return identity;
}

/* What seeds the checksums of a value: key and identity, so that no page passes in another's place. */
uint64_t value_seed(const char *key, uint64_t identity);

/* Writes payload and table into `value` (value_bytes(payload_bytes) of them), each page hashed while the cache still
 * has it. */
void value_seal(uint8_t *value, const uint8_t *payload, uint64_t payload_bytes, uint64_t seed);

/* Whether one page is what was written. */
bool page_intact(const uint8_t *value, uint64_t payload_bytes, uint64_t page, uint64_t seed);

/* How many pages are not what was written; *first (may be NULL) is the first of them. */
uint64_t value_damage(const uint8_t *value, uint64_t payload_bytes, uint64_t seed, uint64_t *first);

/* The XXH3 of a run of bytes, for what is no value (the checkpoint). */
uint64_t checksum(const void *bytes, size_t size, uint64_t seed);

/* The content's digest: XXH3 (128 bits) of all checksum tables in their order. As a digest of checksums it costs
 * nothing beside them, and the checksums may be checked by many threads. content_digest_new returns NULL where no
 * memory is left. */
struct content_digest;
struct content_digest *content_digest_new(void);
void content_digest_add(struct content_digest *digest, const uint8_t *value, uint64_t payload_bytes);
void content_digest_result(const struct content_digest *digest, uint8_t out[STORE_DIGEST_BYTES]);
void content_digest_free(struct content_digest *digest);

#endif
