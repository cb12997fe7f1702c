/* play_keys.c -- a game: what keys and clicks mean */
#include "play.h"
#include "play_keys.h"
#include "draw.h"
#include "../lib/error.h"

#include <stdarg.h>
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
    "0             back to the first board",
    "n  N          a random board; at a distance",
    "d             distances, shown or not",
    "b             best moves, shown or not",
    "H             a hint: how far, again: which piece, again: the move",
    "!             make the move of the hint",
    "s             show the solution, move by move; any key stops it",
    "?             this help",
    "q             leave",
    NULL,
};

__attribute__((format(printf, 2, 3))) static void say(struct play *play, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(play->message, sizeof play->message, format, arguments);
    va_end(arguments);
}

/* -- what is pointed at -- */

/* Are moves at a cell taken hold of there, rather than led to it? */
static bool has_holds(const struct play *play, uint32_t cell)
{
    return cell < play->scene.rows * play->scene.columns && play->scene.holds[cell] > 0;
}

/* Does a move belong to a cell? Where none is taken hold of at it, those that fill it do. */
static bool belongs(const struct play *play, size_t move, uint32_t cell)
{
    if (cell == SCENE_NO_CELL)
        return false;
    return has_holds(play, cell) ? scene_holds(&play->scene, move, cell) : scene_fills(&play->scene, move, cell);
}

bool play_offers(const struct play *play, size_t move)
{
    if (play->chosen != PLAY_NO_MOVE)
        return move == play->chosen;
    return belongs(play, move, play->held != SCENE_NO_CELL ? play->held : play->cursor);
}

bool play_lists(const struct play *play, size_t move)
{
    if (!pdb_puzzle_unordered(play->puzzle) || !has_holds(play, play->cursor))
        return true;
    return belongs(play, move, play->cursor);
}

/* How many moves belong to a cell; the last of them. */
static size_t count_at(const struct play *play, uint32_t cell, size_t *last)
{
    size_t count = 0;
    for (size_t m = 0; m < play->scene.moves; m++)
        if (belongs(play, m, cell)) {
            count++;
            *last = m;
        }
    return count;
}

/* Do the moves at a cell take a piece somewhere? Then it can be held, and the arrows move it. */
static bool can_hold(const struct play *play, uint32_t cell)
{
    bool goes = false;
    for (size_t m = 0; cell != SCENE_NO_CELL && m < play->scene.moves; m++)
        goes |= scene_holds(&play->scene, m, cell) && play->scene.move[m].to != SCENE_NO_CELL;
    return goes && !pdb_puzzle_unordered(play->puzzle);
}

static void point(struct play *play, uint32_t cell)
{
    play->cursor = cell;
    play->chosen = PLAY_NO_MOVE;
}

struct play_place play_place_after(const struct play *play, size_t move)
{
    const struct scene_move *taken = &play->scene.move[move];
    struct play_place place = {play->cursor, SCENE_NO_CELL};
    if (taken->to == SCENE_NO_CELL || taken->from == SCENE_NO_CELL)
        return place;
    if (play->held != SCENE_NO_CELL)
        place = (struct play_place){taken->to, taken->to};
    else if (play->cursor != SCENE_NO_CELL)
        place.cursor = taken->to;
    return place;
}

void play_point_at(struct play *play, struct play_place place)
{
    point(play, place.cursor);
    play->held = can_hold(play, place.held) ? place.held : SCENE_NO_CELL;
    if (play->cursor >= play->scene.rows * play->scene.columns)
        play->cursor = SCENE_NO_CELL;
}

void play_point_first(struct play *play)
{
    play->cursor = play->held = SCENE_NO_CELL;
    if (play->scene.steered || play->scene.listed)
        return;
    for (uint32_t cell = 0; cell < play->scene.rows * play->scene.columns && play->cursor == SCENE_NO_CELL; cell++)
        if (has_holds(play, cell))
            play->cursor = cell;
}

/* -- arrows -- */

/* How far a cell lies in a direction: its place along it, and what it is aside of it counts eight times. */
static unsigned cost_of(const struct scene *scene, uint32_t from, uint32_t to, int down, int right)
{
    const int rows = (int)(to / scene->columns) - (int)(from / scene->columns),
              columns = (int)(to % scene->columns) - (int)(from % scene->columns);
    const int along = rows * down + columns * right, aside = abs(rows * right) + abs(columns * down);
    return along > 0 ? (unsigned)(along + 8 * aside) : UINT32_MAX;
}

/* Can the piece that is held come to this cell, or, where none is, may the cursor? */
static bool is_aim(const struct play *play, uint32_t cell)
{
    if (play->held == SCENE_NO_CELL)
        return scene_is_cell(&play->scene, cell);
    for (size_t m = 0; m < play->scene.moves; m++)
        if (scene_holds(&play->scene, m, play->held) && scene_fills(&play->scene, m, cell))
            return true;
    return false;
}

/* To the next cell in a direction that there is a point in. */
static void move_cursor(struct play *play, int down, int right)
{
    uint32_t best = SCENE_NO_CELL;
    unsigned least = UINT32_MAX;
    if (play->cursor == SCENE_NO_CELL) {
        play_point_first(play);
        return;
    }
    for (uint32_t cell = 0; cell < play->scene.rows * play->scene.columns; cell++) {
        const unsigned cost = cost_of(&play->scene, play->cursor, cell, down, right);
        if (cost < least && is_aim(play, cell)) {
            least = cost;
            best = cell;
        }
    }
    if (best != SCENE_NO_CELL)
        point(play, best);
    else if (play->held != SCENE_NO_CELL)
        say(play, "this piece cannot go there: Tab is the next one, Esc lets go");
}

/* The shortest move straight in a direction, of the piece that is held or of any. */
static size_t straight_move(const struct play *play, uint32_t held, int down, int right)
{
    size_t best = PLAY_NO_MOVE;
    int least = INT32_MAX;
    for (size_t m = 0; m < play->scene.moves; m++) {
        const struct scene_move *move = &play->scene.move[m];
        const int along = move->down * down + move->right * right;
        const bool straight = along > 0 && move->down * right == 0 && move->right * down == 0;
        if (straight && along < least && (held == SCENE_NO_CELL || scene_holds(&play->scene, m, held))) {
            least = along;
            best = m;
        }
    }
    return best;
}

static void choose_move(struct play *play, int by);

static pdb_status arrow(struct play *play, int down, int right, pdb_error *error)
{
    size_t move = PLAY_NO_MOVE;
    if (play->scene.listed) {
        choose_move(play, down + right);
        return PDB_OK;
    }
    if (play->held != SCENE_NO_CELL)
        move = straight_move(play, play->held, down, right);
    if (move == PLAY_NO_MOVE && play->scene.steered)
        move = straight_move(play, SCENE_NO_CELL, down, right);
    if (move != PLAY_NO_MOVE)
        return play_take(play, move, error);
    if (!play->scene.steered)
        move_cursor(play, down, right);
    return PDB_OK;
}

/* -- pieces and the list -- */

/* The next move of the list. */
static void choose_move(struct play *play, int by)
{
    const size_t count = play->scene.moves;
    size_t move = play->chosen;
    play->held = SCENE_NO_CELL;
    for (size_t i = 0; i < count; i++) {
        if (move == PLAY_NO_MOVE)
            move = by > 0 ? 0 : count - 1;
        else
            move = (move + (by > 0 ? 1 : count - 1)) % count;
        if (play_lists(play, move)) {
            play->chosen = move;
            return;
        }
    }
}

/* Is a cell the first of its piece, or without one? */
static bool begins_piece(const struct scene *scene, uint32_t cell)
{
    uint32_t first = 0;
    while (scene->piece[first] != scene->piece[cell])
        first++;
    return first == cell || scene->piece[cell] == PDB_NO_PIECE;
}

/* The next cell, in reading order, at which a piece that can move begins. */
static void next_piece(struct play *play, bool back)
{
    const uint32_t cells = play->scene.rows * play->scene.columns;
    uint32_t cell = play->cursor;
    if (play->held == SCENE_NO_CELL && can_hold(play, cell)) { /* the one that is pointed at, first of all */
        play->held = cell;
        return;
    }
    if (cell == SCENE_NO_CELL)
        cell = back ? 0 : cells - 1;
    for (uint32_t i = 0; i < cells; i++) {
        cell = (cell + (back ? cells - 1 : 1)) % cells;
        if (!begins_piece(&play->scene, cell) || !has_holds(play, cell))
            continue;
        point(play, cell);
        play->held = can_hold(play, cell) ? cell : SCENE_NO_CELL;
        return;
    }
}

/* Takes the only move at a cell, or takes hold of the piece there. */
static pdb_status use_cell(struct play *play, uint32_t cell, pdb_error *error)
{
    size_t move = PLAY_NO_MOVE;
    const size_t count = count_at(play, cell, &move);
    if (count == 1)
        return play_take(play, move, error);
    if (count == 0)
        say(play, play->solved ? "this is the goal: n is a new board, 0 the first one again" : "nothing can move here");
    else if (pdb_puzzle_unordered(play->puzzle))
        say(play, "type a value, or choose a move of the list");
    else if (can_hold(play, cell))
        play->held = cell;
    else
        say(play, "more than one move leads here: choose a piece, or a move of the list");
    return PDB_OK;
}

/* The move that takes the held piece to a cell: the one that changes least, where there are several. */
static size_t move_to(const struct play *play, uint32_t cell)
{
    size_t best = PLAY_NO_MOVE;
    for (size_t m = 0; m < play->scene.moves; m++)
        if (scene_holds(&play->scene, m, play->held) && scene_fills(&play->scene, m, cell) &&
            (best == PLAY_NO_MOVE || play->scene.move[m].changes < play->scene.move[best].changes))
            best = m;
    return best;
}

static pdb_status use_held(struct play *play, uint32_t cell, pdb_error *error)
{
    const uint16_t *piece = play->scene.piece;
    const size_t move = move_to(play, cell);
    if (move != PLAY_NO_MOVE)
        return play_take(play, move, error);
    const bool same = cell == play->held || (piece[cell] != PDB_NO_PIECE && piece[cell] == piece[play->held]);
    play->held = SCENE_NO_CELL;
    return same ? PDB_OK : use_cell(play, cell, error);
}

pdb_status play_click(struct play *play, uint32_t cell, pdb_error *error)
{
    play->message[0] = play->typed[0] = '\0';
    play->asking = play->running = false;
    if (!scene_is_cell(&play->scene, cell))
        return PDB_OK;
    point(play, cell);
    return play->held != SCENE_NO_CELL ? use_held(play, cell, error) : use_cell(play, cell, error);
}

/* -- typing: a number, a value, a name -- */

/* What a move may be called by: which = 0, 1, ... until false. */
static bool move_label(const struct play *play, size_t move, unsigned which, char label[PDB_MOVE_TEXT_MAX])
{
    const bool value = pdb_puzzle_unordered(play->puzzle) && play->cursor != SCENE_NO_CELL;
    if (which > 1)
        return false;
    if (value) {
        const uint32_t after = scene_value_after(&play->scene, move, play->cursor);
        const bool here = belongs(play, move, play->cursor) && after != play->scene.value[play->cursor];
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

/* Enter behind what was typed, or a character that does not go on with it. */
static pdb_status take_typed(struct play *play, pdb_error *error)
{
    size_t exact;
    find_typed(play, play->typed, &exact);
    if (exact == PLAY_NO_MOVE)
        say(play, "there is no move '%s'", play->typed);
    play->typed[0] = '\0';
    return exact != PLAY_NO_MOVE ? play_take(play, exact, error) : PDB_OK;
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

static void hint(struct play *play)
{
    play->hint += play->hint < 3;
    play->stopped = false;
}

static void toggle(struct play *play, bool *shown, const char *what)
{
    *shown = !*shown;
    play->stopped = false;
    say(play, "%s are %s", what, *shown ? "shown" : "hidden");
}

static pdb_status enter(struct play *play, pdb_error *error)
{
    if (play->chosen != PLAY_NO_MOVE)
        return play_take(play, play->chosen, error);
    if (play->cursor == SCENE_NO_CELL) {
        say(play, play->scene.listed ? "choose a move of the list: its number, or the arrows"
                                     : "the arrows move a tile into the gap; Tab chooses a piece");
        return PDB_OK;
    }
    return play->held != SCENE_NO_CELL ? use_held(play, play->cursor, error) : use_cell(play, play->cursor, error);
}

/* To a step of the way, if there is one. */
static pdb_status go(struct play *play, size_t at, const char *otherwise, pdb_error *error)
{
    if (at < play->steps && at != play->at)
        return play_go(play, at, error);
    say(play, "%s", otherwise);
    return PDB_OK;
}

static pdb_status command(struct play *play, int key, pdb_error *error)
{
    switch (key) {
    case 'u':
        return go(play, play->at - 1, "there is no move to take back", error);
    case 'r':
        return go(play, play->at + 1, "there is no move to make again", error);
    case '0':
        return go(play, 0, "this is the first board", error);
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
        hint(play);
        return PDB_OK;
    case '!':
        if (play->hint == 3)
            return play_take_best(play, error);
        say(play, "ask for a hint first: H, up to three times");
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
        say(play, "? tells what the keys do");
        return PDB_OK;
    }
}

static pdb_status point_key(struct play *play, int key, pdb_error *error)
{
    switch (key) {
    case PLAY_UP:
    case 'k':
        return arrow(play, -1, 0, error);
    case PLAY_DOWN:
    case 'j':
        return arrow(play, 1, 0, error);
    case PLAY_LEFT:
    case 'h':
        return arrow(play, 0, -1, error);
    case PLAY_RIGHT:
    case 'l':
        return arrow(play, 0, 1, error);
    case PLAY_ENTER:
    case ' ':
        return enter(play, error);
    case PLAY_NEXT_MOVE:
    case PLAY_PREVIOUS_MOVE:
        choose_move(play, key == PLAY_NEXT_MOVE ? 1 : -1);
        return PDB_OK;
    case PLAY_TAB:
    case PLAY_BACKTAB:
        if (play->scene.listed)
            choose_move(play, key == PLAY_TAB ? 1 : -1);
        else
            next_piece(play, key == PLAY_BACKTAB);
        return PDB_OK;
    case PLAY_ESCAPE:
        play->held = SCENE_NO_CELL;
        play->chosen = PLAY_NO_MOVE;
        return PDB_OK;
    default:
        return command(play, key, error);
    }
}

/* A key while a number or a name is being typed. */
static pdb_status go_on_typing(struct play *play, int key, pdb_error *error)
{
    bool taken;
    if (key == PLAY_ESCAPE || key == PLAY_BACKSPACE) {
        play->typed[0] = '\0';
        return PDB_OK;
    }
    pdb_status status = type(play, key, &taken, error);
    if (taken || status != PDB_OK)
        return status;
    status = take_typed(play, error);
    return status != PDB_OK || key == PLAY_ENTER || key == ' ' ? status : play_key(play, key, error);
}

/* Such keys are commands, and begin no move's name. (In a slot, values come first.) */
static bool is_command(int key)
{
    return key <= ' ' || key > '~' || strchr("0HN!?", key) != NULL || (key >= 'a' && key <= 'z');
}

pdb_status play_key(struct play *play, int key, pdb_error *error)
{
    bool taken = false;
    pdb_status status = PDB_OK;
    play->message[0] = '\0';
    if (play->help || play->running) { /* any key ends that, and means nothing else */
        play->over = key == 'q';
        play->help = play->running = false;
        return PDB_OK;
    }
    if (play->asking)
        return answer_distance(play, key, error);
    if (play->typed[0] != '\0')
        return go_on_typing(play, key, error);
    if (pdb_puzzle_unordered(play->puzzle) || !is_command(key))
        status = type(play, key, &taken, error);
    return taken || status != PDB_OK ? status : point_key(play, key, error);
}
