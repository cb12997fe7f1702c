/* test_keyed_covers.c -- puzzles numbered by keys: boards are covered that moves lead to, and no others */
#include "tests/families/slide/far_model.h"

#include "pdb.h"

#include <stdio.h>
#include <string.h>

/* Every arrangement of the pieces: covered or not, and how far from the goal. */
static void check_covers(const pdb_puzzle *puzzle, const struct far_spec *spec, const char *const *starts)
{
    struct far_table *known = far_solve(spec, starts), *all = far_solve(spec, NULL);
    const pdb_options options = {.method = PDB_SEARCH, .whole = true, .threads = 2};
    pdb_solver *solver = NULL;
    pdb_error error;
    size_t covered = 0;
    cr_assert(pdb_solver_open(puzzle, &options, &solver, &error) == PDB_OK, "%s", error.message);
    for (size_t i = 0; i < far_count(all); i++) {
        if (!is_shared(far_count(all), i))
            continue;
        const struct far_board board = far_board_at(all, i);
        const int expected = far_distance(known, &board);
        char text[FAR_TEXT];
        pdb_board parsed;
        uint32_t distance;
        far_text(all, &board, (unsigned)i, text);
        cr_assert(pdb_board_parse(puzzle, text, &parsed, &error) == PDB_OK, "%s", error.message);
        error = (pdb_error){.status = PDB_OK};
        const pdb_status status = pdb_solver_covers(solver, &parsed, &error);
        cr_assert(status == (expected == FAR_UNKNOWN ? PDB_BAD_BOARD : PDB_OK) && status == error.status, "%s: %d",
                  text, (int)status);
        cr_assert(status == PDB_OK || strstr(error.message, "no moves lead to this board") != NULL);
        covered += status == PDB_OK;
        cr_assert(pdb_solver_distance(solver, &parsed, 1, &distance, &error) == PDB_OK);
        cr_assert(distance == (expected < 0 ? PDB_NO_DISTANCE : (uint32_t)expected), "%s: %u, not %d", text, distance,
                  expected);
    }
    cr_expect(covered > 0 && (!is_shared(far_count(all), 1) || covered == far_count(known)), "%zu", covered);
    fprintf(stderr, "%s: %zu of %zu arrangements covered, %zu of them can reach the goal\n", spec->board, covered,
            far_count(all), far_reachable(known));
    cr_expect(covered < far_count(all), "every board is covered: this proves little");
    pdb_info info;
    pdb_solver_info(solver, &info);
    EXPECT_NUMBER(info.reachable, far_reachable(known));
    EXPECT_NUMBER(info.max, far_max(known) < 0 ? 0 : far_max(known));
    pdb_solver_close(solver);
    far_free(known);
    far_free(all);
}

Test(keyed, covers_klotski)
{
    static const char *const starts[] = {"A B B C/A B B C/D E E F/D G H F/I . . J", NULL};
    pdb_puzzle *puzzle = load_puzzle("klotski");
    check_covers(puzzle, &far_klotski, starts);
    pdb_puzzle_free(puzzle);
}

Test(keyed, covers_named_boards)
{
    static const struct far_spec spec = {
        .board = "1 2 3 . A A/. # # # # .", .goal = "* * * * * */. # # # # .", .large = "A", .slide = true};
    static const char *const one[] = {"1 2 3 . A A/. # # # # .", NULL},
                             *const two[] = {"1 2 3 . A A/. # # # # .", "2 1 A A . 3/. # # # # .", NULL},
                             *const alike[] = {"1 2 3 . A A/. # # # # .", "1 2 3 A A ./. # # # # .", NULL};
    const char *const *const lists[] = {one, two, alike};
    for (size_t i = 0; i < COUNT(lists); i++) {
        struct puzzle *puzzle = far_keyed_puzzle(&spec, lists[i], true);
        const pdb_puzzle asked = catalog_with_moves(puzzle);
        check_covers(&asked, &spec, lists[i]);
        puzzle_free(puzzle);
    }
}

/* Named boards of which no goal can be reached: an error when they stand alone, and no distance when they stand beside
 * one of which it can. */
Test(keyed, boards_without_a_goal)
{
    static const struct far_spec spec = {.board = "1 2 3 . 4", .goal = "2 1 * * *", .slide = true};
    static const char *const lost[] = {"1 2 3 . 4", NULL}, *const both[] = {"1 2 3 . 4", "2 1 4 3 .", NULL};
    const pdb_options options = {.method = PDB_SEARCH, .whole = true, .threads = 1};
    struct puzzle *puzzle = far_keyed_puzzle(&spec, lost, true);
    pdb_puzzle asked = catalog_with_moves(puzzle);
    pdb_solver *solver = NULL;
    pdb_error error = {.status = PDB_OK};
    const pdb_status status = pdb_solver_open(&asked, &options, &solver, &error);
    cr_expect(status != PDB_OK && status == error.status && solver == NULL && strstr(error.message, "goal") != NULL,
              "%d: '%s'", (int)status, error.message);
    puzzle_free(puzzle);
    puzzle = far_keyed_puzzle(&spec, both, true);
    asked = catalog_with_moves(puzzle);
    check_covers(&asked, &spec, both);
    puzzle_free(puzzle);
}
