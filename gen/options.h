/* options.h -- what the user of pdb-gen typed */
#ifndef GEN_OPTIONS_H
#define GEN_OPTIONS_H

#include "common/arguments.h"

#include <limits.h>

struct options {
    unsigned threads;
    bool list;   /* show the built-in puzzles, or the named boards of the puzzles given */
    bool verify; /* check a database instead of making one */
    bool check;  /* check the puzzle's own rules instead */
    bool force;  /* make it though one is there */
    bool json, quiet;
    bool no_progress; /* else it is shown, if standard error is a terminal, and not with `quiet` */
    uint64_t memory;  /* bytes that may be used */
    bool memory_given;
    uint64_t checkpoint; /* seconds between two checkpoints; 0: one after every layer */
    bool checkpoint_given;
    char directory[PATH_MAX]; /* where databases live */
    int puzzles;
    char **puzzle;
};

/* Reads the command line. */
enum arguments_outcome gen_options_read(int argc, char **argv, struct options *options, pdb_error *error);

#endif
