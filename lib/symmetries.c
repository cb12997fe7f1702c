/* symmetries.c -- relabellings that leave a puzzle as it is */
#include "symmetries.h"

#include <string.h>

/* Where the places go in a turn or a mirror image of the board: bit 0 of `number` exchanges left and right, bit 1 top
 * and bottom, bit 2 rows and columns before that. False where a place would go to a wall, or off the board. */
static bool lay_out(const struct board *board, unsigned number, uint16_t *to)
{
    const unsigned rows = board->rows, columns = board->columns;
    if ((number & 4) != 0 && rows != columns)
        return false;
    for (unsigned place = 0; place < board->places; place++) {
        unsigned row = board->cell[place] / columns, column = board->cell[place] % columns;
        if ((number & 4) != 0) {
            const unsigned before = row;
            row = column;
            column = before;
        }
        row = (number & 2) != 0 ? rows - 1 - row : row;
        column = (number & 1) != 0 ? columns - 1 - column : column;
        to[place] = board->place[row * columns + column];
        if (to[place] == BOARD_NO_PLACE)
            return false;
    }
    return true;
}

/* How many the family has, tried on a board of the puzzle. */
static unsigned count_images(const struct puzzle *puzzle)
{
    const uint8_t nothing[BOARD_MAX_CELLS] = {0};
    const uint8_t *position = puzzle->named_count > 0 ? puzzle->named[0].position : nothing;
    uint8_t image[BOARD_MAX_CELLS];
    unsigned count = 1;
    while (puzzle->family->index.image(puzzle, position, count, image))
        count++;
    return count;
}

void symmetries_find(const struct puzzle *puzzle, struct symmetries *found)
{
    struct relabelling *symmetry = found->symmetry;
    *found = (struct symmetries){.count = 1, .by_family = puzzle->family->index.image != NULL};
    if (found->by_family) {
        found->count = count_images(puzzle);
        return;
    }
    for (unsigned place = 0; place < puzzle->board.places; place++)
        symmetry->place[place] = (uint16_t)place;
    for (unsigned symbol = 0; symbol < BOARD_MAX_SYMBOLS; symbol++)
        symmetry->symbol[symbol] = (uint8_t)symbol;
    for (unsigned number = 1; number < SYMMETRIES_OF_A_BOARD && puzzle->family->position.keeps != NULL; number++) {
        struct relabelling *next = &symmetry[found->count];
        *next = symmetry[0];
        if (lay_out(&puzzle->board, number, next->place) && puzzle->family->position.keeps(puzzle, next))
            found->count++;
    }
}

void symmetries_image(const struct puzzle *puzzle, const struct symmetries *symmetries, unsigned number,
                      const uint8_t *position, uint8_t *image)
{
    const struct relabelling *symmetry = &symmetries->symmetry[number];
    if (symmetries->by_family) {
        puzzle->family->index.image(puzzle, position, number, image);
        return;
    }
    for (unsigned place = 0; place < puzzle->board.places; place++)
        image[symmetry->place[place]] = symmetry->symbol[position[place]];
}
