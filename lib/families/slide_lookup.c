/* slide_lookup.c -- boards of different tiles with a pattern database
 *
 * The excess of a board is the largest of several sums of entries (slide_tiles.h): one for each partition of the tiles
 * into patterns, and one for each image of the board. A symmetry of the board (a rotation or a reflection that keeps the
 * walls and the goal's empty place) takes every path to the goal to another as long: a tile whose goal is g and that
 * stands on p is looked up as the tile whose goal is the image of g, on the image of p, in the same tables. So each
 * (partition, symmetry) is a *picture* of the board, and each pattern in a picture a *view*: the places where its tiles
 * stand, as a mask, and their sequence by places, a few bits a tile, the first tile's lowest. A move changes one view in
 * each picture.
 *
 * The number of a set of places is summed up over bytes of its mask: `sets` has, for each byte's value and the number of
 * places in the lower ones, its share of the sum of binomials. The rank of a sequence is summed up of two tables: one of
 * its first half (how many later tiles are smaller follows from which ones came before), one of its second half, where
 * only the order of its tiles among one another counts.
 *
 * Tables are large, and an entry is mostly in no cache: a look-up takes as long as looking at several boards. Therefore
 * all entries that the boards after a board need are asked for together (prefetched), and meanwhile the search goes on
 * below other roots: a worker has several *lanes*, each a depth-first search of its own, and takes them in turns.
 */
#include "slide_search.h"

#include <stdlib.h>
#include <string.h>

enum {
    PICTURES_MAX = 8,
    VIEWS_MAX = 128,
    LANES = 2, /* more hide no more of the waiting, and search farther past the first solution */
    NO_VIEW = 255,
    SETS_BYTES = TILES_MAX_PLACES / 8,
    VARIANTS_PLACES = 8 /* symmetries of a square */
};

/* The ranking of sequences of a number of tiles. */
struct sequences {
    unsigned size, bits; /* tiles; bits a tile */
    unsigned head_bits;  /* of the first half */
    uint32_t orders;     /* size! */
    uint32_t *head;      /* what the first half adds to the rank */
    uint8_t *tail;       /* what the second half does */
};

struct view_table {
    const uint8_t *bytes;
    struct sequences sequences;
};

struct tile_lookup {
    unsigned places, set_bytes;
    unsigned pictures, views, images;
    unsigned view_end[PICTURES_MAX];                   /* past the picture's last view */
    bool reflections;                                  /* all images are */
    uint8_t image[PICTURES_MAX][TILES_MAX_PLACES];     /* [picture][place] */
    uint8_t source[PICTURES_MAX][TILES_MAX_PLACES];    /* the other way round */
    uint8_t view[PICTURES_MAX][TILES_MAX_PLACES];      /* [picture][tile] NO_VIEW where the tile is in no pattern */
    uint8_t digit[PICTURES_MAX][TILES_MAX_PLACES];     /* [picture][tile] its number in the pattern */
    struct view_table table[VIEWS_MAX];                /* of each view */
    struct sequences sequences[TILES_MAX_PATTERN + 1]; /* by size; empty where no pattern has it */
    uint32_t sets[SETS_BYTES][TILES_MAX_PATTERN + 1][256];
};

/* -- making the tables -- */

static uint32_t factorial(unsigned n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

static uint64_t choose(unsigned n, unsigned k)
{
    uint64_t product = 1;
    for (unsigned i = 0; i < k; i++)
        product = product * (n - i) / (i + 1);
    return n < k ? 0 : product;
}

static void make_sets(struct tile_lookup *lookup)
{
    for (unsigned byte = 0; byte < SETS_BYTES; byte++)
        for (unsigned below = 0; below <= TILES_MAX_PATTERN; below++)
            for (unsigned value = 0; value < 256; value++) {
                uint64_t sum = 0;
                unsigned rank = below;
                for (unsigned bit = 0; bit < 8; bit++)
                    if (value >> bit & 1)
                        sum += ++rank <= TILES_MAX_PATTERN ? choose(8 * byte + bit, rank) : 0;
                lookup->sets[byte][below][value] = (uint32_t)sum;
            }
}

/* The rank of a sequence of `count` different digits below `size`, whose place values begin with (size - 1)!; `among`:
 * all digits that are not in it come later too. */
static uint32_t rank_digits(uint32_t packed, unsigned bits, unsigned count, unsigned size, bool among)
{
    uint32_t rank = 0, seen = 0, all = 0, digit[TILES_MAX_PATTERN];
    for (unsigned i = 0; i < count; i++) {
        digit[i] = packed >> bits * i & ((1u << bits) - 1);
        if (digit[i] >= size || all >> digit[i] & 1)
            return 0; /* no sequence */
        all |= 1u << digit[i];
    }
    for (unsigned i = 0; i < count; i++) {
        const uint32_t later = (among ? (1u << size) - 1 : all) & ~seen;
        const uint32_t smaller = later & ((1u << digit[i]) - 1);
        rank += (uint32_t)__builtin_popcount(smaller) * factorial((among ? size : count) - 1 - i);
        seen |= 1u << digit[i];
    }
    return rank;
}

static bool make_sequences(unsigned size, struct sequences *sequences)
{
    const unsigned bits = size <= 8 ? 3 : 4, head = size / 2, tail = size - head;
    *sequences = (struct sequences){.size = size, .bits = bits, .head_bits = bits * head, .orders = factorial(size)};
    sequences->head = malloc(sizeof *sequences->head << bits * head);
    sequences->tail = malloc(sizeof *sequences->tail << bits * tail);
    if (sequences->head == NULL || sequences->tail == NULL)
        return false;
    for (uint32_t packed = 0; packed < 1u << bits * head; packed++)
        sequences->head[packed] = rank_digits(packed, bits, head, size, true);
    for (uint32_t packed = 0; packed < 1u << bits * tail; packed++)
        sequences->tail[packed] = (uint8_t)rank_digits(packed, bits, tail, size, false);
    return true;
}

/* -- pictures -- */

/* Symmetry number `symmetry` of a rectangle as places to places; false where it does not keep the board and the goal's
 * empty place. Bit 0 turns the rows around, bit 1 the columns, bit 2 exchanges rows and columns afterwards. */
static bool find_image(const struct tiles *tiles, unsigned symmetry, uint8_t *image)
{
    const struct board *board = &tiles->slide->puzzle.board;
    if (symmetry & 4 && board->rows != board->columns)
        return false;
    for (unsigned place = 0; place < tiles->places; place++) {
        unsigned row = board->cell[place] / board->columns, column = board->cell[place] % board->columns;
        row = symmetry & 1 ? board->rows - 1 - row : row;
        column = symmetry & 2 ? board->columns - 1 - column : column;
        const uint16_t to = board->place[symmetry & 4 ? column * board->columns + row : row * board->columns + column];
        if (to == BOARD_NO_PLACE)
            return false;
        image[place] = (uint8_t)to;
    }
    return image[tiles->goal_empty] == tiles->goal_empty;
}

/* Which tiles belong together in a picture, as a text to be compared: to each tile the first one of its group. */
static void name_groups(const struct tile_lookup *lookup, unsigned picture, unsigned tiles, uint8_t *group)
{
    for (unsigned t = 0; t < tiles; t++) {
        group[t] = lookup->view[picture][t];
        for (unsigned first = 0; group[t] != NO_VIEW; first++)
            if (lookup->view[picture][first] == lookup->view[picture][t]) {
                group[t] = (uint8_t)first;
                break;
            }
    }
}

/* Does another picture look the same sums up? */
static bool is_repeated(const struct tile_lookup *lookup, unsigned picture, unsigned tiles)
{
    uint8_t group[TILES_MAX_PLACES], other[TILES_MAX_PLACES];
    name_groups(lookup, picture, tiles, group);
    for (unsigned p = 0; p < picture; p++) {
        name_groups(lookup, p, tiles, other);
        if (memcmp(group, other, tiles) == 0)
            return true;
    }
    return false;
}

/* Adds the picture of a partition under a symmetry, unless it would bring nothing new, or there is no room. */
static bool add_picture(struct tile_lookup *lookup, const struct tiles *tiles, const struct tiles_patterns *patterns,
                        unsigned partition, const uint8_t *image, const struct search_options *options)
{
    const unsigned picture = lookup->pictures, first = patterns->first[partition],
                   count = patterns->first[partition + 1] - first;
    uint8_t tile_of_goal[TILES_MAX_PLACES];
    if (picture == PICTURES_MAX || lookup->views + count > VIEWS_MAX)
        return false;
    for (uint8_t tile = 0; tile < tiles->tiles; tile++)
        tile_of_goal[tiles->goal_place[tile]] = tile;
    for (unsigned place = 0; place < tiles->places; place++) {
        lookup->image[picture][place] = image[place];
        lookup->source[picture][image[place]] = (uint8_t)place;
    }
    memset(lookup->view[picture], NO_VIEW, sizeof lookup->view[picture]);
    for (unsigned i = 0; i < count; i++) {
        const struct tiles_pattern *pattern = &patterns->pattern[first + i];
        for (uint8_t digit = 0; digit < pattern->size; digit++) {
            const uint8_t goal = lookup->source[picture][tiles->goal_place[pattern->tile[digit]]];
            lookup->view[picture][tile_of_goal[goal]] = (uint8_t)(lookup->views + i);
            lookup->digit[picture][tile_of_goal[goal]] = digit;
        }
        lookup->table[lookup->views + i] = (struct view_table){
            .bytes = options->pattern_bytes + options->patterns->table[first + i].offset,
            .sequences = lookup->sequences[pattern->size],
        };
    }
    if (is_repeated(lookup, picture, tiles->tiles))
        return false;
    lookup->views += count;
    lookup->view_end[lookup->pictures++] = lookup->views;
    return true;
}

static void add_pictures(struct tile_lookup *lookup, const struct tiles *tiles, const struct tiles_patterns *patterns,
                         const struct search_options *options)
{
    uint8_t image[TILES_MAX_PLACES];
    lookup->reflections = true;
    for (unsigned symmetry = 0; symmetry < VARIANTS_PLACES; symmetry++) {
        bool added = false;
        if (symmetry > 0 && options->no_symmetries)
            break;
        if (!find_image(tiles, symmetry, image))
            continue;
        for (unsigned partition = 0; partition < patterns->partitions; partition++)
            added |= add_picture(lookup, tiles, patterns, partition, image, options);
        if (!added || symmetry == 0)
            continue;
        lookup->images++;
        lookup->reflections &= __builtin_parity(symmetry); /* each of the three turns the board over */
    }
}

pdb_status tile_lookup_create(const struct tiles *tiles, const struct search_options *options, struct tile_lookup **out,
                              pdb_error *error)
{
    struct tiles_patterns patterns;
    struct tile_lookup *lookup = *out = calloc(1, sizeof *lookup);
    if (lookup == NULL)
        return error_no_memory(error, "look-ups", sizeof *lookup);
    tiles_read_patterns(tiles, options->patterns->text, &patterns);
    for (unsigned p = 0; p < patterns.patterns; p++) {
        const unsigned size = patterns.pattern[p].size;
        if (lookup->sequences[size].head == NULL && !make_sequences(size, &lookup->sequences[size]))
            return error_no_memory(error, "look-ups", sizeof(uint32_t) << 4 * TILES_MAX_PATTERN / 2);
    }
    lookup->places = tiles->places;
    lookup->set_bytes = (tiles->places + 7) / 8;
    make_sets(lookup);
    add_pictures(lookup, tiles, &patterns, options);
    return PDB_OK;
}

void tile_lookup_free(struct tile_lookup *lookup)
{
    if (lookup == NULL)
        return;
    for (unsigned size = 0; size <= TILES_MAX_PATTERN; size++) {
        free(lookup->sequences[size].head);
        free(lookup->sequences[size].tail);
    }
    free(lookup);
}

unsigned tile_lookup_images(const struct tile_lookup *lookup, bool *reflections)
{
    *reflections = lookup->reflections;
    return lookup->images;
}

/* -- entries -- */

#define INLINE static inline __attribute__((always_inline))

struct view {
    uint64_t places, sequence;
    uint8_t value; /* of its entry */
};

INLINE uint64_t rank_places(const struct tile_lookup *lookup, uint64_t places)
{
    uint64_t rank = lookup->sets[0][0][places & 255];
    for (unsigned byte = 1; byte < lookup->set_bytes; byte++) {
        const int below = __builtin_popcountll(places & ((1ull << 8 * byte) - 1));
        rank += lookup->sets[byte][below][places >> 8 * byte & 255];
    }
    return rank;
}

INLINE uint64_t entry_of(const struct tile_lookup *lookup, const struct view_table *table, uint64_t places,
                         uint64_t sequence)
{
    const struct sequences *sequences = &table->sequences;
    return rank_places(lookup, places) * sequences->orders +
           sequences->head[sequence & ((1u << sequences->head_bits) - 1)] +
           sequences->tail[sequence >> sequences->head_bits];
}

INLINE unsigned value_of(const struct view_table *table, uint64_t entry)
{
    return table->bytes[entry / 2] >> 4 * (entry % 2) & 15;
}

/* The sequence after the tile on `from` has gone to `to`. */
INLINE uint64_t move_in_sequence(const struct view *view, unsigned bits, unsigned from, unsigned to)
{
    const uint64_t others = view->places ^ 1ull << from;
    const unsigned out = bits * (unsigned)__builtin_popcountll(view->places & ((1ull << from) - 1)),
                   in = bits * (unsigned)__builtin_popcountll(others & ((1ull << to) - 1));
    const uint64_t before = (1ull << out) - 1, until = (1ull << in) - 1;
    const uint64_t digit = view->sequence >> out & ((1u << bits) - 1);
    const uint64_t without = (view->sequence & before) | (view->sequence >> bits & ~before);
    return (without & until) | digit << in | (without & ~until) << bits;
}

/* All views of a board, from its tiles, and the sums of the pictures; returns the excess. */
static int read_board(const struct tile_lookup *lookup, const uint8_t *tile, unsigned empty, struct view *view,
                      int *sum)
{
    int excess = 0;
    unsigned length[VIEWS_MAX] = {0}; /* of the sequences so far, in bits */
    memset(view, 0, lookup->views * sizeof *view);
    for (unsigned picture = 0; picture < lookup->pictures; picture++)
        for (unsigned place = 0; place < lookup->places; place++) {
            const unsigned source = lookup->source[picture][place];
            const unsigned v = source == empty ? NO_VIEW : lookup->view[picture][tile[source]];
            if (v == NO_VIEW)
                continue;
            view[v].places |= 1ull << place;
            view[v].sequence |= (uint64_t)lookup->digit[picture][tile[source]] << length[v];
            length[v] += lookup->table[v].sequences.bits;
        }
    for (unsigned v = 0; v < lookup->views; v++)
        __builtin_prefetch(lookup->table[v].bytes +
                           entry_of(lookup, &lookup->table[v], view[v].places, view[v].sequence) / 2);
    for (unsigned picture = 0, v = 0; picture < lookup->pictures; picture++) {
        sum[picture] = 0;
        for (; v < lookup->view_end[picture]; v++) {
            view[v].value = (uint8_t)value_of(&lookup->table[v],
                                              entry_of(lookup, &lookup->table[v], view[v].places, view[v].sequence));
            sum[picture] += view[v].value;
        }
        excess = sum[picture] > excess ? sum[picture] : excess;
    }
    return excess;
}

unsigned tile_lookup_excess(const struct tile_search *search, const uint8_t *tile, unsigned empty)
{
    struct view view[VIEWS_MAX];
    int sum[PICTURES_MAX];
    return (unsigned)read_board(search->lookup, tile, empty, view, sum);
}

/* -- the search -- */

/* What a move changes in a picture: before it is made, the view as it will be; after, as it was. */
struct change {
    uint64_t sequence, entry;
    uint8_t value;
};

struct child {
    uint8_t place, tile, way;
    int room;
    uint32_t state;
    int sum[PICTURES_MAX];
    struct change change[PICTURES_MAX];
};

/* A board on a lane's path, and those one move after it. */
struct frame {
    uint8_t empty;
    bool tested;               /* the children have been held against the bound */
    uint8_t children, next;    /* those that are left, and the next of them to go to */
    uint8_t order[TILES_WAYS]; /* which they are */
    int room;
    uint32_t state;
    int sum[PICTURES_MAX];
    struct child child[TILES_WAYS];
};

struct lane {
    struct tile_worker *worker;
    const struct tile_search *search;
    size_t root;
    struct frame *base, *top, *end; /* a path that reaches `end` is a solution */
    uint8_t tile[TILES_MAX_PLACES];
    struct view view[VIEWS_MAX];
};

/* Works out the children of the board on top and asks for their entries. */
INLINE void expand(struct lane *lane, unsigned pictures)
{
    const struct tile_search *search = lane->search;
    const struct tile_lookup *lookup = search->lookup;
    struct frame *frame = lane->top;
    const unsigned empty = frame->empty;
    struct child *child = frame->child;
    for (unsigned ways = search->ways[frame->state] & search->open[empty]; ways != 0; ways &= ways - 1, child++) {
        const unsigned way = (unsigned)__builtin_ctz(ways), place = search->next[empty][way], tile = lane->tile[place];
        child->way = (uint8_t)way;
        child->place = (uint8_t)place;
        child->tile = (uint8_t)tile;
        child->room = frame->room - (search->away[tile][place] >> way & 1);
        for (unsigned p = 0; p < pictures; p++) {
            const unsigned v = lookup->view[p][tile];
            if (v == NO_VIEW)
                continue;
            const struct view_table *table = &lookup->table[v];
            const struct view *view = &lane->view[v];
            const unsigned from = lookup->image[p][place], to = lookup->image[p][empty];
            const uint64_t sequence = move_in_sequence(view, table->sequences.bits, from, to);
            const uint64_t entry = entry_of(lookup, table, view->places ^ 1ull << from ^ 1ull << to, sequence);
            __builtin_prefetch(&table->bytes[entry / 2]);
            child->change[p].sequence = sequence;
            child->change[p].entry = entry;
        }
    }
    frame->children = (uint8_t)(child - frame->child);
    frame->next = 0;
    frame->tested = false;
    lane->worker->nodes += frame->children;
}

/* Holds the children against the bound and keeps those within it. */
INLINE void test(struct lane *lane, unsigned pictures)
{
    const struct tile_lookup *lookup = lane->search->lookup;
    struct frame *frame = lane->top;
    uint8_t kept = 0;
    for (unsigned c = 0; c < frame->children; c++) {
        struct child *child = &frame->child[c];
        int excess = 0;
        for (unsigned p = 0; p < pictures; p++) {
            const unsigned v = lookup->view[p][child->tile];
            child->sum[p] = frame->sum[p];
            if (v != NO_VIEW) {
                child->change[p].value = (uint8_t)value_of(&lookup->table[v], child->change[p].entry);
                child->sum[p] += child->change[p].value - lane->view[v].value;
            }
            excess = child->sum[p] > excess ? child->sum[p] : excess;
        }
        if (excess <= child->room) {
            frame->order[kept++] = (uint8_t)c;
        } else if ((uint32_t)(excess - child->room) < lane->worker->overrun) {
            lane->worker->overrun = (uint32_t)(excess - child->room);
        }
    }
    frame->children = kept;
    frame->tested = true;
}

/* Makes a move, or takes it back: swaps what it changes. */
INLINE void swap(struct lane *lane, struct child *child, unsigned empty, unsigned pictures)
{
    const struct tile_lookup *lookup = lane->search->lookup;
    for (unsigned p = 0; p < pictures; p++) {
        const unsigned v = lookup->view[p][child->tile];
        if (v == NO_VIEW)
            continue;
        struct view *view = &lane->view[v];
        struct change *change = &child->change[p];
        const struct view old = *view;
        view->places ^= 1ull << lookup->image[p][child->place] ^ 1ull << lookup->image[p][empty];
        view->sequence = change->sequence;
        view->value = change->value;
        change->sequence = old.sequence;
        change->value = old.value;
    }
}

enum outcome { GOES_ON, EXHAUSTED, SOLVED };

/* Goes to the next board on a lane, in the order of a depth-first search, and asks for the entries of those after it. */
INLINE enum outcome step(struct lane *lane, unsigned pictures)
{
    struct frame *frame = lane->top;
    if (!frame->tested)
        test(lane, pictures);
    while (frame->next == frame->children) {
        if (frame == lane->base)
            return EXHAUSTED;
        frame = --lane->top;
        struct child *child = &frame->child[frame->order[frame->next - 1]];
        swap(lane, child, frame->empty, pictures);
        lane->tile[child->place] = child->tile;
    }
    struct child *child = &frame->child[frame->order[frame->next++]];
    struct frame *below = ++lane->top;
    if (below == lane->end)
        return SOLVED;
    swap(lane, child, frame->empty, pictures);
    lane->tile[frame->empty] = child->tile;
    below->empty = child->place;
    below->room = child->room;
    below->state = machine_next(lane->search->machine, frame->state, child->way);
    for (unsigned p = 0; p < pictures; p++)
        below->sum[p] = child->sum[p];
    expand(lane, pictures);
    return GOES_ON;
}

/* Puts the next root on a lane; false where there is none. */
static bool load(struct lane *lane)
{
    struct tile_worker *worker = lane->worker;
    const struct tile_job *job = worker->job;
    if (!tile_job_take(worker, &lane->root))
        return false;
    const struct tile_root *root = &job->root[lane->root];
    struct frame *frame = lane->top = lane->base;
    memcpy(lane->tile, root->tile, sizeof lane->tile);
    const int excess = read_board(lane->search->lookup, lane->tile, root->empty, lane->view, frame->sum);
    frame->empty = root->empty;
    frame->state = root->state;
    frame->room = excess + (int)(job->limit - job->depth - root->bound) / 2;
    return true;
}

/* Hands a solution in: `way` has room for it. */
static void hand_in(const struct lane *lane, uint8_t *way)
{
    for (const struct frame *frame = lane->base; frame < lane->end; frame++)
        way[frame - lane->base] = frame->child[frame->order[frame->next - 1]].way;
    tile_job_found(lane->worker->job, lane->root, way);
}

/* Sets the lanes up in the worker's memory: the ways of a solution, the lanes, the frames. Returns how many lanes have a
 * root. */
static unsigned start_lanes(struct tile_worker *worker, struct lane **out)
{
    const struct tile_job *job = worker->job;
    const size_t left = job->limit - job->depth, ways = (left + 63) / 64 * 64;
    unsigned lanes = 0;
    if (!tile_worker_memory(worker, ways + LANES * (sizeof(struct lane) + left * sizeof(struct frame))))
        return 0;
    struct lane *lane = *out = (struct lane *)((char *)worker->memory + ways);
    struct frame *frame = (struct frame *)(lane + LANES);
    for (; lanes < LANES; lanes++, frame += left) {
        lane[lanes].worker = worker;
        lane[lanes].search = job->search;
        lane[lanes].base = frame;
        lane[lanes].end = frame + left;
        if (!load(&lane[lanes]))
            break;
    }
    return lanes;
}

INLINE void run_lanes(struct tile_worker *worker, unsigned pictures)
{
    struct lane *lane;
    struct lane *active[LANES];
    unsigned lanes = start_lanes(worker, &lane);
    for (unsigned l = 0; l < lanes; l++) {
        active[l] = &lane[l];
        expand(active[l], pictures);
    }
    while (lanes > 0) {
        const bool look = worker->nodes >= TILES_REPORT_NODES;
        for (unsigned l = 0; l < lanes;) {
            const enum outcome outcome = step(active[l], pictures);
            if (outcome == SOLVED)
                hand_in(active[l], worker->memory);
            if (outcome == GOES_ON && !(look && tile_job_ended(worker, active[l]->root)))
                l++;
            else if (load(active[l]))
                expand(active[l], pictures);
            else
                active[l] = active[--lanes];
        }
    }
}

INLINE void run_pictures(struct tile_worker *worker)
{
    const unsigned pictures = worker->job->search->lookup->pictures;
    if (pictures == 1)
        run_lanes(worker, 1);
    else if (pictures == 2)
        run_lanes(worker, 2);
    else
        run_lanes(worker, pictures);
}

static void run_anywhere(struct tile_worker *worker)
{
    run_pictures(worker);
}

#ifdef __x86_64__
__attribute__((target("popcnt,bmi,bmi2"))) static void run_with_bmi2(struct tile_worker *worker)
{
    run_pictures(worker);
}
#endif

void tile_lookup_run(struct tile_worker *worker)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("popcnt") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")) {
        run_with_bmi2(worker);
        return;
    }
#endif
    run_anywhere(worker);
}
