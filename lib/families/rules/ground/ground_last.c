/* ground_last.c -- last(next for p from start while condition): its steps written out
 *
 * As many steps as there can be. Each value that p may have is put in, which tells the values that may follow it. Where
 * no value can follow after so many steps, these are all. Where values follow in circles, it either ends before any
 * value comes twice, or never: then it is none. What goes on for more than TERM_MOST_STEPS steps is none as well.
 */
#include "ground_inner.h"

#include <string.h>

/* Values in a window around those to begin with; the last place stands for none. */
enum { WINDOW = 3072, MARGIN = 1024, PLACES = WINDOW + 1 };

struct follow {
    int32_t base;                   /* the value of place 0 */
    int32_t lo[PLACES], hi[PLACES]; /* the values that may follow; lo > hi: none does */
    bool known[PLACES];
    uint16_t queue[PLACES]; /* the places that are known */
    unsigned count;
};

/* Adds these values; false where they are not all within the window. */
static bool add_values(struct follow *follow, int32_t lo, int32_t hi)
{
    if (lo <= hi && (lo < follow->base || (int64_t)hi >= (int64_t)follow->base + WINDOW))
        return false;
    for (int32_t value = lo; value <= hi; value++) {
        const int32_t place = value - follow->base;
        if (!follow->known[place])
            follow->queue[follow->count++] = (uint16_t)place;
        follow->known[place] = true;
    }
    return true;
}

/* One step from what is in the slot: *next is where to, *goes whether it is made. */
static void take_step(struct grounding *grounding, const struct term *term, uint32_t *next, uint32_t *goes)
{
    struct dag *dag = grounding->dag;
    *next = 0;
    *goes = term->b == NO_TERM ? dag_number(dag, 1) : dag_truth(dag, ground_term(grounding, term->b));
    if (ground_has_failed(grounding) || dag_is(dag, *goes, false))
        return;
    *next = ground_term(grounding, term->a);
    if (ground_has_failed(grounding))
        return;
    const uint32_t missing = dag_binary(dag, DAG_EQUAL, *next, dag_number(dag, RULES_NONE));
    *goes = dag_binary(dag, DAG_AND, *goes, dag_unary(dag, DAG_NOT, missing));
}

/* Which values may follow which; false where there are too many. */
static bool find_values(struct grounding *grounding, const struct term *term, const struct dag_node *start,
                        struct follow *follow)
{
    const bool small = (int64_t)start->hi - start->lo < WINDOW - 2 * MARGIN;
    follow->base = start->lo - MARGIN;
    follow->count = 0;
    memset(follow->known, 0, sizeof follow->known);
    if (!small || !add_values(follow, start->lo, start->hi))
        return false;
    if (start->may_be_none)
        follow->queue[follow->count++] = WINDOW;
    for (unsigned i = 0; i < follow->count; i++) {
        const uint16_t place = follow->queue[i];
        uint32_t next, goes;
        grounding->slot[term->slot] = dag_number(grounding->dag,
                                                 place == WINDOW ? RULES_NONE : follow->base + (int32_t)place);
        take_step(grounding, term, &next, &goes);
        if (ground_has_failed(grounding))
            return false;
        const struct dag_node *to = &grounding->dag->node[next];
        const bool ends = dag_is(grounding->dag, goes, false);
        follow->lo[place] = ends ? 1 : to->lo;
        follow->hi[place] = ends ? 0 : to->hi;
        if (!ends && !add_values(follow, to->lo, to->hi))
            return false;
    }
    return true;
}

static unsigned leader_of(const uint16_t *leader, unsigned place)
{
    while (leader[place] != place)
        place = leader[place];
    return place;
}

/* The most values that lead to one another: no walk has more different ones. */
static unsigned most_together(const struct follow *follow)
{
    uint16_t leader[PLACES], size[PLACES];
    unsigned most = 0;
    for (unsigned i = 0; i < PLACES; i++) {
        leader[i] = (uint16_t)i;
        size[i] = 1;
    }
    for (unsigned i = 0; i < follow->count; i++) {
        const uint16_t place = follow->queue[i];
        for (int32_t value = follow->lo[place]; value <= follow->hi[place]; value++) {
            const unsigned a = leader_of(leader, place), b = leader_of(leader, (unsigned)(value - follow->base));
            const unsigned large = size[a] < size[b] ? b : a, little = large == a ? b : a;
            if (a != b) {
                leader[little] = (uint16_t)large;
                size[large] = (uint16_t)(size[large] + size[little]);
            }
        }
        const unsigned together = size[leader_of(leader, place)];
        most = together > most ? together : most;
    }
    return most;
}

/* After how many steps, up to `most`, no value can be left; most + 1 where some can. */
static unsigned longest_walk(const struct follow *follow, unsigned most)
{
    bool at[PLACES], next[PLACES];
    bool some = true;
    unsigned steps = 0;
    memset(at, 0, sizeof at);
    for (unsigned i = 0; i < follow->count; i++)
        at[follow->queue[i]] = true;
    for (; some && steps <= most; steps++) {
        some = false;
        memset(next, 0, sizeof next);
        for (unsigned i = 0; i < follow->count; i++) {
            const uint16_t place = follow->queue[i];
            for (int32_t value = follow->lo[place]; at[place] && value <= follow->hi[place]; value++)
                some = next[value - follow->base] = true;
        }
        memcpy(at, next, sizeof at);
    }
    return some ? most + 1 : steps - 1;
}

/* How many steps to write out; *ends: after these it has ended. */
static unsigned count_steps(struct grounding *grounding, const struct term *term, uint32_t start, bool *ends)
{
    struct follow follow;
    const struct dag_node from = grounding->dag->node[start];
    *ends = false;
    if (!find_values(grounding, term, &from, &follow))
        return TERM_MOST_STEPS;
    const unsigned together = most_together(&follow), most = together < TERM_MOST_STEPS ? together : TERM_MOST_STEPS,
                   longest = longest_walk(&follow, most);
    *ends = longest <= most;
    return *ends ? longest : most;
}

uint32_t ground_last(struct grounding *grounding, const struct term *term)
{
    struct dag *dag = grounding->dag;
    uint32_t at = ground_term(grounding, term->c), next, goes;
    const uint32_t hidden = grounding->slot[term->slot];
    bool ends = false;
    const unsigned steps = ground_has_failed(grounding) ? 0 : count_steps(grounding, term, at, &ends);
    for (unsigned s = 0; s < steps + !ends && !ground_has_failed(grounding); s++) {
        grounding->slot[term->slot] = at;
        take_step(grounding, term, &next, &goes);
        if (ground_has_failed(grounding) || dag_is(dag, goes, false))
            break;
        at = dag_select(dag, goes, s < steps ? next : dag_number(dag, RULES_NONE), at);
    }
    grounding->slot[term->slot] = hidden;
    return ground_has_failed(grounding) ? 0 : at;
}
