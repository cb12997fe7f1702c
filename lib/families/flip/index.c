/* index.c -- buttons that change cells: the indices of boards, how moves change them, and their colours */
#include "flip.h"
#include "lib/rank/parity.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* -- indices -- */

bool flip_rank(const struct puzzle *puzzle, const uint8_t *position, uint64_t *index)
{
    const struct flip *flip = (const struct flip *)puzzle;
    const struct span *span = &flip->span;
    uint8_t difference[SPAN_MAX_LENGTH], digits[FLIP_MAX_DIGITS];
    for (unsigned place = 0; place < span->length; place++) {
        const int apart = position[place] - flip->origin[place];
        difference[place] = (uint8_t)(apart < 0 ? apart + (int)flip->values : apart);
    }
    if (!span_digits(span, difference, digits))
        return false;
    *index = 0;
    for (unsigned j = span->digits; j-- > 0;)
        *index = *index * span->digit[j].radix + digits[j];
    return true;
}

/* The digits that a group's value takes together. */
static void group_digits(const struct span *span, const struct flip_group *group, unsigned value, uint8_t *digits)
{
    for (unsigned j = group->first; j < group->first + (unsigned)group->digits; j++) {
        digits[j] = (uint8_t)(value % span->digit[j].radix);
        value /= span->digit[j].radix;
    }
}

void flip_unrank(const struct puzzle *puzzle, uint64_t index, uint8_t *position)
{
    const struct flip *flip = (const struct flip *)puzzle;
    const struct span *span = &flip->span;
    uint8_t value[FLIP_MAX_GROUPS], digits[FLIP_MAX_DIGITS];
    flip_groups(flip, index, value);
    for (unsigned w = 0; w < flip->groups; w++)
        group_digits(span, &flip->group[w], value[w], digits);
    span_vector(span, digits, position);
    span_add(position, flip->origin, span->length, 1, flip->values);
}

/* -- making them -- */

/* What spans: the changes of the moves, then a 1 for each open cell. */
static pdb_status make_span(struct flip *flip, pdb_error *error)
{
    const unsigned places = flip->puzzle.board.places;
    const size_t room = ((size_t)flip->moves + places) * places;
    uint8_t *generators = calloc(room, 1);
    if (generators == NULL)
        return error_no_memory(error, "what the buttons do", room);
    size_t count = flip->moves;
    memcpy(generators, flip->change, count * places);
    for (unsigned place = 0; place < places; place++)
        if (flip->puzzle.goal[place] == BOARD_OPEN)
            generators[count++ * places + place] = 1;
    pdb_status status = span_make(&flip->span, flip->values, places, 0, generators, count, error);
    free(generators);
    return status;
}

/* Sets `states`, or, where they are too many to be numbered, `size`. */
static void count_states(struct flip *flip)
{
    const struct span *span = &flip->span;
    double boards = 1;
    for (unsigned j = 0; j < span->digits; j++)
        boards *= span->digit[j].radix;
    flip->puzzle.size = boards < DBL_MAX ? boards : DBL_MAX;
    if (boards > (double)((uint64_t)1 << FLIP_MAX_DIGITS))
        return;
    flip->puzzle.states = 1;
    for (unsigned j = 0; j < span->digits; j++)
        flip->puzzle.states *= span->digit[j].radix;
}

/* Takes as many digits into each group as fit. */
static void make_groups(struct flip *flip)
{
    const struct span *span = &flip->span;
    uint64_t weight = 1;
    for (unsigned j = 0; j < span->digits;) {
        struct flip_group *group = &flip->group[flip->groups++];
        *group = (struct flip_group){.first = (uint8_t)j, .values = 1, .weight = weight};
        for (; j < span->digits && group->values * span->digit[j].radix <= FLIP_GROUP_VALUES; j++, group->digits++)
            group->values = (uint16_t)(group->values * span->digit[j].radix);
        weight *= group->values;
    }
}

/* The value of a group after `amount[j]` was added to each of its digits. */
static unsigned turn(const struct span *span, const struct flip_group *group, unsigned value, const uint8_t *amount)
{
    uint8_t digits[FLIP_MAX_DIGITS];
    unsigned turned = 0;
    group_digits(span, group, value, digits);
    for (unsigned j = group->first + (unsigned)group->digits; j-- > group->first;)
        turned = turned * span->digit[j].radix + (digits[j] + (unsigned)amount[j]) % span->digit[j].radix;
    return turned;
}

/* For k = 2. `digits` are those of what each move adds, FLIP_MAX_DIGITS for every move. */
static pdb_status make_toggles(struct flip *flip, const uint8_t *digits, pdb_error *error)
{
    flip->toggle = calloc(flip->moves, sizeof *flip->toggle);
    if (flip->toggle == NULL)
        return error_no_memory(error, "the table of the buttons", flip->moves * sizeof *flip->toggle);
    for (unsigned m = 0; m < flip->moves; m++)
        for (unsigned j = 0; j < flip->span.digits; j++)
            flip->toggle[m] |= (uint64_t)digits[(size_t)m * FLIP_MAX_DIGITS + j] << j;
    return PDB_OK;
}

/* For any k. */
static pdb_status make_turns(struct flip *flip, const uint8_t *digits, pdb_error *error)
{
    const size_t move_bytes = (size_t)flip->groups * FLIP_GROUP_VALUES;
    flip->forward = calloc(flip->moves, move_bytes + 1);
    flip->backward = calloc(flip->moves, move_bytes + 1);
    if (flip->forward == NULL || flip->backward == NULL)
        return error_no_memory(error, "the tables of the buttons", 2 * flip->moves * move_bytes);
    for (unsigned m = 0; m < flip->moves; m++) {
        for (unsigned w = 0; w < flip->groups; w++) {
            const size_t table = m * move_bytes + w * FLIP_GROUP_VALUES;
            for (unsigned value = 0; value < flip->group[w].values; value++) {
                const unsigned turned = turn(&flip->span, &flip->group[w], value, digits + (size_t)m * FLIP_MAX_DIGITS);
                flip->forward[table + value] = (uint8_t)turned;
                flip->backward[table + turned] = (uint8_t)value;
            }
        }
    }
    return PDB_OK;
}

/* -- colours -- */

/* The low bits of the digits whose radix is even: what a homomorphism into the integers modulo 2 can see of a
 * vector. */
static uint64_t low_bits(const struct span *span, const uint8_t *digits)
{
    uint64_t bits = 0;
    for (unsigned j = 0; j < span->digits; j++)
        if (span->digit[j].radix % 2 == 0)
            bits |= (uint64_t)(digits[j] & 1) << j;
    return bits;
}

/* Finds the digits whose sum modulo 2 changes with every move and is 0 for every goal. False where there are none. */
static bool find_colouring(const struct flip *flip, const uint8_t *digits, uint64_t *mask)
{
    const struct span *span = &flip->span;
    struct parity_equations equations = {0};
    for (unsigned m = 0; m < flip->moves; m++)
        parity_add(&equations, low_bits(span, digits + (size_t)m * FLIP_MAX_DIGITS), true);
    for (unsigned place = 0; place < span->length; place++) {
        uint8_t unit[SPAN_MAX_LENGTH] = {0}, unit_digits[FLIP_MAX_DIGITS];
        unit[place] = 1;
        if (flip->puzzle.goal[place] == BOARD_OPEN && span_digits(span, unit, unit_digits))
            parity_add(&equations, low_bits(span, unit_digits), false);
    }
    *mask = parity_solution(&equations);
    return !equations.contradiction;
}

/* Each group value's part of the colour. */
static void make_colours(struct flip *flip)
{
    uint8_t digits[FLIP_MAX_DIGITS];
    for (unsigned w = 0; w < flip->groups; w++) {
        const struct flip_group *group = &flip->group[w];
        for (unsigned value = 0; value < group->values; value++) {
            group_digits(&flip->span, group, value, digits);
            for (unsigned j = group->first; j < group->first + (unsigned)group->digits; j++)
                flip->colour[w][value] ^= digits[j] & (uint8_t)(flip->parity_mask >> j & 1);
        }
    }
}

/* -- all of it -- */

static pdb_status make_moves(struct flip *flip, pdb_error *error)
{
    uint8_t *digits = calloc(flip->moves, FLIP_MAX_DIGITS);
    if (digits == NULL)
        return error_no_memory(error, "what the buttons do", (uint64_t)flip->moves * FLIP_MAX_DIGITS);
    for (unsigned m = 0; m < flip->moves; m++)
        span_digits(&flip->span, flip_change(flip, m), digits + (size_t)m * FLIP_MAX_DIGITS);
    pdb_status status = (flip->values == 2 ? make_toggles : make_turns)(flip, digits, error);
    flip->puzzle.coloured = find_colouring(flip, digits, &flip->parity_mask);
    if (flip->puzzle.coloured)
        make_colours(flip);
    free(digits);
    return status;
}

pdb_status flip_index_make(struct flip *flip, pdb_error *error)
{
    pdb_status status = make_span(flip, error);
    if (status != PDB_OK)
        return status;
    /* the rows are how states are numbered: a database of another numbering is one of another puzzle */
    flip->puzzle.read_as = digest_of_reading("", flip->span.row, (size_t)flip->span.digits * flip->span.stride);
    count_states(flip);
    if (flip->puzzle.states == 0)
        return PDB_OK; /* there are no indices to work with */
    make_groups(flip);
    return make_moves(flip, error);
}

void flip_index_free(struct flip *flip)
{
    span_free(&flip->span);
    free(flip->forward);
    free(flip->backward);
    free(flip->toggle);
}
