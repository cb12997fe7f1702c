/* picture_source.c -- what YAML has made of a picture, held against what its writer sees
 *
 * In a text without quotes YAML takes a `#` behind a space for the beginning of a comment, and without a `|` it joins the
 * text's lines into one. So walls are lost with what stands behind them, and rows become one, and what is left may well
 * be a picture: of another puzzle. Hence this looks at the source: for comments beside the text that look like cells,
 * and for lines with cells, of which there must not be more than rows.
 */
#include "definition_tree.h"
#include "picture.h"

#include <string.h>

/* What stands between cells, with the quotation marks that a line of the source may have. */
static const char blanks[] = " ,/\t'\"";

/* A line that is so long may have been broken for its length, by a program perhaps: that is no row's end. */
enum { FULL_LINE = 60 };

static const char *next_line(const char *line)
{
    line += strcspn(line, "\r\n");
    return line + (line[0] == '\r' && line[1] == '\n' ? 2 : *line != '\0');
}

/* -- comments -- */

/* The characters of the longest word. */
static size_t longest_word(const char *text)
{
    size_t longest = 0;
    for (size_t bytes; *text != '\0'; text += bytes + (text[bytes] != '\0')) {
        bytes = strcspn(text, " ,/\t\r\n");
        const size_t characters = count_characters(text, bytes);
        longest = characters > longest ? characters : longest;
    }
    return longest;
}

/* Could every word of the comment be a cell of a picture that has no longer ones? Numbers may be longer there, 10 behind
 * 9. */
static bool looks_like_cells(const char *comment, size_t longest)
{
    for (size_t bytes; *comment != '\0' && *comment != '\r' && *comment != '\n'; comment += bytes) {
        bytes = strcspn(comment, " ,\t\r\n");
        const bool number = bytes <= 3 && strspn(comment, "0123456789") >= bytes;
        if (!number && count_characters(comment, bytes) > longest)
            return false;
        bytes += strspn(comment + bytes, " ,\t");
    }
    return true;
}

static bool is_plain(const struct node *node)
{
    return node->quotes == 0 && node->layout != LAYOUT_LITERAL && node->definition->source[node->begin] != '>';
}

/* A value's key stands right before it. */
static bool is_value(const struct node *node)
{
    return node->owner == NOBODY && node > node->definition->nodes;
}

/* The comment that cuts the picture off, behind it in its line, or leaves nothing of it. Where rows are even, and the last
 * one is there, none has lost its end. */
static const char *find_behind(const struct node *node, const char *text, bool even, size_t longest)
{
    const char *end = node->definition->source + node->end;
    const char *comment = end + strspn(end, " \t");
    const size_t length = strlen(text);
    const bool begins_row = length > 0 && text[length - 1] == '/';
    if (*comment != '#' || (even && !begins_row))
        return NULL;
    const bool attached = begins_row && strchr(" \t\r\n", comment[1]) == NULL;
    return attached || longest == 0 || looks_like_cells(comment, longest) ? comment : NULL;
}

/* A row that begins with a wall, between the picture and its key or behind that. */
static const char *find_before(const struct node *node, size_t longest)
{
    const char *source = node->definition->source, *begin = source + node->begin;
    if (!is_value(node))
        return NULL;
    for (const char *line = source + node[-1].end; line < begin; line = next_line(line)) {
        const char *comment = line + strcspn(line, "#\r\n");
        if (comment < begin && *comment == '#' && looks_like_cells(comment, longest))
            return comment;
    }
    return NULL;
}

/* The same in the lines below, where they belong to the picture by their indentation. */
static const char *find_below(const struct node *node, size_t longest)
{
    const size_t margin = is_value(node) ? node[-1].column + 1 : node->column;
    const char *line = next_line(node->definition->source + node->end);
    for (; *line != '\0'; line = next_line(line)) {
        const size_t column = strspn(line, " \t");
        if (line[column] != '#' && line[column] != '\r' && line[column] != '\n')
            return NULL;
        if (line[column] == '#' && column >= margin && looks_like_cells(line + column, longest))
            return line + column;
    }
    return NULL;
}

pdb_status picture_check_comments(const struct node *node, const char *text, bool even, pdb_error *error)
{
    if (!is_plain(node))
        return PDB_OK;
    const size_t longest = longest_word(text);
    const char *comment = find_before(node, longest);
    if (comment == NULL)
        comment = find_behind(node, text, even, longest);
    if (comment == NULL)
        comment = find_below(node, longest);
    if (comment == NULL)
        return PDB_OK;
    return node_error_source(
        error, node, comment,
        "a '#' behind a space begins a comment, and this one looks like a part of the picture: put "
        "the picture in quotes, or its lines below a '|'");
}

/* -- joined lines -- */

static unsigned count_rows(const char *text)
{
    unsigned rows = 0;
    for (size_t bytes; *text != '\0'; text += bytes + (text[bytes] != '\0')) {
        bytes = strcspn(text, "/\r\n");
        rows += strspn(text, blanks) < bytes;
    }
    return rows;
}

/* The lines of the source with cells in them. */
static unsigned count_lines(const char *line, const char *end)
{
    unsigned lines = 0;
    for (; line < end; line = next_line(line)) {
        const char *cell = line + strspn(line, blanks);
        lines += cell < end && *cell != '\r' && *cell != '\n';
    }
    return lines;
}

pdb_status picture_check_rows(const struct node *node, const char *text, pdb_error *error)
{
    const char *source = node->definition->source, *first = source + node->begin;
    size_t column = node->column;
    if (node->layout != LAYOUT_FOLDED)
        return PDB_OK;
    if (*first == '>') {
        first = next_line(first);
        column = 0;
    }
    const bool full = column + count_characters(first, strcspn(first, "\r\n")) >= FULL_LINE;
    if (full || count_rows(text) >= count_lines(first, source + node->end))
        return PDB_OK;
    return node_error(error, node,
                      "YAML joins lines of this picture into one row: put them below a '|', without quotes; or if they "
                      "are one row, on one line");
}
