/* deflated.c -- data that are kept deflated; the one file that takes in zlib */
#include "deflated.h"
#include "files.h"
#include "lib/memory/pages.h"
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
    const uint8_t *data;              /* NULL where they come from a: */
    const struct byte_source *source; /* by batches, into: */
    uint8_t *room;
    uint64_t data_bytes;
    uint64_t count; /* of chunks */
    struct team *team;
    uint8_t *out;        /* the chunks' ends, and behind them, where the data lie in memory, what they deflate to */
    uint64_t used, most; /* bytes that come out, and how many they may become */
    uint64_t first;      /* chunk of the batch, and what its chunks deflate to */
    const uint8_t *input;
    uint8_t (*batch)[DEFLATED_MAX];
    uint64_t size[BATCH_CHUNKS]; /* 0 where memory ran out; AGAIN where it is the same data as in the one before */
    z_stream *stream;            /* of each thread; without a state until it has a chunk to deflate */
};

#define AGAIN UINT64_MAX

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
    z_stream *stream = &deflation->stream[thread];
    const uint8_t *input = deflation->input + share * CHUNK_BYTES;
    const uint64_t bytes = chunk_bytes(deflation->first + share, deflation->data_bytes);
    const bool again = share > 0 && bytes == CHUNK_BYTES && memcmp(input - CHUNK_BYTES, input, CHUNK_BYTES) == 0;
    deflation->size[share] = again ? AGAIN : 0;
    if (again || !ready(stream))
        return;
    stream->next_in = input;
    stream->avail_in = (uInt)bytes;
    stream->next_out = deflation->batch[share];
    stream->avail_out = DEFLATED_MAX;
    if (deflate(stream, Z_FINISH) == Z_STREAM_END)
        deflation->size[share] = stream->total_out;
}

/* Has the data of a batch in memory. */
static pdb_status read_batch(struct deflation *deflation, uint64_t count, pdb_error *error)
{
    const uint64_t first = deflation->first * CHUNK_BYTES, left = deflation->data_bytes - first,
                   bytes = left < count * CHUNK_BYTES ? left : count * CHUNK_BYTES;
    deflation->input = deflation->data != NULL ? deflation->data + first : deflation->room;
    for (uint64_t done = 0, run; deflation->data == NULL && done < bytes; done += run) {
        const uint8_t *at = deflation->source->at(deflation->source->context, first + done, &run, error);
        if (at == NULL)
            return error->status;
        run = run < bytes - done ? run : bytes - done;
        memcpy(deflation->room + done, at, run);
    }
    return PDB_OK;
}

/* Deflates the next chunks. */
static pdb_status deflate_batch(struct deflation *deflation, uint64_t *count, pdb_error *error)
{
    const uint64_t left = deflation->count - deflation->first;
    *count = left < BATCH_CHUNKS ? left : BATCH_CHUNKS;
    pdb_status status = read_batch(deflation, *count, error);
    if (status == PDB_OK)
        team_run(deflation->team, *count, deflate_chunk, deflation);
    for (uint64_t i = 0; status == PDB_OK && i < *count; i++)
        if (deflation->size[i] == 0)
            status = error_no_memory(error, "deflating the data", DEFLATED_MAX);
    return status;
}

/* The next chunks' ends, and what they deflate to where it is kept; *fits becomes false where they take too much. */
static pdb_status join_batch(struct deflation *deflation, bool *fits, pdb_error *error)
{
    uint64_t count;
    const pdb_status status = deflate_batch(deflation, &count, error);
    for (uint64_t i = 0, from = 0; status == PDB_OK && i < count; i++, deflation->first++) {
        from = deflation->size[i] == AGAIN ? from : i; /* many may be the same: of states that reach no goal */
        const uint64_t size = deflation->size[from];
        *fits = size <= deflation->most - deflation->used;
        if (!*fits)
            return PDB_OK;
        if (deflation->data != NULL)
            memcpy(deflation->out + deflation->used, deflation->batch[from], size);
        deflation->used += size;
        memcpy(deflation->out + deflation->first * CHUNK_END_BYTES, &deflation->used, CHUNK_END_BYTES);
    }
    return status;
}

/* Chunks that are deflated before they are joined. */
static uint64_t batch_chunks(uint64_t data_bytes)
{
    const uint64_t count = chunk_count(data_bytes);
    return count < BATCH_CHUNKS ? count : BATCH_CHUNKS;
}

uint64_t deflate_memory(uint64_t data_bytes, unsigned threads, bool from_source)
{
    const uint64_t zlib = (1 << (WINDOW_BITS + 2)) + (1 << (MEMORY_LEVEL + 9)) + (1 << 14); /* as zlib.h has it */
    const uint64_t batch = batch_chunks(data_bytes);
    /* Each batch may come to other threads. */
    const uint64_t streams = batch == chunk_count(data_bytes) && batch < threads ? batch : threads;
    if (threads == 0 || data_bytes <= PAGE_BYTES)
        return 0;
    return (from_source ? chunk_count(data_bytes) * CHUNK_END_BYTES + batch * CHUNK_BYTES
                        : data_bytes - data_bytes / 4) +
           batch * DEFLATED_MAX + streams * zlib + threads * sizeof(z_stream);
}

static unsigned threads_of(const struct team *team)
{
    return team != NULL && team->threads > 0 ? team->threads : 1;
}

static void deflation_end(struct deflation *deflation)
{
    for (unsigned t = 0; deflation->stream != NULL && t < threads_of(deflation->team); t++)
        deflateEnd(&deflation->stream[t]);
    free(deflation->stream);
    free(deflation->batch);
    free(deflation->room);
}

/* Of data and a team: all chunks once. False where less than a quarter is saved. */
static pdb_status deflate_all(struct deflation *deflation, uint64_t data_bytes, const struct store_task *task,
                              bool *fits, pdb_error *error)
{
    const uint64_t batch = batch_chunks(data_bytes);
    deflation->data_bytes = data_bytes;
    deflation->count = chunk_count(data_bytes);
    deflation->most = data_bytes - data_bytes / 4;
    deflation->used = deflation->count * CHUNK_END_BYTES;
    deflation->out = pages_take(deflation->data != NULL ? deflation->most : deflation->used);
    deflation->batch = malloc(batch * sizeof *deflation->batch);
    deflation->room = malloc(deflation->data != NULL ? 1 : batch * CHUNK_BYTES);
    deflation->stream = calloc(threads_of(deflation->team), sizeof *deflation->stream);
    pdb_status status = PDB_OK;
    if (deflation->out == NULL || deflation->batch == NULL || deflation->room == NULL || deflation->stream == NULL)
        status = error_no_memory(error, "the deflated data", deflation->most);
    while (status == PDB_OK && *fits && deflation->first < deflation->count) {
        status = join_batch(deflation, fits, error);
        const uint64_t done = deflation->first * CHUNK_BYTES;
        if (status == PDB_OK && task->progress != NULL &&
            !task->progress(task->context, done < data_bytes ? done : data_bytes))
            status = error_set(error, PDB_INTERRUPTED, "stopped while deflating the data");
    }
    return status;
}

pdb_status deflate_data(const uint8_t *data, struct store_header *header, const struct store_task *task,
                        struct team *team, uint8_t **out, pdb_error *error)
{
    struct deflation deflation = {.data = data, .team = team};
    bool fits = header->data_bytes > PAGE_BYTES;
    *out = NULL;
    if (!fits)
        return PDB_OK;
    pdb_status status = deflate_all(&deflation, header->data_bytes, task, &fits, error);
    deflation_end(&deflation);
    if (status == PDB_OK && fits) {
        *out = deflation.out;
        header->kept_bytes = deflation.used;
    } else {
        free(deflation.out);
    }
    return status;
}

/* -- to deflated bytes that are not kept -- */

struct deflater {
    struct deflation deflation;
    uint64_t first, past;  /* what lies in deflation.batch, chunk behind chunk, of what comes out */
    struct deflater *self; /* context of a source, which is not to be changed */
};

pdb_status deflater_open(const struct byte_source *data, struct store_header *header, const struct store_task *task,
                         struct team *team, struct deflater **out, pdb_error *error)
{
    bool fits = header->data_bytes > PAGE_BYTES;
    *out = NULL;
    if (!fits)
        return PDB_OK;
    struct deflater *deflater = calloc(1, sizeof *deflater);
    if (deflater == NULL)
        return error_no_memory(error, "the deflated data", sizeof *deflater);
    struct deflation *deflation = &deflater->deflation;
    *deflater = (struct deflater){.deflation = {.source = data, .team = team}, .self = deflater};
    pdb_status status = deflate_all(deflation, header->data_bytes, task, &fits, error);
    if (status != PDB_OK || !fits) {
        deflater_free(deflater);
        return status;
    }
    header->kept_bytes = deflation->used;
    deflation->first = 0;
    deflater->first = deflater->past = deflation->count * CHUNK_END_BYTES;
    *out = deflater;
    return PDB_OK;
}

void deflater_free(struct deflater *deflater)
{
    if (deflater == NULL)
        return;
    deflation_end(&deflater->deflation);
    free(deflater->deflation.out);
    free(deflater);
}

/* Deflates the next chunks anew, and moves them together. */
static pdb_status next_batch(struct deflater *deflater, pdb_error *error)
{
    struct deflation *deflation = &deflater->deflation;
    uint8_t *end = (uint8_t *)deflation->batch;
    uint64_t count;
    pdb_status status = deflate_batch(deflation, &count, error);
    deflater->first = deflater->past;
    for (uint64_t i = 0, size = 0; status == PDB_OK && i < count; i++, deflation->first++) {
        const bool again = deflation->size[i] == AGAIN;
        size = again ? size : deflation->size[i];
        memmove(end, again ? end - size : deflation->batch[i], size);
        end += size;
        deflater->past += size;
    }
    return status;
}

static const uint8_t *deflated_at(const void *context, uint64_t offset, uint64_t *run, pdb_error *error)
{
    struct deflater *deflater = *(struct deflater *const *)context;
    const uint64_t ends = deflater->deflation.count * CHUNK_END_BYTES;
    if (offset < ends) {
        *run = ends - offset;
        return deflater->deflation.out + offset;
    }
    while (offset >= deflater->past)
        if (next_batch(deflater, error) != PDB_OK)
            return NULL;
    *run = deflater->past - offset;
    return (const uint8_t *)deflater->deflation.batch + (offset - deflater->first);
}

struct byte_source deflater_source(const struct deflater *deflater)
{
    return (struct byte_source){deflated_at, &deflater->self};
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
