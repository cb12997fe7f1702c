/* scratch.c -- a file for what a search has no memory for */
#include "scratch.h"
#include "files.h"
#include "lib/text.h"

#include <dirent.h>
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

enum { SUFFIX_MAX = 48 };

static void name_suffix(uint64_t digest, char suffix[SUFFIX_MAX])
{
    snprintf(suffix, SUFFIX_MAX, ".pdb.scratch.%08x", (unsigned)digest);
}

/* Names the file of a database: others of the same name, in other directories, have others. */
static pdb_status name_file(struct scratch *scratch, const char *directory, const char *name,
                            const struct scratch_of *of, pdb_error *error)
{
    char suffix[SUFFIX_MAX] = ".pdb.scratch.check";
    if (of != NULL)
        name_suffix(of->digest, suffix);
    if (of != NULL && of->processes > 1)
        snprintf(suffix + strlen(suffix), SUFFIX_MAX - strlen(suffix), ".%u", of->process);
    return file_path(directory, name, suffix, scratch->path, error);
}

pdb_status scratch_digest(const char *database_directory, uint64_t *digest, pdb_error *error)
{
    char place[PATH_MAX];
    if (realpath(database_directory, place) == NULL)
        return file_failed(error, "find", database_directory, errno);
    *digest = (unsigned)XXH3_64bits(place, strlen(place));
    return PDB_OK;
}

pdb_status scratch_open(struct scratch *scratch, const char *directory, const char *name, const struct scratch_of *of,
                        pdb_error *error)
{
    pdb_error cause;
    pdb_status status = name_file(scratch, directory, name, of, &cause);
    if (status == PDB_OK)
        status = file_make_directory(directory, &cause);
    if (status == PDB_OK)
        status = file_open_locked(scratch->path, "using this scratch file", &scratch->file, &cause);
    scratch->open = status == PDB_OK;
    if (!scratch->open)
        return error_set(error, status, status == PDB_IO ? "%s; --scratch takes a directory to make a file in" : "%s",
                         cause.message);
    fcntl(scratch->file, F_SETFL, fcntl(scratch->file, F_GETFL) | O_DIRECT); /* or it goes through the cache */
    if (of == NULL)
        unlink(scratch->path); /* nothing is left of it, even if this process is killed */
    return PDB_OK;
}

pdb_status scratch_look(const struct scratch *scratch, struct scratch_disk *disk, pdb_error *error)
{
    const uint64_t block = 512;
    char machine[HOST_NAME_MAX + 1] = "";
    struct stat file;
    if (fstat(scratch->file, &file) != 0)
        return file_failed(error, "read", scratch->path, errno);
    gethostname(machine, HOST_NAME_MAX);
    disk->number = XXH3_64bits_withSeed(machine, strlen(machine), file.st_dev);
    disk->has = (uint64_t)file.st_blocks * block;
    return PDB_OK;
}

/* Does the file system give back room from a file's middle? It is asked for room behind the file's end. */
static bool may_shrink(int file, const struct stat *facts)
{
    const off_t unit = 1 << 16, end = (facts->st_size + unit - 1) / unit * unit;
    return fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, end, unit) == 0;
}

pdb_status scratch_room(const struct scratch *scratch, const struct scratch_wants *wants, bool *drops, pdb_error *error)
{
    struct stat file, place;
    struct statvfs disk;
    char need[NUMBER_TEXT_MAX], has[NUMBER_TEXT_MAX];
    if (fstat(scratch->file, &file) != 0 || fstatvfs(scratch->file, &disk) != 0)
        return file_failed(error, "read", scratch->path, errno);
    /* What an earlier run has left in it counts. */
    const uint64_t room = (uint64_t)disk.f_bavail * disk.f_frsize + wants->have;
    const bool together = wants->directory != NULL && stat(wants->directory, &place) == 0 &&
                          place.st_dev == file.st_dev;
    const uint64_t least = wants->files + (together ? wants->kept : 0), most = least + (together ? wants->database : 0);
    const bool drop = drops != NULL && room < most && may_shrink(scratch->file, &file);
    const uint64_t needed = drop ? least : most;
    if (drops != NULL)
        *drops = drop;
    if (room >= needed)
        return PDB_OK;
    return error_set(error, PDB_IO,
                     "%s%s%s %s of room on the disk, and there are %s: free some, or name another directory with "
                     "--scratch",
                     scratch->path, wants->others ? " and such files of other processes" : "",
                     together        ? " and what is kept beside it need"
                     : wants->others ? " need"
                                     : " needs",
                     size_text(needed, need), size_text(room, has));
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

/* Is this the name of such a file, of whichever process? */
static bool is_ours(const char *entry, const char *name)
{
    const size_t length = strlen(name);
    const char *rest = entry + length;
    if (strncmp(entry, name, length) != 0)
        return false;
    return *rest == '\0' || (*rest == '.' && rest[1] != '\0' && rest[1 + strspn(rest + 1, "0123456789")] == '\0');
}

void scratch_clear_up(const char *directory, const char *name, uint64_t digest)
{
    char suffix[SUFFIX_MAX], path[PATH_MAX], other[PATH_MAX];
    DIR *entries = opendir(directory);
    name_suffix(digest, suffix);
    if (entries == NULL || file_path(directory, name, suffix, path, NULL) != PDB_OK) {
        if (entries != NULL)
            closedir(entries);
        return;
    }
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): nobody else reads these entries */
    for (const struct dirent *entry; (entry = readdir(entries)) != NULL;) {
        int file;
        const int length = snprintf(other, sizeof other, "%s/%s", directory, entry->d_name);
        if (!is_ours(entry->d_name, strrchr(path, '/') + 1) || length >= (int)sizeof other ||
            file_open_locked(other, "using this scratch file", &file, NULL) != PDB_OK)
            continue;
        unlink(other);
        close(file);
    }
    closedir(entries);
}
