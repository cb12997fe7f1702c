/*
 * Expressions: the figures that puzzles.md gives for four fours, all values, numbers of expressions and least numbers
 * of operators against the plain enumeration of oracle_express, and every expression's text read back.
 */
#include "express_values.h"
#include "oracle_express.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPRESS "puzzle: test\nfamily: express\n"

/* "7/2" of an oracle's fraction. */
static const char *text_of(struct oracle_fraction value, char text[64])
{
    const int length = snprintf(text, 64, "%lld", (long long)value.over);
    if (value.under != 1)
        snprintf(text + length, 64 - (size_t)length, "/%lld", (long long)value.under);
    return text;
}

static const struct oracle_value *oracle_find(const struct oracle_values *values, int number)
{
    const struct oracle_value wanted = {.value = {number, 1}};
    return bsearch(&wanted, values->value, values->count, sizeof wanted, oracle_compare);
}

/* ---- the printed problem ---- */

Test(express, four_fours)
{
    struct values_made made = built_in_values("four-fours");
    struct oracle_values oracle;
    uint64_t sum = 0;
    oracle_express("4444", true, "j+-*/", &oracle);
    for (int number = 1; number <= 10; number++) {
        static const uint64_t known[] = {33, 6, 3, 9, 2, 2, 5, 33, 6, 1};
        char text[8];
        snprintf(text, sizeof text, "%d", number);
        pdb_reply reply = ask_value(&made, text, PDB_WANT_COUNT | PDB_WANT_PATH);
        EXPECT_NUMBER(fact_number(&reply, "solutions"), oracle_find(&oracle, number)->count);
        EXPECT_NUMBER(fact_number(&reply, "solutions"), known[number - 1]);
        EXPECT_NUMBER(find_fact(&reply, "expressions")->count, known[number - 1]);
        sum += fact_number(&reply, "solutions");
        reply_clear(&reply);
    }
    EXPECT_NUMBER(sum, 100);
    pdb_reply ten = ask_value(&made, "10", PDB_WANT_PATH);
    EXPECT_NUMBER(ten.distance, 2);
    EXPECT_TEXT(fact_text(&ten, "expression"), "(44 - 4) / 4");
    EXPECT_NUMBER(find_fact(&ten, "expressions")->count, 1);
    EXPECT_TEXT(find_fact(&ten, "expressions")->texts[0], "(44 - 4) / 4");
    reply_clear(&ten);
    oracle_express_free(&oracle);
    forget_values(&made);
}

/* ---- all values of many puzzles ---- */

struct oracle_case {
    const char *yaml, *digits;
    bool kept;
    const char *operators;
};

/* Operators by the oracle's letters (oracle_express.h) are those of the definition. */
static const struct oracle_case cases[] = {
    {"digits: 4", "4", false, "j+-*/"},
    {"digits: 0 0", "00", false, "j+-*/"},
    {"digits: 3 3 3 3 3", "33333", false, "j+-*/"},
    {"digits: 1346\noperators: + - * /", "1346", false, "+-*/"},
    {"digits: 6 1 4 3\norder: kept\noperators: + - * /", "6143", true, "+-*/"},
    {"digits: 12345\norder: kept\noperators: join + -", "12345", true, "j+-"},
    {"digits: 1 2 1 2 1\norder: kept", "12121", true, "j+-*/"},
    {"digits: 0 1 2 0\noperators: join decimal + / power", "0120", false, "j.+/^"},
    {"digits: 2 2 2 2\noperators: power - * negate", "2222", false, "-*^n"},
    {"digits: 2 3 4\noperators: join decimal + - * / power root factorial negate", "234", false, "j.+-*/^r!n"},
    {"digits: 4 0 4\norder: kept\noperators: join decimal + - * / power root factorial negate", "404", true,
     "j.+-*/^r!n"},
    {"digits: 9 9 9\noperators: decimal - / power root factorial negate", "999", false, ".-/^r!n"},
    {"digits: 4 4 4 4\noperators: join decimal + - * / power root factorial", "4444", false, "j.+-*/^r!"},
    {"digits: 8 8 8 8\noperators: join * power root", "8888", false, "j*^r"},
    {"digits: 2 2 2 2 2\noperators: + power factorial", "22222", false, "+^!"},
    {"digits: 1 0 2\noperators: join decimal", "102", false, "j."},
    {"digits: 9 8 7 6 5 4 3 2 1\norder: kept\noperators: join + *", "987654321", true, "j+*"},
};

static struct values_made made_of(const struct oracle_case *given)
{
    char yaml[500];
    snprintf(yaml, sizeof yaml, EXPRESS "%s\n", given->yaml);
    return make_values(yaml);
}

Test(express, oracle)
{
    for (size_t c = 0; c < COUNT(cases); c++) {
        struct values_made made = made_of(&cases[c]);
        struct oracle_values oracle;
        oracle_express(cases[c].digits, !cases[c].kept, cases[c].operators, &oracle);
        cr_expect(made.items.count == oracle.count, "%s: %llu values, not %zu", cases[c].yaml,
                  (unsigned long long)made.items.count, oracle.count);
        for (size_t i = 0; i < oracle.count && i < made.items.count; i++) {
            char wanted[64], text[PDB_TEXT_MAX];
            made.family->item(made.puzzle, &made.items, i, text);
            cr_assert(strcmp(text, text_of(oracle.value[i].value, wanted)) == 0, "%s: %s, not %s", cases[c].yaml, text,
                      wanted);
            if (!is_shared(oracle.count, i))
                continue;
            pdb_reply reply = ask_value(&made, text, PDB_WANT_COUNT);
            cr_assert(fact_number(&reply, "solutions") == oracle.value[i].count, "%s: %s in %s ways, not %llu",
                      cases[c].yaml, text, fact_text(&reply, "solutions"), (unsigned long long)oracle.value[i].count);
            cr_assert(reply.distance == oracle.value[i].operators, "%s: %s by %u operators, not %u", cases[c].yaml,
                      text, reply.distance, oracle.value[i].operators);
            reply_clear(&reply);
        }
        oracle_express_free(&oracle);
        forget_values(&made);
    }
}

/* ---- every text ---- */

static int compare_characters(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Is this text worth the value, of those digits? Returns its number of operators. */
static unsigned check_text(const char *text, const char *value, const char *digits, bool kept)
{
    struct oracle_fraction found;
    unsigned operators;
    char used[1000], wanted[100], worth[64];
    cr_assert(strlen(text) < sizeof used && oracle_evaluate(text, &found, &operators, used), "%s is no expression",
              text);
    cr_assert(strcmp(text_of(found, worth), value) == 0, "%s is worth %s, not %s", text, worth, value);
    snprintf(wanted, sizeof wanted, "%s", digits);
    if (!kept)
        qsort(used, strlen(used), 1, compare_characters);
    if (!kept)
        qsort(wanted, strlen(wanted), 1, compare_characters);
    cr_assert(strcmp(used, wanted) == 0, "%s has the digits %s, not %s", text, used, wanted);
    return operators;
}

/* The texts of a list: each right, none twice, those with fewer operators first. */
static void check_list(const pdb_fact *list, const char *value, const struct oracle_case *given, unsigned least)
{
    char **sorted = checked_memory(list->count + 1, sizeof *sorted);
    for (size_t i = 0; i < list->count; i++) {
        const unsigned operators = check_text(list->texts[i], value, given->digits, given->kept);
        cr_assert(operators >= least && (i > 0 || operators == least), "%s: the fewest are %u", list->texts[i], least);
        least = operators;
        sorted[i] = list->texts[i];
    }
    qsort(sorted, list->count, sizeof *sorted, compare_texts);
    for (size_t i = 1; i < list->count; i++)
        cr_assert(strcmp(sorted[i - 1], sorted[i]) != 0, "%s: twice", sorted[i]);
    free(sorted);
}

/* Every expression of every value, or of some of them where they are very many, read by the oracle's evaluator. */
Test(express, texts)
{
    for (size_t c = 0; c < COUNT(cases); c += short_step(2)) {
        struct values_made made = made_of(&cases[c]);
        const uint64_t step = 1 + made.items.count / (share() == 1 ? 500 : 100);
        for (uint64_t i = 0; i < made.items.count; i += step) {
            char text[PDB_TEXT_MAX];
            made.family->item(made.puzzle, &made.items, i, text);
            pdb_reply reply = ask_value(&made, text, PDB_WANT_PATH | PDB_WANT_COUNT);
            const pdb_fact *list = find_fact(&reply, "expressions");
            const uint64_t count = fact_number(&reply, "solutions");
            EXPECT_TEXT(fact_text(&reply, "value"), text);
            cr_assert(list->count == (count < 10000 ? count : 10000), "%s: %zu of %llu", text, list->count,
                      (unsigned long long)count);
            EXPECT_NUMBER(fact_number(&reply, "more"), count - list->count);
            check_list(list, text, &cases[c], reply.distance);
            EXPECT_TEXT(fact_text(&reply, "expression"), list->texts[0]);
            reply_clear(&reply);
        }
        forget_values(&made);
    }
}

Test(express, few_parentheses)
{
    static const struct {
        const char *yaml, *value, *text;
    } given[] = {
        {"digits: 123\norder: kept\noperators: \"-\"", "-4", "1 - 2 - 3"},
        {"digits: 123\norder: kept\noperators: \"-\"", "2", "1 - (2 - 3)"},
        {"digits: 823\norder: kept\noperators: [/, -]", "-8", "8 / (2 - 3)"},
        {"digits: 823\norder: kept\noperators: / *", "12", "8 / 2 * 3"},
        {"digits: 823\norder: kept\noperators: / +", "8/5", "8 / (2 + 3)"},
        {"digits: 823\norder: kept\noperators: /", "12", "8 / (2 / 3)"},
        {"digits: 8233\norder: kept\noperators: + *", "42", "(8 + 2 * 3) * 3"},
        {"digits: 232\norder: kept\noperators: power", "512", "2 ^ (3 ^ 2)"},
        {"digits: 232\norder: kept\noperators: power", "64", "(2 ^ 3) ^ 2"},
        {"digits: 23\norder: kept\noperators: power negate", "-8", "-2 ^ 3"},
        {"digits: 32\norder: kept\noperators: power negate", "1/9", "3 ^ (-2)"},
        {"digits: 22\norder: kept\noperators: power negate", "1/4", "2 ^ (-2)"},
        {"digits: 12\norder: kept\noperators: + negate", "-1", "1 + (-2)"},
        {"digits: 12\norder: kept\noperators: + negate", "-3", "-(1 + 2)"},
        {"digits: 3\noperators: factorial", "720", "(3!)!"},
        {"digits: 16\norder: kept\noperators: join root factorial", "24", "sqrt(16)!"},
        {"digits: 25\norder: kept\noperators: decimal join", "5/2", "2.5"},
        {"digits: 25\norder: kept\noperators: decimal /", "4", "2 / .5"},
        {"digits: 25\norder: kept\noperators: decimal /", "1/25", ".2 / 5"},
        {"digits: 05\norder: kept\noperators: decimal join", "0.5", "0.5"},
    };
    for (size_t i = 0; i < COUNT(given); i++) {
        char yaml[300];
        snprintf(yaml, sizeof yaml, EXPRESS "%s\n", given[i].yaml);
        struct values_made made = make_values(yaml);
        pdb_reply reply = ask_value(&made, given[i].value, 0);
        EXPECT_TEXT(fact_text(&reply, "expression"), given[i].text);
        reply_clear(&reply);
        forget_values(&made);
    }
}

/* ---- the fewest digits ---- */

Test(express, fewest)
{
    static const struct {
        const char *yaml, *operators;
        char digit;
        unsigned most;
    } given[] = {{"digits: 4444444", "j+-*/", '4', 7},
                 {"digits: 3 3 3 3 3\noperators: + * - negate", "+*-n", '3', 5},
                 {"digits: 1 1 1 1 1 1\noperators: join + * factorial", "j+*!", '1', 6},
                 {"digits: 4444\noperators: join decimal + - * / power root factorial", "j.+-*/^r!", '4', 4}};
    for (size_t g = 0; g < COUNT(given); g += short_step(2)) {
        char yaml[300], digits[16] = "";
        snprintf(yaml, sizeof yaml, EXPRESS "%s\nuse: fewest\n", given[g].yaml);
        struct values_made made = make_values(yaml);
        uint64_t item = 0;
        for (unsigned n = 1; n <= given[g].most; n++) {
            struct oracle_values oracle;
            uint64_t found = 0;
            digits[n - 1] = given[g].digit;
            oracle_express(digits, true, given[g].operators, &oracle);
            for (size_t i = 0; i < oracle.count; i++) {
                char value[64], text[PDB_TEXT_MAX];
                pdb_reply reply = ask_value(&made, text_of(oracle.value[i].value, value), PDB_WANT_COUNT);
                cr_assert(reply.distance <= n, "%s: %u digits, not %u", value, reply.distance, n);
                if (reply.distance == n) {
                    made.family->item(made.puzzle, &made.items, item++, text);
                    EXPECT_TEXT(text, value);
                    EXPECT_NUMBER(fact_number(&reply, "solutions"), oracle.value[i].count);
                    EXPECT_NUMBER(fact_number(&reply, "operators"), oracle.value[i].operators);
                    EXPECT_NUMBER(check_text(fact_text(&reply, "expression"), value, digits, false),
                                  oracle.value[i].operators);
                    found++;
                }
                reply_clear(&reply);
            }
            EXPECT_NUMBER(made.items.histogram[n], found);
            oracle_express_free(&oracle);
        }
        EXPECT_NUMBER(made.items.count, item);
        forget_values(&made);
    }
}

/* Every whole number up to 1,000 in up to ten fours, each expression read back; nine are too few for some. */
Test(express, thousand)
{
    struct values_made made = built_in_values("fours");
    unsigned most = 0;
    for (int number = 1; number <= 1000; number++) {
        char text[8], digits[16] = "";
        snprintf(text, sizeof text, "%d", number);
        pdb_reply reply = ask_value(&made, text, 0);
        cr_assert(reply.distance <= 10, "%s", text);
        memset(digits, '4', reply.distance);
        check_text(fact_text(&reply, "expression"), text, digits, false);
        most = most < reply.distance ? reply.distance : most;
        reply_clear(&reply);
    }
    EXPECT_NUMBER(most, 10);
    forget_values(&made);
}
