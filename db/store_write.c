/* store_write.c -- making a database: the lock, the LMDB file, its publication
 *
 * The writer's lock is an flock on NAME.pdb.new, the file that becomes the database: it costs no file of its own, and
 * dies with the process.
 *
 * LMDB writes with MDB_NOSYNC, for a file that nobody can see needs no safety from crashes: one fsync before the rename
 * does. Keys go in in ascending order (MDB_APPEND), in transactions of a few extents, so that memory stays small; where
 * a transaction ends follows from the data's length, and so does the size of the map, which LMDB keeps in the file.
 * Hence equal arguments give equal bytes.
 */
#include "store.h"
#include "deflated.h"
#include "files.h"
#include "lib/team.h"
#include "lmdb_check.h"
#include "page_checksum.h"
#include "store_header.h"

#include <errno.h>
#include <fcntl.h>
#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    EXTENTS_PER_TRANSACTION = 2, /* 4 MiB of dirty pages, so that rank 0 has little more than others */
    MAP_SPARE_PAGES = 256        /* room for the header, the tree and its old pages */
};

struct store_writer {
    char directory[PATH_MAX];
    char path[PATH_MAX];      /* NAME.pdb */
    char temporary[PATH_MAX]; /* NAME.pdb.new */
    int file;                 /* the temporary file, locked; -1 before that */
};

/* -- the lock -- */

static void writer_free(struct store_writer *writer)
{
    if (writer->file >= 0)
        close(writer->file);
    free(writer);
}

void store_abandon(struct store_writer *writer)
{
    if (writer == NULL)
        return;
    /* After a rename the name is free for another writer, whose file is none of our business. */
    if (writer->file >= 0 && file_named(writer->file, writer->temporary))
        unlink(writer->temporary);
    writer_free(writer);
}

static pdb_status writer_prepare(struct store_writer *writer, const char *directory, const char *name, pdb_error *error)
{
    struct stat properties;
    pdb_status status = file_path(directory, name, ".pdb", writer->path, error);
    if (status == PDB_OK)
        status = file_path(directory, name, ".pdb.new", writer->temporary, error);
    if (status == PDB_OK)
        status = file_make_directory(directory, error);
    if (status != PDB_OK)
        return status;
    strcpy(writer->directory, directory); /* shorter than a path that has fitted */
    if (stat(writer->path, &properties) == 0 && S_ISDIR(properties.st_mode))
        return file_failed(error, "write", writer->path, EISDIR);
    pdb_status locked = file_open_locked(writer->temporary, "making this database", &writer->file, error);
    if (locked == PDB_OK && ftruncate(writer->file, 0) != 0)
        locked = file_failed(error, "write", writer->temporary, errno);
    return locked;
}

pdb_status store_create(const char *directory, const char *name, struct store_writer **out, pdb_error *error)
{
    struct store_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL)
        return error_no_memory(error, "a writer", sizeof *writer);
    writer->file = -1;
    pdb_status status = writer_prepare(writer, directory, name, error);
    if (status == PDB_OK)
        *out = writer;
    else
        store_abandon(writer);
    return status;
}

pdb_status store_holds(const struct store_writer *writer, pdb_error *error)
{
    return file_named(writer->file, writer->temporary) ? PDB_OK : file_taken_away(error, writer->temporary);
}

/* -- the records -- */

/* One publication under way. */
struct publication {
    const struct store_writer *writer;
    struct store_header header;
    uint64_t identity;
    const uint8_t *kept; /* the data as the file has them; NULL where they come from a: */
    const struct byte_source *source;
    const struct store_task *task;
    MDB_env *environment;
    MDB_txn *transaction; /* NULL between two */
    MDB_dbi database;
    struct content_digest *digest;
    struct team team;
    pdb_error *error;
};

/* A small record made beforehand: the header is written before the histogram, but has the histogram's digest in it. */
struct record {
    uint8_t *value;
    uint64_t payload_bytes;
};

/* LMDB's own numbers are negative, the system's are positive. Where a write came out short, LMDB says EIO or ENOSPC. */
static pdb_status lmdb_failed(const struct publication *publication, int code)
{
    const char *path = publication->writer->temporary;
    errno = code; /* for %m, which is strerror for threads */
    if (code == EIO || code == ENOSPC)
        return error_set(publication->error, PDB_IO,
                         "cannot write %s: %m (the disk may be full, or a limit on files' sizes reached)", path);
    if (code > 0)
        return file_failed(publication->error, "write", path, code);
    return error_set(publication->error, PDB_IO, "cannot write %s: %s", path, mdb_strerror(code));
}

static pdb_status begin(struct publication *publication)
{
    int code = mdb_txn_begin(publication->environment, NULL, 0, &publication->transaction);
    if (code == 0)
        code = mdb_dbi_open(publication->transaction, NULL, 0, &publication->database);
    return code == 0 ? PDB_OK : lmdb_failed(publication, code);
}

static pdb_status commit(struct publication *publication)
{
    int code = mdb_txn_commit(publication->transaction);
    publication->transaction = NULL;
    return code == 0 ? PDB_OK : lmdb_failed(publication, code);
}

/* Room for the value of a key. LMDB keeps values of a page and more where they are until the transaction ends (an
 * extent's, but for that of a short last one, which is the last thing that is put); that of a smaller one lasts until
 * the next call. */
static pdb_status reserve(struct publication *publication, const char *key, uint64_t payload_bytes, uint8_t **value)
{
    union {
        const char *text;
        void *bytes;
    } name = {.text = key}; /* LMDB takes a pointer to non-const and only reads */
    MDB_val lmdb_key = {strlen(key), name.bytes};
    MDB_val lmdb_value = {value_bytes(payload_bytes), NULL};
    int code = mdb_put(publication->transaction, publication->database, &lmdb_key, &lmdb_value,
                       MDB_APPEND | MDB_RESERVE);
    if (code != 0)
        return lmdb_failed(publication, code);
    *value = lmdb_value.mv_data;
    return PDB_OK;
}

/* Extents that there is room for. */
struct sealing {
    const struct publication *publication;
    uint64_t first;
    char key[EXTENTS_PER_TRANSACTION][EXTENT_KEY_SIZE];
    uint8_t *value[EXTENTS_PER_TRANSACTION];
};

static void seal_extent(void *context, unsigned thread, uint64_t i)
{
    const struct sealing *sealing = context;
    const struct publication *publication = sealing->publication;
    const uint64_t extent = sealing->first + i;
    (void)thread;
    value_seal(
        sealing->value[i], publication->kept == NULL ? sealing->value[i] : publication->kept + extent * EXTENT_BYTES,
        extent_bytes(extent, publication->header.kept_bytes), value_seed(sealing->key[i], publication->identity));
}

/* Puts data that come from a source where they are to be. */
static pdb_status fill_extent(struct publication *publication, uint64_t extent, uint8_t *value)
{
    const uint64_t bytes = extent_bytes(extent, publication->header.kept_bytes);
    for (uint64_t done = 0, run; done < bytes; done += run) {
        const uint8_t *at = publication->source->at(publication->source->context, extent * EXTENT_BYTES + done, &run,
                                                    publication->error);
        if (at == NULL)
            return publication->error->status;
        run = run < bytes - done ? run : bytes - done;
        memcpy(value + done, at, run);
    }
    return PDB_OK;
}

/* `count` extents from `first` on: room for all of them is made in the transaction, then all threads fill it. */
static pdb_status put_extents(struct publication *publication, uint64_t first, unsigned count)
{
    const uint64_t kept_bytes = publication->header.kept_bytes;
    const struct store_task *task = publication->task;
    struct sealing sealing = {.publication = publication, .first = first};
    for (unsigned i = 0; i < count; i++) {
        extent_key(first + i, sealing.key[i]);
        pdb_status status = reserve(publication, sealing.key[i], extent_bytes(first + i, kept_bytes),
                                    &sealing.value[i]);
        if (status == PDB_OK && publication->kept == NULL)
            status = fill_extent(publication, first + i, sealing.value[i]);
        if (status != PDB_OK)
            return status;
    }
    team_run(&publication->team, count, seal_extent, &sealing);
    for (unsigned i = 0; i < count; i++)
        content_digest_add(publication->digest, sealing.value[i], extent_bytes(first + i, kept_bytes));
    uint64_t done = (first + count) * EXTENT_BYTES;
    if (done >= kept_bytes || kept_bytes < publication->header.data_bytes) /* of deflated data all was counted before */
        done = publication->header.data_bytes;
    if (task->progress != NULL && !task->progress(task->context, done))
        return error_set(publication->error, PDB_INTERRUPTED, "stopped while writing %s", publication->writer->path);
    return PDB_OK;
}

/* All extents; the last transaction stays open for the small records. */
static pdb_status put_data(struct publication *publication)
{
    const uint64_t count = extent_count(publication->header.kept_bytes);
    pdb_status status = begin(publication);
    for (uint64_t first = 0; status == PDB_OK && first < count; first += EXTENTS_PER_TRANSACTION) {
        const uint64_t left = count - first;
        if (first > 0) {
            status = commit(publication);
            /* A hint, no more: the disk may begin on it, so that the last fsync finds little left. */
            sync_file_range(publication->writer->file, 0, 0, SYNC_FILE_RANGE_WRITE);
            if (status == PDB_OK)
                status = begin(publication);
        }
        if (status == PDB_OK)
            status = put_extents(publication, first,
                                 left < EXTENTS_PER_TRANSACTION ? (unsigned)left : EXTENTS_PER_TRANSACTION);
    }
    return status;
}

static pdb_status make_record(const struct publication *publication, const char *key, uint64_t identity,
                              const void *payload, uint64_t bytes, struct record *record)
{
    record->payload_bytes = bytes;
    record->value = malloc(value_bytes(bytes));
    if (record->value == NULL)
        return error_no_memory(publication->error, key, value_bytes(bytes));
    value_seal(record->value, payload, bytes, value_seed(key, identity));
    return PDB_OK;
}

static pdb_status put_record(struct publication *publication, const char *key, const struct record *record)
{
    uint8_t *value = NULL;
    pdb_status status = reserve(publication, key, record->payload_bytes, &value);
    if (status == PDB_OK) /* NOLINTNEXTLINE(*NonNullParamChecker): LMDB gives room or fails */
        memcpy(value, record->value, value_bytes(record->payload_bytes));
    return status;
}

static pdb_status put_small_records(struct publication *publication)
{
    struct store_header described = publication->header, *header = &described;
    struct record hardest = {0}, histogram = {0}, description = {0};
    char *text = NULL;
    size_t size;
    pdb_status status = make_record(publication, "hardest", publication->identity, header->hardest_states,
                                    header->hardest_kept * sizeof *header->hardest_states, &hardest);
    if (status == PDB_OK)
        status = make_record(publication, "histogram", publication->identity, header->histogram,
                             header->depths * sizeof *header->histogram, &histogram);
    if (status == PDB_OK) {
        content_digest_add(publication->digest, hardest.value, hardest.payload_bytes);
        content_digest_add(publication->digest, histogram.value, histogram.payload_bytes);
        content_digest_result(publication->digest, header->content);
        status = header_to_json(header, &text, &size, publication->error);
    }
    if (status == PDB_OK)
        status = make_record(publication, "header", HEADER_IDENTITY, text, size, &description);
    if (status == PDB_OK)
        status = put_record(publication, "hardest", &hardest);
    if (status == PDB_OK)
        status = put_record(publication, "header", &description);
    if (status == PDB_OK)
        status = put_record(publication, "histogram", &histogram);
    free(text);
    free(hardest.value);
    free(histogram.value);
    free(description.value);
    return status;
}

/* -- the file -- */

static pdb_status open_environment(struct publication *publication)
{
    const struct store_writer *writer = publication->writer;
    const struct store_header *header = &publication->header;
    /* The map is larger than the file can get: each extent's pages and an ample share of the tree's. LMDB writes its
     * size into the file, so it follows from the header alone. */
    const uint64_t extents = extent_count(header->kept_bytes);
    const uint64_t pages = extents * (EXTENT_PAGES + 1) + extents / 16 +
                           value_pages(header->depths * sizeof *header->histogram) +
                           value_pages(header->hardest_kept * sizeof *header->hardest_states) + MAP_SPARE_PAGES;
    /* LMDB opens a file by its name, and makes one where there is none. This name is always that of the file that we
     * hold locked, whatever becomes of the other one. */
    char name[64];
    snprintf(name, sizeof name, "/proc/self/fd/%d", writer->file);
    const char *path = access(name, F_OK) == 0 ? name : writer->temporary;
    if (store_holds(writer, publication->error) != PDB_OK)
        return PDB_IO;
    int code = mdb_env_create(&publication->environment);
    if (code == 0)
        code = mdb_env_set_mapsize(publication->environment, pages * PAGE_BYTES);
    if (code == 0)
        code = mdb_env_open(publication->environment, path, MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOTLS | MDB_NOSYNC, 0666);
    if (code != 0)
        return lmdb_failed(publication, code);
    int file;
    if (mdb_env_get_fd(publication->environment, &file) != 0 || !file_same(file, writer->file))
        return file_taken_away(publication->error, writer->temporary);
    return PDB_OK;
}

static pdb_status write_file(struct publication *publication)
{
    publication->digest = content_digest_new();
    if (publication->digest == NULL)
        return error_no_memory(publication->error, "a digest", 1024);
    pdb_status status = open_environment(publication);
    if (status == PDB_OK)
        status = put_data(publication);
    if (status == PDB_OK)
        status = put_small_records(publication);
    if (status == PDB_OK)
        status = commit(publication);
    if (publication->transaction != NULL)
        mdb_txn_abort(publication->transaction);
    if (publication->environment != NULL)
        mdb_env_close(publication->environment);
    content_digest_free(publication->digest);
    return status;
}

/* What a reader would refuse must not take an old database's place: the structure is checked as a reader checks it. */
static pdb_status publish_file(const struct store_writer *writer, uint64_t *file_bytes, pdb_error *error)
{
    struct stat properties;
    if (fstat(writer->file, &properties) != 0)
        return file_failed(error, "read", writer->temporary, errno);
    pdb_status status = lmdb_check(writer->file, writer->temporary, (uint64_t)properties.st_size, true, error);
    if (status == PDB_OK)
        status = file_publish(writer->file, writer->temporary, writer->path, writer->directory, error);
    if (status == PDB_OK && file_bytes != NULL)
        *file_bytes = (uint64_t)properties.st_size;
    return status;
}

uint64_t store_publish_memory(uint64_t data_bytes, unsigned deflating, bool from_source)
{
    /* A transaction's extents wait in memory, and malloc may keep a share beside them; the tree and the small records
     * are the rest. */
    const uint64_t transaction = EXTENTS_PER_TRANSACTION * (uint64_t)EXTENT_BYTES;
    const uint64_t waiting = data_bytes < transaction ? data_bytes : transaction;
    return waiting + waiting / 4 + (1 << 20) + deflate_memory(data_bytes, deflating, from_source);
}

/* What the data deflate to: memory, or what makes it anew. */
struct deflated_data {
    uint8_t *bytes;
    struct deflater *deflater;
    struct byte_source source;
};

/* A header as the file has it, and the data. */
static pdb_status deflate_kept(struct publication *publication, struct store_header *header,
                               struct deflated_data *deflated)
{
    if (!header->deflated)
        return PDB_OK;
    if (publication->kept != NULL) {
        const pdb_status status = deflate_data(publication->kept, header, publication->task, &publication->team,
                                               &deflated->bytes, publication->error);
        if (deflated->bytes != NULL)
            publication->kept = deflated->bytes;
        return status;
    }
    const pdb_status status = deflater_open(publication->source, header, publication->task, &publication->team,
                                            &deflated->deflater, publication->error);
    if (deflated->deflater != NULL) {
        deflated->source = deflater_source(deflated->deflater);
        publication->source = &deflated->source;
    }
    return status;
}

/* A publication that has its data, task and error. */
static pdb_status publish(struct publication *publication, struct store_writer *writer,
                          const struct store_header *header, uint64_t *file_bytes)
{
    publication->writer = writer;
    publication->header = *header;
    publication->header.kept_bytes = header->data_bytes;
    publication->identity = definition_identity(header->definition);
    publication->team.threads = publication->task->threads;
    struct deflated_data deflated = {.bytes = NULL};
    pdb_status status = PDB_OK;
    const char *fault = header_fault(&publication->header);
    if (fault == NULL)
        fault = header_arrays_fault(header);
    if (fault != NULL)
        status = error_set(publication->error, PDB_BAD_USAGE, "cannot write %s: %s", writer->path, fault);
    if (status == PDB_OK)
        status = deflate_kept(publication, &publication->header, &deflated);
    if (status == PDB_OK)
        status = write_file(publication);
    deflater_free(deflated.deflater);
    team_end(&publication->team);
    if (status == PDB_OK)
        status = publish_file(writer, file_bytes, publication->error);
    if (status == PDB_OK)
        writer_free(writer);
    else
        store_abandon(writer);
    free(deflated.bytes);
    return status;
}

pdb_status store_publish(struct store_writer *writer, const struct store_header *header, const uint8_t *data,
                         const struct store_task *task, uint64_t *file_bytes, pdb_error *error)
{
    struct publication publication = {.kept = data, .task = task, .error = error};
    return publish(&publication, writer, header, file_bytes);
}

pdb_status store_publish_from(struct store_writer *writer, const struct store_header *header,
                              const struct byte_source *data, const struct store_task *task, uint64_t *file_bytes,
                              pdb_error *error)
{
    struct publication publication = {.source = data, .task = task, .error = error};
    return publish(&publication, writer, header, file_bytes);
}
