/* test_symmetry.c -- symmetries of permutation puzzles: of known puzzles as many as are known; of random ones as many
 * as a search through all renamings of their places finds; and each keeps moves and goals */
#include "lib/families/permute/symmetry.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* On boards of a random walk: the image of a move is the renamed move of the image. */
static void check_images(const struct permute *permute, const struct permute_symmetries *symmetries, uint64_t *random)
{
    const size_t places = permute->puzzle.board.places;
    uint8_t at[BOARD_MAX_CELLS], next[BOARD_MAX_CELLS], image[BOARD_MAX_CELLS], expected[BOARD_MAX_CELLS],
        next_image[BOARD_MAX_CELLS];
    memcpy(at, permute->puzzle.goal, places);
    permute_symmetry_image(permute, &symmetries->symmetry[0], at, image);
    cr_assert_arr_eq(image, at, places, "the first is the identity");
    for (unsigned s = 0; s < symmetries->count; s++) {
        permute_symmetry_image(permute, &symmetries->symmetry[s], at, image);
        cr_assert(permute->puzzle.family->position.is_goal(&permute->puzzle, image));
    }
    for (unsigned steps = 0; steps < 30; steps++) {
        const unsigned m = (unsigned)random_below(random, permute->moves);
        permute_apply(permute, m, at, next);
        for (unsigned s = 0; s < symmetries->count; s++) {
            const struct permute_symmetry *symmetry = &symmetries->symmetry[s];
            permute_symmetry_image(permute, symmetry, at, image);
            permute_symmetry_image(permute, symmetry, next, next_image);
            permute_apply(permute, symmetry->move[m], image, expected);
            cr_assert_arr_eq(next_image, expected, places);
        }
        memcpy(at, next, places);
    }
}

/* Symmetries made one after the other are symmetries, told by their images of one board. */
static void check_group(const struct permute *permute, const struct permute_symmetries *symmetries, uint64_t *random)
{
    const size_t places = permute->puzzle.board.places;
    uint8_t at[BOARD_MAX_CELLS], next[BOARD_MAX_CELLS], first[BOARD_MAX_CELLS], both[BOARD_MAX_CELLS];
    memcpy(at, permute->puzzle.goal, places);
    for (unsigned steps = 0; steps < 20; steps++) {
        permute_apply(permute, (unsigned)random_below(random, permute->moves), at, next);
        memcpy(at, next, places);
    }
    for (unsigned s = 0; s < symmetries->count * symmetries->count; s++) {
        permute_symmetry_image(permute, &symmetries->symmetry[s / symmetries->count], at, first);
        permute_symmetry_image(permute, &symmetries->symmetry[s % symmetries->count], first, both);
        unsigned found = 0;
        for (; found < symmetries->count; found++) {
            permute_symmetry_image(permute, &symmetries->symmetry[found], at, next);
            if (memcmp(next, both, places) == 0)
                break;
        }
        cr_assert(found < symmetries->count, "%s: number %u", permute->puzzle.name, s);
    }
}

static void check_symmetries(const char *name, unsigned count, uint64_t *random)
{
    struct puzzle *puzzle = built_in(name);
    const struct permute_symmetries *symmetries = ((struct permute *)puzzle)->symmetries;
    cr_assert(symmetries->all && symmetries->count == count, "%s: %u", name, symmetries->count);
    check_images((struct permute *)puzzle, symmetries, random);
    if (symmetries->count <= 48)
        check_group((struct permute *)puzzle, symmetries, random);
    puzzle_free(puzzle);
}

/* 48 of the cube; six of the small one, whose corner that stays may be looked at from three sides, and in a mirror; 24
 * of the pyraminx and the Skewb, as of a tetrahedron; diagonal-slide's four lines through the middle change places and
 * turn round, 4! * 2^4. */
Test(permute_symmetry, known)
{
    static const struct {
        const char *name;
        unsigned count;
    } known[] = {{"cube-3x3x3", 48}, {"cube-2x2x2", 6}, {"cube-2x2x2-qtm", 6},   {"pyraminx", 24},
                 {"topspin-10", 2},  {"pancakes-8", 1}, {"diagonal-slide", 384}, {"skewb", 24}};
    uint64_t random = 5;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        check_symmetries(known[i].name, known[i].count, &random);
}

/* Of a solid's symmetries those count that leave the piece where it is that stays: 48 of the cube and twelve edges, 16
 * of a box and four pieces in its middle, or eight corners. Of the flat box the two middles may change names besides,
 * for whatever moves one moves the other. The megaminx has all 120 of its own. */
Test(permute_symmetry, example_files)
{
    static const struct {
        const char *name;
        unsigned count;
    } known[] = {{"dino", 48 / 12},         {"domino-2x2x3", 16 / 4}, {"domino-3x3x2", 2 * 16 / 8},
                 {"megaminx-corners", 120}, {"pancakes-20", 1},       {"topspin-20", 2}};
    const char *examples = getenv("PDB_EXAMPLES");
    uint64_t random = 5;
    cr_assert(examples != NULL);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/puzzles/%s.yaml", examples, known[i].name);
        check_symmetries(path, known[i].count, &random);
    }
}

/* -- all renamings of the places -- */

/* Is there a move that does to renamed places what `move` does to places? */
static bool has_renamed(const struct permute *permute, const struct permute_move *move, const unsigned *name)
{
    for (unsigned n = 0; n < permute->moves; n++) {
        bool same = true;
        for (unsigned place = 0; same && place < permute->puzzle.board.places; place++)
            same = permute->move[n].to[name[place]] == name[move->to[place]];
        if (same)
            return true;
    }
    return false;
}

/* Counts renamings, by trial of all n! of them (places that never move keep their names). */
static unsigned count_renamings(const struct permute *permute, unsigned *name, unsigned known, unsigned taken)
{
    const unsigned places = permute->puzzle.board.places;
    unsigned count = 0;
    if (known == places) {
        for (unsigned m = 0; m < permute->moves; m++)
            if (!has_renamed(permute, &permute->move[m], name))
                return 0;
        return 1;
    }
    bool still = true;
    for (unsigned m = 0; m < permute->moves; m++)
        still = still && permute->move[m].to[known] == known;
    for (unsigned to = 0; to < places; to++)
        if (!(taken >> to & 1) && (!still || to == known)) {
            name[known] = to;
            count += count_renamings(permute, name, known + 1, taken | 1u << to);
        }
    return count;
}

/* A puzzle of one row with random cycles. All tiles are different, so any renaming of the places names them; no two
 * moves are alike, so it names the moves as well. */
static struct puzzle *random_puzzle(unsigned places, uint64_t *random)
{
    char text[1000], *end = text;
    end += sprintf(end, "puzzle: t\nfamily: permute\nplaces:");
    for (unsigned i = 0; i < places; i++)
        end += sprintf(end, " %u", i + 1);
    end += sprintf(end, "\ngenerators:\n");
    const unsigned generators = 1 + (unsigned)random_below(random, 3);
    for (unsigned g = 0; g < generators; g++) {
        unsigned place[8];
        const unsigned length = 2 + g; /* of its own: no power of another one */
        for (unsigned i = 0; i < places; i++)
            place[i] = i + 1;
        end += sprintf(end, "  g%u: (", g);
        for (unsigned i = 0; i < length; i++) {
            const unsigned other = i + (unsigned)random_below(random, places - i), kept = place[i];
            place[i] = place[other];
            place[other] = kept;
            end += sprintf(end, " %u", place[i]);
        }
        end += sprintf(end, ")\n");
    }
    return make_puzzle(text);
}

Test(permute_symmetry, all_renamings)
{
    uint64_t random = 11;
    for (unsigned round = 0; round < 60; round++) {
        unsigned name[8];
        struct puzzle *puzzle = random_puzzle(4 + round % 4, &random);
        const struct permute *permute = (const struct permute *)puzzle;
        const unsigned expected = count_renamings(permute, name, 0, 0), found = permute->symmetries->count;
        cr_assert(permute->symmetries->all && found == expected, "round %u: %u, not %u", round, found, expected);
        check_images(permute, permute->symmetries, &random);
        puzzle_free(puzzle);
    }
}

/* Twelve pairs that one move exchanges: a renaming of it may send each to every other, either way round, and the tiles
 * allow for few of that. It is given up in time, with what was found. */
Test(permute_symmetry, too_many_to_try)
{
    char text[1000], *end = text;
    end += sprintf(end, "puzzle: t\nfamily: permute\nplaces:");
    for (unsigned i = 1; i <= 24; i++)
        end += sprintf(end, " p%u", i);
    end += sprintf(end, "\nboard:");
    for (unsigned i = 0; i < 12; i++)
        end += sprintf(end, " t%u t%u", i % 5, (i * i + 1) % 7);
    end += sprintf(end, "\ngenerators:\n  x: ");
    for (unsigned i = 1; i <= 24; i += 2)
        end += sprintf(end, "(p%u p%u)", i, i + 1);
    sprintf(end, "\n");
    struct puzzle *puzzle = make_puzzle(text);
    const struct permute_symmetries *symmetries = ((struct permute *)puzzle)->symmetries;
    uint64_t random = 3;
    uint8_t image[BOARD_MAX_CELLS];
    cr_expect(!symmetries->all && symmetries->count >= 1);
    cr_expect(!puzzle->family->index.image(puzzle, puzzle->goal, 1, image), "a part of them is no group");
    check_images((struct permute *)puzzle, symmetries, &random);
    puzzle_free(puzzle);
}

/* A goal that asks for three of a cube's corners: others turn as they like, and the symmetries found are no group. */
Test(permute_symmetry, tiles_that_are_not_asked_for)
{
    struct puzzle *puzzle = make_puzzle("puzzle: t\nfamily: permute\nplaces: a b c d e f\ntwists: 3\n"
                                        "goal: a b * * * *\ngenerators:\n  U: (a b c d)\n  R: (a+2 d+1 e+2 f+1)\n");
    const struct permute_symmetries *symmetries = ((struct permute *)puzzle)->symmetries;
    cr_expect(!symmetries->all);
    puzzle_free(puzzle);
}
