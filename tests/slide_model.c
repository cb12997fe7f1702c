/* slide_model.c -- a sliding puzzle written down once, for the library and for the oracle */
#include "slide_model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NONE = -1, CODE_EMPTY = -2, CODE_WALL = -3, CODE_ANY = -4 };

/* -- reading the notation -- */

struct grid {
    int rows, columns;
    int code[ORACLE_CELLS];
};

static int find_code(const struct model *model, const char *text, size_t length)
{
    for (int c = 0; c < model->codes; c++)
        if (strlen(model->code[c]) == length && memcmp(model->code[c], text, length) == 0)
            return c;
    return NONE;
}

static int cell_code(struct model *model, const char *text, size_t length, bool adds)
{
    if (length == 1 && *text == '.')
        return CODE_EMPTY;
    if (length == 1 && *text == '#')
        return CODE_WALL;
    if (length == 1 && *text == '*')
        return CODE_ANY;
    int found = find_code(model, text, length);
    if (found == NONE && adds) {
        cr_assert(model->codes < MODEL_NAMES && length < MODEL_CODE);
        found = model->codes++;
        memcpy(model->code[found], text, length);
    }
    cr_assert(found != NONE, "%.*s is no symbol", (int)length, text);
    return found;
}

static struct grid read_grid(struct model *model, const char *text, bool adds)
{
    struct grid grid = {.rows = 1};
    int cells = 0;
    while (*text != '\0') {
        if (*text == ' ' || *text == '/') {
            grid.rows += *text++ == '/';
            continue;
        }
        size_t length = strcspn(text, " /");
        cr_assert(cells < ORACLE_CELLS);
        grid.code[cells++] = cell_code(model, text, length, adds);
        text += length;
    }
    grid.columns = cells / grid.rows;
    cr_assert(cells == grid.rows * grid.columns);
    return grid;
}

static void to_bytes(const struct model *model, const struct grid *grid, unsigned char *board)
{
    for (int i = 0; i < grid->rows * grid->columns; i++) {
        const int code = grid->code[i];
        board[i] = code == CODE_EMPTY  ? (unsigned char)ORACLE_EMPTY
                   : code == CODE_WALL ? (unsigned char)ORACLE_WALL
                   : code == CODE_ANY  ? (unsigned char)ORACLE_ANY
                                       : model->byte[code];
    }
}

void model_board(const struct model *model, const char *text, unsigned char *board)
{
    static struct model copy; /* reading may add codes, but this one does not */
    copy = *model;
    const struct grid grid = read_grid(&copy, text, false);
    cr_assert(grid.rows == model->oracle.rows && grid.columns == model->oracle.columns);
    to_bytes(model, &grid, board);
}

/* -- kinds and names -- */

/* The kind that has this shape and is the first name's of its 'alike' list, or a new one. */
static void add_name(struct model *model, const struct grid *picture, const struct grid *board)
{
    struct model_name *name = &model->name[model->names++];
    struct oracle_piece_kind kind = {0};
    int first = NONE, on_board = 0, in_piece = 0;
    for (int i = 0; i < picture->rows * picture->columns; i++) {
        if (picture->code[i] == CODE_EMPTY)
            continue;
        if (first == NONE)
            first = i;
        kind.row[kind.cells] = i / picture->columns - first / picture->columns;
        kind.column[kind.cells] = i % picture->columns - first % picture->columns;
        name->code[kind.cells] = picture->code[i];
        in_piece += picture->code[i] == picture->code[first];
        kind.cells++;
    }
    for (int i = 0; i < board->rows * board->columns; i++)
        on_board += board->code[i] == name->code[0];
    name->count = on_board / in_piece;
    for (int c = 0; c < kind.cells; c++)
        kind.symbol[c] = model->byte[name->code[c]] = (unsigned char)(name->code[c] + 1);
    name->kind = model->oracle.kinds;
    model->oracle.kind[model->oracle.kinds++] = kind;
}

static int name_of_first(const struct model *model, int code)
{
    int n = 0;
    while (n < model->names && model->name[n].code[0] != code)
        n++;
    cr_assert(n < model->names, "no piece begins with %s", model->code[code]);
    return n;
}

/* Gives the pieces of one entry of 'alike' the first one's kind. A kind without names stays behind; the oracle does not mind. */
static void merge(struct model *model, const char *alike)
{
    int first = NONE;
    for (const char *word = alike; *word != '\0';) {
        const size_t length = strcspn(word, " ");
        const int n = name_of_first(model, find_code(model, word, length));
        if (first == NONE)
            first = n;
        struct model_name *name = &model->name[n];
        const struct oracle_piece_kind *kind = &model->oracle.kind[model->name[first].kind];
        name->kind = model->name[first].kind;
        for (int c = 0; c < kind->cells; c++)
            model->byte[name->code[c]] = kind->symbol[c];
        word += length;
        word += strspn(word, " ");
    }
}

static void make_oracle(struct model *model)
{
    const struct model_spec *spec = &model->spec;
    const struct grid board = read_grid(model, spec->board != NULL ? spec->board : spec->goal, true);
    const struct grid goal = read_grid(model, spec->goal, false);
    bool drawn[MODEL_NAMES] = {false};
    unsigned char bytes[ORACLE_CELLS] = {0};
    oracle_begin(&model->oracle, board.rows, board.columns, bytes);
    for (int i = 0; i < MODEL_PIECES && spec->pieces[i] != NULL; i++) {
        const struct grid picture = read_grid(model, spec->pieces[i], false);
        add_name(model, &picture, &board);
        for (int c = 0; c < picture.rows * picture.columns; c++)
            if (picture.code[c] >= 0)
                drawn[picture.code[c]] = true;
    }
    for (int c = 0; c < model->codes; c++)
        if (!drawn[c])
            add_name(model, &(struct grid){1, 1, {c}}, &board);
    for (int i = 0; i < MODEL_PIECES && spec->alike[i] != NULL; i++)
        merge(model, spec->alike[i]);
    to_bytes(model, &board, model->oracle.inventory);
    to_bytes(model, &goal, bytes);
    oracle_add_goal(&model->oracle, bytes);
    const char *problem = oracle_problem(&model->oracle);
    cr_assert(problem == NULL, "%s: %s", spec->goal, problem);
}

/* -- the library's side -- */

static void make_library(struct model *model)
{
    const struct model_spec *spec = &model->spec;
    char yaml[4000];
    int end = snprintf(yaml, sizeof yaml, "puzzle: test\nfamily: slide\ngoal: \"%s\"\n", spec->goal);
    if (spec->board != NULL)
        end += snprintf(yaml + end, sizeof yaml - (size_t)end, "board: \"%s\"\n", spec->board);
    for (int i = 0; i < MODEL_PIECES && spec->pieces[i] != NULL; i++)
        end += snprintf(yaml + end, sizeof yaml - (size_t)end, "%s  - \"%s\"\n", i == 0 ? "pieces:\n" : "",
                        spec->pieces[i]);
    for (int i = 0; i < MODEL_PIECES && spec->alike[i] != NULL; i++)
        end += snprintf(yaml + end, sizeof yaml - (size_t)end, "%s  - \"%s\"\n", i == 0 ? "alike:\n" : "",
                        spec->alike[i]);
    cr_assert(end < (int)sizeof yaml);
    model->puzzle = make_puzzle(yaml);
    const struct board *board = &model->puzzle->board;
    int empties = 0;
    for (int s = 0; s < board->symbols; s++) {
        model->code_of_symbol[s] = find_code(model, board->symbol[s].code, strlen(board->symbol[s].code));
        if (model->code_of_symbol[s] != NONE)
            model->symbol_of_code[model->code_of_symbol[s]] = (uint8_t)s;
        else
            empties++;
    }
    cr_assert(empties == 1 && board->symbols == model->codes + 1, "%d symbols of %d codes", board->symbols,
              model->codes);
}

void model_begin(struct model *model, const struct model_spec *spec)
{
    memset(model, 0, sizeof *model);
    model->spec = *spec;
    make_oracle(model);
    make_library(model);
}

void model_end(struct model *model)
{
    puzzle_free(model->puzzle);
}

/* -- boards -- */

static int cells_of(const struct model *model)
{
    return model->oracle.rows * model->oracle.columns;
}

void model_to_oracle(const struct model *model, const uint8_t *position, unsigned char *board)
{
    for (int cell = 0; cell < cells_of(model); cell++) {
        if (model->oracle.inventory[cell] == ORACLE_WALL) {
            board[cell] = ORACLE_WALL;
            continue;
        }
        const int code = model->code_of_symbol[*position++];
        board[cell] = code == NONE ? (unsigned char)ORACLE_EMPTY : model->byte[code];
    }
}

static const struct oracle_piece_kind *kind_that_begins(const struct model *model, const unsigned char symbol,
                                                        int *number)
{
    for (int n = 0; n < model->names; n++) {
        const struct oracle_piece_kind *kind = &model->oracle.kind[model->name[n].kind];
        if (kind->symbol[0] == symbol) {
            *number = model->name[n].kind;
            return kind;
        }
    }
    return NULL;
}

void model_to_position(const struct model *model, const unsigned char *board, uint64_t *random, uint8_t *position)
{
    const int columns = model->oracle.columns;
    int code[ORACLE_CELLS], given[MODEL_NAMES] = {0};
    for (int cell = 0; cell < cells_of(model); cell++)
        code[cell] = NONE;
    for (int cell = 0; cell < cells_of(model); cell++) {
        if (board[cell] == ORACLE_EMPTY || board[cell] == ORACLE_WALL || code[cell] != NONE)
            continue;
        int number = 0;
        const struct oracle_piece_kind *kind = kind_that_begins(model, board[cell], &number);
        cr_assert(kind != NULL);
        int n = (int)random_below(random, (uint64_t)model->names);
        while (model->name[n].kind != number || given[n] == model->name[n].count)
            n = (n + 1) % model->names;
        given[n]++;
        for (int c = 0; c < kind->cells; c++)
            code[cell + kind->row[c] * columns + kind->column[c]] = model->name[n].code[c];
    }
    for (int cell = 0; cell < cells_of(model); cell++)
        if (board[cell] != ORACLE_WALL)
            *position++ = code[cell] == NONE ? model->puzzle->board.empty : model->symbol_of_code[code[cell]];
}

bool model_named_in_order(const struct model *model, const uint8_t *position)
{
    int last[MODEL_NAMES];
    bool covered[ORACLE_CELLS] = {false};
    for (int k = 0; k < MODEL_NAMES; k++)
        last[k] = NONE;
    for (int cell = 0; cell < cells_of(model); cell++) {
        if (model->oracle.inventory[cell] == ORACLE_WALL)
            continue;
        const int code = model->code_of_symbol[*position++];
        if (code == NONE || covered[cell])
            continue;
        int n = 0;
        while (n < model->names && model->name[n].code[0] != code)
            n++;
        if (n == model->names)
            return false; /* begins with an inner cell */
        const struct model_name *name = &model->name[n];
        const struct oracle_piece_kind *kind = &model->oracle.kind[name->kind];
        for (int c = 0; c < kind->cells; c++)
            covered[cell + kind->row[c] * model->oracle.columns + kind->column[c]] = true;
        if (n < last[name->kind])
            return false;
        last[name->kind] = n;
    }
    return true;
}

/* -- holding it against the oracle -- */

enum { BATCH = 61, MOST_MOVES = 200 };

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
    uint32_t *distance; /* of every index */
};

/* Walks down from every index. A call has many boards, of all blocks. */
static void find_distances(struct check *check, const char *name)
{
    const struct pdb_puzzle *puzzle = check->model->puzzle;
    const uint64_t states = puzzle->states, batch = 1000;
    unsigned wrong = 0;
    check->distance = checked_memory(states, sizeof *check->distance);
#pragma omp parallel for num_threads(2) schedule(dynamic, 16) reduction(| : wrong)
    for (uint64_t first = 0; first < states; first += batch) {
        uint64_t index[1000];
        size_t count = 0;
        for (uint64_t i = first; i < first + batch && i < states; i++)
            index[count++] = i;
        wrong |= distance_get(&check->solved->values, index, count, check->distance + first, NULL) != PDB_OK;
    }
    cr_assert(!wrong, "%s: distance_get fails", name);
}

static unsigned check_moves(const struct check *check, const uint8_t *position, const unsigned char *board,
                            const uint64_t *next, size_t count, struct scratch *scratch)
{
    const struct pdb_puzzle *puzzle = check->model->puzzle;
    const size_t size = (size_t)cells_of(check->model);
    struct oracle_board neighbour[MOST_MOVES];
    uint64_t ranks[MOST_MOVES], sorted[MOST_MOVES];
    unsigned wrong = 0;
    scratch->moves.count = 0;
    if (puzzle->family->moves(puzzle, position, &scratch->moves, NULL) != PDB_OK)
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
        if (found != 1 || puzzle->family->check(puzzle, move->board.symbol, NULL) != PDB_OK)
            wrong |= WRONG_MOVES;
        if (!puzzle->family->rank(puzzle, move->board.symbol, &ranks[m]))
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

/* Every move out of a state of the batch is a move into the state that it leads to, as often, and the other way round. */
static unsigned check_inverse(const struct check *check, size_t count, size_t total, struct scratch *scratch)
{
    const struct pdb_puzzle *puzzle = check->model->puzzle;
    unsigned wrong = 0;
    size_t into_total = puzzle_predecessors(puzzle, scratch->index, count, scratch->into, scratch->into_count);
    if (into_total != total)
        return WRONG_INVERSE;
    size_t first_back = 0, first = 0;
    puzzle_predecessors(puzzle, scratch->next, total, scratch->back, scratch->back_count);
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
    const struct pdb_puzzle *puzzle = model->puzzle;
    unsigned wrong = 0;
    const size_t total = puzzle->family->successors(puzzle, scratch->index, count, scratch->next, scratch->next_count);
    if (puzzle->coloured) {
        puzzle->family->colours(puzzle, scratch->index, count, scratch->colour);
        puzzle->family->colours(puzzle, scratch->next, total, scratch->next_colour);
    }
    size_t first = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t position[BOARD_MAX_CELLS];
        unsigned char board[ORACLE_CELLS];
        uint64_t rank = UINT64_MAX;
        puzzle->family->unrank(puzzle, scratch->index[i], position);
        if (puzzle->family->check(puzzle, position, NULL) != PDB_OK) {
            wrong |= WRONG_POSITION;
            break;
        }
        if (!puzzle->family->rank(puzzle, position, &rank) || rank != scratch->index[i])
            wrong |= WRONG_RANK;
        if (!model_named_in_order(model, position))
            wrong |= WRONG_NAMES;
        model_to_oracle(model, position, board);
        const int distance = oracle_distance(check->table, board);
        if (check->distance[scratch->index[i]] != (distance < 0 ? DISTANCE_NONE : (uint32_t)distance))
            wrong |= WRONG_DISTANCE;
        if (puzzle->family->is_goal(puzzle, position) != (distance == 0))
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
static void check_indices(const struct check *check, const char *name)
{
    const struct pdb_puzzle *puzzle = check->model->puzzle;
    const uint64_t batches = puzzle->states / BATCH + 1;
    unsigned wrong = 0;
    uint64_t at = UINT64_MAX;
#pragma omp parallel num_threads(2) reduction(| : wrong) reduction(min : at)
    {
        struct scratch scratch;
        scratch_make(&scratch, puzzle->max_moves);
#pragma omp for schedule(dynamic, 16)
        for (uint64_t batch = 0; batch < batches; batch++) {
            size_t count = 0;
            for (uint64_t i = batch * BATCH; i < (batch + 1) * BATCH && i < puzzle->states; i++)
                scratch.index[count++] = i;
            unsigned found = check_batch(check, count, &scratch);
            for (size_t i = 0; batch % 16 == 0 && i < count; i++)
                scratch.index[i] = (scratch.index[i] * 2654435761u + i) % puzzle->states;
            if (batch % 16 == 0)
                found |= check_batch(check, count, &scratch);
            wrong |= found;
            if (found != 0 && batch * BATCH < at)
                at = batch * BATCH;
        }
        scratch_free(&scratch);
    }
    cr_expect(wrong == 0, "%s: wrong (bits of enum wrong in slide_model.c): 0x%x, first in the batch at index %llu",
              name, wrong, (unsigned long long)at);
}

/* Every board that the oracle knows, its pieces that are alike under any of their names. */
static void check_table(const struct check *check, const char *name)
{
    const struct pdb_puzzle *puzzle = check->model->puzzle;
    const size_t boards = oracle_count(check->table), batches = boards / BATCH + 1;
    unsigned wrong = 0;
#pragma omp parallel for num_threads(2) schedule(static) reduction(| : wrong)
    for (size_t batch = 0; batch < batches; batch++) {
        uint64_t index, random = batch + 1;
        for (size_t i = batch * BATCH; i < (batch + 1) * BATCH && i < boards; i++) {
            uint8_t position[BOARD_MAX_CELLS];
            model_to_position(check->model, oracle_board(check->table, i), &random, position);
            if (!puzzle->family->rank(puzzle, position, &index) || index >= puzzle->states ||
                check->distance[index] != (uint32_t)oracle_distance_at(check->table, i))
                wrong |= WRONG_TABLE;
        }
    }
    cr_expect(wrong == 0, "%s: boards of the oracle: wrong 0x%x", name, wrong);
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
    const struct pdb_puzzle *puzzle = check->model->puzzle;
    const size_t expected = oracle_histogram(check->table)[0];
    struct goals goals = {checked_memory(expected, sizeof *goals.index), 0, expected};
    cr_assert(puzzle->family->goals(puzzle, note_goals, &goals, NULL) == PDB_OK);
    cr_assert(goals.count == expected, "%s: %zu goals, not %zu", name, goals.count, expected);
    qsort(goals.index, goals.count, sizeof *goals.index, compare_numbers);
    for (size_t i = 0; i < goals.count; i++) {
        uint8_t position[BOARD_MAX_CELLS];
        unsigned char board[ORACLE_CELLS];
        cr_assert(goals.index[i] < puzzle->states && (i == 0 || goals.index[i - 1] < goals.index[i]),
                  "%s: goal %zu comes twice", name, i);
        puzzle->family->unrank(puzzle, goals.index[i], position);
        model_to_oracle(check->model, position, board);
        cr_assert(oracle_distance(check->table, board) == 0, "%s: goal %zu is none", name, i);
    }
    free(goals.index);
    size_t seen = 0;
    pdb_error error = {.status = PDB_OK};
    cr_expect(puzzle->family->goals(puzzle, stop_at_goal, &seen, &error) == PDB_INTERRUPTED &&
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
        check->model->puzzle->family->unrank(check->model->puzzle, result->hardest[i], position);
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

void model_check_distances(const struct model *model, const struct oracle_table *table, const struct solved *solved,
                           const char *name)
{
    check_all(&(struct check){model, table, solved, NULL}, false, name);
}

void model_check(const struct model *model, const struct oracle_table *table, const struct solved *solved,
                 const char *name)
{
    cr_assert(model->puzzle->max_moves <= MOST_MOVES);
    check_all(&(struct check){model, table, solved, NULL}, true, name);
}

void model_check_paths(const struct model *model, struct oracle_table *table, const struct solved *solved, size_t most,
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
        cr_assert(model->puzzle->family->rank(model->puzzle, position, &index));
        cr_assert(distance_count_paths(&solved->values, index, (uint32_t)oracle_distance_at(table, which), &paths,
                                       &error) == PDB_OK,
                  "%s", error.message);
        const uint64_t expected = oracle_count_paths(table, oracle_board(table, which));
        cr_expect(paths == expected, "%s: board %zu: %llu shortest solutions, not %llu", name, which,
                  (unsigned long long)paths, (unsigned long long)expected);
    }
}
