/* text.c -- how place puzzles are drawn and typed, beyond cells with symbols
 *
 *   - a board with a mark is a grid, a row for each slot with the mark in the column of its value: queens;
 *   - an alphametic is its sums, letters replaced by their digits, with the letters in a row above the board;
 *   - any board can be typed as a list of what stands where: "S=9 M=1".
 */
#include "place.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

void place_slot_words(const struct place *place, unsigned slot, char *piece)
{
    const bool bare = !place->named && place->puzzle.board.rows == 1;
    snprintf(piece, PDB_CODE_MAX, "%s%s", !bare ? "" : place->mark != 0 ? "row " : "slot ", place->names.name[slot]);
}

/* -- drawing -- */

/* Rows of cells, each followed by a space but for the last. */
static void draw_marks(const struct place *place, const uint8_t *position, char *end)
{
    for (unsigned slot = 0; slot < place->slots; slot++)
        for (unsigned symbol = 1; symbol <= place->values; symbol++) {
            *end++ = (char)(position[slot] == symbol ? place->mark : '.');
            *end++ = (char)(symbol < place->values ? ' ' : '\n');
        }
    *end = '\0';
}

/* The words of an equation below one another, right-aligned behind their signs; letters with a digit as this. Returns
 * the end. */
static char *draw_equation(const struct place *place, const struct place_equation *equation, const uint8_t *position,
                           char *end)
{
    const char *word = equation->text;
    char sign = ' ';
    while (*word != '\0') {
        const size_t length = strcspn(word, "+-=");
        end += sprintf(end, "%c %*s", sign, (int)(equation->columns - length), "");
        for (size_t i = 0; i < length; i++) {
            const uint8_t symbol = position[places_find(&place->puzzle.board, &place->names, word + i, 1)];
            *end++ = (char)(symbol == 0 ? word[i] : *place->puzzle.board.symbol[symbol].code);
        }
        *end++ = '\n';
        sign = word[length];
        word += length + (sign != '\0');
    }
    return end;
}

static void draw_row(const struct place *place, const uint8_t *position, char *end)
{
    for (int letters = 1; letters >= 0; letters--)
        for (unsigned slot = 0; slot < place->slots; slot++)
            end += sprintf(end, "%s%c",
                           letters ? place->names.name[slot] : place->puzzle.board.symbol[position[slot]].code,
                           slot + 1 < place->slots ? ' ' : '\n');
}

/* Bytes that an equation takes, at most. */
static size_t drawn_bytes(const struct place_equation *equation)
{
    size_t words = 1;
    for (const char *c = equation->text; *c != '\0'; c++)
        words += strchr("+-=", *c) != NULL;
    return words * (equation->columns + 4) + 1;
}

bool place_sketch(const struct puzzle *puzzle, const uint8_t *position, char *text)
{
    const struct place *place = place_of(puzzle);
    char *end = text;
    size_t room = PDB_TEXT_MAX - 4 * PLACE_MAX_BASE - 1;
    if (place->mark != 0)
        draw_marks(place, position, text);
    for (unsigned e = 0; e < place->equations; e++) {
        if (drawn_bytes(&place->equation[e]) > room)
            break;
        room -= drawn_bytes(&place->equation[e]);
        end = draw_equation(place, &place->equation[e], position, end);
        *end++ = '\n';
    }
    if (place->equations > 0)
        draw_row(place, position, end);
    return place->mark != 0 || place->equations > 0;
}

/* -- reading -- */

/* A slot by its name; letters of equations in either case. */
static unsigned find_slot(const struct place *place, const char *name, size_t length)
{
    for (unsigned slot = 0; slot < place->slots; slot++) {
        const char *here = place->names.name[slot];
        if (strlen(here) == length && (place->equations > 0 ? strncasecmp : strncmp)(here, name, length) == 0)
            return slot;
    }
    return place->slots;
}

/* "S=9 M=1": what stands in some slots; the others are empty. */
static pdb_status read_assignments(const struct place *place, const char *text, uint8_t *position, pdb_error *error)
{
    const struct board *board = &place->puzzle.board;
    memset(position, board->empty, place->slots);
    for (size_t length; (length = board_next_word(&text)) > 0; text += length) {
        const char *equals = memchr(text, '=', length);
        const size_t name = equals != NULL ? (size_t)(equals - text) : length;
        const unsigned slot = find_slot(place, text, name);
        const int shown = length < 40 ? (int)length : 40;
        if (equals == NULL || slot == place->slots)
            return error_set(error, PDB_BAD_BOARD,
                             "'%.*s': slots get their values as in %s=%s (they are called %s to %s)", shown, text,
                             place->names.name[0], board->symbol[1].code, place->names.name[0],
                             place->names.name[place->slots - 1]);
        const uint8_t symbol = board_symbol(board, equals + 1, length - name - 1);
        if (symbol == BOARD_OPEN)
            return error_set(error, PDB_BAD_BOARD, "'%.*s': the values are %s to %s", shown, text,
                             board->symbol[1].code, board->symbol[place->values].code);
        if (position[slot] != board->empty)
            return error_set(error, PDB_BAD_BOARD, "'%.*s': this slot has a value already", shown, text);
        position[slot] = symbol;
    }
    return PDB_OK;
}

/* A grid, a row for each slot, with a mark or nothing in it. `cells` of them are in the text, and there is a mark. */
static pdb_status read_marks(const struct place *place, const char *text, unsigned cells, uint8_t *position,
                             pdb_error *error)
{
    unsigned cell = 0;
    if (cells != place->slots * place->values)
        return error_set(error, PDB_BAD_BOARD, "%u cells given, but with %c in it a board has %u (%u rows of %u)",
                         cells, place->mark, place->slots * place->values, place->slots, place->values);
    memset(position, 0, place->slots);
    for (; *text != '\0'; text++) {
        if (strchr(" ,/\n\t\r", *text) != NULL)
            continue;
        const unsigned slot = cell / place->values, value = cell % place->values;
        cell++;
        if (*text == place->mark && position[slot] != 0)
            return error_set(error, PDB_BAD_BOARD, "there are two %c in row %u", place->mark, slot + 1);
        if (*text == place->mark)
            position[slot] = (uint8_t)(value + 1);
        else if (strchr("._0", *text) == NULL)
            return error_set(error, PDB_BAD_BOARD, "cell %u: '%c' is neither %c nor empty (.)", cell, *text,
                             place->mark);
    }
    return PDB_OK;
}

pdb_status place_parse(const struct puzzle *puzzle, const char *text, uint8_t *position, bool *known, pdb_error *error)
{
    const struct place *place = place_of(puzzle);
    unsigned cells = 0, empty = 0;
    for (const char *c = text; *c != '\0'; c++) {
        cells += strchr(" ,/\n\t\r", *c) == NULL;
        empty += strchr("._0", *c) != NULL;
    }
    const bool grid = place->mark != 0 && (strchr(text, place->mark) != NULL ||
                                           (cells == empty && cells == place->slots * place->values && cells > 1));
    *known = grid || strchr(text, '=') != NULL;
    if (grid)
        return read_marks(place, text, cells, position, error);
    return *known ? read_assignments(place, text, position, error) : PDB_OK;
}
