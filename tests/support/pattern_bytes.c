#include "pattern_bytes.h"

#include <time.h>

static bool is_damaged(const struct pattern_bytes *made)
{
    return __atomic_load_n(&made->damaged, __ATOMIC_RELAXED);
}

static uint8_t byte(void *context, uint64_t offset)
{
    struct pattern_bytes *made = context;
    if (__atomic_add_fetch(&made->looks, 1, __ATOMIC_RELAXED) == made->sound_looks)
        __atomic_store_n(&made->damaged, true, __ATOMIC_RELAXED);
    return is_damaged(made) ? UINT8_MAX : made->bytes[offset];
}

static void expect(void *context, uint64_t offset)
{
    const struct pattern_bytes *made = context;
    (void)*(const volatile uint8_t *)&made->bytes[offset]; /* it is there, or a sanitizer says so */
}

static pdb_status sound(void *context, pdb_error *error)
{
    const struct pattern_bytes *made = context;
    return is_damaged(made) ? error_set(error, PDB_DAMAGED, "damaged") : PDB_OK;
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
    for (unsigned i = 0; i < 100 && made->slow && status == PDB_OK; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
        if (!observe(observing, 0))
            status = error_set(error, PDB_INTERRUPTED, "interrupted");
    }
    if (made->torn) {
        __atomic_store_n(&made->damaged, true, __ATOMIC_RELAXED);
        status = error_set(error, PDB_DAMAGED, "damaged");
    } else if (status == PDB_OK && made->lacks > 0) {
        if (--made->lacks % 2 == 0)
            status = error_set(error, PDB_NO_MEMORY, "not enough memory");
    } else if (status == PDB_OK) {
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
