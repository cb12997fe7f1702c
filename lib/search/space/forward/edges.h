/* edges.h -- every state's predecessors, kept: the moves of all states, turned round
 *
 * All states are expanded, and their moves thrown into bins by where they lead (bins.h); where that was done while the
 * states were found, not again. A bin is turned into edges once they are asked for, so that most bins of which no
 * place reaches a goal never are (some are, by threads that would wait): the moves into each place are counted, and a
 * place's edges begin where those of the places before it end; and they are written there, each a record of the place
 * that the move is out of and, where moves cost, what it costs. A record has as many whole bytes as that takes. Moves
 * that lead to where they come from are left out. Where there is not enough memory for all bins, that is done for some
 * of them at a time, and at once: then all states are expanded as often.
 *
 *     begin of place p     the number of which from[p / EDGES_BLOCK][p % EDGES_BLOCK] has the lowest 32 bits, from
 *                          base[p / EDGES_BLOCK] on, which is that of the block
 *     its edges            the records up to the begin of place p + 1
 *
 * Records lie one behind the other in pieces of 2^POOL_CHUNK_BITS bytes, but that each is whole in the one that it
 * begins in. Pieces are chunks of the bins' pool: those of one bin take the memory that the bin before it had.
 *
 * Does every move have one that takes it back? With two hashes f and g of a state, f(s) g(t) - g(s) f(t) is added to a
 * sum for each move from s to t. Moves that take each other back add nothing together; and where some move has none the
 * sum is not 0, but for a chance of less than 2^-56: it is linear in f(s), by a factor that is as good as random.
 * Then a state's successors are its predecessors, and nothing has to be kept.
 */
#ifndef SEARCH_SPACE_FORWARD_EDGES_H
#define SEARCH_SPACE_FORWARD_EDGES_H

#include "bins.h"
#include "expand.h"
#include "lib/search/space/retrograde_inner.h"

#include <string.h>

enum {
    EDGES_BLOCK_BITS = POOL_CHUNK_BITS - 2,
    EDGES_BLOCK = 1 << EDGES_BLOCK_BITS,
    EDGES_PIECE = 1 << POOL_CHUNK_BITS
};

/* What is known of the edges into a block of places: nothing yet; they are to be made; they are there. */
enum { EDGES_ASLEEP, EDGES_WANTED, EDGES_MADE };

struct edges {
    uint64_t places, count; /* of edges */
    void **from; /* of each block, EDGES_BLOCK numbers of 32 bits, a chunk of the pool; NULL: nothing is known of it */
    uint64_t *base;
    uint8_t *block;             /* what there is of each block, as above */
    bool wanting;               /* some are wanted */
    void **piece;               /* of bytes; NULL: there are no edges */
    unsigned width, place_bits; /* bytes of a record, bits of a place in it */
    bool mirrored;              /* every move can be taken back: nothing is kept */
    bool too_many;              /* there is no room for them: the same */

    struct bins bins;             /* moves that are not edges yet, and the pool of the pieces */
    const struct key_bits *names; /* what their names are; NULL: places */
    uint64_t *before, *first;     /* of each bin: the edges before its own, its first place; and behind the last */
    bool *turned;                 /* each has become edges, or is about to */
    uint64_t *turning;            /* those that become edges now */
};

/* Adds the moves of a run of states, next_count[i] of them for state i. `once`: of a state's moves to the same state
 * one counts, but for states with very many moves; to see which these are takes as long as all else. */
void edges_sum(uint64_t *sum, bool once, const uint64_t *state, size_t count, const uint64_t *next,
               const uint16_t *next_count);

/* Sees to the edges of all states, in `room` bytes, or to none where that is too little. `found`: the moves as they
 * were thrown while the states were found, by places or, where these are bits, by keys; they are taken over, and the
 * bits stay where they are. NULL: they were not. Errors: PDB_NO_MEMORY, PDB_TOO_LARGE, PDB_INTERRUPTED without words;
 * edges_free in any case. */
pdb_status edges_make(struct edges *edges, const struct expander *expander, struct bins *found, struct team *team,
                      struct watch *watch, uint64_t room, pdb_error *error);
void edges_free(struct edges *edges);

/* The edges into a place will be asked for; any thread may say so. Then, for one thread, those that are wanted are
 * made. Errors: PDB_TOO_LARGE, PDB_NO_MEMORY. */
static inline void edges_want(struct edges *edges, uint64_t place)
{
    uint8_t *block = &edges->block[place >> EDGES_BLOCK_BITS];
    if (__atomic_load_n(block, __ATOMIC_RELAXED) != EDGES_ASLEEP)
        return;
    __atomic_store_n(block, EDGES_WANTED, __ATOMIC_RELAXED);
    __atomic_store_n(&edges->wanting, true, __ATOMIC_RELAXED);
}
pdb_status edges_turn(struct edges *edges, struct team *team, const struct puzzle *puzzle, pdb_error *error);

static inline uint64_t edges_blocks(const struct edges *edges)
{
    return edges->places / EDGES_BLOCK + 1;
}

static inline uint64_t edges_pieces(const struct edges *edges)
{
    return edges->count * edges->width / EDGES_PIECE + 1;
}

/* Bytes of all but the pool; of what has to be there; and of what there may be, once they are seen to. */
static inline uint64_t edges_beside(const struct edges *edges)
{
    return edges_blocks(edges) * (2 * sizeof(uint64_t) + 1) + edges_pieces(edges) * sizeof *edges->piece +
           bins_fixed(&edges->bins) + (edges->bins.count + 1) * (3 * sizeof(uint64_t) + sizeof(bool));
}

static inline uint64_t edges_needed(const struct edges *edges)
{
    return edges_beside(edges) + pool_bytes(edges_blocks(edges) + edges_pieces(edges));
}

static inline uint64_t edges_taken(const struct edges *edges)
{
    return edges_beside(edges) + edges->bins.pool.most;
}

static inline uint32_t *edges_from(void *const *from, uint64_t place)
{
    return (uint32_t *)from[place / EDGES_BLOCK] + place % EDGES_BLOCK;
}

/* Of a place whose edges were made. */
static inline uint64_t edges_begin(const struct edges *edges, uint64_t place)
{
    const uint64_t base = edges->base[place / EDGES_BLOCK];
    return base + (uint32_t)(*edges_from(edges->from, place) - (uint32_t)base);
}

static inline uint64_t edges_end(const struct edges *edges, uint64_t place)
{
    return (place + 1) % EDGES_BLOCK == 0 ? edges->base[(place + 1) / EDGES_BLOCK] : edges_begin(edges, place + 1);
}

/* Where an edge's record is, of `width` bytes; there is room for a whole word. */
static inline uint8_t *edges_record(void *const *piece, unsigned width, uint64_t edge)
{
    const uint64_t byte = edge * width;
    return (uint8_t *)piece[byte / EDGES_PIECE] + byte % EDGES_PIECE;
}

/* The place that an edge comes from; *cost is that of the move, 0 where moves have none. */
static inline uint64_t edges_get(const struct edges *edges, uint64_t edge, uint32_t *cost)
{
    uint64_t record;
    memcpy(&record, edges_record(edges->piece, edges->width, edge), sizeof record); /* the lowest bytes come first */
    record &= UINT64_MAX >> (64 - 8 * edges->width);
    *cost = (uint32_t)(record >> edges->place_bits);
    return record & (((uint64_t)1 << edges->place_bits) - 1);
}

/* -- turn.c for edges.c: of all moves that were thrown; false, or PDB_NO_MEMORY, where memory is short -- */
bool edges_count_moves(struct edges *edges);
pdb_status edges_allocate(struct edges *edges, pdb_error *error);

#endif
