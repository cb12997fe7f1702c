/* tell.c -- what every table says of a position, for people
 *
 * A table that is looked at by way of a symmetry says what a table of the pattern's image would (views.c): so it is
 * called by the tiles of that image. Symmetries that rename those tiles alike may still tell something else, where
 * twists of tiles count that the pattern does not tell apart: then such tiles are named that look untwisted while they
 * are not.
 */
#include "views.h"
#include "lib/search/board/bounds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of tiles that look the same, those that are twisted when they look as the first of them does untwisted. */
static void name_twisted(const struct permute *permute, const struct permute *relaxed,
                         const struct permute_symmetry *symmetry, char name[PATTERNS_TEXT_MAX])
{
    struct permute_image image;
    bool named[BOARD_MAX_SYMBOLS] = {false};
    const char *before = ", untwisted";
    permute_image(permute, relaxed, symmetry, &image);
    for (unsigned place = 0; place < permute->puzzle.board.places; place++) {
        const unsigned tile = permute->tile_of[permute->board[place]], modulus = permute->modulus[place];
        const size_t length = strlen(name);
        const uint8_t symbol = permute->symbol_of[tile][(modulus - image.shift[place]) % modulus];
        if (!image.turns[place] || image.shift[place] == 0 || named[tile] || symbol == BOARD_OPEN)
            continue;
        named[tile] = true;
        snprintf(name + length, PATTERNS_TEXT_MAX - length, "%s %s", before, permute->puzzle.board.symbol[symbol].code);
        before = "";
    }
}

/* The pattern in the words of a definition (search.h); what does not fit is left out. */
static pdb_status name_view(const struct permute *permute, const struct permute_view *view,
                            char name[PATTERNS_TEXT_MAX], pdb_error *error)
{
    struct permute *relaxed;
    const struct permute_pattern *pattern = &view->table->pattern;
    struct permute_pattern image = {.classes = pattern->classes};
    char shape[PATTERNS_TEXT_MAX] = "";
    for (unsigned tile = 0; tile < permute->tiles; tile++) {
        image.class[tile] = pattern->class[view->symmetry->tile[tile]];
        image.turns[tile] = pattern->turns[view->symmetry->tile[tile]];
    }
    strcpy(name, "pattern database ");
    permute_write_pattern(permute, &image, name, shape);
    const pdb_status status = permute_relax_orbits(permute, pattern, &relaxed, error);
    if (status == PDB_OK)
        name_twisted(permute, relaxed, view->symmetry, name);
    permute_relaxed_free(relaxed);
    return status;
}

pdb_status permute_views_tell(const struct permute_views *views, const uint8_t *position, pdb_bounds *bounds,
                              pdb_error *error)
{
    uint16_t far[PERMUTE_VIEWS_MAX];
    struct pattern_look look[PERMUTE_VIEWS_MAX];
    char name[PATTERNS_TEXT_MAX];
    struct permute_coordinates *at = malloc(views->coordinates * sizeof *at + 1);
    if (at == NULL)
        return error_no_memory(error, "the bounds", views->coordinates * sizeof *at);
    permute_views_look(views, look);
    pdb_status status = permute_views_begin(views, look, position, at, far, error);
    for (unsigned v = 0; status == PDB_OK && v < views->views; v++) {
        status = name_view(views->permute, &views->view[v], name, error);
        if (status == PDB_OK)
            status = bounds_add(bounds, name, bound_value(far[v]), error);
    }
    free(at);
    return status;
}
