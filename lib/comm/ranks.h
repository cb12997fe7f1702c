/* ranks.h -- processes that do one piece of work together
 *
 * Each of `size` processes is a *rank* and holds a part of what is searched; there is nothing that all of them see.
 * They run the same program, and come to the functions below at the same places in it, together: who is first waits.
 * What carries the bytes, whoever makes the ranks decides: MPI for pdb-gen (gen/ranks_mpi.c), threads for tests. It
 * has two functions, of which all else is made. They do not fail: where the machinery fails it ends all processes, and
 * says why. One thread of a rank calls them.
 *
 * NULL in place of ranks is one process that works alone.
 */
#ifndef COMM_RANKS_H
#define COMM_RANKS_H

#include "lib/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RANKS_MAX = 4096 };

/* What goes to other ranks and comes from them at once: a batch for each, at most `room` bytes long, the same number on
 * all ranks; and some numbers. All wait for one another once for all of it. */
enum { RANK_MAIL_SUMS = 4 };
struct rank_mail {
    uint64_t room;
    uint8_t *out, *in;              /* rank r's batch begins at r * room */
    uint64_t *out_bytes, *in_bytes; /* of each batch */
    uint64_t sum[RANK_MAIL_SUMS];   /* this rank's numbers, and then the sums of all ranks' */
};

struct ranks {
    unsigned rank, size;
    uint64_t sent; /* bytes that this rank has given to others in batches */
    void *context; /* of the functions, whose owner is who made them */
    /* Carries every batch to its rank, and adds the numbers. A rank's own batch is not carried. */
    void (*exchange)(struct ranks *ranks, struct rank_mail *mail);
    /* Adds the numbers of all ranks, at each of so many places: all get the sums. */
    void (*sum)(struct ranks *ranks, uint64_t *number, size_t count);
    void (*leave)(struct ranks *ranks); /* waits for the others, and frees this */
};

static inline bool ranks_alone(const struct ranks *ranks)
{
    return ranks == NULL || ranks->size == 1;
}

/* Is this process the one that reads and writes files and talks to the user? */
static inline bool ranks_first(const struct ranks *ranks)
{
    return ranks == NULL || ranks->rank == 0;
}

/* Room for batches; false where memory is short. And how much that is. */
bool rank_mail_take(struct rank_mail *mail, const struct ranks *ranks, uint64_t room);
void rank_mail_free(struct rank_mail *mail);
uint64_t rank_mail_bytes(const struct ranks *ranks, uint64_t room);

/* Writes what is there for a rank, at most `room` bytes of it, and returns how many these are; *more where something
 * may be left. */
typedef uint64_t rank_fill(void *context, unsigned to, uint8_t *bytes, uint64_t room, bool *more);
/* Takes such a batch. */
typedef void rank_take(void *context, unsigned from, const uint8_t *bytes, uint64_t size);

/* Sends what is in the batches: counts their bytes, and carries them. */
void ranks_exchange(struct ranks *ranks, struct rank_mail *mail);

/* Ships what `fill` has for the others, batch after batch, until nobody has any more. */
void ranks_ship(struct ranks *ranks, struct rank_mail *mail, rank_fill *fill, rank_take *take, void *context);

/* Rank 0 gets the lowest of all ranks' numbers, ascending, at most so many; each comes with some of its own, of which
 * it has room for twice `most`. Returns how many there are; on other ranks nothing changes. Batches hold a number. */
size_t ranks_lowest(struct ranks *ranks, struct rank_mail *mail, uint64_t *number, size_t count, size_t most);

/* Adds the numbers of all ranks, at each of so many places: all get the sums. */
void ranks_add(struct ranks *ranks, uint64_t *number, size_t count);

/* All ranks' numbers, in their order, of which there are at most RANKS_MAX; and the greatest of them. */
void ranks_collect(struct ranks *ranks, uint64_t number, uint64_t *all);
uint64_t ranks_greatest(struct ranks *ranks, uint64_t number);

/* Gives all ranks the numbers that rank 0 has. */
void ranks_tell(struct ranks *ranks, uint64_t *number, size_t count);

/* The ranks come with a status each: all leave with PDB_OK, or with that of the lowest rank that has another, and with
 * its error. */
pdb_status ranks_agree(struct ranks *ranks, pdb_status status, pdb_error *error);

#endif
