/* room.c -- the search grade by grade: its memory, which grows with what is found */
#include "inner.h"
#include "lib/memory/array.h"
#include "lib/search/space/home.h"
#include "lib/text.h"

enum { FIRST_KEYS = 1 << 8 };

/* -- what is taken -- */

static uint64_t worker_bytes(const struct grade_kernel *kernel)
{
    return sizeof(struct grade_worker) + GRADES_BATCH * kernel->steps_max * sizeof(struct grade_state);
}

static uint64_t base_bytes(const struct grade_kernel *kernel, unsigned threads)
{
    return sizeof(struct grades) + kernel->bytes + threads * worker_bytes(kernel);
}

/* What is known beforehand: the rest depends on what is found. */
uint64_t grades_memory(const struct retrograde_plan *plan, unsigned width)
{
    (void)width;
    return base_bytes(plan->grades, plan->threads);
}

bool grades_allocate(struct retrograde *search, const struct retrograde_plan *plan)
{
    struct grades *grades = grades_of(search);
    const size_t room = GRADES_BATCH * plan->grades->steps_max;
    grades->kernel = plan->grades;
    grades->workers = calloc(plan->threads, sizeof *grades->workers);
    for (unsigned t = 0; grades->workers != NULL && t < plan->threads; t++) {
        grades->workers[t].out = malloc(room * sizeof *grades->workers[t].out);
        if (grades->workers[t].out == NULL)
            return false;
    }
    return grades->workers != NULL;
}

void grades_release_buffers(struct grades *grades)
{
    for (unsigned t = 0; grades->workers != NULL && t < grades->search.team.threads; t++)
        free(grades->workers[t].out);
    free(grades->workers);
    free(grades->ways);
    free(grades->slot);
    free(grades->goal);
    grades->workers = NULL;
    grades->ways = grades->goal = NULL;
    grades->slot = NULL;
}

void grades_release(struct retrograde *search)
{
    struct grades *grades = grades_of(search);
    grades_release_buffers(grades);
    free(grades->key);
    free(grades->distance);
    if (grades->kernel != NULL)
        grades->kernel->free(grades->kernel);
}

/* All, if there are so many keys in the arrays, ways, slots and goals. */
static uint64_t all_bytes(const struct grades *grades, uint64_t keys, uint64_t ways, uint64_t slots)
{
    const struct retrograde *search = &grades->search;
    return base_bytes(grades->kernel, search->team.threads) + retrograde_state_bytes(search->room) +
           keys * (sizeof(uint64_t) + 1) + ways * sizeof(uint64_t) + pages_bytes(slots * sizeof(struct grade_state)) +
           grades->goal_room * sizeof(uint64_t);
}

static pdb_status charge(struct grades *grades, uint64_t bytes, pdb_error *error)
{
    struct retrograde *search = &grades->search;
    if (bytes > search->limit) {
        char found[NUMBER_TEXT_MAX], allowed[NUMBER_TEXT_MAX];
        return error_set(error, PDB_TOO_LARGE, "%s: %s states were found, and more do not fit in %s of memory",
                         search->puzzle->name, number_text(grades->kept.keys + grades->found, found),
                         size_text(search->limit, allowed));
    }
    search->memory = bytes > search->memory ? bytes : search->memory;
    return PDB_OK;
}

/* -- the arrays -- */

pdb_status grades_reserve_goals(struct grades *grades, uint64_t more, pdb_error *error)
{
    const uint64_t needed = grades->goals + more;
    if (needed <= grades->goal_room)
        return PDB_OK;
    pdb_status status = charge(grades,
                               all_bytes(grades, grades->kept.keys, grades->kept.frontier, grades->slots) +
                                   2 * needed * sizeof(uint64_t),
                               error);
    if (status == PDB_OK && !array_reserve(&grades->goal, &grades->goal_room, needed, sizeof *grades->goal))
        status = error_no_memory(error, "the goals", 2 * needed * sizeof *grades->goal);
    return status;
}

/* Makes an array so long; the old one stays where memory is short. */
static bool lengthen(void *array, uint64_t count, size_t element)
{
    void *held;
    memcpy(&held, array, sizeof held);
    void *longer = reallocarray(held, count > 0 ? count : 1, element);
    if (longer == NULL)
        return false;
    memcpy(array, &longer, sizeof longer);
    /* cppcheck-suppress memleak; the array's pointer is `longer` now */
    return true;
}

pdb_status grades_reserve_keys(struct grades *grades, uint64_t keys, uint64_t ways, pdb_error *error)
{
    pdb_status status = charge(grades, all_bytes(grades, keys, ways, grades->slots), error);
    if (status == PDB_OK &&
        (!lengthen(&grades->key, keys, sizeof *grades->key) || !lengthen(&grades->distance, keys, 1) ||
         !lengthen(&grades->ways, ways, sizeof *grades->ways)))
        status = error_no_memory(error, "the states' keys", keys * (sizeof(uint64_t) + 1));
    return status;
}

/* -- the table -- */

static uint64_t slots_for(uint64_t keys)
{
    return keys + keys / 2;
}

/* Takes a table for so many keys, without any yet, beside one of `beside` slots. */
static pdb_status take_slots(struct grades *grades, uint64_t keys, uint64_t beside, struct grade_state **slot,
                             pdb_error *error)
{
    const uint64_t slots = slots_for(keys), bytes = slots * sizeof **slot;
    pdb_status status = charge(
        grades, all_bytes(grades, grades->kept.keys, grades->kept.frontier, beside) + pages_bytes(bytes), error);
    *slot = status == PDB_OK ? pages_take(bytes) : NULL;
    if (*slot == NULL)
        return status != PDB_OK ? status : error_no_memory(error, "the table of states", bytes);
    pages_fill(*slot, 0, bytes, &grades->search.team);
    return PDB_OK;
}

/* Grades grow and shrink ever more slowly, so the next one is seldom larger than the last two let one expect. */
pdb_status grades_take_table(struct grades *grades, pdb_error *error)
{
    const double last = (double)grades->kept.frontier, before = (double)grades->kept.before;
    const double expected = before > 0 ? last * last / before : 4 * last;
    uint64_t keys = (uint64_t)(expected < 8 * last ? expected : 8 * last) + grades_spare(grades) + FIRST_KEYS;
    free(grades->slot);
    grades->slot = NULL;
    grades->slots = grades->found = 0;
    pdb_status status = take_slots(grades, keys, 0, &grades->slot, error);
    while (status == PDB_TOO_LARGE && keys > 2 * (grades_spare(grades) + FIRST_KEYS)) {
        keys /= 2;
        status = take_slots(grades, keys, 0, &grades->slot, error);
    }
    grades->slots = status == PDB_OK ? slots_for(keys) : 0;
    return status;
}

/* All that is in the table goes into a larger one. */
static void move_slots(const struct grades *grades, struct grade_state *larger, uint64_t slots)
{
    for (uint64_t i = 0, left = grades->found; left > 0; i++) {
        const struct grade_state *slot = &grades->slot[i];
        if (slot->key == 0)
            continue;
        uint64_t at = home_of(slot->key - 1, slots);
        while (larger[at].key != 0)
            at = at + 1 < slots ? at + 1 : 0;
        larger[at] = *slot;
        left--;
    }
}

/* By half, or by as much as is wanted. */
pdb_status grades_reserve_slots(struct grades *grades, uint64_t more, pdb_error *error)
{
    const uint64_t needed = grades->found + more, half = grades->found + grades->found / 2;
    struct grade_state *larger = NULL;
    uint64_t keys = needed > half ? needed : half;
    if (needed <= grades_room(grades->slots))
        return PDB_OK;
    pdb_status status = take_slots(grades, keys, grades->slots, &larger, error);
    if (status == PDB_TOO_LARGE && keys > needed) {
        keys = needed;
        status = take_slots(grades, keys, grades->slots, &larger, error);
    }
    if (status != PDB_OK)
        return status;
    move_slots(grades, larger, slots_for(keys));
    free(grades->slot);
    grades->slot = larger;
    grades->slots = slots_for(keys);
    return PDB_OK;
}

/* -- a search that was kept -- */

/* Makes the arrays as large as those of a search that has come further. */
bool grades_fit(struct retrograde *search, const uint64_t *size, size_t count)
{
    struct grades *grades = grades_of(search);
    if (count != GRADES_PARTS)
        return false;
    const uint64_t keys = size[2], frontier = size[3] / sizeof(uint64_t);
    if (keys < grades->kept.keys || frontier > keys || size[1] / sizeof(uint64_t) != keys ||
        grades_reserve_keys(grades, keys, frontier, NULL) != PDB_OK)
        return false;
    grades->kept.keys = keys;
    grades->kept.frontier = frontier;
    return true;
}
