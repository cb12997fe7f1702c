/* script.c -- what a layer reads and writes, and when: decided before it begins
 *
 * The layer's steps are the slabs that may find something, part by part. Going through them with a list of what is in
 * each frame says which runs have to be brought, and which gives way: of all frames that no step at hand takes, the one
 * whose run is taken again last (L. A. Belady, "A study of replacement algorithms for a virtual-storage computer",
 * 1966). Within the layer that is known; for the layers after it, it is assumed that every slab has news and none is
 * full. A frame of the step before gives way only where there is no other, so that runs can be brought meanwhile.
 */
#include "runs.h"

#include <string.h>

enum { LAYERS_AHEAD = 4 }; /* after so many a plane has its turn again, with either number of planes */

/* When a run is taken again, in places from the layer's beginning on, if not in what is left of this one. */
static uint32_t taken_later(const struct runs *runs, uint64_t run, uint64_t depth, bool full)
{
    const uint64_t slab = run / runs->planes, place = runs_place(runs, slab);
    const bool coloured = runs->puzzle->coloured;
    if (!runs_own(runs, slab)) /* it is dropped */
        return UINT32_MAX - 1;
    for (uint64_t ahead = 1; ahead <= LAYERS_AHEAD; ahead++) {
        const uint64_t next = depth + ahead;
        uint64_t first = RUN_NO_STEP;
        if (!full && (!coloured || runs->colour[slab] == (next & 1)))
            first = place;
        if (run % runs->planes == layer_residue(runs->planes, next - 1) &&
            (!coloured || runs->colour[slab] == ((next - 1) & 1)) && runs->first_asker[slab] < first)
            first = runs->first_asker[slab];
        if (first != RUN_NO_STEP)
            return (uint32_t)(ahead * runs->slabs + first);
    }
    return UINT32_MAX - 1;
}

/* -- steps -- */

/* What a script is written for: a layer, as it is; or as it is at most, where every slab has news and none is full. */
struct occasion {
    uint64_t depth;
    bool most;
};

static bool has_news(const struct runs *runs, const struct occasion *occasion, uint64_t slab)
{
    if (!occasion->most)
        return runs->news[slab];
    return !runs->puzzle->coloured || runs->colour[slab] == ((occasion->depth - 1) & 1);
}

/* Is a slab to be made? */
static bool is_wanted(const struct runs *runs, const struct occasion *occasion, uint64_t slab)
{
    if (!runs_own(runs, slab))
        return false;
    if (!occasion->most)
        return !runs->done[slab] && !runs_full(runs, slab);
    return !runs->puzzle->coloured || runs->colour[slab] == (occasion->depth & 1);
}

/* Adds a slab's step, if one of the slabs that it asks has news. */
static void add_step(struct runs *runs, const struct occasion *occasion, uint64_t slab)
{
    struct run_script *script = &runs->script;
    struct run_step *step = &script->step[script->steps];
    const unsigned last = layer_residue(runs->planes, occasion->depth - 1);
    const uint64_t row = runs_row_words(runs);
    bool news = !runs->puzzle->coloured && has_news(runs, occasion, slab);
    *step = (struct run_step){.slab = slab, .first_need = script->needs};
    for (unsigned p = 0; p < runs->planes; p++)
        script->need[script->needs + step->needs++] = runs_number(runs, slab, p);
    for (uint64_t w = 0; w < row; w++)
        for (uint64_t bits = runs->asks[slab * row + w]; bits != 0; bits &= bits - 1) {
            const uint64_t other = 64 * w + (unsigned)__builtin_ctzll(bits);
            if (!has_news(runs, occasion, other))
                continue;
            news = true;
            script->need[script->needs + step->needs++] = runs_number(runs, other, last);
        }
    if (!news)
        return;
    script->needs += step->needs;
    script->steps++;
}

/* All steps, and for each of their runs the step that takes it next. */
static void write_steps(struct runs *runs, const struct occasion *occasion)
{
    struct run_script *script = &runs->script;
    script->steps = script->needs = script->moves = 0;
    for (uint64_t place = 0; place < runs->slabs; place++)
        if (is_wanted(runs, occasion, runs_slab_at(runs, place)))
            add_step(runs, occasion, runs_slab_at(runs, place));
    for (uint64_t run = 0; run < runs->count; run++) {
        script->upcoming[run] = RUN_NO_STEP;
        script->later[run] = taken_later(runs, run, occasion->depth,
                                         !occasion->most && runs_full(runs, run / runs->planes));
    }
    for (size_t s = script->steps; s-- > 0;)
        for (size_t i = script->step[s].first_need; i < script->step[s].first_need + script->step[s].needs; i++) {
            script->again[i] = script->upcoming[script->need[i]];
            script->upcoming[script->need[i]] = (uint32_t)s;
        }
}

/* -- moves -- */

/* How late is a run taken again? */
static uint64_t lateness(const struct runs *runs, uint64_t run)
{
    const struct run_script *script = &runs->script;
    return run == RUN_NOWHERE                     ? UINT64_MAX
           : script->upcoming[run] != RUN_NO_STEP ? script->upcoming[run]
                                                  : script->steps + script->later[run];
}

uint32_t runs_victim(const struct runs *runs)
{
    uint32_t best = RUN_NO_FRAME;
    for (uint32_t f = 0; f < runs->frames; f++)
        if (!runs->frame[f].open &&
            (best == RUN_NO_FRAME || lateness(runs, runs->frame[f].run) > lateness(runs, runs->frame[best].run)))
            best = f;
    return best;
}

/* The frame that gives way for a step. */
static uint32_t choose_frame(const struct runs *runs, size_t step)
{
    const struct run_script *script = &runs->script;
    uint32_t best = RUN_NO_FRAME;
    uint64_t best_worth = 0;
    for (uint32_t f = 0; f < runs->frames; f++) {
        if (script->taken[f] == step + 1)
            continue;
        /* The best: nothing is in it. The worst: the step before has it. */
        uint64_t worth = lateness(runs, script->run_of[f]);
        if (script->taken[f] < step || step == 0)
            worth |= (uint64_t)1 << 40;
        if (best == RUN_NO_FRAME || worth > best_worth) {
            best = f;
            best_worth = worth;
        }
    }
    return best;
}

static void add_move(struct run_script *script, uint64_t run, uint32_t frame, bool out)
{
    script->move[script->moves++] = (struct run_move){run, frame, script->taken[frame], out};
}

/* Brings a run for a step. */
static void bring(struct runs *runs, size_t step, uint64_t run)
{
    struct run_script *script = &runs->script;
    const uint32_t frame = choose_frame(runs, step);
    const uint64_t other = script->run_of[frame];
    /* A ghost that no step takes any more is not written. */
    if (script->dirty[frame] && (runs_own(runs, other / runs->planes) || script->upcoming[other] != RUN_NO_STEP)) {
        add_move(script, other, frame, true);
        script->kept[other] = false;
    }
    script->dirty[frame] = false;
    if (other != RUN_NOWHERE)
        script->frame_of[other] = RUN_NO_FRAME;
    add_move(script, run, frame, false);
    script->frame_of[run] = frame;
    script->run_of[frame] = run;
}

static void write_moves_of(struct runs *runs, size_t step, unsigned next)
{
    struct run_script *script = &runs->script;
    struct run_step *at = &script->step[step];
    const uint64_t *need = script->need + at->first_need;
    for (size_t i = 0; i < at->needs; i++)
        if (script->frame_of[need[i]] != RUN_NO_FRAME)
            script->taken[script->frame_of[need[i]]] = (uint32_t)step + 1;
    for (size_t i = 0; i < at->needs; i++) {
        if (script->frame_of[need[i]] == RUN_NO_FRAME)
            bring(runs, step, need[i]);
        script->taken[script->frame_of[need[i]]] = (uint32_t)step + 1;
        script->upcoming[need[i]] = script->again[at->first_need + i];
    }
    at->moves = script->moves;
    script->dirty[script->frame_of[runs_number(runs, at->slab, next)]] = true;
}

/* Does a run need one more slot once it is changed? */
static bool wants_slot(const struct runs *runs, uint64_t run)
{
    const struct run_script *script = &runs->script;
    return script->kept[run] && (script->frame_of[run] == RUN_NO_FRAME || !script->dirty[script->frame_of[run]]);
}

/* The moves of all steps, as far as there are slots for what they change. */
static void write_moves(struct runs *runs, const struct occasion *occasion, uint64_t slots)
{
    struct run_script *script = &runs->script;
    const unsigned next = layer_residue(runs->planes, occasion->depth);
    memset(script->taken, 0, runs->frames * sizeof *script->taken);
    runs->crowded = false;
    for (size_t step = 0; step < script->steps; step++) {
        const bool wants = wants_slot(runs, runs_number(runs, script->step[step].slab, next));
        runs->crowded = wants && slots == 0;
        if (runs->crowded) {
            script->steps = step;
            return;
        }
        slots -= wants;
        write_moves_of(runs, step, next);
    }
}

/* What is where when the script begins. Returns how many slots are left, one aside, and those for ghosts, when all that
 * is newer in memory is written. */
static uint64_t take_stock(struct runs *runs)
{
    struct run_script *script = &runs->script;
    uint64_t slots = 0, ghosts = 0; /* those that are there */
    for (uint64_t slot = 0; slot < runs->slots; slot++)
        slots += runs->slot[slot] == SLOT_FREE;
    for (uint64_t run = 0; run < runs->count; run++) {
        const uint64_t slot = runs->run[run].slot;
        script->frame_of[run] = runs->frame_of[run];
        script->kept[run] = slot == RUN_NOWHERE || runs->slot[slot] == SLOT_KEPT;
        ghosts += slot != RUN_NOWHERE && !runs_own(runs, run / runs->planes);
    }
    for (uint64_t frame = 0; frame < runs->frames; frame++) {
        script->run_of[frame] = runs->frame[frame].run;
        script->dirty[frame] = runs->frame[frame].dirty;
        slots -= runs->frame[frame].dirty && script->kept[runs->frame[frame].run];
        ghosts += runs->frame[frame].dirty && !runs_own(runs, runs->frame[frame].run / runs->planes);
    }
    return slots - 1 - (runs->ghosts - ghosts);
}

void runs_steps(struct runs *runs, uint64_t depth)
{
    write_steps(runs, &(struct occasion){.depth = depth});
}

void runs_moves(struct runs *runs, uint64_t depth)
{
    write_moves(runs, &(struct occasion){.depth = depth}, take_stock(runs));
}

/* -- beforehand -- */

/* The ghosts of a layer are dropped, and those of the next one come. Returns how many. */
static uint64_t foresee_ghosts(struct runs *runs, const struct occasion *occasion)
{
    struct run_script *script = &runs->script;
    const unsigned last = layer_residue(runs->planes, occasion->depth - 1);
    uint64_t ghosts = 0;
    memset(script->taken, 0, runs->frames * sizeof *script->taken);
    for (uint64_t frame = 0; frame < runs->frames; frame++) {
        const uint64_t run = script->run_of[frame];
        if (run == RUN_NOWHERE || runs_own(runs, run / runs->planes))
            continue;
        script->frame_of[run] = RUN_NO_FRAME;
        script->run_of[frame] = RUN_NOWHERE;
        script->dirty[frame] = false;
    }
    for (uint64_t slab = 0; runs->ranks != NULL && slab < runs->slabs; slab++) {
        const bool own = runs_own(runs, slab);
        const uint64_t run = runs_number(runs, slab, last);
        bool wanted = false;
        for (unsigned rank = 0; rank < runs->ranks->size; rank++)
            wanted |= (own || rank == runs->ranks->rank) && runs_wants(runs, rank, slab);
        if (!wanted || !has_news(runs, occasion, slab) || script->frame_of[run] != RUN_NO_FRAME)
            continue;
        bring(runs, 0, run);
        ghosts += !own;
        script->dirty[script->frame_of[run]] |= !own;
    }
    return ghosts;
}

void runs_forecast(struct runs *runs, uint64_t *read, uint64_t *written)
{
    uint64_t moves[2] = {0};
    take_stock(runs);
    for (uint64_t depth = 1; depth <= 3 * LAYERS_AHEAD; depth++) {
        const struct occasion occasion = {.depth = depth, .most = true};
        write_steps(runs, &occasion);
        const uint64_t ghosts = foresee_ghosts(runs, &occasion);
        write_moves(runs, &occasion, UINT64_MAX);
        for (size_t i = 0; depth > 2 * LAYERS_AHEAD && i < runs->script.moves; i++)
            moves[runs->script.move[i].out]++;
        moves[0] -= depth > 2 * LAYERS_AHEAD ? ghosts : 0; /* they are not read */
    }
    *read = moves[0] * runs->bytes / LAYERS_AHEAD;
    *written = moves[1] * runs->bytes / LAYERS_AHEAD;
}
