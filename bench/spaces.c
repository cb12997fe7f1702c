/* spaces.c -- measures the search of whole spaces in memory: no file, no process. bench-spaces [PUZZLE...]
 *
 * Prints a line for each puzzle and number of threads: what | value. A search is all of it: memory taken, layers, distances packed. Its time is the best of some
 * rounds; so is the processors' time, which tells what the work cost where other programs take the machine's time away.
 */
#include "measure.h"
#include "catalog.h"
#include "search/retrograde.h"

#include <string.h>

enum { THREADS = 2, LEAST_ROUNDS = 3, MOST_ROUNDS = 50 };
static const double enough_seconds = 0.5; /* of one puzzle's rounds */

/* A stack of N pancakes, for sizes that are not built in. */
static char *pancakes(unsigned count)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        abort();
    fprintf(out, "puzzle: pancakes-%u\nfamily: permute\nplaces:", count);
    for (unsigned place = 1; place <= count; place++)
        fprintf(out, " %u", place);
    fputs("\ngenerators:\n", out);
    for (unsigned top = 2; top <= count; top++) {
        fprintf(out, "  flip %u: {reverse:", top);
        for (unsigned place = 1; place <= top; place++)
            fprintf(out, " %u", place);
        fputs("}\n", out);
    }
    fclose(out);
    return text;
}

static struct pdb_puzzle *load(const char *name)
{
    struct definition *definition;
    struct pdb_puzzle *puzzle;
    pdb_error error;
    unsigned count;
    if (sscanf(name, "pancakes-%u", &count) != 1 || count == 8) {
        must(catalog_load(name, &puzzle, &error), &error);
        return puzzle;
    }
    char *text = pancakes(count);
    must(definition_parse(name, text, strlen(text), &definition, &error), &error);
    must(puzzle_create(definition, &puzzle, &error), &error);
    definition_free(definition);
    free(text);
    return puzzle;
}

struct cost {
    double wall, cpu; /* seconds */
};

static struct cost search(const struct pdb_puzzle *puzzle, unsigned threads)
{
    struct retrograde *retrograde;
    struct retrograde_result result;
    pdb_error error;
    const struct cost begin = {clock_now(CLOCK_MONOTONIC), clock_now(CLOCK_PROCESS_CPUTIME_ID)};
    must(retrograde_create(puzzle, threads, &retrograde, &error), &error);
    for (bool done = false; !done;)
        must(retrograde_layer(retrograde, NULL, NULL, &done, &error), &error);
    retrograde_finish(retrograde, &result);
    const struct cost end = {clock_now(CLOCK_MONOTONIC), clock_now(CLOCK_PROCESS_CPUTIME_ID)};
    retrograde_free(retrograde);
    return (struct cost){end.wall - begin.wall, end.cpu - begin.cpu};
}

static void measure(const struct pdb_puzzle *puzzle, unsigned threads)
{
    struct cost best = {1e9, 1e9};
    double spent = 0;
    for (int round = 0; round < LEAST_ROUNDS || (round < MOST_ROUNDS && spent < enough_seconds); round++) {
        const struct cost cost = search(puzzle, threads);
        best.wall = cost.wall < best.wall ? cost.wall : best.wall;
        best.cpu = cost.cpu < best.cpu ? cost.cpu : best.cpu;
        spent += cost.wall;
    }
    const double states = (double)puzzle->states;
    printf("search of %s, %.0f states, %u thread%s, best of some | %.2f ns a state, %.2f ns of processor time, %.2f bytes a state\n",
           puzzle->name, states, threads, threads == 1 ? "" : "s", 1e9 * best.wall / states, 1e9 * best.cpu / states,
           (double)retrograde_memory(puzzle, threads) / states);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"lights-out-5x5", "8-flip-5x5",  "diagonal-slide", "pancakes-8", "pancakes-10",
                                        "pancakes-11",    "cube-2x2x2",  "pyraminx",       "topspin-10"};
    const size_t count = argc > 1 ? (size_t)argc - 1 : sizeof names / sizeof *names;
    for (size_t i = 0; i < count; i++) {
        struct pdb_puzzle *puzzle = load(argc > 1 ? argv[i + 1] : names[i]);
        for (unsigned threads = 1; threads <= THREADS; threads++)
            measure(puzzle, threads);
        puzzle_free(puzzle);
    }
    return EXIT_SUCCESS;
}
