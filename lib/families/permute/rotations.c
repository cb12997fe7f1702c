/* rotations.c -- reads the names that a definition gives for turns of the whole puzzle and for several turns at once
 *
 * A rotation is written as cycles of names, (F U B D): what F stood for is now called U. These may be moves, whose
 * powers follow them, or sequences. It has to leave the puzzle as it is: places have to follow the moves (symmetry.h).
 * Where not all moves are renamed to moves, two one after the other at least have to be of the same kind as what they
 * are renamed to.
 */
#include "notation.h"
#include "symmetry.h"

#include <stdlib.h>
#include <string.h>

static struct notation_word *word_of(const struct permute *permute, unsigned name)
{
    return &permute->notation->word[name - permute->moves];
}

/* -- names -- */

static pdb_status check_name(const struct permute *permute, unsigned words, const struct node *key, pdb_error *error)
{
    const char *text = node_text(key);
    const size_t length = strlen(text);
    if (length == 0 || length >= PDB_MOVE_TEXT_MAX || strpbrk(text, " \t\n,:()[]'/") != NULL)
        return node_error(error, key,
                          "a rotation's or sequence's name has to be 1 to %d bytes long, with no blanks, commas, "
                          "colons, brackets, primes and slashes in it",
                          PDB_MOVE_TEXT_MAX - 1);
    bool taken = false;
    for (unsigned m = 0; m < permute->moves; m++)
        taken |= strcmp(permute->move[m].text, text) == 0;
    for (unsigned word = 0; word < words; word++)
        taken |= strcmp(permute->notation->word[word].text, text) == 0;
    return taken ? node_error(error, key, "'%s' is another turn's name already", text) : PDB_OK;
}

/* The names in a key's mapping, if it is there. */
static pdb_status read_names(struct permute *permute, const struct node *node, const char *what, unsigned most,
                             unsigned *words, pdb_error *error)
{
    pdb_status status = PDB_OK;
    if (node == NULL)
        return PDB_OK;
    if (node_kind(node) != NODE_MAPPING)
        return node_error(error, node, "'%s' has to be a mapping from names to what they are", what);
    if (node_count(node) > most)
        return node_error(error, node, "more than %u %s", most, what);
    for (size_t i = 0; status == PDB_OK && i < node_count(node); i++, ++*words) {
        status = check_name(permute, *words, node_key(node, i), error);
        if (status == PDB_OK)
            strcpy(permute->notation->word[*words].text, node_text(node_key(node, i)));
    }
    return status;
}

/* -- rotations -- */

/* A cycle of names, from behind its parenthesis to the one at its end. */
static pdb_status read_cycle(struct permute *permute, const struct node *node, const char **at, uint16_t *to,
                             pdb_error *error)
{
    struct permute_notation *notation = permute->notation;
    const char *text = node_text(node);
    unsigned first = notation->names, last = 0;
    for (*at += strspn(*at, " ,"); **at != ')'; *at += strspn(*at, " ,")) {
        size_t length;
        const size_t offset = (size_t)(*at - text);
        const unsigned name = notation_find(permute, *at, &length);
        if (name >= permute->moves + notation->sequences)
            return node_error_at(error, node, offset,
                                 "a move or a sequence has to stand here: rotations are written (F U B D)");
        if (to[name] != name || name == first)
            return node_error_at(error, node, offset, "this name stands twice in the rotation");
        notation->renamed[name] = true;
        if (first == notation->names)
            first = name;
        else
            to[last] = (uint16_t)name;
        last = name;
        to[name] = (uint16_t)first;
        *at += length;
    }
    if (first == last || first == notation->names)
        return node_error_at(error, node, (size_t)(*at - text), "a cycle has two names or more");
    ++*at;
    return PDB_OK;
}

/* Are moves renamed to moves that go together as they did? */
static bool keeps_kinds(const struct permute *permute, const uint16_t *to)
{
    const bool *renamed = permute->notation->renamed;
    for (unsigned a = 0; a < permute->moves; a++)
        for (unsigned b = 0; renamed[a] && to[a] < permute->moves && b < permute->moves; b++)
            if (renamed[b] && to[b] < permute->moves &&
                permute_kind(permute, (unsigned[]){a, b}, 2) != permute_kind(permute, (unsigned[]){to[a], to[b]}, 2))
                return false;
    return true;
}

static pdb_status read_rotation(struct permute *permute, const struct node *node, uint16_t *to, pdb_error *error)
{
    const char *text = "";
    pdb_status status = node_as_text(node, &text, error);
    const char *at = text + strspn(text, " ,");
    for (unsigned name = 0; name < permute->notation->names; name++)
        to[name] = (uint16_t)name;
    if (status == PDB_OK && *at == '\0')
        return node_error(error, node, "this rotation does nothing: rotations are written (F U B D)");
    for (; status == PDB_OK && *at != '\0'; at += strspn(at, " ,")) {
        if (*at++ != '(')
            return node_error_at(error, node, (size_t)(at - 1 - text), "rotations are written (F U B D)");
        status = read_cycle(permute, node, &at, to, error);
    }
    return status;
}

/* A move that is a power of one that rotations rename is renamed with that. */
static void find_powers(const struct permute *permute)
{
    struct permute_notation *notation = permute->notation;
    struct permute_move identity, power, next;
    permute_identity(permute, &identity);
    for (unsigned m = 0; m < permute->moves; m++) {
        notation->base[m] = (uint16_t)m;
        notation->times[m] = 1;
    }
    for (unsigned base = 0; base < permute->moves; base++) {
        power = permute->move[base];
        for (unsigned times = 2; notation->renamed[base] && times <= PERMUTE_MAX_MOVES; times++) {
            permute_compose(permute, &power, &permute->move[base], &next);
            power = next;
            if (permute_same_effect(permute, &power, &identity))
                break;
            for (unsigned m = 0; m < permute->moves; m++)
                if (!notation->renamed[m] && notation->base[m] == m &&
                    permute_same_effect(permute, &permute->move[m], &power)) {
                    notation->base[m] = (uint16_t)base;
                    notation->times[m] = (uint16_t)times;
                }
        }
    }
}

/* What becomes of a move, the moves' powers being known; permute->moves where that is no move, or not said. */
static unsigned renamed_move(const struct permute *permute, const uint16_t *to, unsigned move)
{
    const struct permute_notation *notation = permute->notation;
    const unsigned base = to[notation->base[move]];
    struct permute_move power, next;
    if (!notation->renamed[notation->base[move]] || base >= permute->moves)
        return permute->moves;
    power = permute->move[base];
    for (unsigned times = 1; times < notation->times[move]; times++) {
        permute_compose(permute, &power, &permute->move[base], &next);
        power = next;
    }
    for (unsigned m = 0; m < permute->moves; m++)
        if (permute_same_effect(permute, &permute->move[m], &power))
            return m;
    return permute->moves;
}

static bool is_symmetry(const struct permute *permute, const uint16_t *to)
{
    uint8_t move[PERMUTE_MAX_MOVES];
    if (!keeps_kinds(permute, to))
        return false;
    for (unsigned m = 0; m < permute->moves; m++) {
        const unsigned renamed = renamed_move(permute, to, m);
        if (renamed == permute->moves)
            return true;
        move[m] = (uint8_t)renamed;
    }
    return permute_places_follow(permute, move);
}

/* -- sequences -- */

static pdb_status read_sequence(const struct permute *permute, unsigned name, const struct node *node, pdb_error *error)
{
    struct notation_word *word = word_of(permute, name);
    const char *text = "";
    pdb_error cause;
    pdb_status status = node_as_text(node, &text, error);
    if (status != PDB_OK)
        return status;
    status = notation_read(permute, text, &word->turns, &cause);
    if (status != PDB_OK)
        return status == PDB_NO_MEMORY ? error_no_memory(error, "the turns", NOTATION_MAX_TURNS)
                                       : node_error(error, node, "%s", cause.message);
    if (!permute->notation->renamed[name])
        return PDB_OK;
    notation_perform(permute, &word->turns, &word->effect);
    if (word->effect.frame[name] != name)
        return node_error(error, node, "rotations rename '%s', so it has to leave that name where it is", word->text);
    return PDB_OK;
}

/* -- all together -- */

pdb_status notation_make(const struct node *root, struct permute *permute, pdb_error *error)
{
    const struct node *rotations = node_find(root, "rotations"), *sequences = node_find(root, "sequences");
    const size_t words = (rotations != NULL ? node_count(rotations) : 0) +
                         (sequences != NULL ? node_count(sequences) : 0);
    struct permute_notation *notation = calloc(1, sizeof *notation + words * sizeof *notation->word);
    unsigned read = 0;
    if (notation == NULL)
        return error_no_memory(error, "the notation", sizeof *notation + words * sizeof *notation->word);
    permute->notation = notation;
    pdb_status status = read_names(permute, sequences, "sequences", NOTATION_MAX_SEQUENCES, &notation->sequences,
                                   error);
    read = notation->sequences;
    if (status == PDB_OK)
        status = read_names(permute, rotations, "rotations", NOTATION_MAX_ROTATIONS, &read, error);
    if (status != PDB_OK)
        return status;
    notation->rotations = read - notation->sequences;
    notation->names = permute->moves + read;
    notation->known = notation->sequences;
    for (unsigned i = 0; status == PDB_OK && i < notation->rotations; i++)
        status = read_rotation(permute, node_value(rotations, i), notation->word[notation->sequences + i].effect.frame,
                               error);
    find_powers(permute);
    for (unsigned i = 0; status == PDB_OK && i < notation->rotations; i++)
        if (!is_symmetry(permute, notation->word[notation->sequences + i].effect.frame))
            status = node_error(error, node_value(rotations, i),
                                "this is no symmetry: moves would go together otherwise than they do");
    for (notation->known = 0; status == PDB_OK && notation->known < notation->sequences; notation->known++)
        status = read_sequence(permute, permute->moves + notation->known, node_value(sequences, notation->known),
                               error);
    return status;
}

void notation_free(struct permute_notation *notation)
{
    for (unsigned i = 0; notation != NULL && i < notation->sequences; i++)
        free(notation->word[i].turns.turn);
    free(notation);
}
