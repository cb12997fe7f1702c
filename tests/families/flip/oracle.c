/* The independent oracle for puzzles of buttons: see oracle.h. */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

/* ---- puzzles ---- */

static int cells(const struct oracle_flip *puzzle)
{
    return puzzle->rows * puzzle->columns;
}

void oracle_flip_begin(struct oracle_flip *puzzle, int rows, int columns, int values)
{
    memset(puzzle, 0, sizeof *puzzle);
    puzzle->rows = rows;
    puzzle->columns = columns;
    puzzle->values = values;
}

void oracle_flip_add_button(struct oracle_flip *puzzle, const unsigned char *amount)
{
    memcpy(puzzle->amount[puzzle->buttons++], amount, (size_t)cells(puzzle));
}

void oracle_flip_add_pattern(struct oracle_flip *puzzle, int self, int orthogonal, int diagonal)
{
    for (int row = 0; row < puzzle->rows; row++)
        for (int column = 0; column < puzzle->columns; column++) {
            if (puzzle->goal[row * puzzle->columns + column] == ORACLE_FLIP_WALL)
                continue;
            unsigned char amount[ORACLE_FLIP_CELLS] = {0};
            for (int r = 0; r < puzzle->rows; r++)
                for (int c = 0; c < puzzle->columns; c++) {
                    int down = abs(r - row), right = abs(c - column), cell = r * puzzle->columns + c;
                    if (puzzle->goal[cell] == ORACLE_FLIP_WALL || down > 1 || right > 1)
                        continue;
                    amount[cell] = (unsigned char)(down + right == 0   ? self
                                                   : down + right == 1 ? orthogonal
                                                                       : diagonal);
                }
            oracle_flip_add_button(puzzle, amount);
        }
}

/* ---- moves ---- */

/* The board after one button added its amounts this many times. */
static void press(const struct oracle_flip *puzzle, const unsigned char *board, int button, int times,
                  unsigned char *pressed)
{
    for (int cell = 0; cell < cells(puzzle); cell++)
        pressed[cell] = (unsigned char)(board[cell] == ORACLE_FLIP_WALL
                                            ? ORACLE_FLIP_WALL
                                            : (board[cell] + times * puzzle->amount[button][cell]) % puzzle->values);
}

int oracle_flip_neighbours(const struct oracle_flip *puzzle, const unsigned char *board, bool into, unsigned char *next)
{
    const size_t size = (size_t)cells(puzzle);
    const int once = 1, back = puzzle->values - 1; /* subtracting is adding so often */
    int count = 0;
    for (int button = 0; button < puzzle->buttons; button++) {
        unsigned char forward_board[ORACLE_FLIP_CELLS], backward_board[ORACLE_FLIP_CELLS];
        press(puzzle, board, button, into ? back : once, forward_board);
        memcpy(next + size * (size_t)count++, forward_board, size);
        press(puzzle, board, button, into ? once : back, backward_board);
        if (puzzle->backward && memcmp(forward_board, backward_board, size) != 0)
            memcpy(next + size * (size_t)count++, backward_board, size);
    }
    return count;
}

/* ---- every board ---- */

/* All boards that fit the goal from this cell on. */
static void add_goals(const struct oracle_flip *puzzle, struct oracle_boards *boards, unsigned char *board, int cell)
{
    if (cell == cells(puzzle)) {
        oracle_boards_add(boards, board, 0);
        return;
    }
    const unsigned char wanted = puzzle->goal[cell];
    for (int value = 0; wanted == ORACLE_FLIP_ANY && value < puzzle->values; value++) {
        board[cell] = (unsigned char)value;
        add_goals(puzzle, boards, board, cell + 1);
    }
    if (wanted != ORACLE_FLIP_ANY) {
        board[cell] = wanted;
        add_goals(puzzle, boards, board, cell + 1);
    }
}

struct oracle_boards *oracle_flip_solve(const struct oracle_flip *puzzle)
{
    const size_t size = (size_t)cells(puzzle);
    unsigned char board[ORACLE_FLIP_CELLS], next[2 * ORACLE_FLIP_BUTTONS * ORACLE_FLIP_CELLS];
    struct oracle_boards *boards = oracle_boards_new(size);
    add_goals(puzzle, boards, board, 0);
    for (size_t i = 0; i < oracle_boards_count(boards); i++) {
        memcpy(board, oracle_boards_at(boards, i), size);
        int count = oracle_flip_neighbours(puzzle, board, true, next);
        for (int n = 0; n < count; n++)
            oracle_boards_add(boards, next + size * (size_t)n, oracle_boards_distance_at(boards, i) + 1);
    }
    return boards;
}

/* ---- every set of presses ---- */

void oracle_flip_press_sets(const struct oracle_flip *puzzle, unsigned char *least)
{
    uint32_t button[ORACLE_FLIP_BUTTONS] = {0}, goal = 0;
    for (int cell = 0; cell < cells(puzzle); cell++) {
        goal |= (uint32_t)puzzle->goal[cell] << cell;
        for (int b = 0; b < puzzle->buttons; b++)
            button[b] |= (uint32_t)puzzle->amount[b][cell] << cell;
    }
    memset(least, 255, (size_t)1 << cells(puzzle));
    /* The board of a set is that of the set without its first member, and that member's button; so sets in counting
     * order need the boards of the members above only: one for each "from this button on". */
    uint32_t from[ORACLE_FLIP_BUTTONS + 1];
    for (int b = 0; b <= puzzle->buttons; b++)
        from[b] = goal;
    for (uint32_t set = 0; set < (uint32_t)1 << puzzle->buttons; set++) {
        if (set != 0) {
            int first = __builtin_ctz(set); /* the members below it have just been taken out */
            from[first] = from[first + 1] ^ button[first];
            for (int b = 0; b < first; b++)
                from[b] = from[first];
        }
        unsigned char size = (unsigned char)__builtin_popcount(set);
        if (size < least[from[0]])
            least[from[0]] = size;
    }
}
