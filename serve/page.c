/* page.c -- the files that are compiled in */
#include "page.h"
#include "reply.h"

#include <stdlib.h>
#include <string.h>

/* What a file is, by the end of its name. */
static const char *type_of(const char *path)
{
    static const char *const types[][2] = {
        {".html", "text/html; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".json", "application/json"},
        {".svg", "image/svg+xml"},
        {".png", "image/png"},
        {".txt", "text/plain; charset=utf-8"},
    };
    const char *ending = strrchr(path, '.');
    for (size_t i = 0; ending != NULL && i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i][0], ending) == 0)
            return types[i][1];
    return "application/octet-stream";
}

struct page *page_make(void)
{
    enum { BEST = 9 };
    struct page *page = calloc(1, sizeof *page);
    size_t count = 0;
    while (page_files[count].path != NULL)
        count++;
    if (page == NULL || (page->file = calloc(count + 1, sizeof *page->file)) == NULL) {
        free(page);
        return NULL;
    }
    for (; page->count < count; page->count++) {
        const struct embedded *from = &page_files[page->count];
        struct page_file *file = &page->file[page->count];
        *file = (struct page_file){from->path, type_of(from->path), from->bytes, from->length, NULL, 0};
        file->packed = reply_pack(file->bytes, file->length, BEST, &file->packed_length);
    }
    return page;
}

void page_free(struct page *page)
{
    for (size_t i = 0; page != NULL && i < page->count; i++)
        free(page->file[i].packed);
    if (page != NULL)
        free(page->file);
    free(page);
}

const struct page_file *page_find(const struct page *page, const char *path)
{
    if (strcmp(path, "/") == 0)
        path = "/index.html";
    for (size_t i = 0; i < page->count; i++)
        if (strcmp(page->file[i].path, path) == 0)
            return &page->file[i];
    return NULL;
}
