/* chain.c -- states numbered by the stabilizer chain of the group that the moves generate (group.c)
 *
 * Every element is a product of one element of each level, in one way, and which ones is a number of mixed radix. So
 * the numbers have no gaps, and each is a board that the moves reach. Only levels of several elements count; of each
 * the *base* is the point whose image tells its elements apart. The images of all bases tell an element, and moves act
 * on images alone:
 *
 *     unrank   image[i] = to_0[ .. to_(i-1)[ the point that level i takes its base to ]]
 *     move     image[i] = move[image[i]]
 *     rank     digit i by image[i]; then image[j] = back_i[image[j]] for all later j
 *
 * which is k * k / 2 look-ups each way, in tables that stay in the first cache. (M24: seven bases.) It is for puzzles
 * of which every element makes another board, as where all tiles are different.
 */
#include "group.h"

#include <stdlib.h>
#include <string.h>

enum {
    POINTS_MAX = 256, /* of puzzles whose group is looked into before anything is asked of them */
    /* So many times fewer elements than coordinates number, at least, for it to pay. An element takes some 170 times as
     * long as an index of coordinates, which go by rows, but all of these take room; very many are better avoided. */
    SMALLER = 32,
    SMALLER_OF_MANY = 4
};

/* From so many states on, which have room for their distances on any machine. Many take a gigabyte. */
static const uint64_t states_least = 1 << 26, states_many = (uint64_t)1 << 32, order_most = (uint64_t)1 << 40;

typedef permute_point point;

struct chain_level {
    unsigned size, level; /* elements; of the group's chain */
    point base;
    point *digit;    /* by the base's image: which element */
    point *to;       /* [digit * points + point] */
    point *back;     /* the inverse */
    uint8_t *colour; /* of each element */
};

struct permute_chain {
    struct permute_group *group;
    unsigned bases, points;
    struct chain_level level[BOARD_MAX_CELLS];
    point *move; /* [move * points + point], of all moves */
};

static const struct permute_chain *chain_of(const struct puzzle *puzzle)
{
    return ((const struct permute *)puzzle)->chain;
}

/* -- images -- */

static void unrank_images(const struct permute_chain *chain, uint64_t index, point *image)
{
    const point *to[BOARD_MAX_CELLS];
    for (unsigned i = chain->bases; i-- > 0;) {
        const struct chain_level *level = &chain->level[i];
        to[i] = level->to + index % level->size * chain->points;
        index /= level->size;
    }
    for (unsigned i = 0; i < chain->bases; i++) {
        point at = to[i][chain->level[i].base];
        for (unsigned j = i; j-- > 0;)
            at = to[j][at];
        image[i] = at;
    }
}

/* The images are used up. */
static uint64_t rank_images(const struct permute_chain *chain, point *image)
{
    uint64_t index = 0;
    for (unsigned i = 0; i < chain->bases; i++) {
        const struct chain_level *level = &chain->level[i];
        const unsigned digit = level->digit[image[i]];
        const point *back = level->back + (size_t)digit * chain->points;
        index = index * level->size + digit;
        for (unsigned j = i + 1; j < chain->bases; j++)
            image[j] = back[image[j]];
    }
    return index;
}

/* -- the puzzle's functions -- */

static bool rank(const struct puzzle *puzzle, const uint8_t *position, uint64_t *index)
{
    const struct permute_chain *chain = chain_of(puzzle);
    point element[POINTS_MAX], image[BOARD_MAX_CELLS];
    unsigned colour;
    if (!permute_fits((const struct permute *)puzzle, position, &colour) ||
        permute_group_reaches(chain->group, position, element) != GROUP_REACHES)
        return false;
    for (unsigned i = 0; i < chain->bases; i++)
        image[i] = element[chain->level[i].base];
    *index = rank_images(chain, image);
    return true;
}

pdb_status permute_chain_check(const struct permute *permute, const uint8_t *position, pdb_error *error)
{
    unsigned colour;
    if (!permute_fits(permute, position, &colour) ||
        permute_group_reaches(permute->chain->group, position, NULL) != GROUP_UNKNOWN)
        return PDB_OK;
    return error_set(error, PDB_BAD_BOARD,
                     "%s: whether this board reaches the goal cannot be told: too many ways would have to be tried "
                     "which of the tiles that are alike is which",
                     permute->puzzle.name);
}

/* Puts the goal's tiles where an element takes them. */
static void place_tiles(const struct permute_group *group, const point *to, uint8_t *position)
{
    const struct permute *permute = group->permute;
    for (unsigned home = 0; home < group->levels; home++) {
        const uint8_t symbol = permute->puzzle.goal[home];
        unsigned place = 0;
        while (group->first[place + 1] <= to[group->first[home]])
            place++;
        const unsigned turn = (unsigned)(to[group->first[home]] - group->first[place]),
                       twist = permute->twist_of[symbol] + turn;
        position[place] = permute->symbol_of[permute->tile_of[symbol]][twist % permute->modulus[place]];
    }
}

static void unrank(const struct puzzle *puzzle, uint64_t index, uint8_t *position)
{
    const struct permute_chain *chain = chain_of(puzzle);
    point element[POINTS_MAX];
    for (unsigned p = 0; p < chain->points; p++)
        element[p] = (point)p;
    for (unsigned i = chain->bases; i-- > 0;) {
        const struct chain_level *level = &chain->level[i];
        const point *to = level->to + index % level->size * chain->points;
        index /= level->size;
        for (unsigned p = 0; p < chain->points; p++)
            element[p] = to[element[p]];
    }
    place_tiles(chain->group, element, position);
}

static size_t neighbours(const struct permute *permute, unsigned first, const uint64_t *index, size_t count,
                         uint64_t *next, uint16_t *next_count)
{
    const struct permute_chain *chain = permute->chain;
    point image[BOARD_MAX_CELLS], moved[BOARD_MAX_CELLS];
    size_t all = 0;
    for (size_t i = 0; i < count; i++) {
        unrank_images(chain, index[i], image);
        for (unsigned m = first; m < first + permute->moves; m++) {
            const point *move = chain->move + (size_t)m * chain->points;
            for (unsigned b = 0; b < chain->bases; b++)
                moved[b] = move[image[b]];
            next[all++] = rank_images(chain, moved);
        }
        next_count[i] = (uint16_t)permute->moves;
    }
    return all;
}

static size_t successors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                         uint16_t *next_count)
{
    return neighbours((const struct permute *)puzzle, 0, index, count, next, next_count);
}

static size_t predecessors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                           uint16_t *next_count)
{
    const struct permute *permute = (const struct permute *)puzzle;
    return neighbours(permute, permute->all_moves - permute->moves, index, count, next, next_count);
}

static pdb_status goals(const struct puzzle *puzzle, goal_visitor *visit, void *context, pdb_error *error)
{
    uint64_t index;
    return rank(puzzle, puzzle->goal, &index) ? visit(context, &index, 1, error) : PDB_OK;
}

/* The colour is a homomorphism: the sum of the elements'. */
static void colours(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint8_t *colour)
{
    const struct permute_chain *chain = chain_of(puzzle);
    for (size_t i = 0; i < count; i++) {
        uint64_t rest = index[i];
        colour[i] = 0;
        for (unsigned b = chain->bases; b-- > 0; rest /= chain->level[b].size)
            colour[i] ^= chain->level[b].colour[rest % chain->level[b].size];
    }
}

/* -- making one -- */

/* An element of a level, by its inverse; NULL: it does nothing. */
static void take_element(const struct permute_chain *chain, struct chain_level *level, unsigned digit,
                         const point *back)
{
    point *to = level->to + (size_t)digit * chain->points, *inverse = level->back + (size_t)digit * chain->points;
    uint8_t position[BOARD_MAX_CELLS];
    unsigned colour = 0;
    for (unsigned p = 0; p < chain->points; p++) {
        inverse[p] = back == NULL ? (point)p : back[p];
        to[inverse[p]] = (point)p;
    }
    level->digit[to[level->base]] = (point)digit;
    place_tiles(chain->group, to, position);
    permute_fits(chain->group->permute, position, &colour);
    level->colour[digit] = (uint8_t)colour;
}

static bool make_level(const struct permute_chain *chain, struct chain_level *level)
{
    const struct permute_group *group = chain->group;
    unsigned digit = 0;
    level->digit = malloc(chain->points * sizeof *level->digit);
    level->to = malloc(level->size * chain->points * sizeof *level->to);
    level->back = malloc(level->size * chain->points * sizeof *level->back);
    level->colour = malloc(level->size);
    if (level->digit == NULL || level->to == NULL || level->back == NULL || level->colour == NULL)
        return false;
    memset(level->digit, 0, chain->points * sizeof *level->digit);
    take_element(chain, level, digit++, NULL);
    for (unsigned p = 0; p < chain->points; p++)
        if (group->back[(size_t)level->level * chain->points + p] != NULL)
            take_element(chain, level, digit++, group->back[(size_t)level->level * chain->points + p]);
    return true;
}

static bool make_tables(struct permute_chain *chain)
{
    const struct permute *permute = chain->group->permute;
    for (unsigned l = 0; l < chain->group->levels; l++) {
        if (chain->group->size[l] == 1)
            continue;
        struct chain_level *level = &chain->level[chain->bases++];
        *level = (struct chain_level){.size = chain->group->size[l], .level = l, .base = chain->group->first[l]};
        if (!make_level(chain, level))
            return false;
    }
    chain->move = malloc(permute->all_moves * (size_t)chain->points * sizeof *chain->move);
    for (unsigned m = 0; chain->move != NULL && m < permute->all_moves; m++)
        permute_group_of_move(chain->group, &permute->move[m], chain->move + (size_t)m * chain->points);
    return chain->move != NULL;
}

void permute_chain_free(struct permute_chain *chain)
{
    if (chain == NULL)
        return;
    for (unsigned i = 0; i < chain->bases; i++) {
        free(chain->level[i].digit);
        free(chain->level[i].to);
        free(chain->level[i].back);
        free(chain->level[i].colour);
    }
    permute_group_free(chain->group);
    free(chain->move);
    free(chain);
}

static bool is_far_smaller(long double order, uint64_t numbered)
{
    return numbered == 0 || order * (numbered < states_many ? SMALLER : SMALLER_OF_MANY) <= (long double)numbered;
}

/* How many states there are, by the group: 0 where it does not say, or has not far fewer than the coordinates. */
static uint64_t states_of(const struct permute *permute, const struct permute_group *group)
{
    return group == NULL || !group->complete || group->order > (long double)order_most ||
                   !is_far_smaller(group->order, permute->puzzle.states) || !permute_group_tells_apart(group)
               ? 0
               : (uint64_t)(group->order + 0.5L);
}

/* May the group be looked into? Of few states, or where it has many points, it is not worth the time; and elements make
 * no boards of a goal that has open places. */
static bool is_worth_it(const struct permute *permute)
{
    const struct puzzle *puzzle = &permute->puzzle;
    unsigned points = 0;
    for (unsigned place = 0; place < puzzle->board.places; place++)
        points += permute->modulus[place];
    return (puzzle->states == 0 || puzzle->states >= states_least) && points <= POINTS_MAX &&
           puzzle->board.places <= BOARD_MAX_SYMBOLS && memchr(puzzle->goal, BOARD_OPEN, puzzle->board.places) == NULL;
}

static void use_chain(struct permute *permute, struct permute_chain *chain, uint64_t states)
{
    struct puzzle *puzzle = &permute->puzzle;
    struct family *functions = &puzzle->functions;
    permute->chain = chain;
    puzzle->states = states;
    puzzle->size = 0;
    functions->position.rank = rank;
    functions->position.unrank = unrank;
    functions->index.successors = successors;
    functions->index.predecessors = predecessors;
    functions->index.goals = goals;
    functions->index.colours = colours;
    functions->space.layers = puzzle_without_board.family->space.layers;
}

pdb_status permute_chain_make(struct permute *permute, pdb_error *error)
{
    struct permute_group *group = NULL;
    if (!is_worth_it(permute))
        return PDB_OK;
    pdb_status status = permute_group_make(permute, &group, error);
    const uint64_t states = status == PDB_OK ? states_of(permute, group) : 0;
    if (states == 0) {
        permute_group_free(group);
        return status;
    }
    struct permute_chain *chain = calloc(1, sizeof *chain);
    if (chain == NULL) {
        permute_group_free(group);
        return error_no_memory(error, "the group of the moves", sizeof *chain);
    }
    chain->group = group;
    chain->points = group->points;
    if (!make_tables(chain)) {
        status = error_no_memory(error, "the group of the moves", group->elements * group->points * sizeof(point));
        permute_chain_free(chain);
        return status;
    }
    use_chain(permute, chain, states);
    return PDB_OK;
}
