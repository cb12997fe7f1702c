/* terminal.h -- what is at the other end of a descriptor */
#ifndef COMMON_TERMINAL_H
#define COMMON_TERMINAL_H

#include <stdbool.h>

/* Is it a terminal that does more than print one line after another (TERM is set, and not dumb)? */
bool terminal_draws(int descriptor);

/* How many columns a line has: as $COLUMNS says, else as the terminal does, else 80. */
unsigned terminal_columns(int descriptor);

#endif
