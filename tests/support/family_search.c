/* A puzzle's distances by the contract's functions on indices. */
#include "family_search.h"
#include "lib/check/check.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

struct queue {
    uint8_t *distance;
    uint64_t *index;
    size_t count;
};

static void add(struct queue *queue, uint64_t index, uint8_t distance)
{
    if (queue->distance[index] != FAMILY_SEARCH_NONE)
        return;
    queue->distance[index] = distance;
    queue->index[queue->count++] = index;
}

static pdb_status add_goals(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    (void)error;
    struct queue *queue = context;
    for (size_t i = 0; i < count; i++) {
        cr_assert(queue->distance[index[i]] == FAMILY_SEARCH_NONE, "goal %llu visited twice",
                  (unsigned long long)index[i]);
        add(queue, index[i], 0);
    }
    return PDB_OK;
}

uint8_t *family_distances(const struct puzzle *puzzle)
{
    struct queue queue = {.distance = malloc(puzzle->states), .index = calloc(puzzle->states, sizeof(uint64_t))};
    uint64_t *next = calloc(puzzle->max_moves, sizeof *next);
    uint16_t moves;
    cr_assert(queue.distance != NULL && queue.index != NULL && next != NULL);
    memset(queue.distance, FAMILY_SEARCH_NONE, puzzle->states);
    cr_assert(puzzle->family->index.goals(puzzle, add_goals, &queue, NULL) == PDB_OK);
    for (size_t i = 0; i < queue.count; i++) {
        uint8_t distance = queue.distance[queue.index[i]];
        cr_assert(distance < FAMILY_SEARCH_NONE - 1);
        size_t count = puzzle->family->index.predecessors(puzzle, &queue.index[i], 1, next, &moves);
        cr_assert(count == moves && count <= puzzle->max_moves);
        for (size_t k = 0; k < count; k++) {
            cr_assert(next[k] < puzzle->states);
            add(&queue, next[k], (uint8_t)(distance + 1));
        }
    }
    free(queue.index);
    free(next);
    return queue.distance;
}

unsigned family_histogram(const struct puzzle *puzzle, const uint8_t *distance, uint64_t histogram[255])
{
    unsigned max = 0;
    memset(histogram, 0, 255 * sizeof *histogram);
    for (uint64_t i = 0; i < puzzle->states; i++) {
        if (distance[i] == FAMILY_SEARCH_NONE)
            continue;
        histogram[distance[i]]++;
        if (distance[i] > max)
            max = distance[i];
    }
    return max;
}

void family_check(const struct puzzle *puzzle)
{
    struct check_limits limits = check_defaults(2);
    struct check_report report;
    pdb_error error;
    cr_assert(check_puzzle(puzzle, &limits, &report, &error) == PDB_OK, "%s", error.message);
    cr_assert(report.all);
}
