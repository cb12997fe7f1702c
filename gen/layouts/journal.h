/* journal.h -- what is done of all layouts, line by line in a file, so that a later run goes on from there
 *
 * DIRECTORY/NAME.layouts/journal begins with a line that tells the definition; then each space has a line: the first
 * layout's number, distance (`-` for none), boards that are so far, states, solutions, board, and the other layouts of
 * the space, each as the difference to the one before. A line that a kill has cut off is dropped.
 */
#ifndef GEN_LAYOUTS_JOURNAL_H
#define GEN_LAYOUTS_JOURNAL_H

#include "layouts.h"

#include <stdio.h>

struct journal {
    char directory[PATH_MAX];
    FILE *file;
    bool replaced; /* another definition's layouts stood there */
};

/* Takes a line's outcome; its board and `covered` live as long as the call. */
typedef pdb_status journal_reader(void *context, uint32_t number, struct outcome *outcome, pdb_error *error);

/* Opens the journal of these layouts, made if there is none (or one of another definition), locks it, and hands over
 * what is in it. `anew`: what is there is forgotten. Errors: PDB_BUSY (another run has it), PDB_IO (also for a file of
 * that name that is no journal), PDB_NO_MEMORY. */
pdb_status journal_open(const struct layouts *layouts, const char *directory, bool anew, journal_reader *take,
                        void *context, struct journal *journal, pdb_error *error);

/* Adds a line, which a kill of the process leaves. Error: PDB_IO. */
pdb_status journal_add(struct journal *journal, uint32_t number, const struct outcome *outcome, pdb_error *error);

/* Makes sure that the disk has it, and closes it. Error: PDB_IO. */
pdb_status journal_close(struct journal *journal, pdb_error *error);

#endif
