/* symbol_list.h -- the symbols that a definition lists: the values of slots, the alphabet of codes
 *
 * A list of symbols, or words in one text. A text of one word stands for its characters: abc; or if it is a range of
 * whole numbers or of letters, for what is in it: 1-9, a-f.
 */
#ifndef DEFINITION_SYMBOL_LIST_H
#define DEFINITION_SYMBOL_LIST_H

#include "definition.h"

/* Takes one symbol, which stands at the byte `offset` of the node, or comes of a range there. */
typedef pdb_status symbol_taker(void *to, const struct node *node, size_t offset, const char *symbol, size_t length,
                                pdb_error *error);

/* Hands over the symbols of a node, in their order, until one is refused. Errors: PDB_BAD_DEFINITION (no scalar or list
 * of scalars; a range that is none: 6-1, 1 - 6, A-z; one among other symbols); what `take` returns. */
pdb_status symbol_list_read(const struct node *node, symbol_taker *take, void *to, pdb_error *error);

#endif
