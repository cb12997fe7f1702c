/* keys.c -- sliding pieces without a dense ranking: keys
 *
 * A board is the sequence of its pieces and empty cells by the reading order of their first cells. The sequence's rank
 * among all orders of those things is the key: far from dense, for most sequences are no boards, but small (Klotski:
 * 415,800 sequences for 65,880 boards). The search of a whole space lives on keys of another form where it can
 * (packed.h, wide.h). Those are the keys of a puzzle with more orders than 63 bits can number, too.
 */
#include "wide.h"

#include <stdlib.h>
#include <string.h>

enum { EMPTY_CLASS = 0 }; /* the class of kind k is k + 1 */

pdb_status slide_keys_make(struct slide *slide, pdb_error *error)
{
    uint8_t members[SLIDE_MAX_KINDS + 1];
    unsigned pieces = 0;
    members[EMPTY_CLASS] = (uint8_t)slide->empties;
    for (unsigned k = 0; k < slide->kinds; k++) {
        members[k + 1] = slide->kind[k].count;
        pieces += slide->kind[k].count;
    }
    struct puzzle *puzzle = &slide->puzzle;
    puzzle->keyed = true;
    slide->unranked = slide->empties > UINT8_MAX ||
                      !order_ranking_init(&slide->order, slide->kinds + 1, members, false);
    puzzle->states = slide->unranked ? INT64_MAX : slide->order.orders;
    puzzle->coloured = false;
    /* One cell: a direction for each piece, or into each empty cell from each side. Far: a place for each piece. */
    const unsigned movers = pieces < slide->empties ? pieces : slide->empties;
    puzzle->max_moves = slide->far_moves ? pieces * puzzle->board.places : 4 * movers;
    if (puzzle->max_moves > UINT16_MAX)
        return error_set(error, PDB_TOO_LARGE, "a board can have more than %d moves", UINT16_MAX);
    return PDB_OK;
}

/* Where ranks do not fit. */
static uint64_t packed_key(const struct slide *slide, const uint8_t *map)
{
    struct wide_key key = {{0, 0}};
    const bool can = slide->packed != NULL ? slide_pack(slide, map, &key.word[1]) : slide_wide_key(slide, map, &key);
    return can ? key.word[1] : INT64_MAX;
}

unsigned slide_sequence(const struct slide *slide, const uint8_t *map, uint8_t *sequence)
{
    unsigned things = 0;
    for (unsigned place = 0; place < slide->puzzle.board.places; place++) {
        const struct slide_kind *kind = slide_kind_at(slide, map[place]);
        if (map[place] == SLIDE_EMPTY)
            sequence[things++] = EMPTY_CLASS;
        else if (kind != NULL)
            sequence[things++] = (uint8_t)(kind - slide->kind + 1);
    }
    return things;
}

uint64_t slide_key(const struct slide *slide, const uint8_t *map)
{
    uint8_t sequence[BOARD_MAX_CELLS];
    if (slide->unranked)
        return packed_key(slide, map);
    slide_sequence(slide, map, sequence);
    return order_rank(&slide->order, sequence);
}

bool slide_lay_down(const struct slide *slide, const struct slide_kind *kind, uint16_t place, uint8_t *map)
{
    for (unsigned c = 0; c < kind->cells; c++) {
        uint16_t at = slide_place(slide, place, kind->row[c], kind->column[c]);
        if (at == BOARD_NO_PLACE || map[at] != SLIDE_OPEN)
            return false;
        map[at] = (uint8_t)(kind->map + c);
    }
    return true;
}

bool slide_lay_sequence(const struct slide *slide, const uint8_t *sequence, unsigned things, uint8_t *map)
{
    const unsigned places = slide->puzzle.board.places;
    bool whole = true;
    uint16_t place = 0;
    for (unsigned i = 0; whole && i < things; i++) {
        if (place == places)
            whole = false;
        else if (sequence[i] == EMPTY_CLASS)
            map[place] = SLIDE_EMPTY;
        else
            whole = slide_lay_down(slide, &slide->kind[sequence[i] - 1], place, map);
        while (place < places && map[place] != SLIDE_OPEN)
            place++;
    }
    return whole && place == places;
}

/* The map of a rank, as slide_unpack gives that of a packed key. */
static bool map_of_rank(const struct slide *slide, uint64_t key, uint8_t *map)
{
    uint8_t sequence[BOARD_MAX_CELLS];
    if (key >= slide->order.orders)
        return false;
    order_unrank(&slide->order, key, 0, sequence);
    return slide_lay_sequence(slide, sequence, slide->order.things, map);
}

bool slide_key_map(const struct slide *slide, uint64_t key, uint8_t *map)
{
    const unsigned places = slide->puzzle.board.places;
    if (slide->unranked && slide->packed == NULL)
        return slide_wide_map(slide, (struct wide_key){{0, key}}, map);
    memset(map, SLIDE_OPEN, places);
    if (slide->unranked ? slide_unpack(slide, key, map) : map_of_rank(slide, key, map))
        return true;
    memset(map, SLIDE_EMPTY, places);
    return false;
}

struct key_adder {
    const struct slide *slide;
    uint64_t *next;
    size_t count;
};

static pdb_status add_key(void *context, const struct slide_step *step, pdb_error *error)
{
    (void)error;
    struct key_adder *adder = context;
    adder->next[adder->count++] = slide_key(adder->slide, step->cells);
    return PDB_OK;
}

size_t slide_key_successors(const struct slide *slide, const uint64_t *key, size_t count, uint64_t *next,
                            uint16_t *next_count)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t map[BOARD_MAX_CELLS];
        struct key_adder adder = {.slide = slide, .next = next + total};
        if (slide_key_map(slide, key[i], map))
            slide_steps(slide, map, add_key, &adder, NULL);
        next_count[i] = (uint16_t)adder.count;
        total += adder.count;
    }
    return total;
}
