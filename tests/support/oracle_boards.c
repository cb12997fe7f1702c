/* A set of boards in the order in which a search found them. */
#include "oracle_boards.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct oracle_boards {
    size_t length, count, room, slots; /* of these a power of two */
    unsigned char *bytes;
    int *distance;
    uint32_t *slot; /* board number + 1; 0 is free */
};

static void *checked(void *memory)
{
    if (memory == NULL) {
        fputs("oracle: out of memory\n", stderr);
        abort();
    }
    return memory;
}

struct oracle_boards *oracle_boards_new(size_t length)
{
    struct oracle_boards *boards = checked(calloc(1, sizeof *boards));
    boards->length = length;
    boards->slots = 1024;
    boards->slot = checked(calloc(boards->slots, sizeof *boards->slot));
    return boards;
}

void oracle_boards_free(struct oracle_boards *boards)
{
    free(boards->bytes);
    free(boards->distance);
    free(boards->slot);
    free(boards);
}

/* The slot of a board, or the free one where it belongs. */
static size_t find(const struct oracle_boards *boards, const unsigned char *board)
{
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < boards->length; i++)
        hash = (hash ^ board[i]) * 1099511628211u;
    const size_t mask = boards->slots - 1;
    size_t at = (size_t)(hash ^ hash >> 29) & mask;
    while (boards->slot[at] != 0 && memcmp(oracle_boards_at(boards, boards->slot[at] - 1), board, boards->length) != 0)
        at = (at + 1) & mask;
    return at;
}

static void grow(struct oracle_boards *boards)
{
    boards->room = boards->room == 0 ? 256 : 2 * boards->room;
    boards->bytes = checked(realloc(boards->bytes, boards->room * boards->length));
    boards->distance = checked(realloc(boards->distance, boards->room * sizeof *boards->distance));
    if (3 * boards->room < boards->slots)
        return;
    boards->slots = 4 * boards->room;
    free(boards->slot);
    boards->slot = checked(calloc(boards->slots, sizeof *boards->slot));
    for (size_t i = 0; i < boards->count; i++)
        boards->slot[find(boards, oracle_boards_at(boards, i))] = (uint32_t)i + 1;
}

void oracle_boards_add(struct oracle_boards *boards, const unsigned char *board, int distance)
{
    if (boards->count == boards->room)
        grow(boards);
    const size_t at = find(boards, board);
    if (boards->slot[at] != 0)
        return;
    memcpy(boards->bytes + boards->count * boards->length, board, boards->length);
    boards->distance[boards->count] = distance;
    boards->slot[at] = (uint32_t)++boards->count;
}

size_t oracle_boards_count(const struct oracle_boards *boards)
{
    return boards->count;
}

const unsigned char *oracle_boards_at(const struct oracle_boards *boards, size_t i)
{
    return boards->bytes + i * boards->length;
}

int oracle_boards_distance_at(const struct oracle_boards *boards, size_t i)
{
    return boards->distance[i];
}

void oracle_boards_set_distance(struct oracle_boards *boards, size_t i, int distance)
{
    boards->distance[i] = distance;
}

ptrdiff_t oracle_boards_find(const struct oracle_boards *boards, const unsigned char *board)
{
    return (ptrdiff_t)boards->slot[find(boards, board)] - 1;
}

int oracle_boards_distance(const struct oracle_boards *boards, const unsigned char *board)
{
    const ptrdiff_t i = oracle_boards_find(boards, board);
    return i < 0 ? -1 : boards->distance[i];
}
