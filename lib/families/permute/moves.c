/* moves.c -- reads the generators of a permutation puzzle and makes its moves of them
 *
 *     generators:
 *       U: (UBL UBR UFR UFL)               cycles: a tile goes to the next place, the last one to the first
 *       R: (UFR UBR+1 DBR+2 DFR+1)(a b)    +n: a tile that arrives here is turned by n
 *       row right / row left: 4 5 6        one cycle needs no parentheses; a second name for the way back
 *       flip: {reverse: 1 2 3 4}           the row is turned end for end
 *       spin: {cycles: (1 2 3), turns: forward}    an entry's own `turns`
 */
#include "permute.h"
#include "lib/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum turns { TURNS_FORWARD, TURNS_BOTH, TURNS_ALL };

static const char *const turns_words[] = {"forward", "both", "all", NULL};

static const char *const metrics[] = {
    [TURNS_FORWARD] = "one generator, as it is written",
    [TURNS_BOTH] = "one generator, once, forward or back",
    [TURNS_ALL] = "one generator, any number of times",
};

/* A generator while it is read. */
struct generator {
    const struct permute *permute;
    const struct node *key;
    struct permute_move move;
    bool used[BOARD_MAX_CELLS];
    /* the cycle at hand */
    unsigned first, last, length;
    uint8_t first_twist; /* of the tile that arrives at `first` */
};

static pdb_status use_place(struct generator *generator, const struct node *node, size_t offset, uint16_t place,
                            pdb_error *error)
{
    if (generator->used[place])
        return node_error_at(error, node, offset, "'%s' stands twice in this generator: that is no permutation",
                             generator->permute->names.name[place]);
    generator->used[place] = true;
    return PDB_OK;
}

/* -- cycles -- */

static void join(struct generator *generator, unsigned from, unsigned to, uint8_t twist)
{
    generator->move.to[from] = (uint8_t)to;
    generator->move.twist[from] = twist;
}

static pdb_status end_cycle(struct generator *generator, const struct node *node, size_t offset, pdb_error *error)
{
    if (generator->length == 0)
        return node_error_at(error, node, offset, "this cycle is empty");
    if (generator->length == 1 && generator->first_twist == 0)
        return node_error_at(error, node, offset, "a cycle of one place does nothing");
    join(generator, generator->last, generator->first, generator->first_twist);
    generator->length = 0;
    return PDB_OK;
}

/* The n of "+n" behind a place's name. */
static pdb_status read_twist(const struct node *node, size_t offset, const char *digits, size_t length,
                             unsigned modulus, uint8_t *twist, pdb_error *error)
{
    unsigned value = 0;
    for (size_t i = 0; i < length && value < 100; i++) {
        if (digits[i] < '0' || digits[i] > '9')
            length = 0;
        value = 10 * value + (unsigned)(digits[i] - '0');
    }
    if (modulus < 2)
        return node_error_at(error, node, offset, "this place has no twist: 'twists' has to name it with its modulus");
    if (length == 0 || value >= modulus)
        return node_error_at(error, node, offset, "the twist has to be +0 to +%u here", modulus - 1);
    *twist = (uint8_t)value;
    return PDB_OK;
}

/* One place of a cycle: "name" or "name+n". */
static pdb_status add_to_cycle(struct generator *generator, const struct node *node, size_t offset, size_t length,
                               pdb_error *error)
{
    const struct permute *permute = generator->permute;
    const char *word = node_text(node) + offset;
    const char *plus = memchr(word, '+', length);
    const size_t name_length = plus == NULL ? length : (size_t)(plus - word);
    uint16_t place;
    uint8_t twist = 0;
    pdb_status status = places_require(&permute->puzzle.board, &permute->names, node, offset, name_length, &place,
                                       error);
    if (status == PDB_OK && plus != NULL)
        status = read_twist(node, offset, plus + 1, length - name_length - 1, permute->modulus[place], &twist, error);
    if (status == PDB_OK)
        status = use_place(generator, node, offset, place, error);
    if (status != PDB_OK)
        return status;
    if (generator->length++ == 0) {
        generator->first = place;
        generator->first_twist = twist;
    } else {
        join(generator, generator->last, place, twist);
    }
    generator->last = place;
    return PDB_OK;
}

static bool is_separator(char c)
{
    return c == ' ' || c == ',' || c == '\t' || c == '\n' || c == '\r';
}

/* The places and parentheses of a scalar. Without parentheses the caller ends the cycle. */
static pdb_status read_cycle_text(struct generator *generator, const struct node *node, pdb_error *error)
{
    const char *text = "";
    pdb_status status = node_as_text(node, &text, error);
    const bool parentheses = strpbrk(text, "()") != NULL;
    bool inside = !parentheses;
    size_t length;
    size_t row;
    if (status == PDB_OK && !parentheses && places_have_rows(text, &row))
        return node_error_at(error, node, row, "a cycle stands in one line: several are written (a b c)(d e)");
    for (size_t at = 0; status == PDB_OK && text[at] != '\0'; at += length) {
        length = 1;
        if (is_separator(text[at]))
            continue;
        if (text[at] == (inside ? '(' : ')'))
            return node_error_at(error, node, at, "this parenthesis does not fit: cycles are written (a b c)(d e)");
        if (text[at] == '(') {
            inside = true;
        } else if (text[at] == ')') {
            inside = false;
            status = end_cycle(generator, node, at, error);
        } else {
            while (text[at + length] != '\0' && !is_separator(text[at + length]) &&
                   strchr("()", text[at + length]) == NULL)
                length++;
            if (!inside)
                return node_error_at(error, node, at, "this place stands outside of the cycles (a b c)");
            status = add_to_cycle(generator, node, at, length, error);
        }
    }
    if (status == PDB_OK && parentheses && inside)
        return node_error_at(error, node, strlen(text), "a parenthesis is missing at the end");
    return status;
}

static bool is_cycle(const struct node *entry)
{
    return node_kind(entry) != NODE_SCALAR || strpbrk(node_text(entry), "()") != NULL;
}

/* A list's entries are places, of one cycle, or cycles. */
static pdb_status check_entry(const struct node *list, const struct node *item, pdb_error *error)
{
    const bool cycle = is_cycle(item);
    if (node_count(list) > 1 && !cycle && *node_text(item) != '\0' && !board_is_one_word(node_text(item)))
        return node_error(error, item,
                          "several places in an entry of a list of places: if this is a cycle of its own, put it in "
                          "parentheses, (a b c)");
    if (cycle != is_cycle(node_item(list, 0)))
        return node_error(error, item,
                          "a list has either places in it, or cycles: this is a %s, the first entry is none",
                          cycle ? "cycle" : "place");
    return PDB_OK;
}

/* Cycles as text, as a list of places, or as a list of such lists. */
static pdb_status read_cycles(struct generator *generator, const struct node *node, pdb_error *error)
{
    pdb_status status = PDB_OK;
    if (node_kind(node) == NODE_MAPPING)
        return node_error(error, node, "cycles are written (a b c)(d e), or as lists of places");
    if (node_kind(node) == NODE_SCALAR)
        status = read_cycle_text(generator, node, error);
    for (size_t i = 0; status == PDB_OK && i < node_count(node); i++) {
        const struct node *item = node_item(node, i);
        status = check_entry(node, item, error);
        if (status == PDB_OK)
            status = node_kind(item) == NODE_SEQUENCE ? read_cycles(generator, item, error)
                                                      : read_cycle_text(generator, item, error);
    }
    if (status == PDB_OK && generator->length > 0)
        status = end_cycle(generator, node, 0, error);
    return status;
}

/* A row that is turned end for end: its outermost places change tiles, then the next ones, .. */
static pdb_status read_reverse(struct generator *generator, const struct node *node, pdb_error *error)
{
    const struct permute *permute = generator->permute;
    struct place_list list;
    pdb_status status = places_read_row(node, &permute->puzzle.board, &permute->names, &list, error);
    if (status != PDB_OK)
        return status;
    if (list.count < 2)
        return node_error(error, node, "a row to reverse has two places or more");
    for (unsigned i = 0; status == PDB_OK && i < list.count; i++) {
        status = use_place(generator, list.node[i], list.offset[i], list.place[i], error);
        join(generator, list.place[i], list.place[list.count - 1 - i], 0);
    }
    return status;
}

static pdb_status read_generator(struct generator *generator, const struct node *value, unsigned *turns,
                                 pdb_error *error)
{
    static const char *const keys[] = {"cycles", "reverse", "turns", NULL};
    if (node_kind(value) != NODE_MAPPING)
        return read_cycles(generator, value, error);
    const struct node *cycles = node_find(value, "cycles"), *reverse = node_find(value, "reverse"),
                      *own = node_find(value, "turns");
    pdb_status status = node_check_keys(value, keys, error);
    if (status == PDB_OK && cycles == NULL && reverse == NULL)
        return node_error(error, value, "a generator needs 'cycles' or 'reverse'");
    if (status == PDB_OK && cycles != NULL)
        status = read_cycles(generator, cycles, error);
    if (status == PDB_OK && reverse != NULL)
        status = read_reverse(generator, reverse, error);
    if (status == PDB_OK && own != NULL)
        status = node_as_choice(own, turns_words, turns, error);
    return status;
}

/* -- moves -- */

void permute_identity(const struct permute *permute, struct permute_move *move)
{
    memset(move, 0, sizeof *move);
    for (unsigned place = 0; place < permute->puzzle.board.places; place++)
        move->to[place] = (uint8_t)place;
}

bool permute_same_effect(const struct permute *permute, const struct permute_move *a, const struct permute_move *b)
{
    const size_t places = permute->puzzle.board.places;
    return memcmp(a->to, b->to, places) == 0 && memcmp(a->twist, b->twist, places) == 0;
}

void permute_compose(const struct permute *permute, const struct permute_move *a, const struct permute_move *b,
                     struct permute_move *both)
{
    permute_identity(permute, both);
    for (unsigned place = 0; place < permute->puzzle.board.places; place++) {
        const unsigned middle = a->to[place];
        both->to[place] = b->to[middle];
        both->twist[place] = (uint8_t)((a->twist[place] + b->twist[middle]) % permute->modulus[place]);
    }
}

void permute_invert(const struct permute *permute, const struct permute_move *move, struct permute_move *inverse)
{
    permute_identity(permute, inverse);
    for (unsigned place = 0; place < permute->puzzle.board.places; place++) {
        const unsigned modulus = permute->modulus[place];
        inverse->to[move->to[place]] = (uint8_t)place;
        inverse->twist[move->to[place]] = (uint8_t)((modulus - move->twist[place]) % modulus);
    }
}

/* The two names in a generator's key, "right / left", trimmed. Without the second the way back is "right'". */
struct names {
    char forward[PDB_MOVE_TEXT_MAX], back[PDB_MOVE_TEXT_MAX];
};

static pdb_status copy_name(const struct node *key, const char *text, size_t length, const char *end, char *name,
                            pdb_error *error)
{
    while (length > 0 && *text == ' ') {
        text++;
        length--;
    }
    while (length > 0 && text[length - 1] == ' ')
        length--;
    enum { ROOM = PDB_MOVE_TEXT_MAX - 16 }; /* for "'" and " 254 times" */
    if (length == 0 || length > ROOM || memchr(text, '\n', length) != NULL)
        return node_error(error, key, "a generator's name has to be 1 to %d bytes long, on one line", ROOM);
    if (memchr(text, '/', length) != NULL)
        return node_error(error, key, "a generator has one name, or two with one / between them");
    snprintf(name, PDB_MOVE_TEXT_MAX, "%.*s%s", (int)length, text, end);
    return PDB_OK;
}

static pdb_status read_names(const struct node *key, struct names *names, pdb_error *error)
{
    const char *text = node_text(key), *slash = strchr(text, '/');
    if (slash == NULL)
        slash = text + strlen(text);
    pdb_status status = copy_name(key, text, (size_t)(slash - text), "", names->forward, error);
    if (status == PDB_OK && *slash == '/')
        return copy_name(key, slash + 1, strlen(slash + 1), "", names->back, error);
    return status != PDB_OK ? status : copy_name(key, names->forward, strlen(names->forward), "'", names->back, error);
}

/* What a hint shows: the generator's name where it is short, else the name of the first place that the move changes. */
static void name_piece(const struct permute *permute, struct permute_move *move, const char *name)
{
    if (strlen(name) < sizeof move->piece) {
        strcpy(move->piece, name);
        return;
    }
    unsigned place = 0;
    while (move->to[place] == place && move->twist[place] == 0)
        place++;
    strcpy(move->piece, permute->names.name[place]);
}

/* A move that does the same as another; NULL for none. */
static const struct permute_move *find_same(const struct permute *permute, const struct permute_move *move)
{
    for (unsigned m = 0; m < permute->moves; m++)
        if (permute_same_effect(permute, &permute->move[m], move))
            return &permute->move[m];
    return NULL;
}

static pdb_status add_move(struct permute *permute, const struct node *key, const struct names *names,
                           struct permute_move *move, pdb_error *error)
{
    name_piece(permute, move, names->forward);
    const struct permute_move *same = find_same(permute, move);
    if (same != NULL)
        return node_error(error, key, "'%s' does the same as '%s': every solution would count twice", move->text,
                          same->text);
    for (unsigned m = 0; m < permute->moves; m++)
        if (strcmp(permute->move[m].text, move->text) == 0)
            return node_error(error, key, "two different moves would be called '%s': call this generator otherwise",
                              move->text);
    if (permute->moves == PERMUTE_MAX_MOVES)
        return node_error(error, key, "more than %d moves, powers counted", PERMUTE_MAX_MOVES);
    permute->move[permute->moves++] = *move;
    return PDB_OK;
}

/* Adds the powers of a generator that `turns` asks for. */
static pdb_status add_powers(struct permute *permute, struct generator *generator, enum turns turns, pdb_error *error)
{
    struct permute_move *first = &generator->move, inverse, identity, power = *first, next;
    struct names names;
    permute_identity(permute, &identity);
    if (permute_same_effect(permute, first, &identity))
        return node_error(error, generator->key, "this generator does nothing");
    pdb_status status = read_names(generator->key, &names, error);
    if (status != PDB_OK)
        return status;
    permute_invert(permute, first, &inverse);
    strcpy(first->text, names.forward);
    strcpy(inverse.text, names.back);
    status = add_move(permute, generator->key, &names, first, error);
    if (status != PDB_OK || turns == TURNS_FORWARD || permute_same_effect(permute, first, &inverse))
        return status;
    for (unsigned n = 2; status == PDB_OK && turns == TURNS_ALL; n++) {
        permute_compose(permute, &power, first, &next);
        power = next;
        if (permute_same_effect(permute, &power, &inverse))
            break;
        /* a power that another generator has, too, is one move, and called as that one is */
        if (find_same(permute, &power) != NULL)
            continue;
        /* names.forward has room behind it, see copy_name */
        snprintf(power.text, sizeof power.text, strlen(names.forward) < 3 ? "%.48s%u" : "%.48s %u times", names.forward,
                 n);
        status = add_move(permute, generator->key, &names, &power, error);
    }
    return status != PDB_OK ? status : add_move(permute, generator->key, &names, &inverse, error);
}

/* Tiles turn modulo the number of the place where they are: the same along every way. */
static pdb_status check_moduli(const struct generator *generator, pdb_error *error)
{
    const struct permute *permute = generator->permute;
    for (unsigned place = 0; place < permute->puzzle.board.places; place++) {
        const unsigned to = generator->move.to[place];
        if (permute->modulus[place] != permute->modulus[to])
            return node_error(
                error, generator->key,
                "this takes a tile from '%s', which twists modulo %u, to '%s', which twists modulo %u (1: not at all)",
                permute->names.name[place], permute->modulus[place], permute->names.name[to], permute->modulus[to]);
    }
    return PDB_OK;
}

/* Whether every move's inverse is a move. Where not, the inverses of all are put behind them, for the way back. */
static void add_inverses(struct permute *permute)
{
    permute->puzzle.undoable = true;
    for (unsigned m = 0; m < permute->moves; m++) {
        struct permute_move *inverse = &permute->move[permute->moves + m];
        bool found = false;
        permute_invert(permute, &permute->move[m], inverse);
        for (unsigned other = 0; other < permute->moves; other++)
            found |= permute_same_effect(permute, &permute->move[other], inverse);
        permute->puzzle.undoable &= found;
    }
    permute->all_moves = permute->puzzle.undoable ? permute->moves : 2 * permute->moves;
}

pdb_status permute_read_moves(const struct node *root, struct permute *permute, pdb_error *error)
{
    static const char *const drawn[] = {"places", "board", "goal", NULL}; /* what could be a cycle too */
    const struct node *generators, *node = node_find(root, "turns");
    unsigned turns = TURNS_BOTH;
    bool mixed = false;
    pdb_status status = node_require(root, "generators", &generators, error);
    if (status == PDB_OK && node != NULL)
        status = node_as_choice(node, turns_words, &turns, error);
    if (status != PDB_OK)
        return status;
    if (node_kind(generators) != NODE_MAPPING || node_count(generators) == 0)
        return node_error(error, generators, "'generators' has to be a mapping from names to cycles: U: (a b c d)");
    status = node_check_names(generators, drawn, error);
    if (status != PDB_OK)
        return status;
    permute->move = calloc(2 * PERMUTE_MAX_MOVES, sizeof *permute->move);
    if (permute->move == NULL)
        return error_no_memory(error, "the moves", 2 * PERMUTE_MAX_MOVES * sizeof *permute->move);
    for (size_t i = 0; status == PDB_OK && i < node_count(generators); i++) {
        struct generator generator = {.permute = permute, .key = node_key(generators, i)};
        unsigned own_turns = turns;
        permute_identity(permute, &generator.move);
        status = read_generator(&generator, node_value(generators, i), &own_turns, error);
        if (status == PDB_OK)
            status = check_moduli(&generator, error);
        if (status == PDB_OK)
            status = add_powers(permute, &generator, (enum turns)own_turns, error);
        mixed |= own_turns != turns;
    }
    add_inverses(permute);
    permute->puzzle.max_moves = permute->moves;
    permute->puzzle.metric = mixed ? "one generator, as often as its definition allows" : metrics[turns];
    return status;
}
