/* model.c -- a sliding puzzle written down once, for the library and for the oracle */
#include "model.h"

#include <stdio.h>
#include <string.h>

enum { NONE = -1, CODE_EMPTY = -2, CODE_WALL = -3, CODE_ANY = -4 };

/* -- reading the notation -- */

struct grid {
    int rows, columns;
    int code[ORACLE_CELLS];
};

static int find_code(const struct model *model, const char *text, size_t length)
{
    for (int c = 0; c < model->codes; c++)
        if (strlen(model->code[c]) == length && memcmp(model->code[c], text, length) == 0)
            return c;
    return NONE;
}

static int cell_code(struct model *model, const char *text, size_t length, bool adds)
{
    if (length == 1 && *text == '.')
        return CODE_EMPTY;
    if (length == 1 && *text == '#')
        return CODE_WALL;
    if (length == 1 && *text == '*')
        return CODE_ANY;
    int found = find_code(model, text, length);
    if (found == NONE && adds) {
        cr_assert(model->codes < MODEL_NAMES && length < MODEL_CODE);
        found = model->codes++;
        memcpy(model->code[found], text, length);
    }
    cr_assert(found != NONE, "%.*s is no symbol", (int)length, text);
    return found;
}

static struct grid read_grid(struct model *model, const char *text, bool adds)
{
    struct grid grid = {.rows = 1};
    int cells = 0;
    while (*text != '\0') {
        if (*text == ' ' || *text == '/') {
            grid.rows += *text++ == '/';
            continue;
        }
        size_t length = strcspn(text, " /");
        cr_assert(cells < ORACLE_CELLS);
        grid.code[cells++] = cell_code(model, text, length, adds);
        text += length;
    }
    grid.columns = cells / grid.rows;
    cr_assert(cells == grid.rows * grid.columns);
    return grid;
}

static void to_bytes(const struct model *model, const struct grid *grid, unsigned char *board)
{
    for (int i = 0; i < grid->rows * grid->columns; i++) {
        const int code = grid->code[i];
        board[i] = code == CODE_EMPTY  ? (unsigned char)ORACLE_EMPTY
                   : code == CODE_WALL ? (unsigned char)ORACLE_WALL
                   : code == CODE_ANY  ? (unsigned char)ORACLE_ANY
                                       : model->byte[code];
    }
}

void model_board(const struct model *model, const char *text, unsigned char *board)
{
    static struct model copy; /* reading may add codes, but this one does not */
    copy = *model;
    const struct grid grid = read_grid(&copy, text, false);
    cr_assert(grid.rows == model->oracle.rows && grid.columns == model->oracle.columns);
    to_bytes(model, &grid, board);
}

/* -- kinds and names -- */

/* The kind that has this shape and is the first name's of its 'alike' list, or a new one. */
static void add_name(struct model *model, const struct grid *picture, const struct grid *board)
{
    struct model_name *name = &model->name[model->names++];
    struct oracle_piece_kind kind = {0};
    int first = NONE, on_board = 0, in_piece = 0;
    for (int i = 0; i < picture->rows * picture->columns; i++) {
        if (picture->code[i] == CODE_EMPTY)
            continue;
        if (first == NONE)
            first = i;
        kind.row[kind.cells] = i / picture->columns - first / picture->columns;
        kind.column[kind.cells] = i % picture->columns - first % picture->columns;
        name->code[kind.cells] = picture->code[i];
        in_piece += picture->code[i] == picture->code[first];
        kind.cells++;
    }
    for (int i = 0; i < board->rows * board->columns; i++)
        on_board += board->code[i] == name->code[0];
    name->count = on_board / in_piece;
    for (int c = 0; c < kind.cells; c++)
        kind.symbol[c] = model->byte[name->code[c]] = (unsigned char)(name->code[c] + 1);
    name->kind = model->oracle.kinds;
    model->oracle.kind[model->oracle.kinds++] = kind;
}

static int name_of_first(const struct model *model, int code)
{
    int n = 0;
    while (n < model->names && model->name[n].code[0] != code)
        n++;
    cr_assert(n < model->names, "no piece begins with %s", model->code[code]);
    return n;
}

/* Gives the pieces of one entry of 'alike' the first one's kind. A kind without names stays behind; the oracle does not
 * mind. */
static void merge(struct model *model, const char *alike)
{
    int first = NONE;
    for (const char *word = alike; *word != '\0';) {
        const size_t length = strcspn(word, " ");
        const int n = name_of_first(model, find_code(model, word, length));
        if (first == NONE)
            first = n;
        struct model_name *name = &model->name[n];
        const struct oracle_piece_kind *kind = &model->oracle.kind[model->name[first].kind];
        name->kind = model->name[first].kind;
        for (int c = 0; c < kind->cells; c++)
            model->byte[name->code[c]] = kind->symbol[c];
        word += length;
        word += strspn(word, " ");
    }
}

static void make_oracle(struct model *model)
{
    const struct model_spec *spec = &model->spec;
    const struct grid board = read_grid(model, spec->board != NULL ? spec->board : spec->goal, true);
    const struct grid goal = read_grid(model, spec->goal, false);
    bool drawn[MODEL_NAMES] = {false};
    unsigned char bytes[ORACLE_CELLS] = {0};
    oracle_begin(&model->oracle, board.rows, board.columns, bytes);
    for (int i = 0; i < MODEL_PIECES && spec->pieces[i] != NULL; i++) {
        const struct grid picture = read_grid(model, spec->pieces[i], false);
        add_name(model, &picture, &board);
        for (int c = 0; c < picture.rows * picture.columns; c++)
            if (picture.code[c] >= 0)
                drawn[picture.code[c]] = true;
    }
    for (int c = 0; c < model->codes; c++)
        if (!drawn[c])
            add_name(model, &(struct grid){1, 1, {c}}, &board);
    for (int i = 0; i < MODEL_PIECES && spec->alike[i] != NULL; i++)
        merge(model, spec->alike[i]);
    to_bytes(model, &board, model->oracle.inventory);
    to_bytes(model, &goal, bytes);
    oracle_add_goal(&model->oracle, bytes);
    const char *problem = oracle_problem(&model->oracle);
    cr_assert(problem == NULL, "%s: %s", spec->goal, problem);
}

/* -- the library's side -- */

static void make_library(struct model *model)
{
    const struct model_spec *spec = &model->spec;
    char yaml[4000];
    int end = snprintf(yaml, sizeof yaml, "puzzle: test\nfamily: slide\ngoal: \"%s\"\n", spec->goal);
    if (spec->board != NULL)
        end += snprintf(yaml + end, sizeof yaml - (size_t)end, "board: \"%s\"\n", spec->board);
    for (int i = 0; i < MODEL_PIECES && spec->pieces[i] != NULL; i++)
        end += snprintf(yaml + end, sizeof yaml - (size_t)end, "%s  - \"%s\"\n", i == 0 ? "pieces:\n" : "",
                        spec->pieces[i]);
    for (int i = 0; i < MODEL_PIECES && spec->alike[i] != NULL; i++)
        end += snprintf(yaml + end, sizeof yaml - (size_t)end, "%s  - \"%s\"\n", i == 0 ? "alike:\n" : "",
                        spec->alike[i]);
    cr_assert(end < (int)sizeof yaml);
    model->puzzle = make_puzzle(yaml);
    const struct board *board = &model->puzzle->board;
    int empties = 0;
    for (int s = 0; s < board->symbols; s++) {
        model->code_of_symbol[s] = find_code(model, board->symbol[s].code, strlen(board->symbol[s].code));
        if (model->code_of_symbol[s] != NONE)
            model->symbol_of_code[model->code_of_symbol[s]] = (uint8_t)s;
        else
            empties++;
    }
    cr_assert(empties == 1 && board->symbols == model->codes + 1, "%d symbols of %d codes", board->symbols,
              model->codes);
}

void model_begin(struct model *model, const struct model_spec *spec)
{
    memset(model, 0, sizeof *model);
    model->spec = *spec;
    make_oracle(model);
    make_library(model);
}

void model_end(struct model *model)
{
    puzzle_free(model->puzzle);
}

/* -- boards -- */

int model_cells(const struct model *model)
{
    return model->oracle.rows * model->oracle.columns;
}

void model_to_oracle(const struct model *model, const uint8_t *position, unsigned char *board)
{
    for (int cell = 0; cell < model_cells(model); cell++) {
        if (model->oracle.inventory[cell] == ORACLE_WALL) {
            board[cell] = ORACLE_WALL;
            continue;
        }
        const int code = model->code_of_symbol[*position++];
        board[cell] = code == NONE ? (unsigned char)ORACLE_EMPTY : model->byte[code];
    }
}

static const struct oracle_piece_kind *kind_that_begins(const struct model *model, const unsigned char symbol,
                                                        int *number)
{
    for (int n = 0; n < model->names; n++) {
        const struct oracle_piece_kind *kind = &model->oracle.kind[model->name[n].kind];
        if (kind->symbol[0] == symbol) {
            *number = model->name[n].kind;
            return kind;
        }
    }
    return NULL;
}

void model_to_position(const struct model *model, const unsigned char *board, uint64_t *random, uint8_t *position)
{
    const int columns = model->oracle.columns;
    int code[ORACLE_CELLS], given[MODEL_NAMES] = {0};
    for (int cell = 0; cell < model_cells(model); cell++)
        code[cell] = NONE;
    for (int cell = 0; cell < model_cells(model); cell++) {
        if (board[cell] == ORACLE_EMPTY || board[cell] == ORACLE_WALL || code[cell] != NONE)
            continue;
        int number = 0;
        const struct oracle_piece_kind *kind = kind_that_begins(model, board[cell], &number);
        cr_assert(kind != NULL);
        int n = (int)random_below(random, (uint64_t)model->names);
        while (model->name[n].kind != number || given[n] == model->name[n].count)
            n = (n + 1) % model->names;
        given[n]++;
        for (int c = 0; c < kind->cells; c++)
            code[cell + kind->row[c] * columns + kind->column[c]] = model->name[n].code[c];
    }
    for (int cell = 0; cell < model_cells(model); cell++)
        if (board[cell] != ORACLE_WALL)
            *position++ = code[cell] == NONE ? model->puzzle->board.empty : model->symbol_of_code[code[cell]];
}

bool model_named_in_order(const struct model *model, const uint8_t *position)
{
    int last[MODEL_NAMES];
    bool covered[ORACLE_CELLS] = {false};
    for (int k = 0; k < MODEL_NAMES; k++)
        last[k] = NONE;
    for (int cell = 0; cell < model_cells(model); cell++) {
        if (model->oracle.inventory[cell] == ORACLE_WALL)
            continue;
        const int code = model->code_of_symbol[*position++];
        if (code == NONE || covered[cell])
            continue;
        int n = 0;
        while (n < model->names && model->name[n].code[0] != code)
            n++;
        if (n == model->names)
            return false; /* begins with an inner cell */
        const struct model_name *name = &model->name[n];
        const struct oracle_piece_kind *kind = &model->oracle.kind[name->kind];
        for (int c = 0; c < kind->cells; c++)
            covered[cell + kind->row[c] * model->oracle.columns + kind->column[c]] = true;
        if (n < last[name->kind])
            return false;
        last[name->kind] = n;
    }
    return true;
}
