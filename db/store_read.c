/* store_read.c -- reading a database: opening it, the look-up, the complete check
 *
 * Opening trusts nothing: lmdb_check.c walks LMDB's structure, the header's checksum and every field are checked, and
 * the keys must be just those that the header implies. It then notes where each extent begins, so that a look-up is two
 * additions and a bit: nothing of LMDB is called, nothing is locked.
 *
 * A page of the data is checked at its first touch, and a bit remembers that. Two threads that come at the same time
 * both check it, which does no harm. The bits need no ordering among themselves or with anything else, for what they
 * speak of was in the file before any thread began. A chunk of deflated data is inflated at its first touch, and kept.
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
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    OPEN_ATTEMPTS = 8,
    WORDS_PER_EXTENT = (EXTENT_PAGES + 63) / 64 /* bits for the pages of an extent; the last one stands for none */
};

struct store {
    const uint8_t **extents;    /* where each extent's payload begins */
    _Atomic uint64_t *checked;  /* WORDS_PER_EXTENT words an extent, a bit a page: its checksum was found right */
    _Atomic(uint8_t *) *chunks; /* of deflated data: each once it is inflated, NULL before; else no array */
    struct store_header header;
    uint64_t identity;
    uint64_t file_bytes;
    char *path;
    json_t *texts; /* the header's JSON, which owns its texts */
    MDB_env *environment;
    MDB_txn *transaction;
    MDB_dbi database;
};

/* -- opening -- */

static pdb_status lmdb_failed(const struct store *store, int code, pdb_error *error)
{
    if (code > 0)
        return file_failed(error, "read", store->path, code);
    return file_damaged(error, store->path, "is damaged (LMDB says: %s)", mdb_strerror(code));
}

/* O_NONBLOCK, so that a FIFO of this name is refused and not waited for. */
static pdb_status open_regular(const char *path, int *out, uint64_t *bytes, pdb_error *error)
{
    struct stat properties;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0 && errno == ENOENT)
        return error_set(error, PDB_NO_DATABASE, "there is no database %s; make it with `pdb-gen`", path);
    if (file < 0)
        return file_failed(error, "read", path, errno);
    if (fstat(file, &properties) != 0 || !S_ISREG(properties.st_mode)) {
        close(file);
        return error_set(error, PDB_IO, "cannot read %s: it is %s, no database", path,
                         S_ISDIR(properties.st_mode) ? "a directory" : "no regular file");
    }
    *out = file;
    *bytes = (uint64_t)properties.st_size;
    return PDB_OK;
}

/* Checks the file and gives it to LMDB. LMDB opens it by name, so that a pdb-gen may put a new one there in between:
 * *replaced says so, and nothing else counts then. */
static pdb_status open_checked(struct store *store, bool *replaced, pdb_error *error)
{
    int file = -1, lmdb_file;
    *replaced = false;
    pdb_status status = open_regular(store->path, &file, &store->file_bytes, error);
    if (status != PDB_OK)
        return status;
    status = lmdb_check(file, store->path, store->file_bytes, false, error);
    if (status == PDB_OK) {
        int code = mdb_env_create(&store->environment);
        if (code == 0) /* the map is as long as the file, whatever the file says */
            code = mdb_env_set_mapsize(store->environment, store->file_bytes);
        if (code == 0)
            code = mdb_env_open(store->environment, store->path, MDB_RDONLY | MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOTLS, 0);
        if (code == 0)
            *replaced = mdb_env_get_fd(store->environment, &lmdb_file) != 0 || !file_same(file, lmdb_file);
        else
            status = lmdb_failed(store, code, error);
    }
    close(file);
    return status;
}

static pdb_status open_file(struct store *store, pdb_error *error)
{
    bool replaced = true;
    pdb_status status = PDB_OK;
    for (int attempt = 0; replaced && attempt < OPEN_ATTEMPTS; attempt++) {
        if (store->environment != NULL)
            mdb_env_close(store->environment);
        store->environment = NULL;
        status = open_checked(store, &replaced, error);
    }
    if (status == PDB_OK && replaced)
        status = error_set(error, PDB_IO, "cannot read %s: it keeps being replaced", store->path);
    if (status != PDB_OK)
        return status;
    int code = mdb_txn_begin(store->environment, NULL, MDB_RDONLY, &store->transaction);
    if (code == 0)
        code = mdb_dbi_open(store->transaction, NULL, 0, &store->database);
    return code == 0 ? PDB_OK : lmdb_failed(store, code, error);
}

/* -- the records -- */

/* The payload of a small record, all of it checked. */
static pdb_status read_record(const struct store *store, const char *key, uint64_t identity, const uint8_t **payload,
                              uint64_t *payload_bytes, pdb_error *error)
{
    char name[EXTENT_KEY_SIZE]; /* LMDB takes a pointer to non-const and only reads */
    MDB_val lmdb_key = {strlen(key), memcpy(name, key, strlen(key) + 1)};
    MDB_val value;
    int code = mdb_get(store->transaction, store->database, &lmdb_key, &value);
    if (code == MDB_NOTFOUND)
        return file_damaged(error, store->path, "is no database of pdb, or is damaged (it has no \"%s\")", key);
    if (code != 0)
        return lmdb_failed(store, code, error);
    if (!value_payload(value.mv_size, payload_bytes))
        return file_damaged(error, store->path, "is damaged (\"%s\" has an impossible length)", key);
    if (value_damage(value.mv_data, *payload_bytes, value_seed(key, identity), NULL) != 0)
        return file_damaged(error, store->path, "is damaged (\"%s\" does not fit its checksum)", key);
    *payload = value.mv_data;
    return PDB_OK;
}

/* Copies a list of numbers out of the file, where they may lie at any even address. */
static pdb_status read_numbers(const struct store *store, const char *key, size_t count, const uint64_t **out,
                               pdb_error *error)
{
    const uint8_t *payload;
    uint64_t bytes;
    pdb_status status = read_record(store, key, store->identity, &payload, &bytes, error);
    if (status != PDB_OK)
        return status;
    if (bytes != count * sizeof(uint64_t))
        return file_damaged(error, store->path, "is damaged (\"%s\" is not as long as the header says)", key);
    uint64_t *numbers = malloc(bytes);
    if (numbers == NULL)
        return error_no_memory(error, key, bytes);
    memcpy(numbers, payload, bytes);
    *out = numbers;
    return PDB_OK;
}

/* Header, histogram and hardest states. */
static pdb_status read_records(struct store *store, pdb_error *error)
{
    struct store_header *header = &store->header;
    const uint8_t *payload;
    uint64_t bytes;
    pdb_status status = read_record(store, "header", HEADER_IDENTITY, &payload, &bytes, error);
    if (status == PDB_OK)
        status = header_from_json(payload, bytes, store->path, header, &store->texts, error);
    if (status != PDB_OK)
        return status;
    store->identity = definition_identity(header->definition);
    status = read_numbers(store, "histogram", header->depths, &header->histogram, error);
    if (status == PDB_OK)
        status = read_numbers(store, "hardest", header->hardest_kept, &header->hardest_states, error);
    if (status != PDB_OK)
        return status;
    const char *fault = header_arrays_fault(header);
    return fault == NULL ? PDB_OK : file_damaged(error, store->path, "is damaged (%s)", fault);
}

/* -- the extents -- */

/* Goes through all keys, notes where the extents lie, and finds out whether there is any other key than there should
 * be. */
static pdb_status walk_keys(struct store *store, MDB_cursor *cursor, pdb_error *error)
{
    static const char *const others[] = {"hardest", "header", "histogram"};
    uint64_t kept_bytes = store->header.kept_bytes;
    uint64_t count = extent_count(kept_bytes);
    MDB_val key, value;
    for (uint64_t i = 0; i < count + 3; i++) {
        char name[EXTENT_KEY_SIZE];
        int code = mdb_cursor_get(cursor, &key, &value, i == 0 ? MDB_FIRST : MDB_NEXT);
        if (code != 0)
            return lmdb_failed(store, code, error);
        strcpy(name, i < count ? "" : others[i - count]);
        if (i < count)
            extent_key(i, name);
        if (key.mv_size != strlen(name) || memcmp(key.mv_data, name, key.mv_size) != 0)
            return file_damaged(error, store->path, "is damaged (its keys are not those that its header implies)");
        if (i >= count)
            continue;
        if (value.mv_size != value_bytes(extent_bytes(i, kept_bytes)))
            return file_damaged(error, store->path, "is damaged (\"%s\" is not as long as the header says)", name);
        store->extents[i] = value.mv_data;
    }
    return PDB_OK;
}

static pdb_status find_extents(struct store *store, pdb_error *error)
{
    MDB_stat sizes;
    MDB_cursor *cursor;
    uint64_t count = extent_count(store->header.kept_bytes);
    int code = mdb_stat(store->transaction, store->database, &sizes);
    if (code != 0)
        return lmdb_failed(store, code, error);
    if (sizes.ms_entries != count + 3) /* so that the count may be trusted with an allocation */
        return file_damaged(error, store->path, "is damaged (its keys are not those that its header implies)");
    store->extents = malloc(count * sizeof *store->extents);
    store->checked = calloc(count, WORDS_PER_EXTENT * sizeof *store->checked);
    if (store->extents == NULL || store->checked == NULL)
        return error_no_memory(error, "the places of the data",
                               count * (sizeof *store->extents + WORDS_PER_EXTENT * 8));
    if (store->header.deflated) { /* fewer than the bytes that are kept */
        store->chunks = calloc(chunk_count(store->header.data_bytes), sizeof *store->chunks);
        if (store->chunks == NULL)
            return error_no_memory(error, "the chunks of the data", chunk_count(store->header.data_bytes) * 8);
    }
    code = mdb_cursor_open(store->transaction, store->database, &cursor);
    if (code != 0)
        return lmdb_failed(store, code, error);
    pdb_status status = walk_keys(store, cursor, error);
    mdb_cursor_close(cursor);
    return status;
}

pdb_status store_open(const char *path, struct store **out, pdb_error *error)
{
    struct store *store = calloc(1, sizeof *store);
    if (store == NULL)
        return error_no_memory(error, "a store", sizeof *store);
    store->path = strdup(path);
    pdb_status status = store->path != NULL ? PDB_OK : error_no_memory(error, "a path", strlen(path) + 1);
    if (status == PDB_OK)
        status = open_file(store, error);
    if (status == PDB_OK)
        status = read_records(store, error);
    if (status == PDB_OK)
        status = find_extents(store, error);
    if (status == PDB_OK)
        *out = store;
    else
        store_close(store);
    return status;
}

static void free_numbers(const uint64_t *numbers)
{
    union {
        const uint64_t *numbers;
        void *memory;
    } ours = {.numbers = numbers}; /* the header shows them to all as const; we made them */
    free(ours.memory);
}

void store_close(struct store *store)
{
    if (store == NULL)
        return;
    if (store->transaction != NULL)
        mdb_txn_abort(store->transaction);
    if (store->environment != NULL)
        mdb_env_close(store->environment);
    free_numbers(store->header.histogram);
    free_numbers(store->header.hardest_states);
    json_decref(store->texts);
    free(store->extents);
    free(store->checked);
    for (uint64_t i = 0; store->chunks != NULL && i < chunk_count(store->header.data_bytes); i++)
        free(atomic_load_explicit(&store->chunks[i], memory_order_relaxed));
    free(store->chunks);
    free(store->path);
    free(store);
}

const struct store_header *store_header(const struct store *store)
{
    return &store->header;
}

const char *store_file(const struct store *store)
{
    return store->path;
}

uint64_t store_file_bytes(const struct store *store)
{
    return store->file_bytes;
}

/* -- look-up -- */

/* The first touch of a page. Out of line, and seldom: the look-up beside it stays small. */
__attribute__((noinline, cold)) static bool check_page(const struct store *store, uint64_t extent, uint64_t page,
                                                       pdb_error *error)
{
    char key[EXTENT_KEY_SIZE];
    extent_key(extent, key);
    if (!page_intact(store->extents[extent], extent_bytes(extent, store->header.kept_bytes), page,
                     value_seed(key, store->identity))) {
        file_damaged(error, store->path, "is damaged (page %u of \"%s\" does not fit its checksum)", (unsigned)page,
                     key);
        return false;
    }
    atomic_fetch_or_explicit(&store->checked[extent * WORDS_PER_EXTENT + page / 64], (uint64_t)1 << page % 64,
                             memory_order_relaxed);
    return true;
}

/* As store_at, of what is kept. */
static const uint8_t *at_kept(const struct store *store, uint64_t offset, uint64_t *run, pdb_error *error)
{
    uint64_t extent = offset / EXTENT_BYTES;
    uint64_t within = offset % EXTENT_BYTES;
    uint64_t page = (within + PAGE_LEAD) / PAGE_BYTES;
    uint64_t bits = atomic_load_explicit(&store->checked[extent * WORDS_PER_EXTENT + page / 64], memory_order_relaxed);
    if ((bits >> page % 64 & 1) == 0 && !check_page(store, extent, page, error))
        return NULL;
    *run = page_end(page, extent_bytes(extent, store->header.kept_bytes)) - within;
    return store->extents[extent] + within;
}

/* The first touch of a chunk: NULL with *error filled. Of threads that inflate it at the same time, one's stays. */
__attribute__((noinline, cold)) static const uint8_t *inflate_and_keep(const struct store *store, uint64_t chunk,
                                                                       pdb_error *error)
{
    const uint64_t size = chunk_bytes(chunk, store->header.data_bytes);
    uint8_t *inflated = malloc(size), *other = NULL;
    if (inflated == NULL)
        error_no_memory(error, "inflating the data", size);
    else if (inflate_chunk(store, at_kept, chunk, inflated, error) != PDB_OK) {
        free(inflated);
        inflated = NULL;
    } else if (!atomic_compare_exchange_strong_explicit(&store->chunks[chunk], &other, inflated, memory_order_acq_rel,
                                                        memory_order_acquire)) {
        free(inflated);
        inflated = other;
    }
    return inflated;
}

const uint8_t *store_at(const struct store *store, uint64_t offset, uint64_t *run, pdb_error *error)
{
    if (offset >= store->header.data_bytes) {
        error_set(error, PDB_BAD_USAGE, "%s has no data byte %llu: it has %llu", store->path,
                  (unsigned long long)offset, (unsigned long long)store->header.data_bytes);
        return NULL;
    }
    if (store->chunks == NULL)
        return at_kept(store, offset, run, error);
    const uint64_t chunk = offset / CHUNK_BYTES, within = offset % CHUNK_BYTES;
    const uint8_t *inflated = atomic_load_explicit(&store->chunks[chunk], memory_order_acquire);
    if (inflated == NULL)
        inflated = inflate_and_keep(store, chunk, error);
    if (inflated == NULL)
        return NULL;
    *run = chunk_bytes(chunk, store->header.data_bytes) - within;
    return inflated + within;
}

const uint8_t *store_read(const struct store *store, uint64_t offset, uint8_t room[STORE_READ_BYTES], uint64_t *run,
                          pdb_error *error)
{
    if (store->chunks == NULL || offset >= store->header.data_bytes)
        return store_at(store, offset, run, error);
    const uint64_t chunk = offset / CHUNK_BYTES, within = offset % CHUNK_BYTES;
    *run = chunk_bytes(chunk, store->header.data_bytes) - within;
    return inflate_chunk(store, at_kept, chunk, room, error) == PDB_OK ? room + within : NULL;
}

/* -- the complete check -- */

/* A check of all pages, and what it has found. */
struct findings {
    const struct store *store;
    const struct store_task *task;
    pthread_mutex_t lock;
    uint64_t done; /* bytes */
    bool stopped;
    uint64_t damaged_pages;
    uint64_t first_extent; /* the first extent with a damaged page, and that page */
    uint64_t first_page;
};

static void verify_extent(void *context, unsigned thread, uint64_t extent)
{
    struct findings *findings = context;
    const struct store *store = findings->store;
    const struct store_task *task = findings->task;
    const uint64_t bytes = extent_bytes(extent, store->header.kept_bytes);
    char key[EXTENT_KEY_SIZE];
    uint64_t first_page;
    if (__atomic_load_n(&findings->stopped, __ATOMIC_RELAXED))
        return;
    extent_key(extent, key);
    const uint64_t damaged = value_damage(store->extents[extent], bytes, value_seed(key, store->identity), &first_page);
    if (damaged > 0) {
        pthread_mutex_lock(&findings->lock);
        if (findings->damaged_pages == 0 || extent < findings->first_extent) {
            findings->first_extent = extent;
            findings->first_page = first_page;
        }
        findings->damaged_pages += damaged;
        pthread_mutex_unlock(&findings->lock);
    }
    const uint64_t done = __atomic_add_fetch(&findings->done, bytes, __ATOMIC_RELAXED);
    if (task->progress != NULL && thread == 0 && !task->progress(task->context, done))
        __atomic_store_n(&findings->stopped, true, __ATOMIC_RELAXED);
}

/* Every page of the data; false where the caller wished to stop. Only the calling thread calls `progress`. */
static bool verify_data(struct findings *findings)
{
    const struct store_task *task = findings->task;
    const uint64_t kept_bytes = findings->store->header.kept_bytes;
    team_once(task->threads, extent_count(kept_bytes), verify_extent, findings);
    /* The caller may have had none of the work above. */
    return !findings->stopped && (task->progress == NULL || task->progress(task->context, kept_bytes));
}

static pdb_status add_record(const struct store *store, const char *key, struct content_digest *digest,
                             pdb_error *error)
{
    const uint8_t *value;
    uint64_t bytes;
    pdb_status status = read_record(store, key, store->identity, &value, &bytes, error);
    if (status == PDB_OK)
        content_digest_add(digest, value, bytes);
    return status;
}

static pdb_status stopped_checking(const struct store *store, pdb_error *error)
{
    return error_set(error, PDB_INTERRUPTED, "stopped while checking %s", store->path);
}

/* A second pass over the data, in order; `progress` is asked whether to go on, all bytes being done already. */
static pdb_status verify_digest(const struct store *store, const struct store_task *task, pdb_error *error)
{
    uint8_t found[STORE_DIGEST_BYTES];
    uint64_t kept_bytes = store->header.kept_bytes;
    struct content_digest *digest = content_digest_new();
    if (digest == NULL)
        return error_no_memory(error, "a digest", 1024);
    pdb_status status = PDB_OK;
    for (uint64_t extent = 0; status == PDB_OK && extent < extent_count(kept_bytes); extent++) {
        content_digest_add(digest, store->extents[extent], extent_bytes(extent, kept_bytes));
        if (task->progress != NULL && !task->progress(task->context, kept_bytes))
            status = stopped_checking(store, error);
    }
    if (status == PDB_OK)
        status = add_record(store, "hardest", digest, error);
    if (status == PDB_OK)
        status = add_record(store, "histogram", digest, error);
    content_digest_result(digest, found);
    content_digest_free(digest);
    if (status == PDB_OK && memcmp(found, store->header.content, sizeof found) != 0)
        status = file_damaged(error, store->path, "is damaged (its content is not what its header says)");
    return status;
}

pdb_status store_check_content(const struct store *store, pdb_error *error)
{
    return verify_digest(store, &(struct store_task){0}, error);
}

pdb_status store_verify(const struct store *store, const struct store_task *task, pdb_error *error)
{
    struct findings findings = {.store = store, .task = task, .lock = PTHREAD_MUTEX_INITIALIZER};
    int file; /* as it was opened, for another may stand under its name by now */
    int code = mdb_env_get_fd(store->environment, &file);
    if (code != 0)
        return lmdb_failed(store, code, error);
    pdb_status status = lmdb_check(file, store->path, store->file_bytes, true, error);
    if (status != PDB_OK)
        return status;
    if (!verify_data(&findings))
        return stopped_checking(store, error);
    if (findings.damaged_pages > 0)
        return file_damaged(error, store->path,
                            "is damaged (%llu pages do not fit their checksums, the first is page %u of \"data %08x\")",
                            (unsigned long long)findings.damaged_pages, (unsigned)findings.first_page,
                            (unsigned)findings.first_extent);
    return verify_digest(store, task, error);
}
