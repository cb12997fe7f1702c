/* ida_goals.c -- the states around the goals, listed once for all boards that a searcher is asked for */
#include "ida_parts.h"

#include <stdlib.h>

/* Goals are listed up to this many. */
static const uint64_t goals_max = 1 << 18;

static bool observe(void *context, uint64_t generated)
{
    (void)generated; /* not of this board's search */
    return ida_control_add(context, 0);
}

/* NULL for `control`: nobody watches. */
pdb_status ida_grow_to(struct ball *ball, uint64_t states, struct ida_control *control, pdb_error *error)
{
    pdb_status status = PDB_OK;
    while (status == PDB_OK && !ball->complete && !ball->full && ball_estimate(ball) <= (double)states)
        status = ball_grow(ball, control != NULL ? observe : NULL, control, error);
    return status;
}

static pdb_status add_goals(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    struct ball *ball = context;
    if (ball->count + count > goals_max)
        return error_set(error, PDB_TOO_LARGE, "too many goals to list");
    return ball_begin(ball, index, count, error);
}

/* A new ball; *out is NULL where the goals are too many, or too much for the memory. The goals of a puzzle with keys
 * whose moves can be undone are not given by its family. */
static pdb_status make_ball(const struct ida *ida, unsigned stage, struct ida_control *control, struct ball **out,
                            pdb_error *error)
{
    const struct puzzle *puzzle = ida->searcher.puzzle;
    *out = NULL;
    if (puzzle->keyed && puzzle->undoable)
        return PDB_OK;
    struct ball *ball = calloc(1, sizeof *ball);
    if (ball == NULL)
        return error_no_memory(error, "a search", sizeof *ball);
    pdb_status status = ball_create(ball, puzzle, true, ida->options.memory / 8 * IDA_EIGHTHS_GOALS, error);
    if (status == PDB_OK)
        status = puzzle->family->goals(puzzle, add_goals, ball, error);
    if (status == PDB_OK && !ida->options.no_table)
        status = ida_grow_to(ball, ida_stages[stage].goals, control, error);
    if (status != PDB_OK) {
        ball_free(ball);
        free(ball);
        return status == PDB_TOO_LARGE ? PDB_OK : status;
    }
    *out = ball;
    return PDB_OK;
}

/* The largest ball, and the stage that it is of. */
static struct ball *largest(struct ida_goals *goals, unsigned *stage)
{
    struct ball *ball = NULL;
    pthread_mutex_lock(&goals->lock);
    for (unsigned s = 0; s < IDA_STAGES; s++)
        if (goals->ball[s] != NULL) {
            ball = goals->ball[s];
            *stage = s;
        }
    pthread_mutex_unlock(&goals->lock);
    return ball;
}

/* Hands a new ball over; if another thread was faster, its ball counts. */
static void hand_over(struct ida_goals *goals, unsigned stage, struct ball *ball)
{
    pthread_mutex_lock(&goals->lock);
    struct ball *spare = ball;
    if (goals->ball[stage] == NULL) {
        goals->ball[stage] = ball;
        spare = NULL;
    }
    pthread_mutex_unlock(&goals->lock);
    if (spare != NULL)
        ball_free(spare);
    free(spare);
}

pdb_status ida_goals_get(const struct ida *ida, unsigned stage, struct ida_control *control, const struct ball **out,
                         pdb_error *error)
{
    unsigned there = 0;
    struct ball *ball = largest(ida->goals, &there);
    *out = ball;
    if (ball == NULL || ball->complete || ball->full || ida->options.no_table || there >= stage ||
        ida_stages[there].goals == ida_stages[stage].goals)
        return PDB_OK;
    pdb_status status = make_ball(ida, stage, control, &ball, error);
    if (status != PDB_OK || ball == NULL)
        return status;
    hand_over(ida->goals, stage, ball);
    *out = largest(ida->goals, &there);
    return PDB_OK;
}

pdb_status ida_goals_create(struct ida *ida, pdb_error *error)
{
    ida->goals = calloc(1, sizeof *ida->goals);
    if (ida->goals == NULL)
        return error_no_memory(error, "a search", sizeof *ida->goals);
    pthread_mutex_init(&ida->goals->lock, NULL);
    return make_ball(ida, 0, NULL, &ida->goals->ball[0], error);
}

void ida_goals_free(struct ida_goals *goals)
{
    for (unsigned s = 0; goals != NULL && s < IDA_STAGES; s++) {
        if (goals->ball[s] != NULL)
            ball_free(goals->ball[s]);
        free(goals->ball[s]);
    }
    if (goals != NULL)
        pthread_mutex_destroy(&goals->lock);
    free(goals);
}
