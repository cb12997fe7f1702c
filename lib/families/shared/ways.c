/* ways.c -- how far the pieces of a board are from where they belong, each as if it were alone */
#include "ways.h"
#include "lib/puzzle.h"
#include "lib/search/board/matching.h"

#include <stdlib.h>
#include <string.h>

/* -- making the tables -- */

/* A search backward from the ends of one column: all that are in the queue at its start. */
struct flood {
    const struct ways_rules *rules;
    unsigned group; /* by the rules */
    unsigned queued;
    uint8_t queue[BOARD_MAX_CELLS];
    uint16_t far[BOARD_MAX_CELLS];
};

static void reach(struct flood *flood, unsigned place, uint16_t far)
{
    if (flood->far[place] != MATCHING_NEVER)
        return;
    flood->far[place] = far;
    flood->queue[flood->queued++] = (uint8_t)place;
}

static void spread(struct flood *flood)
{
    const struct ways_rules *rules = flood->rules;
    for (unsigned i = 0; i < flood->queued; i++) {
        uint8_t source[BOARD_MAX_CELLS];
        const unsigned place = flood->queue[i];
        const bool one_go = rules->one_go && flood->far[place] == 1;
        const unsigned sources = rules->sources(rules->context, flood->group, place, source);
        for (unsigned s = 0; s < sources; s++)
            reach(flood, source[s], (uint16_t)(flood->far[place] + !one_go));
    }
}

static void find_column(const struct ways_rules *rules, unsigned from, unsigned column, const struct ways *ways,
                        unsigned to)
{
    const struct ways_group *group = &ways->group[to];
    struct flood flood = {.rules = rules, .group = from};
    for (unsigned place = 0; place < rules->places; place++)
        flood.far[place] = MATCHING_NEVER;
    for (unsigned place = 0; place < rules->places; place++)
        if (column == group->named ? rules->may_end(rules->context, from, place)
                                   : ways->home[place] == to && ways->column[place] == column)
            reach(&flood, place, 0);
    spread(&flood);
    for (unsigned place = 0; place < rules->places; place++)
        ways->far[group->first + place * group->columns + column] = flood.far[place];
}

/* Groups of several pieces first. Notes in from[] which group of the rules each is. */
static uint32_t order_groups(const struct ways_rules *rules, struct ways *ways, uint8_t *from)
{
    uint32_t entries = 0;
    for (int single = 0; single < 2; single++)
        for (unsigned g = 0; g < rules->groups; g++) {
            if ((rules->group[g].pieces == 1) != (single == 1))
                continue;
            struct ways_group *group = &ways->group[ways->groups];
            *group = rules->group[g];
            group->named = 0;
            for (unsigned place = 0; place < rules->places; place++) {
                if (rules->goal[place] != group->symbol)
                    continue;
                ways->home[place] = (uint8_t)ways->groups;
                ways->column[place] = (uint8_t)group->named++;
            }
            group->columns = (uint16_t)(group->named + (group->pieces > group->named));
            group->first = entries;
            entries += rules->places * group->columns;
            ways->group_of[group->symbol] = (uint8_t)ways->groups;
            from[ways->groups++] = (uint8_t)g;
            ways->shared += single == 0;
        }
    return entries;
}

pdb_status ways_make(const struct ways_rules *rules, struct ways *ways, pdb_error *error)
{
    uint8_t from[WAYS_MAX_GROUPS];
    *ways = (struct ways){.places = rules->places, .group = calloc(rules->groups + 1u, sizeof *ways->group)};
    if (ways->group == NULL)
        return error_no_memory(error, "the kinds of pieces", rules->groups * sizeof *ways->group);
    memset(ways->group_of, WAYS_MAX_GROUPS, sizeof ways->group_of);
    memset(ways->home, WAYS_MAX_GROUPS, sizeof ways->home);
    const uint32_t entries = order_groups(rules, ways, from);
    ways->far = malloc((entries + 1) * sizeof *ways->far);
    if (ways->far == NULL)
        return error_no_memory(error, "the ways of single pieces", entries * sizeof *ways->far);
    for (unsigned g = 0; g < ways->groups; g++)
        for (unsigned column = 0; column < ways->group[g].columns; column++)
            find_column(rules, from[g], column, ways, g);
    return PDB_OK;
}

void ways_free(struct ways *ways)
{
    free(ways->group);
    free(ways->far);
}

/* -- using them -- */

/* More pieces away from home than can be matched: each goes to its nearest end, taken or not; or to each end comes its
 * nearest piece. */
static uint32_t nearest(const uint16_t *far, unsigned columns, const uint8_t *away, const uint8_t *end, unsigned pieces)
{
    uint32_t of_pieces = 0, of_ends = 0;
    for (unsigned i = 0; i < pieces; i++) {
        uint16_t nearest_end = MATCHING_NEVER, nearest_piece = MATCHING_NEVER;
        for (unsigned j = 0; j < pieces; j++) {
            const uint16_t to = far[away[i] * columns + end[j]], from = far[away[j] * columns + end[i]];
            nearest_end = to < nearest_end ? to : nearest_end;
            nearest_piece = from < nearest_piece ? from : nearest_piece;
        }
        of_pieces += nearest_end;
        of_ends += nearest_piece;
    }
    return of_pieces > of_ends ? of_pieces : of_ends;
}

/* The cheapest way home for the pieces of a group that stand on these places. */
static uint32_t match(const struct ways *ways, unsigned g, const uint8_t *place)
{
    const struct ways_group *group = &ways->group[g];
    const uint16_t *far = ways->far + group->first;
    uint8_t away[BOARD_MAX_CELLS], end[BOARD_MAX_CELLS];
    bool taken[BOARD_MAX_CELLS];
    unsigned pieces = 0, ends = 0;
    memset(taken, false, group->named);
    for (unsigned i = 0; i < group->pieces; i++) {
        if (ways->home[place[i]] == g)
            taken[ways->column[place[i]]] = true;
        else
            away[pieces++] = place[i];
    }
    for (unsigned column = 0; column < group->named; column++)
        if (!taken[column])
            end[ends++] = (uint8_t)column;
    while (ends < pieces)
        end[ends++] = (uint8_t)group->named;
    if (pieces > MATCHING_MAX)
        return nearest(far, group->columns, away, end, pieces);
    uint16_t cost[MATCHING_MAX * MATCHING_MAX];
    for (unsigned i = 0; i < pieces; i++)
        for (unsigned j = 0; j < pieces; j++)
            cost[i * pieces + j] = far[away[i] * group->columns + end[j]];
    return matching_least(pieces, pieces, cost);
}

/* No sum of ways that there are comes near BOUND_NEVER: at most 256 pieces go 255 steps each. */
uint16_t ways_bound(const struct ways *ways, const uint8_t *board)
{
    uint8_t place[BOARD_MAX_CELLS]; /* of the pieces, group by group */
    uint16_t end[WAYS_MAX_GROUPS];  /* of each shared group in place[], so far */
    uint64_t sum = 0;
    for (unsigned g = 0, first = 0; g < ways->shared; g++) {
        end[g] = (uint16_t)first;
        first += ways->group[g].pieces;
    }
    for (unsigned p = 0; p < ways->places; p++) {
        const unsigned g = ways->group_of[board[p]];
        if (g < ways->shared)
            place[end[g]++] = (uint8_t)p;
        else if (g < ways->groups)
            sum += ways->far[ways->group[g].first + p];
    }
    for (unsigned g = 0; g < ways->shared; g++)
        sum += match(ways, g, place + end[g] - ways->group[g].pieces);
    return sum < BOUND_NEVER ? (uint16_t)sum : BOUND_NEVER;
}
