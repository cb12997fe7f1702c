/* test_verify.c -- pdb-gen --verify on databases whose checksums are right and whose content is not
 *
 * A database is opened, something in it is changed, and it is published again as the store publishes: only somebody who
 * knows the puzzle can tell.
 */
#include "db/store.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static char directory[200];

static void set_up(void)
{
    make_directory(directory);
}

static void tear_down(void)
{
    remove_directory(directory);
}

TestSuite(verify, .init = set_up, .fini = tear_down);

/* Runs pdb-gen; its exit code, and all that it says. */
static int run(const char *options, const char *puzzle, char said[2000])
{
    char command[800];
    const int length = snprintf(command, sizeof command, "'%s' -d '%s' %s %s 2>&1", getenv("PDB_GEN"), directory,
                                options, puzzle);
    cr_assert(length > 0 && (size_t)length < sizeof command);
    FILE *output = popen(command, "r");
    cr_assert(output != NULL);
    said[fread(said, 1, 1999, output)] = '\0';
    const int status = pclose(output);
    cr_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* A database taken out of its file: to be changed, and put back. */
struct content {
    struct store_header header;
    uint8_t *data;
    uint64_t *histogram, *hardest;
    struct store *store;
};

static struct content take_out(const char *puzzle)
{
    struct content content;
    char path[400];
    pdb_error error;
    snprintf(path, sizeof path, "%s/%s.pdb", directory, puzzle);
    cr_assert(store_open(path, &content.store, &error) == PDB_OK, "%s", error.message);
    content.header = *store_header(content.store);
    content.data = checked_memory(content.header.data_bytes, 1);
    for (uint64_t at = 0, length; at < content.header.data_bytes; at += length) {
        const uint8_t *bytes = store_at(content.store, at, &length, &error);
        cr_assert(bytes != NULL, "%s", error.message);
        memcpy(content.data + at, bytes, length);
    }
    content.histogram = checked_memory(content.header.depths, sizeof *content.histogram);
    content.hardest = checked_memory(content.header.hardest_kept, sizeof *content.hardest);
    memcpy(content.histogram, content.header.histogram, content.header.depths * sizeof *content.histogram);
    memcpy(content.hardest, content.header.hardest_states, content.header.hardest_kept * sizeof *content.hardest);
    content.header.histogram = content.histogram;
    content.header.hardest_states = content.hardest;
    return content;
}

static void put_back(const struct content *content, const char *puzzle)
{
    struct store_writer *writer;
    pdb_error error;
    cr_assert(store_create(directory, puzzle, &writer, &error) == PDB_OK, "%s", error.message);
    cr_assert(store_publish(writer, &content->header, content->data, &(struct store_task){.threads = 1}, NULL,
                            &error) == PDB_OK,
              "%s", error.message);
}

static void content_free(struct content *content)
{
    store_close(content->store);
    free(content->data);
    free(content->histogram);
    free(content->hardest);
}

static void expect_verified(const char *puzzle)
{
    char said[2000];
    const int code = run("--verify", puzzle, said);
    cr_expect(code == 0 && strstr(said, "every one verified in ") != NULL, "%d: %s", code, said);
    cr_expect(strstr(said, " against the plain rules: ") != NULL, "%s", said);
}

static void expect_found(const char *puzzle, const char *fault)
{
    char said[2000];
    const int code = run("--verify", puzzle, said);
    cr_expect(code == 4 && strstr(said, fault) != NULL, "%s: %d: %s", puzzle, code, said);
}

/* A wrong distance: one value is changed, in the byte that is so much of the way through the distances. */
static void try_distance(const char *puzzle, double share, unsigned changed)
{
    struct content content = take_out(puzzle);
    uint8_t *byte = &content
                         .data[(uint64_t)(share * (double)encoding_bytes(ENCODING_MOD4_1BIT, content.header.states))];
    const uint8_t right = *byte;
    *byte = (uint8_t)(right ^ changed);
    put_back(&content, puzzle);
    expect_found(puzzle, "a distance is not what a search gives");
    *byte = right;
    put_back(&content, puzzle);
    content_free(&content);
}

Test(verify, one_wrong_distance)
{
    static const struct {
        const char *puzzle, *encoding;
    } tried[] = {{"rush-hour", "mod3-5perbyte"}, {"triangle-15", "exact-4bit"}, {"knights", "mod4-1bit"},
                 {"klotski", "mod3-5perbyte"},   {"goat", "mod4-1bit"},         {"cube-2x2x2-qtm", "mod4-1bit"}};
    const size_t count = share() == 1 ? COUNT(tried) : 3; /* the largest are the last */
    char said[2000];
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(run("", tried[i].puzzle, said), 0, "%s", said);
        expect_verified(tried[i].puzzle);
        struct content content = take_out(tried[i].puzzle);
        EXPECT_TEXT(content.header.encoding, tried[i].encoding);
        content_free(&content);
        try_distance(tried[i].puzzle, 0, 1);
        try_distance(tried[i].puzzle, 0.7, 1);
        expect_verified(tried[i].puzzle);
    }
}

Test(verify, wrong_figures)
{
    char said[2000];
    cr_assert_eq(run("", "8-puzzle", said), 0, "%s", said);
    struct content content = take_out("8-puzzle");
    content.histogram[10]++;
    content.histogram[11]--;
    put_back(&content, "8-puzzle");
    expect_found("8-puzzle", "the histogram is not what a search gives");
    content.histogram[10]--;
    content.histogram[11]++;
    content.hardest[0]++;
    put_back(&content, "8-puzzle");
    expect_found("8-puzzle", "the list of the hardest states is not what a search gives");
    content.hardest[0]--;
    put_back(&content, "8-puzzle");
    expect_verified("8-puzzle");
    content_free(&content);
}

Test(verify, wrong_keys)
{
    char said[2000];
    cr_assert_eq(run("", "rush-hour", said), 0, "%s", said);
    struct content content = take_out("rush-hour");
    content.data[content.header.data_bytes - 1] ^= 1;
    put_back(&content, "rush-hour");
    expect_found("rush-hour", "a distance is not what a search gives");
    content_free(&content);
}

/* One that puzzles of another kind are kept in: pdb-gen, which looks boards up in what is there, does not read it
 * so. */
Test(verify, another_encoding)
{
    static const char *const others[] = {"mod4-1bit", "mod4-2bit", "mod3-2bit", "exact-16bit"};
    char said[2000];
    cr_assert_eq(run("", "hoppers", said), 0, "%s", said);
    struct content content = take_out("hoppers");
    const char *own = content.header.encoding;
    for (size_t i = 0; i < COUNT(others); i++) {
        content.header.encoding = others[i];
        put_back(&content, "hoppers");
        const int code = run("", "hoppers", said);
        cr_expect(code == 0 && strstr(said, "already there") != NULL, "%s: %d: %s", others[i], code, said);
        expect_found("hoppers", "the encoding is not what a search gives");
    }
    content.header.encoding = own;
    put_back(&content, "hoppers");
    expect_verified("hoppers");
    content_free(&content);
}
