/* ksolve.c -- reads the format of KSolve (.def) and twsearch (.tws), which ksolve.h tells */
#include "ksolve.h"
#include "lib/memory/array.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = KSOLVE_PLACES + 2, MAX_MOVES = 256, MAX_SEQUENCES = 100, MAX_NUMBER = 255 };

struct word {
    const char *text;
    size_t length;
};

/* Moves that are made of others, until these are known. */
struct sequence {
    struct ksolve_move made;
    const char *text, *end;
    bool done;
};

struct reader {
    const char *name; /* of the file */
    struct ksolve *ksolve;
    const char *next;   /* the line behind this one */
    size_t line, lines; /* this one's number; how many have been read */
    struct word word[MAX_WORDS];
    unsigned words;
    bool solved;
    size_t move_room, sequence_room;
    struct sequence *sequence;
    size_t sequences;
    pdb_error *error;
};

pdb_status ksolve_refuse(pdb_error *error, const char *name, size_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const pdb_status status = definition_complain(error, name, (struct place){line, 0}, format, arguments);
    va_end(arguments);
    return status;
}

/* A complaint about the line at hand. */
__attribute__((format(printf, 2, 3))) static pdb_status refuse(const struct reader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const pdb_status status = definition_complain(reader->error, reader->name, (struct place){reader->line, 0}, format,
                                                  arguments);
    va_end(arguments);
    return status;
}

/* -- lines and words -- */

/* The next line that has words and is no comment; no words at the end of the text. */
static pdb_status read_line(struct reader *reader)
{
    reader->words = 0;
    while (reader->words == 0 && *reader->next != '\0') {
        const char *at = reader->next, *end = at + strcspn(at, "\r\n");
        reader->next = next_line(at);
        reader->line = reader->lines++;
        while (at += strspn(at, " \t\f\v"), at < end && (reader->words > 0 || *at != '#')) {
            size_t length = strcspn(at, " \t\f\v\r\n");
            if (reader->words == MAX_WORDS)
                return refuse(reader, "more than %d words in a line", MAX_WORDS);
            reader->word[reader->words++] = (struct word){at, length};
            at += length;
        }
    }
    return PDB_OK;
}

static bool word_is(const struct reader *reader, unsigned i, const char *text)
{
    return i < reader->words && strlen(text) == reader->word[i].length &&
           memcmp(text, reader->word[i].text, reader->word[i].length) == 0;
}

static pdb_status read_number(struct reader *reader, unsigned i, unsigned least, unsigned *number)
{
    const struct word word = reader->word[i];
    unsigned value = 0;
    bool good = word.length <= 3;
    for (size_t c = 0; good && c < word.length; c++) {
        good = word.text[c] >= '0' && word.text[c] <= '9';
        value = 10 * value + (unsigned)(word.text[c] - '0');
    }
    if (!good || value < least || value > MAX_NUMBER)
        return refuse(reader, "a number from %u to %d has to stand in the place of '%.*s'", least, MAX_NUMBER,
                      word.length < 40 ? (int)word.length : 40, word.text);
    *number = value;
    return PDB_OK;
}

/* The name that is word 1 of a line. */
static pdb_status read_name(struct reader *reader, unsigned words, char name[KSOLVE_NAME])
{
    if (reader->words < words)
        return refuse(reader, "'%.*s' needs %u words behind it", (int)reader->word[0].length, reader->word[0].text,
                      words - 1);
    const struct word word = reader->word[1];
    bool plain = word.length < KSOLVE_NAME;
    for (size_t c = 0; plain && c < word.length; c++)
        plain = word.text[c] > ' ' && word.text[c] <= '~';
    if (!plain)
        return refuse(reader, "a name has to be at most %d characters long, all of them ASCII", KSOLVE_NAME - 1);
    memcpy(name, word.text, word.length);
    name[word.length] = '\0';
    return PDB_OK;
}

/* -- sets and states -- */

static pdb_status read_set(struct reader *reader)
{
    struct ksolve *ksolve = reader->ksolve;
    struct ksolve_set *set = &ksolve->set[ksolve->sets];
    if (reader->solved)
        return refuse(reader, "a set has to stand before 'Solved'");
    if (ksolve->sets == KSOLVE_SETS)
        return refuse(reader, "this puzzle is too large: more than %d sets", KSOLVE_SETS);
    pdb_status status = read_name(reader, 4, set->name);
    if (status == PDB_OK)
        status = read_number(reader, 2, 1, &set->size);
    if (status == PDB_OK)
        status = read_number(reader, 3, 1, &set->modulus);
    if (status != PDB_OK)
        return status;
    set->first = ksolve->places;
    if (set->size > KSOLVE_PLACES - ksolve->places)
        return refuse(reader,
                      "this puzzle is too large: with this set it has %u places, and at most %d can be told apart",
                      ksolve->places + set->size, KSOLVE_PLACES);
    for (unsigned i = 0; i < ksolve->sets; i++)
        if (strcmp(ksolve->set[i].name, set->name) == 0)
            return refuse(reader, "there is a set '%s' already", set->name);
    for (unsigned i = 0; i < set->size; i++)
        ksolve->modulus[ksolve->places++] = set->modulus;
    ksolve->sets++;
    return PDB_OK;
}

/* Which state is read. */
enum kind { SOLVED, MOVE };

/* A row of numbers of a set: pieces, or their turns. `base`: what pieces are counted from. */
static pdb_status read_row(struct reader *reader, const struct ksolve_set *set, enum kind kind, bool turns,
                           unsigned base, struct ksolve_state *state)
{
    pdb_status status = PDB_OK;
    if (reader->words != set->size)
        return refuse(reader, "%u numbers, but the set %s has %u places", reader->words, set->name, set->size);
    for (unsigned i = 0, number = 0; status == PDB_OK && i < set->size; i++) {
        const bool any = turns && kind == SOLVED && word_is(reader, i, "?");
        if (any) {
            state->turn[set->first + i] = set->modulus == 1 ? 0 : KSOLVE_ANY_TURN;
            continue;
        }
        status = read_number(reader, i, turns ? 0 : base, &number);
        if (status == PDB_OK && turns && number >= set->modulus)
            return refuse(reader, "a turn of %u in the set %s, which has %u of them, counted from 0", number, set->name,
                          set->modulus);
        if (status == PDB_OK && turns)
            state->turn[set->first + i] = (uint8_t)number;
        else if (status == PDB_OK && kind == MOVE)
            state->piece[set->first + i] = (uint16_t)(set->first + number - base);
        else if (status == PDB_OK)
            state->piece[set->first + i] = (uint16_t)(number + 1 - base);
    }
    return status;
}

/* Is a move's set a permutation of its places? */
static pdb_status check_permutation(struct reader *reader, const struct ksolve_set *set,
                                    const struct ksolve_state *state)
{
    bool seen[KSOLVE_PLACES + MAX_NUMBER + 1] = {false};
    for (unsigned place = set->first; place < set->first + set->size; place++) {
        const unsigned from = state->piece[place];
        if (from >= set->first + set->size || seen[from])
            return refuse(reader, "%u stands here %s: a move has each place of the set %s once", from - set->first + 1,
                          seen[from] ? "twice" : "and is no place", set->name);
        seen[from] = true;
    }
    return PDB_OK;
}

/* One set of a state, whose name is at hand: its one or two rows. The line behind them is at hand afterwards. */
static pdb_status read_part(struct reader *reader, enum kind kind, bool from_zero, bool *had,
                            struct ksolve_state *state)
{
    const struct ksolve *ksolve = reader->ksolve;
    unsigned s = 0;
    while (s < ksolve->sets && !word_is(reader, 0, ksolve->set[s].name))
        s++;
    if (s == ksolve->sets || reader->words != 1)
        return refuse(reader, "the name of a set has to stand here, or 'End'");
    if (had[s])
        return refuse(reader, "the set %s is here a second time", ksolve->set[s].name);
    had[s] = true;
    const struct ksolve_set *set = &ksolve->set[s];
    pdb_status status = read_line(reader);
    for (int row = 0; status == PDB_OK && row < 2; row++) {
        const char first = *(reader->words > 0 ? reader->word[0].text : "");
        if (row == 1 && !(first >= '0' && first <= '9') && first != '?')
            break;
        status = read_row(reader, set, kind, row == 1, from_zero ? 0 : 1, state);
        if (status == PDB_OK && row == 0 && kind == MOVE)
            status = check_permutation(reader, set, state);
        if (status == PDB_OK)
            status = read_line(reader);
    }
    uint8_t turn[KSOLVE_PLACES]; /* as the file has them, in the order that pieces come from */
    memcpy(turn, state->turn, sizeof turn);
    for (unsigned place = set->first; status == PDB_OK && kind == MOVE && !from_zero && place < set->first + set->size;
         place++)
        state->turn[place] = turn[state->piece[place]];
    return status;
}

static void set_identity(const struct ksolve *ksolve, enum kind kind, struct ksolve_state *state)
{
    memset(state, 0, sizeof *state);
    for (unsigned s = 0; s < ksolve->sets; s++)
        for (unsigned i = 0; i < ksolve->set[s].size; i++)
            state->piece[ksolve->set[s].first + i] = (uint16_t)(kind == MOVE ? ksolve->set[s].first + i : i + 1);
}

static pdb_status read_state(struct reader *reader, enum kind kind, bool from_zero, struct ksolve_state *state)
{
    const size_t begin = reader->line;
    bool had[KSOLVE_SETS] = {false};
    set_identity(reader->ksolve, kind, state);
    pdb_status status = read_line(reader);
    while (status == PDB_OK && !word_is(reader, 0, "End")) {
        if (reader->words == 0)
            return refuse(reader, "an 'End' is missing: what ends with it begins at line %zu", begin + 1);
        status = read_part(reader, kind, from_zero, had, state);
    }
    return status;
}

/* -- moves -- */

static bool is_rotation(const char *name)
{
    const size_t capitals = strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    if (strchr("xyz", name[0]) != NULL)
        return name[1] == '\0' || strcmp(name + 1, "2") == 0 || strcmp(name + 1, "'") == 0;
    return capitals > 0 && strcmp(name + capitals, "v") == 0;
}

static pdb_status add_move(struct reader *reader, const struct ksolve_move *move)
{
    struct ksolve *ksolve = reader->ksolve;
    if (ksolve->moves == MAX_MOVES)
        return ksolve_refuse(reader->error, reader->name, move->line, "more than %d moves", MAX_MOVES);
    if (!array_reserve(&ksolve->move, &reader->move_room, ksolve->moves + 1, sizeof *move))
        return error_no_memory(reader->error, "the moves", (ksolve->moves + 1) * sizeof *move);
    ksolve->move[ksolve->moves] = *move;
    ksolve->move[ksolve->moves++].unseen |= is_rotation(move->name);
    return PDB_OK;
}

static pdb_status read_move(struct reader *reader, bool from_zero)
{
    struct ksolve_move move = {.line = reader->line};
    pdb_status status = read_name(reader, 2, move.name);
    if (status == PDB_OK)
        status = read_state(reader, MOVE, from_zero, &move.change);
    return status != PDB_OK ? status : add_move(reader, &move);
}

static pdb_status read_sequence(struct reader *reader, bool alias)
{
    struct sequence sequence = {.made = {.line = reader->line, .unseen = alias}};
    pdb_status status = read_name(reader, 3, sequence.made.name);
    if (status != PDB_OK)
        return status;
    const struct word last = reader->word[reader->words - 1];
    sequence.text = reader->word[2].text;
    sequence.end = last.text + last.length;
    if (reader->sequences == MAX_SEQUENCES)
        return refuse(reader, "more than %d sequences of moves", MAX_SEQUENCES);
    if (!array_reserve(&reader->sequence, &reader->sequence_room, reader->sequences + 1, sizeof sequence))
        return error_no_memory(reader->error, "the moves", (reader->sequences + 1) * sizeof sequence);
    reader->sequence[reader->sequences++] = sequence;
    return PDB_OK;
}

/* -- sequences -- */

void ksolve_compose(const struct ksolve *ksolve, struct ksolve_state *both, const struct ksolve_state *next)
{
    const struct ksolve_state first = *both;
    for (unsigned place = 0; place < ksolve->places; place++) {
        const unsigned from = next->piece[place];
        both->piece[place] = first.piece[from];
        both->turn[place] = (uint8_t)((first.turn[from] + (unsigned)next->turn[place]) % ksolve->modulus[place]);
    }
}

static void invert(const struct ksolve *ksolve, struct ksolve_state *state)
{
    const struct ksolve_state forward = *state;
    for (unsigned place = 0; place < ksolve->places; place++) {
        const unsigned from = forward.piece[place];
        state->piece[from] = (uint16_t)place;
        state->turn[from] = (uint8_t)((ksolve->modulus[place] - forward.turn[place]) % ksolve->modulus[place]);
    }
}

static const struct ksolve_move *find_move(const struct ksolve *ksolve, struct word word)
{
    for (unsigned m = 0; m < ksolve->moves; m++)
        if (strlen(ksolve->move[m].name) == word.length && memcmp(ksolve->move[m].name, word.text, word.length) == 0)
            return &ksolve->move[m];
    return NULL;
}

/* *state so many times. */
static void raise(const struct ksolve *ksolve, struct ksolve_state *state, unsigned exponent)
{
    struct ksolve_state square = *state;
    set_identity(ksolve, MOVE, state);
    for (; exponent > 0; exponent /= 2) {
        if (exponent % 2 == 1)
            ksolve_compose(ksolve, state, &square);
        const struct ksolve_state once = square;
        ksolve_compose(ksolve, &square, &once);
    }
}

/* A move with an exponent, F, F2, F', F2', as *state, where that is not NULL. False where it is not known, or not
 * yet. */
static bool read_power(const struct ksolve *ksolve, struct word word, struct ksolve_state *state)
{
    const struct ksolve_move *move = find_move(ksolve, word);
    unsigned exponent = 0, unit = 1;
    bool back = false;
    if (move == NULL && word.length > 1 && word.text[word.length - 1] == '\'') {
        back = true;
        word.length--;
        move = find_move(ksolve, word);
    }
    for (; move == NULL && word.length > 1 && unit < 1000 && strchr("0123456789", word.text[word.length - 1]) != NULL;
         unit *= 10) {
        exponent += unit * (unsigned)(word.text[--word.length] - '0');
        move = find_move(ksolve, word);
    }
    if (move == NULL || state == NULL)
        return move != NULL;
    *state = move->change;
    if (back)
        invert(ksolve, state);
    if (unit > 1)
        raise(ksolve, state, exponent);
    return true;
}

/* The next move of a sequence, behind `at`; no length past the last. */
static struct word next_move(const struct sequence *sequence, const char *at)
{
    at += strspn(at, " \t,\f\v");
    return (struct word){at, at < sequence->end ? strcspn(at, " \t,\f\v\r\n") : 0};
}

/* Works a sequence out. False where a move in it is not known, or not yet: *unknown is that. */
static bool expand(const struct ksolve *ksolve, struct sequence *sequence, struct word *unknown)
{
    struct ksolve_state power;
    struct word word;
    for (const char *at = sequence->text; (word = next_move(sequence, at)).length > 0; at = word.text + word.length)
        if (!read_power(ksolve, word, NULL)) {
            *unknown = word;
            return false;
        }
    set_identity(ksolve, MOVE, &sequence->made.change);
    for (const char *at = sequence->text; (word = next_move(sequence, at)).length > 0; at = word.text + word.length) {
        read_power(ksolve, word, &power);
        ksolve_compose(ksolve, &sequence->made.change, &power);
    }
    return true;
}

/* Sequences may stand before those that they use. */
static pdb_status expand_all(struct reader *reader)
{
    pdb_status status = PDB_OK;
    bool more = true, left = true;
    struct word unknown = {"", 0};
    size_t line = 0;
    while (status == PDB_OK && more) {
        more = left = false;
        for (size_t i = 0; status == PDB_OK && i < reader->sequences; i++) {
            struct sequence *sequence = &reader->sequence[i];
            struct word word;
            if (sequence->done)
                continue;
            sequence->done = expand(reader->ksolve, sequence, &word);
            if (sequence->done) {
                more = true;
                status = add_move(reader, &sequence->made);
            } else if (!left) {
                left = true;
                unknown = word;
                line = sequence->made.line;
            }
        }
    }
    if (status == PDB_OK && left)
        return ksolve_refuse(reader->error, reader->name, line, "there is no move '%.*s'",
                             unknown.length < 40 ? (int)unknown.length : 40, unknown.text);
    return status;
}

/* -- the whole -- */

/* What other programs take and no permutation puzzle has, or what is meant for their searches alone. */
static pdb_status read_other(struct reader *reader)
{
    static const char *const hints[] = {"ParallelMoves", "MoveGroups", "Multiplicators", "PruningTables",
                                        NULL}; /* blocks that change no distance */
    const struct word word = reader->word[0];
    pdb_status status = PDB_OK;
    for (size_t i = 0; hints[i] != NULL; i++)
        if (word_is(reader, 0, hints[i])) {
            while (status == PDB_OK && reader->words > 0 && !word_is(reader, 0, "End"))
                status = read_line(reader);
            return status;
        }
    return refuse(reader,
                  "'%.*s' is more than a permutation puzzle can have: its moves can always be made, all alike, and "
                  "every piece counts",
                  word.length < 40 ? (int)word.length : 40, word.text);
}

static pdb_status read_entry(struct reader *reader)
{
    struct ksolve *ksolve = reader->ksolve;
    const bool start = word_is(reader, 0, "StartState"), transformation = word_is(reader, 0, "MoveTransformation");
    if (word_is(reader, 0, "Name")) {
        ksolve->name_line = reader->line;
        return read_name(reader, 2, ksolve->name);
    }
    if (word_is(reader, 0, "Set"))
        return read_set(reader);
    if (word_is(reader, 0, "Solved") || start) {
        if (reader->solved)
            return refuse(reader, "what is solved is told a second time");
        reader->solved = true;
        ksolve->solved_line = reader->line;
        return read_state(reader, SOLVED, start, &ksolve->solved);
    }
    const bool move = word_is(reader, 0, "Move") || transformation, alias = word_is(reader, 0, "MoveAlias");
    if (!move && !alias && !word_is(reader, 0, "MoveSequence"))
        return read_other(reader);
    if (!reader->solved)
        return refuse(reader, "a move has to stand behind 'Solved'");
    return move ? read_move(reader, transformation) : read_sequence(reader, alias);
}

pdb_status ksolve_read(const char *name, const char *text, struct ksolve *ksolve, pdb_error *error)
{
    struct reader reader = {.name = name, .ksolve = ksolve, .next = text, .error = error};
    *ksolve = (struct ksolve){.name = ""};
    pdb_status status = read_line(&reader);
    while (status == PDB_OK && reader.words > 0) {
        status = read_entry(&reader);
        if (status == PDB_OK)
            status = read_line(&reader);
    }
    if (status == PDB_OK && !reader.solved)
        status = ksolve_refuse(error, name, reader.line, "'Solved' is missing: how the puzzle is when it is solved");
    if (status == PDB_OK)
        status = expand_all(&reader);
    free(reader.sequence);
    return status;
}
