/* test_store_damage.c -- the database: what is not whole, or not a database of pdb, or forged, is not read */
#include "db/page_checksum.h"
#include "tests/support/store_sample.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(store_damage, .init = sample_begin, .fini = sample_end);

static pdb_error error;

Test(store_damage, no_database)
{
    static uint8_t junk[65536];
    uint64_t random = 1;
    expect_refusal(PDB_NO_DATABASE, "there is no database");
    write_file(goat_path, "", 0);
    expect_refusal(PDB_DAMAGED, "is empty");
    write_file(goat_path, "hello", 5);
    expect_refusal(PDB_DAMAGED, "is no database");
    for (size_t i = 0; i < sizeof junk; i++)
        junk[i] = (uint8_t)next_random(&random);
    write_file(goat_path, junk, sizeof junk);
    expect_refusal(PDB_DAMAGED, "is no database");
    memset(junk, 0, sizeof junk);
    write_file(goat_path, junk, sizeof junk);
    expect_refusal(PDB_DAMAGED, "is no database");
    cr_assert_eq(unlink(goat_path), 0);
    cr_assert_eq(mkdir(goat_path, 0777), 0);
    expect_refusal(PDB_IO, "is a directory");
    cr_assert_eq(rmdir(goat_path), 0);
    cr_assert_eq(mkfifo(goat_path, 0666), 0);
    expect_refusal(PDB_IO, "no regular file");
    cr_assert_eq(unlink(goat_path), 0);
    cr_assert_eq(symlink("nowhere", goat_path), 0);
    expect_refusal(PDB_NO_DATABASE, "there is no database");
}

Test(store_damage, wrong_length)
{
    size_t size;
    struct sample sample = sample_make(30000, 20, 5, 1);
    publish(&sample);
    uint8_t *bytes = read_file(goat_path, &size);
    bytes = realloc(bytes, size + 8192);
    cr_assert(bytes != NULL);
    memset(bytes + size, 0, 8192);
    for (size_t length = 0; length < size; length += length % 4096 < 300 || length % 4096 > 4090 ? 1 : 97) {
        struct store *store;
        cr_assert_eq(truncate(goat_path, (off_t)length), 0);
        cr_assert_eq(store_open(goat_path, &store, &error), PDB_DAMAGED, "%zu bytes", length);
        write_file(goat_path, bytes, size);
    }
    static const size_t more[] = {1, 8, 4095, 4096, 8192};
    for (size_t i = 0; i < COUNT(more); i++) {
        write_file(goat_path, bytes, size + more[i]);
        expect_refusal(PDB_DAMAGED, "appended");
    }
    free(bytes);
    sample_free(&sample);
}

/* A byte of LMDB's first page, changed on purpose. */
Test(store_damage, foreign_lmdb)
{
    size_t size;
    struct sample sample = sample_make(100, 3, 2, 0);
    publish(&sample);
    uint8_t *bytes = read_file(goat_path, &size);
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
        write_file(goat_path, copy, size);
        expect_refusal(PDB_DAMAGED, changes[i].words);
    }
    free(copy);
    free(bytes);
    sample_free(&sample);
}

#define ZEROS "00000000000000000000000000000000"
#define FIRST                                                                                                          \
    "{\"format\":3,\"puzzle\":\"goat\",\"definition\":\"" ZEROS                                                        \
    "\",\"goal\":\"\",\"metric\":\"\",\"encoding\":\"\",\"patterns\":\"\",\"generator\":\"\","
#define LAST ",\"content\":\"" ZEROS "\"}"
#define NUMBERS                                                                                                        \
    "\"states\":9,\"reachable\":4,\"data_bytes\":5,\"kept_bytes\":5,\"depths\":2,\"hardest\":3,\"hardest_kept\":3"

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
    cr_expect_eq(store_verify(store, &(struct store_task){.threads = 1}, &error),
                 PDB_DAMAGED); /* the digest is not right */
    store_close(store);
}

Test(store_damage, forged_headers)
{
    static const struct {
        const char *header;
        const char *words;
    } cases[] = {
        {"{\"format\":4,\"all\":\"else differs\"}",
         "a newer version of pdb: its format is 4, this program reads format 3"},
        {"{\"format\":2}",
         "an older version of pdb: its format is 2, this program reads format 3; generate it again with "
         "`pdb-gen --force`"},
        {"{\"format\":0}", "an older version"},
        {"{\"format\":\"1\"}", "says no format"},
        {"{}", "says no format"},
        {"[1]", "no JSON object"},
        {"{\"format\":1", "no JSON object"},
        {"{\"format\":1,\"format\":1}", "no JSON object"},
        {FIRST NUMBERS ",\"more\":1" LAST, "a key too many"},
        {" " FIRST NUMBERS LAST, "not laid out"},
        {FIRST NUMBERS LAST "\n", "not laid out"},
        {FIRST "\"states\":9" LAST, "\"reachable\""},
        {FIRST "\"states\":9.0,\"reachable\":4,\"data_bytes\":5,\"kept_bytes\":5,\"depths\":2,\"hardest\":3,\"hardest_"
               "kept\":3" LAST,
         "\"states\""},
        {FIRST "\"states\":-9,\"reachable\":4,\"data_bytes\":5,\"kept_bytes\":5,\"depths\":2,\"hardest\":3,\"hardest_"
               "kept\":3" LAST,
         "\"states\""},
        {FIRST "\"states\":3,\"reachable\":4,\"data_bytes\":5,\"kept_bytes\":5,\"depths\":2,\"hardest\":3,\"hardest_"
               "kept\":3" LAST,
         "out of range"},
        {FIRST "\"states\":8,\"reachable\":4,\"data_bytes\":5,\"kept_bytes\":5,\"depths\":2,\"hardest\":3,\"hardest_"
               "kept\":3" LAST,
         "out of range"},
        {FIRST "\"states\":9,\"reachable\":5,\"data_bytes\":5,\"kept_bytes\":5,\"depths\":2,\"hardest\":3,\"hardest_"
               "kept\":3" LAST,
         "sum"},
        {FIRST "\"states\":9,\"reachable\":4,\"data_bytes\":6,\"kept_bytes\":6,\"depths\":2,\"hardest\":3,\"hardest_"
               "kept\":3" LAST,
         "data 00000000"},
        {FIRST "\"states\":9,\"reachable\":4,\"data_bytes\":9223372036854775807,\"kept_bytes\":9223372036854775807,"
               "\"depths\":2,\"hardest\":3,\"hardest_"
               "kept\":3" LAST,
         "keys"},
        {FIRST "\"states\":9,\"reachable\":4,\"data_bytes\":5,\"kept_bytes\":5,\"depths\":3,\"hardest\":3,\"hardest_"
               "kept\":3" LAST,
         "histogram"},
        {FIRST "\"states\":9,\"reachable\":4,\"data_bytes\":5,\"kept_bytes\":5,\"depths\":2,\"hardest\":2,\"hardest_"
               "kept\":2" LAST,
         "hardest"},
        {FIRST "\"states\":9,\"reachable\":4,\"data_bytes\":5,\"kept_bytes\":5,\"depths\":2,\"hardest\":3,\"hardest_"
               "kept\":2" LAST,
         "hardest"},
    };
    expect_forged(FIRST NUMBERS LAST, NULL, PDB_OK, "");
    expect_forged(
        "{\"format\":3,\"puzzle\":\"goat\",\"definition\":\"" ZEROS
        "\",\"goal\":\"\",\"metric\":\"\",\"encoding\":\"\",\"patterns\":\"\",\"generator\":\"\\u001B[2J\"," NUMBERS
            LAST,
        NULL, PDB_DAMAGED, "not plain text");
    for (size_t i = 0; i < COUNT(cases); i++)
        expect_forged(cases[i].header, NULL, PDB_DAMAGED, cases[i].words);
    expect_forged(FIRST NUMBERS LAST, "data 00000001", PDB_DAMAGED, "keys");
    expect_forged(FIRST NUMBERS LAST, "zebra", PDB_DAMAGED, "keys");
    static const struct forged other = {"something", "else", 4};
    forge(&other, 1);
    expect_refusal(PDB_DAMAGED, "no database of pdb");
}

/* A page of another puzzle's database, and a page of the same database in another's place. */
Test(store_damage, spliced_pages)
{
    size_t size, other_size;
    struct sample sample = sample_make(100000, 20, 5, 1), other = sample_make(100000, 20, 5, 2);
    publish(&other);
    uint8_t *foreign = read_file(goat_path, &other_size);
    publish(&sample);
    uint8_t *bytes = read_file(goat_path, &size), *found = NULL;
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
        write_file(goat_path, copy, size);
        struct store *store = open_store();
        uint64_t run;
        cr_expect(store_at(store, 3 * 4096, &run, &error) == NULL, "kind %d", kind);
        cr_expect_eq(error.status, PDB_DAMAGED);
        cr_expect((store_at(store, 0, &run, &error) != NULL) == (kind < 2), "kind %d", kind);
        cr_expect_eq(store_verify(store, &(struct store_task){.threads = 2}, &error), PDB_DAMAGED);
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
Test(store_damage, every_byte)
{
    size_t size;
    struct sample sample = sample_make(6000, 300, 5, 1);
    publish(&sample);
    uint8_t *bytes = read_file(goat_path, &size);
    int file = open(goat_path, O_RDWR);
    cr_assert(file >= 0);
    static const uint8_t masks[] = {0x01, 0x80, 0xFF};
    uint64_t refused = 0, harmless = 0;
    const size_t step = share() == 1 ? 1 : 7; /* the short form takes all masks in turn */
    for (size_t i = 0; i < COUNT(masks) * size; i += step) {
        size_t at = i / COUNT(masks);
        uint8_t changed = bytes[at] ^ masks[i % COUNT(masks)];
        struct store *store;
        cr_assert_eq(pwrite(file, &changed, 1, (off_t)at), 1);
        pdb_status status = store_open(goat_path, &store, &error);
        if (status == PDB_OK) {
            cr_assert(same_header(store, &sample), "byte %zu", at);
            enum reading reading = read_all(store, &sample);
            cr_assert_neq(reading, READ_WRONG, "byte %zu", at);
            pdb_status verified = store_verify(store, &(struct store_task){.threads = 1}, &error);
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
    /* The records that are read at once and LMDB's numbers are some 3000 bytes, the data 6000. What is left is unused
     * space. */
    const size_t about = step == 1 ? 0 : COUNT(masks) * size / 50;
    cr_expect_geq(step * refused + about, COUNT(masks) * 3000);
    cr_expect_leq(step * harmless, COUNT(masks) * (size - 9000) + about);
    close(file);
    free(bytes);
    sample_free(&sample);
}
