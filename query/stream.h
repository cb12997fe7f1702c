/* stream.h -- what the two files that answer lines share: stream.c and stream_cards.c, where each is a puzzle */
#ifndef QUERY_STREAM_H
#define QUERY_STREAM_H

#include "answer.h"

enum { STREAM_LINE_MAX = 1 << 16 }; /* bytes */

/* A run of lines, and what came of them. */
struct segment {
    const struct session *session;
    char **line; /* NUL-terminated */
    size_t lines;
    uint64_t first; /* the first one's number */
    FILE *out, *complaints;
    char *out_text, *complaints_text;
    size_t out_size, complaints_size;
    pdb_status worst, status;
    pdb_error error;
};

/* Is a line passed over? */
bool stream_is_empty(const char *line);

/* What is too long is no board and no question, and is not looked at: PDB_BAD_BOARD. */
pdb_status stream_check_length(const char *line, pdb_error *error);

/* A complaint about a line, with its number. */
void stream_complain(struct segment *segment, size_t line, const char *message);
/* A line that is no board, or no question: the complaint, and an answer that says so. */
pdb_status stream_refuse(struct segment *segment, size_t line, const char *message);

/* -- stream_cards.c -- */

/* Answers lines each of which is a puzzle of its own, with its board. */
pdb_status stream_answer_cards(struct segment *segment);

#endif
