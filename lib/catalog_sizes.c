/* catalog_sizes.c -- built-in puzzles of any size: the templates and their names */
#include "catalog_sizes.h"
#include "board.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Writes the definition, all but its first line with the puzzle's name. */
typedef void template_writer(FILE *out, unsigned rows, unsigned columns);

/* -- the templates -- */

/* A picture with the same character on every cell, as a block scalar's lines. */
static void write_cells(FILE *out, char cell, unsigned rows, unsigned columns, const char *indent)
{
    for (unsigned row = 0; row < rows; row++) {
        fputs(indent, out);
        for (unsigned column = 0; column < columns; column++)
            putc(cell, out);
        putc('\n', out);
    }
}

static void write_flip(FILE *out, const char *title, const char *around, unsigned rows, unsigned columns)
{
    fprintf(out, "title: %s\nfamily: flip\naround: %s\nglyphs: {0: ○, 1: ●}\nboard: |\n", title, around);
    write_cells(out, '.', rows, columns, "  ");
    fputs("boards:\n  start: |\n", out);
    write_cells(out, '1', rows, columns, "    ");
}

static void write_8_flip(FILE *out, unsigned rows, unsigned columns)
{
    write_flip(out, "a press turns over the neighbours of a cell, turn all off", "8", rows, columns);
}

static void write_lights_out(FILE *out, unsigned rows, unsigned columns)
{
    write_flip(out, "a press turns over a cell and those beside it, turn all off", "plus", rows, columns);
}

/* Numbered tiles in order, the empty cell last. */
static void write_tiles(FILE *out, unsigned rows, unsigned columns)
{
    fputs("title: order numbered sliding tiles\nfamily: slide\ngoal: |\n", out);
    for (unsigned row = 0; row < rows; row++) {
        fputs(" ", out);
        for (unsigned tile = row * columns + 1; tile <= (row + 1) * columns; tile++)
            fprintf(out, " %u", tile < rows * columns ? tile : 0);
        putc('\n', out);
    }
}

static const struct template
{
    const char *name;
    template_writer *write;
}
templates[] = {
    {"8-flip", write_8_flip},
    {"lights-out", write_lights_out},
    {"tiles", write_tiles},
};

/* -- names -- */

enum { MAX_SIZE_TEXT = 16 }; /* digits that anybody may mean as a number of rows */

/* The template whose name the word begins with, followed by "-" and a digit; *size is that digit. NULL where there is
 * none. */
static const struct template *find_template(const char *word, const char **size)
{
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++) {
        const size_t length = strlen(templates[i].name);
        *size = word + length + 1;
        if (strncmp(word, templates[i].name, length) == 0 && word[length] == '-' && isdigit((unsigned char)**size))
            return &templates[i];
    }
    return NULL;
}

/* A number of rows or columns at *text, which is moved behind it; what is past the limit is any number past it. False
 * where there is no number, or one with a leading zero. */
static bool read_side(const char **text, unsigned *side)
{
    const size_t digits = strspn(*text, "0123456789");
    if (digits == 0 || digits > MAX_SIZE_TEXT || (digits > 1 && **text == '0'))
        return false;
    *side = 0;
    for (size_t i = 0; i < digits && *side <= BOARD_MAX_SIDE; i++)
        *side = *side * 10 + (unsigned)((*text)[i] - '0');
    *text += digits;
    return true;
}

static pdb_status read_size(const char *word, const struct template *template, const char *size, unsigned *rows,
                            unsigned *columns, pdb_error *error)
{
    if (!read_side(&size, rows) || *size++ != 'x' || !read_side(&size, columns) || *size != '\0')
        return error_set(error, PDB_UNKNOWN_PUZZLE, "unknown puzzle '%s': a size is written ROWSxCOLUMNS, as in %s-3x4",
                         word, template->name);
    if (*rows == 0 || *columns == 0 || *rows > BOARD_MAX_SIDE || *columns > BOARD_MAX_SIDE)
        return error_set(error, PDB_UNKNOWN_PUZZLE, "%s: rows and columns are 1 to %d", word, BOARD_MAX_SIDE);
    if (*rows * *columns > BOARD_MAX_CELLS)
        return error_set(error, PDB_UNKNOWN_PUZZLE, "%s: a board has at most %d cells, and this one would have %u",
                         word, BOARD_MAX_CELLS, *rows * *columns);
    return PDB_OK;
}

pdb_status catalog_sized_text(const char *word, char **text, pdb_error *error)
{
    const char *size;
    const struct template *template = find_template(word, &size);
    unsigned rows = 0, columns = 0;
    size_t length;
    *text = NULL;
    if (template == NULL)
        return PDB_OK;
    pdb_status status = read_size(word, template, size, &rows, &columns, error);
    if (status != PDB_OK)
        return status;
    FILE *out = open_memstream(text, &length);
    if (out == NULL)
        return error_no_memory(error, "the definition", BUFSIZ);
    fprintf(out, "puzzle: %s\n", word);
    template->write(out, rows, columns);
    const bool complete = !ferror(out);
    if (fclose(out) == 0 && complete)
        return PDB_OK;
    free(*text);
    *text = NULL;
    return error_no_memory(error, "the definition", BUFSIZ);
}
