/* The independent oracle for puzzles of buttons: see oracle.h. */
#include "oracle.h"

#include <stdio.h>
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

struct oracle_flip_table {
    struct oracle_flip puzzle;
    size_t count, room; /* boards, in order of distance */
    unsigned char *board;
    int *distance;
    size_t slots; /* hash table: a board's number plus 1, 0 for free */
    size_t *slot;
};

static void *grown(void *memory, size_t bytes)
{
    memory = realloc(memory, bytes);
    if (memory == NULL) {
        fprintf(stderr, "oracle_flip: out of memory\n");
        exit(1);
    }
    return memory;
}

/* The slot where a board is, or where it would be. */
static size_t find(const struct oracle_flip_table *table, const unsigned char *board)
{
    const size_t size = (size_t)cells(&table->puzzle);
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ board[i]) * 1099511628211u;
    size_t slot = (size_t)((hash ^ hash >> 32) % table->slots);
    while (table->slot[slot] != 0 && memcmp(table->board + (table->slot[slot] - 1) * size, board, size) != 0)
        slot = (slot + 1) % table->slots;
    return slot;
}

static void grow(struct oracle_flip_table *table)
{
    const size_t size = (size_t)cells(&table->puzzle);
    table->room = table->room == 0 ? 1024 : 2 * table->room;
    table->board = grown(table->board, table->room * size);
    table->distance = grown(table->distance, table->room * sizeof *table->distance);
    table->slots = 2 * table->room + 1;
    table->slot = grown(table->slot, table->slots * sizeof *table->slot);
    memset(table->slot, 0, table->slots * sizeof *table->slot);
    for (size_t i = 0; i < table->count; i++)
        table->slot[find(table, table->board + i * size)] = i + 1;
}

static void add(struct oracle_flip_table *table, const unsigned char *board, int distance)
{
    const size_t size = (size_t)cells(&table->puzzle);
    if (table->count == table->room)
        grow(table);
    size_t slot = find(table, board);
    if (table->slot[slot] != 0)
        return;
    memcpy(table->board + table->count * size, board, size);
    table->distance[table->count] = distance;
    table->slot[slot] = ++table->count;
}

/* All boards that fit the goal from this cell on. */
static void add_goals(struct oracle_flip_table *table, unsigned char *board, int cell)
{
    if (cell == cells(&table->puzzle)) {
        add(table, board, 0);
        return;
    }
    const unsigned char wanted = table->puzzle.goal[cell];
    for (int value = 0; wanted == ORACLE_FLIP_ANY && value < table->puzzle.values; value++) {
        board[cell] = (unsigned char)value;
        add_goals(table, board, cell + 1);
    }
    if (wanted != ORACLE_FLIP_ANY) {
        board[cell] = wanted;
        add_goals(table, board, cell + 1);
    }
}

struct oracle_flip_table *oracle_flip_solve(const struct oracle_flip *puzzle)
{
    const size_t size = (size_t)cells(puzzle);
    unsigned char board[ORACLE_FLIP_CELLS], next[2 * ORACLE_FLIP_BUTTONS * ORACLE_FLIP_CELLS];
    struct oracle_flip_table *table = grown(NULL, sizeof *table);
    *table = (struct oracle_flip_table){.puzzle = *puzzle};
    add_goals(table, board, 0);
    for (size_t i = 0; i < table->count; i++) {
        memcpy(board, table->board + i * size, size);
        int count = oracle_flip_neighbours(puzzle, board, true, next);
        for (int n = 0; n < count; n++)
            add(table, next + size * (size_t)n, table->distance[i] + 1);
    }
    return table;
}

void oracle_flip_free(struct oracle_flip_table *table)
{
    free(table->board);
    free(table->distance);
    free(table->slot);
    free(table);
}

size_t oracle_flip_count(const struct oracle_flip_table *table)
{
    return table->count;
}

int oracle_flip_distance(const struct oracle_flip_table *table, const unsigned char *board)
{
    size_t found = table->slot[find(table, board)];
    return found == 0 ? -1 : table->distance[found - 1];
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
