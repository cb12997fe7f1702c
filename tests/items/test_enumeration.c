/* test_enumeration.c -- puzzles without moves: replies, the solver over memory and over a database
 *
 * All of it asks the toy puzzle (toy_enumeration.h), whose every answer is known.
 */
#include "catalog/catalog.h"
#include "db/store.h"
#include "tests/support/support.h"
#include "toy_enumeration.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char directory[200];
static pdb_error error;

static void begin(void)
{
    make_directory(directory);
}

static void end(void)
{
    remove_directory(directory);
}

TestSuite(enumeration, .init = begin, .fini = end);

static bool go_on(void *context, double done)
{
    (void)context;
    cr_assert(done >= 0 && done <= 1);
    return true;
}

static bool stop(void *context, uint32_t bound, uint64_t nodes)
{
    (void)context;
    (void)bound;
    (void)nodes;
    return false;
}

static pdb_solver *open_solver(const pdb_puzzle *puzzle, pdb_method method)
{
    const pdb_options options = {.directory = directory, .method = method, .threads = 2};
    pdb_solver *solver = NULL;
    cr_assert(pdb_solver_open(puzzle, &options, &solver, &error) == PDB_OK, "%s", error.message);
    return solver;
}

static void expect_no_solver(const pdb_puzzle *puzzle, const pdb_options *options, pdb_status status, const char *words)
{
    pdb_solver *solver = NULL;
    const pdb_status got = pdb_solver_open(puzzle, options, &solver, &error);
    cr_expect(got == status && solver == NULL, "%d, not %d: %s", (int)got, (int)status, error.message);
    cr_expect(strstr(error.message, words) != NULL, "'%s' is not in '%s'", words, error.message);
}

/* -- databases -- */

/* What a database is made of; a test may change any of it before it is written. */
struct draft {
    struct items items;
    struct store_header header;
};

static struct draft draft_of(const struct items_puzzle *puzzle)
{
    const struct items_family *family = puzzle->family;
    struct draft draft = {0};
    cr_assert(family->build(puzzle, 2, 1ull << 32, go_on, NULL, &draft.items, &error) == PDB_OK, "%s", error.message);
    draft.header = (struct store_header){.puzzle = puzzle->name,
                                         .goal = "",
                                         .metric = puzzle->unit,
                                         .encoding = family->encoding,
                                         .patterns = "",
                                         .generator = PDB_VERSION,
                                         .states = draft.items.count,
                                         .reachable = draft.items.count,
                                         .data_bytes = draft.items.size,
                                         .depths = draft.items.depths,
                                         .histogram = draft.items.histogram,
                                         .hardest = draft.items.histogram[draft.items.depths - 1],
                                         .hardest_kept = draft.items.hardest_kept,
                                         .hardest_states = draft.items.hardest};
    memcpy(draft.header.definition, puzzle->digest, sizeof puzzle->digest);
    return draft;
}

/* Writes a draft as the toy's database, and frees it. */
static void publish(struct draft *draft)
{
    struct store_writer *writer;
    cr_assert(store_create(directory, "toy", &writer, &error) == PDB_OK, "%s", error.message);
    cr_assert(store_publish(writer, &draft->header, draft->items.bytes, &(struct store_task){.threads = 1}, NULL,
                            &error) == PDB_OK,
              "%s", error.message);
    items_free(&draft->items);
}

/* -- replies -- */

Test(enumeration, replies)
{
    pdb_reply reply = {.distance = PDB_NO_DISTANCE};
    struct reply_writer writer = {.reply = &reply, .error = &error};
    reply_count(&writer, "a", "A", 0);
    reply_count(&writer, "b", "B", ~(unsigned __int128)0);
    reply_mean(&writer, "c", "C", 0.5);
    reply_text(&writer, "d", "D", "text");
    reply_list(&writer, "e", "E");
    for (unsigned i = 0; i < 1000; i++) {
        char text[16];
        snprintf(text, sizeof text, "%u", i);
        reply_item(&writer, text);
    }
    cr_assert(writer.status == PDB_OK);
    EXPECT_NUMBER(reply.count, 5);
    EXPECT_TEXT(reply.fact[0].text, "0");
    EXPECT_TEXT(reply.fact[1].text, "340282366920938463463374607431768211455");
    cr_expect(reply.fact[1].kind == PDB_KIND_COUNT && reply.fact[3].kind == PDB_KIND_TEXT);
    cr_expect(reply.fact[2].kind == PDB_KIND_MEAN && reply.fact[2].mean > 0.4 && reply.fact[2].mean < 0.6);
    EXPECT_TEXT(reply.fact[3].text, "text");
    EXPECT_NUMBER(reply.fact[4].count, 1000);
    for (unsigned i = 0; i < 1000; i++)
        EXPECT_NUMBER(strtoul(reply.fact[4].texts[i], NULL, 10), i);
    reply_clear(&reply);
    cr_expect(reply.count == 0 && reply.fact == NULL && reply.distance == PDB_NO_DISTANCE);
    reply_clear(&reply);
}

/* -- answers -- */

enum { TOY = 5000 };

/* Everything that can be asked of the toy, whatever its numbers come from. */
static void expect_answers(const pdb_puzzle *puzzle, const pdb_solver *solver)
{
    uint64_t histogram[65] = {0};
    pdb_reply reply;
    pdb_info info;
    for (uint64_t number = 1; number <= puzzle->states; number++) {
        char question[32];
        snprintf(question, sizeof question, "%llu", (unsigned long long)number);
        cr_assert(pdb_solver_ask(solver, question, 0, &reply, &error) == PDB_OK, "%s", error.message);
        EXPECT_NUMBER(reply.distance, toy_ones(number));
        EXPECT_NUMBER(reply.count, 1);
        histogram[reply.distance]++;
        pdb_reply_free(&reply);
    }
    pdb_solver_info(solver, &info);
    EXPECT_NUMBER(info.states, puzzle->states);
    EXPECT_NUMBER(info.reachable, puzzle->states);
    EXPECT_TEXT(info.encoding, "toy-8bit");
    cr_expect(info.search == NULL && info.patterns == NULL);
    for (unsigned d = 0; d < 65; d++)
        EXPECT_NUMBER(histogram[d], d <= info.max ? info.histogram[d] : 0);
    EXPECT_NUMBER(info.hardest, info.histogram[info.max]);
    cr_assert(pdb_solver_ask(solver, "+1 +2", PDB_WANT_PATH | PDB_WANT_COUNT, &reply, &error) == PDB_OK);
    EXPECT_NUMBER(reply.count, 3);
    EXPECT_TEXT(reply.fact[1].text, "55340232221128654848");
    EXPECT_NUMBER(reply.fact[2].count, 2);
    pdb_reply_free(&reply);
    cr_assert(pdb_solver_ask(solver, "0", 0, &reply, &error) == PDB_OK);
    cr_expect(reply.distance == PDB_NO_DISTANCE && reply.count == 1);
    pdb_reply_free(&reply);
    cr_expect(pdb_solver_ask(solver, "seven", 0, &reply, &error) == PDB_BAD_BOARD && reply.fact == NULL);
    pdb_reply_free(&reply);
}

Test(enumeration, in_memory)
{
    const uint64_t sizes[] = {1, 2, 255, TOY};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        struct items_puzzle toy = toy_puzzle(sizes[i], NULL);
        const pdb_puzzle puzzle = catalog_without_moves(&toy);
        pdb_solver *solver = open_solver(&puzzle, PDB_AUTO);
        pdb_info info;
        pdb_solver_info(solver, &info);
        cr_expect(info.method == PDB_SEARCH && info.file == NULL);
        if (sizes[i] > 2)
            expect_answers(&puzzle, solver);
        pdb_solver_close(solver);
    }
}

Test(enumeration, from_a_database)
{
    struct items_puzzle toy = toy_puzzle(TOY, NULL);
    const pdb_puzzle puzzle = catalog_without_moves(&toy);
    const pdb_method methods[] = {PDB_AUTO, PDB_DATABASE, PDB_SEARCH};
    struct draft draft = draft_of(&toy);
    publish(&draft);
    for (size_t i = 0; i < COUNT(methods); i++) {
        pdb_solver *solver = open_solver(&puzzle, methods[i]);
        pdb_info info;
        pdb_solver_info(solver, &info);
        cr_expect(info.method == (methods[i] == PDB_SEARCH ? PDB_SEARCH : PDB_DATABASE));
        cr_expect((info.file == NULL) == (methods[i] == PDB_SEARCH));
        expect_answers(&puzzle, solver);
        pdb_solver_close(solver);
    }
}

Test(enumeration, without_a_database)
{
    struct items_puzzle toy = toy_puzzle(TOY, NULL), huge_toy = toy_puzzle(3ull << 30, NULL);
    const pdb_puzzle puzzle = catalog_without_moves(&toy), huge = catalog_without_moves(&huge_toy);
    const pdb_options database = {.directory = directory, .method = PDB_DATABASE};
    const pdb_options automatic = {.directory = directory}, stopped = {.directory = directory, .observe = stop};
    expect_no_solver(&puzzle, &database, PDB_NO_DATABASE, "toy.pdb");
    expect_no_solver(&puzzle, &stopped, PDB_INTERRUPTED, "toy: interrupted while its numbers were worked out");
    expect_no_solver(&huge, &automatic, PDB_NO_DATABASE, "toy needs 3221225472 bytes");
}

/* -- databases that are not what they should be -- */

static void expect_damage(const pdb_puzzle *puzzle, struct draft *draft, const char *words)
{
    const pdb_options options = {.directory = directory};
    publish(draft);
    expect_no_solver(puzzle, &options, PDB_DAMAGED, words);
}

Test(enumeration, forged_databases)
{
    struct items_puzzle toy = toy_puzzle(TOY, NULL);
    const pdb_puzzle puzzle = catalog_without_moves(&toy);
    const char *misfit = "toy.pdb does not fit the puzzle toy: generate it again (pdb-gen --force toy)";
    uint64_t histogram[2] = {TOY, 1};
    struct draft draft = draft_of(&toy);
    draft.header.encoding = "mod3-2bit";
    expect_damage(&puzzle, &draft, misfit);
    draft = draft_of(&toy);
    draft.header.patterns = "1-2";
    expect_damage(&puzzle, &draft, misfit);
    draft = draft_of(&toy);
    draft.header.data_bytes--;
    expect_damage(&puzzle, &draft, misfit);
    draft = draft_of(&toy);
    draft.items.bytes[77] = 200;
    expect_damage(&puzzle, &draft, misfit);
    draft = draft_of(&toy);
    draft.header.states++;
    expect_damage(&puzzle, &draft, misfit);
    draft = draft_of(&toy); /* its figures agree with one another, and not with the states */
    draft.header.reachable++;
    draft.header.depths = 2;
    draft.header.histogram = histogram;
    draft.header.hardest = draft.header.hardest_kept = 1;
    expect_damage(&puzzle, &draft, misfit);
    draft = draft_of(&toy);
    draft.header.definition[3]++;
    expect_damage(&puzzle, &draft, "was made from another definition of toy");
    draft = draft_of(&toy);
    draft.header.puzzle = "other";
    expect_damage(&puzzle, &draft, "is the database of another puzzle, 'other'");
}

/* The toy's database with one bit turned round. */
static void flip(long offset, unsigned bit)
{
    char path[300];
    snprintf(path, sizeof path, "%s/toy.pdb", directory);
    FILE *file = fopen(path, "r+b");
    cr_assert(file != NULL && fseek(file, offset, SEEK_SET) == 0);
    const int byte = fgetc(file);
    cr_assert(byte != EOF && fseek(file, offset, SEEK_SET) == 0);
    fputc(byte ^ (int)(1u << bit), file);
    cr_assert(fclose(file) == 0);
}

/* Every bit of a page of data counts; the first value begins 16 bytes into its page. */
Test(enumeration, flipped_bits)
{
    struct items_puzzle toy = toy_puzzle(TOY, NULL);
    const pdb_puzzle puzzle = catalog_without_moves(&toy);
    const pdb_options options = {.directory = directory};
    struct draft draft = draft_of(&toy);
    publish(&draft);
    char path[300];
    snprintf(path, sizeof path, "%s/toy.pdb", directory);
    FILE *file = fopen(path, "rb");
    char *bytes = checked_memory(1 << 16, 1);
    const size_t size = fread(bytes, 1, 1 << 16, file);
    fclose(file);
    size_t data = 0; /* where the numbers 1, 2, 3, ... and their ones stand */
    while (data + 8 < size && memcmp(bytes + data, "\1\1\2\1\2\2\3\1", 8) != 0)
        data++;
    cr_assert(data + TOY < size);
    for (unsigned i = 0; i < TOY; i += 61) {
        flip((long)(data + i), i % 8);
        expect_no_solver(&puzzle, &options, PDB_DAMAGED, "is damaged");
        flip((long)(data + i), i % 8);
    }
    pdb_solver_close(open_solver(&puzzle, PDB_DATABASE));
    free(bytes);
}

/* -- who may be asked what -- */

#define EXPECT_REFUSED(call)                                                                                           \
    do {                                                                                                               \
        error.message[0] = '\0';                                                                                       \
        cr_expect((call) == PDB_BAD_BOARD, "%s", #call);                                                               \
        cr_expect(strstr(error.message, "toy is a puzzle without moves") == error.message, "%s", error.message);       \
    } while (0)

/* The toy's family has no function about boards at all: one that were called would end the test. */
Test(enumeration, functions_about_boards_refuse_it)
{
    struct items_puzzle toy = toy_puzzle(TOY, NULL);
    const pdb_puzzle puzzle = catalog_without_moves(&toy);
    static pdb_board board;
    pdb_solver *solver = open_solver(&puzzle, PDB_AUTO);
    pdb_solution solution;
    pdb_moves moves = {0};
    pdb_move path[1];
    uint32_t distance;
    char text[PDB_TEXT_MAX];
    const char *const words[] = {"start", "goal", "", "7"};
    for (size_t i = 0; i < COUNT(words); i++)
        EXPECT_REFUSED(pdb_board_parse(&puzzle, words[i], &board, &error));
    EXPECT_REFUSED(pdb_solver_covers(solver, &board, &error));
    for (unsigned want = 0; want < 8; want++) {
        EXPECT_REFUSED(pdb_solver_solve(solver, &board, want, &solution, &error));
        pdb_solution_free(&solution);
    }
    EXPECT_REFUSED(pdb_solver_distance(solver, &board, 1, &distance, &error));
    EXPECT_REFUSED(pdb_solver_distance(solver, &board, 0, &distance, &error));
    const uint32_t distances[] = {0, 1, PDB_NO_DISTANCE};
    for (size_t i = 0; i < COUNT(distances); i++) {
        EXPECT_REFUSED(pdb_solver_moves(solver, &board, distances[i], &moves, &error));
        EXPECT_REFUSED(pdb_solver_count(solver, &board, distances[i], text, &error));
        EXPECT_REFUSED(pdb_solver_random(solver, distances[i], 1, &board, &distance, &error));
    }
    EXPECT_REFUSED(pdb_solver_path(solver, &board, 0, path, &error));
    EXPECT_REFUSED(pdb_solver_path(solver, &board, 1, path, &error));
    EXPECT_REFUSED(pdb_solver_hardest(solver, 0, &board, &error));
    pdb_moves_free(&moves);
    pdb_solver_close(solver);
}

Test(enumeration, facts)
{
    struct items_puzzle toy = toy_puzzle(TOY, NULL);
    const pdb_puzzle puzzle = catalog_without_moves(&toy);
    static pdb_board board;
    char text[PDB_TEXT_MAX] = "x";
    cr_expect(pdb_puzzle_enumerated(&puzzle));
    EXPECT_TEXT(pdb_puzzle_items(&puzzle), "numbers");
    EXPECT_TEXT(pdb_puzzle_unit(&puzzle), "one");
    EXPECT_TEXT(pdb_puzzle_metric(&puzzle), "one");
    EXPECT_TEXT(pdb_puzzle_title(&puzzle), "ones in binary numbers");
    EXPECT_NUMBER(pdb_puzzle_states(&puzzle), TOY);
    EXPECT_NUMBER(pdb_puzzle_size(&puzzle), TOY);
    EXPECT_NUMBER(pdb_puzzle_rows(&puzzle) + pdb_puzzle_columns(&puzzle) + pdb_puzzle_symbols(&puzzle), 0);
    EXPECT_NUMBER(pdb_board_at(&puzzle, &board, 0, 0), -1);
    pdb_puzzle_goal(&puzzle, text);
    EXPECT_TEXT(text, "");
    strcpy(text, "x");
    pdb_board_format(&puzzle, &board, text);
    EXPECT_TEXT(text, "");
    cr_expect(pdb_question_is_part(&puzzle, "+1") && !pdb_question_is_part(&puzzle, "1"));
}

Test(enumeration, a_puzzle_with_boards_refuses_questions)
{
    pdb_puzzle *puzzle = load_puzzle("tiles-2x2");
    pdb_reply reply;
    uint32_t distance;
    char text[PDB_TEXT_MAX];
    pdb_solver *solver = open_solver(puzzle, PDB_AUTO);
    cr_expect(!pdb_puzzle_enumerated(puzzle) && pdb_puzzle_items(puzzle) == NULL && pdb_puzzle_unit(puzzle) == NULL);
    cr_expect(!pdb_question_is_part(puzzle, "start"));
    cr_expect(pdb_solver_ask(solver, "start", 0, &reply, &error) == PDB_BAD_BOARD);
    EXPECT_TEXT(error.message, "tiles-2x2 is a puzzle with boards: ask about one of them");
    pdb_reply_free(&reply);
    cr_expect(pdb_solver_hardest_item(solver, 0, text, &error) == PDB_BAD_BOARD);
    cr_expect(pdb_solver_random_item(solver, 1, 1, text, &distance, &error) == PDB_BAD_BOARD);
    pdb_solver_close(solver);
    pdb_puzzle_free(puzzle);
}

/* -- items -- */

Test(enumeration, hardest_items)
{
    struct items_puzzle toy = toy_puzzle((1 << 16) - 2, NULL); /* 16 of 15 ones */
    const pdb_puzzle puzzle = catalog_without_moves(&toy);
    pdb_solver *solver = open_solver(&puzzle, PDB_AUTO);
    char text[PDB_TEXT_MAX];
    uint64_t before = 0;
    for (uint64_t i = 0; i < 16; i++) {
        cr_assert(pdb_solver_hardest_item(solver, i, text, &error) == PDB_OK);
        const uint64_t number = strtoull(text, NULL, 10);
        cr_expect(number > before && toy_ones(number) == 15, "%s", text);
        before = number;
    }
    cr_expect(pdb_solver_hardest_item(solver, 16, text, &error) == PDB_BAD_USAGE);
    EXPECT_TEXT(error.message, "toy: only 16 of its numbers are the hardest");
    pdb_solver_close(solver);
}

Test(enumeration, random_items)
{
    struct items_puzzle toy = toy_puzzle(15, NULL);
    const pdb_puzzle puzzle = catalog_without_moves(&toy);
    pdb_solver *solver = open_solver(&puzzle, PDB_AUTO);
    char text[PDB_TEXT_MAX], again[PDB_TEXT_MAX];
    uint32_t distance;
    unsigned drawn[16] = {0};
    for (uint64_t seed = 0; seed < 15000; seed++) {
        const uint32_t wanted = seed % 2 == 0 ? PDB_NO_DISTANCE : 2;
        cr_assert(pdb_solver_random_item(solver, wanted, seed, text, &distance, &error) == PDB_OK);
        cr_assert(pdb_solver_random_item(solver, wanted, seed, again, &distance, &error) == PDB_OK);
        EXPECT_TEXT(again, text);
        EXPECT_NUMBER(distance, toy_ones(strtoull(text, NULL, 10)));
        cr_expect(wanted == PDB_NO_DISTANCE || distance == 2);
        drawn[strtoul(text, NULL, 10)]++;
    }
    for (unsigned number = 1; number < 16; number++) { /* 1,250 more of each of the six that have two ones */
        const unsigned mean = toy_ones(number) == 2 ? 1750 : 500;
        cr_expect(drawn[number] > mean - 150 && drawn[number] < mean + 150, "%u: %u", number, drawn[number]);
    }
    for (uint32_t d = 1; d <= 4; d++)
        cr_expect(pdb_solver_random_item(solver, d, d, text, &distance, &error) == PDB_OK && distance == d);
    EXPECT_TEXT(text, "15");
    cr_expect(pdb_solver_random_item(solver, 0, 1, text, &distance, &error) == PDB_BAD_USAGE);
    cr_expect(pdb_solver_random_item(solver, 5, 1, text, &distance, &error) == PDB_BAD_USAGE);
    EXPECT_TEXT(error.message, "toy: none of its numbers is at distance 5; the hardest are at 4");
    pdb_solver_close(solver);
}
