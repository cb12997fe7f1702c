/* reading.c -- when a search has tables read into memory that lie in a file
 *
 * They are looked up in their file until that has cost about as much as to read them all (how many nodes that is says
 * searcher.c): so nobody waits much more than twice as long as somebody who knew beforehand how long the search is. One
 * thread has them read, and the others, if there are any, go on meanwhile.
 */
#include "job.h"

/* Does reading go on? Not where the caller stops the search, nor where another thread has a solution: what is left to
 * search is little. */
static bool observe_reading(void *context, uint64_t done)
{
    struct deepening *deepening = context;
    (void)done;
    return search_watch_add(&deepening->watch, 0) && !deepen_has_solution(deepening);
}

/* Is it this thread's turn to have them read? To try that again, the search has to look at twice as many nodes. */
static bool is_impatient(struct permute_job *job)
{
    const uint64_t nodes = __atomic_load_n(&job->deepening.watch.nodes, __ATOMIC_RELAXED);
    uint64_t patience = __atomic_load_n(&job->patience, __ATOMIC_RELAXED);
    return nodes >= patience && !deepen_has_solution(&job->deepening) &&
           __atomic_compare_exchange_n(&job->patience, &patience, 2 * nodes, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

void permute_read_tables(struct permute_job *job, struct pattern_look *look)
{
    const struct permute_views *views = &job->searcher->views;
    const struct pattern_source *source = views->source;
    const uint8_t *bytes = NULL;
    pdb_error error;
    if (source == NULL || look[0].bytes != NULL) /* all tables come from one source: all are in memory, or none */
        return;
    if (source->loaded(source->context) == NULL) {
        if (!is_impatient(job))
            return;
        /* Whatever else keeps them from being read may pass; but damage ends the search, of one whose tables are too
         * large to be read, too. */
        if (!source->too_large)
            (void)source->load(source->context, observe_reading, &job->deepening, &bytes, &error);
        if (source->sound(source->context, &error) != PDB_OK)
            deepen_stop(&job->deepening);
    }
    permute_views_look(views, look);
}
