/* store_sample.h -- what the tests of the store stand on: a directory for each, databases made of seeds, their files as
 * bytes */
#ifndef TESTS_SUPPORT_STORE_SAMPLE_H
#define TESTS_SUPPORT_STORE_SAMPLE_H

#include "db/store.h"
#include "support.h"

#include <lmdb.h>

/* The directory of the test that runs, and DIRECTORY/goat.pdb. A suite has sample_begin and sample_end for .init and
 * .fini: each test is a process of its own. LMDB is opened inside the tests for the same reason. */
extern char sample_directory[200], goat_path[300];
void sample_begin(void);
void sample_end(void);

/* A header with all that belongs to it, and data; all of it follows from the arguments. */
struct sample {
    struct store_header header;
    uint8_t *data;
    uint64_t *histogram;
    uint64_t *hardest;
};

struct sample sample_make(uint64_t data_bytes, size_t depths, uint64_t hardest, uint64_t seed);
/* Makes the data such as deflate to less than a half, and the header allow it. */
void sample_thin_out(struct sample *sample);
void sample_free(struct sample *sample);

pdb_status publish_as(const char *where, const char *name, const struct sample *sample, uint64_t *file_bytes,
                      pdb_error *error);
/* As goat_path. The test ends where it cannot be published, or opened. */
void publish(const struct sample *sample);
struct store *open_store(void);

/* That no writer left a temporary file beside goat_path. */
void expect_no_leftover(void);

/* Are header, histogram and hardest states the sample's? */
bool same_header(const struct store *store, const struct sample *sample);

/* Writes goat_path anew as an LMDB file with these records, each with right checksums of a definition of zeros. */
struct forged {
    const char *key;
    const void *payload;
    size_t size;
};
void forge(const struct forged *records, size_t count);

/* Reads all data, run by run. */
enum reading { READ_RIGHT, READ_REFUSED, READ_WRONG };
enum reading read_all(const struct store *store, const struct sample *sample);

/* That opening goat_path fails so, with `words` in its message. */
void expect_refusal(pdb_status expected, const char *words);

/* A file's bytes; the caller frees them. */
uint8_t *read_file(const char *name, size_t *size);

/* goat_path as LMDB itself opens it, for reading (MDB_RDONLY) or writing (0), in a transaction that has begun. */
struct plain_lmdb {
    MDB_env *environment;
    MDB_txn *transaction;
    MDB_dbi database;
};
struct plain_lmdb lmdb_begin(unsigned flags, size_t map_bytes);
void lmdb_end(struct plain_lmdb *lmdb); /* what was written is kept */

#endif
