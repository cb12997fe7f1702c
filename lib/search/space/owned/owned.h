/* owned.h -- the room of the search whose states are shared out among ranks (lib/comm/ranks.h) one by one
 *
 * Every state belongs to one rank, its *owner*, which alone knows whether it was found and how far it is. Of keys that
 * is told by a hash; of dense indices each rank owns a stretch. A layer is made in rounds: every rank expands some of
 * its frontier, posts what it comes to to the owners, in batches that have room for so much and no more, and takes what
 * others have posted. So a rank needs memory for its share of the states and for the batches, and a bit for each of
 * others' dense indices. Of puzzles that are searched by words (words/ghosts.h) other things are exchanged, and less of
 * them; this is for all others. The passes:
 *
 *   setting out   from the named boards; or, where moves cannot be undone or all indices are states, from the goals
 *   finding       of keys, where a search sets out from boards: all that can be reached
 *   turning       where only the moves out of a state are known (puzzle->forward), and some cannot be taken back, or
 *                 cost: every state is expanded once, and each move kept by the owner of the state that it leads to
 *   measuring     from the goals, layer by layer, by predecessors; or over the moves kept, where a distance may come
 *                 down until its layer is made; or all at once, where every move is an XOR (masks.c)
 *   gathering     every rank gets a stretch of what is kept: of keys, of all in their order, with distances. Rank 0
 *                 asks for it when it is written, some at a time (merge.c, gather.c)
 *
 * Distances are held as they are (exact.h), in as many bytes as the greatest takes. The frontier of keys is a list, as
 * their slots move when the table grows; else it is looked for: the places whose distance is that of the layer.
 */
#ifndef SEARCH_SPACE_OWNED_H
#define SEARCH_SPACE_OWNED_H

#include "lib/search/space/exact.h"
#include "lib/search/space/retrograde_inner.h"
#include "lib/rank/keys.h"
#include "lib/search/space/sparse/key_table.h"

enum {
    OWNED_BATCH_MAX = 256, /* states that a thread expands at once */
    OWNED_RECENT_BITS = 13,
    OWNED_RECENT = 1 << OWNED_RECENT_BITS
};

enum pass { SETTING_OUT, FINDING, TURNING, MEASURING, MEASURING_OVER_MOVES, MEASURING_BY_MASKS };

/* Keys: from `first` on the frontier, as far as it is not expanded; from `past` on what was found of the next layer, up
 * to `count`. Those before `first` are gone, and make room when there is none. */
struct list {
    uint64_t *key, first, past, count, room;
};

/* Bytes on end of a database's data that a rank has: from where on, and how many. */
enum { SECTIONS = 3 };
struct section {
    uint64_t first, size;
    const uint8_t *bytes;
};

/* A move that leads to a place: where it is from, what it costs, and the number plus one of another that leads there,
 * or 0. */
struct move {
    uint64_t from;
    uint32_t cost, next;
};

/* One thread's buffers: states, and what is one move away. Many keys are such as have been posted a moment ago:
 * `recent` has the last ones of this pass, each plus one, by their hash. */
struct worker {
    uint64_t *state, *next, *recent;
    uint32_t *cost;
    uint16_t *next_count; /* of each state; or its weight */
    size_t states, moves;
};

/* What is kept of a search beside its states (keep.c): of all ranks. */
struct owned_kept {
    uint64_t pass, undoable, width, keys, sum, bytes;
};

/* A piece of the stream that is kept, or comes back. */
struct moved_stream {
    uint64_t first, past;
    bool back;
    uint8_t *bytes; /* on rank 0 */
};

struct owned {
    struct retrograde search;
    enum pass pass;
    bool dense;
    uint64_t stretch, first; /* dense: indices of a rank, the last one's may be fewer; the first of this rank's */
    uint64_t places;         /* dense: indices of this rank; else slots of the table */
    struct exact exact;      /* dense: of this rank's indices, and room for what is packed with the last */
    uint64_t *posted;        /* dense, no masks: a bit for each of others' indices that was posted: once is enough */
    struct key_table table;  /* keyed; its depths are distances */
    uint64_t keys;           /* in the table */
    struct list list;
    uint64_t cursor;    /* what of the list from `first` on, or of the places, has been taken */
    uint64_t move_left; /* over moves: the number plus one of the next that leads to the place taken last */
    uint64_t sum;       /* of moves: is each taken back? (forward/edges.h) */
    uint64_t waiting;   /* over moves: places that have a distance and are in no layer yet */
    bool others_wait;   /* some rank has such */
    uint32_t *head;     /* of each place: the number plus one of a move that leads there, or 0 */
    struct move *move;
    size_t moves, move_room;
    struct rank_mail mail;
    size_t batch, workers; /* states that are expanded at once, and by how many threads */
    struct worker *worker;
    /* kept, or filled in again: */
    struct owned_kept kept;
    struct moved_stream moved;
    uint64_t *share, *at; /* of ranks: where each one's share of the stream begins; how far it, or a pass, has come */
    bool misfit;          /* what came back cannot be, or */
    pdb_status lack;      /* there is no room for it: PDB_TOO_LARGE or PDB_NO_MEMORY */
    /* once gathered: */
    struct section section[SECTIONS]; /* ascending */
    uint64_t data_bytes;              /* of all */
    uint8_t *packed;                  /* of keys: their distances, */
    struct keys_writer written;       /* and themselves */
    uint64_t asked_first, asked_past; /* what rank 0 asks for */
    uint8_t *window;                  /* rank 0: what came of that */
    uint64_t window_first, window_bytes;
    struct owned *self; /* context of a source, which is not to be changed */
    size_t hardest_kept;
    uint64_t hardest[2 * RETROGRADE_HARDEST_MAX]; /* room for those of another rank */
};

static inline struct owned *owned_of(struct retrograde *search)
{
    return (struct owned *)search;
}

/* The keys of the list that are the frontier. */
static inline uint64_t listed_keys(const struct owned *owned)
{
    return owned->list.past - owned->list.first;
}

/* Is the frontier a list? */
static inline bool is_listed(const struct owned *owned)
{
    return !owned->dense && (owned->pass == FINDING || owned->pass == MEASURING);
}

/* The rank that a state belongs to. Not by the hash of the table (home.h), in which one rank's would lie close. */
static inline unsigned owner_of(const struct owned *owned, uint64_t state)
{
    if (owned->dense)
        return (unsigned)(state / owned->stretch);
    uint64_t hash = (state ^ state >> 31) * 0xBF58476D1CE4E5B9;
    hash = (hash ^ hash >> 29) * 0x94D049BB133111EB;
    return (unsigned)((hash >> 32) * owned->search.ranks->size >> 32);
}

/* -- room.c: the way's functions of these names; memory, which grows with what is found -- */
uint64_t owned_memory(const struct retrograde_plan *plan, unsigned width);
pdb_status owned_share_out(struct retrograde_plan *plan, struct ranks *ranks, pdb_error *error);
bool owned_allocate(struct retrograde *search, const struct retrograde_plan *plan);
void owned_release(struct retrograde *search);
/* Gives back what only a search that goes on needs. */
void owned_release_search(struct owned *owned);

/* Room for so many keys more in the table, and in the list; for a distance beside each place; for the moves of a batch,
 * and their heads. Errors: PDB_TOO_LARGE, PDB_NO_MEMORY. */
pdb_status owned_reserve_table(struct owned *owned, uint64_t more, pdb_error *error);
pdb_status owned_reserve_list(struct owned *owned, uint64_t more, pdb_error *error);
pdb_status owned_widen(struct owned *owned, uint64_t distance, pdb_error *error);
pdb_status owned_reserve_moves(struct owned *owned, uint64_t more, pdb_error *error);
/* Counts so many bytes that come beside all others. PDB_TOO_LARGE. */
pdb_status owned_charge(struct owned *owned, uint64_t more, pdb_error *error);

/* -- places.c: this rank's states -- */

/* The place of one that is there; and back. */
uint64_t owned_place(const struct owned *owned, uint64_t state);
uint64_t owned_state(const struct owned *owned, uint64_t place);

/* The distance at a place; false where it has none. */
bool owned_distance(const struct owned *owned, uint64_t place, uint32_t *distance);

/* Gives a place a distance, if that is less than what it has; true if it had none. */
bool owned_lower(struct owned *owned, uint64_t place, uint32_t distance);

/* Goes on through the frontier; where moves are turned round, or it says `all`, through all states. */
bool owned_next(struct owned *owned, bool all, uint64_t *place);
size_t owned_take(struct owned *owned, bool all, uint64_t *state, size_t most);

/* -- round.c -- */

/* Expands the frontier of all ranks, and takes what is found. They come with a status each; where one's is not PDB_OK,
 * or it fails meanwhile, or its watch was stopped (PDB_INTERRUPTED, without words), none goes on, and each returns
 * what befell itself. */
pdb_status owned_expand(struct owned *owned, struct watch *watch, pdb_status status, pdb_error *error);

/* -- masks.c: where every move is an XOR -- */

/* Is every move of the puzzle one? */
static inline bool has_masks(const struct puzzle *puzzle)
{
    return puzzle->at_once && puzzle->family->space.masks != NULL;
}

/* Bits of the indices of a *slice*, of which each rank has the same number on end, or the last fewer; and how many
 * indices these are. */
unsigned owned_slice_bits(const struct puzzle *puzzle, const struct ranks *ranks);
uint64_t owned_slices_stretch(const struct puzzle *puzzle, const struct ranks *ranks);

/* Finds all distances, and counts them. Ranks leave with one status; PDB_INTERRUPTED, without words, where a watch was
 * stopped. */
pdb_status owned_measure_by_masks(struct owned *owned, struct watch *watch, pdb_error *error);

/* -- gather.c -- */

/* Makes the sections of the data, in the encoding. Ranks leave with one status; PDB_INTERRUPTED, without words, where a
 * watch was stopped. */
pdb_status owned_gather(struct owned *owned, struct watch *watch, pdb_error *error);

/* The data, for rank 0 while the others serve it. */
struct byte_source owned_source(struct owned *owned);
void owned_serve(struct retrograde *search); /* as retrograde_serve */

/* Bytes of a rank's window. */
uint64_t owned_window_bytes(const struct ranks *ranks);

/* Bytes that a distance takes before it is packed; and what is written then for one, or for none. */
unsigned owned_width(enum encoding encoding);
uint32_t owned_written(const struct owned *owned, unsigned width, bool reached, uint32_t distance);

/* -- keep.c: the way's functions of these names; and what serves owned_move -- */
pdb_status owned_settle(struct retrograde *search, pdb_error *error);
size_t owned_parts(struct retrograde *search, struct memory_part parts[RETROGRADE_PARTS_MAX]);
bool owned_fit(struct retrograde *search, const uint64_t *size, size_t count);
void owned_move(struct retrograde *search, uint64_t offset, uint8_t *bytes, uint64_t size, bool back);
bool owned_resume(struct retrograde *search);
void owned_serve_moves(struct owned *owned);

/* -- merge.c: owned_gather of keys -- */
pdb_status owned_merge(struct owned *owned, enum encoding encoding, struct watch *watch, pdb_error *error);

#endif
