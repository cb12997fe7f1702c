/* sparse.c -- the search of a space whose states have keys and no numbers: its passes, layer by layer */
#include "inner.h"
#include "lib/search/space/exact.h"
#include "lib/search/space/rows/sample.h"

#include <stdlib.h>
#include <string.h>

/* -- where to set out from -- */

/* Who puts the first keys into table and frontier. */
struct first {
    struct sparse *sparse;
    struct watch *watch; /* NULL: it is not stopped */
    uint64_t mark;
};

static pdb_status put_first(void *context, const uint64_t *key, size_t count, pdb_error *error)
{
    const struct first *first = context;
    struct sparse *sparse = first->sparse;
    struct list *frontier = &sparse->frontier;
    pdb_status status = sparse_reserve_table(sparse, count, error);
    if (status == PDB_OK)
        status = sparse_reserve_list(sparse, frontier, count, error);
    for (size_t i = 0; status == PDB_OK && i < count; i++) {
        uint64_t at;
        if (sparse->bits.word != NULL ? key_bits_put(&sparse->bits, key[i])
                                      : key_put(&sparse->table, key[i], first->mark, &at)) {
            frontier->key[frontier->count++] = key[i];
            sparse->kept.keys++;
        }
    }
    sparse->search.states = sparse->kept.keys;
    if (first->watch != NULL)
        watch_look(first->watch, 0);
    return status == PDB_OK && first->watch != NULL && watch_stopped(first->watch) ? PDB_INTERRUPTED : status;
}

struct weighing {
    const struct puzzle *puzzle;
    const struct list *layer;
    uint64_t states;
};

static void weigh_batch(void *context, unsigned thread, uint64_t share)
{
    struct weighing *weighing = context;
    const struct puzzle *puzzle = weighing->puzzle;
    const uint64_t first = share * BATCH_MAX, left = weighing->layer->count - first;
    const size_t batch = left < BATCH_MAX ? left : BATCH_MAX;
    uint16_t weight[BATCH_MAX];
    uint64_t key[BATCH_MAX], states = 0;
    (void)thread;
    memcpy(key, weighing->layer->key + first, batch * sizeof *key);
    puzzle->family->packed.unpack(puzzle, key, batch);
    puzzle->family->index.weights(puzzle, key, batch, weight);
    for (size_t i = 0; i < batch; i++)
        states += weight[i];
    __atomic_fetch_add(&weighing->states, states, __ATOMIC_RELAXED);
}

/* The states of a layer that has been made: as many as each of its keys stands for. */
static uint64_t weigh(struct sparse *sparse, const struct list *layer)
{
    struct weighing weighing = {sparse->search.puzzle, layer, 0};
    if (weighing.puzzle->family->index.weights == NULL)
        return layer->count;
    team_run(layer->count > TOGETHER ? &sparse->search.team : NULL, team_shares(layer->count, BATCH_MAX), weigh_batch,
             &weighing);
    return weighing.states;
}

/* The frontier is the layer at this depth. */
static void note_layer(struct sparse *sparse, uint64_t depth)
{
    struct search_state *state = sparse->search.state;
    state->depth = depth;
    state->layer = sparse->frontier.count;
    state->reached += sparse->frontier.count;
    state->histogram[depth] = weigh(sparse, &sparse->frontier);
}

/* From the goals, where moves cannot be undone. Stopped, it looks for all of them anew the next time, and skips those
 * that it has. */
static pdb_status set_out_from_goals(struct sparse *sparse, struct watch *watch, pdb_error *error)
{
    const struct puzzle *puzzle = sparse->search.puzzle;
    struct first first = {sparse, watch, KEY_REACHED};
    pdb_status status = puzzle->family->index.goals(puzzle, put_first, &first, error);
    if (status != PDB_OK)
        return status;
    if (sparse->frontier.count == 0)
        return retrograde_no_goal(&sparse->search, error);
    sparse->kept.pass = MEASURING;
    sparse->search.finding = false;
    note_layer(sparse, 0);
    return PDB_OK;
}

/* All is known already, and in a table. */
static pdb_status take_sample(struct sparse *sparse, pdb_error *error)
{
    struct key_sample *sample = &sparse->sample;
    const size_t last = sample->count - sample->last;
    pdb_status status = sparse_take_table(sparse, &sample->table, sample->count, error);
    if (status == PDB_OK)
        status = sparse_reserve_list(sparse, &sparse->frontier, last, error);
    if (status == PDB_OK && last > 0) {
        memcpy(sparse->frontier.key, sample->key + sample->last, last * sizeof *sample->key);
        sparse->frontier.count = last;
    }
    key_sample_free(sample);
    return status;
}

/* What is known already: all but the last layer need not be expanded. */
static pdb_status set_out_from_sample(struct sparse *sparse, pdb_error *error)
{
    struct first first = {.sparse = sparse};
    struct key_sample *sample = &sparse->sample;
    if (sample->table.slots > 0)
        return take_sample(sparse, error);
    pdb_status status = PDB_OK;
    for (size_t i = 0, end; status == PDB_OK && i < sample->count; i = end) {
        const size_t layer = i < sample->last ? sample->last : sample->count;
        end = i + BATCH_MAX < layer ? i + BATCH_MAX : layer;
        status = put_first(&first, sample->key + i, end - i, error);
        if (end <= sample->last)
            sparse->frontier.count = 0;
    }
    key_sample_free(sample);
    return status;
}

static pdb_status set_out_from_boards(struct sparse *sparse, pdb_error *error)
{
    const struct puzzle *puzzle = sparse->search.puzzle;
    struct first first = {.sparse = sparse};
    pdb_status status = sparse->sample.key != NULL ? set_out_from_sample(sparse, error) : PDB_OK;
    const size_t boards = sparse->kept.keys > 0 ? 0 : puzzle->named_count;
    for (size_t i = 0; status == PDB_OK && i < boards; i++) {
        uint64_t key;
        if (puzzle->family->packed.pack(puzzle, puzzle->named[i].position, &key))
            status = put_first(&first, &key, 1, error);
    }
    if (status == PDB_OK && puzzle->forward)
        status = puzzle->family->index.starts(puzzle, put_first, &first, error);
    if (status != PDB_OK)
        return status;
    if (sparse->frontier.count == 0)
        return retrograde_no_start(&sparse->search, error);
    if (puzzle->forward)
        sparse_keep_moves(sparse);
    sparse->kept.pass = FINDING;
    sparse->search.state->layer = sparse->frontier.count;
    sparse->search.state->reached = sparse->kept.keys;
    return PDB_OK;
}

static pdb_status set_out(struct sparse *sparse, struct watch *watch, pdb_error *error)
{
    if (!puzzle_sets_out(sparse->search.puzzle))
        return set_out_from_goals(sparse, watch, error);
    sparse_begin_at_once(sparse);
    if (sparse->kept.pass != AT_ONCE)
        return set_out_from_boards(sparse, error);
    note_layer(sparse, 0);
    return PDB_OK;
}

/* The search begins with its first layer: what it sets out from may have to be looked for. */
static pdb_status begin(struct retrograde *search, pdb_error *error)
{
    (void)error;
    search->finding = true;
    return PDB_OK;
}

/* -- from pass to pass -- */

/* The next layer becomes the frontier; its list is free for the one after. */
static void turn(struct sparse *sparse)
{
    const struct list frontier = sparse->frontier;
    sparse->frontier = sparse->next;
    sparse->next = frontier;
    sparse->next.count = 0;
    sparse->kept.expanded = 0;
}

struct gathering {
    struct sparse *sparse;
    pthread_mutex_t lock;
    pdb_status status;
    pdb_error *error;
};

/* The slots, or bits, that keys are in. */
static uint64_t slots_of(const struct sparse *sparse)
{
    return sparse->bits.word != NULL ? sparse->bits.range : sparse->table.slots;
}

/* The keys in a share of BATCH_MAX slots. */
static size_t take_keys(const struct sparse *sparse, uint64_t share, uint64_t key[BATCH_MAX])
{
    const uint64_t first = share * BATCH_MAX, left = slots_of(sparse) - first,
                   end = left < BATCH_MAX ? first + left : first + BATCH_MAX;
    size_t count = 0;
    if (sparse->bits.word == NULL) {
        for (uint64_t i = first; i < end; i++)
            if (sparse->table.slot[i] != 0)
                key[count++] = sparse->table.slot[i] - 1;
        return count;
    }
    for (uint64_t w = first / 64; w * 64 < end; w++)
        for (uint64_t word = sparse->bits.word[w]; word != 0; word &= word - 1)
            key[count++] = 64 * w + (unsigned)__builtin_ctzll(word);
    return count;
}

/* The goals among the keys in BATCH_MAX slots become part of the frontier. Where it cannot be made longer, the status
 * says so. */
static void gather_goals(void *context, unsigned thread, uint64_t share)
{
    struct gathering *gathering = context;
    struct sparse *sparse = gathering->sparse;
    const struct puzzle *puzzle = sparse->search.puzzle;
    struct list *goals = &sparse->frontier;
    (void)thread;
    uint64_t key[BATCH_MAX];
    bool goal[BATCH_MAX];
    size_t batch = take_keys(sparse, share, key), count = 0;
    if (batch > 0)
        puzzle->family->packed.are_goals(puzzle, key, batch, goal);
    for (size_t i = 0; i < batch; i++)
        if (goal[i])
            key[count++] = key[i];
    if (count == 0)
        return;
    pthread_mutex_lock(&gathering->lock);
    if (gathering->status == PDB_OK)
        gathering->status = sparse_reserve_list(sparse, goals, count, gathering->error);
    if (gathering->status == PDB_OK) {
        memcpy(goals->key + goals->count, key, count * sizeof *key);
        goals->count += count;
    }
    pthread_mutex_unlock(&gathering->lock);
}

/* The layers that are made over the moves kept; the moves and layer 0 at first. */
static pdb_status layer_over_moves(struct sparse *sparse, struct watch *watch, bool *done, pdb_error *error)
{
    struct forward *forward = &sparse->forward;
    const enum begun begun = (enum begun)sparse->kept.begun;
    const bool bits = sparse->bits.word != NULL, dense = sparse_is_dense(sparse);
    pdb_status status = PDB_OK;
    if (!forward->ready) {
        forward->search = &sparse->search;
        forward->places = (struct places){.table = bits ? NULL : &sparse->table,
                                          .bits = bits && !dense ? &sparse->bits : NULL,
                                          .among = dense ? &sparse->bits : NULL,
                                          .count = sparse_places(sparse)};
        forward->distance = &sparse->distance;
        forward->found = &sparse->moves;
        forward->beside = sparse_beside(sparse);
        status = forward_begin(forward, begun, watch, error);
    }
    if (status == PDB_OK && begun != FORWARD_NOT_BEGUN)
        status = forward_layer(forward, watch, done, error);
    if (forward->ready)
        sparse->kept.begun = forward_begun(forward);
    sparse->search.finding = sparse->kept.begun == FORWARD_NOT_BEGUN;
    return status;
}

/* All states are found: as many as can be are measured over their moves. */
static pdb_status begin_over_moves(struct sparse *sparse, pdb_error *error)
{
    if (sparse->moves.full)
        sparse_keep_no_moves(sparse);
    pdb_status status = sparse->bits.word != NULL   ? sparse_number(sparse, false, error)
                        : sparse->moves.bin == NULL ? sparse_number_table(sparse, error)
                                                    : PDB_OK;
    sparse_release_buffers(sparse);
    if (status == PDB_OK)
        status = sparse_take_distances(sparse, sparse_places(sparse), error);
    if (status != PDB_OK)
        return status;
    sparse->kept.pass = MEASURING_OVER_MOVES;
    sparse->search.state->reached = 0;
    return PDB_OK;
}

/* All states are found: from their goals on they are measured. */
static pdb_status begin_measuring(struct sparse *sparse, pdb_error *error)
{
    struct gathering gathering = {.sparse = sparse, .lock = PTHREAD_MUTEX_INITIALIZER, .error = error};
    const struct list *goals = &sparse->frontier; /* it is empty */
    if (sparse->search.puzzle->forward && (!sums_moves(sparse) || sparse->kept.sum != 0))
        return begin_over_moves(sparse, error);
    sparse->search.undoable = true;
    pdb_status status = sparse->bits.word == NULL ? PDB_OK : sparse_number(sparse, true, error);
    if (status == PDB_OK)
        status = sparse_widen(sparse, 1, error);
    if (status != PDB_OK)
        return status;
    sparse->kept.pass = MEASURING;
    sparse->search.finding = false;
    sparse->search.state->reached = 0;
    for (unsigned t = 0; t < sparse->search.team.threads; t++)
        memset(sparse->workers[t].recent, 0, RECENT * sizeof(uint64_t));
    team_run(slots_of(sparse) > 2 * TOGETHER ? &sparse->search.team : NULL, team_shares(slots_of(sparse), BATCH_MAX),
             gather_goals, &gathering);
    if (gathering.status != PDB_OK)
        return gathering.status;
    if (goals->count == 0)
        return retrograde_no_goal(&sparse->search, error);
    for (uint64_t i = 0; i < goals->count; i++) {
        uint64_t at;
        if (sparse->bits.word != NULL)
            key_bits_put(&sparse->reached, goals->key[i]);
        else
            key_reach(&sparse->table, goals->key[i], &at);
    }
    note_layer(sparse, 0);
    return PDB_OK;
}

static pdb_status find_layer(struct sparse *sparse, struct watch *watch, pdb_error *error)
{
    pdb_status status = sparse_expand(sparse, watch, error);
    sparse->search.states = sparse->kept.keys;
    if (status != PDB_OK)
        return status;
    turn(sparse);
    sparse->search.state->layer = sparse->frontier.count;
    sparse->search.state->reached += sparse->frontier.count;
    return sparse->frontier.count > 0 ? PDB_OK : begin_measuring(sparse, error);
}

/* -- layers -- */

static pdb_status next_layer(struct retrograde *search, struct watch *watch, bool *done, pdb_error *error)
{
    struct sparse *sparse = sparse_of(search);
    const uint64_t depth = search->state->depth + 1;
    pdb_status status = PDB_OK;
    *done = sparse->kept.pass == MEASURED;
    if (*done)
        return PDB_OK;
    if (sparse->kept.pass == SETTING_OUT)
        return set_out(sparse, watch, error);
    if (sparse->kept.pass == FINDING)
        return find_layer(sparse, watch, error);
    if (sparse->kept.pass == MEASURING_OVER_MOVES)
        return layer_over_moves(sparse, watch, done, error);
    if (sparse->kept.pass == MEASURING && !search->undoable && depth > exact_max(sparse->table.width))
        status = sparse_widen(sparse, 2 * sparse->table.width, error);
    if (status == PDB_OK)
        status = sparse_expand(sparse, watch, error);
    search->states = sparse->kept.keys;
    *done = status == PDB_OK && sparse->next.count == 0;
    if (status == PDB_OK && !*done) {
        turn(sparse);
        note_layer(sparse, depth);
    }
    return sparse->kept.pass == AT_ONCE ? sparse_end_at_once(sparse, status, done) : status;
}

const struct way way_by_keys = {.text = "in layers by keys",
                                .size = sizeof(struct sparse),
                                .memory = sparse_memory,
                                .allocate = sparse_allocate,
                                .release = sparse_release,
                                .goals = begin,
                                .layer = next_layer,
                                .fit = sparse_fit,
                                .layout = "keys",
                                .parts = sparse_parts,
                                .resume = sparse_resume,
                                .finish = sparse_finish};
