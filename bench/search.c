/* search.c -- measures searches for single boards. Prints a line for each figure: what | value
 *
 * bench-search [PUZZLE [MEBIBYTES [BOARDS [THREADS [MOVES|FILE]]]]]
 *
 * MEBIBYTES of pattern databases are built first; 0: none. Boards are random ones that can reach the goal, or made by so
 * many random MOVES from the goal, always the same; or those of a FILE of lines "board length", whose lengths are checked.
 */
#include "catalog.h"
#include "families/slide_tiles.h"
#include "random.h"
#include "search/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void must(pdb_status status, const pdb_error *error)
{
    if (status == PDB_OK)
        return;
    fprintf(stderr, "bench-search: %s\n", error->message);
    exit(EXIT_FAILURE);
}

static uint8_t *build(const struct pdb_puzzle *puzzle, uint64_t memory, unsigned threads, struct patterns *patterns)
{
    static uint64_t histogram[PATTERN_VALUES_MAX];
    pdb_error error;
    must(puzzle->family->patterns->choose(puzzle, memory, patterns, &error), &error);
    uint8_t *bytes = aligned_alloc(PATTERN_TABLE_ALIGN,
                                   (patterns->bytes / PATTERN_TABLE_ALIGN + 1) * PATTERN_TABLE_ALIGN);
    if (bytes == NULL)
        exit(EXIT_FAILURE);
    memset(bytes, 0, patterns->bytes);
    must(puzzle->family->patterns->build(puzzle, patterns, threads, bytes, histogram, NULL, NULL, &error), &error);
    return bytes;
}

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
static bool next_board(FILE *file, const struct pdb_puzzle *puzzle, uint8_t *position, uint32_t *length)
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

static void measure(const char *name, uint64_t memory, unsigned boards, unsigned threads, const char *source)
{
    const unsigned moves = (unsigned)strtoul(source, NULL, 10);
    FILE *file = moves == 0 && source[0] != '0' ? fopen(source, "r") : NULL;
    struct pdb_puzzle *puzzle;
    struct patterns patterns;
    struct tiles tiles;
    struct searcher *searcher;
    pdb_error error;
    struct search_options options = {.threads = threads};
    must(catalog_load(name, &puzzle, &error), &error);
    if (!tiles_make((const struct slide *)puzzle, &tiles))
        exit(EXIT_FAILURE);
    uint8_t *bytes = memory == 0 ? NULL : build(puzzle, memory, threads, &patterns);
    options.patterns = memory == 0 ? NULL : &patterns;
    options.pattern_bytes = bytes;
    const double making = now(CLOCK_MONOTONIC);
    must(search_create(puzzle, &options, &searcher, &error), &error);
    const double begin = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    uint64_t seed = 1, nodes = 0, length = 0;
    for (unsigned i = 0; i < boards; i++) {
        uint8_t position[BOARD_MAX_CELLS];
        struct search_answer answer;
        uint32_t expected = PDB_NO_DISTANCE;
        if (file != NULL) {
            if (!next_board(file, puzzle, position, &expected))
                boards = i;
            if (boards == i)
                break;
        } else if (moves > 0)
            scramble(&tiles, moves, &seed, position);
        else
            shuffle(&tiles, &seed, position);
        must(search_solve(searcher, position, PDB_NO_DISTANCE, NULL, NULL, &answer, &error), &error);
        if (expected != PDB_NO_DISTANCE && answer.distance != expected) {
            fprintf(stderr, "bench-search: board %u takes %u moves, not %u\n", i + 1, answer.distance, expected);
            exit(EXIT_FAILURE);
        }
        nodes += answer.nodes;
        length += answer.distance;
        free(answer.path);
    }
    const double seconds = now(CLOCK_MONOTONIC) - begin, used = now(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    printf("%s, %s, %u boards, %u threads | mean: %.2f moves, %.0f nodes, %.3f ms; %.1f M nodes/s, %.1f a core; made "
           "in %.1f ms\n",
           name, searcher->class->method(searcher), boards, threads, (double)length / boards, (double)nodes / boards,
           1e3 * seconds / boards, 1e-6 * (double)nodes / seconds, 1e-6 * (double)nodes / used, 1e3 * (begin - making));
    if (file != NULL)
        fclose(file);
    search_free(searcher);
    free(bytes);
    puzzle_free(puzzle);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "15-puzzle";
    const uint64_t memory = argc > 2 ? strtoull(argv[2], NULL, 10) << 20 : 0;
    const unsigned boards = argc > 3 ? (unsigned)strtoul(argv[3], NULL, 10) : 10,
                   threads = argc > 4 ? (unsigned)strtoul(argv[4], NULL, 10) : 1;
    measure(name, memory, boards, threads, argc > 5 ? argv[5] : "0");
    return EXIT_SUCCESS;
}
