/* retrograde_keep.c -- what is kept of a search between runs, and its end: packed distances, figures, hardest states */
#include "layers.h"
#include "retrograde_inner.h"

/* -- keeping, going on -- */

size_t retrograde_parts(struct retrograde *search, struct retrograde_part parts[RETROGRADE_PARTS_MAX])
{
    if (search->layers != NULL)
        return layers_parts(search->layers, parts);
    const uint64_t size = search->words * sizeof(uint64_t);
    size_t count = 0;
    parts[count++] = (struct retrograde_part){search->state, sizeof *search->state};
    if (goes_at_once(search->puzzle, search->way))
        return count; /* it is at its beginning, or done */
    if (search->bitmaps == NULL) {
        parts[count++] = (struct retrograde_part){search->exact.narrow,
                                                  exact_bytes(64 * search->words, search->exact.wide)};
        return count;
    }
    parts[count++] = (struct retrograde_part){search->frontier, size};
    parts[count++] = (struct retrograde_part){search->visited, size};
    parts[count++] = (struct retrograde_part){search->low, size};
    if (search->high != NULL)
        parts[count++] = (struct retrograde_part){search->high, size};
    return count;
}

const char *retrograde_layout(const struct retrograde *search)
{
    if (search->layers != NULL)
        return layers_layout(search->layers);
    if (goes_at_once(search->puzzle, search->way))
        return "all distances at once";
    if (search->bitmaps == NULL)
        return search->exact.wide ? "exact distances, 16 bits" : "exact distances, 8 bits";
    return search->high == NULL ? "bitmaps, modulo 4" : "bitmaps, modulo 3";
}

bool retrograde_resume(struct retrograde *search)
{
    if (search->layers != NULL)
        return layers_resume(search->layers);
    const struct search_state *state = search->state;
    uint64_t sum = 0, layer = 0, visited = 0;
    uint64_t stray = 0; /* bits of the frontier that were not visited, or of no state */
    if (state->depth > deepest_layer(search))
        return false;
    for (uint64_t d = 0; d <= state->depth; d++)
        sum += state->histogram[d];
    for (uint64_t chunk = 0; chunk < search->chunks; chunk++) {
        uint64_t before = layer;
        for (uint64_t w = chunk * RETROGRADE_CHUNK; w < (chunk + 1) * RETROGRADE_CHUNK; w++) {
            const uint64_t seen = visited_word(search, w), front = frontier_word(search, w);
            stray |= (front & ~seen) | (seen & ~states_of_word(search, w));
            layer += (unsigned)__builtin_popcountll(front);
            visited += (unsigned)__builtin_popcountll(seen);
        }
        search->active[chunk] = layer != before;
    }
    const bool weighted = search->puzzle->family->weights != NULL;
    return stray == 0 && visited == state->reached && layer == state->layer &&
           (weighted ? sum >= visited : sum == visited);
}

/* -- the end -- */

/* The deepest layer is still the frontier. */
static size_t list_hardest_bits(struct retrograde *search)
{
    size_t count = 0;
    for (uint64_t w = 0; w < search->words; w++)
        for (uint64_t bits = search->frontier[w]; bits != 0; bits &= bits - 1) {
            if (count == RETROGRADE_HARDEST_MAX)
                return count;
            search->hardest[count++] = 64 * w + (unsigned)__builtin_ctzll(bits);
        }
    return count;
}

static size_t list_hardest(struct retrograde *search)
{
    const struct exact *exact = &search->exact;
    size_t count = 0;
    if (search->bitmaps != NULL)
        return list_hardest_bits(search);
    for (uint64_t state = 0; count < RETROGRADE_HARDEST_MAX; state++) {
        state = exact_next(exact, state, search->state->depth);
        if (state == exact->states)
            break;
        search->hardest[count++] = state;
    }
    return count;
}

/* The encoding's bytes, in the search's own memory. */
static const uint8_t *pack(struct retrograde *search, enum encoding encoding)
{
    const uint64_t states = search->puzzle->states;
    if (encoding == ENCODING_EXACT_16BIT)
        return search->exact.narrow; /* as it is */
    if (search->bitmaps == NULL) {
        exact_narrow(&search->exact);
        values_pack_distances(encoding, states, search->exact.narrow, search->threads);
        return search->exact.narrow;
    }
    if (encoding == ENCODING_MOD4_1BIT)
        return (const uint8_t *)search->low;
    /* Frontier and next layer are free now, two bits a state: room for every other encoding. */
    uint8_t *packed = (uint8_t *)search->bitmaps;
    values_pack(encoding, states, search->low, search->high, search->visited, packed, search->threads);
    return packed;
}

void retrograde_finish(struct retrograde *search, struct retrograde_result *result)
{
    if (search->layers != NULL) {
        layers_finish(search->layers, result);
        return;
    }
    const struct search_state *state = search->state;
    const bool all = state->reached == search->puzzle->states;
    if (!search->puzzle->undoable)
        result->encoding = encoding_exact(state->depth);
    else if (search->puzzle->coloured)
        result->encoding = all ? ENCODING_MOD4_1BIT : ENCODING_MOD4_2BIT;
    else
        result->encoding = all ? ENCODING_MOD3_5PERBYTE : ENCODING_MOD3_2BIT;
    result->reachable = 0;
    for (uint64_t depth = 0; depth <= state->depth; depth++)
        result->reachable += state->histogram[depth];
    result->depths = state->depth + 1;
    result->histogram = state->histogram;
    result->hardest_kept = list_hardest(search);
    result->hardest = search->hardest;
    result->bytes = pack(search, result->encoding);
}
