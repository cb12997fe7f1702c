/* lanes.c -- the search with a pattern database
 *
 * Tables are large, and an entry is mostly in no cache: a look-up takes as long as looking at several boards. Therefore
 * all entries that the boards after a board need are asked for together (prefetched), and meanwhile the search goes on
 * below other roots: a worker has several *lanes*, each a depth-first search of its own, and takes them in turns.
 */
#include "lib/families/slide/patterns/lookup.h"

#include <stdlib.h>
#include <string.h>

enum {
    LANES = 2, /* more hide no more of the waiting, and search farther past the first solution */
    LINE = 64  /* bytes, of the cache */
};

/* Room for the moves of a solution, up to a line of the cache. */
static size_t path_bytes(size_t moves)
{
    return (moves + LINE - 1) / LINE * LINE;
}

/* The sequence after the tile on `from` has gone to `to`. */
INLINE uint64_t move_in_sequence(const struct view *view, unsigned bits, unsigned from, unsigned to)
{
    const uint64_t others = view->places ^ 1ull << from;
    const unsigned out = bits * (unsigned)__builtin_popcountll(view->places & ((1ull << from) - 1)),
                   in = bits * (unsigned)__builtin_popcountll(others & ((1ull << to) - 1));
    const uint64_t before = (1ull << out) - 1, until = (1ull << in) - 1;
    const uint64_t digit = view->sequence >> out & ((1u << bits) - 1);
    const uint64_t without = (view->sequence & before) | (view->sequence >> bits & ~before);
    return (without & until) | digit << in | (without & ~until) << bits;
}

/* What a move changes in a picture: before it is made, the view as it will be; after, as it was. */
struct change {
    uint64_t sequence, entry;
    uint8_t value;
};

struct child {
    uint8_t place, tile, move;
    int room;
    uint32_t state;
    int sum[PICTURES_MAX];
    struct change change[PICTURES_MAX];
};

/* A board on a lane's path, and those one move after it. */
struct frame {
    uint8_t empty;
    bool tested;                /* the children have been held against the bound */
    uint8_t children, next;     /* those that are left, and the next of them to go to */
    uint8_t order[TILES_MOVES]; /* which they are */
    int room;
    uint32_t state;
    int sum[PICTURES_MAX];
    struct child child[TILES_MOVES];
};

struct lane_worker {
    struct deepen_worker base;
    void *memory; /* the moves of a solution, the lanes, their frames */
    size_t bytes;
};

struct lane {
    struct lane_worker *worker;
    const struct tile_search *search;
    size_t root;
    struct frame *base, *top, *end; /* a path that reaches `end` is a solution */
    uint8_t tile[TILES_MAX_PLACES];
    struct view view[VIEWS_MAX];
};

/* Works out the children of the board on top and asks for their entries. */
INLINE void expand(struct lane *lane, unsigned pictures)
{
    const struct tile_search *search = lane->search;
    const struct tile_lookup *lookup = search->lookup;
    struct frame *frame = lane->top;
    const unsigned empty = frame->empty;
    struct child *child = frame->child;
    for (unsigned moves = search->moves[frame->state] & search->open[empty]; moves != 0; moves &= moves - 1, child++) {
        const unsigned move = (unsigned)__builtin_ctz(moves), place = search->next[empty][move],
                       tile = lane->tile[place];
        child->move = (uint8_t)move;
        child->place = (uint8_t)place;
        child->tile = (uint8_t)tile;
        child->room = frame->room - (search->away[tile][place] >> move & 1);
        for (unsigned p = 0; p < pictures; p++) {
            const unsigned v = lookup->view[p][tile];
            if (v == NO_VIEW)
                continue;
            /* The tile goes from one place of its view to another: the sequence, and the entry after it. */
            const struct view_table *table = &lookup->table[v];
            const struct view *view = &lane->view[v];
            const unsigned from = lookup->image[p][place], to = lookup->image[p][empty];
            const uint64_t sequence = move_in_sequence(view, table->sequences.bits, from, to);
            const uint64_t entry = entry_of(lookup, table, view->places ^ 1ull << from ^ 1ull << to, sequence);
            __builtin_prefetch(&table->bytes[entry / 2]);
            child->change[p].sequence = sequence;
            child->change[p].entry = entry;
        }
    }
    frame->children = (uint8_t)(child - frame->child);
    frame->next = 0;
    frame->tested = false;
    lane->worker->base.nodes += frame->children;
}

/* Holds the children against the bound and keeps those within it. */
INLINE void test(struct lane *lane, unsigned pictures)
{
    const struct tile_lookup *lookup = lane->search->lookup;
    struct frame *frame = lane->top;
    uint8_t kept = 0;
    for (unsigned c = 0; c < frame->children; c++) {
        struct child *child = &frame->child[c];
        int excess = 0;
        for (unsigned p = 0; p < pictures; p++) {
            const unsigned v = lookup->view[p][child->tile];
            child->sum[p] = frame->sum[p];
            if (v != NO_VIEW) {
                child->change[p].value = (uint8_t)value_of(&lookup->table[v], child->change[p].entry);
                child->sum[p] += child->change[p].value - lane->view[v].value;
            }
            excess = child->sum[p] > excess ? child->sum[p] : excess;
        }
        if (excess <= child->room)
            frame->order[kept++] = (uint8_t)c;
        else
            deepen_pass_over(&lane->worker->base, 2 * (uint32_t)(excess - child->room));
    }
    frame->children = kept;
    frame->tested = true;
}

/* Makes a move, or takes it back: swaps what it changes. */
INLINE void swap(struct lane *lane, struct child *child, unsigned empty, unsigned pictures)
{
    const struct tile_lookup *lookup = lane->search->lookup;
    for (unsigned p = 0; p < pictures; p++) {
        const unsigned v = lookup->view[p][child->tile];
        if (v == NO_VIEW)
            continue;
        struct view *view = &lane->view[v];
        struct change *change = &child->change[p];
        const struct view old = *view;
        view->places ^= 1ull << lookup->image[p][child->place] ^ 1ull << lookup->image[p][empty];
        view->sequence = change->sequence;
        view->value = change->value;
        change->sequence = old.sequence;
        change->value = old.value;
    }
}

enum outcome { GOES_ON, EXHAUSTED, SOLVED };

/* Goes to the next board on a lane, in the order of a depth-first search, and asks for the entries after it. */
INLINE enum outcome step(struct lane *lane, unsigned pictures)
{
    struct frame *frame = lane->top;
    /* The entries that were asked for when this board was reached are here by now. */
    if (!frame->tested)
        test(lane, pictures);
    /* Back to a board with a child left, taking moves back. */
    while (frame->next == frame->children) {
        if (frame == lane->base)
            return EXHAUSTED;
        frame = --lane->top;
        struct child *child = &frame->child[frame->order[frame->next - 1]];
        swap(lane, child, frame->empty, pictures);
        lane->tile[child->place] = child->tile;
    }
    /* On to that child; where no moves are left it is the goal. */
    struct child *child = &frame->child[frame->order[frame->next++]];
    struct frame *below = ++lane->top;
    if (below == lane->end)
        return SOLVED;
    swap(lane, child, frame->empty, pictures);
    lane->tile[frame->empty] = child->tile;
    below->empty = child->place;
    below->room = child->room;
    below->state = machine_next(lane->search->machine, frame->state, child->move);
    for (unsigned p = 0; p < pictures; p++)
        below->sum[p] = child->sum[p];
    expand(lane, pictures);
    return GOES_ON;
}

/* -- lanes -- */

/* Puts the next root on a lane; false where there is none. */
static bool load(struct lane *lane)
{
    const struct deepening *deepening = lane->worker->base.deepening;
    const struct tile_root *root = tile_take(&lane->worker->base, &lane->root);
    if (root == NULL)
        return false;
    struct frame *frame = lane->top = lane->base;
    memcpy(lane->tile, root->tile, sizeof lane->tile);
    const int excess = tile_lookup_read(lane->search->lookup, lane->tile, root->empty, lane->view, frame->sum);
    frame->empty = root->empty;
    frame->state = root->state;
    frame->room = excess + (int)(deepening->watch.limit - deepening->depth - root->bound) / 2;
    return true;
}

/* Hands a solution in. */
static void hand_in(const struct lane *lane)
{
    uint8_t *path = lane->worker->memory;
    for (const struct frame *frame = lane->base; frame < lane->end; frame++)
        path[frame - lane->base] = frame->child[frame->order[frame->next - 1]].move;
    deepen_found(&lane->worker->base, lane->root, path, (size_t)(lane->end - lane->base));
}

/* Sets the lanes up in the worker's memory. Returns how many have a root. */
static unsigned start_lanes(struct lane_worker *worker, struct lane **out)
{
    const struct deepening *deepening = worker->base.deepening;
    const size_t left = deepening->watch.limit - deepening->depth;
    unsigned lanes = 0;
    struct lane *lane = *out = (struct lane *)((char *)worker->memory + path_bytes(left));
    struct frame *frame = (struct frame *)(lane + LANES);
    for (; lanes < LANES; lanes++, frame += left) {
        lane[lanes].worker = worker;
        lane[lanes].search = tile_search_of(deepening);
        lane[lanes].base = frame;
        lane[lanes].end = frame + left;
        if (!load(&lane[lanes]))
            break;
    }
    return lanes;
}

INLINE void run_lanes(struct lane_worker *worker, unsigned pictures)
{
    struct lane *lane;
    struct lane *active[LANES];
    unsigned lanes = start_lanes(worker, &lane);
    for (unsigned l = 0; l < lanes; l++) {
        active[l] = &lane[l];
        expand(active[l], pictures);
    }
    while (lanes > 0) {
        const bool look = worker->base.nodes >= TILES_POLL_NODES;
        for (unsigned l = 0; l < lanes;) {
            const enum outcome outcome = step(active[l], pictures);
            if (outcome == SOLVED)
                hand_in(active[l]);
            if (outcome == GOES_ON && !(look && deepen_ended(&worker->base, active[l]->root)))
                l++;
            else if (load(active[l]))
                expand(active[l], pictures);
            else
                active[l] = active[--lanes];
        }
    }
}

INLINE void run_pictures(struct deepen_worker *base)
{
    const unsigned pictures = tile_search_of(base->deepening)->lookup->pictures;
    struct lane_worker *worker = (struct lane_worker *)base;
    if (pictures == 1)
        run_lanes(worker, 1);
    else if (pictures == 2)
        run_lanes(worker, 2);
    else
        run_lanes(worker, pictures);
}

#ifdef __x86_64__
__attribute__((target("popcnt,bmi,bmi2"))) static void run_with_bit_instructions(struct deepen_worker *worker)
{
    run_pictures(worker);
}
#endif

static void search_roots(struct deepen_worker *worker)
{
#ifdef __x86_64__
    if (!tile_search_of(worker->deepening)->lookup->plain) {
        run_with_bit_instructions(worker);
        return;
    }
#endif
    run_pictures(worker);
}

/* -- workers -- */

static pdb_status ready(struct deepen_worker *base, pdb_error *error)
{
    struct lane_worker *worker = (struct lane_worker *)base;
    const size_t left = base->deepening->watch.limit - base->deepening->depth;
    const size_t bytes = path_bytes(left) + LANES * (sizeof(struct lane) + left * sizeof(struct frame));
    if (bytes <= worker->bytes)
        return PDB_OK;
    free(worker->memory);
    worker->memory = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
    worker->bytes = worker->memory == NULL ? 0 : bytes;
    return worker->memory != NULL ? PDB_OK : error_no_memory(error, "a search", bytes);
}

static void release(struct deepen_worker *base)
{
    free(((struct lane_worker *)base)->memory);
}

const struct deepen_class tile_lookup_class = {
    .root_size = sizeof(struct tile_root),
    .worker_size = sizeof(struct lane_worker),
    .ready = ready,
    .release = release,
    .roots = tile_roots,
    .expand = tile_expand,
    .search = search_roots,
};
