/* tree.h -- what a definition is inside: for those who make the tree, take its digest, or look at
 * its source
 *
 * The tree is one array of nodes in the order of the text, so a mapping's key, always a scalar, stands right before its
 * value. A second array, `links`, lists for every sequence its items and for every mapping its keys: a node has a run
 * of it. The scalars' texts lie one after another in a third. The source text is kept, to find the place of a byte
 * inside a scalar.
 */
#ifndef DEFINITION_TREE_H
#define DEFINITION_TREE_H

#include "definition.h"

#include <stdarg.h>

enum {
    SHOWN_TEXT_MAX = 40, /* bytes of a scalar in a complaint */
    EXCERPT_BYTES = SHOWN_TEXT_MAX + sizeof "..."
};

/* How the bytes of a scalar's text correspond to those of the source. */
enum layout {
    LAYOUT_LOOSE,  /* with escapes: only its beginning is known */
    LAYOUT_FOLDED, /* over several lines, which YAML joins, or after `>`: alike but for the blanks */
    LAYOUT_LINE,   /* as it stands in its line, after an opening quote if it has one */
    LAYOUT_LITERAL /* row by row below its `|`, each row the end of a source line */
};

struct node {
    const struct definition *definition;
    uint32_t line, column; /* where it begins, counted from 0 */
    uint32_t begin, end;   /* a scalar: its bytes in the source, from its first or its sign (`"`, `|`) on */
    uint32_t owner;        /* the node whose links list this one; NOBODY for the root and a mapping's values */
    uint32_t first;        /* a scalar: where its text begins in `texts`; else where its run of `links` begins */
    uint32_t count;        /* a scalar: its text's bytes; else its items or entries */
    uint8_t kind;          /* enum node_kind */
    uint8_t layout;        /* enum layout */
    uint8_t quotes;        /* 1 where an opening quote stands before the text, else 0 */
};

enum { NOBODY = UINT32_MAX };

struct definition {
    char *name;
    char *source; /* NUL-terminated, without a byte order mark */
    size_t length;
    struct node *nodes;
    size_t node_count;
    char *texts; /* every scalar's, each with its NUL */
    size_t texts_length;
    const struct node **links;
};

struct place {
    size_t line, column; /* counted from 0, columns in characters */
};

/* -- characters: UTF-8 that has been checked -- */

static inline bool is_continuation(char byte)
{
    return ((unsigned char)byte & 0xC0) == 0x80;
}

static inline size_t count_characters(const char *text, size_t length)
{
    size_t count = 0;
    for (size_t i = 0; i < length; i++)
        count += !is_continuation(text[i]);
    return count;
}

/* Where the line behind this one begins; the source's end where there is none. */
const char *next_line(const char *line);
/* Where a line of the source begins; its end where it has fewer lines. */
const char *definition_line(const struct definition *definition, size_t line);

/* -- complaints -- */

/* A complaint at a place, "name:line:column: ..."; only the end of a long name is shown. */
__attribute__((format(printf, 4, 0))) pdb_status definition_complain(pdb_error *error, const char *name,
                                                                     struct place at, const char *format,
                                                                     va_list arguments);

/* A scalar's text for a complaint: short, on one line. */
const char *definition_excerpt(const char *text, char buffer[EXCERPT_BYTES]);

/* -- nodes -- */

struct place node_place(const struct node *node);

/* A complaint at a place of the source; `source` points into it. */
__attribute__((format(printf, 4, 5))) pdb_status node_error_source(pdb_error *error, const struct node *node,
                                                                   const char *source, const char *format, ...);

/* A mapping's keys in the order of their bytes, keys that are alike in the order of the file. The caller frees
 * *sorted. */
pdb_status node_sort_keys(const struct node *mapping, const struct node ***sorted, pdb_error *error);

/* Is the word one of the list, which ends with NULL? */
bool word_is_among(const char *word, const char *const words[]);

#endif
