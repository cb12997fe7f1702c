/* places.c -- where pieces can ever stand, setting out from the named boards */
#include "slide.h"

#include <string.h>

/* All places that a piece bound to no axis can reach from those in `at`, alone on the board. */
static void close_places(const struct slide *slide, const struct slide_kind *kind, bool *at)
{
    const unsigned places = slide->puzzle.board.places;
    for (bool more = true; more;) {
        more = false;
        for (uint16_t place = 0; place < places; place++)
            for (unsigned d = 0; at[place] && d < 4; d++) {
                const uint16_t to = slide->neighbour[place][d];
                if (to == BOARD_NO_PLACE || at[to] || slide_cells(slide, kind, to) == NULL)
                    continue;
                at[to] = more = true;
            }
    }
}

/* Marks the cells of a piece that fits on the board, or takes the marks away. */
static void mark(const struct slide *slide, const struct slide_kind *kind, uint16_t place, bool *covered, bool with)
{
    const uint16_t *at = slide_cells(slide, kind, place);
    for (unsigned c = 0; at != NULL && c < kind->cells; c++)
        covered[at[c]] = with;
}

static bool is_free(const struct slide *slide, const struct slide_kind *kind, uint16_t place, const bool *covered)
{
    const uint16_t *at = slide_cells(slide, kind, place);
    for (unsigned c = 0; at != NULL && c < kind->cells; c++)
        if (covered[at[c]])
            return false;
    return at != NULL;
}

/* Adds the places that pieces of a kind bound to an axis come through on a map when all pieces of that axis are pushed
 * in direction d as far as they go, the other pieces taken off. Pieces of a line never pass each other: so a piece gets
 * to no places but these. */
static void push_places(const struct slide *slide, const struct slide_kind *pushed, const uint8_t *map, unsigned d,
                        bool *at)
{
    bool covered[BOARD_MAX_CELLS] = {false};
    const struct slide_kind *kinds[BOARD_MAX_CELLS]; /* of each piece */
    uint16_t here[BOARD_MAX_CELLS];                  /* where it stands now */
    unsigned pieces = 0;
    for (uint16_t place = 0; place < slide->puzzle.board.places; place++) {
        const struct slide_kind *kind = slide_kind_at(slide, map[place]);
        if (kind == NULL || kind->axis != pushed->axis)
            continue;
        mark(slide, kind, place, covered, true);
        kinds[pieces] = kind;
        here[pieces++] = place;
    }
    for (bool more = true; more;) {
        more = false;
        for (unsigned i = 0; i < pieces; i++) {
            const struct slide_kind *kind = kinds[i];
            const uint16_t to = slide->neighbour[here[i]][d];
            if (to == BOARD_NO_PLACE)
                continue;
            mark(slide, kind, here[i], covered, false);
            const bool goes = is_free(slide, kind, to, covered);
            here[i] = goes ? to : here[i];
            mark(slide, kind, here[i], covered, true);
            at[here[i]] |= kind == pushed;
            more |= goes;
        }
    }
}

void slide_find_places(const struct slide *slide, const struct slide_kind *kind, bool *at)
{
    const struct puzzle *puzzle = &slide->puzzle;
    const bool bound = kind->axis != SLIDE_FREE;
    memset(at, 0, puzzle->board.places * sizeof *at);
    for (size_t b = 0; b < puzzle->named_count; b++) {
        uint8_t map[BOARD_MAX_CELLS];
        slide_map(slide, puzzle->named[b].position, false, map, NULL, NULL);
        for (unsigned place = 0; place < puzzle->board.places; place++)
            at[place] |= slide_kind_at(slide, map[place]) == kind;
        for (unsigned d = 0; bound && d < 4; d++)
            if (slide_directions(kind) >> d & 1)
                push_places(slide, kind, map, d, at);
    }
    if (!bound)
        close_places(slide, kind, at);
}
