/* strategy.h -- what to ask next: the inside of the strategies, and their trees
 *
 * Every strategy but the first looks at what a question does to a set of codes: at the sizes of the classes that its
 * answers make. They are counted from a table of all answers, a byte for each pair of codes, where there is room for
 * it.
 *
 * Questions that a symmetry of the set takes to each other are worth the same, so only the first of them, in
 * lexicographic order, has to be looked at. The symmetries used are
 *   - two symbols changed for each other, where that leaves the set as it is (symbols not asked for yet, symbols known
 *     not to be there): then they are *alike*, and classes of alike symbols may be permuted at will;
 *   - for a set that is known to follow from at most one question: permutations of the places together with the
 *     permutation of the question's symbols that takes the question back to itself.
 * Which ones are found may be fewer than there are: that costs time, and changes nothing.
 *
 * A tree's *node* is a question, and has a child for every answer but "guessed" that some code gives. Nodes are
 * numbered level by level, the children of a node one behind the other in the order of their answers. As bytes (the
 * encoding "decision-tree"; numbers are little-endian):
 *
 *     u32                 how many nodes there are
 *     each node:          Q bytes, the question, as a code's number
 *                         C bytes, the number of its first child (of the next child of anyone where it has none)
 *                         M bytes, bit a % 8 of byte a / 8 for each answer number a (guess.h): is there a child?
 *
 * Q is the least number of bytes that hold codes - 1, C that hold the number of nodes, and M the least for answers - 1
 * bits. So the child for answer a is the first one plus the number of bits below a.
 */
#ifndef ITEMS_GUESS_STRATEGY_H
#define ITEMS_GUESS_STRATEGY_H

#include "guess.h"
#include "lib/team.h"

/* -- weigh.c: who watches, and sizes of classes -- */

/* Who is told how far the work is, and may stop it. */
struct guess_watch {
    items_observer *observe; /* may be NULL */
    void *context;
    pthread_mutex_t lock;
    double done;    /* of the work, 0 .. 1 */
    double due;     /* when to observe next, in seconds of clock_now (lib/clock.h) */
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

/* -- symmetry.c -- */

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

/* -- weigh.c: the classes of many questions at a time -- */

enum {
    GUESS_BLOCK = 64,             /* questions */
    GUESS_MAX_COUNTED = UINT8_MAX /* codes of a set */
};

struct guess_block {
    uint8_t size[GUESS_MAX_ANSWERS + 3][GUESS_BLOCK]; /* of the class of each answer, and 0 for 3 more */
    uint8_t classes[GUESS_BLOCK];                     /* how many are not empty */
    uint8_t largest[GUESS_BLOCK];
};

/* Counts for the questions from `first` on, those below guess->codes. `count` is at most GUESS_MAX_COUNTED. */
void guess_block_count(const struct guess_weigher *weigher, const uint32_t *set, size_t count, uint32_t first,
                       struct guess_block *block);
/* The same, without instructions that not every processor has. */
void guess_block_count_portable(const struct guess_weigher *weigher, const uint32_t *set, size_t count, uint32_t first,
                                struct guess_block *block);

/* -- mean.c: the strategy with the least mean -- */

/* A search for the tree with the fewest questions in all.
 *
 * The *cost* of a set of codes is the sum over its codes of the questions asked until they are guessed. With a question
 * that divides a set of n codes into classes, every code pays for the question and those not guessed go on:
 *
 *     cost(set) = n + min over questions of the sum of cost(class) over the classes but that of "guessed"
 *
 * That is branch and bound with
 *   - a lower bound from the number of codes alone, least(n): 1 for n = 1; else n + the sum of least over a guessed
 * code
 *     and the n - 1 others spread evenly over all other answers that there are. So up to answers + 1 codes cost 2 n - 1
 *     at least;
 *   - a table of sets that were searched before, with their cost or a bound;
 *   - symmetries (symmetry.c).
 * A set of up to 8 and answers / 2 codes is solved exactly: questions come by the number of classes that they make,
 * which bounds the cost, and end with those that cannot be better. Up to 24 codes only so many of them are tried.
 *
 * A larger set has too many questions to try all: only so many are tried, those with the least likely cost by a guess
 * from the classes' sizes, n (1 + log n / log(answers / 2)) for n codes. Sets of 100 codes or more are searched twice:
 * many questions are tried with a narrow search of their classes, and the best of these with a wider one (a beam, as in
 * nested rollouts: what a quick search of the classes finds says more than their sizes). Deep down the search becomes
 * narrow, and without that deep trees would take too long. So what is found is the least cost among many trees, not
 * always among all.
 *
 * What a search finds for a set depends on nothing but the set, its depth and the width, as a cost that is not known is
 * only a bound that ends what cannot be better, and costs are taken in the order of the questions: so threads and the
 * table never change the outcome.
 *
 * Literature: K. Koyama, T. Lai, "An optimal Mastermind strategy" (1993); T. Tanaka, "An optimal MOO strategy" (1996);
 * T. Cazenave, "Nested Monte-Carlo search" (2009).
 */
struct guess_mean;

/* How much of the whole work choosing the first question is. */
#define GUESS_MEAN_SHARE 0.9

/* Makes a search, whose table of sets has 2^memo_bits entries of 16 bytes. `width`: how many questions are tried with
 * a wide search, and some times as many with a narrow one; 0: what is usual. Errors: PDB_NO_MEMORY.
 * The caller frees *out with guess_mean_free (which takes NULL too). */
pdb_status guess_mean_make(const struct guess_weigher *weigher, unsigned width, unsigned memo_bits,
                           struct guess_mean **out, pdb_error *error);
void guess_mean_free(struct guess_mean *mean);

/* The first question of the best tree found for a set. `asked` as for guess_symmetry_make. The set of all codes uses up
 * a team (NULL: none). The outcome is open where the watch was stopped. Thread-safe but for the team. */
uint32_t guess_mean_choose(struct guess_mean *mean, const uint32_t *set, size_t count, uint32_t asked,
                           struct team *team);

/* -- build.c -- */

struct guess_node {
    uint32_t question;
    uint32_t begin, count; /* its codes: begin .. begin+count-1 of the array of codes */
    uint32_t child;        /* number of the first child; the next node's first child ends them */
};

/* A tree being made, or made. */
struct guess_tree {
    uint32_t *codes; /* the set; a node's codes stand together, and in each of its classes in their order */
    uint32_t *depth; /* of codes[i]: the questions until it is guessed */
    uint32_t *spare; /* room for as many */
    size_t count;
    struct guess_node *node;
    size_t nodes;
    size_t depths; /* the greatest depth plus one */
};

/* What a strategy's tree is wanted for, and what it may take. */
struct guess_task {
    const struct guess *guess;
    const uint32_t *set; /* codes, ascending; NULL: all */
    size_t count;
    uint32_t asked;            /* as for guess_symmetry_make */
    unsigned width, memo_bits; /* GUESS_MEAN: as for guess_mean_make */
    uint64_t table;            /* bytes that a table of all answers may take */
    unsigned threads;
    items_observer *observe; /* may be NULL */
    void *context;
};

/* Makes the tree. Freed with guess_tree_free, whatever the status. Errors: PDB_NO_MEMORY, PDB_INTERRUPTED. */
pdb_status guess_tree_make(const struct guess_task *task, struct guess_tree *tree, pdb_error *error);
struct guess_reader;

/* Makes the tree of all codes once more, with the questions that its bytes have: these are sound if it has the same
 * bytes then. Takes as long as the distances add up to, however the bytes were forged. Freed with guess_tree_free,
 * whatever the status. Errors: PDB_NO_MEMORY, PDB_DAMAGED (a question is no code, or there are too few). */
pdb_status guess_tree_remake(const struct guess_reader *reader, struct guess_tree *tree, pdb_error *error);
void guess_tree_free(struct guess_tree *tree);

/* The tree of a puzzle as bytes, which the caller frees. */
pdb_status guess_tree_write(const struct guess *guess, const struct guess_tree *tree, uint8_t **bytes, uint64_t *size,
                            pdb_error *error);

/* Reads a tree. */
struct guess_reader {
    const struct guess *guess;
    const uint8_t *bytes;
    uint32_t nodes;
    unsigned question_bytes, child_bytes, mask_bytes;
};

/* Errors: PDB_DAMAGED (the length is impossible). */
pdb_status guess_reader_make(const struct guess *guess, const uint8_t *bytes, uint64_t size,
                             struct guess_reader *reader, pdb_error *error);

uint32_t guess_reader_question(const struct guess_reader *reader, uint32_t node);
/* The child for an answer; 0, which is nobody's child, where there is none. */
uint32_t guess_reader_child(const struct guess_reader *reader, uint32_t node, unsigned answer);

/* Questions from a node until a code is guessed; 0 where the tree does not lead to it. */
uint32_t guess_reader_distance(const struct guess_reader *reader, uint32_t node, uint32_t code);

#endif
