/* lost.h -- boards of a definition that cannot reach the goal, which its author will want to know of */
#ifndef GEN_LOST_H
#define GEN_LOST_H

#include "work.h"

/* Looks the named boards, and the one under the key 'board', up in the finished database; the lost ones are in
 * *summary. Nothing is an error here: what cannot be looked up is not said to be lost. (Nor are boards of a puzzle with
 * keys whose database was there already.) */
void lost_find(const struct work *work, struct summary *summary);

#endif
