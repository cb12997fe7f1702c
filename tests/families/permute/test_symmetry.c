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

/* 48 of the cube; six of the small one, whose corner that stays may be looked at from three sides, and in a mirror; 24
 * of the pyraminx; diagonal-slide's four lines through the middle change places and turn round, 4! * 2^4. */
Test(permute_symmetry, known)
{
    static const struct {
        const char *name;
        unsigned count;
    } known[] = {{"cube-3x3x3", 48}, {"cube-2x2x2", 6}, {"cube-2x2x2-qtm", 6},  {"pyraminx", 24},
                 {"topspin-10", 2},  {"pancakes-8", 1}, {"diagonal-slide", 384}};
    uint64_t random = 5;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct puzzle *puzzle = built_in(known[i].name);
        const struct permute_symmetries *symmetries = ((struct permute *)puzzle)->symmetries;
        cr_assert(symmetries->all && symmetries->count == known[i].count, "%s: %u", known[i].name, symmetries->count);
        check_images((struct permute *)puzzle, symmetries, &random);
        puzzle_free(puzzle);
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
