/* items.c -- puzzles without moves are made, and replies put together */
#include "items.h"
#include "items/express/express.h"
#include "items/guess/guess.h"
#include "lib/memory/array.h"
#include "lib/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct items_family *const items_families[] = {&guess_family, &express_family, NULL};

pdb_status items_puzzle_create(const struct items_family *family, const struct definition *definition,
                               struct items_puzzle **out, pdb_error *error)
{
    static const char *const common_keys[] = {"puzzle", "family", "title", NULL}, *const shown_keys[] = {"title", NULL};
    const struct node *root = definition_root(definition);
    pdb_status status = heading_check_keys(root, common_keys, family->keys, error);
    if (status != PDB_OK)
        return status;
    struct items_puzzle *puzzle = calloc(1, family->bytes);
    if (puzzle == NULL)
        return error_no_memory(error, "the puzzle", family->bytes);
    puzzle->family = family;
    status = family->create(definition, puzzle, error);
    if (status == PDB_OK)
        status = heading_read(root, puzzle->name, &puzzle->title, error);
    if (status == PDB_OK)
        status = definition_digest(definition, shown_keys, 0, puzzle->digest, error);
    if (status != PDB_OK) {
        items_puzzle_free(puzzle);
        return status;
    }
    *out = puzzle;
    return PDB_OK;
}

void items_puzzle_free(struct items_puzzle *puzzle)
{
    if (puzzle == NULL)
        return;
    free(puzzle->title);
    puzzle->family->destroy(puzzle);
    free(puzzle);
}

bool items_same_figures(const struct items *a, const struct items *b)
{
    return a->count == b->count && a->depths == b->depths && a->hardest_kept == b->hardest_kept &&
           memcmp(a->histogram, b->histogram, a->depths * sizeof *a->histogram) == 0 &&
           memcmp(a->hardest, b->hardest, a->hardest_kept * sizeof *a->hardest) == 0;
}

pdb_status items_take_figures(struct items *items, items_distance *distance, const void *context, pdb_error *error)
{
    items->histogram = calloc(items->depths, sizeof *items->histogram);
    if (items->histogram == NULL)
        return error_no_memory(error, "the histogram", items->depths * sizeof *items->histogram);
    for (uint64_t i = 0; i < items->count; i++)
        items->histogram[distance(context, i)]++;
    while (items->histogram[items->depths - 1] == 0)
        items->depths--;
    const uint64_t hardest = items->histogram[items->depths - 1];
    const size_t most = hardest < ITEMS_HARDEST_MAX ? (size_t)hardest : ITEMS_HARDEST_MAX;
    items->hardest = malloc(most * sizeof *items->hardest);
    if (items->hardest == NULL)
        return error_no_memory(error, "the hardest items", most * sizeof *items->hardest);
    for (uint64_t i = 0; items->hardest_kept < most; i++)
        if (distance(context, i) == items->depths - 1)
            items->hardest[items->hardest_kept++] = i;
    return PDB_OK;
}

void items_free(struct items *items)
{
    free(items->bytes);
    free(items->histogram);
    free(items->hardest);
    *items = (struct items){0};
}

void reply_clear(pdb_reply *reply)
{
    for (size_t i = 0; i < reply->count; i++) {
        const pdb_fact *fact = &reply->fact[i];
        for (size_t t = 0; t < fact->count; t++)
            free(fact->texts[t]);
        free(fact->texts);
        free(fact->text);
    }
    free(reply->fact);
    *reply = (pdb_reply){.distance = PDB_NO_DISTANCE};
}

/* `text` may be NULL, for facts without one. */
static void add_fact(struct reply_writer *writer, pdb_fact fact, const char *text)
{
    pdb_reply *reply = writer->reply;
    if (writer->status != PDB_OK)
        return;
    pdb_fact *facts = array_grow(reply->fact, reply->count, sizeof *facts);
    reply->fact = facts != NULL ? facts : reply->fact;
    fact.text = text != NULL ? strdup(text) : NULL;
    if (facts != NULL && (text == NULL || fact.text != NULL)) {
        facts[reply->count++] = fact;
        return;
    }
    free(fact.text);
    writer->status = error_no_memory(writer->error, "an answer", sizeof *facts);
}

void reply_text(struct reply_writer *writer, const char *name, const char *label, const char *text)
{
    add_fact(writer, (pdb_fact){.name = name, .label = label, .kind = PDB_KIND_TEXT}, text);
}

void reply_count(struct reply_writer *writer, const char *name, const char *label, unsigned __int128 count)
{
    char digits[DIGITS_TEXT_MAX];
    add_fact(writer, (pdb_fact){.name = name, .label = label, .kind = PDB_KIND_COUNT}, digits_text(count, digits));
}

void reply_mean(struct reply_writer *writer, const char *name, const char *label, double mean)
{
    add_fact(writer, (pdb_fact){.name = name, .label = label, .kind = PDB_KIND_MEAN, .mean = mean}, NULL);
}

void reply_list(struct reply_writer *writer, const char *name, const char *label)
{
    add_fact(writer, (pdb_fact){.name = name, .label = label, .kind = PDB_KIND_TEXTS}, NULL);
}

void reply_item(struct reply_writer *writer, const char *text)
{
    if (writer->status != PDB_OK)
        return;
    pdb_fact *fact = &writer->reply->fact[writer->reply->count - 1];
    char **texts = array_grow(fact->texts, fact->count, sizeof *texts), *copy = strdup(text);
    fact->texts = texts != NULL ? texts : fact->texts;
    if (texts != NULL && copy != NULL) {
        texts[fact->count++] = copy;
        return;
    }
    free(copy);
    writer->status = error_no_memory(writer->error, "an answer", strlen(text) + 1);
}
