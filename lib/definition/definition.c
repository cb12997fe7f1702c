/* definition.c -- a definition's tree: its nodes, their places in the text, and what a family may ask of them
 *
 * The tree never changes once it has been read (read.c).
 */
#include "tree.h"
#include "lib/suggest.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SHOWN_NAME_MAX = 300, /* bytes of a file's name in a complaint: the complaint itself must fit behind it */
    MAX_KEYS = 64         /* of a family */
};

/* ---- places and complaints ---- */

pdb_status definition_complain(pdb_error *error, const char *name, struct place at, const char *format,
                               va_list arguments)
{
    char what[sizeof error->message];
    vsnprintf(what, sizeof what, format, arguments);
    size_t length = strlen(name);
    const char *shown = name;
    if (length > SHOWN_NAME_MAX) {
        shown += length - SHOWN_NAME_MAX;
        while (is_continuation(*shown))
            shown++;
    }
    return error_set(error, PDB_BAD_DEFINITION, "%s%s:%zu:%zu: %s", shown == name ? "" : "...", shown, at.line + 1,
                     at.column + 1, what);
}

const char *definition_excerpt(const char *text, char buffer[EXCERPT_BYTES])
{
    size_t length = strlen(text);
    size_t shown = length;
    if (length > SHOWN_TEXT_MAX) {
        shown = SHOWN_TEXT_MAX;
        while (is_continuation(text[shown]))
            shown--;
    }
    snprintf(buffer, EXCERPT_BYTES, "%.*s%s", (int)shown, text, shown < length ? "..." : "");
    for (char *c = buffer; *c != '\0'; c++)
        if (*c == '\n' || *c == '\t')
            *c = ' ';
    return buffer;
}

const char *next_line(const char *line)
{
    line += strcspn(line, "\r\n");
    return line + (line[0] == '\r' && line[1] == '\n' ? 2 : *line != '\0');
}

const char *definition_line(const struct definition *definition, size_t line)
{
    const char *at = definition->source;
    for (; line > 0 && *at != '\0'; line--)
        at = next_line(at);
    return at;
}

struct place node_place(const struct node *node)
{
    return (struct place){node->line, node->column};
}

/* The place of a byte of the source. */
static struct place place_in_source(const struct definition *definition, const char *byte)
{
    const char *line = definition->source;
    size_t number = 0;
    for (const char *next; next = next_line(line), next <= byte && next > line; line = next)
        number++;
    return (struct place){number, count_characters(line, (size_t)(byte - line))};
}

/* The place of a byte of a text whose lines YAML joined: what is not blank stands in the source in the same order.
 * Behind an escape, and of a text that is all blank, only the beginning is known. */
static struct place place_in_folded(const struct node *node, size_t offset)
{
    static const char blanks[] = " \t\r\n";
    const char *begin = node->definition->source + node->begin, *text = node_text(node), *at = begin + node->quotes;
    const int escape = node->quotes == 0 ? '\0' : *begin == '"' ? '\\' : '\'';
    bool known = node->quotes > 0 || *begin != '>';
    if (!known)
        at = next_line(at);
    for (size_t i = 0; i < node->count && i <= offset; i++)
        if (strchr(blanks, text[i]) == NULL) {
            at += strspn(at, blanks);
            if (*at != text[i] || *at == escape)
                return node_place(node);
            at += i < offset;
            known = true;
        }
    return known ? place_in_source(node->definition, at) : node_place(node);
}

/* The place of a byte of a literal block scalar. */
static struct place place_in_literal(const struct node *node, size_t offset)
{
    const char *text = node_text(node);
    if (offset > 0 && offset == node->count && text[offset - 1] == '\n')
        offset--; /* "too short" belongs to the end of the last row, not to what follows it */
    size_t row = 0, row_begin = 0;
    for (size_t i = 0; i < offset; i++)
        if (text[i] == '\n') {
            row++;
            row_begin = i + 1;
        }
    struct place at = {node->line + 1 + row, 0};
    const char *source_row = definition_line(node->definition, at.line);
    size_t source_length = strcspn(source_row, "\r\n"), length = strcspn(text + row_begin, "\n");
    if (source_length < length)
        return node_place(node);
    at.column = count_characters(source_row, source_length - length) +
                count_characters(text + row_begin, offset - row_begin);
    return at;
}

static struct place place_of_byte(const struct node *node, size_t offset)
{
    struct place at = node_place(node);
    if (node->kind != NODE_SCALAR || node->layout == LAYOUT_LOOSE)
        return at;
    if (offset > node->count)
        offset = node->count;
    while (offset > 0 && is_continuation(node_text(node)[offset]))
        offset--;
    if (node->layout == LAYOUT_LITERAL)
        return place_in_literal(node, offset);
    if (node->layout == LAYOUT_FOLDED)
        return place_in_folded(node, offset);
    at.column += node->quotes + count_characters(node_text(node), offset);
    return at;
}

pdb_status node_error(pdb_error *error, const struct node *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pdb_status status = definition_complain(error, node->definition->name, node_place(node), format, arguments);
    va_end(arguments);
    return status;
}

pdb_status node_error_at(pdb_error *error, const struct node *node, size_t offset, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pdb_status status = definition_complain(error, node->definition->name, place_of_byte(node, offset), format,
                                            arguments);
    va_end(arguments);
    return status;
}

pdb_status node_error_source(pdb_error *error, const struct node *node, const char *source, const char *format, ...)
{
    const struct place at = place_in_source(node->definition, source);
    va_list arguments;
    va_start(arguments, format);
    pdb_status status = definition_complain(error, node->definition->name, at, format, arguments);
    va_end(arguments);
    return status;
}

/* ---- the tree ---- */

void definition_free(struct definition *definition)
{
    if (definition == NULL)
        return;
    free(definition->links);
    free(definition->texts);
    free(definition->nodes);
    free(definition->source);
    free(definition->name);
    free(definition);
}

const struct node *definition_root(const struct definition *definition)
{
    return &definition->nodes[0];
}

const char *definition_name(const struct definition *definition)
{
    return definition->name;
}

enum node_kind node_kind(const struct node *node)
{
    return (enum node_kind)node->kind;
}

bool node_is_quoted(const struct node *node)
{
    return node->quotes > 0;
}

const char *node_text(const struct node *node)
{
    return node->kind == NODE_SCALAR ? node->definition->texts + node->first : NULL;
}

size_t node_count(const struct node *node)
{
    return node->kind == NODE_SCALAR ? 0 : node->count;
}

const struct node *node_item(const struct node *sequence, size_t i)
{
    return sequence->definition->links[sequence->first + i];
}

const struct node *node_key(const struct node *mapping, size_t i)
{
    return mapping->definition->links[mapping->first + i];
}

const struct node *node_value(const struct node *mapping, size_t i)
{
    return node_key(mapping, i) + 1;
}

const struct node *node_find(const struct node *mapping, const char *key)
{
    if (mapping->kind != NODE_MAPPING)
        return NULL;
    for (size_t i = 0; i < mapping->count; i++)
        if (strcmp(node_text(node_key(mapping, i)), key) == 0)
            return node_value(mapping, i);
    return NULL;
}

static int compare_keys(const void *a, const void *b)
{
    const struct node *first = *(const struct node *const *)a, *second = *(const struct node *const *)b;
    int order = strcmp(node_text(first), node_text(second));
    return order != 0 ? order : (first > second) - (first < second);
}

pdb_status node_sort_keys(const struct node *mapping, const struct node ***sorted, pdb_error *error)
{
    size_t bytes = mapping->count * sizeof **sorted;
    *sorted = malloc(bytes + 1); /* none at all is no failure */
    if (*sorted == NULL)
        return error_no_memory(error, "the keys of a mapping", bytes);
    memcpy(*sorted, mapping->definition->links + mapping->first, bytes);
    qsort(*sorted, mapping->count, sizeof **sorted, compare_keys);
    return PDB_OK;
}

/* ---- typed values ---- */

bool word_is_among(const char *word, const char *const words[])
{
    for (size_t i = 0; words[i] != NULL; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

/* "WANTED is needed here, not WHAT THERE IS". */
static pdb_status wrong_value(pdb_error *error, const struct node *node, const char *wanted)
{
    char shown[EXCERPT_BYTES];
    if (node->kind != NODE_SCALAR)
        return node_error(error, node, "%s is needed here, not a %s", wanted,
                          node->kind == NODE_SEQUENCE ? "list" : "mapping");
    if (node->count == 0)
        return node_error(error, node, "%s is needed here, but there is nothing", wanted);
    return node_error(error, node, "%s is needed here, not '%s'", wanted, definition_excerpt(node_text(node), shown));
}

pdb_status node_require(const struct node *mapping, const char *key, const struct node **value, pdb_error *error)
{
    if (mapping->kind != NODE_MAPPING) {
        char wanted[100];
        snprintf(wanted, sizeof wanted, "a mapping with the key '%s'", key);
        return wrong_value(error, mapping, wanted);
    }
    const struct node *found = node_find(mapping, key);
    if (found == NULL)
        return node_error(error, mapping, "the key '%s' is missing in this mapping", key);
    *value = found;
    return PDB_OK;
}

pdb_status node_as_text(const struct node *node, const char **text, pdb_error *error)
{
    /* NOLINTNEXTLINE(*NullDereference): a node is there where node_require was content */
    if (node->kind != NODE_SCALAR)
        return wrong_value(error, node, "a text");
    *text = node_text(node);
    return PDB_OK;
}

/* Is it decimal, and the only way to write the number? YAML 1.1 would take 010 for eight and 0x10, 1_000, 1e3 and 1:30
 * for numbers. */
static bool is_plain_integer(const char *text)
{
    const char *digits = text + (text[0] == '-');
    size_t count = strspn(digits, "0123456789");
    return count > 0 && digits[count] == '\0' && (digits[0] != '0' || (count == 1 && digits == text));
}

pdb_status node_as_integer(const struct node *node, int64_t min, int64_t max, int64_t *value, pdb_error *error)
{
    char wanted[100];
    snprintf(wanted, sizeof wanted, "a whole number from %lld to %lld, in plain decimal digits,", (long long)min,
             (long long)max);
    if (node->kind != NODE_SCALAR || !is_plain_integer(node_text(node)))
        return wrong_value(error, node, wanted);
    errno = 0;
    long long number = strtoll(node_text(node), NULL, 10);
    if (errno != 0 || number < min || number > max)
        return wrong_value(error, node, wanted);
    *value = number;
    return PDB_OK;
}

pdb_status node_as_bool(const struct node *node, bool *value, pdb_error *error)
{
    const char *text = node->kind == NODE_SCALAR ? node_text(node) : "";
    bool is_true = strcmp(text, "true") == 0;
    if (!is_true && strcmp(text, "false") != 0)
        return wrong_value(error, node, "true or false");
    *value = is_true;
    return PDB_OK;
}

/* The words with commas between them, as many as fit. */
static const char *list_words(const char *const words[], char *buffer, size_t size)
{
    size_t length = 0;
    buffer[0] = '\0';
    for (size_t i = 0; words[i] != NULL && length < size; i++)
        length += (size_t)snprintf(buffer + length, size - length, "%s%s", i == 0 ? "" : ", ", words[i]);
    return buffer;
}

pdb_status node_as_choice(const struct node *node, const char *const choices[], unsigned *choice, pdb_error *error)
{
    char words[400], wanted[sizeof words + sizeof "one of ()"], shown[EXCERPT_BYTES];
    snprintf(wanted, sizeof wanted, "one of (%s)", list_words(choices, words, sizeof words));
    /* NOLINTNEXTLINE(*NullDereference): as in node_as_text */
    if (node->kind != NODE_SCALAR || node->count == 0)
        return wrong_value(error, node, wanted);
    const char *text = node_text(node);
    for (unsigned i = 0; choices[i] != NULL; i++)
        if (strcmp(text, choices[i]) == 0) {
            *choice = i;
            return PDB_OK;
        }
    const char *nearest = suggest_nearest(text, choices);
    if (nearest == NULL)
        return wrong_value(error, node, wanted);
    return node_error(error, node, "%s is needed here, not '%s': did you mean '%s'?", wanted,
                      definition_excerpt(text, shown), nearest);
}

pdb_status node_check_names(const struct node *mapping, const char *const keys[], pdb_error *error)
{
    for (size_t i = 0; i < mapping->count && mapping->kind == NODE_MAPPING; i++) {
        const struct node *name = node_key(mapping, i);
        if (word_is_among(node_text(name), keys))
            return node_error(error, name,
                              "'%s' is a key of the definition, so it cannot be a name here: is it indented "
                              "too far?",
                              node_text(name));
    }
    return PDB_OK;
}

pdb_status node_check_keys(const struct node *mapping, const char *const known[], pdb_error *error)
{
    if (mapping->kind != NODE_MAPPING)
        return wrong_value(error, mapping, "a mapping");
    for (size_t i = 0; i < mapping->count; i++) {
        const struct node *key = node_key(mapping, i);
        if (word_is_among(node_text(key), known))
            continue;
        char shown[EXCERPT_BYTES], words[400];
        definition_excerpt(node_text(key), shown);
        const char *nearest = suggest_nearest(node_text(key), known);
        if (nearest != NULL)
            return node_error(error, key, "unknown key '%s': did you mean '%s'?", shown, nearest);
        return node_error(error, key, "unknown key '%s': the keys that can stand here are %s", shown,
                          list_words(known, words, sizeof words));
    }
    return PDB_OK;
}

/* ---- the keys that every definition has ---- */

bool heading_allows(const char *name)
{
    static const char allowed[] = "._-0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const size_t length = strlen(name);
    return length > 0 && length <= PUZZLE_NAME_MAX && strchr("._-", *name) == NULL && strspn(name, allowed) == length;
}

/* The key without which no other can be judged: so a misspelt one is looked for here. */
static pdb_status require_family(const struct node *root, const struct node **family, pdb_error *error)
{
    const size_t suspects = node_find(root, "family") == NULL ? node_count(root) : 0;
    for (size_t i = 0; i < suspects; i++) {
        const char *there[] = {node_text(node_key(root, i)), NULL};
        if (suggest_nearest("family", there) != NULL)
            return node_error(error, node_key(root, i), "unknown key '%s': did you mean 'family'?", there[0]);
    }
    return node_require(root, "family", family, error);
}

pdb_status heading_family(const struct node *root, const char *const names[], unsigned *chosen, pdb_error *error)
{
    const struct node *family = NULL;
    pdb_status status = require_family(root, &family, error);
    return status != PDB_OK ? status : node_as_choice(family, names, chosen, error);
}

pdb_status heading_check_keys(const struct node *root, const char *const common[], const char *const keys[],
                              pdb_error *error)
{
    const char *known[MAX_KEYS + 1] = {NULL};
    size_t count = 0;
    for (size_t i = 0; common[i] != NULL; i++)
        known[count++] = common[i];
    for (size_t i = 0; keys[i] != NULL && count < MAX_KEYS; i++)
        known[count++] = keys[i];
    return node_check_keys(root, known, error);
}

pdb_status heading_read(const struct node *root, char name[PUZZLE_NAME_MAX + 1], char **title, pdb_error *error)
{
    const struct node *name_node = NULL, *title_node = node_find(root, "title");
    const char *text = "";
    pdb_status status = node_require(root, "puzzle", &name_node, error);
    if (status == PDB_OK)
        status = node_as_text(name_node, &text, error);
    if (status != PDB_OK)
        return status;
    if (!heading_allows(text))
        return node_error(error, name_node,
                          "a puzzle's name is 1 to %d letters, digits, '.', '_' or '-', a letter or digit first: the "
                          "database is named after it",
                          PUZZLE_NAME_MAX);
    strcpy(name, text);
    text = "";
    if (title_node != NULL)
        status = node_as_text(title_node, &text, error);
    if (status == PDB_OK && strchr(text, '\n') != NULL)
        return node_error(error, title_node, "the title has to be one line");
    if (status == PDB_OK && (*title = strdup(text)) == NULL)
        return error_no_memory(error, "the title", strlen(text) + 1);
    return status;
}
