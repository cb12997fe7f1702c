/* room.c -- the search by keys: its memory, which grows with what is found */
#include "inner.h"
#include "lib/search/space/rows/sample.h"
#include "lib/text.h"

#include <stdlib.h>

/* A set of bits that is no larger is taken at once; and has no larger a share of the memory. */
enum { FEW_BYTES = 1 << 22, FEW_SHARE = 1 << 10 };

/* A list that is no longer and has nothing to be copied becomes four times as long: pages that nobody has touched cost
 * nothing, and to have others costs much. */
enum { FEW_KEYS = 1 << 20 };

static size_t batch_of(const struct puzzle *puzzle)
{
    const size_t size = BATCH_ROOM / (puzzle->max_moves + 1u), most = puzzle->forward ? BATCH_MAX : BATCH_MAX / 4;
    return size > most ? most : size > 0 ? size : 1;
}

static uint64_t worker_bytes(const struct puzzle *puzzle)
{
    const uint64_t batch = batch_of(puzzle);
    return sizeof(struct worker) + (batch * (puzzle->max_moves + 1u) + RECENT) * sizeof(uint64_t) +
           batch * sizeof(uint16_t);
}

/* What is known beforehand: the rest depends on what is found. */
uint64_t sparse_memory(const struct retrograde_plan *plan, unsigned width)
{
    (void)width;
    return sizeof(struct sparse) + plan->threads * worker_bytes(plan->puzzle);
}

bool sparse_allocate(struct retrograde *search, const struct retrograde_plan *plan)
{
    struct sparse *sparse = sparse_of(search);
    const struct puzzle *puzzle = plan->puzzle;
    sparse->batch = batch_of(puzzle);
    sparse->sample = plan->sample;
    sparse->workers = calloc(plan->threads, sizeof *sparse->workers);
    for (unsigned t = 0; sparse->workers != NULL && t < plan->threads; t++) {
        struct worker *worker = &sparse->workers[t];
        worker->next = malloc(sparse->batch * (puzzle->max_moves + 1u) * sizeof *worker->next);
        worker->next_count = malloc(sparse->batch * sizeof *worker->next_count);
        worker->recent = calloc(RECENT, sizeof *worker->recent);
        if (worker->next == NULL || worker->next_count == NULL || worker->recent == NULL)
            return false;
    }
    sparse->table.width = puzzle_sets_out(puzzle) ? 0 : 1;
    return sparse->workers != NULL;
}

void sparse_release_buffers(struct sparse *sparse)
{
    for (unsigned t = 0; sparse->workers != NULL && t < sparse->search.team.threads; t++) {
        free(sparse->workers[t].next);
        free(sparse->workers[t].next_count);
        free(sparse->workers[t].recent);
        free(sparse->workers[t].slot);
        free(sparse->workers[t].cost);
        free(sparse->workers[t].recent_number);
    }
    free(sparse->workers);
    free(sparse->frontier.key);
    free(sparse->next.key);
    sparse->workers = NULL;
    sparse->frontier = sparse->next = (struct list){0};
}

void sparse_release(struct retrograde *search)
{
    forward_free(&sparse_of(search)->forward);
    exact_free(&sparse_of(search)->distance);
    sparse_keep_no_moves(sparse_of(search));
    sparse_release_buffers(sparse_of(search));
    key_sample_free(&sparse_of(search)->sample);
    key_table_free(&sparse_of(search)->table);
    key_bits_free(&sparse_of(search)->bits);
    key_bits_free(&sparse_of(search)->reached);
}

/* Bytes of the keys' set and of their depths, in a table of so many slots or in bits. */
static uint64_t keys_bytes(const struct sparse *sparse, uint64_t slots, unsigned width)
{
    const struct key_bits *bits = &sparse->bits;
    if (bits->word == NULL)
        return key_table_bytes(slots, width);
    return slots * width + key_bits_bytes(bits->range) +
           (bits->before != NULL ? key_bits_number_bytes(bits->range) : 0) +
           (sparse->reached.word != NULL ? key_bits_bytes(bits->range) : 0);
}

/* High parts are the puzzle's, but it is the search that they are there for. */
static uint64_t parts_taken(const struct puzzle *puzzle)
{
    return puzzle->parts == NULL ? 0 : parts_bytes(puzzle->parts);
}

uint64_t sparse_beside(const struct sparse *sparse)
{
    return sizeof *sparse + keys_bytes(sparse, sparse->table.slots, sparse->table.width) +
           parts_taken(sparse->search.puzzle);
}

static uint64_t taken(const struct sparse *sparse, uint64_t for_keys, uint64_t in_lists)
{
    const struct retrograde *search = &sparse->search;
    return sizeof *sparse + retrograde_state_bytes(search->room) + search->team.threads * worker_bytes(search->puzzle) +
           for_keys + (in_lists + sparse->sample.count) * sizeof(uint64_t) + sparse_moves_bytes(sparse) +
           parts_taken(search->puzzle);
}

/* Is there room for so many bytes of keys and so many keys in lists? */
static pdb_status charge(struct sparse *sparse, uint64_t for_keys, uint64_t in_lists, pdb_error *error)
{
    const struct retrograde *search = &sparse->search;
    const uint64_t bytes = taken(sparse, for_keys, in_lists);
    if (bytes > search->limit) {
        char found[NUMBER_TEXT_MAX], allowed[NUMBER_TEXT_MAX];
        return error_set(error, PDB_TOO_LARGE, "%s: %s states were found, and more do not fit in %s of memory",
                         search->puzzle->name, number_text(sparse->kept.keys, found),
                         size_text(search->limit, allowed));
    }
    sparse->search.memory = bytes > sparse->search.memory ? bytes : sparse->search.memory;
    return PDB_OK;
}

static uint64_t listed(const struct sparse *sparse)
{
    return sparse->frontier.room + sparse->next.room;
}

static pdb_status no_memory(const struct sparse *sparse, pdb_error *error)
{
    return error_no_memory(error, "the table of keys", keys_bytes(sparse, sparse->table.slots, sparse->table.width));
}

pdb_status sparse_reserve_list(struct sparse *sparse, struct list *list, uint64_t more, pdb_error *error)
{
    if (list->count + more <= list->room)
        return PDB_OK;
    const uint64_t longer = list->room + (list->count == 0 && list->room < FEW_KEYS ? 3 * list->room : list->room / 2),
                   needed = list->count + more, keys = keys_bytes(sparse, sparse->table.slots, sparse->table.width);
    uint64_t room = needed > longer ? needed : longer;
    pdb_status status = charge(sparse, keys, listed(sparse) + room - list->room, error);
    if (status != PDB_OK && room > needed) {
        room = needed;
        status = charge(sparse, keys, listed(sparse) + room - list->room, error);
    }
    if (status != PDB_OK)
        return status;
    if (list->count == 0) { /* nothing to be copied */
        free(list->key);
        list->key = NULL;
        list->room = 0;
    }
    uint64_t *grown = realloc(list->key, room * sizeof *grown);
    if (grown == NULL)
        return no_memory(sparse, error);
    list->key = grown;
    list->room = room;
    return PDB_OK;
}

uint64_t sparse_left(const struct sparse *sparse)
{
    const uint64_t bytes = taken(sparse, keys_bytes(sparse, sparse->table.slots, sparse->table.width), listed(sparse));
    return bytes < sparse->search.limit ? sparse->search.limit - bytes : 0;
}

bool sparse_has_few_keys(const struct sparse *sparse)
{
    const uint64_t bits = key_bits_bytes(sparse->search.puzzle->states);
    return bits <= FEW_BYTES && bits <= sparse->search.limit / FEW_SHARE;
}

/* The table's keys become bits. Moves that were kept by their numbers are not. */
static pdb_status take_bits(struct sparse *sparse, pdb_error *error)
{
    struct key_table *table = &sparse->table;
    sparse_keep_no_moves(sparse);
    const uint64_t range = sparse->search.puzzle->states;
    pdb_status status = charge(sparse, key_table_bytes(table->slots, 0) + key_bits_bytes(range), listed(sparse), error);
    if (status == PDB_OK && !key_bits_create(&sparse->bits, range))
        status = error_no_memory(error, "the set of keys", key_bits_bytes(range));
    for (uint64_t i = 0; status == PDB_OK && i < table->slots; i++)
        if (table->slot[i] != 0)
            key_bits_put(&sparse->bits, table->slot[i] - 1);
    if (status == PDB_OK)
        key_table_free(table);
    return status;
}

pdb_status sparse_reserve_table(struct sparse *sparse, uint64_t more, pdb_error *error)
{
    struct key_table *table = &sparse->table;
    const uint64_t keys = sparse->kept.keys + more;
    if (sparse->bits.word != NULL || keys <= key_table_room(table->slots))
        return PDB_OK;
    const uint64_t slots = key_table_next(table->slots, keys), bits = key_bits_bytes(sparse->search.puzzle->states);
    if (sparse->search.puzzle->forward && (sparse_has_few_keys(sparse) || bits <= key_table_bytes(slots, 0)))
        return take_bits(sparse, error);
    pdb_status status = charge(sparse, key_table_bytes(slots, table->width), listed(sparse), error);
    if (status == PDB_OK && !key_table_grow(table, slots))
        status = no_memory(sparse, error);
    return status;
}

pdb_status sparse_take_table(struct sparse *sparse, struct key_table *table, uint64_t keys, pdb_error *error)
{
    pdb_status status = charge(sparse, key_table_bytes(table->slots, 0), listed(sparse), error);
    if (status != PDB_OK)
        return status;
    key_table_free(&sparse->table);
    sparse->table = *table;
    sparse->kept.keys = sparse->search.states = keys;
    *table = (struct key_table){0};
    return PDB_OK;
}

pdb_status sparse_reserve_parts(struct sparse *sparse, pdb_error *error)
{
    struct parts *parts = sparse->search.puzzle->parts;
    if (parts == NULL || !parts_full(parts))
        return PDB_OK;
    const uint64_t wanted = parts_count(parts) + 1, more = parts_bytes_with(parts, wanted) - parts_bytes(parts);
    pdb_status status = charge(sparse, keys_bytes(sparse, sparse->table.slots, sparse->table.width) + more,
                               listed(sparse), error);
    if (status == PDB_OK && !parts_grow(parts, wanted))
        status = error_no_memory(error, "the table of high parts", more);
    return status;
}

pdb_status sparse_widen(struct sparse *sparse, unsigned width, pdb_error *error)
{
    pdb_status status = charge(sparse, keys_bytes(sparse, sparse->table.slots, width), listed(sparse), error);
    if (status == PDB_OK && !key_table_widen(&sparse->table, width))
        status = no_memory(sparse, error);
    return status;
}

/* The bits get their places: then each has a depth of a byte. `reached`: and it is noted which are reached. */
pdb_status sparse_number(struct sparse *sparse, bool reached, pdb_error *error)
{
    struct key_bits *bits = &sparse->bits;
    const uint64_t more = key_bits_number_bytes(bits->range) + reached * key_bits_bytes(bits->range);
    pdb_status status = charge(sparse, keys_bytes(sparse, sparse->table.slots, sparse->table.width) + more,
                               listed(sparse), error);
    if (status == PDB_OK &&
        (!key_bits_number(bits, &sparse->search.team) || (reached && !key_bits_create(&sparse->reached, bits->range))))
        status = error_no_memory(error, "the set of keys", more);
    sparse->table.slots = bits->count;
    return status;
}

/* So many bytes for distances of the places, of a byte at first. */
pdb_status sparse_take_distances(struct sparse *sparse, uint64_t bytes, pdb_error *error)
{
    const uint64_t keys = keys_bytes(sparse, sparse->table.slots, sparse->table.width);
    pdb_status status = charge(sparse, keys + bytes, listed(sparse), error);
    if (status == PDB_OK && !exact_create(&sparse->distance, bytes, &sparse->search.team))
        status = error_no_memory(error, "the distances", bytes);
    return status;
}

/* Bytes of bits, of those that are reached, and of depths: how many places have them is not known yet. */
static bool fit_bits(struct sparse *sparse, uint64_t words, uint64_t reached, uint64_t depths)
{
    const struct puzzle *puzzle = sparse->search.puzzle;
    const uint64_t bytes = key_bits_bytes(puzzle->states);
    if (!puzzle->forward || words != bytes || (reached != 0 && reached != bytes) ||
        charge(sparse, words + reached + depths, listed(sparse), NULL) != PDB_OK ||
        !key_bits_create(&sparse->bits, puzzle->states) ||
        (reached != 0 && !key_bits_create(&sparse->reached, puzzle->states)))
        return false;
    sparse->table.slots = depths;
    return depths == 0 || key_table_widen(&sparse->table, 1);
}

static bool fit_table(struct sparse *sparse, uint64_t slots, uint64_t depths)
{
    const unsigned width = slots == 0 ? 0 : (unsigned)(depths / slots);
    if (slots < sparse->table.slots || (width != 0 && width != 1 && width != 2 && width != 4) ||
        charge(sparse, key_table_bytes(slots, width), listed(sparse), NULL) != PDB_OK ||
        !key_table_grow(&sparse->table, slots))
        return false;
    return width <= sparse->table.width || key_table_widen(&sparse->table, width);
}

static bool fit_parts(struct sparse *sparse, uint64_t count)
{
    struct parts *parts = sparse->search.puzzle->parts;
    if (parts == NULL || count > PARTS_KEYS >> PARTS_LOW_BITS)
        return count == 0;
    const uint64_t more = parts_bytes_with(parts, count) - parts_bytes(parts);
    return charge(sparse, keys_bytes(sparse, sparse->table.slots, sparse->table.width) + more, listed(sparse), NULL) ==
               PDB_OK &&
           parts_fit(parts, count);
}

/* Makes the parts as large as those of a search that has come further. */
bool sparse_fit(struct retrograde *search, const uint64_t *size, size_t count)
{
    struct sparse *sparse = sparse_of(search);
    if (count != SPARSE_PARTS)
        return false;
    const uint64_t frontier = size[3] / sizeof(uint64_t), next = size[4] / sizeof(uint64_t);
    if (!fit_parts(sparse, size[8] / sizeof(struct part)))
        return false;
    if (size[7] != 0 && sparse_take_distances(sparse, size[7], NULL) != PDB_OK)
        return false;
    if (size[5] != 0 ? !fit_bits(sparse, size[5], size[6], size[2])
                     : !fit_table(sparse, size[1] / sizeof(uint64_t), size[2]))
        return false;
    sparse->frontier.count = sparse->next.count = 0;
    if (sparse_reserve_list(sparse, &sparse->frontier, frontier, NULL) != PDB_OK ||
        sparse_reserve_list(sparse, &sparse->next, next, NULL) != PDB_OK)
        return false;
    sparse->frontier.count = frontier;
    sparse->next.count = next;
    return true;
}
