/* ranks_alone.c -- what one process finds, which ranks are held against */
#include "ranks_alone.h"
#include "lib/search/space/keyed.h"

#include <stdlib.h>
#include <string.h>

bool alone_solve(const struct puzzle *puzzle, struct alone *alone)
{
    *alone = (struct alone){.keyed = NULL};
    if (puzzle->keyed)
        alone->keyed = solve_keys(puzzle, 1, &alone->solved);
    else
        solve(puzzle, 1, &alone->solved);
    return !puzzle->keyed || alone->keyed != NULL;
}

void alone_free(struct alone *alone)
{
    keyed_free(alone->keyed);
    solved_free(&alone->solved);
}
static uint64_t compare_values(const struct retrograde_result *result, const struct retrograde_result *expected)
{
    const uint64_t size = encoding_bytes(expected->encoding, expected->states);
    uint64_t differences = result->encoding != expected->encoding || result->states != expected->states ||
                           result->reachable != expected->reachable || result->depths != expected->depths ||
                           result->hardest_kept != expected->hardest_kept;
    if (differences > 0)
        return differences;
    differences += memcmp(result->histogram, expected->histogram, expected->depths * sizeof(uint64_t)) != 0;
    differences += memcmp(result->hardest, expected->hardest, expected->hardest_kept * sizeof(uint64_t)) != 0;
    for (uint64_t at = 0, run; at < size; at += run) {
        const uint8_t *bytes = result->source.at(result->source.context, at, &run, NULL);
        differences += memcmp(bytes, expected->bytes + at, run < size - at ? run : size - at) != 0;
    }
    for (unsigned i = 0; i < 8; i++) {
        uint64_t run;
        const uint64_t at = (7 - i) * (size - 1) / 7;
        differences += *result->source.at(result->source.context, at, &run, NULL) != expected->bytes[at];
    }
    return differences;
}

/* The same of the keys, as bytes behind the distances, and one by one. */
static uint64_t compare_keys(struct retrograde *search, const struct retrograde_result *result,
                             const struct keys *expected)
{
    struct keys *keys;
    const uint64_t size = keys_encoded_size(expected, NULL),
                   offset = keyed_keys_offset(encoding_bytes(result->encoding, result->states));
    uint64_t differences = 0, place;
    if (retrograde_keys(search, &keys, NULL) != PDB_OK)
        return 1;
    uint8_t *bytes = checked_memory(size + 1, 1);
    keys_encode(expected, bytes, NULL);
    differences += keys_count(keys) != keys_count(expected) || keys_encoded_size(keys, NULL) != size;
    for (uint64_t at = 0, run; differences == 0 && at < size; at += run) {
        const uint8_t *made = result->source.at(result->source.context, offset + at, &run, NULL);
        differences += memcmp(made, bytes + at, run < size - at ? run : size - at) != 0;
    }
    for (uint64_t i = 0; differences == 0 && i < keys_count(keys); i += 1 + keys_count(keys) / 50)
        differences += keys_at(keys, i) != keys_at(expected, i) || !keys_find(keys, keys_at(keys, i), &place) ||
                       place != i;
    free(bytes);
    keys_free(keys);
    return differences;
}

uint64_t alone_compare(const struct alone *alone, struct retrograde *search, const struct retrograde_result *result)
{
    uint64_t differences = compare_values(result, &alone->solved.result);
    if (alone->keyed != NULL)
        differences += compare_keys(search, result, keyed_keys(alone->keyed));
    return differences;
}

const char *const ranks_by_words[] = {"8-puzzle", "tiles-2x5",  "goat",     "knights",
                                      "guarini",  "pancakes-8", "pyraminx", NULL};

const char *const ranks_one_by_one[] = {"klotski",    "rush-hour",   "hoppers",           "lunar-lockout",
                                        "bloxorz-1",  "triangle-21", "triangle-15",       "8-flip",
                                        "lights-out", "send-more",   "wolf-goat-cabbage", NULL};
