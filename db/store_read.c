/* store_read.c -- reading a database: opening it, the look-up
 *
 * Opening trusts nothing: lmdb_check.c walks LMDB's structure, the header's checksum and every field are checked, and
 * the keys must be just those that the header implies. It then notes where each extent begins, so that a look-up is two
 * additions and a bit: nothing of LMDB is called, nothing is locked.
 *
 * A page of the data is checked at its first touch, and a bit remembers that. Two threads that come at the same time
 * both check it, which does no harm. The bits need no ordering among themselves or with anything else, for what they
 * speak of was in the file before any thread began. A chunk of deflated data is inflated at its first touch, and kept.
 */
#include "store_inner.h"
#include "deflated.h"
#include "files.h"
#include "lib/memory/pages.h"
#include "lmdb_check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN_ATTEMPTS = 8 };

/* -- opening -- */

pdb_status store_lmdb_failed(const struct store *store, int code, pdb_error *error)
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
            status = store_lmdb_failed(store, code, error);
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
    return code == 0 ? PDB_OK : store_lmdb_failed(store, code, error);
}

/* -- the records -- */

pdb_status store_record(const struct store *store, const char *key, uint64_t identity, const uint8_t **payload,
                        uint64_t *payload_bytes, pdb_error *error)
{
    char name[EXTENT_KEY_SIZE]; /* LMDB takes a pointer to non-const and only reads */
    MDB_val lmdb_key = {strlen(key), memcpy(name, key, strlen(key) + 1)};
    MDB_val value;
    int code = mdb_get(store->transaction, store->database, &lmdb_key, &value);
    if (code == MDB_NOTFOUND)
        return file_damaged(error, store->path, "is no database of pdb, or is damaged (it has no \"%s\")", key);
    if (code != 0)
        return store_lmdb_failed(store, code, error);
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
    pdb_status status = store_record(store, key, store->identity, &payload, &bytes, error);
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
    pdb_status status = store_record(store, "header", HEADER_IDENTITY, &payload, &bytes, error);
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
            return store_lmdb_failed(store, code, error);
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
        return store_lmdb_failed(store, code, error);
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
        return store_lmdb_failed(store, code, error);
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

/* Where a byte of what is kept lies. */
struct place {
    uint64_t extent, within, page;
    bool checked;
};

static inline struct place place_of(const struct store *store, uint64_t offset)
{
    const uint64_t extent = offset / EXTENT_BYTES, within = offset % EXTENT_BYTES,
                   page = (within + PAGE_LEAD) / PAGE_BYTES,
                   bits = atomic_load_explicit(&store->checked[extent * WORDS_PER_EXTENT + page / 64],
                                               memory_order_relaxed);
    return (struct place){extent, within, page, (bits >> page % 64 & 1) != 0};
}

/* As store_at, of what is kept. */
static const uint8_t *at_kept(const struct store *store, uint64_t offset, uint64_t *run, pdb_error *error)
{
    const struct place at = place_of(store, offset);
    if (!at.checked && !check_page(store, at.extent, at.page, error))
        return NULL;
    *run = page_end(at.page, extent_bytes(at.extent, store->header.kept_bytes)) - at.within;
    return store->extents[at.extent] + at.within;
}

void store_expect(const struct store *store, uint64_t offset)
{
    if (store->chunks != NULL || offset >= store->header.data_bytes)
        return;
    const struct place at = place_of(store, offset);
    const uint8_t *value = store->extents[at.extent];
    __builtin_prefetch(value + at.within);
    if (at.checked)
        return;
    __builtin_prefetch(value + page_begin(at.page));
    __builtin_prefetch(value + extent_bytes(at.extent, store->header.kept_bytes) + at.page * CHECKSUM_BYTES);
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

/* Extents are put in their order, so they lie in it, but for a short last one. */
void store_hint(const struct store *store)
{
    const uint64_t extents = extent_count(store->header.kept_bytes);
    if (extents > 1 && store->extents[extents - 2] >= store->extents[0])
        pages_hint(store->extents[0], (uint64_t)(store->extents[extents - 2] - store->extents[0]) + EXTENT_BYTES);
}
