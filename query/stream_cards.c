/* stream_cards.c -- many puzzles, a line each, of one kind: what stands behind the colon of its names
 *
 * `pdb-query rush-hour: -` takes boards as people share them. Each is a small puzzle, made, solved and left within its
 * line. What a line says of its board besides is checked.
 */
#include "lib/error.h"
#include "stream.h"

#include <stdlib.h>
#include <string.h>

/* The puzzle's name that a line gives: the kind's, and the line without blanks at its end. */
static char *name_of(const char *kind, const char *line)
{
    size_t length = strlen(line), begin = strlen(kind);
    while (length > 0 && strchr(" \t\r", line[length - 1]) != NULL)
        length--;
    line += strspn(line, " \t");
    char *name = malloc(begin + length + 1);
    if (name != NULL)
        sprintf(name, "%s%.*s", kind, (int)length, line);
    return name;
}

/* Answers about its start. Without a solver, no goal can be reached from it. */
static pdb_status answer_start(struct segment *segment, struct session *session, const char *name, size_t line,
                               pdb_error *error)
{
    struct finding finding = {.solution = {.distance = PDB_NO_DISTANCE}};
    pdb_error claim;
    pdb_status status = pdb_board_parse(session->asked.puzzle, "start", &finding.board, error), checked = PDB_OK;
    if (status == PDB_OK && session->asked.solver != NULL)
        status = finding_solve(&session->asked, &finding, error);
    if (status == PDB_OK && !finding.unsolved)
        checked = pdb_solver_claims(session->asked.solver, name, &finding.board, finding.solution.distance, &claim);
    if (status == PDB_OK && !finding.unsolved && finding.solution.distance == PDB_NO_DISTANCE &&
        segment->worst == PDB_OK)
        segment->worst = PDB_UNREACHABLE;
    if (status == PDB_OK && session->options->json)
        status = json_finding(&session->asked, &finding, segment->out, error);
    else if (status == PDB_OK)
        status = text_line(session, &finding, segment->out, error);
    if (checked != PDB_OK)
        stream_complain(segment, line, claim.message);
    finding_free(&finding);
    return status;
}

static pdb_status answer_line(struct segment *segment, size_t line, pdb_error *error)
{
    const struct options *options = segment->session->options;
    struct session session = *segment->session;
    pdb_options how = options->solver;
    pdb_puzzle *puzzle = NULL;
    pdb_solver *solver = NULL;
    char *name = name_of(options->puzzle, segment->line[line]);
    pdb_status status = name == NULL ? error_no_memory(error, "a puzzle's name", STREAM_LINE_MAX)
                                     : pdb_puzzle_load(name, &puzzle, error);
    how.threads = 1;
    if (status == PDB_OK && pdb_puzzle_enumerated(puzzle))
        status = error_set(error, PDB_BAD_BOARD, "%s has no boards", pdb_puzzle_name(puzzle));
    if (status == PDB_OK)
        status = session_open(options, puzzle, &how, &solver, error);
    if (status == PDB_OK || status == PDB_UNREACHABLE) {
        session_ask(options, puzzle, solver, &session.asked);
        status = answer_start(segment, &session, name, line, error);
    }
    pdb_solver_close(solver);
    pdb_puzzle_free(puzzle);
    free(name);
    return status;
}

pdb_status stream_answer_cards(struct segment *segment)
{
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < segment->lines; i++) {
        pdb_error error;
        if (stream_is_empty(segment->line[i]))
            continue;
        status = stream_check_length(segment->line[i], &error);
        if (status == PDB_OK)
            status = answer_line(segment, i, &error);
        if (status == PDB_NO_MEMORY || status == PDB_INTERRUPTED) /* they end all; the rest is a matter of the line */
            segment->error = error;
        else if (status != PDB_OK)
            status = stream_refuse(segment, i, error.message);
    }
    return status;
}
