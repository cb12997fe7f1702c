/* fuzz.c -- what the fuzz targets stand on */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void demand(bool held, const char *what)
{
    if (held)
        return;
    fprintf(stderr, "FINDING: %s\n", what);
    abort();
}

/* -- positions -- */

enum { MOVES_MAX = 512 }; /* of a state; where there may be more, only the first are looked at, and no successors */

static void check_text(const struct puzzle *puzzle, const uint8_t *position)
{
    static char text[BOARD_TEXT_MAX], again[BOARD_TEXT_MAX];
    uint8_t read[BOARD_MAX_CELLS];
    pdb_error error;
    board_format(&puzzle->board, position, text);
    demand(strlen(text) < sizeof text, "a board's text is too long");
    demand(puzzle_parse(puzzle, text, read, &error) == PDB_OK, "what was written is no board");
    demand(memcmp(read, position, puzzle->board.places) == 0, "what was written is read as another board");
    board_format(&puzzle->board, read, again);
    demand(strcmp(text, again) == 0, "a board is written in two ways");
}

/* False where the position has no number. */
static bool check_rank(const struct puzzle *puzzle, const uint8_t *position, uint64_t *index)
{
    uint8_t named[BOARD_MAX_CELLS];
    uint64_t again;
    pdb_error error;
    if (!puzzle->family->position.rank(puzzle, position, index))
        return false;
    demand(*index < puzzle->states, "an index is out of range");
    puzzle->family->position.unrank(puzzle, *index, named);
    demand(puzzle->family->position.check(puzzle, named, &error) == PDB_OK, "an index gives no proper position");
    demand(puzzle->family->position.rank(puzzle, named, &again) && again == *index, "rank does not undo unrank");
    return true;
}

static bool is_listed(const uint64_t *list, size_t count, uint64_t wanted)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == wanted)
            return true;
    return false;
}

static void check_bound(const struct puzzle *puzzle, uint64_t index, bool goal)
{
    uint16_t bound;
    if (puzzle->family->single.bounds == NULL)
        return;
    puzzle->family->single.bounds(puzzle, &index, 1, &bound);
    demand(!goal || bound == 0, "a goal has a bound above 0");
}

/* Moves out of a position: proper boards all, and among the successors of its index. */
static void check_moves(const struct puzzle *puzzle, const uint8_t *position, bool ranked, uint64_t index)
{
    pdb_moves moves = {0};
    pdb_error error;
    uint64_t *next = NULL, to;
    uint16_t count = 0;
    if (puzzle->family->position.moves(puzzle, position, &moves, &error) != PDB_OK) {
        demand(error.status == PDB_NO_MEMORY, "moves fail for a reason that they cannot have");
        return pdb_moves_free(&moves);
    }
    if (ranked && puzzle->max_moves <= MOVES_MAX) {
        next = calloc((size_t)puzzle->max_moves + 1, sizeof *next);
        demand(next != NULL, "no memory");
        puzzle->family->index.successors(puzzle, &index, 1, next, &count);
        demand(count <= puzzle->max_moves, "more successors than max_moves");
    }
    for (size_t i = 0; i < moves.count && i < MOVES_MAX; i++) {
        const uint8_t *after = moves.move[i].board.symbol;
        demand(puzzle->family->position.check(puzzle, after, &error) == PDB_OK, "a move leads to no proper board");
        demand(strnlen(moves.move[i].text, PDB_MOVE_TEXT_MAX) < PDB_MOVE_TEXT_MAX, "a move's text does not end");
        if (next != NULL && puzzle->family->position.rank(puzzle, after, &to))
            demand(is_listed(next, count, to), "a move is not among the successors");
        else
            demand(next == NULL || !puzzle->undoable, "a move leads out of the states");
    }
    for (uint16_t n = 0; n < count; n++)
        demand(next[n] < puzzle->states, "a successor is out of range");
    free(next);
    pdb_moves_free(&moves);
}

void exercise_position(const struct puzzle *puzzle, const uint8_t *position)
{
    uint64_t index = 0;
    char sketch[PDB_TEXT_MAX];
    const bool goal = puzzle->family->position.is_goal(puzzle, position);
    check_text(puzzle, position);
    if (puzzle->family->position.sketch(puzzle, position, sketch))
        demand(strnlen(sketch, sizeof sketch) < sizeof sketch, "a sketch does not end");
    const bool ranked = puzzle->states != 0 && check_rank(puzzle, position, &index);
    if (ranked)
        check_bound(puzzle, index, goal);
    check_moves(puzzle, position, ranked, index);
}

void exercise_text(const struct puzzle *puzzle, const char *text)
{
    uint8_t position[BOARD_MAX_CELLS];
    pdb_error error;
    if (puzzle_parse(puzzle, text, position, &error) == PDB_OK)
        exercise_position(puzzle, position);
    else
        demand(error.status == PDB_BAD_BOARD && error.message[0] != '\0', "a board is refused without words");
}

/* -- files -- */

static char scratch[200];

static void remove_scratch(void)
{
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", scratch);
    if (system(command) != 0)
        fprintf(stderr, "cannot remove %s\n", scratch);
}

const char *scratch_directory(void)
{
    const char *base = getenv("TMPDIR");
    if (scratch[0] != '\0')
        return scratch;
    snprintf(scratch, sizeof scratch, "%.150s/pdb-fuzz-XXXXXX", base != NULL ? base : "/dev/shm");
    demand(mkdtemp(scratch) != NULL, "no scratch directory can be made");
    atexit(remove_scratch);
    return scratch;
}

void scratch_path(const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", scratch_directory(), name);
}

void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    demand(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0, "a file cannot be written");
}
