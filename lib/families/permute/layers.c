/* layers.c -- layers of permutations a row at a time: the kernel of lib/search/space/layers.h
 *
 * A group is a row (rows.c): consecutive states that differ in the last coordinates only. A move takes all of a
 * row to one other row, and the places in it by a permutation, of which there are few: one for each turn of the far
 * orders (and for each parity, where the orbit is halved), or one for each move. So a row asks one other row a move,
 *
 *     found[place] |= last[to[place]]         for every place that is still wanted
 *
 * and of three ways to do so the cheapest is taken:
 *
 *   pieces   A turn of what stands in front leaves the last digits of the order alone: places go in runs. A piece is a
 *            run inside one word and one word:   found: ..|....pppppp..|..     last: ..|..pppppp....|..
 *            Runs cost the same however many states are in them.
 *   pulled   every place that is wanted looks up its own
 *   pushed   every state of the last layer is put where it came from
 *
 * Rows lie as their indices do, place 64 w + b at bit b of word w.
 */
#include "lib/search/space/layers.h"
#include "permute.h"

#include <stdlib.h>
#include <string.h>

enum {
    LEAST_STATES = 100, /* in a row: with fewer, more time goes into rows than into states */
    MEAN_PIECE = 8,     /* states: with fewer in the mean, pieces do not pay */
    FEW_WORDS = 32,     /* of a row: their bits are counted; of more, those of one word in so many */
    SAMPLE = 8,
    LINE_WORDS = 8,
    AHEAD_WORDS = 128,
    /* what it costs to do one of each, measured */
    PIECE_COST = 4,
    PULL_COST = 4,
    PUSH_COST = 5
};

/* A run of places from one word to another: the first ones. */
struct piece {
    uint16_t from, to, length;
};

/* A permutation of the places of a row. */
struct turn {
    uint16_t *target, *origin; /* of a place: that of its neighbour; and back */
    struct piece *piece;       /* from the neighbours' row; NULL where they would be too short */
    uint32_t pieces;
};

struct permute_layers {
    struct layer_kernel kernel;
    const struct permute *permute;
    struct permute *enlarged; /* the same, where it is this search's own; else NULL */
    unsigned turns;
    struct turn *turn;
    uint16_t *places;      /* of all turns: targets and origins */
    struct piece *scratch; /* a row's, for making them */
};

static const struct permute_layers *layers_of(const struct layer_kernel *kernel)
{
    return (const struct permute_layers *)kernel;
}

/* -- places -- */

static uint32_t permute_layer_states(const struct layer_kernel *kernel, uint64_t group)
{
    (void)group;
    return (uint32_t)layers_of(kernel)->permute->row;
}

static uint64_t permute_layer_address(const struct layer_kernel *kernel, uint64_t index)
{
    const uint64_t row = layers_of(kernel)->permute->row, place = index % row;
    return layer_address(index / row, place / 64, place % 64);
}

static uint64_t permute_layer_index(const struct layer_kernel *kernel, uint64_t address)
{
    const uint64_t group = address / layer_address(1, 0, 0);
    return group * layers_of(kernel)->permute->row + address % layer_address(1, 0, 0);
}

static void permute_layer_arrange(const struct layer_kernel *kernel, uint64_t group, const uint64_t *words,
                                  uint64_t *bitmap)
{
    (void)group;
    memcpy(bitmap, words, kernel->words_max * sizeof *bitmap);
}

/* -- sources -- */

static size_t permute_layer_sources(const struct layer_kernel *kernel, uint64_t group, uint64_t *source)
{
    const struct permute *permute = layers_of(kernel)->permute;
    struct permute_row_moves row;
    permute_row_begin(permute, 0, group * permute->row, &row);
    for (unsigned m = 0; m < permute->moves; m++)
        source[m] = row.base[m] / permute->row;
    return permute->moves;
}

/* -- pulling: compiled for what some processors can, and in plain C -- */

#define ALWAYS_INLINE __attribute__((always_inline)) static inline

/* A row that asks others. */
struct asking {
    uint32_t words;
    uint64_t *left, *found; /* what is still wanted; what was found */
};

/* How many states there are in a row's words, about: to count all would cost as much as the work. */
ALWAYS_INLINE uint64_t estimate(const uint64_t *words, uint32_t count)
{
    const uint32_t step = count < FEW_WORDS ? 1 : SAMPLE;
    uint64_t sum = 0;
    for (uint32_t w = 0; w < count; w += step)
        sum += (unsigned)__builtin_popcountll(words[w]);
    return sum * step;
}

ALWAYS_INLINE void move_pieces(const struct asking *row, const struct turn *turn, const uint64_t *last)
{
    for (uint32_t i = 0; i < turn->pieces; i++) {
        const struct piece *piece = &turn->piece[i];
        const uint64_t bits = last[piece->from / 64] >> piece->from % 64 & UINT64_MAX >> (64 - piece->length);
        row->found[piece->to / 64] |= bits << piece->to % 64;
    }
}

ALWAYS_INLINE void push_bits(const struct asking *row, const struct turn *turn, const uint64_t *last)
{
    for (uint32_t w = 0; w < row->words; w++)
        for (uint64_t bits = last[w]; bits != 0; bits &= bits - 1) {
            const unsigned to = turn->origin[64 * w + (unsigned)__builtin_ctzll(bits)];
            row->found[to / 64] |= (uint64_t)1 << to % 64;
        }
}

ALWAYS_INLINE void pull_bits(const struct asking *row, const struct turn *turn, const uint64_t *last)
{
    for (uint32_t w = 0; w < row->words; w++) {
        uint64_t found = 0;
        for (uint64_t bits = row->left[w]; bits != 0; bits &= bits - 1) {
            const unsigned bit = (unsigned)__builtin_ctzll(bits), from = turn->target[64 * w + bit];
            found |= (last[from / 64] >> from % 64 & 1) << bit;
        }
        row->found[w] |= found;
    }
}

/* What one move finds, by the cheapest way. False: nothing is left to be found. */
ALWAYS_INLINE bool ask(const struct asking *row, const struct turn *turn, const uint64_t *last)
{
    const uint64_t push = PUSH_COST * estimate(last, row->words), pull = PULL_COST * estimate(row->left, row->words);
    uint64_t any = 0;
    if (turn->piece != NULL && PIECE_COST * turn->pieces <= (push < pull ? push : pull))
        move_pieces(row, turn, last);
    else if (push <= pull)
        push_bits(row, turn, last);
    else
        pull_bits(row, turn, last);
    for (uint32_t w = 0; w < row->words; w++)
        any |= row->left[w] &= ~row->found[w];
    return any != 0;
}

/* The number of the turn by a move. */
static unsigned turn_of(const struct permute *permute, const struct permute_row_moves *row, unsigned move)
{
    if (permute->row_kind == ROW_TABLE)
        return move;
    return permute->orbit[permute->moving - 1].halved ? 2 * row->turn[move] + row->odd : row->turn[move];
}

/* Asks for the beginnings of rows before they are needed; the processor sees for itself how they go on. */
ALWAYS_INLINE void prefetch(const uint64_t *const *source, unsigned count, uint32_t words)
{
    for (unsigned m = 0; m < count; m++)
        for (uint32_t w = 0; source[m] != NULL && w < words && w < AHEAD_WORDS; w += LINE_WORDS)
            __builtin_prefetch(source[m] + w);
}

/* What all moves find for a row. */
ALWAYS_INLINE void pull_loop(const struct permute_layers *layers, uint64_t group, const uint64_t *const *source,
                             const uint64_t *want, uint64_t *found)
{
    const struct permute *permute = layers->permute;
    _Alignas(LINE_WORDS * sizeof(uint64_t)) uint64_t left[LAYER_WORDS_MAX];
    const struct asking asking = {layers->kernel.words_max, left, found};
    struct permute_row_moves row;
    prefetch(source, permute->moves, asking.words);
    /* Which turn each move makes depends on the row's near order and its parity: worked out once for all its places. */
    permute_row_begin(permute, 0, group * permute->row, &row);
    memcpy(left, want, asking.words * sizeof *left);
    memset(found, 0, asking.words * sizeof *found);
    /* Moves that take pieces are made in the first pass: they leave fewer places to be asked for one by one. */
    bool any = true;
    for (unsigned pass = 0; pass < 2; pass++)
        for (unsigned m = 0; m < permute->moves && any; m++) {
            const struct turn *turn = &layers->turn[turn_of(permute, &row, m)];
            if (source[m] != NULL && (turn->piece == NULL) == pass)
                any = ask(&asking, turn, source[m]);
        }
}

static void pull_portable(const struct layer_kernel *kernel, uint64_t group, const uint64_t *const *source,
                          const uint64_t *want, uint64_t *found)
{
    pull_loop(layers_of(kernel), group, source, want, found);
}

#ifdef __x86_64__
__attribute__((target("avx2,bmi,bmi2,popcnt"))) static void pull_avx2(const struct layer_kernel *kernel, uint64_t group,
                                                                      const uint64_t *const *source,
                                                                      const uint64_t *want, uint64_t *found)
{
    pull_loop(layers_of(kernel), group, source, want, found);
}
#endif

/* -- turns -- */

/* Where a turn takes a place. */
static uint64_t turned(const struct permute *permute, unsigned turn, uint64_t place)
{
    if (permute->row_kind == ROW_TABLE)
        return permute->tail_to[place * permute->all_moves + turn];
    const struct permute_orbit *orbit = &permute->orbit[permute->moving - 1];
    const uint64_t far = permute_row_far(orbit, place, orbit->halved ? turn & 1 : 0);
    return orbit->far_to[far * orbit->turns + (turn >> orbit->halved)] >> orbit->halved;
}

/* Lists the pieces in `scratch`; 0 where there would be more than `most`. */
static uint32_t list_pieces(const struct permute_layers *layers, const struct turn *turn, uint32_t most)
{
    struct piece *piece = layers->scratch;
    uint32_t pieces = 0;
    for (uint32_t to = 0; to < layers->permute->row; to++) {
        const uint16_t from = turn->target[to];
        if (to % 64 > 0 && from % 64 > 0 && piece->from + piece->length == from) {
            piece->length++;
            continue;
        }
        if (pieces == most)
            return 0;
        piece = &layers->scratch[pieces++];
        *piece = (struct piece){from, (uint16_t)to, 1};
    }
    return pieces;
}

static bool make_pieces(struct permute_layers *layers, struct turn *turn)
{
    const uint32_t pieces = list_pieces(layers, turn, (uint32_t)layers->permute->row / MEAN_PIECE);
    if (pieces == 0)
        return true;
    turn->piece = malloc(pieces * sizeof *turn->piece);
    if (turn->piece == NULL)
        return false;
    memcpy(turn->piece, layers->scratch, pieces * sizeof *turn->piece);
    turn->pieces = pieces;
    layers->kernel.bytes += pieces * sizeof *turn->piece;
    return true;
}

static bool make_turns(struct permute_layers *layers)
{
    const size_t row = layers->permute->row, places = 2 * layers->turns * row;
    layers->turn = calloc(layers->turns, sizeof *layers->turn);
    layers->places = malloc(places * sizeof *layers->places);
    layers->scratch = malloc(row * sizeof *layers->scratch);
    layers->kernel.bytes = sizeof *layers + (layers->enlarged != NULL ? permute_tables_bytes(layers->enlarged) : 0) +
                           layers->turns * sizeof *layers->turn + places * sizeof *layers->places +
                           row * sizeof *layers->scratch;
    if (layers->turn == NULL || layers->places == NULL || layers->scratch == NULL)
        return false;
    for (unsigned number = 0; number < layers->turns; number++) {
        struct turn *turn = &layers->turn[number];
        turn->target = layers->places + 2 * number * row;
        turn->origin = turn->target + row;
        for (uint64_t place = 0; place < row; place++) {
            const uint64_t target = turned(layers->permute, number, place);
            turn->target[place] = (uint16_t)target;
            turn->origin[target] = (uint16_t)place;
        }
        if (!make_pieces(layers, turn))
            return false;
    }
    return true;
}

/* -- making one -- */

static void permute_layers_free(struct layer_kernel *kernel)
{
    struct permute_layers *layers = (struct permute_layers *)kernel;
    for (unsigned number = 0; layers->turn != NULL && number < layers->turns; number++)
        free(layers->turn[number].piece);
    free(layers->turn);
    free(layers->places);
    free(layers->scratch);
    permute_enlarged_free(layers->enlarged);
    free(layers);
}

/* With a colouring, have all states of a row one colour? What a place adds to a row's colour is the same in all
 * rows. */
static bool is_plain(const struct permute *permute)
{
    for (uint64_t place = 0; permute->puzzle.coloured && place < permute->row; place++) {
        const uint64_t index[2] = {0, place};
        uint8_t colour[2];
        permute->puzzle.family->index.colours(&permute->puzzle, index, 2, colour);
        if (colour[0] != colour[1])
            return false;
    }
    return true;
}

static bool has_rows(const struct permute *permute)
{
    return permute->row >= LEAST_STATES && permute->row <= 64 * LAYER_WORDS_MAX && is_plain(permute);
}

/* The kernel of a puzzle that has rows. `enlarged`: the puzzle, where it is to be the kernel's, also if this fails. */
static pdb_status make_kernel(const struct permute *permute, struct permute *enlarged, bool portable,
                              struct layer_kernel **out, pdb_error *error)
{
    struct permute_layers *layers = calloc(1, sizeof *layers);
    if (layers == NULL) {
        permute_enlarged_free(enlarged);
        return error_no_memory(error, "the search", sizeof *layers);
    }
    const struct permute_orbit *last = &permute->orbit[permute->moving - 1];
    layers->permute = permute;
    layers->enlarged = enlarged;
    layers->turns = permute->row_kind == ROW_TABLE ? permute->moves : last->turns << last->halved;
    struct layer_kernel *kernel = &layers->kernel;
    kernel->groups = permute->puzzle.states / permute->row;
    kernel->bits = 64;
    kernel->run = 1;
    kernel->words_max = (uint32_t)(permute->row + 63) / 64;
    kernel->words = kernel->groups * kernel->words_max;
    kernel->sources_max = permute->moves;
    kernel->portable = portable;
    kernel->free = permute_layers_free;
    kernel->states = permute_layer_states;
    kernel->address = permute_layer_address;
    kernel->index = permute_layer_index;
    kernel->sources = permute_layer_sources;
    kernel->pull = pull_portable;
#ifdef __x86_64__
    if (!portable && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt"))
        kernel->pull = pull_avx2;
#endif
    kernel->arrange = permute_layer_arrange;
    if (!make_turns(layers)) {
        const pdb_status status = error_no_memory(error, "the search", kernel->bytes);
        permute_layers_free(kernel);
        return status;
    }
    *out = kernel;
    return PDB_OK;
}

pdb_status permute_layers_make(const struct puzzle *puzzle, bool portable, uint64_t memory, struct layer_kernel **out,
                               pdb_error *error)
{
    const struct permute *permute = (const struct permute *)puzzle;
    struct permute *enlarged;
    *out = NULL;
    if (!puzzle->undoable || puzzle->states == 0)
        return PDB_OK;
    if (has_rows(permute))
        return make_kernel(permute, NULL, portable, out, error);
    const pdb_status status = permute_enlarge(permute, memory, &enlarged, error);
    if (status != PDB_OK || enlarged == NULL)
        return status;
    if (has_rows(enlarged))
        return make_kernel(enlarged, enlarged, portable, out, error);
    permute_enlarged_free(enlarged);
    return PDB_OK;
}
