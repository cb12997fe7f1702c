/* page.h -- what a sheet is, for the files that draw its pages: sheet.c and head.c */
#ifndef QUERY_SETS_PAGE_H
#define QUERY_SETS_PAGE_H

#include "sheet.h"
#include "lib/text.h"
#include "query/forms/svg/board.h"

enum {
    MARGIN = 60, /* of the page: 16 mm */
    GAP = 28     /* between cells */
};

/* How a text is set. */
struct style {
    int size, line; /* of the font, and from one line to the next */
    const char *attributes;
};

static const struct style title_style = {22, 28, " font-size=\"22\" font-weight=\"bold\""};
static const struct style words_style = {13, 18, " font-size=\"13\""};
static const struct style faint_style = {11, 15, " font-size=\"11\" fill=\"#59636e\""};

/* Cells of one size on a page. */
struct cells {
    unsigned across, down;
    int width, height;
    double scale; /* of the boards in them */
};

struct sheet {
    const struct asked *asked;
    const struct finding *findings;
    size_t count;
    const struct paper *paper;
    struct svg_grid *grid;
    bool slots;                                                    /* values are put into slots: solutions are boards */
    enum { GOAL_IN_WORDS, GOAL_WITH_OPEN_CELLS, GOAL_BOARD } goal; /* how it is shown; the last: it is one board: */
    pdb_board goal_board;
    char costs[TEXT_HEADING_MAX];    /* what moves cost, where they do not cost the same */
    int caption;                     /* height of what stands above a board */
    unsigned boards, small;          /* on a page of them, and on one of solutions that are drawn */
    struct cells cells, small_cells; /* on those pages */
    unsigned pages, board_pages;     /* all pages, and the first of them, those with boards */
};

static inline int page_room(const struct sheet *sheet)
{
    return sheet->paper->width - 2 * MARGIN;
}

/* -- sheet.c -- */

/* Writes a text, broken into lines of this width, and returns its height; only that where `svg` is NULL. */
int page_put_lines(struct svg *svg, const struct style *style, const char *text, int x, int y, int width);
void page_put_board(struct sheet *sheet, struct svg *svg, const pdb_board *board, int x, int y, double scale);

/* -- head.c: what stands above the boards of a page -- */

/* Finds out how the goal is shown, and what moves cost. */
void head_begin(struct sheet *sheet);
/* The title, what is to be done and what a move is, and what symbols mean; beside it the goal, where it is drawn.
 * Returns its height; only that where `svg` is NULL. */
int head_put(struct sheet *sheet, struct svg *svg, int top);

#endif
