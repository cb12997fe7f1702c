/* test_checkpoint.c -- what a generation has reached: saved and loaded whole, or not at all */
#include "db/checkpoint.h"
#include "tests/support/support.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[200];
static char path[300]; /* DIRECTORY/goat.pdb.partial */
static pdb_error error;

static void begin(void)
{
    make_directory(directory);
    snprintf(path, sizeof path, "%s/goat.pdb.partial", directory);
}

static void end(void)
{
    remove_directory(directory);
}

TestSuite(checkpoint, .init = begin, .fini = end);

/* Parts of 0 bytes, of one, of a chunk, of one more and of several chunks. */
static const uint64_t part_sizes[] = {0, 1, 1 << 20, (1 << 20) + 1, 5 * (1 << 20) + 12345};
enum { PARTS = COUNT(part_sizes) };

struct sample {
    struct checkpoint checkpoint;
    struct memory_part parts[PARTS];
};

/* Parts full of bytes that follow from the seed; 0 leaves them clear. */
static void sample_make(struct sample *sample, unsigned seed)
{
    for (size_t i = 0; i < PARTS; i++) {
        uint8_t *bytes = calloc(1, part_sizes[i] + 1);
        cr_assert(bytes != NULL);
        uint64_t random = seed + i;
        for (uint64_t k = 0; seed != 0 && k < part_sizes[i]; k++) {
            random = random * 6364136223846793005 + 1442695040888963407;
            bytes[k] = (uint8_t)(random >> 33);
        }
        sample->parts[i] = (struct memory_part){bytes, part_sizes[i]};
    }
    sample->checkpoint = (struct checkpoint){.definition = {1, 2, 3},
                                             .generator = "pdb 0.1.0",
                                             .layout = "planes of 64 states",
                                             .part_count = PARTS,
                                             .parts = sample->parts};
}

static void sample_free(struct sample *sample)
{
    for (size_t i = 0; i < PARTS; i++)
        free(sample->parts[i].bytes);
}

static bool same_parts(const struct sample *one, const struct sample *other)
{
    for (size_t i = 0; i < PARTS; i++)
        if (memcmp(one->parts[i].bytes, other->parts[i].bytes, part_sizes[i]) != 0)
            return false;
    return true;
}

static void save(const struct sample *sample)
{
    cr_assert_eq(checkpoint_save(directory, "goat", &sample->checkpoint, &error), PDB_OK, "%s", error.message);
}

/* Loads into `sample`; whether it was found. `words` must stand in the reason. */
static bool load(struct sample *sample, const char *words)
{
    bool found;
    char reason[200] = "?";
    cr_assert_eq(checkpoint_load(directory, "goat", &sample->checkpoint, &found, reason, sizeof reason, &error), PDB_OK,
                 "%s", error.message);
    cr_expect(found ? reason[0] == '\0' : strstr(reason, words) != NULL, "\"%s\" does not say \"%s\"", reason, words);
    return found;
}

Test(checkpoint, round_trip)
{
    struct sample first, second, loaded;
    sample_make(&first, 1);
    sample_make(&second, 2);
    sample_make(&loaded, 0);
    cr_expect(!load(&loaded, ""));
    save(&first);
    cr_expect(load(&loaded, "") && same_parts(&loaded, &first));
    save(&second);
    cr_expect(load(&loaded, "") && same_parts(&loaded, &second));
    char temporary[320];
    snprintf(temporary, sizeof temporary, "%s.new", path);
    cr_expect(access(temporary, F_OK) != 0);
    cr_expect_eq(checkpoint_remove(directory, "goat", CHECKPOINT_OF_STATES, &error), PDB_OK, "%s", error.message);
    cr_expect(access(path, F_OK) != 0);
    cr_expect_eq(checkpoint_remove(directory, "goat", CHECKPOINT_OF_STATES, &error), PDB_OK, "%s", error.message);
    cr_expect(!load(&loaded, ""));
    sample_free(&first);
    sample_free(&second);
    sample_free(&loaded);
}

Test(checkpoint, no_parts)
{
    struct sample sample;
    sample_make(&sample, 1);
    sample.checkpoint.part_count = 0;
    save(&sample);
    cr_expect(load(&sample, ""));
    sample_free(&sample);
}

/* A checkpoint that is not the one wanted is ignored, and the reason is said. */
Test(checkpoint, other_checkpoints)
{
    struct sample saved, wanted;
    sample_make(&saved, 1);
    save(&saved);
    sample_make(&wanted, 0);
    wanted.checkpoint.definition[15] = 1;
    cr_expect(!load(&wanted, "definition has changed"));
    wanted.checkpoint.definition[15] = 0;
    wanted.checkpoint.generator = "pdb 0.2.0";
    cr_expect(!load(&wanted, "another version"));
    wanted.checkpoint.generator = saved.checkpoint.generator;
    wanted.checkpoint.layout = "queue";
    cr_expect(!load(&wanted, "another way of searching"));
    wanted.checkpoint.layout = saved.checkpoint.layout;
    wanted.checkpoint.part_count = PARTS - 1;
    cr_expect(!load(&wanted, "another way of searching"));
    wanted.checkpoint.part_count = PARTS;
    wanted.parts[3].size--;
    cr_expect(!load(&wanted, "another way of searching"));
    wanted.parts[3].size++;
    cr_expect(load(&wanted, "") && same_parts(&wanted, &saved));
    sample_free(&saved);
    sample_free(&wanted);
}

/* Any change anywhere, and any other length, is found out. */
Test(checkpoint, damage)
{
    struct sample saved, loaded;
    sample_make(&saved, 1);
    sample_make(&loaded, 0);
    save(&saved);
    struct stat properties;
    int file = open(path, O_RDWR);
    cr_assert(file >= 0 && fstat(file, &properties) == 0);
    for (off_t at = 0; at < properties.st_size; at += at < 200 ? 1 : 54321) {
        uint8_t byte, changed;
        cr_assert_eq(pread(file, &byte, 1, at), 1);
        changed = byte ^ 0x10;
        cr_assert_eq(pwrite(file, &changed, 1, at), 1);
        cr_expect(!load(&loaded, ""), "byte %lld", (long long)at);
        cr_assert_eq(pwrite(file, &byte, 1, at), 1);
    }
    cr_expect(load(&loaded, ""));
    static const off_t less[] = {1, 8, 4096, 1 << 20, 7 << 20};
    for (size_t i = 0; i < COUNT(less); i++) {
        cr_assert_eq(ftruncate(file, properties.st_size - less[i]), 0);
        cr_expect(!load(&loaded, "damaged"));
        save(&saved);
        close(file);
        file = open(path, O_RDWR);
    }
    cr_assert_eq(ftruncate(file, properties.st_size + 1), 0);
    cr_expect(!load(&loaded, "damaged"));
    cr_assert_eq(ftruncate(file, 0), 0);
    cr_expect(!load(&loaded, "no checkpoint"));
    close(file);
    sample_free(&saved);
    sample_free(&loaded);
}

Test(checkpoint, failures)
{
    struct sample sample;
    bool found;
    char reason[100], place[400];
    sample_make(&sample, 1);
    cr_expect_eq(checkpoint_save(directory, "a/b", &sample.checkpoint, &error), PDB_BAD_USAGE);
    cr_expect_eq(checkpoint_load(directory, "a/b", &sample.checkpoint, &found, reason, sizeof reason, &error),
                 PDB_BAD_USAGE);
    cr_expect_eq(checkpoint_remove(directory, "..", CHECKPOINT_OF_STATES, &error), PDB_BAD_USAGE);
    snprintf(place, sizeof place, "%s/missing", directory);
    cr_expect_eq(checkpoint_save(place, "goat", &sample.checkpoint, &error), PDB_IO);
    cr_expect(strstr(error.message, place) != NULL, "%s", error.message);
    cr_expect_eq(checkpoint_load("/dev/null", "goat", &sample.checkpoint, &found, reason, sizeof reason, &error),
                 PDB_IO);
    cr_assert_eq(mkdir(path, 0777), 0);
    cr_expect(!load(&sample, "no regular file"));
    cr_expect_eq(checkpoint_save(directory, "goat", &sample.checkpoint, &error), PDB_IO);
    cr_expect_eq(checkpoint_remove(directory, "goat", CHECKPOINT_OF_STATES, &error), PDB_IO);
    sample_free(&sample);
}

/* A disk that fills up leaves the last checkpoint as it was. */
Test(checkpoint, full_disk)
{
    struct sample old, new, loaded;
    static const rlim_t limits[] = {0, 50, 5000, 1 << 20, 5 << 20};
    sample_make(&old, 1);
    sample_make(&new, 2);
    sample_make(&loaded, 0);
    save(&old);
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < COUNT(limits); i++) {
        struct rlimit limit;
        cr_assert_eq(getrlimit(RLIMIT_FSIZE, &limit), 0);
        limit.rlim_cur = limits[i];
        cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
        pdb_status status = checkpoint_save(directory, "goat", &new.checkpoint, &error);
        limit.rlim_cur = limit.rlim_max;
        cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
        cr_expect_eq(status, PDB_IO);
        cr_expect(strstr(error.message, path) != NULL, "%s", error.message);
        cr_expect(load(&loaded, "") && same_parts(&loaded, &old));
    }
    sample_free(&old);
    sample_free(&new);
    sample_free(&loaded);
}
