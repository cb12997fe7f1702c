/* check.h -- does a puzzle keep the contract (puzzle.h)? One checker for all families
 *
 * The room: check.c chooses the states and hands them out to threads; the rules are in rules.c (runs of states),
 * positions.c (puzzles whose states have no numbers) and bounds.c. They see a puzzle as every search does, by the
 * contract alone: no family is named here.
 *
 * The rules that are checked on each state, each by its name in messages:
 *
 *   text       a position is written and read back as it was; every move says what it is
 *   ranking    unrank gives a proper position, and rank gives its index again
 *   moves      the moves of the position lead to the successors of the index, each as often (or as often as the
 *              family's `counted_successors` say), and there are no more than max_moves; where moves can be undone they
 *              lead to states
 *   costs      where moves have costs, those of the position's moves are those of the index's, 1 .. max_cost
 *   inverses   where more is known than the moves out of a state: it is among the predecessors of each of its
 *              successors, and among the successors of each of its predecessors, each time as often as the other way
 *              round (how often does not matter where indices stand for several boards, or the family has
 *              `counted_successors`); where moves can be undone, each of its successors has a move back
 *   colours    every move changes the colour, and goals have colour 0
 *   goals      the goals visited are goals, each is visited once, and no other state is one
 *   symmetry   an index stands for as many boards as its position has different images, and all have that index
 *   bounds     goals have the bound 0, and no state that moves back from the goals come by has a bound larger than the
 *              number of these moves (bounds.c)
 *
 * A puzzle with dense indices is checked on all states where there are few enough; else on a sample of them, drawn with
 * a fixed seed, and on walks. One with keys is checked on the states that are nearest to where walks begin, and on
 * walks where that is not all. Walks lead from the named boards and the goals,
 * forward and backward. Where states have no numbers, only what is about positions is checked: text, moves, inverses
 * and whether the goal is one, on walks of boards. The same puzzle is checked on the same states with any number of
 * threads.
 */
#ifndef CHECK_CHECK_H
#define CHECK_CHECK_H

#include "lib/puzzle.h"

/* Called now and then, by the calling thread, with the states done of all (0: not known yet); false stops
 * the check. */
typedef bool check_observer(void *context, uint64_t done, uint64_t all);

struct check_limits {
    /* all states are checked if they have about so many moves at most; else as many as have an eighth of that are
     * drawn, and again as many are walked to */
    uint64_t moves;
    unsigned threads;
    check_observer *observer; /* may be NULL */
    void *context;
};

/* What pdb-gen --check uses: some ten million states with few moves each are checked within half a minute. */
struct check_limits check_defaults(unsigned threads);

struct check_report {
    uint64_t states;     /* different ones that were checked; where they have no numbers, boards on the walks */
    bool unnumbered;     /* they have none */
    bool all;            /* those are all there are */
    uint64_t moves;      /* that lead out of them */
    uint64_t goals;      /* that were visited */
    bool goals_complete; /* there were few enough of them to tell that no other state is one */
    bool coloured, symmetric, bounded; /* there were colours, symmetries, bounds to check */
};

/* Checks a puzzle. Errors: PDB_BROKEN_RULES (the message names the rule, the board, and what was found. Positions of
 * all states are checked first, then moves, then inverse moves and colours; it is about the first state that fails, to
 * within a run of 64), PDB_NO_MEMORY, PDB_INTERRUPTED (the observer said so), and whatever else the family's own
 * functions return. */
pdb_status check_puzzle(const struct puzzle *puzzle, const struct check_limits *limits, struct check_report *report,
                        pdb_error *error);

#endif
