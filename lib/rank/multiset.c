/* multiset.c -- ranks of the orders of a multiset by table */
#include "multiset.h"

#include <stdlib.h>
#include <string.h>

long double multiset_count(unsigned classes, const uint16_t members[])
{
    long double count = 1;
    unsigned things = 0;
    for (unsigned c = 0; c < classes; c++)
        for (unsigned i = 1; i <= members[c]; i++)
            count = count * ++things / i;
    return count;
}

/* Fills the tables for all vectors, in the order of their numbers: what a vector needs stands before it. */
static void fill(struct multiset_ranking *ranking, const uint16_t members[])
{
    uint16_t left[MULTISET_MAX_CLASSES] = {0};
    const unsigned classes = ranking->classes;
    ranking->orders_of[0] = 1;
    memset(ranking->before, 0, classes * sizeof *ranking->before);
    for (uint32_t vector = 1; vector <= ranking->whole; vector++) {
        unsigned c = 0;
        while (left[c] == members[c]) /* count on */
            left[c++] = 0;
        left[c]++;
        uint64_t orders = 0;
        for (c = 0; c < classes; c++) {
            ranking->before[vector * classes + c] = orders;
            if (left[c] > 0)
                orders += ranking->orders_of[vector - ranking->stride[c]];
        }
        ranking->orders_of[vector] = orders;
    }
    ranking->orders = ranking->orders_of[ranking->whole];
}

enum multiset_status multiset_init(struct multiset_ranking *ranking, unsigned classes, const uint16_t members[])
{
    memset(ranking, 0, sizeof *ranking);
    ranking->classes = classes;
    uint64_t vectors = 1;
    for (unsigned c = 0; c < classes; c++) {
        ranking->things += members[c];
        vectors *= members[c] + 1u;
        if (vectors * classes > MULTISET_MAX_ENTRIES)
            return MULTISET_TOO_LARGE;
    }
    if (multiset_count(classes, members) >= 0x1p63L)
        return MULTISET_TOO_LARGE;
    ranking->whole = (uint32_t)vectors - 1;
    ranking->orders_of = malloc(multiset_bytes(ranking));
    if (ranking->orders_of == NULL)
        return MULTISET_NO_MEMORY;
    ranking->before = ranking->orders_of + vectors;
    ranking->stride = (uint32_t *)(ranking->before + vectors * classes);
    uint32_t stride = 1;
    for (unsigned c = 0; c < classes; c++) {
        ranking->stride[c] = stride;
        stride *= members[c] + 1u;
    }
    fill(ranking, members);
    return MULTISET_OK;
}

void multiset_free(struct multiset_ranking *ranking)
{
    free(ranking->orders_of);
    memset(ranking, 0, sizeof *ranking);
}

uint64_t multiset_bytes(const struct multiset_ranking *ranking)
{
    return ranking->classes * sizeof *ranking->stride +
           (ranking->whole + (uint64_t)1) * (sizeof *ranking->orders_of + ranking->classes * sizeof *ranking->before);
}

uint64_t multiset_rank_prefix(const struct multiset_ranking *ranking, const uint8_t *prefix, unsigned length,
                              uint32_t *vector)
{
    uint64_t rank = 0;
    *vector = ranking->whole;
    for (unsigned i = 0; i < length; i++) {
        rank += ranking->before[*vector * ranking->classes + prefix[i]];
        *vector -= ranking->stride[prefix[i]];
    }
    return rank;
}

uint64_t multiset_rank(const struct multiset_ranking *ranking, const uint8_t *order)
{
    uint32_t vector;
    return multiset_rank_prefix(ranking, order, ranking->things, &vector);
}

/* The class that the rest of an order begins with: the last one with no more than `rank` orders before it. (A class
 * with nothing left has as many orders before it as the class that follows it, so it is never the last.) */
static unsigned first_class(const struct multiset_ranking *ranking, uint32_t vector, uint64_t rank)
{
    const uint64_t *before = ranking->before + (size_t)vector * ranking->classes;
    unsigned c = ranking->classes - 1;
    while (before[c] > rank)
        c--;
    return c;
}

void multiset_unrank(const struct multiset_ranking *ranking, uint64_t rank, uint8_t *order)
{
    uint32_t vector = ranking->whole;
    for (unsigned i = 0; i < ranking->things; i++) {
        const unsigned c = first_class(ranking, vector, rank);
        order[i] = (uint8_t)c;
        rank -= ranking->before[vector * ranking->classes + c];
        vector -= ranking->stride[c];
    }
}

void multiset_trace(const struct multiset_ranking *ranking, uint64_t rank, bool again, struct multiset_step *step)
{
    unsigned i = again ? ranking->things : 0;
    if (!again)
        step[0] = (struct multiset_step){.vector = ranking->whole};
    while (rank - step[i].before >= ranking->orders_of[step[i].vector]) /* unsigned: a smaller rank is out as well */
        i--;
    for (; i < ranking->things; i++) {
        const uint32_t vector = step[i].vector;
        const unsigned c = first_class(ranking, vector, rank - step[i].before);
        step[i].class = (uint8_t)c;
        step[i + 1].before = step[i].before + ranking->before[vector * ranking->classes + c];
        step[i + 1].vector = vector - ranking->stride[c];
    }
}
