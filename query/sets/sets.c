/* sets.c -- sets of puzzles: different boards as they are wished, graded, the easiest first
 *
 * Boards are drawn one after another, and those kept that have as few solutions as is wished: one way of best moves all
 * along, or one best move to begin with, which is seen on the way down. Then all are graded, shared out among the
 * threads: how many solutions, how many moves lead away at first, and how many moves there are, in the mean, along a
 * solution.
 */
#include "query/answer.h"
#include "lib/array.h"
#include "lib/error.h"
#include "lib/team.h"
#include "lib/text.h"

#include <stdlib.h>
#include <string.h>

struct set {
    const struct session *session;
    struct finding *findings;
    struct grade *grades;
    size_t count, wanted;
    pdb_status status; /* of what went on in a visit */
    pdb_error *error;
    struct team_failure failure;
};

/* -- which boards are taken -- */

/* Is there one best move at each board on the way to the goal, or, with `first`, at the first of them? */
static pdb_status is_forced(const pdb_solver *solver, const pdb_board *board, uint32_t distance, bool first,
                            bool *forced, pdb_error *error)
{
    pdb_moves moves = {0};
    pdb_board at = *board;
    pdb_status status = PDB_OK;
    *forced = true;
    while (status == PDB_OK && *forced && distance > 0) {
        size_t best = 0, bests = 0;
        status = pdb_solver_moves(solver, &at, distance, &moves, error);
        for (size_t m = 0; status == PDB_OK && m < moves.count; m++)
            if (moves.move[m].optimal && bests++ == 0)
                best = m;
        *forced = bests == 1;
        if (first || bests == 0)
            break;
        at = moves.move[best].board;
        distance = moves.move[best].distance;
    }
    pdb_moves_free(&moves);
    return status;
}

/* Has a board as few solutions as is wished? Where the order of moves does not matter, all moves towards one are
 * best. */
static pdb_status is_taken(const struct session *session, const pdb_board *board, uint32_t distance, bool *taken,
                           pdb_error *error)
{
    const enum unique_wish unique = session->options->unique;
    char text[PDB_COUNT_MAX];
    *taken = true;
    if (unique == UNIQUE_NOT)
        return PDB_OK;
    if (!pdb_puzzle_unordered(session->asked.puzzle) || unique == UNIQUE_FIRST)
        return is_forced(session->asked.solver, board, distance, unique == UNIQUE_FIRST, taken, error);
    pdb_status status = pdb_solver_count(session->asked.solver, board, distance, text, error);
    *taken = status == PDB_OK && strcmp(text, "1") == 0;
    return status;
}

static bool take(void *context, const pdb_board *board, uint32_t distance)
{
    struct set *set = context;
    bool taken;
    set->status = is_taken(set->session, board, distance, &taken, set->error);
    if (set->status != PDB_OK || !taken)
        return set->status == PDB_OK;
    struct finding *grown = array_grow(set->findings, set->count, sizeof *grown);
    if (grown == NULL) {
        set->status = error_no_memory(set->error, "boards", set->count * sizeof *grown);
        return false;
    }
    set->findings = grown;
    grown[set->count++] = (struct finding){.board = *board, .solution = {.distance = distance}};
    return set->count < set->wanted;
}

/* -- grades -- */

/* The mean number of moves that there are at the boards of a solution, the goal left out; `moves` are those of the
 * board that it begins with. */
static pdb_status find_branching(const struct session *session, const struct finding *finding, double *branching,
                                 pdb_error *error)
{
    const pdb_moves *begin = &finding->solution.moves;
    pdb_moves moves = {0};
    pdb_status status = PDB_OK;
    double sum = (double)begin->count;
    uint32_t steps = 1;
    for (const pdb_moves *at = begin; status == PDB_OK; at = &moves, steps++) {
        size_t best = 0;
        while (best < at->count && !at->move[best].optimal)
            best++;
        if (best == at->count || at->move[best].distance == 0)
            break;
        const pdb_board board = at->move[best].board;
        status = pdb_solver_moves(session->asked.solver, &board, at->move[best].distance, &moves, error);
        sum += (double)moves.count;
    }
    *branching = sum / steps;
    pdb_moves_free(&moves);
    return status;
}

static pdb_status find_grade(const struct session *session, struct finding *finding, struct grade *grade,
                             pdb_error *error)
{
    const uint32_t distance = finding->solution.distance;
    pdb_moves *moves = &finding->solution.moves;
    pdb_status status = pdb_solver_moves(session->asked.solver, &finding->board, distance, moves, error);
    if (status == PDB_OK)
        status = pdb_solver_count(session->asked.solver, &finding->board, distance, finding->count, error);
    if (status == PDB_OK)
        status = find_branching(session, finding, &grade->branching, error);
    grade->moves = moves->count;
    for (size_t m = 0; m < moves->count; m++)
        grade->away += moves->move[m].distance == PDB_NO_DISTANCE || moves->move[m].distance > distance;
    finding->grade = grade;
    if (!session->options->json) /* which shows them */
        pdb_moves_free(moves);
    return status;
}

enum { SHARE = 16 };

static void grade_share(void *context, unsigned thread, uint64_t share)
{
    struct set *set = context;
    pdb_error error;
    pdb_status status = PDB_OK;
    (void)thread;
    if (team_failed(&set->failure, share))
        return;
    for (size_t i = share * SHARE; status == PDB_OK && i < set->count && i < (share + 1) * SHARE; i++)
        status = find_grade(set->session, &set->findings[i], &set->grades[i], &error);
    if (status != PDB_OK)
        team_fail(&set->failure, share, &error);
}

/* The nearest first, of those equally far the ones with more solutions. */
static int compare(const void *left, const void *right)
{
    const struct finding *a = left, *b = right;
    const size_t digits = strlen(a->count), other = strlen(b->count);
    if (a->solution.distance != b->solution.distance)
        return a->solution.distance < b->solution.distance ? -1 : 1;
    if (digits != other)
        return digits > other ? -1 : 1;
    const int counts = strcmp(b->count, a->count);
    return counts != 0 ? counts : memcmp(&a->board, &b->board, sizeof a->board);
}

/* -- answers -- */

/* What they are, and how many: "goat: 20 boards at distance 25 to 30 with one solution". */
static void heading(const struct set *set, const pdb_wish *wish, char text[TEXT_HEADING_MAX])
{
    static const char *const unique[] = {
        [UNIQUE_NOT] = "", [UNIQUE_ALL] = " with one solution", [UNIQUE_FIRST] = " with one best first move"};
    const struct options *options = set->session->options;
    char range[32], number[NUMBER_TEXT_MAX];
    snprintf(range, sizeof range, wish->from == wish->to ? "%u" : "%u to %u", wish->from, wish->to);
    snprintf(text, TEXT_HEADING_MAX, "%s: %s board%s at distance %s%s%s%s", pdb_puzzle_name(set->session->asked.puzzle),
             number_text(set->count, number), plural(set->count), range, unique[options->unique],
             options->fixed != NULL ? " and these cells" : "", options->distinct ? ", none like another" : "");
}

static pdb_status write_text(const struct set *set, const pdb_wish *wish, pdb_error *error)
{
    const struct session *session = set->session;
    char text[TEXT_HEADING_MAX], board[PDB_TEXT_MAX];
    struct captioned *pictures = calloc(set->count + 1, sizeof *pictures);
    if (pictures == NULL)
        return error_no_memory(error, "pictures", set->count * sizeof *pictures);
    heading(set, wish, text);
    printf("%s\n\n", text);
    for (size_t i = 0; i < set->count; i++) {
        pictures[i].board = &set->findings[i].board;
        snprintf(pictures[i].caption, CAPTION_MAX, "%zu. %u move%s", i + 1, set->findings[i].solution.distance,
                 plural(set->findings[i].solution.distance));
    }
    draw_boards(&session->asked.drawing, pictures, set->count, stdout);
    free(pictures);
    putchar('\n');
    for (size_t i = 0; i < set->count; i++) {
        const struct finding *finding = &set->findings[i];
        pdb_board_format(session->asked.puzzle, &finding->board, board);
        printf("%5zu. %s\n       %s", i + 1, board, text_distance(&session->asked, finding, text));
        if (!pdb_puzzle_unordered(session->asked.puzzle)) /* there it has been said */
            printf(", %s solution%s", finding->count, strcmp(finding->count, "1") == 0 ? "" : "s");
        printf("; of %zu move%s %zu lead%s away; %.1f moves on the way in the mean\n", finding->grade->moves,
               plural(finding->grade->moves), finding->grade->away, finding->grade->away == 1 ? "s" : "",
               finding->grade->branching);
    }
    return PDB_OK;
}

static pdb_status write_set(struct set *set, const pdb_wish *wish, pdb_error *error)
{
    const struct session *session = set->session;
    char text[TEXT_HEADING_MAX];
    pdb_status status = PDB_OK;
    qsort(set->findings, set->count, sizeof *set->findings, compare);
    query_progress_end(session->progress);
    if (set->count > 0 && session->options->svg)
        status = svg_findings(&session->asked, set->findings, set->count, stdout, error);
    else if (set->count > 0 && !session->options->json)
        status = write_text(set, wish, error);
    for (size_t i = 0; status == PDB_OK && session->options->json && i < set->count; i++)
        status = json_finding(&session->asked, &set->findings[i], stdout, error);
    const bool all_hardest = session->options->question == ASK_HARDEST && set->count > 0;
    if (status != PDB_OK || set->count == set->wanted || all_hardest)
        return status;
    heading(set, wish, text);
    return session->options->question == ASK_HARDEST
               ? error_set(error, PDB_UNREACHABLE, "%s", text)
               : error_set(error, PDB_UNREACHABLE, "%s, and no more: %zu were asked for", text, set->wanted);
}

pdb_status boards_set(const struct session *session, uint64_t seed, pdb_error *error)
{
    const struct options *options = session->options;
    const bool hardest = options->question == ASK_HARDEST;
    struct set set = {.session = session,
                      .wanted = hardest ? options->hardest : options->number,
                      .error = error,
                      .failure = {.lock = PTHREAD_MUTEX_INITIALIZER}};
    pdb_info info;
    asked_info(&session->asked, &info);
    const bool any = options->distance == PDB_NO_DISTANCE;
    const pdb_wish wish = {.from = hardest ? info.max
                                   : any   ? 0
                                           : options->distance,
                           .to = hardest || any || options->farthest > info.max ? info.max : options->farthest,
                           .fixed = options->fixed,
                           .distinct = options->distinct};
    pdb_status status = pdb_solver_draw(session->asked.solver, &wish, seed, take, &set, error);
    if (status == PDB_OK)
        status = set.status;
    set.grades = calloc(set.count + 1, sizeof *set.grades);
    if (status == PDB_OK && set.grades == NULL)
        status = error_no_memory(error, "grades", set.count * sizeof *set.grades);
    if (status == PDB_OK) {
        team_once(session->threads, team_shares(set.count, SHARE), grade_share, &set);
        status = team_outcome(&set.failure, error);
    }
    if (status == PDB_OK)
        status = write_set(&set, &wish, error);
    for (size_t i = 0; i < set.count; i++)
        finding_free(&set.findings[i]);
    free(set.findings);
    free(set.grades);
    return status;
}
