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

void edges_sum(uint64_t *sum, const uint64_t *state, size_t count, const uint64_t *next, const uint16_t *next_count)
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
        for (size_t m = 1; m < moves; m++)
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
    struct bins *bins;
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
        edges_sum(&making->sum, desk->place, desk->states, desk->next, desk->next_count);
    size_t move = 0;
    for (size_t i = 0; i < desk->states; i++)
        for (size_t m = 0; m < desk->next_count[i]; m++, move++)
            if (desk->next[move] != desk->place[i])
                bins_throw(making->bins, thread, desk->place[i], desk->next[move],
                           desk->cost == NULL ? 0 : desk->cost[move]);
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

/* -- from bins to edges -- */

/* Names become places. */
static inline uint64_t place_of(const struct key_bits *bits, uint64_t name)
{
    return bits == NULL ? name : key_bits_place(bits, name);
}

/* What names are where the moves were thrown before there were places. */
static const struct key_bits *names_of(const struct making *making)
{
    return making->turn == 0 ? making->expander->places.bits : NULL;
}

static void count_bin(void *context, unsigned thread, uint64_t number)
{
    const struct making *making = context;
    const struct bins *bins = making->bins;
    const struct key_bits *names = names_of(making);
    (void)thread;
    number += bins->first;
    for (unsigned t = 0; t < bins->threads; t++) {
        const struct bin *bin = &bins->bin[t * bins->count + number];
        for (const struct bin_chunk *chunk = bin->chunk; chunk != NULL; chunk = chunk->before)
            for (const uint8_t *at = chunk->byte; at < bins_end(bin, chunk); at += bins_width(bins))
                making->edges->from[place_of(names, bins_move(bins, number, at).to)]++;
    }
}

static void write_record(const struct edges *edges, uint64_t edge, uint64_t record)
{
    uint8_t *bytes = edges->record + edge * edges->width;
    for (unsigned i = 0; i < edges->width; i++, record >>= 8)
        bytes[i] = (uint8_t)record;
}

/* The edges of a place are written from its last to its first: its begin, which was their end, goes down to what it has
 * to be. */
static void fill_bin(void *context, unsigned thread, uint64_t number)
{
    const struct making *making = context;
    const struct edges *edges = making->edges;
    struct bins *bins = making->bins;
    const struct key_bits *names = names_of(making);
    (void)thread;
    number += bins->first;
    for (unsigned t = 0; t < bins->threads; t++) {
        const struct bin *bin = &bins->bin[t * bins->count + number];
        for (const struct bin_chunk *chunk = bin->chunk; chunk != NULL; chunk = chunk->before)
            for (const uint8_t *at = chunk->byte; at < bins_end(bin, chunk); at += bins_width(bins)) {
                const struct thrown move = bins_move(bins, number, at);
                const uint64_t to = place_of(names, move.to);
                write_record(edges, edges->base[to >> EDGES_BLOCK_BITS] + --edges->from[to],
                             place_of(names, move.from) | (uint64_t)move.cost << edges->place_bits);
            }
    }
    bins_empty(bins, number);
}

/* The counts become ends, from place `first` on, which begins a block and has *all edges before it. False where a block
 * has more edges than 32 bits count. */
static bool sum_up(struct edges *edges, uint64_t first, uint64_t end, uint64_t *all)
{
    for (uint64_t block = first / EDGES_BLOCK; block * EDGES_BLOCK < end; block++) {
        uint64_t sum = 0;
        for (uint64_t place = block * EDGES_BLOCK; place < (block + 1) * EDGES_BLOCK; place++) {
            sum += edges->from[place];
            edges->from[place] = (uint32_t)sum;
        }
        if (sum > UINT32_MAX)
            return false;
        edges->base[block] = *all;
        *all += sum;
        edges->base[block + 1] = *all;
    }
    return true;
}

/* The bins that are kept become edges. */
static pdb_status turn_bins(struct making *making, uint64_t *all, pdb_error *error)
{
    struct edges *edges = making->edges;
    const struct bins *bins = making->bins;
    const uint64_t end = edges->places / EDGES_BLOCK * EDGES_BLOCK + 1, last = (bins->first + bins->kept) << bins->bits;
    const bool whole = bins->kept == bins->count;
    team_run(making->team, bins->kept, count_bin, making);
    if (!sum_up(edges, whole ? 0 : bins->first << bins->bits, whole || last > end ? end : last, all))
        return error_set(error, PDB_TOO_LARGE, "%s: it has more moves than can be kept",
                         making->expander->puzzle->name);
    team_run(making->team, bins->kept, fill_bin, making);
    return PDB_OK;
}

static unsigned bits_of(uint64_t number)
{
    return number == 0 ? 0 : 64 - (unsigned)__builtin_clzll(number);
}

/* Memory for the edges, as many as there are in all bins. */
static pdb_status allocate(struct making *making, pdb_error *error)
{
    struct edges *edges = making->edges;
    const uint64_t blocks = edges->places / EDGES_BLOCK + 1;
    edges->from = pages_take(blocks * EDGES_BLOCK * sizeof *edges->from);
    edges->base = calloc(blocks + 1, sizeof *edges->base);
    edges->record = pages_take(edges->count * edges->width + sizeof(uint64_t));
    if (edges->from == NULL || edges->base == NULL || edges->record == NULL)
        return error_no_memory(error, "the moves of all states", edges_taken(edges));
    pages_fill(edges->from, 0, blocks * EDGES_BLOCK * sizeof *edges->from, making->team);
    return PDB_OK;
}

static uint64_t chunks_bytes(const struct bins *bins, uint64_t moves)
{
    const uint64_t each = (BIN_CHUNK - 4 * sizeof(uint64_t)) / bins_width(bins) - 1;
    return (moves / each + 2 * bins->threads) * BIN_CHUNK;
}

/* Only bins from `first` on are kept, as many as there is room for. */
static uint64_t choose(struct bins *bins, const uint64_t *moves, uint64_t first)
{
    uint64_t bytes = 0;
    bins_clear(bins);
    bins->first = first;
    for (bins->kept = 0; first + bins->kept < bins->count; bins->kept++) {
        bytes += chunks_bytes(bins, moves[first + bins->kept]);
        if (bytes > bins->most)
            break;
    }
    return bins->kept;
}

/* Some bins at a time, for each of which all states are expanded again. */
static pdb_status make_in_parts(struct making *making, const uint64_t *moves, pdb_error *error)
{
    struct bins *bins = making->bins;
    uint64_t all = 0, first = 0;
    for (; first < bins->count && choose(bins, moves, first) > 0; first += bins->kept)
        making->turns++;
    making->edges->too_many = first < bins->count || making->turns > MOST_TURNS;
    if (making->edges->too_many)
        return PDB_OK;
    pdb_status status = allocate(making, error);
    for (first = 0; status == PDB_OK && first < bins->count; first += bins->kept) {
        choose(bins, moves, first);
        status = throw_all(making);
        if (status == PDB_OK && bins->full)
            status = error_no_memory(error, "the moves of all states", bins->most);
        if (status == PDB_OK)
            status = turn_bins(making, &all, error);
    }
    return status;
}

/* The moves that were thrown, and how many there are in each bin. */
static uint64_t *count_moves(struct edges *edges, const struct bins *bins)
{
    uint64_t *moves = malloc(bins->count * sizeof *moves);
    edges->count = 0;
    for (uint64_t i = 0; moves != NULL && i < bins->count; i++)
        edges->count += moves[i] = bins_moves(bins, i);
    return moves;
}

static pdb_status expand_all(struct making *making, uint64_t room, pdb_error *error)
{
    struct edges *edges = making->edges;
    struct bins *bins = making->bins;
    uint64_t all = 0;
    pdb_status status = throw_all(making);
    if (status != PDB_OK)
        return status;
    edges->mirrored = making->expander->puzzle->max_cost <= 1 && expander_is_dense(making->expander) &&
                      making->sum == 0;
    uint64_t *moves = edges->mirrored ? NULL : count_moves(edges, bins);
    if (moves == NULL)
        return edges->mirrored ? PDB_OK : error_no_memory(error, "the moves of all states", bins_fixed(bins));
    const uint64_t fixed = edges_taken(edges) + bins_fixed(bins);
    edges->too_many = fixed > room;
    if (!edges->too_many && !bins->full) {
        edges->most = fixed + bins->bytes;
        status = allocate(making, error);
        if (status == PDB_OK)
            status = turn_bins(making, &all, error);
    } else if (!edges->too_many) {
        bins_clear(bins);
        bins->most = room - fixed;
        edges->most = room;
        status = make_in_parts(making, moves, error);
    }
    free(moves);
    return status;
}

pdb_status edges_make(struct edges *edges, const struct expander *expander, struct bins *found, struct team *team,
                      struct watch *watch, uint64_t room, pdb_error *error)
{
    const struct puzzle *puzzle = expander->puzzle;
    const uint64_t places = expander->places.count, fixed = edges_bytes(places);
    const uint32_t cost = puzzle->max_cost > 1 ? puzzle->max_cost : 0;
    const unsigned bits = bits_of(places - 1), width = bits + bits_of(cost);
    struct bins own = {0};
    struct making making = {.edges = edges, .expander = expander, .team = team, .watch = watch, .bins = found};
    *edges = (struct edges){.places = places, .place_bits = bits, .width = width == 0 ? 1 : (width + 7) / 8};
    edges->too_many = fixed > room;
    if (edges->too_many)
        return PDB_OK;
    if (found != NULL) {
        uint64_t all = 0, *moves = count_moves(edges, found);
        free(moves);
        edges->most = edges_taken(edges) + bins_fixed(found) + found->bytes;
        if (moves != NULL && edges->most <= room) {
            pdb_status status = allocate(&making, error);
            return status == PDB_OK ? turn_bins(&making, &all, error) : status;
        }
        bins_free(found);
    }
    /* As much for the bins that there is room beside them for the edges. */
    making.bins = &own;
    pdb_status status = PDB_OK;
    edges->too_many = !bins_create(&own, expander->threads, places, false, cost, room - fixed);
    if (!edges->too_many) {
        own.most = own.most / (bins_width(&own) + edges->width) * bins_width(&own);
        status = expand_all(&making, room, error);
    }
    bins_free(&own);
    return status;
}

void edges_free(struct edges *edges)
{
    free(edges->from);
    free(edges->base);
    free(edges->record);
    *edges = (struct edges){0};
}
