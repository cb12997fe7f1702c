/* looks.c -- what a definition says of how a puzzle looks: colours, a legend, exits, bars, shapes, frames */
#include "looks.h"
#include "lib/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- symbols -- */

/* The symbol that a key names by its code or glyph. */
static uint8_t symbol_of(const struct board *board, const char *text)
{
    const uint8_t symbol = board_symbol(board, text, strlen(text));
    for (uint16_t s = 0; symbol == BOARD_OPEN && s < board->symbols; s++)
        if (strcmp(board->symbol[s].glyph, text) == 0)
            return (uint8_t)s;
    return symbol;
}

static pdb_status read_symbol(const struct node *key, const struct board *board, uint8_t *symbol, pdb_error *error)
{
    char known[200] = "";
    size_t used = 0;
    *symbol = symbol_of(board, node_text(key));
    if (*symbol != BOARD_OPEN)
        return PDB_OK;
    for (uint16_t s = 0; s < board->symbols && used < sizeof known - SYMBOL_CODE_MAX - 2; s++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", s > 0 ? " " : "", board->symbol[s].code);
    return node_error(error, key, "'%.40s' is no symbol that is drawn: they are %s", node_text(key), known);
}

/* All symbols of one kind have one colour. */
static pdb_status read_colour(const struct node *key, const struct node *value, const struct board *board,
                              struct puzzle_looks *looks, pdb_error *error)
{
    uint8_t symbol;
    uint32_t colour;
    pdb_status status = read_symbol(key, board, &symbol, error);
    if (status == PDB_OK)
        status = node_as_colour(value, &colour, error);
    if (status != PDB_OK)
        return status;
    const uint8_t kind = board->symbol[symbol].kind;
    if (symbol == board->empty)
        return node_error(error, key, "'%.40s' is empty ground, which has no colour of its own", node_text(key));
    for (uint16_t s = 0; s < board->symbols; s++) {
        if (board->symbol[s].kind != kind || (kind == board->empty && s != symbol)) /* marks on the ground differ */
            continue;
        if (looks->colour[s] != PDB_NO_COLOUR && looks->colour[s] != colour)
            return node_error(error, value, "'%.40s' has another colour already: '%s' is of the same kind",
                              node_text(key), board->symbol[s].code);
        looks->colour[s] = colour;
    }
    return PDB_OK;
}

static pdb_status read_words(const struct node *key, const struct node *value, const struct board *board,
                             struct puzzle_looks *looks, pdb_error *error)
{
    const char *words;
    uint8_t symbol;
    pdb_status status = read_symbol(key, board, &symbol, error);
    if (status == PDB_OK)
        status = node_as_text(value, &words, error);
    if (status != PDB_OK)
        return status;
    if (*words == '\0' || strlen(words) >= LEGEND_MAX || !text_is_plain(words))
        return node_error(error, value, "what a symbol means is said in one line of 1 to %d bytes", LEGEND_MAX - 1);
    strcpy(looks->legend[symbol], words);
    return PDB_OK;
}

const char *const looks_shapes[] = {"bar",    "boat", "crate",  "frog",  "glass", "hole", "label",
                                    "person", "ring", "target", "torch", "water", NULL};

static pdb_status read_shape(const struct node *key, const struct node *value, const struct board *board,
                             struct puzzle_looks *looks, pdb_error *error)
{
    uint8_t symbol;
    unsigned shape = 0;
    pdb_status status = read_symbol(key, board, &symbol, error);
    if (status == PDB_OK)
        status = node_as_choice(value, looks_shapes, &shape, error);
    if (status == PDB_OK && symbol == board->empty)
        return node_error(error, key, "'%.40s' is empty ground, which has no shape", node_text(key));
    if (status == PDB_OK)
        looks->shape[symbol] = looks_shapes[shape];
    return status;
}

/* -- exits -- */

/* "3", "2-3": numbers from 1 to `most`; false where it is neither. */
static bool read_range(const char *word, size_t length, unsigned most, unsigned *first, unsigned *last)
{
    char text[8], *end;
    snprintf(text, sizeof text, "%.*s", (int)length, word);
    *first = *last = (unsigned)strtoul(text, &end, 10);
    const bool range = *end == '-' && strspn(end + 1, "0123456789") == strlen(end + 1);
    if (range)
        *last = (unsigned)strtoul(end + 1, &end, 10);
    return length < sizeof text && *text >= '1' && *text <= '9' && *end == '\0' && *first >= 1 && *first <= *last &&
           *last <= most;
}

static pdb_status read_exit(const struct node *key, const struct node *value, const struct board *board,
                            struct puzzle_looks *looks, pdb_error *error)
{
    static const char *const sides[] = {
        [PDB_TOP] = "top", [PDB_RIGHT] = "right", [PDB_BOTTOM] = "bottom", [PDB_LEFT] = "left", NULL};
    const char *text;
    unsigned side;
    pdb_status status = node_as_choice(key, sides, &side, error);
    if (status == PDB_OK)
        status = node_as_text(value, &text, error);
    if (status != PDB_OK)
        return status;
    const bool rows = side == PDB_LEFT || side == PDB_RIGHT;
    const unsigned most = rows ? board->rows : board->columns;
    const char *word = text;
    for (size_t length; (length = board_next_word(&word)) > 0; word += length) {
        unsigned first, last;
        if (!read_range(word, length, most, &first, &last))
            return node_error_at(error, value, (size_t)(word - text),
                                 "an exit is a %s from 1 to %u, or a range of them as 2-3", rows ? "row" : "column",
                                 most);
        for (unsigned i = first; i <= last; i++)
            looks->exit[side] |= (uint64_t)1 << (i - 1);
    }
    return looks->exit[side] != 0 ? PDB_OK : node_error(error, value, "no %s is given", rows ? "row" : "column");
}

/* -- frames -- */

/* "1 1-4": a row or several, and columns. */
static pdb_status read_frame(const struct node *node, const struct board *board, struct puzzle_looks *looks,
                             pdb_error *error)
{
    const char *text;
    unsigned first[2] = {0}, last[2] = {0}, words = 0;
    pdb_status status = node_as_text(node, &text, error);
    if (status != PDB_OK)
        return status;
    const char *word = text;
    bool good = true;
    for (size_t length; good && (length = board_next_word(&word)) > 0; word += length, words++)
        good = words < 2 &&
               read_range(word, length, words == 0 ? board->rows : board->columns, &first[words], &last[words]);
    if (!good || words != 2)
        return node_error(error, node, "a frame is rows and columns, from 1 to %u and to %u: 1 2-3", board->rows,
                          board->columns);
    if (looks->frames == FRAMES_MAX)
        return node_error(error, node, "more than %d frames", FRAMES_MAX);
    looks->frame[looks->frames++] = (struct looks_frame){.top = (uint8_t)(first[0] - 1),
                                                         .left = (uint8_t)(first[1] - 1),
                                                         .bottom = (uint8_t)(last[0] - 1),
                                                         .right = (uint8_t)(last[1] - 1)};
    return PDB_OK;
}

static pdb_status read_frames(const struct node *root, const struct board *board, struct puzzle_looks *looks,
                              pdb_error *error)
{
    const struct node *node = node_find(root, "frames");
    if (node == NULL)
        return PDB_OK;
    if (node_kind(node) != NODE_SEQUENCE)
        return node_error(error, node, "'frames' has to be a list of rows and columns: [1 2-3]");
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < node_count(node); i++)
        status = read_frame(node_item(node, i), board, looks, error);
    return status;
}

/* -- bars -- */

/* All symbols of one kind are as wide. */
static pdb_status read_bars(const struct node *root, const struct board *board, struct puzzle_looks *looks,
                            pdb_error *error)
{
    const struct node *node = node_find(root, "bars");
    const char *text;
    if (node == NULL)
        return PDB_OK;
    pdb_status status = node_as_text(node, &text, error);
    const char *word = text;
    for (size_t length; status == PDB_OK && (length = board_next_word(&word)) > 0; word += length) {
        char code[SYMBOL_CODE_MAX] = "";
        if (length < sizeof code)
            memcpy(code, word, length);
        const uint8_t symbol = symbol_of(board, code);
        const size_t at = (size_t)(word - text);
        if (symbol == BOARD_OPEN || board->symbol[symbol].kind == board->empty)
            return node_error_at(error, node, at, "'%.*s' is no piece: bars are pieces, the narrowest first",
                                 (int)length, word);
        if (looks->bar[symbol] != 0)
            return node_error_at(error, node, at, "'%.*s' is a bar already: each is named once", (int)length, word);
        if (looks->bars == BARS_MAX)
            return node_error_at(error, node, at, "more than %d bars", BARS_MAX);
        looks->bars++;
        for (uint16_t s = 0; s < board->symbols; s++)
            if (board->symbol[s].kind == board->symbol[symbol].kind)
                looks->bar[s] = looks->bars;
    }
    return status;
}

/* -- the whole -- */

typedef pdb_status entry_reader(const struct node *key, const struct node *value, const struct board *board,
                                struct puzzle_looks *looks, pdb_error *error);

/* Reads a key that is a mapping, entry by entry; `what` it has to be one from. */
static pdb_status read_mapping(const struct node *root, const char *key, const char *what, const struct board *board,
                               struct puzzle_looks *looks, entry_reader *read, pdb_error *error)
{
    const struct node *node = node_find(root, key);
    if (node == NULL)
        return PDB_OK;
    if (node_kind(node) != NODE_MAPPING)
        return node_error(error, node, "'%s' has to be a mapping from %s", key, what);
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < node_count(node); i++)
        status = read(node_key(node, i), node_value(node, i), board, looks, error);
    return status;
}

pdb_status looks_read(const struct node *root, const struct board *drawn, struct puzzle_looks *looks, pdb_error *error)
{
    *looks = (struct puzzle_looks){0};
    for (unsigned s = 0; s < BOARD_MAX_SYMBOLS; s++)
        looks->colour[s] = PDB_NO_COLOUR;
    pdb_status status = read_mapping(root, "colours", "symbols to colours: {A: red}", drawn, looks, read_colour, error);
    if (status == PDB_OK)
        status = read_mapping(root, "legend", "symbols to what they mean: {A: the red car}", drawn, looks, read_words,
                              error);
    if (status == PDB_OK)
        status = read_mapping(root, "exit", "sides to rows or columns: {right: 3}", drawn, looks, read_exit, error);
    if (status == PDB_OK)
        status = read_bars(root, drawn, looks, error);
    if (status == PDB_OK)
        status = read_mapping(root, "shapes", "symbols to shapes: {$: crate}", drawn, looks, read_shape, error);
    if (status == PDB_OK)
        status = read_frames(root, drawn, looks, error);
    return status;
}

/* Is it what a symbol of the puzzle's own board, or of its picture where there is one, is called or drawn as? */
static bool is_symbol(const struct board *const boards[2], const char *text)
{
    return symbol_of(boards[0], text) != BOARD_OPEN || (boards[1] != NULL && symbol_of(boards[1], text) != BOARD_OPEN);
}

/* Is a word an exit's sign, and nothing else? */
static bool is_sign(const struct puzzle_looks *looks, const struct board *const boards[2], const char *word,
                    size_t length)
{
    char text[8];
    if (length >= sizeof text)
        return false;
    snprintf(text, sizeof text, "%.*s", (int)length, word);
    bool sign = false;
    for (unsigned side = 0; side < PDB_SIDES; side++)
        for (unsigned ascii = 0; ascii < 2; ascii++)
            sign |= looks->exit[side] != 0 && strcmp(board_exit_sign((pdb_side)side, ascii), text) == 0;
    return sign && !is_symbol(boards, text);
}

/* Is a word a piece of a frame's lines, and has no character that is a symbol? */
static bool is_frame(const struct puzzle_looks *looks, const struct board *const boards[2], const char *word,
                     size_t length)
{
    bool lines = looks->frames > 0;
    for (size_t at = 0, step; lines && at < length; at += step) {
        char text[8];
        step = utf8_length(word + at);
        snprintf(text, sizeof text, "%.*s", (int)step, word + at);
        lines = false;
        for (unsigned sides = 1; sides < 1 << PDB_SIDES; sides++)
            for (unsigned ascii = 0; ascii < 2; ascii++)
                lines |= strcmp(board_frame_sign(sides, ascii), text) == 0;
        lines = lines && !is_symbol(boards, text);
    }
    return lines;
}

/* Puts blanks for the characters that bars are drawn with. */
static void drop_bars(const struct board *const boards[2], char *text)
{
    for (unsigned ascii = 0; ascii < 2; ascii++) {
        const char *end = board_bar_end(ascii);
        if (!is_symbol(boards, end))
            for (char *at = text; (at = strstr(at, end)) != NULL;)
                memset(at, ' ', strlen(end));
    }
}

const char *looks_without_signs(const struct puzzle_looks *looks, const struct board *const boards[2], const char *text,
                                char *plain)
{
    uint64_t exits = 0;
    for (unsigned side = 0; side < PDB_SIDES; side++)
        exits |= looks->exit[side];
    const size_t bytes = strlen(text);
    if ((exits == 0 && looks->bars == 0 && looks->frames == 0) || bytes >= BOARD_TEXT_MAX)
        return text;
    memcpy(plain, text, bytes + 1);
    const char *word = text;
    for (size_t length; (length = board_next_word(&word)) > 0; word += length)
        if (is_sign(looks, boards, word, length) || is_frame(looks, boards, word, length))
            memset(plain + (word - text), ' ', length);
    if (looks->bars > 0)
        drop_bars(boards, plain);
    return plain;
}
