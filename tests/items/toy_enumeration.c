/* toy_enumeration.c -- a family of puzzles without moves, for tests: the numbers 1 .. n and their binary ones
 *
 * The bytes have the distances, a byte each.
 */
#include "toy_enumeration.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned toy_ones(uint64_t number)
{
    unsigned ones = 0;
    for (; number > 0; number /= 2)
        ones += number % 2;
    return ones;
}

static pdb_status list_hardest(struct items *out, pdb_error *error)
{
    const uint64_t all = out->histogram[out->depths - 1], most = all < 10000 ? all : 10000;
    out->hardest = malloc(most * sizeof *out->hardest);
    if (out->hardest == NULL)
        return error_no_memory(error, "the hardest", most * sizeof *out->hardest);
    for (uint64_t i = 0; i < out->count && out->hardest_kept < most; i++)
        if (out->bytes[i] == out->depths - 1)
            out->hardest[out->hardest_kept++] = i;
    return PDB_OK;
}

static pdb_status build(const struct items_puzzle *puzzle, unsigned threads, uint64_t memory, items_observer *observe,
                        void *context, struct items *out, pdb_error *error)
{
    const uint64_t n = puzzle->count;
    (void)threads;
    *out = (struct items){.size = n, .count = n};
    if (n > memory)
        return error_set(error, PDB_TOO_LARGE, "%s needs %llu bytes", puzzle->name, (unsigned long long)n);
    out->bytes = malloc(n);
    out->histogram = calloc(65, sizeof *out->histogram);
    if (out->bytes == NULL || out->histogram == NULL)
        return error_no_memory(error, "the numbers", n);
    for (uint64_t i = 0; i < n; i++) {
        if (i % 1024 == 0 && !observe(context, (double)i / (double)n))
            return error_set(error, PDB_INTERRUPTED, "interrupted");
        out->bytes[i] = (uint8_t)toy_ones(i + 1);
        out->histogram[out->bytes[i]]++;
        out->depths = out->depths > out->bytes[i] ? out->depths : out->bytes[i] + 1u;
    }
    return list_hardest(out, error);
}

static pdb_status accept(const struct items_puzzle *puzzle, const struct items *items, pdb_error *error)
{
    if (items->count != puzzle->count || items->size != puzzle->count)
        return error_set(error, PDB_DAMAGED, "it has the wrong number of numbers");
    for (uint64_t i = 0; i < items->count; i++)
        if (items->bytes[i] >= items->depths)
            return error_set(error, PDB_DAMAGED, "a number is too far");
    return PDB_OK;
}

/* The number that a question is about; false where it is none. */
static bool read_question(const char *text, uint64_t *number)
{
    char *end;
    *number = 0;
    if (*text == '\0' || strspn(text, "+0123456789 ") != strlen(text))
        return false;
    for (; *text != '\0'; text = end) {
        *number += strtoull(text, &end, 10);
        if (end == text)
            return false;
    }
    return true;
}

static pdb_status ask(const struct items_puzzle *puzzle, const struct items *items, const char *question, unsigned want,
                      pdb_reply *reply, pdb_error *error)
{
    struct reply_writer writer = {.reply = reply, .error = error};
    uint64_t number;
    if (!read_question(question, &number) || number > puzzle->count)
        return error_set(error, PDB_BAD_BOARD, "'%s' is no number from 1 to %llu", question,
                         (unsigned long long)puzzle->count);
    if (number == 0) {
        reply_text(&writer, "why", "because", "nothing has no ones");
        return writer.status;
    }
    reply->distance = items->bytes[number - 1];
    reply_mean(&writer, "density", "ones a digit", (double)reply->distance / 64);
    if ((want & PDB_WANT_COUNT) != 0)
        reply_count(&writer, "scaled", "times a great number", (unsigned __int128)number << 64);
    if ((want & PDB_WANT_PATH) != 0)
        reply_list(&writer, "bits", "bits");
    for (unsigned bit = 0; (want & PDB_WANT_PATH) != 0 && bit < 64; bit++)
        if (number >> bit & 1) {
            char text[32];
            snprintf(text, sizeof text, "%llu", 1ull << bit);
            reply_item(&writer, text);
        }
    return writer.status;
}

static bool is_part(const char *text)
{
    return *text == '+';
}

static void item(const struct items_puzzle *puzzle, const struct items *items, uint64_t index, char *text)
{
    (void)puzzle;
    (void)items;
    snprintf(text, PDB_TEXT_MAX, "%llu", (unsigned long long)index + 1);
}

static void destroy(struct items_puzzle *puzzle)
{
    (void)puzzle;
}

static const char *const keys[] = {"board", "goal", NULL};

const struct items_family toy_family = {.name = "toy",
                                        .summary = "numbers and their ones",
                                        .keys = keys,
                                        .items = "numbers",
                                        .encoding = "toy-8bit",
                                        .destroy = destroy,
                                        .build = build,
                                        .accept = accept,
                                        .ask = ask,
                                        .is_part = is_part,
                                        .item = item};

struct items_puzzle toy_puzzle(uint64_t n, const struct items_family *family)
{
    static char title[] = "ones in binary numbers";
    return (struct items_puzzle){.family = family != NULL ? family : &toy_family,
                                 .name = "toy",
                                 .title = title,
                                 .digest = {(uint8_t)n, (uint8_t)(n >> 8), 1},
                                 .unit = "one",
                                 .count = n};
}
