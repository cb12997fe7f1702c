/* questions.c -- puzzles without moves: built within limits, and asked */
#include "fuzz.h"

#include <string.h>
#include <time.h>

enum { OVERTIME = 4 }; /* seconds: the sanitizers make everything slow */

/* -- building -- */

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static bool in_time(void *end, double done)
{
    demand(done >= 0 && done <= 1.000001, "the share that is done is none");
    return cpu_seconds() < *(const double *)end;
}

static void check_figures(const struct items_puzzle *puzzle, const struct items *made)
{
    uint64_t items = 0;
    pdb_error error;
    for (size_t d = 0; d < made->depths; d++)
        items += made->histogram[d];
    demand(items == made->count && items > 0, "the histogram does not sum to the items");
    demand(puzzle->count == 0 || puzzle->count == items, "there are not as many items as was said");
    demand(made->hardest_kept > 0 && made->hardest_kept <= made->histogram[made->depths - 1], "too many are hardest");
    demand(puzzle->family->accept(puzzle, made, &error) == PDB_OK, "what was built is not accepted");
}

pdb_status build_within(const struct items_puzzle *puzzle, uint64_t memory, double seconds, struct items *out)
{
    double end = cpu_seconds() + seconds;
    pdb_error error = {.message = ""};
    pdb_status status = puzzle->family->build(puzzle, 1, memory, in_time, &end, out, &error);
    demand(cpu_seconds() < end + OVERTIME, "a build goes on when it is told to stop");
    if (status == PDB_OK)
        check_figures(puzzle, out);
    else
        demand(error.message[0] != '\0' &&
                   (status == PDB_TOO_LARGE || status == PDB_INTERRUPTED || status == PDB_BAD_DEFINITION),
               "a build fails for a strange reason");
    return status;
}

/* -- asking -- */

static pdb_status ask(const struct items_puzzle *puzzle, const struct items *items, const char *question,
                      uint32_t *distance)
{
    pdb_reply reply = {.distance = PDB_NO_DISTANCE};
    pdb_error error = {.message = ""};
    const pdb_status status = puzzle->family->ask(puzzle, items, question, PDB_WANT_PATH | PDB_WANT_COUNT, &reply,
                                                  &error);
    *distance = reply.distance;
    if (status == PDB_OK)
        demand(reply.count > 0, "a reply says nothing");
    else
        demand(status == PDB_BAD_BOARD && error.message[0] != '\0', "a question is refused for a strange reason");
    reply_clear(&reply);
    return status;
}

void exercise_question(const struct items_puzzle *puzzle, const struct items *items, const char *question)
{
    uint32_t distance;
    puzzle->family->is_part(question);
    ask(puzzle, items, question, &distance);
}

static uint32_t exercise_item(const struct items_puzzle *puzzle, const struct items *items, uint64_t item)
{
    char text[PDB_TEXT_MAX];
    uint32_t distance;
    puzzle->family->item(puzzle, items, item, text);
    demand(ask(puzzle, items, text, &distance) == PDB_OK, "an item is no question");
    demand(distance < items->depths && items->histogram[distance] > 0, "an item has no proper distance");
    return distance;
}

void exercise_items(const struct items_puzzle *puzzle, const struct items *items)
{
    enum { ASKED = 5 };
    for (uint64_t i = 0; i < ASKED; i++)
        exercise_item(puzzle, items, (items->count - 1) * i / (ASKED - 1));
    demand(exercise_item(puzzle, items, items->hardest[0]) + 1 == items->depths, "the hardest item is not the hardest");
}
