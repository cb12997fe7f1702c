/* test_store_writing.c -- the database: nothing is written that would not be read, and whatever stops a writer, the old
 * one stays
 */
#include "db/page_checksum.h"
#include "tests/support/store_sample.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(store, .init = sample_begin, .fini = sample_end);

static pdb_error error;

Test(store, names)
{
    static const char *const bad[] = {
        "",    ".",   "..",       ".hidden", "-f",
        "a/b", "a b", "\xC3\xA4", "a\n",     "12345678901234567890123456789012345678901234567890123456789012345"};
    static const char *const good[] = {"a", "8-puzzle", "tiles-3x4", "x.y_z",
                                       "1234567890123456789012345678901234567890123456789012345678901234"};
    struct store_writer *writer;
    char out[PATH_MAX], longest[PATH_MAX - sizeof "/goat.pdb" + 2] = "";
    for (size_t i = 0; i < COUNT(bad); i++) {
        cr_expect_eq(store_create(sample_directory, bad[i], &writer, &error), PDB_BAD_USAGE, "\"%s\"", bad[i]);
        cr_expect_eq(store_path(sample_directory, bad[i], out, &error), PDB_BAD_USAGE, "\"%s\"", bad[i]);
    }
    for (size_t i = 0; i < COUNT(good); i++) {
        cr_assert_eq(store_create(sample_directory, good[i], &writer, &error), PDB_OK, "\"%s\": %s", good[i],
                     error.message);
        store_abandon(writer);
    }
    store_abandon(NULL);
    cr_expect_eq(store_create("", "goat", &writer, &error), PDB_BAD_USAGE);
    cr_assert_eq(store_path("here", "goat", out, &error), PDB_OK);
    cr_expect_str_eq(out, "here/goat.pdb");
    memset(longest, 'a', sizeof longest - 2);
    cr_expect_eq(store_path(longest, "goat", out, &error), PDB_OK);
    longest[sizeof longest - 2] = 'a';
    cr_expect_eq(store_path(longest, "goat", out, &error), PDB_BAD_USAGE);
}

Test(store, one_writer_at_a_time)
{
    struct store_writer *first, *second;
    struct sample sample = sample_make(5000, 3, 2, 0);
    cr_assert_eq(store_create(sample_directory, "goat", &first, &error), PDB_OK);
    cr_expect_eq(store_create(sample_directory, "goat", &second, &error), PDB_BUSY);
    cr_expect(strstr(error.message, "goat.pdb.new") != NULL, "%s", error.message);
    cr_assert_eq(store_create(sample_directory, "knights", &second, &error), PDB_OK, "%s", error.message);
    store_abandon(second);
    cr_assert_eq(store_publish(first, &sample.header, sample.data, &(struct store_task){.threads = 2}, NULL, &error),
                 PDB_OK);
    cr_assert_eq(store_create(sample_directory, "goat", &first, &error), PDB_OK, "%s", error.message);
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
    snprintf(temporary, sizeof temporary, "%s.new", goat_path);
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
    snprintf(place, sizeof place, "%s/file", sample_directory);
    write_file(place, "x", 1);
    cr_expect_eq(store_create(place, "goat", &writer, &error), PDB_IO);
    cr_expect(strstr(error.message, place) != NULL, "%s", error.message);
    strcat(place, "/below");
    cr_expect_eq(store_create(place, "goat", &writer, &error), PDB_IO);
    cr_expect_eq(store_create("/proc/nowhere", "goat", &writer, &error), PDB_IO);
    /* a symbolic link and a directory under the temporary name; a directory under the final one */
    snprintf(place, sizeof place, "%s.new", goat_path);
    cr_assert_eq(symlink("/dev/null", place), 0);
    cr_expect_eq(store_create(sample_directory, "goat", &writer, &error), PDB_IO);
    cr_expect(strstr(error.message, "symbolic link") != NULL, "%s", error.message);
    cr_assert(unlink(place) == 0 && mkfifo(place, 0666) == 0);
    cr_expect_eq(store_create(sample_directory, "goat", &writer, &error), PDB_IO);
    cr_expect(strstr(error.message, "no regular file") != NULL, "%s", error.message);
    cr_assert(unlink(place) == 0 && mkdir(place, 0777) == 0);
    cr_expect_eq(store_create(sample_directory, "goat", &writer, &error), PDB_IO);
    cr_assert_eq(rmdir(place), 0);
    if (geteuid() == 0) { /* a file that another user has put there */
        write_file(place, "", 0);
        cr_assert_eq(chown(place, 12345, 12345), 0);
        cr_expect_eq(store_create(sample_directory, "goat", &writer, &error), PDB_IO);
        cr_expect(strstr(error.message, "another user") != NULL, "%s", error.message);
        cr_assert_eq(unlink(place), 0);
    }
    cr_assert_eq(mkdir(goat_path, 0777), 0);
    cr_expect_eq(store_create(sample_directory, "goat", &writer, &error), PDB_IO);
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
        cr_assert_eq(store_create(sample_directory, "goat", &writer, &error), PDB_OK, "%s", error.message);
        cr_expect_eq(
            store_publish(writer, &new.header, new.data, &(struct store_task){2, stop_after, &stop}, NULL, &error),
            PDB_INTERRUPTED);
        expect_no_leftover();
        struct store *store = open_store();
        cr_expect(same_header(store, &old) && read_all(store, &old) == READ_RIGHT);
        store_close(store);
    }
    struct store_writer *writer;
    uint64_t done = 0, stop = 1;
    cr_assert_eq(store_create(sample_directory, "goat", &writer, &error), PDB_OK);
    cr_expect_eq(store_publish(writer, &new.header, new.data, &(struct store_task){2, count_up, &done}, NULL, &error),
                 PDB_OK);
    cr_expect_eq(done, new.header.data_bytes);
    struct store *store = open_store();
    cr_expect_eq(store_verify(store, &(struct store_task){2, stop_after, &stop}, &error), PDB_INTERRUPTED);
    for (unsigned calls = 1; calls <= 20;
         calls++) { /* the digest, at the end, takes a pass of its own: an extent a call */
        unsigned left = calls;
        cr_expect_eq(store_verify(store, &(struct store_task){1, stop_when_done, &left}, &error), PDB_INTERRUPTED, "%u",
                     calls);
    }
    store_close(store);
    sample_free(&old);
    sample_free(&new);
}

/* A limit on files' length stands for the full disk: at every length, the old database stays and nothing is left
 * behind. */
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
        cr_assert_eq(store_create(sample_directory, "goat", &writer, &error), PDB_OK, "%s", error.message);
        cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
        pdb_status status = store_publish(writer, &new.header, new.data, &(struct store_task){.threads = 2}, NULL,
                                          &error);
        limit.rlim_cur = limit.rlim_max;
        cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
        cr_expect_eq(status, PDB_IO, "limit %llu: status %d", (unsigned long long)limits[i], status);
        cr_expect(strstr(error.message, goat_path) != NULL, "%s", error.message);
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
        cr_expect_eq(publish_as(sample_directory, "goat", &bad[i], NULL, &error), PDB_BAD_USAGE, "case %zu", i);
        expect_no_leftover();
        cr_expect(access(goat_path, F_OK) != 0, "case %zu", i);
    }
    sample_free(&sample);
}
