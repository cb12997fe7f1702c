/* pattern_bytes.h -- the bytes of pattern databases as a searcher is given them: in memory, or as if they lay in a file
 */
#ifndef TESTS_SUPPORT_PATTERN_BYTES_H
#define TESTS_SUPPORT_PATTERN_BYTES_H

#include "lib/search/board/patterns.h"

struct pattern_bytes {
    struct pattern_source source;
    const uint8_t *bytes;
    bool in_file;          /* until they are loaded */
    bool damaged;          /* each byte that is looked up in the file is, */
    uint64_t sound_looks;  /* or, where this is not 0, each one after so many; */
    bool torn;             /* or loading finds that it is */
    bool slow;             /* loading takes half a second */
    bool loading;          /* a thread is; others get nothing then */
    unsigned lacks;        /* so often loading fails: by turns nothing comes of it, or there is no memory */
    uint64_t looks, loads; /* how often a byte was looked up there; how often they were loaded from there */
};

/* *made must not move afterwards. Returns its source. */
const struct pattern_source *pattern_bytes_make(struct pattern_bytes *made, const uint8_t *bytes, bool in_file);

#endif
