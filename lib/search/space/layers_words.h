/* layers_words.h -- the loops over a group's words that the engine runs itself, as fast as the processor can */
#ifndef SEARCH_SPACE_LAYERS_WORDS_H
#define SEARCH_SPACE_LAYERS_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct layer_words {
    /* The bits of `full`, of `last` in the last word, that no plane has, in want[]; `planes` planes of `words` words lie
     * one behind the other. False where there are none. */
    bool (*unvisited)(const uint64_t *plane, unsigned planes, uint32_t words, uint64_t full, uint64_t last,
                      uint64_t *want);
    /* Adds to a plane what was found of what is wanted, and leaves that in found[]. Returns how many bits they are. */
    uint64_t (*add)(uint64_t *plane, uint64_t *found, const uint64_t *want, uint32_t words);
};

/* `portable`: without what only some processors can. */
const struct layer_words *layer_words(bool portable);

#endif
