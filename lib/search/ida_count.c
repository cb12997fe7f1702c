/* ida_count.c -- how many shortest solutions a board has */
#include "ida_parts.h"
pdb_status ida_count(const struct searcher *searcher, const uint8_t *position, uint32_t distance,
                     search_observer *observe, void *context, unsigned __int128 *count, pdb_error *error)
{
    (void)searcher; (void)position; (void)distance; (void)observe; (void)context;
    *count = 0;
    return error_set(error, PDB_TOO_LARGE, "todo");
}
