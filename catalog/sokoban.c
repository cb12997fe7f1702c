/* sokoban.c -- a level of a Sokoban collection as a puzzle of the family `rules`
 *
 * Of a level only what the player's walls enclose is kept. A box that no pulling from any target leads to will never
 * come to a target: such cells are dead, and have no element for a box, so that no move pushes one there. No distance
 * of a board that can be solved changes by that. Where a box stands at the start is never taken for dead: a level that
 * cannot be solved is a puzzle without a solution.
 *
 * A state says of each cell whether a box is there, which states can be numbered by; or, where there are too many cells
 * for that and boxes are few, which cells they are on, in reading order.
 */
#include "lib/board.h"
#include "levels.h"
#include "sizes.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = LEVEL_MAX_SIDE, LEVELS_MAX = 1000000 };

/* -- words -- */

static const struct kind {
    const char *name;
    bool pushes; /* a distance counts them, and walks cost nothing */
    const char *pattern, *title;
} kinds[] = {
    {"sokoban", false, "sokoban:FILE", "push every box onto a target, in the fewest moves"},
    {"sokoban-pushes", true, "sokoban-pushes:FILE", "push every box onto a target, in the fewest pushes"},
};

/* What a word asks for. */
struct wanted {
    const struct kind *kind;
    char path[PATH_MAX];
    unsigned number; /* from 1 */
};

static const struct kind *find_kind(const char *word, const char **file)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const size_t length = strlen(kinds[i].name);
        if (strncmp(word, kinds[i].name, length) == 0 && word[length] == ':') {
            *file = word + length + 1;
            return &kinds[i];
        }
    }
    return NULL;
}

/* FILE or FILE#N. */
static pdb_status read_word(const char *word, struct wanted *wanted, pdb_error *error)
{
    const char *file = word, *hash, *number;
    wanted->kind = find_kind(word, &file);
    wanted->number = 1;
    hash = number = strrchr(file, '#');
    if (hash != NULL &&
        (number++, !sized_number(&number, LEVELS_MAX, &wanted->number) || *number != '\0' || wanted->number == 0))
        return error_set(error, PDB_UNKNOWN_PUZZLE, "unknown puzzle '%s': a level is chosen by its number, as in %s#1",
                         word, wanted->kind->pattern);
    const size_t length = hash != NULL ? (size_t)(hash - file) : strlen(file);
    if (length == 0 || length >= sizeof wanted->path)
        return error_set(error, PDB_UNKNOWN_PUZZLE, "unknown puzzle '%s': a file with levels is named, as in %s#1",
                         word, wanted->kind->pattern);
    memcpy(wanted->path, file, length);
    wanted->path[length] = '\0';
    return PDB_OK;
}

/* -- what of a level counts -- */

/* The level as it becomes a board: walls but where the player may come if boxes are no hindrance. */
struct room {
    unsigned top, left, rows, columns;
    bool inside[SIDE][SIDE], live[SIDE][SIDE]; /* the places of the level's own rows and columns */
    unsigned boxes, targets, cells, places;    /* cells that are inside, and those of them where boxes may be */
};

static const struct {
    int row, column;
} steps[] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};

static bool is_inside(const struct room *room, unsigned row, unsigned column)
{
    return row < SIDE && column < SIDE && room->inside[row][column];
}

/* Where the player may come. False where a way leads out of the level. */
static bool find_inside(const struct level *level, unsigned row, unsigned column, struct room *room)
{
    uint16_t waiting[SIDE * SIDE];
    unsigned count = 0;
    waiting[count++] = (uint16_t)(row * SIDE + column);
    room->inside[row][column] = true;
    while (count > 0) {
        const unsigned from = waiting[--count];
        for (size_t d = 0; d < sizeof steps / sizeof *steps; d++) {
            const unsigned r = from / SIDE + (unsigned)steps[d].row, c = from % SIDE + (unsigned)steps[d].column;
            if (r >= level->rows || c >= level->columns)
                return false;
            if (level->cell[r][c] == '#' || room->inside[r][c])
                continue;
            room->inside[r][c] = true;
            waiting[count++] = (uint16_t)(r * SIDE + c);
        }
    }
    return true;
}

/* From which places a box can be pushed to a target if nothing is in the way: pulled backward from those. */
static void find_live(const struct level *level, struct room *room)
{
    uint16_t waiting[SIDE * SIDE];
    unsigned count = 0;
    for (unsigned row = 0; row < level->rows; row++)
        for (unsigned column = 0; column < level->columns; column++)
            if (room->inside[row][column] && strchr(".+*", level->cell[row][column]) != NULL) {
                room->live[row][column] = true;
                waiting[count++] = (uint16_t)(row * SIDE + column);
            }
    while (count > 0) {
        const unsigned from = waiting[--count];
        for (size_t d = 0; d < sizeof steps / sizeof *steps; d++) {
            const unsigned row = from / SIDE + (unsigned)steps[d].row, column = from % SIDE + (unsigned)steps[d].column;
            if (!is_inside(room, row, column) || room->live[row][column] ||
                !is_inside(room, row + (unsigned)steps[d].row, column + (unsigned)steps[d].column))
                continue;
            room->live[row][column] = true;
            waiting[count++] = (uint16_t)(row * SIDE + column);
        }
    }
}

/* The smallest board with the room in it and a wall around, and what stands there: boxes not where they are
 * dead. */
static void measure(const struct level *level, struct room *room)
{
    unsigned bottom = 0, right = 0;
    room->top = room->left = SIDE;
    for (unsigned row = 0; row < level->rows; row++)
        for (unsigned column = 0; column < level->columns; column++) {
            if (!room->inside[row][column])
                continue;
            room->top = row < room->top ? row : room->top;
            room->left = column < room->left ? column : room->left;
            bottom = row;
            right = column > right ? column : right;
            room->live[row][column] |= level->cell[row][column] == '$';
            room->cells++;
            room->places += room->live[row][column];
            room->boxes += strchr("$*", level->cell[row][column]) != NULL;
            room->targets += strchr(".+*", level->cell[row][column]) != NULL;
        }
    room->top--, room->left--; /* a room does not reach the level's edge */
    room->rows = bottom + 2 - room->top;
    room->columns = right + 2 - room->left;
}

static pdb_status find_room(const char *path, const struct level *level, struct room *room, pdb_error *error)
{
    unsigned players = 0, player_row = 0, player_column = 0;
    for (unsigned row = 0; row < level->rows; row++)
        for (unsigned column = 0; column < level->columns; column++)
            if (strchr("@+", level->cell[row][column]) != NULL)
                players++, player_row = row, player_column = column;
    if (players != 1)
        return level_refuse(path, level->line, error, "a level has one player (@ or +), and this one has %u", players);
    if (!find_inside(level, player_row, player_column, room))
        return level_refuse(path, level->line, error, "the wall around the player has a hole");
    find_live(level, room);
    measure(level, room);
    if (room->boxes == 0 || room->boxes != room->targets)
        return level_refuse(path, level->line, error,
                            "a level has as many boxes as targets where the player may come: this one has %u and %u",
                            room->boxes, room->targets);
    if (room->rows * room->columns > BOARD_MAX_CELLS)
        return level_refuse(path, level->line, error,
                            "the level is too large: a board has at most %d cells, walls included, and this one has %u",
                            BOARD_MAX_CELLS, room->rows * room->columns);
    return PDB_OK;
}

/* -- the definition -- */

/* Marks of the board: those of collections, but for floor, which is `-`, or where it is dead `_`, and `p` for the
 * player on such. Boxes may stand where no dead floor is. */
#define BOX_CELLS "-@.+$*"

static char mark(const struct level *level, const struct room *room, unsigned row, unsigned column)
{
    const char cell = level->cell[row][column];
    if (!room->inside[row][column])
        return '#';
    if (cell == '@')
        return room->live[row][column] ? '@' : 'p';
    if (strchr("+$*.", cell) != NULL)
        return cell;
    return room->live[row][column] ? '-' : '_';
}

static unsigned bits_of(unsigned values)
{
    return values <= 1 ? 0 : 32 - (unsigned)__builtin_clz(values - 1);
}

/* Are the states by cells too many to be numbered, and those by boxes not? */
static bool goes_by_boxes(const struct room *room)
{
    enum { BITS = 62 };
    const unsigned player = bits_of(room->cells);
    return player + room->places > BITS && player + room->boxes * player <= BITS;
}

/* The condition that there is a box on a cell. */
static const char *is_box(bool by_boxes, const char *cell, char text[64])
{
    snprintf(text, 64, by_boxes ? "any(at[b] == %s for b in box)" : "box[%s]", cell);
    return text;
}

/* As collections have it, with `-` for floor. */
static void write_draw(FILE *out, bool by_boxes)
{
    char box[64];
    is_box(by_boxes, "c", box);
    fprintf(out,
            "draw:\n"
            "  for: {c: cell}\n"
            "  show:\n"
            "    '+': c == player and c in '.+*'\n"
            "    '@': c == player\n"
            "    '*': %s and c in '.+*'\n"
            "    '$': %s\n"
            "    '.': c in '.+*'\n"
            "colours: {'@': steelblue, '+': steelblue, '$': peru, '*': seagreen, '.': crimson}\n"
            "shapes: {'@': person, '+': person, '$': crate, '*': crate, '.': target}\n",
            box, box);
}

static void write_state(FILE *out, const struct room *room, bool by_boxes)
{
    if (by_boxes)
        fprintf(out,
                "sets:\n  box: 1..%u\n"
                "state:\n  player: cell\n  at[box]: \"'" BOX_CELLS "'\"\n"
                "start:\n  player: \"'@+p'\"\n"
                "  at[b]: min(c for c in '$*' if count(e <= c for e in '$*') == b)\n",
                room->boxes);
    else
        fputs("state:\n  player: cell\n  box['" BOX_CELLS "']: 0..1\n"
              "start:\n  player: \"'@+p'\"\n  box[c]: c in '$*'\n",
              out);
}

/* A push onto `to`, which is a let, or a parameter where walks are free and its name says which box it is of. By boxes,
 * that in the place `old` goes to `new`, and those between move up. */
static void write_push(FILE *out, const struct room *room, bool by_boxes, bool pushes)
{
    char there[64], behind[64];
    fputs(pushes ? "  - name: push {to} {d}\n    for: {to: \"'" BOX_CELLS "'\", d: direction}\n    let:\n"
                 : "  - name: push {d}\n    for: {d: direction}\n    let:\n      to: step[player, d]\n",
          out);
    fputs("      beyond: step[to, d]\n", out);
    if (by_boxes)
        fputs("      old: 1 + count(at[b] < to for b in box)\n"
              "      new: 1 + count(at[b] < beyond and at[b] != to for b in box)\n",
              out);
    fprintf(out, "    if: %s%s and not %s\n", pushes ? "step[player, d] == to and " : "", is_box(by_boxes, "to", there),
            is_box(by_boxes, "beyond", behind));
    if (by_boxes)
        fprintf(out,
                "    do: player = to, at[b] = beyond if b == new else at[min(b + 1, %u)] if old <= b < new else "
                "at[max(b - 1, 1)] if new < b <= old else at[b] for b in box\n",
                room->boxes);
    else
        fputs("    do: player = to, box[to] = 0, box[beyond] = 1\n", out);
}

static void write_rules(FILE *out, const struct level *level, const struct room *room, bool pushes)
{
    const bool by_boxes = goes_by_boxes(room);
    char box[64];
    fputs("family: rules\nboard: |\n", out);
    for (unsigned row = room->top; row < room->top + room->rows; row++) {
        fputs("  ", out);
        for (unsigned column = room->left; column < room->left + room->columns; column++)
            putc(mark(level, room, row, column), out);
        putc('\n', out);
    }
    write_state(out, room, by_boxes);
    fprintf(out,
            "moves:\n"
            "  - name: walk {d}\n"
            "    for: {d: direction}\n"
            "    if: not %s\n"
            "    do: player = step[player, d]\n%s",
            is_box(by_boxes, "step[player, d]", box), pushes ? "    cost: 0\n" : "");
    write_push(out, room, by_boxes, pushes);
    fputs(by_boxes ? "goal: all(at[b] in '.+*' for b in box)\n" : "goal: all(box[c] for c in '.+*')\n", out);
    write_draw(out, by_boxes);
}

/* The puzzle's name: of the file's without its folder and its ending, and the number. */
static void write_name(FILE *out, const struct wanted *wanted)
{
    const char *slash = strrchr(wanted->path, '/'), *base = slash == NULL ? wanted->path : slash + 1;
    const char *dot = strrchr(base, '.');
    fprintf(out, "%s-", wanted->kind->name);
    for (; *base != '\0' && (dot == NULL || base < dot); base++)
        putc(isascii((unsigned char)*base) && isalnum((unsigned char)*base) ? *base : '_', out);
    fprintf(out, "-%u", wanted->number);
}

static pdb_status write_definition(const struct wanted *wanted, const struct level *level, const struct room *room,
                                   char **text, pdb_error *error)
{
    FILE *out;
    size_t length;
    char *name;
    pdb_status status = sized_open(&out, &name, &length, error);
    if (status != PDB_OK)
        return status;
    write_name(out, wanted);
    status = sized_close(out, &name, error);
    if (status != PDB_OK)
        return status;
    sized_shorten(name);
    status = sized_open(&out, text, &length, error);
    if (status == PDB_OK) {
        fprintf(out, "puzzle: %s\ntitle: '", name);
        for (const char *c = level->title[0] != '\0' ? level->title : wanted->kind->title; *c != '\0'; c++)
            fputs(*c == '\'' ? "''" : (char[]){*c, '\0'}, out);
        fputs("'\n", out);
        write_rules(out, level, room, wanted->kind->pushes);
        status = sized_close(out, text, error);
    }
    free(name);
    return status;
}

/* -- for sizes.c -- */

bool sokoban_is_sized(const char *word)
{
    const char *file;
    return find_kind(word, &file) != NULL;
}

pdb_status sokoban_sized_text(const char *word, char **text, pdb_error *error)
{
    struct wanted wanted;
    struct level level;
    struct room room = {0};
    pdb_status status = read_word(word, &wanted, error);
    if (status == PDB_OK)
        status = level_read(wanted.path, wanted.number, &level, error);
    if (status == PDB_OK)
        status = find_room(wanted.path, &level, &room, error);
    if (status == PDB_OK)
        status = write_definition(&wanted, &level, &room, text, error);
    return status;
}

bool sokoban_sized_pattern(size_t i, const char **pattern, const char **title)
{
    if (i >= sizeof kinds / sizeof *kinds)
        return false;
    *pattern = kinds[i].pattern;
    *title = kinds[i].title;
    return true;
}
