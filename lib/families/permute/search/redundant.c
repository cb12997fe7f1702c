/* redundant.c -- sequences of moves that others stand for, as words over the moves
 *
 * What a sequence of moves does is a permutation of the places with twists, whatever the board. The words are listed in
 * the order of their lengths, and words of one length as a dictionary would. A word that does what an earlier one does
 * is redundant; all others are *reduced*, and every part of a reduced word is reduced. So only reduced words are made
 * longer, and a redundant word is new only where its part without the first move is reduced. They are found as far as
 * WORK goes: on a small group to the last, so that every element is reached by one word only. A length of many words
 * that brings none is the last: what longer ones would save costs more wherever the puzzle is opened.
 */
#include "search.h"

#include <stdlib.h>
#include <string.h>

enum {
    WORK = 1 << 17,    /* words that are looked at */
    MANY = 1 << 12,    /* of one length */
    LETTERS = 1 << 22, /* bytes for what the reduced words do */
    REDUNDANT_MAX = 1 << 15
};

#define NO_WORD UINT32_MAX

struct reduced {
    uint32_t parent, suffix; /* without its last, and without its first move */
    uint8_t last, length;
};

struct words {
    const struct permute *permute;
    unsigned places, moves;
    size_t most, count; /* reduced words: `most` there is room for */
    struct reduced *word;
    uint8_t *effect;      /* of each: to[places], twist[places] */
    uint32_t *longer;     /* [word * moves + move]: the reduced word, or NO_WORD */
    uint32_t *slot, mask; /* a hash table of effects: word + 1, 0 for free */
    struct machine_word *redundant;
    size_t redundant_count;
};

static uint8_t *effect_of(const struct words *words, size_t word)
{
    return words->effect + word * 2 * words->places;
}

/* First what a word does, then a move. */
static void compose(const struct words *words, const uint8_t *effect, unsigned m, uint8_t *both)
{
    const struct permute_move *move = &words->permute->move[m];
    for (unsigned place = 0; place < words->places; place++) {
        const unsigned middle = effect[place], modulus = words->permute->modulus[place],
                       twist = effect[words->places + place] + (unsigned)move->twist[middle];
        both[place] = move->to[middle];
        both[words->places + place] = (uint8_t)(twist < modulus ? twist : twist - modulus);
    }
}

/* The slot of an effect: that of the word that has it, or a free one. */
static uint32_t *find_slot(const struct words *words, const uint8_t *effect)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a, of eight bytes at a time */
    for (unsigned i = 0; i < 2 * words->places; i += sizeof(uint64_t)) {
        const unsigned left = 2 * words->places - i;
        uint64_t bytes = 0;
        memcpy(&bytes, effect + i, left < sizeof bytes ? left : sizeof bytes);
        hash = (hash ^ bytes) * 1099511628211u;
        hash ^= hash >> 32;
    }
    uint32_t at = (uint32_t)(hash ^ hash >> 32) & words->mask;
    while (words->slot[at] != 0 && memcmp(effect_of(words, words->slot[at] - 1), effect, 2 * words->places) != 0)
        at = (at + 1) & words->mask;
    return &words->slot[at];
}

static void add_redundant(struct words *words, uint32_t word, unsigned move)
{
    struct machine_word *redundant = &words->redundant[words->redundant_count++];
    redundant->length = (uint8_t)(words->word[word].length + 1);
    redundant->letter[words->word[word].length] = (uint8_t)move;
    for (; word != 0; word = words->word[word].parent)
        redundant->letter[words->word[word].length - 1] = words->word[word].last;
}

/* One reduced word made longer by a move. */
static void extend(struct words *words, uint32_t word, unsigned move)
{
    const struct reduced *from = &words->word[word];
    uint32_t *longer = &words->longer[(size_t)word * words->moves + move], suffix = 0;
    *longer = NO_WORD;
    if (word != 0) {
        suffix = words->longer[(size_t)from->suffix * words->moves + move];
        if (suffix == NO_WORD)
            return;
    }
    uint8_t *effect = effect_of(words, words->count);
    compose(words, effect_of(words, word), move, effect);
    uint32_t *slot = find_slot(words, effect);
    if (*slot != 0) {
        add_redundant(words, word, move);
        return;
    }
    *longer = (uint32_t)words->count;
    words->word[words->count++] = (struct reduced){
        .parent = word, .suffix = suffix, .last = (uint8_t)move, .length = (uint8_t)(from->length + 1)};
    *slot = (uint32_t)words->count;
}

static void list_words(struct words *words)
{
    size_t work = 0, begun = 0, known = 0; /* when the words of this length were begun */
    for (unsigned place = 0; place < words->places; place++)
        words->effect[place] = (uint8_t)place;
    words->count = 1;
    *find_slot(words, words->effect) = 1;
    for (uint32_t word = 0; word < words->count && words->word[word].length < MACHINE_WORD_MAX; word++) {
        if (word > 0 && words->word[word].length > words->word[word - 1].length) {
            if (work - begun >= MANY && words->redundant_count == known)
                return;
            begun = work;
            known = words->redundant_count;
        }
        for (unsigned move = 0; move < words->moves; move++) {
            if (work++ == WORK || words->count == words->most || words->redundant_count == REDUNDANT_MAX)
                return;
            extend(words, word, move);
        }
    }
}

pdb_status permute_redundant(const struct permute *permute, bool none, struct machine **out, pdb_error *error)
{
    struct words words = {.permute = permute, .places = permute->puzzle.board.places, .moves = permute->moves};
    words.most = LETTERS / (2 * words.places);
    words.most = words.most < WORK ? words.most : WORK;
    words.mask = 2 * WORK - 1;
    words.word = calloc(words.most, sizeof *words.word);
    words.effect = calloc(words.most + 1, 2 * words.places);
    words.longer = malloc(words.most * words.moves * sizeof *words.longer);
    words.slot = calloc((size_t)words.mask + 1, sizeof *words.slot);
    words.redundant = malloc(REDUNDANT_MAX * sizeof *words.redundant);
    pdb_status status;
    if (!words.word || !words.effect || !words.longer || !words.slot || !words.redundant) {
        status = error_no_memory(error, "the redundant words", REDUNDANT_MAX * sizeof *words.redundant);
    } else {
        if (!none)
            list_words(&words);
        status = machine_create(words.moves, words.redundant, words.redundant_count, out, error);
    }
    free(words.word);
    free(words.effect);
    free(words.longer);
    free(words.slot);
    free(words.redundant);
    return status;
}
