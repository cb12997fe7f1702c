/* parts.h -- keys of up to 128 bits as numbers of 64: their upper parts are kept once, in a table, and numbered
 *
 * A wide key (wide_key.h) is two words. Its lower 32 bits stay as they are; its upper 96, the *high
 * part*, are looked up in a table that has each different one once, and their number takes their place:
 *
 *     key = number of the high part << 32 | lower 32 bits
 *
 * So do SPIN's COLLAPSE (G. Holzmann, State Compression in SPIN, 1997) and tree compression (A. Laarman, J. van de Pol,
 * M. Weber, Parallel Recursive State Compression for Free, SPIN 2011) with states' components. Whatever lives on keys
 * of 64 bits lives on wide ones like that: searches, tables of keys, files. The other way, slots of 128 bits in each,
 * would cost 8 bytes a state in each of them and the same code twice over; a high part costs 16 bytes and its slot 5 to
 * 11, and where what moves often lies low in the key there are far fewer of them than states. There can be no more of
 * them than states, so numbers of 31 bits do where the states fit into some 50 GiB.
 *
 * While keys are found, high parts are numbered as they come, by many threads at once. Which number each has then
 * depends on the threads; so at the end they are sorted, and keys renumbered: the order of keys is then that of the
 * wide keys, and what is kept of them depends on nothing else.
 *
 * As bytes (in a database) sorted high parts are cut into blocks of PARTS_PER_BLOCK, the last one shorter, and of each
 * block first come the most significant bytes of all its parts, then the next ones, up to the twelfth: so bytes that
 * hardly change lie together, where they deflate to little, and any part can be read without the others.
 */
#ifndef RANK_PARTS_H
#define RANK_PARTS_H

#include "bytes.h"
#include "lib/error.h"
#include "wide_key.h"

#include <stdbool.h>
#include <stddef.h>

enum { PARTS_BYTES = 12, PARTS_PER_BLOCK = 4096, PARTS_LOW_BITS = 32 };

/* Every key is below. */
#define PARTS_KEYS ((uint64_t)0x7FFFFFFF << PARTS_LOW_BITS)
/* The key of what has none. */
#define PARTS_NO_KEY UINT64_MAX

/* A high part as it is in memory: the upper word of a wide key, and the upper half of the lower one; and its number,
 * while they are being sorted. */
struct part {
    uint64_t upper;
    uint32_t rest, number;
};

struct parts;

/* A table that has none. The caller frees *out. Error: PDB_NO_MEMORY. */
pdb_status parts_create(struct parts **out, pdb_error *error);
void parts_free(struct parts *parts);
/* As it was created. */
void parts_empty(struct parts *parts);

uint64_t parts_count(const struct parts *parts);

/* Bytes of memory that it takes, and what it takes with room for so many parts. */
uint64_t parts_bytes(const struct parts *parts);
uint64_t parts_bytes_with(const struct parts *parts, uint64_t count);

/* Makes room for so many parts in all, by one thread alone. False where memory is short, or they are more than can be
 * numbered: then it is as before. */
bool parts_grow(struct parts *parts, uint64_t count);

/* A table makes itself room, unless it is *held* at the size it has: then parts that it has no room for get no number,
 * and it is *full* until it grows. Held is faster where many threads add to it. */
void parts_hold(struct parts *parts, bool held);
bool parts_full(const struct parts *parts);

/* The keys of wide ones; their parts are added where they are not there, if the table is not closed. PARTS_NO_KEY for
 * what is not there and cannot be added. Returns whether all have one. Thread-safe. */
bool parts_fold(struct parts *parts, const struct wide_key *wide, size_t count, uint64_t *key);

/* The wide keys of keys. A number that no part has counts as 0. Thread-safe. */
void parts_unfold(struct parts *parts, const uint64_t *key, size_t count, struct wide_key *wide);

/* -- what is kept of a search -- */

/* The parts, to be kept; room for so many, which are to be filled in; and then: the table finds them from now on. False
 * where memory is short; where one is there twice. */
struct part *parts_all(struct parts *parts);
bool parts_fit(struct parts *parts, uint64_t count);
bool parts_resume(struct parts *parts);

/* -- the end -- */

/* Sorts the parts, in their own memory: until the table is closed, keys can only be renumbered. */
void parts_sort(struct parts *parts);
/* Keys as they were become keys of the sorted parts. Thread-safe. */
void parts_renumber(const struct parts *parts, uint64_t *key, size_t count);
/* From now on parts are only looked up. */
void parts_close(struct parts *parts);

/* Writes a closed table in memory: PARTS_BYTES for each part. */
void parts_encode(const struct parts *parts, uint8_t *bytes);

/* Opens a closed table of bytes, from `offset` on in the source, which must outlive it. Nothing of it is read before it
 * is needed. Where the source refuses a byte, or a look-up sees that parts do not ascend, `failed` is told, and what
 * was looked up means nothing. The caller frees *out. Errors: PDB_DAMAGED (too short for `count` parts),
 * PDB_NO_MEMORY. */
struct parts_failure {
    void (*failed)(void *context, pdb_status status);
    void *context;
};
pdb_status parts_open(struct byte_source source, uint64_t offset, uint64_t size, uint64_t count, struct parts **out,
                      pdb_error *error);
void parts_on_failure(struct parts *parts, struct parts_failure failure);

#endif
