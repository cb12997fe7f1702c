/* moves.c -- rows one move away: a piece of the key goes where the row's pieces leave it room */
#include "rows.h"

#include <string.h>

/* What is made of a row's moves. */
struct moving {
    const struct slide_rows *rows;
    uint64_t key, covered; /* by the key's pieces */
    const uint64_t *states;
    uint64_t *keys, *next;
    size_t count;
};

/* A piece steps: it stands on `before`, and then on `after`; `others` is what the key's other pieces cover. Adds the
 * states after that to out[]. */
static void step_states(const struct slide_rows *rows, uint64_t others, uint64_t before, uint64_t after,
                        const uint64_t *states, uint64_t *out)
{
    const uint64_t board = rows->packed->board;
    struct row from, to, moved;
    memcpy(moved.word, states, rows->words * sizeof *states);
    if (!rows->by_orders) {
        for (uint64_t entered = after & ~before; entered != 0; entered &= entered - 1)
            row_and(rows->words, moved.word, rows->open[__builtin_ctzll(entered)].word);
        row_or(rows->words, out, moved.word);
        return;
    }
    rows_empty_cells(rows, board & ~(others | before), after & ~before, &from);
    if (row_and(rows->words, moved.word, from.word) == 0)
        return;
    rows_empty_cells(rows, board & ~(others | after), before & ~after, &to);
    rows->carry(rows->words, moved.word, &from, &to, out);
}

/* The row after the i-th piece of a field went from number `from` to `to`. */
static void add_row(struct moving *moving, const struct packed_field *field, unsigned i, unsigned from, unsigned to)
{
    const uint64_t both = (uint64_t)1 << from | (uint64_t)1 << to;
    moving->keys[moving->count++] = field->list ? packed_move_in_list(field, moving->key, i, to)
                                                : moving->key ^ both << field->shift;
}

static void step_piece(struct moving *moving, const struct packed_field *field, unsigned i, unsigned number)
{
    const struct slide_rows *rows = moving->rows;
    const uint64_t cells = field->cells[number], others = moving->covered & ~cells;
    for (unsigned d = 0; d < 4; d++) {
        uint64_t *out = moving->next + moving->count * rows->words;
        if ((field->step[number][d].entered & moving->covered) != 0)
            continue;
        memset(out, 0, rows->words * sizeof *out);
        const unsigned to = field->to[number][d];
        step_states(rows, others, cells, field->cells[to], moving->states, out);
        if (row_any(rows->words, out) != 0)
            add_row(moving, field, i, number, to);
    }
}

/* The same in the metric `slide`: reached[n] has the states in which the piece came to number n. */
static void slide_piece(struct moving *moving, const struct packed_field *field, unsigned i, unsigned number)
{
    const struct slide_rows *rows = moving->rows;
    const size_t size = rows->words * sizeof *moving->states;
    const uint64_t others = moving->covered & ~field->cells[number];
    struct row reached[PACKED_PLACES], before;
    uint64_t seen = (uint64_t)1 << number, left = seen;
    memcpy(reached[number].word, moving->states, size);
    while (left != 0) {
        const unsigned at = (unsigned)__builtin_ctzll(left);
        left &= left - 1;
        for (unsigned d = 0; d < 4; d++) {
            const unsigned to = field->to[at][d];
            if (field->step[at][d].entered == UINT64_MAX || (field->step[at][d].entered & others) != 0)
                continue;
            if ((seen >> to & 1) == 0)
                memset(reached[to].word, 0, size);
            seen |= (uint64_t)1 << to;
            before = reached[to];
            step_states(rows, others, field->cells[at], field->cells[to], reached[at].word, reached[to].word);
            if (memcmp(before.word, reached[to].word, size) != 0)
                left |= (uint64_t)1 << to;
        }
    }
    for (seen &= ~((uint64_t)1 << number); seen != 0; seen &= seen - 1) {
        const unsigned to = (unsigned)__builtin_ctzll(seen);
        if (row_any(rows->words, reached[to].word) == 0)
            continue;
        memcpy(moving->next + moving->count * rows->words, reached[to].word, size);
        add_row(moving, field, i, number, to);
    }
}

size_t rows_away(const struct row_kernel *kernel, uint64_t key, const uint64_t *states, uint64_t *keys, uint64_t *next)
{
    const struct slide_rows *rows = (const struct slide_rows *)kernel;
    struct moving moving = {rows, key, rows_covered(rows, key), states, keys, next, 0};
    for (unsigned f = 0; f < rows->packed->fields; f++) {
        const struct packed_field *field = &rows->packed->field[f];
        unsigned i = 0;
        if (rows->member[f])
            continue;
        for (uint64_t left = packed_numbers(field, key); left != 0; left &= left - 1, i++) {
            const unsigned number = (unsigned)__builtin_ctzll(left);
            if ((field->around[number] & ~moving.covered) == 0)
                continue;
            if (rows->slide->far_moves)
                slide_piece(&moving, field, i, number);
            else
                step_piece(&moving, field, i, number);
        }
    }
    return moving.count;
}
