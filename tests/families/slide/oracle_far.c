/* The independent oracle for sliding pieces that travel far or along an axis (oracle_far.h). */
#include "oracle_far.h"
#include "tests/support/oracle_boards.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EMPTY = 0, FREE = 0, ALONG_ROWS = 1, ALONG_COLUMNS = 2 };

/* One piece: number p stands in boards as p. Number 0 is no piece. */
struct piece {
    char letter;
    bool large;
    int class;
    int axis;
    int cells, row[FAR_CELLS], column[FAR_CELLS]; /* seen from the first cell in reading order */
};

struct far_table {
    struct far_spec spec;
    int rows, columns, cells;
    char goal[FAR_CELLS];
    int pieces, classes; /* pieces 1 .. pieces, those of a class behind one another */
    struct piece piece[FAR_CELLS + 1];

    struct oracle_boards *boards;
    int max;
    size_t reachable, *histogram;
};

static void fail(const char *why)
{
    fprintf(stderr, "oracle_far: %s\n", why);
    abort();
}

static void *memory(void *old, size_t bytes)
{
    void *new = realloc(old, bytes > 0 ? bytes : 1);
    if (new == NULL)
        fail("out of memory");
    return new;
}

/* -- texts -- */

static void read_cells(const char *text, char *cell, int *rows, int *columns)
{
    int cells = 0;
    *rows = 1;
    for (; *text != '\0'; text++) {
        if (*text == '/')
            ++*rows;
        else if (*text != ' ') {
            if (cells == FAR_CELLS)
                fail("too many cells");
            cell[cells++] = *text;
        }
    }
    *columns = cells / *rows;
    if (cells != *rows * *columns)
        fail("a board that is no rectangle");
}

static bool is_large(const struct far_spec *spec, char letter)
{
    return spec->large != NULL && strchr(spec->large, letter) != NULL;
}

/* The letter that stands for all that are alike. */
static char class_letter(const struct far_spec *spec, char letter)
{
    for (int i = 0; i < FAR_LISTS && spec->alike[i] != NULL; i++)
        if (strchr(spec->alike[i], letter) != NULL)
            return spec->alike[i][0];
    return letter;
}

static int axis_of(const struct far_spec *spec, const struct piece *piece)
{
    char axis = spec->length ? 'l' : 'f';
    for (int i = 0; i < FAR_LISTS && spec->axis[i] != NULL; i++)
        if (spec->axis[i][0] == piece->letter)
            axis = spec->axis[i][2];
    if (axis == 'h')
        return ALONG_ROWS;
    if (axis == 'v')
        return ALONG_COLUMNS;
    if (axis == 'f')
        return FREE;
    int height = 0, left = 0, right = 0;
    for (int c = 0; c < piece->cells; c++) {
        height = piece->row[c] > height ? piece->row[c] : height;
        left = piece->column[c] < left ? piece->column[c] : left;
        right = piece->column[c] > right ? piece->column[c] : right;
    }
    return height > right - left ? ALONG_COLUMNS : height < right - left ? ALONG_ROWS : FREE;
}

/* Cuts the spec's board into pieces. */
static void find_pieces(struct far_table *table)
{
    const struct far_spec *spec = &table->spec;
    char cell[FAR_CELLS];
    bool done[FAR_CELLS] = {false};
    read_cells(spec->board, cell, &table->rows, &table->columns);
    table->cells = table->rows * table->columns;
    for (int first = 0; first < table->cells; first++) {
        if (done[first] || cell[first] == '.' || cell[first] == '#')
            continue;
        /* A new class: all pieces of it, in reading order. */
        const char class = class_letter(spec, cell[first]);
        table->classes++;
        for (int i = first; i < table->cells; i++) {
            if (done[i] || cell[i] == '.' || cell[i] == '#' || class_letter(spec, cell[i]) != class)
                continue;
            struct piece *piece = &table->piece[++table->pieces];
            *piece = (struct piece){.letter = cell[i], .large = is_large(spec, cell[i]), .class = table->classes};
            for (int j = i; j < table->cells; j++)
                if (j == i || (piece->large && cell[j] == cell[i])) {
                    done[j] = true;
                    piece->row[piece->cells] = j / table->columns - i / table->columns;
                    piece->column[piece->cells] = j % table->columns - i % table->columns;
                    piece->cells++;
                }
            piece->axis = axis_of(spec, piece);
        }
    }
}

/* Interchangeable pieces are numbered in reading order. */
static void rename_pieces(const struct far_table *table, struct far_board *board)
{
    unsigned char name[256] = {0};
    bool used[256] = {false};
    for (int i = 0; i < table->cells; i++) {
        const unsigned char p = board->cell[i];
        if (p == EMPTY || p == FAR_WALL)
            continue;
        if (name[p] == 0) {
            unsigned char q = 1;
            while (table->piece[q].class != table->piece[p].class || used[q])
                q++;
            used[q] = true;
            name[p] = q;
        }
        board->cell[i] = name[p];
    }
}

struct far_board far_read(const struct far_table *table, const char *text)
{
    struct far_board board = {{0}};
    char cell[FAR_CELLS];
    int rows, columns;
    bool used[FAR_CELLS + 1] = {false};
    read_cells(text, cell, &rows, &columns);
    if (rows != table->rows || columns != table->columns)
        fail("a board of another size");
    for (int i = 0; i < table->cells; i++) {
        if (cell[i] == '#')
            board.cell[i] = FAR_WALL;
        if (cell[i] == '#' || cell[i] == '.')
            continue;
        int p = 1;
        while (p <= table->pieces && (table->piece[p].letter != cell[i] || (used[p] && !table->piece[p].large)))
            p++;
        if (p > table->pieces)
            fail("a letter too many");
        used[p] = true;
        board.cell[i] = (unsigned char)p;
    }
    rename_pieces(table, &board);
    return board;
}

void far_text(const struct far_table *table, const struct far_board *board, unsigned turn, char text[FAR_TEXT])
{
    char *end = text;
    for (int i = 0; i < table->cells; i++) {
        const int p = board->cell[i];
        if (i > 0)
            *end++ = i % table->columns == 0 ? '/' : ' ';
        if (p == EMPTY || p == FAR_WALL) {
            *end++ = p == EMPTY ? '.' : '#';
            continue;
        }
        int first = p, last = p; /* of the class */
        while (table->piece[first - 1].class == table->piece[p].class)
            first--;
        while (last < table->pieces && table->piece[last + 1].class == table->piece[p].class)
            last++;
        *end++ = table->piece[first + (p - first + (int)(turn % 1000)) % (last - first + 1)].letter;
    }
    *end = '\0';
}

/* -- moves -- */

/* Can the piece, taken off the board, stand with its first cell there? */
static bool stands(const struct far_table *table, const struct far_board *board, const struct piece *piece, int row,
                   int column)
{
    for (int c = 0; c < piece->cells; c++) {
        const int y = row + piece->row[c], x = column + piece->column[c];
        if (y < 0 || y >= table->rows || x < 0 || x >= table->columns || board->cell[y * table->columns + x] != EMPTY)
            return false;
    }
    return true;
}

size_t far_neighbours(const struct far_table *table, const struct far_board *board, struct far_board *out)
{
    static const int down[4] = {1, -1, 0, 0}, right[4] = {0, 0, 1, -1};
    size_t count = 0;
    for (int p = 1; p <= table->pieces; p++) {
        const struct piece *piece = &table->piece[p];
        struct far_board without = *board;
        int from = -1, queue[FAR_CELLS], queued = 0;
        bool seen[FAR_CELLS] = {false};
        for (int i = 0; i < table->cells; i++)
            if (board->cell[i] == p) {
                from = from < 0 ? i : from;
                without.cell[i] = EMPTY;
            }
        seen[from] = true;
        queue[queued++] = from;
        for (int q = 0; q < queued; q++) {
            if (!table->spec.slide && q > 0)
                break;
            for (int d = 0; d < 4; d++) {
                const int row = queue[q] / table->columns + down[d], column = queue[q] % table->columns + right[d];
                if ((piece->axis == ALONG_ROWS && down[d] != 0) || (piece->axis == ALONG_COLUMNS && right[d] != 0))
                    continue;
                if (!stands(table, &without, piece, row, column) || seen[row * table->columns + column])
                    continue;
                seen[row * table->columns + column] = true;
                queue[queued++] = row * table->columns + column;
            }
        }
        for (int q = 1; q < queued; q++) {
            struct far_board *moved = &out[count++];
            *moved = without;
            for (int c = 0; c < piece->cells; c++)
                moved->cell[queue[q] + piece->row[c] * table->columns + piece->column[c]] = (unsigned char)p;
            rename_pieces(table, moved);
        }
    }
    return count;
}

/* -- all boards -- */

/* Every way to go on from cell `at`: it is covered already, or stays empty, or is the first cell of a piece that is not
 * on the board yet. */
static void arrange(struct far_table *table, struct far_board *board, bool *placed, int empties, int at)
{
    if (at == table->cells) {
        struct far_board done = *board;
        rename_pieces(table, &done);
        oracle_boards_add(table->boards, done.cell, FAR_NO_GOAL);
        return;
    }
    if (board->cell[at] != EMPTY) {
        arrange(table, board, placed, empties, at + 1);
        return;
    }
    if (empties > 0)
        arrange(table, board, placed, empties - 1, at + 1);
    int class = 0;
    for (int p = 1; p <= table->pieces; p++) {
        const struct piece *piece = &table->piece[p];
        if (placed[p] || piece->class == class) /* the first one left of a class is as good as any */
            continue;
        class = piece->class;
        if (!stands(table, board, piece, at / table->columns, at % table->columns))
            continue;
        for (int c = 0; c < piece->cells; c++)
            board->cell[at + piece->row[c] * table->columns + piece->column[c]] = (unsigned char)p;
        placed[p] = true;
        arrange(table, board, placed, empties, at + 1);
        placed[p] = false;
        for (int c = 0; c < piece->cells; c++)
            board->cell[at + piece->row[c] * table->columns + piece->column[c]] = EMPTY;
    }
}

static void all_arrangements(struct far_table *table)
{
    struct far_board board = {{0}}, full = far_read(table, table->spec.board);
    bool placed[FAR_CELLS + 1] = {false};
    int empties = 0;
    for (int i = 0; i < table->cells; i++) {
        empties += full.cell[i] == EMPTY;
        board.cell[i] = full.cell[i] == FAR_WALL ? FAR_WALL : EMPTY;
    }
    arrange(table, &board, placed, empties, 0);
}

static void all_from(struct far_table *table, const char *const *starts)
{
    static struct far_board next[FAR_NEIGHBOURS];
    for (; *starts != NULL; starts++) {
        const struct far_board start = far_read(table, *starts);
        oracle_boards_add(table->boards, start.cell, FAR_NO_GOAL);
    }
    for (size_t i = 0; i < far_count(table); i++) {
        const struct far_board board = far_board_at(table, i);
        const size_t moves = far_neighbours(table, &board, next);
        for (size_t m = 0; m < moves; m++)
            oracle_boards_add(table->boards, next[m].cell, FAR_NO_GOAL);
    }
}

/* -- distances -- */

static bool fits_goal(const struct far_table *table, const struct far_board *board)
{
    for (int i = 0; i < table->cells; i++) {
        const char wanted = table->goal[i];
        const int p = board->cell[i];
        if (wanted == '*' || wanted == '#')
            continue;
        if (p == EMPTY || wanted == '.') {
            if (p != EMPTY || wanted != '.')
                return false;
            continue;
        }
        if (class_letter(&table->spec, table->piece[p].letter) != class_letter(&table->spec, wanted))
            return false;
        for (int j = 0; j < i; j++) /* the letter's cells are one piece's */
            if (table->piece[p].large && table->goal[j] == wanted && board->cell[j] != p)
                return false;
    }
    return true;
}

static void find_distances(struct far_table *table)
{
    static struct far_board next[FAR_NEIGHBOURS];
    size_t *queue = memory(NULL, far_count(table) * sizeof *queue), queued = 0;
    for (size_t i = 0; i < far_count(table); i++) {
        const struct far_board board = far_board_at(table, i);
        if (!fits_goal(table, &board))
            continue;
        oracle_boards_set_distance(table->boards, i, 0);
        queue[queued++] = i;
    }
    for (size_t q = 0; q < queued; q++) {
        const struct far_board board = far_board_at(table, queue[q]);
        const size_t moves = far_neighbours(table, &board, next);
        for (size_t m = 0; m < moves; m++) {
            const ptrdiff_t found = oracle_boards_find(table->boards, next[m].cell);
            if (found < 0)
                fail("a move leads out of the table");
            if (far_distance_at(table, (size_t)found) != FAR_NO_GOAL)
                continue;
            oracle_boards_set_distance(table->boards, (size_t)found, far_distance_at(table, queue[q]) + 1);
            queue[queued++] = (size_t)found;
        }
    }
    table->max = queued > 0 ? far_distance_at(table, queue[queued - 1]) : -1;
    table->reachable = queued;
    table->histogram = memory(NULL, (size_t)(table->max + 1) * sizeof *table->histogram);
    memset(table->histogram, 0, (size_t)(table->max + 1) * sizeof *table->histogram);
    for (size_t q = 0; q < queued; q++)
        table->histogram[far_distance_at(table, queue[q])]++;
    free(queue);
}

struct far_table *far_solve(const struct far_spec *spec, const char *const *starts)
{
    struct far_table *table = memory(NULL, sizeof *table);
    int rows, columns;
    memset(table, 0, sizeof *table);
    table->spec = *spec;
    find_pieces(table);
    read_cells(spec->goal, table->goal, &rows, &columns);
    if (rows != table->rows || columns != table->columns)
        fail("a goal of another size");
    table->boards = oracle_boards_new((size_t)table->cells);
    if (starts == NULL)
        all_arrangements(table);
    else
        all_from(table, starts);
    find_distances(table);
    return table;
}

void far_free(struct far_table *table)
{
    oracle_boards_free(table->boards);
    free(table->histogram);
    free(table);
}

size_t far_count(const struct far_table *table)
{
    return oracle_boards_count(table->boards);
}

size_t far_reachable(const struct far_table *table)
{
    return table->reachable;
}

int far_max(const struct far_table *table)
{
    return table->max;
}

const size_t *far_histogram(const struct far_table *table)
{
    return table->histogram;
}

struct far_board far_board_at(const struct far_table *table, size_t i)
{
    struct far_board board = {{0}};
    memcpy(board.cell, oracle_boards_at(table->boards, i), (size_t)table->cells);
    return board;
}

int far_distance_at(const struct far_table *table, size_t i)
{
    return oracle_boards_distance_at(table->boards, i);
}

int far_distance(const struct far_table *table, const struct far_board *board)
{
    const ptrdiff_t found = oracle_boards_find(table->boards, board->cell);
    return found < 0 ? FAR_UNKNOWN : far_distance_at(table, (size_t)found);
}
