/* notation.c -- boards typed as moves from the goal, as people write scrambles: R U2 (F D')2 [R: U]
 *
 *     word   = unit unit ..                      one after another, with blanks or commas between
 *     unit   = name | (word) | [word, word] | [word: word]      with an exponent behind it: 2, ', 2', '2, or none
 *
 * [A, B] is A B A' B' (a commutator) and [A: B] is A B A' (a conjugate); no comma parts moves inside of these. A name
 * is any that the puzzle's moves have ("U2", "shift right", "flip 12"), or a sequence's or rotation's (notation.h), and
 * of all names that fit the longest counts; then comes an exponent, which is arithmetic: it may make what is no single
 * move. A name that ends in a digit takes no digits behind it, so that "flip 2" and "flip 22" are never mixed up:
 * (flip 2)3.
 *
 * A text is first written out as single turns, and these are then performed: what a name stands for depends on the
 * rotations before it.
 */
#include "notation.h"
#include "net.h"
#include "lib/memory/array.h"
#include "lib/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 16, MAX_EXPONENT = 9999, LIST_BYTES = 240 };

struct reader {
    const struct permute *permute;
    const char *at;
    unsigned depth;
    struct notation_turns *turns;
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

static const char *name_text(const struct permute *permute, unsigned name)
{
    return name < permute->moves ? permute->move[name].text : permute->notation->word[name - permute->moves].text;
}

unsigned notation_find(const struct permute *permute, const char *text, size_t *length)
{
    const struct permute_notation *notation = permute->notation;
    unsigned found = notation->names;
    *length = 0;
    for (unsigned name = 0; name < notation->names; name++) {
        const size_t bytes = strlen(name_text(permute, name));
        const bool unread = name >= permute->moves + notation->known && name < permute->moves + notation->sequences;
        if (!unread && bytes > *length && strncmp(text, name_text(permute, name), bytes) == 0 && can_end(text, bytes)) {
            found = name;
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
        if (notation_find(permute, text, &name) < permute->notation->names) {
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
    for (unsigned name = 0; name < permute->notation->names; name++) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", name > 0 ? ", " : "",
                                 used < LIST_BYTES ? name_text(permute, name) : "..");
        if (used >= LIST_BYTES && name > 0 && list[used - 1] == '.')
            break;
    }
    return error_set(reader->error, PDB_BAD_BOARD,
                     "'%.*s' is none of this puzzle's moves, with an exponent or without: %s",
                     length < 40 ? (int)length : 40, reader->at, list);
}

/* Appends turns[from, to), which may be these turns' own, as they are or taken back. */
static pdb_status append(struct reader *reader, const struct notation_turns *from, size_t begin, size_t end, bool back)
{
    struct notation_turns *turns = reader->turns;
    const size_t count = end - begin;
    if (count > NOTATION_MAX_TURNS - turns->count)
        return error_set(reader->error, PDB_BAD_BOARD, "more than %d turns, exponents counted", NOTATION_MAX_TURNS);
    if (!array_reserve(&turns->turn, &turns->room, turns->count + count, sizeof *turns->turn))
        return error_no_memory(reader->error, "the turns", (turns->count + count) * sizeof *turns->turn);
    for (size_t i = 0; i < count; i++, turns->count++)
        turns->turn[turns->count] = (int16_t)(back ? -from->turn[end - 1 - i] : from->turn[begin + i]);
    return PDB_OK;
}

/* The turns from `begin` on: so many times, or none of them. */
static pdb_status repeat(struct reader *reader, size_t begin, unsigned times)
{
    const size_t end = reader->turns->count;
    pdb_status status = PDB_OK;
    if (times == 0)
        reader->turns->count = begin;
    for (unsigned n = 1; status == PDB_OK && begin < end && n < times; n++)
        status = append(reader, reader->turns, begin, end, false);
    return status;
}

/* The turns from `begin` on, taken back: the last one first. */
static void take_back(struct notation_turns *turns, size_t begin)
{
    for (size_t low = begin, high = turns->count; low < high; low++) {
        const int16_t last = turns->turn[--high];
        turns->turn[high] = (int16_t)-turns->turn[low];
        turns->turn[low] = (int16_t)-last;
    }
}

/* An exponent, if one stands here, of the turns from `begin` on: digits and a prime in either order. */
static pdb_status read_exponent(struct reader *reader, size_t begin)
{
    bool back = false, digits = false;
    pdb_status status = PDB_OK;
    for (size_t prime; status == PDB_OK && (is_digit(*reader->at) || prime_length(reader->at) > 0);) {
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
        status = repeat(reader, begin, exponent);
    }
    if (back)
        take_back(reader->turns, begin);
    return status;
}

static pdb_status read_word(struct reader *reader, const char *ends);

/* The two words of a commutator or a conjugate, behind its bracket. */
static pdb_status read_bracket(struct reader *reader)
{
    struct notation_turns *turns = reader->turns;
    const size_t first = turns->count;
    pdb_status status = read_word(reader, ",:]");
    const bool commutator = *reader->at == ',';
    if (status == PDB_OK && !commutator && *reader->at != ':')
        return error_set(reader->error, PDB_BAD_BOARD,
                         "two parts stand in brackets: [R, U] is R U R' U', [R: U] is R U R'");
    const size_t second = turns->count;
    if (status == PDB_OK) {
        reader->at++;
        status = read_word(reader, ",:]");
    }
    const size_t end = turns->count;
    if (status == PDB_OK)
        status = append(reader, turns, first, second, true);
    return status == PDB_OK && commutator ? append(reader, turns, second, end, true) : status;
}

/* A name's turns: a sequence is written out, unless rotations rename it; a power of what they rename is that power. */
static pdb_status read_name(struct reader *reader, unsigned name)
{
    const struct permute *permute = reader->permute;
    const struct permute_notation *notation = permute->notation;
    const size_t begin = reader->turns->count;
    const bool move = name < permute->moves;
    if (!move && name < permute->moves + notation->sequences && !notation->renamed[name]) {
        const struct notation_turns *turns = &notation->word[name - permute->moves].turns;
        return append(reader, turns, 0, turns->count, false);
    }
    int16_t turn = (int16_t)((move ? notation->base[name] : name) + 1);
    pdb_status status = append(reader, &(struct notation_turns){.turn = &turn}, 0, 1, false);
    return status == PDB_OK && move ? repeat(reader, begin, notation->times[name]) : status;
}

static pdb_status read_unit(struct reader *reader)
{
    const char open = *reader->at;
    const size_t begin = reader->turns->count;
    size_t length;
    const unsigned name = notation_find(reader->permute, reader->at, &length);
    pdb_status status = PDB_OK;
    if (name < reader->permute->notation->names) {
        status = read_name(reader, name);
        reader->at += length;
    } else if (open == '(' || open == '[') {
        if (reader->depth == MAX_DEPTH)
            return error_set(reader->error, PDB_BAD_BOARD, "more than %d brackets in one another", MAX_DEPTH);
        reader->depth++;
        reader->at++;
        status = open == '(' ? read_word(reader, ")") : read_bracket(reader);
        if (status == PDB_OK && *reader->at != (open == '(' ? ')' : ']'))
            return error_set(reader->error, PDB_BAD_BOARD, "a '%c' is missing in these moves", open == '(' ? ')' : ']');
        reader->depth--;
        reader->at += status == PDB_OK;
    } else {
        return refuse_word(reader);
    }
    return status != PDB_OK ? status : read_exponent(reader, begin);
}

/* Units one after another, up to one of the characters `ends` or the text's end. */
static pdb_status read_word(struct reader *reader, const char *ends)
{
    pdb_status status = PDB_OK;
    while (status == PDB_OK) {
        while (is_blank(*reader->at) || (*reader->at == ',' && strchr(ends, ',') == NULL))
            reader->at++;
        if (*reader->at == '\0' || strchr(ends, *reader->at) != NULL)
            break;
        status = read_unit(reader);
    }
    return status;
}

pdb_status notation_read(const struct permute *permute, const char *text, struct notation_turns *turns,
                         pdb_error *error)
{
    struct reader reader = {.permute = permute, .at = text, .turns = turns, .error = error};
    return read_word(&reader, "");
}

/* -- performing -- */

/* Changes a frame as a rotation does, or one that is taken back. */
static void rotate(const struct permute_notation *notation, const uint16_t *to, bool back, uint16_t *frame)
{
    uint16_t before[NOTATION_MAX_NAMES];
    memcpy(before, frame, notation->names * sizeof *frame);
    for (unsigned name = 0; name < notation->names; name++)
        frame[back ? name : to[name]] = before[back ? to[name] : name];
}

/* The same for a sequence that rotations rename. */
static void rename_all(const struct permute_notation *notation, const uint16_t *to, bool back, uint16_t *frame)
{
    uint16_t renamed[NOTATION_MAX_NAMES];
    for (unsigned name = 0; name < notation->names; name++)
        renamed[back ? to[name] : name] = (uint16_t)(back ? name : to[name]);
    for (unsigned name = 0; name < notation->names; name++)
        frame[name] = renamed[frame[name]];
}

static void turn_places(const struct permute *permute, const struct permute_move *move, bool back,
                        struct permute_move *places)
{
    struct permute_move inverse, both;
    if (back)
        permute_invert(permute, move, &inverse);
    permute_compose(permute, places, back ? &inverse : move, &both);
    *places = both;
}

void notation_perform(const struct permute *permute, const struct notation_turns *turns, struct notation_effect *effect)
{
    const struct permute_notation *notation = permute->notation;
    permute_identity(permute, &effect->places);
    for (unsigned name = 0; name < notation->names; name++)
        effect->frame[name] = (uint16_t)name;
    for (size_t i = 0; i < turns->count; i++) {
        const bool back = turns->turn[i] < 0;
        const unsigned name = effect->frame[(back ? -turns->turn[i] : turns->turn[i]) - 1];
        if (name < permute->moves) {
            turn_places(permute, &permute->move[name], back, &effect->places);
            continue;
        }
        const struct notation_effect *own = &notation->word[name - permute->moves].effect;
        if (name >= permute->moves + notation->sequences) {
            rotate(notation, own->frame, back, effect->frame);
            continue;
        }
        turn_places(permute, &own->places, back, &effect->places);
        rename_all(notation, own->frame, back, effect->frame);
    }
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
    struct notation_turns turns = {0};
    struct notation_effect effect;
    pdb_status status = permute_net_parse(puzzle, text, position, known, error);
    if (status != PDB_OK || *known || !looks_like_moves(permute, text) ||
        board_parse(&puzzle->board, text, 0, position, NULL, NULL) == PDB_OK)
        return status;
    *known = true;
    if (solved == NULL)
        return error_set(
            error, PDB_BAD_BOARD,
            "moves begin at the goal, and that of this puzzle leaves something open: give the board itself");
    status = notation_read(permute, text, &turns, error);
    if (status == PDB_OK) {
        notation_perform(permute, &turns, &effect);
        permute_apply_move(permute, &effect.places, solved, position);
    }
    free(turns.turn);
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
