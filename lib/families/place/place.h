/* place.h -- values put into slots under constraints: the room's header, where to begin
 *
 * Here lives how such a puzzle is read (definition.c, equation.c), typed and drawn (text.c), what its moves are
 * (place.c), and how boards are completed by backtracking (fill.c) with the rules as masks (masks.c), also for single
 * boards without a database (search.c). Nothing here knows other families, databases or programs, and the searches over
 * whole spaces see the puzzle by its contract alone.
 *
 * N queens, alphametics, Latin squares, sudoku: every slot gets a value, and there are rules about which values go
 * together. A state is a partial assignment, a board whose places are the slots: symbol 0 is an empty slot, symbol
 * v + 1 the value number v. A move puts a value into an empty slot. The goals are the complete assignments that keep
 * all rules; a state that can be completed is as far from a goal as it has empty slots, and from every other state none
 * can be reached. The order of moves does not matter (puzzle->unordered).
 *
 * There are two sorts of rules:
 *
 *   - a *group*: in its slots value + offset are all different, where each slot has an offset of its own in the group.
 *     Rows, columns and boxes have offsets 0; the queens of a board, a slot for each row, have one group with offsets
 *     0 (columns), one with 0, 1, 2, .. and one with 0, -1, -2, .. (diagonals). What is taken in a group is a set, a
 *     bit for each value + offset: place_set. Offsets are shifted so that the least is 0.
 *   - an *equation* of sums of words whose letters are the slots: sum of coefficient * digit is 0, a letter's
 *     coefficient being the sum of the powers of the base that it stands for (equation.c).
 *
 * A state's key (puzzle.h) has a digit for each slot, its symbol, to the base values + 1. Where that passes 2^63 states
 * have no numbers, and boards are searched one by one, as they are without a database: fill.c.
 */
#ifndef FAMILIES_PLACE_PLACE_H
#define FAMILIES_PLACE_PLACE_H

#include "lib/puzzle.h"
#include "lib/families/shared/places.h"

enum {
    PLACE_MAX_SLOTS = BOARD_BYTE_CELLS,
    PLACE_MAX_VALUES = 64,
    PLACE_MAX_GROUPS = 512,
    PLACE_MAX_MEMBERS = 16 * PLACE_MAX_SLOTS, /* slots of all groups together */
    PLACE_MAX_BASE = 36,
    PLACE_MAX_EQUATIONS = 16,
    PLACE_MAX_COLUMNS = 80 /* digits of a word, where the base is small enough for it */
};

typedef unsigned __int128 place_set; /* of values plus offsets */
typedef __int128 place_sum;

/* That a slot is in a group. */
struct place_member {
    uint16_t group;
    uint8_t offset;
};

/* `low[k]` are the letters that count modulo base^k: those in the k last columns, as far as they do not cancel out. */
struct place_equation {
    char *text;                            /* "SEND+MORE=MONEY" */
    uint64_t written, letters;             /* the slots of all its letters; of those with a coefficient that is not 0 */
    place_sum coefficient[PLACE_MAX_BASE]; /* of each slot */
    unsigned columns;
    place_sum power[PLACE_MAX_COLUMNS + 1]; /* of the base */
    uint64_t low[PLACE_MAX_COLUMNS + 1];
};

struct place {
    struct puzzle puzzle;
    struct place_names names; /* of the slots */
    bool named;               /* the definition gives them, or they are letters */
    char mark;                /* drawn as a grid with this where a slot has a value; 0: drawn as it is */
    unsigned slots, values;
    uint64_t allowed[PLACE_MAX_SLOTS]; /* the values that a slot may have at all */
    uint64_t weight[PLACE_MAX_SLOTS];  /* of a slot's digit in a key */
    unsigned groups;
    bool full[PLACE_MAX_GROUPS];         /* a group in which every value has to stand somewhere */
    uint16_t first[PLACE_MAX_SLOTS + 1]; /* slot s is member[first[s]] .. member[first[s + 1] - 1] */
    struct place_member member[PLACE_MAX_MEMBERS];
    unsigned base, equations;
    struct place_equation *equation; /* NULL for none */
};

static inline const struct place *place_of(const struct puzzle *puzzle)
{
    return (const struct place *)puzzle;
}

/* -- definition.c: reads the board, the slots and the rules; the caller frees what was allocated on failure too -- */
pdb_status place_read(const struct definition *definition, struct place *place, pdb_error *error);

/* -- equation.c -- */

/* Reads 'equation' and 'base': the letters become slots, the digits values. */
pdb_status place_read_equations(const struct node *root, struct place *place, pdb_error *error);

/* Is no equation all filled in and wrong? */
bool place_equations_hold(const struct place *place, const uint8_t *position);

/* Takes values out of the domains of empty slots that surely make the equation wrong. `empty`: the slots without a
 * value; `sum`: that of the others. Where one letter is left, what stays in its domain makes the equation right.
 * False where nothing can. */
bool place_equation_filter(const struct place_equation *equation, uint64_t empty, place_sum sum,
                           uint64_t domain[PLACE_MAX_BASE]);

/* -- masks.c: the rules as masks -- */

struct place_masks {
    const struct place *place;
    bool alike, mirrored;                /* values may be exchanged at will; may be put in the reverse order */
    uint8_t column[PLACE_MAX_SLOTS];     /* how far from the right a letter first counts in the first equation */
    unsigned fulls;                      /* groups in which every value has to stand somewhere */
    uint16_t first[PLACE_MAX_SLOTS + 1]; /* slot s is in full[first[s]] .. full[first[s + 1] - 1] of them */
    uint16_t full[PLACE_MAX_MEMBERS];
    uint64_t row[]; /* place_row */
};

/* The caller frees *out with free. Error: PDB_NO_MEMORY. */
pdb_status place_masks_make(const struct place *place, struct place_masks **out, pdb_error *error);

/* What a value in a slot leaves of each slot's domain. */
static inline const uint64_t *place_row(const struct place_masks *masks, unsigned slot, unsigned value)
{
    return masks->row + ((size_t)slot * masks->place->values + value) * masks->place->slots;
}

/* The values of a domain counted from the last one. */
uint64_t place_mirror(const struct place *place, uint64_t domain);

/* -- fill.c: backtracking -- */

/* The slots without a value, and their domains. */
struct place_frame {
    unsigned slots;
    uint8_t *slot;
    uint64_t *domain;
    place_sum sum[PLACE_MAX_EQUATIONS]; /* of the letters that have their digits */
};

struct place_filling {
    const struct place_masks *masks;
    uint8_t position[PLACE_MAX_SLOTS];

    /* Called for every complete assignment, which is in `position`; false ends the filling. NULL: they are counted. */
    bool (*visit)(struct place_filling *filling, void *context);
    /* Called every PLACE_PATIENCE nodes, or a few later; false ends the filling. May be NULL. */
    bool (*look)(struct place_filling *filling, void *context);
    void *context;
    uint64_t nodes; /* assignments looked at */
    uint64_t due;   /* at so many, `look` is called */
    uint64_t count;
    struct place_frame frame[]; /* one for each number of slots that are filled, and where it begins */
};

enum { PLACE_PATIENCE = 4096 };

/* Room for fillings, one after another. The caller frees it with free; NULL where memory is short. */
struct place_filling *place_filling_make(const struct place_masks *masks, pdb_error *error);

/* Begins at a position; false where it is plain that it cannot be completed: without a node looked at, where it breaks
 * a rule. */
bool place_begin(struct place_filling *filling, const uint8_t *position);

/* A value in a slot, for so many that have as many completions: itself, and those that a symmetry of the rules takes it
 * to that leaves the board as it is. */
struct place_option {
    unsigned slot, value, times;
};

/* What a filling that has begun, of a board that is not complete, may go on with: one of them in each completion. */
unsigned place_options(struct place_filling *filling, struct place_option option[PLACE_MAX_VALUES]);

/* Goes through all completions. False where a callback ended it. */
bool place_fill(struct place_filling *filling);

/* -- text.c: pictures of their own, and what is typed -- */

bool place_sketch(const struct puzzle *puzzle, const uint8_t *position, char *text);
pdb_status place_parse(const struct puzzle *puzzle, const char *text, uint8_t *position, bool *known, pdb_error *error);

/* A slot in words, for moves: "row 2 column 3", "S". `piece` has room for PDB_CODE_MAX bytes. */
void place_slot_words(const struct place *place, unsigned slot, char *piece);

/* -- search.c -- */

extern const struct searcher_class place_searcher_class;

#endif
