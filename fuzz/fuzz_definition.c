/* fuzz_definition.c -- any bytes as a definition: read, made into a puzzle, and that puzzle asked what is cheap */
#include "fuzz.h"

#include <string.h>

/* A goal without open cells is a board. */
static void exercise_goal(const struct pdb_puzzle *puzzle)
{
    uint8_t position[BOARD_MAX_CELLS];
    pdb_error error;
    char text[BOARD_TEXT_MAX];
    board_format(&puzzle->board, puzzle->goal, text);
    if (puzzle_parse(puzzle, "goal", position, &error) != PDB_OK)
        return;
    exercise_position(puzzle, position);
    demand(puzzle->family->is_goal(puzzle, position), "the goal is no goal");
}

/* Some numbers all over the range. Keys are none: any number is not one. */
static void exercise_indices(const struct pdb_puzzle *puzzle)
{
    uint8_t position[BOARD_MAX_CELLS];
    if (puzzle->states == 0 || puzzle->keyed)
        return;
    const uint64_t chosen[] = {0, puzzle->states / 3, puzzle->states / 2, puzzle->states - 1};
    for (size_t i = 0; i < sizeof chosen / sizeof chosen[0]; i++) {
        puzzle->family->unrank(puzzle, chosen[i], position);
        exercise_position(puzzle, position);
    }
}

static void exercise(const struct pdb_puzzle *puzzle)
{
    enum { BOARDS_MAX = 4 };
    if (puzzle->family->enumeration != NULL)
        return;
    exercise_goal(puzzle);
    exercise_indices(puzzle);
    for (size_t i = 0; i < puzzle->named_count && i < BOARDS_MAX; i++)
        exercise_position(puzzle, puzzle->named[i].position);
    exercise_text(puzzle, "start");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct definition *definition;
    struct pdb_puzzle *puzzle;
    pdb_error error = {.message = ""};
    pdb_status status = definition_parse("fuzz.yaml", (const char *)data, size, &definition, &error);
    if (status == PDB_OK) {
        status = puzzle_create(definition, &puzzle, &error);
        definition_free(definition);
        if (status == PDB_OK) {
            exercise(puzzle);
            puzzle_free(puzzle);
            return 0;
        }
    }
    demand(strstr(error.message, "fuzz.yaml") != NULL, "a complaint does not name the file");
    demand(status == PDB_BAD_DEFINITION || status == PDB_TOO_LARGE, "a definition is refused for a strange reason");
    return 0;
}
