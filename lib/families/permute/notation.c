/* notation.c -- boards typed as moves from the goal, as people write scrambles: R U2 (F D')2 [R: U]
 *
 *     word   = unit unit ..                      one after another, with blanks or commas between
 *     unit   = move | (word) | [word, word] | [word: word]      with an exponent behind it: 2, ', 2', '2, or none
 *
 * [A, B] is A B A' B' (a commutator) and [A: B] is A B A' (a conjugate); no comma parts moves inside of these. A move
 * is any name that the puzzle's moves have ("U2", "shift right", "flip 12"), and of all names that fit the longest
 * counts; then comes an exponent, which is arithmetic: it may make what is no single move. A name that ends in a digit
 * takes no digits behind it, so that "flip 2" and "flip 22" are never mixed up: (flip 2)3.
 */
#include "net.h"
#include "lib/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 16, MAX_EXPONENT = 9999, LIST_BYTES = 240 };

struct reader {
    const struct permute *permute;
    const char *at;
    unsigned depth;
    pdb_error *error;
};

/* -- words -- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Bytes of an apostrophe, or of what programs for text make of one (U+2019, U+2032); 0 for anything else. */
static size_t prime_length(const char *text)
{
    return *text == '\'' ? 1 : strncmp(text, "\u2019", 3) == 0 || strncmp(text, "\u2032", 3) == 0 ? 3 : 0;
}

/* Can a move's name of this length end here? */
static bool can_end(const char *name, size_t length)
{
    const char next = name[length];
    return next == '\0' || is_blank(next) || strchr(",:()[]", next) != NULL || prime_length(name + length) > 0 ||
           (is_digit(next) && !is_digit(name[length - 1]));
}

/* The move with the longest name that a text begins with; NULL for none. */
static const struct permute_move *find_move(const struct permute *permute, const char *text, size_t *length)
{
    const struct permute_move *found = NULL;
    *length = 0;
    for (unsigned m = 0; m < permute->moves; m++) {
        const size_t bytes = strlen(permute->move[m].text);
        if (bytes > *length && strncmp(text, permute->move[m].text, bytes) == 0 && can_end(text, bytes)) {
            found = &permute->move[m];
            *length = bytes;
        }
    }
    return found;
}

static const char separators[] = " \t\r\n,:()[]";

static size_t word_length(const char *text)
{
    return strcspn(text, separators);
}

/* Is a text rather moves than a board? More of its words are moves than tiles, or as many: names may be both. Where
 * none is either, and there are too few for a board, they are taken for moves that this puzzle has not. */
static bool looks_like_moves(const struct permute *permute, const char *text)
{
    const struct board *board = &permute->puzzle.board;
    const bool splits = board->compact || board->glyph_compact; /* tiles need no blanks between */
    const char *first = text + strspn(text, separators);
    size_t moves = 0, tiles = 0, begun = 0, cells = 0;
    while (*(text += strspn(text, separators)) != '\0') {
        size_t name, word = word_length(text);
        tiles += board_symbol(board, text, word) != BOARD_OPEN;
        begun += splits && board_symbol(board, text, utf8_length(text)) != BOARD_OPEN;
        cells += splits ? word : 1;
        if (find_move(permute, text, &name) != NULL) {
            moves++;
            word = name > word ? name : word;
        }
        text += word;
    }
    return moves > 0 ? moves >= tiles : tiles + begun == 0 && cells < board->places && isalpha((unsigned char)*first);
}

/* -- reading -- */

static pdb_status refuse_word(const struct reader *reader)
{
    const struct permute *permute = reader->permute;
    const size_t length = word_length(reader->at);
    char list[LIST_BYTES + PDB_MOVE_TEXT_MAX + sizeof ", .."] = "";
    size_t used = 0;
    if (length == 0)
        return error_set(reader->error, PDB_BAD_BOARD, "a '%c' too many in these moves, or its partner is missing",
                         *reader->at);
    for (unsigned m = 0; m < permute->moves; m++) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", m > 0 ? ", " : "",
                                 used < LIST_BYTES ? permute->move[m].text : "..");
        if (used >= LIST_BYTES && m > 0 && list[used - 1] == '.')
            break;
    }
    return error_set(reader->error, PDB_BAD_BOARD,
                     "'%.*s' is none of this puzzle's moves, with an exponent or without: %s",
                     length < 40 ? (int)length : 40, reader->at, list);
}

static void power(const struct permute *permute, struct permute_move *value, unsigned exponent)
{
    struct permute_move square = *value, next;
    permute_identity(permute, value);
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2 == 1) {
            permute_compose(permute, value, &square, &next);
            *value = next;
        }
        permute_compose(permute, &square, &square, &next);
        square = next;
    }
}

/* An exponent, if one stands here: digits and a prime in either order. */
static pdb_status read_exponent(struct reader *reader, struct permute_move *value)
{
    const struct permute_move plain = *value;
    bool back = false, digits = false;
    for (size_t prime; is_digit(*reader->at) || prime_length(reader->at) > 0;) {
        prime = prime_length(reader->at);
        if (prime > 0 ? back : digits)
            return error_set(reader->error, PDB_BAD_BOARD,
                             "two exponents behind one move: a power of a power is (U2)2");
        if (prime > 0) {
            back = true;
            reader->at += prime;
            continue;
        }
        unsigned exponent = 0;
        for (; is_digit(*reader->at) && exponent <= MAX_EXPONENT; reader->at++)
            exponent = 10 * exponent + (unsigned)(*reader->at - '0');
        if (exponent > MAX_EXPONENT)
            return error_set(reader->error, PDB_BAD_BOARD, "an exponent is at most %d", MAX_EXPONENT);
        digits = true;
        power(reader->permute, value, exponent);
    }
    if (back) {
        const struct permute_move forward = digits ? *value : plain;
        permute_invert(reader->permute, &forward, value);
    }
    return PDB_OK;
}

static pdb_status read_word(struct reader *reader, const char *ends, struct permute_move *value);

/* The two words of a commutator or a conjugate, behind its bracket. */
static pdb_status read_bracket(struct reader *reader, struct permute_move *value)
{
    const struct permute *permute = reader->permute;
    struct permute_move first, second, inverse, left, right;
    pdb_status status = read_word(reader, ",:]", &first);
    const bool commutator = *reader->at == ',';
    if (status == PDB_OK && !commutator && *reader->at != ':')
        return error_set(reader->error, PDB_BAD_BOARD,
                         "two parts stand in brackets: [R, U] is R U R' U', [R: U] is R U R'");
    if (status == PDB_OK) {
        reader->at++;
        status = read_word(reader, ",:]", &second);
    }
    if (status != PDB_OK)
        return status;
    permute_compose(permute, &first, &second, &left);
    permute_invert(permute, &first, &inverse);
    if (commutator) {
        permute_invert(permute, &second, &first);
        permute_compose(permute, &inverse, &first, &right);
        inverse = right;
    }
    permute_compose(permute, &left, &inverse, value);
    return PDB_OK;
}

static pdb_status read_unit(struct reader *reader, struct permute_move *value)
{
    const char open = *reader->at;
    size_t length;
    const struct permute_move *move = find_move(reader->permute, reader->at, &length);
    pdb_status status = PDB_OK;
    if (move != NULL) {
        *value = *move;
        reader->at += length;
    } else if (open == '(' || open == '[') {
        if (reader->depth == MAX_DEPTH)
            return error_set(reader->error, PDB_BAD_BOARD, "more than %d brackets in one another", MAX_DEPTH);
        reader->depth++;
        reader->at++;
        status = open == '(' ? read_word(reader, ")", value) : read_bracket(reader, value);
        if (status == PDB_OK && *reader->at != (open == '(' ? ')' : ']'))
            return error_set(reader->error, PDB_BAD_BOARD, "a '%c' is missing in these moves", open == '(' ? ')' : ']');
        reader->depth--;
        reader->at += status == PDB_OK;
    } else {
        return refuse_word(reader);
    }
    return status != PDB_OK ? status : read_exponent(reader, value);
}

/* Moves one after another, up to one of the characters `ends` or the text's end, and what they do together. */
static pdb_status read_word(struct reader *reader, const char *ends, struct permute_move *value)
{
    struct permute_move unit, next;
    pdb_status status = PDB_OK;
    permute_identity(reader->permute, value);
    while (status == PDB_OK) {
        while (is_blank(*reader->at) || (*reader->at == ',' && strchr(ends, ',') == NULL))
            reader->at++;
        if (*reader->at == '\0' || strchr(ends, *reader->at) != NULL)
            break;
        status = read_unit(reader, &unit);
        if (status == PDB_OK) {
            permute_compose(reader->permute, value, &unit, &next);
            *value = next;
        }
    }
    return status;
}

pdb_status permute_notation_read(const struct permute *permute, const char *text, struct permute_move *moves,
                                 pdb_error *error)
{
    struct reader reader = {.permute = permute, .at = text, .error = error};
    return read_word(&reader, "", moves);
}

/* -- boards -- */

/* What moves begin at: the goal, or where that is open, the definition's board if it fits. NULL: neither. */
static const uint8_t *solved_position(const struct puzzle *puzzle)
{
    const struct permute *permute = (const struct permute *)puzzle;
    if (memchr(puzzle->goal, BOARD_OPEN, puzzle->board.places) == NULL)
        return puzzle->goal;
    return puzzle->family->position.is_goal(puzzle, permute->board) ? permute->board : NULL;
}

pdb_status permute_notation_parse(const struct puzzle *puzzle, const char *text, uint8_t *position, bool *known,
                                  pdb_error *error)
{
    const struct permute *permute = (const struct permute *)puzzle;
    const uint8_t *solved = solved_position(puzzle);
    struct permute_move moves;
    pdb_status status = permute_net_parse(puzzle, text, position, known, error);
    if (status != PDB_OK || *known || !looks_like_moves(permute, text) ||
        board_parse(&puzzle->board, text, 0, position, NULL, NULL) == PDB_OK)
        return status;
    *known = true;
    if (solved == NULL)
        return error_set(error, PDB_BAD_BOARD,
                         "moves begin at the goal, and the goal of this puzzle has open cells: give the board itself");
    status = permute_notation_read(permute, text, &moves, error);
    if (status == PDB_OK)
        permute_apply_move(permute, &moves, solved, position);
    return status;
}

bool permute_inverse(const struct puzzle *puzzle, const char *move, char text[PDB_MOVE_TEXT_MAX])
{
    const struct permute *permute = (const struct permute *)puzzle;
    unsigned m = 0, times = 1;
    struct permute_move inverse, power, next;
    while (m < permute->moves && strcmp(permute->move[m].text, move) != 0)
        m++;
    if (m == permute->moves || memchr(puzzle->goal, BOARD_OPEN, puzzle->board.places) != NULL)
        return false;
    permute_invert(permute, &permute->move[m], &inverse);
    for (unsigned other = 0; other < permute->moves; other++)
        if (permute_same_effect(permute, &permute->move[other], &inverse)) {
            strcpy(text, permute->move[other].text);
            return true;
        }
    for (power = permute->move[m]; !permute_same_effect(permute, &power, &inverse) && times < MAX_EXPONENT; times++) {
        permute_compose(permute, &power, &permute->move[m], &next);
        power = next;
    }
    const bool digit = is_digit(move[strlen(move) - 1]);
    snprintf(text, PDB_MOVE_TEXT_MAX, digit ? "(%.48s)%u" : "%.48s%u", move, times);
    return times < MAX_EXPONENT;
}
