/* digits.c -- the sequence of a board's pieces and empty cells (keys.c) as a number
 *
 * Thing by thing, the first one lowest, it has a digit: of the classes that have things left, how many are smaller. Its
 * radix is how many have. That is a little longer than a rank, but takes no more than a multiplication a thing.
 */
#include "wide.h"

#include <string.h>

enum { DIGITS_CLASSES_MAX = 64, DIGITS_EMPTY = 0 };

typedef unsigned __int128 wide_bits;

/* What is left of each class, and which have anything left, a bit for each. */
struct stock {
    uint16_t left[DIGITS_CLASSES_MAX];
    uint64_t classes;
};

static struct stock whole_stock(const struct slide *slide)
{
    struct stock stock = {.left[DIGITS_EMPTY] = (uint16_t)slide->empties, .classes = slide->empties > 0};
    for (unsigned k = 0; k < slide->kinds; k++) {
        stock.left[k + 1] = slide->kind[k].count;
        stock.classes |= (uint64_t)1 << (k + 1);
    }
    return stock;
}

static unsigned radix_of(const struct stock *stock)
{
    return (unsigned)__builtin_popcountll(stock->classes);
}

static void use(struct stock *stock, unsigned class)
{
    if (--stock->left[class] == 0)
        stock->classes &= ~((uint64_t)1 << class);
}

unsigned slide_digits_bits(const struct slide *slide)
{
    if (slide->kinds >= DIGITS_CLASSES_MAX)
        return UINT8_MAX;
    const unsigned classes = slide->kinds + (slide->empties > 0);
    unsigned things = slide->empties;
    for (unsigned k = 0; k < slide->kinds; k++)
        things += slide->kind[k].count;
    /* The longest one uses up no class before it has to. */
    wide_bits numbers = 1;
    for (unsigned left = things; left > 0; left--)
        if (__builtin_mul_overflow(numbers, (wide_bits)(left < classes ? left : classes), &numbers))
            return UINT8_MAX;
    const uint64_t high = (uint64_t)(numbers >> 64);
    return high != 0 ? 128 - (unsigned)__builtin_clzll(high) : 64 - (unsigned)__builtin_clzll((uint64_t)numbers);
}

struct wide_key slide_digits(const struct slide *slide, const uint8_t *map)
{
    uint8_t sequence[BOARD_MAX_CELLS];
    const unsigned things = slide_sequence(slide, map, sequence);
    struct stock stock = whole_stock(slide);
    wide_bits number = 0, counts = 1;
    for (unsigned i = 0; i < things; i++) {
        const uint64_t smaller = stock.classes & (((uint64_t)1 << sequence[i]) - 1);
        number += counts * (unsigned)__builtin_popcountll(smaller);
        counts *= radix_of(&stock);
        use(&stock, sequence[i]);
    }
    return (struct wide_key){{(uint64_t)(number >> 64), (uint64_t)number}};
}

bool slide_digits_map(const struct slide *slide, struct wide_key key, uint8_t *map)
{
    uint8_t sequence[BOARD_MAX_CELLS];
    struct stock stock = whole_stock(slide);
    wide_bits number = (wide_bits)key.word[0] << 64 | key.word[1];
    unsigned things = 0;
    memset(map, SLIDE_OPEN, slide->puzzle.board.places);
    for (unsigned radix; (radix = radix_of(&stock)) > 0; things++) {
        uint64_t classes = stock.classes;
        for (unsigned smaller = (unsigned)(number % radix); smaller > 0; smaller--)
            classes &= classes - 1;
        number /= radix;
        sequence[things] = (uint8_t)__builtin_ctzll(classes);
        use(&stock, sequence[things]);
    }
    if (number == 0 && slide_lay_sequence(slide, sequence, things, map))
        return true;
    memset(map, SLIDE_EMPTY, slide->puzzle.board.places);
    return false;
}
