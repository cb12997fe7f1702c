/* bases.h -- good databases of every storage form, for the targets that spoil them and ask the spoilt ones */
#ifndef FUZZ_BASES_H
#define FUZZ_BASES_H

#include "fuzz.h"
#include "db/store.h"

enum { BASES_MAX = 16 };

/* A small puzzle and its database, as pdb-gen makes it. */
struct base {
    pdb_puzzle *puzzle;
    char path[300]; /* of the database, in the scratch directory */
    struct store *store;
    uint8_t *data; /* the store's, copied */
};

/* The base with this number. They are made before the first input, by LLVMFuzzerInitialize, and live as long as the
 * program. */
const struct base *base_get(size_t number);
size_t base_count(void);

/* Opens the file as a database, whoever's, and checks it completely. */
void exercise_store(const char *path);

/* Opens the database of a puzzle in a directory and asks everything that can be asked. Answers may be anything, but
 * they come, or a refusal. */
void exercise_solver(const pdb_puzzle *puzzle, const char *directory);

#endif
