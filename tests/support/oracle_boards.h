/*
 * A set of boards in the order in which a plain search found them: what the oracles of the families have in common, and
 * all of it. Boards are byte strings of one length, kept in a queue, with a hash table to tell whether one is
 * there already.
 *
 * Shares nothing with the library. Memory that runs out ends the process with a message: a test has nothing better to
 * do.
 */
#ifndef TESTS_SUPPORT_ORACLE_BOARDS_H
#define TESTS_SUPPORT_ORACLE_BOARDS_H

#include <stddef.h>

struct oracle_boards;

struct oracle_boards *oracle_boards_new(size_t length);
void oracle_boards_free(struct oracle_boards *boards);

/* Puts a board behind all others unless it is there already. */
void oracle_boards_add(struct oracle_boards *boards, const unsigned char *board, int distance);

size_t oracle_boards_count(const struct oracle_boards *boards);
/* Board number i; the pointer is good until the next board is added. */
const unsigned char *oracle_boards_at(const struct oracle_boards *boards, size_t i);
int oracle_boards_distance_at(const struct oracle_boards *boards, size_t i);
void oracle_boards_set_distance(struct oracle_boards *boards, size_t i, int distance);
/* The number of a board, and its distance; -1 where it is not in the set. */
ptrdiff_t oracle_boards_find(const struct oracle_boards *boards, const unsigned char *board);
int oracle_boards_distance(const struct oracle_boards *boards, const unsigned char *board);

#endif
