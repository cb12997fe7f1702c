/* play.c -- a game: the way so far, what is known of it, hints */
#include "play.h"
#include "lib/memory/array.h"
#include "lib/error.h"
#include "lib/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct play_step *here(const struct play *play)
{
    return &play->step[play->at];
}

/* -- boards -- */

static void drop_line(struct play *play)
{
    free(play->line);
    play->line = NULL;
    play->line_at = play->line_length = 0;
}

/* The board at hand is another: its moves by the rules, what is seen, and, where that is a look-up, its distances: of
 * every board on the way, however fast keys are pressed. */
static pdb_status arrive(struct play *play, pdb_error *error)
{
    play->weighed = play->stopped = play->asking = false;
    play->hint = 0;
    play->message[0] = '\0';
    play->chosen = PLAY_NO_MOVE;
    play->typed[0] = '\0';
    play->solved = pdb_board_is_goal(play->puzzle, &here(play)->board);
    if (play->solved) {
        here(play)->known = true;
        here(play)->distance = 0;
    }
    pdb_status status = pdb_board_moves(play->puzzle, &here(play)->board, &play->moves, error);
    if (status == PDB_OK)
        status = scene_make(&play->scene, play->puzzle, &here(play)->board, &play->moves, error);
    while (status == PDB_OK && !play->searches && play_wants(play))
        status = play_find(play, error);
    return status;
}

/* Room for one more step behind those that are kept. */
static pdb_status make_room(struct play *play, size_t kept, pdb_error *error)
{
    struct play_step *grown = array_grow(play->step, kept, sizeof *grown);
    if (grown == NULL)
        return error_no_memory(error, "the moves of a game", sizeof *grown);
    play->step = grown;
    return PDB_OK;
}

/* A new game. */
static pdb_status restart(struct play *play, const pdb_board *board, pdb_error *error)
{
    play->step[0] = (struct play_step){.board = *board};
    play->at = 0;
    play->steps = 1;
    play->taken_back = 0;
    play->running = false;
    play->cursor = play->held = SCENE_NO_CELL;
    drop_line(play);
    pdb_status status = arrive(play, error);
    if (status == PDB_OK)
        play_point_first(play);
    return status;
}

pdb_status play_begin(struct play *play, const struct drawing *drawing, const pdb_solver *solver,
                      const pdb_board *board, uint64_t seed, pdb_error *error)
{
    pdb_info info;
    pdb_solver_info(solver, &info);
    *play = (struct play){.puzzle = drawing->puzzle,
                          .solver = solver,
                          .drawing = *drawing,
                          .searches = info.search != NULL,
                          .seed = seed};
    pdb_status status = make_room(play, 0, error);
    return status != PDB_OK ? status : restart(play, board, error);
}

void play_end(struct play *play)
{
    free(play->step);
    free(play->line);
    pdb_moves_free(&play->moves);
    scene_free(&play->scene);
    *play = (struct play){0};
}

/* -- moves -- */

static pdb_status take(struct play *play, size_t move, bool shown, pdb_error *error)
{
    const pdb_move *taken = &play->moves.move[move];
    const struct play_place place = play_place_after(play, move);
    pdb_status status = make_room(play, play->at + 1, error);
    if (status != PDB_OK)
        return status;
    play->step[++play->at] = (struct play_step){
        .board = taken->board, .known = play->weighed, .distance = taken->distance, .shown = shown};
    play->steps = play->at + 1;
    /* A solution that was found and goes on from this board tells its distance; else it is of no use any more. */
    if (play->line_at < play->line_length &&
        memcmp(&play->line[play->line_at].board, &here(play)->board, sizeof(pdb_board)) == 0) {
        here(play)->known = true;
        here(play)->distance = play->line[play->line_at++].distance;
    } else {
        drop_line(play);
    }
    status = arrive(play, error);
    play_point_at(play, place);
    return status;
}

pdb_status play_take(struct play *play, size_t move, pdb_error *error)
{
    return move < play->moves.count ? take(play, move, false, error) : PDB_OK;
}

pdb_status play_go(struct play *play, size_t at, pdb_error *error)
{
    play->taken_back += play->at > at ? (unsigned)(play->at - at) : 0;
    play->at = at;
    drop_line(play);
    pdb_status status = arrive(play, error);
    play_point_at(play, (struct play_place){play->cursor, SCENE_NO_CELL});
    return status;
}

/* A best move; PLAY_NO_MOVE where none is known. */
static size_t best_move(const struct play *play)
{
    size_t move = 0;
    while (move < play->moves.count && !play_is_best(play, move))
        move++;
    return move < play->moves.count ? move : PLAY_NO_MOVE;
}

pdb_status play_take_best(struct play *play, pdb_error *error)
{
    const size_t move = best_move(play);
    if (move != PLAY_NO_MOVE)
        return take(play, move, true, error);
    play->running = false;
    play_say(play, "no move is known to lead to the goal");
    return PDB_OK;
}

pdb_status play_tick(struct play *play, pdb_error *error)
{
    if (!play->running)
        return PDB_OK;
    pdb_status status = play_take_best(play, error);
    play->running = play->running && !play->solved;
    return status;
}

/* -- random boards -- */

static uint64_t next_seed(struct play *play)
{
    play->seed = play->seed * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
    return play->seed >> 16;
}

/* Many random moves from the start: what is left where not all boards are known. Moves that cannot be taken back lead
 * to boards without any, and that is no board to play. */
static pdb_status wander(struct play *play, pdb_board *board, bool *found, pdb_error *error)
{
    enum { MOVES = 1000 };
    pdb_moves moves = {0};
    *found = false;
    pdb_status status = pdb_board_parse(play->puzzle, "start", board, error);
    for (unsigned i = 0; status == PDB_OK && i < MOVES; i++) {
        status = pdb_board_moves(play->puzzle, board, &moves, error);
        *found = status == PDB_OK && moves.count > 0;
        if (!*found)
            break;
        *board = moves.move[next_seed(play) % moves.count].board;
    }
    pdb_moves_free(&moves);
    return status;
}

pdb_status play_random(struct play *play, uint32_t distance, pdb_error *error)
{
    pdb_board board;
    pdb_error cause;
    uint32_t found;
    bool wandered = false;
    pdb_status status = PDB_OK;
    if (!play->searches)
        status = pdb_solver_random(play->solver, distance, next_seed(play), &board, &found, &cause);
    else if (distance == PDB_NO_DISTANCE && !pdb_puzzle_unordered(play->puzzle))
        status = wander(play, &board, &wandered, &cause);
    if (status == PDB_BAD_USAGE) {
        play_say(play, "%.200s", cause.message);
        return PDB_OK;
    }
    if (status != PDB_OK)
        return error_set(error, status, "%s", cause.message);
    if (play->searches && !wandered) {
        play_say(play, "not all boards are known here: 'pdb-gen %s' may find them", pdb_puzzle_name(play->puzzle));
        return PDB_OK;
    }
    return restart(play, &board, error);
}

/* -- distances -- */

static bool wants_best(const struct play *play)
{
    return play->show_best || play->hint >= 2 || play->running;
}

/* Where all distances are known, they are looked up at once. */
static bool wants_distance(const struct play *play)
{
    const struct play_step *step = here(play);
    if (!step->known)
        return !play->searches || play->show_distance || play->hint > 0 || wants_best(play);
    if (step->distance == PDB_NO_DISTANCE || step->distance == 0) /* there is no best move */
        return false;
    return play->searches && wants_best(play) && best_move(play) == PLAY_NO_MOVE;
}

/* Searches for all moves are many: one best move will do, where a board has many solutions' worth of ways to go. Values
 * in slots are soon searched for, and there every best move counts. */
static bool wants_moves(const struct play *play)
{
    if (play->weighed || !here(play)->known)
        return false;
    return !play->searches || (play->show_best && pdb_puzzle_unordered(play->puzzle));
}

static bool wants_start(const struct play *play)
{
    return play->solved && !play->step[0].known;
}

bool play_wants(const struct play *play)
{
    return !play->stopped && (wants_start(play) || wants_distance(play) || wants_moves(play));
}

static pdb_status find_distance(struct play *play, struct play_step *step, pdb_error *error)
{
    pdb_solution solution;
    pdb_status status = pdb_solver_solve(play->solver, &step->board, play->searches ? PDB_WANT_PATH : 0, &solution,
                                         error);
    if (status == PDB_OK) {
        step->known = true;
        step->distance = solution.distance;
    }
    if (status == PDB_OK && step == here(play)) {
        drop_line(play);
        play->line = solution.path;
        play->line_length = solution.steps;
        solution.path = NULL;
    }
    pdb_solution_free(&solution);
    return status;
}

static pdb_status find_moves(struct play *play, pdb_error *error)
{
    pdb_moves weighed = {0};
    pdb_status status = pdb_solver_moves(play->solver, &here(play)->board, here(play)->distance, &weighed, error);
    pdb_moves_free(status == PDB_OK ? &play->moves : &weighed);
    if (status == PDB_OK)
        play->moves = weighed; /* in the same order: the scene's moves are still these */
    play->weighed |= status == PDB_OK;
    return status;
}

pdb_status play_find(struct play *play, pdb_error *error)
{
    pdb_status status = PDB_OK;
    pdb_error cause;
    if (wants_start(play))
        status = find_distance(play, &play->step[0], &cause);
    else if (wants_distance(play))
        status = find_distance(play, here(play), &cause);
    else if (wants_moves(play))
        status = find_moves(play, &cause);
    if (status != PDB_INTERRUPTED && status != PDB_NO_MEMORY && status != PDB_TOO_LARGE)
        return status == PDB_OK ? PDB_OK : error_set(error, status, "%s", cause.message);
    if (status != PDB_INTERRUPTED)
        play_say(play, "%.200s", cause.message);
    play->stopped = true; /* the game can go on without */
    play->running = false;
    return PDB_OK;
}

bool play_is_best(const struct play *play, size_t move)
{
    if (play->weighed)
        return play->moves.move[move].optimal;
    return play->line_at < play->line_length &&
           memcmp(&play->line[play->line_at].board, &play->moves.move[move].board, sizeof(pdb_board)) == 0;
}

bool play_hints_at(const struct play *play, uint32_t cell)
{
    const size_t best = play->hint >= 2 ? best_move(play) : PLAY_NO_MOVE;
    return best != PLAY_NO_MOVE && play->scene.move[best].from != SCENE_NO_CELL &&
           scene_holds(&play->scene, best, cell);
}

/* -- words -- */

/* How far it is, in words; "" where that is not known. */
static int put_distance(const struct play *play, char *text, size_t size)
{
    const struct play_step *step = here(play);
    *text = '\0';
    if (!step->known)
        return play->stopped ? snprintf(text, size, "the distance is not known: the search was stopped") : 0;
    if (pdb_puzzle_unordered(play->puzzle))
        return step->distance == PDB_NO_DISTANCE ? snprintf(text, size, "no solution is left")
                                                 : snprintf(text, size, "%u slot%s empty, solutions are left",
                                                            step->distance, plural(step->distance));
    if (step->distance == PDB_NO_DISTANCE)
        return snprintf(text, size, "the goal cannot be reached from here");
    if (pdb_puzzle_max_cost(play->puzzle) > 1)
        return snprintf(text, size, "a cost of %u to go", step->distance);
    return snprintf(text, size, "%u move%s to go", step->distance, plural(step->distance));
}

struct tally {
    unsigned mistakes, shown;
    bool unsure; /* of the mistakes: not all distances are known */
};

/* A move is a mistake if the goal is not nearer behind it. (Where it cannot be reached any more, no move is worse.) */
static struct tally count_up(const struct play *play)
{
    struct tally tally = {0};
    const bool optimal = play->solved && play->step[0].known && play->step[0].distance == play->at;
    for (size_t i = 1; i <= play->at; i++) {
        const struct play_step *before = &play->step[i - 1], *after = &play->step[i];
        tally.shown += after->shown;
        if (optimal)
            continue;
        tally.unsure |= !before->known || !after->known;
        tally.mistakes += before->known && after->known && before->distance != PDB_NO_DISTANCE &&
                          after->distance >= before->distance;
    }
    return tally;
}

/* "Solved in 34 moves; the shortest is 20" */
static size_t put_verdict(const struct play *play, char *text, size_t size)
{
    const struct play_step *start = &play->step[0];
    const unsigned moves = (unsigned)play->at;
    if (moves == 0)
        return (size_t)snprintf(text, size, "This is the goal");
    if (pdb_puzzle_unordered(play->puzzle))
        return (size_t)snprintf(text, size, "Solved: every slot is filled");
    if (!start->known || pdb_puzzle_max_cost(play->puzzle) > 1) /* its distance is no number of moves */
        return (size_t)snprintf(text, size, "Solved in %u move%s", moves, plural(moves));
    if (start->distance == moves)
        return (size_t)snprintf(text, size, "Solved in %u move%s: optimal!", moves, plural(moves));
    return (size_t)snprintf(text, size, "Solved in %u move%s; the shortest is %u", moves, plural(moves),
                            start->distance);
}

/* " (1 mistake, 4 taken back)", or nothing. Mistakes tell of distances: where these are hidden, they wait. */
static size_t put_tally(const struct play *play, char *text, size_t size)
{
    const struct tally tally = count_up(play);
    char mistakes[64] = "", shown[32] = "", back[32] = "";
    if (tally.mistakes > 0 && (play->show_distance || play->solved))
        snprintf(mistakes, sizeof mistakes, ", %s%u mistake%s", tally.unsure ? "at least " : "", tally.mistakes,
                 plural(tally.mistakes));
    if (tally.shown > 0)
        snprintf(shown, sizeof shown, ", %u shown", tally.shown);
    if (play->taken_back > 0)
        snprintf(back, sizeof back, ", %u taken back", play->taken_back);
    const size_t length = (size_t)snprintf(text, size, "%s%s%s)", mistakes, shown, back);
    if (length == 1) {
        *text = '\0';
        return 0;
    }
    memcpy(text, " (", 2); /* for the comma */
    return length;
}

void play_status(const struct play *play, char text[PLAY_TEXT_MAX])
{
    size_t length = 0;
    if (play->solved)
        length = put_verdict(play, text, PLAY_TEXT_MAX);
    else
        length = (size_t)snprintf(text, PLAY_TEXT_MAX, "%zu move%s made", play->at, plural(play->at));
    if (play->at > 0 || play->taken_back > 0)
        length += put_tally(play, text + length, PLAY_TEXT_MAX - length);
    /* How far it is, if that is shown. A first board that is hopeless is told of: nobody should have to find that
     * out. */
    const bool first = play->at == 0 && play->taken_back == 0,
               hopeless = here(play)->known && here(play)->distance == PDB_NO_DISTANCE;
    char outlook[PLAY_TEXT_MAX] = "";
    if (!play->solved && (play->show_distance || (first && hopeless)))
        put_distance(play, outlook, sizeof outlook);
    else if (!play->solved && first && !play->show_best)
        strcpy(outlook, "arrows, Tab and Enter move; d shows distances, b best moves");
    if (outlook[0] != '\0')
        snprintf(text + length, PLAY_TEXT_MAX - length, "; %.150s", outlook);
}

static void put_hint(const struct play *play, char *text)
{
    const size_t best = best_move(play);
    int length = put_distance(play, text, PLAY_TEXT_MAX);
    if (best == PLAY_NO_MOVE || play->hint < 2)
        return;
    pdb_move move = play->moves.move[best];
    char words[DRAWN_MOVE_MAX];
    if (play->hint == 2)
        strcpy(move.text, move.piece);
    draw_move_text(&play->drawing, &move, words);
    snprintf(text + length, PLAY_TEXT_MAX - (size_t)length, "; next: %s%s", words,
             play->hint == 3 ? " (! plays it)" : "");
}

void play_message(const struct play *play, char text[PLAY_TEXT_MAX])
{
    *text = '\0';
    if (play->asking)
        snprintf(text, PLAY_TEXT_MAX, "A random board at distance: %s_", play->typed);
    else if (play->typed[0] != '\0')
        snprintf(text, PLAY_TEXT_MAX, "%s_  (Enter takes it)", play->typed);
    else if (play->message[0] != '\0')
        snprintf(text, PLAY_TEXT_MAX, "%s", play->message);
    else if (play->hint > 0 && !play->solved)
        put_hint(play, text);
    else if (play->running)
        snprintf(text, PLAY_TEXT_MAX, "the solution; any key stops it");
    else if (!play->solved && play->moves.count == 0)
        snprintf(text, PLAY_TEXT_MAX, "no move is possible: u takes one back");
}
