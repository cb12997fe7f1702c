/* test_play.c -- a game without its screen: keys in, boards and words out
 *
 * What a game says of distances is held against the solver itself, and against figures that everybody knows (an
 * 8-puzzle two moves from its goal).
 */
#include "game.h"

#include <string.h>

/* -- a sliding puzzle with one gap -- */

Test(play, arrows_move_a_tile_into_the_gap)
{
    struct game game;
    open_game(&game, "8-puzzle", PDB_AUTO, "123456.78");
    cr_expect(!play_wants(&game.play)); /* a look-up is not put off */
    EXPECT_TEXT(status(&game), "0 moves made; 2 moves to go");
    press(&game, PLAY_LEFT);
    EXPECT_TEXT(board_text(&game), "123456708");
    EXPECT_TEXT(status(&game), "1 move made; 1 move to go");
    press(&game, PLAY_RIGHT); /* 7 goes back: a mistake */
    EXPECT_TEXT(board_text(&game), "123456078");
    EXPECT_TEXT(status(&game), "2 moves made (1 mistake); 2 moves to go");
    press(&game, PLAY_RIGHT); /* nothing is left of the gap */
    EXPECT_NUMBER(game.play.at, 2);
    EXPECT_TEXT(message(&game), "no piece can move right into the gap");
    press(&game, PLAY_LEFT);
    press(&game, PLAY_LEFT);
    EXPECT_TEXT(board_text(&game), "123456780");
    EXPECT_TEXT(status(&game), "Solved in 4 moves; the shortest is 2 (1 mistake)");
    close_game(&game);
}

/* What would give the solution away is hidden until it is asked for, or the game is over. */
Test(play, nothing_is_told_before_it_is_asked_for)
{
    struct game game;
    open_game(&game, "8-puzzle", PDB_AUTO, "123456.78");
    press(&game, 'd');
    EXPECT_TEXT(status(&game), "0 moves made; arrows, Tab and Enter move; d shows distances, b best moves");
    press(&game, PLAY_DOWN);
    EXPECT_TEXT(status(&game), "1 move made"); /* a mistake */
    press(&game, 'd');
    EXPECT_TEXT(status(&game), "1 move made (1 mistake); 3 moves to go");
    press(&game, 'd');
    press(&game, PLAY_UP);
    press(&game, PLAY_LEFT);
    press(&game, PLAY_LEFT);
    EXPECT_TEXT(status(&game), "Solved in 4 moves; the shortest is 2 (1 mistake)");
    close_game(&game);
}

Test(play, moves_are_taken_back_and_made_again)
{
    struct game game;
    open_game(&game, "8-puzzle", PDB_AUTO, "123456.78");
    press(&game, 'u');
    EXPECT_TEXT(message(&game), "there is no move to take back");
    press(&game, PLAY_DOWN);
    press(&game, PLAY_LEFT);
    const char *there = strdup(board_text(&game));
    press(&game, 'u');
    press(&game, 'u');
    EXPECT_TEXT(board_text(&game), "123456078");
    EXPECT_TEXT(status(&game), "0 moves made (2 taken back); 2 moves to go");
    press(&game, 'r');
    EXPECT_TEXT(board_text(&game), "123056478");
    press(&game, 'r');
    EXPECT_TEXT(board_text(&game), there);
    press(&game, 'r');
    EXPECT_TEXT(message(&game), "there is no move to make again");
    press(&game, '0');
    EXPECT_TEXT(board_text(&game), "123456078");
    press(&game, PLAY_LEFT); /* what was taken back is forgotten then */
    press(&game, 'r');
    EXPECT_TEXT(message(&game), "there is no move to make again");
    press(&game, PLAY_LEFT);
    EXPECT_TEXT(status(&game), "Solved in 2 moves: optimal! (4 taken back)");
    free((void *)(uintptr_t)there);
    close_game(&game);
}

Test(play, hints_tell_more_each_time)
{
    struct game game;
    open_game(&game, "8-puzzle", PDB_AUTO, "123456.78");
    press(&game, '!');
    EXPECT_TEXT(message(&game), "ask for a hint first: H, up to three times");
    press(&game, 'H');
    EXPECT_TEXT(message(&game), "2 moves to go");
    cr_expect(!play_hints_at(&game.play, 7));
    press(&game, 'H');
    EXPECT_TEXT(message(&game), "2 moves to go; next: 7");
    cr_expect(play_hints_at(&game.play, 7) && !play_hints_at(&game.play, 3));
    press(&game, 'H');
    EXPECT_TEXT(message(&game), "2 moves to go; next: 7 left (! plays it)");
    press(&game, '!');
    EXPECT_TEXT(board_text(&game), "123456708");
    EXPECT_NUMBER(game.play.hint, 0);
    press(&game, PLAY_LEFT);
    EXPECT_TEXT(status(&game), "Solved in 2 moves: optimal! (1 shown)");
    close_game(&game);
}

/* The solution that is shown is as long as the distance, from a board as far away as there is. */
Test(play, the_solution_is_shown)
{
    struct game game;
    pdb_error error;
    open_game(&game, "8-puzzle", PDB_AUTO, "867254301");
    EXPECT_NUMBER(watch_solution(&game), 31);
    EXPECT_TEXT(status(&game), "Solved in 31 moves: optimal! (31 shown)");
    press(&game, '0');
    press(&game, 's');
    cr_assert(play_tick(&game.play, &error) == PDB_OK);
    press(&game, 'q'); /* any key stops it, and does nothing else */
    EXPECT_NUMBER(game.play.at, 1);
    cr_expect(!game.play.running && !game.play.over);
    close_game(&game);
}

Test(play, random_boards_are_as_far_as_asked_for)
{
    struct game game;
    open_game(&game, "8-puzzle", PDB_AUTO, "start");
    type(&game, "N20");
    EXPECT_TEXT(message(&game), "A random board at distance: 20_");
    press(&game, PLAY_ENTER);
    EXPECT_TEXT(status(&game), "0 moves made; 20 moves to go");
    type(&game, "N19");
    press(&game, PLAY_ENTER);
    EXPECT_TEXT(status(&game), "0 moves made; 19 moves to go");
    type(&game, "N32");
    press(&game, PLAY_ENTER);
    cr_expect(strstr(message(&game), "no board is at distance 32") != NULL, "%s", message(&game));
    char before[PDB_TEXT_MAX];
    strcpy(before, board_text(&game));
    press(&game, 'n');
    cr_expect(strcmp(board_text(&game), before) != 0);
    close_game(&game);
}

/* A board of the wrong half: the game goes on, and says so. */
Test(play, the_goal_may_be_out_of_reach)
{
    struct game game;
    open_game(&game, "8-puzzle", PDB_AUTO, "1234568.7");
    game.play.show_distance = false;
    EXPECT_TEXT(status(&game), "0 moves made; the goal cannot be reached from here");
    press(&game, 'd');
    press(&game, PLAY_LEFT);
    EXPECT_TEXT(status(&game), "1 move made; the goal cannot be reached from here");
    press(&game, 's');
    pdb_error error;
    cr_assert(play_tick(&game.play, &error) == PDB_OK);
    cr_expect(!game.play.running);
    EXPECT_TEXT(message(&game), "no move is known to lead to the goal");
    close_game(&game);
}

/* -- pieces that are held, and clicks -- */

/* Goat's wide piece is one, wherever it is clicked at; four pieces can move at first. */
Test(play, goat_is_played_with_a_mouse)
{
    struct game game;
    open_game(&game, "goat", PDB_AUTO, "start");
    EXPECT_NUMBER(game.play.moves.count, 4);
    click(&game, 0, 0); /* cannot move */
    EXPECT_TEXT(message(&game), "nothing can move here");
    click(&game, 1, 1); /* the gap: four pieces can come */
    EXPECT_TEXT(message(&game), "more than one move leads here: choose a piece, or a move of the list");
    click(&game, 0, 1);
    EXPECT_TEXT(board_text(&game), "1,0,9,10,2,8,7,5,3,8,4,6");
    click(&game, 0, 3); /* the wide piece's right half */
    EXPECT_TEXT(board_text(&game), "1,9,10,0,2,8,7,5,3,8,4,6");
    press(&game, PLAY_UP); /* the sheep */
    EXPECT_TEXT(board_text(&game), "1,9,10,5,2,8,7,0,3,8,4,6");
    press(&game, 0);
    EXPECT_TEXT(status(&game), "3 moves made; 17 moves to go");
    close_game(&game);
}

/* With two gaps a piece is held by Tab and moved by arrows; it stays held. */
Test(play, klotski_pieces_are_held)
{
    struct game game;
    open_game(&game, "klotski-slide", PDB_AUTO, "start");
    EXPECT_TEXT(board_text(&game), "ABBCABBCDEEFDGHFI..J");
    press(&game, PLAY_TAB);
    press(&game, PLAY_TAB);
    press(&game, PLAY_TAB); /* G, H, then I */
    cr_expect(game.play.held == 16, "cell %u", game.play.held);
    EXPECT_TEXT(message(&game), "held: the arrows move it, Tab is the next one, Esc lets go");
    press(&game, PLAY_LEFT);
    EXPECT_TEXT(message(&game), "this piece cannot go there: Tab is the next one, Esc lets go");
    press(&game, PLAY_RIGHT); /* one cell, though two would do */
    EXPECT_TEXT(board_text(&game), "ABBCABBCDEEFDGHF.I.J");
    cr_expect(game.play.held == 17, "cell %u", game.play.held);
    click(&game, 4, 2);
    EXPECT_TEXT(board_text(&game), "ABBCABBCDEEFDGHF..IJ");
    click(&game, 4, 0); /* two cells in one move */
    EXPECT_TEXT(board_text(&game), "ABBCABBCDEEFDGHFI..J");
    press(&game, PLAY_ESCAPE);
    cr_expect(game.play.held == SCENE_NO_CELL && game.play.cursor == 16);
    press(&game, PLAY_UP); /* nothing is held: the cursor goes */
    cr_expect(game.play.cursor == 12);
    EXPECT_TEXT(board_text(&game), "ABBCABBCDEEFDGHFI..J");
    close_game(&game);
}

/* With several gaps a direction alone says nothing, even where all moves are straight. */
Test(play, nothing_moves_before_it_is_held)
{
    struct game game;
    open_game(&game, "rush-hour", PDB_AUTO, "start");
    press(&game, PLAY_UP);
    press(&game, PLAY_RIGHT);
    EXPECT_NUMBER(game.play.at, 0);
    cr_expect(cursor(&game, 0, 2));
    press(&game, PLAY_UP);
    EXPECT_TEXT(message(&game), "the cursor cannot go further up");
    press(&game, PLAY_TAB); /* the car under the cursor */
    press(&game, PLAY_RIGHT);
    EXPECT_TEXT(status(&game), "1 move made (1 mistake); 51 moves to go");
    close_game(&game);
}

/* A knight's ways are no directions: arrows go among the places that it can reach. */
Test(play, knights_go_where_the_cursor_is)
{
    struct game game;
    open_game(&game, "knights", PDB_AUTO, "start");
    press(&game, PLAY_TAB);
    cr_expect(game.play.held == 0);
    press(&game, PLAY_RIGHT);
    cr_expect(cursor(&game, 1, 2));
    press(&game, PLAY_ENTER);
    EXPECT_TEXT(board_text(&game), "..b..b...w.w");
    close_game(&game);
}

Test(play, pegs_jump)
{
    struct game game;
    open_game(&game, "hoppers", PDB_AUTO, "start");
    const pdb_move *first = &game.play.moves.move[0];
    EXPECT_NUMBER(first->from, 0);
    EXPECT_TEXT(first->text, "0-6");
    press(&game, PLAY_TAB);
    cr_expect(game.play.held == 0 && play_offers(&game.play, 0) && !play_offers(&game.play, 1));
    press(&game, PLAY_DOWN); /* the only place to go */
    press(&game, PLAY_ENTER);
    EXPECT_TEXT(board_text(&game), "0110111111111");
    type(&game, "1"); /* the list's first; whatever it is, it takes one peg away */
    EXPECT_NUMBER(game.play.at, 2);
    close_game(&game);
}

/* -- buttons, turns and slots -- */

/* A button of 8-flip changes the cells around it, and not its own. */
Test(play, buttons_are_pressed_where_the_cursor_is)
{
    struct game game;
    open_game(&game, "8-flip", PDB_AUTO, "start");
    cr_expect(cursor(&game, 0, 0));
    press(&game, PLAY_RIGHT);
    press(&game, PLAY_DOWN);
    press(&game, ' ');
    EXPECT_TEXT(board_text(&game), "0001010100011111");
    cr_expect(cursor(&game, 1, 1));
    type(&game, "6"); /* the list's sixth is the same button */
    EXPECT_TEXT(board_text(&game), "1111111111111111");
    close_game(&game);
}

/* Turns have names; one that others begin with waits for what comes next. */
Test(play, turns_are_typed_by_name)
{
    struct game game;
    open_game(&game, "cube-2x2x2-qtm", PDB_SEARCH, "goal");
    cr_expect(game.play.scene.listed);
    type(&game, "R");
    EXPECT_NUMBER(game.play.at, 0);
    EXPECT_TEXT(message(&game), "R_  (Enter takes it)");
    type(&game, "U'");
    EXPECT_NUMBER(game.play.at, 2);
    type(&game, "U");
    press(&game, PLAY_ENTER);
    type(&game, "R'");
    cr_expect(game.play.solved);
    press(&game, PLAY_NEXT_MOVE);
    press(&game, PLAY_NEXT_MOVE);
    EXPECT_NUMBER(game.play.chosen, 1);
    press(&game, PLAY_ENTER);
    cr_expect(!game.play.solved);
    close_game(&game);
}

/* The board is drawn as a chess board, and so is the cursor's world. */
Test(play, queens_are_put_on_squares)
{
    static const unsigned row_column[][2] = {{0, 1}, {1, 3}, {2, 0}, {3, 2}};
    struct game game;
    open_game(&game, "queens-4", PDB_AUTO, "start");
    cr_assert(game.play.scene.sketched && game.play.scene.rows == 4);
    for (unsigned i = 0; i < 4; i++)
        click(&game, row_column[i][0], 2 * row_column[i][1]); /* a blank stands between two squares */
    press(&game, 0);
    EXPECT_TEXT(board_text(&game), "2413");
    EXPECT_TEXT(status(&game), "Solved: every slot is filled");
    close_game(&game);
}

Test(play, values_are_typed)
{
    struct game game;
    open_game(&game, "send-more", PDB_AUTO, "start");
    press(&game, PLAY_DOWN); /* from the S of SEND to the M of MORE, or any other */
    press(&game, PLAY_UP);
    type(&game, "9");
    EXPECT_TEXT(board_text(&game), "9.......");
    type(&game, "bd");
    cr_expect(game.play.weighed);
    unsigned best = 0;
    for (size_t m = 0; m < game.play.moves.count; m++)
        best += play_is_best(&game.play, m);
    EXPECT_NUMBER(best, 7); /* one solution: one value for every letter that is left */
    EXPECT_NUMBER(watch_solution(&game), 7);
    EXPECT_TEXT(board_text(&game), "95671082");
    close_game(&game);
}

/* -- the two functions of the library that games stand on -- */

Test(play, moves_and_goals_by_the_rules_alone)
{
    static const char *const puzzles[] = {"goat",    "klotski",    "knights",  "8-flip",    "lights-out-3x3",
                                          "hoppers", "cube-2x2x2", "queens-6", "send-more", "rush-hour"};
    pdb_error error;
    for (size_t i = 0; i < COUNT(puzzles); i++) {
        struct game game;
        pdb_moves moves = {0};
        pdb_board board;
        open_game(&game, puzzles[i], PDB_AUTO, "start");
        cr_assert(pdb_board_parse(game.puzzle, "start", &board, &error) == PDB_OK);
        cr_expect(!pdb_board_is_goal(game.puzzle, &board), "%s", puzzles[i]);
        cr_assert(pdb_board_moves(game.puzzle, &board, &moves, &error) == PDB_OK);
        cr_expect(moves.count > 0, "%s", puzzles[i]);
        for (size_t m = 0; m < moves.count; m++) {
            const unsigned from = moves.move[m].from, columns = pdb_puzzle_columns(game.puzzle);
            EXPECT_NUMBER(moves.move[m].distance, PDB_NO_DISTANCE);
            cr_expect((from == PDB_NO_CELL) == (strcmp(puzzles[i], "cube-2x2x2") == 0), "%s", puzzles[i]);
            if (from != PDB_NO_CELL)
                cr_expect(pdb_board_at(game.puzzle, &board, from / columns, from % columns) >= 0, "%s: %s", puzzles[i],
                          moves.move[m].text);
        }
        board.symbol[0] = 255;
        cr_expect(pdb_board_moves(game.puzzle, &board, &moves, &error) == PDB_BAD_BOARD);
        cr_expect(!pdb_board_is_goal(game.puzzle, &board));
        pdb_moves_free(&moves);
        close_game(&game);
    }
}
