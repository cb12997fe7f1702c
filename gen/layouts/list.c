/* list.c -- all layouts, one for all that are alike by a symmetry
 *
 * Layouts are found by backtracking over the entries, the pieces of an entry in ascending order of their placements, so
 * each comes once. A symmetry is one of the board's (mirrors, and turns by right angles of a square board) that leaves
 * the pictures as they are and takes every entry's placements to placements of it; the rules have to be the same
 * whichever way the board is turned, which is taken for granted only where no key speaks of directions. Of layouts that
 * are alike the least, as a list of numbers, is kept.
 */
#include "layouts.h"
#include "lib/error.h"
#include "lib/text.h"

#include <stdlib.h>
#include <string.h>

/* -- placements -- */

static size_t slot(const struct layouts *layouts, unsigned entry, unsigned form, unsigned cell)
{
    return ((size_t)entry * LAYOUT_FORMS + form) * layouts->board.rows * layouts->board.columns + cell;
}

static pdb_status find_placements(struct layouts *layouts, pdb_error *error)
{
    const unsigned cells = (unsigned)layouts->board.rows * layouts->board.columns;
    const size_t slots = (size_t)layouts->entries * LAYOUT_FORMS * cells;
    uint16_t covered[LAYOUT_CELLS];
    layouts->placement = calloc(slots + 1, sizeof *layouts->placement);
    layouts->at = malloc((slots + 1) * sizeof *layouts->at);
    if (layouts->placement == NULL || layouts->at == NULL)
        return error_no_memory(error, "placements", slots * sizeof *layouts->placement);
    memset(layouts->at, 0xFF, (slots + 1) * sizeof *layouts->at);
    for (unsigned e = 0; e < layouts->entries; e++) {
        struct entry *entry = &layouts->entry[e];
        entry->first = layouts->placements;
        for (unsigned f = 0; f < entry->forms; f++)
            for (unsigned cell = 0; cell < cells; cell++) {
                const struct placement placement = {(uint16_t)e, (uint16_t)f, (uint16_t)cell};
                if (!layouts_cells(layouts, &placement, covered))
                    continue;
                layouts->at[slot(layouts, e, f, cell)] = layouts->placements;
                layouts->placement[layouts->placements++] = placement;
            }
        entry->count = layouts->placements - entry->first;
    }
    return PDB_OK;
}

/* -- symmetries -- */

/* Where symmetry 1 .. 7 takes a cell: bit 0 mirrors left and right, bit 1 up and down, bit 2 rows and columns. */
static unsigned turn(const struct layouts *layouts, unsigned symmetry, unsigned cell)
{
    const unsigned rows = layouts->board.rows, columns = layouts->board.columns;
    unsigned row = cell / columns, column = cell % columns;
    if (symmetry & 1)
        column = columns - 1 - column;
    if (symmetry & 2)
        row = rows - 1 - row;
    return symmetry & 4 ? column * rows + row : row * columns + column;
}

static bool same_cell(const struct picture *picture, unsigned one, unsigned other)
{
    return picture->cell[one].length == picture->cell[other].length &&
           memcmp(picture->text + picture->cell[one].offset, picture->text + picture->cell[other].offset,
                  picture->cell[one].length) == 0;
}

static bool keeps_pictures(const struct layouts *layouts, unsigned symmetry)
{
    const unsigned cells = (unsigned)layouts->board.rows * layouts->board.columns;
    if ((symmetry & 4) && layouts->board.rows != layouts->board.columns)
        return false;
    for (unsigned cell = 0; cell < cells; cell++)
        if (!same_cell(&layouts->board, cell, turn(layouts, symmetry, cell)) ||
            (layouts->has_goal && !same_cell(&layouts->goal, cell, turn(layouts, symmetry, cell))))
            return false;
    return true;
}

/* Do no keys speak of directions, or of what this room does not know? */
static bool keys_allow(const struct layouts *layouts)
{
    static const char *const harmless[] = {"puzzle", "title",  "family",  "board",  "goal", "layouts", "metric",
                                           "pegs",   "glyphs", "colours", "legend", "exit", NULL};
    static const char *const even[] = {"length", "orthogonal", "diagonal", "king", "queen",
                                       "rook",   "bishop",     "knight",   NULL};
    const struct node *root = definition_root(layouts->definition);
    for (size_t i = 0; i < node_count(root); i++) {
        const char *key = node_text(node_key(root, i));
        const struct node *value = node_value(root, i);
        bool known = false;
        for (size_t k = 0; harmless[k] != NULL; k++)
            known |= strcmp(key, harmless[k]) == 0;
        for (size_t k = 0; !known && even[k] != NULL && node_kind(value) == NODE_SCALAR; k++)
            known = strcmp(node_text(value), even[k]) == 0;
        if (!known || (strcmp(key, "goal") == 0 && !layouts->has_goal))
            return false;
    }
    return true;
}

/* The placement of the same entry that covers the image of another one's cells with the same symbols. */
static uint32_t find_image(const struct layouts *layouts, unsigned symmetry, const struct placement *placement)
{
    const struct entry *entry = &layouts->entry[placement->entry];
    const struct form *form = &entry->form[placement->form];
    uint16_t cell[LAYOUT_CELLS], image[LAYOUT_CELLS];
    layouts_cells(layouts, placement, cell);
    for (uint32_t p = entry->first; p < entry->first + entry->count; p++) {
        const struct form *other = &entry->form[layouts->placement[p].form];
        unsigned same = 0;
        if (other->cells != form->cells)
            continue;
        layouts_cells(layouts, &layouts->placement[p], image);
        for (unsigned i = 0; i < form->cells; i++)
            for (unsigned k = 0; k < form->cells; k++)
                same += turn(layouts, symmetry, cell[i]) == image[k] && strcmp(form->code[i], other->code[k]) == 0;
        if (same == form->cells)
            return p;
    }
    return LAYOUT_NONE;
}

static pdb_status find_symmetries(struct layouts *layouts, pdb_error *error)
{
    if (!keys_allow(layouts))
        return PDB_OK;
    for (unsigned symmetry = 1; symmetry < 8; symmetry++) {
        bool good = keeps_pictures(layouts, symmetry);
        if (!good)
            continue;
        uint32_t *image = malloc((layouts->placements + 1) * sizeof *image);
        if (image == NULL)
            return error_no_memory(error, "a symmetry", layouts->placements * sizeof *image);
        for (uint32_t p = 0; good && p < layouts->placements; p++) {
            image[p] = find_image(layouts, symmetry, &layouts->placement[p]);
            good = image[p] != LAYOUT_NONE;
        }
        if (good)
            layouts->image[layouts->symmetries++] = image;
        else
            free(image);
    }
    return PDB_OK;
}

/* -- layouts -- */

int layouts_compare(const void *one, const void *other)
{
    const uint32_t a = *(const uint32_t *)one, b = *(const uint32_t *)other;
    return (a > b) - (a < b);
}

static int compare(const uint32_t *one, const uint32_t *other, unsigned pieces)
{
    unsigned i = 0;
    while (i < pieces && one[i] == other[i])
        i++;
    return i == pieces ? 0 : one[i] < other[i] ? -1 : 1;
}

/* Replaces sorted placements by the least of those alike. */
static void make_least(const struct layouts *layouts, uint32_t *placements)
{
    uint32_t given[LAYOUT_PIECES], image[LAYOUT_PIECES];
    memcpy(given, placements, layouts->pieces * sizeof *given);
    for (unsigned s = 0; s < layouts->symmetries; s++) {
        for (unsigned i = 0; i < layouts->pieces; i++)
            image[i] = layouts->image[s][given[i]];
        qsort(image, layouts->pieces, sizeof *image, layouts_compare);
        if (compare(image, placements, layouts->pieces) < 0)
            memcpy(placements, image, layouts->pieces * sizeof *image);
    }
}

/* The state of the backtracking. */
struct listing {
    struct layouts *layouts;
    uint64_t most, tries; /* tries: pieces that were put down */
    uint32_t chosen[LAYOUT_PIECES];
    bool taken[BOARD_MAX_CELLS];
    pdb_error *error;
};

static pdb_status keep(struct listing *listing)
{
    struct layouts *layouts = listing->layouts;
    uint32_t least[LAYOUT_PIECES];
    char number[NUMBER_TEXT_MAX];
    memcpy(least, listing->chosen, layouts->pieces * sizeof *least); /* ascending, as entries' placements are */
    if (layouts->all++ == listing->most)
        return error_set(listing->error, PDB_TOO_LARGE,
                         "%s: there are more than %s layouts: say more of where pieces stand, or allow more of them "
                         "(--most=N)",
                         layouts->name, number_text(listing->most, number));
    make_least(layouts, least);
    if (compare(least, listing->chosen, layouts->pieces) != 0)
        return PDB_OK;
    if (layouts->count == layouts->room) {
        const uint64_t room = 2 * layouts->room + 1024;
        uint32_t *grown = reallocarray(layouts->layout, room, layouts->pieces * sizeof *grown);
        if (grown == NULL)
            return error_no_memory(listing->error, "layouts", room * layouts->pieces * sizeof *grown);
        layouts->layout = grown;
        layouts->room = room;
    }
    memcpy(layouts->layout + layouts->count++ * layouts->pieces, least, layouts->pieces * sizeof *least);
    return PDB_OK;
}

/* Pieces that leave no room for the last of them are put down and taken up again without end. */
static pdb_status count_try(struct listing *listing)
{
    enum { TRIES_A_LAYOUT = 1000 };
    char number[NUMBER_TEXT_MAX];
    if (listing->tries++ / TRIES_A_LAYOUT < listing->most)
        return PDB_OK;
    return error_set(listing->error, PDB_TOO_LARGE,
                     "%s: %s pieces were put down, and hardly ever is there room for all: name the largest first, say "
                     "more of where pieces stand, or allow more (--most=N)",
                     listing->layouts->name, number_text(listing->tries, number));
}

/* Puts piece `piece` of all, the entry's piece `nth`, at every placement from `from` on, and then the others. */
static pdb_status put(struct listing *listing, unsigned piece, unsigned e, unsigned nth, uint32_t from)
{
    const struct layouts *layouts = listing->layouts;
    const struct entry *entry = &layouts->entry[e];
    pdb_status status = PDB_OK;
    if (piece == layouts->pieces)
        return keep(listing);
    if (nth == entry->times)
        return put(listing, piece, e + 1, 0, layouts->entry[e + 1].first);
    for (uint32_t p = from; status == PDB_OK && p < entry->first + entry->count; p++) {
        const unsigned cells = entry->form[layouts->placement[p].form].cells;
        uint16_t cell[LAYOUT_CELLS];
        bool room = true;
        layouts_cells(layouts, &layouts->placement[p], cell);
        for (unsigned i = 0; i < cells; i++)
            room &= !listing->taken[cell[i]];
        if (!room)
            continue;
        for (unsigned i = 0; i < cells; i++)
            listing->taken[cell[i]] = true;
        listing->chosen[piece] = p;
        status = count_try(listing);
        if (status == PDB_OK)
            status = put(listing, piece + 1, e, nth + 1, p + 1);
        for (unsigned i = 0; i < cells; i++)
            listing->taken[cell[i]] = false;
    }
    return status;
}

pdb_status layouts_list(struct layouts *layouts, uint64_t most, pdb_error *error)
{
    struct listing listing = {.layouts = layouts, .most = most, .error = error};
    pdb_status status = find_placements(layouts, error);
    if (status == PDB_OK)
        status = find_symmetries(layouts, error);
    if (status == PDB_OK)
        status = put(&listing, 0, 0, 0, layouts->entry[0].first);
    if (status == PDB_OK && layouts->count == 0)
        return error_set(error, PDB_UNREACHABLE, "%s: there is no room for all pieces", layouts->name);
    if (status == PDB_OK && layouts->count >= LAYOUT_NONE)
        return error_set(error, PDB_TOO_LARGE, "%s: these are more layouts than can be numbered", layouts->name);
    return status;
}

uint32_t layouts_find(const struct layouts *layouts, uint32_t *placements)
{
    uint64_t low = 0, high = layouts->count;
    qsort(placements, layouts->pieces, sizeof *placements, layouts_compare);
    make_least(layouts, placements);
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        const int order = compare(layouts->layout + middle * layouts->pieces, placements, layouts->pieces);
        if (order == 0)
            return (uint32_t)middle;
        low = order < 0 ? middle + 1 : low;
        high = order > 0 ? middle : high;
    }
    return LAYOUT_NONE;
}
