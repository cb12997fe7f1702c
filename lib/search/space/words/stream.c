/* stream.c -- a script carried out: runs read and written by a thread of their own, ahead of the layer that takes them
 *
 * Two counts hold the threads together: how many moves are done, which a step waits for, and how many steps are done,
 * which a move waits for. What a move changes in the tables concerns a frame that no step at hand takes. Where the
 * system gives no thread, who waits makes the moves.
 */
#include "runs.h"
#include "lib/file.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* -- checksums -- */

struct summing {
    const struct runs *runs;
    const uint8_t *bytes;
};

static void sum_share(void *context, unsigned thread, uint64_t share)
{
    const struct summing *summing = context;
    const uint64_t begin = share * RUNS_SUM_BYTES, left = summing->runs->bytes - begin;
    (void)thread;
    summing->runs->sums[share] = XXH3_64bits_withSeed(summing->bytes + begin,
                                                      left < RUNS_SUM_BYTES ? left : RUNS_SUM_BYTES, share);
}

static uint64_t sum_of(const struct runs *runs, uint64_t run, struct team *team)
{
    struct summing summing = {runs, (const uint8_t *)runs_words(runs, run)};
    const uint64_t shares = team_shares(runs->bytes, RUNS_SUM_BYTES);
    team_run(team, shares, sum_share, &summing);
    return XXH3_64bits_withSeed(runs->sums, shares * sizeof *runs->sums, run);
}

/* -- the file -- */

/* Reads or writes all bytes of a frame. Where the file system has an alignment of its own, the file is used without
 * going past the system's cache no longer. Returns the system's error, 0 where there is none, -1 where the file ends.
 */
static int transfer(const struct runs *runs, uint32_t frame, uint64_t slot, bool out)
{
    uint8_t *bytes = runs->aligned + frame * runs->bytes;
    for (uint64_t done = 0; done < runs->bytes;) {
        const uint64_t left = runs->bytes - done, at = slot * runs->bytes + done;
        const ssize_t moved = out ? pwrite(runs->scratch.file, bytes + done, left, (off_t)at)
                                  : pread(runs->scratch.file, bytes + done, left, (off_t)at);
        const int flags = moved < 0 && errno == EINVAL ? fcntl(runs->scratch.file, F_GETFL) : 0;
        if (flags > 0 && (flags & O_DIRECT) && fcntl(runs->scratch.file, F_SETFL, flags & ~O_DIRECT) == 0)
            continue;
        if (moved < 0 && errno != EINTR)
            return errno;
        if (moved == 0)
            return out ? ENOSPC : -1;
        done += moved > 0 ? (uint64_t)moved : 0;
    }
    return 0;
}

static pdb_status misread(const struct runs *runs, const char *what, pdb_error *error)
{
    return error_set(error, PDB_IO,
                     "%s %s: somebody changed it, or the disk is bad; run it again: it goes on from what was kept, if "
                     "that is whole",
                     runs->scratch.path, what);
}

static pdb_status failed(const struct runs *runs, bool out, int reason, pdb_error *error)
{
    pdb_error cause;
    if (reason < 0)
        return misread(runs, "is cut short", error);
    const pdb_status status = file_failed(&cause, out ? "write" : "read", runs->scratch.path, reason);
    return error_set(error, status, "%s; %s and run it again: it goes on from what was kept", cause.message,
                     reason == ENOSPC ? "free some room" : "mend that");
}

/* A slot that is free; there is one, or the script would have ended before. */
static uint64_t free_slot(struct runs *runs)
{
    while (runs->slot[runs->next_slot] != SLOT_FREE)
        runs->next_slot = (runs->next_slot + 1) % runs->slots;
    return runs->next_slot;
}

/* Writes what is in a frame, if it is newer than the file, to a place of its own. */
static pdb_status save_frame(struct runs *runs, uint32_t frame, pdb_error *error)
{
    struct run_frame *at = &runs->frame[frame];
    if (!at->dirty)
        return PDB_OK;
    struct run *run = &runs->run[at->run];
    const uint64_t slot = free_slot(runs);
    const int reason = transfer(runs, frame, slot, true);
    if (reason != 0)
        return failed(runs, true, reason, error);
    runs->slot[slot] = SLOT_TAKEN;
    if (run->slot != RUN_NOWHERE && runs->slot[run->slot] == SLOT_TAKEN)
        runs->slot[run->slot] = SLOT_FREE;
    run->slot = slot;
    at->dirty = false;
    return PDB_OK;
}

/* Brings a run into a frame; what is there has been saved. */
static pdb_status load_frame(struct runs *runs, uint32_t frame, uint64_t run, pdb_error *error)
{
    struct run_frame *at = &runs->frame[frame];
    const uint64_t slot = runs->run[run].slot;
    if (at->run != RUN_NOWHERE)
        runs->frame_of[at->run] = RUN_NO_FRAME;
    *at = (struct run_frame){.run = RUN_NOWHERE};
    if (slot == RUN_NOWHERE)
        memset(runs->aligned + frame * runs->bytes, 0, runs->bytes);
    const int reason = slot == RUN_NOWHERE ? 0 : transfer(runs, frame, slot, false);
    if (reason != 0)
        return failed(runs, false, reason, error);
    *at = (struct run_frame){.run = run, .unchecked = slot != RUN_NOWHERE};
    runs->frame_of[run] = frame;
    return PDB_OK;
}

static pdb_status make_move(struct runs *runs, const struct run_move *move, pdb_error *error)
{
    return move->out ? save_frame(runs, move->frame, error) : load_frame(runs, move->frame, move->run, error);
}

/* Is a run what was written? */
static pdb_status check(struct runs *runs, uint64_t run, struct team *team, pdb_error *error)
{
    struct run_frame *at = &runs->frame[runs->frame_of[run]];
    if (at->unchecked && sum_of(runs, run, team) != runs->run[run].checksum)
        return misread(runs, "does not have what was written to it", error);
    at->unchecked = false;
    return PDB_OK;
}

/* -- the thread -- */

static void *make_moves(void *context)
{
    struct run_stream *stream = context;
    struct runs *runs = stream->runs;
    pthread_mutex_lock(&stream->lock);
    while (stream->moves < runs->script.moves && !stream->over && stream->status == PDB_OK) {
        const struct run_move *move = &runs->script.move[stream->moves];
        if (move->after > stream->steps) {
            pthread_cond_wait(&stream->step_done, &stream->lock);
            continue;
        }
        pthread_mutex_unlock(&stream->lock);
        const pdb_status status = make_move(runs, move, &stream->error);
        pthread_mutex_lock(&stream->lock);
        stream->status = status;
        stream->moves += status == PDB_OK;
        pthread_cond_signal(&stream->move_done);
    }
    pthread_mutex_unlock(&stream->lock);
    return NULL;
}

void runs_start(struct runs *runs, struct run_stream *stream)
{
    *stream = (struct run_stream){.runs = runs,
                                  .lock = PTHREAD_MUTEX_INITIALIZER,
                                  .move_done = PTHREAD_COND_INITIALIZER,
                                  .step_done = PTHREAD_COND_INITIALIZER};
    stream->threaded = pthread_create(&stream->thread, NULL, make_moves, stream) == 0;
}

/* Waits for a move, a tenth of a second at most. */
static void wait_for_move(struct run_stream *stream)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&stream->move_done, &stream->lock, &until);
}

pdb_status runs_await(struct run_stream *stream, size_t step, struct watch *watch, struct team *team, pdb_error *error)
{
    struct runs *runs = stream->runs;
    const struct run_step *at = &runs->script.step[step];
    pthread_mutex_lock(&stream->lock);
    while (stream->moves < at->moves && stream->status == PDB_OK && !watch->stopped) {
        if (stream->threaded) {
            wait_for_move(stream);
        } else {
            stream->status = make_move(runs, &runs->script.move[stream->moves], &stream->error);
            stream->moves += stream->status == PDB_OK;
        }
        watch_look(watch, (double)step / (double)runs->script.steps);
    }
    const bool there = stream->moves >= at->moves;
    pdb_status status = there ? PDB_OK : stream->status;
    if (status != PDB_OK && error != NULL)
        *error = stream->error;
    pthread_mutex_unlock(&stream->lock);
    if (status == PDB_OK && !there)
        return PDB_INTERRUPTED;
    for (size_t i = 0; status == PDB_OK && i < at->needs; i++)
        status = check(runs, runs->script.need[at->first_need + i], team, error);
    return status;
}

void runs_step_done(struct run_stream *stream, size_t step, uint64_t run, uint64_t found, struct team *team)
{
    if (found > 0)
        runs_changed(stream->runs, run, found, team);
    pthread_mutex_lock(&stream->lock);
    stream->steps = step + 1;
    pthread_cond_signal(&stream->step_done);
    pthread_mutex_unlock(&stream->lock);
}

void runs_stop(struct run_stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    stream->over = true;
    pthread_cond_signal(&stream->step_done);
    pthread_mutex_unlock(&stream->lock);
    if (stream->threaded)
        pthread_join(stream->thread, NULL);
    pthread_mutex_destroy(&stream->lock);
    pthread_cond_destroy(&stream->move_done);
    pthread_cond_destroy(&stream->step_done);
}

/* -- by hand -- */

pdb_status runs_bring(struct runs *runs, uint64_t run, struct team *team, pdb_error *error)
{
    pdb_status status = PDB_OK;
    if (runs->frame_of[run] == RUN_NO_FRAME) {
        const uint32_t frame = runs_victim(runs);
        status = save_frame(runs, frame, error);
        if (status == PDB_OK)
            status = load_frame(runs, frame, run, error);
    }
    return status == PDB_OK ? check(runs, run, team, error) : status;
}

pdb_status runs_open(struct runs *runs, uint64_t run, pdb_error *error)
{
    const uint32_t frame = runs_victim(runs);
    pdb_status status = save_frame(runs, frame, error);
    if (status == PDB_OK) /* it has no slot */
        status = load_frame(runs, frame, run, error);
    runs->frame[frame].open = status == PDB_OK;
    return status;
}

void runs_close(struct runs *runs, uint64_t run, struct team *team)
{
    runs->frame[runs->frame_of[run]].open = false;
    runs_changed(runs, run, 0, team);
}

void runs_drop_ghosts(struct runs *runs)
{
    for (uint64_t run = 0; run < runs->count; run++) {
        if (runs_own(runs, run / runs->planes))
            continue;
        if (runs->run[run].slot != RUN_NOWHERE)
            runs->slot[runs->run[run].slot] = SLOT_FREE;
        if (runs->frame_of[run] != RUN_NO_FRAME)
            runs->frame[runs->frame_of[run]] = (struct run_frame){.run = RUN_NOWHERE};
        runs->run[run] = (struct run){.slot = RUN_NOWHERE};
        runs->frame_of[run] = RUN_NO_FRAME;
    }
}

/* The frame to bring a run of this slab into: an empty one, or the next in turn that has none of the slab's. */
static uint32_t frame_for(struct runs *runs, uint64_t slab)
{
    uint32_t frame;
    do {
        frame = runs->turn;
        runs->turn = (uint32_t)((runs->turn + 1) % runs->frames);
    } while (runs->frame[frame].run != RUN_NOWHERE && runs->frame[frame].run / runs->planes == slab);
    return frame;
}

pdb_status runs_hold(struct runs *runs, uint64_t slab, struct team *team, pdb_error *error)
{
    pdb_status status = PDB_OK;
    for (unsigned p = 0; status == PDB_OK && p < runs->planes; p++) {
        const uint64_t run = runs_number(runs, slab, p);
        if (runs->frame_of[run] == RUN_NO_FRAME) {
            const uint32_t frame = frame_for(runs, slab);
            status = save_frame(runs, frame, error);
            if (status == PDB_OK)
                status = load_frame(runs, frame, run, error);
        }
        if (status == PDB_OK)
            status = check(runs, run, team, error);
    }
    return status;
}

void runs_changed(struct runs *runs, uint64_t run, uint64_t states, struct team *team)
{
    runs->run[run].states += states;
    runs->run[run].checksum = sum_of(runs, run, team);
    runs->frame[runs->frame_of[run]].dirty = true;
}

/* -- checkpoints -- */

pdb_status runs_settle(struct runs *runs, pdb_error *error)
{
    pdb_status status = PDB_OK;
    for (uint32_t frame = 0; status == PDB_OK && frame < runs->frames; frame++)
        status = save_frame(runs, frame, error);
    while (status == PDB_OK && fdatasync(runs->scratch.file) != 0)
        status = errno == EINTR ? PDB_OK : failed(runs, true, errno, error);
    return status;
}

bool runs_keep(struct runs *runs)
{
    memset(runs->slot, SLOT_FREE, runs->slots);
    for (uint64_t run = 0; run < runs->count; run++) {
        const uint64_t slot = runs->run[run].slot;
        if (slot == RUN_NOWHERE && runs->run[run].states == 0)
            continue;
        if (slot >= runs->slots || runs->slot[slot] != SLOT_FREE)
            return false;
        runs->slot[slot] = SLOT_KEPT;
    }
    return true;
}

bool runs_resume(struct runs *runs)
{
    for (uint64_t run = 0; run < runs->count; run++)
        runs->frame_of[run] = RUN_NO_FRAME;
    for (uint64_t frame = 0; frame < runs->frames; frame++)
        runs->frame[frame] = (struct run_frame){.run = RUN_NOWHERE};
    return runs_keep(runs);
}

/* -- handed out -- */

static void give_back(const struct runs *runs, uint64_t slot)
{
    fallocate(runs->scratch.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)(slot * runs->bytes),
              (off_t)runs->bytes);
}

void runs_hand_out(struct runs *runs)
{
    if (!runs->scratch.drops)
        return;
    runs->handing_out = true;
    memset(runs->slot, SLOT_FREE, runs->slots);
    for (uint64_t run = 0; run < runs->count; run++)
        if (runs->run[run].slot != RUN_NOWHERE)
            runs->slot[runs->run[run].slot] = SLOT_TAKEN;
    for (uint64_t slot = 0; slot < runs->slots; slot++)
        if (runs->slot[slot] == SLOT_FREE)
            give_back(runs, slot);
}

void runs_drop(struct runs *runs, uint64_t slab)
{
    for (unsigned p = 0; p < runs->planes; p++) {
        const uint64_t slot = runs->run[runs_number(runs, slab, p)].slot;
        if (slot != RUN_NOWHERE)
            give_back(runs, slot);
    }
}
