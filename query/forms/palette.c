/* palette.c -- which colour a puzzle's symbols have */
#include "palette.h"

#include <string.h>
#include <strings.h>

/* In such an order that the first few differ most. */
static const uint32_t colours[] = {0x88CCEE, 0xDDCC77, 0xCC6677, 0x44AA99, 0x332288,
                                   0xAA4499, 0x117733, 0x999933, 0x882255};
enum { COLOURS = sizeof colours / sizeof *colours };

static unsigned channel(uint32_t colour, unsigned shift)
{
    return colour >> shift & 255;
}

/* Colour number n: when all have been used they come again, five eighths of the way to white: less, and some would look
 * like others' lighter forms among xterm's colours. */
static uint32_t colour_number(unsigned n)
{
    const uint32_t colour = colours[n % COLOURS];
    uint32_t lighter = 0;
    for (unsigned shift = 0; shift < 24; shift += 8)
        lighter |= (3 * channel(colour, shift) + 5 * 255) / 8 << shift;
    return n / COLOURS % 2 == 0 ? colour : lighter;
}

/* How unlike a colour is to another, of which the channels are given. */
static unsigned unlike(uint32_t colour, unsigned red, unsigned green, unsigned blue)
{
    const int r = (int)channel(colour, 16) - (int)red, g = (int)channel(colour, 8) - (int)green,
              b = (int)channel(colour, 0) - (int)blue;
    return (unsigned)(r * r + g * g + b * b);
}

/* A puzzle, and the colours that its symbols are given: by the definition or, of a kind that it gives none, by what one
 * of the kind is called. PALETTE_NONE where there is neither. */
struct choice {
    const pdb_puzzle *puzzle;
    int symbols;
    uint32_t given[PALETTE_SYMBOLS];
};

static uint32_t colour_called(const char *code)
{
    static const struct {
        const char *name;
        uint32_t colour;
    } named[] = {{"white", 0xDDDDDD},  {"red", 0xCC3344},   {"green", 0x228844}, {"yellow", 0xEECC44},
                 {"orange", 0xDD7722}, {"blue", 0x4477CC},  {"pink", 0xEE99BB},  {"purple", 0x8844AA},
                 {"brown", 0x885533},  {"black", 0x444444}, {"grey", 0x888888},  {"gray", 0x888888}};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strcasecmp(code, named[i].name) == 0)
            return named[i].colour;
    return PALETTE_NONE;
}

static void choice_begin(struct choice *choice, const pdb_puzzle *puzzle)
{
    uint32_t called[PALETTE_SYMBOLS];
    const int symbols = (int)pdb_puzzle_symbols(puzzle);
    choice->puzzle = puzzle;
    choice->symbols = symbols < PALETTE_SYMBOLS ? symbols : PALETTE_SYMBOLS;
    memset(called, 0xFF, sizeof called);
    for (int s = 0; s < choice->symbols; s++) {
        const int kind = pdb_symbol_kind(puzzle, s);
        if (kind >= 0 && called[kind] == PALETTE_NONE && strcmp(pdb_symbol_shape(puzzle, s), "label") != 0)
            called[kind] = colour_called(pdb_symbol_code(puzzle, s));
    }
    for (int s = 0; s < choice->symbols; s++) {
        const int kind = pdb_symbol_kind(puzzle, s);
        const uint32_t given = pdb_symbol_colour(puzzle, s);
        choice->given[s] = given != PDB_NO_COLOUR ? given : kind >= 0 ? called[kind] : PALETTE_NONE;
    }
}

/* Is some symbol given this colour, or one that is hard to tell from it? */
static bool is_given(const struct choice *choice, uint32_t colour)
{
    enum { ALIKE = 3 * 32 * 32 };
    for (int s = 0; s < choice->symbols; s++) {
        const uint32_t given = choice->given[s];
        if (given != PALETTE_NONE && unlike(colour, channel(given, 16), channel(given, 8), channel(given, 0)) < ALIKE)
            return true;
    }
    return false;
}

/* Colour number n of those that none is given; where there are too few of them, of all. */
static uint32_t free_colour(const struct choice *choice, unsigned n)
{
    unsigned left = n % (2 * COLOURS);
    for (unsigned k = 0; k < 2 * COLOURS; k++)
        if (!is_given(choice, colour_number(k)) && left-- == 0)
            return colour_number(k);
    return colour_number(n);
}

/* -- colours by their initials -- */

static uint32_t colour_of_initial(const char *code, bool black)
{
    static const char *const names[] = {"white", "red", "green", "yellow", "orange", "blue"};
    for (size_t i = 0; strlen(code) == 1 && i < sizeof names / sizeof *names; i++)
        if ((*code | 0x20) == *names[i])
            return colour_called(black && *names[i] == 'b' ? "black" : names[i]);
    return PALETTE_NONE;
}

static bool colour_by_initial(struct palette *palette, const pdb_puzzle *puzzle)
{
    const int symbols = (int)pdb_puzzle_symbols(puzzle);
    unsigned kinds = 0, black_and_white = 0;
    for (int s = 0; s < symbols; s++) {
        const char *code = pdb_symbol_code(puzzle, s);
        if (pdb_symbol_kind(puzzle, s) < 0)
            continue;
        if (colour_of_initial(code, false) == PALETTE_NONE)
            return false;
        kinds++;
        black_and_white += strchr("wWbB", *code) != NULL;
    }
    if (kinds < 2)
        return false;
    for (int s = 0; s < symbols; s++)
        if (pdb_symbol_kind(puzzle, s) >= 0)
            palette->colour[s] = colour_of_initial(pdb_symbol_code(puzzle, s), kinds == 2 && black_and_white == 2);
    return true;
}

/* -- colours by the goal -- */

/* The cell of the goal where each kind stands; false where the goal is no single board, has several cells of one kind,
 * or so few kinds that rows would tell nothing. */
static bool find_goal_cells(const pdb_puzzle *puzzle, unsigned cell[PALETTE_SYMBOLS])
{
    pdb_board goal;
    bool seen[PALETTE_SYMBOLS] = {false};
    unsigned kinds = 0;
    if (pdb_board_parse(puzzle, "goal", &goal, NULL) != PDB_OK)
        return false;
    for (unsigned row = 0; row < pdb_puzzle_rows(puzzle); row++)
        for (unsigned column = 0; column < pdb_puzzle_columns(puzzle); column++) {
            const int kind = pdb_symbol_kind(puzzle, pdb_board_at(puzzle, &goal, row, column));
            if (kind < 0)
                continue;
            if (seen[kind])
                return false;
            seen[kind] = true;
            kinds++;
            cell[kind] = row * pdb_puzzle_columns(puzzle) + column;
        }
    for (int s = 0; s < (int)pdb_puzzle_symbols(puzzle); s++)
        if (pdb_symbol_kind(puzzle, s) >= 0 && !seen[pdb_symbol_kind(puzzle, s)])
            return false;
    return kinds >= 3;
}

static bool colour_by_goal(struct palette *palette, const struct choice *choice)
{
    const pdb_puzzle *puzzle = choice->puzzle;
    const unsigned columns = pdb_puzzle_columns(puzzle), across = pdb_puzzle_rows(puzzle) > 1 ? columns : 1;
    unsigned cell[PALETTE_SYMBOLS];
    if (!find_goal_cells(puzzle, cell))
        return false;
    for (int s = 0; s < (int)pdb_puzzle_symbols(puzzle); s++) {
        const int kind = pdb_symbol_kind(puzzle, s);
        if (kind >= 0)
            palette->colour[s] = free_colour(choice, cell[kind] / across);
    }
    return true;
}

/* -- colours by kind -- */

static void colour_by_kind(struct palette *palette, const struct choice *choice)
{
    const pdb_puzzle *puzzle = choice->puzzle;
    unsigned used = 0;
    uint32_t lines = PALETTE_NONE;
    for (int s = 0; s < (int)pdb_puzzle_symbols(puzzle); s++) {
        const int kind = pdb_symbol_kind(puzzle, s);
        if (kind < 0)
            continue;
        if (palette->colour[kind] == PALETTE_NONE) {
            const char *glyph = pdb_symbol_glyph(puzzle, kind); /* U+2500 to U+257F are lines */
            const bool line = strncmp(glyph, "\xE2\x94", 2) == 0 || strncmp(glyph, "\xE2\x95", 2) == 0;
            palette->colour[kind] = line && lines != PALETTE_NONE ? lines : free_colour(choice, used++);
            lines = line ? palette->colour[kind] : lines;
        }
        palette->colour[s] = palette->colour[kind];
    }
}

/* Of what has a shape and stands still, so that it is of no kind, and has no colour of its own. */
static uint32_t shape_colour(const char *shape)
{
    static const struct {
        const char *shape;
        uint32_t colour;
    } known[] = {{"target", 0xCC3344},    {"water", 0x5FA8D3},     {"hole", 0x222222},
                 {"glass", PALETTE_NONE}, {"label", PALETTE_NONE}, {"", PALETTE_NONE}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(shape, known[i].shape) == 0)
            return known[i].colour;
    return 0x59636E;
}

void palette_begin(struct palette *palette, const pdb_puzzle *puzzle)
{
    struct choice choice;
    for (unsigned s = 0; s < PALETTE_SYMBOLS; s++)
        palette->colour[s] = PALETTE_NONE;
    choice_begin(&choice, puzzle);
    if (!colour_by_initial(palette, puzzle) && !colour_by_goal(palette, &choice))
        colour_by_kind(palette, &choice);
    for (int s = 0; s < choice.symbols; s++)
        if (choice.given[s] != PALETTE_NONE)
            palette->colour[s] = choice.given[s];
        else if (palette->colour[s] == PALETTE_NONE || strcmp(pdb_symbol_shape(puzzle, s), "label") == 0)
            palette->colour[s] = shape_colour(pdb_symbol_shape(puzzle, s));
}

/* -- what a screen makes of them -- */

/* How much light a channel of sRGB gives, 0 .. 1: its curve, to within a hundredth part. */
static double light(uint32_t colour, unsigned shift)
{
    const double value = channel(colour, shift) / 255.0;
    return value * (value * (value * 0.305306011 + 0.682171111) + 0.012522878);
}

/* Contrasts as the Web Content Accessibility Guidelines have them: (lighter + 0.05) / (darker + 0.05). */
uint32_t palette_ink(uint32_t colour)
{
    const double luminance = 0.2126 * light(colour, 16) + 0.7152 * light(colour, 8) + 0.0722 * light(colour, 0) + 0.05;
    return luminance / 0.05 > 1.05 / luminance ? 0x000000 : 0xFFFFFF;
}

/* xterm's colours are a cube of six steps a side, and twenty-four greys. */
unsigned palette_xterm(uint32_t colour)
{
    static const uint8_t step[] = {0, 95, 135, 175, 215, 255};
    unsigned nearest[3];
    for (unsigned i = 0; i < 3; i++) {
        const unsigned value = channel(colour, 16 - 8 * i);
        nearest[i] = 0;
        while (nearest[i] < 5 && 2 * value > (unsigned)step[nearest[i]] + step[nearest[i] + 1])
            nearest[i]++;
    }
    const unsigned mean = (channel(colour, 16) + channel(colour, 8) + channel(colour, 0)) / 3;
    const unsigned level = mean < 3 ? 0 : mean > 238 ? 23 : (mean - 3) / 10, grey = 8 + 10 * level;
    return unlike(colour, grey, grey, grey) < unlike(colour, step[nearest[0]], step[nearest[1]], step[nearest[2]])
               ? 232 + level
               : 16 + 36 * nearest[0] + 6 * nearest[1] + nearest[2];
}
