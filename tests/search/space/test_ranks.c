/* test_ranks.c -- searches that are shared out among ranks find what one process finds */
#include "lib/comm/ranks.h"
#include "tests/support/digraph.h"
#include "tests/support/rank_threads.h"
#include "tests/support/ranks_alone.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <string.h>

/* What one rank does and what came of it. */
struct member {
    struct ranks ranks;
    const struct alone *alone;
    const struct puzzle *puzzle;
    unsigned threads, stopping, call; /* the rank that stops the search, and in which call; RANKS_MOST: none */
    uint64_t limit;                   /* bytes of memory; 0: none */
    bool within_plan;                 /* it is what the plan says */
    pdb_status status;
    pdb_error error;
    uint64_t differences;
    uint64_t planned; /* bytes */
};

static void together(unsigned size, void *(*work)(void *), struct member *member)
{
    ranks_together(size, work, member, sizeof *member);
}

/* -- what is made of the two functions -- */

static void *disagree(void *context)
{
    struct member *member = context;
    uint64_t told[2] = {member->ranks.rank + 7, member->ranks.rank};
    ranks_tell(&member->ranks, told, 2);
    member->differences = told[0] != 7 || told[1] != 0;
    member->differences += ranks_agree(&member->ranks, PDB_OK, &member->error) != PDB_OK;
    member->status = member->ranks.rank == 0 ? PDB_OK
                                             : error_set(&member->error, PDB_IO, "rank %u failed", member->ranks.rank);
    member->status = ranks_agree(&member->ranks, member->status, &member->error);
    return NULL;
}

Test(ranks, fail_with_one_voice)
{
    struct member member[RANKS_MOST] = {{.puzzle = NULL}};
    together(4, disagree, member);
    for (unsigned rank = 0; rank < 4; rank++) {
        EXPECT_NUMBER(member[rank].differences, 0);
        EXPECT_NUMBER(member[rank].status, PDB_IO);
        EXPECT_TEXT(member[rank].error.message, "rank 1 failed");
    }
    EXPECT_NUMBER(ranks_agree(NULL, PDB_IO, NULL), PDB_IO);
}

/* Every rank has for every other as many bytes as both their numbers say, in batches of nine at most. */
struct parcels {
    unsigned rank;
    uint64_t left[RANKS_MOST], got[RANKS_MOST], wrong;
};

static uint64_t parcel_bytes(unsigned from, unsigned to)
{
    return 10u * from + 3u * to;
}

static uint64_t fill(void *context, unsigned to, uint8_t *bytes, uint64_t room, bool *more)
{
    struct parcels *parcels = context;
    const uint64_t count = parcels->left[to] < room ? parcels->left[to] : room;
    memset(bytes, (int)(16 * parcels->rank + to), count);
    parcels->left[to] -= count;
    *more |= parcels->left[to] > 0;
    return count;
}

static void take(void *context, unsigned from, const uint8_t *bytes, uint64_t size)
{
    struct parcels *parcels = context;
    for (uint64_t i = 0; i < size; i++)
        parcels->wrong += bytes[i] != 16 * from + parcels->rank;
    parcels->got[from] += size;
}

static void *ship(void *context)
{
    struct member *member = context;
    struct parcels parcels = {.rank = member->ranks.rank};
    struct rank_mail mail;
    uint64_t sent = 0;
    if (!rank_mail_take(&mail, &member->ranks, 9))
        abort();
    for (unsigned to = 0; to < member->ranks.size; to++) {
        parcels.left[to] = parcel_bytes(parcels.rank, to);
        sent += to == parcels.rank ? 0 : parcels.left[to];
    }
    ranks_ship(&member->ranks, &mail, fill, take, &parcels);
    rank_mail_free(&mail);
    for (unsigned from = 0; from < member->ranks.size; from++)
        member->differences += from != parcels.rank && parcels.got[from] != parcel_bytes(from, parcels.rank);
    member->differences += parcels.wrong + (member->ranks.sent != sent);
    return NULL;
}

Test(ranks, ship_batches_that_have_room)
{
    struct member member[RANKS_MOST] = {{.puzzle = NULL}};
    together(RANKS_MOST, ship, member);
    for (unsigned rank = 0; rank < RANKS_MOST; rank++)
        EXPECT_NUMBER(member[rank].differences, 0);
}

/* -- searches -- */

/* A context is asked at once if it is another one than in the call before. */
struct look {
    const struct member *member;
    unsigned call;
};

static bool look(void *context, const struct retrograde_progress *progress)
{
    const struct look *look = context;
    (void)progress;
    return look->member->ranks.rank != look->member->stopping || look->call < look->member->call;
}

static void *search(void *context)
{
    struct member *member = context;
    struct retrograde_plan plan;
    struct retrograde *search = NULL;
    struct retrograde_result result;
    bool done = false;
    pdb_status status = retrograde_plan(RETROGRADE_BEST, member->puzzle, member->threads, &plan, &member->error);
    if (status == PDB_OK)
        status = retrograde_plan_ranks(&member->ranks, &plan, &member->error);
    plan.limit = member->within_plan ? plan.memory : member->limit > 0 ? member->limit : plan.limit;
    member->planned = plan.memory;
    if (status == PDB_OK)
        status = retrograde_begin(&plan, &search, &member->error);
    struct look looks[2] = {{member, 0}, {member, 0}};
    for (unsigned call = 0; status == PDB_OK && !done; call++) {
        looks[call % 2].call = call;
        status = retrograde_layer(search, look, &looks[call % 2], &done, &member->error);
    }
    if (status == PDB_OK) {
        retrograde_finish(search, &result);
        if (member->ranks.rank == 0)
            member->differences = alone_compare(member->alone, search, &result);
        retrograde_serve(search);
    }
    retrograde_free(search);
    retrograde_plan_free(&plan);
    member->status = status;
    return NULL;
}

/* Where one process finds that no goal can be reached, so do all ranks. */
static void find_the_same(const char *name, const struct puzzle *puzzle, unsigned size, unsigned threads)
{
    struct alone alone;
    const bool solvable = alone_solve(puzzle, &alone);
    struct member member[RANKS_MOST];
    for (unsigned rank = 0; rank < size; rank++)
        member[rank] = (struct member){.alone = &alone, .puzzle = puzzle, .threads = threads, .stopping = RANKS_MOST};
    together(size, search, member);
    for (unsigned rank = 0; rank < size; rank++) {
        cr_expect(member[rank].status == (solvable ? PDB_OK : PDB_UNREACHABLE), "%s, rank %u of %u: %s", name, rank,
                  size, member[rank].error.message);
        cr_expect(member[rank].differences == 0, "%s, %u ranks, %u threads: another outcome", name, size, threads);
    }
    if (solvable)
        alone_free(&alone);
}

static void find_the_same_built_in(const char *name, unsigned size)
{
    struct puzzle *puzzle = built_in(name);
    find_the_same(name, puzzle, size, size == 3 ? 2 : 1);
    puzzle_free(puzzle);
}

Test(ranks, find_what_one_process_finds)
{
    for (size_t i = 0; ranks_by_words[i] != NULL; i++)
        for (unsigned size = 2; size <= 5; size += size == 3 ? 2 : 1)
            find_the_same_built_in(ranks_by_words[i], size);
}

Test(ranks, find_it_one_by_one)
{
    for (unsigned i = 0; ranks_one_by_one[i] != NULL; i++)
        if (i % short_step(2) == 0)
            find_the_same_built_in(ranks_one_by_one[i], 2 + i % 4);
}

/* Every move is an XOR: slices of the indices for each rank, of two places and of many blocks; several goals, and what
 * is packed five to a byte. */
Test(ranks, find_it_all_at_once)
{
    static const char *const yamls[] = {
        "board: '.'\naround: plus\n",
        "board: ../..\naround: plus\n",
        "board: .../...\naround: square\n",
        "goal: '.*./*1*'\naround: plus\n",
        "board: .../.../...\naround: square\n",
        "board: ..../..../....\naround: plus\n",
        "goal: '..../.**./..../....'\naround: '8'\n",
        "board: ..../..../..../....\nbuttons: [[r1c1, r2c2, r3c3], [r1c1], [r4c4, r1c1], [r1c2, r2c1], [r3c3, r4c4], "
        "[r1c1, r4c4]]\n",
        "board: ...../...../...../..#..\naround: plus\n",
        "board: ..../..../....\nbuttons: [[r1c1, r1c2, r1c3, r1c4, r2c1, r2c2, r2c3, r2c4, r3c1, r3c2, r3c3, r3c4], "
        "[r1c1], "
        "[r1c2], [r1c3], [r1c4], [r2c1], [r2c2], [r2c3], [r2c4], [r3c1], [r3c2], [r3c3], [r3c4]]\n",
    };
    char text[300];
    for (size_t i = 0; i < COUNT(yamls); i++) {
        snprintf(text, sizeof text, "puzzle: t\nfamily: flip\n%s", yamls[i]);
        struct puzzle *puzzle = make_puzzle(text);
        for (unsigned size = 2; size <= RANKS_MOST; size++)
            find_the_same(yamls[i], puzzle, size, 1 + size % 2);
        puzzle_free(puzzle);
    }
    find_the_same_built_in("lights-out-4x6", 2);
}

static void find_the_same_graph(const char *name, struct digraph *graph, uint64_t seed)
{
    find_the_same(name, &graph->puzzle, 2 + (unsigned)(seed % (RANKS_MOST - 1)), 1 + (unsigned)(seed % 3));
    digraph_free(graph);
}

/* With keys and with indices, forward and not, with weights and costs; some that no goal is found of. */
Test(ranks, find_the_distances_of_random_graphs)
{
    static const uint32_t max_costs[] = {1, 3, 0, 100, 2, 1000};
    for (uint64_t seed = 0; seed < 30 / short_step(2); seed++) {
        const uint32_t nodes = 1 + (uint32_t)(seed * seed * 7 % 701);
        const size_t goals = 1 + seed % 5 < nodes ? 1 + seed % 5 : 1;
        const uint32_t start[] = {nodes / 2, nodes / 3, nodes / 2, nodes - 1};
        struct digraph *graph = digraph_random(nodes, nodes * (3 + seed % 7) / 3, goals, seed, seed % 3 == 0);
        if (seed % 5 > 0)
            digraph_make_forward(graph, seed % 2 == 0, max_costs[seed / 2 % 6], start,
                                 seed % 2 == 0 ? 1 + seed % 4 : 0);
        if (seed % 4 == 0 && seed % 5 > 0)
            digraph_space_keys(graph, 1 + seed % 7, seed % 7 / 2);
        find_the_same_graph("a random graph", graph, seed);
    }
}

/* Around the borders of what a byte, and two, can hold; and states that fewer are of than ranks. */
Test(ranks, find_the_distances_of_rings)
{
    static const uint32_t nodes[] = {1, 2, 255, 256};
    for (unsigned i = 0; i < 5 * COUNT(nodes); i += short_step(7)) {
        const uint32_t start = 0;
        struct digraph *graph = digraph_ring(nodes[i / 5]);
        if (i % 5 > 0)
            digraph_make_forward(graph, i % 2 == 0, i % 5 < 3 ? 1 : 1000, &start, 1);
        find_the_same_graph("a ring", graph, i);
    }
}

/* Every move can be taken back, which shows only when all states are found: a line that is walked both ways. */
Test(ranks, find_that_all_moves_can_be_undone)
{
    enum { NODES = 60, EDGES = 2 * (NODES - 1) };
    uint32_t from[EDGES], to[EDGES];
    const uint32_t goal = 0, start = NODES / 2;
    for (uint32_t n = 0; n + 1 < NODES; n++) {
        from[2 * n] = to[2 * n + 1] = n;
        to[2 * n] = from[2 * n + 1] = n + 1;
    }
    for (unsigned i = 0; i < 4; i++) { /* with all moves, and without one: then the rest is found, and nothing more */
        struct digraph *graph = digraph_create(NODES, from, to, EDGES - i / 2, &goal, 1, NULL);
        digraph_make_forward(graph, i % 2 == 0, 1, &start, 1);
        find_the_same_graph("a line", graph, i);
    }
}

/* A tree, whose edges go both ways: so many states that a rank's stretch of them has few, one or none. */
Test(ranks, find_the_same_where_a_stretch_is_short)
{
    static const uint32_t nodes[] = {2559, 2560, 2561, 2562, 5121};
    const uint32_t goal = 0, start = 0;
    for (size_t i = 0; i < COUNT(nodes); i++) {
        const size_t edges = 2 * (nodes[i] - 1);
        uint32_t *from = checked_memory(edges, sizeof *from), *to = checked_memory(edges, sizeof *to);
        for (uint32_t n = 1; n < nodes[i]; n++) {
            from[2 * n - 2] = to[2 * n - 1] = n;
            to[2 * n - 2] = from[2 * n - 1] = (n - 1) / 2;
        }
        struct digraph *graph = digraph_create(nodes[i], from, to, edges, &goal, 1, NULL);
        digraph_make_forward(graph, true, 1, &start, 1);
        for (unsigned size = 2; size <= 4; size++)
            find_the_same("a tree", &graph->puzzle, size, 1);
        digraph_free(graph);
        free(from);
        free(to);
    }
}

/* A state with more moves than a batch would have room for. */
Test(ranks, find_states_with_very_many_moves)
{
    enum { NODES = 700, MOVES = 60000 };
    uint32_t *from = checked_memory(MOVES + NODES, sizeof *from), *to = checked_memory(MOVES + NODES, sizeof *to);
    const uint32_t goal = NODES - 1, start = 0;
    for (uint32_t e = 0; e < MOVES; e++) {
        from[e] = 0;
        to[e] = e * 2654435761u % (NODES / 2);
    }
    for (uint32_t n = 0; n < NODES; n++) {
        from[MOVES + n] = n;
        to[MOVES + n] = n + 1 < NODES ? n + 1 : 0;
    }
    for (unsigned i = 0; i < 4; i += short_step(3)) {
        struct digraph *graph = digraph_create(NODES, from, to, MOVES + NODES, &goal, 1, NULL);
        digraph_make_forward(graph, i % 2 == 0, i < 2 ? 1 : 1000, &start, 1);
        find_the_same_graph("very many moves", graph, i);
    }
    free(from);
    free(to);
}

/* Many rounds in a layer, and many turns when keys are gathered. */
Test(ranks, find_the_distances_of_large_graphs)
{
    const uint32_t start = 3;
    for (unsigned i = 0; i < 4; i++) {
        struct digraph *graph = digraph_random(60000, 120000, 3, 7 + i, false);
        if (i > 0)
            digraph_make_forward(graph, i % 2 == 0, i == 3 ? 9 : 1, &start, 1);
        find_the_same_graph("a large graph", graph, i);
    }
}

static void stop(const struct puzzle *puzzle, unsigned size, unsigned stopping, unsigned call)
{
    struct member member[RANKS_MOST];
    for (unsigned rank = 0; rank < size; rank++)
        member[rank] = (struct member){.puzzle = puzzle, .threads = 1, .stopping = stopping, .call = call};
    together(size, search, member);
    for (unsigned rank = 0; rank < size; rank++)
        EXPECT_NUMBER(member[rank].status, PDB_INTERRUPTED);
}

Test(ranks, stop_together)
{
    static const char *const puzzles[] = {"tiles-2x5", "klotski", "triangle-15", "english-33"};
    for (size_t i = 0; i < COUNT(puzzles); i++) {
        struct puzzle *puzzle = built_in(puzzles[i]);
        stop(puzzle, 3, 2, 0);
        puzzle_free(puzzle);
    }
}

static void stop_flips(const char *board, unsigned size, unsigned stopping)
{
    char text[200];
    snprintf(text, sizeof text, "puzzle: t\nfamily: flip\nboard: '%s'\naround: plus\n", board);
    struct puzzle *puzzle = make_puzzle(text);
    stop(puzzle, size, stopping, 1);
    puzzle_free(puzzle);
}

/* The first call finds the goals, the second makes all passes. A rank is stopped within its slices; one without slices
 * between those of others; and one that has all that there are, and so nothing to exchange. */
Test(ranks, stop_together_between_passes)
{
    for (unsigned stopping = 0; stopping < 3; stopping++)
        stop_flips("..../..../..../....", 3, stopping);
    stop_flips(".../.../...", 7, 6);
    stop_flips("...", 3, 0);
}

/* A rank that must not take as much memory as its states do ends the search of all. */
Test(ranks, end_together_where_memory_is_short)
{
    struct puzzle *puzzle = built_in("klotski");
    struct member member[3];
    for (unsigned rank = 0; rank < 3; rank++)
        member[rank] = (struct member){
            .puzzle = puzzle, .threads = 1, .stopping = RANKS_MOST, .limit = rank == 1 ? 1 << 20 : 0};
    together(3, search, member);
    for (unsigned rank = 0; rank < 3; rank++) {
        EXPECT_NUMBER(member[rank].status, PDB_TOO_LARGE);
        EXPECT_BEGIN(member[rank].error.message, "klotski: ");
    }
    puzzle_free(puzzle);
}

/* Of numbered states a plan says all that a rank takes, the first one's for what it writes included: whoever may begin
 * comes to the end. */
Test(ranks, need_no_more_than_planned)
{
    enum { NODES = 1 << 20 };
    struct digraph *graph = digraph_random(NODES, 2 * NODES, 3, 5, false);
    struct member member[4];
    struct alone alone;
    cr_assert(alone_solve(&graph->puzzle, &alone));
    for (unsigned rank = 0; rank < 4; rank++)
        member[rank] = (struct member){
            .alone = &alone, .puzzle = &graph->puzzle, .threads = 1, .stopping = RANKS_MOST, .within_plan = true};
    together(4, search, member);
    for (unsigned rank = 0; rank < 4; rank++) {
        cr_expect(member[rank].status == PDB_OK, "rank %u: %s", rank, member[rank].error.message);
        EXPECT_NUMBER(member[rank].differences, 0);
    }
    alone_free(&alone);
    digraph_free(graph);
}

/* Wherever in a search of many layers the memory of one rank ends, as for a longer histogram, all end. */
Test(ranks, end_together_in_a_deep_search)
{
    struct puzzle *puzzle = built_in("chinese-rings-11");
    struct member member[2];
    struct alone alone;
    unsigned ended = 0;
    cr_assert(alone_solve(puzzle, &alone));
    for (uint64_t limit = 1 << 20; ended == 0 || member[0].status != PDB_OK; limit += limit / 128 * short_step(24)) {
        for (unsigned rank = 0; rank < 2; rank++)
            member[rank] = (struct member){.alone = &alone,
                                           .puzzle = puzzle,
                                           .threads = 1,
                                           .stopping = RANKS_MOST,
                                           .limit = rank == 1 ? limit : 0};
        together(2, search, member);
        cr_assert(member[0].status == member[1].status && (member[0].status == PDB_OK || ended++ < 1000));
    }
    EXPECT_NUMBER(member[0].differences, 0);
    alone_free(&alone);
    puzzle_free(puzzle);
}

/* Each holds its share: of four ranks none needs much more than a quarter. */
Test(ranks, need_less_memory_each)
{
    struct puzzle *puzzle = built_in("tiles-3x4");
    const uint64_t alone = plan_of(RETROGRADE_BEST, puzzle, 1).memory;
    struct member member[4];
    for (unsigned rank = 0; rank < 4; rank++)
        member[rank] = (struct member){.puzzle = puzzle, .threads = 1, .stopping = 0};
    together(4, search, member);
    for (unsigned rank = 0; rank < 4; rank++)
        cr_expect((double)member[rank].planned <= 0.35 * (double)alone, "rank %u: %llu of %llu bytes", rank,
                  (unsigned long long)member[rank].planned, (unsigned long long)alone);
    puzzle_free(puzzle);
}
