/* read.c -- from a definition's text to its tree
 *
 * libyaml's event parser does the YAML; this file checks what it must not be trusted with (characters, size, depth),
 * turns its events into the tree, and its complaints into ones that help.
 *
 * Events and not libyaml's documents: these have lost what was an anchor and which tags were written, and they are
 * complete only when the whole file has been read, while libyaml takes quadratic time over deep nesting. Here the 17th
 * level ends it.
 */
#include "tree.h"
#include "lib/memory/array.h"
#include "lib/text.h"

#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { MAX_DEPTH = 16 };

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

/* May a definition say this? Not control characters, which would reach somebody's terminal in the end; nor the line
 * ends that YAML knows and editors don't (U+0085, U+2028, U+2029), which would put every line number after them in
 * doubt; nor what changes the direction of writing, with which a line can be shown as another than it is. */
static bool is_allowed(uint32_t c)
{
    if (c < 0xA0)
        return c == '\n' || c == '\t' || (c >= 0x20 && c < 0x7F);
    return !unicode_is_control(c) && c != 0xFEFF && c != 0xFFFE && c != 0xFFFF;
}

/* The source from a place on; "" behind the end. */
static const char *source_at(const struct definition *definition, struct place at)
{
    const char *c = definition_line(definition, at.line);
    for (size_t left = at.column; left > 0 && *c != '\0'; left--)
        do
            c++;
        while (is_continuation(*c));
    return c;
}

/* ---- reading: from libyaml's events to nodes ---- */

struct reader {
    struct definition *definition;
    yaml_parser_t parser;
    struct {
        size_t characters, bytes;
    } passed; /* of the source, by the marks so far */
    size_t node_room, texts_room;
    struct {
        uint32_t node;
        bool wants_value; /* of a mapping: the key has been read, its value not yet */
    } open[MAX_DEPTH];    /* the sequences and mappings that have begun and not ended */
    size_t depth;
    pdb_error *error;
};

static struct place place_of_mark(yaml_mark_t mark)
{
    return (struct place){mark.line, mark.column};
}

__attribute__((format(printf, 3, 4))) static pdb_status refuse(struct reader *reader, struct place at,
                                                               const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    pdb_status status = definition_complain(reader->error, reader->definition->name, at, format, arguments);
    va_end(arguments);
    return status;
}

/* Checks every character of the source, so that libyaml sees none that we don't count the same way. Also refuses its
 * directives: we need none, and it takes quadratic time over many of them. */
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

/* A character that YAML gives a meaning that we have no use for stands where a text would. */
static pdb_status refuse_reserved(struct reader *reader, struct place at)
{
    char c = *source_at(reader->definition, at);
    const char *reason = c == '!'   ? " (a definition has no tags)"
                         : c == '&' ? " (a definition has no anchors)"
                         : c == '*' ? " (a definition has no aliases), or, if this is a board, '|' behind its key"
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
        return refuse(reader, node_place(node), "a definition is a mapping, lines of 'key: value', but this is %s",
                      node->kind == NODE_SEQUENCE ? "a list" : "none");
    }
    uint32_t owner = reader->open[reader->depth - 1].node;
    bool *wants_value = &reader->open[reader->depth - 1].wants_value;
    bool in_mapping = reader->definition->nodes[owner].kind == NODE_MAPPING;
    if (in_mapping && !*wants_value && node->kind != NODE_SCALAR)
        return refuse(reader, node_place(node), "a key has to be a text, but this is a %s",
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
    if (!array_reserve(&definition->nodes, &reader->node_room, definition->node_count + 1, sizeof **out))
        return error_no_memory(reader->error, "a definition", definition->node_count * sizeof **out);
    *out = &definition->nodes[definition->node_count++];
    **out = (struct node){.definition = definition,
                          .line = (uint32_t)mark.line,
                          .column = (uint32_t)mark.column,
                          .owner = NOBODY,
                          .kind = (uint8_t)kind};
    return join_owner(reader, *out);
}

/* A text without escapes, on one line, is as long as what stands between its marks; every escape is longer than what it
 * means. */
static enum layout find_layout(const yaml_event_t *event, size_t quotes)
{
    const yaml_mark_t *begin = &event->start_mark, *end = &event->end_mark;
    const yaml_scalar_style_t style = event->data.scalar.style;
    if (style == YAML_LITERAL_SCALAR_STYLE)
        return LAYOUT_LITERAL;
    if (style == YAML_FOLDED_SCALAR_STYLE || begin->line != end->line)
        return LAYOUT_FOLDED;
    size_t characters = count_characters((const char *)event->data.scalar.value, event->data.scalar.length);
    return begin->column + characters + 2 * quotes == end->column ? LAYOUT_LINE : LAYOUT_LOOSE;
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
                          "an escape in this text stands for U+%04X, a character that cannot stand in a definition",
                          (unsigned)c);
    }
    return PDB_OK;
}

/* The source's byte at a mark. Marks count characters and come in the order of the text. */
static uint32_t byte_of_mark(struct reader *reader, const yaml_mark_t *mark)
{
    const char *source = reader->definition->source;
    for (; reader->passed.characters < mark->index && source[reader->passed.bytes] != '\0'; reader->passed.characters++)
        do
            reader->passed.bytes++;
        while (is_continuation(source[reader->passed.bytes]));
    return (uint32_t)reader->passed.bytes;
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
    if (!array_reserve(&definition->texts, &reader->texts_room, definition->texts_length + length + 1, 1))
        return error_no_memory(reader->error, "a definition", definition->texts_length + length + 1);
    memcpy(definition->texts + definition->texts_length, event->data.scalar.value, length);
    definition->texts[definition->texts_length + length] = '\0';
    yaml_scalar_style_t style = event->data.scalar.style;
    node->quotes = style == YAML_SINGLE_QUOTED_SCALAR_STYLE || style == YAML_DOUBLE_QUOTED_SCALAR_STYLE;
    node->layout = (uint8_t)find_layout(event, node->quotes);
    node->begin = byte_of_mark(reader, &event->start_mark);
    node->end = byte_of_mark(reader, &event->end_mark);
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
            return refuse(reader, place_of_mark(event->start_mark),
                          "a second document begins here: a definition is only one");
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
            return refuse(reader, (struct place){0, 0},
                          "a definition is a mapping, lines of 'key: value', but this is empty");
        return PDB_OK;
    default:
        return PDB_OK;
    }
}

/* ---- libyaml's complaints in words that help ---- */

/* What to say for a problem that libyaml names with these beginnings of its texts ("" fits all); the first that fits
 * counts. The context is what it was reading: the message goes on with where that began, if it asks to. */
static const struct advice {
    const char *context, *problem;
    bool at_context; /* the message is about the place where the context began, else about that of the problem */
    const char *message;
    const char *context_name; /* "list": the message ends with where the list began; or NULL */
} advices[] = {
    {"", "found a tab character", false, "a tab cannot indent a line: use spaces", NULL},
    {"while scanning a simple key", "", true,
     "a ':' is missing after this key; or this is a text that should go on from the line before, then indent it deeper",
     NULL},
    {"while scanning a quoted scalar", "", true, "the quotation mark that begins this text has no partner that ends it",
     NULL},
    {"", "found unknown escape character", false,
     "this is no escape that YAML knows: write '\\\\' for a backslash, or put the text in single quotes", NULL},
    {"while scanning a block scalar", "did not find expected comment", false,
     "the text of a '|' or '>' begins on the line below it", NULL},
    {"", "mapping values are not allowed", false,
     "no ':' can stand here: check this line's indentation and the space after the ':' before it; a text with ': ' in "
     "it needs quotes",
     NULL},
    {"", "mapping keys are not allowed", false, "no '?' can be here: put the text in quotes", NULL},
    {"", "block sequence entries are not allowed", false,
     "a list cannot begin here: put each '- ' item on a line of its own, below the key; a text that begins with '- ' "
     "needs quotes",
     NULL},
    {"while parsing a block mapping", "", false,
     "this does not go on with the mapping: check its indentation, and what is left over after a quote or bracket",
     "mapping"},
    {"while parsing a block collection", "", false,
     "this does not go on with the list: its items begin with '- ', all in one column", "list"},
    {"while parsing a flow sequence", "", false,
     "a ',' is missing here, or the ']' that ends the list, or quotes around a '#'", "list"},
    {"while parsing a flow mapping", "", false,
     "a ',' is missing here, or the '}' that ends the mapping, or quotes around a '['", "mapping"},
    {"", "did not find expected node content", false,
     "a value is missing here: is there a bracket or a comma too many, or a bracket too few?", NULL},
    {"", "did not find expected <document start>", false,
     "this does not belong to the mapping above, which has ended: begin all its keys in one column", NULL},
};

static const struct advice *find_advice(const char *context, const char *problem)
{
    for (size_t i = 0; i < sizeof advices / sizeof *advices; i++)
        if (text_begins(context, advices[i].context) && text_begins(problem, advices[i].problem))
            return &advices[i];
    return NULL;
}

/* Does a text go on at a place behind what YAML took for a list or a mapping, as in `name: {p} to {t}`? The bracket
 * that it begins with, or NUL; so where another key stands there. */
static int bracket_before(const struct definition *definition, struct place at)
{
    const char *line = definition_line(definition, at.line), *behind = source_at(definition, at);
    const bool is_key = memchr(behind, ':', strcspn(behind, "\r\n")) != NULL;
    while (behind > line && behind[-1] == ' ')
        behind--;
    const int last = behind > line ? behind[-1] : ' ', opening = last == '}' ? '{' : last == ']' ? '[' : '\n';
    for (const char *c = line; !is_key && c + 2 < behind; c++)
        if ((c[0] == ':' || c[0] == '-') && c[1] == ' ' && c[2] == opening)
            return opening;
    return '\0';
}

static pdb_status explain(struct reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    if (parser->error == YAML_MEMORY_ERROR)
        return error_no_memory(reader->error, "reading a definition", reader->definition->length);
    const char *context = parser->context == NULL ? "" : parser->context;
    if (text_begins(parser->problem, "found character that cannot start any token"))
        return refuse_reserved(reader, place_of_mark(parser->problem_mark));
    if (text_begins(context, "while scanning a tag") || text_begins(context, "while parsing a tag") ||
        text_begins(context, "while scanning an a") || text_begins(context, "while parsing a node"))
        /* a tag, an anchor or an alias that is none even by YAML's rules */
        return refuse_reserved(reader, place_of_mark(parser->context_mark));
    const struct advice *advice = find_advice(context, parser->problem);
    if (advice == NULL) /* libyaml's own words */
        return refuse(reader, place_of_mark(parser->problem_mark), "%s%s%s", parser->problem,
                      *context == '\0' ? "" : ", ", context);
    struct place began = place_of_mark(parser->context_mark);
    struct place at = advice->at_context ? began : place_of_mark(parser->problem_mark);
    const int bracket = text_begins(context, "while parsing a block") ? bracket_before(reader->definition, at) : '\0';
    if (bracket != '\0')
        return refuse(reader, at, "a text that begins with '%c' needs quotes around the whole of it", bracket);
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

static pdb_status check_unique_keys(const struct node *mapping, pdb_error *error)
{
    const struct node **keys;
    pdb_status status = node_sort_keys(mapping, &keys, error);
    if (status != PDB_OK)
        return status;
    for (size_t i = 1; status == PDB_OK && i < mapping->count; i++)
        if (strcmp(node_text(keys[i - 1]), node_text(keys[i])) == 0) {
            char shown[EXCERPT_BYTES];
            status = node_error(error, keys[i], "the key '%s' is given twice: it stands at line %zu already",
                                definition_excerpt(node_text(keys[i]), shown), (size_t)keys[i - 1]->line + 1);
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
    if (definition->length > DEFINITION_MAX_BYTES)
        return refuse(&reader, (struct place){0, 0}, "this is too long: a definition has at most %d bytes",
                      DEFINITION_MAX_BYTES);
    if (text_begins(definition->source, "\xEF\xBB\xBF")) { /* a byte order mark */
        definition->length -= 3;
        memmove(definition->source, definition->source + 3, definition->length + 1);
    }
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

pdb_status definition_parse(const char *name, const char *text, size_t length, struct definition **out,
                            pdb_error *error)
{
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
