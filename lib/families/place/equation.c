/* equation.c -- sums of words: how they are read, and what they leave for their letters
 *
 * SEND + MORE = MONEY is one linear equation, 1000 S + 91 E - 90 N + D - 9000 M - 900 O + 10 R - Y = 0. Two things
 * follow for a letter without a digit, both from the digits that the others may still have:
 *
 *   - *bounds*: with all others at the digits that make their terms least, and most, the sum must not be above 0, or
 *     below. This settles the leading letters.
 *   - *columns*: modulo base^k only the letters in the k last columns count. Where all of them but one have their
 *     digits, this one's is known but for a few; where all have, the sum modulo base^k has to be 0. This is adding up
 *     from the right, carries and all.
 */
#include "place.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sums and their parts stay below this. */
static const place_sum largest_sum = (place_sum)1 << 120;

/* -- what an equation says -- */

/* Is an equation all filled in and wrong? */
static bool is_broken(const struct place_equation *equation, const uint8_t *position)
{
    place_sum sum = 0;
    for (uint64_t left = equation->written; left != 0; left &= left - 1) {
        const unsigned slot = (unsigned)__builtin_ctzll(left);
        if (position[slot] == 0)
            return false;
        sum += equation->coefficient[slot] * (position[slot] - 1);
    }
    return sum != 0;
}

bool place_equations_hold(const struct place *place, const uint8_t *position)
{
    for (unsigned e = 0; e < place->equations; e++)
        if (is_broken(&place->equation[e], position))
            return false;
    return true;
}

/* The least and the most that a letter's term may be; its domain is not empty. */
static void term_bounds(place_sum coefficient, uint64_t domain, place_sum *least, place_sum *most)
{
    const place_sum low = coefficient * __builtin_ctzll(domain), high = coefficient * (63 - __builtin_clzll(domain));
    *least = coefficient > 0 ? low : high;
    *most = coefficient > 0 ? high : low;
}

/* The values of a letter with which the sum of all others, between `least` and `most`, can be made up for. */
static uint64_t within_bounds(place_sum coefficient, uint64_t domain, place_sum least, place_sum most)
{
    uint64_t kept = domain;
    for (; domain != 0; domain &= domain - 1) {
        const place_sum term = coefficient * __builtin_ctzll(domain);
        if (least + term > 0 || most + term < 0)
            kept &= ~(domain & -domain);
    }
    return kept;
}

static bool filter_by_bounds(const struct place_equation *equation, uint64_t open, place_sum sum, uint64_t *domain)
{
    place_sum least = sum, most = sum, low, high;
    for (uint64_t left = open; left != 0; left &= left - 1) {
        const unsigned slot = (unsigned)__builtin_ctzll(left);
        if (domain[slot] == 0)
            return false;
        term_bounds(equation->coefficient[slot], domain[slot], &low, &high);
        least += low;
        most += high;
    }
    if (least > 0 || most < 0)
        return false;
    for (uint64_t left = open; left != 0; left &= left - 1) {
        const unsigned slot = (unsigned)__builtin_ctzll(left);
        term_bounds(equation->coefficient[slot], domain[slot], &low, &high);
        domain[slot] = within_bounds(equation->coefficient[slot], domain[slot], least - low, most - high);
        if (domain[slot] == 0)
            return false;
    }
    return true;
}

static bool filter_by_columns(const struct place_equation *equation, uint64_t open, place_sum sum, uint64_t *domain)
{
    unsigned k = 0;
    while (k < equation->columns && __builtin_popcountll(equation->low[k + 1] & open) <= 1)
        k++;
    const place_sum modulus = equation->power[k];
    const uint64_t last = equation->low[k] & open;
    if (last == 0)
        return sum % modulus == 0;
    const unsigned slot = (unsigned)__builtin_ctzll(last);
    uint64_t kept = 0;
    for (uint64_t left = domain[slot]; left != 0; left &= left - 1)
        if ((sum + equation->coefficient[slot] * __builtin_ctzll(left)) % modulus == 0)
            kept |= left & -left;
    domain[slot] = kept;
    return kept != 0;
}

bool place_equation_filter(const struct place_equation *equation, uint64_t empty, place_sum sum,
                           uint64_t domain[PLACE_MAX_BASE])
{
    const uint64_t open = empty & equation->letters;
    return filter_by_bounds(equation, open, sum, domain) && filter_by_columns(equation, open, sum, domain);
}

/* -- reading -- */

/* The slot of a letter, a new one where it is met for the first time. */
static pdb_status find_letter(struct place *place, const struct node *node, size_t offset, unsigned *slot,
                              pdb_error *error)
{
    const char letter[] = {(char)toupper((unsigned char)node_text(node)[offset]), '\0'};
    for (*slot = 0; *slot < place->slots; ++*slot)
        if (strcmp(place->names.name[*slot], letter) == 0)
            return PDB_OK;
    if (place->slots == PLACE_MAX_BASE)
        return node_error_at(error, node, offset, "there are more than %d different letters", PLACE_MAX_BASE);
    strcpy(place->names.name[place->slots++], letter);
    return PDB_OK;
}

/* One word of an equation, its letters added to the coefficients times `sign`. */
static pdb_status read_word(struct place *place, struct place_equation *equation, const struct node *node,
                            size_t offset, size_t length, int sign, pdb_error *error)
{
    place_sum power = sign;
    unsigned slot = 0;
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < length; i++) /* slots in reading order */
        status = find_letter(place, node, offset + i, &slot, error);
    if (status == PDB_OK && length > PLACE_MAX_COLUMNS)
        return node_error_at(error, node, offset, "this word has more than %d letters", PLACE_MAX_COLUMNS);
    for (size_t i = length; status == PDB_OK && i > 0; i--) {
        if (power > largest_sum / PLACE_MAX_BASE / 1024 || power < -largest_sum / PLACE_MAX_BASE / 1024)
            return node_error_at(error, node, offset, "this word is too long for numbers to the base %u", place->base);
        find_letter(place, node, offset + i - 1, &slot, NULL);
        equation->written |= (uint64_t)1 << slot;
        equation->coefficient[slot] += power;
        power *= place->base;
    }
    if (length > 1 && status == PDB_OK) /* no leading zero; the first letter's slot is at hand */
        place->allowed[slot] &= ~(uint64_t)1;
    equation->columns = equation->columns < length ? (unsigned)length : equation->columns;
    return status;
}

/* What an equation looks like, without blanks and in capitals, goes into `text`. */
static pdb_status read_equation(struct place *place, struct place_equation *equation, const struct node *node,
                                pdb_error *error)
{
    const char *text = "";
    int side = 1, sign = 1;
    unsigned words = 0;
    size_t used = 0;
    pdb_status status = node_as_text(node, &text, error);
    if (status == PDB_OK && (equation->text = calloc(strlen(text) + 1, 1)) == NULL)
        return error_no_memory(error, "an equation", strlen(text) + 1);
    for (size_t at = strspn(text, " "); status == PDB_OK;) {
        size_t length = 0;
        while (isalpha((unsigned char)text[at + length]))
            length++;
        if (length == 0)
            return node_error_at(error, node, at, "a word of the letters A to Z has to stand here");
        if (++words > 512)
            return node_error_at(error, node, at, "there are more than 512 words");
        status = read_word(place, equation, node, at, length, sign * side, error);
        for (size_t i = 0; i < length; i++)
            equation->text[used++] = (char)toupper((unsigned char)text[at + i]);
        at += length + strspn(text + at + length, " ");
        if (status != PDB_OK || text[at + strspn(text + at, "\n ")] == '\0')
            break;
        if (text[at] == '\n')
            return node_error_at(error, node, at, "an equation has one line: several are a list, each an entry");
        if (strchr("+-=", text[at]) == NULL || (text[at] == '=' && side < 0))
            return node_error_at(error, node, at, "words are joined by + and -, and one = stands between two of them");
        side = text[at] == '=' ? -1 : side;
        sign = text[at] == '-' ? -1 : 1;
        equation->text[used++] = text[at];
        at += 1 + strspn(text + at + 1, " ");
    }
    if (status == PDB_OK && side > 0)
        return node_error(error, node, "an equation has a = in it: SEND + MORE = MONEY");
    return status;
}

/* What follows from the coefficients. */
static void finish_equation(const struct place *place, struct place_equation *equation)
{
    equation->power[0] = 1;
    for (unsigned k = 0; k <= equation->columns; k++) {
        if (k > 0)
            equation->power[k] = equation->power[k - 1] * place->base;
        for (unsigned slot = 0; slot < place->slots; slot++)
            if (equation->coefficient[slot] % equation->power[k] != 0)
                equation->low[k] |= (uint64_t)1 << slot;
    }
    for (unsigned slot = 0; slot < place->slots; slot++)
        if (equation->coefficient[slot] != 0)
            equation->letters |= (uint64_t)1 << slot;
}

/* A row of letters for a board, and the digits for its symbols. */
static pdb_status lay_out_letters(struct place *place, pdb_error *error)
{
    struct board *board = &place->puzzle.board;
    uint8_t symbol;
    board->rows = 1;
    board->columns = board->places = (uint16_t)place->slots;
    for (unsigned slot = 0; slot < place->slots; slot++)
        board->place[slot] = board->cell[slot] = (uint16_t)slot;
    place->values = place->base;
    pdb_status status = board_add_symbol(board, ".", 1, &board->empty, error);
    for (unsigned digit = 0; status == PDB_OK && digit < place->base; digit++)
        status = board_add_symbol(board, &"0123456789abcdefghijklmnopqrstuvwxyz"[digit], 1, &symbol, error);
    return status;
}

pdb_status place_read_equations(const struct node *root, struct place *place, pdb_error *error)
{
    const struct node *node = node_find(root, "equation"), *base_node = node_find(root, "base");
    const bool list = node_kind(node) == NODE_SEQUENCE;
    const size_t count = list ? node_count(node) : 1;
    int64_t base = 10;
    pdb_status status = PDB_OK;
    if (base_node != NULL)
        status = node_as_integer(base_node, 2, PLACE_MAX_BASE, &base, error);
    if (status != PDB_OK)
        return status;
    if (count == 0 || count > PLACE_MAX_EQUATIONS)
        return node_error(error, node, "there have to be 1 to %d equations", PLACE_MAX_EQUATIONS);
    place->base = (unsigned)base;
    place->equation = calloc(count, sizeof *place->equation);
    if (place->equation == NULL)
        return error_no_memory(error, "the equations", count * sizeof *place->equation);
    for (unsigned slot = 0; slot < PLACE_MAX_BASE; slot++)
        place->allowed[slot] = ((uint64_t)1 << base) - 1;
    for (size_t i = 0; status == PDB_OK && i < count; i++)
        status = read_equation(place, &place->equation[place->equations++], list ? node_item(node, i) : node, error);
    if (status != PDB_OK)
        return status;
    for (unsigned e = 0; e < place->equations; e++)
        finish_equation(place, &place->equation[e]);
    if (place->slots > place->base && node_find(root, "different") == NULL)
        return node_error(error, node, "there are %u different letters, and numbers to the base %u have only %u digits",
                          place->slots, place->base, place->base);
    place->named = true;
    return lay_out_letters(place, error);
}
