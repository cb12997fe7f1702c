/* rules.c -- the family of puzzles whose moves are written as guarded assignments: the contract's functions */
#include "rules.h"
#include "lib/families/rules/ground/ground.h"
#include "layout.h"
#include "numbering.h"
#include "free.h"
#include "lib/families/families.h"
#include "lib/families/rules/language/parse.h"
#include "lib/families/rules/columns/program.h"
#include "lib/families/rules/pictures/pictures.h"
#include "lib/families/rules/language/read.h"
#include "lib/families/rules/search/search.h"
#include "starts.h"
#include "step.h"
#include "symmetry.h"
#include "wide.h"

#include <stdlib.h>
#include <string.h>

static const struct rules *rules_of(const struct puzzle *puzzle)
{
    return (const struct rules *)puzzle;
}

/* Keys become the least of their images'. */
static void canonize(const struct rules *rules, uint64_t *key, size_t count)
{
    for (size_t i = 0; rules->symmetry != NULL && i < count; i++)
        key[i] = symmetry_least(rules->symmetry, key[i]);
}

enum { RUN = 256 /* states whose keys are made at once */ };

/* Where indices are numbers, the keys of a run of them are put into key[RUN]; returns how many. */
static size_t take_keys(const struct rules *rules, const uint64_t *index, size_t left, uint64_t *key)
{
    const size_t count = left < RUN ? left : RUN;
    if (rules->numbering != NULL)
        numbering_keys(rules->numbering, index, count, key);
    else
        memcpy(key, index, count * sizeof *key);
    return count;
}

/* Keys become indices, where these are numbers; false where one has none. */
static bool number_keys(const struct rules *rules, uint64_t *key, size_t count)
{
    for (size_t i = 0; rules->numbering != NULL && i < count; i++) {
        if (!numbering_has(rules->numbering, key[i]))
            return false;
        key[i] = numbering_index(rules->numbering, key[i]);
    }
    return true;
}

/* -- positions -- */

static pdb_status rules_check(const struct puzzle *puzzle, const uint8_t *position, pdb_error *error)
{
    const struct rules *rules = rules_of(puzzle);
    int32_t state[RULES_MAX_ELEMENTS];
    unsigned element = 0;
    char text[ELEMENT_TEXT_MAX];
    if (!layout_read(rules, position, state, &element))
        return error_set(error, PDB_BAD_BOARD, "'%s' is no value of %s", puzzle->board.symbol[position[element]].code,
                         layout_element_text(rules, element, text));
    if (!plain_keeps(rules, state))
        return error_set(error, PDB_BAD_BOARD, "this breaks what 'keep' says of all states");
    return PDB_OK;
}

static bool rules_is_goal(const struct puzzle *puzzle, const uint8_t *position)
{
    int32_t state[RULES_MAX_ELEMENTS];
    unsigned element;
    struct plain plain = {.rules = rules_of(puzzle), .state = state};
    if (!layout_read(plain.rules, position, state, &element))
        return false;
    return plain.rules->free ? free_is_goal(plain.rules, state) : plain_holds(&plain, plain.rules->goal);
}

static pdb_status rules_moves(const struct puzzle *puzzle, const uint8_t *position, pdb_moves *moves, pdb_error *error)
{
    const struct rules *rules = rules_of(puzzle);
    int32_t state[RULES_MAX_ELEMENTS];
    unsigned element;
    if (!layout_read(rules, position, state, &element))
        return PDB_OK;
    return rules->free ? free_moves(rules, state, moves, error) : steps_list(rules, state, moves, error);
}

static bool rules_rank(const struct puzzle *puzzle, const uint8_t *position, uint64_t *index)
{
    const struct rules *rules = rules_of(puzzle);
    int32_t state[RULES_MAX_ELEMENTS];
    unsigned element;
    if (!layout_read(rules, position, state, &element))
        return false;
    *index = layout_key(rules, state);
    canonize(rules, index, 1);
    return number_keys(rules, index, 1);
}

static void rules_unrank(const struct puzzle *puzzle, uint64_t index, uint8_t *position)
{
    const struct rules *rules = rules_of(puzzle);
    int32_t state[RULES_MAX_ELEMENTS];
    uint64_t key;
    take_keys(rules, &index, 1, &key);
    layout_state(rules, key, state);
    layout_show(rules, state, position);
}

/* -- indices -- */

static size_t successors(const struct rules *rules, const uint64_t *key, size_t count, uint64_t *next, uint32_t *cost,
                         uint16_t *next_count)
{
    return rules->free ? free_successors(rules, key, count, next, cost, next_count)
                       : program_successors(rules->program, key, count, next, cost, next_count);
}

static size_t rules_costed_successors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                                      uint32_t *cost, uint16_t *next_count)
{
    const struct rules *rules = rules_of(puzzle);
    uint64_t key[RUN];
    size_t all = 0, run;
    if (rules->numbering == NULL) {
        all = successors(rules, index, count, next, cost, next_count);
        canonize(rules, next, all);
        return all;
    }
    for (size_t done = 0; done < count; done += run) {
        run = take_keys(rules, index + done, count - done, key);
        const size_t made = successors(rules, key, run, next + all, cost == NULL ? NULL : cost + all,
                                       next_count + done);
        numbering_of_next(rules->numbering, index + done, key, run, next + all, next_count + done);
        all += made;
    }
    return all;
}

static size_t rules_successors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                               uint16_t *next_count)
{
    return rules_costed_successors(puzzle, index, count, next, NULL, next_count);
}

static void rules_are_goals(const struct puzzle *puzzle, const uint64_t *index, size_t count, bool *goal)
{
    const struct rules *rules = rules_of(puzzle);
    uint64_t key[RUN];
    for (size_t done = 0, run; done < count; done += run) {
        run = take_keys(rules, index + done, count - done, key);
        if (rules->free) {
            free_goals(rules, key, run, goal + done);
            continue;
        }
        program_goals(rules->program, key, run, goal + done);
        symmetry_hold(rules, key, run);
    }
}

/* Takes starts for one who asked for keys. */
struct starting {
    const struct rules *rules;
    goal_visitor *visit;
    void *context;
};

static pdb_status tell_starts(void *context, const struct wide_key *wide, size_t count, pdb_error *error)
{
    const struct starting *starting = context;
    uint64_t key[STARTS_RUN];
    for (size_t i = 0; i < count; i++)
        key[i] = wide[i].word[0];
    canonize(starting->rules, key, count);
    number_keys(starting->rules, key, count);
    return starting->visit(starting->context, key, count, error);
}

static pdb_status rules_starts(const struct puzzle *puzzle, goal_visitor *visit, void *context, pdb_error *error)
{
    struct starting starting = {rules_of(puzzle), visit, context};
    return starts_visit(starting.rules, tell_starts, &starting, error);
}

/* -- symmetry -- */

static void rules_weights(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint16_t *weight)
{
    for (size_t i = 0; i < count; i++)
        weight[i] = (uint16_t)symmetry_weight(rules_of(puzzle)->symmetry, index[i]);
}

static bool rules_image(const struct puzzle *puzzle, const uint8_t *position, unsigned number, uint8_t *image)
{
    const struct rules *rules = rules_of(puzzle);
    int32_t state[RULES_MAX_ELEMENTS];
    unsigned element;
    if (number >= symmetry_count(rules->symmetry) || !layout_read(rules, position, state, &element))
        return false;
    layout_wide_state(rules, symmetry_wide_image(rules->symmetry, number, layout_wide_key(rules, state)), state);
    layout_position(rules, state, image);
    return true;
}

static pdb_status rules_consistent(const struct puzzle *puzzle, pdb_error *error)
{
    return symmetry_held(rules_of(puzzle), error);
}

/* -- making -- */

/* What a condition says of one element: that it has this value. */
static bool says_value(const struct rules *rules, const struct dag_node *node, uint32_t *element, int32_t *value)
{
    const struct dag_node *nodes = rules->dag.node, *of = node->op == DAG_ELEMENT ? node : &nodes[node->a];
    *value = node->op == DAG_ELEMENT ? 1 : 0;
    if (node->op == DAG_EQUAL) {
        const bool first = of->op == DAG_ELEMENT;
        *value = nodes[first ? node->b : node->a].value;
        if (!dag_is_number(&rules->dag, first ? node->b : node->a))
            return false;
        of = &nodes[first ? node->a : node->b];
    } else if (node->op != DAG_NOT && (node->op != DAG_ELEMENT || node->lo < 0 || node->hi > 1))
        return false;
    *element = (uint32_t)of->value;
    return of->op == DAG_ELEMENT && *value >= of->lo && *value <= of->hi;
}

/* Where the goal is an `and` of values for all elements it is one board. */
static pdb_status find_goal(struct rules *rules, pdb_error *error)
{
    const struct dag *dag = &rules->dag;
    int32_t state[RULES_MAX_ELEMENTS], value;
    bool known[RULES_MAX_ELEMENTS] = {false}, one = !rules->free, *holds = calloc(dag->count + 1, sizeof *holds);
    uint32_t elements = 0, element;
    if (holds == NULL)
        return error_no_memory(error, "the goal", dag->count);
    holds[rules->ground.goal] = true;
    for (uint32_t n = rules->ground.goal + 1; one && n-- > 0;) {
        if (!holds[n])
            continue;
        if (dag->node[n].op == DAG_AND) {
            holds[dag->node[n].a] = holds[dag->node[n].b] = true;
            continue;
        }
        one = says_value(rules, &dag->node[n], &element, &value) && (!known[element] || state[element] == value);
        if (one && !known[element]) {
            known[element] = true;
            state[element] = value;
            elements++;
        }
    }
    free(holds);
    if (one && elements == rules->elements && plain_keeps(rules, state))
        layout_position(rules, state, rules->puzzle.goal);
    return PDB_OK;
}

/* Moves that are free. A complaint is about the first that always is; where there is none, about the first that may
 * be, which perhaps is not meant. */
static pdb_status make_free(struct rules *rules, pdb_error *error)
{
    pdb_error cause;
    const pdb_status status = free_make(rules, &rules->puzzle.max_moves, &cause);
    if (status == PDB_OK || status == PDB_NO_MEMORY)
        return status == PDB_OK ? PDB_OK : error_set(error, status, "%s", cause.message);
    const struct ground *ground = &rules->ground;
    size_t always = 0, perhaps = 0;
    while (always < ground->moves && rules->dag.node[ground->move[always].cost].hi > 0)
        always++;
    while (perhaps + 1 < ground->moves && rules->dag.node[ground->move[perhaps].cost].lo > 0)
        perhaps++;
    const bool meant = always < ground->moves;
    return node_error(error, node_find(rules->move[ground->move[meant ? always : perhaps].move].node, "cost"), "%s%s",
                      meant ? ""
                            : "this cost may be 0, which makes the move a free one; max(1, ..) if that is not meant: ",
                      cause.message);
}

static pdb_status rules_create(const struct definition *definition, struct puzzle *puzzle, pdb_error *error)
{
    struct rules *rules = (struct rules *)puzzle;
    const struct node *root = definition_root(definition);
    pdb_status status = rules_read(rules, root, error);
    if (status == PDB_OK)
        status = rules_ground(rules, error);
    if (status == PDB_OK) {
        picture_find_conserved(rules);
        status = numbering_make(rules, &rules->numbering, error);
    }
    if (status == PDB_OK)
        status = layout_make(rules, error);
    if (status == PDB_OK)
        status = layout_board(rules, node_find(root, "state"), error);
    bool numbered = rules->layout.keys != 0 || rules->layout.wide; /* programs and images work on keys */
    if (status == PDB_OK && numbered)
        status = program_make(rules, false, &rules->program, error);
    if (status == PDB_TOO_LARGE && rules->layout.wide) { /* its single boards can still be searched */
        rules->layout.wide = numbered = false;
        status = PDB_OK;
    }
    if (status == PDB_OK && numbered)
        status = symmetry_make(rules, node_find(root, "symmetric"), error);
    if (status == PDB_OK && rules->symmetry != NULL) {
        puzzle->functions.index.weights = rules_weights;
        puzzle->functions.index.image = rules_image;
    }
    if (rules->layout.wide)
        puzzle->functions.wide = wide_functions_of(rules);
    if (status != PDB_OK)
        return status;
    memset(puzzle->goal, BOARD_OPEN, sizeof puzzle->goal);
    for (size_t m = 0; m < rules->ground.moves; m++) {
        const uint32_t cost = (uint32_t)rules->dag.node[rules->ground.move[m].cost].hi;
        puzzle->max_cost = cost > puzzle->max_cost ? cost : puzzle->max_cost;
    }
    puzzle->max_moves = numbered ? program_max_moves(rules->program) : (unsigned)rules->ground.moves;
    status = make_free(rules, error);
    puzzle->metric = puzzle->max_cost > 1 ? "what the moves cost"
                     : rules->free        ? "one move that is not free"
                                          : "one move";
    if (rules->numbering != NULL)
        numbering_lay_out(rules->numbering, rules);
    puzzle->states = rules->numbering != NULL ? numbering_indices(rules->numbering) : rules->layout.keys;
    puzzle->size = rules->layout.size;
    puzzle->keyed = puzzle->forward = true;
    puzzle->wide = rules->layout.wide;
    puzzle->picture = rules->picture.there ? &rules->picture.board : NULL;
    return status == PDB_OK ? find_goal(rules, error) : status;
}

/* Where a named board has other values in the array than the start, states are known by their keys. */
static void settle_numbering(struct rules *rules)
{
    struct puzzle *puzzle = &rules->puzzle;
    uint64_t index;
    bool all = true;
    for (size_t i = 0; i < puzzle->named_count; i++)
        all = all && rules_rank(puzzle, puzzle->named[i].position, &index);
    if (rules->numbering == NULL)
        return;
    if (all) {
        puzzle->read_as += digest_of_reading("numbered", NULL, 0); /* databases of keys are others */
        return;
    }
    numbering_free(rules->numbering);
    rules->numbering = NULL;
    puzzle->states = rules->layout.keys;
}

/* The first start is the board of that name, unless the definition names another. */
static pdb_status rules_settle(struct puzzle *puzzle, pdb_error *error)
{
    struct rules *rules = (struct rules *)puzzle;
    int32_t state[RULES_MAX_ELEMENTS];
    bool all;
    settle_numbering(rules);
    for (size_t i = 0; i < puzzle->named_count; i++)
        if (strcmp(puzzle->named[i].name, "start") == 0)
            return PDB_OK;
    if (!starts_find(rules, state, &all)) {
        return all && puzzle->named_count == 0
                   ? node_error(error, rules->terms.term[rules->keep].node, "'keep' holds in no start")
                   : PDB_OK;
    }
    struct named_board *start = &puzzle->named[puzzle->named_count++];
    strcpy(start->name, "start");
    layout_position(rules, state, start->position);
    return PDB_OK;
}

static void rules_release(struct puzzle *puzzle)
{
    struct rules *rules = (struct rules *)puzzle;
    symmetry_free(rules->symmetry);
    program_free(rules->program);
    numbering_free(rules->numbering);
    layout_free(rules);
    rules_ground_free(rules);
    rules_read_free(rules);
}

static const char *const rules_keys[] = {"sets", "board", "tables",    "state", "start", "goal",
                                         "keep", "moves", "symmetric", "draw",  NULL};

const struct family rules_family = {
    .name = "rules",
    .summary = "moves are written as conditions and assignments",
    .keys = rules_keys,
    .shown = {"draw"},
    .size = sizeof(struct rules),
    .create = rules_create,
    .settle = rules_settle,
    .release = rules_release,
    .position = {.check = rules_check,
                 .is_goal = rules_is_goal,
                 .moves = rules_moves,
                 .rank = rules_rank,
                 .unrank = rules_unrank,
                 .parse = rules_parse,
                 .show = rules_show,
                 .hidden = rules_hidden},
    .index = {.successors = rules_successors,
              .costed_successors = rules_costed_successors,
              .are_goals = rules_are_goals,
              .starts = rules_starts},
    .space = {.consistent = rules_consistent},
    .single = {.searcher = &rules_searcher_class},
};
