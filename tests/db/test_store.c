/* test_store.c -- the database: what is written is read again */
#include "db/page_checksum.h"
#include "tests/support/store_sample.h"

#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(store, .init = sample_begin, .fini = sample_end);

static pdb_error error;

/* -- layout -- */

Test(layout, lengths)
{
    uint64_t payload;
    cr_assert_eq(value_bytes(EXTENT_BYTES), 512 * 4096 - 16 - 8);
    for (uint64_t bytes = 1; bytes < 40000; bytes++) {
        cr_assert(value_payload(value_bytes(bytes), &payload) && payload == bytes, "%llu", (unsigned long long)bytes);
        for (uint64_t between = value_bytes(bytes) + 1; between < value_bytes(bytes + 1); between++)
            cr_assert(!value_payload(between, &payload), "%llu", (unsigned long long)between);
    }
    for (uint64_t bytes = 0; bytes < 9; bytes++)
        cr_assert(!value_payload(bytes, &payload));
    cr_assert(value_payload(value_bytes((uint64_t)1 << 31), &payload) && payload == (uint64_t)1 << 31);
}

/* The checksums are part of the format: these figures, got with Python's xxhash, must never change. */
Test(layout, checksums_stay)
{
    uint8_t payload[5000], value[6000];
    uint64_t sums[2];
    for (size_t i = 0; i < sizeof payload; i++)
        payload[i] = (uint8_t)(i * i >> 3);
    value_seal(value, payload, sizeof payload, value_seed("data 00000007", 0x0123456789ABCDEF));
    memcpy(sums, value + sizeof payload, sizeof sums);
    cr_expect_eq(sums[0], 0xBC52CEB02688F4FF, "%llx", (unsigned long long)sums[0]);
    cr_expect_eq(sums[1], 0x5E8165FF3848C45B, "%llx", (unsigned long long)sums[1]);
    cr_expect_eq(value_seed("header", HEADER_IDENTITY), 0x64E3261AA4C52CF7);
}

/* -- what is written is read -- */

static const uint64_t round_trip_bytes[] = {1,
                                            2,
                                            1900,
                                            2030,
                                            2100,
                                            4079,
                                            4080,
                                            4081,
                                            8175,
                                            8176,
                                            8177,
                                            680400,
                                            EXTENT_BYTES - 1,
                                            EXTENT_BYTES,
                                            EXTENT_BYTES + 1,
                                            2 * EXTENT_BYTES,
                                            3 * (uint64_t)EXTENT_BYTES + 12345,
                                            8 * (uint64_t)EXTENT_BYTES,
                                            17 * (uint64_t)EXTENT_BYTES + 77};

Test(store, round_trip)
{
    for (size_t i = 0; i < COUNT(round_trip_bytes); i++) {
        uint64_t bytes = round_trip_bytes[i], file_bytes, run, random = i + 1;
        struct sample sample = sample_make(bytes, 53, 7 + i, i);
        cr_assert_eq(publish_as(sample_directory, "goat", &sample, &file_bytes, &error), PDB_OK, "%s", error.message);
        expect_no_leftover();
        struct store *store = open_store();
        cr_expect(same_header(store, &sample), "header, %llu bytes", (unsigned long long)bytes);
        cr_expect_str_eq(store_file(store), goat_path);
        cr_expect_eq(store_file_bytes(store), file_bytes);
        cr_expect_leq(file_bytes, bytes + bytes / 400 + 16 * 4096, "%llu bytes make a file of %llu",
                      (unsigned long long)bytes, (unsigned long long)file_bytes);
        for (int look = 0; look < 5000; look++) { /* before anything was touched in order */
            uint64_t offset = next_random(&random) % bytes;
            const uint8_t *at = store_at(store, offset, &run, &error);
            cr_assert(at != NULL && *at == sample.data[offset] && run >= 1 && run <= 4096 && offset + run <= bytes);
        }
        cr_expect_eq(read_all(store, &sample), READ_RIGHT, "%llu bytes", (unsigned long long)bytes);
        for (unsigned threads = 0; threads <= 3; threads++)
            cr_expect_eq(store_verify(store, &(struct store_task){.threads = threads}, &error), PDB_OK, "%s",
                         error.message);
        cr_expect(store_at(store, bytes, &run, &error) == NULL);
        store_close(store);
        sample_free(&sample);
    }
}

/* The small records' own edges: packed in LMDB's leaf, in one page, in several, and a list cut at its greatest
 * length. */
Test(store, long_records)
{
    static const struct {
        size_t depths;
        uint64_t hardest;
    } cases[] = {{1, 1},     {2, 1},     {200, 200},   {253, 252},    {254, 254},    {255, 253},         {509, 510},
                 {510, 509}, {511, 511}, {1021, 9999}, {1022, 10000}, {5000, 10001}, {100000, 123456789}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct sample sample = sample_make(100, cases[i].depths, cases[i].hardest, i);
        publish(&sample);
        struct store *store = open_store();
        cr_expect(same_header(store, &sample), "case %zu", i);
        cr_expect_eq(store_verify(store, &(struct store_task){.threads = 2}, &error), PDB_OK, "%s", error.message);
        store_close(store);
        sample_free(&sample);
    }
}

/* Whatever the memory held before, wherever it is written, whatever stood there. */
Test(store, same_bytes)
{
    static const uint64_t lengths[] = {1, 5000, 680400, 3 * EXTENT_BYTES, 20 * (uint64_t)EXTENT_BYTES + 5};
    char other[300];
    snprintf(other, sizeof other, "%s/deep/er/and deeper", sample_directory);
    for (size_t i = 0; i < COUNT(lengths); i++) {
        size_t sizes[3];
        uint8_t *files[3];
        struct sample sample = sample_make(lengths[i], 20, 12345, i);
        char third[400];
        mallopt(M_PERTURB, 0x5A);
        publish(&sample);
        files[0] = read_file(goat_path, &sizes[0]);
        mallopt(M_PERTURB, 0xC3);
        publish(&sample);
        files[1] = read_file(goat_path, &sizes[1]);
        mallopt(M_PERTURB, 0);
        cr_assert_eq(publish_as(other, "x", &sample, NULL, &error), PDB_OK, "%s", error.message);
        snprintf(third, sizeof third, "%s/x.pdb", other);
        files[2] = read_file(third, &sizes[2]);
        for (int k = 1; k < 3; k++)
            cr_expect(sizes[k] == sizes[0] && memcmp(files[k], files[0], sizes[0]) == 0, "%llu bytes, file %d",
                      (unsigned long long)lengths[i], k);
        for (int k = 0; k < 3; k++)
            free(files[k]);
        sample_free(&sample);
    }
}

/* Data that come run by run, deflated or not. */
static const uint8_t *bytes_at(const void *context, uint64_t offset, uint64_t *run, pdb_error *ignored)
{
    const struct sample *sample = context;
    const uint64_t left = sample->header.data_bytes - offset;
    (void)ignored;
    *run = left < 70001 ? left : 70001;
    return sample->data + offset;
}

Test(store, same_bytes_from_a_source)
{
    static const uint64_t lengths[] = {5000, 680400, 5 * (uint64_t)EXTENT_BYTES + 5};
    for (size_t i = 0; i < 2 * COUNT(lengths); i++) {
        if (share() > 1 && (i / 2 + i) % 2 == 0)
            continue;
        size_t sizes[2];
        uint8_t *files[2];
        struct store_writer *writer;
        struct sample sample = sample_make(lengths[i / 2], 20, 12345, i);
        const struct store_task task = {.threads = 2};
        if (i % 2 > 0)
            sample_thin_out(&sample);
        sample.header.deflated = true;
        publish(&sample);
        files[0] = read_file(goat_path, &sizes[0]);
        cr_assert_eq(store_create(sample_directory, "goat", &writer, &error), PDB_OK, "%s", error.message);
        cr_assert_eq(
            store_publish_from(writer, &sample.header, &(struct byte_source){bytes_at, &sample}, &task, NULL, &error),
            PDB_OK, "%s", error.message);
        files[1] = read_file(goat_path, &sizes[1]);
        cr_expect(sizes[1] == sizes[0] && memcmp(files[1], files[0], sizes[0]) == 0, "%llu bytes",
                  (unsigned long long)lengths[i / 2]);
        cr_expect(i < 2 * COUNT(lengths) - 1 || sizes[0] < lengths[i / 2] * 2 / 3); /* it is deflated */
        free(files[0]);
        free(files[1]);
        sample_free(&sample);
    }
}

Test(store, permissions_follow_the_umask)
{
    struct stat properties;
    struct sample sample = sample_make(100, 3, 2, 0);
    umask(022);
    publish(&sample);
    cr_assert_eq(stat(goat_path, &properties), 0);
    cr_expect_eq(properties.st_mode & 07777, 0644);
    sample_free(&sample);
}

/* Any program with LMDB reads the file. */
Test(store, plain_lmdb)
{
    static const char *const keys[] = {"data 00000000", "data 00000001", "hardest", "header", "histogram"};
    struct sample sample = sample_make(EXTENT_BYTES + 100, 20, 5, 1);
    publish(&sample);
    struct plain_lmdb lmdb = lmdb_begin(MDB_RDONLY, 0);
    MDB_cursor *cursor;
    MDB_val key, value;
    cr_assert_eq(mdb_cursor_open(lmdb.transaction, lmdb.database, &cursor), 0);
    for (size_t i = 0; i < COUNT(keys); i++) {
        cr_assert_eq(mdb_cursor_get(cursor, &key, &value, MDB_NEXT), 0);
        cr_assert(key.mv_size == strlen(keys[i]) && memcmp(key.mv_data, keys[i], key.mv_size) == 0, "key %zu", i);
        if (i == 1)
            cr_expect(value.mv_size == 108 && memcmp(value.mv_data, sample.data + EXTENT_BYTES, 100) == 0);
    }
    cr_assert_eq(mdb_cursor_get(cursor, &key, &value, MDB_NEXT), MDB_NOTFOUND);
    mdb_cursor_close(cursor);
    lmdb_end(&lmdb);
    char lock[320];
    snprintf(lock, sizeof lock, "%s-lock", goat_path);
    cr_expect(access(lock, F_OK) != 0);
    sample_free(&sample);
}

struct reading_thread {
    const struct store *store;
    const struct sample *sample;
    uint64_t random;
    bool right;
};

static void *read_at_random(void *argument)
{
    struct reading_thread *thread = argument;
    pdb_error own;
    uint64_t run;
    thread->right = true;
    for (int i = 0; i < 200000; i++) {
        uint64_t offset = next_random(&thread->random) % thread->sample->header.data_bytes;
        const uint8_t *at = store_at(thread->store, offset, &run, &own);
        if (at == NULL || *at != thread->sample->data[offset])
            thread->right = false;
    }
    return NULL;
}

Test(store, eight_threads)
{
    struct sample sample = sample_make(3 * EXTENT_BYTES + 4000, 20, 5, 1);
    publish(&sample);
    struct store *store = open_store();
    pthread_t threads[8];
    struct reading_thread states[8];
    for (size_t i = 0; i < 8; i++) {
        states[i] = (struct reading_thread){store, &sample, i + 1, false};
        cr_assert_eq(pthread_create(&threads[i], NULL, read_at_random, &states[i]), 0);
    }
    for (size_t i = 0; i < 8; i++) {
        pthread_join(threads[i], NULL);
        cr_expect(states[i].right, "thread %zu", i);
    }
    store_close(store);
    sample_free(&sample);
}

Test(store, replaced_while_open)
{
    struct sample old = sample_make(50000, 20, 5, 1), new = sample_make(9 * EXTENT_BYTES, 20, 5, 2);
    publish(&old);
    struct store *store = open_store();
    publish(&new);
    cr_expect_eq(read_all(store, &old), READ_RIGHT);
    cr_expect_eq(store_verify(store, &(struct store_task){.threads = 2}, &error), PDB_OK, "%s", error.message);
    store_close(store);
    store = open_store();
    cr_expect_eq(read_all(store, &new), READ_RIGHT);
    store_close(store);
    sample_free(&old);
    sample_free(&new);
}
