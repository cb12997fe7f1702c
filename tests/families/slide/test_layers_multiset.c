/* test_layers_multiset.c -- layers of sliding puzzles with many pieces alike: maps and lists of pieces held against
 * orders one by one, and puzzles at random, in groups of any size, against the oracle and the search state by state
 */
#include "check.h"
#include "lib/families/shared/layers/multiset.h"
#include "lib/families/slide/layers/layers.h"

#include <stdlib.h>
#include <string.h>

/* -- multisets -- */

static const struct sample {
    unsigned classes;
    uint16_t members[8];
} samples[] = {
    {2, {3, 3}},       {2, {1, 9}},       {2, {6, 6}},          {3, {2, 1, 3}},       {3, {4, 3, 3}},
    {4, {2, 2, 2, 2}}, {4, {3, 1, 2, 1}}, {5, {1, 1, 1, 1, 1}}, {5, {1, 2, 1, 2, 1}}, {7, {1, 1, 1, 1, 1, 1, 1}},
};

static void sample_ranking(const struct sample *sample, struct multiset_ranking *ranking)
{
    cr_assert(multiset_init(ranking, sample->classes, sample->members) == MULTISET_OK);
}

static void sample_tree(const struct sample *sample, struct order_tree *tree)
{
    const struct multiset_rules rules = {
        .classes = sample->classes, .members = sample->members, .empty = LAYER_NO_CLASS};
    cr_assert(order_tree_make(tree, &rules) == MULTISET_OK);
}

static bool bit_of(const uint64_t *bits, uint64_t at)
{
    return bits[at / 64] >> at % 64 & 1;
}

Test(layers_multiset, what_is_left_and_what_begins)
{
    for (size_t i = 0; i < COUNT(samples); i++) {
        struct multiset_ranking ranking;
        sample_ranking(&samples[i], &ranking);
        uint64_t begin[8] = {0};
        uint8_t order[LAYER_MAX_THINGS];
        for (uint64_t rank = 0; rank < ranking.orders; rank++) {
            uint32_t vector;
            multiset_unrank(&ranking, rank, order);
            begin[order[0]]++;
            cr_assert(multiset_rank_prefix(&ranking, order, ranking.things, &vector) == rank && vector == 0);
            const uint64_t first = multiset_rank_prefix(&ranking, order, 2, &vector);
            cr_assert(first <= rank && rank - first < ranking.orders_of[vector]);
            for (unsigned c = 0; c < ranking.classes; c++)
                cr_assert(multiset_left(&ranking, vector, c) + (order[0] == c) + (order[1] == c) ==
                          samples[i].members[c]);
        }
        for (unsigned c = 0; c < ranking.classes; c++)
            EXPECT_NUMBER(multiset_beginning(&ranking, ranking.whole, c), begin[c]);
        multiset_free(&ranking);
    }
}

/* -- maps -- */

static void check_map(const struct multiset_ranking *ranking, const uint64_t *map, unsigned class, unsigned place)
{
    uint8_t order[LAYER_MAX_THINGS];
    for (uint64_t rank = 0; rank < ranking->orders; rank++) {
        multiset_unrank(ranking, rank, order);
        cr_assert(bit_of(map, rank) == (order[place] == class));
    }
    for (uint64_t past = ranking->orders; past < (ranking->orders / 64 + 2) * 64; past++)
        cr_assert(!bit_of(map, past));
}

Test(layers_multiset, maps_say_where_things_are)
{
    for (size_t i = 0; i < COUNT(samples); i++) {
        struct order_tree tree;
        sample_tree(&samples[i], &tree);
        struct layer_maps maps = {.tree = &tree};
        for (unsigned class = 0; class < tree.ranking.classes; class ++)
            for (unsigned place = 0; place < tree.ranking.things; place++) {
                const uint64_t *map = layer_map(&maps, tree.ranking.whole, class, place);
                check_map(&tree.ranking, map, class, place);
                cr_assert(layer_map(&maps, tree.ranking.whole, class, place) == map);
            }
        layer_maps_free(&maps);
        order_tree_free(&tree);
    }
}

/* -- lists -- */

static void move_thing(uint8_t *order, unsigned from, unsigned to)
{
    const uint8_t thing = order[from];
    memmove(order + from, order + from + 1, LAYER_MAX_THINGS - 1 - from);
    memmove(order + to + 1, order + to, LAYER_MAX_THINGS - 1 - to);
    order[to] = thing;
}

/* A list for orders that are one group: every order asks the one that it becomes, wherever in its words the source
 * begins. */
static void check_inner_list(const struct multiset_ranking *ranking, struct layer_lists *lists, unsigned from,
                             unsigned to, uint64_t *random)
{
    enum { WORDS = 130 };
    const struct layer_list_what what = {.kind = LIST_INNER, .node = ranking->whole, .place = from, .other = to};
    const struct layer_list *list = layer_lists_get(lists, &what);
    uint64_t word[WORDS], want[WORDS], found[2][WORDS];
    cr_assert(list != NULL && ranking->orders <= 64 * (WORDS - 2) && layer_lists_get(lists, &what) == list);
    for (unsigned w = 0; w < WORDS; w++) {
        word[w] = next_random(random) & next_random(random);
        want[w] = random_below(random, 5) == 0 ? 0 : UINT64_MAX;
    }
    const struct layer_bits_source source = {word, (uint32_t)random_below(random, 64)};
    memset(found, 0, sizeof found);
    layer_code(false)->list(list, &source, want, found[0]);
    layer_code(true)->list(list, &source, want, found[1]);
    cr_assert(memcmp(found[0], found[1], sizeof found[0]) == 0);
    for (uint64_t rank = 0; rank < ranking->orders; rank++) {
        uint8_t order[LAYER_MAX_THINGS] = {0};
        multiset_unrank(ranking, rank, order);
        move_thing(order, from, to);
        const uint64_t asked = source.bit + multiset_rank(ranking, order);
        cr_assert(!bit_of(want, rank) || bit_of(found[0], rank) == bit_of(word, asked));
    }
}

Test(layers_multiset, pieces_move_things)
{
    uint64_t random = 77;
    for (size_t i = 0; i < COUNT(samples); i++) {
        struct order_tree tree;
        sample_tree(&samples[i], &tree);
        struct layer_lists lists = {.maps.tree = &tree, .group_states = LAYER_GROUP_STATES};
        for (unsigned from = 0; from < tree.ranking.things; from++)
            for (unsigned to = 0; to < tree.ranking.things; to++)
                if (from != to)
                    check_inner_list(&tree.ranking, &lists, from, to, &random);
        layer_lists_free(&lists);
        order_tree_free(&tree);
    }
}

/* Runs of bits as they are, of any length and from any bit on, and no word behind them read. */
Test(layers_multiset, runs)
{
    uint64_t random = 5;
    for (int n = 0; n < 3000; n++) {
        const uint32_t states = 1 + (uint32_t)random_below(&random, 300), bit = (uint32_t)random_below(&random, 200),
                       words = (bit + states + 63) / 64;
        uint64_t *word = checked_memory(words, sizeof *word), found[2][6] = {0};
        for (uint32_t w = 0; w < words; w++)
            word[w] = next_random(&random);
        for (unsigned portable = 0; portable < 2; portable++) {
            layer_code(portable == 1)->run((struct layer_bits_source){word, bit}, states, found[portable]);
            for (uint32_t i = 0; i < states; i++)
                cr_assert(bit_of(found[portable], i) == bit_of(word, bit + i));
        }
        free(word);
    }
}

/* -- whole puzzles -- */

/* A board of few kinds of pieces, one of them perhaps large, walls, and a goal some cells of which may be open. */
struct drawn {
    char board[128], goal[128];
    struct model_spec spec;
};

static void append_cell(char *text, const char *cell, int i, int columns)
{
    strcat(text, cell);
    strcat(text, i % columns == columns - 1 ? "/" : " ");
}

static void draw(struct drawn *drawn, uint64_t *random)
{
    const int columns = 2 + (int)random_below(random, 4),
              rows = columns == 5   ? 2
                     : columns == 2 ? 4
                                    : 3 - (columns == 4),
              cells = rows * columns, kinds = 2 + (int)random_below(random, 3),
              blanks = 1 + (int)random_below(random, 2);
    const bool large = random_below(random, 3) == 0;
    const uint64_t openness = random_below(random, 3);
    int left = blanks;
    memset(drawn, 0, sizeof *drawn);
    for (int i = 0; i < cells; i++) {
        char cell[2] = {(char)('1' + random_below(random, (uint64_t)kinds)), 0};
        if (large && i < 2)
            cell[0] = 'X';
        else if (i >= cells - blanks - 2 && left > 0 && (i >= cells - left || random_below(random, 2) == 0)) {
            cell[0] = '.';
            left--;
        } else if (random_below(random, 12) == 0)
            cell[0] = '#';
        append_cell(drawn->board, cell, i, columns);
        if (cell[0] != '#' && cell[0] != 'X' && random_below(random, 5) < openness)
            cell[0] = '*';
        append_cell(drawn->goal, cell, i, columns);
    }
    drawn->board[strlen(drawn->board) - 1] = 0;
    drawn->goal[strlen(drawn->goal) - 1] = 0;
    drawn->spec = (struct model_spec){.board = drawn->board, .goal = drawn->goal, .pieces = {large ? "X X" : NULL}};
}

/* By layers in groups of at most so many states, against what was found state by state. */
static void check_groups(const struct puzzle *puzzle, const struct solved *expected, bool portable,
                         uint32_t group_states, const char *what)
{
    struct layer_kernel *kernel;
    struct retrograde_plan plan = plan_of(RETROGRADE_BEST, puzzle, 2);
    struct retrograde *search;
    struct retrograde_result result;
    bool done = false;
    cr_assert(slide_layer_multiset_make((const struct slide *)puzzle, portable, group_states, &kernel, NULL) == PDB_OK);
    cr_assert(kernel != NULL && kernel->words_max <= (group_states + 63) / 64);
    EXPECT_TEXT(plan.text, "in layers by words");
    plan.kernel = kernel;
    cr_assert(retrograde_begin(&plan, &search, NULL) == PDB_OK);
    while (!done)
        cr_assert(retrograde_layer(search, NULL, NULL, &done, NULL) == PDB_OK);
    retrograde_finish(search, &result);
    cr_expect(result.encoding == expected->result.encoding && result.depths == expected->result.depths &&
                  memcmp(result.bytes, expected->result.bytes, encoding_bytes(result.encoding, puzzle->states)) == 0,
              "groups of %u\n%s", (unsigned)group_states, what);
    retrograde_free(search);
}

/* 0 where it is not a puzzle for layers of multisets; else the number of its orders. */
static uint64_t check_drawn(const struct drawn *drawn, uint64_t *random)
{
    struct model model;
    struct solved solved;
    struct layer_kernel *kernel;
    model_begin(&model, &drawn->spec);
    const struct slide *slide = (const struct slide *)model.puzzle;
    cr_assert(slide_layer_multiset_make(slide, false, 0, &kernel, NULL) == PDB_OK);
    const uint64_t orders = slide->order.kind == ORDER_MULTISET && kernel != NULL ? slide->order.orders : 0;
    if (kernel != NULL)
        kernel->free(kernel);
    if (orders > 0) {
        struct oracle_table *table = oracle_solve(&model.oracle);
        solve(model.puzzle, 1, &solved);
        slide_check_distances(&model, table, &solved, drawn->board);
        solved_free(&solved);
        oracle_free(table);
        solve_by(RETROGRADE_STATES, model.puzzle, 1, &solved);
        for (unsigned portable = 0; portable < 2; portable++)
            check_groups(model.puzzle, &solved, portable == 1, (uint32_t)random_below(random, 300) + 1, drawn->board);
        solved_free(&solved);
    }
    model_end(&model);
    return orders;
}

Test(layers_multiset, puzzles_at_random)
{
    static struct drawn drawn;
    uint64_t random = 20261121, most = 0;
    int checked = 0;
    for (int i = 0; i < 150; i++) {
        draw(&drawn, &random);
        const uint64_t orders = check_drawn(&drawn, &random);
        checked += orders > 0;
        most = orders > most ? orders : most;
    }
    cr_expect(checked > 75 && most > 1000, "%d puzzles, of %llu orders at most", checked, (unsigned long long)most);
}

/* A hundred sources and more to a group: where one class has most of the things, large nodes have many small groups. */
Test(layers_multiset, small_groups_of_uneven_boards)
{
    static const char *const yamls[] = {"puzzle: t\nfamily: slide\ngoal: A A A A A A/A A A A B C/A A A A A .\n",
                                        "puzzle: t\nfamily: slide\ngoal: A A A A A A A A A A A A A B A A C A .\n"};
    for (size_t i = 0; i < COUNT(yamls); i++)
        for (uint32_t size = 1; size < 300; size += 1 + size / 2) {
            struct puzzle *puzzle = make_puzzle(yamls[i]);
            struct solved solved;
            solve_by(RETROGRADE_STATES, puzzle, 1, &solved);
            check_groups(puzzle, &solved, size & 1, size, yamls[i]);
            solved_free(&solved);
            puzzle_free(puzzle);
        }
}

/* No memory but what was announced: the kernel's tables are counted. */
Test(layers_multiset, kernels_count_their_memory)
{
    struct puzzle *puzzle = make_puzzle("puzzle: t\nfamily: slide\ngoal: A A A B/B B C C/D D E .\n");
    struct layer_kernel *kernel;
    cr_assert(puzzle->family->space.layers(puzzle, false, UINT64_MAX, &kernel, NULL) == PDB_OK && kernel != NULL);
    cr_expect(kernel->bytes > 1 << 20 && kernel->bytes < plan_of(RETROGRADE_BEST, puzzle, 1).memory);
    cr_expect(64 * kernel->words < puzzle->states + puzzle->states / 32, "gaps between groups");
    kernel->free(kernel);
    puzzle_free(puzzle);
}

/* Too many orders for layers: said without trying. */
Test(layers_multiset, too_many_orders)
{
    struct puzzle *puzzle = make_puzzle("puzzle: t\nfamily: slide\ngoal: A A A B B/C C C D D/E E F F G/G H H I .\n");
    struct layer_kernel *kernel;
    cr_assert(puzzle->family->space.layers(puzzle, false, UINT64_MAX, &kernel, NULL) == PDB_OK);
    cr_expect(kernel == NULL);
    puzzle_free(puzzle);
}
