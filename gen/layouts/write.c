/* write.c -- the definition of one layout
 *
 * All keys of the definition are written as they are, but for those that say what the layout is: the board and the
 * goal's walls, the pieces, which of them are alike, and the board to start from. Texts are in double quotes.
 */
#include "layouts.h"
#include "lib/error.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void write_text(FILE *out, const char *text)
{
    putc('"', out);
    for (; *text != '\0'; text++)
        if (*text == '\n')
            fputs("\\n", out);
        else
            fprintf(out, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
    putc('"', out);
}

/* A value in one line. */
static void write_node(FILE *out, const struct node *node)
{
    const bool mapping = node_kind(node) == NODE_MAPPING;
    if (node_kind(node) == NODE_SCALAR) {
        write_text(out, node_text(node));
        return;
    }
    putc(mapping ? '{' : '[', out);
    for (size_t i = 0; i < node_count(node); i++) {
        fputs(i > 0 ? ", " : "", out);
        if (mapping)
            write_text(out, node_text(node_key(node, i)));
        fputs(mapping ? ": " : "", out);
        write_node(out, mapping ? node_value(node, i) : node_item(node, i));
    }
    putc(mapping ? '}' : ']', out);
}

/* The letter of the piece that is put `nth` of its entry, or the form's own symbol. */
static const char *code_of(const struct entry *entry, unsigned nth, const struct form *form, unsigned cell)
{
    return entry->letter ? entry->name[nth] : form->code[cell];
}

/* The symbols of all cells, the pieces put in; `walls`: only walls are. */
static void fill(const struct layouts *layouts, const struct picture *picture, const uint32_t *placements, bool walls,
                 char (*code)[SYMBOL_CODE_MAX])
{
    unsigned nth = 0;
    for (unsigned cell = 0; cell < (unsigned)picture->rows * picture->columns; cell++)
        snprintf(code[cell], SYMBOL_CODE_MAX, "%.*s", picture->cell[cell].length == 0 ? 1 : picture->cell[cell].length,
                 picture->cell[cell].length == 0 ? "." : picture->text + picture->cell[cell].offset);
    for (unsigned i = 0; i < layouts->pieces; i++) {
        const struct placement *placement = &layouts->placement[placements[i]];
        const struct entry *entry = &layouts->entry[placement->entry];
        const struct form *form = &entry->form[placement->form];
        uint16_t cell[LAYOUT_CELLS];
        nth = i > 0 && layouts->placement[placements[i - 1]].entry == placement->entry ? nth + 1 : 0;
        layouts_cells(layouts, placement, cell);
        for (unsigned c = 0; c < form->cells && (entry->wall || !walls); c++)
            strcpy(code[cell[c]], code_of(entry, nth, form, c));
    }
}

static void write_picture(FILE *out, const char *key, const struct picture *shape, char (*code)[SYMBOL_CODE_MAX])
{
    fprintf(out, "%s: |\n", key);
    for (unsigned row = 0; row < shape->rows; row++) {
        fputs("   ", out);
        for (unsigned column = 0; column < shape->columns; column++)
            fprintf(out, " %s", code[row * shape->columns + column]);
        putc('\n', out);
    }
}

static void write_form(FILE *out, const struct entry *entry, unsigned nth, const struct form *form)
{
    int left = 0, right = 0, bottom = form->row[form->cells - 1];
    for (unsigned c = 0; c < form->cells; c++) {
        left = form->column[c] < left ? form->column[c] : left;
        right = form->column[c] > right ? form->column[c] : right;
    }
    fputs("  - \"", out);
    for (int row = 0; row <= bottom; row++)
        for (int column = left; column <= right; column++) {
            const char *code = ".";
            for (unsigned c = 0; c < form->cells; c++)
                if (form->row[c] == row && form->column[c] == column)
                    code = code_of(entry, nth, form, c);
            fprintf(out, "%s%s", column > left ? " " : row > 0 ? "/" : "", code);
        }
    fputs("\"\n", out);
}

/* The pieces of several cells, those of the definition first; a form that several pieces without a letter of their own
 * have, once. */
static void write_pieces(FILE *out, const struct layouts *layouts, const uint32_t *placements)
{
    const struct node *pieces = node_find(definition_root(layouts->definition), "pieces");
    unsigned nth = 0, written = 0;
    for (size_t i = 0; pieces != NULL && i < node_count(pieces); i++) {
        fputs(written++ == 0 ? "pieces:\n  - " : "  - ", out);
        write_node(out, node_item(pieces, i));
        putc('\n', out);
    }
    for (unsigned i = 0; i < layouts->pieces; i++) {
        const struct placement *placement = &layouts->placement[placements[i]],
                               *before = i > 0 ? &layouts->placement[placements[i - 1]] : NULL;
        const struct entry *entry = &layouts->entry[placement->entry];
        const bool follows = before != NULL && before->entry == placement->entry;
        nth = follows ? nth + 1 : 0;
        if (entry->wall || entry->form[placement->form].cells == 1 ||
            (!entry->letter && follows && before->form == placement->form))
            continue;
        fputs(written++ == 0 ? "pieces:\n" : "", out);
        write_form(out, entry, nth, &entry->form[placement->form]);
    }
}

/* Pieces of one entry in one form, with letters of their own, are alike. */
static void write_alike(FILE *out, const struct layouts *layouts, const uint32_t *placements)
{
    const struct node *alike = node_find(definition_root(layouts->definition), "alike");
    unsigned nth = 0, written = 0, run = 0;
    for (size_t i = 0; alike != NULL && i < node_count(alike); i++) {
        fputs(written++ == 0 ? "alike:\n  - " : "  - ", out);
        write_node(out, node_item(alike, i));
        putc('\n', out);
    }
    for (unsigned i = 1; i < layouts->pieces; i++) {
        const struct placement *placement = &layouts->placement[placements[i]],
                               *before = &layouts->placement[placements[i - 1]];
        const struct entry *entry = &layouts->entry[placement->entry];
        nth = before->entry == placement->entry ? nth + 1 : 0;
        if (!entry->letter || before->entry != placement->entry || before->form != placement->form) {
            fputs(run > 0 ? "\n" : "", out);
            run = 0;
            continue;
        }
        if (run++ == 0)
            fprintf(out, "%s  - %s", written++ == 0 ? "alike:\n" : "", entry->name[nth - 1]);
        fprintf(out, " %s", entry->name[nth]);
    }
    fputs(run > 0 ? "\n" : "", out);
}

/* The keys that say the same of every layout. */
static void write_others(FILE *out, const struct layouts *layouts)
{
    static const char *const own[] = {"puzzle", "title", "board", "pieces", "alike", "layouts", "boards", NULL};
    const struct node *root = definition_root(layouts->definition);
    for (size_t i = 0; i < node_count(root); i++) {
        const char *key = node_text(node_key(root, i));
        bool other = strcmp(key, "goal") != 0 || !layouts->has_goal;
        for (size_t k = 0; own[k] != NULL; k++)
            other &= strcmp(key, own[k]) != 0;
        if (!other)
            continue;
        fprintf(out, "%s: ", key);
        write_node(out, node_value(root, i));
        putc('\n', out);
    }
}

pdb_status layouts_write(const struct layouts *layouts, const uint32_t *placements, const char *name, const char *title,
                         const char *start, char **text, pdb_error *error)
{
    char(*code)[SYMBOL_CODE_MAX] = calloc(BOARD_MAX_CELLS, sizeof *code);
    size_t length;
    FILE *out = open_memstream(text, &length);
    if (out == NULL || code == NULL) {
        free(code);
        if (out != NULL)
            fclose(out);
        return error_no_memory(error, "a definition", BOARD_TEXT_MAX);
    }
    fprintf(out, "puzzle: %s\ntitle: ", name);
    write_text(out, title);
    putc('\n', out);
    write_others(out, layouts);
    if (layouts->has_goal) {
        fill(layouts, &layouts->goal, placements, true, code);
        write_picture(out, "goal", &layouts->goal, code);
    }
    fill(layouts, &layouts->board, placements, false, code);
    write_picture(out, "board", &layouts->board, code);
    write_pieces(out, layouts, placements);
    write_alike(out, layouts, placements);
    if (start != NULL && !layouts->marks) {
        fputs("boards:\n  start: ", out);
        write_text(out, start);
        putc('\n', out);
    } else if (!layouts->marks) {
        fputs("boards:\n", out);
        write_picture(out, "  start", &layouts->board, code);
    }
    free(code);
    const bool complete = !ferror(out);
    if (fclose(out) == 0 && complete)
        return PDB_OK;
    free(*text);
    *text = NULL;
    return error_no_memory(error, "a definition", BOARD_TEXT_MAX);
}
