/* rules.c -- the rules of the contract, checked on a run of states */
#include "rules.h"
#include "lib/memory/array.h"
#include "lib/numbers.h"
#include "lib/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHAT_MAX = 600 };

/* States and their neighbours in one direction: those of state i are count[i] from next[first[i]] on. */
struct neighbours {
    uint64_t *next;
    uint16_t count[RULES_RUN];
    size_t first[RULES_RUN];
    size_t total;
};

struct rules_room {
    struct neighbours out, in; /* of the run's states */
    struct neighbours back;    /* of some of their neighbours */
    uint64_t *rank;            /* of one position's moves, one each; room for `ranks` */
    size_t ranks;
    pdb_moves moves;
    uint64_t *counted, *times; /* one state's successors, and how many moves lead to each */
    uint8_t *colour;           /* of the run's states, then of their successors */
    uint8_t *image;            /* of one position: symmetries * places */
    uint64_t memory[];         /* of all but ranks and moves */
};

/* -- room -- */

struct rules_room *rules_room_create(const struct rules *rules)
{
    const struct puzzle *puzzle = rules->puzzle;
    const size_t moves = puzzle->max_moves + (size_t)RULES_SLACK,
                 neighbours = RULES_RUN * (size_t)puzzle->max_moves + RULES_SLACK,
                 bytes = RULES_RUN + neighbours + (size_t)rules->symmetries * puzzle->board.places;
    struct rules_room *room = malloc(sizeof *room + (3 * neighbours + 2 * moves) * sizeof *room->memory + bytes);
    if (room == NULL)
        return NULL;
    *room = (struct rules_room){.out.next = room->memory};
    room->in.next = room->out.next + neighbours;
    room->back.next = room->in.next + neighbours;
    room->counted = room->back.next + neighbours;
    room->times = room->counted + moves;
    room->colour = (uint8_t *)(room->times + moves);
    room->image = room->colour + RULES_RUN + neighbours;
    return room;
}

void rules_room_free(struct rules_room *room)
{
    if (room == NULL)
        return;
    free(room->rank);
    free(room->moves.move);
    free(room);
}

/* -- complaints -- */

static bool symbols_known(const struct puzzle *puzzle, const uint8_t *position)
{
    for (unsigned place = 0; place < puzzle->board.places; place++)
        if (position[place] >= puzzle->board.symbols)
            return false;
    return true;
}

/* The board of a state, for messages. */
static const char *board_of(const struct puzzle *puzzle, uint64_t index, char text[BOARD_TEXT_MAX])
{
    uint8_t position[BOARD_MAX_CELLS] = {0};
    strcpy(text, "?");
    if (index >= puzzle->states)
        return text;
    puzzle->family->position.unrank(puzzle, index, position);
    if (symbols_known(puzzle, position))
        board_format(&puzzle->board, position, text);
    return text;
}

pdb_status rules_broken(const struct puzzle *puzzle, pdb_error *error, const char *rule, uint64_t index,
                        const char *format, ...)
{
    char board[BOARD_TEXT_MAX], what[WHAT_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return error_set(error, PDB_BROKEN_RULES, "%s: %s: board %s (index %llu): %s", puzzle->name, rule,
                     board_of(puzzle, index, board), (unsigned long long)index, what);
}

/* -- neighbours -- */

typedef size_t neighbours_function(const struct puzzle *, const uint64_t *, size_t, uint64_t *, uint16_t *);

/* Finds the neighbours of up to RULES_RUN states and makes sure that they are states, and not too many. */
static pdb_status find_neighbours(const struct puzzle *puzzle, neighbours_function *find, const char *what,
                                  const uint64_t *index, size_t count, struct neighbours *neighbours, pdb_error *error)
{
    neighbours->total = 0;
    const size_t total = find(puzzle, index, count, neighbours->next, neighbours->count);
    for (size_t i = 0; i < count; i++) {
        const unsigned found = neighbours->count[i];
        if (found > puzzle->max_moves)
            return rules_broken(puzzle, error, "moves", index[i], "%u %s, but max_moves is %u", found, what,
                                puzzle->max_moves);
        neighbours->first[i] = neighbours->total;
        for (size_t n = neighbours->total; n < neighbours->total + found; n++)
            if (neighbours->next[n] >= puzzle->states)
                return rules_broken(puzzle, error, "moves", index[i],
                                    "one of the %s is %llu, and there are %llu states", what,
                                    (unsigned long long)neighbours->next[n], (unsigned long long)puzzle->states);
        neighbours->total += found;
    }
    if (total != neighbours->total)
        return rules_broken(puzzle, error, "moves", index[0],
                            "of this and the %zu states after it, %zu %s in all are claimed, but %zu one by one",
                            count - 1, total, what, neighbours->total);
    return PDB_OK;
}

/* How often a state is among the neighbours of state i of a run. */
static unsigned occurrences(const struct neighbours *neighbours, size_t i, uint64_t wanted)
{
    const uint64_t *next = neighbours->next + neighbours->first[i];
    unsigned found = 0;
    for (size_t n = 0; n < neighbours->count[i]; n++)
        found += next[n] == wanted;
    return found;
}

/* One direction of a rule on inverses: what a state's neighbours are, what theirs are, and whether it matters how
 * often. */
struct inverse {
    neighbours_function *back;
    const char *there, *here; /* what neighbours are to the state, and what it has to be to them */
    bool counted;
};

/* Is a state found back from its neighbour `next` as often as that is among its neighbours? */
static pdb_status check_back(const struct puzzle *puzzle, const struct inverse *inverse, uint64_t index, uint64_t next,
                             unsigned there, unsigned here, pdb_error *error)
{
    char board[BOARD_TEXT_MAX];
    if (here == there || (!inverse->counted && here > 0))
        return PDB_OK;
    return rules_broken(puzzle, error, "inverses", index,
                        "board %s (index %llu) is %u time%s among its %s, but it is %u time%s among the %s of that",
                        board_of(puzzle, next, board), (unsigned long long)next, there, plural(there), inverse->there,
                        here, plural(here), inverse->here);
}

/* Are all states of a run found back from their neighbours? */
static pdb_status check_inverse(const struct rules *rules, struct rules_room *room, const struct inverse *inverse,
                                const uint64_t *index, const struct neighbours *neighbours, pdb_error *error)
{
    struct neighbours *back = &room->back;
    size_t state = 0; /* whose neighbour n is */
    for (size_t begin = 0; begin < neighbours->total; begin += RULES_RUN) {
        const size_t left = neighbours->total - begin, batch = left < RULES_RUN ? left : RULES_RUN;
        pdb_status status = find_neighbours(rules->puzzle, inverse->back, inverse->here, neighbours->next + begin,
                                            batch, back, error);
        for (size_t i = 0; status == PDB_OK && i < batch; i++) {
            while (begin + i >= neighbours->first[state] + neighbours->count[state])
                state++;
            const uint64_t next = neighbours->next[begin + i];
            status = check_back(rules->puzzle, inverse, index[state], next, occurrences(neighbours, state, next),
                                occurrences(back, i, index[state]), error);
        }
        if (status != PDB_OK)
            return status;
    }
    return PDB_OK;
}

static pdb_status check_inverses(const struct rules *rules, struct rules_room *room, const uint64_t *index,
                                 size_t count, pdb_error *error)
{
    const struct puzzle *puzzle = rules->puzzle;
    const struct family *family = puzzle->family;
    const bool counted = family->index.weights == NULL && !family->index.chains;
    const struct inverse forward = {family->index.predecessors, "successors", "predecessors", counted};
    const struct inverse backward = {family->index.successors, "predecessors", "successors", counted};
    const struct inverse undo = {family->index.successors, "successors", "successors", false};
    pdb_status status = check_inverse(rules, room, &forward, index, &room->out, error);
    if (status != PDB_OK || family->index.predecessors == family->index.successors)
        return status;
    status = find_neighbours(puzzle, family->index.predecessors, "predecessors", index, count, &room->in, error);
    if (status == PDB_OK)
        status = check_inverse(rules, room, &backward, index, &room->in, error);
    if (status == PDB_OK && puzzle->undoable)
        status = check_inverse(rules, room, &undo, index, &room->out, error);
    return status;
}

/* -- positions -- */

/* Is this a proper position? `of` says whose. */
static pdb_status check_proper(const struct puzzle *puzzle, const char *rule, uint64_t index, const uint8_t *position,
                               const char *of, pdb_error *error)
{
    char text[BOARD_TEXT_MAX];
    pdb_error cause;
    if (!symbols_known(puzzle, position))
        return rules_broken(puzzle, error, rule, index, "%s has a symbol that the board does not know", of);
    if (puzzle->family->position.check(puzzle, position, &cause) == PDB_OK)
        return PDB_OK;
    board_format(&puzzle->board, position, text);
    return rules_broken(puzzle, error, rule, index, "%s, %s, is no proper position: %s", of, text, cause.message);
}

pdb_status rules_text_read_back(const struct board *board, const uint8_t *position, pdb_error *fault)
{
    char text[BOARD_TEXT_MAX];
    uint8_t again[BOARD_MAX_CELLS];
    pdb_error cause;
    board_format(board, position, text);
    if (board_parse(board, text, 0, again, NULL, &cause) != PDB_OK)
        return error_set(fault, PDB_BAD_BOARD, "its text cannot be read back: %s", cause.message);
    if (memcmp(position, again, board->places) != 0)
        return error_set(fault, PDB_BAD_BOARD, "its text is read back as another board");
    return PDB_OK;
}

static pdb_status check_rank(const struct puzzle *puzzle, uint64_t index, const uint8_t *position, const char *of,
                             const char *rule, pdb_error *error)
{
    uint64_t rank;
    if (!puzzle->family->position.rank(puzzle, position, &rank))
        return rules_broken(puzzle, error, rule, index, "%s has no index", of);
    if (rank != index)
        return rules_broken(puzzle, error, rule, index, "%s has the index %llu", of, (unsigned long long)rank);
    return PDB_OK;
}

/* One move of a position: its board, its words; *ranked, whether its board has an index. */
static pdb_status check_move(const struct puzzle *puzzle, uint64_t index, const pdb_move *move, uint64_t *rank,
                             bool *ranked, pdb_error *error)
{
    char of[WHAT_MAX];
    if (strnlen(move->text, sizeof move->text) == sizeof move->text ||
        strnlen(move->piece, sizeof move->piece) == sizeof move->piece)
        return rules_broken(puzzle, error, "text", index, "the text of a move does not end");
    if (*move->text == '\0')
        return rules_broken(puzzle, error, "text", index, "a move has no text");
    snprintf(of, sizeof of, "the board after '%s'", move->text);
    pdb_status status = check_proper(puzzle, "moves", index, move->board.symbol, of, error);
    if (status != PDB_OK)
        return status;
    *ranked = puzzle->family->position.rank(puzzle, move->board.symbol, rank);
    if (!*ranked && puzzle->undoable)
        return rules_broken(puzzle, error, "moves", index, "%s has no index", of);
    return PDB_OK;
}

/* The indices of the boards that the moves of the state's position lead to, ascending, into room->rank. */
static pdb_status rank_moves(const struct puzzle *puzzle, struct rules_room *room, uint64_t index, size_t *count,
                             pdb_error *error)
{
    uint8_t position[BOARD_MAX_CELLS] = {0};
    *count = 0;
    room->moves.count = 0;
    puzzle->family->position.unrank(puzzle, index, position);
    pdb_status status = puzzle->family->position.moves(puzzle, position, &room->moves, error);
    if (status == PDB_OK && !puzzle->family->index.chains && room->moves.count > puzzle->max_moves)
        return rules_broken(puzzle, error, "moves", index, "%zu moves, but max_moves is %u", room->moves.count,
                            puzzle->max_moves);
    if (status == PDB_OK && !array_reserve(&room->rank, &room->ranks, room->moves.count, sizeof *room->rank))
        return error_no_memory(error, "the moves of a board", 2 * room->moves.count * sizeof *room->rank);
    for (size_t m = 0; status == PDB_OK && m < room->moves.count; m++) {
        bool has_index = false;
        status = check_move(puzzle, index, &room->moves.move[m], &room->rank[*count], &has_index, error);
        *count += has_index;
    }
    if (status == PDB_OK)
        sort_numbers(room->rank, *count);
    return status;
}

/* Do the position's moves lead where the index's successors are, each as often as the family says? */
static pdb_status check_moves(const struct puzzle *puzzle, struct rules_room *room, size_t i, uint64_t index,
                              pdb_error *error)
{
    char board[BOARD_TEXT_MAX];
    size_t moves, listed = 0;
    pdb_status status = rank_moves(puzzle, room, index, &moves, error);
    if (status != PDB_OK)
        return status;
    const size_t different = puzzle->family->index.counted_successors(puzzle, index, room->counted, room->times);
    for (size_t first = 0, end; first < moves; first = end) {
        const uint64_t to = room->rank[first];
        for (end = first; end < moves && room->rank[end] == to;)
            end++;
        uint64_t times = 0;
        for (size_t w = 0; w < different; w++)
            times += room->counted[w] == to ? room->times[w] : 0;
        const unsigned among = occurrences(&room->out, i, to);
        if (times != end - first || among == 0)
            return rules_broken(puzzle, error, "moves", index,
                                "moves of the position that lead to board %s (index %llu): %zu; of the index: %llu",
                                board_of(puzzle, to, board), (unsigned long long)to, end - first,
                                (unsigned long long)(among == 0 ? 0 : times));
        listed += among;
    }
    if (listed == room->out.count[i])
        return PDB_OK;
    const uint64_t *successor = room->out.next + room->out.first[i];
    size_t stray = 0; /* the successor that no move of the position leads to */
    while (is_among_sorted(room->rank, moves, successor[stray]))
        stray++;
    return rules_broken(puzzle, error, "moves", index,
                        "board %s (index %llu) is a successor of the index, but no move of the position leads there",
                        board_of(puzzle, successor[stray], board), (unsigned long long)successor[stray]);
}

/* How many moves of a position lead to a state at this cost? */
static size_t moves_at(const struct puzzle *puzzle, const pdb_moves *moves, uint64_t to, uint32_t cost)
{
    size_t found = 0;
    uint64_t rank;
    for (size_t m = 0; m < moves->count; m++)
        found += moves->move[m].cost == cost &&
                 puzzle->family->position.rank(puzzle, moves->move[m].board.symbol, &rank) && rank == to;
    return found;
}

/* Do the position's moves cost what the index's do? They lead to the same states. */
static pdb_status check_costs(const struct puzzle *puzzle, const struct rules_room *room, uint64_t index,
                              pdb_error *error)
{
    const size_t bytes = (puzzle->max_moves + 1) * (sizeof(uint64_t) + sizeof(uint32_t));
    uint64_t *next = malloc(bytes);
    uint16_t count;
    if (next == NULL)
        return error_no_memory(error, "the moves of a board", bytes);
    uint32_t *cost = (uint32_t *)(void *)(next + puzzle->max_moves + 1);
    pdb_status status = PDB_OK;
    puzzle->family->index.costed_successors(puzzle, &index, 1, next, cost, &count);
    for (size_t i = 0; status == PDB_OK && i < count; i++) {
        size_t alike = 0;
        for (size_t other = 0; other < count; other++)
            alike += next[other] == next[i] && cost[other] == cost[i];
        if (cost[i] == 0 || cost[i] > puzzle_max_cost(puzzle) ||
            moves_at(puzzle, &room->moves, next[i], cost[i]) != alike)
            status = rules_broken(puzzle, error, "costs", index,
                                  "a move of the index costs %u, and none of the position", cost[i]);
    }
    free(next);
    return status;
}

static pdb_status check_goal(const struct rules *rules, uint64_t index, const uint8_t *position, pdb_error *error)
{
    const bool is_goal = rules->puzzle->family->position.is_goal(rules->puzzle, position),
               listed = is_among_sorted(rules->goal, rules->goals, index);
    if (listed && !is_goal)
        return rules_broken(rules->puzzle, error, "goals", index, "it was visited as a goal, but is none");
    if (is_goal && !listed && rules->goals_complete)
        return rules_broken(rules->puzzle, error, "goals", index, "it is a goal, but was not visited as one");
    return PDB_OK;
}

/* Does an index stand for as many boards as its position has images, all with that index? */
static pdb_status check_symmetry(const struct rules *rules, struct rules_room *room, uint64_t index,
                                 const uint8_t *position, pdb_error *error)
{
    const struct puzzle *puzzle = rules->puzzle;
    const size_t places = puzzle->board.places;
    unsigned different = 0;
    uint16_t weight;
    puzzle->family->index.weights(puzzle, &index, 1, &weight);
    for (unsigned s = 0; s < rules->symmetries; s++) {
        uint8_t *image = room->image + different * places;
        char of[32];
        snprintf(of, sizeof of, "image %u", s);
        if (!puzzle->family->index.image(puzzle, position, s, image))
            return rules_broken(puzzle, error, "symmetry", index, "it has no image %u, but another board has", s);
        pdb_status status = check_proper(puzzle, "symmetry", index, image, of, error);
        if (status == PDB_OK)
            status = check_rank(puzzle, index, image, of, "symmetry", error);
        if (status != PDB_OK)
            return status;
        if (s == 0 && memcmp(image, position, places) != 0)
            return rules_broken(puzzle, error, "symmetry", index, "image 0 is not the board itself");
        unsigned earlier = 0;
        while (earlier < different && memcmp(room->image + earlier * places, image, places) != 0)
            earlier++;
        different += earlier == different;
    }
    if (weight != different)
        return rules_broken(puzzle, error, "symmetry", index, "its weight is %u, but it has %u different images",
                            weight, different);
    return PDB_OK;
}

/* All rules on one state's position but those about moves. */
static pdb_status check_state(const struct rules *rules, struct rules_room *room, uint64_t index, pdb_error *error)
{
    const struct puzzle *puzzle = rules->puzzle;
    uint8_t position[BOARD_MAX_CELLS] = {0};
    puzzle->family->position.unrank(puzzle, index, position);
    pdb_error fault;
    pdb_status status = check_proper(puzzle, "ranking", index, position, "its position", error);
    if (status == PDB_OK && rules_text_read_back(&puzzle->board, position, &fault) != PDB_OK)
        return rules_broken(puzzle, error, "text", index, "%s", fault.message);
    if (status == PDB_OK)
        status = check_rank(puzzle, index, position, "its position", "ranking", error);
    if (status == PDB_OK)
        status = check_goal(rules, index, position, error);
    if (status == PDB_OK && puzzle->family->index.weights != NULL)
        status = check_symmetry(rules, room, index, position, error);
    return status;
}

/* -- colours -- */

static pdb_status check_colours(const struct rules *rules, struct rules_room *room, const uint64_t *index, size_t count,
                                pdb_error *error)
{
    const struct puzzle *puzzle = rules->puzzle;
    const struct neighbours *out = &room->out;
    uint8_t *colour = room->colour, *next_colour = room->colour + RULES_RUN;
    puzzle->family->index.colours(puzzle, index, count, colour);
    puzzle->family->index.colours(puzzle, out->next, out->total, next_colour);
    for (size_t i = 0; i < count; i++) {
        if (colour[i] > 1)
            return rules_broken(puzzle, error, "colours", index[i], "its colour is %u", colour[i]);
        if (colour[i] != 0 && is_among_sorted(rules->goal, rules->goals, index[i]))
            return rules_broken(puzzle, error, "colours", index[i], "it is a goal, but its colour is 1");
        for (size_t n = out->first[i]; n < out->first[i] + out->count[i]; n++) {
            char board[BOARD_TEXT_MAX];
            if (next_colour[n] != 1 - colour[i])
                return rules_broken(puzzle, error, "colours", index[i],
                                    "its colour is %u, and a move leads to board %s (index %llu) of colour %u",
                                    colour[i], board_of(puzzle, out->next[n], board), (unsigned long long)out->next[n],
                                    next_colour[n]);
        }
    }
    return PDB_OK;
}

/* -- passes -- */

static pdb_status check_all_moves(const struct rules *rules, struct rules_room *room, const uint64_t *index,
                                  size_t count, uint64_t *moves, pdb_error *error)
{
    const struct puzzle *puzzle = rules->puzzle;
    pdb_status status = find_neighbours(puzzle, puzzle->family->index.successors, "successors", index, count,
                                        &room->out, error);
    for (size_t i = 0; status == PDB_OK && i < count; i++) {
        status = check_moves(puzzle, room, i, index[i], error);
        if (status == PDB_OK && puzzle->max_cost > 1)
            status = check_costs(puzzle, room, index[i], error);
        *moves += room->moves.count;
    }
    return status;
}

static pdb_status check_back_and_colours(const struct rules *rules, struct rules_room *room, const uint64_t *index,
                                         size_t count, pdb_error *error)
{
    const struct puzzle *puzzle = rules->puzzle;
    pdb_status status = find_neighbours(puzzle, puzzle->family->index.successors, "successors", index, count,
                                        &room->out, error);
    if (status == PDB_OK && !puzzle->forward)
        status = check_inverses(rules, room, index, count, error);
    if (status == PDB_OK)
        status = rules_check_packed(puzzle, index, count, error);
    if (status == PDB_OK && puzzle->coloured)
        status = check_colours(rules, room, index, count, error);
    return status;
}

pdb_status rules_check(const struct rules *rules, struct rules_room *room, unsigned pass, const uint64_t *index,
                       size_t count, uint64_t *moves, pdb_error *error)
{
    if (pass == 1)
        return check_all_moves(rules, room, index, count, moves, error);
    if (pass == 2)
        return check_back_and_colours(rules, room, index, count, error);
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < count; i++)
        status = check_state(rules, room, index[i], error);
    return status;
}
