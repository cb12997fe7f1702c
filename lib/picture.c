/* picture.c -- a board drawn in a definition */
#include "picture.h"
#include "text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool ends_row(char c)
{
    return c == '\n' || c == '/' || c == '\0';
}

static bool is_space(char c)
{
    return c == ' ' || c == ',' || c == '\t' || c == '\r';
}

/* Does the comment behind a picture look like the rest of it, a wall that YAML took for the beginning of a comment? Where
 * the picture ends in a slash, where the comment goes on with one, or where none of its words is longer than two
 * characters, as codes of cells are. */
static bool is_cut_off(const char *text, const char *comment)
{
    const size_t length = strlen(text);
    if (length > 0 && text[length - 1] == '/')
        return true;
    bool short_words = true;
    for (const char *word = comment; *word != '\0' && *word != '\n' && *word != '\r';) {
        const size_t bytes = strcspn(word, " ,\t\r\n");
        size_t characters = 0;
        for (size_t at = 0; at < bytes; at += utf8_length(word + at))
            characters++;
        if (bytes == 1 && *word == '/')
            return true;
        short_words = short_words && characters <= 2;
        word += bytes;
        word += strspn(word, " ,\t");
    }
    return short_words;
}

static bool has_rows(const char *text)
{
    const size_t row = strcspn(text, "/\n");
    return text[row] != '\0' && text[row + 1] != '\0';
}

pdb_status picture_text(const struct node *node, const char **text, pdb_error *error)
{
    pdb_status status = node_as_text(node, text, error);
    if (status != PDB_OK)
        return status;
    const char *comment = node_comment(node);
    if (comment != NULL && is_cut_off(*text, comment))
        return node_error_at(
            error, node, strlen(*text),
            "a '#' behind a space begins a comment, and this one looks like a part of the picture: put "
            "quotes around the picture, or the comment on a line of its own");
    if (node_is_folded(node) && !has_rows(*text))
        return node_error(error, node,
                          "YAML joins these lines into one row: begin them with '|' (no '>', no quotes), or "
                          "end each row with a slash");
    return PDB_OK;
}

/* Has any row two cells with a separator between them? */
static bool has_separators(const char *text)
{
    bool in_row = false, gap = false;
    for (; *text != '\0'; text++) {
        if (ends_row(*text)) {
            in_row = gap = false;
        } else if (is_space(*text)) {
            gap = in_row;
        } else {
            if (gap)
                return true;
            in_row = true;
        }
    }
    return false;
}

/* One row from `offset` on; stores its cells behind those already there and returns where it ends. */
static pdb_status read_row(struct picture *picture, bool separated, size_t *offset, unsigned *columns, pdb_error *error)
{
    const char *text = picture->text;
    size_t at = *offset;
    *columns = 0;
    while (!ends_row(text[at])) {
        if (is_space(text[at])) {
            at++;
            continue;
        }
        size_t length = utf8_length(text + at);
        while (separated && !ends_row(text[at + length]) && !is_space(text[at + length]))
            length++;
        unsigned cell = (unsigned)picture->rows * picture->columns + *columns;
        if (*columns == BOARD_MAX_SIDE || picture->rows == BOARD_MAX_SIDE || cell >= BOARD_MAX_CELLS)
            return node_error_at(error, picture->node, at,
                                 "the board is too large: at most %d rows, %d columns and %d cells", BOARD_MAX_SIDE,
                                 BOARD_MAX_SIDE, BOARD_MAX_CELLS);
        if (at + length > UINT16_MAX)
            return node_error_at(error, picture->node, at, "the picture is too long");
        picture->cell[cell].offset = (uint16_t)at;
        picture->cell[cell].length = (uint16_t)length;
        ++*columns;
        at += length;
    }
    *offset = at;
    return PDB_OK;
}

pdb_status picture_read(const struct node *node, struct picture *picture, pdb_error *error)
{
    memset(picture, 0, sizeof *picture);
    picture->node = node;
    pdb_status status = picture_text(node, &picture->text, error);
    if (status != PDB_OK)
        return status;
    const bool separated = has_separators(picture->text);
    for (size_t at = 0;; at++) {
        unsigned columns;
        size_t row = at;
        status = read_row(picture, separated, &at, &columns, error);
        if (status != PDB_OK)
            return status;
        if (columns > 0 && picture->rows > 0 && columns != picture->columns)
            return node_error_at(error, node, row + strspn(picture->text + row, " ,\t\r"),
                                 "this row has %u cells, the first one %u: every row must have the same number",
                                 columns, picture->columns);
        if (columns > 0) {
            picture->columns = (uint16_t)columns;
            picture->rows++;
        }
        if (picture->text[at] == '\0')
            break;
    }
    if (picture->rows == 0)
        return node_error(error, node, "the picture is empty");
    return PDB_OK;
}

bool picture_cell_is(const struct picture *picture, unsigned cell, char c)
{
    return picture->cell[cell].length == 1 && picture->text[picture->cell[cell].offset] == c;
}

bool picture_cell_empty(const struct picture *picture, unsigned cell)
{
    return picture_cell_is(picture, cell, '.') || picture_cell_is(picture, cell, '_') ||
           picture_cell_is(picture, cell, '0');
}

pdb_status picture_error(pdb_error *error, const struct picture *picture, unsigned cell, const char *format, ...)
{
    char message[sizeof error->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return node_error_at(error, picture->node, picture->cell[cell].offset, "%s", message);
}
