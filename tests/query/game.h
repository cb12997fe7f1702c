/* game.h -- a game without its screen: keys and clicks in, boards and words out */
#ifndef TESTS_QUERY_GAME_H
#define TESTS_QUERY_GAME_H

#include "query/play/play.h"
#include "tests/support/support.h"

struct game {
    pdb_puzzle *puzzle;
    pdb_solver *solver;
    struct play play;
};

/* Nobody's database is of interest. */
static inline void open_game(struct game *game, const char *puzzle, pdb_method method, const char *text)
{
    const pdb_options options = {.directory = "/nonexistent", .method = method, .threads = 2};
    struct drawing drawing;
    pdb_error error;
    pdb_board board;
    cr_assert(pdb_puzzle_load(puzzle, &game->puzzle, &error) == PDB_OK, "%s", error.message);
    cr_assert(pdb_solver_open(game->puzzle, &options, &game->solver, &error) == PDB_OK, "%s", error.message);
    cr_assert(pdb_board_parse(game->puzzle, text, &board, &error) == PDB_OK, "%s", error.message);
    drawing_begin(&drawing, game->puzzle, false);
    cr_assert(play_begin(&game->play, &drawing, game->solver, &board, 1, &error) == PDB_OK, "%s", error.message);
    game->play.show_distance = !game->play.searches; /* most tests are about what a game knows */
}

static inline void close_game(struct game *game)
{
    play_end(&game->play);
    pdb_solver_close(game->solver);
    pdb_puzzle_free(game->puzzle);
}

static inline void find_what_is_wanted(struct game *game)
{
    pdb_error error;
    while (play_wants(&game->play))
        cr_assert(play_find(&game->play, &error) == PDB_OK, "%s", error.message);
}

/* One key, and all that is wanted afterwards. */
static inline void press(struct game *game, int key)
{
    pdb_error error;
    cr_assert(play_key(&game->play, key, &error) == PDB_OK, "%s", error.message);
    find_what_is_wanted(game);
}

/* The solution is asked for, and watched to its end; how many moves it has. */
static inline unsigned watch_solution(struct game *game)
{
    pdb_error error;
    unsigned ticks = 0;
    press(game, 's');
    for (; game->play.running && ticks < 100; ticks++) {
        cr_assert(play_tick(&game->play, &error) == PDB_OK, "%s", error.message);
        find_what_is_wanted(game);
    }
    return ticks;
}

static inline void type(struct game *game, const char *keys)
{
    for (; *keys != '\0'; keys++)
        press(game, *keys);
}

static inline void click(struct game *game, unsigned row, unsigned column)
{
    pdb_error error;
    cr_assert(play_click(&game->play, row * game->play.scene.columns + column, &error) == PDB_OK, "%s", error.message);
}

static inline const char *board_text(const struct game *game)
{
    static char text[PDB_TEXT_MAX];
    pdb_board_format(game->puzzle, &game->play.step[game->play.at].board, text);
    return text;
}

static inline const char *status(const struct game *game)
{
    static char text[PLAY_TEXT_MAX];
    play_status(&game->play, text);
    return text;
}

static inline const char *message(const struct game *game)
{
    static char text[PLAY_TEXT_MAX];
    play_message(&game->play, text);
    return text;
}

/* Where the cursor is; the cell's number in the board. */
static inline unsigned cursor(const struct game *game, unsigned row, unsigned column)
{
    return game->play.cursor == row * game->play.scene.columns + column;
}

#endif
