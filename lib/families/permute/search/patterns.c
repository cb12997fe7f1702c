/* patterns.c -- which patterns a puzzle's databases have: read, chosen, written; and building them
 *
 * Choosing. A pattern's words are taken from a list: for each orbit that the goal asks something of, its twists and its
 * tiles in the order of the goal. A pattern begins with the first word that no pattern has yet; with the twists of its
 * orbit, if there is room for them; and takes what there still is room for from there on, round the orbit (neighbours
 * in the goal move together) and through the others. So small orbits are taken whole, and larger ones a stretch after
 * the other, until every word is in a pattern or all room is taken.
 */
#include "search.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHOSEN_MAX = 8,
    WORDS_MAX = BOARD_MAX_SYMBOLS + BOARD_MAX_CELLS,
    PROPER_SHARE = 16,       /* of a puzzle's states a pattern has at most one in so many */
    TABLES_MEMORY = 32 << 20 /* for a relaxation's own tables of moves */
};

/* -- words -- */

static const char *tile_code(const struct permute *permute, unsigned tile)
{
    return permute->puzzle.board.symbol[permute->symbol_of[tile][0]].code;
}

static pdb_status add_word(const struct permute *permute, struct permute_pattern *pattern, const char *word,
                           size_t length, pdb_error *error)
{
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
    bool *const list = turns ? pattern->turns : pattern->apart;
    if (list[tile])
        return error_set(error, PDB_BAD_DEFINITION, "'%.*s' stands twice in this pattern", (int)length, word);
    list[tile] = true;
    return PDB_OK;
}

pdb_status permute_parse_patterns(const struct permute *permute, const char *text, struct permute_patterns *patterns,
                                  size_t *offset, pdb_error *error)
{
    const char *word = text;
    bool begun = false;
    for (size_t length; (length = board_next_word(&word)) > 0; word += length) {
        *offset = (size_t)(word - text);
        const bool ends = word[length - 1] == ';' && board_symbol(&permute->puzzle.board, word, length) == BOARD_OPEN;
        if (ends && length == 1) {
            begun = false;
            continue;
        }
        if (!begun && patterns->count == PATTERN_TABLES_MAX)
            return error_set(error, PDB_BAD_DEFINITION, "more than %d patterns", PATTERN_TABLES_MAX);
        if (!begun)
            patterns->pattern[patterns->count++] = (struct permute_pattern){0};
        if (length == 1 && *word == '|')
            return error_set(error, PDB_BAD_DEFINITION,
                             "'|' is for tables that are added up, and these cannot be: a move of this family counts "
                             "in all of them; write ';'");
        pdb_status status = add_word(permute, &patterns->pattern[patterns->count - 1], word, length - ends, error);
        if (status != PDB_OK)
            return status;
        begun = !ends;
    }
    return PDB_OK;
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

/* The patterns in words, and how many tiles each tells apart. False where there is no room. */
static bool write_patterns(const struct permute *permute, const struct permute_patterns *patterns, char *text,
                           char *shape)
{
    bool room = true;
    *text = *shape = '\0';
    for (unsigned p = 0; p < patterns->count; p++) {
        const struct permute_pattern *pattern = &patterns->pattern[p];
        unsigned apart = 0;
        bool turns = false;
        if (p > 0)
            room = room && append(text, "; ") && append(shape, ", ");
        for (unsigned tile = 0; tile < permute->tiles; tile++)
            if (pattern->apart[tile])
                room = room && append(text, "%s ", tile_code(permute, tile)) && ++apart > 0;
        for (unsigned tile = 0; tile < permute->tiles; tile++)
            if (pattern->turns[tile])
                room = room && append(text, "+%s ", tile_code(permute, tile)) && (turns = true);
        room = room && append(shape, turns ? "%u and twists" : "%u", apart);
    }
    if (*text != '\0' && text[strlen(text) - 1] == ' ')
        text[strlen(text) - 1] = '\0';
    return room;
}

/* -- choosing -- */

struct word {
    uint8_t tile;
    bool turns;
    uint8_t orbit;
};

struct choice {
    const struct permute *permute;
    unsigned words;
    struct word word[WORDS_MAX];
    bool taken[WORDS_MAX]; /* some pattern has it */
};

static void list_word(struct choice *choice, unsigned orbit, unsigned tile, bool turns)
{
    for (unsigned w = 0; w < choice->words; w++)
        if (choice->word[w].tile == tile && choice->word[w].turns == turns)
            return;
    if (strcmp(tile_code(choice->permute, tile), ";") != 0 && strcmp(tile_code(choice->permute, tile), "|") != 0)
        choice->word[choice->words++] = (struct word){(uint8_t)tile, turns, (uint8_t)orbit};
}

/* The words of an orbit: of its tiles, those that the goal asks for in it. */
static void list_orbit(struct choice *choice, unsigned o)
{
    const struct permute *permute = choice->permute;
    const struct permute_orbit *orbit = &permute->orbit[o];
    bool asked[BOARD_MAX_SYMBOLS] = {false}, any = false;
    for (unsigned i = 0; i < orbit->places; i++) {
        const uint8_t symbol = permute->puzzle.goal[orbit->place[i]];
        if (symbol != BOARD_OPEN)
            asked[permute->tile_of[symbol]] = any = true;
    }
    if (any && orbit->modulus > 1)
        list_word(choice, o, orbit->tile[0], true);
    for (unsigned class = 0; class < orbit->classes; class ++)
        if (asked[orbit->tile[class]] && orbit->classes > 1)
            list_word(choice, o, orbit->tile[class], false);
}

static bool *slot(struct permute_pattern *pattern, const struct word *word)
{
    return word->turns ? &pattern->turns[word->tile] : &pattern->apart[word->tile];
}

/* Adds a word to a pattern if it leaves no more than `most` states. */
static pdb_status try_word(struct choice *choice, struct permute_pattern *pattern, unsigned w, long double most,
                           long double *count, pdb_error *error)
{
    bool *const has = slot(pattern, &choice->word[w]);
    long double larger;
    if (*has)
        return PDB_OK;
    *has = true;
    pdb_status status = permute_relaxed_count(choice->permute, pattern, &larger, error);
    *has = larger <= most;
    if (*has)
        *count = larger;
    return status;
}

/* A pattern of up to `most` states that begins with the word `first`. */
static pdb_status grow(struct choice *choice, unsigned first, long double most, struct permute_pattern *pattern,
                       long double *count, pdb_error *error)
{
    const unsigned orbit = choice->word[first].orbit;
    pdb_status status = PDB_OK;
    *pattern = (struct permute_pattern){0};
    *count = 1;
    for (unsigned w = 0; status == PDB_OK && w < choice->words; w++)
        if (choice->word[w].orbit == orbit && choice->word[w].turns)
            status = try_word(choice, pattern, w, most, count, error);
    for (unsigned others = 0; others < 2; others++)
        for (unsigned i = 0; status == PDB_OK && i < choice->words; i++) {
            const unsigned w = (first + i) % choice->words;
            if ((choice->word[w].orbit != orbit) == others)
                status = try_word(choice, pattern, w, most, count, error);
        }
    return status;
}

/* Patterns of up to `each` states, `most` together. */
static pdb_status choose(struct choice *choice, long double each, long double most, struct permute_patterns *patterns,
                         pdb_error *error)
{
    pdb_status status = PDB_OK;
    for (unsigned first = 0; status == PDB_OK && first < choice->words && patterns->count < CHOSEN_MAX; first++) {
        struct permute_pattern *pattern = &patterns->pattern[patterns->count];
        long double count;
        if (choice->taken[first])
            continue;
        status = grow(choice, first, each < most ? each : most, pattern, &count, error);
        if (status != PDB_OK || !*slot(pattern, &choice->word[first]))
            continue; /* no room for it in any pattern */
        for (unsigned w = 0; w < choice->words; w++)
            choice->taken[w] |= *slot(pattern, &choice->word[w]);
        most -= count;
        patterns->count++;
    }
    return status;
}

pdb_status permute_choose_patterns(const struct permute *permute, long double most, struct permute_patterns *patterns,
                                   pdb_error *error)
{
    const long double proper = permute_count(permute) / PROPER_SHARE;
    struct choice *choice = calloc(1, sizeof *choice);
    patterns->count = 0;
    if (choice == NULL)
        return error_no_memory(error, "choosing patterns", sizeof *choice);
    choice->permute = permute;
    for (unsigned o = 0; o < permute->orbits; o++)
        list_orbit(choice, o);
    pdb_status status = choose(choice, most / 2 < proper ? most / 2 : proper, most, patterns, error);
    free(choice);
    return status;
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

/* Sizes and offsets of the tables, and the memory that building them takes. */
static pdb_status lay_out(const struct permute *permute, const struct permute_patterns *chosen,
                          struct patterns *patterns, pdb_error *error)
{
    uint64_t most = 0;
    pdb_status status = PDB_OK;
    *patterns = (struct patterns){.bits = permute_entry_bits(permute), .tables = chosen->count};
    write_patterns(permute, chosen, patterns->text, patterns->shape);
    for (unsigned p = 0; status == PDB_OK && p < chosen->count; p++) {
        long double count;
        status = permute_relaxed_count(permute, &chosen->pattern[p], &count, error);
        if (status == PDB_OK && count >= 0x1p48L)
            return error_set(error, PDB_TOO_LARGE, "a pattern has about %.2Lg states: too many to keep", count);
        struct pattern_table *table = &patterns->table[p];
        table->entries = (uint64_t)count;
        table->offset = (patterns->bytes + PATTERN_TABLE_ALIGN - 1) / PATTERN_TABLE_ALIGN * PATTERN_TABLE_ALIGN;
        table->bytes = permute_table_bytes(permute, table->entries);
        patterns->bytes = table->offset + table->bytes;
        const uint64_t memory = permute_distances_memory(table->entries);
        most = memory > most ? memory : most;
    }
    patterns->memory = patterns->bytes + most + TABLES_MEMORY;
    return status;
}

/* States that tables may have together: what the memory holds, half of them in one table, and not more than can be
 * worked out in a minute or so. */
static long double room(const struct permute *permute, uint64_t memory)
{
    const long double kept = 0x1p30L, work = 0x1p34L / permute->moves;
    const long double fit = memory > TABLES_MEMORY
                                ? (memory - TABLES_MEMORY) / (permute_entry_bits(permute) / 8.0L + 3.0L / 16)
                                : 0;
    const long double least = kept < work ? kept : work;
    return fit < least ? fit : least;
}

static pdb_status choose_tables(const struct puzzle *puzzle, uint64_t memory, struct patterns *patterns,
                                pdb_error *error)
{
    const struct permute *permute = (const struct permute *)puzzle;
    struct permute_patterns chosen;
    pdb_status status = PDB_OK;
    if (permute->given != NULL)
        chosen = *permute->given;
    else
        status = permute_choose_patterns(permute, room(permute, memory), &chosen, error);
    while (status == PDB_OK && chosen.count > 0 && !write_patterns(permute, &chosen, patterns->text, patterns->shape))
        chosen.count--;
    if (status == PDB_OK && chosen.count == 0 && memory >= 2 * TABLES_MEMORY)
        return error_set(error, PDB_NO_DATABASE, "%s: the puzzle is too small for patterns, or asks for nothing",
                         puzzle->name);
    if (status == PDB_OK && chosen.count == 0)
        return error_set(error, PDB_TOO_LARGE, "%s: a pattern database needs %d MiB of memory", puzzle->name,
                         2 * TABLES_MEMORY >> 20);
    if (status == PDB_OK)
        status = lay_out(permute, &chosen, patterns, error);
    if (status == PDB_OK && patterns->memory > memory)
        return error_set(error, PDB_TOO_LARGE, "%s: pattern databases (%s tiles) need %llu MiB of memory", puzzle->name,
                         patterns->shape, (unsigned long long)(patterns->memory >> 20) + 1);
    return status;
}

static pdb_status read_tables(const struct puzzle *puzzle, const char *text, struct patterns *patterns,
                              pdb_error *error)
{
    const struct permute *permute = (const struct permute *)puzzle;
    struct permute_patterns read = {0};
    size_t offset;
    pdb_error cause;
    if (permute_parse_patterns(permute, text, &read, &offset, &cause) != PDB_OK)
        return error_set(error, PDB_DAMAGED, "no patterns of %s: %s", puzzle->name, cause.message);
    pdb_status status = lay_out(permute, &read, patterns, error);
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
    memset(work->histogram, 0, PATTERN_VALUES_MAX * sizeof *work->histogram);
    for (unsigned p = 0; status == PDB_OK && p < read.count; p++) {
        const struct pattern_table *table = &patterns->table[p];
        struct permute *relaxed;
        status = permute_relax(permute, &read.pattern[p], &relaxed, error);
        if (status == PDB_OK && relaxed->puzzle.states != table->entries)
            status = error_set(error, PDB_BROKEN_RULES, "a pattern's states were counted wrongly");
        if (status == PDB_OK)
            status = permute_distances(relaxed, work, done, bytes + table->offset, error);
        permute_relaxed_free(relaxed);
        done += table->entries;
    }
    return status;
}

const struct pattern_family permute_pattern_family = {choose_tables, read_tables, build_tables};
