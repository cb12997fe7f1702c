/* tile_boards.h -- small boards of different tiles, for searches that are held against all of their distances */
#ifndef TESTS_FAMILIES_SLIDE_TILE_BOARDS_H
#define TESTS_FAMILIES_SLIDE_TILE_BOARDS_H

#define SLIDE "puzzle: test\nfamily: slide\n"

static const char EIGHT[] = SLIDE "goal: |\n  1 2 3\n  4 5 6\n  7 8 .\n";
static const char TWO_BY_FOUR[] = SLIDE "goal: |\n  1 2 . 3\n  4 5 6 7\n";
static const char CENTRE[] = SLIDE "goal: |\n  1 2 3\n  4 . 5\n  6 7 8\n";
/* Ten places each: without two corners; around a wall, where a tile's path may be longer than it looks. */
static const char CORNERS[] = SLIDE "goal: |\n  # 1 2 3\n  4 5 6 7\n  8 9 . #\n";
static const char AROUND[] = SLIDE "goal: |\n  1 2 3 4\n  5 # 6 7\n  8 9 . #\n";

#endif
