/* deflated.h -- data that are kept deflated: in chunks, each by itself
 *
 * Where a look-up can afford it (the caller says so) and a quarter or more is saved, data are kept as
 *
 *     for every chunk   u64 where it ends, counted from the beginning of all this       little-endian
 *     for every chunk   its deflated bytes (RFC 1951, without a zlib header), behind one another
 *
 * A chunk is CHUNK_BYTES of the data, the last one what is left. A look-up inflates the chunk that it touches.
 */
#ifndef DB_DEFLATED_H
#define DB_DEFLATED_H

#include "lib/team.h"
#include "store.h"

enum { CHUNK_BYTES = STORE_READ_BYTES, CHUNK_END_BYTES = 8 };

static inline uint64_t chunk_count(uint64_t data_bytes)
{
    return data_bytes / CHUNK_BYTES + (data_bytes % CHUNK_BYTES != 0);
}

/* The part of the data that is chunk `chunk`. */
static inline uint64_t chunk_bytes(uint64_t chunk, uint64_t data_bytes)
{
    const uint64_t left = data_bytes - chunk * CHUNK_BYTES;
    return left < CHUNK_BYTES ? left : CHUNK_BYTES;
}

/* Can so many bytes be these data deflated? Each chunk takes one byte at least, beside its end. */
static inline bool deflated_fits(uint64_t kept_bytes, uint64_t data_bytes)
{
    return kept_bytes < data_bytes && chunk_count(data_bytes) <= kept_bytes / (CHUNK_END_BYTES + 1);
}

/* Bytes of memory that deflate_data takes by so many threads, at most, or deflater_open; nothing where there are none.
 */
uint64_t deflate_memory(uint64_t data_bytes, unsigned threads, bool from_source);

/* Deflates header->data_bytes of data; what comes out follows from the data alone (and from zlib). *out is to be freed
 * with free, and header->kept_bytes its length; NULL where less than a quarter is saved, or the data take but a page.
 * task->progress is told of the data's bytes. Without a team (NULL) one thread does it. Errors: PDB_NO_MEMORY,
 * PDB_INTERRUPTED. */
pdb_status deflate_data(const uint8_t *data, struct store_header *header, const struct store_task *task,
                        struct team *team, uint8_t **out, pdb_error *error);

/* The same of data that come from a source, which outlives it: they are deflated once to learn how long that makes
 * them, and once more when what comes out is asked for, from its first byte to its last, so nobody keeps it. *out is
 * NULL where too little is saved; else the caller frees it. */
struct deflater;
pdb_status deflater_open(const struct byte_source *data, struct store_header *header, const struct store_task *task,
                         struct team *team, struct deflater **out, pdb_error *error);
struct byte_source deflater_source(const struct deflater *deflater);
void deflater_free(struct deflater *deflater);

/* What is kept, as store_at gives the data. */
typedef const uint8_t *kept_at(const struct store *store, uint64_t offset, uint64_t *run, pdb_error *error);

/* Inflates a chunk into out[chunk_bytes()]. Nothing else is written, whatever stands in the file. Errors: PDB_DAMAGED,
 * PDB_NO_MEMORY. */
pdb_status inflate_chunk(const struct store *store, kept_at *at, uint64_t chunk, uint8_t *out, pdb_error *error);

#endif
