/* store.c -- measures the store: publishing, opening, looking up, verifying. bench-store [MEBIBYTES [DIRECTORY]]
 *
 * The data are random bytes, as hard to keep as any. Beside publishing stands what the same bytes cost that are only
 * written to a plain file and synced; beside look-ups, random reads of as much memory.
 */
#include "measure.h"
#include "random.h"
#include "store.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

enum { ROUNDS = 3, LOOKUPS = 1 << 20, PIECE = 1 << 20 };
static const char table[] = "The store";

struct subject {
    uint64_t bytes;
    uint8_t *data;
    char directory[4000], path[4096];
    char row[64]; /* of the table, for what is about all bytes */
};

/* What something cost, in seconds by the clock and of the processors. */
struct cost {
    double wall, cpu;
};

static struct cost clocks(void)
{
    return (struct cost){now(), clock_now(CLOCK_PROCESS_CPUTIME_ID)};
}

static struct cost since(struct cost begin)
{
    const struct cost end = clocks();
    return (struct cost){end.wall - begin.wall, end.cpu - begin.cpu};
}

/* -- writing -- */

static struct cost publish(const struct subject *subject)
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
    must(store_publish(writer, &header, subject->data, all_threads(), NULL, NULL, NULL, &error), &error);
    const struct cost cost = since(begin);
    unlink(subject->path);
    return cost;
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

static void measure_writing(const struct subject *subject)
{
    struct cost ours = {1e9, 1e9}, plain = {1e9, 1e9};
    for (int round = 0; round < ROUNDS; round++) { /* in turns: the disk may change its mind */
        const struct cost one = publish(subject), other = write_plainly(subject);
        ours = one.wall < ours.wall ? one : ours;
        plain = other.wall < plain.wall ? other : plain;
    }
    say(table, subject->row, "published, synced", "%.2f s, %.0f MB/s; of processor time %.2f s", ours.wall,
        1e-6 * (double)subject->bytes / ours.wall, ours.cpu);
    say(table, subject->row, "a plain file of it, synced", "%.2f s, %.0f MB/s; of processor time %.2f s", plain.wall,
        1e-6 * (double)subject->bytes / plain.wall, plain.cpu);
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
    snprintf(subject.row, sizeof subject.row, "%.1f GiB of data", (double)subject.bytes / 0x1p30);
    subject.data = malloc(subject.bytes);
    must_system(subject.data != NULL, "malloc");
    for (uint64_t i = 0; i < subject.bytes / 8; i++)
        ((uint64_t *)(void *)subject.data)[i] = random_next(&seed);
    measure_writing(&subject);
    unlink(subject.path);
    rmdir(subject.directory);
    free(subject.data);
    return EXIT_SUCCESS;
}
