/* patterns.c -- pattern databases of boards of different tiles: their text, and the family's three functions
 *
 * A pattern is written as its tiles' codes, `|` between the patterns of a partition, `;` between partitions. Tiles that
 * a partition does not name are left out of it: its sums are lower for it, but still bounds. The shape lists the sizes
 * of each partition's patterns, ascending: "7-8", "3-6-6, 5-5-5".
 */
#include "patterns.h"
#include "lib/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- text to patterns -- */

/* The next word, `|` or `;` at *text, which is moved to its begin; its length, 0 at the end. */
static size_t next_word(const char **text)
{
    *text += strspn(*text, " \t\r\n,");
    return strchr("|;", **text) != NULL ? **text != '\0' : strcspn(*text, " \t\r\n,|;");
}

static pdb_status add_pattern(struct tiles_patterns *patterns, pdb_error *error)
{
    if (patterns->patterns == TILES_MAX_PATTERNS)
        return error_set(error, PDB_BAD_DEFINITION, "more than %d patterns", TILES_MAX_PATTERNS);
    patterns->pattern[patterns->patterns++].size = 0;
    return PDB_OK;
}

static pdb_status add_partition(struct tiles_patterns *patterns, pdb_error *error)
{
    const uint8_t first = (uint8_t)patterns->patterns;
    pdb_status status = add_pattern(patterns, error);
    if (status == PDB_OK)
        patterns->first[patterns->partitions++] = first;
    return status;
}

/* Puts a tile in its place, ascending, in the last pattern. */
static pdb_status add_tile(const struct tiles *tiles, struct tiles_patterns *patterns, const char *word, size_t length,
                           pdb_error *error)
{
    const int shown = length < 40 ? (int)length : 40;
    const uint8_t symbol = board_symbol(&tiles->slide->puzzle.board, word, length);
    const uint8_t tile = symbol == BOARD_OPEN ? TILES_NO_TILE : tiles->tile_of_symbol[symbol];
    struct tiles_pattern *pattern = &patterns->pattern[patterns->patterns - 1];
    if (tile == TILES_NO_TILE)
        return error_set(error, PDB_BAD_DEFINITION, "there is no tile '%.*s'", shown, word);
    for (unsigned p = patterns->first[patterns->partitions - 1]; p < patterns->patterns; p++)
        if (memchr(patterns->pattern[p].tile, tile, patterns->pattern[p].size) != NULL)
            return error_set(error, PDB_BAD_DEFINITION, "'%.*s' is in this partition already", shown, word);
    if (pattern->size == TILES_MAX_PATTERN)
        return error_set(error, PDB_BAD_DEFINITION, "a pattern has at most %d tiles", TILES_MAX_PATTERN);
    unsigned at = pattern->size++;
    for (; at > 0 && pattern->tile[at - 1] > tile; at--)
        pattern->tile[at] = pattern->tile[at - 1];
    pattern->tile[at] = tile;
    return PDB_OK;
}

/* Reads partitions and adds them to *patterns. On PDB_BAD_DEFINITION *offset is the byte of the text that the message
 * is about. */
static pdb_status parse(const struct tiles *tiles, const char *text, struct tiles_patterns *patterns, size_t *offset,
                        pdb_error *error)
{
    const char *word = text;
    pdb_status status = add_partition(patterns, error);
    bool more = true;
    while (status == PDB_OK && more) {
        const size_t length = next_word(&word);
        const bool empty = patterns->pattern[patterns->patterns - 1].size == 0;
        *offset = (size_t)(word - text);
        more = length > 0;
        if (empty && (!more || *word == '|' || *word == ';'))
            return error_set(error, PDB_BAD_DEFINITION, "a pattern without tiles");
        if (*word == '|')
            status = add_pattern(patterns, error);
        else if (*word == ';')
            status = add_partition(patterns, error);
        else if (more)
            status = add_tile(tiles, patterns, word, length, error);
        word += length;
    }
    patterns->first[patterns->partitions] = (uint8_t)patterns->patterns;
    return status;
}

void tiles_read_patterns(const struct tiles *tiles, const char *text, struct tiles_patterns *patterns)
{
    size_t offset;
    *patterns = (struct tiles_patterns){0};
    parse(tiles, text, patterns, &offset, NULL);
}

/* -- patterns to text -- */

/* Writes them; false where the text is too long. */
static bool format(const struct tiles *tiles, const struct tiles_patterns *patterns, char text[PATTERNS_TEXT_MAX])
{
    const struct board *board = &tiles->slide->puzzle.board;
    unsigned partition = 0;
    size_t length = 0;
    for (unsigned p = 0; p < patterns->patterns; p++) {
        const char *between = "";
        if (p > 0)
            between = patterns->first[partition + 1] == p ? "; " : " | ";
        partition += p > 0 && patterns->first[partition + 1] == p;
        for (unsigned i = 0; i < patterns->pattern[p].size; i++) {
            const char *code = board->symbol[tiles->symbol_of[patterns->pattern[p].tile[i]]].code;
            const size_t room = PATTERNS_TEXT_MAX - length;
            const int written = snprintf(text + length, room, "%s%s", i > 0 ? " " : between, code);
            if ((size_t)written >= room)
                return false;
            length += (size_t)written;
        }
    }
    return true;
}

static int compare_bytes(const void *a, const void *b)
{
    return *(const uint8_t *)a - *(const uint8_t *)b;
}

static void format_shape(const struct tiles_patterns *patterns, char shape[PATTERNS_TEXT_MAX])
{
    size_t length = 0;
    for (unsigned partition = 0; partition < patterns->partitions; partition++) {
        const unsigned first = patterns->first[partition], count = patterns->first[partition + 1] - first;
        uint8_t size[TILES_MAX_PATTERNS];
        for (unsigned i = 0; i < count; i++)
            size[i] = patterns->pattern[first + i].size;
        qsort(size, count, 1, compare_bytes);
        for (unsigned i = 0; i < count; i++)
            length += (size_t)snprintf(shape + length, PATTERNS_TEXT_MAX - length, "%s%u",
                                       i > 0           ? "-"
                                       : partition > 0 ? ", "
                                                       : "",
                                       size[i]);
    }
}

/* -- tables -- */

/* Where the tables lie. PDB_TOO_LARGE where one is larger than can be built at all. */
static pdb_status lay_tables(const struct tiles *tiles, const struct tiles_patterns *list, struct patterns *patterns,
                             pdb_error *error)
{
    patterns->bits = 4;
    patterns->tables = list->patterns;
    patterns->bytes = 0;
    for (unsigned p = 0; p < list->patterns; p++) {
        struct pattern_space space;
        if (!pattern_space_make(tiles, list->pattern[p].size, &space))
            return error_set(error, PDB_TOO_LARGE, "%s: a table of %u tiles is too large for any machine",
                             tiles->slide->puzzle.name, list->pattern[p].size);
        const uint64_t align = PATTERN_TABLE_ALIGN, begin = (patterns->bytes + align - 1) / align * align;
        patterns->table[p] = (struct pattern_table){
            .entries = space.sets * space.orders, .offset = begin, .bytes = pattern_table_bytes(&space)};
        patterns->bytes = begin + patterns->table[p].bytes;
    }
    return PDB_OK;
}

/* What building the tables takes. The blocks, which take time to count, are counted where it is not more than `memory`
 * anyhow. */
static uint64_t build_memory(const struct tiles *tiles, const struct tiles_patterns *list, uint64_t bytes,
                             uint64_t memory)
{
    bool seen[TILES_MAX_PATTERN + 1] = {false};
    uint64_t most = 0;
    for (unsigned p = 0; p < list->patterns; p++) {
        const unsigned size = list->pattern[p].size;
        struct pattern_space space;
        if (seen[size])
            continue;
        seen[size] = true;
        pattern_space_make(tiles, size, &space);
        if (bytes + pattern_build_bytes(&space) <= memory)
            pattern_space_count(&space);
        const uint64_t build = pattern_build_bytes(&space);
        most = build > most ? build : most;
    }
    return bytes + most;
}

/* Text and figures of the tables. PDB_TOO_LARGE where building them takes more than `memory`. */
static pdb_status describe(const struct tiles *tiles, const struct tiles_patterns *list, uint64_t memory,
                           struct patterns *patterns, pdb_error *error)
{
    char needed[NUMBER_TEXT_MAX], given[NUMBER_TEXT_MAX];
    if (!format(tiles, list, patterns->text))
        return error_set(error, PDB_TOO_LARGE, "%s: the text of its patterns is longer than %d bytes",
                         tiles->slide->puzzle.name, PATTERNS_TEXT_MAX - 1);
    pdb_status status = lay_tables(tiles, list, patterns, error);
    if (status != PDB_OK)
        return status;
    format_shape(list, patterns->shape);
    patterns->memory = build_memory(tiles, list, patterns->bytes, memory);
    if (patterns->memory <= memory)
        return PDB_OK;
    return error_set(error, PDB_TOO_LARGE, "%s: building pattern databases %s takes %s, and only %s may be used",
                     tiles->slide->puzzle.name, patterns->shape, size_text(patterns->memory, needed),
                     size_text(memory, given));
}

/* -- the family's functions -- */

static const struct slide *slide_of(const struct puzzle *puzzle)
{
    return (const struct slide *)puzzle;
}

/* What stands against pattern databases, NULL where nothing does. */
static const char *what_is_against(const struct slide *slide, struct tiles *tiles)
{
    if (!tiles_make(slide, tiles))
        return "pattern databases are for boards with one empty cell and tiles of one cell that are all different, "
               "move by single steps and have a whole board for their goal";
    if (tiles->tiles == 0)
        return "there is no tile to make a pattern of";
    for (unsigned t = 0; t < tiles->tiles; t++)
        if (strpbrk(slide->puzzle.board.symbol[tiles->symbol_of[t]].code, "|;") != NULL)
            return "patterns cannot be written where a tile has '|' or ';' in its name";
    return NULL;
}

static pdb_status make_tiles(const struct puzzle *puzzle, struct tiles *tiles, pdb_error *error)
{
    const char *against = what_is_against(slide_of(puzzle), tiles);
    return against == NULL ? PDB_OK : error_set(error, PDB_NO_DATABASE, "%s: %s", puzzle->name, against);
}

static pdb_status choose(const struct puzzle *puzzle, uint64_t memory, struct patterns *patterns, pdb_error *error)
{
    struct tiles tiles;
    struct tiles_patterns list;
    pdb_status status = make_tiles(puzzle, &tiles, error);
    if (status != PDB_OK)
        return status;
    if (!tiles_reach_all(&tiles)) /* the family's search, which would look them up, does not take it */
        return error_set(error, PDB_NO_DATABASE,
                         "%s: pattern databases are for boards that are no ring and hang together without any one of "
                         "their cells",
                         puzzle->name);
    if (slide_of(puzzle)->patterns[0] == '\0')
        patterns_choose(&tiles, memory, &list);
    else
        tiles_read_patterns(&tiles, slide_of(puzzle)->patterns, &list);
    return describe(&tiles, &list, memory, patterns, error);
}

static pdb_status read(const struct puzzle *puzzle, const char *text, uint64_t entries, struct patterns *patterns,
                       pdb_error *error)
{
    (void)entries;
    struct tiles tiles;
    struct tiles_patterns list = {0};
    size_t offset;
    pdb_error cause;
    if (make_tiles(puzzle, &tiles, &cause) == PDB_OK && parse(&tiles, text, &list, &offset, &cause) == PDB_OK &&
        describe(&tiles, &list, UINT64_MAX, patterns, &cause) == PDB_OK)
        return PDB_OK;
    return error_set(error, PDB_DAMAGED, "%s: these are no patterns of it: %s", puzzle->name, cause.message);
}

static pdb_status build(const struct puzzle *puzzle, const struct patterns *patterns, const struct pattern_work *work,
                        uint8_t *bytes, pdb_error *error)
{
    struct tiles tiles;
    struct tiles_patterns list;
    uint64_t done = 0;
    pdb_status status = make_tiles(puzzle, &tiles, error);
    if (status != PDB_OK)
        return status;
    tiles_read_patterns(&tiles, patterns->text, &list);
    for (unsigned p = 0; status == PDB_OK && p < list.patterns; p++) {
        if (patterns_is_done(work, patterns, p, &done))
            continue;
        status = pattern_build(&tiles, &list.pattern[p], work, bytes + patterns->table[p].offset, &done, error);
        if (status == PDB_OK)
            status = patterns_table_done(work, patterns, p, error);
    }
    return status;
}

const struct pattern_family slide_pattern_family = {.choose = choose, .read = read, .build = build};

/* -- in a definition -- */

static pdb_status read_partition(const struct tiles *tiles, const struct node *node, struct tiles_patterns *list,
                                 pdb_error *error)
{
    const char *text;
    size_t offset;
    pdb_error cause;
    pdb_status status = node_as_text(node, &text, error);
    if (status == PDB_OK && parse(tiles, text, list, &offset, &cause) != PDB_OK)
        return node_error_at(error, node, offset, "%s", cause.message);
    return status;
}

pdb_status slide_read_patterns(const struct node *node, struct slide *slide, pdb_error *error)
{
    struct tiles tiles;
    struct tiles_patterns list = {0};
    const char *against = what_is_against(slide, &tiles);
    if (against != NULL)
        return node_error(error, node, "%s", against);
    pdb_status status = PDB_OK;
    if (node_kind(node) == NODE_SEQUENCE && node_count(node) > 0)
        for (size_t i = 0; status == PDB_OK && i < node_count(node); i++)
            status = read_partition(&tiles, node_item(node, i), &list, error);
    else if (node_kind(node) == NODE_SCALAR)
        status = read_partition(&tiles, node, &list, error);
    else
        status = node_error(error, node, "'patterns' has to be a list of partitions, as '1 2 3 | 4 5 6'");
    if (status == PDB_OK && !format(&tiles, &list, slide->patterns))
        status = node_error(error, node, "these patterns take more than %d bytes of text", PATTERNS_TEXT_MAX - 1);
    return status;
}
