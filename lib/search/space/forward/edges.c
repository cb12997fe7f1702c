/* edges.c -- every state's predecessors, kept */
#include "edges.h"

#include <stdlib.h>

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

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
    struct bins *bins, own; /* those in use; made here where none were given */
    struct team *team;
    struct watch *watch;
    uint64_t sum;
    uint64_t turn, turns; /* how often all states have been expanded, and will be */
    uint64_t *before;     /* edges before those of each bin, and how many there are in all */
    bool short_of_memory;
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
    bins_throw(making->bins, thread, desk->place, desk->states, desk->next_count, desk->next, desk->cost);
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

/* What names are where the moves were thrown before there were places. */
static const struct key_bits *names_of(const struct making *making)
{
    return making->turn == 0 ? making->expander->places.bits : NULL;
}

/* Names become places. */
static inline uint64_t place_of(const struct key_bits *bits, uint64_t name)
{
    return bits == NULL ? name : key_bits_place(bits, name);
}

/* The first place of a bin, or of those behind it. */
static uint64_t place_of_bin(const struct making *making, uint64_t number)
{
    const struct key_bits *names = names_of(making);
    const uint64_t name = number << making->bins->bits,
                   names_end = names == NULL ? making->edges->places : names->range;
    return place_of(names, name < names_end ? name : names_end);
}

/* The pieces that have the records of some edges are there afterwards. False where memory is short. Another thread may
 * want the first and the last as well. */
static bool take_pieces(const struct making *making, uint64_t first, uint64_t end)
{
    const struct edges *edges = making->edges;
    struct pool *pool = &making->bins->pool;
    for (uint64_t number = first * edges->width / EDGES_PIECE;
         first < end && number <= (end - 1) * edges->width / EDGES_PIECE; number++) {
        uint8_t **piece = &edges->piece[number], *there = __atomic_load_n(piece, __ATOMIC_ACQUIRE);
        if (there != NULL)
            continue;
        uint8_t *fresh = pool_take(pool);
        if (fresh == NULL)
            return false;
        if (!__atomic_compare_exchange_n(piece, &there, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            pool_give(pool, fresh);
    }
    return true;
}

/* The lowest `width` bytes of a record, the lowest first, and nothing beside them. */
static inline void write_record(uint8_t *bytes, uint64_t record, unsigned width)
{
    if ((width & 8) != 0) {
        memcpy(bytes, &record, 8);
        return;
    }
    if ((width & 4) != 0) {
        memcpy(bytes, &record, 4);
        bytes += 4;
        record >>= 32;
    }
    if ((width & 2) != 0) {
        memcpy(bytes, &record, 2);
        bytes += 2;
        record >>= 16;
    }
    if ((width & 1) != 0)
        *bytes = (uint8_t)record;
}

/* The edges into places from `first` on are counted, and each place has where its own end. */
static void count_bin(const struct making *making, uint64_t number, uint64_t first, uint64_t end)
{
    const struct bins bins = *making->bins;
    const struct edges *edges = making->edges;
    const struct key_bits *names = names_of(making);
    uint32_t *from = edges->from;
    uint64_t sum = making->before[number];
    memset(from + first, 0, (end - first) * sizeof *from);
    for (unsigned t = 0; t < bins.threads; t++) {
        const struct bin *bin = &bins.bin[t * bins.count + number];
        for (const struct bin_chunk *chunk = bin->chunk; chunk != NULL; chunk = chunk->before)
            for (const uint8_t *at = chunk->byte; at < bins_end(bin, chunk); at += bins_width(&bins))
                from[place_of(names, bins_move(&bins, number, at).to)]++;
    }
    for (uint64_t place = first; place < end; place++) {
        if (place % EDGES_BLOCK == 0)
            edges->base[place / EDGES_BLOCK] = sum;
        sum += from[place];
        from[place] = (uint32_t)sum;
    }
}

/* The edges of a bin whose places have their ends, of `width` bytes each. Those of a place are written from its last to
 * its first: its begin, which was their end, goes down to what it has to be. Bytes are written all the time, so that
 * what does not change is better copied. */
ALWAYS_INLINE void fill(const struct making *making, uint64_t number, const struct key_bits *names, unsigned width)
{
    const struct bins bins = *making->bins;
    const struct edges edges = *making->edges;
    const uint64_t base = making->before[number];
    uint32_t *const from = edges.from;
    for (unsigned t = 0; t < bins.threads; t++) {
        const struct bin *bin = &bins.bin[t * bins.count + number];
        for (const struct bin_chunk *chunk = bin->chunk; chunk != NULL; chunk = chunk->before)
            for (const uint8_t *at = chunk->byte, *end = bins_end(bin, chunk); at < end; at += bins_width(&bins)) {
                const struct thrown move = bins_move(&bins, number, at);
                const uint64_t edge = base + (--from[place_of(names, move.to)] - (uint32_t)base);
                write_record(edges_record(edges.piece, width, edge),
                             place_of(names, move.from) | (uint64_t)move.cost << edges.place_bits, width);
            }
    }
}

/* The usual widths are known to the compiler, which makes that twice as fast. False where memory is short. */
static bool fill_bin(const struct making *making, uint64_t number)
{
    const struct key_bits *names = names_of(making);
    const unsigned width = making->edges->width;
    if (!take_pieces(making, making->before[number], making->before[number + 1]))
        return false;
    if (names == NULL && width == 3)
        fill(making, number, NULL, 3);
    else if (names == NULL && width == 4)
        fill(making, number, NULL, 4);
    else
        fill(making, number, names, width);
    return true;
}

/* A bin that is kept becomes edges, while it is near. */
static void turn_bin(void *context, unsigned thread, uint64_t number)
{
    struct making *making = context;
    (void)thread;
    number += making->bins->first;
    count_bin(making, number, place_of_bin(making, number), place_of_bin(making, number + 1));
    if (!fill_bin(making, number))
        __atomic_store_n(&making->short_of_memory, true, __ATOMIC_RELAXED);
    bins_empty(making->bins, number);
}

/* The bins that are kept become edges. */
static pdb_status turn_bins(struct making *making, pdb_error *error)
{
    team_run(making->team, making->bins->kept, turn_bin, making);
    return making->short_of_memory ? error_no_memory(error, "the moves of all states", edges_needed(making->edges))
                                   : PDB_OK;
}

static unsigned bits_of(uint64_t number)
{
    return number == 0 ? 0 : 64 - (unsigned)__builtin_clzll(number);
}

/* Memory for the edges, as many as there are in all bins; and the end of the last place's. */
static pdb_status allocate(struct making *making, pdb_error *error)
{
    struct edges *edges = making->edges;
    const uint64_t blocks = edges->places / EDGES_BLOCK + 1;
    edges->from = pages_take(blocks * EDGES_BLOCK * sizeof *edges->from);
    edges->base = calloc(blocks, sizeof *edges->base);
    edges->piece = calloc(edges_pieces(edges), sizeof *edges->piece);
    if (edges->from == NULL || edges->base == NULL || edges->piece == NULL)
        return error_no_memory(error, "the moves of all states", edges_needed(edges));
    edges->from[edges->places] = (uint32_t)edges->count;
    if (edges->places % EDGES_BLOCK == 0)
        edges->base[blocks - 1] = edges->count;
    return PDB_OK;
}

/* Bytes of the chunks of a bin with so many moves, at most: each thread has one that is not full. */
static uint64_t chunks_bytes(const struct bins *bins, uint64_t moves)
{
    return pool_bytes(moves / bins_room(bins) + bins->threads);
}

/* Only bins from `first` on are kept, as many as there is room for beside all edges. */
static uint64_t choose(const struct making *making, uint64_t first)
{
    struct bins *bins = making->bins;
    const uint64_t *before = making->before;
    uint64_t bytes = pool_bytes(edges_pieces(making->edges));
    bins_clear(bins);
    bins->first = first;
    for (bins->kept = 0; first + bins->kept < bins->count; bins->kept++) {
        bytes += chunks_bytes(bins, before[first + bins->kept + 1] - before[first + bins->kept]);
        if (bytes > bins->pool.most)
            break;
    }
    return bins->kept;
}

/* Some bins at a time, for each of which all states are expanded again. */
static pdb_status make_in_parts(struct making *making, pdb_error *error)
{
    struct bins *bins = making->bins;
    uint64_t first = 0;
    for (; first < bins->count && choose(making, first) > 0; first += bins->kept)
        making->turns++;
    making->edges->too_many = first < bins->count || making->turns > MOST_TURNS;
    if (making->edges->too_many)
        return PDB_OK;
    pdb_status status = allocate(making, error);
    for (first = 0; status == PDB_OK && first < bins->count; first += bins->kept) {
        choose(making, first);
        status = throw_all(making);
        if (status == PDB_OK && bins->full)
            status = error_no_memory(error, "the moves of all states", bins->pool.most);
        if (status == PDB_OK)
            status = turn_bins(making, error);
    }
    return status;
}

/* How many moves were thrown. False: memory is short. */
static bool count_moves(struct making *making)
{
    const struct bins *bins = making->bins;
    uint64_t *before = making->before = malloc((bins->count + 1) * sizeof *before);
    if (before == NULL)
        return false;
    before[0] = 0;
    for (uint64_t i = 0; i < bins->count; i++)
        before[i + 1] = before[i] + bins_moves(bins, i);
    making->edges->count = before[bins->count];
    return true;
}

/* Of the moves in the bins, if all are there. */
static pdb_status make_at_once(struct making *making, pdb_error *error)
{
    pdb_status status = allocate(making, error);
    return status == PDB_OK ? turn_bins(making, error) : status;
}

/* Is there room for all edges beside the bins? */
static bool fits_at_once(const struct making *making, uint64_t room)
{
    return edges_needed(making->edges) + bins_fixed(making->bins) + making->bins->pool.bytes <= room;
}

static pdb_status expand_all(struct making *making, uint64_t room, pdb_error *error)
{
    struct edges *edges = making->edges;
    struct bins *bins = making->bins;
    pdb_status status = throw_all(making);
    if (status != PDB_OK)
        return status;
    edges->mirrored = making->expander->puzzle->max_cost <= 1 && expander_is_dense(making->expander) &&
                      making->sum == 0;
    if (edges->mirrored)
        return PDB_OK;
    if (!count_moves(making))
        return error_no_memory(error, "the moves of all states", bins_fixed(bins));
    edges->too_many = edges_needed(edges) + bins_fixed(bins) > room;
    if (edges->too_many)
        return PDB_OK;
    const bool at_once = !bins->full && fits_at_once(making, room);
    bins->pool.most = room - edges_beside(edges) - bins_fixed(bins);
    return at_once ? make_at_once(making, error) : make_in_parts(making, error);
}

/* What was taken is the edges' from now on. */
static void keep_pool(const struct making *making)
{
    struct edges *edges = making->edges;
    struct bins *bins = making->bins;
    if (edges->piece == NULL)
        return;
    edges->pool = bins->pool;
    bins->pool = (struct pool){0};
    edges->most = edges_taken(edges) + bins_fixed(bins);
}

/* In bins of their own; as much for these that there is room beside them for the edges. */
static pdb_status make_anew(struct making *making, uint32_t cost, uint64_t room, pdb_error *error)
{
    struct edges *edges = making->edges;
    struct bins *own = &making->own;
    pdb_status status = PDB_OK;
    edges->too_many = !bins_create(own, making->expander->threads, edges->places, false, cost, room);
    if (!edges->too_many) {
        making->bins = own;
        own->pool.most = own->pool.most / (bins_width(own) + edges->width) * bins_width(own);
        status = expand_all(making, room + edges_bytes(edges->places), error);
        keep_pool(making);
    }
    bins_free(own);
    return status;
}

/* Has no block more edges than 32 bits count? */
static bool is_counted(const struct edges *edges)
{
    const uint64_t blocks = edges->places / EDGES_BLOCK + 1;
    for (uint64_t block = 0; block < blocks; block++)
        if ((block + 1 < blocks ? edges->base[block + 1] : edges->count) - edges->base[block] > UINT32_MAX)
            return false;
    return true;
}

pdb_status edges_make(struct edges *edges, const struct expander *expander, struct bins *found, struct team *team,
                      struct watch *watch, uint64_t room, pdb_error *error)
{
    const struct puzzle *puzzle = expander->puzzle;
    const uint64_t places = expander->places.count, fixed = edges_bytes(places);
    const uint32_t cost = puzzle->max_cost > 1 ? puzzle->max_cost : 0;
    const unsigned bits = bits_of(places - 1), width = bits + bits_of(cost);
    struct making making = {.edges = edges, .expander = expander, .team = team, .watch = watch, .bins = found};
    pdb_status status = PDB_OK;
    *edges = (struct edges){.places = places, .place_bits = bits, .width = width == 0 ? 1 : (width + 7) / 8};
    edges->too_many = fixed > room;
    if (edges->too_many)
        return PDB_OK;
    if (found != NULL && count_moves(&making) && fits_at_once(&making, room)) {
        found->pool.most = room - edges_beside(edges) - bins_fixed(found);
        status = make_at_once(&making, error);
        keep_pool(&making);
    } else {
        if (found != NULL)
            bins_free(found);
        free(making.before);
        making.before = NULL;
        status = make_anew(&making, cost, room - fixed, error);
    }
    free(making.before);
    if (status == PDB_OK && edges->piece != NULL && !is_counted(edges))
        status = error_set(error, PDB_TOO_LARGE, "%s: it has more moves than can be kept", puzzle->name);
    return status;
}

void edges_free(struct edges *edges)
{
    free(edges->from);
    free(edges->base);
    free(edges->piece);
    pool_free(&edges->pool);
    *edges = (struct edges){0};
}
