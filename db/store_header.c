/* store_header.c -- what a header must be like, and its form in the file
 *
 * One table says which fields there are, in the order of the file; writing and reading both go through it.
 */
#include "store_header.h"
#include "deflated.h"
#include "files.h"
#include "lib/text.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum field_kind { FIELD_TEXT, FIELD_NUMBER, FIELD_DIGEST };

struct field {
    const char *key;
    enum field_kind kind;
    size_t offset; /* in struct store_header */
};

static const struct field fields[] = {
    {"puzzle", FIELD_TEXT, offsetof(struct store_header, puzzle)},
    {"definition", FIELD_DIGEST, offsetof(struct store_header, definition)},
    {"goal", FIELD_TEXT, offsetof(struct store_header, goal)},
    {"metric", FIELD_TEXT, offsetof(struct store_header, metric)},
    {"encoding", FIELD_TEXT, offsetof(struct store_header, encoding)},
    {"patterns", FIELD_TEXT, offsetof(struct store_header, patterns)},
    {"generator", FIELD_TEXT, offsetof(struct store_header, generator)},
    {"states", FIELD_NUMBER, offsetof(struct store_header, states)},
    {"reachable", FIELD_NUMBER, offsetof(struct store_header, reachable)},
    {"data_bytes", FIELD_NUMBER, offsetof(struct store_header, data_bytes)},
    {"kept_bytes", FIELD_NUMBER, offsetof(struct store_header, kept_bytes)},
    {"depths", FIELD_NUMBER, offsetof(struct store_header, depths)},
    {"hardest", FIELD_NUMBER, offsetof(struct store_header, hardest)},
    {"hardest_kept", FIELD_NUMBER, offsetof(struct store_header, hardest_kept)},
    {"content", FIELD_DIGEST, offsetof(struct store_header, content)},
};

enum { FIELD_COUNT = sizeof fields / sizeof fields[0], DIGEST_TEXT_BYTES = 2 * STORE_DIGEST_BYTES };

static_assert(sizeof(size_t) == sizeof(uint64_t), "the table takes a size_t for a number of 64 bits");

/* -- rules -- */

/* Texts are shown: what would control a terminal is none. */
static bool text_allowed(const char *text)
{
    return text != NULL && strnlen(text, STORE_TEXT_MAX + 1) <= STORE_TEXT_MAX && text_is_plain(text);
}

const char *header_fault(const struct store_header *header)
{
    if (header->puzzle == NULL || !file_name_allowed(header->puzzle))
        return "the puzzle's name is not allowed";
    if (!text_allowed(header->goal) || !text_allowed(header->metric) || !text_allowed(header->encoding) ||
        !text_allowed(header->patterns) || !text_allowed(header->generator))
        return "a text is missing, too long, or not plain text";
    if (header->states == 0 || header->states > INT64_MAX)
        return "the number of states is out of range";
    if (header->reachable == 0 || header->reachable > INT64_MAX)
        return "the number of reachable states is out of range";
    if (header->data_bytes == 0 || header->data_bytes > INT64_MAX)
        return "the number of data bytes is out of range";
    if (header->kept_bytes != header->data_bytes && !deflated_fits(header->kept_bytes, header->data_bytes))
        return "the number of kept bytes is out of range";
    if (header->depths == 0 || header->depths > STORE_DEPTHS_MAX)
        return "the number of depths is out of range";
    if (header->hardest == 0 || header->hardest > header->reachable)
        return "the number of hardest states is out of range";
    if (header->hardest_kept == 0 || header->hardest_kept > header->hardest || header->hardest_kept > STORE_HARDEST_MAX)
        return "the list of hardest states has the wrong length";
    return NULL;
}

const char *header_arrays_fault(const struct store_header *header)
{
    uint64_t left = header->reachable;
    for (size_t depth = 0; depth < header->depths; depth++) {
        if (header->histogram[depth] > left)
            return "the histogram's sum is not the number of reachable states";
        left -= header->histogram[depth];
    }
    if (left != 0)
        return "the histogram's sum is not the number of reachable states";
    if (header->histogram[header->depths - 1] != header->hardest)
        return "the histogram does not end with the number of hardest states";
    for (size_t i = 0; i < header->hardest_kept; i++)
        if (header->hardest_states[i] >= header->states ||
            (i > 0 && header->hardest_states[i] <= header->hardest_states[i - 1]))
            return "the hardest states are not in ascending order, or one is out of range";
    return NULL;
}

/* jansson does not say whether it was memory that failed it, but then malloc has set errno. */
static bool memory_ran_out(void)
{
    return errno == ENOMEM;
}

/* -- writing -- */

const char *store_digest_text(const uint8_t digest[STORE_DIGEST_BYTES], char text[DIGEST_TEXT_BYTES + 1])
{
    for (size_t i = 0; i < STORE_DIGEST_BYTES; i++)
        sprintf(text + 2 * i, "%02x", digest[i]);
    return text;
}

static json_t *field_to_json(const struct store_header *header, const struct field *field)
{
    const char *place = (const char *)header + field->offset;
    char digits[DIGEST_TEXT_BYTES + 1];
    switch (field->kind) {
    case FIELD_TEXT:
        return json_string(*(const char *const *)place);
    case FIELD_NUMBER:
        return json_integer((json_int_t) * (const uint64_t *)place);
    case FIELD_DIGEST:
        return json_string(store_digest_text((const uint8_t *)place, digits));
    }
    return NULL;
}

pdb_status header_to_json(const struct store_header *header, char **out, size_t *size, pdb_error *error)
{
    errno = 0;
    json_t *root = json_object();
    bool made = root != NULL && json_object_set_new(root, "format", json_integer(STORE_FORMAT)) == 0;
    for (size_t i = 0; made && i < FIELD_COUNT; i++) {
        json_t *value = field_to_json(header, &fields[i]);
        if (value == NULL && !memory_ran_out()) {
            json_decref(root);
            return error_set(error, PDB_BAD_USAGE, "the header of %s: \"%s\" is not UTF-8", header->puzzle,
                             fields[i].key);
        }
        made = json_object_set_new(root, fields[i].key, value) == 0;
    }
    char *text = made ? json_dumps(root, JSON_COMPACT) : NULL;
    json_decref(root);
    if (text == NULL)
        return error_no_memory(error, "the header", STORE_TEXT_MAX);
    *out = text;
    *size = strlen(text);
    return PDB_OK;
}

/* -- reading -- */

static bool digest_from_json(const json_t *value, uint8_t digest[STORE_DIGEST_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    if (!json_is_string(value) || json_string_length(value) != DIGEST_TEXT_BYTES)
        return false;
    const char *text = json_string_value(value);
    if (strspn(text, digits) != DIGEST_TEXT_BYTES)
        return false;
    for (size_t i = 0; i < STORE_DIGEST_BYTES; i++)
        digest[i] = (uint8_t)((strchr(digits, text[2 * i]) - digits) << 4 | (strchr(digits, text[2 * i + 1]) - digits));
    return true;
}

static bool field_from_json(const json_t *value, struct store_header *header, const struct field *field)
{
    char *place = (char *)header + field->offset;
    switch (field->kind) {
    case FIELD_TEXT:
        if (!json_is_string(value))
            return false;
        *(const char **)place = json_string_value(value);
        return true;
    case FIELD_NUMBER:
        if (!json_is_integer(value) || json_integer_value(value) < 0)
            return false;
        *(uint64_t *)place = (uint64_t)json_integer_value(value);
        return true;
    case FIELD_DIGEST:
        return digest_from_json(value, (uint8_t *)place);
    }
    return false;
}

/* Whether a header is written as header_to_json writes it, which there is one way to do. */
static pdb_status check_canonical(const struct store_header *header, const void *text, size_t size, const char *path,
                                  pdb_error *error)
{
    char *canonical;
    size_t canonical_size;
    pdb_status status = header_to_json(header, &canonical, &canonical_size, error);
    if (status == PDB_BAD_USAGE)
        return file_damaged(error, path, "is damaged (its header has a text that is not UTF-8)");
    if (status != PDB_OK)
        return status;
    const bool same = canonical_size == size && memcmp(canonical, text, size) == 0;
    free(canonical);
    return same ? PDB_OK : file_damaged(error, path, "is damaged (its header is not laid out as it has to be)");
}

static pdb_status read_json(const void *text, size_t size, const char *path, struct store_header *header, json_t **out,
                            pdb_error *error)
{
    errno = 0;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, NULL);
    pdb_status status = PDB_OK;
    if (!json_is_object(root))
        status = memory_ran_out() ? error_no_memory(error, "the header", size)
                                  : file_damaged(error, path, "is damaged (its header is no JSON object)");
    /* The format comes before all else: a header of another format may look as it likes. */
    const json_t *format = json_object_get(root, "format");
    const json_int_t found = json_integer_value(format);
    if (status == PDB_OK && !json_is_integer(format))
        status = file_damaged(error, path, "is damaged (its header says no format)");
    else if (status == PDB_OK && found != STORE_FORMAT)
        status = file_damaged(error, path,
                              "was made by %s version of pdb: its format is %lld, this program reads format %d",
                              found > STORE_FORMAT ? "a newer" : "an older", (long long)found, STORE_FORMAT);
    for (size_t i = 0; status == PDB_OK && i < FIELD_COUNT; i++)
        if (!field_from_json(json_object_get(root, fields[i].key), header, &fields[i]))
            status = file_damaged(error, path, "is damaged (its header's \"%s\" is missing or makes no sense)",
                                  fields[i].key);
    if (status == PDB_OK && json_object_size(root) != FIELD_COUNT + 1)
        status = file_damaged(error, path, "is damaged (its header has a key too many)");
    header->deflated = header->kept_bytes != header->data_bytes;
    const char *fault = status == PDB_OK ? header_fault(header) : NULL;
    if (fault != NULL)
        status = file_damaged(error, path, "is damaged (its header: %s)", fault);
    if (status == PDB_OK)
        status = check_canonical(header, text, size, path, error);
    if (status == PDB_OK)
        *out = root;
    else
        json_decref(root);
    return status;
}

pdb_status header_from_json(const void *text, size_t size, const char *path, struct store_header *header, json_t **out,
                            pdb_error *error)
{
    pdb_status status = read_json(text, size, path, header, out, error);
    /* Where memory is short jansson drops characters and does not say so: what looks damaged is read once more. */
    return status == PDB_DAMAGED ? read_json(text, size, path, header, out, error) : status;
}
