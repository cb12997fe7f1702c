/* puzzle.c -- makes puzzles of definitions: what all families have in common */
#include "puzzle.h"
#include "lib/definition/picture.h"
#include "lib/text.h"

#include <stdlib.h>
#include <string.h>

static const char *const common_keys[] = {"puzzle", "family", "title",  "boards", "colours", "legend",
                                          "bars",   "exit",   "shapes", "frames", NULL};

/* Keys that change how a puzzle is shown or asked about, and no distance; beyond these, `boards`, mostly, and the
 * family's. */
static const char *const shown_keys[] = {"title", "glyphs", "colours", "legend", "bars",
                                         "exit",  "shapes", "frames",  NULL};

/* Reads text that is no name; `drawn` in a definition. *offset is the byte of the text that a complaint is about. */
static pdb_status parse_text(const struct puzzle *puzzle, const char *text, bool drawn, uint8_t *position,
                             size_t *offset, pdb_error *error)
{
    char plain[BOARD_TEXT_MAX];
    bool known = false;
    *offset = 0;
    if (!drawn)
        text = looks_without_signs(&puzzle->looks, (const struct board *[]){&puzzle->board, puzzle->picture}, text,
                                   plain);
    pdb_status status = puzzle->family->position.parse(puzzle, text, position, &known, error);
    if (status == PDB_OK && !known)
        status = board_parse(&puzzle->board, text, drawn ? BOARD_DRAWN : 0, position, offset, error);
    return status != PDB_OK ? status : puzzle->family->position.check(puzzle, position, error);
}

/* At most how many cells a text has: all its characters but separators. */
static size_t count_cells(const char *text)
{
    size_t cells = 0;
    for (size_t length; (length = board_next_word(&text)) > 0; text += length)
        cells += length;
    return cells;
}

static pdb_status read_board(struct puzzle *puzzle, const struct node *key, const struct node *value, pdb_error *error)
{
    struct named_board *named = &puzzle->named[puzzle->named_count];
    const char *text;
    pdb_status status = node_as_text(value, &text, error);
    if (status != PDB_OK)
        return status;
    if (!heading_allows(node_text(key)) || strcmp(node_text(key), "goal") == 0)
        return node_error(error, key, "'%s' cannot be a board's name", node_text(key));
    uint8_t position[BOARD_MAX_CELLS];
    size_t offset;
    if (parse_text(puzzle, node_text(key), false, position, &offset, NULL) == PDB_OK)
        return node_error(error, key, "'%s' cannot be a board's name: it is a board of this puzzle itself",
                          node_text(key));
    strcpy(named->name, node_text(key));
    puzzle->named_count++;
    pdb_error cause;
    if (parse_text(puzzle, text, true, named->position, &offset, &cause) == PDB_OK)
        return PDB_OK;
    if (count_cells(text) < puzzle->board.places) /* this may be the cause */
        status = picture_check_comments(value, text, PICTURE_UNEVEN, error);
    return status != PDB_OK ? status : node_error_at(error, value, offset, "%s", cause.message);
}

/* Does the key 'board' draw a position, and not the board's shape alone, all cells empty? */
static bool read_drawn(const struct puzzle *puzzle, const struct node *root, uint8_t *position)
{
    const struct node *board = puzzle->family->draws_board ? node_find(root, "board") : NULL;
    const char *text;
    size_t offset;
    if (board == NULL || node_as_text(board, &text, NULL) != PDB_OK ||
        parse_text(puzzle, text, true, position, &offset, NULL) != PDB_OK)
        return false;
    for (unsigned place = 0; place < puzzle->board.places; place++)
        if (position[place] != puzzle->board.empty)
            return true;
    return false;
}

/* Unless a board is named 'start', it is the one that 'board' draws; or an empty one where the order of moves does not
 * matter. There is room for one board more. */
static void add_start(struct puzzle *puzzle, const struct node *root)
{
    struct named_board *board = &puzzle->named[puzzle->named_count];
    const bool drawn = read_drawn(puzzle, root, board->position);
    for (size_t i = 0; i < puzzle->named_count; i++)
        if (strcmp(puzzle->named[i].name, "start") == 0) {
            puzzle->drawn = drawn ? board->position : NULL;
            return;
        }
    if (!drawn && !puzzle->unordered)
        return;
    strcpy(board->name, "start");
    if (!drawn)
        memset(board->position, puzzle->board.empty, BOARD_MAX_CELLS);
    puzzle->named_count++;
}

static pdb_status read_boards(struct puzzle *puzzle, const struct node *root, pdb_error *error)
{
    const struct node *boards = node_find(root, "boards");
    const size_t count = boards != NULL ? node_count(boards) : 0;
    if (boards != NULL && node_kind(boards) != NODE_MAPPING)
        return node_error(
            error, boards,
            "'boards' has to be a mapping from names to boards, lines of 'name: board' with a space behind the ':'");
    puzzle->named = calloc(count + 1, sizeof *puzzle->named);
    if (puzzle->named == NULL)
        return error_no_memory(error, "the named boards", count * sizeof *puzzle->named);
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < count; i++)
        status = read_board(puzzle, node_key(boards, i), node_value(boards, i), error);
    if (status == PDB_OK)
        add_start(puzzle, root);
    return status;
}

/* Where states are found by moves out of the named boards, these do matter, and what their glyphs stand for. */
static pdb_status digest(struct puzzle *puzzle, const struct definition *definition, pdb_error *error)
{
    const bool boards_count = puzzle->keyed && puzzle_sets_out(puzzle);
    for (size_t i = 0; boards_count && i < puzzle->named_count; i++)
        puzzle->read_as += digest_of_reading(puzzle->named[i].name, puzzle->named[i].position, puzzle->board.places);
    const char *except[sizeof shown_keys / sizeof *shown_keys + FAMILY_SHOWN_MAX + 1];
    size_t count = 0;
    for (size_t i = 0; shown_keys[i] != NULL; i++)
        except[count++] = shown_keys[i];
    for (size_t i = 0; i < FAMILY_SHOWN_MAX && puzzle->family->shown[i] != NULL; i++)
        except[count++] = puzzle->family->shown[i];
    if (!boards_count)
        except[count++] = "boards";
    except[count] = NULL;
    return definition_digest(definition, except, puzzle->read_as, puzzle->digest, error);
}

pdb_status puzzle_create(const struct family *family, const struct definition *definition, struct puzzle **out,
                         pdb_error *error)
{
    const struct node *root = definition_root(definition);
    pdb_status status = heading_check_keys(root, common_keys, family->keys, error);
    if (status != PDB_OK)
        return status;
    struct puzzle *puzzle = calloc(1, family->size);
    if (puzzle == NULL)
        return error_no_memory(error, "the puzzle", family->size);
    puzzle_use(puzzle, family);
    status = family->create(definition, puzzle, error);
    if (status == PDB_OK)
        status = heading_read(root, puzzle->name, &puzzle->title, error);
    if (status == PDB_OK)
        status = looks_read(root, puzzle->picture != NULL ? puzzle->picture : &puzzle->board, &puzzle->looks, error);
    if (status == PDB_OK)
        status = read_boards(puzzle, root, error);
    if (status == PDB_OK)
        status = puzzle->family->settle(puzzle, error);
    if (status == PDB_OK)
        status = digest(puzzle, definition, error);
    if (status == PDB_OK)
        *out = puzzle;
    else
        puzzle_free(puzzle);
    return status;
}

void puzzle_free(struct puzzle *puzzle)
{
    if (puzzle == NULL)
        return;
    free(puzzle->named);
    free(puzzle->title);
    puzzle->family->release(puzzle);
    free(puzzle);
}

/* The goal as a board, where it is one and no pattern. */
static pdb_status parse_goal(const struct puzzle *puzzle, uint8_t *position, pdb_error *error)
{
    for (unsigned place = 0; place < puzzle->board.places; place++)
        if (puzzle->goal[place] == BOARD_OPEN)
            return error_set(error, PDB_BAD_BOARD, "the goal of %s is no single board: it leaves something open",
                             puzzle->name);
    memcpy(position, puzzle->goal, puzzle->board.places);
    return PDB_OK;
}

pdb_status puzzle_parse(const struct puzzle *puzzle, const char *text, uint8_t *position, pdb_error *error)
{
    const char *word = text;
    const size_t length = board_next_word(&word);
    const bool single = word[length + strspn(word + length, " \t\r\n")] == '\0'; /* blanks around it do not count */
    if (single && text_is(word, length, "goal"))
        return parse_goal(puzzle, position, error);
    for (size_t i = 0; single && i < puzzle->named_count; i++)
        if (text_is(word, length, puzzle->named[i].name)) {
            memcpy(position, puzzle->named[i].position, puzzle->board.places);
            return PDB_OK;
        }
    if (single && text_is(word, length, "start"))
        return error_set(error, PDB_BAD_BOARD,
                         "%s has no board named 'start': give a board, or name one so in its definition ('boards')",
                         puzzle->name);
    size_t offset;
    return parse_text(puzzle, text, false, position, &offset, error);
}

/* -- what a family leaves out -- */

static pdb_status take_any(const struct puzzle *puzzle, const uint8_t *position, pdb_error *error)
{
    (void)puzzle, (void)position, (void)error;
    return PDB_OK;
}

static bool fits_goal(const struct puzzle *puzzle, const uint8_t *position)
{
    for (unsigned place = 0; place < puzzle->board.places; place++)
        if (puzzle->goal[place] != BOARD_OPEN && puzzle->goal[place] != position[place])
            return false;
    return true;
}

static pdb_status parse_nothing(const struct puzzle *puzzle, const char *text, uint8_t *position, bool *known,
                                pdb_error *error)
{
    (void)puzzle, (void)text, (void)position, (void)error;
    *known = false;
    return PDB_OK;
}

static bool sketch_nothing(const struct puzzle *puzzle, const uint8_t *position, char *text)
{
    (void)puzzle, (void)position, (void)text;
    return false;
}

static void hide_nothing(const struct puzzle *puzzle, const uint8_t *position, char *text)
{
    (void)puzzle, (void)position;
    *text = '\0';
}

static void piece_on_each_place(const struct puzzle *puzzle, const uint8_t *position, uint16_t *piece)
{
    uint16_t pieces = 0;
    for (unsigned place = 0; place < puzzle->board.places; place++)
        piece[place] = position[place] == puzzle->board.empty ? PDB_NO_PIECE : pieces++;
}

static bool join_nothing(const struct puzzle *puzzle, unsigned from, unsigned to)
{
    (void)puzzle, (void)from, (void)to;
    return false;
}

static const char *name_nothing(const struct puzzle *puzzle, unsigned place)
{
    (void)puzzle, (void)place;
    return NULL;
}

static size_t count_one_each(const struct puzzle *puzzle, uint64_t index, uint64_t *next, uint64_t *moves)
{
    uint16_t count;
    puzzle->family->index.successors(puzzle, &index, 1, next, &count);
    for (unsigned i = 0; i < count; i++)
        moves[i] = 1;
    return count;
}

static void ask_each(const struct puzzle *puzzle, const uint64_t *key, size_t count, bool *goal)
{
    uint8_t position[BOARD_MAX_CELLS];
    for (size_t i = 0; i < count; i++) {
        puzzle->family->position.unrank(puzzle, key[i], position);
        goal[i] = puzzle->family->position.is_goal(puzzle, position);
    }
}

static size_t cost_one_each(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                            uint32_t *cost, uint16_t *next_count)
{
    const size_t all = puzzle->family->index.successors(puzzle, index, count, next, next_count);
    for (size_t i = 0; i < all; i++)
        cost[i] = 1;
    return all;
}

/* Tries all indices. */
static pdb_status visit_goals(const struct puzzle *puzzle, goal_visitor *visit, void *context, pdb_error *error)
{
    enum { RUN = 1024 };
    uint64_t index[RUN];
    bool goal[RUN];
    pdb_status status = PDB_OK;
    for (uint64_t first = 0; status == PDB_OK && first < puzzle->states; first += RUN) {
        const size_t run = puzzle->states - first < RUN ? (size_t)(puzzle->states - first) : RUN;
        size_t goals = 0;
        for (size_t i = 0; i < run; i++)
            index[i] = first + i;
        puzzle->family->index.are_goals(puzzle, index, run, goal);
        for (size_t i = 0; i < run; i++)
            if (goal[i])
                index[goals++] = index[i];
        status = visit(context, index, goals, error);
    }
    return status;
}

static pdb_status visit_no_starts(const struct puzzle *puzzle, goal_visitor *visit, void *context, pdb_error *error)
{
    (void)puzzle, (void)visit, (void)context, (void)error;
    return PDB_OK;
}

static void leave_each(const struct puzzle *puzzle, uint64_t *packed, size_t count)
{
    (void)puzzle, (void)packed, (void)count;
}

static pdb_status make_no_kernel(const struct puzzle *puzzle, bool portable, uint64_t memory, struct layer_kernel **out,
                                 pdb_error *error)
{
    (void)puzzle, (void)portable, (void)memory, (void)error;
    *out = NULL;
    return PDB_OK;
}

static pdb_status make_no_rows(const struct puzzle *puzzle, bool portable, const uint64_t *sample, size_t count,
                               size_t layer, struct row_kernel **out, pdb_error *error)
{
    (void)puzzle, (void)portable, (void)sample, (void)count, (void)layer, (void)error;
    *out = NULL;
    return PDB_OK;
}

static pdb_status make_no_grades(const struct puzzle *puzzle, bool portable, struct grade_kernel **out,
                                 pdb_error *error)
{
    (void)puzzle, (void)portable, (void)error;
    *out = NULL;
    return PDB_OK;
}

static pdb_status settle_nothing(struct puzzle *puzzle, pdb_error *error)
{
    (void)puzzle, (void)error;
    return PDB_OK;
}

static const struct family defaults = {
    .position = {.check = take_any,
                 .is_goal = fits_goal,
                 .parse = parse_nothing,
                 .sketch = sketch_nothing,
                 .hidden = hide_nothing,
                 .pieces = piece_on_each_place,
                 .joined = join_nothing,
                 .name = name_nothing},
    .index = {.counted_successors = count_one_each},
    .space = {.layers = make_no_kernel},
};

const struct puzzle puzzle_without_board = {.family = &defaults};

void puzzle_use(struct puzzle *puzzle, const struct family *family)
{
    struct family *functions = &puzzle->functions;
    struct position_functions *position = &functions->position;
    struct index_functions *index = &functions->index;
    *functions = *family;
    if (position->check == NULL)
        position->check = take_any;
    if (position->is_goal == NULL)
        position->is_goal = fits_goal;
    if (position->parse == NULL)
        position->parse = parse_nothing;
    if (position->sketch == NULL)
        position->sketch = sketch_nothing;
    if (position->hidden == NULL)
        position->hidden = hide_nothing;
    if (position->pieces == NULL)
        position->pieces = piece_on_each_place;
    if (position->joined == NULL)
        position->joined = join_nothing;
    if (position->name == NULL)
        position->name = name_nothing;
    if (index->predecessors == NULL)
        index->predecessors = index->successors;
    if (index->counted_successors == NULL)
        index->counted_successors = count_one_each;
    if (index->costed_successors == NULL)
        index->costed_successors = cost_one_each;
    if (index->goals == NULL)
        index->goals = visit_goals;
    if (index->are_goals == NULL)
        index->are_goals = ask_each;
    if (index->starts == NULL)
        index->starts = visit_no_starts;
    if (index->branches == NULL)
        index->branches = index->counted_successors;
    if (functions->settle == NULL)
        functions->settle = settle_nothing;
    if (functions->packed.pack == NULL)
        functions->packed = (struct packed_functions){functions->position.rank, index->predecessors, index->are_goals,
                                                      leave_each};
    if (functions->space.rows == NULL)
        functions->space.rows = make_no_rows;
    if (functions->space.grades == NULL)
        functions->space.grades = make_no_grades;
    if (functions->space.layers == NULL)
        functions->space.layers = make_no_kernel;
    puzzle->family = functions;
}
