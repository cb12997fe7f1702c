/* read_draw.c -- the key `draw`: how states look */
#include "lib/families/rules/layout.h"
#include "lib/text.h"
#include "read.h"

#include <stdlib.h>
#include <string.h>

static const char *const draw_keys[] = {"for", "show", NULL};

/* A symbol that is empty, for what no condition holds of: `.`, or `-` where `.` is a mark. */
static pdb_status add_empty(struct board *board, const struct node *marks, pdb_error *error)
{
    const char *empty = node_find(marks, ".") == NULL ? "." : "-";
    if (node_find(marks, empty) != NULL)
        return node_error(error, marks, "one of . and - has to be left for cells of which no condition holds");
    return board_add_symbol(board, empty, 1, &board->empty, error);
}

static pdb_status add_mark(struct board *board, const struct node *key, uint8_t *symbol, pdb_error *error)
{
    const char *text = node_text(key);
    const size_t length = strlen(text);
    pdb_error cause;
    if (strcmp(text, " ") == 0)
        return node_error(error, key,
                          "a blank cannot be shown: take another character, such as _, or no condition, for "
                          "cells of which none holds are shown as '.'");
    if (length == 0 || utf8_length(text) != length)
        return node_error(error, key, "what is shown is one character, not '%s'", text);
    pdb_status status = board_add_symbol(board, text, length, symbol, &cause);
    return status != PDB_OK ? node_error(error, key, "%s", cause.message) : PDB_OK;
}

static pdb_status read_marks(struct reading *reading, const struct node *node, pdb_error *error)
{
    struct rules_picture *picture = &reading->rules->picture;
    const size_t count = node_count(node);
    picture->show = calloc(count + 1, sizeof *picture->show);
    picture->symbol = calloc(count + 1, sizeof *picture->symbol);
    if (picture->show == NULL || picture->symbol == NULL)
        return error_no_memory(error, "the key 'draw'", count * sizeof *picture->show);
    if (count == 0)
        return node_error(error, node, "'show' says nothing: show: {'@': c == player}");
    pdb_status status = add_empty(&picture->board, node, error);
    for (size_t i = 0; status == PDB_OK && i < count; i++) {
        status = add_mark(&picture->board, node_key(node, i), &picture->symbol[i], error);
        if (status == PDB_OK)
            status = parse_expression(reading, node_value(node, i), &picture->show[i], error);
        if (status == PDB_OK && term_varying(reading->rules, picture->show[i], false) == NULL)
            picture->board.symbol[picture->symbol[i]].kind = picture->board.empty; /* what no move changes is ground */
    }
    picture->marks = (uint32_t)count;
    return status;
}

/* Notes that values of this set are shown; false where another was noted. */
static bool note_set(const struct rules *rules, uint32_t found, uint32_t *set)
{
    const bool same = *set == NO_SET || *set == found || rules->set[*set].home == rules->set[found].home;
    if (*set == NO_SET || rules->set[found].count > rules->set[*set].count)
        *set = found;
    return same;
}

/* Whose values a term has, by which they are named: those of a variable, a parameter, or of choices among them; numbers
 * and none do not tell. `of` is the set of each slot. False where that is not plain. */
static bool find_values(const struct rules *rules, uint32_t number, uint32_t of[TERM_MAX_SLOTS], uint32_t *set)
{
    const struct term *term = &rules->terms.term[number];
    switch (term->kind) {
    case TERM_NUMBER:
        return true;
    case TERM_VARIABLE:
        return note_set(rules, rules->variable[term->value].range, set);
    case TERM_SLOT:
        return note_set(rules, of[term->value], set);
    case TERM_SELECT:
        return find_values(rules, term->b, of, set) && find_values(rules, term->c, of, set);
    case TERM_MIN:
    case TERM_MAX:
        return find_values(rules, term->a, of, set) && find_values(rules, term->b, of, set);
    case TERM_LEAST:
    case TERM_GREATEST:
        of[term->slot] = (uint32_t)term->value;
        return find_values(rules, term->a, of, set);
    default:
        return false;
    }
}

static pdb_status read_value(struct reading *reading, const struct node *node, pdb_error *error)
{
    struct rules_picture *picture = &reading->rules->picture;
    uint32_t of[TERM_MAX_SLOTS] = {picture->set[0], picture->set[1]}, set = NO_SET;
    picture->show = calloc(1, sizeof *picture->show);
    if (picture->show == NULL)
        return error_no_memory(error, "the key 'draw'", sizeof *picture->show);
    pdb_status status = parse_expression(reading, node, picture->show, error);
    if (status == PDB_OK && (!find_values(reading->rules, *picture->show, of, &set) || set == NO_SET))
        return node_error(
            error, node,
            "whose names are shown is not plain here: that is so of a variable, a parameter, and a choice "
            "among them with 'if', 'min' or 'max'; else give a character for each condition, "
            "show: {'@': c == player}");
    if (status == PDB_OK)
        status = board_add_symbol(&picture->board, ".", 1, &picture->board.empty, error);
    if (status != PDB_OK)
        return status;
    picture->lo = reading->rules->set[set].lo;
    picture->hi = reading->rules->set[set].hi;
    return layout_symbols(reading->rules, set, &picture->board, &picture->symbol, node, "show", error);
}

/* The cells of `board` lie where they lie there; other members of one set in a row; of two sets as rows and columns. */
static pdb_status lay_out(struct rules *rules, const struct node *node, pdb_error *error)
{
    struct rules_picture *picture = &rules->picture;
    struct board *board = &picture->board;
    const bool cells = rules->board.there && picture->parameters == 1 && picture->set[0] == rules->board.set;
    const uint32_t first = rules->set[picture->set[0]].count, rows = picture->parameters == 2 ? first : 1,
                   columns = picture->parameters == 2 ? rules->set[picture->set[1]].count : first;
    if (!cells && (rows > BOARD_MAX_SIDE || columns > BOARD_MAX_SIDE || rows * columns > BOARD_MAX_CELLS))
        return node_error(error, node, "a picture has at most %d rows, %d columns and %d cells: this one has %u by %u",
                          BOARD_MAX_SIDE, BOARD_MAX_SIDE, BOARD_MAX_CELLS, rows, columns);
    board->rows = cells ? rules->board.rows : (uint16_t)rows;
    board->columns = cells ? rules->board.columns : (uint16_t)columns;
    board->places = (uint16_t)(cells ? rules->board.cells : rows * columns);
    memset(board->place, 0xFF, sizeof board->place); /* BOARD_NO_PLACE */
    for (uint16_t place = 0; place < board->places; place++) {
        board->cell[place] = cells ? rules->board.place[place] : place;
        board->place[board->cell[place]] = place;
    }
    board->closed = true;
    return PDB_OK;
}

/* Terms that are gone through for one picture at most: loops may come to very much. */
static pdb_status check_work(const struct rules *rules, const struct node *node, pdb_error *error)
{
    enum { WORK_MOST = 10000000 };
    const struct rules_picture *picture = &rules->picture;
    double *work = malloc(rules->terms.count * sizeof *work), all = 0;
    if (work == NULL)
        return error_no_memory(error, "the key 'draw'", rules->terms.count * sizeof *work);
    for (size_t t = 0; t < rules->terms.count; t++) { /* parts come before what they are parts of */
        const struct term *term = &rules->terms.term[t];
        const uint32_t part[] = {term->a, term->b, term->c};
        work[t] = 1;
        for (int i = 0; i < 3; i++)
            work[t] += part[i] == NO_TERM ? 0 : work[part[i]];
        if (term->kind >= TERM_ALL)
            work[t] *= rules->set[term->value].count;
    }
    for (uint32_t i = 0; i < (picture->marks > 0 ? picture->marks : 1); i++)
        all += work[picture->show[i]] * picture->board.places;
    free(work);
    return all <= WORK_MOST ? PDB_OK
                            : node_error(error, node,
                                         "a picture would go through more than %d values: its loops are "
                                         "too large",
                                         WORK_MOST);
}

/* Notes which variables a term has to do with. */
static void note_drawn(struct rules *rules, uint32_t number)
{
    if (number == NO_TERM)
        return;
    const struct term *term = &rules->terms.term[number];
    if (term->kind == TERM_VARIABLE)
        rules->variable[term->value].drawn = true;
    note_drawn(rules, term->a);
    note_drawn(rules, term->b);
    note_drawn(rules, term->c);
}

pdb_status rules_read_draw(struct reading *reading, const struct node *node, pdb_error *error)
{
    struct rules_picture *picture = &reading->rules->picture;
    const struct node *parameters, *show;
    const size_t names = reading->names;
    if (node == NULL)
        return PDB_OK;
    if (node_kind(node) != NODE_MAPPING)
        return node_error(error, node, "'draw' has to be a mapping with 'for' and 'show'");
    struct rules_move move = {.parameters = 0}; /* whose parameters these might be */
    pdb_status status = node_check_keys(node, draw_keys, error);
    if (status == PDB_OK)
        status = node_require(node, "for", &parameters, error);
    if (status == PDB_OK)
        status = node_require(node, "show", &show, error);
    if (status == PDB_OK)
        status = rules_read_parameters(reading, parameters, &move, error);
    if (status == PDB_OK && (move.parameters == 0 || move.parameters > 2))
        status = node_error(error, parameters, "a picture is drawn for one parameter, or for two: rows, then columns");
    if (status != PDB_OK)
        return status;
    picture->parameters = move.parameters;
    memcpy(picture->set, move.set, sizeof picture->set);
    status = lay_out(reading->rules, parameters, error);
    if (status == PDB_OK)
        status = node_kind(show) == NODE_MAPPING ? read_marks(reading, show, error) : read_value(reading, show, error);
    if (status == PDB_OK)
        status = check_work(reading->rules, show, error);
    for (uint32_t i = 0; status == PDB_OK && i < (picture->marks > 0 ? picture->marks : 1); i++)
        note_drawn(reading->rules, picture->show[i]);
    board_finish(&picture->board);
    picture->there = true;
    names_forget(reading, names, 0);
    return status;
}
