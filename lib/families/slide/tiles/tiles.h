/* tiles.h -- boards of one-cell tiles, all different, with one empty cell: search and pattern databases
 *
 * The room searches single boards of such puzzles: search.c makes the searcher, lines.c bounds by linear conflicts,
 * lanes.c by tables, redundant.c leaves moves out. The tables are made in patterns/; the rounds and threads of a
 * search are lib/search/board/deepen.h's. Whole spaces are the business of layers/.
 *
 * The 15-puzzle and its like, of any shape, walls included, where the goal is one whole board. Tiles are numbered 0 ..
 * tiles-1 in the reading order of their goal places. A board is then a permutation, and what a search needs is small:
 *
 *   far[tile][place]   how many moves a tile alone would need from a place to its goal place (its Manhattan distance on
 *                      a board without walls). A move changes it by one, up or down, and its parity with it.
 *
 * A *pattern* is a set of k tiles; all others look alike. Its table has an entry for every way in which these k can
 * stand, wherever the empty cell is:
 *
 *   entry = set * k! + order      set: the rank of the set of their places among all sets of k places, sets ordered as
 *                                 binary numbers with place p as bit p (the colexicographic order)
 *                                 order: the rank, in lexicographic order, of the sequence of the tiles by their
 *                                 places; tiles of the pattern numbered 0 .. k-1 in ascending order
 *
 * An entry is half of what the pattern's tiles need at least in moves of their own (moves of other tiles cost nothing;
 * the empty cell may be anywhere) beyond the sum of their `far`: both have one parity. 4 bits, entry 2i the lower half
 * of byte i; larger values are kept as 15. Patterns of a *partition* have no tile in common, so their values may be
 * added:
 *
 *   bound = sum of far + 2 * max over the partitions and the board's symmetries of the sum of their entries
 *
 * A tile that moves along a row to the neighbouring empty cell passes no other: its pattern's order stays as it is, and
 * only the set changes. (R. Korf, A. Felner, "Disjoint pattern database heuristics", Artificial Intelligence 134,
 * 2002.)
 */
#ifndef FAMILIES_SLIDE_TILES_TILES_H
#define FAMILIES_SLIDE_TILES_TILES_H

#include "lib/families/slide/slide.h"
#include "lib/search/board/patterns.h"
#include "lib/search/board/search.h"

enum {
    TILES_MAX_PLACES = 64,
    TILES_MAX_PATTERN = 9, /* tiles of a pattern */
    TILES_MAX_PATTERNS = PATTERN_TABLES_MAX,
    TILES_NO_TILE = 255
};

struct tiles {
    const struct slide *slide;
    unsigned places, tiles;
    uint8_t goal_place[TILES_MAX_PLACES];            /* of each tile, ascending */
    uint8_t goal_empty;                              /* the empty cell's place in the goal */
    uint8_t far[TILES_MAX_PLACES][TILES_MAX_PLACES]; /* [tile][place] */
    uint8_t tile_of_symbol[BOARD_MAX_SYMBOLS];       /* TILES_NO_TILE for the empty cell */
    uint8_t symbol_of[TILES_MAX_PLACES];             /* of each tile */
};

/* -- tiles.c -- */

/* Is this a board of different tiles with one empty cell and one whole goal? Then fills *tiles in (slide must outlive
 * it). */
bool tiles_make(const struct slide *slide, struct tiles *tiles);

/* Can the goal be reached from a board, by the parity of its permutation? `tile[place]`: the tile there, TILES_NO_TILE
 * on the empty place. (On boards whose places hang together otherwise, as in one row, a false true is possible.) */
bool tiles_parity_fits(const struct tiles *tiles, const uint8_t *tile);

/* Can every board whose parity fits reach the goal? True where the places, joined to their neighbours, stay in one
 * piece whichever of them is taken away, and are no ring: R. Wilson, "Graph puzzles, homotopy, and the alternating
 * group", Journal of Combinatorial Theory B 16, 1974. (His one exception has cycles of odd length, which no board has.)
 * Nothing is said of other boards. */
bool tiles_reach_all(const struct tiles *tiles);

/* -- search.c: the family's searcher; PDB_NO_DATABASE where tiles_make says no -- */
extern const struct searcher_class tile_searcher;

/* -- lib/families/slide/patterns/patterns.c: which tiles make a pattern, and the text for it -- */

struct tiles_pattern {
    uint8_t size;
    uint8_t tile[TILES_MAX_PATTERN]; /* ascending */
};

struct tiles_patterns {
    unsigned patterns;
    struct tiles_pattern pattern[TILES_MAX_PATTERNS]; /* pattern i is table i of struct patterns */
    unsigned partitions;
    uint8_t first[TILES_MAX_PATTERNS + 1]; /* of each partition, and one past the last */
};

/* Reads patterns->text again (which `choose` or `read` has made, so that it is right). */
void tiles_read_patterns(const struct tiles *tiles, const char *text, struct tiles_patterns *patterns);

extern const struct pattern_family slide_pattern_family;

#endif
