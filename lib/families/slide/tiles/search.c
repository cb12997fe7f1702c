/* search.c -- boards of different tiles: the searcher, the roots of a search, and the answer (search.h) */
#include "search.h"
#include "lib/search/board/bounds.h"
#include "lib/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    UNDO_LENGTH = 2, /* without the machine: a move taken back at once is left out */
    ROOTS_LEAST = 256,
    ROOTS_MOST = 16384,
    NODES_PER_ROOT = 64 /* visited so far, for more roots to be worth making */
};

/* -- roots -- */

static uint16_t bound_of(const struct tile_search *search, const uint8_t *tile, unsigned empty)
{
    unsigned bound = 2 * (search->lookup != NULL ? tile_lookup_excess(search, tile, empty)
                                                 : tile_lines_excess(search, tile, empty));
    for (unsigned place = 0; place < search->tiles.places; place++)
        if (place != empty)
            bound += search->tiles.far[tile[place]][place];
    return (uint16_t)bound;
}

/* A position as the root of a search. */
static void read_tiles(const struct tile_search *search, const uint8_t *position, struct tile_root *root)
{
    *root = (struct tile_root){0};
    for (unsigned place = 0; place < search->tiles.places; place++) {
        root->tile[place] = search->tiles.tile_of_symbol[position[place]];
        if (root->tile[place] == TILES_NO_TILE)
            root->empty = (uint8_t)place;
    }
    root->bound = bound_of(search, root->tile, root->empty);
}

bool tile_expand(struct deepen_worker *worker, const void *parent)
{
    struct deepening *deepening = worker->deepening;
    const struct tile_search *search = tile_search_of(deepening);
    const struct tile_root *root = parent;
    for (unsigned moves = search->moves[root->state] & search->open[root->empty]; moves != 0; moves &= moves - 1) {
        const unsigned move = (unsigned)__builtin_ctz(moves);
        struct tile_root *child = deepen_add_root(deepening);
        if (child == NULL)
            return false;
        *child = *root;
        child->empty = search->next[root->empty][move];
        child->tile[root->empty] = root->tile[child->empty];
        child->move[deepening->depth] = (uint8_t)move;
        child->state = machine_next(search->machine, root->state, move);
    }
    return true;
}

/* Roots are kept from round to round, and made more as the search grows, by one thread too: lanes.c searches below
 * several at a time. */
pdb_status tile_roots(struct deepening *deepening, size_t wanted, pdb_error *error)
{
    const unsigned depth = deepening->depth;
    wanted = deepening->watch.nodes / NODES_PER_ROOT;
    wanted = wanted < ROOTS_LEAST ? ROOTS_LEAST : wanted > ROOTS_MOST ? ROOTS_MOST : wanted;
    pdb_status status = deepen_grow_roots(deepening, wanted, 0, error);
    for (size_t i = 0; deepening->depth != depth && i < deepening->roots; i++, deepening->watch.nodes++) {
        struct tile_root *root = deepen_root_at(deepening, i);
        root->bound = bound_of(tile_search_of(deepening), root->tile, root->empty);
    }
    return status;
}

const struct tile_root *tile_take(struct deepen_worker *worker, size_t *number)
{
    const struct deepening *deepening = worker->deepening;
    while (deepen_take(worker, number)) {
        const struct tile_root *root = deepen_root_at(deepening, *number);
        const uint32_t least = deepening->depth + root->bound;
        if (least <= deepening->watch.limit)
            return root;
        deepen_pass_over(worker, least - deepening->watch.limit);
    }
    return NULL;
}

/* -- answers -- */

/* The positions along a solution. */
static pdb_status make_path(const struct tile_job *job, const uint8_t *position, struct search_answer *answer,
                            pdb_error *error)
{
    const struct deepening *deepening = &job->deepening;
    const size_t places = job->search->tiles.places;
    const struct tile_root *root = deepen_root_at(deepening, deepening->winner);
    const uint8_t *below = deepening->path;
    const uint8_t symbol = deepening->puzzle->board.empty;
    const size_t bytes = (answer->bound + (size_t)1) * places;
    uint8_t *path = answer->path = malloc(bytes);
    if (path == NULL)
        return error_no_memory(error, "a solution", bytes);
    answer->distance = answer->bound;
    memcpy(path, position, places);
    size_t empty = (size_t)((const uint8_t *)memchr(position, symbol, places) - position);
    for (unsigned step = 0; step < answer->distance; step++, path += places) {
        const unsigned move = step < deepening->depth ? root->move[step] : below[step - deepening->depth];
        const size_t next = job->search->next[empty][move];
        memcpy(path + places, path, places);
        path[places + empty] = path[next];
        path[places + next] = symbol;
        empty = next;
    }
    return PDB_OK;
}

static pdb_status tile_search_solve(const struct searcher *searcher, const uint8_t *position, uint32_t most,
                                    search_observer *observe, void *context, struct search_answer *answer,
                                    pdb_error *error)
{
    const struct tile_search *search = (const struct tile_search *)searcher;
    struct tile_root first;
    *answer = (struct search_answer){.distance = PDB_NO_DISTANCE, .bound = PDB_NO_DISTANCE};
    read_tiles(search, position, &first);
    if (!tiles_parity_fits(&search->tiles, first.tile))
        return PDB_OK;
    struct tile_job job = {.search = search};
    job.deepening = (struct deepening){.class = search->lookup != NULL ? &tile_lookup_class : &tile_lines_class,
                                       .puzzle = searcher->puzzle,
                                       .threads = searcher->threads,
                                       .colour = first.bound & 1,
                                       .watch = {observe, context, .limit = first.bound},
                                       .solved = first.bound == 0};
    pdb_status status = deepen_first_root(&job.deepening, &first, error);
    if (status == PDB_OK)
        status = deepen(&job.deepening, most, error);
    answer->bound = job.deepening.watch.limit;
    answer->nodes = job.deepening.watch.nodes;
    if (status == PDB_OK && job.deepening.solved)
        status = make_path(&job, position, answer, error);
    deepen_free(&job.deepening);
    return status;
}

/* -- the bounds, for people -- */

/* The sum of what every tile alone needs. */
static const char *name_far(const struct tile_search *search)
{
    const struct board *board = &search->tiles.slide->puzzle.board;
    return board->places == board->rows * board->columns ? "Manhattan distance" : "distances of single tiles";
}

static pdb_status tile_search_tell(const struct searcher *searcher, const uint8_t *position, pdb_bounds *bounds,
                                   pdb_error *error)
{
    const struct tile_search *search = (const struct tile_search *)searcher;
    struct tile_root root;
    uint32_t far = 0;
    char name[80];
    read_tiles(search, position, &root);
    for (unsigned place = 0; place < search->tiles.places; place++)
        far += place != root.empty ? search->tiles.far[root.tile[place]][place] : 0;
    pdb_status status = bounds_add(bounds, name_far(search), far, error);
    if (status == PDB_OK && !tiles_parity_fits(&search->tiles, root.tile))
        return bounds_add(bounds, "parity of the permutation", PDB_NO_DISTANCE, error);
    if (status == PDB_OK && search->lookup != NULL)
        return tile_lookup_tell(search, root.tile, root.empty, far, bounds, error);
    snprintf(name, sizeof name, "%s and linear conflicts", name_far(search));
    return status == PDB_OK ? bounds_add(bounds, name, root.bound, error) : status;
}

/* -- making one -- */

static void tile_search_release(struct searcher *searcher)
{
    struct tile_search *search = (struct tile_search *)searcher;
    free(search->machine);
    free(search->lines);
    tile_lookup_free(search->lookup);
    free(search->moves);
}

/* Where the empty cell's moves lead, and which of them take a tile farther away. */
static void find_moves(struct tile_search *search)
{
    const struct tiles *tiles = &search->tiles;
    for (unsigned from = 0; from < tiles->places; from++)
        for (unsigned move = 0; move < TILES_MOVES; move++) {
            const uint16_t to = tiles->slide->neighbour[from][move];
            if (to == BOARD_NO_PLACE)
                continue;
            search->open[from] |= (uint8_t)(1u << move);
            search->next[from][move] = (uint8_t)to;
            for (unsigned tile = 0; tile < tiles->tiles; tile++)
                if (tiles->far[tile][from] > tiles->far[tile][to])
                    search->away[tile][to] |= (uint8_t)(1u << move);
        }
}

/* The machine, and the moves that it lets pass as bits. */
static pdb_status make_machine(struct tile_search *search, unsigned length, pdb_error *error)
{
    pdb_status status = tiles_redundant(length, &search->machine, error);
    if (status != PDB_OK)
        return status;
    const uint32_t states = search->machine->states;
    search->moves = calloc(states, 1);
    if (search->moves == NULL)
        return error_no_memory(error, "the machine of redundant moves", states);
    for (uint32_t state = 0; state < states; state++)
        for (unsigned move = 0; move < TILES_MOVES; move++)
            if (machine_next(search->machine, state, move) != MACHINE_NEVER)
                search->moves[state] |= (uint8_t)(1u << move);
    return PDB_OK;
}

static void name_method(const struct tile_search *search, const struct search_options *options, char *method)
{
    if (search->lookup == NULL) {
        sprintf(method, "%s and linear conflicts", name_far(search));
        return;
    }
    bool reflections;
    const unsigned images = tile_lookup_images(search->lookup, &reflections);
    const int length = sprintf(method, "pattern databases %.80s", options->patterns->shape);
    if (images > 0)
        sprintf(method + length, " and %u %s%s", images, reflections ? "reflection" : "image", plural(images));
}

static pdb_status tile_search_make(struct searcher *searcher, const struct search_options *options, pdb_error *error)
{
    struct tile_search *search = (struct tile_search *)searcher;
    const struct puzzle *puzzle = searcher->puzzle;
    if (!tiles_make((const struct slide *)puzzle, &search->tiles))
        return error_set(error, PDB_NO_DATABASE, "%s: not a board of different tiles and one empty cell", puzzle->name);
    if (!tiles_reach_all(&search->tiles))
        return error_set(error, PDB_NO_DATABASE,
                         "%s: its board is a ring, or falls apart without one of its cells: which boards reach the "
                         "goal is no question of parity there",
                         puzzle->name);
    pdb_status status = make_machine(search, options->no_machine ? UNDO_LENGTH : TILES_REDUNDANT_MAX, error);
    if (status == PDB_OK)
        status = options->patterns != NULL ? tile_lookup_create(&search->tiles, options, &search->lookup, error)
                                           : tile_lines_create(&search->tiles, &search->lines, error);
    if (status != PDB_OK)
        return status;
    find_moves(search);
    name_method(search, options, searcher->method);
    return PDB_OK;
}

const struct searcher_class tile_searcher = {
    .size = sizeof(struct tile_search),
    .make = tile_search_make,
    .release = tile_search_release,
    .solve = tile_search_solve,
    .tell = tile_search_tell,
};
