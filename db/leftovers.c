/* leftovers.c -- what a killed run leaves beside a database, and how it goes away */
#include "leftovers.h"

#include "checkpoint.h"
#include "files.h"

#include <stdlib.h>
#include <sys/stat.h>

/* Is the file there, and when was it written? */
static bool look(const char *directory, const char *name, const char *suffix, struct timespec *written)
{
    struct stat properties;
    char *path;
    if (file_path(directory, name, suffix, &path, NULL) != PDB_OK)
        return false;
    const bool there = lstat(path, &properties) == 0;
    free(path);
    if (there)
        *written = properties.st_mtim;
    return there;
}

static bool newer(const struct timespec *one, const struct timespec *other)
{
    return one->tv_sec > other->tv_sec || (one->tv_sec == other->tv_sec && one->tv_nsec > other->tv_nsec);
}

static bool checkpoint_is_left(const char *directory, const char *name, enum leftovers_checkpoint which)
{
    struct timespec checkpoint, database;
    if (which == LEFTOVERS_KEEP || !look(directory, name, ".pdb.partial", &checkpoint))
        return false;
    return which == LEFTOVERS_REMOVE || (look(directory, name, ".pdb", &database) && !newer(&checkpoint, &database));
}

void leftovers_remove(const char *directory, const char *name, enum leftovers_checkpoint which)
{
    struct store_writer *writer;
    struct timespec ignored;
    if (!checkpoint_is_left(directory, name, which) && !look(directory, name, ".pdb.new", &ignored) &&
        !look(directory, name, ".pdb.partial.new", &ignored))
        return;
    if (store_create(directory, name, &writer, NULL) != PDB_OK)
        return;
    /* Asked again: until the lock was ours another run may have saved a checkpoint, and been killed. */
    if (checkpoint_is_left(directory, name, which))
        checkpoint_remove(directory, name, NULL);
    else
        checkpoint_sweep(directory, name);
    store_abandon(writer);
}
