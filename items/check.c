/* check.c -- does a puzzle without moves keep its contract?
 *
 * It is built twice, with one thread and with several; then its items are asked for, one by one, as anybody would.
 */
#include "items.h"
#include "lib/team.h"

#include <stdlib.h>
#include <string.h>

enum { ASKED_MAX = 100000, ASKED_TOGETHER = 16 };

struct checking {
    const struct items_puzzle *puzzle;
    const struct items_family *family;
    const struct items_check_limits *limits;
    struct items items;
    uint64_t asked, step; /* items 0, step, 2 step, ... are asked for */
    uint32_t *distance;   /* of those */
    char **text;
    struct team_failure failure;
};

static pdb_status broken(const struct checking *checking, const char *rule, const char *what, pdb_error *error)
{
    return error_set(error, PDB_BROKEN_RULES, "%s: %s: %s", checking->puzzle->name, rule, what);
}

/* -- building -- */

static bool observe(void *context, double done)
{
    const struct items_check_limits *limits = context;
    (void)done;
    return limits->observer == NULL || limits->observer(limits->context, 0, 0);
}

static pdb_status build(const struct checking *checking, unsigned threads, struct items *items, pdb_error *error)
{
    const struct items_check_limits *limits = checking->limits;
    return checking->family->build(checking->puzzle, threads, limits->memory, observe, (void *)(uintptr_t)limits, items,
                                   error);
}

static pdb_status check_building(struct checking *checking, pdb_error *error)
{
    const struct items *once = &checking->items;
    struct items again = {0};
    pdb_error cause;
    pdb_status status = build(checking, 1, &checking->items, error);
    if (status == PDB_OK)
        status = build(checking, checking->limits->threads > 3 ? checking->limits->threads : 3, &again, error);
    if (status == PDB_OK && (once->size != again.size || memcmp(once->bytes, again.bytes, again.size) != 0 ||
                             !items_same_figures(once, &again)))
        status = broken(checking, "building", "one thread and several give different bytes or figures", error);
    if (status == PDB_OK && checking->family->accept(checking->puzzle, &again, &cause) != PDB_OK)
        status = broken(checking, "building", cause.message, error);
    items_free(&again);
    return status;
}

/* -- figures -- */

static const char *figures_fault(const struct items *items)
{
    uint64_t sum = 0;
    if (items->size == 0 || items->count == 0 || items->depths == 0)
        return "there is nothing in it";
    for (size_t d = 0; d < items->depths; d++)
        sum += items->histogram[d];
    if (sum != items->count)
        return "the histogram's sum is not the number of items";
    const uint64_t hardest = items->histogram[items->depths - 1];
    if (hardest == 0)
        return "the histogram ends with 0";
    if (items->hardest_kept == 0 || items->hardest_kept > hardest || items->hardest_kept > ITEMS_HARDEST_MAX ||
        (items->hardest_kept < hardest && items->hardest_kept < ITEMS_HARDEST_MAX))
        return "not all, or the first 10,000, of the hardest items are listed";
    for (size_t i = 0; i < items->hardest_kept; i++)
        if (items->hardest[i] >= items->count || (i > 0 && items->hardest[i] <= items->hardest[i - 1]))
            return "the hardest items are not in ascending order, or one is out of range";
    return NULL;
}

/* -- questions -- */

/* Asks for one item by its text. */
static pdb_status ask_one(struct checking *checking, uint64_t i, pdb_error *error)
{
    char text[PDB_TEXT_MAX] = "";
    pdb_reply reply = {.distance = PDB_NO_DISTANCE};
    pdb_error cause = {.message = "it has no distance"};
    checking->family->item(checking->puzzle, &checking->items, i * checking->step, text);
    checking->text[i] = strdup(text);
    if (checking->text[i] == NULL)
        return error_no_memory(error, "texts", strlen(text) + 1);
    pdb_status status = checking->family->ask(checking->puzzle, &checking->items, text, 0, &reply, &cause);
    checking->distance[i] = reply.distance;
    reply_clear(&reply);
    if (status == PDB_NO_MEMORY)
        return error_set(error, status, "%s", cause.message);
    return status == PDB_OK && checking->distance[i] != PDB_NO_DISTANCE
               ? PDB_OK
               : error_set(error, PDB_BROKEN_RULES, "%s: questions: item %llu is '%s', and asked for that: %s",
                           checking->puzzle->name, (unsigned long long)i * checking->step, text, cause.message);
}

/* ASKED_TOGETHER of them. The first of several failures is told. */
static void ask_some(void *context, unsigned thread, uint64_t share)
{
    struct checking *checking = context;
    const struct items_check_limits *limits = checking->limits;
    const uint64_t first = share * ASKED_TOGETHER, end = first + ASKED_TOGETHER;
    pdb_error cause;
    if (team_failed(&checking->failure, share))
        return;
    if (thread == 0 && limits->observer != NULL && !limits->observer(limits->context, first, checking->asked)) {
        error_set(&cause, PDB_INTERRUPTED, "%s: interrupted", checking->puzzle->name);
        team_fail(&checking->failure, share, &cause);
        return;
    }
    for (uint64_t i = first; i < end && i < checking->asked; i++)
        if (ask_one(checking, i, &cause) != PDB_OK) {
            team_fail(&checking->failure, share, &cause);
            return;
        }
}

static pdb_status ask_all(struct checking *checking, pdb_error *error)
{
    checking->failure = (struct team_failure){.lock = PTHREAD_MUTEX_INITIALIZER};
    team_once(checking->limits->threads, team_shares(checking->asked, ASKED_TOGETHER), ask_some, checking);
    return team_outcome(&checking->failure, error);
}

/* The distances that were found are those of the histogram, as far as all are known, and those of the listed items. */
static pdb_status check_distances(const struct checking *checking, pdb_error *error)
{
    const struct items *items = &checking->items;
    uint64_t *histogram = calloc(items->depths, sizeof *histogram);
    if (histogram == NULL)
        return error_no_memory(error, "a histogram", items->depths * sizeof *histogram);
    const char *fault = NULL;
    size_t listed = 0;
    for (uint64_t i = 0; fault == NULL && i < checking->asked; i++) {
        const uint64_t item = i * checking->step;
        if (checking->distance[i] >= items->depths) {
            fault = "an item is farther than the histogram goes";
            break;
        }
        histogram[checking->distance[i]]++;
        while (listed < items->hardest_kept && items->hardest[listed] < item)
            listed++;
        const bool hardest = checking->distance[i] == items->depths - 1;
        if (listed < items->hardest_kept && hardest != (items->hardest[listed] == item))
            fault = "the items listed as the hardest are not those that are";
    }
    for (size_t d = 0; fault == NULL && d < items->depths; d++)
        if (histogram[d] > items->histogram[d] || (checking->step == 1 && histogram[d] != items->histogram[d]))
            fault = "the distances of the items asked for are not those of the histogram";
    free(histogram);
    return fault == NULL ? PDB_OK : broken(checking, "histogram", fault, error);
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Two items with one text would be one question with two answers. */
static pdb_status check_texts(const struct checking *checking, pdb_error *error)
{
    qsort(checking->text, checking->asked, sizeof *checking->text, compare_texts);
    for (uint64_t i = 1; i < checking->asked; i++)
        if (strcmp(checking->text[i - 1], checking->text[i]) == 0)
            return error_set(error, PDB_BROKEN_RULES, "%s: texts: two items are '%s'", checking->puzzle->name,
                             checking->text[i]);
    return PDB_OK;
}

static pdb_status check_questions(struct checking *checking, pdb_error *error)
{
    const uint64_t last = checking->items.count - 1;
    checking->step = last / ASKED_MAX + 1;
    checking->asked = last / checking->step + 1;
    checking->distance = calloc(checking->asked, sizeof *checking->distance);
    checking->text = calloc(checking->asked, sizeof *checking->text);
    if (checking->distance == NULL || checking->text == NULL)
        return error_no_memory(error, "the items", checking->asked * sizeof *checking->text);
    pdb_status status = ask_all(checking, error);
    if (status == PDB_OK)
        status = check_distances(checking, error);
    return status == PDB_OK ? check_texts(checking, error) : status;
}

pdb_status items_check(const struct items_puzzle *puzzle, const struct items_check_limits *limits, uint64_t *asked,
                       bool *all, pdb_error *error)
{
    struct checking checking = {.puzzle = puzzle, .family = puzzle->family, .limits = limits};
    pdb_status status = check_building(&checking, error);
    const char *fault = status == PDB_OK ? figures_fault(&checking.items) : NULL;
    if (fault != NULL)
        status = broken(&checking, "figures", fault, error);
    if (status == PDB_OK)
        status = check_questions(&checking, error);
    *asked = checking.asked;
    *all = checking.step == 1;
    for (uint64_t i = 0; checking.text != NULL && i < checking.asked; i++)
        free(checking.text[i]);
    free(checking.text);
    free(checking.distance);
    items_free(&checking.items);
    return status;
}
