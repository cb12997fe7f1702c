/* boards.c -- answers about boards: those of the command line, the hardest ones, a random one */
#include "answer.h"
#include "common/signals.h"
#include "lib/memory/array.h"
#include "lib/error.h"

#include <stdlib.h>
#include <string.h>

/* -- the command line -- */

/* A single board may have been typed without quotes, cell by cell or row by row: if the first word is no board, but all
 * of them together are, that is what was meant; and if the first is much shorter than a board, that is what the
 * complaint is about. */
static pdb_status read_joined(const struct session *session, pdb_board *board, pdb_error *error)
{
    const struct options *options = session->options;
    char joined[PDB_TEXT_MAX], goal[PDB_TEXT_MAX];
    size_t length = 0;
    pdb_error cause;
    for (int i = 0; i < options->boards && length < sizeof joined; i++)
        length += (size_t)snprintf(joined + length, sizeof joined - length, "%s ", options->board[i]);
    if (options->boards == 1 || length >= sizeof joined)
        return PDB_BAD_BOARD;
    const pdb_status status = board_read(&session->asked, joined, board, &cause);
    pdb_puzzle_goal(session->asked.puzzle, goal);
    if (status != PDB_OK && (status != PDB_BAD_BOARD || 2 * strlen(options->board[0]) <= strlen(goal)))
        *error = cause;
    return status;
}

pdb_status boards_read(const struct session *session, pdb_board **boards, int *count, pdb_error *error)
{
    const int given = session->options->boards;
    *count = given > 0 ? given : 1;
    *boards = calloc((size_t)*count, sizeof **boards);
    if (*boards == NULL)
        return error_no_memory(error, "the boards", (size_t)*count * sizeof **boards);
    pdb_status status = given == 0 ? board_read(&session->asked, "start", *boards, error) : PDB_OK;
    for (int i = 0; status == PDB_OK && i < given; i++) {
        status = board_read(&session->asked, session->options->board[i], &(*boards)[i], error);
        if (status != PDB_BAD_BOARD || i > 0)
            continue;
        status = read_joined(session, *boards, error);
        *count = 1;
        return status;
    }
    return status;
}

/* -- answers -- */

bool boards_drawn_alone(const struct options *options)
{
    return options->svg && options->question == ASK_BOARDS && options->solver.method == PDB_AUTO && !options->path &&
           options->paths == 0 && !options->count;
}

/* How far the board is, and what else is said before its moves are looked into. */
static pdb_status find(const struct session *session, struct finding *finding, pdb_status *worst, pdb_error *error)
{
    const struct options *options = session->options;
    const bool start = options->boards == 0 && (options->question == ASK_BOARDS || options->question == ASK_HINT);
    const bool known = session->asked.solver != NULL;
    pdb_status status = known ? finding_begin(&session->asked, finding, error) : PDB_INTERRUPTED;
    if (status == PDB_INTERRUPTED && boards_drawn_alone(options) && (!known || !interrupt_waits())) {
        finding->unsolved = true;
        return PDB_OK;
    }
    if (finding->unsolved)
        return status;
    if (status == PDB_OK && start) /* of which the puzzle's name may say something, and of no other board */
        status = pdb_solver_claims(session->asked.solver, options->puzzle, &finding->board, finding->solution.distance,
                                   error);
    if (status == PDB_OK && !options->json)
        status = finding_count_soon(&session->asked, finding, error);
    if (status == PDB_OK && finding->solution.distance == PDB_NO_DISTANCE)
        *worst = PDB_UNREACHABLE;
    return status;
}

/* A distance is told as soon as it is proven: to look into moves may take a search for each of them. */
static pdb_status tell_distance(const struct session *session, const struct finding *finding, pdb_error *error)
{
    query_progress_end(session->progress);
    text_found(session, finding, stdout);
    return fflush(stdout) == 0 ? PDB_OK : error_set(error, PDB_IO, "standard output: %m");
}

/* The rest of what is asked for. Where that is interrupted, JSON has what there is, and text has told the distance. */
static pdb_status end_search(const struct session *session, struct finding *finding, pdb_error *error)
{
    pdb_error cause;
    session->progress->distance = finding->unsolved ? PDB_NO_DISTANCE : finding->solution.distance;
    const pdb_status status = finding_end(&session->asked, finding, error);
    session->progress->distance = PDB_NO_DISTANCE;
    if (status != PDB_INTERRUPTED)
        return status;
    if (session->options->json && json_finding(&session->asked, finding, stdout, &cause) != PDB_OK)
        return error_set(error, cause.status, "%s", cause.message);
    cause = *error;
    return error_set(error, status, "%s%s", cause.message,
                     !finding->unmoved        ? ""
                     : session->options->json ? " (--hint looks into none)"
                                              : " (--hint and --path look into none)");
}

static pdb_status answer_board(const struct session *session, const pdb_board *board, pdb_status *worst,
                               pdb_error *error)
{
    const bool hint = session->options->question == ASK_HINT, text = !session->options->json && !hint;
    struct finding finding = {.board = *board};
    pdb_status status = find(session, &finding, worst, error);
    if (status == PDB_OK && text && session->asked.searches)
        status = tell_distance(session, &finding, error);
    if (status == PDB_OK)
        status = end_search(session, &finding, error);
    query_progress_end(session->progress);
    if (status == PDB_OK && text && !session->asked.searches)
        text_found(session, &finding, stdout);
    if (status == PDB_OK && text)
        status = text_rest(session, &finding, stdout, error);
    else if (status == PDB_OK && !session->options->json)
        text_hint(session, &finding, stdout);
    else if (status == PDB_OK)
        status = (hint ? json_hint : json_finding)(&session->asked, &finding, stdout, error);
    finding_free(&finding);
    return status;
}

/* What is drawn of a board: what was found out about it, or each of its solutions. */
static pdb_status add_findings(const struct session *session, const pdb_board *board, struct finding **findings,
                               size_t *count, pdb_status *worst, pdb_error *error)
{
    struct finding finding = {.board = *board};
    pdb_status status = find(session, &finding, worst, error);
    if (status == PDB_OK && !finding.unsolved)
        status = finding_end(&session->asked, &finding, error);
    if (status == PDB_OK && session->asked.paths > 0 && finding.solution.distance != PDB_NO_DISTANCE) {
        status = paths_collect(&session->asked, &finding, findings, count, error);
        finding_free(&finding);
        return status;
    }
    struct finding *grown = status == PDB_OK ? array_grow(*findings, *count, sizeof *grown) : NULL;
    if (grown == NULL) {
        finding_free(&finding);
        return status != PDB_OK ? status : error_no_memory(error, "the boards", *count * sizeof *grown);
    }
    *findings = grown;
    grown[(*count)++] = finding;
    return PDB_OK;
}

/* All boards in one picture, or on one sheet. */
static pdb_status draw_findings(const struct session *session, const pdb_board *boards, size_t count, pdb_status *worst,
                                pdb_error *error)
{
    struct finding *findings = NULL;
    size_t found = 0;
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < count; i++)
        status = add_findings(session, &boards[i], &findings, &found, worst, error);
    query_progress_end(session->progress);
    if (status == PDB_OK)
        status = session->options->sheet.file != NULL
                     ? paper_print(&session->asked, findings, found, &session->options->sheet, error)
                     : svg_findings(&session->asked, findings, found, stdout, error);
    for (size_t i = 0; i < found; i++)
        finding_free(&findings[i]);
    free(findings);
    return status;
}

pdb_status boards_answer_all(const struct session *session, const pdb_board *boards, size_t count, pdb_status *worst,
                             pdb_error *error)
{
    pdb_status status = PDB_OK;
    if (session->asked.form == FORM_SVG)
        return draw_findings(session, boards, count, worst, error);
    for (size_t i = 0; status == PDB_OK && i < count; i++) {
        if (i > 0 && !session->options->json)
            putchar('\n');
        status = answer_board(session, &boards[i], worst, error);
    }
    return status;
}

pdb_status boards_answer(const struct session *session, pdb_status *worst, pdb_error *error)
{
    pdb_board *boards;
    int count = 0;
    pdb_status status = boards_read(session, &boards, &count, error);
    if (status == PDB_OK)
        status = boards_answer_all(session, boards, (size_t)count, worst, error);
    free(boards);
    return status;
}

/* -- the puzzle as a whole -- */

pdb_status boards_hardest(const struct session *session, pdb_status *worst, pdb_error *error)
{
    struct hardest hardest;
    pdb_status status = hardest_find(&session->asked, session->options->hardest, &hardest, error);
    if (status == PDB_OK &&
        (session->options->path || session->options->paths > 0 || session->options->count || session->options->bounds))
        status = boards_answer_all(session, hardest.board, hardest.count, worst, error);
    else if (status == PDB_OK && session->options->svg)
        status = svg_hardest(&session->asked, hardest.board, hardest.count, stdout, error);
    else if (status == PDB_OK && session->options->json)
        status = json_hardest(&session->asked, &hardest, stdout, error);
    else if (status == PDB_OK)
        text_hardest(session, hardest.board, hardest.count, stdout);
    hardest_free(&hardest);
    return status;
}

pdb_status boards_random(const struct session *session, uint64_t seed, pdb_error *error)
{
    const struct options *options = session->options;
    struct finding finding = {0};
    char text[PDB_TEXT_MAX];
    pdb_status status = pdb_solver_random(session->asked.solver, options->distance, seed, &finding.board,
                                          &finding.solution.distance, error);
    query_progress_end(session->progress);
    if (status != PDB_OK)
        return status;
    if (options->svg)
        return svg_findings(&session->asked, &finding, 1, stdout, error);
    pdb_board_format(session->asked.puzzle, &finding.board, text);
    if (options->json)
        return json_random(&session->asked, text, finding.solution.distance, stdout, error);
    text_random(session, &finding, text, stdout);
    return PDB_OK;
}
