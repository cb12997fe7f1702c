/* draw.c -- a game as it is drawn on the terminal: the board, and the list of moves beside it, between the lines of
 * words (lines.h)
 *
 * The board is drawn as large as there is room: pieces as framed tiles, or a glyph a cell. In a low window lines go
 * before the board is cut; what does not fit even so is scrolled to where the cursor is.
 */
#include "lines.h"
#include "screen.h"
#include "view.h"
#include "query/draw.h"
#include "lib/board.h"
#include "lib/text.h"

#include <curses.h>
#include <stdio.h>
#include <string.h>

enum { MARGIN = 2, GAP = 3, LIST_LEAST = 16, LIST_BEST = 26, ROWS_LEAST = 4, COLUMNS_LEAST = 20 };

/* -- room -- */

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static bool is_too_small(const struct play_screen *screen)
{
    return screen->rows < ROWS_LEAST || screen->columns < COLUMNS_LEAST;
}

/* -- one cell -- */

/* Does a piece go on from a cell, so many rows and columns further? */
static bool goes_on(const struct scene *scene, uint32_t cell, int down, int right)
{
    const int row = (int)(cell / scene->columns) + down, column = (int)(cell % scene->columns) + right;
    if (row < 0 || row >= (int)scene->rows || column < 0 || column >= (int)scene->columns)
        return false;
    return scene->piece[cell] != PDB_NO_PIECE &&
           scene->piece[(unsigned)row * scene->columns + (unsigned)column] == scene->piece[cell];
}

/* A corner of a cell: a frame's, a side's that goes on, or the inner one of a piece that goes around it. */
static const char *corner(const struct scene *scene, uint32_t cell, int down, int right, bool ascii)
{
    static const char *const outer[] = {"┌", "┐", "└", "┘"}, *const inner[] = {"┘", "└", "┐", "┌"};
    const bool vertical = goes_on(scene, cell, down, 0), horizontal = goes_on(scene, cell, 0, right);
    const int which = 2 * (down > 0) + (right > 0);
    if (!vertical && !horizontal)
        return ascii ? "+" : outer[which];
    if (!vertical)
        return ascii ? "-" : "─";
    if (!horizontal)
        return ascii ? "|" : "│";
    if (goes_on(scene, cell, down, right))
        return " ";
    return ascii ? "+" : inner[which];
}

static void draw_frame(const struct view *view, uint32_t cell, int y, int x)
{
    const struct scene *scene = &view->play->scene;
    const bool ascii = view->play->drawing.ascii;
    const int bottom = (int)view->tall - 1, right = (int)view->wide - 1;
    for (int row = 0; row <= bottom; row++)
        for (int column = 0; column <= right; column++) {
            const int down = row == 0 ? -1 : row == bottom, across = column == 0 ? -1 : column == right;
            const char *text = " ";
            if (down != 0 && across != 0)
                text = corner(scene, cell, down, across, ascii);
            else if (down != 0 && !goes_on(scene, cell, down, 0))
                text = ascii ? "-" : "─";
            else if (across != 0 && !goes_on(scene, cell, 0, across))
                text = ascii ? "|" : "│";
            mvwaddstr(view->pad, y + row, x + column, text);
        }
}

/* A bar in the middle of its cell, as wide as it is meant. */
static void draw_bar(const struct view *view, int symbol, int y, int x)
{
    const int width = 2 * (int)pdb_symbol_bar(view->play->puzzle, symbol) + 1;
    for (int column = 0; column < width; column++)
        mvwaddstr(view->pad, y, x + ((int)view->wide - 1 - width) / 2 + column,
                  view->coloured ? " " : board_bar_end(view->play->drawing.ascii));
}

/* A piece without a frame: a gap is left where it ends, if cells are large enough for that. */
static void draw_ground(const struct view *view, uint32_t cell, int y, int x)
{
    const struct scene *scene = &view->play->scene;
    const int rows = (int)view->tall - (view->tall > 1 && !goes_on(scene, cell, 1, 0)),
              columns = (int)view->wide - (view->wide > 2 && !goes_on(scene, cell, 0, 1));
    for (int row = 0; row < rows; row++)
        mvwprintw(view->pad, y + row, x, "%*s", columns, "");
}

/* The pair of colours for a cell with this text: those of a lamp, or of a piece; 0 for none. */
static int cell_pair(const struct view *view, int symbol, const char *text, bool *lamp)
{
    const struct drawing *drawing = &view->play->drawing;
    const uint32_t colour = view->coloured ? palette_colour(&drawing->palette, symbol) : PALETTE_NONE;
    *lamp = view->coloured && draw_has_lamps(drawing) && draw_is_round(text);
    if (*lamp)
        return alloc_pair(pdb_symbol_kind(drawing->puzzle, symbol) >= 0 ? (int)palette_xterm(colour) : LAMP_OFF,
                          LAMP_GROUND);
    if (!view->tiled || colour == PALETTE_NONE)
        return 0;
    return alloc_pair((int)palette_xterm(palette_ink(colour)), (int)palette_xterm(colour));
}

static void draw_cell(const struct view *view, uint32_t cell)
{
    const struct play *play = view->play;
    const struct scene *scene = &play->scene;
    const unsigned margin = view->edge;
    const int y = (int)(cell / scene->columns * view->tall + margin),
              x = (int)(cell % scene->columns * view->wide + margin);
    const bool empty = scene->piece[cell] == PDB_NO_PIECE && !scene->sketched, aim = play_aims_at(play, cell);
    char text[16];
    scene_text(scene, scene->value[cell], play->drawing.ascii, text);
    const bool mark = draw_is_mark(&play->drawing, (int)scene->value[cell] - 1) && !scene->sketched;
    if (aim || (view->framed && empty && !mark && scene->value[cell] != 0)) /* a gap between tiles needs no name */
        strcpy(text, aim ? "+" : play->drawing.ascii ? "." : "·");
    const int room = (int)view->wide - (view->tiled && !view->framed) - (int)text_columns(text),
              middle = y + ((int)view->tall - 1) / 2, centre = x + (room > 0 ? room / 2 : 0);
    attr_t attributes = (empty && !aim ? A_DIM : 0) |
                        (play_holds(play, cell) || play_hints_at(play, cell) ? A_REVERSE : 0);
    attributes |= aim ? A_BOLD : 0;
    const int symbol = pdb_puzzle_net(play->puzzle) != PDB_NO_NET
                           ? draw_ground_symbol(play->puzzle, &play->step[play->at].board, cell / scene->columns,
                                                cell % scene->columns)
                           : (int)scene->value[cell] - 1;
    bool lamp;
    int pair = cell_pair(view, symbol, text, &lamp);
    wattr_set(view->pad, lamp ? attributes & ~(attr_t)A_DIM : attributes, 0, &pair);
    if (view->framed && !empty)
        draw_frame(view, cell, y, x);
    else if (view->bars && pdb_symbol_bar(play->puzzle, symbol) > 0)
        draw_bar(view, symbol, y, x);
    else if (lamp || (view->tiled && (!empty || pair != 0)))
        draw_ground(view, cell, y, x);
    if (cell == play->cursor && view->wide < 3)
        wattron(view->pad, A_REVERSE);
    mvwaddstr(view->pad, middle, centre, text);
    if (cell == play->cursor && view->wide >= 3) {
        wattron(view->pad, A_BOLD);
        mvwaddstr(view->pad, middle, centre - 1, "[");
        mvwaddstr(view->pad, middle, centre + (int)text_columns(text), "]");
    }
    wattr_set(view->pad, 0, 0, NULL);
}

/* -- the board -- */

/* The largest way to draw the board that leaves room for all lines and a list, else the smallest. Only where cells are
 * of one row, lines may go. */
static void choose_view(struct view *view, const struct play_screen *screen)
{
    const struct drawing *drawing = &view->play->drawing;
    const unsigned bar = 2 * pdb_puzzle_bars(view->play->puzzle) + 1;
    const bool bars = bar > 1 && (bar + 1) * view->play->scene.columns + MARGIN + GAP + LIST_LEAST <= screen->columns;
    const bool has_signs = draw_has_exits(drawing) || pdb_puzzle_frame(drawing->puzzle, 0, &(pdb_frame){0});
    const unsigned cell = bars ? bar : drawing->cell, spare = cell > 2 || cell % 2 != 0 ? 0 : 1;
    const struct {
        unsigned tall, wide;
        bool framed;
    } ways[] = {
        {3, cell + 4 + spare, true}, {3, cell + 3, true}, {2, 2 * cell, false}, {1, cell + 1, false}, {1, cell, false}};
    view->tiled = !view->play->scene.sketched && pdb_puzzle_symbols(view->play->puzzle) > 2;
    view->bars = bars && view->tiled;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        view->tall = view->play->scene.sketched ? 1 : ways[i].tall;
        view->wide = view->play->scene.sketched ? 1 : ways[i].wide;
        view->framed = ways[i].framed && view->tiled && !view->bars;
        view->edge = true;
        view->edge = view->framed || (has_signs && view_height(view) < screen->rows);
        if (view->framed == ways[i].framed && (!view->bars || ways[i].wide == bar + 1) &&
            (view->tall == 1 || view_height(view) + LINES_MOST <= screen->rows) &&
            MARGIN + view_width(view) + GAP + LIST_BEST <= screen->columns)
            return;
    }
}

/* By how much a board of `size` is moved so that what is between `begin` and `end` is seen through `window`. */
static unsigned scroll_to(unsigned begin, unsigned end, unsigned size, unsigned window)
{
    if (size <= window)
        return 0;
    const unsigned middle = (begin + end) / 2, most = size - window;
    const unsigned by = middle > window / 2 ? middle - window / 2 : 0;
    return by < most ? by : most;
}

/* Shows the part of the board that there is room for. */
static void place_board(struct play_screen *screen, const struct view *view)
{
    const struct play *play = view->play;
    const unsigned row = play->cursor == SCENE_NO_CELL ? 0 : play->cursor / play->scene.columns,
                   column = play->cursor == SCENE_NO_CELL ? 0 : play->cursor % play->scene.columns;
    screen->board_row = lines_above(screen);
    screen->board_rows = least(view_height(view), screen->rows - screen->lines);
    screen->board_columns = least(view_width(view), screen->columns);
    screen->board_column = least(MARGIN, screen->columns - screen->board_columns);
    screen->board_down = scroll_to(row * view->tall, (row + 1) * view->tall, view_height(view), screen->board_rows);
    screen->board_right = scroll_to(column * view->wide, (column + 1) * view->wide, view_width(view),
                                    screen->board_columns);
    screen->cell_rows = view->tall;
    screen->cell_columns = view->wide;
    screen->margin = view->edge;
    pnoutrefresh(view->pad, (int)screen->board_down, (int)screen->board_right, (int)screen->board_row,
                 (int)screen->board_column, (int)(screen->board_row + screen->board_rows) - 1,
                 (int)(screen->board_column + screen->board_columns) - 1);
}

/* -- the list -- */

/* The first of the listed moves to be drawn, so that what is pointed at is among them. */
static size_t first_listed(const struct play *play, unsigned rows)
{
    size_t before = 0, first = 0;
    for (size_t m = 0; m < play->moves.count; m++) {
        if (!play_lists(play, m))
            continue;
        if (play_offers(play, m))
            break;
        before++;
    }
    if (before == 0 || before < rows)
        return 0;
    size_t listed = 0;
    for (size_t m = 0; m < play->moves.count; m++)
        listed += play_lists(play, m);
    size_t skipped = before == listed ? 0 : before - rows / 2;
    skipped = skipped + rows > listed ? listed - rows : skipped;
    for (; skipped > 0; first++)
        skipped -= play_lists(play, first);
    return first;
}

/* A line of the list; `width_of_words` is that of the longest move. */
static void draw_list_move(const struct play_screen *screen, const struct play *play, size_t m, unsigned width_of_words,
                           unsigned row)
{
    const pdb_move *listed = &play->moves.move[m];
    const unsigned columns = screen->columns - screen->list_column;
    const bool offered = play_offers(play, m), weighed = play->show_distance && play->weighed;
    char words[DRAWN_MOVE_MAX], number[24] = "", distance[24] = "", line[2 * DRAWN_MOVE_MAX + 48];
    draw_move_text(&play->drawing, listed, words);
    if (!pdb_puzzle_unordered(play->puzzle))
        snprintf(number, sizeof number, "%2zu) ", m + 1);
    if (weighed && listed->distance == PDB_NO_DISTANCE)
        snprintf(distance, sizeof distance, "   -");
    else if (weighed)
        snprintf(distance, sizeof distance, "%4u", listed->distance);
    const unsigned around = 2 + (unsigned)strlen(number) + (unsigned)strlen(distance);
    const unsigned room = columns > around ? columns - around : 1; /* distances are seen, words may be cut */
    lines_cut(words, room);
    const char *mark = play->show_best && play_is_best(play, m) ? "*" : offered ? ">" : " ";
    snprintf(line, sizeof line, "%s %s%s%*s%s", mark, number, words,
             (int)(least(width_of_words, room) - text_columns(words)), "", distance);
    attr_set((offered ? A_BOLD : 0) | (m == play->chosen ? A_REVERSE : 0), 0, NULL);
    lines_put((int)(screen->list_row + row), (int)screen->list_column, columns, line);
    attr_set(0, 0, NULL);
}

/* The list beside the board, or nothing where there is no room for one. */
static void draw_list(struct play_screen *screen, const struct play *play, unsigned column)
{
    unsigned width_of_words = 0, row = 0;
    char words[DRAWN_MOVE_MAX];
    screen->list_row = lines_above(screen);
    screen->list_column = column;
    screen->list_rows = screen->columns > column + LIST_LEAST ? screen->rows - screen->lines : 0;
    screen->list_first = first_listed(play, screen->list_rows);
    for (size_t m = 0; m < play->moves.count; m++) {
        draw_move_text(&play->drawing, &play->moves.move[m], words);
        if (width_of_words < text_columns(words))
            width_of_words = text_columns(words);
    }
    for (size_t m = screen->list_first; m < play->moves.count && row < screen->list_rows; m++)
        if (play_lists(play, m))
            draw_list_move(screen, play, m, width_of_words, row++);
}

/* -- the whole -- */

static void draw_game(struct play_screen *screen, const struct play *play)
{
    struct view view = {.play = play, .coloured = screen->coloured};
    choose_view(&view, screen);
    screen->lines = screen->rows > view_height(&view) ? least(screen->rows - view_height(&view), LINES_MOST) : 1;
    lines_draw(screen, play);
    draw_list(screen, play, MARGIN + view_width(&view) + GAP);
    wnoutrefresh(stdscr);
    view.pad = newpad((int)view_height(&view), (int)view_width(&view));
    if (view.pad == NULL)
        return; /* no memory: the list will do */
    if (view.framed)
        view_draw_border(&view);
    if (view.edge)
        view_draw_exits(&view);
    for (uint32_t cell = 0; cell < play->scene.rows * play->scene.columns; cell++)
        draw_cell(&view, cell);
    view_draw_frames(&view);
    place_board(screen, &view);
    delwin(view.pad);
}

void play_draw_search(const struct play_screen *screen)
{
    char text[PLAY_TEXT_MAX], number[NUMBER_TEXT_MAX];
    const char *boards = number_text(screen->nodes, number);
    if (is_too_small(screen))
        return;
    if (screen->nodes == 0)
        snprintf(text, sizeof text, "searching... (any key stops it)");
    else if (screen->bound == 0)
        snprintf(text, sizeof text, "searching... %s boards looked at (any key stops it)", boards);
    else
        snprintf(text, sizeof text,
                 pdb_puzzle_max_cost(screen->play->puzzle) > 1
                     ? "searching... no solution costs less than %u, %s boards looked at (any key stops it)"
                     : "searching... no solution under %u moves, %s boards looked at (any key stops it)",
                 screen->bound, boards);
    lines_say(screen, text);
    refresh();
}

void play_draw(struct play_screen *screen, const struct play *play)
{
    char text[PLAY_TEXT_MAX];
    erase();
    screen->list_rows = screen->board_rows = 0;
    if (is_too_small(screen)) {
        snprintf(text, sizeof text, "%d x %d is needed", COLUMNS_LEAST, ROWS_LEAST);
        lines_put(0, 0, screen->columns, text);
        wnoutrefresh(stdscr);
    } else if (play->help) {
        lines_draw_help(screen, play);
        wnoutrefresh(stdscr);
    } else {
        draw_game(screen, play);
    }
    if (screen->searching)
        play_draw_search(screen);
    doupdate();
}

/* -- clicks -- */

uint32_t play_cell_at(const struct play_screen *screen, const struct play *play, int row, int column)
{
    const int down = row - (int)screen->board_row, right = column - (int)screen->board_column;
    if (down < 0 || right < 0 || down >= (int)screen->board_rows || right >= (int)screen->board_columns)
        return SCENE_NO_CELL;
    const unsigned y = (unsigned)down + screen->board_down, x = (unsigned)right + screen->board_right;
    if (y < screen->margin || x < screen->margin)
        return SCENE_NO_CELL;
    const unsigned cell_row = (y - screen->margin) / screen->cell_rows,
                   cell_column = (x - screen->margin) / screen->cell_columns;
    if (cell_row >= play->scene.rows || cell_column >= play->scene.columns)
        return SCENE_NO_CELL;
    return cell_row * play->scene.columns + cell_column;
}

size_t play_move_at(const struct play_screen *screen, const struct play *play, int row, int column)
{
    int left = row - (int)screen->list_row;
    if (left < 0 || left >= (int)screen->list_rows || column < (int)screen->list_column)
        return PLAY_NO_MOVE;
    for (size_t m = screen->list_first; m < play->moves.count; m++)
        if (play_lists(play, m) && left-- == 0)
            return m;
    return PLAY_NO_MOVE;
}
