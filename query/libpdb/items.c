/* items.c -- the public interface to answers (pdb.h) about puzzles without moves
 *
 * What the answers come from is a struct items (items/items.h), all of it in memory: worked out on the
 * spot, or copied from a database and looked at by the family before anything is asked.
 */
#include "solver.h"
#include "lib/random.h"
#include "lib/team.h"

#include <stdlib.h>
#include <string.h>

/* What working one out on the spot may take. */
static const uint64_t build_memory_max = 1ull << 30;

static const struct items_family *family_of(const pdb_solver *solver)
{
    return solver->asked->items->family;
}

/* -- where it comes from -- */

/* The figures are shown where those of all solvers are. */
static void show_figures(pdb_solver *solver)
{
    const struct items *items = &solver->items;
    solver->figures = (struct store_header){.states = items->count,
                                            .encoding = family_of(solver)->encoding,
                                            .reachable = items->count,
                                            .depths = items->depths,
                                            .histogram = items->histogram,
                                            .hardest = items->histogram[items->depths - 1],
                                            .hardest_kept = items->hardest_kept,
                                            .hardest_states = items->hardest};
}

static void *copy_of(const void *bytes, size_t size)
{
    void *copy = malloc(size);
    return copy != NULL ? memcpy(copy, bytes, size) : NULL;
}

/* Copies what the open store has, and has the family look at it. Errors: PDB_DAMAGED, PDB_NO_MEMORY. */
static pdb_status adopt(pdb_solver *solver, pdb_error *error)
{
    const struct store_header *header = store_header(solver->store);
    struct items *items = &solver->items;
    if (*header->patterns != '\0' || header->reachable != header->states ||
        strcmp(header->encoding, family_of(solver)->encoding) != 0)
        return solver_misfit(solver, error);
    *items = (struct items){.size = header->data_bytes,
                            .count = header->states,
                            .depths = header->depths,
                            .hardest_kept = header->hardest_kept};
    items->bytes = malloc(items->size);
    items->histogram = copy_of(header->histogram, items->depths * sizeof *items->histogram);
    items->hardest = copy_of(header->hardest_states, items->hardest_kept * sizeof *items->hardest);
    if (items->bytes == NULL || items->histogram == NULL || items->hardest == NULL)
        return error_no_memory(error, "the database", items->size);
    pdb_status status = store_copy(solver->store, 0, items->size, items->bytes, error);
    if (status != PDB_OK)
        return status;
    status = family_of(solver)->accept(solver->asked->items, items, error);
    if (status == PDB_OK)
        show_figures(solver);
    return status == PDB_DAMAGED ? solver_misfit(solver, error) : status;
}

static bool observe(void *context, double done)
{
    const pdb_solver *solver = context;
    return solver->observe == NULL || solver->observe(solver->context, 0, (uint64_t)(100 * done));
}

pdb_status items_open(pdb_solver *solver, const pdb_options *options, pdb_error *error)
{
    const struct items_family *family = family_of(solver);
    pdb_error missing = {.message = ""}, cause;
    pdb_status status = PDB_NO_DATABASE;
    if (options->method != PDB_SEARCH) {
        status = solver_open_store(solver, options->directory, &missing);
        if (status == PDB_OK)
            status = adopt(solver, &missing);
        if (status == PDB_OK)
            return PDB_OK;
        if (options->method == PDB_DATABASE || status != PDB_NO_DATABASE)
            return error_set(error, status, "%s", missing.message);
    }
    status = family->build(solver->asked->items, team_threads(options->threads),
                           solver_memory(options, build_memory_max), observe, solver, &solver->items, &cause);
    if (status == PDB_OK)
        show_figures(solver);
    if (status == PDB_INTERRUPTED)
        return error_set(error, status, "%s: interrupted while its %s were worked out", solver->asked->name,
                         family->items);
    if (status == PDB_TOO_LARGE)
        return error_set(error, PDB_NO_DATABASE, "%s%stoo much to search on the spot: %s", missing.message,
                         *missing.message != '\0' ? "; " : "", cause.message);
    return status == PDB_OK ? PDB_OK : error_set(error, status, "%s", cause.message);
}

/* -- what is asked -- */

pdb_status pdb_solver_ask(const pdb_solver *solver, const char *question, unsigned want, pdb_reply *reply,
                          pdb_error *error)
{
    *reply = (pdb_reply){.distance = PDB_NO_DISTANCE};
    pdb_status status = catalog_check_items(solver->asked, error);
    if (status == PDB_OK)
        status = family_of(solver)->ask(solver->asked->items, &solver->items, question, want, reply, error);
    if (status != PDB_OK)
        reply_clear(reply);
    return status;
}

void pdb_reply_free(pdb_reply *reply)
{
    reply_clear(reply);
}

pdb_status pdb_solver_hardest_item(const pdb_solver *solver, uint64_t i, char *text, pdb_error *error)
{
    const struct store_header *figures = &solver->figures;
    pdb_status status = catalog_check_items(solver->asked, error);
    if (status != PDB_OK)
        return status;
    if (i >= figures->hardest)
        return error_set(error, PDB_BAD_USAGE, "%s: only %llu of its %s are the hardest", solver->asked->name,
                         (unsigned long long)figures->hardest, family_of(solver)->items);
    if (i >= figures->hardest_kept)
        return error_set(error, PDB_BAD_USAGE, "%s: only the first %zu of the hardest %s are kept", solver->asked->name,
                         figures->hardest_kept, family_of(solver)->items);
    family_of(solver)->item(solver->asked->items, &solver->items, figures->hardest_states[i], text);
    return PDB_OK;
}

/* Draws items until one is at the wanted distance. After a hundred times as many draws as it takes in the mean, which
 * no luck explains, the figures are wrong. */
static pdb_status draw(const pdb_solver *solver, uint32_t wanted, uint64_t seed, char *text, uint32_t *distance,
                       pdb_error *error)
{
    const uint64_t items = solver->items.count;
    const uint64_t fitting = wanted == PDB_NO_DISTANCE ? items : solver->items.histogram[wanted];
    const double most = 100 * (1 + (double)items / (double)fitting);
    for (uint64_t draws = 0; (double)draws < most; draws++) {
        pdb_reply reply; /* an item's distance is found out as anybody would: by asking */
        family_of(solver)->item(solver->asked->items, &solver->items, random_below(&seed, items), text);
        pdb_status status = pdb_solver_ask(solver, text, 0, &reply, error);
        *distance = reply.distance;
        pdb_reply_free(&reply);
        if (status != PDB_OK || *distance == wanted || (wanted == PDB_NO_DISTANCE && *distance != wanted))
            return status;
    }
    return error_set(error, PDB_DAMAGED, "%s: the %s do not agree with the histogram: generate the database again",
                     solver->asked->name, family_of(solver)->items);
}

pdb_status pdb_solver_random_item(const pdb_solver *solver, uint32_t distance_or_none, uint64_t seed, char *text,
                                  uint32_t *distance, pdb_error *error)
{
    const struct store_header *figures = &solver->figures;
    *distance = distance_or_none;
    pdb_status status = catalog_check_items(solver->asked, error);
    if (status != PDB_OK)
        return status;
    if (distance_or_none != PDB_NO_DISTANCE &&
        (distance_or_none >= figures->depths || figures->histogram[distance_or_none] == 0))
        return error_set(error, PDB_BAD_USAGE, "%s: none of its %s is at distance %u; the hardest are at %zu",
                         solver->asked->name, family_of(solver)->items, distance_or_none, figures->depths - 1);
    if (distance_or_none == figures->depths - 1 && figures->hardest_kept == figures->hardest)
        return pdb_solver_hardest_item(solver, random_below(&seed, figures->hardest), text, error);
    return draw(solver, distance_or_none, seed, text, distance, error);
}
