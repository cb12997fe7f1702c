/* edges.c -- every state's predecessors, kept */
#include "edges.h"

#include <stdlib.h>

enum { FEW_MOVES = 32, MOST_TURNS = 64 /* searching without edges takes less time than more expansions would */ };

/* A hash of a state; turned() makes another of it. Both are odd, so that no state's factor takes bits away. */
static inline uint64_t hash_of(uint64_t state)
{
    uint64_t hash = (state ^ state >> 31) * 0x9E3779B97F4A7C15;
    hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93;
    return (hash ^ hash >> 29) | 1;
}

static inline uint64_t turned(uint64_t hash)
{
    return (hash << 32 | hash >> 32) | 1;
}

/* Has a move before this one led to the same state? */
static bool is_again(const uint64_t *next, size_t move)
{
    for (size_t before = 0; before < move && before < FEW_MOVES; before++)
        if (next[before] == next[move])
            return true;
    return false;
}

void edges_sum(uint64_t *sum, bool once, const uint64_t *state, size_t count, const uint64_t *next,
               const uint16_t *next_count)
{
    uint64_t all = 0;
    for (size_t i = 0; i < count; next += next_count[i++]) {
        const size_t moves = next_count[i];
        uint64_t one = 0, other = 0, twice = 0;
        for (size_t m = 0; m < moves; m++) {
            const uint64_t hash = hash_of(next[m]);
            one += hash;
            other += turned(hash);
        }
        for (size_t m = 1; once && m < moves; m++)
            for (size_t before = 0; before < m && before < FEW_MOVES; before++)
                twice |= next[before] == next[m];
        for (size_t m = 1; twice != 0 && m < moves; m++)
            if (is_again(next, m)) {
                one -= hash_of(next[m]);
                other -= turned(hash_of(next[m]));
            }
        const uint64_t from = hash_of(state[i]);
        all += from * other - one * turned(from);
    }
    __atomic_fetch_add(sum, all, __ATOMIC_RELAXED);
}

struct making {
    struct edges *edges;
    const struct expander *expander;
    struct team *team;
    struct watch *watch;
    uint64_t sum;
    uint64_t turn, turns; /* how often all states have been expanded, and will be */
};

/* -- into bins -- */

static void throw_run(void *context, unsigned thread, uint64_t run)
{
    struct making *making = context;
    const struct expander *expander = making->expander;
    struct desk *desk = &expander->desk[thread];
    if (watch_stopped(making->watch))
        return;
    expander_take(expander, desk, run);
    expander_expand(expander, desk);
    if (desk->cost == NULL && expander_is_dense(expander) && making->turn == 0)
        edges_sum(&making->sum, true, desk->place, desk->states, desk->next, desk->next_count);
    bins_throw(&making->edges->bins, thread, desk->place, desk->states, desk->next_count, desk->next, desk->cost);
    if (thread == 0)
        watch_look(making->watch, ((double)making->turn + (double)run / (double)expander_runs(expander)) /
                                      (double)(making->turns + 1));
}

static pdb_status throw_all(struct making *making)
{
    team_run(making->team, expander_runs(making->expander), throw_run, making);
    making->turn++;
    return watch_stopped(making->watch) ? PDB_INTERRUPTED : PDB_OK;
}

static unsigned bits_of(uint64_t number)
{
    return number == 0 ? 0 : 64 - (unsigned)__builtin_clzll(number);
}

/* Only bins from `first` on are kept, as many as there is room for beside all edges. */
static uint64_t choose(const struct making *making, uint64_t first)
{
    struct bins *bins = &making->edges->bins;
    const uint64_t *before = making->edges->before;
    uint64_t bytes = pool_bytes(edges_blocks(making->edges) + edges_pieces(making->edges));
    bins_clear(bins);
    bins->first = first;
    for (bins->kept = 0; first + bins->kept < bins->count; bins->kept++) {
        bytes += pool_bytes(bins_most_chunks(bins, before[first + bins->kept + 1] - before[first + bins->kept]));
        if (bytes > bins->pool.most)
            break;
    }
    return bins->kept;
}

/* Some bins at a time, for each of which all states are expanded again. They are turned at once. */
static pdb_status make_in_parts(struct making *making, pdb_error *error)
{
    struct edges *edges = making->edges;
    struct bins *bins = &edges->bins;
    uint64_t first = 0;
    for (; first < bins->count && choose(making, first) > 0; first += bins->kept)
        making->turns++;
    edges->too_many = first < bins->count || making->turns > MOST_TURNS;
    if (edges->too_many)
        return PDB_OK;
    pdb_status status = edges_allocate(edges, error);
    for (first = 0; status == PDB_OK && first < bins->count; first += bins->kept) {
        choose(making, first);
        status = throw_all(making);
        if (status == PDB_OK && bins->full)
            status = error_no_memory(error, "the moves of all states", bins->pool.most);
        for (uint64_t place = edges->first[first]; place < edges->first[first + bins->kept]; place += EDGES_BLOCK)
            edges_want(edges, place);
        if (status == PDB_OK)
            status = edges_turn(edges, making->team, making->expander->puzzle, error);
    }
    bins->pool.most = bins->pool.bytes;
    return status;
}

/* Bytes that a pool with all moves may take beside, while they become edges bin by bin. These find room where moves
 * were, but for those of the bins that threads are at, and for what they take more than moves. */
static uint64_t turning_bytes(const struct edges *edges)
{
    const uint64_t blocks = ((uint64_t)1 << edges->bins.bits) / EDGES_BLOCK + (edges->names != NULL),
                   *before = edges->before, width = edges->width;
    uint64_t most = 0, more = 0;
    for (uint64_t n = 0; n < edges->bins.count; n++) {
        const uint64_t there = bins_chunks(&edges->bins, n), first = before[n] * width / EDGES_PIECE,
                       taken = blocks + before[n + 1] * width / EDGES_PIECE - first + 1;
        most = taken > most ? taken : most;
        more += taken > there ? taken - there : 0;
    }
    /* Two threads that want the same chunk take one each at first. */
    const uint64_t all = edges_blocks(edges) + edges_pieces(edges) + edges->bins.threads;
    more += edges->bins.threads * most;
    return pool_bytes(more < all ? more : all);
}

/* All moves are in the bins: they become edges when they are wanted. False where there is no room for that. */
static bool can_wait(struct edges *edges, uint64_t room)
{
    struct pool *pool = &edges->bins.pool;
    const uint64_t most = pool->bytes + turning_bytes(edges);
    if (edges->bins.full || edges_beside(edges) + most > room)
        return false;
    pool->most = most;
    return true;
}

static pdb_status expand_all(struct making *making, uint64_t room, pdb_error *error)
{
    struct edges *edges = making->edges;
    pdb_status status = throw_all(making);
    if (status != PDB_OK)
        return status;
    edges->mirrored = making->expander->puzzle->max_cost <= 1 && expander_is_dense(making->expander) &&
                      making->sum == 0;
    if (edges->mirrored)
        return PDB_OK;
    if (!edges_count_moves(edges))
        return error_no_memory(error, "the moves of all states", bins_fixed(&edges->bins));
    if (can_wait(edges, room))
        return edges_allocate(edges, error);
    edges->too_many = edges_needed(edges) > room;
    if (edges->too_many)
        return PDB_OK;
    edges->bins.pool.most = room - edges_beside(edges);
    return make_in_parts(making, error);
}

/* In bins of their own; as much for these that there is room beside them for the edges. */
static pdb_status make_anew(struct making *making, uint32_t cost, uint64_t room, pdb_error *error)
{
    struct edges *edges = making->edges;
    struct bins *bins = &edges->bins;
    const uint64_t fixed = edges_needed(edges);
    edges->too_many = fixed > room ||
                      !bins_create(bins, making->expander->threads, edges->places, false, cost, room - fixed);
    if (edges->too_many)
        return PDB_OK;
    bins->pool.most = bins->pool.most / (bins_width(bins) + edges->width) * bins_width(bins);
    return expand_all(making, room, error);
}

static void free_bins(struct edges *edges)
{
    bins_free(&edges->bins);
    free(edges->before);
    edges->before = NULL;
}

pdb_status edges_make(struct edges *edges, const struct expander *expander, struct bins *found, struct team *team,
                      struct watch *watch, uint64_t room, pdb_error *error)
{
    const struct puzzle *puzzle = expander->puzzle;
    const uint64_t places = expander->places.count;
    const uint32_t cost = puzzle->max_cost > 1 ? puzzle->max_cost : 0;
    const unsigned bits = bits_of(places - 1), width = bits + bits_of(cost);
    struct making making = {.edges = edges, .expander = expander, .team = team, .watch = watch};
    pdb_status status;
    *edges = (struct edges){.places = places, .place_bits = bits, .width = width == 0 ? 1 : (width + 7) / 8};
    if (found != NULL) {
        edges->bins = *found;
        edges->names = expander->places.bits;
        *found = (struct bins){0};
    }
    if (found != NULL && edges_count_moves(edges) && can_wait(edges, room))
        status = edges_allocate(edges, error);
    else {
        free_bins(edges);
        edges->names = NULL;
        status = make_anew(&making, cost, room, error);
    }
    if (edges->piece == NULL)
        free_bins(edges);
    return status;
}

void edges_free(struct edges *edges)
{
    free_bins(edges);
    free(edges->from); /* what it leads to are the pool's, as pieces are */
    free(edges->base);
    free(edges->block);
    free(edges->piece);
    free(edges->first);
    free(edges->turned);
    free(edges->turning);
    *edges = (struct edges){0};
}
