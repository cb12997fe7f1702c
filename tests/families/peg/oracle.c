/*
 * The independent oracle for peg solitaire; oracle.h says what it promises.
 */
#include "oracle.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Board number b has a peg in hole h when bit h of b is set. */
struct oracle_peg_table {
    struct oracle_peg puzzle;
    int *distance;
    uint64_t *count;
};

static void *allocated(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) {
        fprintf(stderr, "oracle_peg: no memory for %zu entries of %zu bytes\n", count, size);
        abort();
    }
    return memory;
}

/* ---- writing a puzzle down ---- */

static void add_jump(struct oracle_peg *puzzle, int from, int over, int to)
{
    if (puzzle->jumps == ORACLE_PEG_JUMPS) {
        fprintf(stderr, "oracle_peg: too many jumps\n");
        abort();
    }
    puzzle->jump[puzzle->jumps].from = from;
    puzzle->jump[puzzle->jumps].over = over;
    puzzle->jump[puzzle->jumps].to = to;
    puzzle->jumps++;
}

void oracle_peg_add_jumps(struct oracle_peg *puzzle, const char *text)
{
    int from = 0, read = 0, over, to;
    while (*text != '\0') {
        if (sscanf(text, "(%d,%d)%n", &over, &to, &read) == 2) {
            add_jump(puzzle, from, over, to);
            text += read;
        } else if (isdigit((unsigned char)*text)) {
            from = (int)strtol(text, NULL, 10);
            text = strchr(text, ':') + 1;
        } else {
            text++;
        }
    }
}

void oracle_peg_add_goal(struct oracle_peg *puzzle, const char *text)
{
    unsigned char *goal = puzzle->goal[puzzle->goals++];
    for (int hole = 0; hole < puzzle->holes; hole++)
        goal[hole] = text[hole] == '*' ? ORACLE_PEG_ANY : text[hole] == '1';
}

/* ---- the rules ---- */

static int pegs_of(const struct oracle_peg *puzzle, const unsigned char *board)
{
    int pegs = 0;
    for (int hole = 0; hole < puzzle->holes; hole++)
        pegs += board[hole];
    return pegs;
}

bool oracle_peg_is_goal(const struct oracle_peg *puzzle, const unsigned char *board)
{
    if (puzzle->goal_pegs >= 0 && pegs_of(puzzle, board) != puzzle->goal_pegs)
        return false;
    for (int goal = 0; goal < puzzle->goals; goal++) {
        bool fits = true;
        for (int hole = 0; hole < puzzle->holes; hole++)
            fits = fits && (puzzle->goal[goal][hole] == ORACLE_PEG_ANY || puzzle->goal[goal][hole] == board[hole]);
        if (fits)
            return true;
    }
    return false;
}

/* The peg in the last of `hole` jumps wherever it can; and goes on from there, in a sweep. */
static void jump_on(const struct oracle_peg *puzzle, const unsigned char *board, int *hole, int holes,
                    oracle_peg_visitor *visit, void *context)
{
    for (int j = 0; j < puzzle->jumps; j++) {
        int from = puzzle->jump[j].from, over = puzzle->jump[j].over, to = puzzle->jump[j].to;
        if (from != hole[holes - 1] || board[over] == 0 || board[to] == 1)
            continue;
        unsigned char after[ORACLE_PEG_HOLES];
        memcpy(after, board, sizeof after);
        after[from] = 0;
        after[over] = 0;
        after[to] = 1;
        hole[holes] = to;
        visit(context, after, hole, holes + 1);
        if (puzzle->sweeps)
            jump_on(puzzle, after, hole, holes + 1, visit, context);
    }
}

void oracle_peg_moves(const struct oracle_peg *puzzle, const unsigned char *board, oracle_peg_visitor *visit,
                      void *context)
{
    unsigned char copy[ORACLE_PEG_HOLES] = {0};
    for (int hole = 0; hole < puzzle->holes; hole++)
        copy[hole] = board[hole];
    for (int from = 0; from < puzzle->holes; from++) {
        int hole[ORACLE_PEG_HOLES] = {from};
        if (copy[from] == 1)
            jump_on(puzzle, copy, hole, 1, visit, context);
    }
}

/* ---- all boards ---- */

static size_t number_of(const struct oracle_peg *puzzle, const unsigned char *board)
{
    size_t number = 0;
    for (int hole = 0; hole < puzzle->holes; hole++)
        if (board[hole] == 1)
            number += (size_t)1 << hole;
    return number;
}

/* The least distance among moves' boards, and the number of solutions of those that have it. */
struct best {
    const struct oracle_peg_table *table;
    int distance;
    uint64_t count;
};

static void look_at_move(void *context, const unsigned char *board, const int *hole, int holes)
{
    struct best *best = context;
    size_t number = number_of(&best->table->puzzle, board);
    int distance = best->table->distance[number];
    (void)hole;
    (void)holes;
    if (distance < 0 || (best->distance >= 0 && distance > best->distance))
        return;
    if (distance != best->distance)
        best->count = 0;
    best->distance = distance;
    best->count += best->table->count[number];
}

static void solve_board(struct oracle_peg_table *table, size_t number, const unsigned char *board)
{
    struct best best = {table, -1, 0};
    if (oracle_peg_is_goal(&table->puzzle, board)) {
        table->distance[number] = 0;
        table->count[number] = 1;
        return;
    }
    oracle_peg_moves(&table->puzzle, board, look_at_move, &best);
    table->distance[number] = best.distance < 0 ? -1 : best.distance + 1;
    table->count[number] = best.count;
}

struct oracle_peg_table *oracle_peg_solve(const struct oracle_peg *puzzle)
{
    size_t boards = (size_t)1 << puzzle->holes;
    struct oracle_peg_table *table = allocated(1, sizeof *table);
    table->puzzle = *puzzle;
    table->distance = allocated(boards, sizeof *table->distance);
    table->count = allocated(boards, sizeof *table->count);
    for (int pegs = 0; pegs <= puzzle->holes; pegs++)
        for (size_t number = 0; number < boards; number++) {
            unsigned char board[ORACLE_PEG_HOLES] = {0};
            for (int hole = 0; hole < puzzle->holes; hole++)
                board[hole] = number >> hole & 1;
            if (pegs_of(puzzle, board) == pegs)
                solve_board(table, number, board);
        }
    return table;
}

void oracle_peg_free(struct oracle_peg_table *table)
{
    if (table == NULL)
        return;
    free(table->distance);
    free(table->count);
    free(table);
}

int oracle_peg_distance(const struct oracle_peg_table *table, const unsigned char *board)
{
    return table->distance[number_of(&table->puzzle, board)];
}

uint64_t oracle_peg_count(const struct oracle_peg_table *table, const unsigned char *board)
{
    return table->count[number_of(&table->puzzle, board)];
}

/* ---- one board ---- */

struct attempt {
    const struct oracle_peg *puzzle;
    int best; /* -1: none yet */
};

static void try_move(void *context, const unsigned char *board, const int *hole, int holes)
{
    struct attempt *attempt = context;
    int distance = oracle_peg_try(attempt->puzzle, board);
    (void)hole;
    (void)holes;
    if (distance >= 0 && (attempt->best < 0 || distance + 1 < attempt->best))
        attempt->best = distance + 1;
}

int oracle_peg_try(const struct oracle_peg *puzzle, const unsigned char *board)
{
    struct attempt attempt = {puzzle, -1};
    if (oracle_peg_is_goal(puzzle, board))
        return 0;
    oracle_peg_moves(puzzle, board, try_move, &attempt);
    return attempt.best;
}
