/* edge.c -- what stands around the board of a game and its cells: a border, the signs of exits, frames */
#include "view.h"
#include "lib/board.h"

void view_draw_border(const struct view *view)
{
    const int bottom = (int)view_height(view) - 1, right = (int)view_width(view) - 1;
    const bool ascii = view->play->drawing.ascii;
    wattr_set(view->pad, A_DIM, 0, NULL);
    for (int column = 0; column <= right; column++) {
        mvwaddstr(view->pad, 0, column, ascii ? "-" : "─");
        mvwaddstr(view->pad, bottom, column, ascii ? "-" : "─");
    }
    for (int row = 0; row <= bottom; row++) {
        const bool end = row == 0 || row == bottom;
        mvwaddstr(view->pad, row, 0, ascii ? end ? "+" : "|" : row == 0 ? "╭" : end ? "╰" : "│");
        mvwaddstr(view->pad, row, right, ascii ? end ? "+" : "|" : row == 0 ? "╮" : end ? "╯" : "│");
    }
    wattr_set(view->pad, 0, 0, NULL);
}

void view_draw_exits(const struct view *view)
{
    const struct scene *scene = &view->play->scene;
    for (unsigned side = 0; side < PDB_SIDES; side++)
        for (unsigned at = 0; at < (side == PDB_LEFT || side == PDB_RIGHT ? scene->rows : scene->columns); at++) {
            const int along = (int)(at * (side == PDB_LEFT || side == PDB_RIGHT ? view->tall : view->wide)) + 1;
            if (!pdb_puzzle_exit(view->play->puzzle, (pdb_side)side, at))
                continue;
            const int bottom = (int)view_height(view) - 1, right = (int)view_width(view) - 1;
            const int row = side == PDB_TOP      ? 0
                            : side == PDB_BOTTOM ? bottom
                                                 : along + ((int)view->tall - 1) / 2,
                      column = side == PDB_LEFT    ? 0
                               : side == PDB_RIGHT ? right
                                                   : along + ((int)view->wide - 1) / 2;
            wattr_set(view->pad, A_BOLD, 0, NULL);
            mvwaddstr(view->pad, row, column, board_exit_sign((pdb_side)side, view->play->drawing.ascii));
            wattr_set(view->pad, 0, 0, NULL);
        }
}

/* How many columns the widest glyph takes. */
static unsigned widest_glyph(const struct drawing *drawing)
{
    unsigned widest = 0;
    for (int symbol = 0; symbol < (int)pdb_puzzle_symbols(drawing->puzzle); symbol++)
        widest = text_columns(draw_symbol(drawing, symbol)) > widest ? text_columns(draw_symbol(drawing, symbol))
                                                                     : widest;
    return widest;
}

/* A frame's lines; where cells are of one row, those on its sides. */
static void draw_frame(const struct view *view, int top, int left, int bottom, int right)
{
    const bool ascii = view->play->drawing.ascii, level = view->tall > 1;
    for (int column = left; level && column <= right; column++) {
        mvwaddstr(view->pad, top, column, ascii ? "#" : "═");
        mvwaddstr(view->pad, bottom, column, ascii ? "#" : "═");
    }
    for (int row = top; row <= bottom; row++) {
        const bool first = level && row == top, last = level && row == bottom;
        mvwaddstr(view->pad, row, left, ascii ? "#" : first ? "╔" : last ? "╚" : "║");
        mvwaddstr(view->pad, row, right, ascii ? "#" : first ? "╗" : last ? "╝" : "║");
    }
}

void view_draw_frames(const struct view *view)
{
    const struct drawing *drawing = &view->play->drawing;
    const int edge = view->edge, tall = (int)view->tall, wide = (int)view->wide, gap = !view->framed;
    pdb_frame frame;
    if (view->play->scene.sketched || !view->edge || view->wide <= widest_glyph(drawing))
        return; /* no room */
    wattr_set(view->pad, A_BOLD, 0, NULL);
    for (unsigned i = 0; pdb_puzzle_frame(drawing->puzzle, i, &frame); i++)
        draw_frame(view, edge + (int)frame.top * tall - (gap && tall > 1), edge + (int)frame.left * wide - gap,
                   edge + (int)(frame.bottom + 1) * tall - 1, edge + (int)(frame.right + 1) * wide - 1);
    wattr_set(view->pad, 0, 0, NULL);
}
