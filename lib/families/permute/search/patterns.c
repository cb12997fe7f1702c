/* patterns.c -- the patterns that a puzzle's databases have: read, written; and building their tables */
#include "inverse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    TABLES_MEMORY = 32 << 20, /* for a relaxation's own tables of moves */
    THREADS = 64,             /* whose memory is counted in what filling a table takes */
    MANY_ENTRIES = 1 << 28,   /* 64 MiB: more than processors keep at hand */
    MANY_MORE = 4             /* a table by symmetry with less than one part in so many of the bytes gives way */
};

/* -- words -- */

static const char *tile_code(const struct permute *permute, unsigned tile)
{
    return permute->puzzle.board.symbol[permute->symbol_of[tile][0]].code;
}

/* Where reading patterns is. */
struct reading {
    const struct permute *permute;
    struct permute_patterns *patterns;
    bool begun;   /* the last pattern goes on */
    bool grouped; /* so does a class of it: no `)` yet */
};

/* Does a word, which is no tile's name, begin or end with this mark? It is cut off then. */
static bool cut_first(const struct permute *permute, const char **word, size_t *length, char mark)
{
    if (*length == 0 || **word != mark || board_symbol(&permute->puzzle.board, *word, *length) != BOARD_OPEN)
        return false;
    ++*word;
    --*length;
    return true;
}

static bool cut_last(const struct permute *permute, const char *word, size_t *length, char mark)
{
    if (*length == 0 || word[*length - 1] != mark || board_symbol(&permute->puzzle.board, word, *length) != BOARD_OPEN)
        return false;
    --*length;
    return true;
}

static pdb_status add_word(const struct reading *reading, struct permute_pattern *pattern, const char *word,
                           size_t length, pdb_error *error)
{
    const struct permute *permute = reading->permute;
    const bool turns = *word == '+' && length > 1;
    const char *name = word + turns;
    const uint8_t symbol = board_symbol(&permute->puzzle.board, name, length - turns);
    const int shown = length - turns < 40 ? (int)(length - turns) : 40;
    if (symbol == BOARD_OPEN || permute->twist_of[symbol] != 0)
        return error_set(error, PDB_BAD_DEFINITION, "there is no tile '%.*s' on the board", shown, name);
    const unsigned tile = permute->tile_of[symbol];
    bool twists = false; /* does it stand where anything ever turns? */
    for (unsigned place = 0; place < permute->puzzle.board.places; place++)
        twists |= permute->tile_of[permute->board[place]] == tile && permute->modulus[place] > 1;
    if (turns && !twists)
        return error_set(error, PDB_BAD_DEFINITION, "'+' is for twists, and the tile '%.*s' has none", shown, name);
    if (turns ? pattern->turns[tile] : pattern->class[tile] > 0)
        return error_set(error, PDB_BAD_DEFINITION, "'%.*s' stands twice in this pattern", (int)length, word);
    if (turns)
        pattern->turns[tile] = true;
    else
        pattern->class[tile] = (uint8_t)(pattern->classes += !reading->grouped);
    return PDB_OK;
}

static pdb_status open_class(struct reading *reading, struct permute_pattern *pattern, pdb_error *error)
{
    if (reading->grouped)
        return error_set(error, PDB_BAD_DEFINITION, "'(' inside of brackets");
    reading->grouped = true;
    pattern->classes++;
    return PDB_OK;
}

static pdb_status close_class(struct reading *reading, const struct permute_pattern *pattern, pdb_error *error)
{
    if (!reading->grouped)
        return error_set(error, PDB_BAD_DEFINITION, "')' without '('");
    reading->grouped = false;
    for (unsigned tile = 0; tile < reading->permute->tiles; tile++)
        if (pattern->class[tile] == pattern->classes)
            return PDB_OK;
    return error_set(error, PDB_BAD_DEFINITION, "brackets without a tile");
}

/* One word: a tile's, with brackets before and after it. */
static pdb_status read_word(struct reading *reading, const char *word, size_t length, pdb_error *error)
{
    struct permute_patterns *patterns = reading->patterns;
    if (!reading->begun && patterns->count == PATTERN_TABLES_MAX)
        return error_set(error, PDB_BAD_DEFINITION, "more than %d patterns", PATTERN_TABLES_MAX);
    if (!reading->begun)
        patterns->pattern[patterns->count++] = (struct permute_pattern){0};
    reading->begun = true;
    struct permute_pattern *pattern = &patterns->pattern[patterns->count - 1];
    pdb_status status = PDB_OK;
    if (length == 1 && cut_first(reading->permute, &word, &length, '~')) {
        pattern->bounded = true;
        return PDB_OK;
    }
    if (cut_first(reading->permute, &word, &length, '('))
        status = open_class(reading, pattern, error);
    const bool close = cut_last(reading->permute, word, &length, ')');
    if (status == PDB_OK && length > 0)
        status = add_word(reading, pattern, word, length, error);
    return status == PDB_OK && close ? close_class(reading, pattern, error) : status;
}

pdb_status permute_parse_patterns(const struct permute *permute, const char *text, struct permute_patterns *patterns,
                                  size_t *offset, pdb_error *error)
{
    struct reading reading = {.permute = permute, .patterns = patterns};
    const char *word = text;
    for (size_t length; (length = board_next_word(&word)) > 0; word += length) {
        size_t left = length;
        *offset = (size_t)(word - text);
        const bool ends = cut_last(permute, word, &left, ';');
        if (length == 1 && *word == '|')
            return error_set(error, PDB_BAD_DEFINITION,
                             "'|' is for tables that are added up, and these cannot be: a move of this family counts "
                             "in all of them; write ';'");
        pdb_status status = left > 0 ? read_word(&reading, word, left, error) : PDB_OK;
        if (status == PDB_OK && ends && reading.grouped)
            status = error_set(error, PDB_BAD_DEFINITION, "a ')' is missing");
        if (status != PDB_OK)
            return status;
        reading.begun &= !ends;
    }
    return reading.grouped ? error_set(error, PDB_BAD_DEFINITION, "a ')' is missing") : PDB_OK;
}

/* Appends to text[PATTERNS_TEXT_MAX]; false where it is full. */
__attribute__((format(printf, 2, 3))) static bool append(char *text, const char *format, ...)
{
    const size_t length = strlen(text), room = PATTERNS_TEXT_MAX - length;
    va_list arguments;
    va_start(arguments, format);
    const int added = vsnprintf(text + length, room, format, arguments);
    va_end(arguments);
    return added >= 0 && (size_t)added < room;
}

static void cut_blank(char *text)
{
    const size_t length = strlen(text);
    if (length > 0 && text[length - 1] == ' ')
        text[length - 1] = '\0';
}

/* A class in words: `UF `, or `(UF UB) ` with its number of tiles in brackets for `shape`. */
static bool write_class(const struct permute *permute, const struct permute_pattern *pattern, unsigned class,
                        char *text, char *shape, unsigned *apart)
{
    unsigned tiles = 0;
    bool room = true;
    for (unsigned tile = 0; tile < permute->tiles; tile++)
        tiles += pattern->class[tile] == class;
    if (tiles > 1)
        room = append(text, "(") && append(shape, "(%u) ", tiles);
    else
        ++*apart;
    for (unsigned tile = 0; tile < permute->tiles; tile++)
        if (pattern->class[tile] == class)
            room = room && append(text, "%s ", tile_code(permute, tile));
    if (tiles == 1)
        return room;
    cut_blank(text);
    return room && append(text, ") ");
}

bool permute_write_pattern(const struct permute *permute, const struct permute_pattern *pattern, char *text,
                           char *shape)
{
    bool room = true, written[BOARD_MAX_SYMBOLS + 1] = {true}, turns = false;
    unsigned apart = 0;
    for (unsigned tile = 0; tile < permute->tiles; tile++) {
        const unsigned class = pattern->class[tile];
        room = room && (written[class] || write_class(permute, pattern, class, text, shape, &apart));
        written[class] = true;
    }
    for (unsigned tile = 0; tile < permute->tiles; tile++)
        if (pattern->turns[tile])
            room = room && append(text, "+%s ", tile_code(permute, tile)) && (turns = true);
    if (apart > 0 || pattern->classes == 0)
        room = room && append(shape, "%u ", apart);
    room = room && (!turns || append(shape, "and twists "));
    if (pattern->bounded)
        room = room && append(text, "~ ");
    cut_blank(text);
    cut_blank(shape);
    return room;
}

/* The patterns in words, and how many tiles each tells apart. False where there is no room. */
static bool write_patterns(const struct permute *permute, const struct permute_patterns *patterns, char *text,
                           char *shape)
{
    bool room = true;
    *text = *shape = '\0';
    for (unsigned p = 0; p < patterns->count; p++)
        room = room && (p == 0 || (append(text, " ; ") && append(shape, ", "))) &&
               permute_write_pattern(permute, &patterns->pattern[p], text, shape);
    return room;
}

/* -- the definition -- */

static pdb_status read_item(const struct node *node, struct permute *permute, pdb_error *error)
{
    const char *text = "";
    const unsigned before = permute->given->count;
    size_t offset = 0;
    pdb_error cause;
    pdb_status status = node_as_text(node, &text, error);
    if (status == PDB_OK && permute_parse_patterns(permute, text, permute->given, &offset, &cause) != PDB_OK)
        return node_error_at(error, node, offset, "%s", cause.message);
    if (status == PDB_OK && permute->given->count == before)
        return node_error(error, node, "an empty pattern: it has to name the tiles that are told apart");
    return status;
}

pdb_status permute_read_patterns(const struct node *node, struct permute *permute, pdb_error *error)
{
    char text[PATTERNS_TEXT_MAX], shape[PATTERNS_TEXT_MAX];
    if (node == NULL)
        return PDB_OK;
    if (node_kind(node) == NODE_MAPPING)
        return node_error(error, node, "'patterns' has to be a list of patterns: - 1 2 3 4");
    permute->given = calloc(1, sizeof *permute->given);
    if (permute->given == NULL)
        return error_no_memory(error, "the patterns", sizeof *permute->given);
    pdb_status status = node_kind(node) == NODE_SCALAR ? read_item(node, permute, error) : PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < node_count(node); i++)
        status = read_item(node_item(node, i), permute, error);
    if (status == PDB_OK && permute->given->count == 0)
        return node_error(error, node, "an empty list of patterns");
    if (status == PDB_OK && !write_patterns(permute, permute->given, text, shape))
        return node_error(error, node, "these patterns are longer than %d bytes", PATTERNS_TEXT_MAX);
    return status;
}

/* -- struct pattern_family -- */

/* A table's exact entries, and the memory that filling it takes. Where there are classes, they have to be made for
 * that. */
static pdb_status count_table(const struct permute *permute, const struct permute_pattern *pattern,
                              const struct permute_table_size *size, uint64_t *entries, uint64_t *memory,
                              pdb_error *error)
{
    struct permute_table made = {0};
    pdb_status status = permute_table_make(permute, pattern, &made, error);
    if (status == PDB_OK)
        status = permute_table_memory(&made, THREADS, memory, error);
    /* Making small tables takes the images of the firsts of classes and where moves take them, in arrays up to twice as
     * long and those that they grew from; they are freed before the table is filled. */
    const uint64_t making = 3 * made.classes * (made.symmetries + permute->moves) * sizeof(uint32_t);
    *memory = size->memory + (*memory > making ? *memory : making);
    *entries = made.entries;
    permute_table_free(&made);
    return status;
}

/* The entries of each table, and the memory that filling the one takes that takes most. Where it is known how many they
 * are together, none has to be made for that, if one has classes at most. */
static pdb_status count_tables(const struct permute *permute, const struct permute_patterns *chosen, uint64_t known,
                               struct patterns *patterns, pdb_error *error)
{
    struct permute_table_size size[PATTERN_TABLES_MAX];
    unsigned with_classes = 0;
    pdb_status status = PDB_OK;
    for (unsigned p = 0; status == PDB_OK && p < chosen->count; p++) {
        status = permute_table_size(permute, &chosen->pattern[p], &size[p], error);
        if (status == PDB_OK && size[p].entries >= 0x1p48L)
            return error_set(error, PDB_TOO_LARGE, "a pattern has about %.2Lg states: too many to keep",
                             size[p].states);
        with_classes += size[p].symmetries > 1;
    }
    for (unsigned p = 0; status == PDB_OK && p < chosen->count; p++) {
        uint64_t memory = 0, *entries = &patterns->table[p].entries;
        if (known > 0 && with_classes <= 1) {
            *entries = size[p].symmetries > 1 ? 0 : (uint64_t)size[p].states;
            known -= *entries < known ? *entries : known - 1;
            continue;
        }
        status = count_table(permute, &chosen->pattern[p], &size[p], entries, &memory, error);
        patterns->memory = memory > patterns->memory ? memory : patterns->memory;
    }
    for (unsigned p = 0; p < chosen->count; p++)
        patterns->table[p].entries = patterns->table[p].entries > 0 ? patterns->table[p].entries : known;
    return status;
}

/* Sizes and offsets of the tables, and the memory that building them takes: the bytes of all, and what filling one
 * takes. `known`: how many entries they have together; 0: nobody knows. */
static pdb_status lay_out(const struct permute *permute, const struct permute_patterns *chosen, uint64_t known,
                          struct patterns *patterns, pdb_error *error)
{
    *patterns = (struct patterns){.bits = permute_entry_bits(permute), .tables = chosen->count};
    write_patterns(permute, chosen, patterns->text, patterns->shape);
    const pdb_status status = count_tables(permute, chosen, known, patterns, error);
    for (unsigned p = 0; status == PDB_OK && p < chosen->count; p++) {
        struct pattern_table *table = &patterns->table[p];
        table->offset = (patterns->bytes + PATTERN_TABLE_ALIGN - 1) / PATTERN_TABLE_ALIGN * PATTERN_TABLE_ALIGN;
        table->bytes = permute_pattern_bytes(permute, &chosen->pattern[p], table->entries);
        patterns->bytes = table->offset + table->bytes;
    }
    patterns->memory += patterns->bytes + TABLES_MEMORY;
    return status;
}

/* How many entries there is memory for, and time: a minute or two, or a quarter of an hour where states have classes.
 * The search that fills a table takes up to 5 bits a state where moves can be undone, else 8; with classes it is in the
 * table itself. */
static struct permute_room room_for(const struct permute *permute, uint64_t memory)
{
    const long double work = 0x1p36L / permute->moves, searched = permute->puzzle.undoable ? 5.0L / 8 : 1,
                      kept = permute_entry_bits(permute) / 8.0L,
                      bytes = memory > TABLES_MEMORY ? memory - TABLES_MEMORY : 0;
    struct permute_room room = {bytes / (kept + searched / 2), bytes / (kept + searched), bytes / kept};
    room.several = room.several < work ? room.several : work;
    room.alone = room.alone < work ? room.alone : work;
    room.classes = room.classes < 8 * work ? room.classes : 8 * work;
    return room;
}

/* Makes large tables bounded, so that inverses are looked up as well: each look-up counts that is spared there.
 * *changed: there are some. */
static pdb_status bound_tables(const struct permute *permute, struct permute_patterns *patterns, bool *changed,
                               pdb_error *error)
{
    pdb_status status = PDB_OK;
    *changed = false;
    for (unsigned p = 0; status == PDB_OK && p < patterns->count; p++) {
        struct permute_table_size size;
        bool pays = false;
        status = permute_table_size(permute, &patterns->pattern[p], &size, error);
        if (status == PDB_OK && size.symmetries > 1 && size.entries >= MANY_ENTRIES)
            status = permute_inverse_exists(permute, &patterns->pattern[p], &pays, error);
        patterns->pattern[p].bounded = pays && board_symbol(&permute->puzzle.board, "~", 1) == BOARD_OPEN;
        *changed |= patterns->pattern[p].bounded;
    }
    return status;
}

/* Patterns that are chosen for so much memory, laid out; none may be. *by_symmetry as for permute_choose_patterns. */
static pdb_status try_tables(const struct permute *permute, uint64_t memory, bool *by_symmetry,
                             struct patterns *patterns, pdb_error *error)
{
    const struct permute_room room = room_for(permute, memory);
    struct permute_patterns chosen;
    bool bounded = false;
    pdb_status status = PDB_OK;
    if (permute->given != NULL)
        chosen = *permute->given;
    else
        status = permute_choose_patterns(permute, &room, by_symmetry, &chosen, error);
    if (status == PDB_OK && permute->given == NULL)
        status = bound_tables(permute, &chosen, &bounded, error);
    while (status == PDB_OK && chosen.count > 0 && !write_patterns(permute, &chosen, patterns->text, patterns->shape))
        chosen.count--;
    if (status == PDB_OK)
        status = lay_out(permute, &chosen, 0, patterns, error);
    if (status != PDB_OK || !bounded || patterns->memory <= memory)
        return status;
    for (unsigned p = 0; p < chosen.count; p++)
        chosen.pattern[p].bounded = false;
    return lay_out(permute, &chosen, 0, patterns, error);
}

/* Patterns for less and less memory until building them fits. *by_symmetry as for permute_choose_patterns. */
static pdb_status fit_tables(const struct permute *permute, uint64_t memory, bool *by_symmetry,
                             struct patterns *patterns, pdb_error *error)
{
    const bool may_be = *by_symmetry;
    pdb_status status = try_tables(permute, memory, by_symmetry, patterns, error);
    for (uint64_t less = memory; status == PDB_OK && permute->given == NULL && patterns->tables > 0 &&
                                 patterns->memory > memory && less > TABLES_MEMORY;) {
        less -= less / 4;
        *by_symmetry = may_be;
        status = try_tables(permute, less, by_symmetry, patterns, error);
    }
    return status;
}

/* Takes tables tile by tile in the place of one by symmetry that fills little of the memory, or too much. They may fail
 * to be made: it is there still. */
static void weigh_tables(const struct permute *permute, uint64_t memory, struct patterns *patterns)
{
    struct patterns by_tiles;
    struct permute_patterns read = {.count = 0};
    size_t offset;
    bool all = false;
    pdb_error error;
    if (patterns->memory <= memory && patterns->bytes >= memory / MANY_MORE)
        return;
    if (fit_tables(permute, memory, &(bool){false}, &by_tiles, &error) != PDB_OK || by_tiles.tables == 0 ||
        by_tiles.memory > memory)
        return;
    if (patterns->memory <= memory &&
        (by_tiles.bytes / MANY_MORE <= patterns->bytes ||
         permute_parse_patterns(permute, by_tiles.text, &read, &offset, &error) != PDB_OK ||
         permute_notices_all(permute, &read, &all, &error) != PDB_OK || !all))
        return;
    *patterns = by_tiles;
}

static pdb_status choose_tables(const struct puzzle *puzzle, uint64_t memory, struct patterns *patterns,
                                pdb_error *error)
{
    const struct permute *permute = (const struct permute *)puzzle;
    bool by_symmetry = permute->given == NULL;
    const pdb_status status = fit_tables(permute, memory, &by_symmetry, patterns, error);
    if (status == PDB_OK && by_symmetry)
        weigh_tables(permute, memory, patterns);
    if (status == PDB_OK && patterns->tables == 0 && memory >= 2 * TABLES_MEMORY)
        return error_set(error, PDB_NO_DATABASE, "%s: the puzzle is too small for patterns, or asks for nothing",
                         puzzle->name);
    if (status == PDB_OK && patterns->tables == 0)
        return error_set(error, PDB_TOO_LARGE, "%s: a pattern database needs %d MiB of memory", puzzle->name,
                         2 * TABLES_MEMORY >> 20);
    if (status == PDB_OK && patterns->memory > memory)
        return error_set(error, PDB_TOO_LARGE, "%s: pattern databases (%s tiles) need %llu MiB of memory", puzzle->name,
                         patterns->shape, (unsigned long long)(patterns->memory >> 20) + 1);
    return status;
}

static pdb_status read_tables(const struct puzzle *puzzle, const char *text, uint64_t entries,
                              struct patterns *patterns, pdb_error *error)
{
    const struct permute *permute = (const struct permute *)puzzle;
    struct permute_patterns read = {0};
    size_t offset;
    pdb_error cause;
    if (permute_parse_patterns(permute, text, &read, &offset, &cause) != PDB_OK)
        return error_set(error, PDB_DAMAGED, "no patterns of %s: %s", puzzle->name, cause.message);
    pdb_status status = lay_out(permute, &read, entries, patterns, error);
    if (status == PDB_TOO_LARGE || (status == PDB_OK && strcmp(text, patterns->text) != 0))
        return error_set(error, PDB_DAMAGED, "no patterns of %s: '%.200s'", puzzle->name, text);
    return status;
}

static pdb_status build_tables(const struct puzzle *puzzle, const struct patterns *patterns,
                               const struct pattern_work *work, uint8_t *bytes, pdb_error *error)
{
    const struct permute *permute = (const struct permute *)puzzle;
    struct permute_patterns read = {0};
    size_t offset;
    uint64_t done = 0;
    pdb_status status = permute_parse_patterns(permute, patterns->text, &read, &offset, error);
    for (unsigned p = 0; status == PDB_OK && p < read.count; p++) {
        struct permute_table table;
        if (patterns_is_done(work, patterns, p, &done))
            continue;
        status = permute_table_make(permute, &read.pattern[p], &table, error);
        if (status == PDB_OK && table.entries != patterns->table[p].entries)
            status = error_set(error, PDB_BROKEN_RULES, "a pattern's entries were counted wrongly");
        if (status == PDB_OK)
            status = permute_table_fill(&table, work, done, bytes + patterns->table[p].offset, error);
        permute_table_free(&table);
        done += patterns->table[p].entries;
        if (status == PDB_OK)
            status = patterns_table_done(work, patterns, p, error);
    }
    return status;
}

const struct pattern_family permute_pattern_family = {choose_tables, read_tables, build_tables};
