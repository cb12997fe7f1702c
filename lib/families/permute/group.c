/* group.c -- the group that the moves generate: its order, and which positions it takes to the goal
 *
 * The group acts on points: a place with a twist. Level l of a *stabilizer chain* has, for every point that the
 * elements that keep the places 0 .. l-1 untwisted take place l (untwisted) to, one such element. Every element of the
 * group is the product of one element of each level, in one way, so the order is the product of the levels' sizes. To
 * *sift* a permutation is to undo, level by level, where it takes the level's place; what is in the group ends as the
 * identity. (C. Sims, 1970; D. Knuth, "Efficient representation of perm groups", 1991.)
 *
 * The levels are filled by sifting random elements. What the orbits' invariants say (permute_count, all tiles taken as
 * different) is never less than the order: once the chain has reached that, both are proven. Otherwise the group is
 * smaller, and the chain is complete if, and only if, products of its elements with those of the same and later levels
 * sift to the identity.
 */
#include "lib/families/permute/search/search.h"
#include "lib/random.h"

#include <stdlib.h>
#include <string.h>

enum { POINTS_MAX = 1024, POOL = 16, CHECKS_MAX = 1 << 20 };

typedef uint16_t point;

struct permute_group {
    const struct permute *permute;
    unsigned levels, points;
    point first[BOARD_MAX_CELLS + 1]; /* the point of each place, untwisted */
    point **back;                     /* [level * points + point]: an element's inverse, or NULL */
    unsigned size[BOARD_MAX_CELLS];   /* of each level, the identity counted */
    size_t elements;                  /* of all levels, it not counted */
    long double order;
};

/* -- permutations of the points -- */

static void from_move(const struct permute_group *group, const struct permute_move *move, point *to)
{
    for (unsigned place = 0; place < group->levels; place++) {
        const unsigned modulus = group->permute->modulus[place];
        for (unsigned twist = 0; twist < modulus; twist++)
            to[group->first[place] + twist] = (point)(group->first[move->to[place]] +
                                                      (twist + move->twist[place]) % modulus);
    }
}

/* a, then b; `both` may be a, but not b. */
static void multiply(const struct permute_group *group, const point *a, const point *b, point *both)
{
    for (unsigned p = 0; p < group->points; p++)
        both[p] = b[a[p]];
}

/* The level at which a permutation leaves the chain; `levels` where it sifts to the identity. It is used up. */
static unsigned sift(const struct permute_group *group, point *element)
{
    for (unsigned level = 0; level < group->levels; level++) {
        /* The level's element that takes its place where this one does is undone; then the place is kept. */
        const point base = group->first[level], image = element[base];
        const point *back = group->back[(size_t)level * group->points + image];
        if (image == base)
            continue;
        if (back == NULL)
            return level;
        multiply(group, element, back, element);
    }
    return group->levels;
}

/* Sifts an element of the group; what is left of it completes the chain by one. *grown says whether. */
static pdb_status add_element(struct permute_group *group, point *element, bool *grown, pdb_error *error)
{
    const unsigned level = sift(group, element);
    *grown = level < group->levels;
    if (!*grown)
        return PDB_OK;
    point *back = malloc(group->points * sizeof *back);
    if (back == NULL)
        return error_no_memory(error, "the group of the moves", group->points * sizeof *back);
    for (unsigned p = 0; p < group->points; p++)
        back[element[p]] = (point)p;
    group->back[(size_t)level * group->points + element[group->first[level]]] = back;
    group->elements++;
    group->order = group->order / group->size[level] * (group->size[level] + 1);
    group->size[level]++;
    return PDB_OK;
}

/* -- the order that the invariants leave -- */

/* permute_count of the same puzzle with all tiles different. */
static pdb_status most_elements(const struct permute *permute, long double *most, pdb_error *error)
{
    struct permute *different = malloc(sizeof *different);
    if (different == NULL)
        return error_no_memory(error, "the group of the moves", sizeof *different);
    *different = *permute;
    permute_orbits_forget(different);
    for (unsigned place = 0; place < permute->puzzle.board.places; place++) {
        different->tile_of[place] = different->board[place] = different->puzzle.goal[place] = (uint8_t)place;
        different->twist_of[place] = 0;
    }
    pdb_status status = permute_orbits_find(different, error);
    *most = status == PDB_OK ? permute_count(different) : 0;
    permute_orbits_free(different);
    free(different);
    return status;
}

/* -- the chain -- */

/* Random elements by product replacement (F. Celler and others, 1995), until none of many grew the chain, or it has
 * reached the order `most`. */
static pdb_status fill(struct permute_group *group, long double most, bool *whole, pdb_error *error)
{
    const struct permute *permute = group->permute;
    const unsigned moves = permute->moves, pool = moves > POOL ? moves : POOL;
    const size_t points = (pool + 1) * (size_t)group->points;
    point *element = malloc(points * sizeof *element);
    pdb_status status = PDB_OK;
    uint64_t seed = 1;
    if (element == NULL)
        return error_no_memory(error, "the group of the moves", points * sizeof *element);
    point *copy = element + pool * group->points;
    for (unsigned i = 0; i < pool; i++)
        from_move(group, &permute->move[i % moves], element + i * group->points);
    *whole = group->order > most * 0.99L;
    for (unsigned idle = 0; status == PDB_OK && !*whole && idle < 100 + 24 * group->points; idle++) {
        const size_t a = random_below(&seed, pool), b = random_below(&seed, pool);
        bool grown;
        if (a == b)
            continue;
        /* One element of the pool is replaced by its product with another, and that product is sifted. */
        multiply(group, element + a * group->points, element + b * group->points, element + a * group->points);
        memcpy(copy, element + a * group->points, group->points * sizeof *copy);
        status = add_element(group, copy, &grown, error);
        if (status == PDB_OK && grown) {
            idle = 0;
            *whole = group->order > most * 0.99L;
        }
    }
    free(element);
    return status;
}

/* Checks that the chain is complete, or grows it by what is missing first (*grown). */
static pdb_status check_chain(struct permute_group *group, bool *grown, pdb_error *error)
{
    const size_t slots = (size_t)group->levels * group->points;
    point *product = malloc(group->points * sizeof *product);
    pdb_status status = product != NULL ? PDB_OK : error_no_memory(error, "the group", group->points);
    *grown = false;
    /* The moves have to be in it. */
    for (unsigned m = 0; status == PDB_OK && !*grown && m < group->permute->moves; m++) {
        from_move(group, &group->permute->move[m], product);
        status = add_element(group, product, grown, error);
    }
    /* And products of its elements, with one of the same level or a later one, both ways round. The inverses, which are
     * what is kept, generate what the elements do. */
    for (size_t a = 0; status == PDB_OK && !*grown && a < slots; a++)
        for (size_t b = a / group->points * group->points; status == PDB_OK && !*grown && b < slots; b++)
            for (int turned = 0; status == PDB_OK && !*grown && turned < 2; turned++) {
                const point *first = group->back[turned ? b : a], *second = group->back[turned ? a : b];
                if (first == NULL || second == NULL)
                    break;
                multiply(group, first, second, product);
                status = add_element(group, product, grown, error);
            }
    free(product);
    return status;
}

/* Can one element be told to take a position to the goal? */
static bool has_one_goal(const struct permute *permute)
{
    bool seen[BOARD_MAX_SYMBOLS] = {false};
    for (unsigned place = 0; place < permute->puzzle.board.places; place++) {
        const uint8_t symbol = permute->puzzle.goal[place];
        if (symbol == BOARD_OPEN || seen[permute->tile_of[symbol]])
            return false;
        seen[permute->tile_of[symbol]] = true;
    }
    return true;
}

static pdb_status make_chain(struct permute_group *group, bool *whole, pdb_error *error)
{
    long double most = 0;
    bool grown = true;
    pdb_status status = most_elements(group->permute, &most, error);
    while (status == PDB_OK && grown) {
        status = fill(group, most, whole, error);
        if (status != PDB_OK || *whole)
            return status;
        if (group->elements * group->elements > CHECKS_MAX || !has_one_goal(group->permute))
            return error_set(error, PDB_NO_DATABASE,
                             "%s: the generators make a smaller group than their parities and twists say, so a search "
                             "cannot tell which boards reach the goal",
                             group->permute->puzzle.name);
        status = check_chain(group, &grown, error);
    }
    return status;
}

pdb_status permute_group_make(const struct permute *permute, struct permute_group **out, pdb_error *error)
{
    struct permute_group *group = calloc(1, sizeof *group);
    bool whole = false;
    *out = NULL;
    if (group == NULL)
        return error_no_memory(error, "the group of the moves", sizeof *group);
    group->permute = permute;
    group->levels = permute->puzzle.board.places;
    group->order = 1;
    for (unsigned place = 0; place < group->levels; place++) {
        group->first[place + 1] = (point)(group->first[place] + permute->modulus[place]);
        group->size[place] = 1;
    }
    group->points = group->first[group->levels];
    pdb_status status = PDB_OK;
    if (group->levels > BOARD_MAX_SYMBOLS || group->points > POINTS_MAX)
        status = error_set(error, PDB_NO_DATABASE, "%s: a search is for boards of up to %d places and twists",
                           permute->puzzle.name, POINTS_MAX);
    else if ((group->back = calloc((size_t)group->levels * group->points, sizeof *group->back)) == NULL)
        status = error_no_memory(error, "the group of the moves", group->levels * group->points * sizeof(point *));
    if (status == PDB_OK)
        status = make_chain(group, &whole, error);
    if (status == PDB_OK && !whole)
        *out = group;
    else
        permute_group_free(group);
    return status;
}

void permute_group_free(struct permute_group *group)
{
    if (group == NULL)
        return;
    for (size_t i = 0; group->back != NULL && i < (size_t)group->levels * group->points; i++)
        free(group->back[i]);
    free(group->back);
    free(group);
}

bool permute_group_reaches(const struct permute_group *group, const uint8_t *position)
{
    const struct permute *permute = group->permute;
    uint8_t home[BOARD_MAX_SYMBOLS] = {0};
    struct permute_move move;
    point element[POINTS_MAX];
    for (unsigned place = 0; place < group->levels; place++)
        home[permute->tile_of[permute->puzzle.goal[place]]] = (uint8_t)place;
    for (unsigned place = 0; place < group->levels; place++) {
        const unsigned modulus = permute->modulus[place];
        const uint8_t to = home[permute->tile_of[position[place]]];
        move.to[place] = to;
        move.twist[place] = (uint8_t)((permute->twist_of[permute->puzzle.goal[to]] + modulus -
                                       permute->twist_of[position[place]]) %
                                      modulus);
    }
    from_move(group, &move, element);
    return sift(group, element) == group->levels;
}
