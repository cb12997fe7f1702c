/* rules.h -- what check.c puts together: the rules on a run of states, on positions alone, and on bounds */
#ifndef CHECK_RULES_H
#define CHECK_RULES_H

#include "check.h"

enum {
    RULES_RUN = 64,    /* states that are checked together, at most */
    RULES_SLACK = 4096 /* room for moves that a family returns beyond its max_moves: it is told so, and harms nothing */
};

/* What all threads share. */
struct rules {
    const struct puzzle *puzzle;
    const uint64_t *goal; /* ascending */
    size_t goals;
    bool goals_complete; /* no other state is a goal */
    unsigned symmetries;
};

/* Room for one thread. */
struct rules_room;
struct rules_room *rules_room_create(const struct rules *rules); /* NULL where memory is short */
void rules_room_free(struct rules_room *room);

/* The rules come in passes, to be made over all states one after another: what one pass relies on, those before it have
 * made sure of, so that a fault is found where it is and not at a neighbour. The first is about positions, the second
 * about moves, the third about inverse moves and colours. */
enum { RULES_PASSES = 3 };

/* Makes one pass, 0 .. RULES_PASSES-1, over up to RULES_RUN states and adds up in *moves the moves out of them (in pass
 * 1). Errors: PDB_BROKEN_RULES, and those of the family's functions. */
pdb_status rules_check(const struct rules *rules, struct rules_room *room, unsigned pass, const uint64_t *index,
                       size_t count, uint64_t *moves, pdb_error *error);

/* Of a puzzle whose states have keys: does every packed key mean the state's key, and lead to the same by its moves? In
 * packed.c. Errors: PDB_BROKEN_RULES, PDB_NO_MEMORY. */
pdb_status rules_check_packed(const struct puzzle *puzzle, const uint64_t *index, size_t count, pdb_error *error);

/* The check of a puzzle whose states have no numbers, in positions.c: as check_puzzle. */
pdb_status rules_check_positions(const struct puzzle *puzzle, const struct check_limits *limits,
                                 struct check_report *report, pdb_error *error);

/* Are a puzzle's lower bounds admissible? Goes back from the goals given, layer by layer: a state met in layer m is m
 * moves from a goal at most, so its bound is no more than m, and 0 for goals. In a space of up to some hundred thousand
 * states all layers are whole, and m is the distance; layers that are too large are thinned out. `all`: what the
 * observer is told. In bounds.c. Errors: PDB_BROKEN_RULES, PDB_NO_MEMORY, PDB_INTERRUPTED. */
pdb_status rules_check_bounds(const struct puzzle *puzzle, const struct check_limits *limits, const uint64_t *goal,
                              size_t goals, uint64_t all, pdb_error *error);

/* Is a position's text read back as it was? PDB_BAD_BOARD, with how it is read, where not. */
pdb_status rules_text_read_back(const struct board *board, const uint8_t *position, pdb_error *fault);

/* PDB_BROKEN_RULES: the rule's name, the state's board, and what was found there. */
__attribute__((format(printf, 5, 6))) pdb_status rules_broken(const struct puzzle *puzzle, pdb_error *error,
                                                              const char *rule, uint64_t index, const char *format,
                                                              ...);

#endif
