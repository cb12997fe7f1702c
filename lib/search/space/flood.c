/* flood.c -- the states that moves lead to from one state, by a queue over indices */
#include "flood.h"
#include "lib/memory/array.h"

#include <stdlib.h>

static bool see(struct flood *flood, uint64_t state)
{
    uint64_t *word = &flood->seen[state / 64], bit = (uint64_t)1 << state % 64;
    if (*word & bit)
        return true;
    *word |= bit;
    uint64_t *grown = array_grow(flood->state, flood->states, sizeof *grown);
    if (grown == NULL)
        return false;
    flood->state = grown;
    grown[flood->states++] = state;
    return true;
}

pdb_status flood_from(const struct puzzle *puzzle, uint64_t start, struct flood *flood, pdb_error *error)
{
    uint64_t *next = malloc((puzzle->max_moves + 1) * sizeof *next);
    *flood = (struct flood){.seen = calloc(puzzle->states / 64 + 1, sizeof *flood->seen)};
    bool room = next != NULL && flood->seen != NULL && see(flood, start);
    for (size_t i = 0; room && i < flood->states; i++) {
        uint16_t moves;
        const size_t count = puzzle->functions.index.successors(puzzle, &flood->state[i], 1, next, &moves);
        for (size_t n = 0; room && n < count; n++)
            room = see(flood, next[n]);
    }
    free(next);
    return room ? PDB_OK : error_no_memory(error, "the states around one", puzzle->states / 8);
}

void flood_free(struct flood *flood)
{
    free(flood->state);
    free(flood->seen);
    *flood = (struct flood){0};
}
