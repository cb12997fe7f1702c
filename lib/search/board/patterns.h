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

struct team;

/* -- patterns.c: adds the entries of a table to count[PATTERN_VALUES_MAX], by their values -- */
void patterns_count(const uint8_t *bytes, unsigned bits, uint64_t entries, struct team *team, uint64_t *count);

/* Called now and then while tables are built or read: entries (bytes, where they are read) done so far, of all tables.
 * Returns false to stop. */
typedef bool pattern_observer(void *context, uint64_t done);

/* Where the bytes of a set lie that is in a file: it is looked up there, or read into memory, where look-ups are
 * faster. All functions are thread-safe. */
struct pattern_source {
    void *context;
    bool too_large; /* for the memory that the user allows: they are read only where nothing can be done without */
    /* The byte at an offset, checked before it is used. Where it is damaged all bits are set, and from then on `sound`
     * says so. */
    uint8_t (*byte)(void *context, uint64_t offset);
    /* The byte at an offset will be asked for soon: a hint, that costs little. */
    void (*expect)(void *context, uint64_t offset);
    pdb_status (*sound)(void *context, pdb_error *error);
    /* All bytes, 64-byte aligned, read and checked at the first call; they live as long as the source. An observer, who
     * is asked by several threads, may stop it; where another thread is reading them, bytes are NULL then, and without
     * an observer (NULL) the call waits. Errors: PDB_NO_MEMORY, which may pass, PDB_INTERRUPTED, PDB_DAMAGED (`sound`
     * says so too). */
    pdb_status (*load)(void *context, pattern_observer *observe, void *observing, const uint8_t **bytes,
                       pdb_error *error);
    /* The same if they have been read, else NULL. */
    const uint8_t *(*loaded)(void *context);
};

/* A table that is being looked at. */
struct pattern_look {
    const uint8_t *bytes;                /* in memory; or NULL, and then */
    const struct pattern_source *source; /* it begins there at */
    uint64_t offset;
};

static inline unsigned pattern_look_up(const struct pattern_look *look, unsigned bits, uint64_t entry)
{
    if (look->bytes != NULL)
        return pattern_entry(look->bytes, bits, entry);
    const unsigned byte = look->source->byte(look->source->context, look->offset + entry * bits / 8);
    return byte >> entry * bits % 8 & ((1u << bits) - 1);
}

/* It is looked up soon: sends for it. */
static inline void pattern_expect(const struct pattern_look *look, unsigned bits, uint64_t entry)
{
    if (look->bytes != NULL)
        __builtin_prefetch(look->bytes + entry * bits / 8);
    else
        look->source->expect(look->source->context, look->offset + entry * bits / 8);
}

/* How far tables are built. With their bytes it is all that building goes on from. */
struct pattern_progress {
    uint64_t tables; /* the first so many are done; */
    uint64_t layers; /* and so many layers of the next one, where its family goes on within a table; else 0 */
};

/* Who builds tables: so many threads, which tell an observer (NULL: none). */
struct pattern_work {
    unsigned threads;
    pattern_observer *observe;
    /* Asked after each layer and table, where there is more to do: may keep bytes and progress as they are then. NULL:
     * nobody wants to. Building ends with an error of it. */
    pdb_status (*keep)(void *context, pdb_error *error);
    void *context;
    /* Where to go on, and how far it has come, also where it is interrupted: what is in the bytes besides does no harm.
     * NULL: from the beginning. */
    struct pattern_progress *progress;
};

/* For whoever builds tables one after another. Is a table done already? Then its entries are added to *done. */
static inline bool patterns_is_done(const struct pattern_work *work, const struct patterns *patterns, unsigned table,
                                    uint64_t *done)
{
    const bool is_done = work->progress != NULL && table < work->progress->tables;
    *done += is_done ? patterns->table[table].entries : 0;
    return is_done;
}

/* One more is. */
static inline pdb_status patterns_table_done(const struct pattern_work *work, const struct patterns *patterns,
                                             unsigned table, pdb_error *error)
{
    if (work->progress != NULL)
        *work->progress = (struct pattern_progress){table + 1, 0};
    return work->keep != NULL && table + 1 < patterns->tables ? work->keep(work->context, error) : PDB_OK;
}

struct puzzle;

/* What a family offers that has pattern databases. All functions are thread-safe. */
struct pattern_family {
    /* Chooses tables for a puzzle: those that its definition gives, else those that bring most of all that can be built
     * within `memory` bytes. Errors: PDB_TOO_LARGE (none fit; the message says what the least would need),
     * PDB_NO_MEMORY, PDB_NO_DATABASE (no pattern database helps this puzzle, with the reason). */
    pdb_status (*choose)(const struct puzzle *puzzle, uint64_t memory, struct patterns *patterns, pdb_error *error);
    /* The same tables again from their text. To count entries may take long: a database says how many all tables have
     * together, and need not be right; 0: nobody knows. Where it is given, patterns->memory need not be filled in.
     * Error: PDB_DAMAGED (no tables of this puzzle), PDB_NO_MEMORY. */
    pdb_status (*read)(const struct puzzle *puzzle, const char *text, uint64_t entries, struct patterns *patterns,
                       pdb_error *error);
    /* Builds all tables into bytes[patterns->bytes], zeroed from the first table on of which nothing is done yet. The
     * bytes follow from puzzle and text alone, whatever the threads. Errors: PDB_NO_MEMORY, PDB_INTERRUPTED (the
     * observer said so). */
    pdb_status (*build)(const struct puzzle *puzzle, const struct patterns *patterns, const struct pattern_work *work,
                        uint8_t *bytes, pdb_error *error);
};

#endif
