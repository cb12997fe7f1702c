/* ranks_mpi.c -- ranks (lib/ranks/ranks.h) that are MPI's
 *
 * MPI waits by asking again and again, and takes a whole processor for that. Everything here is begun, asked for, and
 * slept upon in between: a rank that waits for a slower one leaves the processor to others, its own threads among them.
 * Errors are MPI's to report: it ends all processes.
 */
#include "launch.h"

#include <mpi.h>
#include <stdlib.h>
#include <time.h>

enum { ASK_AT_ONCE = 50, PAUSE_LEAST = 10000, PAUSE_MOST = 100000 }; /* times; nanoseconds */

struct mpi_ranks {
    struct ranks ranks;
    int *out_count, *out_begin, *in_count, *in_begin; /* of the batches */
};

static void wait_for(MPI_Request *request)
{
    long pause = PAUSE_LEAST;
    int done = 0;
    for (unsigned asked = 0; MPI_Test(request, &done, MPI_STATUS_IGNORE), !done; asked++) {
        if (asked < ASK_AT_ONCE)
            continue;
        nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
        pause = 2 * pause < PAUSE_MOST ? 2 * pause : PAUSE_MOST;
    }
}

static void exchange(struct ranks *ranks, struct rank_mail *mail)
{
    struct mpi_ranks *mpi = ranks->context;
    MPI_Request request;
    MPI_Ialltoall(mail->out_bytes, 1, MPI_UINT64_T, mail->in_bytes, 1, MPI_UINT64_T, MPI_COMM_WORLD, &request);
    wait_for(&request);
    for (unsigned rank = 0; rank < ranks->size; rank++) {
        mpi->out_count[rank] = (int)mail->out_bytes[rank];
        mpi->in_count[rank] = (int)mail->in_bytes[rank];
        mpi->out_begin[rank] = mpi->in_begin[rank] = (int)(rank * mail->room);
    }
    MPI_Ialltoallv(mail->out, mpi->out_count, mpi->out_begin, MPI_BYTE, mail->in, mpi->in_count, mpi->in_begin,
                   MPI_BYTE, MPI_COMM_WORLD, &request);
    wait_for(&request);
} /* NOLINT(*MPI-Checker): MPI_Test waited for it */

static void sum(struct ranks *ranks, uint64_t *number, size_t count)
{
    MPI_Request request;
    (void)ranks;
    MPI_Iallreduce(MPI_IN_PLACE, number, (int)count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD, &request);
    wait_for(&request);
} /* NOLINT(*MPI-Checker): MPI_Test waited for it */

struct ranks *ranks_mpi_join(void)
{
    int thread_level, rank, size;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &thread_level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct mpi_ranks *mpi = size > 1 && size <= RANKS_MAX ? calloc(1, sizeof *mpi) : NULL;
    int *counts = mpi == NULL ? NULL : calloc(4 * (size_t)size, sizeof *counts);
    int lacking = counts == NULL; /* where one has no memory, none waits for it */
    MPI_Allreduce(MPI_IN_PLACE, &lacking, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (lacking) {
        free(mpi);
        free(counts);
        return NULL;
    }
    *mpi = (struct mpi_ranks){
        .ranks = {.rank = (unsigned)rank, .size = (unsigned)size, .context = mpi, .exchange = exchange, .sum = sum},
        .out_count = counts,
        .out_begin = counts + size,
        .in_count = counts + 2 * (size_t)size,
        .in_begin = counts + 3 * (size_t)size};
    return &mpi->ranks;
}

void ranks_mpi_leave(struct ranks *ranks)
{
    struct mpi_ranks *mpi = ranks->context;
    free(mpi->out_count);
    free(mpi);
    MPI_Finalize();
}
