/* chunks.h -- what tables say of a state, chunk by chunk of its holes: which steps are possible, and its images
 *
 * Inlined, with constants for what is one, into the loops that live on it.
 */
#ifndef FAMILIES_PEG_CHUNKS_H
#define FAMILIES_PEG_CHUNKS_H

#include "peg.h"

#define PEG_INLINE __attribute__((always_inline)) static inline

enum { PEG_CHUNK_VALUES = 1 << PEG_CHUNK_BITS };

static inline unsigned peg_chunks(const struct peg *peg)
{
    return (peg->holes + PEG_CHUNK_BITS - 1) / PEG_CHUNK_BITS;
}

/* The possible steps of a state among those of one word. */
PEG_INLINE uint64_t peg_possible_steps(const struct peg_steps *steps, uint64_t state, unsigned holes, unsigned word)
{
    const uint64_t *chunk = steps->allowed + word;
    uint64_t possible = UINT64_MAX;
    for (unsigned hole = 0; hole < holes; hole += PEG_CHUNK_BITS, state >>= PEG_CHUNK_BITS) {
        possible &= chunk[(state & (PEG_CHUNK_VALUES - 1)) * steps->words];
        chunk += (size_t)steps->words << PEG_CHUNK_BITS;
    }
    return possible;
}

/* All images of a state under the symmetries, more than one: for each chunk they stand side by side in the table, and
 * each is a part of the image of the whole state. */
PEG_INLINE void peg_find_images(const struct peg *peg, uint64_t state, unsigned symmetries, int64_t *image)
{
    const uint64_t *chunk = peg->images;
    for (unsigned s = 0; s < symmetries; s++)
        image[s] = 0;
    for (unsigned c = peg_chunks(peg); c > 0; c--, state >>= PEG_CHUNK_BITS) {
        const uint64_t *part = chunk + (state & (PEG_CHUNK_VALUES - 1)) * symmetries;
        for (unsigned s = 0; s < symmetries; s++)
            image[s] |= (int64_t)part[s];
        chunk += (size_t)PEG_CHUNK_VALUES * symmetries;
    }
}

/* The smallest of `count` numbers, which are overwritten: by halves, and signed, for so vectors compare them. */
PEG_INLINE int64_t peg_least(int64_t *number, unsigned count)
{
    for (unsigned left = count; left > 1; left = (left + 1) / 2)
        for (unsigned s = 0; s < left / 2; s++)
            number[s] = number[s + (left + 1) / 2] < number[s] ? number[s + (left + 1) / 2] : number[s];
    return number[0];
}

#endif
