/* fuzz_board.c -- any text as a board of any built-in puzzle: the first byte picks the puzzle, the rest is the text */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const struct pdb_puzzle *puzzle = sample_puzzle(data[0]);
    if (puzzle == NULL || puzzle->family->enumeration != NULL)
        return 0;
    char *text = malloc(size); /* of its very length, so that a read past the end is seen */
    demand(text != NULL, "no memory");
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    exercise_text(puzzle, text);
    free(text);
    return 0;
}
