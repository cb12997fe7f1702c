/* test_store.c -- the database: what is written is read again, and nothing else is
 *
 * Each test works in a directory of its own under $TMPDIR. LMDB is opened inside the tests, for each is a process of its own.
 */
#include "lmdb_check.h"
#include "page_checksum.h"
#include "store.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <lmdb.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* -- what the tests stand on -- */

static char directory[200];
static char path[300]; /* DIRECTORY/goat.pdb */
static pdb_error error;

static void make_directory(void)
{
    const char *base = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%.150s/pdb-test-store-XXXXXX", base != NULL ? base : "/tmp");
    cr_assert(mkdtemp(directory) != NULL);
    snprintf(path, sizeof path, "%s/goat.pdb", directory);
}

static void remove_directory(void)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", directory);
    cr_expect(system(command) == 0);
}

TestSuite(store, .init = make_directory, .fini = remove_directory);

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* A header with all that belongs to it, and data; all of it follows from the arguments. */
struct sample {
    struct store_header header;
    uint8_t *data;
    uint64_t *histogram;
    uint64_t *hardest;
};

static struct sample sample_make(uint64_t data_bytes, size_t depths, uint64_t hardest, uint64_t seed)
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

static void sample_free(struct sample *sample)
{
    free(sample->data);
    free(sample->histogram);
    free(sample->hardest);
}

static pdb_status publish_as(const char *where, const char *name, const struct sample *sample, uint64_t *file_bytes)
{
    struct store_writer *writer;
    pdb_status status = store_create(where, name, &writer, &error);
    return status != PDB_OK ? status
                            : store_publish(writer, &sample->header, sample->data, 2, NULL, NULL, file_bytes, &error);
}

static void publish(const struct sample *sample)
{
    cr_assert_eq(publish_as(directory, "goat", sample, NULL), PDB_OK, "%s", error.message);
}

static struct store *open_store(void)
{
    struct store *store;
    cr_assert_eq(store_open(path, &store, &error), PDB_OK, "%s", error.message);
    return store;
}

/* Whether header, histogram and hardest states are the sample's. */
static bool same_header(const struct store *store, const struct sample *sample)
{
    const struct store_header *one = store_header(store), *other = &sample->header;
    return strcmp(one->puzzle, other->puzzle) == 0 &&
           memcmp(one->definition, other->definition, STORE_DIGEST_BYTES) == 0 && strcmp(one->goal, other->goal) == 0 &&
           strcmp(one->metric, other->metric) == 0 && strcmp(one->encoding, other->encoding) == 0 &&
           strcmp(one->generator, other->generator) == 0 && one->states == other->states &&
           one->reachable == other->reachable && one->data_bytes == other->data_bytes && one->depths == other->depths &&
           one->hardest == other->hardest && one->hardest_kept == other->hardest_kept &&
           memcmp(one->histogram, other->histogram, one->depths * 8) == 0 &&
           memcmp(one->hardest_states, other->hardest_states, one->hardest_kept * 8) == 0;
}

enum reading { READ_RIGHT, READ_REFUSED, READ_WRONG };

/* Reads all data, run by run. */
static enum reading read_all(const struct store *store, const struct sample *sample)
{
    uint64_t run;
    for (uint64_t offset = 0; offset < sample->header.data_bytes; offset += run) {
        const uint8_t *bytes = store_at(store, offset, &run, &error);
        if (bytes == NULL)
            return READ_REFUSED;
        if (run == 0 || run > sample->header.data_bytes - offset || memcmp(bytes, sample->data + offset, run) != 0)
            return READ_WRONG;
    }
    return READ_RIGHT;
}

static uint8_t *read_file(const char *name, size_t *size)
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

static void write_file(const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(name, "wb");
    cr_assert(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

/* That opening `path` fails so, with `words` in its message. */
static void expect_refusal(pdb_status expected, const char *words)
{
    struct store *store;
    pdb_status status = store_open(path, &store, &error);
    cr_expect_eq(status, expected, "status %d, not %d (%s)", status, expected, error.message);
    if (status == PDB_OK)
        store_close(store);
    else
        cr_expect(strstr(error.message, words) != NULL && strstr(error.message, path) != NULL,
                  "\"%s\" does not say \"%s\" of the file", error.message, words);
}

static bool exists(const char *name)
{
    return access(name, F_OK) == 0;
}

static void expect_no_leftover(void)
{
    char temporary[320];
    snprintf(temporary, sizeof temporary, "%s.new", path);
    cr_expect(!exists(temporary), "%s was left behind", temporary);
}

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
        cr_assert_eq(publish_as(directory, "goat", &sample, &file_bytes), PDB_OK, "%s", error.message);
        expect_no_leftover();
        struct store *store = open_store();
        cr_expect(same_header(store, &sample), "header, %llu bytes", (unsigned long long)bytes);
        cr_expect_str_eq(store_file(store), path);
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
            cr_expect_eq(store_verify(store, threads, NULL, NULL, &error), PDB_OK, "%s", error.message);
        cr_expect(store_at(store, bytes, &run, &error) == NULL);
        store_close(store);
        sample_free(&sample);
    }
}

/* The small records' own edges: packed in LMDB's leaf, in one page, in several, and a list cut at its greatest length. */
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
        cr_expect_eq(store_verify(store, 2, NULL, NULL, &error), PDB_OK, "%s", error.message);
        store_close(store);
        sample_free(&sample);
    }
}

/* Whatever the memory held before, wherever it is written, whatever stood there. */
Test(store, same_bytes)
{
    static const uint64_t lengths[] = {1, 5000, 680400, 3 * EXTENT_BYTES, 20 * (uint64_t)EXTENT_BYTES + 5};
    char other[300];
    snprintf(other, sizeof other, "%s/deep/er/and deeper", directory);
    for (size_t i = 0; i < COUNT(lengths); i++) {
        size_t sizes[3];
        uint8_t *files[3];
        struct sample sample = sample_make(lengths[i], 20, 12345, i);
        char third[400];
        mallopt(M_PERTURB, 0x5A);
        publish(&sample);
        files[0] = read_file(path, &sizes[0]);
        mallopt(M_PERTURB, 0xC3);
        publish(&sample);
        files[1] = read_file(path, &sizes[1]);
        mallopt(M_PERTURB, 0);
        cr_assert_eq(publish_as(other, "x", &sample, NULL), PDB_OK, "%s", error.message);
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

Test(store, permissions_follow_the_umask)
{
    struct stat properties;
    struct sample sample = sample_make(100, 3, 2, 0);
    umask(022);
    publish(&sample);
    cr_assert_eq(stat(path, &properties), 0);
    cr_expect_eq(properties.st_mode & 07777, 0644);
    sample_free(&sample);
}

/* Any program with LMDB reads the file. */
Test(store, plain_lmdb)
{
    static const char *const keys[] = {"data 00000000", "data 00000001", "hardest", "header", "histogram"};
    struct sample sample = sample_make(EXTENT_BYTES + 100, 20, 5, 1);
    publish(&sample);
    MDB_env *environment;
    MDB_txn *transaction;
    MDB_dbi database;
    MDB_cursor *cursor;
    MDB_val key, value;
    cr_assert_eq(mdb_env_create(&environment), 0);
    cr_assert_eq(mdb_env_open(environment, path, MDB_RDONLY | MDB_NOSUBDIR | MDB_NOLOCK, 0), 0);
    cr_assert_eq(mdb_txn_begin(environment, NULL, MDB_RDONLY, &transaction), 0);
    cr_assert_eq(mdb_dbi_open(transaction, NULL, 0, &database), 0);
    cr_assert_eq(mdb_cursor_open(transaction, database, &cursor), 0);
    for (size_t i = 0; i < COUNT(keys); i++) {
        cr_assert_eq(mdb_cursor_get(cursor, &key, &value, MDB_NEXT), 0);
        cr_assert(key.mv_size == strlen(keys[i]) && memcmp(key.mv_data, keys[i], key.mv_size) == 0, "key %zu", i);
        if (i == 1)
            cr_expect(value.mv_size == 108 && memcmp(value.mv_data, sample.data + EXTENT_BYTES, 100) == 0);
    }
    cr_assert_eq(mdb_cursor_get(cursor, &key, &value, MDB_NEXT), MDB_NOTFOUND);
    mdb_cursor_close(cursor);
    mdb_txn_abort(transaction);
    mdb_env_close(environment);
    char lock[320];
    snprintf(lock, sizeof lock, "%s-lock", path);
    cr_expect(!exists(lock));
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
    cr_expect_eq(store_verify(store, 2, NULL, NULL, &error), PDB_OK, "%s", error.message);
    store_close(store);
    store = open_store();
    cr_expect_eq(read_all(store, &new), READ_RIGHT);
    store_close(store);
    sample_free(&old);
    sample_free(&new);
}

/* -- what cannot be written -- */

Test(store, names)
{
    static const char *const bad[] = {
        "",    ".",   "..",       ".hidden", "-f",
        "a/b", "a b", "\xC3\xA4", "a\n",     "12345678901234567890123456789012345678901234567890123456789012345"};
    static const char *const good[] = {"a", "8-puzzle", "tiles-3x4", "x.y_z",
                                       "1234567890123456789012345678901234567890123456789012345678901234"};
    struct store_writer *writer;
    char out[400];
    for (size_t i = 0; i < COUNT(bad); i++) {
        cr_expect_eq(store_create(directory, bad[i], &writer, &error), PDB_BAD_USAGE, "\"%s\"", bad[i]);
        cr_expect_eq(store_path(directory, bad[i], out, sizeof out, &error), PDB_BAD_USAGE, "\"%s\"", bad[i]);
    }
    for (size_t i = 0; i < COUNT(good); i++) {
        cr_assert_eq(store_create(directory, good[i], &writer, &error), PDB_OK, "\"%s\": %s", good[i], error.message);
        store_abandon(writer);
    }
    store_abandon(NULL);
    cr_expect_eq(store_create("", "goat", &writer, &error), PDB_BAD_USAGE);
    cr_expect_eq(store_path("here", "goat", out, sizeof "here/goat.pdb" - 1, &error), PDB_BAD_USAGE);
    cr_assert_eq(store_path("here", "goat", out, sizeof "here/goat.pdb", &error), PDB_OK);
    cr_expect_str_eq(out, "here/goat.pdb");
}

Test(store, one_writer_at_a_time)
{
    struct store_writer *first, *second;
    struct sample sample = sample_make(5000, 3, 2, 0);
    cr_assert_eq(store_create(directory, "goat", &first, &error), PDB_OK);
    cr_expect_eq(store_create(directory, "goat", &second, &error), PDB_BUSY);
    cr_expect(strstr(error.message, "goat.pdb.new") != NULL, "%s", error.message);
    cr_assert_eq(store_create(directory, "knights", &second, &error), PDB_OK, "%s", error.message);
    store_abandon(second);
    cr_assert_eq(store_publish(first, &sample.header, sample.data, 2, NULL, NULL, NULL, &error), PDB_OK);
    cr_assert_eq(store_create(directory, "goat", &first, &error), PDB_OK, "%s", error.message);
    store_abandon(first);
    expect_no_leftover();
    sample_free(&sample);
}

/* What a killed writer left behind is taken over, however long it is. */
Test(store, leftover_taken_over)
{
    char temporary[320];
    struct sample sample = sample_make(5000, 3, 2, 0);
    static const uint8_t junk[100000] = {1, 2, 3};
    snprintf(temporary, sizeof temporary, "%s.new", path);
    write_file(temporary, junk, sizeof junk);
    publish(&sample);
    struct store *store = open_store();
    cr_expect_eq(read_all(store, &sample), READ_RIGHT);
    store_close(store);
    sample_free(&sample);
}

Test(store, unwritable_places)
{
    struct store_writer *writer;
    char place[400];
    /* a file where a directory should be */
    snprintf(place, sizeof place, "%s/file", directory);
    write_file(place, "x", 1);
    cr_expect_eq(store_create(place, "goat", &writer, &error), PDB_IO);
    cr_expect(strstr(error.message, place) != NULL, "%s", error.message);
    strcat(place, "/below");
    cr_expect_eq(store_create(place, "goat", &writer, &error), PDB_IO);
    cr_expect_eq(store_create("/proc/nowhere", "goat", &writer, &error), PDB_IO);
    /* a symbolic link and a directory under the temporary name; a directory under the final one */
    snprintf(place, sizeof place, "%s.new", path);
    cr_assert_eq(symlink("/dev/null", place), 0);
    cr_expect_eq(store_create(directory, "goat", &writer, &error), PDB_IO);
    cr_expect(strstr(error.message, "symbolic link") != NULL, "%s", error.message);
    cr_assert(unlink(place) == 0 && mkfifo(place, 0666) == 0);
    cr_expect_eq(store_create(directory, "goat", &writer, &error), PDB_IO);
    cr_expect(strstr(error.message, "no regular file") != NULL, "%s", error.message);
    cr_assert(unlink(place) == 0 && mkdir(place, 0777) == 0);
    cr_expect_eq(store_create(directory, "goat", &writer, &error), PDB_IO);
    cr_assert(rmdir(place) == 0 && mkdir(path, 0777) == 0);
    cr_expect_eq(store_create(directory, "goat", &writer, &error), PDB_IO);
    cr_expect(strstr(error.message, "directory") != NULL, "%s", error.message);
}

static bool stop_after(void *context, uint64_t bytes_done)
{
    return bytes_done < *(const uint64_t *)context;
}

static bool count_up(void *context, uint64_t bytes_done)
{
    uint64_t *last = context;
    bool ascending = bytes_done > *last;
    *last = bytes_done;
    return ascending;
}

/* Stops at the last of so many calls that come when all bytes are done. */
static bool stop_when_done(void *context, uint64_t bytes_done)
{
    unsigned *left = context;
    return bytes_done < 20 * (uint64_t)EXTENT_BYTES || --*left > 0;
}

Test(store, interrupted)
{
    struct sample old = sample_make(5000, 3, 2, 0), new = sample_make(20 * (uint64_t)EXTENT_BYTES, 3, 2, 1);
    static const uint64_t stops[] = {1, 5 * EXTENT_BYTES, 8 * EXTENT_BYTES, 20 * (uint64_t)EXTENT_BYTES};
    publish(&old);
    for (size_t i = 0; i < COUNT(stops); i++) {
        struct store_writer *writer;
        uint64_t stop = stops[i];
        cr_assert_eq(store_create(directory, "goat", &writer, &error), PDB_OK, "%s", error.message);
        cr_expect_eq(store_publish(writer, &new.header, new.data, 2, stop_after, &stop, NULL, &error), PDB_INTERRUPTED);
        expect_no_leftover();
        struct store *store = open_store();
        cr_expect(same_header(store, &old) && read_all(store, &old) == READ_RIGHT);
        store_close(store);
    }
    struct store_writer *writer;
    uint64_t done = 0, stop = 1;
    cr_assert_eq(store_create(directory, "goat", &writer, &error), PDB_OK);
    cr_expect_eq(store_publish(writer, &new.header, new.data, 2, count_up, &done, NULL, &error), PDB_OK);
    cr_expect_eq(done, new.header.data_bytes);
    struct store *store = open_store();
    cr_expect_eq(store_verify(store, 2, stop_after, &stop, &error), PDB_INTERRUPTED);
    for (unsigned calls = 1; calls <= 20;
         calls++) { /* the digest, at the end, takes a pass of its own: an extent a call */
        unsigned left = calls;
        cr_expect_eq(store_verify(store, 1, stop_when_done, &left, &error), PDB_INTERRUPTED, "%u", calls);
    }
    store_close(store);
    sample_free(&old);
    sample_free(&new);
}

/* A limit on files' length stands for the full disk: at every length, the old database stays and nothing is left behind. */
Test(store, full_disk)
{
    struct sample old = sample_make(5000, 3, 2, 0), new = sample_make(10 * EXTENT_BYTES, 3, 2, 1);
    static const rlim_t limits[] = {0, 100, 4096, 8192, 10000, 100000, 2097152, 5000000, 16 << 20, 20 << 20, 20981760};
    publish(&old);
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < COUNT(limits); i++) {
        struct store_writer *writer;
        struct rlimit limit;
        cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
        limit.rlim_cur = limits[i];
        cr_assert_eq(store_create(directory, "goat", &writer, &error), PDB_OK, "%s", error.message);
        cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
        pdb_status status = store_publish(writer, &new.header, new.data, 2, NULL, NULL, NULL, &error);
        limit.rlim_cur = limit.rlim_max;
        cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
        cr_expect_eq(status, PDB_IO, "limit %llu: status %d", (unsigned long long)limits[i], status);
        cr_expect(strstr(error.message, path) != NULL, "%s", error.message);
        expect_no_leftover();
        struct store *store = open_store();
        cr_expect(same_header(store, &old) && read_all(store, &old) == READ_RIGHT);
        store_close(store);
    }
    sample_free(&old);
    sample_free(&new);
}

/* A header that no reader would take is not written. */
Test(store, senseless_headers)
{
    struct sample sample = sample_make(100, 4, 3, 0);
    static char long_text[STORE_TEXT_MAX + 2];
    memset(long_text, 'x', STORE_TEXT_MAX + 1);
    struct sample bad[14];
    for (size_t i = 0; i < COUNT(bad); i++)
        bad[i] = sample;
    uint64_t descending[] = {5, 3, 4}, outside[] = {1, 2, sample.header.states}, other_sum[] = {1, 1, 1, 3};
    bad[0].header.puzzle = "a/b";
    bad[1].header.goal = NULL;
    bad[2].header.metric = long_text;
    bad[3].header.goal = "\xFF";
    bad[4].header.states = (uint64_t)INT64_MAX + 1;
    bad[5].header.reachable = sample.header.states + 1;
    bad[6].header.data_bytes = 0;
    bad[7].header.depths = 0;
    bad[8].header.hardest = 0;
    bad[9].header.hardest_kept = sample.header.hardest + 1;
    bad[10].header.hardest_states = descending;
    bad[11].header.hardest_states = outside;
    bad[12].header.histogram = other_sum;
    bad[13].header.reachable++;
    for (size_t i = 0; i < COUNT(bad); i++) {
        cr_expect_eq(publish_as(directory, "goat", &bad[i], NULL), PDB_BAD_USAGE, "case %zu", i);
        expect_no_leftover();
        cr_expect(!exists(path), "case %zu", i);
    }
    sample_free(&sample);
}

/* -- what cannot be read -- */

Test(store, no_database)
{
    static uint8_t junk[65536];
    uint64_t random = 1;
    expect_refusal(PDB_NO_DATABASE, "there is no database");
    write_file(path, "", 0);
    expect_refusal(PDB_DAMAGED, "is empty");
    write_file(path, "hello", 5);
    expect_refusal(PDB_DAMAGED, "is no database");
    for (size_t i = 0; i < sizeof junk; i++)
        junk[i] = (uint8_t)next_random(&random);
    write_file(path, junk, sizeof junk);
    expect_refusal(PDB_DAMAGED, "is no database");
    memset(junk, 0, sizeof junk);
    write_file(path, junk, sizeof junk);
    expect_refusal(PDB_DAMAGED, "is no database");
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(mkdir(path, 0777), 0);
    expect_refusal(PDB_IO, "is a directory");
    cr_assert_eq(rmdir(path), 0);
    cr_assert_eq(mkfifo(path, 0666), 0);
    expect_refusal(PDB_IO, "no regular file");
    cr_assert_eq(unlink(path), 0);
    cr_assert_eq(symlink("nowhere", path), 0);
    expect_refusal(PDB_NO_DATABASE, "there is no database");
}

Test(store, wrong_length)
{
    size_t size;
    struct sample sample = sample_make(30000, 20, 5, 1);
    publish(&sample);
    uint8_t *bytes = read_file(path, &size);
    bytes = realloc(bytes, size + 8192);
    cr_assert(bytes != NULL);
    memset(bytes + size, 0, 8192);
    for (size_t length = 0; length < size; length += length % 4096 < 300 || length % 4096 > 4090 ? 1 : 97) {
        struct store *store;
        cr_assert_eq(truncate(path, (off_t)length), 0);
        cr_assert_eq(store_open(path, &store, &error), PDB_DAMAGED, "%zu bytes", length);
        write_file(path, bytes, size);
    }
    static const size_t more[] = {1, 8, 4095, 4096, 8192};
    for (size_t i = 0; i < COUNT(more); i++) {
        write_file(path, bytes, size + more[i]);
        expect_refusal(PDB_DAMAGED, "appended");
    }
    free(bytes);
    sample_free(&sample);
}

/* A byte of LMDB's first page, changed on purpose. */
Test(store, foreign_lmdb)
{
    size_t size;
    struct sample sample = sample_make(100, 3, 2, 0);
    publish(&sample);
    uint8_t *bytes = read_file(path, &size);
    uint8_t *copy = malloc(size);
    cr_assert(copy != NULL);
    static const struct {
        size_t offset;
        uint8_t bytes[4];
        const char *words;
    } changes[] = {{16, {0xBE, 0xEF, 0xC0, 0xDE}, "byte order"},
                   {20, {2, 0, 0, 0}, "data version 2"},
                   {40, {0, 0x40, 0, 0}, "pages of 16384 bytes"}};
    for (size_t i = 0; i < COUNT(changes); i++) {
        memcpy(copy, bytes, size);
        memcpy(copy + changes[i].offset, changes[i].bytes, 4);
        write_file(path, copy, size);
        expect_refusal(PDB_DAMAGED, changes[i].words);
    }
    free(copy);
    free(bytes);
    sample_free(&sample);
}

/* Writes an LMDB file with the records given, each with right checksums. */
struct forged {
    const char *key;
    const void *payload;
    size_t size;
};

static void forge(const struct forged *records, size_t count)
{
    MDB_env *environment;
    MDB_txn *transaction;
    MDB_dbi database;
    unlink(path);
    cr_assert_eq(mdb_env_create(&environment), 0);
    cr_assert_eq(mdb_env_open(environment, path, MDB_NOSUBDIR | MDB_NOLOCK, 0666), 0);
    cr_assert_eq(mdb_txn_begin(environment, NULL, 0, &transaction), 0);
    cr_assert_eq(mdb_dbi_open(transaction, NULL, 0, &database), 0);
    for (size_t i = 0; i < count; i++) {
        char key[64];
        snprintf(key, sizeof key, "%s", records[i].key);
        uint8_t *value = malloc(value_bytes(records[i].size));
        cr_assert(value != NULL);
        value_seal(value, records[i].payload, records[i].size,
                   value_seed(key, HEADER_IDENTITY)); /* the definition is all zeros */
        MDB_val lmdb_key = {strlen(key), key}, lmdb_value = {value_bytes(records[i].size), value};
        cr_assert_eq(mdb_put(transaction, database, &lmdb_key, &lmdb_value, 0), 0);
        free(value);
    }
    cr_assert_eq(mdb_txn_commit(transaction), 0);
    mdb_env_close(environment);
}

#define ZEROS "00000000000000000000000000000000"
#define FIRST                                                                                                          \
    "{\"format\":2,\"puzzle\":\"goat\",\"definition\":\"" ZEROS                                                        \
    "\",\"goal\":\"\",\"metric\":\"\",\"encoding\":\"\",\"patterns\":\"\",\"generator\":\"\","
#define LAST    ",\"content\":\"" ZEROS "\"}"
#define NUMBERS "\"states\":9,\"reachable\":4,\"data_bytes\":5,\"depths\":2,\"hardest\":3,\"hardest_kept\":3"

static void expect_forged(const char *header, const char *extra_key, pdb_status expected, const char *words)
{
    static const uint64_t hardest[] = {1, 5, 8}, histogram[] = {1, 3};
    struct forged records[] = {{"header", header, strlen(header)},
                               {"hardest", hardest, sizeof hardest},
                               {"histogram", histogram, sizeof histogram},
                               {"data 00000000", "abcde", 5},
                               {extra_key, "x", 1}};
    forge(records, extra_key == NULL ? 4 : 5);
    if (expected != PDB_OK) {
        expect_refusal(expected, words);
        return;
    }
    uint64_t run;
    struct store *store = open_store();
    const uint8_t *at = store_at(store, 0, &run, &error);
    cr_expect(at != NULL && run == 5 && memcmp(at, "abcde", 5) == 0);
    cr_expect_eq(store_verify(store, 1, NULL, NULL, &error), PDB_DAMAGED); /* the digest is not right */
    store_close(store);
}

Test(store, forged_headers)
{
    static const struct {
        const char *header;
        const char *words;
    } cases[] = {
        {"{\"format\":3,\"all\":\"else differs\"}",
         "a newer version of pdb: its format is 3, this program reads format 2"},
        {"{\"format\":0}", "another version"},
        {"{\"format\":\"1\"}", "says no format"},
        {"{}", "says no format"},
        {"[1]", "no JSON object"},
        {"{\"format\":1", "no JSON object"},
        {"{\"format\":1,\"format\":1}", "no JSON object"},
        {FIRST NUMBERS ",\"more\":1" LAST, "a key too many"},
        {" " FIRST NUMBERS LAST, "not laid out"},
        {FIRST NUMBERS LAST "\n", "not laid out"},
        {FIRST "\"states\":9" LAST, "\"reachable\""},
        {FIRST "\"states\":9.0,\"reachable\":4,\"data_bytes\":5,\"depths\":2,\"hardest\":3,\"hardest_kept\":3" LAST,
         "\"states\""},
        {FIRST "\"states\":-9,\"reachable\":4,\"data_bytes\":5,\"depths\":2,\"hardest\":3,\"hardest_kept\":3" LAST,
         "\"states\""},
        {FIRST "\"states\":3,\"reachable\":4,\"data_bytes\":5,\"depths\":2,\"hardest\":3,\"hardest_kept\":3" LAST,
         "out of range"},
        {FIRST "\"states\":8,\"reachable\":4,\"data_bytes\":5,\"depths\":2,\"hardest\":3,\"hardest_kept\":3" LAST,
         "out of range"},
        {FIRST "\"states\":9,\"reachable\":5,\"data_bytes\":5,\"depths\":2,\"hardest\":3,\"hardest_kept\":3" LAST,
         "sum"},
        {FIRST "\"states\":9,\"reachable\":4,\"data_bytes\":6,\"depths\":2,\"hardest\":3,\"hardest_kept\":3" LAST,
         "data 00000000"},
        {FIRST "\"states\":9,\"reachable\":4,\"data_bytes\":9223372036854775807,\"depths\":2,\"hardest\":3,\"hardest_"
               "kept\":3" LAST,
         "keys"},
        {FIRST "\"states\":9,\"reachable\":4,\"data_bytes\":5,\"depths\":3,\"hardest\":3,\"hardest_kept\":3" LAST,
         "histogram"},
        {FIRST "\"states\":9,\"reachable\":4,\"data_bytes\":5,\"depths\":2,\"hardest\":2,\"hardest_kept\":2" LAST,
         "hardest"},
        {FIRST "\"states\":9,\"reachable\":4,\"data_bytes\":5,\"depths\":2,\"hardest\":3,\"hardest_kept\":2" LAST,
         "hardest"},
    };
    expect_forged(FIRST NUMBERS LAST, NULL, PDB_OK, "");
    for (size_t i = 0; i < COUNT(cases); i++)
        expect_forged(cases[i].header, NULL, PDB_DAMAGED, cases[i].words);
    expect_forged(FIRST NUMBERS LAST, "data 00000001", PDB_DAMAGED, "keys");
    expect_forged(FIRST NUMBERS LAST, "zebra", PDB_DAMAGED, "keys");
    static const struct forged other = {"something", "else", 4};
    forge(&other, 1);
    expect_refusal(PDB_DAMAGED, "no database of pdb");
}

/* A page of another puzzle's database, and a page of the same database in another's place. */
Test(store, spliced_pages)
{
    size_t size, other_size;
    struct sample sample = sample_make(100000, 20, 5, 1), other = sample_make(100000, 20, 5, 2);
    publish(&other);
    uint8_t *foreign = read_file(path, &other_size);
    publish(&sample);
    uint8_t *bytes = read_file(path, &size), *found = NULL;
    cr_assert_eq(size, other_size);
    for (size_t at = 16; at < size && found == NULL; at += 4096)
        if (memcmp(bytes + at, sample.data, 4080) == 0)
            found = bytes + at;
    cr_assert(found != NULL, "the data do not begin 16 bytes into a page");
    for (int kind = 0; kind < 3; kind++) {
        uint8_t *copy = malloc(size), *third = copy + (found - bytes) - 16 + 3 * 4096;
        cr_assert(copy != NULL);
        memcpy(copy, bytes, size);
        if (kind == 0)
            memcpy(third, foreign + (third - copy), 4096);
        else if (kind == 1)
            memcpy(third, third + 4096, 4096);
        else
            memcpy(third - 3 * 4096, foreign + (third - copy) - 3 * 4096,
                   25 * 4096); /* all the data and its checksums */
        write_file(path, copy, size);
        struct store *store = open_store();
        uint64_t run;
        cr_expect(store_at(store, 3 * 4096, &run, &error) == NULL, "kind %d", kind);
        cr_expect_eq(error.status, PDB_DAMAGED);
        cr_expect((store_at(store, 0, &run, &error) != NULL) == (kind < 2), "kind %d", kind);
        cr_expect_eq(store_verify(store, 2, NULL, NULL, &error), PDB_DAMAGED);
        cr_expect(strstr(error.message, kind < 2 ? "(1 pages" : "(25 pages") != NULL, "%s", error.message);
        store_close(store);
        free(copy);
    }
    free(bytes);
    free(foreign);
    sample_free(&sample);
    sample_free(&other);
}

/* Every byte of a small database, changed in three ways: it is found out, or changes no answer. */
Test(store, every_byte)
{
    size_t size;
    struct sample sample = sample_make(6000, 300, 5, 1);
    publish(&sample);
    uint8_t *bytes = read_file(path, &size);
    int file = open(path, O_RDWR);
    cr_assert(file >= 0);
    static const uint8_t masks[] = {0x01, 0x80, 0xFF};
    uint64_t refused = 0, harmless = 0;
    for (size_t i = 0; i < COUNT(masks) * size; i++) {
        size_t at = i / COUNT(masks);
        uint8_t changed = bytes[at] ^ masks[i % COUNT(masks)];
        struct store *store;
        cr_assert_eq(pwrite(file, &changed, 1, (off_t)at), 1);
        pdb_status status = store_open(path, &store, &error);
        if (status == PDB_OK) {
            cr_assert(same_header(store, &sample), "byte %zu", at);
            enum reading reading = read_all(store, &sample);
            cr_assert_neq(reading, READ_WRONG, "byte %zu", at);
            pdb_status verified = store_verify(store, 1, NULL, NULL, &error);
            cr_assert(verified == PDB_DAMAGED || (verified == PDB_OK && reading == READ_RIGHT), "byte %zu", at);
            if (verified == PDB_OK)
                harmless++;
            store_close(store);
        } else {
            cr_assert_eq(status, PDB_DAMAGED, "byte %zu: %s", at, error.message);
        }
        refused += status != PDB_OK;
        cr_assert_eq(pwrite(file, &bytes[at], 1, (off_t)at), 1);
    }
    cr_log_info("%zu changes: %llu refused at once, %llu harmless", COUNT(masks) * size, (unsigned long long)refused,
                (unsigned long long)harmless);
    /* The records that are read at once and LMDB's numbers are some 3000 bytes, the data 6000. What is left is unused space. */
    cr_expect_geq(refused, COUNT(masks) * 3000);
    cr_expect_leq(harmless, COUNT(masks) * (size - 9000));
    close(file);
    free(bytes);
    sample_free(&sample);
}

/* -- the structure of LMDB's files -- */

/* A database of some other program, its tree three levels deep, large values among small ones. */
static void make_deep(void)
{
    MDB_env *environment;
    MDB_txn *transaction;
    MDB_dbi database;
    static uint8_t bytes[10000];
    uint64_t random = 7;
    unlink(path);
    cr_assert_eq(mdb_env_create(&environment), 0);
    cr_assert_eq(mdb_env_set_mapsize(environment, 64 << 20), 0);
    cr_assert_eq(mdb_env_open(environment, path, MDB_NOSUBDIR | MDB_NOLOCK | MDB_NOSYNC, 0666), 0);
    for (int round = 0; round < 5; round++) {
        cr_assert_eq(mdb_txn_begin(environment, NULL, 0, &transaction), 0);
        cr_assert_eq(mdb_dbi_open(transaction, NULL, 0, &database), 0);
        for (int i = 0; i < 120; i++) {
            char key[401];
            snprintf(key, sizeof key, "%016llx", (unsigned long long)next_random(&random));
            memset(key + 16, 'k', sizeof key - 16);
            MDB_val lmdb_key = {17 + (size_t)(next_random(&random) % 380), key};
            MDB_val value = {next_random(&random) % (i % 20 == 0 ? sizeof bytes : 100), bytes};
            cr_assert_eq(mdb_put(transaction, database, &lmdb_key, &value, 0), 0);
        }
        cr_assert_eq(mdb_txn_commit(transaction), 0);
    }
    mdb_env_close(environment);
}

/* Every byte is looked at: one outside the map ends the test. */
static unsigned sum(const MDB_val *value)
{
    unsigned total = 0;
    for (size_t i = 0; i < value->mv_size; i++)
        total += ((const uint8_t *)value->mv_data)[i];
    return total;
}

/* Reads everything as LMDB gives it; how many entries. */
static size_t walk_with_lmdb(size_t file_bytes, unsigned *depth)
{
    MDB_env *environment;
    MDB_txn *transaction;
    MDB_dbi database;
    MDB_cursor *cursor;
    MDB_val key, value;
    MDB_stat sizes;
    size_t entries = 0;
    cr_assert_eq(mdb_env_create(&environment), 0);
    cr_assert_eq(mdb_env_set_mapsize(environment, file_bytes), 0);
    cr_assert_eq(mdb_env_open(environment, path, MDB_RDONLY | MDB_NOSUBDIR | MDB_NOLOCK, 0), 0);
    cr_assert_eq(mdb_txn_begin(environment, NULL, MDB_RDONLY, &transaction), 0);
    cr_assert_eq(mdb_dbi_open(transaction, NULL, 0, &database), 0);
    cr_assert_eq(mdb_stat(transaction, database, &sizes), 0);
    cr_assert_eq(mdb_cursor_open(transaction, database, &cursor), 0);
    for (; mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0; entries++) {
        MDB_val found;
        cr_assert_leq(sum(&key), 255 * key.mv_size);
        cr_assert_leq(sum(&value), 255 * value.mv_size);
        cr_assert_eq(mdb_get(transaction, database, &key, &found), 0);
        cr_assert(found.mv_data == value.mv_data && found.mv_size == value.mv_size);
    }
    cr_assert_eq(entries, sizes.ms_entries);
    *depth = sizes.ms_depth;
    mdb_cursor_close(cursor);
    mdb_txn_abort(transaction);
    mdb_env_close(environment);
    return entries;
}

static pdb_status check_path(bool complete)
{
    struct stat properties;
    int file = open(path, O_RDONLY);
    cr_assert(file >= 0 && fstat(file, &properties) == 0);
    pdb_status status = lmdb_check(file, path, (uint64_t)properties.st_size, complete, &error);
    close(file);
    return status;
}

/* What LMDB wrote passes; what was changed at random passes only if LMDB can read all of it, every key where a search looks for it. */
Test(store, deep_tree)
{
    size_t size;
    unsigned depth;
    uint64_t random = 99, passed = 0;
    make_deep();
    uint8_t *bytes = read_file(path, &size);
    cr_assert_eq(check_path(true), PDB_OK, "%s", error.message);
    size_t entries = walk_with_lmdb(size, &depth);
    cr_assert_eq(entries, 600);
    cr_assert_geq(depth, 3);
    int file = open(path, O_RDWR);
    cr_assert(file >= 0);
    for (int i = 0; i < 4000; i++) {
        /* in the beginning of a page, where the numbers are, more often than elsewhere */
        size_t page = i % 4 == 0 ? next_random(&random) % 2 : next_random(&random) % (size / 4096);
        size_t within = next_random(&random) % (i % 3 == 0 ? 4096 : 200);
        uint8_t changed = (uint8_t)next_random(&random);
        off_t at = (off_t)(page * 4096 + within);
        cr_assert_eq(pwrite(file, &changed, 1, at), 1);
        if (check_path(false) == PDB_OK) {
            passed++;
            if (walk_with_lmdb(size, &depth) != entries)
                cr_assert_fail("byte %lld", (long long)at);
        }
        cr_assert_eq(pwrite(file, bytes + at, 1, at), 1);
    }
    cr_expect_gt(passed, 0);
    cr_expect_lt(passed, 4000);
    close(file);
    free(bytes);
}

/* A tree that leads to itself is left at once, however deep it says it is. */
Test(store, endless_tree)
{
    size_t size;
    make_deep();
    uint8_t *bytes = read_file(path, &size);
    uint64_t transactions[2], root;
    memcpy(&transactions[0], bytes + 144, 8);
    memcpy(&transactions[1], bytes + 4096 + 144, 8);
    uint8_t *tree = bytes + (transactions[1] > transactions[0] ? 4096 : 0) + 88;
    tree[6] = 32;
    memcpy(&root, tree + 40, 8);
    uint8_t *page = bytes + root * 4096;
    uint16_t lower, offset, low = (uint16_t)root;
    memcpy(&lower, page + 12, 2);
    for (uint16_t at = 16; at < lower; at += 2) {
        memcpy(&offset, page + at, 2);
        memcpy(page + offset, &low, 2);
    }
    write_file(path, bytes, size);
    cr_expect_eq(check_path(false), PDB_DAMAGED);
    cr_expect(strstr(error.message, "twice") != NULL, "%s", error.message);
    free(bytes);
}
