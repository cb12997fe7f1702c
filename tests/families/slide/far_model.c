/* far_model.c -- oracle_far's puzzles, as the library gets them */
#include "far_model.h"

#include "lib/families/families.h"
#include "lib/families/slide/slide.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const struct far_spec far_klotski = {.board = "A B B C/A B B C/D E E F/D G H F/I . . J",
                                     .goal = "* * * */* * * */* * * */* B B */* B B *",
                                     .large = "ABCDEF",
                                     .alike = {"ACDF", "GHIJ"}};

enum { YAML_MAX = 3000 };

static void add(char *yaml, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(char *yaml, const char *format, ...)
{
    const size_t length = strlen(yaml);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(yaml + length, YAML_MAX - length, format, arguments);
    va_end(arguments);
}

/* The picture of one piece: its letter's cells in the smallest rectangle around them. */
static void add_picture(char *yaml, const char *board, char letter)
{
    int rows = 0, columns = 0, top = 99, bottom = -1, left = 99, right = -1;
    char cell[FAR_CELLS];
    int cells = 0;
    for (const char *c = board; *c != '\0'; c++) {
        rows += *c == '/';
        if (*c != '/' && *c != ' ')
            cell[cells++] = *c;
    }
    columns = cells / (rows + 1);
    for (int i = 0; i < cells; i++)
        if (cell[i] == letter) {
            top = i / columns < top ? i / columns : top;
            bottom = i / columns;
            left = i % columns < left ? i % columns : left;
            right = i % columns > right ? i % columns : right;
        }
    add(yaml, "  - \"");
    for (int row = top; row <= bottom; row++)
        for (int column = left; column <= right; column++)
            add(yaml, "%s%c",
                column > left ? " "
                : row > top   ? "/"
                              : "",
                cell[row * columns + column] == letter ? letter : '.');
    add(yaml, "\"\n");
}

static void write_yaml(const struct far_spec *spec, const char *const *starts, char yaml[YAML_MAX])
{
    *yaml = '\0';
    add(yaml, "puzzle: t\nfamily: slide\nmetric: %s\nboard: \"%s\"\ngoal: \"%s\"\n", spec->slide ? "slide" : "step",
        spec->board, spec->goal);
    if (spec->length)
        add(yaml, "axis: length\n");
    else if (spec->axis[0] != NULL)
        add(yaml, "axis:\n");
    for (int i = 0; i < FAR_LISTS && spec->axis[i] != NULL; i++)
        add(yaml, "  %c: %s\n", spec->axis[i][0],
            spec->axis[i][2] == 'h'   ? "horizontal"
            : spec->axis[i][2] == 'v' ? "vertical"
                                      : "length");
    if (spec->large != NULL && *spec->large != '\0')
        add(yaml, "pieces:\n");
    for (const char *letter = spec->large; letter != NULL && *letter != '\0'; letter++)
        add_picture(yaml, spec->board, *letter);
    if (spec->alike[0] != NULL)
        add(yaml, "alike:\n");
    for (int i = 0; i < FAR_LISTS && spec->alike[i] != NULL; i++) {
        add(yaml, "  - \"");
        for (const char *letter = spec->alike[i]; *letter != '\0'; letter++)
            add(yaml, "%s%c", letter > spec->alike[i] ? " " : "", *letter);
        add(yaml, "\"\n");
    }
    if (starts != NULL)
        add(yaml, "boards:\n");
    for (int i = 0; starts != NULL && starts[i] != NULL; i++)
        add(yaml, "  %c%s: \"%s\"\n", i == 0 ? 's' : (char)('a' + i), i == 0 ? "tart" : "", starts[i]);
}

struct puzzle *far_puzzle(const struct far_spec *spec, const char *const *starts)
{
    char yaml[YAML_MAX];
    write_yaml(spec, starts, yaml);
    return make_puzzle(yaml);
}

struct puzzle *far_keyed_puzzle(const struct far_spec *spec, const char *const *starts, bool packed)
{
    struct puzzle *puzzle = far_puzzle(spec, starts);
    struct slide *slide = (struct slide *)puzzle;
    pdb_error error;
    free(slide->packed);
    slide->packed = NULL;
    puzzle_use(puzzle, &slide_family); /* and the keys themselves are searched again */
    cr_assert(slide_keys_make(slide, &error) == PDB_OK, "%s", error.message);
    if (packed)
        cr_assert(slide_settle(puzzle, &error) == PDB_OK, "%s", error.message);
    return puzzle;
}
