/* ranked.c -- layers of groups that are shared out among ranks, and what rank 0 makes of them at the end */
#include "inner.h"
#include "lib/clock.h"

pdb_status ranked_share_out(struct retrograde_plan *plan, struct ranks *ranks, pdb_error *error)
{
    return ghosts_cut(plan->puzzle, plan->kernel, plan->threads, ranks, &plan->ghosts, error);
}

pdb_status ranked_begin_runs(struct retrograde_plan *plan, pdb_error *error)
{
    ghosts_free(plan->ghosts);
    plan->ghosts = NULL;
    return ranks_alone(plan->ranks) ? PDB_OK : ghosts_begin_runs(plan, &plan->ghosts, error);
}

void ranked_take_runs(struct retrograde_plan *plan)
{
    if (plan->ghosts != NULL && plan->runs != NULL)
        ghosts_take_runs(plan->ghosts, plan->runs);
}

void ranked_layer(struct layers *layers, struct watch *watch)
{
    struct ghosts *ghosts = layers->ghosts;
    const double blocks = (double)ghosts->blocks;
    uint64_t found = 0;
    ghosts_ship(ghosts, layers->plane, layers_residue(layers, layers->search.state->depth), layers->news);
    for (uint64_t block = 0; block < ghosts->blocks && !watch->stopped; block++) {
        const struct group_range own = ghosts_own(ghosts, block);
        found += layers_pull(layers, own.first, own.past, watch,
                             &(struct layer_share){(double)block / blocks, 1 / blocks});
    }
    ranked_found(layers, watch, found, &(bool){false});
}

void ranked_found(struct layers *layers, struct watch *watch, uint64_t found, bool *crowded)
{
    struct ranks *ranks = layers->ghosts->ranks;
    watch_look(watch, 1);
    const bool due = ranks_first(ranks) && layers->search.keep_due > 0 && clock_now() > layers->search.keep_due;
    uint64_t number[4] = {found, watch->stopped, due, *crowded};
    ranks->sum(ranks, number, 4);
    layers->kept->found += number[0];
    watch->stopped = number[1] > 0;
    layers->search.keep_now = number[2] > 0;
    *crowded = number[3] > 0;
}

void ranked_goals(struct layers *layers, const uint64_t *index, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uint64_t address = layers->kernel->address(layers->kernel, index[i]);
        if (layers_own(layers, layer_group(address)))
            layers_visit(layers, address, 0);
    }
}

void ranked_sum(struct layers *layers, uint64_t *number, size_t count)
{
    if (layers->ghosts != NULL)
        layers->ghosts->ranks->sum(layers->ghosts->ranks, number, count);
}

/* -- the end, and what is kept -- */

size_t ranked_lowest(struct layers *layers, size_t own)
{
    return ranks_lowest(layers->ghosts->ranks, &layers->ghosts->mail, layers->lowest, own, RETROGRADE_HARDEST_MAX);
}

/* So many stretches are asked for at once: every time, all ranks wait for one another. */
enum { GATHERED_STRETCHES = 16 };

uint64_t ranked_window_bytes(const struct retrograde_plan *plan)
{
    const struct layer_kernel *kernel = plan->kernel;
    const uint64_t stretches = plan->threads > GATHERED_STRETCHES ? plan->threads : GATHERED_STRETCHES,
                   groups = stretches * LAYER_STRETCH_STATES / kernel->states(kernel, 0) + 2;
    return ranks_first(plan->ranks) ? groups * kernel->words_max * (plan->puzzle->coloured ? 2 : 3) * sizeof(uint64_t)
                                    : 0;
}

/* The groups of so many states from a stretch on. */
static struct group_range groups_of(const struct layers *layers, const struct layer_stretch *from, uint64_t states)
{
    const uint64_t left = layers->search.puzzle->states - from->first;
    struct layer_stretch end = *from;
    end.states = left < states ? left : states;
    layers_pass_stretch(layers, &end);
    return (struct group_range){from->group, end.group + (end.skipped > 0 ? layers->kernel->run : 0)};
}

/* Have the groups of a round in the window, and of what comes after it. */
static pdb_status gather(struct layers *layers, const struct layer_stretch *from, uint64_t states, pdb_error *error)
{
    const uint64_t more = GATHERED_STRETCHES * (uint64_t)LAYER_STRETCH_STATES;
    const struct group_range range = groups_of(layers, from, states), there = layers->ghosts->range;
    if (range.first >= there.first && range.past <= there.past)
        return PDB_OK;
    return ghosts_gather(layers->ghosts, layers->plane, groups_of(layers, from, states > more ? states : more), error);
}

/* Rounds are counted from the first state on. Going back begins anew. */
pdb_status ranked_pack(struct layers *layers, uint64_t state, pdb_error *error)
{
    const uint64_t round = layers->search.team.threads * (uint64_t)LAYER_STRETCH_STATES, first = state / round * round,
                   left = layers->search.puzzle->states - first, states = left < round ? left : round;
    struct layer_stretch next = {0};
    if (first >= layers->gathered.first)
        next = layers->gathered;
    next.states = first - next.first;
    layers_pass_stretch(layers, &next);
    const pdb_status status = gather(layers, &next, states, error);
    layers->gathered = next;
    layers->packed_first = first;
    layers->packed_states = status == PDB_OK ? states : 0;
    if (status == PDB_OK)
        layers_pack_round(layers, &next, states);
    return status;
}

void ranked_move(struct retrograde *search, uint64_t offset, uint8_t *bytes, uint64_t size, bool back)
{
    struct layers *layers = layers_of(search);
    ghosts_move(layers->ghosts, layers->plane, (struct moved_bytes){offset, offset + size, back, bytes}, NULL);
}

void ranked_serve(struct retrograde *search)
{
    struct layers *layers = layers_of(search);
    ghosts_serve(layers->ghosts, layers->plane);
}
