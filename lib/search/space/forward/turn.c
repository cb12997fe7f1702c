/* turn.c -- from moves in bins to edges */
#include "edges.h"

#include <stdlib.h>

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

/* What is known while a bin's moves are gone through. */
struct turned {
    void *const *from, *const *piece;
    const struct key_bits *names;
    uint64_t base; /* edges before the bin's */
    unsigned width, place_bits;
};

ALWAYS_INLINE void count_move(void *context, const struct thrown *move)
{
    const struct turned *turned = context;
    *edges_from(turned->from, place_of(turned->names, move->to)) += !move->source;
}

/* Those of a place are written from its last to its first: its begin, which was their end, goes down to what it has to
 * be. */
ALWAYS_INLINE void fill_move(void *context, const struct thrown *move)
{
    const struct turned *turned = context;
    if (move->source)
        return;
    const uint64_t edge = turned->base +
                          (--*edges_from(turned->from, place_of(turned->names, move->to)) - (uint32_t)turned->base);
    write_record(edges_record(turned->piece, turned->width, edge),
                 place_of(turned->names, move->from) | (uint64_t)move->cost << turned->place_bits, turned->width);
}

/* The edges into the places of a bin are counted, and each place has where its own end; then they are written. What is
 * the same for all of them is copied, for bytes are written all the time. */
ALWAYS_INLINE void count_and_fill(const struct edges *edges, uint64_t number, const struct key_bits *names,
                                  unsigned width)
{
    const struct bins bins = edges->bins;
    const uint64_t first = edges->first[number], end = edges->first[number + 1];
    struct turned turned = {edges->from, edges->piece, names, edges->before[number], width, edges->place_bits};
    uint64_t sum = turned.base;
    for (uint64_t place = first; place < end; place++)
        *edges_from(turned.from, place) = 0;
    bins_visit(&bins, number, false, count_move, &turned);
    for (uint64_t place = first; place < end; place++) {
        if (place % EDGES_BLOCK == 0)
            edges->base[place / EDGES_BLOCK] = sum;
        sum += *edges_from(turned.from, place);
        *edges_from(turned.from, place) = (uint32_t)sum;
    }
    if (end == edges->places && end % EDGES_BLOCK != 0)
        *edges_from(turned.from, end) = (uint32_t)sum;
    bins_visit(&bins, number, false, fill_move, &turned);
}

/* The usual widths are known to the compiler, which makes that twice as fast. */
static void make_edges(const struct edges *edges, uint64_t number)
{
    if (edges->names != NULL)
        count_and_fill(edges, number, edges->names, edges->width);
    else if (edges->width == 3)
        count_and_fill(edges, number, NULL, 3);
    else if (edges->width == 4)
        count_and_fill(edges, number, NULL, 4);
    else
        count_and_fill(edges, number, NULL, edges->width);
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
        make_edges(edges, number);
    else
        __atomic_store_n(&turning->short_of_memory, true, __ATOMIC_RELAXED);
    bins_empty(&edges->bins, number);
}

/* -- those that are wanted -- */

/* Has no block that was made, and no bin that was turned, more edges than 32 bits count? */
static bool is_counted(const struct edges *edges)
{
    const uint64_t blocks = edges_blocks(edges);
    for (uint64_t n = 0; n < edges->bins.count; n++)
        if (edges->turned[n] && edges->before[n + 1] - edges->before[n] > UINT32_MAX)
            return false;
    for (uint64_t block = 0; block < blocks; block++)
        if (edges->block[block] == EDGES_MADE &&
            (block + 1 < blocks ? edges->base[block + 1] : edges->count) - edges->base[block] > UINT32_MAX)
            return false;
    return true;
}

/* Lists a bin to be turned, if it is not, behind so many others; returns how many there are then. */
static uint64_t list_bin(struct edges *edges, uint64_t number, uint64_t count)
{
    if (!edges->turned[number])
        edges->turning[count++] = number;
    edges->turned[number] = true;
    return count;
}

/* The same of the bins of a block. */
static uint64_t list_bins(struct edges *edges, uint64_t block, uint64_t count)
{
    const uint64_t end = (block + 1) * EDGES_BLOCK < edges->places ? (block + 1) * EDGES_BLOCK : edges->places;
    for (uint64_t n = bin_of(edges, block * EDGES_BLOCK); n < edges->bins.count && edges->first[n] < end; n++)
        count = list_bin(edges, n, count);
    return count;
}

/* May a bin be turned though nobody wants it, by a thread that would wait? All bins have to have their moves, and it
 * places, and no more moves than can be counted. */
static bool may_come_along(const struct edges *edges, uint64_t number)
{
    return edges->bins.kept == edges->bins.count && edges->first[number] < edges->first[number + 1] &&
           edges->before[number + 1] - edges->before[number] <= UINT32_MAX;
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
    for (uint64_t n = 0; n < edges->bins.count && bins % team->threads != 0; n++)
        if (may_come_along(edges, n))
            bins = list_bin(edges, n, bins);
    team_run(team, bins, turn_bin, &turning);
    if (turning.short_of_memory)
        return error_no_memory(error, "the moves of all states", edges_needed(edges));
    return is_counted(edges) ? PDB_OK
                             : error_set(error, PDB_TOO_LARGE, "%s: it has more moves than can be kept", puzzle->name);
}
