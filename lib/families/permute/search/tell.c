/* tell.c -- what every table says of a position, for people
 *
 * A table that is looked at by way of a symmetry says what a table of the pattern's image would (views.c): so it is
 * called by the tiles of that image.
 */
#include "search.h"
#include "lib/search/board/bounds.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VIEW_NAME_MAX = PATTERNS_TEXT_MAX + 32 };

/* Appends to a name; what does not fit is left out. */
__attribute__((format(printf, 2, 3))) static void append(char name[VIEW_NAME_MAX], const char *format, ...)
{
    const size_t length = strlen(name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name + length, VIEW_NAME_MAX - length, format, arguments);
    va_end(arguments);
}

static const char *code_of(const struct permute *permute, unsigned tile)
{
    return permute->puzzle.board.symbol[permute->symbol_of[tile][0]].code;
}

/* The class that a view puts each tile into. */
static void find_classes(const struct permute *permute, const struct permute_view *view, uint8_t *class)
{
    uint8_t relaxed[BOARD_MAX_SYMBOLS];
    for (unsigned symbol = 0; symbol < permute->puzzle.board.symbols; symbol++)
        relaxed[permute->tile_of[symbol]] = view->relaxed->tile_of[symbol];
    for (unsigned tile = 0; tile < permute->tiles; tile++)
        class[tile] = relaxed[view->symmetry->tile[tile]];
}

/* The pattern in the words of a definition (search.h). The relaxation's last class is that of the tiles that no word
 * names, if it has more than one. */
static void name_view(const struct permute *permute, const struct permute_view *view, char name[VIEW_NAME_MAX])
{
    uint8_t class[BOARD_MAX_SYMBOLS];
    bool turned[BOARD_MAX_CELLS] = {false};
    find_classes(permute, view, class);
    strcpy(name, "pattern database");
    for (unsigned c = 0; c < view->relaxed->tiles; c++) {
        unsigned tiles = 0;
        for (unsigned tile = 0; tile < permute->tiles; tile++)
            tiles += class[tile] == c;
        if (tiles > 1 && c + 1 == view->relaxed->tiles)
            break;
        append(name, tiles > 1 ? " (" : " ");
        for (unsigned tile = 0, named = 0; tile < permute->tiles; tile++)
            if (class[tile] == c)
                append(name, "%s%s", named++ > 0 ? " " : "", code_of(permute, tile));
        append(name, "%s", tiles > 1 ? ")" : "");
    }
    for (unsigned place = 0; place < permute->puzzle.board.places; place++) {
        bool *orbit = &turned[permute->orbit_of[place]];
        if (permute->modulus[place] == 1 || view->relaxed->modulus[view->symmetry->place[place]] == 1 || *orbit)
            continue;
        append(name, " +%s", code_of(permute, permute->tile_of[permute->board[place]]));
        *orbit = true;
    }
}

pdb_status permute_views_tell(const struct permute_views *views, const uint8_t *position, pdb_bounds *bounds,
                              pdb_error *error)
{
    uint16_t far[PERMUTE_VIEWS_MAX];
    char name[VIEW_NAME_MAX];
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
