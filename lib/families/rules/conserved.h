/* conserved.h -- arrays whose values moves do not change but for their order
 *
 * A push takes a box from one cell and puts it into another: there are as many boxes as before. What a move takes from
 * an array's elements it then puts back, which is told from its assignments: each has a value before, known from the
 * condition or the same node as a value after, and the two lists are the same but for their order.
 */
#ifndef FAMILIES_RULES_CONSERVED_H
#define FAMILIES_RULES_CONSERVED_H

#include "rules.h"

/* Does every move leave the values of this variable's elements as they are, but for their order? */
bool conserved_by_moves(struct rules *rules, const struct rules_variable *variable);

#endif
