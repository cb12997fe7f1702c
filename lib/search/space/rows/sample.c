/* sample.c -- a look at a space by plain keys: would rows be full? */
#include "sample.h"

#include <stdlib.h>

enum { SAMPLE = 1 << 13, BATCH = 64 };

struct explorer {
    struct key_sample *sample;
    uint64_t *next;
    uint16_t next_count[BATCH];
};

/* Adds a key, for which the table has room; false once the sample is full. */
static bool add(struct key_sample *sample, uint64_t key)
{
    uint64_t at;
    if (sample->count < SAMPLE && key_put(&sample->table, key, 0, &at))
        sample->key[sample->count++] = key;
    return sample->count < SAMPLE;
}

/* Room in the table for so many keys more, but never for more than there may be. False where memory is short. */
static bool reserve(struct key_sample *sample, size_t more)
{
    const size_t keys = sample->count + more < SAMPLE ? sample->count + more : SAMPLE;
    return keys <= key_table_room(sample->table.slots) ||
           key_table_grow(&sample->table, key_table_next(sample->table.slots, keys));
}

/* Goes from the named boards, until the sample is full; *full is false where it never is. False: memory is short. */
static bool fill(struct explorer *explorer, const struct puzzle *puzzle, bool *full)
{
    struct key_sample *sample = explorer->sample;
    uint64_t key;
    *full = false;
    if (!reserve(sample, puzzle->named_count))
        return false;
    for (size_t i = 0; i < puzzle->named_count; i++)
        if (puzzle->family->packed.pack(puzzle, puzzle->named[i].position, &key))
            add(sample, key);
    for (size_t first = 0, end = sample->count; first < end; first = end, end = sample->count) {
        sample->last = first;
        for (size_t at = first; at < end; at += BATCH) {
            const size_t batch = end - at < BATCH ? end - at : BATCH;
            const size_t count = puzzle->family->packed.predecessors(puzzle, sample->key + at, batch, explorer->next,
                                                                     explorer->next_count);
            if (!reserve(sample, count))
                return false;
            for (size_t i = 0; i < count && !*full; i++)
                *full = !add(sample, explorer->next[i]);
            if (*full) {
                sample->count = end;
                key_table_free(&sample->table);
                return true;
            }
        }
    }
    return true;
}

void key_sample_free(struct key_sample *sample)
{
    free(sample->key);
    key_table_free(&sample->table);
    *sample = (struct key_sample){0};
}

pdb_status rows_plan(const struct puzzle *puzzle, bool portable, struct row_kernel **out, struct key_sample *sample,
                     pdb_error *error)
{
    struct explorer explorer = {.sample = sample,
                                .next = malloc(BATCH * (puzzle->max_moves + (size_t)1) * sizeof *explorer.next)};
    pdb_status status = PDB_OK;
    *sample = (struct key_sample){.key = malloc(SAMPLE * sizeof *sample->key)};
    *out = NULL;
    bool full;
    if (sample->key == NULL || explorer.next == NULL || !fill(&explorer, puzzle, &full))
        status = error_no_memory(error, "a sample of the states", 2 * SAMPLE * sizeof *sample->key);
    else if (full)
        status = puzzle->family->space.rows(puzzle, portable, sample->key, sample->count, sample->last, out, error);
    free(explorer.next);
    if (status != PDB_OK || *out != NULL)
        key_sample_free(sample);
    return status;
}
