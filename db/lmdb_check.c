/* lmdb_check.c -- whether a file is a whole LMDB database, found out before LMDB gets to see it
 *
 * The layout of LMDB's data version 1 (all of LMDB 0.9), on a little-endian machine of 64 bits, with pages of 4096
 * bytes:
 *
 *     pages 0 and 1     meta pages: struct meta after the page header. A transaction with the number n writes page
 *                       n % 2; the greater number counts, the other is one less.
 *     branch, leaf      page header, 16-bit offsets of the nodes in the order of their keys, free space, the nodes.
 *                       `lower` is where the offsets end, `upper` where the nodes begin.
 *     node              struct node, the key, then in a leaf the value, or (NODE_LARGE) the u64 number of the page
 *                       where it begins.
 *     overflow          a page header with the count of pages, then the value, over as many pages as it takes.
 *
 * The tree of free pages is not looked at: no reader goes there.
 */
#include "lmdb_check.h"
#include "files.h"
#include "lib/file.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum {
    PAGE_SIZE = 4096,
    META_PAGES = 2,
    DATA_VERSION = 1,
    DEPTH_MAX = 32, /* LMDB's own stack of pages */
    FLAG_BRANCH = 0x01,
    FLAG_LEAF = 0x02,
    FLAG_OVERFLOW = 0x04,
    FLAG_META = 0x08,
    NODE_LARGE = 0x01
};

static const uint32_t magic = 0xBEEFC0DE;

struct page_header {
    uint64_t number;
    uint16_t unused;
    uint16_t flags;
    union {
        struct {
            uint16_t lower, upper;
        };
        uint32_t pages;
    };
};

struct node {
    uint16_t low, high; /* leaf: the value's length, 32 bits; branch: the child's page, the lower 32 bits */
    uint16_t flags;     /* branch: the child's page, the upper 16 bits */
    uint16_t key_bytes;
};

struct tree {
    uint32_t page_size; /* in the tree of free pages; unused in the main one */
    uint16_t flags;
    uint16_t depth;
    uint64_t branch_pages, leaf_pages, overflow_pages;
    uint64_t entries;
    uint64_t root;
};

struct meta {
    uint32_t magic;
    uint32_t version;
    uint64_t address;
    uint64_t map_bytes;
    struct tree free, main;
    uint64_t last_page;
    uint64_t transaction;
};

static_assert(sizeof(struct page_header) == 16 && sizeof(struct node) == 8 && sizeof(struct tree) == 48 &&
                  offsetof(struct meta, last_page) == 120 && sizeof(struct meta) == 136,
              "these are LMDB's own structures");

struct key {
    const uint8_t *bytes; /* NULL: no bound */
    uint16_t size;
};

struct check {
    int file;
    bool complete;
    const char *path;
    uint64_t file_bytes;
    pdb_error *error;
    struct meta meta;
    uint64_t *reached; /* a bit for each page that the tree has led to */
    uint64_t branch_pages, leaf_pages, overflow_pages, entries;
};

static pdb_status damaged(const struct check *check, uint64_t page, const char *what)
{
    return file_damaged(check->error, check->path, "is damaged (page %llu: %s)", (unsigned long long)page, what);
}

static pdb_status read_bytes(const struct check *check, uint64_t page, void *out, size_t size)
{
    ssize_t got = file_read_at(check->file, out, size, page * PAGE_SIZE);
    if (got < 0)
        return file_failed(check->error, "read", check->path, errno);
    return (size_t)got == size ? PDB_OK : damaged(check, page, "the file ends here");
}

/* -- meta pages -- */

/* Says of a file that is no LMDB database of ours what it is. */
static pdb_status check_kind(const struct check *check)
{
    struct {
        struct page_header header;
        struct meta meta;
    } first;
    ssize_t got = file_read_at(check->file, &first, sizeof first, 0);
    if (got < 0)
        return file_failed(check->error, "read", check->path, errno);
    if (got == 0)
        return file_damaged(check->error, check->path, "is empty");
    if ((size_t)got < sizeof first)
        return file_damaged(check->error, check->path, "is no database: it has %zd bytes", got);
    if (first.meta.magic == __builtin_bswap32(magic))
        return file_damaged(check->error, check->path, "was made on a machine of the other byte order");
    if (first.meta.magic != magic)
        return file_damaged(check->error, check->path, "is no database, or its first page is damaged");
    if (first.meta.version != DATA_VERSION)
        return file_damaged(check->error, check->path, "has LMDB's data version %u; this program reads version %d",
                            first.meta.version, DATA_VERSION);
    if (first.meta.free.page_size != PAGE_SIZE)
        return file_damaged(check->error, check->path,
                            "has pages of %u bytes, or is damaged; this program reads pages of %d",
                            first.meta.free.page_size, PAGE_SIZE);
    if (check->file_bytes < META_PAGES * PAGE_SIZE)
        return file_damaged(check->error, check->path, "was cut short: %llu bytes are left",
                            (unsigned long long)check->file_bytes);
    return PDB_OK;
}

static pdb_status read_meta(const struct check *check, uint64_t number, struct meta *meta)
{
    uint8_t page[sizeof(struct page_header) + sizeof(struct meta)];
    struct page_header header;
    pdb_status status = read_bytes(check, number, page, sizeof page);
    if (status != PDB_OK)
        return status;
    memcpy(&header, page, sizeof header);
    memcpy(meta, page + sizeof header, sizeof *meta);
    if (header.number != number || header.flags != FLAG_META || meta->magic != magic || meta->version != DATA_VERSION ||
        meta->free.page_size != PAGE_SIZE)
        return damaged(check, number, "not a meta page");
    return PDB_OK;
}

static pdb_status check_meta(struct check *check)
{
    struct meta both[META_PAGES];
    pdb_status status = read_meta(check, 0, &both[0]);
    if (status == PDB_OK)
        status = read_meta(check, 1, &both[1]);
    if (status != PDB_OK)
        return status;
    const uint64_t page = both[1].transaction > both[0].transaction;
    const struct meta *meta = &check->meta;
    check->meta = both[page];
    if (meta->last_page >= UINT64_MAX / PAGE_SIZE)
        return damaged(check, page, "the last page's number is out of range");
    uint64_t expected = (meta->last_page + 1) * PAGE_SIZE;
    if (check->file_bytes != expected)
        return file_damaged(check->error, check->path, "%s: it has %llu bytes and says %llu",
                            check->file_bytes < expected ? "was cut short" : "has something appended",
                            (unsigned long long)check->file_bytes, (unsigned long long)expected);
    if (meta->transaction % META_PAGES != page || meta->transaction != both[1 - page].transaction + 1 ||
        meta->address != 0)
        return damaged(check, page, "not what LMDB writes there");
    if (meta->main.flags != 0)
        return damaged(check, page, "the tree is not of our kind");
    if (meta->main.depth == 0 || meta->main.depth > DEPTH_MAX)
        return damaged(check, page, "the tree's depth is out of range");
    return PDB_OK;
}

/* -- the tree -- */

/* Marks a run of pages as reached; false where it leaves the file, or one was reached before. */
static bool claim(struct check *check, uint64_t first, uint64_t count)
{
    uint64_t last = check->meta.last_page;
    if (first < META_PAGES || first > last || count > last - first + 1)
        return false;
    while (count > 0) {
        uint64_t bit = first % 64;
        uint64_t run = count < 64 - bit ? count : 64 - bit;
        /* cppcheck-suppress shiftTooManyBits; a run has one bit at least */
        uint64_t mask = (UINT64_MAX >> (64 - run)) << bit;
        if ((check->reached[first / 64] & mask) != 0)
            return false;
        check->reached[first / 64] |= mask;
        first += run;
        count -= run;
    }
    return true;
}

/* As LMDB orders them: by their bytes, and a beginning before what it begins. */
static int compare_keys(struct key a, struct key b)
{
    int order = memcmp(a.bytes, b.bytes, a.size < b.size ? a.size : b.size);
    return order != 0 ? order : (int)a.size - (int)b.size;
}

static pdb_status check_large_value(struct check *check, uint64_t leaf, uint64_t first, uint64_t value_bytes)
{
    uint64_t pages = (sizeof(struct page_header) + value_bytes + PAGE_SIZE - 1) / PAGE_SIZE;
    if (!claim(check, first, pages))
        return damaged(check, leaf, "a value lies outside the file or on another's pages");
    check->overflow_pages += pages;
    if (!check->complete)
        return PDB_OK;
    struct page_header header;
    pdb_status status = read_bytes(check, first, &header, sizeof header);
    if (status != PDB_OK)
        return status;
    if (header.number != first || header.flags != FLAG_OVERFLOW || header.pages != pages)
        return damaged(check, first, "not the beginning of a large value");
    return PDB_OK;
}

/* Checks what follows a leaf's key; `room` is how many bytes the page has from there on. */
static pdb_status check_value(struct check *check, uint64_t leaf, const struct node *node, const uint8_t *value,
                              size_t room)
{
    uint64_t value_bytes = node->low | (uint64_t)node->high << 16;
    check->entries++;
    if (node->flags == 0)
        return value_bytes <= room ? PDB_OK : damaged(check, leaf, "a value runs past the page's end");
    uint64_t first;
    if (node->flags != NODE_LARGE)
        return damaged(check, leaf, "a value is not of our kind");
    if (room < sizeof first)
        return damaged(check, leaf, "a value's page number runs past the page's end");
    memcpy(&first, value, sizeof first);
    return check_large_value(check, leaf, first, value_bytes);
}

/* Finds a node; false where it lies outside the part of the page that is for nodes. */
static bool find_node(const uint8_t page[PAGE_SIZE], const struct page_header *header, unsigned index,
                      struct node *node, struct key *key)
{
    uint16_t offset;
    memcpy(&offset, page + sizeof *header + index * sizeof offset, sizeof offset);
    if (offset % 2 != 0 || offset < header->upper || offset > PAGE_SIZE - sizeof *node)
        return false;
    memcpy(node, page + offset, sizeof *node);
    *key = (struct key){page + offset + sizeof *node, node->key_bytes};
    return node->key_bytes <= PAGE_SIZE - sizeof *node - offset;
}

/* Whether low < key < high, or low <= key < high for a leaf's first key, which may be the very key that its parent
 * gives. */
static bool in_order(struct key low, struct key key, struct key high, bool may_equal_low)
{
    if (high.bytes != NULL && compare_keys(key, high) >= 0)
        return false;
    return low.bytes == NULL || compare_keys(key, low) > (may_equal_low ? -1 : 0);
}

static pdb_status check_leaf(struct check *check, const uint8_t page[PAGE_SIZE], const struct page_header *header,
                             struct key low, struct key high)
{
    unsigned count = (unsigned)(header->lower - sizeof *header) / 2;
    for (unsigned i = 0; i < count; i++) {
        struct node node;
        struct key key;
        if (!find_node(page, header, i, &node, &key))
            return damaged(check, header->number, "a key runs past the page's end");
        if (!in_order(low, key, high, i == 0))
            return damaged(check, header->number, "its keys are not in order");
        const uint8_t *value = key.bytes + key.size;
        pdb_status status = check_value(check, header->number, &node, value, (size_t)(page + PAGE_SIZE - value));
        if (status != PDB_OK)
            return status;
        low = key;
    }
    return PDB_OK;
}

static pdb_status check_page(struct check *check, uint64_t number, unsigned depth, struct key low, struct key high);

/* Each key is the lower bound of what is below it; the first means nothing, for whatever is below the second belongs to
 * the first child. */
static pdb_status check_branch(struct check *check, const uint8_t page[PAGE_SIZE], const struct page_header *header,
                               unsigned depth, struct key low, struct key high)
{
    struct node node, next = {0};
    struct key key, next_key;
    unsigned count = (unsigned)(header->lower - sizeof *header) / 2;
    if (!find_node(page, header, 0, &node, &key))
        return damaged(check, header->number, "a key runs past the page's end");
    for (unsigned i = 0; i < count; i++) {
        next_key = high;
        if (i + 1 < count && !find_node(page, header, i + 1, &next, &next_key))
            return damaged(check, header->number, "a key runs past the page's end");
        if (i + 1 < count && !in_order(low, next_key, high, false))
            return damaged(check, header->number, "its keys are not in order");
        uint64_t child = node.low | (uint64_t)node.high << 16 | (uint64_t)node.flags << 32;
        pdb_status status = check_page(check, child, depth + 1, low, next_key);
        if (status != PDB_OK)
            return status;
        node = next;
        low = next_key;
    }
    return PDB_OK;
}

/* Checks a page and all below it; its keys must be from `low` on and below `high`. No deeper than DEPTH_MAX: check_meta
 * saw to that. */
static pdb_status check_page(struct check *check, uint64_t number, unsigned depth, struct key low, struct key high)
{
    uint8_t page[PAGE_SIZE];
    struct page_header header;
    bool leaf = depth == check->meta.main.depth;
    if (!claim(check, number, 1))
        return damaged(check, number, "it is outside the file, or the tree leads there twice");
    pdb_status status = read_bytes(check, number, page, sizeof page);
    if (status != PDB_OK)
        return status;
    memcpy(&header, page, sizeof header);
    if (header.number != number || header.flags != (leaf ? FLAG_LEAF : FLAG_BRANCH))
        return damaged(check, number, leaf ? "not a leaf page" : "not a branch page");
    /* LMDB aborts on a branch with a single child. */
    const size_t least = sizeof header + (leaf ? 1 : 2) * sizeof(uint16_t);
    if (header.lower % 2 != 0 || header.lower < least || header.lower > header.upper || header.upper > PAGE_SIZE)
        return damaged(check, number, "its bounds make no sense");
    if (leaf) {
        check->leaf_pages++;
        return check_leaf(check, page, &header, low, high);
    }
    check->branch_pages++;
    return check_branch(check, page, &header, depth, low, high);
}

pdb_status lmdb_check(int file, const char *path, uint64_t file_bytes, bool complete, pdb_error *error)
{
    struct check check = {.file = file, .complete = complete, .path = path, .file_bytes = file_bytes, .error = error};
    const struct tree *tree = &check.meta.main;
    pdb_status status = check_kind(&check);
    if (status == PDB_OK)
        status = check_meta(&check);
    if (status != PDB_OK)
        return status;
    const size_t words = check.meta.last_page / 64 + 1;
    check.reached = calloc(words, sizeof *check.reached);
    if (check.reached == NULL)
        return error_no_memory(error, "a map of the file's pages", words * sizeof *check.reached);
    status = check_page(&check, tree->root, 1, (struct key){0}, (struct key){0});
    free(check.reached);
    if (status == PDB_OK && (tree->branch_pages != check.branch_pages || tree->leaf_pages != check.leaf_pages ||
                             tree->overflow_pages != check.overflow_pages || tree->entries != check.entries))
        return file_damaged(error, path, "is damaged (its tree is not as large as it says)");
    return status;
}
