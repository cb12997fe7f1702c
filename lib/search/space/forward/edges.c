/* edges.c -- every state's predecessors, kept */
#include "edges.h"

#include <stdlib.h>

enum { FEW_MOVES = 32, AHEAD = 16 /* moves whose memory is fetched before it is wanted */ };

/* A hash of two states, the lesser one first. */
static inline uint64_t hash_of(uint64_t low, uint64_t high)
{
    uint64_t hash = (low ^ low >> 31) * 0x9E3779B97F4A7C15 + (high ^ high >> 29) * 0xC2B2AE3D27D4EB4F;
    hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93;
    return hash ^ hash >> 29;
}

/* Without branches: which one is less is anyone's guess. */
static inline uint64_t signed_hash(uint64_t from, uint64_t to)
{
    const uint64_t back = from > to, swapped = (from ^ to) & -back, hash = hash_of(from ^ swapped, to ^ swapped);
    return ((hash ^ -back) + back) & -(uint64_t)(from != to);
}

void edges_sum(uint64_t *sum, const uint64_t *state, size_t count, const uint64_t *next, const uint16_t *next_count)
{
    uint64_t all = 0;
    for (size_t i = 0; i < count; next += next_count[i++])
        for (size_t m = 0; m < next_count[i]; m++) {
            uint64_t seen = 0;
            for (size_t before = 0; before < m && m < FEW_MOVES; before++)
                seen |= next[before] == next[m];
            all += signed_hash(state[i], next[m]) & (seen - 1);
        }
    __atomic_fetch_add(sum, all, __ATOMIC_RELAXED);
}

struct making {
    struct edges *edges;
    const struct expander *expander;
    struct watch *watch;
    uint64_t sum;
    uint64_t runs;
    bool alone;
};

static void count_run(void *context, unsigned thread, uint64_t run)
{
    struct making *making = context;
    const struct expander *expander = making->expander;
    struct desk *desk = &expander->desk[thread];
    uint32_t *degree = making->edges->from;
    if (watch_stopped(making->watch))
        return;
    expander_take(expander, desk, run);
    expander_expand(expander, desk);
    if (desk->cost == NULL && expander_is_dense(expander))
        edges_sum(&making->sum, desk->place, desk->states, desk->next, desk->next_count);
    const uint64_t *next = desk->next;
    uint64_t edges = 0;
    for (size_t i = 0; i < desk->states; i++)
        for (size_t m = 0; m < desk->next_count[i]; m++, next++) {
            if (*next == desk->place[i])
                continue;
            edges++;
            if (making->alone)
                degree[*next]++;
            else
                __atomic_fetch_add(&degree[*next], 1, __ATOMIC_RELAXED);
        }
    __atomic_fetch_add(&making->edges->count, edges, __ATOMIC_RELAXED);
    if (thread == 0)
        watch_look(making->watch, (double)run / (2 * (double)making->runs));
}

static void write_record(const struct edges *edges, uint64_t edge, uint64_t record)
{
    uint8_t *bytes = edges->record + edge * edges->width;
    for (unsigned i = 0; i < edges->width; i++, record >>= 8)
        bytes[i] = (uint8_t)record;
}

/* The edges of a place are written from its last to its first: its begin, which was their end, goes down to what it has
 * to be. */
static void fill_run(void *context, unsigned thread, uint64_t run)
{
    struct making *making = context;
    const struct expander *expander = making->expander;
    struct desk *desk = &expander->desk[thread];
    const struct edges *edges = making->edges;
    if (watch_stopped(making->watch))
        return;
    expander_take(expander, desk, run);
    expander_expand(expander, desk);
    const uint64_t *next = desk->next;
    size_t move = 0;
    for (size_t i = 0; i < desk->states; i++)
        for (size_t m = 0; m < desk->next_count[i]; m++, move++) {
            const uint64_t to = next[move];
            if (move + AHEAD < desk->moves)
                __builtin_prefetch(&edges->from[next[move + AHEAD]], 1);
            if (to == desk->place[i])
                continue;
            const uint32_t at = making->alone ? --edges->from[to]
                                              : __atomic_sub_fetch(&edges->from[to], 1, __ATOMIC_RELAXED);
            const uint64_t cost = desk->cost == NULL ? 0 : desk->cost[move];
            write_record(edges, edges->base[to >> EDGES_BLOCK_BITS] + at, desk->place[i] | cost << edges->place_bits);
        }
    if (thread == 0)
        watch_look(making->watch, 0.5 + (double)run / (2 * (double)making->runs));
}

/* The counts become ends. False where a block has more edges than 32 bits count. */
static bool sum_up(struct edges *edges)
{
    const uint64_t blocks = edges->places / EDGES_BLOCK + 1;
    uint64_t all = 0;
    for (uint64_t block = 0; block < blocks; block++) {
        uint64_t end = 0;
        for (uint64_t place = block * EDGES_BLOCK; place < (block + 1) * EDGES_BLOCK; place++) {
            end += edges->from[place];
            edges->from[place] = (uint32_t)end;
        }
        if (end > UINT32_MAX)
            return false;
        edges->base[block] = all;
        all += end;
    }
    edges->base[blocks] = all;
    return all == edges->count;
}

static unsigned bits_of(uint64_t number)
{
    return number == 0 ? 0 : 64 - (unsigned)__builtin_clzll(number);
}

/* The first pass. */
static pdb_status count_all(struct making *making, struct team *team, pdb_error *error)
{
    struct edges *edges = making->edges;
    const uint64_t bytes = edges_bytes(edges->places), blocks = edges->places / EDGES_BLOCK + 1;
    edges->from = pages_take(blocks * EDGES_BLOCK * sizeof *edges->from);
    edges->base = calloc(blocks + 1, sizeof *edges->base);
    if (edges->from == NULL || edges->base == NULL)
        return error_no_memory(error, "the moves of all states", bytes);
    pages_fill(edges->from, 0, blocks * EDGES_BLOCK * sizeof *edges->from, team);
    team_run(team, making->runs, count_run, making);
    return watch_stopped(making->watch) ? PDB_INTERRUPTED : PDB_OK;
}

/* The second. */
static pdb_status fill_all(struct making *making, struct team *team, pdb_error *error)
{
    struct edges *edges = making->edges;
    const uint64_t bytes = edges->count * edges->width + sizeof(uint64_t);
    edges->record = pages_take(bytes);
    if (edges->record == NULL)
        return error_no_memory(error, "the moves of all states", bytes);
    team_run(team, making->runs, fill_run, making);
    return watch_stopped(making->watch) ? PDB_INTERRUPTED : PDB_OK;
}

pdb_status edges_make(struct edges *edges, const struct expander *expander, struct team *team, struct watch *watch,
                      edges_charge *charge, void *context, pdb_error *error)
{
    const struct puzzle *puzzle = expander->puzzle;
    struct making making = {.edges = edges,
                            .expander = expander,
                            .watch = watch,
                            .runs = expander_runs(expander),
                            .alone = expander->threads == 1};
    const unsigned bits = bits_of(expander->places.count - 1),
                   cost_bits = puzzle->max_cost > 1 ? bits_of(puzzle->max_cost) : 0;
    *edges = (struct edges){.places = expander->places.count,
                            .place_bits = bits,
                            .width = bits + cost_bits == 0 ? 1 : (bits + cost_bits + 7) / 8};
    pdb_status status = charge(context, edges_bytes(edges->places), error);
    if (status == PDB_OK)
        status = count_all(&making, team, error);
    if (status != PDB_OK)
        return status;
    edges->mirrored = puzzle->max_cost <= 1 && expander_is_dense(expander) && making.sum == 0;
    if (edges->mirrored) {
        free(edges->from);
        edges->from = NULL;
        return PDB_OK;
    }
    if (!sum_up(edges))
        return error_set(error, PDB_TOO_LARGE, "%s: it has more moves than can be kept", puzzle->name);
    status = charge(context, edges_bytes(edges->places) + edges->count * edges->width, error);
    return status == PDB_OK ? fill_all(&making, team, error) : status;
}

void edges_free(struct edges *edges)
{
    free(edges->from);
    free(edges->base);
    free(edges->record);
    *edges = (struct edges){0};
}
