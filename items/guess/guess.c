/* guess.c -- the family of codes that are guessed: its database, and what the contract asks for */
#include "strategy.h"
#include "lib/text.h"

#include <stdlib.h>
#include <string.h>

enum { MEMO_BITS = 22 };

/* -- the database -- */

static uint32_t distance_of(const void *context, uint64_t code)
{
    const struct guess_tree *tree = context;
    return tree->spare[code];
}

/* Bytes and figures of a tree of all codes. */
static pdb_status take_items(const struct guess *guess, const struct guess_tree *tree, struct items *out,
                             pdb_error *error)
{
    out->count = tree->count;
    out->depths = tree->depths;
    for (size_t i = 0; i < tree->count; i++)
        tree->spare[tree->codes[i]] = tree->depth[i];
    pdb_status status = guess_tree_write(guess, tree, &out->bytes, &out->size, error);
    return status == PDB_OK ? items_take_figures(out, distance_of, tree, error) : status;
}

static pdb_status build(const struct items_puzzle *puzzle, unsigned threads, uint64_t memory, items_observer *observe,
                        void *context, struct items *out, pdb_error *error)
{
    const struct guess *guess = guess_of(puzzle);
    const uint64_t codes = guess->codes;
    /* What building takes besides the table of all answers. */
    uint64_t least = codes * (3 * sizeof(uint32_t) + 6 * sizeof(struct guess_node) + 3 * sizeof(uint64_t));
    if (guess->strategy != GUESS_FIRST)
        least += codes * (guess->length + 3 * sizeof(uint64_t));
    if (guess->strategy == GUESS_MEAN)
        least += ((uint64_t)16 << MEMO_BITS) + codes * 64;
    const struct guess_task task = {.guess = guess,
                                    .count = guess->codes,
                                    .asked = GUESS_NOTHING_ASKED,
                                    .width = guess->width,
                                    .memo_bits = MEMO_BITS,
                                    .table = memory - least,
                                    .threads = threads,
                                    .observe = observe,
                                    .context = context};
    struct guess_tree tree;
    char needed[NUMBER_TEXT_MAX], allowed[NUMBER_TEXT_MAX];
    *out = (struct items){0};
    if (memory < least)
        return error_set(error, PDB_TOO_LARGE, "the tree of questions of %s needs %s of memory, and %s are allowed",
                         puzzle->name, size_text(least, needed), size_text(memory, allowed));
    pdb_status status = guess_tree_make(&task, &tree, error);
    if (status == PDB_OK)
        status = take_items(guess, &tree, out, error);
    guess_tree_free(&tree);
    return status;
}

/* Is it the tree that its questions make, with the figures that follow from it? */
static pdb_status accept(const struct items_puzzle *puzzle, const struct items *items, pdb_error *error)
{
    struct guess_reader reader;
    struct guess_tree tree = {0};
    struct items made = {0};
    pdb_status status = guess_reader_make(guess_of(puzzle), items->bytes, items->size, &reader, error);
    if (status == PDB_OK)
        status = guess_tree_remake(&reader, &tree, error);
    if (status == PDB_OK)
        status = take_items(reader.guess, &tree, &made, error);
    if (status == PDB_OK && (made.size != items->size || memcmp(made.bytes, items->bytes, made.size) != 0 ||
                             !items_same_figures(&made, items)))
        status = error_set(error, PDB_DAMAGED, "this is no tree of questions of %s, or its figures are others",
                           puzzle->name);
    guess_tree_free(&tree);
    items_free(&made);
    return status;
}

/* -- questions -- */

static bool is_part(const char *text)
{
    return strchr(text, ':') != NULL;
}

static void item(const struct items_puzzle *puzzle, const struct items *items, uint64_t index, char *text)
{
    (void)items;
    guess_code_text(guess_of(puzzle), (uint32_t)index, text);
}

static void destroy(struct items_puzzle *puzzle)
{
    free(((struct guess *)puzzle)->bits);
}

static const char *const keys[] = {"symbols", "length", "repeats", "strategy", "width", NULL};

const struct items_family guess_family = {
    .name = "guess",
    .summary = "codes that are guessed by questions: bulls and cows, Mastermind",
    .keys = keys,
    .items = "codes",
    .encoding = "decision-tree",
    .bytes = sizeof(struct guess),
    .create = guess_create,
    .destroy = destroy,
    .build = build,
    .accept = accept,
    .ask = guess_ask,
    .is_part = is_part,
    .item = item,
};
