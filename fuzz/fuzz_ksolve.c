/* fuzz_ksolve.c -- any bytes as a definition in the format of KSolve and twsearch, and behind a NUL as moves: what can
 * be read makes a puzzle, and moves a board that is read again as it was written */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text behind the definition as a board, which is typed by moves as a rule. */
static void type_board(const struct puzzle *puzzle, const char *text)
{
    uint8_t position[BOARD_MAX_CELLS];
    char inverse[PDB_MOVE_TEXT_MAX];
    pdb_moves moves = {0};
    pdb_error error = {.message = ""};
    if (puzzle_parse(puzzle, text, position, &error) != PDB_OK) {
        demand(*error.message != '\0', "a refusal without a reason");
        return;
    }
    exercise_position(puzzle, position);
    if (puzzle->family->position.inverse == NULL ||
        puzzle->family->position.moves(puzzle, position, &moves, &error) != PDB_OK)
        return;
    for (size_t i = 0; i < moves.count; i++) /* names with what parts moves in them may be read as others */
        if (strpbrk(moves.move[i].text, ",:()[]") == NULL &&
            puzzle->family->position.inverse(puzzle, moves.move[i].text, inverse)) {
            char both[2 * PDB_MOVE_TEXT_MAX + 8];
            uint8_t back[BOARD_MAX_CELLS];
            snprintf(both, sizeof both, "%s, %s", moves.move[i].text, inverse);
            if (puzzle_parse(puzzle, both, back, &error) == PDB_OK)
                demand(memcmp(back, puzzle->goal, puzzle->board.places) == 0, "a move and its inverse do something");
        }
    pdb_moves_free(&moves);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct definition *definition;
    pdb_puzzle *puzzle = NULL;
    pdb_error error = {.message = ""};
    char *text = malloc(size + 1);
    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    const size_t length = strlen(text);
    pdb_status status = definition_parse_ksolve("fuzz.tws", text, length, &definition, &error);
    if (status == PDB_OK) {
        status = catalog_create(definition, &puzzle, &error);
        definition_free(definition);
    }
    if (status == PDB_OK) {
        type_board(puzzle->moves, length < size ? text + length + 1 : "goal");
        catalog_free(puzzle);
    } else {
        demand(strstr(error.message, "fuzz.tws") != NULL, "a complaint does not name the file");
    }
    free(text);
    return 0;
}
