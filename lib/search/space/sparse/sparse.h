/* sparse.h -- the room of the search by keys, for spaces whose states have no numbers
 *
 * The way to search that finds the states on its way (retrograde.h drives it like the others). Keys are kept in one
 * hash table (key_table.h), a layer's in a list; threads take batches of the list, have the family make the keys one
 * move away, and put them into the table, with prefetches ahead, for nearly every look-up waits for memory.
 *
 * Where moves cannot be undone it sets out from the goals and follows moves backward, one pass: what it finds is what
 * can reach a goal, and when it is found says how far that is. Where they can be undone there are two passes:
 *
 *   finding     from the named boards, all that can be reached; the goals among them are noted
 *   measuring   from those goals, layer by layer, over the keys that are there
 *
 * Where only the moves out of a state are known (puzzle->forward), finding tells whether each has one that takes it
 * back; if so it is measured like that, else over the moves kept (forward/forward.h).
 *
 * Kept beside each key is the depth, in one byte: where moves can be undone modulo SPARSE_CYCLE, which both residues
 * (values.h) can be told from. Where they cannot it is the distance itself, in two bytes or four once one does not do.
 *
 * Where there is one goal, and few keys are possible, both are tried at once, from that goal on (once.c).
 *
 * Where all keys are below a number so small that a bit for each takes no more memory than the table, there is a set of
 * bits in its place (lib/rank/key_bits.h), if only the moves out of a state are known: for then keys are not packed.
 * What is beside keys is kept by their places, which are known when all are found; and at the end nothing is sorted.
 *
 * At the end the table is sorted in its own memory, and the place of a key is the state's index from then on.
 */
#ifndef SEARCH_SPACE_SPARSE_H
#define SEARCH_SPACE_SPARSE_H

#include "lib/search/space/retrograde.h"

enum { SPARSE_CYCLE = 12 };

#endif
