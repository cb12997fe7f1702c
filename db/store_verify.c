/* store_verify.c -- the complete check of a database: every page, the digest of all, and LMDB's own structure */
#include "store_inner.h"
#include "files.h"
#include "lib/team.h"
#include "lmdb_check.h"

#include <pthread.h>
#include <string.h>

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
    pdb_status status = store_record(store, key, store->identity, &value, &bytes, error);
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
        return store_lmdb_failed(store, code, error);
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
