/* table.c -- a pattern's table as a whole */
#include "table.h"

#include <stdlib.h>
#include <string.h>

pdb_status permute_table_make(const struct permute *permute, const struct permute_pattern *pattern,
                              struct permute_table *table, pdb_error *error)
{
    const struct permute_symmetry *symmetry[PERMUTE_SYMMETRIES_MAX];
    *table = (struct permute_table){.pattern = *pattern};
    const pdb_status status = permute_table_divide(permute, pattern, table, symmetry, error);
    if (status != PDB_OK)
        return status;
    for (unsigned p = 0; p < table->parts; p++)
        table->moving += table->part[p]->moving;
    table->entries = table->part[0]->puzzle.states;
    return table->parts > 1 ? permute_table_classes(table, symmetry, error) : PDB_OK;
}

void permute_table_free(struct permute_table *table)
{
    for (unsigned p = 0; p < PERMUTE_PARTS_MAX; p++) {
        permute_relaxed_free(table->part[p]);
        free(table->image[p]);
    }
    free(table->class_of);
    free(table->first);
    free(table->fixed_from);
    free(table->fixed);
    *table = (struct permute_table){0};
}

bool permute_table_place(const struct permute_table *table, const uint8_t *position, struct permute_coordinates *at)
{
    uint8_t relaxed[BOARD_MAX_CELLS];
    for (unsigned p = 0; p < table->parts; p++) {
        const struct puzzle *puzzle = &table->part[p]->puzzle;
        uint64_t index;
        permute_relaxed_position(table->part[p], position, relaxed);
        if (!puzzle->family->position.rank(puzzle, relaxed, &index) ||
            (p == 0 && table->parts > 1 && table->class_of[index] == PERMUTE_NO_STATE))
            return false;
        permute_decode(table->part[p], index, at);
        at += table->part[p]->moving;
    }
    return true;
}

/* -- entries -- */

uint64_t permute_part_state(const struct permute *part, const struct permute_coordinates *at)
{
    uint64_t index = 0;
    for (unsigned o = 0; o < part->moving; o++)
        index += permute_encode(&part->orbit[o], at[o].near, at[o].far, at[o].twist);
    return index;
}

static uint64_t entry_of(const struct permute_table *table, const struct permute_coordinates *at)
{
    uint64_t state[PERMUTE_PARTS_MAX] = {0};
    for (unsigned p = 0; p < table->parts; at += table->part[p++]->moving)
        state[p] = permute_part_state(table->part[p], at);
    return permute_table_entry(table, state, 1);
}

/* By steps to states one nearer; a goal has none. */
uint32_t permute_table_distance(const struct permute_table *table, const uint8_t *bytes,
                                const struct permute_coordinates *at)
{
    const struct permute *part = table->part[0];
    struct permute_coordinates node[2][PERMUTE_PARTS_MAX * BOARD_BYTE_CELLS];
    uint64_t next[PERMUTE_PARTS_MAX * PERMUTE_MAX_MOVES];
    const unsigned entry = permute_entry(part, bytes, entry_of(table, at));
    uint32_t distance = 0;
    if (!part->puzzle.undoable)
        return entry;
    if (entry == 3)
        return BOUND_NEVER;
    memcpy(node[0], at, table->moving * sizeof *at);
    permute_table_steps(table, at, next);
    for (unsigned m = 0; m < part->moves && distance <= BOUND_NEVER;) {
        const uint64_t after = permute_table_entry(table, next + m, part->moves);
        if (permute_entry(part, bytes, after) != (entry + 2 * (distance + 1)) % 3) {
            m++;
            continue;
        }
        permute_table_step(table, node[distance % 2], m, node[(distance + 1) % 2]);
        distance++;
        permute_table_steps(table, node[distance % 2], next);
        m = 0;
    }
    return distance;
}

pdb_status permute_table_memory(const struct permute_table *table, unsigned threads, uint64_t *bytes, pdb_error *error)
{
    if (table->parts == 1)
        return permute_distances_memory(table->part[0], threads, bytes, error);
    *bytes = permute_fill_memory(table, threads);
    return PDB_OK;
}

pdb_status permute_table_fill(const struct permute_table *table, const struct pattern_work *work, uint64_t done,
                              uint8_t *bytes, pdb_error *error)
{
    return table->parts > 1 ? permute_fill(table, work, done, bytes, error)
                            : permute_distances(table->part[0], work, done, bytes, error);
}
