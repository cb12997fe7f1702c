/* library.c -- measures the library's calls on Goat, in memory and warm, on one core. Prints a line for each figure: what | value */
#include "measure.h"

enum { BOARDS = 100000, BATCH = 256, ROUNDS = 5 };

/* Seconds for the distance and all moves of each board, one by one. */
static double one_by_one(const pdb_solver *solver, const pdb_board *board, const uint32_t *expected)
{
    pdb_error error;
    pdb_moves moves = {0};
    const double begin = now();
    for (size_t i = 0; i < BOARDS; i++) {
        uint32_t distance;
        must(pdb_solver_distance(solver, &board[i], 1, &distance, &error), &error);
        must(pdb_solver_moves(solver, &board[i], distance, &moves, &error), &error);
        if (distance != expected[i])
            abort();
    }
    const double seconds = now() - begin;
    pdb_moves_free(&moves);
    return seconds;
}

/* Seconds for the distances of all boards, in batches. */
static double in_batches(const pdb_solver *solver, const pdb_board *board, const uint32_t *expected)
{
    static uint32_t distance[BATCH];
    pdb_error error;
    const double begin = now();
    for (size_t first = 0; first < BOARDS; first += BATCH) {
        const size_t count = BOARDS - first < BATCH ? BOARDS - first : BATCH;
        must(pdb_solver_distance(solver, &board[first], count, distance, &error), &error);
        for (size_t i = 0; i < count; i++)
            if (distance[i] != expected[first + i])
                abort();
    }
    return now() - begin;
}

static double best(double (*measure)(const pdb_solver *, const pdb_board *, const uint32_t *), const pdb_solver *solver,
                   const pdb_board *board, const uint32_t *expected)
{
    double least = measure(solver, board, expected);
    for (int round = 1; round < ROUNDS; round++) {
        const double seconds = measure(solver, board, expected);
        least = seconds < least ? seconds : least;
    }
    return least;
}

int main(void)
{
    const pdb_options options = {.method = PDB_SEARCH, .whole = true};
    pdb_puzzle *puzzle;
    pdb_solver *solver;
    pdb_error error;
    pdb_board *board = calloc(BOARDS, sizeof *board);
    uint32_t *distance = calloc(BOARDS, sizeof *distance);
    if (board == NULL || distance == NULL)
        return EXIT_FAILURE;
    must(pdb_puzzle_load("goat", &puzzle, &error), &error);
    must(pdb_solver_open(puzzle, &options, &solver, &error), &error);
    for (size_t i = 0; i < BOARDS; i++)
        must(pdb_solver_random(solver, PDB_NO_DISTANCE, i, &board[i], &distance[i], &error), &error);
    const double single = best(one_by_one, solver, board, distance), batch = best(in_batches, solver, board, distance);
    printf("library, distance and all moves of one random board, one core, best of %d | %.1f us\n", ROUNDS, 1e6 * single / BOARDS);
    printf("library, distances of random boards in batches of %d, one core, best of %d | %.0f boards/s\n", BATCH, ROUNDS, BOARDS / batch);
    pdb_solver_close(solver);
    pdb_puzzle_free(puzzle);
    free(board);
    free(distance);
    return EXIT_SUCCESS;
}
