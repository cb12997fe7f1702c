/* picture.c -- a board drawn in a definition */
#include "picture.h"
#include "lib/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What stands between the cells of a row. */
static const char gaps[] = " ,\t\r";

/* One row from `offset` on; stores its cells behind those already there and returns where it ends. */
static pdb_status read_row(struct picture *picture, bool separated, size_t *offset, unsigned *columns, pdb_error *error)
{
    const char *text = picture->text;
    size_t at = *offset + strspn(text + *offset, gaps);
    *columns = 0;
    while (strchr("/\n", text[at]) == NULL) { /* nor at the end */
        const size_t length = separated ? strcspn(text + at, " ,\t\r/\n") : utf8_length(text + at);
        unsigned cell = (unsigned)picture->rows * picture->columns + *columns;
        if (*columns == BOARD_MAX_SIDE)
            return node_error_at(error, picture->node, at, "a row has at most %d cells: break it into rows",
                                 BOARD_MAX_SIDE);
        if (picture->rows == BOARD_MAX_SIDE)
            return node_error_at(error, picture->node, at, "a board has at most %d rows", BOARD_MAX_SIDE);
        if (cell >= BOARD_MAX_CELLS)
            return node_error_at(error, picture->node, at, "a board has at most %d cells", BOARD_MAX_CELLS);
        if (at + length > UINT16_MAX)
            return node_error_at(error, picture->node, at, "the picture is too long");
        picture->cell[cell].offset = (uint16_t)at;
        picture->cell[cell].length = (uint16_t)length;
        ++*columns;
        at += length;
        at += strspn(text + at, gaps);
    }
    *offset = at;
    return PDB_OK;
}

static pdb_status read_rows(struct picture *picture, pdb_error *error)
{
    const bool separated = picture_is_separated(picture->text);
    for (size_t at = 0;; at++) {
        unsigned columns;
        size_t row = at;
        pdb_status status = read_row(picture, separated, &at, &columns, error);
        if (status != PDB_OK)
            return status;
        if (columns > 0 && picture->rows > 0 && columns != picture->columns)
            return node_error_at(error, picture->node, row + strspn(picture->text + row, gaps),
                                 "this row has %u cell%s, the first one %u: every row must have the same number%s",
                                 columns, plural(columns), picture->columns,
                                 strchr(picture->text, '#') == NULL ? "" : " (a # is a wall, with what is behind it)");
        if (columns > 0) {
            picture->columns = (uint16_t)columns;
            picture->rows++;
        }
        if (picture->text[at] == '\0')
            break;
    }
    return picture->rows > 0 ? PDB_OK : node_error(error, picture->node, "the picture is empty");
}

pdb_status picture_read(const struct node *node, struct picture *picture, pdb_error *error)
{
    memset(picture, 0, sizeof *picture);
    picture->node = node;
    pdb_status status = node_as_text(node, &picture->text, error);
    if (status != PDB_OK)
        return status;
    /* What YAML has taken away is said first: it may be the cause of what is wrong with the rest. */
    pdb_error wrong = {.message = ""};
    const pdb_status rest = read_rows(picture, &wrong);
    status = picture_check_comments(node, picture->text, picture_rows(picture->rows, rest == PDB_OK), error);
    if (status == PDB_OK)
        status = picture_check_rows(node, picture->text, error);
    if (status == PDB_OK)
        status = picture_check_walls(node, picture->text, error);
    if (status == PDB_OK && rest != PDB_OK)
        status = error_set(error, rest, "%s", wrong.message);
    return status;
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
