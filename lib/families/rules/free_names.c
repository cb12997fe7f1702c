/* free_names.c -- the moves of a position, where some are free: what they are called
 *
 * A move has the names of the free moves before it where another is called the same without them, and of those behind
 * it that lead to the goal: "take a, walk, put a". There is room for PDB_MOVE_TEXT_MAX bytes: for those that do not fit
 * stands "...". Before a move the first one is named, by which ways differ, and the last ones: "take a, ..., up, walk";
 * behind it the first ones: "walk, put a, ...".
 */
#include "free.h"
#include "lib/memory/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DOTS = 5 /* bytes of "..., " */ };

/* The free moves before a move of a position, and those behind it that lead to the goal. */
struct beside {
    size_t move;
    const char *name;
    struct free_way before, behind;
};

struct listing {
    const struct rules *rules;
    pdb_moves *moves;
    struct beside *beside; /* of each */
    size_t count, room;
    unsigned left; /* states that may be looked at for what is behind moves */
};

static pdb_status list_step(void *context, const struct step *step, pdb_error *error)
{
    struct listing *listing = context;
    if (!array_reserve(&listing->beside, &listing->room, listing->count + 1, sizeof *listing->beside))
        return error_no_memory(error, "the moves of a board", sizeof *listing->beside);
    const pdb_status status = step_list(listing->rules, step, listing->moves, error);
    if (status != PDB_OK)
        return status;
    struct beside *beside = &listing->beside[listing->count++];
    beside->move = listing->moves->count - 1;
    beside->before = *step->before;
    free_goal_way(listing->rules, step->state, &listing->left, &beside->behind);
    return PDB_OK;
}

/* -- names -- */

/* Puts a text before another, where both have no more than `room` bytes. */
static bool put_before(char *text, const char *added, size_t room)
{
    const size_t bytes = strlen(added);
    if (strlen(text) + bytes > room)
        return false;
    memmove(text + bytes, text, strlen(text) + 1);
    for (size_t i = 0; i < bytes; i++) /* the end is the other text's */
        text[i] = added[i];
    return true;
}

/* Puts as many of the last moves before a text as have room; returns how many. */
static size_t put_last(const struct rules *rules, const struct free_way *way, size_t most, size_t room, char *text)
{
    size_t put = 0;
    for (bool fits = true; fits && put < most && put < FREE_KEPT; put += fits) {
        char name[PDB_MOVE_TEXT_MAX], words[PDB_MOVE_TEXT_MAX + 2];
        step_text_of(rules, way->last[put], name, sizeof name);
        snprintf(words, sizeof words, "%s, ", name);
        fits = put_before(text, words, room);
    }
    return put;
}

/* "take a, ..., up, " in at most `room` bytes: without the first, or with nothing, where that is too long. */
static void name_before(const struct rules *rules, const struct free_way *way, size_t room, char *text)
{
    char first[PDB_MOVE_TEXT_MAX], front[PDB_MOVE_TEXT_MAX + 2 + DOTS];
    *text = '\0';
    if (put_last(rules, way, way->count, room, text) == way->count)
        return;
    *text = '\0';
    step_text_of(rules, way->first[0], first, sizeof first);
    snprintf(front, sizeof front, "%s, ..., ", first);
    if (strlen(front) > room)
        snprintf(front, sizeof front, "..., ");
    if (strlen(front) > room)
        return;
    put_last(rules, way, way->count - 1, room - strlen(front), text);
    put_before(text, front, room);
}

/* ", put a, ..." in at most `room` bytes. */
static void name_behind(const struct rules *rules, const struct free_way *way, size_t room, char *text)
{
    size_t put = 0, length = 0, end = 0; /* up to `end`, where dots have room, too */
    *text = '\0';
    for (bool fits = true; fits && put < way->count && put < FREE_KEPT; put += fits) {
        char name[PDB_MOVE_TEXT_MAX], words[PDB_MOVE_TEXT_MAX + 2];
        step_text_of(rules, way->first[put], name, sizeof name);
        snprintf(words, sizeof words, ", %s", name);
        fits = length + strlen(words) <= room;
        end = length + DOTS <= room ? length : end;
        if (fits)
            strcpy(text + length, words);
        length += fits ? strlen(words) : 0;
    }
    if (put < way->count)
        strcpy(text + end, end + DOTS <= room ? ", ..." : "");
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(((const struct beside *)left)->name, ((const struct beside *)right)->name);
}

/* Moves of one name are told apart by the free moves that are made before them; and what is free at the end of a
 * solution is said, too. */
static void name_free_moves(struct listing *listing)
{
    struct beside *beside = listing->beside;
    const size_t count = listing->count;
    for (size_t m = 0; m < count; m++)
        beside[m].name = listing->moves->move[beside[m].move].text;
    if (count > 0)
        qsort(beside, count, sizeof *beside, compare_names);
    for (size_t m = 0, same = 0; m < count; m++) { /* from `same` on they are called the same */
        same = strcmp(beside[m].name, beside[same].name) == 0 ? same : m;
        if (same == m && (m + 1 == count || strcmp(beside[m].name, beside[m + 1].name) != 0))
            beside[m].before.count = 0;
    }
    for (size_t m = 0; m < count; m++) {
        char before[PDB_MOVE_TEXT_MAX], behind[PDB_MOVE_TEXT_MAX], *name = listing->moves->move[beside[m].move].text;
        const size_t own = strlen(name), room = PDB_MOVE_TEXT_MAX - 1 - own;
        const size_t kept = beside[m].behind.count == 0 ? 0 : room < DOTS ? room : DOTS; /* for what is behind */
        name_before(listing->rules, &beside[m].before, room - kept, before);
        name_behind(listing->rules, &beside[m].behind, room - strlen(before), behind);
        strcpy(name + own, behind);
        put_before(name, before, PDB_MOVE_TEXT_MAX - 1);
    }
}

pdb_status free_moves(const struct rules *rules, const int32_t *state, pdb_moves *moves, pdb_error *error)
{
    enum { LOOKED_AT = 4096 };
    struct listing listing = {.rules = rules, .moves = moves, .left = LOOKED_AT};
    const pdb_status status = free_steps_visit(rules, state, list_step, &listing, error);
    if (status == PDB_OK)
        name_free_moves(&listing);
    free(listing.beside);
    return status;
}
