/* sheet.c -- the pages of a sheet: boards in a grid, each with its number, its distance and lines to write on; then
 * pages with the solutions
 *
 * Boards are as large as fits n of them on a page: of all grids with room for n the one is taken whose boards are
 * largest. They are drawn once, by svg/board.h, in one size, and scaled. What is left of a cell below its board has
 * lines to write on; where values are put into slots, solvers write into the board, and there are none.
 *
 * A solution is its moves in words, in two columns; where values are put into slots, it is the board at the end, drawn
 * small. Where the columns break is found out by a pass that writes nothing, as it is for other pictures.
 */
#include "page.h"
#include "lib/error.h"

#include <stdlib.h>
#include <string.h>

const struct paper papers[PAPER_SIZES] = {
    [PAPER_A4] = {"a4", 794, 1123, 595.276, 841.89},
    [PAPER_LETTER] = {"letter", 816, 1056, 612, 792},
};

enum {
    CAPTION = 26,     /* height of the line above a board */
    HIDDEN_LINES = 2, /* and these many below it, where pictures do not show all */
    LINE = 30,        /* from one line to write on to the next: 8 mm */
    LINES_LEAST = 2,  /* below each board */
    LINES_MOST = 10,  /* a solution is written in two or three */
    BOARD = 480,      /* boards are drawn in such a square, in cells of CELL at most, and scaled */
    CELL = 52,
    SOLUTIONS_SMALL = 12 /* boards on a page of solutions that are drawn, at least */
};

static const double largest_scale = 1.1; /* a cell is 15 mm wide then */

static const struct style number_style = {16, CAPTION, " font-size=\"16\" font-weight=\"bold\""};
static const struct style solution_style = {12, 16, " font-size=\"12\""};

/* Where the foot of the page begins. */
static int bottom(const struct sheet *sheet)
{
    return sheet->paper->height - MARGIN;
}

/* -- texts -- */

int page_put_lines(struct svg *svg, const struct style *style, const char *text, int x, int y, int width)
{
    char words[TEXT_HEADING_MAX];
    const int top = y;
    for (size_t length; (length = svg_line(text, style->size, width)) > 0; text += length, y += style->line) {
        const size_t blank = strspn(text, " ");
        snprintf(words, sizeof words, "%.*s", (int)(length - blank), text + blank);
        if (svg != NULL)
            svg_text(svg, x, y + style->size, SVG_START, style->attributes, words);
    }
    return y - top;
}

/* "25 moves"; where slots are filled, whether there is but one way to do it. */
static void write_distance(const struct sheet *sheet, const struct finding *finding, char text[TEXT_DISTANCE_MAX])
{
    const uint32_t distance = finding->solution.distance;
    *text = '\0';
    if (distance == PDB_NO_DISTANCE)
        snprintf(text, TEXT_DISTANCE_MAX, "no solution");
    else if (sheet->slots && strcmp(finding->count, "1") == 0)
        snprintf(text, TEXT_DISTANCE_MAX, "one solution");
    else if (!sheet->slots)
        text_length(sheet->asked, distance, text);
}

/* -- boards -- */

void page_put_board(struct sheet *sheet, struct svg *svg, const pdb_board *board, int x, int y, double scale)
{
    svg_group(svg, "transform=\"translate(%d %d) scale(%.3f)\"", x, y, scale);
    svg_board_draw(sheet->grid, svg, board, NULL, 0, 0);
    svg_group_end(svg);
}

/* The grid for n boards in which they are largest; below each of them so many units are left. */
static struct cells lay_cells(const struct sheet *sheet, unsigned n, int head, int left)
{
    struct cells best = {0};
    for (unsigned across = 1; across <= n; across++) {
        struct cells cells = {.across = across, .down = (n + across - 1) / across};
        const int height = bottom(sheet) - head - GAP;
        cells.width = (page_room(sheet) + GAP) / (int)cells.across - GAP;
        cells.height = (height + GAP) / (int)cells.down - GAP;
        cells.scale = (double)cells.width / sheet->grid->width;
        const double down = (double)(cells.height - sheet->caption - left) / sheet->grid->height;
        cells.scale = down < cells.scale ? down : cells.scale;
        cells.scale = cells.scale > largest_scale ? largest_scale : cells.scale;
        if (across == 1 || cells.scale > best.scale)
            best = cells;
    }
    best.scale = best.scale < 0.05 ? 0.05 : best.scale;
    return best;
}

static void put_writing_lines(const struct cells *cells, struct svg *svg, int x, int y, int end)
{
    svg_path_begin(svg);
    for (int line = 0; line < LINES_MOST && y + LINE <= end; line++)
        fprintf(svg->out, "M%d %dh%d", x, y += LINE, cells->width);
    svg_path_end(svg, " class=\"writing\" fill=\"none\" stroke=\"#b8c0c8\"");
}

/* Has any of the boards something that its picture does not show? */
static bool has_hidden(const struct sheet *sheet)
{
    char text[PDB_TEXT_MAX] = "";
    for (size_t i = 0; *text == '\0' && i < sheet->count; i++)
        pdb_board_hidden(sheet->asked->puzzle, &sheet->findings[i].board, text);
    return *text != '\0';
}

/* That, as far as it goes into the lines that there are for it. */
static void put_hidden(const struct sheet *sheet, struct svg *svg, const pdb_board *board, int x, int y)
{
    char text[PDB_TEXT_MAX];
    size_t length = 0;
    pdb_board_hidden(sheet->asked->puzzle, board, text);
    for (int line = 0; line < HIDDEN_LINES; line++)
        length += svg_line(text + length, faint_style.size, sheet->cells.width);
    text[length] = '\0';
    page_put_lines(svg, &faint_style, text, x, y, sheet->cells.width);
}

static const pdb_board *end_of(const struct finding *finding)
{
    return finding->solution.steps > 0 ? &finding->solution.path[finding->solution.steps - 1].board : &finding->board;
}

/* One cell: number, and distance, board and lines; or what the board ends in. */
static void put_cell(struct sheet *sheet, struct svg *svg, size_t i, bool solution, int x, int y)
{
    const struct cells *cells = solution ? &sheet->small_cells : &sheet->cells;
    const struct finding *finding = &sheet->findings[i];
    const pdb_board *board = solution ? end_of(finding) : &finding->board;
    char number[24], distance[TEXT_DISTANCE_MAX];
    snprintf(number, sizeof number, "%zu", i + 1);
    page_put_lines(svg, &number_style, number, x, y, cells->width);
    write_distance(sheet, finding, distance);
    if (!solution || finding->solution.distance == PDB_NO_DISTANCE)
        svg_text(svg, x + svg_text_width(number, number_style.size) + 10, y + number_style.size, SVG_START,
                 words_style.attributes, distance);
    if (!solution && sheet->caption > CAPTION)
        put_hidden(sheet, svg, board, x, y + number_style.line - 4);
    const int top = y + sheet->caption;
    page_put_board(sheet, svg, board, x, top, cells->scale);
    if (!solution && !sheet->slots)
        put_writing_lines(cells, svg, x, top + (int)(sheet->grid->height * cells->scale), y + cells->height);
}

/* A page of boards, number `page` of those of its sort. */
static void put_boards(struct sheet *sheet, struct svg *svg, unsigned page, bool solutions, int top)
{
    const struct cells *cells = solutions ? &sheet->small_cells : &sheet->cells;
    const size_t boards = solutions ? sheet->small : sheet->boards, first = page * boards;
    for (size_t i = first; i < sheet->count && i < first + boards; i++) {
        const size_t row = (i - first) / cells->across, column = (i - first) % cells->across;
        put_cell(sheet, svg, i, solutions, MARGIN + (int)column * (cells->width + GAP),
                 top + (int)row * (cells->height + GAP));
    }
}

/* -- solutions in words -- */

/* A blank at which no line is broken. */
#define TIE "\u00A0"

/* Lines are broken between moves, not inside of one that fits into a line. */
static void write_move(const char *move, int width, FILE *out)
{
    const bool fits = svg_text_width(move, solution_style.size) <= width;
    for (; *move != '\0'; move++)
        if (*move == ' ' && fits)
            fputs(TIE, out);
        else
            putc(*move, out);
}

/* Ties become blanks. */
static void untie(char *text)
{
    for (char *tie; (tie = strstr(text, TIE)) != NULL;) {
        *tie = ' ';
        memmove(tie + 1, tie + strlen(TIE), strlen(tie + strlen(TIE)) + 1);
    }
}

/* A text that may be as long as it takes, to be set in lines of this width. */
static void write_solution(const struct sheet *sheet, const struct finding *finding, int width, FILE *out)
{
    const bool costs = pdb_puzzle_max_cost(sheet->asked->puzzle) > 1;
    char distance[TEXT_DISTANCE_MAX], move[DRAWN_MOVE_MAX + 16];
    write_distance(sheet, finding, distance);
    fputs(distance, out);
    for (uint32_t i = 0; i < finding->solution.steps; i++) {
        draw_move_text(&sheet->asked->drawing, &finding->solution.path[i], move);
        if (costs)
            snprintf(move + strlen(move), 16, " (%u)", finding->solution.path[i].cost);
        fputs(i == 0 ? ": " : ", ", out);
        write_move(move, width, out);
    }
}

enum { COLUMNS = 2, NUMBER = 26, BETWEEN = 8 };

/* Where the next line of the solutions goes. */
struct column {
    unsigned number; /* COLUMNS to a page */
    int y, room, width;
};

static void next_line(struct column *column, int height)
{
    if (column->y > 0 && column->y + height > column->room) {
        column->number++;
        column->y = 0;
    }
}

/* One solution with its number: in one column, unless it is longer than that. */
static void put_solution(struct svg *svg, size_t i, const char *text, struct column *column, unsigned page, int top)
{
    const struct style *style = &solution_style;
    const int height = page_put_lines(NULL, style, text, 0, 0, column->width);
    char line[TEXT_HEADING_MAX];
    snprintf(line, sizeof line, "%zu", i + 1);
    next_line(column, height < column->room ? height : style->line);
    for (size_t length, done = 0; (length = svg_line(text + done, style->size, column->width)) > 0; done += length) {
        const size_t blank = strspn(text + done, " ");
        next_line(column, style->line);
        const int x = MARGIN + (int)(column->number % COLUMNS) * (column->width + NUMBER + GAP);
        const bool here = svg != NULL && column->number / COLUMNS == page;
        if (here && done == 0)
            svg_text(svg, x, top + column->y + style->size, SVG_START, " font-size=\"12\" font-weight=\"bold\"", line);
        snprintf(line, sizeof line, "%.*s", (int)(length - blank), text + done + blank);
        untie(line);
        if (here)
            svg_text(svg, x + NUMBER, top + column->y + style->size, SVG_START, style->attributes, line);
        column->y += style->line;
    }
    column->y += BETWEEN;
}

enum { WORDS_HEAD = 28 + GAP / 2 }; /* the title above solutions, and room below it */

/* The columns of all pages of solutions in words, so high; those of page number `page` are written where `svg` is not
 * NULL. Returns how many pages there are. */
static unsigned put_columns(const struct sheet *sheet, struct svg *svg, unsigned page, int top, int room)
{
    struct column column = {.room = room, .width = (page_room(sheet) - GAP) / COLUMNS - NUMBER};
    for (size_t i = 0; i < sheet->count; i++) {
        char *text = NULL;
        size_t length;
        FILE *words = open_memstream(&text, &length);
        if (words == NULL)
            continue;
        write_solution(sheet, &sheet->findings[i], column.width, words);
        if (fclose(words) == 0)
            put_solution(svg, i, text, &column, page, top + WORDS_HEAD);
        free(text);
    }
    return column.number / COLUMNS + 1;
}

/* The same as high as a page is; where one page is enough, its columns are as high as each other, about. */
static unsigned put_words(const struct sheet *sheet, struct svg *svg, unsigned page, int top)
{
    int room = bottom(sheet) - MARGIN - WORDS_HEAD;
    const unsigned pages = put_columns(sheet, NULL, 0, 0, room);
    for (int less = room; pages == 1 && less > 0 && put_columns(sheet, NULL, 0, 0, less) == 1;
         less -= solution_style.line)
        room = less;
    return svg != NULL ? put_columns(sheet, svg, page, top, room) : pages;
}

/* -- pages -- */

static void put_page(struct sheet *sheet, struct svg *svg, unsigned page, int top)
{
    char foot[64];
    const bool solutions = page >= sheet->board_pages;
    if (!solutions) {
        const int head = MARGIN + head_put(sheet, svg, top + MARGIN);
        put_boards(sheet, svg, page, false, top + head);
    } else {
        page_put_lines(svg, &title_style, "Solutions", MARGIN, top + MARGIN, page_room(sheet));
        if (sheet->slots)
            put_boards(sheet, svg, page - sheet->board_pages, true, top + MARGIN + title_style.line + GAP / 2);
        else
            put_words(sheet, svg, page - sheet->board_pages, top + MARGIN);
    }
    snprintf(foot, sizeof foot, "%u / %u", page + 1, sheet->pages);
    svg_text(svg, sheet->paper->width / 2, top + sheet->paper->height - MARGIN / 2, SVG_MIDDLE, faint_style.attributes,
             foot);
}

void sheet_write(struct sheet *sheet, unsigned first, unsigned count, FILE *out)
{
    const int width = sheet->paper->width, height = sheet->paper->height;
    struct svg svg;
    svg_begin(&svg, out, width, height * (int)count, pdb_puzzle_name(sheet->asked->puzzle));
    for (unsigned page = 0; page < count; page++) {
        const int top = (int)page * height;
        if (count > 1)
            svg_element(&svg, "view id=\"page-%u\" viewBox=\"0 %d %d %d\"", page + 1, top, width, height);
        put_page(sheet, &svg, first + page, top);
    }
    svg_end(&svg);
}

unsigned sheet_pages(const struct sheet *sheet)
{
    return sheet->pages;
}

static unsigned pages_for(size_t count, unsigned boards)
{
    return (unsigned)((count + boards - 1) / boards);
}

pdb_status sheet_begin(const struct asked *asked, const struct finding *findings, size_t count,
                       const struct sheet_wish *wish, struct sheet **made, pdb_error *error)
{
    struct sheet *sheet = *made = calloc(1, sizeof *sheet);
    if (sheet == NULL || (sheet->grid = calloc(1, sizeof *sheet->grid)) == NULL)
        return error_no_memory(error, "a sheet", sizeof *sheet->grid);
    sheet->asked = asked;
    sheet->findings = findings;
    sheet->count = count;
    sheet->paper = &papers[wish->paper];
    sheet->slots = pdb_puzzle_unordered(asked->puzzle);
    sheet->boards = wish->boards < count ? wish->boards : (unsigned)count;
    sheet->small = wish->boards > SOLUTIONS_SMALL ? wish->boards : SOLUTIONS_SMALL;
    sheet->caption = CAPTION + (has_hidden(sheet) ? HIDDEN_LINES * faint_style.line : 0);
    svg_grid_begin(sheet->grid, &asked->drawing, &findings[0].board, BOARD, CELL);
    head_begin(sheet);
    sheet->cells = lay_cells(sheet, sheet->boards, MARGIN + head_put(sheet, NULL, 0),
                             sheet->slots ? 0 : LINES_LEAST * LINE);
    sheet->small_cells = lay_cells(sheet, sheet->small, MARGIN + title_style.line + GAP / 2, 0);
    sheet->board_pages = pages_for(count, sheet->boards);
    sheet->pages = sheet->board_pages + (sheet->slots ? pages_for(count, sheet->small) : put_words(sheet, NULL, 0, 0));
    return PDB_OK;
}

void sheet_free(struct sheet *sheet)
{
    if (sheet != NULL)
        free(sheet->grid);
    free(sheet);
}
