/* flip_definition.c -- reads the definition of a puzzle of buttons: its board, values and goal (its buttons: flip_buttons.c) */
#include "flip.h"

#include <string.h>

/* 'values' is how many values a cell has; they are the symbols 0, 1, .. and 0 is "off", which may be written as an empty cell. */
static pdb_status read_values(const struct node *root, struct flip *flip, pdb_error *error)
{
    struct board *board = &flip->puzzle.board;
    const struct node *node = node_find(root, "values");
    int64_t values = 2;
    pdb_status status = node == NULL ? PDB_OK : node_as_integer(node, 2, FLIP_MAX_VALUES, &values, error);
    flip->values = (unsigned)values;
    for (unsigned value = 0; status == PDB_OK && value < flip->values; value++) {
        const char code = (char)('0' + value);
        uint8_t symbol;
        status = board_add_symbol(board, &code, 1, &symbol, error);
    }
    board->empty = 0;
    return status;
}

/* Which cells are walls. */
static pdb_status read_shape(const struct picture *picture, struct board *board, pdb_error *error)
{
    board->rows = picture->rows;
    board->columns = picture->columns;
    for (unsigned cell = 0; cell < (unsigned)picture->rows * picture->columns; cell++) {
        board->place[cell] = BOARD_NO_PLACE;
        if (picture_cell_is(picture, cell, '#'))
            continue;
        board->cell[board->places] = (uint16_t)cell;
        board->place[cell] = board->places++;
    }
    return board->places > 0 ? PDB_OK : node_error(error, picture->node, "the board is all walls (#)");
}

/* 'board' is drawn with walls and cells alone. */
static pdb_status check_board(const struct picture *picture, pdb_error *error)
{
    for (unsigned cell = 0; cell < (unsigned)picture->rows * picture->columns; cell++)
        if (!picture_cell_is(picture, cell, '#') && !picture_cell_empty(picture, cell))
            return picture_error(error, picture, cell,
                                 "'%.*s' in the board, which shows its shape alone, . and #: values are drawn in 'goal' and under 'boards'",
                                 picture->cell[cell].length, picture->text + picture->cell[cell].offset);
    return PDB_OK;
}

static pdb_status read_goal(const struct picture *picture, struct flip *flip, pdb_error *error)
{
    const struct board *board = &flip->puzzle.board;
    if (picture->rows != board->rows || picture->columns != board->columns)
        return node_error(error, picture->node, "the goal has %u rows of %u cells, the board %u rows of %u", picture->rows,
                          picture->columns, board->rows, board->columns);
    for (unsigned cell = 0; cell < (unsigned)board->rows * board->columns; cell++) {
        const uint16_t place = board->place[cell];
        if (picture_cell_is(picture, cell, '#') != (place == BOARD_NO_PLACE))
            return picture_error(error, picture, cell, "goal and board do not have the same walls (#)");
        if (place == BOARD_NO_PLACE)
            continue;
        const char *text = picture->text + picture->cell[cell].offset;
        const bool open = picture_cell_is(picture, cell, '*');
        uint8_t symbol = open || picture_cell_empty(picture, cell) ? 0 : board_symbol(board, text, picture->cell[cell].length);
        if (symbol == BOARD_OPEN)
            return picture_error(error, picture, cell, "'%.*s' is no value of a cell: they are 0 to %u, and * for any",
                                 picture->cell[cell].length, text, flip->values - 1);
        flip->origin[place] = symbol;
        flip->puzzle.goal[place] = open ? BOARD_OPEN : symbol;
    }
    return PDB_OK;
}

static pdb_status read_board_and_goal(const struct node *root, struct flip *flip, pdb_error *error)
{
    const struct node *board = node_find(root, "board"), *goal = node_find(root, "goal");
    struct picture picture;
    if (board == NULL && goal == NULL)
        return node_error(error, root, "there is neither a 'board', drawn with . for its cells and # for walls, nor a 'goal'");
    pdb_status status = picture_read(board != NULL ? board : goal, &picture, error);
    if (status == PDB_OK && board != NULL)
        status = check_board(&picture, error);
    if (status == PDB_OK)
        status = read_shape(&picture, &flip->puzzle.board, error);
    if (status == PDB_OK && board != NULL && goal != NULL)
        status = picture_read(goal, &picture, error);
    return status != PDB_OK || goal == NULL ? status : read_goal(&picture, flip, error);
}

static pdb_status read_glyph(struct board *board, const struct node *key, const struct node *value, pdb_error *error)
{
    const char *code = node_text(key), *glyph;
    uint8_t symbol = board_symbol(board, code, strlen(code));
    pdb_status status = node_as_text(value, &glyph, error);
    if (strlen(code) == 1 && strchr("._", *code) != NULL)
        symbol = board->empty;
    if (symbol == BOARD_OPEN)
        return node_error(error, key, "'%s' is no value of a cell: they are 0 to %u", code, board->symbols - 1u);
    if (status != PDB_OK)
        return status;
    const bool blank = glyph[strspn(glyph, " ")] == '\0';
    if (*glyph == '\0' || strlen(glyph) >= SYMBOL_GLYPH_MAX || (!blank && strpbrk(glyph, " ,/\n\t\r") != NULL))
        return node_error(error, value, "a glyph has to be 1 to %d bytes long, without separators in it (or one space)",
                          SYMBOL_GLYPH_MAX - 1);
    strcpy(board->symbol[symbol].glyph, glyph);
    return PDB_OK;
}

static pdb_status read_glyphs(const struct node *root, struct board *board, pdb_error *error)
{
    const struct node *glyphs = node_find(root, "glyphs");
    if (glyphs != NULL && node_kind(glyphs) != NODE_MAPPING)
        return node_error(error, glyphs, "'glyphs' has to be a mapping from values to what is drawn for them");
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && glyphs != NULL && i < node_count(glyphs); i++)
        status = read_glyph(board, node_key(glyphs, i), node_value(glyphs, i), error);
    board_finish(board);
    return status;
}

pdb_status flip_read(const struct definition *definition, struct flip *flip, pdb_error *error)
{
    const struct node *root = definition_root(definition);
    pdb_status status = read_values(root, flip, error);
    if (status == PDB_OK)
        status = read_board_and_goal(root, flip, error);
    if (status == PDB_OK)
        status = read_glyphs(root, &flip->puzzle.board, error);
    if (status == PDB_OK)
        status = flip_read_buttons(root, flip, error);
    return status;
}
