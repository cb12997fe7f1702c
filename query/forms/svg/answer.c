/* answer.c -- answers as SVG documents: boards, solutions and the hardest boards
 *
 * A document has sections, each a heading with boards in a grid below it. Boards are as large as shows them well: one
 * alone, or many smaller ones side by side in a document of a column's width. Captions are broken into lines where they
 * are wider than their boards.
 */
#include "query/forms/forms.h"
#include "board.h"
#include "lib/error.h"

#include <stdlib.h>
#include <string.h>

enum {
    PAGE_WIDTH = 820,   /* wide documents are about as wide as a column of text on a page */
    PAGE_HEIGHT = 1160, /* and as high as a sheet of paper of that width */
    MARGIN = 16,
    GAP = 24,            /* between pictures, and between sections */
    HEADING_WIDTH = 200, /* headings may be so wide, even above narrow boards, and */
    CAPTION_WIDTH = 130  /* captions */
};

struct section {
    char heading[TEXT_HEADING_MAX];
    struct captioned *picture;
    size_t count;
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
    char words[TEXT_HEADING_MAX];
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
    char words[TEXT_HEADING_MAX];
    for (size_t length; (length = svg_line(text, style->size, width)) > 0; text += length, y += style->line) {
        const size_t blank = strspn(text, " ");
        snprintf(words, sizeof words, "%.*s", (int)(length - blank), text + blank);
        svg_text(svg, x, y + style->size, SVG_START, style->attributes, words);
    }
}

static struct layout lay_out(const struct svg_grid *grid, const struct section *sections, size_t count)
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
              wider = boards * 5 / 4 > HEADING_WIDTH ? boards * 5 / 4 : HEADING_WIDTH,
              most_width = wider < page ? wider : page;
    for (size_t s = 0; s < count; s++) {
        const int width = widest_line(&heading_style, sections[s].heading, most_width < boards ? boards : most_width);
        layout.width = width > layout.width ? width : layout.width;
    }
    layout.picture_height = grid->height + layout.captions;
    return layout;
}

/* -- pages --
 *
 * A document that is higher than a page is broken between rows of pictures. Pages stand below each other, each with the
 * heading of the section that goes on there, and are views of the document: file.svg#page-2 shows the second alone.
 */

/* Where the next thing is put. The same steps measure a document and write it. */
struct cursor {
    struct svg *svg; /* NULL while it is only measured */
    int top, y;      /* of the page, and of what comes next */
    int page, pages; /* the page's number; how many there are, known when it is written */
};

static void end_page(const struct layout *layout, struct cursor *at)
{
    const int width = layout->width + 2 * MARGIN, bottom = at->y - GAP + MARGIN;
    if (at->svg != NULL && at->pages > 1) {
        svg_element(at->svg, "view id=\"page-%d\" viewBox=\"0 %d %d %d\"", at->page, at->top, width, bottom - at->top);
        if (at->page < at->pages)
            svg_element(at->svg, "path class=\"page-end\" d=\"M0 %dh%d\" stroke=\"#b8c0c8\" stroke-dasharray=\"4\"",
                        bottom, width);
    }
    at->top = bottom;
    at->y = bottom + MARGIN;
    at->page++;
}

static void put_heading(const struct layout *layout, const char *heading, struct cursor *at)
{
    if (at->svg != NULL)
        put_lines(at->svg, &heading_style, heading, MARGIN, at->y, layout->width);
    at->y += height_of(&heading_style, heading, layout->width) + 8;
}

/* One row of pictures, from number `first` on. */
static void put_row(struct svg_grid *grid, struct svg *svg, const struct layout *layout, const struct section *section,
                    size_t first, int top)
{
    for (size_t i = first; i < section->count && i < first + layout->across; i++) {
        const struct captioned *picture = &section->picture[i];
        const int left = MARGIN + (int)(i - first) * (layout->picture_width + GAP), board = top + layout->captions;
        put_lines(svg, &caption_style, picture->caption, left,
                  board - height_of(&caption_style, picture->caption, layout->caption_width), layout->caption_width);
        svg_board_draw(grid, svg, picture->board, picture->before, left, board);
    }
}

static void put_section(struct svg_grid *grid, const struct layout *layout, const struct section *section,
                        struct cursor *at)
{
    char heading[TEXT_HEADING_MAX + 32];
    if (at->y > at->top + MARGIN && at->y + 2 * layout->picture_height > at->top + PAGE_HEIGHT)
        end_page(layout, at);
    put_heading(layout, section->heading, at);
    for (size_t first = 0; first < section->count && (at->svg == NULL || !ferror(at->svg->out));
         first += layout->across) {
        if (first > 0 && at->y + layout->picture_height + MARGIN > at->top + PAGE_HEIGHT) {
            end_page(layout, at);
            snprintf(heading, sizeof heading, "%s (page %d)", section->heading, at->page);
            put_heading(layout, heading, at);
        }
        if (at->svg != NULL)
            put_row(grid, at->svg, layout, section, first, at->y);
        at->y += layout->picture_height + GAP;
    }
}

/* What symbols mean, below all pictures. */
static void put_legend(const struct drawing *drawing, const struct layout *layout, struct cursor *at)
{
    for (int symbol = 0; symbol < (int)pdb_puzzle_symbols(drawing->puzzle); symbol++) {
        char symbols[LEGEND_TEXT_MAX], line[LEGEND_TEXT_MAX + 64];
        draw_legend_symbols(drawing, symbol, symbols);
        if (*symbols == '\0')
            continue;
        const int y = at->y - GAP / 2, size = caption_style.line;
        const bool figure = svg_legend_figure(drawing, at->svg, symbol, MARGIN, y, size - 2);
        const int indent = figure ? size + 4 : 0;
        snprintf(line, sizeof line, "%s%s%s", figure ? "" : symbols, figure ? "" : "  ",
                 pdb_symbol_legend(drawing->puzzle, symbol));
        if (at->svg != NULL)
            put_lines(at->svg, &caption_style, line, MARGIN + indent, y, layout->width - indent);
        at->y += height_of(&caption_style, line, layout->width - indent);
    }
}

static void put_sections(struct svg_grid *grid, const struct layout *layout, const struct section *sections,
                         size_t count, struct cursor *at)
{
    at->y = MARGIN;
    at->page = 1;
    for (size_t s = 0; s < count; s++)
        put_section(grid, layout, &sections[s], at);
    put_legend(grid->drawing, layout, at);
    end_page(layout, at);
}

/* Writes one document. Errors: PDB_NO_MEMORY, before anything was written. */
static pdb_status put_page(const struct drawing *drawing, const struct section *sections, size_t count, FILE *out,
                           pdb_error *error)
{
    struct svg svg;
    struct svg_grid *grid = calloc(1, sizeof *grid);
    if (grid == NULL)
        return error_no_memory(error, "a picture", sizeof *grid);
    const bool alone = count == 1 && sections[0].count == 1;
    svg_grid_begin(grid, drawing, sections[0].picture[0].board, alone ? 480 : 160, alone ? 52 : 30);
    const struct layout layout = lay_out(grid, sections, count);
    struct cursor measured = {0};
    put_sections(grid, &layout, sections, count, &measured);
    struct cursor at = {.svg = &svg, .pages = measured.page - 1};
    svg_begin(&svg, out, layout.width + 2 * MARGIN, measured.top, sections[0].heading);
    put_sections(grid, &layout, sections, count, &at);
    svg_end(&svg);
    free(grid);
    return PDB_OK;
}

/* -- what they say -- */

/* "20 moves from the goal", behind the puzzle's name if `named`; nothing where the distance was not looked for. */
static void describe(const struct asked *asked, bool named, const struct finding *finding, char *text, size_t size)
{
    char distance[TEXT_DISTANCE_MAX];
    if (finding->unsolved) {
        snprintf(text, size, "%s", named ? pdb_puzzle_name(asked->puzzle) : "");
        return;
    }
    const bool counted = asked->count && finding->solution.distance != PDB_NO_DISTANCE &&
                         !pdb_puzzle_unordered(asked->puzzle);
    snprintf(text, size, "%s%s%s%s%s%s", named ? pdb_puzzle_name(asked->puzzle) : "", named ? ": " : "",
             text_distance(asked, finding, distance), counted ? "; " : "", counted ? finding->count : "",
             !counted                           ? ""
             : strcmp(finding->count, "1") == 0 ? " shortest solution"
                                                : " shortest solutions");
}

/* -- boards -- */

static pdb_status picture_boards(const struct asked *asked, const struct finding *findings, size_t count,
                                 struct section *section, pdb_error *error)
{
    section->picture = calloc(count, sizeof *section->picture);
    if (section->picture == NULL)
        return error_no_memory(error, "pictures", count * sizeof *section->picture);
    section->count = count;
    for (size_t i = 0; i < count; i++) {
        struct captioned *picture = &section->picture[i];
        picture->board = &findings[i].board;
        if (count > 1)
            describe(asked, false, &findings[i], picture->caption, sizeof picture->caption);
        draw_caption_hidden(asked->puzzle, picture);
    }
    if (count == 1)
        describe(asked, true, &findings[0], section->heading, sizeof section->heading);
    else
        strcpy(section->heading, pdb_puzzle_name(asked->puzzle));
    return PDB_OK;
}

/* -- solutions -- */

static pdb_status picture_path(const struct asked *asked, const struct finding *finding, struct section *section,
                               pdb_error *error)
{
    const size_t most = 1 + finding->solution.steps;
    section->picture = calloc(most, sizeof *section->picture);
    if (section->picture == NULL)
        return error_no_memory(error, "pictures", most * sizeof *section->picture);
    section->count = most;
    section->picture[0].board = &finding->board;
    if (!pdb_puzzle_unordered(asked->puzzle)) { /* the board itself is step 0 */
        strcpy(section->picture[0].caption, "0.");
        draw_caption_hidden(asked->puzzle, &section->picture[0]);
        caption_steps(asked, finding, section->picture + 1);
    } else if (most > 1) { /* what is left of it when it is solved */
        section->count = 2;
        section->picture[1].board = &finding->solution.path[most - 2].board;
        strcpy(section->picture[1].caption, "A solution");
    }
    describe(asked, true, finding, section->heading, sizeof section->heading);
    return PDB_OK;
}

pdb_status svg_findings(const struct asked *asked, const struct finding *findings, size_t count, FILE *out,
                        pdb_error *error)
{
    const bool paths = asked->path || asked->paths > 0;
    const size_t most = paths ? count : 1;
    struct section *sections = calloc(most, sizeof *sections);
    if (sections == NULL)
        return error_no_memory(error, "pictures", most * sizeof *sections);
    pdb_status status = paths ? PDB_OK : picture_boards(asked, findings, count, sections, error);
    for (size_t i = 0; paths && status == PDB_OK && i < count; i++)
        status = picture_path(asked, &findings[i], &sections[i], error);
    if (status == PDB_OK)
        status = put_page(&asked->drawing, sections, most, out, error);
    for (size_t i = 0; i < most; i++)
        free(sections[i].picture);
    free(sections);
    return status;
}

/* -- the puzzle as a whole -- */

pdb_status svg_hardest(const struct asked *asked, const pdb_board *boards, size_t count, FILE *out, pdb_error *error)
{
    struct section section = {.count = count, .picture = calloc(count, sizeof *section.picture)};
    if (section.picture == NULL)
        return error_no_memory(error, "pictures", count * sizeof *section.picture);
    text_hardest_heading(asked, count, section.heading);
    caption_boards(asked, boards, count, section.picture);
    if (count == 1) {
        *section.picture[0].caption = '\0';
        draw_caption_hidden(asked->puzzle, &section.picture[0]);
    }
    pdb_status status = put_page(&asked->drawing, &section, 1, out, error);
    free(section.picture);
    return status;
}

pdb_status svg_board(const struct asked *asked, const pdb_board *board, FILE *out, pdb_error *error)
{
    struct captioned picture = {.board = board};
    struct section section = {.count = 1, .picture = &picture};
    snprintf(section.heading, sizeof section.heading, "%s", pdb_puzzle_name(asked->puzzle));
    draw_caption_hidden(asked->puzzle, &picture);
    return put_page(&asked->drawing, &section, 1, out, error);
}
