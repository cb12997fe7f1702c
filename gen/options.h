/* options.h -- what the user of pdb-gen typed */
#ifndef GEN_OPTIONS_H
#define GEN_OPTIONS_H

#include "pdb.h"

#include <limits.h>

struct options {
    bool list;   /* show the built-in puzzles, or the named boards of the puzzles given */
    bool verify; /* check a database instead of making one */
    bool check;  /* check the puzzle's own rules instead */
    bool force;  /* make it though one is there */
    bool json, quiet;
    bool progress; /* show it, if standard error is a terminal */
    unsigned threads;
    uint64_t memory; /* bytes that may be used */
    bool memory_given;
    uint64_t checkpoint; /* seconds between two checkpoints; 0: one after every layer */
    bool checkpoint_given;
    char directory[PATH_MAX]; /* where databases live */
    int puzzles;
    char **puzzle;
};

enum options_outcome { OPTIONS_GO, OPTIONS_DONE, OPTIONS_WRONG };

/* Reads the command line. OPTIONS_DONE: --help or --version was answered on standard output; OPTIONS_WRONG: the
 * complaint stands in *error. */
enum options_outcome options_read(int argc, char **argv, struct options *options, pdb_error *error);

#endif
