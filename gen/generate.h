/* generate.h -- makes a puzzle's database: plan, search, keep, publish
 *
 * The room of pdb-gen. generate.c takes the lock and chooses; kind.c tells puzzles with moves from those without, and
 * makes the items of these; whole.c and patterns.c make the other two sorts of database, and work.c has what they
 * share; layouts/ tries every way to put what a definition leaves open; launch.h tells whether several processes were
 * started together, and ranks_mpi.c is how these reach one another; main.c, options.c and progress.c talk to the user.
 * The room knows no family: space/ plans and searches, db/ writes, and lib/search/ is asked for bounds and audits.
 */
#ifndef GEN_GENERATE_H
#define GEN_GENERATE_H

#include "catalog/catalog.h"
#include "common/arguments.h"
#include "common/progress_line.h"
#include "lib/search/space/audit.h"
#include "lib/comm/ranks.h"
#include "lib/search/board/patterns.h"

#include <limits.h>

/* What the user typed. */
struct options {
    unsigned threads;
    bool list;           /* show the built-in puzzles, or the named boards of the puzzles given */
    bool verify;         /* check a database instead of making one */
    bool check;          /* check the puzzle's own rules instead */
    bool layouts;        /* solve all layouts of a definition instead: */
    uint64_t most, best; /* no more than so many; how many of the best are shown and kept */
    bool layouts_said;   /* one of those two was given */
    bool force;          /* make it though one is there */
    bool json, quiet;
    enum progress_wish progress; /* with `quiet` it is off, unless it is asked for */
    uint64_t memory;             /* bytes that may be used */
    bool memory_given;
    uint64_t checkpoint; /* seconds between two checkpoints; 0: one after every layer */
    bool checkpoint_given;
    char directory[PATH_MAX]; /* where databases live */
    struct ranks *ranks;      /* that do the work together; NULL: this process does it alone */
    char scratch[PATH_MAX];   /* where planes may lie that memory has no room for; "": nowhere */
    int puzzles;
    char **puzzle;
};

/* Reads the command line. */
enum arguments_outcome gen_options_read(int argc, char **argv, struct options *options, pdb_error *error);

enum { LOST_MAX = 16 };

/* What came of it. */
struct summary {
    bool made; /* false: a good one was there already */
    /* What was there before that is none of this definition, or cannot be opened: names may have been mixed up. */
    const char *replaced;
    uint64_t states; /* that can reach the goal */
    uint64_t max, hardest;
    double mean; /* of the distances */
    /* Where it is a pattern database: its shape ("7-8") and how many entries it has. `states` are then all that the
     * puzzle has, 0 for more than can be numbered, and `max` is the greatest entry. */
    char patterns[PATTERNS_TEXT_MAX];
    uint64_t entries;
    bool others;                 /* one was there already, and other patterns would be built now */
    struct audit_report audited; /* how much --verify held against the rules */
    uint64_t bytes;              /* of the file */
    const char *way;             /* how the whole space was searched, in words; NULL where none was */
    uint64_t memory;             /* bytes that it took, the program itself and the puzzle not counted */
    double seconds;
    /* Of several ranks: how many, and how many bytes they gave one another to find the distances, all together. */
    unsigned ranks;
    uint64_t exchanged;
    char file[PATH_MAX];
    /* How many of the definition's boards cannot reach the goal, and the names of the first ones, which live as long as
     * the puzzle ("board" is the one under that key). */
    size_t lost;
    const char *lost_name[LOST_MAX];
};

/* Makes the database, or finds that it is there. Errors: PDB_TOO_LARGE, PDB_BUSY, PDB_IO, PDB_NO_MEMORY;
 * PDB_INTERRUPTED (what was done is kept). */
pdb_status generate(const pdb_puzzle *puzzle, const struct options *options, struct summary *summary, pdb_error *error);

/* Checks the database: its checksums, every distance against a search made anew, and distances against the rules.
 * Errors: PDB_NO_DATABASE, PDB_DAMAGED, PDB_BROKEN_RULES (the search itself is wrong) and those of generate. */
pdb_status verify(const pdb_puzzle *puzzle, const struct options *options, struct summary *summary, pdb_error *error);

#endif
