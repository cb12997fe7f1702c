/* between.c -- one pass over two arrays: what lies at i in the first meets what lies at i ^ mask in the second
 *
 * The arrays are cut into chunks, and the mask's bits above those of a chunk say which chunks meet. Two such lie side
 * by side in a tile, where the pass is one of a mask that has the bit between them, and the mask's other bits.
 */
#include "masks.h"

#include <string.h>

enum { TILE_BYTES = 1 << 15 }; /* which stays in a core's first cache */

struct between {
    uint8_t *first, *second;
    size_t chunk, mask; /* bytes of a chunk */
    masks_meet *meet;
};

static void pass_chunk(void *context, unsigned thread, uint64_t share)
{
    const struct between *between = context;
    const size_t chunk = between->chunk, within = between->mask % chunk, at = share * chunk;
    _Alignas(64) uint8_t tile[TILE_BYTES];
    uint8_t *first = between->first + at, *second = between->second + (at ^ (between->mask - within));
    (void)thread;
    memcpy(tile, first, chunk);
    memcpy(tile + chunk, second, chunk);
    between->meet(tile, 2 * chunk, chunk | within);
    memcpy(first, tile, chunk);
    memcpy(second, tile + chunk, chunk);
}

void masks_pass_between(uint8_t *first, uint8_t *second, size_t size, size_t mask, masks_meet *meet, struct team *team)
{
    struct between between = {first, second, size < TILE_BYTES / 2 ? size : TILE_BYTES / 2, mask, meet};
    team_run(team, size / between.chunk, pass_chunk, &between);
}
