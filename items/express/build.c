/* build.c -- works out the tables of values, part by part (express.h)
 *
 * The values of a part are gathered in a list with a hash table over it, then sorted. Which table comes out does not
 * depend on the order in which expressions are found: numbers of expressions are sums and numbers of operators minima.
 * What is found waits in a short queue, so that the memory it goes to is fetched for several at a time.
 */
#include "express.h"
#include "items/order.h"
#include "lib/text.h"

#include <stdio.h>
#include <stdlib.h>

enum { OBSERVED_EVERY = 1 << 15, SORTED_RUN = 1 << 12, FIRST_CAPACITY = 64, GROWTH = 8, QUEUED = 16 };

struct rows {
    struct express_row *row;
    size_t count, capacity;
};

/* Expressions of a value that were found, and the value's hash. */
struct found {
    struct express_row row;
    size_t hash;
};

struct build {
    const struct express *express;
    items_observer *observe;
    void *context;
    uint64_t memory, used; /* bytes */
    struct rows *done;     /* of every part before this one */
    unsigned part;         /* this one, and */
    struct rows rows;      /* its values */
    uint32_t *slot;        /* where a value's hash leads: its row's number plus one, 0 for none */
    size_t slots;          /* a power of two */
    struct found queue[QUEUED];
    unsigned queued;
    unsigned ticks;
    double share, weight; /* of the work: before this part, and what it is itself */
    double pairs, paired; /* of values to be combined in this part, and those that are */
    pdb_status status;    /* the first thing that went wrong */
    pdb_error *error;
};

/* -- limits -- */

/* Nothing goes on where this is false. */
static bool fail(struct build *build, pdb_status status)
{
    if (build->status == PDB_OK)
        build->status = status;
    return false;
}

/* Says how far it came, and what was too much; `advice` is what to do about it. */
static bool refuse(struct build *build, const char *what, const char *advice)
{
    const struct express *express = build->express;
    const struct express_part *whole = &express->part[express->parts - 1];
    uint64_t rows = build->rows.count;
    char values[NUMBER_TEXT_MAX];
    for (unsigned p = 0; p < build->part; p++)
        rows += build->done[p].count;
    return fail(build, error_set(build->error, PDB_TOO_LARGE,
                                 "%s: with %u of %u digits there are %s values already%s: "
                                 "%s fewer digits or operators",
                                 express->puzzle.name, express->part[build->part].length, whole->length,
                                 number_text(rows, values), what, advice));
}

/* Numbers of expressions are kept in 64 bits. */
static bool refuse_count(struct build *build)
{
    return refuse(build, ", and one has 2^64 expressions or more, too many to count", "take");
}

/* Counts memory that is about to be taken. */
static bool take(struct build *build, uint64_t bytes)
{
    char memory[NUMBER_TEXT_MAX], what[NUMBER_TEXT_MAX + 64];
    if (bytes <= build->memory - build->used) {
        build->used += bytes;
        return true;
    }
    snprintf(what, sizeof what, "; they need more than %s of memory", size_text(build->memory, memory));
    return refuse(build, what, "allow more, or take");
}

static bool tick(struct build *build)
{
    if (++build->ticks % OBSERVED_EVERY != 0 || build->observe == NULL)
        return build->status == PDB_OK;
    const double part = build->pairs > 0 ? build->paired / build->pairs : 0;
    return build->observe(build->context, build->share + build->weight * part) ||
           fail(build, error_set(build->error, PDB_INTERRUPTED, "%s: interrupted", build->express->puzzle.name));
}

/* -- gathering -- */

static size_t hash_of(struct rational value)
{
    uint64_t hash = (uint64_t)value.numerator * 0x9E3779B97F4A7C15 + (uint64_t)value.denominator * 0xC2B2AE3D27D4EB4F;
    hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93;
    return hash ^ hash >> 29;
}

static size_t slot_of(const struct build *build, struct rational value, size_t hash)
{
    size_t slot = hash & (build->slots - 1);
    while (build->slot[slot] != 0 && !rational_equal(build->rows.row[build->slot[slot] - 1].value, value))
        slot = (slot + 1) & (build->slots - 1);
    return slot;
}

/* Makes room for twice as many rows, two slots for each. */
static bool grow(struct build *build)
{
    struct rows *rows = &build->rows;
    const size_t capacity = rows->capacity == 0 ? FIRST_CAPACITY : 2 * rows->capacity, slots = 2 * capacity;
    const uint64_t before = rows->capacity * sizeof *rows->row + build->slots * sizeof *build->slot;
    const uint64_t bytes = capacity * sizeof *rows->row + slots * sizeof *build->slot;
    if (capacity > UINT32_MAX)
        return refuse(build, ", more than a table takes", "take");
    if (!take(build, bytes))
        return false;
    struct express_row *grown = realloc(rows->row, capacity * sizeof *grown);
    rows->row = grown != NULL ? grown : rows->row;
    free(build->slot);
    build->slot = calloc(slots, sizeof *build->slot);
    if (grown == NULL || build->slot == NULL)
        return fail(build, error_no_memory(build->error, "the values", bytes));
    build->used -= before;
    rows->capacity = capacity;
    build->slots = slots;
    for (size_t i = 0; i < rows->count && tick(build); i++)
        build->slot[slot_of(build, rows->row[i].value, hash_of(rows->row[i].value))] = (uint32_t)i + 1;
    return build->status == PDB_OK;
}

/* Puts expressions of a value in. */
static bool put_found(struct build *build, const struct found *found)
{
    if (build->rows.count == build->rows.capacity && !grow(build))
        return false;
    const size_t slot = slot_of(build, found->row.value, found->hash);
    if (build->slot[slot] == 0) {
        build->rows.row[build->rows.count++] = found->row;
        build->slot[slot] = (uint32_t)build->rows.count;
        return true;
    }
    struct express_row *row = &build->rows.row[build->slot[slot] - 1];
    if (__builtin_add_overflow(row->count, found->row.count, &row->count))
        return refuse_count(build);
    row->operators = found->row.operators < row->operators ? found->row.operators : row->operators;
    return true;
}

static bool put_queue(struct build *build)
{
    for (unsigned i = 0; i < build->queued && build->slots > 0; i++) {
        const uint32_t row = build->slot[build->queue[i].hash & (build->slots - 1)];
        if (row != 0)
            __builtin_prefetch(&build->rows.row[row - 1]);
    }
    for (unsigned i = 0; i < build->queued; i++)
        if (!put_found(build, &build->queue[i]))
            return false;
    build->queued = 0;
    return true;
}

static bool put(struct build *build, struct rational value, uint64_t count, unsigned operators)
{
    const size_t hash = hash_of(value);
    if (build->slots > 0)
        __builtin_prefetch(&build->slot[hash & (build->slots - 1)]);
    build->queue[build->queued++] = (struct found){{value, count, (uint8_t)operators}, hash};
    return build->queued < QUEUED || put_queue(build);
}

/* The same, with all that operators on one value make of it: a few, express.h says why. */
static bool put_all(struct build *build, struct rational value, uint64_t count, unsigned operators)
{
    if (!tick(build) || !put(build, value, count, operators))
        return false;
    for (unsigned o = EXPRESS_BINARY; o < EXPRESS_COUNTED; o++) {
        struct rational made;
        if (build->express->allowed[o] && express_unary(o, value, &made) && !put_all(build, made, count, operators + 1))
            return false;
    }
    return true;
}

/* -- the numbers of a part -- */

static bool put_numbers(struct build *build, const struct express_part *part)
{
    char digits[EXPRESS_MAX_DIGITS + 1];
    if (part->length > 1 && !build->express->allowed[EXPRESS_JOIN]) /* there are many orders, and none is a number */
        return true;
    strcpy(digits, part->digits);
    do {
        const int64_t joined = strtoll(digits, NULL, 10);
        int64_t unit = 1;
        for (unsigned decimals = 0; decimals <= part->length; decimals++, unit *= 10) {
            struct rational value;
            if (express_number_allowed(build->express, digits, decimals) && rational_make(joined, unit, &value) &&
                !put_all(build, value, 1, 0))
                return false;
        }
        if (!tick(build))
            return false;
    } while (!build->express->kept && next_order((uint8_t *)digits, part->length));
    return true;
}

/* -- combining two parts -- */

/* All values that operators make of two, one of each part. */
static bool put_pair(struct build *build, const struct express_row *a, const struct express_row *b)
{
    const unsigned operators = a->operators + b->operators + 1u;
    uint64_t count; /* each expression of the one with each of the other */
    if (__builtin_mul_overflow(a->count, b->count, &count))
        return refuse_count(build);
    for (unsigned o = 0; o < EXPRESS_BINARY; o++) {
        struct rational value;
        if (build->express->allowed[o] && express_binary(o, a->value, b->value, &value) &&
            !put_all(build, value, count, operators))
            return false;
    }
    return tick(build);
}

/* -- the table of a part -- */

static int compare_rows(const void *a, const void *b)
{
    return rational_compare(((const struct express_row *)a)->value, ((const struct express_row *)b)->value);
}

/* Merges two sorted runs behind one another, from[0 .. middle-1] and from[middle .. end-1]. */
static bool merge(struct build *build, const struct express_row *from, size_t middle, size_t end,
                  struct express_row *to)
{
    for (size_t a = 0, b = middle, i = 0; i < end; i++) {
        const bool first = a < middle && (b == end || compare_rows(&from[a], &from[b]) < 0);
        to[i] = first ? from[a++] : from[b++];
        if (!tick(build))
            return false;
    }
    return true;
}

/* Sorts by value: runs of a fixed length, then merged, so that the observer is heard in between. */
static bool sort_rows(struct build *build, struct express_row *row, struct express_row *spare, size_t count)
{
    if (count < 2)
        return true;
    if (count <= SORTED_RUN) {
        qsort(row, count, sizeof *row, compare_rows);
        return true;
    }
    const size_t half = count / 2;
    if (!sort_rows(build, row, spare, half) || !sort_rows(build, row + half, spare + half, count - half) ||
        !merge(build, row, half, count, spare))
        return false;
    memcpy(row, spare, count * sizeof *row);
    return true;
}

/* Drops what a shorter part has; all are sorted. */
static bool drop_shorter(struct build *build)
{
    size_t at[EXPRESS_MAX_DIGITS] = {0}, kept = 0;
    struct rows *rows = &build->rows;
    for (size_t i = 0; i < rows->count; i++) {
        bool shorter = false;
        for (unsigned p = 0; p < build->part; p++) {
            const struct rows *done = &build->done[p];
            while (at[p] < done->count && compare_rows(&done->row[at[p]], &rows->row[i]) < 0)
                at[p]++;
            shorter |= at[p] < done->count && rational_equal(done->row[at[p]].value, rows->row[i].value);
        }
        if (!shorter)
            rows->row[kept++] = rows->row[i];
        if (!tick(build))
            return false;
    }
    rows->count = kept;
    return true;
}

/* Sorts what was gathered and puts it away. */
static bool finish_part(struct build *build)
{
    struct rows *rows = &build->rows;
    const uint64_t bytes = rows->count * sizeof *rows->row;
    free(build->slot);
    build->used -= build->slots * sizeof *build->slot;
    build->slot = NULL;
    build->slots = 0;
    if (!take(build, bytes))
        return false;
    struct express_row *spare = malloc(bytes + 1);
    const bool sorted = spare != NULL && sort_rows(build, rows->row, spare, rows->count);
    if (spare == NULL)
        fail(build, error_no_memory(build->error, "the values", bytes));
    free(spare);
    build->used -= bytes;
    if (!sorted)
        return false;
    if (build->express->fewest && !drop_shorter(build))
        return false;
    struct express_row *shrunk = realloc(rows->row, rows->count * sizeof *shrunk + 1);
    if (shrunk != NULL) {
        build->used -= (rows->capacity - rows->count) * sizeof *rows->row;
        rows->row = shrunk;
        rows->capacity = rows->count;
    }
    build->done[build->part] = *rows;
    *rows = (struct rows){0};
    return true;
}

static bool make_part(struct build *build)
{
    const struct express *express = build->express;
    const struct express_part *part = &express->part[build->part];
    const struct express_split *split = &express->split[part->first_split];
    build->pairs = build->paired = 0;
    for (uint32_t s = 0; s < part->splits; s++)
        build->pairs += (double)build->done[split[s].left].count * (double)build->done[split[s].right].count;
    bool good = put_numbers(build, part);
    for (uint32_t s = 0; good && s < part->splits; s++) {
        const struct rows *left = &build->done[split[s].left], *right = &build->done[split[s].right];
        for (size_t a = 0; good && a < left->count; a++) {
            for (size_t b = 0; good && b < right->count; b++)
                good = put_pair(build, &left->row[a], &right->row[b]);
            build->paired += (double)right->count;
        }
    }
    return good && put_queue(build) && finish_part(build);
}

/* A guess at the work for a part: each further digit makes it GROWTH times as much. */
static double weight_of(const struct express_part *part)
{
    double weight = 1;
    for (unsigned i = 0; i < part->length; i++)
        weight *= GROWTH;
    return weight;
}

static void make_parts(struct build *build)
{
    const struct express *express = build->express;
    double all = 0;
    for (unsigned p = 0; p < express->parts; p++)
        all += weight_of(&express->part[p]);
    for (build->part = 0; build->part < express->parts; build->part++) {
        build->weight = weight_of(&express->part[build->part]) / all;
        if (!make_part(build))
            return;
        build->share += build->weight;
    }
    build->part--;
    build->weight = 0;
}

/* -- all of it -- */

/* Lays the tables out in columns. */
static bool write_bytes(struct build *build, struct items *out)
{
    const uint64_t parts = build->express->parts;
    uint64_t rows = 0, row = 0;
    for (unsigned p = 0; p < parts; p++)
        rows += build->done[p].count;
    out->size = parts * sizeof(uint64_t) + rows * EXPRESS_ROW_BYTES;
    if (!take(build, out->size))
        return false;
    if ((out->bytes = malloc(out->size)) == NULL)
        return fail(build, error_no_memory(build->error, "the values", out->size));
    uint8_t *column = out->bytes + parts * sizeof(uint64_t);
    for (unsigned p = 0; p < parts; p++) {
        for (size_t i = 0; i < build->done[p].count; i++, row++) {
            const struct express_row *from = &build->done[p].row[i];
            memcpy(column + row * 8, &from->value.numerator, 8);
            memcpy(column + (rows + row) * 8, &from->value.denominator, 8);
            memcpy(column + (2 * rows + row) * 8, &from->count, 8);
            column[3 * rows * 8 + row] = from->operators;
            if (!tick(build))
                return false;
        }
        memcpy(out->bytes + p * sizeof row, &row, sizeof row);
    }
    return true;
}

pdb_status express_build(const struct items_puzzle *puzzle, unsigned threads, uint64_t memory, items_observer *observe,
                         void *context, struct items *out, pdb_error *error)
{
    const struct express *express = express_of(puzzle);
    struct build build = {.express = express, .observe = observe, .context = context, .memory = memory, .error = error};
    (void)threads; /* one does it all */
    *out = (struct items){0};
    build.done = calloc(express->parts, sizeof *build.done);
    if (build.done == NULL)
        return error_no_memory(error, "the values", express->parts * sizeof *build.done);
    make_parts(&build);
    if (build.status == PDB_OK && build.done[express->parts - 1].count == 0 && !express->fewest)
        build.status = error_set(error, PDB_BAD_DEFINITION,
                                 "%s: no expression takes all the digits: more operators "
                                 "are needed",
                                 puzzle->name);
    if (build.status == PDB_OK)
        write_bytes(&build, out);
    for (unsigned p = 0; p < express->parts; p++)
        free(build.done[p].row);
    free(build.done);
    free(build.rows.row);
    free(build.slot);
    return build.status == PDB_OK ? express_figures(express, out, error) : build.status;
}
