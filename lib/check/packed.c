/* packed.c -- are moves of packed keys, on which the search of whole spaces lives, those of the keys themselves? */
#include "rules.h"

#include "lib/numbers.h"

#include <stdlib.h>

/* `plain` and `next` have room for the moves into a state and RULES_SLACK more. */
static pdb_status check_one(const struct puzzle *puzzle, uint64_t index, uint64_t *plain, uint64_t *next,
                            pdb_error *error)
{
    const struct packed_functions *packed = &puzzle->family->packed;
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t key;
    uint16_t count;
    puzzle->family->position.unrank(puzzle, index, position);
    if (!packed->pack(puzzle, position, &key)) /* then no goal is reached from it either */
        return PDB_OK;
    const size_t total = sort_unique_numbers(plain,
                                             puzzle->family->index.predecessors(puzzle, &index, 1, plain, &count));
    size_t found = packed->predecessors(puzzle, &key, 1, next, &count);
    packed->unpack(puzzle, next, found);
    packed->unpack(puzzle, &key, 1);
    found = sort_unique_numbers(next, found);
    if (key != index)
        return rules_broken(puzzle, error, "packed keys", index, "its packed key means key %llu",
                            (unsigned long long)key);
    for (size_t i = 0; i < total || i < found; i++)
        if (i == total || i == found || plain[i] != next[i])
            return rules_broken(puzzle, error, "packed keys", index,
                                "%zu keys are one move before it, but by packed keys %zu, and not the same", total,
                                found);
    return PDB_OK;
}

pdb_status rules_check_packed(const struct puzzle *puzzle, const uint64_t *index, size_t count, pdb_error *error)
{
    if (!puzzle->keyed || puzzle->forward || puzzle->wide)
        return PDB_OK;
    const size_t room = (size_t)puzzle->max_moves + RULES_SLACK;
    uint64_t *memory = malloc(2 * room * sizeof *memory);
    if (memory == NULL)
        return error_set(error, PDB_NO_MEMORY, "no memory for %zu moves", room);
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < count; i++)
        status = check_one(puzzle, index[i], memory, memory + room, error);
    free(memory);
    return status;
}
