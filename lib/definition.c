/* definition.c -- reads a definition file
 *
 * libyaml's event parser does the YAML; this file checks what it must not be trusted with (characters, size, depth), turns its
 * events into a compact tree that never changes, and its complaints into ones that help.
 *
 * The tree is one array of nodes in the order of the text, so a mapping's key, always a scalar, stands right before its value. A second
 * array, `links`, lists for every sequence its items and for every mapping its keys: a node has a run of it. The scalars' texts lie one after
 * another in a third. The source text is kept, to find the place of a byte inside a scalar.
 *
 * Events and not libyaml's documents: these have lost what was an anchor and which tags were written, and they are complete only when the whole
 * file has been read, while libyaml takes quadratic time over deep nesting. Here the 17th level ends it.
 */
#include "definition.h"
#include "suggest.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <yaml.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    MAX_DEPTH = 16,
    MAX_SHOWN_NAME = 300, /* bytes of a file's name in a complaint: the complaint itself must fit behind it */
    MAX_SHOWN_TEXT = 40,  /* bytes of a scalar in a complaint */
    EXCERPT_BYTES = MAX_SHOWN_TEXT + sizeof "..."
};

/* How the bytes of a scalar's text correspond to those of the source. */
enum layout {
    LAYOUT_LOOSE,  /* folded, escaped, or over many lines: only its beginning is known */
    LAYOUT_LINE,   /* as it stands in its line, after an opening quote if it has one */
    LAYOUT_LITERAL /* row by row below its `|`, each row the end of a source line */
};

struct node {
    const struct definition *definition;
    uint32_t line, column; /* where it begins, counted from 0 */
    uint32_t owner;        /* the node whose links list this one; NOBODY for the root and a mapping's values */
    uint32_t first;        /* a scalar: where its text begins in `texts`; else where its run of `links` begins */
    uint32_t count;        /* a scalar: its text's bytes; else its items or entries */
    uint8_t kind;          /* enum node_kind */
    uint8_t layout;        /* enum layout */
    uint8_t quotes;        /* 1 where an opening quote stands before the text, else 0 */
};

enum { NOBODY = UINT32_MAX };

struct definition {
    char *name;
    char *source; /* NUL-terminated, without a byte order mark */
    size_t length;
    struct node *nodes;
    size_t node_count;
    char *texts; /* every scalar's, each with its NUL */
    size_t texts_length;
    const struct node **links;
};

struct place {
    size_t line, column; /* counted from 0, columns in characters */
};

/* ---- characters ---- */

/* The bytes of the UTF-8 character at `text`, which has `left` bytes; 0 where there is no proper one. */
static size_t decode_character(const unsigned char *text, size_t left, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* what fits into fewer bytes is malformed */
    unsigned char lead = text[0];
    size_t length = lead < 0x80 ? 1 : lead < 0xC0 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF8 ? 4 : 0;
    if (length == 0 || length > left)
        return 0;
    uint32_t value = length == 1 ? lead : lead & (0x7FU >> length);
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return 0;
        value = value << 6 | (text[i] & 0x3F);
    }
    bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (value < least[length] || value > 0x10FFFF || surrogate)
        return 0;
    *character = value;
    return length;
}

/* May a definition say this? Not control characters, which would reach somebody's terminal in the end; nor the line ends that YAML knows
 * and editors don't (U+0085, U+2028, U+2029), which would put every line number after them in doubt. */
static bool is_allowed(uint32_t c)
{
    if (c < 0xA0)
        return c == '\n' || c == '\t' || (c >= 0x20 && c < 0x7F);
    return c != 0x2028 && c != 0x2029 && c != 0xFEFF && c != 0xFFFE && c != 0xFFFF;
}

static bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

static size_t count_characters(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += !is_continuation(text[i]);
    return count;
}

/* ---- places and complaints ---- */

__attribute__((format(printf, 4, 0))) static pdb_status complain_with(pdb_error *error, const char *name, struct place at,
                                                              const char *format, va_list arguments)
{
    char what[sizeof error->message];
    vsnprintf(what, sizeof what, format, arguments);
    size_t length = strlen(name);
    const char *shown = name;
    if (length > MAX_SHOWN_NAME) {
        shown += length - MAX_SHOWN_NAME;
        while (is_continuation(*shown))
            shown++;
    }
    return error_set(error, PDB_BAD_DEFINITION, "%s%s:%zu:%zu: %s", shown == name ? "" : "...", shown, at.line + 1,
                     at.column + 1, what);
}

__attribute__((format(printf, 4, 5))) static pdb_status complain(pdb_error *error, const char *name, struct place at,
                                                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pdb_status status = complain_with(error, name, at, format, arguments);
    va_end(arguments);
    return status;
}

/* A scalar's text for a complaint: short, on one line. */
static const char *excerpt(const char *text, char buffer[EXCERPT_BYTES])
{
    size_t length = strlen(text);
    size_t shown = length;
    if (length > MAX_SHOWN_TEXT) {
        shown = MAX_SHOWN_TEXT;
        while (is_continuation(text[shown]))
            shown--;
    }
    snprintf(buffer, EXCERPT_BYTES, "%.*s%s", (int)shown, text, shown < length ? "..." : "");
    for (char *c = buffer; *c != '\0'; c++)
        if (*c == '\n' || *c == '\t')
            *c = ' ';
    return buffer;
}

/* Where a line of the source begins; its end where it has fewer lines. */
static const char *find_line(const struct definition *definition, size_t line)
{
    const char *at = definition->source;
    while (line > 0 && *at != '\0') {
        at += strcspn(at, "\r\n");
        if (*at == '\0')
            break;
        at += at[0] == '\r' && at[1] == '\n' ? 2 : 1;
        line--;
    }
    return at;
}

/* The source byte at a place; NUL behind the end. */
static char byte_at(const struct definition *definition, struct place at)
{
    const char *c = find_line(definition, at.line);
    for (size_t left = at.column; left > 0 && *c != '\0'; left--)
        do
            c++;
        while (is_continuation(*c));
    return *c;
}

static struct place place_of_mark(yaml_mark_t mark)
{
    return (struct place){mark.line, mark.column};
}

static struct place place_of_node(const struct node *node)
{
    return (struct place){node->line, node->column};
}

/* The place of a byte of a literal block scalar. */
static struct place place_in_literal(const struct node *node, size_t offset)
{
    const char *text = node_text(node);
    if (offset > 0 && offset == node->count && text[offset - 1] == '\n')
        offset--; /* "too short" belongs to the end of the last row, not to whatever comes below it */
    size_t row = 0, row_begin = 0;
    for (size_t i = 0; i < offset; i++)
        if (text[i] == '\n') {
            row++;
            row_begin = i + 1;
        }
    struct place at = {node->line + 1 + row, 0};
    const char *source_row = find_line(node->definition, at.line);
    size_t source_length = strcspn(source_row, "\r\n"), length = strcspn(text + row_begin, "\n");
    if (source_length < length)
        return place_of_node(node);
    at.column = count_characters(source_row, source_length - length) + count_characters(text + row_begin, offset - row_begin);
    return at;
}

static struct place place_of_byte(const struct node *node, size_t offset)
{
    struct place at = place_of_node(node);
    if (node->kind != NODE_SCALAR || node->layout == LAYOUT_LOOSE)
        return at;
    if (offset > node->count)
        offset = node->count;
    while (offset > 0 && is_continuation(node_text(node)[offset]))
        offset--;
    if (node->layout == LAYOUT_LITERAL)
        return place_in_literal(node, offset);
    at.column += node->quotes + count_characters(node_text(node), offset);
    return at;
}

/* ---- reading: from libyaml's events to nodes ---- */

struct reader {
    struct definition *definition;
    yaml_parser_t parser;
    size_t node_capacity, texts_capacity;
    struct {
        uint32_t node;
        bool wants_value; /* of a mapping: the key has been read, its value not yet */
    } open[MAX_DEPTH];    /* the sequences and mappings that have begun and not ended */
    size_t depth;
    pdb_error *error;
};

__attribute__((format(printf, 3, 4))) static pdb_status refuse(struct reader *reader, struct place at, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pdb_status status = complain_with(reader->error, reader->definition->name, at, format, arguments);
    va_end(arguments);
    return status;
}

/* Checks every character of the source, so that libyaml sees none that we don't count the same way. Also refuses its directives: we need
 * none, and it takes quadratic time over many of them. */
static pdb_status check_characters(struct reader *reader)
{
    const unsigned char *source = (const unsigned char *)reader->definition->source;
    size_t length = reader->definition->length;
    struct place at = {0, 0};
    uint32_t c;
    for (size_t i = 0, step; i < length; i += step) {
        step = decode_character(source + i, length - i, &c);
        if (step == 0)
            return refuse(reader, at, "the byte 0x%02X is not UTF-8 here: save the file as UTF-8", source[i]);
        if (c == '%' && at.column == 0)
            return refuse(reader, at, "a line cannot begin with '%%': a definition has no directives");
        if (c == '\n' || c == '\r') {
            if (c == '\r' && source[i + 1] == '\n')
                step = 2;
            at = (struct place){at.line + 1, 0};
            continue;
        }
        if (!is_allowed(c))
            return refuse(reader, at, "the character U+%04X cannot stand in a definition", (unsigned)c);
        at.column++;
    }
    return PDB_OK;
}

/* The array, moved if it had to grow, with room for `needed` elements; NULL, and the array as it was, where memory is short. */
static void *make_room(void *array, size_t *capacity, size_t needed, size_t element)
{
    if (needed <= *capacity)
        return array;
    size_t wanted = needed < 64 ? 64 : 2 * needed;
    void *grown = reallocarray(array, wanted, element);
    if (grown != NULL)
        *capacity = wanted;
    return grown;
}

/* A character that YAML gives a meaning that we have no use for stands where a text would. */
static pdb_status refuse_reserved(struct reader *reader, struct place at)
{
    char c = byte_at(reader->definition, at);
    const char *reason = c == '!' ? " (a definition has no tags)"
                       : c == '&' ? " (a definition has no anchors)"
                       : c == '*' ? " (a definition has no aliases)"
                                  : "";
    if (c == '\t')
        return refuse(reader, at, "a tab cannot indent a line: use spaces");
    if (c <= ' ' || c > '~')
        return refuse(reader, at, "no text can begin here");
    return refuse(reader, at, "a text that begins with '%c' needs quotes around it%s", c, reason);
}

/* Ties a new node to the sequence or mapping that it stands in. */
static pdb_status join_owner(struct reader *reader, struct node *node)
{
    if (reader->depth == 0) {
        if (node->kind == NODE_MAPPING)
            return PDB_OK;
        return refuse(reader, place_of_node(node), "a definition is a mapping, lines of 'key: value', but this is %s",
                      node->kind == NODE_SEQUENCE ? "a list" : "none");
    }
    uint32_t owner = reader->open[reader->depth - 1].node;
    bool *wants_value = &reader->open[reader->depth - 1].wants_value;
    bool in_mapping = reader->definition->nodes[owner].kind == NODE_MAPPING;
    if (in_mapping && !*wants_value && node->kind != NODE_SCALAR)
        return refuse(reader, place_of_node(node), "a key has to be a text, but this is a %s",
                      node->kind == NODE_SEQUENCE ? "list" : "mapping");
    if (!in_mapping || !*wants_value) {
        node->owner = owner;
        reader->definition->nodes[owner].count++;
    }
    *wants_value = in_mapping && !*wants_value;
    return PDB_OK;
}

/* Adds a node that begins at `mark`; the caller fills in the rest of *out before the next one is added. */
static pdb_status add_node(struct reader *reader, enum node_kind kind, yaml_mark_t mark, struct node **out)
{
    struct definition *definition = reader->definition;
    struct node *nodes =
        make_room(definition->nodes, &reader->node_capacity, definition->node_count + 1, sizeof *nodes);
    if (nodes == NULL)
        return error_no_memory(reader->error, "a definition", definition->node_count * sizeof *nodes);
    definition->nodes = nodes;
    *out = &nodes[definition->node_count++];
    **out = (struct node){.definition = definition,
                          .line = (uint32_t)mark.line,
                          .column = (uint32_t)mark.column,
                          .owner = NOBODY,
                          .kind = (uint8_t)kind};
    return join_owner(reader, *out);
}

/* A text without escapes, on one line, is as long as what stands between its marks; every escape is longer than what it means. */
static enum layout find_layout(const yaml_event_t *event, size_t quotes)
{
    if (event->data.scalar.style == YAML_LITERAL_SCALAR_STYLE)
        return LAYOUT_LITERAL;
    size_t characters = count_characters((const char *)event->data.scalar.value, event->data.scalar.length);
    bool same = event->start_mark.line == event->end_mark.line &&
                event->start_mark.column + characters + 2 * quotes == event->end_mark.column;
    return same && event->data.scalar.style != YAML_FOLDED_SCALAR_STYLE ? LAYOUT_LINE : LAYOUT_LOOSE;
}

static pdb_status check_escapes(struct reader *reader, const yaml_event_t *event)
{
    const unsigned char *text = event->data.scalar.value;
    size_t length = event->data.scalar.length;
    uint32_t c = 0;
    for (size_t i = 0, step; i < length; i += step) {
        step = decode_character(text + i, length - i, &c);
        if (step == 0 || !is_allowed(c))
            return refuse(reader, place_of_mark(event->start_mark),
                          "an escape in this text stands for U+%04X, a character that cannot stand in a definition", (unsigned)c);
    }
    return PDB_OK;
}

static pdb_status take_scalar(struct reader *reader, const yaml_event_t *event)
{
    struct definition *definition = reader->definition;
    size_t length = event->data.scalar.length;
    struct node *node;
    pdb_status status = check_escapes(reader, event);
    if (status == PDB_OK)
        status = add_node(reader, NODE_SCALAR, event->start_mark, &node);
    if (status != PDB_OK)
        return status;
    char *texts = make_room(definition->texts, &reader->texts_capacity, definition->texts_length + length + 1, 1);
    if (texts == NULL)
        return error_no_memory(reader->error, "a definition", definition->texts_length + length + 1);
    definition->texts = texts;
    memcpy(texts + definition->texts_length, event->data.scalar.value, length);
    texts[definition->texts_length + length] = '\0';
    yaml_scalar_style_t style = event->data.scalar.style;
    node->quotes = style == YAML_SINGLE_QUOTED_SCALAR_STYLE || style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    node->layout = (uint8_t)find_layout(event, node->quotes);
    node->first = (uint32_t)definition->texts_length;
    node->count = (uint32_t)length;
    definition->texts_length += length + 1;
    return PDB_OK;
}

static pdb_status open_collection(struct reader *reader, enum node_kind kind, yaml_mark_t mark)
{
    if (reader->depth == MAX_DEPTH)
        return refuse(reader, place_of_mark(mark), "this is nested deeper than %d levels", MAX_DEPTH);
    struct node *node;
    pdb_status status = add_node(reader, kind, mark, &node);
    if (status != PDB_OK)
        return status;
    reader->open[reader->depth].node = (uint32_t)(node - reader->definition->nodes);
    reader->open[reader->depth].wants_value = false;
    reader->depth++;
    return PDB_OK;
}

static bool has_properties(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return true;
    case YAML_SCALAR_EVENT:
        return event->data.scalar.anchor != NULL || event->data.scalar.tag != NULL;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.anchor != NULL || event->data.sequence_start.tag != NULL;
    case YAML_MAPPING_START_EVENT:
        return event->data.mapping_start.anchor != NULL || event->data.mapping_start.tag != NULL;
    default:
        return false;
    }
}

static pdb_status take_event(struct reader *reader, const yaml_event_t *event)
{
    if (has_properties(event))
        return refuse_reserved(reader, place_of_mark(event->start_mark));
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
        if (reader->definition->node_count > 0)
            return refuse(reader, place_of_mark(event->start_mark), "a second document begins here: a definition is only one");
        return PDB_OK;
    case YAML_SCALAR_EVENT:
        return take_scalar(reader, event);
    case YAML_SEQUENCE_START_EVENT:
        return open_collection(reader, NODE_SEQUENCE, event->start_mark);
    case YAML_MAPPING_START_EVENT:
        return open_collection(reader, NODE_MAPPING, event->start_mark);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        reader->depth--;
        return PDB_OK;
    case YAML_STREAM_END_EVENT:
        if (reader->definition->node_count == 0)
            return refuse(reader, (struct place){0, 0}, "a definition is a mapping, lines of 'key: value', but this is empty");
        return PDB_OK;
    default:
        return PDB_OK;
    }
}

/* ---- libyaml's complaints in words that help ---- */

enum advice_place { AT_PROBLEM, AT_CONTEXT };

/* What to say for a problem that libyaml names with these beginnings of its texts ("" fits all). The context is what it was reading: the
 * message goes on with where that began, if it asks to. */
static const struct advice {
    const char *context, *problem;
    enum advice_place place;
    const char *message;
    const char *context_name;
} advices[] = {
    {"", "found a tab character", AT_PROBLEM, "a tab cannot indent a line: use spaces", NULL},
    {"while scanning a simple key", "", AT_CONTEXT,
     "a ':' is missing after this key; or this is a text that should go on from the line before, then indent it deeper", NULL},
    {"while scanning a quoted scalar", "", AT_CONTEXT, "the quotation mark that begins this text has no partner that ends it", NULL},
    {"", "found unknown escape character", AT_PROBLEM,
     "this is no escape that YAML knows: write '\\\\' for a backslash, or put the text in single quotes", NULL},
    {"while scanning a block scalar", "did not find expected comment", AT_PROBLEM,
     "the text of a '|' or '>' begins on the line below it", NULL},
    {"", "mapping values are not allowed", AT_PROBLEM,
     "no ':' can stand here: check this line's indentation and the space after the ':' before it; a text with ': ' in it needs quotes", NULL},
    {"", "block sequence entries are not allowed", AT_PROBLEM,
     "a list cannot begin here: put each '- ' item on a line of its own, below the key", NULL},
    {"while parsing a block mapping", "", AT_PROBLEM,
     "this does not go on with the mapping: check its indentation, and what is left over after a quotation mark or a bracket",
     "mapping"},
    {"while parsing a block collection", "", AT_PROBLEM,
     "this does not go on with the list: its items begin with '- ', all in one column", "list"},
    {"while parsing a flow sequence", "", AT_PROBLEM, "a ',' is missing here, or the ']' that ends the list", "list"},
    {"while parsing a flow mapping", "", AT_PROBLEM, "a ',' is missing here, or the '}' that ends the mapping", "mapping"},
    {"", "did not find expected node content", AT_PROBLEM, "a value is missing here: is there a bracket or a comma too many, or a bracket too few?", NULL},
    {"", "did not find expected <document start>", AT_PROBLEM,
     "this does not belong to the mapping above, which has ended: begin all its keys in one column", NULL},
};

static bool begins_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* A complaint that we know nothing better for: libyaml's own words. */
static pdb_status pass_on(struct reader *reader, const char *context)
{
    return refuse(reader, place_of_mark(reader->parser.problem_mark), "%s%s%s", reader->parser.problem,
                  *context == '\0' ? "" : ", ", context);
}

static pdb_status explain(struct reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    if (parser->error == YAML_MEMORY_ERROR)
        return error_no_memory(reader->error, "reading a definition", reader->definition->length);
    const char *context = parser->context == NULL ? "" : parser->context;
    if (begins_with(parser->problem, "found character that cannot start any token"))
        return refuse_reserved(reader, place_of_mark(parser->problem_mark));
    if (begins_with(context, "while scanning a tag") || begins_with(context, "while parsing a tag") ||
        begins_with(context, "while scanning an a") || begins_with(context, "while parsing a node"))
        /* a tag, an anchor or an alias that is none even by YAML's rules */
        return refuse_reserved(reader, place_of_mark(parser->context_mark));
    const struct advice *advice = advices, *end = advices + sizeof advices / sizeof *advices;
    while (advice < end && !(begins_with(context, advice->context) && begins_with(parser->problem, advice->problem)))
        advice++;
    if (advice == end)
        return pass_on(reader, context);
    struct place began = place_of_mark(parser->context_mark);
    struct place at = advice->place == AT_CONTEXT ? began : place_of_mark(parser->problem_mark);
    if (advice->context_name == NULL)
        return refuse(reader, at, "%s", advice->message);
    return refuse(reader, at, "%s (the %s begins at line %zu, column %zu)", advice->message, advice->context_name,
                  began.line + 1, began.column + 1);
}

static pdb_status take_events(struct reader *reader)
{
    for (;;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&reader->parser, &event))
            return explain(reader);
        yaml_event_type_t type = event.type;
        pdb_status status = take_event(reader, &event);
        yaml_event_delete(&event);
        if (status != PDB_OK || type == YAML_STREAM_END_EVENT)
            return status;
    }
}

/* ---- finishing the tree ---- */

static int compare_keys(const void *a, const void *b)
{
    const struct node *first = *(const struct node *const *)a, *second = *(const struct node *const *)b;
    int order = strcmp(node_text(first), node_text(second));
    return order != 0 ? order : (first > second) - (first < second);
}

/* A mapping's keys in the order of their bytes, keys that are alike in the order of the file. The caller frees *sorted. */
static pdb_status sort_keys(const struct node *mapping, const struct node ***sorted, pdb_error *error)
{
    size_t bytes = mapping->count * sizeof **sorted;
    *sorted = malloc(bytes + 1); /* none at all is no failure */
    if (*sorted == NULL)
        return error_no_memory(error, "the keys of a mapping", bytes);
    memcpy(*sorted, mapping->definition->links + mapping->first, bytes);
    qsort(*sorted, mapping->count, sizeof **sorted, compare_keys);
    return PDB_OK;
}

static pdb_status check_unique_keys(const struct node *mapping, pdb_error *error)
{
    const struct node **keys;
    pdb_status status = sort_keys(mapping, &keys, error);
    if (status != PDB_OK)
        return status;
    for (size_t i = 1; status == PDB_OK && i < mapping->count; i++)
        if (strcmp(node_text(keys[i - 1]), node_text(keys[i])) == 0) {
            char shown[EXCERPT_BYTES];
            status = node_error(error, keys[i], "the key '%s' is given twice: it stands at line %zu already",
                                excerpt(node_text(keys[i]), shown), (size_t)keys[i - 1]->line + 1);
        }
    free(keys);
    return status;
}

/* Makes the links: a run for each sequence and mapping, filled as their items and keys come by. */
static pdb_status link_nodes(struct definition *definition, pdb_error *error)
{
    size_t count = definition->node_count;
    definition->links = calloc(count, sizeof *definition->links);
    if (definition->links == NULL)
        return error_no_memory(error, "a definition", count * sizeof *definition->links);
    uint32_t used = 0;
    for (size_t i = 0; i < count; i++) {
        struct node *node = &definition->nodes[i];
        if (node->kind != NODE_SCALAR) {
            node->first = used;
            used += node->count;
            node->count = 0;
        }
        if (node->owner != NOBODY) {
            struct node *owner = &definition->nodes[node->owner];
            definition->links[owner->first + owner->count++] = node;
        }
    }
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < count; i++)
        if (definition->nodes[i].kind == NODE_MAPPING)
            status = check_unique_keys(&definition->nodes[i], error);
    return status;
}

/* ---- definitions ---- */

static pdb_status parse_source(struct definition *definition, pdb_error *error)
{
    struct reader reader = {.definition = definition, .error = error};
    pdb_status status = check_characters(&reader);
    if (status != PDB_OK)
        return status;
    if (!yaml_parser_initialize(&reader.parser))
        return error_no_memory(error, "reading a definition", sizeof reader.parser);
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)definition->source, definition->length);
    status = take_events(&reader);
    yaml_parser_delete(&reader.parser);
    return status == PDB_OK ? link_nodes(definition, error) : status;
}

pdb_status definition_parse(const char *name, const char *text, size_t length, struct definition **out, pdb_error *error)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    if (length > DEFINITION_MAX_BYTES)
        return complain(error, name, (struct place){0, 0}, "this is too long: a definition has at most %d bytes",
                        DEFINITION_MAX_BYTES);
    if (length >= 3 && memcmp(text, byte_order_mark, 3) == 0) {
        text += 3;
        length -= 3;
    }
    struct definition *definition = calloc(1, sizeof *definition);
    if (definition == NULL)
        return error_no_memory(error, "a definition", sizeof *definition);
    definition->name = strdup(name);
    definition->source = malloc(length + 1);
    definition->length = length;
    pdb_status status;
    if (definition->name == NULL || definition->source == NULL) {
        status = error_no_memory(error, "the text of a definition", length + 1);
    } else {
        memcpy(definition->source, text, length);
        definition->source[length] = '\0';
        status = parse_source(definition, error);
    }
    if (status == PDB_OK)
        *out = definition;
    else
        definition_free(definition);
    return status;
}

/* Reads until the end of the file or until the buffer is full; -1 with errno where that fails. */
static ssize_t read_all(int file, char *buffer, size_t size)
{
    size_t length = 0;
    while (length < size) {
        ssize_t got = read(file, buffer + length, size - length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        length += (size_t)got;
    }
    return (ssize_t)length;
}

static pdb_status read_file(int file, const char *path, struct definition **out, pdb_error *error)
{
    struct stat facts;
    if (fstat(file, &facts) != 0)
        return error_set(error, PDB_IO, "cannot read '%s': %m", path);
    if (S_ISDIR(facts.st_mode))
        return error_set(error, PDB_IO, "cannot read '%s': it is a directory, not a definition file", path);
    if (!S_ISREG(facts.st_mode))
        return error_set(error, PDB_IO, "cannot read '%s': it is no regular file", path);
    size_t size = DEFINITION_MAX_BYTES + 1; /* the file may grow meanwhile: one byte too many is enough to know */
    char *text = malloc(size);
    if (text == NULL)
        return error_no_memory(error, "the text of a definition", size);
    ssize_t length = read_all(file, text, size);
    pdb_status status = length < 0 ? error_set(error, PDB_IO, "cannot read '%s': %m", path)
                                   : definition_parse(path, text, (size_t)length, out, error);
    free(text);
    return status;
}

pdb_status definition_read(const char *path, struct definition **out, pdb_error *error)
{
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY); /* a FIFO must not keep us waiting */
    if (file < 0)
        return error_set(error, PDB_IO, "cannot read '%s': %m", path);
    pdb_status status = read_file(file, path, out, error);
    close(file);
    return status;
}

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

/* ---- the digest ---- */

/* Every node begins with its kind and its size, so that no two trees give the same bytes. */
static void digest_frame(XXH3_state_t *state, char kind, uint64_t size)
{
    unsigned char frame[9] = {(unsigned char)kind};
    for (int i = 8; i > 0; i--, size >>= 8)
        frame[i] = (unsigned char)(size & 0xFF);
    XXH3_128bits_update(state, frame, sizeof frame);
}

static void digest_text(XXH3_state_t *state, const struct node *scalar)
{
    digest_frame(state, 's', scalar->count);
    XXH3_128bits_update(state, node_text(scalar), scalar->count);
}

static bool is_among(const char *word, const char *const words[])
{
    for (size_t i = 0; words[i] != NULL; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

static const char *const no_words[] = {NULL};

static pdb_status digest_node(XXH3_state_t *state, const struct node *node, const char *const except[], pdb_error *error);

static pdb_status digest_mapping(XXH3_state_t *state, const struct node *mapping, const char *const except[], pdb_error *error)
{
    const struct node **keys;
    pdb_status status = sort_keys(mapping, &keys, error);
    if (status != PDB_OK)
        return status;
    size_t count = 0;
    for (size_t i = 0; i < mapping->count; i++)
        if (!is_among(node_text(keys[i]), except))
            keys[count++] = keys[i];
    digest_frame(state, 'm', count);
    for (size_t i = 0; status == PDB_OK && i < count; i++) {
        digest_text(state, keys[i]);
        status = digest_node(state, keys[i] + 1, no_words, error);
    }
    free(keys);
    return status;
}

static pdb_status digest_node(XXH3_state_t *state, const struct node *node, const char *const except[], pdb_error *error)
{
    if (node->kind == NODE_MAPPING)
        return digest_mapping(state, node, except, error);
    if (node->kind == NODE_SCALAR) {
        digest_text(state, node);
        return PDB_OK;
    }
    digest_frame(state, 'l', node->count);
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < node->count; i++)
        status = digest_node(state, node_item(node, i), no_words, error);
    return status;
}

pdb_status definition_digest(const struct definition *definition, const char *const except[], uint8_t digest[DIGEST_BYTES],
                             pdb_error *error)
{
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    pdb_status status = digest_node(&state, definition_root(definition), except, error);
    if (status != PDB_OK)
        return status;
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state));
    static_assert(sizeof canonical.digest == DIGEST_BYTES, "XXH3's 128 bits are our digest");
    memcpy(digest, canonical.digest, DIGEST_BYTES);
    return PDB_OK;
}

/* ---- the tree ---- */

enum node_kind node_kind(const struct node *node)
{
    return (enum node_kind)node->kind;
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

pdb_status node_error(pdb_error *error, const struct node *node, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pdb_status status = complain_with(error, node->definition->name, place_of_node(node), format, arguments);
    va_end(arguments);
    return status;
}

pdb_status node_error_at(pdb_error *error, const struct node *node, size_t offset, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pdb_status status = complain_with(error, node->definition->name, place_of_byte(node, offset), format, arguments);
    va_end(arguments);
    return status;
}

/* ---- typed values ---- */

/* "WANTED is needed here, not WHAT THERE IS". */
static pdb_status wrong_value(pdb_error *error, const struct node *node, const char *wanted)
{
    char shown[EXCERPT_BYTES];
    if (node->kind != NODE_SCALAR)
        return node_error(error, node, "%s is needed here, not a %s", wanted, node->kind == NODE_SEQUENCE ? "list" : "mapping");
    if (node->count == 0)
        return node_error(error, node, "%s is needed here, but there is nothing", wanted);
    return node_error(error, node, "%s is needed here, not '%s'", wanted, excerpt(node_text(node), shown));
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
    if (node->kind != NODE_SCALAR)
        return wrong_value(error, node, "a text");
    *text = node_text(node);
    return PDB_OK;
}

/* Is it decimal, and the only way to write the number? YAML 1.1 would take 010 for eight and 0x10, 1_000, 1e3 and 1:30 for numbers. */
static bool is_plain_integer(const char *text)
{
    const char *digits = text + (text[0] == '-');
    size_t count = strspn(digits, "0123456789");
    return count > 0 && digits[count] == '\0' && (digits[0] != '0' || (count == 1 && digits == text));
}

pdb_status node_as_integer(const struct node *node, int64_t min, int64_t max, int64_t *value, pdb_error *error)
{
    char wanted[100];
    snprintf(wanted, sizeof wanted, "a whole number from %lld to %lld, in plain decimal digits,", (long long)min, (long long)max);
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
    return node_error(error, node, "%s is needed here, not '%s': did you mean '%s'?", wanted, excerpt(text, shown), nearest);
}

pdb_status node_check_keys(const struct node *mapping, const char *const known[], pdb_error *error)
{
    if (mapping->kind != NODE_MAPPING)
        return wrong_value(error, mapping, "a mapping");
    for (size_t i = 0; i < mapping->count; i++) {
        const struct node *key = node_key(mapping, i);
        if (is_among(node_text(key), known))
            continue;
        char shown[EXCERPT_BYTES], words[400];
        excerpt(node_text(key), shown);
        const char *nearest = suggest_nearest(node_text(key), known);
        if (nearest != NULL)
            return node_error(error, key, "unknown key '%s': did you mean '%s'?", shown, nearest);
        return node_error(error, key, "unknown key '%s': the keys that can stand here are %s", shown,
                          list_words(known, words, sizeof words));
    }
    return PDB_OK;
}
