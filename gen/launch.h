/* launch.h -- was pdb-gen started as one of several processes that do the work together? */
#ifndef GEN_LAUNCH_H
#define GEN_LAUNCH_H

#include "lib/comm/ranks.h"

/* Joins the processes that mpirun or srun started together with this one: *ranks, until launch_leave. NULL where there
 * are no others. PDB_BAD_USAGE: there are, and this process cannot join them, as it was built without MPI or its module
 * is not there, they were started by another MPI than its own, or there are more than RANKS_MAX. */
pdb_status launch_join(struct ranks **ranks, pdb_error *error);

/* Is this the first of them? Also where they cannot be joined, so that one of them says so. */
bool launch_is_first(void);

/* Waits for the others and leaves them. NULL: nothing. */
void launch_leave(struct ranks *ranks);

/* -- ranks_mpi.c: the same on MPI alone, in a module that is loaded where there are others -- */
typedef struct ranks *ranks_mpi_join_function(void); /* NULL: there are no others, or memory is short */
__attribute__((visibility("default"))) ranks_mpi_join_function ranks_mpi_join;

#endif
