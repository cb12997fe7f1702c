/* sets.c -- sets of puzzles: different boards as they are wished, graded, the easiest first
 *
 * Boards are drawn one after another, and those kept that have as few solutions as is wished: one way of best moves all
 * along, or one best move to begin with, which is seen on the way down. Then all are graded, shared out among the
 * threads (pdb_solver_grade).
 *
 * A set that is spread takes a share from each distance, drawn by itself: what is not asked for is mostly passed over
 * at little cost then. Shares are worked out from how many boards there can be at each distance; where a draw shows
 * that there are fewer as they are wished, they are worked out anew, and those that change are drawn again.
 */
#include "query/answer.h"
#include "lib/memory/array.h"
#include "lib/error.h"
#include "lib/team.h"
#include "lib/text.h"

#include <stdlib.h>
#include <string.h>

/* The boards of one distance: so many are to be taken, have been, and may be there. */
struct share {
    uint64_t wanted, taken, most;
};

struct set {
    const struct session *session;
    struct finding *findings;
    pdb_grade *grades;
    size_t count, wanted;
    struct share *share; /* of each distance from the nearest on; NULL: any are taken */
    uint32_t nearest;
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
    struct share *share = set->share != NULL ? &set->share[distance - set->nearest] : NULL;
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
    return share != NULL ? ++share->taken < share->wanted : set->count < set->wanted;
}

/* -- a share of each distance -- */

/* Divides the boards as evenly as can be; what is left over goes to distances at even steps. */
static void share_out(struct share *share, size_t count, uint64_t boards)
{
    uint64_t open = 1;
    for (size_t i = 0; i < count; i++)
        share[i].wanted = 0;
    while (boards > 0 && open > 0) {
        uint64_t number = 0, given = 0;
        open = 0;
        for (size_t i = 0; i < count; i++)
            open += share[i].wanted < share[i].most;
        for (size_t i = 0; i < count; i++) {
            const uint64_t room = share[i].most - share[i].wanted;
            if (room == 0)
                continue;
            number++;
            const uint64_t each = boards >= open ? boards / open : number * boards / open - given;
            share[i].wanted += room < each ? room : each;
            given += room < each ? room : each;
        }
        boards -= given;
    }
}

/* Where fewer boards were there than a distance's share: it is known then how many. False where all had their share. */
static bool are_fewer(struct share *share, size_t count)
{
    bool fewer = false;
    for (size_t i = 0; i < count; i++)
        if (share[i].taken < share[i].wanted) {
            share[i].most = share[i].taken;
            fewer = true;
        }
    return fewer;
}

static void drop(struct set *set, uint32_t distance)
{
    size_t kept = 0;
    for (size_t i = 0; i < set->count; i++)
        if (set->findings[i].solution.distance != distance)
            set->findings[kept++] = set->findings[i];
    set->count = kept;
}

/* Draws the share of each distance that has another one than it has taken. */
static pdb_status draw_shares(struct set *set, const pdb_wish *wish, uint64_t seed, pdb_error *error)
{
    pdb_status status = PDB_OK;
    for (uint32_t distance = wish->from; distance <= wish->to && status == PDB_OK && set->status == PDB_OK;
         distance++) {
        const pdb_wish one = {.from = distance, .to = distance, .fixed = wish->fixed, .distinct = wish->distinct};
        struct share *share = &set->share[distance - wish->from];
        if (share->taken == share->wanted)
            continue;
        drop(set, distance);
        share->taken = 0;
        if (share->wanted > 0)
            status = pdb_solver_draw(set->session->asked.solver, &one, seed, take, set, error);
    }
    return status;
}

static pdb_status draw_spread(struct set *set, const uint64_t *histogram, const pdb_wish *wish, uint64_t seed,
                              pdb_error *error)
{
    const size_t count = (size_t)wish->to - wish->from + 1;
    pdb_status status;
    set->share = calloc(count, sizeof *set->share);
    if (set->share == NULL)
        return error_no_memory(error, "the distances' shares", count * sizeof *set->share);
    set->nearest = wish->from;
    for (size_t i = 0; i < count; i++)
        set->share[i].most = histogram[wish->from + i];
    do {
        share_out(set->share, count, set->wanted);
        status = draw_shares(set, wish, seed, error);
    } while (status == PDB_OK && set->status == PDB_OK && set->count < set->wanted && are_fewer(set->share, count));
    free(set->share);
    return status;
}

/* -- grades -- */

enum { SHARE = 16 };

static void grade_share(void *context, unsigned thread, uint64_t share)
{
    struct set *set = context;
    pdb_error error;
    pdb_status status = PDB_OK;
    (void)thread;
    if (team_failed(&set->failure, share))
        return;
    for (size_t i = share * SHARE; status == PDB_OK && i < set->count && i < (share + 1) * SHARE; i++) {
        struct finding *finding = &set->findings[i];
        status = pdb_solver_grade(set->session->asked.solver, &finding->board, finding->solution.distance,
                                  &set->grades[i], &error);
        strcpy(finding->count, set->grades[i].count);
        finding->grade = &set->grades[i];
    }
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
    char range[32], number[NUMBER_TEXT_MAX], alike[64] = "";
    const unsigned symmetries = options->distinct ? pdb_puzzle_symmetries(set->session->asked.puzzle) : 0;
    if (symmetries > 1)
        snprintf(alike, sizeof alike, ", none like another by its %u symmetr%s", symmetries - 1,
                 symmetries == 2 ? "y" : "ies");
    else if (symmetries == 1)
        strcpy(alike, " (no symmetries are known)");
    snprintf(range, sizeof range, wish->from == wish->to ? "%u" : "%u to %u", wish->from, wish->to);
    snprintf(text, TEXT_HEADING_MAX, "%s: %s board%s at %s %s%s%s%s", pdb_puzzle_name(set->session->asked.puzzle),
             set->count == 0 ? "no" : number_text(set->count, number), plural(set->count),
             pdb_puzzle_max_cost(set->session->asked.puzzle) > 1 ? "a cost of" : "distance", range,
             unique[options->unique], options->fixed != NULL ? " and these cells" : "", alike);
}

static pdb_status write_text(const struct set *set, const pdb_wish *wish, pdb_error *error)
{
    const struct session *session = set->session;
    char text[TEXT_HEADING_MAX], board[PDB_TEXT_MAX], length[TEXT_LENGTH_MAX];
    struct captioned *pictures = calloc(set->count + 1, sizeof *pictures);
    if (pictures == NULL)
        return error_no_memory(error, "pictures", set->count * sizeof *pictures);
    heading(set, wish, text);
    printf("%s\n\n", text);
    for (size_t i = 0; i < set->count; i++) {
        pictures[i].board = &set->findings[i].board;
        snprintf(pictures[i].caption, CAPTION_MAX, "%zu. %s", i + 1,
                 text_length(&session->asked, set->findings[i].solution.distance, length));
        draw_caption_hidden(session->asked.puzzle, &pictures[i]);
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

/* All that is asked about the boards, as if they had been typed. */
static pdb_status write_answers(const struct set *set, pdb_error *error)
{
    pdb_status status, worst;
    pdb_board *boards = calloc(set->count + 1, sizeof *boards);
    if (boards == NULL)
        return error_no_memory(error, "the boards", set->count * sizeof *boards);
    for (size_t i = 0; i < set->count; i++)
        boards[i] = set->findings[i].board;
    status = boards_answer_all(set->session, boards, set->count, &worst, error);
    free(boards);
    return status;
}

/* An object each, completed when it is its turn: moves and solutions of many boards are much. */
static pdb_status write_json(const struct set *set, pdb_error *error)
{
    const struct asked *asked = &set->session->asked;
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < set->count && !ferror(stdout); i++) {
        status = finding_complete(asked, &set->findings[i], error);
        if (status == PDB_OK)
            status = json_finding(asked, &set->findings[i], stdout, error);
        finding_free(&set->findings[i]);
    }
    return status;
}

static pdb_status write_boards(const struct set *set, const pdb_wish *wish, pdb_error *error)
{
    const struct options *options = set->session->options;
    const bool asks = options->path || options->paths > 0 || options->count || options->bounds;
    char text[TEXT_HEADING_MAX];
    if (set->count == 0)
        return PDB_OK;
    if (options->json)
        return write_json(set, error);
    if (options->sheet.file != NULL || (asks && options->svg))
        return write_answers(set, error);
    if (options->svg)
        return svg_findings(&set->session->asked, set->findings, set->count, stdout, error);
    if (!asks)
        return write_text(set, wish, error);
    heading(set, wish, text);
    printf("%s\n\n", text);
    return write_answers(set, error);
}

static pdb_status write_set(struct set *set, const pdb_wish *wish, pdb_error *error)
{
    const struct options *options = set->session->options;
    char text[TEXT_HEADING_MAX];
    if (set->count > 0)
        qsort(set->findings, set->count, sizeof *set->findings, compare);
    query_progress_end(set->session->progress);
    pdb_status status = write_boards(set, wish, error);
    /* The hardest are as many as there are, where no number is given. */
    const bool all_hardest = options->question == ASK_HARDEST && options->number == 0;
    if (status != PDB_OK || set->count == set->wanted || (all_hardest && set->count > 0))
        return status;
    heading(set, wish, text);
    return all_hardest
               ? error_set(error, PDB_UNREACHABLE, "%s", text)
               : error_set(error, PDB_UNREACHABLE, "%s%s: %zu %s asked for", text,
                           set->count > 0 ? ", and no more" : "", set->wanted, set->wanted == 1 ? "was" : "were");
}

/* How many boards there should be. */
static uint64_t wanted(const struct options *options)
{
    if (options->question != ASK_HARDEST)
        return options->number > 0 ? options->number : 1;
    return options->number > 0 && options->number < options->hardest ? options->number : options->hardest;
}

pdb_status boards_set(const struct session *session, uint64_t seed, pdb_error *error)
{
    const struct options *options = session->options;
    const bool hardest = options->question == ASK_HARDEST;
    struct set set = {
        .session = session, .wanted = wanted(options), .error = error, .failure = {.lock = PTHREAD_MUTEX_INITIALIZER}};
    pdb_info info;
    asked_info(&session->asked, &info);
    const bool any = options->distance == PDB_NO_DISTANCE;
    const pdb_wish wish = {.from = hardest ? info.max
                                   : any   ? 0
                                           : options->distance,
                           .to = hardest || any || options->farthest > info.max ? info.max : options->farthest,
                           .fixed = options->fixed,
                           .distinct = options->distinct};
    pdb_status status = options->spread && info.histogram != NULL && wish.from <= wish.to
                            ? draw_spread(&set, info.histogram, &wish, seed, error)
                            : pdb_solver_draw(session->asked.solver, &wish, seed, take, &set, error);
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
