/* board_definition.c -- shape, walls and glyphs of a board in a definition */
#include "board_definition.h"

#include <string.h>

pdb_status board_lay_out(const struct picture *picture, unsigned most, struct board *board, pdb_error *error)
{
    if ((unsigned)picture->rows * picture->columns > most)
        return node_error(error, picture->node,
                          "the board is too large: %u rows of %u cells are %u, and it may have %u at most",
                          picture->rows, picture->columns, (unsigned)picture->rows * picture->columns, most);
    board->rows = picture->rows;
    board->columns = picture->columns;
    board->places = 0;
    for (unsigned cell = 0; cell < (unsigned)picture->rows * picture->columns; cell++) {
        board->place[cell] = BOARD_NO_PLACE;
        if (picture_cell_is(picture, cell, '#'))
            continue;
        board->cell[board->places] = (uint16_t)cell;
        board->place[cell] = board->places++;
    }
    return board->places > 0 ? PDB_OK : node_error(error, picture->node, "the board is all walls (#)");
}

pdb_status board_check_shape(const struct picture *picture, const char *name, const char *has,
                             const struct board *board, pdb_error *error)
{
    if (picture->rows != board->rows || picture->columns != board->columns)
        return node_error(error, picture->node, "%s %u rows of %u cells, the board %u rows of %u", has, picture->rows,
                          picture->columns, board->rows, board->columns);
    for (unsigned cell = 0; cell < (unsigned)board->rows * board->columns; cell++)
        if (picture_cell_is(picture, cell, '#') != (board->place[cell] == BOARD_NO_PLACE))
            return picture_error(error, picture, cell, "%s and board do not have the same walls (#)", name);
    return PDB_OK;
}

pdb_status board_read_picture(const struct node *node, const char *name, const char *has, const struct board *board,
                              struct picture *picture, pdb_error *error)
{
    pdb_status status = picture_read(node, picture, error);
    return status == PDB_OK ? board_check_shape(picture, name, has, board, error) : status;
}

/* -- glyphs -- */

static const struct glyph_rules common_rules = {.keys = "symbols", .stranger = "does not stand on the board"};

/* Can it be drawn for a symbol, and read back? */
static bool is_glyph(const char *text, const struct glyph_rules *rules)
{
    const bool blank = text[strspn(text, " ")] == '\0';
    if (*text == '\0' || strlen(text) >= SYMBOL_GLYPH_MAX)
        return false;
    if (blank)
        return !rules->solid;
    return strpbrk(text, rules->solid ? " ,/\n\t\r#*" : " ,/\n\t\r") == NULL;
}

/* The symbol that a code or a sign for an empty cell is read as; BOARD_OPEN for none. */
static uint8_t symbol_read(const struct board *board, const char *code)
{
    const uint8_t symbol = board_symbol(board, code, strlen(code));
    const bool empty = strlen(code) == 1 && strchr("._0", *code) != NULL;
    return symbol == BOARD_OPEN && empty ? board->empty : symbol;
}

static pdb_status read_glyph(const struct node *key, const struct node *value, const struct glyph_rules *rules,
                             struct board *board, pdb_error *error)
{
    const char *code = node_text(key), *glyph;
    uint8_t symbol = symbol_read(board, code);
    if (symbol == BOARD_OPEN)
        return node_error(error, key, "'%s' %s", code, rules->stranger);
    pdb_status status = node_as_text(value, &glyph, error);
    if (status != PDB_OK)
        return status;
    if (!is_glyph(glyph, rules))
        return node_error(error, value, "a glyph has to be 1 to %d bytes long, without %s", SYMBOL_GLYPH_MAX - 1,
                          rules->solid ? "separators, # or * in it" : "separators in it (or one space)");
    const uint8_t other = symbol_read(board, glyph);
    if (other != BOARD_OPEN && other != symbol)
        return node_error(error, value,
                          "'%s' is read as another symbol, so a picture with this glyph could not "
                          "be read back",
                          glyph);
    strcpy(board->symbol[symbol].glyph, glyph);
    return PDB_OK;
}

pdb_status board_read_glyphs(const struct node *root, const struct glyph_rules *rules, struct board *board,
                             pdb_error *error)
{
    const struct node *glyphs = node_find(root, "glyphs");
    if (rules == NULL)
        rules = &common_rules;
    if (glyphs != NULL && node_kind(glyphs) != NODE_MAPPING)
        return node_error(error, glyphs, "'glyphs' has to be a mapping from %s to what is drawn for them", rules->keys);
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && glyphs != NULL && i < node_count(glyphs); i++)
        status = read_glyph(node_key(glyphs, i), node_value(glyphs, i), rules, board, error);
    board_finish(board);
    return status;
}
