/* search.c -- the searcher for puzzles by rules: A*, and the answer */
#include "search.h"
#include "lib/families/rules/layout.h"
#include "lib/numbers.h"

#include <stdlib.h>
#include <string.h>

enum { POLL_NODES = 4096 };

static const uint64_t default_memory = (uint64_t)256 << 20;

static pdb_status interrupted(const struct rules_search *search, pdb_error *error)
{
    return error_set(error, PDB_INTERRUPTED, "%s: interrupted", search->searcher->searcher.puzzle->name);
}

pdb_status rules_search_poll(struct rules_search *search, pdb_error *error)
{
    if (search->nodes < POLL_NODES)
        return PDB_OK;
    const bool goes = search_watch_add(&search->watch, search->nodes);
    search->nodes = 0;
    return goes ? PDB_OK : interrupted(search, error);
}

/* -- bounds -- */

static uint32_t least_of(void *context, uint64_t cost, const uint64_t *packed)
{
    return rules_search_least(context, cost, packed);
}

const struct rules_stage rules_stages[RULES_STAGES] = {{1 << 17, 1 << 22}, {1 << 21, 1 << 25}};

pdb_status rules_search_stage(struct rules_search *search, bool full, bool *news, pdb_error *error)
{
    const struct rules_searcher *searcher = search->searcher;
    const struct rules_stage *next = &rules_stages[search->stages];
    *news = search->stages < RULES_STAGES && (full || search->states.count >= next->states);
    if (!*news)
        return PDB_OK;
    struct made_lookups *stage = &searcher->stage[full ? RULES_STAGES - 1 : search->stages];
    const struct lookup_work work = {
        .memory = searcher->memory / 2, .most = rules_stages[stage - searcher->stage].work, .watch = &search->watch};
    pdb_status status = PDB_OK;
    pthread_mutex_lock(&stage->making);
    if (!stage->made) {
        status = lookups_choose(&searcher->mover, &work, &stage->lookups, error);
        stage->made = status == PDB_OK;
        if (!stage->made)
            lookups_free(&stage->lookups);
    }
    pthread_mutex_unlock(&stage->making);
    search->stages = (unsigned)(stage - searcher->stage) + 1;
    search->lookups = &stage->lookups;
    return status == PDB_INTERRUPTED ? interrupted(search, error) : status;
}

/* -- a search -- */

pdb_status rules_search_expand(struct rules_search *search, const uint64_t *packed, pdb_error *error)
{
    if (!moving_expand(&search->moving, packed))
        return error_no_memory(error, "a search", search->searcher->mover.most_moves * sizeof *packed);
    search->nodes += search->moving.count;
    return PDB_OK;
}

pdb_status rules_search_begin(struct rules_search *search, const struct searcher *searcher, const uint8_t *position,
                              uint64_t memory, size_t extra, pdb_error *error)
{
    const struct mover *mover = &((const struct rules_searcher *)searcher)->mover;
    unsigned element;
    uint32_t number;
    search->searcher = (const struct rules_searcher *)searcher;
    pdb_status status = met_make(&search->states, mover->words, memory, extra, error);
    if (status == PDB_OK)
        status = moving_make(mover, &search->moving, error);
    search->board = calloc(mover->words, sizeof *search->board);
    if (status == PDB_OK && search->board == NULL)
        status = error_no_memory(error, "a search", mover->words * sizeof *search->board);
    if (status != PDB_OK || !layout_read(mover->rules, position, search->moving.state, &element))
        return status;
    mover_pack(mover, search->moving.state, search->board);
    if (!met_have_room(&search->states, 1))
        return error_no_memory(error, "a search", memory);
    met_meet(&search->states, search->board, 0, MET_NONE, &number);
    met_open(&search->states, number, 0);
    return PDB_OK;
}

void rules_search_end(struct rules_search *search)
{
    moving_free(&search->moving);
    met_free(&search->states);
    free(search->board);
    free(search->after);
}

/* Expands a state: its successors are open, where no way to them was known that is as cheap. */
static void open_successors(struct rules_search *search, uint32_t state)
{
    const struct moving *moving = &search->moving;
    struct met *states = &search->states;
    for (size_t i = 0; i < moving->count; i++) {
        const uint64_t cost = (uint64_t)states->cost[state] + moving->cost[i];
        const uint32_t least = rules_search_least(search, cost, moving_next(moving, i));
        uint32_t next;
        if (least != PDB_NO_DISTANCE &&
            met_meet(states, moving_next(moving, i), (uint32_t)cost, state, &next) <= MET_CHEAPER)
            met_open(states, next, least);
    }
}

/* A*, until a solution is found, there is none of up to `most`, or the states fill their memory (*full). */
static pdb_status run(struct rules_search *search, uint32_t most, bool *full, pdb_error *error)
{
    struct met *states = &search->states;
    const size_t moves = search->moving.mover->most_moves;
    pdb_status status = PDB_OK;
    bool news;
    for (*full = false; status == PDB_OK; status = rules_search_poll(search, error)) {
        search->watch.limit = met_least(states);
        *full = !met_have_room(states, moves);
        status = rules_search_stage(search, *full, &news, error);
        if (status != PDB_OK)
            break;
        if (news) {
            met_rank(states, least_of, search);
            search->watch.limit = met_least(states);
        }
        if (search->watch.limit == PDB_NO_DISTANCE || search->watch.limit > most || *full)
            break;
        const uint32_t state = met_close(states, &search->watch.limit);
        status = rules_search_expand(search, met_at(states, state), error);
        if (status != PDB_OK)
            break;
        search->solved = search->moving.goal;
        search->reached = state;
        if (search->solved)
            break;
        open_successors(search, state);
    }
    return status;
}

/* -- answers -- */

/* The solution as positions. */
static pdb_status make_path(const struct rules_search *search, struct search_answer *answer, pdb_error *error)
{
    const struct mover *mover = search->moving.mover;
    const struct rules *rules = mover->rules;
    const size_t places = rules->puzzle.board.places;
    uint32_t before = 0;
    for (uint32_t s = search->reached; search->states.parent[s] != MET_NONE; s = search->states.parent[s])
        before++;
    answer->steps = before + search->steps;
    answer->path = malloc((answer->steps + (size_t)1) * places);
    if (answer->path == NULL)
        return error_no_memory(error, "a solution", (answer->steps + (size_t)1) * places);
    for (uint32_t s = search->reached, at = before + 1; at-- > 0; s = search->states.parent[s]) {
        mover_unpack(mover, met_at(&search->states, s), search->moving.state);
        layout_position(rules, search->moving.state, answer->path + at * places);
    }
    for (uint32_t at = 0; at < search->steps; at++) {
        mover_unpack(mover, search->after + (size_t)at * mover->words, search->moving.state);
        layout_position(rules, search->moving.state, answer->path + (before + 1 + at) * places);
    }
    answer->distance = search->watch.limit;
    return PDB_OK;
}

static pdb_status solve(const struct searcher *searcher, const uint8_t *position, uint32_t most,
                        search_observer *observe, void *context, struct search_answer *answer, pdb_error *error)
{
    const uint64_t eighth = ((const struct rules_searcher *)searcher)->memory / 8; /* tables take one */
    struct rules_search search = {.watch = {.observe = observe, .context = context}};
    bool full = false;
    *answer = (struct search_answer){.distance = PDB_NO_DISTANCE};
    pdb_status status = rules_search_begin(&search, searcher, position, 5 * eighth, 0, error);
    if (status == PDB_OK)
        status = run(&search, most, &full, error);
    if (status == PDB_OK && full)
        status = rules_search_below(&search, 2 * eighth, most, error);
    if (status == PDB_OK && search.solved)
        status = make_path(&search, answer, error);
    else if (status == PDB_OK && search.dear && search.watch.limit == PDB_NO_DISTANCE)
        status = error_set(error, PDB_TOO_LARGE,
                           "%s: no solution costs less than %u, and a search cannot count further: give the moves "
                           "smaller costs",
                           searcher->puzzle->name, PDB_NO_DISTANCE);
    answer->bound = search.watch.limit;
    answer->nodes = search.watch.nodes + search.nodes;
    rules_search_end(&search);
    return status;
}

/* -- the searcher -- */

static pdb_status make(struct searcher *searcher, const struct search_options *options, pdb_error *error)
{
    struct rules_searcher *made = (struct rules_searcher *)searcher;
    made->memory = options->memory != 0 ? options->memory : default_memory;
    strcpy(searcher->method, "A*, then iterative deepening, with pattern databases where that takes long");
    made->stage = calloc(RULES_STAGES, sizeof *made->stage);
    if (made->stage == NULL)
        return error_no_memory(error, "a search", RULES_STAGES * sizeof *made->stage);
    for (unsigned s = 0; s < RULES_STAGES; s++)
        pthread_mutex_init(&made->stage[s].making, NULL);
    return mover_make((const struct rules *)searcher->puzzle, &made->mover, error);
}

static void release(struct searcher *searcher)
{
    struct rules_searcher *made = (struct rules_searcher *)searcher;
    mover_free(&made->mover);
    for (unsigned s = 0; made->stage != NULL && s < RULES_STAGES; s++) {
        pthread_mutex_destroy(&made->stage[s].making);
        lookups_free(&made->stage[s].lookups);
    }
    free(made->stage);
}

const struct searcher_class rules_searcher_class = {
    .size = sizeof(struct rules_searcher),
    .make = make,
    .release = release,
    .solve = solve,
    .count = rules_search_count,
    .tell = rules_search_tell,
};
