/* classes.c -- the classes of a table's first part, and the images of the others' states */
#include "table.h"

#include "lib/memory/array.h"
#include "lib/memory/pages.h"

#include <stdlib.h>
#include <string.h>

static uint64_t moved(const struct permute *part, uint64_t state, unsigned move)
{
    struct permute_coordinates at[BOARD_BYTE_CELLS], after[BOARD_BYTE_CELLS];
    permute_decode(part, state, at);
    permute_step(part, at, move, after);
    return permute_part_state(part, after);
}

static pdb_status goal_of(const struct permute *part, uint64_t *state, pdb_error *error)
{
    if (!part->puzzle.family->position.rank(&part->puzzle, part->puzzle.goal, state))
        return error_set(error, PDB_BROKEN_RULES, "a pattern's goal is no state of it");
    return PDB_OK;
}

/* A coordinate of the first part that moves change whatever the others are: some bits of a state as it is kept here. */
struct axis {
    unsigned shift;
    uint32_t mask;
    uint64_t states, weight; /* what one of them counts in the state's index */
    uint64_t *move_to;       /* [x * moves + move]: these bits; from bit 32 on, what they add to the index */
};

enum { AXES_MAX = 4 };

/* What making the small tables needs. A million states are moved there: they are kept by axes, so that they need not be
 * taken apart and put together, or, where the first part is not made of axes, as their indices. */
struct classing {
    struct permute_table *table;
    unsigned moves;
    uint8_t *renamed; /* [s * moves + move]: what symmetry s renames a move to */
    uint64_t *next;   /* [move] */
    unsigned axes;    /* 0: none */
    struct axis axis[AXES_MAX];
    uint32_t *image; /* [class * symmetries + s]: of its first, by symmetry s */
    uint32_t *index; /* [s]: of the images of the class that is made */
    size_t image_room, moved_room, first_room, fixed_from_room, fixed_room;
};

/* -- states of the first part -- */

/* The state that a move leads to, and from bit 32 on its index. */
static inline uint64_t after_move(const struct classing *classing, uint32_t state, unsigned move)
{
    uint64_t after = 0;
    if (classing->axes == 0) {
        after = moved(classing->table->part[0], state, move);
        return after << 32 | after;
    }
    for (unsigned a = 0; a < classing->axes; a++) {
        const struct axis *axis = &classing->axis[a];
        after += axis->move_to[(state >> axis->shift & axis->mask) * classing->moves + move];
    }
    return after;
}

/* One more axis: an orbit's order, or its twists. */
static bool add_axis(struct classing *classing, const struct permute_orbit *orbit, bool twists)
{
    const size_t moves = classing->moves, stride = classing->table->part[0]->all_moves;
    struct axis *axis = &classing->axis[classing->axes++];
    const struct axis *last = classing->axes > 1 ? axis - 1 : NULL;
    axis->states = twists ? orbit->twists : orbit->near.orders;
    axis->weight = twists ? orbit->weight : orbit->weight * orbit->twists;
    axis->shift = last == NULL ? 0 : last->shift + (unsigned)__builtin_popcount(last->mask);
    while (axis->mask < axis->states - 1)
        axis->mask = 2 * axis->mask + 1;
    axis->move_to = malloc(axis->states * moves * sizeof *axis->move_to);
    for (uint64_t x = 0; axis->move_to != NULL && x < axis->states; x++)
        for (size_t m = 0; m < moves; m++) {
            const uint64_t to = twists ? orbit->twist_to[x * stride + m] : orbit->near_to[x * stride + m].rank;
            axis->move_to[x * moves + m] = to * axis->weight << 32 | to << axis->shift;
        }
    return axis->move_to != NULL;
}

static void free_axes(struct classing *classing)
{
    for (unsigned a = 0; a < classing->axes; a++)
        free(classing->axis[a].move_to);
    classing->axes = 0;
}

/* The axes of the first part, if it is made of them: all orders and twists have tables of their own. Together they take
 * a bit more each than its states do, which are fewer than 2^22 (parts.c). False: no memory. */
static bool find_axes(struct classing *classing)
{
    const struct permute *part = classing->table->part[0];
    for (unsigned o = 0; o < part->moving; o++) {
        const struct permute_orbit *orbit = &part->orbit[o];
        const bool orders = orbit->size != orbit->twists, twists = orbit->twists > 1;
        if (classing->axes + orders + twists > AXES_MAX || (twists && orbit->twist_to == NULL) ||
            (orders && (orbit->near_to == NULL || orbit->far_orders > 1))) {
            free_axes(classing);
            return true;
        }
        if ((orders && !add_axis(classing, orbit, false)) || (twists && !add_axis(classing, orbit, true)))
            return false;
    }
    return true;
}

/* A state by its index. */
static uint32_t state_of(const struct classing *classing, uint64_t index)
{
    uint32_t state = classing->axes == 0 ? (uint32_t)index : 0;
    for (unsigned a = 0; a < classing->axes; a++) {
        const struct axis *axis = &classing->axis[a];
        state |= (uint32_t)(index / axis->weight % axis->states) << axis->shift;
    }
    return state;
}

/* -- classes -- */

/* Room for one more class. */
static bool grow_classes(struct classing *classing)
{
    struct permute_table *table = classing->table;
    const size_t classes = table->classes + 1;
    return array_reserve(&table->first, &classing->first_room, classes, sizeof *table->first) &&
           array_reserve(&table->fixed_from, &classing->fixed_from_room, classes + 1, sizeof *table->fixed_from) &&
           array_reserve(&classing->image, &classing->image_room, classes * table->symmetries,
                         sizeof *classing->image) &&
           array_reserve(&table->moved, &classing->moved_room, classes * classing->moves, sizeof *table->moved);
}

static bool add_fixed(struct classing *classing, unsigned symmetry)
{
    struct permute_table *table = classing->table;
    const uint32_t count = table->fixed_from[table->classes + 1]++;
    if (!array_reserve(&table->fixed, &classing->fixed_room, count + 1, sizeof *table->fixed))
        return false;
    table->fixed[count] = (uint16_t)symmetry;
    return true;
}

/* A class of the state and its images, which stand at image[classes * symmetries], and their indices. */
static bool add_class(struct classing *classing)
{
    struct permute_table *table = classing->table;
    const unsigned symmetries = table->symmetries;
    const uint32_t *image = classing->image + table->classes * symmetries, *index = classing->index,
                   class = (uint32_t)(table->classes << table->bits);
    uint32_t *class_of = table->class_of;
    table->first[table->classes] = index[0];
    if (table->classes == 0)
        table->fixed_from[0] = 0;
    table->fixed_from[table->classes + 1] = table->fixed_from[table->classes];
    for (unsigned s = 0; s < symmetries; s++) {
        if (s > 0 && image[s] == image[0] && !add_fixed(classing, s))
            return false;
        if (class_of[index[s]] == PERMUTE_NO_STATE)
            class_of[index[s]] = class | s;
    }
    table->classes++;
    return true;
}

/* A new state that a move leads to from the first of a class; it is the first of its own. */
static bool meet_state(struct classing *classing, uint64_t class, unsigned move)
{
    struct permute_table *table = classing->table;
    if (!grow_classes(classing))
        return false;
    const unsigned symmetries = table->symmetries;
    const uint32_t *from = classing->image + class * symmetries;
    uint32_t *to = classing->image + table->classes * symmetries;
    for (unsigned s = 0; s < symmetries; s++) {
        const uint64_t after = after_move(classing, from[s], classing->renamed[s * classing->moves + move]);
        to[s] = (uint32_t)after;
        classing->index[s] = (uint32_t)(after >> 32);
        __builtin_prefetch(&table->class_of[after >> 32], 1);
    }
    return add_class(classing);
}

/* Room for about as many classes as there will be: most have as many states as there are symmetries. */
static bool begin_classes(struct classing *classing)
{
    struct permute_table *table = classing->table;
    const size_t classes = table->part[0]->puzzle.states / table->symmetries * 9 / 8 + 1,
                 images = classes * table->symmetries, moves = classes * classing->moves;
    classing->image = pages_take_full(images * sizeof *classing->image);
    classing->index = malloc(table->symmetries * sizeof *classing->index);
    table->moved = pages_take_full(moves * sizeof *table->moved);
    if (classing->image == NULL || classing->index == NULL || table->moved == NULL)
        return false;
    classing->image_room = images;
    classing->moved_room = moves;
    return array_reserve(&table->first, &classing->first_room, classes, sizeof *table->first) &&
           array_reserve(&table->fixed_from, &classing->fixed_from_room, classes, sizeof *table->fixed_from);
}

/* For each move, the class and symmetry of the state that the first of `class` goes to. One that was not met before is
 * the first of a new class. */
static bool move_first(struct classing *classing, uint64_t class)
{
    struct permute_table *table = classing->table;
    uint32_t index[PERMUTE_MAX_MOVES];
    const uint32_t first = classing->image[class * table->symmetries];
    for (unsigned m = 0; m < classing->moves; m++) {
        index[m] = (uint32_t)(after_move(classing, first, m) >> 32);
        __builtin_prefetch(&table->class_of[index[m]]);
    }
    for (unsigned m = 0; m < classing->moves; m++) {
        if (table->class_of[index[m]] == PERMUTE_NO_STATE && !meet_state(classing, class, m))
            return false;
        table->moved[class * classing->moves + m] = table->class_of[index[m]];
    }
    return true;
}

/* Lists the classes of the first part, breadth first. */
static pdb_status list_classes(struct classing *classing, pdb_error *error)
{
    struct permute_table *table = classing->table;
    uint64_t goal;
    const pdb_status status = goal_of(table->part[0], &goal, error);
    if (status != PDB_OK)
        return status;
    bool room = find_axes(classing) && begin_classes(classing) && grow_classes(classing);
    for (unsigned s = 0; room && s < table->symmetries; s++) {
        classing->image[s] = state_of(classing, goal);
        classing->index[s] = (uint32_t)goal;
    }
    room = room && add_class(classing);
    for (uint64_t class = 0; room && class < table->classes; class ++)
        room = move_first(classing, class);
    return room ? PDB_OK : error_no_memory(error, "classes of states", classing->image_room * sizeof *classing->image);
}

/* The images of another part's states, by the symmetries that take those of class_of back: class_of has the one that
 * leads from the first of a class, and these lead to it. A state that is never reached is its own. */
static void list_images(const struct classing *classing, unsigned p, uint32_t *queue, bool *seen, uint64_t goal)
{
    const struct permute_table *table = classing->table;
    const struct permute *part = table->part[p];
    const uint64_t states = table->states[p];
    uint32_t *image = table->image[p];
    uint64_t count = 1;
    uint16_t moves;
    for (uint64_t i = 0; i < states * table->symmetries; i++)
        image[i] = (uint32_t)(i % states);
    for (uint64_t b = 0; b < states; b++) {
        permute_successors(&part->puzzle, &b, 1, classing->next, &moves);
        for (unsigned m = 0; m < classing->moves; m++)
            table->move_to[p][b * classing->moves + m] = (uint32_t)classing->next[m];
    }
    queue[0] = (uint32_t)goal;
    seen[goal] = true;
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t from = queue[i];
        for (unsigned m = 0; m < classing->moves; m++) {
            const uint64_t to = table->move_to[p][from * classing->moves + m];
            if (seen[to])
                continue;
            seen[to] = true;
            queue[count++] = (uint32_t)to;
            for (unsigned s = 0; s < table->symmetries; s++)
                image[s * states + to] = table->move_to[p][image[s * states + from] * classing->moves +
                                                           table->renamed[s * classing->moves + m]];
        }
    }
}

static pdb_status make_images(const struct classing *classing, unsigned p, pdb_error *error)
{
    struct permute_table *table = classing->table;
    const uint64_t states = table->part[p]->puzzle.states;
    uint64_t goal = 0;
    uint32_t *queue = malloc(states * sizeof *queue);
    bool *seen = calloc(states, sizeof *seen);
    table->states[p] = states;
    table->row *= states;
    table->image[p] = pages_take(table->symmetries * states * sizeof *table->image[p]);
    table->move_to[p] = pages_take(classing->moves * states * sizeof *table->move_to[p]);
    pdb_status status = queue != NULL && seen != NULL && table->image[p] != NULL && table->move_to[p] != NULL
                            ? goal_of(table->part[p], &goal, error)
                            : error_no_memory(error, "images", states * sizeof *queue);
    table->goal[p].near = goal; /* that of the first part is the first class */
    if (status == PDB_OK)
        list_images(classing, p, queue, seen, goal);
    free(queue);
    free(seen);
    return status;
}

/* How the symmetries that keep the pattern rename moves, there and back. */
static pdb_status rename_moves(struct classing *classing, const struct permute_symmetry **symmetry, pdb_error *error)
{
    struct permute_table *table = classing->table;
    const size_t size = (size_t)table->symmetries * classing->moves;
    classing->renamed = malloc(size);
    table->renamed = malloc(size);
    classing->next = malloc(classing->moves * sizeof *classing->next);
    if (classing->renamed == NULL || table->renamed == NULL || classing->next == NULL)
        return error_no_memory(error, "classes of states", size);
    for (unsigned s = 0; s < table->symmetries; s++)
        for (unsigned m = 0; m < classing->moves; m++) {
            classing->renamed[s * classing->moves + m] = symmetry[s]->move[m];
            table->renamed[s * classing->moves + symmetry[s]->move[m]] = (uint8_t)m;
        }
    return PDB_OK;
}

/* Symmetries made one after the other: told by how they rename moves. */
static pdb_status multiply(const struct classing *classing, pdb_error *error)
{
    struct permute_table *table = classing->table;
    const unsigned count = table->symmetries, moves = classing->moves;
    uint8_t both[PERMUTE_MAX_MOVES];
    table->product = malloc((size_t)count * count * sizeof *table->product);
    if (table->product == NULL)
        return error_no_memory(error, "products of symmetries", (size_t)count * count * sizeof *table->product);
    for (unsigned s = 0; s < count; s++)
        for (unsigned t = 0; t < count; t++) {
            unsigned u = 0;
            for (unsigned m = 0; m < moves; m++)
                both[m] = classing->renamed[s * moves + classing->renamed[t * moves + m]];
            while (u < count && memcmp(classing->renamed + u * moves, both, moves) != 0)
                u++;
            if (u == count)
                return error_set(error, PDB_BROKEN_RULES, "the symmetries of a pattern are no group");
            table->product[s * count + t] = (uint16_t)u;
        }
    return PDB_OK;
}

pdb_status permute_table_classes(struct permute_table *table, const struct permute_symmetry **symmetry,
                                 pdb_error *error)
{
    struct classing classing = {.table = table, .moves = table->part[0]->moves};
    const uint64_t states = table->part[0]->puzzle.states;
    table->row = 1;
    while (1u << table->bits < table->symmetries)
        table->bits++;
    table->class_of = pages_take_full(states * sizeof *table->class_of);
    pdb_status status = table->class_of != NULL
                            ? rename_moves(&classing, symmetry, error)
                            : error_no_memory(error, "classes of states", states * sizeof *table->class_of);
    if (status == PDB_OK) {
        memset(table->class_of, UINT8_MAX, states * sizeof *table->class_of);
        status = list_classes(&classing, error);
    }
    if (status == PDB_OK)
        status = multiply(&classing, error);
    for (unsigned p = 1; status == PDB_OK && p < table->parts; p++)
        status = make_images(&classing, p, error);
    table->entries = table->classes * table->row;
    free(classing.renamed);
    free(classing.next);
    free(classing.image);
    free(classing.index);
    free_axes(&classing);
    return status;
}
