/* retrograde.c -- breadth-first search backward from all goals: which way it goes, and what all ways have in common */
#include "layers.h"
#include "lib/clock.h"
#include "lib/text.h"
#include "retrograde_inner.h"
#include "lib/rank/parts.h"
#include "lib/search/space/grades/grades.h"
#include "lib/search/space/rows/sample.h"
#include "lib/search/space/words/ghosts.h"

#include <stdlib.h>
#include <string.h>

static const double look_every = 0.1; /* seconds */

/* -- the histogram -- */

enum { HISTOGRAM_ROOM = 1024 }; /* to begin with: more than a search of all layers at once needs */

/* What is left where not all distances can be kept. */
static const char *single_boards(const struct puzzle *puzzle)
{
    const bool searched = puzzle->family->single.searcher != NULL ||
                          (puzzle->parts != NULL && puzzle_max_cost(puzzle) == 1);
    return !searched ? "" : "; pdb-query --method=search looks for those of single boards";
}

pdb_status retrograde_charge(struct retrograde *search, uint64_t bytes, uint64_t most, pdb_error *error)
{
    char number[NUMBER_TEXT_MAX], need[NUMBER_TEXT_MAX], allowed[NUMBER_TEXT_MAX];
    if (search->memory + bytes > search->limit)
        return error_set(error, PDB_TOO_LARGE, "%s: distances above %s need %s of memory, %s are allowed%s",
                         search->puzzle->name, number_text(most, number), size_text(search->memory + bytes, need),
                         size_text(search->limit, allowed), single_boards(search->puzzle));
    search->memory += bytes;
    return PDB_OK;
}

/* Gives the histogram so many entries, more than it has. */
static pdb_status grow_histogram(struct retrograde *search, uint64_t room, pdb_error *error)
{
    const uint64_t more = (room - search->room) * sizeof(uint64_t);
    pdb_status status = retrograde_charge(search, more, search->room - 1, error);
    if (status != PDB_OK)
        return status;
    struct search_state *grown = realloc(search->state, retrograde_state_bytes(room));
    if (grown == NULL)
        return error_no_memory(error, "the histogram", retrograde_state_bytes(room));
    memset(grown->histogram + search->room, 0, more);
    search->state = grown;
    search->room = room;
    return PDB_OK;
}

/* -- plans -- */

/* Distances from `depth` on are more than can be kept. */
static pdb_status too_deep(const struct puzzle *puzzle, uint64_t depth, pdb_error *error)
{
    return error_set(error, PDB_TOO_LARGE,
                     "%s: it has distances of %llu and more, and the greatest that can be kept is %d%s", puzzle->name,
                     (unsigned long long)depth, DISTANCE_MAX, single_boards(puzzle));
}

pdb_status retrograde_deepen(struct retrograde *search, uint64_t depth, pdb_error *error)
{
    uint64_t room = search->room;
    if (depth > DISTANCE_MAX)
        return too_deep(search->puzzle, depth, error);
    while (room < depth + 2)
        room *= 2;
    return room == search->room ? PDB_OK : grow_histogram(search, room, error);
}

/* `plan` says how many threads, and the limit. */
static pdb_status plan_way(enum retrograde_way way, const struct puzzle *puzzle, struct retrograde_plan *plan,
                           pdb_error *error)
{
    *plan = (struct retrograde_plan){.puzzle = puzzle,
                                     .threads = plan->threads,
                                     .portable = way == RETROGRADE_PORTABLE,
                                     .limit = plan->limit,
                                     .way = puzzle->undoable  ? &way_by_states
                                            : puzzle->forward ? &way_forward
                                                              : &way_by_exact};
    if (puzzle->states == 0)
        return error_set(error, PDB_TOO_LARGE, "%s: it has too many states to be numbered", puzzle->name);
    if (puzzle->deepest > DISTANCE_MAX)
        return too_deep(puzzle, puzzle->deepest, error);
    if (puzzle_max_cost(puzzle) > DISTANCE_MAX)
        return error_set(error, PDB_TOO_LARGE,
                         "%s: moves cost up to %u, and the greatest distance that can be kept is %d%s", puzzle->name,
                         puzzle_max_cost(puzzle), DISTANCE_MAX, single_boards(puzzle));
    if (puzzle->keyed) {
        pdb_status status = way == RETROGRADE_STATES || !puzzle->undoable || puzzle->parts != NULL
                                ? PDB_OK
                                : rows_plan(puzzle, plan->portable, &plan->rows, &plan->sample, error);
        if (status == PDB_OK && way != RETROGRADE_STATES && plan->rows == NULL)
            status = puzzle->family->space.grades(puzzle, plan->portable, &plan->grades, error);
        if (status != PDB_OK)
            return status;
        plan->way = plan->rows != NULL ? &way_by_rows : plan->grades != NULL ? &way_by_grades : &way_by_keys;
    } else if (way != RETROGRADE_STATES && puzzle->at_once)
        plan->way = &way_at_once;
    else if (way != RETROGRADE_STATES) {
        pdb_status status = puzzle->family->space.layers(puzzle, plan->portable, plan->limit, &plan->kernel, error);
        if (status != PDB_OK)
            return status;
        if (plan->kernel != NULL)
            plan->way = &way_by_words;
    }
    plan->text = plan->way->text;
    const unsigned widest = puzzle->states <= 255 ? 1 : puzzle->states <= 65535 ? 2 : 4;
    plan->memory = plan->way->memory(plan, 1) + retrograde_state_bytes(HISTOGRAM_ROOM);
    plan->memory_deep = plan->way->memory(plan, plan->way->fit != NULL ? widest : 1) +
                        retrograde_state_bytes(HISTOGRAM_ROOM);
    return PDB_OK;
}

pdb_status retrograde_plan(enum retrograde_way way, const struct puzzle *puzzle, unsigned threads,
                           struct retrograde_plan *plan, pdb_error *error)
{
    *plan = (struct retrograde_plan){.threads = threads, .limit = UINT64_MAX};
    return plan_way(way, puzzle, plan, error);
}

pdb_status retrograde_plan_within(uint64_t bytes, const struct puzzle *puzzle, unsigned threads,
                                  struct retrograde_plan *plan, pdb_error *error)
{
    struct retrograde_plan other = {.threads = threads, .limit = bytes};
    *plan = other;
    pdb_status status = plan_way(RETROGRADE_BEST, puzzle, plan, error);
    if (status == PDB_OK && plan->memory > bytes)
        status = plan_way(RETROGRADE_STATES, puzzle, &other, error);
    if (status == PDB_OK && plan->memory > bytes && other.memory < plan->memory) {
        retrograde_plan_free(plan);
        *plan = other;
    }
    return status;
}

pdb_status retrograde_plan_scratch(uint64_t bytes, struct ranks *ranks, struct retrograde_plan *plan, pdb_error *error)
{
    const uint64_t state = retrograde_state_bytes(HISTOGRAM_ROOM);
    if (ranks_greatest(ranks, plan->way->cut == NULL) > 0) /* with less memory a rank may have planned another way */
        return PDB_OK;
    plan->ranks = ranks;
    pdb_status status = plan->way->cut(plan, bytes > state ? bytes - state : 0, error);
    plan->scratch_least += plan->scratch_least > 0 ? state : 0;
    if (status == PDB_OK && plan->runs != NULL) {
        plan->memory = plan->memory_deep = plan->way->memory(plan, 1) + state;
        plan->text = "in layers by words, in a file";
    }
    return status;
}

pdb_status retrograde_plan_ranks(struct ranks *ranks, struct retrograde_plan *plan, pdb_error *error)
{
    if (ranks_alone(ranks))
        return PDB_OK;
    if (ranks_greatest(ranks, plan->way->share_out == NULL) > 0) { /* with less memory one may have planned another */
        retrograde_plan_free(plan);
        plan->way = &way_owned;
        plan->text = plan->way->text;
    }
    pdb_status status = plan->way->share_out(plan, ranks, error);
    if (status != PDB_OK)
        return status;
    plan->ranks = ranks;
    plan->memory = plan->memory_deep = plan->way->memory(plan, 1) + retrograde_state_bytes(HISTOGRAM_ROOM);
    return PDB_OK;
}

struct scratch_needs retrograde_scratch_needs(const struct retrograde_plan *plan)
{
    struct scratch_needs needs = {.file = runs_file_bytes(plan->runs),
                                  .kept = retrograde_state_bytes(HISTOGRAM_ROOM) + runs_kept_bytes(plan->runs)};
    runs_forecast(plan->runs, &needs.read, &needs.written);
    return needs;
}

void retrograde_plan_free(struct retrograde_plan *plan)
{
    runs_free(plan->runs);
    ghosts_free(plan->ghosts);
    plan->runs = NULL;
    plan->ghosts = NULL;
    if (plan->kernel != NULL)
        plan->kernel->free(plan->kernel);
    if (plan->rows != NULL)
        plan->rows->free(plan->rows);
    if (plan->grades != NULL)
        plan->grades->free(plan->grades);
    key_sample_free(&plan->sample);
    plan->kernel = NULL;
    plan->rows = NULL;
    plan->grades = NULL;
}

/* -- beginning and end -- */

/* A search with what is planned for it, which is its own from now on; NULL where memory is short: then the plan is as
 * before. `*allocated`: there is all that it needs. */
static struct retrograde *create(struct retrograde_plan *plan, bool *allocated)
{
    const struct way *way = plan->way;
    struct retrograde *search = calloc(1, way->size);
    *allocated = false;
    if (search == NULL)
        return NULL;
    *search = (struct retrograde){.way = way,
                                  .puzzle = plan->puzzle,
                                  .team = {.threads = plan->threads},
                                  .ranks = plan->ranks,
                                  .portable = plan->portable,
                                  .undoable = plan->puzzle->undoable,
                                  .states = plan->puzzle->keyed ? 0 : plan->puzzle->states,
                                  .limit = plan->limit,
                                  .memory = plan->memory,
                                  .room = HISTOGRAM_ROOM,
                                  .observer = plan->observer,
                                  .context = plan->context,
                                  .beginning = true,
                                  .state = calloc(1, retrograde_state_bytes(HISTOGRAM_ROOM))};
    if (plan->puzzle->parts != NULL)
        parts_empty(plan->puzzle->parts);
    *allocated = way->allocate(search, plan) && search->state != NULL;
    plan->kernel = NULL; /* they are the search's */
    plan->runs = NULL;
    plan->ghosts = NULL;
    plan->rows = NULL;
    plan->grades = NULL;
    plan->sample = (struct key_sample){0};
    return search;
}

pdb_status retrograde_begin(struct retrograde_plan *plan, struct retrograde **out, pdb_error *error)
{
    bool allocated;
    struct retrograde *search = create(plan, &allocated);
    pdb_status status = allocated ? PDB_OK : error_no_memory(error, "the search", plan->memory);
    *out = NULL;
    status = ranks_agree(plan->ranks, status, error);
    if (status == PDB_OK && !plan->resuming)
        status = ranks_agree(plan->ranks, plan->way->goals(search, error), error);
    if (search != NULL)
        search->beginning = false;
    /* NOLINTNEXTLINE(*NullDereference): all ranks agreed that it was allocated */
    if (status == PDB_OK && search->state->layer == 0 && !search->finding && !plan->resuming)
        status = retrograde_no_goal(search, error);
    if (status != PDB_OK)
        retrograde_free(search);
    else
        *out = search;
    return status;
}

void retrograde_free(struct retrograde *search)
{
    if (search == NULL)
        return;
    team_end(&search->team);
    search->way->release(search);
    free(search->keys);
    key_bits_free(&search->key_bits);
    keys_free(search->key_table);
    free(search->state);
    free(search);
}

bool retrograde_fit(struct retrograde *search, const uint64_t *size, size_t count)
{
    const uint64_t room = count > 0 ? (size[0] - sizeof *search->state) / sizeof(uint64_t) : 0;
    if (room < search->room || room > 2 * (DISTANCE_MAX + (uint64_t)1) ||
        (room > search->room && grow_histogram(search, room, NULL) != PDB_OK))
        return false;
    return search->way->fit == NULL || search->way->fit(search, size + 1, count - 1);
}

/* -- layers -- */

struct retrograde_progress retrograde_progress(const struct retrograde *search)
{
    const struct search_state *state = search->state;
    return (struct retrograde_progress){.depth = state->depth + !search->beginning,
                                        .layer = search->beginning ? search->goals : state->layer,
                                        .reached = search->beginning ? search->goals : state->reached,
                                        .finding = search->finding,
                                        .sweeping = search->sweeping,
                                        .sweeps = search->sweeps,
                                        .wanted = search->wanted,
                                        .found = search->states};
}

void watch_look(struct watch *watch, double layer_done)
{
    if (watch->observer == NULL || !clock_due(&watch->due, look_every))
        return;
    struct retrograde_progress progress = retrograde_progress(watch->search);
    progress.layer_done = layer_done;
    if (!watch->observer(watch->context, &progress))
        __atomic_store_n(&watch->stopped, true, __ATOMIC_RELAXED);
}

enum { GOALS_AT_ONCE = 1 << 12 }; /* between two looks */

struct goals_watched {
    struct retrograde *search;
    goal_visitor *visit;
    void *context;
};

static pdb_status visit_watched(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    const struct goals_watched *goals = context;
    struct retrograde *search = goals->search;
    const uint64_t before = search->goals / GOALS_AT_ONCE;
    search->goals += count;
    if (count == 0 || search->goals / GOALS_AT_ONCE != before) {
        struct watch watch = {search, search->observer, search->context, search->due, false};
        watch_look(&watch, 0);
        search->due = watch.due;
        if (watch.stopped)
            return error_set(error, PDB_INTERRUPTED,
                             "%s: interrupted while its goals were looked for; nothing is kept of this run",
                             search->puzzle->name);
    }
    return goals->visit(goals->context, index, count, error);
}

pdb_status retrograde_goals(struct retrograde *search, goal_visitor *visit, void *context, pdb_error *error)
{
    struct goals_watched goals = {search, visit, context};
    return search->puzzle->family->index.goals(search->puzzle, visit_watched, &goals, error);
}

pdb_status retrograde_interrupted(const struct retrograde *search, pdb_error *error)
{
    return error_set(error, PDB_INTERRUPTED, "interrupted at depth %llu", (unsigned long long)search->state->depth);
}

pdb_status retrograde_no_goal(const struct retrograde *search, pdb_error *error)
{
    const struct puzzle *puzzle = search->puzzle;
    char states[NUMBER_TEXT_MAX];
    if (puzzle->unordered)
        return error_set(error, PDB_UNREACHABLE, "%s has no solution, so there is nothing to keep", puzzle->name);
    if (!puzzle->keyed || !puzzle_sets_out(puzzle))
        return error_set(error, PDB_BAD_DEFINITION, "%s: no state fits the goal", puzzle->name);
    return error_set(error, PDB_UNREACHABLE, "%s: none of the %s state%s that can be reached is a goal%s", puzzle->name,
                     number_text(search->states, states), plural(search->states),
                     search->states == 1 ? ": no move leads on from the start" : "");
}

pdb_status retrograde_no_start(const struct retrograde *search, pdb_error *error)
{
    return error_set(
        error, PDB_TOO_LARGE,
        "%s: its states are too many to number, and there is no board to set out from: name one under 'boards'",
        search->puzzle->name);
}

pdb_status retrograde_layer(struct retrograde *search, retrograde_observer *observer, void *context, bool *done,
                            pdb_error *error)
{
    const bool again = observer == search->observer && context == search->context;
    struct watch watch = {.search = search, .observer = observer, .context = context, .due = again ? search->due : 0};
    const uint64_t depth = search->state->depth;
    pdb_status status = PDB_OK;
    if (depth > DISTANCE_MAX)
        return too_deep(search->puzzle, depth, error);
    if (depth + 1 == search->room) /* it is on all ranks at once: where one cannot, none goes on */
        status = ranks_agree(search->ranks, grow_histogram(search, 2 * search->room, error), error);
    if (status == PDB_OK)
        status = search->way->layer(search, &watch, done, error);
    search->observer = observer;
    search->context = context;
    search->due = watch.stopped ? 0 : watch.due;
    return status == PDB_INTERRUPTED ? retrograde_interrupted(search, error) : status;
}

/* -- what is kept, and the outcome -- */

pdb_status retrograde_settle(struct retrograde *search, pdb_error *error)
{
    return search->way->settle == NULL ? PDB_OK : search->way->settle(search, error);
}

void retrograde_kept(struct retrograde *search)
{
    if (search->way->kept != NULL)
        search->way->kept(search);
}

bool retrograde_crowded(const struct retrograde *search)
{
    return search->keep_now || (search->way->crowded != NULL && search->way->crowded(search));
}

void retrograde_keep_from(struct retrograde *search, double due)
{
    search->keep_due = due;
}

bool retrograde_keeps_halves(const struct retrograde_plan *plan)
{
    return !plan->way->in_whole_layers;
}

void retrograde_hand_out(struct retrograde *search)
{
    if (search->way->hand_out != NULL)
        search->way->hand_out(search);
}

void retrograde_serve(struct retrograde *search)
{
    if (search->ranks != NULL && search->way->serve != NULL)
        search->way->serve(search);
}

size_t retrograde_parts(struct retrograde *search, struct memory_part parts[RETROGRADE_PARTS_MAX])
{
    parts[0] = (struct memory_part){search->state, retrograde_state_bytes(search->room)};
    return 1 + search->way->parts(search, parts + 1);
}

const char *retrograde_layout(const struct retrograde *search)
{
    return search->way->layout;
}

void retrograde_move(struct retrograde *search, uint64_t offset, uint8_t *bytes, uint64_t size, bool back)
{
    search->way->move(search, offset, bytes, size, back);
}

/* Gives the other ranks what rank 0 has of the parts that lie in memory. */
static bool tell_parts(struct retrograde *search)
{
    struct memory_part parts[RETROGRADE_PARTS_MAX];
    uint64_t room = search->room;
    ranks_tell(search->ranks, &room, 1);
    if (ranks_agree(search->ranks, room == search->room ? PDB_OK : grow_histogram(search, room, NULL), NULL) != PDB_OK)
        return false;
    for (size_t i = 0, count = retrograde_parts(search, parts); i < count; i++)
        if (parts[i].bytes != NULL)
            ranks_tell(search->ranks, parts[i].bytes, parts[i].size / sizeof(uint64_t));
    return true;
}

bool retrograde_resume(struct retrograde *search, pdb_status *lack)
{
    const bool goes_on = (ranks_alone(search->ranks) || tell_parts(search)) && search->state->depth < search->room &&
                         search->way->resume(search);
    *lack = search->lack;
    return goes_on;
}

enum encoding retrograde_encoding(const struct retrograde *search)
{
    const bool all = search->state->reached == search->states;
    if (!search->undoable)
        return encoding_exact(search->state->depth);
    if (search->puzzle->coloured)
        return all ? ENCODING_MOD4_1BIT : ENCODING_MOD4_2BIT;
    return all ? ENCODING_MOD3_5PERBYTE : ENCODING_MOD3_2BIT;
}

void retrograde_finish(struct retrograde *search, struct retrograde_result *result)
{
    const struct search_state *state = search->state;
    *result = (struct retrograde_result){.encoding = retrograde_encoding(search),
                                         .states = search->states,
                                         .memory = search->memory,
                                         .team = &search->team,
                                         .depths = state->depth + 1,
                                         .histogram = state->histogram};
    for (uint64_t depth = 0; depth <= state->depth; depth++)
        result->reachable += state->histogram[depth];
    search->way->finish(search, result);
    if (result->bytes == NULL)
        return;
    search->bytes = (struct byte_run){result->bytes, encoding_bytes(result->encoding, result->states)};
    result->source = (struct byte_source){byte_run_at, &search->bytes};
}

pdb_status retrograde_keys(struct retrograde *search, struct keys **out, pdb_error *error)
{
    uint64_t *key = search->keys;
    if (search->key_table != NULL) {
        *out = search->key_table;
        search->key_table = NULL;
        return PDB_OK;
    }
    if (search->key_bits.word != NULL)
        return keys_take_bits(&search->key_bits, out, error);
    search->keys = NULL;
    return keys_take(key, search->states, out, error);
}
