/* options.c -- what the user of pdb-serve typed */
#include "options.h"
#include "common/arguments.h"
#include "version.h"

#include <stddef.h>

/* clang-format off */
static const char help[] =
    "Usage: pdb-serve [options] [PUZZLE...]\n"
    "Answers over HTTP what pdb-query answers, and serves a page to play on.\n"
    "\n"
    "PUZZLE  a built-in name (pdb-gen --list) or a definition file; without any, all\n"
    "        built-in puzzles are offered\n"
    "      --listen=ADDRESS   where to listen (default: 127.0.0.1, this machine alone)\n"
    "      --port=N           at which port (default: 8017; 0: any that is free)\n"
    "  -d, --db-dir=DIR       where databases are (default: $PDB_PATH, else\n"
    "                         $XDG_DATA_HOME/pdb, else ~/.local/share/pdb)\n"
    "      --definitions=DIR  the files DIR/*.yaml are offered too\n"
    "      --seconds=N        nothing that is asked takes longer (default: 10)\n"
    "  -m, --memory=SIZE      what one search, or a puzzle that is solved in memory,\n"
    "                         may take, as 512M (default: 256M)\n"
    "      --log              a line a request on standard error\n"
    "  -h, --help             this text\n"
    "  -V, --version          the version\n"
    "\n"
    "It stops on Ctrl-C or SIGTERM, when what is under way is answered. Exit codes:\n"
    "0 stopped; 2 bad usage or definition; 3 it cannot listen there, or an I/O error.\n"
    "Example:  pdb-serve goat   and open the address that it prints\n";
/* clang-format on */

enum { OPTION_LISTEN = 256, OPTION_PORT, OPTION_DEFINITIONS, OPTION_SECONDS };

static const struct arguments_option table[] = {
    {"listen", OPTION_LISTEN, required_argument, 0},
    {"port", OPTION_PORT, required_argument, 0},
    {"db-dir", 'd', required_argument, 0},
    {"definitions", OPTION_DEFINITIONS, required_argument, 0},
    {"seconds", OPTION_SECONDS, required_argument, 0},
    {"memory", 'm', required_argument, 0},
    {"log", 0, no_argument, offsetof(struct options, log)},
    {0},
};

static bool take(void *to, int id, const char *argument, pdb_error *error)
{
    struct options *options = to;
    switch (id) {
    case OPTION_LISTEN:
        options->listen = argument;
        return true;
    case OPTION_PORT:
        return arguments_number("--port", argument, 0, 65535, &options->port, error);
    case 'd':
        options->directory = argument;
        return true;
    case OPTION_DEFINITIONS:
        options->definitions = argument;
        return true;
    case OPTION_SECONDS:
        return arguments_number("--seconds", argument, 1, 86400, &options->seconds, error);
    default:
        return arguments_size("--memory", argument, &options->memory, error);
    }
}

enum arguments_outcome serve_options_read(int argc, char **argv, struct options *options, pdb_error *error)
{
    static const struct arguments_program program = {
        .name = "pdb-serve", .version = PDB_VERSION_AND_COMMIT, .help = help, .option = table, .take = take};
    int words;
    *options = (struct options){.listen = "127.0.0.1", .port = 8017, .seconds = 10, .memory = 256 << 20};
    const enum arguments_outcome outcome = arguments_read(&program, argc, argv, options, &words, error);
    options->puzzle = argv + 1;
    options->puzzles = (size_t)(words > 0 ? words : 0);
    return outcome;
}
