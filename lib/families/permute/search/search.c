/* search.c -- the family's searcher: IDA* over the indices of relaxations
 *
 * Rounds (round.h) look for solutions of `limit` moves; the next limit is the least that was left out, of the
 * right parity where the puzzle is coloured.
 *
 * Without a pattern database small tables are made with the searcher: SMALL_WORK moves' worth, a tenth of a second.
 *
 * Literature: R. Korf, "Depth-first iterative-deepening", Artificial Intelligence 27 (1985).
 */
#include "round.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALL_WORK = 1 << 25,   /* states times moves in the tables made without a database */
    SMALL_STATES = 1 << 22, /* and states */
    SHARED_NODES = 1 << 15  /* once a limit had more nodes than this, the next ones are shared out */
};

/* -- the searcher -- */

/* The least number of moves from `limit` on that the colouring allows. */
static uint32_t of_colour(const struct permute *permute, uint32_t limit, unsigned colour)
{
    return permute->puzzle.coloured && limit % 2 != colour ? limit + 1 : limit;
}

static pdb_status tell_path(const struct permute_run *run, struct search_answer *answer, pdb_error *error)
{
    const struct permute *permute = run->searcher->permute;
    const size_t places = permute->puzzle.board.places;
    answer->distance = answer->bound = run->limit;
    answer->path = malloc((run->limit + 1) * places);
    if (answer->path == NULL)
        return error_no_memory(error, "a path", (run->limit + 1) * places);
    memcpy(answer->path, run->position, places);
    for (uint32_t i = 0; i < run->limit; i++)
        permute_apply(permute, run->path[i], answer->path + i * places, answer->path + (i + 1) * places);
    return PDB_OK;
}

/* Where the search starts from: run->at, run->far, and run->limit, the largest of these; BOUND_NEVER where it is plain
 * that no goal can be reached. */
static pdb_status set_out(struct permute_run *run, pdb_error *error)
{
    const struct permute_searcher *searcher = run->searcher;
    uint64_t *next = malloc(searcher->permute->moves * sizeof *next);
    uint8_t image[BOARD_MAX_CELLS];
    if (next == NULL)
        return error_no_memory(error, "the search", searcher->permute->moves * sizeof *next);
    run->limit = 0;
    for (unsigned t = 0; t < searcher->tables && run->limit != BOUND_NEVER; t++) {
        const struct permute *relaxed = searcher->table[t].relaxed;
        uint32_t distance = BOUND_NEVER;
        permute_relaxed_position(relaxed, run->position, image);
        if (relaxed->puzzle.family->rank(&relaxed->puzzle, image, &run->at[t]))
            distance = permute_distance(relaxed, searcher->table[t].value, run->at[t], next);
        if (distance > BOUND_NEVER) {
            free(next);
            return error_set(error, PDB_DAMAGED, "%s: its pattern database contradicts itself: generate it again",
                             searcher->permute->puzzle.name);
        }
        run->far[t] = (uint16_t)distance;
        run->limit = distance > run->limit ? distance : run->limit;
    }
    free(next);
    return PDB_OK;
}

static pdb_status deepen(struct permute_run *run, uint32_t most, unsigned colour, struct search_answer *answer,
                         pdb_error *error)
{
    const struct permute *permute = run->searcher->permute;
    bool shared = false;
    for (;;) {
        uint32_t least;
        const uint64_t before = run->nodes;
        run->limit = of_colour(permute, run->limit, colour);
        answer->bound = run->limit;
        if (run->limit > most)
            return PDB_OK;
        if (!permute_round(run, shared, &least))
            return error_no_memory(error, "the search", run->limit);
        if (run->stop)
            return error_set(error, PDB_INTERRUPTED, "interrupted: no solution is shorter than %u moves", run->limit);
        if (run->found != PERMUTE_NO_SHARE)
            return tell_path(run, answer, error);
        if (least == PDB_NO_DISTANCE) {
            answer->bound = PDB_NO_DISTANCE; /* nothing was left out but what others stand for */
            return PDB_OK;
        }
        shared = run->searcher->threads > 1 && run->nodes - before > SHARED_NODES;
        run->limit = least > run->limit ? least : run->limit + 1;
    }
}

static pdb_status solve(const struct searcher *base, const uint8_t *position, uint32_t most, search_observer *observe,
                        void *context, struct search_answer *answer, pdb_error *error)
{
    const struct permute_searcher *searcher = (const struct permute_searcher *)base;
    const struct permute *permute = searcher->permute;
    struct permute_run run = {
        .searcher = searcher, .position = position, .observe = observe, .context = context, .found = PERMUTE_NO_SHARE};
    unsigned colour;
    *answer = (struct search_answer){.distance = PDB_NO_DISTANCE, .bound = PDB_NO_DISTANCE};
    if (!permute_fits(permute, position, &colour) ||
        (searcher->group != NULL && !permute_group_reaches(searcher->group, position)))
        return PDB_OK;
    if (permute->puzzle.family->is_goal(&permute->puzzle, position))
        return tell_path(&run, answer, error);
    pdb_status status = set_out(&run, error);
    if (status != PDB_OK || run.limit == BOUND_NEVER)
        return status;
    run.limit = run.limit > 0 ? run.limit : 1;
    status = deepen(&run, most, colour, answer, error);
    answer->nodes = run.nodes;
    free(run.path);
    return status;
}

static const char *method(const struct searcher *base)
{
    return ((const struct permute_searcher *)base)->method;
}

static void free_searcher(struct searcher *base)
{
    struct permute_searcher *searcher = (struct permute_searcher *)base;
    for (unsigned t = 0; t < searcher->tables; t++)
        permute_relaxed_free(searcher->table[t].relaxed);
    permute_group_free(searcher->group);
    machine_free(searcher->machine);
    free(searcher->own);
    free(searcher);
}

static const struct searcher_class permute_searcher_class = {.solve = solve, .method = method, .free = free_searcher};

/* -- making one -- */

/* The relaxations of these patterns. */
static pdb_status relax_all(struct permute_searcher *searcher, const struct permute_patterns *patterns,
                            pdb_error *error)
{
    pdb_status status = PDB_OK;
    for (unsigned p = 0; status == PDB_OK && p < patterns->count; p++) {
        status = permute_relax(searcher->permute, &patterns->pattern[p], &searcher->table[p].relaxed, error);
        searcher->tables += status == PDB_OK;
    }
    return status;
}

static pdb_status make_small_tables(struct permute_searcher *searcher, pdb_error *error)
{
    const struct permute *permute = searcher->permute;
    const unsigned most = SMALL_WORK / permute->moves;
    struct permute_patterns patterns;
    uint64_t bytes = 0, done = 0;
    pdb_status status = permute_choose_patterns(permute, most < SMALL_STATES ? most : SMALL_STATES, &patterns, error);
    if (status == PDB_OK)
        status = relax_all(searcher, &patterns, error);
    for (unsigned t = 0; t < searcher->tables; t++)
        bytes += permute_table_bytes(permute, searcher->table[t].relaxed->puzzle.states);
    searcher->own = malloc(bytes + 1);
    if (status == PDB_OK && searcher->own == NULL)
        return error_no_memory(error, "small pattern databases", bytes);
    for (unsigned t = 0; status == PDB_OK && t < searcher->tables; t++) {
        const struct permute *relaxed = searcher->table[t].relaxed;
        uint8_t *table = searcher->own + done;
        status = permute_distances(relaxed, 1, table, NULL, 0, NULL, NULL, error);
        searcher->table[t].value = table;
        done += permute_table_bytes(permute, relaxed->puzzle.states);
    }
    snprintf(searcher->method, sizeof searcher->method, "small pattern databases, made for the search");
    return status;
}

static pdb_status use_tables(struct permute_searcher *searcher, const struct search_options *options, pdb_error *error)
{
    struct permute_patterns patterns = {0};
    size_t offset;
    pdb_status status = permute_parse_patterns(searcher->permute, options->patterns->text, &patterns, &offset, error);
    if (status == PDB_OK)
        status = relax_all(searcher, &patterns, error);
    for (unsigned t = 0; t < searcher->tables; t++)
        searcher->table[t].value = options->pattern_bytes + options->patterns->table[t].offset;
    snprintf(searcher->method, sizeof searcher->method, "pattern databases of %s tiles", options->patterns->shape);
    return status;
}

pdb_status permute_searcher(const struct puzzle *puzzle, const struct search_options *options, struct searcher **out,
                            pdb_error *error)
{
    struct permute_searcher *searcher = calloc(1, sizeof *searcher);
    *out = NULL;
    if (searcher == NULL)
        return error_no_memory(error, "a search", sizeof *searcher);
    searcher->base = (struct searcher){&permute_searcher_class, puzzle};
    searcher->permute = (const struct permute *)puzzle;
    searcher->threads = options->threads;
    pdb_status status = permute_group_make(searcher->permute, &searcher->group, error);
    if (status == PDB_OK)
        status = permute_words_machine(searcher->permute, options->no_machine, &searcher->machine, error);
    if (status == PDB_OK)
        status = options->patterns != NULL ? use_tables(searcher, options, error) : make_small_tables(searcher, error);
    if (status != PDB_OK) {
        free_searcher(&searcher->base);
        return status;
    }
    *out = &searcher->base;
    return PDB_OK;
}
