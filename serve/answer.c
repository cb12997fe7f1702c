/* answer.c -- from what a request asks to what is replied */
#include "server.h"
#include "common/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

/* For the sake of the figures on its page a puzzle of more states is not solved whole, and none for longer. */
static const uint64_t figures_states_max = 10000000;
enum { FIGURES_SECONDS = 2 };

/* -- what went wrong -- */

/* Takes a directory out of a message: what a stranger is told has no path of this machine in it. In rush-hour:FILE#1 it
 * begins behind the colon. One of two bytes (./) is no secret, and those may stand anywhere in a message. */
static void strike(char *message, const char *path)
{
    const char *colon = path + strcspn(path, "/:"), *folder = *colon == ':' ? colon + 1 : path;
    const char *slash = strrchr(folder, '/');
    const size_t length = slash != NULL ? (size_t)(slash + 1 - folder) : 0;
    for (char *at = message; length > 2 && (at = memmem(at, strlen(at), folder, length)) != NULL;)
        memmove(at, at + length, strlen(at + length) + 1);
}

static unsigned http_status(pdb_status status)
{
    switch (status) {
    case PDB_BAD_BOARD:
    case PDB_BAD_USAGE:
    case PDB_BAD_DEFINITION:
    case PDB_UNREACHABLE:
    case PDB_UNKNOWN_PUZZLE:
        return MHD_HTTP_UNPROCESSABLE_CONTENT;
    default:
        return MHD_HTTP_SERVICE_UNAVAILABLE;
    }
}

static void fail(struct request *request, pdb_error *error)
{
    const struct server *server = request->server;
    strike(error->message, request->job.offered->path);
    strike(error->message, request->job.offered->source);
    if (error->status == PDB_INTERRUPTED && atomic_load(&server->jobs.hurries)) {
        error_set(error, PDB_BUSY, "the server is being stopped");
    } else if (error->status == PDB_INTERRUPTED) {
        const size_t length = strlen(error->message);
        snprintf(error->message + length, sizeof error->message - length, "; here nothing takes more than %llu seconds",
                 (unsigned long long)server->options.seconds);
    }
    reply_error(&request->reply, http_status(error->status), error->message);
    request->reply.retry = error->status == PDB_NO_MEMORY || error->status == PDB_BUSY;
}

/* -- answers of a puzzle -- */

/* What is random is so each time, unless it is to be had again. */
static void draw_seed(struct address *address)
{
    if (!address->seeded && getrandom(&address->request.seed, sizeof address->request.seed, 0) < 0)
        address->request.seed = (uint64_t)time(NULL);
}

/* Does the answer take a solver that knows all distances? */
static bool wants_whole(const struct request *request)
{
    const pdb_request *asked = &request->address.request;
    const pdb_puzzle *puzzle = request->job.offered->puzzle;
    const uint64_t states = pdb_puzzle_states(puzzle);
    switch (asked->topic) {
    case PDB_TOPIC_HARDEST:
    case PDB_TOPIC_HISTOGRAM:
        return true;
    case PDB_TOPIC_RANDOM:
        return asked->utmost != PDB_NO_DISTANCE || pdb_puzzle_unordered(puzzle);
    case PDB_TOPIC_PUZZLE:
        return pdb_puzzle_keyed(puzzle) || (states > 0 && states <= figures_states_max);
    default:
        return false;
    }
}

/* Can a solver that knows all distances answer without anybody else noticing? */
static bool is_quick(const struct request *request, const struct kept *kept)
{
    const pdb_request *asked = &request->address.request;
    return kept->whole && kept->near && !pdb_puzzle_enumerated(request->job.offered->puzzle) &&
           (asked->want & PDB_WANT_COUNT) == 0 &&
           (asked->topic == PDB_TOPIC_BOARD || asked->topic == PDB_TOPIC_HINT || asked->topic == PDB_TOPIC_HISTOGRAM);
}

/* Answers with a solver, or where none is needed without. */
static void answer_with(struct request *request, const pdb_solver *solver)
{
    struct address *address = &request->address;
    struct reply *reply = &request->reply;
    pdb_error error;
    char *text;
    draw_seed(address);
    if (address->post)
        address->request.board = request->body != NULL ? request->body : "";
    if (pdb_answer(request->job.offered->puzzle, solver, &address->request, &text, &reply->length, &error) != PDB_OK) {
        fail(request, &error);
        if (error.status == PDB_TOO_LARGE) /* of this answer; what a solver takes is another matter */
            request->reply.status = MHD_HTTP_CONTENT_TOO_LARGE;
        return;
    }
    const pdb_topic topic = address->request.topic;
    reply->status = MHD_HTTP_OK;
    reply->type = address->request.svg ? "image/svg+xml" : address->post ? "application/x-ndjson" : "application/json";
    reply->body = text;
    reply->keep = address->post || (topic == PDB_TOPIC_RANDOM && !address->seeded) ? REPLY_NOT : REPLY_CHECK;
}

void answer_in_time(struct request *request)
{
    struct server *server = request->server;
    struct offered *offered = request->job.offered;
    struct kept *kept;
    pdb_error error;
    const pdb_status status = puzzles_open(&server->puzzles, offered, wants_whole(request), PDB_AUTO, &kept, &error);
    if (request->job.opens)
        jobs_opened(&server->jobs, &request->job);
    if (status == PDB_OK) {
        answer_with(request, kept->solver);
        puzzles_give_back(offered, kept);
    } else if (request->address.request.topic == PDB_TOPIC_PUZZLE) { /* what it is, is known all the same */
        answer_with(request, NULL);
    } else {
        fail(request, &error);
    }
}

/* A puzzle's answer, if that is quick. */
static bool answer_puzzle(struct request *request)
{
    struct offered *offered = request->job.offered;
    const bool whole = wants_whole(request);
    if (request->address.request.topic == PDB_TOPIC_MOVES) { /* by the rules alone */
        answer_with(request, NULL);
        return true;
    }
    struct kept *kept = puzzles_take(offered, whole);
    if (kept == NULL && puzzles_opens_at_once(offered)) {
        pdb_error error;
        const pdb_status status = puzzles_open(&request->server->puzzles, offered, whole, PDB_DATABASE, &kept, &error);
        if (status != PDB_OK && status != PDB_NO_DATABASE) {
            fail(request, &error);
            return true;
        }
    }
    request->job.opens = kept == NULL;
    request->job.seconds = request->address.request.topic == PDB_TOPIC_PUZZLE ? FIGURES_SECONDS : 0;
    if (kept == NULL || !is_quick(request, kept)) {
        if (kept != NULL)
            puzzles_give_back(offered, kept);
        return false;
    }
    answer_with(request, kept->solver);
    puzzles_give_back(offered, kept);
    return true;
}

static void answer_file(struct request *request, const char *path)
{
    const struct page_file *file = page_find(request->server->page, path);
    if (file == NULL) {
        reply_error(&request->reply, MHD_HTTP_NOT_FOUND, "there is nothing at this address");
        return;
    }
    request->reply = (struct reply){.status = MHD_HTTP_OK,
                                    .type = file->type,
                                    .body = (char *)(uintptr_t)file->bytes,
                                    .length = file->length,
                                    .borrowed = true,
                                    .packed = file->packed,
                                    .packed_length = file->packed_length,
                                    .keep = REPLY_CHECK,
                                    .programs = request->reply.programs};
}

/* {"puzzles":[...]}, of the summaries, which are an object a line. */
static void answer_puzzles(struct request *request)
{
    static const pdb_request summary = {.topic = PDB_TOPIC_SUMMARY};
    struct puzzles *puzzles = &request->server->puzzles;
    struct reply *reply = &request->reply;
    FILE *out = open_memstream(&reply->body, &reply->length);
    pdb_error error = {.status = PDB_OK};
    if (out != NULL)
        fputs("{\"puzzles\":[", out);
    pthread_rwlock_rdlock(&puzzles->lock);
    for (size_t i = 0; out != NULL && error.status == PDB_OK && i < puzzles->count; i++) {
        char *text;
        size_t length;
        if (pdb_answer(puzzles->offered[i]->puzzle, NULL, &summary, &text, &length, &error) != PDB_OK)
            break;
        fprintf(out, "%s%.*s", i > 0 ? "," : "", (int)length - 1, text);
        free(text);
    }
    pthread_rwlock_unlock(&puzzles->lock);
    if (out != NULL)
        fputs("]}\n", out);
    if (out == NULL || fclose(out) != 0 || error.status != PDB_OK) {
        reply_error(reply, MHD_HTTP_SERVICE_UNAVAILABLE, "not enough memory for the list");
        return;
    }
    reply->status = MHD_HTTP_OK;
    reply->type = "application/json";
    reply->keep = REPLY_CHECK;
}

/* Is the method one that the address takes? Else that is the reply, also to OPTIONS. */
static bool check_method(struct request *request)
{
    struct reply *reply = &request->reply;
    const bool post = request->address.post, head = strcmp(request->method, MHD_HTTP_METHOD_HEAD) == 0;
    const bool get = head || strcmp(request->method, MHD_HTTP_METHOD_GET) == 0;
    const char *allow = post ? "POST, OPTIONS" : "GET, HEAD, OPTIONS";
    if (post ? strcmp(request->method, MHD_HTTP_METHOD_POST) == 0 : get)
        return true;
    if (strcmp(request->method, MHD_HTTP_METHOD_OPTIONS) == 0) {
        reply->status = MHD_HTTP_NO_CONTENT;
        reply->borrowed = true;
        reply->keep = REPLY_NOT;
    } else {
        reply_error(reply, MHD_HTTP_METHOD_NOT_ALLOWED, post ? "this address takes POST" : "this address takes GET");
    }
    reply->allow = allow;
    return false;
}

bool answer_at_once(struct request *request)
{
    const struct address *address = &request->address;
    struct reply *reply = &request->reply;
    reply->programs = address->below_api;
    if (request->fault != MHD_HTTP_OK) {
        reply_error(reply, request->fault, request->error.message);
        return true;
    }
    if (!check_method(request))
        return true;
    if (request->too_long) {
        reply_error(reply, MHD_HTTP_CONTENT_TOO_LARGE, "a body has a megabyte at most: ask about fewer boards at once");
        return true;
    }
    if (address->post && request->body != NULL && !text_is_utf8(request->body, request->body_length)) {
        reply_error(reply, MHD_HTTP_BAD_REQUEST, "a body is UTF-8, a board a line");
        return true;
    }
    switch (address->kind) {
    case ADDRESS_PAGE:
        answer_file(request, address->path);
        return true;
    case ADDRESS_OPENAPI:
        answer_file(request, "/api/openapi.json");
        return true;
    case ADDRESS_PUZZLES:
        answer_puzzles(request);
        return true;
    case ADDRESS_ANSWER:
        break;
    }
    request->job.offered = puzzles_find(&request->server->puzzles, address->puzzle);
    if (request->job.offered != NULL)
        return answer_puzzle(request);
    reply_error(reply, MHD_HTTP_NOT_FOUND, "there is no such puzzle here: /api/puzzles lists those there are");
    return true;
}
