/* machine.h -- leaving out sequences of moves that others stand for: a finite-state machine over moves
 *
 * In a depth-first search the same board comes up again and again, by different sequences of moves. Some of that does
 * not depend on the board: undoing a move leads back, two moves that have nothing to do with each other may be made in
 * either order. Call a word w over the puzzle's operators *redundant* if there is a smaller word w' (shorter, or of the
 * same length and earlier in the lexicographic order of the operators) which does the same as w on every board where
 * all of w is legal, and is legal there too.
 *
 * A search may leave out every path in which a redundant word occurs: of all shortest paths from a board to a goal,
 * take the lexicographically first. If it had a redundant word in it, putting the smaller one in its place would make a
 * path to the same goal that is shorter, or earlier. So this path has none, and it is never left out. (It is one path
 * that survives, of the boards' many: a search that counts solutions must not leave anything out.) That holds for
 * iterative deepening with any admissible bound, and for any set of redundant words, be it complete or not.
 *
 * The machine reads the moves of a path and knows which would complete a redundant word: the automaton of A. Aho and M.
 * Corasick (1975) over all of them. Searching with it costs one look-up a move. The idea, and how much it brings: L.
 * Taylor, R. Korf, "Pruning duplicate nodes in depth-first search", AAAI 1993.
 *
 * Which words are redundant is for the family to say: it knows what its operators do.
 */
#ifndef SEARCH_BOARD_MACHINE_H
#define SEARCH_BOARD_MACHINE_H

#include "lib/error.h"

enum {
    MACHINE_WORD_MAX = 31,
    MACHINE_START = 0, /* the state before the first move */
};

/* In `next`: this move is left out. */
#define MACHINE_NEVER UINT32_MAX

struct machine_word {
    uint8_t length; /* at least 1 */
    uint8_t letter[MACHINE_WORD_MAX];
};

/* Never changes once made; may be shared among threads. */
struct machine {
    unsigned operators;
    uint32_t states;
    uint32_t next[]; /* [state * operators + operator] */
};

/* Makes the machine that knows these words, none of which needs to be minimal. Without words it has one state and
 * leaves nothing out. Error: PDB_NO_MEMORY. The caller frees *out. */
pdb_status machine_create(unsigned operators, const struct machine_word *word, size_t words, struct machine **out,
                          pdb_error *error);

static inline uint32_t machine_next(const struct machine *machine, uint32_t state, unsigned operator)
{
    return machine->next[state * machine->operators + operator];
}

#endif
