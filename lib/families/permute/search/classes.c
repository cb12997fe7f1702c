/* classes.c -- the classes of a table's first part, and the images of the others' states */
#include "table.h"

#include "lib/array.h"
#include "lib/pages.h"

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

/* What making the small tables needs. */
struct classing {
    struct permute_table *table;
    unsigned moves;
    uint8_t *renamed; /* [s * moves + move]: what symmetry s renames a move to */
    uint64_t *next;   /* [move] */
    uint32_t *image;  /* [class * symmetries + s]: of its first, by symmetry s */
    uint32_t *after;  /* [class * moves + move]: of its first, the state after a move */
    size_t image_room, after_room, first_room, fixed_from_room, fixed_room;
};

/* Room for one more class. */
static bool grow_classes(struct classing *classing)
{
    struct permute_table *table = classing->table;
    const size_t classes = table->classes + 1;
    return array_reserve(&table->first, &classing->first_room, classes, sizeof *table->first) &&
           array_reserve(&table->fixed_from, &classing->fixed_from_room, classes + 1, sizeof *table->fixed_from) &&
           array_reserve(&classing->image, &classing->image_room, classes * table->symmetries,
                         sizeof *classing->image) &&
           array_reserve(&classing->after, &classing->after_room, classes * classing->moves, sizeof *classing->after);
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

/* A class of the state and its images, which stand at image[classes * symmetries]. */
static bool add_class(struct classing *classing)
{
    struct permute_table *table = classing->table;
    const uint32_t *image = classing->image + table->classes * table->symmetries;
    table->first[table->classes] = image[0];
    if (table->classes == 0)
        table->fixed_from[0] = 0;
    table->fixed_from[table->classes + 1] = table->fixed_from[table->classes];
    for (unsigned s = 0; s < table->symmetries; s++) {
        uint32_t *class_of = &table->class_of[image[s]];
        if (s > 0 && image[s] == image[0] && !add_fixed(classing, s))
            return false;
        if (*class_of == PERMUTE_NO_STATE)
            *class_of = (uint32_t)(table->classes << table->bits | s);
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
    const uint32_t *from = classing->image + class * table->symmetries;
    uint32_t *to = classing->image + table->classes * table->symmetries;
    for (unsigned s = 0; s < table->symmetries; s++) {
        to[s] = (uint32_t)moved(table->part[0], from[s], classing->renamed[s * classing->moves + move]);
        __builtin_prefetch(&table->class_of[to[s]], 1);
    }
    return add_class(classing);
}

/* Room for about as many classes as there will be: most have as many states as there are symmetries. */
static bool begin_classes(struct classing *classing)
{
    const struct permute_table *table = classing->table;
    const size_t classes = table->part[0]->puzzle.states / table->symmetries * 9 / 8 + 1,
                 images = classes * table->symmetries, moved = classes * classing->moves;
    classing->image = pages_take(images * sizeof *classing->image);
    classing->after = pages_take(moved * sizeof *classing->after);
    if (classing->image == NULL || classing->after == NULL)
        return false;
    classing->image_room = images;
    classing->after_room = moved;
    return true;
}

/* Lists the classes of the first part, breadth first. */
static pdb_status list_classes(struct classing *classing, pdb_error *error)
{
    struct permute_table *table = classing->table;
    uint64_t goal;
    uint16_t moves;
    pdb_status status = goal_of(table->part[0], &goal, error);
    if (status != PDB_OK)
        return status;
    bool room = begin_classes(classing) && grow_classes(classing);
    for (unsigned s = 0; room && s < table->symmetries; s++)
        classing->image[s] = (uint32_t)goal;
    room = room && add_class(classing);
    for (uint64_t class = 0; room && class < table->classes; class ++) {
        const uint64_t first = table->first[class];
        permute_successors(&table->part[0]->puzzle, &first, 1, classing->next, &moves);
        for (unsigned m = 0; m < classing->moves; m++) {
            classing->after[class * classing->moves + m] = (uint32_t)classing->next[m];
            __builtin_prefetch(&table->class_of[classing->next[m]]);
        }
        for (unsigned m = 0; room && m < classing->moves; m++)
            if (table->class_of[classing->next[m]] == PERMUTE_NO_STATE)
                room = meet_state(classing, class, m);
    }
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
                image[s * states + to] = (uint32_t)moved(part, image[s * states + from],
                                                         table->renamed[s * classing->moves + m]);
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

/* Where moves take the first of every class. */
static pdb_status move_firsts(const struct classing *classing, pdb_error *error)
{
    struct permute_table *table = classing->table;
    const unsigned moves = classing->moves;
    table->moved = pages_take(table->classes * moves * sizeof *table->moved);
    if (table->moved == NULL)
        return error_no_memory(error, "moves of classes", table->classes * moves * sizeof *table->moved);
    for (uint64_t i = 0; i < table->classes * moves; i++)
        table->moved[i] = table->class_of[classing->after[i]];
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
    table->class_of = pages_take(states * sizeof *table->class_of);
    pdb_status status = table->class_of != NULL
                            ? rename_moves(&classing, symmetry, error)
                            : error_no_memory(error, "classes of states", states * sizeof *table->class_of);
    if (status == PDB_OK) {
        memset(table->class_of, UINT8_MAX, states * sizeof *table->class_of);
        status = list_classes(&classing, error);
    }
    if (status == PDB_OK)
        status = multiply(&classing, error);
    if (status == PDB_OK)
        status = move_firsts(&classing, error);
    for (unsigned p = 1; status == PDB_OK && p < table->parts; p++)
        status = make_images(&classing, p, error);
    table->entries = table->classes * table->row;
    free(classing.renamed);
    free(classing.next);
    free(classing.image);
    free(classing.after);
    return status;
}
