/* test_play_search.c -- games of puzzles whose distances are searched for: when that is, and what is said of it */
#include "game.h"

#include <string.h>

/* Nothing is searched for before it is wanted; a solution that was found serves for the boards along it. */
Test(play, searches_are_made_when_they_are_wanted)
{
    struct game game;
    open_game(&game, "8-puzzle", PDB_SEARCH, "867254301");
    cr_assert(game.play.searches);
    cr_expect(!play_wants(&game.play));
    EXPECT_TEXT(status(&game), "0 moves made; arrows, Tab and Enter move; d shows distances, b best moves");
    type(&game, "d");
    EXPECT_TEXT(status(&game), "0 moves made; 31 moves to go");
    type(&game, "HHH!");
    cr_expect(game.play.line != NULL && game.play.line_at == 1);
    EXPECT_TEXT(status(&game), "1 move made (1 shown); 30 moves to go");
    press(&game, 'u'); /* its distance is known, the solution has to be found again */
    type(&game, "HH");
    cr_expect(strstr(message(&game), "31 moves to go; next: ") != NULL, "%s", message(&game));
    EXPECT_NUMBER(watch_solution(&game), 31);
    EXPECT_TEXT(status(&game), "Solved in 31 moves: optimal! (31 shown, 1 taken back)");
    close_game(&game);
}

/* At the end the shortest solution is searched for, though nothing was before. */
Test(play, a_solution_is_judged_after_a_search)
{
    struct game game;
    open_game(&game, "8-puzzle", PDB_SEARCH, "123456.78");
    press(&game, PLAY_DOWN);
    press(&game, PLAY_UP);
    press(&game, PLAY_LEFT);
    EXPECT_TEXT(status(&game), "3 moves made");
    press(&game, PLAY_LEFT);
    EXPECT_TEXT(status(&game), "Solved in 4 moves; the shortest is 2");
    close_game(&game);
}

static bool stop_at_once(void *context, uint32_t bound, uint64_t nodes)
{
    (void)bound;
    (void)nodes;
    return ++*(unsigned *)context == 0;
}

/* A search that is stopped: the game goes on, the search does not begin again by itself. */
Test(play, a_search_may_be_stopped)
{
    unsigned asked = 0;
    const pdb_options options = {.directory = "/nonexistent", .threads = 1, .observe = stop_at_once, .context = &asked};
    struct drawing drawing;
    struct game game;
    pdb_board board;
    pdb_error error;
    cr_assert(pdb_puzzle_load("24-puzzle", &game.puzzle, &error) == PDB_OK);
    cr_assert(pdb_solver_open(game.puzzle, &options, &game.solver, &error) == PDB_OK, "%s", error.message);
    cr_assert(pdb_board_parse(game.puzzle, "start", &board, &error) == PDB_OK);
    drawing_begin(&drawing, game.puzzle, false);
    cr_assert(play_begin(&game.play, &drawing, game.solver, &board, 1, &error) == PDB_OK);
    press(&game, 'd');
    cr_expect(asked > 0 && game.play.stopped);
    EXPECT_TEXT(status(&game), "0 moves made; the distance is not known: the search was stopped");
    const unsigned before = asked;
    press(&game, PLAY_TAB);
    EXPECT_NUMBER(asked, before);
    press(&game, 'n'); /* many moves at random, as good as any */
    EXPECT_NUMBER(game.play.at, 0);
    cr_expect(asked > before);
    type(&game, "N3");
    press(&game, PLAY_ENTER);
    EXPECT_TEXT(message(&game), "not all boards are known here: 'pdb-gen 24-puzzle' may find them");
    close_game(&game);
}
