/* server.h -- pdb-serve: answers about puzzles over HTTP, and a page to play on
 *
 * The room: main.c reads options, starts all and waits for a signal. requests.c is what libmicrohttpd calls: it takes a
 * request in, has it answered, and sends the reply; connections.h closes those that are too slow. address.h says what
 * an address asks, answer.c what is replied, reply.h with which headers; puzzles.h keeps puzzles and solvers, jobs.h
 * does what takes long, page.h has the files that are compiled in. The room sees libpdb by its public header alone.
 *
 * Threads: those of libmicrohttpd answer at once what can be looked up. What has to be searched, or solved first, is
 * put aside (its connection sleeps), done by a thread of jobs.h, and sent by the first one when it is done.
 */
#ifndef SERVE_SERVER_H
#define SERVE_SERVER_H

#include "address.h"
#include "connections.h"
#include "jobs.h"
#include "options.h"
#include "page.h"
#include "puzzles.h"
#include "reply.h"

#include <time.h>

struct server {
    struct options options;
    struct puzzles puzzles;
    struct jobs jobs;
    struct page *page;
    struct connections connections;
    struct MHD_Daemon *daemon;
    atomic_uint active;    /* requests that are under way */
    atomic_size_t sending; /* bytes of bodies that are under way */
    atomic_size_t reading; /* bytes of those that come in */
};

/* -- requests.c -- */

enum stage { STAGE_BEGUN, STAGE_READING, STAGE_WORKING };

struct request {
    struct job job; /* first: a job is its request */
    struct server *server;
    struct MHD_Connection *connection;
    struct connection *link; /* its connection, as connections.h knows it */
    enum stage stage;
    bool counted; /* among the server's active ones */
    char *target; /* the address, as it came */
    char method[16];
    struct address address;
    unsigned fault; /* of the address: a status of HTTP, 200 for none */
    pdb_error error;
    char *body; /* of a POST, with a NUL behind it */
    size_t body_length, body_room;
    bool too_long;
    struct timespec begun;
    struct reply reply;
    size_t sent; /* bytes of its body */
};

/* Listens, and answers from now on; *port is the one it listens at. Errors: PDB_IO, PDB_BAD_USAGE. */
pdb_status server_start(struct server *server, unsigned *port, pdb_error *error);
/* Takes no more connections, waits for the requests that are under way, and ends. Also where server_start failed. */
void server_stop(struct server *server);

/* -- answer.c -- */

/* Replies to a request that has come in whole; false where that takes long: then it is to be done as a job. */
bool answer_at_once(struct request *request);
/* The same as a job: it may search, and solve a puzzle. */
void answer_in_time(struct request *request);

#endif
