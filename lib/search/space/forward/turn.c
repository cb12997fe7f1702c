/* turn.c -- from moves in bins to edges */
#include "edges.h"

#include <stdlib.h>

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

/* -- bins and places -- */

/* Names become places. */
static inline uint64_t place_of(const struct key_bits *bits, uint64_t name)
{
    return bits == NULL ? name : key_bits_place(bits, name);
}

/* The first place of a bin, or of those behind it. */
static uint64_t place_of_bin(const struct edges *edges, uint64_t number)
{
    const uint64_t name = number << edges->bins.bits, end = edges->names == NULL ? edges->places : edges->names->range;
    return place_of(edges->names, name < end ? name : end);
}

/* The bin that a place is in. */
static uint64_t bin_of(const struct edges *edges, uint64_t place)
{
    uint64_t low = 0, high = edges->bins.count; /* it is the last one that begins no later */
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (edges->first[middle] <= place)
            low = middle;
        else
            high = middle;
    }
    return low;
}

bool edges_count_moves(struct edges *edges)
{
    const struct bins *bins = &edges->bins;
    edges->before = malloc((bins->count + 1) * sizeof *edges->before);
    if (edges->before == NULL)
        return false;
    edges->before[0] = 0;
    for (uint64_t n = 0; n < bins->count; n++)
        edges->before[n + 1] = edges->before[n] + bins_moves(bins, n);
    edges->count = edges->before[bins->count];
    return true;
}

/* Where bins and blocks begin is known before there are edges, as far as it has to be. */
static void set_begins(struct edges *edges)
{
    for (uint64_t n = 0; n <= edges->bins.count; n++)
        edges->first[n] = place_of_bin(edges, n);
    for (uint64_t block = 0; block < edges_blocks(edges); block++)
        edges->base[block] = edges->before[bin_of(edges, block * EDGES_BLOCK)];
    if (edges->places % EDGES_BLOCK == 0)
        edges->base[edges->places / EDGES_BLOCK] = edges->count;
}

pdb_status edges_allocate(struct edges *edges, pdb_error *error)
{
    const uint64_t blocks = edges_blocks(edges), bins = edges->bins.count;
    edges->from = calloc(blocks, sizeof *edges->from);
    edges->base = malloc(blocks * sizeof *edges->base);
    edges->block = calloc(blocks, sizeof *edges->block);
    edges->piece = calloc(edges_pieces(edges), sizeof *edges->piece);
    edges->first = malloc((bins + 1) * sizeof *edges->first);
    edges->turned = calloc(bins, sizeof *edges->turned);
    edges->turning = malloc(bins * sizeof *edges->turning);
    if (edges->from == NULL || edges->base == NULL || edges->block == NULL || edges->piece == NULL ||
        edges->first == NULL || edges->turned == NULL || edges->turning == NULL)
        return error_no_memory(error, "the moves of all states", edges_needed(edges));
    set_begins(edges);
    return PDB_OK;
}

/* -- a bin -- */

/* There is a chunk afterwards. False where memory is short. Another thread may want the same. */
static bool take_chunk(struct pool *pool, void **chunk)
{
    void *there = __atomic_load_n(chunk, __ATOMIC_ACQUIRE);
    if (there != NULL)
        return true;
    void *fresh = pool_take(pool);
    if (fresh != NULL && !__atomic_compare_exchange_n(chunk, &there, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        pool_give(pool, fresh);
    return fresh != NULL;
}

/* The blocks of a bin's places, and the pieces that have the records of its edges. */
static bool take_chunks(struct edges *edges, uint64_t number)
{
    const uint64_t first = edges->first[number], end = edges->first[number + 1], width = edges->width,
                   edge = edges->before[number], last = edges->before[number + 1];
    bool there = true;
    for (uint64_t block = first / EDGES_BLOCK; there && block * EDGES_BLOCK < end; block++)
        there = take_chunk(&edges->bins.pool, &edges->from[block]);
    for (uint64_t piece = edge * width / EDGES_PIECE; there && piece * EDGES_PIECE < last * width; piece++)
        there = take_chunk(&edges->bins.pool, &edges->piece[piece]);
    return there;
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

/* The edges into the places of a bin are counted, and each place has where its own end. */
ALWAYS_INLINE void count(const struct edges *edges, uint64_t number, const struct key_bits *names)
{
    const struct bins *bins = &edges->bins;
    const unsigned width = bins_width(bins);
    const uint64_t first = edges->first[number], end = edges->first[number + 1];
    uint64_t sum = edges->before[number];
    void *const *const from = edges->from;
    for (uint64_t place = first; place < end; place++)
        *edges_from(from, place) = 0;
    for (unsigned t = 0; t < bins->threads; t++) {
        const struct bin *bin = &bins->bin[t * bins->count + number];
        for (const struct bin_chunk *chunk = bin->chunk; chunk != NULL; chunk = chunk->before)
            for (const uint8_t *at = chunk->byte, *last = bins_end(bin, chunk); at < last; at += width)
                ++*edges_from(from, place_of(names, bins_to(bins, number, at)));
    }
    for (uint64_t place = first; place < end; place++) {
        if (place % EDGES_BLOCK == 0)
            edges->base[place / EDGES_BLOCK] = sum;
        sum += *edges_from(from, place);
        *edges_from(from, place) = (uint32_t)sum;
    }
    if (end == edges->places && end % EDGES_BLOCK != 0)
        *edges_from(from, end) = (uint32_t)sum;
}

/* The edges of a bin whose places have their ends, of `width` bytes each. Those of a place are written from its last to
 * its first: its begin, which was their end, goes down to what it has to be. Bytes are written all the time, so that
 * what does not change is better copied. */
ALWAYS_INLINE void fill(const struct edges *of, uint64_t number, const struct key_bits *names, unsigned width)
{
    const struct edges edges = *of;
    const struct bins *bins = &edges.bins;
    const uint64_t base = edges.before[number];
    void *const *const from = edges.from;
    for (unsigned t = 0; t < bins->threads; t++) {
        const struct bin *bin = &bins->bin[t * bins->count + number];
        for (const struct bin_chunk *chunk = bin->chunk; chunk != NULL; chunk = chunk->before)
            for (const uint8_t *at = chunk->byte, *end = bins_end(bin, chunk); at < end; at += bins_width(bins)) {
                const struct thrown move = bins_move(bins, number, at);
                const uint64_t edge = base + (--*edges_from(from, place_of(names, move.to)) - (uint32_t)base);
                write_record(edges_record(edges.piece, width, edge),
                             place_of(names, move.from) | (uint64_t)move.cost << edges.place_bits, width);
            }
    }
}

/* The usual widths are known to the compiler, which makes that twice as fast. */
static void count_and_fill(const struct edges *edges, uint64_t number)
{
    if (edges->names != NULL) {
        count(edges, number, edges->names);
        fill(edges, number, edges->names, edges->width);
        return;
    }
    count(edges, number, NULL);
    if (edges->width == 3)
        fill(edges, number, NULL, 3);
    else if (edges->width == 4)
        fill(edges, number, NULL, 4);
    else
        fill(edges, number, NULL, edges->width);
}

struct turning {
    struct edges *edges;
    bool short_of_memory;
};

/* A bin becomes edges, while it is near. */
static void turn_bin(void *context, unsigned thread, uint64_t share)
{
    struct turning *turning = context;
    struct edges *edges = turning->edges;
    const uint64_t number = edges->turning[share];
    (void)thread;
    if (take_chunks(edges, number))
        count_and_fill(edges, number);
    else
        __atomic_store_n(&turning->short_of_memory, true, __ATOMIC_RELAXED);
    bins_empty(&edges->bins, number);
}

/* -- those that are wanted -- */

/* Has no block that was made more edges than 32 bits count? */
static bool is_counted(const struct edges *edges)
{
    const uint64_t blocks = edges_blocks(edges);
    for (uint64_t block = 0; block < blocks; block++)
        if (edges->block[block] == EDGES_MADE &&
            (block + 1 < blocks ? edges->base[block + 1] : edges->count) - edges->base[block] > UINT32_MAX)
            return false;
    return true;
}

/* Lists the bins of a block that are to be turned behind so many others; returns how many there are then. */
static uint64_t list_bins(struct edges *edges, uint64_t block, uint64_t count)
{
    const uint64_t end = (block + 1) * EDGES_BLOCK < edges->places ? (block + 1) * EDGES_BLOCK : edges->places;
    for (uint64_t n = bin_of(edges, block * EDGES_BLOCK); n < edges->bins.count && edges->first[n] < end; n++)
        if (!edges->turned[n]) {
            edges->turned[n] = true;
            edges->turning[count++] = n;
        }
    return count;
}

pdb_status edges_turn(struct edges *edges, struct team *team, const struct puzzle *puzzle, pdb_error *error)
{
    struct turning turning = {.edges = edges};
    uint64_t bins = 0;
    if (!edges->wanting)
        return PDB_OK;
    edges->wanting = false;
    for (uint64_t block = 0; block < edges_blocks(edges); block++)
        if (edges->block[block] == EDGES_WANTED) {
            edges->block[block] = EDGES_MADE;
            bins = list_bins(edges, block, bins);
        }
    team_run(team, bins, turn_bin, &turning);
    if (turning.short_of_memory)
        return error_no_memory(error, "the moves of all states", edges_needed(edges));
    return is_counted(edges)
               ? PDB_OK
               : error_set(error, PDB_TOO_LARGE, "%s: it has more moves than can be kept", puzzle->name);
}
