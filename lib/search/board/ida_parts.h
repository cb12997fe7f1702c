/* ida_parts.h -- the searcher's own struct, for ida.c, ida_goals.c and ida_count.c */
#ifndef SEARCH_BOARD_IDA_PARTS_H
#define SEARCH_BOARD_IDA_PARTS_H

#include "ida.h"
#include "ida_round.h"

#include <pthread.h>

enum { IDA_STAGES = 5, IDA_METHOD_MAX = 256 };

/* What a search may take before the next stage begins. */
struct ida_stage {
    uint64_t nodes;         /* that it may look at in this stage */
    uint64_t goals, around; /* states to list around the goals, and around the board */
    bool parallel;
};
extern const struct ida_stage ida_stages[IDA_STAGES];

/* How the memory of a search is shared out, in eighths. The last one is for tables that grow: the old one is there
 * until the new one is filled. */
enum { IDA_EIGHTHS_TABLE = 4, IDA_EIGHTHS_AROUND = 2, IDA_EIGHTHS_GOALS = 1 };

/* The perimeters around the goals, each made when a search first reaches its stage, then never changed. NULL: not made.
 * */
struct ida_goals {
    pthread_mutex_t lock; /* of the pointers */
    struct perimeter *perimeter[IDA_STAGES];
};

struct ida {
    struct searcher searcher;
    struct search_options options; /* `memory` is not 0 */
    char method[IDA_METHOD_MAX];
    struct ida_goals *goals;
};

static inline const struct ida *ida_of(const struct searcher *searcher)
{
    return (const struct ida *)searcher;
}

/* -- ida_goals.c -- */

pdb_status ida_goals_create(struct ida *ida, pdb_error *error);
void ida_goals_free(struct ida_goals *goals);

/* The largest perimeter that there is, of this stage at least (made where it is not there). *out is NULL where the
 * goals are too many to list. Errors: PDB_NO_MEMORY, PDB_INTERRUPTED. Thread-safe. */
pdb_status ida_goals_get(const struct ida *ida, unsigned stage, struct ida_control *control,
                         const struct perimeter **out, pdb_error *error);

/* Grows a perimeter to about so many states, or as far as it can. */
pdb_status ida_grow_to(struct perimeter *perimeter, uint64_t states, struct ida_control *control, pdb_error *error);

/* -- ida_count.c -- */

/* searcher_class.count */
pdb_status ida_count(const struct searcher *searcher, const uint8_t *position, uint32_t distance,
                     search_observer *observe, void *context, unsigned __int128 *count, pdb_error *error);

#endif
