/* free_names.c -- the moves of a position, where some are free: what they are called
 *
 * A move has the names of the free moves before it where another is called the same without them, and of those behind
 * it that lead to the goal: "take a, walk, put a". There is room for PDB_MOVE_TEXT_MAX bytes: of what does not fit the
 * first are left out before the move, and the last behind it.
 */
#include "free.h"
#include "lib/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The free moves before a move of a position, "take a, ", and those behind it that lead to the goal, ", put a". */
enum { BESIDE_MAX = 4 * PDB_MOVE_TEXT_MAX };
struct beside {
    size_t move;
    const char *name;
    char before[BESIDE_MAX], behind[BESIDE_MAX];
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
    snprintf(beside->before, sizeof beside->before, "%s", step->before);
    free_goal_text(listing->rules, step->state, &listing->left, beside->behind, sizeof beside->behind);
    return PDB_OK;
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(((const struct beside *)left)->name, ((const struct beside *)right)->name);
}

/* Leaves out the first of the free moves before a move, "..., take a, ", so that no more than `room` bytes are left. */
static void shorten_before(char *text, size_t room)
{
    static const char dots[] = "..., ";
    const char *rest = text;
    if (strlen(text) <= room)
        return;
    while (rest != NULL && strlen(rest) + strlen(dots) > room) {
        rest = strstr(rest, ", ");
        rest = rest != NULL ? rest + strlen(", ") : NULL;
    }
    if (rest != NULL) {
        memmove(text + strlen(dots), rest, strlen(rest) + 1);
        memcpy(text, dots, strlen(dots));
    } else {
        *text = '\0';
    }
}

/* And the last of those behind it, ", put a, ...". */
static void shorten_behind(char *text, size_t room)
{
    static const char dots[] = ", ...";
    if (strlen(text) <= room)
        return;
    size_t end = 0;
    for (const char *next = text; next != NULL && (size_t)(next - text) + strlen(dots) <= room;
         next = strstr(next + 1, ", "))
        end = (size_t)(next - text);
    if (strncmp(text, dots, end) == 0) /* the first were left out before */
        end = 0;
    strcpy(text + end, strlen(dots) <= room ? dots : "");
}

/* Moves of one name are told apart by the free moves that are made before them; and what is free at the end of a
 * solution is said, too, as far as there is room. */
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
            *beside[m].before = '\0';
    }
    for (size_t m = 0; m < count; m++) {
        char text[PDB_MOVE_TEXT_MAX], *name = listing->moves->move[beside[m].move].text;
        size_t room = PDB_MOVE_TEXT_MAX - 1 - strlen(name);
        shorten_before(beside[m].before, room);
        room -= strlen(beside[m].before);
        shorten_behind(beside[m].behind, room);
        memcpy(text, name, sizeof text);
        snprintf(name, PDB_MOVE_TEXT_MAX, "%s%s%s", beside[m].before, text, beside[m].behind);
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
