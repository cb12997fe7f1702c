/* inverse.c -- what patterns see of the inverse of a position */
#include "inverse.h"

#include <stdlib.h>
#include <string.h>

enum {
    SLOTS_MAX = 255,
    LANES = 4,            /* sums that are added at once */
    DIGITS_MAX = 1 << 20, /* values that an orbit's digits may have */
    SHARES_MAX = 1 << 20  /* bytes: more than processors keep at hand */
};

typedef uint32_t lanes __attribute__((vector_size(LANES * sizeof(uint32_t))));

/* -- does a position have an inverse? -- */

/* Finds each tile's place, and numbers the slots: false where some tiles are alike, or the goal does not say where they
 * are, or moves are not undone by moves. */
static bool find_slots(struct permute_inverse *inverse, const struct permute *permute)
{
    const struct puzzle *puzzle = &permute->puzzle;
    bool seen[BOARD_MAX_SYMBOLS] = {false};
    inverse->tiles = puzzle->board.places;
    for (unsigned place = 0; place < puzzle->board.places; place++) {
        const uint8_t symbol = puzzle->goal[place];
        if (symbol == BOARD_OPEN || seen[permute->tile_of[symbol]])
            return false;
        const unsigned tile = permute->tile_of[symbol];
        seen[tile] = true;
        inverse->home[tile] = (uint8_t)place;
        inverse->turned[tile] = permute->twist_of[symbol];
        for (unsigned twist = 0; twist < permute->modulus[place]; twist++) {
            if (inverse->slots == SLOTS_MAX || permute->symbol_of[tile][twist] == BOARD_OPEN)
                return false;
            inverse->slot_of[place][twist] = (uint8_t)inverse->slots++;
        }
    }
    return puzzle->undoable;
}

static void find_moved(const struct permute_inverse *inverse, const struct permute *permute)
{
    for (unsigned m = 0; m < permute->moves; m++)
        for (unsigned place = 0; place < inverse->tiles; place++)
            for (unsigned twist = 0; twist < permute->modulus[place]; twist++) {
                const struct permute_move *move = &permute->move[m];
                const unsigned to = move->to[place], after = (twist + move->twist[place]) % permute->modulus[to];
                inverse->moved[m * inverse->slots + inverse->slot_of[place][twist]] = inverse->slot_of[to][after];
            }
}

/* -- sums -- */

static uint64_t power(uint64_t base, unsigned exponent)
{
    uint64_t result = 1;
    while (exponent-- > 0 && result <= DIGITS_MAX)
        result *= base;
    return result;
}

/* What each order adds to a state, by its digits; what are no orders' digits are never asked for. */
static bool list_orders(const struct permute_orbit *orbit, uint32_t *order)
{
    const uint64_t all = orbit->near.orders * orbit->far.orders;
    for (uint64_t i = 0; i < all; i++) {
        uint8_t class[BOARD_MAX_CELLS];
        const uint64_t near = i / orbit->far.orders, far = i % orbit->far.orders,
                       state = permute_encode(orbit, near, far, 0);
        uint64_t digits = 0;
        permute_unrank_order(orbit, near, far, class);
        for (unsigned place = 0; place < orbit->places; place++)
            digits = digits * orbit->classes + class[place];
        if (state > UINT32_MAX)
            return false;
        order[digits] = (uint32_t)state;
    }
    return true;
}

/* The digits of an orbit's order, as a sum of its own; *room is false where there is none. */
static pdb_status add_orders(struct permute_inverse *inverse, const struct permute_orbit *orbit,
                             struct permute_inverse_part *part, bool *room, pdb_error *error)
{
    const uint64_t all = power(orbit->classes, orbit->places);
    *room = inverse->sums < PERMUTE_SUMS_MAX && part->orders < PERMUTE_PARTS_MAX &&
            inverse->orders < PERMUTE_VIEWS_MAX && all <= DIGITS_MAX;
    if (!*room)
        return PDB_OK;
    uint32_t *order = malloc(all * sizeof *order);
    if (order == NULL)
        return error_no_memory(error, "inverses", all * sizeof *order);
    inverse->order[inverse->orders++] = order;
    part->digits[part->orders++] = (struct permute_digits){inverse->sums++, order};
    *room = list_orders(orbit, order);
    return PDB_OK;
}

/* The sums of a table's parts, as far as there is room. Views of one table have orders in common. */
static pdb_status add_view(struct permute_inverse *inverse, const struct permute_views *views, unsigned v, bool *room,
                           pdb_error *error)
{
    pdb_status status = PDB_OK;
    const struct permute_table *table = views->view[v].table;
    struct permute_inverse_view *view = &inverse->view[inverse->views++];
    const struct permute_inverse_view *before = inverse->view;
    *view = (struct permute_inverse_view){.view = v, .table = table};
    while (before->table != table)
        before++;
    for (unsigned p = 0; p < table->parts; p++) {
        const struct permute *part = table->part[p];
        struct permute_inverse_part *sums = &view->part[p];
        const unsigned orders = before != view ? before->part[p].orders : 0;
        *room = inverse->sums + 1 + orders <= PERMUTE_SUMS_MAX;
        if (!*room)
            return PDB_OK;
        sums->sum = inverse->sums++;
        for (unsigned o = 0; before == view && o < part->moving && *room && status == PDB_OK; o++)
            if (part->orbit[o].size > part->orbit[o].twists)
                status = add_orders(inverse, &part->orbit[o], sums, room, error);
        if (!*room || status != PDB_OK)
            return status;
        for (unsigned k = 0; k < orders; k++)
            sums->digits[sums->orders++] = (struct permute_digits){inverse->sums++, before->part[p].digits[k].order};
    }
    return PDB_OK;
}

pdb_status permute_inverse_exists(const struct permute *permute, const struct permute_pattern *pattern, bool *exists,
                                  pdb_error *error)
{
    struct permute_inverse inverse = {0};
    struct permute *relaxed;
    pdb_status status = permute_relax_orbits(permute, pattern, &relaxed, error);
    *exists = status == PDB_OK && find_slots(&inverse, permute);
    for (unsigned o = 0; *exists && o < relaxed->orbits; o++)
        *exists = power(relaxed->orbit[o].classes, relaxed->orbit[o].places) <= DIGITS_MAX;
    permute_relaxed_free(relaxed);
    return status;
}

/* -- what a tile adds -- */

/* Of a symbol on a place in what a part sees. */
static void add_symbol(const struct permute *part, unsigned place, uint8_t symbol,
                       const struct permute_inverse_part *sums, uint32_t *share)
{
    unsigned order = 0;
    for (unsigned o = 0; o < part->moving; o++) {
        const struct permute_orbit *orbit = &part->orbit[o];
        const uint8_t *found = memchr(orbit->place, (int)place, orbit->places);
        const bool orders = orbit->size > orbit->twists;
        order += orders;
        if (found == NULL)
            continue;
        const unsigned after = orbit->places - 1u - (unsigned)(found - orbit->place);
        if (orders)
            share[sums->digits[order - 1].sum] += (uint32_t)(orbit->class_of[part->tile_of[symbol]] *
                                                             power(orbit->classes, after));
        uint8_t twist[BOARD_MAX_CELLS] = {0};
        twist[orbit->places - 1u - after] = part->twist_of[symbol];
        share[sums->sum] += (uint32_t)(permute_rank_twist(orbit, twist) * orbit->weight);
    }
}

/* The tile of `place` is in a slot of the place x: in the inverse the tile of x is on `place`, twisted back. */
static void add_shares(const struct permute_inverse *inverse, const struct permute_views *views, unsigned place,
                       unsigned x, unsigned twist)
{
    const struct permute *permute = views->permute;
    const unsigned tile = permute->tile_of[permute->puzzle.goal[x]], modulus = permute->modulus[x],
                   back = (inverse->turned[tile] + modulus - twist) % modulus, slot = inverse->slot_of[x][twist];
    uint32_t *share = inverse->share + ((size_t)place * inverse->slots + slot) * inverse->sums;
    uint8_t position[BOARD_MAX_CELLS], seen[BOARD_MAX_CELLS], relaxed[BOARD_MAX_CELLS];
    memcpy(position, permute->puzzle.goal, permute->puzzle.board.places);
    position[place] = permute->symbol_of[tile][back];
    for (unsigned v = 0; v < inverse->views; v++) {
        const struct permute_inverse_view *view = &inverse->view[v];
        const struct permute_symmetry *symmetry = views->view[view->view].symmetry;
        const unsigned to = symmetry->place[place];
        permute_symmetry_image(permute, symmetry, position, seen);
        for (unsigned p = 0; p < view->table->parts; p++) {
            permute_relaxed_position(view->table->part[p], seen, relaxed);
            add_symbol(view->table->part[p], to, relaxed[to], &view->part[p], share);
        }
    }
}

static pdb_status make_shares(struct permute_inverse *inverse, const struct permute_views *views, bool *room,
                              pdb_error *error)
{
    const struct permute *permute = views->permute;
    inverse->sums = (inverse->sums + LANES - 1) / LANES * LANES;
    const size_t bytes = (size_t)inverse->tiles * inverse->slots * inverse->sums * sizeof *inverse->share;
    *room = bytes <= SHARES_MAX;
    if (!*room)
        return PDB_OK;
    inverse->share = aligned_alloc(sizeof(lanes), bytes);
    inverse->moved = malloc((size_t)permute->moves * inverse->slots);
    if (inverse->share == NULL || inverse->moved == NULL)
        return error_no_memory(error, "inverses", bytes);
    memset(inverse->share, 0, bytes);
    find_moved(inverse, permute);
    for (unsigned place = 0; place < inverse->tiles; place++)
        for (unsigned x = 0; x < inverse->tiles; x++)
            for (unsigned twist = 0; permute->orbit_of[x] == permute->orbit_of[place] && twist < permute->modulus[x];
                 twist++)
                add_shares(inverse, views, place, x, twist);
    return PDB_OK;
}

pdb_status permute_inverse_make(const struct permute_views *views, struct permute_inverse **out, pdb_error *error)
{
    const struct permute *permute = views->permute;
    struct permute_inverse *inverse = calloc(1, sizeof *inverse);
    pdb_status status = PDB_OK;
    *out = NULL;
    if (inverse == NULL)
        return error_no_memory(error, "inverses", sizeof *inverse);
    bool room = find_slots(inverse, permute);
    for (unsigned v = 0; room && status == PDB_OK && v < views->views; v++)
        if (views->view[v].table->pattern.bounded)
            status = add_view(inverse, views, v, &room, error);
    if (room && status == PDB_OK && inverse->views > 0)
        status = make_shares(inverse, views, &room, error);
    if (status != PDB_OK || !room || inverse->views == 0)
        permute_inverse_free(inverse);
    else
        *out = inverse;
    return status;
}

void permute_inverse_free(struct permute_inverse *inverse)
{
    if (inverse == NULL)
        return;
    for (unsigned i = 0; i < inverse->orders; i++)
        free(inverse->order[i]);
    free(inverse->moved);
    free(inverse->share);
    free(inverse);
}

/* -- looking -- */

void permute_inverse_place(const struct permute_inverse *inverse, const struct permute *permute,
                           const uint8_t *position, uint8_t *slot)
{
    for (unsigned place = 0; place < inverse->tiles; place++) {
        const unsigned tile = permute->tile_of[position[place]], modulus = permute->modulus[place],
                       twist = permute->twist_of[position[place]] + modulus - inverse->turned[tile];
        slot[inverse->home[tile]] = inverse->slot_of[place][twist % modulus];
    }
}

void permute_inverse_look(const struct permute_inverse *inverse, const uint8_t *slot,
                          struct permute_inverse_states *states)
{
    lanes sum[PERMUTE_SUMS_MAX / LANES] = {0};
    const unsigned groups = inverse->sums / LANES;
    for (unsigned t = 0; t < inverse->tiles; t++) {
        const lanes *share = (const lanes *)(const void *)(inverse->share +
                                                           (t * inverse->slots + slot[t]) * inverse->sums);
        for (unsigned g = 0; g < groups; g++)
            sum[g] += share[g];
    }
    const uint32_t *value = (const uint32_t *)(const void *)sum;
    for (unsigned v = 0; v < inverse->views; v++) {
        const struct permute_inverse_view *view = &inverse->view[v];
        for (unsigned p = 0; p < view->table->parts; p++) {
            const struct permute_inverse_part *part = &view->part[p];
            uint32_t state = value[part->sum];
            for (unsigned k = 0; k < part->orders; k++)
                state += part->digits[k].order[value[part->digits[k].sum]];
            states[v].state[p] = state;
        }
    }
}

uint64_t permute_inverse_entry(const struct permute_table *table, const struct permute_inverse_states *states)
{
    const uint32_t class = table->class_of[states->state[0]], symmetry = class & ((1u << table->bits) - 1);
    uint64_t entry = class >> table->bits;
    for (unsigned p = 1; p < table->parts; p++)
        entry = entry * table->states[p] + table->image[p][symmetry * table->states[p] + states->state[p]];
    return entry;
}
