/* options.h -- what the user of pdb-serve typed */
#ifndef SERVE_OPTIONS_H
#define SERVE_OPTIONS_H

#include "common/arguments.h"

struct options {
    const char *listen;                  /* a numeric address */
    uint64_t port;                       /* 0: any */
    uint64_t seconds;                    /* that one request may take */
    uint64_t memory;                     /* bytes that a search, or a puzzle solved in memory, may take */
    const char *directory, *definitions; /* NULL: the default; none */
    bool log;
    char *const *puzzle;
    size_t puzzles;
};

/* Reads the command line. */
enum arguments_outcome serve_options_read(int argc, char **argv, struct options *options, pdb_error *error);

#endif
