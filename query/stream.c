/* stream.c -- many boards, or questions to a puzzle without moves, on standard input, a line each
 *
 * Input is taken as it comes: whatever one read brings in whole lines is answered and flushed before the next read, so
 * a program may write a line, wait for its answer and go on, while a file of a million lines goes through in pieces of
 * some thousand lines. A piece is cut into segments that the threads share; each segment writes into buffers of its
 * own, which are put out in order.
 */
#include "stream.h"
#include "common/signals.h"
#include "lib/error.h"
#include "lib/team.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SEGMENT = 128, PIECE = 32 * SEGMENT, ROOM = 1 << 20 };

/* Is a line passed over? One that is too long may have been cut off in its blanks. */
bool stream_is_empty(const char *line)
{
    const size_t blanks = strspn(line, " \t\r");
    return blanks <= STREAM_LINE_MAX && line[blanks] == '\0';
}

/* What is so long is no board and no question, and is not looked at. */
pdb_status stream_check_length(const char *line, pdb_error *error)
{
    if (strlen(line) <= STREAM_LINE_MAX)
        return PDB_OK;
    return error_set(error, PDB_BAD_BOARD, "the line is longer than %d bytes", STREAM_LINE_MAX);
}

void stream_complain(struct segment *segment, size_t line, const char *message)
{
    const unsigned long long number = segment->first + line;
    const char *from = segment->session->options->from;
    segment->worst = PDB_BAD_BOARD;
    if (from != NULL)
        fprintf(segment->complaints, "pdb-query: %s:%llu: %s\n", from, number, message);
    else
        fprintf(segment->complaints, "pdb-query: line %llu: %s\n", number, message);
}

pdb_status stream_refuse(struct segment *segment, size_t line, const char *message)
{
    pdb_error quoted; /* one line of proper UTF-8 */
    error_set(&quoted, PDB_BAD_BOARD, "%s", segment->line[line]);
    stream_complain(segment, line, message);
    if (segment->session->options->json)
        return json_complaint(&segment->session->asked, quoted.message, message, segment->out, &segment->error);
    text_complaint(quoted.message, message, segment->out);
    return PDB_OK;
}

/* What became of the lines: all boards among them one after another, and the line of each. */
struct boards {
    pdb_board board[SEGMENT];
    size_t line[SEGMENT], count;
};

static pdb_status read_line(const struct segment *segment, size_t line, pdb_board *board, pdb_error *error)
{
    const pdb_status status = stream_check_length(segment->line[line], error);
    return status == PDB_OK ? board_read(&segment->session->asked, segment->line[line], board, error) : status;
}

/* Finds out about one board, of which the distance may be known already, and writes it. */
static pdb_status answer_board(struct segment *segment, const pdb_board *board, const uint32_t *distance,
                               struct finding *finding)
{
    const struct session *session = segment->session;
    const bool hint = session->options->question == ASK_HINT;
    pdb_error *error = &segment->error;
    finding->board = *board;
    *finding->count = '\0';
    if (distance != NULL)
        finding->solution.distance = *distance;
    pdb_status status = (distance != NULL ? finding_complete : finding_solve)(&session->asked, finding, error);
    if (status == PDB_OK && !finding->unsolved && finding->solution.distance == PDB_NO_DISTANCE &&
        segment->worst == PDB_OK)
        segment->worst = PDB_UNREACHABLE;
    if (status == PDB_OK && hint)
        status = finding_count_soon(&session->asked, finding, error);
    if (status == PDB_OK && session->options->json)
        return (hint ? json_hint : json_finding)(&session->asked, finding, segment->out, error);
    if (status == PDB_OK && !hint)
        return text_line(session, finding, segment->out, error);
    if (status == PDB_OK)
        text_hint(session, finding, segment->out);
    return status;
}

/* Answers line by line; `distance` (may be NULL) has those of the boards. */
static pdb_status find_boards(struct segment *segment, const struct boards *boards, const uint32_t *distance)
{
    struct finding finding = {0};
    pdb_status status = PDB_OK;
    for (size_t i = 0, next = 0; status == PDB_OK && i < segment->lines; i++) {
        if (next < boards->count && boards->line[next] == i) {
            status = answer_board(segment, &boards->board[next], distance != NULL ? &distance[next] : NULL, &finding);
            next++;
        } else if (!stream_is_empty(segment->line[i])) { /* why it is no board: it is read once more for that */
            pdb_board none;
            pdb_error error = {0};
            status = read_line(segment, i, &none, &error);
            if (status == PDB_BAD_BOARD)
                status = stream_refuse(segment, i, error.message);
            else
                segment->error = error;
        }
    }
    finding_free(&finding);
    return status;
}

static pdb_status answer_questions(struct segment *segment)
{
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < segment->lines; i++) {
        pdb_error error;
        if (stream_is_empty(segment->line[i]))
            continue;
        status = stream_check_length(segment->line[i], &error);
        if (status == PDB_OK)
            status = question_line(segment->session, segment->line[i], segment->out, &segment->worst, &error);
        if (status == PDB_BAD_BOARD)
            status = stream_refuse(segment, i, error.message);
        else if (status != PDB_OK)
            segment->error = error;
    }
    return status;
}

/* All distances at once are the fastest; one after another they come as far as the first board whose page is damaged.
 * Damage in a table of keys makes the solver unsound for good: what is not answered by then has no answer. */
static pdb_status answer_boards(struct segment *segment)
{
    const struct session *session = segment->session;
    struct boards boards = {0};
    uint32_t distance[SEGMENT];
    for (size_t i = 0; i < segment->lines; i++) {
        if (stream_is_empty(segment->line[i]))
            continue;
        const pdb_status status = read_line(segment, i, &boards.board[boards.count], &segment->error);
        if (status == PDB_OK)
            boards.line[boards.count++] = i;
        else if (status != PDB_BAD_BOARD) /* a damaged database, say */
            return status;
    }
    const bool at_once = !session->asked.searches &&
                         pdb_solver_distance(session->asked.solver, boards.board, boards.count, distance,
                                             &segment->error) == PDB_OK;
    return find_boards(segment, &boards, at_once ? distance : NULL);
}

static void answer_segment(void *context, unsigned thread, uint64_t number)
{
    struct segment *segment = (struct segment *)context + number;
    (void)thread;
    segment->out = open_memstream(&segment->out_text, &segment->out_size);
    segment->complaints = open_memstream(&segment->complaints_text, &segment->complaints_size);
    if (segment->out == NULL || segment->complaints == NULL)
        segment->status = error_no_memory(&segment->error, "answers", SEGMENT);
    else if (segment->session->asked.puzzle == NULL)
        segment->status = stream_answer_cards(segment);
    else
        segment->status = (pdb_puzzle_enumerated(segment->session->asked.puzzle) ? answer_questions
                                                                                 : answer_boards)(segment);
    if (segment->out != NULL && fclose(segment->out) != 0 && segment->status == PDB_OK)
        segment->status = error_no_memory(&segment->error, "answers", segment->out_size);
    if (segment->complaints != NULL)
        fclose(segment->complaints);
}

/* Answers lines number `first` and on. */
static pdb_status answer_lines(const struct session *session, struct team *team, char **line, size_t lines,
                               uint64_t first, pdb_status *worst, pdb_error *error)
{
    const size_t share = session->asked.searches ? 1 : SEGMENT; /* a search may take long: the others go on meanwhile */
    const size_t count = (lines + share - 1) / share;
    struct segment *segments = calloc(count + 1, sizeof *segments);
    if (segments == NULL)
        return error_no_memory(error, "boards", count * sizeof *segments);
    for (size_t s = 0; s < count; s++) {
        struct segment *segment = &segments[s];
        segment->session = session;
        segment->line = line + s * share;
        segment->lines = lines - s * share < share ? lines - s * share : share;
        segment->first = first + s * share;
    }
    team_run(team, count, answer_segment, segments);
    pdb_status status = PDB_OK;
    for (size_t s = 0; s < count; s++) {
        struct segment *segment = &segments[s];
        if (status == PDB_OK) {
            fwrite(segment->complaints_text, 1, segment->complaints_size, stderr);
            fwrite(segment->out_text, 1, segment->out_size, stdout);
            *worst = segment->worst == PDB_BAD_BOARD || *worst == PDB_OK ? segment->worst : *worst;
            status = segment->status;
            if (status != PDB_OK)
                error_set(error, status, "%s", segment->error.message);
        }
        free(segment->out_text);
        free(segment->complaints_text);
    }
    free(segments);
    if (fflush(stdout) != 0 && status == PDB_OK)
        status = error_set(error, PDB_IO, "standard output: %m");
    return status;
}

/* The input's buffer: bytes that were read and not yet answered. */
struct input {
    char *bytes;
    size_t used;
    char **line;
    uint64_t lines_before;
    bool skipping; /* to the end of a line that is too long, and has been answered */
    struct team team;
};

/* Answers all whole lines in the buffer; with `last` the rest too. */
static pdb_status answer_input(const struct session *session, struct input *input, bool last, pdb_status *worst,
                               pdb_error *error)
{
    size_t lines = 0, begin = 0;
    for (char *end; (end = memchr(input->bytes + begin, '\n', input->used - begin)) != NULL;) {
        *end = '\0';
        input->line[lines++] = input->bytes + begin;
        begin = (size_t)(end + 1 - input->bytes);
    }
    const bool too_long = input->used - begin > STREAM_LINE_MAX;
    if (begin < input->used && (last || too_long)) {
        input->bytes[input->used] = '\0';
        input->line[lines++] = input->bytes + begin;
        begin = input->used;
        input->skipping = too_long;
    }
    pdb_status status = PDB_OK;
    for (size_t done = 0; status == PDB_OK && done < lines; done += PIECE) {
        const size_t piece = lines - done < PIECE ? lines - done : PIECE;
        status = answer_lines(session, &input->team, input->line + done, piece, input->lines_before + done + 1, worst,
                              error);
    }
    input->lines_before += lines;
    input->used -= begin;
    memmove(input->bytes, input->bytes + begin, input->used);
    return status;
}

/* Takes in what was read behind the bytes that are there. */
static void take_bytes(struct input *input, size_t count)
{
    char *bytes = input->bytes + input->used;
    const char *end = memchr(bytes, '\n', count);
    if (input->skipping) {
        const size_t skipped = end != NULL ? (size_t)(end + 1 - bytes) : count;
        input->skipping = end == NULL;
        count -= skipped;
        memmove(bytes, bytes + skipped, count);
    }
    input->used += count;
    /* A NUL would end a line before its time: it becomes a character that is no symbol either. */
    while ((bytes = memchr(bytes, '\0', (size_t)(input->bytes + input->used - bytes))) != NULL)
        *bytes++ = '\1';
}

pdb_status stream_answer(const struct session *session, pdb_status *worst, pdb_error *error)
{
    struct input input = {.bytes = malloc(ROOM + 1),
                          .line = malloc((ROOM + 1) * sizeof *input.line),
                          .team = {.threads = session->threads}};
    const char *from = session->options->from;
    pdb_status status = PDB_OK;
    *worst = PDB_OK;
    if (input.bytes == NULL || input.line == NULL)
        status = error_no_memory(error, "boards", ROOM);
    for (bool last = false; status == PDB_OK && !last;) {
        interrupt_release(); /* nothing is lost while it waits for a line */
        ssize_t got = read(STDIN_FILENO, input.bytes + input.used, ROOM - input.used);
        if (session->asked.searches)
            interrupt_hold(false);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            status = error_set(error, PDB_IO, "%s: %m", from != NULL ? from : "standard input");
        if (got > 0)
            take_bytes(&input, (size_t)got);
        last = got == 0;
        if (status == PDB_OK)
            status = answer_input(session, &input, last, worst, error);
    }
    team_end(&input.team);
    free(input.bytes);
    free(input.line);
    return status;
}
