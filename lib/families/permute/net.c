/* net.c -- a permutation puzzle's tiles as stickers: reading a net, showing a position on it and reading one from it */
#include "net.h"

#include <stdlib.h>
#include <string.h>

/* -- which sticker a place shows -- */

/* By how many numbers a place's stickers are on when its tile is twisted. */
static unsigned shift_of(const struct permute *permute, const struct permute_net *net, unsigned place, unsigned twist)
{
    const unsigned stickers = net->stickers[place];
    return stickers == 1 ? 0 : twist * (stickers / permute->modulus[place]);
}

/* Which of its tile's stickers a symbol shows on a number of a place. */
static unsigned shown(const struct permute *permute, const struct permute_net *net, unsigned place, unsigned number,
                      uint8_t symbol)
{
    const unsigned stickers = net->stickers[place];
    return (number + stickers - shift_of(permute, net, place, permute->twist_of[symbol]) % stickers) % stickers;
}

uint8_t permute_net_show(const struct puzzle *puzzle, const uint8_t *position, unsigned sticker)
{
    const struct permute *permute = (const struct permute *)puzzle;
    const struct permute_net *net = permute->net;
    const uint16_t place = net->place[sticker];
    if (place == BOARD_NO_PLACE)
        return net->solved[sticker];
    const uint8_t symbol = position[place];
    return net->colour[permute->tile_of[symbol]][shown(permute, net, place, net->number[sticker], symbol)];
}

/* -- reading: where the stickers are -- */

/* A net that is being read, its two pictures, and which numbers of a place have been seen, a bit each. */
struct reading {
    const struct permute *permute;
    struct permute_net *net;
    struct picture stickers, colours;
    uint32_t seen[BOARD_MAX_CELLS];
};

/* "UFR+2": place UFR, number 2. */
static pdb_status read_sticker(struct reading *reading, unsigned sticker, pdb_error *error)
{
    const struct picture *picture = &reading->stickers;
    const struct board *board = &reading->permute->puzzle.board;
    struct permute_net *net = reading->net;
    const unsigned cell = net->board.cell[sticker];
    const char *text = picture->text + picture->cell[cell].offset;
    const size_t length = picture->cell[cell].length;
    net->place[sticker] = BOARD_NO_PLACE;
    if (picture_cell_is(picture, cell, '*'))
        return PDB_OK;
    unsigned number = 0;
    net->place[sticker] = places_find(board, &reading->permute->names, text, length);
    if (net->place[sticker] == BOARD_NO_PLACE) {
        const char *plus = memrchr(text, '+', length), *end = text + length;
        const char *digit = plus == NULL ? end : plus + 1;
        number = digit == end ? NET_MAX_STICKERS : 0;
        for (; digit < end && number < NET_MAX_STICKERS; digit++)
            number = *digit >= '0' && *digit <= '9' ? 10 * number + (unsigned)(*digit - '0') : NET_MAX_STICKERS;
        if (plus != NULL)
            net->place[sticker] = places_find(board, &reading->permute->names, text, (size_t)(plus - text));
    }
    const uint16_t place = net->place[sticker];
    if (place == BOARD_NO_PLACE || number >= NET_MAX_STICKERS)
        return picture_error(error, picture, cell,
                             "'%.*s' is no sticker: a place's are written %s, %s+1, .. to +%d, and those that no move "
                             "takes anywhere *",
                             (int)length, text, reading->permute->names.name[0], reading->permute->names.name[0],
                             NET_MAX_STICKERS - 1);
    if (reading->seen[place] >> number & 1)
        return picture_error(error, picture, cell, "the sticker '%.*s' is there twice", (int)length, text);
    reading->seen[place] |= (uint32_t)1 << number;
    net->number[sticker] = (uint8_t)number;
    net->stickers[place]++;
    return PDB_OK;
}

/* Each place has its stickers from 0 on, as many as others that its tile gets to, and as many again for each twist. */
static pdb_status check_place(const struct reading *reading, unsigned place, pdb_error *error)
{
    const struct permute *permute = reading->permute;
    const unsigned stickers = reading->net->stickers[place], modulus = permute->modulus[place];
    const char *name = permute->names.name[place];
    const struct node *node = reading->stickers.node;
    if (reading->seen[place] != ((uint32_t)1 << stickers) - 1)
        return node_error(error, node, "the sticker '%s%s%.0u' is missing: those of a place are counted from 0 on",
                          name, reading->seen[place] & 1 ? "+" : "",
                          reading->seen[place] & 1 ? (unsigned)__builtin_ctz(~reading->seen[place]) : 0);
    if (stickers > 1 && stickers % modulus != 0)
        return node_error(error, node,
                          "the place '%s' has %u stickers, which cannot turn in %u steps: it needs 1, or "
                          "%u, %u, ..",
                          name, stickers, modulus, modulus, 2 * modulus);
    for (unsigned other = 0; other < place; other++)
        if (permute->orbit_of[other] == permute->orbit_of[place] && reading->net->stickers[other] != stickers)
            return node_error(error, node, "the moves bring a tile from '%s' to '%s', which have %u and %u stickers",
                              permute->names.name[other], name, reading->net->stickers[other], stickers);
    return PDB_OK;
}

/* -- reading: their colours -- */

/* The colours of the solved puzzle's stickers are those of its tiles. */
static pdb_status read_colour(struct reading *reading, unsigned sticker, uint8_t known[][NET_MAX_STICKERS],
                              pdb_error *error)
{
    const struct permute *permute = reading->permute;
    const struct picture *picture = &reading->colours;
    struct permute_net *net = reading->net;
    const unsigned cell = net->board.cell[sticker];
    const char *text = picture->text + picture->cell[cell].offset;
    const size_t length = picture->cell[cell].length;
    uint8_t *colour = &net->solved[sticker];
    pdb_error cause;
    *colour = board_symbol(&net->board, text, length);
    if (*colour == BOARD_OPEN && board_add_symbol(&net->board, text, length, colour, &cause) != PDB_OK)
        return picture_error(error, picture, cell, "%s", cause.message);
    const uint16_t place = net->place[sticker];
    if (place == BOARD_NO_PLACE)
        return PDB_OK;
    const struct puzzle *puzzle = &permute->puzzle;
    const bool open = memchr(puzzle->goal, BOARD_OPEN, puzzle->board.places) != NULL;
    const uint8_t symbol = (open ? permute->board : puzzle->goal)[place], tile = permute->tile_of[symbol];
    const unsigned i = shown(permute, net, place, net->number[sticker], symbol);
    if (known[tile][i] && net->colour[tile][i] != *colour)
        return picture_error(error, picture, cell,
                             "this sticker of '%s' is %s here and %s where there is another of it",
                             puzzle->board.symbol[permute->symbol_of[tile][0]].code, net->board.symbol[*colour].code,
                             net->board.symbol[net->colour[tile][i]].code);
    if (net->stickers_of[tile] != 0 && net->stickers_of[tile] != net->stickers[place])
        return picture_error(error, picture, cell, "'%s' stands on a place with %u stickers here, and on one with %u",
                             puzzle->board.symbol[permute->symbol_of[tile][0]].code, net->stickers[place],
                             net->stickers_of[tile]);
    net->stickers_of[tile] = net->stickers[place];
    known[tile][i] = true;
    net->colour[tile][i] = *colour;
    return PDB_OK;
}

static pdb_status read_colours(struct reading *reading, pdb_error *error)
{
    uint8_t known[BOARD_MAX_SYMBOLS][NET_MAX_STICKERS] = {0};
    pdb_status status = PDB_OK;
    for (unsigned sticker = 0; status == PDB_OK && sticker < reading->net->board.places; sticker++)
        status = read_colour(reading, sticker, known, error);
    board_finish(&reading->net->board);
    return status;
}

static pdb_status read_net(struct reading *reading, const struct node *node, pdb_error *error)
{
    static const char *const keys[] = {"stickers", "colours", "shape", NULL};
    struct board *board = &reading->net->board;
    const struct node *stickers, *colours;
    if (node_kind(node) != NODE_MAPPING)
        return node_error(error, node, "'net' has to be a mapping: 'stickers' and 'colours', two pictures alike");
    pdb_status status = node_check_keys(node, keys, error);
    if (status == PDB_OK)
        status = node_require(node, "stickers", &stickers, error);
    if (status == PDB_OK)
        status = node_require(node, "colours", &colours, error);
    if (status == PDB_OK)
        status = picture_read(stickers, &reading->stickers, error);
    if (status == PDB_OK)
        status = board_lay_out(&reading->stickers, BOARD_MAX_CELLS, board, error);
    board->bare = true;
    board->empty = BOARD_OPEN;
    if (status == PDB_OK)
        status = board_read_picture(colours, "colours", "the colours have", board, &reading->colours, error);
    for (unsigned sticker = 0; status == PDB_OK && sticker < board->places; sticker++)
        status = read_sticker(reading, sticker, error);
    for (unsigned place = 0; status == PDB_OK && place < reading->permute->puzzle.board.places; place++)
        status = check_place(reading, place, error);
    return status == PDB_OK ? read_colours(reading, error) : status;
}

pdb_status permute_read_net(const struct node *node, const struct permute *permute, struct permute_net **net,
                            pdb_error *error)
{
    *net = NULL;
    if (node == NULL)
        return PDB_OK;
    struct reading *reading = calloc(1, sizeof *reading);
    struct permute_net *made = calloc(1, sizeof *made);
    pdb_status status = PDB_OK;
    if (reading == NULL || made == NULL) {
        status = error_no_memory(error, "a net", sizeof *reading + sizeof *made);
    } else {
        reading->permute = permute;
        reading->net = made;
        status = read_net(reading, node, error);
    }
    free(reading);
    if (status == PDB_OK)
        *net = made;
    else
        free(made);
    return status;
}

/* -- a board typed as a net -- */

/* Does a place that holds a symbol show what stands on its stickers? */
static bool fits(const struct permute *permute, unsigned place, uint8_t symbol, const uint8_t *typed)
{
    const struct permute_net *net = permute->net;
    const uint8_t tile = permute->tile_of[symbol];
    if (net->stickers_of[tile] != net->stickers[place])
        return false;
    for (unsigned sticker = 0; sticker < net->board.places; sticker++)
        if (net->place[sticker] == place &&
            net->colour[tile][shown(permute, net, place, net->number[sticker], symbol)] != typed[sticker])
            return false;
    return true;
}

/* The first tile that looks like it and is left; `left` is how many of each there are. */
static bool find_tile(const struct permute *permute, unsigned place, const uint8_t *typed, unsigned *left,
                      uint8_t *symbol)
{
    for (unsigned tile = 0; tile < permute->tiles; tile++)
        for (unsigned twist = 0; left[tile] > 0 && twist < permute->modulus[place]; twist++) {
            *symbol = permute->symbol_of[tile][twist];
            if (*symbol != BOARD_OPEN && fits(permute, place, *symbol, typed)) {
                left[tile]--;
                return true;
            }
        }
    return false;
}

pdb_status permute_net_parse(const struct puzzle *puzzle, const char *text, uint8_t *position, bool *known,
                             pdb_error *error)
{
    const struct permute *permute = (const struct permute *)puzzle;
    const struct permute_net *net = permute->net;
    const unsigned rows = board_count_rows(text);
    uint8_t typed[2 * BOARD_MAX_CELLS];
    unsigned left[BOARD_MAX_SYMBOLS] = {0};
    *known = net != NULL && board_parse(&net->board, text, 0, typed, NULL, NULL) == PDB_OK;
    /* The stickers of tiles are what a board has, in another order: a net of these is written in its rows. What may be
     * a board as it is written is one, whatever is on the stickers. */
    *known = *known && (puzzle->net != PDB_NO_NET || rows == net->board.rows) &&
             ((rows > 1 && rows != puzzle->board.rows) ||
              board_parse(&puzzle->board, text, 0, position, NULL, NULL) != PDB_OK);
    if (!*known)
        return PDB_OK;
    for (unsigned sticker = 0; sticker < net->board.places; sticker++)
        if (net->place[sticker] == BOARD_NO_PLACE && typed[sticker] != net->solved[sticker])
            return error_set(error, PDB_BAD_BOARD,
                             "sticker %u: %s, and no move takes %s away from here: hold the "
                             "puzzle so that it is where the goal has it",
                             sticker + 1, net->board.symbol[typed[sticker]].code,
                             net->board.symbol[net->solved[sticker]].code);
    for (unsigned place = 0; place < puzzle->board.places; place++)
        left[permute->tile_of[permute->board[place]]]++;
    for (unsigned place = 0; place < puzzle->board.places; place++)
        if (!find_tile(permute, place, typed, left, &position[place]))
            return error_set(error, PDB_BAD_BOARD,
                             "the stickers on place %s are those of no tile, or of one that is "
                             "elsewhere already",
                             permute->names.name[place]);
    return PDB_OK;
}
