/* store_copy.c -- a run of a store's data, copied */
#include "store.h"

#include <string.h>

pdb_status store_copy(const struct store *store, uint64_t offset, uint64_t size, uint8_t *to, pdb_error *error)
{
    for (uint64_t done = 0, run; done < size; done += run) {
        const uint8_t *from = store_at(store, offset + done, &run, error);
        if (from == NULL)
            return error->status;
        run = run < size - done ? run : size - done;
        memcpy(to + done, from, run);
    }
    return PDB_OK;
}
