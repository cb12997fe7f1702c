/* json.c -- answers as JSON for programs: one object a line */
#include "json.h"
#include "lib/error.h"

#include <stdlib.h>
#include <string.h>

json_t *json_board(const pdb_puzzle *puzzle, const pdb_board *board)
{
    char text[PDB_TEXT_MAX];
    pdb_board_format(puzzle, board, text);
    return json_string(text);
}

static json_t *distance_json(uint32_t distance)
{
    return distance == PDB_NO_DISTANCE ? json_null() : json_integer(distance);
}

json_t *json_object_for(const struct asked *asked)
{
    return json_pack("{ss?}", "puzzle", asked->puzzle != NULL ? pdb_puzzle_name(asked->puzzle) : NULL);
}

void json_put(json_t **object, const char *name, json_t *value)
{
    if (json_object_set_new(*object, name, value) != 0) {
        json_decref(*object);
        *object = NULL;
    }
}

void json_append(json_t **array, json_t *value)
{
    if (json_array_append_new(*array, value) != 0) {
        json_decref(*array);
        *array = NULL;
    }
}

/* Writes a value and lets go of it; `left_out` bytes at its end are left for others to write. */
static pdb_status write_value(json_t *value, size_t left_out, FILE *out, pdb_error *error)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(15));
    json_decref(value);
    if (text == NULL)
        return error_set(error, PDB_NO_MEMORY,
                         "the answer cannot be written as JSON: memory ran out, or a path is not UTF-8");
    fwrite(text, 1, strlen(text) - left_out, out);
    free(text);
    return PDB_OK;
}

pdb_status json_write(json_t *object, FILE *out, pdb_error *error)
{
    pdb_status status = write_value(object, 0, out, error);
    if (status == PDB_OK)
        putc('\n', out);
    return status;
}

/* A number as such while programs that read numbers as doubles get it right, else its digits. */
static json_t *count_json(const char *digits)
{
    const unsigned long long exact = 1ull << 53;
    return strlen(digits) < 17 && strtoull(digits, NULL, 10) <= exact
               ? json_integer((json_int_t)strtoull(digits, NULL, 10))
               : json_string(digits);
}

/* What the answer about a board begins with. `distance`: NULL where it was not looked for. */
static json_t *object_about(const struct asked *asked, json_t *board, const uint32_t *distance)
{
    json_t *object = json_object_for(asked);
    json_put(&object, "board", board);
    if (distance != NULL)
        json_put(&object, "distance", distance_json(*distance));
    json_put(&object, "method", json_string(method_name(asked)));
    return object;
}

/* The boards of a solution, the first and the last included. */
static json_t *path_json(const struct asked *asked, const pdb_board *board, const pdb_move *path, uint32_t steps)
{
    json_t *array = json_array();
    json_append(&array, json_board(asked->puzzle, board));
    for (uint32_t i = 0; i < steps; i++)
        json_append(&array, json_board(asked->puzzle, &path[i].board));
    return array;
}

/* Its moves, as they are told. */
static json_t *path_moves_json(const pdb_move *path, uint32_t steps)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < steps; i++)
        json_append(&array, json_string(path[i].text));
    return array;
}

/* Solutions are written as they are found. */
struct path_writer {
    const struct asked *asked;
    const pdb_board *board;
    FILE *out;
    const char *separator;
    pdb_status status;
    pdb_error *error;
};

static bool write_one(struct path_writer *writer, json_t *one)
{
    fputs(writer->separator, writer->out);
    writer->separator = ",";
    writer->status = write_value(one, 0, writer->out, writer->error);
    return writer->status == PDB_OK;
}

static bool write_path(void *context, const pdb_move *path, uint32_t steps)
{
    struct path_writer *writer = context;
    return write_one(writer, path_json(writer->asked, writer->board, path, steps));
}

static bool write_path_moves(void *context, const pdb_move *path, uint32_t steps)
{
    return write_one(context, path_moves_json(path, steps));
}

/* A list of all solutions, each as a visitor writes it. */
static pdb_status write_paths(const struct asked *asked, const char *key, const struct finding *finding,
                              pdb_path_visitor *visit, FILE *out, pdb_error *error)
{
    struct path_writer writer = {asked, &finding->board, out, "", PDB_OK, error};
    fprintf(out, ",\"%s\":[", key);
    pdb_status status = paths_visit(asked, finding, out, visit, &writer, error);
    putc(']', out);
    return status != PDB_OK ? status : writer.status;
}

/* The object, and behind all else that is in it the lists of solutions: their boards and, since two moves may lead from
 * one board to the same one, their moves. Each is a pass over the solutions, so that none has to be kept. */
static pdb_status write_with_paths(const struct asked *asked, json_t *object, const struct finding *finding, FILE *out,
                                   pdb_error *error)
{
    pdb_status status = write_value(object, 1, out, error);
    if (status != PDB_OK)
        return status;
    status = write_paths(asked, "paths", finding, write_path, out, error);
    if (status == PDB_OK && !pdb_puzzle_unordered(asked->puzzle))
        status = write_paths(asked, "path_moves", finding, write_path_moves, out, error);
    fputs("}\n", out);
    return status;
}

static json_t *texts_json(char *const *texts, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        json_append(&array, json_string(texts[i]));
    return array;
}

/* A bound that shows that the goal cannot be reached is null. */
static void put_bounds(json_t **object, const pdb_bounds *bounds)
{
    const pdb_classes *classes = &bounds->classes;
    json_t *array = json_array();
    for (size_t i = 0; i < bounds->count; i++) {
        const pdb_bound *bound = &bounds->bound[i];
        json_append(&array, json_pack("{ss,so,sb}", "bound", bound->name, "value", distance_json(bound->value), "taken",
                                      bound->taken));
    }
    json_put(object, "search", json_string(bounds->search));
    json_put(object, "bounds", array);
    if (classes->board != NULL)
        json_put(object, "classes",
                 json_pack("{so,ss,so,sb}", "sets", texts_json(classes->set, classes->sets), "board", classes->board,
                           "goal", texts_json(classes->goal, classes->goals), "fits", classes->fits));
}

pdb_status json_finding(const struct asked *asked, const struct finding *finding, FILE *out, pdb_error *error)
{
    const pdb_solution *solution = &finding->solution;
    json_t *object = object_about(asked, json_board(asked->puzzle, &finding->board),
                                  finding->unsolved ? NULL : &solution->distance);
    json_t *moves = json_array();
    pdb_status status = PDB_OK;
    for (size_t i = 0; i < solution->moves.count; i++) {
        const pdb_move *move = &solution->moves.move[i];
        json_t *entry = json_pack("{ss,so,so,sb}", "move", move->text, "board", json_board(asked->puzzle, &move->board),
                                  "distance", distance_json(move->distance), "optimal", move->optimal);
        if (entry != NULL && pdb_puzzle_max_cost(asked->puzzle) > 1)
            json_put(&entry, "cost", json_integer(move->cost));
        if (entry != NULL && finding->first != NULL)
            json_put(&entry, "solutions", count_json(finding->first[i]));
        json_append(&moves, entry);
    }
    if (asked->searches && !finding->unsolved)
        json_put(&object, "nodes", json_integer((json_int_t)solution->nodes));
    if (finding->unsolved || finding->unmoved)
        json_decref(moves);
    else
        json_put(&object, "moves", moves);
    if (asked->path && solution->path != NULL) {
        json_put(&object, "path", path_json(asked, &finding->board, solution->path, solution->steps));
        if (!pdb_puzzle_unordered(asked->puzzle))
            json_put(&object, "path_moves", path_moves_json(solution->path, solution->steps));
        char *typed[2];
        status = finding_typed(asked, finding, typed, error);
        if (typed[0] != NULL)
            json_put(&object, "solution", json_string(typed[0]));
        if (typed[1] != NULL)
            json_put(&object, "scramble", json_string(typed[1]));
        free(typed[0]);
        free(typed[1]);
    }
    if (asked->bounds && finding->bounds.search != NULL)
        put_bounds(&object, &finding->bounds);
    if (asked->count && *finding->count != '\0')
        json_put(&object, "solutions", count_json(finding->count));
    if (finding->grade != NULL) {
        json_put(&object, "count", count_json(finding->count));
        json_put(&object, "away", json_integer((json_int_t)finding->grade->away));
        json_put(&object, "branching", json_real(finding->grade->branching));
    }
    if (status != PDB_OK) {
        json_decref(object);
        return status;
    }
    return asked->paths > 0 ? write_with_paths(asked, object, finding, out, error) : json_write(object, out, error);
}

pdb_status json_hint(const struct asked *asked, const struct finding *finding, FILE *out, pdb_error *error)
{
    const unsigned level = asked->hint;
    json_t *object = object_about(asked, json_board(asked->puzzle, &finding->board), &finding->solution.distance);
    const pdb_move *best = finding_best(finding);
    if (best != NULL && level >= 2)
        json_put(&object, "piece", json_string(best->piece));
    if (best != NULL && level >= 3)
        json_put(&object, "move", json_string(best->text));
    return json_write(object, out, error);
}

pdb_status json_complaint(const struct asked *asked, const char *line, const char *message, FILE *out, pdb_error *error)
{
    json_t *object = json_object_for(asked);
    json_put(&object, "board", json_string(line));
    json_put(&object, "error", json_string(message));
    return json_write(object, out, error);
}

pdb_status json_random(const struct asked *asked, const char *text, uint32_t distance, FILE *out, pdb_error *error)
{
    json_t *object = json_object_for(asked);
    json_put(&object, "board", json_string(text));
    json_put(&object, "distance", distance_json(distance));
    return json_write(object, out, error);
}

pdb_status json_hardest(const struct asked *asked, const struct hardest *hardest, FILE *out, pdb_error *error)
{
    pdb_info info;
    json_t *object = json_object_for(asked),
           *array = texts_json(hardest->item, hardest->item != NULL ? hardest->count : 0);
    pdb_solver_info(asked->solver, &info);
    for (size_t i = 0; hardest->board != NULL && i < hardest->count; i++)
        json_append(&array, json_board(asked->puzzle, &hardest->board[i]));
    json_put(&object, "distance", json_integer(info.max));
    json_put(&object, "count", json_integer((json_int_t)info.hardest));
    json_put(&object, "boards", array);
    return json_write(object, out, error);
}

/* -- puzzles without moves -- */

static json_t *fact_json(const pdb_fact *fact)
{
    switch (fact->kind) {
    case PDB_KIND_COUNT:
        return count_json(fact->text);
    case PDB_KIND_MEAN:
        return json_real(fact->mean);
    case PDB_KIND_TEXT:
        return json_string(fact->text);
    case PDB_KIND_TEXTS:
        return texts_json(fact->texts, fact->count);
    }
    return NULL;
}

pdb_status json_reply(const struct asked *asked, const char *question, const pdb_reply *reply, FILE *out,
                      pdb_error *error)
{
    json_t *object = object_about(asked, json_string(question), &reply->distance);
    for (size_t i = 0; i < reply->count; i++)
        json_put(&object, reply->fact[i].name, fact_json(&reply->fact[i]));
    return json_write(object, out, error);
}

/* -- the puzzle as a whole -- */

pdb_status json_histogram(const struct asked *asked, FILE *out, pdb_error *error)
{
    pdb_info info;
    json_t *object = json_object_for(asked), *array = json_array();
    pdb_solver_info(asked->solver, &info);
    for (uint32_t d = 0; d <= info.max; d++)
        json_append(&array, json_integer((json_int_t)info.histogram[d]));
    json_put(&object, "states", json_integer((json_int_t)info.reachable));
    json_put(&object, "max", json_integer(info.max));
    json_put(&object, "histogram", array);
    if (pdb_puzzle_enumerated(asked->puzzle))
        json_put(&object, "mean", json_real(mean_distance(&info)));
    return json_write(object, out, error);
}

pdb_status json_info(const struct asked *asked, FILE *out, pdb_error *error)
{
    pdb_info info;
    char goal[PDB_TEXT_MAX];
    asked_info(asked, &info);
    pdb_puzzle_goal(asked->puzzle, goal);
    json_t *object = json_object_for(asked);
    json_put(&object, "title", json_string(pdb_puzzle_title(asked->puzzle)));
    if (!pdb_puzzle_enumerated(asked->puzzle))
        json_put(&object, "goal", json_string(goal));
    json_put(&object, "metric", json_string(pdb_puzzle_metric(asked->puzzle)));
    json_put(&object, "method", json_string(method_name(asked)));
    if (info.histogram != NULL) {
        json_put(&object, "indices", json_integer((json_int_t)info.states));
        json_put(&object, "states", json_integer((json_int_t)info.reachable));
        json_put(&object, "max", json_integer(info.max));
        json_put(&object, "hardest", json_integer((json_int_t)info.hardest));
        if (pdb_puzzle_enumerated(asked->puzzle))
            json_put(&object, "mean", json_real(mean_distance(&info)));
    } else {
        json_put(&object, "states", info.states != 0 ? json_integer((json_int_t)info.states) : json_null());
    }
    if (info.search != NULL)
        json_put(&object, "search", json_string(info.search));
    if (info.patterns != NULL) {
        json_put(&object, "shape", json_string(info.shape));
        json_put(&object, "patterns", json_string(info.patterns));
        json_put(&object, "entries", json_integer((json_int_t)info.entries));
    }
    if (info.encoding != NULL)
        json_put(&object, "encoding", json_string(info.encoding));
    if (*info.definition != '\0')
        json_put(&object, "definition", json_string(info.definition));
    if (info.file != NULL) {
        json_put(&object, "file", json_string(info.file));
        json_put(&object, "bytes", json_integer((json_int_t)info.file_bytes));
        json_put(&object, "content", json_string(info.content));
        json_put(&object, "generator", json_string(info.generator));
    }
    return json_write(object, out, error);
}
