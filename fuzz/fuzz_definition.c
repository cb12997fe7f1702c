/* fuzz_definition.c -- any bytes as a definition: read, made into a puzzle, and that puzzle asked what is cheap */
#include "fuzz.h"
#include "lib/search/board/search.h"

#include <stdlib.h>
#include <string.h>

/* A goal without open cells is a board. */
static void exercise_goal(const struct puzzle *puzzle)
{
    uint8_t position[BOARD_MAX_CELLS];
    pdb_error error;
    char text[BOARD_TEXT_MAX];
    board_format(&puzzle->board, puzzle->goal, text);
    if (puzzle_parse(puzzle, "goal", position, &error) != PDB_OK)
        return;
    exercise_position(puzzle, position);
    demand(puzzle->family->position.is_goal(puzzle, position), "the goal is no goal");
}

/* Some numbers all over the range. Keys are none: any number is not one. */
static void exercise_indices(const struct puzzle *puzzle)
{
    uint8_t position[BOARD_MAX_CELLS];
    if (puzzle->states == 0 || puzzle->keyed)
        return;
    const uint64_t chosen[] = {0, puzzle->states / 3, puzzle->states / 2, puzzle->states - 1};
    for (size_t i = 0; i < sizeof chosen / sizeof chosen[0]; i++) {
        puzzle->family->position.unrank(puzzle, chosen[i], position);
        exercise_position(puzzle, position);
    }
}

/* Where values are put into slots, a search is cheap, or else soon stopped: a solution takes as many moves as there are
 * empty slots. */
static bool go_on(void *context, const struct search_progress *progress)
{
    (void)context;
    return progress->nodes < 3000;
}

static void exercise_search(const struct puzzle *puzzle)
{
    const struct search_options options = {.threads = 1};
    struct searcher *searcher;
    struct search_answer answer;
    uint8_t position[BOARD_MAX_CELLS];
    pdb_error error;
    unsigned __int128 count = 0;
    if (!puzzle->unordered || puzzle_parse(puzzle, "start", position, &error) != PDB_OK)
        return;
    demand(search_create(puzzle, &options, &searcher, &error) == PDB_OK, "no searcher can be made");
    pdb_status status = search_solve(searcher, position, PDB_NO_DISTANCE, go_on, NULL, &answer, &error);
    demand(status == PDB_OK || status == PDB_INTERRUPTED, "a search fails");
    if (status == PDB_OK && searcher->class->count != NULL && answer.distance != PDB_NO_DISTANCE) {
        status = searcher->class->count(searcher, position, answer.distance, go_on, NULL, &count, &error);
        demand(status != PDB_OK || count > 0, "a solution is not counted");
    }
    free(answer.path);
    search_free(searcher);
}

/* Built if that is quick; then parts of the definition are questions as well as any. */
static void exercise_listed(const struct items_puzzle *puzzle, const uint8_t *data, size_t size)
{
    enum { QUESTION_MAX = 60 };
    struct items made = {0};
    char question[QUESTION_MAX + 1] = "";
    const size_t length = size < QUESTION_MAX ? size : QUESTION_MAX;
    if (build_within(puzzle, 32 << 20, 0.2, &made) == PDB_OK) {
        exercise_items(puzzle, &made);
        exercise_question(puzzle, &made, "start");
        memcpy(question, data + size - length, length); /* its end: a comment may stand there */
        exercise_question(puzzle, &made, question + length - (length < 8 ? length : 8));
        exercise_question(puzzle, &made, question);
    }
    items_free(&made);
}

static void exercise(const struct puzzle *puzzle)
{
    enum { BOARDS_MAX = 4 };
    exercise_goal(puzzle);
    exercise_indices(puzzle);
    for (size_t i = 0; i < puzzle->named_count && i < BOARDS_MAX; i++)
        exercise_position(puzzle, puzzle->named[i].position);
    exercise_text(puzzle, "start");
    exercise_search(puzzle);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct definition *definition;
    pdb_puzzle *puzzle;
    pdb_error error = {.message = ""};
    pdb_status status = definition_parse("fuzz.yaml", (const char *)data, size, &definition, &error);
    if (status == PDB_OK) {
        status = catalog_create(definition, &puzzle, &error);
        definition_free(definition);
        if (status == PDB_OK) {
            if (puzzle->items != NULL)
                exercise_listed(puzzle->items, data, size);
            else
                exercise(puzzle->moves);
            catalog_free(puzzle);
            return 0;
        }
    }
    demand(strstr(error.message, "fuzz.yaml") != NULL, "a complaint does not name the file");
    demand(status == PDB_BAD_DEFINITION || status == PDB_TOO_LARGE, "a definition is refused for a strange reason");
    return 0;
}
