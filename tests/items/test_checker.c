/* test_checker.c -- the checker of puzzles without moves: the toy puzzle passes, and broken ones do not; the built-in
 * ones pass, and survive damage
 */
#include "catalog/catalog.h"
#include "tests/support/support.h"
#include "toy_enumeration.h"

static pdb_error error;

static pdb_status check(const struct items_puzzle *puzzle, uint64_t *asked, bool *all)
{
    const struct items_check_limits limits = {.threads = 2, .memory = UINT64_MAX};
    return items_check(puzzle, &limits, asked, all, &error);
}

static pdb_status build_by_threads(const struct items_puzzle *puzzle, unsigned threads, uint64_t memory,
                                   items_observer *observe, void *context, struct items *out, pdb_error *failure)
{
    pdb_status status = toy_family.build(puzzle, threads, memory, observe, context, out, failure);
    out->bytes[0] = threads > 1;
    return status;
}

static pdb_status build_a_wrong_histogram(const struct items_puzzle *puzzle, unsigned threads, uint64_t memory,
                                          items_observer *observe, void *context, struct items *out, pdb_error *failure)
{
    pdb_status status = toy_family.build(puzzle, threads, memory, observe, context, out, failure);
    out->histogram[1]--;
    out->histogram[2]++;
    return status;
}

static pdb_status build_another_hardest(const struct items_puzzle *puzzle, unsigned threads, uint64_t memory,
                                        items_observer *observe, void *context, struct items *out, pdb_error *failure)
{
    pdb_status status = toy_family.build(puzzle, threads, memory, observe, context, out, failure);
    out->hardest[0]--;
    return status;
}

static pdb_status build_too_few(const struct items_puzzle *puzzle, unsigned threads, uint64_t memory,
                                items_observer *observe, void *context, struct items *out, pdb_error *failure)
{
    pdb_status status = toy_family.build(puzzle, threads, memory, observe, context, out, failure);
    out->histogram[1]--;
    return status;
}

static pdb_status accept_nothing(const struct items_puzzle *puzzle, const struct items *items, pdb_error *failure)
{
    (void)puzzle;
    (void)items;
    return error_set(failure, PDB_DAMAGED, "no");
}

static void item_twice(const struct items_puzzle *puzzle, const struct items *items, uint64_t index, char *text)
{
    toy_family.item(puzzle, items, index == 4 ? 2 : index, text); /* 5 has two ones as 3 has */
}

static void item_without_answer(const struct items_puzzle *puzzle, const struct items *items, uint64_t index,
                                char *text)
{
    toy_family.item(puzzle, items, index == 4 ? UINT64_MAX : index, text);
}

Test(enumeration, checker)
{
    const struct {
        struct items_family family;
        const char *words; /* NULL: the member is the toy's */
    } broken[] = {
        {{.build = build_by_threads}, "toy: building: one thread and several give different bytes or figures"},
        {{.accept = accept_nothing}, "toy: building: no"},
        {{.build = build_too_few}, "toy: figures: the histogram's sum is not the number of items"},
        {{.item = item_without_answer}, "toy: questions: item 4 is '0', and asked for that: it has no distance"},
        {{.build = build_a_wrong_histogram},
         "toy: histogram: the distances of the items asked for are not those of the histogram"},
        {{.build = build_another_hardest}, "toy: histogram: the items listed as the hardest are not those that are"},
        {{.item = item_twice}, "toy: texts: two items are '3'"},
    };
    uint64_t asked;
    bool all;
    struct items_puzzle puzzle = toy_puzzle(100, NULL);
    cr_assert(check(&puzzle, &asked, &all) == PDB_OK, "%s", error.message);
    cr_expect(asked == 100 && all);
    puzzle = toy_puzzle(250001, NULL);
    cr_assert(check(&puzzle, &asked, &all) == PDB_OK, "%s", error.message);
    cr_expect(asked == 83334 && !all);
    for (size_t i = 0; i < COUNT(broken); i++) {
        struct items_family family = toy_family;
        if (broken[i].family.build != NULL)
            family.build = broken[i].family.build;
        if (broken[i].family.accept != NULL)
            family.accept = broken[i].family.accept;
        if (broken[i].family.item != NULL)
            family.item = broken[i].family.item;
        puzzle = toy_puzzle(100, &family);
        cr_expect(check(&puzzle, &asked, &all) == PDB_BROKEN_RULES);
        EXPECT_TEXT(error.message, broken[i].words);
    }
}

/* -- the built-in ones -- */

static bool go_on(void *context, double done)
{
    (void)context;
    cr_assert(done >= 0 && done <= 1);
    return true;
}

/* Changes a byte here and there. What a family then accepts it has to answer from, somehow. */
static void try_damage(const struct items_puzzle *puzzle, struct items *items, uint64_t *random)
{
    const struct items_family *family = puzzle->family;
    const unsigned changes = 1 + (unsigned)random_below(random, 3);
    uint64_t place[3];
    uint8_t byte[3];
    char text[PDB_TEXT_MAX];
    for (unsigned i = 0; i < changes; i++) {
        place[i] = random_below(random, items->size);
        byte[i] = items->bytes[place[i]];
        items->bytes[place[i]] ^= (uint8_t)(1 + random_below(random, 255));
    }
    const pdb_status status = family->accept(puzzle, items, &error);
    cr_expect(status == PDB_OK || status == PDB_DAMAGED);
    for (unsigned i = 0; status == PDB_OK && i < 10; i++) {
        pdb_reply reply = {.distance = PDB_NO_DISTANCE};
        family->item(puzzle, items, random_below(random, items->count), text);
        family->ask(puzzle, items, text, PDB_WANT_PATH | PDB_WANT_COUNT, &reply, &error);
        reply_clear(&reply);
    }
    for (unsigned i = changes; i-- > 0;)
        items->bytes[place[i]] = byte[i];
}

/* The first puzzle of each family. */
Test(enumeration, built_in_ones_are_sound_and_survive_damage)
{
    const struct items_family *before = NULL;
    uint64_t random = 20261121, asked;
    bool all;
    for (size_t i = 0; catalog_names[i] != NULL; i++) {
        pdb_puzzle *puzzle = load_puzzle(catalog_names[i]);
        if (puzzle->items != NULL && puzzle->items->family != before) {
            cr_expect(check(puzzle->items, &asked, &all) == PDB_OK, "%s", error.message);
            const struct items_family *family = puzzle->items->family;
            struct items items;
            cr_assert(family->build(puzzle->items, 2, 1ull << 32, go_on, NULL, &items, &error) == PDB_OK, "%s",
                      error.message);
            for (unsigned t = 0; t < 1000; t++)
                try_damage(puzzle->items, &items, &random);
            items_free(&items);
            before = family;
        }
        pdb_puzzle_free(puzzle);
    }
}
