/* test_machine.c -- the machine that keeps a search of different tiles from ways that lead nowhere new
 *
 * Which words it lets pass is held against a look for each redundant word, which boards are still reached against all
 * distances (oracle_tiles.h), and the words that it knows against all short ways of the empty cell.
 */
#include "lib/families/slide/tiles/search.h"
#include "oracle_tiles.h"
#include "tests/support/support.h"
#include "tile_boards.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Does the machine let a word pass? */
static bool passes(const struct machine *machine, const uint8_t *letter, size_t length)
{
    uint32_t state = MACHINE_START;
    for (size_t i = 0; i < length && state != MACHINE_NEVER; i++)
        state = machine_next(machine, state, letter[i]);
    return state != MACHINE_NEVER;
}

/* Every word of up to nine letters out of three, held against a look for each redundant word at each position. */
Test(machine, finds_words_anywhere)
{
    static const struct machine_word word[] = {
        {2, {0, 1}},    {3, {1, 1, 0}},          {4, {2, 1, 1, 2}}, {5, {2, 1, 1, 0, 2}},
        {3, {0, 2, 0}}, {6, {2, 2, 0, 0, 2, 2}}, {1, {1}}};
    for (size_t words = 0; words <= COUNT(word); words++) {
        struct machine *machine;
        cr_assert(machine_create(3, word, words, &machine, NULL) == PDB_OK);
        for (unsigned number = 0; number < 19683; number++) {
            uint8_t letter[9];
            for (unsigned i = 0, rest = number; i < 9; i++, rest /= 3)
                letter[i] = (uint8_t)(rest % 3);
            for (size_t length = 0; length <= 9; length++) {
                bool found = false;
                for (size_t w = 0; w < words; w++)
                    for (size_t at = 0; at + word[w].length <= length; at++)
                        found |= memcmp(letter + at, word[w].letter, word[w].length) == 0;
                cr_assert(passes(machine, letter, length) == !found);
            }
        }
        free(machine);
    }
}

/* On whole boards, in every cell of the goal's empty place: all boards are still reached, in as many moves. */
static void reach(const struct tile_search *search, const uint8_t *position, unsigned empty, uint32_t state,
                  unsigned depth, unsigned most, const struct oracle_tiles *oracle, uint8_t *least)
{
    uint8_t next[BOARD_MAX_CELLS];
    uint8_t *best = &least[oracle_tiles_number(oracle, position)];
    *best = depth < *best ? (uint8_t)depth : *best;
    if (depth == most)
        return;
    for (unsigned move = 0; move < TILES_MOVES; move++) {
        const uint32_t to_state = machine_next(search->machine, state, move);
        if (!(search->open[empty] >> move & 1) || to_state == MACHINE_NEVER)
            continue;
        const unsigned to = search->next[empty][move];
        memcpy(next, position, search->tiles.places);
        next[empty] = position[to];
        next[to] = position[empty];
        reach(search, next, to, to_state, depth + 1, most, oracle, least);
    }
}

Test(machine, loses_no_board)
{
    static const char *const definition[] = {EIGHT, TWO_BY_FOUR, CENTRE, CORNERS, AROUND};
    for (size_t d = 0; d < COUNT(definition); d++) {
        struct puzzle *puzzle = make_puzzle(definition[d]);
        struct searcher *searcher = NULL;
        pdb_error error;
        cr_assert(search_create(puzzle, &(struct search_options){.threads = 1}, &searcher, &error) == PDB_OK, "%s",
                  error.message);
        const struct tile_search *search = (const struct tile_search *)searcher;
        struct oracle_tiles oracle;
        const unsigned most = 15;
        oracle_tiles_make(&oracle, puzzle);
        uint8_t *least = checked_memory(oracle.arrangements, 1);
        memset(least, ORACLE_TILES_NEVER, oracle.arrangements);
        reach(search, puzzle->goal, search->tiles.goal_empty, MACHINE_START, 0, most, &oracle, least);
        for (uint32_t a = 0; a < oracle.arrangements; a++)
            cr_assert(least[a] == (oracle.distance[a] <= most ? oracle.distance[a] : ORACLE_TILES_NEVER));
        free(least);
        oracle_tiles_free(&oracle);
        search_free(searcher);
        puzzle_free(puzzle);
    }
}

/* The shortest redundant words: four that are undone at once, then half the circles of a square, one of each two. */
Test(machine, shortest_redundant_ways)
{
    struct machine *machine;
    unsigned passing = 0;
    cr_assert(tiles_redundant(6, &machine, NULL) == PDB_OK);
    for (unsigned number = 0; number < 4096; number++) {
        uint8_t letter[6];
        for (unsigned i = 0; i < 6; i++)
            letter[i] = number >> 2 * i & 3;
        passing += passes(machine, letter, 6);
    }
    EXPECT_NUMBER(passing, 4 * 243 - 4);
    free(machine);
}

/* A way of the empty cell on a boundless board: which tile is where in the end, and the cells that it visits. */
enum { WAY_MOST = 8, FIELD = 2 * WAY_MOST + 1, FIELD_CELLS = FIELD * FIELD };

struct way {
    uint16_t tile[FIELD_CELLS];
    uint8_t visits[FIELD_CELLS];
    size_t order; /* among all ways: by length, then by letters */
};

static void walk_way(const uint8_t *letter, size_t length, struct way *way)
{
    static const int step[] = {-FIELD, -1, 1, FIELD};
    unsigned at = FIELD_CELLS / 2;
    for (unsigned cell = 0; cell < FIELD_CELLS; cell++)
        way->tile[cell] = (uint16_t)cell;
    for (size_t i = 0; i < length; i++) {
        const unsigned to = at + (unsigned)step[letter[i]];
        way->tile[at] = way->tile[to];
        way->visits[to] = 1;
        at = to;
    }
    way->tile[at] = FIELD_CELLS / 2;
}

static int compare_ways_by_tiles(const void *a, const void *b)
{
    const struct way *one = a, *other = b;
    const int tiles = memcmp(one->tile, other->tile, sizeof one->tile);
    return tiles != 0 ? tiles : (one->order > other->order) - (one->order < other->order);
}

/* No way that passes does what a smaller one does which visits no other cells. */
Test(machine, knows_all_redundant_ways)
{
    enum { ROOM = 20000 };
    struct way *way = checked_memory(ROOM, sizeof *way);
    struct machine *machine;
    size_t ways = 0;
    cr_assert(tiles_redundant(WAY_MOST, &machine, NULL) == PDB_OK);
    memset(way, 0, ROOM * sizeof *way);
    for (unsigned length = 0; length <= WAY_MOST; length++)
        for (unsigned number = 0; number < 1u << 2 * length; number++) {
            uint8_t letter[WAY_MOST];
            for (unsigned i = 0; i < length; i++)
                letter[i] = number >> 2 * (length - 1 - i) & 3;
            if (!passes(machine, letter, length))
                continue;
            cr_assert(ways < ROOM);
            walk_way(letter, length, &way[ways]);
            way[ways].order = ways;
            ways++;
        }
    qsort(way, ways, sizeof *way, compare_ways_by_tiles);
    for (size_t i = 0; i < ways; i++)
        for (size_t j = i + 1; j < ways && memcmp(way[i].tile, way[j].tile, sizeof way->tile) == 0; j++) {
            bool elsewhere = false;
            for (unsigned cell = 0; cell < FIELD_CELLS; cell++)
                elsewhere |= way[i].visits[cell] > way[j].visits[cell];
            cr_expect(elsewhere, "way %zu does what way %zu does", way[j].order, way[i].order);
        }
    free(machine);
    free(way);
}
