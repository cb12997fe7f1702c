/* places.c -- boards with named places */
#include "places.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 40 }; /* bytes of a word in a complaint */

static int shown(size_t length)
{
    return length < SHOWN ? (int)length : SHOWN;
}

pdb_status places_read_names(const struct node *node, const struct board *board, struct place_names *names,
                             pdb_error *error)
{
    if (node == NULL) {
        for (unsigned place = 0; place < board->places; place++)
            snprintf(names->name[place], sizeof names->name[place], "%u", place + 1);
        return PDB_OK;
    }
    struct picture picture;
    pdb_status status = board_read_picture(node, "names", "the places' names have", board, &picture, error);
    for (unsigned place = 0; status == PDB_OK && place < board->places; place++) {
        const unsigned cell = board->cell[place];
        const char *name = picture.text + picture.cell[cell].offset;
        const size_t length = picture.cell[cell].length;
        if (length >= SYMBOL_CODE_MAX)
            return picture_error(error, &picture, cell, "the name '%.*s' is longer than %d bytes", shown(length), name,
                                 SYMBOL_CODE_MAX - 1);
        for (unsigned other = 0; other < place; other++)
            if (strlen(names->name[other]) == length && memcmp(names->name[other], name, length) == 0)
                return picture_error(error, &picture, cell, "there are two places called '%.*s'", shown(length), name);
        memcpy(names->name[place], name, length);
        names->name[place][length] = '\0';
    }
    return status;
}

uint16_t places_find(const struct board *board, const struct place_names *names, const char *name, size_t length)
{
    for (uint16_t place = 0; place < board->places; place++)
        if (strlen(names->name[place]) == length && memcmp(names->name[place], name, length) == 0)
            return place;
    return BOARD_NO_PLACE;
}

pdb_status places_require(const struct board *board, const struct place_names *names, const struct node *node,
                          size_t offset, size_t length, uint16_t *place, pdb_error *error)
{
    const char *name = node_text(node) + offset;
    *place = places_find(board, names, name, length);
    if (*place != BOARD_NO_PLACE)
        return PDB_OK;
    return node_error_at(error, node, offset, "there is no place '%.*s': they are called %s, .. %s", shown(length),
                         name, names->name[0], names->name[board->places - 1]);
}

/* The words of one scalar, behind those already in the list. */
static pdb_status read_words(const struct node *node, const struct board *board, const struct place_names *names,
                             struct place_list *list, pdb_error *error)
{
    const char *text = "";
    pdb_status status = node_as_text(node, &text, error);
    const char *word = text;
    for (size_t length; status == PDB_OK && (length = board_next_word(&word)) > 0; word += length) {
        const unsigned n = list->count;
        if (n == sizeof list->place / sizeof list->place[0])
            return node_error(error, node, "the list has more than %u places", n);
        list->node[n] = node;
        list->offset[n] = (size_t)(word - text);
        status = places_require(board, names, node, list->offset[n], length, &list->place[n], error);
        list->count++;
    }
    return status;
}

bool places_have_rows(const char *text, size_t *end)
{
    const size_t begin = strspn(text, " ,/\t\r\n");
    *end = begin + strcspn(text + begin, "/\n");
    return text[*end + strspn(text + *end, " ,/\t\r\n")] != '\0';
}

/* A row of places has no rows in it, and where it is a list, one place in each entry. */
static pdb_status check_row(const struct node *node, bool entry, pdb_error *error)
{
    const char *text = node_text(node);
    size_t end;
    if (text == NULL)
        return PDB_OK;
    if (places_have_rows(text, &end))
        return node_error_at(error, node, end, "a list of places is one row: a second one is another entry");
    if (entry && *text != '\0' && !board_is_one_word(text))
        return node_error(error, node,
                          "several places in an entry of a list of places: where this is a row of its own, "
                          "it is an entry one level up");
    return PDB_OK;
}

pdb_status places_read_row(const struct node *node, const struct board *board, const struct place_names *names,
                           struct place_list *list, pdb_error *error)
{
    pdb_status status = check_row(node, false, error);
    for (size_t i = 0; status == PDB_OK && node_kind(node) == NODE_SEQUENCE && i < node_count(node); i++)
        status = check_row(node_item(node, i), node_count(node) > 1, error);
    return status == PDB_OK ? places_read_list(node, board, names, list, error) : status;
}

pdb_status places_read_list(const struct node *node, const struct board *board, const struct place_names *names,
                            struct place_list *list, pdb_error *error)
{
    list->count = 0;
    if (node_kind(node) != NODE_SEQUENCE)
        return read_words(node, board, names, list, error);
    pdb_status status = PDB_OK;
    for (size_t i = 0; status == PDB_OK && i < node_count(node); i++)
        status = read_words(node_item(node, i), board, names, list, error);
    return status;
}
