/* test_suggest.c -- the nearest of a list of words */
#include "lib/suggest.h"
#include "tests/support/support.h"

#include <string.h>

static const char *const words[] = {"goat", "knights", "8-puzzle", "15-puzzle", "boat", "", NULL};

static void expect_nearest(const char *word, const char *const list[], const char *expected)
{
    const char *nearest = suggest_nearest(word, list);
    bool same = nearest == NULL || expected == NULL ? nearest == expected : strcmp(nearest, expected) == 0;
    cr_expect(same, "'%s': '%s' instead of '%s'", word, nearest ? nearest : "(none)", expected ? expected : "(none)");
}

Test(suggest, nearest)
{
    static const struct {
        const char *word, *nearest;
    } cases[] = {
        {"goat", "goat"},         /* itself */
        {"boat", "boat"},         /* itself before an earlier one */
        {"goad", "goat"},         /* replaced */
        {"goa", "goat"},          /* left out */
        {"gooat", "goat"},        /* inserted */
        {"gaot", "goat"},         /* swapped */
        {"oat", "goat"},          /* the first of equals */
        {"moat", "goat"},         /* likewise */
        {"gaod", NULL},           /* two changes to four letters are too many */
        {"nkihgts", "knights"},   /* two swaps in seven letters */
        {"nkihgst", NULL},        /* three are too many */
        {"8puzle", "8-puzzle"},   /* two of eight */
        {"9-puzzle", "8-puzzle"}, /* nearer than 15-puzzle */
        {"25-puzzle", "15-puzzle"},
        {"x", NULL}, /* nothing would be left of it */
        {"xy", NULL},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        expect_nearest(cases[i].word, words, cases[i].nearest);
}

Test(suggest, a_letter_is_swapped_only_once)
{
    static const char *const list[] = {"abc", NULL};
    expect_nearest("cab", list, NULL); /* two changes, by swaps only */
    expect_nearest("acb", list, "abc");
    expect_nearest("ca", list, NULL); /* restricted: 3, where the unrestricted distance is 2; too far either way */
}

Test(suggest, bounds)
{
    static const char *const none[] = {NULL};
    char word[66], other[66];
    const char *const list[] = {other, NULL};
    expect_nearest("goat", none, NULL);
    expect_nearest("", none, NULL);
    memset(word, 'a', sizeof word);
    memset(other, 'a', sizeof other);
    word[64] = other[64] = '\0';
    expect_nearest(word, list, other);
    memset(word, 'b', 21); /* a third of 64 */
    expect_nearest(word, list, other);
    word[21] = 'b';
    expect_nearest(word, list, NULL);
    memset(word, 'a', sizeof word);
    word[65] = '\0'; /* 65 letters */
    expect_nearest(word, list, NULL);
    word[64] = '\0';
    other[64] = 'a';
    other[65] = '\0';
    expect_nearest(word, list, NULL);
}
