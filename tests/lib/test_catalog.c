/* test_catalog.c -- the built-in puzzles, and what a name or a path on the command line stands for */
#include "catalog/catalog.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pdb_error error;
static char directory[200];

/* Every test works in an empty directory of its own. */
static void enter_directory(void)
{
    make_directory(directory);
    cr_assert(chdir(directory) == 0);
}

static void leave_directory(void)
{
    cr_expect(chdir("/") == 0);
    remove_directory(directory);
}

TestSuite(catalog, .init = enter_directory, .fini = leave_directory);

static void expect_refused(const char *word, pdb_status status, const char *message)
{
    pdb_puzzle *puzzle = NULL;
    cr_expect(catalog_load(word, &puzzle, &error) == status && error.status == status, "%s: %d", word,
              (int)error.status);
    cr_expect(puzzle == NULL && strcmp(error.message, message) == 0, "%s", error.message);
}

static void expect_goat(const char *word)
{
    pdb_puzzle *puzzle = NULL;
    cr_assert(catalog_load(word, &puzzle, &error) == PDB_OK, "%s: %s", word, error.message);
    cr_expect(strcmp(puzzle->name, "goat") == 0, "%s", puzzle->name);
    catalog_free(puzzle);
}

Test(catalog, names_are_sorted)
{
    cr_assert(catalog_names[0] != NULL);
    for (size_t i = 1; catalog_names[i] != NULL; i++)
        cr_expect(strcmp(catalog_names[i - 1], catalog_names[i]) < 0, "%s, %s", catalog_names[i - 1], catalog_names[i]);
}

Test(catalog, every_puzzle_can_be_loaded)
{
    for (size_t i = 0; catalog_names[i] != NULL; i++) {
        pdb_puzzle *puzzle = NULL;
        cr_expect(catalog_load(catalog_names[i], &puzzle, &error) == PDB_OK, "%s", error.message);
        if (puzzle == NULL)
            continue;
        cr_expect(strcmp(puzzle->name, catalog_names[i]) == 0, "the file of %s calls itself %s", catalog_names[i],
                  puzzle->name);
        catalog_free(puzzle);
    }
}

Test(catalog, texts_are_the_files)
{
    for (size_t i = 0; catalog_names[i] != NULL; i++) {
        size_t length = 0;
        const char *text = catalog_text(catalog_names[i], &length);
        struct definition *definition;
        cr_assert(text != NULL && length > 0, "%s", catalog_names[i]);
        cr_expect(text[length - 1] == '\n', "%s is not complete", catalog_names[i]);
        cr_assert(definition_parse(catalog_names[i], text, length, &definition, &error) == PDB_OK, "%s", error.message);
        definition_free(definition);
    }
    size_t length = 7;
    cr_expect(catalog_text("goad", &length) == NULL && catalog_text("", &length) == NULL &&
              catalog_text("goat.yaml", &length) == NULL);
    cr_expect(length == 7);
}

Test(catalog, names)
{
    expect_goat("goat");
    expect_refused("goad", PDB_UNKNOWN_PUZZLE,
                   "unknown puzzle 'goad': did you mean 'goat'? (pdb-gen --list shows them all)");
    expect_refused("Goat", PDB_UNKNOWN_PUZZLE,
                   "unknown puzzle 'Goat': did you mean 'goat'? (pdb-gen --list shows them all)");
    expect_refused("sokoban-xyz", PDB_UNKNOWN_PUZZLE,
                   "unknown puzzle 'sokoban-xyz' (pdb-gen --list shows the built-in puzzles)");
    expect_refused("", PDB_UNKNOWN_PUZZLE, "unknown puzzle '' (pdb-gen --list shows the built-in puzzles)");
    cr_expect(catalog_load("goad", &(pdb_puzzle *){NULL}, NULL) == PDB_UNKNOWN_PUZZLE);
}

Test(catalog, paths)
{
    size_t length = 0;
    const char *text = catalog_text("goat", &length);
    char path[300];
    cr_assert(text != NULL);
    write_file("mine.yaml", text, length);
    write_file("mine.yml", text, length);
    write_file("mine", text, length);
    snprintf(path, sizeof path, "%s/mine", directory);
    expect_goat("mine.yaml");
    expect_goat("mine.yml");
    expect_goat("mine");
    expect_goat("./mine");
    expect_goat(path);
}

Test(catalog, a_built_in_name_is_no_file)
{
    write_file("goat", "x", 1);
    expect_goat("goat");
    expect_refused("./goat", PDB_BAD_DEFINITION,
                   "./goat:1:1: a definition is a mapping, lines of 'key: value', but this is none");
}

Test(catalog, missing_files)
{
    expect_refused("sokoban-xyz.yaml", PDB_UNKNOWN_PUZZLE,
                   "there is no file 'sokoban-xyz.yaml' (pdb-gen --list shows the built-in puzzles)");
    expect_refused("no/such/goat.yaml", PDB_UNKNOWN_PUZZLE,
                   "there is no file 'no/such/goat.yaml': did you mean 'goat'? (pdb-gen --list shows them all)");
    expect_refused("./goat", PDB_UNKNOWN_PUZZLE,
                   "there is no file './goat': did you mean 'goat'? (pdb-gen --list shows them all)");
    write_file("mine", "x", 1);
    expect_refused("mine/goat.yml", PDB_UNKNOWN_PUZZLE,
                   "there is no file 'mine/goat.yml': did you mean 'goat'? (pdb-gen --list shows them all)");
}

Test(catalog, broken_files)
{
    write_file("mine.yaml", "puzzle: [1\n", 11);
    expect_refused("mine.yaml", PDB_BAD_DEFINITION,
                   "mine.yaml:2:1: a ',' is missing here, or the ']' that ends the list, or quotes around a '#' (the "
                   "list begins at line 1, column 9)");
    pdb_puzzle *puzzle = NULL;
    write_file("mine.yaml", "puzzle: mine\nfamily: no-such-family\n", 36);
    cr_expect(catalog_load("mine.yaml", &puzzle, &error) == PDB_BAD_DEFINITION && puzzle == NULL);
    cr_expect(strncmp(error.message, "mine.yaml:2:9: ", 15) == 0, "%s", error.message);
    cr_assert(mkdir("folder.yaml", 0700) == 0 && mkdir("folder", 0700) == 0);
    expect_refused("folder.yaml", PDB_IO, "cannot read 'folder.yaml': it is a directory, not a definition file");
    expect_refused("folder", PDB_UNKNOWN_PUZZLE, "unknown puzzle 'folder' (pdb-gen --list shows the built-in puzzles)");
    expect_refused("/dev/null", PDB_IO, "cannot read '/dev/null': it is no regular file");
}
