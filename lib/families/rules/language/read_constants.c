/* read_constants.c -- the keys `board`, `sets` and `tables`: what is the same in all states */
#include "lib/memory/array.h"
#include "lib/definition/picture.h"
#include "lib/text.h"
#include "read.h"

#include <stdlib.h>
#include <string.h>

/* -- sets -- */

/* A set of the numbers from 0 on, whose names are its own: of a list, or NULL-ended words. */
static pdb_status add_symbols(struct reading *reading, const char *name, const char *const *symbol, uint32_t count,
                              uint32_t *set, pdb_error *error)
{
    struct rules *rules = reading->rules;
    int32_t *value = malloc(count * sizeof *value);
    for (uint32_t i = 0; value != NULL && i < count; i++)
        value[i] = (int32_t)i;
    pdb_status status = set_add(rules, name, value, count, NO_SET, set, error);
    if (status != PDB_OK)
        return status;
    struct rules_set *added = &rules->set[*set];
    added->symbol = malloc(count * sizeof *added->symbol);
    if (added->symbol == NULL)
        return error_no_memory(error, "the names of a set", count * sizeof *added->symbol);
    added->naming = NAMED_SYMBOLS;
    for (uint32_t i = 0; i < count; i++)
        strcpy(added->symbol[i], symbol[i]);
    return PDB_OK;
}

/* Are all members of a list names that nothing has yet? */
static bool is_new_names(const struct reading *reading, const struct node *list)
{
    for (size_t i = 0; i < node_count(list); i++) {
        const char *text = node_text(node_item(list, i));
        if (text == NULL || !name_is_good(text, strlen(text)) ||
            name_find(reading, text, strlen(text)).kind != NAME_UNKNOWN)
            return false;
    }
    return node_kind(list) == NODE_SEQUENCE && node_count(list) > 0;
}

/* Have all of them one meaning, the number they have here? Then lists may share names. */
static bool is_same_names(const struct reading *reading, const struct node *list)
{
    bool any_new = false;
    for (size_t i = 0; i < node_count(list); i++) {
        const char *text = node_text(node_item(list, i));
        if (text == NULL || !name_is_good(text, strlen(text)))
            return false;
        const struct name name = name_find(reading, text, strlen(text));
        any_new |= name.kind == NAME_UNKNOWN;
        if (name.kind != NAME_UNKNOWN && name.kind != NAME_NUMBER)
            return false;
    }
    return node_kind(list) == NODE_SEQUENCE && any_new;
}

static pdb_status read_names(struct reading *reading, const char *name, const struct node *list, uint32_t *set,
                             pdb_error *error)
{
    pdb_status status = PDB_OK;
    const char **symbol = malloc(node_count(list) * sizeof *symbol);
    if (symbol == NULL)
        return error_no_memory(error, "the names of a set", node_count(list) * sizeof *symbol);
    for (size_t i = 0; status == PDB_OK && i < node_count(list); i++) {
        const struct name member = {.kind = NAME_NUMBER, .value = (int32_t)i};
        symbol[i] = node_text(node_item(list, i));
        for (size_t k = 0; k < i; k++)
            if (strcmp(symbol[k], symbol[i]) == 0)
                status = node_error(error, node_item(list, i), "'%s' is in the list already", symbol[i]);
        if (status == PDB_OK)
            status = name_add(reading, node_item(list, i), symbol[i], member, error);
    }
    if (status == PDB_OK)
        status = add_symbols(reading, name, symbol, (uint32_t)node_count(list), set, error);
    free(symbol);
    return status;
}

/* A member that is called `none`; NULL where none is. */
static const struct node *find_none(const struct node *list)
{
    for (size_t i = 0; node_kind(list) == NODE_SEQUENCE && i < node_count(list); i++) {
        const char *text = node_text(node_item(list, i));
        if (text != NULL && strcmp(text, "none") == 0)
            return node_item(list, i);
    }
    return NULL;
}

static pdb_status read_set(struct reading *reading, const struct node *key, const struct node *value, pdb_error *error)
{
    const char *name = node_text(key);
    uint32_t set = NO_SET;
    pdb_status status = name_is_good(name, strlen(name)) && strlen(name) <= NAME_MAX_BYTES
                            ? PDB_OK
                            : name_add(reading, key, name, (struct name){.kind = NAME_SET}, error);
    if (status == PDB_OK && find_none(value) != NULL)
        status = node_error(error, find_none(value),
                            "'none' is what is not there, in the language: call the member otherwise, 'empty' perhaps");
    else if (status == PDB_OK && (is_new_names(reading, value) || is_same_names(reading, value)))
        status = read_names(reading, name, value, &set, error);
    else if (status == PDB_OK)
        status = parse_set(reading, value, &set, error);
    if (status != PDB_OK)
        return status;
    strcpy(reading->rules->set[set].name, name);
    return name_add(reading, key, name, (struct name){.kind = NAME_SET, .value = (int32_t)set}, error);
}

/* -- tables -- */

/* A new table; its values are zeros. */
static pdb_status add_table(struct reading *reading, const struct declaration *of, struct rules_table **out,
                            pdb_error *error)
{
    struct rules *rules = reading->rules;
    const uint64_t count = declaration_count(rules, of);
    struct rules_table *grown = array_grow(rules->table, rules->tables, sizeof *grown);
    if (grown != NULL) {
        rules->table = grown;
        *out = &grown[rules->tables];
        **out = (struct rules_table){.indices = of->indices, .set = {of->set[0], of->set[1]}};
        strcpy((*out)->name, of->name);
        (*out)->value = calloc(count, sizeof *(*out)->value);
    }
    if (grown == NULL || (*out)->value == NULL)
        return error_no_memory(error, "a table", count * sizeof(int32_t));
    rules->tables++;
    return PDB_OK;
}

static pdb_status take_value(struct spread *spread, const struct node *node, uint32_t place, int32_t value,
                             pdb_error *error)
{
    (void)node, (void)error;
    spread->value[place] = value;
    return PDB_OK;
}

/* A list without a set is looked up by 0, 1, 2 .. */
static pdb_status number_list(struct reading *reading, const struct node *list, struct declaration *of,
                              pdb_error *error)
{
    const size_t count = node_count(list);
    if (count == 0)
        return node_error(error, list, "this list has no values");
    int32_t *value = malloc(count * sizeof *value);
    for (size_t i = 0; value != NULL && i < count; i++)
        value[i] = (int32_t)i;
    of->indices = 1;
    return set_add(reading->rules, "", value, (uint32_t)count, NO_SET, &of->set[0], error);
}

static pdb_status read_table(struct reading *reading, const struct node *key, const struct node *value,
                             pdb_error *error)
{
    struct declaration of;
    struct rules_table *table = NULL;
    enum { TABLE_MOST = 1 << 20 };
    pdb_status status = parse_declaration(reading, key, &of, error);
    if (status == PDB_OK && of.indices == 0 && node_kind(value) == NODE_SEQUENCE)
        status = number_list(reading, value, &of, error);
    if (status == PDB_OK && declaration_count(reading->rules, &of) > TABLE_MOST)
        status = node_error(error, key, "this table would have more than %d values", TABLE_MOST);
    if (status == PDB_OK)
        status = add_table(reading, &of, &table, error);
    if (status != PDB_OK)
        return status;
    const int32_t number = (int32_t)(reading->rules->tables - 1);
    struct spread spread = {.reading = reading, .of = &of, .none = true, .take = take_value, .value = table->value};
    status = spread_values(&spread, value, error);
    const struct name name = {.kind = NAME_TABLE, .value = number};
    return status != PDB_OK ? status : name_add(reading, key, of.name, name, error);
}

/* Is it a constant: a table without an index? These are read first, for sets may need them. */
static bool is_constant(const struct node *key, const struct node *value)
{
    return strchr(node_text(key), '[') == NULL && node_kind(value) == NODE_SCALAR;
}

static pdb_status read_tables(struct reading *reading, const struct node *tables, bool constants, pdb_error *error)
{
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < node_count(tables); i++)
        if (is_constant(node_key(tables, i), node_value(tables, i)) == constants)
            status = read_table(reading, node_key(tables, i), node_value(tables, i), error);
    return status;
}

pdb_status rules_read_constants(struct reading *reading, const struct node *sets, const struct node *tables,
                                pdb_error *error)
{
    if (sets != NULL && node_kind(sets) != NODE_MAPPING)
        return node_error(error, sets, "'sets' has to be a mapping from names to sets: disk: 1..5");
    if (tables != NULL && node_kind(tables) != NODE_MAPPING)
        return node_error(error, tables, "'tables' has to be a mapping from names to values: time[who]: [1, 2, 5, 10]");
    pdb_status status = tables == NULL ? PDB_OK : read_tables(reading, tables, true, error);
    for (size_t i = 0; status == PDB_OK && sets != NULL && i < node_count(sets); i++)
        status = read_set(reading, node_key(sets, i), node_value(sets, i), error);
    return status != PDB_OK || tables == NULL ? status : read_tables(reading, tables, false, error);
}

/* -- board -- */

static pdb_status lay_out(struct rules_board *board, const struct picture *picture, pdb_error *error)
{
    board->rows = picture->rows;
    board->columns = picture->columns;
    for (unsigned cell = 0; cell < picture->rows * picture->columns; cell++) {
        if (picture_cell_is(picture, cell, '#'))
            continue;
        const char *text = picture->text + picture->cell[cell].offset;
        if (picture->cell[cell].length != utf8_length(text))
            return picture_error(error, picture, cell, "a cell is one character, not '%.*s'",
                                 picture->cell[cell].length, text);
        board->place[board->cells] = (uint16_t)cell;
        memcpy(board->character[board->cells++], text, picture->cell[cell].length);
    }
    board->there = true;
    return board->cells > 0 ? PDB_OK : node_error(error, picture->node, "the board has nothing but walls");
}

/* The cell one step away, RULES_NONE where there is none. */
static int32_t step(const struct rules_board *board, uint32_t cell, unsigned direction)
{
    static const int rows[] = {-1, 1, 0, 0}, columns[] = {0, 0, -1, 1};
    const int row = board->place[cell] / board->columns + rows[direction],
              column = board->place[cell] % board->columns + columns[direction];
    if (row >= 0 && column >= 0 && row < board->rows && column < board->columns)
        for (uint32_t c = 0; c < board->cells; c++)
            if (board->place[c] == row * board->columns + column)
                return (int32_t)c;
    return RULES_NONE;
}

static pdb_status add_board_tables(struct reading *reading, const struct node *node, uint32_t directions,
                                   pdb_error *error)
{
    const struct rules_board *board = &reading->rules->board;
    const struct declaration of[] = {{"step", 2, {board->set, directions}, {"", ""}},
                                     {"row", 1, {board->set, NO_SET}, {"", ""}},
                                     {"column", 1, {board->set, NO_SET}, {"", ""}}};
    for (int i = 0; i < 3; i++) {
        struct rules_table *table;
        const struct name name = {.kind = NAME_TABLE, .value = (int32_t)reading->rules->tables};
        pdb_status status = add_table(reading, &of[i], &table, error);
        if (status == PDB_OK)
            status = name_add(reading, node, of[i].name, name, error);
        if (status != PDB_OK)
            return status;
        for (uint32_t c = 0; c < board->cells; c++) {
            for (unsigned d = 0; i == 0 && d < 4; d++)
                table->value[c * 4 + d] = step(board, c, d);
            if (i > 0)
                table->value[c] = (i == 1 ? board->place[c] / board->columns : board->place[c] % board->columns) + 1;
        }
    }
    return PDB_OK;
}

static pdb_status name_set(struct reading *reading, const struct node *node, uint32_t set, pdb_error *error)
{
    const struct name name = {.kind = NAME_SET, .value = (int32_t)set};
    return name_add(reading, node, reading->rules->set[set].name, name, error);
}

pdb_status rules_read_board(struct reading *reading, const struct node *node, pdb_error *error)
{
    static const char *const direction[] = {"up", "down", "left", "right"};
    struct rules *rules = reading->rules;
    struct picture picture;
    uint32_t directions = 0;
    pdb_status status = picture_read(node, &picture, error);
    if (status == PDB_OK)
        status = lay_out(&rules->board, &picture, error);
    if (status != PDB_OK)
        return status;
    int32_t *value = malloc(rules->board.cells * sizeof *value);
    for (uint32_t c = 0; value != NULL && c < rules->board.cells; c++)
        value[c] = (int32_t)c;
    status = set_add(rules, "cell", value, rules->board.cells, NO_SET, &rules->board.set, error);
    if (status == PDB_OK) {
        rules->set[rules->board.set].naming = NAMED_CELLS;
        status = name_set(reading, node, rules->board.set, error);
    }
    if (status == PDB_OK)
        status = add_symbols(reading, "direction", direction, 4, &directions, error);
    if (status == PDB_OK)
        status = name_set(reading, node, directions, error);
    for (int32_t d = 0; status == PDB_OK && d < 4; d++)
        status = name_add(reading, node, direction[d], (struct name){.kind = NAME_NUMBER, .value = d}, error);
    return status != PDB_OK ? status : add_board_tables(reading, node, directions, error);
}
