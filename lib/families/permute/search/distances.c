/* distances.c -- the distances of all states of a relaxation, by breadth-first search back from its goals
 *
 * Three bitmaps with a bit a state: the states seen, the last layer, and the next. A layer is made by marking all
 * predecessors of its states, or, once fewer states are unseen than the layer has, by asking each of these whether a
 * successor is in the layer. Threads take runs of words in turns; a state is written down with its distance by the
 * thread that has its word.
 */
#include "lib/clock.h"
#include "lib/team.h"
#include "search.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 256 /* words */, BATCH = 64 };

static const double observe_every = 0.02; /* seconds */

struct layers {
    const struct permute *relaxed;
    const struct pattern_work *work;
    uint64_t words;
    uint64_t *seen, *layer, *next;
    uint8_t *table;
    uint64_t *neighbour; /* a batch's, for each thread */
    uint64_t before, written;
    double due; /* when to tell the observer */
    bool stop;
    struct team team;
    uint64_t marked; /* states of the layer that is made */
    unsigned entry;  /* of the one that is written down */
    bool pulling;
};

/* -- telling how far it is -- */

static void observe(struct layers *layers, unsigned thread)
{
    const struct pattern_work *work = layers->work;
    if (work->observe != NULL && thread == 0 && clock_due(&layers->due, observe_every) &&
        !work->observe(work->context, layers->before + __atomic_load_n(&layers->written, __ATOMIC_RELAXED)))
        __atomic_store_n(&layers->stop, true, __ATOMIC_RELAXED);
}

/* -- one batch of states -- */

struct batch {
    struct layers *layers;
    uint64_t *neighbour;
    size_t count, marked;
    uint64_t state[BATCH];
};

static bool bit(const uint64_t *bitmap, uint64_t state)
{
    return __atomic_load_n(&bitmap[state / 64], __ATOMIC_RELAXED) >> state % 64 & 1;
}

static void mark(struct batch *batch, uint64_t state)
{
    struct layers *layers = batch->layers;
    const uint64_t mask = (uint64_t)1 << state % 64;
    if (bit(layers->seen, state) || (__atomic_fetch_or(&layers->seen[state / 64], mask, __ATOMIC_RELAXED) & mask) != 0)
        return;
    __atomic_fetch_or(&layers->next[state / 64], mask, __ATOMIC_RELAXED);
    batch->marked++;
}

/* Marks what leads to the states of the last layer in the batch. */
static void push(struct batch *batch)
{
    uint16_t number[BATCH];
    const size_t count = permute_predecessors(&batch->layers->relaxed->puzzle, batch->state, batch->count,
                                              batch->neighbour, number);
    for (size_t i = 0; i < count; i++)
        __builtin_prefetch(&batch->layers->seen[batch->neighbour[i] / 64]);
    for (size_t i = 0; i < count; i++)
        mark(batch, batch->neighbour[i]);
    batch->count = 0;
}

/* Marks those of the unseen states in the batch that lead to the last layer. Their words are this thread's. */
static void pull(struct batch *batch)
{
    const struct layers *layers = batch->layers;
    const unsigned moves = layers->relaxed->moves;
    uint16_t number[BATCH];
    permute_successors(&layers->relaxed->puzzle, batch->state, batch->count, batch->neighbour, number);
    for (size_t i = 0; i < batch->count; i++)
        for (unsigned m = 0; m < moves; m++)
            if (bit(layers->layer, batch->neighbour[i * moves + m])) {
                mark(batch, batch->state[i]);
                break;
            }
    batch->count = 0;
}

static void batch_word(struct batch *batch, uint64_t word, uint64_t bits, void (*work)(struct batch *))
{
    for (; bits != 0; bits &= bits - 1) {
        batch->state[batch->count++] = word * 64 + (unsigned)__builtin_ctzll(bits);
        if (batch->count == BATCH)
            work(batch);
    }
}

/* -- a layer -- */

static uint64_t chunk_end(const struct layers *layers, uint64_t chunk)
{
    return (chunk + 1) * CHUNK < layers->words ? (chunk + 1) * CHUNK : layers->words;
}

/* Writes the entry of the last layer's states down. */
static void write_chunk(void *context, unsigned thread, uint64_t chunk)
{
    const struct layers *layers = context;
    const unsigned bits = permute_entry_bits(layers->relaxed), in_a_byte = 8 / bits, ones = (1u << bits) - 1,
                   entry = layers->entry;
    (void)thread;
    for (uint64_t word = chunk * CHUNK; word < chunk_end(layers, chunk); word++)
        for (uint64_t left = layers->layer[word]; left != 0; left &= left - 1) {
            const unsigned state = (unsigned)__builtin_ctzll(left), shift = state % in_a_byte * bits;
            uint8_t *byte = &layers->table[(word * 64 + state) / in_a_byte];
            *byte = (uint8_t)((*byte & ~(ones << shift)) | entry << shift);
        }
}

/* What a chunk gives for the next layer. */
static void work_on_chunk(void *context, unsigned thread, uint64_t chunk)
{
    struct layers *layers = context;
    const uint64_t states = layers->relaxed->puzzle.states;
    struct batch batch = {.layers = layers,
                          .neighbour = layers->neighbour + (size_t)thread * BATCH * layers->relaxed->moves};
    void (*const work)(struct batch *) = layers->pulling ? pull : push;
    if (__atomic_load_n(&layers->stop, __ATOMIC_RELAXED))
        return;
    for (uint64_t word = chunk * CHUNK; word < chunk_end(layers, chunk); word++) {
        const uint64_t there = word == states / 64 ? ((uint64_t)1 << states % 64) - 1 : UINT64_MAX;
        batch_word(&batch, word, layers->pulling ? ~layers->seen[word] & there : layers->layer[word], work);
    }
    work(&batch);
    __atomic_fetch_add(&layers->marked, batch.marked, __ATOMIC_RELAXED);
    __atomic_fetch_add(&layers->written, batch.marked, __ATOMIC_RELAXED);
    observe(layers, thread);
}

static pdb_status add_goals(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    struct layers *layers = context;
    (void)error;
    for (size_t i = 0; i < count; i++) {
        const uint64_t mask = (uint64_t)1 << index[i] % 64;
        layers->written += (layers->seen[index[i] / 64] & mask) == 0;
        layers->seen[index[i] / 64] |= mask;
        layers->layer[index[i] / 64] |= mask;
    }
    return PDB_OK;
}

/* -- all layers -- */

uint64_t permute_distances_memory(uint64_t states)
{
    return 3 * (states / 64 + 1) * sizeof(uint64_t);
}

static pdb_status run(struct layers *layers, uint64_t *histogram, pdb_error *error)
{
    const uint64_t states = layers->relaxed->puzzle.states;
    const unsigned deepest = layers->relaxed->puzzle.undoable ? BOUND_NEVER - 1 : PERMUTE_FAR - 1;
    pdb_status status = permute_goals(&layers->relaxed->puzzle, add_goals, layers, error);
    const uint64_t chunks = team_shares(layers->words, CHUNK);
    uint64_t count = layers->written, rest = states;
    for (unsigned distance = 0; status == PDB_OK && count > 0 && distance <= deepest; distance++) {
        layers->entry = layers->relaxed->puzzle.undoable ? distance % 3 : distance;
        team_run(&layers->team, chunks, write_chunk, layers);
        rest -= count;
        if (histogram != NULL)
            histogram[layers->entry] += count;
        layers->pulling = states - layers->written < count;
        layers->marked = 0;
        team_run(&layers->team, chunks, work_on_chunk, layers);
        count = layers->marked;
        if (layers->stop)
            status = error_set(error, PDB_INTERRUPTED, "interrupted while a pattern database was made");
        uint64_t *made = layers->next;
        layers->next = layers->layer;
        layers->layer = made;
        memset(layers->next, 0, layers->words * sizeof *layers->next);
    }
    if (status == PDB_OK && count > 0 && layers->relaxed->puzzle.undoable)
        status = error_set(error, PDB_TOO_LARGE, "a pattern has distances above %u: too large to search with", deepest);
    if (histogram != NULL)
        histogram[layers->relaxed->puzzle.undoable ? 3 : PERMUTE_FAR] += rest;
    return status;
}

pdb_status permute_distances(const struct permute *relaxed, const struct pattern_work *work, uint64_t done,
                             uint8_t *table, pdb_error *error)
{
    const uint64_t states = relaxed->puzzle.states, words = states / 64 + 1;
    uint64_t *bitmaps = calloc(3 * words, sizeof *bitmaps);
    uint64_t *neighbour = malloc((size_t)work->threads * BATCH * relaxed->moves * sizeof *neighbour);
    pdb_status status;
    memset(table, UINT8_MAX, permute_table_bytes(relaxed, states));
    if (bitmaps == NULL || neighbour == NULL) {
        status = error_no_memory(error, "a pattern database", 3 * words * sizeof *bitmaps);
    } else {
        struct layers layers = {.relaxed = relaxed,
                                .work = work,
                                .words = words,
                                .seen = bitmaps,
                                .layer = bitmaps + words,
                                .next = bitmaps + 2 * words,
                                .table = table,
                                .neighbour = neighbour,
                                .before = done,
                                .team = {.threads = work->threads}};
        status = run(&layers, work->histogram, error);
        team_end(&layers.team);
    }
    free(bitmaps);
    free(neighbour);
    return status;
}

/* By steps to neighbours one nearer; a goal has none. */
uint32_t permute_distance(const struct permute *relaxed, const uint8_t *table, uint64_t state, uint64_t *next)
{
    const unsigned entry = permute_entry(relaxed, table, state);
    uint32_t distance = 0;
    uint16_t moves;
    if (!relaxed->puzzle.undoable)
        return entry;
    if (entry == 3)
        return BOUND_NEVER;
    for (unsigned m = 0; m < relaxed->moves && distance <= BOUND_NEVER;) {
        if (m == 0)
            permute_successors(&relaxed->puzzle, &state, 1, next, &moves);
        if (permute_entry(relaxed, table, next[m]) != (entry + 2 * (distance + 1)) % 3) {
            m++;
            continue;
        }
        state = next[m];
        distance++;
        m = 0;
    }
    return distance;
}
