/* screen.c -- a game on the whole terminal: keys, clicks, signals */
#include "screen.h"
#include "lib/error.h"

#include <curses.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

enum { TICK_MILLISECONDS = 500, ESCAPE_MILLISECONDS = 50 };

/* -- the terminal -- */

static sigset_t signals_of_a_game(void)
{
    static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGWINCH};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(&set, signals[i]);
    return set;
}

void play_screen_prepare(struct play_screen *screen, struct query_progress *progress)
{
    const sigset_t set = signals_of_a_game();
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    *screen = (struct play_screen){.progress = progress, .signals = -1};
}

static void measure(struct play_screen *screen)
{
    struct winsize size;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0)
        resizeterm(size.ws_row, size.ws_col);
    screen->rows = (unsigned)getmaxy(stdscr);
    screen->columns = (unsigned)getmaxx(stdscr);
    clearok(curscr, true);
}

/* Makes the terminal the game's. Colours, where they are wanted, take one that has enough of them. */
static pdb_status screen_begin(struct play_screen *screen, bool coloured, SCREEN **terminal, pdb_error *error)
{
    const sigset_t set = signals_of_a_game();
    screen->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (screen->signals < 0)
        return error_set(error, PDB_IO, "signals cannot be read: %m");
    tcgetattr(STDIN_FILENO, &screen->before.settings);
    *terminal = newterm(NULL, stdout, stdin);
    if (*terminal == NULL) {
        close(screen->signals);
        return error_set(error, PDB_BAD_USAGE, "--play: the terminal '%s' cannot be played on", getenv("TERM"));
    }
    play_screen_remember(screen);
    bus_error_gives_back(&screen->before);
    cbreak();
    noecho();
    nonl();
    keypad(stdscr, true);
    nodelay(stdscr, true);
    set_escdelay(ESCAPE_MILLISECONDS);
    curs_set(0);
    mouseinterval(0);
    mousemask(BUTTON1_PRESSED | BUTTON1_CLICKED, NULL);
    screen->coloured = coloured && has_colors() && start_color() == OK && COLORS >= 256 && use_default_colors() == OK;
    measure(screen);
    return PDB_OK;
}

/* -- what happens -- */

enum event { EVENT_TIME, EVENT_KEY, EVENT_SIGNAL };

/* Answers the signals that have come. */
static void read_signals(struct play_screen *screen)
{
    struct signalfd_siginfo info;
    while (read(screen->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGTSTP) { /* Ctrl-Z: the terminal is the shell's until the game goes on */
            endwin();
            raise(SIGSTOP);
            refresh();
            keypad(stdscr, true); /* endwin has ended that too */
        }
        if (info.ssi_signo == SIGTSTP || info.ssi_signo == SIGWINCH)
            measure(screen);
        else
            screen->ended = true;
    }
}

/* Waits for a key or a signal, no longer than so many milliseconds (-1: without limit). */
static enum event await(struct play_screen *screen, int milliseconds)
{
    struct pollfd source[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = screen->signals, .events = POLLIN}};
    if (poll(source, 2, milliseconds) <= 0)
        return EVENT_TIME;
    if (source[1].revents == 0)
        return EVENT_KEY;
    read_signals(screen);
    return EVENT_SIGNAL;
}

bool play_screen_observe(void *context, uint32_t bound, uint64_t nodes)
{
    struct play_screen *screen = context;
    if (screen->play == NULL)
        return query_progress_observe(screen->progress, bound, nodes);
    const enum event event = await(screen, 0);
    if (event == EVENT_KEY || screen->ended)
        return false;
    screen->bound = bound;
    screen->nodes = nodes;
    if (event == EVENT_SIGNAL) /* another size */
        play_draw(screen, screen->play);
    else
        play_draw_search(screen);
    return true;
}

/* -- keys -- */

/* A key of curses as one of the game's. */
static int key_of(int key)
{
    static const struct {
        int key, meaning;
    } keys[] = {{KEY_UP, PLAY_UP},
                {KEY_DOWN, PLAY_DOWN},
                {KEY_LEFT, PLAY_LEFT},
                {KEY_RIGHT, PLAY_RIGHT},
                {KEY_ENTER, PLAY_ENTER},
                {'\r', PLAY_ENTER},
                {'\n', PLAY_ENTER},
                {'\t', PLAY_TAB},
                {KEY_BTAB, PLAY_BACKTAB},
                {'\033', PLAY_ESCAPE},
                {KEY_BACKSPACE, PLAY_BACKSPACE},
                {'\b', PLAY_BACKSPACE},
                {127, PLAY_BACKSPACE},
                {KEY_NPAGE, PLAY_NEXT_MOVE},
                {KEY_PPAGE, PLAY_PREVIOUS_MOVE}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keys[i].key == key)
            return keys[i].meaning;
    return key;
}

static pdb_status take_click(const struct play_screen *screen, struct play *play, pdb_error *error)
{
    MEVENT event;
    if (getmouse(&event) != OK || (event.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED)) == 0)
        return PDB_OK;
    if (play->help || play->running)
        return play_key(play, ' ', error); /* a click ends that as any key does */
    const size_t move = play_move_at(screen, play, event.y, event.x);
    return move != PLAY_NO_MOVE ? play_take(play, move, error)
                                : play_click(play, play_cell_at(screen, play, event.y, event.x), error);
}

/* All keys that were pressed; *any is false where the terminal has nothing more to say: it is gone. */
static pdb_status take_keys(struct play_screen *screen, struct play *play, bool *any, pdb_error *error)
{
    pdb_status status = PDB_OK;
    *any = false;
    for (int key; status == PDB_OK && !play->over && (key = getch()) != ERR; *any = true)
        if (key == KEY_MOUSE)
            status = take_click(screen, play, error);
        else if (key != KEY_RESIZE)
            status = play_key(play, key_of(key), error);
    return status;
}

/* Finds what is wanted. A search is announced, and stopped by keys and signals, which are read afterwards. */
static pdb_status find_all(struct play_screen *screen, struct play *play, pdb_error *error)
{
    pdb_status status = PDB_OK;
    screen->searching = play->searches;
    screen->bound = 0;
    screen->nodes = 0;
    if (screen->searching && play_wants(play))
        play_draw(screen, play);
    while (status == PDB_OK && play_wants(play))
        status = play_find(play, error);
    screen->searching = false;
    return status;
}

static pdb_status take_event(struct play_screen *screen, struct play *play, pdb_error *error)
{
    bool any = true;
    pdb_status status = PDB_OK;
    switch (await(screen, play->running ? TICK_MILLISECONDS : -1)) {
    case EVENT_TIME:
        status = play_tick(play, error);
        break;
    case EVENT_KEY:
        status = take_keys(screen, play, &any, error);
        break;
    case EVENT_SIGNAL:
        break;
    }
    return any ? status : error_set(error, PDB_IO, "the terminal is gone");
}

pdb_status play_screen_run(struct play_screen *screen, struct play *play, pdb_error *error)
{
    SCREEN *terminal;
    pdb_status status = screen_begin(screen, play->drawing.colour, &terminal, error);
    if (status != PDB_OK)
        return status;
    screen->play = play;
    status = find_all(screen, play, error);
    while (status == PDB_OK && !play->over && !screen->ended) {
        play_draw(screen, play);
        status = take_event(screen, play, error);
        if (status == PDB_OK && !play->over)
            status = find_all(screen, play, error);
    }
    if (status == PDB_OK && screen->ended)
        status = error_set(error, PDB_INTERRUPTED, "the game was interrupted");
    screen->play = NULL;
    endwin();
    bus_error_gives_back(NULL);
    delscreen(terminal);
    close(screen->signals);
    return status;
}
