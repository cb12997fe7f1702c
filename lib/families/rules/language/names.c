/* names.c -- what names mean while a definition is read */
#include "names.h"
#include "lib/memory/array.h"
#include "lib/suggest.h"
#include "lib/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const words[] = {"and", "or",  "not", "if",  "else",  "in",   "for",  "none",  "min", "max",
                                    "abs", "all", "any", "sum", "count", "last", "true", "false", NULL};

bool name_is_good(const char *text, size_t length)
{
    if (length == 0 || isdigit((unsigned char)*text))
        return false;
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)text[i]) && text[i] != '_')
            return false;
    for (size_t w = 0; words[w] != NULL; w++)
        if (text_is(text, length, words[w]))
            return false;
    return true;
}

const char *name_word_meant(const char *text, size_t length)
{
    for (size_t w = 0; words[w] != NULL; w++)
        if (length == strlen(words[w]) && strncasecmp(text, words[w], length) == 0)
            return memcmp(text, words[w], length) == 0 ? NULL : words[w];
    return NULL;
}

static pdb_status add(struct reading *reading, const struct node *node, size_t offset, struct name what,
                      pdb_error *error)
{
    if (reading->names == NAMES_MAX)
        return node_error_at(error, node, offset, "this is one name too many: there may be %d", NAMES_MAX);
    struct name *grown = array_grow(reading->name, reading->names, sizeof *grown);
    if (grown == NULL)
        return error_no_memory(error, "the names of the rules", reading->names * sizeof *grown);
    reading->name = grown;
    reading->name[reading->names++] = what;
    return PDB_OK;
}

static pdb_status copy(const struct node *node, size_t offset, const char *text, size_t length, struct name *what,
                       pdb_error *error)
{
    if (!name_is_good(text, length))
        return node_error_at(error, node, offset,
                             "'%.*s' cannot be a name here: a name is letters, digits and _, begins with no digit, and "
                             "is no word of the language such as 'min' or 'in'",
                             length < 40 ? (int)length : 40, text);
    if (length > NAME_MAX_BYTES)
        return node_error_at(error, node, offset, "this name is too long: it may have %d letters", NAME_MAX_BYTES);
    memcpy(what->text, text, length);
    what->text[length] = '\0';
    return PDB_OK;
}

static const char *const kinds[] = {"", "a number", "a set", "a table", "a variable", "a parameter, let or loop"};

pdb_status name_add(struct reading *reading, const struct node *node, const char *text, struct name what,
                    pdb_error *error)
{
    pdb_status status = copy(node, 0, text, strlen(text), &what, error);
    const struct name there = name_find(reading, text, strlen(text));
    if (status != PDB_OK)
        return status;
    if (there.kind == NAME_NUMBER && what.kind == NAME_NUMBER && there.value != what.value)
        return node_error(
            error, node,
            "'%s' stands for %d already, a cell or a member of another set: here it would be %d; choose another name",
            text, there.value, what.value);
    if (there.kind != NAME_UNKNOWN && (there.kind != NAME_NUMBER || what.kind != NAME_NUMBER))
        return node_error(error, node, "'%s' is the name of %s already", text, kinds[there.kind]);
    return add(reading, node, 0, what, error);
}

pdb_status name_add_slot(struct reading *reading, const struct node *node, size_t offset, const char *text,
                         size_t length, unsigned *slot, pdb_error *error)
{
    struct name what = {.kind = NAME_SLOT, .value = (int32_t)reading->slots};
    pdb_status status = copy(node, offset, text, length, &what, error);
    const struct name there = name_find(reading, text, length);
    const bool hidden = there.kind == NAME_UNKNOWN || there.kind == NAME_NUMBER || there.kind == NAME_SLOT;
    if (status == PDB_OK && !hidden)
        return node_error_at(error, node, offset, "'%.*s' is the name of %s already", (int)length, text,
                             kinds[there.kind]);
    if (status == PDB_OK && reading->slots == TERM_MAX_SLOTS)
        return node_error_at(error, node, offset,
                             "this is one parameter, let or loop too many: %d may be in use at once", TERM_MAX_SLOTS);
    if (status == PDB_OK)
        status = add(reading, node, offset, what, error);
    *slot = reading->slots++;
    return status;
}

void names_forget(struct reading *reading, size_t names, unsigned slots)
{
    reading->names = names;
    reading->slots = slots;
}

/* A cell by its column and row: a1, c12, ab3. */
static bool find_cell(const struct rules_board *board, const char *text, size_t length, int32_t *value)
{
    size_t i = 0;
    unsigned column = 0, row = 0;
    for (; i < length && i < 2 && text[i] >= 'a' && text[i] <= 'z'; i++)
        column = column * 26 + (unsigned)(text[i] - 'a' + 1);
    if (!board->there || i == 0 || i == length || length - i > 2 || text[i] == '0')
        return false;
    for (; i < length && isdigit((unsigned char)text[i]); i++)
        row = row * 10 + (unsigned)(text[i] - '0');
    if (i < length || row > board->rows || column > board->columns)
        return false;
    for (uint32_t c = 0; c < board->cells; c++)
        if (board->place[c] == (row - 1) * board->columns + column - 1) {
            *value = (int32_t)c;
            return true;
        }
    return false;
}

struct name name_find(const struct reading *reading, const char *text, size_t length)
{
    for (size_t i = reading->names; i-- > 0;)
        if (text_is(text, length, reading->name[i].text))
            return reading->name[i];
    struct name found = {.kind = NAME_UNKNOWN};
    if (find_cell(&reading->rules->board, text, length, &found.value))
        found.kind = NAME_NUMBER;
    return found;
}

const char *name_nearest(const struct reading *reading, const char *text, size_t length)
{
    char word[NAME_MAX_BYTES + 1];
    if (length > NAME_MAX_BYTES)
        return NULL;
    memcpy(word, text, length);
    word[length] = '\0';
    const char **all = malloc((reading->names + 1) * sizeof *all);
    if (all == NULL)
        return NULL;
    for (size_t i = 0; i < reading->names; i++)
        all[i] = reading->name[i].text;
    all[reading->names] = NULL;
    const char *near = suggest_nearest(word, all);
    free(all);
    return near;
}
