/* enumeration.h -- puzzles without moves: what a family says of its own
 *
 * A code that is guessed by questions, the values that four fours make: such a puzzle has no board that moves lead away
 * from. What it has is *items* (codes, values), each with a distance of its own sort (questions, operators), and a
 * question is a line of text. Its family gives a struct enumeration_family; of the functions in struct family it needs
 * `create` and `destroy` only, and the others are not called.
 *
 * To everybody else an enumeration is a run of bytes, which a database keeps as it keeps distances, and the figures
 * about it.
 */
#ifndef ITEMS_ENUMERATION_H
#define ITEMS_ENUMERATION_H

#include "lib/error.h"

struct puzzle;

/* The result of building, and what a database has. */
struct enumeration {
    uint8_t *bytes; /* as the family lays them out */
    uint64_t size;
    uint64_t items;      /* numbered 0 .. items-1 */
    size_t depths;       /* entries of the histogram: the greatest distance plus one */
    uint64_t *histogram; /* how many items there are at each distance; they sum to `items` */
    uint64_t *hardest;   /* the items at the greatest distance, ascending: all, or the first 10,000 */
    size_t hardest_kept;
};

/* Told the share of the work that is done, 0 .. 1, by one thread at a time and at least every 50 ms; false stops it. */
typedef bool enumeration_observer(void *context, double done);

struct enumeration_family {
    const char *items; /* what is numbered: "codes" */
    /* what a distance counts, one of it: "question"; a puzzle whose `metric` is not NULL counts that instead */
    const char *unit;
    const char *encoding; /* how the bytes are laid out, by name; no name of lib/search/space/values.h or patterns.h */

    /* Makes all of it, in at most so many bytes of memory. The same bytes for any number of threads. The caller frees
     * *out with enumeration_free, whatever the status. Errors: PDB_TOO_LARGE (the message says what would be needed),
     * PDB_NO_MEMORY, PDB_INTERRUPTED (the observer said so), PDB_BAD_DEFINITION (there is no item at all). */
    pdb_status (*build)(const struct puzzle *puzzle, unsigned threads, uint64_t memory, enumeration_observer *observe,
                        void *context, struct enumeration *out, pdb_error *error);

    /* Could these bytes and figures, from whatever source, be this puzzle's? Afterwards `ask` and `item` never read
     * outside of them, loop without end or fail on them. PDB_DAMAGED else. */
    pdb_status (*accept)(const struct puzzle *puzzle, const struct enumeration *enumeration, pdb_error *error);

    /* Answers a question, a line of text, into an empty reply: its distance and further facts, in the order in which
     * they are to be shown. `want`: PDB_WANT_PATH (all there is to show), PDB_WANT_COUNT (how many there are). A question
     * that makes sense and has no answer (no code agrees, a value cannot be made) has PDB_NO_DISTANCE, and facts that
     * say why. Thread-safe. Errors: PDB_BAD_BOARD (what is wrong with the text, and what is expected), PDB_DAMAGED (forged
     * bytes that lead nowhere), PDB_NO_MEMORY. */
    pdb_status (*ask)(const struct puzzle *puzzle, const struct enumeration *enumeration, const char *question,
                      unsigned want, pdb_reply *reply, pdb_error *error);

    /* Is a text a part of a question, so that several of them on a command line make one ("0123:0,2 1045:0,2")? NULL:
     * each is a question. */
    bool (*is_part)(const struct puzzle *puzzle, const char *text);

    /* An item as a text that `ask` understands. `text` has room for PDB_TEXT_MAX bytes. */
    void (*item)(const struct puzzle *puzzle, const struct enumeration *enumeration, uint64_t index, char *text);
};

/* What a puzzle's distances count, one of it. */
const char *enumeration_unit(const struct puzzle *puzzle);

/* Have two enumerations the same number of items, histogram and hardest items? */
bool enumeration_same_figures(const struct enumeration *a, const struct enumeration *b);

/* Frees what an enumeration holds and leaves {0}. */
void enumeration_free(struct enumeration *enumeration);

/* Frees what a reply holds and leaves an empty one, without a distance. */
void reply_clear(pdb_reply *reply);

/* Appends a fact to a reply. `name` is as in JSON ("left"), `label` as people read it ("codes left"); both must outlive
 * the reply; texts are copied. PDB_NO_MEMORY. */
pdb_status reply_count(pdb_reply *reply, const char *name, const char *label, unsigned __int128 count,
                       pdb_error *error);
pdb_status reply_mean(pdb_reply *reply, const char *name, const char *label, double mean, pdb_error *error);
pdb_status reply_text(pdb_reply *reply, const char *name, const char *label, const char *text, pdb_error *error);
/* A list, empty to begin with; reply_item appends to the last fact, which must be one. */
pdb_status reply_list(pdb_reply *reply, const char *name, const char *label, pdb_error *error);
pdb_status reply_item(pdb_reply *reply, const char *text, pdb_error *error);

#endif
