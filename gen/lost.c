/* lost.c -- boards of a definition that cannot reach the goal */
#include "lost.h"
#include "lib/search/space/distance.h"

/* A board without an index cannot reach the goal, unless states were found by moves out of the named boards: then
 * nothing is known of one that none of these moves leads to. */
static bool is_lost(const struct values *values, bool found_by_moves, const uint8_t *position)
{
    uint64_t index;
    uint32_t distance;
    if (!values->puzzle->family->rank(values->puzzle, position, &index))
        return !found_by_moves;
    return distance_get(values, &index, 1, &distance, NULL) == PDB_OK && distance == DISTANCE_NONE;
}

static void note(struct summary *summary, const char *name)
{
    if (summary->lost < LOST_MAX)
        summary->lost_name[summary->lost] = name;
    summary->lost++;
}

static void look_up(const struct work *work, const struct store *store, struct summary *summary)
{
    const struct puzzle *puzzle = work->puzzle;
    const bool found_by_moves = puzzle->keyed && puzzle->undoable;
    struct values values;
    if (!work_values(work, store, &values))
        return;
    for (size_t i = 0; i < puzzle->named_count; i++)
        if (is_lost(&values, found_by_moves, puzzle->named[i].position))
            note(summary, puzzle->named[i].name);
    if (puzzle->drawn != NULL && is_lost(&values, found_by_moves, puzzle->drawn))
        note(summary, "board");
}

void lost_find(const struct work *work, struct summary *summary)
{
    struct store *store;
    /* Keys are at hand only where this run has found them. */
    const bool numbered = !work->puzzle->keyed || work->keyed != NULL;
    const bool distances = summary->entries == 0 && work->puzzle->family->enumeration == NULL;
    if (!numbered || !distances || store_open(summary->file, &store, NULL) != PDB_OK)
        return;
    /* Nobody holds the lock now: what lies there may already be of another definition. */
    if (work_is_ours(work, store))
        look_up(work, store, summary);
    store_close(store);
}
