/* tables.c -- the bytes of a pattern database: looked up in its file, or read into memory */
#include "tables.h"
#include "lib/memory/pages.h"
#include "lib/team.h"

#include <pthread.h>
#include <stdlib.h>

enum { PART = 1 << 22 };

struct tables {
    struct pattern_source source;
    const struct store *store;
    unsigned threads;
    pthread_mutex_t loading;
    uint8_t *bytes; /* in memory; NULL until they are read */
    struct team_failure failure;
};

static uint8_t byte(void *context, uint64_t offset)
{
    struct tables *tables = context;
    uint64_t run;
    pdb_error cause;
    const uint8_t *at = store_at(tables->store, offset, &run, &cause);
    if (at == NULL)
        team_fail(&tables->failure, offset, &cause);
    return at != NULL ? *at : UINT8_MAX;
}

static void expect(void *context, uint64_t offset)
{
    const struct tables *tables = context;
    store_expect(tables->store, offset);
}

static pdb_status sound(void *context, pdb_error *error)
{
    struct tables *tables = context;
    pthread_mutex_lock(&tables->failure.lock);
    const pdb_status status = team_outcome(&tables->failure, error);
    pthread_mutex_unlock(&tables->failure.lock);
    return status;
}

struct loading {
    const struct store *store;
    pattern_observer *observe;
    void *observing;
    uint8_t *bytes;
    struct team_failure failure;
};

static void load_part(void *context, unsigned thread, uint64_t part)
{
    struct loading *loading = context;
    const uint64_t offset = part * PART, left = store_header(loading->store)->data_bytes - offset;
    pdb_error cause;
    (void)thread;
    if (team_failed(&loading->failure, part))
        return;
    if (loading->observe != NULL && !loading->observe(loading->observing, offset)) {
        error_set(&cause, PDB_INTERRUPTED, "interrupted while pattern databases were read");
        team_fail(&loading->failure, part, &cause);
        return;
    }
    if (store_copy(loading->store, offset, left < PART ? left : PART, loading->bytes + offset, &cause) != PDB_OK)
        team_fail(&loading->failure, part, &cause);
}

static const uint8_t *loaded(void *context)
{
    struct tables *tables = context;
    return __atomic_load_n(&tables->bytes, __ATOMIC_ACQUIRE);
}

static pdb_status read_all(struct tables *tables, pattern_observer *observe, void *observing, pdb_error *error)
{
    const uint64_t bytes = store_header(tables->store)->data_bytes;
    struct loading loading = {
        tables->store, observe, observing, pages_take(bytes), {.lock = PTHREAD_MUTEX_INITIALIZER}};
    if (loading.bytes == NULL)
        return error_no_memory(error, "the pattern databases", bytes);
    team_once(tables->threads, team_shares(bytes, PART), load_part, &loading);
    const pdb_status status = team_outcome(&loading.failure, error);
    if (status == PDB_OK)
        __atomic_store_n(&tables->bytes, loading.bytes, __ATOMIC_RELEASE);
    else
        free(loading.bytes);
    if (status == PDB_DAMAGED) /* told before what was looked up since, and to all searches from now on */
        team_fail(&tables->failure, 0, error);
    return status;
}

static pdb_status load(void *context, pattern_observer *observe, void *observing, const uint8_t **bytes,
                       pdb_error *error)
{
    struct tables *tables = context;
    *bytes = NULL;
    if (observe == NULL)
        pthread_mutex_lock(&tables->loading);
    else if (pthread_mutex_trylock(&tables->loading) != 0)
        return PDB_OK;
    const pdb_status status = tables->bytes == NULL ? read_all(tables, observe, observing, error) : PDB_OK;
    *bytes = tables->bytes;
    pthread_mutex_unlock(&tables->loading);
    return status;
}

pdb_status tables_open(const struct store *store, unsigned threads, uint64_t memory, struct tables **out,
                       pdb_error *error)
{
    const bool too_large = memory != 0 && store_header(store)->data_bytes > memory;
    struct tables *tables = *out = calloc(1, sizeof *tables);
    if (tables == NULL)
        return error_no_memory(error, "the pattern databases", sizeof *tables);
    *tables = (struct tables){.source = {tables, too_large, byte, expect, sound, load, loaded},
                              .store = store,
                              .threads = threads,
                              .loading = PTHREAD_MUTEX_INITIALIZER,
                              .failure = {.lock = PTHREAD_MUTEX_INITIALIZER}};
    if (!too_large)
        store_hint(store);
    return PDB_OK;
}

void tables_free(struct tables *tables)
{
    if (tables != NULL)
        free(tables->bytes);
    free(tables);
}

const struct pattern_source *tables_source(const struct tables *tables)
{
    return &tables->source;
}
