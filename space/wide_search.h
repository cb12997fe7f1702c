/* wide_search.h -- single boards of puzzles with wide keys (puzzle.h)
 *
 * The searcher for any puzzle (lib/search/board/ida.h), on the puzzle that folded.h makes: a new one for every board,
 * so that the table of high parts holds what one search has met. Half of the memory of a search is that table's.
 */
#ifndef SPACE_WIDE_SEARCH_H
#define SPACE_WIDE_SEARCH_H

#include "lib/search/board/search.h"

/* For puzzles with wide keys whose moves all cost the same. Where the table is full, a search ends with PDB_NO_MEMORY.
 */
extern const struct searcher_class wide_searcher;

#endif
