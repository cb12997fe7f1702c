/* regions.c -- the parts of a walking puzzle's graph: regions, their rankings, arcs by slots, and the colouring */
#include "walk.h"

#include <stdlib.h>
#include <string.h>

/* -- connected parts -- */

/* A walk through the graph, arcs taken both ways: part[p] is the number of p's connected part, side[p] the parity of
 * the steps to p. Returns whether every arc joins the two sides. */
static bool find_parts(const struct walk *walk, uint16_t part[], uint8_t side[], unsigned *parts)
{
    const unsigned places = walk->puzzle.board.places;
    uint16_t queue[BOARD_MAX_CELLS];
    bool seen[BOARD_MAX_CELLS] = {false}, two_sides = true;
    *parts = 0;
    for (unsigned begin = 0; begin < places; begin++) {
        if (seen[begin])
            continue;
        unsigned count = 0;
        seen[begin] = true;
        side[begin] = 0;
        queue[count++] = (uint16_t)begin;
        for (unsigned next = 0; next < count; next++) {
            const unsigned p = queue[next];
            part[p] = (uint16_t)*parts;
            for (unsigned q = 0; q < places; q++) {
                if (!walk->arc[p][q] && !walk->arc[q][p])
                    continue;
                if (!seen[q]) {
                    seen[q] = true;
                    side[q] = side[p] ^ 1;
                    queue[count++] = (uint16_t)q;
                }
                two_sides &= side[q] != side[p];
            }
        }
        ++*parts;
    }
    return two_sides;
}

/* -- regions -- */

static void add_thing(struct walk_region *region, uint8_t symbol, unsigned count)
{
    if (count == 0)
        return;
    if (region->class_of[symbol] == WALK_NO_CLASS) {
        region->class_of[symbol] = (uint8_t)region->classes;
        region->symbol[region->classes++] = symbol;
    }
    region->members[region->class_of[symbol]] = (uint16_t)(region->members[region->class_of[symbol]] + count);
}

/* Numbers the classes by symbol, so that a region's orders do not depend on where its goal has what. */
static void add_things(struct walk *walk, struct walk_region *region, const uint16_t count[])
{
    const struct board *board = &walk->puzzle.board;
    memset(region->class_of, WALK_NO_CLASS, sizeof region->class_of);
    for (unsigned symbol = 0; symbol < board->symbols; symbol++)
        add_thing(region, (uint8_t)symbol, count[symbol]);
    region->empty = region->class_of[board->empty];
}

/* Makes a region of the places marked, with the goal's pieces there, or the rest of all pieces if it is the open
 * one. */
static void add_region(struct walk *walk, const bool marked[], bool open, unsigned *slots)
{
    const struct puzzle *puzzle = &walk->puzzle;
    struct walk_region *region = &walk->region[walk->regions++];
    uint16_t count[BOARD_MAX_SYMBOLS] = {0};
    if (open)
        memcpy(count, walk->count, sizeof count);
    region->first = (uint16_t)*slots;
    for (unsigned place = 0; place < puzzle->board.places; place++) {
        if (marked[place]) {
            walk->place_of[*slots] = (uint16_t)place;
            walk->slot_of[place] = (uint16_t)(*slots)++;
        }
        if (open && !marked[place])
            count[puzzle->goal[place]]--; /* the goal says what is in all other regions */
        if (!open && marked[place])
            count[puzzle->goal[place]]++;
    }
    region->slots = (uint16_t)(*slots - region->first);
    add_things(walk, region, count);
}

static void split(struct walk *walk, const uint16_t part[], unsigned parts)
{
    const struct puzzle *puzzle = &walk->puzzle;
    bool open[BOARD_MAX_CELLS] = {false}, marked[BOARD_MAX_CELLS], any = false;
    unsigned slots = 0;
    for (unsigned place = 0; place < puzzle->board.places; place++)
        if (puzzle->goal[place] == BOARD_OPEN)
            any = open[part[place]] = true;
    for (unsigned place = 0; place < puzzle->board.places; place++)
        marked[place] = open[part[place]];
    if (any)
        add_region(walk, marked, true, &slots);
    /* Those with something to move first. */
    for (int still = 0; still < 2; still++)
        for (unsigned p = 0; p < parts; p++) {
            bool same = true;
            unsigned first = BOARD_MAX_CELLS;
            for (unsigned place = 0; place < puzzle->board.places; place++) {
                marked[place] = part[place] == p;
                if (marked[place] && first == BOARD_MAX_CELLS)
                    first = place;
                same &= !marked[place] || puzzle->goal[place] == puzzle->goal[first];
            }
            if (!open[p] && same == (still == 1))
                add_region(walk, marked, false, &slots);
        }
}

static pdb_status too_large(long double states, pdb_error *error)
{
    unsigned power = 0;
    while (states >= 10) {
        states /= 10;
        power++;
    }
    return error_set(error, PDB_TOO_LARGE, "the pieces can stand in more than 10^%u ways: too many to number", power);
}

/* Sets the rankings and weights up, the last region the fastest to change. */
static pdb_status rank_regions(struct walk *walk, pdb_error *error)
{
    long double states = 1;
    for (unsigned r = 0; r < walk->regions; r++)
        states *= multiset_count(walk->region[r].classes, walk->region[r].members);
    if (states >= 0x1p62L)
        return too_large(states, error);
    walk->puzzle.states = 1;
    for (unsigned r = walk->regions; r-- > 0;) {
        struct walk_region *region = &walk->region[r];
        enum multiset_status made = multiset_init(&region->ranking, region->classes, region->members);
        if (made == MULTISET_TOO_LARGE)
            return too_large(states, error);
        if (made == MULTISET_NO_MEMORY)
            return error_no_memory(error, "the ranking", MULTISET_MAX_ENTRIES * sizeof(uint64_t));
        region->weight = walk->puzzle.states;
        walk->puzzle.states *= region->ranking.orders;
        if (region->ranking.orders > 1 && walk->moving == 0)
            walk->moving = r + 1;
    }
    return PDB_OK;
}

bool walk_region_order(const struct walk *walk, const struct walk_region *region, const uint8_t *position,
                       uint8_t *order)
{
    uint16_t members[BOARD_MAX_CELLS] = {0};
    for (unsigned s = 0; s < region->slots; s++) {
        const uint8_t class = region->class_of[position[walk->place_of[region->first + s]]];
        if (class == WALK_NO_CLASS || members[class]++ == region->members[class])
            return false;
        order[s] = class;
    }
    return true;
}

/* -- arcs -- */

static pdb_status list_arcs(const struct walk *walk, bool in, struct walk_arcs *arcs, pdb_error *error)
{
    const unsigned places = walk->puzzle.board.places;
    size_t count = 0;
    for (unsigned pass = 0; pass < 2; pass++) {
        count = 0;
        for (unsigned s = 0; s < places; s++) {
            arcs->first[s] = (uint32_t)count;
            const unsigned p = walk->place_of[s];
            for (unsigned q = 0; q < places; q++) {
                if (in ? !walk->arc[q][p] : !walk->arc[p][q])
                    continue;
                if (pass == 1)
                    arcs->to[count] = walk->slot_of[q];
                count++;
            }
        }
        arcs->first[places] = (uint32_t)count;
        if (pass == 0 && (arcs->to = malloc((count + 1) * sizeof *arcs->to)) == NULL)
            return error_no_memory(error, "the edges", count * sizeof *arcs->to);
    }
    return PDB_OK;
}

static int compare_descending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

/* The most moves that pieces have along these arcs: no more than those with the most arcs allow together. */
static unsigned most_moves(const struct walk *walk, const struct walk_arcs *arcs)
{
    unsigned most = 0;
    for (unsigned r = 0; r < walk->moving; r++) {
        const struct walk_region *region = &walk->region[r];
        uint32_t degree[BOARD_MAX_CELLS];
        for (unsigned s = 0; s < region->slots; s++)
            degree[s] = arcs->first[region->first + s + 1] - arcs->first[region->first + s];
        qsort(degree, region->slots, sizeof *degree, compare_descending);
        const unsigned empties = region->empty == WALK_NO_CLASS ? 0 : region->members[region->empty];
        for (unsigned piece = 0; piece < region->slots - empties; piece++)
            most += degree[piece] < empties ? degree[piece] : empties;
    }
    return most;
}

/* -- colouring -- */

/* Do all goals have the same number of pieces on side 1, modulo 2? They do unless open cells of both sides leave a
 * choice between pieces and nothing. */
static bool goals_agree(const struct walk *walk)
{
    const struct puzzle *puzzle = &walk->puzzle;
    unsigned open[2] = {0, 0}, fixed_empties = 0;
    for (unsigned place = 0; place < puzzle->board.places; place++) {
        if (puzzle->goal[place] == BOARD_OPEN)
            open[walk->side[walk->slot_of[place]]]++;
        fixed_empties += puzzle->goal[place] == puzzle->board.empty;
    }
    const unsigned empties = walk->count[puzzle->board.empty] - fixed_empties;
    return open[0] == 0 || open[1] == 0 || empties == 0 || empties == open[0] + open[1];
}

/* The colour of the goal's fixed cells, and of the open ones, which all have pieces or are all on one side, or both. */
static uint8_t goal_parity(const struct walk *walk)
{
    const struct puzzle *puzzle = &walk->puzzle;
    unsigned parity = 0, open_ones = 0, open = 0, fixed_empties = 0;
    for (unsigned place = 0; place < puzzle->board.places; place++) {
        const unsigned side = walk->side[walk->slot_of[place]];
        if (puzzle->goal[place] == BOARD_OPEN) {
            open++;
            open_ones += side;
        } else if (puzzle->goal[place] == puzzle->board.empty) {
            fixed_empties++;
        } else {
            parity += side;
        }
    }
    const unsigned pieces = open - (walk->count[puzzle->board.empty] - fixed_empties);
    return (parity + (open_ones < pieces ? open_ones : pieces)) & 1;
}

pdb_status walk_regions_make(struct walk *walk, pdb_error *error)
{
    uint16_t part[BOARD_MAX_CELLS];
    uint8_t side[BOARD_MAX_CELLS];
    unsigned parts;
    const bool two_sides = find_parts(walk, part, side, &parts);
    walk->region = calloc(parts + 1, sizeof *walk->region);
    if (walk->region == NULL)
        return error_no_memory(error, "the regions", parts * sizeof *walk->region);
    split(walk, part, parts);
    pdb_status status = rank_regions(walk, error);
    if (status == PDB_OK)
        status = list_arcs(walk, false, &walk->out, error);
    if (status == PDB_OK)
        status = list_arcs(walk, true, &walk->in, error);
    if (status != PDB_OK)
        return status;
    const unsigned out = most_moves(walk, &walk->out), in = most_moves(walk, &walk->in);
    walk->puzzle.max_moves = out > in ? out : in;
    if (walk->puzzle.max_moves == 0)
        walk->puzzle.max_moves = 1;
    for (unsigned place = 0; place < walk->puzzle.board.places; place++)
        walk->side[walk->slot_of[place]] = side[place];
    walk->puzzle.coloured = walk->puzzle.undoable && two_sides && goals_agree(walk);
    walk->goal_colour = goal_parity(walk);
    return PDB_OK;
}

void walk_regions_free(struct walk *walk)
{
    for (unsigned r = 0; r < walk->regions; r++)
        multiset_free(&walk->region[r].ranking);
    free(walk->region);
    free(walk->out.to);
    free(walk->in.to);
}
