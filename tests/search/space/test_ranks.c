/* test_ranks.c -- searches that are shared out among ranks find what one process finds */
#include "lib/ranks/ranks.h"
#include "lib/search/space/keyed.h"
#include "tests/support/digraph.h"
#include "tests/support/rank_threads.h"
#include "tests/support/support.h"

#include <string.h>

/* What one process finds: of keys, with the puzzle that they number. */
struct alone {
    struct solved solved;
    struct puzzle *keyed;
};

/* What one rank does and what came of it. */
struct member {
    struct ranks ranks;
    const struct alone *alone;
    const struct puzzle *puzzle;
    unsigned threads, stopping; /* the rank that stops the search; RANKS_MOST: none */
    uint64_t limit;             /* bytes of memory; 0: none */
    bool within_plan;           /* it is what the plan says */
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

static bool look(void *context, const struct retrograde_progress *progress)
{
    const struct member *member = context;
    (void)progress;
    return member->ranks.rank != member->stopping;
}

/* Holds an outcome against that of one process, as only rank 0 has it: all bytes in their order, and some out of it. */
static uint64_t compare(const struct retrograde_result *result, const struct retrograde_result *expected)
{
    const uint64_t size = encoding_bytes(expected->encoding, expected->states);
    uint64_t differences = result->encoding != expected->encoding || result->states != expected->states ||
                           result->reachable != expected->reachable || result->depths != expected->depths ||
                           result->hardest_kept != expected->hardest_kept;
    if (differences > 0)
        return differences;
    differences += memcmp(result->histogram, expected->histogram, expected->depths * sizeof(uint64_t)) != 0;
    differences += memcmp(result->hardest, expected->hardest, expected->hardest_kept * sizeof(uint64_t)) != 0;
    for (uint64_t at = 0, run; at < size; at += run) {
        const uint8_t *bytes = result->source.at(result->source.context, at, &run, NULL);
        differences += memcmp(bytes, expected->bytes + at, run < size - at ? run : size - at) != 0;
    }
    for (unsigned i = 0; i < 8; i++) {
        uint64_t run;
        const uint64_t at = (7 - i) * (size - 1) / 7;
        differences += *result->source.at(result->source.context, at, &run, NULL) != expected->bytes[at];
    }
    return differences;
}

/* The same of the keys, as bytes behind the distances, and one by one. */
static uint64_t compare_keys(struct retrograde *search, const struct retrograde_result *result,
                             const struct keys *expected)
{
    struct keys *keys;
    const uint64_t size = keys_encoded_size(expected),
                   offset = keyed_keys_offset(encoding_bytes(result->encoding, result->states));
    uint64_t differences = 0, place;
    if (retrograde_keys(search, &keys, NULL) != PDB_OK)
        return 1;
    uint8_t *bytes = checked_memory(size + 1, 1);
    keys_encode(expected, bytes);
    differences += keys_count(keys) != keys_count(expected) || keys_encoded_size(keys) != size;
    for (uint64_t at = 0, run; differences == 0 && at < size; at += run) {
        const uint8_t *made = result->source.at(result->source.context, offset + at, &run, NULL);
        differences += memcmp(made, bytes + at, run < size - at ? run : size - at) != 0;
    }
    for (uint64_t i = 0; differences == 0 && i < keys_count(keys); i += 1 + keys_count(keys) / 50)
        differences += keys_at(keys, i) != keys_at(expected, i) || !keys_find(keys, keys_at(keys, i), &place) ||
                       place != i;
    free(bytes);
    keys_free(keys);
    return differences;
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
    while (status == PDB_OK && !done)
        status = retrograde_layer(search, look, member, &done, &member->error);
    if (status == PDB_OK) {
        retrograde_finish(search, &result);
        if (member->ranks.rank == 0)
            member->differences = compare(&result, &member->alone->solved.result);
        if (member->ranks.rank == 0 && member->puzzle->keyed)
            member->differences += compare_keys(search, &result, keyed_keys(member->alone->keyed));
        retrograde_serve(search);
    }
    retrograde_free(search);
    retrograde_plan_free(&plan);
    member->status = status;
    return NULL;
}

/* False where no goal is among the states: then there is nothing to free. */
static bool solve_alone(const struct puzzle *puzzle, struct alone *alone)
{
    *alone = (struct alone){.keyed = NULL};
    if (puzzle->keyed)
        alone->keyed = solve_keys(puzzle, 1, &alone->solved);
    else
        solve(puzzle, 1, &alone->solved);
    return !puzzle->keyed || alone->keyed != NULL;
}

static void alone_free(struct alone *alone)
{
    keyed_free(alone->keyed);
    solved_free(&alone->solved);
}

/* Where one process finds that no goal can be reached, so do all ranks. */
static void find_the_same(const char *name, const struct puzzle *puzzle, unsigned size, unsigned threads)
{
    struct alone alone;
    const bool solvable = solve_alone(puzzle, &alone);
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

/* Boards of numbered tiles, with and without large pieces; walks, whose groups are of different sizes; permutations. */
static const char *const by_words[] = {"8-puzzle", "tiles-2x5", "goat", "knights", "guarini", "pancakes-8", "pyraminx"};

/* Keys: by rows, by keys, with and without moves that can be undone, grade by grade, of one goal that there are very
 * many of, of rules; indices: all at once, whose moves cannot be undone, and of rules. */
static const char *const one_by_one[] = {"klotski",    "rush-hour",   "hoppers",          "lunar-lockout",
                                         "bloxorz-1",  "triangle-21", "triangle-15",      "8-flip",
                                         "lights-out", "send-more",   "wolf-goat-cabbage"};

static void find_the_same_built_in(const char *name, unsigned size)
{
    struct puzzle *puzzle = built_in(name);
    find_the_same(name, puzzle, size, size == 3 ? 2 : 1);
    puzzle_free(puzzle);
}

Test(ranks, find_what_one_process_finds)
{
    for (size_t i = 0; i < COUNT(by_words); i++)
        for (unsigned size = 2; size <= RANKS_MOST; size += size == 3 ? 2 : 1)
            find_the_same_built_in(by_words[i], size);
}

Test(ranks, find_it_one_by_one)
{
    for (unsigned i = 0; i < COUNT(one_by_one); i++)
        find_the_same_built_in(one_by_one[i], 2 + i % 4);
}

/* -- going on -- */

/* What is kept of a search: its parts, which one process and any number of ranks have alike. */
struct kept {
    size_t count;
    uint64_t size[RETROGRADE_PARTS_MAX];
    uint8_t *bytes[RETROGRADE_PARTS_MAX];
};

enum { MOVED_BYTES = 100000 }; /* at once: no multiple of what a group has */

/* Moves one part, wherever it lies, to what is kept or back. */
static void move_part(struct retrograde *search, const struct memory_part *part, uint8_t *bytes, bool back)
{
    if (part->bytes != NULL)
        memcpy(back ? part->bytes : bytes, back ? bytes : part->bytes, part->size);
    for (uint64_t at = 0; part->bytes == NULL && at < part->size; at += MOVED_BYTES)
        retrograde_move(search, at, bytes + at, part->size - at < MOVED_BYTES ? part->size - at : MOVED_BYTES, back);
}

static void keep(struct retrograde *search, struct kept *kept)
{
    struct memory_part part[RETROGRADE_PARTS_MAX];
    kept->count = retrograde_parts(search, part);
    for (size_t i = 0; i < kept->count; i++) {
        kept->size[i] = part[i].size;
        free(kept->bytes[i]);
        kept->bytes[i] = checked_memory(part[i].size + 1, 1);
        move_part(search, &part[i], kept->bytes[i], false);
    }
}

static void give_back(struct retrograde *search, const struct kept *kept)
{
    struct memory_part part[RETROGRADE_PARTS_MAX];
    if (!retrograde_fit(search, kept->size, kept->count) || retrograde_parts(search, part) != kept->count)
        abort();
    for (size_t i = 0; i < kept->count; i++)
        move_part(search, &part[i], kept->bytes[i], true);
}

/* One rank of several that go on from what is kept, make some layers, and keep what is done. */
struct runner {
    struct ranks ranks;
    const struct puzzle *puzzle;
    const struct alone *alone;
    struct kept *kept;
    unsigned layers, stopping; /* the rank that stops the layer after them, once some of it is made */
    unsigned looks;
    bool halves; /* the search may be kept then */
    bool resumed, done;
    uint64_t differences;
};

static bool stop_within_a_layer(void *context, const struct retrograde_progress *progress)
{
    struct runner *runner = context;
    (void)progress;
    return runner->layers > 0 || !runner->halves || runner->ranks.rank != runner->stopping || ++runner->looks < 3;
}

static void *run(void *context)
{
    struct runner *runner = context;
    struct ranks *ranks = &runner->ranks;
    struct retrograde_plan plan;
    struct retrograde *search;
    struct retrograde_result result;
    pdb_status status;
    if (retrograde_plan(RETROGRADE_BEST, runner->puzzle, 1, &plan, NULL) != PDB_OK ||
        retrograde_plan_ranks(ranks, &plan, NULL) != PDB_OK || retrograde_begin(&plan, &search, NULL) != PDB_OK)
        abort();
    runner->halves = retrograde_keeps_halves(&plan);
    if (runner->kept->count > 0 && ranks_first(ranks))
        give_back(search, runner->kept);
    retrograde_serve(search);
    runner->resumed = runner->kept->count == 0 || retrograde_resume(search, &(pdb_status){PDB_OK});
    retrograde_keep_from(search, 1e-9); /* always */
    do
        status = retrograde_layer(search, stop_within_a_layer, runner, &runner->done, NULL);
    while (runner->resumed && status == PDB_OK && !runner->done &&
           (runner->layers-- > 0 || (!runner->halves && !retrograde_crowded(search))));
    if (runner->resumed && !runner->done) {
        if (retrograde_settle(search, NULL) != PDB_OK)
            abort();
        if (ranks_first(ranks))
            keep(search, runner->kept);
        retrograde_serve(search);
    } else if (runner->resumed) {
        retrograde_finish(search, &result);
        if (ranks_first(ranks))
            runner->differences = compare(&result, &runner->alone->solved.result);
        if (ranks_first(ranks) && runner->puzzle->keyed)
            runner->differences += compare_keys(search, &result, keyed_keys(runner->alone->keyed));
        retrograde_serve(search);
    }
    retrograde_free(search);
    return NULL;
}

/* So many ranks go on, and keep what they have done after so many layers. */
static bool go_on(struct runner *first, unsigned size, unsigned layers)
{
    struct runner runner[RANKS_MOST];
    for (unsigned rank = 0; rank < size; rank++) {
        runner[rank] = *first;
        runner[rank].layers = layers;
        runner[rank].stopping = size - 1;
    }
    ranks_together(size, run, runner, sizeof *runner);
    for (unsigned rank = 1; rank < size; rank++)
        cr_expect(runner[rank].resumed == runner[0].resumed && runner[rank].done == runner[0].done);
    EXPECT_NUMBER(runner[0].differences, 0);
    first->resumed = runner[0].resumed;
    return runner[0].done;
}

/* Other numbers of ranks take turns, from `least` on; some stop within a layer, where that can be kept. */
static void take_turns(const char *name, const struct puzzle *puzzle, unsigned least)
{
    struct kept kept = {0};
    struct alone alone;
    struct runner runner = {.puzzle = puzzle, .alone = &alone, .kept = &kept};
    if (!solve_alone(puzzle, &alone))
        return;
    for (unsigned turn = 0; !go_on(&runner, least + (turn + 2) % (RANKS_MOST + 1 - least), turn % 4 * 3); turn++)
        cr_assert(runner.resumed, "%s, turn %u", name, turn);
    for (size_t part = 0; part < kept.count; part++)
        free(kept.bytes[part]);
    alone_free(&alone);
}

/* One process among them. */
Test(ranks, go_on_from_what_others_have_done)
{
    for (size_t i = 0; i < COUNT(by_words); i++) {
        struct puzzle *puzzle = built_in(by_words[i]);
        take_turns(by_words[i], puzzle, 1);
        puzzle_free(puzzle);
    }
}

Test(ranks, go_on_one_by_one)
{
    for (unsigned i = 0; i < COUNT(one_by_one); i++) {
        struct puzzle *puzzle = built_in(one_by_one[i]);
        take_turns(one_by_one[i], puzzle, 2);
        puzzle_free(puzzle);
    }
}

/* With keys and with indices, forward and not, with weights and costs, and distances of more than a byte. */
Test(ranks, go_on_in_graphs)
{
    static const uint32_t max_costs[] = {1, 3, 0, 100, 2, 1000};
    for (uint64_t seed = 0; seed < 20; seed++) {
        const uint32_t nodes = 20 + (uint32_t)(seed * seed * 7 % 701), start[] = {nodes / 2};
        struct digraph *graph = seed < 15 ? digraph_random(nodes, nodes * (3 + seed % 7) / 3, 3, seed, seed % 3 == 0)
                                          : digraph_ring(300);
        if (seed % 5 > 0)
            digraph_make_forward(graph, seed % 2 == 0, max_costs[seed / 2 % 6], start, seed % 2 == 0 ? 1 : 0);
        take_turns("a graph", &graph->puzzle, 2);
        digraph_free(graph);
    }
}

/* The histogram has grown by then. */
Test(ranks, go_on_in_a_deep_search)
{
    struct kept kept = {0};
    struct alone alone;
    struct digraph *graph = digraph_ring(1500);
    struct runner runner = {.puzzle = &graph->puzzle, .alone = &alone, .kept = &kept};
    cr_assert(solve_alone(&graph->puzzle, &alone));
    cr_expect(!go_on(&runner, 3, 1100));
    cr_expect(go_on(&runner, 2, 1500) && runner.resumed);
    for (size_t part = 0; part < kept.count; part++)
        free(kept.bytes[part]);
    alone_free(&alone);
    digraph_free(graph);
}

/* A state too many in the planes, or another among the lowest of a layer, whosever it is: all ranks see it. */
Test(ranks, do_not_go_on_from_what_contradicts_itself)
{
    struct puzzle *puzzle = built_in("8-puzzle");
    struct kept kept = {0};
    struct runner runner = {.puzzle = puzzle, .kept = &kept};
    cr_assert(!go_on(&runner, 3, 9));
    for (uint64_t part = 1; part < kept.count; part++)
        for (uint64_t i = 0; i < 4; i++) {
            uint8_t *byte = &kept.bytes[part][part == 1 ? 24 + 8 * i : i * (kept.size[part] - 1) / 3];
            *byte ^= 1;
            go_on(&runner, 2 + (unsigned)i % 3, 0);
            cr_expect(!runner.resumed, "part %u, byte %u", (unsigned)part, (unsigned)i);
            *byte ^= 1;
        }
    go_on(&runner, 2, 0);
    cr_expect(runner.resumed);
    for (size_t part = 0; part < kept.count; part++)
        free(kept.bytes[part]);
    puzzle_free(puzzle);
}

/* The same of keys: a key that cannot be or is there twice, one of another kind, numbers that are not those of the
 * states. */
Test(ranks, do_not_go_on_from_other_states)
{
    enum { RECORD_BYTES = 16 };
    static const uint64_t numbers[] = {0, 24}; /* among the figures: the pass, the keys */
    struct puzzle *puzzle = built_in("klotski");
    struct kept kept = {0};
    struct runner runner = {.puzzle = puzzle, .kept = &kept};
    cr_assert(!go_on(&runner, 3, 150) && kept.count == 3);
    const uint64_t last = kept.size[2] - RECORD_BYTES;
    uint8_t record[RECORD_BYTES];
    for (unsigned i = 0; i < 5 + COUNT(numbers); i++) {
        uint8_t *byte = i < 5 ? kept.bytes[2] : kept.bytes[1] + numbers[i - 5];
        memcpy(record, byte, sizeof record);
        if (i == 0)
            byte[7] |= 0x80;
        else if (i == 1)
            byte[12] = 3;
        else if (i == 2)
            memcpy(byte, byte + RECORD_BYTES, RECORD_BYTES);
        else if (i == 3)
            byte[11] = 1; /* farther than the last layer, or not reached */
        else if (i == 4)
            memcpy(byte, kept.bytes[2] + last, RECORD_BYTES); /* of the frontier */
        else
            *byte ^= 2;
        go_on(&runner, 2 + i % 3, 0);
        cr_expect(!runner.resumed, "change %u", i);
        memcpy(byte, record, sizeof record);
    }
    go_on(&runner, 2, 0);
    cr_expect(runner.resumed);
    for (size_t part = 0; part < kept.count; part++)
        free(kept.bytes[part]);
    puzzle_free(puzzle);
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
    for (uint64_t seed = 0; seed < 30; seed++) {
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
    for (unsigned i = 0; i < 5 * COUNT(nodes); i++) {
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
    for (unsigned i = 0; i < 4; i++) {
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

Test(ranks, stop_together)
{
    static const char *const puzzles[] = {"tiles-2x5", "klotski", "triangle-15", "english-33"};
    for (size_t i = 0; i < COUNT(puzzles); i++) {
        struct puzzle *puzzle = built_in(puzzles[i]);
        struct member member[3];
        for (unsigned rank = 0; rank < 3; rank++)
            member[rank] = (struct member){.puzzle = puzzle, .threads = 1, .stopping = 2};
        together(3, search, member);
        for (unsigned rank = 0; rank < 3; rank++)
            EXPECT_NUMBER(member[rank].status, PDB_INTERRUPTED);
        puzzle_free(puzzle);
    }
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
    cr_assert(solve_alone(&graph->puzzle, &alone));
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
    cr_assert(solve_alone(puzzle, &alone));
    for (uint64_t limit = 1 << 20; ended == 0 || member[0].status != PDB_OK; limit += limit / 128) {
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
