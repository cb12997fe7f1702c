/* files.c -- the names of a database's files, and the steps that make one durable */
#include "files.h"
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOCK_ATTEMPTS = 100 };

#define LETTERS_AND_DIGITS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

bool file_name_allowed(const char *name)
{
    size_t length = strnlen(name, STORE_NAME_MAX + 1);
    return length > 0 && length <= STORE_NAME_MAX && strspn(name, LETTERS_AND_DIGITS) > 0 &&
           strspn(name, LETTERS_AND_DIGITS "._-") == length;
}

pdb_status file_path(const char *directory, const char *name, const char *suffix, char path[PATH_MAX], pdb_error *error)
{
    if (!file_name_allowed(name))
        return error_set(
            error, PDB_BAD_USAGE,
            "\"%.100s\" cannot name a database: a letter or a digit, then letters, digits and . _ -, at most %d in all",
            name, STORE_NAME_MAX);
    if (directory[0] == '\0')
        return error_set(error, PDB_BAD_USAGE, "the directory for databases is an empty name");
    const int length = snprintf(path, PATH_MAX, "%s/%s%s", directory, name, suffix);
    if (length >= 0 && length < PATH_MAX)
        return PDB_OK;
    return error_set(error, PDB_BAD_USAGE, "the path %.200s... is too long: %d bytes, where %d fit", path, length,
                     PATH_MAX - 1);
}

pdb_status store_path(const char *directory, const char *name, char path[PATH_MAX], pdb_error *error)
{
    return file_path(directory, name, ".pdb", path, error);
}

/* A directory that was made lasts once its parent is synced, as far as that can be opened and synced. */
static void sync_parent(const char *directory)
{
    int file = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int parent = file < 0 ? -1 : openat(file, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (parent >= 0) {
        fsync(parent);
        close(parent);
    }
    if (file >= 0)
        close(file);
}

pdb_status file_make_directory(const char *directory, pdb_error *error)
{
    char *path = strdup(directory);
    if (path == NULL)
        return error_no_memory(error, "a path", strlen(directory) + 1);
    pdb_status status = PDB_OK;
    for (char *end = path + 1; status == PDB_OK; end++) {
        if (*end != '/' && *end != '\0')
            continue;
        char kept = *end;
        *end = '\0';
        /* Any error but "it is there" counts only for the last: a parent may be unwritable, or unreadable, and yet
         * do. */
        if (mkdir(path, 0777) == 0)
            sync_parent(path);
        else if (errno != EEXIST && kept == '\0')
            status = file_failed(error, "make the directory", directory, errno);
        *end = kept;
        if (kept == '\0')
            break;
    }
    free(path);
    return status;
}

pdb_status file_write(int file, const void *bytes, size_t size, const char *path, pdb_error *error)
{
    for (const char *next = bytes; size > 0;) {
        ssize_t written = write(file, next, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return file_failed(error, "write", path, written < 0 ? errno : ENOSPC);
        next += written;
        size -= (size_t)written;
    }
    return PDB_OK;
}

static bool same_inode(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

bool file_same(int file, int other)
{
    struct stat one, two;
    return fstat(file, &one) == 0 && fstat(other, &two) == 0 && same_inode(&one, &two);
}

bool file_named(int file, const char *path)
{
    struct stat one, two;
    return fstat(file, &one) == 0 && lstat(path, &two) == 0 && same_inode(&one, &two);
}

pdb_status file_lock(int file, const char *path, const char *what, pdb_error *error)
{
    int result;
    do
        result = flock(file, LOCK_EX | LOCK_NB);
    while (result != 0 && errno == EINTR);
    if (result == 0)
        return PDB_OK;
    if (errno == EWOULDBLOCK)
        return error_set(error, PDB_BUSY, "another pdb-gen is %s (it holds %s); wait until it is done", what, path);
    return file_failed(error, "lock", path, errno);
}

/* Opens a file, new or left behind, and locks it. */
static pdb_status open_and_lock(const char *path, const char *what, int *out, pdb_error *error)
{
    const int flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    struct stat properties;
    int file = open(path, flags | O_EXCL, 0666);
    const bool made = file >= 0;
    if (file < 0 && errno == EEXIST)
        file = open(path, flags, 0666);
    if (file < 0 && errno == ELOOP)
        return error_set(error, PDB_IO, "cannot write %s: it is a symbolic link; remove it", path);
    if (file < 0)
        return file_failed(error, "write", path, errno);
    const bool known = fstat(file, &properties) == 0, regular = known && S_ISREG(properties.st_mode);
    if (!regular || properties.st_nlink > 1 || properties.st_uid != geteuid()) {
        const int reason = errno;
        close(file);
        return !known ? file_failed(error, "write", path, reason)
                      : error_set(error, PDB_IO, "cannot write %s: it %s; remove it", path,
                                  !regular                  ? "is no regular file"
                                  : properties.st_nlink > 1 ? "has other names, too"
                                                            : "belongs to another user");
    }
    const pdb_status status = file_lock(file, path, what, error);
    if (status == PDB_OK) {
        *out = file;
        return PDB_OK;
    }
    close(file);
    if (made && status != PDB_BUSY)
        unlink(path); /* there are no locks here, so nobody has it */
    return status;
}

/* Between our opening and our locking the holder may have renamed or removed the file: then the lock is on a file that
 * has this name no longer, and the next one under the name is tried. */
pdb_status file_open_locked(const char *path, const char *what, int *out, pdb_error *error)
{
    for (int attempt = 0; attempt < LOCK_ATTEMPTS; attempt++) {
        int file = -1;
        pdb_status status = open_and_lock(path, what, &file, error);
        if (status != PDB_OK)
            return status;
        if (file_named(file, path)) {
            *out = file;
            return PDB_OK;
        }
        close(file);
    }
    return error_set(error, PDB_BUSY, "%s keeps changing: other programs are %s", path, what);
}

pdb_status file_publish(int file, const char *temporary, const char *path, const char *directory, pdb_error *error)
{
    if (fsync(file) != 0)
        return file_failed(error, "write", temporary, errno);
    if (!file_named(file, temporary))
        return file_taken_away(error, temporary);
    if (rename(temporary, path) != 0)
        return file_failed(error, "put a new file in the place of", path, errno);
    /* A rename lasts once the directory is synced. Some file systems cannot sync a directory and say EINVAL, and one
     * that may be written but not read cannot be opened: nothing to be done there. */
    const int parent = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int failure = parent < 0 ? errno : fsync(parent) == 0 || errno == EINVAL ? 0 : errno;
    if (parent >= 0)
        close(parent);
    return failure == 0 || (parent < 0 && failure == EACCES)
               ? PDB_OK
               : file_failed(error, "sync the directory", directory, failure);
}

pdb_status file_taken_away(pdb_error *error, const char *path)
{
    return error_set(error, PDB_IO, "cannot write %s: somebody removed or replaced it, or its directory, meanwhile",
                     path);
}

pdb_status file_damaged(pdb_error *error, const char *path, const char *what, ...)
{
    char words[400];
    va_list arguments;
    va_start(arguments, what);
    vsnprintf(words, sizeof words, what, arguments);
    va_end(arguments);
    return error_set(error, PDB_DAMAGED, "%s %s; generate it again with `pdb-gen --force`", path, words);
}

/* -- where databases live -- */

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value != NULL && *value != '\0' ? value : NULL;
}

pdb_status directory_default(char *path, size_t size, pdb_error *error)
{
    const char *pdb = variable("PDB_PATH"), *data = variable("XDG_DATA_HOME"), *home = variable("HOME");
    int length;
    if (data != NULL && *data != '/')
        data = NULL; /* the XDG Base Directory Specification says to ignore a path that is not absolute */
    if (pdb != NULL)
        length = snprintf(path, size, "%s", pdb);
    else if (data != NULL)
        length = snprintf(path, size, "%s/pdb", data);
    else if (home != NULL)
        length = snprintf(path, size, "%s/.local/share/pdb", home);
    else
        return error_set(error, PDB_NO_DATABASE, "no directory for databases: set PDB_PATH, or give --db-dir");
    if (length < 0 || (size_t)length >= size)
        return error_set(
            error, PDB_IO,
            "the path of the directory for databases is longer than %zu bytes: set PDB_PATH, or give --db-dir",
            size - 1);
    return PDB_OK;
}
