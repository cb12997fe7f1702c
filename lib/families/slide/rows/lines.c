/* lines.c -- rows of lines: pieces that have no like, by the numbers of their places in mixed radix */
#include "words.h"

#include <string.h>

/* Bits by where their pieces stand, and those whose pieces overlap. */
static void lay_bit(struct slide_rows *rows, unsigned bit)
{
    const uint64_t here = (uint64_t)1 << bit % 64;
    const unsigned w = bit / 64;
    uint64_t covered = 0;
    bool apart = true;
    for (unsigned l = 0; l < rows->lines; l++) {
        struct row_line *line = &rows->line[l];
        const unsigned number = bit / line->stride % line->field->places;
        const uint64_t cells = line->field->cells[number];
        line->number[bit] = (uint8_t)number;
        line->at[number].word[w] |= here;
        apart &= (covered & cells) == 0;
        covered |= cells;
    }
    rows->apart.word[w] |= apart ? here : 0;
    for (unsigned place = 0; place < PACKED_PLACES; place++)
        rows->open[place].word[w] |= (covered >> place & 1) == 0 ? here : 0;
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
static bool shift_up(unsigned words, const uint64_t *states, const struct row_steps *steps, const struct row *valid,
                     uint64_t *found)
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

static bool shift_down(unsigned words, const uint64_t *states, const struct row_steps *steps, const struct row *valid,
                       uint64_t *found)
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

static bool shift(unsigned words, const uint64_t *states, const struct row_steps *steps, const struct row *valid,
                  uint64_t *found)
{
    return steps->shift > 0 ? shift_up(words, states, steps, valid, found)
                            : shift_down(words, states, steps, valid, found);
}

/* The bits whose pieces overlap neither each other nor what is covered. */
static void find_valid(const struct slide_rows *rows, uint64_t covered, struct row *valid)
{
    *valid = rows->apart;
    for (const struct row_line *line = rows->line; line < rows->line + rows->lines; line++)
        for (unsigned n = 0; n < line->field->places; n++)
            for (unsigned w = 0; (line->field->cells[n] & covered) != 0 && w < rows->means.words; w++)
                valid->word[w] &= ~line->at[n].word[w];
}

/* All that a line's piece does, at once; returns whether anything is new in found[], which has the states, too. */
static bool shift_all(const struct slide_rows *rows, const struct row_line *line, const struct row *valid,
                      const uint64_t *states, uint64_t *found)
{
    bool news = false;
    for (unsigned g = 0; g < line->groups; g++)
        news |= shift(rows->means.words, states, &line->steps[g], valid, found);
    return news;
}

void rows_within_lines(const struct slide_rows *rows, uint64_t covered, const uint64_t *states, uint64_t *found,
                       bool all)
{
    const unsigned words = rows->means.words;
    struct row valid;
    find_valid(rows, covered, &valid);
    for (bool more = true; more;) {
        more = false;
        for (const struct row_line *line = rows->line; line < rows->line + rows->lines; line++) {
            if (all || !rows->slide->far_moves) {
                more |= shift_all(rows, line, &valid, states, found);
                continue;
            }
            struct row reached;
            row_copy(words, reached.word, states);
            while (shift_all(rows, line, &valid, reached.word, reached.word))
                ;
            row_or(words, found, reached.word);
        }
        more &= all;
    }
}
