/* open.c -- an open database: whose it is, and how its distances are read */
#include "lib/search/space/keyed.h"
#include "space.h"

#include <string.h>

enum space_owner space_owner(const struct store *store, const char *puzzle, const uint8_t definition[DIGEST_BYTES])
{
    const struct store_header *header = store_header(store);
    if (strcmp(header->puzzle, puzzle) != 0)
        return SPACE_OF_ANOTHER_PUZZLE;
    return memcmp(header->definition, definition, sizeof header->definition) == 0 ? SPACE_OURS
                                                                                  : SPACE_OF_ANOTHER_DEFINITION;
}

pdb_status space_misfit(const struct store *store, const char *puzzle, pdb_error *error)
{
    return error_set(error, PDB_DAMAGED, "%s does not fit the puzzle %s: generate it again (pdb-gen --force %s)",
                     store_file(store), puzzle, puzzle);
}

static const uint8_t *byte_in_store(const void *context, uint64_t offset, uint64_t *run, pdb_error *error)
{
    return store_at(context, offset, run, error);
}

/* Can a database hold distances of this puzzle, by encoding and counts? Of keys only the table can tell how many there
 * are. */
static bool fits(const struct space *space, const struct store_header *header)
{
    const enum encoding encoding = space->values.encoding;
    const uint64_t bytes = encoding_bytes(encoding, header->states);
    if (!encoding_fits(encoding, space->base))
        return false;
    return space->base->keyed ? header->data_bytes >= keyed_keys_offset(bytes)
                              : header->states == space->base->states && header->data_bytes == bytes;
}

/* Numbers the states by the table of keys behind the distances. */
static pdb_status adopt_keys(struct space *space, pdb_error *error)
{
    const struct store_header *header = &space->header;
    const uint64_t offset = keyed_keys_offset(encoding_bytes(space->values.encoding, header->states));
    struct keys *keys;
    pdb_status status = keys_open(space->values.source, offset, header->data_bytes - offset, header->states, &keys,
                                  error);
    if (status == PDB_OK)
        status = keyed_create(space->base, keys, &space->keyed, error);
    if (status == PDB_OK)
        space->puzzle = space->values.puzzle = space->keyed;
    return status;
}

pdb_status space_open(struct space *space, const struct store *store, pdb_error *error)
{
    const struct store_header *header = store_header(store);
    space->values = (struct values){
        .puzzle = space->puzzle, .source = {byte_in_store, store}, .depths = (uint32_t)header->depths};
    if (!encoding_by_name(header->encoding, &space->values.encoding) || !fits(space, header))
        return space_misfit(store, space->base->name, error);
    space->header = *header;
    return space->puzzle->keyed ? adopt_keys(space, error) : PDB_OK;
}
