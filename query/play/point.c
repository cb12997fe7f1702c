/* point.c -- a game: what is pointed at, by arrows, clicks and the list, and what moves then */
#include "play.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void play_say(struct play *play, const char *format, ...)
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

bool play_belongs(const struct play *play, size_t move, uint32_t cell)
{
    if (cell == SCENE_NO_CELL)
        return false;
    return has_holds(play, cell) ? scene_holds(&play->scene, move, cell) : scene_fills(&play->scene, move, cell);
}

bool play_offers(const struct play *play, size_t move)
{
    if (play->chosen != PLAY_NO_MOVE)
        return move == play->chosen;
    return play_belongs(play, move, play->held != SCENE_NO_CELL ? play->held : play->cursor);
}

bool play_lists(const struct play *play, size_t move)
{
    if (!pdb_puzzle_unordered(play->puzzle) || !has_holds(play, play->cursor))
        return true;
    return play_belongs(play, move, play->cursor);
}

/* How many moves belong to a cell; the last of them. */
static size_t count_at(const struct play *play, uint32_t cell, size_t *last)
{
    size_t count = 0;
    for (size_t m = 0; m < play->scene.moves; m++)
        if (play_belongs(play, m, cell)) {
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

/* Takes hold of the piece at a cell, or of none where it can go nowhere. */
static void hold(struct play *play, uint32_t cell)
{
    play->held = can_hold(play, cell) ? cell : SCENE_NO_CELL;
    if (play->held != SCENE_NO_CELL)
        play_say(play, "held: the arrows move it, Tab is the next one, Esc lets go");
}

bool play_holds(const struct play *play, uint32_t cell)
{
    const uint16_t *piece = play->scene.piece;
    if (play->held == SCENE_NO_CELL)
        return false;
    return cell == play->held || (piece[cell] != PDB_NO_PIECE && piece[cell] == piece[play->held]);
}

/* The move that takes the held piece to a cell: the one that changes least, where there are several. */
static size_t move_to(const struct play *play, uint32_t cell)
{
    size_t best = PLAY_NO_MOVE;
    for (size_t m = 0; play->held != SCENE_NO_CELL && m < play->scene.moves; m++)
        if (scene_holds(&play->scene, m, play->held) && scene_fills(&play->scene, m, cell) &&
            (best == PLAY_NO_MOVE || play->scene.move[m].changes < play->scene.move[best].changes))
            best = m;
    return best;
}

bool play_aims_at(const struct play *play, uint32_t cell)
{
    return move_to(play, cell) != PLAY_NO_MOVE;
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

/* To the next cell in a direction that there is a point in. */
static void move_cursor(struct play *play, int down, int right)
{
    const unsigned columns = play->scene.columns;
    uint32_t best = SCENE_NO_CELL;
    unsigned least = UINT32_MAX;
    if (play->cursor == SCENE_NO_CELL) {
        play_point_first(play);
        return;
    }
    for (uint32_t cell = 0; cell < play->scene.rows * play->scene.columns; cell++) {
        /* Its place along the direction; what it is aside of that counts eight times. */
        const int rows = (int)(cell / columns) - (int)(play->cursor / columns);
        const int across = (int)(cell % columns) - (int)(play->cursor % columns);
        const int along = rows * down + across * right, aside = abs(rows * right) + abs(across * down);
        const unsigned cost = along > 0 ? (unsigned)(along + 8 * aside) : UINT32_MAX;
        const bool aim = play->held != SCENE_NO_CELL ? play_aims_at(play, cell) : scene_is_cell(&play->scene, cell);
        if (aim && cost < least) {
            least = cost;
            best = cell;
        }
    }
    if (best != SCENE_NO_CELL)
        point(play, best);
    else if (play->held != SCENE_NO_CELL)
        play_say(play, "this piece cannot go there: Tab is the next one, Esc lets go");
    else
        play_say(play, "the cursor cannot go further %s", scene_direction(down, right));
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

/* Where moves are called by directions, as "push left", an arrow makes the one that goes there; else it goes through
 * the list. Where in any state two went one way it never makes one, for the game would depend on chance. */
static pdb_status arrow_in_list(struct play *play, int down, int right, pdb_error *error)
{
    size_t called = 0;
    for (size_t m = 0; m < play->scene.moves && !play->scene.several; m++) {
        const pdb_move *move = &play->moves.move[m];
        if (scene_goes(move, scene_direction(down, right)))
            return play_take(play, m, error);
        for (int way = -1; way <= 1; way += 2)
            called += scene_goes(move, scene_direction(way, 0)) || scene_goes(move, scene_direction(0, way));
    }
    if (called > 0)
        play_say(play, "no move goes %s; Tab goes through the list", scene_direction(down, right));
    else
        play_choose(play, down + right);
    return PDB_OK;
}

pdb_status play_arrow(struct play *play, int down, int right, pdb_error *error)
{
    size_t move = PLAY_NO_MOVE;
    if (play->scene.listed)
        return arrow_in_list(play, down, right, error);
    if (play->held != SCENE_NO_CELL)
        move = straight_move(play, play->held, down, right);
    if (move == PLAY_NO_MOVE && play->scene.steered)
        move = straight_move(play, SCENE_NO_CELL, down, right);
    if (move != PLAY_NO_MOVE)
        return play_take(play, move, error);
    if (play->scene.steered)
        play_say(play, "no piece can move %s into the gap", scene_direction(down, right));
    else
        move_cursor(play, down, right);
    return PDB_OK;
}

/* -- pieces and the list -- */

/* The next move of the list. */
void play_choose(struct play *play, int by)
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

/* The next cell, in reading order, at which a piece that can move begins. */
void play_next_piece(struct play *play, bool back)
{
    const uint32_t cells = play->scene.rows * play->scene.columns;
    uint32_t cell = play->cursor;
    if (play->held == SCENE_NO_CELL && can_hold(play, cell)) { /* the one that is pointed at, first of all */
        hold(play, cell);
        return;
    }
    if (cell == SCENE_NO_CELL)
        cell = back ? 0 : cells - 1;
    for (uint32_t i = 0; i < cells; i++) {
        cell = (cell + (back ? cells - 1 : 1)) % cells;
        const uint16_t *piece = play->scene.piece;
        if (!has_holds(play, cell) || (piece[cell] != PDB_NO_PIECE && scene_first_cell(piece, piece[cell]) != cell))
            continue;
        point(play, cell);
        hold(play, cell);
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
        play_say(play,
                 play->solved ? "this is the goal: n begins a new game, 0 this one again" : "nothing can move here");
    else if (pdb_puzzle_unordered(play->puzzle))
        play_say(play, "type a value, or choose a move of the list");
    else if (can_hold(play, cell))
        hold(play, cell);
    else
        play_say(play, "more than one move leads here: choose a piece, or a move of the list");
    return PDB_OK;
}

pdb_status play_use(struct play *play, pdb_error *error)
{
    const uint32_t cell = play->cursor;
    const size_t move = move_to(play, cell); /* of what is held */
    if (move != PLAY_NO_MOVE)
        return play_take(play, move, error);
    const bool same = play_holds(play, cell);
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
    return play_use(play, error);
}
