/* choose.c -- which pieces make a row, and the kernel of it */
#include "words.h"

#include <stdlib.h>
#include <string.h>

/* Five times the states of a layer that a row has to have to pay: its work goes with its words. */
static size_t five_times_full_from(unsigned bits)
{
    return 8 + bits / 32;
}

static const struct slide_rows *rows_of(const struct row_kernel *kernel)
{
    return (const struct slide_rows *)kernel;
}

/* -- the kernel's functions -- */

static void free_rows(struct row_kernel *kernel)
{
    free(((struct slide_rows *)kernel)->class_at);
    free(kernel);
}

/* The number of the order in which the units of a packed key stand in the cells that larger pieces leave. */
static unsigned find_order(const struct slide_rows *rows, uint64_t packed)
{
    uint8_t class[PACKED_PLACES] = {0}, order[PACKED_PLACES];
    unsigned cell = 0, first = 0, end = rows->bits;
    for (unsigned k = 0; k < rows->slide->units; k++) {
        const struct packed_field *field = &rows->packed->field[k];
        for (uint64_t left = packed_numbers(field, packed); left != 0; left &= left - 1)
            class[field->place[__builtin_ctzll(left)]] = (uint8_t)(k + 1);
    }
    for (uint64_t left = rows->packed->board & ~rows_covered(rows, packed); left != 0; left &= left - 1)
        order[cell++] = class[__builtin_ctzll(left)];
    while (first + 1 < end) {
        const unsigned middle = (first + end) / 2;
        if (memcmp(rows->order[middle], order, rows->cells) <= 0)
            first = middle;
        else
            end = middle;
    }
    return first;
}

static uint64_t find_row(const struct row_kernel *kernel, uint64_t packed, unsigned *bit)
{
    const struct slide_rows *rows = rows_of(kernel);
    *bit = rows->by_orders ? find_order(rows, packed) : 0;
    for (unsigned l = 0; l < rows->lines; l++) {
        const struct packed_field *field = rows->line[l].field;
        *bit += (unsigned)((packed & field->mask) >> field->shift) * rows->line[l].stride;
    }
    return packed & ~rows->mask;
}

static void within(const struct row_kernel *kernel, uint64_t key, const uint64_t *states, uint64_t *found, bool all)
{
    const struct slide_rows *rows = rows_of(kernel);
    (rows->by_orders ? rows_within_orders : rows_within_lines)(rows, rows_covered(rows, key), states, found, all);
}

/* The states that have every piece of the row that the goal has. */
static void keep_goal_pieces(const struct slide_rows *rows, uint64_t free, uint64_t *goals)
{
    const unsigned words = rows->means.words;
    for (unsigned l = 0; l < rows->lines; l++)
        for (uint64_t left = rows->line[l].field->goal; left != 0; left &= left - 1)
            row_and(words, goals, rows->line[l].at[__builtin_ctzll(left)].word);
    for (unsigned k = 0; rows->by_orders && k < rows->slide->units; k++)
        for (uint64_t left = rows->packed->field[k].goal; left != 0; left &= left - 1) {
            const uint64_t cell = (uint64_t)1 << rows->packed->field[k].place[__builtin_ctzll(left)];
            const unsigned number = (unsigned)__builtin_popcountll(free & (cell - 1));
            if ((free & cell) == 0)
                row_fill(words, goals, 0);
            else
                row_and(words, goals, rows_class_at(rows, words, k + 1, number));
        }
}

static void find_goals(const struct row_kernel *kernel, uint64_t key, uint64_t *goals)
{
    const struct slide_rows *rows = rows_of(kernel);
    const struct packed *packed = rows->packed;
    const uint64_t covered = rows_covered(rows, key), empty = packed->empty_in_goal;
    bool are = packed->goal_possible && (covered & empty) == 0;
    for (unsigned f = 0; f < packed->fields; f++)
        are &= rows->member[f] || (packed->field[f].goal & ~packed_numbers(&packed->field[f], key)) == 0;
    row_fill(rows->means.words, goals, are ? UINT64_MAX : 0);
    if (!are)
        return;
    if (rows->by_orders)
        row_keep_empty(rows, rows->means.words, packed->board & ~covered, empty, goals);
    for (uint64_t left = rows->by_orders ? 0 : empty; left != 0; left &= left - 1)
        row_and(rows->means.words, goals, rows->open[__builtin_ctzll(left)].word);
    keep_goal_pieces(rows, packed->board & ~covered, goals);
}

/* -- choosing -- */

/* How many rows a sample falls into, when the fields of `mask` are the row's. */
static size_t count_rows(const uint64_t *sample, size_t count, uint64_t mask, uint64_t *slot, unsigned bits)
{
    size_t rows = 0;
    memset(slot, 0, sizeof *slot << bits);
    for (size_t i = 0; i < count; i++) {
        const uint64_t key = (sample[i] & ~mask) + 1;
        uint64_t at = key * 0x9E3779B97F4A7C15 >> (64 - bits);
        while (slot[at] != 0 && slot[at] != key)
            at = (at + 1) & (((uint64_t)1 << bits) - 1);
        rows += slot[at] == 0;
        slot[at] = key;
    }
    return rows;
}

struct choice {
    const uint64_t *sample;
    size_t count, layer; /* where its last layer begins */
    uint64_t *slot;      /* a hash table of 1 << bits */
    unsigned bits;
};

/* Lines that are passed later in reading order come first, so that their numbers change most often from one bit to the
 * next (keys.c). */
static int compare_lines(const void *a, const void *b)
{
    return ((const struct row_line *)b)->field->place[0] - ((const struct row_line *)a)->field->place[0];
}

/* Takes lines one after another, each time the one that leaves the fewest rows, while a row has bits for them. Returns
 * how many rows are left. */
static size_t choose_lines(const struct choice *choice, struct slide_rows *rows)
{
    size_t fewest = choice->count;
    unsigned bits = 1;
    while (rows->lines < ROW_LINES_MAX) {
        const struct packed_field *best = NULL;
        for (const struct packed_field *field = rows->packed->field; field < rows->packed->field + rows->packed->fields;
             field++) {
            if (field->count != 1 || field->places < 2 || rows->member[field->kind] ||
                bits * field->places > ROW_BITS_MAX)
                continue;
            const size_t left = count_rows(choice->sample, choice->count, rows->mask | field->mask, choice->slot,
                                           choice->bits);
            if (left >= fewest)
                continue;
            fewest = left;
            best = field;
        }
        if (best == NULL)
            break;
        rows->line[rows->lines++].field = best;
        rows->member[best->kind] = true;
        rows->mask |= best->mask;
        bits *= best->places;
    }
    qsort(rows->line, rows->lines, sizeof rows->line[0], compare_lines);
    return fewest;
}

/* The fields of all units; 0 where they have more orders than a row has bits. */
static uint64_t mask_of_orders(const struct slide_rows *rows)
{
    uint64_t mask = 0;
    if (rows_count_orders(rows->slide) > ROW_BITS_MAX)
        return 0;
    for (unsigned k = 0; k < rows->slide->units; k++)
        mask |= rows->packed->field[k].mask;
    return mask;
}

/* Is the sample's last layer full of such rows? */
static bool is_full(const struct choice *choice, uint64_t mask, unsigned bits)
{
    const size_t count = choice->count - choice->layer;
    const size_t rows = count_rows(choice->sample + choice->layer, count, mask, choice->slot, choice->bits);
    return rows * five_times_full_from(bits) <= 5 * count;
}

/* Lays out what is chosen; *made is false where rows do not pay. */
static pdb_status lay_out(const struct choice *choice, struct slide_rows *rows, bool *made, pdb_error *error)
{
    const uint64_t orders = mask_of_orders(rows);
    const size_t by_orders = count_rows(choice->sample, choice->count, orders, choice->slot, choice->bits),
                 by_lines = choose_lines(choice, rows);
    pdb_status status = PDB_OK;
    if (by_orders <= by_lines) {
        rows->lines = 0;
        memset(rows->member, 0, sizeof rows->member);
        rows->mask = orders;
        *made = orders != 0 && is_full(choice, orders, rows_count_orders(rows->slide));
        if (*made)
            status = rows_lay_orders(rows, error);
    } else
        *made = rows_lay_lines(rows) && is_full(choice, rows->mask, rows->bits);
    rows->means.words = (rows->bits + 63) / 64;
    return status;
}

/* How many steps the key's pieces can have: in some state of a row each may be free to go anywhere. */
static size_t count_steps(const struct slide_rows *rows)
{
    size_t steps = 0;
    for (unsigned f = 0; f < rows->packed->fields; f++) {
        const struct packed_field *field = &rows->packed->field[f];
        if (!rows->member[f])
            steps += (size_t)field->count * (rows->slide->far_moves ? field->places : 4);
    }
    return steps;
}

pdb_status slide_rows_make(const struct puzzle *puzzle, bool portable, const uint64_t *sample, size_t count,
                           size_t layer, struct row_kernel **out, pdb_error *error)
{
    const struct slide *slide = (const struct slide *)puzzle;
    struct choice choice = {.sample = sample, .count = count, .layer = layer, .bits = 1};
    bool made = false;
    *out = NULL;
    if (slide->packed == NULL)
        return PDB_OK;
    while (count >> (choice.bits - 1) != 0)
        choice.bits++;
    choice.slot = malloc(sizeof *choice.slot << choice.bits);
    struct slide_rows *rows = calloc(1, sizeof *rows);
    pdb_status status = choice.slot == NULL || rows == NULL ? error_no_memory(error, "the rows", sizeof *rows) : PDB_OK;
    if (status == PDB_OK) {
        *rows = (struct slide_rows){.slide = slide, .packed = slide->packed, .means.quick = !portable && layer_bmi2()};
        status = lay_out(&choice, rows, &made, error);
    }
    free(choice.slot);
    if (status == PDB_OK && made) {
        rows->kernel = (struct row_kernel){.words = rows->means.words,
                                           .steps_max = count_steps(rows),
                                           .kind = rows->mask | (uint64_t)rows->by_orders << 63,
                                           .bytes = sizeof *rows +
                                                    rows->classes * rows->cells * rows->means.words * sizeof(uint64_t),
                                           .free = free_rows,
                                           .row = find_row,
                                           .within = within,
                                           .away = rows_away,
                                           .goals = find_goals,
                                           .keys = rows_keys};
        *out = &rows->kernel;
        return PDB_OK;
    }
    if (rows != NULL)
        free_rows(&rows->kernel);
    return status;
}
