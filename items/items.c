/* items.c -- puzzles without moves are made, and replies put together */
#include "items.h"
#include "items/express/express.h"
#include "items/guess/guess.h"
#include "lib/array.h"
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
    struct items_puzzle *puzzle;
    pdb_status status = heading_check_keys(root, common_keys, family->keys, error);
    if (status == PDB_OK)
        status = family->create(definition, &puzzle, error);
    if (status != PDB_OK)
        return status;
    puzzle->family = family;
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
}

bool items_same_figures(const struct items *a, const struct items *b)
{
    return a->count == b->count && a->depths == b->depths && a->hardest_kept == b->hardest_kept &&
           memcmp(a->histogram, b->histogram, a->depths * sizeof *a->histogram) == 0 &&
           memcmp(a->hardest, b->hardest, a->hardest_kept * sizeof *a->hardest) == 0;
}

void items_free(struct items *items)
{
    free(items->bytes);
    free(items->histogram);
    free(items->hardest);
    *items = (struct items){0};
}

static void fact_free(pdb_fact *fact)
{
    for (size_t i = 0; i < fact->count; i++)
        free(fact->texts[i]);
    free(fact->texts);
    free(fact->text);
}

void reply_clear(pdb_reply *reply)
{
    for (size_t i = 0; i < reply->count; i++)
        fact_free(&reply->fact[i]);
    free(reply->fact);
    *reply = (pdb_reply){.distance = PDB_NO_DISTANCE};
}

static pdb_status add_fact(pdb_reply *reply, const char *name, const char *label, pdb_kind kind, pdb_fact **fact,
                           pdb_error *error)
{
    pdb_fact *facts = array_grow(reply->fact, reply->count, sizeof *facts);
    *fact = NULL;
    if (facts == NULL)
        return error_no_memory(error, "an answer", sizeof *facts);
    reply->fact = facts;
    *fact = &facts[reply->count++];
    **fact = (pdb_fact){.name = name, .label = label, .kind = kind};
    return PDB_OK;
}

pdb_status reply_text(pdb_reply *reply, const char *name, const char *label, const char *text, pdb_error *error)
{
    pdb_fact *fact;
    char *copy = strdup(text);
    if (copy == NULL)
        return error_no_memory(error, "an answer", strlen(text));
    pdb_status status = add_fact(reply, name, label, PDB_KIND_TEXT, &fact, error);
    if (status == PDB_OK)
        fact->text = copy;
    else
        free(copy);
    return status;
}

pdb_status reply_count(pdb_reply *reply, const char *name, const char *label, unsigned __int128 count, pdb_error *error)
{
    char digits[DIGITS_TEXT_MAX];
    pdb_status status = reply_text(reply, name, label, digits_text(count, digits), error);
    if (status == PDB_OK)
        reply->fact[reply->count - 1].kind = PDB_KIND_COUNT;
    return status;
}

pdb_status reply_mean(pdb_reply *reply, const char *name, const char *label, double mean, pdb_error *error)
{
    pdb_fact *fact;
    pdb_status status = add_fact(reply, name, label, PDB_KIND_MEAN, &fact, error);
    if (status == PDB_OK)
        fact->mean = mean;
    return status;
}

pdb_status reply_list(pdb_reply *reply, const char *name, const char *label, pdb_error *error)
{
    pdb_fact *fact;
    return add_fact(reply, name, label, PDB_KIND_TEXTS, &fact, error);
}

pdb_status reply_item(pdb_reply *reply, const char *text, pdb_error *error)
{
    pdb_fact *fact = &reply->fact[reply->count - 1];
    char **texts = array_grow(fact->texts, fact->count, sizeof *texts), *copy = strdup(text);
    if (texts != NULL)
        fact->texts = texts;
    if (texts == NULL || copy == NULL) {
        free(copy);
        return error_no_memory(error, "an answer", strlen(text));
    }
    fact->texts[fact->count++] = copy;
    return PDB_OK;
}
