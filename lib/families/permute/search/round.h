/* round.h -- a round of the search of permutation puzzles: all solutions of one number of moves
 *
 * A node is one index a table, that of the relaxation's state, and its distance: a relaxation's moves on indices come
 * from tables of its own (permute_successors), and the index is the place of the entry in the table. The board itself
 * is not needed until all distances are 0 at the end of a path: then the path's moves are made on the board and it is
 * asked whether it is a goal.
 *
 *     at[depth][table]             the node: indices
 *     far[depth][table]            and distances
 *     next[depth][table][move]     indices of the nodes that its moves lead to
 *     after[depth][table][move]    and their distances
 *     move[depth][..]              the moves that no table says of that they lead too far from the goal
 *
 * A round looks for solutions of `limit` moves and leaves out what cannot be one by its bound, and sequences of moves
 * that others stand for (words.c). Rounds that take long are shared out: the nodes of a shallow depth, in the
 * order of the search, are searched by all threads, and the solution of the first node that has one is taken. So the
 * solution is the one that a single thread finds.
 */
#ifndef FAMILIES_PERMUTE_SEARCH_ROUND_H
#define FAMILIES_PERMUTE_SEARCH_ROUND_H

#include "search.h"

#include <time.h>

/* A relaxation and the bytes of its pattern database. */
struct permute_table {
    struct permute *relaxed;
    const uint8_t *value;
};

struct permute_searcher {
    struct searcher base;
    const struct permute *permute;
    unsigned threads, tables;
    struct permute_table table[PATTERN_TABLES_MAX];
    uint8_t *own; /* the bytes of tables made here, or NULL */
    struct machine *machine;
    struct permute_group *group; /* NULL: everything that fits can be reached */
    char method[PATTERNS_TEXT_MAX + 80];
};

enum { PERMUTE_NO_SHARE = INT32_MAX };

/* What the threads of one search have in common. */
struct permute_run {
    const struct permute_searcher *searcher;
    const uint8_t *position;
    uint64_t at[PATTERN_TABLES_MAX]; /* the position's states, and their distances */
    uint16_t far[PATTERN_TABLES_MAX];
    search_observer *observe;
    void *context;
    uint32_t limit;
    uint32_t split;       /* the depth of the shares */
    uint64_t nodes;       /* of earlier limits, and of this one as far as the threads have told */
    int found;            /* the first share with a solution; PERMUTE_NO_SHARE */
    uint8_t *path;        /* its moves */
    bool stop, observing; /* an observer said so; one is being asked */
    struct timespec observed;
};

/* Looks for a solution of run->limit moves: run->found tells, and run->path, which the caller frees. `shared`: among
 * threads. *least: the least bound above the limit. False where memory is short. */
bool permute_round(struct permute_run *run, bool shared, uint32_t *least);

#endif
