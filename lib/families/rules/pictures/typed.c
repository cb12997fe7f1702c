/* typed.c -- states that are typed in another form than the list of their values
 *
 *   - on[2]=B torch=1   these elements have these values, the others those of the first start; on=B is all of them
 *   - a picture         as `draw` draws it: the state that looks like this is searched for; assignments may follow
 *
 * No function leads from a picture back to a state. The search sets out from the first start, with what is assigned
 * behind the picture in it, and changes one element at a time, or two where one does not help, as long as fewer cells
 * differ. A state counts only if it looks exactly like the picture and `keep` holds; elements that no cell shows keep
 * their values, unless moves only reorder those of an array, and it has those of the start with another one. What is
 * assigned is then assigned again, for it counts for more than the picture.
 */
#include "lib/families/rules/language/parse.h"
#include "lib/families/rules/language/plain.h"
#include "lib/families/rules/layout.h"
#include "lib/text.h"
#include "pictures.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char separators[] = " ,/\n\t\r";

/* -- pictures -- */

/* A search, and the nearest state so far. */
struct search {
    const struct rules *rules;
    const uint8_t *typed; /* a symbol of each place */
    int32_t state[RULES_MAX_ELEMENTS];
    bool kept;
    unsigned differing;
    uint16_t place[BOARD_MAX_CELLS]; /* those that differ */
    unsigned left;                   /* places that may still be looked at */
};

static bool differs(struct search *search, unsigned place)
{
    search->left -= search->left > 0;
    return picture_symbol(search->rules, search->state, place) != search->typed[place];
}

/* Is the state, that has been changed, nearer? If so, that is noted. */
static bool is_nearer(struct search *search)
{
    uint16_t place[BOARD_MAX_CELLS];
    unsigned mended = 0, differing = 0;
    const bool kept = plain_keeps(search->rules, search->state);
    for (unsigned i = 0; i < search->differing; i++)
        mended += !differs(search, search->place[i]);
    const unsigned most = search->differing + !search->kept;
    if (mended == 0 && (search->kept || !kept))
        return false;
    for (unsigned p = 0; p < search->rules->picture.board.places && differing + !kept < most; p++)
        if (differs(search, p))
            place[differing++] = (uint16_t)p;
    if (differing + !kept >= most)
        return false;
    memcpy(search->place, place, differing * sizeof *place);
    search->differing = differing;
    search->kept = kept;
    return true;
}

static const struct rules_set *range_of(const struct rules *rules, uint32_t element)
{
    return &rules->set[rules->variable[rules->element[element].variable].range];
}

/* Gives one element the value with which the picture is nearest, if any is better than its own. */
static bool change_one(struct search *search, uint32_t element)
{
    const struct rules_set *range = range_of(search->rules, element);
    bool nearer = false;
    for (uint32_t i = 0; i < range->count && search->left > 0; i++) {
        const int32_t before = search->state[element];
        search->state[element] = range->value[i];
        if (range->value[i] != before && is_nearer(search))
            nearer = true;
        else
            search->state[element] = before;
    }
    return nearer;
}

/* Changes two elements, if that helps. */
static bool change_two(struct search *search)
{
    const uint32_t elements = search->rules->elements;
    for (uint32_t e = 0; e < elements; e++) {
        const struct rules_set *range = range_of(search->rules, e);
        const int32_t before = search->state[e];
        for (uint32_t i = 0; i < range->count && search->left > 0; i++) {
            search->state[e] = range->value[i];
            for (uint32_t other = e + 1; range->value[i] != before && other < elements; other++)
                if (change_one(search, other))
                    return true;
        }
        search->state[e] = before;
    }
    return false;
}

static pdb_status refuse(const struct search *search, pdb_error *error)
{
    const struct board *board = &search->rules->picture.board;
    if (search->differing == 0)
        return error_set(error, PDB_BAD_BOARD, "no state was found that looks like this and of which 'keep' holds");
    const unsigned place = search->place[0], cell = board->cell[place];
    return error_set(error, PDB_BAD_BOARD,
                     "no state was found that looks like this: in row %u, column %u the nearest one shows '%s', not "
                     "'%s'",
                     cell / board->columns + 1, cell % board->columns + 1,
                     board->symbol[picture_symbol(search->rules, search->state, place)].code,
                     board->symbol[search->typed[place]].code);
}

static bool looks_alike(struct search *search)
{
    unsigned place = 0;
    while (place < search->rules->picture.board.places && !differs(search, place))
        place++;
    return place == search->rules->picture.board.places;
}

/* Gives one covered element another value, if an array that moves only reorder has the values of the starts then: there
 * is no box under the man, though there was one in the start. */
static void restore(struct search *search, const struct rules_variable *variable)
{
    for (uint32_t e = variable->first; e < variable->first + variable->count; e++) {
        const struct rules_set *range = range_of(search->rules, e);
        const int32_t before = search->state[e];
        for (uint32_t i = 0; i < range->count; i++) {
            search->state[e] = range->value[i];
            if (picture_conserves(variable, search->state) && looks_alike(search) &&
                plain_keeps(search->rules, search->state))
                return;
        }
        search->state[e] = before;
    }
}

/* The state that looks like a picture, near the state that there is. */
static pdb_status find_state(const struct rules *rules, const uint8_t *typed, int32_t *state, pdb_error *error)
{
    enum { PLACES_MOST = 5000000 };
    struct search search = {.rules = rules, .typed = typed, .left = PLACES_MOST};
    memcpy(search.state, state, rules->elements * sizeof *state);
    search.kept = plain_keeps(rules, search.state);
    for (uint16_t p = 0; p < rules->picture.board.places; p++)
        if (differs(&search, p))
            search.place[search.differing++] = p;
    for (bool nearer = true; nearer && search.differing + !search.kept > 0;) {
        nearer = false;
        for (uint32_t e = 0; e < rules->elements && search.differing + !search.kept > 0; e++)
            nearer |= change_one(&search, e);
        if (!nearer && search.differing + !search.kept > 0)
            nearer = change_two(&search);
    }
    if (search.differing + !search.kept > 0)
        return refuse(&search, error);
    for (uint32_t v = 0; v < rules->variables; v++)
        if (rules->variable[v].conserved && !picture_conserves(&rules->variable[v], search.state))
            restore(&search, &rules->variable[v]);
    memcpy(state, search.state, rules->elements * sizeof *state);
    return PDB_OK;
}

/* -- assignments -- */

static size_t name_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

static const struct rules_variable *find_variable(const struct rules *rules, const char *text, size_t length)
{
    for (uint32_t v = 0; v < rules->variables; v++)
        if (text_is(text, length, rules->variable[v].name))
            return &rules->variable[v];
    return NULL;
}

/* Where assignments begin: at the first word that is a variable with '=' or an index behind it. */
static const char *find_assignments(const struct rules *rules, const char *text)
{
    for (const char *word = text + strspn(text, separators); *word != '\0'; word += strspn(word, separators)) {
        const size_t length = name_length(word);
        if ((word[length] == '=' || word[length] == '[') && find_variable(rules, word, length) != NULL)
            return word;
        word += strcspn(word, separators);
    }
    return text + strlen(text);
}

/* The place in a set of what is called so; the set's count where nothing is. */
static uint32_t find_member(const struct rules *rules, uint32_t set, const char *text, size_t length)
{
    const struct rules_set *members = &rules->set[set];
    char name[NAME_MAX_BYTES + 1];
    uint32_t i = 0;
    while (i < members->count && !text_is(text, length, set_value_text(rules, members, members->value[i], name)))
        i++;
    return i;
}

/* [2] or [2, B], behind a variable: its elements first .. first + count - 1. Without an index that is all. */
static pdb_status read_index(const struct rules *rules, const struct rules_variable *variable, const char **text,
                             uint32_t *first, uint32_t *count, pdb_error *error)
{
    uint32_t place = 0;
    *first = variable->first;
    *count = variable->count;
    if (**text != '[')
        return PDB_OK;
    for (unsigned i = 0; i < variable->indices; i++) {
        *text += 1 + strspn(*text + 1, " ");
        const size_t length = strcspn(*text, " ,]=");
        const uint32_t member = find_member(rules, variable->set[i], *text, length),
                       members = rules->set[variable->set[i]].count;
        if (member == members)
            return error_set(error, PDB_BAD_BOARD, "'%.*s' is no index of %s", length < 40 ? (int)length : 40, *text,
                             variable->name);
        place = place * members + member;
        *text += length;
        *text += strspn(*text, " ");
        if (**text != (i + 1 < variable->indices ? ',' : ']'))
            return error_set(error, PDB_BAD_BOARD, "%s has %u ind%s: as in %s[%s]=..", variable->name,
                             variable->indices, variable->indices == 1 ? "ex" : "ices", variable->name,
                             variable->indices == 1 ? "i" : "i, j");
    }
    *text += variable->indices > 0;
    *first += place;
    *count = 1;
    return PDB_OK;
}

/* on[2]=B torch=1: into the state. */
static pdb_status read_assignments(const struct rules *rules, const char *text, int32_t *state, pdb_error *error)
{
    for (text += strspn(text, separators); *text != '\0'; text += strspn(text, separators)) {
        const size_t length = name_length(text);
        const struct rules_variable *variable = find_variable(rules, text, length);
        uint32_t first, count;
        if (variable == NULL)
            return error_set(error, PDB_BAD_BOARD, "'%.*s' is no variable, as '%s' is",
                             (int)strcspn(text, separators) < 40 ? (int)strcspn(text, separators) : 40, text,
                             rules->variable[0].name);
        text += length;
        pdb_status status = read_index(rules, variable, &text, &first, &count, error);
        if (status != PDB_OK)
            return status;
        if (*text != '=')
            return error_set(error, PDB_BAD_BOARD, "'=' and a value are missing behind '%s'", variable->name);
        const size_t word = strcspn(++text, separators);
        const struct rules_set *range = &rules->set[variable->range];
        const uint32_t member = find_member(rules, variable->range, text, word);
        char name[ELEMENT_TEXT_MAX];
        if (member == range->count && *text == '[' && variable->indices > 0)
            return error_set(error, PDB_BAD_BOARD, "values of %s are given one by one: %s=..", variable->name,
                             layout_element_text(rules, variable->first, name));
        if (member == range->count)
            return error_set(error, PDB_BAD_BOARD, "'%.*s' is no value of %s", word < 40 ? (int)word : 40, text,
                             variable->name);
        for (uint32_t i = 0; i < count; i++)
            state[first + i] = range->value[member];
        text += word;
    }
    return PDB_OK;
}

/* A=c1 where at[A]=c1 is meant: a word with a member of some variable's index in place of the variable, and one of its
 * values. PDB_OK where there is none. */
static pdb_status suggest_index(const struct rules *rules, const char *text, pdb_error *error)
{
    for (const char *word = text + strspn(text, separators); *word != '\0'; word += strspn(word, separators)) {
        const size_t length = name_length(word), all = strcspn(word, separators);
        for (uint32_t v = 0; word[length] == '=' && v < rules->variables; v++) {
            const struct rules_variable *variable = &rules->variable[v];
            const char *value = word + length + 1;
            const size_t rest = all - length - 1;
            if (variable->indices == 1 && find_variable(rules, word, length) == NULL &&
                find_member(rules, variable->set[0], word, length) < rules->set[variable->set[0]].count &&
                find_member(rules, variable->range, value, rest) < rules->set[variable->range].count)
                return error_set(error, PDB_BAD_BOARD, "'%.*s' is no variable: did you mean %s[%.*s]=%.*s?",
                                 (int)length, word, variable->name, (int)length, word, (int)rest, value);
        }
        word += all;
    }
    return PDB_OK;
}

/* -- all -- */

/* A list of values, but not of as many as a state has; *known is false where it is something else. */
static pdb_status refuse_count(const struct rules *rules, const char *text, bool *known, pdb_error *error)
{
    enum { NAMED = 8 };
    char names[NAMED * ELEMENT_TEXT_MAX] = "", name[ELEMENT_TEXT_MAX];
    unsigned words = 0;
    size_t used = 0;
    for (const char *word = text + strspn(text, separators); *word != '\0'; word += strspn(word, separators)) {
        word += strcspn(word, separators);
        words++;
    }
    *known = words > 1 && words != rules->elements;
    for (uint32_t e = 0; *known && e < rules->elements && e < NAMED; e++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", e > 0 ? ", " : "",
                                 layout_element_text(rules, e, name));
    return *known ? error_set(error, PDB_BAD_BOARD, "%u values given, but a state has %u: %s%s", words, rules->elements,
                              names, rules->elements > NAMED ? ", .." : "")
                  : PDB_OK;
}

/* What stands before the assignments: nothing, a list of values or a picture. *known is false where it is none. */
static pdb_status read_head(const struct rules *rules, const char *text, int32_t *state, bool *known, pdb_error *error)
{
    uint8_t position[BOARD_MAX_CELLS];
    int32_t values[RULES_MAX_ELEMENTS];
    unsigned element;
    *known = true;
    if (text[strspn(text, separators)] == '\0')
        return PDB_OK;
    if (board_parse(&rules->puzzle.board, text, 0, position, NULL, NULL) == PDB_OK &&
        layout_read(rules, position, values, &element)) {
        memcpy(state, values, rules->elements * sizeof *state);
        return PDB_OK;
    }
    if (!rules->picture.there)
        return refuse_count(rules, text, known, error);
    pdb_status status = board_parse(&rules->picture.board, text, BOARD_DRAWN, position, NULL, error);
    if (status == PDB_OK)
        return find_state(rules, position, state, error);
    const bool drawn = strpbrk(text, "/\n") != NULL || rules->picture.board.rows == 1; /* else it was meant as values */
    return drawn ? status : refuse_count(rules, text, known, error);
}

pdb_status rules_parse(const struct puzzle *puzzle, const char *text, uint8_t *position, bool *known, pdb_error *error)
{
    const struct rules *rules = (const struct rules *)puzzle;
    char head[BOARD_TEXT_MAX];
    int32_t state[RULES_MAX_ELEMENTS];
    const char *assignments = find_assignments(rules, text);
    const size_t length = (size_t)(assignments - text);
    *known = length < sizeof head;
    if (!*known)
        return PDB_OK;
    memcpy(head, text, length);
    head[length] = '\0';
    *known = *assignments != '\0' || head[strspn(head, separators)] != '\0';
    layout_start(rules, state);
    pdb_status status = *known ? read_assignments(rules, assignments, state, error) : PDB_OK;
    if (status == PDB_OK && *known)
        status = read_head(rules, head, state, known, error);
    if (status == PDB_OK && *known)
        status = read_assignments(rules, assignments, state, error);
    if (status == PDB_OK && *known)
        layout_position(rules, state, position);
    if ((status == PDB_BAD_BOARD || !*known) && suggest_index(rules, text, error) != PDB_OK) {
        *known = true;
        status = PDB_BAD_BOARD;
    }
    return status;
}
