/* redundant.c -- the empty cell's redundant sequences of moves, learnt by walking on an empty, boundless board
 *
 * A word is a walk of the empty cell: up, left, right, down. It does the same as another word if it takes the empty
 * cell to the same cell and has moved every tile alike. It is redundant (lib/search/board/machine.h) if a smaller word
 * does the same and visits no cell that it does not visit itself: then the smaller one is legal wherever it is,
 * whatever edges and walls there are. Undoing a move is the simplest case (the empty word does the same); the first
 * others are of six moves: half the cycle of twelve that a two by two square goes through.
 *
 * Words are gone through by length, each length in lexicographic order, leaving out those that have a redundant word
 * in them. What a word does is hashed; words that hash alike are walked once more and compared.
 */
#include "lib/memory/array.h"
#include "lib/random.h"
#include "search.h"

#include <string.h>

enum { SIDE = 2 * TILES_REDUNDANT_MAX + 1, CENTRE = TILES_REDUNDANT_MAX * SIDE + TILES_REDUNDANT_MAX };

static const int STEP[TILES_MOVES] = {-SIDE, -1, 1, SIDE};

struct seen_word {
    uint64_t hash;
    uint32_t letters, length;
};

struct learner {
    struct seen_word *seen; /* a hash table: a power of two of slots, length 0 for free ones */
    size_t mask;
    struct machine_word *word; /* the redundant ones so far */
    size_t words;
    struct machine *machine; /* that knows all of them that are shorter than `length` */
    unsigned length;
    uint16_t origin[SIDE * SIDE]; /* where the tile on each cell stood at first */
};

/* -- what a word does -- */

struct effect {
    uint16_t origin[SIDE * SIDE];
    bool visited[SIDE * SIDE];
};

static void walk(uint32_t letters, unsigned length, struct effect *effect)
{
    unsigned empty = CENTRE;
    for (unsigned cell = 0; cell < SIDE * SIDE; cell++)
        effect->origin[cell] = (uint16_t)cell;
    memset(effect->visited, 0, sizeof effect->visited);
    effect->visited[empty] = true;
    while (length-- > 0) {
        const unsigned to = empty + (unsigned)STEP[letters >> 2 * length & 3];
        effect->origin[empty] = effect->origin[to];
        effect->visited[to] = true;
        empty = to;
    }
    effect->origin[empty] = CENTRE;
}

/* Does `smaller` the same as `word` without visiting other cells? */
static bool stands_for(const struct seen_word *smaller, const struct effect *word)
{
    struct effect effect;
    walk(smaller->letters, smaller->length, &effect);
    if (memcmp(effect.origin, word->origin, sizeof word->origin) != 0)
        return false;
    for (unsigned cell = 0; cell < SIDE * SIDE; cell++)
        if (effect.visited[cell] && !word->visited[cell])
            return false;
    return true;
}

static uint64_t hash_tile(unsigned origin, unsigned cell)
{
    uint64_t seed = (uint64_t)origin << 32 | cell;
    return origin == cell ? 0 : random_next(&seed);
}

/* -- going through the words -- */

static pdb_status add_redundant(struct learner *learner, const struct seen_word *seen, pdb_error *error)
{
    struct machine_word *word = array_grow(learner->word, learner->words, sizeof *word);
    if (word == NULL)
        return error_no_memory(error, "redundant moves", 2 * learner->words * sizeof *word);
    learner->word = word;
    word += learner->words++;
    word->length = (uint8_t)seen->length;
    for (unsigned i = 0; i < seen->length; i++)
        word->letter[i] = seen->letters >> 2 * (seen->length - 1 - i) & 3;
    return PDB_OK;
}

/* A word that none of the shorter redundant words occurs in: is it redundant itself? Else it is remembered. */
static pdb_status judge(struct learner *learner, const struct seen_word *word, pdb_error *error)
{
    struct effect effect;
    bool walked = false;
    size_t slot = word->hash & learner->mask;
    for (; learner->seen[slot].length != 0; slot = (slot + 1) & learner->mask) {
        if (learner->seen[slot].hash != word->hash)
            continue;
        if (!walked)
            walk(word->letters, word->length, &effect);
        walked = true;
        if (stands_for(&learner->seen[slot], &effect))
            return add_redundant(learner, word, error);
    }
    learner->seen[slot] = *word;
    return PDB_OK;
}

/* All words of learner->length moves that begin with `word`. */
static pdb_status extend(struct learner *learner, const struct seen_word *word, unsigned empty, uint32_t state,
                         pdb_error *error)
{
    pdb_status status = PDB_OK;
    if (word->length == learner->length)
        return judge(learner, word, error);
    for (unsigned letter = 0; status == PDB_OK && letter < TILES_MOVES; letter++) {
        const uint32_t next = machine_next(learner->machine, state, letter);
        if (next == MACHINE_NEVER)
            continue;
        const unsigned to = empty + (unsigned)STEP[letter], tile = learner->origin[to];
        const struct seen_word longer = {word->hash - hash_tile(tile, to) + hash_tile(tile, empty),
                                         word->letters << 2 | letter, word->length + 1};
        learner->origin[empty] = (uint16_t)tile;
        status = extend(learner, &longer, to, next, error);
        learner->origin[to] = (uint16_t)tile;
    }
    return status;
}

static pdb_status learn(struct learner *learner, unsigned length, pdb_error *error)
{
    pdb_status status = machine_create(TILES_MOVES, NULL, 0, &learner->machine, error);
    for (learner->length = 1; status == PDB_OK && learner->length <= length; learner->length++) {
        const size_t known = learner->words;
        status = extend(learner, &(struct seen_word){0}, CENTRE, MACHINE_START, error);
        if (status == PDB_OK && learner->length == 2) /* what the empty word stands for */
            for (unsigned letter = 0; status == PDB_OK && letter < TILES_MOVES; letter++)
                status = add_redundant(learner, &(struct seen_word){0, letter << 2 | (3 - letter), 2}, error);
        if (status != PDB_OK || learner->words == known)
            continue;
        free(learner->machine);
        status = machine_create(TILES_MOVES, learner->word, learner->words, &learner->machine, error);
    }
    return status;
}

pdb_status tiles_redundant(unsigned length, struct machine **out, pdb_error *error)
{
    struct learner *learner = calloc(1, sizeof *learner);
    *out = NULL;
    if (learner == NULL)
        return error_no_memory(error, "redundant moves", sizeof *learner);
    for (unsigned cell = 0; cell < SIDE * SIDE; cell++)
        learner->origin[cell] = (uint16_t)cell;
    /* Four words of one move, and no more than three times as many of each length as of the one before: none is taken
     * back at once. The table is at least half empty. */
    for (unsigned i = 0, words = 2 * TILES_MOVES; i < length; i++, words *= TILES_MOVES - 1)
        learner->mask += words;
    learner->mask = UINT64_MAX >> __builtin_clzll(learner->mask);
    learner->seen = calloc(learner->mask + 1, sizeof *learner->seen);
    pdb_status status = learner->seen != NULL
                            ? learn(learner, length, error)
                            : error_no_memory(error, "redundant moves", (learner->mask + 1) * sizeof *learner->seen);
    if (status == PDB_OK)
        *out = learner->machine;
    else
        free(learner->machine);
    free(learner->seen);
    free(learner->word);
    free(learner);
    return status;
}
