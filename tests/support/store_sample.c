#include "store_sample.h"
#include "db/page_checksum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char sample_directory[200], goat_path[300];

void sample_begin(void)
{
    make_directory(sample_directory);
    snprintf(goat_path, sizeof goat_path, "%s/goat.pdb", sample_directory);
}

void sample_end(void)
{
    remove_directory(sample_directory);
}

struct sample sample_make(uint64_t data_bytes, size_t depths, uint64_t hardest, uint64_t seed)
{
    struct sample sample = {0};
    uint64_t random = seed * 0x9E3779B97F4A7C15 + 1;
    size_t kept = hardest < STORE_HARDEST_MAX ? hardest : STORE_HARDEST_MAX;
    sample.data = malloc(data_bytes + 8);
    sample.histogram = malloc(depths * sizeof *sample.histogram);
    sample.hardest = malloc(kept * sizeof *sample.hardest);
    cr_assert(sample.data != NULL && sample.histogram != NULL && sample.hardest != NULL);
    for (uint64_t i = 0; i < data_bytes; i += 8) {
        uint64_t word = next_random(&random);
        memcpy(sample.data + i, &word, 8);
    }
    uint64_t reachable = hardest;
    for (size_t depth = 0; depth + 1 < depths; depth++)
        reachable += sample.histogram[depth] = next_random(&random) % 1000;
    sample.histogram[depths - 1] = hardest;
    for (size_t i = 0; i < kept; i++)
        sample.hardest[i] = 3 * i + seed % 3;
    sample.header = (struct store_header){.puzzle = "goat",
                                          .goal = "1,8,9,10,2 \"home\"",
                                          .metric = "a move is one piece by one cell \xE2\x80\x94 a step",
                                          .encoding = "mod3-5perbyte",
                                          .patterns = "",
                                          .generator = "pdb 0.1.0",
                                          .states = 3 * reachable + 5,
                                          .reachable = reachable,
                                          .data_bytes = data_bytes,
                                          .depths = depths,
                                          .histogram = sample.histogram,
                                          .hardest = hardest,
                                          .hardest_kept = kept,
                                          .hardest_states = sample.hardest};
    for (size_t i = 0; i < STORE_DIGEST_BYTES; i++)
        sample.header.definition[i] = (uint8_t)next_random(&random);
    return sample;
}

void sample_thin_out(struct sample *sample)
{
    for (uint64_t i = 0; i < sample->header.data_bytes; i++)
        sample->data[i] &= 0x81;
    sample->header.deflated = true;
}

void sample_free(struct sample *sample)
{
    free(sample->data);
    free(sample->histogram);
    free(sample->hardest);
}

pdb_status publish_as(const char *where, const char *name, const struct sample *sample, uint64_t *file_bytes,
                      pdb_error *error)
{
    struct store_writer *writer;
    pdb_status status = store_create(where, name, &writer, error);
    return status != PDB_OK ? status
                            : store_publish(writer, &sample->header, sample->data, &(struct store_task){.threads = 2},
                                            file_bytes, error);
}

void publish(const struct sample *sample)
{
    pdb_error error;
    cr_assert_eq(publish_as(sample_directory, "goat", sample, NULL, &error), PDB_OK, "%s", error.message);
}

struct store *open_store(void)
{
    struct store *store;
    pdb_error error;
    cr_assert_eq(store_open(goat_path, &store, &error), PDB_OK, "%s", error.message);
    return store;
}

bool same_header(const struct store *store, const struct sample *sample)
{
    const struct store_header *one = store_header(store), *other = &sample->header;
    return strcmp(one->puzzle, other->puzzle) == 0 &&
           memcmp(one->definition, other->definition, STORE_DIGEST_BYTES) == 0 && strcmp(one->goal, other->goal) == 0 &&
           strcmp(one->patterns, other->patterns) == 0 && strcmp(one->metric, other->metric) == 0 &&
           strcmp(one->encoding, other->encoding) == 0 && strcmp(one->generator, other->generator) == 0 &&
           one->states == other->states && one->reachable == other->reachable && one->data_bytes == other->data_bytes &&
           one->depths == other->depths && one->hardest == other->hardest && one->hardest_kept == other->hardest_kept &&
           memcmp(one->histogram, other->histogram, one->depths * 8) == 0 &&
           memcmp(one->hardest_states, other->hardest_states, one->hardest_kept * 8) == 0;
}

enum reading read_all(const struct store *store, const struct sample *sample)
{
    uint64_t run;
    pdb_error error;
    for (uint64_t offset = 0; offset < sample->header.data_bytes; offset += run) {
        const uint8_t *bytes = store_at(store, offset, &run, &error);
        if (bytes == NULL)
            return READ_REFUSED;
        if (run == 0 || run > sample->header.data_bytes - offset || memcmp(bytes, sample->data + offset, run) != 0)
            return READ_WRONG;
    }
    return READ_RIGHT;
}

void expect_refusal(pdb_status expected, const char *words)
{
    struct store *store;
    pdb_error error;
    pdb_status status = store_open(goat_path, &store, &error);
    cr_expect_eq(status, expected, "status %d, not %d (%s)", status, expected, error.message);
    if (status == PDB_OK)
        store_close(store);
    else
        cr_expect(strstr(error.message, words) != NULL && strstr(error.message, goat_path) != NULL,
                  "\"%s\" does not say \"%s\" of the file", error.message, words);
}

uint8_t *read_file(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    cr_assert(file != NULL, "%s", name);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*size + 1);
    cr_assert(bytes != NULL && fread(bytes, 1, *size, file) == *size);
    fclose(file);
    return bytes;
}

struct plain_lmdb lmdb_begin(unsigned flags, size_t map_bytes)
{
    struct plain_lmdb lmdb;
    cr_assert_eq(mdb_env_create(&lmdb.environment), 0);
    cr_assert_eq(mdb_env_set_mapsize(lmdb.environment, map_bytes), 0);
    cr_assert_eq(mdb_env_open(lmdb.environment, goat_path, flags | MDB_NOSUBDIR | MDB_NOLOCK, 0666), 0);
    cr_assert_eq(mdb_txn_begin(lmdb.environment, NULL, flags & MDB_RDONLY, &lmdb.transaction), 0);
    cr_assert_eq(mdb_dbi_open(lmdb.transaction, NULL, 0, &lmdb.database), 0);
    return lmdb;
}

void lmdb_end(struct plain_lmdb *lmdb)
{
    cr_assert_eq(mdb_txn_commit(lmdb->transaction), 0);
    mdb_env_close(lmdb->environment);
}

void forge(const struct forged *records, size_t count)
{
    unlink(goat_path);
    struct plain_lmdb lmdb = lmdb_begin(0, 1 << 20);
    for (size_t i = 0; i < count; i++) {
        char key[64];
        snprintf(key, sizeof key, "%s", records[i].key);
        uint8_t *value = malloc(value_bytes(records[i].size));
        cr_assert(value != NULL);
        value_seal(value, records[i].payload, records[i].size, value_seed(key, HEADER_IDENTITY));
        MDB_val lmdb_key = {strlen(key), key}, lmdb_value = {value_bytes(records[i].size), value};
        cr_assert_eq(mdb_put(lmdb.transaction, lmdb.database, &lmdb_key, &lmdb_value, 0), 0);
        free(value);
    }
    lmdb_end(&lmdb);
}

void expect_no_leftover(void)
{
    char temporary[320];
    snprintf(temporary, sizeof temporary, "%s.new", goat_path);
    cr_expect(access(temporary, F_OK) != 0, "%s was left behind", temporary);
}
