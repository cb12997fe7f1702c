/* visited.h -- a table from states to small numbers, exact, in eight bytes a state
 *
 * It is the transposition table of a search (the moves left with which a state was searched, visited_raise), and holds
 * the distances of a perimeter (visited_add).
 *
 * A state of w bits goes through a bijection of w-bit numbers that spreads its bits; the low bits of the result choose
 * a bucket of eight words (a line of the cache), and what is left of it, the tag, is kept with the number. So two
 * states are never taken for one another, though a word has no room for a state:
 *
 *     bits 17..63  tag        bit 16  in its second bucket        bits 0..15  number + 1; a word of 0 is free
 *
 * Where the bucket is full a state goes to a second one, its first one's number xor a number made of the tag; and where
 * visited_add finds both full, another state has to go to its second one. With that four fifths of the words can be
 * filled; with one bucket alone an eighth, until one is full.
 *
 * A tag has 47 bits: a table for states of w bits has at least 2^(w - 47) buckets. (The quotients of J. G. Cleary,
 * "Compact hash tables using bidirectional linear probing", 1984; the second bucket of B. Fan, D. G. Andersen, M.
 * Kaminsky, M. D. Mitzenmacher, "Cuckoo filter: practically better than Bloom", 2014.)
 *
 * A table begins small and grows fourfold while its memory allows. Once it may not grow, visited_raise gives up the
 * smallest number of a bucket for a new one, and visited_add fails. Not thread-safe, but for look-ups among
 * themselves.
 */
#ifndef SEARCH_BOARD_VISITED_H
#define SEARCH_BOARD_VISITED_H

#include "lib/error.h"

enum { VISITED_WAYS = 8, VISITED_MAX = UINT16_MAX - 1 };

struct visited {
    uint64_t *word; /* VISITED_WAYS << bucket_bits of them */
    unsigned width, least_bits, bucket_bits, most_bits;
    uint64_t used;
};

/* Bytes of the least table for states below `states` (0: any): 2 KiB up to 2^52 states, then more, 8 MiB at most. */
uint64_t visited_least(uint64_t states);

/* An empty table for states below `states` (0: any) within `memory` bytes. Errors: PDB_TOO_LARGE (not even the least
 * table fits), PDB_NO_MEMORY. The caller frees it with visited_free, which takes one that was only zeroed too. */
pdb_status visited_create(struct visited *visited, uint64_t states, uint64_t memory, pdb_error *error);
void visited_free(struct visited *visited);

/* Forgets all; the table is small again. Should memory be short it stays as large as it is. */
void visited_clear(struct visited *visited);

/* Brings a state's bucket near; a hint. */
void visited_prefetch(const struct visited *visited, uint64_t state);

/* Has the state a number (then *number is it)? */
bool visited_find(const struct visited *visited, uint64_t state, uint32_t *number);

/* False where the state has a number that is at least this large. Else gives it this one, maybe at another state's
 * cost, and returns true. Numbers above VISITED_MAX are not kept. */
bool visited_raise(struct visited *visited, uint64_t state, uint32_t number);

enum visited_added { VISITED_ADDED, VISITED_THERE, VISITED_FULL };

/* Gives a state a number unless it has one. VISITED_FULL: there is no room, or the number is above VISITED_MAX. */
enum visited_added visited_add(struct visited *visited, uint64_t state, uint32_t number);

#endif
