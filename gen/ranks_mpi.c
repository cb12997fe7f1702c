/* ranks_mpi.c -- ranks (lib/comm/ranks.h) that are MPI's
 *
 * MPI waits by asking again and again, and takes a whole processor for that. Everything here is begun, asked for, and
 * slept upon in between: a rank that waits for a slower one leaves the processor to others, its own threads among them.
 * Errors are MPI's to report: it ends all processes.
 */
#include "launch.h"

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ASK_AT_ONCE = 50, PAUSE_LEAST = 10000, PAUSE_MOST = 100000 }; /* times; nanoseconds */

/* What goes to every rank at once. A small batch goes with it, so that ranks that have little for one another wait for
 * one another once; a larger one goes to its rank by itself. */
enum { SMALL_BATCH = 256 - (1 + RANK_MAIL_SUMS) * (int)sizeof(uint64_t) };
struct letter {
    uint64_t bytes, sum[RANK_MAIL_SUMS];
    uint8_t batch[SMALL_BATCH];
};

struct mpi_ranks {
    struct ranks ranks;
    struct letter *out, *in; /* of each rank */
    MPI_Request *request;    /* of larger batches */
};

static void wait_for_all(MPI_Request *request, int count)
{
    long pause = PAUSE_LEAST;
    int done = 0;
    for (unsigned asked = 0; MPI_Testall(count, request, &done, MPI_STATUSES_IGNORE), !done; asked++) {
        if (asked < ASK_AT_ONCE)
            continue;
        nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
        pause = 2 * pause < PAUSE_MOST ? 2 * pause : PAUSE_MOST;
    }
}

static void write_letters(const struct ranks *ranks, const struct rank_mail *mail)
{
    const struct mpi_ranks *mpi = ranks->context;
    for (unsigned to = 0; to < ranks->size; to++) {
        struct letter *letter = &mpi->out[to];
        letter->bytes = to == ranks->rank ? 0 : mail->out_bytes[to];
        memcpy(letter->sum, mail->sum, sizeof letter->sum);
        if (letter->bytes <= SMALL_BATCH)
            memcpy(letter->batch, mail->out + to * mail->room, letter->bytes);
    }
}

static void read_letters(const struct ranks *ranks, struct rank_mail *mail)
{
    const struct mpi_ranks *mpi = ranks->context;
    memset(mail->sum, 0, sizeof mail->sum);
    for (unsigned from = 0; from < ranks->size; from++) {
        const struct letter *letter = &mpi->in[from];
        mail->in_bytes[from] = letter->bytes;
        for (unsigned i = 0; i < RANK_MAIL_SUMS; i++)
            mail->sum[i] += letter->sum[i];
        if (letter->bytes <= SMALL_BATCH)
            memcpy(mail->in + from * mail->room, letter->batch, letter->bytes);
    }
}

static void exchange(struct ranks *ranks, struct rank_mail *mail)
{
    struct mpi_ranks *mpi = ranks->context;
    MPI_Request all;
    int count = 0;
    write_letters(ranks, mail);
    MPI_Ialltoall(mpi->out, sizeof *mpi->out, MPI_BYTE, mpi->in, sizeof *mpi->in, MPI_BYTE, MPI_COMM_WORLD, &all);
    wait_for_all(&all, 1);
    read_letters(ranks, mail); /* NOLINT(*MPI-Checker): MPI_Testall waited for it */
    for (unsigned rank = 0; rank < ranks->size; rank++) {
        if (mail->in_bytes[rank] > SMALL_BATCH)
            MPI_Irecv(mail->in + rank * mail->room, (int)mail->in_bytes[rank], MPI_BYTE, (int)rank, 0, MPI_COMM_WORLD,
                      &mpi->request[count++]);
        if (rank != ranks->rank && mail->out_bytes[rank] > SMALL_BATCH)
            MPI_Isend(mail->out + rank * mail->room, (int)mail->out_bytes[rank], MPI_BYTE, (int)rank, 0, MPI_COMM_WORLD,
                      &mpi->request[count++]);
    }
    wait_for_all(mpi->request, count);
} /* NOLINT(*MPI-Checker): MPI_Testall waited for them */

static void sum(struct ranks *ranks, uint64_t *number, size_t count)
{
    MPI_Request request;
    (void)ranks;
    MPI_Iallreduce(MPI_IN_PLACE, number, (int)count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD, &request);
    wait_for_all(&request, 1);
} /* NOLINT(*MPI-Checker): MPI_Testall waited for it */

static void mpi_free(struct mpi_ranks *mpi)
{
    if (mpi == NULL)
        return;
    free(mpi->out);
    free(mpi->in);
    free(mpi->request);
    free(mpi);
}

static struct mpi_ranks *mpi_new(size_t size)
{
    struct mpi_ranks *mpi = calloc(1, sizeof *mpi);
    if (mpi == NULL)
        return NULL;
    mpi->out = calloc(size, sizeof *mpi->out);
    mpi->in = calloc(size, sizeof *mpi->in);
    mpi->request = calloc(2 * size, sizeof(MPI_Request)); /* NOLINT(bugprone-sizeof-expression): a handle's */
    if (mpi->out != NULL && mpi->in != NULL && mpi->request != NULL)
        return mpi;
    mpi_free(mpi);
    return NULL;
}

static void leave(struct ranks *ranks)
{
    mpi_free(ranks->context);
    MPI_Finalize();
}

struct ranks *ranks_mpi_join(void)
{
    int thread_level, rank, size;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &thread_level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    struct mpi_ranks *mpi = size > 1 && size <= RANKS_MAX ? mpi_new((size_t)size) : NULL;
    int lacking = mpi == NULL; /* where one has no memory, none waits for it */
    MPI_Allreduce(MPI_IN_PLACE, &lacking, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (mpi == NULL || lacking) {
        mpi_free(mpi);
        return NULL;
    }
    mpi->ranks = (struct ranks){.rank = (unsigned)rank,
                                .size = (unsigned)size,
                                .context = mpi,
                                .exchange = exchange,
                                .sum = sum,
                                .leave = leave};
    return &mpi->ranks;
}
