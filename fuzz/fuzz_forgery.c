/* fuzz_forgery.c -- databases that were changed by somebody who knows how to make the checksums right
 *
 * An input picks a good database and lists edits: of the header's fields, the histogram, the list of the hardest
 * states, the data, what is kept of them where they are deflated, and, behind the checksums' back, of the file.
 * Afterwards sums and counts in the header are made to agree again, unless the input wants them as they are, and every
 * checksum is made anew. So what is reached is all that stands behind the checksums. Answers may then be wrong, for the
 * forger has signed them; but they come.
 */
#include "bases.h"
#include "db/deflated.h"
#include "db/page_checksum.h"
#include "db/store_header.h"
#include "lib/numbers.h"

#include <lmdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DATA_MAX = 1 << 20,
    DEPTHS_MAX = 600,
    HARDEST_MAX = 400,
    TEXT_MAX = 300,
    TEXTS = 6,
    PATCHES_MAX = 16,
    KEEP_COUNTS = 0x80 /* in an input's first byte: counts stay as they are */
};

/* A change of bytes at a place that is known only later. */
struct patch {
    uint32_t offset;
    size_t size;
    const uint8_t *bytes;
};

struct forgery {
    struct store_header header;
    char text[TEXTS][TEXT_MAX];
    uint8_t *data;
    uint64_t histogram[DEPTHS_MAX], hardest[HARDEST_MAX];
    size_t json_patches, kept_patches, file_patches;
    struct patch json[PATCHES_MAX], kept[PATCHES_MAX], file[PATCHES_MAX];
    int64_t longer; /* the file, in the end */
};

/* -- the edits -- */

struct input {
    const uint8_t *at;
    size_t left;
};

static uint64_t take(struct input *input, size_t bytes)
{
    uint64_t number = 0;
    for (size_t i = 0; i < bytes && input->left > 0; i++, input->at++, input->left--)
        number |= (uint64_t)*input->at << 8 * i;
    return number;
}

static void patch(struct patch *list, size_t *count, uint32_t offset, const uint8_t *bytes, size_t size)
{
    if (*count < PATCHES_MAX)
        list[(*count)++] = (struct patch){offset, size, bytes};
}

static uint64_t number_of(const uint8_t *bytes, size_t size)
{
    struct input input = {bytes, size};
    return take(&input, 8);
}

static void edit_text(struct forgery *forgery, unsigned which, const uint8_t *bytes, size_t size)
{
    char *text = forgery->text[which % TEXTS];
    memcpy(text, bytes, size);
    text[size] = '\0';
}

static void edit_number(struct forgery *forgery, unsigned which, uint64_t number)
{
    struct store_header *header = &forgery->header;
    uint64_t *const numbers[] = {&header->states, &header->reachable, &header->hardest};
    *numbers[which % 3] = number;
}

static void edit(struct forgery *forgery, struct input *input)
{
    struct store_header *header = &forgery->header;
    const unsigned action = (unsigned)take(input, 1);
    const uint32_t offset = (uint32_t)take(input, 3);
    size_t size = take(input, 1);
    const uint8_t *bytes = input->at;
    size = size < input->left ? size : input->left;
    input->at += size;
    input->left -= size;
    switch (action % 13) {
    case 0:
    case 1:
        for (size_t i = 0; i < size; i++)
            forgery->data[(offset + i) % header->data_bytes] = bytes[i];
        break;
    case 2:
        header->data_bytes = 1 + offset % DATA_MAX;
        break;
    case 3:
        forgery->histogram[offset % header->depths] = number_of(bytes, size);
        break;
    case 4:
        header->depths = 1 + offset % DEPTHS_MAX;
        break;
    case 5:
        forgery->hardest[offset % HARDEST_MAX] = number_of(bytes, size);
        break;
    case 6:
        header->hardest_kept = 1 + offset % HARDEST_MAX;
        break;
    case 7:
        edit_number(forgery, offset, number_of(bytes, size));
        break;
    case 8:
        edit_text(forgery, offset, bytes, size);
        break;
    case 9:
        patch(forgery->json, &forgery->json_patches, offset, bytes, size);
        break;
    case 10:
        patch(forgery->file, &forgery->file_patches, offset, bytes, size);
        break;
    case 11:
        patch(forgery->kept, &forgery->kept_patches, offset, bytes, size);
        break;
    default:
        forgery->longer = (int16_t)offset;
        break;
    }
}

/* Counts and sums as a reader wants them. */
static void make_agree(struct forgery *forgery)
{
    struct store_header *header = &forgery->header;
    header->reachable = 0;
    for (size_t d = 0; d < header->depths; d++) {
        forgery->histogram[d] %= 1ull << 50;
        header->reachable += forgery->histogram[d];
    }
    header->hardest = forgery->histogram[header->depths - 1];
    if (header->hardest_kept > header->hardest)
        header->hardest_kept = header->hardest;
    for (size_t i = 0; header->states > 0 && i < header->hardest_kept; i++)
        forgery->hardest[i] %= header->states;
    sort_numbers(forgery->hardest, header->hardest_kept);
}

static void begin(struct forgery *forgery, const struct base *base)
{
    struct store_header *header = &forgery->header;
    const struct store_header *good = store_header(base->store);
    const char *const texts[TEXTS] = {good->puzzle,   good->goal,     good->metric,
                                      good->encoding, good->patterns, good->generator};
    *header = *good;
    header->depths = good->depths < DEPTHS_MAX ? good->depths : DEPTHS_MAX;
    header->hardest_kept = good->hardest_kept < HARDEST_MAX ? good->hardest_kept : HARDEST_MAX;
    for (size_t i = 0; i < TEXTS; i++)
        snprintf(forgery->text[i], TEXT_MAX, "%s", texts[i]);
    demand(good->data_bytes <= DATA_MAX, "a base is too large");
    memcpy(forgery->data, base->data, good->data_bytes);
    memset(forgery->data + good->data_bytes, 0, DATA_MAX - good->data_bytes);
    memcpy(forgery->histogram, good->histogram, header->depths * sizeof *good->histogram);
    memcpy(forgery->hardest, good->hardest_states, header->hardest_kept * sizeof *good->hardest_states);
    header->histogram = forgery->histogram;
    header->hardest_states = forgery->hardest;
    header->puzzle = forgery->text[0];
    header->goal = forgery->text[1];
    header->metric = forgery->text[2];
    header->encoding = forgery->text[3];
    header->patterns = forgery->text[4];
    header->generator = forgery->text[5];
}

/* -- the file -- */

static void put(MDB_txn *transaction, MDB_dbi database, const char *key, uint64_t identity, const void *payload,
                uint64_t bytes)
{
    char name[EXTENT_KEY_SIZE];
    snprintf(name, sizeof name, "%s", key);
    uint8_t *value = malloc(value_bytes(bytes));
    demand(value != NULL, "no memory");
    value_seal(value, payload, bytes, value_seed(key, identity));
    MDB_val lmdb_key = {strlen(name), name}, lmdb_value = {value_bytes(bytes), value};
    demand(mdb_put(transaction, database, &lmdb_key, &lmdb_value, 0) == 0, "LMDB refuses a value");
    free(value);
}

static void put_header(const struct forgery *forgery, MDB_txn *transaction, MDB_dbi database)
{
    char *json;
    size_t size;
    pdb_error error;
    if (header_to_json(&forgery->header, &json, &size, &error) != PDB_OK) { /* a text that is not UTF-8 */
        put(transaction, database, "header", HEADER_IDENTITY, "{}", 2);
        return;
    }
    for (size_t i = 0; i < forgery->json_patches; i++)
        for (size_t b = 0; b < forgery->json[i].size; b++)
            json[(forgery->json[i].offset + b) % size] = (char)forgery->json[i].bytes[b];
    put(transaction, database, "header", HEADER_IDENTITY, json, size);
    free(json);
}

/* Deflates the data where those of the base are and it helps; the bytes are the caller's to free, or NULL. */
static uint8_t *deflate(struct forgery *forgery)
{
    struct store_header *header = &forgery->header;
    uint8_t *kept = NULL;
    pdb_error error;
    const bool deflated = header->deflated;
    header->kept_bytes = header->data_bytes;
    demand(!deflated ||
               deflate_data(forgery->data, header, &(struct store_task){.threads = 1}, NULL, &kept, &error) == PDB_OK,
           "data are not deflated");
    for (size_t i = 0; kept != NULL && i < forgery->kept_patches; i++)
        for (size_t b = 0; b < forgery->kept[i].size; b++)
            kept[(forgery->kept[i].offset + b) % header->kept_bytes] = forgery->kept[i].bytes[b];
    return kept;
}

static void write_lmdb(struct forgery *forgery, const char *path)
{
    const struct store_header *header = &forgery->header;
    uint8_t *kept = deflate(forgery);
    const uint64_t identity = definition_identity(header->definition);
    MDB_env *environment = NULL;
    MDB_txn *transaction = NULL;
    MDB_dbi database = 0;
    char key[EXTENT_KEY_SIZE];
    remove(path);
    demand(mdb_env_create(&environment) == 0 && mdb_env_set_mapsize(environment, 4 * DATA_MAX) == 0 &&
               mdb_env_open(environment, path, MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOSYNC, 0600) == 0 &&
               mdb_txn_begin(environment, NULL, 0, &transaction) == 0 &&
               mdb_dbi_open(transaction, NULL, 0, &database) == 0,
           "LMDB makes no file");
    extent_key(0, key);
    put(transaction, database, key, identity, kept != NULL ? kept : forgery->data, header->kept_bytes);
    free(kept);
    put(transaction, database, "hardest", identity, forgery->hardest, header->hardest_kept * 8);
    put(transaction, database, "histogram", identity, forgery->histogram, header->depths * 8);
    put_header(forgery, transaction, database);
    demand(mdb_txn_commit(transaction) == 0, "LMDB writes no file");
    mdb_env_close(environment);
}

/* What no checksum guards: LMDB's own pages, the file's length. */
static void spoil_file(const struct forgery *forgery, const char *path)
{
    if (forgery->file_patches == 0 && forgery->longer == 0)
        return;
    FILE *file = fopen(path, "rb");
    demand(file != NULL && fseek(file, 0, SEEK_END) == 0, "a file cannot be read");
    const int64_t size = ftell(file), wanted = size + forgery->longer > 0 ? size + forgery->longer : 0;
    rewind(file);
    uint8_t *bytes = calloc((size_t)(size > wanted ? size : wanted) + 1, 1);
    demand(bytes != NULL && fread(bytes, 1, (size_t)size, file) == (size_t)size, "a file cannot be read");
    fclose(file);
    for (size_t i = 0; i < forgery->file_patches; i++)
        for (size_t b = 0; b < forgery->file[i].size; b++)
            bytes[(forgery->file[i].offset + b) % (size_t)size] = forgery->file[i].bytes[b];
    write_file(path, bytes, (size_t)wanted);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct forgery forgery;
    static uint8_t forged[DATA_MAX];
    char path[300], name[80];
    struct input input = {data, size};
    const unsigned choice = (unsigned)take(&input, 1);
    const size_t number = choice & ~(unsigned)KEEP_COUNTS; /* those at the end are slow: they have no second number */
    const struct base *base = base_get(number < base_count() ? number : number % 5);
    memset(&forgery, 0, sizeof forgery);
    forgery.data = forged;
    begin(&forgery, base);
    while (input.left > 0)
        edit(&forgery, &input);
    if ((choice & KEEP_COUNTS) == 0)
        make_agree(&forgery);
    snprintf(name, sizeof name, "%s.pdb", base->puzzle->name);
    scratch_path(name, path, sizeof path);
    write_lmdb(&forgery, path);
    spoil_file(&forgery, path);
    exercise_store(path);
    exercise_solver(base->puzzle, scratch_directory());
    return 0;
}
