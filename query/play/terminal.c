/* terminal.c -- what the terminal can do, and how it is given back. A file of its own, for <term.h> has macros for
 * words like "columns". */
#include "screen.h"
#include "lib/error.h"
#include "lib/text.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <unistd.h>

pdb_status play_screen_check(pdb_error *error)
{
    int found;
    const char *name = getenv("TERM");
    if (isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1)
        return error_set(error, PDB_BAD_USAGE, "--play takes a terminal, for the keys and for the board");
    if (name == NULL || setupterm(name, STDOUT_FILENO, &found) != OK)
        return error_set(error, PDB_BAD_USAGE, "--play: nothing is known of the terminal '%s': set TERM to what it is",
                         name != NULL ? name : "");
    const bool able = tigetstr("cup") != NULL; /* it can place the cursor */
    del_curterm(cur_term);
    return able ? PDB_OK
                : error_set(error, PDB_BAD_USAGE, "--play: the terminal '%s' can show lines of text only", name);
}

/* Adds a capability's bytes. Those in $<> stand for pauses, which only terminals of old need. */
static void add(struct bus_error_terminal *before, const char *capability)
{
    if (capability == NULL || capability == (const char *)-1)
        return;
    for (const char *end; *capability != '\0' && before->length < sizeof before->bytes; capability = end) {
        end = capability + 1;
        if (text_begins(capability, "$<") && strchr(capability, '>') != NULL)
            end = strchr(capability, '>') + 1;
        else
            before->bytes[before->length++] = *capability;
    }
}

/* What endwin does, as bytes: the mouse, the keys, the cursor, colours, and the screen that was there before. */
void play_screen_remember(struct play_screen *screen)
{
    struct bus_error_terminal *before = &screen->before;
    const char *mouse = tigetstr("XM");
    before->length = 0;
    if (tigetstr("kmous") != NULL)
        add(before, mouse != NULL && mouse != (const char *)-1 ? tparm(mouse, 0L) : "\033[?1000l");
    add(before, tigetstr("rmkx"));
    add(before, tigetstr("cnorm"));
    add(before, tigetstr("sgr0"));
    const char *screen_before = tigetstr("rmcup"), *place = tigetstr("cup");
    if (screen_before != NULL && screen_before != (const char *)-1)
        add(before, screen_before);
    else if (place != NULL && place != (const char *)-1)
        add(before, tparm(place, (long)LINES - 1, 0L)); /* below the board, which stays to be seen */
}
