/* lookup.c -- looking boards of different tiles up in a pattern database: making the tables (lookup.h) */
#include "lookup.h"
#include "patterns.h"
#include "lib/search/board/bounds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SYMMETRIES = 8 }; /* of a square */

/* -- making the tables -- */

/* The rank of a set of places is the sum, over its places p in ascending order, of the ways to choose as many places as
 * have come so far, p included, of those below p. Summed up here over the places of each byte. */
static void make_sets(struct tile_lookup *lookup, const struct pattern_space *space)
{
    for (unsigned byte = 0; byte < SETS_BYTES; byte++)
        for (unsigned below = 0; below <= TILES_MAX_PATTERN; below++)
            for (unsigned value = 0; value < 256; value++) {
                uint64_t sum = 0;
                unsigned rank = below;
                for (unsigned bit = 0; bit < 8; bit++)
                    if (value >> bit & 1)
                        sum += ++rank <= TILES_MAX_PATTERN ? space->choose[8 * byte + bit][rank] : 0;
                lookup->sets[byte][below][value] = (uint32_t)sum;
            }
}

/* The rank of a sequence falls apart into a multiple of t!, where the second half has t tiles, which follows from the
 * first half, and a remainder, which follows from the order of the second half's tiles among one another: so from the
 * second half. Both are noted at what the halves look like, order by order; what is no sequence keeps 0. */
static bool make_sequences(unsigned size, struct sequences *sequences)
{
    const uint8_t members[TILES_MAX_PATTERN] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
    const unsigned bits = size <= 8 ? 3 : 4, head = size / 2, tail = size - head;
    struct order_ranking ranking;
    order_ranking_init(&ranking, size, members, false);
    const uint32_t orders = (uint32_t)ranking.orders, tails = head == 0 ? orders : (uint32_t)ranking.weight[head - 1];
    *sequences = (struct sequences){.size = size, .bits = bits, .head_bits = bits * head, .orders = orders};
    sequences->head = calloc((size_t)1 << bits * head, sizeof *sequences->head);
    sequences->tail = calloc((size_t)1 << bits * tail, sizeof *sequences->tail);
    for (uint32_t rank = 0; sequences->head != NULL && sequences->tail != NULL && rank < orders; rank++) {
        uint8_t order[TILES_MAX_PATTERN];
        uint64_t packed = 0;
        order_unrank(&ranking, rank, 0, order);
        for (unsigned i = 0; i < size; i++)
            packed |= (uint64_t)order[i] << bits * i;
        sequences->head[packed & ((1u << bits * head) - 1)] = rank - rank % tails;
        sequences->tail[packed >> bits * head] = (uint8_t)(rank % tails);
    }
    return sequences->head != NULL && sequences->tail != NULL;
}

/* -- pictures -- */

/* Symmetry number `symmetry` of a rectangle as places to places; false where it does not keep the board and the goal's
 * empty place. Bit 0 turns the rows around, bit 1 the columns, bit 2 exchanges rows and columns afterwards. */
static bool find_image(const struct tiles *tiles, unsigned symmetry, uint8_t *image)
{
    const struct board *board = &tiles->slide->puzzle.board;
    if (symmetry & 4 && board->rows != board->columns)
        return false;
    for (unsigned place = 0; place < tiles->places; place++) {
        unsigned row = board->cell[place] / board->columns, column = board->cell[place] % board->columns;
        row = symmetry & 1 ? board->rows - 1 - row : row;
        column = symmetry & 2 ? board->columns - 1 - column : column;
        const uint16_t to = board->place[symmetry & 4 ? column * board->columns + row : row * board->columns + column];
        if (to == BOARD_NO_PLACE)
            return false;
        image[place] = (uint8_t)to;
    }
    return image[tiles->goal_empty] == tiles->goal_empty;
}

/* Does another picture look the same sums up? It does where the same tiles are in one pattern. */
static bool is_repeated(const struct tile_lookup *lookup, unsigned picture, unsigned tiles)
{
    const uint8_t *view = lookup->view[picture];
    for (unsigned p = 0; p < picture; p++) {
        const uint8_t *other = lookup->view[p];
        bool same = true;
        for (unsigned t = 0; t < tiles; t++)
            for (unsigned u = 0; u <= t; u++)
                same &= (view[t] != NO_VIEW && view[t] == view[u]) == (other[t] != NO_VIEW && other[t] == other[u]);
        if (same)
            return true;
    }
    return false;
}

/* Adds the picture of a partition under a symmetry, unless it would bring nothing new, or there is no room. */
static bool add_picture(struct tile_lookup *lookup, const struct tiles *tiles, const struct tiles_patterns *patterns,
                        unsigned partition, const uint8_t *image, const struct search_options *options)
{
    const unsigned picture = lookup->pictures, first = patterns->first[partition],
                   count = patterns->first[partition + 1] - first;
    uint8_t tile_of_goal[TILES_MAX_PLACES];
    if (picture == PICTURES_MAX || lookup->views + count > VIEWS_MAX)
        return false;
    for (uint8_t tile = 0; tile < tiles->tiles; tile++)
        tile_of_goal[tiles->goal_place[tile]] = tile;
    for (unsigned place = 0; place < tiles->places; place++) {
        lookup->image[picture][place] = image[place];
        lookup->source[picture][image[place]] = (uint8_t)place;
    }
    memset(lookup->view[picture], NO_VIEW, sizeof lookup->view[picture]);
    for (unsigned i = 0; i < count; i++) {
        const struct tiles_pattern *pattern = &patterns->pattern[first + i];
        for (uint8_t digit = 0; digit < pattern->size; digit++) {
            const uint8_t goal = lookup->source[picture][tiles->goal_place[pattern->tile[digit]]];
            lookup->view[picture][tile_of_goal[goal]] = (uint8_t)(lookup->views + i);
            lookup->digit[picture][tile_of_goal[goal]] = digit;
        }
        lookup->table[lookup->views + i] = (struct view_table){
            .bytes = lookup->bytes + options->patterns->table[first + i].offset,
            .sequences = lookup->sequences[pattern->size],
        };
    }
    if (is_repeated(lookup, picture, tiles->tiles))
        return false;
    lookup->views += count;
    lookup->view_end[lookup->pictures++] = lookup->views;
    return true;
}

static void add_pictures(struct tile_lookup *lookup, const struct tiles *tiles, const struct tiles_patterns *patterns,
                         const struct search_options *options)
{
    uint8_t image[TILES_MAX_PLACES];
    lookup->reflections = true;
    for (unsigned symmetry = 0; symmetry < SYMMETRIES; symmetry++) {
        bool added = false;
        if (symmetry > 0 && options->no_symmetries)
            break;
        if (!find_image(tiles, symmetry, image))
            continue;
        for (unsigned partition = 0; partition < patterns->partitions; partition++)
            added |= add_picture(lookup, tiles, patterns, partition, image, options);
        if (!added || symmetry == 0)
            continue;
        lookup->images++;
        lookup->reflections &= __builtin_parity(symmetry); /* each of the three turns the board over */
    }
}

pdb_status tile_lookup_create(const struct tiles *tiles, const struct search_options *options, struct tile_lookup **out,
                              pdb_error *error)
{
    struct tiles_patterns patterns;
    struct pattern_space space;
    struct tile_lookup *lookup = *out = calloc(1, sizeof *lookup);
    if (lookup == NULL)
        return error_no_memory(error, "look-ups", sizeof *lookup);
    tiles_read_patterns(tiles, options->patterns->text, &patterns);
    for (unsigned p = 0; p < patterns.patterns; p++) {
        const unsigned size = patterns.pattern[p].size;
        if (lookup->sequences[size].head == NULL && !make_sequences(size, &lookup->sequences[size]))
            return error_no_memory(error, "look-ups", sizeof(uint32_t) << 4 * TILES_MAX_PATTERN / 2);
    }
    const pdb_status status = options->source->load(options->source->context, NULL, NULL, &lookup->bytes, error);
    if (status != PDB_OK)
        return status;
    pattern_space_make(tiles, 1, &space);
    lookup->places = tiles->places;
    lookup->set_bytes = (tiles->places + 7) / 8;
    lookup->plain = true;
#ifdef __x86_64__
    lookup->plain = !__builtin_cpu_supports("popcnt") || !__builtin_cpu_supports("bmi") ||
                    !__builtin_cpu_supports("bmi2");
#endif
    make_sets(lookup, &space);
    add_pictures(lookup, tiles, &patterns, options);
    return PDB_OK;
}

void tile_lookup_free(struct tile_lookup *lookup)
{
    if (lookup == NULL)
        return;
    for (unsigned size = 0; size <= TILES_MAX_PATTERN; size++) {
        free(lookup->sequences[size].head);
        free(lookup->sequences[size].tail);
    }
    free(lookup);
}

unsigned tile_lookup_images(const struct tile_lookup *lookup, bool *reflections)
{
    *reflections = lookup->reflections;
    return lookup->images;
}

/* -- whole boards -- */

int tile_lookup_read(const struct tile_lookup *lookup, const uint8_t *tile, unsigned empty, struct view *view, int *sum)
{
    int excess = 0;
    unsigned length[VIEWS_MAX] = {0}; /* of the sequences so far, in bits */
    memset(view, 0, lookup->views * sizeof *view);
    for (unsigned picture = 0; picture < lookup->pictures; picture++)
        for (unsigned place = 0; place < lookup->places; place++) {
            const unsigned source = lookup->source[picture][place];
            const unsigned v = source == empty ? NO_VIEW : lookup->view[picture][tile[source]];
            if (v == NO_VIEW)
                continue;
            view[v].places |= 1ull << place;
            view[v].sequence |= (uint64_t)lookup->digit[picture][tile[source]] << length[v];
            length[v] += lookup->table[v].sequences.bits;
        }
    for (unsigned v = 0; v < lookup->views; v++)
        __builtin_prefetch(lookup->table[v].bytes +
                           entry_of(lookup, &lookup->table[v], view[v].places, view[v].sequence) / 2);
    for (unsigned picture = 0, v = 0; picture < lookup->pictures; picture++) {
        sum[picture] = 0;
        for (; v < lookup->view_end[picture]; v++) {
            view[v].value = (uint8_t)value_of(&lookup->table[v],
                                              entry_of(lookup, &lookup->table[v], view[v].places, view[v].sequence));
            sum[picture] += view[v].value;
        }
        excess = sum[picture] > excess ? sum[picture] : excess;
    }
    return excess;
}

unsigned tile_lookup_excess(const struct tile_search *search, const uint8_t *tile, unsigned empty)
{
    struct view view[VIEWS_MAX];
    int sum[PICTURES_MAX];
    return (unsigned)tile_lookup_read(search->lookup, tile, empty, view, sum);
}

/* -- for people -- */

/* The tiles of a picture's patterns, as a definition has them: "1 2 3 | 4 5 6". */
static void name_picture(const struct tile_search *search, unsigned picture, char text[PATTERNS_TEXT_MAX])
{
    const struct tile_lookup *lookup = search->lookup;
    const struct board *board = &search->tiles.slide->puzzle.board;
    const unsigned first = picture > 0 ? lookup->view_end[picture - 1] : 0;
    size_t length = 0;
    *text = '\0';
    for (unsigned v = first; v < lookup->view_end[picture]; v++) {
        if (v > first)
            length += (size_t)snprintf(text + length, PATTERNS_TEXT_MAX - length, " |");
        for (unsigned tile = 0; tile < search->tiles.tiles && length < PATTERNS_TEXT_MAX; tile++)
            if (lookup->view[picture][tile] == v)
                length += (size_t)snprintf(text + length, PATTERNS_TEXT_MAX - length, "%s%s", length > 0 ? " " : "",
                                           board->symbol[search->tiles.symbol_of[tile]].code);
    }
}

pdb_status tile_lookup_tell(const struct tile_search *search, const uint8_t *tile, unsigned empty, uint32_t far,
                            pdb_bounds *bounds, pdb_error *error)
{
    struct view view[VIEWS_MAX];
    int sum[PICTURES_MAX];
    char tiles[PATTERNS_TEXT_MAX], name[PATTERNS_TEXT_MAX + 32];
    pdb_status status = PDB_OK;
    tile_lookup_read(search->lookup, tile, empty, view, sum);
    for (unsigned picture = 0; status == PDB_OK && picture < search->lookup->pictures; picture++) {
        name_picture(search, picture, tiles);
        snprintf(name, sizeof name, "pattern databases %s", tiles);
        status = bounds_add(bounds, name, far + 2 * (uint32_t)sum[picture], error);
    }
    return status;
}
