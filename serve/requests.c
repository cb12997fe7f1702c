/* requests.c -- what libmicrohttpd calls: a request comes in, is answered, and is over
 *
 * The library hands a request over piece by piece: its address, its headers, its body, its end. Then it is answered at
 * once, or its connection is put to sleep until a job has answered it; both times the library calls once more for the
 * reply. A request whose length can be read in two ways is refused before anything of it is believed, and its
 * connection closed: what follows might be another request, smuggled in.
 */
#include "server.h"
#include "common/arguments.h"

#include <arpa/inet.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
    CONNECTIONS_MAX = 2048,
    CONNECTION_MEMORY = 64 << 10, /* for an address and headers, a connection */
    BODY_MAX = 1 << 20,
    BODY_SWALLOWED = 16 << 20, /* so much of one that is too long is read, to tell the client so */
    SENDING_MAX = 512 << 20,   /* bytes of bodies for all clients together */
    READING_MAX = 64 << 20,    /* and from all of them; what comes on top is hung up on */
    ANSWER_MAX = 64 << 20,     /* bytes of one answer about many boards */
    READ_SECONDS = 15,         /* for a request to come in, and to wait for the next one */
    SEND_SECONDS = 60,
    WORKERS = 4
};

/* -- a request begins and ends -- */

static struct connection *link_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info != NULL ? info->socket_context : NULL;
}

/* A line of the log: who, what, and what came of it. */
static void log_request(const struct request *request)
{
    struct timespec now;
    char host[INET6_ADDRSTRLEN] = "-";
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(request->connection,
                                                                   MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (info != NULL && info->client_addr->sa_family == AF_INET)
        inet_ntop(AF_INET, &((const struct sockaddr_in *)(const void *)info->client_addr)->sin_addr, host, sizeof host);
    else if (info != NULL && info->client_addr->sa_family == AF_INET6)
        inet_ntop(AF_INET6, &((const struct sockaddr_in6 *)(const void *)info->client_addr)->sin6_addr, host,
                  sizeof host);
    const double seconds = (double)(now.tv_sec - request->begun.tv_sec) +
                           1e-9 * (double)(now.tv_nsec - request->begun.tv_nsec);
    pdb_error line; /* one line, without anything that controls a terminal */
    error_set(&line, PDB_OK, "%s %s %.700s %u %zu %.4f s", host, request->method, request->target,
              request->reply.status, request->sent, seconds);
    fprintf(stderr, "%s\n", line.message);
}

/* Frees the request of a connection. The library does not call `end` for all that it has begun: what it refuses itself
 * is over when the next one begins, or the connection is closed. */
static void dispose(struct connection *link)
{
    struct request *request = link->request;
    if (request == NULL)
        return;
    if (request->server->options.log && request->counted)
        log_request(request);
    atomic_fetch_sub(&request->server->sending, request->sent);
    atomic_fetch_sub(&request->server->reading, request->body_room);
    reply_free(&request->reply);
    address_free(&request->address);
    puzzles_leave(request->job.offered);
    free(request->target);
    free(request->body);
    if (request->counted)
        atomic_fetch_sub(&request->server->active, 1);
    free(request);
    link->request = NULL;
}

/* Called with the address as it came, before anything else of a request is known. */
static void *begin(void *context, const char *target, struct MHD_Connection *connection)
{
    struct connection *link = link_of(connection);
    struct request *request = link != NULL ? calloc(1, sizeof *request) : NULL;
    if (request == NULL)
        return NULL;
    dispose(link);
    link->request = request;
    request->server = context;
    request->connection = connection;
    request->link = link;
    request->target = strdup(target);
    clock_gettime(CLOCK_MONOTONIC, &request->begun);
    return request;
}

/* Called when a request is over, however that came about. */
static void end(void *context, struct MHD_Connection *connection, void **kept, enum MHD_RequestTerminationCode code)
{
    struct server *server = context;
    struct request *request = *kept;
    (void)connection, (void)code;
    if (request == NULL)
        return;
    connections_allow(&server->connections, request->link, READ_SECONDS);
    dispose(request->link);
    *kept = NULL;
}

/* Called when a connection is opened or closed. */
static void connect_or_leave(void *context, struct MHD_Connection *connection, void **kept,
                             enum MHD_ConnectionNotificationCode code)
{
    struct server *server = context;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        if (*kept != NULL) {
            dispose(*kept);
            connections_remove(&server->connections, *kept);
        }
        *kept = NULL;
        return;
    }
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct connection *link = info != NULL ? connections_add(&server->connections, info->connect_fd) : NULL;
    if (link != NULL)
        connections_allow(&server->connections, link, READ_SECONDS);
    *kept = link;
}

/* -- what comes in -- */

/* How many headers of a name there are. */
struct counting {
    const char *name;
    unsigned count;
};

static enum MHD_Result count_header(void *context, enum MHD_ValueKind kind, const char *name, const char *value)
{
    struct counting *counting = context;
    (void)kind, (void)value;
    counting->count += strcasecmp(name, counting->name) == 0;
    return MHD_YES;
}

static unsigned headers_called(struct MHD_Connection *connection, const char *name)
{
    struct counting counting = {.name = name};
    MHD_get_connection_values(connection, MHD_HEADER_KIND, count_header, &counting);
    return counting.count;
}

/* Where does a body end? NULL where that is plain, else why it is not. */
static const char *find_ambiguity(struct MHD_Connection *connection)
{
    const unsigned lengths = headers_called(connection, MHD_HTTP_HEADER_CONTENT_LENGTH);
    const unsigned codings = headers_called(connection, MHD_HTTP_HEADER_TRANSFER_ENCODING);
    const char *length = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_CONTENT_LENGTH);
    const char *coding = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_TRANSFER_ENCODING);
    if (lengths + codings > 1)
        return "a request says once how long its body is";
    if (length != NULL && (*length == '\0' || length[strspn(length, "0123456789")] != '\0'))
        return "Content-Length is a number";
    if (coding != NULL && strcasecmp(coding, "chunked") != 0)
        return "Transfer-Encoding is chunked, or not there";
    return NULL;
}

/* Queues the reply that was made. */
static enum MHD_Result send_reply(struct request *request)
{
    struct server *server = request->server;
    if (atomic_load(&server->sending) + request->reply.length > SENDING_MAX) {
        reply_error(&request->reply, MHD_HTTP_SERVICE_UNAVAILABLE, "too many answers are under way");
        request->reply.retry = true;
    }
    connections_allow(&server->connections, request->link, SEND_SECONDS);
    const enum MHD_Result result = reply_send(&request->reply, request->connection, &request->sent);
    atomic_fetch_add(&server->sending, request->sent);
    return result;
}

/* Has the address a NUL in it, so that what follows would be passed over? Of the line "GET address HTTP/1.1" the
 * library makes three texts in their places, so the version begins right behind the address, or there is more of
 * that. */
static bool is_cut(const struct request *request, const char *url, const char *version)
{
    const uintptr_t begin = (uintptr_t)url, next = (uintptr_t)version;
    return next > begin && next - begin <= CONNECTION_MEMORY && next - begin != strlen(request->target) + 1;
}

/* The headers are there. A reply at this point closes the connection, and nothing more of it is read. */
static enum MHD_Result take_headers(struct request *request, const char *method, const char *url, const char *version)
{
    const char *length = MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND,
                                                     MHD_HTTP_HEADER_CONTENT_LENGTH);
    const char *ambiguity = is_cut(request, url, version) ? "an address has no NUL in it"
                                                          : find_ambiguity(request->connection);
    request->stage = STAGE_READING;
    request->counted = true;
    atomic_fetch_add(&request->server->active, 1);
    snprintf(request->method, sizeof request->method, "%s", method);
    request->fault = address_read(request->target, &request->address, &request->error);
    request->address.request.bytes = ANSWER_MAX;
    request->reply.programs = request->address.below_api;
    if (ambiguity != NULL) {
        reply_error(&request->reply, MHD_HTTP_BAD_REQUEST, ambiguity);
        return send_reply(request);
    }
    if (length == NULL || strtoull(length, NULL, 10) <= BODY_SWALLOWED)
        return MHD_YES;
    request->too_long = true;
    answer_at_once(request);
    return send_reply(request);
}

/* A piece of the body. What is too long, and what nobody asked for, is not kept. */
static enum MHD_Result take_body(struct request *request, const char *bytes, size_t count)
{
    request->body_length += count;
    request->too_long |= request->body_length > BODY_MAX;
    if (request->body_length > BODY_SWALLOWED)
        return MHD_NO;
    if (request->too_long || !request->address.post)
        return MHD_YES;
    if (request->body_length >= request->body_room) {
        const size_t room = 2 * request->body_length + 1;
        char *larger = atomic_load(&request->server->reading) + room <= READING_MAX ? realloc(request->body, room)
                                                                                    : NULL;
        if (larger == NULL)
            return MHD_NO;
        atomic_fetch_add(&request->server->reading, room - request->body_room);
        request->body = larger;
        request->body_room = room;
    }
    memcpy(request->body + request->body_length - count, bytes, count);
    request->body[request->body_length] = '\0';
    return MHD_YES;
}

/* -- what is done -- */

static void run_job(struct job *job)
{
    struct request *request = (struct request *)job;
    answer_in_time(request);
    MHD_resume_connection(request->connection); /* which may end the request at once */
}

/* All of it is there: it is answered, or put aside. */
static enum MHD_Result take_end(struct request *request)
{
    if (answer_at_once(request))
        return send_reply(request);
    request->stage = STAGE_WORKING;
    request->job.run = run_job;
    connections_allow(&request->server->connections, request->link, 0);
    MHD_suspend_connection(request->connection);
    if (jobs_add(&request->server->jobs, &request->job))
        return MHD_YES;
    reply_error(&request->reply, MHD_HTTP_SERVICE_UNAVAILABLE, "too many searches are waiting: try again in a while");
    request->reply.retry = true;
    MHD_resume_connection(request->connection);
    return MHD_YES;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *bytes, size_t *count, void **kept)
{
    struct request *request = *kept;
    (void)context, (void)connection;
    if (request == NULL || request->target == NULL)
        return MHD_NO;
    switch (request->stage) {
    case STAGE_BEGUN:
        return take_headers(request, method, url, version);
    case STAGE_READING:
        if (*count == 0)
            return take_end(request);
        const size_t taken = *count;
        *count = 0;
        return take_body(request, bytes, taken);
    case STAGE_WORKING:
        return send_reply(request);
    }
    return MHD_NO;
}

/* -- the server -- */

/* Connections take a file each, and databases too. */
static unsigned raise_files(void)
{
    struct rlimit files = {.rlim_cur = 0};
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < files.rlim_max) {
        files.rlim_cur = files.rlim_max < 2 * CONNECTIONS_MAX ? files.rlim_max : 2 * CONNECTIONS_MAX;
        setrlimit(RLIMIT_NOFILE, &files);
        getrlimit(RLIMIT_NOFILE, &files);
    }
    return files.rlim_cur < 2 * CONNECTIONS_MAX ? (unsigned)files.rlim_cur / 2 : CONNECTIONS_MAX;
}

/* Addresses are taken to pieces by address.c alone. */
static size_t leave_as_it_is(void *context, struct MHD_Connection *connection, char *text)
{
    (void)context, (void)connection;
    return strlen(text);
}

static struct MHD_Daemon *start_daemon(struct server *server, const struct addrinfo *at)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const unsigned threads = cores < 2 ? 2 : cores > 8 ? 8 : (unsigned)cores;
    const unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ITC |
                           (at->ai_family == AF_INET6 ? MHD_USE_IPv6 : 0);
    return MHD_start_daemon(
        flags, 0, NULL, NULL, handle, server, MHD_OPTION_SOCK_ADDR, at->ai_addr, MHD_OPTION_THREAD_POOL_SIZE, threads,
        MHD_OPTION_CONNECTION_LIMIT, raise_files(), MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_MEMORY,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)READ_SECONDS, MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1, MHD_OPTION_LISTEN_BACKLOG_SIZE, 1024u, MHD_OPTION_UNESCAPE_CALLBACK,
        leave_as_it_is, NULL, MHD_OPTION_URI_LOG_CALLBACK, begin, server, MHD_OPTION_NOTIFY_COMPLETED, end, server,
        MHD_OPTION_NOTIFY_CONNECTION, connect_or_leave, server, MHD_OPTION_END);
}

pdb_status server_start(struct server *server, unsigned *port, pdb_error *error)
{
    const struct options *options = &server->options;
    const struct addrinfo wanted = {.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV | AI_PASSIVE,
                                    .ai_socktype = SOCK_STREAM};
    struct addrinfo *at;
    char number[8];
    snprintf(number, sizeof number, "%u", (unsigned)options->port);
    if (getaddrinfo(options->listen, number, &wanted, &at) != 0)
        return error_set(error, PDB_BAD_USAGE, "--listen takes an address such as 127.0.0.1, 0.0.0.0 or ::1, not '%s'",
                         options->listen);
    server->connections.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pdb_status status = jobs_start(&server->jobs, WORKERS, (unsigned)options->seconds, error);
    if (status == PDB_OK && (server->page = page_make()) == NULL)
        status = error_no_memory(error, "the page", 1);
    if (status == PDB_OK && (server->daemon = start_daemon(server, at)) == NULL)
        status = error_set(error, PDB_IO, "cannot listen at %s, port %u: %m", options->listen, (unsigned)options->port);
    freeaddrinfo(at);
    if (status != PDB_OK)
        return status;
    *port = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
    return PDB_OK;
}

void server_stop(struct server *server)
{
    enum { STEP_MILLISECONDS = 20, GRACE_SECONDS = 5 };
    const unsigned steps = ((unsigned)server->options.seconds + GRACE_SECONDS) * 1000 / STEP_MILLISECONDS;
    const MHD_socket listening = server->daemon != NULL ? MHD_quiesce_daemon(server->daemon) : MHD_INVALID_SOCKET;
    if (listening != MHD_INVALID_SOCKET)
        close(listening);
    for (unsigned step = 0; step < steps && atomic_load(&server->active) > 0; step++) {
        const struct timespec pause = {.tv_nsec = STEP_MILLISECONDS * 1000000L};
        nanosleep(&pause, NULL);
        connections_sweep(&server->connections);
    }
    jobs_stop(&server->jobs); /* all connections that slept are awake then */
    if (server->daemon != NULL)
        MHD_stop_daemon(server->daemon);
    page_free(server->page);
}
