/* rules.h -- puzzles whose moves are written as guarded assignments: the room's parts to one another
 *
 * Here lives how such a definition is read and what it means. Nothing here knows other families, what a database looks
 * like, or how a space is searched, which search/lookup.c asks for by one call.
 *
 *   language/   an expression's text becomes terms (term.h); the definition's keys; plain.c: the value of a term in
 *               one state, worked out by walking it: the obvious way
 *   ground/     the other way: parameters and loops are written out, what is constant is worked out, and what is left
 *               is a graph without cycles in which every value stands once (dag.h)
 *   columns/    the graph as a program over columns of states, which makes the successors of a batch
 *   layout.c    states as keys and as positions
 *   wide.c      states with wide keys: the functions on them
 *   starts.c    the states to begin with
 *   numbering.c keys as indices with fewer gaps, where moves conserve an array (conserved.c); numbering_pieces.c
 *               larger tables for many of them
 *   free.c      moves that cost nothing, as parts of those that cost something; free_names.c: what these are called
 *   step.c      moves by walking terms: for texts, single boards, and as the check on the program
 *   symmetry.c  members of sets that can be exchanged
 *   pictures/   how states look, and states that are typed
 *   search/     single boards, with pattern databases of some variables
 *   rules.c     all of it as a family
 *
 * A *variable* is what the key `state` names; an array has an *element* for each member of its set. Elements are
 * numbered in the order of the file. A *state* is the values of all elements, an array of int32_t; a *position*
 * (lib/board.h) has a place for each element, and as its symbol the name of its value.
 *
 * Values are whole numbers within VALUE_MOST of 0, and RULES_NONE, which is what is not there.
 */
#ifndef FAMILIES_RULES_RULES_H
#define FAMILIES_RULES_RULES_H

#include "lib/families/rules/ground/dag.h"
#include "lib/puzzle.h"
#include "lib/families/rules/language/term.h"

enum { RULES_MAX_ELEMENTS = BOARD_MAX_CELLS, RULES_MAX_SYMMETRIC = 8, NAME_MAX_BYTES = 31 };

/* What a set's members are called: as numbers, by the names of set `home`, or as cells of the board, a1, b1, .. */
enum naming { NAMED_NUMBERS, NAMED_SYMBOLS, NAMED_CELLS };

struct numbering;

/* A set of values, in the order in which they are gone through. */
struct rules_set {
    char name[NAME_MAX_BYTES + 1]; /* "" for one that is written where it is needed */
    uint32_t count;
    int32_t *value;
    int32_t lo, hi; /* the least and the greatest of them */
    enum naming naming;
    uint32_t home;
    char (*symbol)[NAME_MAX_BYTES + 1]; /* of a set whose names are its own: that of each value; else NULL */
};

/* Constants by up to two indices: value[position of the first * count of the second + position of the second]. */
struct rules_table {
    char name[NAME_MAX_BYTES + 1];
    unsigned indices;
    uint32_t set[2];
    int32_t *value; /* RULES_NONE among them */
};

struct rules_variable {
    char name[NAME_MAX_BYTES + 1];
    unsigned indices; /* 0 .. 2 */
    uint32_t set[2];
    uint32_t range;        /* the set of its values */
    uint32_t first, count; /* its elements */
    bool drawn;            /* the picture has to do with it, */
    bool conserved;        /* and moves only reorder its values, of which all starts have the same: */
    uint64_t content;      /* a sum that tells these */
};

/* An assignment: variable[index, index] = value. */
struct rules_assignment {
    uint32_t variable;
    uint32_t index[2]; /* terms */
    uint32_t value;    /* a term */
    uint32_t only;     /* a term: it is made where this holds; NO_TERM: always */
    uint32_t place;    /* the term that stands for the left side, for complaints */
};

/* A kind of move as the definition has it. Slots 0 .. parameters - 1 are its parameters, those after them its lets. */
struct rules_move {
    char *name; /* with parameters in braces */
    unsigned parameters, lets;
    char parameter[TERM_MAX_SLOTS][NAME_MAX_BYTES + 1];
    uint32_t set[TERM_MAX_SLOTS]; /* of each parameter */
    uint32_t let[TERM_MAX_SLOTS]; /* the term of each let */
    uint32_t condition, cost;     /* terms; NO_TERM */
    size_t first_assignment, assignments;
    const struct node *node; /* where it was written: only while the definition is there */
};

/* An element: which variable's, the least and greatest value, and the symbol on the board for each value from there. */
struct rules_element {
    uint32_t variable;
    int32_t lo, hi;
    uint8_t *symbol; /* shared by elements of one variable */
};

/* How a state becomes a key: the sum of (value - lo) * weight over the elements. Weights are powers of two where that
 * fits into 62 bits, else products of the ranges. Where both are too many, keys are wide: a sum for each of two words,
 * of 64 bits, and an element belongs to one of them. */
struct rules_layout {
    unsigned elements;
    bool wide;
    uint8_t word[RULES_MAX_ELEMENTS]; /* of wide keys; of others 0 */
    uint64_t weight[RULES_MAX_ELEMENTS];
    uint64_t radix[RULES_MAX_ELEMENTS]; /* the next weight divided by this one */
    bool shifts;                        /* all weights are powers of two: then the digit is (key >> shift) & mask */
    uint8_t shift[RULES_MAX_ELEMENTS];
    uint64_t keys; /* every key is below; 0 where they are wide, or there are too many */
    double size;   /* the product of the ranges */
};

/* The picture of the key `board`. */
struct rules_board {
    bool there;
    uint16_t rows, columns;
    uint32_t cells; /* that are no walls: the values of set `cell` */
    uint32_t set;
    uint16_t place[BOARD_MAX_CELLS];    /* row * columns + column of each cell */
    char character[BOARD_MAX_CELLS][5]; /* what is drawn there */
};

/* The key `draw`: the board on which states are shown, a place for each choice of members of one or two sets. These
 * stand in slots 0 and 1. */
struct rules_picture {
    bool there;
    unsigned parameters;
    uint32_t set[2];
    uint32_t marks;  /* conditions: the first that holds says what is shown. 0: the value of one expression is */
    uint32_t *show;  /* terms: of each mark, or that expression */
    int32_t lo, hi;  /* of the expression's values */
    uint8_t *symbol; /* of each mark, or of each value from lo on; BOARD_OPEN for what is no value */
    struct board board;
};

struct rules {
    struct puzzle puzzle;
    struct rules_board board;
    struct rules_set *set;
    struct rules_table *table;
    struct rules_variable *variable;
    uint32_t sets, tables, variables;
    uint64_t range_members; /* of all ranges that are written: what they take in memory */
    struct terms terms;
    struct rules_move *move;
    struct rules_assignment *assignment;
    uint32_t moves;
    size_t assignments, assignment_room;
    uint32_t goal, keep; /* terms; keep may be NO_TERM */
    uint32_t starts;
    int32_t *start; /* states one after another; RULES_NONE where any value is meant */
    struct rules_element *element;
    uint32_t elements;
    struct rules_layout layout;
    struct dag dag;
    struct ground ground;
    struct program *program;
    bool free;                               /* some moves cost nothing (free.h) */
    uint32_t symmetric[RULES_MAX_SYMMETRIC]; /* sets whose members can be exchanged */
    unsigned symmetrics;
    struct symmetry *symmetry;   /* NULL: there are none */
    struct numbering *numbering; /* NULL: indices are keys */
    struct rules_picture picture;
};

#endif
