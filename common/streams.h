/* streams.h -- standard input, output and error of a program that may be started in any state, and terminals */
#ifndef COMMON_STREAMS_H
#define COMMON_STREAMS_H

#include "pdb.h"

#include <stdbool.h>

/* To be called before anything is opened. What a shell has closed (2>&-) is opened, so that no file of ours gets its
 * number and is written into as if it were standard error; to write to it or read from it still fails. A pipe that
 * nobody reads, and a file that may not grow, make writing fail and do not end the program without a word. */
void streams_prepare(void);

/* What is left of standard output is written. Errors: PDB_IO, also for what could not be written before. */
pdb_status streams_finish(pdb_error *error);

/* Is standard output a pipe that nobody reads any more? A reader who has seen enough is no error. */
bool streams_reader_left(void);

/* Is it a terminal that does more than print one line after another (TERM is set, and not dumb)? */
bool terminal_draws(int descriptor);

/* How many columns a line has: as $COLUMNS says, else as the terminal does, else 80. */
unsigned terminal_columns(int descriptor);

#endif
