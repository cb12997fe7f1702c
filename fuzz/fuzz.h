/* fuzz.h -- what the fuzz targets stand on
 *
 * A target is a program with LLVMFuzzerTestOneInput, which libFuzzer calls with one input after another, each made of
 * an earlier one that reached new code. It finds crashes and what the sanitizers see; what else must hold, the targets
 * say with `demand`.
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include "catalog/catalog.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the program, as a finding, unless `held` is true; `what` says what was broken. */
void demand(bool held, const char *what);

/* Asks everything that is cheap about a proper position: what is written is read again, a state's number gives it back,
 * every move leads to a proper board, which its number's successors list too. */
void exercise_position(const struct puzzle *puzzle, const uint8_t *position);

/* Reads a text as a board and, if it is one, exercises it. */
void exercise_text(const struct puzzle *puzzle, const char *text);

/* Asks a puzzle without moves, with bytes of whatever source that it has accepted: an answer, or a refusal in words. */
void exercise_question(const struct items_puzzle *puzzle, const struct items *items, const char *question);

/* Asks about some of its items, in their own words: each has a distance. */
void exercise_items(const struct items_puzzle *puzzle, const struct items *items);

/* Works a puzzle without moves out, in so much memory and CPU time; whatever the status, the caller frees *out with
 * items_free. Other errors than PDB_TOO_LARGE, PDB_INTERRUPTED and PDB_BAD_DEFINITION are findings. */
pdb_status build_within(const struct items_puzzle *puzzle, uint64_t memory, double seconds, struct items *out);

/* Makes a built-in puzzle of its name, or any of a definition's text, which has lines. */
pdb_status load_sample(const char *definition_text, pdb_puzzle **puzzle, pdb_error *error);

/* The puzzle with this number, made when it is first asked for; NULL past the last. They stand for every family and
 * every way of numbering, and live as long as the program. */
const pdb_puzzle *sample_puzzle(size_t number);

/* The path of a file in a directory of this process's own, in memory (/dev/shm) unless $TMPDIR says otherwise. The
 * directory is removed when the program ends; fuzz/run removes what a crash leaves. */
const char *scratch_directory(void);
void scratch_path(const char *name, char *path, size_t size);

/* Replaces a file by these bytes. */
void write_file(const char *path, const void *bytes, size_t size);

#endif
