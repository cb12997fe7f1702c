/* assignment.c -- how far the pieces of a board are from where they belong, each as if it were alone */
#include "assignment.h"
#include "lib/puzzle.h"
#include "lib/search/board/matching.h"

#include <stdlib.h>
#include <string.h>

/* -- making the tables -- */

/* A search backward from the ends of one column: all that are in the queue at its start. */
struct flood {
    const struct assignment_rules *rules;
    unsigned group; /* by the rules */
    unsigned queued;
    uint16_t queue[BOARD_MAX_CELLS];
    uint16_t far[BOARD_MAX_CELLS];
};

static void reach(struct flood *flood, unsigned place, uint16_t far)
{
    if (flood->far[place] != MATCHING_NEVER)
        return;
    flood->far[place] = far;
    flood->queue[flood->queued++] = (uint16_t)place;
}

static void spread(struct flood *flood)
{
    const struct assignment_rules *rules = flood->rules;
    for (unsigned i = 0; i < flood->queued; i++) {
        uint16_t source[BOARD_MAX_CELLS];
        const unsigned place = flood->queue[i];
        const bool one_go = rules->one_go && flood->far[place] == 1;
        const unsigned sources = rules->sources(rules->context, flood->group, place, source);
        for (unsigned s = 0; s < sources; s++)
            reach(flood, source[s], (uint16_t)(flood->far[place] + !one_go));
    }
}

static void find_column(const struct assignment_rules *rules, unsigned from, unsigned column,
                        const struct assignment *assignment, unsigned to)
{
    const struct assignment_group *group = &assignment->group[to];
    struct flood flood = {.rules = rules, .group = from};
    for (unsigned place = 0; place < rules->places; place++)
        flood.far[place] = MATCHING_NEVER;
    for (unsigned place = 0; place < rules->places; place++)
        if (column == group->named ? rules->may_end(rules->context, from, place)
                                   : assignment->home[place] == to && assignment->column[place] == column)
            reach(&flood, place, 0);
    spread(&flood);
    for (unsigned place = 0; place < rules->places; place++)
        assignment->far[group->first + place * group->columns + column] = flood.far[place];
}

/* Groups of several pieces first. Notes in from[] which group of the rules each is. */
static uint32_t order_groups(const struct assignment_rules *rules, struct assignment *assignment, uint8_t *from)
{
    uint32_t entries = 0;
    for (int single = 0; single < 2; single++)
        for (unsigned g = 0; g < rules->groups; g++) {
            if ((rules->group[g].pieces == 1) != (single == 1))
                continue;
            struct assignment_group *group = &assignment->group[assignment->groups];
            *group = rules->group[g];
            group->named = 0;
            for (unsigned place = 0; place < rules->places; place++) {
                if (rules->goal[place] != group->symbol)
                    continue;
                assignment->home[place] = (uint8_t)assignment->groups;
                assignment->column[place] = group->named++;
            }
            group->columns = (uint16_t)(group->named + (group->pieces > group->named));
            group->first = entries;
            entries += rules->places * group->columns;
            assignment->group_of[group->symbol] = (uint8_t)assignment->groups;
            from[assignment->groups++] = (uint8_t)g;
            assignment->shared += single == 0;
        }
    return entries;
}

pdb_status assignment_make(const struct assignment_rules *rules, struct assignment *assignment, pdb_error *error)
{
    uint8_t from[ASSIGNMENT_MAX_GROUPS];
    *assignment = (struct assignment){.places = rules->places,
                                      .group = calloc(rules->groups + 1u, sizeof *assignment->group)};
    if (assignment->group == NULL)
        return error_no_memory(error, "the kinds of pieces", rules->groups * sizeof *assignment->group);
    memset(assignment->group_of, ASSIGNMENT_MAX_GROUPS, sizeof assignment->group_of);
    memset(assignment->home, ASSIGNMENT_MAX_GROUPS, sizeof assignment->home);
    const uint32_t entries = order_groups(rules, assignment, from);
    assignment->far = malloc((entries + 1) * sizeof *assignment->far);
    if (assignment->far == NULL)
        return error_no_memory(error, "the ways of single pieces", entries * sizeof *assignment->far);
    for (unsigned g = 0; g < assignment->groups; g++)
        for (unsigned column = 0; column < assignment->group[g].columns; column++)
            find_column(rules, from[g], column, assignment, g);
    return PDB_OK;
}

void assignment_free(struct assignment *assignment)
{
    free(assignment->group);
    free(assignment->far);
}

/* -- using them -- */

/* More pieces away from home than can be matched: each goes to its nearest end, taken or not; or to each end comes its
 * nearest piece. */
static uint32_t nearest(const uint16_t *far, unsigned columns, const uint16_t *away, const uint16_t *end,
                        unsigned pieces)
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
static uint32_t match(const struct assignment *assignment, unsigned g, const uint16_t *place)
{
    const struct assignment_group *group = &assignment->group[g];
    const uint16_t *far = assignment->far + group->first;
    uint16_t away[BOARD_MAX_CELLS], end[BOARD_MAX_CELLS];
    bool taken[BOARD_MAX_CELLS];
    unsigned pieces = 0, ends = 0;
    memset(taken, false, group->named);
    /* Pieces at home stay there and take their ends; the others are away. */
    for (unsigned i = 0; i < group->pieces; i++) {
        if (assignment->home[place[i]] == g)
            taken[assignment->column[place[i]]] = true;
        else
            away[pieces++] = place[i];
    }
    /* What ends are free, named ones first, and the open one as often as pieces are left over. */
    for (unsigned column = 0; column < group->named; column++)
        if (!taken[column])
            end[ends++] = (uint16_t)column;
    while (ends < pieces)
        end[ends++] = group->named;
    if (pieces > MATCHING_MAX)
        return nearest(far, group->columns, away, end, pieces);
    /* As many ends as pieces: the cheapest assignment of one to the other. */
    uint16_t cost[MATCHING_MAX * MATCHING_MAX];
    for (unsigned i = 0; i < pieces; i++)
        for (unsigned j = 0; j < pieces; j++)
            cost[i * pieces + j] = far[away[i] * group->columns + end[j]];
    return matching_least(pieces, pieces, cost);
}

/* No sum of them comes near BOUND_NEVER: where states can be numbered, and a board has more than 256 places, all pieces
 * but a few are alike, and few of these are away from home. */
uint16_t assignment_bound(const struct assignment *assignment, const uint8_t *board)
{
    uint16_t place[BOARD_MAX_CELLS];     /* of the pieces, group by group */
    uint16_t end[ASSIGNMENT_MAX_GROUPS]; /* of each shared group in place[], so far */
    uint64_t sum = 0;
    for (unsigned g = 0, first = 0; g < assignment->shared; g++) {
        end[g] = (uint16_t)first;
        first += assignment->group[g].pieces;
    }
    for (unsigned p = 0; p < assignment->places; p++) {
        const unsigned g = assignment->group_of[board[p]];
        if (g < assignment->shared)
            place[end[g]++] = (uint16_t)p;
        else if (g < assignment->groups)
            sum += assignment->far[assignment->group[g].first + p];
    }
    for (unsigned g = 0; g < assignment->shared; g++)
        sum += match(assignment, g, place + end[g] - assignment->group[g].pieces);
    return sum < BOUND_NEVER ? (uint16_t)sum : BOUND_NEVER;
}
