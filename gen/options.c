/* options.c -- what the user of pdb-gen typed */
#include "options.h"
#include "directory.h"
#include "../lib/arguments.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "Usage: pdb-gen [options] PUZZLE...\n"
    "Solves all states of a puzzle at once and keeps their exact distances for pdb-query; where they do\n"
    "not fit into memory, builds pattern databases, which help pdb-query to search.\n"
    "\n"
    "PUZZLE  a built-in name or the path of a definition file\n"
    "\n"
    "      --list         the built-in puzzles: name, states, what it is\n"
    "  -d, --db-dir=DIR   where databases live (default: $PDB_PATH, else $XDG_DATA_HOME/pdb,\n"
    "                     else ~/.local/share/pdb)\n"
    "  -j, --threads=N    threads to work on (default: every core)\n"
    "  -m, --memory=SIZE  never use more, for example 8G or 512M (default: 80 % of what there is)\n"
    "  -f, --force        make the database again though one is there\n"
    "      --verify       check an existing database completely\n"
    "      --checkpoint=SECONDS  how often what is done is kept, for a run that goes on if this one is\n"
    "                     killed (default: 20, or more where keeping takes long; 0: after every layer)\n"
    "      --check        check the puzzle's own rules (moves and their inverses, ranking, text,\n"
    "                     colours, goals) without building\n"
    "      --json         the summary as one JSON object a puzzle\n"
    "  -q, --quiet        no summary, only complaints\n"
    "      --no-progress  no progress on the terminal\n"
    "  -h, --help         this text\n"
    "  -V, --version      the version\n"
    "\n"
    "Exit codes: 0 done; 1 the puzzle has no solution; 2 bad usage or definition, or --check found a rule\n"
    "broken; 3 too large, or an I/O error; 4 the database is damaged; 130 interrupted (the message says\n"
    "what was kept; where layers are, the next run goes on from the last).\n"
    "\n"
    "Examples:  pdb-gen goat      pdb-gen -d . my-puzzle.yaml      pdb-gen --verify goat\n";

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
        if (!arguments_number("--threads", argument, 1, ARGUMENTS_MAX_THREADS, &number, error))
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
    if (options->list && options->puzzles > 0)
        error_set(error, PDB_BAD_USAGE, "--list takes no puzzle");
    else if (!options->list && options->puzzles == 0)
        error_set(error, PDB_BAD_USAGE, "which puzzle? Try 'pdb-gen goat', or 'pdb-gen --list' for their names");
    else if (options->verify && options->force)
        error_set(error, PDB_BAD_USAGE, "--verify looks at a database and --force makes one: choose one of them");
    else if (options->check && (options->verify || options->force))
        error_set(error, PDB_BAD_USAGE,
                  "--check looks at the puzzle's rules alone: it goes with neither --verify nor --force");
    else
        return *options->directory != '\0' ||
               directory_default(options->directory, sizeof options->directory, error) == PDB_OK;
    return false;
}

enum options_outcome options_read(int argc, char **argv, struct options *options, pdb_error *error)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), pages = (uint64_t)sysconf(_SC_PHYS_PAGES);
    *options = (struct options){.progress = true,
                                .threads = (unsigned)sysconf(_SC_NPROCESSORS_ONLN),
                                .memory = pages * page / 5 * 4,
                                .checkpoint = 20};
    opterr = 0;
    for (int found; (found = getopt_long(argc, argv, ":d:j:m:fqhV", long_options, NULL)) != -1;) {
        if (found == 'h') {
            fputs(help, stdout);
            return OPTIONS_DONE;
        }
        if (found == 'V') {
            puts("pdb-gen " PDB_VERSION);
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
