/* test_tables.c -- the tables of a pattern database, read by one thread while others ask for them */
#include "tests/support/store_sample.h"
#include "space/tables.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Changes a byte of the data in the file: where it lies is found by what follows it. */
static void damage_data(const struct sample *sample, size_t offset)
{
    size_t size;
    uint8_t *file = read_file(goat_path, &size), *found = memmem(file, size, sample->data + offset, 32);
    cr_assert(found != NULL);
    *found ^= 1;
    FILE *stream = fopen(goat_path, "r+");
    cr_assert(stream != NULL && fwrite(file, 1, size, stream) == size && fclose(stream) == 0);
    free(file);
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

/* A damaged page is told by whatever touches it, and from then on by `sound`; a hint touches none. */
Test(tables, damage_is_told)
{
    struct sample sample = sample_make(10000, 3, 1, 5);
    const uint8_t *bytes = NULL;
    pdb_error error;
    publish(&sample);
    damage_data(&sample, 6000);
    for (int whole = 0; whole < 2; whole++) {
        struct tables *tables;
        struct store *store = open_store();
        cr_assert(tables_open(store, 1, 0, &tables, NULL) == PDB_OK);
        source = tables_source(tables);
        for (uint64_t offset = 0; offset < 10000; offset++)
            source->expect(source->context, offset);
        cr_expect(source->byte(source->context, 100) == sample.data[100]);
        cr_expect(source->sound(source->context, &error) == PDB_OK);
        if (whole)
            cr_expect(source->load(source->context, go_on, NULL, &bytes, &error) == PDB_DAMAGED && bytes == NULL);
        else
            cr_expect(source->byte(source->context, 6001) == UINT8_MAX);
        cr_expect(source->sound(source->context, &error) == PDB_DAMAGED);
        cr_expect(strstr(error.message, "does not fit its checksum") != NULL, "%s", error.message);
        tables_free(tables);
        store_close(store);
    }
    sample_free(&sample);
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
