/* lines.c -- rows of lines: pieces that have no like, by the numbers of their places in mixed radix */
#include "words.h"

#include <string.h>

/* Bits by where their pieces stand, and those whose pieces overlap. */
static void lay_bit(struct slide_rows *rows, unsigned bit)
{
    const uint64_t here = (uint64_t)1 << bit % 64;
    const unsigned w = bit / 64;
    struct row_stand *stand = &rows->stand[bit];
    bool apart = true;
    for (unsigned l = 0; l < rows->lines; l++) {
        struct row_line *line = &rows->line[l];
        const unsigned number = bit / line->stride % line->field->places;
        const uint64_t cells = line->field->cells[number];
        line->at[number].word[w] |= here;
        apart &= (stand->covered & cells) == 0;
        stand->place[l] = line->field->place[number];
        stand->firsts |= (uint64_t)1 << stand->place[l];
        stand->covered |= cells;
    }
    rows->lined |= stand->covered;
    rows->apart.word[w] |= apart ? here : 0;
    for (unsigned place = 0; place < PACKED_PLACES; place++)
        rows->open[place].word[w] |= (stand->covered >> place & 1) == 0 ? here : 0;
}

/* A step from number n to another: its bits join those that shift as far. */
static bool lay_step(struct row_line *line, unsigned from, int shift)
{
    unsigned g = 0;
    while (g < line->groups && line->steps[g].shift != shift)
        g++;
    if (g == ROW_STEP_GROUPS_MAX)
        return false;
    line->groups += g == line->groups;
    line->steps[g].shift = shift;
    row_or(ROW_WORDS_MAX, line->steps[g].from.word, line->at[from].word);
    return true;
}

bool rows_lay_lines(struct slide_rows *rows)
{
    rows->bits = 1;
    for (unsigned l = 0; l < rows->lines; l++) {
        struct row_line *line = &rows->line[l];
        line->stride = rows->bits;
        rows->bits *= line->field->places;
    }
    for (unsigned bit = 0; bit < rows->bits; bit++)
        lay_bit(rows, bit);
    for (unsigned l = 0; l < rows->lines; l++) {
        struct row_line *line = &rows->line[l];
        for (unsigned n = 0; n < line->field->places; n++)
            for (unsigned d = 0; d < 4; d++)
                if (line->field->step[n][d].entered != UINT64_MAX &&
                    !lay_step(line, n, ((int)line->field->to[n][d] - (int)n) * (int)line->stride))
                    return false;
    }
    return true;
}

/* -- moves -- */

/* Adds the bits of states[] that are in from[], shifted up, and valid there, to found[]; returns whether any is new. */
ROWS_INLINE bool shift_up(unsigned words, const uint64_t *states, const struct row_steps *steps,
                          const struct row *valid, uint64_t *found)
{
    const unsigned across = (unsigned)steps->shift / 64, bits = (unsigned)steps->shift % 64;
    uint64_t before = 0, news = 0;
    for (unsigned w = across; w < words; w++) {
        const uint64_t here = states[w - across] & steps->from.word[w - across];
        const uint64_t moved = (here << bits | before >> 1 >> (63 - bits)) & valid->word[w];
        before = here;
        news |= moved & ~found[w];
        found[w] |= moved;
    }
    return news != 0;
}

ROWS_INLINE bool shift_down(unsigned words, const uint64_t *states, const struct row_steps *steps,
                            const struct row *valid, uint64_t *found)
{
    const unsigned across = (unsigned)-steps->shift / 64, bits = (unsigned)-steps->shift % 64;
    uint64_t above = 0, news = 0;
    for (unsigned w = words; w-- > across;) {
        const uint64_t here = states[w] & steps->from.word[w];
        const uint64_t moved = (here >> bits | above << 1 << (63 - bits)) & valid->word[w - across];
        above = here;
        news |= moved & ~found[w - across];
        found[w - across] |= moved;
    }
    return news != 0;
}

ROWS_INLINE bool shift(unsigned words, const uint64_t *states, const struct row_steps *steps, const struct row *valid,
                       uint64_t *found)
{
    return steps->shift > 0 ? shift_up(words, states, steps, valid, found)
                            : shift_down(words, states, steps, valid, found);
}

/* The bits whose pieces overlap neither each other nor what is covered. */
ROWS_INLINE void find_valid(const struct slide_rows *rows, unsigned words, uint64_t covered, struct row *valid)
{
    row_copy(words, valid->word, rows->apart.word);
    for (uint64_t left = covered & rows->lined; left != 0; left &= left - 1)
        row_and(words, valid->word, rows->open[__builtin_ctzll(left)].word);
}

/* All that a line's piece does, at once; returns whether anything is new in found[], which has the states, too. */
ROWS_INLINE bool shift_all(unsigned words, const struct row_line *line, const struct row *valid, const uint64_t *states,
                           uint64_t *found)
{
    bool news = false;
    for (unsigned g = 0; g < line->groups; g++)
        news |= shift(words, states, &line->steps[g], valid, found);
    return news;
}

ROWS_INLINE void within(const struct slide_rows *rows, unsigned words, uint64_t covered, const uint64_t *states,
                        uint64_t *found, bool all)
{
    struct row valid;
    find_valid(rows, words, covered, &valid);
    for (bool more = true; more;) {
        more = false;
        for (const struct row_line *line = rows->line; line < rows->line + rows->lines; line++) {
            if (all || !rows->slide->far_moves) {
                more |= shift_all(words, line, &valid, states, found);
                continue;
            }
            struct row reached;
            row_copy(words, reached.word, states);
            while (shift_all(words, line, &valid, reached.word, reached.word))
                ;
            row_or(words, found, reached.word);
        }
        more &= all;
    }
}

ROWS_QUICK static void within_quick(const struct slide_rows *rows, uint64_t covered, const uint64_t *states,
                                    uint64_t *found, bool all)
{
#define WITHIN(words) within(rows, words, covered, states, found, all)
    ROWS_BY_WORDS(rows->means.words, WITHIN)
#undef WITHIN
}

void rows_within_lines(const struct slide_rows *rows, uint64_t covered, const uint64_t *states, uint64_t *found,
                       bool all)
{
    if (rows->means.quick)
        within_quick(rows, covered, states, found, all);
    else
        within(rows, rows->means.words, covered, states, found, all);
}
