/* tables.c -- what every move does to the coordinates of an orbit, worked out once
 *
 * A puzzle is made anew in every process that asks a question, so the tables are kept to what takes a few milliseconds;
 * an orbit that would need more is taken apart and put together at every move instead. A search through all states
 * makes larger ones for itself.
 */
#include "permute.h"

#include <stdlib.h>
#include <string.h>

enum {
    WHOLE_ENTRIES = 1 << 16, /* an orbit whose orders take no more than this in one table is not split */
    MAX_ENTRIES = 1 << 19,   /* of near_to, and of far_to */
    LARGE_ENTRIES = 1 << 23, /* the same, for a search through all states; not more than */
    STATES_AN_ENTRY = 4,     /* of the puzzle */
    MAX_TWIST_ENTRIES = 1 << 18,
    LIKELY_TURNS = 16 /* a guess, for choosing the split */
};

unsigned permute_split(const struct permute *permute, const struct permute_orbit *orbit)
{
    /* Of a halved orbit at least two tiles are far, so that far orders come in pairs. */
    const unsigned last = orbit->halved ? orbit->classes - 2u : orbit->classes;
    const long double all = multiset_count(orbit->classes, orbit->members) / (orbit->halved ? 2 : 1);
    long double least = 0;
    unsigned best = last;
    if (all * permute->all_moves <= WHOLE_ENTRIES)
        return last;
    for (unsigned split = 0; split <= last; split++) {
        const long double far = multiset_count(orbit->classes - split, orbit->members + split);
        const long double near = multiset_count(orbit->classes, orbit->members) / far;
        const long double cost = near * permute->all_moves + LIKELY_TURNS * far;
        if (split == 0 || cost < least) {
            least = cost;
            best = split;
        }
    }
    return best;
}

/* -- turns -- */

/* The turns found so far: where each place left over goes among those left over after the move. A hash table finds
 * them. */
struct turns {
    unsigned things, count, room, mask;
    uint8_t *turn;  /* count * things */
    uint32_t *slot; /* number + 1, 0 for free */
};

static bool turns_make(struct turns *turns, unsigned things, uint64_t most)
{
    turns->things = things;
    turns->room = (unsigned)(most < 4096 ? most : 4096);
    turns->mask = 4 * 4096 - 1;
    turns->turn = malloc((size_t)turns->room * things + 1);
    turns->slot = calloc(turns->mask + 1, sizeof *turns->slot);
    return turns->turn != NULL && turns->slot != NULL;
}

/* The number of a turn, which is added if it is new; false where there are too many. */
static bool turns_find(struct turns *turns, const uint8_t *turn, uint32_t *number)
{
    uint32_t hash = 2166136261; /* FNV-1a */
    for (unsigned i = 0; i < turns->things; i++)
        hash = (hash ^ turn[i]) * 16777619;
    uint32_t at = (hash ^ hash >> 16) & turns->mask;
    for (; turns->slot[at] != 0; at = (at + 1) & turns->mask) {
        *number = turns->slot[at] - 1;
        if (memcmp(turns->turn + (size_t)*number * turns->things, turn, turns->things) == 0)
            return true;
    }
    if (turns->count == turns->room)
        return false;
    memcpy(turns->turn + (size_t)turns->count * turns->things, turn, turns->things);
    *number = turns->count++;
    turns->slot[at] = turns->count;
    return true;
}

/* -- tables -- */

/* For every move, where it takes the tile at each position of the orbit: a position too. */
static uint8_t *list_targets(const struct permute *permute, const struct permute_orbit *orbit)
{
    uint8_t position_of[BOARD_MAX_CELLS];
    uint8_t *target = malloc((size_t)permute->all_moves * orbit->places);
    for (unsigned i = 0; i < orbit->places; i++)
        position_of[orbit->place[i]] = (uint8_t)i;
    for (unsigned m = 0; target != NULL && m < permute->all_moves; m++)
        for (unsigned i = 0; i < orbit->places; i++)
            target[m * orbit->places + i] = position_of[permute->move[m].to[orbit->place[i]]];
    return target;
}

/* One near order after one move: its rank, and the turn. */
static uint64_t move_near(const struct permute_orbit *orbit, const struct multiset_step *step, const uint8_t *target,
                          uint8_t *turn)
{
    uint8_t moved[BOARD_MAX_CELLS], source[BOARD_MAX_CELLS];
    const uint8_t rest = (uint8_t)orbit->split;
    unsigned left_over = 0;
    for (unsigned i = 0; i < orbit->places; i++) {
        moved[target[i]] = step[i].class;
        source[target[i]] = (uint8_t)left_over;
        left_over += step[i].class == rest;
    }
    left_over = 0;
    for (unsigned i = 0; i < orbit->places; i++)
        if (moved[i] == rest)
            turn[source[i]] = (uint8_t)left_over++;
    return multiset_rank(&orbit->near, moved);
}

/* near_to and the turns. *fits says whether there were few enough. */
static void fill_near(const struct permute *permute, struct permute_orbit *orbit, const uint8_t *targets,
                      struct turns *turns, bool *fits)
{
    struct multiset_step step[BOARD_MAX_CELLS + 1];
    uint8_t turn[BOARD_MAX_CELLS];
    *fits = true;
    for (uint64_t near = 0; *fits && near < orbit->near.orders; near++) {
        multiset_trace(&orbit->near, near, near > 0, step);
        for (unsigned m = 0; *fits && m < permute->all_moves; m++) {
            struct permute_near *to = &orbit->near_to[near * permute->all_moves + m];
            to->rank = (uint32_t)move_near(orbit, step, targets + m * orbit->places, turn);
            *fits = turns_find(turns, turn, &to->turn);
        }
    }
}

static uint64_t most_entries(const struct permute *permute)
{
    return permute->table_entries != 0 ? permute->table_entries : MAX_ENTRIES;
}

static void fill_far(struct permute_orbit *orbit, const struct turns *turns)
{
    uint8_t order[BOARD_MAX_CELLS], moved[BOARD_MAX_CELLS];
    for (uint64_t far = 0; far < orbit->far.orders; far++) {
        multiset_unrank(&orbit->far, far, order);
        for (unsigned t = 0; t < turns->count; t++) {
            for (unsigned i = 0; i < turns->things; i++)
                moved[turns->turn[t * turns->things + i]] = order[i];
            orbit->far_to[far * turns->count + t] = (uint32_t)multiset_rank(&orbit->far, moved);
        }
    }
}

static void fill_parity(const struct multiset_ranking *ranking, uint8_t *parity)
{
    uint8_t order[BOARD_MAX_CELLS];
    for (uint64_t rank = 0; rank < ranking->orders; rank++) {
        multiset_unrank(ranking, rank, order);
        parity[rank] = (uint8_t)order_parity(ranking->things, order);
    }
}

/* Both tables of the order, with all memory there; *fits as above. */
static bool make_order_tables(const struct permute *permute, struct permute_orbit *orbit, struct turns *turns,
                              const uint8_t *targets, bool *fits)
{
    fill_near(permute, orbit, targets, turns, fits);
    if (!*fits || turns->count * orbit->far.orders > most_entries(permute)) {
        *fits = false;
        return true;
    }
    orbit->turns = turns->count;
    if (orbit->far_orders > 1) {
        orbit->far_to = malloc(turns->count * orbit->far.orders * sizeof *orbit->far_to);
        if (orbit->far_to == NULL)
            return false;
        fill_far(orbit, turns);
    }
    if (orbit->distinct) {
        orbit->near_parity = malloc(orbit->near.orders);
        orbit->far_parity = malloc(orbit->far.orders);
        if (orbit->near_parity == NULL || orbit->far_parity == NULL)
            return false;
        fill_parity(&orbit->near, orbit->near_parity);
        fill_parity(&orbit->far, orbit->far_parity);
    }
    return true;
}

static pdb_status tabulate_order(const struct permute *permute, struct permute_orbit *orbit, pdb_error *error)
{
    const uint64_t entries = orbit->near.orders * permute->all_moves, most = most_entries(permute);
    struct turns turns = {0};
    bool fits = false;
    if (orbit->size == orbit->twists) /* one order: nothing to look up */
        return PDB_OK;
    if (orbit->near.orders > most || entries > most || orbit->far.orders > most)
        return PDB_OK;
    uint8_t *targets = list_targets(permute, orbit);
    orbit->near_to = malloc(entries * sizeof *orbit->near_to);
    const bool made = turns_make(&turns, orbit->far.things, most / orbit->far.orders) && targets != NULL &&
                      orbit->near_to != NULL && make_order_tables(permute, orbit, &turns, targets, &fits);
    free(turns.turn);
    free(turns.slot);
    free(targets);
    if (!made || !fits)
        permute_tables_free(orbit);
    return made ? PDB_OK : error_no_memory(error, "the moves' tables", entries * sizeof *orbit->near_to);
}

static pdb_status tabulate_twist(const struct permute *permute, struct permute_orbit *orbit, pdb_error *error)
{
    uint8_t twist[BOARD_MAX_CELLS], moved[BOARD_MAX_CELLS];
    if (orbit->twists == 1 || orbit->twists > MAX_TWIST_ENTRIES / permute->all_moves)
        return PDB_OK;
    const size_t bytes = orbit->twists * permute->all_moves * sizeof *orbit->twist_to;
    uint8_t *targets = list_targets(permute, orbit);
    orbit->twist_to = malloc(bytes);
    if (targets == NULL || orbit->twist_to == NULL) {
        free(targets);
        return error_no_memory(error, "the moves' tables", bytes);
    }
    for (uint64_t rank = 0; rank < orbit->twists; rank++) {
        permute_unrank_twist(orbit, rank, twist);
        for (unsigned m = 0; m < permute->all_moves; m++) {
            for (unsigned i = 0; i < orbit->places; i++) {
                const unsigned sum = twist[i] + (unsigned)permute->move[m].twist[orbit->place[i]];
                moved[targets[m * orbit->places + i]] = (uint8_t)(sum >= orbit->modulus ? sum - orbit->modulus : sum);
            }
            orbit->twist_to[rank * permute->all_moves + m] = (uint32_t)permute_rank_twist(orbit, moved);
        }
    }
    free(targets);
    return PDB_OK;
}

pdb_status permute_tables_make(const struct permute *permute, struct permute_orbit *orbit, pdb_error *error)
{
    pdb_status status = tabulate_order(permute, orbit, error);
    return status != PDB_OK ? status : tabulate_twist(permute, orbit, error);
}

void permute_tables_free(struct permute_orbit *orbit)
{
    free(orbit->near_to);
    free(orbit->far_to);
    free(orbit->near_parity);
    free(orbit->far_parity);
    free(orbit->twist_to);
    orbit->near_to = NULL;
    orbit->far_to = orbit->twist_to = NULL;
    orbit->near_parity = orbit->far_parity = NULL;
}

/* -- larger ones -- */

static bool has_tables(const struct permute_orbit *orbit)
{
    return orbit->near_to != NULL || orbit->size == orbit->twists;
}

static bool has_all(const struct permute *permute)
{
    bool all = true;
    for (unsigned o = 0; o < permute->moving; o++)
        all = all && has_tables(&permute->orbit[o]);
    return all;
}

uint64_t permute_tables_bytes(const struct permute *permute)
{
    const uint64_t moves = permute->all_moves;
    uint64_t bytes = permute->orbits * sizeof *permute->orbit;
    if (permute->tail_to != NULL)
        bytes += permute->row * moves * sizeof *permute->tail_to;
    for (unsigned o = 0; o < permute->orbits; o++) {
        const struct permute_orbit *orbit = &permute->orbit[o];
        bytes += multiset_bytes(&orbit->near) + multiset_bytes(&orbit->far);
        bytes += orbit->near_to != NULL ? orbit->near.orders * moves * sizeof *orbit->near_to : 0;
        bytes += orbit->far_to != NULL ? orbit->turns * orbit->far.orders * sizeof *orbit->far_to : 0;
        bytes += orbit->near_parity != NULL ? orbit->near.orders + orbit->far.orders : 0;
        bytes += orbit->twist_to != NULL ? orbit->twists * moves * sizeof *orbit->twist_to : 0;
    }
    return bytes;
}

/* How many entries the tables that are missing may have, each, in so much memory: how large all are but far_to is known
 * before they are made. */
static uint64_t entries_within(const struct permute *permute, uint64_t memory)
{
    uint64_t known = permute_tables_bytes(permute);
    unsigned missing = 0;
    for (unsigned o = 0; o < permute->moving; o++) {
        const struct permute_orbit *orbit = &permute->orbit[o];
        if (has_tables(orbit))
            continue;
        missing++;
        known += orbit->near.orders * (permute->all_moves * sizeof *orbit->near_to + 1) + orbit->far.orders;
    }
    const uint64_t most = permute->puzzle.states / STATES_AN_ENTRY,
                   room = missing > 0 && memory > known ? (memory - known) / missing / sizeof(uint32_t) : 0;
    return most < room ? most : room;
}

pdb_status permute_enlarge(const struct permute *permute, uint64_t memory, struct permute **out, pdb_error *error)
{
    const uint64_t most = entries_within(permute, memory);
    *out = NULL;
    if (most <= MAX_ENTRIES)
        return PDB_OK;
    struct permute *enlarged = malloc(sizeof *enlarged);
    if (enlarged == NULL)
        return error_no_memory(error, "the moves' tables", sizeof *enlarged);
    *enlarged = *permute;
    permute_orbits_forget(enlarged);
    enlarged->table_entries = most < LARGE_ENTRIES ? most : LARGE_ENTRIES;
    const pdb_status status = permute_orbits_make(enlarged, error);
    if (status == PDB_OK && has_all(enlarged)) {
        *out = enlarged;
        return PDB_OK;
    }
    permute_enlarged_free(enlarged);
    return status;
}

void permute_enlarged_free(struct permute *enlarged)
{
    if (enlarged != NULL)
        permute_orbits_free(enlarged); /* all else is the puzzle's */
    free(enlarged);
}
