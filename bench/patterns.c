/* patterns.c -- measures how fast pattern databases are built. Prints a line for each figure: what | value
 *
 * bench-patterns [PUZZLE [MEBIBYTES [THREADS]]]
 */
#include "measure.h"
#include "catalog.h"
#include "search/patterns.h"

#include <sys/resource.h>

static void measure(const char *name, uint64_t memory, unsigned threads)
{
    static uint64_t histogram[PATTERN_VALUES_MAX];
    struct pdb_puzzle *puzzle;
    struct patterns patterns;
    pdb_error error;
    must(catalog_load(name, &puzzle, &error), &error);
    const double chosen = now();
    must(puzzle->family->patterns->choose(puzzle, memory, &patterns, &error), &error);
    const double begin = now(), cpu = clock_now(CLOCK_PROCESS_CPUTIME_ID);
    uint8_t *bytes = aligned_alloc(PATTERN_TABLE_ALIGN,
                                   (patterns.bytes + PATTERN_TABLE_ALIGN) / PATTERN_TABLE_ALIGN * PATTERN_TABLE_ALIGN);
    if (bytes == NULL)
        exit(EXIT_FAILURE);
    for (uint64_t i = 0; i < patterns.bytes; i++)
        bytes[i] = 0;
    must(puzzle->family->patterns->build(puzzle, &patterns, threads, bytes, histogram, NULL, NULL, &error), &error);
    const double seconds = now() - begin, used = clock_now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    double entries = 0, sum = 0;
    for (unsigned v = 0; v < PATTERN_VALUES_MAX; v++) {
        entries += (double)histogram[v];
        sum += v * (double)histogram[v];
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("pattern databases %s of %s (%s), %u threads | %.2f s, of %.2f s processor time, %.1f M entries/s\n",
           patterns.shape, name, patterns.text, threads, seconds, used, 1e-6 * entries / seconds);
    printf("pattern databases %s of %s, memory | %.0f MiB announced, %.0f MiB taken, %.0f MiB kept; chosen in %.3f s; "
           "mean "
           "value %.3f\n",
           patterns.shape, name, (double)patterns.memory / 0x1p20, (double)usage.ru_maxrss / 1024,
           (double)patterns.bytes / 0x1p20, begin - chosen, 2 * sum / entries);
    free(bytes);
    puzzle_free(puzzle);
}

int main(int argc, char **argv)
{
    const uint64_t memory = (uint64_t)(argc > 2 ? atoll(argv[2]) : 4096) << 20;
    const unsigned threads = argc > 3 ? (unsigned)atoi(argv[3]) : 2;
    if (argc > 1) {
        measure(argv[1], memory, threads);
        return EXIT_SUCCESS;
    }
    measure("15-puzzle", memory, threads);
    measure("24-puzzle", memory, threads);
    return EXIT_SUCCESS;
}
