/* query.c -- measures the library's answers from databases, on one core. PDB_GEN=pdb-gen bench-query
 *
 * Cold: a board asked for right after the database was opened, so that every page it touches is mapped and checked for
 * the first time; colder: the file is dropped from the system's memory before. Hot: boards whose pages were all
 * touched.
 */
#include "measure.h"

#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>

enum { ASKED = 20000, COLD = 200, DROPPED = 20, BATCH = 256, ROUNDS = 3, PATHS = 100 };
static const char table[] = "Queries, as library calls";

struct subject {
    const char *name, *directory;
    pdb_puzzle *puzzle;
    pdb_solver *solver;
    pdb_board *board; /* ASKED random ones */
    uint32_t *distance;
};

static void generate(const char *name, const char *directory)
{
    const char *program = getenv("PDB_GEN");
    int status;
    fflush(stdout);
    const pid_t child = fork();
    must_system(child >= 0, "fork");
    if (child == 0) {
        execl(program != NULL ? program : "pdb-gen", "pdb-gen", "-q", "-d", directory, name, (char *)NULL);
        perror("PDB_GEN");
        _exit(EXIT_FAILURE);
    }
    must_system(waitpid(child, &status, 0) == child && status == 0, "pdb-gen");
}

static void open_solver(struct subject *subject)
{
    const pdb_options options = {.directory = subject->directory, .method = PDB_DATABASE};
    pdb_error error;
    must(pdb_solver_open(subject->puzzle, &options, &subject->solver, &error), &error);
}

static void close_solver(struct subject *subject)
{
    pdb_solver_close(subject->solver);
}

/* Distance and all moves of a board. */
static void answer(const struct subject *subject, size_t i, pdb_moves *moves)
{
    uint32_t distance;
    pdb_error error;
    must(pdb_solver_distance(subject->solver, &subject->board[i], 1, &distance, &error), &error);
    must(pdb_solver_moves(subject->solver, &subject->board[i], distance, moves, &error), &error);
    if (distance != subject->distance[i])
        abort();
}

/* Takes the file out of the system's memory, as far as it will. */
static void drop(const struct subject *subject)
{
    char path[4200];
    snprintf(path, sizeof path, "%s/%s.pdb", subject->directory, subject->name);
    const int file = open(path, O_RDONLY);
    must_system(file >= 0, path);
    must_system(posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED) == 0, path);
    close(file);
}

/* Mean seconds of boards that come first, each. */
static double cold(struct subject *subject, bool dropped, size_t boards)
{
    double sum = 0;
    pdb_moves moves = {0};
    for (size_t i = 0; i < boards; i++) {
        if (dropped)
            drop(subject);
        open_solver(subject);
        const double begin = now();
        answer(subject, i, &moves);
        sum += now() - begin;
        close_solver(subject);
    }
    pdb_moves_free(&moves);
    return sum / (double)boards;
}

/* Seconds for all boards, one by one. */
static double one_by_one(const struct subject *subject)
{
    pdb_moves moves = {0};
    const double begin = now();
    for (size_t i = 0; i < ASKED; i++)
        answer(subject, i, &moves);
    const double seconds = now() - begin;
    pdb_moves_free(&moves);
    return seconds;
}

/* Seconds for the distances of all boards, in batches. */
static double in_batches(const struct subject *subject)
{
    uint32_t distance[BATCH];
    pdb_error error;
    const double begin = now();
    for (size_t first = 0; first < ASKED; first += BATCH) {
        const size_t count = ASKED - first < BATCH ? ASKED - first : BATCH;
        must(pdb_solver_distance(subject->solver, &subject->board[first], count, distance, &error), &error);
        if (memcmp(distance, &subject->distance[first], count * sizeof *distance) != 0)
            abort();
    }
    return now() - begin;
}

/* Seconds for a whole shortest solution of the farthest board. */
static double path(const struct subject *subject)
{
    pdb_info info;
    pdb_board board;
    pdb_error error;
    pdb_solver_info(subject->solver, &info);
    pdb_move *move = calloc(info.max + 1, sizeof *move);
    must_system(move != NULL, "calloc");
    must(pdb_solver_hardest(subject->solver, 0, &board, &error), &error);
    const double begin = now();
    for (int i = 0; i < PATHS; i++)
        must(pdb_solver_path(subject->solver, &board, info.max, move, &error), &error);
    const double seconds = (now() - begin) / PATHS;
    free(move);
    return seconds;
}

static double best(double (*measure)(const struct subject *), const struct subject *subject)
{
    double least = measure(subject);
    for (int round = 1; round < ROUNDS; round++) {
        const double seconds = measure(subject);
        least = seconds < least ? seconds : least;
    }
    return least;
}

static void measure(const char *name, const char *directory)
{
    struct subject subject = {.name = name,
                              .directory = directory,
                              .board = calloc(ASKED, sizeof *subject.board),
                              .distance = calloc(ASKED, sizeof *subject.distance)};
    pdb_error error;
    pdb_info info;
    must_system(subject.board != NULL && subject.distance != NULL, "calloc");
    generate(name, directory);
    must(pdb_puzzle_load(name, &subject.puzzle, &error), &error);
    open_solver(&subject);
    for (size_t i = 0; i < ASKED; i++)
        must(pdb_solver_random(subject.solver, PDB_NO_DISTANCE, i, &subject.board[i], &subject.distance[i], &error),
             &error);
    const double single = best(one_by_one, &subject), batch = best(in_batches, &subject), whole = best(path, &subject);
    pdb_solver_info(subject.solver, &info);
    say(table, name, "distance and all moves of a board, hot", "%.1f us", 1e6 * single / ASKED);
    say(table, name, "distances in batches of 256, hot", "%.0f boards/s", ASKED / batch);
    say(table, name, "a whole solution", "%.0f us for %u moves", 1e6 * whole, info.max);
    close_solver(&subject);
    say(table, name, "first board after opening", "%.0f us", 1e6 * cold(&subject, false, COLD));
    say(table, name, "and the file not in memory", "%.0f us", 1e6 * cold(&subject, true, DROPPED));
    pdb_puzzle_free(subject.puzzle);
    free(subject.board);
    free(subject.distance);
}

int main(void)
{
    static const char *const names[] = {"goat",    "8-puzzle",   "tiles-3x4",  "tiles-2x6",
                                        "klotski", "cube-2x2x2", "lights-out", "triangle-21"};
    const char *parent = getenv("TMPDIR");
    char directory[4000], path[4200];
    snprintf(directory, sizeof directory, "%s/pdb-bench-XXXXXX", parent != NULL ? parent : "/tmp");
    must_system(mkdtemp(directory) != NULL, directory);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        measure(names[i], directory);
        snprintf(path, sizeof path, "%s/%s.pdb", directory, names[i]);
        unlink(path);
    }
    rmdir(directory);
    return EXIT_SUCCESS;
}
