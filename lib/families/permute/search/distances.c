/* distances.c -- the distances of all states of a relaxation, as a table's entries
 *
 * A relaxation is a puzzle, and lib/search/space finds all distances of one: as residues modulo 3 where moves can be
 * undone, else as they are. What it keeps is written anew as entries, which a look-up reads by a shift and a mask.
 */
#include "lib/search/space/retrograde.h"
#include "lib/team.h"
#include "search.h"

#include <string.h>

/* -- the search -- */

struct watching {
    const struct pattern_work *work;
    uint64_t before;
};

static bool observe(void *context, const struct retrograde_progress *progress)
{
    const struct watching *watching = context;
    const struct pattern_work *work = watching->work;
    return work->observe == NULL || work->observe(work->context, watching->before + progress->reached);
}

pdb_status permute_distances_memory(const struct permute *relaxed, unsigned threads, uint64_t *bytes, pdb_error *error)
{
    struct retrograde_plan plan = {0};
    const pdb_status status = retrograde_plan(RETROGRADE_BEST, &relaxed->puzzle, threads, &plan, error);
    *bytes = plan.memory_deep;
    retrograde_plan_free(&plan);
    return status;
}

/* -- entries -- */

struct writing {
    struct values values;
    uint64_t states;
    uint8_t *table;
};

enum { SHARE = 1 << 16, RUN = 1024 }; /* states that a thread writes at once; whose values are read at once */

static void write_run(const struct writing *writing, uint64_t first, size_t count)
{
    const struct puzzle *puzzle = writing->values.puzzle;
    const unsigned bits = puzzle->undoable ? 2 : 4, in_a_byte = 8 / bits;
    uint64_t index[RUN];
    uint32_t distance[RUN];
    uint8_t entry[RUN];
    for (size_t i = 0; i < count; i++)
        index[i] = first + i;
    /* the bytes are in memory: reading them cannot fail */
    if (puzzle->undoable)
        values_get(&writing->values, index, count, entry, NULL);
    else
        values_get_exact(&writing->values, index, count, distance, NULL);
    for (size_t i = 0; i < count; i++)
        entry[i] = puzzle->undoable ? entry[i] & 3 : (uint8_t)(distance[i] < PERMUTE_FAR ? distance[i] : PERMUTE_FAR);
    for (size_t i = 0; i < count; i += in_a_byte) {
        unsigned byte = 0;
        for (unsigned j = 0; j < in_a_byte; j++)
            byte |= (i + j < count ? entry[i + j] : (1u << bits) - 1) << j * bits;
        writing->table[(first + i) / in_a_byte] = (uint8_t)byte;
    }
}

static void write_share(void *context, unsigned thread, uint64_t share)
{
    const struct writing *writing = context;
    const uint64_t end = (share + 1) * SHARE < writing->states ? (share + 1) * SHARE : writing->states;
    (void)thread;
    for (uint64_t first = share * SHARE; first < end; first += RUN)
        write_run(writing, first, end - first < RUN ? (size_t)(end - first) : RUN);
}

static void write_entries(const struct permute *relaxed, const struct retrograde_result *result, unsigned threads,
                          uint8_t *table)
{
    const uint64_t states = relaxed->puzzle.states;
    struct writing writing = {
        {.puzzle = &relaxed->puzzle, .encoding = result->encoding, .source = result->source}, states, table};
    team_once(threads, team_shares(states, SHARE), write_share, &writing);
}

pdb_status permute_distances(const struct permute *relaxed, const struct pattern_work *work, uint64_t done,
                             uint8_t *table, pdb_error *error)
{
    struct watching watching = {work, done};
    struct retrograde_plan plan = {0};
    struct retrograde *search = NULL;
    struct retrograde_result result;
    bool complete = false;
    pdb_status status = retrograde_plan(RETROGRADE_BEST, &relaxed->puzzle, work->threads, &plan, error);
    if (status == PDB_OK)
        status = retrograde_begin(&plan, &search, error);
    while (status == PDB_OK && !complete)
        status = retrograde_layer(search, observe, &watching, &complete, error);
    if (status == PDB_OK) {
        retrograde_finish(search, &result);
        if (relaxed->puzzle.undoable && result.depths > BOUND_NEVER)
            status = error_set(error, PDB_TOO_LARGE, "a pattern has distances above %u: too large to search with",
                               (unsigned)BOUND_NEVER - 1);
        else
            write_entries(relaxed, &result, work->threads, table);
    }
    retrograde_free(search);
    retrograde_plan_free(&plan);
    return status;
}
