/* program.c -- a stand-in until the columns are there: moves by walking the terms */
#include "program.h"
#include "layout.h"
#include "step.h"
#include <stdlib.h>
struct program {
    const struct rules *rules;
};
struct sink {
    const struct rules *rules;
    uint64_t *next;
    uint32_t *cost;
    size_t n;
};
static pdb_status put(void *c, const struct step *s, pdb_error *e)
{
    (void)e;
    struct sink *k = c;
    if (k->cost)
        k->cost[k->n] = (uint32_t)s->cost;
    k->next[k->n++] = layout_key(k->rules, s->state);
    return PDB_OK;
}
pdb_status program_make(const struct rules *rules, bool portable, struct program **out, pdb_error *error)
{
    (void)portable, (void)error;
    *out = malloc(sizeof **out);
    (*out)->rules = rules;
    return PDB_OK;
}
void program_free(struct program *p)
{
    free(p);
}
unsigned program_max_moves(const struct program *p)
{
    return (unsigned)p->rules->ground.moves;
}
size_t program_successors(const struct program *p, const uint64_t *key, size_t count, uint64_t *next, uint32_t *cost,
                          uint16_t *nc)
{
    struct sink k = {p->rules, next, cost, 0};
    int32_t st[RULES_MAX_ELEMENTS];
    for (size_t i = 0; i < count; i++) {
        size_t b = k.n;
        layout_state(p->rules, key[i], st);
        steps_visit(p->rules, st, put, &k, NULL);
        nc[i] = (uint16_t)(k.n - b);
    }
    return k.n;
}
void program_goals(const struct program *p, const uint64_t *key, size_t count, bool *goal)
{
    int32_t st[RULES_MAX_ELEMENTS];
    struct plain pl = {.rules = p->rules, .state = st};
    for (size_t i = 0; i < count; i++) {
        layout_state(p->rules, key[i], st);
        goal[i] = plain_holds(&pl, p->rules->goal);
    }
}
