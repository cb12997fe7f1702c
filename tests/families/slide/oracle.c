/*
 * The independent oracle for sliding-piece puzzles; oracle.h says what it promises.
 *
 * The table's boards lie one after another in the order in which they were found. That array is the BFS's queue as
 * well: the boards behind the reading position are done, those after it wait. The hash table holds only positions in
 * that array.
 */
#include "oracle.h"
#include "tests/support/oracle_boards.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_PIECE = -1, NO_KIND = -1 };

struct oracle_table {
    struct oracle_slide puzzle;
    int cells; /* bytes of a board */
    struct oracle_boards *boards;
    size_t *histogram;
    uint64_t *paths; /* one a board, NULL until somebody asks */
};

/* A board cut into its pieces. */
struct pieces {
    int count;
    struct {
        int kind, row, column; /* of its first cell */
    } piece[ORACLE_CELLS];
    int owner[ORACLE_CELLS]; /* the piece on each cell, or NO_PIECE */
};

/* ---- memory ---- */

static void *resized(void *memory, size_t count, size_t size)
{
    void *result = reallocarray(memory, count, size);
    if (result == NULL && count > 0) {
        fprintf(stderr, "oracle_slide: no memory for %zu entries of %zu bytes\n", count, size);
        abort();
    }
    return result;
}

/* ---- writing a puzzle down ---- */

static bool size_is_sound(int rows, int columns)
{
    return rows >= 1 && columns >= 1 && rows <= ORACLE_CELLS && columns <= ORACLE_CELLS &&
           rows * columns <= ORACLE_CELLS;
}

static size_t board_size(const struct oracle_slide *puzzle)
{
    return (size_t)(puzzle->rows * puzzle->columns);
}

void oracle_begin(struct oracle_slide *puzzle, int rows, int columns, const unsigned char *inventory)
{
    memset(puzzle, 0, sizeof *puzzle);
    puzzle->rows = rows;
    puzzle->columns = columns;
    if (size_is_sound(rows, columns))
        memcpy(puzzle->inventory, inventory, board_size(puzzle));
}

void oracle_add_block(struct oracle_slide *puzzle, int rows, int columns, const unsigned char *symbols)
{
    /* What does not fit is counted but not stored, so that oracle_problem sees the count. */
    if (puzzle->kinds++ >= ORACLE_KINDS)
        return;
    struct oracle_piece_kind *kind = &puzzle->kind[puzzle->kinds - 1];
    for (int row = 0; row < rows; row++)
        for (int column = 0; column < columns; column++) {
            if (kind->cells++ >= ORACLE_PIECE_CELLS)
                return;
            kind->row[kind->cells - 1] = row;
            kind->column[kind->cells - 1] = column;
            kind->symbol[kind->cells - 1] = symbols[row * columns + column];
        }
}

void oracle_add_unit(struct oracle_slide *puzzle, unsigned char symbol)
{
    oracle_add_block(puzzle, 1, 1, &symbol);
}

void oracle_add_goal(struct oracle_slide *puzzle, const unsigned char *goal)
{
    if (puzzle->goals++ < ORACLE_GOALS && size_is_sound(puzzle->rows, puzzle->columns))
        memcpy(puzzle->goal[puzzle->goals - 1], goal, board_size(puzzle));
}

/* ---- the rules ---- */

static bool on_board(const struct oracle_slide *puzzle, int row, int column)
{
    return row >= 0 && row < puzzle->rows && column >= 0 && column < puzzle->columns;
}

/* The kind that each of the 256 symbols belongs to, or NO_KIND. */
static void find_kinds(const struct oracle_slide *puzzle, int kind_of[256])
{
    for (int symbol = 0; symbol < 256; symbol++)
        kind_of[symbol] = NO_KIND;
    for (int kind = 0; kind < puzzle->kinds; kind++)
        for (int i = 0; i < puzzle->kind[kind].cells; i++)
            kind_of[puzzle->kind[kind].symbol[i]] = kind;
}

/* Cuts a board into pieces. In reading order, the first cell that no piece covers yet must be the first cell of its
 * piece. False when the board cannot be cut so. */
static bool cut(const struct oracle_slide *puzzle, const int kind_of[256], const unsigned char *board,
                struct pieces *pieces)
{
    pieces->count = 0;
    for (int cell = 0; cell < puzzle->rows * puzzle->columns; cell++)
        pieces->owner[cell] = NO_PIECE;

    for (int row = 0; row < puzzle->rows; row++)
        for (int column = 0; column < puzzle->columns; column++) {
            int cell = row * puzzle->columns + column;
            bool wall = puzzle->inventory[cell] == ORACLE_WALL;
            if ((board[cell] == ORACLE_WALL) != wall)
                return false;
            if (wall || board[cell] == ORACLE_EMPTY || pieces->owner[cell] != NO_PIECE)
                continue;

            int number = kind_of[board[cell]];
            if (number == NO_KIND)
                return false;
            const struct oracle_piece_kind *kind = &puzzle->kind[number];
            for (int i = 0; i < kind->cells; i++) {
                int piece_row = row + kind->row[i], piece_column = column + kind->column[i];
                if (!on_board(puzzle, piece_row, piece_column))
                    return false;
                int piece_cell = piece_row * puzzle->columns + piece_column;
                if (board[piece_cell] != kind->symbol[i] || pieces->owner[piece_cell] != NO_PIECE)
                    return false;
                pieces->owner[piece_cell] = pieces->count;
            }
            pieces->piece[pieces->count].kind = number;
            pieces->piece[pieces->count].row = row;
            pieces->piece[pieces->count].column = column;
            pieces->count++;
        }
    return true;
}

/* Whether a piece whose cells stand at (row, column) and so on may stand one step further. */
static bool may_move(const struct oracle_slide *puzzle, const unsigned char *board, const struct pieces *pieces,
                     int piece, int row_step, int column_step)
{
    const struct oracle_piece_kind *kind = &puzzle->kind[pieces->piece[piece].kind];
    for (int i = 0; i < kind->cells; i++) {
        int row = pieces->piece[piece].row + kind->row[i] + row_step;
        int column = pieces->piece[piece].column + kind->column[i] + column_step;
        if (!on_board(puzzle, row, column))
            return false;
        int cell = row * puzzle->columns + column;
        if (board[cell] != ORACLE_EMPTY && pieces->owner[cell] != piece)
            return false;
    }
    return true;
}

/* Takes the piece off the board and puts it back one step further. */
static void move(const struct oracle_slide *puzzle, unsigned char *board, const struct pieces *pieces, int piece,
                 int row_step, int column_step)
{
    const struct oracle_piece_kind *kind = &puzzle->kind[pieces->piece[piece].kind];
    int first = pieces->piece[piece].row * puzzle->columns + pieces->piece[piece].column;
    int step = row_step * puzzle->columns + column_step;
    /* Two passes: a cell that one part leaves may be the cell that another part enters. */
    for (int i = 0; i < kind->cells; i++)
        board[first + kind->row[i] * puzzle->columns + kind->column[i]] = ORACLE_EMPTY;
    for (int i = 0; i < kind->cells; i++)
        board[first + kind->row[i] * puzzle->columns + kind->column[i] + step] = kind->symbol[i];
}

static int neighbours(const struct oracle_slide *puzzle, const int kind_of[256], const unsigned char *board,
                      struct oracle_board *out, int max)
{
    static const int row_steps[4] = {-1, 1, 0, 0}, column_steps[4] = {0, 0, -1, 1};
    struct pieces pieces;
    if (!cut(puzzle, kind_of, board, &pieces))
        return -1;

    int count = 0;
    for (int piece = 0; piece < pieces.count; piece++)
        for (int direction = 0; direction < 4; direction++) {
            int row_step = row_steps[direction], column_step = column_steps[direction];
            if (!may_move(puzzle, board, &pieces, piece, row_step, column_step))
                continue;
            if (count < max) {
                memset(&out[count], 0, sizeof out[count]);
                memcpy(out[count].cell, board, board_size(puzzle));
                move(puzzle, out[count].cell, &pieces, piece, row_step, column_step);
            }
            count++;
        }
    return count;
}

int oracle_neighbours(const struct oracle_slide *puzzle, const unsigned char *board, struct oracle_board *out, int max)
{
    int kind_of[256];
    find_kinds(puzzle, kind_of);
    return neighbours(puzzle, kind_of, board, out, max);
}

/* ---- is the puzzle sound? ---- */

static const char *kind_problem(const struct oracle_piece_kind *kind)
{
    if (kind->cells < 1 || kind->cells > ORACLE_PIECE_CELLS)
        return "a kind of piece has no cells or too many";
    if (kind->row[0] != 0 || kind->column[0] != 0)
        return "a kind's first cell is not (0, 0)";
    for (int i = 0; i < kind->cells; i++) {
        if (kind->symbol[i] == ORACLE_EMPTY || kind->symbol[i] == ORACLE_WALL || kind->symbol[i] == ORACLE_ANY)
            return "a kind uses a symbol that means something else";
        if (kind->row[i] < 0 || kind->row[i] >= ORACLE_CELLS || abs(kind->column[i]) >= ORACLE_CELLS)
            return "a kind's cell is too far from its first cell";
        if (i > 0 && (kind->row[i] < kind->row[i - 1] ||
                      (kind->row[i] == kind->row[i - 1] && kind->column[i] <= kind->column[i - 1])))
            return "a kind's cells are not in reading order";
    }
    return NULL;
}

const char *oracle_problem(const struct oracle_slide *puzzle)
{
    if (!size_is_sound(puzzle->rows, puzzle->columns))
        return "the board has no cells or too many";
    if (puzzle->kinds < 0 || puzzle->kinds > ORACLE_KINDS)
        return "too many kinds of piece";
    if (puzzle->goals < 1 || puzzle->goals > ORACLE_GOALS)
        return "no goal or too many";

    int user[256];
    for (int symbol = 0; symbol < 256; symbol++)
        user[symbol] = NO_KIND;
    for (int kind = 0; kind < puzzle->kinds; kind++) {
        const char *problem = kind_problem(&puzzle->kind[kind]);
        if (problem != NULL)
            return problem;
        for (int i = 0; i < puzzle->kind[kind].cells; i++) {
            int *first_user = &user[puzzle->kind[kind].symbol[i]];
            if (*first_user != NO_KIND && *first_user != kind)
                return "two kinds share a symbol";
            *first_user = kind;
        }
    }

    struct pieces pieces;
    if (!cut(puzzle, user, puzzle->inventory, &pieces))
        return "the inventory cannot be cut into pieces of the kinds given";
    for (int goal = 0; goal < puzzle->goals; goal++)
        for (size_t cell = 0; cell < board_size(puzzle); cell++) {
            unsigned char symbol = puzzle->goal[goal][cell];
            if (symbol == ORACLE_ANY)
                continue;
            if ((symbol == ORACLE_WALL) != (puzzle->inventory[cell] == ORACLE_WALL))
                return "a goal's walls are not the inventory's";
            if (symbol != ORACLE_WALL && symbol != ORACLE_EMPTY && user[symbol] == NO_KIND)
                return "a goal has a symbol that no kind has";
        }
    return NULL;
}

/* ---- the goals ---- */

/* Puts the inventory's pieces on an empty board in every way that fits the goal. Cells are settled in reading order: by
 * a piece whose first cell it is, or by staying empty. As every board can be cut in one way only, every board comes up
 * once. */
struct placement {
    struct oracle_table *table;
    const unsigned char *goal;
    unsigned char board[ORACLE_CELLS]; /* ORACLE_ANY: not settled yet */
    int left[ORACLE_KINDS];            /* pieces of each kind still to be placed */
    int empty_left;
};

/* Whether a piece of this kind may have its first cell here. */
static bool fits(const struct placement *placement, const struct oracle_piece_kind *kind, int row, int column)
{
    const struct oracle_slide *puzzle = &placement->table->puzzle;
    for (int i = 0; i < kind->cells; i++) {
        if (!on_board(puzzle, row + kind->row[i], column + kind->column[i]))
            return false;
        int cell = (row + kind->row[i]) * puzzle->columns + column + kind->column[i];
        if (placement->board[cell] != ORACLE_ANY)
            return false;
        if (placement->goal[cell] != ORACLE_ANY && placement->goal[cell] != kind->symbol[i])
            return false;
    }
    return true;
}

static void place_from(struct placement *placement, int cell)
{
    const struct oracle_slide *puzzle = &placement->table->puzzle;
    while (cell < placement->table->cells && placement->board[cell] != ORACLE_ANY)
        cell++;
    if (cell == placement->table->cells) {
        /* No cell is open and the inventory fills the board exactly, so nothing is left over. */
        oracle_boards_add(placement->table->boards, placement->board, 0);
        return;
    }

    if (placement->empty_left > 0 && (placement->goal[cell] == ORACLE_ANY || placement->goal[cell] == ORACLE_EMPTY)) {
        placement->board[cell] = ORACLE_EMPTY;
        placement->empty_left--;
        place_from(placement, cell + 1);
        placement->empty_left++;
        placement->board[cell] = ORACLE_ANY;
    }
    for (int number = 0; number < puzzle->kinds; number++) {
        const struct oracle_piece_kind *kind = &puzzle->kind[number];
        if (placement->left[number] == 0 || !fits(placement, kind, cell / puzzle->columns, cell % puzzle->columns))
            continue;
        for (int i = 0; i < kind->cells; i++)
            placement->board[cell + kind->row[i] * puzzle->columns + kind->column[i]] = kind->symbol[i];
        placement->left[number]--;
        place_from(placement, cell + 1);
        placement->left[number]++;
        for (int i = 0; i < kind->cells; i++)
            placement->board[cell + kind->row[i] * puzzle->columns + kind->column[i]] = ORACLE_ANY;
    }
}

static void add_goals(struct oracle_table *table, const int kind_of[256], const unsigned char *goal)
{
    struct placement placement = {.table = table, .goal = goal};
    struct pieces pieces;
    if (!cut(&table->puzzle, kind_of, table->puzzle.inventory, &pieces))
        return; /* oracle_problem has refused such a puzzle already */
    for (int piece = 0; piece < pieces.count; piece++)
        placement.left[pieces.piece[piece].kind]++;
    for (int cell = 0; cell < table->cells; cell++) {
        if (table->puzzle.inventory[cell] == ORACLE_EMPTY)
            placement.empty_left++;
        placement.board[cell] = table->puzzle.inventory[cell] == ORACLE_WALL ? ORACLE_WALL : ORACLE_ANY;
    }
    place_from(&placement, 0);
}

/* ---- the search ---- */

struct oracle_table *oracle_solve(const struct oracle_slide *puzzle)
{
    if (oracle_problem(puzzle) != NULL)
        return NULL;
    struct oracle_table *table = resized(NULL, 1, sizeof *table);
    memset(table, 0, sizeof *table);
    table->puzzle = *puzzle;
    table->cells = puzzle->rows * puzzle->columns;
    table->boards = oracle_boards_new((size_t)table->cells);

    int kind_of[256];
    find_kinds(puzzle, kind_of);
    for (int goal = 0; goal < puzzle->goals; goal++)
        add_goals(table, kind_of, puzzle->goal[goal]);

    struct oracle_board next[ORACLE_NEIGHBOURS];
    for (size_t i = 0; i < oracle_count(table); i++) {
        int count = neighbours(puzzle, kind_of, oracle_board(table, i), next, ORACLE_NEIGHBOURS);
        for (int j = 0; j < count; j++)
            oracle_boards_add(table->boards, next[j].cell, oracle_distance_at(table, i) + 1);
    }

    size_t layers = (size_t)(oracle_max(table) + 1);
    table->histogram = resized(NULL, layers + 1, sizeof *table->histogram); /* one more than needed: never nothing */
    memset(table->histogram, 0, (layers + 1) * sizeof *table->histogram);
    for (size_t i = 0; i < oracle_count(table); i++)
        table->histogram[oracle_distance_at(table, i)]++;
    return table;
}

void oracle_free(struct oracle_table *table)
{
    if (table == NULL)
        return;
    oracle_boards_free(table->boards);
    free(table->histogram);
    free(table->paths);
    free(table);
}

/* ---- questions ---- */

size_t oracle_count(const struct oracle_table *table)
{
    return oracle_boards_count(table->boards);
}

int oracle_max(const struct oracle_table *table)
{
    return oracle_count(table) == 0 ? -1 : oracle_distance_at(table, oracle_count(table) - 1);
}

const size_t *oracle_histogram(const struct oracle_table *table)
{
    return table->histogram;
}

int oracle_distance(const struct oracle_table *table, const unsigned char *board)
{
    return oracle_boards_distance(table->boards, board);
}

const unsigned char *oracle_board(const struct oracle_table *table, size_t i)
{
    return i < oracle_count(table) ? oracle_boards_at(table->boards, i) : NULL;
}

int oracle_distance_at(const struct oracle_table *table, size_t i)
{
    return i < oracle_count(table) ? oracle_boards_distance_at(table->boards, i) : -1;
}

/* A board's solutions are those of its neighbours one nearer, all together. The table is in order of distance, so these
 * neighbours' counts are there before they are needed. */
static void count_all_paths(struct oracle_table *table)
{
    int kind_of[256];
    find_kinds(&table->puzzle, kind_of);
    table->paths = resized(NULL, oracle_count(table), sizeof *table->paths);
    struct oracle_board next[ORACLE_NEIGHBOURS];
    for (size_t i = 0; i < oracle_count(table); i++) {
        const int distance = oracle_distance_at(table, i);
        uint64_t paths = distance == 0 ? 1 : 0;
        int count = neighbours(&table->puzzle, kind_of, oracle_board(table, i), next, ORACLE_NEIGHBOURS);
        for (int j = 0; j < count; j++) {
            const size_t nearer = (size_t)oracle_boards_find(table->boards, next[j].cell);
            if (oracle_distance_at(table, nearer) == distance - 1 &&
                __builtin_add_overflow(paths, table->paths[nearer], &paths))
                paths = UINT64_MAX;
        }
        table->paths[i] = paths;
    }
}

uint64_t oracle_count_paths(struct oracle_table *table, const unsigned char *board)
{
    const ptrdiff_t i = oracle_boards_find(table->boards, board);
    if (i < 0)
        return 0;
    if (table->paths == NULL)
        count_all_paths(table);
    return table->paths[i];
}
