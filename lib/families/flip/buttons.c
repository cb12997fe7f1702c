/* buttons.c -- reads the buttons of a definition: a pattern around every cell, or a list
 *
 * Amounts are drawn as digits: 1 where a press adds one, 2 where it adds two, and so on; `.` where it changes nothing.
 */
#include "flip.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- moves -- */

/* Room for the moves of this many buttons, pressed forward and perhaps backward. */
static pdb_status make_room(struct flip *flip, size_t buttons, pdb_error *error)
{
    const size_t places = flip->puzzle.board.places;
    flip->move = calloc(2 * buttons, sizeof *flip->move);
    flip->change = calloc(2 * buttons, places);
    if (flip->move == NULL || flip->change == NULL)
        return error_no_memory(error, "the buttons", 2 * buttons * (sizeof *flip->move + places));
    return PDB_OK;
}

struct button {
    const char *piece, *name;
    uint16_t cell;
};

/* One more move. `direction` is "" or " backward", for the text. */
static void add_move(struct flip *flip, const uint8_t *change, const struct button *button, const char *direction)
{
    struct flip_move *move = &flip->move[flip->moves];
    snprintf(move->piece, sizeof move->piece, "%s", button->piece);
    snprintf(move->text, sizeof move->text, "press %s%s", button->name, direction);
    move->cell = button->cell;
    memcpy(flip->change + (size_t)flip->moves++ * flip->puzzle.board.places, change, flip->puzzle.board.places);
}

/* The moves of a button: it is pressed, and with `backward` also back, unless that is the same. */
static void add_button(struct flip *flip, const uint8_t *change, bool backward, const struct button *button)
{
    uint8_t opposite[BOARD_MAX_CELLS];
    const unsigned places = flip->puzzle.board.places;
    for (unsigned place = 0; place < places; place++)
        opposite[place] = (uint8_t)((flip->values - change[place]) % flip->values);
    add_move(flip, change, button, "");
    if (backward && memcmp(opposite, change, places) != 0)
        add_move(flip, opposite, button, " backward");
}

/* The amount that a cell of a picture shows, at text[0 .. length-1]. */
static pdb_status read_amount(const struct flip *flip, const struct picture *picture, unsigned cell, const char *text,
                              size_t length, uint8_t *amount, pdb_error *error)
{
    if (length == 1 && (*text == '.' || *text == '_')) {
        *amount = 0;
        return PDB_OK;
    }
    unsigned number = 0;
    size_t digits = 0;
    while (digits < length && digits < 2 && isdigit((unsigned char)text[digits]))
        number = 10 * number + (unsigned)(text[digits++] - '0');
    if (length != digits)
        return picture_error(
            error, picture, cell, "'%.*s' is no amount: draw . where a press changes nothing, 1 where it adds one%s",
            length < 40 ? (int)length : 40, text, flip->values > 2 ? ", 2 where it adds two, and so on" : "");
    if (number >= flip->values)
        return picture_error(error, picture, cell, "a press cannot add %u: cells have the values 0 to %u", number,
                             flip->values - 1);
    *amount = (uint8_t)number;
    return PDB_OK;
}

/* -- a pattern around every cell -- */

struct pattern {
    unsigned cells;
    int row[BOARD_MAX_CELLS], column[BOARD_MAX_CELLS]; /* seen from the cell that is pressed */
    uint8_t amount[BOARD_MAX_CELLS];
};

static const char *const pattern_names[] = {"8", "4", "plus", "square", NULL};

/* They are three cells by three, row by row. */
static const char *const pattern_cells[] = {"111101111", "010101010", "010111010", "111111111"};

static void add_pattern_cell(struct pattern *pattern, int row, int column, unsigned amount)
{
    if (amount == 0)
        return;
    pattern->row[pattern->cells] = row;
    pattern->column[pattern->cells] = column;
    pattern->amount[pattern->cells++] = (uint8_t)amount;
}

/* Is the node one of the names? A word that is neither a name nor looks like a picture is a complaint. */
static pdb_status read_pattern_name(const struct node *node, struct pattern *pattern, bool *found, pdb_error *error)
{
    const char *text;
    pdb_status status = node_as_text(node, &text, error);
    if (status != PDB_OK)
        return status;
    unsigned choice;
    *found = node_as_choice(node, pattern_names, &choice, NULL) == PDB_OK;
    if (!*found && isalpha((unsigned char)*text))
        return node_error(error, node, "there is no pattern '%s': it is 8, 4, plus, square, or a picture", text);
    for (int cell = 0; *found && cell < 9; cell++)
        add_pattern_cell(pattern, cell / 3 - 1, cell % 3 - 1, (unsigned)(pattern_cells[choice][cell] - '0'));
    return PDB_OK;
}

/* The cell of a pattern's picture that stands for the pressed one: that in parentheses, else the middle one. */
static pdb_status find_centre(const struct picture *picture, unsigned *centre, pdb_error *error)
{
    const unsigned cells = (unsigned)picture->rows * picture->columns;
    *centre = cells;
    for (unsigned cell = 0; cell < cells; cell++) {
        const char *text = picture->text + picture->cell[cell].offset;
        const size_t length = picture->cell[cell].length;
        if (*text != '(')
            continue;
        if (length != 3 || text[2] != ')')
            return picture_error(error, picture, cell,
                                 "the pressed cell is drawn like this: (1) or (.), apart from the others: 1 (1) 1");
        if (*centre != cells)
            return picture_error(error, picture, cell, "two cells of the pattern are marked as the pressed one");
        *centre = cell;
    }
    if (*centre == cells && (picture->rows % 2 == 0 || picture->columns % 2 == 0))
        return node_error(error, picture->node,
                          "the pattern has no middle cell: mark the pressed one by parentheses, (1) or (.), with "
                          "spaces between the cells");
    if (*centre == cells)
        *centre = cells / 2;
    return PDB_OK;
}

static pdb_status read_pattern_picture(const struct flip *flip, const struct node *node, struct pattern *pattern,
                                       pdb_error *error)
{
    struct picture picture;
    unsigned centre;
    pdb_status status = picture_read(node, &picture, error);
    if (status == PDB_OK)
        status = find_centre(&picture, &centre, error);
    for (unsigned cell = 0; status == PDB_OK && cell < (unsigned)picture.rows * picture.columns; cell++) {
        const char *text = picture.text + picture.cell[cell].offset;
        const bool marked = *text == '(';
        uint8_t amount = 0;
        status = read_amount(flip, &picture, cell, text + marked, marked ? 1 : picture.cell[cell].length, &amount,
                             error);
        add_pattern_cell(pattern, (int)(cell / picture.columns) - (int)(centre / picture.columns),
                         (int)(cell % picture.columns) - (int)(centre % picture.columns), amount);
    }
    if (status == PDB_OK && pattern->cells == 0)
        status = node_error(error, node, "the pattern changes no cell");
    return status;
}

/* Presses the pattern around every cell; what lies past an edge or in a wall is left out. */
static void add_pattern_buttons(struct flip *flip, const struct pattern *pattern, bool backward)
{
    const struct board *board = &flip->puzzle.board;
    for (unsigned pressed = 0; pressed < board->places; pressed++) {
        const int row = board->cell[pressed] / board->columns, column = board->cell[pressed] % board->columns;
        uint8_t change[BOARD_MAX_CELLS] = {0};
        char piece[PDB_CODE_MAX], name[PDB_MOVE_TEXT_MAX / 2];
        for (unsigned i = 0; i < pattern->cells; i++) {
            const int r = row + pattern->row[i], c = column + pattern->column[i];
            if (r < 0 || r >= board->rows || c < 0 || c >= board->columns)
                continue;
            const uint16_t place = board->place[r * board->columns + c];
            if (place != BOARD_NO_PLACE)
                change[place] = pattern->amount[i];
        }
        snprintf(piece, sizeof piece, "r%dc%d", (row + 1) % 100, (column + 1) % 100);
        snprintf(name, sizeof name, "row %d, column %d", row + 1, column + 1);
        add_button(flip, change, backward, &(struct button){piece, name, board->cell[pressed]});
    }
}

static pdb_status read_around(struct flip *flip, const struct node *node, bool backward, pdb_error *error)
{
    struct pattern pattern = {0};
    bool named;
    pdb_status status = read_pattern_name(node, &pattern, &named, error);
    if (status == PDB_OK && !named)
        status = read_pattern_picture(flip, node, &pattern, error);
    if (status == PDB_OK)
        status = make_room(flip, flip->puzzle.board.places, error);
    if (status == PDB_OK)
        add_pattern_buttons(flip, &pattern, backward);
    return status;
}

/* -- a list of buttons -- */

/* A button drawn as a picture of the whole board. */
static pdb_status read_drawn_button(const struct flip *flip, const struct node *node, uint8_t *change, pdb_error *error)
{
    const struct board *board = &flip->puzzle.board;
    struct picture picture;
    pdb_status status = picture_read(node, &picture, error);
    if (status == PDB_OK && (picture.rows != board->rows || picture.columns != board->columns))
        status = node_error(error, node, "the button is drawn with %u rows of %u cells, the board has %u rows of %u",
                            picture.rows, picture.columns, board->rows, board->columns);
    for (unsigned cell = 0; status == PDB_OK && cell < (unsigned)board->rows * board->columns; cell++) {
        const uint16_t place = board->place[cell];
        if (picture_cell_is(&picture, cell, '#') != (place == BOARD_NO_PLACE))
            return picture_error(error, &picture, cell, "button and board do not have the same walls (#)");
        if (place != BOARD_NO_PLACE)
            status = read_amount(flip, &picture, cell, picture.text + picture.cell[cell].offset,
                                 picture.cell[cell].length, &change[place], error);
    }
    return status;
}

/* A number of one or two digits, without a leading zero; 0 where there is none. */
static unsigned read_number(const char **text)
{
    unsigned number = 0;
    if (**text == '0')
        return 0;
    for (int digits = 0; digits < 2 && isdigit((unsigned char)**text); digits++)
        number = 10 * number + (unsigned)(*(*text)++ - '0');
    return number;
}

/* A cell by its row and column: "r2c3". */
static pdb_status read_cell(const struct board *board, const struct node *node, uint16_t *place, pdb_error *error)
{
    const char *text, *rest;
    pdb_status status = node_as_text(node, &text, error);
    if (status != PDB_OK)
        return status;
    unsigned row = 0, column = 0;
    rest = text + 1;
    if (*text == 'r')
        row = read_number(&rest);
    if (row > 0 && *rest++ == 'c')
        column = read_number(&rest);
    if (row == 0 || column == 0 || *rest != '\0')
        return node_error(error, node, "'%s' is no cell: the one in row 2, column 3 is written r2c3", text);
    if (row > board->rows || column > board->columns)
        return node_error(error, node, "the cell %s lies past the board's edge: it has %u rows of %u cells", text,
                          board->rows, board->columns);
    *place = board->place[(row - 1) * board->columns + column - 1];
    return *place != BOARD_NO_PLACE ? PDB_OK : node_error(error, node, "the cell %s is a wall", text);
}

/* A button that lists the cells to which it adds one. */
static pdb_status read_listed_button(const struct flip *flip, const struct node *node, uint8_t *change,
                                     pdb_error *error)
{
    for (size_t i = 0; i < node_count(node); i++) {
        uint16_t place;
        pdb_status status = read_cell(&flip->puzzle.board, node_item(node, i), &place, error);
        if (status != PDB_OK)
            return status;
        if (change[place] != 0)
            return node_error(error, node_item(node, i), "the cell %s is listed twice", node_text(node_item(node, i)));
        change[place] = 1;
    }
    return PDB_OK;
}

static pdb_status read_button(const struct flip *flip, const struct node *node, uint8_t *change, pdb_error *error)
{
    pdb_status status = PDB_OK;
    if (node_kind(node) == NODE_MAPPING)
        return node_error(error, node, "a button is a picture of what it adds, or a list of cells: [r1c1, r1c2]");
    if (node_kind(node) == NODE_SEQUENCE)
        status = read_listed_button(flip, node, change, error);
    else
        status = read_drawn_button(flip, node, change, error);
    for (unsigned place = 0; status == PDB_OK && place < flip->puzzle.board.places; place++)
        if (change[place] != 0)
            return PDB_OK;
    return status != PDB_OK ? status : node_error(error, node, "the button changes no cell");
}

/* A button's name is short, as hints show it alone, and unlike a cell's value. */
static pdb_status check_name(const struct flip *flip, const struct node *key, pdb_error *error)
{
    const char *name = node_text(key);
    if (*name == '\0' || strlen(name) >= PDB_CODE_MAX || strpbrk(name, " ,/\n\t\r") != NULL)
        return node_error(error, key, "a button's name is 1 to %d bytes long, without separators in it",
                          PDB_CODE_MAX - 1);
    if (board_symbol(&flip->puzzle.board, name, strlen(name)) != BOARD_OPEN)
        return node_error(error, key, "'%s' is the value of a cell, so it cannot be a button's name", name);
    return PDB_OK;
}

/* 'buttons' is a list, or a mapping from names to buttons. */
static pdb_status read_buttons(struct flip *flip, const struct node *node, bool backward, pdb_error *error)
{
    static const char *const drawn[] = {"board", "goal", NULL};
    const size_t count = node_count(node);
    const bool named = node_kind(node) == NODE_MAPPING;
    if (count == 0)
        return node_error(error, node, "'buttons' has to be a list of buttons, or a mapping from their names to them");
    if (count > FLIP_MAX_BUTTONS)
        return node_error(error, node, "%zu buttons: at most %d are possible", count, FLIP_MAX_BUTTONS);
    pdb_status status = node_check_names(node, drawn, error);
    if (status == PDB_OK)
        status = make_room(flip, count, error);
    for (size_t i = 0; status == PDB_OK && i < count; i++) {
        uint8_t change[BOARD_MAX_CELLS] = {0};
        char piece[PDB_CODE_MAX], name[PDB_MOVE_TEXT_MAX / 2];
        struct button button = {piece, name, PDB_NO_CELL};
        snprintf(piece, sizeof piece, "b%u", (unsigned)(i + 1) % 10000);
        snprintf(name, sizeof name, "button %zu", i + 1);
        if (named)
            button.piece = button.name = node_text(node_key(node, i));
        if (named)
            status = check_name(flip, node_key(node, i), error);
        if (status == PDB_OK)
            status = read_button(flip, named ? node_value(node, i) : node_item(node, i), change, error);
        if (status == PDB_OK)
            add_button(flip, change, backward, &button);
    }
    return status;
}

pdb_status flip_read_buttons(const struct node *root, struct flip *flip, pdb_error *error)
{
    const struct node *around = node_find(root, "around"), *buttons = node_find(root, "buttons");
    const struct node *node = node_find(root, "backward");
    bool backward = false;
    if (around == NULL && buttons == NULL)
        return node_error(
            error, root,
            "there are no buttons: give 'around', the pattern that a press of a cell changes, or 'buttons', a list");
    if (around != NULL && buttons != NULL)
        return node_error(
            error, buttons,
            "'buttons' and 'around' exclude each other: list all buttons, or draw a pattern for every cell");
    pdb_status status = node == NULL ? PDB_OK : node_as_bool(node, &backward, error);
    if (status != PDB_OK)
        return status;
    return around != NULL ? read_around(flip, around, backward, error) : read_buttons(flip, buttons, backward, error);
}
