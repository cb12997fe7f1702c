/* fuzz_board.c -- any text as a board of any sample, or as a question where it has none: the first byte picks the
 * sample, the rest is the text; behind the last number, as the rest of an alphametic's name */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES_MAX = 255 };

static struct items built[SAMPLES_MAX]; /* before the first input; those with moves stay empty */

int LLVMFuzzerInitialize(int *argument_count, char ***arguments);
int LLVMFuzzerInitialize(int *argument_count, char ***arguments)
{
    (void)argument_count;
    (void)arguments;
    for (size_t number = 0; number < SAMPLES_MAX; number++) {
        const pdb_puzzle *puzzle = sample_puzzle(number);
        if (puzzle != NULL && puzzle->items != NULL)
            demand(build_within(puzzle->items, 1 << 30, 1000, &built[number]) == PDB_OK, "a sample is too large");
    }
    return 0;
}

static void exercise_name(const char *text)
{
    char name[2100];
    pdb_puzzle *puzzle;
    pdb_error error = {.message = ""};
    snprintf(name, sizeof name, "alphametic%s", text);
    if (strchr(name, '/') != NULL || strchr(name, '.') != NULL) /* a file's */
        return;
    if (catalog_load(name, &puzzle, &error) != PDB_OK) {
        demand(error.message[0] != '\0', "a name is refused without words");
        return;
    }
    demand(strchr(puzzle->name, '/') == NULL && strlen(puzzle->name) <= PUZZLE_NAME_MAX, "no name for a file");
    exercise_text(puzzle->moves, "start");
    exercise_text(puzzle->moves, "A=1");
    catalog_free(puzzle);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const pdb_puzzle *puzzle = sample_puzzle(data[0]);
    char *text = malloc(size); /* of its very length, so that a read past the end is seen */
    demand(text != NULL, "no memory");
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    if (data[0] == SAMPLES_MAX)
        exercise_name(text);
    else if (puzzle != NULL && puzzle->items != NULL)
        exercise_question(puzzle->items, &built[data[0]], text);
    else if (puzzle != NULL)
        exercise_text(puzzle->moves, text);
    free(text);
    return 0;
}
