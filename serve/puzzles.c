/* puzzles.c -- the puzzles that are offered, and their solvers */
#include "puzzles.h"
#include "common/arguments.h"

#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A database of more bytes may take a while to be opened: pattern databases are read whole. A walk of no more moves is
 * over in a few milliseconds. */
enum { SMALL_DATABASE = 64 << 20, NEAR_DISTANCE = 1000 };

/* -- files -- */

static struct standing look(const char *path)
{
    struct stat there;
    if (stat(path, &there) != 0)
        return (struct standing){0};
    return (struct standing){there.st_dev, there.st_ino, there.st_size, there.st_mtim};
}

/* What stands where a puzzle comes from. A file is looked at whose name has a slash or a dot: a bare word is a built-in
 * name (goat, queens-8) whatever file is called so too, and one with a colon (sokoban:FILE) is no path. */
static struct standing look_at_definition(const char *source)
{
    const char first = source[strcspn(source, "/.:")];
    return first == '/' || first == '.' ? look(source) : (struct standing){0};
}

static bool same(const struct standing *one, const struct standing *other)
{
    return one->device == other->device && one->inode == other->inode && one->bytes == other->bytes &&
           one->changed.tv_sec == other->changed.tv_sec && one->changed.tv_nsec == other->changed.tv_nsec;
}

/* -- one of those that are offered -- */

static void complain(const pdb_error *error)
{
    fprintf(stderr, "pdb-serve: %s\n", error->message);
}

/* One user less; under the lock. */
static void leave(struct kept *kept)
{
    if (kept == NULL || --kept->users > 0)
        return;
    pdb_solver_close(kept->solver);
    free(kept);
}

void puzzles_leave(struct offered *offered)
{
    if (offered == NULL || atomic_fetch_sub(&offered->users, 1) > 1)
        return;
    leave(offered->kept[0]);
    leave(offered->kept[1]);
    pthread_mutex_destroy(&offered->lock);
    pdb_puzzle_free(offered->puzzle);
    free(offered->source);
    free(offered);
}

static pdb_status load(const struct puzzles *puzzles, const char *source, struct offered **out, pdb_error *error)
{
    struct offered *offered = calloc(1, sizeof *offered);
    if (offered == NULL || (offered->source = strdup(source)) == NULL) {
        free(offered);
        return error_no_memory(error, "a puzzle", sizeof *offered);
    }
    atomic_init(&offered->users, 1);
    pthread_mutex_init(&offered->lock, NULL);
    offered->definition = look_at_definition(source);
    pdb_status status = pdb_puzzle_load(source, &offered->puzzle, error);
    if (status == PDB_OK && strcmp(pdb_puzzle_name(offered->puzzle), "puzzles") == 0)
        status = error_set(error, PDB_BAD_USAGE, "%s: /api/puzzles is the list: call the puzzle otherwise", source);
    if (status == PDB_OK)
        status = pdb_database_path(offered->puzzle, puzzles->options.directory, offered->path, error);
    if (status == PDB_OK)
        *out = offered;
    else
        puzzles_leave(offered);
    return status;
}

/* -- the list -- */

/* The place of a name in the list, or where it would be; is it there? */
static size_t find(const struct puzzles *puzzles, const char *name, bool *there)
{
    size_t low = 0, high = puzzles->count;
    *there = false;
    while (low < high && !*there) {
        const size_t middle = (low + high) / 2;
        const int order = strcmp(name, pdb_puzzle_name(puzzles->offered[middle]->puzzle));
        *there = order == 0;
        if (order <= 0)
            high = middle;
        else
            low = middle + 1;
    }
    return high;
}

static pdb_status add(struct puzzles *puzzles, const char *source, pdb_error *error)
{
    struct offered *offered, **longer = reallocarray(puzzles->offered, puzzles->count + 1, sizeof *longer);
    if (longer == NULL)
        return error_no_memory(error, "the puzzles", (puzzles->count + 1) * sizeof *longer);
    puzzles->offered = longer;
    pdb_status status = load(puzzles, source, &offered, error);
    if (status != PDB_OK)
        return status;
    bool there;
    const char *name = pdb_puzzle_name(offered->puzzle);
    const size_t at = find(puzzles, name, &there);
    if (there) {
        status = error_set(error, PDB_BAD_USAGE, "two puzzles are called '%s', %s and %s: call one of them otherwise",
                           name, longer[at]->source, source);
        puzzles_leave(offered);
        return status;
    }
    memmove(&longer[at + 1], &longer[at], (puzzles->count++ - at) * sizeof *longer);
    longer[at] = offered;
    return PDB_OK;
}

static pdb_status add_definitions(struct puzzles *puzzles, const char *directory, pdb_error *error)
{
    char pattern[PDB_PATH_MAX];
    struct stat there;
    glob_t files = {0};
    if (stat(directory, &there) != 0)
        return error_set(error, PDB_IO, "--definitions %s: %m", directory);
    if (!S_ISDIR(there.st_mode) || strlen(directory) + sizeof "/*.yaml" > sizeof pattern)
        return error_set(error, PDB_BAD_USAGE, "--definitions %s: it takes a directory", directory);
    /* A directory may have characters in its name that mean something to glob. */
    char *end = pattern;
    for (const char *c = directory; *c != '\0' && end < pattern + sizeof pattern - sizeof "\\x/*.yaml"; c++) {
        if (strchr("*?[\\", *c) != NULL)
            *end++ = '\\';
        *end++ = *c;
    }
    strcpy(end, "/*.yaml");
    pdb_status status = PDB_OK;
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): there are no threads yet */
    const int outcome = glob(pattern, 0, NULL, &files);
    if (outcome != 0 && outcome != GLOB_NOMATCH)
        status = error_set(error, PDB_IO, "--definitions %s: it cannot be read", directory);
    for (size_t i = 0; status == PDB_OK && i < files.gl_pathc; i++)
        if (add(puzzles, files.gl_pathv[i], error) != PDB_OK) /* the others are offered all the same */
            complain(error);
    globfree(&files);
    return status;
}

pdb_status puzzles_load(char *const *names, size_t count, const char *definitions, const pdb_options *options,
                        struct puzzles *puzzles, pdb_error *error)
{
    pdb_status status = PDB_OK;
    *puzzles = (struct puzzles){.options = *options, .lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP};
    for (size_t i = 0; status == PDB_OK && i < count; i++)
        status = add(puzzles, names[i], error);
    for (size_t i = 0; status == PDB_OK && count == 0 && pdb_builtin_name(i) != NULL; i++)
        status = add(puzzles, pdb_builtin_name(i), error);
    if (status == PDB_OK && definitions != NULL)
        status = add_definitions(puzzles, definitions, error);
    return status;
}

void puzzles_free(struct puzzles *puzzles)
{
    for (size_t i = 0; i < puzzles->count; i++)
        puzzles_leave(puzzles->offered[i]);
    free(puzzles->offered);
}

/* May it be possible to read the same file a while later? What is wrong with its text, or too large, stays so. */
static bool passes(pdb_status status)
{
    return status == PDB_IO || status == PDB_NO_MEMORY || status == PDB_UNKNOWN_PUZZLE;
}

void puzzles_refresh(struct puzzles *puzzles)
{
    for (size_t i = 0; i < puzzles->count; i++) {
        struct offered *old = puzzles->offered[i], *changed; /* nobody else changes the list */
        const struct standing definition = look_at_definition(old->source);
        const bool known = same(&definition, &old->definition), again = known && old->again;
        pdb_error error;
        if (definition.inode == 0 || (known && !again))
            continue;
        old->definition = definition;
        pdb_status status = load(puzzles, old->source, &changed, &error);
        if (status == PDB_OK && strcmp(pdb_puzzle_name(changed->puzzle), pdb_puzzle_name(old->puzzle)) != 0) {
            status = error_set(&error, PDB_BAD_USAGE, "%s: the puzzle '%s' is called '%s' now: restart pdb-serve",
                               old->source, pdb_puzzle_name(old->puzzle), pdb_puzzle_name(changed->puzzle));
            puzzles_leave(changed);
        }
        if (status != PDB_OK) {
            old->again = passes(status);
            if (!again || !old->again) /* not every second */
                complain(&error);
            continue;
        }
        pthread_rwlock_wrlock(&puzzles->lock);
        puzzles->offered[i] = changed;
        pthread_rwlock_unlock(&puzzles->lock);
        puzzles_leave(old);
    }
}

struct offered *puzzles_find(struct puzzles *puzzles, const char *name)
{
    bool there;
    pthread_rwlock_rdlock(&puzzles->lock);
    const size_t at = find(puzzles, name, &there);
    struct offered *offered = there ? puzzles->offered[at] : NULL;
    if (there)
        atomic_fetch_add(&offered->users, 1);
    pthread_rwlock_unlock(&puzzles->lock);
    return offered;
}

/* -- solvers -- */

bool puzzles_opens_at_once(const struct offered *offered)
{
    const struct standing database = look(offered->path);
    return database.inode != 0 && database.bytes <= SMALL_DATABASE;
}

struct kept *puzzles_take(struct offered *offered, bool whole)
{
    const struct standing database = look(offered->path);
    struct kept *found = NULL;
    pthread_mutex_lock(&offered->lock);
    for (unsigned slot = 0; slot < 2; slot++) {
        struct kept **kept = &offered->kept[slot];
        if (*kept != NULL && !same(&(*kept)->database, &database)) {
            leave(*kept);
            *kept = NULL;
        }
        if (*kept != NULL && (!whole || (*kept)->whole)) /* one that knows all distances is the best for boards too */
            found = *kept;
    }
    if (found != NULL)
        found->users++;
    pthread_mutex_unlock(&offered->lock);
    return found;
}

void puzzles_give_back(struct offered *offered, struct kept *kept)
{
    pthread_mutex_lock(&offered->lock);
    leave(kept);
    pthread_mutex_unlock(&offered->lock);
}

pdb_status puzzles_open(const struct puzzles *puzzles, struct offered *offered, bool whole, pdb_method method,
                        struct kept **kept, pdb_error *error)
{
    if ((*kept = puzzles_take(offered, whole)) != NULL)
        return PDB_OK;
    struct kept *made = calloc(1, sizeof *made);
    if (made == NULL)
        return error_no_memory(error, "a solver", sizeof *made);
    pdb_options options = puzzles->options;
    pdb_info info;
    options.whole = whole;
    options.method = method;
    made->database = look(offered->path);
    pdb_status status = pdb_solver_open(offered->puzzle, &options, &made->solver, error);
    if (status != PDB_OK) {
        free(made);
        return status;
    }
    pdb_solver_info(made->solver, &info);
    made->whole = info.histogram != NULL;
    made->near = info.max <= NEAR_DISTANCE;
    made->users = 2; /* the puzzle, and the caller */
    pthread_mutex_lock(&offered->lock);
    leave(offered->kept[whole]);
    offered->kept[whole] = *kept = made;
    pthread_mutex_unlock(&offered->lock);
    return PDB_OK;
}
