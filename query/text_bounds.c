/* text_bounds.c -- the lower bounds of a board as text for people, and a peg board's classes */
#include "answer.h"

#include <string.h>

enum { INDENT = 4 };

/* Names are as wide as the longest of them, but no wider. */
static int name_width(const pdb_bounds *bounds)
{
    enum { WIDEST = 60 };
    size_t width = 0;
    for (size_t i = 0; i < bounds->count; i++) {
        const size_t length = text_columns(bounds->bound[i].name);
        width = length > width && length <= WIDEST ? length : width;
    }
    return (int)width;
}

static void put_bound(const struct drawing *drawing, const pdb_bound *bound, int width, FILE *out)
{
    const int padding = width - (int)text_columns(bound->name);
    fprintf(out, "  %s%c %s%*s  ", bound->taken ? draw_look(drawing, LOOK_BOLD) : "", bound->taken ? '*' : ' ',
            bound->name, padding > 0 ? padding : 0, "");
    if (bound->value == PDB_NO_DISTANCE)
        fputs("the goal cannot be reached", out);
    else
        fprintf(out, "%4u", bound->value);
    fprintf(out, "%s\n", bound->taken ? draw_look(drawing, LOOK_PLAIN) : "");
}

/* Every set of cells, and what the board and the goals have there. */
static void put_classes(const pdb_classes *classes, FILE *out)
{
    if (classes->sets == 0) {
        fputs("\nAll boards are of one position class: on no set of cells pegs stay even or odd in number.\n", out);
        return;
    }
    fprintf(out, "\nPosition class %s; of the goal:", classes->board);
    for (size_t g = 0; g < classes->goals; g++)
        fprintf(out, "%s %s", g > 0 ? "," : "", classes->goal[g]);
    fputs("\nNo move changes whether pegs are even (0) or odd (1) in number on\n\n", out);
    for (size_t s = 0; s < classes->sets; s++)
        fprintf(out, "%*s%c  %s\n", INDENT, "", classes->board[s], classes->set[s]);
    fprintf(out, "\n%s\n",
            classes->fits ? "A goal is of the board's class: the classes do not tell whether it can be reached."
                          : "No goal is of the board's class: it cannot be reached.");
}

void text_bounds(const struct session *session, const pdb_bounds *bounds, FILE *out)
{
    const int width = name_width(bounds);
    fprintf(out, "Lower bounds of a search (%s)%s\n", bounds->search, bounds->count > 0 ? ":\n" : ": there are none");
    for (size_t i = 0; i < bounds->count; i++)
        put_bound(&session->asked.drawing, &bounds->bound[i], width, out);
    if (bounds->classes.board != NULL)
        put_classes(&bounds->classes, out);
}
