/* view.h -- how a game's board is drawn */
#ifndef QUERY_PLAY_VIEW_H
#define QUERY_PLAY_VIEW_H

#include "play.h"

#include <curses.h>

struct view {
    const struct play *play;
    bool coloured;
    WINDOW *pad;
    unsigned tall, wide; /* rows and columns of a cell */
    bool tiled;          /* pieces have grounds: not the glyphs of pegs and lamps, nor those of a sketch */
    bool bars;           /* some of them are bars, as wide as they are meant */
    bool framed;         /* and frames, and the board one around it */
    bool edge;           /* there is room around the board, for that or for the signs of exits */
};

static inline unsigned view_height(const struct view *view)
{
    return view->play->scene.rows * view->tall + 2 * view->edge;
}

static inline unsigned view_width(const struct view *view)
{
    return view->play->scene.columns * view->wide + 2 * view->edge;
}

/* -- edge.c -- */

void view_draw_border(const struct view *view);

/* The lines of frames around cells, over the edges of tiles or in the gaps between pieces. */
void view_draw_frames(const struct view *view);

/* At every exit the sign for it, in the border, or in the room for one. */
void view_draw_exits(const struct view *view);

#endif
