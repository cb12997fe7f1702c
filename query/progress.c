/* progress.c -- how far a search for a board has got, on standard error */
#include "progress.h"
#include "common/signals.h"
#include "lib/clock.h"
#include "lib/text.h"

#include <math.h>

/* Most answers are there before anybody could read a line. */
static const double first_after = 0.5, apart = 0.1;

void query_progress_begin(struct query_progress *progress, enum progress_wish wish)
{
    *progress = (struct query_progress){
        .lock = PTHREAD_MUTEX_INITIALIZER, .until = INFINITY, .distance = PDB_NO_DISTANCE};
    line_begin(&progress->line, wish, first_after, apart);
}

static void show(struct query_progress *progress, uint32_t bound, uint64_t nodes)
{
    char number[NUMBER_TEXT_MAX];
    const bool enumerated = pdb_puzzle_enumerated(progress->puzzle); /* worked out, of which there are per cents */
    const bool moves = progress->distance != PDB_NO_DISTANCE;
    const uint32_t step = enumerated ? (uint32_t)nodes : moves ? PDB_NO_DISTANCE : bound;
    if (!line_due(&progress->line) || (!progress->line.terminal && step == progress->step))
        return;
    line_note(&progress->line, "search", (double)nodes);
    line_subject(&progress->line, pdb_puzzle_name(progress->puzzle));
    if (enumerated) {
        line_add(&progress->line, "%u %% worked out", (unsigned)nodes);
        line_add_left(&progress->line, 100);
    } else { /* nobody knows how long a search will take; where slots are filled, no bound is news */
        if (moves)
            line_add(&progress->line, "the rest of the answer is looked for (--hint takes less)");
        else if (bound > 0 && !pdb_puzzle_unordered(progress->puzzle))
            line_add(&progress->line,
                     pdb_puzzle_max_cost(progress->puzzle) > 1 ? "no solution costs less than %u"
                                                               : "no solution under %u moves",
                     bound);
        line_add(&progress->line, "%s boards looked at", number_text(nodes, number));
        line_add_rate(&progress->line);
        line_add(&progress->line, "%.0f s so far", clock_now() - progress->line.begin);
    }
    line_add_memory(&progress->line);
    line_show(&progress->line);
    progress->step = step;
}

bool query_progress_observe(void *context, uint32_t bound, uint64_t nodes)
{
    struct query_progress *progress = context;
    if (interrupt_waits() || clock_now() > progress->until)
        return false;
    if (pthread_mutex_trylock(&progress->lock) != 0)
        return true;
    show(progress, bound, nodes);
    pthread_mutex_unlock(&progress->lock);
    return true;
}

void query_progress_end(struct query_progress *progress)
{
    line_erase(&progress->line);
}
