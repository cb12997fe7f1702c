/* interrupt.h -- Ctrl-C while a search goes on: it is held back, and looked for by the search
 *
 * Without that the process would end at once and could not say how far the search has got.
 */
#ifndef QUERY_INTERRUPT_H
#define QUERY_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT and SIGTERM wait; call it before there are threads. */
void interrupt_hold(void);

/* They end the process again, one that has waited at once. */
void interrupt_release(void);

/* Is one waiting, or SIGQUIT, which a game holds back too? Any thread may ask. */
bool interrupt_waits(void);

#endif
