/* retrograde_state.h -- what the ways to search backward have in common: how far they have come, and who is told */
#ifndef SEARCH_SPACE_RETROGRADE_STATE_H
#define SEARCH_SPACE_RETROGRADE_STATE_H

#include "retrograde.h"

enum { HISTOGRAM_ROOM = 1 << 16 };

/* The small part of what is kept between runs. The search itself counts indices; what it tells is counted in states. */
struct search_state {
    uint64_t depth;
    uint64_t layer, reached; /* indices: of the frontier, of all layers */
    uint64_t histogram[HISTOGRAM_ROOM];
};

/* The observer and when it is due. */
struct watch {
    retrograde_observer *observer;
    void *context;
    double due;
    bool stopped; /* set by the calling thread, read by all */
};

/* Tells the observer, if it is due, that a share of the layer behind `state` is done. */
void watch_look(struct watch *watch, const struct search_state *state, double layer_done);

static inline bool watch_stopped(const struct watch *watch)
{
    return __atomic_load_n(&watch->stopped, __ATOMIC_RELAXED);
}

#endif
