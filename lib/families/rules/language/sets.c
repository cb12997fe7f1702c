/* sets.c -- sets of values, and what their members are called */
#include "lib/memory/array.h"
#include "parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

pdb_status set_add(struct rules *rules, const char *name, int32_t *value, uint32_t count, uint32_t like, uint32_t *set,
                   pdb_error *error)
{
    struct rules_set *grown = value == NULL ? NULL : array_grow(rules->set, rules->sets, sizeof *grown);
    if (grown == NULL) {
        free(value);
        return error_no_memory(error, "the sets of the rules", (rules->sets + 1) * sizeof *grown + count);
    }
    rules->set = grown;
    struct rules_set *added = &rules->set[rules->sets];
    *added = (struct rules_set){.count = count, .value = value, .lo = value[0], .hi = value[0], .home = rules->sets};
    if (like != NO_SET) {
        added->naming = rules->set[like].naming;
        added->home = rules->set[like].home;
    }
    for (uint32_t i = 1; i < count; i++) {
        added->lo = value[i] < added->lo ? value[i] : added->lo;
        added->hi = value[i] > added->hi ? value[i] : added->hi;
    }
    strcpy(added->name, name);
    *set = rules->sets++;
    return PDB_OK;
}

int32_t set_position(const struct rules_set *set, int64_t value)
{
    if (value < set->lo || value > set->hi)
        return -1;
    if (set->value[0] == set->lo && (int64_t)set->hi - set->lo + 1 == set->count && value - set->lo < set->count &&
        set->value[value - set->lo] == value)
        return (int32_t)(value - set->lo);
    for (uint32_t i = 0; i < set->count; i++)
        if (set->value[i] == value)
            return (int32_t)i;
    return -1;
}

const char *set_value_text(const struct rules *rules, const struct rules_set *set, int32_t value, char *text)
{
    const struct rules_set *home = &rules->set[set->home];
    if (set->naming == NAMED_SYMBOLS && value >= 0 && value < (int32_t)home->count) {
        strcpy(text, home->symbol[value]);
    } else if (set->naming == NAMED_CELLS && value >= 0 && value < (int32_t)rules->board.cells) {
        const unsigned column = rules->board.place[value] % rules->board.columns,
                       row = rules->board.place[value] / rules->board.columns + 1u;
        if (column < 26)
            snprintf(text, NAME_MAX_BYTES + 1, "%c%u", (int)('a' + column), row);
        else
            snprintf(text, NAME_MAX_BYTES + 1, "%c%c%u", (int)('a' + column / 26 - 1), (int)('a' + column % 26), row);
    } else {
        snprintf(text, NAME_MAX_BYTES + 1, "%d", (int)value);
    }
    return text;
}
