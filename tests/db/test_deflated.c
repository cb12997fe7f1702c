/* test_deflated.c -- the database: data that are kept deflated are read as they were given, and forged ones are never
 * read out of bounds */
#include "db/deflated.h"
#include "db/page_checksum.h"
#include "tests/support/store_sample.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

TestSuite(deflated, .init = sample_begin, .fini = sample_end);

static pdb_error error;

static void expect_round_trip(const struct sample *sample, bool deflated)
{
    const uint64_t bytes = sample->header.data_bytes;
    uint64_t random = bytes, run, file_bytes;
    uint8_t room[STORE_READ_BYTES];
    cr_assert_eq(publish_as(sample_directory, "goat", sample, &file_bytes, &error), PDB_OK, "%s", error.message);
    struct store *store = open_store();
    const uint64_t kept = store_header(store)->kept_bytes;
    cr_expect(same_header(store, sample), "header, %llu bytes", (unsigned long long)bytes);
    cr_expect(deflated ? store_header(store)->deflated && kept <= bytes - bytes / 4
                       : !store_header(store)->deflated && kept == bytes,
              "%llu bytes are kept in %llu", (unsigned long long)bytes, (unsigned long long)kept);
    cr_expect_leq(file_bytes, kept + kept / 400 + 16 * 4096);
    for (int look = 0; look < 2000; look++) { /* before anything was touched in order */
        const uint64_t offset = next_random(&random) % bytes;
        const uint8_t *at = store_at(store, offset, &run, &error);
        cr_assert(at != NULL && *at == sample->data[offset] && run >= 1 && offset + run <= bytes);
    }
    for (uint64_t offset = 0; offset < bytes; offset += run) { /* nothing of it kept */
        const uint8_t *at = store_read(store, offset, room, &run, &error);
        cr_assert(at != NULL && offset + run <= bytes && memcmp(at, sample->data + offset, run) == 0);
    }
    cr_expect_eq(read_all(store, sample), READ_RIGHT, "%llu bytes", (unsigned long long)bytes);
    cr_expect(store_at(store, bytes, &run, &error) == NULL && store_read(store, bytes, room, &run, &error) == NULL);
    cr_expect_eq(store_verify(store, &(struct store_task){.threads = 2}, &error), PDB_OK, "%s", error.message);
    store_close(store);
}

Test(deflated, round_trip)
{
    static const uint64_t lengths[] = {1,     4096,  4097,  5000,   16383,
                                       16384, 16385, 32768, 680400, 6 * (uint64_t)EXTENT_BYTES};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        struct sample sample = sample_make(lengths[i], 53, 7, i);
        if (i + 1 < COUNT(lengths)) {
            sample.header.deflated = true; /* random bytes do not deflate */
            expect_round_trip(&sample, false);
        }
        sample_thin_out(&sample);
        expect_round_trip(&sample, lengths[i] > 4096); /* nor what takes but a page */
        sample.header.deflated = false;
        if (i + 1 < COUNT(lengths))
            expect_round_trip(&sample, false);
        sample_free(&sample);
    }
}

/* Where it saves less than a quarter, it is not done. */
Test(deflated, a_quarter_at_least)
{
    enum { BYTES = 400000 };
    unsigned kept[2] = {0};
    for (uint64_t zeros = 0; zeros <= BYTES; zeros += BYTES / 40) {
        struct sample sample = sample_make(BYTES, 3, 2, 1);
        sample.header.deflated = true;
        memset(sample.data, 0, zeros); /* they take next to nothing, all else what it took */
        publish(&sample);
        struct store *store = open_store();
        const bool deflated = store_header(store)->deflated;
        cr_expect(deflated == (zeros > BYTES / 4), "%llu zeros", (unsigned long long)zeros);
        kept[deflated]++;
        cr_expect_eq(read_all(store, &sample), READ_RIGHT);
        store_close(store);
        sample_free(&sample);
    }
    cr_expect(kept[0] > 5 && kept[1] > 5);
}

Test(deflated, same_bytes_by_any_threads)
{
    struct sample sample = sample_make(3000000, 20, 5, 1);
    uint8_t *file[3];
    size_t size[3];
    sample_thin_out(&sample);
    for (unsigned i = 0; i < COUNT(file); i++) {
        struct store_writer *writer;
        cr_assert_eq(store_create(sample_directory, "goat", &writer, &error), PDB_OK);
        cr_assert_eq(
            store_publish(writer, &sample.header, sample.data, &(struct store_task){.threads = i}, NULL, &error),
            PDB_OK);
        file[i] = read_file(goat_path, &size[i]);
        cr_expect(size[i] == size[0] && memcmp(file[i], file[0], size[0]) == 0, "%u threads", i);
    }
    for (unsigned i = 0; i < COUNT(file); i++)
        free(file[i]);
    sample_free(&sample);
}

static bool stop_after(void *context, uint64_t bytes_done)
{
    return bytes_done < *(const uint64_t *)context;
}

static bool note(void *context, uint64_t bytes_done)
{
    *(uint64_t *)context = bytes_done;
    return true;
}

Test(deflated, interrupted)
{
    struct sample sample = sample_make(3000000, 20, 5, 1);
    struct store_writer *writer;
    uint64_t stops[] = {1, 1500000, 3000000};
    sample_thin_out(&sample);
    for (size_t i = 0; i < COUNT(stops); i++) {
        cr_assert_eq(store_create(sample_directory, "goat", &writer, &error), PDB_OK, "%s", error.message);
        cr_expect_eq(store_publish(writer, &sample.header, sample.data, &(struct store_task){2, stop_after, &stops[i]},
                                   NULL, &error),
                     PDB_INTERRUPTED);
        expect_refusal(PDB_NO_DATABASE, "there is no database");
    }
    uint64_t done = 0;
    cr_assert_eq(store_create(sample_directory, "goat", &writer, &error), PDB_OK, "%s", error.message);
    cr_expect_eq(store_publish(writer, &sample.header, sample.data, &(struct store_task){2, note, &done}, NULL, &error),
                 PDB_OK);
    cr_expect_eq(done, sample.header.data_bytes);
    sample_free(&sample);
}

/* -- threads that touch the same chunks first -- */

struct reader {
    const struct store *store;
    const struct sample *sample;
    pthread_barrier_t *start;
    const uint8_t *chunk[16];
    bool right;
};

static void *read_chunks(void *argument)
{
    struct reader *reader = argument;
    pdb_error own;
    uint64_t run;
    reader->right = true;
    for (size_t i = 0; i < COUNT(reader->chunk); i++) {
        pthread_barrier_wait(reader->start);
        reader->chunk[i] = store_at(reader->store, i * CHUNK_BYTES, &run, &own);
        reader->right = reader->right && reader->chunk[i] != NULL && run == CHUNK_BYTES &&
                        memcmp(reader->chunk[i], reader->sample->data + i * CHUNK_BYTES, CHUNK_BYTES) == 0;
    }
    return NULL;
}

Test(deflated, threads)
{
    enum { THREADS = 4 };
    pthread_barrier_t start;
    pthread_t thread[THREADS];
    struct reader reader[THREADS];
    struct sample sample = sample_make(COUNT(reader->chunk) * CHUNK_BYTES, 20, 5, 1);
    sample_thin_out(&sample);
    publish(&sample);
    cr_assert_eq(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (int round = 0; round < 20; round++) {
        struct store *store = open_store();
        for (size_t i = 0; i < THREADS; i++) {
            reader[i] = (struct reader){.store = store, .sample = &sample, .start = &start};
            cr_assert_eq(pthread_create(&thread[i], NULL, read_chunks, &reader[i]), 0);
        }
        for (size_t i = 0; i < THREADS; i++) {
            pthread_join(thread[i], NULL);
            cr_expect(reader[i].right && memcmp(reader[i].chunk, reader[0].chunk, sizeof reader->chunk) == 0);
        }
        store_close(store);
    }
    pthread_barrier_destroy(&start);
    sample_free(&sample);
}

/* -- what somebody has forged who can make checksums -- */

enum { FORGED_DATA = CHUNK_BYTES + 1000, FORGED_ROOM = 3 * CHUNK_BYTES };

/* Two chunks and their ends. */
struct forgery {
    uint8_t kept[FORGED_ROOM];
    uint64_t size, end[2];
};

static void add_chunk(struct forgery *forgery, unsigned chunk, const uint8_t *data, size_t size)
{
    z_stream stream = {.avail_in = (uInt)size, .avail_out = (uInt)(FORGED_ROOM - forgery->size)};
    uint8_t *copy = checked_memory(size + 1, 1); /* zlib takes a pointer to non-const and only reads */
    memcpy(copy, data, size);
    stream.next_in = copy;
    stream.next_out = forgery->kept + forgery->size;
    cr_assert_eq(deflateInit2(&stream, 9, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY), Z_OK);
    cr_assert_eq(deflate(&stream, Z_FINISH), Z_STREAM_END);
    forgery->end[chunk] = forgery->size += stream.total_out;
    cr_assert_eq(deflateEnd(&stream), Z_OK);
    free(copy);
}

/* Writes it as a database; data_bytes and kept_bytes as they are given. */
static void write_forgery(const struct forgery *forgery, uint64_t data_bytes, uint64_t kept_bytes)
{
    static const uint64_t hardest[] = {1, 5, 8}, histogram[] = {1, 3};
    char header[700];
    const char zeros[] = "00000000000000000000000000000000";
    snprintf(
        header, sizeof header,
        "{\"format\":3,\"puzzle\":\"goat\",\"definition\":\"%s\",\"goal\":\"\",\"metric\":\"\",\"encoding\":\"\","
        "\"patterns\":\"\",\"generator\":\"\",\"states\":9,\"reachable\":4,\"data_bytes\":%llu,\"kept_bytes\":%llu,"
        "\"depths\":2,\"hardest\":3,\"hardest_kept\":3,\"content\":\"%s\"}",
        zeros, (unsigned long long)data_bytes, (unsigned long long)kept_bytes, zeros);
    forge((struct forged[]){{"header", header, strlen(header)},
                            {"hardest", hardest, sizeof hardest},
                            {"histogram", histogram, sizeof histogram},
                            {"data 00000000", forgery->kept, forgery->size}},
          4);
}

/* The chunks that come out: bit 0 for the first, bit 1 for the second; all else is refused as damage. */
static unsigned chunks_read(const uint8_t *data)
{
    struct store *store = open_store();
    unsigned read = 0;
    uint64_t run;
    for (unsigned chunk = 0; chunk < 2; chunk++) {
        const uint8_t *at = store_at(store, chunk * CHUNK_BYTES, &run, &error);
        const uint64_t size = chunk == 0 ? CHUNK_BYTES : FORGED_DATA - CHUNK_BYTES;
        if (at != NULL)
            cr_expect(run == size && memcmp(at, data + chunk * CHUNK_BYTES, size) == 0);
        else
            cr_expect(error.status == PDB_DAMAGED && strstr(error.message, goat_path) != NULL &&
                          strstr(error.message, "of its data") != NULL,
                      "%s", error.message);
        read |= (unsigned)(at != NULL) << chunk;
    }
    store_close(store);
    return read;
}

Test(deflated, forged_chunks)
{
    static uint8_t data[FORGED_ROOM];
    const size_t second = FORGED_DATA - CHUNK_BYTES;
    const struct {
        size_t size[2];  /* of what the chunks inflate to */
        int64_t move[2]; /* of their ends, from where they are */
        uint8_t junk;    /* put over the second chunk */
        unsigned right;
    } cases[] = {
        {{CHUNK_BYTES, second}, {0, 0}, 0, 3},
        {{CHUNK_BYTES - 1, second}, {0, 0}, 0, 2}, /* too little, too much */
        {{CHUNK_BYTES + 1, second}, {0, 0}, 0, 2},
        {{CHUNK_BYTES, second - 1}, {0, 0}, 0, 1},
        {{CHUNK_BYTES, second + 1}, {0, 0}, 0, 1},
        {{CHUNK_BYTES, 2 * CHUNK_BYTES}, {0, 0}, 0, 1},
        {{CHUNK_BYTES, second}, {1, 0}, 0, 0}, /* one ends too late, the other begins so */
        {{CHUNK_BYTES, second}, {-1, 0}, 0, 0},
        {{CHUNK_BYTES, second}, {0, 1}, 0, 1}, /* past the end */
        {{CHUNK_BYTES, second}, {0, -1}, 0, 1},
        {{CHUNK_BYTES, second}, {0, INT64_MAX}, 0, 1},
        {{CHUNK_BYTES, second}, {0, INT64_MIN}, 0, 1},
        {{CHUNK_BYTES, second}, {INT64_MIN, 0}, 0, 0},
        {{CHUNK_BYTES, second}, {-1000000, 0}, 0, 0},
        {{CHUNK_BYTES, second}, {0, 0}, 0xFF, 1},
        {{CHUNK_BYTES, second}, {0, 0}, 0x07, 1},
    };
    uint64_t random = 1;
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = next_random(&random) & 0x01;
    for (size_t i = 0; i < COUNT(cases); i++) {
        static struct forgery forgery;
        forgery.size = 16;
        add_chunk(&forgery, 0, data, cases[i].size[0]);
        add_chunk(&forgery, 1, data + CHUNK_BYTES, cases[i].size[1]);
        if (cases[i].junk != 0)
            memset(forgery.kept + forgery.end[0], cases[i].junk, forgery.size - forgery.end[0]);
        for (unsigned chunk = 0; chunk < 2; chunk++)
            forgery.end[chunk] += (uint64_t)cases[i].move[chunk];
        memcpy(forgery.kept, forgery.end, sizeof forgery.end);
        write_forgery(&forgery, FORGED_DATA, forgery.size);
        cr_expect_eq(chunks_read(data), cases[i].right, "case %zu", i);
    }
}

/* What a header announces is held against what is there before memory is taken for it. */
Test(deflated, forged_lengths)
{
    static const struct {
        uint64_t data_bytes, kept_bytes;
        const char *words; /* NULL: it is opened */
    } cases[] = {{FORGED_DATA, 1000, NULL},
                 {111 * CHUNK_BYTES, 1000, NULL}, /* a chunk takes 9 bytes at least */
                 {111 * CHUNK_BYTES + 1, 1000, "kept bytes"},
                 {INT64_MAX, 1000, "kept bytes"},
                 {(uint64_t)INT64_MAX, (uint64_t)INT64_MAX - 1, "keys"},
                 {FORGED_DATA, 0, "kept bytes"},
                 {FORGED_DATA, FORGED_DATA + 1, "kept bytes"},
                 {FORGED_DATA, 999, "data 00000000"},
                 {1000, 1001, "kept bytes"},
                 {1000, 1000, NULL}};
    static struct forgery forgery = {.size = 1000};
    for (size_t i = 0; i < COUNT(cases); i++) {
        write_forgery(&forgery, cases[i].data_bytes, cases[i].kept_bytes);
        if (cases[i].words != NULL)
            expect_refusal(PDB_DAMAGED, cases[i].words);
        else
            store_close(open_store());
    }
}

/* Random ends and chunks: whatever is answered, it comes. */
Test(deflated, junk)
{
    static struct forgery forgery;
    uint64_t random = 7, run;
    for (int i = 0; i < 200; i++) {
        forgery.size = 100 + random_below(&random, 3000);
        for (uint64_t b = 0; b < forgery.size; b++)
            forgery.kept[b] = (uint8_t)next_random(&random);
        uint64_t end = 16;
        for (unsigned chunk = 0; chunk < 2; chunk++) {
            end += random_below(&random, forgery.size / 2);
            memcpy(forgery.kept + 8 * chunk, &end, sizeof end);
        }
        write_forgery(&forgery, FORGED_DATA, forgery.size);
        struct store *store = open_store();
        for (uint64_t at = 0; at < FORGED_DATA; at += CHUNK_BYTES)
            cr_expect(store_at(store, at, &run, &error) != NULL || error.status == PDB_DAMAGED);
        store_close(store);
    }
}
