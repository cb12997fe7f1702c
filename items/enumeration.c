/* enumeration.c -- replies are put together, and enumerations freed */
#include "enumeration.h"
#include "lib/array.h"
#include "lib/puzzle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *enumeration_unit(const struct puzzle *puzzle)
{
    return puzzle->metric != NULL ? puzzle->metric : puzzle->family->enumeration->unit;
}

bool enumeration_same_figures(const struct enumeration *a, const struct enumeration *b)
{
    return a->items == b->items && a->depths == b->depths && a->hardest_kept == b->hardest_kept &&
           memcmp(a->histogram, b->histogram, a->depths * sizeof *a->histogram) == 0 &&
           memcmp(a->hardest, b->hardest, a->hardest_kept * sizeof *a->hardest) == 0;
}

void enumeration_free(struct enumeration *enumeration)
{
    free(enumeration->bytes);
    free(enumeration->histogram);
    free(enumeration->hardest);
    *enumeration = (struct enumeration){0};
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
    char digits[PDB_COUNT_MAX], *digit = digits + sizeof digits;
    *--digit = '\0';
    do
        *--digit = (char)('0' + (int)(count % 10));
    while ((count /= 10) > 0);
    pdb_status status = reply_text(reply, name, label, digit, error);
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
