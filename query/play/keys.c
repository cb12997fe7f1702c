/* keys.c -- a game: what keys mean */
#include "play.h"
#include "lib/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const play_help[] = {
    "arrows, hjkl  move the piece that is held, a tile into the gap, or the cursor",
    "Tab           the next piece that can move (Shift-Tab: the one before)",
    "Enter, Space  move what is under the cursor, or hold it, or put it there",
    "1 2 3 ...     the move of that number; a value for a slot; a move's name (R2)",
    "PgDn, PgUp    the next move of the list, Enter takes it",
    "mouse         a piece, a place for it, a move of the list",
    "Esc           let go of the piece",
    "u  r          take a move back; make it again",
    "0             take all moves back",
    "n  N          a new game: a random board; one at a distance",
    "d             distances, shown or not; hidden at first",
    "b             best moves, shown or not; hidden at first",
    "H             a hint: how far, again: which piece, again: the move",
    "!             make the move of the hint",
    "s             show the solution, move by move; any key stops it",
    "?             this help",
    "q             leave",
    NULL,
};

/* -- typing: a number, a value, a name -- */

/* What a move may be called by: which = 0, 1, ... until false. */
static bool move_label(const struct play *play, size_t move, unsigned which, char label[PDB_MOVE_TEXT_MAX])
{
    const bool value = pdb_puzzle_unordered(play->puzzle) && play->cursor != SCENE_NO_CELL;
    if (which > 1)
        return false;
    if (value) {
        const uint32_t after = scene_value_after(&play->scene, move, play->cursor);
        const bool here = play_belongs(play, move, play->cursor) && after != play->scene.value[play->cursor];
        label[0] = '\0';
        if (here)
            scene_text(&play->scene, after, which == 0, label);
        return true;
    }
    if (which == 1)
        return play->scene.listed && snprintf(label, PDB_MOVE_TEXT_MAX, "%s", play->moves.move[move].text) > 0;
    snprintf(label, PDB_MOVE_TEXT_MAX, "%zu", move + 1);
    return true;
}

/* How many moves are called by what is typed, or by what begins so; *exact is the one that is called just that. */
static unsigned find_typed(const struct play *play, const char *typed, size_t *exact)
{
    char label[PDB_MOVE_TEXT_MAX];
    unsigned count = 0;
    *exact = PLAY_NO_MOVE;
    for (size_t m = 0; m < play->scene.moves; m++) {
        bool fits = false;
        for (unsigned which = 0; move_label(play, m, which, label); which++) {
            fits |= label[0] != '\0' && strncmp(label, typed, strlen(typed)) == 0;
            *exact = strcmp(label, typed) == 0 ? m : *exact;
        }
        count += fits;
    }
    return count;
}

/* Takes a character into what is typed; *taken is false where no move is called so. */
static pdb_status type(struct play *play, int key, bool *taken, pdb_error *error)
{
    char typed[sizeof play->typed + 1];
    size_t exact;
    *taken = false;
    if (key <= ' ' || key > '~')
        return PDB_OK;
    snprintf(typed, sizeof typed, "%s%c", play->typed, key);
    const unsigned count = strlen(typed) < sizeof play->typed ? find_typed(play, typed, &exact) : 0;
    if (count == 0)
        return PDB_OK;
    *taken = true;
    if (count == 1 && exact != PLAY_NO_MOVE)
        return play_take(play, exact, error);
    strcpy(play->typed, typed);
    return PDB_OK;
}

/* -- asking for a distance -- */

static pdb_status answer_distance(struct play *play, int key, pdb_error *error)
{
    const size_t length = strlen(play->typed);
    if (key >= '0' && key <= '9' && length < 8) {
        play->typed[length] = (char)key;
        play->typed[length + 1] = '\0';
        return PDB_OK;
    }
    if (key == PLAY_BACKSPACE && length > 0) {
        play->typed[length - 1] = '\0';
        return PDB_OK;
    }
    if (key != PLAY_ENTER && key != PLAY_ESCAPE)
        return PDB_OK;
    const uint32_t distance = (uint32_t)strtoul(play->typed, NULL, 10);
    play->asking = false;
    play->typed[0] = '\0';
    return key == PLAY_ENTER && length > 0 ? play_random(play, distance, error) : PDB_OK;
}

/* -- keys -- */

static void toggle(struct play *play, bool *shown, const char *what)
{
    *shown = !*shown;
    play->stopped = false;
    play_say(play, "%s are %s", what, *shown ? "shown" : "hidden");
}

static pdb_status enter(struct play *play, pdb_error *error)
{
    if (play->chosen != PLAY_NO_MOVE)
        return play_take(play, play->chosen, error);
    if (play->cursor == SCENE_NO_CELL) {
        play_say(play, play->scene.listed ? "choose a move of the list: its number, or Tab"
                                          : "the arrows move a tile into the gap; Tab chooses a piece");
        return PDB_OK;
    }
    return play_use(play, error);
}

/* To a step of the way, if there is one. */
static pdb_status go(struct play *play, size_t at, const char *otherwise, pdb_error *error)
{
    if (at < play->steps && at != play->at)
        return play_go(play, at, error);
    play_say(play, "%s", otherwise);
    return PDB_OK;
}

static pdb_status take_command(struct play *play, int key, pdb_error *error)
{
    switch (key) {
    case 'u':
        return go(play, play->at - 1, "there is no move to take back", error);
    case 'r':
        return go(play, play->at + 1, "there is no move to make again", error);
    case '0':
        return go(play, 0, "there is no move to take back", error);
    case 'n':
        return play_random(play, PDB_NO_DISTANCE, error);
    case 'N':
        play->asking = true;
        return PDB_OK;
    case 'd':
        toggle(play, &play->show_distance, "distances");
        return PDB_OK;
    case 'b':
        toggle(play, &play->show_best, "best moves");
        return PDB_OK;
    case 'H':
        play->hint += play->hint < 3;
        play->stopped = false;
        return PDB_OK;
    case '!':
        if (play->hint == 3)
            return play_take_best(play, error);
        play_say(play, "ask for a hint first: H, up to three times");
        return PDB_OK;
    case 's':
        play->running = !play->solved;
        play->stopped = false;
        return PDB_OK;
    case '?':
        play->help = true;
        return PDB_OK;
    case 'q':
        play->over = true;
        return PDB_OK;
    default:
        play_say(play, "? tells what the keys do");
        return PDB_OK;
    }
}

static pdb_status point_key(struct play *play, int key, pdb_error *error)
{
    switch (key) {
    case PLAY_UP:
    case 'k':
        return play_arrow(play, -1, 0, error);
    case PLAY_DOWN:
    case 'j':
        return play_arrow(play, 1, 0, error);
    case PLAY_LEFT:
    case 'h':
        return play_arrow(play, 0, -1, error);
    case PLAY_RIGHT:
    case 'l':
        return play_arrow(play, 0, 1, error);
    case PLAY_ENTER:
    case ' ':
        return enter(play, error);
    case PLAY_NEXT_MOVE:
    case PLAY_PREVIOUS_MOVE:
        play_choose(play, key == PLAY_NEXT_MOVE ? 1 : -1);
        return PDB_OK;
    case PLAY_TAB:
    case PLAY_BACKTAB:
        if (play->scene.listed)
            play_choose(play, key == PLAY_TAB ? 1 : -1);
        else
            play_next_piece(play, key == PLAY_BACKTAB);
        return PDB_OK;
    case PLAY_ESCAPE:
        play->held = SCENE_NO_CELL;
        play->chosen = PLAY_NO_MOVE;
        return PDB_OK;
    default:
        return take_command(play, key, error);
    }
}

/* A key while a number or a name is being typed. */
static pdb_status go_on_typing(struct play *play, int key, pdb_error *error)
{
    size_t exact;
    bool taken;
    if (key == PLAY_ESCAPE || key == PLAY_BACKSPACE) {
        play->typed[0] = '\0';
        return PDB_OK;
    }
    pdb_status status = type(play, key, &taken, error);
    if (taken || status != PDB_OK)
        return status;
    /* Enter, or a character that does not go on with it. */
    find_typed(play, play->typed, &exact);
    if (exact == PLAY_NO_MOVE)
        play_say(play, "there is no move '%s'", play->typed);
    play->typed[0] = '\0';
    if (exact != PLAY_NO_MOVE)
        status = play_take(play, exact, error);
    return status != PDB_OK || key == PLAY_ENTER || key == ' ' ? status : play_key(play, key, error);
}

pdb_status play_key(struct play *play, int key, pdb_error *error)
{
    bool taken = false;
    pdb_status status = PDB_OK;
    play->message[0] = '\0';
    if (play->help || play->running) { /* any key ends that, and means nothing else */
        play->help = play->running = false;
        return PDB_OK;
    }
    if (play->asking)
        return answer_distance(play, key, error);
    if (play->typed[0] != '\0')
        return go_on_typing(play, key, error);
    /* Commands begin no move's name. (In a slot, values come first.) */
    const bool command = key <= ' ' || key > '~' || strchr("0HN!?", key) != NULL || (key >= 'a' && key <= 'z');
    if (pdb_puzzle_unordered(play->puzzle) || !command)
        status = type(play, key, &taken, error);
    return taken || status != PDB_OK ? status : point_key(play, key, error);
}
