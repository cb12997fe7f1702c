/* draw.h -- boards as pictures in a terminal */
#ifndef QUERY_DRAW_H
#define QUERY_DRAW_H

#include "query/forms/drawing.h"

#include <stdio.h>

/* From now on each cell is drawn with what moves call it. False where they call none by a name. */
bool draw_numbers(struct drawing *drawing);

/* From now on bars are as wide as they are meant, if boards with such cells fit into drawing->width. */
void draw_bars(struct drawing *drawing);

/* One board, and beside it what moves call its cells, where they do and that is not in the cells; each line after
 * `indent` spaces. */
void draw_board(const struct drawing *drawing, const pdb_board *board, unsigned indent, FILE *out);

/* What symbols mean, where the definition says it and drawing->legend asks for it: in one line, or as many as it takes.
 * `before` is put before the first. */
void draw_legend(const struct drawing *drawing, const char *before, unsigned indent, FILE *out);

/* Has the board an exit anywhere? */
bool draw_has_exits(const struct drawing *drawing);

/* Lamps (draw_has_lamps) shine on a dark ground, and so do those that are off: in these of xterm's colours. */
enum { LAMP_GROUND = 236, LAMP_GROUND_MARKED = 240, LAMP_OFF = 245 };

/* Many boards side by side, as many in a row as the terminal takes. */
void draw_boards(const struct drawing *drawing, const struct captioned *boards, size_t count, FILE *out);

/* Texts in columns, row by row, as many in a row as the terminal takes; rows after the first are indented. */
void draw_columns(const struct drawing *drawing, char *const *texts, size_t count, unsigned indent, FILE *out);

/* What makes text look so from there on; "" where there are no colours. */
enum look { LOOK_PLAIN, LOOK_BOLD, LOOK_LOW_BAR, LOOK_HIGH_BAR };
const char *draw_look(const struct drawing *drawing, enum look look);

#endif
