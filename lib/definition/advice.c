/* advice.c -- libyaml's complaints in words that help: the table, the first that fits counts */
#include "tree.h"
#include "lib/text.h"

static const struct definition_advice advices[] = {
    {"", "found a tab character", false, "a tab cannot indent a line: use spaces", NULL},
    {"while scanning a simple key", "", true,
     "a ':' is missing after this key; or this is a text that should go on from the line before, then indent it deeper",
     NULL},
    {"while scanning a quoted scalar", "", true, "the quotation mark that begins this text has no partner that ends it",
     NULL},
    {"", "found unknown escape character", false,
     "this is no escape that YAML knows: write '\\\\' for a backslash, or put the text in single quotes", NULL},
    {"while scanning a block scalar", "did not find expected comment", false,
     "the text of a '|' or '>' begins on the line below it", NULL},
    {"", "mapping values are not allowed", false,
     "no ':' can stand here: check this line's indentation and the space after the ':' before it; a text with ': ' in "
     "it needs quotes",
     NULL},
    {"", "block sequence entries are not allowed", false,
     "a list cannot begin here: put each '- ' item on a line of its own, below the key; a text that begins with '- ' "
     "needs quotes",
     NULL},
    {"while parsing a block mapping", "", false,
     "this does not go on with the mapping: check its indentation, and what is left over after a quotation mark or "
     "a bracket",
     "mapping"},
    {"while parsing a block collection", "", false,
     "this does not go on with the list: its items begin with '- ', all in one column", "list"},
    {"while parsing a flow sequence", "", false,
     "a ',' is missing here, or the ']' that ends the list, or quotes around a '#'", "list"},
    {"while parsing a flow mapping", "", false, "a ',' is missing here, or the '}' that ends the mapping", "mapping"},
    {"", "did not find expected node content", false,
     "a value is missing here: is there a bracket or a comma too many, or a bracket too few?", NULL},
    {"", "did not find expected <document start>", false,
     "this does not belong to the mapping above, which has ended: begin all its keys in one column", NULL},
};

const struct definition_advice *definition_advice(const char *context, const char *problem)
{
    for (size_t i = 0; i < sizeof advices / sizeof *advices; i++)
        if (text_begins(context, advices[i].context) && text_begins(problem, advices[i].problem))
            return &advices[i];
    return NULL;
}
