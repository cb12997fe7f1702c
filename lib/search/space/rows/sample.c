/* sample.c -- a look at a space by plain keys: would rows be full? */
#include "lib/search/space/sparse/key_table.h"
#include "sample.h"

#include <stdlib.h>

enum { SAMPLE = 1 << 13, BATCH = 64 };

struct sample {
    struct key_table table;
    uint64_t *key;       /* those found so far, layer by layer */
    size_t found, layer; /* where the last whole layer begins */
    uint64_t *next;
    uint16_t next_count[BATCH];
};

static bool add(struct sample *sample, uint64_t key)
{
    uint64_t at;
    if (sample->found < SAMPLE && key_put(&sample->table, key, 0, &at))
        sample->key[sample->found++] = key;
    return sample->found < SAMPLE;
}

/* Goes from the named boards, until the sample is full; false where it never is. */
static bool fill(struct sample *sample, const struct puzzle *puzzle)
{
    uint64_t key;
    for (size_t i = 0; i < puzzle->named_count; i++)
        if (puzzle->family->packed.pack(puzzle, puzzle->named[i].position, &key))
            add(sample, key);
    for (size_t first = 0, end = sample->found; first < end; first = end, end = sample->found) {
        sample->layer = first;
        for (size_t at = first; at < end; at += BATCH) {
            const size_t batch = end - at < BATCH ? end - at : BATCH;
            const size_t count = puzzle->family->packed.predecessors(puzzle, sample->key + at, batch, sample->next,
                                                                     sample->next_count);
            for (size_t i = 0; i < count; i++)
                if (!add(sample, sample->next[i])) {
                    sample->layer = first;
                    sample->found = end;
                    return true;
                }
        }
    }
    return false;
}

pdb_status rows_plan(const struct puzzle *puzzle, bool portable, struct row_kernel **out, pdb_error *error)
{
    struct sample sample = {.key = malloc(SAMPLE * sizeof *sample.key),
                            .next = malloc(BATCH * (puzzle->max_moves + (size_t)1) * sizeof *sample.next)};
    pdb_status status = PDB_OK;
    *out = NULL;
    if (sample.key == NULL || sample.next == NULL || !key_table_grow(&sample.table, 2 * SAMPLE))
        status = error_no_memory(error, "a sample of the states", 2 * SAMPLE * sizeof *sample.key);
    else if (fill(&sample, puzzle))
        status = puzzle->family->space.rows(puzzle, portable, sample.key, sample.found, sample.layer, out, error);
    key_table_free(&sample.table);
    free(sample.key);
    free(sample.next);
    return status;
}
