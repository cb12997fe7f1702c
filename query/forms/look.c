/* look.c -- what a page takes to draw boards and to play, as JSON: the puzzle's cells, symbols and figures; a board and
 * where its moves lead */
#include "json.h"
#include "lib/text.h"
#include "query/forms/svg/board.h"

#include <stdlib.h>
#include <string.h>

/* More numbers and characters than these are not sent for the boards of all moves: they are left out. */
enum { DRAWN_NUMBERS_MAX = 1000000 };

static unsigned cells_of(const pdb_puzzle *puzzle)
{
    return pdb_puzzle_rows(puzzle) * pdb_puzzle_columns(puzzle);
}

/* -- the puzzle -- */

/* "#rrggbb", null for no colour. */
static json_t *colour_json(uint32_t colour)
{
    return colour == PALETTE_NONE ? json_null() : json_sprintf("#%06x", (unsigned)colour);
}

static json_t *symbol_json(const struct drawing *drawing, int symbol)
{
    const int kind = pdb_symbol_kind(drawing->puzzle, symbol);
    const uint32_t colour = palette_colour(&drawing->palette, symbol);
    const char *legend = pdb_symbol_legend(drawing->puzzle, symbol);
    const char *shape = pdb_symbol_shape(drawing->puzzle, symbol);
    const int bar = (int)pdb_symbol_bar(drawing->puzzle, symbol);
    return json_pack("{ss,ss,so,sb,so,so,ss*,ss*,ss*,so*}", "code", pdb_symbol_code(drawing->puzzle, symbol), "glyph",
                     pdb_symbol_glyph(drawing->puzzle, symbol), "kind", kind < 0 ? json_null() : json_integer(kind),
                     "mark", draw_is_mark(drawing, symbol), "colour", colour_json(colour), "ink",
                     colour == PALETTE_NONE ? json_null() : colour_json(palette_ink(colour)), "legend",
                     *legend != '\0' ? legend : NULL, "shape", *shape != '\0' ? shape : NULL, "figure",
                     svg_figure(shape), "bar",
                     bar > 0 ? json_real((double)bar / pdb_puzzle_bars(drawing->puzzle)) : NULL);
}

/* Where a way leads out of the board. */
static json_t *exits_json(const pdb_puzzle *puzzle)
{
    static const char *const names[] = {
        [PDB_TOP] = "top", [PDB_RIGHT] = "right", [PDB_BOTTOM] = "bottom", [PDB_LEFT] = "left"};
    json_t *array = json_array();
    for (unsigned side = 0; side < PDB_SIDES; side++)
        for (unsigned at = 0; at < PDB_MAX_SIDE; at++)
            if (pdb_puzzle_exit(puzzle, (pdb_side)side, at))
                json_append(&array, json_pack("{ss,si}", "side", names[side], "at", (int)at));
    return array;
}

/* Cells that have a frame around them. */
static json_t *frames_json(const pdb_puzzle *puzzle)
{
    json_t *array = json_array();
    pdb_frame frame;
    for (unsigned i = 0; pdb_puzzle_frame(puzzle, i, &frame); i++)
        json_append(&array, json_pack("{si,si,si,si}", "top", (int)frame.top, "left", (int)frame.left, "bottom",
                                      (int)frame.bottom, "right", (int)frame.right));
    return array;
}

/* What stands on the cells: symbols, and `null` where anything may; and the numbers of the pieces there. */
static void put_drawn(json_t **object, const char *cells_name, const char *pieces_name, unsigned count,
                      const int *symbol, const uint16_t *piece)
{
    json_t *cells = json_array(), *pieces = json_array();
    for (unsigned cell = 0; cell < count; cell++) {
        json_append(&cells, symbol[cell] == PDB_ANYTHING ? json_null() : json_integer(symbol[cell]));
        json_append(&pieces, json_integer(piece[cell] == PDB_NO_PIECE ? -1 : piece[cell]));
    }
    json_put(object, cells_name, cells);
    json_put(object, pieces_name, pieces);
}

/* The lines of a board that is a graph. */
static json_t *joined_json(const pdb_puzzle *puzzle)
{
    json_t *array = json_array();
    for (unsigned from = 0; from < cells_of(puzzle); from++)
        for (unsigned to = 0; to < cells_of(puzzle); to++)
            if (pdb_puzzle_joined(puzzle, from, to))
                json_append(&array, json_pack("[ii]", (int)from, (int)to));
    return array;
}

/* The boards that have names. */
static json_t *named_json(const pdb_puzzle *puzzle)
{
    json_t *object = json_object();
    pdb_board board;
    const char *name = "goal"; /* which may be many boards */
    for (size_t i = 0; name != NULL; name = pdb_puzzle_board_name(puzzle, i++))
        if (pdb_board_parse(puzzle, name, &board, NULL) == PDB_OK)
            json_put(&object, name, json_board(puzzle, &board));
    return object;
}

static void put_look(const struct asked *asked, json_t **object)
{
    static const char *const net_names[] = {
        [PDB_SQUARES] = "squares", [PDB_TRIANGLES] = "triangles", [PDB_DIAMONDS] = "diamonds"};
    const pdb_puzzle *puzzle = asked->puzzle;
    const pdb_net net = pdb_puzzle_net(puzzle);
    char goal[PDB_TEXT_MAX];
    int symbol[PDB_MAX_PLACES];
    uint16_t piece[PDB_MAX_PLACES];
    json_t *symbols = json_array();
    for (unsigned i = 0; i < pdb_puzzle_symbols(puzzle); i++)
        json_append(&symbols, symbol_json(&asked->drawing, (int)i));
    pdb_puzzle_goal(puzzle, goal);
    json_put(object, "goal", json_string(goal));
    if (pdb_puzzle_goal_cells(puzzle, symbol, piece))
        put_drawn(object, "goal_cells", "goal_pieces", cells_of(puzzle), symbol, piece);
    json_put(object, "named", named_json(puzzle));
    json_put(object, "rows", json_integer(pdb_puzzle_rows(puzzle)));
    json_put(object, "columns", json_integer(pdb_puzzle_columns(puzzle)));
    json_put(object, "symbols", symbols);
    json_put(object, "walls", json_boolean(*pdb_symbol_code(puzzle, -1) != ' '));
    json_put(object, "triangular", json_boolean(pdb_puzzle_triangular(puzzle)));
    json_put(object, "net", net != PDB_NO_NET ? json_string(net_names[net]) : json_null());
    json_put(object, "joined", joined_json(puzzle));
    json_put(object, "exits", exits_json(puzzle));
    json_put(object, "frames", frames_json(puzzle));
}

/* How far its boards are from the goal; null where nobody has found out. */
static void put_figures(const struct asked *asked, json_t **object)
{
    pdb_info info;
    asked_info(asked, &info);
    const bool known = info.histogram != NULL;
    json_put(object, "method", asked->solver != NULL ? json_string(method_name(asked)) : json_null());
    json_put(object, "states", known ? json_integer((json_int_t)info.reachable) : json_null());
    json_put(object, "max", known ? json_integer(info.max) : json_null());
    json_put(object, "hardest", known ? json_integer((json_int_t)info.hardest) : json_null());
    json_put(object, "mean", known ? json_real(mean_distance(&info)) : json_null());
    if (info.search != NULL)
        json_put(object, "search", json_string(info.search));
    if (*info.definition != '\0')
        json_put(object, "definition", json_string(info.definition));
    if (info.file != NULL)
        json_put(object, "content", json_string(info.content));
}

/* What a list of puzzles says. */
static json_t *summary_json(const struct asked *asked)
{
    const pdb_puzzle *puzzle = asked->puzzle;
    const double size = pdb_puzzle_size(puzzle), exact = (double)(1ull << 53);
    json_t *object = json_object_for(asked);
    json_put(&object, "title", json_string(pdb_puzzle_title(puzzle)));
    json_put(&object, "family", json_string(pdb_puzzle_family(puzzle)));
    json_put(&object, "boards", json_boolean(!pdb_puzzle_enumerated(puzzle)));
    json_put(&object, "start", json_boolean(pdb_board_parse(puzzle, "start", &(pdb_board){0}, NULL) == PDB_OK));
    json_put(&object, "size",
             size <= 0 || pdb_puzzle_keyed(puzzle) ? json_null()
             : size <= exact                       ? json_integer((json_int_t)size)
                                                   : json_real(size));
    return object;
}

pdb_status json_summary(const struct asked *asked, FILE *out, pdb_error *error)
{
    return json_write(summary_json(asked), out, error);
}

pdb_status json_puzzle(const struct asked *asked, FILE *out, pdb_error *error)
{
    const pdb_puzzle *puzzle = asked->puzzle;
    json_t *object = summary_json(asked);
    json_put(&object, "metric", json_string(pdb_puzzle_metric(puzzle)));
    if (!pdb_puzzle_enumerated(puzzle)) {
        json_put(&object, "unordered", json_boolean(pdb_puzzle_unordered(puzzle)));
        json_put(&object, "max_cost", json_integer(pdb_puzzle_max_cost(puzzle)));
        put_look(asked, &object);
    } else {
        json_put(&object, "items", json_string(pdb_puzzle_items(puzzle)));
        json_put(&object, "unit", json_string(pdb_puzzle_unit(puzzle)));
    }
    put_figures(asked, &object);
    return json_write(object, out, error);
}

/* -- a board and its moves -- */

/* What stands on the cells, which of them are one piece, and the lines of a drawing of the puzzle's own. */
static void put_cells(const pdb_puzzle *puzzle, const pdb_board *board, json_t **object)
{
    const unsigned columns = pdb_puzzle_columns(puzzle);
    int symbol[PDB_MAX_PLACES];
    uint16_t piece[PDB_MAX_PLACES];
    char sketch[PDB_TEXT_MAX], hidden[PDB_TEXT_MAX];
    pdb_board_pieces(puzzle, board, piece);
    for (unsigned cell = 0; cell < cells_of(puzzle); cell++)
        symbol[cell] = pdb_board_at(puzzle, board, cell / columns, cell % columns);
    put_drawn(object, "cells", "pieces", cells_of(puzzle), symbol, piece);
    pdb_board_hidden(puzzle, board, hidden);
    if (*hidden != '\0')
        json_put(object, "hidden", json_string(hidden));
    if (!pdb_board_sketch(puzzle, board, sketch))
        return;
    json_t *lines = json_array();
    for (char *rest = sketch, *line; (line = strsep(&rest, "\n")) != NULL;)
        if (rest != NULL || *line != '\0')
            json_append(&lines, json_string(line));
    json_put(object, "sketch", lines);
}

static json_t *move_json(const pdb_puzzle *puzzle, const pdb_move *move, bool drawn)
{
    json_t *object = json_pack("{ss,ss,so,so,sb}", "move", move->text, "piece", move->piece, "from",
                               move->from == PDB_NO_CELL ? json_null() : json_integer(move->from), "board",
                               json_board(puzzle, &move->board), "solved", pdb_board_is_goal(puzzle, &move->board));
    if (pdb_puzzle_max_cost(puzzle) > 1)
        json_put(&object, "cost", json_integer(move->cost));
    if (drawn)
        put_cells(puzzle, &move->board, &object);
    return object;
}

pdb_status json_moves(const struct asked *asked, const pdb_board *board, FILE *out, pdb_error *error)
{
    const pdb_puzzle *puzzle = asked->puzzle;
    pdb_moves moves = {0};
    pdb_status status = pdb_board_moves(puzzle, board, &moves, error);
    if (status == PDB_OK) {
        json_t *object = json_object_for(asked), *array = json_array();
        char text[PDB_TEXT_MAX];
        size_t each = 2 * cells_of(puzzle) + (pdb_board_sketch(puzzle, board, text) ? strlen(text) : 0);
        pdb_board_hidden(puzzle, board, text);
        each += strlen(text);
        const bool drawn = moves.count * each <= DRAWN_NUMBERS_MAX;
        json_put(&object, "board", json_board(puzzle, board));
        json_put(&object, "solved", json_boolean(pdb_board_is_goal(puzzle, board)));
        put_cells(puzzle, board, &object);
        for (size_t i = 0; i < moves.count && array != NULL; i++)
            json_append(&array, move_json(puzzle, &moves.move[i], drawn));
        json_put(&object, "moves", array);
        status = json_write(object, out, error);
    }
    pdb_moves_free(&moves);
    return status;
}
