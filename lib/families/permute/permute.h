/* permute.h -- puzzles whose moves are permutations of all places: the room's header, where to begin
 *
 * Here lives how such a puzzle is read (definition.c, moves.c) and typed by moves (notation.h), how its states are
 * numbered (orbits.c, coordinates.c), and how moves change the numbers: one by one, a row of states at a time, or a
 * layer of the search at once (tables.c, rows.c, layers.c). What searches boards too many to be numbered has a room of
 * its own, search/; group.h tells it which boards can be solved at all, symmetry.c which are alike, and neighbours.c
 * how far a stack of pancakes is from the goal. Nothing here knows other families, databases or programs.
 *
 * Every place holds a tile; a move sends the tile on each place p to the place to[p] and turns it by twist[p], modulo a
 * number that belongs to the place. What can be reached is described by coordinates that a move changes each for
 * itself:
 *
 *   Orbits. No move takes a tile from one orbit of the places to another. Inside an orbit a state is an order of the
 *   orbit's tiles over its places, and a twist for each place. Tiles with one name are alike, so orders are those of a
 *   multiset.
 *
 *   Twists. If all moves change the sum of an orbit's twists by multiples of d (a divisor of the modulus k), the sum
 *   stays what it is in the goal, modulo d: the twists of n places count k^(n-1) * k/d. They are the digits of a number
 *   in base k, the last digit being divided by d.
 *
 *   Signs. Where all tiles of an orbit are different, its order has a parity. The vectors of parities, a bit an orbit,
 *   that the moves generate are a linear space over GF(2). Orbits whose bit depends on those of others (or is always 0)
 *   have only half of their orders numbered: a *halved* orbit. The same elimination, with the parities of the sums of
 *   even twists as further bits, finds a colouring: a functional that is 1 on every move.
 *
 * An order is numbered in two parts, so that a move needs small tables only. The classes of tiles are split: the *near*
 * order says where the tiles of the first `split` classes are (all others looking alike); the *far* order gives the
 * other tiles one after another as they stand on the places left over. A move takes a near order to another, whatever
 * the rest; and it turns the row of the places left over by a permutation, the *turn*, that depends on the near order
 * and the move alone. Hence
 *
 *     near' = near_to[near][move].rank        far' = far_to[far][near_to[near][move].turn]
 *
 * For nine different tiles split 4 + 5 that is 3,024 * moves + 120 * turns entries instead of 362,880 * moves. Turns
 * are few: shifting a row of places, say, turns what is left over of it in as many ways as it has lengths. Far orders
 * 2r and 2r+1 of different tiles differ by an exchange of the last two: a halved orbit numbers r, and the parity says
 * which.
 *
 *     index = sum over the orbits of ((near * far_orders + far) * twists + twist) * weight
 *
 * Where that is more than an index has room for (a 3x3x3 cube), nothing is numbered: puzzle.states is 0, and boards are
 * searched for by way of smaller puzzles (lib/families/permute/search/search.h).
 *
 * What the group does not reach besides (it may be smaller than these invariants say) has no distance; where that is
 * nearly everything, the elements of the group are numbered instead (group.h, chain.c). Literature: H. Kociemba, "The
 * Coordinate Level" (kociemba.org), for coordinates with tables of moves.
 */
#ifndef FAMILIES_PERMUTE_PERMUTE_H
#define FAMILIES_PERMUTE_PERMUTE_H

#include "lib/puzzle.h"
#include "lib/rank/multiset.h"
#include "lib/rank/order.h"
#include "lib/families/shared/places.h"

enum {
    PERMUTE_MAX_MOVES = 255,
    PERMUTE_MAX_TWIST = 16,
    /* orbits whose parities and twist sums are looked at; further ones are numbered in full */
    PERMUTE_SIGNED_ORBITS = 32,
    PERMUTE_NO_CLASS = 255
};

struct permute_move {
    uint8_t to[BOARD_MAX_CELLS];    /* where the tile on each place goes */
    uint8_t twist[BOARD_MAX_CELLS]; /* by how much it turns on the way */
    char text[PDB_MOVE_TEXT_MAX];
    char piece[PDB_CODE_MAX];
};

/* What a move does to a near order. */
struct permute_near {
    uint32_t rank;
    uint32_t turn;
};

struct permute_orbit {
    uint16_t places, classes, split;
    bool distinct; /* two or more tiles, all different: there is a parity */
    bool halved;   /* the parity is that of the orbits in `parity_of`, all before this one, together */
    uint32_t parity_of;
    uint8_t place[BOARD_MAX_CELLS];      /* its places, in reading order */
    uint8_t tile[BOARD_MAX_CELLS];       /* of each class: in the order in which the goal shows them first */
    uint8_t class_of[BOARD_MAX_SYMBOLS]; /* by tile; PERMUTE_NO_CLASS for a tile that is never here */
    uint16_t members[BOARD_MAX_CELLS];   /* tiles of each class */
    struct multiset_ranking near, far;
    uint64_t far_orders;               /* those that are numbered: half of far.orders where the orbit is halved */
    uint8_t modulus, divisor, residue; /* the sum of the twists is `residue` modulo `divisor` */
    unsigned goal_sum;                 /* of the twists in the goal, or one of the goals */
    uint64_t twists;                   /* how many ways to twist all places */
    uint64_t size, weight;             /* orders times twists; what one of them counts in the index */

    /* Tables, or NULL where they would be too large: then a state is taken apart and put together. A row for each state
     * of the coordinate. */
    struct permute_near *near_to; /* [near][move] */
    uint32_t *far_to;             /* [far][turn]; NULL with near_to where there is one far order to number */
    uint32_t turns;
    uint8_t *near_parity, *far_parity;
    uint32_t *twist_to; /* [twist][move] */
};

struct permute_patterns;
struct permute_symmetries;
struct permute_net;
struct permute_notation;
struct permute_neighbours;
struct permute_chain;

/* How moves change a state's place in its row (rows.c). */
enum permute_row { ROW_STATE, ROW_TABLE, ROW_FAR };

struct permute {
    struct puzzle puzzle;
    struct place_names names;
    uint8_t modulus[BOARD_MAX_CELLS];  /* of each place; 1 where nothing turns */
    uint8_t orbit_of[BOARD_MAX_CELLS]; /* of each place */

    unsigned moves; /* out of a state */
    /* the same, or, where some cannot be undone, twice as many: their inverses follow */
    unsigned all_moves;
    struct permute_move *move;

    unsigned tiles;
    uint8_t tile_of[BOARD_MAX_SYMBOLS], twist_of[BOARD_MAX_SYMBOLS]; /* of each symbol */
    uint8_t symbol_of[BOARD_MAX_SYMBOLS][PERMUTE_MAX_TWIST];         /* of each tile and twist */
    uint8_t board[BOARD_MAX_CELLS];                                  /* a position with every tile on it */

    /* the first `moving` orbits have more than one state, or one in which the order follows from others */
    unsigned orbits, moving;
    struct permute_orbit *orbit;
    /* bit o: the parity of orbit o counts; bit PERMUTE_SIGNED_ORBITS + o: its sum of twists does */
    uint64_t colouring;
    uint8_t goal_colour; /* of the goal by these bits alone: what makes it 0 */

    struct permute_symmetries *symmetries; /* symmetry.h */
    struct permute_neighbours *neighbours; /* neighbours.c, or NULL */
    struct permute_chain *chain;           /* the states are numbered by it (group.h), or NULL */

    struct permute_notation *notation; /* what may be typed for moves (notation.h) */
    struct permute_net *net;           /* what is seen of the tiles (net.h), or NULL */
    struct permute_patterns *given;    /* the definition's patterns (lib/families/permute/search/search.h), or NULL */

    uint64_t table_entries; /* of an orbit's orders, at most; 0: as many as are made in some milliseconds */
    enum permute_row row_kind;
    uint64_t row;        /* consecutive states that differ in the last coordinates only: */
    unsigned tail_orbit; /* with ROW_TABLE, those of the orbits from this one on, */
    bool tail_order;     /* but of this one only the twists where it is not set */
    uint32_t *tail_to;   /* [place in the row][move]; NULL without ROW_TABLE */
};

/* -- definition.c: everything of *permute above `orbits` -- */
pdb_status permute_read(const struct definition *definition, struct permute *permute, pdb_error *error);

/* -- moves.c: reads 'generators' and 'turns' -- */
pdb_status permute_read_moves(const struct node *root, struct permute *permute, pdb_error *error);
/* The move that does nothing; what two do, first `a`, then `b`; what takes one back: `to` and `twist` of *out, which is
 * neither of them, its texts are empty. And do two moves do the same? */
void permute_identity(const struct permute *permute, struct permute_move *move);
void permute_compose(const struct permute *permute, const struct permute_move *a, const struct permute_move *b,
                     struct permute_move *both);
void permute_invert(const struct permute *permute, const struct permute_move *move, struct permute_move *inverse);
bool permute_same_effect(const struct permute *permute, const struct permute_move *a, const struct permute_move *b);

/* -- notation.c: boards as people type them by moves -- */
/* Reads a board that is typed as a net (net.h) or by moves (lib/puzzle.h, position.parse). */
pdb_status permute_notation_parse(const struct puzzle *puzzle, const char *text, uint8_t *position, bool *known,
                                  pdb_error *error);
/* lib/puzzle.h, position.inverse */
bool permute_inverse(const struct puzzle *puzzle, const char *move, char text[PDB_MOVE_TEXT_MAX]);

/* -- permute.c: positions -- */
/* A position after a move: one of all_moves, or any. */
void permute_apply(const struct permute *permute, unsigned move, const uint8_t *position, uint8_t *moved);
void permute_apply_move(const struct permute *permute, const struct permute_move *move, const uint8_t *position,
                        uint8_t *moved);
/* Has a position all that the moves keep, as the goals have it? Where not, no goal is ever reached. *colour: by the
 * colouring, 0 for goals. */
bool permute_fits(const struct permute *permute, const uint8_t *position, unsigned *colour);

/* -- orbits.c: orbits, invariants, sizes, the colouring -- */
/* Everything, puzzle.states (or puzzle.size) included. */
pdb_status permute_orbits_make(struct permute *permute, pdb_error *error);
/* The same without a numbering: what permute_count needs, which tells how many states the invariants leave. */
pdb_status permute_orbits_find(struct permute *permute, pdb_error *error);
long double permute_count(const struct permute *permute);
void permute_orbits_free(struct permute *permute);
/* Takes all that these made out of a copy of a puzzle's struct: it is the puzzle's. */
void permute_orbits_forget(struct permute *copy);
/* A copy that numbers states as the puzzle does, with larger tables for what moves do to orders: for a search through
 * all states, which is worth some hundred milliseconds. NULL where the puzzle has all tables, or even these would be
 * too large, or take more than `memory` bytes. The puzzle must outlive it. Error: PDB_NO_MEMORY. The caller frees *out
 * with permute_enlarged_free. */
pdb_status permute_enlarge(const struct permute *permute, uint64_t memory, struct permute **out, pdb_error *error);
void permute_enlarged_free(struct permute *enlarged);
/* Bytes of the orbits and of all their tables, of a puzzle whose states are numbered. */
uint64_t permute_tables_bytes(const struct permute *permute);

/* -- tables.c: the tables of one orbit; nothing where they would be too large -- */
pdb_status permute_tables_make(const struct permute *permute, struct permute_orbit *orbit, pdb_error *error);
void permute_tables_free(struct permute_orbit *orbit);
/* The best place to split an orbit's classes. */
unsigned permute_split(const struct permute *permute, const struct permute_orbit *orbit);

/* -- coordinates.c: an orbit's state as coordinates, and as classes and twists of its places -- */

struct permute_coordinates {
    uint64_t near, far, twist; /* far among all far orders, also where the orbit is halved */
};

uint64_t permute_rank_order(const struct permute_orbit *orbit, const uint8_t *class, uint64_t *far);
void permute_unrank_order(const struct permute_orbit *orbit, uint64_t near, uint64_t far, uint8_t *class);
/* The sum of the twists has to be right. */
uint64_t permute_rank_twist(const struct permute_orbit *orbit, const uint8_t *twist);
void permute_unrank_twist(const struct permute_orbit *orbit, uint64_t rank, uint8_t *twist);
/* The parity of an orbit's order, where the orbit is distinct. */
unsigned permute_order_parity(const struct permute_orbit *orbit, uint64_t near, uint64_t far);
/* The coordinates of all moving orbits. */
void permute_decode(const struct permute *permute, uint64_t index, struct permute_coordinates *at);
/* The coordinates' share of the index. */
static inline uint64_t permute_encode(const struct permute_orbit *orbit, uint64_t near, uint64_t far, uint64_t twist)
{
    return ((near * orbit->far_orders + (orbit->halved ? far >> 1 : far)) * orbit->twists + twist) * orbit->weight;
}

/* -- rows.c -- */

/* The rows, once the tables are there. */
pdb_status permute_rows_make(struct permute *permute, pdb_error *error);

/* Where the moves out of the states of a row lead. */
struct permute_row_moves {
    uint64_t first;                   /* index */
    uint64_t base[PERMUTE_MAX_MOVES]; /* of each move, the first index of the row that it leads to */
    uint32_t turn[PERMUTE_MAX_MOVES]; /* with ROW_FAR: what each does to the far orders */
    unsigned odd;                     /* the same: the parity that the far order of place 0 must have */
};

/* Of the row that an index is in, by the moves from number `first` on (with all_moves they may be the inverses). */
void permute_row_begin(const struct permute *permute, unsigned first, uint64_t index, struct permute_row_moves *row);

/* With ROW_FAR: the far order at a place. Of a halved orbit it is the one of two that has the right parity: those of
 * the far orders of place and place 0, and of the row. */
static inline uint64_t permute_row_far(const struct permute_orbit *orbit, uint64_t place, unsigned odd)
{
    return orbit->halved ? 2 * place + (orbit->far_parity[2 * place] ^ orbit->far_parity[0] ^ odd) : place;
}

size_t permute_successors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                          uint16_t *next_count);
size_t permute_predecessors(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint64_t *next,
                            uint16_t *next_count);

/* A state that is kept as coordinates, those of the moving orbits: the indices next[moves] that its moves lead to; and
 * the coordinates after one of them. Nothing is divided, as it is where an index is taken apart. */
void permute_steps(const struct permute *permute, const struct permute_coordinates *at, uint64_t *next);
void permute_step(const struct permute *permute, const struct permute_coordinates *at, unsigned move,
                  struct permute_coordinates *after);

/* -- neighbours.c: a bound that counts tiles beside wrong ones; *out is NULL where it says nothing of a puzzle -- */
pdb_status permute_neighbours_find(const struct permute *permute, struct permute_neighbours **out, pdb_error *error);
void permute_neighbours_bounds(const struct puzzle *puzzle, const uint64_t *index, size_t count, uint16_t *bound);

/* -- layers.c: the layer kernel, a row a group; *out is NULL where rows do not fit words -- */
pdb_status permute_layers_make(const struct puzzle *puzzle, bool portable, uint64_t memory, struct layer_kernel **out,
                               pdb_error *error);

#endif
