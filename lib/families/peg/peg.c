/* peg.c -- the family of peg solitaire: the contract's functions
 *
 * On positions the rules are followed jump by jump; on indices through masks (peg.h).
 */
#include "peg.h"
#include "wide.h"
#include "lib/numbers.h"
#include "lib/families/families.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_GOAL_BOARDS = 1 << 26, MAX_LISTED_MOVES = 1 << 18 };

static const struct peg *peg_of(const struct puzzle *puzzle)
{
    return (const struct peg *)puzzle;
}

static uint64_t state_of(const struct peg *peg, const uint8_t *position)
{
    uint64_t state = 0;
    for (unsigned hole = 0; hole < peg->holes; hole++)
        state |= (uint64_t)position[hole] << hole;
    return state;
}

static void position_of(const struct peg *peg, uint64_t state, uint8_t *position)
{
    for (unsigned hole = 0; hole < peg->holes; hole++)
        position[hole] = state >> hole & 1;
}

/* -- positions -- */

/* Any pegs in any holes are a position. */
static pdb_status peg_check(const struct puzzle *puzzle, const uint8_t *position, pdb_error *error)
{
    (void)puzzle;
    (void)position;
    (void)error;
    return PDB_OK;
}

peg_set peg_wide_state(const struct peg *peg, const uint8_t *position)
{
    peg_set set = 0;
    for (unsigned hole = 0; hole < peg->holes; hole++)
        set |= (peg_set)position[hole] << hole;
    return set;
}

bool peg_is_goal_state(const struct peg *peg, peg_set set)
{
    if (peg->goal_pegs >= 0 && (int)peg_wide_count(set) != peg->goal_pegs)
        return false;
    for (unsigned g = 0; g < peg->goals; g++)
        if (peg_fits(&peg->goal[g], set))
            return true;
    return false;
}

static bool peg_is_goal(const struct puzzle *puzzle, const uint8_t *position)
{
    return peg_is_goal_state(peg_of(puzzle), peg_wide_state(peg_of(puzzle), position));
}

/* The chain of jumps that is under way, and where its moves go. */
struct chain {
    const struct peg *peg;
    pdb_moves *moves;
    unsigned length;
    uint8_t hole[PEG_MAX_HOLES]; /* the holes that the peg has been in */
    uint8_t position[PEG_MAX_HOLES];
};

/* "0-6-8", its end left out ("...") where there is no room. */
static void write_chain(const struct chain *chain, char *text)
{
    char *end = text;
    for (unsigned i = 0; i < chain->length; i++) {
        if (end - text > PDB_MOVE_TEXT_MAX - (int)sizeof "-999...") {
            strcpy(end, "...");
            return;
        }
        end += sprintf(end, i == 0 ? "%u" : "-%u", chain->hole[i]);
    }
}

static pdb_status add_move(const struct chain *chain, pdb_error *error)
{
    if (chain->moves->count == MAX_LISTED_MOVES)
        return error_set(error, PDB_TOO_LARGE, "the board has more than %d moves", MAX_LISTED_MOVES);
    pdb_move *move = moves_add(chain->moves);
    if (move == NULL)
        return error_no_memory(error, "the moves of a board", sizeof *move);
    write_chain(chain, move->text);
    snprintf(move->piece, sizeof move->piece, "peg %u", (unsigned)chain->hole[0]);
    memcpy(move->board.symbol, chain->position, chain->peg->holes);
    move->from = chain->peg->puzzle.board.cell[chain->hole[0]];
    return PDB_OK;
}

/* Follows every way to go on with the peg that stands in the chain's last hole. No deeper than there are pegs. */
static pdb_status follow(struct chain *chain, pdb_error *error)
{
    const struct peg *peg = chain->peg;
    const unsigned at = chain->hole[chain->length - 1];
    pdb_status status = PDB_OK;
    for (unsigned j = 0; status == PDB_OK && j < peg->jumps; j++) {
        const struct peg_jump jump = peg->jump[j];
        if (jump.from != at || chain->position[jump.over] == 0 || chain->position[jump.to] != 0)
            continue;
        chain->position[jump.from] = chain->position[jump.over] = 0;
        chain->position[jump.to] = 1;
        chain->hole[chain->length++] = jump.to;
        status = add_move(chain, error);
        if (status == PDB_OK && peg->sweeps)
            status = follow(chain, error);
        chain->length--;
        chain->position[jump.from] = chain->position[jump.over] = 1;
        chain->position[jump.to] = 0;
    }
    return status;
}

static pdb_status peg_moves(const struct puzzle *puzzle, const uint8_t *position, pdb_moves *moves, pdb_error *error)
{
    struct chain chain = {.peg = peg_of(puzzle), .moves = moves};
    pdb_status status = PDB_OK;
    memcpy(chain.position, position, chain.peg->holes);
    for (unsigned hole = 0; status == PDB_OK && hole < chain.peg->holes; hole++) {
        chain.hole[0] = (uint8_t)hole;
        chain.length = 1;
        if (position[hole] != 0)
            status = follow(&chain, error);
    }
    return status;
}

static bool peg_rank(const struct puzzle *puzzle, const uint8_t *position, uint64_t *index)
{
    *index = state_of(peg_of(puzzle), position);
    peg_canonise(peg_of(puzzle), index, 1);
    return true;
}

static void peg_unrank(const struct puzzle *puzzle, uint64_t index, uint8_t *position)
{
    position_of(peg_of(puzzle), index, position);
}

/* -- indices -- */

static size_t expand_batch(const struct peg *peg, const struct peg_steps *steps, const uint64_t *index, size_t count,
                           uint64_t *next, uint16_t *next_count)
{
    const size_t total = peg_expand(peg, steps, index, count, next, next_count);
    peg_canonise(peg, next, total);
    return total;
}

static size_t peg_successors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                             uint16_t *next_count)
{
    return expand_batch(peg_of(puzzle), &peg_of(puzzle)->forward, index, count, next, next_count);
}

static size_t peg_predecessors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                               uint16_t *next_count)
{
    return expand_batch(peg_of(puzzle), &peg_of(puzzle)->backward, index, count, next, next_count);
}

static size_t peg_counted_successors(const struct puzzle *puzzle, uint64_t index, uint64_t *next, uint64_t *moves)
{
    const struct peg *peg = peg_of(puzzle);
    const size_t count = peg_expand_counted(peg, &peg->forward, index, next, moves);
    peg_canonise(peg, next, count);
    return count;
}

static void peg_weights(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint16_t *weight)
{
    peg_weigh(peg_of(puzzle), index, count, weight);
}

static bool peg_image(const struct puzzle *puzzle, const uint8_t *position, unsigned symmetry, uint8_t *image)
{
    const struct peg *peg = peg_of(puzzle);
    if (symmetry >= peg->symmetries)
        return false;
    for (unsigned hole = 0; hole < peg->holes; hole++)
        image[peg->symmetry[symmetry][hole]] = position[hole];
    return true;
}

static void peg_bounds(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint16_t *bound)
{
    for (size_t i = 0; i < count; i++)
        bound[i] = peg_bound(peg_of(puzzle), index[i]);
}

/* -- goals -- */

/* The next larger number with as many bits set (R. W. Gosper, HAKMEM 175). */
static uint64_t next_combination(uint64_t bits)
{
    const uint64_t lowest = bits & -bits, carried = bits + lowest;
    return carried | ((bits ^ carried) / lowest) >> 2;
}

/* The boards of pattern g with `chosen` pegs in its open holes, each where no pattern before g has it and, of boards
 * alike by a symmetry, once. */
static pdb_status visit_combinations(const struct peg *peg, unsigned g, unsigned chosen, goal_visitor *visit,
                                     void *context, pdb_error *error)
{
    const struct peg_goal *goal = &peg->goal[g];
    const uint64_t end = (uint64_t)1 << __builtin_popcountll(goal->open);
    pdb_status status = PDB_OK;
    for (uint64_t bits = ((uint64_t)1 << chosen) - 1; status == PDB_OK && bits < end; bits = next_combination(bits)) {
        const uint64_t state = goal->pegs | spread_bits(bits, goal->open);
        uint64_t key = state;
        unsigned earlier = 0;
        while (earlier < g && !peg_fits(&peg->goal[earlier], state))
            earlier++;
        peg_canonise(peg, &key, 1);
        if (earlier == g && key == state)
            status = visit(context, &state, 1, error);
        if (bits == 0)
            break;
    }
    return status;
}

static pdb_status peg_goals(const struct puzzle *puzzle, goal_visitor *visit, void *context, pdb_error *error)
{
    const struct peg *peg = peg_of(puzzle);
    pdb_status status = PDB_OK;
    for (unsigned g = 0; g < peg->goals; g++) {
        const int fixed = __builtin_popcountll(peg->goal[g].pegs), open = __builtin_popcountll(peg->goal[g].open);
        const int least = peg->goal_pegs >= 0 ? peg->goal_pegs - fixed : 0;
        const int most = peg->goal_pegs >= 0 ? least : open;
        for (int chosen = least; status == PDB_OK && chosen <= most; chosen++)
            status = visit_combinations(peg, g, (unsigned)chosen, visit, context, error);
    }
    return status;
}

/* Are there few enough goals to visit them all? */
static pdb_status check_goal_count(const struct peg *peg, pdb_error *error)
{
    double boards = 0;
    for (unsigned g = 0; g < peg->goals; g++) {
        const int open = (int)peg_wide_count(peg->goal[g].all_open);
        const int chosen = peg->goal_pegs - (int)peg_wide_count(peg->goal[g].all_pegs);
        double ways = 1;
        for (int i = 0; peg->goal_pegs >= 0 && i < chosen; i++)
            ways = ways * (open - i) / (i + 1);
        boards += peg->goal_pegs >= 0 ? ways : ldexp(1, open);
    }
    if (boards > MAX_GOAL_BOARDS)
        return error_set(error, PDB_TOO_LARGE, "%.3g boards fit the goal, more than %d: leave fewer holes open", boards,
                         MAX_GOAL_BOARDS);
    return PDB_OK;
}

/* -- making one -- */

static void peg_release(struct puzzle *puzzle)
{
    free(((struct peg *)puzzle)->images);
    free(((struct peg *)puzzle)->forward.allowed);
    free(((struct peg *)puzzle)->backward.allowed);
}

static pdb_status set_up_wide(struct peg *peg, pdb_error *error)
{
    struct family *functions = &peg->puzzle.functions;
    pdb_status status = peg_find_symmetries(peg, error);
    functions->wide = peg_wide_functions(peg->symmetries);
    functions->single = (struct board_functions){0};
    return status;
}

static pdb_status set_up(struct peg *peg, pdb_error *error)
{
    peg->puzzle.wide = peg->holes > PEG_WORD_HOLES;
    peg->puzzle.states = peg->puzzle.wide ? 0 : (uint64_t)1 << peg->holes;
    peg->puzzle.size = ldexp(1, (int)peg->holes);
    peg->puzzle.keyed = peg->holes > PEG_DENSE_HOLES;
    pdb_status status = check_goal_count(peg, error);
    if (status == PDB_OK)
        status = peg_make_steps(peg, error);
    if (status != PDB_OK)
        return status;
    if (peg->puzzle.wide)
        return set_up_wide(peg, error);
    peg_make_bounds(peg);
    peg->puzzle.at_once = !peg->puzzle.keyed;
    peg->puzzle.scratch = peg->puzzle.keyed ? 0 : peg_whole_scratch(peg);
    if (!peg->puzzle.keyed) /* every board has an index of its own */
        peg->puzzle.functions.index.weights = NULL;
    return peg_find_symmetries(peg, error);
}

static const char *peg_name(const struct puzzle *puzzle, unsigned place)
{
    return peg_of(puzzle)->name[place];
}

static pdb_status peg_create(const struct definition *definition, struct puzzle *puzzle, pdb_error *error)
{
    struct peg *peg = (struct peg *)puzzle;
    pdb_status status = peg_read(definition, peg, error);
    for (unsigned hole = 0; status == PDB_OK && hole < peg->holes; hole++)
        snprintf(peg->name[hole], sizeof peg->name[hole], "%u", hole % 1000);
    return status == PDB_OK ? set_up(peg, error) : status;
}

static const char *const peg_keys[] = {"board", "jumps", "goal", "pegs", "metric", "glyphs", NULL};

const struct family peg_family = {
    .name = "peg",
    .summary = "pegs jump over pegs, which are taken off",
    .keys = peg_keys,
    .draws_board = true,
    .size = sizeof(struct peg),
    .create = peg_create,
    .release = peg_release,
    .position = {.check = peg_check,
                 .is_goal = peg_is_goal,
                 .moves = peg_moves,
                 .name = peg_name,
                 .rank = peg_rank,
                 .unrank = peg_unrank},
    .index = {.successors = peg_successors,
              .predecessors = peg_predecessors,
              .chains = true,
              .counted_successors = peg_counted_successors,
              .goals = peg_goals,
              .weights = peg_weights,
              .image = peg_image},
    .space = {.distances = peg_whole, .grades = peg_grades},
    .single = {.bounds = peg_bounds,
               .bound_text =
                   "regions that need a sweep each (single jumps: pegs to be taken off), position classes, pagoda sets",
               .tell = peg_tell},
};
