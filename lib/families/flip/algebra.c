/* algebra.c -- spans modulo k: elimination, and digits of vectors */
#include "algebra.h"

#include <stdlib.h>
#include <string.h>

/* Without a branch, so that it becomes vector instructions. */
void span_add(uint8_t *restrict vector, const uint8_t *restrict row, size_t length, unsigned factor, unsigned modulus)
{
    if (modulus == 2) {
        const uint8_t mask = (uint8_t)(0u - (factor & 1));
        for (size_t i = 0; i < length; i++)
            vector[i] ^= row[i] & mask;
        return;
    }
    const uint8_t times = (uint8_t)factor, most = (uint8_t)modulus;
    for (size_t i = 0; i < length; i++) {
        uint8_t sum = (uint8_t)(vector[i] + times * row[i]); /* below k * k, and so below 16 k */
        for (int shift = 3; shift >= 0; shift--) {
            const uint8_t less = (uint8_t)(sum - (most << shift)); /* large if it would be negative */
            sum = less < sum ? less : sum;
        }
        vector[i] = sum;
    }
}

/* -- elimination modulo a prime power -- */

struct matrix {
    unsigned prime, modulus; /* the modulus is a power of the prime */
    unsigned length, pivots; /* pivots are looked for among the first so many entries of a row */
    size_t rows;
    uint8_t *entry; /* rows * length, below the modulus */
};

static uint8_t *matrix_row(const struct matrix *matrix, size_t row)
{
    return matrix->entry + row * matrix->length;
}

static void swap_rows(const struct matrix *matrix, size_t a, size_t b)
{
    uint8_t *first = matrix_row(matrix, a), *second = matrix_row(matrix, b);
    for (unsigned i = 0; a != b && i < matrix->length; i++) {
        uint8_t entry = first[i];
        first[i] = second[i];
        second[i] = entry;
    }
}

/* Multiplies a row by the unit that makes its pivot the power of the prime in it. */
static void scale_row(const struct matrix *matrix, uint8_t *row, unsigned pivot, unsigned scale)
{
    unsigned unit = 1;
    while (unit % matrix->prime == 0 || unit * row[pivot] % matrix->modulus != scale)
        unit++;
    for (unsigned i = 0; i < matrix->length; i++)
        row[i] = (uint8_t)(unit * row[i] % matrix->modulus);
}

/* Clears the pivot's column in all other rows. Rows above have pivots of lower powers of the prime, and keep a
 * remainder below the scale. So the rows are the same whatever the generators' order. */
static void clear_column(const struct matrix *matrix, size_t pivot_row, unsigned column, unsigned scale)
{
    const uint8_t *pivot = matrix_row(matrix, pivot_row);
    for (size_t i = 0; i < matrix->rows; i++) {
        uint8_t *row = matrix_row(matrix, i);
        if (i != pivot_row && row[column] >= scale)
            span_add(row, pivot, matrix->length, matrix->modulus - row[column] / scale, matrix->modulus);
    }
}

/* Brings the matrix into the form that algebra.h tells of; the first *digits rows remain, described in digit[]. */
static void eliminate(const struct matrix *matrix, struct span_digit *digit, unsigned *digits)
{
    size_t done = 0;
    /* First the pivots that are units, then those that have the prime in them once, then twice, ..: whatever is left
     * when it is the turn of p^v is a multiple of p^v, so the pivot divides it. */
    for (unsigned scale = 1; scale < matrix->modulus; scale *= matrix->prime) {
        for (unsigned column = 0; column < matrix->pivots; column++) {
            /* A row that has no more of the prime in this column than that becomes the next pivot row, if there is
             * one. */
            size_t found = done;
            while (found < matrix->rows && matrix_row(matrix, found)[column] % (scale * matrix->prime) == 0)
                found++;
            if (found == matrix->rows)
                continue;
            swap_rows(matrix, done, found);
            /* Its pivot is made p^v itself, and the column is cleared: below it to 0, above it to less than p^v. */
            scale_row(matrix, matrix_row(matrix, done), column, scale);
            clear_column(matrix, done, column, scale);
            digit[done++] = (struct span_digit){.pivot = (uint16_t)column,
                                                .part = (uint8_t)matrix->modulus,
                                                .scale = (uint8_t)scale,
                                                .radix = (uint8_t)(matrix->modulus / scale)};
        }
    }
    *digits = (unsigned)done;
}

/* -- making a span -- */

/* Appends `lift` times the tails of eliminated rows whose vectors are zero, or become it times their radix. */
static pdb_status add_relations(struct span *span, const struct matrix *matrix, unsigned lift,
                                const struct span_digit *digit, unsigned digits, pdb_error *error)
{
    const size_t bytes = (span->relations + matrix->rows) * span->tail;
    uint8_t *relations = realloc(span->relation, bytes + 1);
    if (relations == NULL)
        return error_no_memory(error, "the relations of the buttons", bytes);
    span->relation = relations;
    for (size_t j = 0; j < matrix->rows; j++) {
        const uint8_t *tail = matrix_row(matrix, j) + span->length;
        const unsigned factor = j >= digits ? lift : lift * digit[j].radix;
        uint8_t *relation = relations + span->relations * span->tail, any = 0;
        for (unsigned i = 0; i < span->tail; i++)
            any |= relation[i] = (uint8_t)(factor * tail[i] % span->modulus);
        span->relations += any != 0;
    }
    return PDB_OK;
}

/* Adds the digits, rows and relations of one part: q = a power of `prime`. `work` has room for all generators. */
static pdb_status add_part(struct span *span, unsigned prime, unsigned part, const uint8_t *generators, size_t count,
                           uint8_t *work, pdb_error *error)
{
    const unsigned width = span->length + span->tail;
    const struct matrix matrix = {
        .prime = prime, .modulus = part, .length = width, .pivots = span->length, .rows = count, .entry = work};
    unsigned lift = span->modulus / part; /* becomes the number that is 1 modulo the part, 0 modulo the rest */
    while (lift % part != 1)
        lift += span->modulus / part;
    struct span_digit *digit = span->digit + span->digits;
    unsigned digits;
    for (size_t i = 0; i < count * width; i++)
        work[i] = (uint8_t)(generators[i] % part);
    eliminate(&matrix, digit, &digits);
    const size_t bytes = ((size_t)span->digits + digits) * span->stride;
    uint8_t *rows = realloc(span->row, bytes + 1);
    if (rows == NULL)
        return error_no_memory(error, "the basis of the buttons", bytes);
    span->row = rows;
    for (unsigned j = 0; j < digits; j++) {
        uint8_t *row = rows + (size_t)span->digits++ * span->stride;
        memset(row, 0, span->stride);
        for (unsigned i = 0; i < width; i++)
            row[i] = (uint8_t)(lift * work[(size_t)j * width + i] % span->modulus);
    }
    return span->tail == 0 ? PDB_OK : add_relations(span, &matrix, lift, digit, digits, error);
}

pdb_status span_make(struct span *span, unsigned modulus, unsigned length, unsigned tail, const uint8_t *generators,
                     size_t count, pdb_error *error)
{
    const unsigned width = length + tail;
    *span = (struct span){.modulus = modulus,
                          .length = length,
                          .tail = tail,
                          .stride = (width + SPAN_REGISTER - 1) / SPAN_REGISTER * SPAN_REGISTER};
    uint8_t *work = malloc(count * width + 1);
    if (work == NULL)
        return error_no_memory(error, "the equations of the buttons", count * width);
    pdb_status status = PDB_OK;
    unsigned rest = modulus;
    for (unsigned prime = 2; status == PDB_OK && rest > 1; prime++) {
        unsigned part = 1;
        for (; rest % prime == 0; rest /= prime)
            part *= prime;
        if (part > 1) /* then `prime` is one: its own factors are divided out */
            status = add_part(span, prime, part, generators, count, work, error);
    }
    free(work);
    if (status != PDB_OK)
        span_free(span);
    return status;
}

void span_free(struct span *span)
{
    free(span->row);
    free(span->relation);
    span->row = span->relation = NULL;
}

/* -- digits -- */

bool span_digits(const struct span *span, const uint8_t *vector, uint8_t *digits)
{
    /* whole vector registers, where no tail is in the way */
    const unsigned wide = span->tail == 0 ? span->stride : span->length;
    uint8_t rest[SPAN_MAX_LENGTH] = {0};
    memcpy(rest, vector, span->length);
    /* Each pivot's entry tells its digit; that many rows are subtracted, and what is left has one digit less. A vector
     * of the span ends as 0. */
    for (unsigned j = 0; j < span->digits; j++) {
        const struct span_digit *digit = &span->digit[j];
        unsigned entry = rest[digit->pivot];
        if (digit->part != span->modulus)
            entry %= digit->part;
        if (digit->scale != 1 && entry % digit->scale != 0)
            return false;
        digits[j] = (uint8_t)(digit->scale == 1 ? entry : entry / digit->scale);
        span_add(rest, span->row + (size_t)j * span->stride, wide, span->modulus - digits[j], span->modulus);
    }
    uint8_t left = 0;
    for (unsigned i = 0; i < span->length; i++)
        left |= rest[i];
    return left == 0;
}

/* The sum of digits times entries first .. first+count-1 of their rows. */
static void add_rows(const struct span *span, const uint8_t *digits, unsigned first, unsigned count, uint8_t *sum)
{
    memset(sum, 0, count);
    for (unsigned j = 0; j < span->digits; j++)
        span_add(sum, span->row + (size_t)j * span->stride + first, count, digits[j], span->modulus);
}

void span_vector(const struct span *span, const uint8_t *digits, uint8_t *vector)
{
    add_rows(span, digits, 0, span->length, vector);
}

void span_tail(const struct span *span, const uint8_t *digits, uint8_t *tail)
{
    add_rows(span, digits, span->length, span->tail, tail);
}
