/* connections.h -- those that are open, and by when each has to have got on
 *
 * libmicrohttpd closes a connection on which nothing happens for a while. A client that sends, or takes, a byte now and
 * then would keep one for ever; so each stage of a request has its deadline here, and a connection that has passed it
 * is shut.
 */
#ifndef SERVE_CONNECTIONS_H
#define SERVE_CONNECTIONS_H

#include <pthread.h>
#include <time.h>

struct connection {
    struct connection *next, **at; /* in the list, and what points to it there */
    int socket;
    void *request;   /* the one that is under way, for whoever handles it; NULL for none */
    time_t deadline; /* of the monotonic clock; 0: none */
};

struct connections {
    pthread_mutex_t lock;
    struct connection *first;
};

/* Takes one in; NULL where memory is short. And out. */
struct connection *connections_add(struct connections *connections, int socket);
void connections_remove(struct connections *connections, struct connection *connection);

/* It has so many seconds from now on; 0: as many as it takes. */
void connections_allow(struct connections *connections, struct connection *connection, unsigned seconds);

/* Shuts all that are past their deadlines. */
void connections_sweep(struct connections *connections);

#endif
