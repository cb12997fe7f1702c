/* starts.c -- the states that a definition says to begin with */
#include "starts.h"
#include "layout.h"
#include "lib/families/rules/language/plain.h"

/* A state of a start: where any value is meant, the member of the range that `member` says. */
static void start_state(const struct rules *rules, const int32_t *start, const uint32_t *member, int32_t *state)
{
    for (uint32_t e = 0; e < rules->elements; e++) {
        const struct rules_set *range = &rules->set[rules->variable[rules->element[e].variable].range];
        state[e] = start[e] == RULES_NONE ? range->value[member[e]] : start[e];
    }
}

/* The next choice of members; false where that was the last. */
static bool next_members(const struct rules *rules, const int32_t *start, uint32_t *member)
{
    for (uint32_t e = rules->elements; e > 0; e--) {
        const struct rules_set *range = &rules->set[rules->variable[rules->element[e - 1].variable].range];
        if (start[e - 1] == RULES_NONE && ++member[e - 1] < range->count)
            return true;
        member[e - 1] = 0;
    }
    return false;
}

/* The states of one start: all values where any is meant. */
static pdb_status visit_start(const struct rules *rules, const int32_t *start, wide_visitor *visit, void *context,
                              pdb_error *error)
{
    int32_t state[RULES_MAX_ELEMENTS];
    uint32_t member[RULES_MAX_ELEMENTS] = {0};
    struct wide_key run[STARTS_RUN];
    size_t count = 0;
    pdb_status status = PDB_OK;
    for (bool more = true; more && status == PDB_OK;) {
        start_state(rules, start, member, state);
        if (plain_keeps(rules, state))
            run[count++] = layout_wide_key(rules, state); /* of a key of one word, that */
        more = next_members(rules, start, member);
        if (count < STARTS_RUN && more)
            continue;
        status = visit(context, run, count, error);
        count = 0;
    }
    return status;
}

pdb_status starts_visit(const struct rules *rules, wide_visitor *visit, void *context, pdb_error *error)
{
    pdb_status status = PDB_OK;
    for (uint32_t s = 0; status == PDB_OK && s < rules->starts; s++)
        status = visit_start(rules, rules->start + (size_t)s * rules->elements, visit, context, error);
    return status;
}

bool starts_find(const struct rules *rules, int32_t *state, bool *all)
{
    enum { WORK_MOST = 1 << 24 };
    struct plain plain = {.rules = rules, .state = state};
    uint32_t member[RULES_MAX_ELEMENTS] = {0};
    *all = true;
    for (uint32_t s = 0; s < rules->starts; s++) {
        const int32_t *start = rules->start + (size_t)s * rules->elements;
        do {
            *all = plain.work < WORK_MOST;
            if (!*all)
                return false;
            start_state(rules, start, member, state);
            if (rules->keep == NO_TERM || plain_holds(&plain, rules->keep))
                return true;
        } while (next_members(rules, start, member));
    }
    return false;
}
