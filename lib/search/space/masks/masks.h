/* masks.h -- all distances at once where every move is an XOR: the room's header
 *
 * Here lives what finds the distances of all states of a puzzle whose moves are XORs of the index with numbers of their
 * own, the *masks*, which so commute and are their own inverses: buttons that change cells of two values (the family
 * flip). A pass a mask does it: passes.c says why, meet.c is a pass over what lies in a cache, between.c one over two
 * arrays, of which another rank may have the other. Nothing here knows puzzles: the searches (states.c, owned/masks.c)
 * ask a family for its masks.
 */
#ifndef SEARCH_SPACE_MASKS_H
#define SEARCH_SPACE_MASKS_H

#include "lib/team.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    MASKS_ROOM = 64, /* an array is a multiple of this long; what lies past its states is 255 and stays so */
    MASKS_MAX = 1024
};

/* -- meet.c -- */

/* One pass over a tile of `size` bytes (a power of two, 64 at least, aligned to 64): each byte i becomes the less of
 * itself and byte i ^ mask plus one; 255 is none and stays so. mask < size is not 0. */
typedef void masks_meet(uint8_t *tile, size_t size, size_t mask);
masks_meet masks_meet_portable;
masks_meet *masks_meet_best(void); /* the quickest on this machine */

static inline masks_meet *masks_meet_of(bool portable)
{
    return portable ? masks_meet_portable : masks_meet_best();
}

/* -- passes.c -- */

typedef bool masks_observer(void *context, double done);

/* Passes of up to MASKS_MAX masks that are not 0 and have `bits` bits, over an array of 2^bits distances, where a goal
 * has 0 and all else 255. */
struct masks_job {
    unsigned bits;
    const uint64_t *mask;
    size_t masks;
    masks_meet *meet;
    struct team *team; /* NULL: this thread alone */
    uint8_t *distance;
    masks_observer *observer; /* may be NULL; called by the calling thread; false: it stops */
    void *context;
};

/* False where the observer stopped it: the array is of no use then. */
bool masks_pass(const struct masks_job *job);

/* -- between.c -- */

/* One pass between two arrays of `size` bytes (a power of two, 64 at least) that do not overlap: byte i of the first
 * meets byte i ^ mask of the second. mask < size may be 0. */
void masks_pass_between(uint8_t *first, uint8_t *second, size_t size, size_t mask, masks_meet *meet, struct team *team);

#endif
