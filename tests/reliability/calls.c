/* calls.c -- loaded before a program (LD_PRELOAD), counts the calls by which it changes files, and spoils one of them
 *
 * PDB_CALLS is N:signal:NUMBER (the signal comes before the N-th call), N:torn (half of what the N-th call writes is
 * written, then SIGKILL), N:error:ERRNO (the N-th call fails) or N:errors:ERRNO (all from the N-th on fail, but for
 * those that give room back: unlink, and ftruncate to nothing). Each call is a line in the file PDB_CALLS_LOG: its name
 * and the path of its file.
 *
 * Calls go to the kernel itself, past a sanitizer's wrappers.
 */
#undef _FILE_OFFSET_BITS /* else the headers' open is open64, and both are wanted here */

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define WRAPPED __attribute__((visibility("default")))

/* What becomes of a call. */
enum fate { GOES_ON, TORN, FAILED };

static void write_log(const char *log, const char *name, const char *path)
{
    char line[5000];
    const int length = snprintf(line, sizeof line, "%s %s\n", name, path);
    const int file = (int)syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file < 0 || syscall(SYS_write, file, line, length) != length)
        abort();
    syscall(SYS_close, file);
}

/* One more call: is it the one? */
static enum fate call(const char *name, const char *path, bool gives_room)
{
    static _Atomic long calls;
    const char *plan = getenv("PDB_CALLS"), *log = getenv("PDB_CALLS_LOG");
    if (plan == NULL && log == NULL) /* a sanitizer's own calls, before there is an environment */
        return GOES_ON;
    const long number = ++calls;
    char *what;
    if (log != NULL)
        write_log(log, name, path);
    const long wanted = plan != NULL ? strtol(plan, &what, 10) : 0;
    if (wanted == 0 || number < wanted)
        return GOES_ON;
    if (strncmp(what, ":errors:", 8) == 0 && !gives_room) {
        errno = atoi(what + 8);
        return FAILED;
    }
    if (number > wanted)
        return GOES_ON;
    if (strncmp(what, ":signal:", 8) == 0)
        kill(getpid(), atoi(what + 8));
    if (strncmp(what, ":torn", 5) == 0)
        return TORN;
    if (strncmp(what, ":error:", 7) == 0) {
        errno = atoi(what + 7);
        return FAILED;
    }
    return GOES_ON;
}

static enum fate call_on(const char *name, int file, bool gives_room)
{
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    return call(name, path, gives_room);
}

/* Does what the system call of this number does, unless it is to fail. Only what its wrapper has halved is torn. */
static long perform(enum fate fate, long number, long first, long second, long third, long fourth)
{
    const long result = fate == FAILED ? -1 : syscall(number, first, second, third, fourth);
    if (fate == TORN)
        kill(getpid(), SIGKILL);
    return result;
}

/* Of bytes, or of parts. */
static ssize_t perform_write(enum fate fate, long number, int file, const void *bytes, size_t count, off_t offset)
{
    return perform(fate, number, file, (long)bytes, (long)(fate == TORN ? count / 2 : count), offset);
}

/* -- the calls; off_t and off64_t are the same -- */

WRAPPED int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const unsigned mode = (flags & O_CREAT) != 0 ? va_arg(arguments, unsigned) : 0;
    va_end(arguments);
    const bool changes = (flags & (O_CREAT | O_TRUNC)) != 0 || (flags & O_ACCMODE) != O_RDONLY;
    const enum fate fate = changes ? call("open", path, false) : GOES_ON;
    return (int)perform(fate, SYS_openat, AT_FDCWD, (long)path, flags, mode);
}

WRAPPED int open64(const char *path, int flags, ...) __attribute__((alias("open")));

/* Standard streams are no business of ours. */
WRAPPED ssize_t write(int file, const void *bytes, size_t size)
{
    const enum fate fate = file > STDERR_FILENO ? call_on("write", file, false) : GOES_ON;
    return perform_write(fate, SYS_write, file, bytes, size, 0);
}

WRAPPED ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset)
{
    return perform_write(call_on("write", file, false), SYS_pwrite64, file, bytes, size, offset);
}

WRAPPED ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t offset) __attribute__((alias("pwrite")));

WRAPPED ssize_t writev(int file, const struct iovec *parts, int count)
{
    return perform_write(call_on("write", file, false), SYS_writev, file, parts, (size_t)count, 0);
}

WRAPPED int ftruncate(int file, off_t size)
{
    return (int)perform(call_on("truncate", file, size == 0), SYS_ftruncate, file, size, 0, 0);
}

WRAPPED int ftruncate64(int file, off64_t size) __attribute__((alias("ftruncate")));

WRAPPED int fsync(int file)
{
    return (int)perform(call_on("sync", file, false), SYS_fsync, file, 0, 0, 0);
}

WRAPPED int fdatasync(int file)
{
    return (int)perform(call_on("sync", file, false), SYS_fdatasync, file, 0, 0, 0);
}

WRAPPED int flock(int file, int operation)
{
    return (int)perform(call_on("lock", file, false), SYS_flock, file, operation, 0, 0);
}

WRAPPED int mkdir(const char *path, mode_t mode)
{
    return (int)perform(call("mkdir", path, false), SYS_mkdirat, AT_FDCWD, (long)path, mode, 0);
}

WRAPPED int unlink(const char *path)
{
    return (int)perform(call("unlink", path, true), SYS_unlinkat, AT_FDCWD, (long)path, 0, 0);
}

WRAPPED int rename(const char *from, const char *to)
{
    char both[8500];
    snprintf(both, sizeof both, "%s -> %s", from, to);
    return (int)perform(call("rename", both, false), SYS_renameat, AT_FDCWD, (long)from, AT_FDCWD, (long)to);
}
