/* room.c -- the search whose states are shared out: its memory */
#include "owned.h"
#include "lib/text.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAIL_ROOM_LEAST = 1 << 15, /* bytes of a batch */
    MAIL_ROOM_MOST = 1 << 18,
    MAIL_MOST = 1 << 22,   /* of the batches for all ranks, within these limits */
    RECORD_MOST = 20,      /* bytes of what is posted of a move (round.c) */
    LARGE_TABLE = 1 << 21, /* slots */
    STRETCH_STATES = 640   /* of which every encoding has whole bytes, and an array whole words (exact.h) */
};

/* -- what is known beforehand -- */

static unsigned moves_of(const struct puzzle *puzzle)
{
    return puzzle->max_moves + 1u; /* functions of packed keys may write one more */
}

/* The bytes of a batch: more than all moves of a state take. */
static uint64_t mail_room(const struct puzzle *puzzle, const struct ranks *ranks)
{
    const uint64_t least = (uint64_t)moves_of(puzzle) * RECORD_MOST, room = MAIL_MOST / ranks->size,
                   within = room < MAIL_ROOM_LEAST  ? MAIL_ROOM_LEAST
                            : room > MAIL_ROOM_MOST ? MAIL_ROOM_MOST
                                                    : room;
    return (within > least ? within : least) / sizeof(uint64_t) * sizeof(uint64_t) + sizeof(uint64_t);
}

/* How many threads expand how many states at once, such that all that they come to goes into one batch; better into
 * half of it, for the next ones' is not known yet. */
static size_t workers_of(const struct retrograde_plan *plan, size_t *batch)
{
    const uint64_t each = (uint64_t)moves_of(plan->puzzle) * RECORD_MOST, room = mail_room(plan->puzzle, plan->ranks);
    const uint64_t states = room / 2 / each > 0 ? room / 2 / each : 1;
    const size_t most = plan->threads < states ? plan->threads : (size_t)states, workers = most > 0 ? most : 1;
    *batch = states / workers < OWNED_BATCH_MAX ? (size_t)(states / workers) : OWNED_BATCH_MAX;
    return workers;
}

static uint64_t worker_bytes(const struct puzzle *puzzle, size_t batch)
{
    return sizeof(struct worker) + batch * (sizeof(uint64_t) + sizeof(uint16_t)) +
           batch * moves_of(puzzle) * (sizeof(uint64_t) + sizeof(uint32_t)) + OWNED_RECENT * sizeof(uint64_t);
}

/* Indices of each rank: the same number of stretches, or of slices. */
static uint64_t stretch_of(const struct puzzle *puzzle, const struct ranks *ranks)
{
    if (has_masks(puzzle))
        return owned_slices_stretch(puzzle, ranks);
    return ((puzzle->states - 1) / ranks->size / STRETCH_STATES + 1) * STRETCH_STATES;
}

/* The indices of this rank: how many, and *first. */
static uint64_t own_indices(const struct puzzle *puzzle, const struct ranks *ranks, uint64_t *first)
{
    const uint64_t stretch = stretch_of(puzzle, ranks), before = stretch * ranks->rank;
    *first = before < puzzle->states ? before : puzzle->states;
    return puzzle->states - *first < stretch ? puzzle->states - *first : stretch;
}

/* Places of a rank's array, of whole words: its own, and some for those of the next that are packed with its last. */
static uint64_t array_places(const struct puzzle *puzzle, const struct ranks *ranks)
{
    return (stretch_of(puzzle, ranks) / 64 + 1) * 64;
}

/* A bit for each index of other ranks, where moves into states are known and asked for. */
static uint64_t posted_bytes(const struct puzzle *puzzle, const struct ranks *ranks)
{
    uint64_t first;
    return puzzle->keyed || puzzle->forward || has_masks(puzzle)
               ? 0
               : ((puzzle->states - own_indices(puzzle, ranks, &first)) / 64 + 1) * sizeof(uint64_t);
}

static uint64_t fixed_bytes(const struct retrograde_plan *plan)
{
    size_t batch;
    const size_t workers = workers_of(plan, &batch);
    return sizeof(struct owned) + rank_mail_bytes(plan->ranks, mail_room(plan->puzzle, plan->ranks)) +
           workers * worker_bytes(plan->puzzle, batch) + posted_bytes(plan->puzzle, plan->ranks) +
           owned_window_bytes(plan->ranks) + (2 * (uint64_t)plan->ranks->size + 1) * sizeof(uint64_t);
}

uint64_t owned_memory(const struct retrograde_plan *plan, unsigned width)
{
    return fixed_bytes(plan) + (plan->puzzle->keyed ? key_table_bytes(key_table_next(0, 0), width)
                                                    : width * array_places(plan->puzzle, plan->ranks));
}

/* High parts are numbered in the order in which they are found, which every rank would do in its own way. */
pdb_status owned_share_out(struct retrograde_plan *plan, struct ranks *ranks, pdb_error *error)
{
    if (has_masks(plan->puzzle))
        plan->text = "all at once, shared out among ranks";
    if (mail_room(plan->puzzle, ranks) > INT_MAX) /* which MPI counts bytes by */
        return error_set(error, PDB_TOO_LARGE, "%s: up to %zu moves lead out of a state, too many to send at once",
                         plan->puzzle->name, (size_t)plan->puzzle->max_moves);
    return plan->puzzle->parts == NULL
               ? PDB_OK
               : error_set(error, PDB_TOO_LARGE,
                           "%s: its keys have more than 64 bits, and cannot be shared out among ranks: one process "
                           "does it alone",
                           plan->puzzle->name);
}

static bool take_worker(struct worker *worker, const struct puzzle *puzzle, size_t batch)
{
    worker->state = malloc(batch * sizeof *worker->state);
    worker->next = malloc(batch * moves_of(puzzle) * sizeof *worker->next);
    worker->cost = malloc(batch * moves_of(puzzle) * sizeof *worker->cost);
    worker->next_count = malloc(batch * sizeof *worker->next_count);
    worker->recent = calloc(OWNED_RECENT, sizeof *worker->recent);
    return worker->state != NULL && worker->next != NULL && worker->cost != NULL && worker->next_count != NULL &&
           worker->recent != NULL;
}

static bool take_places(struct owned *owned, const struct puzzle *puzzle, const struct ranks *ranks)
{
    if (!owned->dense) {
        owned->table.width = puzzle_sets_out(puzzle) ? 0 : 1;
        owned->places = key_table_next(0, 0);
        return key_table_grow(&owned->table, owned->places);
    }
    owned->stretch = stretch_of(puzzle, ranks);
    owned->places = own_indices(puzzle, ranks, &owned->first);
    const uint64_t posted = posted_bytes(puzzle, ranks);
    owned->posted = posted > 0 ? calloc(1, posted) : NULL;
    if (posted > 0 && owned->posted == NULL)
        return false;
    return exact_create(&owned->exact, array_places(puzzle, ranks), &owned->search.team);
}

bool owned_allocate(struct retrograde *search, const struct retrograde_plan *plan)
{
    struct owned *owned = owned_of(search);
    const struct puzzle *puzzle = plan->puzzle;
    owned->dense = !puzzle->keyed;
    owned->workers = workers_of(plan, &owned->batch);
    owned->worker = calloc(owned->workers, sizeof *owned->worker);
    owned->share = calloc(plan->ranks->size + 1, sizeof *owned->share);
    owned->at = calloc(plan->ranks->size, sizeof *owned->at);
    bool there = owned->worker != NULL && owned->share != NULL && owned->at != NULL &&
                 rank_mail_take(&owned->mail, plan->ranks, mail_room(puzzle, plan->ranks));
    for (size_t i = 0; there && i < owned->workers; i++)
        there = take_worker(&owned->worker[i], puzzle, owned->batch);
    return there && take_places(owned, puzzle, plan->ranks);
}

void owned_release_search(struct owned *owned)
{
    for (size_t i = 0; owned->worker != NULL && i < owned->workers; i++) {
        free(owned->worker[i].state);
        free(owned->worker[i].next);
        free(owned->worker[i].cost);
        free(owned->worker[i].next_count);
        free(owned->worker[i].recent);
    }
    free(owned->worker);
    free(owned->list.key);
    free(owned->head);
    free(owned->move);
    free(owned->posted);
    owned->posted = NULL;
    owned->worker = NULL;
    owned->list = (struct list){0};
    owned->head = NULL;
    owned->move = NULL;
    owned->move_room = 0;
}

void owned_release(struct retrograde *search)
{
    struct owned *owned = owned_of(search);
    owned_release_search(owned);
    rank_mail_free(&owned->mail);
    exact_free(&owned->exact);
    key_table_free(&owned->table);
    free(owned->packed);
    free(owned->window);
    free(owned->share);
    free(owned->at);
    keys_write_free(&owned->written);
}

/* -- what grows -- */

static uint64_t taken(const struct owned *owned)
{
    const struct retrograde *search = &owned->search;
    const uint64_t heads = owned->head == NULL ? 0 : owned->places * sizeof *owned->head;
    const uint64_t states = owned->dense ? owned->exact.width * owned->exact.states
                                         : key_table_bytes(owned->table.slots, owned->table.width);
    return sizeof *owned + retrograde_state_bytes(search->room) + states + owned->list.room * sizeof(uint64_t) + heads +
           owned->move_room * sizeof *owned->move + rank_mail_bytes(search->ranks, owned->mail.room) +
           (owned->posted == NULL ? 0 : posted_bytes(search->puzzle, search->ranks)) +
           (owned->worker == NULL ? 0 : owned->workers * worker_bytes(search->puzzle, owned->batch));
}

pdb_status owned_charge(struct owned *owned, uint64_t more, pdb_error *error)
{
    struct retrograde *search = &owned->search;
    const uint64_t bytes = taken(owned) + more;
    if (bytes > search->limit) {
        char found[NUMBER_TEXT_MAX], allowed[NUMBER_TEXT_MAX];
        return error_set(error, PDB_TOO_LARGE, "%s: %s states were found, and more do not fit in %s of memory a rank",
                         search->puzzle->name, number_text(search->states, found), size_text(search->limit, allowed));
    }
    search->memory = bytes > search->memory ? bytes : search->memory;
    return PDB_OK;
}

static pdb_status no_memory(const struct owned *owned, pdb_error *error)
{
    return error_no_memory(error, "the states of a rank", taken(owned));
}

/* The slots of a table that is to hold so many keys. A large one grows by an eighth: ranks are for what has no room,
 * and their time goes elsewhere. */
static uint64_t slots_for(uint64_t slots, uint64_t keys)
{
    while (key_table_room(slots) < keys)
        slots = slots < LARGE_TABLE ? key_table_next(slots, key_table_room(slots) + 1) : slots + slots / 8;
    return slots;
}

pdb_status owned_reserve_table(struct owned *owned, uint64_t more, pdb_error *error)
{
    struct key_table *table = &owned->table;
    if (owned->keys + more <= key_table_room(table->slots))
        return PDB_OK;
    const uint64_t slots = slots_for(table->slots, owned->keys + more);
    pdb_status status = owned_charge(owned, key_table_bytes(slots - table->slots, table->width), error);
    if (status == PDB_OK && !key_table_grow(table, slots))
        status = no_memory(owned, error);
    owned->places = table->slots;
    return status;
}

/* What is gone of the list makes room; where that is little, it grows. */
pdb_status owned_reserve_list(struct owned *owned, uint64_t more, pdb_error *error)
{
    struct list *list = &owned->list;
    if (list->count + more <= list->room)
        return PDB_OK;
    const uint64_t left = list->count - list->first, wanted = left + more;
    if (left > 0)
        memmove(list->key, list->key + list->first, left * sizeof *list->key);
    list->past -= list->first;
    list->count = left;
    list->first = 0;
    if (wanted <= list->room - list->room / 16)
        return PDB_OK;
    const uint64_t room = wanted + wanted / 8;
    pdb_status status = owned_charge(owned, (room - list->room) * sizeof *list->key, error);
    uint64_t *grown = status == PDB_OK ? realloc(list->key, room * sizeof *grown) : NULL;
    if (grown == NULL)
        return status != PDB_OK ? status : no_memory(owned, error);
    list->key = grown;
    list->room = room;
    return PDB_OK;
}

pdb_status owned_widen(struct owned *owned, uint64_t distance, pdb_error *error)
{
    const unsigned before = owned->dense ? owned->exact.width : owned->table.width;
    unsigned width = before > 0 ? before : 1;
    while (width < 4 && distance > exact_max(width))
        width *= 2;
    if (width == before)
        return PDB_OK;
    const uint64_t places = owned->dense ? owned->exact.states : owned->table.slots;
    pdb_status status = owned_charge(owned, (width - before) * places, error);
    if (status == PDB_OK && !(owned->dense ? exact_widen(&owned->exact, width) : key_table_widen(&owned->table, width)))
        status = no_memory(owned, error);
    return status;
}

pdb_status owned_reserve_moves(struct owned *owned, uint64_t more, pdb_error *error)
{
    const uint64_t heads = owned->head == NULL ? owned->places * sizeof *owned->head + sizeof *owned->head : 0;
    const uint64_t wanted = owned->moves + more, room = wanted <= owned->move_room ? 0 : wanted + wanted / 4;
    if (heads == 0 && room == 0)
        return PDB_OK;
    if (wanted >= UINT32_MAX)
        return error_set(error, PDB_TOO_LARGE, "%s: more than %u moves lead to the states of one rank: take more ranks",
                         owned->search.puzzle->name, UINT32_MAX - 1);
    pdb_status status = owned_charge(owned, heads + (room > 0 ? (room - owned->move_room) * sizeof *owned->move : 0),
                                     error);
    if (status != PDB_OK)
        return status;
    if (owned->head == NULL)
        owned->head = calloc(owned->places + 1, sizeof *owned->head);
    struct move *grown = room > 0 ? realloc(owned->move, room * sizeof *grown) : NULL;
    if (grown != NULL) {
        owned->move = grown;
        owned->move_room = room;
    }
    return owned->head != NULL && wanted <= owned->move_room ? PDB_OK : no_memory(owned, error);
}
