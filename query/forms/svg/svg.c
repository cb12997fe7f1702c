/* svg.c -- writing an SVG document: elements, text, escapes */
#include "svg.h"
#include "query/forms/drawing.h"

#include <stdarg.h>
#include <string.h>

/* Fonts that people have; every viewer looks for glyphs that one lacks in the next. */
#define FONTS "Helvetica, Arial, 'DejaVu Sans', 'Noto Sans CJK SC', 'Segoe UI Symbol', sans-serif"

/* A text as character data, or as the value of an attribute. All other characters that texts have are XML's too: a
 * definition has no others. */
static void put_escaped(FILE *out, const char *text)
{
    static const char special[] = "&<>\"'", *const names[] = {"amp", "lt", "gt", "quot", "apos"};
    for (size_t length; *text != '\0'; text += length) {
        length = strcspn(text, special);
        fwrite(text, 1, length, out);
        if (length == 0)
            fprintf(out, "&%s;", names[strchr(special, text[length++]) - special]);
    }
}

static void indent(const struct svg *svg)
{
    fprintf(svg->out, "%*s", (int)svg->depth, "");
}

void svg_begin(struct svg *svg, FILE *out, int width, int height, const char *title)
{
    *svg = (struct svg){.out = out, .depth = 1};
    fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\"", width,
            height, width, height);
    fputs(" role=\"img\" aria-label=\"", out);
    put_escaped(out, title);
    fputs("\"\n     font-family=\"" FONTS "\" font-size=\"13\" fill=\"#222222\">\n", out);
    svg_title(svg, title);
    svg_element(svg, "rect width=\"%d\" height=\"%d\" rx=\"6\" fill=\"#ffffff\"", width, height);
}

void svg_end(struct svg *svg)
{
    fputs("</svg>\n", svg->out);
}

/* A tag up to where it is closed: `beginning`, then what the format makes of the arguments. */
static void open_tag(const struct svg *svg, const char *beginning, const char *format, va_list arguments)
{
    indent(svg);
    fputs(beginning, svg->out);
    vfprintf(svg->out, format, arguments);
}

void svg_element(struct svg *svg, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    open_tag(svg, "<", format, arguments);
    va_end(arguments);
    fputs("/>\n", svg->out);
}

void svg_path_begin(struct svg *svg)
{
    indent(svg);
    fputs("<path d=\"", svg->out);
}

void svg_path_end(struct svg *svg, const char *attributes)
{
    fprintf(svg->out, "\"%s/>\n", attributes);
}

void svg_group(struct svg *svg, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    open_tag(svg, "<g ", format, arguments);
    va_end(arguments);
    fputs(">\n", svg->out);
    svg->depth++;
}

void svg_group_end(struct svg *svg)
{
    svg->depth--;
    indent(svg);
    fputs("</g>\n", svg->out);
}

void svg_title(struct svg *svg, const char *text)
{
    indent(svg);
    fputs("<title>", svg->out);
    put_escaped(svg->out, text);
    fputs("</title>\n", svg->out);
}

void svg_titled(struct svg *svg, const char *title, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    open_tag(svg, "<", format, arguments);
    va_end(arguments);
    fputs("><title>", svg->out);
    put_escaped(svg->out, title);
    fprintf(svg->out, "</title></%.*s>\n", (int)strcspn(format, " "), format);
}

void svg_text(struct svg *svg, int x, int y, enum svg_anchor anchor, const char *attributes, const char *text)
{
    static const char *const anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    indent(svg);
    fprintf(svg->out, "<text x=\"%d\" y=\"%d\"%s%s>", x, y, anchors[anchor], attributes);
    put_escaped(svg->out, text);
    fputs("</text>\n", svg->out);
}

int svg_text_width(const char *text, int size)
{
    return ((int)text_columns(text) * size * 6 + 9) / 10;
}

size_t svg_line(const char *text, int size, int width)
{
    const size_t all = strlen(text);
    size_t line = 0;
    for (size_t end = 0; end < all;) {
        char words[512];
        end += strspn(text + end, " ");
        end += strcspn(text + end, " ");
        snprintf(words, sizeof words, "%.*s", (int)end, text);
        if (line > 0 && svg_text_width(words, size) > width)
            break;
        line = end;
    }
    return line;
}
