/* json.c -- answers as JSON for programs: one object a line */
#include "answer.h"
#include "lib/error.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static json_t *board_json(const struct session *session, const pdb_board *board)
{
    char text[PDB_TEXT_MAX];
    pdb_board_format(session->puzzle, board, text);
    return json_string(text);
}

static json_t *distance_json(uint32_t distance)
{
    return distance == PDB_NO_DISTANCE ? json_null() : json_integer(distance);
}

/* What every object begins with. */
static json_t *object_for(const struct session *session)
{
    return json_pack("{ss}", "puzzle", pdb_puzzle_name(session->puzzle));
}

/* Jansson's functions take NULL where an earlier one found no memory, and then fail too: an object or an array to which
 * something could not be added is NULL from then on, and it is enough to look at the end. */
static void put(json_t **object, const char *name, json_t *value)
{
    if (json_object_set_new(*object, name, value) != 0) {
        json_decref(*object);
        *object = NULL;
    }
}

static void append(json_t **array, json_t *value)
{
    if (json_array_append_new(*array, value) != 0) {
        json_decref(*array);
        *array = NULL;
    }
}

static pdb_status write_object(json_t *object, FILE *out, pdb_error *error)
{
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(15));
    json_decref(object);
    if (text == NULL)
        return error_set(error, PDB_NO_MEMORY,
                         "the answer cannot be written as JSON: memory ran out, or a path is not UTF-8");
    fputs(text, out);
    putc('\n', out);
    free(text);
    return PDB_OK;
}

/* A number as such while programs that read numbers as doubles get it right, else its digits. */
static json_t *count_json(const char *digits)
{
    const unsigned long long exact = 1ull << 53;
    return strlen(digits) < 17 && strtoull(digits, NULL, 10) <= exact
               ? json_integer((json_int_t)strtoull(digits, NULL, 10))
               : json_string(digits);
}

/* What the answer about a board begins with. */
static json_t *object_about(const struct session *session, json_t *board, uint32_t distance)
{
    json_t *object = object_for(session);
    put(&object, "board", board);
    put(&object, "distance", distance_json(distance));
    put(&object, "method", json_string(method_name(session)));
    return object;
}

pdb_status json_finding(const struct session *session, const struct finding *finding, FILE *out, pdb_error *error)
{
    const pdb_solution *solution = &finding->solution;
    json_t *object = object_about(session, board_json(session, &finding->board), solution->distance);
    json_t *moves = json_array();
    for (size_t i = 0; i < solution->moves.count; i++) {
        const pdb_move *move = &solution->moves.move[i];
        json_t *entry = json_pack("{ss,so,so,sb}", "move", move->text, "board", board_json(session, &move->board),
                                  "distance", distance_json(move->distance), "optimal", move->optimal);
        if (entry != NULL && pdb_puzzle_max_cost(session->puzzle) > 1)
            put(&entry, "cost", json_integer(move->cost));
        append(&moves, entry);
    }
    if (session->searches)
        put(&object, "nodes", json_integer((json_int_t)solution->nodes));
    put(&object, "moves", moves);
    if (solution->path != NULL) { /* the boards of a solution, the first and the last included */
        json_t *path = json_array();
        append(&path, board_json(session, &finding->board));
        for (uint32_t i = 0; i < solution->steps; i++)
            append(&path, board_json(session, &solution->path[i].board));
        put(&object, "path", path);
    }
    if (session->options->count)
        put(&object, "solutions", count_json(finding->count));
    return write_object(object, out, error);
}

pdb_status json_hint(const struct session *session, const struct finding *finding, FILE *out, pdb_error *error)
{
    const unsigned level = session->options->hint;
    json_t *object = object_about(session, board_json(session, &finding->board), finding->solution.distance);
    const pdb_move *best = finding_best(finding);
    if (best != NULL && level >= 2)
        put(&object, "piece", json_string(best->piece));
    if (best != NULL && level >= 3)
        put(&object, "move", json_string(best->text));
    return write_object(object, out, error);
}

pdb_status json_complaint(const struct session *session, const char *line, const char *message, FILE *out,
                          pdb_error *error)
{
    json_t *object = object_for(session);
    put(&object, "board", json_string(line));
    put(&object, "error", json_string(message));
    return write_object(object, out, error);
}

pdb_status json_random(const struct session *session, const char *text, uint32_t distance, FILE *out, pdb_error *error)
{
    json_t *object = object_for(session);
    put(&object, "board", json_string(text));
    put(&object, "distance", distance_json(distance));
    return write_object(object, out, error);
}

static json_t *texts_json(char *const *texts, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        append(&array, json_string(texts[i]));
    return array;
}

pdb_status json_hardest(const struct session *session, const pdb_board *boards, char *const *items, size_t count,
                        FILE *out, pdb_error *error)
{
    pdb_info info;
    json_t *object = object_for(session), *array = texts_json(items, items != NULL ? count : 0);
    pdb_solver_info(session->solver, &info);
    for (size_t i = 0; boards != NULL && i < count; i++)
        append(&array, board_json(session, &boards[i]));
    put(&object, "distance", json_integer(info.max));
    put(&object, "count", json_integer((json_int_t)info.hardest));
    put(&object, "boards", array);
    return write_object(object, out, error);
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

pdb_status json_reply(const struct session *session, const char *question, const pdb_reply *reply, FILE *out,
                      pdb_error *error)
{
    json_t *object = object_about(session, json_string(question), reply->distance);
    for (size_t i = 0; i < reply->count; i++)
        put(&object, reply->fact[i].name, fact_json(&reply->fact[i]));
    return write_object(object, out, error);
}

/* -- the puzzle as a whole -- */

pdb_status json_histogram(const struct session *session, FILE *out, pdb_error *error)
{
    pdb_info info;
    json_t *object = object_for(session), *array = json_array();
    pdb_solver_info(session->solver, &info);
    for (uint32_t d = 0; d <= info.max; d++)
        append(&array, json_integer((json_int_t)info.histogram[d]));
    put(&object, "states", json_integer((json_int_t)info.reachable));
    put(&object, "max", json_integer(info.max));
    put(&object, "histogram", array);
    if (pdb_puzzle_enumerated(session->puzzle))
        put(&object, "mean", json_real(mean_distance(&info)));
    return write_object(object, out, error);
}

pdb_status json_info(const struct session *session, FILE *out, pdb_error *error)
{
    pdb_info info;
    char goal[PDB_TEXT_MAX];
    session_info(session, &info);
    pdb_puzzle_goal(session->puzzle, goal);
    json_t *object = object_for(session);
    put(&object, "title", json_string(pdb_puzzle_title(session->puzzle)));
    if (!pdb_puzzle_enumerated(session->puzzle))
        put(&object, "goal", json_string(goal));
    put(&object, "metric", json_string(pdb_puzzle_metric(session->puzzle)));
    put(&object, "method", json_string(method_name(session)));
    if (info.histogram != NULL) {
        put(&object, "indices", json_integer((json_int_t)info.states));
        put(&object, "states", json_integer((json_int_t)info.reachable));
        put(&object, "max", json_integer(info.max));
        put(&object, "hardest", json_integer((json_int_t)info.hardest));
        if (pdb_puzzle_enumerated(session->puzzle))
            put(&object, "mean", json_real(mean_distance(&info)));
    } else {
        put(&object, "states", info.states != 0 ? json_integer((json_int_t)info.states) : json_null());
    }
    if (info.search != NULL)
        put(&object, "search", json_string(info.search));
    if (info.patterns != NULL) {
        put(&object, "shape", json_string(info.shape));
        put(&object, "patterns", json_string(info.patterns));
        put(&object, "entries", json_integer((json_int_t)info.entries));
    }
    if (info.encoding != NULL)
        put(&object, "encoding", json_string(info.encoding));
    if (*info.definition != '\0')
        put(&object, "definition", json_string(info.definition));
    if (info.file != NULL) {
        put(&object, "file", json_string(info.file));
        put(&object, "bytes", json_integer((json_int_t)info.file_bytes));
        put(&object, "content", json_string(info.content));
        put(&object, "generator", json_string(info.generator));
    }
    return write_object(object, out, error);
}
