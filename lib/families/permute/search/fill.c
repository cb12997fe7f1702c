/* fill.c -- filling a table that has classes: layer by layer, in the table itself
 *
 * An entry is 2 bits: the distance modulo 3, or 3 while it has none. That is all a search breadth first needs. When the
 * entries of the distance d are there and all that are nearer, those of d + 1 are found in one of two ways:
 *
 *   Forward. What a move leads to from an entry with the residue of d gets that of d + 1 where it has none. Entries of
 *   d - 3, d - 6, .. have the same residue, but all that moves lead to from these has a distance already.
 *
 *   Backward. An entry without a distance gets that of d + 1 where a move leads to one with the residue of d. That is
 *   d and not less, or it would have had a distance before.
 *
 * Either may be broken off and made again, also by another run that has the bytes as they are then, and needs nothing
 * but the table and d. Forward costs what the frontier has,
 * backward what is left: so the few large layers at the end, which have nearly all entries, are made backward.
 *
 * The table is worked on row by row: one class of the first part. A move takes the whole row to one row, since it takes
 * the first of the class to one state, which has one class and one symmetry; and it takes a *stretch* of a row, whose
 * states differ in the last part only, to one stretch:
 *
 *     (class, b, c)  ->  (class', s(move(b)), s(move(c)))
 *
 * so stretches, the last part's moves and the images by s stay in the processor's caches. Rows are no whole bytes, but
 * four of them are. Going forward, threads may set fields of one byte: by an atomic `and`, for 3 has all bits.
 *
 * Of a bounded table (table.h) the cap is chosen once the layers two further on are expected to be large, from how much
 * has been entered by now and before the last layer: then bits are set for all entries that are there, which are below
 * cap - 3. Bits, cap and numbers are written before a layer is made, so they are kept with the layers before it.
 *
 * Where symmetries take the first of a class to itself, each entry has to have the values of its images: going
 * forward they are set with it; going backward they come out by themselves.
 */
#include "table.h"

#include "lib/clock.h"
#include "lib/memory/pages.h"
#include "lib/team.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROWS = 4,
    IN_A_WORD = 32,
    NO_DISTANCE = 3,
    LARGE_PART = 16,
    BUSY_ENTRIES = 1 << 14 /* at least so many in a share */
};

struct thread {
    uint32_t *list, *found; /* [stretch] */
    uint64_t reached;       /* entries of the new layer, in the share at hand */
};

struct filling {
    const struct permute_table *table;
    const struct pattern_work *work;
    uint64_t before; /* entries of other tables */
    uint8_t *bytes;
    uint32_t *move_to[PERMUTE_PARTS_MAX]; /* of part 1 and further ones: [move * states + b] */
    unsigned last;                        /* part */
    uint64_t stretch;                     /* its states */
    struct thread *thread;
    unsigned moves, from, to; /* residues of the frontier and of the new layer */
    uint64_t rows_a_share;
    uint64_t done; /* entries that have a distance; shares add theirs as they end */
    double due;
    bool stopped;
    struct permute_tail *tail; /* of a bounded table; else NULL */
};

static unsigned entry_at(const struct filling *filling, uint64_t entry)
{
    return __atomic_load_n(&filling->bytes[entry / 4], __ATOMIC_RELAXED) >> entry % 4 * 2 & 3U;
}

/* Sets an entry that is NO_DISTANCE, or that another thread sets to the same. True where it was this call. */
static bool set_entry(const struct filling *filling, uint64_t entry)
{
    const unsigned shift = (unsigned)(entry % 4) * 2;
    const uint8_t mask = (uint8_t) ~((NO_DISTANCE ^ filling->to) << shift);
    const unsigned old = __atomic_fetch_and(&filling->bytes[entry / 4], mask, __ATOMIC_RELAXED);
    return (old >> shift & 3) == NO_DISTANCE;
}

/* Lists the entries of a stretch that have this value, a word at a time. */
static uint64_t list_stretch(const struct filling *filling, uint64_t base, unsigned value, uint32_t *list)
{
    const uint64_t end = base + filling->stretch, low = UINT64_MAX / 3;
    uint64_t count = 0;
    for (uint64_t entry = base; entry < end;) {
        if (entry % IN_A_WORD != 0 || end - entry < IN_A_WORD) {
            list[count] = (uint32_t)(entry - base);
            count += entry_at(filling, entry++) == value;
            continue;
        }
        const uint64_t word = le64toh(
            __atomic_load_n((const uint64_t *)(const void *)(filling->bytes + entry / 4), __ATOMIC_RELAXED));
        const uint64_t other = word ^ low * value; /* 0 in the fields that are equal */
        for (uint64_t equal = ~(other | other >> 1) & low; equal != 0; equal &= equal - 1)
            list[count++] = (uint32_t)(entry - base) + (uint32_t)__builtin_ctzll(equal) / 2;
        entry += IN_A_WORD;
    }
    return count;
}

/* Where a move takes a stretch to. */
struct target {
    uint64_t class, base;
    const uint32_t *image, *move_to;
};

static struct target target_of(const struct filling *filling, uint64_t class, uint64_t stretch, unsigned move)
{
    const struct permute_table *table = filling->table;
    const uint32_t moved_to = table->moved[class * filling->moves + move],
                   symmetry = moved_to & ((1u << table->bits) - 1);
    struct target target = {.class = moved_to >> table->bits};
    uint64_t weight = filling->stretch;
    target.base = target.class * table->row;
    for (unsigned p = filling->last - 1; p > 0; p--) {
        const uint64_t states = table->states[p], moved = filling->move_to[p][move * states + stretch % states];
        target.base += table->image[p][symmetry * states + moved] * weight;
        stretch /= states;
        weight *= states;
    }
    target.image = table->image[filling->last] + symmetry * filling->stretch;
    target.move_to = filling->move_to[filling->last] + move * filling->stretch;
    return target;
}

/* The image of an entry in a row. */
static uint64_t row_image(const struct permute_table *table, unsigned symmetry, uint64_t in_row)
{
    uint64_t image = 0, weight = 1;
    for (unsigned p = table->parts - 1; p > 0; p--) {
        const uint64_t states = table->states[p];
        image += table->image[p][symmetry * states + in_row % states] * weight;
        in_row /= states;
        weight *= states;
    }
    return image;
}

/* Sets an entry with its images by the symmetries that take the first of its class to itself. */
static uint64_t set_images(const struct filling *filling, uint64_t class, uint64_t entry)
{
    const struct permute_table *table = filling->table;
    const uint64_t base = class * table->row;
    uint64_t set = set_entry(filling, entry);
    for (uint32_t i = table->fixed_from[class]; i < table->fixed_from[class + 1]; i++)
        set += set_entry(filling, base + row_image(table, table->fixed[i], entry - base));
    return set;
}

/* What is to be set is listed first: so no branch has to be guessed for what is not. */
static void go_forward(const struct filling *filling, struct thread *thread, uint64_t class, uint64_t stretch,
                       uint64_t count)
{
    for (unsigned m = 0; m < filling->moves; m++) {
        const struct target target = target_of(filling, class, stretch, m);
        uint64_t found = 0;
        for (uint64_t i = 0; i < count; i++) {
            const uint32_t b = target.image[target.move_to[thread->list[i]]];
            thread->found[found] = b;
            found += entry_at(filling, target.base + b) == NO_DISTANCE;
        }
        for (uint64_t i = 0; i < found; i++)
            thread->reached += set_images(filling, target.class, target.base + thread->found[i]);
    }
}

/* Whoever has found a distance leaves the list, and the next move is tried with the rest. */
static void go_backward(const struct filling *filling, struct thread *thread, uint64_t class, uint64_t stretch,
                        uint64_t count)
{
    const uint64_t base = class * filling->table->row + stretch * filling->stretch;
    for (unsigned m = 0; m < filling->moves && count > 0; m++) {
        const struct target target = target_of(filling, class, stretch, m);
        uint64_t found = 0, left = 0;
        for (uint64_t i = 0; i < count; i++) {
            const uint32_t b = thread->list[i];
            const bool near = entry_at(filling, target.base + target.image[target.move_to[b]]) == filling->from;
            thread->found[found] = thread->list[left] = b;
            found += near;
            left += !near;
        }
        for (uint64_t i = 0; i < found; i++) {
            uint8_t *byte = &filling->bytes[(base + thread->found[i]) / 4];
            const unsigned flipped = (NO_DISTANCE ^ filling->to) << (base + thread->found[i]) % 4 * 2;
            __atomic_store_n(byte, (uint8_t)(*byte ^ flipped), __ATOMIC_RELAXED);
        }
        thread->reached += found;
        count = left;
    }
}

/* The observer is asked by the calling thread. */
static bool is_stopped(struct filling *filling, unsigned thread)
{
    if (thread == 0 && filling->work->observe != NULL && clock_due(&filling->due, 0.1) &&
        !filling->work->observe(filling->work->context,
                                filling->before + __atomic_load_n(&filling->done, __ATOMIC_RELAXED)))
        __atomic_store_n(&filling->stopped, true, __ATOMIC_RELAXED);
    return __atomic_load_n(&filling->stopped, __ATOMIC_RELAXED);
}

static void make_rows(void *context, unsigned number, uint64_t share, bool forward)
{
    struct filling *filling = context;
    const struct permute_table *table = filling->table;
    struct thread *thread = &filling->thread[number];
    const uint64_t last = (share + 1) * filling->rows_a_share, end = last < table->classes ? last : table->classes;
    if (is_stopped(filling, number))
        return;
    for (uint64_t class = share * filling->rows_a_share; class < end; class ++)
        for (uint64_t stretch = 0; stretch < table->row / filling->stretch; stretch++) {
            const uint64_t base = class * table->row + stretch * filling->stretch,
                           count = list_stretch(filling, base, forward ? filling->from : NO_DISTANCE, thread->list);
            if (count > 0 && forward)
                go_forward(filling, thread, class, stretch, count);
            else if (count > 0)
                go_backward(filling, thread, class, stretch, count);
        }
    __atomic_fetch_add(&filling->done, thread->reached, __ATOMIC_RELAXED);
    thread->reached = 0;
}

static void forward_share(void *context, unsigned thread, uint64_t share)
{
    make_rows(context, thread, share, true);
}

static void backward_share(void *context, unsigned thread, uint64_t share)
{
    make_rows(context, thread, share, false);
}

/* Marks blocks of entries with a distance: 64 blocks, a word of bits, are a share. A block is a word, but for the last
 * one. */
static void mark_share(void *context, unsigned thread, uint64_t share)
{
    struct filling *filling = context;
    const uint64_t entries = filling->table->entries;
    uint64_t marks = 0, entry = share * 64 * PERMUTE_BLOCK;
    (void)thread;
    for (unsigned block = 0; block < 64 && entry < entries; block++) {
        const uint64_t end = entry + PERMUTE_BLOCK;
        bool marked = end <= entries && *(const uint64_t *)(const void *)(filling->bytes + entry / 4) != UINT64_MAX;
        for (; end > entries && entry < entries; entry++)
            marked |= entry_at(filling, entry) != NO_DISTANCE;
        marks |= (uint64_t)marked << block;
        entry = end;
    }
    marks = htole64(marks);
    memcpy(filling->bytes + permute_near_at(entries) + share * 8, &marks, sizeof marks);
}

static void set_cap(struct filling *filling, struct team *team, uint64_t cap)
{
    filling->tail->cap = htole64(cap);
    team_run(team, team_shares(filling->table->entries, 64 * PERMUTE_BLOCK), mark_share, filling);
}

/* Before the layer of distance + 1 is made: is it time to choose the cap? */
static void look_ahead(struct filling *filling, struct team *team, uint64_t distance)
{
    struct permute_tail *tail = filling->tail;
    const double before = (double)le64toh(tail->entered), now = (double)filling->done,
                 growth = before > 0 ? now / before : 1;
    tail->entered = htole64(filling->done);
    if (tail->cap != 0 || now * growth * growth * LARGE_PART < (double)filling->table->entries)
        return;
    set_cap(filling, team, distance + 4);
}

/* The next layer: how many entries it has. */
static uint64_t make_layer(struct filling *filling, struct team *team, uint64_t frontier)
{
    const uint64_t left = filling->table->entries - filling->done,
                   shares = team_shares(filling->table->classes, filling->rows_a_share), before = filling->done;
    team_run(team, shares, frontier < left / 2 ? forward_share : backward_share, filling);
    return filling->done - before;
}

/* Where filling begins or goes on: residue[d % 3] becomes the entries with the residue of d that are there. */
static void set_out(struct filling *filling, struct team *team, const struct pattern_progress *progress,
                    uint64_t residue[3])
{
    const struct permute_table *table = filling->table;
    const uint64_t goal = permute_table_entry(table, table->goal);
    if (progress->layers == 0) {
        /* the bits and the tail are zeros */
        pages_fill(filling->bytes, UINT8_MAX, permute_table_bytes(table->part[0], table->entries), team);
        filling->to = 0;
        filling->done = residue[0] = set_images(filling, goal / table->row, goal);
        return;
    }
    uint64_t count[PATTERN_VALUES_MAX] = {0};
    patterns_count(filling->bytes, 2, table->entries, team, count);
    memcpy(residue, count, 3 * sizeof *residue);
    filling->done = table->entries - count[NO_DISTANCE];
}

/* All layers. The one at which an earlier run was broken off may have nothing left to be set: it does not end them. */
static pdb_status make_layers(struct filling *filling, struct team *team, pdb_error *error)
{
    const struct pattern_work *work = filling->work;
    struct pattern_progress own = {0}, *progress = work->progress != NULL ? work->progress : &own;
    uint64_t residue[3] = {0};
    const uint64_t kept = progress->layers;
    set_out(filling, team, progress, residue);
    for (uint64_t distance = kept > 0 ? kept - 1 : 0;; distance++) {
        progress->layers = distance + 1;
        if (distance == BOUND_NEVER)
            return error_set(error, PDB_TOO_LARGE, "a pattern has distances above %u: too large to search with",
                             (unsigned)BOUND_NEVER - 1);
        if (filling->tail != NULL && (kept == 0 || distance >= kept))
            look_ahead(filling, team, distance);
        if (filling->tail != NULL && filling->tail->cap != 0 && distance + 1 >= le64toh(filling->tail->cap))
            return PDB_OK;
        if (distance > kept && work->keep != NULL && work->keep(work->context, error) != PDB_OK)
            return error->status;
        filling->from = (unsigned)distance % 3;
        filling->to = (unsigned)(distance + 1) % 3;
        const uint64_t reached = make_layer(filling, team, residue[filling->from]);
        if (filling->stopped)
            return error_set(error, PDB_INTERRUPTED, "interrupted");
        residue[filling->to] += reached;
        if (reached > 0 || distance + 1 == kept)
            continue;
        if (filling->tail != NULL && filling->tail->cap == 0) /* few of the entries can be reached at all */
            set_cap(filling, team, distance + 4);
        return PDB_OK;
    }
}

/* -- memory -- */

uint64_t permute_fill_memory(const struct permute_table *table, unsigned threads)
{
    const uint64_t moves = table->part[0]->moves;
    uint64_t bytes = threads * 2 * table->states[table->parts - 1] * sizeof(uint32_t);
    for (unsigned p = 1; p < table->parts; p++)
        bytes += table->states[p] * moves * sizeof(uint32_t);
    return bytes;
}

static void free_filling(struct filling *filling, unsigned threads)
{
    for (unsigned t = 0; filling->thread != NULL && t < threads; t++)
        free(filling->thread[t].list);
    free(filling->thread);
    for (unsigned p = 1; p < filling->table->parts; p++)
        free(filling->move_to[p]);
}

static pdb_status ready(struct filling *filling, unsigned threads, pdb_error *error)
{
    const struct permute_table *table = filling->table;
    uint64_t next[PERMUTE_MAX_MOVES];
    uint16_t moves;
    bool room = true;
    for (unsigned p = 1; p < table->parts; p++)
        room = (filling->move_to[p] = pages_take(table->states[p] * filling->moves * sizeof **filling->move_to)) &&
               room;
    filling->thread = calloc(threads, sizeof *filling->thread);
    room = room && filling->thread != NULL;
    for (unsigned t = 0; room && t < threads; t++) {
        struct thread *thread = &filling->thread[t];
        thread->list = malloc(2 * filling->stretch * sizeof *thread->list);
        room = thread->list != NULL;
        thread->found = room ? thread->list + filling->stretch : NULL;
    }
    if (!room)
        return error_no_memory(error, "filling a table", permute_fill_memory(table, threads));
    for (unsigned p = 1; p < table->parts; p++)
        for (uint64_t b = 0; b < table->states[p]; b++) {
            permute_successors(&table->part[p]->puzzle, &b, 1, next, &moves);
            for (unsigned m = 0; m < filling->moves; m++)
                filling->move_to[p][m * table->states[p] + b] = (uint32_t)next[m];
        }
    return PDB_OK;
}

pdb_status permute_fill(const struct permute_table *table, const struct pattern_work *work, uint64_t done,
                        uint8_t *bytes, pdb_error *error)
{
    struct filling filling = {
        .table = table, .work = work, .before = done, .bytes = bytes, .moves = table->part[0]->moves};
    struct team team = {.threads = work->threads};
    if (table->pattern.bounded)
        filling.tail = (struct permute_tail *)(void *)(bytes + permute_tail_at(table->entries));
    filling.last = table->parts - 1;
    filling.stretch = table->states[filling.last];
    filling.rows_a_share = (BUSY_ENTRIES / table->row / ROWS + 1) * ROWS;
    pdb_status status = ready(&filling, work->threads, error);
    if (status == PDB_OK)
        status = make_layers(&filling, &team, error);
    team_end(&team);
    free_filling(&filling, work->threads);
    return status;
}
