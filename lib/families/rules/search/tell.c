/* tell.c -- what the pattern databases say of a board, for people */
#include "search.h"
#include "lib/families/rules/layout.h"
#include "lib/search/board/bounds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_field(const struct mover_field *a, const struct mover_field *b)
{
    return a->mask != 0 && a->word == b->word && a->shift == b->shift && a->mask == b->mask;
}

/* What is kept in a table: "pattern database at[1], at[3]"; what does not fit is left out. */
static void name_lookup(const struct mover *mover, const struct lookup *lookup, char text[PATTERNS_TEXT_MAX])
{
    size_t length = (size_t)snprintf(text, PATTERNS_TEXT_MAX, "pattern database");
    for (unsigned f = 0; f < lookup->fields; f++)
        for (uint32_t e = 0; e < mover->rules->elements && length < PATTERNS_TEXT_MAX; e++) {
            char element[ELEMENT_TEXT_MAX];
            if (is_field(&mover->field[e], &lookup->field[f].of))
                length += (size_t)snprintf(text + length, PATTERNS_TEXT_MAX - length, "%s%s", f > 0 ? ", " : " ",
                                           layout_element_text(mover->rules, e, element));
        }
}

/* Those of one stage. */
static pdb_status tell_lookups(const struct mover *mover, const struct lookups *lookups, const uint64_t *packed,
                               pdb_bounds *bounds, pdb_error *error)
{
    char name[PATTERNS_TEXT_MAX];
    pdb_status status = PDB_OK;
    for (unsigned l = 0; status == PDB_OK && l < lookups->count; l++) {
        const struct lookups alone = {.lookup = {lookups->lookup[l]}, .count = 1};
        name_lookup(mover, &lookups->lookup[l], name);
        status = bounds_add(bounds, name, lookups_bound(&alone, packed), error);
    }
    return status;
}

pdb_status rules_search_tell(const struct searcher *searcher, const uint8_t *position, pdb_bounds *bounds,
                             pdb_error *error)
{
    const struct rules_searcher *made = (const struct rules_searcher *)searcher;
    const struct mover *mover = &made->mover;
    int32_t *state = calloc(mover->rules->elements + 1, sizeof *state);
    uint64_t *packed = calloc(mover->words, sizeof *packed);
    unsigned element;
    pdb_status status = state != NULL && packed != NULL
                            ? PDB_OK
                            : error_no_memory(error, "the bounds", mover->rules->elements * sizeof *state);
    if (status == PDB_OK && !layout_read(mover->rules, position, state, &element)) {
        status = bounds_add(bounds, "values that no state has", PDB_NO_DISTANCE, error);
    } else if (status == PDB_OK) {
        mover_pack(mover, state, packed);
        for (unsigned s = 0; status == PDB_OK && s < RULES_STAGES; s++) {
            pthread_mutex_lock(&made->stage[s].making);
            if (made->stage[s].made)
                status = tell_lookups(mover, &made->stage[s].lookups, packed, bounds, error);
            pthread_mutex_unlock(&made->stage[s].making);
        }
    }
    free(state);
    free(packed);
    return status;
}
