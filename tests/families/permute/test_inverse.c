/* test_inverse.c -- what patterns see of the inverse of a position, worked out by sums, is what they see of the
 * position that the inverse moves make; and which puzzles have inverses */
#include "lib/families/permute/search/inverse.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct permute *permute_of(const struct puzzle *puzzle)
{
    return (const struct permute *)puzzle;
}

/* Views of one pattern by way of some symmetries. */
static void make_views(const struct permute *permute, const char *text, struct permute_views *views)
{
    struct permute_patterns patterns = {0};
    size_t offset;
    pdb_error error;
    *views = (struct permute_views){.permute = permute, .tables = 1};
    cr_assert(permute_parse_patterns(permute, text, &patterns, &offset, &error) == PDB_OK, "%s", error.message);
    cr_assert(permute_table_make(permute, &patterns.pattern[0], &views->table[0], &error) == PDB_OK, "%s: %s", text,
              error.message);
    const struct permute_symmetries *symmetries = permute->symmetries;
    for (unsigned s = 0; s < symmetries->count && views->views < 4; s += 1 + symmetries->count / 5)
        views->view[views->views++] = (struct permute_view){
            .table = &views->table[0], .symmetry = &symmetries->symmetry[s], .move = symmetries->symmetry[s].move};
}

static unsigned inverse_of(const struct permute *permute, unsigned move)
{
    struct permute_move inverse;
    unsigned n = 0;
    permute_invert(permute, &permute->move[move], &inverse);
    while (!permute_same_effect(permute, &permute->move[n], &inverse))
        n++;
    return n;
}

enum { STEPS = 40 };

static void check_walk(const struct permute *permute, const struct permute_views *views,
                       const struct permute_inverse *inverse, uint64_t *random)
{
    const size_t places = permute->puzzle.board.places;
    struct permute_inverse_states states[PERMUTE_VIEWS_MAX];
    struct permute_coordinates at[PERMUTE_PARTS_MAX];
    uint8_t position[2][BOARD_MAX_CELLS], turned[2][BOARD_MAX_CELLS], seen[BOARD_MAX_CELLS], slot[2][BOARD_MAX_CELLS],
        placed[BOARD_MAX_CELLS];
    unsigned move[STEPS];
    memcpy(position[0], permute->puzzle.goal, places);
    permute_inverse_place(inverse, permute, position[0], slot[0]);
    for (unsigned steps = 0; steps < STEPS; steps++) {
        const unsigned now = steps % 2;
        move[steps] = (unsigned)random_below(random, permute->moves);
        permute_apply(permute, move[steps], position[now], position[!now]);
        permute_inverse_step(inverse, slot[now], move[steps], slot[!now]);
        permute_inverse_place(inverse, permute, position[!now], placed);
        cr_assert_arr_eq(slot[!now], placed, places);
        memcpy(turned[0], permute->puzzle.goal, places);
        for (unsigned i = 0; i <= steps; i++)
            permute_apply(permute, inverse_of(permute, move[steps - i]), turned[i % 2], turned[1 - i % 2]);
        permute_inverse_look(inverse, placed, states);
        cr_assert(inverse->views == views->views);
        for (unsigned v = 0; v < views->views; v++) {
            permute_symmetry_image(permute, views->view[v].symmetry, turned[(steps + 1) % 2], seen);
            cr_assert(permute_table_place(views->view[v].table, seen, at));
            cr_assert(permute_inverse_entry(views->view[v].table, &states[v]) ==
                      permute_table_entry(views->view[v].table, at));
        }
    }
}

static void check_inverse(struct puzzle *puzzle, const char *text, bool has_inverse)
{
    struct permute_views views;
    struct permute_inverse *inverse;
    pdb_error error;
    uint64_t random = 88172645463325252;
    make_views(permute_of(puzzle), text, &views);
    cr_assert(permute_inverse_make(&views, &inverse, &error) == PDB_OK, "%s", error.message);
    cr_assert((inverse != NULL) == has_inverse, "%s", puzzle->name);
    for (unsigned walk = 0; inverse != NULL && walk < 5; walk++)
        check_walk(permute_of(puzzle), &views, inverse, &random);
    permute_inverse_free(inverse);
    permute_table_free(&views.table[0]);
    puzzle_free(puzzle);
}

Test(permute_inverse, known)
{
    check_inverse(built_in("cube-3x3x3"), "(FR FL BL BR) +URF +UF ~", true);
    check_inverse(built_in("cube-3x3x3"), "(URF ULB DLF DRB) (UF UB DF DB) (UR UL DR DL) ~", true);
    check_inverse(built_in("skewb"), "(UFL UBR) (U D) +UFL +UFR ~", true);
    check_inverse(built_in("cube-3x3x3"), "(FR FL BL BR) +URF +UF", false); /* not a bounded table */
}

/* A ring of six with twists and one of four that a reflection exchanges; a goal with tiles turned and elsewhere; and
 * tiles that are alike, which have no inverses. */
#define RINGS(names, more, turns)                                                                                      \
    "puzzle: rings\nfamily: permute\nplaces: a b c d e f u v w x\ntwists:\n  3: a b c d e f\nturns: " turns            \
    "\ngenerators:\n  L: (a b+1 c+2)(u v)\n  R: (f e+1 d+2)(x w)\n  T: (c d)(v w)\n" names more

Test(permute_inverse, made)
{
    static const char pattern[] = "(c d) (a b e f) +a (u x) ~";
    check_inverse(make_puzzle(RINGS("", "", "all")), pattern, true);
    check_inverse(make_puzzle(RINGS("", "goal: b+1 a c+2 d+2 f e+1 u v w x\n", "all")), pattern, true);
    check_inverse(make_puzzle(RINGS("board: a b c d e f u v v u\n", "goal: a b c d e f u v v u\n", "all")),
                  "(c d) (a b e f) +a (u) ~", false);
}
