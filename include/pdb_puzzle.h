/* pdb_puzzle.h -- puzzles, boards and their moves, by the rules alone: the half of pdb.h that needs no distances
 *
 * It is included by pdb.h, which says how errors, memory and threads are dealt with.
 */
#ifndef PDB_PUZZLE_H
#define PDB_PUZZLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default) /* what is declared here is what the shared library shows */
#endif

typedef enum pdb_status {
    PDB_OK = 0,
    PDB_UNREACHABLE,    /* a proper board from which the goal cannot be reached */
    PDB_BAD_USAGE,      /* an argument or an option that makes no sense */
    PDB_BAD_DEFINITION, /* a definition file with a mistake; the message has file, line and column */
    PDB_BAD_BOARD,      /* a text that is no board of this puzzle */
    PDB_UNKNOWN_PUZZLE, /* no built-in puzzle and no file of this name */
    PDB_NO_DATABASE,    /* no database, and the puzzle is too large to do without */
    PDB_TOO_LARGE,      /* the work needs more memory, or more states, than allowed */
    PDB_NO_MEMORY,      /* an allocation failed */
    PDB_IO,             /* the file system refused; the message has the path and the reason */
    PDB_BUSY,           /* another process is making this very database */
    PDB_DAMAGED,        /* a database that is not what was written, or belongs to another puzzle */
    PDB_INTERRUPTED,    /* stopped on request */
    PDB_BROKEN_RULES /* a puzzle that contradicts itself: pdb-gen --check found a defect of its family or definition */
} pdb_status;

typedef struct pdb_error {
    pdb_status status;
    char message[1000]; /* one line of UTF-8, without a newline at its end */
} pdb_error;

typedef struct pdb_puzzle pdb_puzzle;

enum { PDB_MAX_PLACES = 1024, PDB_MAX_SIDE = 64, PDB_TEXT_MAX = 16384 };

/* A board: the number of the symbol on every place (a cell that is no wall), row by row. A plain value, to be copied
 * and compared at will; it means something together with its puzzle only. Bytes past the puzzle's places are 0. Boards
 * come from the functions here; one made by hand has to be put into words and through pdb_board_parse, which knows what
 * a proper board is. */
typedef struct pdb_board {
    uint8_t symbol[PDB_MAX_PLACES];
} pdb_board;

/* Loads a built-in puzzle by its name, or the definition file at a path. Errors: PDB_UNKNOWN_PUZZLE,
 * PDB_BAD_DEFINITION, PDB_IO, PDB_TOO_LARGE, PDB_NO_MEMORY. The caller frees *puzzle with pdb_puzzle_free (which takes
 * NULL too). */
pdb_status pdb_puzzle_load(const char *name_or_path, pdb_puzzle **puzzle, pdb_error *error);
void pdb_puzzle_free(pdb_puzzle *puzzle);

/* The same for a definition that is in memory already: `length` bytes of UTF-8, what a file would hold; `name` stands
 * for the file in messages (NULL: "definition"). The text is the caller's, and not needed any more afterwards. No file
 * is read. Errors: PDB_BAD_DEFINITION, PDB_TOO_LARGE, PDB_NO_MEMORY. The caller frees *puzzle with pdb_puzzle_free. */
pdb_status pdb_puzzle_read(const char *text, size_t length, const char *name, pdb_puzzle **puzzle, pdb_error *error);

/* The i-th of the built-in names, in alphabetical order; NULL past the last. Those with a size in them (queens-8) are
 * not among them. */
const char *pdb_builtin_name(size_t i);

/* Facts about a puzzle. The strings live as long as it: its name, a line that describes it, and what counts as one
 * move. `states` is how many indices it has, 0 where there are more than 2^63; how many of them can reach the goal, a
 * solver knows. `size` is how many states it has, about, in any case. Of a puzzle without moves (see below) the metric
 * is its unit, `states` how many items it has, 0 where only a solver knows (and then `size` may be 0 too); it has no
 * rows, columns and symbols, and its goal is "". */
const char *pdb_puzzle_name(const pdb_puzzle *puzzle);
const char *pdb_puzzle_title(const pdb_puzzle *puzzle);
const char *pdb_puzzle_metric(const pdb_puzzle *puzzle);
const char *pdb_puzzle_family(const pdb_puzzle *puzzle); /* that it is of, as definitions call it: "slide" */
uint64_t pdb_puzzle_states(const pdb_puzzle *puzzle);
double pdb_puzzle_size(const pdb_puzzle *puzzle);

/* Are its states known by keys? Then `states` is what all keys are below, and says little of how many there are. */
bool pdb_puzzle_keyed(const pdb_puzzle *puzzle);

/* A board as it is drawn: its shape, and what stands on a cell: its symbol, or -1 for a wall. Where a puzzle shows
 * boards in a way of its own (the key `draw` of the family rules), these cells and symbols, and the pieces below, are
 * those of that picture. */
unsigned pdb_puzzle_rows(const pdb_puzzle *puzzle);
unsigned pdb_puzzle_columns(const pdb_puzzle *puzzle);
int pdb_board_at(const pdb_puzzle *puzzle, const pdb_board *board, unsigned row, unsigned column);

/* How many symbols of a pdb_board count: its places. 0 for a puzzle without boards. */
unsigned pdb_puzzle_places(const pdb_puzzle *puzzle);

/* Are the board's cells laid out in triangles: is a cell one row and one column away a neighbour, as near as one two
 * columns away? */
bool pdb_puzzle_triangular(const pdb_puzzle *puzzle);

/* Is the board a graph, and does it have an edge that leads from one cell to another? Cells are numbered row by row
 * from 0 on; where there is none, or a wall, no edge leads. */
bool pdb_puzzle_joined(const pdb_puzzle *puzzle, unsigned from, unsigned to);

/* How many symbols there are: 0 .. symbols-1. */
unsigned pdb_puzzle_symbols(const pdb_puzzle *puzzle);

/* A symbol as boards are written (its code: "5") and as they are drawn (its glyph: "羊"), UTF-8; it lives as long as the
 * puzzle. */
const char *pdb_symbol_code(const pdb_puzzle *puzzle, int symbol);
const char *pdb_symbol_glyph(const pdb_puzzle *puzzle, int symbol);

/* What sort of thing a symbol is: another symbol that stands for all of that sort, or -1 for an empty cell, for a mark
 * on the ground of one (a target), and for a wall. The cells of one piece, pieces that are alike and the twists of one
 * tile are of one kind, which is one colour when they are drawn. */
int pdb_symbol_kind(const pdb_puzzle *puzzle, int symbol);

/* How a puzzle's definition wants it to look. The colour of a symbol, 0xRRGGBB, or PDB_NO_COLOUR where it says none;
 * what the symbol means, a few words, or "" (they live as long as the puzzle); and whether there is an exit from the
 * board at an edge, at this row or column of it, counted from 0. */
#define PDB_NO_COLOUR UINT32_MAX
typedef enum pdb_side { PDB_TOP, PDB_RIGHT, PDB_BOTTOM, PDB_LEFT, PDB_SIDES } pdb_side;
uint32_t pdb_symbol_colour(const pdb_puzzle *puzzle, int symbol);
const char *pdb_symbol_legend(const pdb_puzzle *puzzle, int symbol);
bool pdb_puzzle_exit(const pdb_puzzle *puzzle, pdb_side side, unsigned at);

/* Symbols that are drawn as bars (the key `bars`: disks, pancakes): how wide one is, from 1 for the narrowest on, and 0
 * for a symbol that is none; and how wide the widest is, 0 where there are none. */
unsigned pdb_symbol_bar(const pdb_puzzle *puzzle, int symbol);
unsigned pdb_puzzle_bars(const pdb_puzzle *puzzle);

/* What a symbol is drawn as in pictures, in place of a tile (the key `shapes`): "crate", "water" and others, of which
 * docs/definitions.md has a table; "" for a tile. It lives as long as the library. */
const char *pdb_symbol_shape(const pdb_puzzle *puzzle, int symbol);

/* The i-th of the frames around cells of the board (the key `frames`): its first and last rows and columns, counted
 * from 0. False past the last. */
typedef struct pdb_frame {
    unsigned top, left, bottom, right;
} pdb_frame;
bool pdb_puzzle_frame(const pdb_puzzle *puzzle, unsigned i, pdb_frame *frame);

/* Is what is drawn a net of stickers (the key `net` of the family permute), each cell a sticker, and how are they
 * shaped? Squares; triangles, that point up where row and column, counted from 0, are both even or both odd; or
 * diamonds that reach as far as the next cell's middle, but not out of their face, which they fill. Stickers that touch
 * in a corner, as diamonds do, are of one face. */
typedef enum pdb_net { PDB_NO_NET, PDB_SQUARES, PDB_TRIANGLES, PDB_DIAMONDS } pdb_net;
pdb_net pdb_puzzle_net(const pdb_puzzle *puzzle);

/* What moves call a cell, where it is drawn as the board's: "12", "a3"; it lives as long as the puzzle. NULL where they
 * call it nothing. */
const char *pdb_cell_name(const pdb_puzzle *puzzle, unsigned row, unsigned column);

/* No piece: an empty cell or a wall. */
#define PDB_NO_PIECE UINT16_MAX

/* Which cells belong to one piece: numbers the pieces of a board from 0 on, in reading order, and stores for each cell,
 * row by row, that of the piece on it; `piece` has room for rows * columns of them. The numbers are of this board only:
 * a move may change them. */
void pdb_board_pieces(const pdb_puzzle *puzzle, const pdb_board *board, uint16_t *piece);

/* Reads a board: "start", "goal" or another name that the definition gives, or its cells row by row; of a puzzle whose
 * moves are permutations also the moves that make it of the goal: "R U2 (F D')3 [L, B]". Errors: PDB_BAD_BOARD. */
pdb_status pdb_board_parse(const pdb_puzzle *puzzle, const char *text, pdb_board *board, pdb_error *error);

/* The name of the i-th of the boards that the definition names ("goal" is not among them); NULL past the last. */
const char *pdb_puzzle_board_name(const pdb_puzzle *puzzle, size_t i);

/* Writes a board so that pdb_board_parse reads it: `text` has room for PDB_TEXT_MAX bytes. */
void pdb_board_format(const pdb_puzzle *puzzle, const pdb_board *board, char *text);

/* The puzzle's goal as such a text, with `*` for cells that may hold anything. */
void pdb_puzzle_goal(const pdb_puzzle *puzzle, char *text);

/* The same to be drawn: for each cell, row by row, what stands on it, as pdb_board_at says or PDB_ANYTHING, and its
 * piece, as pdb_board_pieces numbers them; both have room for rows * columns numbers. False where the goal says nothing
 * of any cell, or is told by a test that no picture shows: then there is nothing to draw. */
enum { PDB_ANYTHING = -2 };
bool pdb_puzzle_goal_cells(const pdb_puzzle *puzzle, int *symbol, uint16_t *piece);

/* Does the order of moves not matter? Values are put into slots then (queens, alphametics): a distance is how many
 * slots are empty, a solution what stands in them at the end, and the solutions of a board are counted as that. */
bool pdb_puzzle_unordered(const pdb_puzzle *puzzle);

/* How many symmetries of the puzzle are known, all boards as they are among them: turns and mirror images of the board
 * that leave rules and goal as they are, with pieces exchanged where that takes it, and those that its family finds
 * (peg boards of any shape; what a definition of the family rules says can be exchanged). 1: no other is known. */
unsigned pdb_puzzle_symmetries(const pdb_puzzle *puzzle);

/* The most that a move costs: 1 but for puzzles whose moves have costs. A distance is then the least sum of costs. */
uint32_t pdb_puzzle_max_cost(const pdb_puzzle *puzzle);

/* Draws a board in lines of text, where its puzzle has a way of its own for that (a chess board, a sum): `text` has
 * room for PDB_TEXT_MAX bytes. False: it is to be drawn cell by cell. */
bool pdb_board_sketch(const pdb_puzzle *puzzle, const pdb_board *board, char *text);

/* What a board has that its picture does not show, where its definition draws some variables and not all, or one thing
 * covers another: as that may be typed behind the picture, "facing=up, fuel=2", and as much of it as has room in
 * text[PDB_TEXT_MAX]. "": there is nothing. */
void pdb_board_hidden(const pdb_puzzle *puzzle, const pdb_board *board, char *text);

/* -- moves -- */

enum { PDB_MOVE_TEXT_MAX = 64, PDB_CODE_MAX = 8 };

/* A distance where there is none: the goal cannot be reached. */
#define PDB_NO_DISTANCE UINT32_MAX

/* No cell of the board. */
#define PDB_NO_CELL UINT16_MAX

typedef struct pdb_move {
    char text[PDB_MOVE_TEXT_MAX]; /* the move in words: "5 left" */
    char piece[PDB_CODE_MAX];     /* the code of what is moved or touched */
    pdb_board board;              /* where it leads */
    uint32_t distance;            /* of that board; pdb_solver_moves fills it in */
    bool optimal;                 /* that is less than the distance before the move by what the move costs */
    uint32_t cost;                /* what the move adds to a distance: 1 but for puzzles whose moves have costs */
    /* The cell (row * columns + column) where a player takes hold of it: a cell of the piece that goes, the button, the
     * slot. PDB_NO_CELL where no one cell is meant (a face that turns). */
    uint16_t from;
} pdb_move;

/* A list that grows as needed and may be used again. Begin with {0}; pdb_moves_free leaves it like that. */
typedef struct pdb_moves {
    size_t count, capacity;
    pdb_move *move;
} pdb_moves;

void pdb_moves_free(pdb_moves *moves);

/* All legal moves of a board, by the rules alone, into *moves, replacing what is in it; their distances are not looked
 * into (pdb_solver_moves does that): PDB_NO_DISTANCE, and none is optimal. Errors: PDB_BAD_BOARD (no board of this
 * puzzle), PDB_TOO_LARGE (more moves than can be listed), PDB_NO_MEMORY. */
pdb_status pdb_board_moves(const pdb_puzzle *puzzle, const pdb_board *board, pdb_moves *moves, pdb_error *error);

/* Moves of a solution as one line, "R U2 F'". With `back`, what makes the board that they solve of the goal: each taken
 * back, the last one first; pdb_board_parse reads that. *text is the caller's to free; NULL, with PDB_OK, where boards
 * of this puzzle cannot be typed by moves. Errors: PDB_NO_MEMORY. */
pdb_status pdb_path_format(const pdb_puzzle *puzzle, const pdb_move *path, uint32_t steps, bool back, char **text,
                           pdb_error *error);

/* Is a board a goal, by the rules alone? False for one that is no board of this puzzle. */
bool pdb_board_is_goal(const pdb_puzzle *puzzle, const pdb_board *board);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
