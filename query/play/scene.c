/* scene.c -- a board as cells to point at, and which moves belong to which of them */
#include "scene.h"
#include "lib/memory/array.h"
#include "lib/error.h"
#include "lib/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- cells -- */

/* The next character of a sketch: its bytes, the first one lowest; and how many they are. */
static uint32_t next_character(const char *text, size_t *length)
{
    uint32_t character = 0;
    *length = utf8_length(text);
    for (size_t i = 0; i < *length; i++)
        character |= (uint32_t)(unsigned char)text[i] << 8 * i;
    return character;
}

static void measure(const char *sketch, unsigned *rows, unsigned *columns)
{
    unsigned column = 0;
    *rows = *columns = 0;
    for (size_t length; *sketch != '\0'; sketch += length) {
        const uint32_t character = next_character(sketch, &length);
        column = character == '\n' ? 0 : column + 1;
        *rows += character == '\n';
        *columns = column > *columns ? column : *columns;
    }
    *rows += column > 0;
}

/* The cells of a board. A sketch is cut where it is larger than rows * columns. */
static void read_cells(const struct scene *scene, const pdb_board *board, uint32_t *value)
{
    char sketch[PDB_TEXT_MAX];
    unsigned row = 0, column = 0;
    for (uint32_t cell = 0; !scene->sketched && cell < scene->rows * scene->columns; cell++)
        value[cell] = (uint32_t)(pdb_board_at(scene->puzzle, board, cell / scene->columns, cell % scene->columns) + 1);
    if (!scene->sketched || !pdb_board_sketch(scene->puzzle, board, sketch))
        return;
    for (uint32_t cell = 0; cell < scene->rows * scene->columns; cell++)
        value[cell] = ' ';
    const char *text = sketch;
    for (size_t length; *text != '\0' && row < scene->rows; text += length) {
        const uint32_t character = next_character(text, &length);
        if (character != '\n' && column < scene->columns)
            value[row * scene->columns + column] = character;
        column = character == '\n' ? 0 : column + 1;
        row += character == '\n';
    }
}

static pdb_status make_cells(struct scene *scene, const pdb_board *board, pdb_error *error)
{
    char sketch[PDB_TEXT_MAX];
    scene->sketched = pdb_board_sketch(scene->puzzle, board, sketch);
    if (scene->sketched)
        measure(sketch, &scene->rows, &scene->columns);
    else {
        scene->rows = pdb_puzzle_rows(scene->puzzle);
        scene->columns = pdb_puzzle_columns(scene->puzzle);
    }
    const size_t cells = (size_t)scene->rows * scene->columns;
    scene->value = calloc(cells + 1, sizeof *scene->value);
    scene->piece = calloc(cells + 1, sizeof *scene->piece);
    scene->holds = calloc(cells + 1, sizeof *scene->holds);
    if (scene->value == NULL || scene->piece == NULL || scene->holds == NULL)
        return error_no_memory(error, "a board's cells", (cells + 1) * sizeof *scene->value);
    read_cells(scene, board, scene->value);
    for (size_t cell = 0; cell < cells; cell++)
        scene->piece[cell] = PDB_NO_PIECE;
    if (!scene->sketched)
        pdb_board_pieces(scene->puzzle, board, scene->piece);
    return PDB_OK;
}

/* -- moves -- */

/* How far the piece goes that is taken hold of, as its first cell does, if it ends on an empty cell. `after` is
 * scratch: the cells' pieces. */
static void follow_piece(const struct scene *scene, const pdb_board *board, struct scene_move *move, uint16_t *after)
{
    if (move->from == SCENE_NO_CELL || move->to == SCENE_NO_CELL || scene->piece[move->from] == PDB_NO_PIECE)
        return;
    pdb_board_pieces(scene->puzzle, board, after);
    if (after[move->to] == PDB_NO_PIECE)
        return;
    const uint32_t begin = scene_first_cell(scene->piece, scene->piece[move->from]),
                   end = scene_first_cell(after, after[move->to]);
    move->down = (int)(end / scene->columns) - (int)(begin / scene->columns);
    move->right = (int)(end % scene->columns) - (int)(begin % scene->columns);
}

/* What one move does. `value` and `after` are scratch for its board's cells. */
static pdb_status add_move(struct scene *scene, const pdb_move *move, uint32_t *value, uint16_t *after,
                           pdb_error *error)
{
    struct scene_move *seen = &scene->move[scene->moves];
    const bool has_cell = !scene->sketched && move->from < scene->rows * scene->columns;
    *seen = (struct scene_move){
        .from = has_cell ? move->from : SCENE_NO_CELL, .to = SCENE_NO_CELL, .first = scene->changes};
    read_cells(scene, &move->board, value);
    for (uint32_t cell = 0; cell < scene->rows * scene->columns; cell++) {
        if (value[cell] == scene->value[cell])
            continue;
        struct scene_change *grown = array_grow(scene->change, scene->changes, sizeof *grown);
        if (grown == NULL)
            return error_no_memory(error, "what moves change", sizeof *grown);
        scene->change = grown;
        scene->change[scene->changes++] = (struct scene_change){cell, value[cell]};
        if (!scene->sketched && seen->to == SCENE_NO_CELL && scene->piece[cell] == PDB_NO_PIECE)
            seen->to = cell;
    }
    seen->changes = scene->changes - seen->first;
    scene->moves++;
    follow_piece(scene, &move->board, seen, after);
    return PDB_OK;
}

/* At which cells a move can be taken hold of. */
static void count_holds(struct scene *scene)
{
    const uint32_t cells = scene->rows * scene->columns;
    for (size_t m = 0; m < scene->moves; m++) {
        const struct scene_move *move = &scene->move[m];
        for (size_t i = move->first; move->from == SCENE_NO_CELL && i < move->first + move->changes; i++)
            scene->holds[scene->change[i].cell]++;
        for (uint32_t cell = 0; move->from != SCENE_NO_CELL && cell < cells; cell++)
            scene->holds[cell] += scene_holds(scene, m, cell);
    }
}

/* Does a move take one piece straight along a row or a column, and touch no other? */
static bool goes_straight(const struct scene *scene, const struct scene_move *move)
{
    if ((move->down == 0) == (move->right == 0))
        return false;
    for (size_t i = move->first; i < move->first + move->changes; i++) {
        const uint16_t piece = scene->piece[scene->change[i].cell];
        if (piece != PDB_NO_PIECE && piece != scene->piece[move->from])
            return false;
    }
    return true;
}

/* How moves are best chosen. A board without moves says nothing of that. */
static void judge(struct scene *scene)
{
    unsigned empty = 0;
    for (uint32_t cell = 0; !scene->sketched && cell < scene->rows * scene->columns; cell++)
        empty += scene->value[cell] != 0 && scene->piece[cell] == PDB_NO_PIECE;
    if (scene->moves == 0)
        return;
    scene->steered = empty == 1;
    scene->listed = !scene->sketched;
    for (size_t m = 0; m < scene->moves; m++) {
        scene->steered = scene->steered && goes_straight(scene, &scene->move[m]);
        scene->listed = scene->listed && scene->move[m].from == SCENE_NO_CELL;
    }
}

const char *scene_direction(int down, int right)
{
    return down < 0 ? "up" : down > 0 ? "down" : right < 0 ? "left" : "right";
}

bool scene_goes(const pdb_move *move, const char *direction)
{
    const size_t length = strlen(move->text), word = strlen(direction);
    return length > word && strcmp(move->text + length - word, direction) == 0 && move->text[length - word - 1] == ' ';
}

/* Are two moves called by this direction? */
static bool are_several(const pdb_moves *moves, int down, int right)
{
    size_t count = 0;
    for (size_t m = 0; m < moves->count; m++)
        count += scene_goes(&moves->move[m], scene_direction(down, right));
    return count > 1;
}

static pdb_status make_moves(struct scene *scene, const pdb_moves *moves, pdb_error *error)
{
    const size_t cells = (size_t)scene->rows * scene->columns;
    uint32_t *value = calloc(cells + 1, sizeof *value);
    uint16_t *after = calloc(cells + 1, sizeof *after);
    scene->move = calloc(moves->count + 1, sizeof *scene->move);
    pdb_status status = PDB_OK;
    if (value == NULL || after == NULL || scene->move == NULL)
        status = error_no_memory(error, "the moves of a board", (moves->count + 1) * sizeof *scene->move);
    for (size_t m = 0; status == PDB_OK && m < moves->count; m++)
        status = add_move(scene, &moves->move[m], value, after, error);
    free(value);
    free(after);
    return status;
}

pdb_status scene_make(struct scene *scene, const pdb_puzzle *puzzle, const pdb_board *board, const pdb_moves *moves,
                      pdb_error *error)
{
    struct scene made = {
        .puzzle = puzzle, .steered = scene->steered, .listed = scene->listed, .several = scene->several};
    pdb_status status = make_cells(&made, board, error);
    if (status == PDB_OK)
        status = make_moves(&made, moves, error);
    scene_free(scene);
    if (status != PDB_OK) {
        scene_free(&made);
        return status;
    }
    count_holds(&made);
    judge(&made);
    for (int way = -1; way <= 1; way += 2)
        made.several = made.several || are_several(moves, way, 0) || are_several(moves, 0, way);
    *scene = made;
    return PDB_OK;
}

void scene_free(struct scene *scene)
{
    free(scene->value);
    free(scene->piece);
    free(scene->holds);
    free(scene->move);
    free(scene->change);
    *scene = (struct scene){0};
}

/* -- questions -- */

static const struct scene_change *change_at(const struct scene *scene, size_t move, uint32_t cell)
{
    const struct scene_move *seen = &scene->move[move];
    for (size_t i = seen->first; i < seen->first + seen->changes; i++)
        if (scene->change[i].cell == cell)
            return &scene->change[i];
    return NULL;
}

bool scene_is_cell(const struct scene *scene, uint32_t cell)
{
    return cell < scene->rows * scene->columns && (scene->sketched ? scene->holds[cell] > 0 : scene->value[cell] != 0);
}

bool scene_holds(const struct scene *scene, size_t move, uint32_t cell)
{
    const uint32_t from = scene->move[move].from;
    if (cell >= scene->rows * scene->columns)
        return false;
    if (from == SCENE_NO_CELL)
        return change_at(scene, move, cell) != NULL;
    return cell == from || (scene->piece[cell] != PDB_NO_PIECE && scene->piece[cell] == scene->piece[from]);
}

bool scene_fills(const struct scene *scene, size_t move, uint32_t cell)
{
    return scene->move[move].to != SCENE_NO_CELL && cell < scene->rows * scene->columns &&
           scene->piece[cell] == PDB_NO_PIECE && change_at(scene, move, cell) != NULL;
}

uint32_t scene_value_after(const struct scene *scene, size_t move, uint32_t cell)
{
    const struct scene_change *change = change_at(scene, move, cell);
    return change != NULL ? change->value : scene->value[cell];
}

void scene_text(const struct scene *scene, uint32_t value, bool code, char text[16])
{
    const int symbol = (int)value - 1;
    if (scene->sketched) {
        memset(text, 0, 16);
        for (size_t i = 0; i < sizeof value; i++)
            text[i] = (char)(value >> 8 * i);
    } else {
        snprintf(text, 16, "%s", (code ? pdb_symbol_code : pdb_symbol_glyph)(scene->puzzle, symbol));
    }
}
