/* shape.c -- the board's picture: where its holes are, and the jumps that follow from that
 *
 * Rows of the picture are lines, or separated by slashes; every character in them but spaces and commas is a cell, `#`
 * one without a hole. Rows need not be equally long: shorter ones are centred, so that an English board is rows of 3,
 * 3, 7, 7, 7, 3, 3 and a triangle rows of 1, 2, 3, 4, 5.
 *
 * There are two layouts. In the *square* one the cells of a row are neighbouring columns of the board. Where lengths of
 * rows differ by odd numbers, or jumps are triangular, it is *staggered*: cells are two columns apart, and a row one
 * cell longer begins one column further left. The columns between are walls.
 *
 *                    square                staggered
 *     orthogonal     (0,1) (1,0)           (0,2) (2,0)        rows and columns that one hop leads along;
 *     diagonal       (1,1) (1,-1)          (1,1) (1,-1)       backward likewise
 *     triangular                           (0,2) (1,1) (1,-1)
 */
#include "lib/definition/picture.h"
#include "lib/text.h"
#include "peg.h"

#include <string.h>

/* -- the picture -- */

struct drawn_cell {
    size_t offset;       /* of its text */
    uint8_t row, number; /* `number` within its row */
    bool hole;
};

struct drawing {
    const struct node *node;
    const char *text;
    unsigned rows, cells, longest;
    uint8_t length[BOARD_MAX_SIDE]; /* of each row */
    struct drawn_cell cell[BOARD_BYTE_CELLS];
};

static bool is_cell(const struct board *board, const char *text, size_t length)
{
    if (length == 1 && strchr("#*._", *text) != NULL)
        return true;
    for (unsigned s = 0; s < board->symbols; s++)
        if ((strlen(board->symbol[s].code) == length && memcmp(board->symbol[s].code, text, length) == 0) ||
            (strlen(board->symbol[s].glyph) == length && memcmp(board->symbol[s].glyph, text, length) == 0))
            return true;
    return false;
}

/* Takes the cell at `offset`, as one of row number `rows`. */
static pdb_status take_cell(struct drawing *drawing, const struct board *board, size_t offset, size_t length,
                            pdb_error *error)
{
    const char *text = drawing->text + offset;
    if (!is_cell(board, text, length))
        return node_error_at(error, drawing->node, offset,
                             "'%.*s' is no cell of a peg board: 1 is a peg, 0 or . an empty hole, # no hole",
                             (int)length, text);
    if (drawing->rows == BOARD_MAX_SIDE || drawing->cells == BOARD_BYTE_CELLS ||
        drawing->length[drawing->rows] == BOARD_MAX_SIDE)
        return node_error_at(error, drawing->node, offset,
                             "the board is too large: at most %d rows of at most %d cells, %d cells in all",
                             BOARD_MAX_SIDE, BOARD_MAX_SIDE, BOARD_BYTE_CELLS);
    uint8_t *row_length = &drawing->length[drawing->rows];
    drawing->cell[drawing->cells++] = (struct drawn_cell){
        .offset = offset, .row = (uint8_t)drawing->rows, .number = *row_length, .hole = *text != '#'};
    if (++*row_length > drawing->longest)
        drawing->longest = *row_length;
    return PDB_OK;
}

/* How far a cell is from the one before it in its row: blanks, of which none count beside a comma. */
static size_t gap_before(const char *text, size_t last, size_t at)
{
    size_t commas = 0;
    for (size_t i = last; i < at; i++)
        commas += text[i] == ',';
    return commas == 1 ? 1 : at - last;
}

static pdb_status read_drawing(const struct node *node, const struct board *board, struct drawing *drawing,
                               pdb_error *error)
{
    size_t last = 0;            /* where the last cell ends */
    size_t gap = 0, common = 0; /* how far apart two cells are, in this row; in all rows that do not join them */
    unsigned in_row = 0;
    pdb_error wrong = {.message = ""};
    *drawing = (struct drawing){.node = node};
    pdb_status status = node_as_text(node, &drawing->text, error);
    for (size_t at = 0, length; status == PDB_OK; at += length) {
        const char c = drawing->text[at];
        length = utf8_length(drawing->text + at);
        if (c == '\n' || c == '/' || c == '\0') {
            drawing->rows += drawing->rows < BOARD_MAX_SIDE && drawing->length[drawing->rows] > 0;
            in_row = 0;
            if (c == '\0')
                break;
        } else if (c != ' ' && c != ',' && c != '\t') {
            const size_t before = in_row > 0 ? gap_before(drawing->text, last, at) : gap;
            gap = in_row == 1 ? before : gap;
            common = common == 0 ? gap : common;
            if (in_row > 0 && *wrong.message == '\0' && (before != gap || (gap > 0 && gap != common)))
                node_error_at(&wrong, node, at,
                              "this cell is not as far from the one before it as others are: blanks are no part of the "
                              "board, # is a cell without a hole");
            status = take_cell(drawing, board, at, length, error);
            last = at + length;
            in_row++;
        }
    }
    const bool even = drawing->cells == drawing->rows * drawing->longest;
    if (status == PDB_OK)
        status = picture_check_comments(node, drawing->text, picture_rows(drawing->rows, even), error);
    if (status == PDB_OK)
        status = picture_check_rows(node, drawing->text, error);
    if (status == PDB_OK && *wrong.message != '\0')
        status = error_set(error, PDB_BAD_DEFINITION, "%s", wrong.message);
    if (status == PDB_OK && drawing->cells == 0)
        status = node_error(error, node, "the picture is empty");
    return status;
}

/* -- the layout -- */

static bool rows_differ_oddly(const struct drawing *drawing)
{
    unsigned row = 0;
    while (row < drawing->rows && (drawing->longest - drawing->length[row]) % 2 == 0)
        row++;
    return row < drawing->rows;
}

static pdb_status lay_out(const struct drawing *drawing, bool staggered, struct peg *peg, pdb_error *error)
{
    struct board *board = &peg->puzzle.board;
    board->rows = (uint16_t)drawing->rows;
    board->columns = (uint16_t)(staggered ? 2 * drawing->longest - 1 : drawing->longest);
    if (board->columns > BOARD_MAX_SIDE || board->rows * board->columns > BOARD_BYTE_CELLS)
        return node_error(error, drawing->node,
                          "the board is too large: laid out it has %u rows of %u cells, at most %d in all", board->rows,
                          board->columns, BOARD_BYTE_CELLS);
    for (unsigned cell = 0; cell < BOARD_BYTE_CELLS; cell++)
        board->place[cell] = BOARD_NO_PLACE;
    for (unsigned i = 0; i < drawing->cells; i++) {
        const struct drawn_cell *cell = &drawing->cell[i];
        const unsigned spare = drawing->longest - drawing->length[cell->row];
        const unsigned column = staggered ? spare + 2u * cell->number : spare / 2 + cell->number;
        if (!cell->hole)
            continue;
        if (board->places == PEG_MAX_HOLES)
            return node_error_at(error, drawing->node, cell->offset, "the board has more than %d holes", PEG_MAX_HOLES);
        const unsigned at = cell->row * board->columns + column;
        board->cell[board->places] = (uint16_t)at;
        board->place[at] = board->places++;
    }
    peg->holes = board->places;
    return PDB_OK;
}

/* -- jumps by direction -- */

enum { ORTHOGONAL = 1, DIAGONAL = 2, TRIANGULAR = 4 };

static const char *const direction_names[] = {"orthogonal", "diagonal", "triangular", NULL};

/* Adds the directions that a text names to the set. */
static pdb_status read_direction_words(const struct node *node, unsigned *directions, pdb_error *error)
{
    const char *text;
    pdb_status status = node_as_text(node, &text, error);
    const char *word = text;
    for (size_t length; status == PDB_OK && (length = board_next_word(&word)) > 0; word += length) {
        unsigned d = 0;
        while (direction_names[d] != NULL &&
               (strlen(direction_names[d]) != length || memcmp(direction_names[d], word, length) != 0))
            d++;
        if (direction_names[d] == NULL)
            return node_error_at(error, node, (size_t)(word - text),
                                 "'%.*s' is no direction of jumps: there are orthogonal, diagonal and triangular",
                                 length < 40 ? (int)length : 40, word);
        *directions |= 1u << d;
    }
    return status;
}

/* The set of directions that 'jumps' names; none where it is a list hole by hole. */
static pdb_status read_directions(const struct node *jumps, unsigned *directions, pdb_error *error)
{
    pdb_status status = PDB_OK;
    *directions = 0;
    if (node_kind(jumps) == NODE_MAPPING)
        return PDB_OK;
    if (node_kind(jumps) == NODE_SCALAR)
        status = read_direction_words(jumps, directions, error);
    for (size_t i = 0; status == PDB_OK && i < node_count(jumps); i++)
        status = read_direction_words(node_item(jumps, i), directions, error);
    if (status == PDB_OK && *directions == 0)
        status = node_error(error, jumps, "'jumps' names no direction: there are orthogonal, diagonal and triangular");
    return status;
}

/* The hole `rows`, `columns` away from a hole. */
static uint16_t hole_at(const struct board *board, unsigned hole, int rows, int columns)
{
    const int row = board->cell[hole] / board->columns + rows, column = board->cell[hole] % board->columns + columns;
    if (row < 0 || column < 0 || row >= board->rows || column >= board->columns)
        return BOARD_NO_PLACE;
    return board->place[row * board->columns + column];
}

static void add_jumps(struct peg *peg, int rows, int columns)
{
    for (unsigned from = 0; from < peg->holes; from++) {
        const uint16_t over = hole_at(&peg->puzzle.board, from, rows, columns);
        const uint16_t to = hole_at(&peg->puzzle.board, from, 2 * rows, 2 * columns);
        if (over != BOARD_NO_PLACE && to != BOARD_NO_PLACE)
            peg->jump[peg->jumps++] = (struct peg_jump){(uint8_t)from, (uint8_t)over, (uint8_t)to};
    }
}

static void add_directions(struct peg *peg, unsigned directions, bool staggered)
{
    const int hop = staggered ? 2 : 1;
    for (int sign = -1; sign <= 1; sign += 2) {
        if (directions & (ORTHOGONAL | TRIANGULAR))
            add_jumps(peg, 0, sign * hop);
        if (directions & ORTHOGONAL)
            add_jumps(peg, sign * hop, 0);
        if (directions & (DIAGONAL | TRIANGULAR)) {
            add_jumps(peg, sign, sign);
            add_jumps(peg, sign, -sign);
        }
    }
}

pdb_status peg_read_shape(const struct node *picture, const struct node *jumps, struct peg *peg, pdb_error *error)
{
    struct drawing drawing;
    unsigned directions;
    pdb_status status = read_directions(jumps, &directions, error);
    if (status == PDB_OK)
        status = read_drawing(picture, &peg->puzzle.board, &drawing, error);
    if (status != PDB_OK)
        return status;
    const bool staggered = rows_differ_oddly(&drawing) || (directions & TRIANGULAR) != 0;
    status = lay_out(&drawing, staggered, peg, error);
    peg->puzzle.board.triangular = (directions & TRIANGULAR) != 0;
    if (status == PDB_OK)
        add_directions(peg, directions, staggered);
    return status;
}
