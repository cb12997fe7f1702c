#include "index_search.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static pdb_status take_goals(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    (void)error;
    struct index_search *search = context;
    for (size_t i = 0; i < count; i++) {
        cr_assert(index[i] < search->puzzle->states && search->distance[index[i]] == 255, "a goal twice");
        search->distance[index[i]] = 0;
        search->queue[search->count++] = index[i];
    }
    return PDB_OK;
}

struct index_search index_search_all(const struct puzzle *puzzle)
{
    enum { BATCH = 64 };
    struct index_search search = {
        .puzzle = puzzle, .queue = malloc(puzzle->states * sizeof *search.queue), .distance = malloc(puzzle->states)};
    uint64_t *next = malloc(BATCH * puzzle->max_moves * sizeof *next), batch;
    cr_assert(search.queue != NULL && search.distance != NULL && next != NULL);
    memset(search.distance, 255, puzzle->states);
    cr_assert(puzzle->family->index.goals(puzzle, take_goals, &search, NULL) == PDB_OK);
    for (uint64_t first = 0; first < search.count; first += batch) {
        uint16_t moves[BATCH];
        batch = search.count - first < BATCH ? search.count - first : BATCH;
        puzzle->family->index.predecessors(puzzle, search.queue + first, batch, next, moves);
        const uint64_t *into = next;
        for (uint64_t i = 0; i < batch; i++)
            for (uint16_t m = 0; m < moves[i]; m++, into++) {
                if (search.distance[*into] != 255)
                    continue;
                search.distance[*into] = (uint8_t)(search.distance[search.queue[first + i]] + 1);
                search.queue[search.count++] = *into;
            }
    }
    free(next);
    cr_assert(search.count == puzzle->states, "%llu of %llu indices reached", (unsigned long long)search.count,
              (unsigned long long)puzzle->states);
    return search;
}

void index_search_free(struct index_search *search)
{
    free(search->queue);
    free(search->distance);
}
