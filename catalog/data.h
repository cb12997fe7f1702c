/* data.h -- what tools/embed.py makes of the files under puzzles/ */
#ifndef CATALOG_DATA_H
#define CATALOG_DATA_H

#include <stddef.h>

struct catalog_entry {
    const char *file; /* the file's name, without its folder */
    const unsigned char *text;
    size_t length;
};

/* Entry i is the definition of catalog_names[i] (catalog.h). */
extern const struct catalog_entry catalog_entries[];

#endif
