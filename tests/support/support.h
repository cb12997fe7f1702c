/* support.h -- what several tests stand on */
#ifndef TESTS_SUPPORT_SUPPORT_H
#define TESTS_SUPPORT_SUPPORT_H

#include "catalog/catalog.h"
#include "lib/search/space/distance.h"
#include "lib/search/space/retrograde.h"

#include <criterion/criterion.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Criterion's classic comparisons do not print what they compare. */
#define EXPECT_NUMBER(actual, expected)                                                                                \
    do {                                                                                                               \
        const long long actual_ = (long long)(actual), expected_ = (long long)(expected);                              \
        cr_expect(actual_ == expected_, "line %d: %s is %lld, not %lld", __LINE__, #actual, actual_, expected_);       \
    } while (0)

#define EXPECT_TEXT(actual, expected)                                                                                  \
    do {                                                                                                               \
        const char *actual_ = (actual), *expected_ = (expected);                                                       \
        cr_expect(strcmp(actual_, expected_) == 0, "line %d: '%s', not '%s'", __LINE__, actual_, expected_);           \
    } while (0)

#define EXPECT_BEGIN(actual, expected)                                                                                 \
    do {                                                                                                               \
        const char *actual_ = (actual), *expected_ = (expected);                                                       \
        cr_expect(strncmp(actual_, expected_, strlen(expected_)) == 0, "line %d: '%s' does not begin with '%s'",       \
                  __LINE__, actual_, expected_);                                                                       \
    } while (0)

/* A test that takes long has a short form, for every change and for sanitizers: large spaces are held against the
 * oracles at one state (or batch of states) in `share`, and the largest games are left out. The verdict on every state
 * is the long form's, where the share is 1: so it is unless PDB_TESTS_SHARE in the environment says otherwise. */
unsigned share(void);

/* Is the i-th of a space's states, or batches, looked at? */
bool is_shared(uint64_t states, uint64_t i);

/* How many of a random sample are looked at. */
unsigned share_of(unsigned sample);

/* What the short form takes of a list of cases: one in so many; the long form takes each. */
unsigned short_step(unsigned step);

/* A puzzle of a definition's text, which is called "test.yaml" in messages: of either kind, or one with moves. */
pdb_status try_definition(const char *yaml, pdb_puzzle **puzzle, pdb_error *error);
pdb_status try_puzzle(const char *yaml, struct puzzle **puzzle, pdb_error *error);
/* A puzzle of a definition's text or by its name, with moves, without, or of either kind; the test ends where there is
 * none. The caller frees it: puzzle_free, items_puzzle_free, pdb_puzzle_free. */
struct puzzle *make_puzzle(const char *name_or_yaml);
struct puzzle *built_in(const char *name);
struct items_puzzle *make_items(const char *name_or_yaml);
pdb_puzzle *load_puzzle(const char *name_or_yaml);
/* What is said of a definition that has to be refused with this status. */
pdb_error refusal(const char *yaml, pdb_status expected);

/* The index of a board's text; the test ends where it has none. */
uint64_t index_of(const struct puzzle *puzzle, const char *text);

/* Bytes in memory as values have them; a read past their end ends the test. */
struct memory {
    const uint8_t *bytes;
    uint64_t size;
};
struct byte_source memory_source(const struct memory *memory);

/* All distances of a puzzle. */
struct solved {
    struct retrograde *search;
    struct retrograde_result result;
    struct memory memory;
    struct values values;
};
void solve(const struct puzzle *puzzle, unsigned threads, struct solved *solved); /* in the best way */
/* Plans and begins a search. */
pdb_status retrograde_of(enum retrograde_way way, const struct puzzle *puzzle, unsigned threads,
                         struct retrograde **out, pdb_error *error);
void solve_by(enum retrograde_way way, const struct puzzle *puzzle, unsigned threads, struct solved *solved);
void solved_free(struct solved *solved);

/* A puzzle of keys, solved by keys; and what keyed_create makes of it: to be freed with keyed_free, before the puzzle.
 * NULL, and nothing solved, where no state fits the goal. */
struct puzzle *solve_keys(const struct puzzle *base, unsigned threads, struct solved *solved);

/* The second alone. */
struct puzzle *explored(const struct puzzle *base, unsigned threads);

/* What a search would take, for looking at: its kernel is gone. */
struct retrograde_plan plan_of(enum retrograde_way way, const struct puzzle *puzzle, unsigned threads);
struct retrograde_plan plan_within(uint64_t bytes, const struct puzzle *puzzle, unsigned threads);

/* Numbers that look random (xorshift64); *state must not be 0. */
uint64_t next_random(uint64_t *state);
uint64_t random_below(uint64_t *state, uint64_t below);

/* A fact of a reply, NULL where it has none of this name; its text, "" for none; its number, 0 for none. */
const pdb_fact *find_fact(const pdb_reply *reply, const char *name);
const char *fact_text(const pdb_reply *reply, const char *name);
uint64_t fact_number(const pdb_reply *reply, const char *name);

/* Is this UTF-8, on one line? */
bool is_utf8_line(const char *text);

int compare_numbers(const void *a, const void *b); /* of uint64_t, for qsort */

/* Memory, or the end of the test. */
void *checked_memory(size_t count, size_t size);

/* A new directory under $TMPDIR, and its end with all that is in it. In a suite's .init and .fini: .fini runs after a
 * failed assertion, too. */
void make_directory(char path[200]);
void remove_directory(const char *path);

void write_file(const char *path, const void *bytes, size_t size);

#endif
