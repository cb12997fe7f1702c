/* draw.c -- different boards of some distances, in a random order
 *
 * All boards are numbered, and the numbers gone through in an order that a seed decides: a permutation of them that is
 * worked out number by number (a Feistel network on as many bits as the numbers have, repeated while it leads past the
 * last). So each board comes up once, each is equally likely at every turn, nothing has to be remembered of those that
 * were there, and where few boards are as they are wished, the pass over all that it takes is one for all of them.
 *
 * Of boards that are alike by a symmetry, the one is taken whose number, mixed with the seed, is least: so one of them
 * comes up, whichever it is, and nothing has to be remembered here either.
 *
 * Numbers come in batches, whose distances are looked up side by side, a batch a thread. Where the hardest boards are
 * wished, those are listed already, and numbers are places in the list.
 */
#include "solver.h"
#include "lib/images.h"
#include "lib/symmetries.h"
#include "lib/random.h"
#include "lib/team.h"
#include "lib/search/space/distance.h"

#include <stdlib.h>
#include <string.h>

/* -- numbers in a random order -- */

enum { ROUNDS = 6 };

struct order {
    uint64_t count, key[ROUNDS];
    unsigned half; /* bits of each half of a number */
};

static void order_begin(struct order *order, uint64_t count, uint64_t seed)
{
    *order = (struct order){.count = count, .half = 1};
    while (2 * order->half < 64 && (count - 1) >> (2 * order->half) != 0)
        order->half++;
    for (unsigned round = 0; round < ROUNDS; round++)
        order->key[round] = random_next(&seed);
}

/* The i-th number; i is below `count`. */
static uint64_t order_nth(const struct order *order, uint64_t i)
{
    const uint64_t mask = ((uint64_t)1 << order->half) - 1;
    do {
        uint64_t left = i >> order->half, right = i & mask;
        for (unsigned round = 0; round < ROUNDS; round++) {
            uint64_t mixed = right ^ order->key[round];
            const uint64_t next = left ^ (random_next(&mixed) & mask);
            left = right;
            right = next;
        }
        i = left << order->half | right;
    } while (i >= order->count);
    return i;
}

/* -- drawing -- */

enum { BATCH = 256, BATCHES = 16, MEMOS_BYTES = 64 << 20 /* of all threads */ };

/* A run of numbers, and the boards among them that may be as they are wished. */
struct batch {
    uint64_t first; /* of the numbers' places in the order */
    size_t count;
    uint64_t index[BATCH];
    uint8_t image[BATCH];
    uint32_t distance[BATCH];
};

struct draw {
    const pdb_solver *solver;
    const pdb_wish *wish;
    struct order order;
    const uint64_t *listed;       /* the states that numbers stand for; NULL: the numbers themselves */
    unsigned images;              /* numbers for each state: its symmetries, or 1 where one board of them is enough */
    struct symmetries symmetries; /* where no two are to be alike */
    uint64_t seed;
    bool fixed, drawn; /* some cells: of the board, or of its picture */
    uint8_t pattern[BOARD_MAX_CELLS];
    pdb_board_visitor *visit;
    void *context;
    bool enough;
    uint64_t left;               /* boards at these distances that were not there yet */
    struct batch batch[BATCHES]; /* that threads share */
    struct team team;
    struct team_failure failure;
    struct distance_memo *memo; /* of each thread; NULL: there is no memory for them */
};

static bool fits(const struct draw *draw, const uint8_t *position)
{
    const struct puzzle *shown = draw->solver->asked->shown;
    const unsigned places = draw->drawn ? shown->picture->places : shown->board.places;
    for (unsigned place = 0; draw->fixed && place < places; place++)
        if (draw->pattern[place] != BOARD_OPEN &&
            draw->pattern[place] !=
                (draw->drawn ? shown->family->position.show(shown, position, place) : position[place]))
            return false;
    return true;
}

/* Of all images that fit, the board of the one whose state's number comes first when mixed with the seed; false where
 * that is another state than `index`. */
static bool find_first(const struct draw *draw, uint64_t index, const uint8_t *position, pdb_board *board)
{
    const struct puzzle *puzzle = draw->solver->puzzle, *shown = draw->solver->asked->shown;
    uint8_t image[BOARD_MAX_CELLS];
    uint64_t first = 0, least = 0;
    bool found = false;
    for (unsigned number = 0; number < draw->symmetries.count; number++) {
        uint64_t state, mixed;
        symmetries_image(shown, &draw->symmetries, number, position, image);
        if (!puzzle->family->position.rank(puzzle, image, &state)) /* moves from the named boards lead here only */
            continue;
        if (puzzle->family->index.weights == NULL) /* pieces that are alike get their names */
            puzzle->family->position.unrank(puzzle, state, image);
        mixed = draw->seed ^ state;
        mixed = random_next(&mixed);
        if (!fits(draw, image) || (found && (mixed > least || (mixed == least && state >= first))))
            continue;
        found = true;
        first = state;
        least = mixed;
        memcpy(board->symbol, image, puzzle->board.places);
    }
    return found && first == index;
}

/* The board that a state and an image of it stand for. */
static bool find_board(const struct draw *draw, uint64_t index, uint64_t image, pdb_board *board)
{
    const struct puzzle *puzzle = draw->solver->puzzle;
    uint8_t position[BOARD_MAX_CELLS];
    puzzle->family->position.unrank(puzzle, index, position);
    memset(board, 0, sizeof *board);
    if (draw->wish->distinct)
        return find_first(draw, index, position, board);
    return images_nth(puzzle, position, image, board->symbol) && fits(draw, board->symbol);
}

/* Fills a batch with what can be as it is wished, as far as that is seen at little cost. */
static pdb_status fill_batch(const struct draw *draw, struct batch *batch, pdb_error *error)
{
    const struct values *values = &draw->solver->space.values;
    const unsigned modulus = encoding_modulus(values->encoding);
    const uint32_t from = draw->wish->from, span = draw->wish->to - from;
    uint8_t residue[BATCH];
    pdb_board board;
    size_t count = 0, kept = 0;
    for (uint64_t i = batch->first; i < batch->first + BATCH && i < draw->order.count; i++) {
        const uint64_t number = order_nth(&draw->order, i), state = number / draw->images;
        batch->index[count] = draw->listed != NULL ? draw->listed[state] : state;
        batch->image[count] = (uint8_t)(number % draw->images);
        if (batch->image[count] < images_weight(draw->solver->puzzle, batch->index[count]) &&
            (!draw->fixed || draw->wish->distinct ||
             find_board(draw, batch->index[count], batch->image[count], &board)))
            count++;
    }
    batch->count = count;
    if (modulus == 0 || span >= modulus)
        return PDB_OK;
    pdb_status status = values_get(values, batch->index, count, residue, error);
    for (size_t i = 0; status == PDB_OK && i < count; i++) {
        batch->index[kept] = batch->index[i];
        batch->image[kept] = batch->image[i];
        kept += residue[i] != RESIDUE_NONE && (residue[i] + modulus - from % modulus) % modulus <= span;
    }
    batch->count = kept;
    return status;
}

static void look_up(void *context, unsigned thread, uint64_t share)
{
    struct draw *draw = context;
    struct batch *batch = &draw->batch[share];
    struct values values = draw->solver->space.values;
    pdb_error error;
    if (thread != 0) /* the caller's observer is asked by the thread that called, and by no other */
        values.observe = NULL;
    values.memo = draw->memo == NULL || draw->memo[thread].slot == NULL ? NULL : &draw->memo[thread];
    pdb_status status = fill_batch(draw, batch, &error);
    if (status == PDB_OK)
        status = distance_get(&values, batch->index, batch->count, batch->distance, &error);
    if (status != PDB_OK)
        team_fail(&draw->failure, share, &error);
}

static void visit_batch(struct draw *draw, const struct batch *batch)
{
    const pdb_wish *wish = draw->wish;
    pdb_board board;
    for (size_t i = 0; !draw->enough && i < batch->count; i++) {
        const uint32_t distance = batch->distance[i];
        if (distance == PDB_NO_DISTANCE || distance < wish->from || distance > wish->to)
            continue;
        draw->left -= wish->distinct ? images_weight(draw->solver->puzzle, batch->index[i]) : 1;
        if (find_board(draw, batch->index[i], batch->image[i], &board))
            draw->enough = !draw->visit(draw->context, &board, distance);
        draw->enough |= draw->left == 0;
    }
}

/* Where many boards are looked at, what is found is remembered. */
static void remember(struct draw *draw)
{
    const uint64_t memory = draw->solver->memory, bytes = memory != 0 && memory < MEMOS_BYTES ? memory : MEMOS_BYTES;
    draw->memo = calloc(draw->team.threads, sizeof *draw->memo);
    for (unsigned t = 0; draw->memo != NULL && t < draw->team.threads; t++)
        distance_memo_create(&draw->memo[t], &draw->solver->space.values, bytes / draw->team.threads);
}

static void forget(struct draw *draw)
{
    for (unsigned t = 0; draw->memo != NULL && t < draw->team.threads; t++)
        distance_memo_free(&draw->memo[t]);
    free(draw->memo);
}

/* A few batches at first, in case few boards are wanted. */
static pdb_status go_through(struct draw *draw, pdb_error *error)
{
    pdb_status status = PDB_OK;
    size_t batches = 1;
    for (uint64_t next = 0; status == PDB_OK && !draw->enough && next < draw->order.count;) {
        for (size_t b = 0; b < batches; b++, next += BATCH)
            draw->batch[b].first = next;
        team_run(&draw->team, batches, look_up, draw);
        status = team_outcome(&draw->failure, error);
        if (status == PDB_OK)
            status = solver_go_on(draw->solver, next, 1, error);
        for (size_t b = 0; status == PDB_OK && b < batches; b++)
            visit_batch(draw, &draw->batch[b]);
        if (batches == BATCHES / 2)
            remember(draw);
        batches = batches < BATCHES ? 2 * batches : BATCHES;
    }
    team_end(&draw->team);
    forget(draw);
    return status;
}

/* Reads cells of the picture where a text has its rows and not the board's, else of the board, else of the picture. */
static pdb_status read_cells(struct draw *draw, const char *text, pdb_error *error)
{
    const struct puzzle *shown = draw->solver->asked->shown;
    const unsigned rows = board_count_rows(text);
    const bool pictured = shown->picture != NULL && rows == shown->picture->rows && rows != shown->board.rows;
    pdb_status status = PDB_BAD_BOARD;
    if (!pictured)
        status = board_parse(&shown->board, text, BOARD_WITH_DOTS, draw->pattern, NULL, error);
    if (status == PDB_OK || shown->picture == NULL)
        return status;
    pdb_error cause;
    status = board_parse(shown->picture, text, BOARD_WITH_DOTS | BOARD_DRAWN, draw->pattern, NULL, &cause);
    draw->drawn = status == PDB_OK;
    if ((rows > 1 && rows != shown->board.rows) || shown->picture->rows == 1) /* a picture was meant */
        *error = cause;
    return status;
}

static pdb_status read_fixed(struct draw *draw, pdb_error *error)
{
    const struct puzzle *shown = draw->solver->asked->shown;
    char plain[BOARD_TEXT_MAX];
    pdb_error cause;
    draw->fixed = draw->wish->fixed != NULL;
    if (!draw->fixed)
        return PDB_OK;
    const char *text = looks_without_signs(&shown->looks, (const struct board *[]){&shown->board, shown->picture},
                                           draw->wish->fixed, plain);
    const pdb_status status = read_cells(draw, text, &cause);
    return status == PDB_OK ? PDB_OK : error_set(error, status, "the fixed cells: %s", cause.message);
}

pdb_status pdb_solver_draw(const pdb_solver *solver, const pdb_wish *wish, uint64_t seed, pdb_board_visitor *visit,
                           void *context, pdb_error *error)
{
    const struct puzzle *puzzle = solver->puzzle;
    const struct store_header *figures = &solver->figures;
    uint8_t position[BOARD_MAX_CELLS];
    pdb_status status = catalog_check_boards(solver->asked, error);
    if (status != PDB_OK)
        return status;
    if (solver->searcher != NULL)
        return searching_refuse(solver, error);
    if (wish->from > wish->to || wish->from >= figures->depths)
        return error_set(error, PDB_BAD_USAGE, "no board is at distance %u or farther: the hardest are at %zu",
                         wish->from, figures->depths - 1);
    struct draw *draw = calloc(1, sizeof *draw);
    if (draw == NULL)
        return error_no_memory(error, "the draw", sizeof *draw);
    *draw = (struct draw){.solver = solver, .wish = wish, .images = 1, .visit = visit, .context = context};
    draw->team.threads = solver->threads;
    draw->seed = seed;
    if (wish->distinct)
        symmetries_find(solver->asked->shown, &draw->symmetries);
    draw->failure = (struct team_failure){.lock = PTHREAD_MUTEX_INITIALIZER};
    uint64_t states = puzzle->states;
    for (uint32_t d = wish->from; d <= wish->to && d < figures->depths; d++)
        draw->left += figures->histogram[d];
    if (wish->from + 1 == figures->depths && solver_hardest_kept(solver) == figures->hardest) {
        draw->listed = figures->hardest_states;
        states = figures->hardest_kept;
    }
    puzzle->family->position.unrank(puzzle, 0, position);
    if (!wish->distinct)
        draw->images = images_symmetries(puzzle, position);
    order_begin(&draw->order, states * draw->images, seed);
    status = read_fixed(draw, error);
    if (status == PDB_OK && draw->left > 0)
        status = go_through(draw, error);
    free(draw);
    return solver_sound(solver, status, error);
}
