/* layers.c -- measures the breadth-first search of whole spaces in memory, by layer kernels: from the goals in their
 * layer to the last layer, without first touching the memory and without packing. Beside it what the same kernel does in
 * plain C, and the search state by state. Wall-clock time, the best of a few. Prints a line for each figure: what | value */
#include "measure.h"
#include "catalog.h"
#include "search/retrograde.h"

static const double seconds_each = 2; /* runs of one kind are repeated for about so long, at most ROUNDS times */
enum { ROUNDS = 20 };

/* Seconds for all layers. */
static double search_once(enum retrograde_way way, const struct pdb_puzzle *puzzle, unsigned threads)
{
    struct retrograde *search;
    pdb_error error;
    bool done = false;
    must(retrograde_create_by(way, puzzle, threads, &search, &error), &error);
    const double begin = now();
    while (!done)
        must(retrograde_layer(search, NULL, NULL, &done, &error), &error);
    const double seconds = now() - begin;
    retrograde_free(search);
    return seconds;
}

static void measure(enum retrograde_way way, const char *how, const struct pdb_puzzle *puzzle, unsigned threads)
{
    double least = search_once(way, puzzle, threads), sum = least;
    for (int round = 1; round < ROUNDS && sum < seconds_each; round++) {
        const double seconds = search_once(way, puzzle, threads);
        sum += seconds;
        least = seconds < least ? seconds : least;
    }
    const double states = (double)puzzle->states;
    printf("search of %s, %.0f states, %s, %u thread%s | %.2f ns a state, %.0f million states/s, %.2f bytes a state\n",
           puzzle->name, states, how, threads, threads == 1 ? "" : "s", 1e9 * least / states, 1e-6 * states / least,
           (double)retrograde_memory_by(way, puzzle, threads) / states);
}

int main(void)
{
    static const struct {
        const char *name;
        bool small; /* enough for the search state by state */
    } puzzles[] = {{"8-puzzle", true}, {"goat", true}, {"tiles-2x6", false}, {"tiles-3x4", false}};
    for (size_t i = 0; i < sizeof puzzles / sizeof puzzles[0]; i++) {
        struct pdb_puzzle *puzzle;
        pdb_error error;
        must(catalog_load(puzzles[i].name, &puzzle, &error), &error);
        for (unsigned threads = 1; threads <= 2; threads++)
            measure(RETROGRADE_BEST, "words", puzzle, threads);
        measure(RETROGRADE_PORTABLE, "words in plain C", puzzle, 1);
        if (puzzles[i].small)
            measure(RETROGRADE_STATES, "state by state", puzzle, 1);
        puzzle_free(puzzle);
    }
    return EXIT_SUCCESS;
}
