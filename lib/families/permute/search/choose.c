/* choose.c -- which patterns a puzzle's databases are to have
 *
 * By symmetry. A subgroup of the symmetries, those that send a move to one that commutes with it, takes tiles to one
 * another: of the cube, turning the top over and round, the four edges of the middle slice, the other eight, and the
 * corners. Such a family of tiles is told apart from others as a whole, in sets that the subgroup takes to such sets,
 * or tile by tile. A pattern of classes like these, with the twists, is the same from all sides of the subgroup, so its
 * table has few entries for many states (table.h); and the other symmetries show it from other sides (views.c), so that
 * its one table is as good as several. Of all such patterns the one with the most states is taken for which there is
 * room. Literature: H. Kociemba, "The Two-Phase Algorithm" (kociemba.org); M. Reid, "Rubik's Cube optimal solver"
 * (1997); S. Tronto, "The H48 optimal solver" (nissy-core), whose corners in two sets of four come out here.
 *
 * Tile by tile, where that makes no pattern of a good size, or one that is blind to some move (blind.c) or has much
 * less than these would (patterns.c). A pattern's words are taken from a list: for each orbit that the goal asks
 * something of, its twists and its tiles in the order of the goal. A pattern begins with the first word that no pattern
 * has yet; with the twists of its orbit, if there is room for them; and takes what there still is room for from there
 * on, round the orbit (neighbours in the goal move together) and through the others. So small orbits are taken whole,
 * and larger ones a stretch after the other, until every word is in a pattern or all room is taken.
 */
#include "table.h"

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

/* Is a move the image of an earlier one? Then that has made the same patterns, seen from another side. */
static bool is_image(const struct permute_symmetries *symmetries, unsigned move)
{
    for (unsigned s = 0; s < symmetries->count; s++)
        if (symmetries->symmetry[s].move[move] < move)
            return true;
    return false;
}

/* Tiles in sets: number[tile] is the lowest tile of its set. */
struct sets {
    uint8_t number[BOARD_MAX_SYMBOLS];
};

static bool join(struct sets *sets, unsigned tiles, unsigned tile, unsigned other)
{
    const uint8_t a = sets->number[tile], b = sets->number[other];
    for (unsigned t = 0; a != b && t < tiles; t++)
        if (sets->number[t] == a || sets->number[t] == b)
            sets->number[t] = a < b ? a : b;
    return a != b;
}

/* The subgroup: symmetries that send a move to one that commutes with it. Returns how many they are. */
static unsigned find_subgroup(const struct permute *permute, unsigned move, const struct permute_symmetry **subgroup)
{
    const struct permute_symmetries *symmetries = permute->symmetries;
    unsigned count = 0;
    for (unsigned s = 0; s < symmetries->count; s++)
        if (commute(permute, move, symmetries->symmetry[s].move[move]))
            subgroup[count++] = &symmetries->symmetry[s];
    return count;
}

/* The smallest sets with `tile` and `other` in one that the subgroup takes to such sets. */
static void find_blocks(const struct permute *permute, const struct permute_symmetry **subgroup, unsigned count,
                        unsigned tile, unsigned other, struct sets *sets)
{
    for (unsigned t = 0; t < permute->tiles; t++)
        sets->number[t] = (uint8_t)t;
    for (bool grown = join(sets, permute->tiles, tile, other); grown;) {
        grown = false;
        for (unsigned s = 0; s < count; s++)
            for (unsigned t = 0; t < permute->tiles; t++)
                grown |= join(sets, permute->tiles, subgroup[s]->tile[t], subgroup[s]->tile[sets->number[t]]);
    }
}

enum { FAMILIES_MAX = 8, WAYS_MAX = 12, TRIED_MAX = 4096 };

/* Tiles that the subgroup takes to one another, and the ways to tell them apart. */
struct tile_family {
    unsigned ways;
    unsigned sides[WAYS_MAX];  /* from how many the way is the same: symmetries that take its sets to its sets */
    struct sets way[WAYS_MAX]; /* number: BOARD_OPEN where it is no tile of the family, or none is told apart */
};

static unsigned count_sides(const struct permute *permute, const struct sets *way)
{
    unsigned count = 0;
    for (unsigned s = 0; s < permute->symmetries->count; s++) {
        const uint8_t *image = permute->symmetries->symmetry[s].tile;
        bool same = true;
        for (unsigned t = 0; same && t < permute->tiles; t++) {
            const uint8_t number = way->number[t], to = way->number[image[t]];
            same = number == BOARD_OPEN ? to == BOARD_OPEN : to != BOARD_OPEN && way->number[image[number]] == to;
        }
        count += same;
    }
    return count;
}

static void add_way(const struct permute *permute, const bool *member, const struct sets *sets,
                    struct tile_family *family)
{
    struct sets way;
    memset(&way, BOARD_OPEN, sizeof way);
    for (unsigned t = 0; t < permute->tiles; t++)
        way.number[t] = sets != NULL && member[t] ? sets->number[t] : BOARD_OPEN;
    for (unsigned w = 0; w < family->ways; w++)
        if (memcmp(&family->way[w], &way, sizeof way) == 0)
            return;
    if (family->ways == WAYS_MAX)
        return;
    family->sides[family->ways] = count_sides(permute, &way);
    family->way[family->ways++] = way;
}

/* The families of tiles, and for each: all alike, as one class, in sets that the subgroup keeps, and one by one. */
static unsigned find_families(const struct permute *permute, const struct permute_symmetry **subgroup, unsigned count,
                              struct tile_family *family)
{
    bool listed[BOARD_MAX_SYMBOLS] = {false};
    unsigned families = 0;
    for (unsigned tile = 0; tile < permute->tiles && families < FAMILIES_MAX; tile++) {
        bool member[BOARD_MAX_SYMBOLS] = {false}, marked = false;
        struct sets sets;
        if (listed[tile])
            continue;
        for (unsigned s = 0; s < count; s++)
            member[subgroup[s]->tile[tile]] = true;
        for (unsigned t = 0; t < permute->tiles; t++) {
            listed[t] |= member[t];
            marked |= member[t] && is_mark(permute, t);
        }
        if (marked)
            continue;
        family[families].ways = 0;
        add_way(permute, member, NULL, &family[families]);
        memset(&sets, (int)tile, sizeof sets);
        add_way(permute, member, &sets, &family[families]);
        for (unsigned other = tile; other < permute->tiles; other++) {
            find_blocks(permute, subgroup, count, tile, other, &sets);
            if (member[other])
                add_way(permute, member, &sets, &family[families]);
        }
        families++;
    }
    return families;
}

/* A pattern that may be taken. Of patterns with as many states the one that is the same from more sides is better: of
 * the cube's corners, two sets of four of which no two share an edge, not the upper and the lower four. It is deeper.
 * Then the one with fewer words. */
struct candidate {
    long double states, entries;
    unsigned sides, words;
    struct permute_pattern pattern;
};

struct candidates {
    unsigned count;
    struct candidate candidate[TRIED_MAX];
};

/* The best first. */
static int compare_candidates(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    if (a->states != b->states)
        return a->states < b->states ? 1 : -1;
    if (a->sides != b->sides)
        return a->sides < b->sides ? 1 : -1;
    if (a->words != b->words)
        return a->words > b->words ? 1 : -1;
    if (a->pattern.classes != b->pattern.classes)
        return a->pattern.classes < b->pattern.classes ? -1 : 1;
    const int order = memcmp(a->pattern.class, b->pattern.class, sizeof a->pattern.class);
    return order != 0 ? order : memcmp(a->pattern.turns, b->pattern.turns, sizeof a->pattern.turns);
}

/* The classes that sets make of a family's tiles, added to a pattern. */
static void add_classes(const struct permute *permute, const struct sets *way, struct permute_pattern *pattern)
{
    for (unsigned t = 0; t < permute->tiles; t++) {
        if (way->number[t] == BOARD_OPEN)
            continue;
        if (pattern->class[way->number[t]] == 0)
            pattern->class[way->number[t]] = (uint8_t)++pattern->classes;
        pattern->class[t] = pattern->class[way->number[t]];
    }
}

/* The patterns with the twists of `turns` and one of the ways of each family. */
static pdb_status list_candidates(const struct permute *permute, const struct permute_pattern *turns,
                                  const struct tile_family *family, unsigned families, struct candidates *candidates,
                                  pdb_error *error)
{
    unsigned way[FAMILIES_MAX] = {0}, f = 0;
    pdb_status status = PDB_OK;
    while (status == PDB_OK && candidates->count < TRIED_MAX) {
        struct candidate *candidate = &candidates->candidate[candidates->count];
        *candidate = (struct candidate){.pattern = *turns};
        for (f = 0; f < families; f++) {
            add_classes(permute, &family[f].way[way[f]], &candidate->pattern);
            candidate->sides += family[f].sides[way[f]];
        }
        for (unsigned t = 0; t < permute->tiles; t++)
            candidate->words += candidate->pattern.class[t] > 0;
        status = permute_relaxed_count(permute, &candidate->pattern, &candidate->states, error);
        candidates->count += candidate->pattern.classes > 0;
        for (f = 0; f < families && ++way[f] == family[f].ways; f++)
            way[f] = 0;
        if (f == families)
            break;
    }
    return status;
}

/* Does a pattern's table fit? */
static pdb_status fits(const struct permute *permute, const struct permute_pattern *pattern,
                       const struct permute_room *room, struct permute_table_size *size, bool *does, pdb_error *error)
{
    const pdb_status status = permute_table_size(permute, pattern, size, error);
    const long double most = size->symmetries > 1 ? room->classes : room->alone,
                      small = size->symmetries > 1 ? (long double)size->memory * 8 / permute_entry_bits(permute) : 0;
    *does = size->entries + small <= most && size->states <= permute_count(permute) / PROPER_SHARE;
    return status;
}

/* All twists that there is room for. */
static pdb_status add_turns(const struct choice *choice, const struct permute_room *room,
                            struct permute_pattern *pattern, pdb_error *error)
{
    pdb_status status = PDB_OK;
    *pattern = (struct permute_pattern){0};
    for (unsigned w = 0; status == PDB_OK && w < choice->words; w++) {
        struct permute_pattern longer = *pattern;
        struct permute_table_size size;
        bool does = false;
        longer.turns[choice->word[w].tile] = true;
        if (choice->word[w].turns)
            status = fits(choice->permute, &longer, room, &size, &does, error);
        if (does)
            *pattern = longer;
    }
    return status;
}

/* More states are better; but a third more are not worth twice the entries. */
static bool is_better(const struct candidate *candidate, const struct candidate *best)
{
    if (best->states == 0)
        return true;
    if (candidate->states > best->states)
        return candidate->states * 3 > best->states * 4 || candidate->entries < best->entries * 2;
    return candidate->entries * 2 < best->entries;
}

/* Of the patterns of a move's subgroup the best that fits, if it is better than the best one before. */
static pdb_status try_subgroup(const struct choice *choice, unsigned move, const struct permute_room *room,
                               struct candidates *candidates, struct candidate *best, pdb_error *error)
{
    const struct permute *permute = choice->permute;
    const struct permute_symmetry *subgroup[PERMUTE_SYMMETRIES_MAX];
    const unsigned count = find_subgroup(permute, move, subgroup);
    struct permute_pattern turns;
    if (count == 1 || count == permute->symmetries->count)
        return PDB_OK;
    struct tile_family *family = malloc(FAMILIES_MAX * sizeof *family);
    if (family == NULL)
        return error_no_memory(error, "choosing patterns", FAMILIES_MAX * sizeof *family);
    candidates->count = 0;
    const unsigned families = find_families(permute, subgroup, count, family);
    pdb_status status = add_turns(choice, room, &turns, error);
    if (status == PDB_OK)
        status = list_candidates(permute, &turns, family, families, candidates, error);
    free(family);
    qsort(candidates->candidate, candidates->count, sizeof *candidates->candidate, compare_candidates);
    for (unsigned c = 0; status == PDB_OK && c < candidates->count; c++) {
        struct candidate *candidate = &candidates->candidate[c];
        struct permute_table_size size;
        bool does = false;
        if (candidate->states <= 1 || candidate->states * 4 < best->states * 3)
            break;
        if (candidate->states / permute->symmetries->count > room->classes)
            continue;
        status = fits(permute, &candidate->pattern, room, &size, &does, error);
        candidate->entries = size.entries;
        if (does && size.entries * GOOD_PART >= (size.symmetries > 1 ? room->classes : room->alone) &&
            is_better(candidate, best))
            *best = *candidate;
    }
    return status;
}

/* The largest pattern of that kind, where symmetries make one that is worth it: one that fills a good part of the room
 * and that they show from several sides. Of a goal with open cells nobody knows which tiles of a class it asks for:
 * then there is none. best->states: 0 where there is none. */
static pdb_status choose_by_symmetry(const struct choice *choice, const struct permute_room *room,
                                     struct candidate *best, pdb_error *error)
{
    const struct permute *permute = choice->permute;
    pdb_status status = PDB_OK;
    if (permute->symmetries->count == 1 ||
        memchr(permute->puzzle.goal, BOARD_OPEN, permute->puzzle.board.places) != NULL)
        return PDB_OK;
    struct candidates *candidates = malloc(sizeof *candidates);
    if (candidates == NULL)
        return error_no_memory(error, "choosing patterns", sizeof *candidates);
    for (unsigned move = 0; status == PDB_OK && move < permute->moves; move++)
        if (!is_image(permute->symmetries, move))
            status = try_subgroup(choice, move, room, candidates, best, error);
    free(candidates);
    return status;
}

/* Patterns tile by tile; if one by symmetry was chosen, in its place where each move is noticed by these, and not by
 * that. */
static pdb_status choose_by_tiles(struct choice *choice, const struct permute_room *room,
                                  struct permute_patterns *patterns, bool *by_symmetry, pdb_error *error)
{
    const struct permute *permute = choice->permute;
    const long double proper = permute_count(permute) / PROPER_SHARE;
    struct permute_patterns by_tiles = {0};
    bool all = false;
    pdb_status status = *by_symmetry ? permute_notices_all(permute, patterns, &all, error) : PDB_OK;
    if (status != PDB_OK || all)
        return status;
    status = choose(choice, room->several / 2 < proper ? room->several / 2 : proper, room->several, &by_tiles, error);
    if (status == PDB_OK && *by_symmetry)
        status = permute_notices_all(permute, &by_tiles, &all, error);
    if (status == PDB_OK && (all || !*by_symmetry)) {
        *patterns = by_tiles;
        *by_symmetry = false;
    }
    return status;
}

pdb_status permute_choose_patterns(const struct permute *permute, const struct permute_room *room, bool *by_symmetry,
                                   struct permute_patterns *patterns, pdb_error *error)
{
    struct choice *choice = calloc(1, sizeof *choice);
    struct candidate best = {0};
    pdb_status status = PDB_OK;
    patterns->count = 0;
    if (choice == NULL)
        return error_no_memory(error, "choosing patterns", sizeof *choice);
    choice->permute = permute;
    for (unsigned o = 0; o < permute->orbits; o++)
        list_orbit(choice, o);
    if (*by_symmetry)
        status = choose_by_symmetry(choice, room, &best, error);
    *by_symmetry = best.states > 0;
    patterns->count = *by_symmetry;
    patterns->pattern[0] = best.pattern;
    if (status == PDB_OK)
        status = choose_by_tiles(choice, room, patterns, by_symmetry, error);
    free(choice);
    return status;
}
