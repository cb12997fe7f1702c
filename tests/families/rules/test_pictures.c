/* test_pictures.c -- how states look, and states that are typed as pictures or as single values */
#include "pdb.h"
#include "tests/support/support.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#define ROOM_RULES                                                                                                     \
    "puzzle: room\nfamily: rules\nboard: |\n  ######\n  #x.$.#\n  #.@.x#\n  ##.$.#\n  ######\n"                        \
    "state:\n  player: cell\n  box[cell]: 0..1\n  torch: 0..1\nstart: {player: \"'@'\", 'box[c]': c in '$'}\n"         \
    "keep: not box[player]\nmoves:\n  - name: walk {d}\n    for: {d: direction}\n    if: not box[step[player, d]]\n"   \
    "    do: player = step[player, d]\n  - name: push {d}\n    for: {d: direction}\n"                                  \
    "    let: {to: 'step[player, d]', beyond: 'step[to, d]'}\n    if: box[to] and not box[beyond]\n"                   \
    "    do: player = to, box[to] = 0, box[beyond] = 1\n  - name: torch\n    do: torch = 1 - torch\n"                  \
    "goal: all(box[c] for c in 'x')\n"
#define ROOM_DRAW                                                                                                      \
    "draw:\n  for: {c: cell}\n  show:\n    '+': c == player and c in 'x'\n    '@': c == player\n"                      \
    "    '*': box[c] and c in 'x'\n    '$': box[c]\n    '.': c in 'x'\n"
#define ROOM ROOM_RULES ROOM_DRAW

/* The picture of a board, row by row with slashes between. */
static void picture_of(const pdb_puzzle *puzzle, const pdb_board *board, const char *between, char *text)
{
    for (unsigned row = 0; row < pdb_puzzle_rows(puzzle); row++)
        for (unsigned column = 0; column < pdb_puzzle_columns(puzzle); column++)
            text += sprintf(text, "%s%s",
                            column > 0 ? between
                            : row > 0  ? "/"
                                       : "",
                            pdb_symbol_code(puzzle, pdb_board_at(puzzle, board, row, column)));
}

static void expect_picture(const pdb_puzzle *puzzle, const char *typed, const char *expected)
{
    pdb_board board;
    pdb_error error;
    char text[PDB_TEXT_MAX];
    cr_assert(pdb_board_parse(puzzle, typed, &board, &error) == PDB_OK, "%s: %s", typed, error.message);
    picture_of(puzzle, &board, "", text);
    cr_expect_str_eq(text, expected, "'%s' looks like %s", typed, text);
}

Test(rules_pictures, looks)
{
    pdb_puzzle *room = load_puzzle(ROOM);
    expect_picture(room, "start", "######/#.-$-#/#-@-.#/##-$-#/######");
    expect_picture(room, "player=b2", "######/#+-$-#/#---.#/##-$-#/######");
    expect_picture(room, "box=0 box[b2]=1", "######/#*---#/#-@-.#/##---#/######");
    EXPECT_NUMBER(pdb_board_at(room, &(pdb_board){{0}}, 0, 0), -1);
    pdb_puzzle_free(room);
    pdb_puzzle *lunar = load_puzzle("lunar-lockout");
    expect_picture(lunar, "start", "a.b.c/...../..+../....d/.X...");
    expect_picture(lunar, "0 1 2 3 4 0 1 2 3 4", "X..../.a.../..b../...c./....d");
    pdb_puzzle_free(lunar);
    pdb_puzzle *hanoi = load_puzzle("hanoi-3x4");
    expect_picture(hanoi, "A A A A", "1../2../3../4..");
    expect_picture(hanoi, "B A C A", ".../.../2../413");
    pdb_puzzle_free(hanoi);
}

/* A mark that is on the ground in every state is no piece. */
Test(rules_pictures, ground)
{
    static const char *const codes[] = {"-", "+", "@", "*", "$", "."};
    pdb_puzzle *room = load_puzzle(ROOM);
    pdb_board board;
    uint16_t piece[30];
    cr_assert(pdb_board_parse(room, "start", &board, NULL) == PDB_OK);
    EXPECT_NUMBER(pdb_puzzle_symbols(room), COUNT(codes));
    for (int s = 0; s < (int)COUNT(codes); s++) {
        EXPECT_TEXT(pdb_symbol_code(room, s), codes[s]);
        EXPECT_NUMBER(pdb_symbol_kind(room, s), s == 0 || s == 5 ? -1 : s);
    }
    pdb_board_pieces(room, &board, piece);
    for (unsigned cell = 0, pieces = 0; cell < 30; cell++)
        EXPECT_NUMBER(piece[cell], cell == 9 || cell == 14 || cell == 21 ? pieces++ : PDB_NO_PIECE);
    pdb_puzzle_free(room);
}

/* Every board on a long walk looks like something that is read back as that board. */
static void walk(const char *name_or_yaml, unsigned steps, uint64_t seed)
{
    pdb_puzzle *puzzle = load_puzzle(name_or_yaml);
    pdb_board board, again;
    pdb_moves moves = {0};
    pdb_error error;
    char text[PDB_TEXT_MAX];
    cr_assert(pdb_board_parse(puzzle, "start", &board, NULL) == PDB_OK);
    for (unsigned i = 0; i < steps; i++) {
        picture_of(puzzle, &board, " ", text);
        cr_assert(pdb_board_parse(puzzle, text, &again, &error) == PDB_OK, "%s: %s: %s", pdb_puzzle_name(puzzle), text,
                  error.message);
        cr_assert(memcmp(&again, &board, sizeof board) == 0, "%s: %s", pdb_puzzle_name(puzzle), text);
        cr_assert(pdb_board_moves(puzzle, &board, &moves, NULL) == PDB_OK);
        if (moves.count == 0)
            break;
        board = moves.move[random_below(&seed, moves.count)].board;
    }
    pdb_moves_free(&moves);
    pdb_puzzle_free(puzzle);
}

Test(rules_pictures, round_trip)
{
    static const char *const names[] = {"bloxorz-1",       "lunar-lockout", "wolf-goat-cabbage", "bridge-1-2-5-10",
                                        "chinese-rings-9", "frogs-3x3",     "hanoi-4x6",         "missionaries-3-2"};
    for (size_t i = 0; i < COUNT(names); i++)
        walk(names[i], 60, 7 + i);
}

Test(rules_pictures, typed)
{
    static const struct {
        const char *typed, *board;
    } pairs[] = {
        {"######/#.-$-#/#-@-.#/##-$-#/######", "start"},
        {".-$-\n-@-.\n-$-", "start"},                           /* without walls */
        {". - $ - / - @ - . / - $ -", "start"},                 /* with gaps */
        {"._$__@_._$_", "start"},                               /* in one row; _ is floor, too */
        {".@$----.-$-", "player=c2"},                           /* what moves lead to matters not */
        {"*@-----*---", "player=c2 box=0 box[b2]=1 box[e3]=1"}, /* two boxes elsewhere */
        {".$$$$@$*$$$", "box=1 box[b2]=0 box[c3]=0 "},          /* many more */
        {".-$--@-.-$- torch=1", "torch=1"},                     /* what no cell shows */
        {"box[d4]=0,player=b3", "box[d4]=0 player=b3"},
        {"b3 0 0 1 0 0 0 0 0 0 1 0 1", "player=b3 torch=1"}, /* a list of values */
        {"b3 0 0 1 0 0 0 0 0 0 1 0 1 torch=0 box[d4]=0", "player=b3 box[d4]=0"},
    };
    pdb_puzzle *room = load_puzzle(ROOM);
    for (size_t i = 0; i < COUNT(pairs); i++) {
        pdb_board typed, board;
        pdb_error error;
        cr_assert(pdb_board_parse(room, pairs[i].typed, &typed, &error) == PDB_OK, "%s: %s", pairs[i].typed,
                  error.message);
        cr_assert(pdb_board_parse(room, pairs[i].board, &board, &error) == PDB_OK, "%s: %s", pairs[i].board,
                  error.message);
        cr_expect(memcmp(&typed, &board, sizeof board) == 0, "%s is not %s", pairs[i].typed, pairs[i].board);
    }
    pdb_puzzle_free(room);
}

Test(rules_pictures, refused_boards)
{
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {".-$-/-@-./@$-",
         "no state was found that looks like this: in row 4, column 3 the nearest one shows '-', not '@'"},
        {".-$-/-@--/-$-",
         "no state was found that looks like this: in row 3, column 5 the nearest one shows '.', not '-'"},
        {".-$-/---./-$-", "no state was found that looks like this: in row "},
        {".-$-/-@-./-$q", "cell 11: 'q' is no symbol of this puzzle (- + @ * $ .)"},
        {".-$-/-@-./-$", "10 cells given, but the board has 11 (5 rows of 6, walls among them)"},
        {"torch=2", "'2' is no value of torch"},
        {"torch", "cell 1: 'torch' is no symbol of this puzzle"},
        {"torch[0]=1", "'=' and a value are missing behind 'torch'"},
        {"box[a1]=1", "'a1' is no index of box"},
        {"box[b2=1", "box has 1 index: as in box[i]=.."},
        {"torch=1 torhc=0", "'torhc=0' is no variable, as 'player' is"},
        {"b2=1", "'b2' is no variable: did you mean box[b2]=1?"},
        {"torch=1 b2=1", "'b2' is no variable: did you mean box[b2]=1?"},
        {"torch=1 b2=2", "'b2=2' is no variable, as 'player' is"},
        {"torch=1 box[b2]", "'=' and a value are missing behind 'box'"},
        {"player=c3 box[c3]=1", "this breaks what 'keep' says of all states"},
    };
    pdb_puzzle *room = load_puzzle(ROOM);
    for (size_t i = 0; i < COUNT(wrong); i++) {
        pdb_board board;
        pdb_error error = {.message = ""};
        cr_expect(pdb_board_parse(room, wrong[i].text, &board, &error) == PDB_BAD_BOARD, "%s", wrong[i].text);
        cr_expect(strncmp(error.message, wrong[i].message, strlen(wrong[i].message)) == 0, "%s: '%s', not '%s'",
                  wrong[i].text, error.message, wrong[i].message);
    }
    pdb_puzzle_free(room);
}

#define DRAW(key) ROOM_RULES "draw: " key "\n"

Test(rules_pictures, refused_definitions)
{
    static const struct {
        const char *yaml, *message;
    } wrong[] = {
        {DRAW("x"), "'draw' has to be a mapping with 'for' and 'show'"},
        {DRAW("{for: {c: cell}}"), "'show' is missing"},
        {DRAW("{for: {c: cell}, show: {}}"), "'show' says nothing: show: {'@': c == player}"},
        {DRAW("{for: {}, show: {x: torch}}"), "a picture is drawn for one parameter, or for two: rows, then columns"},
        {DRAW("{for: {c: cell}, shows: {x: torch}}"), "unknown key 'shows'"},
        {DRAW("{for: {i: 1..65}, show: {x: torch}}"), "a picture has at most 64 rows, 64 columns and 1024 cells"},
        {DRAW("{for: {c: cell}, show: {xx: torch}}"), "what is shown is one character, not 'xx'"},
        {DRAW("{for: {c: cell}, show: {'#': torch}}"), "'#' cannot be a symbol: # is a wall"},
        {DRAW("{for: {c: cell}, show: {'/': torch}}"),
         "'/' cannot be a symbol: blanks, commas and / stand between cells"},
        {DRAW("{for: {c: cell}, show: {'.': torch, '-': torch}}"), "one of . and - has to be left"},
        {DRAW("{for: {c: cell}, show: {x: torhc}}"), "nothing is called 'torhc'; did you mean 'torch'?"},
        {DRAW("{for: {c: cell}, show: torch + 1}"), "whose names are shown is not plain here"},
        {DRAW("{for: {c: cell}, show: 1}"), "whose names are shown is not plain here"},
        {DRAW("{for: {c: cell}, show: {x: 'any(i + j + k == 0 for i in 1..200, j in 1..200, k in 1..200)'}}"),
         "a picture would go through more than 10000000 values: its loops are too large"},
    };
    for (size_t i = 0; i < COUNT(wrong); i++) {
        const pdb_error error = refusal(wrong[i].yaml, PDB_BAD_DEFINITION);
        cr_expect(strstr(error.message, wrong[i].message) != NULL, "%zu: '%s', not '%s'", i, error.message,
                  wrong[i].message);
        cr_expect(strstr(error.message, "open cell") == NULL, "here * is a character like others");
    }
}

/* Boards may be typed as pictures in a definition; how states look changes no database, and what boards are does. */
Test(rules_pictures, digest)
{
    struct puzzle *plain = make_puzzle(ROOM_RULES), *drawn = make_puzzle(ROOM);
    cr_expect(memcmp(plain->digest, drawn->digest, sizeof plain->digest) == 0);
    puzzle_free(plain);
    puzzle_free(drawn);
    plain = make_puzzle(ROOM_RULES "boards: {other: player=b2}\n");
    drawn = make_puzzle(ROOM "boards: {other: '+-$-/---./-$-'}\n");
    cr_assert(plain->named_count == 2 && drawn->named_count == 2);
    cr_expect(memcmp(plain->named[0].position, drawn->named[0].position, plain->board.places) == 0);
    puzzle_free(plain);
    puzzle_free(drawn);
}
