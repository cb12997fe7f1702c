/* arguments.h -- command lines: a table says what a program's options are, and one reader serves all programs
 *
 * The room: what all programs do alike at a terminal. arguments.h reads command lines, progress_line.h draws
 * how far work is, signals.h holds Ctrl-C back, streams.h puts up with whatever state a shell is in and tells what a
 * terminal can do. It knows no puzzle and no database.
 */
#ifndef COMMON_ARGUMENTS_H
#define COMMON_ARGUMENTS_H

#include "lib/error.h"

#include <getopt.h>

/* An option --NAME. */
struct arguments_option {
    const char *name;
    int id;       /* its letter (-x), a number from 256 on, or 0 for a flag without a letter */
    int argument; /* no_argument, required_argument or optional_argument */
    size_t flag;  /* where in the program's options the bool is that it sets; 0: `take` knows what it means */
};

struct arguments_program {
    const char *name, *version;
    const char *help;                      /* what --help prints; --help and --version are known besides the table */
    const struct arguments_option *option; /* the last one has no name */
    bool numbers;                          /* -5 is no option, but a word */
    /* Takes an option in that is no flag, with its argument or NULL; false with PDB_BAD_USAGE in *error. */
    bool (*take)(void *options, int id, const char *argument, pdb_error *error);
};

enum arguments_outcome { ARGUMENTS_READ, ARGUMENTS_DONE, ARGUMENTS_WRONG };

/* Reads a command line into the program's options. Words that are none are moved to argv[1] .. argv[*words].
 * ARGUMENTS_DONE: --help or --version was answered on standard output; ARGUMENTS_WRONG: the complaint is in *error. */
enum arguments_outcome arguments_read(const struct arguments_program *program, int argc, char **argv, void *options,
                                      int *words, pdb_error *error);

/* A decimal number from min to max that `option` was given. False with PDB_BAD_USAGE in *error. */
bool arguments_number(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *value,
                      pdb_error *error);

/* One such number from 0 to max, or two with `..` or `-` between, the smaller first. */
bool arguments_range(const char *option, const char *text, uint64_t max, uint64_t *least, uint64_t *utmost,
                     pdb_error *error);

/* How many threads --threads asks for. */
bool arguments_threads(const char *text, unsigned *threads, pdb_error *error);

/* A size in bytes: a number, a fraction allowed, and K, M, G or T (powers of 1024) behind it, B or iB allowed behind
 * that; at least 1 byte. */
bool arguments_size(const char *option, const char *text, uint64_t *bytes, pdb_error *error);

#endif
