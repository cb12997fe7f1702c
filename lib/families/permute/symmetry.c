/* symmetry.c -- finding symmetries: moves are matched first, places follow
 *
 * A renaming of the moves, m -> m', decides nearly everything: where one place of an orbit goes, all others of the
 * orbit follow it, as what m does to p, m' does to the image of p:
 *
 *     place[to[p]] = to'[place[p]]        offset[to[p]] = offset[p] + twist'[place[p]] - factor * twist[p]
 *
 * So moves are matched one after another, by trial. A move can only be renamed to one of its kind, and what two moves
 * make one after the other has to be of the kind that their images make. A kind is what renaming leaves alone: how
 * many cycles of which lengths there are, a place counting once for each twist. That leaves few complete renamings (of
 * the cube's moves the 48 that there are); for each, every orbit's first place is sent to every place of orbits of its
 * size and the others after it, until one fits. The goal then says what becomes of the tiles.
 */
#include "symmetry.h"

#include <stdlib.h>
#include <string.h>

/* Some 20 milliseconds' worth of each. */
enum { MAX_WORK = 1 << 22, MAX_KIND_WORK = 1 << 22 };

struct finder {
    const struct permute *permute;
    struct permute_symmetries *found;
    unsigned room;
    uint32_t work;                                                    /* moves that were looked at so far */
    uint64_t *kind;                                                   /* [m][n]: of move m and then n; */
    uint64_t *alone;                                                  /* [m] */
    unsigned first[BOARD_BYTE_CELLS], size[BOARD_BYTE_CELLS], orbits; /* of each orbit: its first place, its places */
    bool still[BOARD_BYTE_CELLS];                                     /* nothing in it ever moves or turns */
    bool move_taken[PERMUTE_MAX_MOVES], orbit_taken[BOARD_BYTE_CELLS];
    bool places_only;           /* whatever becomes of the tiles and the goal; symmetries are counted, and not kept */
    struct permute_symmetry at; /* as far as it is known */
};

/* -- kinds -- */

/* A place and a twist, after a move. */
static unsigned point_after(const struct permute *permute, unsigned move, unsigned point)
{
    const struct permute_move *made = &permute->move[move];
    const unsigned place = point / PERMUTE_MAX_TWIST, twist = point % PERMUTE_MAX_TWIST;
    return made->to[place] * PERMUTE_MAX_TWIST + (twist + (unsigned)made->twist[place]) % permute->modulus[place];
}

static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9;
    x = (x ^ x >> 27) * 0x94D049BB133111EB;
    return x ^ x >> 31;
}

/* Of the permutation that moves[count] make one after the other: a sum over all cycles. */
uint64_t permute_kind(const struct permute *permute, const unsigned *moves, unsigned count)
{
    bool seen[BOARD_BYTE_CELLS * PERMUTE_MAX_TWIST] = {false};
    uint64_t kind = 0;
    for (unsigned place = 0; place < permute->puzzle.board.places; place++)
        for (unsigned twist = 0; twist < permute->modulus[place]; twist++) {
            const unsigned begin = place * PERMUTE_MAX_TWIST + twist;
            unsigned length = 0;
            for (unsigned point = begin; !seen[point]; length++) {
                seen[point] = true;
                for (unsigned i = 0; i < count; i++)
                    point = point_after(permute, moves[i], point);
            }
            if (length > 0)
                kind += mixed(length * (uint64_t)PERMUTE_MAX_TWIST * 2 + permute->modulus[place]);
        }
    return kind;
}

static void find_kinds(struct finder *finder)
{
    const unsigned moves = finder->permute->moves;
    for (unsigned m = 0; m < moves; m++) {
        finder->alone[m] = permute_kind(finder->permute, &m, 1);
        for (unsigned n = 0; n < moves; n++)
            finder->kind[m * moves + n] = permute_kind(finder->permute, (unsigned[]){m, n}, 2);
    }
}

/* -- tiles -- */

static unsigned product(unsigned a, unsigned b, unsigned modulus)
{
    return a * b % modulus;
}

/* What becomes of the tiles, from the goal's cells. False where the goal's image is no goal. */
static bool name_tiles(struct finder *finder)
{
    const struct permute *permute = finder->permute;
    struct permute_symmetry *at = &finder->at;
    const uint8_t *goal = permute->puzzle.goal;
    bool named[BOARD_MAX_SYMBOLS] = {false}, taken[BOARD_MAX_SYMBOLS] = {false};
    for (unsigned place = 0; place < permute->puzzle.board.places; place++) {
        const uint8_t symbol = goal[place], image = goal[at->place[place]];
        if ((symbol == BOARD_OPEN) != (image == BOARD_OPEN))
            return false;
        if (symbol == BOARD_OPEN)
            continue;
        const unsigned tile = permute->tile_of[symbol], to = permute->tile_of[image], modulus = permute->modulus[place],
                       turned = product(at->factor[place], permute->twist_of[symbol], modulus) + at->offset[place];
        const uint8_t shift = (uint8_t)((permute->twist_of[image] + modulus - turned % modulus) % modulus);
        if (named[tile] ? at->tile[tile] != to || at->shift[tile] != shift : taken[to])
            return false;
        named[tile] = taken[to] = true;
        at->tile[tile] = (uint8_t)to;
        at->shift[tile] = shift;
    }
    for (unsigned tile = 0; tile < permute->tiles; tile++)
        if (!named[tile]) { /* the goal does not ask for it */
            if (taken[tile])
                return false;
            taken[tile] = true;
            at->tile[tile] = (uint8_t)tile;
            at->shift[tile] = 0;
        }
    return true;
}

/* Has every orbit, renamed, the tiles of the orbit that its places went to; and are there symbols for all of them? */
static bool tiles_fit(const struct finder *finder)
{
    const struct permute *permute = finder->permute;
    const struct permute_symmetry *at = &finder->at;
    for (unsigned o = 0; o < finder->orbits; o++) {
        int count[BOARD_MAX_SYMBOLS] = {0};
        for (unsigned place = 0; place < permute->puzzle.board.places; place++) {
            const unsigned tile = permute->tile_of[permute->board[place]], to = at->tile[tile],
                           modulus = permute->modulus[place];
            if (permute->orbit_of[place] == permute->orbit_of[at->place[finder->first[o]]])
                count[tile]--;
            if (permute->orbit_of[place] != permute->orbit_of[finder->first[o]])
                continue;
            count[to]++;
            for (unsigned twist = 0; twist < modulus; twist++) {
                const unsigned turned = product(at->factor[place], twist, modulus) + at->offset[place] +
                                        at->shift[tile];
                if (permute->symbol_of[tile][twist] != BOARD_OPEN &&
                    permute->symbol_of[to][turned % modulus] == BOARD_OPEN)
                    return false;
            }
        }
        for (unsigned tile = 0; tile < permute->tiles; tile++)
            if (count[tile] != 0)
                return false;
    }
    return true;
}

/* -- places -- */

/* Sends an orbit's first place to `to`, with a factor, and the others after it. False where that contradicts itself.
 * The moves are renamed. */
static bool send_orbit(struct finder *finder, unsigned orbit, unsigned to, unsigned factor)
{
    const struct permute *permute = finder->permute;
    struct permute_symmetry *at = &finder->at;
    const unsigned begin = finder->first[orbit], modulus = permute->modulus[begin];
    uint8_t queue[BOARD_BYTE_CELLS];
    bool known[BOARD_BYTE_CELLS] = {false}, taken[BOARD_BYTE_CELLS] = {false};
    unsigned count = 1;
    queue[0] = (uint8_t)begin;
    known[begin] = taken[to] = true;
    at->place[begin] = (uint8_t)to;
    at->offset[begin] = 0;
    for (unsigned i = 0; i < count; i++) {
        const unsigned place = queue[i], image = at->place[place];
        at->factor[place] = (uint8_t)factor;
        for (unsigned m = 0; m < permute->moves; m++, finder->work++) {
            const struct permute_move *move = &permute->move[m], *renamed = &permute->move[at->move[m]];
            const unsigned next = move->to[place], next_image = renamed->to[image];
            const uint8_t offset = (uint8_t)((at->offset[place] + (unsigned)renamed->twist[image] + modulus -
                                              product(factor, move->twist[place], modulus)) %
                                             modulus);
            if (known[next] ? at->place[next] != next_image || at->offset[next] != offset : taken[next_image])
                return false;
            if (known[next])
                continue;
            known[next] = taken[next_image] = true;
            at->place[next] = (uint8_t)next_image;
            at->offset[next] = offset;
            queue[count++] = (uint8_t)next;
        }
    }
    return true;
}

/* Can twists be multiplied by it and divided again? */
static bool is_factor(unsigned factor, unsigned modulus)
{
    for (unsigned inverse = 0; inverse < modulus; inverse++)
        if (product(factor, inverse, modulus) == 1 % modulus)
            return true;
    return false;
}

static bool send_somehow(struct finder *finder, unsigned orbit, unsigned to)
{
    const unsigned modulus = finder->permute->modulus[to];
    for (unsigned factor = 1; factor <= modulus; factor++) /* 1 first; with the modulus 1 it is 0 as well */
        if (is_factor(factor, modulus) && send_orbit(finder, orbit, to, factor % modulus))
            return true;
    return false;
}

/* The moves are renamed: sends the orbits from this one on, in every way, and keeps what is a symmetry. */
static void send_orbits(struct finder *finder, unsigned orbit)
{
    const struct permute *permute = finder->permute;
    if (finder->found->count == finder->room || finder->work > MAX_WORK)
        return;
    if (orbit == finder->orbits) {
        if (finder->places_only)
            finder->found->count++;
        else if (name_tiles(finder) && tiles_fit(finder))
            finder->found->symmetry[finder->found->count++] = finder->at;
        return;
    }
    const unsigned begin = finder->first[orbit];
    for (unsigned to = 0; to < permute->puzzle.board.places; to++) {
        const unsigned other = permute->orbit_of[to];
        const bool fits = finder->still[orbit] ? to == begin
                                               : !finder->orbit_taken[other] &&
                                                     finder->size[other] == finder->size[permute->orbit_of[begin]] &&
                                                     permute->modulus[to] == permute->modulus[begin];
        if (!fits || !send_somehow(finder, orbit, to))
            continue;
        finder->orbit_taken[other] = true;
        send_orbits(finder, orbit + 1);
        finder->orbit_taken[other] = false;
    }
}

/* -- moves -- */

static bool move_fits(const struct finder *finder, unsigned move, unsigned to)
{
    const unsigned moves = finder->permute->moves;
    const uint8_t *renamed = finder->at.move;
    if (finder->move_taken[to] || finder->alone[move] != finder->alone[to])
        return false;
    for (unsigned m = 0; m < move; m++)
        if (finder->kind[m * moves + move] != finder->kind[renamed[m] * moves + to] ||
            finder->kind[move * moves + m] != finder->kind[to * moves + renamed[m]])
            return false;
    return true;
}

/* Renames the moves from this one on, in every way. The identity comes first. */
static void match_moves(struct finder *finder, unsigned move)
{
    const unsigned moves = finder->permute->moves;
    finder->work += moves;
    if (finder->found->count == finder->room || finder->work > MAX_WORK)
        return;
    if (move == moves) {
        send_orbits(finder, 0);
        return;
    }
    for (unsigned to = 0; to < moves; to++)
        if (move_fits(finder, move, to)) {
            finder->move_taken[to] = true;
            finder->at.move[move] = (uint8_t)to;
            match_moves(finder, move + 1);
            finder->move_taken[to] = false;
        }
}

/* -- all together -- */

static void find_orbits(struct finder *finder)
{
    const struct permute *permute = finder->permute;
    for (unsigned place = 0; place < permute->puzzle.board.places; place++) {
        const unsigned orbit = permute->orbit_of[place];
        if (finder->size[orbit]++ == 0) {
            finder->still[finder->orbits] = true;
            finder->first[finder->orbits++] = place;
        }
        for (unsigned m = 0; m < permute->moves; m++)
            for (unsigned o = 0; o < finder->orbits; o++)
                if (permute->orbit_of[finder->first[o]] == orbit &&
                    (permute->move[m].to[place] != place || permute->move[m].twist[place] != 0))
                    finder->still[o] = false;
    }
}

/* The identity alone: for puzzles whose moves are too many to be compared. */
static void add_identity(struct finder *finder)
{
    for (unsigned m = 0; m < finder->permute->moves; m++)
        finder->at.move[m] = (uint8_t)m;
    finder->room = 1;
    send_orbits(finder, 0);
    finder->found->all = false;
}

/* What comparing all pairs of moves takes. */
static uint64_t kind_work(const struct permute *permute)
{
    uint64_t points = 0;
    for (unsigned place = 0; place < permute->puzzle.board.places; place++)
        points += permute->modulus[place];
    return points * permute->moves * permute->moves;
}

/* An orbit's offsets are told from one another by its first place's, which is 0, and the tiles' shifts make up for
 * that. Tiles that the goal does not ask for have none: where they turn, symmetries made one after the other may be
 * none of those found. */
static bool absorbs(const struct permute *permute)
{
    for (unsigned place = 0; place < permute->puzzle.board.places; place++)
        if (permute->puzzle.goal[place] == BOARD_OPEN && permute->modulus[place] > 1)
            return false;
    return true;
}

static void find(struct finder *finder)
{
    finder->found->count = 0;
    finder->found->all = true;
    find_orbits(finder);
    if (kind_work(finder->permute) > MAX_KIND_WORK) {
        add_identity(finder);
        return;
    }
    find_kinds(finder);
    match_moves(finder, 0);
    finder->found->all = finder->found->count < finder->room && finder->work <= MAX_WORK && absorbs(finder->permute);
}

pdb_status permute_symmetries_find(const struct permute *permute, struct permute_symmetries **out, pdb_error *error)
{
    const size_t moves = permute->moves, bytes = sizeof **out + PERMUTE_SYMMETRIES_MAX * sizeof *(*out)->symmetry;
    struct finder *finder = calloc(1, sizeof *finder);
    struct permute_symmetries *found = malloc(bytes);
    uint64_t *kinds = malloc((moves + 1) * moves * sizeof *kinds);
    *out = NULL;
    if (finder == NULL || found == NULL || kinds == NULL) {
        free(finder);
        free(found);
        free(kinds);
        return error_no_memory(error, "the symmetries", bytes);
    }
    *finder = (struct finder){.permute = permute,
                              .found = found,
                              .room = PERMUTE_SYMMETRIES_MAX,
                              .kind = kinds,
                              .alone = kinds + moves * moves};
    find(finder);
    free(kinds);
    free(finder);
    *out = realloc(found, sizeof *found + found->count * sizeof *found->symmetry);
    *out = *out != NULL ? *out : found; /* less memory than there is: it cannot fail in earnest */
    return PDB_OK;
}

bool permute_places_follow(const struct permute *permute, const uint8_t *move)
{
    struct permute_symmetries found = {.count = 0};
    struct finder finder = {.permute = permute, .found = &found, .room = 1, .places_only = true};
    memcpy(finder.at.move, move, permute->moves);
    find_orbits(&finder);
    send_orbits(&finder, 0);
    return found.count > 0 || finder.work > MAX_WORK;
}

void permute_symmetry_image(const struct permute *permute, const struct permute_symmetry *symmetry,
                            const uint8_t *position, uint8_t *image)
{
    for (unsigned place = 0; place < permute->puzzle.board.places; place++) {
        const uint8_t symbol = position[place];
        const unsigned tile = permute->tile_of[symbol], modulus = permute->modulus[place],
                       twist = product(symmetry->factor[place], permute->twist_of[symbol], modulus) +
                               symmetry->offset[place] + symmetry->shift[tile];
        image[symmetry->place[place]] = permute->symbol_of[symmetry->tile[tile]][twist % modulus];
    }
}
