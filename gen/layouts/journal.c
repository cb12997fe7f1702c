/* journal.c -- writes and reads the journal of layouts */
#include "journal.h"
#include "db/files.h"
#include "lib/memory/array.h"
#include "lib/error.h"
#include "lib/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_MAX = 128 };

static pdb_status refuse(const struct journal *journal, pdb_error *error)
{
    return error_set(error, PDB_IO, "%s/journal: %m", journal->directory);
}

/* The first line: of which definition and how many layouts, by this version's numbering. */
static pdb_status make_head(const struct layouts *layouts, char head[HEAD_MAX], pdb_error *error)
{
    static const char *const looks[] = {"title", "glyphs", "colours", "legend", "exit", NULL};
    uint8_t digest[DIGEST_BYTES];
    pdb_status status = definition_digest(layouts->definition, looks, 0, digest, error);
    size_t length = (size_t)snprintf(head, HEAD_MAX, "pdb layouts 1 %" PRIu64 " ", layouts->count);
    for (size_t i = 0; i < sizeof digest; i++)
        length += (size_t)snprintf(head + length, HEAD_MAX - length, "%02x", digest[i]);
    snprintf(head + length, HEAD_MAX - length, "\n");
    return status;
}

/* -- reading -- */

static const char digits[] = "0123456789";

/* A number that ends in `end`; false where there is none. */
static bool take_number(char **text, char end, unsigned __int128 *number)
{
    char *at = *text + strspn(*text, digits);
    if (at == *text || *at != end)
        return false;
    for (*number = 0; *text < at; ++*text)
        *number = *number * 10 + (unsigned)(**text - '0');
    ++*text;
    return true;
}

/* A line, without its newline, as an outcome; false where it is none. */
static bool read_line(const struct layouts *layouts, char *line, uint32_t *number, struct outcome *outcome)
{
    unsigned __int128 at, distance = LAYOUT_NONE, hardest, states, step;
    if (!take_number(&line, '\t', &at) || at >= layouts->count)
        return false;
    if (strncmp(line, "-\t", 2) == 0)
        line += 2;
    else if (!take_number(&line, '\t', &distance))
        return false;
    if (!take_number(&line, '\t', &hardest) || !take_number(&line, '\t', &states) ||
        !take_number(&line, '\t', &outcome->solutions))
        return false;
    char *tab = strchr(line, '\t');
    if (tab == NULL || tab - line >= BOARD_TEXT_MAX)
        return false;
    snprintf(outcome->board, sizeof outcome->board, "%.*s", (int)(tab - line), line);
    *number = (uint32_t)at;
    outcome->distance = (uint32_t)distance;
    outcome->hardest = (uint64_t)hardest;
    outcome->states = (uint64_t)states;
    for (line = tab + 1; *line != '\0' && take_number(&line, ' ', &step); at += step) {
        uint32_t *grown = array_grow(outcome->covered, outcome->covers, sizeof *grown);
        if (grown == NULL || at + step >= layouts->count)
            return false;
        outcome->covered = grown;
        grown[outcome->covers++] = (uint32_t)(at + step);
    }
    return *line == '\0' && outcome->covers > 0;
}

/* Hands all whole lines behind the first over; *end is where the last one ends. */
static pdb_status read_lines(const struct layouts *layouts, FILE *file, journal_reader *take, void *context, long *end,
                             pdb_error *error)
{
    struct outcome *outcome = malloc(sizeof *outcome);
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    pdb_status status = outcome == NULL ? error_no_memory(error, "a line", sizeof *outcome) : PDB_OK;
    while (status == PDB_OK && (length = getline(&line, &room, file)) > 0 && line[length - 1] == '\n') {
        uint32_t number;
        *outcome = (struct outcome){.distance = LAYOUT_NONE};
        line[length - 1] = '\0';
        const bool good = read_line(layouts, line, &number, outcome);
        if (good)
            status = take(context, number, outcome, error);
        outcome_free(outcome);
        if (!good)
            break;
        *end = ftell(file);
    }
    free(outcome);
    free(line);
    return status;
}

/* Looks whose journal it is: *end is where the first line ends, 0 where it is not that of these layouts. What is no
 * journal is left as it is. */
static pdb_status check_head(struct journal *journal, const char *head, long *end, pdb_error *error)
{
    static const char mark[] = "pdb layouts ";
    const size_t length = strlen(head);
    char first[HEAD_MAX];
    rewind(journal->file);
    const size_t got = fread(first, 1, length, journal->file);
    if (ferror(journal->file))
        return refuse(journal, error);
    if (memcmp(first, mark, got < strlen(mark) ? got : strlen(mark)) != 0)
        return error_set(error, PDB_IO, "%s/journal is no journal of layouts; move it away", journal->directory);
    journal->replaced = memcmp(first, head, got) != 0; /* what a kill has left of our own is none of another's */
    *end = got == length && !journal->replaced ? (long)length : 0;
    return PDB_OK;
}

/* Only a regular file ends. */
static pdb_status open_and_lock(const char *path, FILE **out, pdb_error *error)
{
    struct stat properties;
    const int file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0666);
    if (file < 0 || fstat(file, &properties) != 0) {
        const int reason = errno;
        if (file >= 0)
            close(file);
        return file_failed(error, "write", path, reason);
    }
    pdb_status status = S_ISREG(properties.st_mode)
                            ? file_lock(file, path, "making these layouts", error)
                            : error_set(error, PDB_IO, "cannot write %s: it is no regular file; remove it", path);
    if (status == PDB_OK && (*out = fdopen(file, "a+")) == NULL)
        status = file_failed(error, "write", path, errno);
    if (status != PDB_OK)
        close(file);
    return status;
}

pdb_status journal_open(const struct layouts *layouts, const char *directory, bool anew, journal_reader *take,
                        void *context, struct journal *journal, pdb_error *error)
{
    char path[PATH_MAX], head[HEAD_MAX];
    long end = 0;
    pdb_status status = make_head(layouts, head, error);
    *journal = (struct journal){0};
    const int length = snprintf(journal->directory, sizeof journal->directory, "%s/%s.layouts", directory,
                                layouts->name);
    if (status != PDB_OK)
        return status;
    if (length < 0 || length + (int)sizeof "/journal" > PATH_MAX)
        return error_set(error, PDB_IO, "%s: the path is too long", directory);
    snprintf(path, sizeof path, "%.*s/journal", length, journal->directory);
    if ((mkdir(directory, 0777) != 0 && errno != EEXIST) || (mkdir(journal->directory, 0777) != 0 && errno != EEXIST))
        return error_set(error, PDB_IO, "%s: %m", journal->directory);
    status = open_and_lock(path, &journal->file, error);
    if (status == PDB_OK)
        status = check_head(journal, head, &end, error);
    end = anew ? 0 : end;
    if (status == PDB_OK && end > 0)
        status = read_lines(layouts, journal->file, take, context, &end, error);
    if (status != PDB_OK)
        return status;
    if (ferror(journal->file) || ftruncate(fileno(journal->file), end) != 0 || fseek(journal->file, 0, SEEK_END) != 0 ||
        (end == 0 && fputs(head, journal->file) < 0) || fflush(journal->file) != 0)
        return refuse(journal, error);
    return PDB_OK;
}

/* -- writing -- */

pdb_status journal_add(struct journal *journal, uint32_t number, const struct outcome *outcome, pdb_error *error)
{
    char solutions[NUMBER_TEXT_MAX];
    uint32_t before = number;
    fprintf(journal->file, "%" PRIu32 "\t", number);
    if (outcome->distance == LAYOUT_NONE)
        fputs("-", journal->file);
    else
        fprintf(journal->file, "%" PRIu32, outcome->distance);
    fprintf(journal->file, "\t%" PRIu64 "\t%" PRIu64 "\t%s\t%s\t", outcome->hardest, outcome->states,
            digits_text(outcome->solutions, solutions), outcome->board);
    for (size_t i = 0; i < outcome->covers; i++) {
        fprintf(journal->file, "%" PRIu32 " ", outcome->covered[i] - before);
        before = outcome->covered[i];
    }
    putc('\n', journal->file);
    return fflush(journal->file) == 0 ? PDB_OK : refuse(journal, error);
}

pdb_status journal_close(struct journal *journal, pdb_error *error)
{
    pdb_status status = PDB_OK;
    if (journal->file == NULL)
        return PDB_OK;
    if (fflush(journal->file) != 0 || fdatasync(fileno(journal->file)) != 0)
        status = refuse(journal, error);
    if (fclose(journal->file) != 0 && status == PDB_OK)
        status = refuse(journal, error);
    return status;
}
