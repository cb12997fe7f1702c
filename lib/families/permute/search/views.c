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
#include "views.h"

#include <stdlib.h>
#include <string.h>

enum {
    SMALL_WORK = 1 << 25,  /* states times moves in the tables made without a database: a tenth of a second */
    SMALL_STATES = 1 << 22 /* and states */
};

/* -- what a symmetry shows -- */

/* Images are those of the whole pattern: its parts by themselves may look different where together they tell the
 * same. */
bool permute_shows_more(const struct permute *permute, const struct permute *relaxed,
                        const struct permute_symmetry *symmetry, struct permute_image *shown, unsigned *count)
{
    permute_image(permute, relaxed, symmetry, &shown[*count]);
    for (unsigned i = 0; i < *count; i++)
        if (memcmp(&shown[i], &shown[*count], sizeof *shown) == 0)
            return false;
    ++*count;
    return true;
}

/* Gives a table one more view, if there is a symmetry from number *next on that shows something new. */
static void add_view(struct permute_views *views, unsigned number, const struct permute *relaxed, unsigned *next,
                     struct permute_image *shown, unsigned *count)
{
    const struct permute_table *table = &views->table[number];
    const struct permute_symmetries *symmetries = views->permute->symmetries;
    for (bool added = false; !added && *next < symmetries->count; ++*next) {
        const struct permute_symmetry *symmetry = &symmetries->symmetry[*next];
        if (!permute_shows_more(views->permute, relaxed, symmetry, shown, count))
            continue;
        added = true;
        views->view[views->views++] = (struct permute_view){table, number, symmetry, symmetry->move,
                                                            views->coordinates};
        views->coordinates += table->moving;
    }
}

static pdb_status add_views(struct permute_views *views, bool identity, pdb_error *error)
{
    unsigned next[PATTERN_TABLES_MAX] = {0}, count[PATTERN_TABLES_MAX] = {0};
    const unsigned each = identity ? 1 : PERMUTE_VIEWS_EACH;
    struct permute *relaxed[PATTERN_TABLES_MAX] = {NULL};
    struct permute_image *shown = malloc(PATTERN_TABLES_MAX * (PERMUTE_VIEWS_EACH + 1) * sizeof *shown);
    pdb_status status = PDB_OK;
    if (shown == NULL)
        return error_no_memory(error, "the symmetries", PATTERN_TABLES_MAX * (PERMUTE_VIEWS_EACH + 1) * sizeof *shown);
    for (unsigned t = 0; status == PDB_OK && t < views->tables; t++)
        status = permute_relax_orbits(views->permute, &views->table[t].pattern, &relaxed[t], error);
    for (unsigned round = 0; status == PDB_OK && round < each; round++)
        for (unsigned t = 0; t < views->tables && views->views < PERMUTE_VIEWS_MAX; t++)
            add_view(views, t, relaxed[t], &next[t], shown + (size_t)t * (PERMUTE_VIEWS_EACH + 1), &count[t]);
    for (unsigned t = 0; t < views->tables; t++)
        permute_relaxed_free(relaxed[t]);
    free(shown);
    return status;
}

/* -- tables -- */

/* Small tables are made here. One whose distances are too large to be kept is left out. */
static pdb_status make_small_tables(struct permute_views *views, pdb_error *error)
{
    const struct permute *permute = views->permute;
    const unsigned work = SMALL_WORK / permute->moves, most = work < SMALL_STATES ? work : SMALL_STATES;
    const struct permute_room room = {most, most, most};
    struct permute_patterns patterns;
    pdb_status status = permute_choose_patterns(permute, &room, &(bool){true}, &patterns, error);
    for (unsigned p = 0; status == PDB_OK && p < patterns.count; p++) {
        struct permute_table *table = &views->table[views->tables];
        status = permute_table_make(permute, &patterns.pattern[p], table, error);
        if (status != PDB_OK) {
            permute_table_free(table);
            return status;
        }
        const uint64_t bytes = permute_pattern_bytes(permute, &table->pattern, table->entries);
        uint8_t *value = calloc(bytes, 1);
        status = value != NULL ? permute_table_fill(table, &(struct pattern_work){.threads = 1}, 0, value, error)
                               : error_no_memory(error, "small pattern databases", bytes);
        if (status == PDB_OK) {
            views->look[views->tables].bytes = views->own[views->tables] = value;
            permute_table_read_cap(table, &views->look[views->tables]);
            views->tables++;
            continue;
        }
        permute_table_free(table);
        free(value);
        status = status == PDB_TOO_LARGE ? PDB_OK : status;
    }
    return status;
}

static pdb_status use_tables(struct permute_views *views, const struct patterns *patterns,
                             const struct pattern_source *source, pdb_error *error)
{
    struct permute_patterns read = {0};
    size_t offset;
    pdb_status status = permute_parse_patterns(views->permute, patterns->text, &read, &offset, error);
    for (unsigned p = 0; status == PDB_OK && p < read.count; p++) {
        views->look[p] = (struct pattern_look){NULL, source, patterns->table[p].offset};
        struct permute_table *table = &views->table[views->tables++];
        status = permute_table_make(views->permute, &read.pattern[p], table, error);
        if (status == PDB_OK && table->entries != patterns->table[p].entries)
            status = error_set(
                error, PDB_DAMAGED,
                "%s: its pattern database numbers states in another way than this version of pdb, or has "
                "another number of them: generate it again (pdb-gen --force)",
                views->permute->puzzle.name);
        if (status == PDB_OK)
            permute_table_read_cap(table, &views->look[p]);
    }
    return status;
}

pdb_status permute_views_make(const struct permute *permute, const struct patterns *patterns,
                              const struct pattern_source *source, bool identity, struct permute_views *views,
                              pdb_error *error)
{
    *views = (struct permute_views){.permute = permute, .source = source};
    const pdb_status status = patterns != NULL ? use_tables(views, patterns, source, error)
                                               : make_small_tables(views, error);
    return status == PDB_OK ? add_views(views, identity, error) : status;
}

void permute_views_free(struct permute_views *views)
{
    for (unsigned t = 0; t < views->tables; t++) {
        permute_table_free(&views->table[t]);
        free(views->own[t]);
    }
}

/* -- where a search begins -- */

void permute_views_look(const struct permute_views *views, struct pattern_look *look)
{
    const uint8_t *bytes = views->source != NULL ? views->source->loaded(views->source->context) : NULL;
    for (unsigned v = 0; v < views->views; v++) {
        look[v] = views->look[views->view[v].number];
        if (bytes != NULL)
            look[v].bytes = bytes + look[v].offset;
    }
}

pdb_status permute_views_sound(const struct permute_views *views, pdb_error *error)
{
    return views->source != NULL ? views->source->sound(views->source->context, error) : PDB_OK;
}

pdb_status permute_views_begin(const struct permute_views *views, const struct pattern_look *look,
                               const uint8_t *position, struct permute_coordinates *at, uint16_t *far, pdb_error *error)
{
    const struct permute *permute = views->permute;
    uint8_t seen[BOARD_MAX_CELLS];
    pdb_status status = PDB_OK;
    for (unsigned v = 0; status == PDB_OK && v < views->views; v++) {
        const struct permute_view *view = &views->view[v];
        permute_symmetry_image(permute, view->symmetry, position, seen);
        const bool is_state = permute_table_place(view->table, seen, at + view->first);
        const uint32_t distance = is_state ? permute_table_distance(view->table, &look[v], at + view->first)
                                           : BOUND_NEVER;
        status = permute_views_sound(views, error);
        if (status == PDB_OK && distance > BOUND_NEVER)
            status = error_set(error, PDB_DAMAGED, "%s: its pattern database contradicts itself: generate it again",
                               permute->puzzle.name);
        far[v] = (uint16_t)distance;
    }
    return status;
}

void permute_views_step(const struct permute_views *views, const struct permute_coordinates *at, unsigned move,
                        struct permute_coordinates *after)
{
    for (unsigned v = 0; v < views->views; v++) {
        const struct permute_view *view = &views->view[v];
        permute_table_step(view->table, at + view->first, view->move[move], after + view->first);
    }
}
