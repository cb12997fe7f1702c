/* test_classes.c -- tables with an entry for a class of states: they say what plain tables of the same patterns say, of
 * every state; of known puzzles, and of random ones made to be symmetric: with twists that a reflection turns over,
 * with orbits that a symmetry exchanges, with symmetries that keep no pattern, and with none
 */
#include "lib/families/permute/search/table.h"
#include "tests/support/family_search.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct permute *permute_of(const struct puzzle *puzzle)
{
    return (const struct permute *)puzzle;
}

/* What a table is made for. */
struct made {
    unsigned parts, symmetries;
    uint64_t entries, states;
};

/* The memory that is announced has room for what making the table takes for a while: an image for each class and
 * symmetry, and as much again where their array grows. (32 MiB are announced whatever the pattern.) */
static void check_memory(const struct permute *permute, const struct permute_table *table)
{
    char text[PATTERNS_TEXT_MAX] = "", shape[PATTERNS_TEXT_MAX] = "";
    struct permute_table_size size;
    struct patterns patterns;
    pdb_error error;
    cr_assert(permute_write_pattern(permute, &table->pattern, text, shape));
    cr_assert(permute_table_size(permute, &table->pattern, &size, &error) == PDB_OK, "%s", error.message);
    cr_assert(permute_pattern_family.read(&permute->puzzle, text, 0, &patterns, &error) == PDB_OK, "%s", error.message);
    cr_expect(patterns.memory >=
                  patterns.bytes + (32 << 20) + size.memory + 2 * table->classes * table->symmetries * sizeof(uint32_t),
              "%s: '%s'", permute->puzzle.name, text);
}

/* Building that is broken off: at a layer where what is there is kept, or within one by the observer. */
struct pieces {
    struct pattern_progress progress;
    uint64_t asked, stop_at, kept;
};

static pdb_status stop_at_layer(void *context, pdb_error *error)
{
    struct pieces *pieces = context;
    cr_assert(pieces->progress.layers >= pieces->kept);
    pieces->kept = pieces->progress.layers;
    return ++pieces->asked == pieces->stop_at ? error_set(error, PDB_INTERRUPTED, "stopped") : PDB_OK;
}

static bool stop_within_layer(void *context, uint64_t done)
{
    struct pieces *pieces = context;
    (void)done;
    return ++pieces->asked != pieces->stop_at;
}

/* A table that is built in pieces, each by another run, has the same bytes. */
static void build_in_pieces(const struct permute_table *table, unsigned threads, const uint8_t *wanted)
{
    const uint64_t size = permute_pattern_bytes(table->part[0], &table->pattern, table->entries);
    uint8_t *bytes = checked_memory(size, 1);
    struct pieces pieces = {.stop_at = 1};
    pdb_error error;
    pdb_status status = PDB_INTERRUPTED;
    memset(bytes, 0, size);
    for (unsigned run = 0; status == PDB_INTERRUPTED; run++) {
        struct pattern_work work = {.threads = threads, .context = &pieces, .progress = &pieces.progress};
        pieces.asked = 0;
        pieces.stop_at = run < 8 ? 1 + run / 4 : UINT64_MAX;
        if (run % 2 == 0)
            work.keep = stop_at_layer;
        else
            work.observe = stop_within_layer;
        status = permute_table_fill(table, &work, 0, bytes, &error);
    }
    cr_assert(status == PDB_OK, "%s", error.message);
    cr_expect(memcmp(bytes, wanted, size) == 0);
    free(bytes);
}

/* What a bounded table of the same pattern says: distances up to its cap, and of an entry alone that or no more; that
 * is all where no entry of the block is nearer than the three distances below the cap. */
static void compare_bounded(const struct permute_table *plain, const struct puzzle *whole, const uint8_t *distance,
                            unsigned threads, uint64_t step)
{
    struct permute_table table = *plain; /* its arrays are the other's */
    struct permute_coordinates at[PERMUTE_PARTS_MAX * BOARD_BYTE_CELLS];
    uint8_t position[BOARD_MAX_CELLS];
    pdb_error error;
    table.pattern.bounded = true;
    uint8_t *bytes = checked_memory(permute_pattern_bytes(table.part[0], &table.pattern, table.entries), 1);
    bool *near = checked_memory(table.entries / PERMUTE_BLOCK + 1, sizeof *near);
    const struct pattern_work work = {.threads = threads};
    const struct pattern_look look = {.bytes = bytes};
    cr_assert(permute_table_fill(&table, &work, 0, bytes, &error) == PDB_OK, "%s", error.message);
    build_in_pieces(&table, threads, bytes);
    permute_table_read_cap(&table, &look);
    cr_assert(table.cap > 3);
    for (unsigned pass = 0; pass < 2; pass++)
        for (uint64_t i = 0; i < whole->states; i += pass == 0 ? 1 : step) {
            if (pass == 0 && distance[i] + 3U >= table.cap)
                continue;
            whole->family->position.unrank(whole, i, position);
            if (!permute_table_place(&table, position, at))
                continue;
            const uint64_t entry = permute_table_entry(&table, at);
            near[entry / PERMUTE_BLOCK] |= pass == 0;
            if (pass == 0)
                continue;
            const unsigned capped = distance[i] < table.cap ? distance[i] : table.cap,
                           bound = permute_table_bound(&table, &look, entry);
            cr_assert(permute_table_distance(&table, &look, at) == capped);
            cr_assert(bound == (near[entry / PERMUTE_BLOCK] && capped < table.cap ? 0 : capped), "%u, not %u of %u",
                      bound, capped, table.cap);
        }
    free(near);
    free(bytes);
}

/* Fills a pattern's table, and holds each state's entry against the distance in the relaxation itself, which a plain
 * search through its successors tells. All states of the relaxation that any position looks like, every `step`th. */
static struct made compare(const struct puzzle *puzzle, const char *text, unsigned threads, uint64_t step)
{
    const struct permute *permute = permute_of(puzzle);
    struct permute_patterns patterns = {0};
    struct permute_table table;
    struct permute *whole;
    struct permute_coordinates at[PERMUTE_PARTS_MAX * BOARD_BYTE_CELLS];
    uint8_t position[BOARD_MAX_CELLS];
    size_t offset;
    pdb_error error;
    cr_assert(permute_parse_patterns(permute, text, &patterns, &offset, &error) == PDB_OK, "%s", error.message);
    cr_assert(permute_table_make(permute, &patterns.pattern[0], &table, &error) == PDB_OK, "%s", error.message);
    cr_assert(permute_relax(permute, &patterns.pattern[0], &whole, &error) == PDB_OK, "%s", error.message);
    check_memory(permute, &table);
    const struct made made = {table.parts, table.parts > 1 ? table.symmetries : 1, table.entries, whole->puzzle.states};
    uint8_t *bytes = checked_memory(permute_table_bytes(permute, table.entries), 1),
            *distance = family_distances(&whole->puzzle);
    const struct pattern_work work = {.threads = threads};
    cr_assert(permute_table_fill(&table, &work, 0, bytes, &error) == PDB_OK, "%s", error.message);
    const struct pattern_look look = {.bytes = bytes};
    build_in_pieces(&table, threads, bytes);
    for (uint64_t i = 0; i < whole->puzzle.states; i += step) {
        whole->puzzle.family->position.unrank(&whole->puzzle, i, position);
        const uint32_t found = permute_table_place(&table, position, at) ? permute_table_distance(&table, &look, at)
                                                                         : BOUND_NEVER;
        cr_assert(found == (distance[i] == FAMILY_SEARCH_NONE ? BOUND_NEVER : distance[i]),
                  "%s: '%s': state %llu: %u, not %u", puzzle->name, text, (unsigned long long)i, found, distance[i]);
    }
    if (table.parts > 1)
        compare_bounded(&table, &whole->puzzle, distance, threads, step);
    free(distance);
    free(bytes);
    permute_table_free(&table);
    permute_relaxed_free(whole);
    return made;
}

/* The symmetries that keep a pattern, known from geometry: of the cube's those that keep an axis, and all where a part
 * is the same from every side. What has no symmetry, one orbit alone, or so few states that they do not pay, has an
 * entry for each state. */
Test(permute_classes, known)
{
    static const struct {
        const char *name, *pattern;
        unsigned parts, symmetries;
        uint64_t step;
    } known[] = {
        {"cube-3x3x3", "(FR FL BL BR) +URF", 2, 16, 17},
        {"cube-3x3x3", "(URF ULB DLF DRB) (UF UB DF DB) (UR UL DR DL)", 2, 48, 29},
        {"cube-3x3x3", "(UF UB DF DB) +URF", 2, 8, 17},
        {"cube-3x3x3", "UR UF +UR", 1, 1, 11},
        {"skewb", "(UFL UBR) (U D) +UFL +UFR", 2, 2, 1},
        {"pyraminx", "(UL UB UR) +U +UL", 2, 2, 1},
        {"topspin-10", "1 2 3 4 5", 1, 1, 1},
        {"pancakes-8", "1 2 3 4", 1, 1, 1},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i += short_step(2)) {
        struct puzzle *puzzle = built_in(known[i].name);
        const struct made made = compare(puzzle, known[i].pattern, 1 + (unsigned)i % 3, known[i].step);
        cr_expect(made.parts == known[i].parts && made.symmetries == known[i].symmetries, "%s: '%s': %u parts, %u",
                  known[i].name, known[i].pattern, made.parts, made.symmetries);
        cr_expect(made.symmetries == 1 ? made.entries == made.states
                                       : made.entries < made.states && made.entries * made.symmetries >= made.states);
        puzzle_free(puzzle);
    }
}

/* Two rings that all moves turn alike: exchanging them renames no move, so a symmetry that keeps a pattern may rename
 * the moves as one does that keeps none. */
#define TWINS(places, last)                                                                                            \
    "puzzle: twins\nfamily: permute\nplaces: " places "\nturns: all\ngenerators:\n"                                    \
    "  A: (a1 a2 a3)(b1 b2 b3)\n  B: (a3 a4 a5)(b3 b4 b5)\n  C: " last "\n"

Test(permute_classes, twins)
{
    static const char six[] = TWINS("a1 b2 a2 b1 a3 b4 a4 b3 b5 a5 b6 a6", "(a5 a6 a1)(b5 b6 b1)"),
                      twisted[] = TWINS("b1 a1 b2 a2 b3 a3 b4 a4 b5 a5 b6 a6", "(a5 a6 a1)(b5 b6 b1)");
    static const struct {
        const char *puzzle, *pattern;
    } known[] = {
        {six, "(a1 a3 a5) b1 b2 b3 b4 b5 b6"},
        {six, "a1 a2 a3 (b1 b2 b3)"},
        {six, "a1 a3 a5 (b2 b4 b6)"},
        {six, "(a1 a3 a5) (b1 b3 b5)"},
        {twisted, "(a1 a3 a5) b1 b2 b3 b4 b5 b6"},
    };
    unsigned divided = 0;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct puzzle *puzzle = make_puzzle(known[i].puzzle);
        divided += compare(puzzle, known[i].pattern, 1, 13).parts > 1;
        puzzle_free(puzzle);
    }
    cr_expect(divided >= 3, "%u", divided);
}

/* -- random puzzles that are symmetric -- */

enum { PLACES_MAX = 12 };

/* Two orbits: `size` places from `from` on, which turn by 1 / modulus. */
struct shape {
    unsigned size[2], modulus[2], factor; /* of the symmetry: modulus - 1 turns the other way round */
};

struct move {
    unsigned to[PLACES_MAX], twist[PLACES_MAX];
};

static unsigned places_of(const struct shape *shape)
{
    return shape->size[0] + shape->size[1];
}

static unsigned modulus_of(const struct shape *shape, unsigned place)
{
    return shape->modulus[place >= shape->size[0]];
}

/* A permutation of the places of each orbit, or of both with one another. */
static void random_renaming(const struct shape *shape, bool exchange, uint64_t *random, unsigned *name)
{
    const unsigned places = places_of(shape);
    for (unsigned i = 0; i < places; i++)
        name[i] = exchange ? (i + shape->size[0]) % places : i;
    for (unsigned i = 0; !exchange && i < places; i++) {
        const unsigned end = i < shape->size[0] ? shape->size[0] : places,
                       other = i + (unsigned)random_below(random, end - i), kept = name[i];
        name[i] = name[other];
        name[other] = kept;
    }
}

/* A cycle of three or four places in each orbit, with twists whose sum is 0. */
static struct move random_move(const struct shape *shape, uint64_t *random)
{
    struct move move = {0};
    for (unsigned i = 0; i < places_of(shape); i++)
        move.to[i] = i;
    for (unsigned o = 0, from = 0; o < 2; from += shape->size[o++]) {
        unsigned place[PLACES_MAX], sum = 0;
        const unsigned length = 3 + (unsigned)random_below(random, 2);
        for (unsigned i = 0; i < shape->size[o]; i++)
            place[i] = from + i;
        for (unsigned i = 0; i < length; i++) {
            const unsigned other = i + (unsigned)random_below(random, shape->size[o] - i), kept = place[i];
            place[i] = place[other];
            place[other] = kept;
        }
        for (unsigned i = 0; i < length; i++) {
            move.to[place[i]] = place[(i + 1) % length];
            move.twist[place[i]] = i + 1 < length ? (unsigned)random_below(random, shape->modulus[o])
                                                  : (shape->modulus[o] - sum) % shape->modulus[o];
            sum = (sum + move.twist[place[i]]) % shape->modulus[o];
        }
    }
    return move;
}

static struct move renamed(const struct shape *shape, const struct move *move, const unsigned *name)
{
    struct move image;
    for (unsigned i = 0; i < places_of(shape); i++) {
        const unsigned modulus = modulus_of(shape, i);
        image.to[name[i]] = name[move->to[i]];
        image.twist[name[i]] = (shape->factor == 1 ? move->twist[i] : modulus - move->twist[i]) % modulus;
    }
    return image;
}

static bool same(const struct shape *shape, const struct move *a, const struct move *b, bool back)
{
    bool equal = true;
    for (unsigned i = 0; i < places_of(shape); i++) {
        const unsigned to = a->to[i];
        equal = equal && (back ? b->to[to] == i && (a->twist[i] + b->twist[to]) % modulus_of(shape, i) == 0
                               : b->to[i] == to && b->twist[i] == a->twist[i]);
    }
    return equal;
}

/* A puzzle with two random moves and all their images by a random renaming. */
static struct puzzle *symmetric_puzzle(const struct shape *shape, bool exchange, uint64_t *random)
{
    enum { MOVES_MAX = 24 };
    static const char twists[][2] = {"", "", "2", "3", "4"};
    struct move move[MOVES_MAX];
    unsigned name[PLACES_MAX], moves = 0;
    char text[8192], *end = text;
    random_renaming(shape, exchange, random, name);
    for (unsigned g = 0; g < 2; g++) {
        struct move image = random_move(shape, random);
        for (bool is_new = true; is_new && moves < MOVES_MAX; image = renamed(shape, &image, name)) {
            for (unsigned m = 0; is_new && m < moves; m++)
                is_new = !same(shape, &image, &move[m], false) && !same(shape, &image, &move[m], true);
            if (is_new)
                move[moves++] = image;
        }
    }
    end += sprintf(end, "puzzle: random\nfamily: permute\nplaces:");
    for (unsigned i = 0; i < places_of(shape); i++)
        end += sprintf(end, " p%u", i);
    end += sprintf(end, "\ntwists:\n");
    for (unsigned o = 0, from = 0; o < 2; from += shape->size[o++]) {
        if (shape->modulus[o] == 1 || (o == 1 && shape->modulus[0] == shape->modulus[1]))
            continue;
        const unsigned last = shape->modulus[0] == shape->modulus[1] ? places_of(shape) : from + shape->size[o];
        end += sprintf(end, "  %s:", twists[shape->modulus[o]]);
        for (unsigned i = from; i < last; i++)
            end += sprintf(end, " p%u", i);
        end += sprintf(end, "\n");
    }
    end += sprintf(end, "generators:\n");
    for (unsigned m = 0; m < moves; m++) {
        bool seen[PLACES_MAX] = {false};
        end += sprintf(end, "  m%u: ", m);
        for (unsigned i = 0; i < places_of(shape); i++) {
            if (seen[i] || move[m].to[i] == i)
                continue;
            end += sprintf(end, "(");
            for (unsigned j = move[m].to[i]; !seen[j]; j = move[m].to[j]) {
                unsigned from = 0;
                while (move[m].to[from] != j)
                    from++;
                seen[j] = true;
                end += sprintf(end, move[m].twist[from] > 0 ? " p%u+%u" : " p%u", j, move[m].twist[from]);
            }
            end += sprintf(end, ")");
        }
        end += sprintf(end, "\n");
    }
    return make_puzzle(text);
}

/* Words for a random union of sets of tiles that symmetries exchange, and for twists. */
static void random_pattern(const struct shape *shape, const struct puzzle *puzzle, uint64_t *random, char *text)
{
    const struct permute_symmetries *symmetries = permute_of(puzzle)->symmetries;
    const char *const separator[] = {"(", " "};
    *text = '\0';
    for (unsigned o = 0, from = 0; o < 2; from += shape->size[o++]) {
        bool taken[BOARD_MAX_SYMBOLS] = {false};
        unsigned words = 0;
        const unsigned begin = from + (unsigned)random_below(random, shape->size[o]);
        for (unsigned s = 0; s < symmetries->count && random_below(random, 8) > 0; s++)
            for (unsigned i = begin; i < begin + 1; i++) {
                const unsigned tile = symmetries->symmetry[s].tile[i];
                if (!taken[tile] && tile >= from && tile < from + shape->size[o])
                    sprintf(text + strlen(text), "%sp%u", separator[words++ > 0], tile);
                taken[tile] = true;
            }
        strcat(text, words > 0 ? ") " : "");
        if (shape->modulus[o] > 1)
            sprintf(text + strlen(text), "+p%u ", from);
    }
}

Test(permute_classes, random)
{
    static const struct {
        struct shape shape;
        bool exchange;
    } kinds[] = {
        {{{5, 6}, {3, 2}, 1}, false}, {{{5, 6}, {3, 2}, 2}, false}, {{{6, 5}, {4, 1}, 3}, false},
        {{{5, 5}, {3, 3}, 1}, true},  {{{6, 6}, {2, 2}, 1}, true},  {{{7, 5}, {1, 3}, 2}, false},
    };
    uint64_t random = 88172645463325252;
    unsigned divided = 0, plain = 0;
    for (unsigned round = 0; round < share_of(48); round++) {
        char text[1000];
        const struct shape *shape = &kinds[round % (sizeof kinds / sizeof *kinds)].shape;
        struct puzzle *puzzle = symmetric_puzzle(shape, kinds[round % (sizeof kinds / sizeof *kinds)].exchange,
                                                 &random);
        random_pattern(shape, puzzle, &random, text);
        const struct made made = *text != '\0' ? compare(puzzle, text, 1 + round % 3, 13) : (struct made){0};
        divided += made.parts > 1;
        plain += made.parts == 1;
        puzzle_free(puzzle);
    }
    cr_expect(divided >= share_of(8) && plain > 0, "%u with classes, %u without", divided, plain);
}
