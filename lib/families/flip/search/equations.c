/* equations.c -- the equations that a set of presses has to fulfil (search.h) */
#include "search.h"

#include <stdlib.h>
#include <string.h>

/* -- buttons -- */

/* How often an effect has to be had until nothing is left of it. */
static unsigned order_of(const uint8_t *effect, unsigned cells, unsigned values)
{
    for (unsigned order = 1;; order++) {
        unsigned i = 0;
        while (i < cells && effect[i] * order % values == 0)
            i++;
        if (i == cells)
            return order;
    }
}

/* The button whose effect this is, or a new one if there is none; the effects of all stand in effects[]. */
static struct press_button *button_of(struct press_equations *equations, uint8_t *effects, const uint8_t *effect)
{
    const unsigned cells = equations->cells;
    for (unsigned j = 0; j < equations->buttons; j++)
        if (memcmp(effects + (size_t)j * cells, effect, cells) == 0)
            return &equations->button[j];
    return NULL;
}

static void add_move(const struct flip *flip, struct press_equations *equations, uint8_t *effects, unsigned move)
{
    uint8_t effect[BOARD_MAX_CELLS], opposite[BOARD_MAX_CELLS]; /* on the cells that the goal fixes */
    for (unsigned i = 0; i < equations->cells; i++) {
        effect[i] = flip_change(flip, move)[equations->cell[i]];
        opposite[i] = (uint8_t)((flip->values - effect[i]) % flip->values);
    }
    const unsigned order = order_of(effect, equations->cells, flip->values);
    struct press_button *button = button_of(equations, effects, effect);
    if (order == 1) /* it does nothing that counts */
        return;
    if (button != NULL) {
        button->forward_moves++;
        return;
    }
    button = button_of(equations, effects, opposite);
    if (button != NULL) {
        if (button->backward_moves++ == 0)
            button->backward = (uint16_t)move;
        return;
    }
    memcpy(effects + (size_t)equations->buttons * equations->cells, effect, equations->cells);
    equations->button[equations->buttons++] = (struct press_button){
        .order = (uint8_t)order, .forward = (uint16_t)move, .forward_moves = 1};
}

/* -- equations -- */

/* The span of the buttons' effects, each with a unit vector for its tail. */
static pdb_status make_span(const struct flip *flip, struct press_equations *equations, const uint8_t *effects,
                            pdb_error *error)
{
    const unsigned cells = equations->cells, buttons = equations->buttons, width = cells + buttons;
    uint8_t *generators = calloc((size_t)buttons * width + 1, 1);
    if (generators == NULL)
        return error_no_memory(error, "the equations of the buttons", (size_t)buttons * width);
    for (unsigned j = 0; j < buttons; j++) {
        memcpy(generators + (size_t)j * width, effects + (size_t)j * cells, cells);
        generators[(size_t)j * width + cells + j] = 1;
    }
    pdb_status status = span_make(&equations->span, flip->values, cells, buttons, generators, buttons, error);
    free(generators);
    return status;
}

/* -- parts -- */

/* The presses that change nothing. Those of a button count modulo its order, so they are multiplied by what makes that
 * the modulus: then presses that do the same are the same vector. */
static pdb_status make_idle(const struct press_equations *equations, struct span *idle, pdb_error *error)
{
    const struct span *span = &equations->span;
    uint8_t *generators = malloc(span->relations * span->tail + 1);
    if (generators == NULL)
        return error_no_memory(error, "the presses that change nothing", span->relations * span->tail);
    for (size_t i = 0; i < span->relations; i++)
        for (unsigned j = 0; j < span->tail; j++) {
            const unsigned scale = span->modulus / equations->button[j].order;
            generators[i * span->tail + j] = (uint8_t)(span->relation[i * span->tail + j] * scale % span->modulus);
        }
    pdb_status status = span_make(idle, span->modulus, span->tail, 0, generators, span->relations, error);
    free(generators);
    return status;
}

/* Numbers the parts of the buttons: those in a row together belong together. Buttons in no row are all of one part.
 * Returns how many parts there are. */
static unsigned find_parts(const struct span *idle, uint16_t *part_of)
{
    const uint16_t none = UINT16_MAX;
    unsigned parts = 0;
    uint16_t *number = part_of + idle->length; /* of each root's part */
    for (unsigned j = 0; j < idle->length; j++)
        part_of[j] = none;
    for (unsigned i = 0; i < idle->digits; i++) {
        const uint8_t *row = idle->row + (size_t)i * idle->stride;
        uint16_t first = none;
        for (unsigned j = 0; j < idle->length; j++) {
            if (row[j] == 0)
                continue;
            const uint16_t old = part_of[j];
            if (first == none)
                first = old != none ? old : (uint16_t)j;
            for (unsigned other = 0; old != none && old != first && other < idle->length; other++)
                if (part_of[other] == old)
                    part_of[other] = first;
            part_of[j] = first;
        }
    }
    for (unsigned j = 0; j <= idle->length; j++)
        number[j] = none;
    for (unsigned j = 0; j < idle->length; j++) {
        const unsigned key = part_of[j] == none ? idle->length : part_of[j];
        if (number[key] == none)
            number[key] = (uint16_t)parts++;
        part_of[j] = number[key];
    }
    return parts;
}

/* Takes the buttons of part number `number`, and plans the search for their cheapest presses. */
static pdb_status make_part(const struct span *idle, const uint16_t *part_of, unsigned number, struct press_part *part,
                            pdb_error *error)
{
    struct span group;
    part->button = malloc((idle->length + 1u) * sizeof *part->button);
    uint8_t *generators = malloc((size_t)idle->digits * idle->length + 1);
    if (part->button == NULL || generators == NULL) {
        free(generators);
        return error_no_memory(error, "a part of the buttons", (size_t)idle->digits * idle->length);
    }
    for (unsigned j = 0; j < idle->length; j++)
        if (part_of[j] == number)
            part->button[part->buttons++] = (uint16_t)j;
    size_t count = 0;
    for (unsigned i = 0; i < idle->digits; i++) {
        const uint8_t *row = idle->row + (size_t)i * idle->stride;
        uint8_t *generator = generators + count * part->buttons, any = 0;
        for (unsigned j = 0; j < part->buttons; j++)
            any |= generator[j] = row[part->button[j]];
        count += any != 0;
    }
    pdb_status status = span_make(&group, idle->modulus, part->buttons, 0, generators, count, error);
    free(generators);
    if (status == PDB_OK)
        status = coset_plan_make(&group, &part->plan, error);
    span_free(&group);
    return status;
}

static pdb_status make_parts(struct press_equations *equations, pdb_error *error)
{
    struct span idle;
    pdb_status status = make_idle(equations, &idle, error);
    if (status != PDB_OK)
        return status;
    uint16_t *part_of = malloc((2 * (size_t)idle.length + 1) * sizeof *part_of);
    unsigned parts = part_of == NULL ? 0 : find_parts(&idle, part_of);
    equations->part = calloc(parts + 1u, sizeof *equations->part);
    if (part_of == NULL || equations->part == NULL)
        status = error_no_memory(error, "the parts of the buttons", parts * sizeof *equations->part);
    for (unsigned i = 0; status == PDB_OK && i < parts; i++)
        status = make_part(&idle, part_of, i, &equations->part[equations->parts++], error);
    for (unsigned i = 0; i < idle.digits; i++)
        equations->idle *= idle.digit[i].radix;
    free(part_of);
    span_free(&idle);
    return status;
}

/* -- all of it -- */

pdb_status press_equations_make(const struct flip *flip, struct press_equations *equations, pdb_error *error)
{
    const struct puzzle *puzzle = &flip->puzzle;
    *equations = (struct press_equations){.idle = 1};
    for (unsigned place = 0; place < puzzle->board.places; place++)
        if (puzzle->goal[place] != BOARD_OPEN)
            equations->cell[equations->cells++] = (uint16_t)place;
    const size_t bytes = (size_t)flip->moves * equations->cells;
    uint8_t *effects = malloc(bytes + 1);
    equations->button = calloc(flip->moves + 1u, sizeof *equations->button);
    pdb_status status = PDB_OK;
    if (effects == NULL || equations->button == NULL)
        status = error_no_memory(error, "what the buttons do", bytes);
    for (unsigned move = 0; status == PDB_OK && move < flip->moves; move++)
        add_move(flip, equations, effects, move);
    if (status == PDB_OK)
        status = make_span(flip, equations, effects, error);
    free(effects);
    if (status == PDB_OK)
        status = make_parts(equations, error);
    if (status != PDB_OK)
        press_equations_free(equations);
    return status;
}

void press_equations_free(struct press_equations *equations)
{
    for (unsigned i = 0; i < equations->parts; i++) {
        free(equations->part[i].button);
        coset_plan_free(&equations->part[i].plan);
    }
    free(equations->part);
    free(equations->button);
    span_free(&equations->span);
    *equations = (struct press_equations){0};
}
