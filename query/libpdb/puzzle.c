/* puzzle.c -- the public interface to puzzles and boards (pdb.h), over lib's */
#include "solver.h"
#include "lib/error.h"
#include "lib/symmetries.h"

#include <stdlib.h>
#include <string.h>

_Static_assert((int)PDB_MAX_PLACES == BOARD_MAX_CELLS && (int)PDB_MAX_SIDE == BOARD_MAX_SIDE &&
                   (int)PDB_TEXT_MAX == BOARD_TEXT_MAX && (int)PDB_CODE_MAX == SYMBOL_CODE_MAX,
               "pdb.h and board.h agree");

pdb_status pdb_puzzle_load(const char *name_or_path, pdb_puzzle **puzzle, pdb_error *error)
{
    return catalog_load(name_or_path, puzzle, error);
}

pdb_status pdb_puzzle_read(const char *text, size_t length, const char *name, pdb_puzzle **puzzle, pdb_error *error)
{
    return catalog_read(text, length, name != NULL ? name : "definition", puzzle, error);
}

void pdb_puzzle_free(pdb_puzzle *puzzle)
{
    catalog_free(puzzle);
}

const char *pdb_builtin_name(size_t i)
{
    size_t known = 0;
    while (known < i && catalog_names[known] != NULL)
        known++;
    return catalog_names[known];
}

const char *pdb_puzzle_name(const pdb_puzzle *puzzle)
{
    return puzzle->name;
}

const char *pdb_puzzle_title(const pdb_puzzle *puzzle)
{
    return puzzle->title;
}

const char *pdb_puzzle_metric(const pdb_puzzle *puzzle)
{
    return puzzle->metric;
}

const char *pdb_puzzle_family(const pdb_puzzle *puzzle)
{
    return pdb_puzzle_enumerated(puzzle) ? puzzle->items->family->name : puzzle->moves->family->name;
}

uint64_t pdb_puzzle_states(const pdb_puzzle *puzzle)
{
    return puzzle->states;
}

double pdb_puzzle_size(const pdb_puzzle *puzzle)
{
    return puzzle->states != 0 ? (double)puzzle->states : puzzle->size;
}

bool pdb_puzzle_keyed(const pdb_puzzle *puzzle)
{
    return !pdb_puzzle_enumerated(puzzle) && puzzle->moves->keyed;
}

/* What boards are drawn on. */
static const struct board *drawn(const pdb_puzzle *puzzle)
{
    return puzzle->shown->picture != NULL ? puzzle->shown->picture : &puzzle->shown->board;
}

unsigned pdb_puzzle_rows(const pdb_puzzle *puzzle)
{
    return drawn(puzzle)->rows;
}

unsigned pdb_puzzle_columns(const pdb_puzzle *puzzle)
{
    return drawn(puzzle)->columns;
}

unsigned pdb_puzzle_places(const pdb_puzzle *puzzle)
{
    return puzzle->shown->board.places;
}

bool pdb_puzzle_triangular(const pdb_puzzle *puzzle)
{
    return drawn(puzzle)->triangular;
}

bool pdb_puzzle_joined(const pdb_puzzle *puzzle, unsigned from, unsigned to)
{
    const struct board *board = &puzzle->shown->board;
    const unsigned cells = (unsigned)board->rows * board->columns;
    return puzzle->shown->picture == NULL && from < cells && to < cells && board->place[from] != BOARD_NO_PLACE &&
           board->place[to] != BOARD_NO_PLACE &&
           puzzle->shown->family->position.joined(puzzle->shown, board->place[from], board->place[to]);
}

int pdb_board_at(const pdb_puzzle *puzzle, const pdb_board *board, unsigned row, unsigned column)
{
    const struct board *shape = drawn(puzzle);
    if (row >= shape->rows || column >= shape->columns)
        return -1;
    const uint16_t place = shape->place[row * shape->columns + column];
    if (place == BOARD_NO_PLACE)
        return -1;
    return shape == &puzzle->shown->board ? board->symbol[place]
                                          : puzzle->shown->family->position.show(puzzle->shown, board->symbol, place);
}

unsigned pdb_puzzle_symbols(const pdb_puzzle *puzzle)
{
    return drawn(puzzle)->symbols;
}

/* A wall has no symbol. It is drawn, but on boards where it means nothing to a reader. */
static const char *wall_text(const pdb_puzzle *puzzle)
{
    return drawn(puzzle)->bare ? " " : "#";
}

const char *pdb_symbol_code(const pdb_puzzle *puzzle, int symbol)
{
    return symbol < 0 ? wall_text(puzzle) : drawn(puzzle)->symbol[symbol].code;
}

const char *pdb_symbol_glyph(const pdb_puzzle *puzzle, int symbol)
{
    return symbol < 0 ? wall_text(puzzle) : drawn(puzzle)->symbol[symbol].glyph;
}

int pdb_symbol_kind(const pdb_puzzle *puzzle, int symbol)
{
    const struct board *shape = drawn(puzzle);
    return symbol < 0 || shape->symbol[symbol].kind == shape->empty ? -1 : shape->symbol[symbol].kind;
}

uint32_t pdb_symbol_colour(const pdb_puzzle *puzzle, int symbol)
{
    return symbol < 0 || symbol >= BOARD_MAX_SYMBOLS ? PDB_NO_COLOUR : puzzle->shown->looks.colour[symbol];
}

const char *pdb_symbol_legend(const pdb_puzzle *puzzle, int symbol)
{
    return symbol < 0 || symbol >= BOARD_MAX_SYMBOLS ? "" : puzzle->shown->looks.legend[symbol];
}

bool pdb_puzzle_exit(const pdb_puzzle *puzzle, pdb_side side, unsigned at)
{
    return side < PDB_SIDES && at < BOARD_MAX_SIDE && (puzzle->shown->looks.exit[side] >> at & 1);
}

unsigned pdb_symbol_bar(const pdb_puzzle *puzzle, int symbol)
{
    return symbol < 0 || symbol >= BOARD_MAX_SYMBOLS ? 0 : puzzle->shown->looks.bar[symbol];
}

const char *pdb_symbol_shape(const pdb_puzzle *puzzle, int symbol)
{
    const char *shape = symbol < 0 || symbol >= BOARD_MAX_SYMBOLS ? NULL : puzzle->shown->looks.shape[symbol];
    return shape != NULL ? shape : "";
}

bool pdb_puzzle_frame(const pdb_puzzle *puzzle, unsigned i, pdb_frame *frame)
{
    const struct puzzle_looks *looks = &puzzle->shown->looks;
    if (i >= looks->frames)
        return false;
    *frame = (pdb_frame){looks->frame[i].top, looks->frame[i].left, looks->frame[i].bottom, looks->frame[i].right};
    return true;
}

unsigned pdb_puzzle_bars(const pdb_puzzle *puzzle)
{
    return puzzle->shown->looks.bars;
}

pdb_net pdb_puzzle_net(const pdb_puzzle *puzzle)
{
    return puzzle->shown->net;
}

const char *pdb_cell_name(const pdb_puzzle *puzzle, unsigned row, unsigned column)
{
    const struct board *board = &puzzle->shown->board;
    if (puzzle->shown->picture != NULL || row >= board->rows || column >= board->columns)
        return NULL;
    const uint16_t place = board->place[row * board->columns + column];
    return place == BOARD_NO_PLACE ? NULL : puzzle->shown->family->position.name(puzzle->shown, place);
}

/* In a picture every cell that is not empty has a piece of its own. */
static void number_shown(const pdb_puzzle *puzzle, const pdb_board *board, uint16_t *piece)
{
    const struct board *shape = drawn(puzzle);
    uint16_t pieces = 0;
    for (unsigned cell = 0; cell < (unsigned)shape->rows * shape->columns; cell++) {
        const int symbol = pdb_board_at(puzzle, board, cell / shape->columns, cell % shape->columns);
        piece[cell] = pdb_symbol_kind(puzzle, symbol) < 0 ? PDB_NO_PIECE : pieces++;
    }
}

void pdb_board_pieces(const pdb_puzzle *puzzle, const pdb_board *board, uint16_t *piece)
{
    if (puzzle->shown->picture != NULL) {
        number_shown(puzzle, board, piece);
        return;
    }
    const struct board *shape = &puzzle->shown->board;
    uint16_t on_place[BOARD_MAX_CELLS];
    puzzle->shown->family->position.pieces(puzzle->shown, board->symbol, on_place);
    for (unsigned cell = 0; cell < (unsigned)shape->rows * shape->columns; cell++)
        piece[cell] = shape->place[cell] == BOARD_NO_PLACE ? PDB_NO_PIECE : on_place[shape->place[cell]];
}

pdb_status pdb_board_parse(const pdb_puzzle *puzzle, const char *text, pdb_board *board, pdb_error *error)
{
    memset(board, 0, sizeof *board);
    pdb_status status = catalog_check_boards(puzzle, error);
    return status != PDB_OK ? status : puzzle_parse(puzzle->moves, text, board->symbol, error);
}

const char *pdb_puzzle_board_name(const pdb_puzzle *puzzle, size_t i)
{
    return i < puzzle->shown->named_count ? puzzle->shown->named[i].name : NULL;
}

void pdb_board_format(const pdb_puzzle *puzzle, const pdb_board *board, char *text)
{
    board_format(&puzzle->shown->board, board->symbol, text);
}

void pdb_puzzle_goal(const pdb_puzzle *puzzle, char *text)
{
    board_format(&puzzle->shown->board, puzzle->shown->goal, text);
}

bool pdb_puzzle_goal_cells(const pdb_puzzle *puzzle, int *symbol, uint16_t *piece)
{
    const struct board *shape = drawn(puzzle), *board = &puzzle->shown->board;
    unsigned open = 0;
    pdb_board goal = {.symbol = {0}};
    for (unsigned place = 0; place < board->places; place++) {
        const bool any = puzzle->shown->goal[place] == BOARD_OPEN;
        goal.symbol[place] = any ? board->empty : puzzle->shown->goal[place];
        open += any;
    }
    if (open == board->places || (open > 0 && shape != board)) /* a picture is of a whole board */
        return false;
    pdb_board_pieces(puzzle, &goal, piece);
    for (unsigned cell = 0; cell < (unsigned)shape->rows * shape->columns; cell++) {
        const uint16_t place = shape->place[cell];
        const bool any = shape == board && place != BOARD_NO_PLACE && puzzle->shown->goal[place] == BOARD_OPEN;
        symbol[cell] = any ? PDB_ANYTHING : pdb_board_at(puzzle, &goal, cell / shape->columns, cell % shape->columns);
        if (any)
            piece[cell] = PDB_NO_PIECE;
    }
    return true;
}

bool pdb_puzzle_enumerated(const pdb_puzzle *puzzle)
{
    return puzzle->items != NULL;
}

const char *pdb_puzzle_items(const pdb_puzzle *puzzle)
{
    return pdb_puzzle_enumerated(puzzle) ? puzzle->items->family->items : NULL;
}

const char *pdb_puzzle_unit(const pdb_puzzle *puzzle)
{
    return pdb_puzzle_enumerated(puzzle) ? puzzle->metric : NULL;
}

bool pdb_question_is_part(const pdb_puzzle *puzzle, const char *text)
{
    return pdb_puzzle_enumerated(puzzle) && puzzle->items->family->is_part(text);
}

uint32_t pdb_puzzle_max_cost(const pdb_puzzle *puzzle)
{
    return puzzle_max_cost(puzzle->shown);
}

unsigned pdb_puzzle_symmetries(const pdb_puzzle *puzzle)
{
    struct symmetries symmetries;
    if (puzzle->moves == NULL)
        return 1;
    symmetries_find(puzzle->shown, &symmetries);
    return symmetries.count;
}

bool pdb_puzzle_unordered(const pdb_puzzle *puzzle)
{
    return puzzle->shown->unordered;
}

bool pdb_board_sketch(const pdb_puzzle *puzzle, const pdb_board *board, char *text)
{
    return puzzle->shown->family->position.sketch(puzzle->shown, board->symbol, text);
}

void pdb_board_hidden(const pdb_puzzle *puzzle, const pdb_board *board, char *text)
{
    puzzle->shown->family->position.hidden(puzzle->shown, board->symbol, text);
}

pdb_status puzzle_check_symbols(const pdb_puzzle *puzzle, const pdb_board *board, pdb_error *error)
{
    pdb_status status = catalog_check_boards(puzzle, error);
    for (unsigned place = 0; status == PDB_OK && place < puzzle->shown->board.places; place++)
        if (board->symbol[place] >= puzzle->shown->board.symbols)
            return error_set(error, PDB_BAD_BOARD, "this is no board of %s: it has a symbol number %u", puzzle->name,
                             board->symbol[place]);
    return status;
}

pdb_status puzzle_check_board(const pdb_puzzle *puzzle, const pdb_board *board, pdb_error *error)
{
    pdb_status status = puzzle_check_symbols(puzzle, board, error);
    return status != PDB_OK ? status : puzzle->moves->family->position.check(puzzle->moves, board->symbol, error);
}

void moves_forget(pdb_moves *moves)
{
    for (size_t i = 0; i < moves->count; i++) {
        moves->move[i].distance = PDB_NO_DISTANCE;
        moves->move[i].optimal = false;
    }
}

pdb_status pdb_board_moves(const pdb_puzzle *puzzle, const pdb_board *board, pdb_moves *moves, pdb_error *error)
{
    moves->count = 0;
    pdb_status status = puzzle_check_board(puzzle, board, error);
    if (status == PDB_OK)
        status = puzzle->moves->family->position.moves(puzzle->moves, board->symbol, moves, error);
    moves_forget(moves);
    return status;
}

bool pdb_board_is_goal(const pdb_puzzle *puzzle, const pdb_board *board)
{
    return puzzle_check_board(puzzle, board, NULL) == PDB_OK &&
           puzzle->moves->family->position.is_goal(puzzle->moves, board->symbol);
}

pdb_status pdb_path_format(const pdb_puzzle *puzzle, const pdb_move *path, uint32_t steps, bool back, char **text,
                           pdb_error *error)
{
    const struct puzzle *moves = puzzle->shown;
    const size_t bytes = (size_t)steps * (PDB_MOVE_TEXT_MAX + 2) + 1;
    char inverse[PDB_MOVE_TEXT_MAX], *at;
    bool known = moves->family->position.inverse != NULL, words = false;
    *text = known ? malloc(bytes) : NULL;
    if (known && *text == NULL)
        return error_no_memory(error, "a solution as one line", bytes);
    for (uint32_t i = 0; i < steps; i++) /* names of several words are told apart by commas */
        words |= strchr(path[i].text, ' ') != NULL;
    at = *text;
    for (uint32_t i = 0; known && i < steps; i++) {
        known = moves->family->position.inverse(moves, path[back ? steps - 1 - i : i].text, inverse);
        if (i > 0)
            at = stpcpy(at, words ? ", " : " ");
        at = stpcpy(at, back ? inverse : path[i].text);
    }
    if (known) {
        *at = '\0';
    } else {
        free(*text);
        *text = NULL;
    }
    return PDB_OK;
}

void pdb_moves_free(pdb_moves *moves)
{
    free(moves->move);
    *moves = (pdb_moves){0};
}
