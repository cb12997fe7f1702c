/* layout.c -- states as keys, as positions, and as they are laid out on a board */
#include "layout.h"
#include "lib/families/rules/language/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- keys -- */

enum { KEY_BITS = 62 };

static unsigned bits_of(uint64_t radix)
{
    return radix <= 1 ? 0 : 64 - (unsigned)__builtin_clzll(radix - 1);
}

/* How seldom a condition holds is guessed from what it comes to, written out: the parts of each node. */
static double *count_parts(const struct dag *dag)
{
    double *parts = malloc(dag->count * sizeof *parts);
    for (size_t n = 0; parts != NULL && n < dag->count; n++) {
        const struct dag_node *node = &dag->node[n];
        const bool by_index = node->op == DAG_READ || node->op == DAG_LOOKUP, leaf = node->op <= DAG_ELEMENT;
        parts[n] = 1 + (leaf ? 0 : parts[node->a]) + (leaf || by_index ? 0 : parts[node->b]) +
                   (node->op == DAG_SELECT ? parts[node->c] : 0);
    }
    return parts;
}

/* The elements in the order of the file. Where there are few states, and they are not numbered, searches may have an
 * array of them by their keys: then from the one that moves change least on, so that most moves lead to keys that are
 * near; and of wide keys, so that most moves leave their upper parts as they are. False where memory is short. */
static bool order_elements(const struct rules *rules, uint32_t order[RULES_MAX_ELEMENTS])
{
    const double most = 4294967296;
    double changes[RULES_MAX_ELEMENTS] = {0}, *parts = count_parts(&rules->dag);
    for (size_t m = 0; parts != NULL && m < rules->ground.moves; m++) {
        const struct ground_move *move = &rules->ground.move[m];
        for (uint32_t a = 0; a < move->count; a++) {
            const struct ground_assignment *to = &rules->ground.assignment[move->first + a];
            for (uint32_t i = 0; i < to->count; i++)
                changes[to->element + i] += 1 / (move->condition == NO_NODE ? 1 : parts[move->condition]) / to->count;
        }
    }
    const bool sorted = (rules->layout.size <= most || rules->layout.wide) && rules->numbering == NULL;
    for (uint32_t e = 0; e < rules->elements; e++) {
        uint32_t at = e;
        for (; sorted && at > 0 && changes[order[at - 1]] > changes[e]; at--)
            order[at] = order[at - 1];
        order[at] = e;
    }
    free(parts);
    return parts != NULL;
}

static uint64_t range_of(const struct rules *rules, uint32_t element)
{
    return (uint64_t)((int64_t)rules->element[element].hi - rules->element[element].lo + 1);
}

/* Lays wide keys out, by shifts or by products: the lower word is filled from the end of the order, and the upper one
 * has what finds no room there. False where that is too much, too. */
static bool lay_out_wide(struct rules *rules, const uint32_t *order, bool shifts)
{
    enum { WORDS = 2 };
    const unsigned __int128 most = (unsigned __int128)1 << 64;
    struct rules_layout *layout = &rules->layout;
    unsigned __int128 weight[WORDS] = {1, 1};
    layout->shifts = shifts;
    for (uint32_t i = rules->elements; i-- > 0;) {
        const uint32_t e = order[i];
        const uint64_t range = range_of(rules, e), radix = shifts ? (uint64_t)1 << bits_of(range) : range;
        unsigned word = WORDS;
        while (word > 0 && weight[word - 1] * radix > most)
            word--;
        if (word-- == 0)
            return false;
        layout->word[e] = (uint8_t)word;
        layout->radix[e] = radix;
        layout->weight[e] = radix == 1 ? 1 : (uint64_t)weight[word];
        layout->shift[e] = radix == 1 ? 0 : (uint8_t)__builtin_ctzll(layout->weight[e]);
        weight[word] *= radix;
    }
    return true;
}

static pdb_status make_wide(struct rules *rules, pdb_error *error)
{
    struct rules_layout *layout = &rules->layout;
    uint32_t order[RULES_MAX_ELEMENTS];
    layout->wide = true;
    if (!order_elements(rules, order))
        return error_no_memory(error, "the order of the variables", rules->dag.count * sizeof(double));
    layout->wide = lay_out_wide(rules, order, true) || lay_out_wide(rules, order, false);
    if (!layout->wide)
        memset(layout->word, 0, sizeof layout->word);
    return PDB_OK;
}

/* The first of the order counts most. */
pdb_status layout_make(struct rules *rules, pdb_error *error)
{
    struct rules_layout *layout = &rules->layout;
    uint32_t order[RULES_MAX_ELEMENTS];
    unsigned bits = 0;
    unsigned __int128 product = 1;
    layout->elements = rules->elements;
    layout->size = 1;
    for (uint32_t e = 0; e < rules->elements; e++) {
        layout->radix[e] = range_of(rules, e);
        bits += bits_of(layout->radix[e]);
        layout->size *= (double)layout->radix[e];
        if (product >> KEY_BITS == 0)
            product *= layout->radix[e];
    }
    layout->shifts = bits <= KEY_BITS;
    if (!layout->shifts && product >> KEY_BITS != 0)
        return make_wide(rules, error); /* keys is 0 */
    uint64_t weight = 1;
    unsigned shift = 0;
    if (!order_elements(rules, order))
        return error_no_memory(error, "the order of the variables", rules->dag.count * sizeof(double));
    for (uint32_t i = rules->elements; i-- > 0;) {
        const uint32_t e = order[i];
        layout->weight[e] = weight;
        layout->shift[e] = (uint8_t)shift;
        if (layout->shifts)
            layout->radix[e] = (uint64_t)1 << bits_of(layout->radix[e]);
        weight *= layout->radix[e];
        shift += bits_of(layout->radix[e]);
    }
    layout->keys = weight;
    return PDB_OK;
}

uint64_t layout_key(const struct rules *rules, const int32_t *state)
{
    uint64_t key = 0;
    for (uint32_t e = 0; e < rules->elements; e++)
        key += (uint64_t)((int64_t)state[e] - rules->element[e].lo) * rules->layout.weight[e];
    return key;
}

struct wide_key layout_wide_key(const struct rules *rules, const int32_t *state)
{
    struct wide_key key = {{0}};
    for (uint32_t e = 0; e < rules->elements; e++)
        key.word[rules->layout.word[e]] += (uint64_t)((int64_t)state[e] - rules->element[e].lo) *
                                           rules->layout.weight[e];
    return key;
}

void layout_state(const struct rules *rules, uint64_t key, int32_t *state)
{
    layout_wide_state(rules, (struct wide_key){{key}}, state);
}

void layout_wide_state(const struct rules *rules, struct wide_key key, int32_t *state)
{
    for (uint32_t e = 0; e < rules->elements; e++) {
        const struct rules_element *element = &rules->element[e];
        const int64_t value = element->lo + (int64_t)layout_digit(&rules->layout, key.word[rules->layout.word[e]], e);
        state[e] = value > element->hi ? element->hi : (int32_t)value;
    }
}

/* -- positions -- */

void layout_position(const struct rules *rules, const int32_t *state, uint8_t *position)
{
    for (uint32_t e = 0; e < rules->elements; e++)
        position[e] = rules->element[e].symbol[state[e] - rules->element[e].lo];
}

void layout_show(const struct rules *rules, const int32_t *state, uint8_t *position)
{
    layout_position(rules, state, position);
    for (uint32_t e = 0; e < rules->elements; e++)
        if (position[e] == BOARD_OPEN)
            position[e] = rules->element[e].symbol[0];
}

bool layout_read(const struct rules *rules, const uint8_t *position, int32_t *state, unsigned *element)
{
    for (uint32_t e = 0; e < rules->elements; e++) {
        const struct rules_element *of = &rules->element[e];
        const uint8_t *found = memchr(of->symbol, position[e], (size_t)(of->hi - of->lo) + 1);
        *element = e;
        if (found == NULL || position[e] == BOARD_OPEN)
            return false;
        state[e] = of->lo + (int32_t)(found - of->symbol);
    }
    return true;
}

void layout_start(const struct rules *rules, int32_t *state)
{
    for (uint32_t e = 0; e < rules->elements; e++)
        state[e] = rules->start[e] != RULES_NONE
                       ? rules->start[e]
                       : rules->set[rules->variable[rules->element[e].variable].range].value[0];
}

const char *layout_element_text(const struct rules *rules, unsigned element, char *text)
{
    const struct rules_variable *variable = &rules->variable[rules->element[element].variable];
    const uint32_t place = element - variable->first,
                   columns = variable->indices == 2 ? rules->set[variable->set[1]].count : 1;
    char first[NAME_MAX_BYTES + 1] = "", second[NAME_MAX_BYTES + 1] = "";
    if (variable->indices > 0)
        set_value_text(rules, &rules->set[variable->set[0]], rules->set[variable->set[0]].value[place / columns],
                       first);
    if (variable->indices > 1)
        set_value_text(rules, &rules->set[variable->set[1]], rules->set[variable->set[1]].value[place % columns],
                       second);
    snprintf(text, ELEMENT_TEXT_MAX,
             variable->indices == 0   ? "%s"
             : variable->indices == 1 ? "%s[%s]"
                                      : "%s[%s, %s]",
             variable->name, first, second);
    return text;
}

/* -- the board -- */

pdb_status layout_symbols(const struct rules *rules, uint32_t values, struct board *board, uint8_t **out,
                          const struct node *node, const char *of_what, pdb_error *error)
{
    const struct rules_set *set = &rules->set[values];
    const size_t count = (size_t)((int64_t)set->hi - set->lo) + 1;
    uint8_t *symbol = malloc(count);
    *out = symbol;
    if (symbol == NULL)
        return error_no_memory(error, "the symbols", count);
    memset(symbol, BOARD_OPEN, count);
    for (uint32_t i = 0; i < set->count; i++) {
        char text[NAME_MAX_BYTES + 1];
        pdb_error cause;
        uint8_t *of = &symbol[set->value[i] - set->lo];
        set_value_text(rules, set, set->value[i], text);
        *of = board_symbol(board, text, strlen(text));
        if (*of == BOARD_OPEN && board->symbols == BOARD_MAX_SYMBOLS)
            return node_error(error, node,
                              "with those of '%s' there are too many values: at most %d in all, of which those that "
                              "are written alike count once",
                              of_what, BOARD_MAX_SYMBOLS);
        if (*of == BOARD_OPEN && board_add_symbol(board, text, strlen(text), of, &cause) != PDB_OK)
            return node_error(error, node, "the values of '%s': %s", of_what, cause.message);
    }
    return PDB_OK;
}

/* Rows that a variable takes, and how long they are. */
static void rows_of(const struct rules *rules, const struct rules_variable *variable, unsigned *rows, unsigned *columns)
{
    *rows = variable->indices == 2 ? rules->set[variable->set[0]].count : 1;
    *columns = variable->count / *rows;
}

/* A row for each variable, or all one after another. */
static void lay_out(struct rules *rules)
{
    struct board *board = &rules->puzzle.board;
    unsigned all_rows = 0, widest = 1, rows, columns, place = 0, row = 0;
    for (uint32_t v = 0; v < rules->variables; v++) {
        rows_of(rules, &rules->variable[v], &rows, &columns);
        all_rows += rows;
        widest = columns > widest ? columns : widest;
    }
    const bool each = all_rows <= BOARD_MAX_SIDE && widest <= BOARD_MAX_SIDE && all_rows * widest <= BOARD_MAX_CELLS;
    board->columns = (uint16_t)(each ? widest : rules->elements < BOARD_MAX_SIDE ? rules->elements : BOARD_MAX_SIDE);
    board->rows = (uint16_t)(each ? all_rows : (rules->elements + board->columns - 1) / board->columns);
    memset(board->place, 0xFF, sizeof board->place); /* BOARD_NO_PLACE */
    for (uint32_t v = 0; v < rules->variables; v++) {
        rows_of(rules, &rules->variable[v], &rows, &columns);
        for (unsigned i = 0; i < rows * columns; i++, place++) {
            const unsigned cell = each ? (row + i / columns) * board->columns + i % columns : place;
            board->cell[place] = (uint16_t)cell;
            board->place[cell] = (uint16_t)place;
        }
        row += rows;
    }
    board->places = (uint16_t)place;
    board->bare = true;
    board->empty = BOARD_OPEN;
}

pdb_status layout_board(struct rules *rules, const struct node *node, pdb_error *error)
{
    lay_out(rules);
    pdb_status status = PDB_OK;
    /* NOLINTNEXTLINE(*unix.Malloc): every variable has an element, whose symbols these are */
    for (uint32_t v = 0; status == PDB_OK && v < rules->variables; v++) {
        const struct rules_variable *variable = &rules->variable[v];
        uint8_t *symbol;
        status = layout_symbols(rules, variable->range, &rules->puzzle.board, &symbol, node, variable->name, error);
        for (uint32_t e = 0; e < variable->count; e++)
            rules->element[variable->first + e].symbol = symbol;
    }
    board_finish(&rules->puzzle.board);
    return status;
}

void layout_free(struct rules *rules)
{
    for (uint32_t v = 0; rules->element != NULL && v < rules->variables; v++)
        free(rules->element[rules->variable[v].first].symbol);
}
