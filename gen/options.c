/* options.c -- what the user of pdb-gen typed */
#include "options.h"
#include "common/arguments.h"
#include "db/directory.h"
#include "version.h"
#include "lib/thread_count.h"

#include <stdio.h>
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
    "How and where they are made:\n"
    "  -d, --db-dir=DIR   where databases live (default: $PDB_PATH, else\n"
    "                     $XDG_DATA_HOME/pdb, else ~/.local/share/pdb)\n"
    "  -f, --force        make the database again though one is there\n"
    "      --checkpoint=SECONDS  how often what is done is kept for a later run\n"
    "                     (default: 20; 0: after every layer)\n"
    "  -j, --threads=N    threads to work on (default: every core)\n"
    "  -m, --memory=SIZE  never use more, as 8G (default: 80 % of what there is)\n"
    "What is said:\n"
    "      --json         the summary as one JSON object a puzzle\n"
    "  -q, --quiet        no summary, only complaints\n"
    "      --no-progress  no progress on the terminal\n"
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

enum { OPTION_LIST = 256, OPTION_VERIFY, OPTION_CHECK, OPTION_CHECKPOINT, OPTION_JSON, OPTION_NO_PROGRESS };

enum { CHECKPOINT_SECONDS_MAX = 1000000000 };

static const struct option long_options[] = {
    {"list", no_argument, NULL, OPTION_LIST},
    {"db-dir", required_argument, NULL, 'd'},
    {"threads", required_argument, NULL, 'j'},
    {"memory", required_argument, NULL, 'm'},
    {"force", no_argument, NULL, 'f'},
    {"verify", no_argument, NULL, OPTION_VERIFY},
    {"check", no_argument, NULL, OPTION_CHECK},
    {"checkpoint", required_argument, NULL, OPTION_CHECKPOINT},
    {"json", no_argument, NULL, OPTION_JSON},
    {"quiet", no_argument, NULL, 'q'},
    {"no-progress", no_argument, NULL, OPTION_NO_PROGRESS},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

/* One option; false with the complaint in *error. */
static bool take(struct options *options, int option, const char *argument, pdb_error *error)
{
    uint64_t number;
    switch (option) {
    case OPTION_LIST:
        options->list = true;
        return true;
    case OPTION_VERIFY:
        options->verify = true;
        return true;
    case OPTION_CHECK:
        options->check = true;
        return true;
    case OPTION_CHECKPOINT:
        options->checkpoint_given = true;
        return arguments_number("--checkpoint", argument, 0, CHECKPOINT_SECONDS_MAX, &options->checkpoint, error);
    case OPTION_JSON:
        options->json = true;
        return true;
    case OPTION_NO_PROGRESS:
        options->progress = false;
        return true;
    case 'f':
        options->force = true;
        return true;
    case 'q':
        options->quiet = true;
        options->progress = false;
        return true;
    case 'd':
        if (*argument != '\0' && strlen(argument) < sizeof options->directory) {
            strcpy(options->directory, argument);
            return true;
        }
        error_set(error, PDB_BAD_USAGE, "--db-dir takes the path of a directory");
        return false;
    case 'j':
        if (!arguments_number("--threads", argument, 1, THREADS_MAX, &number, error))
            return false;
        options->threads = (unsigned)number;
        return true;
    case 'm':
        options->memory_given = true;
        return arguments_size("--memory", argument, &options->memory, error);
    default:
        return false;
    }
}

static bool check(struct options *options, pdb_error *error)
{
    if (options->list && (options->verify || options->check || options->force))
        error_set(error, PDB_BAD_USAGE, "--list only lists: it goes with none of --verify, --check and --force");
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
        return *options->directory != '\0' || options->check ||
               directory_default(options->directory, sizeof options->directory, error) == PDB_OK;
    return false;
}

enum options_outcome options_read(int argc, char **argv, struct options *options, pdb_error *error)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), pages = (uint64_t)sysconf(_SC_PHYS_PAGES);
    *options = (struct options){.progress = true, .memory = pages * page / 5 * 4, .checkpoint = 20};
    opterr = 0;
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): there are no threads yet */
    for (int found; (found = getopt_long(argc, argv, ":d:j:m:fqhV", long_options, NULL)) != -1;) {
        if (found == 'h') {
            fputs(help, stdout);
            return OPTIONS_DONE;
        }
        if (found == 'V') {
            puts("pdb-gen " PDB_VERSION_AND_COMMIT);
            return OPTIONS_DONE;
        }
        if (found == '?' || found == ':') {
            arguments_complain("pdb-gen", found, argv, long_options, error);
            return OPTIONS_WRONG;
        }
        if (!take(options, found, optarg, error))
            return OPTIONS_WRONG;
    }
    options->puzzles = argc - optind;
    options->puzzle = argv + optind;
    return check(options, error) ? OPTIONS_GO : OPTIONS_WRONG;
}
