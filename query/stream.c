/* stream.c -- many boards, or questions to a puzzle without moves, on standard input, a line each
 *
 * Input is taken as it comes: whatever one read brings in whole lines is answered and flushed before the next read, so
 * a program may write a line, wait for its answer and go on, while a file of a million lines goes through in pieces of
 * some thousand lines. A piece is cut into segments that the threads share; each segment writes into buffers of its
 * own, which are put out in order.
 */
#include "answer.h"
#include "common/interrupt.h"
#include "lib/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SEGMENT = 128, PIECE = 32 * SEGMENT, ROOM = 1 << 20, LINE_MAX_BYTES = 1 << 16 };

/* A run of lines, and what came of them. */
struct segment {
    char **line; /* NUL-terminated */
    size_t lines;
    uint64_t first; /* the first one's number */
    char *answers, *complaints;
    size_t answers_size, complaints_size;
    pdb_status worst, status;
    pdb_error error;
};

static pdb_status write_answer(const struct session *session, const struct finding *finding, FILE *out,
                               pdb_error *error)
{
    const bool hint = session->options->question == ASK_HINT;
    if (session->options->json)
        return (hint ? json_hint : json_finding)(session, finding, out, error);
    (hint ? text_hint : text_line)(session, finding, out);
    return PDB_OK;
}

/* Is a line passed over? One that is too long may have been cut off in its blanks. */
static bool is_empty(const char *line)
{
    const size_t blanks = strspn(line, " \t\r");
    return blanks <= LINE_MAX_BYTES && line[blanks] == '\0';
}

/* What is so long is no board and no question, and is not looked at. */
static pdb_status check_length(const char *line, pdb_error *error)
{
    if (strlen(line) <= LINE_MAX_BYTES)
        return PDB_OK;
    return error_set(error, PDB_BAD_BOARD, "the line is longer than %d bytes", LINE_MAX_BYTES);
}

/* A line that is no board, or no question, has an answer that says so, and a complaint with its number. */
static pdb_status write_complaint(const struct session *session, struct segment *segment, size_t line,
                                  const char *message, FILE *answers, FILE *complaints)
{
    pdb_error quoted; /* one line of proper UTF-8 */
    error_set(&quoted, PDB_BAD_BOARD, "%s", segment->line[line]);
    segment->worst = PDB_BAD_BOARD;
    fprintf(complaints, "pdb-query: line %llu: %s\n", (unsigned long long)(segment->first + line), message);
    if (session->options->json)
        return json_complaint(session, quoted.message, message, answers, &segment->error);
    text_complaint(quoted.message, message, answers);
    return PDB_OK;
}

/* What became of the lines: all boards among them one after another, and the line of each. */
struct boards {
    pdb_board board[SEGMENT];
    size_t line[SEGMENT], count;
};

static pdb_status read_line(const struct session *session, const char *line, pdb_board *board, pdb_error *error)
{
    const pdb_status status = check_length(line, error);
    return status == PDB_OK ? board_read(session, line, board, error) : status;
}

static pdb_status read_boards(const struct session *session, struct segment *segment, struct boards *boards)
{
    for (size_t i = 0; i < segment->lines; i++) {
        if (is_empty(segment->line[i]))
            continue;
        const pdb_status status = read_line(session, segment->line[i], &boards->board[boards->count], &segment->error);
        if (status == PDB_OK)
            boards->line[boards->count++] = i;
        else if (status != PDB_BAD_BOARD) /* a damaged database, say */
            return status;
    }
    return PDB_OK;
}

/* Finds out about one board, of which the distance may be known already, and writes it. */
static pdb_status answer_board(const struct session *session, struct segment *segment, const pdb_board *board,
                               const uint32_t *distance, struct finding *finding, FILE *answers)
{
    finding->board = *board;
    if (distance != NULL)
        finding->solution.distance = *distance;
    pdb_status status = (distance != NULL ? finding_complete : finding_solve)(session, finding, &segment->error);
    if (status == PDB_OK && finding->solution.distance == PDB_NO_DISTANCE && segment->worst == PDB_OK)
        segment->worst = PDB_UNREACHABLE;
    if (status == PDB_OK && session->options->question == ASK_HINT)
        status = finding_count_soon(session, finding, &segment->error);
    return status == PDB_OK ? write_answer(session, finding, answers, &segment->error) : status;
}

/* Why a line is no board: it is read once more for that. */
static pdb_status explain_line(const struct session *session, struct segment *segment, size_t line, FILE *answers,
                               FILE *complaints)
{
    pdb_board none;
    pdb_error error = {0};
    if (read_line(session, segment->line[line], &none, &error) == PDB_BAD_BOARD)
        return write_complaint(session, segment, line, error.message, answers, complaints);
    segment->error = error;
    return error.status;
}

/* Answers line by line; `distance` (may be NULL) has those of the boards. */
static pdb_status find_boards(const struct session *session, struct segment *segment, const struct boards *boards,
                              const uint32_t *distance, FILE *answers, FILE *complaints)
{
    struct finding finding = {0};
    pdb_status status = PDB_OK;
    for (size_t i = 0, next = 0; status == PDB_OK && i < segment->lines; i++) {
        if (next < boards->count && boards->line[next] == i) {
            status = answer_board(session, segment, &boards->board[next], distance != NULL ? &distance[next] : NULL,
                                  &finding, answers);
            next++;
        } else if (!is_empty(segment->line[i])) {
            status = explain_line(session, segment, i, answers, complaints);
        }
    }
    finding_free(&finding);
    return status;
}

static pdb_status answer_questions(const struct session *session, struct segment *segment, FILE *answers,
                                   FILE *complaints)
{
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < segment->lines; i++) {
        pdb_error error;
        if (is_empty(segment->line[i]))
            continue;
        status = check_length(segment->line[i], &error);
        if (status == PDB_OK)
            status = question_line(session, segment->line[i], answers, &segment->worst, &error);
        if (status == PDB_BAD_BOARD)
            status = write_complaint(session, segment, i, error.message, answers, complaints);
        else if (status != PDB_OK)
            segment->error = error;
    }
    return status;
}

/* All distances at once are the fastest; one after another they come as far as the first board whose page is damaged.
 * Damage in a table of keys makes the solver unsound for good: what is not answered by then has no answer. */
static pdb_status answer_boards(const struct session *session, struct segment *segment, FILE *answers, FILE *complaints)
{
    struct boards boards = {0};
    uint32_t distance[SEGMENT];
    const pdb_status status = read_boards(session, segment, &boards);
    if (status != PDB_OK)
        return status;
    const bool at_once = !session->searches && pdb_solver_distance(session->solver, boards.board, boards.count,
                                                                   distance, &segment->error) == PDB_OK;
    return find_boards(session, segment, &boards, at_once ? distance : NULL, answers, complaints);
}

static void answer_segment(const struct session *session, struct segment *segment)
{
    FILE *answers = open_memstream(&segment->answers, &segment->answers_size);
    FILE *complaints = open_memstream(&segment->complaints, &segment->complaints_size);
    if (answers == NULL || complaints == NULL)
        segment->status = error_no_memory(&segment->error, "answers", SEGMENT);
    else
        segment->status = (pdb_puzzle_enumerated(session->puzzle) ? answer_questions : answer_boards)(
            session, segment, answers, complaints);
    if (answers != NULL && fclose(answers) != 0 && segment->status == PDB_OK)
        segment->status = error_no_memory(&segment->error, "answers", segment->answers_size);
    if (complaints != NULL)
        fclose(complaints);
}

/* Puts a segment's answers out and takes its worst into account. */
static pdb_status put_segment(struct segment *segment, pdb_status *worst, pdb_error *error)
{
    fwrite(segment->complaints, 1, segment->complaints_size, stderr);
    fwrite(segment->answers, 1, segment->answers_size, stdout);
    if (segment->worst == PDB_BAD_BOARD || *worst == PDB_OK)
        *worst = segment->worst;
    return segment->status == PDB_OK ? PDB_OK : error_set(error, segment->status, "%s", segment->error.message);
}

/* Answers lines number `first` and on. */
static pdb_status answer_lines(const struct session *session, char **line, size_t lines, uint64_t first,
                               pdb_status *worst, pdb_error *error)
{
    const size_t share = session->searches ? 1 : SEGMENT; /* a search may take long: the others go on meanwhile */
    const size_t count = (lines + share - 1) / share;
    struct segment *segments = calloc(count + 1, sizeof *segments);
    if (segments == NULL)
        return error_no_memory(error, "boards", count * sizeof *segments);
#pragma omp parallel for schedule(dynamic, 1) num_threads((int)session->threads) if (count > 1)
    for (size_t s = 0; s < count; s++) {
        struct segment *segment = &segments[s];
        segment->line = line + s * share;
        segment->lines = lines - s * share < share ? lines - s * share : share;
        segment->first = first + s * share;
        answer_segment(session, segment);
    }
    pdb_status status = PDB_OK;
    for (size_t s = 0; s < count; s++) {
        if (status == PDB_OK)
            status = put_segment(&segments[s], worst, error);
        free(segments[s].answers);
        free(segments[s].complaints);
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
};

/* A NUL would end a line before its time: it becomes a character that is no symbol either. */
static void spoil_nuls(char *bytes, size_t count)
{
    for (char *nul; (nul = memchr(bytes, '\0', count)) != NULL; bytes = nul + 1) {
        *nul = '\1';
        count -= (size_t)(nul + 1 - bytes);
    }
}

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
    const bool too_long = input->used - begin > LINE_MAX_BYTES;
    if (begin < input->used && (last || too_long)) {
        input->bytes[input->used] = '\0';
        input->line[lines++] = input->bytes + begin;
        begin = input->used;
        input->skipping = too_long;
    }
    pdb_status status = PDB_OK;
    for (size_t done = 0; status == PDB_OK && done < lines; done += PIECE) {
        const size_t piece = lines - done < PIECE ? lines - done : PIECE;
        status = answer_lines(session, input->line + done, piece, input->lines_before + done + 1, worst, error);
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
    spoil_nuls(bytes, count);
    input->used += count;
}

pdb_status stream_answer(const struct session *session, pdb_status *worst, pdb_error *error)
{
    struct input input = {.bytes = malloc(ROOM + 1), .line = malloc((ROOM + 1) * sizeof *input.line)};
    pdb_status status = PDB_OK;
    *worst = PDB_OK;
    if (input.bytes == NULL || input.line == NULL)
        status = error_no_memory(error, "boards", ROOM);
    for (bool last = false; status == PDB_OK && !last;) {
        interrupt_release(); /* nothing is lost while it waits for a line */
        ssize_t got = read(STDIN_FILENO, input.bytes + input.used, ROOM - input.used);
        if (session->searches)
            interrupt_hold(false);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            status = error_set(error, PDB_IO, "standard input: %m");
        if (got > 0)
            take_bytes(&input, (size_t)got);
        last = got == 0;
        if (status == PDB_OK)
            status = answer_input(session, &input, last, worst, error);
    }
    free(input.bytes);
    free(input.line);
    return status;
}
