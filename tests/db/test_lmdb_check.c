/* test_lmdb_check.c -- the structure of LMDB's files: what it wrote passes, and what passes it can read */
#include "db/lmdb_check.h"
#include "tests/support/store_sample.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(lmdb_check, .init = sample_begin, .fini = sample_end);

static pdb_error error;

/* A database of some other program, its tree three levels deep, large values among small ones. */
static void make_deep(void)
{
    static uint8_t bytes[10000];
    uint64_t random = 7;
    unlink(goat_path);
    for (int round = 0; round < 5; round++) {
        struct plain_lmdb lmdb = lmdb_begin(MDB_NOSYNC, 64 << 20);
        for (int i = 0; i < 120; i++) {
            char key[401];
            snprintf(key, sizeof key, "%016llx", (unsigned long long)next_random(&random));
            memset(key + 16, 'k', sizeof key - 16);
            MDB_val lmdb_key = {17 + (size_t)(next_random(&random) % 380), key};
            MDB_val value = {next_random(&random) % (i % 20 == 0 ? sizeof bytes : 100), bytes};
            cr_assert_eq(mdb_put(lmdb.transaction, lmdb.database, &lmdb_key, &value, 0), 0);
        }
        lmdb_end(&lmdb);
    }
}

/* Every byte is looked at: one outside the map ends the test. */
static unsigned sum(const MDB_val *value)
{
    unsigned total = 0;
    for (size_t i = 0; i < value->mv_size; i++)
        total += ((const uint8_t *)value->mv_data)[i];
    return total;
}

/* Reads everything as LMDB gives it; how many entries. */
static size_t walk_with_lmdb(size_t file_bytes, unsigned *depth)
{
    struct plain_lmdb lmdb = lmdb_begin(MDB_RDONLY, file_bytes);
    MDB_cursor *cursor;
    MDB_val key, value;
    MDB_stat sizes;
    size_t entries = 0;
    cr_assert_eq(mdb_stat(lmdb.transaction, lmdb.database, &sizes), 0);
    cr_assert_eq(mdb_cursor_open(lmdb.transaction, lmdb.database, &cursor), 0);
    for (; mdb_cursor_get(cursor, &key, &value, MDB_NEXT) == 0; entries++) {
        MDB_val found;
        cr_assert_leq(sum(&key), 255 * key.mv_size);
        cr_assert_leq(sum(&value), 255 * value.mv_size);
        cr_assert_eq(mdb_get(lmdb.transaction, lmdb.database, &key, &found), 0);
        cr_assert(found.mv_data == value.mv_data && found.mv_size == value.mv_size);
    }
    cr_assert_eq(entries, sizes.ms_entries);
    *depth = sizes.ms_depth;
    mdb_cursor_close(cursor);
    lmdb_end(&lmdb);
    return entries;
}

static pdb_status check_file(bool complete)
{
    struct stat properties;
    int file = open(goat_path, O_RDONLY);
    cr_assert(file >= 0 && fstat(file, &properties) == 0);
    pdb_status status = lmdb_check(file, goat_path, (uint64_t)properties.st_size, complete, &error);
    close(file);
    return status;
}

/* What LMDB wrote passes; what was changed at random passes only if LMDB can read all of it, every key where a search
 * looks for it. */
Test(lmdb_check, deep_tree)
{
    const unsigned changes = 4000 / short_step(5);
    size_t size;
    unsigned depth;
    uint64_t random = 99, passed = 0;
    make_deep();
    uint8_t *bytes = read_file(goat_path, &size);
    cr_assert_eq(check_file(true), PDB_OK, "%s", error.message);
    size_t entries = walk_with_lmdb(size, &depth);
    cr_assert_eq(entries, 600);
    cr_assert_geq(depth, 3);
    int file = open(goat_path, O_RDWR);
    cr_assert(file >= 0);
    for (unsigned i = 0; i < changes; i++) {
        /* in the beginning of a page, where the numbers are, more often than elsewhere */
        size_t page = i % 4 == 0 ? next_random(&random) % 2 : next_random(&random) % (size / 4096);
        size_t within = next_random(&random) % (i % 3 == 0 ? 4096 : 200);
        uint8_t changed = (uint8_t)next_random(&random);
        off_t at = (off_t)(page * 4096 + within);
        cr_assert_eq(pwrite(file, &changed, 1, at), 1);
        if (check_file(false) == PDB_OK) {
            passed++;
            if (walk_with_lmdb(size, &depth) != entries)
                cr_assert_fail("byte %lld", (long long)at);
        }
        cr_assert_eq(pwrite(file, bytes + at, 1, at), 1);
    }
    cr_expect_gt(passed, 0);
    cr_expect_lt(passed, changes);
    close(file);
    free(bytes);
}

/* A tree that leads to itself is left at once, however deep it says it is. */
Test(lmdb_check, endless_tree)
{
    size_t size;
    make_deep();
    uint8_t *bytes = read_file(goat_path, &size);
    uint64_t transactions[2], root;
    memcpy(&transactions[0], bytes + 144, 8);
    memcpy(&transactions[1], bytes + 4096 + 144, 8);
    uint8_t *tree = bytes + (transactions[1] > transactions[0] ? 4096 : 0) + 88;
    tree[6] = 32;
    memcpy(&root, tree + 40, 8);
    uint8_t *page = bytes + root * 4096;
    uint16_t lower, offset, low = (uint16_t)root;
    memcpy(&lower, page + 12, 2);
    for (uint16_t at = 16; at < lower; at += 2) {
        memcpy(&offset, page + at, 2);
        memcpy(page + offset, &low, 2);
    }
    write_file(goat_path, bytes, size);
    cr_expect_eq(check_file(false), PDB_DAMAGED);
    cr_expect(strstr(error.message, "twice") != NULL, "%s", error.message);
    free(bytes);
}
