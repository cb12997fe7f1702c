/* slabs.c -- layers of planes that are cut into runs: slab by slab, as the script says */
#include "inner.h"

#include <string.h>

/* Finds the states of a step. */
static uint64_t make_slab(struct layers *layers, size_t step, struct watch *watch)
{
    const struct runs *runs = layers->runs;
    const uint64_t first = runs->script.step[step].slab * runs->slab_groups;
    const double steps = (double)runs->script.steps;
    return layers_pull(layers, first, first + runs->slab_groups, watch,
                       &(struct layer_share){(double)step / steps, 1 / steps});
}

/* Carries a script out. A slab that was interrupted is not done, and what it has found by then is counted. */
static pdb_status make_steps(struct layers *layers, struct run_stream *stream, struct watch *watch, pdb_error *error)
{
    struct runs *runs = layers->runs;
    const unsigned next = layers_residue(layers, layers->search.state->depth + 1);
    for (size_t step = 0; step < runs->script.steps; step++) {
        pdb_status status = runs_await(stream, step, watch, layers_team(layers), error);
        if (status != PDB_OK)
            return status;
        const uint64_t slab = runs->script.step[step].slab, found = make_slab(layers, step, watch);
        layers->kept->found += found;
        runs->next_news[slab] |= found > 0;
        runs_step_done(stream, step, runs_number(runs, slab, next), found, layers_team(layers));
        if (watch->stopped)
            return PDB_INTERRUPTED;
        runs->done[slab] = 1;
    }
    return PDB_OK;
}

pdb_status runs_carry_out(struct layers *layers, struct watch *watch, pdb_error *error)
{
    struct run_stream stream;
    runs_moves(layers->runs, layers->search.state->depth + 1);
    runs_start(layers->runs, &stream);
    const pdb_status status = make_steps(layers, &stream, watch, error);
    runs_stop(&stream);
    return status;
}

pdb_status runs_layer(struct layers *layers, struct watch *watch, bool *whole, pdb_error *error)
{
    runs_steps(layers->runs, layers->search.state->depth + 1);
    const pdb_status status = runs_carry_out(layers, watch, error);
    *whole = !layers->runs->crowded;
    return status;
}

void runs_take_layer(struct runs *runs)
{
    memcpy(runs->news, runs->next_news, runs->slabs);
    memset(runs->next_news, 0, runs->slabs);
    memset(runs->done, 0, runs->slabs);
}

pdb_status runs_goals(struct layers *layers, const uint64_t *index, size_t count, pdb_error *error)
{
    struct runs *runs = layers->runs;
    const unsigned plane = layers_residue(layers, 0);
    for (size_t i = 0; i < count;) {
        const uint64_t slab = layer_group(layers->kernel->address(layers->kernel, index[i])) / runs->slab_groups,
                       before = layers->kept->found;
        if (!runs_own(runs, slab)) {
            i++;
            continue;
        }
        const pdb_status status = runs_hold(runs, slab, layers_team(layers), error);
        if (status != PDB_OK)
            return status;
        for (; i < count; i++) {
            const uint64_t address = layers->kernel->address(layers->kernel, index[i]);
            if (layer_group(address) / runs->slab_groups != slab)
                break;
            layers_visit(layers, address, 0);
        }
        runs->next_news[slab] = 1;
        runs_changed(runs, runs_number(runs, slab, plane), layers->kept->found - before, layers_team(layers));
    }
    return PDB_OK;
}

/* -- what is kept -- */

uint64_t runs_kept_bytes(const struct runs *runs)
{
    return sizeof(struct layers_kept) + runs->count * sizeof *runs->run + runs_done_bytes(runs);
}

bool runs_count_slab(struct layers *layers, uint64_t slab, const uint64_t plane[3])
{
    struct runs *runs = layers->runs;
    const uint64_t first = slab * runs->slab_groups;
    bool right = true;
    runs->news[slab] = runs->next_news[slab] = 0;
    for (uint64_t group = first; group < first + runs->slab_groups; group++) {
        runs->news[slab] |= layers->news[group];
        runs->next_news[slab] |= layers->next_news[group];
    }
    for (unsigned p = 0; p < runs->planes; p++)
        right &= runs->run[runs_number(runs, slab, p)].states == plane[p];
    return right;
}

/* Rounds are counted from the beginning of a slab. Where all are handed out, what went before the slab is given back to
 * the disk. */
pdb_status runs_pack(struct layers *layers, uint64_t state, pdb_error *error)
{
    struct runs *runs = layers->runs;
    const uint64_t round = layers->search.team.threads * (uint64_t)LAYER_STRETCH_STATES,
                   all = runs->slab_groups * layers->kernel->states(layers->kernel, 0), slab = state / all,
                   first = state % all / round * round, left = all - first;
    if (runs->handing_out && slab > 0 && first == 0)
        runs_drop(runs, slab - 1);
    return layers_pack(layers, slab * all + first, left < round ? left : round, error);
}
