/* patterns.h -- pattern databases: what a family says of its own
 *
 * A pattern database is a set of tables of lower bounds, worked out once for a puzzle whose states are too many to be
 * kept: each table has, for every way in which a part of the pieces can stand, how many moves of that part at least are
 * needed. Which tables there are, what an entry means and how it is looked up is the family's own business; to
 * everybody else a set of tables is a line of text and a run of bytes.
 */
#ifndef SEARCH_BOARD_PATTERNS_H
#define SEARCH_BOARD_PATTERNS_H

#include "lib/error.h"

enum {
    PATTERN_TABLES_MAX = 32,
    PATTERNS_TEXT_MAX = 2048,
    PATTERN_VALUES_MAX = 16, /* of an entry, at most */
    /* a table begins at a multiple of this in the bytes of the set: zeros fill the gaps */
    PATTERN_TABLE_ALIGN = 64
};

struct pattern_table {
    uint64_t entries;
    uint64_t offset, bytes; /* where it lies in the bytes of the set */
};

struct patterns {
    /* The tables in the words of a definition's `patterns`: tables that may be added separated by `|`, sets of them of
     * which the largest sum counts separated by `;`: "1 2 3 4 5 6 7 8 | 9 10 11 12 13 14 15". */
    char text[PATTERNS_TEXT_MAX];
    char shape[PATTERNS_TEXT_MAX]; /* their sizes, for people: "7-8" */
    /* of an entry: 2 or 4; entry i is at bit bits * i of its table, bit 0 being the lowest of byte 0 */
    unsigned bits;
    unsigned tables;
    struct pattern_table table[PATTERN_TABLES_MAX];
    uint64_t bytes;  /* of all tables, gaps included */
    uint64_t memory; /* that building them takes at most, `bytes` included */
};

/* How entries of so many bits lie in a database, by name. */
static inline const char *patterns_encoding(unsigned bits)
{
    return bits == 2 ? "patterns-2bit" : "patterns-4bit";
}

/* An entry of a table that begins at `bytes`. */
static inline unsigned pattern_entry(const uint8_t *bytes, unsigned bits, uint64_t entry)
{
    return (unsigned)bytes[entry * bits / 8] >> entry * bits % 8 & ((1u << bits) - 1);
}

/* Called now and then while a table is built: entries done so far, of all tables. Returns false to stop. */
typedef bool pattern_observer(void *context, uint64_t done);

/* Who builds tables: so many threads, which count entries by their values and tell an observer (NULL: none). */
struct pattern_work {
    unsigned threads;
    uint64_t *histogram; /* histogram[v] (of PATTERN_VALUES_MAX): the entries of value v in all tables */
    pattern_observer *observe;
    void *context;
};

struct puzzle;

/* What a family offers that has pattern databases. All functions are thread-safe. */
struct pattern_family {
    /* Chooses tables for a puzzle: those that its definition gives, else those that bring most of all that can be built
     * within `memory` bytes. Errors: PDB_TOO_LARGE (none fit; the message says what the least would need),
     * PDB_NO_MEMORY, PDB_NO_DATABASE (no pattern database helps this puzzle, with the reason). */
    pdb_status (*choose)(const struct puzzle *puzzle, uint64_t memory, struct patterns *patterns, pdb_error *error);
    /* The same tables again from their text. Error: PDB_DAMAGED (no tables of this puzzle), PDB_NO_MEMORY. */
    pdb_status (*read)(const struct puzzle *puzzle, const char *text, struct patterns *patterns, pdb_error *error);
    /* Builds all tables into bytes[patterns->bytes] (zeroed). The bytes follow from puzzle and text alone, whatever the
     * threads. Errors: PDB_NO_MEMORY, PDB_INTERRUPTED (the observer said so). */
    pdb_status (*build)(const struct puzzle *puzzle, const struct patterns *patterns, const struct pattern_work *work,
                        uint8_t *bytes, pdb_error *error);
};

#endif
