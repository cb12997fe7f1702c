/* check.c -- a solved sliding puzzle held against the oracle */
#include "check.h"
#include "lib/team.h"

#include <stdlib.h>
#include <string.h>

enum { BATCH = 61, MOST_MOVES = 200 };

static const uint32_t not_asked = DISTANCE_NONE - 1;

enum wrong {
    WRONG_CALL = 1,     /* an error was returned */
    WRONG_POSITION = 2, /* unrank gives no proper position */
    WRONG_RANK = 4,     /* rank does not take unrank back */
    WRONG_NAMES = 8,
    WRONG_DISTANCE = 16,
    WRONG_GOAL = 32,        /* is_goal says something else than the oracle */
    WRONG_MOVES = 64,       /* other moves than the oracle's */
    WRONG_SUCCESSORS = 128, /* not the ranks of the moves' boards */
    WRONG_INVERSE = 256,    /* a move that has no move back */
    WRONG_COLOUR = 512,
    WRONG_TABLE = 1024 /* a board of the oracle has no index, or another distance there */
};

struct scratch {
    uint64_t index[BATCH], *next, *back, *into;
    uint16_t next_count[BATCH], into_count[BATCH], *back_count;
    uint8_t colour[BATCH], *next_colour;
    pdb_moves moves;
};

struct check {
    const struct model *model;
    const struct oracle_table *table;
    const struct solved *solved;
    uint32_t *distance;      /* of every index */
    struct scratch *scratch; /* of each of two threads */
    pthread_mutex_t lock;
    unsigned wrong;
    uint64_t at; /* the first batch with anything wrong */
};

static void note_wrong(struct check *check, unsigned wrong, uint64_t batch)
{
    pthread_mutex_lock(&check->lock);
    if (check->wrong == 0 || batch < check->at)
        check->at = batch;
    check->wrong |= wrong;
    pthread_mutex_unlock(&check->lock);
}

enum { WALKS = 1000 };

static void find_some_distances(void *context, unsigned thread, uint64_t share)
{
    struct check *check = context;
    const uint64_t states = check->model->puzzle->states;
    uint64_t index[WALKS] = {0};
    uint32_t distance[WALKS];
    size_t count = 0;
    (void)thread;
    for (uint64_t i = share * WALKS; i < (share + 1) * WALKS && i < states; i++) {
        check->distance[i] = not_asked;
        if (is_shared(states, i / BATCH)) /* of the batches that are looked at */
            index[count++] = i;
    }
    if (distance_get(&check->solved->values, index, count, distance, NULL) != PDB_OK)
        note_wrong(check, WRONG_TABLE, share);
    for (size_t i = 0; i < count; i++)
        check->distance[index[i]] = distance[i];
}

/* Walks down from every index, or from a share of them. A call has many boards, of all blocks. */
static void find_distances(struct check *check, const char *name)
{
    const uint64_t states = check->model->puzzle->states;
    check->distance = checked_memory(states, sizeof *check->distance);
    team_once(2, team_shares(states, WALKS), find_some_distances, check);
    cr_assert(check->wrong == 0, "%s: distance_get fails", name);
}

static unsigned check_moves(const struct check *check, const uint8_t *position, const unsigned char *board,
                            const uint64_t *next, size_t count, struct scratch *scratch)
{
    const struct puzzle *puzzle = check->model->puzzle;
    const size_t size = (size_t)model_cells(check->model);
    struct oracle_board neighbour[MOST_MOVES];
    uint64_t ranks[MOST_MOVES], sorted[MOST_MOVES];
    unsigned wrong = 0;
    scratch->moves.count = 0;
    if (puzzle->family->position.moves(puzzle, position, &scratch->moves, NULL) != PDB_OK)
        return WRONG_CALL;
    const int neighbours = oracle_neighbours(&check->model->oracle, board, neighbour, MOST_MOVES);
    if (neighbours != (int)scratch->moves.count || neighbours != (int)count || count > puzzle->max_moves)
        return WRONG_MOVES | WRONG_SUCCESSORS;
    for (size_t m = 0; m < count; m++) {
        unsigned char moved[ORACLE_CELLS];
        const pdb_move *move = &scratch->moves.move[m];
        model_to_oracle(check->model, move->board.symbol, moved);
        int found = 0;
        for (int n = 0; n < neighbours; n++)
            if (memcmp(neighbour[n].cell, moved, size) == 0) {
                found++;
                neighbour[n].cell[0] = ORACLE_ANY; /* each once */
            }
        if (found != 1 || puzzle->family->position.check(puzzle, move->board.symbol, NULL) != PDB_OK)
            wrong |= WRONG_MOVES;
        if (!puzzle->family->position.rank(puzzle, move->board.symbol, &ranks[m]))
            wrong |= WRONG_SUCCESSORS;
        sorted[m] = next[m];
    }
    qsort(ranks, count, sizeof *ranks, compare_numbers);
    qsort(sorted, count, sizeof *sorted, compare_numbers);
    if (memcmp(ranks, sorted, count * sizeof *ranks) != 0)
        wrong |= WRONG_SUCCESSORS;
    return wrong;
}

static size_t times(uint64_t wanted, const uint64_t *numbers, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += numbers[i] == wanted;
    return found;
}

/* Every move out of a state of the batch is a move into the state that it leads to, as often, and the other way
 * round. */
static unsigned check_inverse(const struct check *check, size_t count, size_t total, struct scratch *scratch)
{
    const struct puzzle *puzzle = check->model->puzzle;
    unsigned wrong = 0;
    size_t into_total = puzzle->family->index.predecessors(puzzle, scratch->index, count, scratch->into,
                                                           scratch->into_count);
    if (into_total != total)
        return WRONG_INVERSE;
    size_t first_back = 0, first = 0;
    puzzle->family->index.predecessors(puzzle, scratch->next, total, scratch->back, scratch->back_count);
    for (size_t i = 0; i < count; i++) {
        const uint64_t *next = scratch->next + first;
        for (size_t m = 0; m < scratch->next_count[i]; m++) {
            const size_t back_count = scratch->back_count[first + m];
            if (times(scratch->index[i], scratch->back + first_back, back_count) !=
                    times(next[m], next, scratch->next_count[i]) ||
                times(next[m], scratch->into + first, scratch->into_count[i]) == 0)
                wrong |= WRONG_INVERSE;
            first_back += back_count;
        }
        first += scratch->next_count[i];
    }
    return wrong;
}

static unsigned check_batch(const struct check *check, size_t count, struct scratch *scratch)
{
    const struct model *model = check->model;
    const struct puzzle *puzzle = model->puzzle;
    unsigned wrong = 0;
    const size_t total = puzzle->family->index.successors(puzzle, scratch->index, count, scratch->next,
                                                          scratch->next_count);
    if (puzzle->coloured) {
        puzzle->family->index.colours(puzzle, scratch->index, count, scratch->colour);
        puzzle->family->index.colours(puzzle, scratch->next, total, scratch->next_colour);
    }
    size_t first = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t position[BOARD_MAX_CELLS];
        unsigned char board[ORACLE_CELLS];
        uint64_t rank = UINT64_MAX;
        puzzle->family->position.unrank(puzzle, scratch->index[i], position);
        if (puzzle->family->position.check(puzzle, position, NULL) != PDB_OK) {
            wrong |= WRONG_POSITION;
            break;
        }
        if (!puzzle->family->position.rank(puzzle, position, &rank) || rank != scratch->index[i])
            wrong |= WRONG_RANK;
        if (!model_named_in_order(model, position))
            wrong |= WRONG_NAMES;
        model_to_oracle(model, position, board);
        const int distance = oracle_distance(check->table, board);
        const uint32_t found = check->distance[scratch->index[i]];
        if (found != not_asked && found != (distance < 0 ? DISTANCE_NONE : (uint32_t)distance))
            wrong |= WRONG_DISTANCE;
        if (puzzle->family->position.is_goal(puzzle, position) != (distance == 0))
            wrong |= WRONG_GOAL;
        wrong |= check_moves(check, position, board, scratch->next + first, scratch->next_count[i], scratch);
        for (size_t m = 0; puzzle->coloured && m < scratch->next_count[i]; m++)
            if (scratch->colour[i] > 1 || scratch->next_colour[first + m] != 1 - scratch->colour[i])
                wrong |= WRONG_COLOUR;
        if (puzzle->coloured && distance == 0 && scratch->colour[i] != 0)
            wrong |= WRONG_COLOUR;
        first += scratch->next_count[i];
    }
    return wrong | check_inverse(check, count, total, scratch);
}

static void scratch_make(struct scratch *scratch, size_t max_moves)
{
    *scratch = (struct scratch){.next = checked_memory(BATCH * max_moves, 8),
                                .into = checked_memory(BATCH * max_moves, 8),
                                .back = checked_memory(BATCH * max_moves * max_moves, 8),
                                .back_count = checked_memory(BATCH * max_moves, 2),
                                .next_colour = checked_memory(BATCH * max_moves, 1)};
}

static void scratch_free(struct scratch *scratch)
{
    free(scratch->next);
    free(scratch->into);
    free(scratch->back);
    free(scratch->back_count);
    free(scratch->next_colour);
    free(scratch->moves.move);
}

/* Every index. A stride that shares no factor with the number of states scatters every other batch over all blocks. */
static void check_index_batch(void *context, unsigned thread, uint64_t batch)
{
    struct check *check = context;
    struct scratch *scratch = &check->scratch[thread];
    const struct puzzle *puzzle = check->model->puzzle;
    size_t count = 0;
    if (!is_shared(puzzle->states, batch))
        return;
    for (uint64_t i = batch * BATCH; i < (batch + 1) * BATCH && i < puzzle->states; i++)
        scratch->index[count++] = i;
    unsigned found = check_batch(check, count, scratch);
    for (size_t i = 0; batch % 16 == 0 && i < count; i++)
        scratch->index[i] = (scratch->index[i] * 2654435761u + i) % puzzle->states;
    if (batch % 16 == 0)
        found |= check_batch(check, count, scratch);
    if (found != 0)
        note_wrong(check, found, batch);
}

static void check_indices(struct check *check, const char *name)
{
    const struct puzzle *puzzle = check->model->puzzle;
    struct scratch scratch[2];
    for (unsigned t = 0; t < 2; t++)
        scratch_make(&scratch[t], puzzle->max_moves);
    check->scratch = scratch;
    team_once(2, puzzle->states / BATCH + 1, check_index_batch, check);
    for (unsigned t = 0; t < 2; t++)
        scratch_free(&scratch[t]);
    cr_expect(check->wrong == 0, "%s: wrong (bits of enum wrong in check.c): 0x%x, first in the batch at index %llu",
              name, check->wrong, (unsigned long long)check->at * BATCH);
}

/* Every board that the oracle knows, its pieces that are alike under any of their names. */
static void check_table_batch(void *context, unsigned thread, uint64_t batch)
{
    struct check *check = context;
    const struct puzzle *puzzle = check->model->puzzle;
    const size_t boards = oracle_count(check->table);
    uint64_t index, random = batch + 1;
    (void)thread;
    if (!is_shared(puzzle->states, batch))
        return;
    for (size_t i = batch * BATCH; i < (batch + 1) * BATCH && i < boards; i++) {
        uint8_t position[BOARD_MAX_CELLS];
        model_to_position(check->model, oracle_board(check->table, i), &random, position);
        if (!puzzle->family->position.rank(puzzle, position, &index) || index >= puzzle->states ||
            (check->distance[index] != not_asked &&
             check->distance[index] != (uint32_t)oracle_distance_at(check->table, i)))
            note_wrong(check, WRONG_TABLE, batch);
    }
}

static void check_table(struct check *check, const char *name)
{
    check->wrong = 0;
    team_once(2, oracle_count(check->table) / BATCH + 1, check_table_batch, check);
    cr_expect(check->wrong == 0, "%s: boards of the oracle: wrong 0x%x", name, check->wrong);
}

struct goals {
    uint64_t *index;
    size_t count, room;
};

static pdb_status note_goals(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    (void)error;
    struct goals *goals = context;
    for (size_t i = 0; i < count; i++) {
        if (goals->count < goals->room)
            goals->index[goals->count] = index[i];
        goals->count++;
    }
    return PDB_OK;
}

static pdb_status stop_at_goal(void *context, const uint64_t *index, size_t count, pdb_error *error)
{
    (void)index;
    *(size_t *)context += count;
    return error_set(error, PDB_INTERRUPTED, "enough");
}

static void check_goals(const struct check *check, const char *name)
{
    const struct puzzle *puzzle = check->model->puzzle;
    const size_t expected = oracle_histogram(check->table)[0];
    struct goals goals = {checked_memory(expected, sizeof *goals.index), 0, expected};
    cr_assert(puzzle->family->index.goals(puzzle, note_goals, &goals, NULL) == PDB_OK);
    cr_assert(goals.count == expected, "%s: %zu goals, not %zu", name, goals.count, expected);
    qsort(goals.index, goals.count, sizeof *goals.index, compare_numbers);
    for (size_t i = 0; i < goals.count; i++) {
        uint8_t position[BOARD_MAX_CELLS];
        unsigned char board[ORACLE_CELLS];
        cr_assert(goals.index[i] < puzzle->states && (i == 0 || goals.index[i - 1] < goals.index[i]),
                  "%s: goal %zu comes twice", name, i);
        puzzle->family->position.unrank(puzzle, goals.index[i], position);
        model_to_oracle(check->model, position, board);
        cr_assert(oracle_distance(check->table, board) == 0, "%s: goal %zu is none", name, i);
    }
    free(goals.index);
    size_t seen = 0;
    pdb_error error = {.status = PDB_OK};
    cr_expect(puzzle->family->index.goals(puzzle, stop_at_goal, &seen, &error) == PDB_INTERRUPTED &&
              error.status == PDB_INTERRUPTED);
    cr_expect(seen >= 1 && (seen < expected || expected == 1), "%s: went on after the visitor had said stop", name);
}

static void check_figures(const struct check *check, const char *name)
{
    const struct retrograde_result *result = &check->solved->result;
    const size_t *histogram = oracle_histogram(check->table);
    cr_expect(result->reachable == oracle_count(check->table), "%s: %llu reachable, not %zu", name,
              (unsigned long long)result->reachable, oracle_count(check->table));
    cr_assert(result->depths == (size_t)oracle_max(check->table) + 1, "%s: %zu depths", name, result->depths);
    for (size_t d = 0; d < result->depths; d++)
        cr_expect(result->histogram[d] == histogram[d], "%s: distance %zu: %llu states, not %zu", name, d,
                  (unsigned long long)result->histogram[d], histogram[d]);
    const size_t hardest = histogram[result->depths - 1];
    cr_assert(result->hardest_kept == (hardest < RETROGRADE_HARDEST_MAX ? hardest : (size_t)RETROGRADE_HARDEST_MAX));
    for (size_t i = 0; i < result->hardest_kept; i++) {
        uint8_t position[BOARD_MAX_CELLS];
        unsigned char board[ORACLE_CELLS];
        check->model->puzzle->family->position.unrank(check->model->puzzle, result->hardest[i], position);
        model_to_oracle(check->model, position, board);
        cr_assert(i == 0 || result->hardest[i - 1] < result->hardest[i]);
        cr_assert(oracle_distance(check->table, board) == oracle_max(check->table), "%s: hardest board %zu", name, i);
    }
}

static void check_all(struct check *check, bool indices, const char *name)
{
    check_figures(check, name);
    check_goals(check, name);
    find_distances(check, name);
    check_table(check, name);
    if (indices)
        check_indices(check, name);
    free(check->distance);
}

void slide_check_distances(const struct model *model, const struct oracle_table *table, const struct solved *solved,
                           const char *name)
{
    check_all(&(struct check){.model = model, .table = table, .solved = solved, .lock = PTHREAD_MUTEX_INITIALIZER},
              false, name);
}

void slide_check(const struct model *model, const struct oracle_table *table, const struct solved *solved,
                 const char *name)
{
    cr_assert(model->puzzle->max_moves <= MOST_MOVES);
    check_all(&(struct check){.model = model, .table = table, .solved = solved, .lock = PTHREAD_MUTEX_INITIALIZER},
              true, name);
}

void slide_check_paths(const struct model *model, struct oracle_table *table, const struct solved *solved, size_t most,
                       const char *name)
{
    const size_t boards = oracle_count(table), count = boards < most ? boards : most;
    uint64_t random = 77;
    for (size_t i = 0; i < count; i++) {
        const size_t which = boards <= most ? i : (size_t)random_below(&random, boards);
        uint8_t position[BOARD_MAX_CELLS];
        uint64_t index = 0;
        unsigned __int128 paths = 0;
        pdb_error error;
        model_to_position(model, oracle_board(table, which), &random, position);
        cr_assert(model->puzzle->family->position.rank(model->puzzle, position, &index));
        cr_assert(distance_count_paths(&solved->values, index, (uint32_t)oracle_distance_at(table, which), &paths,
                                       &error) == PDB_OK,
                  "%s", error.message);
        const uint64_t expected = oracle_count_paths(table, oracle_board(table, which));
        cr_expect(paths == expected, "%s: board %zu: %llu shortest solutions, not %llu", name, which,
                  (unsigned long long)paths, (unsigned long long)expected);
    }
}
