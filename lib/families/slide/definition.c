/* definition.c -- reads a sliding puzzle's definition */
#include "lib/families/shared/board_definition.h"
#include "slide.h"

#include <string.h>

/* What is known while the definition is read. */
struct reader {
    struct slide *slide;
    const struct node *root, *goal;
    struct picture board;          /* the picture that has every piece on it */
    bool drawn[BOARD_MAX_SYMBOLS]; /* the symbols of the pieces under 'pieces' */
};

/* The name of the piece whose first cell has this symbol; BOARD_OPEN for none. */
static uint8_t find_name(const struct slide *slide, const char *code, size_t length)
{
    const uint8_t symbol = board_symbol(&slide->puzzle.board, code, length);
    return symbol == BOARD_OPEN ? BOARD_OPEN : slide->name_of_symbol[symbol];
}

static uint8_t cell_symbol(const struct board *board, const struct picture *picture, unsigned cell)
{
    return board_symbol(board, picture->text + picture->cell[cell].offset, picture->cell[cell].length);
}

/* The symbols of the whole picture. An empty cell is "0" among numbers and "." among letters. */
static pdb_status read_symbols(struct reader *reader, pdb_error *error)
{
    const struct picture *picture = &reader->board;
    struct board *board = &reader->slide->puzzle.board;
    bool numeric = true;
    board->empty = BOARD_OPEN;
    for (unsigned place = 0; place < board->places; place++) {
        const unsigned cell = board->cell[place];
        if (picture_cell_empty(picture, cell)) {
            reader->slide->empties++;
            continue;
        }
        if (picture_cell_is(picture, cell, '*'))
            return picture_error(
                error, picture, cell,
                "an open cell (*) in the picture that has to show every piece: give the whole board under 'board'");
        const char *text = picture->text + picture->cell[cell].offset;
        size_t length = picture->cell[cell].length;
        uint8_t symbol = board_symbol(board, text, length);
        pdb_error cause;
        if (symbol == BOARD_OPEN && board_add_symbol(board, text, length, &symbol, &cause) != PDB_OK)
            return picture_error(error, picture, cell, "%s", cause.message);
        for (size_t i = 0; i < length; i++)
            numeric &= text[i] >= '0' && text[i] <= '9';
    }
    if (reader->slide->empties == 0)
        return node_error(error, picture->node, "the board has no empty cell ('.'): nothing can move");
    pdb_error cause;
    return board_add_symbol(board, numeric ? "0" : ".", 1, &board->empty, &cause) == PDB_OK
               ? PDB_OK
               : node_error(error, picture->node, "%s", cause.message);
}

/* The name and kind of one piece, drawn on its own. */
static pdb_status read_piece(struct reader *reader, const struct node *node, pdb_error *error)
{
    struct slide *slide = reader->slide;
    struct board *board = &slide->puzzle.board;
    struct picture picture;
    pdb_status status = picture_read(node, &picture, error);
    if (status != PDB_OK)
        return status;
    struct slide_kind kind = {0};
    struct slide_name name = {0};
    int first_row = 0, first_column = 0;
    for (unsigned cell = 0; cell < (unsigned)picture.rows * picture.columns; cell++) {
        if (picture_cell_empty(&picture, cell))
            continue;
        uint8_t symbol = cell_symbol(board, &picture, cell);
        if (symbol == BOARD_OPEN)
            return picture_error(error, &picture, cell, "'%.*s' does not stand on the board", picture.cell[cell].length,
                                 picture.text + picture.cell[cell].offset);
        if (reader->drawn[symbol])
            return picture_error(error, &picture, cell,
                                 "'%s' belongs to another piece already; one that is turned or of another "
                                 "shape needs a symbol of its own",
                                 board->symbol[symbol].code);
        if (kind.cells == SLIDE_MAX_PIECE_CELLS)
            return picture_error(error, &picture, cell, "the piece has more than %d cells", SLIDE_MAX_PIECE_CELLS);
        int row = (int)(cell / picture.columns), column = (int)(cell % picture.columns);
        if (kind.cells == 0) {
            first_row = row;
            first_column = column;
        } else if (picture.columns > 1 && column > 0 && !picture_cell_empty(&picture, cell - 1) &&
                   name.symbol[kind.cells - 1] != symbol) {
            board->symbol[name.symbol[kind.cells - 1]].blank_next = symbol;
        }
        kind.row[kind.cells] = (int8_t)(row - first_row);
        kind.column[kind.cells] = (int8_t)(column - first_column);
        name.symbol[kind.cells++] = symbol;
    }
    if (kind.cells == 0)
        return node_error(error, node, "the piece has no cell");
    if (slide->kinds == SLIDE_MAX_KINDS)
        return node_error(error, node, "more than %d kinds of pieces", SLIDE_MAX_KINDS);
    for (unsigned c = 0; c < kind.cells; c++)
        reader->drawn[name.symbol[c]] = true;
    name.kind = (uint8_t)slide->kinds;
    slide->kind[slide->kinds++] = kind;
    slide->name[slide->names++] = name;
    return PDB_OK;
}

/* 'pieces' draws those of several cells; every other symbol is a piece of one cell. */
static pdb_status read_pieces(struct reader *reader, pdb_error *error)
{
    struct slide *slide = reader->slide;
    const struct board *board = &slide->puzzle.board;
    const struct node *pieces = node_find(reader->root, "pieces");
    if (pieces != NULL && node_kind(pieces) != NODE_SEQUENCE)
        return node_error(error, pieces, "'pieces' has to be a list of pictures, one for each piece of several cells");
    for (size_t i = 0; pieces != NULL && i < node_count(pieces); i++) {
        pdb_status status = read_piece(reader, node_item(pieces, i), error);
        if (status != PDB_OK)
            return status;
    }
    for (unsigned s = 0; s < board->symbols; s++) {
        if (s == board->empty || reader->drawn[s])
            continue;
        if (slide->kinds == SLIDE_MAX_KINDS)
            return node_error(error, reader->board.node, "more than %d kinds of pieces", SLIDE_MAX_KINDS);
        slide->kind[slide->kinds] = (struct slide_kind){.cells = 1};
        slide->name[slide->names++] = (struct slide_name){.kind = (uint8_t)slide->kinds++, .symbol = {(uint8_t)s}};
    }
    memset(slide->name_of_symbol, BOARD_OPEN, sizeof slide->name_of_symbol);
    for (unsigned n = slide->names; n-- > 0;)
        slide->name_of_symbol[slide->name[n].symbol[0]] = (uint8_t)n;
    return PDB_OK;
}

/* Makes the pieces that one entry of 'alike' lists one kind: that of the first. */
static pdb_status read_alike(struct slide *slide, const struct node *node, bool *grouped, unsigned *largest,
                             pdb_error *error)
{
    const char *text;
    pdb_status status = node_as_text(node, &text, error);
    unsigned first = BOARD_MAX_SYMBOLS, pieces = 0;
    const char *word = text;
    for (size_t length; status == PDB_OK && (length = board_next_word(&word)) > 0; word += length) {
        size_t offset = (size_t)(word - text);
        const uint8_t n = find_name(slide, word, length);
        if (n == BOARD_OPEN)
            return node_error_at(error, node, offset, "no piece begins with '%.*s'", length < 40 ? (int)length : 40,
                                 word);
        if (grouped[n])
            return node_error_at(error, node, offset, "'%.*s' is listed as alike already", (int)length, word);
        grouped[n] = true;
        first = first == BOARD_MAX_SYMBOLS ? n : first;
        const struct slide_kind *kind = &slide->kind[slide->name[first].kind], *own = &slide->kind[slide->name[n].kind];
        const char *code = slide->puzzle.board.symbol[slide->name[first].symbol[0]].code;
        if (own->cells != kind->cells || memcmp(own->row, kind->row, sizeof own->row) != 0 ||
            memcmp(own->column, kind->column, sizeof own->column) != 0)
            return node_error_at(error, node, offset,
                                 "'%.*s' has another shape than '%s' (or the same, turned), so they are not alike",
                                 (int)length, word, code);
        if (own->axis != kind->axis)
            return node_error_at(error, node, offset,
                                 "'%.*s' moves along another axis than '%s', so they are not alike", (int)length, word,
                                 code);
        slide->name[n].kind = slide->name[first].kind;
        pieces++;
    }
    *largest = pieces > *largest ? pieces : *largest;
    return status;
}

/* Numbers the kinds anew: those in use, units first, in the order in which the board shows them; gives them their maps.
 * Units are the pieces of one cell that go where they like: only those may be told by their order alone. */
static pdb_status number_kinds(struct reader *reader, pdb_error *error)
{
    struct slide *slide = reader->slide;
    struct slide_kind old[SLIDE_MAX_KINDS];
    uint8_t number[SLIDE_MAX_KINDS];
    memcpy(old, slide->kind, sizeof old);
    memset(number, 255, sizeof number);
    slide->kinds = slide->units = 0;
    unsigned map = 1;
    for (int large = 0; large < 2; large++) {
        for (unsigned cell = 0; cell < (unsigned)reader->board.rows * reader->board.columns; cell++) {
            uint8_t symbol = cell_symbol(&slide->puzzle.board, &reader->board, cell);
            uint8_t n = symbol == BOARD_OPEN ? BOARD_OPEN : slide->name_of_symbol[symbol];
            if (n == BOARD_OPEN)
                continue;
            const struct slide_kind *shown = &old[slide->name[n].kind];
            if ((shown->cells == 1 && shown->axis == SLIDE_FREE) == (large == 1) || number[slide->name[n].kind] != 255)
                continue;
            struct slide_kind *kind = &slide->kind[slide->kinds];
            *kind = *shown;
            kind->map = (uint8_t)map;
            number[slide->name[n].kind] = (uint8_t)slide->kinds++;
            map += kind->cells;
            if (map >= SLIDE_OPEN)
                return node_error(error, reader->board.node, "too many different pieces");
        }
        if (large == 0) {
            slide->units = slide->kinds;
            /* in labels that number stands for units, even if there are none */
            map = map > SLIDE_UNIT ? map : SLIDE_UNIT + 1;
        }
    }
    for (unsigned n = 0; n < slide->names; n++)
        slide->name[n].kind = number[slide->name[n].kind];
    return PDB_OK;
}

/* Each symbol's kind: the first cell of the first piece of its kind stands for all. */
static void mark_kinds(struct slide *slide)
{
    for (unsigned n = 0; n < slide->names; n++) {
        const struct slide_name *name = &slide->name[n], *first = slide->name;
        while (first->kind != name->kind)
            first++;
        for (unsigned c = 0; c < slide->kind[name->kind].cells; c++)
            slide->puzzle.board.symbol[name->symbol[c]].kind = first->symbol[0];
    }
}

static pdb_status read_all_alike(struct reader *reader, pdb_error *error)
{
    bool grouped[BOARD_MAX_SYMBOLS] = {false};
    pdb_status status = PDB_OK;
    const struct node *alike = node_find(reader->root, "alike");
    if (alike != NULL && node_kind(alike) != NODE_SEQUENCE)
        return node_error(error, alike,
                          "'alike' has to be a list, each entry naming pieces that are interchangeable: [a b, c d]");
    unsigned largest = 0;
    for (size_t i = 0; status == PDB_OK && alike != NULL && i < node_count(alike); i++)
        status = read_alike(reader->slide, node_item(alike, i), grouped, &largest, error);
    if (status == PDB_OK && alike != NULL && node_count(alike) > 0 && largest < 2)
        return node_error(error, alike,
                          "no pieces are alike here: those that are stand in one entry, as in [a b, c d]");
    if (status == PDB_OK)
        status = number_kinds(reader, error);
    if (status != PDB_OK)
        return status;
    mark_kinds(reader->slide);
    return slide_cells_make(reader->slide, error);
}

/* How many of each piece the whole picture shows. */
static pdb_status count_pieces(struct reader *reader, pdb_error *error)
{
    struct slide *slide = reader->slide;
    const struct board *board = &slide->puzzle.board;
    uint8_t position[BOARD_MAX_CELLS], map[BOARD_MAX_CELLS];
    for (unsigned place = 0; place < board->places; place++) {
        unsigned cell = board->cell[place];
        position[place] = picture_cell_empty(&reader->board, cell) ? board->empty
                                                                   : cell_symbol(board, &reader->board, cell);
    }
    /* Recognising needs no counts; give it none to check. */
    for (unsigned n = 0; n < slide->names; n++)
        slide->name[n].count = 255;
    unsigned bad;
    pdb_error cause;
    pdb_status status = slide_map(slide, position, true, map, &bad, &cause);
    if (status != PDB_OK)
        return picture_error(error, &reader->board, board->cell[bad], "%s", cause.message);
    for (unsigned n = 0; n < slide->names; n++)
        slide->name[n].count = 0;
    for (unsigned place = 0; place < board->places; place++) {
        uint8_t n = position[place] == board->empty ? BOARD_OPEN : slide->name_of_symbol[position[place]];
        if (n == BOARD_OPEN || map[place] != slide->kind[slide->name[n].kind].map)
            continue;
        slide->name[n].count++;
        slide->kind[slide->name[n].kind].count++;
    }
    return PDB_OK;
}

/* The goal: a pattern of the board's shape, `*` where anything may stand. */
static pdb_status read_goal(struct reader *reader, pdb_error *error)
{
    struct slide *slide = reader->slide;
    struct board *board = &slide->puzzle.board;
    struct picture picture;
    bool open = false;
    pdb_status status = board_read_picture(reader->goal, "goal", "the goal has", board, &picture, error);
    if (status != PDB_OK)
        return status;
    for (unsigned place = 0; place < board->places; place++) {
        const unsigned cell = board->cell[place];
        const bool any = picture_cell_is(&picture, cell, '*');
        uint8_t symbol = any                                  ? BOARD_OPEN
                         : picture_cell_empty(&picture, cell) ? board->empty
                                                              : cell_symbol(board, &picture, cell);
        if (!any && symbol == BOARD_OPEN)
            return picture_error(error, &picture, cell, "'%.*s' does not stand on the board", picture.cell[cell].length,
                                 picture.text + picture.cell[cell].offset);
        slide->puzzle.goal[place] = symbol;
        open |= any;
    }
    unsigned bad;
    pdb_error cause;
    if (slide_map(slide, slide->puzzle.goal, open, slide->goal, &bad, &cause) != PDB_OK)
        return picture_error(error, &picture, board->cell[bad], "%s", cause.message);
    return PDB_OK;
}

static pdb_status read_metric(struct reader *reader, pdb_error *error)
{
    static const char *const metrics[] = {"step", "slide", NULL};
    const struct node *node = node_find(reader->root, "metric");
    unsigned choice = 0;
    pdb_status status = node == NULL ? PDB_OK : node_as_choice(node, metrics, &choice, error);
    reader->slide->far_moves = choice == 1;
    reader->slide->puzzle.metric = choice == 1 ? "one piece, any way it can travel in one go" : "one piece by one cell";
    return status;
}

/* The way a kind may move when it is bound to its length; a piece as wide as it is long has none. */
static uint8_t length_axis(const struct slide_kind *kind)
{
    int rows = 0, left = 0, right = 0;
    for (unsigned c = 0; c < kind->cells; c++) {
        rows = kind->row[c] > rows ? kind->row[c] : rows;
        left = kind->column[c] < left ? kind->column[c] : left;
        right = kind->column[c] > right ? kind->column[c] : right;
    }
    return rows > right - left ? SLIDE_VERTICAL : rows < right - left ? SLIDE_HORIZONTAL : SLIDE_FREE;
}

/* 'axis': `length` for all pieces, or a mapping from pieces to free, horizontal, vertical or length. */
static pdb_status read_axes(struct reader *reader, pdb_error *error)
{
    static const char *const axes[] = {"free", "horizontal", "vertical", "length", NULL}, *const length[] = {"length",
                                                                                                             NULL};
    struct slide *slide = reader->slide;
    const struct node *node = node_find(reader->root, "axis");
    unsigned choice;
    if (node == NULL)
        return PDB_OK;
    if (node_kind(node) == NODE_SCALAR) {
        pdb_status status = node_as_choice(node, length, &choice, error);
        for (unsigned k = 0; status == PDB_OK && k < slide->kinds; k++)
            slide->kind[k].axis = length_axis(&slide->kind[k]);
        return status;
    }
    if (node_kind(node) != NODE_MAPPING)
        return node_error(error, node,
                          "'axis' has to be 'length' or a mapping from pieces to free, horizontal, vertical or length");
    for (size_t i = 0; i < node_count(node); i++) {
        const char *code = node_text(node_key(node, i));
        const uint8_t n = find_name(slide, code, strlen(code));
        if (n == BOARD_OPEN)
            return node_error(error, node_key(node, i), "no piece begins with '%s'", code);
        pdb_status status = node_as_choice(node_value(node, i), axes, &choice, error);
        if (status != PDB_OK)
            return status;
        struct slide_kind *kind = &slide->kind[slide->name[n].kind];
        kind->axis = choice == 3 ? length_axis(kind) : (uint8_t)choice;
    }
    return PDB_OK;
}

static pdb_status read_glyphs(struct reader *reader, pdb_error *error)
{
    return board_read_glyphs(reader->root, NULL, &reader->slide->puzzle.board, error);
}

pdb_status slide_read(const struct definition *definition, struct slide *slide, pdb_error *error)
{
    static pdb_status (*const parts[])(struct reader *, pdb_error *) = {
        read_symbols, read_pieces, read_axes, read_all_alike, count_pieces, read_glyphs, read_goal, read_metric};
    static const int row[4] = {-1, 0, 0, 1}, column[4] = {0, -1, 1, 0}; /* up, left, right, down */
    struct reader reader = {.slide = slide, .root = definition_root(definition)};
    const struct node *board = node_find(reader.root, "board"), *patterns = node_find(reader.root, "patterns");
    pdb_status status = node_require(reader.root, "goal", &reader.goal, error);
    if (status == PDB_OK)
        status = picture_read(board != NULL ? board : reader.goal, &reader.board, error);
    if (status == PDB_OK)
        status = board_lay_out(&reader.board, BOARD_BYTE_CELLS, &slide->puzzle.board, error);
    for (unsigned p = 0; status == PDB_OK && p < sizeof parts / sizeof parts[0]; p++)
        status = parts[p](&reader, error);
    if (status != PDB_OK)
        return status;
    for (uint16_t place = 0; place < slide->puzzle.board.places; place++)
        for (unsigned d = 0; d < 4; d++)
            slide->neighbour[place][d] = slide_place(slide, place, row[d], column[d]);
    return patterns != NULL ? slide_read_patterns(patterns, slide, error) : PDB_OK;
}
