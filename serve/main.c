/* main.c -- pdb-serve: answers about puzzles over HTTP, and a page to play on */
#include "server.h"
#include "common/signals.h"
#include "common/streams.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

/* Waits for Ctrl-C or SIGTERM, which are held back; meanwhile, shuts connections that are too slow and reads
 * definitions that have changed. */
static void wait_for_the_end(struct server *server)
{
    static const struct timespec second = {.tv_sec = 1};
    sigset_t stop;
    sigemptyset(&stop);
    sigaddset(&stop, SIGINT);
    sigaddset(&stop, SIGTERM);
    while (sigtimedwait(&stop, NULL, &second) < 0) {
        connections_sweep(&server->connections);
        puzzles_refresh(&server->puzzles);
    }
}

static pdb_status run(const struct options *options, pdb_error *error)
{
    struct server server = {.options = *options};
    const pdb_options solvers = {.directory = options->directory,
                                 .threads = 1, /* each request has one, whose deadline is then known */
                                 .observe = jobs_observe,
                                 .context = &server.jobs,
                                 .memory = options->memory};
    unsigned port;
    interrupt_hold(false);
    pdb_status status = puzzles_load(options->puzzle, options->puzzles, options->definitions, &solvers, &server.puzzles,
                                     error);
    if (status == PDB_OK) {
        status = server_start(&server, &port, error);
        if (status == PDB_OK) {
            const bool brackets = strchr(options->listen, ':') != NULL;
            printf("http://%s%s%s:%u/\n", brackets ? "[" : "", options->listen, brackets ? "]" : "", port);
            fflush(stdout);
            wait_for_the_end(&server);
        }
        server_stop(&server);
    }
    puzzles_free(&server.puzzles);
    return status;
}

int main(int argc, char **argv)
{
    struct options options;
    pdb_error error;
    pdb_status status = PDB_OK;
    streams_prepare();
    bus_error_explain();
    const enum arguments_outcome outcome = serve_options_read(argc, argv, &options, &error);
    if (outcome == ARGUMENTS_WRONG)
        status = error.status;
    else if (outcome == ARGUMENTS_READ)
        status = run(&options, &error);
    if (status == PDB_OK)
        status = streams_finish(&error);
    if (status != PDB_OK)
        fprintf(stderr, "pdb-serve: %s\n", error.message);
    return error_exit_code(status);
}
