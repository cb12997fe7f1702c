/* test_rows.c -- searching by rows: whatever pieces make the row, what comes out is what plain keys give */
#include "tests/families/slide/far_model.h"

#include "lib/families/slide/packed.h"
#include "lib/search/space/retrograde_inner.h"
#include "lib/search/space/rows/rows.h"

#include <stdlib.h>
#include <string.h>

/* Places of one kind each: those of a row are the kinds of this set, as a sample of states that differ by them only
 * has the family choose. NULL where it finds no row. */
static struct row_kernel *rows_of_kinds(const struct puzzle *puzzle, bool portable, uint64_t kinds)
{
    enum { SAMPLE = 500 };
    const struct packed *packed = ((const struct slide *)puzzle)->packed;
    uint64_t sample[SAMPLE], mask = 0, random = kinds + 1;
    struct row_kernel *kernel = NULL;
    for (unsigned f = 0; f < packed->fields; f++)
        mask |= (kinds >> f & 1) != 0 ? packed->field[f].mask : 0;
    for (size_t i = 0; i < SAMPLE; i++)
        sample[i] = next_random(&random) & mask;
    cr_assert(puzzle->family->space.rows(puzzle, portable, sample, SAMPLE, 0, &kernel, NULL) == PDB_OK);
    return kernel;
}

/* A search by such rows; NULL where there are none. */
static struct retrograde *begin(const struct puzzle *puzzle, uint64_t kinds, unsigned threads, uint64_t limit)
{
    struct retrograde_plan plan = {.puzzle = puzzle, .threads = threads, .limit = limit, .way = &way_by_rows};
    struct retrograde *search = NULL;
    plan.portable = kinds % 2 == 0;
    plan.rows = rows_of_kinds(puzzle, plan.portable, kinds);
    if (plan.rows == NULL)
        return NULL;
    plan.memory = plan.way->memory(&plan, 1);
    cr_assert(retrograde_begin(&plan, &search, NULL) == PDB_OK && plan.rows == NULL);
    return search;
}

static pdb_status run(struct retrograde *search, pdb_error *error)
{
    pdb_status status = PDB_OK;
    for (bool done = false; status == PDB_OK && !done;)
        status = retrograde_layer(search, NULL, NULL, &done, error);
    return status;
}

/* Both are complete: one found what the other did. */
static void check_same(struct retrograde *search, struct retrograde *plain, const char *name)
{
    struct retrograde_result result, expected;
    struct keys *keys, *expected_keys;
    retrograde_finish(search, &result);
    retrograde_finish(plain, &expected);
    cr_assert(retrograde_keys(search, &keys, NULL) == PDB_OK);
    cr_assert(retrograde_keys(plain, &expected_keys, NULL) == PDB_OK);
    cr_assert(result.encoding == expected.encoding && result.states == expected.states &&
                  result.reachable == expected.reachable && result.depths == expected.depths &&
                  result.hardest_kept == expected.hardest_kept,
              "%s: other figures", name);
    cr_expect(memcmp(result.bytes, expected.bytes, encoding_bytes(result.encoding, result.states)) == 0, "%s", name);
    cr_expect(memcmp(result.histogram, expected.histogram, result.depths * sizeof *result.histogram) == 0, "%s", name);
    cr_expect(memcmp(result.hardest, expected.hardest, result.hardest_kept * sizeof *result.hardest) == 0, "%s", name);
    for (uint64_t i = 0; i < result.states; i++)
        cr_assert(keys_at(keys, i) == keys_at(expected_keys, i), "%s: key %llu", name, (unsigned long long)i);
    keys_free(keys);
    keys_free(expected_keys);
    retrograde_free(search);
    retrograde_free(plain);
}

static struct retrograde *plain_search(const struct puzzle *puzzle, pdb_status *status)
{
    struct retrograde *search;
    cr_assert(retrograde_of(RETROGRADE_STATES, puzzle, 1, &search, NULL) == PDB_OK);
    *status = run(search, NULL);
    return search;
}

/* Rows of every few kinds. */
static void check_kinds(struct puzzle *puzzle, const char *name)
{
    const unsigned kinds = ((const struct slide *)puzzle)->kinds;
    const uint64_t end = (uint64_t)1 << (kinds < 6 ? kinds : 6);
    unsigned tried = 0;
    for (uint64_t set = 1; set < end; set++) {
        pdb_status expected, status;
        struct retrograde *search = begin(puzzle, set, 1 + (unsigned)(set % 3), UINT64_MAX);
        if (search == NULL)
            continue;
        struct retrograde *plain = plain_search(puzzle, &expected);
        tried++;
        status = run(search, NULL);
        cr_assert(status == expected, "%s: %d, not %d", name, (int)status, (int)expected);
        if (status == PDB_OK)
            check_same(search, plain, name);
        else {
            retrograde_free(search);
            retrograde_free(plain);
        }
    }
    cr_expect(tried > 0, "%s: no rows", name);
    puzzle_free(puzzle);
}

Test(rows, what_plain_keys_give)
{
    static const struct far_spec specs[] = {
        {.board = "A A . B/. C C B/1 . . 2", .goal = "* * * */* * * */* * A A", .large = "ABC"},
        {.board = "A A . B/. C C B/1 . . 2", .goal = "* * * */* * * */* * A A", .large = "ABC", .slide = true},
        {.board = "L . ./L L ./1 2 .", .goal = "* * */* L */1 L L", .large = "L", .slide = true},
        {.board = "A B . C/A B . C/1 1 . 2", .goal = "* * A */* * A */2 * * *", .large = "ABC", .alike = {"ABC"}},
        {.board = "A B . C/A B . C/1 3 . 2",
         .goal = "* * * A/* * * A/* 2 * .",
         .large = "ABC",
         .alike = {"CA", "31"},
         .slide = true},
        {.board = "A A . ./# 1 . #/2 . B B", .goal = "* * B B/# * * #/* * * *", .large = "AB", .slide = true},
        {.board = "A A . ./# 1 . #/2 . B B", .goal = "* * B B/# * * #/* . * *", .large = "AB"},
        {.board = "1 1 2 . ./. # # # ./2 . . . 3", .goal = "2 * * * */* # # # */* * 3 * *", .slide = true},
        {.board = "A A . B/. C C B/1 . . 2",
         .goal = "* * A A/* * * */* * * *",
         .large = "ABC",
         .slide = true,
         .length = true},
        {.board = "A A . B/. C C B/1 . . 2",
         .goal = "* * A A/* * * */* * * *",
         .large = "ABC",
         .axis = {"A l", "B v", "1 h"}},
        {.board = "U . U . . ./U U U . . ./. . A A . B/C C . . . B",
         .goal = "* * * U * U/* * * U U U/* * * * * */* * * * * *",
         .large = "UABC",
         .slide = true,
         .length = true}, /* a gap along its way */
        {.board = "1 2 3/4 . .", .goal = "1 2 3/4 . ."},
        {.board = "1 2 3 . A A/. # # # # .", .goal = "* * * * * */. # # # # .", .large = "A", .slide = true},
        {.board = "1 2 3 . 4", .goal = "2 1 * * *", .slide = true}, /* no goal can be reached */
    };
    for (size_t i = 0; i < COUNT(specs); i++) {
        const char *const starts[] = {specs[i].board, NULL};
        check_kinds(far_keyed_puzzle(&specs[i], starts, true), specs[i].board);
    }
}

/* One cell is empty in each state, but in a row any cell that its pieces have may be: a row has more steps than any of
 * its states has moves. */
Test(rows, have_more_steps_than_states)
{
    static const struct far_spec spec = {.board = "1 A A 1 1/1 B B 1 1/1 C C 1 1/1 D D 1 ./1 E E 1 1",
                                         .goal = "* * * * */* * * * */* * * * */* * * * */* * * A A",
                                         .large = "ABCDE",
                                         .alike = {"ABCDE"}};
    static const struct far_spec far = {.board = "1 A A 1 1/1 B B 1 1/1 C C 1 1/1 D D 1 ./1 E E 1 1",
                                        .goal = "* * * * */* * * * */* * * * */* * * * */* * * A A",
                                        .large = "ABCDE",
                                        .alike = {"ABCDE"},
                                        .slide = true};
    enum { STEPS = 5 * 25 };
    for (unsigned i = 0; i < 2; i++) {
        const char *const starts[] = {spec.board, NULL};
        struct puzzle *puzzle = far_keyed_puzzle(i == 0 ? &spec : &far, starts, true);
        struct row_kernel *kernel = rows_of_kinds(puzzle, false, 1);
        uint64_t packed, keys[STEPS + 1], states[ROW_WORDS_MAX], rows[(STEPS + 1) * ROW_WORDS_MAX];
        unsigned bit;
        cr_assert(kernel != NULL && kernel->steps_max <= STEPS);
        cr_assert(puzzle->family->packed.pack(puzzle, puzzle->named[0].position, &packed));
        memset(states, 255, sizeof states);
        const size_t count = kernel->away(kernel, kernel->row(kernel, packed, &bit), states, keys, rows);
        cr_assert(count <= kernel->steps_max && (i == 1 || count > puzzle->max_moves), "%zu steps", count);
        kernel->free(kernel);
        puzzle_free(puzzle);
    }
}

/* Boards that no moves lead from one to another, some of which reach no goal. */
Test(rows, several_boards)
{
    static const struct far_spec spec = {
        .board = "1 2 3 . A A/. # # # # .", .goal = "1 * * * * */. # # # # .", .large = "A", .slide = true};
    static const char *const starts[] = {"1 2 3 . A A/. # # # # .", "2 1 A A . 3/. # # # # .", NULL};
    check_kinds(far_keyed_puzzle(&spec, starts, true), "several boards");
}

/* Where ranks do not fit, the keys are packed ones. */
Test(rows, packed_keys)
{
    static const struct far_spec spec = {
        .board = "A B . C/A B . C/1 1 . 2", .goal = "* * A */* * A */2 * * *", .large = "ABC", .alike = {"ABC"}};
    static const char *const starts[] = {"A B . C/A B . C/1 1 . 2", NULL};
    struct puzzle *puzzle = far_keyed_puzzle(&spec, starts, true);
    ((struct slide *)puzzle)->unranked = true;
    puzzle->states = INT64_MAX;
    check_kinds(puzzle, "packed keys");
}

/* -- choosing -- */

Test(rows, are_taken_where_they_are_full)
{
    static const struct {
        const char *name, *text;
    } expected[] = {{"klotski", "in layers by keys"}, {"rush-hour", "in layers by keys"}};
    for (size_t i = 0; i < COUNT(expected); i++) {
        struct puzzle *puzzle = built_in(expected[i].name);
        struct retrograde_plan plan;
        cr_assert(retrograde_plan(RETROGRADE_BEST, puzzle, 1, &plan, NULL) == PDB_OK);
        cr_expect_str_eq(plan.text, expected[i].text);
        retrograde_plan_free(&plan);
        puzzle_free(puzzle);
    }
}

/* -- going on another time -- */

static bool stop(void *context, const struct retrograde_progress *progress)
{
    (void)context, (void)progress;
    return false;
}

/* A search that has just begun takes the parts of another over. */
static void revive(struct retrograde *other, struct retrograde *search)
{
    struct memory_part old[RETROGRADE_PARTS_MAX], new[RETROGRADE_PARTS_MAX];
    uint64_t size[RETROGRADE_PARTS_MAX];
    const size_t count = retrograde_parts(search, old);
    for (size_t i = 0; i < count; i++)
        size[i] = old[i].size;
    cr_assert(!retrograde_fit(other, size, count - 1));
    cr_assert(retrograde_fit(other, size, count) && retrograde_parts(other, new) == count);
    for (size_t i = 0; i < count; i++)
        if (size[i] > 0)
            memcpy(new[i].bytes, old[i].bytes, size[i]);
    cr_assert(retrograde_resume(other, &(pdb_status){PDB_OK}));
    retrograde_free(search);
}

/* Stopped in the midst of every other layer and gone on from a copy. */
Test(rows, stop_and_go)
{
    struct puzzle *puzzle = built_in("klotski");
    for (unsigned threads = 1; threads <= 2; threads++) {
        pdb_status status;
        struct retrograde *plain = plain_search(puzzle, &status), *search = begin(puzzle, 1, threads, UINT64_MAX);
        cr_assert(search != NULL && strcmp(retrograde_layout(search), "rows of states, and those expanded") == 0);
        unsigned layers = 0;
        for (bool done = false; !done; layers++) {
            status = retrograde_layer(search, layers % 2 == 0 ? stop : NULL, NULL, &done, NULL);
            cr_assert(status == PDB_OK || status == PDB_INTERRUPTED);
            if (done || layers % 3 != 0)
                continue;
            struct retrograde *other = begin(puzzle, 1, 3 - threads, UINT64_MAX);
            revive(other, search);
            search = other;
        }
        check_same(search, plain, "klotski");
    }
    puzzle_free(puzzle);
}

/* Parts that are no search's are refused. */
Test(rows, parts_that_do_not_fit)
{
    struct puzzle *puzzle = built_in("klotski");
    struct retrograde *search = begin(puzzle, 1, 1, UINT64_MAX);
    struct memory_part part[RETROGRADE_PARTS_MAX];
    bool done;
    for (unsigned i = 0; i < 4; i++)
        cr_assert(retrograde_layer(search, NULL, NULL, &done, NULL) == PDB_OK);
    retrograde_parts(search, part);
    cr_expect(retrograde_resume(search, &(pdb_status){PDB_OK}));
    uint64_t *found = (uint64_t *)part[2].bytes + 4; /* of the first entry: a key, and planes of one word */
    found[0] ^= 1;                                   /* a state more, or less */
    cr_expect(!retrograde_resume(search, &(pdb_status){PDB_OK}));
    found[0] ^= 1;
    cr_assert(part[3].size > 0);
    *(uint32_t *)part[3].bytes = UINT32_MAX; /* an entry that is not there */
    cr_expect(!retrograde_resume(search, &(pdb_status){PDB_OK}));
    retrograde_free(search);
    puzzle_free(puzzle);
}

Test(rows, too_little_memory)
{
    struct puzzle *puzzle = built_in("klotski");
    for (uint64_t bytes = 1 << 19; bytes < 1 << 20; bytes += 1 << 16) {
        pdb_error error = {.status = PDB_OK};
        struct retrograde *search = begin(puzzle, 1, 1, bytes);
        const pdb_status status = run(search, &error);
        cr_assert(status == PDB_OK || (status == PDB_TOO_LARGE && strstr(error.message, "do not fit") != NULL));
        cr_expect(status != PDB_OK || search->memory <= bytes);
        cr_expect(status == PDB_TOO_LARGE || bytes > 1 << 19);
        retrograde_free(search);
    }
    puzzle_free(puzzle);
}
