/* packed.c -- keys that are boards: their layout, and boards to keys and back */
#include "packed.h"
#include "wide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PACKED_BITS = 62 };

/* -- the places of a kind -- */

/* What a piece covers whose first cell stands at a place where it fits on the board. */
static uint64_t cells_at(const struct slide *slide, const struct slide_kind *kind, uint16_t place)
{
    const uint16_t *at = slide_cells(slide, kind, place);
    uint64_t covered = 0;
    for (unsigned c = 0; at != NULL && c < kind->cells; c++)
        covered |= (uint64_t)1 << at[c];
    return covered;
}

static void find_places(const struct slide *slide, struct packed_field *field)
{
    bool at[BOARD_MAX_CELLS];
    slide_find_places(slide, &slide->kind[field->kind], at);
    memset(field->number, PACKED_NOWHERE, sizeof field->number);
    for (unsigned place = 0; place < slide->puzzle.board.places; place++)
        if (at[place]) {
            field->number[place] = field->places;
            field->place[field->places++] = (uint8_t)place;
        }
}

static void make_tables(const struct slide *slide, struct packed_field *field)
{
    const struct slide_kind *kind = &slide->kind[field->kind];
    for (unsigned n = 0; n < field->places; n++)
        field->cells[n] = cells_at(slide, kind, field->place[n]);
    for (unsigned n = 0; n < field->places; n++)
        for (unsigned d = 0; d < 4; d++) {
            const uint16_t to = slide->neighbour[field->place[n]][d];
            struct packed_step *step = &field->step[n][d];
            step->entered = UINT64_MAX;
            if (!(slide_directions(kind) >> d & 1) || to == BOARD_NO_PLACE || field->number[to] == PACKED_NOWHERE)
                continue;
            const unsigned number = field->number[to];
            const uint64_t changed = field->list ? n ^ number : (uint64_t)1 << n | (uint64_t)1 << number;
            step->entered = field->cells[number] & ~field->cells[n];
            step->flip = changed << field->shift;
            field->to[n][d] = (uint8_t)number;
            field->around[n] |= step->entered;
            for (uint64_t left = step->entered; left != 0; left &= left - 1)
                field->near[__builtin_ctzll(left)] |= (uint64_t)1 << n;
        }
}

/* Does a step from a number enter a cell that the piece may have come from on the same way? One with a gap along its
 * way does: it is not stopped there by itself. */
static bool enters_its_own(const struct packed_field *field, unsigned number, bool up, uint64_t entered)
{
    uint64_t own = 0;
    for (unsigned n = up ? 0 : number; n < (up ? number + 1 : field->places); n++)
        own |= field->cells[n];
    return (entered & own) != 0;
}

/* Whether every step of a field's one piece leads to the next number, or the one before, and what it covers at first is
 * never in its way. */
static void find_straight(struct packed_field *field)
{
    field->straight = field->single;
    memset(field->down, 255, sizeof field->down);
    memset(field->up, 255, sizeof field->up);
    for (unsigned n = 0; n < field->places; n++)
        for (unsigned d = 0; d < 4; d++) {
            const uint64_t entered = field->step[n][d].entered;
            const unsigned to = field->to[n][d];
            if (entered == UINT64_MAX)
                continue;
            if (to + 1 == n)
                field->down[n] = entered;
            else if (to == n + 1)
                field->up[n] = entered;
            field->straight &= (to + 1 == n || to == n + 1) && !enters_its_own(field, n, to > n, entered);
        }
}

/* -- the layout -- */

/* How many bits number so many places. */
static unsigned number_bits(unsigned places)
{
    unsigned bits = 0;
    while ((1u << bits) < places)
        bits++;
    return bits;
}

/* Gives the field its bits, from `shift` on. */
static unsigned place_field(struct packed_field *field, unsigned shift)
{
    const unsigned number = number_bits(field->places), as_list = number * field->count;
    field->list = as_list < field->places;
    field->single = field->list && field->count == 1;
    field->bits = (uint8_t)(field->list ? number : 1);
    const unsigned width = field->list ? as_list : field->places;
    if (shift + width > PACKED_BITS)
        return PACKED_BITS + 1;
    field->shift = (uint8_t)shift;
    field->mask = (((uint64_t)1 << width) - 1) << shift;
    return shift + width;
}

/* What the goal asks of the fields. A cell of a piece other than its first says where the first one is. */
static void find_goal(const struct slide *slide, struct packed *packed)
{
    packed->goal_possible = true;
    for (uint16_t place = 0; place < slide->puzzle.board.places; place++) {
        const uint8_t map = slide->goal[place];
        if (map == SLIDE_OPEN)
            continue;
        if (map == SLIDE_EMPTY) {
            packed->empty_in_goal |= (uint64_t)1 << place;
            continue;
        }
        bool found = false;
        for (unsigned f = 0; f < packed->fields && !found; f++) {
            struct packed_field *field = &packed->field[f];
            const struct slide_kind *kind = &slide->kind[field->kind];
            for (unsigned n = 0; n < field->places && !found; n++) {
                const uint16_t *at = slide_cells(slide, kind, field->place[n]);
                for (unsigned c = 0; c < kind->cells; c++)
                    found |= at[c] == place && kind->map + c == map;
                field->goal |= (uint64_t)found << n;
            }
        }
        packed->goal_possible &= found;
    }
}

/* Lays the fields out for a keyed puzzle whose named boards are known. *out is NULL where they do not fit. */
static pdb_status packed_make(const struct slide *slide, struct packed **out, pdb_error *error)
{
    struct packed *packed = calloc(1, sizeof *packed + slide->kinds * sizeof *packed->field);
    unsigned shift = 0;
    *out = NULL;
    if (packed == NULL)
        return error_no_memory(error, "the keys' fields", slide->kinds * sizeof *packed->field);
    bool fits = slide->puzzle.board.places <= PACKED_PLACES && slide->puzzle.named_count > 0;
    for (unsigned k = 0; fits && k < slide->kinds; k++) {
        struct packed_field *field = &packed->field[packed->fields++];
        *field = (struct packed_field){.kind = (uint8_t)k, .count = slide->kind[k].count};
        find_places(slide, field);
        shift = place_field(field, shift);
        fits = shift <= PACKED_BITS;
        if (!fits)
            break;
        make_tables(slide, field);
        find_straight(field);
    }
    if (!fits) {
        free(packed);
        return PDB_OK;
    }
    packed->board = UINT64_MAX >> (PACKED_PLACES - slide->puzzle.board.places);
    find_goal(slide, packed);
    packed_sequence_prepare(slide, packed);
    *out = packed;
    return PDB_OK;
}

/* -- boards and keys -- */

bool slide_pack(const struct slide *slide, const uint8_t *map, uint64_t *key)
{
    const struct packed *packed = slide->packed;
    *key = 0;
    for (const struct packed_field *field = packed->field; field < packed->field + packed->fields; field++) {
        unsigned shift = field->shift;
        for (unsigned place = 0; place < slide->puzzle.board.places; place++) {
            if (slide_kind_at(slide, map[place]) != &slide->kind[field->kind])
                continue;
            if (field->number[place] == PACKED_NOWHERE)
                return false;
            *key |= field->list ? (uint64_t)field->number[place] << shift
                                : (uint64_t)1 << (field->shift + field->number[place]);
            shift += field->bits;
        }
    }
    return true;
}

bool slide_unpack(const struct slide *slide, uint64_t key, uint8_t *map)
{
    const struct packed *packed = slide->packed;
    bool whole = true;
    for (const struct packed_field *field = packed->field; whole && field < packed->field + packed->fields; field++) {
        const uint64_t set = packed_numbers(field, key);
        whole = field->places == 64 || set >> field->places == 0;
        for (uint64_t left = set; whole && left != 0; left &= left - 1)
            whole = slide_lay_down(slide, &slide->kind[field->kind], field->place[__builtin_ctzll(left)], map);
    }
    uint64_t again;
    for (unsigned place = 0; place < slide->puzzle.board.places; place++)
        map[place] = map[place] == SLIDE_OPEN ? SLIDE_EMPTY : map[place];
    return whole && slide_pack(slide, map, &again) && again == key;
}

static bool packed_is_goal(const struct slide *slide, uint64_t key)
{
    const struct packed *packed = slide->packed;
    uint64_t covered = 0;
    bool is = packed->goal_possible;
    for (const struct packed_field *field = packed->field; is && field < packed->field + packed->fields; field++) {
        is = field->goal == 0 || (field->goal & ~packed_numbers(field, key)) == 0;
        covered |= packed->empty_in_goal != 0 ? packed_covered(field, key) : 0;
    }
    return is && (covered & packed->empty_in_goal) == 0;
}

/* -- moves -- */

/* Adds the keys of all moves of the one piece of a straight field. */
static size_t move_straight(const struct packed_field *field, uint64_t key, uint64_t covered, bool far_moves,
                            uint64_t *next)
{
    const uint64_t number = (key & field->mask) >> field->shift, one = (uint64_t)1 << field->shift;
    size_t count = 0;
    uint64_t moved = key - one;
    for (const uint64_t *step = &field->down[number]; (*step & covered) == 0; step--, moved -= one) {
        next[count++] = moved;
        if (!far_moves)
            break;
    }
    moved = key + one;
    for (const uint64_t *step = &field->up[number]; (*step & covered) == 0; step++, moved += one) {
        next[count++] = moved;
        if (!far_moves)
            break;
    }
    return count;
}

/* Adds the keys of all steps of the piece with this number, the i-th in its field; `covered` is what pieces cover. Most
 * steps cannot be foretold: each is written down, and counts if it is free. */
static inline size_t step_piece(const struct packed_field *field, uint64_t key, unsigned i, unsigned number,
                                uint64_t covered, uint64_t *next)
{
    const struct packed_step *step = field->step[number];
    const bool ordered = field->list && field->count > 1;
    size_t count = 0;
    for (unsigned d = 0; !ordered && d < 4; d++) {
        next[count] = key ^ step[d].flip;
        count += (step[d].entered & covered) == 0;
    }
    for (unsigned d = 0; ordered && d < 4; d++)
        if ((step[d].entered & covered) == 0)
            next[count++] = packed_move_in_list(field, key, i, field->to[number][d]);
    return count;
}

/* The same in the metric `slide`: a piece goes on from every place that it reaches. */
static size_t slide_piece(const struct packed_field *field, uint64_t key, unsigned i, unsigned number, uint64_t covered,
                          uint64_t *next)
{
    const uint64_t others = covered & ~field->cells[number], from = (uint64_t)1 << number;
    uint64_t seen = from, left = from;
    size_t count = 0;
    while (left != 0) {
        const unsigned at = (unsigned)__builtin_ctzll(left);
        left &= left - 1;
        for (unsigned d = 0; d < 4; d++) {
            const unsigned number_to = field->to[at][d];
            const uint64_t to = (uint64_t)1 << number_to;
            const uint64_t entered = field->step[at][d].entered;
            if (entered == UINT64_MAX || (entered & others) != 0 || (seen & to) != 0)
                continue;
            seen |= to;
            left |= to;
            next[count++] = field->list ? packed_move_in_list(field, key, i, number_to)
                                        : key ^ (from | to) << field->shift;
        }
    }
    return count;
}

/* Adds the keys of all moves of a field's set of pieces. Those that an empty cell lies before are found from there. */
static inline size_t move_near(const struct slide *slide, const struct packed_field *field, uint64_t key,
                               uint64_t covered, uint64_t *next)
{
    uint64_t movable = 0;
    size_t count = 0;
    for (uint64_t empty = slide->packed->board & ~covered; empty != 0; empty &= empty - 1)
        movable |= field->near[__builtin_ctzll(empty)];
    for (movable &= (key & field->mask) >> field->shift; movable != 0; movable &= movable - 1) {
        const unsigned number = (unsigned)__builtin_ctzll(movable);
        count += slide->far_moves ? slide_piece(field, key, 0, number, covered, next + count)
                                  : step_piece(field, key, 0, number, covered, next + count);
    }
    return count;
}

/* The same of any field: each piece is looked at. */
static inline size_t move_listed(const struct slide *slide, const struct packed_field *field, uint64_t key,
                                 uint64_t covered, uint64_t *next)
{
    uint64_t left = (key & field->mask) >> field->shift;
    size_t count = 0;
    for (unsigned i = 0; i < field->count; i++) {
        const unsigned number = packed_take(field, &left);
        if ((field->around[number] & ~covered) == 0)
            continue;
        count += slide->far_moves ? slide_piece(field, key, i, number, covered, next + count)
                                  : step_piece(field, key, i, number, covered, next + count);
    }
    return count;
}

/* The keys one move away, into next[]; returns how many. */
static size_t packed_successors(const struct slide *slide, uint64_t key, uint64_t *next)
{
    const struct packed *packed = slide->packed;
    const struct packed_field *end = packed->field + packed->fields;
    uint64_t covered = 0;
    size_t count = 0;
    for (const struct packed_field *field = packed->field; field < end; field++)
        covered |= packed_covered(field, key);
    for (const struct packed_field *field = packed->field; field < end; field++)
        if (field->straight)
            count += move_straight(field, key, covered, slide->far_moves, next + count);
        else if (!field->list && slide->empties < 2u * field->count)
            count += move_near(slide, field, key, covered, next + count);
        else
            count += move_listed(slide, field, key, covered, next + count);
    return count;
}

/* -- the contract's functions -- */

static const struct slide *slide_of(const struct puzzle *puzzle)
{
    return (const struct slide *)puzzle;
}

static bool pack(const struct puzzle *puzzle, const uint8_t *position, uint64_t *packed)
{
    uint8_t map[BOARD_MAX_CELLS];
    return slide_map(slide_of(puzzle), position, false, map, NULL, NULL) == PDB_OK &&
           slide_pack(slide_of(puzzle), map, packed);
}

static size_t predecessors(const struct puzzle *puzzle, const uint64_t *packed, size_t count, uint64_t *next,
                           uint16_t *next_count)
{
    size_t total = 0;
    for (size_t i = 0; i < count; i++) {
        next_count[i] = (uint16_t)packed_successors(slide_of(puzzle), packed[i], next + total);
        total += next_count[i];
    }
    return total;
}

static void are_goals(const struct puzzle *puzzle, const uint64_t *packed, size_t count, bool *goal)
{
    for (size_t i = 0; i < count; i++)
        goal[i] = packed_is_goal(slide_of(puzzle), packed[i]);
}

static uint64_t packed_rank(const struct slide *slide, uint64_t key)
{
    struct packed_sequence sequence = {0};
    for (const struct packed_field *field = slide->packed->field; field < slide->packed->field + slide->packed->fields;
         field++)
        packed_sequence_add(&sequence, field, packed_numbers(field, key));
    return packed_sequence_rank(slide, &sequence);
}

static void unpack(const struct puzzle *puzzle, uint64_t *packed, size_t count)
{
    for (size_t i = 0; i < count && !slide_of(puzzle)->unranked; i++)
        packed[i] = packed_rank(slide_of(puzzle), packed[i]);
}

pdb_status slide_settle(struct puzzle *puzzle, pdb_error *error)
{
    struct slide *slide = (struct slide *)puzzle;
    struct family *functions = &puzzle->functions;
    pdb_status status = puzzle->keyed ? packed_make(slide, &slide->packed, error) : PDB_OK;
    if (slide->packed != NULL)
        functions->packed = (struct packed_functions){pack, predecessors, are_goals, unpack};
    if (!puzzle->keyed || slide->packed != NULL || status != PDB_OK)
        return status;
    status = wide_fields_make(slide, &slide->wide, error);
    if (status != PDB_OK)
        return status;
    if (slide->wide != NULL && wide_fields_bits(slide->wide) <= WIDE_NARROW_BITS) {
        functions->packed = slide_wide_packed();
    } else if (slide->unranked && slide->wide != NULL) {
        puzzle->wide = true;
        puzzle->states = 0;
        puzzle->size = ldexp(1, (int)wide_fields_bits(slide->wide));
        functions->wide = slide_wide_functions();
        functions->single.bounds = NULL; /* of indices, which there are none of */
    } else if (slide->unranked) {
        return error_set(error, PDB_TOO_LARGE,
                         puzzle->named_count == 0
                             ? "more than 9,223,372,036,854,775,807 states: too many to number; name a board in "
                               "'boards', and those that moves lead to from there may be few enough"
                             : "where the pieces stand takes more than 128 bits to tell: let there be fewer pieces, or "
                               "more that are alike");
    }
    return PDB_OK;
}
