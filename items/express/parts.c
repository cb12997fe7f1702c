/* parts.c -- the parts of the digits, and the ways to split each in two (express.h) */
#include "express.h"

#include <stdlib.h>

static int compare_digits(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

void express_sort_digits(char *digits)
{
    qsort(digits, strlen(digits), 1, compare_digits);
}

static int compare_parts(const void *a, const void *b)
{
    const struct express_part *left = a, *right = b;
    return left->length != right->length ? left->length - right->length : strcmp(left->digits, right->digits);
}

/* Picks the digits that the bits of a mask choose. */
static void pick(const char *digits, unsigned mask, char *picked)
{
    for (; *digits != '\0'; digits++, mask >>= 1)
        if (mask & 1)
            *picked++ = *digits;
    *picked = '\0';
}

/* Is this mask the only one to stand for what it picks? With the order kept it picks a run; else, of digits that are
 * alike, the first ones. */
static bool is_part(const struct express *express, const char *digits, unsigned mask)
{
    if (express->kept) {
        const unsigned run = mask >> __builtin_ctz(mask);
        return (run & (run + 1)) == 0;
    }
    for (unsigned i = 1; digits[i] != '\0'; i++)
        if (digits[i] == digits[i - 1] && (mask >> (i - 1) & 3) == 2)
            return false;
    return true;
}

static void make_parts(struct express *express, const char *digits)
{
    const unsigned whole = (1u << strlen(digits)) - 1;
    unsigned count = 0, kept = 0;
    for (unsigned mask = 1; mask <= whole; mask++) {
        struct express_part *part = &express->part[count];
        if (!is_part(express, digits, mask))
            continue;
        pick(digits, mask, part->digits);
        part->length = (uint8_t)strlen(part->digits);
        count++;
    }
    qsort(express->part, count, sizeof *express->part, compare_parts);
    for (unsigned i = 0; i < count; i++) /* runs in different places may read the same */
        if (i == 0 || compare_parts(&express->part[i], &express->part[kept - 1]) != 0)
            express->part[kept++] = express->part[i];
    express->parts = kept;
}

static uint16_t part_of(const struct express *express, const char *digits, unsigned mask)
{
    struct express_part wanted;
    pick(digits, mask, wanted.digits);
    wanted.length = (uint8_t)strlen(wanted.digits);
    const struct express_part *found = bsearch(&wanted, express->part, express->parts, sizeof wanted, compare_parts);
    return (uint16_t)(found - express->part);
}

/* Writes a part's splits where *split is, unless that is NULL; returns how many there are. */
static uint32_t split_part(const struct express *express, const struct express_part *part, struct express_split *split)
{
    const unsigned whole = (1u << part->length) - 1;
    uint32_t count = 0;
    for (unsigned mask = 1; mask < whole; mask++) {
        const bool prefix = (mask & (mask + 1)) == 0;
        if (express->kept ? !prefix : !is_part(express, part->digits, mask))
            continue;
        if (split != NULL)
            split[count] = (struct express_split){part_of(express, part->digits, mask),
                                                  part_of(express, part->digits, whole & ~mask)};
        count++;
    }
    return count;
}

pdb_status express_parts_make(struct express *express, const char *digits, pdb_error *error)
{
    const size_t most = (size_t)1 << strlen(digits);
    express->part = calloc(most, sizeof *express->part);
    if (express->part == NULL)
        return error_no_memory(error, "the parts of the digits", most * sizeof *express->part);
    make_parts(express, digits);
    uint32_t splits = 0;
    for (unsigned p = 0; p < express->parts; p++) {
        express->part[p].first_split = splits;
        express->part[p].splits = split_part(express, &express->part[p], NULL);
        splits += express->part[p].splits;
    }
    express->split = calloc(splits + 1, sizeof *express->split);
    if (express->split == NULL)
        return error_no_memory(error, "the splits of the digits", splits * sizeof *express->split);
    for (unsigned p = 0; p < express->parts; p++)
        split_part(express, &express->part[p], express->split + express->part[p].first_split);
    return PDB_OK;
}

bool express_number_allowed(const struct express *express, const char *digits, unsigned decimals)
{
    const size_t length = strlen(digits);
    return (length == 1 || express->allowed[EXPRESS_JOIN]) && (decimals == 0 || express->allowed[EXPRESS_DECIMAL]) &&
           (length <= decimals + 1 || digits[0] != '0');
}
