/* solve.c -- one layout, solved
 *
 * Its space is what moves lead to from it. Where moves can be undone, that is the same for all layouts among its
 * states, so they are found and need not be solved. (A family may number more states than these: other parts of the
 * puzzle, which other layouts lie in.)
 */
#include "common/signals.h"
#include "layouts.h"
#include "lib/memory/array.h"
#include "lib/error.h"
#include "lib/search/space/distance.h"
#include "lib/search/space/flood.h"
#include "lib/text.h"
#include "space/space.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 4096, HARDEST_TRIED = 1000 };

/* A layout as a puzzle, and its space. */
struct solving {
    const struct layouts *layouts;
    const uint32_t *placements;
    pdb_puzzle *subject;
    struct space space;
    struct flood found; /* the states of the space that moves lead to */
    struct outcome *outcome;
    pdb_error *error;
};

/* -- which layouts states are -- */

/* The form of the layout's piece that has this symbol on its first cell; LAYOUT_NONE for none. */
static uint32_t find_piece(const struct solving *solving, const char *code, unsigned cell)
{
    const struct layouts *layouts = solving->layouts;
    const unsigned cells = (unsigned)layouts->board.rows * layouts->board.columns;
    unsigned nth = 0;
    for (unsigned i = 0; i < layouts->pieces; i++) {
        const struct placement *placement = &layouts->placement[solving->placements[i]];
        const struct entry *entry = &layouts->entry[placement->entry];
        nth = i > 0 && layouts->placement[solving->placements[i - 1]].entry == placement->entry ? nth + 1 : 0;
        if (!entry->wall && strcmp(entry->letter ? entry->name[nth] : entry->form[placement->form].code[0], code) == 0)
            return layouts->at[((size_t)placement->entry * LAYOUT_FORMS + placement->form) * cells + cell];
    }
    return LAYOUT_NONE;
}

/* Does a piece of the definition's own board stand on the cell, as it does there? */
static bool is_own(const struct layouts *layouts, unsigned cell, const char *code)
{
    const struct picture *board = &layouts->board;
    return board->cell[cell].length == strlen(code) &&
           memcmp(board->text + board->cell[cell].offset, code, strlen(code)) == 0;
}

/* The number of the layout that a position is; LAYOUT_NONE where it is none. */
static uint32_t find_layout(const struct solving *solving, const uint8_t *position)
{
    const struct layouts *layouts = solving->layouts;
    const struct puzzle *puzzle = solving->subject->moves;
    uint16_t piece[BOARD_MAX_CELLS];
    uint32_t placements[LAYOUT_PIECES], found = 0;
    unsigned count = 0, next = 0;
    puzzle->functions.position.pieces(puzzle, position, piece);
    for (unsigned place = 0; place < puzzle->board.places; place++) {
        const unsigned cell = puzzle->board.cell[place];
        const char *code = puzzle->board.symbol[position[place]].code;
        const bool first = piece[place] == next, own = is_own(layouts, cell, code);
        next += first;
        if (layouts_is_free(&layouts->board, cell)) {
            if (!first)
                continue;
            found = count == layouts->pieces ? LAYOUT_NONE : find_piece(solving, code, cell);
            if (found == LAYOUT_NONE)
                return LAYOUT_NONE;
            placements[count++] = found;
        } else if (!own) {
            return LAYOUT_NONE;
        }
    }
    for (unsigned i = 0; i < layouts->pieces; i++)
        if (layouts->entry[layouts->placement[solving->placements[i]].entry].wall) {
            if (count == layouts->pieces)
                return LAYOUT_NONE;
            placements[count++] = solving->placements[i];
        }
    return count == layouts->pieces ? layouts_find(layouts, placements) : LAYOUT_NONE;
}

static bool cover(struct outcome *outcome, uint32_t number)
{
    uint32_t *grown = array_grow(outcome->covered, outcome->covers, sizeof *grown);
    if (grown == NULL)
        return false;
    outcome->covered = grown;
    grown[outcome->covers++] = number;
    return true;
}

/* In ascending order, each once. */
static void sort_covered(struct outcome *outcome)
{
    size_t kept = 0;
    qsort(outcome->covered, outcome->covers, sizeof *outcome->covered, layouts_compare);
    for (size_t i = 0; i < outcome->covers; i++)
        if (kept == 0 || outcome->covered[kept - 1] != outcome->covered[i])
            outcome->covered[kept++] = outcome->covered[i];
    outcome->covers = kept;
}

/* -- what moves lead to -- */

static pdb_status cover_states(struct solving *solving, uint32_t number)
{
    const struct puzzle *puzzle = solving->space.puzzle;
    uint8_t position[BOARD_MAX_CELLS];
    bool room = cover(solving->outcome, number);
    for (size_t i = 0; room && !solving->layouts->marks && puzzle->undoable && i < solving->found.states; i++) {
        puzzle->functions.position.unrank(puzzle, solving->found.state[i], position);
        const uint32_t found = find_layout(solving, position);
        room = found == LAYOUT_NONE || cover(solving->outcome, found);
    }
    sort_covered(solving->outcome);
    return room ? PDB_OK : error_no_memory(solving->error, "the layouts of a space", solving->found.states * 4);
}

/* The same where no goal can be reached and nothing is numbered: from layout to layout. */
static pdb_status cover_lost(struct solving *solving, uint32_t number, const uint8_t *start)
{
    const struct puzzle *puzzle = solving->subject->moves;
    struct outcome *outcome = solving->outcome;
    uint64_t *seen = calloc(solving->layouts->count / 64 + 1, sizeof *seen);
    pdb_board *boards = malloc(sizeof *boards);
    pdb_moves moves = {0};
    pdb_status status = PDB_OK;
    bool room = seen != NULL && boards != NULL && cover(outcome, number);
    if (room) {
        memcpy(boards->symbol, start, puzzle->board.places);
        seen[number / 64] |= 1ull << number % 64;
    }
    for (size_t i = 0; room && status == PDB_OK && !solving->layouts->marks && puzzle->undoable && i < outcome->covers;
         i++) {
        moves.count = 0;
        status = puzzle->functions.position.moves(puzzle, boards[i].symbol, &moves, solving->error);
        for (size_t m = 0; room && status == PDB_OK && m < moves.count; m++) {
            const uint32_t found = find_layout(solving, moves.move[m].board.symbol);
            if (found == LAYOUT_NONE || (seen[found / 64] >> found % 64 & 1))
                continue;
            seen[found / 64] |= 1ull << found % 64;
            pdb_board *grown = array_grow(boards, outcome->covers, sizeof *boards);
            room = grown != NULL && cover(outcome, found);
            boards = grown != NULL ? grown : boards;
            if (room)
                boards[outcome->covers - 1] = moves.move[m].board;
        }
    }
    free(boards);
    free(seen);
    free(moves.move);
    sort_covered(outcome);
    return room ? status : error_no_memory(solving->error, "the layouts of a space", outcome->covers);
}

/* -- the farthest -- */

static pdb_status try_hardest(struct solving *solving, uint64_t state)
{
    struct outcome *outcome = solving->outcome;
    const struct puzzle *puzzle = solving->space.puzzle;
    uint8_t position[BOARD_MAX_CELLS];
    unsigned __int128 solutions;
    pdb_status status = distance_count_paths(&solving->space.values, state, outcome->distance, &solutions,
                                             solving->error);
    if (status != PDB_OK && status != PDB_TOO_LARGE)
        return status;
    solutions = status == PDB_OK ? solutions : ~(unsigned __int128)0;
    if (outcome->solutions != 0 && solutions >= outcome->solutions)
        return PDB_OK;
    outcome->solutions = solutions;
    puzzle->functions.position.unrank(puzzle, state, position);
    board_format(&puzzle->board, position, outcome->board);
    return PDB_OK;
}

static int compare_states(const void *one, const void *other)
{
    const uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)other;
    return (a > b) - (a < b);
}

/* The greatest distance, and of the boards there the first with the fewest solutions. */
static pdb_status find_hardest(struct solving *solving)
{
    struct outcome *outcome = solving->outcome;
    uint32_t distance[BATCH];
    uint64_t tried[HARDEST_TRIED];
    pdb_status status = PDB_OK;
    qsort(solving->found.state, solving->found.states, sizeof *solving->found.state, compare_states);
    outcome->states = solving->found.states;
    for (size_t first = 0, batch; status == PDB_OK && first < solving->found.states; first += batch) {
        batch = solving->found.states - first < BATCH ? solving->found.states - first : BATCH;
        status = distance_get(&solving->space.values, solving->found.state + first, batch, distance, solving->error);
        for (size_t i = 0; status == PDB_OK && i < batch; i++) {
            if (distance[i] == DISTANCE_NONE || (outcome->hardest > 0 && distance[i] < outcome->distance))
                continue;
            if (outcome->hardest == 0 || distance[i] > outcome->distance)
                outcome->hardest = 0;
            outcome->distance = distance[i];
            if (outcome->hardest < HARDEST_TRIED)
                tried[outcome->hardest] = solving->found.state[first + i];
            outcome->hardest++;
        }
    }
    for (size_t i = 0; status == PDB_OK && i < outcome->hardest && i < HARDEST_TRIED; i++)
        status = try_hardest(solving, tried[i]);
    return status;
}

/* -- one layout -- */

static bool observe(void *context, const struct retrograde_progress *progress)
{
    (void)context;
    (void)progress;
    return !interrupt_waits();
}

static pdb_status search(struct solving *solving, uint64_t memory, uint32_t number)
{
    struct space *space = &solving->space;
    uint8_t start[BOARD_MAX_CELLS];
    uint64_t index;
    pdb_status status = puzzle_parse(solving->subject->moves, "start", start, solving->error);
    if (status == PDB_OK)
        status = space_plan_within(space, memory, solving->error);
    if (status == PDB_OK)
        status = space_begin(space, NULL, observe, NULL, solving->error);
    if (status == PDB_OK)
        status = space_search(space, NULL, observe, NULL, solving->error);
    if (status == PDB_OK)
        status = space_finish(space, solving->error);
    if (status == PDB_UNREACHABLE)
        return cover_lost(solving, number, start);
    if (status != PDB_OK)
        return status;
    if (!space->puzzle->functions.position.rank(space->puzzle, start, &index))
        return cover_lost(solving, number, start);
    status = flood_from(space->puzzle, index, &solving->found, solving->error);
    if (status == PDB_OK)
        status = cover_states(solving, number);
    return status == PDB_OK ? find_hardest(solving) : status;
}

/* Says of which layout of which file the error is; not at which line of the text that was made of it, which nobody has
 * seen. */
static pdb_status name_layout(const struct layouts *layouts, uint32_t number, pdb_status status, pdb_error *error)
{
    char which[32] = "the first layout";
    if (number > 0)
        snprintf(which, sizeof which, "layout %" PRIu32, number + 1);
    const pdb_error inner = *error;
    const char *reason = inner.message, *colon;
    const size_t length = strlen(layouts->name);
    if (status == PDB_BAD_DEFINITION && text_begins(reason, layouts->name) && reason[length] == ':' &&
        (colon = strstr(reason + length, ": ")) != NULL)
        reason = colon + 2;
    return error_set(error, status, "%s: %s: %s", definition_name(layouts->definition), which, reason);
}

pdb_status layouts_solve(const struct layouts *layouts, uint32_t number, uint64_t memory, struct outcome *outcome,
                         pdb_error *error)
{
    struct solving solving = {.layouts = layouts,
                              .placements = layouts->layout + (uint64_t)number * layouts->pieces,
                              .outcome = outcome,
                              .error = error};
    struct definition *definition = NULL;
    char *text = NULL;
    *outcome = (struct outcome){.distance = LAYOUT_NONE};
    pdb_status status = layouts_write(layouts, solving.placements, layouts->name, "", NULL, &text, error);
    if (status == PDB_OK)
        status = definition_parse(layouts->name, text, strlen(text), &definition, error);
    if (status == PDB_OK)
        status = catalog_create(definition, &solving.subject, error);
    if (status == PDB_OK)
        status = catalog_check_boards(solving.subject, error);
    if (status == PDB_OK) {
        solving.space = space_of(solving.subject->moves, 1);
        status = search(&solving, memory, number);
        space_free(&solving.space);
    }
    catalog_free(solving.subject);
    definition_free(definition);
    flood_free(&solving.found);
    free(text);
    return status == PDB_OK || status == PDB_INTERRUPTED ? status : name_layout(layouts, number, status, error);
}

void outcome_free(struct outcome *outcome)
{
    free(outcome->covered);
}
