/* svg.h -- writing an SVG document: elements, text, escapes
 *
 * The room: svg.h writes elements, board.h a board, chart.c the histogram; answer.c puts boards with captions on a
 * page. Colours come from query/forms/palette.h; nothing here asks a solver but for its figures.
 *
 * A document is text for a person to read and change: one element a line, nested by indentation, with presentation
 * attributes and no style sheet, so that several documents can be put into one page. Lengths are whole user units, but
 * for the heights of bars. The same calls write the same bytes.
 *
 * Nothing here fails by itself: what could not be written is known to the stream (ferror).
 */
#ifndef QUERY_FORMS_SVG_SVG_H
#define QUERY_FORMS_SVG_SVG_H

#include <stddef.h>
#include <stdio.h>

struct svg {
    FILE *out;
    unsigned depth; /* of open groups */
};

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

/* Begins a document of this size on a white ground, and ends it. `title` is what is read aloud in its place. Texts,
 * here and below, are any: what means something in XML is escaped. */
void svg_begin(struct svg *svg, FILE *out, int width, int height, const char *title);
void svg_end(struct svg *svg);

/* One element, `format` its name and attributes as for printf: svg_element(svg, "rect x=\"%d\"", x). What is put into
 * attributes this way must need no escapes: numbers, colours, words of the program's own. */
__attribute__((format(printf, 2, 3))) void svg_element(struct svg *svg, const char *format, ...);

/* A path: what is written to svg->out in between is its `d`; `attributes` begins with a space. */
void svg_path_begin(struct svg *svg);
void svg_path_end(struct svg *svg, const char *attributes);

/* A group with attributes (the same way), until svg_group_end. */
__attribute__((format(printf, 2, 3))) void svg_group(struct svg *svg, const char *format, ...);
void svg_group_end(struct svg *svg);

/* What the group that is open is, as a reader of the picture may ask to be told. */
void svg_title(struct svg *svg, const char *text);

/* An element as above that has such a title of its own. */
__attribute__((format(printf, 3, 4))) void svg_titled(struct svg *svg, const char *title, const char *format, ...);

/* A text with its base line at y; `attributes` are more of them: " font-size=\"12\"", or "". */
void svg_text(struct svg *svg, int x, int y, enum svg_anchor anchor, const char *attributes, const char *text);

/* How wide a text is at a font size, about: fonts differ. */
int svg_text_width(const char *text, int size);

/* How many bytes of a text go into a line of this width: up to a space, or all; never 0 but for an empty text. */
size_t svg_line(const char *text, int size, int width);

#endif
