/* folded.c -- a puzzle whose keys are folded from wide ones */
#include "folded.h"

#include <stdlib.h>

enum {
    RUN = 256,
    WIDE_ROOM = 1 << 14,       /* wide keys on the stack, where that is room for the moves of one state at least */
    WIDE_MOST = UINT16_MAX + 1 /* moves of one state are no more */
};

struct folded {
    struct puzzle puzzle; /* a copy of the base's facts, but for the states and the functions */
    const struct puzzle *base;
};

static const struct puzzle *base_of(const struct puzzle *puzzle)
{
    return ((const struct folded *)puzzle)->base;
}

/* -- positions: the base's business -- */

static pdb_status folded_check(const struct puzzle *puzzle, const uint8_t *position, pdb_error *error)
{
    const struct puzzle *base = base_of(puzzle);
    return base->family->position.check(base, position, error);
}

static bool folded_is_goal(const struct puzzle *puzzle, const uint8_t *position)
{
    const struct puzzle *base = base_of(puzzle);
    return base->family->position.is_goal(base, position);
}

static pdb_status folded_moves(const struct puzzle *puzzle, const uint8_t *position, pdb_moves *moves, pdb_error *error)
{
    const struct puzzle *base = base_of(puzzle);
    return base->family->position.moves(base, position, moves, error);
}

static bool folded_image(const struct puzzle *puzzle, const uint8_t *position, unsigned symmetry, uint8_t *image)
{
    const struct puzzle *base = base_of(puzzle);
    return base->family->index.image(base, position, symmetry, image);
}

static bool folded_rank(const struct puzzle *puzzle, const uint8_t *position, uint64_t *index)
{
    const struct puzzle *base = base_of(puzzle);
    struct wide_key wide;
    return base->family->wide.rank(base, position, &wide) && parts_fold(puzzle->parts, &wide, 1, index);
}

static void folded_unrank(const struct puzzle *puzzle, uint64_t index, uint8_t *position)
{
    const struct puzzle *base = base_of(puzzle);
    struct wide_key wide;
    parts_unfold(puzzle->parts, &index, 1, &wide);
    base->family->wide.unrank(base, wide, position);
}

/* -- moves -- */

/* A batch of moves to be made. */
struct making {
    const struct puzzle *puzzle;
    bool back;
    const uint64_t *index;
    size_t count;
    uint64_t *next;
    uint32_t *cost; /* NULL: they are not asked for */
    uint16_t *next_count;
};

/* With room for so many wide keys. */
static size_t make_in(const struct making *making, struct wide_key *room, size_t size)
{
    const struct puzzle *base = base_of(making->puzzle);
    struct parts *parts = making->puzzle->parts;
    const size_t fitting = size / (base->max_moves + 1u), most = fitting > RUN * 4 ? RUN * 4 : fitting;
    struct wide_key key[RUN * 4];
    size_t all = 0;
    for (size_t done = 0, run; done < making->count; done += run) {
        run = making->count - done < most ? making->count - done : most;
        parts_unfold(parts, making->index + done, run, key);
        uint16_t *next_count = making->next_count + done;
        const size_t made = making->back && base->family->wide.predecessors != NULL
                                ? base->family->wide.predecessors(base, key, run, room, next_count)
                                : base->family->wide.successors(base, key, run, room,
                                                                making->cost == NULL ? NULL : making->cost + all,
                                                                next_count);
        parts_fold(parts, room, made, making->next + all);
        all += made;
    }
    return all;
}

__attribute__((noinline)) static size_t make_few(const struct making *making)
{
    struct wide_key room[WIDE_ROOM];
    return make_in(making, room, WIDE_ROOM);
}

__attribute__((noinline)) static size_t make_many(const struct making *making)
{
    struct wide_key room[WIDE_MOST];
    return make_in(making, room, WIDE_MOST);
}

static size_t make(const struct making *making)
{
    return (making->puzzle->max_moves < WIDE_ROOM ? make_few : make_many)(making);
}

static size_t folded_successors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                                uint16_t *next_count)
{
    return make(&(struct making){puzzle, false, index, count, next, NULL, next_count});
}

static size_t folded_costed_successors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                                       uint32_t *cost, uint16_t *next_count)
{
    return make(&(struct making){puzzle, false, index, count, next, cost, next_count});
}

static size_t folded_predecessors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                                  uint16_t *next_count)
{
    return make(&(struct making){puzzle, true, index, count, next, NULL, next_count});
}

static size_t folded_counted_successors(const struct puzzle *puzzle, uint64_t index, uint64_t *next, uint64_t *moves)
{
    const struct puzzle *base = base_of(puzzle);
    struct wide_key room[WIDE_MOST], key;
    parts_unfold(puzzle->parts, &index, 1, &key);
    const size_t count = base->family->wide.counted_successors(base, key, room, moves);
    parts_fold(puzzle->parts, room, count, next);
    return count;
}

/* -- goals and starts -- */

static void folded_are_goals(const struct puzzle *puzzle, const uint64_t *index, size_t count, bool *goal)
{
    const struct puzzle *base = base_of(puzzle);
    struct wide_key key[RUN];
    for (size_t done = 0, run; done < count; done += run) {
        run = count - done < RUN ? count - done : RUN;
        parts_unfold(puzzle->parts, index + done, run, key);
        base->family->wide.are_goals(base, key, run, goal + done);
    }
}

struct visit {
    struct parts *parts;
    goal_visitor *visit;
    void *context;
};

static pdb_status visit_wide(void *context, const struct wide_key *wide, size_t count, pdb_error *error)
{
    const struct visit *visit = context;
    uint64_t key[RUN];
    pdb_status status = PDB_OK;
    size_t done = 0;
    do {
        const size_t run = count - done < RUN ? count - done : RUN;
        if (!parts_fold(visit->parts, wide + done, run, key) && parts_full(visit->parts))
            return error_no_memory(error, "the table of high parts", parts_bytes(visit->parts));
        status = visit->visit(visit->context, key, run, error);
        done += run;
    } while (status == PDB_OK && done < count);
    return status;
}

static pdb_status folded_goals(const struct puzzle *puzzle, goal_visitor *visit, void *context, pdb_error *error)
{
    const struct puzzle *base = base_of(puzzle);
    struct visit all = {puzzle->parts, visit, context};
    return base->family->wide.goals(base, visit_wide, &all, error);
}

static pdb_status folded_starts(const struct puzzle *puzzle, goal_visitor *visit, void *context, pdb_error *error)
{
    const struct puzzle *base = base_of(puzzle);
    struct visit all = {puzzle->parts, visit, context};
    return base->family->wide.starts == NULL ? PDB_OK : base->family->wide.starts(base, visit_wide, &all, error);
}

static void folded_weights(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint16_t *weight)
{
    const struct puzzle *base = base_of(puzzle);
    struct wide_key key[RUN];
    for (size_t done = 0, run; done < count; done += run) {
        run = count - done < RUN ? count - done : RUN;
        parts_unfold(puzzle->parts, index + done, run, key);
        base->family->wide.weights(base, key, run, weight + done);
    }
}

static void folded_bounds(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint16_t *bound)
{
    const struct puzzle *base = base_of(puzzle);
    struct wide_key key[RUN];
    for (size_t done = 0, run; done < count; done += run) {
        run = count - done < RUN ? count - done : RUN;
        parts_unfold(puzzle->parts, index + done, run, key);
        base->family->wide.bounds(base, key, run, bound + done);
    }
}

/* -- making one -- */

static const struct family folded_family = {
    .name = "folded",
    .summary = "a puzzle whose keys are folded from wide ones",
    .position = {.check = folded_check,
                 .is_goal = folded_is_goal,
                 .moves = folded_moves,
                 .rank = folded_rank,
                 .unrank = folded_unrank},
    .index = {.successors = folded_successors,
              .predecessors = folded_predecessors,
              .costed_successors = folded_costed_successors,
              .goals = folded_goals,
              .are_goals = folded_are_goals,
              .starts = folded_starts},
};

pdb_status folded_create(const struct puzzle *base, struct parts *parts, struct puzzle **out, pdb_error *error)
{
    struct folded *folded = malloc(sizeof *folded);
    pdb_status status = folded == NULL  ? error_no_memory(error, "the puzzle", sizeof *folded)
                        : parts == NULL ? parts_create(&parts, error)
                                        : PDB_OK;
    *out = NULL;
    if (status != PDB_OK) {
        free(folded);
        parts_free(parts);
        return status;
    }
    folded->puzzle = *base;
    folded->base = base;
    puzzle_use(&folded->puzzle, &folded_family);
    struct index_functions *index = &folded->puzzle.functions.index;
    index->chains = base->family->index.chains;
    if (base->family->wide.counted_successors != NULL)
        index->counted_successors = index->branches = folded_counted_successors;
    if (base->family->wide.weights != NULL) {
        index->weights = folded_weights;
        index->image = folded_image;
    }
    if (base->family->wide.bounds != NULL)
        folded->puzzle.functions.single = (struct board_functions){.bounds = folded_bounds,
                                                                   .bound_text = base->family->single.bound_text};
    folded->puzzle.states = PARTS_KEYS;
    folded->puzzle.keyed = true;
    folded->puzzle.wide = false;
    folded->puzzle.parts = parts;
    *out = &folded->puzzle;
    return PDB_OK;
}

void folded_free(struct puzzle *puzzle)
{
    if (puzzle == NULL)
        return;
    parts_free(puzzle->parts);
    free(puzzle);
}
