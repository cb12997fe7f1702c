/* test_guess_ask.c -- what people ask about codes: histories, held against plain counting and played to the end; texts
 * and complaints; definitions; bytes that are no tree */
#include "items/items.h"
#include "items/guess/guess.h"
#include "oracle_guess.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct game {
    struct items_puzzle *puzzle;
    const struct items_family *family;
    struct items tree;
};

static void start(struct game *game, const char *rules)
{
    char text[400];
    pdb_error error;
    snprintf(text, sizeof text, "puzzle: test\nfamily: guess\n%s", rules);
    game->puzzle = make_items(text);
    game->family = game->puzzle->family;
    cr_assert(game->family->build(game->puzzle, 2, UINT64_MAX, NULL, NULL, &game->tree, &error) == PDB_OK, "%s",
              error.message);
}

static void finish(struct game *game)
{
    items_free(&game->tree);
    items_puzzle_free(game->puzzle);
}

static pdb_reply ask(const struct game *game, const char *question, unsigned want)
{
    pdb_reply reply = {.distance = PDB_NO_DISTANCE};
    pdb_error error;
    if (game->family->ask(game->puzzle, &game->tree, question, want, &reply, &error) != PDB_OK)
        cr_assert(false, "%s: %s", question, error.message);
    return reply;
}

/* A fact as text, in whatever kind; the empty one where it is missing. */
static const char *shown(const pdb_reply *reply, const char *name, char *text)
{
    const pdb_fact *found = find_fact(reply, name);
    *text = '\0';
    if (found != NULL && found->kind == PDB_KIND_MEAN)
        sprintf(text, "%.4f", found->mean);
    else if (found != NULL && found->kind == PDB_KIND_TEXTS)
        for (size_t i = 0; i < found->count; i++)
            sprintf(text + strlen(text), "%s%s", i == 0 ? "" : " ", found->texts[i]);
    else if (found != NULL)
        strcpy(text, found->text);
    return text;
}

static void expect(const struct game *game, const char *question, uint32_t distance, const char *const facts[])
{
    char text[10000];
    pdb_reply reply = ask(game, question, 0);
    size_t count = 0;
    cr_expect(reply.distance == distance, "%s: %u", question, reply.distance);
    for (; facts[2 * count] != NULL; count++)
        EXPECT_TEXT(shown(&reply, facts[2 * count], text), facts[2 * count + 1]);
    EXPECT_NUMBER(reply.count, count);
    reply_clear(&reply);
}

#define FACTS(...) ((const char *const[]){__VA_ARGS__, NULL})

Test(guess_ask, histories)
{
    struct game game;
    start(&game, "symbols: 0 1 2 3 4 5 6 7 8 9\nlength: 4\n");
    expect(&game, "start", 9, FACTS("left", "5040", "next", "0123", "most", "9", "mean", "5.5603"));
    expect(&game, " ", 9, FACTS("left", "5040", "next", "0123", "most", "9", "mean", "5.5603"));
    expect(&game, "0123:0,2 1045:0,2", 7, FACTS("left", "288", "next", "2354", "most", "7", "mean", "4.3646"));
    expect(&game, "0123:0,0 4567:0,2 5489:0,2 6798:0,4 8976:2,2", 1,
           FACTS("left", "1", "next", "9876", "most", "1", "mean", "1.0000", "codes", "9876"));
    expect(&game, "9876:4,0", 0, FACTS("left", "1", "most", "0", "mean", "0.0000", "codes", "9876"));
    expect(&game, "9876:4,0 9876:4,0 0123:0,0", 0, FACTS("left", "1", "most", "0", "mean", "0.0000", "codes", "9876"));
    expect(&game, "9876", 6, FACTS("code", "9876"));
    finish(&game);
}

/* The list ends somewhere, and says so. */
Test(guess_ask, more_codes_than_are_listed)
{
    struct game game;
    start(&game, "symbols: 0 1 2 3 4 5 6 7 8 9\nlength: 4\n");
    pdb_reply reply = ask(&game, "0123:0,2", PDB_WANT_PATH);
    const pdb_fact *list = &reply.fact[reply.count - 2], *more = &reply.fact[reply.count - 1];
    EXPECT_TEXT(reply.fact[0].text, "1260");
    EXPECT_TEXT(list->name, "codes");
    EXPECT_NUMBER(list->count, 1000);
    EXPECT_TEXT(more->name, "more");
    EXPECT_TEXT(more->text, "260");
    reply_clear(&reply);
    finish(&game);
}

/* A code may read like the word for the beginning: then it is the code. */
Test(guess_ask, start_as_a_code)
{
    struct game game;
    start(&game, "symbols: start stop\nlength: 1\n");
    expect(&game, "start", 1, FACTS("code", "start"));
    expect(&game, "stop", 2, FACTS("code", "stop"));
    expect(&game, "", 2, FACTS("left", "2", "next", "start", "most", "2", "mean", "1.5000", "codes", "start stop"));
    finish(&game);
    start(&game, "symbols: star\nlength: 5\nrepeats: true\n");
    expect(&game, " start", 5, FACTS("code", "start"));
    finish(&game);
}

Test(guess_ask, answers_that_cannot_be)
{
    struct game game;
    start(&game, "symbols: 0 1 2 3 4 5 6 7 8 9\nlength: 4\n");
    expect(&game, "0123:0,0 4567:0,0", PDB_NO_DISTANCE, FACTS("left", "0", "impossible", "4567:0,0"));
    expect(&game, "0123:1,1 0123:1,1 0123:1,2 9876:0,0", PDB_NO_DISTANCE, FACTS("left", "0", "impossible", "0123:1,2"));
    expect(&game, "0123:4,0;4567:4,0", PDB_NO_DISTANCE, FACTS("left", "0", "impossible", "4567:4,0"));
    finish(&game);
}

/* All ways to separate what may be separated. */
Test(guess_ask, separators)
{
    static const char *const same[] = {"0123:0,2 1045:0,2",
                                       "0123:0,2,1045:0,2",
                                       "0123:0,2;1045:0,2;",
                                       "0123:0,2\n1045:0,2\n",
                                       " 0 1 2 3 : 0 , 2 , 1 0 4 5 : 0 , 2 ",
                                       "0,1,2,3:0,2; 1/0/4/5:0,2",
                                       "0123:00,02 1045:0,2"},
                             *const colours[] = {"red,green:1,0", "red green : 1,0", "  red/green:1,0;"};
    struct game game;
    start(&game, "symbols: 0 1 2 3 4 5 6 7 8 9\nlength: 4\n");
    for (size_t i = 0; i < COUNT(same); i++)
        expect(&game, same[i], 7, FACTS("left", "288", "next", "2354", "most", "7", "mean", "4.3646"));
    cr_expect(game.family->is_part("0123:0,2") && !game.family->is_part("0123"));
    finish(&game);
    start(&game, "symbols: [red, green, blue]\nlength: 2\nrepeats: true\n");
    for (size_t i = 0; i < COUNT(colours); i++)
        expect(&game, colours[i], 3,
               FACTS("left", "4", "next", "red,red", "most", "3", "mean", "2.0000", "codes",
                     "red,red red,blue green,green blue,green"));
    expect(&game, "green blue", 3, FACTS("code", "green,blue"));
    finish(&game);
}

Test(guess_ask, complaints)
{
    static const char *const cases[][2] = {
        {"012", "'012' has 3 symbols, and a code of test 4, such as 0123"},
        {"0", "'0' has 1 symbol, and a code of test 4, such as 0123"},
        {"01234567890123456789", "'01234567890123456789' has 20 symbols, and a code of test 4, such as 0123"},
        {"01x3", "'x' in '01x3' is no symbol of test: they are 0 1 2 3 4 5 6 7 8 9"},
        {"0122:1,0", "'0122' has the symbol '2' twice: those of a code of test are all different, as in 0123"},
        {"0123:3,1", "'0123:3,1' cannot be: with 3 of 4 symbols in the right place, the last has no wrong place left"},
        {"0123:3,2", "'0123:3,2': 3 bulls and 2 cows are more than the 4 symbols of a code"},
        {"0123:99,99", "'0123:99,99': 99 bulls and 99 cows are more than the 4 symbols of a code"},
        {"0123:0,2 1045", "'1045' has no answer: a question of a history is followed by a colon, the bulls, a comma "
                          "and the cows, such as :0,2"},
        {"0123:2", "'0123:2': after the colon come the bulls (right symbol in the right place), a comma and the cows "
                   "(right symbol in a "
                   "wrong place), such as 0,2"},
        {":1,2", "'' has 0 symbols, and a code of test 4, such as 0123"},
    };
    struct game game;
    start(&game, "symbols: 0 1 2 3 4 5 6 7 8 9\nlength: 4\n");
    for (size_t i = 0; i < COUNT(cases); i++) {
        pdb_reply reply = {.distance = PDB_NO_DISTANCE};
        pdb_error error = {0};
        cr_expect(game.family->ask(game.puzzle, &game.tree, cases[i][0], 0, &reply, &error) == PDB_BAD_BOARD, "%s",
                  cases[i][0]);
        EXPECT_TEXT(error.message, cases[i][1]);
        reply_clear(&reply);
    }
    finish(&game);
}

/* -- histories of any questions, played to the end -- */

struct play {
    const struct game *game;
    struct oracle_codes codes;
    char history[600];
    size_t left[400], count;
};

static void add_item(struct play *play, size_t question, size_t code)
{
    char text[PDB_TEXT_MAX];
    unsigned bulls, cows, other_bulls, other_cows;
    size_t kept = 0;
    oracle_answer(play->codes.length, &play->codes.code[question], &play->codes.code[code], &bulls, &cows);
    play->game->family->item(play->game->puzzle, &play->game->tree, question, text);
    sprintf(play->history + strlen(play->history), " %.20s:%u,%u", text, bulls, cows);
    for (size_t i = 0; i < play->count; i++) {
        oracle_answer(play->codes.length, &play->codes.code[question], &play->codes.code[play->left[i]], &other_bulls,
                      &other_cows);
        if (bulls == other_bulls && cows == other_cows)
            play->left[kept++] = play->left[i];
    }
    play->count = kept;
}

/* Asks what the strategy says until the code is asked; returns how often. */
static unsigned play_on(struct play play, size_t code)
{
    for (unsigned questions = 1;; questions++) {
        char text[PDB_TEXT_MAX];
        pdb_reply reply = ask(play.game, play.history, 0);
        size_t next = 0;
        cr_assert(fact_number(&reply, "left") == play.count, "%s", play.history);
        for (;; next++) {
            play.game->family->item(play.game->puzzle, &play.game->tree, next, text);
            if (strcmp(text, fact_text(&reply, "next")) == 0)
                break;
            if (next + 1 == play.codes.count)
                cr_assert(false, "no question after %s", play.history);
        }
        reply_clear(&reply);
        if (next == code)
            return questions;
        add_item(&play, next, code);
    }
}

static void play_history(struct play *play)
{
    unsigned most = 0, sum = 0;
    for (size_t i = 0; i < play->count; i++) {
        const unsigned questions = play_on(*play, play->left[i]);
        most = questions > most ? questions : most;
        sum += questions;
    }
    pdb_reply reply = ask(play->game, play->history, PDB_WANT_PATH);
    const double mean = (double)sum / (double)play->count;
    cr_expect(reply.distance == most && fact_number(&reply, "most") == most, "%s: %u, not %u", play->history,
              reply.distance, most);
    cr_expect(find_fact(&reply, "mean")->mean > mean - 1e-9 && find_fact(&reply, "mean")->mean < mean + 1e-9, "%s",
              play->history);
    cr_expect(find_fact(&reply, "codes")->count == play->count);
    reply_clear(&reply);
}

Test(guess_ask, any_history_is_played_to_the_end)
{
    static const char *const rules[] = {
        "symbols: 01234\nlength: 3\nstrategy: first\n", "symbols: 012345\nlength: 3\nstrategy: minimax\n",
        "symbols: abcd\nlength: 3\nrepeats: true\nstrategy: entropy\n", "symbols: 012345\nlength: 3\nstrategy: mean\n"};
    uint64_t seed = 7;
    for (size_t r = 0; r < COUNT(rules); r++) {
        struct game game;
        struct play play = {.game = &game};
        start(&game, rules[r]);
        const struct guess *guess = guess_of(game.puzzle);
        oracle_codes_list(guess->symbols, guess->length, guess->repeats, &play.codes);
        for (unsigned i = 0; i < 12; i++) {
            const size_t code = random_below(&seed, play.codes.count);
            play.history[0] = '\0';
            play.count = play.codes.count;
            for (size_t c = 0; c < play.count; c++)
                play.left[c] = c;
            for (unsigned items = 0; items < 1 + i % 3; items++) {
                size_t question = random_below(&seed, play.codes.count);
                question = question == code ? (question + 1) % play.codes.count : question; /* or the game is over */
                add_item(&play, question, code);
            }
            play_history(&play);
        }
        free(play.codes.code);
        finish(&game);
    }
}

/* -- definitions -- */

Test(guess_ask, definitions)
{
    static const struct {
        const char *rules;
        pdb_status status;
        const char *message;
    } cases[] = {
        {"length: 4\n", PDB_BAD_DEFINITION, "test.yaml:1:1: the key 'symbols' is missing"},
        {"symbols: abc\n", PDB_BAD_DEFINITION, "test.yaml:1:1: the key 'length' is missing"},
        {"symbols: abca\nlength: 2\n", PDB_BAD_DEFINITION, "test.yaml:3:13: there are two symbols 'a'"},
        {"symbols: a b c;\nlength: 2\n", PDB_BAD_DEFINITION, "test.yaml:3:14: 'c;': a symbol has no blank"},
        {"symbols: [a, 'b c']\nlength: 2\n", PDB_BAD_DEFINITION, "test.yaml:3:15: 'b c': a symbol has no blank"},
        {"symbols: [abcdefghijklmnop]\nlength: 2\n", PDB_BAD_DEFINITION,
         "test.yaml:3:11: a symbol has from 1 to 15 bytes"},
        {"symbols: 9-12\nlength: 5\n", PDB_BAD_DEFINITION,
         "test.yaml:1:1: there is no code of 5 different symbols out of 4"},
        {"symbols: [1-6]\nlength: 7\n", PDB_BAD_DEFINITION,
         "test.yaml:1:1: there is no code of 7 different symbols out of 6"},
        {"symbols: |\n  1-6,\nlength: 7\n", PDB_BAD_DEFINITION,
         "test.yaml:1:1: there is no code of 7 different symbols out of 6"},
        {"symbols: 1-3 a-c\nlength: 1\n", PDB_BAD_DEFINITION, "test.yaml:3:14: there is a range among"},
        {"symbols: +1-3\nlength: 5\n", PDB_BAD_DEFINITION,
         "test.yaml:1:1: there is no code of 5 different symbols out of 4"},
        {"symbols: 1-6\nlength: 7\n", PDB_BAD_DEFINITION,
         "test.yaml:1:1: there is no code of 7 different symbols out of 6"},
        {"symbols: C-F\nlength: 5\n", PDB_BAD_DEFINITION,
         "test.yaml:1:1: there is no code of 5 different symbols out of 4"},
        {"symbols: F-C\nlength: 2\n", PDB_BAD_DEFINITION, "test.yaml:3:10: a range goes upward"},
        {"symbols: A-z\nlength: 2\n", PDB_BAD_DEFINITION, "test.yaml:3:10: a range goes upward"},
        {"symbols: 1 - 6\nlength: 2\n", PDB_BAD_DEFINITION, "test.yaml:3:10: a range goes upward"},
        {"symbols: +-*\nlength: 4\n", PDB_BAD_DEFINITION,
         "test.yaml:1:1: there is no code of 4 different symbols out of 3"},
        {"symbols: x-ray\nlength: 6\n", PDB_BAD_DEFINITION,
         "test.yaml:1:1: there is no code of 6 different symbols out of 5"},
        {"symbols: 0-99\nlength: 3\n", PDB_BAD_DEFINITION, "test.yaml:3:10: there are more than 64 symbols"},
        {"symbols: ' '\nlength: 2\n", PDB_BAD_DEFINITION, "test.yaml:3:10: there is no symbol"},
        {"symbols: abc\nlength: 4\n", PDB_BAD_DEFINITION,
         "test.yaml:1:1: there is no code of 4 different symbols out of 3"},
        {"symbols: abc\nlength: 0\n", PDB_BAD_DEFINITION, "test.yaml:4:9: "},
        {"symbols: abc\nlength: 2\nstrategy: best\n", PDB_BAD_DEFINITION, "test.yaml:5:11: "},
        {"symbols: abc\nlength: 2\nwidth: 3\n", PDB_BAD_DEFINITION,
         "test.yaml:5:8: 'width' is for the strategy 'mean'"},
        {"symbols: 0123456789\nlength: 7\nrepeats: true\n", PDB_TOO_LARGE,
         "test.yaml: 10,000,000 codes are too many: at most 1,048,576"},
        {"symbols: 0123456789\nlength: 5\nrepeats: true\nstrategy: entropy\n", PDB_TOO_LARGE,
         "test.yaml: 100,000 codes are too many: at most 65,536"},
        {"symbols: abcdefghijklmnopqrstuvwxyz\nlength: 16\nrepeats: true\n", PDB_TOO_LARGE,
         "test.yaml: more than 10^19 codes"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char text[400];
        snprintf(text, sizeof text, "puzzle: test\nfamily: guess\n%s", cases[i].rules);
        const pdb_error error = refusal(text, cases[i].status);
        EXPECT_BEGIN(error.message, cases[i].message);
    }
}

/* -- building is refused and stopped -- */

static bool stop_at_once(void *context, double done)
{
    ++*(int *)context;
    cr_expect(done >= 0 && done <= 1);
    return false;
}

Test(guess_ask, refused_and_stopped)
{
    struct items_puzzle *puzzle = make_items(
        "puzzle: test\nfamily: guess\nsymbols: 0123456789\nlength: 4\nstrategy: mean\n");
    const struct items_family *family = puzzle->family;
    struct items out;
    pdb_error error;
    int calls = 0;
    cr_expect(family->build(puzzle, 2, 1 << 20, NULL, NULL, &out, &error) == PDB_TOO_LARGE);
    cr_expect(strstr(error.message, "and 1.0 MiB are allowed") != NULL, "%s", error.message);
    items_free(&out);
    cr_expect(family->build(puzzle, 2, UINT64_MAX, stop_at_once, &calls, &out, &error) == PDB_INTERRUPTED && calls == 1,
              "%d calls", calls);
    items_free(&out);
    items_puzzle_free(puzzle);
}

/* -- bytes that are no tree -- */

/* Damaged at random: refused, or as good as the real one for whatever is asked. */
static void damage(const struct game *game, uint64_t *seed)
{
    struct items forged = game->tree;
    pdb_error error;
    forged.bytes = checked_memory(1, game->tree.size);
    forged.histogram = checked_memory(game->tree.depths, sizeof *forged.histogram);
    memcpy(forged.bytes, game->tree.bytes, forged.size);
    memcpy(forged.histogram, game->tree.histogram, forged.depths * sizeof *forged.histogram);
    const uint64_t flips = random_below(seed, 3);
    for (uint64_t i = 0; i <= flips; i++)
        forged.bytes[random_below(seed, forged.size)] ^= (uint8_t)(1u << random_below(seed, 8));
    switch (random_below(seed, 8)) {
    case 0:
        forged.size = random_below(seed, forged.size + 1);
        break;
    case 1:
        forged.histogram[random_below(seed, forged.depths)]++;
        break;
    case 2:
        forged.depths = random_below(seed, forged.depths + 1);
        break;
    case 3:
        forged.count = random_below(seed, forged.count);
        break;
    default:
        break;
    }
    const pdb_status status = game->family->accept(game->puzzle, &forged, &error);
    if (status != PDB_DAMAGED && status != PDB_OK)
        cr_assert(false, "%d", (int)status);
    for (uint64_t code = 0; status == PDB_OK && code < forged.count; code++) {
        char text[PDB_TEXT_MAX];
        pdb_reply reply = {.distance = PDB_NO_DISTANCE};
        game->family->item(game->puzzle, &forged, code, text);
        if (game->family->ask(game->puzzle, &forged, text, PDB_WANT_PATH, &reply, &error) != PDB_OK ||
            reply.distance >= forged.depths)
            cr_assert(false, "%s", text);
        reply_clear(&reply);
    }
    free(forged.bytes);
    free(forged.histogram);
}

Test(guess_ask, damaged_bytes)
{
    static const char *const rules[] = {"symbols: 01234\nlength: 3\n",
                                        "symbols: abc\nlength: 3\nrepeats: true\nstrategy: entropy\n",
                                        "symbols: a\nlength: 1\n"};
    uint64_t seed = 3;
    for (size_t r = 0; r < COUNT(rules); r++) {
        struct game game;
        start(&game, rules[r]);
        for (int i = 0; i < 4000; i++)
            damage(&game, &seed);
        finish(&game);
    }
}
