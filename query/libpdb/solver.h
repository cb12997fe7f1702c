/* solver.h -- what a pdb_solver is, for the files that implement its functions
 *
 * The room: the functions of include/pdb.h, which programs have as libpdb: puzzles and boards as others see them
 * (puzzle.c), solvers and all that they are asked. No words, no options, no terminal; nothing of it prints.
 *
 * There are three sorts. One knows all distances: a whole space (space/space.h), opened from a database or solved in
 * memory. The second searches for each board that it is asked for (solver->searcher), with the tables of a pattern
 * database or without. The third is that of a puzzle without moves: its items, copied from a database or worked
 * out on the spot; their figures are in the same place as the others'.
 */
#ifndef QUERY_LIBPDB_SOLVER_H
#define QUERY_LIBPDB_SOLVER_H

#include "catalog/catalog.h"
#include "lib/search/board/search.h"
#include "space/space.h"

struct pdb_solver {
    const pdb_puzzle *asked;     /* the caller's */
    const struct puzzle *puzzle; /* as its states are numbered: the caller's, or space.keyed */
    struct space space;          /* its distances, where all are known: opened, or solved on the spot */
    /* Figures and encoding of all distances, or of items: as a database has them, or would. */
    struct store_header figures;
    struct store *store;       /* a database, of distances or of patterns; NULL for none */
    struct searcher *searcher; /* boards are searched one by one */
    struct patterns patterns;  /* of a pattern database */
    struct tables *tables;     /* its tables' bytes (space/tables.h); NULL for none */
    struct items items;        /* of a puzzle without moves */
    unsigned threads;          /* for work that is shared out */
    uint64_t memory;           /* bytes that what is worked out may take, as the caller said; 0: the defaults */
    pdb_observer *observe;
    void *context;
    /* The time of lib/clock.h until which its space is solved on the spot, INFINITY: however long it takes. */
    double until;
};

/* -- puzzle.c -- */

/* Does a puzzle have boards, and are a board's symbols those of the puzzle? Families rely on that. PDB_BAD_BOARD. */
pdb_status puzzle_check_symbols(const pdb_puzzle *puzzle, const pdb_board *board, pdb_error *error);

/* The same, and is it a proper board? One that was made by hand may have the right symbols and be none. */
pdb_status puzzle_check_board(const pdb_puzzle *puzzle, const pdb_board *board, pdb_error *error);

/* Leaves every move without a distance, none optimal. */
void moves_forget(pdb_moves *moves);

/* -- solver.c -- */

/* The status of an answer: its own, unless a look-up of keys met damage on the way, for then nothing that was
 * found means anything. */
pdb_status solver_sound(const pdb_solver *solver, pdb_status status, pdb_error *error);

/* Asks the caller whether to go on: after `between` pieces of work, when so many are done. */
pdb_status solver_go_on(const pdb_solver *solver, uint64_t done, unsigned between, pdb_error *error);

/* pdb_solver_moves, where a search may know a solution already: `known` as searching_moves takes it. */
pdb_status solver_moves(const pdb_solver *solver, const pdb_board *board, uint32_t distance, const pdb_board *known,
                        pdb_moves *moves, pdb_error *error);

/* How many of the hardest boards are kept. */
uint64_t solver_hardest_kept(const pdb_solver *solver);

/* -- open.c -- */

/* Opens the database that belongs to the puzzle: solver->store. Errors: PDB_NO_DATABASE, PDB_DAMAGED, PDB_IO. */
pdb_status solver_open_store(pdb_solver *solver, const char *directory, pdb_error *error);

/* What may be taken, of so many bytes at most, where the caller allows less. */
uint64_t solver_memory(const pdb_options *options, uint64_t most);

/* PDB_DAMAGED: the store's content cannot be this puzzle's. */
pdb_status solver_misfit(const pdb_solver *solver, pdb_error *error);

/* -- items.c: puzzles without moves -- */

/* Takes the items over from a database, or works them out in memory. Errors: those of pdb_solver_open. */
pdb_status items_open(pdb_solver *solver, const pdb_options *options, pdb_error *error);

/* -- search.c: the same questions, where boards are searched one by one -- */

/* Distance, nodes and, if wanted, moves and path. */
pdb_status searching_solve(const pdb_solver *solver, const pdb_board *board, unsigned want, pdb_solution *solution,
                           pdb_error *error);
/* The distances of the boards that moves lead to; `known` (may be NULL) is where a shortest solution goes first, or,
 * where the order of moves does not matter, ends. PDB_INTERRUPTED says the distance, and how many of the moves have
 * theirs. */
pdb_status searching_moves(const pdb_solver *solver, uint32_t distance, const pdb_board *known, pdb_moves *moves,
                           pdb_error *error);
/* `most` is how many boards may be looked at; past that *text is empty. */
pdb_status searching_count(const pdb_solver *solver, const pdb_board *board, uint32_t distance, uint64_t most,
                           char *text, pdb_error *error);
/* Which moves are best is found out, and no more: only their distances are filled in. */
pdb_status searching_best(const pdb_solver *solver, uint32_t distance, pdb_moves *moves, pdb_error *error);
/* The searcher's own listing (search.h), with the caller's observer. The solver may be one that searches or not. */
pdb_status searching_list(const pdb_solver *solver, const pdb_board *board,
                          bool (*visit)(void *visiting, const uint8_t *solution), void *visiting, pdb_error *error);
/* PDB_NO_DATABASE: this question is about all states, and they are not known. */
pdb_status searching_refuse(const pdb_solver *solver, pdb_error *error);

#endif
