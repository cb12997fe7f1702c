/* search.c -- the family's searcher: IDA* over the indices of relaxations
 *
 * A node of the search is one index a table, that of the relaxation's state, and its distance: a relaxation's moves on
 * indices come from tables of its own (permute_successors), and the index is the place of the entry in the table. The
 * board itself is not needed until all distances are 0 at the end of a path: then the path's moves are made on the
 * board and it is asked whether it is a goal.
 *
 *     at[depth][table]             the node: indices
 *     far[depth][table]            and distances
 *     next[depth][table][move]     indices of the nodes that its moves lead to
 *     after[depth][table][move]    and their distances
 *     move[depth][..]              the moves that no table says of that they lead too far from the goal
 *
 * Left out is what cannot be a solution by its bound, and sequences of moves that others stand for (redundant.c).
 * Limits, roots and threads are those of lib/search/board/deepen.h.
 *
 * Without a pattern database small tables are made with the searcher: SMALL_WORK moves' worth, a tenth of a second.
 */
#include "search.h"
#include "lib/search/board/deepen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALL_WORK = 1 << 25,  /* states times moves in the tables made without a database */
    SMALL_STATES = 1 << 22 /* and states */
};

/* A relaxation and the bytes of its pattern database. */
struct table {
    struct permute *relaxed;
    const uint8_t *value;
};

struct permute_searcher {
    struct searcher base;
    const struct permute *permute;
    unsigned tables;
    struct table table[PATTERN_TABLES_MAX];
    uint8_t *own; /* the bytes of tables made here, or NULL */
    struct machine *machine;
    struct permute_group *group; /* NULL: everything that fits can be reached */
};

/* A node where a thread begins, and the moves to it. */
struct root {
    uint32_t state; /* of the machine */
    uint64_t at[PATTERN_TABLES_MAX];
    uint16_t far[PATTERN_TABLES_MAX];
    uint8_t path[DEEPEN_ROOT_DEPTH];
};

/* The search for one board. */
struct job {
    struct deepening deepening;
    const struct permute_searcher *searcher;
    const uint8_t *position;
    struct root first;
};

struct worker {
    struct deepen_worker base;
    const struct permute_searcher *searcher;
    size_t frames, root;
    bool stop;
    uint64_t *at, *next;
    uint16_t *far, *after;
    uint8_t *move, *path;
};

/* -- one node -- */

/* The distance of a state that a move leads to from one at the distance `from`. */
static unsigned distance_after(const struct table *table, uint64_t index, unsigned from)
{
    static const int8_t change[3][4] = {{0, 1, -1, 0}, {-1, 0, 1, 0}, {1, -1, 0, 0}}; /* by residue: before, after */
    const unsigned entry = permute_entry(table->relaxed, table->value, index);
    return table->relaxed->puzzle.undoable ? from + (unsigned)change[from % 3][entry] : entry;
}

/* A node while its moves are tried: its part of the worker's arrays. */
struct frame {
    uint64_t *at;
    uint16_t *far;
    uint64_t *next; /* [table][move] */
    uint16_t *after;
    uint8_t *move; /* those that may still lead to a solution */
    unsigned moves;
};

static struct frame frame_at(const struct worker *worker, uint32_t depth)
{
    const size_t tables = worker->searcher->tables, moves = worker->searcher->permute->moves;
    return (struct frame){worker->at + depth * tables,           worker->far + depth * tables,
                          worker->next + depth * tables * moves, worker->after + depth * tables * moves,
                          worker->move + depth * moves,          0};
}

/* Moves one table's index, and leaves of the frame's moves those after which no more than `left` are needed. Returns
 * the least distance of the others. */
static uint32_t pass(const struct permute_searcher *searcher, struct frame *frame, unsigned t, uint32_t left)
{
    const struct table *table = &searcher->table[t];
    const unsigned moves = searcher->permute->moves, per_byte = 8 / permute_entry_bits(searcher->permute);
    uint64_t *next = frame->next + (size_t)t * moves;
    uint16_t *after = frame->after + (size_t)t * moves, number;
    uint32_t least = PDB_NO_DISTANCE;
    unsigned passed = 0;
    permute_successors(&table->relaxed->puzzle, &frame->at[t], 1, next, &number);
    for (unsigned i = 0; i < frame->moves; i++)
        __builtin_prefetch(table->value + next[frame->move[i]] / per_byte);
    for (unsigned i = 0; i < frame->moves; i++) {
        const uint8_t m = frame->move[i];
        const uint32_t distance = distance_after(table, next[m], frame->far[t]);
        const uint32_t overrun = distance > left ? distance : PDB_NO_DISTANCE;
        after[m] = (uint16_t)distance;
        least = overrun < least ? overrun : least;
        frame->move[passed] = m;
        passed += distance <= left;
    }
    frame->moves = passed;
    return least;
}

/* The moves after which no table says that more than `left` are needed. The table that says most of the node itself is
 * asked first: it lets the fewest pass. Returns the least distance that is too large. */
static uint32_t pass_all(const struct permute_searcher *searcher, struct frame *frame, uint32_t left)
{
    uint32_t least = PDB_NO_DISTANCE;
    unsigned first = 0;
    for (unsigned t = 1; t < searcher->tables; t++)
        first = frame->far[t] > frame->far[first] ? t : first;
    for (unsigned i = 0; i < searcher->tables && frame->moves > 0; i++) {
        const unsigned t = i == 0 ? first : i == first ? 0 : i;
        const uint32_t overrun = pass(searcher, frame, t, left);
        least = overrun < least ? overrun : least;
    }
    return least;
}

/* Finds the moves out of a node that may lead to a solution: `left` will be left after them. */
static struct frame open_node(struct worker *worker, uint32_t depth, uint32_t state, uint32_t left)
{
    const struct permute_searcher *searcher = worker->searcher;
    struct frame frame = frame_at(worker, depth);
    /* First those that complete no redundant sequence, ... */
    for (unsigned m = 0; m < searcher->permute->moves; m++) {
        frame.move[frame.moves] = (uint8_t)m;
        frame.moves += machine_next(searcher->machine, state, m) != MACHINE_NEVER;
    }
    worker->base.nodes += frame.moves;
    /* ... then of these the ones that no table rules out. */
    const uint32_t overrun = pass_all(searcher, &frame, left);
    if (overrun != PDB_NO_DISTANCE)
        deepen_pass_over(&worker->base, overrun - left);
    return frame;
}

/* The node that a move leads to. */
static void copy_node(const struct permute_searcher *searcher, const struct frame *frame, unsigned move, uint64_t *at,
                      uint16_t *far)
{
    for (unsigned t = 0; t < searcher->tables; t++) {
        at[t] = frame->next[t * searcher->permute->moves + move];
        far[t] = frame->after[t * searcher->permute->moves + move];
    }
}

/* -- roots -- */

static void load_root(struct worker *worker, const struct root *root, uint32_t depth)
{
    const unsigned tables = worker->searcher->tables;
    const struct frame frame = frame_at(worker, depth);
    memcpy(frame.at, root->at, tables * sizeof *root->at);
    memcpy(frame.far, root->far, tables * sizeof *root->far);
    memcpy(worker->path, root->path, depth);
}

static bool expand(struct deepen_worker *base, const void *parent)
{
    struct worker *worker = (struct worker *)base;
    struct deepening *deepening = base->deepening;
    const struct root *root = parent;
    const uint32_t depth = deepening->depth;
    load_root(worker, root, depth);
    const struct frame frame = open_node(worker, depth, root->state, deepening->watch.limit - depth - 1);
    for (unsigned i = 0; i < frame.moves; i++) {
        struct root *child = deepen_add_root(deepening);
        if (child == NULL)
            return false;
        *child = *root;
        child->path[depth] = frame.move[i];
        child->state = machine_next(worker->searcher->machine, root->state, frame.move[i]);
        copy_node(worker->searcher, &frame, frame.move[i], child->at, child->far);
    }
    return true;
}

static pdb_status make_roots(struct deepening *deepening, size_t wanted, pdb_error *error)
{
    pdb_status status = deepen_first_root(deepening, &((const struct job *)deepening)->first, error);
    return status == PDB_OK ? deepen_grow_roots(deepening, wanted, 0, error) : status;
}

/* -- the search below a root -- */

static bool ends_at_goal(const struct worker *worker, uint32_t depth)
{
    const struct permute *permute = worker->searcher->permute;
    uint8_t position[2][BOARD_MAX_CELLS];
    memcpy(position[0], ((const struct job *)worker->base.deepening)->position, permute->puzzle.board.places);
    for (uint32_t i = 0; i < depth; i++)
        permute_apply(permute, worker->path[i], position[i % 2], position[1 - i % 2]);
    return permute->puzzle.family->position.is_goal(&permute->puzzle, position[depth % 2]);
}

/* Searches on from the node at `depth`; true if a goal was found (worker->path). */
static bool descend(struct worker *worker, uint32_t depth, uint32_t state)
{
    const uint32_t left = worker->base.deepening->watch.limit - depth - 1;
    const struct frame frame = open_node(worker, depth, state, left), below = frame_at(worker, depth + 1);
    if (worker->base.nodes >= DEEPEN_POLL_NODES)
        worker->stop = deepen_ended(&worker->base, worker->root);
    for (unsigned i = 0; i < frame.moves && !worker->stop; i++) {
        const uint8_t m = frame.move[i];
        worker->path[depth] = m;
        /* All distances are 0 after the last move. That the board is a goal does not follow: other tiles may differ. */
        if (left == 0) {
            if (ends_at_goal(worker, depth + 1))
                return true;
            deepen_pass_over(&worker->base, 1);
            continue;
        }
        copy_node(worker->searcher, &frame, m, below.at, below.far);
        if (descend(worker, depth + 1, machine_next(worker->searcher->machine, state, m)))
            return true;
    }
    return false;
}

static void search_roots(struct deepen_worker *base)
{
    struct worker *worker = (struct worker *)base;
    const uint32_t depth = base->deepening->depth;
    worker->stop = false;
    while (deepen_take(base, &worker->root) && !worker->stop) {
        const struct root *root = deepen_root_at(base->deepening, worker->root);
        load_root(worker, root, depth);
        if (descend(worker, depth, root->state))
            deepen_found(base, worker->root, worker->path, base->deepening->watch.limit);
    }
}

static void release(struct deepen_worker *base)
{
    struct worker *worker = (struct worker *)base;
    free(worker->at);
    free(worker->far);
    free(worker->next);
    free(worker->after);
    free(worker->move);
    free(worker->path);
}

/* Frames for paths of `limit` moves. */
static pdb_status ready(struct deepen_worker *base, pdb_error *error)
{
    struct worker *worker = (struct worker *)base;
    const struct permute_searcher *searcher = ((const struct job *)base->deepening)->searcher;
    const size_t frames = base->deepening->watch.limit + (size_t)1, tables = searcher->tables,
                 moves = searcher->permute->moves;
    if (frames <= worker->frames)
        return PDB_OK;
    release(base);
    worker->searcher = searcher;
    worker->frames = frames;
    worker->at = malloc(frames * tables * sizeof *worker->at + 1);
    worker->far = malloc(frames * tables * sizeof *worker->far + 1);
    worker->next = malloc(frames * tables * moves * sizeof *worker->next + 1);
    worker->after = malloc(frames * tables * moves * sizeof *worker->after + 1);
    worker->move = malloc(frames * moves);
    worker->path = malloc(frames);
    return worker->at && worker->far && worker->next && worker->after && worker->move && worker->path
               ? PDB_OK
               : error_no_memory(error, "the search", frames * tables * moves * sizeof *worker->next);
}

static const struct deepen_class permute_deepen_class = {
    .root_size = sizeof(struct root),
    .worker_size = sizeof(struct worker),
    .ready = ready,
    .release = release,
    .roots = make_roots,
    .expand = expand,
    .search = search_roots,
};

/* -- the searcher -- */

static pdb_status tell_path(const struct job *job, struct search_answer *answer, pdb_error *error)
{
    const struct permute *permute = job->searcher->permute;
    const size_t places = permute->puzzle.board.places;
    const uint32_t distance = job->deepening.watch.limit;
    const uint8_t *path = job->deepening.path;
    answer->distance = distance;
    answer->path = malloc((distance + (size_t)1) * places);
    if (answer->path == NULL)
        return error_no_memory(error, "a path", (distance + (size_t)1) * places);
    memcpy(answer->path, job->position, places);
    for (uint32_t i = 0; i < distance; i++)
        permute_apply(permute, path[i], answer->path + i * places, answer->path + (i + 1) * places);
    return PDB_OK;
}

/* The node that the search starts from, and the first limit, the largest of its distances; PDB_NO_DISTANCE where it is
 * certain that no goal can be reached. */
static pdb_status set_out(struct job *job, pdb_error *error)
{
    const struct permute_searcher *searcher = job->searcher;
    uint64_t *next = malloc(searcher->permute->moves * sizeof *next);
    uint8_t image[BOARD_MAX_CELLS];
    if (next == NULL)
        return error_no_memory(error, "the search", searcher->permute->moves * sizeof *next);
    pdb_status status = PDB_OK;
    for (unsigned t = 0; status == PDB_OK && t < searcher->tables && job->deepening.watch.limit != PDB_NO_DISTANCE;
         t++) {
        const struct permute *relaxed = searcher->table[t].relaxed;
        uint32_t distance = BOUND_NEVER;
        permute_relaxed_position(relaxed, job->position, image);
        if (relaxed->puzzle.family->position.rank(&relaxed->puzzle, image, &job->first.at[t]))
            distance = permute_distance(relaxed, searcher->table[t].value, job->first.at[t], next);
        if (distance > BOUND_NEVER)
            status = error_set(error, PDB_DAMAGED, "%s: its pattern database contradicts itself: generate it again",
                               searcher->permute->puzzle.name);
        job->first.far[t] = (uint16_t)distance;
        deepen_raise(&job->deepening, distance == BOUND_NEVER ? PDB_NO_DISTANCE : distance);
    }
    free(next);
    return status;
}

static pdb_status solve(const struct searcher *base, const uint8_t *position, uint32_t most, search_observer *observe,
                        void *context, struct search_answer *answer, pdb_error *error)
{
    const struct permute_searcher *searcher = (const struct permute_searcher *)base;
    const struct permute *permute = searcher->permute;
    struct job job = {.searcher = searcher, .position = position};
    unsigned colour;
    *answer = (struct search_answer){.distance = PDB_NO_DISTANCE, .bound = PDB_NO_DISTANCE};
    if (!permute_fits(permute, position, &colour) ||
        (searcher->group != NULL && !permute_group_reaches(searcher->group, position)))
        return PDB_OK;
    job.deepening = (struct deepening){.class = &permute_deepen_class,
                                       .puzzle = base->puzzle,
                                       .threads = base->threads,
                                       .colour = (uint8_t)colour,
                                       .watch = {.observe = observe, .context = context},
                                       .solved = permute->puzzle.family->position.is_goal(&permute->puzzle, position)};
    pdb_status status = PDB_OK;
    if (!job.deepening.solved) {
        deepen_raise(&job.deepening, 1);
        status = set_out(&job, error);
    }
    if (status == PDB_OK)
        status = deepen(&job.deepening, most, error);
    answer->bound = job.deepening.watch.limit;
    answer->nodes = job.deepening.watch.nodes;
    if (status == PDB_OK && job.deepening.solved)
        status = tell_path(&job, answer, error);
    deepen_free(&job.deepening);
    return status;
}

static void release_searcher(struct searcher *base)
{
    struct permute_searcher *searcher = (struct permute_searcher *)base;
    for (unsigned t = 0; t < searcher->tables; t++)
        permute_relaxed_free(searcher->table[t].relaxed);
    permute_group_free(searcher->group);
    free(searcher->machine);
    free(searcher->own);
}

/* -- making one -- */

/* The relaxations of these patterns. */
static pdb_status relax_all(struct permute_searcher *searcher, const struct permute_patterns *patterns,
                            pdb_error *error)
{
    pdb_status status = PDB_OK;
    for (unsigned p = 0; status == PDB_OK && p < patterns->count; p++) {
        status = permute_relax(searcher->permute, &patterns->pattern[p], &searcher->table[p].relaxed, error);
        searcher->tables += status == PDB_OK;
    }
    return status;
}

static pdb_status make_small_tables(struct permute_searcher *searcher, pdb_error *error)
{
    const struct permute *permute = searcher->permute;
    const unsigned most = SMALL_WORK / permute->moves;
    struct permute_patterns patterns;
    uint64_t bytes = 0, done = 0;
    pdb_status status = permute_choose_patterns(permute, most < SMALL_STATES ? most : SMALL_STATES, &patterns, error);
    if (status == PDB_OK)
        status = relax_all(searcher, &patterns, error);
    for (unsigned t = 0; t < searcher->tables; t++)
        bytes += permute_table_bytes(permute, searcher->table[t].relaxed->puzzle.states);
    searcher->own = malloc(bytes + 1);
    if (status == PDB_OK && searcher->own == NULL)
        return error_no_memory(error, "small pattern databases", bytes);
    for (unsigned t = 0; status == PDB_OK && t < searcher->tables; t++) {
        const struct permute *relaxed = searcher->table[t].relaxed;
        uint8_t *table = searcher->own + done;
        status = permute_distances(relaxed, &(struct pattern_work){.threads = 1}, 0, table, error);
        searcher->table[t].value = table;
        done += permute_table_bytes(permute, relaxed->puzzle.states);
    }
    strcpy(searcher->base.method, "small pattern databases, made for the search");
    return status;
}

static pdb_status use_tables(struct permute_searcher *searcher, const struct search_options *options, pdb_error *error)
{
    struct permute_patterns patterns = {0};
    size_t offset;
    pdb_status status = permute_parse_patterns(searcher->permute, options->patterns->text, &patterns, &offset, error);
    if (status == PDB_OK)
        status = relax_all(searcher, &patterns, error);
    for (unsigned t = 0; t < searcher->tables; t++)
        searcher->table[t].value = options->pattern_bytes + options->patterns->table[t].offset;
    sprintf(searcher->base.method, "pattern databases of %s tiles", options->patterns->shape);
    return status;
}

static pdb_status make_searcher(struct searcher *base, const struct search_options *options, pdb_error *error)
{
    struct permute_searcher *searcher = (struct permute_searcher *)base;
    searcher->permute = (const struct permute *)base->puzzle;
    pdb_status status = permute_group_make(searcher->permute, &searcher->group, error);
    if (status == PDB_OK)
        status = permute_redundant(searcher->permute, options->no_machine, &searcher->machine, error);
    if (status != PDB_OK)
        return status;
    return options->patterns != NULL ? use_tables(searcher, options, error) : make_small_tables(searcher, error);
}

const struct searcher_class permute_searcher_class = {
    .size = sizeof(struct permute_searcher), .make = make_searcher, .release = release_searcher, .solve = solve};
