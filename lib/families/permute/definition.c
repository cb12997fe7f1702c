/* definition.c -- reads a permutation puzzle's definition: places, twists, tiles, goal */
#include "lib/families/permute/search/search.h"
#include "net.h"
#include "notation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- twists -- */

/* 'twists': one modulus for all places, or a mapping from moduli to the places that have them. */
static pdb_status read_twists(struct permute *permute, const struct node *node, pdb_error *error)
{
    const struct board *board = &permute->puzzle.board;
    int64_t modulus = 1;
    pdb_status status = PDB_OK;
    if (node != NULL && node_kind(node) == NODE_SCALAR)
        status = node_as_integer(node, 2, PERMUTE_MAX_TWIST, &modulus, error);
    memset(permute->modulus, (int)modulus, sizeof permute->modulus);
    if (node == NULL || node_kind(node) == NODE_SCALAR)
        return status;
    if (node_kind(node) != NODE_MAPPING)
        return node_error(error, node, "'twists' has to be a number, or a mapping from numbers to places: 3: a b c");
    struct place_list list;
    for (size_t i = 0; status == PDB_OK && i < node_count(node); i++) {
        status = node_as_integer(node_key(node, i), 2, PERMUTE_MAX_TWIST, &modulus, error);
        if (status == PDB_OK)
            status = places_read_list(node_value(node, i), board, &permute->names, &list, error);
        for (unsigned k = 0; status == PDB_OK && k < list.count; k++) {
            if (permute->modulus[list.place[k]] != 1)
                return node_error_at(error, list.node[k], list.offset[k], "'%s' has a twist already",
                                     permute->names.name[list.place[k]]);
            permute->modulus[list.place[k]] = (uint8_t)modulus;
        }
    }
    return status;
}

/* Behind a `+` stands a twist, so it cannot be a part of a name. */
static pdb_status check_names(const struct permute *permute, const struct node *places, pdb_error *error)
{
    for (unsigned place = 0; places != NULL && place < permute->puzzle.board.places; place++)
        if (strchr(permute->names.name[place], '+') != NULL)
            return node_error(error, places, "the place '%s' cannot be called so beside 'twists': '+' is for these",
                              permute->names.name[place]);
    return PDB_OK;
}

/* -- tiles -- */

/* A cell's text taken apart: a tile's name and its twist, "a+2". */
struct tile_text {
    const char *name;
    size_t length;
    unsigned twist;
};

static pdb_status split_cell(const struct permute *permute, const struct picture *picture, unsigned place,
                             struct tile_text *tile, pdb_error *error)
{
    const unsigned cell = permute->puzzle.board.cell[place], modulus = permute->modulus[place];
    tile->name = picture->text + picture->cell[cell].offset;
    tile->length = picture->cell[cell].length;
    tile->twist = 0;
    const char *plus = memchr(tile->name, '+', tile->length);
    if (plus == NULL)
        return PDB_OK;
    for (const char *c = plus + 1; c < tile->name + tile->length && tile->twist < 100; c++)
        tile->twist = *c >= '0' && *c <= '9' ? 10 * tile->twist + (unsigned)(*c - '0') : 100;
    if (modulus == 1)
        return picture_error(error, picture, cell, "'+' is for twists, and this place has none");
    tile->length = (size_t)(plus - tile->name);
    if (tile->twist >= modulus || plus[1] == '+' || tile->length == 0)
        return picture_error(error, picture, cell, "a twist has to be +0 to +%u here, behind a tile's name",
                             modulus - 1);
    return PDB_OK;
}

/* The symbol of a tile with a twist, made if it is new: "a", "a+1", "a+2". */
static pdb_status add_symbol(struct permute *permute, const struct tile_text *tile, unsigned twist, uint8_t *symbol,
                             pdb_error *error)
{
    struct board *board = &permute->puzzle.board;
    char code[2 * SYMBOL_CODE_MAX];
    int length = (int)(tile->length < SYMBOL_CODE_MAX ? tile->length : SYMBOL_CODE_MAX);
    length = twist == 0 ? snprintf(code, sizeof code, "%.*s", length, tile->name)
                        : snprintf(code, sizeof code, "%.*s+%u", length, tile->name, twist);
    *symbol = board_symbol(board, code, (size_t)length);
    return *symbol != BOARD_OPEN ? PDB_OK : board_add_symbol(board, code, (size_t)length, symbol, error);
}

/* Makes the symbols of the tile in a place, for all twists that it can have there, and puts it on the board. */
static pdb_status add_tile(struct permute *permute, const struct picture *picture, unsigned place, pdb_error *error)
{
    const unsigned cell = permute->puzzle.board.cell[place];
    struct tile_text tile;
    uint8_t plain, symbol;
    pdb_error cause;
    pdb_status status = split_cell(permute, picture, place, &tile, error);
    if (status != PDB_OK)
        return status;
    const unsigned known = permute->puzzle.board.symbols;
    if (add_symbol(permute, &tile, 0, &plain, &cause) != PDB_OK)
        return picture_error(error, picture, cell, "%s", cause.message);
    if (plain == known)
        permute->tile_of[plain] = (uint8_t)permute->tiles++;
    for (unsigned twist = 0; twist < permute->modulus[place]; twist++) {
        if (add_symbol(permute, &tile, twist, &symbol, &cause) != PDB_OK)
            return picture_error(error, picture, cell, "%s", cause.message);
        permute->tile_of[symbol] = permute->tile_of[plain];
        permute->twist_of[symbol] = (uint8_t)twist;
        permute->puzzle.board.symbol[symbol].kind = plain;
        permute->symbol_of[permute->tile_of[plain]][twist] = symbol;
        if (twist == tile.twist)
            permute->board[place] = symbol;
    }
    return PDB_OK;
}

static pdb_status read_tiles(struct permute *permute, const struct node *node, pdb_error *error)
{
    const struct board *board = &permute->puzzle.board;
    struct picture picture;
    pdb_status status = board_read_picture(node, "tiles", "the tiles have", board, &picture, error);
    for (unsigned place = 0; status == PDB_OK && place < board->places; place++) {
        if (picture_cell_is(&picture, board->cell[place], '*'))
            return picture_error(
                error, &picture, board->cell[place],
                "an open cell (*) in the picture that has to show every tile: give the whole board under 'board'");
        status = add_tile(permute, &picture, place, error);
    }
    return status;
}

/* -- goal -- */

/* A goal may ask of an orbit's places only for tiles that are there. */
static pdb_status check_goal(const struct permute *permute, const struct picture *picture, pdb_error *error)
{
    const struct puzzle *puzzle = &permute->puzzle;
    for (unsigned orbit = 0; orbit < permute->orbits; orbit++) {
        uint16_t count[BOARD_MAX_SYMBOLS] = {0}; /* of each tile in the orbit's places */
        for (unsigned place = 0; place < puzzle->board.places; place++)
            if (permute->orbit_of[place] == orbit)
                count[permute->tile_of[permute->board[place]]]++;
        for (unsigned place = 0; place < puzzle->board.places; place++) {
            if (permute->orbit_of[place] != orbit || puzzle->goal[place] == BOARD_OPEN)
                continue;
            const uint8_t tile = permute->tile_of[puzzle->goal[place]];
            if (count[tile]-- == 0)
                return picture_error(
                    error, picture, puzzle->board.cell[place],
                    "the goal has more of '%s' here than the generators can bring: compare it with the board",
                    puzzle->board.symbol[permute->symbol_of[tile][0]].code);
        }
    }
    return PDB_OK;
}

/* Are the tiles called as the places, but not each as its own? */
static bool is_disordered(const struct permute *permute)
{
    const struct board *board = &permute->puzzle.board;
    bool found[BOARD_MAX_CELLS] = {false}, disordered = false;
    for (uint16_t place = 0; place < board->places; place++) {
        const char *tile = board->symbol[board->symbol[permute->board[place]].kind].code;
        const uint16_t home = places_find(board, &permute->names, tile, strlen(tile));
        if (home == BOARD_NO_PLACE || found[home])
            return false;
        found[home] = true;
        disordered |= home != place;
    }
    return disordered;
}

/* Without a goal it is as the board is drawn: with tiles of their own, or each in the place that it is called after. */
static pdb_status read_goal(struct permute *permute, const struct node *node, const struct node *drawn,
                            pdb_error *error)
{
    const struct board *board = &permute->puzzle.board;
    if (node == NULL && is_disordered(permute))
        return node_error(error, drawn,
                          "without a goal the tiles belong to the places that they are called after, and "
                          "here they are elsewhere: give the goal; a board to solve stands under 'boards'");
    if (node == NULL) {
        memcpy(permute->puzzle.goal, permute->board, board->places);
        return PDB_OK;
    }
    struct picture picture;
    pdb_status status = board_read_picture(node, "goal", "the goal has", board, &picture, error);
    for (unsigned place = 0; status == PDB_OK && place < board->places; place++) {
        struct tile_text tile;
        permute->puzzle.goal[place] = BOARD_OPEN;
        if (picture_cell_is(&picture, board->cell[place], '*'))
            continue;
        status = split_cell(permute, &picture, place, &tile, error);
        if (status != PDB_OK)
            break;
        uint8_t symbol = board_symbol(board, tile.name, tile.length);
        if (symbol != BOARD_OPEN)
            symbol = permute->symbol_of[permute->tile_of[symbol]][tile.twist];
        if (symbol == BOARD_OPEN)
            return picture_error(error, &picture, board->cell[place], "there is no tile '%.*s' on the board%s",
                                 tile.length < 40 ? (int)tile.length : 40, tile.name,
                                 drawn == NULL ? ", for none is drawn: give every tile under 'board'" : "");
        permute->puzzle.goal[place] = symbol;
    }
    return status != PDB_OK ? status : check_goal(permute, &picture, error);
}

/* -- orbits -- */

/* Numbers the orbits in reading order of their first places. */
static void find_orbits(struct permute *permute)
{
    const unsigned places = permute->puzzle.board.places;
    bool seen[BOARD_MAX_CELLS] = {false};
    uint8_t queue[BOARD_MAX_CELLS];
    for (unsigned begin = 0; begin < places; begin++) {
        unsigned count = 0;
        if (seen[begin])
            continue;
        seen[begin] = true;
        queue[count++] = (uint8_t)begin;
        /* Forward is enough: every move comes back to where it began after some turns. */
        for (unsigned next = 0; next < count; next++) {
            permute->orbit_of[queue[next]] = (uint8_t)permute->orbits;
            for (unsigned m = 0; m < permute->moves; m++) {
                const uint8_t to = permute->move[m].to[queue[next]];
                if (!seen[to]) {
                    seen[to] = true;
                    queue[count++] = to;
                }
            }
        }
        permute->orbits++;
    }
}

/* -- how it looks -- */

static pdb_status read_net(struct permute *permute, const struct node *net, pdb_error *error)
{
    static const char *const shapes[] = {"squares", "triangles", "diamonds", "tiles", NULL};
    const struct node *shape = net != NULL ? node_find(net, "shape") : NULL;
    unsigned which = 0;
    pdb_status status = permute_read_net(net, permute, &permute->net, error);
    if (status == PDB_OK && shape != NULL)
        status = node_as_choice(shape, shapes, &which, error);
    if (permute->net != NULL) {
        permute->puzzle.picture = &permute->net->board;
        permute->puzzle.net = shapes[which + 1] != NULL ? (pdb_net)(PDB_SQUARES + which) : PDB_NO_NET; /* of tiles */
    }
    return status;
}

pdb_status permute_read(const struct definition *definition, struct permute *permute, pdb_error *error)
{
    const struct node *root = definition_root(definition);
    const struct node *places = node_find(root, "places"), *board = node_find(root, "board"),
                      *goal = node_find(root, "goal"), *twists = node_find(root, "twists");
    const struct node *shape = places != NULL ? places : board != NULL ? board : goal;
    struct picture picture;
    if (shape == NULL)
        return node_error(error, root, "a permutation puzzle needs its places drawn: give 'places', 'board' or 'goal'");
    pdb_status status = picture_read(shape, &picture, error);
    if (status == PDB_OK)
        status = board_lay_out(&picture, BOARD_BYTE_CELLS, &permute->puzzle.board, error);
    if (status == PDB_OK)
        status = places_read_names(places, &permute->puzzle.board, &permute->names, error);
    if (status == PDB_OK)
        status = read_twists(permute, twists, error);
    if (status == PDB_OK && twists != NULL)
        status = check_names(permute, places, error);
    if (status == PDB_OK)
        status = permute_read_moves(root, permute, error);
    if (status != PDB_OK)
        return status;
    find_orbits(permute);
    status = notation_make(root, permute, error);
    if (status != PDB_OK)
        return status;
    permute->puzzle.board.empty = BOARD_OPEN;
    permute->puzzle.board.bare = true;
    memset(permute->symbol_of, BOARD_OPEN, sizeof permute->symbol_of);
    /* Without a board the goal shows every tile; where it has open cells, the places' names may. */
    const bool whole_goal = goal != NULL && node_text(goal) != NULL && strchr(node_text(goal), '*') == NULL;
    status = read_tiles(permute, board != NULL ? board : whole_goal || places == NULL ? goal : places, error);
    if (status == PDB_OK)
        status = read_goal(permute, goal, board, error);
    if (status == PDB_OK)
        status = board_read_glyphs(root, NULL, &permute->puzzle.board, error);
    if (status == PDB_OK)
        status = read_net(permute, node_find(root, "net"), error);
    return status != PDB_OK ? status : permute_read_patterns(node_find(root, "patterns"), permute, error);
}
