/* test_once.c -- what is dear is done once: a layer kernel is made once, a database opened once
 *
 * The linker has --wrap for store_open, so every call of the programs' code goes through here.
 */
#include "catalog/catalog.h"
#include "db/store.h"
#include "gen/generate.h"
#include "tests/support/support.h"

#include <string.h>

static char directory[200];
static struct family counting; /* Goat's, but for the kernel, whose making is counted */
static const struct family *counted;
static pdb_puzzle *puzzle;
static int kernels, opened;

pdb_status __real_store_open(const char *path, struct store **out, pdb_error *error);
pdb_status __wrap_store_open(const char *path, struct store **out, pdb_error *error);
pdb_status __wrap_store_open(const char *path, struct store **out, pdb_error *error)
{
    opened++;
    return __real_store_open(path, out, error);
}

static pdb_status count_layers(const struct puzzle *of, bool portable, uint64_t memory, struct layer_kernel **out,
                               pdb_error *error)
{
    kernels++;
    return counted->space.layers(of, portable, memory, out, error);
}

static void begin(void)
{
    make_directory(directory);
    cr_assert(catalog_load("8-puzzle", &puzzle, NULL) == PDB_OK);
    counted = puzzle->moves->family;
    counting = *counted;
    counting.space.layers = count_layers;
    puzzle->moves->family = &counting;
}

static void end(void)
{
    catalog_free(puzzle);
    remove_directory(directory);
}

TestSuite(once, .init = begin, .fini = end);

static void run(pdb_status (*job)(const pdb_puzzle *, const struct options *, struct summary *, pdb_error *),
                bool expect_made)
{
    struct options options = {.quiet = true, .threads = 1, .memory = 1 << 30, .checkpoint = 1000};
    struct summary summary;
    pdb_error error;
    kernels = opened = 0;
    strcpy(options.directory, directory);
    cr_assert(job(puzzle, &options, &summary, &error) == PDB_OK, "%s", error.message);
    EXPECT_NUMBER(summary.made, expect_made);
}

Test(once, a_database_is_made_found_verified_and_asked)
{
    pdb_solver *solver;
    pdb_error error;
    run(generate, true);
    EXPECT_NUMBER(kernels, 1);
    EXPECT_NUMBER(opened, 1); /* what stands in its place: nothing. The new one is not opened at all. */
    run(generate, false);
    EXPECT_NUMBER(kernels, 0);
    EXPECT_NUMBER(opened, 1);
    run(verify, false);
    EXPECT_NUMBER(kernels, 1);
    EXPECT_NUMBER(opened, 1);
    kernels = opened = 0;
    const pdb_options options = {.directory = directory};
    cr_assert(pdb_solver_open(puzzle, &options, &solver, &error) == PDB_OK, "%s", error.message);
    EXPECT_NUMBER(kernels, 0);
    EXPECT_NUMBER(opened, 1);
    pdb_solver_close(solver);
}

/* Without a database, the whole space is solved in memory. */
Test(once, a_space_is_solved_on_the_spot)
{
    const pdb_options options = {.directory = directory, .whole = true};
    pdb_solver *solver;
    pdb_error error;
    kernels = opened = 0;
    cr_assert(pdb_solver_open(puzzle, &options, &solver, &error) == PDB_OK, "%s", error.message);
    EXPECT_NUMBER(kernels, 1);
    EXPECT_NUMBER(opened, 1);
    pdb_solver_close(solver);
}
