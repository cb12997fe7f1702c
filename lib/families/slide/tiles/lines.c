/* lines.c -- linear conflicts: boards of different tiles without a pattern database
 *
 * A *line* is a longest run of places in a row, or in a column, without a wall between. Of the tiles that stand in a
 * line and have their goals in it, those that never leave it keep their order; so all but a longest increasing
 * subsequence have to leave and come back, which takes each of them two moves across the line that its `far` does not
 * count. Moves across rows and moves across columns are different moves, so the sums over all lines may be added (O.
 * Hansson, A. Mayer, M. Yung, 1992; there for boards without walls). The excess of a board is thus the number of tiles
 * that must leave, over all lines.
 *
 * A line of n places has a code: a digit for each place, 0 where the tile on it has its goal elsewhere, else 1 + the
 * goal's position in the line, in base n + 1. Codes of lines of one length share a look-up table, whose offset is part
 * of the code. A tile that moves along a line stays in order: only the code changes. One that moves across two lines
 * changes both, and what they count. Every change is a number that depends on tile and place: its `share`.
 *
 * Lines of more than LINE_MAX places would need large tables; no conflicts are counted for them.
 */
#include "search.h"

#include <stdlib.h>
#include <string.h>

enum {
    LINE_MAX = 6,
    LINES = 2 * TILES_MAX_PLACES + 1,
    NO_LINE = 0 /* of one place, or too long: its code is always 0, and counts nothing */
};

enum axis { ROW, COLUMN };

struct tile_lines {
    unsigned lines;
    uint8_t line[2][TILES_MAX_PLACES];                     /* [axis][place] */
    uint32_t share[2][TILES_MAX_PLACES][TILES_MAX_PLACES]; /* [axis][tile][place] */
    uint32_t offset[LINES];                                /* the code of a line without tiles of its own */
    uint8_t leave[];                                       /* by code: how many tiles must leave */
};

/* -- making the tables -- */

/* The tiles that must leave a line: all but a longest increasing subsequence of the digits. */
static uint8_t must_leave(uint32_t code, unsigned length)
{
    unsigned digit[LINE_MAX], longest[LINE_MAX], count = 0, most = 0;
    for (unsigned i = 0; i < length; i++, code /= length + 1)
        if (code % (length + 1) != 0)
            digit[count++] = code % (length + 1);
    for (unsigned i = 0; i < count; i++) {
        longest[i] = 1;
        for (unsigned j = 0; j < i; j++)
            if (digit[j] < digit[i] && longest[j] >= longest[i])
                longest[i] = longest[j] + 1;
        most = longest[i] > most ? longest[i] : most;
    }
    return (uint8_t)(count - most);
}

static uint32_t codes(unsigned length)
{
    uint32_t codes = 1;
    for (unsigned i = 0; i < length; i++)
        codes *= length + 1;
    return codes;
}

/* The places of the line that begins at a place; 0 where none does. */
static unsigned line_places(const struct slide *slide, uint16_t place, enum axis axis, uint8_t *line)
{
    unsigned length = 0;
    if (slide->neighbour[place][axis == ROW ? TILES_LEFT : TILES_UP] != BOARD_NO_PLACE)
        return 0;
    for (; place != BOARD_NO_PLACE; place = slide->neighbour[place][axis == ROW ? TILES_RIGHT : TILES_DOWN])
        line[length++] = (uint8_t)place;
    return length;
}

/* Adds a line: its number, the shares of its tiles, its table, which may be there already. Returns the codes in
 * all tables. */
static uint32_t add_line(const struct tiles *tiles, struct tile_lines *lines, enum axis axis, const uint8_t *place,
                         unsigned length, uint32_t offset[LINE_MAX + 1], uint32_t total)
{
    uint32_t weight = 1;
    if (offset[length] == 0) {
        offset[length] = total;
        total += codes(length);
    }
    lines->offset[lines->lines] = offset[length];
    for (unsigned i = 0; i < length; i++, weight *= length + 1) {
        lines->line[axis][place[i]] = (uint8_t)lines->lines;
        for (unsigned tile = 0; tile < tiles->tiles; tile++)
            for (unsigned j = 0; j < length; j++)
                if (tiles->goal_place[tile] == place[j])
                    lines->share[axis][tile][place[i]] = (j + 1) * weight;
    }
    lines->lines++;
    return total;
}

pdb_status tile_lines_create(const struct tiles *tiles, struct tile_lines **out, pdb_error *error)
{
    uint32_t offset[LINE_MAX + 1] = {0}, total = 1;
    size_t bytes = sizeof(struct tile_lines) + 1;
    for (unsigned length = 2; length <= LINE_MAX; length++)
        bytes += codes(length);
    struct tile_lines *lines = *out = calloc(1, bytes);
    if (lines == NULL)
        return error_no_memory(error, "linear conflicts", bytes);
    lines->lines = 1;
    for (enum axis axis = ROW; axis <= COLUMN; axis++)
        for (uint16_t first = 0; first < tiles->places; first++) {
            uint8_t place[TILES_MAX_PLACES];
            const unsigned length = line_places(tiles->slide, first, axis, place);
            if (length >= 2 && length <= LINE_MAX)
                total = add_line(tiles, lines, axis, place, length, offset, total);
        }
    for (unsigned length = 2; length <= LINE_MAX; length++)
        for (uint32_t code = 0; offset[length] != 0 && code < codes(length); code++)
            lines->leave[offset[length] + code] = must_leave(code, length);
    return PDB_OK;
}

/* The codes of all lines of a board; returns its excess. */
static unsigned read_board(const struct tile_lines *lines, unsigned places, const uint8_t *tile, unsigned empty,
                           uint32_t *code)
{
    unsigned excess = 0;
    memcpy(code, lines->offset, lines->lines * sizeof *code);
    for (unsigned place = 0; place < places; place++)
        if (place != empty) {
            code[lines->line[ROW][place]] += lines->share[ROW][tile[place]][place];
            code[lines->line[COLUMN][place]] += lines->share[COLUMN][tile[place]][place];
        }
    for (unsigned line = 0; line < lines->lines; line++)
        excess += lines->leave[code[line]];
    return excess;
}

unsigned tile_lines_excess(const struct tile_search *search, const uint8_t *tile, unsigned empty)
{
    uint32_t code[LINES];
    return read_board(search->lines, search->tiles.places, tile, empty, code);
}

/* -- the search -- */

struct line_worker {
    struct deepen_worker base;
    const struct tile_search *search;
    size_t root;
    bool found;
    uint8_t *path, *end; /* of a solution: room for the moves below a root */
    uint8_t tile[TILES_MAX_PLACES];
    uint32_t code[LINES];
};

static pdb_status ready(struct deepen_worker *base, pdb_error *error)
{
    struct line_worker *worker = (struct line_worker *)base;
    const uint32_t limit = base->deepening->watch.limit;
    uint8_t *path = realloc(worker->path, limit);
    if (path == NULL)
        return error_no_memory(error, "a search", limit);
    worker->search = tile_search_of(base->deepening);
    worker->path = path;
    worker->end = path + limit;
    return PDB_OK;
}

static void release(struct deepen_worker *base)
{
    free(((struct line_worker *)base)->path);
}

/* Looks at all boards below this one; `slack` is its room less its excess. Returns true when there is no more to be
 * done below this root: the search has ended, or a solution was found. Then its moves stand before `end`. */
static bool descend(struct line_worker *worker, unsigned empty, uint32_t state, int slack, unsigned left)
{
    const struct tile_search *search = worker->search;
    const struct tile_lines *lines = search->lines;
    for (unsigned moves = search->moves[state] & search->open[empty]; moves != 0; moves &= moves - 1) {
        /* The tile on `place` moves to the empty cell: across two lines, whose codes and conflicts change, ... */
        const unsigned move = (unsigned)__builtin_ctz(moves), place = search->next[empty][move];
        const unsigned across = (move ^ move >> 1) &
                                1; /* up and down lead across rows, left and right across columns */
        const unsigned tile = worker->tile[place];
        const uint32_t *share = lines->share[across][tile];
        uint32_t *from = &worker->code[lines->line[across][place]], *to = &worker->code[lines->line[across][empty]];
        const uint32_t old_from = *from, new_from = old_from - share[place];
        const uint32_t old_to = *to, new_to = old_to + share[empty];
        const int new_slack = slack - (search->away[tile][place] >> move & 1) + lines->leave[old_from] -
                              lines->leave[new_from] + lines->leave[old_to] - lines->leave[new_to];
        worker->base.nodes++;
        if (new_slack < 0) {
            deepen_pass_over(&worker->base, (uint32_t)(-2 * new_slack));
            continue;
        }
        /* ... and along one, of which only the code changes. */
        uint32_t *along = &worker->code[lines->line[!across][empty]];
        const uint32_t old_along = *along;
        share = lines->share[!across][tile];
        *from = new_from;
        *to = new_to;
        *along = old_along + share[empty] - share[place];
        worker->tile[empty] = (uint8_t)tile;
        worker->found = left == 1;
        const bool done = left == 1 ||
                          descend(worker, place, machine_next(search->machine, state, move), new_slack, left - 1);
        worker->tile[place] = (uint8_t)tile;
        *from = old_from;
        *to = old_to;
        *along = old_along;
        if (done) {
            worker->end[-(int)left] = (uint8_t)move;
            return true;
        }
    }
    return worker->base.nodes >= TILES_POLL_NODES && deepen_ended(&worker->base, worker->root);
}

static void search_roots(struct deepen_worker *base)
{
    struct line_worker *worker = (struct line_worker *)base;
    const struct tile_search *search = worker->search;
    const unsigned left = base->deepening->watch.limit - base->deepening->depth;
    for (const struct tile_root *root; (root = tile_take(base, &worker->root)) != NULL;) {
        memcpy(worker->tile, root->tile, sizeof worker->tile);
        read_board(search->lines, search->tiles.places, worker->tile, root->empty, worker->code);
        worker->found = false;
        if (descend(worker, root->empty, root->state, (int)(left - root->bound) / 2, left) && worker->found)
            deepen_found(base, worker->root, worker->end - left, left);
    }
}

const struct deepen_class tile_lines_class = {
    .root_size = sizeof(struct tile_root),
    .worker_size = sizeof(struct line_worker),
    .ready = ready,
    .release = release,
    .roots = tile_roots,
    .expand = tile_expand,
    .search = search_roots,
};
