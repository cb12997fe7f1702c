/* plan.c -- the cheapest member of a coset: in which order to decide functionals, and which of them become one
 * (coset.h)
 */
#include "coset.h"
#include "lib/numbers.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHOICES = 64,          /* functionals that are tried at each level */
    CHOICE_WORK = 1 << 20, /* entries that are looked at for that */
    NO_COORDINATE = 0xFFFF
};

/* The classes of a level while a plan is made: functionals as their coefficients, `stride` bytes each. */
struct classes {
    unsigned count;
    uint8_t *functional; /* the first is 0 */
    uint32_t *entries;   /* how many entries of the vector are in each */
};

struct planner {
    unsigned modulus, dimensions;
    size_t stride;
    const uint8_t *radix; /* of each coordinate; 1 once it is decided */
    struct classes now, next;
    struct coset_link *link;
    uint16_t *slot; /* a hash table of next's classes: 0 is free, for class 0 is never looked up */
    size_t slots;
    uint8_t inverse[SPAN_MAX_MODULUS]; /* of units; 0 for other numbers */
};

/* A functional to decide: its coefficients, and the coordinate that it takes the place of, whose coefficient is a
 * unit. */
struct choice {
    const uint8_t *functional;
    unsigned coordinate;
};

static uint8_t *functional_of(const struct planner *planner, const struct classes *classes, unsigned class)
{
    return classes->functional + class * planner->stride;
}

/* Multiplies a functional by the unit that makes its first coefficient least; returns the unit's inverse. */
static uint8_t normalise(const struct planner *planner, uint8_t *functional)
{
    size_t first = 0;
    while (functional[first] == 0)
        first++;
    unsigned best = 1;
    for (unsigned unit = 2; unit < planner->modulus; unit++)
        if (planner->inverse[unit] != 0 &&
            unit * functional[first] % planner->modulus < best * functional[first] % planner->modulus)
            best = unit;
    if (best != 1)
        for (size_t i = 0; i < planner->stride; i++)
            functional[i] = (uint8_t)(best * functional[i] % planner->modulus);
    return planner->inverse[best];
}

static size_t hash(const uint8_t *functional, size_t stride)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < stride; i += sizeof sum) {
        uint64_t word;
        memcpy(&word, functional + i, sizeof word);
        sum = (sum ^ word) * 0x9E3779B97F4A7C15u;
        sum ^= sum >> 29;
    }
    return (size_t)(sum >> 20);
}

/* Makes the functional that stands behind next's last class, times a unit, one of its classes, with so many entries
 * more: class 0 where it is 0, the class that has it already, or a new one. The link leads to it. */
static void take_class(struct planner *planner, unsigned entries, struct coset_link *link)
{
    struct classes *next = &planner->next;
    uint8_t *functional = functional_of(planner, next, next->count);
    const bool zero = functional[0] == 0 && memcmp(functional, functional + 1, planner->stride - 1) == 0;
    link->back = zero ? 1 : normalise(planner, functional);
    link->to = 0;
    if (!zero) {
        size_t at = hash(functional, planner->stride) & (planner->slots - 1);
        while (planner->slot[at] != 0 &&
               memcmp(functional_of(planner, next, planner->slot[at]), functional, planner->stride) != 0)
            at = (at + 1) & (planner->slots - 1);
        if (planner->slot[at] == 0) {
            next->entries[next->count] = 0;
            planner->slot[at] = (uint16_t)next->count++;
        }
        link->to = planner->slot[at];
    }
    next->entries[link->to] += entries;
}

static void begin_classes(struct planner *planner)
{
    memset(planner->slot, 0, planner->slots * sizeof *planner->slot);
    memset(planner->next.functional, 0, planner->stride);
    planner->next.entries[0] = 0;
    planner->next.count = 1;
}

/* Works out the next level's classes, and the links to them, if `choice` is decided now. */
static void decide(struct planner *planner, const struct choice *choice)
{
    const unsigned modulus = planner->modulus;
    const unsigned inverse = planner->inverse[choice->functional[choice->coordinate]];
    begin_classes(planner);
    for (unsigned class = 0; class < planner->now.count; class ++) {
        /* The multiple of the decided functional that has the class's coefficient at the coordinate is taken off: what
         * is left does not depend on the coordinate, and is the same for all classes that differ by a multiple. */
        const uint8_t *old = functional_of(planner, &planner->now, class);
        uint8_t *rest = functional_of(planner, &planner->next, planner->next.count);
        const unsigned coefficient = inverse * old[choice->coordinate] % modulus;
        memcpy(rest, old, planner->stride);
        if (coefficient != 0)
            span_add(rest, choice->functional, planner->stride, modulus - coefficient, modulus);
        planner->link[class].coefficient = (uint8_t)coefficient;
        take_class(planner, planner->now.entries[class], &planner->link[class]);
    }
}

/* -- which functional to decide -- */

struct candidate {
    uint32_t entries;
    uint16_t class;
    uint16_t coordinate;
};

static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *first = a, *second = b;
    if (first->entries != second->entries)
        return first->entries > second->entries ? -1 : 1;
    return first->class - second->class;
}

/* The first coordinate whose place a functional can take, as all its values are possible. */
static unsigned pivot(const struct planner *planner, const uint8_t *functional)
{
    for (unsigned i = 0; i < planner->dimensions; i++)
        if (planner->radix[i] == planner->modulus && planner->inverse[functional[i]] != 0)
            return i;
    return NO_COORDINATE;
}

/* The classes that can be decided, those of most entries first; how many. */
static unsigned find_candidates(const struct planner *planner, struct candidate *candidate)
{
    unsigned count = 0;
    for (unsigned class = 1; class < planner->now.count; class ++) {
        const unsigned coordinate = pivot(planner, functional_of(planner, &planner->now, class));
        if (coordinate != NO_COORDINATE)
            candidate[count++] = (struct candidate){
                .entries = planner->now.entries[class], .class = (uint16_t) class, .coordinate = (uint16_t)coordinate};
    }
    qsort(candidate, count, sizeof *candidate, compare_candidates);
    return count;
}

/* Decides the functional that leaves the fewest classes, into `next` and `link`, and returns the coordinate that is
 * gone. `unit` holds a coordinate's own functional, where no class can be decided. */
static unsigned decide_best(struct planner *planner, struct candidate *candidate, uint8_t *unit)
{
    const size_t tries = CHOICE_WORK / (planner->now.count * planner->stride) + 1;
    struct choice best = {.functional = NULL};
    unsigned candidates = find_candidates(planner, candidate), fewest = UINT16_MAX;
    for (unsigned i = 0; i < candidates && i < tries && i < CHOICES; i++) {
        const struct choice choice = {.functional = functional_of(planner, &planner->now, candidate[i].class),
                                      .coordinate = candidate[i].coordinate};
        decide(planner, &choice);
        if (planner->next.count < fewest) {
            fewest = planner->next.count;
            best = choice;
        }
    }
    if (best.functional == NULL) {
        memset(unit, 0, planner->stride);
        best.functional = unit;
        while (planner->radix[best.coordinate] == 1)
            best.coordinate++;
        unit[best.coordinate] = 1;
    }
    decide(planner, &best);
    return best.coordinate;
}

/* -- the plan -- */

/* How many prime factors a number has. */
static unsigned prime_factors(unsigned number)
{
    unsigned factors = 0;
    for (unsigned prime = 2; number > 1; prime++)
        for (; number % prime == 0; number /= prime)
            factors++;
    return factors;
}

/* Sets a level up with the classes of `now`. Returns whether they are independent: then there are as many choices of
 * their values as members of the group left. Members are a subgroup of the choices, so it is enough to count the prime
 * factors of both numbers. */
static pdb_status add_level(struct coset_plan *plan, const struct planner *planner, bool *independent, pdb_error *error)
{
    struct coset_level *level = &plan->level[plan->levels];
    unsigned choices = 0, members = 0; /* their prime factors */
    level->classes = planner->now.count;
    level->step = malloc(level->classes);
    if (level->step == NULL)
        return error_no_memory(error, "the classes of buttons", level->classes);
    for (unsigned class = 0; class < level->classes; class ++) {
        const uint8_t *functional = functional_of(planner, &planner->now, class);
        unsigned step = planner->modulus;
        for (unsigned i = 0; i < planner->dimensions; i++)
            step = common_divisor(step, functional[i]);
        level->step[class] = (uint8_t)step;
        choices += prime_factors(planner->modulus / step);
    }
    for (unsigned i = 0; i < planner->dimensions; i++)
        members += prime_factors(planner->radix[i]);
    *independent = choices == members;
    return PDB_OK;
}

/* Decides one functional after another, until the rest are independent. */
static pdb_status make_levels(struct coset_plan *plan, struct planner *planner, uint8_t *radix,
                              struct candidate *candidate, uint8_t *unit, pdb_error *error)
{
    for (;;) {
        bool independent = true;
        pdb_status status = add_level(plan, planner, &independent, error);
        if (status != PDB_OK || independent)
            return status;
        struct coset_level *level = &plan->level[plan->levels];
        const unsigned coordinate = decide_best(planner, candidate, unit);
        level->radix = radix[coordinate];
        radix[coordinate] = 1;
        plan->levels++; /* from here on the level above is complete but for its links */
        level->link = malloc(level->classes * sizeof *level->link);
        if (level->link == NULL)
            return error_no_memory(error, "the classes of buttons", level->classes * sizeof *level->link);
        memcpy(level->link, planner->link, level->classes * sizeof *level->link);
        const struct classes done = planner->now;
        planner->now = planner->next;
        planner->next = done;
    }
}

/* The classes of level 0: the functionals of the entries. */
static void classify_entries(struct planner *planner, const struct span *group, struct coset_plan *plan)
{
    begin_classes(planner);
    for (unsigned entry = 0; entry < group->length; entry++) {
        uint8_t *functional = functional_of(planner, &planner->next, planner->next.count);
        memset(functional, 0, planner->stride);
        for (unsigned j = 0; j < group->digits; j++)
            functional[j] = group->row[(size_t)j * group->stride + entry];
        take_class(planner, 1, &plan->link[entry]);
    }
    const struct classes empty = planner->now;
    planner->now = planner->next;
    planner->next = empty;
}

pdb_status coset_plan_make(const struct span *group, struct coset_plan *plan, pdb_error *error)
{
    const unsigned most = group->length + 2; /* classes: the entries', the constant, and one that is being looked up */
    struct planner planner = {.modulus = group->modulus, .dimensions = group->digits, .slots = 16};
    planner.stride = (group->digits + sizeof(uint64_t)) / sizeof(uint64_t) * sizeof(uint64_t);
    while (planner.slots < 2 * (size_t)most)
        planner.slots *= 2;
    *plan = (struct coset_plan){.modulus = group->modulus, .length = group->length, .dimensions = group->digits};
    plan->level = calloc(group->digits + 1u, sizeof *plan->level);
    plan->link = calloc(group->length + 1u, sizeof *plan->link);
    uint8_t *functionals = calloc(2 * (size_t)most + 1, planner.stride), *radix = malloc(group->digits + 1u);
    uint32_t *entries = calloc(2 * (size_t)most, sizeof *entries);
    struct candidate *candidate = calloc(most, sizeof *candidate);
    planner.link = calloc(most, sizeof *planner.link);
    planner.slot = calloc(planner.slots, sizeof *planner.slot);
    pdb_status status = PDB_OK;
    if (plan->level == NULL || plan->link == NULL || functionals == NULL || radix == NULL || entries == NULL ||
        candidate == NULL || planner.link == NULL || planner.slot == NULL)
        status = error_no_memory(error, "the classes of buttons", 2 * most * planner.stride);
    if (status == PDB_OK) {
        planner.radix = radix;
        planner.now = (struct classes){.functional = functionals, .entries = entries};
        planner.next = (struct classes){.functional = functionals + most * planner.stride, .entries = entries + most};
        for (unsigned j = 0; j < group->digits; j++)
            radix[j] = group->digit[j].radix;
        for (unsigned a = 1; a < planner.modulus; a++)
            for (unsigned b = 1; b < planner.modulus; b++)
                if (a * b % planner.modulus == 1)
                    planner.inverse[a] = (uint8_t)b;
        classify_entries(&planner, group, plan);
        status = make_levels(plan, &planner, radix, candidate, functionals + 2 * most * planner.stride, error);
    }
    free(functionals);
    free(radix);
    free(entries);
    free(candidate);
    free(planner.link);
    free(planner.slot);
    if (status != PDB_OK)
        coset_plan_free(plan);
    return status;
}

void coset_plan_free(struct coset_plan *plan)
{
    for (unsigned i = 0; plan->level != NULL && i <= plan->levels; i++) {
        free(plan->level[i].step);
        free(plan->level[i].link);
    }
    free(plan->level);
    free(plan->link);
    *plan = (struct coset_plan){0};
}
