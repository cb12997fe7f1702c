/* main.c -- pdb-query: how far a board is from the goal, and which moves are best */
#include "answer.h"
#include "common/signals.h"
#include "query/play/screen.h"
#include "common/streams.h"
#include "lib/clock.h"
#include "lib/error.h"
#include "lib/team.h"

#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What is random is so each time, unless it is to be had again. */
static uint64_t seed_of(const struct options *options)
{
    struct timespec time;
    if (options->seeded)
        return options->seed;
    clock_gettime(CLOCK_REALTIME, &time);
    return (uint64_t)time.tv_sec * 1000000007u ^ (uint64_t)time.tv_nsec << 20 ^ (uint64_t)getpid();
}

/* A game begins at the board that is given, else at the one named "start", else at any. */
static pdb_status play_game(const struct session *session, struct play_screen *screen, pdb_error *error)
{
    const uint64_t seed = seed_of(session->options);
    struct play play = {0};
    pdb_board *boards;
    uint32_t distance;
    int count = 0;
    pdb_status status = boards_read(session, &boards, &count, error);
    if (status == PDB_BAD_BOARD && session->options->boards == 0 && !session->asked.searches)
        status = pdb_solver_random(session->asked.solver, PDB_NO_DISTANCE, seed, boards, &distance, error);
    if (status == PDB_OK && count > 1)
        status = error_set(error, PDB_BAD_USAGE, "--play begins at one board, not at %d", count);
    if (status == PDB_OK)
        status = play_begin(&play, &session->asked.drawing, session->asked.solver, &boards[0], seed, error);
    if (status == PDB_OK)
        status = play_screen_run(screen, &play, error);
    play_end(&play);
    free(boards);
    return status;
}

static bool from_standard_input(const struct options *options)
{
    return options->from != NULL ||
           (options->question != ASK_PLAY && options->boards == 1 && strcmp(options->board[0], "-") == 0);
}

/* Every line has its own puzzle: of this kind, whose names end after a colon. */
static bool lines_are_puzzles(const struct options *options)
{
    const size_t length = strlen(options->puzzle);
    return from_standard_input(options) && length > 0 && options->puzzle[length - 1] == ':';
}

/* The file of boards becomes standard input. */
static pdb_status open_lines(const char *path, pdb_error *error)
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || dup2(file, STDIN_FILENO) < 0)
        return error_set(error, PDB_IO, "%s: %m", path);
    close(file);
    return PDB_OK;
}

static pdb_status answer_lines(struct session *session, pdb_status *worst, pdb_error *error)
{
    if (session->options->question != ASK_BOARDS)
        return error_set(error, PDB_BAD_USAGE, "%s -: of many puzzles their boards alone are asked about",
                         session->options->puzzle);
    session->asked.searches = true; /* they are worked on one by one */
    return stream_answer(session, worst, error);
}

static pdb_status answer(const struct session *session, pdb_status *worst, pdb_error *error)
{
    const bool enumerated = pdb_puzzle_enumerated(session->asked.puzzle), json = session->options->json;
    switch (session->options->question) {
    case ASK_HARDEST:
        if (session->options->set)
            return boards_set(session, 0, error);
        return (enumerated ? items_hardest : boards_hardest)(session, worst, error);
    case ASK_RANDOM:
        if (session->options->set)
            return boards_set(session, seed_of(session->options), error);
        return (enumerated ? items_random : boards_random)(session, seed_of(session->options), error);
    case ASK_HISTOGRAM:
        if (json)
            return json_histogram(&session->asked, stdout, error);
        if (session->options->svg)
            svg_histogram(&session->asked, stdout);
        else
            text_histogram(session, stdout);
        return PDB_OK;
    case ASK_INFO:
        if (json)
            return json_info(&session->asked, stdout, error);
        text_info(session, stdout);
        return PDB_OK;
    default:
        if (from_standard_input(session->options))
            return stream_answer(session, worst, error);
        return (enumerated ? questions_answer : boards_answer)(session, worst, error);
    }
}

/* Seconds that a board which is to be drawn waits for its distance. */
static const double drawn_after = 3;

/* A search that reports and can be interrupted; many boards at once report nothing. */
static pdb_options solver_options(const struct options *options, struct query_progress *progress)
{
    pdb_options solver = options->solver;
    const bool stream = from_standard_input(options);
    query_progress_begin(progress, stream ? PROGRESS_OFF : options->progress);
    if (boards_drawn_alone(options))
        progress->until = clock_now() + drawn_after;
    solver.observe = query_progress_observe;
    solver.context = progress;
    solver.whole = options->question == ASK_HARDEST || options->question == ASK_HISTOGRAM ||
                   (options->question == ASK_RANDOM && (options->distance != PDB_NO_DISTANCE || options->set));
    if (stream)
        solver.threads = 1; /* boards are shared out among the cores, each with one */
    return solver;
}

/* Loads the puzzle, and fits to it how its solver is opened and how progress is told. */
static pdb_status load(const struct options *options, pdb_options *how, struct query_progress *progress,
                       pdb_puzzle **puzzle, pdb_error *error)
{
    pdb_status status = pdb_puzzle_load(options->puzzle, puzzle, error);
    if (status != PDB_OK)
        return status;
    const bool enumerated = pdb_puzzle_enumerated(*puzzle);
    progress->puzzle = *puzzle;
    if (enumerated && options->question == ASK_HINT)
        return error_set(error, PDB_BAD_USAGE, "%s is a puzzle without moves and has no hints: leave --hint out",
                         pdb_puzzle_name(*puzzle));
    if (enumerated && options->question == ASK_PLAY)
        return error_set(error, PDB_BAD_USAGE, "%s is a puzzle without moves: there is nothing to play",
                         pdb_puzzle_name(*puzzle));
    if (enumerated && (options->paths > 0 || options->first))
        return error_set(
            error, PDB_BAD_USAGE,
            "%s is a puzzle without moves: --path=N and --first are about moves, ask for --path or --count",
            pdb_puzzle_name(*puzzle));
    if (enumerated && options->bounds)
        return error_set(error, PDB_BAD_USAGE, "%s is a puzzle without moves: there are no bounds of boards",
                         pdb_puzzle_name(*puzzle));
    if (enumerated && options->set)
        return error_set(error, PDB_BAD_USAGE, "%s is a puzzle without moves: there are no sets of boards",
                         pdb_puzzle_name(*puzzle));
    if (enumerated && options->sheet.file != NULL)
        return error_set(error, PDB_BAD_USAGE, "%s is a puzzle without boards: a --sheet would have none",
                         pdb_puzzle_name(*puzzle));
    if (enumerated && options->svg && options->question != ASK_HISTOGRAM)
        return error_set(error, PDB_BAD_USAGE, "%s is a puzzle without boards: --svg draws its --histogram only",
                         pdb_puzzle_name(*puzzle));
    if (enumerated)
        how->threads = options->solver.threads; /* nothing is shared out yet while it is worked out */
    if (pdb_puzzle_unordered(*puzzle) && options->question == ASK_RANDOM)
        how->whole = true; /* few assignments can be completed */
    return PDB_OK;
}

/* Colours are for a terminal that has them, unless NO_COLOR (https://no-color.org) or --ascii says otherwise. */
static bool wants_colour(const struct options *options)
{
    const char *none = getenv("NO_COLOR");
    if (options->colour != COLOUR_AUTO)
        return options->colour == COLOUR_ALWAYS;
    return !options->ascii && (none == NULL || *none == '\0') && terminal_draws(STDOUT_FILENO);
}

pdb_status session_open(const struct options *options, const pdb_puzzle *puzzle, const pdb_options *how,
                        pdb_solver **solver, pdb_error *error)
{
    const bool facts = options->question == ASK_INFO;
    const bool bounds = options->bounds && options->question == ASK_BOARDS && !options->path && options->paths == 0 &&
                        !options->count;
    pdb_options narrowed = *how;
    pdb_status status;
    if (how->method != PDB_AUTO || !(facts || bounds)) {
        status = pdb_solver_open(puzzle, how, solver, error);
        const bool none = status == PDB_NO_DATABASE || status == PDB_TOO_LARGE || status == PDB_NO_MEMORY ||
                          (status == PDB_INTERRUPTED && !interrupt_waits());
        return none && boards_drawn_alone(options) ? PDB_OK : status;
    }
    narrowed.method = PDB_DATABASE;
    status = pdb_solver_open(puzzle, &narrowed, solver, error);
    if (status != PDB_NO_DATABASE)
        return status;
    narrowed.method = PDB_SEARCH;
    return facts ? PDB_OK : pdb_solver_open(puzzle, &narrowed, solver, error);
}

void session_ask(const struct options *options, const pdb_puzzle *puzzle, const pdb_solver *solver, struct asked *asked)
{
    *asked = (struct asked){.path = options->path,
                            .paths = options->paths,
                            .count = options->count,
                            .bounds = options->bounds,
                            .first = options->first,
                            .hint = options->hint,
                            .form = options->json                                 ? FORM_JSON
                                    : options->svg || options->sheet.file != NULL ? FORM_SVG
                                                                                  : FORM_TEXT};
    asked_begin(asked, puzzle, solver);
    drawing_begin(&asked->drawing, puzzle, options->ascii);
    asked->drawing.colour = wants_colour(options);
    asked->drawing.width = terminal_columns(STDOUT_FILENO);
    asked->drawing.legend = isatty(STDOUT_FILENO);
    if (options->question != ASK_PLAY)
        draw_bars(&asked->drawing);
}

/* Loads, opens, answers. *worst is what became of the boards, where all went well besides. */
static pdb_status run(const struct options *options, pdb_status *worst, pdb_error *error)
{
    const bool game = options->question == ASK_PLAY;
    struct query_progress progress;
    struct play_screen screen;
    struct session session = {
        .options = options,
        .progress = &progress,
        .threads = from_standard_input(options) ? team_threads(options->solver.threads) : 1,
    };
    pdb_puzzle *puzzle = NULL;
    pdb_solver *solver = NULL;
    pdb_status status = options->from != NULL ? open_lines(options->from, error) : PDB_OK;
    pdb_options how = solver_options(options, &progress);
    interrupt_hold(false);
    if (status == PDB_OK && lines_are_puzzles(options))
        return answer_lines(&session, worst, error);
    if (game) { /* it has a screen of its own, which shows searches too, and takes signals before there are threads */
        play_screen_prepare(&screen, &progress);
        how.observe = play_screen_observe;
        how.context = &screen;
        status = play_screen_check(error);
    }
    if (status == PDB_OK)
        status = load(options, &how, &progress, &puzzle, error);
    if (status == PDB_OK)
        status = session_open(options, puzzle, &how, &solver, error);
    query_progress_end(&progress);
    if (status == PDB_OK) {
        session_ask(options, puzzle, solver, &session.asked);
        if (!session.asked.searches && !game)
            interrupt_release();
        if (options->numbers && !draw_numbers(&session.asked.drawing))
            status = error_set(error, PDB_BAD_USAGE, "--numbers: moves of %s call no cell by a name",
                               pdb_puzzle_name(puzzle));
    }
    if (status == PDB_OK) {
        status = game ? play_game(&session, &screen, error) : answer(&session, worst, error);
    }
    query_progress_end(&progress); /* of a search that failed */
    pdb_solver_close(solver);
    pdb_puzzle_free(puzzle);
    return status;
}

int main(int argc, char **argv)
{
    struct options options;
    pdb_error error;
    pdb_status worst = PDB_OK;
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): there are no threads yet */
    setlocale(LC_CTYPE, "C.UTF-8"); /* boards are UTF-8 wherever they are shown */
    streams_prepare();
    bus_error_explain();
    pdb_status status = PDB_OK;
    const enum arguments_outcome outcome = query_options_read(argc, argv, &options, &error);
    if (outcome == ARGUMENTS_WRONG)
        status = error.status;
    else if (outcome == ARGUMENTS_READ)
        status = run(&options, &worst, &error);
    if (status == PDB_OK)
        status = streams_finish(&error);
    if (status == PDB_IO && streams_reader_left())
        return EXIT_SUCCESS;
    if (status != PDB_OK) {
        fprintf(stderr, "pdb-query: %s\n", error.message);
        return error_exit_code(status);
    }
    return error_exit_code(worst);
}
