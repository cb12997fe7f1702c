#include "express_values.h"
#include "catalog.h"

#include <stdlib.h>
#include <string.h>

static struct values_made build(struct pdb_puzzle *puzzle)
{
    struct values_made made = {.puzzle = puzzle, .family = puzzle->family->enumeration};
    pdb_error error;
    cr_assert(made.family != NULL);
    cr_assert(made.family->build(puzzle, 1, PLENTY, NULL, NULL, &made.items, &error) == PDB_OK, "%s", error.message);
    cr_assert(made.family->accept(puzzle, &made.items, &error) == PDB_OK, "%s", error.message);
    return made;
}

struct values_made make_values(const char *yaml)
{
    return build(make_puzzle(yaml));
}

struct values_made built_in_values(const char *name)
{
    struct pdb_puzzle *puzzle = NULL;
    pdb_error error;
    cr_assert(catalog_load(name, &puzzle, &error) == PDB_OK, "%s", error.message);
    return build(puzzle);
}

void forget_values(struct values_made *made)
{
    enumeration_free(&made->items);
    puzzle_free(made->puzzle);
}

pdb_reply ask_value(const struct values_made *made, const char *question, unsigned want)
{
    pdb_reply reply = {.distance = PDB_NO_DISTANCE};
    pdb_error error;
    cr_assert(made->family->ask(made->puzzle, &made->items, question, want, &reply, &error) == PDB_OK, "%s: %s",
              question, error.message);
    return reply;
}

const pdb_fact *find_fact(const pdb_reply *reply, const char *name)
{
    for (size_t i = 0; i < reply->count; i++)
        if (strcmp(reply->fact[i].name, name) == 0)
            return &reply->fact[i];
    return NULL;
}

const char *fact_text(const pdb_reply *reply, const char *name)
{
    const pdb_fact *fact = find_fact(reply, name);
    return fact != NULL ? fact->text : "";
}

uint64_t fact_number(const pdb_reply *reply, const char *name)
{
    return strtoull(fact_text(reply, name), NULL, 10);
}
