/* items.h -- the contract of puzzles without moves
 *
 * A code that is guessed by questions, the values that four fours make: such a puzzle has no board that moves lead away
 * from. What it has is *items* (codes, values), each with a distance of its own sort (questions, operators), and a
 * question is a line of text. A family (guess, express) turns a definition into such a puzzle: it embeds struct
 * items_puzzle as the first member of its own struct, and offers the functions of struct items_family.
 *
 * To everybody else the items are a run of bytes, which a database keeps as it keeps distances, and the figures about
 * them: struct items.
 *
 * This room knows nothing of boards and moves (lib/puzzle.h, lib/search, lib/families), as these know nothing of it. A
 * puzzle of either kind is struct pdb_puzzle (catalog/catalog.h).
 */
#ifndef ITEMS_ITEMS_H
#define ITEMS_ITEMS_H

#include "lib/definition/definition.h"

struct items_puzzle;

/* What building makes, and what a database has. */
struct items {
    uint8_t *bytes; /* as the family lays them out */
    uint64_t size;
    uint64_t count;      /* of items, numbered 0 .. count-1 */
    size_t depths;       /* entries of the histogram: the greatest distance plus one */
    uint64_t *histogram; /* how many items there are at each distance; they sum to `count` */
    uint64_t *hardest;   /* the items at the greatest distance, ascending: all, or the first ITEMS_HARDEST_MAX */
    size_t hardest_kept;
};

/* Told the share of the work that is done, 0 .. 1, by one thread at a time and at least every 50 ms; false stops it. */
typedef bool items_observer(void *context, double done);

/* Everything is REQUIRED. */
struct items_family {
    const char *name;
    const char *summary;     /* one line */
    const char *const *keys; /* the keys it knows in a definition, beyond puzzle, family and title; ends with NULL */
    const char *items;       /* what is numbered: "codes" */
    const char *encoding; /* how the bytes are laid out, by name; no name of lib/search/space/values.h or patterns.h */

    size_t bytes; /* of the family's struct */

    /* Makes the puzzle of a definition: fills in `unit`, `count` and its own members, which are 0 so far. */
    pdb_status (*create)(const struct definition *definition, struct items_puzzle *puzzle, pdb_error *error);
    /* Frees what these hold, whatever the status of `create` was. */
    void (*destroy)(struct items_puzzle *puzzle);

    /* Makes all items, in at most so many bytes of memory. The same bytes for any number of threads. The caller frees
     * *out with items_free, whatever the status. Errors: PDB_TOO_LARGE (the message says what would be needed),
     * PDB_NO_MEMORY, PDB_INTERRUPTED (the observer said so), PDB_BAD_DEFINITION (there is no item at all). */
    pdb_status (*build)(const struct items_puzzle *puzzle, unsigned threads, uint64_t memory, items_observer *observe,
                        void *context, struct items *out, pdb_error *error);

    /* Could these bytes and figures, from whatever source, be this puzzle's? Afterwards `ask` and `item` never read
     * outside of them, loop without end or fail on them. PDB_DAMAGED else. */
    pdb_status (*accept)(const struct items_puzzle *puzzle, const struct items *items, pdb_error *error);

    /* Answers a question, a line of text, into an empty reply: its distance and further facts, in the order in which
     * they are to be shown. `want`: PDB_WANT_PATH (all there is to show), PDB_WANT_COUNT (how many there are). A
     * question that makes sense and has no answer (no code agrees, a value cannot be made) has PDB_NO_DISTANCE, and
     * facts that say why. Thread-safe. Errors: PDB_BAD_BOARD (what is wrong with the text, and what is expected),
     * PDB_DAMAGED (forged bytes that lead nowhere), PDB_NO_MEMORY. */
    pdb_status (*ask)(const struct items_puzzle *puzzle, const struct items *items, const char *question, unsigned want,
                      pdb_reply *reply, pdb_error *error);

    /* Is a text a part of a question, so that several of them on a command line make one ("0123:0,2 1045:0,2")? */
    bool (*is_part)(const char *text);

    /* An item as a text that `ask` understands. `text` has room for PDB_TEXT_MAX bytes. */
    void (*item)(const struct items_puzzle *puzzle, const struct items *items, uint64_t index, char *text);
};

/* A puzzle without moves. It never changes once made; all functions are thread-safe. */
struct items_puzzle {
    const struct items_family *family;
    char name[PUZZLE_NAME_MAX + 1];
    char *title;                  /* one line, "" where the definition has none */
    uint8_t digest[DIGEST_BYTES]; /* of what the definition says, its looks left out */
    const char *unit;             /* what a distance counts, one of it: "question" */
    uint64_t count;               /* how many items there are; 0: only building tells */
};

/* All families, ending with NULL. */
extern const struct items_family *const items_families[];

/* Makes the puzzle that a definition for this family describes. Errors: PDB_BAD_DEFINITION, PDB_TOO_LARGE,
 * PDB_NO_MEMORY. The caller frees *out; the definition is no longer needed. */
pdb_status items_puzzle_create(const struct items_family *family, const struct definition *definition,
                               struct items_puzzle **out, pdb_error *error);
void items_puzzle_free(struct items_puzzle *puzzle);

/* -- check.c: does a puzzle without moves keep its contract? One checker for all families --
 *
 *   building   one thread and several build the same bytes and figures, which the family accepts
 *   figures    the histogram's sum is the number of items, and the list of the hardest is in order
 *   questions  every item, asked for by its text, has a distance
 *   histogram  these distances are those of the histogram, and the hardest items are those listed
 *   texts      no two items have the same
 *
 * Of more than 100,000 items some, evenly spaced, are asked for, up to that many.
 */

/* Called now and then, by the calling thread, with the items asked of all (0: not known yet); false stops the check. */
typedef bool items_check_observer(void *context, uint64_t done, uint64_t all);

struct items_check_limits {
    unsigned threads;
    uint64_t memory;                /* bytes that building may take */
    items_check_observer *observer; /* may be NULL */
    void *context;
};

/* Checks a puzzle; *asked is how many items were asked for, *all whether these are all there are. Errors:
 * PDB_BROKEN_RULES (the message names the rule, and what was found), PDB_NO_MEMORY, PDB_INTERRUPTED, and whatever else
 * the family's own functions return. */
pdb_status items_check(const struct items_puzzle *puzzle, const struct items_check_limits *limits, uint64_t *asked,
                       bool *all, pdb_error *error);

/* -- what families share -- */

/* Are there as many items in both, with the same histogram and hardest ones? */
bool items_same_figures(const struct items *a, const struct items *b);

/* Counts the items, at least one, by their distances, which are below items->depths, and lists the hardest; `depths` is
 * then the greatest plus one. Errors: PDB_NO_MEMORY; the caller frees what *items holds in any case. */
enum { ITEMS_HARDEST_MAX = 10000 };
typedef uint32_t items_distance(const void *context, uint64_t item);
pdb_status items_take_figures(struct items *items, items_distance *distance, const void *context, pdb_error *error);

/* Frees what is in it and leaves {0}. */
void items_free(struct items *items);

/* Frees what a reply holds and leaves an empty one, without a distance. */
void reply_clear(pdb_reply *reply);

/* A reply that is put together. Where memory is short, `status` says so from then on, and no more is appended. */
struct reply_writer {
    pdb_reply *reply;
    pdb_error *error;
    pdb_status status;
};

/* Appends a fact. `name` is as in JSON ("left"), `label` as people read it ("codes left"); both must outlive the reply;
 * texts are copied. */
void reply_count(struct reply_writer *writer, const char *name, const char *label, unsigned __int128 count);
void reply_mean(struct reply_writer *writer, const char *name, const char *label, double mean);
void reply_text(struct reply_writer *writer, const char *name, const char *label, const char *text);
/* A list, empty to begin with; reply_item appends to the last fact, which must be one. */
void reply_list(struct reply_writer *writer, const char *name, const char *label);
void reply_item(struct reply_writer *writer, const char *text);

#endif
