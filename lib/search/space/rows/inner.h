/* inner.h -- what the parts of the search by rows share: rows.c goes from layer to layer, room.c sees to memory and the
 * table of rows, keep.c keeps a search, takes it up again, and ends it, sample.c tells whether rows pay
 *
 * A row is an *entry*, a number of words: its key and its planes (rows.h). Entries lie in the order in which they were
 * found; a hash table of their numbers plus one, open addressing with linear probing, finds them by their keys. The top
 * bit of an entry's key says that it is in the list of those that are next.
 */
#ifndef SEARCH_SPACE_ROWS_INNER_H
#define SEARCH_SPACE_ROWS_INNER_H

#include "lib/search/space/home.h"
#include "lib/search/space/retrograde_inner.h"
#include "rows.h"

#define ROW_LISTED ((uint64_t)1 << 63)
#define ROW_NONE   (ROW_LISTED - 1) /* no row's key: of an entry that two threads made at once; it stays for good */

enum { ROW_LOW, ROW_HIGH, ROW_NEXT, ROW_FOUND, ROW_NOW, ROW_PLANES }; /* what measuring looks at lies together */
enum { ROWS_SHARE = 256 /* entries */, ROWS_LINE = 64 /* bytes that a processor takes from another as one */ };

/* A list of entries' numbers, with room for all. */
struct rows_list {
    uint32_t *number;
    uint64_t count;
};

struct row_worker {
    uint64_t *keys, *rows; /* of the rows one move away from those at hand */
    bool alone;            /* no other thread works on the entries */
    /* What a batch comes to, before all hear of it: states that were found, entries that were made and that are listed
     * as next. */
    uint64_t states, made, listed;
    uint32_t *list;
    uint8_t apart[ROWS_LINE]; /* from the next worker */
};

enum rows_pass { ROWS_SETTING_OUT, ROWS_FINDING, ROWS_MEASURING };

/* What is kept between runs, besides search_state, entries, table and lists. */
struct rows_kept {
    uint64_t pass;        /* enum rows_pass */
    uint64_t kind, words; /* the kernel's */
    uint64_t states;
    uint64_t expanded;                /* entries of the frontier */
    uint64_t entries, frontier, next; /* how many there are */
};

struct rows {
    struct retrograde search;
    struct rows_kept kept;
    uint64_t entries;
    struct rows_list next;
    int64_t budget;           /* entries that there is still room for */
    bool full;                /* too few for a batch: all threads end theirs, and then there is more room */
    uint8_t apart[ROWS_LINE]; /* threads write to what stands before this and read what stands behind */
    struct row_kernel *kernel;
    size_t words, size; /* of a plane, of an entry */
    uint64_t *entry, room;
    uint32_t *slot, slots;
    struct rows_list frontier;
    size_t batch; /* rows that are expanded together, at most */
    struct row_worker *workers;
    /* At the end: keys of all states, or, where that takes no more memory, a bit for each that there may be, and at
     * first two: the distance modulo 3 plus one, or 0; their distances; and keys of the deepest layer. */
    uint64_t *key;
    struct key_bits bits;
    uint64_t *residue;
    uint8_t *distance;
    uint64_t *deepest;
    uint64_t hardest[RETROGRADE_HARDEST_MAX];
};

static inline struct rows *rows_of(struct retrograde *search)
{
    return (struct rows *)search;
}

static inline uint64_t *rows_entry(const struct rows *rows, uint64_t number)
{
    return rows->entry + number * rows->size;
}

static inline uint64_t *rows_plane(const struct rows *rows, uint64_t *entry, unsigned plane)
{
    return entry + 1 + plane * rows->words;
}

static inline uint64_t rows_home(const struct rows *rows, uint64_t key)
{
    return home_of(key, rows->slots);
}

/* -- room.c: the way's functions of these names; room for so many entries more, and for the end, or an error; the hash
 * table, made anew -- */
uint64_t rows_memory(const struct retrograde_plan *plan, unsigned width);
bool rows_allocate(struct retrograde *search, const struct retrograde_plan *plan);
void rows_release(struct retrograde *search);
void rows_release_buffers(struct rows *rows);
pdb_status rows_reserve(struct rows *rows, uint64_t more, pdb_error *error);
pdb_status rows_reserve_end(struct rows *rows, pdb_error *error);
void rows_enter_all(struct rows *rows);
bool rows_fit(struct retrograde *search, const uint64_t *size, size_t count);

/* -- keep.c: the way's functions of these names -- */
size_t rows_parts(struct retrograde *search, struct memory_part part[RETROGRADE_PARTS_MAX]);
bool rows_resume(struct retrograde *search);
void rows_finish(struct retrograde *search, struct retrograde_result *result);

#endif
