/* runs.h -- planes that memory has no room for: cut into runs, some in memory and all others in a file
 *
 * A layer kernel's groups (layers.h) lie block by block. A *slab* is groups on end of one block whose orders begin with
 * the same digits; those of all blocks that begin so are a *part*. A *run* is one plane of one slab.
 *
 *     part          0           1          ..
 *     block 0   slab 0      slab 1         ..     a slab has a run in each plane,
 *     block 1   slab n      slab n + 1     ..     all runs have the same length
 *
 * Almost every move changes the block and hardly any the leading digits: so a layer is made part by part, and a slab
 * asks runs of its own part, but for the few moves that reach to the order's beginning. Which slabs it asks is found
 * out once, from the kernel's sources (cut.c).
 *
 * The table of runs says how many states each has and where it is: in a *frame* of memory, in a *slot* of the file, or
 * nowhere, as long as it has none. A slab that is full is no step of a layer, nor is one that asks no slab with states
 * of the last layer: its runs are neither read nor written. As all steps of a layer are known before it begins, so is
 * everything that is to be read and written, and when (script.c): where a frame is needed, it is that whose run is used
 * again last, in this layer or in one to come. So as much stays in memory as there is room for, and with room for all
 * of it nothing is read or written. One thread reads and writes ahead of the layer (stream.c); every run has a checksum
 * that is made when it has changed and looked at when it has been read.
 *
 * A run that is in the file is not written over: it goes into a free slot, and what the table said when it was kept
 * stays true. Hence the table is all that a checkpoint needs (way->parts), once what is newer in memory has been
 * written (runs_settle); a slot that a checkpoint needs is free again when the next one was kept (runs_keep). Where no
 * more slots are free the layer stops midway, for a checkpoint.
 *
 * Where the slabs are shared out among ranks (lib/comm/ranks.h), parts on end are one rank's, and each rank has a file
 * for its own. All number slabs and runs alike. Of another rank's slab that one of its own asks, a rank has the run of
 * the last layer, a *ghost*: before a layer is made every rank ships what its slabs have of the last layer to those
 * that ask for them, slab by slab (shared.c). There they lie in frames, or go into the file and come back, as own runs
 * do; when the layer is made they are dropped. A checkpoint has the tables of all ranks.
 */
#ifndef SEARCH_SPACE_WORDS_RUNS_H
#define SEARCH_SPACE_WORDS_RUNS_H

#include "lib/search/space/layers.h"
#include "lib/search/space/retrograde_inner.h"

enum {
    RUNS_SLABS_MAX = 4096,
    RUNS_STATES = 320,       /* a slab has a multiple of it: whole words of bitmaps, whole bytes of every encoding */
    RUNS_UNIT = 4096,        /* bytes: frames, and so what is read and written, are multiples of it */
    RUNS_SUM_BYTES = 1 << 20 /* that one share of a checksum covers */
};

#define RUN_NOWHERE  UINT64_MAX /* a slot; a frame's run */
#define RUN_NO_FRAME UINT32_MAX

/* What is known of a run; kept in checkpoints. */
struct run {
    uint64_t slot;     /* RUN_NOWHERE: it has none, and lies in a frame or has no states */
    uint64_t checksum; /* of its bytes, between steps */
    uint64_t states;
};

/* A slot of the file: is there something that the last checkpoint needs, or something else that is needed? */
enum run_slot { SLOT_FREE, SLOT_TAKEN, SLOT_KEPT };

struct run_frame {
    uint64_t run;   /* RUN_NOWHERE: nothing is in it */
    bool dirty;     /* newer than the file */
    bool unchecked; /* read, and its checksum not looked at yet */
    bool open;      /* a ghost that is coming: it does not give way */
};

/* A step of a layer: a slab, the runs that it takes, and how much must have been moved before it. */
struct run_step {
    uint64_t slab;
    size_t first_need, needs;
    size_t moves;
};

/* A run that goes into the file, where it is newer, or comes into a frame, once so many steps are done. */
struct run_move {
    uint64_t run;
    uint32_t frame, after;
    bool out;
};

/* What is to be done for a layer, or for as much of it as there are slots for. */
struct run_script {
    size_t steps, needs, moves;
    struct run_step *step;
    uint64_t *need;  /* runs, step by step */
    uint32_t *again; /* the step that takes the run next, for each need; RUN_NO_STEP: none does */
    struct run_move *move;
    /* scratch, of runs: the next step that takes it, when it is taken again after the layer, its frame then; of frames:
     * its run then, and the step after the last one that took it */
    uint32_t *upcoming, *later, *frame_of;
    uint64_t *run_of;
    uint32_t *taken;
    uint8_t *dirty, *kept; /* of frames; of runs: their slot is a checkpoint's */
};

struct runs {
    const struct layer_kernel *kernel;
    const struct puzzle *puzzle;
    struct ranks *ranks; /* that slabs are shared out among; NULL: all are this process's */
    unsigned planes;
    /* How the groups are cut. */
    uint64_t slab_groups, slabs, parts, count; /* count: of runs */
    uint64_t words, bytes;                     /* of a run; of a frame, as of a slot */
    uint64_t frames, slots;
    size_t needs_all, needs_most, needs_two; /* of all slabs; the most of one, and of two on end */
    uint64_t *asks;                          /* a row of bits a slab: the other slabs that it asks */
    uint32_t *first_asker;                   /* of a slab: the first place in a layer where it is asked */
    uint8_t *colour;                         /* of a slab's first states */
    uint64_t own, ghosts;                    /* slabs of this rank; of others, that it asks for one layer at most */
    uint64_t *wanted;                        /* of ranks: a row of bits each, of other ranks' slabs that it asks */
    /* Where everything is. */
    uint8_t *memory;         /* of what follows */
    uint8_t *room, *aligned; /* of the frames; and where they begin in it */
    struct run *run;
    uint32_t *frame_of; /* of runs */
    struct run_frame *frame;
    uint8_t *slot;
    uint64_t next_slot; /* where the search for a free one begins */
    uint32_t turn;      /* of the frames, for runs_hold */
    uint64_t *sums;
    struct scratch_file scratch;
    /* Of slabs. */
    uint8_t *done;             /* its part of the layer at hand is made: kept in checkpoints */
    struct run *kept_run;      /* as a checkpoint has them, of all ranks: runs; */
    uint8_t *kept_done;        /* and what is done */
    uint8_t *news, *next_news; /* it has states of the last layer; of the next */
    /* The work at hand. */
    struct run_script script;
    bool crowded;     /* it ends before the layer does, for want of slots */
    bool handing_out; /* slabs that were asked for are dropped */
};

/* A script that is being carried out. */
struct run_stream {
    struct runs *runs;
    pthread_t thread;
    bool threaded;
    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t move_done, step_done;
    size_t moves, steps; /* that are done */
    bool over;
    pdb_status status;
    pdb_error error;
};

static inline uint64_t runs_number(const struct runs *runs, uint64_t slab, unsigned plane)
{
    return slab * runs->planes + plane;
}

/* The slab at a place of the order in which layers are made: part by part. And the place of a slab. */
static inline uint64_t runs_slab_at(const struct runs *runs, uint64_t place)
{
    const uint64_t blocks = runs->slabs / runs->parts;
    return place % blocks * runs->parts + place / blocks;
}

static inline uint64_t runs_place(const struct runs *runs, uint64_t slab)
{
    const uint64_t blocks = runs->slabs / runs->parts;
    return slab % runs->parts * blocks + slab / runs->parts;
}

/* Words of a row of `asks`. */
static inline uint64_t runs_row_words(const struct runs *runs)
{
    return (runs->slabs + 63) / 64;
}

/* Bytes of `done`, which ranks add as numbers. */
static inline uint64_t runs_done_bytes(const struct runs *runs)
{
    return (runs->slabs + 7) / 8 * 8;
}

/* Is a slab this process's? */
static inline bool runs_own(const struct runs *runs, uint64_t slab)
{
    return runs->ranks == NULL || slab % runs->parts * runs->ranks->size / runs->parts == runs->ranks->rank;
}

/* Does a rank ask for a slab, which is another one's? */
static inline bool runs_wants(const struct runs *runs, unsigned rank, uint64_t slab)
{
    return runs->wanted[rank * runs_row_words(runs) + slab / 64] >> slab % 64 & 1;
}

static inline bool runs_asks(const struct runs *runs, uint64_t slab, uint64_t other)
{
    return runs->asks[slab * runs_row_words(runs) + other / 64] >> other % 64 & 1;
}

/* A run's words; it must be in a frame. */
static inline uint64_t *runs_words(const struct runs *runs, uint64_t run)
{
    return (uint64_t *)(runs->aligned + runs->frame_of[run] * runs->bytes);
}

/* Where the words of a group's plane are. */
static inline uint64_t *runs_plane(const struct runs *runs, uint64_t group, unsigned plane)
{
    return runs_words(runs, runs_number(runs, group / runs->slab_groups, plane)) +
           group % runs->slab_groups * runs->kernel->words_max;
}

/* Has every state of a slab been visited? */
bool runs_full(const struct runs *runs, uint64_t slab);

/* -- cut.c -- */

/* Cuts the planes into runs such that so many bytes of memory do: every run is without states, and nothing is in the
 * file. *out is NULL where the kernel cannot be cut, or not finely enough: then so many bytes are the *least that would
 * do, 0 where none would. The plan's ranks come together, each with its own bytes, and share the slabs out; *least is
 * for the one that needs most. Error: PDB_NO_MEMORY. */
pdb_status runs_cut(const struct retrograde_plan *plan, uint64_t bytes, struct runs **out, uint64_t *least,
                    pdb_error *error);
void runs_free(struct runs *runs);

/* Bytes of memory for all of it, the frames included, which runs_begin takes. */
uint64_t runs_bytes(const struct runs *runs);
/* Bytes of the file at most. */
uint64_t runs_file_bytes(const struct runs *runs);

/* Takes the frames' memory. False where it is short. */
bool runs_begin(struct runs *runs, const struct scratch_file *scratch);

/* -- script.c -- */

enum { RUN_NO_STEP = UINT32_MAX };

/* Writes the script of the layer of states at this depth, of what is not done of it. First the steps; ghosts may come
 * then. And the moves: to its end, or as far as there are slots (runs->crowded). */
void runs_steps(struct runs *runs, uint64_t depth);
void runs_moves(struct runs *runs, uint64_t depth);

/* The frame that gives way for one more run between these two: its run is taken last of all. */
uint32_t runs_victim(const struct runs *runs);

/* Bytes that a layer reads and writes where every slab has news and none is full. */
void runs_forecast(struct runs *runs, uint64_t *read, uint64_t *written);

/* -- slabs.c -- */

/* Bytes of the parts that are kept of a search (way->parts). */
uint64_t runs_kept_bytes(const struct runs *runs);

/* -- stream.c -- */

/* Begins to carry the script out, on a thread of its own if there is one to be had. */
void runs_start(struct runs *runs, struct run_stream *stream);
/* Waits until what a step takes is there, and looks at it. Errors: PDB_IO, PDB_INTERRUPTED (the watch was stopped). */
pdb_status runs_await(struct run_stream *stream, size_t step, struct watch *watch, struct team *team, pdb_error *error);
/* A step is done, and has added so many states to a run. */
void runs_step_done(struct run_stream *stream, size_t step, uint64_t run, uint64_t found, struct team *team);
/* Ends it, done or not. */
void runs_stop(struct run_stream *stream);

/* A run, in the frame that gives way. Error: PDB_IO. */
pdb_status runs_bring(struct runs *runs, uint64_t run, struct team *team, pdb_error *error);
/* A frame for a ghost, without states, which does not give way until all of it has come. Error: PDB_IO. */
pdb_status runs_open(struct runs *runs, uint64_t run, pdb_error *error);
void runs_close(struct runs *runs, uint64_t run, struct team *team);
/* No ghost is there any more. */
void runs_drop_ghosts(struct runs *runs);

/* All planes of a slab, now: nothing else is at work. Error: PDB_IO. */
pdb_status runs_hold(struct runs *runs, uint64_t slab, struct team *team, pdb_error *error);
/* States were added to a run that is held. */
void runs_changed(struct runs *runs, uint64_t run, uint64_t states, struct team *team);

/* Writes what is newer in memory. Error: PDB_IO. */
pdb_status runs_settle(struct runs *runs, pdb_error *error);
/* What the table says is in a checkpoint: it is not written over from now on. False where it contradicts itself. */
bool runs_keep(struct runs *runs);
/* The same of a table that was loaded: nothing is in memory. */
bool runs_resume(struct runs *runs);
/* From now on slabs are asked for once, one after another. Where the disk has no room for them and what becomes of them
 * (scratch.drops), slots without a run are given back to it now, and a slab's once it was dropped. */
void runs_hand_out(struct runs *runs);
/* Gives a slab's room in the file back: nobody needs it any more. */
void runs_drop(struct runs *runs, uint64_t slab);

#endif
