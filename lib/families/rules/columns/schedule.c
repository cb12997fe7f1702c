/* schedule.c -- values become instructions in an order, and columns
 *
 * First come the conditions of all moves, then what several moves need to be made, then move by move what only that one
 * needs, which is passed over where it holds nowhere. A column is given to another value once its own is not needed any
 * more.
 */
#include "columns.h"
#include "lib/memory/array.h"

#define IN_ORDER UINT32_MAX
#define SHARED   (UINT32_MAX - 1)
#define NOBODY   (UINT32_MAX - 2)

/* A value to be computed, or one of STEP_.. with a move. */
struct step {
    uint32_t op, number;
};

struct visit {
    uint32_t value, operand;
};

struct schedule {
    struct program *program;
    struct values *values;
    struct code *code;
    struct step *step;
    size_t steps, step_room;
    struct visit *stack;
    size_t stack_room;
    uint32_t *owner; /* of each value: IN_ORDER, or the move that alone needs it, or SHARED, or NOBODY */
    uint32_t *last;  /* of each value: the step that needs it last */
    uint32_t *column;
    uint32_t *free[3]; /* columns of 1, 2, 4 bytes that are free again */
    size_t freed[3], free_room[3];
};

enum { COMPUTE = VALUE_NUMBER };

static bool add_step(struct schedule *schedule, uint32_t op, uint32_t number)
{
    if (!array_reserve(&schedule->step, &schedule->step_room, schedule->steps + 1, sizeof *schedule->step))
        return false;
    schedule->step[schedule->steps++] = (struct step){op, number};
    return true;
}

/* -- order -- */

/* Is a value walked now? It has a new owner then. */
static bool enters(struct schedule *schedule, uint32_t value, uint32_t owner)
{
    uint32_t *has = &schedule->owner[value];
    if (*has == IN_ORDER || *has == owner || (*has == SHARED && owner != IN_ORDER))
        return false;
    *has = owner == IN_ORDER || *has == NOBODY ? owner : SHARED;
    return true;
}

static bool push(struct schedule *schedule, size_t depth, uint32_t value)
{
    if (!array_reserve(&schedule->stack, &schedule->stack_room, depth + 1, sizeof *schedule->stack))
        return false;
    schedule->stack[depth] = (struct visit){value, 0};
    return true;
}

/* Walks what a value is made of and has another owner yet. For IN_ORDER: puts it in order, parts first. For a move:
 * what another move owns becomes shared. */
static bool walk(struct schedule *schedule, uint32_t value, uint32_t owner)
{
    size_t depth = 0;
    uint32_t room[3];
    const uint32_t *operand;
    if (enters(schedule, value, owner) && !push(schedule, depth++, value))
        return false;
    while (depth > 0) {
        struct visit *top = &schedule->stack[depth - 1];
        const size_t operands = value_operands(schedule->values, &schedule->values->value[top->value], room, &operand);
        if (top->operand < operands) {
            const uint32_t part = operand[top->operand++];
            if (enters(schedule, part, owner) && !push(schedule, depth++, part))
                return false;
        } else {
            depth--;
            if (owner == IN_ORDER && !add_step(schedule, COMPUTE, top->value))
                return false;
        }
    }
    return true;
}

/* The i-th value that the next keys of a move are made of. */
static bool part_of(const struct program *program, const struct program_move *move, size_t i, uint32_t *value)
{
    if (i < move->terms)
        *value = program->term[move->first_term + i].column;
    else if (i == move->terms)
        *value = move->cost.column;
    else {
        const size_t at = i - move->terms - 1;
        if (at >= 2 * (size_t)move->indexed)
            return false;
        const struct move_indexed *indexed = &program->indexed[move->first_indexed + at / 2];
        *value = at % 2 == 0 ? indexed->difference : indexed->index;
    }
    return true;
}

/* Walks the values that the next keys of a move are made of. */
static bool walk_parts(struct schedule *schedule, const struct program_move *move, uint32_t owner)
{
    uint32_t value;
    for (size_t i = 0; part_of(schedule->program, move, i, &value); i++)
        if (!walk(schedule, value, owner))
            return false;
    return true;
}

static bool order_moves(struct schedule *schedule)
{
    const struct program *program = schedule->program;
    for (uint32_t m = 0; m < program->moves; m++)
        if (!walk(schedule, program->move[m].condition, IN_ORDER) || !add_step(schedule, STEP_HOLDS, m))
            return false;
    if (!add_step(schedule, STEP_COUNTED, 0))
        return false;
    for (uint32_t m = 0; m < program->moves; m++)
        if (!walk_parts(schedule, &program->move[m], m))
            return false;
    for (uint32_t v = 0; v < schedule->values->count; v++)
        if (schedule->owner[v] == SHARED && !walk(schedule, v, IN_ORDER))
            return false;
    for (uint32_t m = 0; m < program->moves; m++)
        if (!add_step(schedule, STEP_SKIP, m) || !walk_parts(schedule, &program->move[m], IN_ORDER) ||
            !add_step(schedule, STEP_MOVE, m))
            return false;
    return true;
}

/* Elements first. */
static bool order_elements(struct schedule *schedule)
{
    struct step *ordered = calloc(schedule->steps, sizeof *ordered);
    if (ordered == NULL)
        return false;
    size_t count = 0;
    for (unsigned pass = 0; pass < 2; pass++)
        for (size_t s = 0; s < schedule->steps; s++) {
            const struct step *step = &schedule->step[s];
            const bool element = step->op == COMPUTE && schedule->values->value[step->number].op == VALUE_ELEMENT;
            if (element == (pass == 0))
                ordered[count++] = *step;
        }
    memcpy(schedule->step, ordered, count * sizeof *ordered);
    free(ordered);
    return true;
}

/* -- columns -- */

static uint8_t column_width(const struct value *value)
{
    return value->mask ? 1 : value->width;
}

static unsigned free_list(const struct value *value)
{
    return column_width(value) / 2; /* 1, 2, 4: 0, 1, 2 */
}

static bool take_column(struct schedule *schedule, uint32_t value)
{
    const struct value *what = &schedule->values->value[value];
    const unsigned list = free_list(what);
    if (schedule->freed[list] > 0) {
        schedule->column[value] = schedule->free[list][--schedule->freed[list]];
        return true;
    }
    schedule->column[value] = schedule->code->bytes;
    schedule->code->bytes += column_width(what);
    return true;
}

/* A value that is needed for the last time in this step leaves its column. */
static bool leave_column(struct schedule *schedule, uint32_t value, uint32_t step)
{
    const unsigned list = free_list(&schedule->values->value[value]);
    if (schedule->last[value] != step)
        return true;
    schedule->last[value] = NO_VALUE; /* it may be needed twice in it */
    if (!array_reserve(&schedule->free[list], &schedule->free_room[list], schedule->freed[list] + 1,
                       sizeof *schedule->free[list]))
        return false;
    schedule->free[list][schedule->freed[list]++] = schedule->column[value];
    return true;
}

/* The i-th value that a step needs; false where it needs no more. */
static bool needs(const struct schedule *schedule, const struct step *step, size_t i, uint32_t *value)
{
    const struct program *program = schedule->program;
    uint32_t room[3];
    const uint32_t *operand;
    if (step->op == COMPUTE) {
        const size_t operands = value_operands(schedule->values, &schedule->values->value[step->number], room,
                                               &operand);
        *value = i < operands ? operand[i] : NO_VALUE;
        return i < operands;
    }
    if (step->op == STEP_MOVE)
        return part_of(program, &program->move[step->number], i, value);
    *value = step->op == STEP_HOLDS ? program->move[step->number].condition : step->number;
    return i == 0 && (step->op == STEP_HOLDS || step->op == STEP_GOAL);
}

static void find_last(struct schedule *schedule)
{
    uint32_t value;
    for (uint32_t s = 0; s < schedule->steps; s++)
        for (size_t i = 0; needs(schedule, &schedule->step[s], i, &value); i++)
            schedule->last[value] = s;
}

/* -- instructions -- */

static struct instruction *add_instruction(struct code *code)
{
    if (!array_reserve(&code->instruction, &code->room, code->count + 1, sizeof *code->instruction))
        return NULL;
    code->instruction[code->count] = (struct instruction){0};
    return &code->instruction[code->count++];
}

/* An element is not computed: all are unpacked at the beginning. */
static bool add_element(struct schedule *schedule, uint32_t value)
{
    const struct value *what = &schedule->values->value[value];
    const struct rules *rules = schedule->program->rules;
    const struct rules_element *element = &rules->element[what->number];
    struct code *code = schedule->code;
    const uint64_t most = (uint64_t)((int64_t)element->hi - element->lo);
    if (!array_reserve(&code->unpacked, &code->element_room, code->elements + 1, sizeof *code->unpacked))
        return false;
    code->unpacked[code->elements++] = (struct unpacked){.to = schedule->column[value],
                                                         .element = (uint32_t)what->number,
                                                         .width = what->width,
                                                         .shift = rules->layout.shift[what->number],
                                                         .word = rules->layout.word[what->number],
                                                         .mask = UINT64_MAX >> __builtin_clzll(most),
                                                         .lo = element->lo,
                                                         .range = (int32_t)most + 1};
    return true;
}

static uint32_t table_of(struct program *program, const struct values *values, const struct value *value)
{
    for (uint32_t t = 0; t < program->tables; t++)
        if (program->table[t].first == (uint32_t)value->number && program->table[t].count == value->b &&
            program->table[t].width == value->width)
            return t;
    struct lookup_table *grown = array_grow(program->table, program->tables, sizeof *program->table);
    if (grown == NULL)
        return NO_VALUE;
    program->table = grown;
    struct lookup_table table = {(uint32_t)value->number, value->b, value->width, NULL};
    const int32_t *constant = values->pool + value->number;
    table.lane = calloc(value->width == 1 ? 256 : value->b, value->width);
    if (table.lane == NULL)
        return NO_VALUE;
    int8_t *byte = table.lane;
    int16_t *word = table.lane;
    int32_t *whole = table.lane;
    for (uint32_t i = 0; i < (value->width == 1 ? 256 : value->b); i++) {
        const int32_t number = i < value->b ? constant[i] : RULES_NONE;
        if (value->width == 1)
            /* NOLINTNEXTLINE(*narrowing-conversions): it fits into the lane that was chosen for it */
            byte[i] = number == RULES_NONE ? INT8_MIN : (int8_t)number;
        else if (value->width == 2)
            /* NOLINTNEXTLINE(*narrowing-conversions): it fits into the lane that was chosen for it */
            word[i] = number == RULES_NONE ? INT16_MIN : (int16_t)number;
        else
            whole[i] = number;
    }
    program->table[program->tables] = table;
    return (uint32_t)program->tables++;
}

/* The columns of a READ. */
static bool add_list(struct schedule *schedule, const struct value *value, struct instruction *instruction)
{
    struct code *code = schedule->code;
    if (!array_reserve(&code->list, &code->list_room, code->listed + value->b, sizeof *code->list))
        return false;
    instruction->c = (uint32_t)code->listed;
    for (uint32_t i = 0; i < value->b; i++)
        code->list[code->listed++] = schedule->column[schedule->values->list[value->c + 1 + i]];
    return true;
}

static bool compute(struct schedule *schedule, uint32_t number)
{
    const struct value *value = &schedule->values->value[number];
    uint32_t room[3];
    const uint32_t *operand;
    if (!take_column(schedule, number))
        return false;
    if (value->op == VALUE_ELEMENT)
        return add_element(schedule, number);
    struct instruction *instruction = add_instruction(schedule->code);
    if (instruction == NULL)
        return false;
    const size_t operands = value_operands(schedule->values, &schedule->values->value[number], room, &operand);
    *instruction = (struct instruction){.op = value->op,
                                        .width = value->width,
                                        .none = value->none,
                                        .number = value->number,
                                        .to = schedule->column[number],
                                        .b = value->b};
    if (operands > 0) {
        instruction->a = schedule->column[operand[0]];
        instruction->from = schedule->values->value[operand[0]].width;
    }
    if (value->op == VALUE_READ)
        return add_list(schedule, value, instruction);
    if (value->op == VALUE_LOOKUP)
        return (instruction->b = table_of(schedule->program, schedule->values, value)) != NO_VALUE;
    if (operands > 1)
        instruction->b = schedule->column[operand[1]];
    if (operands > 2)
        instruction->c = schedule->column[operand[2]];
    return true;
}

/* A move's parts are columns from now on. */
static void place_move(struct schedule *schedule, struct program_move *move)
{
    struct program *program = schedule->program;
    for (uint32_t i = 0; i < move->terms; i++) {
        struct move_term *term = &program->term[move->first_term + i];
        term->column = schedule->column[term->column];
    }
    for (uint32_t i = 0; i < move->indexed; i++) {
        struct move_indexed *indexed = &program->indexed[move->first_indexed + i];
        indexed->difference = schedule->column[indexed->difference];
        indexed->index = schedule->column[indexed->index];
    }
    move->cost.column = schedule->column[move->cost.column];
}

static bool add_steps(struct schedule *schedule)
{
    struct code *code = schedule->code;
    size_t skip = 0;
    uint32_t value;
    for (uint32_t s = 0; s < schedule->steps; s++) {
        const struct step *step = &schedule->step[s];
        if (step->op == COMPUTE && !compute(schedule, step->number))
            return false;
        struct instruction *instruction = step->op == COMPUTE ? NULL : add_instruction(code);
        if (step->op != COMPUTE && instruction == NULL)
            return false;
        for (size_t i = 0; needs(schedule, step, i, &value); i++) {
            if (instruction != NULL)
                instruction->a = schedule->column[value];
            if (!leave_column(schedule, value, s))
                return false;
        }
        if (step->op == COMPUTE)
            continue;
        *instruction = (struct instruction){/* NOLINTNEXTLINE(*NullDereference): there is room for it */
                                            .op = (uint8_t)step->op,
                                            .number = (int32_t)step->number,
                                            .a = instruction->a}; /* NOLINT(*NullDereference): there is room for it */
        if (step->op == STEP_SKIP)
            skip = code->count;
        else if (step->op == STEP_MOVE) {
            place_move(schedule, &schedule->program->move[step->number]);
            code->instruction[skip - 1].to = (uint32_t)(code->count - skip);
        }
    }
    return true;
}

/* Does an element stand before another in this order: that of the words, and in each of their weights? */
static bool stands_before(const struct rules_layout *layout, const struct unpacked *a, const struct unpacked *b)
{
    return a->word != b->word ? a->word < b->word : layout->weight[a->element] < layout->weight[b->element];
}

/* In a key that is a sum of products, what lies below an element is divided off before it. */
static void order_unpacked(const struct rules_layout *layout, struct code *code)
{
    for (size_t i = 1; i < code->elements; i++) {
        const struct unpacked moving = code->unpacked[i];
        size_t at = i;
        for (; at > 0 && stands_before(layout, &moving, &code->unpacked[at - 1]); at--)
            code->unpacked[at] = code->unpacked[at - 1];
        code->unpacked[at] = moving;
    }
    uint64_t below = 1;
    for (size_t i = 0; i < code->elements; i++) {
        struct unpacked *unpacked = &code->unpacked[i];
        if (i > 0 && unpacked->word != unpacked[-1].word)
            below = 1;
        unpacked->gap = layout->weight[unpacked->element] / below;
        below = layout->weight[unpacked->element] * (uint64_t)unpacked->range;
    }
}

static bool schedule_all(struct schedule *schedule, uint32_t goal)
{
    const bool ordered = goal == NO_VALUE ? order_moves(schedule)
                                          : walk(schedule, goal, IN_ORDER) && add_step(schedule, STEP_GOAL, goal);
    if (!ordered || !order_elements(schedule))
        return false;
    find_last(schedule);
    if (!add_steps(schedule))
        return false;
    order_unpacked(&schedule->program->rules->layout, schedule->code);
    return true;
}

bool program_schedule(struct program *program, struct values *values, uint32_t goal, struct code *code)
{
    struct schedule schedule = {.program = program, .values = values, .code = code};
    schedule.owner = calloc(values->count, sizeof *schedule.owner);
    schedule.last = calloc(values->count, sizeof *schedule.last);
    schedule.column = calloc(values->count, sizeof *schedule.column);
    bool made = schedule.owner != NULL && schedule.last != NULL && schedule.column != NULL;
    for (size_t v = 0; v < values->count && made; v++) {
        schedule.owner[v] = NOBODY;
        schedule.last[v] = NO_VALUE;
    }
    made = made && schedule_all(&schedule, goal);
    free(schedule.owner);
    free(schedule.last);
    free(schedule.column);
    free(schedule.step);
    free(schedule.stack);
    for (unsigned list = 0; list < 3; list++)
        free(schedule.free[list]);
    return made;
}
