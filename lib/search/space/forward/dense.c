/* dense.c -- the search of a space with dense indices of which only the moves out of a state are known */
#include "forward.h"

#include <stdlib.h>

/* What is kept between runs, besides search_state and the distances. */
struct kept {
    uint64_t begun; /* enum begun: then there is layer 0 */
};

struct dense {
    struct retrograde search;
    struct kept kept;
    struct exact distance;
    struct forward forward;
    uint64_t hardest[RETROGRADE_HARDEST_MAX];
};

static struct dense *dense_of(struct retrograde *search)
{
    return (struct dense *)search;
}

/* How long the array of distances is. */
static uint64_t room_of(const struct puzzle *puzzle)
{
    return (puzzle->states + 63) / 64 * 64;
}

/* What it takes at least: edges and queue take of the rest what they need, and there is a way without them. */
static uint64_t dense_memory(const struct retrograde_plan *plan, unsigned width)
{
    return sizeof(struct dense) + width * room_of(plan->puzzle) +
           forward_bytes(plan->puzzle, plan->puzzle->states, plan->threads);
}

static bool dense_allocate(struct retrograde *search, const struct retrograde_plan *plan)
{
    struct dense *dense = dense_of(search);
    dense->forward = (struct forward){.search = search,
                                      .places = {.count = plan->puzzle->states},
                                      .distance = &dense->distance,
                                      .beside = sizeof *dense};
    return exact_create(&dense->distance, room_of(plan->puzzle), &search->team);
}

static void dense_release(struct retrograde *search)
{
    forward_free(&dense_of(search)->forward);
    exact_free(&dense_of(search)->distance);
}

/* All moves are to be gone through first, which the first layer does. */
static pdb_status dense_goals(struct retrograde *search, pdb_error *error)
{
    (void)error;
    search->finding = true;
    return PDB_OK;
}

static pdb_status dense_layer(struct retrograde *search, struct watch *watch, bool *done, pdb_error *error)
{
    struct dense *dense = dense_of(search);
    *done = false;
    const enum begun begun = (enum begun)dense->kept.begun;
    pdb_status status = dense->forward.ready ? PDB_OK : forward_begin(&dense->forward, begun, watch, error);
    if (status == PDB_OK && begun != FORWARD_NOT_BEGUN)
        status = forward_layer(&dense->forward, watch, done, error);
    if (dense->forward.ready)
        dense->kept.begun = forward_begun(&dense->forward);
    search->finding = dense->kept.begun == FORWARD_NOT_BEGUN;
    return status;
}

static size_t dense_parts(struct retrograde *search, struct memory_part part[RETROGRADE_PARTS_MAX])
{
    struct dense *dense = dense_of(search);
    part[0] = (struct memory_part){&dense->kept, sizeof dense->kept};
    part[1] = (struct memory_part){dense->distance.narrow, dense->distance.width * dense->distance.states};
    return 2;
}

static bool dense_fit(struct retrograde *search, const uint64_t *size, size_t count)
{
    struct exact *distance = &dense_of(search)->distance;
    const unsigned width = count == 2 ? (unsigned)(size[1] / distance->states) : 0;
    if ((width != 1 && width != 2 && width != 4) || width < distance->width || size[1] != width * distance->states ||
        size[0] != sizeof(struct kept))
        return false;
    return width == distance->width ||
           (retrograde_charge(search, (width - distance->width) * distance->states, 0, NULL) == PDB_OK &&
            exact_widen(distance, width));
}

static bool dense_resume(struct retrograde *search)
{
    struct dense *dense = dense_of(search);
    const struct exact *distance = &dense->distance;
    const uint64_t depth = search->state->depth;
    uint64_t reached = 0;
    if (dense->kept.begun > FORWARD_IN_SWEEPS)
        return false;
    for (uint64_t i = 0; dense->kept.begun != 0 && i < search->puzzle->states; i++)
        reached += exact_get(distance, i) <= depth;
    search->finding = dense->kept.begun == 0;
    return reached == search->state->reached && depth <= exact_max(distance->width);
}

static void dense_finish(struct retrograde *search, struct retrograde_result *result)
{
    struct dense *dense = dense_of(search);
    struct exact *distance = &dense->distance;
    const size_t width = encoding_bytes(result->encoding, 1);
    forward_free(&dense->forward);
    result->hardest = dense->hardest;
    result->hardest_kept = exact_list(distance, search->state->depth, dense->hardest, RETROGRADE_HARDEST_MAX);
    /* Costs may have asked for more room than the distances took. */
    for (uint64_t i = 0; distance->width > width && i < distance->states; i++)
        memmove(distance->narrow + width * i, distance->narrow + distance->width * i, width);
    if (width == 1)
        values_pack_distances(result->encoding, search->puzzle->states, distance->narrow, &search->team);
    result->bytes = distance->narrow;
}

const struct way way_forward = {.text = "forward, then over the moves kept",
                                .layout = "distances over moves",
                                .size = sizeof(struct dense),
                                .memory = dense_memory,
                                .allocate = dense_allocate,
                                .release = dense_release,
                                .goals = dense_goals,
                                .layer = dense_layer,
                                .fit = dense_fit,
                                .parts = dense_parts,
                                .resume = dense_resume,
                                .finish = dense_finish};
