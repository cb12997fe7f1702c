/* interrupt.h -- Ctrl-C while work goes on: it is held back, and looked for between two pieces of the work
 *
 * Without that the process would end at once and could not say how far it has got, or keep what is done.
 */
#ifndef COMMON_INTERRUPT_H
#define COMMON_INTERRUPT_H

#include <stdbool.h>

/* From now on SIGINT and SIGTERM wait, and with `hangup` SIGHUP, too: a program that keeps what it has done needs time
 * for that when its terminal goes. Those that are ignored stay so. Call it before there are threads. */
void interrupt_hold(bool hangup);

/* They end the process again, one that has waited at once. */
void interrupt_release(void);

/* Is one waiting, or SIGQUIT, which a game holds back too? Any thread may ask. */
bool interrupt_waits(void);

#endif
