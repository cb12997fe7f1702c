/* arguments.h -- what both programs do with command lines: numbers, sizes, and complaints about options */
#ifndef COMMON_ARGUMENTS_H
#define COMMON_ARGUMENTS_H

#include "lib/error.h"

#include <getopt.h>

/* A decimal number from min to max that `option` was given. False with PDB_BAD_USAGE in *error. */
bool arguments_number(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *value,
                      pdb_error *error);

/* A size in bytes: a number, a fraction allowed, and K, M, G or T (powers of 1024) behind it, B or iB allowed behind
 * that; at least 1 byte. */
bool arguments_size(const char *option, const char *text, uint64_t *bytes, pdb_error *error);

/* Puts what getopt_long did not like (it returned `found`, '?' or ':', with opterr 0 and a ':' before the short
 * options) into *error: an unknown option with the nearest known one, a missing argument, one too many. */
void arguments_complain(const char *program, int found, char **argv, const struct option *long_options,
                        pdb_error *error);

#endif
