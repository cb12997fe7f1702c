/* spaces.c -- measures the search of whole spaces in memory, for every family. bench-spaces [PUZZLE...]
 *
 * A search is what it takes from the goals to the last layer: memory is taken and touched before, distances are packed
 * afterwards (bench/programs.py measures all of it together). Each figure comes from a process of its own, so that its
 * peak memory is its own, and is the best of some rounds, or of one where that is long. Beside it stand the same search
 * made otherwise, and the search that everybody would write first (plain.h). Where states have keys, the search begins
 * with finding them.
 */
#include "measure.h"
#include "lib/search/space/keyed.h"
#include "lib/search/space/retrograde.h"
#include "plain.h"

#include <malloc.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

static const double enough_seconds = 1; /* of one figure's rounds */
enum { MOST_ROUNDS = 50, PLAIN_STATES_MAX = 20000000 };

/* What one process measures. */
struct task {
    const char *name;
    enum retrograde_way way;
    unsigned threads;
    const char *column;
};

/* A puzzle ready to be searched. */
struct subject {
    struct puzzle *puzzle;
    uint64_t states, kept, memory; /* once it was searched: how many, bytes that are kept of them and that it took */
    char table[80];
};

/* The table that a puzzle's figures stand in. */
static void name_table(const struct puzzle *puzzle, char table[80])
{
    if (puzzle->keyed)
        snprintf(table, 80, "Sparse spaces");
    else
        snprintf(table, 80, "Whole spaces: %s", puzzle->family->name);
}

static void subject_open(const char *name, struct subject *subject)
{
    subject->puzzle = load_moves(name);
    name_table(subject->puzzle, subject->table);
}

static void say_speed(const struct subject *subject, const char *column, double seconds)
{
    const double states = (double)subject->states;
    say(subject->table, subject->puzzle->name, column, "%.2f ns a state, %.*f M/s", 1e9 * seconds / states,
        states / seconds < 1e8 ? 1 : 0, 1e-6 * states / seconds);
}

/* -- our search -- */

/* Seconds for all layers. */
static double search_once(struct subject *subject, const struct task *task)
{
    struct retrograde_plan plan;
    struct retrograde *search;
    struct retrograde_result result;
    pdb_error error;
    must(retrograde_plan(task->way, subject->puzzle, task->threads, &plan, &error), &error);
    must(retrograde_begin(&plan, &search, &error), &error);
    const double begin = now();
    for (bool done = false; !done;)
        must(retrograde_layer(search, NULL, NULL, &done, &error), &error);
    const double seconds = now() - begin;
    retrograde_finish(search, &result);
    subject->states = result.states;
    subject->kept = encoding_bytes(result.encoding, result.states);
    subject->memory = result.memory;
    retrograde_free(search);
    return seconds;
}

static void search(const struct task *task)
{
    struct subject subject;
    subject_open(task->name, &subject);
    double least = search_once(&subject, task), sum = least;
    for (int round = 1; round < MOST_ROUNDS && sum < enough_seconds; round++) {
        const double seconds = search_once(&subject, task);
        sum += seconds;
        least = seconds < least ? seconds : least;
    }
    const double states = (double)subject.states;
    if (subject.puzzle->keyed && task->threads == 1)
        say(subject.table, subject.puzzle->name, "states", "%llu", (unsigned long long)subject.states);
    say_speed(&subject, task->column, least);
    if (subject.puzzle->keyed && task->threads > 1)
        say(subject.table, subject.puzzle->name, "bytes a state", "%.2f", (double)subject.memory / states);
    else if (task->threads > 1)
        say(subject.table, subject.puzzle->name, "bytes a state", "%.2f, kept %.2f", (double)subject.memory / states,
            (double)subject.kept / states);
    puzzle_free(subject.puzzle);
}

static void search_plainly(const struct task *task)
{
    struct subject subject;
    subject_open(task->name, &subject);
    const double seconds = plain_search(subject.puzzle, &subject.states);
    say_speed(&subject, task->column, seconds);
    puzzle_free(subject.puzzle);
}

/* -- the machine -- */

enum { READ_TOGETHER = 1 << 17 /* words */ };

struct reading {
    const uint64_t *memory;
    uint64_t sum;
};

static void read_words(void *context, unsigned thread, uint64_t share)
{
    struct reading *reading = context;
    const uint64_t *word = reading->memory + share * READ_TOGETHER;
    uint64_t sum = 0;
    (void)thread;
    for (size_t i = 0; i < READ_TOGETHER; i++)
        sum += word[i];
    __atomic_fetch_add(&reading->sum, sum, __ATOMIC_RELAXED);
}

static void read_memory(const struct task *task)
{
    const size_t words = (size_t)1 << 27; /* 1 GiB */
    uint64_t *memory = malloc(words * sizeof *memory);
    double least = 1e9;
    must_system(memory != NULL, "malloc");
    for (size_t i = 0; i < words; i++)
        memory[i] = i;
    struct reading reading = {.memory = memory};
    for (int round = 0; round < 5; round++) {
        const double begin = now();
        team_once(task->threads, words / READ_TOGETHER, read_words, &reading);
        const double seconds = now() - begin;
        least = seconds < least ? seconds : least;
    }
    say("The machine", "reading 1 GiB of memory", task->column, "%.1f GB/s%s",
        (double)(words * sizeof *memory) / least / 1e9, reading.sum == 0 ? "?" : "");
    free(memory);
}

/* -- in processes of their own -- */

/* Has a child do it; its greatest resident size in MiB. */
static double alone(void (*work)(const struct task *), const struct task *task)
{
    struct rusage usage;
    int status;
    fflush(stdout);
    const pid_t child = fork();
    must_system(child >= 0, "fork");
    if (child == 0) {
        work(task);
        fflush(stdout);
        _exit(EXIT_SUCCESS);
    }
    must_system(wait4(child, &status, 0, &usage) == child, "wait4");
    if (status != 0)
        exit(EXIT_FAILURE);
    return (double)usage.ru_maxrss / 1024;
}

static void measure(const char *name)
{
    char one[32], all[32];
    struct puzzle *puzzle = load_moves(name);
    const unsigned threads = all_threads();
    struct task task = {name, RETROGRADE_BEST, 1, threads_column(1, one)};
    char table[80];
    name_table(puzzle, table);
    const bool keyed = puzzle->keyed, small = puzzle->states <= PLAIN_STATES_MAX;
    struct retrograde_plan plan;
    pdb_error error;
    must(retrograde_plan(RETROGRADE_BEST, puzzle, 1, &plan, &error), &error);
    const bool kernel = !keyed && strcmp(plan.text, "in layers state by state") != 0;
    const char *const way = plan.text;
    retrograde_plan_free(&plan);
    malloc_trim(0); /* a child's peak begins with what its parent has */
    if (keyed)
        say(table, puzzle->name, "way", "%s", way);
    else
        say(table, puzzle->name, "indices", "%llu", (unsigned long long)puzzle->states);
    alone(search, &task);
    task = (struct task){name, RETROGRADE_BEST, threads, threads_column(threads, all)};
    say(table, puzzle->name, "peak memory", "%.0f MiB", alone(search, &task));
    if (kernel)
        alone(search, &(struct task){name, RETROGRADE_PORTABLE, 1, "in plain C"});
    if (kernel && small)
        alone(search, &(struct task){name, RETROGRADE_STATES, 1, "state by state"});
    task = (struct task){name, RETROGRADE_BEST, 1, "a plain queue"};
    if (keyed && !puzzle->forward)
        say(table, puzzle->name, "its peak memory", "%.0f MiB", alone(search_plainly, &task));
    else if (!keyed && small && !puzzle->forward)
        alone(search_plainly, &task);
    puzzle_free(puzzle);
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"8-puzzle",
                                        "goat",
                                        "tiles-2x6",
                                        "tiles-3x4",
                                        BOARDS "/knights-4x5.yaml",
                                        "pancakes-8",
                                        BOARDS "/pancakes-10.yaml",
                                        BOARDS "/pancakes-11.yaml",
                                        "cube-2x2x2",
                                        "pyraminx",
                                        "topspin-10",
                                        "diagonal-slide",
                                        "lights-out-5x5",
                                        "8-flip-5x5",
                                        "diagonal-21",
                                        "triangle-21",
                                        "rush-hour",
                                        "klotski",
                                        BOARDS "/klot64.yaml",
                                        BOARDS "/rush-541934.yaml",
                                        BOARDS "/rush8.yaml",
                                        BOARDS "/klot55.yaml",
                                        "english-33"};
    const size_t count = argc > 1 ? (size_t)argc - 1 : sizeof names / sizeof *names;
    char column[32];
    for (unsigned threads = 1; threads <= all_threads(); threads += all_threads() - 1 + (all_threads() == 1))
        alone(read_memory, &(struct task){.threads = threads, .column = threads_column(threads, column)});
    for (size_t i = 0; i < count; i++)
        measure(argc > 1 ? argv[i + 1] : names[i]);
    return EXIT_SUCCESS;
}
