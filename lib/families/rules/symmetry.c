/* symmetry.c -- members of sets that can be exchanged with one another: the group and its images */
#include "symmetry.h"
#include "layout.h"
#include "lib/families/rules/language/parse.h"

#include <stdlib.h>
#include <string.h>

struct symmetry {
    const struct rules *rules;
    unsigned count;
    size_t digits;       /* of all elements together */
    uint32_t *exchanged; /* the members of all sets one after another, as a symmetry exchanges them */
    uint64_t *part;      /* count * digits */
    uint8_t *word;       /* of wide keys: the word that an element's part counts in, count * elements */
    struct symmetry_guard guard;
};

/* -- the group -- */

/* Permutation `number` of 0 .. count - 1, by the digits of its number in the factorial base. */
static void permute(unsigned number, uint32_t count, uint32_t *member)
{
    for (uint32_t i = 0; i < count; i++)
        member[i] = i;
    for (uint32_t i = 0; i + 1 < count; i++) {
        const uint32_t pick = i + number % (count - i), taken = member[pick];
        number /= count - i;
        memmove(&member[i + 1], &member[i], (pick - i) * sizeof *member);
        member[i] = taken;
    }
}

static unsigned factorial(uint32_t count)
{
    unsigned product = 1;
    for (uint32_t i = 2; i <= count && product <= SYMMETRIES_MOST; i++)
        product *= i;
    return product;
}

/* Are members of one set members of the other by meaning? */
static bool is_same_kind(const struct rules *rules, uint32_t a, uint32_t b)
{
    const struct rules_set *x = &rules->set[a], *y = &rules->set[b];
    return a == b || (x->naming != NAMED_NUMBERS && x->naming == y->naming && x->home == y->home);
}

/* Is a set the index or the range of a variable? */
static bool is_used(const struct rules *rules, uint32_t set)
{
    for (uint32_t v = 0; v < rules->variables; v++) {
        const struct rules_variable *variable = &rules->variable[v];
        for (unsigned i = 0; i < variable->indices; i++)
            if (is_same_kind(rules, set, variable->set[i]))
                return true;
        if (is_same_kind(rules, set, variable->range))
            return true;
    }
    return false;
}

/* What a value of a set becomes. */
static int32_t exchange(const struct rules *rules, const uint32_t *member, uint32_t set, int32_t value)
{
    for (unsigned s = 0; s < rules->symmetrics; s++) {
        const struct rules_set *of = &rules->set[rules->symmetric[s]];
        const int32_t position = is_same_kind(rules, rules->symmetric[s], set) ? set_position(of, value) : -1;
        if (position >= 0)
            return of->value[member[position]];
        member += of->count;
    }
    return value;
}

/* The element that an element becomes. False where that is outside an index. */
static bool exchange_element(const struct rules *rules, const uint32_t *member, uint32_t element, uint32_t *to)
{
    const struct rules_variable *variable = &rules->variable[rules->element[element].variable];
    const uint32_t columns = variable->indices == 2 ? rules->set[variable->set[1]].count : 1,
                   place[2] = {(element - variable->first) / columns, (element - variable->first) % columns};
    *to = variable->first;
    for (unsigned i = 0; i < variable->indices; i++) {
        const struct rules_set *set = &rules->set[variable->set[i]];
        const int32_t position = set_position(set, exchange(rules, member, variable->set[i], set->value[place[i]]));
        if (position < 0)
            return false;
        *to += (uint32_t)position * (i == 0 ? columns : 1);
    }
    return true;
}

/* The parts of one symmetry. False where a member is exchanged with one that an index or range does not have. */
static bool make_parts(struct symmetry *symmetry, const uint32_t *member, unsigned number)
{
    const struct rules *rules = symmetry->rules;
    uint64_t *part = symmetry->part + number * symmetry->digits;
    uint8_t *word = symmetry->word + (size_t)number * rules->elements;
    for (uint32_t e = 0; e < rules->elements; e++) {
        const struct rules_element *element = &rules->element[e];
        const uint32_t range = rules->variable[element->variable].range;
        uint32_t to;
        if (!exchange_element(rules, member, e, &to))
            return false;
        word[e] = rules->layout.word[to];
        for (int32_t value = element->lo; value <= element->hi; value++) {
            const int32_t becomes = exchange(rules, member, range, value);
            if (set_position(&rules->set[range], value) >= 0 && set_position(&rules->set[range], becomes) < 0)
                return false;
            *part++ = (uint64_t)((int64_t)becomes - element->lo) * rules->layout.weight[to];
        }
    }
    return true;
}

/* -- images -- */

unsigned symmetry_count(const struct symmetry *symmetry)
{
    return symmetry->count;
}

struct symmetry_guard *symmetry_guard(struct symmetry *symmetry)
{
    return &symmetry->guard;
}

static uint64_t image_of(const struct symmetry *symmetry, unsigned number, uint64_t key)
{
    const struct rules *rules = symmetry->rules;
    const struct rules_layout *layout = &rules->layout;
    const uint64_t *part = symmetry->part + number * symmetry->digits;
    uint64_t image = 0;
    for (uint32_t e = 0; e < rules->elements; e++) {
        const uint64_t values = (uint64_t)((int64_t)rules->element[e].hi - rules->element[e].lo) + 1;
        const uint64_t digit = layout_digit(layout, key, e);
        image += part[digit < values ? digit : values - 1];
        part += values;
    }
    return image;
}

struct wide_key symmetry_wide_image(const struct symmetry *symmetry, unsigned number, struct wide_key key)
{
    const struct rules *rules = symmetry->rules;
    const uint64_t *part = symmetry->part + number * symmetry->digits;
    const uint8_t *word = symmetry->word + (size_t)number * rules->elements;
    struct wide_key image = {{0}};
    for (uint32_t e = 0; e < rules->elements; e++) {
        const uint64_t values = (uint64_t)((int64_t)rules->element[e].hi - rules->element[e].lo) + 1;
        const uint64_t digit = layout_digit(&rules->layout, key.word[rules->layout.word[e]], e);
        image.word[word[e]] += part[digit < values ? digit : values - 1];
        part += values;
    }
    return image;
}

static bool is_less(struct wide_key a, struct wide_key b)
{
    return a.word[0] != b.word[0] ? a.word[0] < b.word[0] : a.word[1] < b.word[1];
}

struct wide_key symmetry_wide_least(const struct symmetry *symmetry, struct wide_key key)
{
    struct wide_key least = key;
    for (unsigned s = 1; s < symmetry->count; s++) {
        const struct wide_key image = symmetry_wide_image(symmetry, s, key);
        least = is_less(image, least) ? image : least;
    }
    return least;
}

unsigned symmetry_wide_weight(const struct symmetry *symmetry, struct wide_key key)
{
    unsigned same = 0;
    for (unsigned s = 0; s < symmetry->count; s++) {
        const struct wide_key image = symmetry_wide_image(symmetry, s, key);
        same += image.word[0] == key.word[0] && image.word[1] == key.word[1];
    }
    return same > 0 ? symmetry->count / same : 1;
}

uint64_t symmetry_least(const struct symmetry *symmetry, uint64_t key)
{
    uint64_t least = key;
    for (unsigned s = 1; s < symmetry->count; s++) {
        const uint64_t image = image_of(symmetry, s, key);
        least = image < least ? image : least;
    }
    return least;
}

/* The images are a group's: each occurs as often as the key itself. */
unsigned symmetry_weight(const struct symmetry *symmetry, uint64_t key)
{
    unsigned same = 0;
    for (unsigned s = 0; s < symmetry->count; s++)
        same += image_of(symmetry, s, key) == key;
    return same > 0 ? symmetry->count / same : 1;
}

/* -- making -- */

static pdb_status fill(struct symmetry *symmetry, const struct node *node, pdb_error *error)
{
    const struct rules *rules = symmetry->rules;
    for (unsigned s = 0; s < symmetry->count; s++) {
        uint32_t *member = symmetry->exchanged;
        unsigned number = s;
        for (unsigned k = 0; k < rules->symmetrics; k++) {
            const uint32_t count = rules->set[rules->symmetric[k]].count;
            permute(number % factorial(count), count, member);
            number /= factorial(count);
            member += count;
        }
        if (!make_parts(symmetry, symmetry->exchanged, s))
            return node_error(error, node,
                              "a variable has some members of these sets as its index or values, and not the others");
    }
    node_error(&symmetry->guard.error, node, "%s", "");
    return symmetry->count > 1 ? symmetry_try(rules, node, error) : PDB_OK;
}

pdb_status symmetry_make(struct rules *rules, const struct node *node, pdb_error *error)
{
    enum { PARTS_MOST = 1 << 23 };
    uint32_t members = 0;
    if (rules->symmetrics == 0 || (rules->layout.keys == 0 && !rules->layout.wide))
        return PDB_OK;
    struct symmetry *symmetry = rules->symmetry = calloc(1, sizeof *symmetry);
    if (symmetry == NULL)
        return error_no_memory(error, "the symmetries", sizeof *symmetry);
    *symmetry = (struct symmetry){.rules = rules, .count = 1, .guard = {.lock = PTHREAD_MUTEX_INITIALIZER}};
    for (unsigned k = 0; k < rules->symmetrics && symmetry->count <= SYMMETRIES_MOST; k++) {
        if (!is_used(rules, rules->symmetric[k]))
            return node_error(error, node, "'%s' is neither an index nor the values of a variable, so nothing is alike",
                              rules->set[rules->symmetric[k]].name);
        symmetry->count *= factorial(rules->set[rules->symmetric[k]].count);
        members += rules->set[rules->symmetric[k]].count;
    }
    for (uint32_t e = 0; e < rules->elements; e++)
        symmetry->digits += (size_t)((int64_t)rules->element[e].hi - rules->element[e].lo) + 1;
    if (symmetry->count > SYMMETRIES_MOST || symmetry->count * symmetry->digits > PARTS_MOST)
        return node_error(error, node, "these sets can be exchanged in too many ways: %d at most", SYMMETRIES_MOST);
    symmetry->exchanged = malloc(members * sizeof *symmetry->exchanged);
    symmetry->part = malloc(symmetry->count * symmetry->digits * sizeof *symmetry->part);
    symmetry->word = malloc((size_t)symmetry->count * rules->elements + 1);
    if (symmetry->exchanged == NULL || symmetry->part == NULL || symmetry->word == NULL)
        return error_no_memory(error, "the symmetries", symmetry->count * symmetry->digits * sizeof *symmetry->part);
    return fill(symmetry, node, error);
}

void symmetry_free(struct symmetry *symmetry)
{
    if (symmetry == NULL)
        return;
    free(symmetry->exchanged);
    free(symmetry->part);
    free(symmetry->word);
    free(symmetry->guard.room);
    pthread_mutex_destroy(&symmetry->guard.lock);
    free(symmetry);
}
