/* lines.h -- the words above and below the board of a game
 *
 *     the puzzle's name                          row 0
 *     the board           the list of moves      from row 2 on
 *     what symbols mean                          the last rows but three,
 *     how the game stands                        but two, ...
 *     what there is to say
 *     the keys
 */
#ifndef QUERY_PLAY_LINES_H
#define QUERY_PLAY_LINES_H

#include "screen.h"

/* What stands above and below the board, the last to go first. The message's place is the status's, too, when that has
 * none of its own; a legend stands in the blank line below the board. */
enum line { LINE_MESSAGE, LINE_STATUS, LINE_KEYS, LINE_TITLE, LINE_BLANK_ABOVE, LINE_BLANK_BELOW, LINES_MOST };

/* Is there room for a line? */
static inline bool lines_have(const struct play_screen *screen, enum line line)
{
    return line < screen->lines;
}

/* The rows above the board. */
static inline unsigned lines_above(const struct play_screen *screen)
{
    return lines_have(screen, LINE_TITLE) + lines_have(screen, LINE_BLANK_ABOVE);
}

/* Cuts a text off behind so many columns. */
void lines_cut(char *text, unsigned columns);

/* A text in a row from a column on, in so many columns; the rest of the row is cleared. */
void lines_put(int row, int column, unsigned columns, const char *text);

/* All lines that there is room for. */
void lines_draw(const struct play_screen *screen, const struct play *play);

/* What there is to say, in its row. */
void lines_say(const struct play_screen *screen, const char *text);

/* The keys and the legend, in place of the game. */
void lines_draw_help(const struct play_screen *screen, const struct play *play);

#endif
