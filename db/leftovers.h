/* leftovers.h -- what a killed run leaves beside a database, and how it goes away
 *
 * The file it was writing (NAME.pdb.new or NAME.pdb.partial.new); and the checkpoint, where it was killed after the
 * database was published and before it removed that. The next run clears up, even one that finds nothing to do.
 */
#ifndef DB_LEFTOVERS_H
#define DB_LEFTOVERS_H

#include "lib/error.h"

enum leftovers_checkpoint {
    LEFTOVERS_KEEP,   /* the checkpoint stays */
    LEFTOVERS_OLDER,  /* it goes if it is no newer than the database: one that is, is of a later run that goes on */
    LEFTOVERS_REMOVE, /* it goes */
};

/* Removes what is left, unless somebody is making the database now; nothing is touched where nothing is left. The
 * caller has no store_writer of this name. It is no error that something cannot be removed. */
void leftovers_remove(const char *directory, const char *name, enum leftovers_checkpoint which);

#endif
