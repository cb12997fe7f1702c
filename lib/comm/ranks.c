/* ranks.c -- what is made of the two functions that carry bytes between ranks */
#include "ranks.h"
#include "lib/numbers.h"

#include <stdlib.h>
#include <string.h>

uint64_t rank_mail_bytes(const struct ranks *ranks, uint64_t room)
{
    return ranks->size * 2 * (room + sizeof(uint64_t));
}

bool rank_mail_take(struct rank_mail *mail, const struct ranks *ranks, uint64_t room)
{
    *mail = (struct rank_mail){.room = room,
                               .out = malloc(ranks->size * room),
                               .in = malloc(ranks->size * room),
                               .out_bytes = calloc(ranks->size, sizeof *mail->out_bytes),
                               .in_bytes = calloc(ranks->size, sizeof *mail->in_bytes)};
    return mail->out != NULL && mail->in != NULL && mail->out_bytes != NULL && mail->in_bytes != NULL;
}

void rank_mail_free(struct rank_mail *mail)
{
    free(mail->out);
    free(mail->in);
    free(mail->out_bytes);
    free(mail->in_bytes);
    *mail = (struct rank_mail){0};
}

void ranks_exchange(struct ranks *ranks, struct rank_mail *mail)
{
    for (unsigned to = 0; to < ranks->size; to++)
        ranks->sent += to == ranks->rank ? 0 : mail->out_bytes[to];
    ranks->exchange(ranks, mail);
}

void ranks_ship(struct ranks *ranks, struct rank_mail *mail, rank_fill *fill, rank_take *take, void *context)
{
    do {
        bool more = false;
        for (unsigned to = 0; to < ranks->size; to++)
            mail->out_bytes[to] = to == ranks->rank ? 0
                                                    : fill(context, to, mail->out + to * mail->room, mail->room, &more);
        memset(mail->sum, 0, sizeof mail->sum);
        mail->sum[0] = more;
        ranks_exchange(ranks, mail);
        for (unsigned from = 0; from < ranks->size; from++)
            if (from != ranks->rank && mail->in_bytes[from] > 0)
                take(context, from, mail->in + from * mail->room, mail->in_bytes[from]);
    } while (mail->sum[0] > 0);
}

struct lowest {
    uint64_t *number;
    size_t count, given, most;
};

static uint64_t fill_lowest(void *context, unsigned to, uint8_t *bytes, uint64_t room, bool *more)
{
    struct lowest *lowest = context;
    const uint64_t *number = lowest->number + lowest->given;
    const size_t left = lowest->count - lowest->given, most = room / sizeof *number, count = left < most ? left : most;
    if (to != 0)
        return 0;
    memcpy(bytes, number, count * sizeof *number);
    lowest->given += count;
    *more |= count < left;
    return count * sizeof *number;
}

static void take_lowest(void *context, unsigned from, const uint8_t *bytes, uint64_t size)
{
    struct lowest *lowest = context;
    (void)from;
    memcpy(lowest->number + lowest->count, bytes, size);
    lowest->count += size / sizeof *lowest->number;
    sort_numbers(lowest->number, lowest->count);
    lowest->count = lowest->count < lowest->most ? lowest->count : lowest->most;
}

size_t ranks_lowest(struct ranks *ranks, struct rank_mail *mail, uint64_t *number, size_t count, size_t most)
{
    struct lowest lowest = {number, count, 0, most};
    ranks_ship(ranks, mail, fill_lowest, take_lowest, &lowest);
    return lowest.count;
}

void ranks_add(struct ranks *ranks, uint64_t *number, size_t count)
{
    if (!ranks_alone(ranks))
        ranks->sum(ranks, number, count);
}

void ranks_collect(struct ranks *ranks, uint64_t number, uint64_t *all)
{
    const unsigned size = ranks_alone(ranks) ? 1 : ranks->size;
    memset(all, 0, size * sizeof *all);
    all[size == 1 ? 0 : ranks->rank] = number;
    ranks_add(ranks, all, size);
}

uint64_t ranks_greatest(struct ranks *ranks, uint64_t number)
{
    uint64_t all[RANKS_MAX], greatest = 0;
    const unsigned size = ranks_alone(ranks) ? 1 : ranks->size;
    ranks_collect(ranks, number, all);
    for (unsigned rank = 0; rank < size; rank++)
        greatest = all[rank] > greatest ? all[rank] : greatest;
    return greatest;
}

void ranks_tell(struct ranks *ranks, uint64_t *number, size_t count)
{
    if (ranks_alone(ranks))
        return;
    if (ranks->rank != 0)
        memset(number, 0, count * sizeof *number);
    ranks->sum(ranks, number, count);
}

/* An error as numbers that can be added. */
union numbered_error {
    pdb_error error;
    uint64_t number[(sizeof(pdb_error) + 7) / 8];
};

pdb_status ranks_agree(struct ranks *ranks, pdb_status status, pdb_error *error)
{
    if (ranks_alone(ranks))
        return status;
    uint64_t failed = status != PDB_OK;
    unsigned lowest = 0;
    union numbered_error told = {.number = {0}};
    ranks->sum(ranks, &failed, 1);
    if (failed == 0)
        return PDB_OK;
    for (failed = 0; failed == 0; lowest++) {
        failed = lowest == ranks->rank && status != PDB_OK;
        ranks->sum(ranks, &failed, 1);
    }
    if (ranks->rank == lowest - 1 && error != NULL)
        told.error = *error;
    if (ranks->rank == lowest - 1)
        told.error.status = status;
    ranks->sum(ranks, told.number, sizeof told.number / sizeof *told.number);
    if (error != NULL)
        *error = told.error;
    return told.error.status;
}
