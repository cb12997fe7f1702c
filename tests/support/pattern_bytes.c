#include "pattern_bytes.h"

static uint8_t byte(void *context, uint64_t offset)
{
    struct pattern_bytes *made = context;
    __atomic_fetch_add(&made->looks, 1, __ATOMIC_RELAXED);
    return made->damaged ? UINT8_MAX : made->bytes[offset];
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
    if (made->lacks > 0) {
        made->lacks--;
        return made->lacks % 2 == 0 ? error_set(error, PDB_NO_MEMORY, "not enough memory") : PDB_OK;
    }
    made->loads += made->in_file;
    made->in_file = false;
    *bytes = made->bytes;
    return PDB_OK;
}

static const uint8_t *loaded(void *context)
{
    const struct pattern_bytes *made = context;
    return made->in_file ? NULL : made->bytes;
}

const struct pattern_source *pattern_bytes_make(struct pattern_bytes *made, const uint8_t *bytes, bool in_file)
{
    *made = (struct pattern_bytes){
        .source = {made, false, byte, sound, load, loaded}, .bytes = bytes, .in_file = in_file};
    return &made->source;
}
