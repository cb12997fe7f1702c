/* lines.c -- the words above and below the board of a game, and its help */
#include "lines.h"
#include "query/draw.h"
#include "lib/text.h"

#include <curses.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HELP_MARGIN = 2 };

void lines_cut(char *text, unsigned columns)
{
    char *end = text;
    while (*end != '\0') {
        char *next = end + utf8_length(end);
        const char kept = *next;
        *next = '\0';
        const unsigned taken = text_columns(end);
        *next = kept;
        if (taken > columns)
            break;
        columns -= taken;
        end = next;
    }
    *end = '\0';
}

void lines_put(int row, int column, unsigned columns, const char *text)
{
    char copy[2 * PLAY_TEXT_MAX];
    snprintf(copy, sizeof copy, "%s", text);
    lines_cut(copy, columns);
    mvaddstr(row, column, copy);
    if (text_columns(copy) < columns)
        clrtoeol();
}

static void draw_title(const struct play_screen *screen, const struct play *play)
{
    char title[PLAY_TEXT_MAX];
    snprintf(title, sizeof title, "%.60s: %.150s", pdb_puzzle_name(play->puzzle), pdb_puzzle_title(play->puzzle));
    attr_set(A_BOLD, 0, NULL);
    lines_put(0, 0, screen->columns, title);
    attr_set(0, 0, NULL);
}

/* What symbols mean, in lines of so many columns, each with its line end; NULL where there is no memory. */
static char *legend_text(const struct play *play, unsigned columns)
{
    struct drawing drawing = play->drawing;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL)
        return NULL;
    drawing.legend = true;
    drawing.width = columns;
    draw_legend(&drawing, "", 0, out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

void lines_draw_help(const struct play_screen *screen, const struct play *play)
{
    const unsigned columns = screen->columns - HELP_MARGIN;
    char *legend = legend_text(play, columns);
    unsigned count = 0, row = 0;
    while (play_help[count] != NULL)
        count++;
    for (const char *c = legend; c != NULL && *c != '\0'; c++)
        count += *c == '\n';
    if (count + (legend != NULL && *legend != '\0') + 3 <= screen->rows) {
        draw_title(screen, play);
        row = 2;
    }
    for (unsigned i = 0; play_help[i] != NULL && row + 1 < screen->rows; i++)
        lines_put((int)row++, HELP_MARGIN, columns, play_help[i]);
    row++;
    char *rest = legend;
    for (char *line; row + 1 < screen->rows && (line = strsep(&rest, "\n")) != NULL;)
        lines_put((int)row++, HELP_MARGIN, columns, line);
    lines_put((int)screen->rows - 1, 0, screen->columns,
              rest != NULL && *rest != '\0' ? "any key goes back (a higher window has more of the legend)"
                                            : "any key goes back");
    free(legend);
}

/* The status is above it. */
static int message_row(const struct play_screen *screen)
{
    return (int)screen->rows - 1 - lines_have(screen, LINE_KEYS);
}

void lines_say(const struct play_screen *screen, const char *text)
{
    lines_put(message_row(screen), 0, screen->columns, text);
}

/* What cells do not show of the board, and as much of the legend as the row has room for. */
static void draw_below(const struct play_screen *screen, const struct play *play, int row)
{
    static const char gap[] = "   ", more[] = " ...";
    char hidden[PDB_TEXT_MAX];
    pdb_board_hidden(play->puzzle, &play->step[play->at].board, hidden);
    const unsigned taken = *hidden != '\0' ? text_columns(hidden) + (unsigned)strlen(gap) : 0;
    const unsigned besides = taken + (unsigned)strlen(more);
    const unsigned room = besides < screen->columns ? screen->columns - besides : 0;
    char *legend = legend_text(play, room), *rest = legend, *line = strsep(&rest, "\n");
    if (*hidden != '\0')
        lines_put(row, 0, screen->columns, hidden);
    if (line != NULL && room > 0)
        lines_put(row, (int)taken, room, line);
    if (rest != NULL && *rest != '\0' && room > 0)
        addstr(more);
    free(legend);
}

void lines_draw(const struct play_screen *screen, const struct play *play)
{
    char message[PLAY_TEXT_MAX], status[PLAY_TEXT_MAX];
    play_message(play, message);
    play_status(play, status);
    lines_say(screen, message);
    attr_set(play->solved ? A_BOLD : 0, 0, NULL);
    if (lines_have(screen, LINE_STATUS) || message[0] == '\0')
        lines_put(message_row(screen) - lines_have(screen, LINE_STATUS), 0, screen->columns, status);
    if (lines_have(screen, LINE_BLANK_BELOW))
        draw_below(screen, play, message_row(screen) - 2);
    attr_set(A_DIM, 0, NULL);
    if (lines_have(screen, LINE_KEYS))
        lines_put((int)screen->rows - 1, 0, screen->columns,
                  "? help  q quit  u undo  n new  H hint  d distances  b best moves  s solution");
    attr_set(0, 0, NULL);
    if (lines_have(screen, LINE_TITLE))
        draw_title(screen, play);
}
