/* keep.h -- checkpoints: what the room shares of them beside space.h */
#ifndef SPACE_KEEP_H
#define SPACE_KEEP_H

#include "space.h"

/* Goes on from a checkpoint into the search that has begun: does it? What does not fit is told of. Errors: those of
 * checkpoint_load. */
pdb_status space_go_on(struct space *space, struct space_checkpoints *checkpoints, bool *goes_on, pdb_error *error);

#endif
