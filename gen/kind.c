/* kind.c -- puzzles with moves, and puzzles without */
#include "kind.h"
#include "lib/text.h"
#include "listing.h"
#include "patterns.h"
#include "whole.h"

#include <stdio.h>
#include <string.h>

/* The whole space where it fits into the memory allowed, else patterns. */
static pdb_status make(struct work *work, struct summary *summary, pdb_error *error)
{
    pdb_error too_large;
    pdb_status status = whole_plan(work, &too_large);
    if (status == PDB_OK)
        return whole_make(work, summary, error);
    if (status == PDB_TOO_LARGE)
        return patterns_make(work, &too_large, summary, error);
    return error_set(error, status, "%s", too_large.message);
}

static pdb_status verify_store(struct work *work, const struct store *store, struct summary *summary, pdb_error *error)
{
    return *store_header(store)->patterns != '\0' ? patterns_verify(work, store, error)
                                                  : whole_verify(work, store, summary, error);
}

static void say(const pdb_puzzle *puzzle, const struct summary *summary)
{
    char states[NUMBER_TEXT_MAX], hardest[NUMBER_TEXT_MAX];
    if (summary->entries > 0)
        printf("%s: pattern databases %s, %s entries; ", puzzle->name, summary->patterns,
               number_text(summary->entries, states));
    else
        printf("%s: %s states, the farthest %s at distance %llu; ", puzzle->name, number_text(summary->states, states),
               number_text(summary->hardest, hardest), (unsigned long long)summary->max);
}

static void say_items(const pdb_puzzle *puzzle, const struct summary *summary)
{
    char count[NUMBER_TEXT_MAX], hardest[NUMBER_TEXT_MAX];
    number_text(summary->hardest, hardest);
    printf("%s: %s %s, the hardest %s %llu %s%s, %.3f in the mean; ", puzzle->name, number_text(summary->states, count),
           puzzle->items->family->items, summary->hardest == 1 ? "takes" : strcat(hardest, " take"),
           (unsigned long long)summary->max, puzzle->metric, plural(summary->max), summary->mean);
}

const struct kind *kind_of(const pdb_puzzle *puzzle)
{
    static const struct kind with_moves = {.make = make, .verify = verify_store, .check = check_moves, .say = say};
    static const struct kind without_moves = {
        .make = listing_make, .verify = listing_verify, .check = check_items, .say = say_items, .means = true};
    return puzzle->items != NULL ? &without_moves : &with_moves;
}
