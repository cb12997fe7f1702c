/* expand.c -- runs of states, each with where its moves lead and what they cost */
#include "expand.h"
#include "lib/team.h"

#include <stdlib.h>

enum {
    MOVES_ROOM = 1 << 16, /* moves on a desk, unless one state may have more */
    AHEAD = 16            /* moves whose memory is fetched before it is wanted */
};

static size_t run_of(const struct puzzle *puzzle)
{
    const size_t run = MOVES_ROOM / (puzzle->max_moves + 1u);
    return run > RUN_MAX ? RUN_MAX : run > 0 ? run : 1;
}

static uint64_t moves_room(const struct puzzle *puzzle)
{
    return run_of(puzzle) * (puzzle->max_moves + 1u);
}

uint64_t expander_bytes(const struct puzzle *puzzle, unsigned threads)
{
    const uint64_t move = sizeof(uint64_t) + (puzzle->max_cost > 1 ? sizeof(uint32_t) : 0);
    return threads * (sizeof(struct desk) + moves_room(puzzle) * move);
}

bool expander_create(struct expander *expander, const struct puzzle *puzzle, const struct places *places,
                     unsigned threads)
{
    const uint64_t room = moves_room(puzzle);
    *expander = (struct expander){.puzzle = puzzle,
                                  .places = *places,
                                  .run = run_of(puzzle),
                                  .threads = threads,
                                  .desk = calloc(threads, sizeof *expander->desk)};
    bool there = expander->desk != NULL;
    for (unsigned t = 0; there && t < threads; t++) {
        struct desk *desk = &expander->desk[t];
        desk->next = malloc(room * sizeof *desk->next);
        desk->cost = puzzle->max_cost > 1 ? malloc(room * sizeof *desk->cost) : NULL;
        there = desk->next != NULL && (puzzle->max_cost <= 1 || desk->cost != NULL);
    }
    return there;
}

void expander_free(struct expander *expander)
{
    for (unsigned t = 0; expander->desk != NULL && t < expander->threads; t++) {
        free(expander->desk[t].next);
        free(expander->desk[t].cost);
    }
    free(expander->desk);
    expander->desk = NULL;
}

/* What runs are of. */
static uint64_t slots_of(const struct places *places)
{
    return places->table != NULL ? places->table->slots : places->count;
}

uint64_t expander_runs(const struct expander *expander)
{
    return team_shares(slots_of(&expander->places), expander->run);
}

/* The place that stands beside a key, plus one. */
static uint64_t number_at(const struct key_table *table, uint64_t slot)
{
    return ((const uint32_t *)(const void *)table->depth)[slot] - (uint64_t)1;
}

/* Lists the keys of a set of bits from one on, below `end`, so many at most. Returns how many there are. */
static size_t list_keys(const struct key_bits *bits, uint64_t from, uint64_t end, size_t most, uint64_t *key)
{
    size_t count = 0;
    for (uint64_t w = from / 64; 64 * w < end && count < most; w++) {
        uint64_t word = bits->word[w];
        word &= w == from / 64 ? UINT64_MAX << from % 64 : UINT64_MAX;
        word &= end - 64 * w < 64 ? ((uint64_t)1 << end % 64) - 1 : UINT64_MAX;
        for (; word != 0 && count < most; word &= word - 1)
            key[count++] = 64 * w + (unsigned)__builtin_ctzll(word);
    }
    return count;
}

void expander_take(const struct expander *expander, struct desk *desk, uint64_t run)
{
    const struct places *places = &expander->places;
    const struct key_table *table = places->table;
    const struct key_bits *bits = places->bits;
    const uint64_t first = run * expander->run, left = slots_of(places) - first,
                   end = first + (left < expander->run ? left : expander->run);
    size_t states = 0;
    for (uint64_t slot = first; table != NULL && slot < end; slot++)
        if (table->slot[slot] != 0) {
            desk->index[states] = table->slot[slot] - 1;
            desk->place[states++] = number_at(table, slot);
        }
    desk->states = states;
    if (table != NULL)
        return;
    if (bits != NULL)
        states = list_keys(bits, key_bits_at(bits, first), bits->range, end - first, desk->index);
    else if (places->among != NULL)
        states = list_keys(places->among, first, end, end - first, desk->index);
    else
        for (uint64_t place = first; place < end; place++)
            desk->index[states++] = place;
    for (size_t i = 0; i < states; i++)
        desk->place[i] = bits != NULL ? first + i : desk->index[i];
    desk->states = states;
}

/* The keys that moves lead to become places. A family that gives another key than it gave before, or a table that was
 * read and is not what was found, may name one that is not there: that move leads nowhere. */
static void look_up(const struct key_table *table, struct desk *desk)
{
    for (size_t move = 0; move < desk->moves && move < AHEAD; move++)
        key_prefetch(table, desk->next[move]);
    for (size_t move = 0; move < desk->moves; move++) {
        if (move + AHEAD < desk->moves)
            key_prefetch(table, desk->next[move + AHEAD]);
        desk->next[move] = key_slot(table, desk->next[move], table->slots);
        __builtin_prefetch(table->depth + desk->next[move] * sizeof(uint32_t));
    }
    size_t move = 0;
    for (size_t i = 0; i < desk->states; i++)
        for (size_t m = 0; m < desk->next_count[i]; m++, move++)
            desk->next[move] = desk->next[move] < table->slots ? number_at(table, desk->next[move]) : desk->place[i];
}

static void look_up_bits(const struct key_bits *bits, bool places, struct desk *desk)
{
    size_t move = 0;
    for (size_t i = 0; i < desk->states; i++)
        for (size_t m = 0; m < desk->next_count[i]; m++, move++) {
            if (move + AHEAD < desk->moves)
                key_bits_prefetch(bits, desk->next[move + AHEAD]);
            const uint64_t key = desk->next[move];
            desk->next[move] = !key_bits_has(bits, key) ? desk->place[i] : places ? key_bits_place(bits, key) : key;
        }
}

void expander_expand(const struct expander *expander, struct desk *desk)
{
    const struct puzzle *puzzle = expander->puzzle;
    const struct index_functions *index = &puzzle->family->index;
    desk->moves = desk->cost == NULL
                      ? index->successors(puzzle, desk->index, desk->states, desk->next, desk->next_count)
                      : index->costed_successors(puzzle, desk->index, desk->states, desk->next, desk->cost,
                                                 desk->next_count);
    if (expander->places.table != NULL)
        look_up(expander->places.table, desk);
    else if (expander->places.bits != NULL)
        look_up_bits(expander->places.bits, true, desk);
    else if (expander->places.among != NULL)
        look_up_bits(expander->places.among, false, desk);
}
