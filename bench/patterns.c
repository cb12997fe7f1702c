/* patterns.c -- measures how fast pattern databases are built.
 *
 * bench-patterns [PUZZLE [MEBIBYTES [THREADS]]]
 */
#include "measure.h"
#include "lib/search/board/patterns.h"

#include <sys/resource.h>

static const char table[] = "Pattern databases";

static void measure(const char *name, uint64_t memory, unsigned threads)
{
    static uint64_t histogram[PATTERN_VALUES_MAX];
    struct puzzle *puzzle = load_moves(name);
    struct patterns patterns;
    pdb_error error;
    const double chosen = now();
    must(puzzle->family->single.patterns->choose(puzzle, memory, &patterns, &error), &error);
    const double begin = now(), cpu = clock_now(CLOCK_PROCESS_CPUTIME_ID);
    uint8_t *bytes = aligned_alloc(PATTERN_TABLE_ALIGN,
                                   (patterns.bytes + PATTERN_TABLE_ALIGN) / PATTERN_TABLE_ALIGN * PATTERN_TABLE_ALIGN);
    if (bytes == NULL)
        exit(EXIT_FAILURE);
    for (uint64_t i = 0; i < patterns.bytes; i++)
        bytes[i] = 0;
    must(puzzle->family->single.patterns->build(puzzle, &patterns, &(struct pattern_work){.threads = threads}, bytes,
                                                &error),
         &error);
    const double seconds = now() - begin, used = clock_now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    double entries = 0, sum = 0;
    for (unsigned t = 0; t < patterns.tables; t++)
        patterns_count(bytes + patterns.table[t].offset, patterns.bits, patterns.table[t].entries, NULL, histogram);
    for (unsigned v = 0; v < PATTERN_VALUES_MAX; v++) {
        entries += (double)histogram[v];
        sum += v * (double)histogram[v];
    }
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    char row[200];
    snprintf(row, sizeof row, "%.100s of %.40s, %u thread%s", patterns.shape, name, threads, threads == 1 ? "" : "s");
    say(table, row, "built in", "%.2f s, %.1f M entries/s", seconds, 1e-6 * entries / seconds);
    say(table, row, "processor time", "%.2f s", used);
    say(table, row, "memory", "%.0f MiB announced, %.0f MiB taken, %.0f MiB kept", (double)patterns.memory / 0x1p20,
        (double)usage.ru_maxrss / 1024, (double)patterns.bytes / 0x1p20);
    say(table, row, "chosen in", "%.3f s", begin - chosen);
    say(table, row, "mean value", "%.3f", 2 * sum / entries);
    free(bytes);
    puzzle_free(puzzle);
}

int main(int argc, char **argv)
{
    const uint64_t memory = (uint64_t)(argc > 2 ? atoll(argv[2]) : 4096) << 20;
    const unsigned threads = argc > 3 ? (unsigned)atoi(argv[3]) : all_threads();
    if (argc > 1) {
        measure(argv[1], memory, threads);
        return EXIT_SUCCESS;
    }
    measure("15-puzzle", memory, all_threads());
    measure("24-puzzle", memory, all_threads());
    return EXIT_SUCCESS;
}
