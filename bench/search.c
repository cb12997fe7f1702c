/* search.c -- measures searches for single boards.
 *
 * bench-search [PUZZLE [MEBIBYTES [BOARDS [THREADS [MOVES|FILE]]]]]
 *
 * PUZZLE: a name or a definition file, which may name `patterns`. MEBIBYTES of pattern databases are built first; 0:
 * none. Boards are random ones that can reach the goal, or made by so many random MOVES from the goal, always the same;
 * or those of a FILE of lines "board length", whose lengths are checked. Without arguments: the figures of
 * bench/README.md.
 */
#include "measure.h"
#include "lib/families/slide/tiles/tiles.h"
#include "lib/memory/pages.h"
#include "lib/random.h"
#include "lib/search/board/search.h"

#include <stdlib.h>
#include <string.h>

static const char table[] = "Searches for single boards, a board in the mean";

/* -- puzzles -- */

struct subject {
    struct puzzle *puzzle;
    struct tiles tiles;
    struct patterns patterns;
    uint8_t *bytes; /* of the tables; NULL: none */
};

/* Loads a puzzle and builds tables within `memory` bytes. */
static void subject_open(const char *name, uint64_t memory, struct subject *subject)
{
    pdb_error error;
    struct patterns *patterns = &subject->patterns;
    subject->puzzle = load_moves(name);
    const struct pattern_family *family = subject->puzzle->family->single.patterns;
    if (family == NULL || !tiles_make((const struct slide *)subject->puzzle, &subject->tiles))
        exit(EXIT_FAILURE);
    subject->bytes = NULL;
    if (memory == 0)
        return;
    must(family->choose(subject->puzzle, memory, patterns, &error), &error);
    subject->bytes = pages_take(patterns->bytes);
    if (subject->bytes == NULL)
        exit(EXIT_FAILURE);
    pages_fill(subject->bytes, 0, patterns->bytes, NULL);
    must(family->build(subject->puzzle, patterns, &(struct pattern_work){.threads = 2}, subject->bytes, &error),
         &error);
}

static void subject_close(struct subject *subject)
{
    free(subject->bytes);
    puzzle_free(subject->puzzle);
}

/* -- boards -- */

/* A random board of the goal's tiles whose parity fits. */
static void shuffle(const struct tiles *tiles, uint64_t *seed, uint8_t *position)
{
    uint8_t tile[TILES_MAX_PLACES];
    memcpy(position, tiles->slide->puzzle.goal, tiles->places);
    for (unsigned place = tiles->places; place-- > 1;) {
        const unsigned other = (unsigned)random_below(seed, place + 1);
        const uint8_t symbol = position[place];
        position[place] = position[other];
        position[other] = symbol;
    }
    for (unsigned place = 0; place < tiles->places; place++)
        tile[place] = tiles->tile_of_symbol[position[place]];
    if (tiles_parity_fits(tiles, tile))
        return;
    const unsigned first = tile[0] == TILES_NO_TILE || tile[1] == TILES_NO_TILE ? 2 : 0;
    const uint8_t symbol = position[first];
    position[first] = position[first + 1];
    position[first + 1] = symbol;
}

static void scramble(const struct tiles *tiles, unsigned moves, uint64_t *seed, uint8_t *position)
{
    unsigned empty = tiles->goal_empty, before = empty;
    memcpy(position, tiles->slide->puzzle.goal, tiles->places);
    while (moves > 0) {
        const unsigned next = tiles->slide->neighbour[empty][random_below(seed, 4)];
        if (next == BOARD_NO_PLACE || next == before)
            continue;
        position[empty] = position[next];
        position[next] = tiles->slide->puzzle.board.empty;
        before = empty;
        empty = next;
        moves--;
    }
}

/* The next board of a file and its length; false at the end. */
static bool next_board(FILE *file, const struct puzzle *puzzle, uint8_t *position, uint32_t *length)
{
    char line[BOARD_TEXT_MAX], *last;
    pdb_error error;
    do
        if (fgets(line, sizeof line, file) == NULL)
            return false;
    while (line[0] == '#' || (last = strrchr(line, ' ')) == NULL);
    *last = '\0';
    *length = (uint32_t)strtoul(last + 1, NULL, 10);
    must(puzzle_parse(puzzle, line, position, &error), &error);
    return true;
}

/* Where boards come from and how they are searched. */
struct task {
    unsigned boards, threads; /* `boards` at most */
    unsigned moves;           /* boards are made by so many; 0: random ones */
    const char *file;         /* or out of this file: */
    uint32_t longest;         /* of its boards those whose solutions are no longer, 0: all; a line for each */
    uint64_t nodes;           /* searches that look at so many are given up; 0: none */
};

/* The next board of a task, and its length where that is known; false at the end. */
static bool task_board(const struct task *task, const struct subject *subject, FILE *file, uint64_t *seed,
                       uint8_t *position, uint32_t *length)
{
    *length = PDB_NO_DISTANCE;
    if (file == NULL && task->moves > 0)
        scramble(&subject->tiles, task->moves, seed, position);
    else if (file == NULL)
        shuffle(&subject->tiles, seed, position);
    else
        do
            if (!next_board(file, subject->puzzle, position, length))
                return false;
        while (task->longest != 0 && *length > task->longest);
    return true;
}

/* -- figures -- */

struct figures {
    unsigned boards;
    uint64_t moves, nodes;
    double seconds, used; /* by the clock; of processor time */
};

static void print_figures(const struct task *task, const struct searcher *searcher, const struct figures *figures)
{
    const double boards = figures->boards, nodes = (double)figures->nodes;
    char row[400], what[100], column[32];
    if (figures->boards != 1)
        snprintf(what, sizeof what, "%u %s boards", figures->boards, task->file != NULL ? "known" : "random");
    else
        snprintf(what, sizeof what, "a board of %.0f moves", (double)figures->moves);
    snprintf(row, sizeof row, "%s, %.100s, %s, %s", searcher->puzzle->name, searcher->method, what,
             threads_column(task->threads, column));
    say(table, row, "moves", "%.2f", (double)figures->moves / boards);
    say(table, row, "nodes", "%.0f", nodes / boards);
    say(table, row, "time", "%.3f ms", 1e3 * figures->seconds / boards);
    say(table, row, "processor time", "%.3f ms", 1e3 * figures->used / boards);
    say(table, row, "speed", "%.1f M nodes/s, %.1f a core", 1e-6 * nodes / figures->seconds,
        1e-6 * nodes / figures->used);
}

static bool within_nodes(void *context, const struct search_progress *progress)
{
    const struct task *task = context;
    return task->nodes == 0 || progress->nodes < task->nodes;
}

/* Solves one board; false where it was given up. */
static bool solve(struct task *task, const struct searcher *searcher, const uint8_t *position, uint32_t length,
                  struct figures *figures)
{
    struct search_answer answer;
    pdb_error error;
    const double begin = now(), cpu = clock_now(CLOCK_PROCESS_CPUTIME_ID);
    const pdb_status status = search_solve(searcher, position, PDB_NO_DISTANCE, within_nodes, task, &answer, &error);
    if (status == PDB_INTERRUPTED)
        return false;
    must(status, &error);
    if (length != PDB_NO_DISTANCE && answer.distance != length) {
        fprintf(stderr, "bench-search: a board takes %u moves, not %u\n", answer.distance, length);
        exit(EXIT_FAILURE);
    }
    *figures = (struct figures){1, answer.distance, answer.nodes, now() - begin,
                                clock_now(CLOCK_PROCESS_CPUTIME_ID) - cpu};
    free(answer.path);
    return true;
}

/* Tables that are in memory from the beginning. */
static pdb_status sound(void *context, pdb_error *error)
{
    (void)context, (void)error;
    return PDB_OK;
}

static const uint8_t *loaded(void *context)
{
    const struct subject *subject = context;
    return subject->bytes;
}

static pdb_status load(void *context, pattern_observer *observe, void *observing, const uint8_t **bytes,
                       pdb_error *error)
{
    (void)observe;
    (void)observing;
    (void)error;
    *bytes = loaded(context);
    return PDB_OK;
}

static void measure(struct subject *subject, struct task task)
{
    FILE *file = task.file != NULL ? fopen(task.file, "r") : NULL;
    struct searcher *searcher;
    pdb_error error;
    const struct pattern_source source = {.context = subject, .sound = sound, .load = load, .loaded = loaded};
    const struct search_options options = {
        .threads = task.threads, .patterns = subject->bytes != NULL ? &subject->patterns : NULL, .source = &source};
    struct figures all = {0};
    uint8_t position[BOARD_MAX_CELLS];
    uint32_t length;
    uint64_t seed = 1;
    if (task.file != NULL && file == NULL) {
        perror(task.file);
        exit(EXIT_FAILURE);
    }
    must(search_create(subject->puzzle, &options, &searcher, &error), &error);
    while (all.boards < task.boards && task_board(&task, subject, file, &seed, position, &length)) {
        struct figures one;
        if (!solve(&task, searcher, position, length, &one))
            continue;
        if (task.longest != 0)
            print_figures(&task, searcher, &one);
        all = (struct figures){all.boards + 1, all.moves + one.moves, all.nodes + one.nodes, all.seconds + one.seconds,
                               all.used + one.used};
    }
    print_figures(&task, searcher, &all);
    if (file != NULL)
        fclose(file);
    search_free(searcher);
}

/* -- which figures -- */

static void measure_all(void)
{
    struct subject subject;
    subject_open("15-puzzle", 0, &subject);
    measure(&subject, (struct task){.boards = 20, .threads = 1});
    subject_close(&subject);
    subject_open("15-puzzle", UINT64_C(2) << 30, &subject);
    measure(&subject, (struct task){.boards = 1000, .threads = 1});
    measure(&subject, (struct task){.boards = 100, .threads = 1, .file = BOARDS "/15-puzzle.txt"});
    subject_close(&subject);
    subject_open("24-puzzle", UINT64_C(4) << 30, &subject);
    for (unsigned threads = 1; threads <= all_threads(); threads++)
        measure(
            &subject,
            (struct task){
                .boards = 50, .threads = threads, .file = BOARDS "/24-puzzle.txt", .longest = 96, .nodes = 200000000});
    subject_close(&subject);
}

int main(int argc, char **argv)
{
    struct subject subject;
    struct task task = {.boards = 10, .threads = 1};
    if (argc == 1) {
        measure_all();
        return EXIT_SUCCESS;
    }
    subject_open(argv[1], argc > 2 ? strtoull(argv[2], NULL, 10) << 20 : 0, &subject);
    if (argc > 3)
        task.boards = (unsigned)strtoul(argv[3], NULL, 10);
    if (argc > 4)
        task.threads = (unsigned)strtoul(argv[4], NULL, 10);
    if (argc > 5 && strspn(argv[5], "0123456789") == strlen(argv[5]))
        task.moves = (unsigned)strtoul(argv[5], NULL, 10);
    else if (argc > 5)
        task.file = argv[5];
    measure(&subject, task);
    subject_close(&subject);
    return EXIT_SUCCESS;
}
