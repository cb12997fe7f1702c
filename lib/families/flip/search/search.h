/* search.h -- shortest solutions of puzzles of buttons, without searching through boards: the room's header
 *
 * Here lives the searcher of the flip family: what presses have to fulfil (equations.c), the cheapest presses among
 * those that do (coset.h, plan.c, coset.c), and the paths and counts that follow from them (search.c). It knows the
 * family's algebra and the contract of searchers, lib/search/board/search.h; no other family, and no database.
 *
 * The order of presses does not matter, so a solution is how often each button is pressed: x with
 *
 *     A x = goal - board      modulo k, on the cells that the goal fixes
 *
 * where column j of A is what button j adds. All solutions are one, x0, and the *idle* presses, those that change
 * nothing: a coset of the kernel of A. A shortest solution is a lightest member of that coset, and coset.h finds
 * it. The equations do not depend on the board and are solved once for a puzzle.
 *
 * Moves with the same effect on the cells that count are one button, and so is a press with its opposite: t presses
 * forward, of a button whose effect is gone after `order` of them, are as good as order - t backward. Buttons fall into
 * *parts* of which no idle presses have anything to do with one another's; each is a problem of its own.
 *
 * Literature: M. Anderson, T. Feil, "Turning Lights Out with Linear Algebra", Mathematics Magazine 71 (1998).
 */
#ifndef FAMILIES_FLIP_SEARCH_SEARCH_H
#define FAMILIES_FLIP_SEARCH_SEARCH_H

#include "lib/families/flip/flip.h"
#include "coset.h"

struct press_button {
    uint8_t order;                          /* 2 .. k */
    uint16_t forward, backward;             /* the first moves that press it so, where there are any */
    uint16_t forward_moves, backward_moves; /* how many moves do */
};

struct press_part {
    unsigned buttons;
    uint16_t *button; /* ascending */
    /* of the idle presses, entry i those of button[i] times k / order */
    struct coset_plan plan;
};

struct press_equations {
    unsigned cells, buttons, parts;
    uint16_t cell[BOARD_MAX_CELLS]; /* the places that the goal fixes */
    struct press_button *button;    /* every one has a forward move */
    struct span span;               /* of the buttons' effects; tails: presses of each button */
    struct press_part *part;
    double idle; /* how many ways there are to press without changing anything; may be infinite */
};

/* -- equations.c -- */

/* PDB_NO_MEMORY. The caller releases them with press_equations_free. */
pdb_status press_equations_make(const struct flip *flip, struct press_equations *equations, pdb_error *error);
void press_equations_free(struct press_equations *equations);

#endif
