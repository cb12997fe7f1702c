/* search.c -- IDA* over the states of relaxations: what a thread does
 *
 * A node of the search is a state of a relaxation in every view (views.c), and its distance there. A state is kept as
 * its coordinates, which moves change by tables of the relaxation's own (permute_step); the indices that all moves
 * lead to are the places of their entries (permute_steps). The board itself is not needed until all distances are 0 at
 * the end of a path: then the path's moves are made on the board and it is asked whether it is a goal.
 *
 *     at[depth][..]               the node: coordinates in all views
 *     far[depth][view]            and distances
 *     after[depth][view][move]    the distances of the nodes that its moves lead to
 *     move[depth][..]             the moves that no view says of that they lead too far from the goal
 *
 * Tables are larger than the processor's caches, and a node has little to do before it needs an entry: so a thread has
 * several searches under way, *lanes*, each below a root of its own. One asks for the entries of a node's moves, and
 * the others go on until they have come.
 *
 * Where inverses are looked up (inverse.h), a node that all views let pass is asked about its inverse before its moves
 * are: in two steps, since it takes a look-up to know which entry to look up.
 *
 * Left out is what cannot be a solution by its bound, and sequences of moves that others stand for (redundant.c).
 * Limits, roots and threads are those of lib/search/board/deepen.h.
 */
#include "job.h"
#include "lib/memory/arena.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 8, ROOTS_A_LANE = 8 };

/* A node while its moves are tried. */
struct node {
    uint32_t state; /* of the machine */
    unsigned moves; /* that may still lead to a solution */
    unsigned tried;
    struct permute_coordinates *at;
    uint16_t *far;
    uint16_t *after; /* [view][move] */
    uint8_t *move;
    uint8_t *slot; /* of each tile (inverse.h) */
};

enum inverse_step { INVERSE_DONE, INVERSE_STATES, INVERSE_ENTRIES };

/* A search below a root: the nodes from the board on to the one at hand. */
struct lane {
    size_t root;
    bool busy;
    uint32_t depth;       /* of the node at hand */
    unsigned asked;       /* views that have been asked of it; the last one's entries are on their way */
    unsigned first, view; /* the first of the views, and the one that is asked */
    struct node *node;    /* [depth] */
    uint64_t *next;       /* of each of the node's moves, the entry in the view that is asked */
    /* what is on its way of the node's inverse, and what the views see of it: states, then entries */
    enum inverse_step inverse;
    struct permute_inverse_states *states;
    uint64_t *entry;
    uint8_t *path;
};

struct worker {
    struct deepen_worker base;
    const struct permute_searcher *searcher;
    struct pattern_look look[PERMUTE_VIEWS_MAX];
    size_t frames;
    void *memory; /* of all lanes */
    struct lane lane[LANES];
};

/* -- one node -- */

/* Asks a view of the node at hand: where the entries of its moves are is worked out, and they are sent for. */
static void ask(const struct worker *worker, struct lane *lane, unsigned v)
{
    const struct permute_view *view = &worker->searcher->views.view[v];
    const struct pattern_look look = worker->look[v];
    const struct node *node = &lane->node[lane->depth];
    const unsigned bits = permute_entry_bits(view->table->part[0]);
    lane->view = v;
    lane->asked++;
    permute_table_entries(view->table, node->at + view->first, view->move, node->move, node->moves, lane->next);
    for (unsigned i = 0; i < node->moves; i++)
        pattern_expect(&look, bits, lane->next[i]);
}

/* Sends for what asking the views will need. */
static void send(const struct permute_searcher *searcher, const struct node *node)
{
    for (unsigned v = 0; v < searcher->views.views; v++) {
        const struct permute_view *view = &searcher->views.view[v];
        const struct permute_table *table = view->table;
        if (table->parts == 1)
            continue;
        const uint32_t *moved = table->moved + node->at[view->first].near * searcher->permute->moves;
        __builtin_prefetch(moved);
        __builtin_prefetch(moved + searcher->permute->moves - 1);
    }
}

/* Hears the view that was asked, and leaves of the node's moves those after which no more than `left` are needed.
 * Returns the least distance of the others. */
static uint32_t hear(const struct worker *worker, struct lane *lane, uint32_t left)
{
    const struct permute_searcher *searcher = worker->searcher;
    const struct pattern_look look = worker->look[lane->view];
    struct node *node = &lane->node[lane->depth];
    const bool undoable = searcher->permute->puzzle.undoable;
    const unsigned from = node->far[lane->view], bits = permute_entry_bits(searcher->permute), moves = node->moves;
    uint16_t *after = node->after + (size_t)lane->view * searcher->permute->moves;
    const unsigned cap = searcher->views.view[lane->view].table->cap;
    uint32_t least = PDB_NO_DISTANCE;
    unsigned passed = 0;
    uint8_t *move = node->move;
    for (unsigned i = 0; i < moves; i++) {
        const uint8_t m = move[i];
        const uint32_t distance = permute_view_distance(undoable, cap, pattern_look_up(&look, bits, lane->next[i]),
                                                        from);
        const uint32_t overrun = distance > left ? distance : PDB_NO_DISTANCE;
        after[m] = (uint16_t)distance;
        least = overrun < least ? overrun : least;
        move[passed] = m;
        passed += distance <= left;
    }
    node->moves = passed;
    return least;
}

/* Begins with the node at hand: its moves are those that complete no redundant sequence. The view that says most of the
 * node itself is asked first: it lets the fewest pass. */
static void begin_node(struct worker *worker, struct lane *lane)
{
    const struct permute_searcher *searcher = worker->searcher;
    struct node *node = &lane->node[lane->depth];
    const uint32_t *next = searcher->machine->next + (size_t)node->state * searcher->permute->moves;
    uint8_t *move = node->move;
    unsigned moves = 0;
    for (unsigned m = 0, all = searcher->permute->moves; m < all; m++) {
        move[moves] = (uint8_t)m;
        moves += next[m] != MACHINE_NEVER;
    }
    node->moves = moves;
    node->tried = 0;
    worker->base.nodes += node->moves;
    lane->first = 0;
    for (unsigned v = 1; v < searcher->views.views; v++)
        lane->first = node->far[v] > node->far[lane->first] ? v : lane->first;
    lane->asked = 0;
    send(searcher, node);
}

/* Goes on with it: hears a view, if one was asked, and asks the next one. True where none is left to be asked. `left`
 * moves will be left after those of the node. */
static bool go_on(struct worker *worker, struct lane *lane, uint32_t left)
{
    const struct permute_searcher *searcher = worker->searcher;
    const struct node *node = &lane->node[lane->depth];
    if (lane->asked == 0) {
        if (node->moves == 0 || searcher->views.views == 0)
            return true;
        ask(worker, lane, lane->first);
        return false;
    }
    const uint32_t overrun = hear(worker, lane, left);
    if (overrun != PDB_NO_DISTANCE)
        deepen_pass_over(&worker->base, overrun - left);
    if (node->moves == 0 || lane->asked == searcher->views.views)
        return true;
    ask(worker, lane, lane->asked == lane->first ? 0 : lane->asked);
    return false;
}

/* -- roots -- */

/* Goes from the board to a root. */
static void load_root(struct worker *worker, struct lane *lane, const struct permute_root *root)
{
    const struct permute_searcher *searcher = worker->searcher;
    const struct permute_job *job = (const struct permute_job *)worker->base.deepening;
    const bool undoable = searcher->permute->puzzle.undoable;
    memcpy(lane->node[0].at, job->at, searcher->views.coordinates * sizeof *job->at);
    memcpy(lane->node[0].far, job->far, searcher->views.views * sizeof *job->far);
    if (searcher->inverse != NULL)
        permute_inverse_place(searcher->inverse, searcher->permute, job->position, lane->node[0].slot);
    lane->depth = worker->base.deepening->depth;
    memcpy(lane->path, root->path, lane->depth);
    for (uint32_t i = 0; i < lane->depth; i++) {
        struct node *node = &lane->node[i], *below = node + 1;
        for (unsigned v = 0; v < searcher->views.views; v++) {
            const struct permute_view *view = &searcher->views.view[v];
            permute_table_entries(view->table, node->at + view->first, view->move, &root->path[i], 1, lane->next);
            below->far[v] = (uint16_t)permute_view_distance(
                undoable, view->table->cap,
                pattern_look_up(&worker->look[v], permute_entry_bits(searcher->permute), lane->next[0]), node->far[v]);
        }
        permute_views_step(&searcher->views, node->at, root->path[i], below->at);
        if (searcher->inverse != NULL)
            permute_inverse_step(searcher->inverse, node->slot, root->path[i], below->slot);
    }
    lane->inverse = INVERSE_DONE;
    lane->node[lane->depth].state = root->state;
    begin_node(worker, lane);
}

static bool expand(struct deepen_worker *base, const void *parent)
{
    struct worker *worker = (struct worker *)base;
    struct deepening *deepening = base->deepening;
    const struct permute_root *root = parent;
    const uint32_t depth = deepening->depth;
    struct lane *lane = &worker->lane[0];
    load_root(worker, lane, root);
    while (!go_on(worker, lane, deepening->watch.limit - depth - 1)) {
    }
    const struct node *node = &lane->node[depth];
    for (unsigned i = 0; i < node->moves; i++) {
        struct permute_root *child = deepen_add_root(deepening);
        if (child == NULL)
            return false;
        *child = *root;
        child->path[depth] = node->move[i];
        child->state = machine_next(worker->searcher->machine, root->state, node->move[i]);
    }
    return true;
}

/* As many as there are lanes to search below them, and more: lanes end at different times. */
static pdb_status make_roots(struct deepening *deepening, size_t wanted, pdb_error *error)
{
    const size_t enough = wanted * LANES * ROOTS_A_LANE;
    pdb_status status = deepen_first_root(deepening, &(struct permute_root){0}, error);
    if (status == PDB_OK)
        status = permute_alike_roots((struct permute_job *)deepening, error);
    return status == PDB_OK ? deepen_grow_roots(deepening, enough, 0, error) : status;
}

/* -- the search below a root -- */

static bool ends_at_goal(const struct worker *worker, const struct lane *lane)
{
    const struct permute *permute = worker->searcher->permute;
    uint8_t position[2][BOARD_MAX_CELLS];
    memcpy(position[0], ((const struct permute_job *)worker->base.deepening)->position, permute->puzzle.board.places);
    for (uint32_t i = 0; i <= lane->depth; i++)
        permute_apply(permute, lane->path[i], position[i % 2], position[1 - i % 2]);
    return permute->puzzle.family->position.is_goal(&permute->puzzle, position[(lane->depth + 1) % 2]);
}

/* Asks what the views see of the inverse of the node that a move leads to. */
static void turn_round(const struct permute_inverse *inverse, struct lane *lane, const uint8_t *slot, unsigned move)
{
    struct node *below = &lane->node[lane->depth];
    permute_inverse_step(inverse, slot, move, below->slot);
    permute_inverse_look(inverse, below->slot, lane->states);
    for (unsigned i = 0; i < inverse->views; i++)
        __builtin_prefetch(&inverse->view[i].table->class_of[lane->states[i].state[0]]);
    lane->inverse = INVERSE_STATES;
}

/* Sends for the entries of the inverse. */
static void ask_inverse(const struct worker *worker, struct lane *lane)
{
    const struct permute_inverse *inverse = worker->searcher->inverse;
    for (unsigned i = 0; i < inverse->views; i++) {
        const struct permute_table *table = inverse->view[i].table;
        const struct pattern_look *look = &worker->look[inverse->view[i].view];
        const uint64_t entry = permute_inverse_entry(table, &lane->states[i]);
        lane->entry[i] = entry;
        pattern_expect(look, 2, entry);
        pattern_expect(look, 1, permute_near_at(table->entries) * 8 + entry / PERMUTE_BLOCK);
    }
    lane->inverse = INVERSE_ENTRIES;
}

/* Hears them: how far they say that the node is. */
static unsigned hear_inverse(const struct worker *worker, struct lane *lane)
{
    const struct permute_inverse *inverse = worker->searcher->inverse;
    unsigned most = 0;
    for (unsigned i = 0; i < inverse->views; i++) {
        const struct permute_inverse_view *view = &inverse->view[i];
        const unsigned bound = permute_table_bound(view->table, &worker->look[view->view], lane->entry[i]);
        most = bound > most ? bound : most;
    }
    lane->inverse = INVERSE_DONE;
    return most;
}

/* Begins with the node that a move leads to. */
static void enter(struct worker *worker, struct lane *lane, unsigned move)
{
    const struct permute_searcher *searcher = worker->searcher;
    const struct node *node = &lane->node[lane->depth];
    struct node *below = &lane->node[++lane->depth];
    for (unsigned v = 0; v < searcher->views.views; v++)
        below->far[v] = node->after[v * searcher->permute->moves + move];
    permute_views_step(&searcher->views, node->at, move, below->at);
    below->state = machine_next(searcher->machine, node->state, move);
    if (searcher->inverse == NULL)
        begin_node(worker, lane);
    else
        turn_round(searcher->inverse, lane, node->slot, move);
}

/* The moves of the node at hand are known: goes to the next node depth first. False where there is none below the root,
 * or a goal was found. */
static bool next_node(struct worker *worker, struct lane *lane)
{
    const struct deepening *deepening = worker->base.deepening;
    for (;;) {
        struct node *node = &lane->node[lane->depth];
        if (node->tried == node->moves) {
            if (lane->depth == deepening->depth)
                return false;
            lane->depth--;
            continue;
        }
        const uint8_t move = node->move[node->tried++];
        lane->path[lane->depth] = move;
        if (lane->depth + 1 < deepening->watch.limit) {
            enter(worker, lane, move);
            return true;
        }
        /* All distances are 0 after the last move. That the board is a goal does not follow: other tiles may differ. */
        if (ends_at_goal(worker, lane)) {
            deepen_found(&worker->base, lane->root, lane->path, deepening->watch.limit);
            return false;
        }
        deepen_pass_over(&worker->base, 1);
    }
}

/* Begins with the next root; the lane is idle where there is none. */
static void take_root(struct worker *worker, struct lane *lane)
{
    lane->busy = deepen_take(&worker->base, &lane->root);
    if (lane->busy)
        load_root(worker, lane, deepen_root_at(worker->base.deepening, lane->root));
}

/* Takes a lane one step further. */
static void advance(struct worker *worker, struct lane *lane)
{
    const uint32_t left = worker->base.deepening->watch.limit - lane->depth;
    if (lane->inverse == INVERSE_STATES) {
        ask_inverse(worker, lane);
        return;
    }
    const bool turned = lane->inverse == INVERSE_ENTRIES;
    const unsigned bound = turned ? hear_inverse(worker, lane) : 0;
    if (bound > left) {
        deepen_pass_over(&worker->base, bound - left);
        lane->depth--;
    } else {
        if (turned)
            begin_node(worker, lane);
        if (!go_on(worker, lane, left - 1))
            return;
    }
    if (!next_node(worker, lane))
        take_root(worker, lane);
}

/* Lanes leave roots below which nothing is to be done any more. */
static void poll(struct worker *worker)
{
    bool busy = false;
    for (unsigned i = 0; i < LANES; i++) {
        struct lane *lane = &worker->lane[i];
        if (lane->busy && deepen_ended(&worker->base, lane->root))
            take_root(worker, lane);
        busy |= lane->busy;
    }
    if (busy)
        permute_read_tables((struct permute_job *)worker->base.deepening, worker->look);
}

static void search_roots(struct deepen_worker *base)
{
    struct worker *worker = (struct worker *)base;
    bool busy = true;
    for (unsigned i = 0; i < LANES; i++)
        take_root(worker, &worker->lane[i]);
    while (busy) {
        busy = false;
        for (unsigned i = 0; i < LANES; i++)
            if (worker->lane[i].busy) {
                advance(worker, &worker->lane[i]);
                busy = true;
            }
        if (worker->base.nodes >= DEEPEN_POLL_NODES)
            poll(worker);
    }
}

/* -- memory -- */

/* Lays the lanes out, for paths of so many moves; returns the bytes that they take. */
static size_t lay_out(struct worker *worker, const struct permute_searcher *searcher, size_t frames, void *memory)
{
    struct arena arena = {.memory = memory};
    const size_t views = searcher->views.views, moves = searcher->permute->moves;
    for (unsigned i = 0; i < LANES; i++) {
        struct lane none, *lane = memory != NULL ? &worker->lane[i] : &none;
        lane->node = arena_take(&arena, frames, sizeof *lane->node);
        lane->next = arena_take(&arena, moves, sizeof *lane->next);
        lane->path = arena_take(&arena, frames, 1);
        lane->states = arena_take(&arena, views, sizeof *lane->states);
        lane->entry = arena_take(&arena, views, sizeof *lane->entry);
        for (size_t f = 0; f < frames; f++) {
            struct node hollow, *node = memory != NULL ? &lane->node[f] : &hollow;
            node->at = arena_take(&arena, searcher->views.coordinates, sizeof *node->at);
            node->far = arena_take(&arena, views, sizeof *node->far);
            node->after = arena_take(&arena, views * moves, sizeof *node->after);
            node->move = arena_take(&arena, moves, 1);
            node->slot = arena_take(&arena, searcher->permute->puzzle.board.places, 1);
        }
    }
    return arena.used;
}

static void release(struct deepen_worker *base)
{
    free(((struct worker *)base)->memory);
}

/* Frames for paths of `limit` moves. */
static pdb_status ready(struct deepen_worker *base, pdb_error *error)
{
    struct worker *worker = (struct worker *)base;
    const struct permute_job *job = (const struct permute_job *)base->deepening;
    const struct permute_searcher *searcher = job->searcher;
    const size_t frames = base->deepening->watch.limit + (size_t)1;
    permute_views_look(&searcher->views, worker->look);
    if (frames <= worker->frames)
        return PDB_OK;
    free(worker->memory);
    worker->searcher = searcher;
    worker->frames = 0;
    worker->memory = malloc(lay_out(worker, searcher, frames, NULL));
    if (worker->memory == NULL)
        return error_no_memory(error, "the search", lay_out(worker, searcher, frames, NULL));
    worker->frames = frames;
    lay_out(worker, searcher, frames, worker->memory);
    return PDB_OK;
}

const struct deepen_class permute_deepen_class = {
    .root_size = sizeof(struct permute_root),
    .worker_size = sizeof(struct worker),
    .ready = ready,
    .release = release,
    .roots = make_roots,
    .expand = expand,
    .search = search_roots,
};
