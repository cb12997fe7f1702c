/* alike.c -- of roots that a board's own symmetries take to one another, one is enough
 *
 * A symmetry that leaves the board as it is takes what moves lead to from it to what their images lead to, as far from
 * a goal. So the roots fall into classes, and of each only the first is searched below: of the cube's superflip, which
 * all 48 leave as it is, two of the 18 boards one move away.
 *
 * The answer stays the same, and so does what the machine (redundant.c) may leave out: both are about the path that is
 * the first, in the order of the moves, of all shortest ones. A root that it goes through is the first of its class: a
 * solution below an earlier one, as long, would come before it.
 */
#include "job.h"

#include <stdlib.h>
#include <string.h>

enum { FEW_ROOTS = 256 }; /* with more, little would be gained */

pdb_status permute_alike_find(struct permute_job *job, pdb_error *error)
{
    const struct permute *permute = job->searcher->permute;
    const struct permute_symmetries *all = permute->symmetries;
    uint8_t image[BOARD_MAX_CELLS];
    job->alike = malloc(all->count * sizeof *job->alike);
    if (job->alike == NULL)
        return error_no_memory(error, "the search", all->count * sizeof *job->alike);
    for (unsigned s = 0; s < all->count; s++) {
        permute_symmetry_image(permute, &all->symmetry[s], job->position, image);
        if (memcmp(image, job->position, permute->puzzle.board.places) == 0)
            job->alike[job->alikes++] = &all->symmetry[s];
    }
    return PDB_OK;
}

/* A root, and the least of the images of what its moves lead to: the same for all of a class. */
struct member {
    size_t places;
    uint8_t image[BOARD_MAX_CELLS];
    bool needless; /* one before it is of its class */
    struct permute_root *root;
};

static void find_image(const struct permute_job *job, struct member *member)
{
    const struct permute *permute = job->searcher->permute;
    uint8_t position[2][BOARD_MAX_CELLS], image[BOARD_MAX_CELLS];
    unsigned at = 0;
    memcpy(position[0], job->position, member->places);
    for (unsigned i = 0; i < job->deepening.depth; i++, at = 1 - at)
        permute_apply(permute, member->root->path[i], position[at], position[1 - at]);
    memcpy(member->image, position[at], member->places);
    for (unsigned s = 0; s < job->alikes; s++) {
        permute_symmetry_image(permute, job->alike[s], position[at], image);
        if (memcmp(image, member->image, member->places) < 0)
            memcpy(member->image, image, member->places);
    }
}

/* By image; of one class, as they come depth first. */
static int compare(const void *a, const void *b)
{
    const struct member *one = *(struct member *const *)a, *other = *(struct member *const *)b;
    const int order = memcmp(one->image, other->image, one->places);
    return order != 0 ? order : one->root < other->root ? -1 : one->root > other->root;
}

/* Leaves the first root of each class. */
static pdb_status merge(struct permute_job *job, pdb_error *error)
{
    struct deepening *deepening = &job->deepening;
    const size_t count = deepening->roots;
    struct member *member = calloc(count + 1, sizeof *member), **sorted = calloc(count + 1, sizeof *sorted);
    size_t left = 0;
    for (size_t i = 0; member != NULL && sorted != NULL && i < count; i++) {
        member[i] = (struct member){.places = job->searcher->permute->puzzle.board.places,
                                    .root = deepen_root_at(deepening, i)};
        find_image(job, &member[i]);
        sorted[i] = &member[i];
    }
    if (member != NULL && sorted != NULL) {
        qsort(sorted, count, sizeof *sorted, compare);
        for (size_t i = 1; i < count; i++)
            sorted[i]->needless = memcmp(sorted[i]->image, sorted[i - 1]->image, sorted[i]->places) == 0;
        for (size_t i = 0; i < count; i++) {
            struct permute_root *kept = deepen_root_at(deepening, left);
            *kept = *member[i].root; /* not before it */
            left += !member[i].needless;
        }
        deepening->roots = left;
    }
    const bool there = member != NULL && sorted != NULL;
    free(member);
    free(sorted);
    return there ? PDB_OK : error_no_memory(error, "the search", count * sizeof *member);
}

pdb_status permute_alike_roots(struct permute_job *job, pdb_error *error)
{
    struct deepening *deepening = &job->deepening;
    pdb_status status = PDB_OK;
    unsigned depth;
    if (job->alikes <= 1)
        return PDB_OK;
    do {
        depth = deepening->depth;
        status = deepen_grow_roots(deepening, deepening->roots + 1, 0, error);
        if (status == PDB_OK && deepening->depth > depth)
            status = merge(job, error);
    } while (status == PDB_OK && deepening->depth > depth && deepening->roots < FEW_ROOTS);
    return status;
}
