/* answer.c -- pdb_answer: from a question to the text of its answer
 *
 * A text is written into memory and handed over as one piece, so that whoever sends it knows its length, and that it is
 * whole. It is written to a stream that takes so many bytes and no more.
 */
#include "forms.h"
#include "lib/memory/array.h"
#include "lib/error.h"
#include "lib/random.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MAX_BYTES = 1 << 16 }; /* what is longer is no board and no question */

/* -- the text -- */

struct growing {
    char *text;
    size_t length, room;
    uint64_t most; /* bytes that it may have */
    bool full;     /* it would have had more */
};

/* A stream's function: what is written goes to the text's end. */
static ssize_t grow(void *cookie, const char *bytes, size_t count)
{
    struct growing *growing = cookie;
    growing->full |= count > growing->most - growing->length;
    if (growing->full || !array_reserve(&growing->text, &growing->room, growing->length + count + 1, 1))
        return 0;
    memcpy(growing->text + growing->length, bytes, count);
    growing->length += count;
    growing->text[growing->length] = '\0';
    return (ssize_t)count;
}

static FILE *growing_open(struct growing *growing, uint64_t most)
{
    *growing = (struct growing){.most = most != 0 ? most : SIZE_MAX / 4};
    return grow(growing, "", 0) == 0 && growing->text != NULL
               ? fopencookie(growing, "w", (cookie_io_functions_t){.write = grow})
               : NULL;
}

/* -- answers -- */

/* A board or a question; with BOARDS, one line of them. */
static pdb_status answer_board(const struct asked *asked, const char *text, FILE *out, pdb_error *error)
{
    struct finding finding = {0};
    pdb_reply reply = {0};
    pdb_status status;
    if (pdb_puzzle_enumerated(asked->puzzle)) {
        status = question_ask(asked, text, &reply, error);
        if (status == PDB_OK)
            status = json_reply(asked, text, &reply, out, error);
        pdb_reply_free(&reply);
        return status;
    }
    status = board_read(asked, text, &finding.board, error);
    if (status == PDB_OK)
        status = finding_solve(asked, &finding, error);
    if (status == PDB_OK && asked->form == FORM_SVG)
        status = finding_count_soon(asked, &finding, error);
    if (status == PDB_OK && asked->form == FORM_SVG)
        status = svg_findings(asked, &finding, 1, out, error);
    else if (status == PDB_OK)
        status = (asked->hint != 0 ? json_hint : json_finding)(asked, &finding, out, error);
    finding_free(&finding);
    return status;
}

/* A board by the rules alone. */
static pdb_status answer_moves(const struct asked *asked, const char *text, FILE *out, pdb_error *error)
{
    pdb_board board;
    pdb_status status = pdb_board_parse(asked->puzzle, text, &board, error);
    if (status != PDB_OK)
        return status;
    return asked->form == FORM_SVG ? svg_board(asked, &board, out, error) : json_moves(asked, &board, out, error);
}

/* One line; what is wrong with it is its answer. */
static pdb_status answer_line(const struct asked *asked, const char *line, FILE *out, pdb_error *error)
{
    pdb_error quoted; /* one line of proper UTF-8, not too long */
    pdb_status status = strlen(line) <= LINE_MAX_BYTES
                            ? answer_board(asked, line, out, error)
                            : error_set(error, PDB_BAD_BOARD, "the line is longer than %d bytes", LINE_MAX_BYTES);
    if (status != PDB_BAD_BOARD)
        return status;
    error_set(&quoted, status, "%s", line);
    return json_complaint(asked, quoted.message, error->message, out, error);
}

static pdb_status answer_lines(const struct asked *asked, const char *text, FILE *out, pdb_error *error)
{
    char *copy = strdup(text), *rest = copy, *line;
    pdb_status status = copy != NULL ? PDB_OK : error_no_memory(error, "the boards", strlen(text) + 1);
    while (status == PDB_OK && !ferror(out) && (line = strsep(&rest, "\n")) != NULL) {
        line += strspn(line, " \t\r");
        size_t length = strlen(line);
        while (length > 0 && strchr(" \t\r", line[length - 1]) != NULL)
            line[--length] = '\0';
        if (length > 0)
            status = answer_line(asked, line, out, error);
    }
    free(copy);
    return status;
}

static pdb_status answer_hardest(const struct asked *asked, uint64_t most, FILE *out, pdb_error *error)
{
    struct hardest hardest;
    pdb_status status = hardest_find(asked, most, &hardest, error);
    if (status == PDB_OK)
        status = asked->form == FORM_SVG ? svg_hardest(asked, hardest.board, hardest.count, out, error)
                                         : json_hardest(asked, &hardest, out, error);
    hardest_free(&hardest);
    return status;
}

/* One of the distances between two, each as often as there are boards at it; the seed moves on. */
static pdb_status draw_distance(const pdb_info *info, const pdb_request *request, uint64_t *seed, uint32_t *distance,
                                pdb_error *error)
{
    uint64_t fitting = 0;
    const uint32_t utmost = request->utmost < info->max ? request->utmost : info->max;
    for (uint32_t d = request->least; d <= utmost; d++)
        fitting += info->histogram[d];
    if (fitting == 0)
        return error_set(error, PDB_BAD_USAGE, "no board is at a distance of %u to %u: the hardest are at %u",
                         request->least, request->utmost, info->max);
    uint64_t left = random_below(seed, fitting);
    for (*distance = request->least; left >= info->histogram[*distance]; ++*distance)
        left -= info->histogram[*distance];
    return PDB_OK;
}

static pdb_status answer_random(const struct asked *asked, const pdb_request *request, FILE *out, pdb_error *error)
{
    struct finding finding = {0};
    char text[PDB_TEXT_MAX];
    uint64_t seed = request->seed;
    uint32_t wanted = request->utmost == PDB_NO_DISTANCE ? PDB_NO_DISTANCE : request->least;
    uint32_t *found = &finding.solution.distance;
    pdb_info info;
    pdb_status status = PDB_OK;
    pdb_solver_info(asked->solver, &info);
    if (request->utmost != PDB_NO_DISTANCE && request->least < request->utmost && info.histogram != NULL)
        status = draw_distance(&info, request, &seed, &wanted, error);
    if (status == PDB_OK && pdb_puzzle_enumerated(asked->puzzle))
        status = pdb_solver_random_item(asked->solver, wanted, seed, text, found, error);
    else if (status == PDB_OK)
        status = pdb_solver_random(asked->solver, wanted, seed, &finding.board, found, error);
    if (status == PDB_OK && asked->form == FORM_SVG)
        return svg_findings(asked, &finding, 1, out, error);
    if (status == PDB_OK && !pdb_puzzle_enumerated(asked->puzzle))
        pdb_board_format(asked->puzzle, &finding.board, text);
    return status == PDB_OK ? json_random(asked, text, *found, out, error) : status;
}

static pdb_status answer_histogram(const struct asked *asked, FILE *out, pdb_error *error)
{
    pdb_info info;
    pdb_solver_info(asked->solver, &info);
    if (info.histogram == NULL)
        return error_set(error, PDB_NO_DATABASE, "%s: not all distances are known, boards are searched one by one",
                         pdb_puzzle_name(asked->puzzle));
    if (asked->form == FORM_JSON)
        return json_histogram(asked, out, error);
    svg_histogram(asked, out);
    return PDB_OK;
}

static pdb_status answer(const struct asked *asked, const pdb_request *request, FILE *out, pdb_error *error)
{
    switch (request->topic) {
    case PDB_TOPIC_BOARD:
    case PDB_TOPIC_HINT:
        return answer_board(asked, request->board, out, error);
    case PDB_TOPIC_MOVES:
        return answer_moves(asked, request->board, out, error);
    case PDB_TOPIC_BOARDS:
        return answer_lines(asked, request->board, out, error);
    case PDB_TOPIC_HARDEST:
        return answer_hardest(asked, request->most, out, error);
    case PDB_TOPIC_HISTOGRAM:
        return answer_histogram(asked, out, error);
    case PDB_TOPIC_RANDOM:
        return answer_random(asked, request, out, error);
    case PDB_TOPIC_SUMMARY:
        return json_summary(asked, out, error);
    case PDB_TOPIC_PUZZLE:
        return json_puzzle(asked, out, error);
    }
    return error_set(error, PDB_BAD_USAGE, "there is no such question");
}

/* What a puzzle, or a solver that is missing, has no answer to. */
static pdb_status check(const pdb_puzzle *puzzle, const pdb_solver *solver, const pdb_request *request,
                        pdb_error *error)
{
    const pdb_topic topic = request->topic;
    const bool boards = !pdb_puzzle_enumerated(puzzle), about = topic == PDB_TOPIC_PUZZLE || topic == PDB_TOPIC_SUMMARY;
    const char *name = pdb_puzzle_name(puzzle);
    if (solver == NULL && topic != PDB_TOPIC_MOVES && !about)
        return error_set(error, PDB_BAD_USAGE, "%s: a solver is needed to answer this", name);
    if (!boards && (topic == PDB_TOPIC_HINT || topic == PDB_TOPIC_MOVES))
        return error_set(error, PDB_BAD_USAGE, "%s is a puzzle without moves", name);
    if (request->svg && (topic == PDB_TOPIC_HINT || topic == PDB_TOPIC_BOARDS || about))
        return error_set(error, PDB_BAD_USAGE, "of this there is no picture");
    if (request->svg && !boards && topic != PDB_TOPIC_HISTOGRAM)
        return error_set(error, PDB_BAD_USAGE, "%s is a puzzle without boards: its histogram alone has a picture",
                         name);
    return PDB_OK;
}

/* How wide texts in a picture are follows from the locale: it is drawn in one of UTF-8. */
static void begin_drawing(struct asked *asked, locale_t *utf8, locale_t *before)
{
    *utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    *before = uselocale(*utf8);
    drawing_begin(&asked->drawing, asked->puzzle, false);
}

static void end_drawing(locale_t utf8, locale_t before)
{
    uselocale(before);
    if (utf8 != (locale_t)0)
        freelocale(utf8);
}

pdb_status pdb_answer(const pdb_puzzle *puzzle, const pdb_solver *solver, const pdb_request *request, char **text,
                      size_t *length, pdb_error *error)
{
    struct asked asked = {.path = (request->want & PDB_WANT_PATH) != 0,
                          .count = (request->want & PDB_WANT_COUNT) != 0,
                          .bounds = (request->want & PDB_WANT_BOUNDS) != 0,
                          .hint = request->topic == PDB_TOPIC_HINT ? request->hint : 0,
                          .form = request->svg ? FORM_SVG : FORM_JSON};
    const bool drawn = request->svg || request->topic == PDB_TOPIC_PUZZLE;
    locale_t utf8 = (locale_t)0, before = (locale_t)0;
    pdb_status status = check(puzzle, solver, request, error);
    if (status != PDB_OK)
        return status;
    struct growing growing;
    FILE *out = growing_open(&growing, request->bytes);
    if (out == NULL) {
        free(growing.text);
        return error_no_memory(error, "the answer", PDB_TEXT_MAX);
    }
    asked_begin(&asked, puzzle, solver);
    if (drawn)
        begin_drawing(&asked, &utf8, &before);
    status = answer(&asked, request, out, error);
    if (drawn)
        end_drawing(utf8, before);
    const bool broken = ferror(out) != 0;
    if ((fclose(out) != 0 || broken) && status == PDB_OK && !growing.full)
        status = error_no_memory(error, "the answer", growing.length);
    if (status == PDB_OK && growing.full)
        status = error_set(error, PDB_TOO_LARGE, "the answer has more than %llu bytes: ask about fewer boards",
                           (unsigned long long)growing.most);
    *text = status == PDB_OK ? growing.text : NULL;
    *length = growing.length;
    if (status != PDB_OK)
        free(growing.text);
    return status;
}
