/* sheet.h -- boards on paper: pages to print, with room to write, and the solutions on pages of their own
 *
 * sheet.c draws pages, each an SVG document with the boards that --svg draws; paper.c puts them into a file: into one
 * document, or into a PDF, for which librsvg draws them.
 */
#ifndef QUERY_SETS_SHEET_H
#define QUERY_SETS_SHEET_H

#include "query/forms/forms.h"

/* A size of paper: in units of SVG, of which 96 are an inch, and in points of PDF, of which 72 are one. */
struct paper {
    const char *name;
    int width, height;
    double points_across, points_down;
};

enum paper_size { PAPER_A4, PAPER_LETTER, PAPER_SIZES };
extern const struct paper papers[PAPER_SIZES];

enum { SHEET_BOARDS_MAX = 24 }; /* a page */

/* What a sheet is to be. */
struct sheet_wish {
    const char *file; /* its name ends in .pdf or .svg; NULL: no sheet is wished */
    enum paper_size paper;
    unsigned boards; /* a page, 1 .. SHEET_BOARDS_MAX */
};

/* -- sheet.c -- */

/* The pages of a sheet, made one at a time. */
struct sheet;

/* Lays a sheet out for boards whose solutions have been found; it refers to all of its arguments. The caller frees
 * *made by sheet_free, whatever the status. Errors: PDB_NO_MEMORY. */
pdb_status sheet_begin(const struct asked *asked, const struct finding *findings, size_t count,
                       const struct sheet_wish *wish, struct sheet **made, pdb_error *error);
unsigned sheet_pages(const struct sheet *sheet);
/* Writes a document of the pages first .. first + count - 1, below each other. */
void sheet_write(struct sheet *sheet, unsigned first, unsigned count, FILE *out);
void sheet_free(struct sheet *sheet);

/* -- paper.c -- */

/* Can a file of this name be written? Errors: PDB_BAD_USAGE (neither .pdf nor .svg; no PDF in this build, or librsvg is
 * not installed). */
pdb_status paper_check(const char *file, pdb_error *error);

/* Makes the sheet and writes the file, whole or not at all. Errors: those of paper_check, PDB_NO_MEMORY, PDB_IO. */
pdb_status paper_print(const struct asked *asked, const struct finding *findings, size_t count,
                       const struct sheet_wish *wish, pdb_error *error);

#endif
