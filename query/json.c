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

/* Jansson's functions take NULL where an earlier one found no memory, and then fail too; so it is enough to look at the
 * end. */
static pdb_status write_object(json_t *object, bool complete, FILE *out, pdb_error *error)
{
    char *text = complete ? json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(15)) : NULL;
    json_decref(object);
    if (text == NULL)
        return error_set(error, PDB_NO_MEMORY,
                         "the answer cannot be written as JSON: memory ran out, or a path is not UTF-8");
    fputs(text, out);
    putc('\n', out);
    free(text);
    return PDB_OK;
}

static json_t *moves_json(const struct session *session, const pdb_moves *moves)
{
    json_t *array = json_array();
    for (size_t i = 0; i < moves->count; i++) {
        const pdb_move *move = &moves->move[i];
        json_t *object = json_pack("{ss,so,so,sb}", "move", move->text, "board", board_json(session, &move->board),
                                   "distance", distance_json(move->distance), "optimal", move->optimal);
        if (json_array_append_new(array, object) != 0) {
            json_decref(array);
            return NULL;
        }
    }
    return array;
}

/* The boards of a solution, the first and the last included. */
static json_t *path_json(const struct session *session, const struct finding *finding)
{
    json_t *array = json_array();
    int failed = json_array_append_new(array, board_json(session, &finding->board));
    for (uint32_t i = 0; i < finding->solution.distance; i++)
        failed |= json_array_append_new(array, board_json(session, &finding->solution.path[i].board));
    if (failed) {
        json_decref(array);
        return NULL;
    }
    return array;
}

/* A number as such while programs that read numbers as doubles get it right, else its digits. */
static json_t *count_json(const char *digits)
{
    const unsigned long long exact = 1ull << 53;
    return strlen(digits) < 17 && strtoull(digits, NULL, 10) <= exact
               ? json_integer((json_int_t)strtoull(digits, NULL, 10))
               : json_string(digits);
}

pdb_status json_finding(const struct session *session, const struct finding *finding, FILE *out, pdb_error *error)
{
    json_t *object = object_for(session);
    int failed = json_object_set_new(object, "board", board_json(session, &finding->board));
    failed |= json_object_set_new(object, "distance", distance_json(finding->solution.distance));
    failed |= json_object_set_new(object, "method", json_string(method_name(session)));
    if (session->searches)
        failed |= json_object_set_new(object, "nodes", json_integer((json_int_t)finding->solution.nodes));
    failed |= json_object_set_new(object, "moves", moves_json(session, &finding->solution.moves));
    if (finding->solution.path != NULL)
        failed |= json_object_set_new(object, "path", path_json(session, finding));
    if (session->options->count)
        failed |= json_object_set_new(object, "solutions", count_json(finding->count));
    return write_object(object, !failed, out, error);
}

pdb_status json_hint(const struct session *session, const struct finding *finding, FILE *out, pdb_error *error)
{
    const unsigned level = session->options->hint;
    json_t *object = object_for(session);
    int failed = json_object_set_new(object, "board", board_json(session, &finding->board));
    failed |= json_object_set_new(object, "distance", distance_json(finding->solution.distance));
    failed |= json_object_set_new(object, "method", json_string(method_name(session)));
    const pdb_move *best = finding_best(finding);
    if (best != NULL && level >= 2)
        failed |= json_object_set_new(object, "piece", json_string(best->piece));
    if (best != NULL && level >= 3)
        failed |= json_object_set_new(object, "move", json_string(best->text));
    return write_object(object, !failed, out, error);
}

pdb_status json_complaint(const struct session *session, const char *line, const char *message, FILE *out,
                          pdb_error *error)
{
    json_t *object = object_for(session);
    int failed = json_object_set_new(object, "board", json_string(line));
    failed |= json_object_set_new(object, "error", json_string(message));
    return write_object(object, !failed, out, error);
}

pdb_status json_random(const struct session *session, const pdb_board *board, uint32_t distance, FILE *out,
                       pdb_error *error)
{
    json_t *object = object_for(session);
    int failed = json_object_set_new(object, "board", board_json(session, board));
    failed |= json_object_set_new(object, "distance", distance_json(distance));
    return write_object(object, !failed, out, error);
}

pdb_status json_hardest(const struct session *session, const pdb_board *boards, size_t count, FILE *out,
                        pdb_error *error)
{
    pdb_info info;
    pdb_solver_info(session->solver, &info);
    json_t *object = object_for(session), *array = json_array();
    int failed = json_object_set_new(object, "distance", json_integer(info.max));
    failed |= json_object_set_new(object, "count", json_integer((json_int_t)info.hardest));
    for (size_t i = 0; i < count; i++)
        failed |= json_array_append_new(array, board_json(session, &boards[i]));
    failed |= json_object_set_new(object, "boards", array);
    return write_object(object, !failed, out, error);
}

/* -- puzzles without moves -- */

static json_t *texts_json(char *const *texts, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++)
        if (json_array_append_new(array, json_string(texts[i])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

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
    json_t *object = object_for(session);
    int failed = json_object_set_new(object, "board", json_string(question));
    failed |= json_object_set_new(object, "distance", distance_json(reply->distance));
    failed |= json_object_set_new(object, "method", json_string(method_name(session)));
    for (size_t i = 0; i < reply->count; i++)
        failed |= json_object_set_new(object, reply->fact[i].name, fact_json(&reply->fact[i]));
    return write_object(object, !failed, out, error);
}

pdb_status json_random_item(const struct session *session, const char *item, uint32_t distance, FILE *out,
                            pdb_error *error)
{
    json_t *object = object_for(session);
    int failed = json_object_set_new(object, "board", json_string(item));
    failed |= json_object_set_new(object, "distance", distance_json(distance));
    return write_object(object, !failed, out, error);
}

pdb_status json_hardest_items(const struct session *session, char *const *items, size_t count, FILE *out,
                              pdb_error *error)
{
    pdb_info info;
    pdb_solver_info(session->solver, &info);
    json_t *object = object_for(session);
    int failed = json_object_set_new(object, "distance", json_integer(info.max));
    failed |= json_object_set_new(object, "count", json_integer((json_int_t)info.hardest));
    failed |= json_object_set_new(object, "boards", texts_json(items, count));
    return write_object(object, !failed, out, error);
}

/* -- the puzzle as a whole -- */

static json_t *histogram_json(const pdb_info *info)
{
    json_t *array = json_array();
    for (uint32_t d = 0; d <= info->max; d++)
        if (json_array_append_new(array, json_integer((json_int_t)info->histogram[d])) != 0) {
            json_decref(array);
            return NULL;
        }
    return array;
}

pdb_status json_histogram(const struct session *session, FILE *out, pdb_error *error)
{
    pdb_info info;
    pdb_solver_info(session->solver, &info);
    json_t *object = object_for(session);
    int failed = json_object_set_new(object, "states", json_integer((json_int_t)info.reachable));
    failed |= json_object_set_new(object, "max", json_integer(info.max));
    failed |= json_object_set_new(object, "histogram", histogram_json(&info));
    if (pdb_puzzle_enumerated(session->puzzle))
        failed |= json_object_set_new(object, "mean", json_real(mean_distance(&info)));
    return write_object(object, !failed, out, error);
}

pdb_status json_info(const struct session *session, FILE *out, pdb_error *error)
{
    pdb_info info;
    char goal[PDB_TEXT_MAX];
    session_info(session, &info);
    pdb_puzzle_goal(session->puzzle, goal);
    json_t *object = object_for(session);
    int failed = json_object_set_new(object, "title", json_string(pdb_puzzle_title(session->puzzle)));
    if (!pdb_puzzle_enumerated(session->puzzle))
        failed |= json_object_set_new(object, "goal", json_string(goal));
    failed |= json_object_set_new(object, "metric", json_string(pdb_puzzle_metric(session->puzzle)));
    failed |= json_object_set_new(object, "method", json_string(method_name(session)));
    if (info.histogram != NULL) {
        failed |= json_object_set_new(object, "indices", json_integer((json_int_t)info.states));
        failed |= json_object_set_new(object, "states", json_integer((json_int_t)info.reachable));
        failed |= json_object_set_new(object, "max", json_integer(info.max));
        failed |= json_object_set_new(object, "hardest", json_integer((json_int_t)info.hardest));
        if (pdb_puzzle_enumerated(session->puzzle))
            failed |= json_object_set_new(object, "mean", json_real(mean_distance(&info)));
    } else {
        failed |= json_object_set_new(object, "states",
                                      info.states != 0 ? json_integer((json_int_t)info.states) : json_null());
    }
    if (info.search != NULL)
        failed |= json_object_set_new(object, "search", json_string(info.search));
    if (info.patterns != NULL) {
        failed |= json_object_set_new(object, "shape", json_string(info.shape));
        failed |= json_object_set_new(object, "patterns", json_string(info.patterns));
        failed |= json_object_set_new(object, "entries", json_integer((json_int_t)info.entries));
    }
    if (info.encoding != NULL)
        failed |= json_object_set_new(object, "encoding", json_string(info.encoding));
    if (*info.definition != '\0')
        failed |= json_object_set_new(object, "definition", json_string(info.definition));
    if (info.file != NULL) {
        failed |= json_object_set_new(object, "file", json_string(info.file));
        failed |= json_object_set_new(object, "bytes", json_integer((json_int_t)info.file_bytes));
        failed |= json_object_set_new(object, "content", json_string(info.content));
        failed |= json_object_set_new(object, "generator", json_string(info.generator));
    }
    return write_object(object, !failed, out, error);
}
