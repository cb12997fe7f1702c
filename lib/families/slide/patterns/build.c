/* build.c -- builds the table of a pattern: breadth first, a bitmap a block
 *
 * Layer d has a bit for every (block, order) that is d moves of the pattern's tiles from the goal; only those of its
 * region in which the empty cell stands in the goal are at distance 0. A move takes a tile to a place of the other
 * colour, so the sets of a layer all have one colour (the parity of their places' colours), and the next layer has the
 * other one: a block's slot in `frontier` holds the last layer of its colour, and is replaced in place while its
 * neighbours are read. Each block pulls: it gathers its new bits from the blocks one move away. Threads share out the
 * sets, so nobody else writes what one writes.
 *
 * In memory: for every block two bitmaps of k! bits in whole words (visited, frontier) and a byte of its state; for
 * every edge the other block and the turn; and the table itself, whose entries are written when their order is first
 * seen in any region of its set. Entries that are never seen are of boards that cannot reach the goal: they stay at 15.
 */
#include "lib/memory/arena.h"
#include "lib/clock.h"
#include "lib/memory/pages.h"
#include "patterns.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_SETS = 32, /* even: two sets of one order share a byte */
    ACTIVE = 1,      /* a block's state: its frontier is not empty; all its orders are visited */
    FULL = 2,
    MOST = 15,
    PAIRS = (TILES_MAX_PATTERN + 1) / 2,
    WORKERS = 64 /* whose bitmaps are counted in what building takes */
};

static const double report_every = 0.02; /* seconds */

struct worker {
    uint64_t *next, *seen, *fresh; /* bitmaps of a block */
    uint64_t found;                /* entries, since they were last added up */
    bool grown;                    /* it found orders of the next layer */
};

struct build;

typedef void set_work(struct build *build, struct worker *worker, uint64_t rank, uint64_t set);

struct build {
    const struct tiles *tiles;
    const struct tiles_pattern *pattern;
    const struct pattern_work *work;
    struct pattern_space space;
    struct team team;
    set_work *set_work; /* that is being done */

    uint8_t *memory;       /* of all below */
    struct worker *worker; /* of each thread */
    uint32_t *first_block; /* of a set; one more */
    uint32_t *first_edge;  /* of a block; one more */
    uint32_t *other;       /* of an edge */
    uint8_t *turn;         /* from << 4 | to */
    uint64_t *visited, *frontier;
    uint8_t *state;
    uint8_t (*order)[PAIRS]; /* the tiles of an order, two by two: second << 4 | first */
    struct pattern_turns turns;

    unsigned colour; /* of the goal's set */
    unsigned depth;
    bool grown; /* there is anything in this layer */
    uint8_t *bytes;
    uint64_t done;  /* entries of other tables */
    uint64_t found; /* of this one */
    double due;     /* when to report next */
    bool stopped;
};

/* -- memory -- */

/* Returns the bytes of it all. */
static uint64_t lay_out(struct build *build, unsigned threads, uint8_t *memory)
{
    const struct pattern_space *space = &build->space;
    const uint64_t blocks = space->blocks > space->sets ? space->blocks : space->sets;
    struct arena arena = {.memory = memory};
    build->memory = memory;
    build->visited = arena_take(&arena, blocks * space->words, sizeof *build->visited);
    build->frontier = arena_take(&arena, blocks * space->words, sizeof *build->frontier);
    build->first_block = arena_take(&arena, space->sets + 1, sizeof *build->first_block);
    build->first_edge = arena_take(&arena, blocks + 1, sizeof *build->first_edge);
    build->other = arena_take(&arena, space->edges, sizeof *build->other);
    build->turn = arena_take(&arena, space->edges, 1);
    build->state = arena_take(&arena, blocks, 1);
    build->order = arena_take(&arena, space->orders, sizeof *build->order);
    build->turns.memory = arena_take(&arena, pattern_turns_bytes(space), 1);
    build->worker = arena_take(&arena, threads, sizeof *build->worker);
    for (unsigned t = 0; t < threads; t++) {
        struct worker worker = {.next = arena_take(&arena, space->words, sizeof *worker.next),
                                .seen = arena_take(&arena, space->words, sizeof *worker.seen),
                                .fresh = arena_take(&arena, space->words, sizeof *worker.fresh)};
        if (memory != NULL)
            build->worker[t] = worker;
    }
    return arena.used;
}

uint64_t pattern_build_bytes(const struct pattern_space *space)
{
    struct build build = {.space = *space};
    return pages_bytes(lay_out(&build, WORKERS, NULL));
}

/* -- all sets, on all threads -- */

/* Called by the first thread alone. */
static void report(struct build *build)
{
    if (build->work->observe == NULL || !clock_due(&build->due, report_every))
        return;
    const uint64_t found = __atomic_load_n(&build->found, __ATOMIC_RELAXED);
    if (!build->work->observe(build->work->context, build->done + found))
        __atomic_store_n(&build->stopped, true, __ATOMIC_RELAXED);
}

static void work_on_sets(void *context, unsigned thread, uint64_t chunk)
{
    struct build *build = context;
    struct worker *worker = &build->worker[thread];
    const uint64_t sets = build->space.sets, first = chunk * CHUNK_SETS,
                   end = first + CHUNK_SETS < sets ? first + CHUNK_SETS : sets;
    if (__atomic_load_n(&build->stopped, __ATOMIC_RELAXED))
        return;
    uint64_t set = pattern_set(&build->space, first);
    for (uint64_t rank = first; rank < end; rank++, set = pattern_next_set(set))
        build->set_work(build, worker, rank, set);
    __atomic_add_fetch(&build->found, worker->found, __ATOMIC_RELAXED);
    if (worker->grown)
        __atomic_store_n(&build->grown, true, __ATOMIC_RELAXED);
    worker->found = 0;
    worker->grown = false;
    if (thread == 0)
        report(build);
}

/* Returns false where the observer has had enough. */
static bool for_all_sets(struct build *build, set_work *work)
{
    build->set_work = work;
    team_run(&build->team, team_shares(build->space.sets, CHUNK_SETS), work_on_sets, build);
    return !build->stopped;
}

/* -- blocks and edges -- */

static uint64_t places_free(const struct build *build, uint64_t set)
{
    return (UINT64_MAX >> (64 - build->space.places)) & ~set;
}

/* The block of a set and the region of one of its free places. */
static uint32_t find_block(const struct build *build, uint64_t set, unsigned place)
{
    uint32_t block = build->first_block[pattern_set_rank(&build->space, set)];
    uint64_t left = places_free(build, set);
    while (!(pattern_take_region(&build->space, &left) >> place & 1))
        block++;
    return block;
}

/* Numbers blocks and edges: which are the first of each set and of each block. */
static void number_blocks(struct build *build)
{
    uint64_t set = pattern_set(&build->space, 0);
    uint32_t block = 0, edge = 0;
    for (uint64_t rank = 0; rank < build->space.sets; rank++, set = pattern_next_set(set)) {
        build->first_block[rank] = block;
        for (uint64_t left = places_free(build, set); left != 0; block++) {
            const uint64_t region = pattern_take_region(&build->space, &left);
            build->first_edge[block] = edge;
            for (uint64_t tiles = set; tiles != 0; tiles &= tiles - 1)
                edge += (unsigned)__builtin_popcountll(build->space.beside[__builtin_ctzll(tiles)] & region);
        }
    }
    build->first_block[build->space.sets] = block;
    build->first_edge[block] = edge;
}

static unsigned position_in(uint64_t set, unsigned place)
{
    return (unsigned)__builtin_popcountll(set & ((UINT64_C(1) << place) - 1));
}

/* The moves into the blocks of a set: the tile now on `at` came from `from`. */
static void find_edges(struct build *build, struct worker *worker, uint64_t rank, uint64_t set)
{
    (void)worker;
    uint64_t left = places_free(build, set);
    for (uint32_t block = build->first_block[rank]; left != 0; block++) {
        const uint64_t region = pattern_take_region(&build->space, &left);
        uint32_t edge = build->first_edge[block];
        for (uint64_t tiles = set; tiles != 0; tiles &= tiles - 1) {
            const unsigned at = (unsigned)__builtin_ctzll(tiles);
            for (uint64_t sources = build->space.beside[at] & region; sources != 0; sources &= sources - 1) {
                const unsigned from = (unsigned)__builtin_ctzll(sources);
                const uint64_t before = (set ^ UINT64_C(1) << at) | UINT64_C(1) << from;
                build->other[edge] = find_block(build, before, at);
                build->turn[edge++] = (uint8_t)(position_in(before, from) << 4 | position_in(set, at));
            }
        }
    }
}

/* The tiles of every order, two by two. */
static void make_orders(struct build *build)
{
    const unsigned size = build->space.size;
    const uint8_t members[TILES_MAX_PATTERN] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    struct order_ranking ranking;
    order_ranking_init(&ranking, size, members, false);
    for (uint32_t rank = 0; rank < build->space.orders; rank++) {
        uint8_t tile[2 * PAIRS] = {0};
        order_unrank(&ranking, rank, 0, tile);
        for (unsigned i = 0; i < PAIRS; i++)
            build->order[rank][i] = (uint8_t)(tile[2 * i + 1] << 4 | tile[2 * i]);
    }
}

/* -- a layer -- */

static void add_plain(size_t words, const uint64_t *bits, uint64_t *next)
{
    for (size_t w = 0; w < words; w++)
        next[w] |= bits[w];
}

/* Adds orders in which one tile changes its position. */
static void add_turned(size_t words, const uint64_t *bits, const int32_t *change, uint32_t period, uint64_t *next)
{
    uint32_t phase = 0; /* of the word's first order in the table */
    for (size_t w = 0; w < words; w++) {
        for (uint64_t left = bits[w]; left != 0; left &= left - 1) {
            const unsigned bit = (unsigned)__builtin_ctzll(left);
            const uint32_t order = (uint32_t)(64 * (int32_t)w + (int32_t)bit + change[phase + bit]);
            next[order / 64] |= UINT64_C(1) << order % 64;
        }
        phase += 64;
        phase = phase >= period ? phase - period : phase;
    }
}

/* All orders one move away from the last layer; false where there are none. */
static bool gather(const struct build *build, uint32_t block, uint64_t *next)
{
    const size_t words = build->space.words;
    bool any = false;
    for (uint32_t edge = build->first_edge[block]; edge < build->first_edge[block + 1]; edge++) {
        const uint32_t other = build->other[edge];
        const unsigned from = build->turn[edge] >> 4, to = build->turn[edge] & 15;
        if (!(build->state[other] & ACTIVE))
            continue;
        if (!any)
            memset(next, 0, words * sizeof *next);
        any = true;
        if (from == to)
            add_plain(words, build->frontier + other * words, next);
        else
            add_turned(words, build->frontier + other * words, build->turns.change[from][to],
                       build->turns.period[from < to ? from : to], next);
    }
    return any;
}

/* Takes what is new of `next` to a block's frontier and visited orders; adds it to `fresh`. */
static bool take_new(struct build *build, uint32_t block, const uint64_t *next, uint64_t *fresh)
{
    const size_t words = build->space.words;
    uint64_t *visited = build->visited + block * words, *frontier = build->frontier + block * words;
    uint64_t any = 0, all = UINT64_MAX;
    for (size_t w = 0; w < words; w++) {
        const uint64_t fresh_bits = next[w] & ~visited[w];
        frontier[w] = fresh_bits;
        fresh[w] |= fresh_bits;
        visited[w] |= fresh_bits;
        any |= fresh_bits;
        all &= visited[w];
    }
    build->state[block] = (uint8_t)((any != 0 ? ACTIVE : 0) | (all == UINT64_MAX ? FULL : 0));
    return any != 0;
}

/* How far the pattern's tiles are from their goals, on the places of a set two by two: far[i][second << 4 | first]. */
static void find_far(const struct build *build, uint64_t set, uint8_t far[PAIRS][256])
{
    const unsigned size = build->space.size;
    uint8_t alone[2 * PAIRS][16] = {0};
    for (unsigned i = 0; i < size; i++, set &= set - 1)
        for (unsigned t = 0; t < size; t++)
            alone[i][t] = build->tiles->far[build->pattern->tile[t]][__builtin_ctzll(set)];
    for (unsigned i = 0; 2 * i < size; i++) /* two by two: half as many look-ups an order */
        for (unsigned second = 0; second < size; second++)
            for (unsigned first = 0; first < 16; first++)
                far[i][second << 4 | first] = (uint8_t)(alone[2 * i][first] + alone[2 * i + 1][second]);
}

/* Writes the entries of the orders that are fresh and were not seen in any region of the set. */
static void write_entries(struct build *build, struct worker *worker, uint64_t rank, uint64_t set)
{
    const unsigned pairs = (build->space.size + 1) / 2, depth = build->depth;
    uint8_t far[PAIRS][256], *bytes = build->bytes;
    uint64_t found = 0;
    find_far(build, set, far);
    for (size_t w = 0; w < build->space.words; w++)
        for (uint64_t left = worker->fresh[w] & ~worker->seen[w]; left != 0; left &= left - 1, found++) {
            const uint64_t order = 64 * w + (unsigned)__builtin_ctzll(left);
            unsigned sum = 0;
            for (unsigned i = 0; i < pairs; i++)
                sum += far[i][build->order[order][i]];
            const unsigned over = (depth - sum) / 2, value = over < MOST ? over : MOST;
            const uint64_t entry = rank * build->space.orders + order;
            bytes[entry / 2] ^= (uint8_t)((MOST ^ value) << entry % 2 * 4);
        }
    worker->found += found;
}

/* The next layer in the blocks of a set, where it has the layer's colour. */
static void extend(struct build *build, struct worker *worker, uint64_t rank, uint64_t set)
{
    if ((unsigned)__builtin_popcountll(set & build->space.dark) % 2 != (build->colour + build->depth) % 2)
        return;
    const uint32_t first = build->first_block[rank], end = build->first_block[rank + 1];
    const size_t words = build->space.words;
    bool any = false;
    for (uint32_t block = first; block < end; block++) {
        /* A block's frontier is of two layers ago, and goes, also where it has nothing new. */
        if ((build->state[block] & FULL) || !gather(build, block, worker->next)) {
            build->state[block] &= FULL;
            continue;
        }
        /* Before the first new order of the set: what has been seen in any of its regions. */
        if (!any) {
            memcpy(worker->seen, build->visited + first * words, words * sizeof *worker->seen);
            for (uint32_t other = first + 1; other < end; other++)
                add_plain(words, build->visited + other * words, worker->seen);
            memset(worker->fresh, 0, words * sizeof *worker->fresh);
        }
        any |= take_new(build, block, worker->next, worker->fresh);
    }
    if (any)
        write_entries(build, worker, rank, set);
    worker->grown |= any;
}

/* -- all of it -- */

/* Nothing is visited but what lies past the last order; entries are those of orders that are never seen. */
static void clear(struct build *build, struct worker *worker, uint64_t rank, uint64_t set)
{
    (void)worker, (void)set;
    const size_t words = build->space.words;
    if (build->space.orders == 1)
        build->bytes[rank / 2] |= (uint8_t)(MOST << rank % 2 * 4);
    else
        memset(build->bytes + rank * build->space.orders / 2, UINT8_MAX, build->space.orders / 2);
    for (size_t block = build->first_block[rank]; block < build->first_block[rank + 1]; block++) {
        memset(build->visited + block * words, 0, words * sizeof *build->visited);
        memset(build->frontier + block * words, 0, words * sizeof *build->frontier);
        build->state[block] = 0;
        if (build->space.orders % 64 != 0)
            build->visited[(block + 1) * words - 1] = UINT64_MAX << build->space.orders % 64;
    }
}

/* The goal is at distance 0. */
static void begin(struct build *build)
{
    uint64_t set = 0;
    for (unsigned i = 0; i < build->space.size; i++)
        set |= UINT64_C(1) << build->tiles->goal_place[build->pattern->tile[i]];
    const uint32_t block = find_block(build, set, build->tiles->goal_empty);
    const size_t words = build->space.words;
    build->visited[block * words] |= 1;
    build->frontier[block * words] = 1;
    build->state[block] = ACTIVE;
    const uint64_t entry = pattern_set_rank(&build->space, set) * build->space.orders;
    build->bytes[entry / 2] ^= (uint8_t)(MOST << entry % 2 * 4);
    build->found = 1;
    build->colour = (unsigned)__builtin_popcountll(set & build->space.dark) % 2;
}

static bool search(struct build *build)
{
    number_blocks(build);
    if (!for_all_sets(build, find_edges) || !for_all_sets(build, clear))
        return false;
    make_orders(build);
    pattern_turns_make(&build->space, &build->team, &build->turns);
    begin(build);
    do {
        build->depth++;
        build->grown = false;
        if (!for_all_sets(build, extend))
            return false;
    } while (build->grown);
    return true;
}

pdb_status pattern_build(const struct tiles *tiles, const struct tiles_pattern *pattern,
                         const struct pattern_work *work, uint8_t *bytes, uint64_t *done, pdb_error *error)
{
    struct build build = {.tiles = tiles,
                          .pattern = pattern,
                          .work = work,
                          .bytes = bytes,
                          .done = *done,
                          .team = {.threads = work->threads}};
    if (!pattern_space_make(tiles, pattern->size, &build.space))
        return error_set(error, PDB_TOO_LARGE, "no machine holds a table of %u tiles on this board", pattern->size);
    pattern_space_count(&build.space);
    const uint64_t entries = build.space.sets * build.space.orders;
    const uint64_t memory = lay_out(&build, work->threads, NULL);
    lay_out(&build, work->threads, pages_take(memory));
    if (build.memory == NULL)
        return error_no_memory(error, "building a pattern database", memory);
    const bool complete = search(&build);
    team_end(&build.team);
    free(build.memory);
    if (!complete)
        return error_set(error, PDB_INTERRUPTED, "%s: interrupted", tiles->slide->puzzle.name);
    *done += entries;
    return PDB_OK;
}
