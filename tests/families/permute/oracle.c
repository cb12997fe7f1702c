/* The independent oracle for permutation puzzles. */
#include "oracle.h"

#include <string.h>

int oracle_permute_add(struct oracle_permute *permute)
{
    int move = permute->moves++;
    for (int place = 0; place < permute->places; place++) {
        permute->to[move][place] = place;
        permute->twist[move][place] = 0;
    }
    return move;
}

void oracle_permute_cycle(struct oracle_permute *permute, int move, int length, const int *places, const int *twist)
{
    for (int i = 0; i < length; i++) {
        int arrives = (i + 1) % length;
        permute->to[move][places[i]] = places[arrives];
        permute->twist[move][places[i]] = twist == NULL ? 0 : twist[arrives];
    }
}

static int modulus_at(const struct oracle_permute *permute, int place)
{
    return permute->modulus[place] == 0 ? 1 : permute->modulus[place];
}

void oracle_permute_add_inverse(struct oracle_permute *permute, int move)
{
    int inverse = oracle_permute_add(permute);
    for (int place = 0; place < permute->places; place++) {
        int to = permute->to[move][place], modulus = modulus_at(permute, place);
        permute->to[inverse][to] = place;
        permute->twist[inverse][to] = (modulus - permute->twist[move][place]) % modulus;
    }
}

/* The board from which a move leads to this one. */
static void take_back(const struct oracle_permute *permute, int move, const unsigned char *board, unsigned char *before)
{
    for (int place = 0; place < permute->places; place++) {
        int now = board[permute->to[move][place]], modulus = modulus_at(permute, place);
        before[place] = (unsigned char)(now / 16 * 16 + (now % 16 + modulus - permute->twist[move][place]) % modulus);
    }
}

struct oracle_boards *oracle_permute_solve(const struct oracle_permute *permute, int goals, const unsigned char *goal)
{
    struct oracle_boards *boards = oracle_boards_new((size_t)permute->places);
    unsigned char board[ORACLE_PERMUTE_PLACES], before[ORACLE_PERMUTE_PLACES];
    for (int g = 0; g < goals; g++)
        oracle_boards_add(boards, goal + g * permute->places, 0);
    for (size_t i = 0; i < oracle_boards_count(boards); i++) {
        memcpy(board, oracle_boards_at(boards, i), (size_t)permute->places);
        int distance = oracle_boards_distance_at(boards, i);
        for (int move = 0; move < permute->moves; move++) {
            take_back(permute, move, board, before);
            oracle_boards_add(boards, before, distance + 1);
        }
    }
    return boards;
}
