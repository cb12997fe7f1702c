/* wide_search.c -- the searcher of single boards of puzzles with wide keys */
#include "wide_search.h"
#include "lib/search/board/bounds.h"
#include "lib/search/board/ida.h"
#include "lib/search/space/folded.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t default_memory = (uint64_t)256 << 20;

struct wide_search {
    struct searcher searcher;
    struct search_options options; /* half the memory, for what is not the table */
};

/* The search for one board. */
struct job {
    struct puzzle *folded;
    struct searcher *searcher;
    search_observer *observe; /* the caller's, or NULL */
    void *context;
};

static void job_end(struct job *job)
{
    search_free(job->searcher);
    folded_free(job->folded);
}

/* Makes room for as many parts as half the memory has. */
static pdb_status take_room(struct parts *parts, uint64_t memory, pdb_error *error)
{
    uint64_t count = 1;
    while (parts_bytes_with(parts, 2 * count) <= memory)
        count *= 2;
    if (!parts_grow(parts, count))
        return error_no_memory(error, "the table of high parts", parts_bytes_with(parts, count));
    parts_hold(parts, true);
    return PDB_OK;
}

/* The caller ends the job, whatever the status. */
static pdb_status job_begin(const struct searcher *searcher, search_observer *observe, void *context, struct job *job,
                            pdb_error *error)
{
    const struct wide_search *search = (const struct wide_search *)searcher;
    *job = (struct job){.observe = observe, .context = context};
    pdb_status status = folded_create(searcher->puzzle, NULL, &job->folded, error);
    if (status == PDB_OK)
        status = take_room(job->folded->parts, search->options.memory, error);
    return status == PDB_OK ? search_make(&ida_class, job->folded, &search->options, &job->searcher, error) : status;
}

/* A full table ends a search: what comes after that means nothing. */
static bool observe_job(void *context, const struct search_progress *progress)
{
    const struct job *job = context;
    return !parts_full(job->folded->parts) && (job->observe == NULL || job->observe(job->context, progress));
}

static pdb_status job_status(const struct job *job, pdb_status status, pdb_error *error)
{
    if (job->folded == NULL || !parts_full(job->folded->parts))
        return status;
    return error_no_memory(error, "the table of high parts", 2 * parts_bytes(job->folded->parts));
}

static pdb_status wide_make(struct searcher *searcher, const struct search_options *options, pdb_error *error)
{
    struct wide_search *search = (struct wide_search *)searcher;
    struct job job;
    search->options = *options;
    search->options.memory = (options->memory != 0 ? options->memory : default_memory) / 2;
    pdb_status status = job_begin(searcher, NULL, NULL, &job, error);
    if (status == PDB_OK)
        strcpy(searcher->method, job.searcher->method);
    job_end(&job);
    return status;
}

static pdb_status wide_solve(const struct searcher *searcher, const uint8_t *position, uint32_t most,
                             search_observer *observe, void *context, struct search_answer *answer, pdb_error *error)
{
    struct job job;
    *answer = (struct search_answer){.distance = PDB_NO_DISTANCE};
    pdb_status status = job_begin(searcher, observe, context, &job, error);
    if (status == PDB_OK)
        status = ida_class.solve(job.searcher, position, most, observe_job, &job, answer, error);
    status = job_status(&job, status, error);
    if (status != PDB_OK) {
        free(answer->path);
        answer->path = NULL;
    }
    job_end(&job);
    return status;
}

static pdb_status wide_count(const struct searcher *searcher, const uint8_t *position, uint32_t distance,
                             search_observer *observe, void *context, unsigned __int128 *count, pdb_error *error)
{
    struct job job;
    pdb_status status = job_begin(searcher, observe, context, &job, error);
    if (status == PDB_OK)
        status = ida_class.count(job.searcher, position, distance, observe_job, &job, count, error);
    status = job_status(&job, status, error);
    job_end(&job);
    return status;
}

static pdb_status wide_tell(const struct searcher *searcher, const uint8_t *position, pdb_bounds *bounds,
                            pdb_error *error)
{
    struct job job;
    pdb_status status = job_begin(searcher, NULL, NULL, &job, error);
    if (status == PDB_OK)
        status = ida_class.tell(job.searcher, position, bounds, error);
    job_end(&job);
    return status;
}

const struct searcher_class wide_searcher = {
    .size = sizeof(struct wide_search),
    .make = wide_make,
    .solve = wide_solve,
    .count = wide_count,
    .tell = wide_tell,
};
