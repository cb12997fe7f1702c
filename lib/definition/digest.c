/* digest.c -- a digest of what a definition says, whatever it looks like */
#include "tree.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Every node begins with its kind and its size, so that no two trees give the same bytes. */
static void digest_frame(XXH3_state_t *state, char kind, uint64_t size)
{
    unsigned char frame[9] = {(unsigned char)kind};
    for (int i = 8; i > 0; i--, size >>= 8)
        frame[i] = (unsigned char)(size & 0xFF);
    XXH3_128bits_update(state, frame, sizeof frame);
}

static void digest_text(XXH3_state_t *state, const struct node *scalar)
{
    digest_frame(state, 's', scalar->count);
    XXH3_128bits_update(state, node_text(scalar), scalar->count);
}

static const char *const no_words[] = {NULL};

static pdb_status digest_node(XXH3_state_t *state, const struct node *node, const char *const except[],
                              pdb_error *error);

static pdb_status digest_mapping(XXH3_state_t *state, const struct node *mapping, const char *const except[],
                                 pdb_error *error)
{
    const struct node **keys;
    pdb_status status = node_sort_keys(mapping, &keys, error);
    if (status != PDB_OK)
        return status;
    size_t count = 0;
    for (size_t i = 0; i < mapping->count; i++)
        if (!word_is_among(node_text(keys[i]), except))
            keys[count++] = keys[i];
    digest_frame(state, 'm', count);
    for (size_t i = 0; status == PDB_OK && i < count; i++) {
        digest_text(state, keys[i]);
        status = digest_node(state, keys[i] + 1, no_words, error);
    }
    free(keys);
    return status;
}

static pdb_status digest_node(XXH3_state_t *state, const struct node *node, const char *const except[],
                              pdb_error *error)
{
    if (node->kind == NODE_MAPPING)
        return digest_mapping(state, node, except, error);
    if (node->kind == NODE_SCALAR) {
        digest_text(state, node);
        return PDB_OK;
    }
    digest_frame(state, 'l', node->count);
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < node->count; i++)
        status = digest_node(state, node_item(node, i), no_words, error);
    return status;
}

uint64_t digest_of_reading(const char *name, const uint8_t *bytes, size_t count)
{
    return XXH3_64bits_withSeed(bytes, count, XXH3_64bits(name, strlen(name)));
}

pdb_status definition_digest(const struct definition *definition, const char *const except[], uint64_t read_as,
                             uint8_t digest[DIGEST_BYTES], pdb_error *error)
{
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    pdb_status status = digest_node(&state, definition_root(definition), except, error);
    if (status != PDB_OK)
        return status;
    if (read_as != 0)
        digest_frame(&state, 'r', read_as);
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state));
    static_assert(sizeof canonical.digest == DIGEST_BYTES, "XXH3's 128 bits are our digest");
    memcpy(digest, canonical.digest, DIGEST_BYTES);
    return PDB_OK;
}
