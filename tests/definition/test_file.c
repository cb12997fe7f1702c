/* test_file.c -- definitions in files: what is read, what is refused, and what is no file of a definition */
#include "parsed.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static pdb_error error;
static char directory[200], path[300];

static void begin(void)
{
    make_directory(directory);
    snprintf(path, sizeof path, "%s/goat.yaml", directory);
}

static void end(void)
{
    remove_directory(directory);
}

TestSuite(definition_file, .init = begin, .fini = end);

static void expect_unreadable(const char *reason)
{
    struct definition *definition;
    char expected[1000];
    cr_expect(definition_read(path, &definition, &error) == PDB_IO);
    snprintf(expected, sizeof expected, "cannot read '%s': %s", path, reason);
    expect_text(error.message, expected);
}

Test(definition_file, is_read)
{
    struct definition *definition = NULL;
    write_file(path, good, sizeof good - 1);
    cr_assert(definition_read(path, &definition, &error) == PDB_OK, "%s", error.message);
    expect_text(definition_name(definition), path);
    expect_text(top_text(definition, "puzzle"), "goat");
    definition_free(definition);
}

Test(definition_file, with_a_mistake)
{
    struct definition *definition;
    char expected[1000];
    write_file(path, BYTES("a: 1\nb: \xFF\n"));
    cr_expect(definition_read(path, &definition, &error) == PDB_BAD_DEFINITION);
    snprintf(expected, sizeof expected, "%s:2:4: the byte 0xFF is not UTF-8 here: save the file as UTF-8", path);
    expect_text(error.message, expected);
    write_file(path, "", 0);
    cr_expect(definition_read(path, &definition, &error) == PDB_BAD_DEFINITION);
    snprintf(expected, sizeof expected, "%s:1:1: " NO_MAPPING "empty", path);
    expect_text(error.message, expected);
}

Test(definition_file, size_has_a_limit)
{
    struct definition *definition;
    char *text = padded(DEFINITION_MAX_BYTES + 1);
    char expected[1000];
    write_file(path, text, DEFINITION_MAX_BYTES);
    cr_assert(definition_read(path, &definition, &error) == PDB_OK);
    definition_free(definition);
    write_file(path, text, DEFINITION_MAX_BYTES + 1);
    free(text);
    snprintf(expected, sizeof expected, "%s:1:1: this is too long: a definition has at most 1048576 bytes", path);
    cr_expect(definition_read(path, &definition, &error) == PDB_BAD_DEFINITION);
    expect_text(error.message, expected);
    cr_assert(truncate(path, (off_t)1 << 40) == 0 || truncate(path, 1 << 30) == 0); /* sparse: not read to its end */
    cr_expect(definition_read(path, &definition, &error) == PDB_BAD_DEFINITION);
    expect_text(error.message, expected);
}

Test(definition_file, that_is_none)
{
    expect_unreadable("No such file or directory");
    cr_assert(mkdir(path, 0700) == 0);
    expect_unreadable("it is a directory, not a definition file");
    cr_assert(rmdir(path) == 0 && mkfifo(path, 0600) == 0);
    expect_unreadable("it is no regular file"); /* and does not wait for a writer */
    cr_assert(unlink(path) == 0 && symlink("/dev/zero", path) == 0);
    expect_unreadable("it is no regular file");
    cr_assert(unlink(path) == 0 && symlink("goat.yaml", path) == 0);
    expect_unreadable("Too many levels of symbolic links");
}

Test(definition_file, that_is_not_ours)
{
    write_file(path, BYTES("a: b\n"));
    cr_assert(chmod(path, 0) == 0);
    if (geteuid() != 0) /* root may read everything */
        expect_unreadable("Permission denied");
}
