/* options.c -- what the user of pdb-gen typed */
#include "generate.h"
#include "db/store.h"
#include "launch.h"
#include "version.h"

#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* clang-format off */
static const char help[] =
    "Usage: pdb-gen [options] PUZZLE...\n"
    "Solves all states of a puzzle at once and keeps their exact distances for\n"
    "pdb-query; where they do not fit into memory, builds pattern databases, which\n"
    "help pdb-query to search. PUZZLE is a built-in name or a definition file.\n"
    "\n"
    "Instead of making databases:\n"
    "      --list         the built-in puzzles: name, states, what it is; with a\n"
    "                     PUZZLE its named boards\n"
    "      --verify       check an existing database completely\n"
    "      --check        check the puzzle's own rules (moves and their inverses,\n"
    "                     ranking, text, colours, goals) without building\n"
    "      --layouts      solve every way to put what the key `layouts` leaves open,\n"
    "                     rank them, and keep the best as definitions:\n"
    "      --best=N       so many of them (default: 10)\n"
    "      --most=N       refuse more than so many ways (default: 1000000)\n"
    "How and where they are made:\n"
    "  -d, --db-dir=DIR   where databases live (default: $PDB_PATH, else\n"
    "                     $XDG_DATA_HOME/pdb, else ~/.local/share/pdb)\n"
    "  -f, --force        make the database again though one is there\n"
    "      --checkpoint=SECONDS  how often what is done is kept for a later run\n"
    "                     (default: 20; 0: after every layer)\n"
    "  -j, --threads=N    threads to work on (default: every core)\n"
    "  -m, --memory=SIZE  never use more, as 8G (default: 80 % of what there is)\n"
    "      --scratch=DIR  a disk for what that has no room for, where the puzzle's\n"
    "                     states can lie in a file (see the manual)\n"
    "What is said:\n"
    "      --json         the summary as one JSON object a puzzle\n"
    "  -q, --quiet        no summary, only complaints\n"
    "      --progress     how far it is, also where no terminal is;\n"
    "      --no-progress  not on one either\n"
    "  -h, --help         this text\n"
    "  -V, --version      the version\n"
    "\n"
    "Exit codes: 0 done; 1 the puzzle has no solution; 2 bad usage or definition, or\n"
    "--check found a rule broken; 3 too large, or an I/O error; 4 the database is\n"
    "damaged; 130 interrupted (the message says what was kept).\n"
    "\n"
    "Examples:  pdb-gen goat\n"
    "           pdb-gen -d . my-puzzle.yaml\n"
    "           pdb-gen --verify goat\n"
    "\"man pdb-gen\" says more; \"man 5 pdb\" has what a definition file may say.\n";
/* clang-format on */

enum { OPTION_CHECKPOINT = 256, OPTION_BEST, OPTION_MOST, OPTION_SCRATCH, OPTION_PROGRESS, OPTION_NO_PROGRESS };

enum { CHECKPOINT_SECONDS_MAX = 1000000000 };

static const struct arguments_option table[] = {
    {"list", 0, no_argument, offsetof(struct options, list)},
    {"db-dir", 'd', required_argument, 0},
    {"threads", 'j', required_argument, 0},
    {"memory", 'm', required_argument, 0},
    {"force", 'f', no_argument, offsetof(struct options, force)},
    {"verify", 0, no_argument, offsetof(struct options, verify)},
    {"check", 0, no_argument, offsetof(struct options, check)},
    {"layouts", 0, no_argument, offsetof(struct options, layouts)},
    {"best", OPTION_BEST, required_argument, 0},
    {"most", OPTION_MOST, required_argument, 0},
    {"checkpoint", OPTION_CHECKPOINT, required_argument, 0},
    {"scratch", OPTION_SCRATCH, required_argument, 0},
    {"json", 0, no_argument, offsetof(struct options, json)},
    {"quiet", 'q', no_argument, offsetof(struct options, quiet)},
    {"progress", OPTION_PROGRESS, no_argument, 0},
    {"no-progress", OPTION_NO_PROGRESS, no_argument, 0},
    {0},
};

static bool take_directory(const char *option, const char *argument, char path[PATH_MAX], pdb_error *error)
{
    if (*argument == '\0' || strlen(argument) >= PATH_MAX) {
        error_set(error, PDB_BAD_USAGE, "%s takes the path of a directory", option);
        return false;
    }
    strcpy(path, argument);
    return true;
}

/* An option that is no flag. */
static bool take(void *to, int id, const char *argument, pdb_error *error)
{
    struct options *options = to;
    switch (id) {
    case 'd':
        return take_directory("--db-dir", argument, options->directory, error);
    case OPTION_SCRATCH:
        return take_directory("--scratch", argument, options->scratch, error);
    case 'j':
        return arguments_threads(argument, &options->threads, error);
    case 'm':
        options->memory_given = true;
        return arguments_size("--memory", argument, &options->memory, error);
    case OPTION_CHECKPOINT:
        options->checkpoint_given = true;
        return arguments_number("--checkpoint", argument, 0, CHECKPOINT_SECONDS_MAX, &options->checkpoint, error);
    case OPTION_PROGRESS:
    case OPTION_NO_PROGRESS:
        options->progress = id == OPTION_PROGRESS ? PROGRESS_ON : PROGRESS_OFF;
        return true;
    case OPTION_BEST:
        options->layouts_said = true;
        return arguments_number("--best", argument, 1, 100000, &options->best, error);
    case OPTION_MOST:
        options->layouts_said = true;
        return arguments_number("--most", argument, 1, UINT32_MAX - 1, &options->most, error);
    }
    return false;
}

static bool check(struct options *options, pdb_error *error)
{
    if (options->quiet && options->progress == PROGRESS_AUTO)
        options->progress = PROGRESS_OFF;
    if (options->list && (options->verify || options->check || options->force))
        error_set(error, PDB_BAD_USAGE, "--list only lists: it goes with none of --verify, --check and --force");
    else if (options->layouts && (options->list || options->verify || options->check))
        error_set(error, PDB_BAD_USAGE, "--layouts goes with none of --list, --verify and --check");
    else if (options->layouts_said && !options->layouts)
        error_set(error, PDB_BAD_USAGE, "--best and --most go with --layouts");
    else if (options->list)
        return true;
    else if (options->puzzles == 0)
        error_set(error, PDB_BAD_USAGE, "which puzzle? Try 'pdb-gen goat', or 'pdb-gen --list' for their names");
    else if (options->verify && options->force)
        error_set(error, PDB_BAD_USAGE, "--verify looks at a database and --force makes one: choose one of them");
    else if (options->check && (options->verify || options->force))
        error_set(error, PDB_BAD_USAGE,
                  "--check looks at the puzzle's rules alone: it goes with neither --verify nor --force");
    else
        /* of processes that were started together the first alone needs one */
        return *options->directory != '\0' || options->check || !launch_is_first() ||
               directory_default(options->directory, sizeof options->directory, error) == PDB_OK;
    return false;
}

enum arguments_outcome gen_options_read(int argc, char **argv, struct options *options, pdb_error *error)
{
    static const struct arguments_program program = {
        .name = "pdb-gen", .version = PDB_VERSION_AND_COMMIT, .help = help, .option = table, .take = take};
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), pages = (uint64_t)sysconf(_SC_PHYS_PAGES);
    *options = (struct options){
        .memory = pages * page / 5 * 4, .checkpoint = 20, .most = 1000000, .best = 10, .puzzle = argv + 1};
    const enum arguments_outcome outcome = arguments_read(&program, argc, argv, options, &options->puzzles, error);
    return outcome != ARGUMENTS_READ || check(options, error) ? outcome : ARGUMENTS_WRONG;
}
