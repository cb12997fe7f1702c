/* solvers.h -- solvers of small puzzles, by searches and from databases in a directory of their own
 *
 * Databases are made by the program itself: the environment variable PDB_GEN has its path.
 */
#ifndef TESTS_QUERY_SOLVERS_H
#define TESTS_QUERY_SOLVERS_H

#include "pdb.h"

#define HEAD "puzzle: t\nfamily: slide\n"

/* For a suite's .init and .fini. */
extern char solvers_directory[200];
void solvers_begin(void);
void solvers_end(void);

/* The definition's text in the directory under this name, loaded as a user would. */
pdb_puzzle *load_text(const char *name, const char *yaml);
/* The database of the text that was loaded under this name. */
void generate_database(const char *name);

pdb_solver *open_solver(const pdb_puzzle *puzzle, pdb_method method);
pdb_status status_of_opening(const pdb_puzzle *puzzle, pdb_method method, pdb_error *error);

#endif
