#include "pattern_bytes.h"

static uint8_t byte(void *context, uint64_t offset)
{
    struct pattern_bytes *made = context;
    __atomic_fetch_add(&made->looks, 1, __ATOMIC_RELAXED);
    return made->damaged ? UINT8_MAX : made->bytes[offset];
}

static void expect(void *context, uint64_t offset)
{
    (void)context, (void)offset;
}

static pdb_status sound(void *context, pdb_error *error)
{
    const struct pattern_bytes *made = context;
    return made->damaged ? error_set(error, PDB_DAMAGED, "damaged") : PDB_OK;
}

static pdb_status load(void *context, pattern_observer *observe, void *observing, const uint8_t **bytes,
                       pdb_error *error)
{
    struct pattern_bytes *made = context;
    *bytes = NULL;
    if (observe != NULL && !observe(observing, 0))
        return error_set(error, PDB_INTERRUPTED, "interrupted");
    if (__atomic_test_and_set(&made->loading, __ATOMIC_ACQUIRE))
        return PDB_OK;
    pdb_status status = PDB_OK;
    if (made->lacks > 0) {
        if (--made->lacks % 2 == 0)
            status = error_set(error, PDB_NO_MEMORY, "not enough memory");
    } else {
        made->loads += made->in_file;
        __atomic_store_n(&made->in_file, false, __ATOMIC_RELAXED);
        *bytes = made->bytes;
    }
    __atomic_clear(&made->loading, __ATOMIC_RELEASE);
    return status;
}

static const uint8_t *loaded(void *context)
{
    const struct pattern_bytes *made = context;
    return __atomic_load_n(&made->in_file, __ATOMIC_RELAXED) ? NULL : made->bytes;
}

const struct pattern_source *pattern_bytes_make(struct pattern_bytes *made, const uint8_t *bytes, bool in_file)
{
    *made = (struct pattern_bytes){
        .source = {made, false, byte, expect, sound, load, loaded}, .bytes = bytes, .in_file = in_file};
    return &made->source;
}
