/* wide.c -- keys of any boards: their layout, boards to keys and back, and moves */
#include "wide.h"

#include <stdlib.h>
#include <string.h>

enum { WIDE_BITS = 128, WIDE_NOWHERE = UINT16_MAX };

typedef unsigned __int128 wide_bits;

/* The pieces of one kind in one region. */
struct wide_field {
    const struct slide_kind *kind;
    unsigned count, places;
    unsigned shift, bits; /* of the field; bits of one number where it is a list, 1 where it is a set */
    bool list;
    uint16_t *place; /* of the board, by number */
};

struct wide_fields {
    bool digits; /* keys are digits, and there is nothing else to know but: */
    unsigned bits;
    unsigned fields;
    struct wide_field field[BOARD_MAX_CELLS]; /* each has a piece */
    /* by kind and place: the field that a piece there is in, and the place's number; WIDE_NOWHERE */
    uint16_t *field_at, *number_at;
    uint16_t *place; /* what fields' places point into: kind by kind, region by region */
};

/* -- regions -- */

/* Numbers the regions that a kind's places at[] fall into: region[] by place, 0 for what is none of them. Returns how
 * many there are. */
static unsigned find_regions(const struct slide *slide, const struct slide_kind *kind, const bool *at, uint16_t *region)
{
    unsigned regions = 0;
    uint16_t queue[BOARD_MAX_CELLS];
    memset(region, 0, slide->puzzle.board.places * sizeof *region);
    for (uint16_t first = 0; first < slide->puzzle.board.places; first++) {
        if (!at[first] || region[first] != 0)
            continue;
        unsigned count = 1;
        queue[0] = first;
        region[first] = (uint16_t)++regions;
        for (unsigned done = 0; done < count; done++)
            for (unsigned d = 0; d < 4; d++) {
                const uint16_t to = slide->neighbour[queue[done]][d];
                if (!(slide_directions(kind) >> d & 1) || to == BOARD_NO_PLACE || !at[to] || region[to] != 0)
                    continue;
                region[to] = (uint16_t)regions;
                queue[count++] = to;
            }
    }
    return regions;
}

/* How many pieces of a kind each region has on a named board: pieces[] by region. */
static void count_pieces(const struct slide *slide, const struct slide_kind *kind, size_t named, const uint16_t *region,
                         uint16_t *pieces)
{
    uint8_t map[BOARD_MAX_CELLS];
    slide_map(slide, slide->puzzle.named[named].position, false, map, NULL, NULL);
    memset(pieces, 0, (BOARD_MAX_CELLS + 1) * sizeof *pieces);
    for (unsigned place = 0; place < slide->puzzle.board.places; place++)
        if (slide_kind_at(slide, map[place]) == kind)
            pieces[region[place]]++;
}

/* The regions of a kind, and the pieces of each: one region of all where the named boards differ in these. */
static unsigned share_out(const struct slide *slide, const struct slide_kind *kind, uint16_t *region, uint16_t *pieces)
{
    bool at[BOARD_MAX_CELLS], same = true;
    uint16_t others[BOARD_MAX_CELLS + 1];
    slide_find_places(slide, kind, at);
    const unsigned regions = find_regions(slide, kind, at, region);
    count_pieces(slide, kind, 0, region, pieces);
    for (size_t b = 1; same && b < slide->puzzle.named_count; b++) {
        count_pieces(slide, kind, b, region, others);
        same = memcmp(pieces, others, sizeof others) == 0;
    }
    if (same)
        return regions;
    for (unsigned place = 0; place < slide->puzzle.board.places; place++)
        region[place] = region[place] != 0;
    pieces[1] = kind->count;
    return 1;
}

/* -- the layout -- */

static unsigned number_bits(unsigned places)
{
    unsigned bits = 0;
    while ((1u << bits) < places)
        bits++;
    return bits;
}

/* Gives the field its bits; false where they do not fit. */
static bool place_field(struct wide_fields *fields, struct wide_field *field)
{
    const unsigned number = number_bits(field->places), as_list = number * field->count;
    field->list = as_list < field->places;
    field->bits = field->list ? number : 1;
    field->shift = fields->bits;
    fields->bits += field->list ? as_list : field->places;
    return fields->bits <= WIDE_BITS;
}

/* Adds the fields of a kind; false where they do not fit. */
static bool add_kind(const struct slide *slide, unsigned k, struct wide_fields *fields)
{
    const unsigned places = slide->puzzle.board.places;
    const struct slide_kind *kind = &slide->kind[k];
    uint16_t region[BOARD_MAX_CELLS], pieces[BOARD_MAX_CELLS + 1], *next = fields->place + k * places;
    const unsigned regions = share_out(slide, kind, region, pieces);
    bool fits = true;
    for (unsigned r = 1; fits && r <= regions; r++) {
        struct wide_field *field = &fields->field[fields->fields];
        *field = (struct wide_field){.kind = kind, .count = pieces[r], .place = next};
        for (uint16_t place = 0; place < places; place++) {
            if (region[place] != r)
                continue;
            fields->field_at[k * places + place] = (uint16_t)fields->fields;
            fields->number_at[k * places + place] = (uint16_t)field->places++;
            *next++ = place;
        }
        fits = place_field(fields, field);
        fields->fields++;
    }
    return fits;
}

void wide_fields_free(struct wide_fields *fields)
{
    if (fields == NULL)
        return;
    free(fields->field_at);
    free(fields);
}

unsigned wide_fields_bits(const struct wide_fields *fields)
{
    return fields->bits;
}

pdb_status wide_fields_make(const struct slide *slide, struct wide_fields **out, pdb_error *error)
{
    *out = NULL;
    if (slide->puzzle.named_count == 0)
        return PDB_OK;
    const size_t size = (size_t)slide->kinds * slide->puzzle.board.places;
    struct wide_fields *fields = calloc(1, sizeof *fields);
    uint16_t *tables = malloc(3 * size * sizeof *tables);
    if (fields == NULL || tables == NULL) {
        free(fields);
        free(tables);
        return error_no_memory(error, "the keys' fields", sizeof *fields + 3 * size * sizeof *tables);
    }
    memset(tables, 255, 2 * size * sizeof *tables); /* WIDE_NOWHERE */
    fields->field_at = tables;
    fields->number_at = tables + size;
    fields->place = tables + 2 * size;
    bool fits = true;
    for (unsigned k = 0; fits && k < slide->kinds; k++)
        fits = add_kind(slide, k, fields);
    const unsigned digits = slide_digits_bits(slide);
    fields->digits = (!fits && digits <= WIDE_BITS) || (digits <= WIDE_NARROW_BITS && fields->bits > WIDE_NARROW_BITS);
    fields->bits = fields->digits ? digits : fields->bits;
    if (fits || fields->digits)
        *out = fields;
    else
        wide_fields_free(fields);
    return PDB_OK;
}

/* -- boards and keys -- */

static wide_bits bits_of(struct wide_key key)
{
    return (wide_bits)key.word[0] << 64 | key.word[1];
}

static struct wide_key key_of(wide_bits bits)
{
    return (struct wide_key){{(uint64_t)(bits >> 64), (uint64_t)bits}};
}

static wide_bits low_bits(unsigned bits)
{
    return bits < WIDE_BITS ? ((wide_bits)1 << bits) - 1 : ~(wide_bits)0;
}

/* A field as it stands at the bottom of a key; a shift by all bits is none in C, and comes where the field has none. */
static wide_bits field_of(const struct wide_field *field, wide_bits key)
{
    const unsigned width = field->list ? field->bits * field->count : field->places;
    return width == 0 ? 0 : key >> field->shift & low_bits(width);
}

/* Takes the next number, ascending, from what is left of a field; field->places where a set is empty. */
static unsigned take(const struct wide_field *field, wide_bits *left)
{
    if (field->list) {
        const unsigned number = (unsigned)(*left & low_bits(field->bits));
        *left >>= field->bits;
        return number;
    }
    if (*left == 0)
        return field->places;
    const uint64_t low = (uint64_t)*left;
    const unsigned number = (unsigned)(low != 0 ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(*left >> 64)));
    *left &= *left - 1;
    return number;
}

bool slide_wide_key(const struct slide *slide, const uint8_t *map, struct wide_key *key)
{
    const struct wide_fields *fields = slide->wide;
    const unsigned places = slide->puzzle.board.places;
    uint16_t taken[BOARD_MAX_CELLS];
    wide_bits bits = 0;
    if (fields->digits) {
        *key = slide_digits(slide, map);
        return true;
    }
    memset(taken, 0, fields->fields * sizeof *taken);
    for (unsigned place = 0; place < places; place++) {
        const struct slide_kind *kind = slide_kind_at(slide, map[place]);
        if (kind == NULL)
            continue;
        const size_t at = (size_t)(kind - slide->kind) * places + place;
        const unsigned f = fields->field_at[at], number = fields->number_at[at];
        if (f == WIDE_NOWHERE)
            return false;
        const struct wide_field *field = &fields->field[f];
        if (taken[f] == field->count)
            return false;
        const unsigned i = taken[f]++;
        if (!field->list)
            bits |= (wide_bits)1 << (field->shift + number);
        else if (field->bits > 0)
            bits |= (wide_bits)number << (field->shift + i * field->bits);
    }
    *key = key_of(bits);
    return true;
}

/* Lays a piece down on empty cells, or takes it off. */
static bool lay_down(const struct slide *slide, const struct slide_kind *kind, uint16_t place, uint8_t *map)
{
    const uint16_t *at = slide_cells(slide, kind, place);
    for (unsigned c = 0; c < kind->cells; c++) {
        if (map[at[c]] != SLIDE_EMPTY)
            return false;
        map[at[c]] = (uint8_t)(kind->map + c);
    }
    return true;
}

static void take_off(const struct slide *slide, const struct slide_kind *kind, uint16_t place, uint8_t *map)
{
    const uint16_t *at = slide_cells(slide, kind, place);
    for (unsigned c = 0; c < kind->cells; c++)
        map[at[c]] = SLIDE_EMPTY;
}

bool slide_wide_map(const struct slide *slide, struct wide_key key, uint8_t *map)
{
    const struct wide_fields *fields = slide->wide;
    const wide_bits bits = bits_of(key);
    if (fields->digits)
        return slide_digits_map(slide, key, map);
    bool whole = (bits & ~low_bits(fields->bits)) == 0;
    memset(map, SLIDE_EMPTY, slide->puzzle.board.places);
    for (const struct wide_field *field = fields->field; whole && field < fields->field + fields->fields; field++) {
        wide_bits left = field_of(field, bits);
        unsigned least = 0;
        for (unsigned i = 0; whole && i < field->count; i++) {
            const unsigned number = take(field, &left);
            whole = number >= least && number < field->places &&
                    lay_down(slide, field->kind, field->place[number], map);
            least = number + 1;
        }
        whole = whole && left == 0;
    }
    if (!whole)
        memset(map, SLIDE_EMPTY, slide->puzzle.board.places);
    return whole;
}

/* -- moves -- */

/* The key after the i-th piece of a field's list went to number `to`: the numbers in between move up or down by one
 * place in the list, for it stays ascending. */
static wide_bits move_in_list(const struct wide_field *field, wide_bits key, unsigned i, unsigned to)
{
    const unsigned bits = field->bits;
    const wide_bits list = field_of(field, key), below = list & low_bits(i * bits);
    const wide_bits others = below | list >> i * bits >> bits << i * bits;
    unsigned at = 0; /* its new place in the list */
    while (at + 1 < field->count && (unsigned)(others >> at * bits & low_bits(bits)) < to)
        at++;
    const wide_bits moved = (others & low_bits(at * bits)) | (wide_bits)to << at * bits |
                            others >> at * bits << at * bits << bits;
    return key ^ (list ^ moved) << field->shift;
}

/* The key after the i-th piece of a field went from number `from` to number `to`. */
static wide_bits move_piece(const struct wide_field *field, wide_bits key, unsigned i, unsigned from, unsigned to)
{
    if (field->list && field->count > 1)
        return move_in_list(field, key, i, to);
    return key ^ (field->list ? (wide_bits)(from ^ to) : (wide_bits)1 << from | (wide_bits)1 << to) << field->shift;
}

/* Keys of one form or the other, one after another. */
struct key_list {
    bool in_words; /* of one: */
    uint64_t *word;
    struct wide_key *wide;
    size_t count;
};

static void add_key(struct key_list *keys, wide_bits key)
{
    if (keys->in_words)
        keys->word[keys->count++] = (uint64_t)key;
    else
        keys->wide[keys->count++] = key_of(key);
}

struct digits_adder {
    const struct slide *slide;
    struct key_list *keys;
};

static pdb_status add_digits(void *context, const struct slide_step *step, pdb_error *error)
{
    (void)error;
    const struct digits_adder *adder = context;
    add_key(adder->keys, bits_of(slide_digits(adder->slide, step->cells)));
    return PDB_OK;
}

/* Adds the keys one move away from that of a map. */
static void add_moves(const struct slide *slide, wide_bits key, uint8_t *map, struct key_list *keys)
{
    const struct wide_fields *fields = slide->wide;
    uint16_t to[BOARD_MAX_CELLS];
    uint8_t direction[BOARD_MAX_CELLS];
    if (fields->digits) {
        slide_steps(slide, map, add_digits, &(struct digits_adder){slide, keys}, NULL);
        return;
    }
    for (const struct wide_field *field = fields->field; field < fields->field + fields->fields; field++) {
        const uint16_t *number_at = fields->number_at +
                                    (size_t)(field->kind - slide->kind) * slide->puzzle.board.places;
        wide_bits left = field_of(field, key);
        if (field->places == field->count) /* all are taken: none has anywhere to go */
            continue;
        for (unsigned i = 0; i < field->count; i++) {
            const unsigned number = take(field, &left);
            const uint16_t from = field->place[number];
            take_off(slide, field->kind, from, map);
            const unsigned count = slide_destinations(slide, field->kind, map, from, to, direction);
            lay_down(slide, field->kind, from, map);
            for (unsigned d = 0; d < count; d++) {
                const unsigned there = number_at[to[d]];
                if (there == WIDE_NOWHERE) /* from a board that the named ones do not lead to */
                    continue;
                add_key(keys, move_piece(field, key, i, number, there));
            }
        }
    }
}

/* Adds the keys one move away from a key; returns how many, none where it is no board's. */
static uint16_t add_successors(const struct slide *slide, struct wide_key key, struct key_list *keys)
{
    const size_t before = keys->count;
    uint8_t map[BOARD_MAX_CELLS];
    if (slide_wide_map(slide, key, map))
        add_moves(slide, bits_of(key), map, keys);
    return (uint16_t)(keys->count - before);
}

static bool is_goal(const struct slide *slide, struct wide_key key)
{
    uint8_t map[BOARD_MAX_CELLS];
    return slide_wide_map(slide, key, map) && slide_fits_goal(slide, map);
}

/* -- the contract's functions -- */

static const struct slide *slide_of(const struct puzzle *puzzle)
{
    return (const struct slide *)puzzle;
}

static bool rank(const struct puzzle *puzzle, const uint8_t *position, struct wide_key *key)
{
    uint8_t map[BOARD_MAX_CELLS];
    return slide_map(slide_of(puzzle), position, false, map, NULL, NULL) == PDB_OK &&
           slide_wide_key(slide_of(puzzle), map, key);
}

static void unrank(const struct puzzle *puzzle, struct wide_key key, uint8_t *position)
{
    uint8_t map[BOARD_MAX_CELLS];
    slide_wide_map(slide_of(puzzle), key, map);
    slide_position(slide_of(puzzle), map, position);
}

static size_t successors(const struct puzzle *puzzle, const struct wide_key *key, size_t count, struct wide_key *next,
                         uint32_t *cost, uint16_t *next_count)
{
    struct key_list keys = {.wide = next};
    for (size_t i = 0; i < count; i++)
        next_count[i] = add_successors(slide_of(puzzle), key[i], &keys);
    for (size_t i = 0; cost != NULL && i < keys.count; i++)
        cost[i] = 1;
    return keys.count;
}

static void are_goals(const struct puzzle *puzzle, const struct wide_key *key, size_t count, bool *goal)
{
    for (size_t i = 0; i < count; i++)
        goal[i] = is_goal(slide_of(puzzle), key[i]);
}

static void bounds(const struct puzzle *puzzle, const struct wide_key *key, size_t count, uint16_t *bound)
{
    const struct slide *slide = slide_of(puzzle);
    uint8_t map[BOARD_MAX_CELLS];
    for (size_t i = 0; i < count; i++) {
        slide_wide_map(slide, key[i], map);
        bound[i] = assignment_bound(&slide->assignment, map);
    }
}

struct wide_functions slide_wide_functions(void)
{
    return (struct wide_functions){
        .rank = rank, .unrank = unrank, .successors = successors, .are_goals = are_goals, .bounds = bounds};
}

/* -- the same for keys of one word -- */

static struct wide_key widened(uint64_t key)
{
    return (struct wide_key){{0, key}};
}

static bool pack(const struct puzzle *puzzle, const uint8_t *position, uint64_t *packed)
{
    struct wide_key key;
    const bool can = rank(puzzle, position, &key);
    *packed = can ? key.word[1] : 0;
    return can;
}

static size_t packed_predecessors(const struct puzzle *puzzle, const uint64_t *packed, size_t count, uint64_t *next,
                                  uint16_t *next_count)
{
    struct key_list keys = {.in_words = true, .word = next};
    for (size_t i = 0; i < count; i++)
        next_count[i] = add_successors(slide_of(puzzle), widened(packed[i]), &keys);
    return keys.count;
}

static void packed_are_goals(const struct puzzle *puzzle, const uint64_t *packed, size_t count, bool *goal)
{
    for (size_t i = 0; i < count; i++)
        goal[i] = is_goal(slide_of(puzzle), widened(packed[i]));
}

static void unpack(const struct puzzle *puzzle, uint64_t *packed, size_t count)
{
    uint8_t map[BOARD_MAX_CELLS];
    for (size_t i = 0; i < count && !slide_of(puzzle)->unranked; i++) {
        slide_wide_map(slide_of(puzzle), widened(packed[i]), map);
        packed[i] = slide_key(slide_of(puzzle), map);
    }
}

struct packed_functions slide_wide_packed(void)
{
    return (struct packed_functions){pack, packed_predecessors, packed_are_goals, unpack};
}
