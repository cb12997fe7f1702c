/* parts.c -- how a pattern is taken apart: so that its table has as few entries as symmetries allow
 *
 * A *component* is what of a pattern can be looked at by itself: of an orbit of places which tiles are where, or how
 * they are turned; orbits that have a tile in common, which the pattern names, go together. Any division of the
 * components into parts will do, if the states of the parts together are as many as those of the whole (no parity of
 * one follows from those of another), and any part may be the first. What differs is the number of symmetries: each has
 * to keep all parts, and how tiles are turned, say, may only be the same from another side if it is known which tiles
 * they are. So all divisions are tried, and the one that makes the smallest table, the small ones included, is taken.
 */
#include "table.h"

#include <stdlib.h>
#include <string.h>

/* Part of the format of databases: with other limits another division may be taken, and an entry stands for other
 * states. The same goes for how divisions are weighed, and in which order. */
enum {
    COMPONENTS_MAX = 6,
    SETS = 1 << COMPONENTS_MAX,
    CACHED = 1 << 18,    /* bytes of small tables that cost nothing, since they stay in a processor's cache */
    STATES_MAX = 1 << 22 /* in a small table: it is made anew wherever the table is opened, in some 50 ms */
};

/* -- components -- */

struct components {
    unsigned count;
    unsigned order[BOARD_BYTE_CELLS], turns[BOARD_BYTE_CELLS]; /* by orbit_of: COMPONENTS_MAX for none */
};

static bool is_named(const struct permute_pattern *pattern, unsigned tile)
{
    return pattern->class[tile] > 0 || pattern->turns[tile];
}

/* joined[orbit]: the same for orbits that have a tile in common. */
static void join_orbits(const struct permute *permute, const struct permute_pattern *pattern, unsigned *joined)
{
    unsigned first[BOARD_MAX_SYMBOLS];
    bool seen[BOARD_MAX_SYMBOLS] = {false};
    for (unsigned orbit = 0; orbit < permute->orbits; orbit++)
        joined[orbit] = orbit;
    for (unsigned place = 0; place < permute->puzzle.board.places; place++) {
        const unsigned tile = permute->tile_of[permute->board[place]], from = joined[permute->orbit_of[place]];
        if (!is_named(pattern, tile))
            continue;
        if (!seen[tile])
            first[tile] = permute->orbit_of[place];
        seen[tile] = true;
        const unsigned to = joined[first[tile]];
        for (unsigned orbit = 0; orbit < permute->orbits; orbit++)
            if (joined[orbit] == from)
                joined[orbit] = to;
    }
}

/* More than COMPONENTS_MAX are none: it would take long to try all divisions. */
static void find_components(const struct permute *permute, const struct permute_pattern *pattern,
                            struct components *components)
{
    unsigned joined[BOARD_BYTE_CELLS];
    join_orbits(permute, pattern, joined);
    components->count = 0;
    for (unsigned orbit = 0; orbit < permute->orbits; orbit++)
        components->order[orbit] = components->turns[orbit] = COMPONENTS_MAX;
    for (unsigned place = 0; place < permute->puzzle.board.places; place++) {
        const unsigned tile = permute->tile_of[permute->board[place]], orbit = joined[permute->orbit_of[place]];
        if (pattern->class[tile] > 0 && components->order[orbit] == COMPONENTS_MAX)
            components->order[orbit] = components->count++;
        if (pattern->turns[tile] && components->turns[orbit] == COMPONENTS_MAX)
            components->turns[orbit] = components->count++;
    }
    for (unsigned orbit = 0; orbit < permute->orbits; orbit++) {
        components->order[orbit] = components->order[joined[orbit]];
        components->turns[orbit] = components->turns[joined[orbit]];
    }
    components->count = components->count <= COMPONENTS_MAX ? components->count : 0;
}

/* What a pattern says of a set of its components. */
static void restrict_pattern(const struct permute *permute, const struct permute_pattern *pattern,
                             const struct components *components, unsigned set, struct permute_pattern *part)
{
    uint8_t number[BOARD_MAX_SYMBOLS + 1] = {0};
    *part = (struct permute_pattern){0};
    for (unsigned place = 0; place < permute->puzzle.board.places; place++) {
        const unsigned tile = permute->tile_of[permute->board[place]], orbit = permute->orbit_of[place],
                       class = pattern->class[tile];
        part->turns[tile] |= pattern->turns[tile] && (set >> components->turns[orbit] & 1);
        if (class == 0 || !(set >> components->order[orbit] & 1))
            continue;
        number[class] = number[class] > 0 ? number[class] : (uint8_t)++part->classes;
        part->class[tile] = number[class];
    }
}

/* -- symmetries -- */

/* Of an orbit, tiles are told apart from one another only: so classes are numbered anew in each. */
void permute_image(const struct permute *permute, const struct permute *relaxed,
                   const struct permute_symmetry *symmetry, struct permute_image *image)
{
    uint8_t class[BOARD_MAX_SYMBOLS];
    memset(image, 0, sizeof *image);
    for (unsigned symbol = 0; symbol < permute->puzzle.board.symbols; symbol++)
        class[permute->tile_of[symbol]] = relaxed->tile_of[symbol];
    for (unsigned o = 0; o < permute->orbits; o++) {
        const struct permute_orbit *orbit = &permute->orbit[o];
        uint8_t number[BOARD_MAX_SYMBOLS] = {0}, first_shift[BOARD_MAX_SYMBOLS], next = 0;
        for (unsigned i = 0; i < orbit->places; i++) {
            const unsigned place = orbit->place[i], tile = permute->tile_of[permute->board[place]],
                           seen = class[symmetry->tile[tile]], modulus = relaxed->modulus[symmetry->place[place]];
            if (number[seen] == 0) {
                number[seen] = ++next;
                first_shift[seen] = symmetry->shift[tile];
            }
            image->class[place] = number[seen];
            image->shift[place] = (uint8_t)((symmetry->shift[tile] + modulus - first_shift[seen] % modulus) % modulus);
            image->turns[place] = modulus > 1;
        }
    }
}

/* -- divisions -- */

/* Sets of components, as relaxations. */
struct division {
    const struct permute *permute;
    const struct permute_pattern *pattern;
    struct components components;
    long double whole, states[SETS];
    bool *keeps; /* [set * symmetries + s]: the symmetry keeps the set */
    uint16_t renaming[PERMUTE_SYMMETRIES_MAX];
    /* the best so far: the parts as sets, the first one first */
    unsigned parts, part[PERMUTE_PARTS_MAX], symmetries;
    long double entries, small, cost; /* small: bytes of the small tables */
};

/* renaming[s]: the first symmetry that renames the moves as s does. */
static void find_renamings(const struct permute *permute, uint16_t *renaming)
{
    const struct permute_symmetry *symmetry = permute->symmetries->symmetry;
    for (unsigned s = 0; s < permute->symmetries->count; s++) {
        renaming[s] = 0;
        while (memcmp(symmetry[renaming[s]].move, symmetry[s].move, permute->moves) != 0)
            renaming[s]++;
    }
}

static pdb_status look_at_sets(struct division *division, pdb_error *error)
{
    const struct permute *permute = division->permute;
    const struct permute_symmetries *symmetries = permute->symmetries;
    pdb_status status = PDB_OK;
    for (unsigned set = 1; status == PDB_OK && set < 1u << division->components.count; set++) {
        struct permute_pattern pattern;
        struct permute_image own, image;
        struct permute *relaxed;
        restrict_pattern(permute, division->pattern, &division->components, set, &pattern);
        status = permute_relax_orbits(permute, &pattern, &relaxed, error);
        if (status == PDB_OK) {
            division->states[set] = permute_count(relaxed);
            permute_image(permute, relaxed, &symmetries->symmetry[0], &own);
        }
        for (unsigned s = 0; status == PDB_OK && s < symmetries->count; s++) {
            permute_image(permute, relaxed, &symmetries->symmetry[s], &image);
            division->keeps[set * symmetries->count + s] = memcmp(&own, &image, sizeof own) == 0;
        }
        permute_relaxed_free(relaxed);
    }
    return status;
}

/* The symmetries that keep all parts, kept[PERMUTE_SYMMETRIES_MAX]. One that renames the moves as an earlier one of
 * them does is left out: it takes states to the same images. */
static unsigned find_kept(const struct division *division, const unsigned *part, unsigned parts, uint16_t *kept)
{
    bool seen[PERMUTE_SYMMETRIES_MAX] = {false};
    unsigned count = 0;
    for (unsigned s = 0; s < division->permute->symmetries->count; s++) {
        bool keeps = !seen[division->renaming[s]];
        for (unsigned p = 0; keeps && p < parts; p++)
            keeps = division->keeps[part[p] * division->permute->symmetries->count + s];
        if (!keeps)
            continue;
        seen[division->renaming[s]] = true;
        kept[count++] = (uint16_t)s;
    }
    return count;
}

/* Takes a division, if it is better than those before. */
static void weigh(struct division *division, const unsigned *part, unsigned parts, unsigned first)
{
    const long double in_a_byte = 8.0L / permute_entry_bits(division->permute);
    uint16_t kept[PERMUTE_SYMMETRIES_MAX];
    const unsigned symmetries = find_kept(division, part, parts, kept);
    long double states = 1, others = 0;
    for (unsigned p = 0; p < parts; p++) {
        states *= division->states[part[p]];
        others += p != first ? division->states[part[p]] * (symmetries + division->permute->moves) : 0;
    }
    /* A first that has symmetries has fewer images: of n states about the root of n, to a power of 2. */
    const long double firsts = division->states[part[first]];
    long double root = 1;
    while (root * root < firsts)
        root *= 2;
    const long double entries = states / symmetries * (1 + (symmetries - 1) / root),
                      small = sizeof(uint32_t) *
                              (firsts + (3 + division->permute->moves) * firsts / symmetries + others),
                      cost = entries / in_a_byte + (small > CACHED ? small - CACHED : 0);
    if (symmetries == 1 || states > division->whole * (1 + 1e-12L) || firsts >= STATES_MAX || others >= STATES_MAX ||
        cost >= division->cost)
        return;
    division->parts = parts;
    division->symmetries = symmetries;
    division->entries = entries;
    division->small = small;
    division->cost = cost;
    division->part[0] = part[first];
    for (unsigned p = 0, next = 1; p < parts; p++) {
        if (p == first)
            continue;
        unsigned at = next++; /* the largest comes last: a stretch of entries (fill.c) */
        for (; at > 1 && division->states[division->part[at - 1]] > division->states[part[p]]; at--)
            division->part[at] = division->part[at - 1];
        division->part[at] = part[p];
    }
}

/* Puts the components from this one on into parts, in every way. */
static void divide(struct division *division, unsigned component, unsigned *part, unsigned parts)
{
    if (component == division->components.count) {
        for (unsigned first = 0; parts > 1 && first < parts; first++)
            weigh(division, part, parts, first);
        return;
    }
    for (unsigned p = 0; p <= parts && p < PERMUTE_PARTS_MAX; p++) {
        part[p] = (p < parts ? part[p] : 0) | 1u << component;
        divide(division, component + 1, part, p < parts ? parts : parts + 1);
        part[p] &= ~(1u << component);
    }
}

/* The best division; one part where every state is to have an entry of its own. The caller frees division->keeps. */
static pdb_status find_division(const struct permute *permute, const struct permute_pattern *pattern,
                                struct division *division, pdb_error *error)
{
    unsigned part[PERMUTE_PARTS_MAX] = {0};
    *division = (struct division){.permute = permute, .pattern = pattern, .parts = 1, .symmetries = 1};
    pdb_status status = permute_relaxed_count(permute, pattern, &division->whole, error);
    division->entries = division->whole;
    division->cost = division->whole * permute_entry_bits(permute) / 8;
    if (status != PDB_OK || !permute->puzzle.undoable || !permute->symmetries->all || permute->symmetries->count == 1 ||
        memchr(permute->puzzle.goal, BOARD_OPEN, permute->puzzle.board.places) != NULL)
        return status;
    find_components(permute, pattern, &division->components);
    division->keeps = calloc(SETS, permute->symmetries->count);
    if (division->keeps == NULL)
        return error_no_memory(error, "the parts of a pattern", SETS * (size_t)permute->symmetries->count);
    find_renamings(permute, division->renaming);
    status = look_at_sets(division, error);
    if (status == PDB_OK)
        divide(division, 0, part, 0);
    return status;
}

pdb_status permute_table_size(const struct permute *permute, const struct permute_pattern *pattern,
                              struct permute_table_size *size, pdb_error *error)
{
    struct division division;
    const pdb_status status = find_division(permute, pattern, &division, error);
    *size = (struct permute_table_size){division.whole, division.entries, (uint64_t)division.small,
                                        division.symmetries};
    free(division.keeps);
    return status;
}

pdb_status permute_table_divide(const struct permute *permute, const struct permute_pattern *pattern,
                                struct permute_table *table, const struct permute_symmetry **symmetry, pdb_error *error)
{
    struct division division;
    uint16_t kept[PERMUTE_SYMMETRIES_MAX];
    pdb_status status = find_division(permute, pattern, &division, error);
    for (unsigned p = 0; status == PDB_OK && p < division.parts; p++) {
        struct permute_pattern part = *pattern;
        if (division.parts > 1)
            restrict_pattern(permute, pattern, &division.components, division.part[p], &part);
        status = permute_relax(permute, &part, &table->part[p], error);
        table->parts += status == PDB_OK;
    }
    if (table->parts > 1)
        table->symmetries = find_kept(&division, division.part, division.parts, kept);
    for (unsigned i = 0; i < table->symmetries; i++)
        symmetry[i] = &permute->symmetries->symmetry[kept[i]];
    free(division.keeps);
    return status;
}
