/* sample.c -- a look at a space by plain keys: would rows be full? */
#include "lib/search/space/sparse/key_table.h"
#include "sample.h"

#include <stdlib.h>

enum { SAMPLE = 1 << 13, BATCH = 64 };

struct explorer {
    struct key_sample *sample;
    struct key_table table;
    uint64_t *next;
    uint16_t next_count[BATCH];
};

static bool add(struct explorer *explorer, uint64_t key)
{
    struct key_sample *sample = explorer->sample;
    uint64_t at;
    if (sample->count < SAMPLE && key_put(&explorer->table, key, 0, &at))
        sample->key[sample->count++] = key;
    return sample->count < SAMPLE;
}

/* Goes from the named boards, until the sample is full; false where it never is. */
static bool fill(struct explorer *explorer, const struct puzzle *puzzle)
{
    struct key_sample *sample = explorer->sample;
    uint64_t key;
    for (size_t i = 0; i < puzzle->named_count; i++)
        if (puzzle->family->packed.pack(puzzle, puzzle->named[i].position, &key))
            add(explorer, key);
    for (size_t first = 0, end = sample->count; first < end; first = end, end = sample->count) {
        sample->last = first;
        for (size_t at = first; at < end; at += BATCH) {
            const size_t batch = end - at < BATCH ? end - at : BATCH;
            const size_t count = puzzle->family->packed.predecessors(puzzle, sample->key + at, batch, explorer->next,
                                                                     explorer->next_count);
            for (size_t i = 0; i < count; i++)
                if (!add(explorer, explorer->next[i])) {
                    sample->count = end;
                    return true;
                }
        }
    }
    return false;
}

pdb_status rows_plan(const struct puzzle *puzzle, bool portable, struct row_kernel **out, struct key_sample *sample,
                     pdb_error *error)
{
    struct explorer explorer = {.sample = sample,
                                .next = malloc(BATCH * (puzzle->max_moves + (size_t)1) * sizeof *explorer.next)};
    pdb_status status = PDB_OK;
    *sample = (struct key_sample){.key = malloc(SAMPLE * sizeof *sample->key)};
    *out = NULL;
    if (sample->key == NULL || explorer.next == NULL || !key_table_grow(&explorer.table, 2 * SAMPLE))
        status = error_no_memory(error, "a sample of the states", 2 * SAMPLE * sizeof *sample->key);
    else if (fill(&explorer, puzzle))
        status = puzzle->family->space.rows(puzzle, portable, sample->key, sample->count, sample->last, out, error);
    key_table_free(&explorer.table);
    free(explorer.next);
    if (status == PDB_OK && *out == NULL)
        return PDB_OK;
    free(sample->key);
    *sample = (struct key_sample){0};
    return status;
}
