/* progress.h -- a line on the terminal that says how far the work is */
#ifndef GEN_PROGRESS_H
#define GEN_PROGRESS_H

#include "lib/puzzle.h"
#include "lib/search/space/retrograde.h"
#include "common/progress_line.h"

struct progress {
    struct progress_line line; /* shown if standard error is a terminal and the user wants it */
    const char *puzzle;
    uint64_t states; /* that there are to be looked at; 0 where nobody knows beforehand */
};

/* `space` is what is searched; `name`, the puzzle's, outlives the progress. */
void progress_begin(struct progress *progress, bool wanted, const char *name, const struct puzzle *space);

/* How many states a search goes through, once they are numbered. */
void progress_expect(struct progress *progress, const struct puzzle *space);

/* A line of its own that stays, if progress is shown. */
__attribute__((format(printf, 2, 3))) void progress_say(struct progress *progress, const char *format, ...);

/* Redraws the line: for states that are looked for, for the search, for a share of the work, for bytes of the file. */
void progress_keys(struct progress *progress, uint64_t found, uint64_t expanded);
void progress_search(struct progress *progress, const struct retrograde_progress *search);
void progress_states(struct progress *progress, const char *doing, uint64_t done, uint64_t all);
void progress_share(struct progress *progress, const char *doing, double done);
void progress_bytes(struct progress *progress, const char *doing, uint64_t done, uint64_t total);

/* Takes the line away. */
void progress_end(struct progress *progress);

#endif
