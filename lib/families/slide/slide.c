/* slide.c -- the family of sliding pieces: the contract's functions
 *
 * On positions and on keys the rules are followed piece by piece on the map; on dense indices through the moves of
 * blocks (slide.h).
 */
#include "lib/families/families.h"
#include "lib/families/slide/layers/layers.h"
#include "lib/families/slide/tiles/tiles.h"
#include "lib/families/slide/wide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct slide *slide_of(const struct puzzle *puzzle)
{
    return (const struct slide *)puzzle;
}

/* -- positions -- */

static pdb_status slide_check(const struct puzzle *puzzle, const uint8_t *position, pdb_error *error)
{
    const struct slide *slide = slide_of(puzzle);
    uint8_t map[BOARD_MAX_CELLS];
    uint64_t key;
    struct wide_key wide;
    pdb_status status = slide_map(slide, position, false, map, NULL, error);
    bool keyed = true;
    if (status == PDB_OK && slide->unranked && slide->packed != NULL)
        keyed = slide_pack(slide, map, &key);
    else if (status == PDB_OK && slide->unranked && slide->wide != NULL)
        keyed = slide_wide_key(slide, map, &wide);
    if (!keyed)
        return error_set(error, PDB_BAD_BOARD,
                         "a piece stands where it cannot come from where it stands in the boards that %s names",
                         puzzle->name);
    return status;
}

static bool slide_is_goal(const struct puzzle *puzzle, const uint8_t *position)
{
    const struct slide *slide = slide_of(puzzle);
    uint8_t map[BOARD_MAX_CELLS];
    return slide_map(slide, position, false, map, NULL, NULL) == PDB_OK && slide_fits_goal(slide, map);
}

/* What the visitor of a position's moves needs. */
struct move_maker {
    const struct slide *slide;
    const uint8_t *position;
    pdb_moves *moves;
};

/* Appends " left", or " left 2" where a piece may go farther than a cell. */
static void append_steps(const struct slide *slide, const char *direction, int cells, char *text, size_t size)
{
    const size_t length = strlen(text);
    if (slide->far_moves && cells > 1)
        snprintf(text + length, size - length, " %s %d", direction, cells);
    else
        snprintf(text + length, size - length, " %s", direction);
}

/* "5 left", and farther "5 left 2 down 1": how far the piece ends from where it was. */
static void describe_move(const struct slide *slide, const struct slide_name *name, const struct slide_step *step,
                          pdb_move *move)
{
    const struct board *board = &slide->puzzle.board;
    const int row = board->cell[step->place] / board->columns, column = board->cell[step->place] % board->columns;
    const int down = board->cell[step->to] / board->columns - row,
              right = board->cell[step->to] % board->columns - column;
    strcpy(move->piece, board->symbol[name->symbol[0]].code);
    strcpy(move->text, move->piece);
    if (name->count > 1)
        snprintf(move->text, sizeof move->text, "%s (row %d, column %d)", move->piece, row + 1, column + 1);
    if (right != 0)
        append_steps(slide, right < 0 ? "left" : "right", abs(right), move->text, sizeof move->text);
    if (down != 0)
        append_steps(slide, down < 0 ? "up" : "down", abs(down), move->text, sizeof move->text);
}

static pdb_status make_move(void *context, const struct slide_step *step, pdb_error *error)
{
    const struct move_maker *maker = context;
    const struct slide *slide = maker->slide;
    const struct slide_name *name = &slide->name[slide->name_of_symbol[maker->position[step->place]]];
    const struct slide_kind *kind = &slide->kind[name->kind];
    pdb_move *move = moves_add(maker->moves);
    if (move == NULL)
        return error_no_memory(error, "the moves of a board", sizeof *move);
    memcpy(move->board.symbol, maker->position, slide->puzzle.board.places);
    const uint16_t *from = slide_cells(slide, kind, step->place), *to = slide_cells(slide, kind, step->to);
    for (unsigned c = 0; c < kind->cells; c++)
        move->board.symbol[from[c]] = slide->puzzle.board.empty;
    for (unsigned c = 0; c < kind->cells; c++)
        move->board.symbol[to[c]] = name->symbol[c];
    describe_move(slide, name, step, move);
    move->from = slide->puzzle.board.cell[step->place];
    return PDB_OK;
}

static pdb_status slide_moves(const struct puzzle *puzzle, const uint8_t *position, pdb_moves *moves, pdb_error *error)
{
    struct move_maker maker = {.slide = slide_of(puzzle), .position = position, .moves = moves};
    uint8_t map[BOARD_MAX_CELLS];
    pdb_status status = slide_map(maker.slide, position, false, map, NULL, error);
    return status != PDB_OK ? status : slide_steps(maker.slide, map, make_move, &maker, error);
}

static void slide_pieces(const struct puzzle *puzzle, const uint8_t *position, uint16_t *piece)
{
    const struct slide *slide = slide_of(puzzle);
    uint16_t pieces = 0;
    for (uint16_t place = 0; place < puzzle->board.places; place++)
        piece[place] = PDB_NO_PIECE;
    for (uint16_t place = 0; place < puzzle->board.places; place++) {
        if (position[place] == puzzle->board.empty || piece[place] != PDB_NO_PIECE)
            continue;
        const struct slide_kind *kind = &slide->kind[slide->name[slide->name_of_symbol[position[place]]].kind];
        const uint16_t *at = slide_cells(slide, kind, place);
        for (unsigned c = 0; c < kind->cells; c++)
            piece[at[c]] = pieces;
        pieces++;
    }
}

static bool slide_rank(const struct puzzle *puzzle, const uint8_t *position, uint64_t *index)
{
    const struct slide *slide = slide_of(puzzle);
    uint8_t map[BOARD_MAX_CELLS], labels[BOARD_MAX_CELLS], order[BOARD_MAX_CELLS];
    uint32_t block;
    unsigned ordered = 0;
    if (slide_map(slide, position, false, map, NULL, NULL) != PDB_OK)
        return false;
    if (puzzle->keyed) {
        *index = slide_key(slide, map);
        return true;
    }
    for (unsigned place = 0; place < puzzle->board.places; place++) {
        labels[place] = slide_label(slide, map[place]);
        if (labels[place] == SLIDE_UNIT)
            order[ordered++] = (uint8_t)(map[place] - 1);
    }
    if (!slide_block_find(slide, labels, &block))
        return false;
    if (slide->order.kind == ORDER_HALVED && order_parity(ordered, order) != slide->block[block].parity)
        return false;
    *index = block * slide->order.orders + order_rank(&slide->order, order);
    return true;
}

static void unrank_map(const struct slide *slide, uint64_t index, uint8_t *map)
{
    if (slide->puzzle.keyed) {
        slide_key_map(slide, index, map);
        return;
    }
    const uint32_t block = (uint32_t)(index / slide->order.orders);
    uint8_t order[BOARD_MAX_CELLS];
    unsigned ordered = 0;
    order_unrank(&slide->order, index % slide->order.orders, slide->block[block].parity, order);
    memcpy(map, slide_labels(slide, block), slide->puzzle.board.places);
    for (unsigned place = 0; place < slide->puzzle.board.places; place++)
        if (map[place] == SLIDE_UNIT)
            map[place] = (uint8_t)(order[ordered++] + 1);
}

static void slide_unrank(const struct puzzle *puzzle, uint64_t index, uint8_t *position)
{
    uint8_t map[BOARD_MAX_CELLS];
    unrank_map(slide_of(puzzle), index, map);
    slide_position(slide_of(puzzle), map, position);
}

/* -- indices -- */

/* The moves of one state whose order has a Lehmer code. */
static size_t successors_by_code(const struct slide *slide, const struct slide_block *block, uint64_t rank,
                                 uint64_t *next)
{
    struct order_code code;
    bool decoded = false;
    for (unsigned m = 0; m < block->moves; m++) {
        const struct slide_move move = slide->move[block->first_move + m];
        uint64_t moved = rank;
        if (move.from != move.to) {
            if (!decoded)
                order_decode(&slide->order, rank, block->parity, &code);
            decoded = true;
            moved = order_rank_moved(&slide->order, &code, move.from, move.to);
        }
        next[m] = move.target * slide->order.orders + moved;
    }
    return block->moves;
}

/* The same for an order of any kind, ranked anew. */
static size_t successors_by_order(const struct slide *slide, const struct slide_block *block, uint64_t rank,
                                  uint64_t *next)
{
    uint8_t order[BOARD_MAX_CELLS], moved[BOARD_MAX_CELLS];
    order_unrank(&slide->order, rank, block->parity, order);
    for (unsigned m = 0; m < block->moves; m++) {
        const struct slide_move move = slide->move[block->first_move + m];
        uint64_t moved_rank = rank;
        if (move.from != move.to) {
            memcpy(moved, order, slide->ordered);
            if (move.from < move.to)
                memmove(moved + move.from, order + move.from + 1, (size_t)(move.to - move.from));
            else
                memmove(moved + move.to + 1, order + move.to, (size_t)(move.from - move.to));
            moved[move.to] = order[move.from];
            moved_rank = order_rank(&slide->order, moved);
        }
        next[m] = move.target * slide->order.orders + moved_rank;
    }
    return block->moves;
}

static size_t slide_successors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                               uint16_t *next_count)
{
    const struct slide *slide = slide_of(puzzle);
    if (puzzle->keyed)
        return slide_key_successors(slide, index, count, next, next_count);
    const uint64_t orders = slide->order.orders;
    const bool coded = slide->order.kind != ORDER_MULTISET;
    uint64_t base = 0; /* of the block at hand: neighbours in a batch mostly share it */
    const struct slide_block *block = NULL;
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        if (block == NULL || index[i] - base >= orders) {
            uint64_t number = index[i] / orders;
            block = &slide->block[number];
            base = number * orders;
        }
        size_t moves = coded ? successors_by_code(slide, block, index[i] - base, next + total)
                             : successors_by_order(slide, block, index[i] - base, next + total);
        next_count[i] = (uint16_t)moves;
        total += moves;
    }
    return total;
}

static void slide_colours(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint8_t *colour)
{
    const struct slide *slide = slide_of(puzzle);
    for (size_t i = 0; i < count; i++)
        colour[i] = slide->block[index[i] / slide->order.orders].colour;
}

/* -- bounds: how far pieces are from their goal places, each alone on the board --
 *
 * A place is that of a piece's first cell. A piece alone on the board goes wherever all its cells find places that are
 * no walls, step by step along its axis; in the metric `slide` any such way is one move. Pieces that the goal does not
 * name may end wherever the goal is open under all their cells.
 */

/* Is the goal open under every cell of a piece that stands here? */
static bool may_end(const void *context, unsigned group, unsigned place)
{
    const struct slide *slide = context;
    const uint16_t *at = slide_cells(slide, &slide->kind[group], (uint16_t)place);
    for (unsigned c = 0; at != NULL && c < slide->kind[group].cells; c++)
        if (slide->goal[at[c]] != SLIDE_OPEN)
            return false;
    return at != NULL;
}

/* Moves can be undone: the places it comes from are those it can go to. */
static unsigned sources(const void *context, unsigned group, unsigned place, uint16_t *source)
{
    const struct slide *slide = context;
    const struct slide_kind *kind = &slide->kind[group];
    unsigned count = 0;
    for (unsigned d = 0; d < 4; d++) {
        const uint16_t from = slide->neighbour[place][d];
        if ((slide_directions(kind) >> d & 1) && from != BOARD_NO_PLACE && slide_cells(slide, kind, from) != NULL)
            source[count++] = from;
    }
    return count;
}

static pdb_status make_bounds(struct slide *slide, pdb_error *error)
{
    struct assignment_rules rules = {.context = slide,
                                     .places = slide->puzzle.board.places,
                                     .groups = slide->kinds,
                                     .goal = slide->goal,
                                     .one_go = slide->far_moves,
                                     .sources = sources,
                                     .may_end = may_end};
    for (unsigned k = 0; k < slide->kinds; k++)
        rules.group[k] = (struct assignment_group){.symbol = slide->kind[k].map, .pieces = slide->kind[k].count};
    return assignment_make(&rules, &slide->assignment, error);
}

static void slide_bounds(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint16_t *bound)
{
    const struct slide *slide = slide_of(puzzle);
    for (size_t i = 0; i < count; i++) {
        uint8_t map[BOARD_MAX_CELLS];
        unrank_map(slide, index[i], map);
        bound[i] = assignment_bound(&slide->assignment, map);
    }
}

/* -- goals -- */

struct goal_visit {
    const struct slide *slide;
    goal_visitor *visit;
    void *context;
    uint64_t base; /* of the block at hand */
};

static pdb_status visit_goal_order(void *context, const uint8_t *order, pdb_error *error)
{
    const struct goal_visit *goals = context;
    uint64_t index = goals->base + order_rank(&goals->slide->order, order);
    return goals->visit(goals->context, &index, 1, error);
}

static pdb_status slide_goals(const struct puzzle *puzzle, goal_visitor *visit, void *context, pdb_error *error)
{
    const struct slide *slide = slide_of(puzzle);
    struct goal_visit goals = {.slide = slide, .visit = visit, .context = context};
    pdb_status status = PDB_OK;
    for (uint32_t block = 0; status == PDB_OK && block < slide->blocks; block++) {
        const uint8_t *labels = slide_labels(slide, block);
        goals.base = block * slide->order.orders;
        if (slide_labels_fit_goal(slide, labels))
            status = slide_goal_orders(slide, labels, visit_goal_order, &goals, error);
    }
    return status;
}

/* -- making one -- */

static void slide_release(struct puzzle *puzzle)
{
    slide_blocks_free((struct slide *)puzzle);
    assignment_free(&((struct slide *)puzzle)->assignment);
    free(((struct slide *)puzzle)->cells);
    free(((struct slide *)puzzle)->packed);
    wide_fields_free(((struct slide *)puzzle)->wide);
}

static pdb_status slide_create(const struct definition *definition, struct puzzle *puzzle, pdb_error *error)
{
    struct slide *slide = (struct slide *)puzzle;
    puzzle->undoable = true;
    pdb_status status = slide_read(definition, slide, error);
    bool dense = true;
    slide->may_be_keyed = node_find(definition_root(definition), "boards") != NULL;
    if (status == PDB_OK)
        status = slide_blocks_make(slide, &dense, error);
    if (status == PDB_OK && dense && slide->blocks == 0)
        status = node_error(error, node_find(definition_root(definition), "goal"),
                            "no board fits the goal: its open cells cannot hold the other pieces");
    if (status == PDB_OK && !dense)
        status = slide_keys_make(slide, error);
    return status == PDB_OK ? make_bounds(slide, error) : status;
}

static const char *const slide_keys[] = {"board",  "goal", "pieces",   "alike", "glyphs",
                                         "metric", "axis", "patterns", NULL};

const struct family slide_family = {
    .name = "slide",
    .summary = "pieces of any shape slide on a rectangular board",
    .keys = slide_keys,
    .shown = {"patterns"},
    .draws_board = true,
    .size = sizeof(struct slide),
    .create = slide_create,
    .release = slide_release,
    .position = {.check = slide_check,
                 .is_goal = slide_is_goal,
                 .moves = slide_moves,
                 .pieces = slide_pieces,
                 .keeps = slide_keeps,
                 .rank = slide_rank,
                 .unrank = slide_unrank},
    .settle = slide_settle,
    .index = {.successors = slide_successors, .goals = slide_goals, .colours = slide_colours},
    .space = {.layers = slide_layers_make, .rows = slide_rows_make},
    .single = {.searcher = &tile_searcher,
               .patterns = &slide_pattern_family,
               .bounds = slide_bounds,
               .bound_text = "the way of every piece to its place, each alone on the board"},
};
