/* positions.c -- the rules of the contract where states have no numbers: those that are about positions
 *
 * Walks at random lead from the goal and the named boards; what must hold on them stands in check.h.
 */
#include "rules.h"
#include "lib/random.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t seed_of_walks = 0x7064622D77616C6B;

struct walker {
    const struct puzzle *puzzle;
    pdb_moves moves, back;
    uint8_t position[BOARD_MAX_CELLS];
};

static pdb_status broken(const struct walker *walker, const char *rule, const char *what, const char *cause,
                         pdb_error *error)
{
    char text[BOARD_TEXT_MAX];
    board_format(&walker->puzzle->board, walker->position, text);
    return error_set(error, PDB_BROKEN_RULES, "%s: %s: board %s: %s%s%s", walker->puzzle->name, rule, text, what,
                     cause[0] != '\0' ? ": " : "", cause);
}

static pdb_status check_back(struct walker *walker, const pdb_move *move, pdb_error *error)
{
    const size_t places = walker->puzzle->board.places;
    walker->back.count = 0;
    pdb_status status = walker->puzzle->family->position.moves(walker->puzzle, move->board.symbol, &walker->back,
                                                               error);
    for (size_t m = 0; status == PDB_OK && m < walker->back.count; m++)
        if (memcmp(walker->back.move[m].board.symbol, walker->position, places) == 0)
            return PDB_OK;
    return status != PDB_OK ? status : broken(walker, "inverses", "no move takes this one back", move->text, error);
}

static pdb_status check_move(struct walker *walker, const pdb_move *move, pdb_error *error)
{
    const struct puzzle *puzzle = walker->puzzle;
    pdb_error cause;
    if (puzzle->family->position.check(puzzle, move->board.symbol, &cause) != PDB_OK)
        return broken(walker, "moves", move->text, cause.message, error);
    return puzzle->undoable ? check_back(walker, move, error) : PDB_OK;
}

static pdb_status check_position(struct walker *walker, pdb_error *error)
{
    const struct puzzle *puzzle = walker->puzzle;
    pdb_error cause;
    if (puzzle->family->position.check(puzzle, walker->position, &cause) != PDB_OK)
        return broken(walker, "moves", "it is no proper position", cause.message, error);
    if (rules_text_read_back(&puzzle->board, walker->position, &cause) != PDB_OK)
        return broken(walker, "text", cause.message, "", error);
    walker->moves.count = 0;
    pdb_status status = puzzle->family->position.moves(puzzle, walker->position, &walker->moves, error);
    if (status == PDB_OK && walker->moves.count > puzzle->max_moves)
        return broken(walker, "moves", "there are more than max_moves", "", error);
    for (size_t m = 0; status == PDB_OK && m < walker->moves.count; m++)
        status = check_move(walker, &walker->moves.move[m], error);
    return status;
}

/* A walk of so many positions; it ends where no move is. */
static pdb_status walk(struct walker *walker, uint64_t steps, const struct check_limits *limits,
                       struct check_report *report, uint64_t all, pdb_error *error)
{
    uint64_t seed = seed_of_walks;
    for (uint64_t step = 0; step < steps; step++) {
        pdb_status status = check_position(walker, error);
        if (status != PDB_OK)
            return status;
        report->states++;
        report->moves += walker->moves.count;
        if (limits->observer != NULL && step % RULES_RUN == 0 &&
            !limits->observer(limits->context, report->states, all))
            return error_set(error, PDB_INTERRUPTED, "%s: interrupted", walker->puzzle->name);
        if (walker->moves.count == 0)
            break;
        memcpy(walker->position, walker->moves.move[random_below(&seed, walker->moves.count)].board.symbol,
               walker->puzzle->board.places);
    }
    return PDB_OK;
}

pdb_status rules_check_positions(const struct puzzle *puzzle, const struct check_limits *limits,
                                 struct check_report *report, pdb_error *error)
{
    const uint64_t steps = limits->moves / 400 / (puzzle->named_count + 1) + 1, all = steps * (puzzle->named_count + 1);
    struct walker walker = {.puzzle = puzzle};
    pdb_status status = PDB_OK;
    *report = (struct check_report){.unnumbered = true};
    if (memchr(puzzle->goal, BOARD_OPEN, puzzle->board.places) == NULL) {
        memcpy(walker.position, puzzle->goal, puzzle->board.places);
        report->goals = 1;
        status = puzzle->family->position.is_goal(puzzle, walker.position)
                     ? walk(&walker, steps, limits, report, all, error)
                     : broken(&walker, "goals", "it is the goal, but is none", "", error);
    }
    for (size_t i = 0; status == PDB_OK && i < puzzle->named_count; i++) {
        memcpy(walker.position, puzzle->named[i].position, puzzle->board.places);
        status = walk(&walker, steps, limits, report, all, error);
    }
    free(walker.moves.move);
    free(walker.back.move);
    return status;
}
