/* oracle_tiles.c -- boards of different tiles, all of them, slowly (oracle_tiles.h) */
#include "oracle_tiles.h"

#include <stdlib.h>
#include <string.h>

uint32_t oracle_tiles_number(const struct oracle_tiles *oracle, const uint8_t *position)
{
    uint32_t number = 0;
    for (unsigned i = 0; i < oracle->places; i++) {
        unsigned smaller = 0;
        for (unsigned j = i + 1; j < oracle->places; j++)
            smaller += position[j] < position[i];
        number = number * (oracle->places - i) + smaller;
    }
    return number;
}

void oracle_tiles_position(const struct oracle_tiles *oracle, uint32_t arrangement, uint8_t *position)
{
    unsigned smaller[ORACLE_TILES_PLACES];
    uint8_t left[ORACLE_TILES_PLACES];
    memcpy(left, oracle->symbol, sizeof left);
    for (unsigned i = oracle->places; i-- > 0; arrangement /= oracle->places - i)
        smaller[i] = arrangement % (oracle->places - i);
    for (unsigned i = 0; i < oracle->places; i++) {
        position[i] = left[smaller[i]];
        memmove(left + smaller[i], left + smaller[i] + 1, oracle->places - i - 1 - smaller[i]);
    }
}

unsigned oracle_tiles_distance(const struct oracle_tiles *oracle, const uint8_t *position)
{
    return oracle->distance[oracle_tiles_number(oracle, position)];
}

static int compare_bytes(const void *a, const void *b)
{
    return *(const uint8_t *)a - *(const uint8_t *)b;
}

static void search(struct oracle_tiles *oracle, const uint8_t *goal)
{
    static const int step[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    uint32_t *queue = malloc(oracle->arrangements * sizeof *queue), head = 0, tail = 0;
    uint8_t position[ORACLE_TILES_PLACES];
    memset(oracle->distance, ORACLE_TILES_NEVER, oracle->arrangements);
    queue[tail++] = oracle_tiles_number(oracle, goal);
    oracle->distance[queue[0]] = 0;
    while (head < tail) {
        const uint32_t from = queue[head++];
        unsigned empty = 0;
        oracle_tiles_position(oracle, from, position);
        while (position[empty] != oracle->empty)
            empty++;
        for (int s = 0; s < 4; s++) {
            const int next = oracle->place[oracle->row[empty] + step[s][0] + 1][oracle->column[empty] + step[s][1] + 1];
            if (next < 0)
                continue;
            position[empty] = position[next];
            position[next] = oracle->empty;
            const uint32_t to = oracle_tiles_number(oracle, position);
            position[next] = position[empty];
            position[empty] = oracle->empty;
            if (oracle->distance[to] != ORACLE_TILES_NEVER)
                continue;
            oracle->distance[to] = (uint8_t)(oracle->distance[from] + 1);
            queue[tail++] = to;
        }
    }
    free(queue);
}

void oracle_tiles_make(struct oracle_tiles *oracle, const struct puzzle *puzzle)
{
    *oracle = (struct oracle_tiles){puzzle->board.rows, puzzle->board.columns, puzzle->board.places, .arrangements = 1};
    memset(oracle->place, 0xFF, sizeof oracle->place);
    for (unsigned place = 0; place < oracle->places; place++) {
        oracle->row[place] = puzzle->board.cell[place] / puzzle->board.columns;
        oracle->column[place] = puzzle->board.cell[place] % puzzle->board.columns;
        oracle->place[oracle->row[place] + 1][oracle->column[place] + 1] = (int)place;
        oracle->arrangements *= place + 1;
        oracle->symbol[place] = puzzle->goal[place];
    }
    oracle->empty = puzzle->board.empty;
    qsort(oracle->symbol, oracle->places, 1, compare_bytes);
    oracle->distance = malloc(oracle->arrangements);
    search(oracle, puzzle->goal);
}

void oracle_tiles_free(struct oracle_tiles *oracle)
{
    free(oracle->distance);
}
