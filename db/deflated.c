/* deflated.c -- data that are kept deflated; the one file that takes in zlib */
#include "deflated.h"
#include "files.h"
#include "page_checksum.h"

#include <stdlib.h>
#include <string.h>

#define ZLIB_CONST
#include <zlib.h>

enum {
    LEVEL = 4, /* of zlib: the higher ones take two to four times as long and save but a twentieth more */
    MEMORY_LEVEL = 9,
    WINDOW_BITS = 14, /* a chunk's size */
    BATCH_CHUNKS = 64,
    DEFLATED_MAX = CHUNK_BYTES + 64 /* of a chunk, at most: stored as it is, it takes 5 bytes for a piece */
};

static_assert(CHUNK_BYTES == 1 << WINDOW_BITS, "a chunk and what is known of it fit into the window");

/* -- to deflated bytes -- */

struct deflation {
    const uint8_t *data;
    uint64_t data_bytes;
    uint64_t count; /* of chunks */
    struct team *team;
    uint8_t *out;
    uint64_t used, most; /* bytes of `out`, and how many they may become */
    uint64_t first;      /* chunk of the batch, and what its chunks deflate to */
    uint8_t (*batch)[DEFLATED_MAX];
    uint64_t size[BATCH_CHUNKS]; /* 0 where memory ran out */
    z_stream *stream;            /* of each thread; without a state until it has a chunk to deflate */
};

/* A thread's stream, ready for a chunk; false where memory is short. */
static bool ready(z_stream *stream)
{
    return stream->state != NULL
               ? deflateReset(stream) == Z_OK
               : deflateInit2(stream, LEVEL, Z_DEFLATED, -WINDOW_BITS, MEMORY_LEVEL, Z_DEFAULT_STRATEGY) == Z_OK;
}

static void deflate_chunk(void *context, unsigned thread, uint64_t share)
{
    struct deflation *deflation = context;
    const uint64_t chunk = deflation->first + share;
    z_stream *stream = &deflation->stream[thread];
    deflation->size[share] = 0;
    if (!ready(stream))
        return;
    stream->next_in = deflation->data + chunk * CHUNK_BYTES;
    stream->avail_in = (uInt)chunk_bytes(chunk, deflation->data_bytes);
    stream->next_out = deflation->batch[share];
    stream->avail_out = DEFLATED_MAX;
    if (deflate(stream, Z_FINISH) == Z_STREAM_END)
        deflation->size[share] = stream->total_out;
}

/* The next chunks, and their ends; *fits becomes false where they take too much. */
static pdb_status deflate_batch(struct deflation *deflation, bool *fits, pdb_error *error)
{
    const uint64_t left = deflation->count - deflation->first, count = left < BATCH_CHUNKS ? left : BATCH_CHUNKS;
    team_run(deflation->team, count, deflate_chunk, deflation);
    for (uint64_t i = 0; i < count; i++, deflation->first++) {
        const uint64_t size = deflation->size[i];
        if (size == 0)
            return error_no_memory(error, "deflating the data", DEFLATED_MAX);
        *fits = size <= deflation->most - deflation->used;
        if (!*fits)
            return PDB_OK;
        memcpy(deflation->out + deflation->used, deflation->batch[i], size);
        deflation->used += size;
        memcpy(deflation->out + deflation->first * CHUNK_END_BYTES, &deflation->used, CHUNK_END_BYTES);
    }
    return PDB_OK;
}

/* Chunks that are deflated before they are joined. */
static uint64_t batch_chunks(uint64_t data_bytes)
{
    const uint64_t count = chunk_count(data_bytes);
    return count < BATCH_CHUNKS ? count : BATCH_CHUNKS;
}

uint64_t deflate_memory(uint64_t data_bytes, unsigned threads)
{
    const uint64_t zlib = (1 << (WINDOW_BITS + 2)) + (1 << (MEMORY_LEVEL + 9)) + (1 << 14); /* as zlib.h has it */
    const uint64_t batch = batch_chunks(data_bytes);
    /* Each batch may come to other threads. */
    const uint64_t streams = batch == chunk_count(data_bytes) && batch < threads ? batch : threads;
    if (threads == 0 || data_bytes <= PAGE_BYTES)
        return 0;
    return data_bytes - data_bytes / 4 + batch * DEFLATED_MAX + streams * zlib + threads * sizeof(z_stream);
}

pdb_status deflate_data(const uint8_t *data, struct store_header *header, const struct store_task *task,
                        struct team *team, uint8_t **out, pdb_error *error)
{
    const uint64_t data_bytes = header->data_bytes, batch = batch_chunks(data_bytes);
    struct deflation deflation = {.data = data,
                                  .data_bytes = data_bytes,
                                  .count = chunk_count(data_bytes),
                                  .team = team,
                                  .most = data_bytes - data_bytes / 4};
    const unsigned threads = team != NULL && team->threads > 0 ? team->threads : 1;
    bool fits = data_bytes > PAGE_BYTES;
    *out = NULL;
    if (!fits)
        return PDB_OK;
    deflation.used = deflation.count * CHUNK_END_BYTES;
    deflation.out = malloc(deflation.most);
    deflation.batch = malloc(batch * sizeof *deflation.batch);
    deflation.stream = calloc(threads, sizeof *deflation.stream);
    pdb_status status = PDB_OK;
    if (deflation.out == NULL || deflation.batch == NULL || deflation.stream == NULL)
        status = error_no_memory(error, "the deflated data", deflation.most);
    while (status == PDB_OK && fits && deflation.first < deflation.count) {
        status = deflate_batch(&deflation, &fits, error);
        const uint64_t done = deflation.first * CHUNK_BYTES;
        if (status == PDB_OK && task->progress != NULL &&
            !task->progress(task->context, done < data_bytes ? done : data_bytes))
            status = error_set(error, PDB_INTERRUPTED, "stopped while deflating the data");
    }
    for (unsigned t = 0; deflation.stream != NULL && t < threads; t++)
        deflateEnd(&deflation.stream[t]);
    free(deflation.stream);
    free(deflation.batch);
    if (status == PDB_OK && fits) {
        *out = deflation.out;
        header->kept_bytes = deflation.used;
    } else {
        free(deflation.out);
    }
    return status;
}

/* -- from deflated bytes -- */

/* Bytes that lie behind one another in what is kept, though perhaps not in the file. */
static bool copy_kept(const struct store *store, kept_at *at, uint64_t offset, uint64_t size, uint8_t *out,
                      pdb_error *error)
{
    for (uint64_t run; size > 0; offset += run, out += run, size -= run) {
        const uint8_t *bytes = at(store, offset, &run, error);
        if (bytes == NULL)
            return false;
        run = run < size ? run : size;
        memcpy(out, bytes, run);
    }
    return true;
}

pdb_status inflate_chunk(const struct store *store, kept_at *at, uint64_t chunk, uint8_t *out, pdb_error *error)
{
    const struct store_header *header = store_header(store);
    const uint64_t first = chunk_count(header->data_bytes) * CHUNK_END_BYTES;
    uint64_t begin = first, end = 0;
    uint8_t deflated[DEFLATED_MAX];
    pdb_error cause;
    bool read = chunk == 0 ||
                copy_kept(store, at, (chunk - 1) * CHUNK_END_BYTES, sizeof begin, (uint8_t *)&begin, &cause);
    read = read && copy_kept(store, at, chunk * CHUNK_END_BYTES, sizeof end, (uint8_t *)&end, &cause);
    if (read && (begin < first || begin >= end || end - begin > DEFLATED_MAX || end > header->kept_bytes))
        return file_damaged(error, store_file(store), "is damaged (chunk %llu of its data lies nowhere)",
                            (unsigned long long)chunk);
    if (!read || !copy_kept(store, at, begin, end - begin, deflated, &cause))
        return error_set(error, cause.status, "%s", cause.message);
    z_stream stream = {.next_in = deflated,
                       .avail_in = (uInt)(end - begin),
                       .next_out = out,
                       .avail_out = (uInt)chunk_bytes(chunk, header->data_bytes)};
    int code = inflateInit2(&stream, -WINDOW_BITS);
    if (code == Z_OK) {
        code = inflate(&stream, Z_FINISH);
        inflateEnd(&stream);
    }
    if (code == Z_MEM_ERROR)
        return error_no_memory(error, "inflating the data", CHUNK_BYTES);
    if (code != Z_STREAM_END || stream.avail_in != 0 || stream.avail_out != 0)
        return file_damaged(error, store_file(store), "is damaged (chunk %llu of its data cannot be inflated)",
                            (unsigned long long)chunk);
    return PDB_OK;
}
