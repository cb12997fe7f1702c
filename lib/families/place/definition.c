/* definition.c -- reads the definition of a place puzzle: slots, values, groups */
#include "place.h"
#include "lib/suggest.h"
#include "lib/text.h"
#include "lib/definition/symbol_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETS_OF_VALUES = 128 }; /* a place_set's bits */

/* -- values -- */

static pdb_status add_value(void *to, const struct node *node, size_t offset, const char *code, size_t length,
                            pdb_error *error)
{
    struct place *place = to;
    struct board *board = &place->puzzle.board;
    pdb_error cause;
    uint8_t symbol;
    if (place->values == PLACE_MAX_VALUES)
        return node_error_at(error, node, offset, "there are more than %d values", PLACE_MAX_VALUES);
    if (board_symbol(board, code, length) != BOARD_OPEN || (length == 1 && (*code == '.' || *code == '_')))
        return node_error_at(error, node, offset, "'%.*s' %s", (int)length, code,
                             length == 1 && (*code == '.' || *code == '_') ? "is an empty slot" : "is there twice");
    if (memchr(code, '=', length) != NULL)
        return node_error_at(error, node, offset, "a value cannot have a = in it");
    if (board_add_symbol(board, code, length, &symbol, &cause) != PDB_OK)
        return node_error_at(error, node, offset, "%s", cause.message);
    place->values++;
    return PDB_OK;
}

/* -- slots -- */

/* What is on the board beforehand are values: then it is the one to start from. */
static pdb_status check_given(const struct picture *picture, const struct place *place, pdb_error *error)
{
    for (unsigned cell = 0; cell < (unsigned)picture->rows * picture->columns; cell++) {
        const char *text = picture->text + picture->cell[cell].offset;
        const size_t length = picture->cell[cell].length;
        if (!picture_cell_empty(picture, cell) && !picture_cell_is(picture, cell, '#') &&
            board_symbol(&place->puzzle.board, text, length) == BOARD_OPEN)
            return picture_error(error, picture, cell,
                                 "'%.*s' is none of the values: the board has empty slots (.), walls (#), and values "
                                 "where they are given",
                                 (int)length, text);
    }
    return PDB_OK;
}

static pdb_status read_slots(const struct node *root, struct place *place, pdb_error *error)
{
    const struct node *board_node, *values;
    struct board *board = &place->puzzle.board;
    struct picture picture;
    pdb_status status = node_require(root, "board", &board_node, error);
    if (status == PDB_OK)
        status = node_require(root, "values", &values, error);
    if (status == PDB_OK)
        status = picture_read(board_node, &picture, error);
    if (status == PDB_OK)
        status = board_lay_out(&picture, PLACE_MAX_SLOTS, board, error);
    if (status == PDB_OK)
        status = board_add_symbol(board, ".", 1, &board->empty, error);
    if (status == PDB_OK)
        status = symbol_list_read(values, add_value, place, error);
    if (status == PDB_OK && place->values == 0)
        return node_error(error, values, "there is no value");
    if (status == PDB_OK)
        status = check_given(&picture, place, error);
    if (status != PDB_OK)
        return status;
    place->slots = board->places;
    for (unsigned slot = 0; slot < place->slots; slot++)
        place->allowed[slot] = UINT64_MAX >> (64 - place->values);
    return PDB_OK;
}

/* Names of their own, or r1c1, r1c2, ..; in a single row 1, 2, 3, .. */
static pdb_status read_names(const struct node *root, struct place *place, pdb_error *error)
{
    const struct node *node = node_find(root, "places");
    const struct board *board = &place->puzzle.board;
    place->named = node != NULL;
    if (node != NULL || board->rows == 1)
        return places_read_names(node, board, &place->names, error);
    for (unsigned slot = 0; slot < place->slots; slot++)
        snprintf(place->names.name[slot], sizeof place->names.name[slot], "r%dc%d",
                 (board->cell[slot] / board->columns + 1) % 100, (board->cell[slot] % board->columns + 1) % 100);
    return PDB_OK;
}

static pdb_status read_mark(const struct node *root, struct place *place, pdb_error *error)
{
    const struct node *node = node_find(root, "mark");
    const char *text;
    if (node == NULL)
        return PDB_OK;
    pdb_status status = node_as_text(node, &text, error);
    if (status != PDB_OK)
        return status;
    if (strlen(text) != 1 || *text <= ' ' || *text >= 127 || strchr("#*._0,/=", *text) != NULL ||
        board_symbol(&place->puzzle.board, text, 1) != BOARD_OPEN)
        return node_error(error, node, "a mark is one ASCII character that is no value and not one of # * . _ 0 , / =");
    if (place->puzzle.board.rows != 1)
        return node_error(error, node,
                          "a mark is for a board of one row: it becomes a row of the picture for each slot");
    place->mark = *text;
    return PDB_OK;
}

/* -- groups -- */

/* What an entry of 'different' names: groups of slots, while they are collected. */
struct groups {
    struct place *place;
    const struct node *node;
    int64_t step;
    uint16_t group[PLACE_MAX_MEMBERS];
    uint8_t slot[PLACE_MAX_MEMBERS], offset[PLACE_MAX_MEMBERS];
    unsigned members;
};

static pdb_status add_group(struct groups *groups, const uint16_t *slot, unsigned count, pdb_error *error)
{
    struct place *place = groups->place;
    const int64_t step = groups->step, shift = step < 0 ? -step * (count - 1) : 0;
    if (count < 2)
        return PDB_OK;
    if (step == 0 && count > place->values)
        return node_error(error, groups->node, "%u slots cannot be different from one another with %u value%s", count,
                          place->values, plural(place->values));
    if (place->groups == PLACE_MAX_GROUPS || groups->members + count > PLACE_MAX_MEMBERS)
        return node_error(error, groups->node, "there are more than %d groups, or %d slots in all of them",
                          PLACE_MAX_GROUPS, PLACE_MAX_MEMBERS);
    if ((step < 0 ? -step : step) * (count - 1) + place->values > SETS_OF_VALUES)
        return node_error(error, groups->node, "values and steps together pass %d", SETS_OF_VALUES);
    for (unsigned i = 0; i < count; i++, groups->members++) {
        groups->group[groups->members] = (uint16_t)place->groups;
        groups->slot[groups->members] = (uint8_t)slot[i];
        groups->offset[groups->members] = (uint8_t)(shift + step * i);
    }
    place->full[place->groups++] = step == 0 && count == place->values;
    return PDB_OK;
}

/* The group of the slots in a part of the board: rows x columns cells, from a corner on. */
static pdb_status add_rectangle(struct groups *groups, unsigned row, unsigned column, unsigned rows, unsigned columns,
                                pdb_error *error)
{
    const struct board *board = &groups->place->puzzle.board;
    uint16_t slot[PLACE_MAX_SLOTS];
    unsigned count = 0;
    for (unsigned r = row; r < row + rows; r++)
        for (unsigned c = column; c < column + columns; c++)
            if (board->place[r * board->columns + c] != BOARD_NO_PLACE)
                slot[count++] = board->place[r * board->columns + c];
    return add_group(groups, slot, count, error);
}

/* The board cut into rectangles, each a group. */
static pdb_status add_boxes(struct groups *groups, unsigned rows, unsigned columns, pdb_error *error)
{
    const struct board *board = &groups->place->puzzle.board;
    if (rows == 0 || columns == 0 || board->rows % rows != 0 || board->columns % columns != 0)
        return node_error(error, groups->node, "boxes of %u rows and %u columns do not fill a board of %u x %u", rows,
                          columns, board->rows, board->columns);
    pdb_status status = PDB_OK;
    for (unsigned row = 0; status == PDB_OK && row < board->rows; row += rows)
        for (unsigned column = 0; status == PDB_OK && column < board->columns; column += columns)
            status = add_rectangle(groups, row, column, rows, columns, error);
    return status;
}

/* The two long diagonals of a square board. */
static pdb_status add_diagonals(struct groups *groups, pdb_error *error)
{
    const struct board *board = &groups->place->puzzle.board;
    pdb_status status = PDB_OK;
    if (board->rows != board->columns)
        return node_error(error, groups->node, "only a square board has diagonals");
    for (int turned = 0; status == PDB_OK && turned < 2; turned++) {
        uint16_t slot[PLACE_MAX_SLOTS];
        unsigned count = 0;
        for (unsigned row = 0; row < board->rows; row++) {
            const unsigned column = turned ? board->columns - 1 - row : row;
            if (board->place[row * board->columns + column] != BOARD_NO_PLACE)
                slot[count++] = board->place[row * board->columns + column];
        }
        status = add_group(groups, slot, count, error);
    }
    return status;
}

static const char *const group_names[] = {"all", "rows", "columns", "diagonals", "boxes", NULL};

/* Is it the name of a group? */
static bool is_group(const char *text, size_t length)
{
    for (size_t i = 0; group_names[i] != NULL; i++)
        if (strlen(group_names[i]) == length && memcmp(group_names[i], text, length) == 0)
            return true;
    return false;
}

/* The name of a group that the first word is near to, which is no place; else NULL. */
static const char *group_meant(const struct groups *groups)
{
    const struct node *node = groups->node;
    const struct place *place = groups->place;
    if (node_kind(node) == NODE_SEQUENCE && node_count(node) > 0)
        node = node_item(node, 0);
    char word[12];
    const char *text = node_kind(node) == NODE_SCALAR ? node_text(node) : "";
    const size_t length = board_next_word(&text);
    if (length == 0 || length >= sizeof word ||
        places_find(&place->puzzle.board, &place->names, text, length) != BOARD_NO_PLACE)
        return NULL;
    memcpy(word, text, length);
    word[length] = '\0';
    return suggest_nearest(word, group_names);
}

/* A list of slots, one group. */
static pdb_status add_list(struct groups *groups, pdb_error *error)
{
    const struct place *place = groups->place;
    struct place_list list;
    bool listed[PLACE_MAX_SLOTS] = {false};
    const char *meant = group_meant(groups);
    if (meant != NULL)
        return node_error(error, groups->node, "these are no places: did you mean '%s'?", meant);
    pdb_status status = places_read_row(groups->node, &place->puzzle.board, &place->names, &list, error);
    for (unsigned i = 0; status == PDB_OK && i < list.count; i++) {
        if (listed[list.place[i]])
            return node_error_at(error, list.node[i], list.offset[i], "'%s' is there twice",
                                 place->names.name[list.place[i]]);
        listed[list.place[i]] = true;
    }
    if (status == PDB_OK && list.count < 2 && node_kind(groups->node) == NODE_SCALAR)
        return node_error(error, groups->node, "a group has two slots or more");
    return status != PDB_OK ? status : add_group(groups, list.place, list.count, error);
}

/* "rows", "columns", "diagonals", "boxes 2x3", "all", or a list of slots. */
static pdb_status add_slots(struct groups *groups, pdb_error *error)
{
    const struct board *board = &groups->place->puzzle.board;
    const char *text = node_kind(groups->node) == NODE_SCALAR ? node_text(groups->node) : "";
    unsigned rows, columns;
    int end = 0;
    if (strcmp(text, "all") == 0)
        return add_rectangle(groups, 0, 0, board->rows, board->columns, error);
    if (strcmp(text, "rows") == 0)
        return add_boxes(groups, 1, board->columns, error);
    if (strcmp(text, "columns") == 0)
        return add_boxes(groups, board->rows, 1, error);
    if (strcmp(text, "diagonals") == 0)
        return add_diagonals(groups, error);
    if (strncmp(text, "boxes", 5) == 0 && (text[5] == ' ' || text[5] == '\0'))
        /* NOLINTNEXTLINE(cert-err34-c): two digits fit */
        return sscanf(text, "boxes %2ux%2u%n", &rows, &columns, &end) == 2 && text[end] == '\0'
                   ? add_boxes(groups, rows, columns, error)
                   : node_error(error, groups->node, "boxes are written ROWSxCOLUMNS, as in 'boxes 3x3'");
    const size_t length = board_next_word(&text);
    if (is_group(text, length))
        return node_error(error, groups->node, "several groups are a list, as in [rows, columns]");
    return add_list(groups, error);
}

/* An entry of 'different': slots, or a mapping with 'slots' and 'step'. */
static pdb_status read_group(struct groups *groups, const struct node *node, pdb_error *error)
{
    static const char *const keys[] = {"slots", "step", NULL};
    const struct node *step = node_find(node, "step");
    pdb_status status = PDB_OK;
    groups->node = node;
    groups->step = 0;
    if (node_kind(node) == NODE_MAPPING) {
        status = node_check_keys(node, keys, error);
        if (status == PDB_OK)
            status = node_require(node, "slots", &groups->node, error);
        if (status == PDB_OK && step != NULL)
            status = node_as_integer(step, -PLACE_MAX_VALUES, PLACE_MAX_VALUES, &groups->step, error);
    }
    return status != PDB_OK ? status : add_slots(groups, error);
}

/* Lists the groups of each slot. */
static void sort_members(const struct groups *groups)
{
    struct place *place = groups->place;
    unsigned count = 0;
    for (unsigned slot = 0; slot < place->slots; slot++) {
        place->first[slot] = (uint16_t)count;
        for (unsigned m = 0; m < groups->members; m++)
            if (groups->slot[m] == slot)
                place->member[count++] = (struct place_member){groups->group[m], groups->offset[m]};
    }
    place->first[place->slots] = (uint16_t)count;
}

/* Is it a list of single slots? That is one group. */
static bool is_one_group(const struct node *node)
{
    bool single = node_kind(node) == NODE_SEQUENCE && node_count(node) > 0;
    for (size_t i = 0; single && i < node_count(node); i++) {
        const char *text = node_text(node_item(node, i));
        single = text != NULL && board_is_one_word(text) && !is_group(text, strlen(text));
    }
    return single;
}

static pdb_status read_groups(const struct node *root, struct place *place, pdb_error *error)
{
    const struct node *node = node_find(root, "different");
    struct groups *groups = calloc(1, sizeof *groups);
    if (groups == NULL)
        return error_no_memory(error, "the groups", sizeof *groups);
    groups->place = place;
    groups->node = root;
    pdb_status status = PDB_OK;
    if (node == NULL)
        status = add_rectangle(groups, 0, 0, 1, place->slots, error); /* the letters of equations */
    else if (node_kind(node) != NODE_SEQUENCE || is_one_group(node))
        status = read_group(groups, node, error);
    else
        for (size_t i = 0; status == PDB_OK && i < node_count(node); i++)
            status = read_group(groups, node_item(node, i), error);
    if (status == PDB_OK)
        sort_members(groups);
    free(groups);
    return status;
}

pdb_status place_read(const struct definition *definition, struct place *place, pdb_error *error)
{
    static const char *const without[] = {"board", "values", "places", "mark", NULL};
    const struct node *root = definition_root(definition);
    pdb_status status;
    if (node_find(root, "equation") != NULL) {
        for (unsigned i = 0; without[i] != NULL; i++)
            if (node_find(root, without[i]) != NULL)
                return node_error(error, node_find(root, without[i]),
                                  "an equation has its letters for slots and the digits for values: no '%s' beside it",
                                  without[i]);
        status = place_read_equations(root, place, error);
    } else {
        if (node_find(root, "base") != NULL)
            return node_error(error, node_find(root, "base"), "'base' is for an 'equation', and there is none");
        if (node_find(root, "different") == NULL)
            return node_error(error, root, "nothing says which values go together: give 'different' or 'equation'");
        status = read_slots(root, place, error);
        if (status == PDB_OK)
            status = read_names(root, place, error);
        if (status == PDB_OK)
            status = read_mark(root, place, error);
    }
    if (status == PDB_OK)
        status = read_groups(root, place, error);
    return status != PDB_OK ? status : board_read_glyphs(root, NULL, &place->puzzle.board, error);
}
