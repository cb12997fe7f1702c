/* picture_source.c -- what YAML has made of a picture, held against what its writer sees
 *
 * In a text without quotes YAML takes a `#` behind a space for the beginning of a comment, and without a `|` it joins
 * the text's lines into one. So walls are lost with what stands behind them, and rows become one, and what is left may
 * well be a picture: of another puzzle. Hence this looks at the source: for comments beside the text that look like
 * cells, and for rows, of which there must not be more than in the text.
 *
 * Prose must not look like cells, so a comment behind the picture has to be a row's end, and one above or below it a
 * whole row.
 */
#include "tree.h"
#include "picture.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

/* What in a line of the source is no cell: what stands between cells, quotation marks, a break that is none. */
static const char blanks[] = " ,\t'\"\\";

/* What stands between the cells of a row. */
static const char gaps[] = " ,\t";

/* A line that is so long may have been broken for its length: that is no row's end. Programs do it where the next word
 * would pass WIDTH. */
enum { FULL_LINE = 60, WIDTH = 80 };

/* -- comments -- */

/* What the cells of a picture look like. */
struct cells {
    size_t longest; /* characters of a word */
    size_t columns; /* of the longest row: words; where every row is one word, characters */
    bool separated; /* a row has several words */
    bool numbers;   /* there are words of up to three digits */
    const char *text;
};

static bool is_number(const char *word, size_t bytes)
{
    return bytes <= 3 && strspn(word, "0123456789") >= bytes;
}

static struct cells cells_of(const char *text)
{
    struct cells cells = {.text = text};
    size_t words = 0;
    for (const char *word = text; *word != '\0';) {
        const size_t gap = strspn(word, gaps), bytes = strcspn(word + gap, " ,/\t\r\n");
        const size_t characters = count_characters(word + gap, bytes);
        words += bytes > 0;
        cells.numbers |= bytes > 0 && is_number(word + gap, bytes);
        cells.separated |= words > 1;
        cells.longest = characters > cells.longest ? characters : cells.longest;
        cells.columns = words > cells.columns ? words : cells.columns;
        word += gap + bytes;
        if (*word != '\0' && strchr("/\r\n", *word) != NULL) {
            words = 0;
            word++;
        }
    }
    cells.columns = cells.separated ? cells.columns : cells.longest;
    return cells;
}

bool picture_is_separated(const char *text)
{
    return cells_of(text).separated;
}

/* The words of a comment as far as one of `ends`, its `#` alone or at the beginning of the first. */
struct words {
    size_t count;   /* without slashes */
    size_t longest; /* characters, of those that are no numbers, or are where the picture has none */
    bool slash;     /* one of them is a slash: a row ends there */
};

static struct words words_of(const char *comment, const char *ends, bool numbers)
{
    struct words words = {0};
    const char *word = comment + strspn(comment, gaps), *end = comment + strcspn(comment, ends);
    for (size_t bytes; word < end; word += bytes + strspn(word + bytes, gaps)) {
        bytes = 0;
        while (word + bytes < end && strchr(gaps, word[bytes]) == NULL)
            bytes++;
        const bool slash = bytes == 1 && *word == '/';
        const size_t characters = numbers && is_number(word, bytes) ? 1 : count_characters(word, bytes);
        words.slash |= slash;
        words.count += !slash;
        words.longest = characters > words.longest ? characters : words.longest;
    }
    return words;
}

/* Could the comment be the end of a row, and what comes behind that? A single long word is rather a row, which has no
 * blank to be cut at, than a cell. */
static bool is_rows_end(const char *comment, const struct cells *cells)
{
    const struct words words = words_of(comment, "\r\n", cells->numbers);
    const bool row = !cells->separated && cells->longest > (words.slash ? 3 : 2);
    const size_t most = cells->longest > 2 && !words.slash ? 2 : cells->longest;
    return !row && words.longest <= most;
}

/* Are all its characters drawn in the picture too, or could be? */
static bool is_drawn_like(const char *comment, const char *text)
{
    bool drawn[UCHAR_MAX + 1] = {false};
    for (const char *known = " ,\t/#.01"; *known != '\0'; known++)
        drawn[(unsigned char)*known] = true;
    for (; *text != '\0'; text++)
        drawn[(unsigned char)*text] = true;
    drawn['\n'] = false; /* an empty line between rows */
    while (drawn[(unsigned char)*comment])
        comment++;
    return strchr("\r\n", *comment) != NULL;
}

static bool fits_row(const struct words *words, const struct cells *cells, bool even)
{
    const size_t columns = cells->separated ? words->count : words->longest;
    return (cells->separated || words->count == 1) && words->longest <= cells->longest &&
           (even ? columns == cells->columns : columns <= cells->columns);
}

/* Could it be a whole row, or several with slashes? Uneven rows may be shorter than the longest, so that "and/or" would
 * be two. */
static bool are_rows(const char *comment, const struct cells *cells, bool even)
{
    if (!even && comment[strcspn(comment, "/\r\n")] == '/' && !is_drawn_like(comment, cells->text))
        return false;
    for (const char *row = comment;; row++) {
        const struct words words = words_of(row, "/\r\n", cells->numbers);
        if (words.count > 0 && !fits_row(&words, cells, even))
            return false;
        row += strcspn(row, "/\r\n");
        if (*row != '/')
            return true;
    }
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

/* The comment that cuts the picture off, behind it in its line, or leaves nothing of it. Where several rows are even,
 * and the last one is there, none has lost its end. */
static const char *find_behind(const struct node *node, const char *text, const struct cells *cells,
                               enum picture_rows rows)
{
    const char *end = node->definition->source + node->end;
    const char *comment = end + strspn(end, " \t");
    const size_t length = strlen(text);
    const bool begins_row = length == 0 || text[length - 1] == '/';
    if (*comment != '#' || (rows == PICTURE_EVEN && !begins_row))
        return NULL;
    const bool attached = length == 0 || strchr(" \t\r\n", comment[1]) == NULL;
    const bool row = begins_row && (attached || are_rows(comment, cells, rows != PICTURE_UNEVEN));
    return row || is_rows_end(comment, cells) ? comment : NULL;
}

/* A row that begins with a wall, between the picture and its key or behind that. */
static const char *find_before(const struct node *node, const struct cells *cells, bool even)
{
    const char *source = node->definition->source, *begin = source + node->begin;
    if (!is_value(node))
        return NULL;
    for (const char *line = source + node[-1].end; line < begin; line = next_line(line)) {
        const char *comment = line + strcspn(line, "#\r\n");
        if (comment < begin && *comment == '#' && are_rows(comment, cells, even))
            return comment;
    }
    return NULL;
}

/* The same in the lines below, where they belong to the picture by their indentation and nothing stands in between. */
static const char *find_below(const struct node *node, const struct cells *cells, bool even)
{
    const size_t margin = is_value(node) ? node[-1].column + 1 : node->column;
    const char *line = node->definition->source + node->end;
    line += strspn(line, " \t");
    if (strchr("#\r\n", *line) == NULL)
        return NULL;
    for (line = next_line(line); *line != '\0'; line = next_line(line)) {
        const size_t column = strspn(line, " \t");
        if (line[column] != '#' && line[column] != '\r' && line[column] != '\n')
            return NULL;
        if (line[column] == '#' && column >= margin && are_rows(line + column, cells, even))
            return line + column;
    }
    return NULL;
}

pdb_status picture_check_comments(const struct node *node, const char *text, enum picture_rows rows, pdb_error *error)
{
    if (!is_plain(node))
        return PDB_OK;
    const struct cells cells = cells_of(text);
    const char *comment = find_before(node, &cells, rows != PICTURE_UNEVEN);
    if (comment == NULL)
        comment = find_behind(node, text, &cells, rows);
    if (comment == NULL)
        comment = find_below(node, &cells, rows != PICTURE_UNEVEN);
    if (comment == NULL)
        return PDB_OK;
    return node_error_source(
        error, node, comment,
        "a '#' behind a space begins a comment, and this one looks like a part of the picture: put "
        "the picture in quotes, or its lines below a '|'");
}

/* -- comments that are none -- */

static bool begins_with_wall(const char *line)
{
    line += strspn(line, gaps);
    return line[0] == '#' && line[1] == ' ';
}

/* Are there words of letters alone behind the wall, several, each longer than `longest`? */
static bool is_prose(const char *line, size_t longest)
{
    size_t words = 0;
    line += strspn(line, gaps) + 1;
    for (line += strspn(line, gaps); *line != '\n' && *line != '\0'; line += strspn(line, gaps)) {
        size_t letters = 0;
        while (isalpha((unsigned char)line[letters]))
            letters++;
        line += letters;
        if (letters <= longest || strchr(" ,\t\n", *line) == NULL)
            return false;
        words++;
    }
    return words > 1;
}

pdb_status picture_check_walls(const struct node *node, const char *text, pdb_error *error)
{
    size_t longest = 0;
    if (node->layout != LAYOUT_LITERAL)
        return PDB_OK;
    for (const char *line = text; *line != '\0'; line = next_line(line)) {
        const size_t cells = begins_with_wall(line) ? 0 : words_of(line, "\r\n", false).longest;
        longest = cells > longest ? cells : longest;
    }
    for (const char *line = text; longest > 0 && *line != '\0'; line = next_line(line))
        if (begins_with_wall(line) && is_prose(line, longest))
            return node_error_at(error, node, (size_t)(line - text),
                                 "below a '|' a # is a wall, and this looks like a comment: write it above the key");
    return PDB_OK;
}

/* -- joined lines -- */

/* Rows with cells, each ended by a slash or its line. */
static unsigned count_rows(const char *text, const char *end)
{
    unsigned rows = 0;
    for (size_t bytes; text < end; text += bytes + 1) {
        bytes = strcspn(text, "/\r\n");
        const size_t gap = strspn(text, blanks);
        rows += gap < bytes && text + gap < end;
    }
    return rows;
}

/* Have all lines as many words? */
static bool are_alike(const char *line, const char *end)
{
    const size_t words = words_of(line, "\r\n", false).count;
    bool alike = true;
    for (; line < end; line = next_line(line)) {
        const size_t others = words_of(line, "\r\n", false).count;
        alike = alike && (others == words || others == 0);
    }
    return alike;
}

/* May a row that stands on several lines have been broken for their length? Its lines have rarely as many words. */
static bool is_broken(size_t column, const char *first, const char *end)
{
    const size_t length = strcspn(first, "\r\n");
    const char *next = next_line(first);
    next += strspn(next, gaps);
    column += count_characters(first, length);
    const size_t word = strcspn(next, " ,\t\r\n");
    return column >= FULL_LINE && (column + 1 + count_characters(next, word) > WIDTH || !are_alike(first, end));
}

pdb_status picture_check_rows(const struct node *node, const char *text, pdb_error *error)
{
    const char *source = node->definition->source, *first = source + node->begin, *end = source + node->end;
    size_t column = node->column;
    if (node->layout != LAYOUT_FOLDED)
        return PDB_OK;
    if (*first == '>') {
        first = next_line(first);
        column = 0;
    }
    const unsigned rows = count_rows(text, text + strlen(text));
    if (rows >= count_rows(first, end) || is_broken(column, first, end))
        return PDB_OK;
    return node_error(error, node,
                      "YAML joins lines of this picture into one row: put them below a '|', without quotes; or if they "
                      "are one row, on one line");
}
