/* model.h -- a sliding puzzle written down once, for the library and for the oracle
 *
 * A test says what the puzzle is in the simplest notation: cells separated by spaces, rows by slashes; `.` is empty,
 * `#` a wall, `*` open (in a goal). From it are made the definition that the library reads, and the oracle's puzzle;
 * and boards are translated from one to the other by what their cells are called. This module does its own reading of
 * that notation: it shares no code with the library.
 *
 * The oracle knows no names: pieces that are alike have one symbol there, that of the first in `alike`.
 */
#ifndef TESTS_FAMILIES_SLIDE_MODEL_H
#define TESTS_FAMILIES_SLIDE_MODEL_H

#include "oracle.h"
#include "tests/support/support.h"

enum { MODEL_PIECES = 16, MODEL_NAMES = 64, MODEL_CODE = 8 };

struct model_spec {
    const char *board; /* NULL where the goal shows every piece */
    const char *goal;
    const char *pieces[MODEL_PIECES]; /* those of several cells, as pictures with `.` where they have no cell */
    const char *alike[MODEL_PIECES];  /* first codes of interchangeable pieces, separated by spaces */
};

/* A piece by name. */
struct model_name {
    int kind;  /* of the oracle's puzzle */
    int count; /* on the board */
    int code[ORACLE_PIECE_CELLS];
};

struct model {
    struct model_spec spec;
    struct oracle_slide oracle;
    int codes;
    char code[MODEL_NAMES][MODEL_CODE];
    unsigned char byte[MODEL_NAMES]; /* the oracle's symbol for a code */
    int names;
    struct model_name name[MODEL_NAMES]; /* pieces of several cells as given, then the others as the board shows them */

    struct puzzle *puzzle;
    uint8_t symbol_of_code[MODEL_NAMES];
    int code_of_symbol[256]; /* -1: empty */
};

/* Makes both puzzles. The test fails where one of them is refused. */
void model_begin(struct model *model, const struct model_spec *spec);
void model_end(struct model *model);

/* How many cells the board has, walls among them. */
int model_cells(const struct model *model);

/* A position in the oracle's bytes. */
void model_to_oracle(const struct model *model, const uint8_t *position, unsigned char *board);
/* A board of the oracle as a position; pieces that are alike get names at random. */
void model_to_position(const struct model *model, const unsigned char *board, uint64_t *random, uint8_t *position);
/* Are pieces that are alike named in reading order? */
bool model_named_in_order(const struct model *model, const uint8_t *position);
/* A text in the notation above as the oracle's bytes. */
void model_board(const struct model *model, const char *text, unsigned char *board);

#endif
