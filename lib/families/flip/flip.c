/* flip.c -- the family of buttons that change cells: the contract's functions
 *
 * On positions the rules are followed cell by cell; on indices by adding digits (flip.h).
 */
#include "lib/families/families.h"
#include "flip.h"
#include "lib/search/space/masks/masks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const struct flip *flip_of(const struct puzzle *puzzle)
{
    return (const struct flip *)puzzle;
}

/* -- positions -- */

static pdb_status list_moves(const struct puzzle *puzzle, const uint8_t *position, pdb_moves *moves, pdb_error *error)
{
    const struct flip *flip = flip_of(puzzle);
    const uint8_t values = (uint8_t)flip->values;
    for (unsigned m = 0; m < flip->moves; m++) {
        pdb_move *move = moves_add(moves);
        if (move == NULL)
            return error_no_memory(error, "the moves of a board", sizeof *move);
        memcpy(move->piece, flip->move[m].piece, sizeof move->piece);
        memcpy(move->text, flip->move[m].text, sizeof move->text);
        move->from = flip->move[m].cell;
        const uint8_t *change = flip_change(flip, m);
        for (unsigned place = 0; place < puzzle->board.places; place++) {
            const uint8_t sum = (uint8_t)(position[place] + change[place]);
            const uint8_t less = (uint8_t)(sum - values); /* large if it would be negative */
            move->board.symbol[place] = less < sum ? less : sum;
        }
    }
    return PDB_OK;
}

/* -- indices -- */

/* The neighbours of one state, by a table of what every move turns the groups' values to. */
static void turn_groups(const struct flip *flip, const uint8_t *table, uint64_t index, uint64_t *next)
{
    uint8_t value[FLIP_MAX_GROUPS];
    flip_groups(flip, index, value);
    for (unsigned m = 0; m < flip->moves; m++) {
        uint64_t turned = 0;
        for (unsigned w = 0; w < flip->groups; w++, table += FLIP_GROUP_VALUES)
            turned += table[value[w]] * flip->group[w].weight;
        next[m] = turned;
    }
}

static size_t neighbours(const struct flip *flip, const uint8_t *table, const uint64_t *index, size_t count,
                         uint64_t *next, uint16_t *next_count)
{
    for (size_t i = 0; i < count; i++, next += flip->moves) {
        next_count[i] = (uint16_t)flip->moves;
        if (flip->values != 2) {
            turn_groups(flip, table, index[i], next);
            continue;
        }
        for (unsigned m = 0; m < flip->moves; m++)
            next[m] = index[i] ^ flip->toggle[m];
    }
    return count * flip->moves;
}

static size_t successors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                         uint16_t *next_count)
{
    return neighbours(flip_of(puzzle), flip_of(puzzle)->forward, index, count, next, next_count);
}

static size_t predecessors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                           uint16_t *next_count)
{
    return neighbours(flip_of(puzzle), flip_of(puzzle)->backward, index, count, next, next_count);
}

static void colours(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint8_t *colour)
{
    const struct flip *flip = flip_of(puzzle);
    for (size_t i = 0; i < count; i++) {
        if (flip->values == 2) {
            colour[i] = (uint8_t)__builtin_parityll(index[i] & flip->parity_mask);
            continue;
        }
        uint8_t value[FLIP_MAX_GROUPS];
        flip_groups(flip, index[i], value);
        colour[i] = 0;
        for (unsigned w = 0; w < flip->groups; w++)
            colour[i] ^= flip->colour[w][value[w]];
    }
}

/* -- goals -- */

/* Counts through the values of the open cells, as the wheels of an odometer do; false after the last. */
static bool next_goal(const struct puzzle *puzzle, unsigned values, uint8_t *position)
{
    for (unsigned place = 0; place < puzzle->board.places; place++) {
        if (puzzle->goal[place] != BOARD_OPEN)
            continue;
        if (++position[place] < values)
            return true;
        position[place] = 0;
    }
    return false;
}

static pdb_status goals(const struct puzzle *puzzle, goal_visitor *visit, void *context, pdb_error *error)
{
    const struct flip *flip = flip_of(puzzle);
    uint8_t position[BOARD_MAX_CELLS];
    uint64_t index;
    pdb_status status = PDB_OK;
    memcpy(position, flip->origin, puzzle->board.places);
    do {
        flip_rank(puzzle, position, &index); /* a goal can reach a goal */
        status = visit(context, &index, 1, error);
    } while (status == PDB_OK && next_goal(puzzle, flip->values, position));
    return status;
}

static_assert((int)FLIP_MAX_BUTTONS <= (int)MASKS_MAX, "every button may be a mask");

/* Only for k = 2. */
static size_t masks(const struct puzzle *puzzle, const uint64_t **mask)
{
    const struct flip *flip = flip_of(puzzle);
    *mask = flip->toggle;
    return flip->moves;
}

/* -- symmetries -- */

/* What a relabelling makes of a move. */
static void relabel(const struct flip *flip, const struct relabelling *symmetry, unsigned move, uint8_t *change)
{
    for (unsigned place = 0; place < flip->puzzle.board.places; place++)
        change[symmetry->place[place]] = flip_change(flip, move)[place];
}

/* Values stay what they are. Moves that are alike have to become as many that are alike. */
static bool keeps(const struct puzzle *puzzle, struct relabelling *symmetry)
{
    const struct flip *flip = flip_of(puzzle);
    const unsigned places = puzzle->board.places;
    bool taken[FLIP_MAX_BUTTONS] = {false};
    uint8_t change[BOARD_MAX_CELLS];
    for (unsigned place = 0; place < places; place++)
        if (puzzle->goal[symmetry->place[place]] != puzzle->goal[place])
            return false;
    for (unsigned m = 0; m < flip->moves; m++) {
        unsigned other = 0;
        relabel(flip, symmetry, m, change);
        while (other < flip->moves && (taken[other] || memcmp(change, flip_change(flip, other), places) != 0))
            other++;
        if (other == flip->moves)
            return false;
        taken[other] = true;
    }
    return true;
}

/* -- making one -- */

/* Does one move take the other back? */
static bool cancel(const struct flip *flip, unsigned a, unsigned b)
{
    const uint8_t *first = flip_change(flip, a), *second = flip_change(flip, b);
    for (unsigned place = 0; place < flip->puzzle.board.places; place++)
        if ((first[place] + second[place]) % flip->values != 0)
            return false;
    return true;
}

/* What takes a move back is mostly the move itself or the next one, so they are tried from there on. */
static bool all_undoable(const struct flip *flip)
{
    for (unsigned m = 0; m < flip->moves; m++) {
        unsigned i = 0;
        while (i < flip->moves && !cancel(flip, m, (m + i) % flip->moves))
            i++;
        if (i == flip->moves)
            return false;
    }
    return true;
}

static void release(struct puzzle *puzzle)
{
    struct flip *flip = (struct flip *)puzzle;
    flip_index_free(flip);
    free(flip->move);
    free(flip->change);
}

static pdb_status create(const struct definition *definition, struct puzzle *puzzle, pdb_error *error)
{
    struct flip *flip = (struct flip *)puzzle;
    pdb_status status = flip_read(definition, flip, error);
    if (status == PDB_OK)
        status = flip_index_make(flip, error);
    if (status != PDB_OK)
        return status;
    puzzle->metric = "one press";
    puzzle->max_moves = flip->moves;
    puzzle->undoable = all_undoable(flip);
    puzzle->at_once = flip->values == 2 && puzzle->states > 0;
    return PDB_OK;
}

static const char *const keys[] = {"board", "goal", "values", "around", "buttons", "backward", "glyphs", NULL};

const struct family flip_family = {
    .name = "flip",
    .summary = "buttons change the values of cells",
    .keys = keys,
    .draws_board = true,
    .size = sizeof(struct flip),
    .create = create,
    .release = release,
    .position = {.moves = list_moves, .keeps = keeps, .rank = flip_rank, .unrank = flip_unrank},
    .index = {.successors = successors, .predecessors = predecessors, .goals = goals, .colours = colours},
    .space = {.masks = masks},
    .single = {.searcher = &flip_searcher_class},
};
