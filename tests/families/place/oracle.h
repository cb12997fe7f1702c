/*
 * Values in slots by brute force: all complete assignments are tried, one after another, against rules that are put as
 * plainly as can be. Shares no code with lib.
 */
#ifndef TESTS_FAMILIES_PLACE_ORACLE_H
#define TESTS_FAMILIES_PLACE_ORACLE_H

#include <stdbool.h>
#include <stddef.h>

enum { ORACLE_SLOTS = 32 };

/* May these values stand together? -1 is an empty slot; an empty one breaks no rule. */
typedef bool oracle_rule(const void *context, const int *value);

struct oracle_place {
    int slots, values;
    oracle_rule *rule;
    const void *context;
    size_t count;
    int (*solution)[ORACLE_SLOTS];
};

/* Finds all solutions. `different`: values that occur twice need not be tried at all. The caller frees solution. */
void oracle_place_solve(struct oracle_place *place, bool different);

/* How many solutions agree with a partial assignment. */
size_t oracle_place_completions(const struct oracle_place *place, const int *value);

/* Queens: one in each row, value[row] is its column. The context is the number of rows. */
bool oracle_queens(const void *context, const int *value);

/* Groups: in each, value + step * (place in the list) differs. */
struct oracle_groups {
    int groups;
    struct {
        int slots, slot[ORACLE_SLOTS], step;
    } group[24];
};
bool oracle_groups(const void *context, const int *value);

/* Sums of words, letters numbered as in `letters`: different digits, no leading zero, the sum right once all letters
 * have digits. */
struct oracle_sum {
    const char *equation; /* capitals and + - = without blanks */
    int base;
    char letters[ORACLE_SLOTS + 1];
};
void oracle_sum_letters(struct oracle_sum *sum);
bool oracle_sum(const void *context, const int *value);

#endif
