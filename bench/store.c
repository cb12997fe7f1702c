/* store.c -- measures the store: publishing, opening, looking up, verifying. bench-store [MEBIBYTES [DIRECTORY]]
 *
 * The data are random bytes, as hard to keep as any. Beside publishing stands what the same bytes cost that are only
 * written to a plain file and synced; beside look-ups, random reads of as much memory.
 */
#include "measure.h"
#include "lib/random.h"
#include "db/store.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>

enum { ROUNDS = 3, LOOKUPS = 1 << 20, PIECE = 1 << 20 };
static const char table[] = "The store";

struct subject {
    uint64_t bytes;
    uint8_t *data;
    char directory[4000], path[4096];
};

/* What something cost, in seconds: by the clock; of processors, in the program and in the kernel. */
struct cost {
    double wall, user, kernel;
};

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + 1e-6 * (double)time.tv_usec;
}

static struct cost clocks(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (struct cost){now(), seconds_of(usage.ru_utime), seconds_of(usage.ru_stime)};
}

static struct cost since(struct cost begin)
{
    const struct cost end = clocks();
    return (struct cost){end.wall - begin.wall, end.user - begin.user, end.kernel - begin.kernel};
}

/* -- writing -- */

static struct cost publish(const struct subject *subject, unsigned threads)
{
    static const uint64_t histogram[] = {1, 1}, hardest[] = {0};
    const struct store_header header = {.puzzle = "bench",
                                        .goal = "g",
                                        .metric = "m",
                                        .encoding = "exact-8bit",
                                        .patterns = "",
                                        .generator = PDB_VERSION,
                                        .states = subject->bytes,
                                        .reachable = 2,
                                        .data_bytes = subject->bytes,
                                        .depths = 2,
                                        .histogram = histogram,
                                        .hardest = 1,
                                        .hardest_kept = 1,
                                        .hardest_states = hardest};
    struct store_writer *writer;
    pdb_error error;
    const struct cost begin = clocks();
    must(store_create(subject->directory, "bench", &writer, &error), &error);
    must(store_publish(writer, &header, subject->data, &(struct store_task){.threads = threads}, NULL, &error), &error);
    return since(begin);
}

static struct cost write_plainly(const struct subject *subject)
{
    char path[4200];
    snprintf(path, sizeof path, "%s.plain", subject->path);
    const struct cost begin = clocks();
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    must_system(file >= 0, path);
    for (uint64_t at = 0; at < subject->bytes; at += PIECE) {
        const uint64_t left = subject->bytes - at, size = left < PIECE ? left : PIECE;
        must_system(write(file, subject->data + at, size) == (ssize_t)size, path);
    }
    must_system(fsync(file) == 0 && close(file) == 0, path);
    const struct cost cost = since(begin);
    unlink(path);
    return cost;
}

static void keep_least(struct cost *least, struct cost cost)
{
    if (cost.wall < least->wall)
        *least = cost;
}

static void say_writing(const struct subject *subject, const char *row, struct cost cost)
{
    say(table, row, "figure", "%.2f s, %.0f MB/s; %.2f s of processor time, of which %.2f s in the kernel", cost.wall,
        1e-6 * (double)subject->bytes / cost.wall, cost.user + cost.kernel, cost.kernel);
}

static void measure_writing(const struct subject *subject)
{
    struct cost one = {.wall = 1e9}, all = one, plain = one;
    char row[80], column[32];
    for (int round = 0; round < ROUNDS; round++) { /* in turns: the disk may change its mind */
        keep_least(&one, publish(subject, 1));
        unlink(subject->path);
        keep_least(&all, publish(subject, all_threads()));
        unlink(subject->path);
        keep_least(&plain, write_plainly(subject));
    }
    const double size = (double)subject->bytes / 0x1p30;
    snprintf(row, sizeof row, "publishing %.1f GiB, synced, 1 thread", size);
    say_writing(subject, row, one);
    snprintf(row, sizeof row, "publishing %.1f GiB, synced, %s", size, threads_column(all_threads(), column));
    say_writing(subject, row, all);
    snprintf(row, sizeof row, "writing a plain file of %.1f GiB, synced", size);
    say_writing(subject, row, plain);
}

/* -- reading -- */

static struct store *open_store(const struct subject *subject)
{
    struct store *store;
    pdb_error error;
    must(store_open(subject->path, &store, &error), &error);
    return store;
}

/* Seconds for look-ups of random bytes, always the same; each is held against the data. */
static double look_up(const struct subject *subject, const struct store *store)
{
    uint64_t seed = 2, run;
    pdb_error error;
    const double begin = now();
    for (unsigned i = 0; i < LOOKUPS; i++) {
        const uint64_t at = random_below(&seed, subject->bytes);
        const uint8_t *byte = store_at(store, at, &run, &error);
        must(byte != NULL ? PDB_OK : PDB_DAMAGED, &error);
        must_system(*byte == subject->data[at], "a byte is wrong");
    }
    return now() - begin;
}

/* The same in the data themselves: what a look-up costs that only reads, twice. */
static double look_up_plainly(const struct subject *subject)
{
    uint64_t seed = 2, sum = 0;
    const double begin = now();
    for (unsigned i = 0; i < LOOKUPS; i++)
        sum += subject->data[random_below(&seed, subject->bytes)];
    const double seconds = now() - begin;
    must_system(sum > 0, "sum");
    return seconds;
}

static void measure_reading(const struct subject *subject)
{
    static const char random[] = "a random byte";
    double opening = 1e9, first, again = 1e9;
    struct store *store = NULL;
    pdb_error error;
    char column[32];
    for (int round = 0; round < ROUNDS; round++) {
        store_close(store);
        const double begin = now();
        store = open_store(subject);
        opening = now() - begin < opening ? now() - begin : opening;
    }
    first = look_up(subject, store);
    for (int round = 0; round < ROUNDS; round++) {
        const double seconds = look_up(subject, store);
        again = seconds < again ? seconds : again;
    }
    say(table, "opening", "figure", "%.2f ms", 1e3 * opening);
    say(table, random, "figure", "%.0f ns at the first touch of most pages, %.0f ns later; %.0f ns in plain memory",
        1e9 * first / LOOKUPS, 1e9 * again / LOOKUPS, 1e9 * look_up_plainly(subject) / LOOKUPS);
    for (unsigned threads = 1; threads <= all_threads(); threads++) {
        const double begin = now();
        must(store_verify(store, &(struct store_task){.threads = threads}, &error), &error);
        char row[64];
        snprintf(row, sizeof row, "verifying all checksums, %s", threads_column(threads, column));
        say(table, row, "figure", "%.1f GB/s", 1e-9 * (double)subject->bytes / (now() - begin));
    }
    store_close(store);
}

int main(int argc, char **argv)
{
    const char *directory = argc > 2 ? argv[2] : getenv("TMPDIR");
    struct subject subject = {.bytes = (uint64_t)(argc > 1 ? atoll(argv[1]) : 1024) << 20};
    uint64_t seed = 1;
    snprintf(subject.directory, sizeof subject.directory, "%s/pdb-bench-XXXXXX",
             directory != NULL ? directory : "/tmp");
    must_system(mkdtemp(subject.directory) != NULL, subject.directory);
    snprintf(subject.path, sizeof subject.path, "%s/bench.pdb", subject.directory);
    subject.data = malloc(subject.bytes);
    must_system(subject.data != NULL, "malloc");
    for (uint64_t i = 0; i < subject.bytes; i += sizeof seed) {
        const uint64_t number = random_next(&seed);
        memcpy(subject.data + i, &number, sizeof number);
    }
    measure_writing(&subject);
    publish(&subject, all_threads());
    measure_reading(&subject);
    unlink(subject.path);
    rmdir(subject.directory);
    free(subject.data);
    return EXIT_SUCCESS;
}
