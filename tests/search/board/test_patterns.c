/* test_patterns.c -- pattern databases of boards of different tiles
 *
 * Tables are held, entry by entry, against a search over whole patterns: a queue of (empty place, places of the tiles),
 * written from the rules alone. Sums of entries are held against the distances of all states.
 */
#include "catalog/catalog.h"
#include "lib/families/slide/tiles/tiles.h"
#include "tests/support/support.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define SLIDE "puzzle: test\nfamily: slide\n"

enum { NEVER = UINT16_MAX };

/* -- a plain search -- */

/* The least moves of the pattern's tiles from the goal, for every empty place and places of the tiles. A state is a
 * number in base `places`: the empty place, then the places of the tiles. */
struct plain {
    const struct tiles *tiles;
    const struct tiles_pattern *pattern;
    size_t states;
    uint16_t *moves;
};

static void unpack(const struct plain *plain, size_t state, unsigned *empty, unsigned *at)
{
    for (unsigned i = plain->pattern->size; i-- > 0; state /= plain->tiles->places)
        at[i] = (unsigned)(state % plain->tiles->places);
    *empty = (unsigned)state;
}

static size_t pack(const struct plain *plain, unsigned empty, const unsigned *at)
{
    size_t state = empty;
    for (unsigned i = 0; i < plain->pattern->size; i++)
        state = state * plain->tiles->places + at[i];
    return state;
}

/* Moves of the empty place cost 1 where they move a tile of the pattern, else nothing: states at the same distance are
 * finished before the next. */
static void plain_search(struct plain *plain)
{
    const struct tiles *tiles = plain->tiles;
    unsigned at[TILES_MAX_PATTERN], empty = tiles->goal_empty;
    plain->states = tiles->places;
    for (unsigned i = 0; i < plain->pattern->size; i++) {
        plain->states *= tiles->places;
        at[i] = tiles->goal_place[plain->pattern->tile[i]];
    }
    plain->moves = checked_memory(plain->states, sizeof *plain->moves);
    memset(plain->moves, 0xFF, plain->states * sizeof *plain->moves);
    size_t *now = checked_memory(plain->states, sizeof *now), *later = checked_memory(4 * plain->states, sizeof *later);
    size_t count = 1, next = 0;
    now[0] = pack(plain, empty, at);
    plain->moves[now[0]] = 0;
    for (uint16_t distance = 0; count > 0; distance++) {
        for (size_t done = 0; done < count; done++) {
            unpack(plain, now[done], &empty, at);
            for (unsigned d = 0; d < 4; d++) {
                const unsigned to = tiles->slide->neighbour[empty][d];
                if (to == BOARD_NO_PLACE)
                    continue;
                unsigned moved = 0;
                while (moved < plain->pattern->size && at[moved] != to)
                    moved++;
                const bool own = moved < plain->pattern->size;
                if (own)
                    at[moved] = empty;
                const size_t state = pack(plain, to, at);
                if (own)
                    at[moved] = to;
                if (plain->moves[state] != NEVER)
                    continue;
                if (own) {
                    later[next++] = state;
                } else {
                    plain->moves[state] = distance;
                    now[count++] = state;
                }
            }
        }
        count = 0; /* of the next distance: those that are still new */
        for (size_t i = 0; i < next; i++)
            if (plain->moves[later[i]] == NEVER) {
                plain->moves[later[i]] = (uint16_t)(distance + 1);
                now[count++] = later[i];
            }
        next = 0;
    }
    free(now);
    free(later);
}

/* -- entries, numbered in the obvious way -- */

static bool next_choice(unsigned n, unsigned k, unsigned *place)
{
    for (unsigned i = 0; i < k; i++) /* colexicographic: the first that can go up does, those before it go down */
        if (place[i] + 1 < (i + 1 < k ? place[i + 1] : n)) {
            place[i]++;
            for (unsigned j = 0; j < i; j++)
                place[j] = j;
            return true;
        }
    return false;
}

static bool next_order(unsigned k, unsigned *order)
{
    unsigned i = k - 1, j = k - 1;
    while (i > 0 && order[i - 1] > order[i])
        i--;
    if (i == 0)
        return false;
    while (order[j] < order[i - 1])
        j--;
    unsigned swapped = order[j];
    order[j] = order[i - 1];
    order[i - 1] = swapped;
    for (j = k - 1; i < j; i++, j--) {
        swapped = order[j];
        order[j] = order[i];
        order[i] = swapped;
    }
    return true;
}

static unsigned entry_of(const uint8_t *bytes, uint64_t entry)
{
    return entry % 2 == 0 ? bytes[entry / 2] & 15 : bytes[entry / 2] >> 4;
}

/* The entry that the tiles on at[] should have. */
static unsigned expected_entry(const struct plain *plain, const unsigned *at)
{
    const struct tiles *tiles = plain->tiles;
    unsigned least = NEVER, far = 0;
    for (unsigned empty = 0; empty < tiles->places; empty++) {
        bool taken = false;
        for (unsigned i = 0; i < plain->pattern->size; i++)
            taken |= at[i] == empty;
        const unsigned moves = plain->moves[pack(plain, empty, at)];
        if (!taken && moves < least)
            least = moves;
    }
    if (least == NEVER)
        return 15;
    for (unsigned i = 0; i < plain->pattern->size; i++)
        far += tiles->far[plain->pattern->tile[i]][at[i]];
    cr_assert(least >= far && (least - far) % 2 == 0, "%u moves, far %u", least, far);
    return (least - far) / 2 < 15 ? (least - far) / 2 : 15;
}

static void compare_table(const struct tiles *tiles, const struct tiles_pattern *pattern, const uint8_t *bytes,
                          const struct pattern_table *table)
{
    struct plain plain = {.tiles = tiles, .pattern = pattern};
    unsigned place[TILES_MAX_PATTERN], at[TILES_MAX_PATTERN];
    uint64_t entry = 0, wrong = 0;
    plain_search(&plain);
    for (unsigned i = 0; i < pattern->size; i++)
        place[i] = i;
    do {
        unsigned order[TILES_MAX_PATTERN]; /* the tile on each of the places */
        for (unsigned i = 0; i < pattern->size; i++)
            order[i] = i;
        do {
            for (unsigned i = 0; i < pattern->size; i++)
                at[order[i]] = place[i];
            wrong += entry_of(bytes, entry) != expected_entry(&plain, at);
            entry++;
        } while (next_order(pattern->size, order));
    } while (next_choice(tiles->places, pattern->size, place));
    EXPECT_NUMBER(wrong, 0);
    EXPECT_NUMBER(entry, table->entries);
    if (entry % 2 != 0)
        EXPECT_NUMBER(entry_of(bytes, entry), 0);
    free(plain.moves);
}

/* -- sets of tables -- */

struct built {
    struct puzzle *puzzle;
    struct tiles tiles;
    struct patterns patterns;
    struct tiles_patterns list;
    uint64_t histogram[PATTERN_VALUES_MAX];
    uint8_t *bytes;
};

static void build_text(struct built *built, struct puzzle *puzzle, const char *text, unsigned threads)
{
    pdb_error error = {0};
    const struct pattern_family *family = puzzle->family->single.patterns;
    built->puzzle = puzzle;
    cr_assert(tiles_make((const struct slide *)puzzle, &built->tiles));
    if (text != NULL)
        cr_assert(family->read(puzzle, text, 0, &built->patterns, &error) == PDB_OK, "%s", error.message);
    else
        cr_assert(family->choose(puzzle, UINT64_MAX, &built->patterns, &error) == PDB_OK, "%s", error.message);
    tiles_read_patterns(&built->tiles, built->patterns.text, &built->list);
    EXPECT_NUMBER(built->list.patterns, built->patterns.tables);
    built->bytes = checked_memory(built->patterns.bytes + 64, 1);
    memset(built->bytes, 0, built->patterns.bytes + 64);
    const struct pattern_work work = {.threads = threads};
    cr_assert(family->build(puzzle, &built->patterns, &work, built->bytes, &error) == PDB_OK, "%s", error.message);
}

/* What counting them says is what is there. */
static void check_histogram(struct built *built)
{
    uint64_t counted[16] = {0};
    for (unsigned t = 0; t < built->patterns.tables; t++)
        for (uint64_t entry = 0; entry < built->patterns.table[t].entries; entry++)
            counted[entry_of(built->bytes + built->patterns.table[t].offset, entry)]++;
    memset(built->histogram, 0, sizeof built->histogram);
    for (unsigned t = 0; t < built->patterns.tables; t++)
        patterns_count(built->bytes + built->patterns.table[t].offset, 4, built->patterns.table[t].entries, NULL,
                       built->histogram);
    for (unsigned v = 0; v < PATTERN_VALUES_MAX; v++)
        EXPECT_NUMBER(built->histogram[v], v < 16 ? counted[v] : 0);
}

static void check_tables(const char *definition, const char *text)
{
    struct puzzle *puzzle = make_puzzle(definition);
    struct built built;
    build_text(&built, puzzle, text, 2);
    for (unsigned t = 0; t < built.patterns.tables; t++)
        compare_table(&built.tiles, &built.list.pattern[t], built.bytes + built.patterns.table[t].offset,
                      &built.patterns.table[t]);
    check_histogram(&built);
    free(built.bytes);
    puzzle_free(puzzle);
}

/* Tiles all along, the empty cell where people put it, or anywhere; walls that make rings, corridors and dead ends. */
static const struct {
    const char *definition, *text;
} tables[] = {
    {SLIDE "goal: 1 2 3/4 5 .\n", NULL},
    {SLIDE "goal: 1 2 3/4 5 .\n", "1|2|3|4|5; 1 2|3 4|5; 1 2 3|4 5; 1 4|2 5|3; 1 2 3 4|5; 1 3 5|2 4"},
    {SLIDE "goal: 1 2/3 4/5 .\n", "1 2 3 4 5; 5 4 | 3 2 1"},
    {SLIDE "goal: a . b/c d e\n", "a b c | d e; e d c b | a"},
    {SLIDE "goal: 1 2 3/4 5 6/7 8 .\n", "1 2 3 4 | 5 6 7 8; 1 4 7 | 2 5 8 | 3 6; 1 2 3 6 8"},
    {SLIDE "goal: 1 2 3/8 . 4/7 6 5\n", "1 2 3 4 | 5 6 7 8; 1 5 | 2 6 | 3 7 | 4 8; 7"},
    {SLIDE "goal: 1 2 3 4/5 6 7 .\n", "1 2 5 6 | 3 4 7; 1 2 3 4 5"},
    {SLIDE "goal: 1 2/3 4/5 6/7 .\n", "1 2 3 4 | 5 6 7; 1 3 5 7 2"},
    {SLIDE "goal: 1 2 3 4/5 6 7 8/9 10 11 .\n", "1 2 5 6 | 3 4 7 8 | 9 10 11; 1 4 9 11"},
    {SLIDE "goal: '1 2 3/4 # 5/6 7 .'\n", "1 2 3 4 | 5 6 7; 1 2 3 4 5"},
    {SLIDE "goal: '1 2 3 4/5 # # 6/7 8 9 .'\n", "1 2 3 4 | 5 6 7 | 8 9"},
    {SLIDE "goal: '1 # 2 #/3 4 5 6/# 7 # .'\n", "1 2 3 4 | 5 6 7; 7 6 5 4 | 1 2"},
    {SLIDE "goal: 1 2 3 . 4 5\n", "1 2 3 | 4 5; 1 5"},
    {SLIDE "goal: '1 2 3 4 5 6 7 8 9/# # # # . # # # #'\n", "1 2 9 | 4 5 6; 3 4 5 6"},
};

Test(patterns, tables)
{
    for (size_t i = 0; i < COUNT(tables); i++)
        check_tables(tables[i].definition, tables[i].text);
}

/* -- against all distances -- */

/* The tile on every place, and the sum of far. */
static unsigned read_board(const struct tiles *tiles, const uint8_t *position, uint8_t *tile)
{
    unsigned far = 0;
    for (unsigned place = 0; place < tiles->places; place++) {
        tile[place] = tiles->tile_of_symbol[position[place]];
        far += tile[place] != TILES_NO_TILE ? tiles->far[tile[place]][place] : 0;
    }
    return far;
}

static unsigned rank_among(unsigned count, const unsigned *digits)
{
    unsigned rank = 0;
    for (unsigned i = 0; i < count; i++) {
        unsigned smaller = 0;
        for (unsigned j = i + 1; j < count; j++)
            smaller += digits[j] < digits[i];
        rank = rank * (count - i) + smaller;
    }
    return rank;
}

static uint64_t choose(unsigned n, unsigned k)
{
    uint64_t ways = n >= k;
    for (unsigned i = 0; i < k; i++)
        ways = ways * (n - i) / (i + 1);
    return ways;
}

static unsigned look_up(const struct built *built, unsigned pattern, const uint8_t *tile)
{
    const struct tiles_pattern *of = &built->list.pattern[pattern];
    unsigned order[TILES_MAX_PATTERN], count = 0, orders = 1;
    uint64_t set = 0;
    for (unsigned place = 0; place < built->tiles.places; place++)
        for (unsigned i = 0; i < of->size; i++)
            if (of->tile[i] == tile[place]) {
                order[count++] = i;
                set += choose(place, count);
                orders *= count;
            }
    return entry_of(built->bytes + built->patterns.table[pattern].offset, set * orders + rank_among(count, order));
}

/* The bound of each partition is never more than the distance; somewhere more than far (but not on a ring: there every
 * tile goes as far as if it were alone). */
static void check_bounds(const char *definition, const char *text, bool more_than_far)
{
    struct puzzle *puzzle = make_puzzle(definition);
    struct built built;
    struct solved solved;
    uint64_t above = 0, below = 0;
    build_text(&built, puzzle, text, 1);
    solve(puzzle, 2, &solved);
    for (uint64_t index = 0; index < puzzle->states; index++) {
        uint8_t position[BOARD_MAX_CELLS], tile[TILES_MAX_PLACES];
        uint32_t distance = 0;
        pdb_error error;
        puzzle->family->position.unrank(puzzle, index, position);
        cr_assert(distance_get(&solved.values, &index, 1, &distance, &error) == PDB_OK, "%s", error.message);
        if (distance == PDB_NO_DISTANCE || !is_shared(puzzle->states, index))
            continue;
        const unsigned far = read_board(&built.tiles, position, tile);
        for (unsigned partition = 0; partition < built.list.partitions; partition++) {
            unsigned bound = far;
            for (unsigned p = built.list.first[partition]; p < built.list.first[partition + 1]; p++)
                bound += 2 * look_up(&built, p, tile);
            above += bound > distance;
            below += bound > far;
        }
    }
    EXPECT_NUMBER(above, 0);
    EXPECT_NUMBER(below > 0, more_than_far);
    solved_free(&solved);
    free(built.bytes);
    puzzle_free(puzzle);
}

Test(patterns, sums_are_bounds)
{
    check_bounds(SLIDE "goal: 1 2 3/4 5 6/7 8 .\n", "1 2 3 4 | 5 6 7 8; 1 4 7 | 2 5 8 | 3 6; 1 2 3 4 5 6 7; 1|2|3",
                 true);
    check_bounds(SLIDE "goal: 1 2 3/8 . 4/7 6 5\n", NULL, true);
    check_bounds(SLIDE "goal: 1 2 3 4/5 6 7 .\n", "1 2 5 6 | 3 4 7; 1 2 3 4 5 | 6 7", true);
    check_bounds(SLIDE "goal: '1 2 3 4/5 # # 6/7 8 9 .'\n", "1 2 3 4 5 | 6 7 8 9", false);
    check_bounds(SLIDE "goal: '. 1 2/3 # 4/5 6 7'\n", "1 2 3 4 | 5 6 7", false);
    check_bounds(SLIDE "goal: '1 2 3 #/4 5 6 7/# # # .'\n", "1 2 3 | 4 5 6 7; 2 3 5 7", true);
    check_bounds(SLIDE "goal: 1 2 3 . 4 5\n", "1 2 3 4 5", false);
}

/* A pattern of all tiles leaves nothing out: its table is the distances. Half of its orders cannot be solved. */
static void check_whole(const char *name, const char *text, uint64_t step)
{
    struct puzzle *puzzle = built_in(name);
    struct built built;
    struct solved solved;
    build_text(&built, puzzle, text, 2);
    solve(puzzle, 2, &solved);
    uint64_t wrong = 0;
    for (uint64_t index = 0; index < puzzle->states; index += step) {
        uint8_t position[BOARD_MAX_CELLS], tile[TILES_MAX_PLACES];
        uint32_t distance = 0;
        puzzle->family->position.unrank(puzzle, index, position);
        cr_assert(distance_get(&solved.values, &index, 1, &distance, NULL) == PDB_OK);
        const unsigned far = read_board(&built.tiles, position, tile), over = (distance - far) / 2;
        wrong += look_up(&built, 0, tile) != (over < 15 ? over : 15);
    }
    EXPECT_NUMBER(wrong, 0);
    check_histogram(&built);
    cr_expect(built.histogram[15] >= puzzle->states);
    solved_free(&solved);
    free(built.bytes);
    puzzle_free(puzzle);
}

Test(patterns, all_tiles)
{
    check_whole("8-puzzle", "1 2 3 4 5 6 7 8", 1);
    check_whole("tiles-2x5", "1 2 3 4 5 6 7 8 9", 41);
    if (share() == 1)
        check_whole("tiles-5x2", "1 2 3 4 5 6 7 8 9", 43);
}

/* -- threads and interrupts -- */

Test(patterns, threads)
{
    static const char *const names[] = {"tiles-3x4", "tiles-4x4", "tiles-5x3"};
    static const char *const texts[] = {"1 2 5 6 9 10 | 3 4 7 8 11", "1 2 5 6 9 | 3 4 7 8 11 12 | 10 13",
                                        "1 2 3 4 5 6 7"};
    for (size_t i = 0; i < COUNT(names); i++) {
        struct puzzle *puzzle = built_in(names[i]);
        struct built built[3];
        for (unsigned t = 0; t < 3; t++) {
            build_text(&built[t], puzzle, texts[i], t + 1);
            check_histogram(&built[t]);
            cr_expect(memcmp(built[t].bytes, built[0].bytes, built[0].patterns.bytes) == 0, "%s, %u threads", names[i],
                      t + 1);
        }
        for (unsigned t = 0; t < 3; t++)
            free(built[t].bytes);
        puzzle_free(puzzle);
    }
}

struct watch {
    uint64_t calls, last, stop_at;
    bool fell;
};

static bool watch(void *context, uint64_t done)
{
    struct watch *seen = context;
    seen->fell |= done < seen->last;
    seen->last = done;
    return ++seen->calls < seen->stop_at;
}

Test(patterns, interrupt)
{
    struct puzzle *puzzle = built_in("15-puzzle");
    struct patterns patterns;
    pdb_error error;
    cr_assert(puzzle->family->single.patterns->read(puzzle, "1 2 3 4 5 6 | 7 8 9 10 11 12", 0, &patterns, &error) ==
              PDB_OK);
    uint8_t *bytes = checked_memory(patterns.bytes, 1);
    for (unsigned stop_at = 1; stop_at <= 3; stop_at += 2) {
        struct watch seen = {.stop_at = stop_at};
        const struct pattern_work work = {.threads = 2, .observe = watch, .context = &seen};
        memset(bytes, 0, patterns.bytes);
        cr_expect(puzzle->family->single.patterns->build(puzzle, &patterns, &work, bytes, &error) == PDB_INTERRUPTED);
        EXPECT_NUMBER(seen.calls, stop_at);
        cr_expect(strstr(error.message, "15-puzzle") != NULL, "%s", error.message);
    }
    struct watch seen = {.stop_at = UINT64_MAX};
    const struct pattern_work work = {.threads = 2, .observe = watch, .context = &seen};
    memset(bytes, 0, patterns.bytes);
    cr_assert(puzzle->family->single.patterns->build(puzzle, &patterns, &work, bytes, &error) == PDB_OK);
    cr_expect(!seen.fell && seen.calls > 1 && seen.last <= patterns.table[0].entries + patterns.table[1].entries);
    free(bytes);
    puzzle_free(puzzle);
}
