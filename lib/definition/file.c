/* file.c -- a definition from a file: one of ours, or one in the format of KSolve and twsearch (ksolve.h) */
#include "lib/file.h"
#include "ksolve.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

pdb_status definition_parse_ksolve(const char *name, const char *text, size_t length, struct definition **out,
                                   pdb_error *error)
{
    struct ksolve_text written = {0};
    struct ksolve ksolve = {.moves = 0};
    if (strlen(text) != length)
        return ksolve_refuse(error, name, 0, "this is no text: there is a NUL in it");
    pdb_status status = ksolve_read(name, text, &ksolve, error);
    if (status == PDB_OK)
        status = ksolve_write(name, &ksolve, &written, error);
    free(ksolve.move);
    if (status == PDB_OK)
        status = definition_parse(name, written.text, written.length, out, error);
    for (size_t i = 0; status == PDB_OK && i < (*out)->node_count; i++) {
        struct node *node = &(*out)->nodes[i];
        node->line = node->line < written.lines ? (uint32_t)written.line[node->line] : 0;
        node->column = 0;
        node->layout = LAYOUT_LOOSE;
    }
    free(written.text);
    free(written.line);
    return status;
}

bool definition_is_ksolve(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL && (strcmp(dot, ".tws") == 0 || strcmp(dot, ".def") == 0);
}

pdb_status definition_read(const char *path, struct definition **out, pdb_error *error)
{
    struct file_text text;
    pdb_status status = file_read_text(path, "definition file", DEFINITION_MAX_BYTES, &text, error);
    if (status != PDB_OK)
        return status;
    status = definition_is_ksolve(path) ? definition_parse_ksolve(path, text.bytes, text.length, out, error)
                                        : definition_parse(path, text.bytes, text.length, out, error);
    free(text.bytes);
    return status;
}
