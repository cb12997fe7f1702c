/* options.c -- what the user of pdb-query typed */
#include "options.h"
#include "common/arguments.h"
#include "version.h"
#include "lib/thread_count.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
static const char help[] =
    "Usage: pdb-query [options] PUZZLE [BOARD...]\n"
    "How far a board is from the puzzle's goal, and which moves are best.\n"
    "\n"
    "PUZZLE  a built-in name (pdb-gen --list) or a definition file\n"
    "BOARD   cells row by row; start (the default), goal or another named board; or -\n"
    "        for boards on standard input, a line each. Puzzles without moves take\n"
    "        questions (mastermind: a code, or answers so far; four-fours: a number)\n"
    "About a board:\n"
    "      --path               one whole shortest solution\n"
    "      --count              how many shortest solutions there are\n"
    "      --hint[=1|2|3]       1 (the default): how far; 2: which piece; 3: the move\n"
    "      --play               a game on the whole terminal, with hints and undo\n"
    "About all boards:\n"
    "      --hardest[=N]        the boards farthest from the goal, at most N (1000)\n"
    "      --histogram          how many states there are at each distance\n"
    "      --random[=DISTANCE]  a random board, at that distance if it is given\n"
    "      --seed=N             makes --random repeatable\n"
    "      --info               what the database says of itself\n"
    "Where answers come from:\n"
    "  -d, --db-dir=DIR         where databases are (default: $PDB_PATH, else\n"
    "                           $XDG_DATA_HOME/pdb, else ~/.local/share/pdb)\n"
    "      --method=METHOD      auto, db (only with a database), search (always anew)\n"
    "  -j, --threads=N          for a search (default: every core)\n"
    "How they are shown:\n"
    "      --json               as JSON objects, one a line\n"
    "      --svg                boards, a path or the histogram as an SVG picture\n"
    "      --ascii              boards drawn with letters and digits only, no colours\n"
    "      --color=WHEN         colours: auto (on a terminal), always or never\n"
    "      --progress           how far a search has got; on a terminal it is shown\n"
    "      --no-progress        anyway, but with --no-progress\n"
    "  -h, --help               this text\n"
    "  -V, --version            the version\n"
    "\n"
    "Exit codes: 0 answered; 1 no solution, or no answer; 2 bad usage, board or\n"
    "definition; 3 no database and too large, or an I/O error; 4 the database is\n"
    "damaged; 130 interrupted. \"man pdb-query\" says more.\n"
    "Examples:  pdb-query goat --path       pdb-query --json goat - <boards\n";
/* clang-format on */

enum {
    OPTION_PATH = 256,
    OPTION_COUNT,
    OPTION_HINT,
    OPTION_HARDEST,
    OPTION_HISTOGRAM,
    OPTION_RANDOM,
    OPTION_SEED,
    OPTION_INFO,
    OPTION_PLAY,
    OPTION_METHOD,
    OPTION_JSON,
    OPTION_SVG,
    OPTION_ASCII,
    OPTION_COLOUR,
    OPTION_PROGRESS,
    OPTION_NO_PROGRESS
};

static const struct option long_options[] = {
    {"path", no_argument, NULL, OPTION_PATH},
    {"count", no_argument, NULL, OPTION_COUNT},
    {"hint", optional_argument, NULL, OPTION_HINT},
    {"hardest", optional_argument, NULL, OPTION_HARDEST},
    {"histogram", no_argument, NULL, OPTION_HISTOGRAM},
    {"random", optional_argument, NULL, OPTION_RANDOM},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"info", no_argument, NULL, OPTION_INFO},
    {"play", no_argument, NULL, OPTION_PLAY},
    {"method", required_argument, NULL, OPTION_METHOD},
    {"json", no_argument, NULL, OPTION_JSON},
    {"svg", no_argument, NULL, OPTION_SVG},
    {"ascii", no_argument, NULL, OPTION_ASCII},
    {"color", required_argument, NULL, OPTION_COLOUR},
    {"progress", no_argument, NULL, OPTION_PROGRESS},
    {"no-progress", no_argument, NULL, OPTION_NO_PROGRESS},
    {"threads", required_argument, NULL, 'j'},
    {"db-dir", required_argument, NULL, 'd'},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, 'V'},
    {NULL, 0, NULL, 0},
};

/* Only one question at a time. */
static bool ask(struct options *options, enum question question, pdb_error *error)
{
    if (options->question != ASK_BOARDS && options->question != question) {
        error_set(error, PDB_BAD_USAGE,
                  "one question at a time: --hint, --hardest, --histogram, --random, --info or --play");
        return false;
    }
    options->question = question;
    return true;
}

static bool read_method(const char *text, pdb_method *method, pdb_error *error)
{
    static const char *const names[] = {"auto", "db", "search"};
    static const pdb_method methods[] = {PDB_AUTO, PDB_DATABASE, PDB_SEARCH};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        if (strcmp(names[i], text) == 0) {
            *method = methods[i];
            return true;
        }
    error_set(error, PDB_BAD_USAGE, "--method is auto, db or search, not '%s'", text);
    return false;
}

static bool read_colour(const char *text, enum colour_wish *wish, pdb_error *error)
{
    static const char *const names[] = {[COLOUR_AUTO] = "auto", [COLOUR_ALWAYS] = "always", [COLOUR_NEVER] = "never"};
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(names[i], text) == 0) {
            *wish = (enum colour_wish)i;
            return true;
        }
    error_set(error, PDB_BAD_USAGE, "--color is auto, always or never, not '%s'", text);
    return false;
}

/* One option; false with the complaint in *error. */
static bool take(struct options *options, int option, const char *argument, pdb_error *error)
{
    uint64_t number = 1;
    switch (option) {
    case OPTION_PATH:
        options->path = true;
        return true;
    case OPTION_COUNT:
        options->count = true;
        return true;
    case OPTION_HINT:
        if (argument != NULL && !arguments_number("--hint", argument, 1, 3, &number, error))
            return false;
        options->hint = (unsigned)number;
        return ask(options, ASK_HINT, error);
    case OPTION_HARDEST:
        if (argument != NULL && !arguments_number("--hardest", argument, 1, UINT32_MAX, &options->hardest, error))
            return false;
        return ask(options, ASK_HARDEST, error);
    case OPTION_HISTOGRAM:
        return ask(options, ASK_HISTOGRAM, error);
    case OPTION_RANDOM:
        if (argument != NULL && !arguments_number("--random", argument, 0, PDB_NO_DISTANCE - 1, &number, error))
            return false;
        options->distance = argument != NULL ? (uint32_t)number : PDB_NO_DISTANCE;
        return ask(options, ASK_RANDOM, error);
    case OPTION_SEED:
        options->seeded = true;
        return arguments_number("--seed", argument, 0, UINT64_MAX, &options->seed, error);
    case OPTION_INFO:
        return ask(options, ASK_INFO, error);
    case OPTION_PLAY:
        return ask(options, ASK_PLAY, error);
    case OPTION_METHOD:
        return read_method(argument, &options->solver.method, error);
    case OPTION_JSON:
        options->json = true;
        return true;
    case OPTION_SVG:
        options->svg = true;
        return true;
    case OPTION_ASCII:
        options->ascii = true;
        return true;
    case OPTION_COLOUR:
        return read_colour(argument, &options->colour, error);
    case OPTION_PROGRESS:
        options->progress = PROGRESS_ON;
        return true;
    case OPTION_NO_PROGRESS:
        options->progress = PROGRESS_OFF;
        return true;
    case 'j':
        if (!arguments_number("--threads", argument, 1, THREADS_MAX, &number, error))
            return false;
        options->solver.threads = (unsigned)number;
        return true;
    case 'd':
        options->solver.directory = argument;
        return true;
    default:
        return false;
    }
}

/* What cannot be asked together. */
static bool check(const struct options *options, pdb_error *error)
{
    if (options->puzzle == NULL)
        error_set(error, PDB_BAD_USAGE, "which puzzle? Try 'pdb-query goat', or 'pdb-gen --list' for their names");
    else if (options->boards > 0 && options->question != ASK_BOARDS && options->question != ASK_HINT &&
             options->question != ASK_PLAY)
        error_set(error, PDB_BAD_USAGE, "--hardest, --histogram, --random and --info take no board");
    else if ((options->path || options->count) && options->question == ASK_HINT)
        error_set(error, PDB_BAD_USAGE, "--hint says less than --path and --count do: leave one of them out");
    else if ((options->path || options->count) && options->question != ASK_BOARDS && options->question != ASK_HARDEST)
        error_set(error, PDB_BAD_USAGE, "--path and --count go with boards and --hardest, not with another question");
    else if (options->seeded && options->question != ASK_RANDOM && options->question != ASK_PLAY)
        error_set(error, PDB_BAD_USAGE, "--seed goes with --random and --play");
    else if (options->svg && options->json)
        error_set(error, PDB_BAD_USAGE, "one form of the answer: --svg or --json");
    else if (options->svg && (options->question == ASK_HINT || options->question == ASK_INFO))
        error_set(error, PDB_BAD_USAGE,
                  "--svg draws boards, --path, --hardest, --random and --histogram: %s has no picture",
                  options->question == ASK_HINT ? "--hint" : "--info");
    else if (options->svg && options->boards == 1 && strcmp(options->board[0], "-") == 0)
        error_set(error, PDB_BAD_USAGE, "--svg makes one picture: give its boards on the command line, not by '-'");
    else if ((options->json || options->svg) && options->question == ASK_PLAY)
        error_set(error, PDB_BAD_USAGE, "--play is for people, --json and --svg are not: one of them at a time");
    else
        return true;
    return false;
}

enum options_outcome options_read(int argc, char **argv, struct options *options, pdb_error *error)
{
    /* Words come in their order, as option 1; so do those that begin with - and a digit, which are numbers. They are
     * collected at the front of argv, in places that have been read. */
    static const char short_options[] = "-:d:hj:V0::1::2::3::4::5::6::7::8::9::";
    int words = 0;
    *options = (struct options){.hardest = 1000, .distance = PDB_NO_DISTANCE};
    opterr = 0;
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): there are no threads yet */
    for (int found; (found = getopt_long(argc, argv, short_options, long_options, NULL)) != -1;) {
        if (found == 1 || (found >= '0' && found <= '9')) {
            argv[++words] = argv[optind - 1];
            continue;
        }
        if (found == 'h') {
            fputs(help, stdout);
            return OPTIONS_DONE;
        }
        if (found == 'V') {
            puts("pdb-query " PDB_VERSION_AND_COMMIT);
            return OPTIONS_DONE;
        }
        if (found == '?' || found == ':') {
            arguments_complain("pdb-query", found, argv, long_options, error);
            return OPTIONS_WRONG;
        }
        if (!take(options, found, optarg, error))
            return OPTIONS_WRONG;
    }
    while (optind < argc) /* behind -- */
        argv[++words] = argv[optind++];
    options->puzzle = words > 0 ? argv[1] : NULL;
    options->boards = words > 0 ? words - 1 : 0;
    options->board = argv + 2;
    return check(options, error) ? OPTIONS_GO : OPTIONS_WRONG;
}
