#include "express_values.h"

#include <stdlib.h>
#include <string.h>

static struct values_made build(struct items_puzzle *puzzle)
{
    struct values_made made = {.puzzle = puzzle, .family = puzzle->family};
    pdb_error error;
    cr_assert(made.family != NULL);
    cr_assert(made.family->build(puzzle, 1, PLENTY, NULL, NULL, &made.items, &error) == PDB_OK, "%s", error.message);
    cr_assert(made.family->accept(puzzle, &made.items, &error) == PDB_OK, "%s", error.message);
    return made;
}

struct values_made make_values(const char *yaml)
{
    return build(make_items(yaml));
}

struct values_made built_in_values(const char *name)
{
    return build(make_items(name));
}

void forget_values(struct values_made *made)
{
    items_free(&made->items);
    items_puzzle_free(made->puzzle);
}

pdb_reply ask_value(const struct values_made *made, const char *question, unsigned want)
{
    pdb_reply reply = {.distance = PDB_NO_DISTANCE};
    pdb_error error;
    cr_assert(made->family->ask(made->puzzle, &made->items, question, want, &reply, &error) == PDB_OK, "%s: %s",
              question, error.message);
    return reply;
}
