/* choose.c -- which elements to keep in pattern databases
 *
 * A set of elements grows by one at a time, beginning with one that the goal asks for. Of those that have moves in
 * common with the elements kept, that one is added whose table, beside the tables that there are, has the greatest
 * mean on a sample of states: random walks from the named boards. The more work the tables are, by their entries and
 * by what it takes to leave the other elements out of the rules, the fewer are tried, those with most moves in common.
 * When no more has room, going by what it took to make the last table,
 * the best set on the way is a table; and the next set begins, until tables bring no more, or enough work is done.
 * (P. Haslum, A. Botea, M. Helmert, B. Bonet, S. Koenig, "Domain-independent construction of pattern database
 * heuristics for cost-optimal planning", 2007.)
 */
#include "lib/random.h"
#include "lookup.h"
#include "lib/families/rules/layout.h"

#include <stdlib.h>
#include <string.h>

enum {
    WALKS = 16,
    WALK_SAMPLES = 32,
    WALK_STEPS = 8, /* from one sample to the next */
    SAMPLES = WALKS * WALK_SAMPLES,
    TRIED_PART = 32,        /* of the work, for all the tables that are tried for one more element */
    LEAST_ENTRIES = 1 << 12 /* of a table there may be, however little memory there is */
};

struct choosing {
    const struct mover *mover;
    struct needs needs;
    struct lookup_work work;
    uint64_t *sample; /* SAMPLES packed states */
    uint32_t *bound;  /* of each, by the tables that there are */
    uint64_t *moved;  /* the set of elements that each move is about, then that of the goal */
    uint64_t entries_most, done;
    uint64_t entries, memory; /* of the table of those kept, and bytes that making it took */
    uint64_t *kept, *best;    /* sets of elements */
    uint32_t *common;         /* of each element: moves in common with those kept */
};

/* -- the sample -- */

static pdb_status walk(struct choosing *choosing, pdb_error *error)
{
    const struct mover *mover = choosing->mover;
    const struct rules *rules = mover->rules;
    struct moving moving = {0};
    uint64_t seed = 1;
    int32_t state[RULES_MAX_ELEMENTS];
    unsigned element;
    uint64_t *at = calloc(mover->words, sizeof *at);
    pdb_status status = moving_make(mover, &moving, error);
    for (size_t s = 0; status == PDB_OK && at != NULL && s < SAMPLES; s++) {
        if (s % WALK_SAMPLES == 0) {
            const size_t named = rules->puzzle.named_count;
            layout_start(rules, state);
            if (named > 0)
                (void)layout_read(rules, rules->puzzle.named[s / WALK_SAMPLES % named].position, state, &element);
            mover_pack(mover, state, at);
        }
        memcpy(choosing->sample + s * mover->words, at, mover->words * sizeof *at);
        for (int step = 0; step < WALK_STEPS; step++) {
            moving_expand(&moving, at);
            if (moving.count == 0)
                break;
            memcpy(at, moving_next(&moving, random_below(&seed, moving.count)), mover->words * sizeof *at);
        }
    }
    if (status == PDB_OK && at == NULL)
        status = error_no_memory(error, "pattern databases", mover->words * sizeof *at);
    moving_free(&moving);
    free(at);
    return status;
}

/* The sum of the bounds of the sample with one more table; which are noted where `note`. A state that can reach no goal
 * counts as farther than all others. */
static uint64_t worth(struct choosing *choosing, const struct lookup *lookup, bool note)
{
    const struct lookups alone = {.lookup = {*lookup}, .count = 1};
    uint64_t sum = 0;
    for (size_t s = 0; s < SAMPLES; s++) {
        uint32_t bound = lookups_bound(&alone, choosing->sample + s * choosing->mover->words);
        bound = bound == PDB_NO_DISTANCE ? lookup->most + (uint32_t)1 : bound;
        bound = bound > choosing->bound[s] ? bound : choosing->bound[s];
        sum += bound;
        if (note)
            choosing->bound[s] = bound;
    }
    return sum;
}

/* -- sets of elements -- */

static void add_needs(const struct needs *needs, uint32_t node, uint64_t *set)
{
    for (unsigned w = 0; node != NO_NODE && w < needs->words; w++)
        set[w] |= needs_of(needs, node)[w];
}

static void find_moved(struct choosing *choosing)
{
    const struct needs *needs = &choosing->needs;
    const struct ground *ground = &needs->rules->ground;
    for (size_t m = 0; m < ground->moves; m++) {
        const struct ground_move *move = &ground->move[m];
        uint64_t *set = choosing->moved + m * needs->words;
        add_needs(needs, move->condition, set);
        for (uint32_t a = move->first; a < move->first + move->count; a++) {
            const struct ground_assignment *to = &ground->assignment[a];
            add_needs(needs, to->index, set);
            add_needs(needs, to->value, set);
            for (uint32_t e = to->element; e < to->element + to->count; e++)
                set[e / 64] |= (uint64_t)1 << e % 64;
        }
    }
    add_needs(needs, ground->goal, choosing->moved + ground->moves * needs->words);
}

/* Counts, for each element, the moves in common with those kept; the goal counts as more than one. With none kept the
 * goal alone counts. */
static void count_common(struct choosing *choosing)
{
    enum { GOAL = 4 };
    const struct needs *needs = &choosing->needs;
    const size_t moves = needs->rules->ground.moves;
    bool none = true;
    for (unsigned w = 0; w < needs->words; w++)
        none = none && choosing->kept[w] == 0;
    memset(choosing->common, 0, needs->rules->elements * sizeof *choosing->common);
    for (size_t m = none ? moves : 0; m <= moves; m++) {
        const uint64_t *set = choosing->moved + m * needs->words;
        bool meet = m == moves;
        for (unsigned w = 0; w < needs->words; w++)
            meet = meet || (set[w] & choosing->kept[w]) != 0;
        for (uint32_t e = 0; meet && e < needs->rules->elements; e++)
            if (set_has(set, e))
                choosing->common[e] += m == moves ? GOAL : 1;
    }
}

/* The element with most in common that is not kept, was not tried and has room; the number of elements: there is none.
 */
static uint32_t next_element(const struct choosing *choosing)
{
    const struct rules *rules = choosing->needs.rules;
    uint32_t next = rules->elements;
    for (uint32_t e = 0; e < rules->elements; e++)
        if (choosing->common[e] > 0 && !set_has(choosing->kept, e) &&
            choosing->entries * project_range(rules, e) <= choosing->entries_most &&
            choosing->memory * project_range(rules, e) <= choosing->work.memory &&
            (next == rules->elements || choosing->common[e] > choosing->common[next]))
            next = e;
    return next;
}

static void flip(uint64_t *set, uint32_t element)
{
    set[element / 64] ^= (uint64_t)1 << element % 64;
}

/* Tries the elements that may be added to those kept. *best is the one that is worth most, or their number. */
static pdb_status try_elements(struct choosing *choosing, uint32_t *best, uint64_t *best_worth, pdb_error *error)
{
    const struct rules *rules = choosing->needs.rules;
    const uint64_t tried_most = choosing->work.most / TRIED_PART;
    uint64_t tried = 0, memory = 0;
    pdb_status status = PDB_OK;
    *best = rules->elements;
    *best_worth = 0;
    count_common(choosing);
    for (uint32_t e; status == PDB_OK && (e = next_element(choosing)) < rules->elements;) {
        struct lookup lookup;
        const uint64_t entries = choosing->entries * project_range(rules, e);
        tried += entries;
        if ((*best < rules->elements && tried > tried_most) || choosing->done >= choosing->work.most)
            break;
        choosing->common[e] = 0;
        flip(choosing->kept, e);
        status = lookup_make(choosing->mover, &choosing->needs, choosing->kept, &choosing->work, &lookup, error);
        tried += lookup.work;
        choosing->done += entries + lookup.work;
        flip(choosing->kept, e);
        const uint64_t of = status == PDB_OK ? worth(choosing, &lookup, false) : 0;
        if (status == PDB_OK && (*best == rules->elements || of > *best_worth)) {
            *best = e;
            *best_worth = of;
            memory = lookup.memory;
        }
        lookup_free(&lookup);
        status = status == PDB_NO_DATABASE ? PDB_OK : status;
    }
    choosing->memory = memory;
    return status;
}

/* Grows a set of elements: choosing->best, and what its table is worth. */
static pdb_status grow(struct choosing *choosing, uint64_t *best_worth, pdb_error *error)
{
    const struct needs *needs = &choosing->needs;
    pdb_status status = PDB_OK;
    memset(choosing->kept, 0, needs->words * sizeof *choosing->kept);
    choosing->entries = 1;
    choosing->memory = 0;
    *best_worth = 0;
    while (status == PDB_OK && choosing->done < choosing->work.most) {
        uint32_t element;
        uint64_t of;
        status = try_elements(choosing, &element, &of, error);
        if (status != PDB_OK || element == needs->rules->elements)
            break;
        flip(choosing->kept, element);
        choosing->entries *= project_range(needs->rules, element);
        if (of > *best_worth) {
            *best_worth = of;
            memcpy(choosing->best, choosing->kept, needs->words * sizeof *choosing->kept);
        }
    }
    return status;
}

/* -- tables -- */

static pdb_status add_lookups(struct choosing *choosing, uint64_t memory, struct lookups *lookups, pdb_error *error)
{
    enum { PART = 50 }; /* a table has to bring a fiftieth more */
    uint64_t now = 0, bytes = 0, best;
    pdb_status status = PDB_OK;
    while (status == PDB_OK && lookups->count < LOOKUPS_MOST && choosing->done < choosing->work.most) {
        status = grow(choosing, &best, error);
        if (status != PDB_OK || best <= now + now / PART)
            break;
        struct lookup *lookup = &lookups->lookup[lookups->count];
        status = lookup_make(choosing->mover, &choosing->needs, choosing->best, &choosing->work, lookup, error);
        bytes += lookup->entries * sizeof *lookup->entry;
        if (status != PDB_OK || (bytes > memory && lookups->count > 0)) {
            lookup_free(lookup);
            break;
        }
        lookups->count++;
        now = worth(choosing, lookup, true);
    }
    return status == PDB_NO_DATABASE ? PDB_OK : status;
}

pdb_status lookups_choose(const struct mover *mover, const struct lookup_work *work, struct lookups *lookups,
                          pdb_error *error)
{
    enum { SHARE = 4 }; /* of the memory for tables */
    const struct rules *rules = mover->rules;
    struct choosing choosing = {.mover = mover, .work = *work};
    *lookups = (struct lookups){0};
    choosing.entries_most = work->memory / SHARE / sizeof(uint16_t);
    if (choosing.entries_most < LEAST_ENTRIES)
        choosing.entries_most = LEAST_ENTRIES;
    if (choosing.work.memory < (uint64_t)LEAST_ENTRIES * 1024) /* what making the least takes */
        choosing.work.memory = (uint64_t)LEAST_ENTRIES * 1024;
    pdb_status status = needs_make(rules, &choosing.needs, error);
    if (status == PDB_OK) {
        const size_t words = choosing.needs.words;
        choosing.sample = calloc(SAMPLES * mover->words, sizeof *choosing.sample);
        choosing.bound = calloc(SAMPLES, sizeof *choosing.bound);
        choosing.moved = calloc((rules->ground.moves + 1) * words, sizeof *choosing.moved);
        choosing.kept = calloc(words, sizeof *choosing.kept);
        choosing.best = calloc(words, sizeof *choosing.best);
        choosing.common = calloc(rules->elements, sizeof *choosing.common);
        if (choosing.sample == NULL || choosing.bound == NULL || choosing.moved == NULL || choosing.kept == NULL ||
            choosing.best == NULL || choosing.common == NULL)
            status = error_no_memory(error, "pattern databases", SAMPLES * mover->words * sizeof *choosing.sample);
    }
    if (status == PDB_OK)
        status = walk(&choosing, error);
    if (status == PDB_OK) {
        find_moved(&choosing);
        status = add_lookups(&choosing, work->memory / SHARE, lookups, error);
        lookups->work = choosing.done;
    }
    needs_free(&choosing.needs);
    free(choosing.sample);
    free(choosing.bound);
    free(choosing.moved);
    free(choosing.kept);
    free(choosing.best);
    free(choosing.common);
    return status == PDB_TOO_LARGE ? PDB_OK : status;
}
