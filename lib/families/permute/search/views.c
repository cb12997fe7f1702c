/* views.c -- which tables a search looks at, and by way of which symmetries
 *
 * A symmetry s (symmetry.h) takes a position x to one that is as far from the goal. So a pattern's table has two
 * things to say of x: its entry for x, and its entry for s(x). The second one is what a table of another pattern would
 * say, the pattern's image under the inverse of s: the cube's table that knows where the four edges of one slice are
 * knows the other two slices as well. Symmetries that give the same image say the same, and one of them is enough.
 *
 * The image of a move is a move: a node of the search is an image's state in every view, and moves on by the renamed
 * moves, so the image of a position is made once, where a search begins.
 *
 * Tables take turns in getting views: the first is the table itself.
 */
#include "search.h"

#include <stdlib.h>
#include <string.h>

enum {
    SMALL_WORK = 1 << 25,   /* states times moves in the tables made without a database: a tenth of a second */
    SMALL_STATES = 1 << 22, /* and states */
    VIEWS_EACH = 4          /* of a table: more cost more than they tell */
};

/* -- what a symmetry shows -- */

/* A pattern's image under the inverse of a symmetry, classes numbered in the order in which they appear. */
struct image {
    uint8_t class[BOARD_MAX_SYMBOLS];
    bool turns[BOARD_MAX_CELLS]; /* by place: the twists count */
};

static void make_image(const struct permute *permute, const struct permute *relaxed,
                       const struct permute_symmetry *symmetry, struct image *image)
{
    uint8_t number[BOARD_MAX_SYMBOLS + 1] = {0}, class[BOARD_MAX_SYMBOLS];
    unsigned next = 0;
    memset(image, 0, sizeof *image);
    for (unsigned symbol = 0; symbol < permute->puzzle.board.symbols; symbol++)
        class[permute->tile_of[symbol]] = relaxed->tile_of[symbol];
    for (unsigned tile = 0; tile < permute->tiles; tile++) {
        uint8_t *numbered = &number[class[symmetry->tile[tile]]];
        *numbered = *numbered > 0 ? *numbered : (uint8_t)++next;
        image->class[tile] = *numbered;
    }
    for (unsigned place = 0; place < permute->puzzle.board.places; place++)
        image->turns[place] = relaxed->modulus[symmetry->place[place]] > 1;
}

/* Gives a table one more view, if there is a symmetry from number *next on that shows something new. */
static void add_view(struct permute_views *views, unsigned table, unsigned *next, struct image *shown, unsigned *count)
{
    const struct permute *relaxed = views->relaxed[table];
    const struct permute_symmetries *symmetries = views->permute->symmetries;
    for (bool added = false; !added && *next < symmetries->count; ++*next) {
        const struct permute_symmetry *symmetry = &symmetries->symmetry[*next];
        make_image(views->permute, relaxed, symmetry, &shown[*count]);
        added = true;
        for (unsigned i = 0; i < *count; i++)
            added = added && memcmp(&shown[i], &shown[*count], sizeof *shown) != 0;
        if (!added)
            continue;
        views->view[views->views++] = (struct permute_view){relaxed, views->value[table], symmetry, symmetry->move,
                                                            views->coordinates};
        views->coordinates += relaxed->moving;
        ++*count;
    }
}

static pdb_status add_views(struct permute_views *views, bool identity, pdb_error *error)
{
    unsigned next[PATTERN_TABLES_MAX] = {0}, count[PATTERN_TABLES_MAX] = {0};
    const unsigned each = identity ? 1 : VIEWS_EACH;
    struct image *shown = malloc(PATTERN_TABLES_MAX * (VIEWS_EACH + 1) * sizeof *shown);
    if (shown == NULL)
        return error_no_memory(error, "the symmetries", PATTERN_TABLES_MAX * (VIEWS_EACH + 1) * sizeof *shown);
    for (unsigned round = 0; round < each; round++)
        for (unsigned t = 0; t < views->tables && views->views < PERMUTE_VIEWS_MAX; t++)
            add_view(views, t, &next[t], shown + (size_t)t * (VIEWS_EACH + 1), &count[t]);
    free(shown);
    return PDB_OK;
}

/* -- tables -- */

/* Small tables are made here. One whose distances are too large to be kept is left out. */
static pdb_status make_small_tables(struct permute_views *views, pdb_error *error)
{
    const struct permute *permute = views->permute;
    const unsigned work = SMALL_WORK / permute->moves, most = work < SMALL_STATES ? work : SMALL_STATES;
    struct permute_patterns patterns;
    pdb_status status = permute_choose_patterns(permute, most, most, &patterns, error);
    for (unsigned p = 0; status == PDB_OK && p < patterns.count; p++) {
        struct permute *relaxed;
        status = permute_relax(permute, &patterns.pattern[p], &relaxed, error);
        if (status != PDB_OK)
            return status;
        const uint64_t bytes = permute_table_bytes(permute, relaxed->puzzle.states);
        uint8_t *table = malloc(bytes);
        status = table != NULL ? permute_distances(relaxed, &(struct pattern_work){.threads = 1}, 0, table, error)
                               : error_no_memory(error, "small pattern databases", bytes);
        if (status == PDB_OK) {
            views->relaxed[views->tables] = relaxed;
            views->value[views->tables] = views->own[views->tables] = table;
            views->tables++;
            continue;
        }
        permute_relaxed_free(relaxed);
        free(table);
        status = status == PDB_TOO_LARGE ? PDB_OK : status;
    }
    return status;
}

static pdb_status use_tables(struct permute_views *views, const struct patterns *patterns, const uint8_t *bytes,
                             pdb_error *error)
{
    struct permute_patterns read = {0};
    size_t offset;
    pdb_status status = permute_parse_patterns(views->permute, patterns->text, &read, &offset, error);
    for (unsigned p = 0; status == PDB_OK && p < read.count; p++) {
        status = permute_relax(views->permute, &read.pattern[p], &views->relaxed[p], error);
        views->value[p] = bytes + patterns->table[p].offset;
        views->tables += status == PDB_OK;
    }
    return status;
}

pdb_status permute_views_make(const struct permute *permute, const struct patterns *patterns, const uint8_t *bytes,
                              bool identity, struct permute_views *views, pdb_error *error)
{
    *views = (struct permute_views){.permute = permute};
    const pdb_status status = patterns != NULL ? use_tables(views, patterns, bytes, error)
                                               : make_small_tables(views, error);
    return status == PDB_OK ? add_views(views, identity, error) : status;
}

void permute_views_free(struct permute_views *views)
{
    for (unsigned t = 0; t < views->tables; t++) {
        permute_relaxed_free(views->relaxed[t]);
        free(views->own[t]);
    }
}

/* -- where a search begins -- */

pdb_status permute_views_begin(const struct permute_views *views, const uint8_t *position,
                               struct permute_coordinates *at, uint16_t *far, pdb_error *error)
{
    const struct permute *permute = views->permute;
    uint64_t *next = malloc(permute->moves * sizeof *next);
    uint8_t seen[BOARD_MAX_CELLS], relaxed[BOARD_MAX_CELLS];
    pdb_status status = PDB_OK;
    if (next == NULL)
        return error_no_memory(error, "the search", permute->moves * sizeof *next);
    for (unsigned v = 0; status == PDB_OK && v < views->views; v++) {
        const struct permute_view *view = &views->view[v];
        uint32_t distance = BOUND_NEVER;
        uint64_t index;
        permute_symmetry_image(permute, view->symmetry, position, seen);
        permute_relaxed_position(view->relaxed, seen, relaxed);
        if (view->relaxed->puzzle.family->position.rank(&view->relaxed->puzzle, relaxed, &index)) {
            permute_decode(view->relaxed, index, at + view->first);
            distance = permute_distance(view->relaxed, view->value, index, next);
        }
        if (distance > BOUND_NEVER)
            status = error_set(error, PDB_DAMAGED, "%s: its pattern database contradicts itself: generate it again",
                               permute->puzzle.name);
        far[v] = (uint16_t)distance;
    }
    free(next);
    return status;
}
