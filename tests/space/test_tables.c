/* test_tables.c -- the tables of a pattern database, read by one thread while others ask for them */
#include "tests/support/store_sample.h"
#include "space/tables.h"

#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>

TestSuite(tables, .init = sample_begin, .fini = sample_end);

static const struct pattern_source *source;
static sem_t reading, asked;

/* Reading does not go on until the others have asked. */
static bool hold(void *context, uint64_t done)
{
    (void)context, (void)done;
    sem_post(&reading);
    sem_wait(&asked);
    return true;
}

static bool go_on(void *context, uint64_t done)
{
    (void)context, (void)done;
    return true;
}

static const uint8_t *load(pattern_observer *observe)
{
    const uint8_t *bytes = NULL;
    pdb_error error;
    cr_assert(source->load(source->context, observe, NULL, &bytes, &error) == PDB_OK, "%s", error.message);
    return bytes;
}

static void *read_slowly(void *bytes)
{
    *(const uint8_t **)bytes = load(hold);
    return NULL;
}

static void *read_at_last(void *bytes)
{
    sem_post(&reading);
    *(const uint8_t **)bytes = load(NULL);
    return NULL;
}

/* Whoever can be told to stop goes on without them; whoever cannot waits, and never goes without. */
Test(tables, one_reads_and_others_wait)
{
    struct sample sample = sample_make(10000, 3, 1, 5);
    const uint8_t *bytes[2] = {NULL, NULL};
    struct tables *tables;
    pthread_t thread[2];
    publish(&sample);
    struct store *store = open_store();
    cr_assert(tables_open(store, 1, 0, &tables, NULL) == PDB_OK);
    source = tables_source(tables);
    sem_init(&reading, 0, 0);
    sem_init(&asked, 0, 0);
    cr_assert(pthread_create(&thread[0], NULL, read_slowly, &bytes[0]) == 0);
    sem_wait(&reading);
    cr_expect(source->loaded(source->context) == NULL && load(go_on) == NULL);
    cr_assert(pthread_create(&thread[1], NULL, read_at_last, &bytes[1]) == 0);
    sem_wait(&reading);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL); /* until it waits */
    sem_post(&asked);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    cr_assert(bytes[0] != NULL && bytes[1] == bytes[0] && load(go_on) == bytes[0]);
    cr_expect(memcmp(bytes[0], sample.data, 10000) == 0);
    tables_free(tables);
    store_close(store);
    sample_free(&sample);
}
