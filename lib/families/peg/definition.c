/* definition.c -- reads a peg board's definition */
#include "lib/families/shared/board_definition.h"
#include "peg.h"

#include <string.h>

enum { HOLE_SYMBOL, PEG_SYMBOL }; /* positions are 0 and 1, hole by hole */

/* -- symbols -- */

static const struct glyph_rules glyph_rules = {
    .keys = "1 (a peg) and 0 (a hole)", .stranger = "is no symbol: 1 is a peg, 0 an empty hole", .solid = true};

static pdb_status read_symbols(const struct node *root, struct board *board, pdb_error *error)
{
    uint8_t symbol;
    pdb_status status = board_add_symbol(board, "0", 1, &board->empty, error);
    if (status == PDB_OK)
        status = board_add_symbol(board, "1", 1, &symbol, error);
    if (status != PDB_OK)
        return status;
    strcpy(board->symbol[HOLE_SYMBOL].glyph, "○");
    strcpy(board->symbol[PEG_SYMBOL].glyph, "●");
    board->bare = true;
    status = board_read_glyphs(root, &glyph_rules, board, error);
    if (status == PDB_OK && strcmp(board->symbol[HOLE_SYMBOL].glyph, board->symbol[PEG_SYMBOL].glyph) == 0)
        return node_error(error, node_find(root, "glyphs"), "pegs and holes have to be drawn differently");
    return status;
}

/* -- a list of jumps -- */

/* Reads a hole's number at *at and moves on behind it. */
static pdb_status read_hole(const struct peg *peg, const struct node *node, const char *text, size_t *at, uint8_t *hole,
                            pdb_error *error)
{
    const size_t first = *at;
    unsigned number = 0;
    while (text[*at] >= '0' && text[*at] <= '9' && *at - first < 4)
        number = 10 * number + (unsigned)(text[(*at)++] - '0');
    if (*at == first)
        return node_error_at(error, node, first,
                             "a hole's number should stand here: a hole's jumps are written (over,to) (over,to) ...");
    if (number >= peg->holes)
        return node_error_at(error, node, first, "there is no hole %u: the board's holes are 0 to %u", number,
                             peg->holes - 1);
    *hole = (uint8_t)number;
    return PDB_OK;
}

/* One "(over,to)": three signs, with a hole behind each of the first two. */
static pdb_status read_pair(const struct peg *peg, const struct node *node, const char *text, size_t *at,
                            struct peg_jump *jump, pdb_error *error)
{
    static const char signs[] = "(,)";
    pdb_status status = PDB_OK;
    for (unsigned i = 0; status == PDB_OK && i < 3; i++) {
        if (text[*at] != signs[i])
            return node_error_at(error, node, *at,
                                 "a '%c' should stand here: a hole's jumps are written (over,to) (over,to) ...",
                                 signs[i]);
        ++*at;
        *at += strspn(text + *at, " \t\n");
        if (i < 2)
            status = read_hole(peg, node, text, at, i == 0 ? &jump->over : &jump->to, error);
        *at += strspn(text + *at, " \t\n");
    }
    return status;
}

static pdb_status add_jump(struct peg *peg, const struct node *node, size_t offset, struct peg_jump jump,
                           pdb_error *error)
{
    if (jump.over == jump.from || jump.to == jump.from || jump.over == jump.to)
        return node_error_at(error, node, offset, "a jump needs three different holes, not %u over %u to %u", jump.from,
                             jump.over, jump.to);
    for (unsigned j = 0; j < peg->jumps; j++)
        if (memcmp(&peg->jump[j], &jump, sizeof jump) == 0)
            return node_error_at(error, node, offset, "the jump from %u over %u to %u is listed twice", jump.from,
                                 jump.over, jump.to);
    if (peg->jumps == PEG_MAX_JUMPS)
        return node_error_at(error, node, offset, "more than %d jumps", PEG_MAX_JUMPS);
    peg->jump[peg->jumps++] = jump;
    return PDB_OK;
}

/* The jumps from one hole: "(1,2) (3,6) (5,10)". */
static pdb_status read_hole_jumps(struct peg *peg, const struct node *key, const struct node *value, pdb_error *error)
{
    int64_t from;
    const char *text;
    pdb_status status = node_as_integer(key, 0, peg->holes - 1, &from, error);
    if (status == PDB_OK)
        status = node_as_text(value, &text, error);
    if (status != PDB_OK)
        return status;
    size_t at = strspn(text, " \t\n");
    while (status == PDB_OK && text[at] != '\0') {
        struct peg_jump jump = {.from = (uint8_t)from};
        const size_t offset = at;
        status = read_pair(peg, value, text, &at, &jump, error);
        if (status == PDB_OK)
            status = add_jump(peg, value, offset, jump, error);
        at += strspn(text + at, " ,\t\n");
    }
    return status;
}

static pdb_status read_jumps(struct peg *peg, const struct node *jumps, pdb_error *error)
{
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && node_kind(jumps) == NODE_MAPPING && i < node_count(jumps); i++)
        status = read_hole_jumps(peg, node_key(jumps, i), node_value(jumps, i), error);
    if (status == PDB_OK && peg->jumps == 0)
        status = node_error(error, jumps, "no jump is possible on this board");
    return status;
}

/* -- goals -- */

/* Adds a pattern. All goals together are puzzle.goal: open where they differ. */
static pdb_status add_goal(struct peg *peg, const struct node *node, const uint8_t *pattern, pdb_error *error)
{
    struct peg_goal goal = {0};
    for (unsigned hole = 0; hole < peg->holes; hole++) {
        uint8_t *common = &peg->puzzle.goal[hole];
        goal.all_pegs |= (peg_set)(pattern[hole] == PEG_SYMBOL) << hole;
        goal.all_open |= (peg_set)(pattern[hole] == BOARD_OPEN) << hole;
        if (peg->goals == 0)
            *common = pattern[hole];
        else if (*common != pattern[hole])
            *common = BOARD_OPEN;
    }
    goal.pegs = (uint64_t)goal.all_pegs;
    goal.open = (uint64_t)goal.all_open;
    const unsigned least = peg_wide_count(goal.all_pegs), most = least + peg_wide_count(goal.all_open);
    if (peg->goal_pegs >= 0 && ((unsigned)peg->goal_pegs < least || (unsigned)peg->goal_pegs > most))
        return node_error(error, node, "'pegs' says that a goal has %d of them, but this one has %s%u", peg->goal_pegs,
                          least == most                      ? ""
                          : (unsigned)peg->goal_pegs < least ? "at least "
                                                             : "at most ",
                          (unsigned)peg->goal_pegs < least ? least : most);
    for (unsigned g = 0; g < peg->goals; g++)
        if (peg->goal[g].all_pegs == goal.all_pegs && peg->goal[g].all_open == goal.all_open)
            return node_error(error, node, "this goal is listed twice");
    if (peg->goals == PEG_MAX_GOALS)
        return node_error(error, node, "more than %d goals", PEG_MAX_GOALS);
    peg->goal[peg->goals++] = goal;
    return PDB_OK;
}

static pdb_status read_goal(struct peg *peg, const struct node *node, pdb_error *error)
{
    uint8_t pattern[BOARD_MAX_CELLS];
    const char *text;
    size_t offset;
    pdb_error cause;
    pdb_status status = node_as_text(node, &text, error);
    if (status != PDB_OK)
        return status;
    if (board_parse(&peg->puzzle.board, text, BOARD_WITH_OPEN | BOARD_DRAWN, pattern, &offset, &cause) != PDB_OK)
        return node_error_at(error, node, offset, "%s", cause.message);
    peg->puzzle.read_as += digest_of_reading("", pattern, peg->puzzle.board.places);
    return add_goal(peg, node, pattern, error);
}

/* 'goal' is a picture or a list of pictures, any of which will do; without it, 'pegs' alone says when a board is
 * solved. */
static pdb_status read_goals(struct peg *peg, const struct node *goal, const struct node *pegs, pdb_error *error)
{
    int64_t count = -1;
    pdb_status status = pegs == NULL ? PDB_OK : node_as_integer(pegs, 0, peg->holes, &count, error);
    if (status != PDB_OK)
        return status;
    peg->goal_pegs = (int)count;
    if (goal == NULL) {
        uint8_t open[BOARD_MAX_CELLS];
        memset(open, BOARD_OPEN, sizeof open);
        return add_goal(peg, pegs, open, error);
    }
    if (node_kind(goal) != NODE_SEQUENCE)
        return read_goal(peg, goal, error);
    for (size_t i = 0; status == PDB_OK && i < node_count(goal); i++)
        status = read_goal(peg, node_item(goal, i), error);
    return status;
}

/* -- all of it -- */

static pdb_status read_metric(struct peg *peg, const struct node *metric, pdb_error *error)
{
    static const char *const metrics[] = {"sweep", "jump", NULL};
    unsigned choice = 0;
    pdb_status status = metric == NULL ? PDB_OK : node_as_choice(metric, metrics, &choice, error);
    peg->sweeps = choice == 0;
    peg->puzzle.metric = peg->sweeps ? "a sweep: any number of consecutive jumps by one peg" : "one jump";
    return status;
}

/* The picture that shows which cells are holes. */
static pdb_status find_picture(const struct node *root, const struct node **picture, pdb_error *error)
{
    const struct node *goal = node_find(root, "goal");
    *picture = node_find(root, "board");
    if (goal == NULL && node_find(root, "pegs") == NULL)
        return node_error(error, root,
                          "the definition has no 'goal' (a picture, * where anything may be) and no 'pegs' (how many "
                          "are left in the end)");
    if (goal != NULL && node_kind(goal) == NODE_SEQUENCE && node_count(goal) == 0)
        return node_error(error, goal, "'goal' is an empty list");
    if (*picture == NULL && goal != NULL)
        *picture = node_kind(goal) == NODE_SEQUENCE ? node_item(goal, 0) : goal;
    if (*picture == NULL)
        return node_error(error, root, "the definition has no 'board': a picture of the holes");
    return PDB_OK;
}

pdb_status peg_read(const struct definition *definition, struct peg *peg, pdb_error *error)
{
    const struct node *root = definition_root(definition), *picture, *jumps;
    pdb_status status = find_picture(root, &picture, error);
    if (status == PDB_OK)
        status = node_require(root, "jumps", &jumps, error);
    if (status == PDB_OK)
        status = read_symbols(root, &peg->puzzle.board, error);
    if (status == PDB_OK)
        status = peg_read_shape(picture, jumps, peg, error);
    if (status == PDB_OK)
        status = read_jumps(peg, jumps, error);
    if (status == PDB_OK)
        status = read_goals(peg, node_find(root, "goal"), node_find(root, "pegs"), error);
    if (status == PDB_OK)
        status = read_metric(peg, node_find(root, "metric"), error);
    return status;
}
