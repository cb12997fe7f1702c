/* test_program.c -- programs over columns: random graphs and moves, against one state and one node at a time */
#include "lib/families/rules/columns/program.h"
#include "lib/random.h"
#include "tests/support/support.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    ELEMENTS_MAX = 40,
    NODES_MAX = 4000,
    MOVES_MAX = 300,
    ASSIGNMENTS_MAX = 2000,
    CONSTANTS_MAX = 600,
    STATES = 700
};

/* -- the obvious way -- */

static bool holds(int64_t value)
{
    return value != 0 && value != RULES_NONE;
}

static int64_t arithmetic(uint8_t op, int64_t a, int64_t b)
{
    if (op == DAG_MIN && (a == RULES_NONE || b == RULES_NONE))
        return a == RULES_NONE ? b : a;
    if (op == DAG_MAX && (a == RULES_NONE || b == RULES_NONE))
        return a == RULES_NONE ? b : a;
    if (a == RULES_NONE || b == RULES_NONE || ((op == DAG_DIVIDE || op == DAG_REMAINDER) && b == 0))
        return RULES_NONE;
    int64_t quotient = b == 0 ? 0 : a / b;
    if (b != 0 && quotient * b != a && (a < 0) != (b < 0))
        quotient--;
    switch (op) {
    case DAG_NEGATE:
        return -a;
    case DAG_ABS:
        return a < 0 ? -a : a;
    case DAG_ADD:
        return a + b;
    case DAG_SUBTRACT:
        return a - b;
    case DAG_MULTIPLY:
        return a * b;
    case DAG_DIVIDE:
        return quotient;
    case DAG_REMAINDER:
        return a - quotient * b;
    case DAG_MIN:
        return a < b ? a : b;
    default:
        return a > b ? a : b;
    }
}

/* The value of a node whose parts are known. */
static int64_t value_of(const struct rules *rules, const int32_t *state, const int64_t *value, uint32_t n)
{
    const struct dag_node *node = &rules->dag.node[n];
    const int64_t a = node->op > DAG_ELEMENT ? value[node->a] : 0;
    const bool array = node->op == DAG_READ || node->op == DAG_LOOKUP;
    const int64_t b = node->op > DAG_ABS ? value[node->b] : 0;
    switch (node->op) {
    case DAG_NUMBER:
        return node->value;
    case DAG_ELEMENT:
        return state[node->value];
    case DAG_NOT:
        return !holds(a);
    case DAG_EQUAL:
        return a == b;
    case DAG_LESS:
        return a != RULES_NONE && b != RULES_NONE && a < b;
    case DAG_LESS_EQUAL:
        return a != RULES_NONE && b != RULES_NONE && a <= b;
    case DAG_AND:
        return holds(a) && holds(b);
    case DAG_OR:
        return holds(a) || holds(b);
    case DAG_SELECT:
        return holds(a) ? b : value[node->c];
    default:
        break;
    }
    if (!array)
        return arithmetic(node->op, a, b);
    if (a < 0 || a >= node->b) /* none is below 0 */
        return RULES_NONE;
    return node->op == DAG_READ ? state[node->value + a] : rules->dag.constant[node->value + a];
}

static uint64_t key_of(const struct rules *rules, const int32_t *state)
{
    uint64_t key = 0;
    for (uint32_t e = 0; e < rules->elements; e++)
        key += (uint64_t)((int64_t)state[e] - rules->element[e].lo) * rules->layout.weight[e];
    return key;
}

/* Makes a move; false where there is none. */
static bool move(const struct rules *rules, const struct ground_move *ground, const int64_t *value, int32_t *state)
{
    if (ground->condition != NO_NODE && !holds(value[ground->condition]))
        return false;
    int32_t before[ELEMENTS_MAX];
    memcpy(before, state, sizeof before);
    for (uint32_t i = ground->first; i < ground->first + ground->count; i++) {
        const struct ground_assignment *assignment = &rules->ground.assignment[i];
        const int64_t index = assignment->index == NO_NODE ? 0 : value[assignment->index];
        const int64_t number = value[assignment->value];
        const struct rules_element *element = &rules->element[assignment->element + index];
        cr_assert(assignment->index == NO_NODE || (index >= 0 && index < assignment->count));
        cr_assert(number >= element->lo && number <= element->hi);
        state[assignment->element + index] = (int32_t)number;
    }
    return memcmp(before, state, sizeof before) != 0;
}

/* -- random definitions -- */

struct maker {
    uint64_t *random;
    struct rules *rules;
    uint32_t pool; /* nodes below are taken for parts */
};

static uint64_t pick(const struct maker *maker, uint64_t below)
{
    return random_below(maker->random, below);
}

/* A node, with the range and the chance of none that its parts give; false where its values would be too large. */
static bool add(const struct maker *maker, struct dag_node node, uint32_t *number)
{
    struct dag *dag = &maker->rules->dag;
    if (node.lo < -VALUE_MOST || node.hi > VALUE_MOST || dag->count == NODES_MAX)
        return false;
    *number = (uint32_t)dag->count;
    dag->node[dag->count++] = node;
    return true;
}

static uint32_t number(const struct maker *maker, int32_t value)
{
    uint32_t added = 0;
    const bool none = value == RULES_NONE;
    cr_assert(
        add(maker,
            (struct dag_node){
                .op = DAG_NUMBER, .may_be_none = none, .value = value, .lo = none ? 1 : value, .hi = none ? 0 : value},
            &added));
    return added;
}

static uint32_t logical(const struct maker *maker, uint8_t op, uint32_t a, uint32_t b)
{
    uint32_t added = 0;
    cr_assert(add(maker, (struct dag_node){.op = op, .a = a, .b = b, .hi = 1}, &added));
    return added;
}

static int64_t least(const int64_t *of, unsigned count)
{
    int64_t found = of[0];
    for (unsigned i = 1; i < count; i++)
        found = of[i] < found ? of[i] : found;
    return found;
}

static int64_t greatest(const int64_t *of, unsigned count)
{
    int64_t found = of[0];
    for (unsigned i = 1; i < count; i++)
        found = of[i] > found ? of[i] : found;
    return found;
}

/* The range of what arithmetic on two ranges gives: that of the corners, or a bound that is easily seen. */
static void bound(uint8_t op, const struct dag_node *a, const struct dag_node *b, int64_t *lo, int64_t *hi)
{
    const int64_t size[2] = {greatest((const int64_t[]){-(int64_t)a->lo, a->hi}, 2),
                             greatest((const int64_t[]){-(int64_t)b->lo, b->hi}, 2)};
    if (op == DAG_DIVIDE || op == DAG_ABS) {
        *hi = size[0];
        *lo = op == DAG_ABS ? 0 : -size[0];
    } else if (op == DAG_REMAINDER) {
        *lo = b->lo < 0 ? -size[1] : 0;
        *hi = b->hi > 0 ? size[1] : 0;
    } else if (op == DAG_MIN || op == DAG_MAX) {
        const bool none = a->may_be_none || b->may_be_none;
        *lo = op == DAG_MIN || none ? least((const int64_t[]){a->lo, b->lo}, 2)
                                    : greatest((const int64_t[]){a->lo, b->lo}, 2);
        *hi = op == DAG_MAX || none ? greatest((const int64_t[]){a->hi, b->hi}, 2)
                                    : least((const int64_t[]){a->hi, b->hi}, 2);
    } else {
        const int64_t corner[4] = {arithmetic(op, a->lo, b->lo), arithmetic(op, a->lo, b->hi),
                                   arithmetic(op, a->hi, b->lo), arithmetic(op, a->hi, b->hi)};
        *lo = least(corner, 4);
        *hi = greatest(corner, 4);
    }
}

static bool add_arithmetic(const struct maker *maker, uint8_t op, uint32_t a, uint32_t b, uint32_t *added)
{
    const struct dag_node *nodes = maker->rules->dag.node;
    const struct dag_node *one = &nodes[a], *other = op == DAG_NEGATE || op == DAG_ABS ? one : &nodes[b];
    if (one->lo > one->hi || other->lo > other->hi)
        return false;
    int64_t lo, hi;
    bound(op, one, other, &lo, &hi);
    if (lo < -VALUE_MOST || hi > VALUE_MOST)
        return false;
    bool none = one->may_be_none || other->may_be_none;
    if (op == DAG_MIN || op == DAG_MAX)
        none = one->may_be_none && other->may_be_none;
    if (op == DAG_DIVIDE || op == DAG_REMAINDER)
        none = none || (other->lo <= 0 && other->hi >= 0);
    return add(maker,
               (struct dag_node){.op = op, .may_be_none = none, .a = a, .b = b, .lo = (int32_t)lo, .hi = (int32_t)hi},
               added);
}

/* The elements about one that have its range. */
static void whole_array(const struct maker *maker, uint32_t *first, uint32_t *count)
{
    const struct rules *rules = maker->rules;
    const struct rules_element one = rules->element[pick(maker, rules->elements)];
    *count = 0;
    for (uint32_t e = 0; e < rules->elements; e++)
        if (rules->element[e].lo == one.lo && rules->element[e].hi == one.hi) {
            *first = *count == 0 || *first + *count != e ? e : *first;
            *count = e + 1 - *first;
        }
}

/* READ and LOOKUP: of elements or of constants, a run that begins anywhere, or an array. */
static bool add_array(const struct maker *maker, uint8_t op, uint32_t index, uint32_t *added)
{
    const struct rules *rules = maker->rules;
    const uint32_t all = op == DAG_READ ? rules->elements : (uint32_t)rules->dag.constants;
    uint32_t first = pick(maker, 3) == 0 ? (uint32_t)pick(maker, all) : 0;
    uint32_t count = 1 + (uint32_t)pick(maker, pick(maker, 2) ? all - first : (all - first + 9) / 10);
    if (op == DAG_READ && pick(maker, 2))
        whole_array(maker, &first, &count);
    const struct dag_node at = rules->dag.node[index];
    struct dag_node node = {
        .op = op, .value = (int32_t)first, .a = index, .b = count, .lo = INT32_MAX, .hi = INT32_MIN};
    node.may_be_none = at.may_be_none || at.lo < 0 || at.hi >= (int64_t)count;
    for (uint32_t i = first; i < first + count; i++) {
        const int32_t lo = op == DAG_READ ? rules->element[i].lo : rules->dag.constant[i];
        const int32_t hi = op == DAG_READ ? rules->element[i].hi : rules->dag.constant[i];
        if (lo == RULES_NONE) {
            node.may_be_none = true;
            continue;
        }
        node.lo = lo < node.lo ? lo : node.lo;
        node.hi = hi > node.hi ? hi : node.hi;
    }
    if (node.lo > node.hi) {
        node.lo = 1;
        node.hi = 0;
    }
    return add(maker, node, added);
}

static bool add_select(const struct maker *maker, uint32_t a, uint32_t b, uint32_t c, uint32_t *added)
{
    const struct dag_node one = maker->rules->dag.node[b], other = maker->rules->dag.node[c];
    if (one.lo > one.hi || other.lo > other.hi)
        return false;
    return add(maker,
               (struct dag_node){.op = DAG_SELECT,
                                 .may_be_none = one.may_be_none || other.may_be_none,
                                 .a = a,
                                 .b = b,
                                 .c = c,
                                 .lo = one.lo < other.lo ? one.lo : other.lo,
                                 .hi = one.hi > other.hi ? one.hi : other.hi},
               added);
}

/* Any node of those that there are; later ones are likelier. */
static uint32_t any(const struct maker *maker)
{
    const uint64_t count = maker->rules->dag.count;
    return (uint32_t)(pick(maker, 3) == 0 ? pick(maker, count) : count - 1 - pick(maker, count < 12 ? count : 12));
}

/* A node of a random kind. */
static bool add_any(const struct maker *maker, uint32_t *added)
{
    static const int32_t border[] = {0,    1,   2,     -1,    7,      127,     128,       -127,
                                     -128, 255, 32767, 32768, -32768, 1000000, RULES_NONE};
    const uint8_t op = (uint8_t)pick(maker, DAG_OPS);
    const uint32_t a = any(maker), b = any(maker), c = any(maker);
    switch (op) {
    case DAG_NUMBER:
        *added = number(maker, border[pick(maker, sizeof border / sizeof *border)]);
        return true;
    case DAG_ELEMENT: {
        const uint32_t e = (uint32_t)pick(maker, maker->rules->elements);
        const struct rules_element *element = &maker->rules->element[e];
        return add(maker, (struct dag_node){.op = op, .value = (int32_t)e, .lo = element->lo, .hi = element->hi},
                   added);
    }
    case DAG_READ:
    case DAG_LOOKUP:
        return add_array(maker, op, a, added);
    case DAG_SELECT:
        return add_select(maker, a, b, c, added);
    case DAG_NOT:
    case DAG_EQUAL:
    case DAG_LESS:
    case DAG_LESS_EQUAL:
    case DAG_AND:
    case DAG_OR:
        *added = logical(maker, op, a, b);
        return true;
    default:
        return add_arithmetic(maker, op, a, b, added);
    }
}

/* -- moves -- */

/* And that a node is within a range. */
static uint32_t and_within(const struct maker *maker, uint32_t condition, uint32_t node, int32_t lo, int32_t hi)
{
    const struct dag_node what = maker->rules->dag.node[node];
    if (what.may_be_none || what.lo < lo)
        condition = logical(maker, DAG_AND, condition, logical(maker, DAG_LESS_EQUAL, number(maker, lo), node));
    if (what.may_be_none || what.hi > hi)
        condition = logical(maker, DAG_AND, logical(maker, DAG_LESS_EQUAL, node, number(maker, hi)), condition);
    return condition;
}

/* An assignment, and what has to hold for it. */
static uint32_t add_assignment(const struct maker *maker, uint32_t condition)
{
    struct rules *rules = maker->rules;
    const uint32_t element = (uint32_t)pick(maker, rules->elements);
    struct ground_assignment *assignment = &rules->ground.assignment[rules->ground.assignments++];
    *assignment = (struct ground_assignment){element, 1, NO_NODE, (uint32_t)pick(maker, maker->pool)};
    int32_t lo = rules->element[element].lo, hi = rules->element[element].hi;
    if (pick(maker, 2)) {
        assignment->count = 1 + (uint32_t)pick(maker, rules->elements - element);
        assignment->index = (uint32_t)pick(maker, maker->pool);
        for (uint32_t e = element; e < element + assignment->count; e++) {
            lo = rules->element[e].lo > lo ? rules->element[e].lo : lo;
            hi = rules->element[e].hi < hi ? rules->element[e].hi : hi;
        }
        condition = and_within(maker, condition, assignment->index, 0, (int32_t)assignment->count - 1);
    }
    if (pick(maker, 2) && lo <= hi)
        assignment->value = number(maker, lo + (int32_t)pick(maker, (uint64_t)((int64_t)hi - lo) + 1));
    return and_within(maker, condition, assignment->value, lo, hi);
}

static void add_move(const struct maker *maker)
{
    struct rules *rules = maker->rules;
    struct ground_move *ground = &rules->ground.move[rules->ground.moves++];
    *ground = (struct ground_move){.first = (uint32_t)rules->ground.assignments};
    ground->condition = pick(maker, 3) == 0 ? number(maker, 1) : (uint32_t)pick(maker, maker->pool);
    const uint32_t most = pick(maker, 8) == 0 ? 5 : 2;
    for (ground->count = 0; ground->count <= pick(maker, most); ground->count++)
        ground->condition = add_assignment(maker, ground->condition);
    ground->cost = number(maker, 1 + (int32_t)pick(maker, 300));
    uint32_t cost;
    if (pick(maker, 3) == 0 && add_arithmetic(maker, DAG_MAX, (uint32_t)pick(maker, maker->pool), ground->cost, &cost))
        ground->cost = cost; /* none is passed over */
}

/* -- elements -- */

static void add_elements(const struct maker *maker)
{
    static const int32_t range[][2] = {
        {0, 1},          {0, 2},     {0, 3},       {1, 5},   {-3, 4},    {-127, 127},
        {-128, 127},     {0, 127},   {0, 128},     {0, 255}, {100, 131}, {-1, 300},
        {-32767, 32767}, {0, 40000}, {0, 1000000}, {4, 4},   {0, 28},    {-VALUE_MOST, VALUE_MOST}};
    struct rules *rules = maker->rules;
    double size = 1;
    while (rules->elements < ELEMENTS_MAX && pick(maker, 9) > 0) {
        const int32_t *of = range[pick(maker, pick(maker, 3) ? 5 : sizeof range / sizeof *range)];
        const unsigned bits = of[0] == of[1] ? 0 : 64 - (unsigned)__builtin_clzll((uint64_t)((int64_t)of[1] - of[0]));
        for (uint64_t left = pick(maker, 2) ? 1 : 1 + pick(maker, 30); left > 0 && rules->elements < ELEMENTS_MAX;
             left--) {
            if ((size *= (double)(1ULL << bits)) > 0x1p61)
                return;
            rules->element[rules->elements++] = (struct rules_element){.lo = of[0], .hi = of[1]};
        }
    }
    if (rules->elements == 0)
        rules->element[rules->elements++] = (struct rules_element){.lo = 0, .hi = 3};
}

/* Weights from the first element up, or from the last. */
static void lay_out(const struct maker *maker)
{
    struct rules *rules = maker->rules;
    struct rules_layout *layout = &rules->layout;
    const bool last_first = pick(maker, 2);
    uint64_t weight = 1;
    layout->elements = rules->elements;
    layout->shifts = pick(maker, 2);
    for (uint32_t i = 0; i < rules->elements; i++) {
        const uint32_t e = last_first ? rules->elements - 1 - i : i;
        const uint64_t count = (uint64_t)((int64_t)rules->element[e].hi - rules->element[e].lo) + 1;
        layout->weight[e] = weight;
        layout->shift[e] = (uint8_t)__builtin_ctzll(weight);
        layout->radix[e] = count;
        while (layout->shifts && (layout->radix[e] & (layout->radix[e] - 1)) != 0)
            layout->radix[e]++;
        weight *= layout->radix[e];
    }
    layout->keys = weight;
}

struct made {
    struct rules *rules;
    struct rules_element element[ELEMENTS_MAX];
    struct dag_node node[NODES_MAX + MOVES_MAX];
    int32_t constant[CONSTANTS_MAX];
    struct ground_move move[MOVES_MAX];
    struct ground_assignment assignment[ASSIGNMENTS_MAX];
};

static void make(uint64_t *random, struct made *made)
{
    struct rules *rules = made->rules;
    struct maker maker = {random, rules, 0};
    memset(rules, 0, sizeof *rules);
    rules->element = made->element;
    rules->dag.node = made->node;
    rules->dag.constant = made->constant;
    rules->ground.move = made->move;
    rules->ground.assignment = made->assignment;
    add_elements(&maker);
    lay_out(&maker);
    const uint64_t spread[] = {2, 9, 300, 70000};
    const uint64_t of = spread[random_below(random, 4)];
    rules->dag.constants = 1 + random_below(random, random_below(random, 2) ? 20 : CONSTANTS_MAX);
    for (size_t i = 0; i < rules->dag.constants; i++)
        made->constant[i] = random_below(random, 6) == 0 ? RULES_NONE
                                                         : (int32_t)random_below(random, of) - (int32_t)(of / 5);
    (void)number(&maker, 1);
    uint32_t added = 0;
    for (uint64_t left = 5 + random_below(random, random_below(random, 3) ? 60 : 400); left > 0; left--)
        (void)add_any(&maker, &added);
    maker.pool = (uint32_t)rules->dag.count;
    for (uint64_t left = random_below(random, random_below(random, 4) ? 12 : MOVES_MAX); left > 0; left--)
        add_move(&maker);
    rules->ground.goal = any(&maker);
}

/* -- both ways -- */

static void random_state(uint64_t *random, const struct rules *rules, int32_t *state)
{
    memset(state, 0, ELEMENTS_MAX * sizeof *state);
    const bool ends = random_below(random, 4) == 0;
    for (uint32_t e = 0; e < rules->elements; e++) {
        const struct rules_element *element = &rules->element[e];
        const uint64_t count = (uint64_t)((int64_t)element->hi - element->lo) + 1;
        const uint64_t few = count > 30 && random_below(random, 2) ? 30 : count;
        state[e] = (int32_t)(element->lo + (int64_t)random_below(random, few));
        if (ends)
            state[e] = random_below(random, 2) ? element->lo : element->hi;
    }
}

struct answers {
    uint64_t *next;
    uint32_t *cost;
    uint16_t count[STATES];
    bool goal[STATES];
    size_t made;
};

static void ask(const struct program *program, const uint64_t *key, size_t count, struct answers *answers)
{
    const size_t room = STATES * (size_t)program_max_moves(program) + 1;
    answers->next = calloc(room, sizeof *answers->next);
    answers->cost = calloc(room, sizeof *answers->cost);
    cr_assert(answers->next != NULL && answers->cost != NULL);
    answers->made = program_successors(program, key, count, answers->next, answers->cost, answers->count);
    uint64_t *again = calloc(room, sizeof *again);
    uint16_t counts[STATES];
    cr_assert_eq(program_successors(program, key, count, again, NULL, counts), answers->made);
    cr_assert_eq(memcmp(again, answers->next, answers->made * sizeof *again), 0);
    cr_assert_eq(memcmp(counts, answers->count, count * sizeof *counts), 0);
    free(again);
    program_goals(program, key, count, answers->goal);
}

static void free_answers(struct answers *answers)
{
    free(answers->next);
    free(answers->cost);
}

/* All of a state's moves, one after another; returns how many. */
static size_t compare(const struct rules *rules, const int32_t *state, const struct answers *answers, size_t i,
                      size_t at)
{
    static int64_t value[NODES_MAX + MOVES_MAX];
    size_t moves = 0;
    for (uint32_t n = 0; n < rules->dag.count; n++)
        value[n] = value_of(rules, state, value, n);
    for (size_t m = 0; m < rules->ground.moves; m++) {
        int32_t after[ELEMENTS_MAX];
        memcpy(after, state, sizeof after);
        if (!move(rules, &rules->ground.move[m], value, after))
            continue;
        cr_assert_lt(moves, answers->count[i], "move %zu of state %zu is missing", m, i);
        cr_assert_eq(answers->next[at + moves], key_of(rules, after), "move %zu of state %zu", m, i);
        cr_assert_eq(answers->cost[at + moves], value[rules->ground.move[m].cost]);
        moves++;
    }
    cr_assert_eq(moves, answers->count[i], "state %zu", i);
    cr_assert_eq(answers->goal[i], holds(value[rules->ground.goal]));
    return moves;
}

static size_t compare_all(uint64_t *random, const struct rules *rules, bool portable)
{
    static int32_t state[STATES][ELEMENTS_MAX];
    uint64_t key[STATES];
    struct program *program;
    struct answers answers;
    pdb_error error;
    const size_t count = 1 + random_below(random, random_below(random, 3) ? 100 : STATES);
    cr_assert_eq(program_make(rules, portable, &program, &error), PDB_OK, "%s", error.message);
    cr_assert_leq(program_max_moves(program), rules->ground.moves);
    for (size_t i = 0; i < count; i++) {
        random_state(random, rules, state[i]);
        key[i] = key_of(rules, state[i]);
        cr_assert_lt(key[i], rules->layout.keys);
    }
    ask(program, key, count, &answers);
    size_t at = 0;
    for (size_t i = 0; i < count; i++)
        at += compare(rules, state[i], &answers, i, at);
    cr_assert_eq(at, answers.made);
    free_answers(&answers);
    program_free(program);
    return at;
}

/* Keys that may be no state's: both programs make of them the same, and it is keys. */
static void compare_any_keys(uint64_t *random, const struct rules *rules)
{
    uint64_t key[STATES];
    struct program *program[2];
    struct answers answers[2];
    for (size_t i = 0; i < STATES; i++)
        key[i] = random_below(random, rules->layout.keys);
    for (unsigned portable = 0; portable < 2; portable++) {
        cr_assert_eq(program_make(rules, portable, &program[portable], NULL), PDB_OK);
        ask(program[portable], key, STATES, &answers[portable]);
    }
    cr_assert_eq(answers[0].made, answers[1].made);
    cr_assert_eq(memcmp(answers[0].next, answers[1].next, answers[0].made * sizeof *key), 0);
    cr_assert_eq(memcmp(answers[0].count, answers[1].count, sizeof answers[0].count), 0);
    cr_assert_eq(memcmp(answers[0].goal, answers[1].goal, sizeof answers[0].goal), 0);
    for (size_t i = 0; i < answers[0].made; i++)
        cr_assert_lt(answers[0].next[i], rules->layout.keys);
    for (unsigned portable = 0; portable < 2; portable++) {
        program_free(program[portable]);
        free_answers(&answers[portable]);
    }
}

static void try_many(uint64_t seed, unsigned definitions)
{
    struct made *made = calloc(1, sizeof *made);
    struct rules *rules = calloc(1, sizeof *rules);
    cr_assert(made != NULL && rules != NULL);
    made->rules = rules;
    size_t moves = 0;
    for (unsigned i = 0; i < definitions; i++) {
        uint64_t random = seed * 1000000 + i;
        make(&random, made);
        moves += compare_all(&random, rules, i % 2);
        if (i % 8 == 0)
            compare_any_keys(&random, rules);
    }
    cr_assert_gt(moves, 100 * (size_t)definitions, "%zu moves", moves);
    free(rules);
    free(made);
}

Test(program, random_definitions)
{
    try_many(1, 500);
}

Test(program, more_random_definitions)
{
    try_many(2, share_of(3500));
}
