/* test_grades.c -- peg boards of many holes, peg by peg: against the search by keys, stopped, and out of memory */
#include "tests/support/layer_ways.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- random boards of parts that are alike, turned into one another: so they have symmetries, and keys stand for
 *    different numbers of boards -- */

enum { TEXT_MAX = 12000, HOLES_MAX = 58, MEMORY = 16 << 20 };

static void random_jumps(uint64_t *random, unsigned parts, unsigned holes, char *text)
{
    static bool jump[HOLES_MAX][HOLES_MAX][HOLES_MAX];
    const unsigned part = holes / parts;
    memset(jump, 0, sizeof jump);
    text += sprintf(text, "puzzle: p\nfamily: peg\njumps:\n");
    for (uint64_t left = 2 + random_below(random, 2 + 16 / parts); left > 0; left--) {
        unsigned hole[3];
        for (unsigned i = 0; i < 3; i++)
            hole[i] = (unsigned)random_below(random, random_below(random, 3) == 0 ? holes : part);
        for (unsigned turn = 0; turn < parts; turn++)
            jump[(hole[0] + turn * part) % holes][(hole[1] + turn * part) % holes][(hole[2] + turn * part) % holes] =
                true;
    }
    jump[0][1][2] = true; /* there is one */
    for (unsigned from = 0; from < holes; from++) {
        char *begin = text;
        for (unsigned over = 0; over < holes; over++)
            for (unsigned to = 0; to < holes; to++)
                if (jump[from][over][to] && from != over && from != to && over != to) {
                    text += text == begin ? sprintf(text, "  %u: ", from) : 0;
                    text += sprintf(text, "(%u,%u)", over, to);
                }
        text += text == begin ? 0 : sprintf(text, "\n");
    }
}

/* One goal or two, of the same pegs in every part or not; perhaps with open holes, so that goals have different numbers
 * of pegs. */
static void random_goals(uint64_t *random, unsigned parts, unsigned holes, char *text)
{
    const unsigned part = holes / parts, goals = 1 + (random_below(random, 3) == 0);
    const bool turned = random_below(random, 4) > 0;
    text += sprintf(text, "goal: [");
    for (unsigned g = 0; g < goals; g++) {
        char goal[HOLES_MAX + 1] = "";
        unsigned open = 0;
        for (unsigned hole = 0; hole < holes; hole++) {
            goal[hole] = turned && hole >= part ? goal[hole - part] : "00010"[random_below(random, 5)];
            if (random_below(random, 10) == 0 && hole < part && open++ < (turned ? 8 / parts : 3))
                goal[hole] = '*';
        }
        goal[0] = g == 0 ? '1' : '0'; /* two are two */
        text += sprintf(text, "%s'%s'", g == 0 ? "" : ", ", goal);
    }
    sprintf(text, "]\nmetric: %s\n", random_below(random, 3) > 0 ? "sweep" : "jump");
}

static struct puzzle *random_board(uint64_t *random, char *text)
{
    static const unsigned parts_of[] = {1, 2, 3, 4, 7, 8, 14};
    const unsigned parts = parts_of[random_below(random, COUNT(parts_of))],
                   holes = parts * (unsigned)((27 + parts - 1) / parts + random_below(random, 2));
    random_jumps(random, parts, holes, text);
    random_goals(random, parts, holes, text + strlen(text));
    struct puzzle *puzzle = make_puzzle(text);
    cr_assert(puzzle->keyed, "%s", text);
    return puzzle;
}

/* -- against the search by keys -- */

/* All layers within some memory; false where it does not do. */
static bool run_within(uint64_t bytes, enum retrograde_way way, const struct puzzle *puzzle, unsigned threads,
                       struct outcome *outcome)
{
    struct retrograde_plan plan;
    pdb_error error = {.status = PDB_OK};
    pdb_status status = retrograde_plan(way, puzzle, threads, &plan, &error);
    cr_assert(status == PDB_OK, "%s", error.message);
    plan.limit = bytes;
    status = retrograde_begin(&plan, &outcome->search, &error);
    for (bool done = false; status == PDB_OK && !done;)
        status = retrograde_layer(outcome->search, NULL, NULL, &done, &error);
    if (status == PDB_OK) {
        retrograde_finish(outcome->search, &outcome->result);
        cr_assert(outcome->result.memory <= bytes);
        return true;
    }
    cr_assert(status == PDB_TOO_LARGE && strstr(error.message, "do not fit in") != NULL, "%s", error.message);
    retrograde_free(outcome->search);
    return false;
}

static bool same_keys(const struct outcome *one, const struct outcome *other)
{
    struct keys *a, *b;
    bool same = retrograde_keys(one->search, &a, NULL) == PDB_OK && retrograde_keys(other->search, &b, NULL) == PDB_OK;
    cr_assert(same && keys_count(a) == keys_count(b));
    for (uint64_t i = 0; same && i < keys_count(a); i++)
        same = keys_at(a, i) == keys_at(b, i);
    keys_free(a);
    keys_free(b);
    return same;
}

Test(peg_grades, random_boards_as_by_keys)
{
    static const enum retrograde_way ways[] = {RETROGRADE_BEST, RETROGRADE_PORTABLE};
    char text[TEXT_MAX];
    uint64_t random = 5;
    unsigned compared = 0, large = 0, deep = 0;
    for (unsigned round = 0; round < 480 / share(); round++) {
        struct puzzle *puzzle = random_board(&random, text);
        struct outcome expected, outcome;
        EXPECT_TEXT(plan_of(RETROGRADE_BEST, puzzle, 1).text, "grade by grade");
        EXPECT_TEXT(plan_of(RETROGRADE_STATES, puzzle, 1).text, "in layers by keys");
        if (run_within(MEMORY, RETROGRADE_STATES, puzzle, 1, &expected)) {
            const unsigned threads = 1 + round % 3;
            cr_assert(run_within(UINT64_MAX, ways[round / 3 % 2], puzzle, threads, &outcome));
            cr_assert(same_outcome(&expected, &outcome) && same_keys(&expected, &outcome), "%s", text);
            compared++;
            large += outcome.result.states > 10000;
            deep += outcome.result.depths > 4;
            retrograde_free(outcome.search);
            retrograde_free(expected.search);
        }
        puzzle_free(puzzle);
    }
    cr_expect(compared > 160 / share() && large > 16 / share() && deep > 64 / share(), "%u, %u, %u", compared, large,
              deep);
}

/* The square's symmetries, which vectors take together. */
Test(peg_grades, a_square_as_by_keys)
{
    static const char text[] = "puzzle: p\nfamily: peg\njumps: orthogonal\n"
                               "pegs: 1\nboard: |\n  . . # # . .\n  . 1 1 1 1 .\n  # 1 1 1 1 #\n  # 1 1 1 1 #\n"
                               "  . 1 1 1 1 .\n  . . # # . .\n";
    struct puzzle *puzzle = make_puzzle(text);
    struct outcome expected, outcome;
    cr_assert(puzzle->keyed);
    cr_assert(run_within(UINT64_MAX, RETROGRADE_STATES, puzzle, 2, &expected));
    cr_assert(run_within(UINT64_MAX, RETROGRADE_BEST, puzzle, 2, &outcome));
    cr_expect(same_outcome(&expected, &outcome) && same_keys(&expected, &outcome));
    retrograde_free(outcome.search);
    retrograde_free(expected.search);
    puzzle_free(puzzle);
}

/* -- stopping, memory -- */

static bool stop(void *context, const struct retrograde_progress *progress)
{
    (void)context;
    cr_assert(progress->finding && progress->found >= progress->reached);
    return false;
}

/* Every layer is stopped, and made by another search from what was kept of the one before. */
Test(peg_grades, stopped)
{
    char text[TEXT_MAX];
    uint64_t random = 12;
    unsigned stops = 0;
    for (unsigned round = 0; round < 8; round++) {
        struct puzzle *puzzle = random_board(&random, text);
        struct outcome straight, again;
        bool done = false;
        if (run_within(MEMORY / 4, RETROGRADE_BEST, puzzle, 1, &straight)) {
            struct retrograde *search = begin_search(RETROGRADE_BEST, puzzle, 2);
            for (unsigned layer = 0; !done; layer++) {
                const pdb_status status = retrograde_layer(search, stop, NULL, &done, NULL);
                cr_assert(status == PDB_INTERRUPTED || status == PDB_OK);
                if (status == PDB_OK) /* it had nothing to look at */
                    continue;
                search = transplant(RETROGRADE_BEST, search, puzzle, 1 + layer % 2);
                cr_assert(retrograde_layer(search, NULL, NULL, &done, NULL) == PDB_OK);
                stops++;
            }
            again = (struct outcome){.search = search};
            retrograde_finish(search, &again.result);
            cr_assert(same_outcome(&again, &straight) && same_keys(&again, &straight), "%s", text);
            retrograde_free(again.search);
            retrograde_free(straight.search);
        }
        puzzle_free(puzzle);
    }
    cr_expect(stops > 20, "%u", stops);
}

/* What is kept of no search is refused. */
Test(peg_grades, parts_that_do_not_fit)
{
    struct puzzle *puzzle = built_in("english-33");
    struct retrograde *search = begin_search(RETROGRADE_BEST, puzzle, 1);
    struct memory_part part[RETROGRADE_PARTS_MAX];
    uint64_t size[RETROGRADE_PARTS_MAX];
    bool done = false;
    for (unsigned layer = 0; layer < 8; layer++)
        cr_assert(retrograde_layer(search, NULL, NULL, &done, NULL) == PDB_OK && !done);
    const size_t count = retrograde_parts(search, part);
    for (size_t i = 0; i < count; i++)
        size[i] = part[i].size;
    cr_expect(retrograde_resume(search, &(pdb_status){PDB_OK}) && !retrograde_fit(search, size, count - 1));
    size[3] -= sizeof(uint64_t) * 5; /* fewer distances than keys */
    cr_expect(!retrograde_fit(search, size, count));
    uint64_t *last = (uint64_t *)part[2].bytes + part[2].size / sizeof *last - 1;
    *last ^= 1; /* a peg more, or one less */
    cr_expect(!retrograde_resume(search, &(pdb_status){PDB_OK}));
    *last ^= 1;
    ((uint64_t *)part[2].bytes)[0] = puzzle->states;
    cr_expect(!retrograde_resume(search, &(pdb_status){PDB_OK}));
    retrograde_free(search);
    puzzle_free(puzzle);
}

/* Memory is kept to, wherever it ends; and it ends later where there is more. */
Test(peg_grades, within_memory)
{
    struct puzzle *puzzle = built_in("english-33");
    struct outcome outcome;
    for (uint64_t bytes = 1 << 20; bytes <= 16 << 20; bytes *= 2)
        cr_expect(!run_within(bytes, RETROGRADE_BEST, puzzle, 2, &outcome));
    puzzle_free(puzzle);
}
