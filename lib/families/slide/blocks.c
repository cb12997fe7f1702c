/* blocks.c -- the blocks of a sliding puzzle: where its large pieces and empty cells can be, and the moves
 * between them
 *
 * The graph of blocks is the puzzle with all one-cell pieces taken for one. It is small where the puzzle ranks densely
 * (Goat: 30 blocks of 181,440 orders) and is walked with a hash table, from the goal's blocks on. Blocks are then
 * sorted by their labels, so that their numbers do not depend on the way they were found.
 */
#include "lib/memory/array.h"
#include "lib/families/slide/tiles/tiles.h"

#include <stdlib.h>
#include <string.h>

/* -- the set of blocks -- */

static uint32_t hash_labels(const uint8_t *labels, size_t count)
{
    uint64_t hash = 0xcbf29ce484222325, word = 0; /* FNV-1a with words of 64 bits for bytes, its high half folded in */
    for (size_t i = 0; i < count; i += sizeof word) {
        const size_t left = count - i;
        memcpy(&word, labels + i, left < sizeof word ? left : sizeof word);
        hash = (hash ^ word) * 0x100000001b3;
        hash ^= hash >> 32;
    }
    return (uint32_t)hash;
}

/* The slot where these labels are, or the free one where they belong. */
static uint32_t *find_slot(const struct slide *slide, const uint8_t *labels)
{
    const size_t places = slide->puzzle.board.places;
    uint32_t at = hash_labels(labels, places) & slide->slot_mask;
    while (slide->slot[at] != 0 && memcmp(slide_labels(slide, slide->slot[at] - 1), labels, places) != 0)
        at = (at + 1) & slide->slot_mask;
    return &slide->slot[at];
}

bool slide_block_find(const struct slide *slide, const uint8_t *labels, uint32_t *block)
{
    uint32_t found = *find_slot(slide, labels);
    *block = found - 1;
    return found != 0;
}

static pdb_status rehash(struct slide *slide, uint32_t slots, pdb_error *error)
{
    uint32_t *slot = calloc(slots, sizeof *slot);
    if (slot == NULL)
        return error_no_memory(error, "the table of blocks", slots * sizeof *slot);
    free(slide->slot);
    slide->slot = slot;
    slide->slot_mask = slots - 1;
    for (uint32_t block = 0; block < slide->blocks; block++)
        *find_slot(slide, slide_labels(slide, block)) = block + 1;
    return PDB_OK;
}

/* More blocks are not laid out densely. */
static uint32_t most_blocks(const struct slide *slide)
{
    return slide->few_orders ? SLIDE_SMALL_BLOCKS : SLIDE_MAX_BLOCKS;
}

static pdb_status add_block(void *context, const uint8_t *labels, pdb_error *error)
{
    struct slide *slide = context;
    const size_t places = slide->puzzle.board.places;
    uint32_t *slot = find_slot(slide, labels);
    if (*slot != 0)
        return PDB_OK;
    if (slide->blocks == most_blocks(slide))
        return error_set(error, PDB_TOO_LARGE, "too many ways for large pieces and empty cells to stand");
    uint8_t *grown = array_grow(slide->labels, slide->blocks, places);
    if (grown == NULL)
        return error_no_memory(error, "the blocks", 2 * slide->blocks * places);
    slide->labels = grown;
    memcpy(slide->labels + slide->blocks * places, labels, places);
    *slot = ++slide->blocks;
    return 2 * slide->blocks > slide->slot_mask ? rehash(slide, 4 * (slide->slot_mask + 1), error) : PDB_OK;
}

/* The search for blocks, and its limits: of what can be numbered, and of the cells of boards that are looked at, which
 * is seconds of work. A large board with pieces that can go anywhere has far too many blocks. */
struct block_finder {
    struct slide *slide;
    uint64_t most;
    uint64_t cells_left;
};

static pdb_status add_step(void *context, const struct slide_step *step, pdb_error *error)
{
    struct block_finder *finder = context;
    const unsigned places = finder->slide->puzzle.board.places;
    if (finder->cells_left < places || finder->slide->blocks > finder->most)
        return error_set(error, PDB_TOO_LARGE, "too many ways for large pieces and empty cells to stand");
    finder->cells_left -= places;
    return add_block(finder->slide, step->cells, error);
}

static int compare_labels(const void *a, const void *b, void *places)
{
    return memcmp(a, b, *(const size_t *)places);
}

static pdb_status find_blocks(struct slide *slide, uint64_t most, pdb_error *error)
{
    struct block_finder finder = {.slide = slide, .most = most, .cells_left = SLIDE_MAX_BLOCK_CELLS};
    size_t places = slide->puzzle.board.places;
    pdb_status status = rehash(slide, 64, error);
    /* The goal's blocks first; then, from every block in turn, those one move away that are new. */
    if (status == PDB_OK)
        status = slide_goal_labels(slide, most_blocks(slide), add_block, slide, error);
    for (uint32_t block = 0; status == PDB_OK && block < slide->blocks; block++) {
        uint8_t labels[BOARD_MAX_CELLS]; /* a copy: the array moves when it grows */
        memcpy(labels, slide_labels(slide, block), places);
        status = slide_steps(slide, labels, add_step, &finder, error);
    }
    if (status != PDB_OK || slide->blocks == 0)
        return status;
    /* Numbered by their labels, and the table of them made anew. */
    qsort_r(slide->labels, slide->blocks, places, compare_labels, &places);
    return rehash(slide, slide->slot_mask + 1, error);
}

/* -- the moves between blocks -- */

struct move_adder {
    struct slide *slide;
    uint32_t count;
};

static pdb_status add_move(void *context, const struct slide_step *step, pdb_error *error)
{
    struct move_adder *adder = context;
    struct slide_move *grown = array_grow(adder->slide->move, adder->count, sizeof *grown);
    if (grown == NULL)
        return error_no_memory(error, "the moves of the blocks", 2 * adder->count * sizeof *grown);
    adder->slide->move = grown;
    struct slide_move *move = &adder->slide->move[adder->count++];
    *move = (struct slide_move){.from = step->order_from, .to = step->order_to};
    slide_block_find(adder->slide, step->cells, &move->target);
    return PDB_OK;
}

static pdb_status find_moves(struct slide *slide, pdb_error *error)
{
    struct move_adder adder = {.slide = slide};
    slide->block = calloc(slide->blocks, sizeof *slide->block);
    if (slide->block == NULL)
        return error_no_memory(error, "the blocks", slide->blocks * sizeof *slide->block);
    for (uint32_t block = 0; block < slide->blocks; block++) {
        slide->block[block].first_move = adder.count;
        pdb_status status = slide_steps(slide, slide_labels(slide, block), add_move, &adder, error);
        if (status != PDB_OK)
            return status;
        unsigned moves = adder.count - slide->block[block].first_move;
        if (moves > UINT8_MAX)
            return error_set(error, PDB_TOO_LARGE, "a board can have more than %d moves", UINT8_MAX);
        slide->block[block].moves = (uint8_t)moves;
        if (slide->puzzle.max_moves < moves)
            slide->puzzle.max_moves = moves;
    }
    return PDB_OK;
}

/* -- potentials: the colouring and the parity of orders -- */

/* Whether a two-valued mark of blocks exists that every move changes as it should and all goals share. */
struct potentials {
    struct slide *slide;
    uint8_t *known; /* whether a block has its marks */
    uint32_t *queue;
    uint32_t queued;
    bool colour, parity;    /* no contradiction so far */
    unsigned goal_parities; /* of the goal block at hand: bit p for parity p */
};

static pdb_status see_goal_order(void *context, const uint8_t *order, pdb_error *error)
{
    (void)error;
    struct potentials *potentials = context;
    potentials->goal_parities |= 1u << order_parity(potentials->slide->ordered, order);
    return potentials->goal_parities == 3 ? PDB_INTERRUPTED : PDB_OK; /* seen enough */
}

static void mark(struct potentials *potentials, uint32_t block, unsigned colour, unsigned parity)
{
    struct slide_block *marked = &potentials->slide->block[block];
    if (potentials->known[block]) {
        potentials->colour &= marked->colour == colour;
        potentials->parity &= marked->parity == parity;
        return;
    }
    potentials->known[block] = 1;
    marked->colour = colour & 1;
    marked->parity = parity & 1;
    potentials->queue[potentials->queued++] = block;
}

static void spread(struct potentials *potentials)
{
    struct slide *slide = potentials->slide;
    /* Goals have colour 0, and in each of their blocks one parity: that of all orders that fit. */
    for (uint32_t block = 0; block < slide->blocks; block++) {
        if (!slide_labels_fit_goal(slide, slide_labels(slide, block)))
            continue;
        potentials->goal_parities = 0;
        if (potentials->parity)
            slide_goal_orders(slide, slide_labels(slide, block), see_goal_order, potentials, NULL);
        potentials->parity &= potentials->goal_parities != 3;
        mark(potentials, block, 0, potentials->goal_parities >> 1);
    }
    /* Every move changes the colour, and the parity by as many pieces as are passed. */
    for (uint32_t done = 0; done < potentials->queued; done++) {
        const struct slide_block *block = &slide->block[potentials->queue[done]];
        for (unsigned m = 0; m < block->moves; m++) {
            const struct slide_move *move = &slide->move[block->first_move + m];
            mark(potentials, move->target, block->colour ^ 1u, block->parity ^ ((move->from ^ move->to) & 1u));
        }
    }
}

/* Colours and parities; *halved says whether only one parity of each block's orders can be reached. */
static pdb_status find_potentials(struct slide *slide, bool *halved, pdb_error *error)
{
    bool distinct = slide->ordered >= 2;
    for (unsigned class = 0; class < slide->units; class ++)
        distinct &= slide->kind[class].count == 1;
    struct potentials potentials = {.slide = slide,
                                    .colour = true,
                                    .parity = distinct,
                                    .known = calloc(slide->blocks, 1),
                                    .queue = malloc(slide->blocks * sizeof *potentials.queue)};
    pdb_status status = PDB_OK;
    if (potentials.known == NULL || potentials.queue == NULL)
        status = error_no_memory(error, "the blocks", slide->blocks * (sizeof *potentials.queue + 1));
    else
        spread(&potentials);
    free(potentials.known);
    free(potentials.queue);
    slide->puzzle.coloured = potentials.colour;
    *halved = potentials.parity;
    return status;
}

/* -- all of it -- */

/* The ranking of the units' orders; false where there are too many. */
static bool rank_orders(struct slide *slide, bool halved)
{
    uint8_t members[SLIDE_MAX_KINDS];
    for (unsigned class = 0; class < slide->units; class ++)
        members[class] = slide->kind[class].count;
    return order_ranking_init(&slide->order, slide->units, members, halved);
}

/* *made is false where they are too many. */
static void number_states(struct slide *slide, bool halved, bool *made)
{
    struct tiles tiles;
    if (!rank_orders(slide, halved) || slide->order.orders > (uint64_t)INT64_MAX / slide->blocks) {
        *made = tiles_make(slide, &tiles);
        slide->puzzle.states = 0; /* such a board can be searched all the same */
        slide->puzzle.size = slide->blocks / (halved ? 2.0 : 1.0);
        for (unsigned i = 2; i <= slide->ordered; i++)
            slide->puzzle.size *= i;
        return;
    }
    slide->puzzle.states = slide->blocks * slide->order.orders;
}

pdb_status slide_blocks_make(struct slide *slide, bool *made, pdb_error *error)
{
    bool halved = false;
    for (unsigned class = 0; class < slide->units; class ++)
        slide->ordered += slide->kind[class].count;
    /* What can be numbered is known before the blocks are; parity may halve it. Boards of tiles need no numbers. */
    struct tiles tiles;
    const bool ranked = rank_orders(slide, false), unnumbered = tiles_make(slide, &tiles);
    *made = ranked || unnumbered;
    if (!*made)
        return PDB_OK;
    slide->few_orders = slide->may_be_keyed && ranked && slide->order.orders < SLIDE_MANY_ORDERS;
    const uint64_t most = unnumbered ? UINT64_MAX : (uint64_t)INT64_MAX / slide->order.orders * 2 + 1;
    pdb_status status = find_blocks(slide, most, error);
    *made = status != PDB_TOO_LARGE;
    if (!*made) { /* what was found so far is of no use to a keyed puzzle */
        slide_blocks_free(slide);
        return PDB_OK;
    }
    if (status != PDB_OK || slide->blocks == 0)
        return status;
    status = find_moves(slide, error);
    if (status == PDB_OK)
        status = find_potentials(slide, &halved, error);
    if (status == PDB_OK)
        number_states(slide, halved, made);
    if (!*made)
        slide_blocks_free(slide);
    return status;
}

void slide_blocks_free(struct slide *slide)
{
    free(slide->labels);
    free(slide->block);
    free(slide->move);
    free(slide->slot);
    slide->labels = NULL;
    slide->block = NULL;
    slide->move = NULL;
    slide->slot = NULL;
    slide->blocks = 0;
}
