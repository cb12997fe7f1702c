/* searcher.c -- the family's searcher: made once, asked for many boards */
#include "job.h"
#include "lib/search/board/bounds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reading a page of a file costs about what so many nodes lose by being looked up there. */
enum { FILE_PAGE = 4096, NODES_A_PAGE = 15 };

static pdb_status tell_path(const struct permute_job *job, struct search_answer *answer, pdb_error *error)
{
    const struct permute *permute = job->searcher->permute;
    const size_t places = permute->puzzle.board.places;
    const uint32_t distance = job->deepening.watch.limit;
    const uint8_t *path = job->deepening.path;
    answer->distance = distance;
    answer->path = malloc((distance + (size_t)1) * places);
    if (answer->path == NULL)
        return error_no_memory(error, "a path", (distance + (size_t)1) * places);
    memcpy(answer->path, job->position, places);
    for (uint32_t i = 0; i < distance; i++)
        permute_apply(permute, path[i], answer->path + i * places, answer->path + (i + 1) * places);
    return PDB_OK;
}

/* The node that the search starts from, and the first limit, the largest of its distances; PDB_NO_DISTANCE where it is
 * certain that no goal can be reached. */
static pdb_status set_out(struct permute_job *job, pdb_error *error)
{
    const struct permute_views *views = &job->searcher->views;
    job->at = malloc(views->coordinates * sizeof *job->at + 1);
    if (job->at == NULL)
        return error_no_memory(error, "the search", views->coordinates * sizeof *job->at);
    pdb_status status = permute_views_begin(views, job->look, job->position, job->at, job->far, error);
    for (unsigned v = 0; status == PDB_OK && v < views->views; v++)
        deepen_raise(&job->deepening, job->far[v] == BOUND_NEVER ? PDB_NO_DISTANCE : job->far[v]);
    return status;
}

/* Rounds until the job is done. What was looked up in a damaged file says nothing, nor that a search was stopped whose
 * file is damaged. */
static pdb_status search(struct permute_job *job, uint32_t most, pdb_error *error)
{
    pdb_error cause;
    const pdb_status status = deepen(&job->deepening, most, error),
                     sound = permute_views_sound(&job->searcher->views, &cause);
    if (sound == PDB_OK)
        return status;
    *error = cause;
    return sound;
}

/* *colour: of a position that may reach it. */
static enum group_answer reaches_goal(const struct permute_searcher *searcher, const uint8_t *position,
                                      unsigned *colour)
{
    if (!permute_fits(searcher->permute, position, colour))
        return GROUP_REACHES_NOT;
    return searcher->group == NULL ? GROUP_REACHES : permute_group_reaches(searcher->group, position, NULL);
}

static pdb_status solve(const struct searcher *base, const uint8_t *position, uint32_t most, search_observer *observe,
                        void *context, struct search_answer *answer, pdb_error *error)
{
    const struct permute_searcher *searcher = (const struct permute_searcher *)base;
    const struct permute *permute = searcher->permute;
    struct permute_job job = {.searcher = searcher, .position = position, .patience = searcher->patience};
    unsigned colour;
    *answer = (struct search_answer){.distance = PDB_NO_DISTANCE, .bound = PDB_NO_DISTANCE};
    const enum group_answer reaches = reaches_goal(searcher, position, &colour);
    if (reaches == GROUP_UNKNOWN)
        return error_set(error, PDB_NO_DATABASE,
                         "%s: the generators make a smaller group than their parities and twists say, and whether this "
                         "board reaches the goal cannot be told",
                         permute->puzzle.name);
    if (reaches == GROUP_REACHES_NOT)
        return PDB_OK;
    job.deepening = (struct deepening){.class = &permute_deepen_class,
                                       .puzzle = base->puzzle,
                                       .threads = base->threads,
                                       .colour = (uint8_t)colour,
                                       .watch = {.observe = observe, .context = context},
                                       .solved = permute->puzzle.family->position.is_goal(&permute->puzzle, position)};
    pdb_status status = PDB_OK;
    permute_views_look(&searcher->views, job.look);
    if (!job.deepening.solved) {
        deepen_raise(&job.deepening, 1);
        status = set_out(&job, error);
    }
    if (status == PDB_OK && !job.deepening.solved && searcher->merges)
        status = permute_alike_find(&job, error);
    if (status == PDB_OK)
        status = search(&job, most, error);
    answer->bound = job.deepening.watch.limit;
    answer->nodes = job.deepening.watch.nodes;
    if (status == PDB_OK && job.deepening.solved)
        status = tell_path(&job, answer, error);
    deepen_free(&job.deepening);
    free(job.alike);
    free(job.at);
    return status;
}

static pdb_status tell(const struct searcher *base, const uint8_t *position, pdb_bounds *bounds, pdb_error *error)
{
    const struct permute_searcher *searcher = (const struct permute_searcher *)base;
    unsigned colour;
    if (!permute_fits(searcher->permute, position, &colour))
        return bounds_add(bounds, "parities and twists that no move changes", PDB_NO_DISTANCE, error);
    if (searcher->group != NULL && permute_group_reaches(searcher->group, position, NULL) == GROUP_REACHES_NOT)
        return bounds_add(bounds, "the group of the moves", PDB_NO_DISTANCE, error);
    return permute_views_tell(&searcher->views, position, bounds, error);
}

static void release_searcher(struct searcher *base)
{
    struct permute_searcher *searcher = (struct permute_searcher *)base;
    permute_inverse_free(searcher->inverse);
    permute_views_free(&searcher->views);
    permute_group_free(searcher->group);
    free(searcher->machine);
}

static pdb_status make_searcher(struct searcher *base, const struct search_options *options, pdb_error *error)
{
    struct permute_searcher *searcher = (struct permute_searcher *)base;
    searcher->permute = (const struct permute *)base->puzzle;
    searcher->merges = !options->no_symmetries;
    pdb_status status = permute_group_make(searcher->permute, &searcher->group, error);
    if (status == PDB_OK)
        status = permute_redundant(searcher->permute, options->no_machine, &searcher->machine, error);
    if (status == PDB_OK)
        status = permute_views_make(searcher->permute, options->patterns, options->source, options->no_symmetries,
                                    &searcher->views, error);
    if (status == PDB_OK)
        status = permute_inverse_make(&searcher->views, &searcher->inverse, error);
    if (options->patterns != NULL)
        searcher->patience = (options->patterns->bytes / FILE_PAGE + 1) * NODES_A_PAGE;
    if (options->patterns != NULL)
        sprintf(base->method, "pattern databases of %s tiles", options->patterns->shape);
    else
        strcpy(base->method, "small pattern databases, made for the search");
    return status;
}

const struct searcher_class permute_searcher_class = {.size = sizeof(struct permute_searcher),
                                                      .make = make_searcher,
                                                      .release = release_searcher,
                                                      .solve = solve,
                                                      .tell = tell};
