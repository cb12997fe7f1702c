/* shared.c -- runs of slabs that are shared out among ranks: ghosts shipped slab by slab, and what is kept
 *
 * Ranks tell one another which slabs have news, so each knows its steps before the ghosts come, and which frames may
 * give way for them. A rank goes through its own slabs in their order. What is new of one goes into the batches for
 * those that want it, group by group; where one of them is full, all batches go. So a rank has one run at hand, and one
 * ghost of each other rank's.
 */
#include "inner.h"

#include <string.h>

/* -- ghosts -- */

struct shipping {
    struct layers *layers;
    unsigned last;  /* the plane */
    uint64_t group; /* own ones before it have been shipped */
    pdb_status status;
    pdb_error error;
};

/* What all ranks' slabs have. */
static void tell_news(struct runs *runs)
{
    uint64_t bits[RUNS_SLABS_MAX / 64] = {0};
    for (uint64_t slab = 0; slab < runs->slabs; slab++)
        if (runs_own(runs, slab))
            bits[slab / 64] |= (uint64_t)runs->news[slab] << slab % 64;
    ranks_add(runs->ranks, bits, runs_row_words(runs));
    for (uint64_t slab = 0; slab < runs->slabs; slab++)
        runs->news[slab] = bits[slab / 64] >> slab % 64 & 1;
}

/* Is there anything to ship of a slab? */
static bool to_be_shipped(const struct runs *runs, uint64_t slab)
{
    bool wanted = false;
    for (unsigned rank = 0; rank < runs->ranks->size; rank++)
        wanted |= runs_wants(runs, rank, slab);
    return wanted && runs->news[slab] && runs_own(runs, slab);
}

/* Puts a group into the batches of those that want it: its number and its words. False where one has no room. */
static bool pack_group(struct shipping *shipping, uint64_t group)
{
    const struct runs *runs = shipping->layers->runs;
    struct rank_mail *mail = &shipping->layers->ghosts->mail;
    const uint64_t slab = group / runs->slab_groups, bytes = runs->kernel->words_max * sizeof(uint64_t);
    for (unsigned to = 0; to < runs->ranks->size; to++)
        if (runs_wants(runs, to, slab) && mail->out_bytes[to] + sizeof group + bytes > mail->room)
            return false;
    for (unsigned to = 0; to < runs->ranks->size; to++) {
        if (!runs_wants(runs, to, slab))
            continue;
        uint8_t *at = mail->out + to * mail->room + mail->out_bytes[to];
        memcpy(at, &group, sizeof group);
        memcpy(at + sizeof group, runs_plane(runs, group, shipping->last), bytes);
        mail->out_bytes[to] += sizeof group + bytes;
    }
    return true;
}

/* Fills batches until one has no room, or there is nothing left: is there more? */
static bool fill_batches(struct shipping *shipping)
{
    struct layers *layers = shipping->layers;
    struct runs *runs = layers->runs;
    while (shipping->group < runs->kernel->groups) {
        const uint64_t slab = shipping->group / runs->slab_groups, past = (slab + 1) * runs->slab_groups;
        if (to_be_shipped(runs, slab)) {
            shipping->status = runs_bring(runs, runs_number(runs, slab, shipping->last), layers_team(layers),
                                          &shipping->error);
            if (shipping->status != PDB_OK)
                return false;
            for (; shipping->group < past; shipping->group++)
                if (layers->news[shipping->group] && !pack_group(shipping, shipping->group))
                    return true;
        }
        shipping->group = past;
    }
    return false;
}

/* All of the ghost that came from a rank is there. */
static void close_ghost(struct shipping *shipping, unsigned from)
{
    struct layers *layers = shipping->layers;
    if (layers->ghosts->taken[from] != RUN_NOWHERE)
        runs_close(layers->runs, layers->ghosts->taken[from], layers_team(layers));
    layers->ghosts->taken[from] = RUN_NOWHERE;
}

static void take_batch(struct shipping *shipping, unsigned from)
{
    struct layers *layers = shipping->layers;
    struct runs *runs = layers->runs;
    const struct rank_mail *mail = &layers->ghosts->mail;
    const uint8_t *batch = mail->in + from * mail->room;
    const uint64_t bytes = runs->kernel->words_max * sizeof(uint64_t);
    for (uint64_t at = 0, group; at < mail->in_bytes[from] && shipping->status == PDB_OK; at += sizeof group + bytes) {
        memcpy(&group, batch + at, sizeof group);
        const uint64_t run = runs_number(runs, group / runs->slab_groups, shipping->last);
        if (run != layers->ghosts->taken[from]) {
            close_ghost(shipping, from);
            shipping->status = runs_open(runs, run, &shipping->error);
            if (shipping->status != PDB_OK)
                return;
            layers->ghosts->taken[from] = run;
        }
        memcpy(runs_plane(runs, group, shipping->last), batch + at + sizeof group, bytes);
        layers->news[group] = 1;
    }
}

/* Where one fails, all end. */
static pdb_status ship(struct layers *layers, pdb_error *error)
{
    struct ghosts *ghosts = layers->ghosts;
    struct ranks *ranks = ghosts->ranks;
    struct shipping shipping = {.layers = layers, .last = layers_residue(layers, layers->search.state->depth)};
    for (unsigned rank = 0; rank < ranks->size; rank++)
        ghosts->taken[rank] = RUN_NOWHERE;
    do {
        memset(ghosts->mail.out_bytes, 0, ranks->size * sizeof *ghosts->mail.out_bytes);
        const bool more = shipping.status == PDB_OK && fill_batches(&shipping);
        memset(ghosts->mail.sum, 0, sizeof ghosts->mail.sum);
        ghosts->mail.sum[0] = more;
        ghosts->mail.sum[1] = shipping.status != PDB_OK;
        ranks_exchange(ranks, &ghosts->mail);
        for (unsigned from = 0; from < ranks->size; from++)
            if (from != ranks->rank)
                take_batch(&shipping, from);
    } while (ghosts->mail.sum[0] > 0 && ghosts->mail.sum[1] == 0);
    for (unsigned from = 0; from < ranks->size; from++)
        close_ghost(&shipping, from);
    if (error != NULL)
        *error = shipping.error;
    return ranks_agree(ranks, shipping.status, error);
}

/* -- layers -- */

pdb_status shared_layer(struct layers *layers, struct watch *watch, bool *whole, pdb_error *error)
{
    struct runs *runs = layers->runs;
    const uint64_t before = layers->kept->found;
    runs_drop_ghosts(runs);
    tell_news(runs);
    runs_steps(runs, layers->search.state->depth + 1);
    pdb_status status = ship(layers, error);
    if (status != PDB_OK)
        return status;
    status = runs_carry_out(layers, watch, error);
    const uint64_t found = layers->kept->found - before;
    layers->kept->found = before;
    ranked_found(layers, watch, found, &runs->crowded);
    *whole = !runs->crowded;
    return ranks_agree(runs->ranks, status == PDB_INTERRUPTED ? PDB_OK : status, error);
}

/* -- what is kept -- */

pdb_status shared_settle(struct layers *layers, pdb_error *error)
{
    struct runs *runs = layers->runs;
    runs_drop_ghosts(runs);
    const pdb_status status = ranks_agree(runs->ranks, runs_settle(runs, error), error);
    if (status != PDB_OK)
        return status;
    memset(runs->kept_run, 0, runs->count * sizeof *runs->kept_run);
    memset(runs->kept_done, 0, runs_done_bytes(runs));
    for (uint64_t run = 0; run < runs->count; run++)
        if (runs_own(runs, run / runs->planes))
            runs->kept_run[run] = runs->run[run];
    for (uint64_t slab = 0; slab < runs->slabs; slab++)
        runs->kept_done[slab] = runs_own(runs, slab) && runs->done[slab];
    ranks_add(runs->ranks, (uint64_t *)runs->kept_run, runs->count * sizeof *runs->kept_run / sizeof(uint64_t));
    ranks_add(runs->ranks, (uint64_t *)runs->kept_done, runs_done_bytes(runs) / sizeof(uint64_t));
    return PDB_OK;
}

void shared_resume(struct runs *runs)
{
    runs_drop_ghosts(runs);
    for (uint64_t run = 0; run < runs->count; run++)
        if (runs_own(runs, run / runs->planes))
            runs->run[run] = runs->kept_run[run];
    for (uint64_t slab = 0; slab < runs->slabs; slab++)
        runs->done[slab] = runs_own(runs, slab) && runs->kept_done[slab];
}
