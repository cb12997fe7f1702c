/* json.h -- building JSON with Jansson, for the files that write answers
 *
 * Jansson's functions take NULL where an earlier one found no memory, and then fail too: an object or an array to which
 * something could not be added is NULL from then on, and it is enough to look at the end.
 */
#ifndef QUERY_FORMS_JSON_H
#define QUERY_FORMS_JSON_H

#include "forms.h"

#include <jansson.h>

/* What every object begins with: {"puzzle":"goat"}. */
json_t *json_object_for(const struct asked *asked);

/* Adds a value, which belongs to the object or the array from then on. */
void json_put(json_t **object, const char *name, json_t *value);
void json_append(json_t **array, json_t *value);

/* A board as a text. */
json_t *json_board(const pdb_puzzle *puzzle, const pdb_board *board);

/* Writes an object and a newline, and frees it. Errors: PDB_NO_MEMORY. */
pdb_status json_write(json_t *object, FILE *out, pdb_error *error);

#endif
