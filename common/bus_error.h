/* bus_error.h -- what is said when a file vanishes under a map
 *
 * A database is read through a map of its file. Where somebody cuts the file short in place (pdb itself never does: it
 * renames), or the disk fails, there is nothing left to read, and the kernel sends SIGBUS to whoever touches it. A
 * library must not decide about signals; a program may.
 */
#ifndef COMMON_BUS_ERROR_H
#define COMMON_BUS_ERROR_H

/* From now on SIGBUS ends the process with a line on standard error and the exit code of damage, instead of a core. */
void bus_error_explain(void);

#endif
