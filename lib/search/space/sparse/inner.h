/* inner.h -- what the parts of the search by keys share: sparse.c goes from layer to layer,
 * layer.c makes one, once.c finds and measures at once, room.c sees to memory,
 * keep.c keeps a search, takes it up again, and ends it */
#ifndef SEARCH_SPACE_SPARSE_INNER_H
#define SEARCH_SPACE_SPARSE_INNER_H

#include "key_table.h"
#include "lib/search/space/forward/forward.h"
#include "lib/search/space/retrograde_inner.h"
#include "lib/rank/parts.h"
#include "sparse.h"

enum {
    BATCH_MAX = 1024,
    BATCH_ROOM = 1 << 16,
    SPARE = 1 << 12,
    TOGETHER = 1 << 16, /* keys: fewer are worked on by one thread, where that takes some nanoseconds each */
    RECENT_BITS = 13,
    RECENT = 1 << RECENT_BITS
};

/* A list of keys. */
struct list {
    uint64_t *key;
    uint64_t count, room;
};

/* One thread's buffers. A batch that found no room in table or list waits in `next`, `pending` keys of it. Many keys
 * are such as the thread has looked up a moment ago: `recent` has the last ones of this pass, each plus one, by their
 * hash, and is near where the table is far. */
struct worker {
    uint64_t *next;
    uint16_t *next_count;
    uint64_t *recent;
    size_t pending;
    bool again;     /* the batch found no room in the table of high parts (parts.h): its keys are made once more */
    uint64_t first; /* the batch: keys of the frontier */
    size_t batch;

    /* Where moves are kept: slots or numbers of the keys, what the moves cost, the numbers of recent keys plus one. */
    uint64_t *slot;
    uint32_t *cost, *recent_number;
};

/* What is being done. Where moves cannot be undone, nothing has to be found before it is measured; where only a search
 * can tell whether they can, it finds all states, and measures them over the moves kept if they cannot. Where there is
 * one goal and there are few keys, it is tried out first whether both can be done at once, from that goal; then all is
 * MEASURED. */
enum pass { SETTING_OUT, FINDING, AT_ONCE, MEASURING, MEASURING_OVER_MOVES, MEASURED };

/* What is kept between runs, besides search_state, the table and the lists. */
struct kept {
    uint64_t pass;     /* enum pass */
    uint64_t expanded; /* keys of the frontier */
    uint64_t keys;
    uint64_t frontier, next; /* the lists' lengths */
    uint64_t sum;            /* of the moves of all keys that were expanded, where only a search can tell (edges.h) */
    uint64_t directed;       /* some move cannot be taken back, and none is summed up */
    uint64_t begun;          /* measuring over moves: enum begun */
    uint64_t tried;          /* it was, and it cannot be done at once */
};

struct sparse {
    struct retrograde search;
    struct kept kept;
    struct key_table table;
    struct key_bits bits;    /* the keys, once a set of bits takes no more than the table: then that has no slots, and
                             its depths are those of the keys' places, once numbered; at once, of the keys */
    struct key_bits reached; /* those of the bits that were reached from the goals */
    struct list frontier, next;
    struct key_sample sample; /* until it has set out */
    size_t batch;
    struct worker *workers;
    int64_t budget;        /* keys that table and list still have room for */
    struct bins moves;     /* all moves of the keys that were expanded, where they are kept meanwhile */
    bool later;            /* which keys are new is not looked up at once, but in bins of moves (moves.c) */
    uint64_t numbered;     /* then, in a table, the number of the frontier's first key */
    struct exact distance; /* measuring over moves */
    struct forward forward;
    uint64_t hardest[RETROGRADE_HARDEST_MAX];
};

static inline struct sparse *sparse_of(struct retrograde *search)
{
    return (struct sparse *)search;
}

/* Is it to be found out whether moves can be taken back? Where they cost, it does not matter; nor where some are known
 * that cannot. */
static inline bool sums_moves(const struct sparse *sparse)
{
    return (sparse->kept.pass == FINDING || sparse->kept.pass == AT_ONCE) && sparse->search.puzzle->forward &&
           sparse->search.puzzle->max_cost <= 1 && sparse->kept.directed == 0;
}

/* Over moves: are places keys, for nearly all keys that there may be are states? And how many places there are. */
static inline bool sparse_is_dense(const struct sparse *sparse)
{
    return sparse->bits.word != NULL && sparse->bits.range <= 2 * sparse->kept.keys;
}

static inline uint64_t sparse_places(const struct sparse *sparse)
{
    return sparse_is_dense(sparse) ? sparse->bits.range : sparse->kept.keys;
}

/* -- layer.c -- */

/* All keys one move away from the frontier that are new, into the list of the next layer. Stopped, it goes on from
 * there the next time. */
pdb_status sparse_expand(struct sparse *sparse, struct watch *watch, pdb_error *error);

/* -- once.c -- */

/* Sets out from the one goal, where there is one and it may be worth it: then the pass is AT_ONCE. */
void sparse_begin_at_once(struct sparse *sparse);

/* What has become of a layer of it, that is to say its status. Where that was the last one, all is done; or, as where
 * there was no room, it did not work, and the search begins anew from the boards. */
pdb_status sparse_end_at_once(struct sparse *sparse, pdb_status status, bool *done);

/* -- moves.c -- */

/* Is there, among some moves not far from the frontier, one that no move takes back? */
bool sparse_is_directed(const struct sparse *sparse);

/* Begins to keep moves, where it is known that they cannot all be taken back, and there is memory; and ends it. */
void sparse_keep_moves(struct sparse *sparse);
void sparse_keep_no_moves(struct sparse *sparse);
uint64_t sparse_moves_bytes(const struct sparse *sparse);

/* What a thread does with the moves of its batch. Where keys are in a table: numbers those that are new and puts them
 * into the next layer; returns how many. Where they are bits: nothing else. */
size_t sparse_settle_moves(struct sparse *sparse, unsigned thread, size_t count);
void sparse_throw_keys(struct sparse *sparse, unsigned thread);

/* The keys that the moves lead to that were thrown since this was last done: those that are new become part of the next
 * layer. There is room for all of them. */
void sparse_find_thrown(struct sparse *sparse);

/* Gives every key of the table a number; in any order, where no moves were kept. */
pdb_status sparse_number_table(struct sparse *sparse, pdb_error *error);

/* -- room.c: the way's functions of these names; room in table and lists, or an error -- */
uint64_t sparse_memory(const struct retrograde_plan *plan, unsigned width);
bool sparse_allocate(struct retrograde *search, const struct retrograde_plan *plan);
void sparse_release(struct retrograde *search);
void sparse_release_buffers(struct sparse *sparse);
pdb_status sparse_reserve_list(struct sparse *sparse, struct list *list, uint64_t more, pdb_error *error);
pdb_status sparse_reserve_table(struct sparse *sparse, uint64_t more, pdb_error *error);
/* A table of so many keys becomes the search's, which has none. */
pdb_status sparse_take_table(struct sparse *sparse, struct key_table *table, uint64_t keys, pdb_error *error);
/* Room for high parts, where there are such and they have none. */
pdb_status sparse_reserve_parts(struct sparse *sparse, pdb_error *error);
uint64_t sparse_left(const struct sparse *sparse);
uint64_t sparse_beside(const struct sparse *sparse);
pdb_status sparse_take_distances(struct sparse *sparse, uint64_t bytes, pdb_error *error);
pdb_status sparse_number(struct sparse *sparse, bool reached, pdb_error *error);
pdb_status sparse_widen(struct sparse *sparse, unsigned width, pdb_error *error);
bool sparse_has_few_keys(const struct sparse *sparse);
bool sparse_fit(struct retrograde *search, const uint64_t *size, size_t count);

/* -- keep.c: the way's functions of these names -- */
enum { SPARSE_PARTS = 9 };
size_t sparse_parts(struct retrograde *search, struct memory_part part[RETROGRADE_PARTS_MAX]);
bool sparse_resume(struct retrograde *search);
void sparse_finish(struct retrograde *search, struct retrograde_result *result);

#endif
