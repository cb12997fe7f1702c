/* search.c -- which search a puzzle gets, and every solution held against the plain rules */
#include "search.h"
#include "ida.h"
#include "lib/clock.h"

#include <stdlib.h>
#include <string.h>

/* The observer is asked after so many seconds, or nodes: who stops at a number of these does so at any speed. */
static const double observe_every = 0.02;
enum { OBSERVE_NODES = 1 << 17 };

bool search_watch_add(struct search_watch *watch, uint64_t nodes)
{
    const uint64_t all = __atomic_add_fetch(&watch->nodes, nodes, __ATOMIC_RELAXED);
    if (watch->observe != NULL && !__atomic_test_and_set(&watch->asking, __ATOMIC_ACQUIRE)) {
        const struct search_progress progress = {watch->limit, all};
        const bool due = clock_due(&watch->due, observe_every) || all / OBSERVE_NODES != (all - nodes) / OBSERVE_NODES;
        if (due && !__atomic_load_n(&watch->stopped, __ATOMIC_RELAXED) && !watch->observe(watch->context, &progress))
            __atomic_store_n(&watch->stopped, true, __ATOMIC_RELAXED);
        __atomic_clear(&watch->asking, __ATOMIC_RELEASE);
    }
    return !__atomic_load_n(&watch->stopped, __ATOMIC_RELAXED);
}

pdb_status search_make(const struct searcher_class *class, const struct puzzle *puzzle,
                       const struct search_options *options, struct searcher **out, pdb_error *error)
{
    *out = NULL;
    if (class == NULL)
        return error_set(error, PDB_NO_DATABASE, "%s: its states are too many to number, and its family has no search",
                         puzzle->name);
    struct searcher *searcher = calloc(1, class->size);
    if (searcher == NULL)
        return error_no_memory(error, "a search", class->size);
    searcher->class = class;
    searcher->puzzle = puzzle;
    searcher->threads = options->threads;
    const pdb_status status = class->make(searcher, options, error);
    if (status == PDB_OK)
        *out = searcher;
    else
        search_free(searcher);
    return status;
}

pdb_status search_create(const struct puzzle *puzzle, const struct search_options *options, struct searcher **out,
                         pdb_error *error)
{
    const pdb_status status = search_make(puzzle->family->single.searcher, puzzle, options, out, error);
    if (status != PDB_NO_DATABASE || puzzle->states == 0)
        return status;
    if (puzzle->max_cost > 1)
        return error_set(error, PDB_NO_DATABASE,
                         "%s: its moves have costs, by which single boards of this kind are not searched: make its "
                         "database (pdb-gen)",
                         puzzle->name);
    return search_make(&ida_class, puzzle, options, out, error);
}

void search_free(struct searcher *searcher)
{
    if (searcher != NULL && searcher->class->release != NULL)
        searcher->class->release(searcher);
    free(searcher);
}

/* The least cost of a move from one position to another: PDB_BROKEN_RULES where there is none. */
static pdb_status check_step(const struct puzzle *puzzle, const uint8_t *from, const uint8_t *to, pdb_moves *moves,
                             uint32_t *cost, pdb_error *error)
{
    const pdb_move *least = NULL;
    moves->count = 0;
    const pdb_status status = puzzle->family->position.moves(puzzle, from, moves, error);
    for (size_t m = 0; status == PDB_OK && m < moves->count; m++)
        if (memcmp(moves->move[m].board.symbol, to, puzzle->board.places) == 0 &&
            (least == NULL || moves->move[m].cost < least->cost))
            least = &moves->move[m];
    if (status == PDB_OK && least == NULL)
        return error_set(error, PDB_BROKEN_RULES, "%s: a search found a path with a step that is no move",
                         puzzle->name);
    *cost = least != NULL ? least->cost : 0;
    return status;
}

static pdb_status check_path(const struct puzzle *puzzle, const uint8_t *position, const struct search_answer *answer,
                             pdb_error *error)
{
    const size_t places = puzzle->board.places;
    pdb_moves moves = {0};
    pdb_status status = PDB_OK;
    bool ends = memcmp(answer->path, position, places) == 0;
    uint64_t sum = 0;
    for (uint32_t step = 0, cost = 0; status == PDB_OK && step < answer->steps; step++, sum += cost)
        status = check_step(puzzle, answer->path + step * places, answer->path + (step + 1) * places, &moves, &cost,
                            error);
    ends = ends && puzzle->family->position.is_goal(puzzle, answer->path + answer->steps * places);
    free(moves.move);
    if (status == PDB_OK && sum != answer->distance)
        return error_set(error, PDB_BROKEN_RULES, "%s: a search found a path that costs other than was said",
                         puzzle->name);
    if (status == PDB_OK && !ends)
        status = error_set(error, PDB_BROKEN_RULES,
                           "%s: a search found a path that leads from another board, or to no goal", puzzle->name);
    return status;
}

pdb_status search_solve(const struct searcher *searcher, const uint8_t *position, uint32_t most,
                        search_observer *observe, void *context, struct search_answer *answer, pdb_error *error)
{
    *answer = (struct search_answer){.distance = PDB_NO_DISTANCE};
    pdb_status status = searcher->class->solve(searcher, position, most, observe, context, answer, error);
    if (status != PDB_OK || answer->distance == PDB_NO_DISTANCE)
        return status;
    if (puzzle_max_cost(searcher->puzzle) == 1)
        answer->steps = answer->distance;
    status = check_path(searcher->puzzle, position, answer, error);
    if (status != PDB_OK) {
        free(answer->path);
        answer->path = NULL;
    }
    return status;
}
