/* weigh.h -- what a question does to a set of codes: the sizes of the classes that its answers make
 *
 * Every strategy but the first looks at these sizes for all questions. They are counted from a table of all answers, a
 * byte for each pair of codes, where there is room for it.
 *
 * Questions that a symmetry of the set takes to each other are worth the same, so only the first of them, in
 * lexicographic order, has to be looked at. The symmetries used are
 *   - two symbols changed for each other, where that leaves the set as it is (symbols not asked for yet, symbols known
 *     not to be there): then they are *alike*, and classes of alike symbols may be permuted at will;
 *   - for a set that is known to follow from at most one question: permutations of the places together with the
 *     permutation of the question's symbols that takes the question back to itself.
 * Which ones are found may be fewer than there are: that costs time, and changes nothing.
 */
#ifndef ITEMS_GUESS_WEIGH_H
#define ITEMS_GUESS_WEIGH_H

#include "guess.h"

#include <omp.h>

/* Who is told how far the work is, and may stop it. */
struct guess_watch {
    items_observer *observe; /* may be NULL */
    void *context;
    omp_lock_t lock;
    double done;    /* of the work, 0 .. 1 */
    uint64_t due;   /* when to observe next, in nanoseconds of the monotonic clock */
    bool stopped;   /* by the observer; read with guess_stopped */
    bool no_memory; /* somewhere; stops too */
};

struct guess_weigher {
    const struct guess *guess;
    uint8_t *table;      /* codes * codes answers, or NULL */
    uint8_t *symbol;     /* codes * length */
    uint64_t *logarithm; /* of 1 .. codes, to the base 2, in units of 2^-GUESS_LOG_BITS; sums like those of real ones */
    struct guess_watch *watch; /* may be NULL */
};

enum { GUESS_LOG_BITS = 24, GUESS_MAX_TABLE = 1 << 28 };

void guess_watch_make(struct guess_watch *watch, items_observer *observe, void *context);
void guess_watch_free(struct guess_watch *watch);
/* So much more of the work, 0 .. 1, is done. Thread-safe. */
void guess_watch_add(struct guess_watch *watch, double share);
/* To be called at least every few milliseconds; false: the work is to stop. Thread-safe. */
bool guess_watch_look(struct guess_watch *watch);
/* No memory: stops the work. */
void guess_watch_fail(struct guess_watch *watch);

/* Makes a weigher; the table only if it has at most `table` bytes. PDB_NO_MEMORY. Freed with guess_weigher_free,
 * whatever the status. */
pdb_status guess_weigher_make(const struct guess *guess, uint64_t table, unsigned threads, struct guess_watch *watch,
                              struct guess_weigher *weigher, pdb_error *error);
void guess_weigher_free(struct guess_weigher *weigher);

/* log2 of a number from 1 on, rounded down, in units of 2^-GUESS_LOG_BITS. */
uint64_t guess_logarithm(uint32_t number);

/* How many codes of a set have each answer to a question: size[answers]. */
void guess_sizes(const struct guess_weigher *weigher, uint32_t question, const uint32_t *set, size_t count,
                 uint32_t *size);

struct guess_map {
    uint8_t place[GUESS_MAX_LENGTH];   /* the symbol that comes to place i stood on place[i], */
    uint8_t symbol[GUESS_MAX_SYMBOLS]; /* and was changed by this */
};

struct guess_symmetry {
    uint8_t first[GUESS_MAX_SYMBOLS]; /* the first of the symbols that are alike with this one */
    uint8_t after[GUESS_MAX_SYMBOLS]; /* the next one that is alike; none: GUESS_MAX_SYMBOLS */
    size_t maps;                      /* besides the identity */
    struct guess_map *map;
};

/* Symmetries of a set. `asked`: the only question so far, GUESS_NOTHING_ASKED where the set is all codes; else
 * GUESS_ANY_HISTORY. PDB_NO_MEMORY is false. Freed with free(symmetry->map). */
enum { GUESS_NOTHING_ASKED = GUESS_MAX_CODES, GUESS_ANY_HISTORY };
bool guess_symmetry_make(const struct guess_weigher *weigher, const uint32_t *set, size_t count, uint32_t asked,
                         struct guess_symmetry *symmetry);

/* May a question be left out, because a symmetry takes it to an earlier one? */
bool guess_symmetry_leaves_out(const struct guess_weigher *weigher, const struct guess_symmetry *symmetry,
                               uint32_t question);

#endif
