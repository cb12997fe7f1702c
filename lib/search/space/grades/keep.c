/* keep.c -- the search grade by grade: what is kept of it, how it is taken up again, and what comes of it */
#include "inner.h"
#include "lib/rank/sort_keys.h"
#include "lib/search/space/exact.h"

size_t grades_parts(struct retrograde *search, struct memory_part part[RETROGRADE_PARTS_MAX])
{
    struct grades *grades = grades_of(search);
    const struct grades_kept *kept = &grades->kept;
    part[0] = (struct memory_part){&grades->kept, sizeof grades->kept};
    part[1] = (struct memory_part){grades->key, kept->keys * sizeof *grades->key};
    part[2] = (struct memory_part){grades->distance, kept->keys};
    part[3] = (struct memory_part){grades->ways, kept->frontier * sizeof *grades->ways};
    return GRADES_PARTS;
}

/* Every key of the frontier is of its grade, and every key is one. */
bool grades_resume(struct retrograde *search)
{
    struct grades *grades = grades_of(search);
    const struct grades_kept *kept = &grades->kept;
    if (kept->frontier > kept->keys || kept->grade > grades->kernel->grades || search->state->reached != kept->keys)
        return false;
    for (uint64_t i = 0; i < kept->keys; i++)
        if (grades->key[i] >= search->puzzle->states || grades->distance[i] > GRADE_FAR ||
            (i >= kept->keys - kept->frontier &&
             grades->kernel->grade(grades->kernel, grades->key[i]) + 1 != kept->grade))
            return false;
    search->states = kept->keys;
    grades->goals_listed = false;
    return true;
}

void grades_finish(struct retrograde *search, struct retrograde_result *result)
{
    struct grades *grades = grades_of(search);
    const uint64_t count = grades->kept.keys;
    const struct exact distance = {.states = count, .width = 1, .narrow = grades->distance};
    grades_release_buffers(grades);
    sort_keys(grades->key, grades->distance, 1, count, &search->team);
    result->hardest_kept = exact_list(&distance, search->state->depth, grades->hardest, RETROGRADE_HARDEST_MAX);
    result->hardest = grades->hardest;
    values_pack_distances(result->encoding, count, grades->distance, &search->team);
    result->bytes = grades->distance;
    search->keys = grades->key;
    grades->key = NULL;
}
