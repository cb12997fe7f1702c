/* sample.h -- whether a space is searched by rows */
#ifndef SEARCH_SPACE_ROWS_SAMPLE_H
#define SEARCH_SPACE_ROWS_SAMPLE_H

#include "lib/search/space/retrograde.h"
#include "rows.h"

/* Explores some states of a keyed puzzle whose moves can be undone, and has the family make the kernel for such as
 * those. *out is NULL where there are few states, or rows would be thin: then the caller frees the sample. Error:
 * PDB_NO_MEMORY. */
pdb_status rows_plan(const struct puzzle *puzzle, bool portable, struct row_kernel **out, struct key_sample *sample,
                     pdb_error *error);

void key_sample_free(struct key_sample *sample);

#endif
