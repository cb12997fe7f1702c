/* choose.c -- which patterns a puzzle's databases are to have
 *
 * By symmetry. A subgroup of the symmetries, those that send a move to one that commutes with it, sorts the tiles into
 * classes: of the cube, turning the top over and round, the four edges of the middle slice and the other eight. A
 * pattern that tells the classes apart, not the tiles, and keeps the twists is the one that the cube's specialists
 * use. The other symmetries show it from other sides (views.c), so its one table is as good as several. Literature: H.
 * Kociemba, "The Two-Phase Algorithm" (kociemba.org); M. Reid, "Rubik's Cube optimal solver" (1997).
 *
 * Tile by tile, where that makes no pattern of a good size. A pattern's words are taken from a list: for each orbit
 * that the goal asks something of, its twists and its tiles in the order of the goal. A pattern begins with the first
 * word that no pattern has yet; with the twists of its orbit, if there is room for them; and takes what there still is
 * room for from there on, round the orbit (neighbours in the goal move together) and through the others. So small
 * orbits are taken whole, and larger ones a stretch after the other, until every word is in a pattern or all room is
 * taken.
 */
#include "search.h"

#include <stdlib.h>
#include <string.h>

enum {
    CHOSEN_MAX = 8,
    WORDS_MAX = BOARD_MAX_SYMBOLS + BOARD_MAX_CELLS,
    PROPER_SHARE = 16, /* of a puzzle's states a pattern has at most one in so many */
    GOOD_PART = 8      /* of the room: with less, several tables tell more */
};

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

/* May a tile's name be taken for one of the marks that patterns are written with? */
static bool is_mark(const struct permute *permute, unsigned tile)
{
    const char *code = permute->puzzle.board.symbol[permute->symbol_of[tile][0]].code, last = code[strlen(code) - 1];
    return *code == '(' || last == ')' || last == ';' || strcmp(code, "|") == 0;
}

static void list_word(struct choice *choice, unsigned orbit, unsigned tile, bool turns)
{
    for (unsigned w = 0; w < choice->words; w++)
        if (choice->word[w].tile == tile && choice->word[w].turns == turns)
            return;
    if (!is_mark(choice->permute, tile))
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

static bool has_word(const struct permute_pattern *pattern, const struct word *word)
{
    return word->turns ? pattern->turns[word->tile] : pattern->class[word->tile] > 0;
}

/* Adds a word to a pattern if it leaves no more than `most` states. */
static pdb_status try_word(struct choice *choice, struct permute_pattern *pattern, unsigned w, long double most,
                           long double *count, pdb_error *error)
{
    const struct word *word = &choice->word[w];
    struct permute_pattern longer = *pattern;
    long double larger;
    if (has_word(pattern, word))
        return PDB_OK;
    if (word->turns)
        longer.turns[word->tile] = true;
    else
        longer.class[word->tile] = (uint8_t)++longer.classes;
    pdb_status status = permute_relaxed_count(choice->permute, &longer, &larger, error);
    if (status != PDB_OK || larger > most)
        return status;
    *pattern = longer;
    *count = larger;
    return PDB_OK;
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
        if (status != PDB_OK || !has_word(pattern, &choice->word[first]))
            continue; /* no room for it in any pattern */
        for (unsigned w = 0; w < choice->words; w++)
            choice->taken[w] |= has_word(pattern, &choice->word[w]);
        most -= count;
        patterns->count++;
    }
    return status;
}

/* -- by symmetry -- */

static bool commute(const struct permute *permute, unsigned m, unsigned n)
{
    const struct permute_move *a = &permute->move[m], *b = &permute->move[n];
    for (unsigned place = 0; place < permute->puzzle.board.places; place++) {
        const unsigned to = b->to[a->to[place]], modulus = permute->modulus[place];
        if (to != a->to[b->to[place]] || (a->twist[place] + (unsigned)b->twist[a->to[place]]) % modulus !=
                                             (b->twist[place] + (unsigned)a->twist[b->to[place]]) % modulus)
            return false;
    }
    return true;
}

/* Of every tile the lowest one that it becomes by symmetries that send a move to one that commutes with it: tiles with
 * one number are a class. Returns how many symmetries these are. */
static unsigned find_classes(const struct permute *permute, const struct permute_symmetries *symmetries, unsigned move,
                             uint8_t *class)
{
    unsigned count = 0;
    for (unsigned tile = 0; tile < permute->tiles; tile++)
        class[tile] = (uint8_t)tile;
    for (unsigned s = 0; s < symmetries->count; s++) {
        const struct permute_symmetry *symmetry = &symmetries->symmetry[s];
        if (!commute(permute, move, symmetry->move[move]))
            continue;
        count++;
        for (unsigned tile = 0; tile < permute->tiles; tile++) {
            const uint8_t a = class[tile], b = class[symmetry->tile[tile]];
            for (unsigned other = 0; other < permute->tiles; other++)
                if (class[other] == a || class[other] == b)
                    class[other] = a < b ? a : b;
        }
    }
    return count;
}

/* Takes what makes the pattern larger and leaves it no more than `most` states. */
static pdb_status try_pattern(const struct permute *permute, const struct permute_pattern *longer, long double most,
                              struct permute_pattern *pattern, long double *count, pdb_error *error)
{
    long double larger;
    pdb_status status = permute_relaxed_count(permute, longer, &larger, error);
    if (status != PDB_OK || larger > most || larger <= *count)
        return status;
    *pattern = *longer;
    *count = larger;
    return PDB_OK;
}

/* All twists that there is room for, then the classes, the small ones first. */
static pdb_status grow_by_classes(const struct choice *choice, const uint8_t *class, long double most,
                                  struct permute_pattern *pattern, long double *count, pdb_error *error)
{
    const struct permute *permute = choice->permute;
    pdb_status status = PDB_OK;
    *pattern = (struct permute_pattern){0};
    *count = 1;
    for (unsigned w = 0; status == PDB_OK && w < choice->words; w++) {
        struct permute_pattern longer = *pattern;
        longer.turns[choice->word[w].tile] = true;
        if (choice->word[w].turns)
            status = try_pattern(permute, &longer, most, pattern, count, error);
    }
    unsigned members[BOARD_MAX_SYMBOLS] = {0};
    for (unsigned tile = 0; tile < permute->tiles; tile++)
        members[class[tile]] += !is_mark(permute, tile);
    for (unsigned tiles = 1; tiles <= permute->tiles; tiles++)
        for (unsigned c = 0; status == PDB_OK && c < permute->tiles; c++) {
            if (members[c] != tiles)
                continue;
            struct permute_pattern longer = *pattern;
            longer.classes++;
            for (unsigned tile = 0; tile < permute->tiles; tile++)
                if (class[tile] == c && !is_mark(permute, tile))
                    longer.class[tile] = (uint8_t)longer.classes;
            status = try_pattern(permute, &longer, most, pattern, count, error);
        }
    return status;
}

/* The largest pattern of that kind, where symmetries make one that is worth it: one that fills a good part of the room
 * and that they show from several sides. *count: its states; 0: there is none. Of a goal with open cells nobody knows
 * which tiles of a class it asks for: then there is none either. */
static pdb_status choose_by_symmetry(const struct choice *choice, long double most, struct permute_pattern *pattern,
                                     long double *count, pdb_error *error)
{
    const struct permute *permute = choice->permute;
    const struct permute_symmetries *symmetries = permute->symmetries;
    pdb_status status = PDB_OK;
    *count = 0;
    if (memchr(permute->puzzle.goal, BOARD_OPEN, permute->puzzle.board.places) != NULL)
        return PDB_OK;
    for (unsigned move = 0; status == PDB_OK && move < permute->moves; move++) {
        uint8_t class[BOARD_MAX_SYMBOLS];
        struct permute_pattern grown;
        long double states;
        const unsigned keep = find_classes(permute, symmetries, move, class);
        if (keep == symmetries->count || keep == 1)
            continue;
        status = grow_by_classes(choice, class, most, &grown, &states, error);
        if (status != PDB_OK || grown.classes == 0 || states < most / GOOD_PART || states <= *count)
            continue;
        *pattern = grown;
        *count = states;
    }
    return status;
}

pdb_status permute_choose_patterns(const struct permute *permute, long double most, long double alone,
                                   struct permute_patterns *patterns, pdb_error *error)
{
    const long double proper = permute_count(permute) / PROPER_SHARE;
    struct choice *choice = calloc(1, sizeof *choice);
    long double count;
    patterns->count = 0;
    if (choice == NULL)
        return error_no_memory(error, "choosing patterns", sizeof *choice);
    choice->permute = permute;
    for (unsigned o = 0; o < permute->orbits; o++)
        list_orbit(choice, o);
    pdb_status status = choose_by_symmetry(choice, alone < proper ? alone : proper, &patterns->pattern[0], &count,
                                           error);
    if (status == PDB_OK && count > 0)
        patterns->count = 1;
    else if (status == PDB_OK)
        status = choose(choice, most / 2 < proper ? most / 2 : proper, most, patterns, error);
    free(choice);
    return status;
}
