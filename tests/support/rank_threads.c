/* rank_threads.c -- ranks that are threads of the test */
#include "rank_threads.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MOST = 1 << 15 };

/* What ranks may come together for. */
enum call { EXCHANGING = 1, COPIED, SUMMING, ADDED };

struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t all_there;
    unsigned size, there, ended;
    uint64_t times; /* that all have come together */
    uint64_t what;  /* those that are there have come for: the call and its size */
    const struct rank_mail *mail[RANKS_MOST];
    const uint64_t *number[RANKS_MOST];
};

struct seat {
    struct meeting *meeting;
    void *(*work)(void *member);
    void *member;
};

static void give_up(const char *why)
{
    fprintf(stderr, "rank_threads: %s\n", why);
    abort();
}

static void meet(struct meeting *meeting, enum call call, uint64_t bytes)
{
    pthread_mutex_lock(&meeting->lock);
    const uint64_t what = call + 8 * bytes, times = meeting->times;
    if (meeting->ended > 0)
        give_up("a rank waits for one that has ended");
    if (meeting->there++ > 0 && meeting->what != what)
        give_up("ranks wait for one another in different functions");
    meeting->what = what;
    if (meeting->there == meeting->size) {
        meeting->there = 0;
        meeting->times++;
        pthread_cond_broadcast(&meeting->all_there);
    }
    while (meeting->times == times)
        pthread_cond_wait(&meeting->all_there, &meeting->lock);
    pthread_mutex_unlock(&meeting->lock);
}

static void exchange(struct ranks *ranks, struct rank_mail *mail)
{
    struct meeting *meeting = ranks->context;
    uint64_t sums[RANK_MAIL_SUMS] = {0};
    meeting->mail[ranks->rank] = mail;
    meet(meeting, EXCHANGING, mail->room);
    for (unsigned from = 0; from < ranks->size; from++) {
        const struct rank_mail *other = meeting->mail[from];
        mail->in_bytes[from] = other->out_bytes[ranks->rank];
        memcpy(mail->in + from * mail->room, other->out + ranks->rank * mail->room, mail->in_bytes[from]);
        for (unsigned i = 0; i < RANK_MAIL_SUMS; i++)
            sums[i] += other->sum[i];
    }
    meet(meeting, COPIED, mail->room);
    memcpy(mail->sum, sums, sizeof sums);
}

static void sum(struct ranks *ranks, uint64_t *number, size_t count)
{
    struct meeting *meeting = ranks->context;
    uint64_t sums[NUMBERS_MOST] = {0}; /* no memory that a test may let run out */
    if (count > NUMBERS_MOST)
        give_up("more numbers than there is room for");
    meeting->number[ranks->rank] = number;
    meet(meeting, SUMMING, count);
    for (unsigned from = 0; from < ranks->size; from++)
        for (size_t i = 0; i < count; i++)
            sums[i] += meeting->number[from][i];
    meet(meeting, ADDED, count);
    memcpy(number, sums, count * sizeof *sums);
}

static void *work(void *context)
{
    const struct seat *seat = context;
    void *outcome = seat->work(seat->member);
    pthread_mutex_lock(&seat->meeting->lock);
    seat->meeting->ended++;
    if (seat->meeting->there > 0)
        give_up("a rank has ended for which another waits");
    pthread_mutex_unlock(&seat->meeting->lock);
    return outcome;
}

void ranks_together(unsigned size, void *(*what)(void *member), void *members, size_t bytes)
{
    struct meeting meeting = {.lock = PTHREAD_MUTEX_INITIALIZER, .all_there = PTHREAD_COND_INITIALIZER, .size = size};
    pthread_t thread[RANKS_MOST];
    struct seat seat[RANKS_MOST];
    for (unsigned rank = 0; rank < size; rank++) {
        struct ranks *ranks = (void *)((char *)members + rank * bytes);
        *ranks = (struct ranks){.rank = rank, .size = size, .context = &meeting, .exchange = exchange, .sum = sum};
        seat[rank] = (struct seat){&meeting, what, ranks};
        if (pthread_create(&thread[rank], NULL, work, &seat[rank]) != 0)
            give_up("no thread");
    }
    for (unsigned rank = 0; rank < size; rank++)
        pthread_join(thread[rank], NULL);
}
