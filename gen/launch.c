/* launch.c -- the processes that were started together, as what started them tells in the environment */
#include "launch.h"

#include <stdlib.h>
#ifdef PDB_MPI
#include "common/signals.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#endif

/* What tells a process how many were started together, and which of them it is: Open MPI's mpirun, MPICH's, and srun
 * for a step of a Slurm job. Who starts processes directly stands before who may have started what started them. */
static const struct {
    const char *size, *rank;
} told[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
            {"PMI_SIZE", "PMI_RANK"},
            {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};

/* A number in the environment. */
static unsigned long number_of(const char *name, unsigned long none)
{
    const char *value = getenv(name); /* NOLINT(concurrency-mt-unsafe): no other thread is there yet */
    return value == NULL ? none : strtoul(value, NULL, 10);
}

static unsigned long started_together(void)
{
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (number_of(told[i].size, 0) > 0)
            return number_of(told[i].size, 0);
    return 1;
}

bool launch_is_first(void)
{
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        if (number_of(told[i].size, 0) > 0)
            return number_of(told[i].rank, 0) == 0;
    return true;
}

#ifdef PDB_MPI
/* MPI brings a dozen libraries, which a process that is alone would load in vain: they come with the module that calls
 * them (ranks_mpi.c). It lies beside the program or, seen from there, where it was installed. It is opened by its path,
 * for an rpath in the program would have every start search it for every library. Open MPI's own plug-ins look for the
 * module's names among all. The module stays until the program ends. */
static void *open_module(void)
{
    char program[PATH_MAX], path[PATH_MAX + sizeof "/" PDB_MODULES "/pdb-mpi.so"];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program);
    const char *end = length > 0 ? memrchr(program, '/', (size_t)length) : NULL;
    const int directory = end != NULL ? (int)(end - program) : 0;
    snprintf(path, sizeof path, "%.*s/pdb-mpi.so", directory, program);
    if (access(path, F_OK) != 0)
        snprintf(path, sizeof path, "%.*s/" PDB_MODULES "/pdb-mpi.so", directory, program);
    return dlopen(path, RTLD_NOW | RTLD_GLOBAL);
}

static ranks_mpi_join_function *find_join(void)
{
    void *module = open_module(), *address = module == NULL ? NULL : dlsym(module, "ranks_mpi_join");
    ranks_mpi_join_function *join;
    memcpy(&join, &address, sizeof join);
    return join;
}

pdb_status launch_join(struct ranks **ranks, pdb_error *error)
{
    const unsigned long started = started_together();
    *ranks = NULL;
    if (started <= 1)
        return PDB_OK;
    if (started > RANKS_MAX)
        return error_set(error, PDB_BAD_USAGE, "%lu processes were started, and at most %d can share a search out",
                         started, RANKS_MAX);
    ranks_mpi_join_function *join = find_join();
    if (join == NULL)
        return error_set(error, PDB_BAD_USAGE,
                         "%lu processes were started, and what lets them find each other is not there: %s", started,
                         dlerror()); /* NOLINT(concurrency-mt-unsafe): as above */
    interrupt_hold(true);            /* MPI's threads leave signals to this one, which looks whether any wait */
    *ranks = join();
    interrupt_release();
    if (*ranks != NULL)
        return PDB_OK;
    return error_set(
        error, PDB_BAD_USAGE,
        "%lu processes were started that do not find each other: start them with Open MPI's mpirun, or with "
        "srun --mpi=pmix",
        started);
}
#else
pdb_status launch_join(struct ranks **ranks, pdb_error *error)
{
    const unsigned long started = started_together();
    *ranks = NULL;
    if (started <= 1)
        return PDB_OK;
    return error_set(error, PDB_BAD_USAGE,
                     "%lu processes were started, and this pdb-gen was built without MPI, so each would do all of the "
                     "work: start one, or build it with -Dmpi=enabled",
                     started);
}
#endif

void launch_leave(struct ranks *ranks)
{
    if (ranks != NULL)
        ranks->leave(ranks);
}
