/* terminal.c -- is there a terminal to play on? A file of its own, for <term.h> has macros for words like "columns". */
#include "play/screen.h"
#include "../../lib/error.h"

#include <curses.h>
#include <stdlib.h>
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
