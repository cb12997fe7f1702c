/* permute.c -- the family of puzzles whose moves are permutations: the contract's functions on positions, and making
 * one */
#include "lib/families/permute/search/search.h"
#include "group.h"
#include "net.h"
#include "notation.h"
#include "lib/families/families.h"
#include "lib/search/board/ida.h"

#include <stdlib.h>
#include <string.h>

static const struct permute *permute_of(const struct puzzle *puzzle)
{
    return (const struct permute *)puzzle;
}

void permute_apply_move(const struct permute *permute, const struct permute_move *move, const uint8_t *position,
                        uint8_t *moved)
{
    for (unsigned place = 0; place < permute->puzzle.board.places; place++) {
        const unsigned tile = permute->tile_of[position[place]];
        const unsigned twist = permute->twist_of[position[place]] + (unsigned)move->twist[place];
        moved[move->to[place]] = permute->symbol_of[tile][twist % permute->modulus[place]];
    }
}

void permute_apply(const struct permute *permute, unsigned move, const uint8_t *position, uint8_t *moved)
{
    permute_apply_move(permute, &permute->move[move], position, moved);
}

static pdb_status permute_moves(const struct puzzle *puzzle, const uint8_t *position, pdb_moves *moves,
                                pdb_error *error)
{
    const struct permute *permute = permute_of(puzzle);
    for (unsigned m = 0; m < permute->moves; m++) {
        const struct permute_move *made = &permute->move[m];
        pdb_move *move = moves_add(moves);
        if (move == NULL)
            return error_no_memory(error, "the moves of a board", sizeof *move);
        strcpy(move->text, made->text);
        strcpy(move->piece, made->piece);
        permute_apply(permute, m, position, move->board.symbol);
    }
    return PDB_OK;
}

/* An orbit's classes and twists in a position; false where it has other tiles, or twists that the moves cannot make. */
static bool read_orbit(const struct permute *permute, const struct permute_orbit *orbit, const uint8_t *position,
                       uint8_t *class, uint8_t *twist)
{
    uint16_t members[BOARD_MAX_CELLS] = {0};
    unsigned sum = 0;
    for (unsigned i = 0; i < orbit->places; i++) {
        const uint8_t symbol = position[orbit->place[i]];
        class[i] = orbit->class_of[permute->tile_of[symbol]];
        if (class[i] == PERMUTE_NO_CLASS || members[class[i]]++ == orbit->members[class[i]])
            return false;
        twist[i] = permute->twist_of[symbol];
        if (twist[i] >= orbit->modulus)
            return false;
        sum += twist[i];
    }
    return sum % orbit->divisor == orbit->residue;
}

/* Do the parities go together as in the goals? Only those that the orbits in `known` (a bit each) settle are looked
 * at. */
static bool parities_fit(const struct permute *permute, uint32_t odd, uint32_t known)
{
    for (unsigned o = 0; o < permute->orbits && o < PERMUTE_SIGNED_ORBITS; o++) {
        const struct permute_orbit *orbit = &permute->orbit[o];
        if (orbit->halved && (known >> o & 1) && (orbit->parity_of & ~known) == 0 &&
            __builtin_parity(odd & orbit->parity_of) != (int)(odd >> o & 1))
            return false;
    }
    return true;
}

bool permute_fits(const struct permute *permute, const uint8_t *position, unsigned *colour)
{
    uint8_t class[BOARD_MAX_CELLS], twist[BOARD_MAX_CELLS];
    uint32_t odd = 0; /* orbits of odd parity, a bit each */
    *colour = permute->goal_colour;
    for (unsigned o = 0; o < permute->orbits; o++) {
        const struct permute_orbit *orbit = &permute->orbit[o];
        if (!read_orbit(permute, orbit, position, class, twist))
            return false;
        if (o >= PERMUTE_SIGNED_ORBITS)
            continue;
        const unsigned parity = orbit->distinct ? order_parity(orbit->places, class) : 0;
        odd |= (uint32_t)parity << o;
        *colour ^= parity & (permute->colouring >> o & 1);
        for (unsigned i = 0; i < orbit->places; i++)
            *colour ^= twist[i] & (permute->colouring >> (PERMUTE_SIGNED_ORBITS + o) & 1);
    }
    return parities_fit(permute, odd, UINT32_MAX);
}

static bool permute_rank(const struct puzzle *puzzle, const uint8_t *position, uint64_t *index)
{
    const struct permute *permute = permute_of(puzzle);
    uint8_t class[BOARD_MAX_CELLS], twist[BOARD_MAX_CELLS];
    uint32_t odd = 0; /* orbits of odd parity, a bit each */
    uint64_t sum = 0;
    for (unsigned o = 0; o < permute->orbits; o++) {
        const struct permute_orbit *orbit = &permute->orbit[o];
        uint64_t far;
        if (!read_orbit(permute, orbit, position, class, twist))
            return false;
        const uint64_t near = permute_rank_order(orbit, class, &far);
        if (orbit->distinct && o < PERMUTE_SIGNED_ORBITS)
            odd |= (uint32_t)permute_order_parity(orbit, near, far) << o;
        sum += permute_encode(orbit, near, far, permute_rank_twist(orbit, twist));
    }
    if (!parities_fit(permute, odd, UINT32_MAX))
        return false;
    *index = sum;
    return true;
}

/* -- boards of which nothing is known --
 *
 * Numbered are the states with the tiles that the definition's board has in each orbit. A goal with open cells may be
 * met with other tiles there, too: a board that has them has no index, and that proves nothing. It is refused, unless
 * something else proves that the goal cannot be reached.
 */

/* Has an orbit all the tiles that the goal asks for in it? */
static bool has_goal_tiles(const struct permute *permute, const struct permute_orbit *orbit, const uint8_t *position)
{
    int spare[BOARD_MAX_SYMBOLS] = {0};
    for (unsigned i = 0; i < orbit->places; i++) {
        const uint8_t goal = permute->puzzle.goal[orbit->place[i]];
        spare[permute->tile_of[position[orbit->place[i]]]]++;
        if (goal != BOARD_OPEN)
            spare[permute->tile_of[goal]]--;
    }
    for (unsigned tile = 0; tile < permute->tiles; tile++)
        if (spare[tile] < 0)
            return false;
    return true;
}

/* The first of an orbit's places with a tile that the definition's board does not have there, or not as often; `none`
 * where there is no such place. */
static unsigned strange_place(const struct permute *permute, const struct permute_orbit *orbit, const uint8_t *position,
                              unsigned none)
{
    uint16_t members[BOARD_MAX_CELLS] = {0};
    for (unsigned i = 0; i < orbit->places; i++) {
        const uint8_t class = orbit->class_of[permute->tile_of[position[orbit->place[i]]]];
        if (class == PERMUTE_NO_CLASS || members[class]++ == orbit->members[class])
            return orbit->place[i];
    }
    return none;
}

/* Refuses a board that has no index for no better reason than other tiles in an orbit. (Twists never are the reason:
 * where the goal has an open cell in an orbit all its twists are numbered, and where it has none their sum is a
 * proof.) */
static pdb_status check_known(const struct permute *permute, const uint8_t *position, pdb_error *error)
{
    const struct board *board = &permute->puzzle.board;
    uint8_t class[BOARD_MAX_CELLS], twist[BOARD_MAX_CELLS];
    unsigned strange = board->places;
    uint32_t odd = 0, known = 0; /* orbits of odd parity; those with the definition's tiles */
    for (unsigned o = 0; o < permute->orbits; o++) {
        const struct permute_orbit *orbit = &permute->orbit[o];
        if (!read_orbit(permute, orbit, position, class, twist)) {
            const unsigned place = strange_place(permute, orbit, position, board->places);
            if (place == board->places || !has_goal_tiles(permute, orbit, position))
                return PDB_OK; /* the goal cannot be reached */
            strange = place < strange ? place : strange;
        } else if (o < PERMUTE_SIGNED_ORBITS) {
            known |= (uint32_t)1 << o;
            if (orbit->distinct)
                odd |= (uint32_t)order_parity(orbit->places, class) << o;
        }
    }
    if (strange == board->places || !parities_fit(permute, odd, known))
        return PDB_OK;
    return error_set(error, PDB_BAD_BOARD,
                     "the generators never bring this '%s' to place %s from the definition's board, so nothing is "
                     "known of this board",
                     board->symbol[permute->symbol_of[permute->tile_of[position[strange]]][0]].code,
                     permute->names.name[strange]);
}

static pdb_status permute_check(const struct puzzle *puzzle, const uint8_t *position, pdb_error *error)
{
    const struct permute *permute = permute_of(puzzle);
    const struct board *board = &puzzle->board;
    uint16_t count[BOARD_MAX_SYMBOLS] = {0}, expected[BOARD_MAX_SYMBOLS] = {0};
    for (unsigned place = 0; place < board->places; place++) {
        count[permute->tile_of[position[place]]]++;
        expected[permute->tile_of[permute->board[place]]]++;
    }
    for (unsigned tile = 0; tile < permute->tiles; tile++)
        if (count[tile] != expected[tile])
            return error_set(error, PDB_BAD_BOARD, "%u of '%s' on the board, but this puzzle has %u", count[tile],
                             board->symbol[permute->symbol_of[tile][0]].code, expected[tile]);
    for (unsigned place = 0; place < board->places; place++) /* a tile of places with fewer twists has no more names */
        if (permute->twist_of[position[place]] >= permute->modulus[place] ||
            permute->symbol_of[permute->tile_of[position[place]]][permute->modulus[place] - 1] == BOARD_OPEN)
            return error_set(error, PDB_BAD_BOARD, "cell %u: a tile here cannot be twisted as '%s' is",
                             board->cell[place] + 1u, board->symbol[position[place]].code);
    const pdb_status status = check_known(permute, position, error);
    return status != PDB_OK || permute->chain == NULL ? status : permute_chain_check(permute, position, error);
}

static void permute_unrank(const struct puzzle *puzzle, uint64_t index, uint8_t *position)
{
    const struct permute *permute = permute_of(puzzle);
    struct permute_coordinates at[BOARD_BYTE_CELLS] = {0};
    uint8_t class[BOARD_MAX_CELLS], twist[BOARD_MAX_CELLS];
    permute_decode(permute, index, at);
    for (unsigned o = 0; o < permute->orbits; o++) {
        const struct permute_orbit *orbit = &permute->orbit[o];
        permute_unrank_order(orbit, at[o].near, at[o].far, class);
        permute_unrank_twist(orbit, at[o].twist, twist);
        for (unsigned i = 0; i < orbit->places; i++)
            position[orbit->place[i]] = permute->symbol_of[orbit->tile[class[i]]][twist[i]];
    }
}

/* -- colours -- */

/* The parity of an orbit's order or of the sum of its twists, one or both, as the colouring asks. */
static unsigned orbit_colour(const struct permute *permute, unsigned o, const struct permute_coordinates *at)
{
    const struct permute_orbit *orbit = &permute->orbit[o];
    uint8_t twist[BOARD_MAX_CELLS];
    unsigned colour = 0;
    if (permute->colouring >> o & 1)
        colour ^= permute_order_parity(orbit, at->near, at->far);
    if (permute->colouring >> (PERMUTE_SIGNED_ORBITS + o) & 1) {
        permute_unrank_twist(orbit, at->twist, twist);
        for (unsigned i = 0; i < orbit->places; i++)
            colour ^= twist[i] & 1;
    }
    return colour;
}

static void permute_colours(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint8_t *colour)
{
    const struct permute *permute = permute_of(puzzle);
    struct permute_coordinates at[BOARD_BYTE_CELLS];
    for (size_t i = 0; i < count; i++) {
        permute_decode(permute, index[i], at);
        colour[i] = permute->goal_colour;
        for (unsigned o = 0; o < permute->moving && o < PERMUTE_SIGNED_ORBITS; o++)
            colour[i] ^= (uint8_t)orbit_colour(permute, o, &at[o]);
    }
}

/* -- goals -- */

/* A goal whose open cells are filled with the tiles left over of their orbits, twisted in every way. */
struct filling {
    const struct permute *permute;
    goal_visitor *visit;
    void *context;
    pdb_error *error;
    unsigned open;                  /* cells to fill */
    uint8_t cell[BOARD_BYTE_CELLS]; /* their places, and the orbit of each: */
    uint8_t orbit[BOARD_BYTE_CELLS];
    uint16_t left[BOARD_BYTE_CELLS][BOARD_BYTE_CELLS]; /* tiles left over of each orbit and class */
    uint8_t position[BOARD_BYTE_CELLS];
};

static pdb_status fill(struct filling *filling, unsigned next)
{
    const struct permute *permute = filling->permute;
    if (next == filling->open) {
        uint64_t index;
        if (!permute_rank(&permute->puzzle, filling->position, &index))
            return PDB_OK; /* of the wrong parity, or twisted wrongly: assembled so, the goal is out of reach */
        return filling->visit(filling->context, &index, 1, filling->error);
    }
    const struct permute_orbit *orbit = &permute->orbit[filling->orbit[next]];
    uint16_t *left = filling->left[filling->orbit[next]];
    pdb_status status = PDB_OK;
    for (unsigned class = 0; class < orbit->classes; class ++) {
        if (left[class] == 0)
            continue;
        left[class]--;
        for (unsigned twist = 0; status == PDB_OK && twist < orbit->modulus; twist++) {
            filling->position[filling->cell[next]] = permute->symbol_of[orbit->tile[class]][twist];
            status = fill(filling, next + 1);
        }
        left[class]++;
    }
    return status;
}

static pdb_status permute_goals(const struct puzzle *puzzle, goal_visitor *visit, void *context, pdb_error *error)
{
    const struct permute *permute = permute_of(puzzle);
    struct filling filling = {.permute = permute, .visit = visit, .context = context, .error = error};
    memcpy(filling.position, puzzle->goal, puzzle->board.places);
    for (unsigned o = 0; o < permute->orbits; o++) {
        const struct permute_orbit *orbit = &permute->orbit[o];
        memcpy(filling.left[o], orbit->members, sizeof filling.left[o]);
        for (unsigned i = 0; i < orbit->places; i++) {
            const uint8_t symbol = puzzle->goal[orbit->place[i]];
            if (symbol != BOARD_OPEN) {
                filling.left[o][orbit->class_of[permute->tile_of[symbol]]]--;
                continue;
            }
            filling.cell[filling.open] = orbit->place[i];
            filling.orbit[filling.open++] = (uint8_t)o;
        }
    }
    return fill(&filling, 0);
}

/* -- making one -- */

/* A part of the symmetries is no group: then it has the identity alone. */
static bool permute_image(const struct puzzle *puzzle, const uint8_t *position, unsigned symmetry, uint8_t *image)
{
    const struct permute_symmetries *symmetries = permute_of(puzzle)->symmetries;
    if (symmetry >= (symmetries->all ? symmetries->count : 1))
        return false;
    permute_symmetry_image(permute_of(puzzle), &symmetries->symmetry[symmetry], position, image);
    return true;
}

static void permute_release(struct puzzle *puzzle)
{
    struct permute *permute = (struct permute *)puzzle;
    permute_orbits_free(permute);
    permute_chain_free(permute->chain);
    free(permute->symmetries);
    free(permute->neighbours);
    free(permute->move);
    free(permute->given);
    free(permute->net);
    notation_free(permute->notation);
}

/* -- states that are one cycle -- */

/* Does the second move take the first one back? */
static bool takes_back(const struct permute *permute)
{
    const struct permute_move *first = &permute->move[0], *second = &permute->move[1];
    for (unsigned place = 0; place < permute->puzzle.board.places; place++) {
        const unsigned to = first->to[place], twist = (unsigned)first->twist[place] + second->twist[to];
        if (second->to[to] != place || twist % permute->modulus[place] != 0)
            return false;
    }
    return true;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool is_goal_in(const struct permute_orbit *orbit, const uint8_t *goal, const uint8_t *position)
{
    for (unsigned i = 0; i < orbit->places; i++)
        if (position[orbit->place[i]] != goal[orbit->place[i]])
            return false;
    return true;
}

/* How many of the first move bring the goal back, or above UINT32_MAX a number that divides them. Each orbit, which is
 * a cycle of places, comes round for itself, after at most as many as it has places and twists. */
static uint64_t period(const struct permute *permute)
{
    const struct puzzle *puzzle = &permute->puzzle;
    uint8_t position[BOARD_MAX_CELLS], moved[BOARD_MAX_CELLS];
    bool round[BOARD_MAX_CELLS] = {false};
    uint64_t all = 1;
    memcpy(position, puzzle->goal, puzzle->board.places);
    for (unsigned moves = 1, left = permute->orbits; left > 0 && all <= UINT32_MAX; moves++) {
        permute_apply(permute, 0, position, moved);
        memcpy(position, moved, puzzle->board.places);
        for (unsigned o = 0; o < permute->orbits; o++) {
            if (round[o] || !is_goal_in(&permute->orbit[o], puzzle->goal, position))
                continue;
            round[o] = true;
            left--;
            all *= moves / common_divisor(all, moves);
        }
    }
    return all;
}

/* The greatest distance where the states that a goal can be reached from are one cycle; 0 elsewhere. */
static uint64_t deepest(const struct permute *permute)
{
    const struct puzzle *puzzle = &permute->puzzle;
    if (permute->moves > 2 || (permute->moves == 2 && !takes_back(permute)) ||
        memchr(puzzle->goal, BOARD_OPEN, puzzle->board.places) != NULL)
        return 0;
    return permute->moves == 2 ? period(permute) / 2 : period(permute) - 1;
}

/* Where neighbours tell more than tables would, and the definition asks for none, a search counts these: there are no
 * pattern databases then, for nothing would read them. */
static pdb_status choose_bound(struct permute *permute, pdb_error *error)
{
    struct puzzle *puzzle = &permute->puzzle;
    if (puzzle->states == 0 || permute->given != NULL)
        return PDB_OK;
    pdb_status status = permute_neighbours_find(permute, &permute->neighbours, error);
    if (permute->neighbours != NULL) {
        puzzle->functions.single.searcher = &ida_class;
        puzzle->functions.single.patterns = NULL;
        puzzle->functions.single.bounds = permute_neighbours_bounds;
        puzzle->functions.single.bound_text = "tiles beside wrong neighbours";
    }
    return status;
}

static pdb_status permute_create(const struct definition *definition, struct puzzle *puzzle, pdb_error *error)
{
    struct permute *permute = (struct permute *)puzzle;
    pdb_status status = permute_read(definition, permute, error);
    if (status == PDB_OK)
        status = permute_orbits_make(permute, error);
    if (status == PDB_OK)
        status = permute_symmetries_find(permute, &permute->symmetries, error);
    if (status == PDB_OK)
        status = choose_bound(permute, error);
    if (status == PDB_OK)
        status = permute_chain_make(permute, error);
    if (status == PDB_OK)
        puzzle->deepest = deepest(permute);
    return status;
}

static const char *const permute_keys[] = {"places", "board",    "goal", "generators", "turns",     "twists",
                                           "glyphs", "patterns", "net",  "rotations",  "sequences", NULL};

const struct family permute_family = {
    .name = "permute",
    .summary = "every move is a permutation of the places, with twists or without: cubes, shifting lines, pancakes",
    .keys = permute_keys,
    .shown = {"patterns", "net", "rotations", "sequences"},
    .draws_board = true,
    .size = sizeof(struct permute),
    .create = permute_create,
    .release = permute_release,
    .position = {.check = permute_check,
                 .moves = permute_moves,
                 .rank = permute_rank,
                 .unrank = permute_unrank,
                 .parse = permute_notation_parse,
                 .inverse = permute_inverse,
                 .show = permute_net_show},
    .index = {.successors = permute_successors,
              .predecessors = permute_predecessors,
              .goals = permute_goals,
              .colours = permute_colours,
              .image = permute_image},
    .space = {.layers = permute_layers_make},
    .single = {.searcher = &permute_searcher_class, .patterns = &permute_pattern_family},
};
