/* inner.h -- what the parts of the search grade by grade share: grades.c goes from grade to grade, room.c sees to
 * memory, keep.c keeps a search, takes it up again, and ends it
 *
 * All states found lie in two arrays, of keys and of distances, a grade behind the other. The last grade is the
 * *frontier*: its ways lie beside. The grade above it is found in a table, open addressing with linear probing; a slot
 * holds a state, its key plus one, 0 for free. Once it is complete its states are put behind the others, and the table
 * is emptied. A grade that is stopped is begun anew: it is a small part of the work.
 */
#ifndef SEARCH_SPACE_GRADES_INNER_H
#define SEARCH_SPACE_GRADES_INNER_H

#include "grades.h"
#include "lib/search/space/retrograde_inner.h"

enum { GRADES_BATCH = 64, GRADES_PARTS = 4 };

/* One thread's buffers; and how many states of the frontier it has seen at each distance. */
struct grade_worker {
    struct grade_state *out;
    uint64_t seen[GRADE_FAR + 1];
};

/* What is kept between runs, besides search_state and the arrays. */
struct grades_kept {
    uint64_t grade;            /* the next one; goals of those below are in */
    uint64_t keys;             /* that are found */
    uint64_t frontier, before; /* how many of them are of the last grade, and of the one before it */
};

struct grades {
    struct retrograde search;
    struct grade_kernel *kernel;
    struct grades_kept kept;
    uint64_t *key;
    uint8_t *distance;
    uint64_t *ways; /* of the frontier */
    struct grade_state *slot;
    uint64_t slots;
    uint64_t found;        /* keys in the table */
    uint64_t expanded;     /* states of the frontier that are taken */
    uint64_t *goal, goals; /* those whose grade is still to come */
    size_t goal_room;
    bool goals_listed;
    struct grade_worker *workers;
    uint64_t hardest[RETROGRADE_HARDEST_MAX];
};

static inline struct grades *grades_of(struct retrograde *search)
{
    return (struct grades *)search;
}

/* The most keys that so many slots may hold. */
static inline uint64_t grades_room(uint64_t slots)
{
    return slots - slots / 4;
}

/* What the table must have room for besides what it holds: all that the threads may be about to put in. */
static inline uint64_t grades_spare(const struct grades *grades)
{
    return grades->search.team.threads * GRADES_BATCH * (uint64_t)grades->kernel->steps_max;
}

/* -- room.c: the way's functions of these names; room, or an error -- */
uint64_t grades_memory(const struct retrograde_plan *plan, unsigned width);
bool grades_allocate(struct retrograde *search, const struct retrograde_plan *plan);
void grades_release(struct retrograde *search);
void grades_release_buffers(struct grades *grades);
bool grades_fit(struct retrograde *search, const uint64_t *size, size_t count);

pdb_status grades_reserve_goals(struct grades *grades, uint64_t more, pdb_error *error);
/* In the arrays, for so many keys and ways. */
pdb_status grades_reserve_keys(struct grades *grades, uint64_t keys, uint64_t ways, pdb_error *error);
/* An empty table, about as large as the next grade will want it; and one that has room for so many keys more. */
pdb_status grades_take_table(struct grades *grades, pdb_error *error);
pdb_status grades_reserve_slots(struct grades *grades, uint64_t more, pdb_error *error);

/* -- keep.c: the way's functions of these names -- */
size_t grades_parts(struct retrograde *search, struct memory_part part[RETROGRADE_PARTS_MAX]);
bool grades_resume(struct retrograde *search);
void grades_finish(struct retrograde *search, struct retrograde_result *result);

#endif
