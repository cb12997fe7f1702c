/* store.h -- the database: one LMDB file a puzzle, immutable once published
 *
 * The room: store_write.c makes a file, store_read.c opens one, store_verify.c checks all of it; store_header.c is the
 * header's form, store_inner.h what these know of an open one, page_checksum.h the layout of a value, deflated.h that
 * of deflated data, lmdb_check.h the look at LMDB's own pages before LMDB sees them. files.h names files and makes them
 * durable, checkpoint.h keeps what a search has reached and removes what killed runs leave; scratch.h is a file for
 * what a search has no memory for, store_copy.c takes a run of the data out of the file. It knows counts and bytes, and
 * no puzzle: of lib it takes plain types alone.
 *
 * A store keeps one long run of bytes, the data (how distances lie in it is the business of lib/search/space/values.h),
 * and a header that says whose it is. The data are kept as they are or deflated (deflated.h). docs/format.md describes
 * the file to the last byte; in short:
 *
 *     key                 value
 *     "data 00000000"     the data as they are kept, cut into extents,
 *     "data 00000001" ..
 *     "hardest"           indices of the deepest states (the first STORE_HARDEST_MAX), u64 little-endian
 *     "header"            a JSON object
 *     "histogram"         how many states at each distance, u64 little-endian
 *
 * The value of every key is its payload followed by a table of checksums, one (XXH3, 64 bits) for each 4 KiB page that
 * the payload takes when the value begins, as LMDB's large values do, 16 bytes into a page. So a checksum covers what
 * lies in one page of the file, a look-up touches one page and its checksum, and a page that stands in another's place
 * is found out, for its key and number seed its checksum.
 */
#ifndef DB_STORE_H
#define DB_STORE_H

#include "lib/rank/bytes.h"

#include <limits.h>

enum {
    STORE_FORMAT = 3, /* the format's version: a reader refuses any other */
    STORE_HARDEST_MAX = 10000,
    STORE_NAME_MAX = 64,
    STORE_DIGEST_BYTES = 16,
    STORE_TEXT_MAX = 4096,
    STORE_READ_BYTES = 1 << 14 /* that store_read inflates at a time */
};

/* What a database says of itself. The strings and arrays belong to whoever made the header: the caller of
 * store_publish, or the store. */
struct store_header {
    const char *puzzle;                     /* the puzzle's name */
    uint8_t definition[STORE_DIGEST_BYTES]; /* digest of its definition */
    const char *goal;                       /* the goal as text */
    const char *metric;                     /* what one move is */
    const char *encoding;                   /* how distances lie in the data, by name */
    /* "" for distances; else the data are a pattern database, and these are its patterns in words: states are then its
     * entries, and distances their values */
    const char *patterns;
    const char *generator; /* the version of the program that made it */
    uint64_t states;       /* indices 0 .. states-1 */
    /* boards that can reach the goal: the histogram's sum; an index may stand for several */
    uint64_t reachable;
    uint64_t data_bytes;
    /* bytes that the data take in the file: fewer where they are deflated; store_publish computes it */
    uint64_t kept_bytes;
    bool deflated; /* they are; to store_publish: they may be, where that saves a quarter, for look-ups can afford it */
    size_t depths; /* entries of the histogram: the greatest distance plus one */
    const uint64_t *histogram;
    uint64_t hardest; /* boards at the greatest distance: the histogram's last entry */
    /* indices of them that are listed, ascending: all, or the first STORE_HARDEST_MAX */
    size_t hardest_kept;
    const uint64_t *hardest_states;
    /* digest of the content; store_publish computes it and ignores what stands here */
    uint8_t content[STORE_DIGEST_BYTES];
};

/* Where databases live unless somebody says otherwise: $PDB_PATH, else $XDG_DATA_HOME/pdb, else $HOME/.local/share/pdb,
 * into path (of `size` bytes); empty variables count as unset. Makes nothing. Errors: PDB_NO_DATABASE (none of them is
 * set), PDB_IO (the path is too long). */
pdb_status directory_default(char *path, size_t size, pdb_error *error);

/* Who goes through all of the data, and who is told of it: `progress` (may be NULL) is called now and then, by the
 * calling thread alone, with the bytes done so far. If it returns false the work stops with PDB_INTERRUPTED. */
struct store_task {
    unsigned threads; /* 0 counts as 1 */
    bool (*progress)(void *context, uint64_t bytes_done);
    void *context;
};

/* -- writing --
 *
 * A writer holds DIRECTORY/NAME.pdb.new, locked, until it is published under NAME.pdb or abandoned. A process that is
 * killed leaves the .new file behind, unlocked; the next writer takes it over. */
struct store_writer;

/* Makes the directory (and its parents, mode 0777 less the umask) where it is missing, and takes the lock: call it
 * before the long work, so that what can be refused is refused at once. Errors: PDB_BUSY (another process holds it),
 * PDB_IO, PDB_BAD_USAGE (a name that is not [A-Za-z0-9][A-Za-z0-9._-]* of at most STORE_NAME_MAX bytes),
 * PDB_NO_MEMORY. */
pdb_status store_create(const char *directory, const char *name, struct store_writer **out, pdb_error *error);

/* Is the .new file still there, and the writer's? PDB_IO where it was removed, replaced, or its directory is gone: then
 * the lock is lost, and so is what would be written. */
pdb_status store_holds(const struct store_writer *writer, pdb_error *error);

/* Bytes of memory that store_publish takes besides what it is given, at most, or, from a source, store_publish_from;
 * `deflating` threads where the data may be deflated, else 0. */
uint64_t store_publish_memory(uint64_t data_bytes, unsigned deflating, bool from_source);

/* Writes everything and makes it the database: `data` (header->data_bytes of them), header, histogram, hardest; synced,
 * renamed, the directory synced. All threads deflate and make checksums; the bytes of the file follow from header and
 * data alone. Until it returns PDB_OK the old database, if any, is untouched. On failure the .new file is removed. The
 * writer is freed either way. *file_bytes (may be NULL) is the published file's length. Errors: PDB_IO, PDB_NO_MEMORY,
 * PDB_INTERRUPTED, PDB_BAD_USAGE (a header that contradicts itself or is out of bounds: nothing is written that a
 * reader would refuse). */
pdb_status store_publish(struct store_writer *writer, const struct store_header *header, const uint8_t *data,
                         const struct store_task *task, uint64_t *file_bytes, pdb_error *error);

/* The same of data that need not lie in memory: they are asked for by the calling thread, one after another; where they
 * may be deflated, twice. */
pdb_status store_publish_from(struct store_writer *writer, const struct store_header *header,
                              const struct byte_source *data, const struct store_task *task, uint64_t *file_bytes,
                              pdb_error *error);

/* Removes the .new file, lets the lock go and frees the writer (may be NULL). */
void store_abandon(struct store_writer *writer);

/* -- reading --
 *
 * A store is opened read-only, without a lock file, so read-only media and unprivileged users work, and the file may be
 * replaced while it is open. Threads share one store. */
struct store;

/* "DIRECTORY/NAME.pdb". PDB_BAD_USAGE where it does not fit or the name is not allowed. */
pdb_status store_path(const char *directory, const char *name, char path[PATH_MAX], pdb_error *error);

/* A digest in hexadecimal digits; returns text. */
const char *store_digest_text(const uint8_t digest[STORE_DIGEST_BYTES], char text[2 * STORE_DIGEST_BYTES + 1]);

/* Opens a database; checks the file's length and the structure of every LMDB page that is not data before LMDB sees
 * them, then header, histogram and hardest. Errors: PDB_NO_DATABASE (no such file), PDB_DAMAGED (empty, junk,
 * truncated, extended, of a newer format, wrong checksum, of another byte order or page size; each has its own words),
 * PDB_IO (unreadable, or no regular file), PDB_NO_MEMORY. */
pdb_status store_open(const char *path, struct store **out, pdb_error *error);
void store_close(struct store *store);

/* Lives as long as the store. */
const struct store_header *store_header(const struct store *store);
const char *store_file(const struct store *store);
uint64_t store_file_bytes(const struct store *store);

/* The address of the data byte `offset` (< data_bytes), its page checked, or its chunk inflated and then kept, at the
 * first touch; NULL with PDB_DAMAGED in *error where the checksum is wrong or it cannot be inflated, PDB_NO_MEMORY
 * (PDB_BAD_USAGE where `offset` is past the end). *run is how many bytes from there on lie behind one another and are
 * checked. Lock-free once a page was touched. */
const uint8_t *store_at(const struct store *store, uint64_t offset, uint64_t *run, pdb_error *error);

/* A hint that the data byte `offset` is looked up soon: it is sent for, and what its page is checked by, where that has
 * to be done. */
void store_expect(const struct store *store, uint64_t offset);

/* A hint that look-ups all over the data follow: what is not in memory yet is read from the file in large pieces. */
void store_hint(const struct store *store);

/* Copies a run of the data, as store_at gives it. Errors: those of store_at. */
pdb_status store_copy(const struct store *store, uint64_t offset, uint64_t size, uint8_t *to, pdb_error *error);

/* As store_at, for who goes through all of the data once: what is inflated lies in `room` and is not kept. */
const uint8_t *store_read(const struct store *store, uint64_t offset, uint8_t room[STORE_READ_BYTES], uint64_t *run,
                          pdb_error *error);

/* Checks the digest of the content: whether all pages' checksums are those that were written together. Of the pages
 * themselves it reads none. Errors: PDB_DAMAGED, PDB_NO_MEMORY. */
pdb_status store_check_content(const struct store *store, pdb_error *error);

/* Checks every page of the data, the digest of the content and LMDB's structure. Errors: PDB_DAMAGED,
 * PDB_INTERRUPTED. */
pdb_status store_verify(const struct store *store, const struct store_task *task, pdb_error *error);

#endif
