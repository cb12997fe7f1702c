/* Values in slots by brute force. */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

/* ---- all solutions ---- */

static void try_slot(struct oracle_place *place, int *value, int slot, bool different)
{
    if (slot == place->slots) {
        if (!place->rule(place->context, value))
            return;
        if ((place->count & (place->count - 1)) == 0)
            place->solution = realloc(place->solution, (2 * place->count + 1) * sizeof *place->solution);
        if (place->solution == NULL)
            abort();
        memcpy(place->solution[place->count++], value, sizeof *place->solution);
        return;
    }
    for (int v = 0; v < place->values; v++) {
        bool used = false;
        for (int s = 0; s < slot; s++)
            used |= different && value[s] == v;
        if (used)
            continue;
        value[slot] = v;
        try_slot(place, value, slot + 1, different);
    }
    value[slot] = -1;
}

void oracle_place_solve(struct oracle_place *place, bool different)
{
    int value[ORACLE_SLOTS] = {0};
    place->count = 0;
    place->solution = NULL;
    try_slot(place, value, 0, different);
}

size_t oracle_place_completions(const struct oracle_place *place, const int *value)
{
    size_t count = 0;
    for (size_t i = 0; i < place->count; i++) {
        bool agrees = true;
        for (int s = 0; agrees && s < place->slots; s++)
            agrees = value[s] < 0 || value[s] == place->solution[i][s];
        count += agrees;
    }
    return count;
}

/* ---- rules ---- */

bool oracle_queens(const void *context, const int *value)
{
    const int rows = *(const int *)context;
    for (int a = 0; a < rows; a++)
        for (int b = 0; b < a; b++)
            if (value[a] >= 0 && value[b] >= 0 && (value[a] == value[b] || abs(value[a] - value[b]) == a - b))
                return false;
    return true;
}

bool oracle_groups(const void *context, const int *value)
{
    const struct oracle_groups *groups = context;
    for (int g = 0; g < groups->groups; g++)
        for (int i = 0; i < groups->group[g].slots; i++)
            for (int j = 0; j < i; j++) {
                const int a = value[groups->group[g].slot[i]], b = value[groups->group[g].slot[j]],
                          step = groups->group[g].step;
                if (a >= 0 && b >= 0 && a + step * i == b + step * j)
                    return false;
            }
    return true;
}

void oracle_sum_letters(struct oracle_sum *sum)
{
    int count = 0;
    memset(sum->letters, 0, sizeof sum->letters);
    for (const char *c = sum->equation; *c != '\0'; c++)
        if (strchr("+-=", *c) == NULL && strchr(sum->letters, *c) == NULL)
            sum->letters[count++] = *c;
}

/* The number that a word stands for. */
static long long number(const struct oracle_sum *sum, const char *word, size_t length, const int *value)
{
    long long result = 0;
    for (size_t i = 0; i < length; i++)
        result = result * sum->base + value[strchr(sum->letters, word[i]) - sum->letters];
    return result;
}

bool oracle_sum(const void *context, const int *value)
{
    const struct oracle_sum *sum = context;
    const int letters = (int)strlen(sum->letters);
    bool complete = true;
    for (int a = 0; a < letters; a++) {
        complete &= value[a] >= 0;
        for (int b = 0; b < a; b++)
            if (value[a] >= 0 && value[a] == value[b])
                return false;
    }
    long long side[2] = {0, 0};
    int right = 0, sign = 1;
    for (const char *word = sum->equation; *word != '\0';) {
        const size_t length = strcspn(word, "+-=");
        if (length > 1 && value[strchr(sum->letters, *word) - sum->letters] == 0)
            return false;
        if (complete)
            side[right] += sign * number(sum, word, length, value);
        word += length;
        sign = *word == '-' ? -1 : 1;
        right |= *word == '=';
        word += *word != '\0';
    }
    return !complete || side[0] == side[1];
}
