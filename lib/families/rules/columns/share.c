/* share.c -- conditions of moves take what they have in common from one another
 *
 * A condition is taken apart into *literals*, values of which it says that they all hold or do not. Literals that are
 * in the same moves become one; of those that are left, the ones in most moves come first, so that many conditions
 * begin alike: and equal beginnings are one value.
 */
#include "columns.h"
#include "lib/memory/array.h"

#include <string.h>

/* Where taking apart takes longer, conditions are left as they were. */
enum { MOST_STEPS = 1 << 18 };

/* A literal is a value and whether it is not to hold: 2 * value + not. */

struct sharing {
    struct values *values;
    uint32_t *literal; /* of all moves, one after another */
    size_t count, room;
    uint32_t *stack; /* of what is taken apart */
    size_t stack_room, steps;
    size_t *end;     /* of each move's literals */
    uint64_t *users; /* of each literal: a sum that tells sets of moves apart */
    uint32_t *uses;  /* of each literal: how many moves */
    uint32_t *last;  /* of each literal: the last move that has it, + 1 */
};

static uint64_t mix(uint64_t x)
{
    x = (x + 1) * 0x9E3779B97F4A7C15;
    x = (x ^ x >> 32) * 0xBF58476D1CE4E5B9;
    return x ^ x >> 29;
}

/* -- taking apart -- */

static bool push(struct sharing *sharing, size_t *depth, uint32_t what)
{
    if (!array_reserve(&sharing->stack, &sharing->stack_room, *depth + 1, sizeof *sharing->stack))
        return false;
    sharing->stack[(*depth)++] = what;
    return true;
}

static bool add_literal(struct sharing *sharing, uint32_t what, uint32_t move)
{
    if (sharing->last[what] == move + 1)
        return true;
    if (!array_reserve(&sharing->literal, &sharing->room, sharing->count + 1, sizeof *sharing->literal))
        return false;
    sharing->literal[sharing->count++] = what;
    sharing->last[what] = move + 1;
    sharing->users[what] += mix(move);
    sharing->uses[what]++;
    return true;
}

/* Appends the literals of a move's condition. */
static bool take_apart(struct sharing *sharing, uint32_t condition, uint32_t move)
{
    size_t depth = 0;
    bool room = push(sharing, &depth, 2 * condition);
    while (depth > 0 && room && sharing->steps++ <= MOST_STEPS) {
        const uint32_t what = sharing->stack[--depth];
        const bool negated = what & 1;
        const struct value value = sharing->values->value[what / 2];
        if (value.op == VALUE_NOT)
            room = push(sharing, &depth, 2 * value.a + !negated);
        else if (value.op == (negated ? VALUE_OR : VALUE_AND))
            room = push(sharing, &depth, 2 * value.a + negated) && push(sharing, &depth, 2 * value.b + negated);
        else if (value.op == VALUE_AND_NOT && !negated)
            room = push(sharing, &depth, 2 * value.a) && push(sharing, &depth, 2 * value.b + 1);
        else
            room = add_literal(sharing, what, move);
    }
    sharing->end[move] = sharing->count;
    return room;
}

/* -- putting together -- */

static uint32_t value_of_literal(struct sharing *sharing, uint32_t what)
{
    return what & 1 ? value_not(sharing->values, what / 2) : what / 2;
}

/* Literals of a move in the order in which they are put together: what most moves have first. */
static int in_order(const void *one, const void *other, void *context)
{
    const struct sharing *sharing = context;
    const uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    if (sharing->uses[a] != sharing->uses[b])
        return sharing->uses[a] > sharing->uses[b] ? -1 : 1;
    if (sharing->users[a] != sharing->users[b])
        return sharing->users[a] > sharing->users[b] ? -1 : 1;
    return a < b ? -1 : a > b;
}

/* Literals that stand in the same moves are neighbours. */
static uint32_t put_together(struct sharing *sharing, size_t first, size_t end)
{
    struct values *values = sharing->values;
    uint32_t all = value_mask(values, true);
    /* NOLINTNEXTLINE(*NonNullParamChecker): there are literals */
    qsort_r(sharing->literal + first, end - first, sizeof *sharing->literal, in_order, sharing);
    for (size_t i = first; i < end;) {
        const uint64_t users = sharing->users[sharing->literal[i]];
        uint32_t group = value_mask(values, true);
        for (; i < end && sharing->users[sharing->literal[i]] == users; i++)
            group = value_and(values, group, value_of_literal(sharing, sharing->literal[i]));
        all = value_and(values, all, group);
    }
    return all;
}

static bool share(struct sharing *sharing, struct program *program)
{
    for (uint32_t m = 0; m < program->moves; m++)
        if (!take_apart(sharing, program->move[m].condition, m))
            return false;
    size_t first = 0;
    for (uint32_t m = 0; m < program->moves && sharing->steps <= MOST_STEPS; m++) {
        program->move[m].condition = put_together(sharing, first, sharing->end[m]);
        first = sharing->end[m];
    }
    return !sharing->values->short_of_memory;
}

bool program_share(struct program *program, struct values *values)
{
    const size_t literals = 2 * values->count;
    struct sharing sharing = {.values = values};
    sharing.end = calloc(program->moves + 1, sizeof *sharing.end);
    sharing.users = calloc(literals, sizeof *sharing.users);
    sharing.uses = calloc(literals, sizeof *sharing.uses);
    sharing.last = calloc(literals, sizeof *sharing.last);
    const bool shared = sharing.end != NULL && sharing.users != NULL && sharing.uses != NULL && sharing.last != NULL &&
                        share(&sharing, program);
    free(sharing.literal);
    free(sharing.stack);
    free(sharing.end);
    free(sharing.users);
    free(sharing.uses);
    free(sharing.last);
    return shared;
}
