/* connections.c -- those that are open, and by when each has to have got on */
#include "connections.h"

#include <stdlib.h>
#include <sys/socket.h>

static time_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec;
}

struct connection *connections_add(struct connections *connections, int socket)
{
    struct connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL)
        return NULL;
    connection->socket = socket;
    pthread_mutex_lock(&connections->lock);
    connection->at = &connections->first;
    connection->next = connections->first;
    if (connection->next != NULL)
        connection->next->at = &connection->next;
    connections->first = connection;
    pthread_mutex_unlock(&connections->lock);
    return connection;
}

void connections_remove(struct connections *connections, struct connection *connection)
{
    pthread_mutex_lock(&connections->lock);
    *connection->at = connection->next;
    if (connection->next != NULL)
        connection->next->at = connection->at;
    pthread_mutex_unlock(&connections->lock);
    free(connection);
}

void connections_allow(struct connections *connections, struct connection *connection, unsigned seconds)
{
    pthread_mutex_lock(&connections->lock);
    connection->deadline = seconds > 0 ? now() + (time_t)seconds : 0;
    pthread_mutex_unlock(&connections->lock);
}

void connections_sweep(struct connections *connections)
{
    const time_t time = now();
    pthread_mutex_lock(&connections->lock);
    for (struct connection *connection = connections->first; connection != NULL; connection = connection->next)
        if (connection->deadline != 0 && connection->deadline < time)
            shutdown(connection->socket, SHUT_RDWR); /* libmicrohttpd, which owns it, finds it closed */
    pthread_mutex_unlock(&connections->lock);
}
