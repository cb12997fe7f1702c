/* fuzz_rules.c -- any bytes as the rules of a puzzle: read, compiled, and the states on a way from its start looked at
 *
 * Every input begins with the same two lines, which are not in it. Inputs are changed word by word, too, so that
 * many of them can still be read.
 */
#include "fuzz.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static const char head[] = "puzzle: fuzz\nfamily: rules\n";

/* -- what is tried -- */

/* Goes on by the last of the moves, or the middle one. */
static void walk(const struct puzzle *puzzle)
{
    enum { STEPS = 6 };
    uint8_t position[BOARD_MAX_CELLS];
    pdb_error error;
    if (puzzle_parse(puzzle, "start", position, &error) != PDB_OK)
        return;
    for (int step = 0; step < STEPS; step++) {
        pdb_moves moves = {0};
        exercise_position(puzzle, position);
        const pdb_status status = puzzle->family->position.moves(puzzle, position, &moves, &error);
        const size_t count = status == PDB_OK ? moves.count : 0;
        if (count > 0)
            memcpy(position, moves.move[step % 2 ? count - 1 : count / 2].board.symbol, puzzle->board.places);
        pdb_moves_free(&moves);
        if (count == 0)
            return;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct definition *definition;
    pdb_puzzle *puzzle = NULL;
    pdb_error error = {.message = ""};
    char *text = malloc(sizeof head + size);
    demand(text != NULL, "no memory");
    memcpy(text, head, sizeof head - 1);
    memcpy(text + sizeof head - 1, data, size);
    pdb_status status = definition_parse("fuzz.yaml", text, sizeof head - 1 + size, &definition, &error);
    free(text);
    if (status == PDB_OK) {
        status = catalog_create(definition, &puzzle, &error);
        definition_free(definition);
    }
    if (status == PDB_OK) {
        walk(puzzle->moves);
        catalog_free(puzzle);
        return 0;
    }
    demand(strstr(error.message, "fuzz.yaml") != NULL, "a complaint does not name the file");
    demand(status == PDB_BAD_DEFINITION || status == PDB_TOO_LARGE, "rules are refused for a strange reason");
    return 0;
}

/* -- how inputs are changed -- */

static const char *const words[] = {
    "sets:\n  ", "tables:\n  ", "state:\n  ", "start: ",    "goal: ", "keep: ",       "moves:\n  - ", "name: ",
    "for: {",    "let: {",      "if: ",       "do: ",       "cost: ", "board: |\n  ", "..",           "[",
    "]",         "[a, b]",      "(",          ")",          "none",   "true",         "not ",         " and ",
    " or ",      " if ",        " else ",     " for i in ", " in ",   "min(",         "max(",         "abs(",
    "all(",      "any(",        "sum(",       "count(",     "step[",  "row[",         "column[",      "cell",
    "direction", "up",          "0",          "1",          "2",      "-1",           "999999999",    "1..9",
    " + ",       " - ",         " * ",        " / ",        " % ",    " == ",         " != ",         " < ",
    " <= ",      " = ",         ", ",         "'x'",        "'*'",    "a1",           "\n",           "\n    ",
    "\n  - "};

enum { WORDS = sizeof words / sizeof words[0], TOKENS_MAX = 4000 };

static bool is_word(uint8_t c)
{
    return isalnum(c) || c == '_';
}

/* Where tokens begin: words and single characters. at[count] is the end. */
static size_t tokens_of(const uint8_t *data, size_t size, size_t at[TOKENS_MAX + 1])
{
    size_t count = 0;
    for (size_t i = 0; i < size && count < TOKENS_MAX; i++)
        if (i == 0 || !is_word(data[i]) || !is_word(data[i - 1]))
            at[count++] = i;
    at[count] = size;
    return count;
}

/* Puts `length` bytes in the place of those from `begin` to `end`; the old size where they have no room. */
static size_t replace(uint8_t *data, size_t size, size_t max_size, size_t begin, size_t end, const void *bytes,
                      size_t length)
{
    if (size - (end - begin) + length > max_size)
        return size;
    memmove(data + begin + length, data + end, size - end);
    memcpy(data + begin, bytes, length);
    return size - (end - begin) + length;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    enum { PIECE_MAX = 400 };
    size_t at[TOKENS_MAX + 1];
    uint8_t piece[PIECE_MAX];
    const size_t count = tokens_of(data, size, at);
    uint32_t state = seed;
    uint32_t random[5];
    for (int i = 0; i < 5; i++) {
        state = state * 1664525 + 1013904223;
        random[i] = state >> 8;
    }
    if (count < 2 || random[0] % 4 == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    const size_t to = random[1] % count, from = random[2] % count, run = 1 + random[3] % (random[4] % 3 ? 3 : 30);
    const size_t to_end = to + run < count ? to + run : count, from_end = from + run < count ? from + run : count;
    const char *word = words[random[3] % WORDS];
    size_t length = at[from_end] - at[from];
    length = length < PIECE_MAX ? length : PIECE_MAX;
    memcpy(piece, data + at[from], length);
    switch (random[0] / 4 % 5) {
    case 0: /* other tokens of its own in the place of some, or between two */
        return replace(data, size, max_size, at[to], at[to_end], piece, length);
    case 1:
        return replace(data, size, max_size, at[to], at[to], piece, length);
    case 2: /* a word */
        return replace(data, size, max_size, at[to], at[to + 1], word, strlen(word));
    case 3:
        return replace(data, size, max_size, at[to], at[to], word, strlen(word));
    default: /* nothing */
        return replace(data, size, max_size, at[to], at[to_end], "", 0);
    }
}
