/* store_header.h -- what a header must be like, and its form in the file: a JSON object
 *
 * Used by the writer, which refuses a header that no reader would take, and by the reader, which trusts nothing that it
 * reads.
 */
#ifndef DB_STORE_HEADER_H
#define DB_STORE_HEADER_H

#include "store.h"

#include <jansson.h>

/* The greatest number of layers that a histogram tells of. */
enum { STORE_DEPTHS_MAX = 1 << 24 };

/* What is wrong with the header's texts and numbers, in words, or NULL. Looks at neither array. */
const char *header_fault(const struct store_header *header);

/* The same for the histogram and the hardest states, after header_fault found nothing. */
const char *header_arrays_fault(const struct store_header *header);

/* The header as JSON: compact, its keys in one order, so that equal headers are equal bytes. To be freed with free.
 * PDB_BAD_USAGE where a text is not UTF-8. */
pdb_status header_to_json(const struct store_header *header, char **out, size_t *size, pdb_error *error);

/* Reads the JSON of the database `path` into *header, all but the arrays. The texts belong to *out, to be freed with
 * json_decref. */
pdb_status header_from_json(const void *text, size_t size, const char *path, struct store_header *header, json_t **out,
                            pdb_error *error);

#endif
