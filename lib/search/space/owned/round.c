/* round.c -- the search whose states are shared out: expanding, posting, and taking what was posted
 *
 * What is posted of a move:
 *
 *     finding, measuring   u64 the state that it leads to, or comes from; of an index, u32 its place in the stretch
 *     turning              the same, u64 the state that it comes from, u32 what it costs
 *     over moves           u64 the state that it comes from, u32 the distance over it
 *
 * What is a rank's own lies in its own batch, which it takes itself; but indices that are measured by predecessors it
 * takes as it comes to them.
 */
#include "owned.h"
#include "lib/search/space/forward/edges.h"

#include <string.h>

enum {
    TOGETHER = 512, /* keys that a thread takes at once */
    AHEAD = 16,     /* keys whose homes are fetched before they are wanted */
    ROUND = 1 << 18 /* states that a rank expands in one, at most: others wait, and so does the user */
};

/* -- posting -- */

/* Are indices posted as places? */
static bool posts_places(const struct owned *owned)
{
    return owned->dense && owned->pass == MEASURING && owned->stretch <= UINT32_MAX;
}

static size_t record_bytes(const struct owned *owned)
{
    if (posts_places(owned))
        return sizeof(uint32_t);
    const size_t key = sizeof(uint64_t), cost = sizeof(uint32_t);
    return owned->pass == TURNING ? 2 * key + cost : owned->pass == MEASURING_OVER_MOVES ? key + cost : key;
}

/* Returns how many bytes there are for this owner now. */
static uint64_t post(struct owned *owned, uint64_t to, uint64_t from, uint32_t cost)
{
    struct rank_mail *mail = &owned->mail;
    const unsigned owner = owner_of(owned, to);
    uint8_t *record = mail->out + owner * mail->room + mail->out_bytes[owner];
    if (posts_places(owned)) {
        const uint32_t place = (uint32_t)(to - owner * owned->stretch);
        memcpy(record, &place, sizeof place);
        return mail->out_bytes[owner] += sizeof place;
    }
    memcpy(record, &to, sizeof to);
    record += sizeof to;
    if (owned->pass == TURNING) {
        memcpy(record, &from, sizeof from);
        record += sizeof from;
    }
    if (owned->pass == TURNING || owned->pass == MEASURING_OVER_MOVES)
        memcpy(record, &cost, sizeof cost);
    return mail->out_bytes[owner] += record_bytes(owned);
}

/* Moves those of a worker's states to the front that it has not come to a moment ago. */
static void leave_recent(struct worker *worker)
{
    size_t left = 0;
    for (size_t i = 0; i < worker->moves; i++) {
        const uint64_t state = worker->next[i];
        uint64_t *recent = &worker->recent[state * 0x9E3779B97F4A7C15 >> (64 - OWNED_RECENT_BITS)];
        worker->next[left] = state;
        left += *recent != state + 1;
        *recent = state + 1;
    }
    worker->moves = left;
}

/* Where the bit of an index is: of all but the rank's own, which lie together. */
static uint64_t posted_bit(const struct owned *owned, uint64_t state)
{
    return state < owned->first ? state : state - owned->places;
}

static void fetch_home(const struct owned *owned, uint64_t state)
{
    if (state - owned->first < owned->places)
        exact_prefetch(&owned->exact, state - owned->first);
    else
        __builtin_prefetch(&owned->posted[posted_bit(owned, state) / 64], 1);
}

/* Takes the rank's own among a worker's indices, and moves those to the front that no worker of this rank has come to
 * before. */
static void take_own_leave_posted(struct owned *owned, struct worker *worker)
{
    const uint64_t depth = owned->search.state->depth + 1;
    size_t left = 0;
    for (size_t i = 0; i < worker->moves && i < AHEAD; i++)
        fetch_home(owned, worker->next[i]);
    for (size_t i = 0; i < worker->moves; i++) {
        const uint64_t state = worker->next[i];
        if (i + AHEAD < worker->moves)
            fetch_home(owned, worker->next[i + AHEAD]);
        if (state - owned->first < owned->places) {
            exact_put(&owned->exact, state - owned->first, depth);
            continue;
        }
        const uint64_t at = posted_bit(owned, state), bit = (uint64_t)1 << at % 64;
        worker->next[left] = state;
        left += (__atomic_load_n(&owned->posted[at / 64], __ATOMIC_RELAXED) & bit) == 0 &&
                (__atomic_fetch_or(&owned->posted[at / 64], bit, __ATOMIC_RELAXED) & bit) == 0;
    }
    worker->moves = left;
}

/* What is one move away from the states of a worker. */
static void expand(void *context, unsigned thread, uint64_t share)
{
    struct owned *owned = context;
    const struct puzzle *puzzle = owned->search.puzzle;
    struct worker *worker = &owned->worker[share];
    (void)thread;
    if (owned->pass == TURNING) {
        worker->moves = puzzle->family->index.costed_successors(puzzle, worker->state, worker->states, worker->next,
                                                                worker->cost, worker->next_count);
        return;
    }
    worker->moves = (owned->dense ? puzzle->family->index.predecessors : puzzle->family->packed.predecessors)(
        puzzle, worker->state, worker->states, worker->next, worker->next_count);
    if (owned->pass == FINDING && puzzle->forward && puzzle->max_cost <= 1)
        edges_sum(&owned->sum, true, worker->state, worker->states, worker->next, worker->next_count);
    if (owned->posted != NULL)
        take_own_leave_posted(owned, worker);
    else
        leave_recent(worker);
}

static uint64_t post_all(struct owned *owned, const struct worker *worker)
{
    uint64_t fullest = 0, bytes;
    size_t move = 0;
    if (owned->pass != TURNING) {
        for (; move < worker->moves; move++)
            fullest = (bytes = post(owned, worker->next[move], 0, 0)) > fullest ? bytes : fullest;
        return fullest;
    }
    for (size_t i = 0; i < worker->states; i++)
        for (const size_t end = move + worker->next_count[i]; move < end; move++)
            fullest = (bytes = post(owned, worker->next[move], worker->state[i], worker->cost[move])) > fullest
                          ? bytes
                          : fullest;
    return fullest;
}

/* Expands as much of the frontier as there is room for, whatever it comes to. Is there more? */
static bool fill_by_expanding(struct owned *owned)
{
    const uint64_t states = owned->workers * owned->batch,
                   most = states * (owned->search.puzzle->max_moves + 1u) * record_bytes(owned);
    uint64_t fullest = 0, expanded = 0;
    while (fullest + most <= owned->mail.room && expanded < ROUND) {
        size_t workers = 0;
        for (; workers < owned->workers; workers++) {
            struct worker *worker = &owned->worker[workers];
            worker->states = owned_take(owned, owned->pass == TURNING, worker->state, owned->batch);
            if (worker->states == 0)
                break;
            expanded += worker->states;
        }
        if (workers == 0)
            return false;
        team_run(&owned->search.team, workers, expand, owned);
        for (size_t i = 0; i < workers; i++) {
            const uint64_t bytes = post_all(owned, &owned->worker[i]);
            fullest = bytes > fullest ? bytes : fullest;
        }
    }
    return true;
}

/* The same over the moves that lead to the frontier. */
static bool fill_over_moves(struct owned *owned)
{
    uint64_t place, fullest = 0;
    while (fullest + record_bytes(owned) <= owned->mail.room) {
        if (owned->move_left == 0) {
            if (!owned_next(owned, false, &place))
                return false;
            owned->move_left = owned->head[place];
            continue;
        }
        const struct move *move = &owned->move[owned->move_left - 1];
        const uint64_t bytes = post(owned, move->from, 0, (uint32_t)owned->search.state->depth + move->cost);
        fullest = bytes > fullest ? bytes : fullest;
        owned->move_left = move->next;
    }
    return true;
}

/* -- taking -- */

struct taking {
    struct owned *owned;
    const uint8_t *bytes;
    uint64_t count;
};

/* Puts keys into the table, or notes that they are reached; moves those that are new to the front. */
static size_t sift(struct owned *owned, uint64_t *key, size_t count)
{
    struct key_table *table = &owned->table;
    const bool measures = owned->pass == MEASURING, reaches = measures && puzzle_sets_out(owned->search.puzzle);
    const unsigned depth = (unsigned)owned->search.state->depth + 1;
    size_t news = 0;
    for (size_t i = 0; i < count && i < AHEAD; i++)
        key_prefetch(table, key[i]);
    for (size_t i = 0; i < count; i++) {
        const uint64_t here = key[i];
        uint64_t at;
        if (i + AHEAD < count)
            key_prefetch(table, key[i + AHEAD]);
        if (!(reaches ? key_reach(table, here, &at) : key_put(table, here, measures ? KEY_REACHED : 0, &at)))
            continue;
        if (measures)
            key_depth_set(table, at, depth);
        key[news++] = here;
    }
    return news;
}

static void take_indices(struct owned *owned, const uint8_t *bytes, size_t count)
{
    uint64_t place[TOGETHER];
    for (size_t i = 0; i < count; i++) {
        uint32_t narrow = 0;
        if (posts_places(owned))
            memcpy(&narrow, bytes + i * sizeof narrow, sizeof narrow);
        else
            memcpy(&place[i], bytes + i * sizeof *place, sizeof *place);
        place[i] = posts_places(owned) ? narrow : place[i] - owned->first;
        exact_prefetch(&owned->exact, place[i]);
    }
    for (size_t i = 0; i < count; i++)
        exact_put(&owned->exact, place[i], owned->search.state->depth + 1);
}

static void take_keys(void *context, unsigned thread, uint64_t share)
{
    const struct taking *taking = context;
    struct owned *owned = taking->owned;
    const uint64_t first = share * TOGETHER, left = taking->count - first;
    const size_t count = left < TOGETHER ? (size_t)left : TOGETHER;
    uint64_t key[TOGETHER];
    (void)thread;
    if (owned->dense) {
        take_indices(owned, taking->bytes + first * record_bytes(owned), count);
        return;
    }
    memcpy(key, taking->bytes + first * sizeof *key, count * sizeof *key);
    const size_t news = sift(owned, key, count);
    const uint64_t at = __atomic_fetch_add(&owned->list.count, news, __ATOMIC_RELAXED);
    memcpy(owned->list.key + at, key, news * sizeof *key);
}

static pdb_status take_all_keys(struct owned *owned, const uint8_t *bytes, uint64_t count, pdb_error *error)
{
    struct taking taking = {owned, bytes, count};
    const bool adds = !owned->dense && (owned->pass == FINDING || !puzzle_sets_out(owned->search.puzzle));
    pdb_status status = adds ? owned_reserve_table(owned, count, error) : PDB_OK;
    if (status == PDB_OK && !owned->dense)
        status = owned_reserve_list(owned, count, error);
    if (status != PDB_OK)
        return status;
    const uint64_t before = owned->list.count;
    team_run(&owned->search.team, team_shares(count, TOGETHER), take_keys, &taking);
    if (adds)
        owned->keys += owned->list.count - before;
    return PDB_OK;
}

static pdb_status take_moves(struct owned *owned, const uint8_t *bytes, uint64_t count, pdb_error *error)
{
    pdb_status status = owned_reserve_moves(owned, count, error);
    for (uint64_t i = 0; status == PDB_OK && i < count; i++, bytes += record_bytes(owned)) {
        struct move *move = &owned->move[owned->moves++];
        uint64_t to;
        memcpy(&to, bytes, sizeof to);
        memcpy(&move->from, bytes + sizeof to, sizeof move->from);
        memcpy(&move->cost, bytes + sizeof to + sizeof move->from, sizeof move->cost);
        uint32_t *head = &owned->head[owned_place(owned, to)];
        move->next = *head;
        *head = (uint32_t)owned->moves;
    }
    return status;
}

static void take_distances(struct owned *owned, const uint8_t *bytes, uint64_t count)
{
    for (uint64_t i = 0; i < count; i++, bytes += record_bytes(owned)) {
        uint64_t state;
        uint32_t distance;
        memcpy(&state, bytes, sizeof state);
        memcpy(&distance, bytes + sizeof state, sizeof distance);
        owned->waiting += owned_lower(owned, owned_place(owned, state), distance);
    }
}

static pdb_status take(struct owned *owned, const uint8_t *bytes, uint64_t size, pdb_error *error)
{
    const uint64_t count = size / record_bytes(owned);
    if (owned->pass == TURNING)
        return take_moves(owned, bytes, count, error);
    if (owned->pass != MEASURING_OVER_MOVES)
        return take_all_keys(owned, bytes, count, error);
    take_distances(owned, bytes, count);
    return PDB_OK;
}

/* -- rounds -- */

/* What all ranks have to say of a round: whether there is more, whether one has failed. */
enum { MORE, FAILED };

static pdb_status take_all(struct owned *owned, uint64_t own, pdb_error *error)
{
    const struct ranks *ranks = owned->search.ranks;
    const struct rank_mail *mail = &owned->mail;
    pdb_status status = own > 0 ? take(owned, mail->out + ranks->rank * mail->room, own, error) : PDB_OK;
    for (unsigned from = 0; status == PDB_OK && from < ranks->size; from++)
        if (from != ranks->rank && mail->in_bytes[from] > 0)
            status = take(owned, mail->in + from * mail->room, mail->in_bytes[from], error);
    return status;
}

/* What was taken of the list is gone. */
static void leave_taken(struct owned *owned)
{
    owned->list.first += owned->cursor;
    owned->cursor = 0;
}

pdb_status owned_expand(struct owned *owned, struct watch *watch, pdb_status status, pdb_error *error)
{
    struct ranks *ranks = owned->search.ranks;
    struct rank_mail *mail = &owned->mail;
    const bool listed = is_listed(owned);
    const uint64_t all = listed ? listed_keys(owned) : owned->places;
    owned->cursor = owned->move_left = 0;
    do {
        const uint64_t done = listed ? all - listed_keys(owned) : owned->cursor;
        watch_look(watch, (double)done / (double)(1 + all));
        if (status == PDB_OK && watch_stopped(watch))
            status = PDB_INTERRUPTED;
        memset(mail->out_bytes, 0, ranks->size * sizeof *mail->out_bytes);
        memset(mail->sum, 0, sizeof mail->sum);
        if (status == PDB_OK)
            mail->sum[MORE] = owned->pass == MEASURING_OVER_MOVES ? fill_over_moves(owned) : fill_by_expanding(owned);
        else
            mail->sum[FAILED] = 1;
        if (listed)
            leave_taken(owned);
        const uint64_t own = mail->out_bytes[ranks->rank];
        ranks_exchange(ranks, mail);
        if (mail->sum[FAILED] == 0)
            status = take_all(owned, own, error);
    } while (mail->sum[MORE] > 0 && mail->sum[FAILED] == 0);
    return status;
}
