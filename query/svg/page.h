/* page.h -- an SVG document of sections, each a heading with boards in a grid below it */
#ifndef QUERY_SVG_PAGE_H
#define QUERY_SVG_PAGE_H

#include "query/draw.h"

/* A board with a line of text above it. */
struct svg_picture {
    const pdb_board *board;
    const pdb_board *before; /* what a move from there has changed is marked; NULL: nothing */
    char caption[CAPTION_MAX];
};

enum { SVG_HEADING_MAX = 256 };

struct svg_section {
    char heading[SVG_HEADING_MAX];
    struct svg_picture *picture;
    size_t count;
};

/* Writes one document. Errors: PDB_NO_MEMORY, before anything was written. */
pdb_status svg_page(const struct drawing *drawing, const struct svg_section *sections, size_t count, FILE *out,
                    pdb_error *error);

#endif
