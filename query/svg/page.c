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
    GAP = 24,           /* between pictures, and between sections */
    CAPTION_WIDTH = 130 /* captions may be so wide, even above smaller boards */
};

/* Where the pictures of a document stand. */
struct layout {
    int width;          /* of the document, without its margins */
    int picture_width;  /* of the widest picture or line of its caption */
    int caption_width;  /* lines are broken there */
    size_t across;      /* pictures side by side */
    int captions;       /* height of the longest caption of all */
    int picture_height; /* with the caption */
};

/* How a text is set. */
struct style {
    int size, line; /* of the font, and from one line to the next */
    const char *attributes;
};

static const struct style heading_style = {15, 20, " font-size=\"15\" font-weight=\"bold\""};
static const struct style caption_style = {12, 15, " font-size=\"12\""};

/* The height of a text that is broken at `width`. */
static int height_of(const struct style *style, const char *text, int width)
{
    int height = 0;
    for (size_t length; (length = svg_line(text, style->size, width)) > 0; text += length)
        height += style->line;
    return height;
}

/* The width of its widest line: more than `width` where a word is. */
static int widest_line(const struct style *style, const char *text, int width)
{
    char words[SVG_HEADING_MAX];
    int widest = 0;
    for (size_t length; (length = svg_line(text, style->size, width)) > 0; text += length) {
        snprintf(words, sizeof words, "%.*s", (int)length, text);
        const int line = svg_text_width(words, style->size);
        widest = line > widest ? line : widest;
    }
    return widest;
}

static void put_lines(struct svg *svg, const struct style *style, const char *text, int x, int y, int width)
{
    char words[SVG_HEADING_MAX];
    for (size_t length; (length = svg_line(text, style->size, width)) > 0; text += length, y += style->line) {
        const size_t blank = strspn(text, " ");
        snprintf(words, sizeof words, "%.*s", (int)(length - blank), text + blank);
        svg_text(svg, x, y + style->size, SVG_START, style->attributes, words);
    }
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
            const int height = height_of(&caption_style, caption, layout.caption_width);
            const int width = height > caption_style.line ? layout.caption_width
                                                          : svg_text_width(caption, caption_style.size);
            layout.captions = height > layout.captions ? height : layout.captions;
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
        const int width = widest_line(&heading_style, sections[s].heading, most_width < boards ? boards : most_width);
        layout.width = width > layout.width ? width : layout.width;
    }
    layout.picture_height = grid->height + layout.captions;
    return layout;
}

static int section_height(const struct layout *layout, const struct svg_section *section)
{
    const int rows = (int)((section->count + layout->across - 1) / layout->across);
    return height_of(&heading_style, section->heading, layout->width) + 8 + rows * (layout->picture_height + GAP) - GAP;
}

static void put_section(struct svg_grid *grid, struct svg *svg, const struct layout *layout,
                        const struct svg_section *section, int y)
{
    put_lines(svg, &heading_style, section->heading, MARGIN, y, layout->width);
    y += height_of(&heading_style, section->heading, layout->width) + 8;
    for (size_t i = 0; i < section->count; i++) {
        const struct svg_picture *picture = &section->picture[i];
        const int left = MARGIN + (int)(i % layout->across) * (layout->picture_width + GAP);
        const int top = y + (int)(i / layout->across) * (layout->picture_height + GAP);
        const int board = top + layout->captions;
        put_lines(svg, &caption_style, picture->caption, left,
                  board - height_of(&caption_style, picture->caption, layout->caption_width), layout->caption_width);
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
