/* goat_figures.h -- what is printed of Goat: the library and the oracle are both held against it (puzzles.md, section
 * 1) */
#ifndef TESTS_SUPPORT_GOAT_FIGURES_H
#define TESTS_SUPPORT_GOAT_FIGURES_H

#include <stddef.h>

static const char goat_goal[] = "1 8 9 10/2 5 7 ./3 8 4 6", goat_start[] = "1 8 9 10/2 . 7 5/3 8 4 6";

static const size_t goat_histogram[] = {
    1,      2,      3,      7,      13,     20,     37,     57,     103,    161,    273,    414,    693,    1057,
    1737,   2584,   4162,   6181,   9774,   14242,  21637,  30774,  45069,  61806,  86121,  113434, 149621, 187650,
    232743, 276099, 321314, 360502, 392621, 413094, 417811, 409576, 382164, 346339, 297291, 247704, 194081, 147352,
    104416, 70454,  43976,  25441,  13330,  5904,   2408,   717,    194,    29,     7};

static const char *const goat_hardest[] = {
    "6 7 9 10/4 5 3 1/. 8 2 8", "6 9 10 1/7 5 2 8/4 8 3 .", "7 6 9 10/4 5 1 ./8 3 2 8", ". 7 9 10/6 4 2 8/8 5 3 1",
    "6 7 9 10/4 5 2 8/. 8 3 1", ". 7 9 10/6 4 2 1/5 8 3 8", "7 6 9 10/4 5 2 1/. 8 3 8"};

#endif
