/* images.c -- the boards that one index stands for */
#include "images.h"

#include <string.h>

/* Image number `symmetry`; false past the last symmetry. */
static bool image_of(const struct puzzle *puzzle, const uint8_t *position, unsigned symmetry, uint8_t *image)
{
    if (puzzle->family->index.weights != NULL)
        return puzzle->family->index.image(puzzle, position, symmetry, image);
    memcpy(image, position, puzzle->board.places);
    return symmetry == 0;
}

unsigned images_symmetries(const struct puzzle *puzzle, const uint8_t *position)
{
    uint8_t image[BOARD_MAX_CELLS];
    unsigned symmetries = 1;
    while (image_of(puzzle, position, symmetries, image))
        symmetries++;
    return symmetries;
}

uint64_t images_weight(const struct puzzle *puzzle, uint64_t index)
{
    uint16_t weight = 1;
    if (puzzle->family->index.weights != NULL)
        puzzle->family->index.weights(puzzle, &index, 1, &weight);
    return weight;
}

/* Is image number `symmetry` equal to one before it? */
static bool seen_before(const struct puzzle *puzzle, const uint8_t *position, unsigned symmetry, const uint8_t *image)
{
    uint8_t earlier[BOARD_MAX_CELLS];
    for (unsigned s = 0; s < symmetry; s++)
        if (image_of(puzzle, position, s, earlier) && memcmp(earlier, image, puzzle->board.places) == 0)
            return true;
    return false;
}

bool images_nth(const struct puzzle *puzzle, const uint8_t *position, uint64_t k, uint8_t *image)
{
    for (unsigned symmetry = 0; image_of(puzzle, position, symmetry, image); symmetry++)
        if (!seen_before(puzzle, position, symmetry, image) && k-- == 0)
            return true;
    return false;
}
