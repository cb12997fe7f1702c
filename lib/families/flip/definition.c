/* definition.c -- reads the definition of a puzzle of buttons: its board, values and goal (its buttons:
 * buttons.c) */
#include "lib/families/shared/board_definition.h"
#include "flip.h"

#include <stdio.h>

/* 'values' is how many values a cell has; they are the symbols 0, 1, .. and 0 is "off", which may be written as an
 * empty cell. */
static pdb_status read_values(const struct node *root, struct flip *flip, pdb_error *error)
{
    struct board *board = &flip->puzzle.board;
    const struct node *node = node_find(root, "values");
    int64_t values = 2;
    pdb_status status = node == NULL ? PDB_OK : node_as_integer(node, 2, FLIP_MAX_VALUES, &values, error);
    flip->values = (unsigned)values;
    for (unsigned value = 0; status == PDB_OK && value < flip->values; value++) {
        char code[4];
        uint8_t symbol;
        const int length = snprintf(code, sizeof code, "%u", value);
        status = board_add_symbol(board, code, (size_t)length, &symbol, error);
    }
    board->empty = 0;
    return status;
}

/* 'board' is drawn with walls and cells, which may have values: then it is the board to start from. */
static pdb_status check_board(const struct picture *picture, const struct flip *flip, pdb_error *error)
{
    for (unsigned cell = 0; cell < (unsigned)picture->rows * picture->columns; cell++) {
        const char *text = picture->text + picture->cell[cell].offset;
        const size_t length = picture->cell[cell].length;
        if (!picture_cell_is(picture, cell, '#') && !picture_cell_empty(picture, cell) &&
            board_symbol(&flip->puzzle.board, text, length) == BOARD_OPEN)
            return picture_error(error, picture, cell,
                                 "'%.*s' is no value of a cell: they are 0 to %u, and # is a wall", (int)length, text,
                                 flip->values - 1);
    }
    return PDB_OK;
}

static pdb_status read_goal(const struct picture *picture, struct flip *flip, pdb_error *error)
{
    const struct board *board = &flip->puzzle.board;
    pdb_status status = board_check_shape(picture, "goal", "the goal has", board, error);
    for (unsigned place = 0; status == PDB_OK && place < board->places; place++) {
        const unsigned cell = board->cell[place];
        const char *text = picture->text + picture->cell[cell].offset;
        const bool open = picture_cell_is(picture, cell, '*');
        uint8_t symbol = open || picture_cell_empty(picture, cell)
                             ? 0
                             : board_symbol(board, text, picture->cell[cell].length);
        if (symbol == BOARD_OPEN)
            return picture_error(error, picture, cell, "'%.*s' is no value of a cell: they are 0 to %u, and * for any",
                                 picture->cell[cell].length, text, flip->values - 1);
        flip->origin[place] = symbol;
        flip->puzzle.goal[place] = open ? BOARD_OPEN : symbol;
    }
    return status;
}

static pdb_status read_board_and_goal(const struct node *root, struct flip *flip, pdb_error *error)
{
    const struct node *board = node_find(root, "board"), *goal = node_find(root, "goal");
    struct picture picture;
    if (board == NULL && goal == NULL)
        return node_error(error, root,
                          "there is neither a 'board', drawn with . for its cells and # for walls, nor a 'goal'");
    pdb_status status = picture_read(board != NULL ? board : goal, &picture, error);
    if (status == PDB_OK && board != NULL)
        status = check_board(&picture, flip, error);
    if (status == PDB_OK)
        status = board_lay_out(&picture, BOARD_MAX_CELLS, &flip->puzzle.board, error);
    if (status == PDB_OK && board != NULL && goal != NULL)
        status = picture_read(goal, &picture, error);
    return status != PDB_OK || goal == NULL ? status : read_goal(&picture, flip, error);
}

pdb_status flip_read(const struct definition *definition, struct flip *flip, pdb_error *error)
{
    const struct node *root = definition_root(definition);
    pdb_status status = read_values(root, flip, error);
    if (status == PDB_OK)
        status = read_board_and_goal(root, flip, error);
    if (status != PDB_OK)
        return status;
    char stranger[64];
    snprintf(stranger, sizeof stranger, "is no value of a cell: they are 0 to %u", flip->values - 1);
    const struct glyph_rules rules = {.keys = "values", .stranger = stranger};
    status = board_read_glyphs(root, &rules, &flip->puzzle.board, error);
    return status == PDB_OK ? flip_read_buttons(root, flip, error) : status;
}
