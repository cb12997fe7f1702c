/* read.c -- the key `layouts`: what is left open, and where it may be put
 *
 *     layouts:
 *       - {put: A A, row: 3}             a piece, drawn as under `pieces`, in that row
 *       - {put: [B B, B/B], times: 2}    two pieces, each in either form, anywhere
 *       - {put: "#", on: ../.*}          a wall on one of the cells that are marked with `*`
 */
#include "layouts.h"
#include "lib/error.h"

#include <stdlib.h>
#include <string.h>

bool layouts_is_free(const struct picture *picture, unsigned cell)
{
    return picture->cell[cell].length == 0 || picture_cell_empty(picture, cell) || picture_cell_is(picture, cell, '*');
}

static pdb_status read_form(const struct node *node, struct form *form, pdb_error *error)
{
    struct picture picture;
    pdb_status status = picture_read(node, &picture, error);
    unsigned first = 0;
    for (unsigned cell = 0; status == PDB_OK && cell < (unsigned)picture.rows * picture.columns; cell++) {
        const size_t length = picture.cell[cell].length;
        if (picture_cell_empty(&picture, cell))
            continue;
        if (form->cells == LAYOUT_CELLS || length >= SYMBOL_CODE_MAX)
            return picture_error(error, &picture, cell, "a piece has at most %d cells, with symbols of up to %d bytes",
                                 LAYOUT_CELLS, SYMBOL_CODE_MAX - 1);
        if (form->cells == 0)
            first = cell;
        form->row[form->cells] = (int)(cell / picture.columns) - (int)(first / picture.columns);
        form->column[form->cells] = (int)(cell % picture.columns) - (int)(first % picture.columns);
        memcpy(form->code[form->cells], picture.text + picture.cell[cell].offset, length);
        form->code[form->cells++][length] = '\0';
    }
    if (status == PDB_OK && form->cells == 0)
        return node_error(error, node, "there is no piece in this picture");
    return status;
}

/* A picture, or a list of them: the forms that a piece may have. */
static pdb_status read_forms(const struct node *node, struct entry *entry, pdb_error *error)
{
    const bool list = node_kind(node) == NODE_SEQUENCE;
    const size_t count = list ? node_count(node) : 1;
    pdb_status status = PDB_OK;
    if (count == 0 || count > LAYOUT_FORMS)
        return node_error(error, node, "1 to %d pictures, each a form that the piece may have", LAYOUT_FORMS);
    for (entry->forms = 0; status == PDB_OK && entry->forms < count; entry->forms++)
        status = read_form(list ? node_item(node, entry->forms) : node, &entry->form[entry->forms], error);
    const char *code = entry->form[0].code[0];
    entry->wall = strcmp(code, "#") == 0;
    entry->letter = strlen(code) == 1 && !entry->wall;
    for (unsigned f = 0; status == PDB_OK && f < count; f++)
        for (unsigned cell = 0; cell < entry->form[f].cells; cell++) {
            if ((strcmp(entry->form[f].code[cell], "#") == 0) != entry->wall)
                return node_error(error, node, "walls (#) and pieces are put by entries of their own");
            entry->letter &= entry->form[f].cells > 1 && strcmp(entry->form[f].code[cell], code) == 0;
        }
    return status;
}

/* Where it may be put: on the cells that a picture marks with `*`, in a row or a column; anywhere else. */
static pdb_status read_cells(const struct node *node, const struct layouts *layouts, struct entry *entry,
                             pdb_error *error)
{
    const unsigned rows = layouts->board.rows, columns = layouts->board.columns;
    const struct node *on = node_find(node, "on"), *row = node_find(node, "row"), *column = node_find(node, "column");
    struct picture picture;
    int64_t only_row = 0, only_column = 0;
    pdb_status status = on == NULL ? PDB_OK : picture_read(on, &picture, error);
    if (status == PDB_OK && on != NULL && (picture.rows != rows || picture.columns != columns))
        return node_error(error, on, "the picture is as large as the board: %ux%u", rows, columns);
    if (status == PDB_OK && row != NULL)
        status = node_as_integer(row, 1, rows, &only_row, error);
    if (status == PDB_OK && column != NULL)
        status = node_as_integer(column, 1, columns, &only_column, error);
    for (unsigned cell = 0; status == PDB_OK && cell < rows * columns; cell++)
        entry->on[cell] = layouts_is_free(&layouts->board, cell) &&
                          (on == NULL || picture_cell_is(&picture, cell, '*')) &&
                          (only_row == 0 || cell / columns == only_row - 1) &&
                          (only_column == 0 || cell % columns == only_column - 1);
    return status;
}

static pdb_status read_entry(const struct node *node, struct layouts *layouts, pdb_error *error)
{
    static const char *const keys[] = {"put", "times", "on", "row", "column", NULL};
    struct entry *entry = &layouts->entry[layouts->entries++];
    const struct node *put, *times = node_find(node, "times");
    int64_t number = 1;
    pdb_status status = PDB_OK;
    if (node_kind(node) != NODE_MAPPING)
        return node_error(error, node, "an entry says what is put where, as in {put: A A, row: 3}");
    status = node_check_keys(node, keys, error);
    if (status == PDB_OK)
        status = node_require(node, "put", &put, error);
    if (status == PDB_OK)
        status = read_forms(put, entry, error);
    if (status == PDB_OK && times != NULL)
        status = node_as_integer(times, 1, LAYOUT_PIECES, &number, error);
    if (status == PDB_OK && layouts->pieces + number > LAYOUT_PIECES)
        return node_error(error, node, "at most %d pieces and walls are put", LAYOUT_PIECES);
    if (status == PDB_OK)
        status = read_cells(node, layouts, entry, error);
    entry->times = (unsigned)number;
    layouts->pieces += entry->times;
    return status;
}

/* -- letters -- */

static void take_letters(const struct picture *picture, bool *taken)
{
    for (unsigned cell = 0; cell < (unsigned)picture->rows * picture->columns; cell++)
        if (picture->cell[cell].length == 1)
            taken[(unsigned char)picture->text[picture->cell[cell].offset]] = true;
}

/* A piece is told by its letter, so no other entry's piece may have it. */
static pdb_status check_letter(const struct layouts *layouts, unsigned e, const struct node *node, pdb_error *error)
{
    const char *own = layouts->entry[e].form[0].code[0];
    for (unsigned other = 0; other < layouts->entries; other++)
        for (unsigned f = 0; other != e && f < layouts->entry[other].forms; f++)
            for (unsigned cell = 0; cell < layouts->entry[other].form[f].cells; cell++)
                if (strcmp(layouts->entry[other].form[f].code[cell], own) == 0)
                    return node_error(error, node,
                                      "'%s' belongs to another entry's piece, too: draw this one with a letter of its "
                                      "own, or both as forms of one entry",
                                      own);
    return PDB_OK;
}

/* The first piece of an entry keeps its letter, the others get the next ones that nobody has. */
static pdb_status give_letters(struct layouts *layouts, const struct node *node, pdb_error *error)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    bool taken[256] = {false};
    take_letters(&layouts->board, taken);
    if (layouts->has_goal)
        take_letters(&layouts->goal, taken);
    for (unsigned e = 0; e < layouts->entries; e++)
        for (unsigned f = 0; f < layouts->entry[e].forms; f++)
            for (unsigned cell = 0; cell < layouts->entry[e].form[f].cells; cell++)
                taken[(unsigned char)layouts->entry[e].form[f].code[cell][0]] = true;
    pdb_status status = PDB_OK;
    for (unsigned e = layouts->entries; status == PDB_OK && e-- > 0;)
        status = layouts->entry[e].letter ? check_letter(layouts, e, node_item(node, e), error) : PDB_OK;
    for (unsigned e = 0; status == PDB_OK && e < layouts->entries; e++)
        for (unsigned t = 0; layouts->entry[e].letter && t < layouts->entry[e].times; t++) {
            const char *own = layouts->entry[e].form[0].code[0], *next = letters;
            while (t > 0 && taken[(unsigned char)*next] && *next != '\0')
                next++;
            if (*next == '\0')
                return node_error(error, node, "there are not enough letters for so many pieces");
            layouts->entry[e].name[t][0] = *(t == 0 ? own : next);
            taken[(unsigned char)layouts->entry[e].name[t][0]] = true;
        }
    return status;
}

/* -- the whole definition -- */

/* A picture with symbols that a layout's own can show. */
static pdb_status read_picture(const struct node *node, struct picture *picture, pdb_error *error)
{
    pdb_status status = picture_read(node, picture, error);
    for (unsigned cell = 0; status == PDB_OK && cell < (unsigned)picture->rows * picture->columns; cell++)
        if (picture->cell[cell].length >= SYMBOL_CODE_MAX)
            return picture_error(error, picture, cell, "a symbol has at most %d bytes", SYMBOL_CODE_MAX - 1);
    return status;
}

/* The board, or where there is none the goal, of which the walls count alone. */
static pdb_status read_pictures(const struct node *root, struct layouts *layouts, pdb_error *error)
{
    const struct node *board = node_find(root, "board"), *goal = node_find(root, "goal");
    pdb_status status = PDB_OK;
    layouts->marks = node_find(root, "state") != NULL;
    layouts->has_goal = goal != NULL && node_kind(goal) == NODE_SCALAR && !layouts->marks;
    layouts->shapes = board == NULL;
    if (board == NULL && !layouts->has_goal)
        return node_error(error, root, "where pieces are put, a picture has to show the board: under 'board'");
    if (layouts->has_goal)
        status = read_picture(goal, &layouts->goal, error);
    if (status == PDB_OK && board != NULL)
        status = read_picture(board, &layouts->board, error);
    if (status == PDB_OK && board == NULL) {
        layouts->board = layouts->goal;
        for (unsigned cell = 0; cell < (unsigned)layouts->board.rows * layouts->board.columns; cell++)
            if (!picture_cell_is(&layouts->board, cell, '#') && !picture_cell_empty(&layouts->board, cell))
                layouts->board.cell[cell].length = 0; /* an empty cell, whatever the goal wants there */
    }
    if (status == PDB_OK && layouts->has_goal &&
        (layouts->goal.rows != layouts->board.rows || layouts->goal.columns != layouts->board.columns))
        return node_error(error, goal, "goal and board differ in size");
    return status;
}

pdb_status layouts_read(const char *path, struct layouts *layouts, pdb_error *error)
{
    const struct node *list;
    char *title = NULL;
    *layouts = (struct layouts){0};
    pdb_status status = catalog_definition(path, &layouts->definition, error);
    if (status != PDB_OK)
        return status;
    const struct node *root = definition_root(layouts->definition);
    status = node_require(root, "layouts", &list, error);
    if (status == PDB_OK)
        status = heading_read(root, layouts->name, &title, error);
    free(title);
    if (status == PDB_OK)
        status = read_pictures(root, layouts, error);
    if (status == PDB_OK &&
        (node_kind(list) != NODE_SEQUENCE || node_count(list) == 0 || node_count(list) > LAYOUT_ENTRIES))
        status = node_error(error, list, "a list of 1 to %d entries, each {put: PIECE, times: NUMBER, on: CELLS}",
                            LAYOUT_ENTRIES);
    for (size_t i = 0; status == PDB_OK && i < node_count(list); i++)
        status = read_entry(node_item(list, i), layouts, error);
    return status == PDB_OK ? give_letters(layouts, list, error) : status;
}

void layouts_free(struct layouts *layouts)
{
    definition_free(layouts->definition);
    free(layouts->placement);
    free(layouts->at);
    free(layouts->layout);
    for (size_t i = 0; i < sizeof layouts->image / sizeof *layouts->image; i++)
        free(layouts->image[i]);
}

bool layouts_cells(const struct layouts *layouts, const struct placement *placement, uint16_t *cell)
{
    const struct entry *entry = &layouts->entry[placement->entry];
    const struct form *form = &entry->form[placement->form];
    const int rows = layouts->board.rows, columns = layouts->board.columns;
    for (unsigned i = 0; i < form->cells; i++) {
        const int row = placement->cell / columns + form->row[i], column = placement->cell % columns + form->column[i];
        if (row < 0 || row >= rows || column < 0 || column >= columns || !entry->on[row * columns + column])
            return false;
        cell[i] = (uint16_t)(row * columns + column);
        if (entry->wall && layouts->has_goal && !layouts_is_free(&layouts->goal, cell[i]))
            return false; /* the goal wants something there */
    }
    return true;
}
