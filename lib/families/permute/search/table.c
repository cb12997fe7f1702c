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
    if (pattern->bounded && table->parts == 1)
        return error_set(error, PDB_BAD_DEFINITION, "'~' is for patterns that symmetries keep");
    table->moving = table->parts > 1 ? table->parts : table->part[0]->moving;
    table->entries = table->part[0]->puzzle.states;
    return table->parts > 1 ? permute_table_classes(table, symmetry, error) : PDB_OK;
}

void permute_table_free(struct permute_table *table)
{
    for (unsigned p = 0; p < PERMUTE_PARTS_MAX; p++) {
        permute_relaxed_free(table->part[p]);
        free(table->image[p]);
        free(table->move_to[p]);
    }
    free(table->class_of);
    free(table->first);
    free(table->moved);
    free(table->renamed);
    free(table->product);
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
        if (!puzzle->family->position.rank(puzzle, relaxed, &index))
            return false;
        if (table->parts == 1) {
            permute_decode(table->part[0], index, at);
            continue;
        }
        at[p] = (struct permute_coordinates){.near = index};
        if (p > 0)
            continue;
        const uint32_t class = table->class_of[index];
        if (class == PERMUTE_NO_STATE)
            return false;
        at->near = class >> table->bits;
        at->far = class & ((1u << table->bits) - 1);
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

uint64_t permute_table_entry(const struct permute_table *table, const struct permute_coordinates *at)
{
    uint64_t entry = at->near;
    if (table->parts == 1)
        return permute_part_state(table->part[0], at);
    for (unsigned p = 1; p < table->parts; p++)
        entry = entry * table->states[p] + table->image[p][at->far * table->states[p] + at[p].near];
    return entry;
}

void permute_table_read_cap(struct permute_table *table, const struct pattern_look *look)
{
    table->cap = 0;
    for (unsigned byte = 0; table->pattern.bounded && byte < sizeof table->cap; byte++)
        table->cap |= pattern_look_up(look, 8, permute_tail_at(table->entries) + byte) << 8 * byte;
}

/* By steps to states one nearer; a goal has none. */
uint32_t permute_table_distance(const struct permute_table *table, const struct pattern_look *look,
                                const struct permute_coordinates *at)
{
    const struct permute *part = table->part[0];
    struct permute_coordinates node[2][BOARD_BYTE_CELLS] = {0};
    uint64_t next[PERMUTE_MAX_MOVES];
    uint8_t move[PERMUTE_MAX_MOVES];
    const unsigned bits = permute_entry_bits(part), entry = pattern_look_up(look, bits, permute_table_entry(table, at));
    uint32_t distance = 0;
    if (!part->puzzle.undoable)
        return entry;
    if (entry == 3)
        return table->cap > 0 ? table->cap : BOUND_NEVER;
    for (unsigned m = 0; m < part->moves; m++)
        move[m] = (uint8_t)m;
    memcpy(node[0], at, table->moving * sizeof *at);
    permute_table_entries(table, at, move, move, part->moves, next);
    for (unsigned m = 0; m < part->moves && distance <= BOUND_NEVER;) {
        if (pattern_look_up(look, bits, next[m]) != (entry + 2 * (distance + 1)) % 3) {
            m++;
            continue;
        }
        permute_table_step(table, node[distance % 2], m, node[(distance + 1) % 2]);
        distance++;
        permute_table_entries(table, node[distance % 2], move, move, part->moves, next);
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
