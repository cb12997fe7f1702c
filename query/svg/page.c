/* page.c -- an SVG document of sections, each a heading with boards in a grid below it
 *
 * Boards are as large as shows them well: one alone, or many smaller ones side by side in a document of a column's
 * width. Captions are broken into lines where they are wider than their boards.
 */
#include "page.h"
#include "board.h"
#include "lib/error.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAGE_WIDTH = 820, /* wide documents are about as wide as a column of text on a page */
    MARGIN = 16,
    GAP = 24, /* between pictures, and between sections */
    HEADING = 15,
    HEADING_LINE = 20, /* from one line to the next */
    CAPTION = 12,
    CAPTION_LINE = 15,
    CAPTION_WIDTH = 130 /* captions may be so wide, even above smaller boards */
};

/* Where the pictures of a document stand. */
struct layout {
    int width;          /* of the document, without its margins */
    int picture_width;  /* of the widest picture or line of its caption */
    int caption_width;  /* lines are broken there */
    size_t across;      /* pictures side by side */
    unsigned captions;  /* lines of the longest caption of all */
    int picture_height; /* with the caption */
};

static unsigned lines_of(const char *text, int size, int width)
{
    unsigned lines = 0;
    for (size_t length; (length = svg_line(text, size, width)) > 0; text += length)
        lines++;
    return lines;
}

/* Puts a text in lines, and returns the height that they take. */
static int put_lines(struct svg *svg, const char *text, int x, int y, int size, int line, int width,
                     const char *attributes)
{
    char words[SVG_HEADING_MAX];
    int height = 0;
    for (size_t length; (length = svg_line(text, size, width)) > 0; text += length, height += line) {
        const size_t blank = strspn(text, " ");
        snprintf(words, sizeof words, "%.*s", (int)(length - blank), text + blank);
        svg_text(svg, x, y + height + size, SVG_START, attributes, words);
    }
    return height;
}

/* The width of the widest line of a text that is broken at `width`: more than that where a word is. */
static int widest_line(const char *text, int size, int width)
{
    char words[SVG_HEADING_MAX];
    int widest = 0;
    for (size_t length; (length = svg_line(text, size, width)) > 0; text += length) {
        snprintf(words, sizeof words, "%.*s", (int)length, text);
        const int line = svg_text_width(words, size);
        widest = line > widest ? line : widest;
    }
    return widest;
}

static struct layout lay_out(const struct svg_grid *grid, const struct svg_section *sections, size_t count)
{
    struct layout layout = {.picture_width = grid->width, .across = 1};
    size_t most = 1;
    layout.caption_width = grid->width > CAPTION_WIDTH ? grid->width : CAPTION_WIDTH;
    for (size_t s = 0; s < count; s++) {
        most = sections[s].count > most ? sections[s].count : most;
        for (size_t i = 0; i < sections[s].count; i++) {
            const char *caption = sections[s].picture[i].caption;
            const unsigned lines = lines_of(caption, CAPTION, layout.caption_width);
            const int width = lines > 1 ? layout.caption_width : svg_text_width(caption, CAPTION);
            layout.captions = lines > layout.captions ? lines : layout.captions;
            layout.picture_width = width > layout.picture_width ? width : layout.picture_width;
        }
    }
    while (layout.across < most &&
           ((int)layout.across + 1) * (layout.picture_width + GAP) - GAP <= PAGE_WIDTH - 2 * MARGIN)
        layout.across++;
    layout.width = (int)layout.across * (layout.picture_width + GAP) - GAP;
    /* A heading may make it wider, but not much (it would stand beside nothing), nor wider than a page. */
    const int boards = layout.width, page = PAGE_WIDTH - 2 * MARGIN,
              most_width = boards * 5 / 4 < page ? boards * 5 / 4 : page;
    for (size_t s = 0; s < count; s++) {
        const int width = widest_line(sections[s].heading, HEADING, most_width < boards ? boards : most_width);
        layout.width = width > layout.width ? width : layout.width;
    }
    layout.picture_height = grid->height + (int)layout.captions * CAPTION_LINE;
    return layout;
}

static int section_height(const struct layout *layout, const struct svg_section *section)
{
    const int rows = (int)((section->count + layout->across - 1) / layout->across);
    return (int)lines_of(section->heading, HEADING, layout->width) * HEADING_LINE + 8 +
           rows * (layout->picture_height + GAP) - GAP;
}

static void put_section(struct svg_grid *grid, struct svg *svg, const struct layout *layout,
                        const struct svg_section *section, int y)
{
    y += put_lines(svg, section->heading, MARGIN, y, HEADING, HEADING_LINE, layout->width,
                   " font-size=\"15\" font-weight=\"bold\"");
    y += 8;
    for (size_t i = 0; i < section->count; i++) {
        const struct svg_picture *picture = &section->picture[i];
        const int left = MARGIN + (int)(i % layout->across) * (layout->picture_width + GAP);
        const int top = y + (int)(i / layout->across) * (layout->picture_height + GAP);
        const int board = top + (int)layout->captions * CAPTION_LINE;
        const unsigned lines = lines_of(picture->caption, CAPTION, layout->caption_width);
        put_lines(svg, picture->caption, left, board - (int)lines * CAPTION_LINE, CAPTION, CAPTION_LINE,
                  layout->caption_width, " font-size=\"12\"");
        svg_board_draw(grid, svg, picture->board, picture->before, left, board);
    }
}

pdb_status svg_page(const struct drawing *drawing, const struct svg_section *sections, size_t count, FILE *out,
                    pdb_error *error)
{
    struct svg svg;
    struct svg_grid *grid = calloc(1, sizeof *grid);
    if (grid == NULL)
        return error_no_memory(error, "a picture", sizeof *grid);
    const bool alone = count == 1 && sections[0].count == 1;
    svg_grid_begin(grid, drawing, sections[0].picture[0].board, alone ? 480 : 160, alone ? 52 : 30);
    const struct layout layout = lay_out(grid, sections, count);
    int height = 2 * MARGIN - GAP;
    for (size_t s = 0; s < count; s++)
        height += section_height(&layout, &sections[s]) + GAP;
    svg_begin(&svg, out, layout.width + 2 * MARGIN, height, sections[0].heading);
    int y = MARGIN;
    for (size_t s = 0; s < count; s++) {
        put_section(grid, &svg, &layout, &sections[s], y);
        y += section_height(&layout, &sections[s]) + GAP;
    }
    svg_end(&svg);
    free(grid);
    return PDB_OK;
}
