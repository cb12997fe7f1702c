/* definition.c -- reads a walking puzzle's definition */
#include "walk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- board and pieces -- */

static uint8_t cell_symbol(const struct board *board, const struct picture *picture, unsigned cell)
{
    if (picture_cell_empty(picture, cell))
        return board->empty;
    return board_symbol(board, picture->text + picture->cell[cell].offset, picture->cell[cell].length);
}

/* Symbols of the whole picture, and how many there are of each. An empty place is "0" among numbers and "." among
 * letters. */
static pdb_status read_pieces(struct walk *walk, const struct picture *picture, pdb_error *error)
{
    struct board *board = &walk->puzzle.board;
    bool numeric = true;
    unsigned empties = 0;
    for (unsigned place = 0; place < board->places; place++) {
        const unsigned cell = board->cell[place];
        if (picture_cell_empty(picture, cell)) {
            empties++;
            continue;
        }
        if (picture_cell_is(picture, cell, '*'))
            return picture_error(
                error, picture, cell,
                "an open cell (*) in the picture that has to show every piece: give the whole board under 'board'");
        const char *code = picture->text + picture->cell[cell].offset;
        const size_t length = picture->cell[cell].length;
        uint8_t symbol = board_symbol(board, code, length);
        pdb_error cause;
        if (symbol == BOARD_OPEN && board_add_symbol(board, code, length, &symbol, &cause) != PDB_OK)
            return picture_error(error, picture, cell, "%s", cause.message);
        walk->count[symbol]++;
        for (size_t i = 0; i < length; i++)
            numeric &= code[i] >= '0' && code[i] <= '9';
    }
    if (empties == 0)
        return node_error(error, picture->node, "the board has no empty place ('.'): nothing can move");
    if (empties == board->places)
        return node_error(error, picture->node, "there is no piece on the board");
    pdb_status status = board_add_symbol(board, numeric ? "0" : ".", 1, &board->empty, error);
    if (status == PDB_OK)
        walk->count[board->empty] = (uint16_t)empties;
    return status;
}

/* The goal: a pattern of the board's shape, `*` where anything may stand. It may have no more of a piece than there is,
 * and, without open cells, no fewer. */
static pdb_status read_goal(struct walk *walk, const struct node *node, pdb_error *error)
{
    struct board *board = &walk->puzzle.board;
    struct picture picture;
    uint16_t count[BOARD_MAX_SYMBOLS] = {0};
    bool open = false;
    pdb_status status = board_read_picture(node, "goal", "the goal:", board, &picture, error);
    if (status != PDB_OK)
        return status;
    for (unsigned place = 0; place < board->places; place++) {
        const unsigned cell = board->cell[place];
        walk->puzzle.goal[place] = BOARD_OPEN;
        if (picture_cell_is(&picture, cell, '*')) {
            open = true;
            continue;
        }
        const uint8_t symbol = cell_symbol(board, &picture, cell);
        if (symbol == BOARD_OPEN)
            return picture_error(error, &picture, cell, "'%.*s' does not stand on the board", picture.cell[cell].length,
                                 picture.text + picture.cell[cell].offset);
        if (++count[symbol] > walk->count[symbol])
            return picture_error(error, &picture, cell, "the goal has more of '%s' than the board, which has %u",
                                 board->symbol[symbol].code, walk->count[symbol]);
        walk->puzzle.goal[place] = symbol;
    }
    for (unsigned symbol = 0; !open && symbol < board->symbols; symbol++)
        if (count[symbol] != walk->count[symbol])
            return node_error(error, node, "the goal has %u of '%s', the board %u", count[symbol],
                              board->symbol[symbol].code, walk->count[symbol]);
    return PDB_OK;
}

/* -- moves -- */

/* How a chess piece steps: by (a, b) and everything that mirrors and turns make of it. */
struct gait {
    const char *name;
    const char *metric;
    int8_t leap[2][2];
    unsigned leaps;
};

static const struct gait gaits[] = {
    {"king", "one step of one king", {{0, 1}, {1, 1}}, 2},
    {"knight", "one move of one knight", {{1, 2}}, 1},
    {"rook by one", "one piece by one cell along a row or column", {{0, 1}}, 1},
    {"bishop by one", "one piece by one cell along a diagonal", {{1, 1}}, 1},
};

enum { GAITS = sizeof gaits / sizeof gaits[0] };

static void add_step(struct walk *walk, unsigned place, int rows, int columns)
{
    const struct board *board = &walk->puzzle.board;
    const int row = board->cell[place] / board->columns + rows, column = board->cell[place] % board->columns + columns;
    if (row < 0 || column < 0 || row >= board->rows || column >= board->columns)
        return;
    const uint16_t to = board->place[row * board->columns + column];
    if (to != BOARD_NO_PLACE)
        walk->arc[place][to] = true;
}

static void add_leaps(struct walk *walk, int a, int b)
{
    for (unsigned place = 0; place < walk->puzzle.board.places; place++)
        for (int signs = 0; signs < 4; signs++) {
            const int x = signs & 1 ? -a : a, y = signs & 2 ? -b : b;
            add_step(walk, place, x, y);
            add_step(walk, place, y, x);
        }
}

/* 'piece': a name of a gait, or a leap [rows, columns] of one's own. */
static pdb_status read_piece(struct walk *walk, const struct node *node, pdb_error *error)
{
    if (node == NULL)
        return PDB_OK;
    if (node_kind(node) == NODE_SEQUENCE) {
        int64_t leap[2] = {0, 0};
        if (node_count(node) != 2)
            return node_error(error, node, "a leap has two numbers: [rows, columns]");
        for (unsigned i = 0; i < 2; i++) {
            pdb_status status = node_as_integer(node_item(node, i), 0, BOARD_MAX_SIDE - 1, &leap[i], error);
            if (status != PDB_OK)
                return status;
        }
        if (leap[0] == 0 && leap[1] == 0)
            return node_error(error, node, "a leap of no rows and no columns leads nowhere");
        add_leaps(walk, (int)leap[0], (int)leap[1]);
        walk->puzzle.metric = "one leap of one piece";
        return PDB_OK;
    }
    const char *names[GAITS + 1] = {NULL};
    for (unsigned g = 0; g < GAITS; g++)
        names[g] = gaits[g].name;
    unsigned choice;
    pdb_status status = node_as_choice(node, names, &choice, error);
    for (unsigned l = 0; status == PDB_OK && l < gaits[choice].leaps; l++)
        add_leaps(walk, gaits[choice].leap[l][0], gaits[choice].leap[l][1]);
    if (status == PDB_OK)
        walk->puzzle.metric = gaits[choice].metric;
    return status;
}

/* 'edges' or 'one-way': a list of chains of places; each is joined to the next. */
static pdb_status read_edges(struct walk *walk, const struct node *node, bool both, pdb_error *error)
{
    if (node == NULL)
        return PDB_OK;
    if (node_kind(node) != NODE_SEQUENCE)
        return node_error(error, node, "this has to be a list of edges, each with the places that it joins: - a b");
    struct place_list chain;
    for (size_t i = 0; i < node_count(node); i++) {
        const struct node *entry = node_item(node, i);
        pdb_status status = places_read_row(entry, &walk->puzzle.board, &walk->names, &chain, error);
        if (status != PDB_OK)
            return status;
        if (chain.count < 2)
            return node_error(error, entry, "an edge joins two places, or a chain of more: a b");
        for (unsigned k = 1; k < chain.count; k++) {
            if (chain.place[k] == chain.place[k - 1])
                return node_error_at(error, chain.node[k], chain.offset[k], "this edge joins '%s' to itself",
                                     walk->names.name[chain.place[k]]);
            walk->arc[chain.place[k - 1]][chain.place[k]] = true;
            if (both)
                walk->arc[chain.place[k]][chain.place[k - 1]] = true;
        }
    }
    walk->puzzle.metric = "one piece along one edge";
    return PDB_OK;
}

static pdb_status read_moves(struct walk *walk, const struct node *root, pdb_error *error)
{
    const struct node *piece = node_find(root, "piece"), *edges = node_find(root, "edges"),
                      *one_way = node_find(root, "one-way");
    if (piece == NULL && edges == NULL && one_way == NULL)
        return node_error(error, root,
                          "nothing says how pieces move: give 'piece' (knight, king, ..), 'edges' or 'one-way'");
    walk->graph = edges != NULL || one_way != NULL;
    pdb_status status = read_edges(walk, edges, true, error);
    if (status == PDB_OK)
        status = read_edges(walk, one_way, false, error);
    if (status == PDB_OK)
        status = read_piece(walk, piece, error);
    if (piece != NULL && (edges != NULL || one_way != NULL))
        walk->puzzle.metric = "one move of one piece";
    if (status != PDB_OK)
        return status;
    if (memchr(walk->arc, 1, sizeof walk->arc) == NULL)
        return node_error(error, piece != NULL ? piece : root, "no piece can move anywhere on this board");
    walk->puzzle.undoable = true;
    for (unsigned p = 0; p < walk->puzzle.board.places; p++)
        for (unsigned q = 0; q < p; q++)
            walk->puzzle.undoable &= walk->arc[p][q] == walk->arc[q][p];
    return PDB_OK;
}

pdb_status walk_read(const struct definition *definition, struct walk *walk, pdb_error *error)
{
    const struct node *root = definition_root(definition);
    const struct node *goal, *board = node_find(root, "board"), *places = node_find(root, "places");
    struct picture picture;
    pdb_status status = node_require(root, "goal", &goal, error);
    if (status == PDB_OK)
        status = picture_read(board != NULL ? board : goal, &picture, error);
    if (status == PDB_OK)
        status = board_lay_out(&picture, BOARD_MAX_CELLS, &walk->puzzle.board, error);
    if (status == PDB_OK)
        status = read_pieces(walk, &picture, error);
    if (status == PDB_OK)
        status = board_read_glyphs(root, NULL, &walk->puzzle.board, error);
    if (status == PDB_OK)
        status = read_goal(walk, goal, error);
    if (status == PDB_OK)
        status = places_read_names(places, &walk->puzzle.board, &walk->names, error);
    walk->named = places != NULL || walk->puzzle.board.rows == 1;
    if (status == PDB_OK)
        status = read_moves(walk, root, error);
    return status;
}
