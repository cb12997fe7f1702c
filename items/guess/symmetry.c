/* symmetry.c -- symmetries of a set of codes, and which questions they spare (strategy.h) */
#include "strategy.h"
#include "items/order.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_PERMUTED = 5 }; /* places; 120 permutations */

/* -- alike symbols -- */

/* Does changing two symbols for each other take every code of the set into the set? */
static bool are_alike(const struct guess_weigher *weigher, const uint32_t *set, size_t count, const uint64_t *in_set,
                      unsigned a, unsigned b)
{
    const struct guess *guess = weigher->guess;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *symbol = weigher->symbol + (size_t)set[i] * guess->length;
        uint8_t changed[GUESS_MAX_LENGTH];
        bool same = true;
        for (unsigned place = 0; place < guess->length; place++) {
            changed[place] = (uint8_t)(symbol[place] == a ? b : symbol[place] == b ? a : symbol[place]);
            same = same && changed[place] == symbol[place];
        }
        if (same)
            continue;
        const uint32_t image = guess_number(guess, changed);
        if ((in_set[image / 64] >> image % 64 & 1) == 0)
            return false;
    }
    return true;
}

/* Alike with the symbols of the first class that has such a one, or the first of a class. */
static void classify(const struct guess_weigher *weigher, const uint32_t *set, size_t count, const uint64_t *in_set,
                     struct guess_symmetry *symmetry)
{
    uint8_t last[GUESS_MAX_SYMBOLS]; /* of a class, by its first */
    for (unsigned s = 0; s < weigher->guess->symbols; s++) {
        unsigned first = 0;
        while (first < s && (symmetry->first[first] != first || !are_alike(weigher, set, count, in_set, first, s)))
            first++;
        symmetry->first[s] = (uint8_t)first;
        symmetry->after[s] = GUESS_MAX_SYMBOLS;
        if (first < s)
            symmetry->after[last[first]] = (uint8_t)s;
        last[first] = (uint8_t)s;
    }
}

/* -- permutations of the places -- */

/* The map by a permutation of the places that takes the question back to itself; false where there is none. */
static bool map_by(const struct guess *guess, const uint8_t *question, struct guess_map *map)
{
    bool taken[GUESS_MAX_SYMBOLS] = {false}, set[GUESS_MAX_SYMBOLS] = {false};
    for (unsigned s = 0; s < GUESS_MAX_SYMBOLS; s++)
        map->symbol[s] = (uint8_t)s;
    for (unsigned place = 0; question != NULL && place < guess->length; place++) {
        const uint8_t from = question[map->place[place]], to = question[place];
        if (set[from] ? map->symbol[from] != to : taken[to])
            return false;
        set[from] = taken[to] = true;
        map->symbol[from] = to;
    }
    return true; /* the other symbols stay: those of the question are permuted among themselves */
}

static bool list_maps(const struct guess *guess, const uint8_t *question, struct guess_symmetry *symmetry)
{
    struct guess_map map;
    size_t most = 1;
    for (unsigned i = 2; i <= guess->length; i++)
        most *= i;
    symmetry->map = malloc(most * sizeof *symmetry->map);
    if (symmetry->map == NULL)
        return false;
    for (unsigned place = 0; place < guess->length; place++)
        map.place[place] = (uint8_t)place;
    while (next_order(map.place, guess->length))
        if (map_by(guess, question, &map))
            symmetry->map[symmetry->maps++] = map;
    return true;
}

/* -- both -- */

bool guess_symmetry_make(const struct guess_weigher *weigher, const uint32_t *set, size_t count, uint32_t asked,
                         struct guess_symmetry *symmetry)
{
    const struct guess *guess = weigher->guess;
    uint64_t *in_set = calloc(guess->codes / 64 + 1, sizeof *in_set);
    symmetry->maps = 0;
    symmetry->map = NULL;
    if (in_set == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        in_set[set[i] / 64] |= (uint64_t)1 << set[i] % 64;
    classify(weigher, set, count, in_set, symmetry);
    free(in_set);
    if (asked == GUESS_ANY_HISTORY || guess->length > MAX_PERMUTED)
        return true;
    return list_maps(guess, asked == GUESS_NOTHING_ASKED ? NULL : weigher->symbol + (size_t)asked * guess->length,
                     symmetry);
}

/* Is the least of the codes, to which permutations of alike symbols take a code, earlier than a question? */
static bool least_is_earlier(const struct guess_symmetry *symmetry, const uint8_t *code, const uint8_t *question,
                             unsigned length)
{
    uint8_t name[GUESS_MAX_SYMBOLS], next[GUESS_MAX_SYMBOLS];
    memset(name, GUESS_MAX_SYMBOLS, sizeof name); /* not named yet */
    memcpy(next, symmetry->first, sizeof next);   /* by the first of a class: its next free name */
    for (unsigned place = 0; place < length; place++) {
        const uint8_t symbol = code[place], first = symmetry->first[symbol];
        if (name[symbol] == GUESS_MAX_SYMBOLS) {
            name[symbol] = next[first];
            next[first] = symmetry->after[next[first]];
        }
        if (name[symbol] != question[place])
            return name[symbol] < question[place];
    }
    return false;
}

bool guess_symmetry_leaves_out(const struct guess_weigher *weigher, const struct guess_symmetry *symmetry,
                               uint32_t question)
{
    const unsigned length = weigher->guess->length;
    const uint8_t *symbol = weigher->symbol + (size_t)question * length;
    if (least_is_earlier(symmetry, symbol, symbol, length))
        return true;
    for (size_t m = 0; m < symmetry->maps; m++) {
        const struct guess_map *map = &symmetry->map[m];
        uint8_t image[GUESS_MAX_LENGTH];
        for (unsigned place = 0; place < length; place++)
            image[place] = map->symbol[symbol[map->place[place]]];
        if (least_is_earlier(symmetry, image, symbol, length))
            return true;
    }
    return false;
}
