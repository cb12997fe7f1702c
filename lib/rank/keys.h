/* keys.h -- sorted tables of 64-bit keys: the rank of a key is its place in the table
 *
 * In memory a table is a plain sorted array; or, of keys of a small range, a bit for each (key_bits.h).
 *
 * As bytes (in a database) the keys are cut into blocks of KEYS_PER_BLOCK, the last one shorter:
 *
 *     for every block   u64 first key, u64 offset of its rest from the beginning of the bytes      little-endian
 *     for every block   the differences of each further key to the one before it, less one, as
 *                       base-128 numbers, low digits first, the top bit set on all bytes but a number's last
 *
 * A look-up is a binary search among the first keys and a run through one block. The bytes need not lie behind one
 * another: a byte_source hands them out.
 */
#ifndef RANK_KEYS_H
#define RANK_KEYS_H

#include "bytes.h"
#include "key_bits.h"

enum { KEYS_PER_BLOCK = 512 };

struct keys;

/* Takes over a malloc'ed array of distinct keys, ascending (freed on failure too). Error: PDB_NO_MEMORY. */
pdb_status keys_take(uint64_t *key, uint64_t count, struct keys **out, pdb_error *error);

/* The same of a set that is numbered. */
pdb_status keys_take_bits(struct key_bits *bits, struct keys **out, pdb_error *error);

/* Makes the bytes of a part of a table, of distinct keys that come in their order, so that there need not be room for
 * all of them as numbers. Each part but the last has whole blocks. The heads of all parts lie one behind the other, and
 * then the rests. `count` is how many keys the part will have. */
struct keys_writer {
    uint8_t *bytes; /* the part's heads and its rest */
    uint64_t count, written, heads, size, room;
    uint64_t last;        /* key */
    bool short_of_memory; /* what is written then is nothing */
};
bool keys_write_begin(struct keys_writer *writer, uint64_t count);
void keys_write(struct keys_writer *writer, const uint64_t *key, size_t count);
/* Once all are written, where in the table's bytes the part's rest begins. */
void keys_write_place(struct keys_writer *writer, uint64_t rest_at);
void keys_write_free(struct keys_writer *writer);

/* Bytes of the heads of a table of so many keys. */
static inline uint64_t keys_heads_size(uint64_t count)
{
    return (count + KEYS_PER_BLOCK - 1) / KEYS_PER_BLOCK * 16;
}

/* Opens a table of bytes, `offset` to offset + size of the source, which must outlive it. Nothing of it is read before
 * it is needed, so opening is cheap however large it is. Errors: PDB_DAMAGED (too short for `count` keys),
 * PDB_NO_MEMORY. */
pdb_status keys_open(struct byte_source source, uint64_t offset, uint64_t size, uint64_t count, struct keys **out,
                     pdb_error *error);
void keys_free(struct keys *keys);

/* Has the source refused a byte in a look-up so far? Then what was looked up means nothing: keys_at gave some key,
 * keys_find perhaps false. PDB_OK where it has not; else PDB_NO_MEMORY, or PDB_DAMAGED for all that is wrong with the
 * bytes. Thread-safe. */
pdb_status keys_failed(const struct keys *keys);

/* The caller's word that a key from the table can be none (PDB_DAMAGED), or that what it means could not be looked up:
 * from now on a table of bytes has failed with that status. Thread-safe. */
void keys_reject(const struct keys *keys, pdb_status status);

uint64_t keys_count(const struct keys *keys);

/* Bytes of memory that a table in memory takes. */
uint64_t keys_memory(const struct keys *keys);

/* The key at a place, and the place of a key (false where it is not there). Thread-safe. */
uint64_t keys_at(const struct keys *keys, uint64_t index);
bool keys_find(const struct keys *keys, uint64_t key, uint64_t *index);

/* The bytes of a table: their number; and, of one in memory, themselves into bytes[]. By a team (NULL: alone). */
uint64_t keys_encoded_size(const struct keys *keys, struct team *team);
void keys_encode(const struct keys *keys, uint8_t *bytes, struct team *team);

#endif
