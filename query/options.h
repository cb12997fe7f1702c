/* options.h -- what the user of pdb-query typed */
#ifndef QUERY_OPTIONS_H
#define QUERY_OPTIONS_H

#include "common/arguments.h"

/* The question; all but ASK_BOARDS are about the puzzle as a whole. */
enum question { ASK_BOARDS, ASK_HINT, ASK_HARDEST, ASK_HISTOGRAM, ASK_RANDOM, ASK_INFO, ASK_PLAY };

enum progress_wish { PROGRESS_AUTO, PROGRESS_ON, PROGRESS_OFF }; /* on a terminal; always; never */

enum colour_wish { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER }; /* on a terminal; always; never */

struct options {
    enum question question;
    bool path, count;  /* with ASK_BOARDS: one whole solution; how many there are */
    unsigned hint;     /* 1: how far, 2: which piece, 3: the move */
    uint64_t hardest;  /* at most so many boards */
    uint32_t distance; /* of the random board; PDB_NO_DISTANCE for any */
    bool seeded;
    uint64_t seed;
    bool json, svg, ascii;
    enum colour_wish colour;
    enum progress_wish progress;
    pdb_options solver;
    const char *puzzle;
    int boards; /* boards on the command line; none means start */
    char **board;
};

/* Reads the command line. */
enum arguments_outcome query_options_read(int argc, char **argv, struct options *options, pdb_error *error);

#endif
