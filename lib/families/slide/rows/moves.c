/* moves.c -- rows one move away: a piece of the key goes where the row's pieces leave it room */
#include "words.h"

/* What is made of a row's moves. */
struct moving {
    const struct slide_rows *rows;
    uint64_t key, covered; /* by the key's pieces */
    const uint64_t *states;
    uint64_t *keys, *next;
    size_t count;
    struct row_means means;
};

/* A piece steps: it stands on `before`, and then on `after`; `others` is what the key's other pieces cover. Adds the
 * states after that to out[]; returns whether any is new there. */
ROWS_INLINE bool step_states(const struct moving *moving, uint64_t others, uint64_t before, uint64_t after,
                             const uint64_t *states, uint64_t *out)
{
    const struct slide_rows *rows = moving->rows;
    const struct row_means means = moving->means;
    const uint64_t board = rows->packed->board;
    struct row from, to, moved;
    row_copy(means.words, moved.word, states);
    if (!rows->by_orders) {
        for (uint64_t entered = after & ~before; entered != 0; entered &= entered - 1)
            row_and(means.words, moved.word, rows->open[__builtin_ctzll(entered)].word);
        return row_or(means.words, out, moved.word) != 0;
    }
    row_fill(means.words, from.word, UINT64_MAX);
    row_keep_empty(rows, means.words, board & ~(others | before), after & ~before, from.word);
    if (row_and(means.words, moved.word, from.word) == 0)
        return false;
    row_fill(means.words, to.word, UINT64_MAX);
    row_keep_empty(rows, means.words, board & ~(others | after), before & ~after, to.word);
    row_carry(means, moved.word, from.word, to.word, moved.word);
    return row_or(means.words, out, moved.word) != 0;
}

/* The row after the i-th piece of a field went from number `from` to `to`. */
static void add_row(struct moving *moving, const struct packed_field *field, unsigned i, unsigned from, unsigned to)
{
    const uint64_t both = (uint64_t)1 << from | (uint64_t)1 << to;
    moving->keys[moving->count++] = field->list ? packed_move_in_list(field, moving->key, i, to)
                                                : moving->key ^ both << field->shift;
}

ROWS_INLINE void step_piece(struct moving *moving, const struct packed_field *field, unsigned i, unsigned number)
{
    const uint64_t cells = field->cells[number], others = moving->covered & ~cells;
    const unsigned words = moving->means.words;
    for (unsigned d = 0; d < 4; d++) {
        uint64_t *out = moving->next + moving->count * words;
        if ((field->step[number][d].entered & moving->covered) != 0)
            continue;
        row_fill(words, out, 0);
        const unsigned to = field->to[number][d];
        if (step_states(moving, others, cells, field->cells[to], moving->states, out))
            add_row(moving, field, i, number, to);
    }
}

/* The same in the metric `slide`: reached[n] has the states in which the piece came to number n. */
ROWS_INLINE void slide_piece(struct moving *moving, const struct packed_field *field, unsigned i, unsigned number)
{
    const unsigned words = moving->means.words;
    const uint64_t others = moving->covered & ~field->cells[number];
    struct row reached[PACKED_PLACES];
    uint64_t seen = (uint64_t)1 << number, left = seen;
    row_copy(words, reached[number].word, moving->states);
    while (left != 0) {
        const unsigned at = (unsigned)__builtin_ctzll(left);
        left &= left - 1;
        for (unsigned d = 0; d < 4; d++) {
            const unsigned to = field->to[at][d];
            if (field->step[at][d].entered == UINT64_MAX || (field->step[at][d].entered & others) != 0)
                continue;
            if ((seen >> to & 1) == 0)
                row_fill(words, reached[to].word, 0);
            seen |= (uint64_t)1 << to;
            if (step_states(moving, others, field->cells[at], field->cells[to], reached[at].word, reached[to].word))
                left |= (uint64_t)1 << to;
        }
    }
    for (seen &= ~((uint64_t)1 << number); seen != 0; seen &= seen - 1) {
        const unsigned to = (unsigned)__builtin_ctzll(seen);
        uint64_t *out = moving->next + moving->count * words;
        row_fill(words, out, 0);
        if (row_or(words, out, reached[to].word) != 0)
            add_row(moving, field, i, number, to);
    }
}

/* The one piece of a straight field beside a row of lines: it goes from number to number, down and then up. */
ROWS_INLINE void move_straight(struct moving *moving, const struct packed_field *field, unsigned number)
{
    const unsigned words = moving->means.words;
    const uint64_t one = (uint64_t)1 << field->shift;
    for (int way = -1; way <= 1; way += 2) {
        const uint64_t *step = way < 0 ? &field->down[number] : &field->up[number];
        uint64_t key = moving->key;
        struct row states;
        row_copy(words, states.word, moving->states);
        for (; (*step & moving->covered) == 0; step += way) {
            uint64_t any = 0;
            for (uint64_t entered = *step; entered != 0; entered &= entered - 1)
                any = row_and(words, states.word, moving->rows->open[__builtin_ctzll(entered)].word);
            if (any == 0)
                break;
            key = way < 0 ? key - one : key + one;
            row_copy(words, moving->next + moving->count * words, states.word);
            moving->keys[moving->count++] = key;
            if (!moving->rows->slide->far_moves)
                break;
        }
    }
}

ROWS_INLINE size_t move_all(struct moving moving, struct row_means means)
{
    const struct packed *packed = moving.rows->packed;
    moving.means = means;
    for (unsigned f = 0; f < packed->fields; f++) {
        const struct packed_field *field = &packed->field[f];
        if (moving.rows->member[f])
            continue;
        uint64_t left = (moving.key & field->mask) >> field->shift;
        for (unsigned i = 0; i < field->count; i++) {
            const unsigned number = packed_take(field, &left);
            if ((field->around[number] & ~moving.covered) == 0)
                continue;
            if (field->straight && !moving.rows->by_orders)
                move_straight(&moving, field, number);
            else if (moving.rows->slide->far_moves)
                slide_piece(&moving, field, i, number);
            else
                step_piece(&moving, field, i, number);
        }
    }
    return moving.count;
}

ROWS_QUICK static size_t move_all_quick(struct moving moving)
{
    size_t count;
#define MOVE_ALL(words) count = move_all(moving, (struct row_means){words, true})
    ROWS_BY_WORDS(moving.rows->means.words, MOVE_ALL)
#undef MOVE_ALL
    return count;
}

size_t rows_away(const struct row_kernel *kernel, uint64_t key, const uint64_t *states, uint64_t *keys, uint64_t *next)
{
    const struct slide_rows *rows = (const struct slide_rows *)kernel;
    const struct moving moving = {rows, key, rows_covered(rows, key), states, keys, next, 0, rows->means};
    return rows->means.quick ? move_all_quick(moving) : move_all(moving, (struct row_means){rows->means.words, false});
}
