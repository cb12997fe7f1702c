/* test_cube.c -- lengths of the 3x3x3 cube's solutions, held against a cube of its own: a search from both ends over
 * stickers in space, which shares nothing with the library but the names of turns
 *
 * The rules. A piece is where its first sticker is: one of 24 spots of corners or of edges, a spot being the middle of
 * the piece and the side that it is seen from. A turn of a face takes every spot on it a quarter around, clockwise as
 * seen from outside. So a state is 20 spots, five bits each.
 */
#include "lib/search/board/search.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CORNERS = 8, PIECES = 20, SPOTS = 24, FACES = 6, TURNS = 3 * FACES, NEAR = 5 };

typedef unsigned __int128 cube_key;

struct vector {
    int at[3];
};

struct cube {
    struct vector middle[2][SPOTS], side[2][SPOTS]; /* of corners' spots and edges' */
    uint8_t to[2][TURNS][SPOTS];                    /* where turns take them: U, U2, U', R, .. */
    uint8_t home[PIECES];
    size_t count; /* the states that NEAR turns lead to, sorted */
    cube_key *near;
};

static const char *const faces = "URFDLB";

/* -- turns -- */

static struct vector outward(unsigned face)
{
    static const struct vector normals[FACES] = {{{0, 1, 0}},  {{1, 0, 0}},  {{0, 0, 1}},
                                                 {{0, -1, 0}}, {{-1, 0, 0}}, {{0, 0, -1}}};
    return normals[face];
}

static int product(struct vector a, struct vector b)
{
    return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2];
}

/* A quarter around the face's axis: what lies along it stays, the rest is the vector product with it. */
static struct vector quarter(struct vector v, unsigned face)
{
    const struct vector n = outward(face);
    const int along = product(v, n);
    struct vector out;
    for (unsigned i = 0; i < 3; i++) {
        const unsigned j = (i + 1) % 3, k = (i + 2) % 3;
        out.at[i] = along * n.at[i] + v.at[j] * n.at[k] - v.at[k] * n.at[j];
    }
    return out;
}

static bool same(struct vector a, struct vector b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static uint8_t find_spot(const struct cube *cube, unsigned kind, struct vector middle, struct vector side)
{
    uint8_t spot = 0;
    while (!same(cube->middle[kind][spot], middle) || !same(cube->side[kind][spot], side))
        cr_assert(++spot < SPOTS);
    return spot;
}

static void make_spots(struct cube *cube)
{
    unsigned count[2] = {0}, pieces[2] = {0};
    for (int n = 0; n < 27; n++) {
        const struct vector middle = {{n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1}};
        const int sides = product(middle, middle);
        if (sides < 2)
            continue;
        const unsigned kind = sides == 2;
        cube->home[kind * CORNERS + pieces[kind]++] = (uint8_t)count[kind];
        for (unsigned face = 0; face < FACES; face++)
            if (product(middle, outward(face)) > 0) {
                cube->middle[kind][count[kind]] = middle;
                cube->side[kind][count[kind]++] = outward(face);
            }
    }
}

static void make_turns(struct cube *cube)
{
    for (unsigned kind = 0; kind < 2; kind++)
        for (unsigned turn = 0; turn < TURNS; turn++)
            for (unsigned spot = 0; spot < SPOTS; spot++) {
                struct vector middle = cube->middle[kind][spot], side = cube->side[kind][spot];
                for (unsigned n = 0; n <= turn % 3 && product(middle, outward(turn / 3)) > 0; n++) {
                    middle = quarter(middle, turn / 3);
                    side = quarter(side, turn / 3);
                }
                cube->to[kind][turn][spot] = find_spot(cube, kind, middle, side);
            }
}

static void turn_cube(const struct cube *cube, unsigned turn, const uint8_t *from, uint8_t *to)
{
    for (unsigned piece = 0; piece < PIECES; piece++)
        to[piece] = cube->to[piece >= CORNERS][turn][from[piece]];
}

/* -- the search -- */

static cube_key key_of(const uint8_t *state)
{
    cube_key key = 0;
    for (unsigned piece = 0; piece < PIECES; piece++)
        key = key << 5 | state[piece];
    return key;
}

static int compare_keys(const void *a, const void *b)
{
    const cube_key left = *(const cube_key *)a, right = *(const cube_key *)b;
    return (left > right) - (left < right);
}

/* Told of a state; true ends the walk. */
typedef bool visitor(struct cube *cube, const uint8_t *state);

/* All states that so many turns lead to: no face twice in a row, and of two opposite ones (three apart in the order of
 * names) not the latter first. */
static bool walk(struct cube *cube, const uint8_t *state, unsigned turns, unsigned last, visitor *visit)
{
    uint8_t next[PIECES];
    if (turns == 0)
        return visit(cube, state);
    for (unsigned turn = 0; turn < TURNS; turn++) {
        const unsigned face = turn / 3;
        if (face == last || face + 3 == last)
            continue;
        turn_cube(cube, turn, state, next);
        if (walk(cube, next, turns - 1, face, visit))
            return true;
    }
    return false;
}

static bool is_near(struct cube *cube, const uint8_t *state)
{
    const cube_key key = key_of(state);
    return bsearch(&key, cube->near, cube->count, sizeof key, compare_keys) != NULL;
}

static bool is_solved(struct cube *cube, const uint8_t *state)
{
    return memcmp(state, cube->home, PIECES) == 0;
}

static bool keep(struct cube *cube, const uint8_t *state)
{
    cube->near[cube->count++] = key_of(state);
    return false;
}

static void find_near(struct cube *cube)
{
    enum { ROOM = TURNS * TURNS * TURNS * TURNS * TURNS };
    size_t kept = 0;
    cube->near = checked_memory(ROOM, sizeof(cube_key));
    walk(cube, cube->home, NEAR, FACES + 3, keep);
    qsort(cube->near, cube->count, sizeof(cube_key), compare_keys);
    for (size_t i = 0; i < cube->count; i++)
        if (i == 0 || cube->near[i] != cube->near[kept - 1])
            cube->near[kept++] = cube->near[i];
    cube->count = kept;
}

static unsigned distance_of(struct cube *cube, const uint8_t *state)
{
    for (unsigned distance = 0; distance < NEAR; distance++)
        if (walk(cube, state, distance, FACES + 3, is_solved))
            return distance;
    unsigned beyond = 0;
    while (!walk(cube, state, beyond, FACES + 3, is_near))
        beyond++;
    return NEAR + beyond;
}

/* -- tests -- */

static void make_cube(struct cube *cube)
{
    make_spots(cube);
    make_turns(cube);
    find_near(cube);
}

static struct searcher *make_searcher(const struct puzzle *puzzle)
{
    struct searcher *searcher = NULL;
    pdb_error error;
    const struct search_options options = {.threads = 1};
    cr_assert(search_make(puzzle->family->single.searcher, puzzle, &options, &searcher, &error) == PDB_OK, "%s",
              error.message);
    return searcher;
}

static uint32_t length_of(const struct searcher *searcher, const char *scramble)
{
    uint8_t position[BOARD_MAX_CELLS];
    struct search_answer answer;
    pdb_error error;
    cr_assert(puzzle_parse(searcher->puzzle, scramble, position, &error) == PDB_OK, "%s", error.message);
    cr_assert(search_solve(searcher, position, PDB_NO_DISTANCE, NULL, NULL, &answer, &error) == PDB_OK, "%s",
              error.message);
    free(answer.path);
    return answer.distance;
}

/* Random turns, typed as a person types them and performed on the test's own cube. */
static void check_walks(unsigned turns, unsigned boards, uint64_t seed)
{
    static const char *const exponents[] = {"", "2", "'"};
    struct cube *cube = checked_memory(1, sizeof *cube);
    struct puzzle *puzzle = built_in("cube-3x3x3");
    struct searcher *searcher = make_searcher(puzzle);
    cube->count = 0;
    make_cube(cube);
    for (unsigned board = 0; board < boards; board++) {
        uint8_t state[PIECES], next[PIECES];
        char scramble[200] = "U U'", *end = scramble + strlen(scramble);
        memcpy(state, cube->home, PIECES);
        for (unsigned i = 0; i < turns; i++) {
            const unsigned turn = (unsigned)random_below(&seed, TURNS);
            end += sprintf(end, " %c%s", faces[turn / 3], exponents[turn % 3]);
            turn_cube(cube, turn, state, next);
            memcpy(state, next, PIECES);
        }
        const uint32_t length = length_of(searcher, scramble);
        cr_expect(length == distance_of(cube, state), "%u moves: %s", length, scramble);
    }
    search_free(searcher);
    puzzle_free(puzzle);
    free(cube->near);
    free(cube);
}

Test(permute_cube, short_walks)
{
    for (unsigned turns = 0; turns < (share() == 1 ? 8 : 7); turns++)
        check_walks(turns, 3, turns);
}

Test(permute_cube, walks)
{
    check_walks(9, 40, 1);
    check_walks(11, 40, 2);
}

Test(permute_cube, long_walks)
{
    check_walks(13, 6, 3);
}
