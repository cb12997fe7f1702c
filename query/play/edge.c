/* edge.c -- what stands around the board of a game: its border, and the signs of exits */
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
