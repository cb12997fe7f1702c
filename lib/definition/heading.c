/* heading.c -- the keys that every definition has */
#include "heading.h"
#include "lib/suggest.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_KEYS = 64 };

bool heading_allows(const char *name)
{
    size_t length = strlen(name);
    if (length == 0 || length > PUZZLE_NAME_MAX || strchr("._-", *name) != NULL)
        return false;
    for (const char *c = name; *c != '\0'; c++)
        if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
              strchr("._-", *c) != NULL))
            return false;
    return true;
}

/* The key without which no other can be judged: so a misspelt one is looked for here. */
static pdb_status require_family(const struct node *root, const struct node **family, pdb_error *error)
{
    const size_t suspects = node_find(root, "family") == NULL ? node_count(root) : 0;
    for (size_t i = 0; i < suspects; i++) {
        const char *there[] = {node_text(node_key(root, i)), NULL};
        if (suggest_nearest("family", there) != NULL)
            return node_error(error, node_key(root, i), "unknown key '%s': did you mean 'family'?", there[0]);
    }
    return node_require(root, "family", family, error);
}

pdb_status heading_family(const struct node *root, const char *const names[], unsigned *chosen, pdb_error *error)
{
    const struct node *family;
    pdb_status status = require_family(root, &family, error);
    return status != PDB_OK ? status : node_as_choice(family, names, chosen, error);
}

pdb_status heading_check_keys(const struct node *root, const char *const common[], const char *const keys[],
                              pdb_error *error)
{
    const char *known[MAX_KEYS + 1] = {NULL};
    size_t count = 0;
    for (size_t i = 0; common[i] != NULL; i++)
        known[count++] = common[i];
    for (size_t i = 0; keys[i] != NULL && count < MAX_KEYS; i++)
        known[count++] = keys[i];
    return node_check_keys(root, known, error);
}

pdb_status heading_read(const struct node *root, char name[PUZZLE_NAME_MAX + 1], char **title, pdb_error *error)
{
    const struct node *name_node, *title_node = node_find(root, "title");
    const char *text;
    pdb_status status = node_require(root, "puzzle", &name_node, error);
    if (status == PDB_OK)
        status = node_as_text(name_node, &text, error);
    if (status != PDB_OK)
        return status;
    if (!heading_allows(text))
        return node_error(error, name_node,
                          "a puzzle's name is 1 to %d letters, digits, '.', '_' or '-', a letter or digit first: the "
                          "database is named after it",
                          PUZZLE_NAME_MAX);
    strcpy(name, text);
    text = "";
    if (title_node != NULL)
        status = node_as_text(title_node, &text, error);
    if (status == PDB_OK && strchr(text, '\n') != NULL)
        return node_error(error, title_node, "the title has to be one line");
    if (status == PDB_OK && (*title = strdup(text)) == NULL)
        return error_no_memory(error, "the title", strlen(text) + 1);
    return status;
}
