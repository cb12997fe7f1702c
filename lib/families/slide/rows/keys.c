/* keys.c -- the keys of a row's states
 *
 * They are ranked in the order of their bits: most differ from the one before in the last pieces only, and what is
 * known at the first of these stays.
 */
#include "rows.h"

/* The numbers of the places that a kind of units has in an order. */
static uint64_t numbers_in_order(const struct packed_field *field, uint64_t free, const uint8_t *order)
{
    uint64_t numbers = 0;
    unsigned cell = 0;
    for (uint64_t left = free; left != 0; left &= left - 1, cell++)
        if (order[cell] == field->kind + 1)
            numbers |= (uint64_t)1 << field->number[__builtin_ctzll(left)];
    return numbers;
}

/* The packed key of a state. */
static uint64_t pack_state(const struct slide_rows *rows, uint64_t key, uint64_t free, unsigned bit)
{
    for (const struct row_line *line = rows->line; line < rows->line + rows->lines; line++)
        key |= (uint64_t)line->number[bit] << line->field->shift;
    for (unsigned k = 0; rows->by_orders && k < rows->slide->units; k++) {
        const struct packed_field *field = &rows->packed->field[k];
        uint64_t numbers = numbers_in_order(field, free, rows->order[bit]);
        key |= field->list ? 0 : numbers << field->shift;
        for (unsigned i = 0; field->list && i < field->count; i++, numbers &= numbers - 1)
            key |= (uint64_t)(unsigned)__builtin_ctzll(numbers) << (field->shift + i * field->bits);
    }
    return key;
}

/* A row's states, one after another. */
struct ranking {
    const struct slide_rows *rows;
    uint64_t firsts, covered;     /* of the key's pieces */
    uint8_t place[PACKED_PLACES]; /* of the cells that they leave */
    unsigned last;                /* bit that was ranked; rows->bits at first */
    struct packed_ranks ranks;
};

/* The units of an order stand in the cells that the larger pieces leave. Returns the first place that differs. */
static unsigned place_order(struct ranking *ranking, unsigned bit)
{
    const struct slide_rows *rows = ranking->rows;
    struct packed_sequence *sequence = &ranking->ranks.sequence;
    const uint8_t *order = rows->order[bit], *last = rows->order[ranking->last % rows->bits];
    unsigned first = 0;
    while (ranking->last < rows->bits && order[first] == last[first])
        first++;
    const uint64_t behind = -((uint64_t)1 << ranking->place[first]);
    sequence->firsts = (sequence->firsts & ~behind) | (ranking->firsts & behind);
    sequence->covered = (sequence->covered & ~behind) | (ranking->covered & behind);
    for (unsigned cell = first; cell < rows->cells; cell++) {
        const unsigned place = ranking->place[cell];
        if (order[cell] == 0)
            continue;
        sequence->kind[place] = (uint8_t)(order[cell] - 1);
        sequence->firsts |= (uint64_t)1 << place;
        sequence->covered |= (uint64_t)1 << place;
    }
    return ranking->place[first];
}

/* The pieces of lines stand where the bit says. Returns the first place that differs. */
static unsigned place_lines(struct ranking *ranking, unsigned bit)
{
    const struct slide_rows *rows = ranking->rows;
    struct packed_sequence *sequence = &ranking->ranks.sequence;
    uint64_t different = 0;
    sequence->firsts = ranking->firsts;
    sequence->covered = ranking->covered;
    for (const struct row_line *line = rows->line; line < rows->line + rows->lines; line++) {
        const unsigned number = line->number[bit], last = line->number[ranking->last % rows->bits];
        if (number != last)
            different |= line->field->cells[number] | line->field->cells[last];
        packed_sequence_add(sequence, line->field, (uint64_t)1 << number);
    }
    return different != 0 ? (unsigned)__builtin_ctzll(different) : 0;
}

static uint64_t rank_state(struct ranking *ranking, unsigned bit)
{
    const unsigned from = ranking->rows->by_orders ? place_order(ranking, bit) : place_lines(ranking, bit);
    const bool first = ranking->last == ranking->rows->bits;
    ranking->last = bit;
    return packed_rank_next(ranking->rows->slide, &ranking->ranks, first ? 0 : from);
}

static void begin_ranking(const struct slide_rows *rows, uint64_t key, uint64_t free, struct ranking *ranking)
{
    struct packed_sequence *sequence = &ranking->ranks.sequence;
    unsigned cell = 0;
    ranking->rows = rows;
    ranking->last = rows->bits;
    sequence->firsts = sequence->covered = 0;
    for (unsigned f = 0; f < rows->packed->fields; f++)
        if (!rows->member[f])
            packed_sequence_add(sequence, &rows->packed->field[f], packed_numbers(&rows->packed->field[f], key));
    ranking->firsts = sequence->firsts;
    ranking->covered = sequence->covered;
    for (uint64_t left = free; left != 0; left &= left - 1)
        ranking->place[cell++] = (uint8_t)__builtin_ctzll(left);
}

size_t rows_keys(const struct row_kernel *kernel, uint64_t key, const uint64_t *states, uint64_t *out)
{
    const struct slide_rows *rows = (const struct slide_rows *)kernel;
    const uint64_t free = rows->packed->board & ~rows_covered(rows, key);
    struct ranking ranking; /* without zeros: most rows have few states */
    size_t count = 0;
    begin_ranking(rows, key, free, &ranking);
    for (unsigned w = 0; w < rows->words; w++)
        for (uint64_t left = states[w]; left != 0; left &= left - 1) {
            const unsigned bit = w * 64 + (unsigned)__builtin_ctzll(left);
            out[count++] = rows->slide->unranked ? pack_state(rows, key, free, bit) : rank_state(&ranking, bit);
        }
    return count;
}
