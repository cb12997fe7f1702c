/* tables.h -- the bytes of a pattern database, for searches (lib/search/board/patterns.h)
 *
 * A search for a board near the goal looks at some thousand entries, of billions: they are looked up in the file, each
 * page checked at its first touch. One that looks at many has all of them read into memory, checked as well, where
 * look-ups at random cost least: once, for all searches. Which of both is the searcher's to say; what is looked up in
 * the file takes no memory, so that a search goes on there where memory is short.
 */
#ifndef SPACE_TABLES_H
#define SPACE_TABLES_H

#include "db/store.h"
#include "lib/search/board/patterns.h"

struct tables;

/* Of a store whose data are tables, not deflated, and which must outlive them; so many threads read them. `memory`: the
 * bytes that they may take; 0: any. The caller frees *out with tables_free. Error: PDB_NO_MEMORY. */
pdb_status tables_open(const struct store *store, unsigned threads, uint64_t memory, struct tables **out,
                       pdb_error *error);
void tables_free(struct tables *tables);

/* What searches ask; it lives as long as the tables. */
const struct pattern_source *tables_source(const struct tables *tables);

#endif
