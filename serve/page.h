/* page.h -- the files that are compiled in: the page (serve/page/) and the description of the interface */
#ifndef SERVE_PAGE_H
#define SERVE_PAGE_H

#include <stddef.h>

/* Made by tools/embed.py; the last one has no path. */
extern const struct embedded {
    const char *path; /* as it is asked for: "/index.html" */
    const unsigned char *bytes;
    size_t length;
} page_files[];

struct page_file {
    const char *path, *type;
    const unsigned char *bytes;
    size_t length;
    void *packed; /* as gzip; NULL where that is no shorter */
    size_t packed_length;
};

struct page {
    size_t count;
    struct page_file *file;
};

/* Packs all files. NULL where memory is short; page_free frees it. */
struct page *page_make(void);
void page_free(struct page *page);

/* The file at a path, "/" being "/index.html"; NULL where there is none. */
const struct page_file *page_find(const struct page *page, const char *path);

#endif
