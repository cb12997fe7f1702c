/* orbits.c -- the orbits of a permutation puzzle: what the moves keep, how many states that leaves, and the
 * colouring
 *
 * Signs. A move's vector has a bit for each orbit with a parity, and one for each sum of twists whose modulus is even
 * (the sum modulo 2). A state's vector, seen from the goal, is the sum of those of the moves made. Goals with open
 * cells are several, and their differences count as moves here: an orbit with two open cells has goals of both
 * parities.
 */
#include "permute.h"
#include "lib/families/families.h"
#include "lib/numbers.h"
#include "lib/rank/parity.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* -- orbits -- */

/* The tile that the goal, or one of the goals, has on each place of an orbit: given ones, and the rest in the order of
 * their numbers. */
static void complete_goal(const struct permute *permute, const struct permute_orbit *orbit, uint8_t tile[],
                          uint8_t twist[])
{
    const uint8_t *goal = permute->puzzle.goal;
    uint16_t left[BOARD_MAX_SYMBOLS] = {0};
    for (unsigned i = 0; i < orbit->places; i++) {
        left[permute->tile_of[permute->board[orbit->place[i]]]]++;
        if (goal[orbit->place[i]] != BOARD_OPEN)
            left[permute->tile_of[goal[orbit->place[i]]]]--;
    }
    unsigned next = 0;
    for (unsigned i = 0; i < orbit->places; i++) {
        const uint8_t symbol = goal[orbit->place[i]];
        while (symbol == BOARD_OPEN && left[next] == 0)
            next++;
        tile[i] = symbol == BOARD_OPEN ? (uint8_t)next : permute->tile_of[symbol];
        twist[i] = symbol == BOARD_OPEN ? 0 : permute->twist_of[symbol];
        left[next] = (uint16_t)(left[next] - (symbol == BOARD_OPEN));
    }
}

static unsigned open_cells(const struct permute *permute, const struct permute_orbit *orbit)
{
    unsigned open = 0;
    for (unsigned i = 0; i < orbit->places; i++)
        open += permute->puzzle.goal[orbit->place[i]] == BOARD_OPEN;
    return open;
}

/* How much a move changes the sum of an orbit's twists. */
static unsigned twist_sum(const struct permute_orbit *orbit, const struct permute_move *move)
{
    unsigned sum = 0;
    for (unsigned i = 0; i < orbit->places; i++)
        sum += move->twist[orbit->place[i]];
    return sum;
}

/* Modulus, divisor and residue of an orbit's twists. Where nothing ever turns there is nothing to number. */
static void find_twists(const struct permute *permute, struct permute_orbit *orbit, const uint8_t twist[])
{
    unsigned modulus = permute->modulus[orbit->place[0]], divisor = modulus, sum = 0;
    bool turned = open_cells(permute, orbit) > 0;
    for (unsigned i = 0; i < orbit->places; i++) {
        sum += twist[i];
        turned |= twist[i] != 0;
        for (unsigned m = 0; m < permute->moves; m++)
            turned |= permute->move[m].twist[orbit->place[i]] != 0;
    }
    for (unsigned m = 0; m < permute->moves; m++)
        divisor = common_divisor(divisor, twist_sum(orbit, &permute->move[m]) % modulus);
    if (open_cells(permute, orbit) > 0)
        divisor = 1;
    if (!turned)
        modulus = divisor = 1;
    orbit->modulus = (uint8_t)modulus;
    orbit->divisor = (uint8_t)divisor;
    orbit->residue = (uint8_t)(sum % divisor);
    orbit->goal_sum = sum;
}

/* Reads an orbit's places, classes and twists. */
static void make_orbit(const struct permute *permute, unsigned number, struct permute_orbit *orbit)
{
    uint8_t tile[BOARD_MAX_CELLS], twist[BOARD_MAX_CELLS];
    for (unsigned place = 0; place < permute->puzzle.board.places; place++)
        if (permute->orbit_of[place] == number)
            orbit->place[orbit->places++] = (uint8_t)place;
    memset(orbit->class_of, PERMUTE_NO_CLASS, sizeof orbit->class_of);
    complete_goal(permute, orbit, tile, twist);
    for (unsigned i = 0; i < orbit->places; i++) {
        if (orbit->class_of[tile[i]] == PERMUTE_NO_CLASS) {
            orbit->class_of[tile[i]] = (uint8_t)orbit->classes;
            orbit->tile[orbit->classes++] = tile[i];
        }
        orbit->members[orbit->class_of[tile[i]]]++;
    }
    orbit->distinct = orbit->places > 1 && orbit->classes == orbit->places;
    find_twists(permute, orbit, twist);
}

/* -- signs -- */

/* The parity of a move on an orbit's places: the number of places less that of cycles. */
static unsigned move_parity(const struct permute_orbit *orbit, const struct permute_move *move)
{
    bool seen[BOARD_MAX_CELLS] = {false};
    unsigned parity = 0;
    for (unsigned i = 0; i < orbit->places; i++)
        for (unsigned p = orbit->place[i]; !seen[p]; p = move->to[p]) {
            seen[p] = true;
            parity ^= move->to[p] != orbit->place[i]; /* once less than the cycle has places */
        }
    return parity;
}

static uint64_t parity_bit(unsigned orbit)
{
    return (uint64_t)1 << orbit;
}

static uint64_t twist_bit(unsigned orbit)
{
    return (uint64_t)1 << (PERMUTE_SIGNED_ORBITS + orbit);
}

static unsigned signed_orbits(const struct permute *permute)
{
    return permute->orbits < PERMUTE_SIGNED_ORBITS ? permute->orbits : PERMUTE_SIGNED_ORBITS;
}

static uint64_t move_vector(const struct permute *permute, const struct permute_move *move)
{
    uint64_t vector = 0;
    for (unsigned o = 0; o < signed_orbits(permute); o++) {
        const struct permute_orbit *orbit = &permute->orbit[o];
        if (orbit->distinct && move_parity(orbit, move))
            vector |= parity_bit(o);
        if (orbit->modulus % 2 == 0 && twist_sum(orbit, move) % 2 == 1)
            vector |= twist_bit(o);
    }
    return vector;
}

/* Takes the bits in `mask` of the vectors of all moves (each sums up to 1) and of the differences between goals (0). */
static void add_equations(const struct permute *permute, uint64_t mask, struct parity_equations *equations)
{
    for (unsigned m = 0; m < permute->moves; m++)
        parity_add(equations, move_vector(permute, &permute->move[m]) & mask, true);
    for (unsigned o = 0; o < signed_orbits(permute); o++) {
        const struct permute_orbit *orbit = &permute->orbit[o];
        if (orbit->distinct && open_cells(permute, orbit) > 1)
            parity_add(equations, parity_bit(o) & mask, false);
        if (orbit->modulus % 2 == 0 && open_cells(permute, orbit) > 0)
            parity_add(equations, twist_bit(o) & mask, false);
    }
}

/* The space of parities is the row space of the vectors, sums of twists left out. In echelon form the pivots are free,
 * and any other bit is the sum of the pivots of the rows that have it. */
static void find_halved(struct permute *permute)
{
    struct parity_equations rows = {0};
    add_equations(permute, twist_bit(0) - 1, &rows);
    for (unsigned o = 0; o < signed_orbits(permute); o++) {
        struct permute_orbit *orbit = &permute->orbit[o];
        uint64_t pivots = 0; /* of the rows that have this bit: itself alone where it is one */
        for (unsigned r = 0; r < rows.count; r++)
            if (rows.equation[r].bits & parity_bit(o))
                pivots |= parity_pivot(&rows, r);
        orbit->halved = orbit->distinct && pivots != parity_bit(o);
        orbit->parity_of = orbit->halved ? (uint32_t)pivots : 0;
    }
}

/* Solves "1 on every move, 0 on every difference of goals". */
static void find_colouring(struct permute *permute)
{
    struct parity_equations equations = {0};
    add_equations(permute, UINT64_MAX, &equations);
    if (equations.contradiction)
        return;
    permute->colouring = parity_solution(&equations);
    for (unsigned o = 0; o < signed_orbits(permute); o++)
        if (permute->colouring & twist_bit(o))
            permute->goal_colour ^= permute->orbit[o].goal_sum & 1;
    permute->puzzle.coloured = permute->puzzle.undoable;
}

/* -- sizes -- */

static long double count_twists(const struct permute_orbit *orbit)
{
    const unsigned last = orbit->modulus / orbit->divisor;
    long double twists = 1;
    for (unsigned i = 0; i + 1 < orbit->places; i++)
        twists *= orbit->modulus;
    return twists * last;
}

long double permute_count(const struct permute *permute)
{
    long double states = 1;
    for (unsigned o = 0; o < permute->orbits; o++) {
        const struct permute_orbit *orbit = &permute->orbit[o];
        states *= multiset_count(orbit->classes, orbit->members) / (orbit->halved ? 2 : 1) * count_twists(orbit);
    }
    return states;
}

/* Rankings of an orbit's near and far orders. *fits says whether an index and the tables have room for them. */
static pdb_status rank_orbit(const struct permute *permute, struct permute_orbit *orbit, bool *fits, pdb_error *error)
{
    uint16_t near[BOARD_MAX_CELLS + 1];
    orbit->split = (uint16_t)permute_split(permute, orbit);
    memcpy(near, orbit->members, orbit->split * sizeof *near);
    near[orbit->split] = 0;
    for (unsigned c = orbit->split; c < orbit->classes; c++)
        near[orbit->split] = (uint16_t)(near[orbit->split] + orbit->members[c]);
    enum multiset_status made = multiset_init(&orbit->near, orbit->split + 1u, near);
    if (made == MULTISET_OK)
        made = multiset_init(&orbit->far, orbit->classes - orbit->split + 1u, orbit->members + orbit->split);
    *fits = made != MULTISET_TOO_LARGE;
    if (made == MULTISET_NO_MEMORY)
        return error_no_memory(error, "the ranking", MULTISET_MAX_ENTRIES * sizeof(uint64_t));
    if (!*fits)
        return PDB_OK;
    orbit->far_orders = orbit->halved ? orbit->far.orders / 2 : orbit->far.orders;
    orbit->twists = (uint64_t)count_twists(orbit);
    orbit->size = orbit->near.orders * orbit->far_orders * orbit->twists;
    return PDB_OK;
}

/* The number of states and all that numbering them takes; nothing but their count where they are too many. */
static pdb_status size_orbits(struct permute *permute, pdb_error *error)
{
    const long double count = permute_count(permute);
    bool fits = count < 0x1p62L;
    pdb_status status = PDB_OK;
    permute->puzzle.size = count < DBL_MAX ? (double)count : DBL_MAX;
    for (unsigned o = 0; status == PDB_OK && fits && o < permute->orbits; o++)
        status = rank_orbit(permute, &permute->orbit[o], &fits, error);
    if (status != PDB_OK || !fits)
        return status;
    uint64_t states = 1;
    for (unsigned o = permute->orbits; o-- > 0;) {
        struct permute_orbit *orbit = &permute->orbit[o];
        orbit->weight = states;
        states *= orbit->size;
        if ((orbit->size > 1 || orbit->halved) && permute->moving == 0) /* a halved one changes with the others */
            permute->moving = o + 1;
    }
    permute->puzzle.states = states;
    permute->puzzle.size = 0;
    for (unsigned o = 0; status == PDB_OK && o < permute->moving; o++)
        status = permute_tables_make(permute, &permute->orbit[o], error);
    return status != PDB_OK ? status : permute_rows_make(permute, error);
}

pdb_status permute_orbits_find(struct permute *permute, pdb_error *error)
{
    permute->orbit = calloc(permute->orbits, sizeof *permute->orbit);
    if (permute->orbit == NULL)
        return error_no_memory(error, "the orbits", permute->orbits * sizeof *permute->orbit);
    unsigned made = 0;
    for (int still = 0; still < 2; still++) /* places that always keep their tiles, untwisted, come last */
        for (unsigned o = 0; o < permute->orbits; o++) {
            struct permute_orbit orbit = {0};
            make_orbit(permute, o, &orbit);
            if ((orbit.classes == 1 && orbit.modulus == 1) == (still == 1))
                permute->orbit[made++] = orbit;
        }
    find_halved(permute);
    find_colouring(permute);
    return PDB_OK;
}

pdb_status permute_orbits_make(struct permute *permute, pdb_error *error)
{
    pdb_status status = permute_orbits_find(permute, error);
    return status != PDB_OK ? status : size_orbits(permute, error);
}

void permute_orbits_forget(struct permute *copy)
{
    copy->orbit = NULL;
    copy->moving = 0;
    copy->colouring = 0;
    copy->goal_colour = 0;
    copy->row_kind = ROW_STATE;
    copy->row = 1;
    copy->tail_to = NULL;
    copy->chain = NULL;
    puzzle_use(&copy->puzzle, &permute_family);
}

void permute_orbits_free(struct permute *permute)
{
    for (unsigned o = 0; permute->orbit != NULL && o < permute->orbits; o++) {
        multiset_free(&permute->orbit[o].near);
        multiset_free(&permute->orbit[o].far);
        permute_tables_free(&permute->orbit[o]);
    }
    free(permute->orbit);
    free(permute->tail_to);
}
