/* The independent oracle for walking puzzles. */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

void oracle_walk_chess(struct oracle_walk *walk, int rows, int columns, const char *picture, int a, int b)
{
    int row[ORACLE_WALK_PLACES], column[ORACLE_WALK_PLACES], places = 0;
    for (int cell = 0; cell < rows * columns; cell++)
        if (picture[cell] != '#') {
            row[places] = cell / columns;
            column[places++] = cell % columns;
        }
    walk->places = places;
    for (int p = 0; p < places; p++)
        for (int q = 0; q < places; q++) {
            int dr = abs(row[p] - row[q]), dc = abs(column[p] - column[q]);
            if ((dr == a && dc == b) || (dr == b && dc == a))
                walk->arc[p][q] = true;
        }
}

/* Every way to put the pieces that are left on the open places from `place` on. */
static void add_goals(const struct oracle_walk *walk, struct oracle_boards *boards, const char *goal, int place,
                      int left[256], unsigned char *board)
{
    if (place == walk->places) {
        oracle_boards_add(boards, board, 0);
        return;
    }
    for (int piece = 0; piece < 256; piece++) {
        if (left[piece] == 0 || (goal[place] != '*' && goal[place] != (char)piece))
            continue;
        left[piece]--;
        board[place] = (unsigned char)piece;
        add_goals(walk, boards, goal, place + 1, left, board);
        left[piece]++;
    }
}

struct oracle_boards *oracle_walk_solve(const struct oracle_walk *walk, const char *goal, const char *pieces)
{
    struct oracle_boards *boards = oracle_boards_new((size_t)walk->places);
    unsigned char board[ORACLE_WALK_PLACES], before[ORACLE_WALK_PLACES];
    int left[256] = {0};
    for (int place = 0; place < walk->places; place++)
        left[(unsigned char)pieces[place]]++;
    add_goals(walk, boards, goal, 0, left, board);
    for (size_t i = 0; i < oracle_boards_count(boards); i++) {
        memcpy(board, oracle_boards_at(boards, i), (size_t)walk->places);
        int distance = oracle_boards_distance_at(boards, i);
        for (int to = 0; to < walk->places; to++)
            for (int from = 0; from < walk->places; from++) {
                if (!walk->arc[from][to] || board[to] == '.' || board[from] != '.')
                    continue;
                memcpy(before, board, sizeof before);
                before[from] = board[to];
                before[to] = '.';
                oracle_boards_add(boards, before, distance + 1);
            }
    }
    return boards;
}
