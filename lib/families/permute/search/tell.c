/* tell.c -- what every table says of a position, for people
 *
 * A table that is looked at by way of a symmetry says what a table of the pattern's image would (views.c): so it is
 * called by the tiles of that image.
 */
#include "views.h"
#include "lib/search/board/bounds.h"

#include <stdlib.h>
#include <string.h>

/* The pattern in the words of a definition (search.h); what does not fit is left out. */
static void name_view(const struct permute *permute, const struct permute_view *view, char name[PATTERNS_TEXT_MAX])
{
    const struct permute_pattern *pattern = &view->table->pattern;
    struct permute_pattern image = {.classes = pattern->classes};
    char shape[PATTERNS_TEXT_MAX] = "";
    for (unsigned tile = 0; tile < permute->tiles; tile++) {
        image.class[tile] = pattern->class[view->symmetry->tile[tile]];
        image.turns[tile] = pattern->turns[view->symmetry->tile[tile]];
    }
    strcpy(name, "pattern database ");
    permute_write_pattern(permute, &image, name, shape);
}

pdb_status permute_views_tell(const struct permute_views *views, const uint8_t *position, pdb_bounds *bounds,
                              pdb_error *error)
{
    uint16_t far[PERMUTE_VIEWS_MAX];
    char name[PATTERNS_TEXT_MAX];
    struct permute_coordinates *at = malloc(views->coordinates * sizeof *at + 1);
    if (at == NULL)
        return error_no_memory(error, "the bounds", views->coordinates * sizeof *at);
    pdb_status status = permute_views_begin(views, position, at, far, error);
    for (unsigned v = 0; status == PDB_OK && v < views->views; v++) {
        name_view(views->permute, &views->view[v], name);
        status = bounds_add(bounds, name, bound_value(far[v]), error);
    }
    free(at);
    return status;
}
