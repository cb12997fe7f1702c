/* places.c -- shape, names and glyphs of boards with named places */
#include "places.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 40 }; /* bytes of a word in a complaint */

static int shown(size_t length)
{
    return length < SHOWN ? (int)length : SHOWN;
}

pdb_status places_lay_out(const struct picture *picture, struct board *board, pdb_error *error)
{
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
    return board->places > 0 ? PDB_OK : node_error(error, picture->node, "the board has nothing but walls (#)");
}

pdb_status places_read_picture(const struct node *node, const char *what, const struct board *board,
                               struct picture *picture, pdb_error *error)
{
    pdb_status status = picture_read(node, picture, error);
    if (status != PDB_OK)
        return status;
    if (picture->rows != board->rows || picture->columns != board->columns)
        return node_error(error, node, "%s: %u rows of %u cells, but the board has %u rows of %u", what, picture->rows,
                          picture->columns, board->rows, board->columns);
    for (unsigned cell = 0; cell < (unsigned)board->rows * board->columns; cell++)
        if (picture_cell_is(picture, cell, '#') != (board->place[cell] == BOARD_NO_PLACE))
            return picture_error(error, picture, cell, "%s and the board do not have the same walls (#)", what);
    return PDB_OK;
}

pdb_status places_read_names(const struct node *node, const struct board *board, struct place_names *names, pdb_error *error)
{
    if (node == NULL) {
        for (unsigned place = 0; place < board->places; place++)
            snprintf(names->name[place], sizeof names->name[place], "%u", place + 1);
        return PDB_OK;
    }
    struct picture picture;
    pdb_status status = places_read_picture(node, "the places' names", board, &picture, error);
    for (unsigned place = 0; status == PDB_OK && place < board->places; place++) {
        const unsigned cell = board->cell[place];
        const char *name = picture.text + picture.cell[cell].offset;
        const size_t length = picture.cell[cell].length;
        if (length >= SYMBOL_CODE_MAX)
            return picture_error(error, &picture, cell, "the name '%.*s' is longer than %d bytes", shown(length), name,
                                 SYMBOL_CODE_MAX - 1);
        for (unsigned other = 0; other < place; other++)
            if (strlen(names->name[other]) == length && memcmp(names->name[other], name, length) == 0)
                return picture_error(error, &picture, cell, "there are two places called '%.*s'", shown(length), name);
        memcpy(names->name[place], name, length);
        names->name[place][length] = '\0';
    }
    return status;
}

uint16_t places_find(const struct board *board, const struct place_names *names, const char *name, size_t length)
{
    for (uint16_t place = 0; place < board->places; place++)
        if (strlen(names->name[place]) == length && memcmp(names->name[place], name, length) == 0)
            return place;
    return BOARD_NO_PLACE;
}

pdb_status places_require(const struct board *board, const struct place_names *names, const struct node *node,
                          size_t offset, size_t length, uint16_t *place, pdb_error *error)
{
    const char *name = node_text(node) + offset;
    *place = places_find(board, names, name, length);
    if (*place != BOARD_NO_PLACE)
        return PDB_OK;
    return node_error_at(error, node, offset, "there is no place '%.*s': they are called %s, .. %s", shown(length), name,
                         names->name[0], names->name[board->places - 1]);
}

/* The words of one scalar, behind those already in the list. */
static pdb_status read_words(const struct node *node, const struct board *board, const struct place_names *names,
                             struct place_list *list, pdb_error *error)
{
    const char *text = "";
    pdb_status status = node_as_text(node, &text, error);
    const char *word = text;
    for (size_t length; status == PDB_OK && (length = board_next_word(&word)) > 0; word += length) {
        const unsigned n = list->count;
        if (n == sizeof list->place / sizeof list->place[0])
            return node_error(error, node, "the list has more than %u places", n);
        list->node[n] = node;
        list->offset[n] = (size_t)(word - text);
        status = places_require(board, names, node, list->offset[n], length, &list->place[n], error);
        list->count++;
    }
    return status;
}

pdb_status places_read_list(const struct node *node, const struct board *board, const struct place_names *names,
                            struct place_list *list, pdb_error *error)
{
    list->count = 0;
    if (node_kind(node) != NODE_SEQUENCE)
        return read_words(node, board, names, list, error);
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < node_count(node); i++)
        status = read_words(node_item(node, i), board, names, list, error);
    return status;
}

pdb_status places_read_glyphs(const struct node *node, struct board *board, pdb_error *error)
{
    if (node != NULL && node_kind(node) != NODE_MAPPING)
        return node_error(error, node, "'glyphs' has to be a mapping from symbols to what is drawn for them");
    for (size_t i = 0; node != NULL && i < node_count(node); i++) {
        const struct node *key = node_key(node, i), *value = node_value(node, i);
        const char *code = node_text(key), *glyph;
        uint8_t symbol = board_symbol(board, code, strlen(code));
        if (symbol == BOARD_OPEN && strlen(code) == 1 && strchr("._0", *code) != NULL)
            symbol = board->empty;
        if (symbol == BOARD_OPEN)
            return node_error(error, key, "'%.*s' does not stand on the board", shown(strlen(code)), code);
        pdb_status status = node_as_text(value, &glyph, error);
        if (status != PDB_OK)
            return status;
        const bool blank = glyph[strspn(glyph, " ")] == '\0';
        if (*glyph == '\0' || strlen(glyph) >= SYMBOL_GLYPH_MAX || (!blank && strpbrk(glyph, " ,/\n\t\r") != NULL))
            return node_error(error, value, "a glyph has to be 1 to %d bytes long, without separators in it (or one space)",
                              SYMBOL_GLYPH_MAX - 1);
        strcpy(board->symbol[symbol].glyph, glyph);
    }
    board_finish(board);
    return PDB_OK;
}
