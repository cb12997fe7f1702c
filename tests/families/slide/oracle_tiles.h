/* oracle_tiles.h -- all boards of different tiles on a small board, by a search written from the rules alone
 *
 * A board is the symbols on its places, as bytes; the search numbers all arrangements, reachable or not, by counting
 * smaller symbols, and goes breadth first from the goal.
 */
#ifndef TESTS_FAMILIES_SLIDE_ORACLE_TILES_H
#define TESTS_FAMILIES_SLIDE_ORACLE_TILES_H

#include "lib/puzzle.h"

enum { ORACLE_TILES_NEVER = 255, ORACLE_TILES_PLACES = 11 };

struct oracle_tiles {
    unsigned rows, columns, places;
    int place[16][16]; /* -1 for walls and beyond the edge; row and column are shifted by one */
    int row[ORACLE_TILES_PLACES], column[ORACLE_TILES_PLACES];
    uint8_t symbol[ORACLE_TILES_PLACES]; /* in ascending order */
    uint8_t empty;
    uint32_t arrangements;
    uint8_t *distance;
};

/* From the board and the goal of a puzzle. */
void oracle_tiles_make(struct oracle_tiles *oracle, const struct puzzle *puzzle);
void oracle_tiles_free(struct oracle_tiles *oracle);

uint32_t oracle_tiles_number(const struct oracle_tiles *oracle, const uint8_t *position);
void oracle_tiles_position(const struct oracle_tiles *oracle, uint32_t arrangement, uint8_t *position);
unsigned oracle_tiles_distance(const struct oracle_tiles *oracle, const uint8_t *position);

#endif
