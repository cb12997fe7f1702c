/* test_search.c -- single boards of random puzzles by rules, against distances and numbers of solutions worked out over
 * all states in the obvious way, from the plain interpreter's moves
 *
 * Puzzles have costs or not, and most have moves that cannot be taken back. Each is searched three times: with all the
 * memory that a search likes, with so little that most is left to the deepening, and with so many elements that do
 * nothing that its states have no keys. And whichever elements are left out, what is left tells lower bounds: tables of
 * them are held against the distances, state by state.
 */
#include "lib/families/rules/layout.h"
#include "lib/families/rules/search/lookup.h"
#include "lib/random.h"
#include "lib/search/board/search.h"
#include "tests/support/support.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PUZZLES = 60, TEXT_MAX = 4096, PAD = 20 };

/* -- random definitions -- */

struct writer {
    char text[TEXT_MAX];
    size_t used;
};

__attribute__((format(printf, 2, 3))) static void put(struct writer *writer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(writer->text + writer->used, TEXT_MAX - writer->used, format, arguments);
    va_end(arguments);
    writer->used += (size_t)length;
    cr_assert(writer->used < TEXT_MAX);
}

static unsigned below(uint64_t *seed, unsigned bound)
{
    return (unsigned)random_below(seed, bound);
}

/* A term over the variables a, b and the array c[0 .. 2]. */
static const char *term(uint64_t *seed, char text[64])
{
    static const char *const terms[] = {"a",     "b",          "c[0]",        "c[1]",     "c[2]",         "1",
                                        "a + 1", "c[b % 3]",   "(a + b) % 4", "3 - c[1]", "c[a % 3] + b", "max(a, b)",
                                        "2",     "abs(a - b)", "a * b % 4",   "c[0] / 2"};
    snprintf(text, 64, "%s", terms[below(seed, COUNT(terms))]);
    return text;
}

static void put_move(struct writer *writer, unsigned number, bool costly, uint64_t *seed)
{
    static const char *const costs[] = {"1 + p", "2 + a * 3", "p", "max(c[0], 1 - b)"};
    static const char *const places[] = {"a", "b", "c[0]", "c[1]", "c[2]", "c[a % 3]", "c[p]"};
    static const char *const relations[] = {"==", "!=", "<", "<="};
    char x[64], y[64];
    put(writer, "  - name: m%u {p}\n    for: {p: 0..2}\n", number);
    put(writer, "    if: %s %s %s\n", term(seed, x), relations[below(seed, COUNT(relations))], term(seed, y));
    put(writer, "    do: %s = %s", places[below(seed, COUNT(places))], term(seed, x));
    if (below(seed, 2) == 0)
        put(writer, ", %s = %s", places[below(seed, COUNT(places))], term(seed, y));
    put(writer, "\n");
    if (costly)
        put(writer, "    cost: %s\n", costs[below(seed, COUNT(costs))]);
}

/* `pad` elements more, of four bits each, that nothing changes. */
static void write_definition(struct writer *writer, uint64_t seed, unsigned pad)
{
    char x[64];
    const bool costs = below(&seed, 2) == 0;
    const unsigned moves = 2 + below(&seed, 4);
    writer->used = 0;
    put(writer, "puzzle: t\nfamily: rules\nstate:\n  a: 0..4\n  b: 0..3\n  c[0..2]: 0..3\n");
    if (pad > 0)
        put(writer, "  pad[1..%u]: 0..15\n", pad);
    put(writer, "start: {c: 3}\ngoal: %s == 2 and b == %u\nmoves:\n", term(&seed, x), below(&seed, 4));
    for (unsigned m = 0; m < moves; m++)
        put_move(writer, m, costs, &seed);
}

/* -- the obvious way -- */

struct edge {
    uint32_t from, to, cost;
};

/* All states, by their positions' numbers in the order of unrank. */
struct space {
    struct puzzle *puzzle;
    uint32_t states; /* keys */
    bool *there;
    struct edge *edge;
    size_t edges, room;
    uint32_t *distance;
    uint64_t *ways;
};

static void add_edges(struct space *space, uint32_t state, const uint8_t *position)
{
    pdb_moves moves = {0};
    pdb_error error;
    uint64_t to;
    cr_assert(space->puzzle->family->position.moves(space->puzzle, position, &moves, &error) == PDB_OK);
    for (size_t m = 0; m < moves.count; m++) {
        cr_assert(space->puzzle->family->position.rank(space->puzzle, moves.move[m].board.symbol, &to));
        if (space->edges == space->room)
            space->edge = realloc(space->edge, (space->room = 2 * space->room + 64) * sizeof *space->edge);
        space->edge[space->edges++] = (struct edge){state, (uint32_t)to, moves.move[m].cost};
    }
    pdb_moves_free(&moves);
}

static void find_distances(struct space *space)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t e = 0; e < space->edges; e++) {
            const struct edge *edge = &space->edge[e];
            if (space->distance[edge->to] == PDB_NO_DISTANCE ||
                space->distance[edge->to] + edge->cost >= space->distance[edge->from])
                continue;
            space->distance[edge->from] = space->distance[edge->to] + edge->cost;
            changed = true;
        }
    }
}

/* Ways from states of growing distance. */
static void count_ways(struct space *space)
{
    uint32_t most = 0;
    for (uint32_t s = 0; s < space->states; s++)
        if (space->there[s] && space->distance[s] != PDB_NO_DISTANCE && space->distance[s] > most)
            most = space->distance[s];
    for (uint32_t distance = 1; distance <= most; distance++)
        for (size_t e = 0; e < space->edges; e++) {
            const struct edge *edge = &space->edge[e];
            if (space->distance[edge->from] == distance && space->distance[edge->to] == distance - edge->cost)
                space->ways[edge->from] += space->ways[edge->to];
        }
}

static void explore(struct space *space, struct puzzle *puzzle)
{
    *space = (struct space){.puzzle = puzzle, .states = (uint32_t)puzzle->states};
    space->there = calloc(space->states, sizeof *space->there);
    space->distance = calloc(space->states, sizeof *space->distance);
    space->ways = calloc(space->states, sizeof *space->ways);
    for (uint32_t s = 0; s < space->states; s++) {
        uint8_t position[BOARD_MAX_CELLS];
        uint64_t index;
        puzzle->family->position.unrank(puzzle, s, position);
        space->there[s] = puzzle->family->position.rank(puzzle, position, &index) && index == s;
        space->distance[s] = PDB_NO_DISTANCE;
        if (space->there[s] && puzzle->family->position.is_goal(puzzle, position)) {
            space->distance[s] = 0;
            space->ways[s] = 1;
        }
        if (space->there[s])
            add_edges(space, s, position);
    }
    find_distances(space);
    count_ways(space);
}

static void space_free_all(struct space *space)
{
    free(space->there);
    free(space->edge);
    free(space->distance);
    free(space->ways);
}

/* -- searches -- */

/* With little memory a search without a solution need not end. */
static bool go_on(void *context, const struct search_progress *progress)
{
    const uint64_t *most = context;
    return progress->nodes < *most;
}

/* Some states of the space by a puzzle that may have elements behind those of the space's: how many searches ended. */
static unsigned compare(const struct space *space, struct puzzle *puzzle, uint64_t memory, uint32_t step, uint64_t seed)
{
    uint64_t most = memory == 0 ? UINT64_MAX : 20000;
    const struct search_options options = {.threads = 1, .memory = memory};
    struct searcher *searcher;
    unsigned finished = 0;
    pdb_error error;
    cr_assert(search_create(puzzle, &options, &searcher, &error) == PDB_OK, "%s", error.message);
    for (uint32_t s = below(&seed, step); s < space->states; s += step) {
        uint8_t position[BOARD_MAX_CELLS], whole[BOARD_MAX_CELLS];
        struct search_answer answer;
        unsigned __int128 count;
        if (!space->there[s])
            continue;
        cr_assert(puzzle_parse(puzzle, "start", whole, &error) == PDB_OK);
        space->puzzle->family->position.unrank(space->puzzle, s, position);
        memcpy(whole, position, space->puzzle->board.places);
        pdb_status status = search_solve(searcher, whole, PDB_NO_DISTANCE, go_on, &most, &answer, &error);
        if (status == PDB_INTERRUPTED && memory != 0) {
            cr_assert(answer.bound <= space->distance[s] && answer.bound > 0);
            continue;
        }
        cr_assert(status == PDB_OK, "%s", error.message);
        finished++;
        cr_assert(answer.distance == space->distance[s] && answer.bound == answer.distance, "state %u: %u, not %u", s,
                  answer.distance, space->distance[s]);
        cr_assert((answer.path != NULL) == (answer.distance != PDB_NO_DISTANCE));
        free(answer.path);
        if (memory == 0 && answer.distance > 0 && answer.distance != PDB_NO_DISTANCE) {
            status = search_solve(searcher, whole, answer.distance - 1, NULL, NULL, &answer, &error);
            cr_assert(status == PDB_OK && answer.distance == PDB_NO_DISTANCE && answer.bound == space->distance[s]);
        }
        if (memory != 0 || space->distance[s] == PDB_NO_DISTANCE)
            continue;
        status = searcher->class->count(searcher, whole, space->distance[s], NULL, NULL, &count, &error);
        cr_assert(status == PDB_OK, "%s", error.message);
        cr_assert(count == space->ways[s], "state %u: %llu solutions, not %llu", s, (unsigned long long)count,
                  (unsigned long long)space->ways[s]);
    }
    search_free(searcher);
    return finished;
}

Test(rules_search, random_puzzles)
{
    enum { TINY = 4096 };
    const unsigned puzzles = PUZZLES / short_step(3);
    unsigned made = 0, solvable = 0, deepened = 0, free_puzzles = 0;
    for (uint64_t seed = 1; made < puzzles; seed++) {
        struct writer writer;
        struct puzzle *puzzle, *padded;
        struct space space;
        pdb_error error;
        cr_assert(seed < 20 * PUZZLES, "too few of the puzzles can be made: %s", error.message);
        write_definition(&writer, seed, 0);
        if (try_puzzle(writer.text, &puzzle, &error) != PDB_OK)
            continue;
        made++;
        explore(&space, puzzle);
        compare(&space, puzzle, 0, 29, seed);
        deepened += compare(&space, puzzle, TINY, 37, seed);
        for (uint32_t s = 0; s < space.states; s++)
            solvable += space.there[s] && space.distance[s] > 3 && space.distance[s] != PDB_NO_DISTANCE;
        write_definition(&writer, seed, PAD);
        if (try_puzzle(writer.text, &padded, &error) != PDB_OK) {
            cr_assert(((struct rules *)puzzle)->free, "%s", error.message);
            free_puzzles++;
            space_free_all(&space);
            puzzle_free(puzzle);
            continue;
        }
        cr_assert(padded->states == 0);
        compare(&space, padded, 0, 53, seed);
        deepened += compare(&space, padded, TINY, 53, seed);
        space_free_all(&space);
        puzzle_free(padded);
        puzzle_free(puzzle);
    }
    cr_assert(free_puzzles > puzzles / 20, "only %u puzzles have moves that are free", free_puzzles);
    cr_assert(deepened > 5 * puzzles, "only %u searches with little memory came to an end", deepened);
    cr_assert(solvable > 17 * puzzles, "only %u states are more than three from a goal", solvable);
}

/* -- tables of lower bounds -- */

struct tally {
    uint64_t states, above_0, never;
    unsigned tables;
};

/* The table of some elements, of every state; and none, where it may be less work. With all elements kept it has the
 * distances themselves. */
static void compare_lookup(const struct space *space, const struct mover *mover, const struct needs *needs,
                           uint64_t kept, struct tally *tally)
{
    const struct rules *rules = (const struct rules *)space->puzzle;
    const struct lookup_work work = {.memory = (uint64_t)64 << 20, .most = (uint64_t)1 << 32};
    const bool all = kept + 1 == (uint64_t)1 << rules->elements;
    struct lookups lookups = {.count = 1};
    uint8_t position[BOARD_MAX_CELLS];
    int32_t state[RULES_MAX_ELEMENTS];
    unsigned element;
    uint64_t packed[2];
    pdb_error error;
    cr_assert(mover->words <= COUNT(packed));
    const pdb_status status = lookup_make(mover, needs, &kept, &work, &lookups.lookup[0], &error);
    if (status == PDB_NO_DATABASE)
        lookups.count = 0;
    else
        cr_assert(status == PDB_OK, "%s", error.message);
    tally->tables += lookups.count;
    for (uint32_t s = 0; lookups.count > 0 && s < space->states; s++) {
        if (!space->there[s])
            continue;
        space->puzzle->functions.position.unrank(space->puzzle, s, position);
        cr_assert(layout_read(rules, position, state, &element));
        mover_pack(mover, state, packed);
        const uint32_t bound = lookups_bound(&lookups, packed);
        cr_assert(all ? bound == space->distance[s] : bound <= space->distance[s],
                  "elements %llx, state %u: a bound of %u, a distance of %u", (unsigned long long)kept, s, bound,
                  space->distance[s]);
        tally->states++;
        tally->above_0 += bound > 0;
        tally->never += bound == PDB_NO_DISTANCE;
    }
    if (lookups.count > 0) {
        struct lookup_work less = {.memory = work.memory, .most = lookups.lookup[0].work};
        struct lookup none;
        while (lookup_make(mover, needs, &kept, &less, &none, &error) == PDB_OK) {
            lookup_free(&none);
            less.most /= 2; /* states that free moves lead to may be most of the work */
            cr_assert(rules->free && less.most > 0);
        }
        cr_assert(none.work > less.most / LOOKUP_WORK_PART && none.entry == NULL);
        lookup_free(&none);
    }
    lookups_free(&lookups);
}

/* All tables of a puzzle, which is freed. */
static void compare_lookups(struct puzzle *puzzle, struct tally *tally)
{
    const struct rules *rules = (const struct rules *)puzzle;
    struct space space;
    struct mover mover = {0};
    struct needs needs = {0};
    pdb_error error;
    explore(&space, puzzle);
    cr_assert(mover_make(rules, &mover, &error) == PDB_OK && needs_make(rules, &needs, &error) == PDB_OK);
    for (uint64_t kept = 1; kept < (uint64_t)1 << rules->elements; kept++)
        compare_lookup(&space, &mover, &needs, kept, tally);
    needs_free(&needs);
    mover_free(&mover);
    space_free_all(&space);
    puzzle_free(puzzle);
}

Test(rules_search, bounds)
{
    struct tally tally = {0};
    const unsigned puzzles = 2 * PUZZLES / short_step(8);
    unsigned made = 0;
    for (uint64_t seed = 1; made < puzzles; seed++) {
        struct writer writer;
        struct puzzle *puzzle;
        pdb_error error;
        write_definition(&writer, seed, 0);
        if (try_puzzle(writer.text, &puzzle, &error) != PDB_OK)
            continue;
        made++;
        compare_lookups(puzzle, &tally);
    }
    cr_assert(tally.tables > 13 * puzzles, "only %u tables", tally.tables);
    cr_assert(tally.above_0 > tally.states / 3 && tally.never < tally.above_0,
              "bounds above 0: %llu of %llu, %llu never", (unsigned long long)tally.above_0,
              (unsigned long long)tally.states, (unsigned long long)tally.never);
}

/* Where an assignment falls to an element that is left out, whatever its value, the others are made all the same. */
Test(rules_search, bounds_with_assignments_left_out)
{
    static const char text[] = "puzzle: t\nfamily: rules\n"
                               "state: {a: 0..4, b: 0..3, 'c[0..2]': 0..3}\n"
                               "start: [{a: '*', b: '*', c: '*'}]\n"
                               "goal: c[2] == 2 and b == 1\n"
                               "moves:\n"
                               "  - name: m\n    if: a * b % 4 < c[2]\n    do: b = 1, c[a % 3] = c[b % 3]\n"
                               "    cost: 2 + a * 3\n"
                               "  - name: n\n    if: (a + b) % 4 == c[1]\n    do: c[2] = 2\n    cost: 2 + a * 3\n";
    struct tally tally = {0};
    struct puzzle *puzzle;
    pdb_error error;
    cr_assert(try_puzzle(text, &puzzle, &error) == PDB_OK, "%s", error.message);
    compare_lookups(puzzle, &tally);
    cr_assert(tally.above_0 > 0);
}

/* Rules of which little is left for much work: each move counts all variables. Few tables can be made, and those that
 * cannot be are work, too. */
Test(rules_search, work_has_a_limit)
{
    static const char text[] = "puzzle: t\nfamily: rules\nstate: {'x[0..39]': 0..1}\ngoal: all(x[i] for i in 0..39)\n"
                               "moves:\n  - name: m {i}\n    for: {i: 0..39}\n"
                               "    if: count(x[j] * 2 + x[(j + i) % 40] > 1 for j in 0..39) <= 3 * i\n"
                               "    do: x[i] = 1 - x[i]\n";
    struct search_watch watch = {.stopped = true};
    struct lookup_work work = {.memory = (uint64_t)64 << 20, .most = 1 << 13};
    struct puzzle *puzzle;
    struct mover mover = {0};
    struct lookups lookups;
    pdb_error error;
    cr_assert(try_puzzle(text, &puzzle, &error) == PDB_OK, "%s", error.message);
    cr_assert(mover_make((const struct rules *)puzzle, &mover, &error) == PDB_OK);
    cr_assert(lookups_choose(&mover, &work, &lookups, &error) == PDB_OK, "%s", error.message);
    cr_assert(lookups.work >= work.most / LOOKUP_WORK_PART && lookups.work < work.most * 5 / 4, "work %llu of %llu",
              (unsigned long long)lookups.work, (unsigned long long)work.most);
    lookups_free(&lookups);
    work.watch = &watch;
    cr_assert(lookups_choose(&mover, &work, &lookups, &error) == PDB_INTERRUPTED);
    lookups_free(&lookups);
    mover_free(&mover);
    puzzle_free(puzzle);
}
