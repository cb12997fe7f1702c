/* scratch.c -- a file for what a search has no memory for */
#include "scratch.h"
#include "files.h"
#include "lib/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Names the file of a database: others of the same name, in other directories, have others. */
static pdb_status name_file(struct scratch *scratch, const char *directory, const char *name,
                            const char *database_directory, pdb_error *error)
{
    char suffix[40] = ".pdb.scratch.check", place[PATH_MAX];
    if (database_directory != NULL && realpath(database_directory, place) == NULL)
        return file_failed(error, "find", database_directory, errno);
    if (database_directory != NULL)
        snprintf(suffix, sizeof suffix, ".pdb.scratch.%08x", (unsigned)XXH3_64bits(place, strlen(place)));
    return file_path(directory, name, suffix, scratch->path, error);
}

pdb_status scratch_open(struct scratch *scratch, const char *directory, const char *name,
                        const char *database_directory, pdb_error *error)
{
    pdb_error cause;
    pdb_status status = name_file(scratch, directory, name, database_directory, &cause);
    if (status == PDB_OK)
        status = file_make_directory(directory, &cause);
    if (status == PDB_OK)
        status = file_open_locked(scratch->path, "using this scratch file", &scratch->file, &cause);
    scratch->open = status == PDB_OK;
    if (!scratch->open)
        return error_set(error, status, status == PDB_IO ? "%s; --scratch takes a directory to make a file in" : "%s",
                         cause.message);
    fcntl(scratch->file, F_SETFL, fcntl(scratch->file, F_GETFL) | O_DIRECT); /* or it goes through the cache */
    if (database_directory == NULL)
        unlink(scratch->path); /* nothing is left of it, even if this process is killed */
    return PDB_OK;
}

/* Does the file system give back room from a file's middle? It is asked for room behind the file's end. */
static bool may_shrink(int file, const struct stat *facts)
{
    const off_t unit = 1 << 16, end = (facts->st_size + unit - 1) / unit * unit;
    return fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, end, unit) == 0;
}

pdb_status scratch_room(const struct scratch *scratch, uint64_t bytes, const char *directory, uint64_t kept_bytes,
                        uint64_t database_bytes, bool *drops, pdb_error *error)
{
    struct stat file, place;
    struct statvfs disk;
    char need[NUMBER_TEXT_MAX], has[NUMBER_TEXT_MAX];
    if (fstat(scratch->file, &file) != 0 || fstatvfs(scratch->file, &disk) != 0)
        return file_failed(error, "read", scratch->path, errno);
    /* What an earlier run has left in it counts. */
    const uint64_t block = 512, room = (uint64_t)disk.f_bavail * disk.f_frsize + (uint64_t)file.st_blocks * block;
    const bool together = directory != NULL && stat(directory, &place) == 0 && place.st_dev == file.st_dev;
    const uint64_t least = bytes + (together ? kept_bytes : 0), most = least + (together ? database_bytes : 0);
    *drops = room < most && may_shrink(scratch->file, &file);
    const uint64_t needed = *drops ? least : most;
    if (room >= needed)
        return PDB_OK;
    return error_set(error, PDB_IO,
                     "%s%s %s of room on the disk, and there are %s: free some, or name another directory with "
                     "--scratch",
                     scratch->path, together ? " and what is kept beside it need" : " needs", size_text(needed, need),
                     size_text(room, has));
}

pdb_status scratch_empty(const struct scratch *scratch, pdb_error *error)
{
    return ftruncate(scratch->file, 0) == 0 ? PDB_OK : file_failed(error, "write", scratch->path, errno);
}

void scratch_close(struct scratch *scratch, bool stays)
{
    if (!scratch->open)
        return;
    if (!stays && file_named(scratch->file, scratch->path))
        unlink(scratch->path);
    close(scratch->file);
    scratch->open = false;
}

void scratch_clear_up(const char *directory, const char *name, const char *database_directory)
{
    struct scratch scratch;
    if (name_file(&scratch, directory, name, database_directory, NULL) == PDB_OK && access(scratch.path, F_OK) == 0 &&
        scratch_open(&scratch, directory, name, database_directory, NULL) == PDB_OK)
        scratch_close(&scratch, false);
}
