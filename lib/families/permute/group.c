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
#include "group.h"
#include "lib/random.h"

#include <stdlib.h>
#include <string.h>

enum {
    POINTS_MAX = 1024,
    POOL = 16,
    CHECKS_MAX = 1 << 20,
    STEPS_MAX = 1 << 16 /* of a walk */
};

typedef permute_point point;

/* -- permutations of the points -- */

void permute_group_of_move(const struct permute_group *group, const struct permute_move *move, point *to)
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
    point *back = malloc(2 * group->points * sizeof *back);
    if (back == NULL)
        return error_no_memory(error, "the group of the moves", 2 * group->points * sizeof *back);
    for (unsigned p = 0; p < group->points; p++)
        back[element[p]] = (point)p;
    memcpy(back + group->points, element, group->points * sizeof *element);
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
        permute_group_of_move(group, &permute->move[i % moves], element + i * group->points);
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
        permute_group_of_move(group, &group->permute->move[m], product);
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

/* Checks take long where there are many elements: then what the chain has stays unproven. */
static pdb_status make_chain(struct permute_group *group, bool *whole, pdb_error *error)
{
    long double most = 0;
    pdb_status status = most_elements(group->permute, &most, error);
    while (status == PDB_OK && !group->complete) {
        bool grown = false;
        status = fill(group, most, whole, error);
        if (status != PDB_OK || *whole || group->elements * group->elements > CHECKS_MAX)
            return status;
        status = check_chain(group, &grown, error);
        group->complete = !grown;
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

/* -- positions: which element makes them of the goal? -- */

/* A walk down the chain: level by level an element is chosen that takes the level's place, where the tile of the goal's
 * is from, to a place where the position has such a tile. What is chosen on the levels before moves what a level does,
 * and decides no less about its own place. Where all tiles are different there is one choice at each level. */
struct walk {
    const struct permute_group *group;
    const uint8_t *position;
    const point *chosen[BOARD_MAX_CELLS]; /* NULL: the identity */
    point *element;                       /* the first that is found, unless NULL */
    unsigned wanted, found;
    unsigned steps;
};

/* Where the elements chosen on the levels before this one take a point. */
static point go_on(const struct walk *walk, unsigned level, point at)
{
    while (level-- > 0)
        at = walk->chosen[level] == NULL ? at : walk->chosen[level][at];
    return at;
}

/* Does what the goal has at home fit what the position has where that has gone? */
static bool fits_there(const struct walk *walk, unsigned home, point gone)
{
    const struct permute_group *group = walk->group;
    const struct permute *permute = group->permute;
    const uint8_t wanted = permute->puzzle.goal[home];
    unsigned place = home;
    if (wanted == BOARD_OPEN)
        return true;
    while (group->first[place] > gone)
        place--;
    while (group->first[place + 1] <= gone)
        place++;
    const uint8_t there = walk->position[place];
    return permute->tile_of[there] == permute->tile_of[wanted] &&
           (permute->twist_of[wanted] + gone - group->first[place] - permute->twist_of[there]) %
                   permute->modulus[place] ==
               0;
}

static void walk_down(struct walk *walk, unsigned level)
{
    const struct permute_group *group = walk->group;
    if (level == group->levels) {
        for (unsigned p = 0; walk->element != NULL && walk->found == 0 && p < group->points; p++)
            walk->element[p] = go_on(walk, level, (point)p);
        walk->found++;
        return;
    }
    for (unsigned p = 0; p < group->points && walk->found < walk->wanted && walk->steps < STEPS_MAX; p++) {
        const point *back = group->back[(size_t)level * group->points + p];
        if ((back == NULL && p != group->first[level]) || !fits_there(walk, level, go_on(walk, level, (point)p)))
            continue;
        walk->steps++;
        walk->chosen[level] = back == NULL ? NULL : back + group->points;
        walk_down(walk, level + 1);
    }
}

/* How many elements make a position of the goal: as many as are wanted, if there are so many. *all: there are no
 * more. */
static unsigned find_elements(const struct permute_group *group, const uint8_t *position, unsigned wanted,
                              point *element, bool *all)
{
    struct walk walk = {.group = group, .position = position, .element = element, .wanted = wanted};
    walk_down(&walk, 0);
    *all = walk.found < wanted && walk.steps < STEPS_MAX;
    return walk.found;
}

enum group_answer permute_group_reaches(const struct permute_group *group, const uint8_t *position, point *element)
{
    bool all;
    if (find_elements(group, position, 1, element, &all) > 0)
        return GROUP_REACHES;
    return all && group->complete ? GROUP_REACHES_NOT : GROUP_UNKNOWN;
}

bool permute_group_tells_apart(const struct permute_group *group)
{
    bool all;
    return find_elements(group, group->permute->puzzle.goal, 2, NULL, &all) == 1 && all;
}
