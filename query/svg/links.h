/* links.h -- the lines of a graph, between the cells of a board that is drawn */
#ifndef QUERY_SVG_LINKS_H
#define QUERY_SVG_LINKS_H

#include "svg.h"
#include "grid.h"

/* Draws all lines: straight where no cell is in the way, bent else, with an arrow where they lead one way only. */
void svg_links(const struct svg_grid *grid, struct svg *svg);

/* How far bent lines may lead out of the square of cells. */
int svg_links_room(const struct svg_grid *grid);

#endif
