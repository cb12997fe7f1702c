/* room.c -- the search by rows: its memory, which grows with what is found */
#include "inner.h"
#include "lib/memory/pages.h"
#include "lib/text.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH_MAX = 64, BATCH_ROOM = 1 << 12 /* rows one move away */, FIRST_ROOM = 1 << 10, LARGE = 1 << 20 };

static size_t batch_of(const struct row_kernel *kernel)
{
    const size_t size = BATCH_ROOM / (kernel->steps_max + 1);
    return size > BATCH_MAX ? BATCH_MAX : size > 0 ? size : 1;
}

static uint64_t worker_bytes(const struct row_kernel *kernel)
{
    const uint64_t rows = batch_of(kernel) * (kernel->steps_max + 1);
    return sizeof(struct row_worker) + rows * (1 + kernel->words) * sizeof(uint64_t) +
           (rows + ROWS_SHARE) * sizeof(uint32_t);
}

static uint64_t base_bytes(const struct row_kernel *kernel, unsigned threads)
{
    return sizeof(struct rows) + kernel->bytes + threads * worker_bytes(kernel);
}

/* What is known beforehand: the rest depends on what is found. */
uint64_t rows_memory(const struct retrograde_plan *plan, unsigned width)
{
    (void)width;
    return base_bytes(plan->rows, plan->threads);
}

bool rows_allocate(struct retrograde *search, const struct retrograde_plan *plan)
{
    struct rows *rows = rows_of(search);
    const struct row_kernel *kernel = rows->kernel = plan->rows;
    rows->words = kernel->words;
    rows->size = 1 + ROW_PLANES * rows->words;
    rows->batch = batch_of(kernel);
    const size_t room = rows->batch * (kernel->steps_max + 1);
    rows->workers = calloc(plan->threads, sizeof *rows->workers);
    for (unsigned t = 0; rows->workers != NULL && t < plan->threads; t++) {
        struct row_worker *worker = &rows->workers[t];
        worker->keys = malloc(room * sizeof *worker->keys);
        worker->rows = malloc(room * rows->words * sizeof *worker->rows);
        worker->list = malloc((room + ROWS_SHARE) * sizeof *worker->list);
        if (worker->keys == NULL || worker->rows == NULL || worker->list == NULL)
            return false;
    }
    return rows->workers != NULL;
}

void rows_release_buffers(struct rows *rows)
{
    for (unsigned t = 0; rows->workers != NULL && t < rows->search.team.threads; t++) {
        free(rows->workers[t].keys);
        free(rows->workers[t].rows);
        free(rows->workers[t].list);
    }
    free(rows->workers);
    free(rows->entry);
    free(rows->slot);
    free(rows->frontier.number);
    free(rows->next.number);
    free(rows->deepest);
    free(rows->residue);
    rows->residue = NULL;
    rows->workers = NULL;
    rows->entry = NULL;
    rows->slot = NULL;
    rows->frontier.number = rows->next.number = NULL;
    rows->deepest = NULL;
}

void rows_release(struct retrograde *search)
{
    struct rows *rows = rows_of(search);
    rows_release_buffers(rows);
    free(rows->key);
    key_bits_free(&rows->bits);
    free(rows->distance);
    if (rows->kernel != NULL)
        rows->kernel->free(rows->kernel);
}

static uint32_t slots_for(uint64_t room)
{
    return (uint32_t)(room + room / 2);
}

/* Bytes of a bit for each key that there may be, of their numbers, and of two bits each. */
static uint64_t bits_bytes(uint64_t range)
{
    return 3 * key_bits_bytes(range) + key_bits_number_bytes(range);
}

/* Do those take no more than the keys of all states? Then keys need not be sorted. */
static bool takes_bits(const struct rows *rows)
{
    return bits_bytes(rows->search.puzzle->states) <= rows->kept.states * sizeof(uint64_t);
}

/* Is there room for so many entries, and for the states that are found when they are ranked at the end? */
static pdb_status charge(struct rows *rows, uint64_t room, uint64_t deepest, pdb_error *error)
{
    const struct retrograde *search = &rows->search;
    const uint64_t each = rows->size * sizeof(uint64_t) + 2 * sizeof(uint32_t);
    const uint64_t bytes = base_bytes(rows->kernel, search->team.threads) + room * each +
                           slots_for(room) * sizeof(uint32_t) + pages_bytes(rows->kept.states) +
                           (takes_bits(rows) ? bits_bytes(search->puzzle->states)
                                             : pages_bytes(rows->kept.states * sizeof(uint64_t))) +
                           deepest * sizeof(uint64_t);
    if (bytes > search->limit || slots_for(room) < room) {
        char found[NUMBER_TEXT_MAX], allowed[NUMBER_TEXT_MAX];
        return error_set(error, PDB_TOO_LARGE, "%s: %s states were found, and more do not fit in %s of memory",
                         search->puzzle->name, number_text(rows->kept.states, found),
                         size_text(search->limit, allowed));
    }
    rows->search.memory = bytes > rows->search.memory ? bytes : rows->search.memory;
    return PDB_OK;
}

/* Enters all entries' numbers anew. */
void rows_enter_all(struct rows *rows)
{
    memset(rows->slot, 0, rows->slots * sizeof *rows->slot);
    for (uint64_t i = 0; i < rows->entries; i++) {
        const uint64_t key = rows_entry(rows, i)[0] & ~ROW_LISTED;
        uint64_t at = rows_home(rows, key);
        if (key == ROW_NONE)
            continue;
        while (rows->slot[at] != 0)
            at = at + 1 < rows->slots ? at + 1 : 0;
        rows->slot[at] = (uint32_t)i + 1;
    }
}

static bool lengthen_entries(struct rows *rows, uint64_t room)
{
    const uint64_t each = rows->size * sizeof *rows->entry;
    uint64_t *entry = pages_lengthen(rows->entry, rows->entries * each, room * each);
    if (entry == NULL)
        return false;
    rows->entry = entry;
    free(rows->slot); /* all numbers are entered anew */
    rows->slot = pages_take_zeros(slots_for(room) * sizeof *rows->slot);
    return rows->slot != NULL;
}

static bool lengthen_list(struct rows_list *list, uint64_t room)
{
    uint32_t *number = reallocarray(list->number, room, sizeof *number);
    if (number == NULL)
        return false;
    list->number = number;
    return true;
}

static pdb_status grow(struct rows *rows, uint64_t room, pdb_error *error)
{
    pdb_status status = charge(rows, room, 0, error);
    if (status != PDB_OK)
        return status;
    if (!lengthen_entries(rows, room) || !lengthen_list(&rows->frontier, room) || !lengthen_list(&rows->next, room))
        return error_no_memory(error, "the rows", room * rows->size * sizeof *rows->entry);
    rows->room = room;
    rows->slots = slots_for(room);
    rows_enter_all(rows);
    return PDB_OK;
}

pdb_status rows_reserve(struct rows *rows, uint64_t more, pdb_error *error)
{
    const uint64_t needed = rows->entries + more;
    uint64_t room = rows->room == 0 ? FIRST_ROOM : rows->room;
    if (needed <= rows->room)
        return charge(rows, rows->room, 0, error);
    while (room < needed)
        room = room < LARGE ? 2 * room : room + room / 4;
    return grow(rows, room, error);
}

pdb_status rows_reserve_end(struct rows *rows, pdb_error *error)
{
    const uint64_t states = rows->kept.states, deepest = rows->search.state->layer;
    pdb_status status = charge(rows, rows->room, deepest, error);
    if (status != PDB_OK)
        return status;
    bool enough = true;
    if (takes_bits(rows)) {
        const uint64_t range = rows->search.puzzle->states;
        rows->residue = pages_take_zeros(2 * key_bits_bytes(range));
        enough = rows->residue != NULL && key_bits_create(&rows->bits, range) && key_bits_reserve(&rows->bits);
    } else {
        rows->key = pages_take(states * sizeof *rows->key);
        enough = rows->key != NULL;
    }
    rows->distance = pages_take(states + 64);
    rows->deepest = malloc(deepest * sizeof *rows->deepest);
    if (!enough || rows->distance == NULL || rows->deepest == NULL)
        return error_no_memory(error, "the states' keys", states * sizeof *rows->key);
    return PDB_OK;
}

/* Makes the parts as large as those of a search that has come further. */
bool rows_fit(struct retrograde *search, const uint64_t *size, size_t count)
{
    struct rows *rows = rows_of(search);
    if (count != 4)
        return false;
    const uint64_t entries = size[1] / (rows->size * sizeof(uint64_t)), frontier = size[2] / sizeof(uint32_t),
                   next = size[3] / sizeof(uint32_t);
    if (entries == 0 || entries > UINT32_MAX || frontier > entries || next > entries || entries < rows->room ||
        rows_reserve(rows, entries, NULL) != PDB_OK)
        return false;
    rows->entries = entries;
    rows->frontier.count = frontier;
    rows->next.count = next;
    return true;
}
