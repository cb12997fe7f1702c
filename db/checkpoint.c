/* checkpoint.c -- what a generation has reached, kept so that a killed or interrupted run goes on from there
 *
 *     struct head | the size of each part, u64 | for each part, for each MiB of it: the bytes, then their checksum
 *
 * The parts go from memory to the file and back without being copied, but for one that lies elsewhere. The head has the
 * checksum of itself and the sizes, and each chunk's checksum is seeded by that and by the chunk's number: a chunk of
 * another checkpoint, or in another's place, is found out.
 */
#include "checkpoint.h"
#include "files.h"
#include "page_checksum.h"
#include "lib/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK_BYTES = 1 << 20 };

static const char magic[8] = "pdbpart1";
static const char *const final_suffix[] = {
    [CHECKPOINT_OF_STATES] = ".pdb.partial", [CHECKPOINT_OF_TABLES] = ".pdb.tables"};
static const char *const temporary_suffix[] = {
    [CHECKPOINT_OF_STATES] = ".pdb.partial.new", [CHECKPOINT_OF_TABLES] = ".pdb.tables.new"};

struct head {
    char magic[8];
    uint8_t definition[STORE_DIGEST_BYTES];
    uint64_t generator; /* the checksums of the two texts: only whether they are the same counts */
    uint64_t layout;
    uint64_t part_count;
    uint64_t checksum; /* of all above and the sizes */
};

/* Head and sizes as they stand in the file. */
static pdb_status make_head(const struct checkpoint *checkpoint, struct head **out, size_t *bytes, pdb_error *error)
{
    size_t sizes_bytes = checkpoint->part_count * sizeof(uint64_t);
    struct head *head = calloc(1, sizeof *head + sizes_bytes);
    if (head == NULL)
        return error_no_memory(error, "a checkpoint", sizeof *head + sizes_bytes);
    memcpy(head->magic, magic, sizeof head->magic);
    memcpy(head->definition, checkpoint->definition, sizeof head->definition);
    head->generator = checksum(checkpoint->generator, strlen(checkpoint->generator), 0);
    head->layout = checksum(checkpoint->layout, strlen(checkpoint->layout), 0);
    head->part_count = checkpoint->part_count;
    uint64_t *sizes = (uint64_t *)(head + 1);
    for (size_t i = 0; i < checkpoint->part_count; i++)
        sizes[i] = checkpoint->parts[i].size;
    head->checksum = checksum(sizes, sizes_bytes, checksum(head, offsetof(struct head, checksum), 0));
    *out = head;
    *bytes = sizeof *head + sizes_bytes;
    return PDB_OK;
}

static uint64_t chunk_bytes(const struct memory_part *part, uint64_t offset)
{
    uint64_t left = part->size - offset;
    return left < CHUNK_BYTES ? left : CHUNK_BYTES;
}

static uint64_t file_length(const struct checkpoint *checkpoint, size_t head_bytes)
{
    uint64_t length = head_bytes;
    for (size_t i = 0; i < checkpoint->part_count; i++) {
        const uint64_t size = checkpoint->parts[i].size, chunks = size / CHUNK_BYTES + (size % CHUNK_BYTES != 0);
        length += size + chunks * sizeof(uint64_t);
    }
    return length;
}

/* Room for a chunk of the part that does not lie in memory. */
static pdb_status take_room(const struct checkpoint *checkpoint, uint8_t **room, pdb_error *error)
{
    bool elsewhere = false;
    for (size_t i = 0; i < checkpoint->part_count; i++)
        elsewhere |= checkpoint->parts[i].bytes == NULL && checkpoint->parts[i].size > 0;
    *room = elsewhere ? malloc(CHUNK_BYTES) : NULL;
    return elsewhere && *room == NULL ? error_no_memory(error, "a checkpoint", CHUNK_BYTES) : PDB_OK;
}

/* -- saving -- */

static pdb_status write_part(int file, const struct checkpoint *checkpoint, const struct memory_part *part,
                             uint8_t *room, uint64_t *seed, const char *path, pdb_error *error)
{
    pdb_status status = PDB_OK;
    for (uint64_t offset = 0; status == PDB_OK && offset < part->size; offset += CHUNK_BYTES) {
        const size_t bytes = chunk_bytes(part, offset);
        if (part->bytes == NULL)
            checkpoint->move(checkpoint->context, offset, room, bytes, false);
        const uint8_t *chunk = part->bytes == NULL ? room : (const uint8_t *)part->bytes + offset;
        const uint64_t sum = checksum(chunk, bytes, (*seed)++);
        status = file_write(file, chunk, bytes, path, error);
        if (status == PDB_OK)
            status = file_write(file, &sum, sizeof sum, path, error);
    }
    return status;
}

static pdb_status write_parts(int file, const struct checkpoint *checkpoint, uint64_t seed, const char *path,
                              pdb_error *error)
{
    uint8_t *room;
    pdb_status status = take_room(checkpoint, &room, error);
    for (size_t i = 0; status == PDB_OK && i < checkpoint->part_count; i++)
        status = write_part(file, checkpoint, &checkpoint->parts[i], room, &seed, path, error);
    free(room);
    return status;
}

pdb_status checkpoint_save(const char *directory, const char *name, const struct checkpoint *checkpoint,
                           pdb_error *error)
{
    const enum checkpoint_of of = checkpoint->of;
    char path[PATH_MAX], temporary[PATH_MAX];
    struct head *head;
    size_t head_bytes;
    pdb_status status = file_path(directory, name, final_suffix[of], path, error);
    if (status == PDB_OK)
        status = file_path(directory, name, temporary_suffix[of], temporary, error);
    if (status == PDB_OK)
        status = make_head(checkpoint, &head, &head_bytes, error);
    if (status != PDB_OK)
        return status;
    unlink(temporary); /* one left behind, or whatever else it is: nothing that it leads to is written */
    int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0) {
        status = file_failed(error, "write", temporary, errno);
        free(head);
        return status;
    }
    status = file_write(file, head, head_bytes, temporary, error);
    if (status == PDB_OK)
        status = write_parts(file, checkpoint, head->checksum, temporary, error);
    if (status == PDB_OK)
        status = file_publish(file, temporary, path, directory, error);
    close(file);
    if (status != PDB_OK)
        unlink(temporary);
    free(head);
    return status;
}

/* -- loading -- */

/* One loading under way. *reason gets why a checkpoint does not fit. */
struct loading {
    int file;
    const char *path;
    struct checkpoint *checkpoint;
    const char *reason;
    pdb_error *error;
};

/* Reads exactly so many bytes; *whole says whether they were there. */
static pdb_status read_exactly(const struct loading *loading, void *bytes, size_t size, uint64_t offset, bool *whole)
{
    ssize_t got = file_read_at(loading->file, bytes, size, offset);
    if (got < 0)
        return file_failed(loading->error, "read", loading->path, errno);
    *whole = (size_t)got == size;
    return PDB_OK;
}

/* In what the checkpoint's head, its sizes left aside, is not the one that is wanted: the first thing that tells the
 * user something; NULL where it is. */
static const char *head_difference(const struct head *found, const struct head *wanted)
{
    if (memcmp(found->magic, wanted->magic, sizeof found->magic) != 0)
        return "it is no checkpoint, or one of another version of pdb";
    if (found->generator != wanted->generator)
        return "another version of pdb made it";
    if (memcmp(found->definition, wanted->definition, sizeof found->definition) != 0)
        return "the puzzle's definition has changed since";
    if (found->layout != wanted->layout || found->part_count != wanted->part_count)
        return "it was made for another way of searching";
    return NULL;
}

/* Has the parts made as large as those that were kept. */
static const char *fit_parts(struct loading *loading, const struct head *found, const struct head *wanted,
                             size_t head_bytes)
{
    struct checkpoint *checkpoint = loading->checkpoint;
    if (memcmp(found, wanted, head_bytes) == 0)
        return NULL;
    const size_t sizes_bytes = head_bytes - sizeof *found;
    const uint64_t *sizes = (const uint64_t *)(found + 1);
    const bool whole = found->checksum ==
                       checksum(sizes, sizes_bytes, checksum(found, offsetof(struct head, checksum), 0));
    if (!whole || checkpoint->fit == NULL || !checkpoint->fit(checkpoint->context, sizes, checkpoint))
        return "it is damaged, or made for another way of searching";
    for (size_t i = 0; i < checkpoint->part_count; i++)
        if (checkpoint->parts[i].size != sizes[i])
            return "it is damaged, or made for another way of searching";
    return NULL;
}

/* Reads the head and has the parts fit it. *seed is for the checksums of the chunks. */
static pdb_status load_head(struct loading *loading, const struct head *wanted, size_t head_bytes, uint64_t *seed)
{
    bool whole; /* or not: an incomplete head differs from the wanted one */
    struct head *found = calloc(1, head_bytes);
    if (found == NULL)
        return error_no_memory(loading->error, "a checkpoint", head_bytes);
    pdb_status status = read_exactly(loading, found, head_bytes, 0, &whole);
    if (status == PDB_OK)
        loading->reason = head_difference(found, wanted);
    if (status == PDB_OK && loading->reason == NULL)
        loading->reason = fit_parts(loading, found, wanted, head_bytes);
    *seed = found->checksum;
    free(found);
    return status;
}

/* Reads a part from *offset on. */
static pdb_status load_part(struct loading *loading, const struct memory_part *part, uint8_t *room, uint64_t *offset,
                            uint64_t *seed)
{
    const struct checkpoint *checkpoint = loading->checkpoint;
    for (uint64_t begin = 0; begin < part->size; begin += CHUNK_BYTES) {
        uint8_t *chunk = part->bytes == NULL ? room : (uint8_t *)part->bytes + begin;
        const size_t bytes = chunk_bytes(part, begin);
        uint64_t sum = 0;
        bool whole = false, whole_sum = false;
        pdb_status status = read_exactly(loading, chunk, bytes, *offset, &whole);
        if (status == PDB_OK)
            status = read_exactly(loading, &sum, sizeof sum, *offset + bytes, &whole_sum);
        if (status != PDB_OK)
            return status;
        if (!whole || !whole_sum || sum != checksum(chunk, bytes, (*seed)++)) {
            loading->reason = "it is damaged";
            return PDB_OK;
        }
        if (part->bytes == NULL)
            checkpoint->move(checkpoint->context, begin, room, bytes, true);
        *offset += bytes + sizeof sum;
    }
    return PDB_OK;
}

static pdb_status load_parts(struct loading *loading, uint64_t offset, uint64_t seed)
{
    const struct checkpoint *checkpoint = loading->checkpoint;
    uint8_t *room;
    pdb_status status = take_room(checkpoint, &room, loading->error);
    for (size_t i = 0; status == PDB_OK && loading->reason == NULL && i < checkpoint->part_count; i++)
        status = load_part(loading, &checkpoint->parts[i], room, &offset, &seed);
    free(room);
    return status;
}

static pdb_status load_from(struct loading *loading)
{
    struct stat properties;
    struct head *wanted;
    size_t head_bytes;
    uint64_t seed;
    if (fstat(loading->file, &properties) != 0)
        return file_failed(loading->error, "read", loading->path, errno);
    if (!S_ISREG(properties.st_mode)) {
        loading->reason = "it is no regular file";
        return PDB_OK;
    }
    pdb_status status = make_head(loading->checkpoint, &wanted, &head_bytes, loading->error);
    if (status != PDB_OK)
        return status;
    status = load_head(loading, wanted, head_bytes, &seed);
    if (status == PDB_OK && loading->reason == NULL &&
        (uint64_t)properties.st_size != file_length(loading->checkpoint, head_bytes))
        loading->reason = "it is damaged: its length is wrong";
    if (status == PDB_OK && loading->reason == NULL)
        status = load_parts(loading, head_bytes, seed);
    free(wanted);
    return status;
}

pdb_status checkpoint_load(const char *directory, const char *name, struct checkpoint *checkpoint, bool *found,
                           char *reason, size_t reason_size, pdb_error *error)
{
    char path[PATH_MAX];
    pdb_status status = file_path(directory, name, final_suffix[checkpoint->of], path, error);
    if (status != PDB_OK)
        return status;
    struct loading loading = {.path = path, .checkpoint = checkpoint, .error = error};
    loading.file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (loading.file >= 0) {
        status = load_from(&loading);
        close(loading.file);
    } else if (errno == ENOENT) {
        loading.reason = "";
    } else {
        status = file_failed(error, "read", path, errno);
    }
    if (status == PDB_OK) {
        *found = loading.reason == NULL;
        if (reason_size > 0)
            snprintf(reason, reason_size, "%s", *found ? "" : loading.reason);
    }
    return status;
}

/* -- removing -- */

void checkpoint_sweep(const char *directory, const char *name, enum checkpoint_of of)
{
    char temporary[PATH_MAX];
    if (file_path(directory, name, temporary_suffix[of], temporary, NULL) == PDB_OK)
        unlink(temporary);
}

pdb_status checkpoint_remove(const char *directory, const char *name, enum checkpoint_of of, pdb_error *error)
{
    char path[PATH_MAX];
    checkpoint_sweep(directory, name, of);
    pdb_status status = file_path(directory, name, final_suffix[of], path, error);
    if (status == PDB_OK && unlink(path) != 0 && errno != ENOENT)
        status = file_failed(error, "remove", path, errno);
    return status;
}

/* Is the file there, and when was it written? */
static bool look(const char *directory, const char *name, const char *suffix, struct timespec *written)
{
    struct stat properties;
    char path[PATH_MAX];
    if (file_path(directory, name, suffix, path, NULL) != PDB_OK || lstat(path, &properties) != 0)
        return false;
    *written = properties.st_mtim;
    return true;
}

static bool is_left(const char *directory, const char *name, enum checkpoint_of of, enum checkpoint_left which)
{
    struct timespec checkpoint, database;
    if (which == CHECKPOINT_KEEP || !look(directory, name, final_suffix[of], &checkpoint))
        return false;
    if (which == CHECKPOINT_REMOVE)
        return true;
    return look(directory, name, ".pdb", &database) &&
           (checkpoint.tv_sec != database.tv_sec ? checkpoint.tv_sec < database.tv_sec
                                                 : checkpoint.tv_nsec <= database.tv_nsec);
}

bool checkpoint_is_there(const char *directory, const char *name, enum checkpoint_of of)
{
    struct timespec ignored;
    return look(directory, name, final_suffix[of], &ignored);
}

void checkpoint_clear_up(const char *directory, const char *name, enum checkpoint_of of, enum checkpoint_left which)
{
    struct store_writer *writer;
    struct timespec ignored;
    if (!is_left(directory, name, of, which) && !look(directory, name, ".pdb.new", &ignored) &&
        !look(directory, name, temporary_suffix[of], &ignored))
        return;
    if (store_create(directory, name, &writer, NULL) != PDB_OK)
        return;
    /* Asked again: until the lock was ours another run may have saved a checkpoint, and been killed. */
    if (is_left(directory, name, of, which))
        checkpoint_remove(directory, name, of, NULL);
    else
        checkpoint_sweep(directory, name, of);
    store_abandon(writer);
}
