/*
 * The large built-in permutation puzzles: every state, as pdb_solver_open works it out, against the plain search of
 * oracle_permute.
 *
 * The oracle turns coloured stickers, as one sees them, and knows nothing of pieces and twists: which sticker goes
 * where is written down here from the geometry of the cube and the tetrahedron. Only to name a board to the library its
 * pieces are read off the stickers.
 */
#include "oracle.h"
#include "tests/support/support.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES_MAX = 10, STICKERS_MAX = 3, NO_COLOUR = 15, COLOURS, BATCH = 1024 };

/* The pieces in the reading order of the puzzle's places. A piece's stickers are numbered so that a twist of w brings
 * the sticker 0 to where the sticker w was. */
struct pieces {
    int count;
    struct {
        const char *name;
        int stickers, sticker[STICKERS_MAX];
    } piece[PIECES_MAX];
};

/* The symbol of a piece by the colours that its place shows, sticker by sticker: a piece turned by w shows its colour 0
 * where the sticker w was. */
struct looks {
    uint8_t symbol[COLOURS][COLOURS][COLOURS];
};

static uint8_t *look(struct looks *looks, const struct pieces *pieces, int place, int first, const unsigned char *board)
{
    int colour[STICKERS_MAX] = {NO_COLOUR, NO_COLOUR, NO_COLOUR};
    const int stickers = pieces->piece[place].stickers;
    for (int s = 0; s < stickers; s++)
        colour[(first + s) % stickers] = board[pieces->piece[place].sticker[s]] / 16;
    return &looks->symbol[colour[0]][colour[1]][colour[2]];
}

static void learn_looks(struct looks *looks, const struct puzzle *puzzle, const struct pieces *pieces,
                        const unsigned char *goal)
{
    memset(looks, BOARD_OPEN, sizeof *looks);
    for (int p = 0; p < pieces->count; p++)
        for (int w = 0; w < pieces->piece[p].stickers; w++) {
            char code[16];
            const int length = snprintf(code, sizeof code, w == 0 ? "%s" : "%s+%d", pieces->piece[p].name, w);
            uint8_t *symbol = look(looks, pieces, p, w, goal);
            cr_assert(*symbol == BOARD_OPEN, "%s looks like another piece", code);
            *symbol = board_symbol(&puzzle->board, code, (size_t)length);
            cr_assert(*symbol != BOARD_OPEN, "%s", code);
        }
}

/* Compares every state of a built-in puzzle with the oracle's, and sees that each has an index of its own. */
static void compare(const char *name, const struct oracle_permute *permute, const unsigned char *goal,
                    const struct pieces *pieces, uint64_t states)
{
    const pdb_options search = {.method = PDB_SEARCH, .whole = true, .threads = 1};
    struct oracle_boards *boards = oracle_permute_solve(permute, 1, goal);
    const size_t count = oracle_boards_count(boards);
    struct puzzle *puzzle = built_in(name);
    pdb_solver *solver = NULL;
    pdb_info info;
    pdb_error error = {0};
    const pdb_puzzle asked = catalog_with_moves(puzzle);
    cr_assert(pdb_solver_open(&asked, &search, &solver, &error) == PDB_OK, "%s", error.message);
    pdb_solver_info(solver, &info);
    cr_assert(count == states, "%s: %zu by the oracle", name, count);
    cr_assert(puzzle->states == states && info.reachable == states, "%s: %llu indices, %llu reachable", name,
              (unsigned long long)puzzle->states, (unsigned long long)info.reachable);
    cr_assert(info.max == (uint32_t)oracle_boards_distance_at(boards, count - 1), "%s: %u", name, info.max);
    cr_assert(puzzle->board.places == (unsigned)pieces->count);

    static struct looks looks;
    learn_looks(&looks, puzzle, pieces, goal);

    pdb_board *batch = calloc(BATCH, sizeof *batch);
    uint32_t *distance = calloc(BATCH, sizeof *distance);
    unsigned char *seen = calloc(states, 1);
    cr_assert(batch != NULL && distance != NULL && seen != NULL);
    size_t compared = 0;
    while (compared < count) {
        const size_t some = count - compared < BATCH ? count - compared : BATCH;
        if (!is_shared(states, compared / BATCH)) {
            compared += some;
            continue;
        }
        for (size_t i = 0; i < some; i++) {
            const unsigned char *board = oracle_boards_at(boards, compared + i);
            for (int place = 0; place < pieces->count; place++) {
                batch[i].symbol[place] = *look(&looks, pieces, place, 0, board);
                if (batch[i].symbol[place] == BOARD_OPEN)
                    cr_assert(false, "no piece looks like the one at %s", pieces->piece[place].name);
            }
            uint64_t index = 0;
            if (!puzzle->family->position.rank(puzzle, batch[i].symbol, &index))
                cr_assert(false, "%s: board %zu has no index", name, compared + i);
            if (index >= states || seen[index])
                cr_assert(false, "%s: board %zu: index %llu again", name, compared + i, (unsigned long long)index);
            seen[index] = 1;
        }
        cr_assert(pdb_solver_distance(solver, batch, some, distance, &error) == PDB_OK, "%s", error.message);
        for (size_t i = 0; i < some; i++)
            if (distance[i] != (uint32_t)oracle_boards_distance_at(boards, compared + i))
                cr_assert(false, "%s: board %zu: %u, not %d", name, compared + i, distance[i],
                          oracle_boards_distance_at(boards, compared + i));
        compared += some;
    }
    cr_expect(compared == states);
    free(batch);
    free(distance);
    free(seen);
    pdb_solver_close(solver);
    puzzle_free(puzzle);
    oracle_boards_free(boards);
}

/* Adds a move made twice. */
static void add_twice(struct oracle_permute *permute, int move)
{
    const int twice = oracle_permute_add(permute);
    for (int p = 0; p < permute->places; p++)
        permute->to[twice][p] = permute->to[move][permute->to[move][p]];
}

/* ---- the cube ---- */

/* The stickers of seven corners; that at the bottom, back, left never moves. u_ufr is the sticker on the face U of the
 * corner UFR. A corner's stickers stand clockwise, as one looks at the corner from outside, and begin with the one on U
 * or D. */
enum {
    u_ufr,
    r_ufr,
    f_ufr,
    u_ufl,
    f_ufl,
    l_ufl,
    u_ubl,
    l_ubl,
    b_ubl,
    u_ubr,
    b_ubr,
    r_ubr,
    d_dfr,
    f_dfr,
    r_dfr,
    d_dfl,
    l_dfl,
    f_dfl,
    d_dbr,
    r_dbr,
    b_dbr,
    CUBE_STICKERS
};

static void cube(const char *name, bool half_turns)
{
    static const struct pieces corners = {7,
                                          {{"UBL", 3, {u_ubl, l_ubl, b_ubl}},
                                           {"UBR", 3, {u_ubr, b_ubr, r_ubr}},
                                           {"UFL", 3, {u_ufl, f_ufl, l_ufl}},
                                           {"UFR", 3, {u_ufr, r_ufr, f_ufr}},
                                           {"DBR", 3, {d_dbr, r_dbr, b_dbr}},
                                           {"DFL", 3, {d_dfl, l_dfl, f_dfl}},
                                           {"DFR", 3, {d_dfr, f_dfr, r_dfr}}}};
    /* A quarter turn clockwise of each face: its own four stickers, and those at its rim. */
    static const int turn[3][3][4] = {
        /* U: front to left to back to right */
        {{u_ufr, u_ufl, u_ubl, u_ubr}, {f_ufr, l_ufl, b_ubl, r_ubr}, {r_ufr, f_ufl, l_ubl, b_ubr}},
        /* R: front to up to back to down */
        {{r_ufr, r_ubr, r_dbr, r_dfr}, {f_ufr, u_ubr, b_dbr, d_dfr}, {u_ufr, b_ubr, d_dbr, f_dfr}},
        /* F: up to right to down to left */
        {{f_ufl, f_ufr, f_dfr, f_dfl}, {u_ufl, r_ufr, d_dfr, l_dfl}, {l_ufl, u_ufr, r_dfr, d_dfl}},
    };
    static const char colours[CUBE_STICKERS + 1] = "URFUFLULBUBRDFRDLFDRB";
    struct oracle_permute permute = {.places = CUBE_STICKERS};
    unsigned char goal[CUBE_STICKERS];
    for (int face = 0; face < 3; face++) {
        const int move = oracle_permute_add(&permute);
        for (int c = 0; c < 3; c++)
            oracle_permute_cycle(&permute, move, 4, turn[face][c], NULL);
        oracle_permute_add_inverse(&permute, move);
        if (half_turns)
            add_twice(&permute, move);
    }
    for (int s = 0; s < CUBE_STICKERS; s++)
        goal[s] = (unsigned char)(16 * (strchr("URFLBD", colours[s]) - "URFLBD"));
    compare(name, &permute, goal, &corners, 3674160);
}

Test(permute_whole, cube_half_turns)
{
    cube("cube-2x2x2", true);
}

Test(permute_whole, cube_quarter_turns)
{
    cube("cube-2x2x2-qtm", false);
}

/* ---- the Pyraminx ---- */

/* A tetrahedron with the corners U on top, L and R in front, B behind. Its faces are f (front: U, L, R), r (right: U,
 * R, B), l (left: U, L, B), d (down: L, R, B). f_ul is the sticker on the face f of the edge between U and L, f_u that
 * of the axial piece of U. An edge's first sticker is the one on f, or where it has none, the one that is not d; on UB,
 * which has both r and l, that on r. An axial piece's stickers stand counterclockwise, as one looks at the corner from
 * outside. */
enum {
    f_ul,
    l_ul,
    f_ur,
    r_ur,
    r_ub,
    l_ub,
    l_lb,
    d_lb,
    f_lr,
    d_lr,
    r_rb,
    d_rb,
    f_u,
    r_u,
    l_u,
    d_l,
    f_l,
    l_l,
    d_r,
    r_r,
    f_r,
    d_b,
    l_b,
    r_b,
    PYRAMINX_STICKERS
};

Test(permute_whole, pyraminx)
{
    static const struct pieces pieces = {10,
                                         {{"U", 3, {f_u, r_u, l_u}},
                                          {"UL", 2, {f_ul, l_ul}},
                                          {"UB", 2, {r_ub, l_ub}},
                                          {"UR", 2, {f_ur, r_ur}},
                                          {"L", 3, {d_l, f_l, l_l}},
                                          {"B", 3, {d_b, l_b, r_b}},
                                          {"R", 3, {d_r, r_r, f_r}},
                                          {"LB", 2, {l_lb, d_lb}},
                                          {"LR", 2, {f_lr, d_lr}},
                                          {"RB", 2, {r_rb, d_rb}}}};
    /* A third of a turn counterclockwise of each corner: its axial piece, and its three edges' stickers. */
    static const int turn[4][3][3] = {
        /* U: f to r to l */
        {{f_u, r_u, l_u}, {f_ul, r_ur, l_ub}, {l_ul, f_ur, r_ub}},
        /* L: d to f to l */
        {{d_l, f_l, l_l}, {d_lr, f_ul, l_lb}, {d_lb, f_lr, l_ul}},
        /* R: d to r to f */
        {{d_r, r_r, f_r}, {d_lr, r_rb, f_ur}, {d_rb, r_ur, f_lr}},
        /* B: d to l to r */
        {{d_b, l_b, r_b}, {d_lb, l_ub, r_rb}, {d_rb, l_lb, r_ub}},
    };
    static const char colours[PYRAMINX_STICKERS + 1] = "flfrrlldfdrdfrldfldrfdlr";
    struct oracle_permute permute = {.places = PYRAMINX_STICKERS};
    unsigned char goal[PYRAMINX_STICKERS];
    for (int corner = 0; corner < 4; corner++) {
        const int move = oracle_permute_add(&permute);
        for (int c = 0; c < 3; c++)
            oracle_permute_cycle(&permute, move, 3, turn[corner][c], NULL);
        oracle_permute_add_inverse(&permute, move);
    }
    for (int s = 0; s < PYRAMINX_STICKERS; s++)
        goal[s] = (unsigned char)(16 * (strchr("frld", colours[s]) - "frld"));
    compare("pyraminx", &permute, goal, &pieces, 933120);
}
